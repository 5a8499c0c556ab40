"""Reductions over axes, with MindSpore's parameters: sums, products, means, truths."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, is_array
from jitcore.library.math import elementwise
from jitcore.library.statistics import nan_reductions, reductions
from jitcore.types import DType, bool_, i32, i64


def all_if_empty(axis: Any) -> Any:
    """MindSpore's `()` stands for all axes; a list is a tuple, and so is a Tensor of axes."""
    if is_array(axis):
        axis = evaluator().static(axis, "the axes")
    return None if isinstance(axis, list | tuple) and not axis else axis


def _reducing(names: str, function: Callable[..., Any]) -> None:
    """A reduction by the names `ReduceX` (a class), `reduce_x` and others."""

    def reduce(x: Any, axis: Any = (), *, keep_dims: Any = False, skip_mode: Any = False) -> Any:
        if skip_mode and isinstance(axis, list | tuple) and not axis:
            return as_array(x)
        return function(x, all_if_empty(axis), keepdims=keep_dims)

    def call(x: Any, axis: Any = (), keep_dims: Any = False) -> Any:
        return function(x, all_if_empty(axis), keepdims=keep_dims)

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
    return reductions.sum(input, all_if_empty(dim), dtype, keepdim)


@operator("sum_ext")
def sum_ext(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The sum over axes."""
    return reductions.sum(input, dim, widened(input, dtype), keepdim)


@operator("prod .prod")
def prod(input: Any, axis: Any = None, keep_dims: Any = False, dtype: Any = None) -> Any:
    """The product over `axis` (None: all)."""
    return reductions.prod(input, all_if_empty(axis), dtype, keep_dims)


@operator("prod_ext")
def prod_ext(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The product over axes."""
    return reductions.prod(input, dim, widened(input, dtype), keepdim)


@operator("count_nonzero .count_nonzero CountNonZero")
def count_nonzero(x: Any, axis: Any = (), keep_dims: Any = False, dtype: Any = i32) -> Any:
    """The number of elements that are not 0 over `axis` ((): all)."""
    return elementwise.astype(reductions.count_nonzero(x, all_if_empty(axis), keep_dims), dtype)


@operator("count_nonzero_ext")
def count_nonzero_ext(input: Any, dim: Any = None) -> Any:
    """How many elements are not 0, over axes."""
    return reductions.count_nonzero(input, dim)


@operator("nansum .nansum")
def nansum(input: Any, axis: Any = None, keepdims: Any = False, *, dtype: Any = None) -> Any:
    """The sum of what is not NaN."""
    return nan_reductions.nansum(input, axis, dtype, keepdims=keepdims)


@operator("nanmean .nanmean")
def nanmean(input: Any, axis: Any = None, keepdims: Any = False, *, dtype: Any = None) -> Any:
    """The mean of what is not NaN."""
    made = nan_reductions.nanmean(input, axis, keepdims=keepdims)
    return made if dtype is None else elementwise.astype(made, dtype)


@operator("logsumexp .logsumexp")
def logsumexp(input: Any, axis: Any = None, keep_dims: Any = False) -> Any:
    """log(sum(exp(x))) over `axis`, without overflow."""
    return reductions.logsumexp(input, all_if_empty(axis), keep_dims)


@operator(".sum")
def sum_(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False, initial: Any = None) -> Any:
    """The sum over `axis` (None: all)."""
    if isinstance(dtype, bool):  # by position, as in newer versions
        dtype, keepdims = None, dtype
    made = reductions.sum(x, None if isinstance(axis, list | tuple) and not axis else axis, dtype, keepdims)
    return made if initial is None else elementwise.add(made, initial)


@operator("SquareSumAll")
def square_sum_all(x: Any, y: Any) -> Any:
    """(the sum of the squares of x, that of y)."""
    return reductions.sum(elementwise.square(x)), reductions.sum(elementwise.square(y))


def widened(x: Any, dtype: Any) -> DType | None:
    """The dtype that sums of x have: ints and bools are added as int64."""
    if dtype is not None:
        return as_dtype(dtype)
    own = dtype_of_value(as_array(x))
    return i64 if own.is_integer or own is bool_ else None


@operator("mean_ext")
def mean_ext(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The mean over axes."""
    return reductions.mean(input, dim, None if dtype is None else as_dtype(dtype), keepdim)
