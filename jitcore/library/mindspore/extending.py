"""Operators of `mindspore.mint` whose namesakes in `ops` mean something else: these take PyTorch's parameters."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, is_array, normal_axis, rank_of, shape_of
from jitcore.library.linalg import matrices
from jitcore.library.math import elementwise
from jitcore.library.mindspore import factorising, reducing
from jitcore.library.nn import dense
from jitcore.library.random import sampling
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.types import DType, bool_, i64


@operator("linear")
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input @ weight.T + bias."""
    return dense.dense(input, weight, bias)


# --- reductions -----------------------------------------------------------------------------------------


def _wide(x: Any, dtype: Any) -> DType | None:
    """The dtype that sums of x have: ints and bools are added as int64."""
    if dtype is not None:
        return as_dtype(dtype)
    own = dtype_of_value(as_array(x))
    return i64 if own.is_integer or own is bool_ else None


@operator("sum_ext")
def sum_ext(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The sum over axes."""
    return reductions.sum(input, dim, _wide(input, dtype), keepdim)


@operator("prod_ext")
def prod_ext(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The product over axes."""
    return reductions.prod(input, dim, _wide(input, dtype), keepdim)


@operator("mean_ext")
def mean_ext(input: Any, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The mean over axes."""
    return reductions.mean(input, dim, None if dtype is None else as_dtype(dtype), keepdim)


@operator("cumsum_ext")
def cumsum_ext(input: Any, dim: Any, dtype: Any = None) -> Any:
    """The sums of the elements up to each along an axis."""
    return reductions.cumsum(input, dim, _wide(input, dtype))


@operator("max_ext")
def max_ext(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The largest element; along an axis (the largest elements, their places); the larger of each pair if `dim` is a
    Tensor."""
    if is_array(dim):
        return elementwise.maximum(input, dim)
    return reductions.max(input) if dim is None else reducing.maximum_of(input, dim, keepdim)


@operator("min_ext")
def min_ext(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The smallest element; along an axis (the smallest elements, their places); the smaller of each pair if `dim` is a
    Tensor."""
    if is_array(dim):
        return elementwise.minimum(input, dim)
    return reductions.min(input) if dim is None else reducing.minimum_of(input, dim, keepdim)


@operator("median_ext")
def median_ext(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The middle element (the lower of two), or along an axis (the middle elements, their places)."""
    if dim is None:
        return reducing.median(shapes.ravel(as_array(input)), 0)[0]
    return reducing.median(input, dim, keepdim)


@operator("count_nonzero_ext")
def count_nonzero_ext(input: Any, dim: Any = None) -> Any:
    """How many elements are not 0, over axes."""
    return reductions.count_nonzero(input, dim)


@operator("norm_ext")
def norm_ext(input: Any, p: Any = "fro", dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The norm of the elements, over axes, as those of one vector; 'nuc' is that of matrices."""
    a = as_array(input, None if dtype is None else as_dtype(dtype))
    order = evaluator().static(p, "p")
    if order == "nuc":
        return matrices.norm(a, order, dim, keepdim)
    return _vector_norm(a, 2 if order in (None, "fro") else order, dim, keepdim)


def _vector_norm(a: Any, order: Any, dim: Any, keepdim: Any) -> Any:
    """The norm over axes as of one vector."""
    axes = tuple(range(rank_of(a))) if dim is None else dim if isinstance(dim, tuple | list) else (dim,)
    axes = tuple(normal_axis(k, rank_of(a)) for k in axes)
    rest = tuple(n for k, n in enumerate(shape_of(a)) if k not in axes)
    moved = shapes.moveaxis(a, axes, tuple(range(len(rest), rank_of(a))))
    made = reductions.norm_of_order(shapes.reshape(moved, (*rest, -1)), order, -1)
    if not evaluator().static(keepdim, "keepdim"):
        return made
    return shapes.reshape(made, tuple(1 if k in axes else n for k, n in enumerate(shape_of(a))))


@operator("vector_norm")
def vector_norm(x: Any, ord: Any = 2, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The norm over axes, as of one vector."""
    a = as_array(x, None if dtype is None else as_dtype(dtype))
    return _vector_norm(a, evaluator().static(ord, "ord"), dim, keepdim)


@operator("matrix_norm_ext")
def matrix_norm_ext(A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The norm of matrices."""
    return factorising.matrix_norm(A, ord, dim, keepdim, dtype=dtype)


@operator("std_mean_ext")
def std_mean_ext(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> Any:
    """(the standard deviation over axes, the mean)."""
    return std_ext(input, dim, correction=correction, keepdim=keepdim), reductions.mean(input, dim, None, keepdim)


@operator("var_mean_ext")
def var_mean_ext(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> Any:
    """(the variance over axes, the mean)."""
    return var_ext(input, dim, correction=correction, keepdim=keepdim), reductions.mean(input, dim, None, keepdim)


# --- places and shapes ----------------------------------------------------------------------------------


@operator("triangular_solve")
def triangular_solve(b: Any, A: Any, upper: Any = True, transpose: Any = False, unitriangular: Any = False) -> Any:
    """(the solution x of A @ x = b with one triangle of A, A)."""
    flag = evaluator().static(transpose, "transpose")
    return factorising.solve_triangular(A, b, int(flag), not evaluator().static(upper, "upper"), unitriangular), A


# --- creation -------------------------------------------------------------------------------------------


@operator("bincount_ext")
def bincount_ext(input: Any, weights: Any = None, minlength: Any = 0) -> Any:
    """How often each int comes, or the sums of the weights of each."""
    made = reducing.bincount(input, weights, minlength)
    return e.cast(made, dtype=i64 if weights is None else dtype_of_value(as_array(weights)))


@operator("randint_ext")
def randint_ext(
    *args: Any, low: Any = None, high: Any = None, size: Any = None, dtype: Any = None, generator: Any = None
) -> Any:
    """Ints from `low` (0 unless given) on and below `high`: `randint(high, size)` or `randint(low, high, size)`."""
    bounds = [*args]
    extents = bounds.pop() if size is None else size
    top = bounds.pop() if high is None else high
    least = bounds.pop() if bounds else 0 if low is None else low
    return sampling.randint(least, top, extents, dtype=dtype, generator=generator)


@operator("normal_ext")
def normal_ext(mean: Any = 0.0, std: Any = 1.0, size: Any = None, *, generator: Any = None) -> Any:
    """Normally distributed numbers, of a shape or as many as there are means and deviations."""
    return sampling.normal(() if size is None else size, mean, std, generator=generator)


@operator("bernoulli_ext")
def bernoulli_ext(input: Any, *, generator: Any = None) -> Any:
    """1 with the probability that an element is, else 0."""
    return sampling.bernoulli(input, input, generator=generator)


@operator("std_ext")
def std_ext(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> Any:
    """The standard deviation over axes, of n - correction degrees of freedom."""
    return reductions.std(input, dim, ddof=correction, keepdims=keepdim)


@operator("var_ext")
def var_ext(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> Any:
    """The variance over axes, of n - correction degrees of freedom."""
    return reductions.var(input, dim, ddof=correction, keepdims=keepdim)
