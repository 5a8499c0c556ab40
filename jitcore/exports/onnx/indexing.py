"""Gathering and scattering by arrays of indices, as ONNX's.

That indices are in range is not checked: of one that is not, a model's result is what the runtime makes of it. Where an
index comes twice in what is set, which of the values stays is the runtime's choice, too.
"""

from __future__ import annotations

from typing import Final

from jitcore.exports.onnx.elementwise import computing_dtype
from jitcore.exports.onnx.shapes import transposed
from jitcore.exports.onnx.writing import Converter, Converters, Writer, operand
from jitcore.ir.nodes import Binding
from jitcore.types import DType, bool_, i32, i64

CONVERTERS: Final = Converters()


@CONVERTERS.of("gather")
def _gather(w: Writer, b: Binding, x: str, indices: str) -> str:
    return w.emit("Gather", x, indices, axis=b.params["axis"])


@CONVERTERS.of("gather_along")
def _gather_along(w: Writer, b: Binding, x: str, indices: str) -> str:
    return w.emit("GatherElements", x, indices, axis=b.params["axis"])


@CONVERTERS.of("check_indices", "check_index")
def _check_indices(w: Writer, b: Binding, indices: str) -> str:
    return _from_0(w, indices, w.number(b.params["extent"]))


@CONVERTERS.of("check_position")
def _check_position(w: Writer, b: Binding, index: str, length: str) -> str:
    return _from_0(w, index, length)


def _from_0(w: Writer, indices: str, extent: str) -> str:
    """Indices counted from 0, of which any may be counted from the end."""
    negative = w.emit("Less", indices, w.constant(0, i64))
    return w.emit("Where", negative, w.emit("Add", indices, extent), indices)


def _summing_dtype(dtype: DType) -> DType:
    return i32 if dtype is bool_ else computing_dtype(dtype)


def _scattered(reduction: str) -> Converter:
    """Updates of the shape that `gather` gives put at indices along an axis, which is the first meanwhile."""

    def convert(w: Writer, b: Binding, x: str, indices: str, updates: str) -> str:
        have, axis, rank = operand(b), b.params["axis"], operand(b, 1).rank
        wide = _summing_dtype(have.dtype)
        before, after = range(axis), range(axis + rank, have.rank - 1 + rank)
        order = (axis, *(k for k in range(have.rank) if k != axis))
        rows = transposed(w, w.cast(x, have.dtype, wide), order)
        new = transposed(w, w.cast(updates, have.dtype, wide), (*range(axis, axis + rank), *before, *after))
        where = w.emit("Unsqueeze", indices, w.ints(rank))
        made = w.emit("ScatterND", rows, where, new, reduction=reduction)
        return w.cast(transposed(w, made, [order.index(k) for k in range(have.rank)]), wide, have.dtype)

    return convert


CONVERTERS["scatter_add"] = _scattered("add")
CONVERTERS["scatter_set"] = _scattered("none")


@CONVERTERS.of("scatter_add_along")
def _scatter_add_along(w: Writer, b: Binding, x: str, indices: str, updates: str) -> str:
    have = operand(b).dtype
    wide = _summing_dtype(have)
    new, axis = w.cast(updates, have, wide), b.params["axis"]
    made = w.emit("ScatterElements", w.cast(x, have, wide), indices, new, axis=axis, reduction="add")
    return w.cast(made, wide, have)


@CONVERTERS.of("true_places")
def _true_places(w: Writer, b: Binding, mask: str) -> str:
    return w.emit("Squeeze", w.emit("NonZero", mask), w.ints(0))
