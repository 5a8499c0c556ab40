"""Operators as Cells."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore import ops
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32


class OneHot(Cell):
    """`on_value` at each index along a new axis, `off_value` elsewhere."""

    def __init__(
        self, axis: int = -1, depth: int = 1, on_value: Any = 1.0, off_value: Any = 0.0, dtype: Any = f32
    ) -> None:
        super().__init__()
        self.axis = axis
        self.depth = arguments.positive(depth, "depth", "OneHot")
        self.on_value = Tensor(np.asarray(on_value), dtype)
        self.off_value = Tensor(np.asarray(off_value), dtype)

    def construct(self, indices: Any) -> Any:
        """The layer applied to int indices."""
        return ops.one_hot(indices, self.depth, self.on_value, self.off_value, self.axis)


class Norm(Cell):
    """The root of the sum of squares along `axis`."""

    def __init__(self, axis: Any = (), keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = axis
        self.keep_dims = keep_dims

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.sqrt(ops.reduce_sum(x * x, self.axis, self.keep_dims))


class ClipByNorm(Cell):
    """x, shortened to a norm of `clip_norm` if it is longer (along `axis`)."""

    def __init__(self, axis: Any = None) -> None:
        super().__init__()
        self.axis = () if axis is None else axis

    def construct(self, x: Any, clip_norm: Any) -> Any:
        """The layer applied to x."""
        total = ops.reduce_sum(x * x, self.axis, True)
        positive = total > 0
        norm = ops.where(positive, ops.sqrt(ops.where(positive, total, 1.0)), total)
        return x * clip_norm / ops.maximum(norm, clip_norm)


class L1Regularizer(Cell):
    """scale times the sum of absolute values."""

    def __init__(self, scale: float) -> None:
        super().__init__()
        if scale <= 0:
            raise ValueError(f"scale of L1Regularizer must be positive, but is {scale}")
        self.scale = float(scale)

    def construct(self, weights: Any) -> Any:
        """The layer applied to weights."""
        return ops.abs(weights).sum() * self.scale


class ReduceLogSumExp(Cell):
    """log(sum(exp(x))) along `axis`."""

    def __init__(self, axis: Any, keep_dims: bool = False) -> None:
        super().__init__()
        self.axis = axis
        self.keep_dims = keep_dims

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.logsumexp(x, self.axis, self.keep_dims)


class Upsample(Cell):
    """x (N, C, H, W) with every element repeated `scale_factor` times both ways ('nearest')."""

    def __init__(self, size: Any = None, scale_factor: Any = None, mode: str = "nearest") -> None:
        super().__init__()
        if mode != "nearest" or size is not None:
            raise ValueError("Upsample repeats elements ('nearest') by a scale_factor")
        self.factors = arguments.pair(scale_factor, "scale_factor", "Upsample")

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.repeat_interleave(ops.repeat_interleave(x, self.factors[0], 2), self.factors[1], 3)


class PixelShuffle(Cell):
    """x (…, C r², H, W) as (…, C, H r, W r)."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = arguments.positive(upscale_factor, "upscale_factor", "PixelShuffle")

    def construct(self, input: Any) -> Any:
        """The layer applied to x."""
        r = self.upscale_factor
        *batch, channels, height, width = input.shape
        split = ops.reshape(input, (-1, channels // (r * r), r, r, height, width))
        moved = ops.transpose(split, (0, 1, 4, 2, 5, 3))
        return ops.reshape(moved, (*batch, channels // (r * r), height * r, width * r))


class Tril(Cell):
    """The lower triangle of matrices, from diagonal k."""

    def construct(self, x: Any, k: int = 0) -> Any:
        """The layer applied to x."""
        return ops.tril(x, k)


class Triu(Cell):
    """The upper triangle of matrices, from diagonal k."""

    def construct(self, x: Any, k: int = 0) -> Any:
        """The layer applied to x."""
        return ops.triu(x, k)


class Moments(Cell):
    """The mean and variance along `axis`."""

    def __init__(self, axis: Any = None, keep_dims: bool | None = None) -> None:
        super().__init__()
        self.axis = () if axis is None else axis
        self.keep_dims = bool(keep_dims)

    def construct(self, x: Any) -> Any:
        """(mean, variance)."""
        mean = ops.reduce_mean(x, self.axis, True)
        centred = x - ops.stop_gradient(mean)
        variance = ops.reduce_mean(centred * centred, self.axis, self.keep_dims)
        return ops.reduce_mean(x, self.axis, self.keep_dims), variance


class MatMul(Cell):
    """x1 @ x2, each transposed if told so."""

    def __init__(self, transpose_x1: bool = False, transpose_x2: bool = False) -> None:
        super().__init__()
        self.transpose_x1 = transpose_x1
        self.transpose_x2 = transpose_x2

    def construct(self, x1: Any, x2: Any) -> Any:
        """The product."""
        if self.transpose_x1 and x1.ndim > 1:
            x1 = ops.swapaxes(x1, -1, -2)
        if self.transpose_x2 and x2.ndim > 1:
            x2 = ops.swapaxes(x2, -1, -2)
        return ops.matmul(x1, x2)
