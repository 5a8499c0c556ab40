"""Scattering that combines: updates multiplied into, divided out of, or compared with what is at their places, one
after another."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.kernel.build import Template, as_index
from jitcore.primitives.core.registry import KernelTemplate, Sample, Vjp, declare
from jitcore.primitives.core.rules import array, common_dtype, require_dtype, require_kind, tensor_type
from jitcore.primitives.core.sampling import integers, mixed, spread
from jitcore.primitives.ops import elementwise as ew
from jitcore.primitives.ops.indexing import gather, scatter_add
from jitcore.types import Type, f32, i64, u8

_REFERENCES: Final[dict[str, Any]] = {"mul": np.multiply, "div": np.divide, "max": np.maximum, "min": np.minimum}


def _rule(x: Type, indices: Type, updates: Type, *, op: str) -> Type:
    type_, index, new = array(x), array(indices, "index array"), array(updates, "updates")
    require_dtype(index, i64, "index array")
    require_kind(common_dtype((type_, new), "scatter_combine"), "f" if op == "div" else "iuf", f"scatter_{op}")
    if type_.rank == 0 or index.rank != 1 or new.rank != type_.rank:
        raise ValueError("scatter_combine: one index for every row of the updates, which has the shape of a row of x")
    return type_


def _reference(x: Any, indices: Any, updates: Any, *, op: str) -> Any:
    out = np.array(x)
    with np.errstate(all="ignore"):
        _REFERENCES[op].at(out, indices, updates)
    return out


def _kernel(t: Template, x: str, indices: str, updates: str, *, op: str) -> None:
    out = t.outs[0]
    k = t.kernel(x, out)
    point = k.axes(t.layouts[x].shape)
    k.store(out, point, k.load(x, point))
    k = t.kernel(indices, updates, out)
    layout = t.layouts[updates]
    rows = k.axis(layout.shape[0], serial=True)
    inner = k.axes(layout.shape[1:])
    place = (as_index(k.load(indices, (rows,))), *inner)
    k.store(out, place, k(op, layout.dtype, k.load(out, place), k.load(updates, (rows, *inner))))


# The gradient of an extreme is shared equally by those that attain it.
def _attained(x: Any, indices: Any, updates: Any, out: Any) -> tuple[Any, Any, Any]:
    """Where x and where the updates are what came out, and how many they are at each place."""
    by_x = ew.equal(x, out)
    by_updates = ew.equal(updates, gather(out, indices, axis=0))
    dtype = tensor_type(x).dtype
    count = scatter_add(ew.cast(by_x, dtype=dtype), indices, ew.cast(by_updates, dtype=dtype), axis=0)
    return by_x, by_updates, count


def _vjp(cts: Sequence[Any], outs: Sequence[Any], x: Any, indices: Any, updates: Any, *, op: str) -> Sequence[Any]:
    (ct,), (out,) = cts, outs
    if op in ("max", "min"):
        by_x, by_updates, count = _attained(x, indices, updates, out)
        share = ew.div(ct, count)
        return ew.select(by_x, share, 0), None, ew.select(by_updates, gather(share, indices, axis=0), 0)
    grad = gather(ew.mul(ct, out), indices, axis=0)
    by_updates = ew.div(grad if op == "mul" else ew.neg(grad), updates)
    return scatter_combine(ct, indices, updates, op=op), None, by_updates


def _jvp(tangents: Sequence[Any], outs: Sequence[Any], x: Any, indices: Any, updates: Any, *, op: str) -> Sequence[Any]:
    by_x, _, by_updates = tangents
    if op in ("max", "min"):
        from_x, from_updates, count = _attained(x, indices, updates, outs[0])
        total = scatter_add(ew.select(from_x, by_x, 0), indices, ew.select(from_updates, by_updates, 0), axis=0)
        return (ew.div(total, count),)
    changed = ew.div(ew.mul(gather(outs[0], indices, axis=0), by_updates), updates)
    carried = scatter_combine(by_x, indices, updates, op=op)
    return (scatter_add(carried, indices, changed if op == "mul" else ew.neg(changed), axis=0),)


def _samples() -> Iterable[Sample]:
    for op in ("mul", "div", "max", "min"):
        yield Sample((mixed((4, 3), 1), integers([2, 0, 2]), mixed((3, 3), 2)), {"op": op})
        yield Sample((mixed((4,), 1, f32), integers([1, 1, 0]), mixed((3,), 2, f32)), {"op": op})
    yield Sample((mixed((3,), 1, i64), integers([0, 0]), mixed((2,), 2, i64)), {"op": "mul"})
    yield Sample((mixed((3,), 1, u8), integers([]), mixed((0,), 2, u8)), {"op": "max"})
    yield Sample((spread((3, 0)), integers([1]), spread((1, 0))), {"op": "min"})


scatter_combine = declare(
    "scatter_combine",
    "x indices updates",
    rule=_rule,
    reference=_reference,
    lowering=KernelTemplate(_kernel),
    derivative=Vjp(_vjp, _jvp),
    samples=_samples,
    doc="x with the rows of `updates` combined by `op` (mul, div, max or min) into the rows at `indices`, in order.",
)
