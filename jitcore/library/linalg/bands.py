"""Bands of matrices: diagonals packed and put in, products with tridiagonal matrices."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.array import creation, diagonals, indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, promote, rank_of, shape_of, static_int
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s


@operator("diag_ext")
def diag_ext(input: Any, diagonal: Any = 0) -> Any:
    """The matrix with a diagonal, or the diagonal of a matrix."""
    return diagonals.diagflat(input, diagonal) if rank_of(as_array(input)) == 1 else diagonals.diagonal(input, diagonal)


@operator(".diag")
def diag_method(input: Any, diagonal: Any = None) -> Any:
    """A vector as the diagonal of a matrix, the diagonal of a matrix as a vector: the main one, unless said
    otherwise."""
    return diagonals.diag(input) if diagonal is None else diag_ext(input, diagonal)


def _band(k: Any) -> tuple[int, int]:
    found = evaluator().static(k, "k")
    items = np.asarray(found.asnumpy() if hasattr(found, "asnumpy") else found).ravel().tolist()
    low, high = int(items[0]), int(items[-1])
    if low > high:
        raise ValueError(f"k[0] must not be larger than k[1], but k is {items}")
    return low, high


def _offsets(rows: int, columns: int, band: tuple[int, int], align: Any) -> tuple[int, Callable[[int], int]]:
    """The length of the longest diagonal of a band, and where each diagonal begins in a row of that length."""
    how = evaluator().static(align, "align")
    if how not in ("RIGHT_LEFT", "LEFT_RIGHT", "LEFT_LEFT", "RIGHT_RIGHT"):
        raise ValueError(f"align is RIGHT_LEFT, LEFT_RIGHT, LEFT_LEFT or RIGHT_RIGHT, not {how!r}")
    above, below = how.split("_")

    def length(d: int) -> int:
        return min(rows + min(d, 0), columns - max(d, 0))

    longest = max(length(d) for d in range(band[0], band[1] + 1))
    if min(length(d) for d in band) <= 0:
        raise ValueError(f"the diagonals {band} are not all in a matrix of {rows} rows and {columns} columns")
    return longest, lambda d: 0 if (above if d >= 0 else below) == "LEFT" else longest - length(d)


def _extent(a: Any, axis: int) -> int:
    return static_int(evaluator().number(shape_of(a)[axis]), "an extent of the matrices")


def _places(rows: int, columns: int, band: tuple[int, int], align: Any) -> tuple[Any, Any]:
    """For every element of a matrix, its place in the packed diagonals, and whether it has one."""
    longest, offset = _offsets(rows, columns, band, align)
    places, inside = np.zeros((rows, columns), np.int64), np.zeros((rows, columns), bool)
    for i, j in np.ndindex(rows, columns):
        d = j - i
        if band[0] <= d <= band[1]:
            inside[i, j] = True
            places[i, j] = (band[1] - d) * longest + min(i, j) + offset(d)
    return places, inside


def _picked(a: Any, places: Any, inside: Any, other: Any) -> Any:
    """The elements of the rows of `a` at places where they are inside, else `other`."""
    chosen = indexing.take(a, evaluator().constant(places, None), -1)
    return e.select(evaluator().constant(inside, None), chosen, other)


def _packed(x: Any, band: tuple[int, int]) -> Any:
    """Packed diagonals as one axis."""
    a = as_array(x)
    if band[0] == band[1] and rank_of(a) >= 1:
        return a
    return s.reshape(a, shape=(*shape_of(a)[:-2], _extent(a, -2) * _extent(a, -1)))


@operator("matrix_diag")
def matrix_diag(
    x: Any, k: Any = 0, num_rows: Any = -1, num_cols: Any = -1, padding_value: Any = 0, align: Any = "RIGHT_LEFT"
) -> Any:
    """Matrices with the given diagonals (the numbers from k[0] to k[1]), and `padding_value` elsewhere."""
    a, band = as_array(x), _band(k)
    longest = _extent(a, -1)
    rows, columns = static_int(num_rows, "num_rows"), static_int(num_cols, "num_cols")
    least_rows, least_columns = longest - min(band[1], 0), longest + max(band[0], 0)
    if rows == -1 and columns == -1:
        rows = columns = max(least_rows, least_columns)
    rows = least_rows if rows == -1 else rows
    columns = least_columns if columns == -1 else columns
    places, inside = _places(rows, columns, band, align)
    return _picked(_packed(a, band), places, inside, as_array(as_array(padding_value), dtype_of_value(a)))


@operator("MatrixDiagV3")
def matrix_diag_set_up(
    x: Any, k: Any, num_rows: Any, num_cols: Any, padding_value: Any, *, align: Any = "RIGHT_LEFT"
) -> Any:
    """As `matrix_diag`."""
    return matrix_diag(x, k, _band(num_rows)[0], _band(num_cols)[0], padding_value, align)


@operator("matrix_diag_part")
def matrix_diag_part(x: Any, k: Any, padding_value: Any, align: Any = "RIGHT_LEFT") -> Any:
    """The diagonals k[1] to k[0] of matrices, one in a row; one alone without that axis."""
    a, band = as_array(x), _band(k)
    rows, columns = _extent(a, -2), _extent(a, -1)
    longest, offset = _offsets(rows, columns, band, align)
    count = band[1] - band[0] + 1
    places, inside = np.zeros((count, longest), np.int64), np.zeros((count, longest), bool)
    for d in range(band[0], band[1] + 1):
        for n in range(min(rows + min(d, 0), columns - max(d, 0))):
            inside[band[1] - d, n + offset(d)] = True
            places[band[1] - d, n + offset(d)] = (n - min(d, 0)) * columns + n + max(d, 0)
    if count == 1:
        places, inside = places[0], inside[0]
    flat = s.reshape(a, shape=(*shape_of(a)[:-2], rows * columns))
    return _picked(flat, places, inside, as_array(as_array(padding_value), dtype_of_value(a)))


@operator("MatrixDiagPartV3")
def matrix_diag_part_set_up(x: Any, k: Any, padding_value: Any, *, align: Any = "RIGHT_LEFT") -> Any:
    """As `matrix_diag_part`."""
    return matrix_diag_part(x, k, padding_value, align)


@operator("matrix_set_diag")
def matrix_set_diag(x: Any, diagonal: Any, k: Any = 0, align: Any = "RIGHT_LEFT") -> Any:
    """Matrices with the diagonals k[1] to k[0] replaced."""
    a, band = as_array(x), _band(k)
    places, inside = _places(_extent(a, -2), _extent(a, -1), band, align)
    return _picked(_packed(as_array(as_array(diagonal), dtype_of_value(a)), band), places, inside, a)


@operator("MatrixSetDiagV3")
def matrix_set_diag_set_up(x: Any, diagonal: Any, k: Any, *, align: Any = "RIGHT_LEFT") -> Any:
    """As `matrix_set_diag`."""
    return matrix_set_diag(x, diagonal, k, align)


@operator("TridiagonalMatMul")
def tridiagonal_matmul(superdiag: Any, maindiag: Any, subdiag: Any, rhs: Any) -> Any:
    """The product of tridiagonal matrices, given by rows (each diagonal of shape (…, 1, n)), and others."""
    high, middle, low, b = promote("matmul", superdiag, maindiag, subdiag, rhs)
    scales = [shapes.swapaxes(v, -1, -2) for v in (high, middle, low)]
    zero = creation.zeros_like(shapes.slice_axis(b, rank_of(b) - 2, 0, 1))
    rest = shape_of(b)[-2] + -1
    axis = rank_of(b) - 2
    after = shapes.concatenate((shapes.slice_axis(b, axis, 1, rest), zero), axis)
    before = shapes.concatenate((zero, shapes.slice_axis(b, axis, 0, rest)), axis)
    total = e.add(e.mul(scales[0], after), e.mul(scales[1], b))
    return e.add(total, e.mul(scales[2], before))
