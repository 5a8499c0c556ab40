"""ReduceLROnPlateau: rates that fall when something has not become better for a while."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any, SupportsFloat

from jitcore.compat.torch.optim.optimizer import Optimizer
from jitcore.compat.torch.optim.rates import LRScheduler, each, require_optimizer, write
from jitcore.library.core import marking


class ReduceLROnPlateau(LRScheduler):
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
        min_lr: float | Sequence[float] = 0,
        eps: float = 1e-8,
    ) -> None:
        if factor >= 1.0:
            raise ValueError("Factor should be < 1.0.")
        require_optimizer(optimizer)
        self.factor = factor
        self.optimizer = optimizer
        self.default_min_lr = None if isinstance(min_lr, list | tuple) else min_lr
        self.min_lrs: list[Any] = each(optimizer, min_lr, "expected {want} min_lrs, got {have}")
        self.patience = patience
        self.cooldown = cooldown
        self.eps = eps
        self.last_epoch = 0
        self._last_lr = self._rates()
        if mode not in ("min", "max"):
            raise ValueError(f"mode {mode} is unknown!")
        if threshold_mode not in ("rel", "abs"):
            raise ValueError(f"threshold mode {threshold_mode} is unknown!")
        self.mode = mode
        self.threshold = threshold
        self.threshold_mode = threshold_mode
        self.mode_worse = math.inf if mode == "min" else -math.inf
        self._reset()

    def _reset(self) -> None:
        self.best = self.mode_worse
        self.cooldown_counter = 0
        self.num_bad_epochs = 0

    @marking.between
    def step(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, metrics: SupportsFloat, epoch: int | None = None
    ) -> None:
        """Take note of how good an epoch was."""
        current = float(metrics)
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        if self._is_better(current, self.best):
            self.best = current
            self.num_bad_epochs = 0
        else:
            self.num_bad_epochs += 1
        if self.in_cooldown:
            self.cooldown_counter -= 1
            self.num_bad_epochs = 0
        if self.num_bad_epochs > self.patience:
            self._reduce()
            self.cooldown_counter = self.cooldown
            self.num_bad_epochs = 0
        self._last_lr = self._rates()

    def _reduce(self) -> None:
        groups = self.optimizer.param_groups
        if len(groups) != len(self.min_lrs):
            if self.default_min_lr is None:
                raise RuntimeError(
                    f"The number of param groups in the `optimizer` ({len(groups)}) differs from when "
                    f"`ReduceLROnPlateau` was initialized ({len(self.min_lrs)}), usually due to a new param group "
                    "being added to the optimizer. Please modify the `min_lrs` field to match the length of the "
                    "`optimizer` "
                    "param groups."
                )
            self.min_lrs = [self.default_min_lr] * len(groups)
        for group, least in zip(groups, self.min_lrs, strict=True):
            old = float(group["lr"])
            new = max(old * self.factor, least)
            if old - new > self.eps:
                write(group, "lr", new)

    @property
    def in_cooldown(self) -> bool:
        """Whether it waits after the rates were changed."""
        return self.cooldown_counter > 0

    def _is_better(self, a: float, best: float) -> bool:
        sign = -1.0 if self.mode == "min" else 1.0
        limit = best * (1.0 + sign * self.threshold) if self.threshold_mode == "rel" else best + sign * self.threshold
        return a < limit if self.mode == "min" else a > limit

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        super().load_state_dict(state_dict)
        self.mode_worse = math.inf if self.mode == "min" else -math.inf
