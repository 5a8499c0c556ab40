"""`torch.optim`."""

from jitcore.compat.torch.optim.adam import Adam, Adamax, AdamW, NAdam, RAdam
from jitcore.compat.torch.optim.adaptive import Adadelta, Adagrad, RMSprop
from jitcore.compat.torch.optim.lbfgs import LBFGS
from jitcore.compat.torch.optim.optimizer import Optimizer
from jitcore.compat.torch.optim.plain import ASGD, SGD, Rprop

__all__ = [
    "ASGD",
    "LBFGS",
    "SGD",
    "Adadelta",
    "Adagrad",
    "Adam",
    "AdamW",
    "Adamax",
    "NAdam",
    "Optimizer",
    "RAdam",
    "RMSprop",
    "Rprop",
]
