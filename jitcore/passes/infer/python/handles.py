"""Methods of objects from outside of which the program knows the class alone: random generators (`values.Handle`)."""

from __future__ import annotations

import functools
import inspect
import random as python_random
from collections.abc import Mapping
from types import FunctionType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.nodes import Atom
from jitcore.library.random import generators as drawing
from jitcore.library.random.distributions import COUNTS, DISTRIBUTIONS, signature_of
from jitcore.library.random.module_generators import FLOATS_OF_PYTHON, INTS_OF_PYTHON
from jitcore.passes.infer.domain import array_operations, sequences
from jitcore.passes.infer.domain.values import (
    Array,
    Bound,
    Builtin,
    Handle,
    Number,
    PythonError,
    Reference,
    Static,
    Value,
)
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.primitives.ops import conversions, generators
from jitcore.structs import dataclass
from jitcore.types import INT, DType, f64, i64

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@dataclass(frozen=True, slots=True, eq=False)
class _Method:
    """A method that gives one number: its dtype (None: it gives None), and the parameters that may be given.
    `is_npscalar`: it gives a NumPy scalar."""

    dtype: DType | None
    signature: inspect.Signature
    is_npscalar: bool = False


_OF_NUMPY: Final = {
    **{name: _Method(f64, signature_of(parameters)) for name, parameters in DISTRIBUTIONS.items()},
    **{name: _Method(i64, signature_of(parameters)) for name, parameters in COUNTS.items()},
    "random": _Method(f64, signature_of("")),
}


def _of_python(name: str, dtype: DType | None) -> _Method:
    first, *rest = inspect.signature(getattr(python_random.Random, name)).parameters.values()
    del first
    return _Method(dtype, inspect.Signature(rest))


METHODS: Final[Mapping[str, Mapping[str, _Method]]] = {
    "random.Random": {
        **{name: _of_python(name, f64) for name in FLOATS_OF_PYTHON},
        **{name: _of_python(name, i64) for name in INTS_OF_PYTHON},
        "seed": _of_python("seed", None),
    },
    "numpy.random.Generator": {
        **_OF_NUMPY,
        "integers": _Method(i64, signature_of("low high=None", "dtype endpoint"), True),
    },
    "numpy.random.RandomState": {
        **_OF_NUMPY,
        "random_sample": _Method(f64, signature_of("")),
        "rand": _Method(f64, inspect.Signature()),
        "randn": _Method(f64, inspect.Signature()),
        "randint": _Method(i64, signature_of("low high=None")),
        "tomaxint": _Method(i64, signature_of("")),
        "seed": _Method(None, signature_of("seed=None")),
    },
}
"""By the class of generators: their methods that are compiled."""


def attribute(infer: Infer, handle: Handle, name: str) -> Value:
    """`handle.name`."""
    cls = generators.name_of(handle.cls)
    assert cls is not None
    if name in METHODS[cls] or _draws_arrays(cls, name):
        return Bound(_function(cls, name), (handle,))
    if name == "__class__":
        return Static(handle.cls)
    if isinstance(found := getattr(handle.cls, name, None), FunctionType):  # of Python: it is compiled
        return Bound(Static(found), (handle,))
    if hasattr(generators.sample_of(handle.cls), name):
        raise _unsupported(infer, cls, name, "the attribute")
    raise refusal(infer, f"the attribute '{name}'", lambda obj: getattr(obj, name), handle)


def _draws_arrays(cls: str, name: str) -> bool:
    return (
        cls in drawing.DRAWINGS
        and (name in drawing.DRAWINGS[cls] or name in drawing.OTHERS)
        and hasattr(generators.class_named(cls), name)
    )


def _unsupported(infer: Infer, cls: str, name: str, what: str) -> Exception:
    shown = cls.rpartition(".")[2]
    return infer.unsupported(
        f"{what} {shown}.{name} of a generator from outside",
        "its methods that draw one number, or arrays drawn outside",
    )


@functools.cache
def _function(cls: str, name: str) -> Builtin:
    """A method as a function of the generator and what else it takes."""

    def call(infer: Infer, handle: Value, *args: Value, **keywords: Value) -> Value:
        assert isinstance(handle, Handle)
        return _call(infer, cls, name, handle, args, keywords)

    return Builtin(name, call)


