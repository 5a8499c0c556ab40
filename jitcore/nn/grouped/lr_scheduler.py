"""Schedules of the rates of grouped optimizers: called once an epoch, each writes the rates that its number asks
for."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Callable, Sequence
from typing import Any

from jitcore.nn.grouped.optimizers import Optimizer
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32


class LRScheduler:
    """The base: subclasses say by `get_lr` what the rates of the groups are at `last_epoch`."""

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        if not isinstance(optimizer, Optimizer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer of experimental.optim")
        self.optimizer = optimizer
        self.last_epoch = last_epoch
        for group in optimizer.param_groups:
            group.setdefault("initial_lr", float(group["lr"].asnumpy()))
        self.base_lrs = [group["initial_lr"] for group in optimizer.param_groups]
        self.step()

    def factor(self, epoch: int) -> float:
        """What the first rates are multiplied by at an epoch."""
        raise NotImplementedError

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`."""
        by = self.factor(self.last_epoch)
        return [base * by for base in self.base_lrs]

    def get_last_lr(self) -> list[Tensor]:
        """The rates of the groups now."""
        return [Tensor(group["lr"]) for group in self.optimizer.param_groups]

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch, or to the one given."""
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        for group, rate in zip(self.optimizer.param_groups, self.get_lr(), strict=True):
            group["lr"].set_data(rate.astype(f32) if isinstance(rate, Tensor) else Tensor(float(rate), f32))


class StepLR(LRScheduler):
    """The rates times `gamma` every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size, self.gamma = step_size, gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int) -> float:
        return self.gamma ** (epoch // self.step_size)


class MultiStepLR(LRScheduler):
    """The rates times `gamma` at each of the milestones."""

    def __init__(
        self, optimizer: Optimizer, milestones: Sequence[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones, self.gamma = sorted(milestones), gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int) -> float:
        return self.gamma ** bisect_right(self.milestones, epoch)


class ExponentialLR(LRScheduler):
    """The rates times `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int) -> float:
        return self.gamma**epoch


class PolynomialLR(LRScheduler):
    """The rates falling to zero within `total_iters` epochs, by a power of what is left."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters, self.power = total_iters, power
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int) -> float:
        return (1.0 - min(epoch, self.total_iters) / self.total_iters) ** self.power


class ConstantLR(LRScheduler):
    """The rates times `factor` for the first `total_iters` epochs."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if not 0 <= factor <= 1:
            raise ValueError(f"factor of ConstantLR is in [0, 1], not {factor}")
        self.first, self.total_iters = factor, total_iters
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int) -> float:
        return self.first if epoch < self.total_iters else 1.0


class LinearLR(LRScheduler):
    """The rates times a factor that goes from `start_factor` to `end_factor` within `total_iters` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if not 0 < start_factor <= 1 or not 0 <= end_factor <= 1:
            raise ValueError("start_factor of LinearLR is in (0, 1], end_factor in [0, 1]")
        self.ends, self.total_iters = (start_factor, end_factor), total_iters
        super().__init__(optimizer, last_epoch)

    def factor(self, epoch: int) -> float:
        start, end = self.ends
        return start + (end - start) * min(epoch, self.total_iters) / self.total_iters


class LambdaLR(LRScheduler):
    """The rates times what a function of the epoch, or one for each group, says."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Any, last_epoch: int = -1) -> None:
        groups = len(optimizer.param_groups)
        self.lr_lambdas: list[Callable[[int], float]] = (
            list(lr_lambda)  # pyright: ignore[reportUnknownArgumentType]
            if isinstance(lr_lambda, list | tuple)
            else [lr_lambda] * groups
        )
        if len(self.lr_lambdas) != groups:
            raise ValueError(f"Expected {groups} lr_lambdas, but got {len(self.lr_lambdas)}")
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        return [base * by(self.last_epoch) for base, by in zip(self.base_lrs, self.lr_lambdas, strict=True)]


class MultiplicativeLR(LambdaLR):
    """The rates of the epoch before times what a function of the epoch, or one for each group, says."""

    def get_lr(self) -> list[Any]:
        if self.last_epoch <= 0:
            return self.base_lrs
        return [rate * by(self.last_epoch) for rate, by in zip(self.get_last_lr(), self.lr_lambdas, strict=True)]


class CosineAnnealingLR(LRScheduler):
    """The rates on half a cosine down to `eta_min` within `T_max` epochs."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max, self.eta_min = T_max, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        share = (1 + math.cos(math.pi * self.last_epoch / self.T_max)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """The rates on half a cosine down to `eta_min`, again and again: over `T_0` epochs, then over `T_mult` times as
    many each time."""

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        if T_0 <= 0 or T_mult < 1:
            raise ValueError("T_0 of CosineAnnealingWarmRestarts is positive, T_mult is at least 1")
        self.T_0, self.T_mult, self.eta_min = T_0, T_mult, eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        epoch, span = self.last_epoch, self.T_0
        while epoch >= span:
            epoch, span = epoch - span, span * self.T_mult
        share = (1 + math.cos(math.pi * epoch / span)) / 2
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class ReduceLROnPlateau:
    """The rates times `factor` when what `step` is given has not become better for `patience` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: Any = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        if mode not in ("min", "max") or threshold_mode not in ("rel", "abs"):
            raise ValueError("mode is 'min' or 'max', threshold_mode 'rel' or 'abs'")
        self.optimizer = optimizer
        self.mode, self.threshold, self.threshold_mode = mode, threshold, threshold_mode
        self.by, self.patience, self.cooldown, self.eps = factor, patience, cooldown, eps
        count = len(optimizer.param_groups)
        self.min_lrs = (
            list(min_lr)  # pyright: ignore[reportUnknownArgumentType]
            if isinstance(min_lr, list | tuple)
            else [min_lr] * count
        )
        self.best = math.inf if mode == "min" else -math.inf
        self.bad, self.resting = 0, 0

    def _is_better(self, value: float) -> bool:
        if math.isinf(self.best):
            return value < self.best if self.mode == "min" else value > self.best
        margin = self.threshold * (abs(self.best) if self.threshold_mode == "rel" else 1.0)
        return value < self.best - margin if self.mode == "min" else value > self.best + margin

    @property
    def in_cooldown(self) -> bool:
        """Whether it waits after the rates were changed."""
        return self.resting > 0

    def step(self, metrics: Any) -> None:
        """Take note of how good an epoch was."""
        value = float(metrics)
        if self._is_better(value):
            self.best, self.bad = value, 0
        else:
            self.bad += 1
        if self.in_cooldown:
            self.resting, self.bad = self.resting - 1, 0
        if self.bad > self.patience:
            for group, least in zip(self.optimizer.param_groups, self.min_lrs, strict=True):
                old = float(group["lr"].asnumpy())
                new = max(old * self.by, float(least))
                if old - new > self.eps:
                    group["lr"].set_data(Tensor(new, f32))
            self.resting, self.bad = self.cooldown, 0

    def get_last_lr(self) -> list[Tensor]:
        """The rates of the groups now."""
        return [Tensor(group["lr"]) for group in self.optimizer.param_groups]
