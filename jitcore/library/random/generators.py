"""Arrays that random generators draw: the methods of NumPy's generators, and the functions of `numpy.random`, called
with sizes and arrays.

NumPy's own function is called in the program (`generators.host_draw`), so what is drawn and what is raised are NumPy's;
here it is said which dtype and shape it gives. `source` is the class and the address of a generator, or
`generators.MODULE` alone.
"""

from __future__ import annotations

import inspect
import itertools
import re
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from jitcore.library.array import indexing
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.marking import library
from jitcore.library.core.values import (
    as_array,
    category,
    dims,
    dtype_of_value,
    evaluator,
    is_array,
    is_number,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.random.distributions import COUNTS, DISTRIBUTIONS, signature_of
from jitcore.primitives.ops import conversions, generators
from jitcore.primitives.tracing import scalar_literal
from jitcore.structs import dataclass
from jitcore.types import DType, Shape, broadcast_shapes, f64, i64

Source: TypeAlias = "tuple[str, tuple[Any, ...]]"
_SHAPES: Final = re.compile("shape|broadcast|dimension|axis|axes")


@dataclass(frozen=True, slots=True, eq=False)
class Drawing:
    """A method that draws one number for each element: its dtype unless another is given, and its parameters."""

    dtype: DType
    signature: inspect.Signature
    typed: bool = False
    """Whether it can be given a dtype."""


_OF_BOTH: Final = {
    **{name: Drawing(f64, signature_of(parameters)) for name, parameters in DISTRIBUTIONS.items()},
    **{name: Drawing(i64, signature_of(parameters)) for name, parameters in COUNTS.items()},
}
_TYPED: Final = {
    "random": Drawing(f64, signature_of("", "dtype"), True),
    "standard_normal": Drawing(f64, signature_of("", "dtype"), True),
    "standard_exponential": Drawing(f64, signature_of("", "dtype method"), True),
    "standard_gamma": Drawing(f64, signature_of("shape", "dtype"), True),
    "integers": Drawing(i64, signature_of("low high=None", "dtype endpoint"), True),
}
_OF_STATES: Final = {
    **_OF_BOTH,
    "random": Drawing(f64, signature_of("")),
    "random_sample": Drawing(f64, signature_of("")),
    "randint": Drawing(i64, signature_of("low high=None", "dtype"), True),
    "tomaxint": Drawing(i64, signature_of("")),
}
DRAWINGS: Final[Mapping[str, Mapping[str, Drawing]]] = {
    "numpy.random.Generator": {**_OF_BOTH, **_TYPED},
    "numpy.random.RandomState": _OF_STATES,
    generators.MODULE: {**_OF_STATES, "ranf": _OF_STATES["random_sample"], "sample": _OF_STATES["random_sample"]},
}
"""By the class of generators: the methods that draw one number for each element."""


def _draw(
    source: Source,
    name: str,
    args: Sequence[Any],
    shape: Shape,
    dtype: DType,
    *,
    size: Shape | None = None,
    named: tuple[str, ...] = (),
    known: Mapping[str, Any] | None = None,
) -> Any:
    module, address = source
    given = (scalar_literal(a) if isinstance(a, int | float | complex) else a for a in args)
    return generators.host_draw(
        *address, *given, module=module, name=name, size=size, named=named,
        known=tuple((known or {}).items()), dtype=dtype, shape=shape
    )  # fmt: skip


def _operand(value: Any) -> Any:
    """An argument as a number or an array."""
    return as_array(value) if isinstance(value, list | tuple) else value


def _size(size: Any) -> Shape | None:
    """The extents that a size says. Raises TypeError in NumPy's words."""
    for extent in cast("Sequence[Any]", size) if isinstance(size, list | tuple) else (size,):
        if isinstance(extent, bool | float):
            raise TypeError(f"expected a sequence of integers or a single integer, got '{size}'")
    return None if size is None else dims(size)


def _broadcast(args: Sequence[Any]) -> tuple[Shape, Callable[[], None]]:
    """The shape that arguments broadcast to, and what has it made sure of, once NumPy has taken them. Where they do not
    fit each other it does not matter: NumPy raises."""
    shapes = [shape_of(a) for a in args if is_array(a)]
    try:
        shape, pairs = broadcast_shapes(*shapes)
    except ValueError:
        return shapes[0], lambda: None

    def check() -> None:
        for a, b in pairs:
            require_equal(
                a, b, "operands could not be broadcast together: {0} and {1} elements are taken to be as many"
            )

    return shape, check


def draws_array(values: Sequence[Any], size: Any) -> bool:
    """Whether a draw with these arguments gives an array, and not a number."""
    return size is not None or any(isinstance(v, list | tuple) or (is_array(v) and rank_of(v) > 0) for v in values)


def drawn(source: Source, name: str, *args: Any, **keywords: Any) -> Any:
    """The array that a method of `DRAWINGS` draws."""
    method = DRAWINGS[source[0]][name]
    bound = method.signature.bind(*args, **keywords)
    options = {k: bound.arguments.pop(k) for k in ("size", "dtype", "endpoint", "method") if k in bound.arguments}
    known = {k: evaluator().static(v, f"the argument {k}") for k, v in options.items() if k != "size"}
    extents = _size(options.get("size"))
    bound.arguments = {k: _operand(v) for k, v in bound.arguments.items()}
    plain, named = bound.args, ()
    if bound.kwargs:  # those before are left at their defaults
        plain, named = tuple(bound.arguments.values()), tuple(bound.arguments)
    chosen = method.dtype if "dtype" not in known else as_dtype(known["dtype"])
    if extents is not None:
        return _draw(source, name, plain, extents, chosen, size=extents, named=named, known=known)
    shape, check = _broadcast(plain)
    made = _draw(source, name, plain, shape, chosen, named=named, known=known)
    check()
    return made


# --- what is drawn of arrays ------------------------------------------------------------------------------


def _rand(name: str) -> Callable[..., Any]:
    return lambda source, *size: drawn(source, name, size=size)


def _choice(
    source: Source, a: Any, size: Any = None, replace: Any = True, p: Any = None, axis: Any = 0, shuffle: Any = True
) -> Any:
    """`choice`."""
    among, extents = _operand(a), _size(size)
    known: dict[str, Any] = {"replace": bool(evaluator().static(replace, "the argument replace"))}
    of_generator = source[0].endswith("Generator")
    if of_generator:
        known |= {"axis": static_int(axis, "the axis"), "shuffle": bool(evaluator().static(shuffle, "shuffle"))}
    dtype, own = (dtype_of_value(among), shape_of(among)) if is_array(among) else (i64, ())
    if of_generator and own:
        k = known["axis"] % len(own)
        shape = (*own[:k], *(extents or ()), *own[k + 1 :])
    else:
        shape = extents or ()
    args, named = ([among], ()) if p is None else ([among, _operand(p)], ("p",))
    made = _draw(source, "choice", args, shape, dtype, size=extents, named=named, known=known)
    return made if own or extents is not None else conversions.to_scalar(made)


def _permutation(source: Source, x: Any, axis: Any = 0) -> Any:
    """`permutation`: of an int, the ints below it."""
    known = {"axis": static_int(axis, "the axis")} if source[0].endswith("Generator") else {}
    among = _operand(x)
    if is_array(among) and rank_of(among):
        return _draw(source, "permutation", [among], shape_of(among), dtype_of_value(among), known=known)
    return _draw(source, "permutation", [among], dims(among), i64, known=known)


def _permuted(source: Source, x: Any, *, axis: Any = None) -> Any:
    """`permuted`."""
    among = _operand(x)
    known = {"axis": None if axis is None else static_int(axis, "the axis")}
    return _draw(source, "permuted", [among], shape_of(among), dtype_of_value(among), known=known)


def _shuffle(source: Source, x: Any, axis: Any = 0) -> None:
    """`shuffle` of an array, in place."""
    if not is_array(x) or not rank_of(x):
        raise TypeError("only arrays are shuffled in compiled code")
    along = {"axis": static_int(axis, "the axis")} if source[0].endswith("Generator") else {}
    indexing.setitem(x, Ellipsis, _draw(source, "shuffle", [x], shape_of(x), dtype_of_value(x), known=along))


def _vectors(name: str, dtype: DType, parameters: str) -> Callable[..., Any]:
    """A method whose draws are vectors, as long as one of its parameters, whose name has a star."""
    names = [part.rstrip("*") for part in parameters.split()]
    length = next(k for k, part in enumerate(parameters.split()) if part.endswith("*"))

    def draw(source: Source, *args: Any, **keywords: Any) -> Any:
        bound = signature_of(" ".join(names)).bind(*args, **keywords)
        extents = _size(bound.arguments.pop("size", None))
        given = [_operand(v) for v in bound.args]
        shape = (*(extents or ()), *shape_of(as_array(given[length]))[-1:])
        return _draw(source, name, given, shape, dtype, size=extents)

    return draw


def stand_in(source: Source, name: str) -> Callable[..., Any]:
    """What is asked what a method does with arguments of some types and shapes: the same of another generator. What it
    says of their values is never said twice, since other values may do."""
    numbers = itertools.count()
    module = "numpy.random.RandomState" if source[0] == generators.MODULE else source[0]

    def ask(*args: Any, **keywords: Any) -> Any:
        sample = generators.sample_of(generators.class_named(module))
        method = getattr(sample, "random_sample" if name in ("ranf", "sample") else name)
        try:
            return method(*args, **keywords)
        except ValueError as error:
            if _SHAPES.search(str(error)):
                raise
            raise ValueError(next(numbers)) from None

    return ask


def function_for(source: Source, name: str) -> Callable[..., Any]:
    """The library function for a method that gives arrays."""
    return library("scalar")(lambda *args, **keywords: call(source, name, *args, **keywords))


def call(source: Source, name: str, *args: Any, **keywords: Any) -> Any:
    """What a method that gives arrays draws."""
    for given in (*args, *keywords.values()):
        if category(given) == "tensor":
            evaluator().static(given, "a Tensor that a random generator is given")
    method = OTHERS.get(name)
    return drawn(source, name, *args, **keywords) if method is None else method(source, *args, **keywords)


def numbers_for(
    source: Source, name: str, args: Sequence[Any], keywords: Mapping[str, Any]
) -> tuple[str, DType, Sequence[Any]] | None:
    """The method, the dtype and the arguments of a call that gives a Python number of numbers; None for other calls."""
    given = [*args, *keywords.values()]
    if name in ("rand", "randn") and not given:
        return ("random_sample" if name == "rand" else "standard_normal"), f64, ()
    if name == "choice" and len(given) == 1 and is_number(given[0]):
        return name, i64, given
    if name in OTHERS or any(isinstance(v, list | tuple) or (is_array(v) and rank_of(v)) for v in given):
        return None
    method = DRAWINGS[source[0]][name]
    bound = method.signature.bind(*args, **keywords)
    dtype = bound.arguments.pop("dtype", None)
    if bound.arguments.pop("size", None) is not None or dtype not in (None, int):
        return None
    if bound.kwargs:
        bound.apply_defaults()
        del bound.arguments["size"]
        bound.arguments.pop("dtype", None)
    return name, method.dtype, [v for v in bound.arguments.values() if v is not None]


OTHERS: Final[Mapping[str, Callable[..., Any]]] = {
    "choice": _choice,
    "permutation": _permutation,
    "permuted": _permuted,
    "shuffle": _shuffle,
    "multivariate_normal": _vectors("multivariate_normal", f64, "mean* cov"),
    "dirichlet": _vectors("dirichlet", f64, "alpha*"),
    "multinomial": _vectors("multinomial", i64, "n pvals*"),
    "rand": _rand("random_sample"),
    "randn": _rand("standard_normal"),
}
"""The methods that draw from arrays, or vectors."""
