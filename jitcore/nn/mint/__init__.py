"""Layers of `mindspore.mint.nn` that are made with PyTorch's parameters and hold Parameters by PyTorch's names; the
others are those of `jitcore.nn`."""

from jitcore.nn.activation import HShrink as Hardshrink
from jitcore.nn.activation import HSigmoid as Hardsigmoid
from jitcore.nn.activation import HSwish as Hardswish
from jitcore.nn.activation import SeLU as SELU
from jitcore.nn.activation import SoftShrink as Softshrink
from jitcore.nn.mint.convolution import Conv1d, Conv2d, Conv3d, ConvTranspose2d
from jitcore.nn.mint.layers import (
    GELU,
    CosineSimilarity,
    Dropout,
    Embedding,
    KLDivLoss,
    LeakyReLU,
    Linear,
    LogSoftmax,
    PReLU,
    SmoothL1Loss,
    Softmax,
    Softplus,
)
from jitcore.nn.mint.normalization import BatchNorm1d, BatchNorm2d, BatchNorm3d, GroupNorm, LayerNorm
from jitcore.nn.mint.windows import AvgPool1d, AvgPool2d, AvgPool3d, Fold, MaxPool2d, Unfold, ZeroPad1d, ZeroPad3d

__all__ = [
    "AvgPool1d",
    "AvgPool2d",
    "AvgPool3d",
    "BatchNorm1d",
    "BatchNorm2d",
    "BatchNorm3d",
    "Conv1d",
    "Conv2d",
    "Conv3d",
    "ConvTranspose2d",
    "CosineSimilarity",
    "Dropout",
    "Embedding",
    "Fold",
    "GELU",
    "GroupNorm",
    "Hardshrink",
    "Hardsigmoid",
    "Hardswish",
    "KLDivLoss",
    "LayerNorm",
    "LeakyReLU",
    "Linear",
    "LogSoftmax",
    "MaxPool2d",
    "PReLU",
    "SELU",
    "SmoothL1Loss",
    "Softmax",
    "Softplus",
    "Softshrink",
    "Unfold",
    "ZeroPad1d",
    "ZeroPad3d",
]
