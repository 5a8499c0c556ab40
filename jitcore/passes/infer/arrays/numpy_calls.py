"""Calls of NumPy's functions, operators and ndarrays' methods: the library function that stands for each, NumPy's
`out=`, and NumPy's own words where it refuses."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.nodes import Literal
from jitcore.library import tables
from jitcore.library.core.marking import finish, library
from jitcore.library.core.values import evaluator
from jitcore.library.random import module_generators
from jitcore.passes.infer.arrays import numpy_options
from jitcore.passes.infer.arrays.agreement import NumPyError, agreed
from jitcore.passes.infer.domain import abstract, array_operations, representations, sequences
from jitcore.passes.infer.domain.values import Array, PythonError, Reference, Slice, Static, Tuple, Value
from jitcore.passes.infer.engine import classes
from jitcore.passes.infer.engine.allocation import require_room
from jitcore.passes.infer.engine.purity import is_numpy_function
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.source import CompileError

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_JOINING: Final = frozenset([np.concatenate, np.stack])
"""Functions that refuse lists without items."""
_OF_NDARRAYS: Final = frozenset([
    np.array, np.asarray, np.asanyarray, np.ascontiguousarray, np.asfortranarray, np.asarray_chkfinite, np.require,
    np.full,
])  # fmt: skip
"""Functions that make ndarrays of Tensors: NumPy does not leave these to the classes of their arguments."""
_METHODS: Final = {function: name for name, function in tables.ARRAY_METHODS.items()}


def call(
    infer: Infer, obj: Any, function: Callable[..., Any], args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call `obj`, a function of NumPy, for which the library function `function` stands."""
    if obj not in _JOINING and any(infer.heap.buffer(a) is not None for a in args):
        arrays = [representations.for_numpy(infer, a) for a in args]
        return infer.distribute(arrays, lambda vs: [call(infer, obj, function, vs, keywords)])[0]

    if obj in _OF_NDARRAYS:
        args = [_as_ndarrays(infer, a) for a in args]

    def compute() -> Value:
        operands, rest, options = numpy_options.split(infer, obj, args, keywords)
        made = call_library(infer, function, operands, rest)
        if obj is np.ascontiguousarray and isinstance(made, Array):
            made = _in_order(infer, made)
        return numpy_options.deliver(infer, obj, made, options, operands)

    plain = module_generators.stand_in(obj) if module_generators.function_of(obj) is not None else obj
    try:
        return _agreed_or_refused(infer, obj.__name__, plain, compute, args, keywords, not isinstance(obj, np.ufunc))
    except CompileError:
        known = of_constants(infer, obj, args, keywords)
        if known is None:
            raise
        return known


def _as_ndarrays(infer: Infer, value: Value) -> Value:
    """A Tensor as the ndarray of its elements; so are those in a tuple or list."""
    if isinstance(value, Array) and value.is_tensor:
        return call_library(infer, tables.ARRAY_METHODS["asnumpy"], [value], {})
    if isinstance(value, Tuple) and value.cls is tuple:
        made = tuple(_as_ndarrays(infer, v) for v in value.items)
        return value if all(a is b for a, b in zip(value.items, made, strict=True)) else Tuple(made)
    if isinstance(value, Reference) and value.kind is list and infer.heap.buffer(value) is None:
        items = infer.heap.items(value)
        made = tuple(_as_ndarrays(infer, v) for v in items)
        if any(a is not b for a, b in zip(items, made, strict=True)):
            return infer.heap.new(list, made)
    return value


@array_operations.of_constants.model
def of_constants(infer: Infer, obj: Any, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value | None:
    """What `obj`, a function of NumPy, gives, computed now, if it depends on its arguments alone and all of them are
    known: arrays are new ones at each call of the program. None if it has to be called while running."""
    if not is_numpy_function(obj):
        return None
    known = _known_all(infer, [*args, *keywords.values()])
    if known is None:
        return None
    given = dict(zip(keywords, known[len(args) :], strict=True))
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("error")  # a warning belongs to each call
            made = obj(*known[: len(args)], **given)
    except Warning:
        return None
    except Exception as error:
        raise PythonError(error) from None
    arrays = [a for a in known if isinstance(a, np.ndarray)]
    if not _is_made_anew(made, arrays):
        return None
    return call_library(infer, _as_values, [Static(_Made(made))], {})


class _Made:
    """A result wrapped up, so that it comes through a call as it is."""

    def __init__(self, value: Any) -> None:
        self.value = value


@library("raw")
def _as_values(made: _Made) -> Any:
    """A result whose arrays are made of constants."""

    def convert(value: Any) -> Any:
        if isinstance(value, np.ndarray | np.generic) and value.dtype.kind in "biufc":
            return finish(evaluator().constant(value, None), "scalar" if isinstance(value, np.generic) else "array")
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*map(convert, value))
        if isinstance(value, tuple | list):
            return type(value)(map(convert, value))
        return value

    return convert(made.value)


