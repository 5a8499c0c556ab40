"""Products of matrices and vectors, with MindSpore's parameters."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import arrangement, creation, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axis,
    product_of,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.linalg.einsum import einsum
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import add, multiply
from jitcore.library.nn import dense
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import inversion
from jitcore.primitives.ops import shape as s

operator("kron Kron")(products.kron)


@operator("vecdot")
def vecdot(x: Any, y: Any, *, axis: Any = -1) -> Any:
    """The sums of products along an axis."""
    return reductions.sum(multiply(elementwise.conjugate(x), y), axis)


operator("matmul .matmul")(products.matmul)
operator("dot .dot Dot")(products.dot)
operator("inner .inner")(products.inner)
operator("trace Trace")(products.trace)


@operator("outer ger Ger .outer .ger")
def outer(input: Any, vec2: Any) -> Any:
    """The products of all elements of two vectors."""
    for operand in (input, vec2):
        if rank_of(operand) != 1:
            raise ValueError(f"For 'outer', both operands must be vectors, not of {rank_of(operand)} dimensions.")
    return products.outer(input, vec2)


operator("vdot")(products.vdot)


def _require_rank(x: Any, rank: int, name: str) -> Any:
    a = as_array(x)
    if rank_of(a) != rank:
        raise ValueError(f"For '{name}', a Tensor of {rank} dimensions is needed, not {rank_of(a)}.")
    return a


@operator("MatMul")
def matmul_set_up(x: Any, y: Any, *, transpose_a: Any = False, transpose_b: Any = False) -> Any:
    """The product of two matrices, either transposed first."""
    if rank_of(as_array(x)) != 2 or rank_of(as_array(y)) != 2:
        raise ValueError(
            "For 'MatMul', the dimension of 'x' and 'y' must be 2, but they have "
            f"{rank_of(as_array(x))} and {rank_of(as_array(y))}."
        )
    return products.batched_matmul(x, y, transpose_a, transpose_b)


@operator("BatchMatMul")
def batch_matmul_set_up(x: Any, y: Any, *, transpose_a: Any = False, transpose_b: Any = False) -> Any:
    """`x @ y`, with the last two axes of either exchanged first."""
    if rank_of(as_array(x)) < 2 or rank_of(as_array(y)) < 2:
        raise ValueError("For 'BatchMatMul', Tensors of at least 2 dimensions are needed.")
    return products.batched_matmul(x, y, transpose_a, transpose_b)


@operator("mm .mm")
def mm(input: Any, mat2: Any) -> Any:
    """The product of two matrices."""
    return products.matmul(_require_rank(input, 2, "mm"), _require_rank(mat2, 2, "mm"))


@operator("bmm .bmm")
def bmm(input_x: Any, mat2: Any) -> Any:
    """The products of matrices in batches."""
    if rank_of(as_array(input_x)) < 2:
        raise ValueError("For 'bmm', Tensors of at least 2 dimensions are needed.")
    return products.matmul(input_x, mat2)


@operator("mv .mv")
def mv(mat: Any, vec: Any) -> Any:
    """The product of a matrix and a vector."""
    return products.matmul(_require_rank(mat, 2, "mv"), _require_rank(vec, 1, "mv"))


def _scaled_sum(input: Any, product: Any, beta: Any, alpha: Any) -> Any:
    return add(multiply(input, beta), multiply(product, alpha))


@operator("addmm .addmm Addmm")
def addmm(input: Any, mat1: Any, mat2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (mat1 @ mat2)."""
    return _scaled_sum(input, products.matmul(mat1, mat2), beta, alpha)


