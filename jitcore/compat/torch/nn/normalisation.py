"""Normalisation and dropout, as Modules."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, ClassVar

from jitcore.compat.torch.arguments import Device, DTypeLike
from jitcore.compat.torch.declaring import require_device
from jitcore.compat.torch.functions.creation import ones, tensor, zeros
from jitcore.compat.torch.networks import normalisation as functions
from jitcore.compat.torch.nn import init
from jitcore.compat.torch.nn.module import Module
from jitcore.runtime.tensor import Tensor


class _Channels(Module):
    """Normalisation by channels: parameters of each, and running statistics."""

    _ranks: ClassVar[tuple[int, ...]]
    weight: Any
    bias: Any
    running_mean: Any
    running_var: Any
    num_batches_tracked: Any

    def __init__(
        self,
        num_features: int,
        eps: float,
        momentum: float | None,
        affine: bool,
        track_running_stats: bool,
        device: Device,
        dtype: DTypeLike,
        bias: bool,
    ) -> None:
        super().__init__()
        require_device(device)
        self.num_features = num_features
        self.eps = eps
        self.momentum = momentum
        self.affine = affine
        self.track_running_stats = track_running_stats
        self.register_parameter("weight", self._as_parameter(ones(num_features, dtype=dtype)) if affine else None)
        self.register_parameter(
            "bias", self._as_parameter(zeros(num_features, dtype=dtype)) if affine and bias else None
        )
        kept = track_running_stats
        self.register_buffer("running_mean", self._as_own(zeros(num_features, dtype=dtype)) if kept else None)
        self.register_buffer("running_var", self._as_own(ones(num_features, dtype=dtype)) if kept else None)
        self.register_buffer("num_batches_tracked", self._as_own(tensor(0)) if kept else None)

    def reset_running_stats(self) -> None:
        """Forget the running statistics."""
        if self.track_running_stats:
            init.zeros_(self.running_mean)
            init.ones_(self.running_var)
            init.zeros_(self.num_batches_tracked)

    def reset_parameters(self) -> None:
        """Begin anew."""
        self.reset_running_stats()
        if self.affine:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def _check_input_dim(self, input: Tensor) -> None:
        if input.ndim not in self._ranks:
            wanted = " or ".join(f"{n}D" for n in self._ranks)
            raise ValueError(f"expected {wanted} input (got {input.ndim}D input)")

    def _written(self) -> Iterable[Tensor]:
        """Its running statistics, where a call changes them."""
        if not self.training or not self.track_running_stats:
            return ()
        kept = (self.running_mean, self.running_var, self.num_batches_tracked)
        return (buffer for buffer in kept if buffer is not None)

    def extra_repr(self) -> str:
        return (
            f"{self.num_features}, eps={self.eps}, momentum={self.momentum}, affine={self.affine}, "
            f"bias={self.bias is not None}, track_running_stats={self.track_running_stats}"
        )


class _BatchNorm(_Channels):
    """Each channel less its mean, over its deviation: of the batch when training, running ones else."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float | None = 0.1,
        affine: bool = True,
        track_running_stats: bool = True,
        device: Device = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias)

    def forward(self, input: Tensor) -> Any:
        self._check_input_dim(input)
        share = 0.0 if self.momentum is None else self.momentum
        if self.training and self.track_running_stats:
            self.num_batches_tracked.add_(1)
            if self.momentum is None:
                share = 1.0 / float(self.num_batches_tracked)
        of_batch = self.training or self.running_mean is None
        moved = not self.training or self.track_running_stats
        return functions.batch_norm(
            input,
            self.running_mean if moved else None,
            self.running_var if moved else None,
            self.weight,
            self.bias,
            of_batch,
            share,
            self.eps,
        )


class BatchNorm1d(_BatchNorm):
    """Normalisation of the channels of a batch over sequences."""

    _ranks: ClassVar[tuple[int, ...]] = (2, 3)


class BatchNorm2d(_BatchNorm):
    """Normalisation of the channels of a batch over images."""

    _ranks: ClassVar[tuple[int, ...]] = (4,)


class BatchNorm3d(_BatchNorm):
    """Normalisation of the channels of a batch over volumes."""

    _ranks: ClassVar[tuple[int, ...]] = (5,)


class SyncBatchNorm(_BatchNorm):
    """Normalisation of the channels of a batch, of one process."""

    _ranks: ClassVar[tuple[int, ...]] = (2, 3, 4, 5)


