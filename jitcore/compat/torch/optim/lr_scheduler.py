"""`torch.optim.lr_scheduler`: schedules by factors, functions and cosines, and several together."""

# pyright: reportPrivateUsage=false
# (schedules begin and set the epochs of others)

from __future__ import annotations

import math
from bisect import bisect_right
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from jitcore.compat.torch.optim.cycles import CyclicLR, OneCycleLR
from jitcore.compat.torch.optim.optimizer import Optimizer
from jitcore.compat.torch.optim.plateau import ReduceLROnPlateau
from jitcore.compat.torch.optim.rates import ByFactor, LRScheduler, Rate, WithFunctions, write
from jitcore.library.core import marking

__all__ = [
    "ChainedScheduler",
    "ConstantLR",
    "CosineAnnealingLR",
    "CosineAnnealingWarmRestarts",
    "CyclicLR",
    "ExponentialLR",
    "LRScheduler",
    "LambdaLR",
    "LinearLR",
    "MultiStepLR",
    "MultiplicativeLR",
    "OneCycleLR",
    "PolynomialLR",
    "ReduceLROnPlateau",
    "SequentialLR",
    "StepLR",
]


class LambdaLR(WithFunctions):
    """The first rates times what a function of the epoch, or one for each group, says."""

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`."""
        self._require_step()
        return [base * by(self.last_epoch) for by, base in zip(self.lr_lambdas, self.base_lrs, strict=True)]


class MultiplicativeLR(WithFunctions):
    """The rates of the epoch before times what a function of the epoch, or one for each group, says."""

    def __init__(self, optimizer: Optimizer, lr_lambda: Rate | Sequence[Rate], last_epoch: int = -1) -> None:
        for function in lr_lambda if isinstance(lr_lambda, list | tuple) else [lr_lambda]:
            if not callable(function):
                raise TypeError(f"lr_lambda should be a function, but got {type(function).__name__}")
        super().__init__(optimizer, lr_lambda, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`."""
        self._require_step()
        if self._is_initial:
            return self._rates()
        return [rate * by(self.last_epoch) for by, rate in zip(self.lr_lambdas, self._rates(), strict=True)]


class StepLR(ByFactor):
    """The rates times `gamma` every `step_size` epochs."""

    def __init__(self, optimizer: Optimizer, step_size: int, gamma: float = 0.1, last_epoch: int = -1) -> None:
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def by(self) -> float:
        return 1.0 if self.last_epoch == 0 or self.last_epoch % self.step_size else self.gamma

    def in_all(self) -> float:
        return self.gamma ** (self.last_epoch // self.step_size)


class MultiStepLR(ByFactor):
    """The rates times `gamma` at each of the milestones."""

    def __init__(
        self, optimizer: Optimizer, milestones: Iterable[int], gamma: float = 0.1, last_epoch: int = -1
    ) -> None:
        self.milestones = Counter(milestones)
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def by(self) -> float:
        return self.gamma ** self.milestones[self.last_epoch]

    def in_all(self) -> float:
        return self.gamma ** bisect_right(sorted(self.milestones.elements()), self.last_epoch)


class ConstantLR(ByFactor):
    """The rates times `factor` for the first `total_iters` epochs."""

    def __init__(
        self, optimizer: Optimizer, factor: float = 1.0 / 3, total_iters: int = 5, last_epoch: int = -1
    ) -> None:
        if factor > 1.0 or factor < 0:
            raise ValueError("Constant multiplicative factor expected to be between 0 and 1.")
        self.factor = factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def by(self) -> float:
        if self.last_epoch == 0:
            return self.factor
        return 1.0 / self.factor if self.last_epoch == self.total_iters else 1.0

    def in_all(self) -> float:
        return 1.0 if self.last_epoch >= self.total_iters else self.factor


class LinearLR(ByFactor):
    """The rates times a factor that goes from `start_factor` to `end_factor` within `total_iters` epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        total_iters: int = 5,
        last_epoch: int = -1,
    ) -> None:
        if start_factor > 1.0 or start_factor <= 0:
            raise ValueError("Starting multiplicative factor expected to be greater than 0 and less or equal to 1.")
        if end_factor > 1.0 or end_factor < 0:
            raise ValueError("Ending multiplicative factor expected to be between 0 and 1.")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_iters = total_iters
        super().__init__(optimizer, last_epoch)

    def _at(self, epoch: int) -> float:
        return self.start_factor + (self.end_factor - self.start_factor) * min(epoch / self.total_iters, 1)

    def by(self) -> float:
        if self.last_epoch == 0:
            return self.start_factor
        if self._is_initial or self.last_epoch > self.total_iters:
            return 1.0
        return self._at(self.last_epoch) / self._at(self.last_epoch - 1)

    def in_all(self) -> float:
        return self._at(self.last_epoch)


