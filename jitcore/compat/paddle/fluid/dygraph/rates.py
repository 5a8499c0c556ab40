"""Learning rates of fluid: each step of an optimizer takes the next."""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

from jitcore.compat.paddle.optimizer.scheduling import LRScheduler


class Decay(LRScheduler):
    """The base: subclasses say in `rate` what the rate at `step_num` is. `LearningRateDecay` in fluid."""

    def __init__(self, begin: int = 0, step: int = 1, dtype: str = "float32") -> None:
        self.step_num = begin
        self.step_size = step
        self.dtype = dtype
        super().__init__(0.0, begin - 1)

    def rate(self) -> float:
        """The rate at `step_num`."""
        raise NotImplementedError

    def get_lr(self) -> float:
        """The rate at `step_num`."""
        return self.rate()

    def step(self, epoch: int | None = None) -> None:
        """The rate is the one at `step_num`; or that of a step."""
        if epoch is not None:
            self.step_num = epoch
        self.last_epoch = self.step_num
        self.last_lr = self.rate()

    def __call__(self) -> float:
        self.step()
        return self.last_lr

    def taken(self) -> None:
        """A step has been taken with the rate."""
        self.step_num += self.step_size

    def state_dict(self) -> dict[str, Any]:
        """Where it is."""
        return {"global_step": self.step_num}

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go where `state_dict` says."""
        self.step_num = int(state_dict["global_step"])

    set_dict = set_state_dict


LearningRateDecay = Decay


class PiecewiseDecay(Decay):
    """values[k] up to step boundaries[k]."""

    def __init__(
        self, boundaries: list[int], values: list[float], begin: int = 0, step: int = 1, dtype: str = "float32"
    ) -> None:
        if len(values) != len(boundaries) + 1:
            raise ValueError(f"PiecewiseDecay takes one value more than boundaries, not {len(values)}")
        self.boundaries, self.vars = boundaries, values
        super().__init__(begin, step, dtype)

    def rate(self) -> float:
        return next((v for b, v in zip(self.boundaries, self.vars) if self.step_num < b), self.vars[-1])  # noqa: B905


class _Stepped(Decay):
    """What falls with step / decay_steps."""

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        decay_rate: float,
        staircase: bool = False,
        begin: int = 0,
        step: int = 1,
        dtype: str = "float32",
    ) -> None:
        self.learning_rate, self.decay_steps, self.decay_rate = learning_rate, decay_steps, decay_rate
        self.staircase = staircase
        super().__init__(begin, step, dtype)

    def _share(self) -> float:
        share = self.step_num / self.decay_steps
        return math.floor(share) if self.staircase else share


class ExponentialDecay(_Stepped):
    """learning_rate * decay_rate ** (step / decay_steps)."""

    def rate(self) -> float:
        return self.learning_rate * self.decay_rate ** self._share()


class NaturalExpDecay(_Stepped):
    """learning_rate * exp(-decay_rate * step / decay_steps)."""

    def rate(self) -> float:
        return self.learning_rate * math.exp(-self.decay_rate * self._share())


class InverseTimeDecay(_Stepped):
    """learning_rate / (1 + decay_rate * step / decay_steps)."""

    def rate(self) -> float:
        return self.learning_rate / (1 + self.decay_rate * self._share())


class PolynomialDecay(Decay):
    """From learning_rate to end_learning_rate by a power of the part of the steps that is left."""

    def __init__(
        self,
        learning_rate: float,
        decay_steps: int,
        end_learning_rate: float = 0.0001,
        power: float = 1.0,
        cycle: bool = False,
        begin: int = 0,
        step: int = 1,
        dtype: str = "float32",
    ) -> None:
        self.learning_rate, self.decay_steps = learning_rate, decay_steps
        self.end_learning_rate, self.power, self.cycle = end_learning_rate, power, cycle
        super().__init__(begin, step, dtype)

    def rate(self) -> float:
        steps, at = self.decay_steps, self.step_num
        if self.cycle:
            steps *= max(1, math.ceil(at / steps))
        else:
            at = min(at, steps)
        left = (1 - at / steps) ** self.power
        return (self.learning_rate - self.end_learning_rate) * left + self.end_learning_rate


class CosineDecay(Decay):
    """Half a cosine over the epochs."""

    def __init__(
        self,
        learning_rate: float,
        step_each_epoch: int,
        epochs: int,
        begin: int = 0,
        step: int = 1,
        dtype: str = "float32",
    ) -> None:
        self.learning_rate, self.step_each_epoch, self.epochs = learning_rate, step_each_epoch, epochs
        super().__init__(begin, step, dtype)

    def rate(self) -> float:
        epoch = self.step_num // self.step_each_epoch
        return self.learning_rate * 0.5 * (math.cos(epoch * math.pi / self.epochs) + 1)


class NoamDecay(Decay):
    """A rate that grows for a while and falls with the root of the step (Vaswani et al. 2017)."""

    def __init__(
        self,
        d_model: float,
        warmup_steps: int,
        begin: int = 1,
        step: int = 1,
        dtype: str = "float32",
        learning_rate: float = 1.0,
    ) -> None:
        self.d_model, self.warmup_steps, self.learning_rate = d_model, warmup_steps, learning_rate
        super().__init__(begin, step, dtype)

    def rate(self) -> float:
        at = max(self.step_num, 1)
        return self.learning_rate * self.d_model**-0.5 * min(at**-0.5, self.warmup_steps**-1.5 * at)


class LinearLrWarmup(Decay):
    """A line from start_lr to end_lr, then learning_rate."""

    def __init__(
        self,
        learning_rate: float | Decay,
        warmup_steps: int,
        start_lr: float,
        end_lr: float,
        begin: int = 1,
        step: int = 1,
        dtype: str = "float32",
    ) -> None:
        if start_lr > end_lr:
            raise ValueError(f"start_lr {start_lr} is greater than end_lr {end_lr}")
        self.learning_rate, self.warmup_steps = learning_rate, warmup_steps
        self.start_lr, self.lr_ratio_before_warmup = start_lr, (end_lr - start_lr) / warmup_steps
        super().__init__(begin, step, dtype)

    def rate(self) -> float:
        if self.step_num < self.warmup_steps:
            return self.start_lr + self.lr_ratio_before_warmup * self.step_num
        return self.learning_rate() if isinstance(self.learning_rate, Decay) else self.learning_rate

    def taken(self) -> None:
        if self.step_num >= self.warmup_steps and isinstance(self.learning_rate, Decay):
            self.learning_rate.taken()
        super().taken()
