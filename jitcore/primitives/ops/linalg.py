"""Products of matrices and vectors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.kernel.build import Template
from jitcore.primitives.core import batching, broadcasting
from jitcore.primitives.core.batching import Operand
from jitcore.primitives.core.contracting import Access, contract, index
from jitcore.primitives.core.registry import KernelTemplate, Multilinear, Primitive, Sample, declare
from jitcore.primitives.core.rules import array, broadcast, common_dtype, differ, tensor_type
from jitcore.primitives.core.sampling import mixed, spread
from jitcore.primitives.ops import shape
from jitcore.types import Dim, Shape, TensorType, Type, bool_, broadcast_shapes, c128, f32, i64, u8

_SIGNATURE = "gufunc signature (n?,k),(k,m?)->(n?,m?)"


def _matmul_rule(x: Type, y: Type) -> Type:
    a, b = array(x), array(y)
    dtype = common_dtype((a, b), "matmul")
    for k, operand in enumerate((a, b)):
        if operand.rank == 0:
            raise ValueError(
                f"matmul: Input operand {k} does not have enough dimensions "
                f"(has 0, gufunc core with signature (n?,k),(k,m?)->(n?,m?) requires 1)"
            )
    inner_axis = max(b.rank - 2, 0)
    if differ(a.shape[-1], b.shape[inner_axis]):
        raise ValueError(
            f"matmul: Input operand 1 has a mismatch in its core dimension 0, with {_SIGNATURE} "
            f"(size {b.shape[inner_axis]} is different from {a.shape[-1]})"
        )
    batch = broadcast(a.shape[:-2], b.shape[:-2])
    rows = a.shape[-2:-1]
    columns = b.shape[-1:] if b.rank > 1 else ()
    return TensorType(dtype, (*batch, *rows, *columns))


def _matmul_reference(x: Any, y: Any) -> Any:
    with np.errstate(all="ignore"):
        return np.asarray(np.matmul(x, y)).astype(np.asarray(x).dtype, copy=False)


def _batch_index(extents: Shape, rank: int) -> list[Any]:
    """The indices of an operand's batch axes, among `rank` broadcast ones."""
    first = rank - len(extents)
    return [index() if d == 1 else index(f"batch{first + k}") for k, d in enumerate(extents)]


def _matmul_kernel(t: Template, x: str, y: str) -> None:
    a, b, c = (t.layouts[name].shape for name in (x, y, t.outs[0]))
    batch = broadcast_shapes(a[:-2], b[:-2])[0]
    rank = len(batch)
    extents: list[tuple[str, str, Dim]] = [(f"batch{k}", "batch", d) for k, d in enumerate(batch)]
    rows, columns = len(a) > 1, len(b) > 1
    if rows:
        extents.append(("row", "m", a[-2]))
    if columns:
        extents.append(("column", "n", b[-1]))
    extents.append(("inner", "k", a[-1]))
    row = [index("row")] if rows else []
    column = [index("column")] if columns else []
    contract(
        t,
        extents,
        Access(x, (*_batch_index(a[:-2], rank), *row, index("inner"))),
        Access(y, (*_batch_index(b[:-2], rank), index("inner"), *column)),
        Access(t.outs[0], (*_batch_index(c[:rank], rank), *row, *column)),
    )


def _as_matrices(ct: Any, x: Any, y: Any) -> tuple[Any, Any, Any]:
    """The cotangent and operands of a product with vectors made matrices of one row or column."""
    if tensor_type(y).rank == 1:
        y = shape.expand_dims(y, axis=(1,))
        ct = shape.expand_dims(ct, axis=(tensor_type(ct).rank,))
    if tensor_type(x).rank == 1:
        x = shape.expand_dims(x, axis=(0,))
        ct = shape.expand_dims(ct, axis=(tensor_type(ct).rank - 1,))
    return ct, x, y


def swap_last(x: Any) -> Any:
    """The transposes of a stack of matrices."""
    rank = tensor_type(x).rank
    return shape.transpose(x, permutation=(*range(rank - 2), rank - 1, rank - 2))


def _by_left(ct: Any, x: Any, y: Any) -> Any:
    ct, left, right = _as_matrices(ct, x, y)
    whole = broadcasting.sum_to_shape(matmul(ct, swap_last(right)), tensor_type(left).shape)
    return broadcasting.with_shape(whole, tensor_type(x).shape)


def _by_right(ct: Any, x: Any, y: Any) -> Any:
    ct, left, right = _as_matrices(ct, x, y)
    whole = broadcasting.sum_to_shape(matmul(swap_last(left), ct), tensor_type(right).shape)
    return broadcasting.with_shape(whole, tensor_type(y).shape)


def _matmul_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 3)), spread((3, 4))))
    yield Sample((spread((3,)), spread((3,), 1, 2)))
    yield Sample((spread((2, 3)), spread((3,))))
    yield Sample((spread((3,)), spread((3, 2))))
    yield Sample((spread((2, 1, 2, 3)), spread((4, 3, 2))))
    yield Sample((spread((5, 2, 3)), spread((3,))))
    yield Sample((spread((3,)), spread((5, 3, 2))))
    yield Sample((spread((0, 3)), spread((3, 2))))
    yield Sample((spread((2, 0)), spread((0, 3))))
    for dtype in (f32, i64, u8, bool_, c128):
        yield Sample((mixed((3, 4), 1, dtype), mixed((4, 2), 2, dtype)), differentiable=False)


def _matmul_rows(op: Primitive, operands: Sequence[Operand], params: batching.Params, n: Dim) -> Any:
    x, y = operands
    if x.batched and not y.batched and x.rank == 1 and y.rank <= 2:
        return op(x.atom, y.atom)
    left = _with_axis(x, 0) if x.rank == 1 else x
    right = _with_axis(y, 1) if y.rank == 1 else y
    rank = max(left.rank, right.rank)
    made = op(batching.aligned(left, rank), batching.aligned(right, rank))
    dropped = tuple(axis for axis, vector in ((rank - 1, x.rank == 1), (rank, y.rank == 1)) if vector)
    return shape.squeeze(made, axis=dropped) if dropped else made


def _with_axis(operand: Operand, axis: int) -> Operand:
    """A vector as a matrix of one row or column."""
    row = (1, *operand.row) if axis == 0 else (*operand.row, 1)
    place = axis + 1 if operand.batched else axis
    return Operand(shape.expand_dims(operand.atom, axis=(place,)), operand.batched, row)


matmul = declare(
    "matmul",
    "x y",
    rule=_matmul_rule,
    reference=_matmul_reference,
    lowering=KernelTemplate(_matmul_kernel, contracts=True),
    derivative=Multilinear({0: _by_left, 1: _by_right}),
    batch=_matmul_rows,
    samples=_matmul_samples,
    doc="NumPy's `matmul`: a vector is a row on the left and a column on the right; leading axes broadcast.",
)
