"""Schedules in cycles, of the momentum too: CyclicLR and OneCycleLR (Smith 2017; Smith and Topin 2018)."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, TypeAlias, cast

from jitcore.compat.torch.optim.optimizer import Group, Optimizer
from jitcore.compat.torch.optim.rates import LRScheduler, each, require_optimizer, write

Levels: TypeAlias = float | Sequence[float]
Scale: TypeAlias = Callable[[float], float]


class _Cycle(LRScheduler):
    """A schedule that may have the momentum, or Adam's first beta, go the other way."""

    cycle_momentum: bool
    use_beta1: bool

    def _begin_momentum(self, base_momentum: Levels, max_momentum: Levels, last_epoch: int) -> None:
        defaults = self.optimizer.defaults
        if "momentum" not in defaults and "betas" not in defaults:
            raise ValueError("optimizer must support momentum or beta1 with `cycle_momentum` option enabled")
        self.use_beta1 = "betas" in defaults
        self.base_momentums = self._each("base_momentum", base_momentum)
        self.max_momentums = self._each("max_momentum", max_momentum)
        if last_epoch != -1:
            return
        groups = self.optimizer.param_groups
        for group, most, least in zip(groups, self.max_momentums, self.base_momentums, strict=True):
            self._set_momentum(group, most)
            group["max_momentum"], group["base_momentum"] = most, least

    def _set_momentum(self, group: Group, momentum: float) -> None:
        if self.use_beta1:
            group["betas"] = (momentum, *group["betas"][1:])
        else:
            group["momentum"] = momentum

    def _each(self, name: str, value: Levels) -> list[float]:
        words = (
            f"{name} must have the same length as optimizer.param_groups. {name} has {{have}} values, param_groups has "
            "{want}."
        )
        return each(self.optimizer, value, words)


