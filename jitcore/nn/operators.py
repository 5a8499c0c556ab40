"""Operators as Cells."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

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
        return ops.sqrt(ops.sum(x * x, self.axis, self.keep_dims))


class ClipByNorm(Cell):
    """x, shortened to a norm of `clip_norm` if it is longer (along `axis`)."""

    def __init__(self, axis: Any = None) -> None:
        super().__init__()
        self.axis = () if axis is None else axis

    def construct(self, x: Any, clip_norm: Any) -> Any:
        """The layer applied to x."""
        total = ops.sum(x * x, self.axis, True)
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
    """x (N, C, …) with its last axes resized, as by `ops.interpolate`."""

    def __init__(
        self,
        size: Any = None,
        scale_factor: Any = None,
        mode: str = "nearest",
        align_corners: bool | None = None,
        recompute_scale_factor: bool | None = None,
    ) -> None:
        super().__init__()
        if (size is None) == (scale_factor is None):
            raise ValueError("Upsample takes either size or scale_factor")
        self.size = size
        self.scale_factor = float(scale_factor) if isinstance(scale_factor, int) else scale_factor
        self.mode = mode
        self.align_corners = align_corners
        self.recompute_scale_factor = recompute_scale_factor

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.interpolate(
            x, self.size, self.scale_factor, self.mode, self.align_corners, self.recompute_scale_factor
        )


class PixelShuffle(Cell):
    """x (…, C r², H, W) as (…, C, H r, W r)."""

    def __init__(self, upscale_factor: int) -> None:
        super().__init__()
        self.upscale_factor = arguments.positive(upscale_factor, "upscale_factor", "PixelShuffle")

    def construct(self, input: Any) -> Any:
        """The layer applied to x."""
        return ops.pixel_shuffle(input, self.upscale_factor)


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


class PixelUnshuffle(Cell):
    """x (…, C, H r, W r) as (…, C r², H, W)."""

    def __init__(self, downscale_factor: int) -> None:
        super().__init__()
        self.downscale_factor = arguments.positive(downscale_factor, "downscale_factor", "PixelUnshuffle")

    def construct(self, input: Any) -> Any:
        """The layer applied to x."""
        return ops.pixel_unshuffle(input, self.downscale_factor)


class ChannelShuffle(Cell):
    """x (N, C, …) with the channels of `groups` groups taken in turns."""

    def __init__(self, groups: int) -> None:
        super().__init__()
        self.groups = arguments.positive(groups, "groups", "ChannelShuffle")

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.channel_shuffle(x, self.groups)

    def extend_repr(self) -> str:
        return f"groups={self.groups}"


class Roll(Cell):
    """x with its elements moved by `shift` along `axis`, those at the end to the beginning."""

    def __init__(self, shift: Any, axis: Any) -> None:
        super().__init__()
        for what, value in (("shift", shift), ("axis", axis)):
            if isinstance(value, bool) or not isinstance(value, int | tuple | list):
                raise TypeError(f"{what} of Roll is an int or several, not {type(value).__name__}")
        self.shift = tuple(shift) if isinstance(shift, list) else shift
        self.axis = tuple(axis) if isinstance(axis, list) else axis

    def construct(self, input_x: Any) -> Any:
        """The layer applied to x."""
        return ops.roll(input_x, self.shift, self.axis)


class Range(Cell):
    """The numbers from `start` to below `limit` (from 0 to below `start` without it), `delta` apart."""

    def __init__(self, start: Any, limit: Any = None, delta: Any = 1) -> None:
        super().__init__()
        if delta == 0:
            raise ValueError("delta of Range must not be zero")
        bounds = (0, start) if limit is None else (start, limit)
        made = np.arange(*bounds, delta)
        self.result_tensor = Tensor(made.astype(np.int32 if made.dtype.kind == "i" else np.float32))

    def construct(self) -> Any:
        """The numbers."""
        return self.result_tensor


class LGamma(Cell):
    """The logarithm of the absolute value of the gamma function."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.lgamma(x)


class DiGamma(Cell):
    """The derivative of `LGamma`."""

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return ops.digamma(x)


class LBeta(Cell):
    """The logarithm of the beta function."""

    def construct(self, x: Any, y: Any) -> Any:
        """The layer applied to x and y."""
        return ops.lgamma(x) + ops.lgamma(y) - ops.lgamma(x + y)


class IGamma(Cell):
    """The regularised lower incomplete gamma function."""

    def construct(self, a: Any, x: Any) -> Any:
        """The layer applied to a and x."""
        return ops.igamma(a, x)


class MatrixDiag(Cell):
    """Matrices with x (…, K) on their diagonals."""

    def construct(self, input_x: Any) -> Any:
        """The layer applied to x."""
        return ops.diag_embed(input_x)


class MatrixDiagPart(Cell):
    """The diagonals of matrices."""

    def construct(self, input_x: Any) -> Any:
        """The layer applied to x (…, M, N)."""
        return ops.diagonal(input_x, 0, -2, -1)


