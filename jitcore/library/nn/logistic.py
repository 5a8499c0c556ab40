"""The logarithms of logistic functions."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import transcendental as t


@operator("Softplus")
def softplus(x: Any) -> Any:
    """log(1 + exp(x)), without overflow."""
    return t.softplus(reductions.as_float(x))


@operator("logsigmoid LogSigmoid")
def logsigmoid(x: Any) -> Any:
    """log(sigmoid(x))."""
    return e.neg(softplus(e.neg(reductions.as_float(x))))
