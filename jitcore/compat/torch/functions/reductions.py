"""Functions that take elements together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jitcore import ops
from jitcore.compat.torch.arguments import Dims, DTypeLike, Operand
from jitcore.compat.torch.declaring import alias, detached, function, method
from jitcore.compat.torch.functions.axes import axes_in, axis_in, like_given, with_axis
from jitcore.compat.torch.functions.results import TYPES
from jitcore.library.core import values
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType, f64, i64


def _typed(input: Tensor, dtype: DTypeLike) -> Any:
    return input if dtype is None else elementwise.astype(input, as_dtype(dtype))


def _kind(input: Tensor) -> str:
    return values.dtype_of_value(input).kind


def _require_floats(input: Tensor, what: str) -> None:
    if _kind(input) not in "fc":
        raise RuntimeError(
            f"{what}: input dtype should be either floating point or complex, not {values.dtype_of_value(input)}"
        )


@method
def sum(input: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DTypeLike = None) -> Any:
    return ops.sum_ext(input, axes_in(input, dim), keepdim, dtype=dtype)


@method
def nansum(input: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DTypeLike = None) -> Any:
    whole = ops.where(ops.isnan(input), ops.zeros_like(input), input) if _kind(input) == "f" else input
    return ops.sum_ext(whole, axes_in(input, dim), keepdim, dtype=dtype)


@method
def mean(input: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DTypeLike = None) -> Any:
    given = _typed(input, dtype)
    _require_floats(given, "mean()")
    return ops.mean_ext(given, axes_in(input, dim), keepdim)


@method
def nanmean(input: Tensor, dim: Dims = None, keepdim: bool = False, *, dtype: DTypeLike = None) -> Any:
    given = _typed(input, dtype)
    _require_floats(given, "nanmean()")
    axes = axes_in(input, dim)
    count = ops.sum_ext(ops.logical_not(ops.isnan(given)), axes, keepdim)
    nothing = ops.div(ops.sum_ext(ops.mul(given, 0), axes, keepdim), count)  # NaN, and so is its gradient
    return ops.where(ops.eq(count, 0), nothing, ops.div(nansum(given, axes, keepdim), count))


@method
def prod(input: Tensor, dim: int | None = None, keepdim: bool = False, *, dtype: DTypeLike = None) -> Any:
    return ops.prod_ext(input, None if dim is None else _reduced_axis(input, dim), keepdim, dtype=dtype)


def _reduced_axis(input: Tensor, dim: int) -> int | None:
    axis = axis_in(input, dim)
    return axis if values.rank_of(input) else None


@method
def all(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    return _truths(ops.all, input, dim, keepdim)


@method
def any(input: Tensor, dim: Dims = None, keepdim: bool = False) -> Any:
    return _truths(ops.any, input, dim, keepdim)


def _truths(function: Callable[..., Any], input: Tensor, dim: Dims, keepdim: bool) -> Any:
    made = function(input if _kind(input) == "b" else ops.ne(input, 0), axes_in(input, dim), keepdim)
    return elementwise.astype(made, "uint8") if values.dtype_of_value(input) is as_dtype("uint8") else made


@method
def count_nonzero(input: Tensor, dim: Dims = None) -> Any:
    return ops.sum_ext(ops.ne(input, 0), axes_in(input, dim))


# --- extrema -------------------------------------------------------------------------------------------


def _require_elements(input: Tensor, what: str) -> None:
    if 0 in values.shape_of(input):
        raise RuntimeError(f"{what}(): Expected reduction dim to be specified for input.numel() == 0.")


def _extremum(name: str, function: Callable[..., Any], input: Tensor, dim: int, keepdim: bool, *more: int) -> Any:
    """What a function of one axis gives, as values with their places."""
    axis = axis_in(input, dim)
    first, second = function(with_axis(input), *more, axis, keepdim)
    return (
        TYPES[name](like_given(first, input), like_given(second, input))
        if not values.rank_of(input)
        else (TYPES[name](first, second))
    )


@method
def max(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None) -> Any:
    if other is not None or values.is_array(dim):
        return ops.maximum(input, dim if other is None else other)
    if dim is None:
        _require_elements(input, "max")
        return ops.max_ext(input)
    return _extremum("max", ops.max_ext, input, dim, keepdim)  # pyright: ignore[reportArgumentType]


@method
def min(input: Tensor, dim: int | Tensor | None = None, keepdim: bool = False, *, other: Tensor | None = None) -> Any:
    if other is not None or values.is_array(dim):
        return ops.minimum(input, dim if other is None else other)
    if dim is None:
        _require_elements(input, "min")
        return ops.min_ext(input)
    return _extremum("min", ops.min_ext, input, dim, keepdim)  # pyright: ignore[reportArgumentType]


@method
def amax(input: Tensor, dim: Dims = (), keepdim: bool = False) -> Any:
    return ops.amax(input, axes_in(input, dim), keepdim)


@method
def amin(input: Tensor, dim: Dims = (), keepdim: bool = False) -> Any:
    return ops.amin(input, axes_in(input, dim), keepdim)


@method
def aminmax(input: Tensor, *, dim: int | None = None, keepdim: bool = False) -> Any:
    axes = None if dim is None else axes_in(input, dim)
    return TYPES["aminmax"](ops.amin(input, axes, keepdim), ops.amax(input, axes, keepdim))


@method
def argmax(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return _place(ops.argmax, input, dim, keepdim)


@method
def argmin(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return _place(ops.argmin, input, dim, keepdim)


def _place(function: Callable[..., Any], input: Tensor, dim: int | None, keepdim: bool) -> Any:
    rank = values.rank_of(input)
    if dim is None:
        if 0 in values.shape_of(input):
            raise IndexError("argmax(): Expected reduction dim to be specified for input.numel() == 0.")
        made = function(ops.reshape(input, (-1,)), 0, False)
        made = ops.reshape(made, (1,) * rank) if keepdim else made
    else:
        axis = axis_in(input, dim)
        made = function(input, axis, keepdim) if rank else ops.zeros_like(input)
    return elementwise.astype(made, i64)


@method
def median(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return _median("median", _lower_median, input, dim, keepdim)


@method
def nanmedian(input: Tensor, dim: int | None = None, keepdim: bool = False) -> Any:
    return _median("nanmedian", ops.nanmedian if _kind(input) == "f" else _lower_median, input, dim, keepdim)


def _median(name: str, function: Callable[..., Any], input: Tensor, dim: int | None, keepdim: bool) -> Any:
    """A median along an axis with its place; that of all elements if there is no axis."""
    if dim is not None:
        if 0 in values.shape_of(input)[axis_in(input, dim) :][:1]:
            raise IndexError(f"median(): Expected reduction dim {axis_in(input, dim)} to have non-zero size.")
        return _extremum(name, function, input, dim, keepdim)
    row = ops.reshape(input, (-1,))
    if _kind(input) != "f":
        return function(row, 0, False)[0]
    if 0 in values.shape_of(row):
        return ops.mean_ext(row)
    return _shared(row, function(row, 0, False)[0])


def _lower_median(input: Tensor, axis: int, keepdim: bool) -> Any:
    """The lower of the middle elements along an axis, with its place: the first NaN's if there is one."""
    middle = (values.static_extent(input, axis) + 1) // 2
    if _kind(input) != "f":
        return ops.kthvalue(input, middle, axis, keepdim)
    order = ops.sort_ext(input, axis, False, True)[1]  # NaN comes last
    missing = ops.isnan(input)
    first = ops.sum_ext(ops.logical_not(missing), axis, True)
    place = ops.gather_d(order, axis, ops.where(ops.any(missing, axis, True), first, middle - 1))
    parts = ops.gather_d(input, axis, place), place
    return parts if keepdim else tuple(ops.squeeze(part, axis) for part in parts)


