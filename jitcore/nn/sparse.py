"""Layers of sparse Tensors."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.common.sparse_tensor import COOTensor
from jitcore.nn.cell import Cell


class SparseToDense(Cell):
    """The Tensor that a COOTensor stands for."""

    def construct(self, coo_tensor: Any) -> Any:
        """The Tensor with zeros everywhere else."""
        return coo_tensor.to_dense()


class SparseTensorDenseMatmul(Cell):
    """The product of a sparse matrix and a dense one, each of them transposed first if `adjoint_st` and `adjoint_dt`
    say so."""

    def __init__(self, adjoint_st: Any = False, adjoint_dt: Any = False) -> None:
        super().__init__()
        for name, value in (("adjoint_st", adjoint_st), ("adjoint_dt", adjoint_dt)):
            if not isinstance(value, bool):
                raise TypeError(f"{name} of SparseTensorDenseMatmul must be a bool, not {type(value).__name__}.")
        self.adjoint_st, self.adjoint_dt = adjoint_st, adjoint_dt

    def construct(self, indices: Any, values: Any, sparse_shape: Any, dense: Any) -> Any:
        """The product for values (N,) at places (N, 2)."""
        whole = COOTensor(indices, values, sparse_shape).to_dense()
        return ops.matmul(whole.T if self.adjoint_st else whole, dense.T if self.adjoint_dt else dense)
