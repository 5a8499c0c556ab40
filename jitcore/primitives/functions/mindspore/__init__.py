"""MindSpore's operators, by its names and with its parameters: functions, classes and methods of Tensors.

Each is declared once, by a function in one of this package's files (see `registry`).
"""

from jitcore.primitives.functions.mindspore import (
    activating,
    arithmetic,
    creating,
    gathering,
    joining,
    linear,
    losing,
    measuring,
    methods,
    networking,
    rearranging,
    reducing,
    shaping,
    sorting,
    state,
)
from jitcore.primitives.functions.mindspore.registry import CLASSES, FUNCTIONS, METHODS, PROPERTIES, operator

__all__ = [
    "CLASSES",
    "FUNCTIONS",
    "METHODS",
    "PROPERTIES",
    "activating",
    "arithmetic",
    "creating",
    "gathering",
    "joining",
    "linear",
    "losing",
    "measuring",
    "methods",
    "networking",
    "operator",
    "rearranging",
    "reducing",
    "shaping",
    "sorting",
    "state",
]