def _shared(row: Tensor, found: Tensor) -> Any:
    """An element of a row, whose gradient all elements that are equal to it have the same part of."""
    value = detached(found)
    equal = ops.logical_or(ops.eq(row, value), ops.logical_and(ops.isnan(row), ops.isnan(value)))
    mean = ops.div(ops.sum_ext(ops.where(equal, row, ops.zeros_like(row))), ops.sum_ext(equal))
    return ops.where(ops.isfinite(value), ops.add_ext(value, ops.sub_ext(mean, detached(mean))), mean)


@method
def mode(input: Tensor, dim: int = -1, keepdim: bool = False) -> Any:
    axis = axis_in(input, dim)
    last = ops.movedim(with_axis(input), axis, -1)
    equals = ops.eq(ops.unsqueeze(last, -1), ops.unsqueeze(last, -2))
    counts = ops.sum_ext(equals, -1)
    often = ops.eq(counts, ops.amax(counts, -1, True))
    highest = ops.amax(last, -1, True)
    found = ops.amin(ops.where(often, last, highest), -1, True)
    places = ops.broadcast_to(_counted(last), tuple(values.shape_of(last)))
    place = ops.amax(ops.where(ops.eq(last, found), places, ops.zeros_like(places)), -1, True)
    taken = ops.gather_d(last, -1, place)
    parts = [ops.movedim(part, -1, axis) if keepdim else ops.squeeze(part, -1) for part in (taken, place)]
    return TYPES["mode"](*(like_given(part, input) for part in parts) if not values.rank_of(input) else parts)


