"""Rates that rise and fall, and one that falls when a measure does not get better."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, ClassVar, Final, SupportsFloat

from jitcore.compat.paddle.optimizer.scheduling import LRScheduler, require, require_number

Shape = Callable[[float], float]


def _cosine(start: float, end: float, share: float) -> float:
    return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)


def _straight(start: float, end: float, share: float) -> float:
    return (end - start) * share + start


class CosineAnnealingDecay(LRScheduler):
    """Half a cosine down in `T_max` epochs, and up again (Loshchilov and Hutter 2017), each of the rate before."""

    def __init__(
        self, learning_rate: float, T_max: int, eta_min: float = 0, last_epoch: int = -1, verbose: bool = False
    ) -> None:
        if not isinstance(T_max, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"The type of 'T_max' in 'CosineAnnealingDecay' must be 'int', but received {type(T_max)}.")
        require(T_max > 0, "'T_max' must be a positive integer.", AssertionError)
        self.T_max = T_max
        self.eta_min = float(eta_min)
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        if self.last_epoch == 0:
            return self.base_lr
        if (self.last_epoch - 1 - self.T_max) % (2 * self.T_max) == 0:
            return self.last_lr + (self.base_lr - self.eta_min) * (1 - math.cos(math.pi / self.T_max)) / 2
        now, before = (1 + math.cos(math.pi * epoch / self.T_max) for epoch in (self.last_epoch, self.last_epoch - 1))
        return now / before * (self.last_lr - self.eta_min) + self.eta_min

    def closed_form(self) -> float:
        return _cosine(self.base_lr, self.eta_min, self.last_epoch / self.T_max)


class CosineAnnealingWarmRestarts(LRScheduler):
    """Half a cosine down, again and again, each `T_mult` times as long as the one before."""

    def __init__(
        self,
        learning_rate: float,
        T_0: int,
        T_mult: int = 1,
        eta_min: float = 0,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        is_whole = isinstance(T_0, int) and isinstance(T_mult, int)  # pyright: ignore[reportUnnecessaryIsInstance]
        require(is_whole and T_0 > 0, f"Expected positive integer T_0, but got {T_0}")
        require(is_whole and T_mult >= 1, f"Expected integer T_mult >= 1, but got {T_mult}")
        self.T_0 = T_0
        self.T_i = T_0
        self.T_mult = T_mult
        self.eta_min = eta_min
        self.T_cur = last_epoch
        super().__init__(learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        return _cosine(self.base_lr, self.eta_min, self.T_cur / self.T_i)

    def step(self, epoch: float | None = None) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        if epoch is None and self.last_epoch < 0:
            epoch = 0
        if epoch is None:
            epoch = self.last_epoch + 1
            self.T_cur += 1
            if self.T_cur >= self.T_i:
                self.T_cur -= self.T_i
                self.T_i *= self.T_mult
        else:
            require(epoch >= 0, f"Expected non-negative epoch, but got {epoch}")
            self.T_cur, self.T_i = self._place(epoch)
        self.last_epoch = math.floor(epoch)
        self.last_lr = self.get_lr()
        self.report()

    def _place(self, epoch: float) -> tuple[Any, Any]:
        """(The place in its cycle, the cycle's length) of an epoch."""
        if epoch < self.T_0:
            return epoch, self.T_0
        if self.T_mult == 1:
            return epoch % self.T_0, self.T_i
        cycle = int(math.log(epoch / self.T_0 * (self.T_mult - 1) + 1, self.T_mult))
        length = self.T_0 * self.T_mult**cycle
        return epoch - (length - self.T_0) / (self.T_mult - 1), length


class OneCycleLR(LRScheduler):
    """Up to a largest rate and down to a smallest one (Smith and Topin 2017)."""

    _ANNEALING: Final = {"cos": _cosine, "linear": _straight}

    def __init__(
        self,
        max_learning_rate: float,
        total_steps: int,
        divide_factor: float = 25.0,
        end_learning_rate: float = 0.0001,
        phase_pct: float = 0.3,
        anneal_strategy: str = "cos",
        three_phase: bool = False,
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        require_number(max_learning_rate, "max_learning_rate")
        require_number(end_learning_rate, "end_learning_rate")
        require(total_steps > 0, "'total_step' must be a positive integer.")
        require(0 <= phase_pct <= 1, f"'phase_pct' must be between 0 and 1, but received {phase_pct}")
        require(
            anneal_strategy in self._ANNEALING,
            f"'anneal_strategy' must by one of 'cos' or 'linear', but received {anneal_strategy}",
        )
        words = "When three_phase is True, 'phase_pct' must be less than 0.5"
        require(not three_phase or phase_pct < 0.5, words)
        first, end, peak = max_learning_rate / float(divide_factor), total_steps - 1, phase_pct * total_steps - 1
        self.total_steps = total_steps
        self._anneal = self._ANNEALING[anneal_strategy]
        again = 2 * phase_pct * total_steps - 2
        self._bounds: list[float] = [0, peak, again, end] if three_phase else [0, peak, end]
        self._rates = [first, max_learning_rate, *([first] if three_phase else []), float(end_learning_rate)]
        super().__init__(first, last_epoch, verbose)

    def get_lr(self) -> float:
        step = self.last_epoch
        require(
            step <= self.total_steps,
            f"Tried to step {step} times. However the number of total steps is {self.total_steps}",
        )
        last = len(self._bounds) - 2
        phase = next((k for k in range(last) if step <= self._bounds[k + 1]), last)
        start, end = self._bounds[phase : phase + 2]
        return self._anneal(self._rates[phase], self._rates[phase + 1], (step - start) / (end - start))


class CyclicLR(LRScheduler):
    """Between two rates up and down along straight lines, whose height may change (Smith 2017)."""

    def __init__(
        self,
        base_learning_rate: float,
        max_learning_rate: float,
        step_size_up: int,
        step_size_down: int | None = None,
        mode: str = "triangular",
        exp_gamma: float = 1.0,
        scale_fn: Shape | None = None,
        scale_mode: str = "cycle",
        last_epoch: int = -1,
        verbose: bool = False,
    ) -> None:
        require_number(max_learning_rate, "max_learning_rate")
        down = step_size_up if step_size_down is None else step_size_down
        for name, steps in (("step_size_up", step_size_up), ("step_size_down", down)):
            if not isinstance(steps, int):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"The type of {name!r} must be int, but received {type(steps)}")
            require(steps > 0, f"{name!r} must be a positive integer, but received {steps}")
        shapes: dict[str, tuple[Shape, str]] = {
            "triangular": (lambda cycle: 1.0, "cycle"),
            "triangular2": (lambda cycle: 1 / 2.0 ** (cycle - 1), "cycle"),
            "exp_range": (lambda step: self.gamma**step, "iterations"),
        }
        require(
            mode in shapes or scale_fn is not None,
            "'mode' is invalid and 'scale_fn' is not specified, make sure one of 'mode' or 'scale_fn' is valid",
        )
        require(scale_mode in ("cycle", "iterations"), "'scale_mode' must be one of 'cycle' or 'iterations")
        self.cycle_size = float(step_size_up + down)
        self.step_up_pct = step_size_up / self.cycle_size
        self.max_lr = float(max_learning_rate)
        self.amplitude = self.max_lr - base_learning_rate
        self.mode = mode
        self.gamma = exp_gamma
        self.scale_fn, self.scale_mode = shapes[mode] if scale_fn is None else (scale_fn, scale_mode)
        super().__init__(base_learning_rate, last_epoch, verbose)

    def get_lr(self) -> float:
        cycle = 1 + self.last_epoch // self.cycle_size
        place = 1.0 + self.last_epoch / self.cycle_size - cycle
        up = self.step_up_pct
        height = place / up if place <= up else (1 - place) / (1 - up)
        scale = self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        return self.base_lr + self.amplitude * height * scale


class ReduceOnPlateau(LRScheduler):
    """A factor whenever a measure has not got better for a while."""

    _kept: ClassVar[tuple[str, ...]] = ("cooldown_counter", "best", "num_bad_epochs", "last_epoch", "last_lr")

    def __init__(
        self,
        learning_rate: float,
        mode: str = "min",
        factor: float = 0.1,
        patience: int = 10,
        threshold: float = 1e-4,
        threshold_mode: str = "rel",
        cooldown: int = 0,
        min_lr: float = 0,
        epsilon: float = 1e-8,
        verbose: bool = False,
    ) -> None:
        self.mode, self.threshold_mode = mode.lower(), threshold_mode.lower()
        require(self.mode in ("min", "max"), f"mode: {mode} is unknown!")
        require(factor < 1.0, "new_lr = origin_lr * gamma and gamma should be < 1.0.")
        require(self.threshold_mode in ("rel", "abs"), f"threshold mode: {threshold_mode} is unknown!")
        if not isinstance(learning_rate, float | int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(
                f"The type of 'learning_rate' in 'ReduceOnPlateau' must be 'float', but received {type(learning_rate)}."
            )
        self.factor = factor
        self.patience = patience
        self.threshold = threshold
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.epsilon = epsilon
        self.cooldown_counter = 0
        self.best: Any = None
        self.num_bad_epochs = 0
        self.base_lr = self.last_lr = float(learning_rate)
        self.last_epoch = 0
        self.verbose = verbose

    def step(  # pyright: ignore[reportIncompatibleMethodOverride]
        self,
        metrics: SupportsFloat,
        epoch: int | None = None,
    ) -> None:
        """Take note of a measure: a number, or a Tensor or array of one."""
        if not hasattr(metrics, "__float__"):
            raise TypeError(
                "metrics must be 'int', 'float', 'np.float64', 'numpy.ndarray' or 'paddle.Tensor', but receive "
                f"{type(metrics)}"
            )
        measure = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self.cooldown_counter > 0:
            self.cooldown_counter -= 1
            return
        if self.best is None or self._is_better(measure):
            self.best = measure
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.num_bad_epochs > self.patience:
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
            new = max(self.last_lr * self.factor, self.min_lr)
            if self.last_lr - new > self.epsilon:
                self.last_lr = new
                self.report()

    def _is_better(self, measure: float) -> bool:
        best = float(self.best)
        margin = best * self.threshold if self.threshold_mode == "rel" else self.threshold
        return measure < best - margin if self.mode == "min" else measure > best + margin
