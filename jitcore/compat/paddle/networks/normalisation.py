"""`paddle.nn.functional`: normalisation and dropout."""

# pyright: reportPrivateUsage=false
# (how statistics are moved and scaled is shared with PyTorch's)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore import ops
from jitcore.compat.paddle.declaring import network
from jitcore.compat.torch.networks import activations
from jitcore.compat.torch.networks import normalisation as shaped
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.nn import dropout as drops
from jitcore.library.nn import normalization
from jitcore.runtime.tensor import Tensor

_LAST = ("NLC", "NHWC", "NDHWC")
_FIRST = ("NC", "NCL", "NCHW", "NCDHW")


def _first(x: Tensor, data_format: str) -> tuple[Any, bool]:
    """(An array with channels as axis 1, whether they were last)."""
    if data_format not in (*_LAST, *_FIRST):
        raise ValueError(f"data_format must be one of {[*_FIRST, *_LAST]}, not {data_format!r}")
    last = data_format in _LAST and values.rank_of(x) > 2
    return (ops.moveaxis(x, -1, 1) if last else x), last


def _back(x: object, last: bool) -> Any:
    return ops.moveaxis(x, 1, -1) if last else x


@network
def batch_norm(
    x: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.9,
    epsilon: float = 1e-05,
    data_format: str = "NCHW",
    use_global_stats: bool | None = None,
    name: str | None = None,
) -> Any:
    if values.rank_of(x) < 2:
        raise ValueError("input dim must be larger than 1")
    image, last = _first(x, data_format)
    if not training if use_global_stats is None else use_global_stats:
        if running_mean is None or running_var is None:
            raise ValueError("batch_norm takes running_mean and running_var unless it is training")
        mean, variance = ops.stop_gradient(running_mean), ops.stop_gradient(running_var)
        return _back(shaped.batch_norm(image, mean, variance, weight, bias, False, 0.0, epsilon), last)
    mean, variance, _ = normalization.channel_statistics(image)
    shaped._moved(running_mean, mean, 1 - momentum)
    shaped._moved(running_var, variance, 1 - momentum)
    return _back(shaped.batch_norm(image, mean, variance, weight, bias, False, 0.0, epsilon), last)


@network
def instance_norm(
    x: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.9,
    eps: float = 1e-05,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    del running_mean, running_var, use_input_stats, momentum  # which Paddle leaves alone
    image, last = _first(x, data_format)
    return _back(shaped.instance_norm(image, None, None, weight, bias, True, 0.0, eps), last)


@network
def layer_norm(
    x: Tensor,
    normalized_shape: int | Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    epsilon: float = 1e-05,
    name: str | None = None,
) -> Any:
    extents = tuple(values.static_ints(normalized_shape, "normalized_shape"))
    shape = values.shape_of(x)
    if len(shape) < len(extents) or any(
        isinstance(a, int) and a != b for a, b in zip(shape[len(shape) - len(extents) :], extents, strict=True)
    ):
        raise ValueError(
            f"Given normalized_shape is {list(extents)}, expected input with shape [*, {str(list(extents))[1:]}, but "
            f"got input shape {list(shape)}"
        )
    weight, bias = (None if a is None else ops.reshape(a, extents) for a in (weight, bias))
    return shaped.layer_norm(x, extents, weight, bias, epsilon)


@network
def rms_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    eps: float = 1e-05,
    name: str | None = None,
) -> Any:
    return shaped.rms_norm(input, values.static_ints(normalized_shape, "normalized_shape"), weight, eps)


@network
def group_norm(
    x: Tensor,
    num_groups: int,
    epsilon: float = 1e-05,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    image, last = _first(x, data_format)
    return _back(shaped.group_norm(image, num_groups, weight, bias, epsilon), last)


@network
def local_response_norm(
    x: Tensor,
    size: int,
    alpha: float = 1e-4,
    beta: float = 0.75,
    k: float = 1.0,
    data_format: str = "NCHW",
    name: str | None = None,
) -> Any:
    if values.rank_of(x) < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input, but got {values.rank_of(x)} dimensions")
    image, last = _first(x, data_format)
    return _back(shaped.local_response_norm(image, size, alpha, beta, k), last)


@network
def normalize(x: Tensor, p: float = 2, axis: int = 1, epsilon: float = 1e-12, name: str | None = None) -> Any:
    axis = 0 if values.rank_of(x) == 1 else axis
    return activations.normalize(x, p, axis, epsilon)


# --- dropout --------------------------------------------------------------------------------------------


@network
def dropout(
    x: Tensor,
    p: float = 0.5,
    axis: int | Sequence[int] | None = None,
    training: bool = True,
    mode: str = "upscale_in_train",
    inplace: bool = False,
    name: str | None = None,
) -> Any:
    p = shaped._probability(p)
    if mode not in ("upscale_in_train", "downscale_in_infer"):
        raise ValueError("mode argument should be 'downscale_in_infer' or 'upscale_in_train'")
    later = mode == "downscale_in_infer"
    if not training:
        return ops.mul(x, 1 - p) if later else x
    if p == 0:
        return x
    made = drops.dropout(x, p, True) if axis is None else ops.mul(x, _kept(x, p, axis))
    return activations.written(x, ops.mul(made, 1 - p) if later else made, inplace)


def _kept(x: Tensor, p: float, axis: int | Sequence[int]) -> Any:
    """What elements are multiplied by, which along other axes than those given is the same."""
    axes = {k % values.rank_of(x) for k in values.static_ints(axis, "axis")}
    shape = tuple(evaluator().number(n) if k in axes else 1 for k, n in enumerate(values.shape_of(x)))
    return drops.dropout(ops.ones(shape, values.dtype_of_value(x)), p, True)


@network
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    return dropout(input, p, (0, 1), training)


@network
def dropout2d(
    x: Tensor, p: float = 0.5, training: bool = True, data_format: str = "NCHW", name: str | None = None
) -> Any:
    return _of_channels(x, p, training, data_format, 4)


@network
def dropout3d(
    x: Tensor, p: float = 0.5, training: bool = True, data_format: str = "NCDHW", name: str | None = None
) -> Any:
    return _of_channels(x, p, training, data_format, 5)


def _of_channels(x: Tensor, p: float, training: bool, data_format: str, rank: int) -> Any:
    if values.rank_of(x) != rank:
        raise ValueError(f"dimensions of x should be {rank}, but received {values.rank_of(x)} != {rank}")
    return dropout(x, p, (0, rank - 1) if data_format in _LAST else (0, 1), training)


@network
def alpha_dropout(x: Tensor, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    return shaped.alpha_dropout(x, p, training)


@network
def feature_alpha_dropout(x: Tensor, p: float = 0.5, training: bool = True, name: str | None = None) -> Any:
    return shaped.feature_alpha_dropout(x, p, training)