@operator("addmv .addmv")
def addmv(input: Any, mat: Any, vec: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * (mat @ vec)."""
    return _scaled_sum(input, products.matmul(mat, vec), beta, alpha)


@operator("addbmm .addbmm")
def addbmm(input: Any, batch1: Any, batch2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * the sum of the products of batches."""
    return _scaled_sum(input, reductions.sum(products.matmul(batch1, batch2), 0), beta, alpha)


@operator("baddbmm .baddbmm")
def baddbmm(input: Any, batch1: Any, batch2: Any, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * input + alpha * the products of batches."""
    return _scaled_sum(input, products.matmul(batch1, batch2), beta, alpha)


@operator("addr .addr")
def addr(x: Any, vec1: Any, vec2: Any, *, beta: Any = 1, alpha: Any = 1) -> Any:
    """beta * x + alpha * the outer product."""
    return _scaled_sum(x, products.outer(vec1, vec2), beta, alpha)


@operator(".trace")
def trace_method(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None) -> Any:
    """The sum of a diagonal."""
    d = arrangement.diagonal(x, offset, axis1, axis2)
    return reductions.sum(d, rank_of(d) - 1, dtype_of_value(d) if dtype is None else dtype)


@operator("tensor_dot tensordot")
def tensor_dot(x1: Any, x2: Any, axes: Any) -> Any:
    """The sum of products over pairs of axes."""
    return products.tensordot(x1, x2, axes)


@operator("batch_dot")
def batch_dot(x1: Any, x2: Any, axes: Any = None) -> Any:
    """For each item of the batch (axis 0) the product over one axis of each."""
    a, b = promote("mul", x1, x2)
    if rank_of(a) < 2 or rank_of(b) < 2:
        raise ValueError("For 'batch_dot', Tensors of at least 2 dimensions are needed.")
    if axes is None:
        pair: tuple[Any, Any] = (rank_of(a) - 1, rank_of(b) - 2 if rank_of(b) > 2 else rank_of(b) - 1)
    else:
        pair = tuple(axes) if isinstance(axes, list | tuple) else (axes, axes)
    i, j = normal_axis(pair[0], rank_of(a)), normal_axis(pair[1], rank_of(b))
    if 0 in (i, j):
        raise ValueError("For 'batch_dot', axis 0 is the batch.")
    left, right = shapes.moveaxis(a, i, -1), shapes.moveaxis(b, j, 1)
    m, n = shape_of(left)[1:-1], shape_of(right)[2:]
    batch, k = shape_of(left)[0], shape_of(left)[-1]
    made = products.matmul(
        s.reshape(left, shape=(batch, product_of(m), k)), s.reshape(right, shape=(batch, k, product_of(n)))
    )
    out = s.reshape(made, shape=(batch, *m, *n))
    return s.expand_dims(out, axis=(1,)) if not (m or n) else out


@operator("cross .cross")
def cross(input: Any, other: Any, dim: Any = None) -> Any:
    """The vector product along an axis of 3 (the first such axis unless given)."""
    a, b = promote("mul", input, other)
    if dim is None:
        found = [k for k, n in enumerate(shape_of(a)) if n == 3]
        if not found:
            raise ValueError("For 'cross', there is no axis of 3.")
        axis = found[0]
    else:
        axis = normal_axis(dim, rank_of(a))
        require_equal(shape_of(a)[axis], 3, "For 'cross', the axis has {0} elements, not 3.")
    return shapes.moveaxis(products.cross(shapes.moveaxis(a, axis, -1), shapes.moveaxis(b, axis, -1)), -1, axis)


@operator("Cross")
def cross_set_up(input: Any, other: Any, *, dim: Any = -65530) -> Any:
    """As `cross`; -65530 stands for the first axis of 3."""
    return cross(input, other, None if dim == -65530 else dim)


@operator("matrix_power .matrix_power")
def matrix_power(input: Any, n: Any) -> Any:
    """A square matrix multiplied with itself n times; for a negative n its inverse."""
    power = static_int(n, "the power")
    a = as_array(input)
    if power < 0:
        a, power = inversion.inverse(reductions.as_float(a)), -power
    eye = creation.eye(evaluator().number(shape_of(a)[-1]))
    made = s.broadcast_to(as_array(eye, dtype_of_value(a)), shape=shape_of(a))
    while power:
        if power & 1:
            made = products.matmul(made, a)
        power >>= 1
        if power:
            a = products.matmul(a, a)
    return made


@operator("MatrixPower")
def matrix_power_set_up(x: Any, *, n: Any) -> Any:
    """As `matrix_power`."""
    return matrix_power(x, n)


operator("einsum")(einsum)


@operator("Einsum")
def einsum_set_up(operands: Any, *, equation: Any) -> Any:
    """As `einsum`."""
    return einsum(equation, *operands)


@operator("linear")
def linear(input: Any, weight: Any, bias: Any = None) -> Any:
    """input @ weight.T + bias."""
    return dense.dense(input, weight, bias)
