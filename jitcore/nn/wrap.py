"""Cells around networks: with a loss, and one step of training."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore import ops
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.nn.arguments import positive
from jitcore.nn.cell import Cell
from jitcore.nn.layers import Identity
from jitcore.ops import GradOperation
from jitcore.primitives.transforms import Gradient
from jitcore.runtime.tensor import Tensor
from jitcore.transforms import GradientFunction, jvp, value_and_grad, vjp
from jitcore.types import f32, i32


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
    """One step of training: the network's loss, its gradients by the optimizer's Parameters, and their update. Gives
    the loss.

    In GRAPH_MODE the whole step is one compiled function. `sens` scales the gradients. With `return_grad` it gives
    (loss, gradients by the Parameters' names). Subclasses may use `grad` (by the weights, with a cotangent) and
    `grad_reducer`.
    """

    def __init__(self, network: Cell, optimizer: Cell, sens: float | None = None, return_grad: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.network.set_grad()
        self.optimizer = optimizer
        self.weights = ParameterTuple(optimizer.parameters)  # type: ignore[attr-defined]
        self.sens = 1.0 if sens is None else float(sens)
        self.return_grad = return_grad
        self.loss_and_grads = value_and_grad(network, None, self.weights)
        self.grad = GradOperation(get_by_list=True, sens_param=True)
        self.grad_no_sens = GradOperation(get_by_list=True)
        self.grad_reducer = Identity()
        self.reducer_flag = False

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
        if self.return_grad:
            return loss, {w.name: g for w, g in zip(self.weights, grads, strict=True)}
        return loss


class WithEvalCell(Cell):
    """A network for evaluation: (loss, output, label); with `add_cast_fp32` of the output and label as float32."""

    def __init__(self, network: Cell, loss_fn: Any, add_cast_fp32: bool = False) -> None:
        super().__init__(auto_prefix=False)
        self._network = network
        self._loss_fn = loss_fn
        self.add_cast_fp32 = add_cast_fp32

    def construct(self, data: Any, label: Any) -> Any:
        """The loss, the output and the label."""
        outputs = self._network(data)
        if self.add_cast_fp32:
            outputs = ops.cast(outputs, f32)
            label = ops.cast(label, f32) if label.dtype.is_float else label
        return self._loss_fn(outputs, label), outputs, label


class ForwardValueAndGrad(Cell):
    """The value of a network and its gradients by `weights` (`get_by_list`), its inputs (`get_all`), or both.

    With `sens_param` the last input is the cotangent of the network's output.
    """

    def __init__(
        self,
        network: Any,
        weights: Any = None,
        get_all: bool = False,
        get_by_list: bool = False,
        sens_param: bool = False,
    ) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.weights = weights
        positions: tuple[int, ...] | None = None if get_all else (() if get_by_list else (0,))
        by_weight = tuple(weights) if get_by_list else None
        self.function = GradientFunction(
            Gradient(
                network, positions, not get_all and not get_by_list, by_weight, with_value=True, sens=bool(sens_param)
            )
        )

    def construct(self, *inputs: Any) -> Any:
        """(value, gradients)."""
        return self.function(*inputs)


class WithGradCell(Cell):
    """The gradients of a network (with a loss) by its trainable Parameters, for a cotangent of `sens` (else of
    ones)."""

    def __init__(self, network: Cell, loss_fn: Any = None, sens: Any = None) -> None:
        super().__init__(auto_prefix=False)
        self.sens = sens
        self.network = network if loss_fn is None else WithLossCell(network, loss_fn)
        self.weights = ParameterTuple(network.trainable_params())
        by_weight = Gradient(self.network, (), False, tuple(self.weights), sens=sens is not None)
        self.grad = GradientFunction(by_weight)

    def construct(self, *inputs: Any) -> Any:
        """The gradients, as a tuple."""
        return self.grad(*inputs) if self.sens is None else self.grad(*inputs, self.sens)


class GetNextSingleOp(Cell):
    """The next batch of an iterator of them."""

    def __init__(self, iterator: Any) -> None:
        super().__init__(auto_prefix=False)
        self.iterator = iterator

    def __call__(self) -> Any:
        return next(self.iterator)


class ParameterUpdate(Cell):
    """Writes what it is called with into a Parameter, and gives it."""

    def __init__(self, param: Parameter) -> None:
        super().__init__(auto_prefix=False)
        if not isinstance(param, Parameter):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"ParameterUpdate is of a Parameter, not {type(param).__name__}")
        self._param = param

    def construct(self, x: Any) -> Any:
        """x, which the Parameter holds from here on."""
        ops.assign(self._param, x)
        return x


# --- loss scaling -----------------------------------------------------------------------------------


class FixedLossScaleUpdateCell(Cell):
    """A loss scale that stays as it is."""

    def __init__(self, loss_scale_value: float) -> None:
        super().__init__()
        self.loss_scale_value = loss_scale_value

    def get_loss_scale(self) -> float:
        """The loss scale to begin with."""
        return self.loss_scale_value

    def construct(self, _: Any, overflow: Any) -> Any:
        """Whether there was an overflow."""
        return overflow


class DynamicLossScaleUpdateCell(Cell):
    """A loss scale divided by `scale_factor` after an overflow, and multiplied after `scale_window` steps without
    one."""

    def __init__(self, loss_scale_value: float, scale_factor: int, scale_window: int) -> None:
        super().__init__()
        self.loss_scale_value = loss_scale_value
        self.scale_factor = float(scale_factor)
        self.scale_window = positive(scale_window, "scale_window", "DynamicLossScaleUpdateCell")
        self.cur_iter = Parameter(Tensor(1, i32), name="current_iterator_step", requires_grad=False)
        self.last_overflow_iter = Parameter(Tensor(0, i32), name="last_overflow_iterator_step", requires_grad=False)

    def get_loss_scale(self) -> float:
        """The loss scale to begin with."""
        return self.loss_scale_value

    def construct(self, loss_scale: Any, overflow: Any) -> Any:
        """Change the loss scale (a Parameter) after a step; gives whether there was an overflow."""
        smaller = ops.maximum(loss_scale / self.scale_factor, 1.0)
        grown = self.cur_iter - self.last_overflow_iter >= self.scale_window
        larger = ops.where(grown, loss_scale * self.scale_factor, loss_scale)
        restart = ops.logical_or(overflow, grown)
        ops.assign(loss_scale, ops.where(overflow, smaller, larger))
        ops.assign(self.last_overflow_iter, ops.where(restart, self.cur_iter, self.last_overflow_iter))
        ops.assign_add(self.cur_iter, 1)
        return overflow


class TrainOneStepWithLossScaleCell(TrainOneStepCell):
    """One step of training with the loss scaled up, so that small gradients of half precision are not lost.

    Nothing is updated where a gradient overflows. `scale_sense`: a loss scale (a Tensor of one element), or a Cell that
    changes it. Gives (loss, whether there was an overflow, the loss scale).
    """

    def __init__(self, network: Cell, optimizer: Cell, scale_sense: Any) -> None:
        super().__init__(network, optimizer)
        self.loss_scaling_manager: Any = None
        start = scale_sense
        if isinstance(scale_sense, Cell):
            self.loss_scaling_manager = scale_sense
            start = scale_sense.get_loss_scale()  # type: ignore[attr-defined]
        elif not isinstance(scale_sense, Tensor):
            raise TypeError(f"scale_sense is a Cell or a Tensor, not {type(scale_sense).__name__}")
        value = np.asarray(start.asnumpy() if isinstance(start, Tensor) else start, np.float32).reshape(())
        self.scale_sense = Parameter(Tensor(value), name="scale_sense", requires_grad=False)
        self.scaled_grads = GradientFunction(
            Gradient(network, (), False, tuple(self.weights), with_value=True, sens=True)
        )

    def set_sense_scale(self, sens: Any) -> None:
        """Set the loss scale."""
        self.scale_sense.set_data(Tensor(sens, f32).reshape(()))

    def start_overflow_check(self, pre_cond: Any, compute_input: Any) -> Any:
        """What is looked at for overflows, and the loss scale: as they are."""
        return pre_cond, compute_input

    def get_overflow_status(self, status: Any, compute_output: Any) -> Any:
        """Whether an element of the gradients is no finite number."""
        return ops.logical_not(ops.stack([ops.isfinite(g).all() for g in compute_output]).all())

    def process_loss_scale(self, overflow: Any) -> Any:
        """Have the loss scale changed; gives whether there was an overflow."""
        if self.loss_scaling_manager is not None:
            return self.loss_scaling_manager(self.scale_sense, overflow)
        return overflow

    def construct(self, *inputs: Any) -> Any:
        """(the loss before the update, whether a gradient overflowed, the loss scale)."""
        scale = self.scale_sense.copy()
        loss, grads = self.scaled_grads(*inputs, scale)
        grads = tuple([g / ops.cast(scale, g.dtype) for g in grads])
        overflow = self.process_loss_scale(self.get_overflow_status(loss, grads))
        if not overflow:
            self.optimizer(grads)
        return loss, overflow, scale


# --- products with Jacobians ------------------------------------------------------------------------


class Jvp(Cell):
    """A function and its product with a Jacobian: called with the inputs and their tangents, gives (value, tangent)."""

    def __init__(self, fn: Any) -> None:
        super().__init__(auto_prefix=False)
        self.fn = fn

    def construct(self, *args: Any) -> Any:
        """(value, tangent)."""
        inputs, tangents = args[:-1], args[-1]
        if (len(inputs) if len(inputs) > 1 else 0) != (len(tangents) if isinstance(tangents, tuple) else 0):
            raise TypeError("the last argument of Jvp is as many tangents as there are inputs")
        return jvp(self.fn, inputs if len(inputs) > 1 else args[0], tangents)


class Vjp(Cell):
    """A function and the product of a Jacobian with it: called with the inputs and the outputs' cotangents, gives
    (value, cotangents)."""

    def __init__(self, fn: Any) -> None:
        super().__init__(auto_prefix=False)
        self.fn = fn

    def construct(self, *args: Any) -> Any:
        """(value, cotangents)."""
        value, back = vjp(self.fn, *args[:-1])
        given = args[-1]
        if (len(value) if isinstance(value, tuple) else 0) != (len(given) if isinstance(given, tuple) else 0):
            raise TypeError("the last argument of Vjp is as many cotangents as there are outputs")
        return value, back(given)
