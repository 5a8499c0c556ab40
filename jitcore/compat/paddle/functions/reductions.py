"""Functions that take elements together."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from jitcore import ops
from jitcore.compat.paddle.arguments import Axes, DTypeLike, Operand
from jitcore.compat.paddle.declaring import METHODS, function, method
from jitcore.compat.paddle.functions.axes import axes_in, axis_in, extents_of
from jitcore.compat.paddle.functions.pointwise import tensors
from jitcore.compat.torch.functions import reductions as torch
from jitcore.library.core import values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor
from jitcore.types import i8, i32, i64, u8


def _kind(x: Tensor) -> str:
    return values.dtype_of_value(x).kind


def _floats(x: Tensor) -> Any:
    """The elements as floats."""
    return x if _kind(x) in "fc" else elementwise.astype(x, default_float())


def _like(made: Tensor, x: Tensor) -> Any:
    """A result in the dtype of what it was computed of."""
    return elementwise.astype(made, values.dtype_of_value(x))


@method
def sum(x: Tensor, axis: Axes = None, dtype: DTypeLike = None, keepdim: bool = False) -> Any:
    if isinstance(cast("object", dtype), bool):  # PyTorch's order
        dtype, keepdim = None, bool(dtype)
    kept = values.dtype_of_value(x) if values.dtype_of_value(x) in (i8, u8) else None
    return torch.sum(x, axes_in(x, axis), keepdim, dtype=kept if dtype is None else as_dtype(dtype))


@method
def nansum(x: Tensor, axis: Axes = None, dtype: DTypeLike = None, keepdim: bool = False) -> Any:
    return torch.nansum(x, axes_in(x, axis), keepdim, dtype=None if dtype is None else as_dtype(dtype))


@method
def mean(x: Tensor, axis: Axes = None, keepdim: bool = False, *, dtype: DTypeLike = None) -> Any:
    given = x if dtype is None else elementwise.astype(x, as_dtype(dtype))
    if _kind(given) in "fc":
        return torch.mean(given, axes_in(x, axis), keepdim)
    axes = axes_in(x, axis)
    if _kind(given) == "b":
        return ops.any(given, axes, keepdim)
    return _like(ops.trunc(ops.div(torch.sum(given, axes, keepdim), _count(x, axes))), given)


def _count(x: Tensor, axes: Sequence[int] | None) -> Any:
    """How many elements are taken together."""
    taken = [n for k, n in enumerate(values.shape_of(x)) if axes is None or k in axes]
    return values.evaluator().number(values.product_of(taken))


@method
def nanmean(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    return torch.nanmean(_floats(x), axes_in(x, axis), keepdim)


@method
def prod(x: Tensor, axis: Axes = None, keepdim: bool = False, dtype: DTypeLike = None) -> Any:
    given = x if dtype is None else elementwise.astype(x, as_dtype(dtype))
    made, axes = given, axes_in(x, axis)
    if axes is None:
        made = torch.prod(ops.reshape(given, (-1,)), 0)
        return _like(ops.reshape(made, (1,) * values.rank_of(x)) if keepdim else made, given)
    for one in sorted(axes, reverse=True):
        made = torch.prod(made, one, keepdim)
    return _like(made, given)


def _extremum(reduce: Callable[..., Any], x: Tensor, axis: Axes, keepdim: bool) -> Any:
    """The gradient goes to the first of equal elements along one axis, else all have a part of it, as in Paddle."""
    axes = axes_in(x, axis)
    if 0 in [n for k, n in enumerate(values.shape_of(x)) if axes is None or k in axes]:
        raise ValueError("(InvalidArgument) Cannot perform reduction along an axis that has a size of 0.")
    return reduce(x, axes, keepdim)


@method
def amax(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    return _extremum(ops.amax, x, axis, keepdim)


@method
def amin(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    return _extremum(ops.amin, x, axis, keepdim)


@method
def max(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    return _extremum(ops.amax, x, axis, keepdim)


@method
def min(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    return _extremum(ops.amin, x, axis, keepdim)


@method
def all(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    return ops.all(ops.ne(x, 0) if _kind(x) != "b" else x, axes_in(x, axis), keepdim)


@method
def any(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    return ops.any(ops.ne(x, 0) if _kind(x) != "b" else x, axes_in(x, axis), keepdim)


@method
def count_nonzero(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    return ops.sum_ext(ops.ne(x, 0), axes_in(x, axis), keepdim)


@method
def argmax(x: Tensor, axis: int | None = None, keepdim: bool = False, dtype: DTypeLike = "int64") -> Any:
    return _place(torch.argmax, x, axis, keepdim, dtype)


@method
def argmin(x: Tensor, axis: int | None = None, keepdim: bool = False, dtype: DTypeLike = "int64") -> Any:
    return _place(torch.argmin, x, axis, keepdim, dtype)


def _place(function: Callable[..., Any], x: Tensor, axis: int | None, keepdim: bool, dtype: DTypeLike) -> Any:
    if dtype is None:
        raise ValueError("(InvalidArgument) the dtype of indices is 'int32' or 'int64', not None")
    made = function(x, None if axis is None else axis_in(x, axis), keepdim)
    return elementwise.astype(made, as_dtype(dtype))


# --- moments -------------------------------------------------------------------------------------------


@method
def var(
    x: Tensor, axis: Axes = None, unbiased: bool | None = None, keepdim: bool = False, *, correction: float = 1
) -> Any:
    taken = correction if unbiased is None else int(unbiased)
    axes = axes_in(x, axis)
    if _kind(x) in "fc":
        return torch.var(x, axes, correction=taken, keepdim=keepdim)
    away = ops.sub(x, mean(x, axis, True))  # of ints, from the int that is their mean
    total = torch.sum(ops.mul(away, away), axes, keepdim)
    return _like(ops.trunc(ops.div(total, _count(x, axes) - taken)), x)


@method
def std(x: Tensor, axis: Axes = None, unbiased: bool = True, keepdim: bool = False) -> Any:
    made = var(x, axis, unbiased, keepdim)
    return torch.root(_floats(made))


@method
def logsumexp(x: Tensor, axis: Axes = None, keepdim: bool = False) -> Any:
    axes = axes_in(x, axis)
    return ops.logsumexp(_floats(x), tuple(range(values.rank_of(x))) if axes is None else axes, keepdim)


@method
def quantile(
    x: Tensor,
    q: Operand | Sequence[float],
    axis: Axes = None,
    keepdim: bool = False,
    interpolation: str = "linear",
) -> Any:
    return _quantile(torch.quantile, x, q, axis, keepdim, interpolation)


@method
def nanquantile(
    x: Tensor,
    q: Operand | Sequence[float],
    axis: Axes = None,
    keepdim: bool = False,
    interpolation: str = "linear",
) -> Any:
    return _quantile(torch.nanquantile, x, q, axis, keepdim, interpolation)


def _quantile(
    function: Callable[..., Any],
    x: Tensor,
    q: Operand | Sequence[float],
    axis: Axes,
    keepdim: bool,
    interpolation: str,
) -> Any:
    axes = axes_in(x, axis)
    whole = x
    if axes is not None and len(axes) > 1:  # several become one
        kept = [k for k in range(values.rank_of(x)) if k not in axes]
        whole = ops.reshape(ops.transpose(x, (*kept, *axes)), (*(extents_of(x)[k] for k in kept), -1))
    where = None if axes is None else axes[0] if len(axes) == 1 else -1
    given = values.as_array(q, values.dtype_of_value(x)) if isinstance(q, list | tuple) else q
    made = function(whole, given, where, keepdim and len(axes or ()) < 2, interpolation=interpolation)
    if keepdim and axes is not None and len(axes) > 1:
        shape = tuple(1 if k in axes else n for k, n in enumerate(extents_of(x)))
        lead = extents_of(made)[: values.rank_of(made) - values.rank_of(x) + len(axes)]
        made = ops.reshape(made, (*lead, *shape))
    return made


@method
def median(x: Tensor, axis: int | None = None, keepdim: bool = False, mode: str = "avg") -> Any:
    return _median(x, axis, keepdim, mode, nan=False)


@method
def nanmedian(x: Tensor, axis: Axes = None, keepdim: bool = False, mode: str = "avg") -> Any:
    return _median(x, axis, keepdim, mode, nan=True)


def _median(x: Tensor, axis: Axes, keepdim: bool, mode: str, nan: bool) -> Any:
    """The mean of the two middle elements with mode="avg", the lower of them with its place with mode="min"."""
    if mode not in ("avg", "min"):
        raise ValueError(f"Mode {mode} is not supported. Must be avg or min.")
    if mode == "min":
        function = torch.nanmedian if nan else torch.median
        if axis is None:
            made = function(x)
            return ops.reshape(made, (1,) * values.rank_of(x)) if keepdim else made
        return tuple(function(x, axis_in(x, cast("int", axis)), keepdim))
    whole = _floats(x)
    made = _quantile(torch.nanquantile if nan else torch.quantile, whole, 0.5, axis, keepdim, "linear")
    return _like(ops.trunc(made), x) if nan and _kind(x) not in "fc" else made


@method
def mode(x: Tensor, axis: int = -1, keepdim: bool = False) -> Any:
    return tuple(torch.mode(x, axis_in(x, axis), keepdim))


@method
def kthvalue(x: Tensor, k: int, axis: int | None = None, keepdim: bool = False) -> Any:
    return tuple(torch.kthvalue(x, k, -1 if axis is None else axis_in(x, axis), keepdim))


# --- scans ---------------------------------------------------------------------------------------------


def _flat(x: Tensor, axis: int | None) -> tuple[Any, int]:
    """A Tensor and the axis along which it is scanned: all elements in a row without one."""
    return (ops.reshape(x, (-1,)), 0) if axis is None else (x, axis_in(x, axis))


@method
def cumsum(x: Tensor, axis: int | None = None, dtype: DTypeLike = None) -> Any:
    try:
        whole, where = _flat(x, axis)
    except ValueError as error:
        raise IndexError(str(error)) from None
    return torch.cumsum(whole, where, dtype=None if dtype is None else as_dtype(dtype))


@method
def cumprod(x: Tensor, dim: int | None = None, dtype: DTypeLike = None) -> Any:
    wanted = values.dtype_of_value(x) if dtype is None else as_dtype(dtype)
    return torch.cumprod(*_flat(x, dim), dtype=wanted)


@method
def logcumsumexp(x: Tensor, axis: int | None = None, dtype: DTypeLike = None) -> Any:
    whole, where = _flat(_floats(x) if dtype is None else elementwise.astype(x, as_dtype(dtype)), axis)
    return torch.logcumsumexp(whole, where)


@method
def cummax(x: Tensor, axis: int | None = None, dtype: DTypeLike = "int64") -> Any:
    return _running(torch.cummax, x, axis, dtype)


@method
def cummin(x: Tensor, axis: int | None = None, dtype: DTypeLike = "int64") -> Any:
    return _running(torch.cummin, x, axis, dtype)


def _running(function: Callable[..., Any], x: Tensor, axis: int | None, dtype: DTypeLike) -> Any:
    found, places = function(*_flat(x, axis))
    return found, elementwise.astype(places, as_dtype(dtype))


@method
def diff(x: Tensor, n: int = 1, axis: int = -1, prepend: Tensor | None = None, append: Tensor | None = None) -> Any:
    if n < 1:
        raise ValueError(f"(InvalidArgument) diff: n should be at least 1, but received {n}")
    return torch.diff(x, n, axis_in(x, axis), prepend, append)


@method
def trapezoid(y: Tensor, x: Tensor | None = None, dx: float | None = None, axis: int = -1) -> Any:
    return torch.trapezoid(y, x, dx=1.0 if dx is None else dx, dim=axis)


@method
def cumulative_trapezoid(y: Tensor, x: Tensor | None = None, dx: float | None = None, axis: int = -1) -> Any:
    return torch.cumulative_trapezoid(y, x, dx=1.0 if dx is None else dx, dim=axis)


# --- norms and counts ----------------------------------------------------------------------------------


@method
def dist(x: Tensor, y: Tensor, p: float = 2) -> Any:
    first, second = tensors(x, y, "dist")
    return torch.dist(first, second, p)


@method
def bincount(x: Tensor, weights: Tensor | None = None, minlength: int = 0) -> Any:
    if _kind(x) not in "iu":
        raise ValueError("(InvalidArgument) bincount counts ints")
    return torch.bincount(x, weights, minlength)


@method
def histogram(
    input: Tensor,
    bins: int = 100,
    min: float = 0.0,
    max: float = 0.0,
    weight: Tensor | None = None,
    density: bool = False,
) -> Any:
    if weight is not None or density:
        raise NotImplementedError("histogram: weight and density are not there")
    return elementwise.astype(torch.histc(_floats(input), bins, min, max), i64)


@method
def histogram_bin_edges(input: Tensor, bins: int = 100, min: float = 0.0, max: float = 0.0) -> Any:
    low, high = (values.evaluator().static(bound, "a bound") for bound in (min, max))
    if low != high:
        return ops.linspace_ext(low, high, bins + 1, dtype=default_float())
    first, last = ops.amin(_floats(input)), ops.amax(_floats(input))
    apart = elementwise.astype(ops.eq(first, last), default_float())  # one value has half a unit on either side
    start, end = ops.sub(first, ops.mul(apart, 0.5)), ops.add(last, ops.mul(apart, 0.5))
    return ops.add(start, ops.mul(ops.sub(end, start), ops.div(ops.arange(bins + 1), float(bins))))


@method
def renorm(x: Tensor, p: float, axis: int, max_norm: float) -> Any:
    return torch.renorm(x, p, axis_in(x, axis), max_norm)


@method
def reduce_as(x: Tensor, target: Tensor) -> Any:
    extra = values.rank_of(x) - values.rank_of(target)
    axes = list(range(extra))
    axes += [k + extra for k, n in enumerate(values.shape_of(target)) if n == 1 and values.shape_of(x)[k + extra] != 1]
    made = ops.sum_ext(x, tuple(axes), True) if axes else x
    return ops.reshape(made, extents_of(target))


@method
def numel(x: Tensor) -> Any:
    size = values.product_of(values.shape_of(x))
    return values.as_array(values.evaluator().number(size), i64)


@function
def shape_(input: Tensor) -> Any:
    return (
        ops.stack([values.as_array(n, i64) for n in extents_of(input)])
        if values.rank_of(input)
        else ops.zeros((0,), dtype=i64)
    )


@function
def rank_(input: Tensor) -> Any:
    return values.as_array(values.rank_of(input), i32)


METHODS["rank"] = rank_


@method
def is_empty(x: Tensor) -> Any:
    return ops.eq(values.as_array(values.evaluator().number(values.product_of(values.shape_of(x))), i64), 0)
