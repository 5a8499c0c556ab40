"""Learning rates that change: as lists, a rate a step, and as Cells, functions of the step."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any

from jitcore import ops
from jitcore.nn.arguments import positive
from jitcore.nn.cell import Cell
from jitcore.types import f32


def _positive(value: float, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{name} must be a float, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} must be positive, but is {value}")
    return float(value)


def _not_negative(value: float, name: str) -> None:
    if isinstance(value, bool) or not isinstance(value, int | float):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{name} must be a float, not {type(value).__name__}")
    if value < 0:
        raise ValueError(f"{name} must not be negative, but is {value}")


def _require_span(min_lr: float, max_lr: float) -> None:
    _not_negative(min_lr, "min_lr")
    _positive(max_lr, "max_lr")
    if min_lr >= max_lr:
        raise ValueError(f"min_lr must be below max_lr, but they are {min_lr} and {max_lr}")


def _require_decay(learning_rate: float, decay_epoch: int, flag: bool, flag_name: str) -> None:
    _positive(learning_rate, "learning_rate")
    positive(decay_epoch, "decay_epoch", "a schedule")
    if not isinstance(flag, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
        raise TypeError(f"{flag_name} must be a bool, not {type(flag).__name__}")


def _rates(total_step: int, step_per_epoch: int, rate: Callable[[int], float]) -> list[float]:
    positive(total_step, "total_step", "a schedule")
    positive(step_per_epoch, "step_per_epoch", "a schedule")
    return [rate(step // step_per_epoch) for step in range(total_step)]


# --- lists ------------------------------------------------------------------------------------------


def piecewise_constant_lr(milestone: Sequence[int], learning_rates: Sequence[float]) -> list[float]:
    """learning_rates[k] up to step milestone[k].

    >>> piecewise_constant_lr([2, 3], [0.1, 0.01])
    [0.1, 0.1, 0.01]
    """
    if len(milestone) != len(learning_rates):
        raise ValueError(f"there are {len(milestone)} milestones, but {len(learning_rates)} learning rates")
    for what, values, kind in (("milestone", milestone, int), ("learning rate", learning_rates, float)):
        for value in values:
            if isinstance(value, bool) or not isinstance(value, kind):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"a {what} is a {kind.__name__}, not {type(value).__name__}")
    made: list[float] = []
    for stop, rate in zip(milestone, learning_rates, strict=True):
        if stop <= len(made):
            raise ValueError(f"the milestones must ascend, but {stop} comes after {len(made)}")
        made += [rate] * (stop - len(made))
    return made


def exponential_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """learning_rate * decay_rate ** (epoch / decay_epoch), in whole numbers if `is_stair`."""
    _require_decay(learning_rate, decay_epoch, is_stair, "is_stair")
    _positive(decay_rate, "decay_rate")

    def rate(epoch: int) -> float:
        power = epoch // decay_epoch if is_stair else epoch / decay_epoch
        return learning_rate * decay_rate**power

    return _rates(total_step, step_per_epoch, rate)


def natural_exp_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """learning_rate * exp(-decay_rate * epoch), the epoch a multiple of `decay_epoch` if `is_stair`."""
    _require_decay(learning_rate, decay_epoch, is_stair, "is_stair")
    _positive(decay_rate, "decay_rate")

    def rate(epoch: int) -> float:
        return learning_rate * math.exp(-decay_rate * (epoch // decay_epoch * decay_epoch if is_stair else epoch))

    return _rates(total_step, step_per_epoch, rate)


def inverse_decay_lr(
    learning_rate: float,
    decay_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    is_stair: bool = False,
) -> list[float]:
    """learning_rate / (1 + decay_rate * epoch / decay_epoch), in whole numbers if `is_stair`."""
    _require_decay(learning_rate, decay_epoch, is_stair, "is_stair")
    _positive(decay_rate, "decay_rate")

    def rate(epoch: int) -> float:
        return learning_rate / (1 + decay_rate * (epoch // decay_epoch if is_stair else epoch / decay_epoch))

    return _rates(total_step, step_per_epoch, rate)


def cosine_decay_lr(
    min_lr: float, max_lr: float, total_step: int, step_per_epoch: int, decay_epoch: int
) -> list[float]:
    """Half a cosine from `max_lr` to `min_lr` over `decay_epoch` epochs (Loshchilov and Hutter 2017)."""
    _require_span(min_lr, max_lr)
    positive(decay_epoch, "decay_epoch", "a schedule")

    def rate(epoch: int) -> float:
        done = min(epoch, decay_epoch) / decay_epoch
        return min_lr + 0.5 * (max_lr - min_lr) * (1 + math.cos(math.pi * done))

    return _rates(total_step, step_per_epoch, rate)


def polynomial_decay_lr(
    learning_rate: float,
    end_learning_rate: float,
    total_step: int,
    step_per_epoch: int,
    decay_epoch: int,
    power: float,
    update_decay_epoch: bool = False,
) -> list[float]:
    """From `learning_rate` to `end_learning_rate` as (1 - epoch / decay_epoch) ** power."""
    _require_decay(learning_rate, decay_epoch, update_decay_epoch, "update_decay_epoch")
    _not_negative(end_learning_rate, "end_learning_rate")
    _positive(power, "power")

    def rate(epoch: int) -> float:
        span = decay_epoch * max(math.ceil(epoch / decay_epoch), 1) if update_decay_epoch else decay_epoch
        left = 1 - min(epoch, span) / span
        return (learning_rate - end_learning_rate) * left**power + end_learning_rate

    return _rates(total_step, step_per_epoch, rate)


def warmup_lr(learning_rate: float, total_step: int, step_per_epoch: int, warmup_epoch: int) -> list[float]:
    """From 0 to `learning_rate` in equal steps over `warmup_epoch` epochs."""
    _positive(learning_rate, "learning_rate")
    positive(warmup_epoch, "warmup_epoch", "a schedule")
    return _rates(total_step, step_per_epoch, lambda epoch: learning_rate * min(epoch, warmup_epoch) / warmup_epoch)


# --- Cells ------------------------------------------------------------------------------------------


class LearningRateSchedule(Cell):
    """The base of learning rates as Cells: `construct(global_step)` gives the rate."""

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        raise NotImplementedError


class _Decay(LearningRateSchedule):
    def __init__(self, learning_rate: float, decay_rate: float, decay_steps: int, is_stair: bool = False) -> None:
        super().__init__()
        self.learning_rate = _positive(learning_rate, "learning_rate")
        self.decay_rate = _positive(decay_rate, "decay_rate")
        self.decay_steps = positive(decay_steps, "decay_steps", type(self).__name__)
        if not isinstance(is_stair, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"is_stair must be a bool, not {type(is_stair).__name__}")
        self.is_stair = is_stair

    def progress(self, global_step: Any) -> Any:
        """How many times `decay_steps` have passed, in whole numbers if `is_stair`."""
        passed = ops.cast(global_step, f32) / self.decay_steps
        return ops.floor(passed) if self.is_stair else passed


class ExponentialDecayLR(_Decay):
    """learning_rate * decay_rate ** (step / decay_steps)."""

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        return self.learning_rate * ops.pow(self.decay_rate, self.progress(global_step))


class NaturalExpDecayLR(_Decay):
    """learning_rate * exp(-decay_rate * step), the step a multiple of `decay_steps` if `is_stair`."""

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        steps = self.progress(global_step) * self.decay_steps
        return self.learning_rate * ops.exp(-self.decay_rate * steps)


class InverseDecayLR(_Decay):
    """learning_rate / (1 + decay_rate * step / decay_steps)."""

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        return self.learning_rate / (1 + self.decay_rate * self.progress(global_step))


class CosineDecayLR(LearningRateSchedule):
    """Half a cosine from `max_lr` to `min_lr` over `decay_steps` steps."""

    def __init__(self, min_lr: float, max_lr: float, decay_steps: int) -> None:
        super().__init__()
        _require_span(min_lr, max_lr)
        self.min_lr = float(min_lr)
        self.max_lr = float(max_lr)
        self.decay_steps = positive(decay_steps, "decay_steps", "CosineDecayLR")

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        done = ops.minimum(ops.cast(global_step, f32), self.decay_steps) / self.decay_steps
        return self.min_lr + 0.5 * (self.max_lr - self.min_lr) * (1 + ops.cos(done * math.pi))


class PolynomialDecayLR(LearningRateSchedule):
    """From `learning_rate` to `end_learning_rate` as (1 - step / decay_steps) ** power."""

    def __init__(
        self,
        learning_rate: float,
        end_learning_rate: float,
        decay_steps: int,
        power: float,
        update_decay_steps: bool = False,
    ) -> None:
        super().__init__()
        self.learning_rate = _positive(learning_rate, "learning_rate")
        _not_negative(end_learning_rate, "end_learning_rate")
        self.end_learning_rate = float(end_learning_rate)
        self.decay_steps = positive(decay_steps, "decay_steps", "PolynomialDecayLR")
        self.power = _positive(power, "power")
        self.update_decay_steps = bool(update_decay_steps)

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        step = ops.cast(global_step, f32)
        span = ops.ones_like(step) * self.decay_steps
        if self.update_decay_steps:
            span = span * ops.maximum(ops.ceil(step / span), 1)
        left = 1 - ops.minimum(step, span) / span
        return (self.learning_rate - self.end_learning_rate) * ops.pow(left, self.power) + self.end_learning_rate


class WarmUpLR(LearningRateSchedule):
    """From 0 to `learning_rate` in equal steps over `warmup_steps` steps."""

    def __init__(self, learning_rate: float, warmup_steps: int) -> None:
        super().__init__()
        self.learning_rate = _positive(learning_rate, "learning_rate")
        self.warmup_steps = positive(warmup_steps, "warmup_steps", "WarmUpLR")

    def construct(self, global_step: Any) -> Any:
        """The learning rate at a step."""
        return self.learning_rate * ops.minimum(ops.cast(global_step, f32), self.warmup_steps) / self.warmup_steps
