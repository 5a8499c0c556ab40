"""`oneflow.optim.lr_scheduler`: schedules by factors, functions and cosines, and several together."""

from __future__ import annotations

import itertools
import math
from bisect import bisect_right
from collections.abc import Mapping, Sequence
from types import FunctionType
from typing import Any, cast

from jitcore.compat.oneflow.optim.optimizer import Optimizer, require
from jitcore.compat.oneflow.optim.rates import LRScheduler, Rate, Several
from jitcore.compat.torch.optim import plateau
from jitcore.compat.torch.optim.rates import write
from jitcore.library.core import marking

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CosineDecayLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
    "WarmUpLR",
    "WarmupLR",
]


# --- factors ------------------------------------------------------------------------------------------


class StepLR(LRScheduler):
    """The first rates times `gamma` for every `step_size` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        step_size: int,
        gamma: float = 0.1,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        require(step_size > 0, f"step_size must greater than zero, but got {step_size}")
        require(gamma > 0.0, f"gamma must greater than zero, but got {gamma}")
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        return base_lr * self.gamma ** (step // self.step_size)


class MultiStepLR(LRScheduler):
    """The first rates times `gamma` for each of the milestones, which rise."""

    def __init__(
        self,
        optimizer: Optimizer,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        rises = all(a < b for a, b in itertools.pairwise(milestones))
        require(rises, f"values in `list` milestone must be increasing, but got {milestones}")
        require(gamma > 0.0, f"gamma must greater than zero, but got {gamma}")
        self.milestones = milestones
        self.gamma = gamma
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        return base_lr * self.gamma ** bisect_right(self.milestones, step)


class ExponentialLR(LRScheduler):
    """The first rates times `gamma` for every step."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_step: int = -1, verbose: bool = False) -> None:
        if gamma <= 0.0:
            raise ValueError(f"'gamma' must be greater than zero, but got {gamma}")
        self.gamma = gamma
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        return base_lr * self.gamma**step


