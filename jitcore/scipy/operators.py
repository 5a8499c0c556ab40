"""Operators of linear algebra: those that are set up before they are called, and those on diagonals."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn.cell import Cell


class SolveTriangular(Cell):
    """x with A @ x = b for triangular matrices, perhaps many of them."""

    def __init__(self, lower: bool = False, unit_diagonal: bool = False, trans: str = "N") -> None:
        super().__init__()
        self.lower, self.unit_diagonal, self.trans = lower, unit_diagonal, trans

    def construct(self, a: Any, b: Any) -> Any:
        """The solutions for matrices (…, n, n) and vectors (…, n) or matrices (…, n, k)."""
        if b.ndim == a.ndim - 1:
            return ops.solve_triangular(a, ops.expand_dims(b, -1), self.trans, self.lower, self.unit_diagonal)[..., 0]
        return ops.solve_triangular(a, b, self.trans, self.lower, self.unit_diagonal)


def matrix_set_diag(input_x: Any, diagonal: Any, k: Any = 0, alignment: str = "LEFT_LEFT") -> Any:
    """Matrices with other diagonals `k`, those above and those below aligned in their rows as told."""
    return ops.matrix_set_diag(input_x, diagonal, k, alignment)


def matrix_diag_part(input_x: Any, k: Any = 0, padding_value: Any = 0, alignment: str = "RIGHT_LEFT") -> Any:
    """The diagonals `k` of matrices, filled up with a value."""
    return ops.matrix_diag_part(input_x, k, padding_value, alignment)
