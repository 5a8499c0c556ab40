"""Sparse Tensors: values with their places, row by row (CSR), one by one (COO), or as whole rows.

They are plain objects of Tensors: compiled code makes and takes them as it does objects of the user's classes.
"""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.library.operators import METHODS
from jitcore.runtime.tensor import Tensor
from jitcore.types import i16, i32, i64


def _check_places(kind: str, name: str, value: Any) -> None:
    if not isinstance(value, Tensor):
        raise TypeError(f"{name} of {kind} must be a Tensor, not {type(value).__name__}.")
    if value.dtype not in (i16, i32, i64):
        raise TypeError(f"{name} of {kind} must be of int16, int32 or int64, not {value.dtype}.")


def _check_shape(kind: str, shape: Any) -> None:
    if not isinstance(shape, tuple):
        raise TypeError(f"The shape of {kind} must be a tuple of ints, not {type(shape).__name__}.")
    for extent in shape:
        if isinstance(extent, bool) or not isinstance(extent, int):
            raise TypeError(f"The shape of {kind} must be a tuple of ints, but has a {type(extent).__name__}.")
        if extent <= 0:
            raise ValueError(f"The extents of {kind} must be positive, but one is {extent}.")


def _check_values(kind: str, values: Any) -> None:
    if not isinstance(values, Tensor):
        raise TypeError(f"The values of {kind} must be a Tensor, not {type(values).__name__}.")


class _Sparse:
    """What sparse Tensors have in common: values, and a shape."""

    __jitcore_open__ = True
    values: Any
    shape: Any

    @property
    def dtype(self) -> Any:
        """The dtype of the values."""
        return self.values.dtype

    @property
    def size(self) -> Any:
        """The number of values."""
        return self.values.size

    @property
    def itemsize(self) -> Any:
        """The bytes of a value."""
        return self.values.itemsize

    @property
    def ndim(self) -> Any:
        """The number of axes."""
        return len(self.shape)

    def with_values(self, values: Any) -> Any:
        """Other values at the same places."""
        raise NotImplementedError

    def _at_places(self, dense: Any) -> Any:
        """The elements of an array, stretched to the shape, at the places of the values; a number itself."""
        raise NotImplementedError

    def astype(self, dtype: Any) -> Any:
        """The values in another dtype."""
        return self.with_values(self.values.astype(dtype))

    def abs(self) -> Any:
        """The values' magnitudes."""
        return self.with_values(ops.abs(self.values))

    def to_dense(self) -> Any:
        """The Tensor with zeros everywhere else; values of one place are added."""
        raise NotImplementedError

    def __neg__(self) -> Any:
        return self.with_values(-self.values)

    def __mul__(self, other: Any) -> Any:
        return self.with_values(self.values * self._at_places(other))

    def __rmul__(self, other: Any) -> Any:
        return self * other

    def __truediv__(self, other: Any) -> Any:
        return self.with_values(self.values / self._at_places(other))

    def __radd__(self, other: Any) -> Any:
        return other + self.to_dense()

    def __rsub__(self, other: Any) -> Any:
        return other - self.to_dense()

    def __repr__(self) -> str:
        places = ", ".join(f"{k}={v!r}" for k, v in vars(self).items() if k != "shape")
        return f"{type(self).__name__}(shape={list(self.shape)}, dtype={self.dtype}, {places})"


