"""Cells of training with the attributes that MindSpore's have for classes derived from them, and the functions that such classes use."""

from __future__ import annotations

from typing import Any, Final

from jitcore import nn, ops
from jitcore.compat.mindspore.composite import HyperMap, MultitypeFuncGraph
from jitcore.compat.mindspore.context import get_auto_parallel_context


class TrainOneStepWithLossScaleCell(nn.TrainOneStepWithLossScaleCell):
    """jitcore's, with a `hyper_map`."""

    __doc__ = nn.TrainOneStepWithLossScaleCell.__doc__

    def __init__(self, network: nn.Cell, optimizer: nn.Cell, scale_sense: Any) -> None:
        super().__init__(network, optimizer, scale_sense)
        self.hyper_map = HyperMap()


grad_scale: Final = MultitypeFuncGraph("grad_scale")
grad_overflow: Final = MultitypeFuncGraph("_grad_overflow")


@grad_scale.register("Tensor", "Tensor")
def _scaled(scale: Any, grad: Any) -> Any:
    """A gradient without the loss scale."""
    return grad * ops.cast(ops.reciprocal(scale), grad.dtype)


@grad_overflow.register("Tensor")
def _overflow(grad: Any) -> Any:
    """Whether a gradient has elements that are not finite: a Tensor of one 1.0 or 0.0."""
    return ops.FloatStatus()(grad)


def device_num() -> int:
    """How many devices there are."""
    return 1


def gradients_mean() -> bool:
    """Whether gradients are averaged over the devices, rather than summed."""
    return bool(get_auto_parallel_context("gradients_mean"))


def parallel_mode() -> str:
    """How a network would be spread over devices."""
    return get_auto_parallel_context("parallel_mode")
