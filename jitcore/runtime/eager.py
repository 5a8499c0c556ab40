"""The eager evaluator: primitives computed at once on Tensors, ndarrays and numbers. Array results are Tensors.

It sits below all evaluators that record. Gradients in eager mode are recorded by the tapes of `runtime.tape`, which see
every primitive and every write from here.
"""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any

import numpy as np

from jitcore.config import settings
from jitcore.library.array import shapes
from jitcore.library.core import marking, values
from jitcore.lookup import has_attribute
from jitcore.primitives.core import dialects, evaluation
from jitcore.primitives.core.long_calls import reference_of
from jitcore.primitives.core.registry import Primitive, View
from jitcore.primitives.ops import elementwise
from jitcore.primitives.ops.shape import broadcast_to
from jitcore.runtime import autograd, nodes, tape, tensor_models
from jitcore.runtime.foreign import as_ndarray
from jitcore.runtime.frequent import FrequentCalls
from jitcore.runtime.tensor import Tensor, keeps_memory, wrap
from jitcore.runtime.trees import distinct_leaves, require_array_depth, require_array_like
from jitcore.types import BOOL, COMPLEX, FLOAT, INT, Dim, DType, ScalarType, TensorType, Type, dtype_of, has_derivatives

_SCALARS: dict[type, ScalarType] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}


