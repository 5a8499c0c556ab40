"""Slices of arrays whose step is known only at run time: the positions they mean, as an array of indices."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from jitcore.passes.infer.values import Array, Number, Slice, Static, Tuple, Value

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer


def positions(infer: Infer, x: Array, key: Value, *, written: bool) -> Value | None:
    """A key with the positions that a slice in it means; None if no step is a value of the run. What is read in this way is a copy: it is
    left to be refused where the array is written to, or where other items of the key would mean something else beside positions."""
    parts = key.items if isinstance(key, Tuple) else (key,)
    axes = [k for k, part in enumerate(parts) if isinstance(part, Slice) and _is_of_run(infer, part.step)]
    if len(axes) != 1 or (x.is_ref and not written) or not all(isinstance(part, Slice) for part in parts):
        return None
    (axis,) = axes
    made = _positions(infer, parts[axis], infer.extent(x.type.shape[axis])) if axis < x.type.rank else None
    if made is None or not isinstance(key, Tuple):
        return made
    return Tuple((*parts[:axis], made, *parts[axis + 1 :]))


def _is_of_run(infer: Infer, step: Value) -> bool:
    from jitcore.passes.infer import builtins_

    if isinstance(step, Array):
        return builtins_.has_index(step)
    return isinstance(step, Number) and not isinstance(step.dim, int)


def _positions(infer: Infer, key: Value, extent: Value) -> Value:
    from jitcore.passes.infer import builtins_, calls

    assert isinstance(key, Slice)
    ends = [
        end if isinstance(end, Static) and end.value is None else builtins_.to_index(infer, end)
        for end in (key.start, key.stop, key.step)
    ]
    return calls.call(infer, Static(_indices), [*ends, extent], {})


def _indices(start: Any, stop: Any, step: Any, extent: Any) -> Any:
    """The positions of a slice of so many elements, as `slice.indices` has them."""
    if step == 0:
        raise ValueError("slice step cannot be zero")
    low, high = (0, extent) if step > 0 else (-1, extent - 1)
    first, last = (low, high) if step > 0 else (high, low)
    if start is not None:
        first = min(max(start + extent if start < 0 else start, low), high)
    if stop is not None:
        last = min(max(stop + extent if stop < 0 else stop, low), high)
    return np.arange(first, last, step)
