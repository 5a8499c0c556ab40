"""Optimizers: Cells that change Parameters by their gradients, in place."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, cast

import numpy as np

from jitcore import ops
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32, i32


class Optimizer(Cell):
    """The base of optimizers: what Parameters, how fast, and what happens to gradients first.

    `parameters` are Parameters, or dicts with 'params' and, for those, 'lr' and 'weight_decay'. `learning_rate` is a number, a
    Tensor, a sequence of numbers (one a step, the last one from then on), or a Cell or function of the step. Gradients are
    divided by `loss_scale`, then `weight_decay` times the Parameter is added (but to biases and normalisation's 'beta' and 'gamma').
    """

    def __init__(self, learning_rate: Any, parameters: Any, weight_decay: float = 0.0, loss_scale: float = 1.0) -> None:
        super().__init__(auto_prefix=False)
        if weight_decay < 0:
            raise ValueError(f"weight_decay of {type(self).__name__} must not be negative, but is {weight_decay}")
        if loss_scale <= 0:
            raise ValueError(f"loss_scale of {type(self).__name__} must be positive, but is {loss_scale}")
        groups = _groups(parameters, learning_rate, weight_decay)
        if not groups:
            raise ValueError(f"{type(self).__name__} was given no Parameters")
        self.parameters = ParameterTuple(p for p, _, _ in groups)
        self.loss_scale = float(loss_scale)
        self.decays = tuple(_decay(p, decay) for p, _, decay in groups)
        self.has_decay = any(self.decays)
        self.global_step = Parameter(Tensor(0, i32), name="global_step", requires_grad=False)
        rates: list[Any] = []
        self.rates: tuple[Any, ...] = tuple(_shared_rate(rate, rates) for _, rate, _ in groups)
        self.learning_rate = rates[0]

    @property
    def loss_scale(self) -> float:
        """What the gradients are divided by."""
        return self._loss_scale

    @loss_scale.setter
    def loss_scale(self, scale: float) -> None:
        self._loss_scale = float(scale)
        self._scaled = (
            self._loss_scale != 1.0
        )  # a bool is known to the compiler: without a scale there is no code for it

    def get_lr(self) -> tuple[Any, ...]:
        """The learning rate of each Parameter at the present step."""
        return tuple([_rate_now(rate, self.global_step) for rate in self.rates])

    def prepared(self, gradients: Any) -> tuple[Any, ...]:
        """The gradients unscaled, with the weight decay added."""
        if self._scaled:
            gradients = tuple([g / self.loss_scale for g in gradients])
        if self.has_decay:
            gradients = tuple(
                [
                    g + p * decay if decay else g
                    for g, p, decay in zip(gradients, self.parameters, self.decays, strict=True)
                ]
            )
        return gradients

    def state_like(self, prefix: str, init: Any = "zeros") -> ParameterTuple:
        """A Parameter beside each one optimised, named with a prefix."""
        return ParameterTuple(_no_grad(p) for p in self.parameters.clone(prefix, init))

    def count_step(self) -> None:
        """One step more."""
        ops.assign_add(self.global_step, 1)


def _no_grad(parameter: Parameter) -> Parameter:
    parameter.requires_grad = False
    return parameter


def _rate_now(rate: Any, step: Any) -> Any:
    if isinstance(rate, Parameter):
        if rate.ndim == 1:
            return rate[ops.minimum(step, rate.shape[0] - 1)]
        return rate
    return rate(step)


def _shared_rate(rate: Any, made: list[Any]) -> Any:
    """A rate as the optimizer holds it: numbers as Parameters, so that changing them needs no compilation."""
    for given, held in made[1:]:
        if given is rate or (isinstance(rate, float | int) and given == rate):
            return held
    held = rate if callable(rate) else Parameter(_rate_tensor(rate), name="learning_rate", requires_grad=False)
    if not made:
        made.append(held)
    made.append((rate, held))
    return held


def _rate_tensor(rate: Any) -> Tensor:
    if isinstance(rate, Tensor):
        return Tensor(rate, f32)
    array = np.asarray(list(cast("Iterable[float]", rate)) if isinstance(rate, Iterable) else rate, np.float32)
    if array.ndim > 1 or not array.size:
        raise ValueError("a learning rate is a number or a sequence of numbers")
    if not np.all(array >= 0):
        raise ValueError(f"a learning rate must not be negative, but is {rate}")
    return Tensor(array)


def _decay(parameter: Parameter, decay: float) -> float:
    exempt = "beta" in parameter.name or "gamma" in parameter.name
    return 0.0 if exempt else float(decay)


def _groups(parameters: Any, rate: Any, decay: float) -> list[tuple[Parameter, Any, float]]:
    """(Parameter, learning rate, weight decay) of each. Raises TypeError or ValueError for what is no Parameter or comes twice."""
    found: list[tuple[Parameter, Any, float]] = []
    for item in parameters:
        if isinstance(item, dict):
            group = cast("dict[str, Any]", item)
            unknown = group.keys() - {"params", "lr", "weight_decay"}
            if unknown or "params" not in group:
                raise ValueError(f"a group of Parameters has 'params', 'lr' and 'weight_decay', not {sorted(group)}")
            found += [
                (p, group.get("lr", rate), group.get("weight_decay", decay))
                for p in cast("Sequence[Parameter]", group["params"])
            ]
        else:
            found.append((item, rate, decay))
    for p, _, _ in found:
        if not isinstance(p, Parameter):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"an optimizer takes Parameters, not {type(p).__name__}")
    if len({id(p) for p, _, _ in found}) != len(found):
        raise ValueError("a Parameter was given to the optimizer twice")
    return found


class Momentum(Optimizer):
    """v = momentum * v + g; p = p - lr * v, or with `use_nesterov` p = p - lr * (g + momentum * v) (Sutskever et al. 2013)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: float,
        weight_decay: float = 0.0,
        loss_scale: float = 1.0,
        use_nesterov: bool = False,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if momentum < 0:
            raise ValueError(f"momentum must not be negative, but is {momentum}")
        self.momentum = float(momentum)
        self.use_nesterov = use_nesterov
        self.moments = self.state_like("moments")

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.get_lr()
        for p, g, v, lr in zip(self.parameters, gradients, self.moments, rates, strict=True):
            ops.assign(v, v * self.momentum + g)
            step = g + v * self.momentum if self.use_nesterov else v
            ops.assign(p, p - lr * step)
        self.count_step()
        return True


class SGD(Optimizer):
    """v = momentum * v + (1 - dampening) * g (v = g at the first step); p = p - lr * v, with `nesterov` p - lr * (g + momentum * v)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if momentum < 0 or dampening < 0:
            raise ValueError("momentum and dampening of SGD must not be negative")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("nesterov needs a momentum and no dampening")
        self.momentum = float(momentum)
        self.dampening = float(dampening)
        self.nesterov = nesterov
        self.accumulated = self.state_like("accum") if momentum else ParameterTuple()

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.get_lr()
        if len(self.accumulated) == 0:  # no momentum from the start
            for p, g, lr in zip(self.parameters, gradients, rates, strict=True):
                ops.assign(p, p - lr * g)
        else:
            for p, g, v, lr in zip(self.parameters, gradients, self.accumulated, rates, strict=True):
                kept = g
                if self.dampening != 0.0:
                    kept = ops.where(self.global_step == 0, g, g * (1.0 - self.dampening))
                ops.assign(v, v * self.momentum + kept)
                step = g + v * self.momentum if self.nesterov else v
                ops.assign(p, p - lr * step)
        self.count_step()
        return True


class Adam(Optimizer):
    """Adam (Kingma and Ba 2015): steps by the running mean of gradients over the root of the running mean of their squares."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 1e-3,
        beta1: float = 0.9,
        beta2: float = 0.999,
        eps: float = 1e-8,
        use_locking: bool = False,
        use_nesterov: bool = False,
        weight_decay: float = 0.0,
        loss_scale: float = 1.0,
    ) -> None:
        del use_locking  # there is nothing to lock
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        if not (0 < beta1 < 1 and 0 < beta2 < 1 and eps > 0):
            raise ValueError("beta1 and beta2 of Adam are between 0 and 1, eps is positive")
        self.beta1 = float(beta1)
        self.beta2 = float(beta2)
        self.eps = float(eps)
        self.use_nesterov = use_nesterov
        self.beta1_power = Parameter(Tensor(1.0, f32), name="beta1_power", requires_grad=False)
        self.beta2_power = Parameter(Tensor(1.0, f32), name="beta2_power", requires_grad=False)
        self.moment1 = self.state_like("moment1")
        self.moment2 = self.state_like("moment2")

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.get_lr()
        ops.assign(self.beta1_power, self.beta1_power * self.beta1)
        ops.assign(self.beta2_power, self.beta2_power * self.beta2)
        correction = ops.sqrt(1.0 - self.beta2_power) / (1.0 - self.beta1_power)
        for p, g, m, v, lr in zip(self.parameters, gradients, self.moment1, self.moment2, rates, strict=True):
            ops.assign(m, m * self.beta1 + g * (1.0 - self.beta1))
            ops.assign(v, v * self.beta2 + g * g * (1.0 - self.beta2))
            mean = m * self.beta1 + g * (1.0 - self.beta1) if self.use_nesterov else m
            ops.assign(p, p - lr * correction * mean / (ops.sqrt(v) + self.eps))
        self.count_step()
        return True