def _is_made_anew(value: Any, arrays: Sequence[Any]) -> bool:
    """Whether a result consists of constants and of arrays of numbers that share no memory with others."""
    if isinstance(value, tuple | list):
        return all(_is_made_anew(v, arrays) for v in value)
    if type(value) is np.ndarray:
        return value.dtype.kind in "biufc" and not any(np.may_share_memory(value, a) for a in arrays)
    return type(value) is not dict and classes.is_constant(value) and not isinstance(value, np.ndarray)


def _is_plain(obj: Any) -> bool:
    """Whether an argument is a constant: not a function, which may read what changes, nor an array, which may be
    written to."""
    is_function = callable(obj) and not isinstance(obj, type | np.ufunc)
    return classes.is_constant(obj) and not is_function and not isinstance(obj, np.ndarray)


def _known_all(infer: Infer, values: Sequence[Value]) -> list[Any] | None:
    """The objects that values are, if all of them are known: arrays, too, that are made of constants."""
    known: list[Any] = []
    for value in values:
        if isinstance(value, Static):
            if not _is_plain(value.value):
                return None
            known.append(value.value)
        elif isinstance(value, Array):
            if value.is_tensor or not isinstance(value.atom, Literal):
                return None
            made = np.array(value.atom.value, value.type.dtype.numpy)
            known.append(made[()] if value.category == "npscalar" else made)
        elif sequences.static_sequence(value) and (held := abstract.iterate_static(infer, value)) is not None:
            items = _known_all(infer, held)
            if items is None:
                return None
            known.append(tuple(items) if isinstance(value, Tuple) else items)
        elif isinstance(value, Slice):
            parts = _known_all(infer, (value.start, value.stop, value.step))
            if parts is None:
                return None
            known.append(slice(*parts))
        else:
            return None
    return known


def _in_order(infer: Infer, x: Array) -> Value:
    """An array itself if it is contiguous, else a copy."""
    layout = infer.layouts.get(x.atom)
    if layout is None and x.path is None:
        raise infer.unsupported("ascontiguousarray of an array that may be contiguous or not", "x.copy()")
    return x if layout is not None and layout.is_contiguous else call_library(infer, tables.COPY, [x], {})


def call_method(infer: Infer, function: Any, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Call a library function that is perhaps a method of arrays (the first argument)."""
    name = _METHODS.get(function)
    if name is None:
        return call_library(infer, function, args, keywords)

    def method(x: Any, *rest: Any, **named: Any) -> Any:
        return getattr(type(x), name)(x, *rest, **named)

    method.__name__ = name
    is_tensor = isinstance(args[0], Array) and args[0].is_tensor
    if "out" not in keywords or name not in numpy_options.WITH_OUT or is_tensor:
        return call_or_refuse(infer, name, method, function, args, keywords)
    args, keywords, options = numpy_options.split(infer, method, args, keywords)
    made = call_or_refuse(infer, name, method, function, args, keywords)
    return numpy_options.deliver(infer, method, made, options, args)


@array_operations.call_or_refuse.model
def call_or_refuse(
    infer: Infer,
    name: str,
    plain: Callable[..., Any],
    function: Callable[..., Any],
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    sized: bool = True,
) -> Value:
    """Call the library function that stands for `plain`. Without `sized` no number among the arguments is an extent or
    a count."""
    return _agreed_or_refused(
        infer, name, plain, lambda: call_library(infer, function, args, keywords), args, keywords, sized
    )


def _agreed_or_refused(
    infer: Infer,
    name: str,
    plain: Callable[..., Any],
    compute: Callable[[], Value],
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    sized: bool,
) -> Value:
    """What `compute` gives, which stands for a call of `plain`, if it does what NumPy does with such arguments
    (`arrays.agreement`). Where it takes none of them, either NumPy does not (then its exception is raised), or it is
    compiled code that does not."""
    values = [*args, *keywords.values()]

    def call_plain(*samples: Any) -> Any:
        return plain(*samples[: len(args)], **dict(zip(keywords, samples[len(args) :], strict=True)))

    try:
        made = agreed(infer, name, call_plain, compute, values, sized)
        require_room(infer, values, made)
        return made
    except PythonError as error:
        is_asked = isinstance(error, NumPyError) or not isinstance(error.error, TypeError)
        if is_asked or any(_has_tensor(infer, v) for v in values):
            raise
        raise refusal(infer, f"{name} of such arguments", call_plain, *values) from error


def _has_tensor(infer: Infer, value: Value) -> bool:
    if isinstance(value, Array):
        return value.is_tensor
    if not isinstance(value, Static) and sequences.static_sequence(value):
        return any(_has_tensor(infer, v) for v in abstract.iterate_static(infer, value) or ())
    return False
