"""The primitives: importing this package declares them all (`registry.PRIMITIVES`), a family a file."""

from jitcore.primitives import (
    conversions,
    convolution,
    copying,
    elementwise,
    indexing,
    joining,
    linalg,
    pooling,
    python_scalars,
    reductions,
    shape,
    state,
    transcendental,
    unions,
    views,
    widening,
)
from jitcore.primitives.registry import PRIMITIVES, Primitive, declare

__all__ = [
    "PRIMITIVES",
    "Primitive",
    "conversions",
    "convolution",
    "copying",
    "declare",
    "elementwise",
    "indexing",
    "joining",
    "linalg",
    "pooling",
    "python_scalars",
    "reductions",
    "shape",
    "state",
    "transcendental",
    "unions",
    "views",
    "widening",
]
