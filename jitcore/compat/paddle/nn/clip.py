"""Gradients kept within bounds: what optimizers are given as `grad_clip`."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import jitcore
from jitcore import ops
from jitcore.runtime.tensor import Tensor

Pairs: TypeAlias = list[tuple[Any, Any]]
"""Parameters with their gradients."""


class ClipGradBase:
    """The base: called with Parameters and gradients, it gives them with other gradients."""

    def clipped(self, grads: Sequence[Tensor]) -> list[Any]:
        """Gradients within the bounds."""
        raise NotImplementedError

    def __call__(self, params_grads: Pairs) -> Pairs:
        chosen = [k for k, (p, g) in enumerate(params_grads) if g is not None and getattr(p, "need_clip", True)]
        made = dict(zip(chosen, self.clipped([params_grads[k][1] for k in chosen]) if chosen else [], strict=True))
        return [(p, made.get(k, g)) for k, (p, g) in enumerate(params_grads) if g is not None]


@jitcore.jit
def _between(grads: list[Tensor], low: float, high: float) -> list[Tensor]:
    return [ops.clamp(g, low, high) for g in grads]


class ClipGradByValue(ClipGradBase):
    """Each element between two bounds.

    >>> print(ClipGradByValue(2.0))
    Clip Gradient By Value, min = -2.000000, max=2.000000
    """

    def __init__(self, max: float, min: float | None = None) -> None:
        if min is None:
            if max <= 0.0:
                raise AssertionError("max must be greater than 0.0 where min is not given")
            min = -max
        self.max = float(max)
        self.min = float(min)

    def __str__(self) -> str:
        return f"Clip Gradient By Value, min = {self.min:f}, max={self.max:f}"

    def clipped(self, grads: Sequence[Tensor]) -> list[Any]:
        return _between(list(grads), self.min, self.max)


def _length(grad: Tensor) -> Any:
    return ops.sqrt(ops.sum_ext(ops.mul(grad, grad)))


@jitcore.jit
def _shortened(grads: list[Tensor], longest: float) -> list[Tensor]:
    return [ops.mul(g, ops.div(longest, ops.clamp(_length(g), longest))) for g in grads]


class ClipGradByNorm(ClipGradBase):
    """Each gradient no longer than a norm.

    >>> print(ClipGradByNorm(2.0))
    Gradient Clip By Norm, clip_norm=2.000000
    """

    def __init__(self, clip_norm: float) -> None:
        self.clip_norm = float(clip_norm)

    def __str__(self) -> str:
        return f"Gradient Clip By Norm, clip_norm={self.clip_norm:f}"

    def clipped(self, grads: Sequence[Tensor]) -> list[Any]:
        return _shortened(list(grads), self.clip_norm)


@jitcore.jit
def _scaled(grads: list[Tensor], longest: float) -> list[Tensor]:
    squares = [ops.sum_ext(ops.mul(g, g)) for g in grads]
    total = squares[0]
    for square in squares[1:]:
        total = ops.add_ext(total, square)
    share = ops.div(longest, ops.clamp(ops.sqrt(total), longest))
    return [ops.mul(g, ops.cast(share, g.dtype)) for g in grads]


class ClipGradByGlobalNorm(ClipGradBase):
    """All gradients together no longer than a norm.

    >>> print(ClipGradByGlobalNorm(2.0))
    Gradient Clip By GlobalNorm, global_norm=2.000000
    """

    def __init__(self, clip_norm: float, group_name: str = "default_group", auto_skip_clip: bool = False) -> None:
        self.clip_norm = float(clip_norm)
        self.group_name = group_name
        self.auto_skip_clip = auto_skip_clip

    def __str__(self) -> str:
        return f"Gradient Clip By GlobalNorm, global_norm={self.clip_norm:f}"

    def clipped(self, grads: Sequence[Tensor]) -> list[Any]:
        return _scaled(list(grads), self.clip_norm)
