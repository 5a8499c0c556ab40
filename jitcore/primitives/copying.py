"""The copy of an array: a value in memory of its own, which no pass may replace by its source."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jitcore.primitives.registry import Elementwise, Linear, Sample, declare
from jitcore.types import TensorType, Type


def _rule(x: Type) -> Type:
    if not isinstance(x, TensorType):
        raise TypeError(f"copy: an array is needed, not {x!r}")
    return x


def _transpose(cotangents: Any, _x: Any) -> tuple[Any]:
    return (cotangents[0],)


def _samples() -> Iterable[Sample]:
    yield Sample((np.array([[1.5, -2.0, 0.25]]),))
    yield Sample((np.array(3, np.int32),))


copy = declare(
    "copy",
    "x",
    rule=_rule,
    reference=lambda x: np.array(x, order="C"),
    lowering=Elementwise(lambda _k, x: x),
    derivative=Linear((0,), _transpose),
    samples=_samples,
    doc="The elements of x in new memory.",
)
