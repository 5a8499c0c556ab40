"""Functions of Python's `math` and `statistics` on any number of floats, with CPython's own results: CPython computes
them."""

from __future__ import annotations

import math
import statistics
from collections.abc import Iterable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.ir.nodes import Effects
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import HostCode, Sample, Vjp, declare
from jitcore.primitives.core.rules import array, require_kind, tensor_type
from jitcore.primitives.core.sampling import spread
from jitcore.primitives.ops import elementwise as e
from jitcore.types import TensorType, Type, f64

NAMES: Final = (
    "fsum", "hypot", "mean", "fmean", "geometric_mean", "harmonic_mean", "median", "median_low", "median_high", "stdev",
    "pstdev", "variance", "pvariance",
)  # fmt: skip
"""Of the functions of a list of floats."""


def _compute(name: str, xs: list[float]) -> float:
    if name == "hypot":
        return math.hypot(*xs)
    if name == "fsum":
        return math.fsum(xs)
    return float(getattr(statistics, name)(xs))


def _rule(xs: Type, *, name: str) -> TensorType:
    require_kind(array(xs).dtype, "f", "of_floats")
    return TensorType(f64, ())


def _slope(out: Any, xs: Any, name: str) -> Any:
    """The derivative of a result by each of the numbers."""
    xs = e.cast(xs, dtype=f64)
    ones = e.add(e.mul(xs, 0), 1)
    if name == "fsum":
        return ones
    if name == "hypot":
        return e.div(xs, out)
    if name in ("mean", "fmean"):
        total = broadcasting.sum_to_shape(ones, ())
        return e.div(ones, total)
    raise TypeError(f"the derivative of {name} is not available")


def _vjp(cts: Sequence[Any], outs: Sequence[Any], xs: Any, *, name: str) -> Sequence[Any]:
    return (e.cast(e.mul(_slope(outs[0], xs, name), cts[0]), dtype=tensor_type(xs).dtype),)


def _jvp(tangents: Sequence[Any], outs: Sequence[Any], xs: Any, *, name: str) -> Sequence[Any]:
    product = e.mul(_slope(outs[0], xs, name), e.cast(tangents[0], dtype=f64))
    return (broadcasting.sum_to_shape(product, tensor_type(outs[0]).shape),)


def _samples() -> Iterable[Sample]:
    for name in NAMES:
        differentiable = name in ("fsum", "hypot", "mean", "fmean")
        yield Sample((spread((5,), 0.3, 2.0),), {"name": name}, differentiable=differentiable)


of_floats = declare(
    "of_floats",
    "xs",
    rule=_rule,
    reference=lambda xs, *, name: np.asarray(_compute(name, xs.tolist())),
    lowering=HostCode(),
    derivative=Vjp(_vjp, _jvp),
    samples=_samples,
    effects=Effects(raises=("ValueError", "OverflowError")),
    doc="What a function of `math` or `statistics` gives for a list of floats.",
)
