"""Optimizers over groups of Parameters, each with options of its own."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, cast

from jitcore import ops
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.library.core.marking import library
from jitcore.library.optimizers import update_rules
from jitcore.nn.cell import Cell
from jitcore.nn.optimizer import change
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32

_adam = library("tensor")(update_rules.adam)
_means = library("tensor")(update_rules.means)
_momentum = library("tensor")(update_rules.momentum)


def _number(value: Any, name: str, cell: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"For '{cell}', {name} must be a number, not {type(value).__name__}.")
    if value < 0:
        raise ValueError(f"For '{cell}', {name} must not be negative, but is {value}.")
    return float(value)


class Optimizer(Cell):
    """The base: `param_groups` are dicts of 'params', 'lr' (a Parameter, which schedules write to), 'weight_decay' and
    what else a kind of optimizer has, taken from `defaults` where a group does not say. Called with the gradients of
    `parameters`, it changes them."""

    _owns_tuples = False

    def __init__(self, params: Any, defaults: dict[str, Any]) -> None:
        super().__init__(auto_prefix=False)
        if isinstance(params, Parameter) or not isinstance(params, Iterable):
            raise TypeError(f"For 'Optimizer', params is a list of Parameters or dicts, not {type(params).__name__}.")
        given: list[Any] = list(cast("Iterable[Any]", params))
        if not given:
            raise ValueError("For 'Optimizer', the argument params must not be empty.")
        self.defaults = defaults
        self.param_groups: list[dict[str, Any]] = []
        self.group_start_id = [0]
        self.parameters = ParameterTuple()
        groups = given if isinstance(given[0], Mapping) else [{"params": given}]
        for k, group in enumerate(groups):
            self.add_param_group(k, dict(group))

    def add_param_group(self, group_id: int, param_group: dict[str, Any]) -> None:
        """Take a group of Parameters on."""
        name = type(self).__name__
        held = param_group["params"]
        if isinstance(held, set):
            raise TypeError(f"For '{name}', the Parameters of a group are in a list: a set has no order.")
        found = [held] if isinstance(held, Parameter) else list(held)
        for parameter in found:
            if not isinstance(parameter, Parameter):
                raise TypeError(f"For '{name}', Parameters are optimized, not {type(parameter).__name__}.")
            if any(parameter is other for other in self.parameters):
                raise ValueError("some parameters appear in more than one parameter group.")
        group = {**self.defaults, **param_group, "params": found}
        rate = group["lr"]
        if isinstance(rate, Tensor):
            if rate.ndim:
                raise ValueError(f"For '{name}', a Tensor for lr is a scalar.")
            rate = float(rate)
        group["lr"] = Parameter(Tensor(_number(rate, "lr", name), f32), f"learning_rate_group_{group_id}")
        group["weight_decay"] = _number(group.get("weight_decay", 0.0), "weight_decay", name)
        self.param_groups.append(group)
        self.parameters = ParameterTuple((*self.parameters, *found))
        self.group_start_id.append(len(self.parameters))

    def kept(self, name: str) -> ParameterTuple:
        """A Parameter of zeros for each of `parameters`."""
        return self.parameters.clone(name, "zeros")

    def _written(self) -> Iterable[Parameter]:
        """What is optimised and the optimizer's state."""
        return self._own_parameters()

    def construct(self, gradients: Any) -> Any:
        """Change the Parameters."""
        raise NotImplementedError

    def __repr__(self) -> str:
        lines = [f"{type(self).__name__} ("]
        for k, group in enumerate(self.param_groups):
            lines.append(f"Parameter Group {k}")
            lines += [
                f"    {key}: {Tensor.__str__(group[key]) if isinstance(group[key], Tensor) else group[key]}"
                for key in sorted(group)
                if key != "params"
            ]
        return "\n".join([*lines, ")"])


