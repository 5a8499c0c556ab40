"""Histograms and counts."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation, sequences, shapes
from jitcore.library.array.scatter import scattered_nd
from jitcore.library.core import index_modes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, is_array, promote, shape_of, static_int
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, bool_, f64, i32, i64


def _counts(places: Any, kept: Any, bins: Dim, weights: Any = None) -> Any:
    """How many of the places are each number below `bins`, or the sums of their weights."""
    ones = e.cast(kept, dtype=i64) if weights is None else e.select(kept, weights, 0)
    zeros = joining.full(as_array(0, dtype_of_value(ones)), shape=(bins,))
    return ix.scatter_add(zeros, e.select(kept, places, 0), ones, axis=0)


def _histogram(x: Any, bins: Any, low: Any, high: Any) -> Any:
    """How many elements are in each of the intervals between two bounds, as many of the same length as said."""
    count = static_int(bins, "bins")
    a = shapes.ravel(as_array(as_array(x), f64))
    first, last = (float(evaluator().static(v, "a bound")) for v in (low, high))
    if first > last:
        raise ValueError(f"the lower bound {first} is larger than the upper bound {last}")
    if first == last == 0:
        start, stop = (f(a, axis=(0,), keepdims=False) for f in (r.reduce_min, r.reduce_max))
    else:
        start, stop = as_array(first, f64), as_array(last, f64)
    same = e.equal(start, stop)
    start, stop = e.select(same, e.sub(start, 1), start), e.select(same, e.add(stop, 1), stop)
    kept = e.bitwise_and(e.greater_equal(a, start), e.less_equal(a, stop))
    share = e.floor(e.mul(e.div(e.sub(e.select(kept, a, start), start), e.sub(stop, start)), float(count)))
    return _counts(e.minimum(e.cast(share, dtype=i64), count - 1), kept, count)


@operator("histc .histc")
def histc(input: Any, bins: Any = 100, min: Any = 0.0, max: Any = 0.0) -> Any:
    """How many elements are in each of `bins` intervals from `min` to `max` (of the input if both are 0)."""
    return e.cast(_histogram(input, bins, min, max), dtype=dtype_of_value(input))


@operator("Histogram")
def histogram_set_up(x: Any, *, bins: Any = 100, min: Any = 0.0, max: Any = 0.0) -> Any:
    """How many elements are in each of `bins` intervals from `min` to `max` (of the input if both are 0)."""
    return e.cast(_histogram(x, bins, min, max), dtype=i32)


@operator("HistogramFixedWidth")
def histogram_fixed_width(x: Any, range: Any, *, nbins: Any, dtype: Any = "int32") -> Any:
    """How many elements are in each of `nbins` intervals of a range; those outside count in the first and last."""
    a, bounds = shapes.ravel(as_array(as_array(x), f64)), as_array(as_array(range), f64)
    low, high = (shapes.take_index(bounds, 0, k) for k in (0, 1))
    count = static_int(nbins, "nbins")
    share = e.floor(e.div(e.mul(e.sub(a, low), float(count)), e.sub(high, low)))
    places = e.cast(e.minimum(e.maximum(share, 0), count - 1), dtype=i64)
    return elementwise.astype(_counts(places, e.cast(e.add(e.mul(places, 0), 1), dtype=bool_), count), dtype)


@operator("confusion_matrix")
def confusion_matrix(labels: Any, pred: Any, num_classes: Any, weights: Any = None, dtype: Any = "int32") -> Any:
    """How often each label was taken for each."""
    a, b = as_array(as_array(labels), i64), as_array(as_array(pred), i64)
    n = static_int(num_classes, "num_classes")
    scale = e.add(e.mul(a, 0), 1) if weights is None else as_array(weights)
    zeros = joining.full(as_array(0, dtype_of_value(scale)), shape=(n * n,))
    made = ix.scatter_add(
        zeros, e.add(e.mul(index_modes.checked(a, n, 0), n), index_modes.checked(b, n, 1)), scale, axis=0
    )
    return elementwise.astype(s.reshape(made, shape=(n, n)), dtype)


@operator("ConfusionMatrix")
def confusion_matrix_set_up(
    labels: Any, predictions: Any, weights: Any = None, *, num_classes: Any, dtype: Any = i32
) -> Any:
    """How often each label was taken for each class."""
    count = static_int(num_classes, "num_classes")
    places = shapes.stack((as_array(labels), as_array(predictions)), 1)
    made = creation.zeros((count, count), dtype)
    ones = creation.ones_like(as_array(labels)) if weights is None else weights
    return scattered_nd(made, places, elementwise.astype(ones, dtype), "add")


@operator("EqualCount")
def equal_count(x: Any, y: Any) -> Any:
    """How many elements are equal, in a Tensor of one element."""
    a, b = promote("sub", x, y)
    total = reductions.sum(e.cast(e.equal(a, b), dtype=i64))
    return e.cast(s.reshape(total, shape=(1,)), dtype=dtype_of_value(a))


@operator("bincount .bincount")
def bincount(input: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each number comes, up to the largest; or the sums of the weights."""
    return sequences.bincount(input, weights, minlength)


@operator("Bincount")
def bincount_set_up(array: Any, size: Any, weights: Any) -> Any:
    """The sums of the weights of each number below a size."""
    places, scale = shapes.ravel(as_array(as_array(array), i64)), shapes.ravel(as_array(weights))
    count = evaluator().dim(elementwise.number(size) if is_array(size) else size)
    kept = e.less(places, as_array(evaluator().number(count), i64))
    if not isinstance(shape_of(scale)[0], int) or shape_of(scale)[0]:
        return _counts(places, kept, count, scale)
    return e.cast(_counts(places, kept, count), dtype=dtype_of_value(scale))


@operator("bincount_ext")
def bincount_ext(input: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each int comes, or the sums of the weights of each."""
    made = bincount(input, weights, minlength)
    return e.cast(made, dtype=i64 if weights is None else dtype_of_value(as_array(weights)))
