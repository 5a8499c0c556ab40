"""`paddle.optimizer.lr`: schedules of learning rates."""

from jitcore.compat.paddle.optimizer.cycles import (
    CosineAnnealingDecay,
    CosineAnnealingWarmRestarts,
    CyclicLR,
    OneCycleLR,
    ReduceOnPlateau,
)
from jitcore.compat.paddle.optimizer.decays import (
    ExponentialDecay,
    InverseTimeDecay,
    LambdaDecay,
    LinearLR,
    LinearWarmup,
    MultiplicativeDecay,
    MultiStepDecay,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
    StepDecay,
)
from jitcore.compat.paddle.optimizer.scheduling import LRScheduler

__all__ = [
    "CosineAnnealingDecay",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialDecay",
    "InverseTimeDecay",
    "LRScheduler",
    "LambdaDecay",
    "LinearLR",
    "LinearWarmup",
    "MultiStepDecay",
    "MultiplicativeDecay",
    "NaturalExpDecay",
    "NoamDecay",
    "OneCycleLR",
    "PiecewiseDecay",
    "PolynomialDecay",
    "ReduceOnPlateau",
    "StepDecay",
]