class SGD(Optimizer):
    """Gradient descent, with momentum if asked for."""

    def __init__(
        self,
        params: Any,
        lr: Any,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        _number(momentum, "momentum", "SGD")
        if nesterov and (momentum <= 0 or dampening != 0):
            raise ValueError("For 'SGD', nesterov momentum needs a momentum and zero dampening.")
        options = {"lr": lr, "momentum": momentum, "dampening": dampening, "weight_decay": weight_decay}
        super().__init__(params, {**options, "nesterov": nesterov, "maximize": maximize, "grad_centralization": False})
        self.accum = self.kept("accum")
        self.begun = Parameter(Tensor(0.0, f32), "begun", requires_grad=False)

    def construct(self, gradients: Any) -> Any:
        """Change the Parameters."""
        for k, group in enumerate(self.param_groups):
            start = self.group_start_id[k]
            momentum, decay = group["momentum"], group["weight_decay"]
            share = 1.0 - group["dampening"] * self.begun
            for n, parameter in enumerate(group["params"]):  # what is chosen element by element makes no branches
                grad = gradients[start + n]
                grad = -grad if group["maximize"] else grad
                grad = ops.where(decay != 0.0, grad + parameter * decay, grad)
                moment = self.accum[start + n]
                made = _momentum(
                    parameter, moment, grad, group["lr"], (momentum, share), group["nesterov"], None, momentum != 0.0
                )
                change((parameter, moment), made)
        ops.assign(self.begun, 1.0)
        return True


class Adam(Optimizer):
    """Steps by running means of gradients over the root of those of their squares (Kingma and Ba 2015)."""

    decoupled = False
    """Whether weight decay acts on the Parameters themselves rather than through the gradients."""

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0.0,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        name = type(self).__name__
        for k, beta in enumerate(betas):
            if not 0.0 <= beta < 1.0:
                raise ValueError(f"For '{name}', betas[{k}] is in [0, 1), not {beta}.")
        _number(eps, "eps", name)
        options = {"lr": lr, "betas": tuple(betas), "eps": eps, "weight_decay": weight_decay}
        super().__init__(params, {**options, "amsgrad": amsgrad, "maximize": maximize, "grad_centralization": False})
        self.exp_avg = self.kept("exp_avg")
        self.exp_avg_sq = self.kept("exp_avg_sq")
        self.max_exp_avg_sq = self.kept("max_exp_avg_sq")
        self.state_step = Parameter(Tensor(0.0, f32), "state_step", requires_grad=False)

    def construct(self, gradients: Any) -> Any:
        """Change the Parameters."""
        ops.assign_add(self.state_step, 1.0)
        for k, group in enumerate(self.param_groups):
            start = self.group_start_id[k]
            first, second = group["betas"]
            lr = group["lr"]
            decay = group["weight_decay"]
            kept = 1.0 - lr * decay
            rate = lr / (1.0 - ops.pow(first, self.state_step))
            root = ops.sqrt(1.0 - ops.pow(second, self.state_step))
            for n, parameter in enumerate(group["params"]):
                grad = gradients[start + n]
                grad = -grad if group["maximize"] else grad
                if self.decoupled:
                    ops.assign(parameter, parameter * kept)
                else:
                    grad = ops.where(decay != 0.0, grad + parameter * decay, grad)
                mean, square = self.exp_avg[start + n], self.exp_avg_sq[start + n]
                shares = (first, 1.0 - first), (second, 1.0 - second)
                largest = self.max_exp_avg_sq[start + n] if group["amsgrad"] else None
                places = (mean, square) if largest is None else (mean, square, largest)
                if self.decoupled:  # epsilon is beside the corrected root there, in MindSpore
                    change((mean, square), _means(mean, square, grad, *shares))
                    if largest is not None:
                        ops.assign(largest, ops.maximum(largest, square))
                    ops.assign_sub(parameter, mean / (ops.sqrt(places[-1]) / root + group["eps"]) * rate)
                else:
                    step, *held = _adam(
                        mean, square, grad, rate * root, *shares, group["eps"], nesterov=False, largest=largest
                    )
                    change((parameter, *places), (parameter - step, *held))
        return True


class AdamW(Adam):
    """Adam, its weight decay acting on the Parameters themselves (Loshchilov and Hutter 2019)."""

    decoupled = True

    def __init__(
        self,
        params: Any,
        lr: Any = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
    ) -> None:
        super().__init__(params, lr, betas, eps, weight_decay, amsgrad, maximize=maximize)
