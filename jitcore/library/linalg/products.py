"""Library functions of linear algebra: products of matrices and vectors."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.array.shapes import diagonal, ravel, reshape, transpose
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    normal_axes,
    numbered_text,
    product_of,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_extents,
    static_int,
    tensor_type,
)
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import linalg
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, Shape, broadcast_shapes, shape_text


def matmul(x: Any, y: Any) -> Any:
    """`x @ y` as NumPy has it: matrices, vectors, and stacks of matrices that broadcast."""
    a, b = promote("matmul", x, y)
    for n, operand in enumerate((a, b)):
        if rank_of(operand) == 0:
            raise ValueError(
                f"matmul: Input operand {n} does not have enough dimensions (has 0, gufunc core with signature "
                "(n?,k),(k,m?)->(n?,m?) requires 1)"
            )
    inner = shape_of(b)[-2] if rank_of(b) > 1 else shape_of(b)[0]
    require_equal(
        shape_of(a)[-1],
        inner,
        "matmul: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n?,k),(k,m?)->(n?,m?) "
        "(size {1} is different from {0})",
    )
    _require_one_batch(shape_of(a), shape_of(b))
    return linalg.matmul(a, b)


def _require_one_batch(left: Shape, right: Shape) -> None:
    """Raise ValueError unless the leading axes of two stacks of matrices broadcast."""

    def remapped(shape: Shape, m: Dim, n: Dim) -> str:
        lead = numbered_text(shape[:-2], m, n)[:-1].rstrip(",")
        return f"{numbered_text(shape, m, n)}->{lead},newaxis,newaxis)"

    _, pairs = broadcast_shapes(left[:-2], right[:-2])
    for m, n in pairs:
        shapes = " ".join(remapped(shape, m, n) for shape in (left, right) if len(shape) > 2)
        core = numbered_text((left[-2], right[-1]), m, n)
        message = f"operands could not be broadcast together with remapped shapes [original->remapped]: {shapes}"
        require_equal(m, n, f"{message}  and requested shape {core}")


def dot(x: Any, y: Any) -> Any:
    """NumPy's dot: a product with a number, `x @ y` of vectors and matrices, else over the last axis of x and the last
    but one of y."""
    a, b = promote("matmul", x, y)
    if rank_of(a) == 0 or rank_of(b) == 0:
        return e.mul(a, b)
    if rank_of(b) <= 2:
        _require_aligned(a, b, rank_of(a) - 1, max(rank_of(b) - 2, 0))
        return matmul(a, b)
    _require_aligned(a, b, rank_of(a) - 1, rank_of(b) - 2)
    return tensordot(a, b, ((rank_of(a) - 1,), (rank_of(b) - 2,)))


def _require_aligned(a: Any, b: Any, i: int, j: int) -> None:
    m, n = shape_of(a)[i], shape_of(b)[j]
    require_equal(
        m,
        n,
        f"shapes {shape_text(shape_of(a))} and {shape_text(shape_of(b))} not aligned: "
        f"{{0}} (dim {i}) != {{1}} (dim {j})",
    )


def tensordot(x: Any, y: Any, axes: Any = 2) -> Any:
    """The sum of products over pairs of axes: `axes` is a number (last of x with first of y) or two sequences."""
    a, b = promote("matmul", x, y)
    if isinstance(axes, list | tuple):
        i, j = (normal_axes(k, rank_of(v)) for k, v in zip(axes, (a, b), strict=True))
    else:
        count = static_int(axes, "the number of axes")
        i, j = tuple(range(rank_of(a) - count, rank_of(a))), tuple(range(count))
    if len(i) != len(j):
        raise ValueError("shape-mismatch for sum")
    for m, n in zip(i, j, strict=True):
        require_equal(shape_of(a)[m], shape_of(b)[n], "shape-mismatch for sum")
    rest_a = tuple(k for k in range(rank_of(a)) if k not in i)
    rest_b = tuple(k for k in range(rank_of(b)) if k not in j)
    outer = tuple(shape_of(a)[k] for k in rest_a) + tuple(shape_of(b)[k] for k in rest_b)
    inner = product_of(shape_of(a)[k] for k in i)
    rows = s.reshape(transpose(a, rest_a + i), shape=(product_of(shape_of(a)[k] for k in rest_a), inner))
    columns = s.reshape(transpose(b, j + rest_b), shape=(inner, product_of(shape_of(b)[k] for k in rest_b)))
    return s.reshape(linalg.matmul(rows, columns), shape=outer)


def outer(x: Any, y: Any) -> Any:
    """All products of an element of x with one of y."""
    a, b = promote("mul", x, y)
    return e.mul(reshape(a, -1, 1), reshape(b, 1, -1))


def inner(x: Any, y: Any) -> Any:
    """The sum of products over the last axes."""
    a, b = promote("matmul", x, y)
    if rank_of(a) == 0 or rank_of(b) == 0:
        return e.mul(a, b)
    _require_aligned(a, b, rank_of(a) - 1, rank_of(b) - 1)
    return tensordot(a, b, ((-1,), (-1,)))


def vdot(x: Any, y: Any) -> Any:
    """The sum of products of all elements."""
    a = as_array(x)
    if tensor_type(a).dtype.kind == "c":
        a = e.make_complex(e.real(a), e.neg(e.imag(a)))
    return matmul(ravel(a), ravel(as_array(y)))


def trace(x: Any) -> Any:
    """The sum of the diagonal of the first two axes."""
    d = diagonal(x)
    return r.reduce_sum(d, axis=(rank_of(d) - 1,), keepdims=False)


def batched_matmul(x: Any, y: Any, transpose_a: bool, transpose_b: bool) -> Any:
    """`x @ y` with the last two axes of either exchanged first."""
    a, b = as_array(x), as_array(y)
    return matmul(_turned(a) if transpose_a else a, _turned(b) if transpose_b else b)


def _turned(x: Any) -> Any:
    rank = rank_of(x)
    return transpose(x, (*range(rank - 2), rank - 1, rank - 2))


def multi_dot(arrays: Any) -> Any:
    """The product of several matrices, in the order that costs least (dynamic programming over the extents)."""
    parts = [as_array(a) for a in arrays]
    if len(parts) < 2:
        raise ValueError("Expecting at least two arrays.")
    rows, columns = rank_of(parts[0]) == 1, rank_of(parts[-1]) == 1
    parts[0] = shapes.reshape(parts[0], 1, -1) if rows else parts[0]
    parts[-1] = shapes.reshape(parts[-1], -1, 1) if columns else parts[-1]
    extents = [static_extents(p)[0] for p in parts] + [static_extents(parts[-1])[1]]
    cheapest: dict[tuple[int, int], tuple[int, int]] = {(k, k): (0, k) for k in range(len(parts))}
    for length in range(1, len(parts)):
        for low in range(len(parts) - length):
            high = low + length
            cheapest[low, high] = min(
                (
                    cheapest[low, k][0] + cheapest[k + 1, high][0] + extents[low] * extents[k + 1] * extents[high + 1],
                    k,
                )
                for k in range(low, high)
            )

    def product(low: int, high: int) -> Any:
        if low == high:
            return parts[low]
        k = cheapest[low, high][1]
        return matmul(product(low, k), product(k + 1, high))

    made = product(0, len(parts) - 1)
    if rows:
        made = shapes.squeeze(made, 0)
    return shapes.squeeze(made, -1) if columns else made


# --- order of axes and elements -----------------------------------------------------------------------


def cross(a: Any, b: Any, axisa: Any = -1, axisb: Any = -1, axisc: Any = -1, axis: Any = None) -> Any:
    """The vector product over the last axes (or those named), of extent 3; of extent 2 its one element that is not
    zero."""
    x, y = promote("mul", a, b)
    if axis is not None:
        axisa = axisb = axisc = axis
    x, y = shapes.moveaxis(x, axisa, -1), shapes.moveaxis(y, axisb, -1)
    lengths = shape_of(x)[-1], shape_of(y)[-1]
    if any(n not in (2, 3) for n in lengths):
        raise ValueError("incompatible dimensions for cross product\n(dimension must be 2 or 3)")

    def part(v: Any, k: int) -> Any:
        if k == 2 and shape_of(v)[-1] == 2:
            return as_array(0, dtype_of_value(v))
        return shapes.take_index(v, rank_of(v) - 1, k)

    def element(i: int, j: int) -> Any:
        return e.sub(e.mul(part(x, i), part(y, j)), e.mul(part(x, j), part(y, i)))

    if lengths == (2, 2):
        return element(0, 1)
    made = shapes.stack([element(i, j) for i, j in ((1, 2), (2, 0), (0, 1))], -1)
    return shapes.moveaxis(made, -1, axisc)


def kron(a: Any, b: Any) -> Any:
    """The Kronecker product."""
    x, y = promote("mul", a, b)
    rank = max(rank_of(x), rank_of(y))
    x, y = (s.expand_dims(v, axis=tuple(range(rank - rank_of(v)))) if rank_of(v) < rank else v for v in (x, y))
    wide = e.mul(
        s.expand_dims(x, axis=tuple(range(1, 2 * rank, 2))), s.expand_dims(y, axis=tuple(range(0, 2 * rank, 2)))
    )
    return s.reshape(wide, shape=tuple(m * n for m, n in zip(shape_of(x), shape_of(y), strict=True)))
