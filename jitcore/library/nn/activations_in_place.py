"""Activations that change their operand in place."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.math import elementwise
from jitcore.library.nn import activations


@operator("relu_", "raw")
def relu_in_place(input: Any) -> Any:
    """The input itself, its negative elements set to 0."""
    return elementwise.assign(input, elementwise.maximum(input, 0))


@operator("elu_", "raw")
def elu_in_place(input: Any, alpha: Any = 1.0) -> Any:
    """The input itself, alpha * (exp(x) - 1) where it is negative."""
    return elementwise.assign(input, activations.elu(input, alpha))


@operator("threshold_", "raw")
def threshold_in_place(input: Any, threshold: Any, value: Any) -> Any:
    """The input itself, `value` where it is not above the threshold."""
    return elementwise.assign(input, activations.threshold(input, threshold, value))