class _InstanceNorm(_Channels):
    """Each channel of each sample less its mean, over its deviation."""

    def __init__(
        self,
        num_features: int,
        eps: float = 1e-5,
        momentum: float = 0.1,
        affine: bool = False,
        track_running_stats: bool = False,
        device: Device = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__(num_features, eps, momentum, affine, track_running_stats, device, dtype, bias)

    def forward(self, input: Tensor) -> Any:
        self._check_input_dim(input)
        single = input.ndim == self._ranks[0]
        made = functions.instance_norm(
            input.unsqueeze(0) if single else input,
            self.running_mean,
            self.running_var,
            self.weight,
            self.bias,
            self.training or not self.track_running_stats,
            0.0 if self.momentum is None else self.momentum,
            self.eps,
        )
        return made.squeeze(0) if single else made


class InstanceNorm1d(_InstanceNorm):
    """Normalisation of the channels of each of sequences."""

    _ranks: ClassVar[tuple[int, ...]] = (2, 3)


class InstanceNorm2d(_InstanceNorm):
    """Normalisation of the channels of each of images."""

    _ranks: ClassVar[tuple[int, ...]] = (3, 4)


class InstanceNorm3d(_InstanceNorm):
    """Normalisation of the channels of each of volumes."""

    _ranks: ClassVar[tuple[int, ...]] = (4, 5)


def _extents(given: int | Sequence[int]) -> tuple[int, ...]:
    return (given,) if isinstance(given, int) else tuple(given)


class LayerNorm(Module):
    """The last axes less their mean, over their deviation."""

    weight: Any
    bias: Any

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float = 1e-5,
        elementwise_affine: bool = True,
        bias: bool = True,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        require_device(device)
        self.normalized_shape = _extents(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        made = self._as_parameter(ones(self.normalized_shape, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", made)
        moved = elementwise_affine and bias
        self.register_parameter(
            "bias", self._as_parameter(zeros(self.normalized_shape, dtype=dtype)) if moved else None
        )

    def reset_parameters(self) -> None:
        """Begin anew."""
        if self.weight is not None:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Any:
        return functions.layer_norm(input, self.normalized_shape, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        text = f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"
        return f"{text}, bias={self.bias is not None}"


class RMSNorm(Module):
    """The last axes over the root of the mean of their squares."""

    weight: Any

    def __init__(
        self,
        normalized_shape: int | Sequence[int],
        eps: float | None = None,
        elementwise_affine: bool = True,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        require_device(device)
        self.normalized_shape = _extents(normalized_shape)
        self.eps = eps
        self.elementwise_affine = elementwise_affine
        made = self._as_parameter(ones(self.normalized_shape, dtype=dtype)) if elementwise_affine else None
        self.register_parameter("weight", made)

    def reset_parameters(self) -> None:
        """Begin anew."""
        if self.weight is not None:
            init.ones_(self.weight)

    def forward(self, input: Tensor) -> Any:
        return functions.rms_norm(input, self.normalized_shape, self.weight, self.eps)

    def extra_repr(self) -> str:
        return f"{self.normalized_shape}, eps={self.eps}, elementwise_affine={self.elementwise_affine}"


class GroupNorm(Module):
    """Each group of channels of each sample less its mean, over its deviation."""

    weight: Any
    bias: Any

    def __init__(
        self,
        num_groups: int,
        num_channels: int,
        eps: float = 1e-5,
        affine: bool = True,
        device: Device = None,
        dtype: DTypeLike = None,
        *,
        bias: bool = True,
    ) -> None:
        super().__init__()
        require_device(device)
        if num_channels % num_groups:
            raise ValueError("num_channels must be divisible by num_groups")
        self.num_groups = num_groups
        self.num_channels = num_channels
        self.eps = eps
        self.affine = affine
        self.register_parameter("weight", self._as_parameter(ones(num_channels, dtype=dtype)) if affine else None)
        self.register_parameter(
            "bias", self._as_parameter(zeros(num_channels, dtype=dtype)) if affine and bias else None
        )

    def reset_parameters(self) -> None:
        """Begin anew."""
        if self.affine:
            init.ones_(self.weight)
        if self.bias is not None:
            init.zeros_(self.bias)

    def forward(self, input: Tensor) -> Any:
        return functions.group_norm(input, self.num_groups, self.weight, self.bias, self.eps)

    def extra_repr(self) -> str:
        text = f"{self.num_groups}, {self.num_channels}, eps={self.eps}, affine={self.affine}"
        return f"{text}, bias={self.bias is not None}"


class LocalResponseNorm(Module):
    """Each element over a power of the sum of the squares of neighbouring channels."""

    def __init__(self, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> None:
        super().__init__()
        self.size = size
        self.alpha = alpha
        self.beta = beta
        self.k = k

    def forward(self, input: Tensor) -> Any:
        return functions.local_response_norm(input, self.size, self.alpha, self.beta, self.k)

    def extra_repr(self) -> str:
        return f"{self.size}, alpha={self.alpha}, beta={self.beta}, k={self.k}"


# --- dropout ----------------------------------------------------------------------------------------


class _Dropout(Module):
    """What all dropout has."""

    def __init__(self, p: float = 0.5, inplace: bool = False) -> None:
        super().__init__()
        if p < 0 or p > 1:
            raise ValueError(f"dropout probability has to be between 0 and 1, but got {p}")
        self.p = p
        self.inplace = inplace

    def extra_repr(self) -> str:
        return f"p={self.p}, inplace={self.inplace}"


class Dropout(_Dropout):
    """Elements set to 0 at random, the others scaled up."""

    def forward(self, input: Tensor) -> Any:
        return functions.dropout(input, self.p, self.training, self.inplace)


class Dropout1d(_Dropout):
    """Channels of sequences set to 0 at random."""

    def forward(self, input: Tensor) -> Any:
        return functions.dropout1d(input, self.p, self.training, self.inplace)


class Dropout2d(_Dropout):
    """Channels of images set to 0 at random."""

    def forward(self, input: Tensor) -> Any:
        return functions.dropout2d(input, self.p, self.training, self.inplace)


class Dropout3d(_Dropout):
    """Channels of volumes set to 0 at random."""

    def forward(self, input: Tensor) -> Any:
        return functions.dropout3d(input, self.p, self.training, self.inplace)


class AlphaDropout(_Dropout):
    """Elements set to the lowest value of SELU at random (Klambauer et al. 2017)."""

    def forward(self, input: Tensor) -> Any:
        return functions.alpha_dropout(input, self.p, self.training, self.inplace)


class FeatureAlphaDropout(_Dropout):
    """Channels set to the lowest value of SELU at random."""

    def forward(self, input: Tensor) -> Any:
        return functions.feature_alpha_dropout(input, self.p, self.training, self.inplace)
