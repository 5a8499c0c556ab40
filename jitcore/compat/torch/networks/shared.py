"""Functions of networks that the module `torch` has, too, some with other arguments."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from jitcore.compat.torch.declaring import FUNCTIONS, METHODS, NETWORK, function, method
from jitcore.compat.torch.networks import activations, convolutions, dense, losses, normalisation, pooling
from jitcore.library.core import values
from jitcore.runtime.tensor import Tensor

_OF: Final = {
    convolutions: (
        *("conv1d", "conv2d", "conv3d", "conv_transpose1d", "conv_transpose2d", "conv_transpose3d"),
        *("pixel_shuffle", "pixel_unshuffle", "channel_shuffle"),
    ),
    dense: ("bilinear", "cosine_similarity", "pairwise_distance", "pdist"),
    pooling: ("avg_pool1d", "adaptive_avg_pool1d", "max_pool1d", "max_pool2d", "max_pool3d"),
    normalisation: ("rms_norm", "alpha_dropout", "feature_alpha_dropout"),
    activations: ("selu", "selu_", "celu", "celu_", "rrelu", "threshold", "threshold_"),
}
"""Those with the same arguments, by the module that declares them."""

for _names in _OF.values():
    FUNCTIONS.update({name: NETWORK[name] for name in _names if name not in FUNCTIONS})
for _name in ("hardshrink", "prelu"):
    FUNCTIONS[_name] = METHODS[_name] = NETWORK[_name]


@function
def adaptive_max_pool1d(input: Tensor, output_size: int | Sequence[int | None]) -> Any:
    return pooling.adaptive_max_pool1d(input, output_size, return_indices=True)


@function
def dropout(input: Tensor, p: float, train: bool) -> Any:
    return normalisation.dropout(input, p, train)


@method
def dropout_(input: Tensor, p: float, train: bool) -> Any:
    return normalisation.dropout(input, p, train, inplace=True)


@function
def batch_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    training: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Any:
    del cudnn_enabled
    return normalisation.batch_norm(input, running_mean, running_var, weight, bias, training, momentum, eps)


@function
def instance_norm(
    input: Tensor,
    weight: Tensor | None,
    bias: Tensor | None,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    use_input_stats: bool,
    momentum: float,
    eps: float,
    cudnn_enabled: bool,
) -> Any:
    del cudnn_enabled
    return normalisation.instance_norm(input, running_mean, running_var, weight, bias, use_input_stats, momentum, eps)


@function
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enable: bool = True,
) -> Any:
    del cudnn_enable
    return normalisation.layer_norm(input, normalized_shape, weight, bias, eps)


@function
def group_norm(
    input: Tensor,
    num_groups: int,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
    cudnn_enabled: bool = True,
) -> Any:
    del cudnn_enabled
    return normalisation.group_norm(input, num_groups, weight, bias, eps)


@function
def embedding(
    weight: Tensor, indices: Tensor, padding_idx: int = -1, scale_grad_by_freq: bool = False, sparse: bool = False
) -> Any:
    del scale_grad_by_freq, sparse
    return dense.embedding(indices, weight, None if values.static_int(padding_idx, "padding_idx") < 0 else padding_idx)


# --- losses, which have numbers for reductions ------------------------------------------------------

_REDUCTIONS: Final = ("none", "mean", "sum")


def _named(reduction: int) -> str:
    return _REDUCTIONS[values.static_int(reduction, "reduction")]


@function
def binary_cross_entropy_with_logits(
    input: Tensor,
    target: Tensor,
    weight: Tensor | None = None,
    pos_weight: Tensor | None = None,
    reduction: int = 0,
) -> Any:
    return losses.binary_cross_entropy_with_logits(
        input, target, weight, reduction=_named(reduction), pos_weight=pos_weight
    )


@function
def kl_div(input: Tensor, target: Tensor, reduction: int = 0, *, log_target: bool = False) -> Any:
    return losses.kl_div(input, target, reduction=_named(reduction), log_target=log_target)


@function
def cosine_embedding_loss(
    input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0
) -> Any:
    return losses.cosine_embedding_loss(input1, input2, target, margin, reduction=_named(reduction))


@function
def margin_ranking_loss(input1: Tensor, input2: Tensor, target: Tensor, margin: float = 0.0, reduction: int = 0) -> Any:
    return losses.margin_ranking_loss(input1, input2, target, margin, reduction=_named(reduction))


@function
def triplet_margin_loss(
    anchor: Tensor,
    positive: Tensor,
    negative: Tensor,
    margin: float = 1.0,
    p: float = 2.0,
    eps: float = 1e-6,
    swap: bool = False,
    reduction: int = 0,
) -> Any:
    return losses.triplet_margin_loss(anchor, positive, negative, margin, p, eps, swap, reduction=_named(reduction))
