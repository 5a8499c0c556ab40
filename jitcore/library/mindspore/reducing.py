"""Operators that reduce or scan axes: sums, extremes with their places, statistics, norms, cumulative operations."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.config import settings
from jitcore.library.array import creation, indexing, sequences, shapes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import composed, elementwise
from jitcore.library.mindspore import factorising
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import ordering, scans, transcendental
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import DType, i32, i64

# --- sums, products, extremes -------------------------------------------------------------------------


def _all_if_empty(axis: Any) -> Any:
    """MindSpore's `()` stands for all axes; a list is a tuple, and so is a Tensor of axes."""
    if is_array(axis):
        axis = evaluator().static(axis, "the axes")
    return None if isinstance(axis, list | tuple) and not axis else axis


def _reducing(names: str, function: Callable[..., Any]) -> None:
    """A reduction by the names `ReduceX` (a class), `reduce_x` and others."""

    def reduce(x: Any, axis: Any = (), *, keep_dims: Any = False, skip_mode: Any = False) -> Any:
        if skip_mode and isinstance(axis, list | tuple) and not axis:
            return as_array(x)
        return function(x, _all_if_empty(axis), keepdims=keep_dims)

    def call(x: Any, axis: Any = (), keep_dims: Any = False) -> Any:
        return function(x, _all_if_empty(axis), keepdims=keep_dims)

    reduce.__doc__ = call.__doc__ = (function.__doc__ or "").replace("None: all", "(): all")
    operator(" ".join(name for name in names.split() if name[0].isupper()))(reduce)
    operator(" ".join(name for name in names.split() if not name[0].isupper()))(call)


def _in_own_dtype(function: Callable[..., Any]) -> Callable[..., Any]:
    """A sum or product of ints that has their dtype."""

    def reduce(x: object, axis: object, *, keepdims: object) -> Any:
        own = dtype_of_value(as_array(x))
        return function(x, axis, own if own.is_integer else None, keepdims)

    reduce.__doc__ = function.__doc__
    return reduce


_reducing("ReduceSum reduce_sum", _in_own_dtype(reductions.sum))
_reducing("ReduceMean reduce_mean mean .mean", reductions.mean)
_reducing("ReduceProd reduce_prod", _in_own_dtype(reductions.prod))
_reducing("ReduceMax reduce_max", reductions.max)
_reducing("ReduceMin reduce_min", reductions.min)
_reducing("ReduceAny reduce_any any .any", reductions.any)
_reducing("ReduceAll reduce_all all .all", reductions.all)