class EagerEvaluator:
    """See `values.LibraryEvaluator`."""

    def bind(self, primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]) -> Any:
        """Compute a primitive."""
        values = operands(args)
        made = execute(primitive, values, params)
        if made is None:
            return None
        repeats = primitive is broadcast_to and isinstance(args[0], Tensor)  # a Tensor's elements are one place each
        is_view = isinstance(primitive.lowering, View) and not repeats
        if repeats or (not is_view and any(made is v for v in values) and isinstance(made, np.ndarray)):
            made = made.copy()
        outs = tuple(map(_result, made)) if isinstance(made, tuple) else (_result(made),)
        if dialects.known:
            _give_class(outs, args)
        if is_view and _is_view(outs[0], args[0]):
            out = outs[0]
            out._view = (args[0], primitive, args[1:], dict(params))
            out._storage = args[0].storage
            autograd.cut_view(out, args[0])
            return out
        if tape.recording():
            tape.record(primitive, tuple(map(_recorded, args, values)), outs, params)
        if autograd.concerns(args):
            autograd.record(primitive, tuple(map(_recorded, args, values)), outs, params)
        return outs[0] if len(outs) == 1 else outs

    def type_of(self, value: Any) -> Type:
        """The type of an array or a number."""
        cls = type(value)
        found = _SCALARS.get(cls)
        if found is not None:
            return found
        if isinstance(value, Tensor):
            array = value._array
            return TensorType(dtype_of(array.dtype), array.shape)
        if isinstance(value, tape.Stale):
            return value.type
        if isinstance(value, np.ndarray | np.generic):
            return TensorType(dtype_of(value.dtype), value.shape)
        raise TypeError(f"an array or a number is needed here, not {cls.__name__}")

    def category(self, value: Any) -> values.Category | None:
        """The category of a value."""
        if isinstance(value, Tensor | tape.Stale):
            return "tensor"
        if isinstance(value, np.generic):
            return "npscalar" if value.dtype.kind in "biufc" else None
        if isinstance(value, np.ndarray):
            return None if isinstance(value, np.ma.MaskedArray) or not value.dtype.isnative else "ndarray"
        if isinstance(value, int | float | complex):  # subclasses of Python's numbers, such as enumerations
            return next(_NAMES[base] for base in type(value).__mro__ if base in _NAMES)
        return None

    def finish(self, value: Any, policy: values.Policy) -> Any:
        """Eager array results are Tensors, but where an ndarray is asked for."""
        if policy == "ndarray":
            return value._array if isinstance(value, Tensor) else np.asarray(value)
        return value if isinstance(value, Tensor) else wrap(np.asarray(value))

    def dialect(self, value: object) -> dialects.Dialect | None:
        """The dialect that a Tensor is of."""
        return value._dialect if isinstance(value, Tensor) else None

    def in_dialect(self, value: object, dialect: dialects.Dialect | None) -> Any:
        """The Tensor itself, of another class from now on: nobody else has it yet."""
        assert isinstance(value, Tensor)
        value.__class__ = Tensor if dialect is None else dialect.cls
        return value

    def detached(self, value: object) -> Any:
        """A Tensor of the same memory that no gradient goes through."""
        assert isinstance(value, Tensor)
        return nodes.detached(value)

    def taken(self, value: Any) -> Any:
        """The elements of another library's array, in its memory where that can be."""
        return as_ndarray(value)

    def constant(self, value: Any, dtype: DType | None) -> Any:
        """An array of an ndarray or nested sequences; Tensors in them are joined, so that gradients reach them."""
        if isinstance(value, list | tuple):
            require_array_like(value)
            if _has_tensor(value):
                require_array_depth(value)
                return _joined(value, dtype)
        made = np.array(value, dtype=None if dtype is None else dtype.numpy)
        dtype_of(made.dtype)
        return made

    def dim(self, value: Any) -> Dim:
        """A number as an extent."""
        extent = value.__index__() if has_attribute(value, "__index__") else None
        if extent is None:
            raise TypeError(f"'{type(value).__name__}' object cannot be interpreted as an integer")
        if extent < 0:
            raise ValueError("negative dimensions are not allowed")
        return extent

    def number(self, dim: Dim) -> Any:
        """An extent is a Python int already."""
        return dim

    def is_one(self, dim: Dim) -> bool:
        """Extents are Python ints."""
        return dim == 1

    def may_be_one(self, dim: Dim) -> bool:
        """Extents are Python ints."""
        return dim == 1

    def note_source(self, dim: Dim, number: Any) -> None:
        """Nothing is to be noted."""

    def extent_or_rest(self, value: Any) -> Any:
        """A number is known already."""
        return value

    def settled(self, value: Any) -> Any:
        """Everything is known."""
        return value

    def static(self, value: Any, what: str) -> Any:
        """Everything is known; a Tensor of one element counts as its number."""
        del what
        return value._array.item() if isinstance(value, Tensor) and value._array.size == 1 else value

    def call(self, function: Any, args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
        """A plain call."""
        return function(*args, **keywords)

    def serving(self, calls: marking.Calls) -> Callable[..., Any]:
        """See `marking.EagerCalls`."""
        return FrequentCalls(calls)

    def contents(self, array: Any) -> Any:
        """The array: what is made of its elements is made at once."""
        return array

    def write(self, target: Any, value: Any) -> None:
        """Write into the memory of a Tensor or ndarray."""
        if not isinstance(target, Tensor):
            np.copyto(target, np.asarray(value))
            return
        array = value._array if isinstance(value, Tensor) else np.asarray(value)
        dialect = target._dialect
        through = dialect is not None and not dialect.meanings.gradients_see_writes and keeps_memory(target)
        noted = autograd.before_write(target, value) if autograd.concerns((target, value)) else None
        pending = tape.before_write(target, value, through) if tape.recording() else ()
        np.copyto(target._array, array)
        target.storage.version += 1
        tape.after_write(pending)
        autograd.after_write(noted)


_NAMES: dict[type, values.Category] = {bool: "bool", int: "int", float: "float", complex: "complex"}


def operands(args: tuple[Any, ...]) -> list[Any]:
    """What the reference of a primitive gets: ndarrays, and Python numbers as rank-0 arrays of the arrays' dtype."""
    values: list[Any] = []
    dtype: Any = None
    numbers = False
    for arg in args:
        if isinstance(arg, Tensor):
            arg = arg._array
        elif isinstance(arg, tape.Stale):
            raise arg.error()
        if isinstance(arg, np.ndarray | np.generic):
            if dtype is None or dtype.kind == "b":
                dtype = arg.dtype
        else:
            numbers = True
        values.append(arg)
    if numbers and dtype is not None:
        return [np.asarray(v, dtype) if type(v) in _SCALARS else v for v in values]
    return values


def execute(primitive: Primitive, values: list[Any], params: Mapping[str, Any]) -> Any:
    """Run a primitive on ndarrays and numbers: the one place that decides how eager operators are computed."""
    if settings.jit:
        from jitcore.runtime import operators

        return operators.execute(primitive, values, params)
    with np.errstate(all="ignore"):
        return reference_of(primitive, values, params)


def _result(value: Any) -> Any:
    return value if type(value) in _SCALARS else wrap(np.asarray(value))


def _give_class(outs: Sequence[Any], args: Sequence[Any]) -> None:
    """Make Tensors just made be of the class of the first operand that is one of a dialect."""
    dialect = next((a._dialect for a in args if isinstance(a, Tensor) and a._dialect is not None), None)
    if dialect is not None:
        for out in outs:
            if isinstance(out, Tensor):
                out.__class__ = dialect.cls


def _recorded(arg: Any, value: Any) -> Any:
    """An argument as rules see it: numbers that stood for arrays are arrays."""
    return wrap(value) if type(arg) in _SCALARS and isinstance(value, np.ndarray) else arg


def _is_view(out: Any, arg: Any) -> bool:
    return isinstance(out, Tensor) and isinstance(arg, Tensor) and np.may_share_memory(out._array, arg._array)


def _has_tensor(items: Any) -> bool:
    seen: set[int] = set()
    waiting = [items]
    while waiting:
        for item in waiting.pop():
            if isinstance(item, Tensor):
                return True
            if isinstance(item, list | tuple) and id(item) not in seen:
                seen.add(id(item))
                waiting.append(item)
    return False


def _joined(items: Any, dtype: DType | None) -> Any:
    parts = [_joined(i, dtype) if isinstance(i, list | tuple) and _has_tensor(i) else i for i in items]
    return shapes.stack([values.as_array(p, dtype) for p in parts])


@tensor_models.record_made.model
def record_made(made: Tensor, data: Any) -> None:
    """Tell the tapes that a Tensor was made of another one, or of nested sequences with Tensors in them."""
    if not tape.recording() or not has_derivatives(made._dtype) or not any(map(tape.tracked, distinct_leaves(data))):
        return
    source = data if isinstance(data, Tensor) else _joined(data, made._dtype)
    tape.record(elementwise.cast, (source,), (made,), {"dtype": made._dtype})


evaluator = EagerEvaluator()
evaluation.set_eager(evaluator)
