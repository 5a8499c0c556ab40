"""Cells that compute an invertible function, and what they make of distributions."""

from __future__ import annotations

from typing import Any

from jitcore.modelled import modelled
from jitcore.nn.cell import Cell


class Invertible(Cell):
    """A Cell that computes an invertible function: what bijectors are."""

    _is_constant_jacobian: Any
    _batch_shape: Any
    _is_scalar_batch: Any

    @property
    def is_constant_jacobian(self) -> Any:
        """Whether the derivative is constant."""
        return self._is_constant_jacobian

    @property
    def batch_shape(self) -> Any:
        """The shape that the parameters broadcast to."""
        return self._batch_shape

    @property
    def is_scalar_batch(self) -> Any:
        """Whether all parameters are numbers."""
        return self._is_scalar_batch


@modelled
def transformed(bijector: Invertible, distribution: Cell) -> Cell:
    """The distribution of what a bijector makes of numbers of another distribution."""
    raise NotImplementedError