def _counted(input: Tensor) -> Any:
    """0, 1, 2 … along the last axis."""
    return ops.arange(values.evaluator().number(values.shape_of(input)[-1]))


@method
def kthvalue(input: Tensor, k: int, dim: int = -1, keepdim: bool = False) -> Any:
    return _extremum("kthvalue", ops.kthvalue, input, dim, keepdim, k)


# --- moments -------------------------------------------------------------------------------------------


def _moment(
    function: Callable[..., Any],
    input: Tensor,
    dim: Dims | bool,
    unbiased: bool | int | None,
    keepdim: bool,
    correction: float | None,
) -> Any:
    """A variance or the like; a flag in the place of axes is `unbiased`."""
    if isinstance(dim, bool):
        dim, unbiased = None, dim
    _require_floats(input, "std and var")
    taken = correction if correction is not None else 1 if unbiased is None else int(unbiased)
    return function(input, axes_in(input, dim), correction=taken, keepdim=keepdim)


@method
def var(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Any:
    return _moment(ops.var_ext, input, dim, unbiased, keepdim, correction)


@method
def std(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Any:
    return root(var(input, dim, unbiased, keepdim, correction=correction))


@function
def var_mean(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Any:
    return _moment(ops.var_mean_ext, input, dim, unbiased, keepdim, correction)


@function
def std_mean(
    input: Tensor,
    dim: Dims | bool = None,
    unbiased: bool | None = None,
    keepdim: bool = False,
    *,
    correction: float | None = None,
) -> Any:
    return _moment(ops.std_mean_ext, input, dim, unbiased, keepdim, correction)


@method
def logsumexp(input: Tensor, dim: Dims, keepdim: bool = False) -> Any:
    return ops.logsumexp(input, axes_in(input, dim), keepdim)


@method
def quantile(
    input: Tensor, q: Operand, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Any:
    return _quantile(ops.quantile, input, q, dim, keepdim, interpolation)


@method
def nanquantile(
    input: Tensor, q: Operand, dim: int | None = None, keepdim: bool = False, *, interpolation: str = "linear"
) -> Any:
    return _quantile(ops.nanquantile, input, q, dim, keepdim, interpolation)


def _quantile(
    function: Callable[..., Any], input: Tensor, q: Operand, dim: int | None, keepdim: bool, interpolation: str
) -> Any:
    if interpolation != "linear":
        raise NotImplementedError(f"quantile with interpolation={interpolation!r}: 'linear' is there")
    _require_floats(input, "quantile()")
    return function(input, q, None if dim is None else _reduced_axis(input, dim), keepdim)


# --- scans ---------------------------------------------------------------------------------------------


@method
def cumsum(input: Tensor, dim: int, *, dtype: DTypeLike = None) -> Any:
    return like_given_axis(ops.cumsum_ext, _summed(input, dtype), dim)


@method
def cumprod(input: Tensor, dim: int, *, dtype: DTypeLike = None) -> Any:
    return like_given_axis(ops.cumprod, _summed(input, dtype), dim)


@method
def logcumsumexp(input: Tensor, dim: int) -> Any:
    return like_given_axis(ops.logcumsumexp, input, dim)


def _summed(input: Tensor, dtype: DTypeLike) -> Any:
    """What is added up: ints as int64 ones."""
    if dtype is None and _kind(input) in "biu":
        return elementwise.astype(input, i64)
    return _typed(input, dtype)


def like_given_axis(function: Callable[..., Any], input: Tensor, dim: int) -> Any:
    """What a function makes along an axis, which a Tensor of one element need not have."""
    axis = axis_in(input, dim)
    made = function(with_axis(input), axis)
    return made if values.rank_of(input) else like_given(made, input)


@method
def cummax(input: Tensor, dim: int) -> Any:
    return _running("cummax", ops.cummax, input, dim)


@method
def cummin(input: Tensor, dim: int) -> Any:
    return _running("cummin", ops.cummin, input, dim)


def _running(name: str, function: Callable[..., Any], input: Tensor, dim: int) -> Any:
    axis = axis_in(input, dim)
    found, places = function(with_axis(input), axis)
    places = elementwise.astype(places, i64)
    return TYPES[name](*((found, places) if values.rank_of(input) else map(_alone, (found, places))))


def _alone(made: Tensor) -> Any:
    return ops.reshape(made, ())


@method
def diff(input: Tensor, n: int = 1, dim: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Any:
    if not values.rank_of(input):
        raise RuntimeError("diff expects input to be at least one-dimensional")
    return ops.diff(input, n, axis_in(input, dim), prepend, append)


@function
def trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Any:
    return ops.trapz(y, x, dx, dim)


@function
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, *, dx: float = 1, dim: int = -1) -> Any:
    return ops.cumulative_trapezoid(y, x, dx, dim)


# --- norms and counts ----------------------------------------------------------------------------------


@method
def dist(input: Tensor, other: Tensor, p: float = 2) -> Any:
    return norm(ops.sub(input, other), p)


@method
def norm(
    input: Tensor,
    p: float | str | None = "fro",
    dim: Dims = None,
    keepdim: bool = False,
    dtype: DTypeLike = None,
) -> Any:
    given = _typed(input, dtype)
    _require_floats(given, "linalg.vector_norm")
    axes = axes_in(given, dim)
    if p == "nuc":
        return ops.matrix_norm_ext(given, "nuc", axes or (-2, -1), keepdim)
    return norm_over(given, 2 if p is None or p == "fro" else p, axes, keepdim)


def norm_over(input: Tensor, order: float | str, axes: Sequence[int] | None, keepdim: bool) -> Any:
    """The norm over axes (None: all), whose gradient is zero where the norm is."""
    if order == 2 and _kind(input) == "f":
        return root(ops.sum_ext(ops.square(input), axes, keepdim))
    return ops.vector_norm(input, order, axes, keepdim)


def root(squares: Tensor) -> Any:
    """The square root of a sum of squares, with a gradient of zero at zero."""
    nothing = ops.eq(squares, 0)
    return ops.where(nothing, squares, ops.sqrt(ops.where(nothing, ops.ones_like(squares), squares)))


@method
def unique(
    input: Tensor,
    sorted: bool = True,
    return_inverse: bool = False,
    return_counts: bool = False,
    dim: int | None = None,
) -> Any:
    return ops.unique_ext(input, sorted, return_inverse, return_counts, dim)


@method
def unique_consecutive(
    input: Tensor, return_inverse: bool = False, return_counts: bool = False, dim: int | None = None
) -> Any:
    return ops.unique_consecutive(input, return_inverse, return_counts, dim)


@method
def bincount(input: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Any:
    made = ops.bincount_ext(input, weights, minlength)
    if weights is None:
        return elementwise.astype(made, i64)
    kept: DType = values.dtype_of_value(weights)
    return elementwise.astype(made, kept if kept.is_float else f64)


@method
def histc(input: Tensor, bins: int = 100, min: float = 0, max: float = 0) -> Any:
    return ops.histc(input, bins, min, max)


@method
def renorm(input: Tensor, p: float, dim: int, maxnorm: float) -> Any:
    return ops.renorm(input, p, axis_in(input, dim), maxnorm)


@method
def cov(input: Tensor, *, correction: int = 1, fweights: Tensor | None = None, aweights: Tensor | None = None) -> Any:
    return _of_one_row(ops.cov(input, correction=correction, fweights=fweights, aweights=aweights))


def _of_one_row(made: object) -> Any:
    """A matrix of one row as a number, as PyTorch gives it."""
    rows = values.shape_of(made)[0] if values.rank_of(made) else 2
    return ops.reshape(made, ()) if values.evaluator().is_one(rows) else made


@method
def corrcoef(input: Tensor) -> Any:
    return _of_one_row(ops.corrcoef(input))


alias("trapz", "trapezoid")
