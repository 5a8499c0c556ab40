"""Diagonals and triangles of matrices."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import arrangement, creation, shapes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, normal_axis, rank_of, shape_of, static_int
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions, joining
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.types import i64


@operator("diagonal .diagonal")
def diagonal(input: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    """The elements with (apart from the offset) equal indices along two axes, as the last axis."""
    a = as_array(input)
    i, j = normal_axis(dim1, rank_of(a)), normal_axis(dim2, rank_of(a))
    if i == j:
        raise ValueError("For 'diagonal', 'dim1' and 'dim2' cannot be identical.")
    return arrangement.diagonal(shapes.moveaxis(a, (i, j), (0, 1)), offset)


in_constructor("Diagonal", diagonal, "offset", "dim1", "dim2")


@operator("diag Diag")
def diag(input: Any) -> Any:
    """An array of rank 2 n with the elements of one of rank n where both halves of an index are the same, else zeros: a
    vector as the diagonal of a matrix."""
    x = as_array(input)
    extents = shape_of(x)
    made = arrangement.diag(shapes.ravel(x))
    return made if len(extents) == 1 else shapes.reshape(made, (*extents, *extents))


@operator("DiagPart diag_part")
def diag_part(input_x: Any) -> Any:
    """The diagonal of a matrix."""
    return shapes.diagonal(input_x)


@operator("diag_embed .diag_embed")
def diag_embed(input: Any, offset: Any = 0, dim1: Any = -2, dim2: Any = -1) -> Any:
    """Matrices with the last axis of the input on a diagonal."""
    a = as_array(input)
    k = static_int(offset, "the offset")
    n = shape_of(a)[-1]
    size = n + abs(k)
    rows, columns = creation.arange(evaluator().number(size)), creation.arange(evaluator().number(size))
    low, high = (0, k) if k >= 0 else (-k, 0)
    width = [(0, 0)] * (rank_of(a) - 1)
    across = shapes.pad(a, [*width, (max(low, high), 0)])
    hit = e.equal(columns, e.add(s.expand_dims(rows, axis=(1,)), k))
    values = s.expand_dims(across, axis=(rank_of(a) - 1,)) if k >= 0 else s.expand_dims(across, axis=(rank_of(a),))
    return shapes.moveaxis(e.select(hit, values, 0), (-2, -1), (dim1, dim2))


@operator("tril .tril")
def tril(input: Any, diagonal: Any = 0) -> Any:
    """The input with zeros above a diagonal."""
    return shapes.tril(input, diagonal)


@operator("Tril")
def tril_set_up(x: Any, *, diagonal: Any = 0) -> Any:
    """As `tril`."""
    return shapes.tril(x, diagonal)


@operator("triu .triu")
def triu(input: Any, diagonal: Any = 0) -> Any:
    """The input with zeros below a diagonal."""
    return shapes.triu(input, diagonal)


@operator("Triu")
def triu_set_up(x: Any, *, diagonal: Any = 0) -> Any:
    """As `triu`."""
    return shapes.triu(x, diagonal)


@operator("diagflat .diagflat")
def diagflat(input: Any, offset: Any = 0) -> Any:
    """The elements on a diagonal of a matrix of zeros."""
    return diag_embed(shapes.ravel(input), offset)


@operator("MatrixBandPart matrix_band_part")
def matrix_band_part(x: Any, lower: Any, upper: Any) -> Any:
    """x with zeros but for some diagonals below and above the main one; a negative number keeps all."""
    made = as_array(x)
    below, above = static_int(lower, "lower"), static_int(upper, "upper")
    if above >= 0:
        made = shapes.tril(made, above)
    return shapes.triu(made, -below) if below >= 0 else made


@operator("diagonal_scatter .diagonal_scatter")
def diagonal_scatter(input: Any, src: Any, offset: Any = 0, dim1: Any = 0, dim2: Any = 1) -> Any:
    """The input with another diagonal."""
    a = as_array(input)
    i, j = normal_axis(dim1, rank_of(a)), normal_axis(dim2, rank_of(a))
    moved = shapes.moveaxis(a, (i, j), (-2, -1))
    rows, columns = (as_array(creation.arange(evaluator().number(n))) for n in shape_of(moved)[-2:])
    hit = e.equal(columns, e.add(s.expand_dims(rows, axis=(1,)), as_array(offset, i64)))
    old = diagonal(moved, offset, -2, -1)
    change = elementwise.subtract(as_array(as_array(src), dtype_of_value(a)), old)
    start = max(-static_int(offset, "offset"), 0)
    place = e.select(e.less(rows, start), 0, e.sub(rows, start))
    length = shape_of(old)[-1]
    last = conversions.from_scalar(evaluator().number(length + -1), dtype=i64)
    spread = ix.gather(change, e.minimum(place, last), axis=rank_of(change) - 1)
    made = e.select(hit, e.add(moved, s.expand_dims(spread, axis=(rank_of(spread),))), moved)
    return shapes.moveaxis(made, (-2, -1), (i, j))


@operator("fill_diagonal")
def fill_diagonal(input: Any, fill_value: Any, wrap: Any = False) -> Any:
    """The input with its diagonal filled; with `wrap` it begins again below in tall matrices."""
    a = as_array(input)
    if rank_of(a) < 2:
        raise ValueError("For 'fill_diagonal', a Tensor of at least 2 dimensions is needed.")
    places = [joining.iota(length=n, dtype=i64) for n in shape_of(a)]
    rank = rank_of(a)
    spread = [s.expand_dims(p, axis=tuple(j for j in range(rank) if j != k)) for k, p in enumerate(places)]
    first = spread[0]
    if rank == 2 and evaluator().static(wrap, "wrap"):
        first = e.mod(first, as_array(evaluator().number(shape_of(a)[1] + 1), i64))
    inside: Any = None
    for other in spread[1:]:
        same = e.equal(first, other)
        inside = same if inside is None else e.bitwise_and(inside, same)
    return e.select(inside, as_array(as_array(fill_value), dtype_of_value(a)), a)


@operator("FillDiagonal")
def fill_diagonal_set_up(input_x: Any, *, fill_value: Any, wrap: Any = False) -> Any:
    """As `fill_diagonal`."""
    return fill_diagonal(input_x, fill_value, wrap)