class ExponentialLR(ByFactor):
    """The rates times `gamma` every epoch."""

    def __init__(self, optimizer: Optimizer, gamma: float, last_epoch: int = -1) -> None:
        self.gamma = gamma
        super().__init__(optimizer, last_epoch)

    def by(self) -> float:
        return 1.0 if self._is_initial else self.gamma

    def in_all(self) -> float:
        return self.gamma**self.last_epoch


class PolynomialLR(ByFactor):
    """The rates falling to zero within `total_iters` epochs, by a power of what is left."""

    def __init__(self, optimizer: Optimizer, total_iters: int = 5, power: float = 1.0, last_epoch: int = -1) -> None:
        self.total_iters = total_iters
        self.power = power
        super().__init__(optimizer, last_epoch)

    def _left(self, epoch: int) -> float:
        return 1.0 - min(epoch, self.total_iters) / self.total_iters

    def by(self) -> float:
        if self._is_initial or self.last_epoch > self.total_iters:
            return 1.0
        return (self._left(self.last_epoch) / self._left(self.last_epoch - 1)) ** self.power

    def in_all(self) -> float:
        return self._left(self.last_epoch) ** self.power


# --- cosines ----------------------------------------------------------------------------------------


def _half(share: float) -> float:
    """Half a cosine, from 1 down to 0."""
    return (1 + math.cos(math.pi * share)) / 2


