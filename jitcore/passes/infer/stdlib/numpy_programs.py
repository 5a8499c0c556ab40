"""NumPy's functions as programs, whose source is compiled as the user's code is: those that call the user's for each
element or row, and those that go through elements or items."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.library.array import places
from jitcore.library.core.marking import library
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import Array, Bound, Static, Value
from jitcore.passes.infer.engine.models import register_models
from jitcore.passes.infer.engine.tracing import call_library

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def _for_each(function: Any, *args: Any) -> Any:
    """`np.vectorize(function)(*args)`: the first call, for the dtype, is one more than there are elements."""
    arrays = np.broadcast_arrays(*args)
    flat = [a.ravel() for a in arrays]
    count = flat[0].size
    if count == 0:
        raise ValueError("cannot call `vectorize` on size 0 inputs unless `otypes` is set")
    made = np.empty(count, np.asarray(function(*[a[0] for a in flat])).dtype)
    for place in range(count):
        made[place] = function(*[a[place].item() for a in flat])
    return made.reshape(arrays[0].shape)


def _along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """`np.apply_along_axis`."""
    moved = np.moveaxis(np.asarray(arr), axis, -1)
    front = moved.shape[:-1]
    rows = moved.reshape(math.prod(front), moved.shape[-1])
    if rows.shape[0] == 0:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    first = np.asarray(func1d(rows[0], *args, **kwargs))
    made = np.zeros((rows.shape[0], *first.shape), first.dtype)
    made[0] = first
    for place in range(1, rows.shape[0]):
        made[place] = func1d(rows[place], *args, **kwargs)
    whole = made.reshape((*front, *first.shape))
    if first.ndim == 0:
        return whole
    start = axis if axis >= 0 else axis + len(front) + 1
    inner = range(len(front), len(front) + first.ndim)
    return np.moveaxis(whole, tuple(inner), tuple(range(start, start + first.ndim)))


def _vectorize(infer: Infer, pyfunc: Value, **options: Value) -> Value:
    if options:
        raise infer.unsupported("np.vectorize with options", "np.vectorize(function)")
    return Bound(Static(_for_each), (pyfunc,))


def _ndindex(*shape: Any) -> Any:
    """`np.ndindex`."""
    extents = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple) else shape
    return itertools.product(*[range(n) for n in extents])


def _ndenumerate(arr: Any) -> Any:
    """`np.ndenumerate`."""
    return zip(_ndindex(arr.shape), arr.ravel())  # noqa: B905  (one place for each element)


def _fromiter(iter: Any, dtype: Any, count: Any = -1) -> Any:
    """`np.fromiter`, of numbers."""
    items = list(iter)
    if count >= 0:
        if len(items) < count:
            raise ValueError(f"iterator too short: Expected {count} but iterator had only {len(items)} items.")
        items = items[:count]
    return np.array(items, dtype)


def _program(program: Callable[..., Any]) -> Callable[..., Value]:
    def call(infer: Infer, *args: Value, **keywords: Value) -> Value:
        return abstract.call(infer, Static(program), args, keywords)

    return call


def _apply_along_axis(infer: Infer, *args: Value, **keywords: Value) -> Value:
    array = args[2] if len(args) > 2 else keywords.get("arr")
    if isinstance(array, Array) and array.is_tensor:  # what a program makes by NumPy's functions are ndarrays
        return call_library(infer, _ROWS_OF_TENSORS, args, keywords)
    return _program(_along_axis)(infer, *args, **keywords)


_ROWS_OF_TENSORS: Final = library("tensor")(places.apply_along_axis)

register_models(
    {
        np.vectorize: _vectorize,
        np.apply_along_axis: _apply_along_axis,
        np.ndindex: _program(_ndindex),
        np.fromiter: _program(_fromiter),
        np.ndenumerate: _program(_ndenumerate),
    }
)