class COOTensor(_Sparse):
    """Values (N,) at `indices` (N, 2), one place a row.

    >>> from jitcore import COOTensor, Tensor
    >>> COOTensor(Tensor([[0, 1], [1, 0]]), Tensor([1.0, 2.0]), (2, 2)).to_dense()
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 0.00000000e+00,  1.00000000e+00],
     [ 2.00000000e+00,  0.00000000e+00]])
    """

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, coo_tensor: Any = None) -> None:
        if coo_tensor is not None:
            if indices is not None or values is not None or shape is not None:
                raise TypeError("If coo_tensor is given, indices, values and shape must be None.")
            if not isinstance(coo_tensor, COOTensor):
                raise TypeError(f"coo_tensor must be a COOTensor, not {type(coo_tensor).__name__}.")
            self.indices, self.values, self.shape = coo_tensor.indices, coo_tensor.values, coo_tensor.shape
        else:
            _check_places("COOTensor", "indices", indices)
            _check_values("COOTensor", values)
            _check_shape("COOTensor", shape)
            if values.ndim != 1:
                raise ValueError(f"The values of COOTensor must have one axis, not {values.ndim}.")
            if indices.ndim == 2:
                if indices.shape[1] != len(shape):
                    raise ValueError(f"indices have {indices.shape[1]} columns for a COOTensor of {len(shape)} axes.")
                if indices.shape[0] != values.shape[0]:
                    raise ValueError(f"There are {indices.shape[0]} indices for {values.shape[0]} values.")
            elif indices.size > 0:
                raise ValueError(f"The indices of COOTensor must have two axes, not {indices.ndim}.")
            self.indices, self.values, self.shape = ops.stop_gradient(indices), values, shape

    def with_values(self, values: Any) -> COOTensor:
        return COOTensor(self.indices, values, self.shape)

    def _at_places(self, dense: Any) -> Any:
        if not isinstance(dense, Tensor) or dense.ndim == 0:
            return dense
        return ops.gather_nd(ops.broadcast_to(dense, self.shape), self.indices)

    def _keys(self) -> Any:
        """The places as numbers, in the order of the elements."""
        key = self.indices[:, 0]
        for axis in range(1, len(self.shape)):
            key = key * self.shape[axis] + self.indices[:, axis]
        return key

    def to_tuple(self) -> tuple[Any, Any, Any]:
        """(indices, values, shape)."""
        return self.indices, self.values, self.shape

    def to_dense(self) -> Any:
        """The Tensor with zeros everywhere else; values of one place are added."""
        if self.indices.ndim < 2:
            return ops.zeros(self.shape, self.values.dtype)
        return ops.tensor_scatter_add(ops.zeros(self.shape, self.values.dtype), self.indices, self.values)

    def to_csr(self) -> CSRTensor:
        """The same values, row by row."""
        order = ops.argsort(self._keys())
        rows, columns = self.indices[:, 0][order], self.indices[:, 1][order]
        starts = ops.searchsorted(rows, ops.arange(self.shape[0] + 1))
        return CSRTensor(starts.astype(self.indices.dtype), columns, self.values[order], self.shape)

    def coalesce(self) -> COOTensor:
        """The places in order, each of them once: its values are added."""
        keys = self._keys()
        order = ops.argsort(keys)
        ordered = keys[order]
        is_first = ops.concat((ops.ones((1,), ops.dtype(ordered)), ordered[1:] - ordered[:-1])) != 0
        firsts = ops.nonzero(is_first)[:, 0]
        group = ops.cumsum(is_first.astype(i64), 0) - 1
        zeros = ops.zeros((firsts.shape[0],), self.values.dtype)
        added = ops.tensor_scatter_add(zeros, ops.expand_dims(group, 1), self.values[order])
        return COOTensor(self.indices[order][firsts], added, self.shape)

    def add(self, other: Any, thresh: Any) -> COOTensor:
        """The sum with another COOTensor, without what is nearer to 0 than a threshold."""
        if not isinstance(other, COOTensor):
            raise TypeError(f"The other operand must be a COOTensor, not {type(other).__name__}.")
        if not isinstance(thresh, Tensor):
            raise TypeError(f"The threshold must be a Tensor, not {type(thresh).__name__}.")
        whole = self + other
        kept = ops.nonzero(ops.abs(whole.values) >= thresh)[:, 0]
        return COOTensor(whole.indices[kept], whole.values[kept], self.shape)

    def __add__(self, other: Any) -> Any:
        if isinstance(other, COOTensor):
            if other.shape != self.shape:
                raise ValueError(f"COOTensors of the shapes {self.shape} and {other.shape} cannot be added.")
            indices = ops.concat((self.indices, other.indices.astype(self.indices.dtype)))
            return COOTensor(indices, ops.concat((self.values, other.values)), self.shape).coalesce()
        return self.to_dense() + other

    def __sub__(self, other: Any) -> Any:
        return self + -other if isinstance(other, COOTensor) else self.to_dense() - other


