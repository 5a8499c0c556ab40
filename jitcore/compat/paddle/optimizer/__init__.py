"""`paddle.optimizer`."""

from jitcore.compat.paddle.optimizer.optimizer import Optimizer
from jitcore.compat.paddle.optimizer.updates import (
    SGD,
    Adadelta,
    Adagrad,
    Adam,
    Adamax,
    AdamW,
    Lamb,
    Momentum,
    RMSProp,
)

__all__ = [
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "Lamb",
    "Momentum",
    "Optimizer",
    "RMSProp",
]
