"""`oneflow.optim`."""

from jitcore.compat.oneflow.optim.optimizer import Optimizer
from jitcore.compat.oneflow.optim.updates import LAMB, SGD, Adadelta, Adagrad, Adam, AdamW, RMSprop

__all__ = ["LAMB", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "Optimizer", "RMSprop"]
