"""Variances, standard deviations, covariances."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, evaluator, rank_of, shape_of, static_int
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import true_divide
from jitcore.library.statistics import reductions
from jitcore.library.statistics.axis_reductions import all_if_empty
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s


def _freedom(ddof: Any) -> Any:
    """`ddof` or, as a bool, torch's `unbiased`."""
    found = evaluator().static(ddof, "ddof")
    return int(found)


@operator("var .var")
def var(input: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The variance over `axis` (None: all)."""
    return reductions.var(input, all_if_empty(axis), _freedom(ddof), keepdims)


@operator("var_ext")
def var_ext(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> Any:
    """The variance over axes, of n - correction degrees of freedom."""
    return reductions.var(input, dim, ddof=correction, keepdims=keepdim)


@operator("std .std")
def std(input: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The standard deviation over `axis` (None: all)."""
    return reductions.std(input, all_if_empty(axis), _freedom(ddof), keepdims)


@operator("std_ext")
def std_ext(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> Any:
    """The standard deviation over axes, of n - correction degrees of freedom."""
    return reductions.std(input, dim, ddof=correction, keepdims=keepdim)


@operator("var_mean .var_mean")
def var_mean(input: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """(variance, mean)."""
    return var(input, axis, ddof, keepdims), reductions.mean(input, all_if_empty(axis), None, keepdims)


@operator("var_mean_ext")
def var_mean_ext(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> Any:
    """(the variance over axes, the mean)."""
    return var_ext(input, dim, correction=correction, keepdim=keepdim), reductions.mean(input, dim, None, keepdim)


@operator("std_mean .std_mean")
def std_mean(input: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """(standard deviation, mean)."""
    return std(input, axis, ddof, keepdims), reductions.mean(input, all_if_empty(axis), None, keepdims)


@operator("std_mean_ext")
def std_mean_ext(input: Any, dim: Any = None, *, correction: Any = 1, keepdim: Any = False) -> Any:
    """(the standard deviation over axes, the mean)."""
    return std_ext(input, dim, correction=correction, keepdim=keepdim), reductions.mean(input, dim, None, keepdim)


@operator("ReduceStd")
def reduce_std(x: Any, *, axis: Any = (), unbiased: Any = True, keep_dims: Any = False) -> Any:
    """(standard deviation, mean), the deviation with one degree of freedom less if `unbiased`."""
    return std_mean(x, axis, int(evaluator().static(unbiased, "unbiased")), keep_dims)


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
