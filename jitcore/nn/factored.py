"""Optimizers for large or sparse models: Adafactor, and Adagrad with a proximal step."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore import ops
from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.library.core.marking import library
from jitcore.library.optimizers import update_rules
from jitcore.nn.optimizer import Optimizer, change
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32

_proximal_adagrad = library("tensor")(update_rules.proximal_adagrad)


def _root_mean_square(x: Any) -> Any:
    return ops.sqrt((x * x).mean())


def _zeros(shape: tuple[int, ...], name: str) -> Parameter:
    return Parameter(Tensor(np.zeros(shape, np.float32)), name=name, requires_grad=False)


class AdaFactor(Optimizer):
    """Adam with the squares of a matrix's gradients kept as their means over rows and columns (Shazeer and Stern 2018).

    Without `learning_rate` the steps shrink with the root of their number (`relative_step`); with `scale_parameter`
    they are as long as the Parameter is. `eps`: what squares and the Parameter's length are at least.
    """

    adds_decay = False

    def __init__(
        self,
        params: Any,
        learning_rate: Any = None,
        eps: tuple[float, float] = (1e-30, 1e-3),
        clip_threshold: float = 1.0,
        decay_rate: float = 0.8,
        beta1: float = 0.9,
        weight_decay: float = 0.0,
        scale_parameter: bool = True,
        relative_step: bool = True,
        warmup_init: bool = False,
        compression: bool = False,
        loss_scale: float = 1.0,
    ) -> None:
        if learning_rate is not None and relative_step:
            raise ValueError("AdaFactor has either a learning_rate or relative_step")
        if warmup_init and not relative_step:
            raise ValueError("warmup_init of AdaFactor needs relative_step")
        del compression  # of what is kept
        super().__init__(0.0 if learning_rate is None else learning_rate, params, weight_decay, loss_scale)
        self.eps = (float(eps[0]), float(eps[1]))
        self.clip_threshold = float(clip_threshold)
        self.decay_rate = float(decay_rate)
        self.beta1 = float(beta1)
        self.use_first_moment = beta1 > 0
        self.scale_lr = scale_parameter
        self.relative_step = relative_step
        self.warmup_init = warmup_init
        self.factored = tuple(p.ndim >= 2 for p in self.parameters)
        shapes = [p.shape for p in self.parameters]
        self.rows = ParameterTuple(
            _zeros(s[:-1] if len(s) >= 2 else (1,), f"exp_avg_sq_row.{p.name}")
            for s, p in zip(shapes, self.parameters, strict=True)
        )
        self.columns = ParameterTuple(
            _zeros((*s[:-2], s[-1]) if len(s) >= 2 else (1,), f"exp_avg_sq_col.{p.name}")
            for s, p in zip(shapes, self.parameters, strict=True)
        )
        self.squares = ParameterTuple(
            _zeros((1,) if len(s) >= 2 else s, f"exp_avg_sq.{p.name}")
            for s, p in zip(shapes, self.parameters, strict=True)
        )
        self.moments = self.state_like("exp_avg")

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        decays = self.decays_now()
        step = ops.cast(self.step_now() + 1, f32)
        keep = 1.0 - ops.pow(step, -self.decay_rate)
        for k, p in enumerate(self.parameters):
            g = gradients[k]
            rate = rates[k]
            if self.relative_step:
                rate = ops.minimum(1e-6 * step if self.warmup_init else 1e-2, 1.0 / ops.sqrt(step))
            if self.scale_lr:
                rate = rate * ops.maximum(_root_mean_square(p), self.eps[1])
            square = g * g + self.eps[0]
            if self.factored[k]:
                row, column = self.rows[k], self.columns[k]
                ops.assign(row, row * keep + square.mean(-1) * (1.0 - keep))
                ops.assign(column, column * keep + square.mean(-2) * (1.0 - keep))
                by_row = ops.rsqrt(row / row.mean(-1, True)).expand_dims(-1)
                update = g * by_row * ops.rsqrt(column).expand_dims(-2)
            else:
                ops.assign(self.squares[k], self.squares[k] * keep + square * (1.0 - keep))
                update = g * ops.rsqrt(self.squares[k])
            update = update / ops.maximum(_root_mean_square(update) / self.clip_threshold, 1.0) * rate
            if self.use_first_moment:
                ops.assign(self.moments[k], self.moments[k] * self.beta1 + update * (1.0 - self.beta1))
                update = self.moments[k]
            if self.has_decay:
                ops.assign(p, p - p * rate * decays[k])
            ops.assign(p, p - update)
        self.count_step()
        return True


class ProximalAdagrad(Optimizer):
    """Adagrad whose steps end where an l1 and an l2 penalty of the Parameter allow (Duchi and Singer 2009)."""

    def __init__(
        self,
        params: Any,
        accum: float = 0.1,
        learning_rate: Any = 0.001,
        l1: float = 0.0,
        l2: float = 0.0,
        use_locking: bool = False,
        loss_scale: float = 1.0,
        weight_decay: Any = 0.0,
    ) -> None:
        del use_locking  # there is nothing to lock
        super().__init__(learning_rate, params, weight_decay, loss_scale)
        for what, value in (("accum", accum), ("l1", l1), ("l2", l2)):
            if isinstance(value, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
                value, int | float
            ):
                raise TypeError(f"{what} of ProximalAdagrad is a number, not {type(value).__name__}")
            if value < 0:
                raise ValueError(f"{what} of ProximalAdagrad must not be negative, but is {value}")
        self.l1 = float(l1)
        self.l2 = float(l2)
        self.accum = self.state_like("accum", accum)

    def construct(self, gradients: Any) -> bool:
        """Change the Parameters by their gradients."""
        gradients = self.prepared(gradients)
        rates = self.rates_now()
        for p, g, total, lr in zip(self.parameters, gradients, self.accum, rates, strict=True):
            change((p, total), _proximal_adagrad(p, total, g, lr, self.l1, self.l2))
        self.count_step()
        return True
