"""Adam and its kin: AdamW, Adamax, NAdam and RAdam."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final

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
    require_betas,
    require_rate,
    scalar,
)
from jitcore.compat.torch.optim.plain import decayed
from jitcore.compat.torch.optim.stepping import Rule
from jitcore.library.math import elementwise
from jitcore.library.optimizers import update_rules
from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class _Shares:
    """What running means keep and take, and how much of them the first t steps have filled."""

    first: tuple[float, float]
    second: tuple[float, float]
    filled: tuple[float, float]


def _shares(group: Group, t: float) -> _Shares:
    beta1, beta2 = map(number, group["betas"])
    return _Shares((beta1, 1 - beta1), (beta2, 1 - beta2), (1 - beta1**t, 1 - beta2**t))


def _decayed(p: Tensor, g: Tensor, keep: float, decay: float, decays: bool, decoupled: bool) -> tuple[Any, Any]:
    """A Parameter and its gradient with weight decay: in the one or in the other."""
    if not decays:
        return p, g
    return (elementwise.multiply(p, keep), g) if decoupled else (p, decayed(g, p, decay))


def _keeping(group: Group) -> tuple[float, float]:
    """The numbers of weight decay: what is left of a Parameter, and the share of it that a gradient has besides."""
    decay = float(group["weight_decay"])
    return 1 - number(group["lr"]) * decay, decay


def _is_decoupled(group: Group) -> bool:
    return bool(group["decoupled_weight_decay"])


def _adam(
    p: Tensor,
    g: Tensor,
    kept: Sequence[Tensor],
    numbers: Numbers,
    decays: bool,
    decoupled: bool,
) -> tuple[Any, ...]:
    rate, epsilon, keep1, take1, keep2, take2, keep, decay = numbers
    p, g = _decayed(p, g, keep, decay, decays, decoupled)
    mean, square, *largest = kept
    less, *means = update_rules.adam(
        mean, square, g, rate, (keep1, take1), (keep2, take2), epsilon, largest=largest[0] if largest else None
    )
    return elementwise.subtract(p, less), *means


class Adam(Optimizer):
    """Adam (Kingma and Ba 2015), and AMSGrad (Reddi et al. 2018)."""

    _kept = ("exp_avg", "exp_avg_sq", "max_exp_avg_sq")

    def __init__(
        self,
        params: Params,
        lr: Number = 1e-3,
        betas: tuple[Number, Number] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        amsgrad: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
        decoupled_weight_decay: bool = False,
    ) -> None:
        require_rate(lr)
        require(eps >= 0.0, f"Invalid epsilon value: {eps}")
        require_betas(betas)
        require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        kinds = {isinstance(beta, Tensor) if isinstance(beta, Tensor | float) else None for beta in betas}
        require(len(kinds) == 1 and None not in kinds, "betas must be either both floats or both Tensors")
        defaults = {
            "lr": lr,
            "betas": tuple(map(number, betas)),
            "eps": eps,
            "weight_decay": weight_decay,
            "amsgrad": amsgrad,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
            "fused": fused,
            "decoupled_weight_decay": decoupled_weight_decay,
        }
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(step=scalar(p, 0), exp_avg=filled(p), exp_avg_sq=filled(p))
            if group["amsgrad"]:
                state["max_exp_avg_sq"] = filled(p)
        shares = _shares(group, counted(state))
        root = math.sqrt(shares.filled[1])
        rate = number(group["lr"]) * root / shares.filled[0]
        return rate, group["eps"] * root, *shares.first, *shares.second, *_keeping(group)

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _adam, (numbers[-1] != 0, _is_decoupled(group))


class AdamW(Adam):
    """Adam with weight decay outside of the gradient (Loshchilov and Hutter 2019)."""

    def __init__(
        self,
        params: Params,
        lr: Number = 1e-3,
        betas: tuple[Number, Number] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 1e-2,
        amsgrad: bool = False,
        *,
        maximize: bool = False,
        foreach: bool | None = None,
        capturable: bool = False,
        differentiable: bool = False,
        fused: bool | None = None,
    ) -> None:
        super().__init__(
            params,
            lr,
            betas,
            eps,
            weight_decay,
            amsgrad,
            foreach=foreach,
            maximize=maximize,
            capturable=capturable,
            differentiable=differentiable,
            fused=fused,
            decoupled_weight_decay=True,
        )


# --- Adamax -----------------------------------------------------------------------------------------


def _adamax(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool) -> tuple[Any, ...]:
    lr, power, keep1, take1, beta2, epsilon, decay = numbers
    g = decayed(g, p, decay) if decays else g
    mean, size = kept
    return update_rules.adamax(p, mean, size, g, lr, power, (keep1, take1), beta2, epsilon, early=True)


class Adamax(Optimizer):
    """Adam with the largest recent gradient (Kingma and Ba 2015)."""

    _kept = ("exp_avg", "exp_inf")

    def __init__(
        self,
        params: Params,
        lr: Number = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        foreach: bool | None = None,
        *,
        maximize: bool = False,
        differentiable: bool = False,
        capturable: bool = False,
    ) -> None:
        require_rate(lr)
        require(eps >= 0.0, f"Invalid epsilon value: {eps}")
        require_betas(betas)
        require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "foreach": foreach,
            "maximize": maximize,
            "differentiable": differentiable,
            "capturable": capturable,
        }
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(step=scalar(p, 0), exp_avg=filled(p), exp_inf=filled(p))
        shares = _shares(group, counted(state))
        lr, decay = number(group["lr"]), float(group["weight_decay"])
        return lr, 1 - shares.filled[0], *shares.first, shares.second[0], group["eps"], decay

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _adamax, (numbers[-1] != 0,)


# --- NAdam ------------------------------------------------------------------------------------------

_NADAM_BASE: Final = 0.96
"""Of Dozat 2016, where the momentum's schedule is 0.5 · 0.96^(t · momentum_decay)."""


