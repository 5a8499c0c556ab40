"""Reductions, scans and orders along axes, as ONNX's."""

from __future__ import annotations

from typing import Final

from jitcore.exports.onnx import protobuf
from jitcore.exports.onnx.elementwise import chosen, computing_dtype
from jitcore.exports.onnx.shapes import counted, expanded, padded
from jitcore.exports.onnx.writing import Converter, Converters, Writer, info, operand
from jitcore.ir.nodes import Binding
from jitcore.types import DType, TensorType, bool_, i32, i64

CONVERTERS: Final = Converters()


def _reduced(op: str) -> Converter:
    """A reduction of numbers."""

    def convert(w: Writer, b: Binding, x: str) -> str:
        axis, keepdims = b.params["axis"], b.params["keepdims"]
        have = operand(b).dtype
        if not axis:
            return x
        wraps = have.kind == "u" and op in ("ReduceSum", "ReduceProd")  # which runtimes have of signed integers alone
        wide = i64 if wraps else computing_dtype(have)
        return w.cast(w.emit(op, w.cast(x, have, wide), w.ints(*axis), keepdims=int(keepdims)), wide, have)

    return convert


def _counted(x_is: bool) -> Converter:
    """Whether any element is true, or (not `x_is`) all are: by how many are, or are not."""

    def convert(w: Writer, b: Binding, x: str) -> str:
        axis, keepdims = b.params["axis"], b.params["keepdims"]
        if not axis:
            return x
        found = w.cast(x if x_is else w.emit("Not", x), bool_, i32)
        count = w.emit("ReduceSum", found, w.ints(*axis), keepdims=int(keepdims))
        return w.emit("Greater" if x_is else "Equal", count, w.constant(0, i32))

    return convert


def _extreme(op: str, of_bools: Converter) -> Converter:
    numbers = _reduced(op)
    return lambda w, b, x: (of_bools if operand(b).dtype is bool_ else numbers)(w, b, x)


CONVERTERS["reduce_sum"] = _reduced("ReduceSum")
CONVERTERS["reduce_prod"] = _reduced("ReduceProd")
CONVERTERS["reduce_any"] = _counted(x_is=True)
CONVERTERS["reduce_all"] = _counted(x_is=False)
CONVERTERS["reduce_max"] = _extreme("ReduceMax", CONVERTERS["reduce_any"])
CONVERTERS["reduce_min"] = _extreme("ReduceMin", CONVERTERS["reduce_all"])


@CONVERTERS.of("squared_deviations")
def _squared_deviations(w: Writer, b: Binding, x: str) -> str:
    axes = w.ints(*b.params["axis"])
    return w.emit("ReduceSumSquare", w.emit("Sub", x, w.emit("ReduceMean", x, axes, keepdims=1)), axes,
                  keepdims=int(b.params["keepdims"]))  # fmt: skip


def _ordering_dtype(dtype: DType) -> DType:
    """The dtype in which elements are put in order."""
    return i32 if dtype is bool_ else computing_dtype(dtype)


def sorted_by(w: Writer, x: str, count: str, axis: int, descending: bool) -> tuple[str, str]:
    """The first elements along an axis in order, and their places; equal ones are as they were."""
    values, places = w.emit_many("TopK", (x, count), ("sorted", "places"), {"axis": axis, "largest": int(descending)})
    return values, places


def _place_of(largest: bool) -> Converter:
    """The place of the first extreme: that of one element in order, for which runtimes have all integers."""

    def convert(w: Writer, b: Binding, x: str) -> str:
        axis, keepdims = b.params["axis"], b.params["keepdims"]
        have = operand(b).dtype
        x = w.cast(x, have, _ordering_dtype(have))
        if have.is_float:
            return w.emit("ArgMax" if largest else "ArgMin", x, axis=axis, keepdims=int(keepdims))
        places = sorted_by(w, x, w.ints(1), axis, largest)[1]
        return places if keepdims else w.emit("Squeeze", places, w.ints(axis))

    return convert


CONVERTERS["argmax"] = _place_of(largest=True)
CONVERTERS["argmin"] = _place_of(largest=False)


@CONVERTERS.of("cumsum")
def _cumsum(w: Writer, b: Binding, x: str) -> str:
    have = operand(b).dtype
    wide = computing_dtype(have)
    axis, reverse = w.constant(b.params["axis"], i32), int(b.params.get("reverse", False))
    return w.cast(w.emit("CumSum", w.cast(x, have, wide), axis, reverse=reverse), wide, have)


@CONVERTERS.of("linear_recurrence")
def _linear_recurrence(w: Writer, b: Binding, a: str, x: str) -> str:
    """A `Scan` of a[i] * s + x[i], of which the first is x[0]; with a zero before, as runtimes scan nothing that is
    empty."""
    have = operand(b, 1)
    wide = computing_dtype(have.dtype)
    axis, reverse = b.params["axis"], bool(b.params.get("reverse", False))
    one = tuple(int(k == axis) for k in range(have.rank))
    none = (0,) * have.rank
    low, high = (none, one) if reverse else (one, none)
    factors, terms = (padded(w, w.cast(v, have.dtype, wide), low, high, have.shape) for v in (a, x))
    count = have.shape[axis]
    is_first = w.emit("Equal", counted(w, count + 1), w.number(count - 1 if reverse else 1))
    extents = tuple(n for k, n in enumerate(have.shape) if k != axis)
    before = expanded(w, w.constant(0, wide), wide, extents)
    how: dict[str, protobuf.Attribute] = {
        "body": _recurring(w, TensorType(wide, extents)),
        "num_scan_inputs": 3,
        "scan_input_axes": [axis, axis, 0],
        "scan_input_directions": [int(reverse)] * 3,
        "scan_output_axes": [axis],
        "scan_output_directions": [int(reverse)],
    }
    made = w.emit_many("Scan", (before, factors, terms, is_first), ("last", "scanned"), how)[1]
    lower, higher = (tuple(-n for n in ends) for ends in (low, high))
    whole = tuple(n + k for n, k in zip(have.shape, one, strict=True))
    return w.cast(padded(w, made, lower, higher, whole), wide, have.dtype)


def _recurring(w: Writer, row: TensorType) -> protobuf.Graph:
    """A step: the state that follows, which is a result, too."""
    inner = Writer(w)
    state, factor, term, first = (inner.names.fresh(name) for name in ("state", "factor", "term", "first"))
    product = chosen(inner, row.dtype, first, inner.constant(0, row.dtype), inner.emit("Mul", factor, state))
    total = inner.emit("Add", product, term)
    inputs = [info(state, row), info(factor, row), info(term, row), info(first, TensorType(bool_, ()))]
    return protobuf.graph("step", inner.nodes, inputs, [info(name, row) for name in (total, inner.own(total))])


def _in_order(w: Writer, b: Binding, x: str, descending: bool) -> tuple[str, str]:
    """The elements along an axis in order, equal ones as they were, and their places."""
    axis = b.params["axis"]
    have = operand(b).dtype
    wide = _ordering_dtype(have)
    count = w.extent(operand(b).shape[axis])
    values, places = sorted_by(w, w.cast(x, have, wide), count, axis, descending)
    return w.cast(values, wide, have), places


@CONVERTERS.of("argsort")
def _argsort(w: Writer, b: Binding, x: str) -> str:
    return _in_order(w, b, x, bool(b.params.get("descending", False)))[1]


@CONVERTERS.of("ordered")
def _ordered(w: Writer, b: Binding, x: str) -> str:
    return _in_order(w, b, x, descending=False)[0]
