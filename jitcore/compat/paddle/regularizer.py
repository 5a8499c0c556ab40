"""`paddle.regularizer`: penalties on Parameters, which optimizers add to their gradients."""

from __future__ import annotations

__all__ = ["L1Decay", "L2Decay"]


class WeightDecayRegularizer:
    """The base of penalties."""

    kind: str
    """What optimizers call it."""

    def __init__(self, coeff: float = 0.0) -> None:
        self._coeff = coeff

    @property
    def coefficient(self) -> float:
        """What the penalty is multiplied by."""
        return self._coeff

    def __str__(self) -> str:
        return f"{type(self).__name__}, coeff={self._coeff:f}"


class L1Decay(WeightDecayRegularizer):
    """coeff times the sum of the Parameter's sizes.

    >>> print(L1Decay(0.5))
    L1Decay, coeff=0.500000
    """

    kind = "l1"


class L2Decay(WeightDecayRegularizer):
    """coeff times half of the sum of the Parameter's squares."""

    kind = "l2"
