"""OneFlow's optimizers: SGD, Adam, AdamW, Adagrad, Adadelta, RMSprop and LAMB."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jitcore.compat.oneflow.optim.optimizer import Optimizer, require, require_betas, require_rates
from jitcore.compat.torch.optim import adam, adaptive, plain
from jitcore.compat.torch.optim.optimizer import Group, Numbers, Params, State, filled, number
from jitcore.compat.torch.optim.plain import decayed
from jitcore.compat.torch.optim.stepping import Rule
from jitcore.library.math import comparisons, elementwise
from jitcore.library.optimizers import update_rules
from jitcore.library.statistics import reductions
from jitcore.runtime.tensor import Tensor

__all__ = ["LAMB", "SGD", "Adadelta", "Adagrad", "Adam", "AdamW", "RMSprop"]


class SGD(Optimizer, plain.SGD):
    """Stochastic gradient descent, with momentum that begins with 0."""

    _kept = ("momentum_buf",)

    def __init__(
        self,
        params: Params,
        lr: float = 0.001,
        momentum: float = 0.0,
        dampening: float = 0.0,
        weight_decay: float = 0.0,
        nesterov: bool = False,
        maximize: bool = False,
        contiguous_params: bool = False,
        fused: bool = False,
    ) -> None:
        require_rates(lr, weight_decay=weight_decay)
        require(momentum >= 0.0, f"Invalid momentum: {momentum}")
        options = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "contiguous_params": contiguous_params,
            "fused": fused,
        }
        Optimizer.__init__(self, params, options)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if group["momentum"] and not state:
            state["momentum_buf"] = filled(p)
        return number(group["lr"]), number(group["weight_decay"]), group["momentum"], 1.0 - group["dampening"]


# --- Adam ---------------------------------------------------------------------------------------------


class Adam(Optimizer, adam.Adam):
    """Adam (Kingma and Ba 2015), and AMSGrad (Reddi et al. 2018)."""

    def __init__(
        self,
        params: Params,
        lr: float = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        do_bias_correction: bool = True,
        contiguous_params: bool = False,
        fused: bool = False,
    ) -> None:
        require_rates(lr, eps, weight_decay)
        require_betas(betas)
        options = {
            "lr": lr,
            "eps": eps,
            "betas": tuple(betas),
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "do_bias_correction": do_bias_correction,
            "contiguous_params": contiguous_params,
            "fused": fused,
            "decoupled_weight_decay": self._is_decoupled,
        }
        Optimizer.__init__(self, params, options)

    _is_decoupled: bool = False

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(exp_avg=filled(p), exp_avg_sq=filled(p))
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = filled(p)
        first, second = _filled_shares(group, self._next())
        root = math.sqrt(second)
        lr, decay = number(group["lr"]), float(group["weight_decay"])
        beta1, beta2 = group["betas"]
        shares = (beta1, 1 - beta1, beta2, 1 - beta2)
        return lr * root / first, group["eps"] * root, *shares, 1 - lr * decay, decay


class AdamW(Adam):
    """Adam with weight decay outside of the gradient (Loshchilov and Hutter 2019)."""

    _is_decoupled = True


def _filled_shares(group: Group, t: int) -> tuple[float, float]:
    """How much of running means the first t steps have filled; all of them, where that is not corrected."""
    if not group["do_bias_correction"]:
        return 1.0, 1.0
    beta1, beta2 = group["betas"]
    return 1 - beta1**t, 1 - beta2**t


# --- sums and means of squares ------------------------------------------------------------------------


class Adagrad(Optimizer, adaptive.Adagrad):
    """Adagrad (Duchi et al. 2011)."""

    def __init__(
        self,
        params: Params,
        lr: float = 0.001,
        lr_decay: float = 0.0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0.0,
        eps: float = 1e-10,
        contiguous_params: bool = False,
    ) -> None:
        require_rates(lr, eps, weight_decay)
        start = initial_accumulator_value
        require(start >= 0.0, f"Invalid initial_accumulator_value value: {start}")
        options = {
            "lr": lr,
            "initial_accumulator_value": start,
            "lr_decay": lr_decay,
            "weight_decay": weight_decay,
            "eps": eps,
            "contiguous_params": contiguous_params,
        }
        Optimizer.__init__(self, params, options)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state["sum"] = filled(p, group["initial_accumulator_value"])
        slower = 1 + (self._next() - 1) * group["lr_decay"]
        return number(group["lr"]) / slower, group["eps"], float(group["weight_decay"])


class Adadelta(Optimizer, adaptive.Adadelta):
    """Adadelta (Zeiler 2012)."""

    _kept = ("square_avgs", "acc_deltas")

    def __init__(
        self,
        params: Params,
        lr: float = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        maximize: bool = False,
        contiguous_params: bool = False,
    ) -> None:
        require_rates(lr, eps, weight_decay)
        require(0.0 <= rho <= 1.0, f"Invalid rho value: {rho}")
        options = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "maximize": maximize,
            "weight_decay": weight_decay,
            "contiguous_params": contiguous_params,
        }
        Optimizer.__init__(self, params, options)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(square_avgs=filled(p), acc_deltas=filled(p))
        rho = float(group["rho"])
        return number(group["lr"]), rho, 1 - rho, group["eps"], float(group["weight_decay"])


def _rms_prop(
    p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool, centred: bool
) -> tuple[Any, ...]:
    lr, alpha, rest, epsilon, decay = numbers
    g = decayed(g, p, decay) if decays else g
    square = update_rules.running(kept[0], elementwise.multiply(g, g), (alpha, rest))
    mean = update_rules.running(kept[1], g, (alpha, rest)) if centred else None
    spread = square if mean is None else elementwise.subtract(square, elementwise.multiply(mean, mean))
    step = elementwise.true_divide(g, elementwise.sqrt(elementwise.add(spread, epsilon)))
    return update_rules.descended(p, step, lr), square, *([] if mean is None else [mean])


class RMSprop(Optimizer):
    """RMSprop (Hinton 2012), plain or centred (Graves 2013), with `eps` under the root."""

    _kept = ("square_avg", "grad_avg")

    def __init__(
        self,
        params: Params,
        lr: float = 0.001,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0.0,
        centered: bool = False,
        contiguous_params: bool = False,
    ) -> None:
        require_rates(lr, eps, weight_decay)
        require(alpha >= 0.0, f"Invalid alpha value: {alpha}")
        require(momentum == 0.0, "Not support momentum greater than zeros now!")
        options = {
            "lr": lr,
            "alpha": alpha,
            "eps": eps,
            "weight_decay": weight_decay,
            "centered": centered,
            "contiguous_params": contiguous_params,
        }
        super().__init__(params, options)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state["square_avg"] = filled(p)
            if group["centered"]:
                state["grad_avg"] = filled(p)
        alpha = float(group["alpha"])
        return number(group["lr"]), alpha, 1 - alpha, group["eps"], float(group["weight_decay"])

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _rms_prop, (numbers[4] != 0, bool(group["centered"]))


# --- LAMB ---------------------------------------------------------------------------------------------


def _length(x: Tensor) -> Any:
    return elementwise.sqrt(reductions.sum(elementwise.multiply(x, x)))


def _lamb(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool) -> tuple[Any, ...]:
    lr, epsilon, keep1, take1, keep2, take2, first, root, decay, penalty = numbers
    g = decayed(g, p, penalty) if decays else g
    mean, square = update_rules.means(kept[0], kept[1], g, (keep1, take1), (keep2, take2))
    spread = elementwise.add(elementwise.true_divide(elementwise.sqrt(square), root), epsilon)
    step = elementwise.true_divide(elementwise.true_divide(mean, first), spread)
    long, wide = _length(p), _length(step)
    is_ratio = comparisons.greater(elementwise.multiply(long, wide), 0.0)
    trust = elementwise.where(is_ratio, elementwise.true_divide(long, wide), 1.0)
    moved = elementwise.multiply(elementwise.add(step, elementwise.multiply(p, decay)), trust)
    return update_rules.descended(p, moved, lr), mean, square


class LAMB(Optimizer):
    """LAMB (You et al. 2020): Adam's step, scaled to the length of the Parameter."""

    _kept = ("exp_avg", "exp_avg_sq")

    def __init__(
        self,
        params: Params,
        lr: float = 0.001,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        adam_w_mode: bool = True,
        do_bias_correction: bool = True,
        amsgrad: bool = False,
        contiguous_params: bool = False,
    ) -> None:
        if amsgrad:
            raise RuntimeError("LAMB does not support AMSGrad variant.")
        require_rates(lr, eps, weight_decay)
        require_betas(betas)
        options = {
            "lr": lr,
            "eps": eps,
            "betas": tuple(betas),
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "adam_w_mode": adam_w_mode,
            "do_bias_correction": do_bias_correction,
            "contiguous_params": contiguous_params,
        }
        super().__init__(params, options)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(exp_avg=filled(p), exp_avg_sq=filled(p))
        first, second = _filled_shares(group, self._next())
        beta1, beta2 = group["betas"]
        decay = float(group["weight_decay"])
        both = (decay, 0.0) if group["adam_w_mode"] else (0.0, decay)
        shares = (beta1, 1 - beta1, beta2, 1 - beta2)
        return number(group["lr"]), group["eps"], *shares, first, math.sqrt(second), *both

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _lamb, (numbers[-1] != 0,)
