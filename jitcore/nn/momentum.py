"""Optimizers with one step size for all elements of a Parameter, or only the gradients' signs: Momentum, SGD, LARS,
Rprop …"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore import ops
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.library.core.marking import library
from jitcore.library.optimizers import update_rules
from jitcore.nn.optimizer import Optimizer, change
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32

_lars = library("tensor")(update_rules.lars)
_momentum = library("tensor")(update_rules.momentum)
_descended = library("tensor")(update_rules.descended)


class Momentum(Optimizer):
    """v = momentum * v + g; p = p - lr * v, or with `use_nesterov` p = p - lr * (g + momentum * v) (Sutskever et al.
    2013)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any,
        momentum: float,
        weight_decay: Any = 0.0,
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
        rates = self.rates_now()
        for p, g, v, lr in zip(self.parameters, gradients, self.moments, rates, strict=True):
            change((p, v), _momentum(p, v, g, lr, (self.momentum, 1.0), self.use_nesterov))
        self.count_step()
        return True


class SGD(Optimizer):
    """v = momentum * v + (1 - dampening) * g (v = g at the first step); p = p - lr * v, with `nesterov` p - lr * (g +
    momentum * v)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: Any = 0.0,
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
        rates = self.rates_now()
        if len(self.accumulated) == 0:  # no momentum from the start
            for p, g, lr in zip(self.parameters, gradients, rates, strict=True):
                ops.assign(p, _descended(p, g, lr))
        else:
            share = 1.0  # times which a gradient is itself: one decision serves all
            if self.dampening != 0.0 and self.step_now() != 0:
                share = 1.0 - self.dampening
            for p, g, v, lr in zip(self.parameters, gradients, self.accumulated, rates, strict=True):
                change((p, v), _momentum(p, v, g, lr, (self.momentum, share), self.nesterov))
        self.count_step()
        return True


class ASGD(Optimizer):
    """SGD with a falling step size that also averages the Parameters (`ax`; Polyak and Juditsky 1992)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        self.lambd = float(lambd)
        self.alpha = float(alpha)
        self.t0 = float(t0)
        self.ax = self.state_like("ax")
        self.eta = Parameter(self._start(), name="eta", requires_grad=False)
        self.mu = Parameter(Tensor(1.0, f32), name="mu", requires_grad=False)

    def _start(self) -> Tensor:
        rate = self.learning_rate
        return Tensor(float(np.ravel(rate.asnumpy())[0]) if isinstance(rate, Parameter) else 0.0, f32)

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        self.count_step()
        step = ops.cast(self.step_now(), f32)
        for p, g, average in zip(self.parameters, gradients, self.ax, strict=True):
            ops.assign(p, p * (1.0 - self.lambd * self.eta) - self.eta * g)
            ops.assign(average, ops.where(self.mu == 1, p, average + (p - average) * self.mu))
        ops.assign(self.eta, rates[0] / ops.pow(1.0 + self.lambd * rates[0] * step, self.alpha))
        ops.assign(self.mu, 1.0 / ops.maximum(1.0, step - self.t0))
        return True


class Rprop(Optimizer):
    """Steps by the signs of the gradients, longer while they stay and shorter when they change (Riedmiller and Braun
    1992)."""

    def __init__(
        self,
        params: Any,
        learning_rate: Any = 0.1,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50.0),
        weight_decay: Any = 0.0,
    ) -> None:
        super().__init__(learning_rate, params, weight_decay)
        if not 0 < etas[0] < 1 < etas[1]:
            raise ValueError(f"etas of Rprop are below and above 1, not {etas}")
        if not step_sizes[0] < step_sizes[1]:
            raise ValueError(f"step_sizes of Rprop are the least and the largest, not {step_sizes}")
        self.etas = tuple(map(float, etas))
        self.step_sizes = tuple(map(float, step_sizes))
        self.before = self.state_like("prev")
        self.steps = self.state_like("step_size")

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        for p, g, before, size, lr in zip(self.parameters, gradients, self.before, self.steps, rates, strict=True):
            kept = ops.where(self.step_now() == 0, lr, size)
            turned = ops.sign(g * before)
            factor = ops.where(turned > 0, self.etas[1], ops.where(turned < 0, self.etas[0], 1.0))
            ops.assign(size, ops.minimum(ops.maximum(kept * factor, self.step_sizes[0]), self.step_sizes[1]))
            used = ops.where(turned < 0, 0.0, g)
            ops.assign(p, p - ops.sign(used) * size)
            ops.assign(before, used)
        self.count_step()
        return True


class LARS(Optimizer):
    """Scales the gradients by the Parameters' lengths over theirs (You et al. 2017), then has another optimizer use
    them."""

    def __init__(
        self,
        optimizer: Optimizer,
        epsilon: float = 1e-5,
        coefficient: float = 0.001,
        use_clip: bool = False,
        lars_filter: Callable[[Parameter], bool] | None = None,
    ) -> None:
        if not isinstance(optimizer, Optimizer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"LARS is of an optimizer, not {type(optimizer).__name__}")
        super().__init__(0.0, list(optimizer.parameters))
        self.inner = optimizer
        self._kinds.pop("learning_rate", None)  # it may be a Parameter, a Cell, or a tuple of them
        self.global_step, self.learning_rate, self.rates = (
            optimizer.global_step,
            optimizer.learning_rate,
            optimizer.rates,
        )
        self.is_group, self.is_group_lr = optimizer.is_group, optimizer.is_group_lr
        self.dynamic_lr = optimizer.dynamic_lr
        self.epsilon = float(epsilon)
        self.coefficient = float(coefficient)
        self.use_clip = use_clip
        chosen = _scaled_by_lars if lars_filter is None else lars_filter
        self.chosen = tuple(bool(chosen(p)) for p in optimizer.parameters)
        self.decays = optimizer.decays
        optimizer.decays = tuple(0.0 if c else d for c, d in zip(self.chosen, optimizer.decays, strict=True))
        optimizer.has_decay = any(callable(d) or d for d in optimizer.decays)

    def construct(self, gradients: Any) -> Any:
        """Change the Parameters by their gradients."""
        rates = self.inner.rates_now()
        made = []
        for p, g, chosen, decay, lr in zip(
            self.parameters, gradients, self.chosen, self.decays_now(), rates, strict=True
        ):
            if chosen:
                lengths = ops.sqrt((p * p).sum()), ops.sqrt((g * g).sum())
                made.append(_lars(p, g, lengths, lr, decay, self.epsilon, self.coefficient, self.use_clip, True))
            else:
                made.append(g)
        return self.inner(tuple(made))


def _scaled_by_lars(parameter: Parameter) -> bool:
    return not any(part in parameter.name for part in ("LayerNorm", "bias", "beta", "gamma"))
