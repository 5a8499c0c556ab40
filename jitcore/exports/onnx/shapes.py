"""What has the same elements under other extents, and new arrays of them, as ONNX's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

from jitcore.exports.onnx.elementwise import computing_dtype
from jitcore.exports.onnx.writing import INT64_MIN, Converters, Writer, operand, result
from jitcore.ir.nodes import Binding
from jitcore.primitives.ops.views import Spec
from jitcore.types import Dim, DType, Shape, dim_max, i32, i64

CONVERTERS: Final = Converters()


@CONVERTERS.of("transpose")
def _transpose(w: Writer, b: Binding, x: str) -> str:
    return transposed(w, x, b.params["permutation"])


def transposed(w: Writer, x: str, permutation: Sequence[int]) -> str:
    """The axes in another order."""
    return x if list(permutation) == sorted(permutation) else w.emit("Transpose", x, perm=list(permutation))


@CONVERTERS.of("reshape")
def _reshape(w: Writer, b: Binding, x: str) -> str:
    return reshaped(w, x, b.params["shape"])


def reshaped(w: Writer, x: str, shape: Shape) -> str:
    """The elements under other extents, of which 0 means none."""
    return w.emit("Reshape", x, w.shape(shape), allowzero=1)


@CONVERTERS.of("broadcast_to", "full")
def _broadcast_to(w: Writer, b: Binding, x: str) -> str:
    have = operand(b).dtype
    return expanded(w, x, have, b.params["shape"])


def expanded(w: Writer, x: str, have: DType, shape: Shape) -> str:
    """An array repeated along new axes and axes of extent 1."""
    wide = computing_dtype(have)
    return w.cast(w.emit("Expand", w.cast(x, have, wide), w.shape(shape)), wide, have)


@CONVERTERS.of("expand_dims")
def _expand_dims(w: Writer, b: Binding, x: str) -> str:
    return w.emit("Unsqueeze", x, w.ints(*b.params["axis"])) if b.params["axis"] else x


@CONVERTERS.of("squeeze")
def _squeeze(w: Writer, b: Binding, x: str) -> str:
    return w.emit("Squeeze", x, w.ints(*b.params["axis"])) if b.params["axis"] else x


@CONVERTERS.of("iota")
def _iota(w: Writer, b: Binding) -> str:
    return w.cast(counted(w, b.params["length"]), i64, b.params["dtype"])


def counted(w: Writer, length: Dim) -> str:
    """0, 1, 2, … length - 1."""
    return w.emit("Range", w.constant(0, i64), w.number(length), w.constant(1, i64))


@CONVERTERS.of("extent")
def _extent(w: Writer, b: Binding) -> str:
    return w.number(b.params["dim"])


@CONVERTERS.of("concatenate")
def _concatenate(w: Writer, b: Binding, *xs: str) -> str:
    return w.emit("Concat", *xs, axis=b.params["axis"])


# --- padding ------------------------------------------------------------------------------------------


@CONVERTERS.of("pad")
def _pad(w: Writer, b: Binding, x: str, value: str) -> str:
    have = operand(b)
    wide = computing_dtype(have.dtype)
    x, value = w.cast(x, have.dtype, wide), w.cast(value, have.dtype, wide)
    low, high, interior = b.params["low"], b.params["high"], b.params["interior"]
    extents = list(have.shape)
    for axis, gap in enumerate(interior):
        if gap:
            x, extents[axis] = _spread_out(w, x, value, tuple(extents), axis, gap)
    return w.cast(padded(w, x, low, high, tuple(extents), value), wide, have.dtype)


def padded(w: Writer, x: str, low: Shape, high: Shape, extents: Shape, value: str | None = None) -> str:
    """`low` and `high` elements put around every axis, or taken off where they are negative."""
    added = [dim_max(n, 0) for n in (*low, *high)]
    if any(n != 0 for n in added):
        x = w.emit("Pad", x, w.shape(tuple(added)), *([] if value is None else [value]))
    cut = [k for k, (a, b) in enumerate(zip(low, high, strict=True)) if not (_is_natural(a) and _is_natural(b))]
    if not cut:
        return x
    starts = tuple(dim_max(low[k] * -1, 0) for k in cut)
    sizes = tuple(low[k] + extents[k] + high[k] for k in cut)
    ends = tuple(start + size for start, size in zip(starts, sizes, strict=True))
    return w.emit("Slice", x, w.shape(starts), w.shape(ends), w.ints(*cut))


def _is_natural(n: Dim) -> bool:
    return isinstance(n, int) and n >= 0


def _spread_out(w: Writer, x: str, value: str, extents: Shape, axis: int, gap: int) -> tuple[str, Dim]:
    """An array with `gap` elements between neighbours along an axis, and its extent: each is put before as many, and
    those after the last are taken off."""
    after = [0] * (len(extents) + 1)
    after[axis + 1] = gap
    pairs = w.emit("Unsqueeze", x, w.ints(axis + 1))
    rows = w.emit("Pad", pairs, w.ints(*([0] * len(after)), *after), value)
    whole = extents[axis] * (gap + 1)
    size = dim_max(whole - gap, 0)
    flat = reshaped(w, rows, (*extents[:axis], whole, *extents[axis + 1 :]))
    return w.emit("Slice", flat, w.ints(0), w.extent(size), w.ints(axis)), size


# --- views --------------------------------------------------------------------------------------------


@CONVERTERS.of("view_index")
def _view_index(w: Writer, b: Binding, x: str, *values: str) -> str:
    return viewed(w, x, operand(b).shape, values, b.params["spec"])


def viewed(w: Writer, x: str, extents: Shape, values: Sequence[str], spec: Spec) -> str:
    """A view by basic indexing (`primitives.ops.views` says what a spec is): slices first, then what goes away, then
    new axes."""
    entries = [entry for entry in spec if entry[0] != "n"]
    slices = [
        (axis, *entry[1:])
        for axis, entry in enumerate(entries)
        if entry[0] == "s" and not (entry[1:3] == (0, 1) and entry[3] == extents[axis])
    ]
    if slices:
        x = _sliced(w, x, slices, values)
    for axis in reversed(range(len(entries))):
        if entries[axis][0] == "i":
            x = w.emit("Gather", x, values[int(entries[axis][1])], axis=axis)
    kept = [entry[0] for entry in spec if entry[0] != "i"]
    new = [k for k, kind in enumerate(kept) if kind == "n"]
    return w.emit("Unsqueeze", x, w.ints(*new)) if new else x


def _sliced(w: Writer, x: str, slices: Sequence[tuple[Any, ...]], values: Sequence[str]) -> str:
    starts: list[str] = []
    ends: list[str] = []
    for _, start, step, length in slices:
        if isinstance(start, tuple):
            (_, k) = cast("tuple[str, int]", start)
            first = w.emit("Reshape", values[k], w.ints(1))
            end = w.emit("Add", first, w.extent(length * step))
        else:
            first, end = w.extent(start), w.extent(start + length * step)
        if step < 0:  # an end before the first element is not one counted from the last
            end = w.emit("Where", w.emit("Less", end, w.ints(0)), w.ints(INT64_MIN), end)
        starts.append(first)
        ends.append(end)
    axes, steps = w.ints(*(s[0] for s in slices)), w.ints(*(s[2] for s in slices))
    return w.emit("Slice", x, w.joined(starts), w.joined(ends), axes, steps)


def places(w: Writer, shape: Shape) -> str:
    """An array of the places of its own elements in order."""
    size: Dim = 1
    for extent in shape:
        size = size * extent
    return reshaped(w, counted(w, size), shape)


def with_row(w: Writer, x: str, dtype: DType, index: str, row: str) -> str:
    """An array with another row."""
    wide = _writing_dtype(dtype)
    new = w.emit("Unsqueeze", w.cast(row, dtype, wide), w.ints(0))
    made = w.emit("ScatterND", w.cast(x, dtype, wide), w.emit("Reshape", index, w.ints(1, 1)), new)
    return w.cast(made, wide, dtype)


def _writing_dtype(dtype: DType) -> DType:
    return i32 if dtype.kind == "b" else computing_dtype(dtype)


def written(w: Writer, x: str, dtype: DType, where: str, update: str, shape: Shape, reduction: str = "none") -> str:
    """An array with elements written at places, which are of its elements in order."""
    wide = _writing_dtype(dtype)
    flat, line = w.cast(x, dtype, wide), w.ints(-1)
    new = w.emit("Reshape", w.cast(update, dtype, wide), line)
    old = w.emit("Reshape", flat, line)
    made = w.emit("ScatterElements", old, w.emit("Reshape", where, line), new, axis=0, reduction=reduction)
    return w.cast(reshaped(w, made, shape), wide, dtype)


@CONVERTERS.of("embed")
def _embed(w: Writer, b: Binding, x: str, *values: str) -> str:
    shape, dtype = b.params["shape"], operand(b).dtype
    nothing = expanded(w, w.constant(0, dtype), dtype, shape)
    return written(w, nothing, dtype, viewed(w, places(w, shape), shape, values, b.params["spec"]), x, shape)


@CONVERTERS.of("diagonal")
def _diagonal(w: Writer, b: Binding, x: str) -> str:
    extents, how = operand(b).shape, b.params
    offset, first, second = how.get("offset", 0), how.get("axis1", 0), how.get("axis2", 1)
    rest = [k for k in range(len(extents)) if k not in (first, second)]
    rows = transposed(w, x, (first, second, *rest))
    length = result(b).shape[-1]
    along = counted(w, length)
    row = w.emit("Add", along, w.constant(max(-offset, 0), i64))
    column = w.emit("Add", along, w.constant(max(offset, 0), i64))
    where = w.emit("Concat", *(w.emit("Unsqueeze", k, w.ints(1)) for k in (row, column)), axis=1)
    made = w.emit("GatherND", rows, where)
    return transposed(w, made, (*range(1, len(rest) + 1), 0))
