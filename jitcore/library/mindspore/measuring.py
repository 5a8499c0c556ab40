"""More operators of numbers: statistics, norms, distances, embeddings."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.array import indexing, shapes
from jitcore.library.array.sorting import order_of
from jitcore.library.core.declarations import operator
from jitcore.library.core.index_modes import require_elements_for
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, normal_axis, rank_of, shape_of, static_int
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import multiply, true_divide
from jitcore.library.mindspore.reducing import logcumsumexp
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import ordering
from jitcore.primitives.ops import shape as s
from jitcore.types import f64, i64

# --- statistics ---------------------------------------------------------------------------------------


@operator("cov .cov")
def cov(input: Any, *, correction: Any = 1, fweights: Any = None, aweights: Any = None) -> Any:
    """The covariance matrix of variables, one a row."""
    if fweights is not None or aweights is not None:
        raise ValueError("For 'cov', weights are not supported.")
    a = as_float(input)
    a = s.expand_dims(a, axis=(0,)) if rank_of(a) < 2 else a
    centred = e.sub(a, reductions.mean(a, 1, keepdims=True))
    product = products.matmul(centred, shapes.transpose(centred))
    made = reductions.divide_by_count(product, shape_of(a)[1] + -static_int(correction, "correction"))
    return s.reshape(made, shape=()) if rank_of(as_array(input)) < 2 else made


@operator("corrcoef .corrcoef")
def corrcoef(input: Any) -> Any:
    """The correlation coefficients of variables, one a row."""
    c = cov(input)
    if not rank_of(c):
        return true_divide(c, c)
    spread = elementwise.sqrt(shapes.diagonal(c))
    return true_divide(true_divide(c, s.expand_dims(spread, axis=(1,))), s.expand_dims(spread, axis=(0,)))


@operator("kthvalue")
def kthvalue(input: Any, k: Any, dim: Any = -1, keepdim: Any = False) -> Any:
    """(the k-th smallest element along an axis, its place)."""
    a = as_array(input)
    axis = normal_axis(dim, rank_of(a))
    message = f"For 'kthvalue', k is from 1 to the number of elements along the axis, not {static_int(k, 'k')}."
    place = shapes.slice_within(order_of(a, axis), axis, static_int(k, "k") - 1, 1, message)
    value = ix.gather_along(a, place, axis=axis)
    if evaluator().static(keepdim, "keepdim"):
        return value, place
    return s.squeeze(value, axis=(axis,)), s.squeeze(place, axis=(axis,))


def each_share(q: Any, share: Callable[[Any], Any]) -> Any:
    """A function of a share for one, or for each of several, whose results are rows."""
    shares = as_array(as_array(q), f64)
    if rank_of(shares) > 1:
        raise ValueError("For 'quantile', q is a number or has one dimension.")
    if isinstance(q, float) and not 0 <= q <= 1:
        raise ValueError(f"For 'quantile', q is between 0 and 1, not {q}.")
    if not rank_of(shares):
        return share(shares)
    count = static_int(evaluator().number(shape_of(shares)[0]), "the number of quantiles")
    return shapes.stack([share(shapes.take_index(shares, 0, k)) for k in range(count)], 0)


def ranked(ordered: Any, last: Any, k: int, share: Any) -> Any:
    """The element a share of the way from the first to the one numbered `last` (int64, axis k of 1) of an axis in
    order."""
    one = tuple(1 if axis == k else n for axis, n in enumerate(shape_of(ordered)))
    require_elements_for(one, shape_of(ordered), "a quantile of no elements")
    place = e.mul(e.cast(last, dtype=f64), share)
    low = e.cast(e.floor(place), dtype=i64)
    rest = e.cast(e.sub(place, e.floor(place)), dtype=dtype_of_value(ordered))
    below, above = (ix.gather_along(ordered, p, axis=k) for p in (low, e.minimum(e.add(low, 1), last)))
    return e.add(below, e.mul(e.sub(above, below), rest))


def reduced_shape(made: Any, k: int, rank: int, whole: bool, keepdims: Any) -> Any:
    """A result without its axis k, or with `keepdims` with axes of 1 for all that were reduced."""
    if not evaluator().static(keepdims, "keepdims"):
        return s.squeeze(made, axis=(k,))
    return s.reshape(made, shape=(1,) * rank) if whole else made


@operator("quantile .quantile")
def quantile(input: Any, q: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The elements at shares q of the way through an axis in order, interpolated linearly."""
    a = as_float(input)
    rank = rank_of(a)
    if axis is None:
        a = shapes.ravel(a)
    k = 0 if axis is None else normal_axis(axis, rank)
    ordered = ix.gather_along(a, ordering.argsort(a, axis=k), axis=k)
    missing = reductions.any(e.isnan(a), k, True)
    count = as_array(evaluator().number(shape_of(a)[k] + -1), i64)
    last = e.add(e.mul(e.cast(missing, dtype=i64), 0), count)

    def share(one: Any) -> Any:
        made = e.select(missing, float("nan"), ranked(ordered, last, k, one))
        return reduced_shape(made, k, rank, axis is None, keepdims)

    return each_share(q, share)


@operator("EuclideanNorm")
def euclidean_norm(x: Any, axes: Any, *, keep_dims: Any = False) -> Any:
    """The square root of the sum of squares over axes."""
    return reductions.norm(x, axes, keep_dims)


@operator("SquareSumAll")
def square_sum_all(x: Any, y: Any) -> Any:
    """(the sum of the squares of x, that of y)."""
    return reductions.sum(elementwise.square(x)), reductions.sum(elementwise.square(y))


@operator("CumulativeLogsumexp")
def cumulative_logsumexp(x: Any, axis: Any, *, exclusive: Any = False, reverse: Any = False) -> Any:
    """log of the running sum of exp(x), from the end if `reverse`."""
    a = as_float(x)
    k = normal_axis(axis, rank_of(a))
    turned = shapes.flip(a, k) if reverse else a
    made = logcumsumexp(turned, k)
    if exclusive:  # of nothing, what MindSpore gives: the lowest number
        lowest = float(np.finfo(dtype_of_value(a).numpy.name).min)
        first = e.add(e.mul(shapes.slice_axis(turned, k, 0, 1), 0), lowest)
        made = shapes.concatenate((first, shapes.slice_axis(made, k, 0, shape_of(made)[k] + -1)), k)
    return shapes.flip(made, k) if reverse else made


# --- norms, distances, losses ---------------------------------------------------------------------------


@operator("pdist")
def pdist(input: Any, p: Any = 2.0) -> Any:
    """The p-norms of the differences of all pairs of rows."""
    a = as_float(input)
    n = static_int(evaluator().number(shape_of(a)[0]), "the number of rows")
    first, second = (evaluator().constant(v, i64) for v in np.triu_indices(n, 1))
    return reductions.norm_of_order(e.sub(indexing.take(a, first, 0), indexing.take(a, second, 0)), p, -1)


@operator("vecdot")
def vecdot(x: Any, y: Any, *, axis: Any = -1) -> Any:
    """The sums of products along an axis."""
    return reductions.sum(multiply(elementwise.conjugate(x), y), axis)
