"""Normalisation and dropout, as Layers."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, ClassVar

from jitcore.compat.paddle.networks import activation
from jitcore.compat.paddle.networks import normalisation as functional
from jitcore.compat.paddle.nn.attributes import AttrLike, ParamAttr
from jitcore.compat.paddle.nn.dense import named
from jitcore.compat.paddle.nn.initializer import Constant
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.runtime.tensor import Tensor

# --- over batches ---------------------------------------------------------------------------------------


class _BatchNormBase(Layer):
    """Channels less their means over batches, by their deviations, scaled and moved as is learnt."""

    _format: ClassVar[str] = "NCHW"
    _ranks: ClassVar[tuple[int, ...]] = (4,)
    weight: Any
    bias: Any
    _mean: Any
    _variance: Any

    def __init__(
        self,
        num_features: int,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        data_format: str | None = None,
        use_global_stats: bool | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_features = num_features
        self._momentum = momentum
        self._epsilon = epsilon
        self._data_format = self._format if data_format is None else data_format
        self._use_global_stats = use_global_stats
        self._name = name
        ones = Constant(1.0)
        self.weight = self.create_parameter([num_features], weight_attr, default_initializer=ones)
        self.bias = self.create_parameter([num_features], bias_attr, is_bias=True)
        kept = (f"{name}_mean", f"{name}_variance") if name else (None, None)
        zeros = ParamAttr(kept[0], Constant(0.0), trainable=False)
        self._mean = self.create_parameter([num_features], zeros)
        self._variance = self.create_parameter([num_features], ParamAttr(kept[1], ones, trainable=False))

    def _require_input(self, input: Tensor) -> None:
        if input.ndim not in self._ranks:
            ranks = " or ".join(f"{rank}D" for rank in self._ranks)
            raise ValueError(f"expected {ranks} input (got {input.ndim}D input)")

    def forward(self, input: Tensor) -> Any:
        self._require_input(input)
        return functional.batch_norm(
            input,
            self._mean,
            self._variance,
            self.weight,
            self.bias,
            self.training,
            self._momentum,
            self._epsilon,
            self._data_format,
            self._use_global_stats,
        )

    def extra_repr(self) -> str:
        text = f"num_features={self._num_features}, momentum={self._momentum}, epsilon={self._epsilon}"
        text += "" if self._data_format == "NCHW" else f", data_format={self._data_format}"
        return named(text, self._name)


class BatchNorm1D(_BatchNormBase):
    """Batch normalisation of (N, C) or (N, C, L)."""

    _format = "NCL"
    _ranks = (2, 3)


class BatchNorm2D(_BatchNormBase):
    """Batch normalisation of (N, C, H, W)."""


class BatchNorm3D(_BatchNormBase):
    """Batch normalisation of (N, C, D, H, W)."""

    _format = "NCDHW"
    _ranks = (5,)


class SyncBatchNorm(_BatchNormBase):
    """Batch normalisation over all processes, of which there is one."""

    _ranks = (2, 3, 4, 5)

    @classmethod
    def convert_sync_batchnorm(cls, layer: Layer) -> Layer:
        """The Layer: with one process, batches are whole."""
        return layer


class BatchNorm(_BatchNormBase):
    """Batch normalisation of any number of axes, and perhaps an activation."""

    _ranks = (2, 3, 4, 5)

    def __init__(
        self,
        num_channels: int,
        act: str | None = None,
        is_test: bool = False,
        momentum: float = 0.9,
        epsilon: float = 1e-05,
        param_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        dtype: str = "float32",
        data_layout: str = "NCHW",
        in_place: bool = False,
        moving_mean_name: str | None = None,
        moving_variance_name: str | None = None,
        do_model_average_for_mean_and_var: bool = True,
        use_global_stats: bool = False,
        trainable_statistics: bool = False,
    ) -> None:
        del dtype, in_place, do_model_average_for_mean_and_var, moving_mean_name, moving_variance_name
        stats = use_global_stats or None
        super().__init__(num_channels, momentum, epsilon, param_attr, bias_attr, data_layout, stats)
        self._act = act
        self._is_test = is_test
        self._trainable_statistics = trainable_statistics

    def forward(self, input: Tensor) -> Any:
        made = functional.batch_norm(
            input,
            self._mean,
            self._variance,
            self.weight,
            self.bias,
            (self.training or self._trainable_statistics) and not self._is_test,
            self._momentum,
            self._epsilon,
            self._data_format,
            self._use_global_stats,
        )
        return made if self._act is None else getattr(activation, self._act)(made)

    def extra_repr(self) -> str:
        return ""


# --- over samples ---------------------------------------------------------------------------------------


class _InstanceNormBase(Layer):
    """Each channel of each sample less its mean, by its deviation."""

    _format: ClassVar[str] = "NCHW"
    _ranks: ClassVar[tuple[int, ...]] = (4,)
    scale: Any
    bias: Any

    def __init__(
        self,
        num_features: int,
        epsilon: float = 1e-5,
        momentum: float = 0.9,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        data_format: str | None = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if (weight_attr is False) != (bias_attr is False):
            raise AssertionError("weight_attr and bias_attr must be set to False at the same time in InstanceNorm")
        self._num_features = num_features
        self._epsilon = epsilon
        self._momentum = momentum
        self._data_format = self._format if data_format is None else data_format
        self._name = name
        self.scale = self.create_parameter([num_features], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_features], bias_attr, is_bias=True)

    def forward(self, input: Tensor) -> Any:
        if input.ndim not in self._ranks:
            raise ValueError(f"expected {' or '.join(f'{r}D' for r in self._ranks)} input (got {input.ndim}D input)")
        return functional.instance_norm(
            input, weight=self.scale, bias=self.bias, eps=self._epsilon, data_format=self._data_format
        )

    def extra_repr(self) -> str:
        return f"num_features={self._num_features}, epsilon={self._epsilon}"


class InstanceNorm1D(_InstanceNormBase):
    """Instance normalisation of (N, C) or (N, C, L)."""

    _format = "NCL"
    _ranks = (2, 3)


class InstanceNorm2D(_InstanceNormBase):
    """Instance normalisation of (N, C, H, W)."""


class InstanceNorm3D(_InstanceNormBase):
    """Instance normalisation of (N, C, D, H, W)."""

    _format = "NCDHW"
    _ranks = (5,)


class LayerNorm(Layer):
    """The last axes of each sample less their mean, by their deviation (Ba et al. 2016)."""

    weight: Any
    bias: Any

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        epsilon: float = 1e-05,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        extents = [normalized_shape] if isinstance(normalized_shape, int) else list(normalized_shape)
        self._normalized_shape = extents
        self._epsilon = epsilon
        self._name = name
        count = [math.prod(extents)]
        self.weight = self.create_parameter(count, weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter(count, bias_attr, is_bias=True)

    def forward(self, input: Tensor) -> Any:
        return functional.layer_norm(input, self._normalized_shape, self.weight, self.bias, self._epsilon)

    def extra_repr(self) -> str:
        return f"normalized_shape={self._normalized_shape}, epsilon={self._epsilon}"


class GroupNorm(Layer):
    """Groups of channels of each sample less their mean, by their deviation (Wu and He 2018)."""

    weight: Any
    bias: Any

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        epsilon: float = 1e-05,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._num_groups = num_groups
        self._num_channels = num_channels
        self._epsilon = epsilon
        self._data_format = data_format
        self._name = name
        self.weight = self.create_parameter([num_channels], weight_attr, default_initializer=Constant(1.0))
        self.bias = self.create_parameter([num_channels], bias_attr, is_bias=True)

    def forward(self, input: Tensor) -> Any:
        return functional.group_norm(input, self._num_groups, self._epsilon, self.weight, self.bias, self._data_format)

    def extra_repr(self) -> str:
        return f"num_groups={self._num_groups}, num_channels={self._num_channels}, epsilon={self._epsilon}"


class LocalResponseNorm(Layer):
    """Elements over a power of the squares of those in channels near theirs (Krizhevsky et al. 2012)."""

    def __init__(
        self,
        size: int,
        alpha: float = 1e-4,
        beta: float = 0.75,
        k: float = 1.0,
        data_format: str = "NCHW",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k
        self.data_format = data_format
        self.name = name

    def forward(self, input: Tensor) -> Any:
        return functional.local_response_norm(input, self.size, self.alpha, self.beta, self.k, self.data_format)

    def extra_repr(self) -> str:
        text = f"size={self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"
        return named(text if self.data_format == "NCHW" else f"{text}, data_format={self.data_format}", self.name)


# --- dropout --------------------------------------------------------------------------------------------


class Dropout(Layer):
    """Elements set to 0 by chance in training."""

    def __init__(
        self,
        p: float = 0.5,
        inplace: bool = False,
        axis: int | Sequence[int] | None = None,
        mode: str = "upscale_in_train",
        name: str | None = None,
    ) -> None:
        super().__init__()
        self.p = p
        self.inplace = inplace
        self.axis = axis
        self.mode = mode
        self.name = name

    def forward(self, input: Tensor) -> Any:
        return functional.dropout(input, self.p, self.axis, self.training, self.mode)

    def extra_repr(self) -> str:
        return named(f"p={self.p}, axis={self.axis}, mode={self.mode}", self.name) + f", inplace={self.inplace}"


class Dropout2D(Layer):
    """Channels of images set to 0 by chance in training."""

    def __init__(self, p: float = 0.5, data_format: str = "NCHW", name: str | None = None) -> None:
        super().__init__()
        self.p = p
        self.data_format = data_format
        self.name = name

    def forward(self, input: Tensor) -> Any:
        return functional.dropout2d(input, self.p, self.training, self.data_format)

    def extra_repr(self) -> str:
        return named(f"p={self.p}, data_format={self.data_format}", self.name)


class Dropout3D(Layer):
    """Channels of volumes set to 0 by chance in training."""

    def __init__(self, p: float = 0.5, data_format: str = "NCDHW", name: str | None = None) -> None:
        super().__init__()
        self.p = p
        self.data_format = data_format
        self.name = name

    def forward(self, input: Tensor) -> Any:
        return functional.dropout3d(input, self.p, self.training, self.data_format)

    def extra_repr(self) -> str:
        return named(f"p={self.p}, data_format={self.data_format}", self.name)


class AlphaDropout(Layer):
    """Dropout that keeps mean and variance (Klambauer et al. 2017)."""

    def __init__(self, p: float = 0.5, name: str | None = None) -> None:
        super().__init__()
        self.p = p
        self.name = name

    def forward(self, input: Tensor) -> Any:
        return functional.alpha_dropout(input, self.p, self.training)

    def extra_repr(self) -> str:
        return named(f"p={self.p}", self.name)


class FeatureAlphaDropout(AlphaDropout):
    """The same of whole channels."""

    def forward(self, input: Tensor) -> Any:
        return functional.feature_alpha_dropout(input, self.p, self.training)