class CSRTensor(_Sparse):
    """Values (N, …) row by row: those of row i are `indptr[i]` to `indptr[i + 1]`, and `indices` (N,) are their
    columns.

    >>> from jitcore import CSRTensor, Tensor
    >>> CSRTensor(Tensor([0, 1, 2]), Tensor([1, 0]), Tensor([1.0, 2.0]), (2, 2)).to_dense()
    Tensor(shape=[2, 2], dtype=Float32, value=
    [[ 0.00000000e+00,  1.00000000e+00],
     [ 2.00000000e+00,  0.00000000e+00]])
    """

    def __init__(
        self, indptr: Any = None, indices: Any = None, values: Any = None, shape: Any = None, csr_tensor: Any = None
    ) -> None:
        if csr_tensor is not None:
            if indptr is not None or indices is not None or values is not None or shape is not None:
                raise TypeError("If csr_tensor is given, indptr, indices, values and shape must be None.")
            if not isinstance(csr_tensor, CSRTensor):
                raise TypeError(f"csr_tensor must be a CSRTensor, not {type(csr_tensor).__name__}.")
            self.indptr, self.indices = csr_tensor.indptr, csr_tensor.indices
            self.values, self.shape = csr_tensor.values, csr_tensor.shape
        else:
            _check_places("CSRTensor", "indptr", indptr)
            _check_places("CSRTensor", "indices", indices)
            _check_values("CSRTensor", values)
            _check_shape("CSRTensor", shape)
            if indptr.ndim != 1 or indices.ndim != 1:
                raise ValueError("indptr and indices of CSRTensor must have one axis.")
            if values.ndim + 1 != len(shape):
                raise ValueError(
                    f"The values of a CSRTensor of {len(shape)} axes must have {len(shape) - 1}, not {values.ndim}."
                )
            if indices.shape[0] != values.shape[0]:
                raise ValueError(f"There are {indices.shape[0]} indices for {values.shape[0]} values.")
            if indptr.shape[0] != shape[0] + 1:
                raise ValueError(f"indptr has {indptr.shape[0]} elements for {shape[0]} rows: it must have one more.")
            self.indptr, self.indices = ops.stop_gradient(indptr), ops.stop_gradient(indices)
            self.values, self.shape = values, shape

    def _rows(self) -> Any:
        """The row of each value."""
        numbers = ops.arange(self.indices.shape[0])
        return ops.searchsorted(self.indptr[1:], numbers, right=True).astype(self.indices.dtype)

    def places(self) -> Any:
        """The row and the column of each value."""
        return ops.stack((self._rows(), self.indices), 1)

    def with_values(self, values: Any) -> CSRTensor:
        return CSRTensor(self.indptr, self.indices, values, self.shape)

    def _at_places(self, dense: Any) -> Any:
        if not isinstance(dense, Tensor) or dense.ndim == 0:
            return dense
        return ops.gather_nd(ops.broadcast_to(dense, self.shape), self.places())

    def _added(self, each: Any) -> Any:
        """The sums of each row of what there is for each value."""
        zeros = ops.zeros((self.shape[0], *each.shape[1:]), each.dtype)
        return ops.tensor_scatter_add(zeros, ops.expand_dims(self._rows(), 1), each)

    def to_tuple(self) -> tuple[Any, Any, Any, Any]:
        """(indptr, indices, values, shape)."""
        return self.indptr, self.indices, self.values, self.shape

    def to_dense(self) -> Any:
        """The Tensor with zeros everywhere else; values of one place are added."""
        return ops.tensor_scatter_add(ops.zeros(self.shape, self.values.dtype), self.places(), self.values)

    def to_coo(self) -> COOTensor:
        """The same values, with the place of each."""
        if len(self.shape) != 2:
            raise ValueError(f"Only a CSRTensor of 2 axes has a COOTensor, not one of {len(self.shape)}.")
        return COOTensor(self.places(), self.values, self.shape)

    def mv(self, dense_vector: Any) -> Any:
        """The product with a column (n, 1): a column (m, 1)."""
        return self.mm(dense_vector)

    def mm(self, matrix: Any) -> Any:
        """The product with a matrix: a Tensor, or a CSRTensor if the matrix is one."""
        if isinstance(matrix, CSRTensor):
            return to_csr(self.mm(matrix.to_dense()))
        if matrix.shape[0] != self.shape[1]:
            raise ValueError(
                f"A matrix of {matrix.shape[0]} rows cannot follow a CSRTensor of {self.shape[1]} columns."
            )
        if matrix.ndim == 1:
            return self._added(self.values * matrix[self.indices])
        return self._added(ops.expand_dims(self.values, 1) * matrix[self.indices])

    def sum(self, axis: Any) -> Any:
        """The sums of the rows (m, 1, …): `axis` is 1."""
        if axis not in (1, 1 - len(self.shape)):
            raise ValueError(f"The axis of a CSRTensor's sum is 1, not {axis}.")
        return ops.expand_dims(self._added(self.values), 1)

    def softmax(self, dtype: Any = None) -> CSRTensor:
        """softmax over the values of each row, as if the others were -inf."""
        x = self.values if dtype is None else self.values.astype(dtype)
        rows = self._rows()
        least = ops.zeros((self.shape[0],), x.dtype) + ops.reduce_min(x)
        top = ops.tensor_scatter_max(least, ops.expand_dims(rows, 1), x)
        shares = ops.exp(x - top[rows])
        return self.with_values(shares / self._added(shares)[rows])

    def add(self, b: Any, alpha: Any, beta: Any) -> CSRTensor:
        """alpha * self + beta * b."""
        if not isinstance(b, CSRTensor):
            raise TypeError(f"The other operand must be a CSRTensor, not {type(b).__name__}.")
        return (self.to_coo() * alpha + b.to_coo() * beta).to_csr()

    def __add__(self, other: Any) -> Any:
        return (self.to_coo() + other.to_coo()).to_csr() if isinstance(other, CSRTensor) else self.to_dense() + other

    def __sub__(self, other: Any) -> Any:
        return (self.to_coo() - other.to_coo()).to_csr() if isinstance(other, CSRTensor) else self.to_dense() - other