class ConstantLR(LRScheduler):
    """The first rates times `factor` for the first `total_iters` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        factor: float = 1.0 / 3,
        total_iters: int = 5,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        if not 0.0 <= factor <= 1.0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        return base_lr * self.factor if step < self.total_iters else base_lr


class LinearLR(LRScheduler):
    """The first rates times a factor that goes from `start_factor` to `end_factor` within `total_iters` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        for name, factor in {"Starting": start_factor, "Ending": end_factor}.items():
            if not 0.0 <= factor <= 1.0:
                raise ValueError(f"{name} multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        share = step / self.total_iters if step < self.total_iters else 1.0
        return base_lr * (self.start_factor + (self.end_factor - self.start_factor) * share)


class PolynomialLR(LRScheduler):
    """The rates falling to `end_learning_rate` within `decay_batch` steps, by a power of what is left; with `cycle`,
    within the next multiple of `decay_batch` again and again."""

    def __init__(
        self,
        optimizer: Optimizer,
        decay_batch: int,
        end_learning_rate: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        require(decay_batch > 0, f"decay_batch must greater than zero, but got {decay_batch}")
        self.max_decay_steps = decay_batch
        self.end_learning_rate = end_learning_rate
        self.power = power
        self.cycle = cycle
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        whole = self.max_decay_steps
        if self.cycle:
            step = max(step, 1)
            whole *= math.ceil(step / whole)
        left = 1 - min(step, whole) / whole
        return (base_lr - self.end_learning_rate) * left**self.power + self.end_learning_rate


class LambdaLR(LRScheduler):
    """The first rates times what a function of the step, or one for each group, says."""

    def __init__(
        self, optimizer: Optimizer, lr_lambda: Rate | Sequence[Rate], last_step: int = -1, verbose: bool = False
    ) -> None:
        count = len(optimizer.param_groups)
        given = list(lr_lambda) if isinstance(lr_lambda, list | tuple) else [cast("Rate", lr_lambda)] * count
        require(len(given) == count, f"Expected {count} lr_lambdas, but got {len(given)}")
        self.lr_lambdas: list[Any] = given
        super().__init__(optimizer, last_step, verbose)

    @marking.between
    def step(self) -> None:
        """Go on to the next step."""
        self.last_step += 1
        pairs = zip(self.base_lrs, self.lr_lambdas, strict=True)
        self.update_lrs([base * by(self.last_step) for base, by in pairs])

    def state_dict(self) -> dict[str, Any]:
        saved = [None if isinstance(by, FunctionType) else dict(by.__dict__) for by in self.lr_lambdas]
        return {**super().state_dict(), "lr_lambdas": saved}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        super().load_state_dict({key: value for key, value in state_dict.items() if key != "lr_lambdas"})
        for by, state in zip(self.lr_lambdas, state_dict["lr_lambdas"], strict=True):
            if state is not None:
                by.__dict__.update(state)


# --- cosines ------------------------------------------------------------------------------------------


def _half(share: float) -> float:
    """Half a cosine, from 1 down to 0."""
    return 0.5 * (1 + math.cos(math.pi * share))


class CosineDecayLR(LRScheduler):
    """The first rates on half a cosine down to `alpha` times themselves within `decay_steps` steps (Loshchilov and
    Hutter 2017).

    >>> from jitcore.compat.oneflow.optim import SGD
    >>> schedule = CosineDecayLR(SGD([], lr=1.0), decay_steps=2, alpha=0.5, verbose=False)
    >>> schedule.step()
    >>> schedule.get_last_lr()
    [0.75]
    """

    def __init__(
        self,
        optimizer: Optimizer,
        decay_steps: int,
        alpha: float = 0.0,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        require(decay_steps > 0, f"decay_steps must greater than zero, but got {decay_steps}")
        self.decay_steps = decay_steps
        self.alpha = alpha
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        if step >= self.decay_steps:
            return base_lr * self.alpha
        return base_lr * ((1 - self.alpha) * _half(step / self.decay_steps) + self.alpha)


class CosineAnnealingLR(LRScheduler):
    """The rates on half a cosine down to `eta_min` within `T_max` steps, and up again."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_max: int,
        eta_min: float = 0.0,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        return self.eta_min + (base_lr - self.eta_min) * _half(step / self.T_max)


class CosineAnnealingWarmRestarts(LRScheduler):
    """The rates on half a cosine down to `eta_min`, again and again: over `T_0` steps, then over `T_mult` times as many
    each time, from `decay_rate` times as high, `restart_limit` times in all (0: without end)."""

    def __init__(
        self,
        optimizer: Optimizer,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0.0,
        decay_rate: float = 1.0,
        restart_limit: int = 0,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(T_0, int) or T_0 <= 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if not isinstance(T_mult, int) or T_mult < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.decay_rate = decay_rate
        self.restart_limit = restart_limit
        super().__init__(optimizer, last_step, verbose)

    def get_lr(self, base_lr: float, step: int) -> float:
        turn, length = 0, self.T_0
        while step >= length:
            step -= length
            length *= self.T_mult
            turn += 1
        if 0 < self.restart_limit <= turn:
            return self.eta_min
        return self.eta_min + (base_lr * self.decay_rate**turn - self.eta_min) * _half(step / length)


# --- several together ---------------------------------------------------------------------------------


class ChainedScheduler(Several):
    """Schedules that all take each step, each of what the one before gave."""

    def __init__(self, schedulers: Sequence[LRScheduler]) -> None:
        given: Any = schedulers
        if not isinstance(given, list | tuple) or not all(isinstance(s, LRScheduler) for s in given):
            raise ValueError("ChainedScheduler expects a list of schedulers")
        if not schedulers:
            raise ValueError("length of list of schedulers must be greater than 0")
        optimizer = schedulers[0].optimizer
        for k, one in enumerate(schedulers):
            if one.optimizer is not optimizer:
                raise ValueError(
                    "ChainedScheduler expects all schedulers to belong to the same optimizer, but got schedulers at "
                    f"index 0 and {k} to be different"
                )
        self.schedulers = list(schedulers)
        super().__init__(optimizer)

    @marking.between
    def step(self) -> None:
        """Go on to the next step."""
        self.last_step += 1
        rates = list(self.schedulers[0].base_lrs)
        for one in self.schedulers:
            rates = [one.get_lr(rate, self.last_step) for rate in rates]
            one.last_step = self.last_step
        self.update_lrs(rates)


class SequentialLR(Several):
    """Schedules one after the other, each from its milestone on: at the step of the whole, or, with
    `interval_rescaling`, at the step since then."""

    def __init__(
        self,
        optimizer: Optimizer,
        schedulers: Sequence[LRScheduler],
        milestones: Sequence[int],
        interval_rescaling: Sequence[bool] | bool = False,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        if not schedulers:
            raise ValueError("Sequential Schedulers expects at least one scheduler")
        for k, one in enumerate(schedulers):
            if one.optimizer is not optimizer:
                raise ValueError(
                    "Sequential Schedulers expects all schedulers to belong to the same optimizer, but got schedulers "
                    f"at index {k} to be different than the optimizer passed in."
                )
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                f"milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to be "
                f"equal to {len(milestones)}"
            )
        anew = [interval_rescaling] * len(milestones) if isinstance(interval_rescaling, bool) else interval_rescaling
        if len(anew) != len(milestones):
            raise ValueError(
                "'interval_rescaling' expects a bool or a list of bool with length be equal to the number of "
                f"milestones, but got number of milestones {len(milestones)} and the length of list of "
                f"interval_rescaling {len(anew)}"
            )
        self.schedulers = list(schedulers)
        self.milestones = list(milestones)
        self.interval_rescaling = list(anew)
        super().__init__(optimizer, last_step, verbose)

    @marking.between
    def step(self) -> None:
        """Go on to the next step."""
        self.last_step += 1
        k = bisect_right(self.milestones, self.last_step)
        anew = k > 0 and self.interval_rescaling[k - 1]
        step = self.last_step - self.milestones[k - 1] if anew else self.last_step
        one = self.schedulers[k]
        one.last_step = step
        self.update_lrs([one.get_lr(base, step) for base in self.base_lrs])


class WarmupLR(SequentialLR):
    """Small rates for the first `warmup_iters` steps, then those of a schedule, or the first ones: `linear`ly rising
    from `warmup_factor` times them to where the schedule is then, or `constant`. With `warmup_prefix` the schedule
    begins after them."""

    def __init__(
        self,
        scheduler_or_optimizer: LRScheduler | Optimizer,
        warmup_factor: float = 1.0 / 3,
        warmup_iters: int = 5,
        warmup_method: str = "linear",
        warmup_prefix: bool = False,
        last_step: int = -1,
        verbose: bool = False,
    ) -> None:
        given: Any = scheduler_or_optimizer
        if not isinstance(given, LRScheduler | Optimizer):
            raise ValueError(f"'scheduler_or_optimizer' must be a LRScheduler or an Optimizer, but got {type(given)}")
        if warmup_method not in ("linear", "constant"):
            raise ValueError(f"'warmup_method' must be 'linear' or 'constant', but got {warmup_method}")
        then = scheduler_or_optimizer if isinstance(scheduler_or_optimizer, LRScheduler) else None
        if then is None and warmup_iters == 0:
            raise ValueError("When 'scheduler_or_optimizer' is an optimizer warmup_iters can't be equal to 0")
        self.optimizer = scheduler_or_optimizer if then is None else then.optimizer
        self.warmup_factor = warmup_factor
        self.warmup_iters = warmup_iters
        self.warmup_method = warmup_method
        self.warmup_prefix = warmup_prefix
        self.last_step = last_step
        self.verbose = verbose
        self.begin()
        schedules = [*([self._warmup(then)] if warmup_iters > 0 else []), *([] if then is None else [then])]
        milestones = [warmup_iters] * (len(schedules) - 1)
        super().__init__(self.optimizer, schedules, milestones, warmup_prefix, last_step, verbose)

    def _warmup(self, then: LRScheduler | None) -> LRScheduler:
        if self.warmup_method == "constant":
            return ConstantLR(self.optimizer, self.warmup_factor, self.warmup_iters, self.last_step, self.verbose)
        end = 1.0
        if then is not None and not self.warmup_prefix:
            base = self.base_lrs[0]
            if not all(math.isclose(base, other, rel_tol=1e-5, abs_tol=1e-8) for other in self.base_lrs):
                raise ValueError(
                    "The param_groups in optimizer have different warmup configs, please use different optimizers."
                )
            end = then.get_lr(base, self.warmup_iters) / base
        return LinearLR(self.optimizer, self.warmup_factor, end, self.warmup_iters, self.last_step, self.verbose)


WarmUpLR = WarmupLR


class ReduceLROnPlateau(plateau.ReduceLROnPlateau):
    """The rates times `factor` when what `step` is given has not become better for `patience` epochs; with `verbose`,
    that is printed."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float | Sequence[float] = 0,
        eps: float = 1e-8,
        verbose: bool = False,
    ) -> None:
        self.verbose = verbose
        super().__init__(optimizer, mode, factor, patience, threshold, threshold_mode, cooldown, min_lr, eps)

    def _reduce(self) -> None:
        for k, (group, least) in enumerate(zip(self.optimizer.param_groups, self.min_lrs, strict=True)):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                write(group, "lr", new)
                if self.verbose:
                    print(f"Epoch {self.last_epoch:5d}: reducing learning rate of group {k} to {new:.4e}.")
