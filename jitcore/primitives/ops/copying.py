"""Identities that no pass may remove: a copy in memory of its own, and the same array for code that is to be computed
again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jitcore.primitives.core import batching
from jitcore.primitives.core.registry import Elementwise, Linear, Sample, View, declare
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

again = declare(
    "again",
    "x",
    rule=_rule,
    reference=lambda x: np.asarray(x).view(),
    lowering=View(lambda view: view),
    derivative=Linear((0,), _transpose),
    batch=batching.same,
    samples=_samples,
    doc="x itself; what is computed from it is not taken for the same as what is computed from x.",
)