def _nadam(
    p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool, decoupled: bool
) -> tuple[Any, ...]:
    of_gradient, of_mean, epsilon, keep1, take1, keep2, take2, keep, decay = numbers
    p, g = _decayed(p, g, keep, decay, decays, decoupled)
    mean, square = kept
    less, *means = update_rules.nadam(mean, square, g, (of_gradient, of_mean), (keep1, take1), (keep2, take2), epsilon)
    return elementwise.subtract(p, less), *means


class NAdam(Optimizer):
    """Adam with Nesterov's momentum (Dozat 2016)."""

    _kept = ("exp_avg", "exp_avg_sq")

    def __init__(
        self,
        params: Params,
        lr: Number = 2e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        momentum_decay: float = 4e-3,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        require_rate(lr)
        require(eps >= 0.0, f"Invalid epsilon value: {eps}")
        require_betas(betas)
        require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        require(momentum_decay >= 0.0, f"Invalid momentum_decay value: {momentum_decay}")
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "momentum_decay": momentum_decay,
            "decoupled_weight_decay": decoupled_weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(step=scalar(p, 0), mu_product=scalar(p, 1), exp_avg=filled(p), exp_avg_sq=filled(p))
        t = counted(state)
        shares = _shares(group, t)
        mu, following = (shares.first[0] * (1 - 0.5 * _NADAM_BASE ** (k * group["momentum_decay"])) for k in (t, t + 1))
        product = state["mu_product"].numpy()
        product[...] *= mu
        root = math.sqrt(shares.filled[1])
        scaled = number(group["lr"]) * root
        of_gradient = scaled * (1 - mu) / (1 - float(product))
        of_mean = scaled * following / (1 - float(product) * following)
        return of_gradient, of_mean, group["eps"] * root, *shares.first, *shares.second, *_keeping(group)

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _nadam, (numbers[-1] != 0, _is_decoupled(group))


# --- RAdam ------------------------------------------------------------------------------------------


def _radam(
    p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Numbers, decays: bool, decoupled: bool, adapts: bool
) -> tuple[Any, ...]:
    rate, epsilon, keep1, take1, keep2, take2, keep, decay, _ = numbers
    p, g = _decayed(p, g, keep, decay, decays, decoupled)
    mean, square = kept
    first, second = (keep1, take1), (keep2, take2)
    if adapts:
        less, *means = update_rules.adam(mean, square, g, rate, first, second, epsilon)
        return elementwise.subtract(p, less), *means
    mean, square = update_rules.means(mean, square, g, first, second)
    return update_rules.descended(p, mean, rate), mean, square


class RAdam(Optimizer):
    """Adam whose rate is rectified while squares are few (Liu et al. 2020)."""

    _kept = ("exp_avg", "exp_avg_sq")

    def __init__(
        self,
        params: Params,
        lr: Number = 1e-3,
        betas: tuple[float, float] = (0.9, 0.999),
        eps: float = 1e-8,
        weight_decay: float = 0,
        decoupled_weight_decay: bool = False,
        *,
        foreach: bool | None = None,
        maximize: bool = False,
        capturable: bool = False,
        differentiable: bool = False,
    ) -> None:
        require_rate(lr)
        require(eps >= 0.0, f"Invalid epsilon value: {eps}")
        require_betas(betas)
        require(weight_decay >= 0.0, f"Invalid weight_decay value: {weight_decay}")
        defaults = {
            "lr": lr,
            "betas": betas,
            "eps": eps,
            "weight_decay": weight_decay,
            "maximize": maximize,
            "foreach": foreach,
            "capturable": capturable,
            "decoupled_weight_decay": decoupled_weight_decay,
            "differentiable": differentiable,
        }
        super().__init__(params, defaults)

    def _numbers(self, group: Group, p: Tensor, state: State) -> Numbers:
        if not state:
            state.update(step=scalar(p, 0), exp_avg=filled(p), exp_avg_sq=filled(p))
        t = counted(state)
        shares = _shares(group, t)
        rate = number(group["lr"]) / shares.filled[0]
        rectified = _rectified(shares, t)
        if rectified:
            rate *= rectified * math.sqrt(shares.filled[1])
        return rate, group["eps"], *shares.first, *shares.second, *_keeping(group), float(rectified > 0)

    def _rule(self, group: Group, numbers: Numbers) -> tuple[Rule, tuple[bool, ...]]:
        return _radam, (numbers[-2] != 0, _is_decoupled(group), numbers[-1] > 0)


_SHORTEST: Final = 5
"""The length of the running mean of squares up to which its variance is not tractable (Liu et al. 2020)."""


def _rectified(shares: _Shares, t: float) -> float:
    """What the rate is multiplied by at step t, by the paper's formula; 0 while squares are not used."""
    beta2, rest = shares.second
    longest = 2 / rest - 1
    length = longest - 2 * t * beta2**t / shares.filled[1]
    if length <= _SHORTEST:
        return 0.0
    above = (length - 4) * (length - 2) * longest
    return math.sqrt(above / ((longest - 4) * (longest - 2) * length))
