"""Functions of `random` and `numpy.random`, which draw from the generators of those modules."""

from __future__ import annotations

import inspect
import random as python_random
import sys
from collections.abc import Callable
from typing import Any, Final, cast

from jitcore.library.core.marking import library
from jitcore.library.core.values import evaluator, is_array, is_number, rank_of, static_int
from jitcore.library.random import generators as drawing
from jitcore.lookup import attribute_of
from jitcore.primitives.ops import generators
from jitcore.primitives.ops.random import host_random, host_seed
from jitcore.types import DType, f64, i64

# --- Python's random --------------------------------------------------------------------------------


def _seed(module: str, value: Any, *known: Any) -> None:
    """Seed the generator of a module; `known` are more arguments."""
    if is_number(value) or (is_array(value) and (module == "numpy" or not rank_of(value))):
        categories = (evaluator().category(value) or "",)
        host_seed(value, module=module, known=known, categories=categories)
        return
    found = evaluator().static(value, "the seed of a random generator")
    if isinstance(found, list):
        found = tuple(cast("list[Any]", found))
    host_seed(module=module, known=(found, *known))


def python_seed(a: Any = None, version: Any = 2) -> None:
    """`random.seed`."""
    _seed("random", a, static_int(version, "the version of a seed"))


def _python(name: str, dtype: DType) -> Callable[..., Any]:
    """The library function for a function of `random` of numbers."""
    function = getattr(python_random, name)
    signature = inspect.signature(function)

    def draw(*args: Any, **keywords: Any) -> Any:
        try:
            bound = signature.bind(*args, **keywords)
        except TypeError:
            return function(*args, **keywords)  # which says it in Python's words
        if bound.kwargs:
            bound.apply_defaults()
        if not all(map(is_number, bound.args)):
            raise TypeError(f"random.{name}() takes numbers")
        return host_random(*bound.args, module="random", name=name, dtype=dtype)

    return library("raw")(draw)


FLOATS_OF_PYTHON: Final = (
    "random", "uniform", "gauss", "normalvariate", "lognormvariate", "expovariate", "triangular", "betavariate",
    "gammavariate", "paretovariate", "vonmisesvariate", "weibullvariate",
)  # fmt: skip
INTS_OF_PYTHON: Final = ("randint", "randrange", "getrandbits")
if sys.version_info >= (3, 12):
    INTS_OF_PYTHON += ("binomialvariate",)
_PYTHON: Final[dict[str, Callable[..., Any]]] = {
    **{name: _python(name, f64) for name in FLOATS_OF_PYTHON},
    **{name: _python(name, i64) for name in INTS_OF_PYTHON},
    "seed": library("raw")(python_seed),
}

# --- numpy.random -----------------------------------------------------------------------------------


_SOURCE: Final[drawing.Source] = (generators.MODULE, ())


def numpy_seed(seed: Any = None) -> None:
    """`numpy.random.seed`."""
    _seed("numpy", seed)


def _numpy(name: str) -> Callable[..., Any]:
    """The library function for a function of `numpy.random`: a number is drawn without what arrays take."""

    def draw(*args: Any, **keywords: Any) -> Any:
        numbers = drawing.numbers_for(_SOURCE, name, args, keywords)
        if numbers is None:
            return drawing.call(_SOURCE, name, *args, **keywords)
        drawn, dtype, given = numbers
        return host_random(*given, module="numpy", name=drawn, dtype=dtype)

    return library("scalar")(draw)


_NUMPY: Final[dict[str, Callable[..., Any]]] = {
    **{name: _numpy(name) for name in (*drawing.DRAWINGS[generators.MODULE], *drawing.OTHERS) if name != "permuted"},
    "seed": library("array")(numpy_seed),
}


def function_of(obj: Any) -> Callable[..., Any] | None:
    """The library function that a method of NumPy's global generator (`numpy.random.rand` …), or of Python's, stands
    for."""
    owner = attribute_of(obj, "__self__", None)
    if owner is python_random.random.__self__:  # type: ignore[attr-defined]
        return _PYTHON.get(obj.__name__)
    numpy_random = sys.modules.get("numpy.random")  # which is not imported for this: it takes long
    if numpy_random is None:
        return None
    name = attribute_of(obj, "__name__", "")
    if owner is None:
        return _NUMPY.get(name) if name in _FUNCTIONS and obj is getattr(numpy_random, name, None) else None
    return _NUMPY.get(name) if owner is getattr(numpy_random.mtrand, "_rand", None) else None


def stand_in(obj: Any) -> Callable[..., Any]:
    """What is asked, in place of a function of `function_of`, what it does with some arguments: the same of a generator
    of its own, since asking the program's would change what it draws."""
    if _PYTHON.get(obj.__name__) is function_of(obj):
        return getattr(python_random.Random(0), obj.__name__)
    return drawing.stand_in(_SOURCE, obj.__name__)


_FUNCTIONS: Final = ("seed", "ranf", "sample")
"""Those of `numpy.random` that are no methods of its generator."""
