"""Optimizers that scale steps by sums or running means of squares: Adagrad, Adadelta and RMSprop."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.compat.torch.optim.optimizer import (
    Group,
    Number,
    Numbers,
    Optimizer,
    Params,
    State,
    counted,
    filled,
    number,
    require,
    require_rate,
    scalar,
)
from jitcore.compat.torch.optim.plain import decayed
from jitcore.compat.torch.optim.stepping import Rule
from jitcore.library.optimizers import update_rules
from jitcore.runtime.tensor import Tensor


def _adagrad(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool) -> tuple[Any, ...]:
    lr, epsilon, decay = numbers
    return update_rules.adagrad(p, kept[0], decayed(g, p, decay) if decays else g, lr, epsilon=epsilon)


class Adagrad(Optimizer):
    """Adagrad (Duchi et al. 2011)."""

    _kept = ("sum",)

    def __init__(
        self,
        params: Params,
        lr: Number = 1e-2,
        lr_decay: float = 0,
        weight_decay: float = 0,
        initial_accumulator_value: float = 0,
        eps: float = 1e-10,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        require_rate(lr)
        require(lr_decay >= 0.0, f"Invalid lr_decay value: {lr_decay}")
        require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        start = initial_accumulator_value
        require(start >= 0.0, f"Invalid initial_accumulator_value value: {start}")
        require(eps >= 0.0, f"Invalid epsilon value: {eps}")
        defaults = {
            "lr": lr,
            "lr_decay": lr_decay,
            "eps": eps,
            "weight_decay": weight_decay,
            "initial_accumulator_value": start,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "fused": fused,
        }
        super().__init__(params, defaults)
        for group in self.param_groups:
            for p in group["params"]:
                self._begin(group, p, self.state[p])

    @staticmethod
    def _begin(group: Group, p: Tensor, state: State) -> None:
        state.update(step=scalar(p, 0), sum=filled(p, group["initial_accumulator_value"]))

    def share_memory(self) -> None:
        """Nothing: threads share memory."""

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            self._begin(group, p, state)
        t = counted(state)
        return number(group["lr"]) / (1 + (t - 1) * group["lr_decay"]), group["eps"], float(group["weight_decay"])

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _adagrad, (numbers[2] != 0,)


# --- Adadelta ---------------------------------------------------------------------------------------


def _adadelta(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool) -> tuple[Any, ...]:
    lr, rho, rest, epsilon, decay = numbers
    square, change = kept
    return update_rules.adadelta(p, square, change, decayed(g, p, decay) if decays else g, lr, (rho, rest), epsilon)


class Adadelta(Optimizer):
    """Adadelta (Zeiler 2012)."""

    _kept = ("square_avg", "acc_delta")

    def __init__(
        self,
        params: Params,
        lr: Number = 1.0,
        rho: float = 0.9,
        eps: float = 1e-6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        capturable: bool = False,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        require_rate(lr)
        require(0.0 <= rho <= 1.0, f"Invalid rho value: {rho}")
        require(eps >= 0.0, f"Invalid epsilon value: {eps}")
        require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        defaults = {
            "lr": lr,
            "rho": rho,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "capturable": capturable,
            "foreach": foreach,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(step=scalar(p, 0), square_avg=filled(p), acc_delta=filled(p))
        counted(state)
        rho = float(group["rho"])
        return number(group["lr"]), rho, 1 - rho, group["eps"], float(group["weight_decay"])

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _adadelta, (numbers[4] != 0,)


# --- RMSprop ----------------------------------------------------------------------------------------


def _rms_prop(
    p: Tensor,
    g: Tensor,
    kept: Sequence[Tensor],
    numbers: Numbers,
    decays: bool,
    moves: bool,
    centred: bool,
) -> tuple[Any, ...]:
    lr, alpha, rest, epsilon, decay, keep = numbers
    mean = kept[-1] if centred else None
    step, *means = update_rules.rms_scaled(kept[0], decayed(g, p, decay) if decays else g, (alpha, rest), epsilon, mean)
    if not moves:
        return update_rules.descended(p, step, lr), *means
    p, moment = update_rules.momentum(p, kept[1], step, lr, (keep, 1.0), False)
    return p, means[0], moment, *means[1:]


class RMSprop(Optimizer):
    """RMSprop (Hinton 2012), plain or centred (Graves 2013)."""

    _kept = ("square_avg", "momentum_buffer", "grad_avg")

    def __init__(
        self,
        params: Params,
        lr: Number = 1e-2,
        alpha: float = 0.99,
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum: float = 0,
        centered: bool = False,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        require_rate(lr)
        require(eps >= 0.0, f"Invalid epsilon value: {eps}")
        require(momentum >= 0.0, f"Invalid momentum value: {momentum}")
        require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        require(alpha >= 0.0, f"Invalid alpha value: {alpha}")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "alpha": alpha,
            "eps": eps,
            "centered": centered,
            "weight_decay": weight_decay,
            "capturable": capturable,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(step=scalar(p, 0), square_avg=filled(p))
            if group["momentum"] > 0:
                state["momentum_buffer"] = filled(p)
            if group["centered"]:
                state["grad_avg"] = filled(p)
        counted(state)
        alpha, decay, keep = (float(group[name]) for name in ("alpha", "weight_decay", "momentum"))
        return number(group["lr"]), alpha, 1 - alpha, group["eps"], decay, keep

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _rms_prop, (numbers[4] != 0, group["momentum"] > 0, bool(group["centered"]))
