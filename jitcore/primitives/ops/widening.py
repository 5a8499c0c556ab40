"""Forgetting extents: the same array, of a type that says less of its shape (where control flow joins)."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.kernel.build import ArrayLayout
from jitcore.primitives.core.registry import Linear, Sample, View, declare
from jitcore.primitives.core.rules import array, tensor_type
from jitcore.types import RefType, Shape, TensorType, Type


def _rule(x: Type, *, shape: Shape) -> Type:
    target = x.target if isinstance(x, RefType) else array(x)
    if len(shape) != target.rank:
        raise TypeError(f"widen cannot change the rank of {x!r} to {len(shape)}")
    widened = TensorType(target.dtype, shape)
    return RefType(widened) if isinstance(x, RefType) else widened


def _layout(view: ArrayLayout, *, shape: Shape) -> ArrayLayout:
    return view


def _transpose(cotangents: Sequence[Any], x: Any, *, shape: Shape) -> Sequence[Any]:
    return (widen(cotangents[0], shape=tensor_type(x).shape),)


def _samples() -> Iterable[Sample]:
    yield Sample((np.arange(6.0).reshape(2, 3),), {"shape": (2, 3)})


widen = declare(
    "widen",
    "x",
    rule=_rule,
    reference=lambda x, *, shape: x,
    lowering=View(_layout),
    derivative=Linear((0,), _transpose),
    samples=_samples,
    doc="x as an array of extents `shape`, which are the ones it has, perhaps under new names.",
)
