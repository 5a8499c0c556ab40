"""Cells around networks: with a loss, and one step of training."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.common.parameter import ParameterTuple
from jitcore.nn.cell import Cell
from jitcore.transforms import value_and_grad


class WithLossCell(Cell):
    """A network and its loss: `loss_fn(backbone(data), label)`."""

    def __init__(self, backbone: Cell, loss_fn: Any) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        """The loss."""
        return self._loss_fn(self._backbone(data), label)

    @property
    def backbone_network(self) -> Cell:
        """The network without the loss."""
        return self._backbone


class TrainOneStepCell(Cell):
    """One step of training: the network's loss, its gradients by the optimizer's Parameters, and their update. Gives the loss.

    In GRAPH_MODE the whole step is one compiled function. `sens` scales the gradients.
    """

    def __init__(self, network: Cell, optimizer: Cell, sens: float = 1.0) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = ParameterTuple(optimizer.parameters)  # type: ignore[attr-defined]
        self.sens = float(sens)
        self.loss_and_grads = value_and_grad(network, None, self.weights)

    @property
    def sens(self) -> float:
        """What the gradients are multiplied by."""
        return self._sens

    @sens.setter
    def sens(self, sens: float) -> None:
        self._sens = float(sens)
        self._scales = self._sens != 1.0  # a bool is known to the compiler: without scaling there is no code for it

    def construct(self, *inputs: Any) -> Any:
        """The loss before the update."""
        loss, grads = self.loss_and_grads(*inputs)
        if self._scales:
            grads = tuple([g * self.sens for g in grads])
        self.optimizer(grads)
        return loss


class WithEvalCell(Cell):
    """A network for evaluation: (loss, output, label)."""

    def __init__(self, network: Cell, loss_fn: Any) -> None:
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn

    def construct(self, data: Any, label: Any) -> Any:
        """The loss, the output and the label."""
        outputs = self._network(data)
        return self._loss_fn(outputs, label), outputs, label


class ForwardValueAndGrad(Cell):
    """The value of a network and its gradients by `weights` (`get_by_list`), its inputs (`get_all`), or both."""

    def __init__(self, network: Any, weights: Any = None, get_all: bool = False, get_by_list: bool = False) -> None:
        super().__init__(auto_prefix=False)
        from jitcore.primitives.library import Gradient
        from jitcore.transforms import GradientFunction

        self.network = network
        positions: tuple[int, ...] | None = None if get_all else (() if get_by_list else (0,))
        by_weight = tuple(weights) if get_by_list else None
        self.function = GradientFunction(
            Gradient(network, positions, not get_all and not get_by_list, by_weight, with_value=True)
        )

    def construct(self, *inputs: Any) -> Any:
        """(value, gradients)."""
        return self.function(*inputs)


class WithGradCell(Cell):
    """The gradients of a network (with a loss) by its trainable Parameters."""

    def __init__(self, network: Cell, loss_fn: Any = None) -> None:
        super().__init__(auto_prefix=False)
        self.network = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.weights = ParameterTuple(network.trainable_params())
        self.grad = ops.grad(self.network, None, self.weights)

    def construct(self, *inputs: Any) -> Any:
        """The gradients, as a tuple."""
        return self.grad(*inputs)