def _call(
    infer: Infer, cls: str, name: str, handle: Handle, args: tuple[Value, ...], keywords: dict[str, Value]
) -> Value:
    if _draws_arrays(cls, name) and not _draws_number(infer, cls, name, args, keywords):
        return _arrays(infer, cls, name, handle, args, keywords)
    method = METHODS[cls][name]
    try:
        bound = method.signature.bind(*args, **keywords)
    except TypeError as error:
        raise _refused(infer, cls, name, len(args), keywords) from error
    given, known = _settled(infer, cls, name, bound)
    atoms = [_number(infer, cls, name, value) for value in given]
    params = {"module": cls, "name": name, "known": known, "dtype": method.dtype}
    if method.dtype is None:
        infer.emit_all(generators.host_method, handle.atom, *atoms, **params)
        return Static(None)
    out = infer.emit(generators.host_method, handle.atom, *atoms, **params)
    if method.is_npscalar:
        return Array(infer.emit(conversions.from_scalar, out, dtype=method.dtype), "npscalar")
    return infer.number(out, handle)


def _draws_number(infer: Infer, cls: str, name: str, args: tuple[Value, ...], keywords: Mapping[str, Value]) -> bool:
    """Whether a call of a method gives one number, of nothing but numbers."""
    if name not in METHODS[cls] or any(_is_array(v) for v in (*args, *keywords.values())):
        return False
    try:
        given = METHODS[cls][name].signature.bind(*args, **keywords).arguments
    except TypeError:
        return False
    size, dtype = (given.get(option, Static(None)) for option in ("size", "dtype"))
    if isinstance(dtype, Static) and dtype.value is not None and not _is_int64(dtype.value):
        return False
    return isinstance(size, Static) and size.value is None


def _is_array(value: Value) -> bool:
    """Whether an argument is an array with axes, or something that NumPy makes one of."""
    return (
        bool(value.type.rank)
        if isinstance(value, Array)
        else sequences.static_sequence(value) or isinstance(value, Reference)
    )


def _arrays(
    infer: Infer, cls: str, name: str, handle: Handle, args: tuple[Value, ...], keywords: dict[str, Value]
) -> Value:
    """A call that gives an array."""
    if "out" in keywords:
        raise _unsupported(infer, cls, name, "an array to be filled by")
    source = cls, (Number(handle.atom, INT),)
    function = drawing.function_for(source, name)
    return array_operations.call_or_refuse(infer, name, drawing.stand_in(source, name), function, args, keywords)


def _refused(infer: Infer, cls: str, name: str, count: int, keywords: Mapping[str, Value]) -> Exception:
    """What is raised of arguments that a method does not take: asked of another generator, in its own words."""
    try:
        getattr(generators.sample_of(generators.class_named(cls)), name)(*range(count), **dict.fromkeys(keywords))
    except TypeError as error:
        return PythonError(TypeError(str(error)))
    except ValueError:
        pass  # of these values, which says nothing
    return _unsupported(infer, cls, name, "this call of")


def _settled(
    infer: Infer, cls: str, name: str, bound: inspect.BoundArguments
) -> tuple[list[Value], tuple[tuple[str, Any], ...]]:
    """The numbers a method is called with, in order, and its keywords that are known."""
    known: list[tuple[str, Any]] = []
    for option, wanted in (("size", None), ("dtype", None), ("endpoint", True)):
        if option not in bound.arguments:
            continue
        value = bound.arguments.pop(option)
        if option == "endpoint":
            found = infer.need_static(value, "the argument endpoint")
            known += [("endpoint", True)] if found else []
        elif option == "dtype":
            if not isinstance(value, Static) or not _is_int64(value.value):
                raise _unsupported(infer, cls, name, "a dtype given to")
        elif not isinstance(value, Static) or value.value is not wanted:
            raise _unsupported(infer, cls, name, "an array drawn by")
    if bound.kwargs:
        bound.apply_defaults()
    rest = [v if isinstance(v, Value) else Static(v) for v in bound.args]
    parameters = len(rest)
    while parameters and isinstance(last := rest[parameters - 1], Static) and last.value is None:
        parameters -= 1
    return rest[:parameters], tuple(known)


def _is_int64(dtype: Any) -> bool:
    return dtype is np.int64 or dtype == "int64" or (isinstance(dtype, np.dtype) and dtype == np.int64)


def _number(infer: Infer, cls: str, name: str, value: Value) -> Atom:
    """The atom of a number that a method is called with."""
    type_ = numbers.type_of_number(value)
    if type_ is not None and not (isinstance(value, Static) and type(value.value) is int and not _fits(value.value)):
        return infer.number_atom(value, type_)
    if cls.startswith("numpy.") and isinstance(value, Array) and value.category == "npscalar":
        dtype = value.type.dtype
        if dtype is f64 or dtype is i64:
            return infer.emit(conversions.to_scalar, infer.read(value))
    raise _unsupported(infer, cls, name, "an argument that is no number of Python's given to")


def _fits(value: int) -> bool:
    return -(2**63) <= value < 2**63