@operator("sum")
def sum(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The sum over `dim` (None: all)."""
    return reductions.sum(input, _all_if_empty(dim), dtype, keepdim)


@operator("prod .prod")
def prod(input: Any, axis: Any = None, keep_dims: Any = False, dtype: Any = None) -> Any:
    """The product over `axis` (None: all)."""
    return reductions.prod(input, _all_if_empty(axis), dtype, keep_dims)


def _bounded(names: str, reduce: Any, combine: Any) -> None:
    def bound(input: Any, axis: Any = None, keepdims: Any = False, *, initial: Any = None, where: Any = None) -> Any:
        a = as_array(input)
        if where is not None and where is not True:
            if initial is None:
                raise ValueError("initial value must be provided for where masks")
            a = elementwise.where(where, a, as_array(initial, dtype_of_value(a)))
        made = reduce(a, _all_if_empty(axis), keepdims=keepdims)
        return made if initial is None else combine(made, initial)

    bound.__doc__ = reduce.__doc__
    operator(names)(bound)


_bounded("amax .amax", reductions.max, elementwise.maximum)
_bounded("amin .amin", reductions.min, elementwise.minimum)


def _place_dtype() -> DType:
    """The dtype of the places of extremes: of MindSpore's newer versions under its rules."""
    return i64 if settings.mindspore_rules else i32


def _with_place(names: str, value: Any, place: Any, combine: Any) -> Callable[..., Any]:
    def extreme(input: Any, axis: Any = None, keepdims: Any = False, *, initial: Any = None, where: Any = None) -> Any:
        a = as_array(input)
        if where is not None and where is not True:
            if initial is None:
                raise ValueError("initial value must be provided for where masks")
            a = elementwise.where(where, a, as_array(initial, dtype_of_value(a)))
        if axis is None or not rank_of(a):
            return value(a), as_array(0, _place_dtype())
        k = static_int(axis, "the axis")
        at = place(a, k, keepdims)
        best = _taken(a, at, normal_axis(k, rank_of(a)), keepdims)
        return (best if initial is None else combine(best, initial)), at

    extreme.__doc__ = value.__doc__
    operator(names)(extreme)
    return extreme


def _taken(x: Any, places: Any, axis: int, keepdims: Any) -> Any:
    """The elements at the places along an axis, so that gradients go to these alone."""
    index = places if keepdims else s.expand_dims(places, axis=(axis,))
    made = indexing.take_along_axis(x, index, axis)
    return made if keepdims else s.squeeze(made, axis=(axis,))


maximum_of = _with_place("max", reductions.max, reductions.argmax, elementwise.maximum)
minimum_of = _with_place("min", reductions.min, reductions.argmin, elementwise.minimum)


@operator("ArgMaxWithValue")
def argmax_with_value(x: Any, *, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(places, values) of the largest elements along an axis."""
    return _places_and_values(reductions.argmax, x, axis, keep_dims)


@operator("ArgMinWithValue")
def argmin_with_value(x: Any, *, axis: Any = 0, keep_dims: Any = False) -> Any:
    """(places, values) of the smallest elements along an axis."""
    return _places_and_values(reductions.argmin, x, axis, keep_dims)


def _places_and_values(place: Any, x: Any, axis: Any, keep_dims: Any) -> Any:
    a = as_array(x)
    if not rank_of(a):
        return as_array(0, _place_dtype()), a
    at = place(a, axis, keep_dims)
    return e.cast(at, dtype=_place_dtype()), _taken(a, at, normal_axis(axis, rank_of(a)), keep_dims)


def _position(names: str, cls: str, function: Callable[..., Any]) -> Callable[..., Any]:
    """The places of extremes, as an operator and a method. Under MindSpore's rules `keepdims` means nothing where there
    is no axis, and the smallest one's place is int32."""

    def place(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
        if not settings.mindspore_rules:
            return function(x, axis, keepdims)
        made = function(x, axis, axis is not None and keepdims)
        return e.cast(made, dtype=i32) if cls == "Argmin ArgMin" and rank_of(as_array(x)) else made

    def position(x: Any, *, axis: Any = -1, output_type: Any = i32) -> Any:
        return elementwise.astype(function(x, axis), output_type)

    place.__doc__ = position.__doc__ = function.__doc__
    operator(cls)(position)
    operator(names)(place)
    return place


_largest = _position(".argmax", "Argmax ArgMax", reductions.argmax)
_smallest = _position(".argmin", "Argmin ArgMin", reductions.argmin)


@operator("argmax")
def argmax(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The place of the first largest element along `dim` (None: in the flattened Tensor)."""
    return _largest(input, dim, keepdim)


@operator("argmin")
def argmin(input: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The place of the first smallest element along `axis` (None: in the flattened Tensor)."""
    return _smallest(input, axis, keepdims)


@operator("aminmax .aminmax")
def aminmax(input: Any, *, axis: Any = 0, keepdims: Any = False) -> Any:
    """(smallest, largest) elements along an axis (None: of all)."""
    return reductions.min(input, axis, keepdims), reductions.max(input, axis, keepdims)


@operator("count_nonzero .count_nonzero CountNonZero")
def count_nonzero(x: Any, axis: Any = (), keep_dims: Any = False, dtype: Any = i32) -> Any:
    """The number of elements that are not 0 over `axis` ((): all)."""
    return elementwise.astype(reductions.count_nonzero(x, _all_if_empty(axis), keep_dims), dtype)


@operator("nansum .nansum")
def nansum(input: Any, axis: Any = None, keepdims: Any = False, *, dtype: Any = None) -> Any:
    """The sum of what is not NaN."""
    return composed.nansum(input, axis, dtype, keepdims=keepdims)


@operator("nanmean .nanmean")
def nanmean(input: Any, axis: Any = None, keepdims: Any = False, *, dtype: Any = None) -> Any:
    """The mean of what is not NaN."""
    made = composed.nanmean(input, axis, keepdims=keepdims)
    return made if dtype is None else elementwise.astype(made, dtype)


@operator("ptp .ptp")
def ptp(input: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The largest element minus the smallest."""
    return reductions.ptp(input, axis, keepdims)


# --- statistics -------------------------------------------------------------------------------------


def _freedom(ddof: Any) -> Any:
    """`ddof` or, as a bool, torch's `unbiased`."""
    found = evaluator().static(ddof, "ddof")
    return int(found)


@operator("var .var")
def var(input: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The variance over `axis` (None: all)."""
    return reductions.var(input, _all_if_empty(axis), _freedom(ddof), keepdims)


@operator("std .std")
def std(input: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The standard deviation over `axis` (None: all)."""
    return reductions.std(input, _all_if_empty(axis), _freedom(ddof), keepdims)


@operator("var_mean .var_mean")
def var_mean(input: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """(variance, mean)."""
    return var(input, axis, ddof, keepdims), reductions.mean(input, _all_if_empty(axis), None, keepdims)


@operator("std_mean .std_mean")
def std_mean(input: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """(standard deviation, mean)."""
    return std(input, axis, ddof, keepdims), reductions.mean(input, _all_if_empty(axis), None, keepdims)


@operator("ReduceStd")
def reduce_std(x: Any, *, axis: Any = (), unbiased: Any = True, keep_dims: Any = False) -> Any:
    """(standard deviation, mean), the deviation with one degree of freedom less if `unbiased`."""
    return std_mean(x, axis, int(evaluator().static(unbiased, "unbiased")), keep_dims)


@operator("logsumexp .logsumexp")
def logsumexp(input: Any, axis: Any = None, keep_dims: Any = False) -> Any:
    """log(sum(exp(x))) over `axis`, without overflow."""
    return reductions.logsumexp(input, _all_if_empty(axis), keep_dims)


@operator("norm .norm")
def norm(A: Any, ord: Any = None, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The norm over `dim` (None: of all elements, as one vector)."""
    a = A if dtype is None else elementwise.astype(A, dtype)
    if dim is None and ord is not None and rank_of(as_array(a)) != 1 and ord != "fro":
        if rank_of(as_array(a)) != 2:
            raise ValueError("For 'norm', the input must be 1D or 2D when 'dim' is None and 'ord' is given.")
        return _matrix_norm(a, ord, (0, 1), keepdim)
    if isinstance(dim, tuple | list) and len(dim) == 2 and ord is not None and ord != "fro":
        return _matrix_norm(a, ord, tuple(dim), keepdim)
    return reductions.norm_of_order(a, None if ord == "fro" else ord, dim, keepdim)


def _matrix_norm(a: Any, ord: Any, axes: Any, keepdim: Any) -> Any:
    return factorising.matrix_norm(a, ord, axes, keepdim)


@operator("LpNorm lp_norm")
def lp_norm(x: Any, *, axis: Any, p: Any = 2, keep_dims: Any = False, epsilon: Any = 1e-12) -> Any:
    """The p-norm over axes; `epsilon` at least."""
    made = reductions.norm_of_order(x, p, axis, keep_dims)
    return elementwise.maximum(made, epsilon) if epsilon else made


@operator("L2Loss l2_loss")
def l2_loss(input_x: Any) -> Any:
    """Half the sum of squares."""
    a = as_float(input_x)
    return e.div(reductions.sum(e.mul(a, a)), 2)


@operator("median .median")
def median(input: Any, axis: Any = -1, keepdims: Any = False) -> Any:
    """(the middle of the elements along an axis in order, the lower of two, its place)."""
    a = as_array(input)
    if not rank_of(a):
        return a, as_array(0, i64)
    k = normal_axis(axis, rank_of(a))
    reductions.require_elements(a, (k,), "median of an empty axis")
    middle = (shape_of(a)[k] + -1) // 2
    place = shapes.slice_axis(ordering.argsort(a, axis=k), k, middle, 1)
    value = indexing.take_along_axis(a, place, k)
    if evaluator().static(keepdims, "keepdims"):
        return value, place
    return s.squeeze(value, axis=(k,)), s.squeeze(place, axis=(k,))


@operator("bincount .bincount")
def bincount(input: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each number comes, up to the largest; or the sums of the weights."""
    return sequences.bincount(input, weights, minlength)


# --- cumulative operations ----------------------------------------------------------------------------


@operator("CumSum")
def cum_sum(input: Any, axis: Any, *, exclusive: Any = False, reverse: Any = False) -> Any:
    """The running sum; `exclusive` leaves the element itself out, `reverse` starts at the end."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    summed = r.cumsum(a, axis=k, reverse=bool(reverse))
    return scans.shifted(summed, k, -1 if reverse else 1) if exclusive else summed


@operator("cumsum .cumsum")
def cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """The running sum along `axis`."""
    return reductions.cumsum(x, axis, dtype)


@operator("CumProd")
def cum_prod(x: Any, axis: Any, *, exclusive: Any = False, reverse: Any = False) -> Any:
    """The running product; `exclusive` leaves the element itself out, `reverse` starts at the end."""
    a = as_array(x)
    k = normal_axis(axis, rank_of(a))
    if not exclusive:
        return sequences.running_product(a, k, bool(reverse))
    ones = creation.ones_like(shapes.slice_axis(a, k, 0, 1)) if shape_of(a)[k] != 0 else a
    rest = shapes.slice_axis(a, k, 1 if reverse else 0, shape_of(a)[k] + -1) if shape_of(a)[k] != 0 else a
    parts = [rest, ones] if reverse else [ones, rest]
    return sequences.running_product(shapes.concatenate(parts, k), k, bool(reverse))


@operator("cumprod .cumprod")
def cumprod(input: Any, dim: Any, dtype: Any = None) -> Any:
    """The running product along `dim`."""
    a = as_array(as_array(input), reductions.sum_dtype(as_array(input), dtype))
    return sequences.running_product(a, normal_axis(dim, rank_of(a)))


def _running(names: str, smallest: bool) -> None:
    def extreme(input: Any, axis: Any) -> Any:
        a = as_array(input)
        k = normal_axis(axis, rank_of(a))
        place = scans.running_extreme(a, axis=k, smallest=smallest)
        return indexing.take_along_axis(a, place, k), place

    extreme.__doc__ = f"(the {'smallest' if smallest else 'largest'} elements so far, their places)."
    operator(names)(extreme)
    in_constructor(names.split()[0].capitalize(), extreme, "axis")


_running("cummax .cummax", smallest=False)
_running("cummin .cummin", smallest=True)


@operator("logcumsumexp .logcumsumexp")
def logcumsumexp(input: Any, axis: Any) -> Any:
    """log of the running sum of exp(x); each line is scaled by its largest element."""
    a = as_float(input)
    k = normal_axis(axis, rank_of(a))
    top = e.stop_gradient(reductions.max(a, k, True))
    top = e.select(e.isfinite(top), top, 0)
    return e.add(transcendental.log(r.cumsum(transcendental.exp(e.sub(a, top)), axis=k)), top)


# --- distances ----------------------------------------------------------------------------------------


@operator("cosine_similarity")
def cosine_similarity(x1: Any, x2: Any, dim: Any = 1, eps: Any = 1e-08) -> Any:
    """The cosine of the angle between vectors along an axis."""
    a, b = as_float(x1), as_float(x2)
    dot = reductions.sum(elementwise.multiply(a, b), dim)
    scale = elementwise.multiply(
        elementwise.maximum(reductions.norm(a, dim), eps), elementwise.maximum(reductions.norm(b, dim), eps)
    )
    return elementwise.true_divide(dot, scale)


@operator("dist")
def dist(input: Any, other: Any, p: Any = 2) -> Any:
    """The p-norm of the difference."""
    return reductions.norm_of_order(shapes.ravel(elementwise.subtract(input, other)), p)


@operator("cdist")
def cdist(x1: Any, x2: Any, p: Any = 2.0) -> Any:
    """The p-norms of the differences of all pairs of rows."""
    a, b = as_float(x1), as_float(x2)
    if rank_of(a) != rank_of(b):
        raise ValueError(
            "For Primitive[Cdist], rank of input_x and input_y must be equal, but got rank of input_x: "
            f"{rank_of(a)}, rank of input_y: {rank_of(b)}."
        )
    if rank_of(a) < 2:
        raise ValueError(f"For Primitive[Cdist], the rank must be at least 2, but got {rank_of(a)}.")
    apart = e.sub(s.expand_dims(a, axis=(rank_of(a) - 1,)), s.expand_dims(b, axis=(rank_of(b) - 2,)))
    return reductions.norm_of_order(apart, p, -1)


in_constructor("Cdist", cdist, "p")
