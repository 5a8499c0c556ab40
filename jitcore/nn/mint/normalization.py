"""Normalisation with PyTorch's parameters."""

from __future__ import annotations

from typing import Any, ClassVar

from jitcore import ops
from jitcore.common.initializer import initializer
from jitcore.common.parameter import Parameter
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.types import f32, i64


def _parameter(name: str, init: str, shape: Any, dtype: Any, trained: bool = True) -> Parameter:
    return Parameter(initializer(init, shape, f32 if dtype is None else dtype), name=name, requires_grad=trained)


class LayerNorm(Cell):
    """The input less its mean, over its standard deviation, over its last axes."""

    def __init__(
        self,
        normalized_shape: Any,
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        given = normalized_shape
        self.normalized_shape: tuple[int, ...] = (
            tuple(given)  # pyright: ignore[reportUnknownArgumentType]
            if isinstance(given, tuple | list)
            else (given,)
        )
        self.eps = eps
        shape = self.normalized_shape
        self.weight = _parameter("weight", "ones", shape, dtype) if elementwise_affine else None
        self.bias = _parameter("bias", "zeros", shape, dtype) if elementwise_affine and bias else None

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extend_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.weight is not None}"


class GroupNorm(Cell):
    """Each group of channels of each sample less its mean, over its standard deviation."""

    def __init__(
        self, num_groups: int, num_channels: int, eps: float = 1e-5, affine: bool = True, dtype: Any = None
    ) -> None:
        super().__init__()
        self.num_groups = arguments.positive(num_groups, "num_groups", "GroupNorm")
        self.num_channels = arguments.positive(num_channels, "num_channels", "GroupNorm")
        if num_channels % num_groups:
            raise ValueError(f"num_channels of GroupNorm must be divisible by its {num_groups} groups")
        self.eps = eps
        self.weight = _parameter("weight", "ones", (num_channels,), dtype) if affine else None
        self.bias = _parameter("bias", "zeros", (num_channels,), dtype) if affine else None

    def construct(self, input: Any) -> Any:
        """The layer applied to the input (N, C, …)."""
        return ops.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)


class _BatchNorm(Cell):
    """Each channel by the statistics of the batch in training, else by running ones, which take `momentum` of each
    batch's."""

    ranks: ClassVar[tuple[int, ...]] = (4,)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        shape = (arguments.positive(num_features, "num_features", type(self).__name__),)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.weight = _parameter("weight", "ones", shape, dtype) if affine else None
        self.bias = _parameter("bias", "zeros", shape, dtype) if affine else None
        kept = track_running_stats
        self.running_mean = _parameter("running_mean", "zeros", shape, dtype, False) if kept else None
        self.running_var = _parameter("running_var", "ones", shape, dtype, False) if kept else None
        self.num_batches_tracked = _parameter("num_batches_tracked", "zeros", (), i64, False) if kept else None

    def construct(self, input: Any) -> Any:
        """The layer applied to the input (N, C, …)."""
        if input.ndim not in self.ranks:
            raise ValueError(f"the input of a batch normalisation over {self.ranks} dimensions has {input.ndim}")
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.num_batches_tracked is not None:
            ops.assign_add(self.num_batches_tracked, 1)
            if self.momentum is None:
                share = 1.0 / self.num_batches_tracked
        training = self.training or self.running_mean is None
        return ops.batch_norm_ext(
            input, self.running_mean, self.running_var, self.weight, self.bias, training, share, self.eps
        )

    def extend_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"track_running_stats={self.track_running_stats}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of (N, C) or (N, C, L)."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of (N, C, H, W)."""


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of (N, C, D, H, W)."""

    ranks = (5,)
