"""Operators of `mindspore.mint` whose namesakes in `ops` mean something else: these take PyTorch's parameters."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import sets, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    promote,
    rank_of,
    shape_of,
)
from jitcore.library.linalg import matrices
from jitcore.library.math import comparisons, composed, elementwise
from jitcore.library.math.elementwise import add, multiply, subtract
from jitcore.library.mindspore import factorising, gathering, reducing, sorting
from jitcore.library.nn import dense
from jitcore.library.random import sampling
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops import elementwise as e
from jitcore.types import DType, bool_, i64

operator("gather_ext")(gathering.gather_elements)


@operator("add_ext .add")
def add_ext(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input + alpha * other."""
    return add(input, _scaled(input, other, alpha))


def _scaled(input: Any, other: Any, alpha: Any) -> Any:
    """alpha * other, in the dtype of input + other where other is a number."""
    if type(alpha) is int and alpha == 1:
        return other
    return multiply(other if is_array(other) else promote("add", input, other)[1], alpha)


@operator("sub_ext .sub")
def sub_ext(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input - alpha * other."""
    return subtract(input, _scaled(input, other, alpha))


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


def _truth(value: Any) -> Any:
    """A bool of an array of one."""
    return conversions.to_scalar(as_array(value))


@operator("equal_ext")
def equal_ext(input: Any, other: Any) -> Any:
    """Whether shapes and all elements are the same: a bool."""
    a, b = as_array(input), as_array(other)
    return shape_of(a) == shape_of(b) and _truth(reductions.all(comparisons.equal(a, b)))


@operator("allclose_ext")
def allclose_ext(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all elements are close: a bool."""
    return _truth(reductions.all(composed.isclose(input, other, rtol, atol, equal_nan)))


# --- order ----------------------------------------------------------------------------------------------


@operator("sort_ext")
def sort_ext(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    """(the elements along an axis in order, their places)."""
    del stable  # it always is
    values, places = sorting.sort(input, dim, descending)
    return values, e.cast(places, dtype=i64)


@operator("argsort_ext")
def argsort_ext(input: Any, dim: Any = -1, descending: Any = False, stable: Any = False) -> Any:
    """The places of the elements along an axis in order."""
    return sort_ext(input, dim, descending, stable)[1]


@operator("topk_ext")
def topk_ext(input: Any, k: Any, dim: Any = -1, largest: Any = True, sorted: Any = True) -> Any:
    """(the k largest elements along an axis, their places)."""
    values, places = sorting.topk(input, k, dim, largest, sorted)
    return values, e.cast(places, dtype=i64)


# --- places and shapes ----------------------------------------------------------------------------------


@operator("index_add_ext")
def index_add_ext(input: Any, dim: Any, index: Any, source: Any, *, alpha: Any = 1) -> Any:
    """The input with `alpha` times slices of another array added at indices along an axis."""
    return gathering.index_add(input, index, multiply(source, alpha), dim)


operator("scatter_add_ext")(gathering.scatter_add_elements)


@operator("clone")
def clone(input: Any) -> Any:
    """A copy."""
    return elementwise.copy(input)


@operator("item")
def item(input: Any) -> Any:
    """The number in an array of one element."""
    a = as_array(input)
    return conversions.to_scalar(shapes.reshape(a, ()) if rank_of(a) else a)


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


@operator("unique_ext")
def unique_ext(
    input: Any, sorted: Any = True, return_inverse: Any = False, return_counts: Any = False, dim: Any = None
) -> Any:
    """The distinct elements in order; with it for each element the place of its value, and how often each comes."""
    del sorted  # they always are
    return sets.unique(input, False, return_inverse, return_counts, dim)


@operator(".unique")
def unique_method(input: Any, *args: Any, **keywords: Any) -> Any:
    """(the values in the order they first come, for each element the place of its value); as `unique_ext` if options
    are given."""
    return unique_ext(input, *args, **keywords) if args or keywords else sorting.unique(input)
