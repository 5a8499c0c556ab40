"""SGD, and optimizers whose rates follow signs or averages: Rprop and ASGD."""

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
from jitcore.compat.torch.optim.stepping import Rule
from jitcore.library.math import elementwise
from jitcore.library.optimizers import update_rules
from jitcore.runtime.tensor import Tensor


def decayed(g: Tensor, p: Tensor, decay: Number) -> Any:
    """A gradient with that of an L2 penalty."""
    return elementwise.add(g, elementwise.multiply(p, decay))


def _sgd(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool, ahead: bool) -> tuple[Any, ...]:
    lr, decay, keep, take = numbers
    g = decayed(g, p, decay) if decays else g
    if not kept:
        return (update_rules.descended(p, g, lr),)
    return update_rules.momentum(p, kept[0], g, lr, (keep, take), ahead)


class SGD(Optimizer):
    """Stochastic gradient descent, with momentum."""

    _kept = ("momentum_buffer",)

    def __init__(
        self,
        params: Params,
        lr: Number = 1e-3,
        momentum: float = 0,
        dampening: float = 0,
        weight_decay: Number = 0,
        nesterov: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        require_rate(lr)
        require(momentum >= 0.0, f"Invalid momentum value: {momentum}")
        require(number(weight_decay) >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        defaults = {
            "lr": lr,
            "momentum": momentum,
            "dampening": dampening,
            "weight_decay": weight_decay,
            "nesterov": nesterov,
            "maximize": maximize,
            "foreach": foreach,
            "differentiable": differentiable,
            "fused": fused,
        }
        require(
            not nesterov or (momentum > 0 and dampening == 0),
            "Nesterov momentum requires a momentum and zero dampening",
        )
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        take = 1.0 - group["dampening"]
        if group["momentum"] and state.get("momentum_buffer") is None:
            state["momentum_buffer"] = filled(p)
            take = 1.0  # the sum begins with all of the first gradient
        return number(group["lr"]), number(group["weight_decay"]), group["momentum"], take

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _sgd, (numbers[1] != 0, group["nesterov"])


# --- Rprop ------------------------------------------------------------------------------------------


def _rprop(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers) -> tuple[Any, ...]:
    smaller, larger, least, most = numbers
    before, size = kept
    return update_rules.rprop(p, before, size, g, (smaller, larger), (least, most))


class Rprop(Optimizer):
    """Resilient backpropagation (Riedmiller and Braun 1993)."""

    _kept = ("prev", "step_size")

    def __init__(
        self,
        params: Params,
        lr: Number = 1e-2,
        etas: tuple[float, float] = (0.5, 1.2),
        step_sizes: tuple[float, float] = (1e-6, 50),
        *,
        capturable: bool = False,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
    ) -> None:
        require_rate(lr)
        require(0.0 < etas[0] < 1.0 < etas[1], f"Invalid eta values: {etas[0]}, {etas[1]}")
        defaults = {
            "lr": lr,
            "etas": etas,
            "step_sizes": step_sizes,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(step=scalar(p, 0), prev=filled(p), step_size=filled(p, number(group["lr"])))
        counted(state)
        return (*map(float, group["etas"]), *map(float, group["step_sizes"]))

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _rprop, ()


# --- ASGD -------------------------------------------------------------------------------------------


def _asgd(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool) -> tuple[Any, ...]:
    rate, keep, decay, old, new = numbers
    g = decayed(g, p, decay) if decays else g
    p = update_rules.descended(elementwise.multiply(p, keep), g, rate)
    return p, update_rules.running(kept[0], p, (old, new))


class ASGD(Optimizer):
    """Averaged stochastic gradient descent (Polyak and Juditsky 1992)."""

    _kept = ("ax",)

    def __init__(
        self,
        params: Params,
        lr: Number = 1e-2,
        lambd: float = 1e-4,
        alpha: float = 0.75,
        t0: float = 1e6,
        weight_decay: float = 0,
        foreach: bool | None = None,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        require_rate(lr)
        require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        defaults = {
            "lr": lr,
            "lambd": lambd,
            "alpha": alpha,
            "t0": t0,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        lr, lambd = number(group["lr"]), group["lambd"]
        if not state:
            state.update(step=scalar(p, 0), eta=scalar(p, lr), mu=scalar(p, 1), ax=filled(p))
        t = counted(state)
        eta, mu = state["eta"].numpy(), state["mu"].numpy()
        rate, share = float(eta), float(mu)
        eta[...] = lr / (1 + lambd * lr * t) ** group["alpha"]
        mu[...] = 1 / max(1, t - group["t0"])
        return rate, 1 - lambd * rate, float(group["weight_decay"]), 1 - share, share

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _asgd, (numbers[2] != 0,)