class MatrixSetDiag(Cell):
    """Matrices with other diagonals."""

    def construct(self, input_x: Any, diagonal: Any) -> Any:
        """x (…, M, N) with `diagonal` (…, min(M, N)) on the diagonals."""
        rows, columns = input_x.shape[-2], input_x.shape[-1]
        at = ops.arange(rows).reshape(-1, 1) == ops.arange(columns)
        line = diagonal.expand_dims(-1) if rows <= columns else diagonal.expand_dims(-2)
        return ops.where(at, line, input_x)


class MatDet(Cell):
    """The determinants of matrices."""

    def construct(self, a: Any) -> Any:
        """The layer applied to a (…, N, N)."""
        return ops.det(a)


class MatInverse(Cell):
    """The inverses of positive definite matrices."""

    def construct(self, a: Any) -> Any:
        """The layer applied to a (…, N, N)."""
        return ops.inverse(a)


class Unfold(Cell):
    """The windows of x (N, C, H, W) as channels: (N, C KH KW, rows, columns)."""

    def __init__(self, ksizes: Any, strides: Any, rates: Any, padding: str = "valid") -> None:
        super().__init__()
        self.ksizes = self._middle(ksizes, "ksizes")
        self.strides = self._middle(strides, "strides")
        self.rates = self._middle(rates, "rates")
        if (
            not isinstance(padding, str)  # pyright: ignore[reportUnnecessaryIsInstance]
            or padding.lower() not in ("same", "valid")
        ):
            raise ValueError(f"padding of Unfold is 'same' or 'valid', not {padding!r}")
        self.padding = padding.lower()

    @staticmethod
    def _middle(given: Any, name: str) -> tuple[int, int]:
        if not isinstance(given, tuple | list):
            raise TypeError(f"{name} of Unfold is a tuple [1, rows, columns, 1], not {type(given).__name__}")
        items = cast("Sequence[int]", given)
        if len(items) != 4 or items[0] != 1 or items[3] != 1:
            raise ValueError(f"{name} of Unfold is [1, rows, columns, 1], not {items}")
        return arguments.pair(tuple(items[1:3]), name, "Unfold")

    def construct(self, input_x: Any) -> Any:
        """The layer applied to x."""
        if input_x.ndim != 4:
            raise ValueError(f"Unfold takes x of 4 dimensions, not {input_x.ndim}")
        windows = [self.rates[k] * (self.ksizes[k] - 1) + 1 for k in range(2)]
        if self.padding == "same":
            ends = []
            for k in range(2):
                extent, stride = input_x.shape[k + 2], self.strides[k]
                missing = max((-(-extent // stride) - 1) * stride + windows[k] - extent, 0)
                ends.append((missing // 2, missing - missing // 2))
            input_x = ops.pad(input_x, (ends[1][0], ends[1][1], ends[0][0], ends[0][1]))
        n, channels, height, width = input_x.shape
        rows = (height - windows[0]) // self.strides[0] + 1
        columns = (width - windows[1]) // self.strides[1] + 1
        made = ops.unfold(input_x, self.ksizes, self.rates, 0, self.strides)
        count = self.ksizes[0] * self.ksizes[1]
        by_place = ops.swapaxes(made.reshape(n, channels, count, rows * columns), 1, 2)
        return by_place.reshape(n, channels * count, rows, columns)


class TimeDistributed(Cell):
    """A layer applied to each step along `time_axis` of x; or at once to x with the axis `reshape_with_axis` longer by
    all steps."""

    def __init__(self, layer: Any, time_axis: int, reshape_with_axis: int | None = None) -> None:
        super().__init__()
        if not callable(layer):
            raise TypeError(f"layer of TimeDistributed is a Cell or an operator, not {type(layer).__name__}")
        for what, axis in (("time_axis", time_axis), ("reshape_with_axis", reshape_with_axis)):
            if isinstance(axis, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
                axis, int | None
            ):
                raise TypeError(f"{what} of TimeDistributed is an int, not {type(axis).__name__}")
        self.layer: Any = layer
        self.time_axis = time_axis
        self.reshape_with_axis = reshape_with_axis

    def construct(self, inputs: Any) -> Any:
        """The layer applied to the steps of x."""
        time_axis = self.time_axis % inputs.ndim
        if self.reshape_with_axis is None:
            made: list[Any] = [self.layer(step) for step in ops.unstack(inputs, time_axis)]
            return ops.stack(made, time_axis % (made[0].ndim + 1))
        other = self.reshape_with_axis % inputs.ndim
        steps = inputs.shape[time_axis]
        moved = ops.moveaxis(inputs, time_axis, 0)
        place = other - 1 if other > time_axis else other  # of the other axis among the rest
        beside = ops.moveaxis(moved, 0, place)
        shape = beside.shape
        output: Any = self.layer(beside.reshape(*shape[:place], steps * shape[place + 1], *shape[place + 2 :]))
        taken = output.shape
        apart = output.reshape(*taken[:place], steps, taken[place] // steps, *taken[place + 1 :])
        return ops.moveaxis(apart, place, time_axis)
