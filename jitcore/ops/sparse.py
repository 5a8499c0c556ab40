"""MindSpore's functions of sparse Tensors: plain functions, compiled as a program's own are."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore import ops
from jitcore.common.sparse_tensor import COOTensor, CSRTensor, RowTensorInner, to_coo, to_csr


def make_coo_tensor(indices: Any, values: Any, shape: Any) -> COOTensor:
    """`COOTensor(indices, values, shape)`."""
    return COOTensor(indices, values, shape)


def make_csr_tensor(indptr: Any, indices: Any, values: Any, shape: Any) -> CSRTensor:
    """`CSRTensor(indptr, indices, values, shape)`."""
    return CSRTensor(indptr, indices, values, shape)


def make_row_tensor(indices: Any, values: Any, shape: Any) -> RowTensorInner:
    """`RowTensor(indices, values, shape)`."""
    return RowTensorInner(indices, values, shape)


def dense_to_sparse_coo(tensor: Any) -> COOTensor:
    """The elements of a matrix that are not 0, with the place of each."""
    return to_coo(tensor)


def dense_to_sparse_csr(tensor: Any) -> CSRTensor:
    """The elements of a matrix that are not 0, row by row."""
    return to_csr(tensor)


def csr_to_dense(csr_tensor: Any) -> Any:
    """The Tensor with zeros everywhere else."""
    return csr_tensor.to_dense()


def csr_to_coo(tensor: Any) -> COOTensor:
    """The same values, with the place of each."""
    return tensor.to_coo()


def coo_to_dense(tensor: Any) -> Any:
    """The Tensor with zeros everywhere else."""
    return tensor.to_dense()


def coo_to_csr(tensor: Any) -> CSRTensor:
    """The same values, row by row."""
    return tensor.to_csr()


def csr_add(a: Any, b: Any, alpha: Any, beta: Any) -> CSRTensor:
    """alpha * a + beta * b."""
    return a.add(b, alpha, beta)


def csr_mul(x: Any, y: Any) -> CSRTensor:
    """The values times the elements of a Tensor at their places."""
    return x * y


def csr_div(x: Any, y: Any) -> CSRTensor:
    """The values over the elements of a Tensor at their places."""
    return x / y


def csr_mv(csr_tensor: Any, dense: Any) -> Any:
    """The product with a column."""
    return csr_tensor.mv(dense)


def csr_mm(
    a: Any, b: Any, trans_a: bool = False, trans_b: bool = False, adjoint_a: bool = False, adjoint_b: bool = False
) -> Any:
    """The product of a CSRTensor and a matrix, each of them perhaps transposed first: a CSRTensor if the matrix is
    one."""
    if trans_a or adjoint_a:
        a = to_csr(ops.transpose(a.to_dense(), (1, 0)))
    if trans_b or adjoint_b:
        b = to_csr(ops.transpose(b.to_dense(), (1, 0))) if isinstance(b, CSRTensor) else ops.transpose(b, (1, 0))
    return a.mm(b)


def csr_reduce_sum(csr_tensor: Any, axis: Any) -> Any:
    """The sums of the rows (m, 1, …): `axis` is 1."""
    return csr_tensor.sum(axis)


def csr_gather(indptr: Any, indices: Any, dense: Any, sparse_shape: Any) -> Any:
    """The elements of a Tensor at the places of a CSRTensor's values."""
    sparse = CSRTensor(indptr, indices, ops.zeros((indices.shape[0], *sparse_shape[2:])), sparse_shape)
    return ops.gather_nd(ops.broadcast_to(dense, sparse_shape), sparse.places())


def csr_softmax(logits: Any, dtype: Any = None) -> CSRTensor:
    """softmax over the values of each row."""
    return logits.softmax(dtype)


def sparse_add(x1: Any, x2: Any, thresh: Any) -> COOTensor:
    """The sum of COOTensors, without what is nearer to 0 than a threshold."""
    return x1.add(x2, thresh)


def coo_add(x1: Any, x2: Any, thresh: Any) -> COOTensor:
    """The sum of COOTensors, without what is nearer to 0 than a threshold."""
    return x1.add(x2, thresh)


def sparse_concat(sp_input: Any, concat_dim: int = 0) -> COOTensor:
    """COOTensors one behind the other along an axis."""
    if len(sp_input) < 2:
        raise ValueError(f"At least two COOTensors are joined, not {len(sp_input)}.")
    axis = concat_dim + len(sp_input[0].shape) if concat_dim < 0 else concat_dim
    moved = []
    start = 0
    for part in sp_input:
        columns = [part.indices[:, k] + (start if k == axis else 0) for k in range(len(part.shape))]
        moved.append(ops.stack(columns, 1))
        start = start + part.shape[axis]
    shape = tuple([start if k == axis else extent for k, extent in enumerate(sp_input[0].shape)])
    return COOTensor(ops.concat(moved), ops.concat([part.values for part in sp_input]), shape)


def coo_concat(sp_input: Any, concat_dim: int = 0) -> COOTensor:
    """COOTensors one behind the other along an axis."""
    return sparse_concat(sp_input, concat_dim)


_UNARY: Final = (
    "abs", "acos", "acosh", "asin", "asinh", "atan", "atanh", "ceil", "cos", "cosh", "exp", "expm1", "floor", "inv",
    "isfinite", "isinf", "isnan", "log", "log1p", "neg", "relu", "relu6", "round", "sigmoid", "sin", "sinh",
    "softsign", "sqrt", "square", "tan", "tanh",
)  # fmt: skip


def _of_values(name: str) -> Callable[[Any], Any]:
    function = getattr(ops, name)

    def apply(x: Any) -> Any:
        return x.with_values(function(x.values))

    apply.__doc__ = f"`{name}` of the values; the other elements stay zeros."
    return apply


for _name in _UNARY:
    globals()[f"csr_{_name}"] = globals()[f"coo_{_name}"] = _of_values(_name)