class RowTensorInner:
    """Rows `values` (N, …) at `indices` (N,) of a Tensor of the shape `dense_shape` whose other rows are zeros."""

    __jitcore_open__ = True

    def __init__(self, indices: Any = None, values: Any = None, shape: Any = None, row_tensor: Any = None) -> None:
        if row_tensor is not None:
            self.indices, self.values, self.dense_shape = row_tensor.indices, row_tensor.values, row_tensor.dense_shape
        else:
            _check_places("RowTensor", "indices", indices)
            _check_values("RowTensor", values)
            _check_shape("RowTensor", shape)
            if indices.ndim != 1 or indices.shape[0] != values.shape[0]:
                raise ValueError("RowTensor has one index for each row of its values.")
            if values.ndim != len(shape):
                raise ValueError(
                    f"The rows of a RowTensor of {len(shape)} axes must have {len(shape)}, not {values.ndim}."
                )
            self.indices, self.values, self.dense_shape = indices, values, shape

    def __repr__(self) -> str:
        return f"RowTensor(shape={list(self.dense_shape)}, indices={self.indices!r}, values={self.values!r})"


class RowTensor(RowTensorInner):
    """As `RowTensorInner`."""


SparseTensor = COOTensor


def to_coo(dense: Any) -> COOTensor:
    """The elements of a matrix that are not 0, with the place of each."""
    if dense.ndim != 2:
        raise ValueError(f"Only a Tensor of 2 axes has a COOTensor, not one of {dense.ndim}.")
    places = ops.nonzero(dense).astype(i32)
    return COOTensor(places, ops.gather_nd(dense, places), dense.shape)


def to_csr(dense: Any) -> CSRTensor:
    """The elements of a matrix that are not 0, row by row."""
    places = to_coo(dense)
    starts = ops.searchsorted(places.indices[:, 0], ops.arange(dense.shape[0] + 1)).astype(i32)
    return CSRTensor(starts, places.indices[:, 1], places.values, dense.shape)


for _name, _method in (("to_coo", to_coo), ("to_csr", to_csr)):
    METHODS[_name] = _method
    setattr(Tensor, _name, _method)
