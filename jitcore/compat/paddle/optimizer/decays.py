"""Rates that fall, or change at milestones."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any

from jitcore.compat.paddle.optimizer.scheduling import LRScheduler, require

Factor = Callable[[int], float]


class NoamDecay(LRScheduler):
    """A rise for some steps, then as the root of the step (Vaswani et al. 2017)."""

    def __init__(
        self,
        d_model: int,
        warmup_steps: int,
        learning_rate: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        require(d_model > 0, "d_model should be grater than 0")
        self.d_model = d_model
        self.warmup_steps = warmup_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        falling = 1 if self.last_epoch == 0 else self.last_epoch**-0.5
        rising = self.warmup_steps**-1.5 * self.last_epoch
        return self.base_lr * self.d_model**-0.5 * min(falling, rising)


class PiecewiseDecay(LRScheduler):
    """One of some values, which change at boundaries."""

    def __init__(
        self, boundaries: Sequence[int], values: Sequence[float], last_epoch: int = -1, verbose: bool = False
    ) -> None:
        require(len(boundaries) > 0, "The boundaries cannot be empty.")
        require(
            len(values) > len(boundaries),
            f"The values have one more element than boundaries, but received len(values) [{len(values)}] < "
            f"len(boundaries) + 1 [{len(boundaries) + 1}].",
        )
        self.boundaries = boundaries
        self.values = values
        super().__init__(last_epoch=last_epoch, verbose=verbose)

    def get_lr(self) -> float:
        ahead = (value for bound, value in zip(self.boundaries, self.values, strict=False) if self.last_epoch < bound)
        return next(ahead, self.values[-1])


class _ByGamma(LRScheduler):
    """What rates of a base, a factor and the epoch have in common."""

    def __init__(self, learning_rate: float, gamma: float, last_epoch: int = -1, verbose: bool = False) -> None:
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)


class NaturalExpDecay(_ByGamma):
    """exp(-gamma * epoch)."""

    def get_lr(self) -> float:
        require(
            self.gamma > 0, "'gamma' must be a positive number so that the learning rate will decay.", AssertionError
        )
        return self.base_lr * math.exp(-self.gamma * self.last_epoch)


class InverseTimeDecay(_ByGamma):
    """1 / (1 + gamma * epoch)."""

    def get_lr(self) -> float:
        return self.base_lr / (1 + self.gamma * self.last_epoch)


class ExponentialDecay(_ByGamma):
    """gamma to the power of the epoch."""

    def get_lr(self) -> float:
        words = "'gamma' must be in interval (0.0, 1.0) so that the learning rate will decay."
        require(0 < self.gamma < 1, words, AssertionError)
        return self.base_lr * self.gamma**self.last_epoch


class PolynomialDecay(LRScheduler):
    """From one rate to another as a power of the epochs left, once or, with `cycle`, again and again more slowly."""

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        end_lr: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        require(decay_steps > 0, "'decay_steps' must be a positive integer.", AssertionError)
        words = "'power' must be greater than 0.0 so that the learning rate will decay."
        require(power > 0.0, words, AssertionError)
        self.decay_steps = decay_steps
        self.end_lr = end_lr
        self.power = power
        self.cycle = cycle
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        epoch, steps = self.last_epoch, self.decay_steps
        if self.cycle:
            steps *= math.ceil(epoch / steps) if epoch else 1
        else:
            epoch = min(epoch, steps)
        return (self.base_lr - self.end_lr) * (1 - epoch / steps) ** self.power + self.end_lr


class LinearWarmup(LRScheduler):
    """A straight line between two rates for some steps, then a rate or another schedule."""

    def __init__(
        self,
        learning_rate: float | LRScheduler,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(learning_rate, float | int | LRScheduler):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                "the type of learning_rate should be [int, float or LRScheduler], the current type is "
                f"{type(learning_rate)}"
            )
        require(warmup_steps > 0, "'warmup_steps' must be a positive integer.", AssertionError)
        require(end_lr > start_lr, f"end_lr {end_lr} must be greater than start_lr {start_lr}", AssertionError)
        self.learning_rate = learning_rate
        self.warmup_steps = warmup_steps
        self.start_lr = start_lr
        self.end_lr = end_lr
        super().__init__(start_lr, last_epoch, verbose)

    def get_lr(self) -> float:
        if self.last_epoch < self.warmup_steps:
            return (self.end_lr - self.start_lr) * self.last_epoch / self.warmup_steps + self.start_lr
        if not isinstance(self.learning_rate, LRScheduler):
            return self.learning_rate
        self.learning_rate.step(self.last_epoch - self.warmup_steps)
        return self.learning_rate()

    def state_dict(self) -> dict[str, Any]:
        state = super().state_dict()
        if isinstance(self.learning_rate, LRScheduler):
            state["LinearWarmup_LR"] = self.learning_rate.state_dict()
        return state

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        rest = {key: value for key, value in state_dict.items() if key != "LinearWarmup_LR"}
        super().set_state_dict(rest)
        if isinstance(self.learning_rate, LRScheduler):
            self.learning_rate.set_state_dict(state_dict["LinearWarmup_LR"])

    set_dict = set_state_dict


class MultiStepDecay(LRScheduler):
    """A factor at each milestone."""

    def __init__(
        self,
        learning_rate: float,
        milestones: Sequence[int],
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(milestones, tuple | list):
            raise TypeError(
                f"The type of 'milestones' in 'MultiStepDecay' must be 'tuple, list', but received {type(milestones)}."
            )
        rising = all(a < b for a, b in itertools.pairwise(milestones))
        require(rising, "The elements of milestones must be incremented")
        require(gamma < 1.0, "gamma should be < 1.0.")
        self.milestones = milestones
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.gamma ** sum(self.last_epoch >= milestone for milestone in self.milestones)


class StepDecay(LRScheduler):
    """A factor every few epochs."""

    def __init__(
        self,
        learning_rate: float,
        step_size: int,
        gamma: float = 0.1,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        if not isinstance(step_size, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"The type of 'step_size' must be 'int', but received {type(step_size)}.")
        require(gamma < 1.0, "gamma should be < 1.0.")
        require(step_size > 0, "'step_size' must be a positive integer.", AssertionError)
        self.step_size = step_size
        self.gamma = gamma
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return self.base_lr * self.gamma ** (self.last_epoch // self.step_size)


class _ByFunction(LRScheduler):
    """What rates by a function of the epoch have in common."""

    def __init__(self, learning_rate: float, lr_lambda: Factor, last_epoch: int = -1, verbose: bool = False) -> None:
        if not callable(lr_lambda):
            raise TypeError(
                f"The type of 'lr_lambda' in '{type(self).__name__}' must be 'function', but received "
                f"{type(lr_lambda)}."
            )
        self.lr_lambda = lr_lambda
        super().__init__(learning_rate, last_epoch, verbose)


class LambdaDecay(_ByFunction):
    """A factor by a function of the epoch."""

    def get_lr(self) -> float:
        return self.base_lr * self.lr_lambda(self.last_epoch)


class MultiplicativeDecay(_ByFunction):
    """The product of what a function gives at each epoch so far."""

    def get_lr(self) -> float:
        return self.base_lr * math.prod(self.lr_lambda(epoch) for epoch in range(1, self.last_epoch + 1))


class LinearLR(LRScheduler):
    """A factor that changes along a straight line for some epochs."""

    def __init__(
        self,
        learning_rate: float,
        total_steps: int,
        start_factor: float = 1.0 / 3,
        end_factor: float = 1.0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        words = f"`start_factor` must be greater than 0 and less or equal to 1, but got {start_factor}"
        require(0 < start_factor <= 1.0, words)
        require(0 <= end_factor <= 1.0, f"`end_factor` must be greater than 0 and less than 1, but got {end_factor}")
        require(total_steps > 0, f"`total_steps` must be greater than 0, but got {total_steps}")
        self.start_factor = start_factor
        self.end_factor = end_factor
        self.total_steps = total_steps
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        if self.last_epoch == 0:
            return self.base_lr * self.start_factor
        if self.last_epoch > self.total_steps:
            return self.last_lr
        change = self.end_factor - self.start_factor
        before = self.total_steps * self.start_factor + (self.last_epoch - 1) * change
        return self.last_lr * (1.0 + change / before)
