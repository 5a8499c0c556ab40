"""Operators that belong to no larger family: margins, in-place updates, and those that only show something."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import scatter
from jitcore.library.core.declarations import operator
from jitcore.library.linalg import products
from jitcore.library.math import elementwise

# --- elements and rows --------------------------------------------------------------------------------


@operator("SparseToDense")
def sparse_to_dense(indices: Any, values: Any, sparse_shape: Any) -> Any:
    """Zeros of a shape with values at index vectors."""
    return scatter.scatter_nd(indices, values, sparse_shape)


@operator("SparseTensorDenseMatmul")
def sparse_tensor_dense_matmul(
    indices: Any, values: Any, sparse_shape: Any, dense: Any, *, adjoint_st: Any = False, adjoint_dt: Any = False
) -> Any:
    """The product of a sparse matrix, given by its elements and their places, and a dense one."""
    whole = scatter.scatter_nd(indices, values, sparse_shape)
    return products.batched_matmul(whole, dense, bool(adjoint_st), bool(adjoint_dt))


@operator("SparseTensorDenseAdd")
def sparse_tensor_dense_add(x1_indices: Any, x1_values: Any, x1_shape: Any, x2: Any) -> Any:
    """The sum of a sparse Tensor and a dense one."""
    return elementwise.add(scatter.scatter_nd(x1_indices, x1_values, x1_shape), x2)
