"""NumPy's functions of elements in order: quantiles and medians, with and without NaN, partitions, and the places of
extremes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.library.array import sequences, shapes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    is_number,
    normal_axes,
    normal_axis,
    rank_of,
    shape_of,
    static_flag,
    static_int,
)
from jitcore.library.math import comparisons, elementwise
from jitcore.library.math.elementwise import add, multiply, subtract
from jitcore.library.signal import spectra
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, joining, python_ints
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.numpy_ufuncs import partition_places
from jitcore.types import f64, i64


def _merged(x: Any, axis: Any) -> tuple[Any, tuple[Any, ...]]:
    """x with the axes named moved to the end and made one; and the shape that the rest has where those are kept."""
    axes = normal_axes(axis, rank_of(x))
    if isinstance(axis, tuple) and not axis:
        raise TypeError("an order over no axes")
    own = shape_of(x)
    kept = tuple(1 if k in axes else d for k, d in enumerate(own))
    rest = [k for k in range(rank_of(x)) if k not in axes]
    made = s.transpose(x, permutation=(*rest, *axes)) if rank_of(x) else x
    size: Any = 1
    for k in axes:
        size = size * own[k]
    return s.reshape(made, shape=(*(own[k] for k in rest), size)), kept


# --- quantiles ------------------------------------------------------------------------------------------


_CONTINUOUS: Final[dict[str, tuple[float, float]]] = {
    "linear": (1.0, 1.0), "weibull": (0.0, 0.0), "hazen": (0.5, 0.5), "interpolated_inverted_cdf": (0.0, 1.0),
    "median_unbiased": (1 / 3, 1 / 3), "normal_unbiased": (3 / 8, 3 / 8),
}  # fmt: skip
"""Methods that interpolate, by the constants (alpha, beta) of Hyndman and Fan 1996."""


def _places_of(q: Any, count: Any, method: str) -> Any:
    """Where in order the elements at the shares q are: fractions are interpolated."""
    last = subtract(count, 1)
    if method in ("lower", "higher", "midpoint", "nearest"):
        place = multiply(q, last)
        low, high = elementwise.floor(place), elementwise.ceil(place)
        if method == "midpoint":
            return multiply(add(low, high), 0.5)
        return {"lower": low, "higher": high}.get(method) if method != "nearest" else elementwise.rint(place)
    if method not in _CONTINUOUS:
        raise TypeError(f"quantiles by the method {method!r}")
    if method == "linear":
        return multiply(q, last)
    alpha, beta = _CONTINUOUS[method]
    place = subtract(add(multiply(q, count), add(alpha, multiply(q, 1 - alpha - beta))), 1)
    return elementwise.clip(place, 0, last)


def _quantiles(a: Any, q: Any, axis: Any, method: str, keepdims: Any, skip: bool) -> Any:
    x = as_array(a)
    if dtype_of_value(x).kind == "c":
        raise TypeError("a must be an array of real numbers")
    rows, kept = _merged(x, axis)
    if shape_of(rows)[-1] == 0:
        raise TypeError("quantiles of no elements")
    k = rank_of(rows) - 1
    extent = shape_of(rows)[k]
    if not isinstance(extent, int) and not skip:
        some = python_ints.int_gt(evaluator().number(extent), 0)
        first = -1 if dtype_of_value(x).is_float else 0  # where NumPy looks first
        message = f"index {first} is out of bounds for axis 0 with size 0"
        conversions.check(some, exception="IndexError", message=message)
    ordered = _never_empty(sequences.sort(rows, k), k) if skip else sequences.sort(rows, k)
    front = shape_of(q)
    shares = shapes.reshape(q, *map(evaluator().number, front), *(1,) * rank_of(rows)) if front else q
    if skip:
        valid = e.cast(e.bitwise_not(comparisons.isnan(rows)), dtype=dtype_of_value(q))
        count = reductions.sum(valid, k, keepdims=True)
        count = elementwise.maximum(count, 1)
    else:
        count = as_array(evaluator().number(shape_of(rows)[k]), dtype_of_value(q))
    place = _places_of(shares, count, method)
    low = elementwise.floor(place)
    below = e.cast(low, dtype=i64)
    above = e.minimum(add(below, 1), e.cast(subtract(count, 1), dtype=i64))
    first, second = (_picked(ordered, index, len(front)) for index in (below, above))
    share = subtract(place, low)
    step = subtract(second, first)  # of ints in their own dtype, which may overflow
    first, second, step = map(reductions.as_float, (first, second, step))
    made = e.select(
        comparisons.greater_equal(share, 0.5),
        subtract(second, multiply(step, subtract(1, share))),
        add(first, multiply(step, share)),
    )
    if not skip:
        nan = reductions.any(comparisons.isnan(rows), k, keepdims=True)
        made = e.select(nan, float("nan"), made)
    elif dtype_of_value(x).is_integer and not isinstance(extent, int):
        empty = e.equal(as_array(evaluator().number(extent), i64), 0)
        made = e.select(empty, float("nan"), made)
    shape = (*front, *(kept if static_flag(keepdims, "keepdims") else shape_of(rows)[:-1]))
    return s.reshape(made, shape=shape)


def _picked(ordered: Any, index: Any, front: int) -> Any:
    """The elements of each row at its places: `index` has `front` axes of shares before those of the rows (its last is
    1)."""
    rank = rank_of(ordered)
    rows = s.expand_dims(ordered, axis=tuple(range(front))) if front else ordered
    if not rank_of(index):
        index = s.reshape(index, shape=(1,) * rank_of(rows))
    wanted = tuple(
        n if k < front else m
        for k, (n, m) in enumerate(
            zip((*shape_of(index)[:front], *shape_of(rows)[front:]), shape_of(rows), strict=True)
        )
    )
    own = (*wanted[:-1], 1)
    rows = s.broadcast_to(rows, shape=wanted)
    index = s.broadcast_to(index, shape=own)
    return ix.gather_along(rows, index, axis=front + rank - 1)


def _shares(q: Any, a: Any, percent: bool) -> Any:
    """The shares asked for, in the dtype that NumPy takes them in."""
    dtype = dtype_of_value(as_array(a))
    own = dtype if dtype.is_float else f64
    if is_number(q):
        made = as_array(as_array(q), own)
        made = elementwise.true_divide(made, 100) if percent else made
    else:
        made = as_array(q)
        made = elementwise.true_divide(made, 100) if percent else made
        made = made if dtype_of_value(made).is_float else e.cast(made, dtype=f64)
    inside = elementwise.logical_and(comparisons.greater_equal(made, 0), comparisons.less_equal(made, 1))
    what = "Percentiles must be in the range [0, 100]" if percent else "Quantiles must be in the range [0, 1]"
    conversions.check(conversions.to_scalar(reductions.all(inside)), exception="ValueError", message=what)
    return made


def quantiles(percent: bool, skip: bool) -> Callable[..., Any]:
    """`np.quantile`, `np.percentile`, and those that skip NaN."""

    def function(
        a: Any, q: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, method: Any = "linear",
        keepdims: Any = False, *, weights: Any = None,
    ) -> Any:  # fmt: skip
        del overwrite_input
        if out is not None or weights is not None:
            raise TypeError("quantiles with out or weights")
        how = evaluator().static(method, "method")
        return _quantiles(a, _shares(q, a, percent), axis, how, keepdims, skip)

    return function


def median(a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> Any:
    """The element in the middle, or the mean of both."""
    del overwrite_input
    if out is not None:
        raise TypeError("median with out")
    rows, kept = _merged(as_array(a), axis)
    made = _middle(rows)
    return s.reshape(made, shape=kept) if static_flag(keepdims, "keepdims") else made


def _middle(rows: Any) -> Any:
    x = reductions.as_float(rows)
    k = rank_of(x) - 1
    count = evaluator().number(shape_of(x)[k])
    if isinstance(count, int) and not count:
        raise TypeError("the median of no elements")
    ordered = _never_empty(sequences.sort(x, k), k)
    n = as_array(count, i64)
    low, high = (ix.gather(ordered, e.maximum(e.floordiv(m, 2), 0), axis=k) for m in (e.sub(n, 1), n))
    made = e.mul(e.add(low, high), 0.5)
    return e.select(reductions.any(comparisons.isnan(x), k), float("nan"), made)


def _never_empty(ordered: Any, axis: int) -> Any:
    """Rows in order, followed by a NaN (or 0, of ints) where they may turn out to have no elements."""
    extent = shape_of(ordered)[axis]
    if isinstance(extent, int) and extent:
        return ordered
    none = 0 if dtype_of_value(ordered).is_integer else float("nan")
    one = tuple(1 if k == axis else d for k, d in enumerate(shape_of(ordered)))
    return joining.concatenate(ordered, joining.full(as_array(none, dtype_of_value(ordered)), shape=one), axis=axis)


def nanmedian(a: Any, axis: Any = None, out: Any = None, overwrite_input: Any = False, keepdims: Any = False) -> Any:
    """The median of what is no NaN."""
    del overwrite_input
    if out is not None:
        raise TypeError("nanmedian with out")
    rows, kept = _merged(reductions.as_float(a), axis)
    k = rank_of(rows) - 1
    ordered = _never_empty(sequences.sort(rows, k), k)
    n = e.maximum(reductions.sum(e.bitwise_not(comparisons.isnan(rows)), k, keepdims=True), 1)
    low, high = (ix.gather_along(ordered, e.floordiv(m, 2), axis=k) for m in (e.sub(n, 1), n))
    made = s.squeeze(e.mul(e.add(low, high), 0.5), axis=(k,))
    return s.reshape(made, shape=kept) if static_flag(keepdims, "keepdims") else made


# --- NaN in running products, and the places of extremes ---------------------------------------------------


def nancumprod(a: Any, axis: Any = None, dtype: Any = None) -> Any:
    """The products of what came before and is no NaN."""
    x = as_array(a)
    if dtype_of_value(x).is_float:
        x = e.select(e.isnan(x), 1, x)
    return sequences.cumprod(x, axis, dtype)


def nanargument(position: Callable[..., Any], worst: float) -> Callable[..., Any]:
    """`np.nanargmax` and `np.nanargmin`."""

    def function(a: Any, axis: Any = None, out: Any = None, *, keepdims: Any = False) -> Any:
        if out is not None:
            raise TypeError("the place of an extreme with out")
        x = as_array(a)
        if not dtype_of_value(x).is_float:
            return position(x, axis, keepdims)
        nan = e.isnan(x)
        held = reductions.any(reductions.all(nan, axis))
        message = "All-NaN slice encountered"
        conversions.check(conversions.to_scalar(e.bitwise_not(held)), exception="ValueError", message=message)
        return position(e.select(nan, worst, x), axis, keepdims)

    return function


# --- partitions ---------------------------------------------------------------------------------------------


def _kth(kth: Any, extent: Any) -> tuple[int, ...]:
    given = kth if isinstance(kth, tuple | list) else (kth,)
    if any(is_array(k) for k in given):
        raise TypeError("a partition at places that are known at run time only")
    found = tuple(static_int(k, "kth") for k in given)
    if isinstance(extent, int):
        for k in found:
            if not -extent <= k < extent:
                raise ValueError(f"kth(={k if k >= 0 else k + extent}) out of bounds ({extent})")
        found = tuple(k % extent for k in found)
    return tuple(sorted(set(found)))


def _order(x: Any, kth: Any, axis: Any, kind: Any, of_places: bool) -> tuple[Any, Any, int]:
    a = as_array(x)
    if kind != "introselect":
        raise ValueError(f"select kind must be 'introselect' (got {kind!r})")
    a, k = (shapes.ravel(a), 0) if axis is None else (a, normal_axis(axis, rank_of(a)))
    return a, partition_places(a, axis=k, kth=_kth(kth, shape_of(a)[k]), of_places=of_places), k


def partition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect") -> Any:
    """The elements with the kth ones in their place in order, smaller ones before, larger ones behind."""
    x, order, k = _order(a, kth, axis, kind, False)
    return ix.gather_along(x, order, axis=k)


def argpartition(a: Any, kth: Any, axis: Any = -1, kind: Any = "introselect") -> Any:
    """The places of the elements of a partition."""
    return _order(a, kth, axis, kind, True)[1]


def partition_in_place(x: Any, kth: Any, axis: Any = -1, kind: Any = "introselect") -> None:
    """`ndarray.partition`."""
    elementwise.assign(x, partition(x, kth, axis, kind))


def sort_complex(a: Any) -> Any:
    """A sorted copy, as complex numbers."""
    return spectra.as_complex(sequences.sort(a))


SCALARS: Final[dict[Any, Callable[..., Any]]] = {
    np.quantile: quantiles(False, False), np.percentile: quantiles(True, False),
    np.nanquantile: quantiles(False, True), np.nanpercentile: quantiles(True, True), np.median: median,
    np.nanmedian: nanmedian, np.nancumprod: nancumprod, np.nanargmax: nanargument(reductions.argmax, float("-inf")),
    np.nanargmin: nanargument(reductions.argmin, float("inf")),
}  # fmt: skip
"""By NumPy's function; their results of no dimensions are NumPy scalars."""

TABLE: Final[dict[Any, Callable[..., Any]]] = {
    np.partition: partition, np.argpartition: argpartition, np.sort_complex: sort_complex,
}  # fmt: skip