class CyclicLR(_Cycle):
    """The rates up from `base_lr` to `max_lr` and down again, in cycles."""

    def __init__(
        self,
        optimizer: Optimizer,
        base_lr: Levels,
        max_lr: Levels,
        step_size_up: int = 2000,
        step_size_down: int | None = None,
        mode: str = "triangular",
        gamma: float = 1.0,
        scale_fn: Scale | None = None,
        scale_mode: str = "cycle",
        cycle_momentum: bool = True,
        base_momentum: Levels = 0.8,
        max_momentum: Levels = 0.9,
        last_epoch: int = -1,
    ) -> None:
        require_optimizer(optimizer)
        self.optimizer = optimizer
        base_lrs = self._each("base_lr", base_lr)
        if last_epoch == -1:
            for rate, group in zip(base_lrs, optimizer.param_groups, strict=True):
                write(group, "lr", rate)
        self.max_lrs = self._each("max_lr", max_lr)
        down = step_size_up if step_size_down is None else step_size_down
        self.total_size = float(step_size_up) + float(down)
        self.step_ratio = float(step_size_up) / self.total_size
        if mode not in ("triangular", "triangular2", "exp_range") and scale_fn is None:
            raise ValueError("mode is invalid and scale_fn is None")
        self.mode = mode
        self.gamma = gamma
        self._scale_fn_custom = scale_fn
        self.scale_mode = ("iterations" if mode == "exp_range" else "cycle") if scale_fn is None else scale_mode
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)
        self.base_lrs = base_lrs

    def scale_fn(self, x: float) -> float:
        """What cycles are scaled by: by their number, or by the epoch."""
        if self._scale_fn_custom is not None:
            return self._scale_fn_custom(x)
        if self.mode == "exp_range":
            return self.gamma**x
        return 1.0 if self.mode == "triangular" else 1 / 2.0 ** (x - 1)

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`; the momentum is set."""
        self._require_step()
        turns = self.last_epoch / self.total_size
        cycle = math.floor(1 + turns)
        x = 1.0 + turns - cycle
        share = x / self.step_ratio if x <= self.step_ratio else (x - 1) / (self.step_ratio - 1)
        share *= self.scale_fn(cycle if self.scale_mode == "cycle" else self.last_epoch)
        if self.cycle_momentum:
            levels = zip(self.optimizer.param_groups, self.base_momentums, self.max_momentums, strict=True)
            for group, least, most in levels:
                self._set_momentum(group, most - (most - least) * share)
        return [low + (high - low) * share for low, high in zip(self.base_lrs, self.max_lrs, strict=True)]

    def state_dict(self) -> dict[str, Any]:
        custom = self._scale_fn_custom
        saved = None if custom is None or isinstance(custom, FunctionType) else dict(custom.__dict__)
        return {**super().state_dict(), "_scale_fn_custom": saved}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        saved = dict(state_dict)
        custom = saved.pop("_scale_fn_custom")
        if custom is not None:
            cast("Any", self._scale_fn_custom).__dict__.update(custom)
        super().load_state_dict(saved)


class OneCycleLR(_Cycle):
    """The rates up from `max_lr / div_factor` to `max_lr`, and down to much less, in `total_steps` steps."""

    def __init__(
        self,
        optimizer: Optimizer,
        max_lr: Levels,
        total_steps: int | None = None,
        epochs: int | None = None,
        steps_per_epoch: int | None = None,
        pct_start: float = 0.3,
        anneal_strategy: str = "cos",
        cycle_momentum: bool = True,
        base_momentum: Levels = 0.85,
        max_momentum: Levels = 0.95,
        div_factor: float = 25.0,
        final_div_factor: float = 1e4,
        three_phase: bool = False,
        last_epoch: int = -1,
    ) -> None:
        require_optimizer(optimizer)
        self.optimizer = optimizer
        self.total_steps = _total(total_steps, epochs, steps_per_epoch)
        if not isinstance(pct_start, float) or not 0 <= pct_start <= 1:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"Expected float between 0 and 1 pct_start, but got {pct_start}")
        self._schedule_phases = _phases(self.total_steps, pct_start, three_phase)
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        self._anneal_func_type = anneal_strategy
        highest = self._each("max_lr", max_lr)
        if last_epoch == -1:
            for group, high in zip(optimizer.param_groups, highest, strict=True):
                group["initial_lr"] = high / div_factor
                group["max_lr"] = high
                group["min_lr"] = group["initial_lr"] / final_div_factor
        self.cycle_momentum = cycle_momentum
        if cycle_momentum:
            self._begin_momentum(base_momentum, max_momentum, last_epoch)
        super().__init__(optimizer, last_epoch)

    def _between(self, start: float, end: float, share: float) -> float:
        if self._anneal_func_type == "linear":
            return (end - start) * share + start
        return end + (start - end) / 2.0 * (math.cos(math.pi * share) + 1)

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`; the momentum is set."""
        self._require_step()
        step, begin = self.last_epoch, 0.0
        if step > self.total_steps:
            raise ValueError(f"Tried to step {step} times. The specified number of total steps is {self.total_steps}")
        phase = self._schedule_phases[0]
        for phase in self._schedule_phases:
            if step <= phase["end_step"] or phase is self._schedule_phases[-1]:
                break
            begin = phase["end_step"]
        share = (step - begin) / (phase["end_step"] - begin)
        if self.cycle_momentum:
            for group in self.optimizer.param_groups:
                ends = group[phase["start_momentum"]], group[phase["end_momentum"]]
                self._set_momentum(group, self._between(*ends, share))
        groups = self.optimizer.param_groups
        return [self._between(group[phase["start_lr"]], group[phase["end_lr"]], share) for group in groups]


def _total(total_steps: int | None, epochs: int | None, steps_per_epoch: int | None) -> int:
    given = {"total_steps": total_steps}
    if total_steps is None:
        if epochs is None or steps_per_epoch is None:
            raise ValueError("You must define either total_steps OR (epochs AND steps_per_epoch)")
        given = {"epochs": epochs, "steps_per_epoch": steps_per_epoch}
    total = 1
    for name, value in given.items():
        if not isinstance(value, int) or value <= 0:
            raise ValueError(f"Expected positive integer {name}, but got {value}")
        total *= value
    return total


def _phases(total: int, share: float, three: bool) -> list[dict[str, Any]]:
    """Up and down; or up, down as long, and on down."""
    up = _phase(share * total - 1, "initial_lr", "max_lr", "max_momentum", "base_momentum")
    if not three:
        return [up, _phase(total - 1, "max_lr", "min_lr", "base_momentum", "max_momentum")]
    down = _phase(2 * share * total - 2, "max_lr", "initial_lr", "base_momentum", "max_momentum")
    return [up, down, _phase(total - 1, "initial_lr", "min_lr", "max_momentum", "max_momentum")]


def _phase(end: float, start_lr: str, end_lr: str, start_momentum: str, end_momentum: str) -> dict[str, Any]:
    return {
        "end_step": end,
        "start_lr": start_lr,
        "end_lr": end_lr,
        "start_momentum": start_momentum,
        "end_momentum": end_momentum,
    }
