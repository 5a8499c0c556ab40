"""Bands of matrices: diagonals packed and put in, products with tridiagonal matrices."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import diagonals
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, rank_of


@operator("diag_ext")
def diag_ext(input: Any, diagonal: Any = 0) -> Any:
    """The matrix with a diagonal, or the diagonal of a matrix."""
    return diagonals.diagflat(input, diagonal) if rank_of(as_array(input)) == 1 else diagonals.diagonal(input, diagonal)


@operator(".diag")
def diag_method(input: Any, diagonal: Any = None) -> Any:
    """A vector as the diagonal of a matrix, the diagonal of a matrix as a vector: the main one, unless said
    otherwise."""
    return diagonals.diag(input) if diagonal is None else diag_ext(input, diagonal)
