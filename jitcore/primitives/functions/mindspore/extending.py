"""Operators of `mindspore.mint` whose namesakes in `ops` mean something else: these take PyTorch's parameters."""

from __future__ import annotations

from typing import Any

from jitcore.primitives.functions import creation, neural, reductions, sets, shapes
from jitcore.primitives.functions.elementwise import add, as_dtype, multiply, subtract
from jitcore.primitives.functions.mindspore import gathering, reducing
from jitcore.primitives.functions.mindspore.registry import operator
from jitcore.types import f32

operator("gather_ext")(gathering.gather_elements)


@operator("add_ext")
def add_ext(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input + alpha * other."""
    return add(input, other if type(alpha) is int and alpha == 1 else multiply(other, alpha))


@operator("sub_ext")
def sub_ext(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input - alpha * other."""
    return subtract(input, other if type(alpha) is int and alpha == 1 else multiply(other, alpha))


@operator("transpose_ext")
def transpose_ext(input: Any, dim0: Any, dim1: Any) -> Any:
    """The input with two axes exchanged."""
    return shapes.swapaxes(input, dim0, dim1)


@operator("linear")
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input @ weight.T + bias."""
    return neural.dense(input, weight, bias)


def _extents(size: tuple[Any, ...]) -> Any:
    return size[0] if len(size) == 1 and isinstance(size[0], list | tuple) else size


@operator("zeros_ext")
def zeros_ext(*size: Any, dtype: Any = None) -> Any:
    """Zeros; the extents one by one, or as a tuple."""
    return creation.zeros(_extents(size), f32 if dtype is None else as_dtype(dtype))


@operator("ones_ext")
def ones_ext(*size: Any, dtype: Any = None) -> Any:
    """Ones; the extents one by one, or as a tuple."""
    return creation.ones(_extents(size), f32 if dtype is None else as_dtype(dtype))


@operator("max_ext")
def max_ext(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The largest element, or along an axis (the largest elements, their places)."""
    return reductions.max(input) if dim is None else reducing.maximum_of(input, dim, keepdim)


@operator("min_ext")
def min_ext(input: Any, dim: Any = None, keepdim: Any = False) -> Any:
    """The smallest element, or along an axis (the smallest elements, their places)."""
    return reductions.min(input) if dim is None else reducing.minimum_of(input, dim, keepdim)


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