class CosineAnnealingLR(LRScheduler):
    """The rates on half a cosine down to `eta_min` within `T_max` epochs, and up again (Loshchilov and Hutter
    2017)."""

    def __init__(self, optimizer: Optimizer, T_max: int, eta_min: float = 0.0, last_epoch: int = -1) -> None:
        self.T_max = T_max
        self.eta_min = eta_min
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`, of those of the epoch before."""
        self._require_step()
        if self._is_initial:
            return self._rates()
        if self._step_count == 1 and self.last_epoch > 0:
            return self.closed_form()
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:  # up from eta_min
            rise = 1 - _half(1 / self.T_max)
            rates = zip(self._rates(), self.base_lrs, strict=True)
            return [rate + (base - self.eta_min) * rise for rate, base in rates]
        by = _half(self.last_epoch / self.T_max) / _half((self.last_epoch - 1) / self.T_max)
        return [by * (rate - self.eta_min) + self.eta_min for rate in self._rates()]

    def closed_form(self) -> list[Any]:
        """The rates at `last_epoch`, of the first ones."""
        share = _half(self.last_epoch / self.T_max)
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]


class CosineAnnealingWarmRestarts(LRScheduler):
    """The rates on half a cosine down to `eta_min`, again and again: over `T_0` epochs, then over `T_mult` times as
    many each time (Loshchilov and Hutter 2017)."""

    def __init__(
        self, optimizer: Optimizer, T_0: int, T_mult: int = 1, eta_min: float = 0.0, last_epoch: int = -1
    ) -> None:
        if not isinstance(T_0, int) or T_0 <= 0:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Expected positive integer T_0, but got {T_0}")
        if not isinstance(T_mult, int) or T_mult < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Expected integer T_mult >= 1, but got {T_mult}")
        if not isinstance(eta_min, float | int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Expected float or int eta_min, but got {eta_min} of type {type(eta_min)}")
        self.T_0 = self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur: float = last_epoch
        super().__init__(optimizer, last_epoch)

    def get_lr(self) -> list[Any]:
        """The rates at `T_cur` of the `T_i` epochs of this turn."""
        self._require_step()
        share = _half(self.T_cur / self.T_i)
        return [self.eta_min + (base - self.eta_min) * share for base in self.base_lrs]

    @marking.between
    def step(self, epoch: float | None = None) -> None:
        """Go on to the next epoch, or to one, which may be between two."""
        if epoch is None and self.last_epoch >= 0:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur %= self.T_i
                self.T_i *= self.T_mult
        else:
            epoch = 0 if epoch is None else epoch
            self._seek(epoch)
        self.last_epoch = math.floor(epoch)
        self._get_lr_called_within_step = True
        self._set_rates(self.get_lr())
        self._get_lr_called_within_step = False

    def _seek(self, epoch: float) -> None:
        """Find the turn that an epoch is in."""
        if epoch < 0:
            raise ValueError(f"Expected non-negative epoch, but got {epoch}")
        self.T_cur, self.T_i = epoch, self.T_0
        if self.T_mult == 1:
            self.T_cur %= self.T_0
            return
        while self.T_cur >= self.T_i:
            self.T_cur -= self.T_i
            self.T_i *= self.T_mult


# --- several together -------------------------------------------------------------------------------


def _require_alike(name: str, schedulers: Sequence[LRScheduler], optimizer: Optimizer) -> None:
    for k, one in enumerate(schedulers):
        if not hasattr(one, "optimizer"):
            raise TypeError(f"{name} at index {k} should have `optimizer` as its attribute.")
        if isinstance(one, ReduceLROnPlateau):
            raise ValueError(
                f"{name} does not support `ReduceLROnPlateau` scheduler as it requires additional kwargs to be "
                f"specified when calling `step`, but got one at index {k} in the given schedulers sequence."
            )
        if one.optimizer is not optimizer:
            raise ValueError(
                f"{name} expects all schedulers to belong to the same optimizer, but got scheduler "
                f"{type(one).__name__} at index {k} has {one.optimizer}, which is different from "
                f"{type(optimizer).__name__}."
            )


class _Several(LRScheduler):
    """Schedules that are saved one by one."""

    _schedulers: Sequence[LRScheduler]

    def state_dict(self) -> dict[str, Any]:
        return {**super().state_dict(), "_schedulers": [one.state_dict() for one in self._schedulers]}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        saved = dict(state_dict)
        for one, state in zip(self._schedulers, saved.pop("_schedulers"), strict=True):
            one.load_state_dict(state)
        super().load_state_dict(saved)


class SequentialLR(_Several):
    """Schedules one after the other, each from its milestone on."""

    def __init__(
        self, optimizer: Optimizer, schedulers: list[LRScheduler], milestones: list[int], last_epoch: int = -1
    ) -> None:
        name = type(self).__name__
        if not schedulers:
            raise ValueError(f"{name} expects at least one scheduler, but got no scheduler.")
        _require_alike(name, schedulers, optimizer)
        if len(milestones) != len(schedulers) - 1:
            raise ValueError(
                "Sequential Schedulers expects number of schedulers provided to be one more than the number of "
                f"milestone points, but got number of schedulers {len(schedulers)} and the number of milestones to be "
                f"equal to {len(milestones)}"
            )
        self._schedulers = schedulers
        self._milestones = milestones
        self.last_epoch = last_epoch + 1
        self.optimizer = optimizer
        for group in optimizer.param_groups:
            write(group, "lr", group["initial_lr"])
        _go_back(self)
        first = schedulers[bisect_right(milestones, 0)]
        first._initial_step()
        self._last_lr = first.get_last_lr()

    @marking.between
    def step(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Go on to the next epoch."""
        self.last_epoch += 1
        k = bisect_right(self._milestones, self.last_epoch)
        one = self._schedulers[k]
        if k > 0 and self._milestones[k - 1] == self.last_epoch:
            one._update_lr(0)
        else:
            one.step()
        self._last_lr = one.get_last_lr()


def _go_back(schedule: LRScheduler) -> None:
    """Undo the steps that schedules took when they were made."""
    if isinstance(schedule, _Several):
        for one in schedule._schedulers:
            _go_back(one)
    else:
        schedule.last_epoch -= 1


class ChainedScheduler(_Several):
    """Schedules that all take each step."""

    def __init__(self, schedulers: Sequence[LRScheduler], optimizer: Optimizer | None = None) -> None:
        name = type(self).__name__
        if not schedulers:
            raise ValueError(f"{name} expects at least one scheduler to be chained, but got no scheduler.")
        self.optimizer = schedulers[0].optimizer if optimizer is None else optimizer
        _require_alike(name, schedulers, self.optimizer)
        self._schedulers = schedulers
        self._last_lr = self._rates()

    @marking.between
    def step(self) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        """Go on to the next epoch."""
        for one in self._schedulers:
            one.step()
        self._last_lr = self._rates()
