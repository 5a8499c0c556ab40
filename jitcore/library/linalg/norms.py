"""Norms and distances of vectors and matrices."""

from __future__ import annotations

from typing import Any, cast

import numpy as np

from jitcore.library.array import indexing, shapes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axis,
    rank_of,
    shape_of,
    static_flag,
    static_int,
)
from jitcore.library.linalg import matrices
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import factorisation as f
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.types import i64


@operator("norm .norm")
def norm(A: Any, ord: Any = None, dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The norm over `dim` (None: of all elements, as one vector)."""
    a = A if dtype is None else elementwise.astype(A, dtype)
    if dim is None and ord is not None and rank_of(as_array(a)) != 1 and ord != "fro":
        if rank_of(as_array(a)) != 2:
            raise ValueError("For 'norm', the input must be 1D or 2D when 'dim' is None and 'ord' is given.")
        return matrix_norm(a, ord, (0, 1), keepdim)
    if isinstance(dim, tuple | list) and len(dim) == 2 and ord is not None and ord != "fro":
        return matrix_norm(a, ord, tuple(dim), keepdim)
    return reductions.norm_of_order(a, None if ord == "fro" else ord, dim, keepdim)


@operator("norm_ext")
def norm_ext(input: Any, p: Any = "fro", dim: Any = None, keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The norm of the elements, over axes, as those of one vector; 'nuc' is that of matrices."""
    a = as_array(input, None if dtype is None else as_dtype(dtype))
    order = evaluator().static(p, "p")
    if order == "nuc":
        return matrices.norm(a, order, dim, keepdim)
    return _vector_norm(a, 2 if order in (None, "fro") else order, dim, keepdim)


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


@operator("EuclideanNorm")
def euclidean_norm(x: Any, axes: Any, *, keep_dims: Any = False) -> Any:
    """The square root of the sum of squares over axes."""
    return reductions.norm(x, axes, keep_dims)


@operator("pdist")
def pdist(input: Any, p: Any = 2.0) -> Any:
    """The p-norms of the differences of all pairs of rows."""
    a = as_float(input)
    n = static_int(evaluator().number(shape_of(a)[0]), "the number of rows")
    first, second = (evaluator().constant(v, i64) for v in np.triu_indices(n, 1))
    return reductions.norm_of_order(e.sub(indexing.take(a, first, 0), indexing.take(a, second, 0)), p, -1)


@operator("matrix_norm")
def matrix_norm(A: Any, ord: Any = "fro", axis: Any = (-2, -1), keepdims: Any = False, *, dtype: Any = None) -> Any:
    """A norm of matrices: 'fro', 'nuc', inf, -inf, 1, -1, 2, -2."""
    a = as_float(A) if dtype is None else as_array(as_array(A), dtype)
    rows, columns = (static_int(k, "an axis") % rank_of(a) for k in cast("tuple[Any, Any]", axis))
    moved = shapes.moveaxis(a, (rows, columns), (-2, -1))
    how, kept = evaluator().static(ord, "ord"), static_flag(keepdims, "keepdims")
    made = _norm_of(moved, how)
    return s.expand_dims(made, axis=tuple(sorted((rows, columns)))) if kept else made


@operator("matrix_norm_ext")
def matrix_norm_ext(A: Any, ord: Any = "fro", dim: Any = (-2, -1), keepdim: Any = False, *, dtype: Any = None) -> Any:
    """The norm of matrices."""
    return matrix_norm(A, ord, dim, keepdim, dtype=dtype)


def _norm_of(a: Any, how: Any) -> Any:
    rank = rank_of(a)
    size = e.abs(a) if dtype_of_value(a).kind != "c" else None
    if how == "fro":
        squares = e.mul(a, a) if size is not None else e.add(*(e.mul(p, p) for p in (e.real(a), e.imag(a))))
        return t.sqrt(r.reduce_sum(squares, axis=(rank - 2, rank - 1), keepdims=False))
    if how in (1, -1, float("inf"), -float("inf")):
        if size is None:
            raise TypeError("For 'matrix_norm', complex matrices have the norms 'fro', 'nuc', 2 and -2.")
        sums = r.reduce_sum(size, axis=(rank - 2 if how in (1, -1) else rank - 1,), keepdims=False)
        return (r.reduce_max if how > 0 else r.reduce_min)(sums, axis=(rank - 2,), keepdims=False)
    values = f.svd(a, full=False)[0]
    if how == "nuc":
        return r.reduce_sum(values, axis=(rank - 2,), keepdims=False)
    if how in (2, -2):
        return (r.reduce_max if how > 0 else r.reduce_min)(values, axis=(rank - 2,), keepdims=False)
    raise ValueError(f"For 'matrix_norm', the ord {how!r} is not supported.")


@operator("NuclearNorm")
def nuclear_norm(x: Any, *, dim: Any = None, keepdim: Any = False) -> Any:
    """The sum of the singular values."""
    axes = (0, 1) if dim is None else dim
    return matrix_norm(x, "nuc", axes, keepdim)


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
