"""Cells of training with the attributes that MindSpore's have for classes derived from them, and the functions that
such classes use."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any, Final, TypeVar, cast

from jitcore import Parameter, Tensor, nn, ops, train
from jitcore.compat.mindspore.adopting import adopt, class_of
from jitcore.compat.mindspore.composite import HyperMap, MultitypeFuncGraph
from jitcore.compat.mindspore.context import get_auto_parallel_context
from jitcore.types import i32

_F = TypeVar("_F", bound=Callable[..., Any])


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


gradient_accumulation_op: Final = MultitypeFuncGraph("gradient_accumulation_op")
gradient_clear_op: Final = MultitypeFuncGraph("gradient_clear_op")


@gradient_accumulation_op.register("Number", "Tensor", "Tensor")
def _accumulate(steps: Any, accumulated: Any, gradient: Any) -> Any:
    """Add a gradient's share of the mean over some steps."""
    return ops.assign_add(accumulated, gradient / steps)


@gradient_clear_op.register("Tensor")
def _clear(accumulated: Any) -> Any:
    """Begin a new mean."""
    return ops.assign(accumulated, ops.zeros_like(accumulated))


class GradientAccumulation(nn.Cell):
    """Averages the gradients of some steps, and calls the optimizer with the mean."""

    def __init__(self, max_accumulation_step: int, optimizer: Any) -> None:
        super().__init__()
        self._max_accumulation_step = max_accumulation_step
        self.optimizer = optimizer
        self.weights = optimizer.parameters
        self.hyper_map = HyperMap()
        self._grad_accumulation = self.weights.clone(prefix="grad_accumulation", init="zeros")
        self._accumulation_step = Parameter(Tensor(0, i32), name="accumulation_step", requires_grad=False)

    def construct(self, loss: Any, grads: Any) -> Any:
        """Take the gradients of a step into the mean; the loss is given back."""
        self.hyper_map(
            functools.partial(gradient_accumulation_op, self._max_accumulation_step), self._grad_accumulation, grads
        )
        if ops.assign_add(self._accumulation_step, 1) >= self._max_accumulation_step:
            self.optimizer(self._grad_accumulation)
            self.hyper_map(gradient_clear_op, self._grad_accumulation)
            ops.assign(self._accumulation_step, 0)
        return loss


def opt_init_args_register(function: _F) -> _F:
    """The constructor of an optimizer as it is: nothing here looks at its arguments later."""
    return function


def device_num() -> int:
    """How many devices there are."""
    return 1


def gradients_mean() -> bool:
    """Whether gradients are averaged over the devices, rather than summed."""
    return bool(get_auto_parallel_context("gradients_mean"))


def parallel_mode() -> str:
    """How a network would be spread over devices."""
    return get_auto_parallel_context("parallel_mode")


def get_white_list() -> list[Any]:
    """A copy of the layers that compute in half precision at level O1."""
    return list(map(class_of, train.get_white_list()))


def get_black_list() -> list[Any]:
    """A copy of the layers that compute in single precision at level O2."""
    return list(map(class_of, train.get_black_list()))


@functools.wraps(train.build_train_network)
def build_train_network(*args: object, **keywords: object) -> nn.Cell:
    """As `jitcore.train.build_train_network`; what it makes around the network is MindSpore's."""
    made = cast("Callable[..., nn.Cell]", train.build_train_network)(*args, **keywords)
    adopt(made)
    return made
