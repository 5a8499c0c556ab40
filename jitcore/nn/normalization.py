"""Normalisation: of batches, layers, groups of channels and instances."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.common.initializer import initializer
from jitcore.common.parameter import Parameter
from jitcore.library.core.marking import library
from jitcore.library.nn import normalization
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.types import f32

_layer_norm = library("tensor")(normalization.normalise_layers)
_group_norm = library("tensor")(normalization.normalise_groups)
_instance_norm = library("tensor")(normalization.instance_norm)
_statistics = library("tensor")(normalization.channel_statistics)
_normalise = library("tensor")(normalization.normalise_channels)


class LayerNorm(Cell):
    """x less its mean, over its standard deviation (over the axes from `begin_norm_axis`), scaled and moved by
    Parameters."""

    def __init__(
        self,
        normalized_shape: Any,
        begin_norm_axis: int = -1,
        begin_params_axis: int = -1,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        epsilon: float = 1e-7,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        if not isinstance(normalized_shape, tuple | list):
            raise TypeError(f"normalized_shape of LayerNorm is a tuple, not {type(normalized_shape).__name__}")
        if not normalized_shape:
            raise ValueError("normalized_shape of LayerNorm must not be empty")
        self.normalized_shape: tuple[int, ...] = tuple(normalized_shape)  # pyright: ignore[reportUnknownArgumentType]
        self.begin_norm_axis = begin_norm_axis
        self.begin_params_axis = begin_params_axis
        self.epsilon = epsilon
        self.gamma = Parameter(initializer(gamma_init, self.normalized_shape, dtype), name="gamma")
        self.beta = Parameter(initializer(beta_init, self.normalized_shape, dtype), name="beta")

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        return _layer_norm(x, self.gamma, self.beta, self.begin_norm_axis, self.epsilon)

    def extend_repr(self) -> str:
        return (
            f"normalized_shape={self.normalized_shape}, begin_norm_axis={self.begin_norm_axis}, "
            f"begin_params_axis={self.begin_params_axis}, gamma={self.gamma!r}, beta={self.beta!r}"
        )


class _BatchNorm(Cell):
    """Normalisation of each channel (axis 1) by the statistics of the batch in training, by running ones else.

    `use_batch_statistics`: True or False whatever the mode. The running statistics keep `momentum` of what they were.
    """

    ranks: tuple[int, ...] = (2,)

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.9,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        moving_mean_init: Any = "zeros",
        moving_var_init: Any = "ones",
        use_batch_statistics: bool | None = None,
        data_format: str = "NCHW",
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        shape = (arguments.positive(num_features, "num_features", name),)
        if not 0 <= momentum <= 1:
            raise ValueError(f"momentum of {name} must be in [0, 1], but is {momentum}")
        if data_format not in ("NCHW", "NCDHW"):
            raise ValueError(f"data_format of {name} is 'NCHW', not {data_format!r}")
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.use_batch_statistics = use_batch_statistics
        self.moving_mean = Parameter(
            initializer(moving_mean_init, shape, dtype), name="moving_mean", requires_grad=False
        )
        self.moving_variance = Parameter(
            initializer(moving_var_init, shape, dtype), name="moving_variance", requires_grad=False
        )
        self.gamma = Parameter(initializer(gamma_init, shape, dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape, dtype), name="beta", requires_grad=affine)

    def _written(self) -> tuple[Parameter, ...]:
        """The moving statistics, if those of the batch go into them."""
        use_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        return (self.moving_mean, self.moving_variance) if use_batch else ()

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, …)."""
        if x.ndim not in self.ranks:
            raise ValueError(f"the input of a batch normalisation over {self.ranks} dimensions has {x.ndim}")
        use_batch = self.training if self.use_batch_statistics is None else self.use_batch_statistics
        if not use_batch:
            return _normalise(x, self.moving_mean, self.moving_variance, self.gamma, self.beta, self.eps)
        mean, variance, unbiased = _statistics(x)
        made = _normalise(x, mean, variance, self.gamma, self.beta, self.eps)
        kept = self.momentum
        drawn = ops.stop_gradient(variance) * unbiased
        ops.assign(self.moving_mean, self.moving_mean * kept + ops.stop_gradient(mean) * (1 - kept))
        ops.assign(self.moving_variance, self.moving_variance * kept + drawn * (1 - kept))
        return made

    def extend_repr(self) -> str:
        return (
            f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}, gamma={self.gamma!r}, "
            f"beta={self.beta!r}, moving_mean={self.moving_mean!r}, moving_variance={self.moving_variance!r}"
        )


class BatchNorm1d(_BatchNorm):
    """Batch normalisation of x (N, C) or (N, C, L)."""

    ranks = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Batch normalisation of x (N, C, H, W)."""

    ranks = (4,)


class BatchNorm3d(_BatchNorm):
    """Batch normalisation of x (N, C, D, H, W)."""

    ranks = (5,)


class SyncBatchNorm(_BatchNorm):
    """Batch normalisation over all devices, of which there is one."""

    ranks = (2, 4)


class GroupNorm(Cell):
    """x (N, C, …) normalised over each of `num_groups` groups of channels, scaled and moved by channel."""

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.num_groups = arguments.positive(num_groups, "num_groups", "GroupNorm")
        self.num_channels = arguments.positive(num_channels, "num_channels", "GroupNorm")
        if num_channels % num_groups:
            raise ValueError(f"{num_channels} channels cannot be split into {num_groups} groups")
        self.eps = eps
        self.affine = affine
        self.gamma = Parameter(initializer(gamma_init, (num_channels,), dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, (num_channels,), dtype), name="beta", requires_grad=affine)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, …)."""
        return _group_norm(x, self.num_groups, self.gamma, self.beta, self.eps)

    def extend_repr(self) -> str:
        return f"num_groups={self.num_groups}, num_channels={self.num_channels}"


class _InstanceNorm(Cell):
    """Normalisation of each channel of each sample, scaled and moved by channel."""

    rank = 4

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = True,
        gamma_init: Any = "ones",
        beta_init: Any = "zeros",
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        shape = (arguments.positive(num_features, "num_features", type(self).__name__),)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.gamma = Parameter(initializer(gamma_init, shape, dtype), name="gamma", requires_grad=affine)
        self.beta = Parameter(initializer(beta_init, shape, dtype), name="beta", requires_grad=affine)

    def construct(self, x: Any) -> Any:
        """The layer applied to x (N, C, …)."""
        if x.ndim != self.rank:
            raise ValueError(f"the input of an instance normalisation over {self.rank} dimensions has {x.ndim}")
        return _instance_norm(x, self.gamma, self.beta, self.eps)

    def extend_repr(self) -> str:
        return f"num_features={self.num_features}, eps={self.eps}, momentum={self.momentum}"


class InstanceNorm1d(_InstanceNorm):
    """Instance normalisation of x (N, C, L)."""

    rank = 3


class InstanceNorm2d(_InstanceNorm):
    """Instance normalisation of x (N, C, H, W)."""


class InstanceNorm3d(_InstanceNorm):
    """Instance normalisation of x (N, C, D, H, W)."""

    rank = 5
