"""`fluid.regularizer` and `fluid.clip`: Paddle's of today under fluid's names."""

from __future__ import annotations

from jitcore.compat.paddle import regularizer
from jitcore.compat.paddle.nn.clip import ClipGradByGlobalNorm, ClipGradByNorm, ClipGradByValue

__all__ = [
    "GradientClipByGlobalNorm",
    "GradientClipByNorm",
    "GradientClipByValue",
    "L1Decay",
    "L1DecayRegularizer",
    "L2Decay",
    "L2DecayRegularizer",
]


class L1DecayRegularizer(regularizer.L1Decay):
    """A penalty of the sum of absolute values."""

    def __init__(self, regularization_coeff: float = 0.0) -> None:
        super().__init__(regularization_coeff)


class L2DecayRegularizer(regularizer.L2Decay):
    """A penalty of half the sum of squares."""

    def __init__(self, regularization_coeff: float = 0.0) -> None:
        super().__init__(regularization_coeff)


L1Decay, L2Decay = L1DecayRegularizer, L2DecayRegularizer
GradientClipByValue, GradientClipByNorm, GradientClipByGlobalNorm = (
    ClipGradByValue,
    ClipGradByNorm,
    ClipGradByGlobalNorm,
)
