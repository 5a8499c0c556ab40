"""The base of OneFlow's schedules: the rate of each group at a step, of its first rate."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias, cast

from jitcore.compat.torch.optim.optimizer import Optimizer
from jitcore.library.core import marking

Rate: TypeAlias = Callable[[int], float]

_HELD: Final = ("optimizer", "schedulers")
"""What `state_dict` leaves out, or has by itself."""


class LRScheduler:
    """The base of schedules, as OneFlow documents it: subclasses define `get_lr`. Making one takes the first step.

    With `verbose`, each step prints the rates. Raises TypeError for what is no optimizer, KeyError where one that goes
    on after `last_step` has no first rates.
    """

    optimizer: Any
    last_step: int
    verbose: bool
    base_lrs: list[float]
    _last_lr: list[float]

    def __init__(self, optimizer: Optimizer, last_step: int = -1, verbose: bool = False) -> None:
        if not isinstance(optimizer, Optimizer):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"{type(optimizer).__name__} is not an Optimizer object")
        self.optimizer = optimizer
        self.last_step = last_step
        self.verbose = verbose
        self.begin()
        self.step()

    def begin(self) -> None:
        """Take note of the first rates."""
        for k, group in enumerate(self.optimizer.param_groups):
            if self.last_step == -1:
                group.setdefault("initial_lr", group["lr"])
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{k}] when resuming an optimizer")
        self.base_lrs = [group["initial_lr"] for group in self.optimizer.param_groups]

    def get_lr(self, base_lr: float, step: int) -> float:
        """The rate at a step, of a first rate."""
        raise NotImplementedError

    def get_last_lr(self) -> list[float]:
        """The rates that were set last."""
        return self._last_lr

    @marking.between
    def step(self) -> None:
        """Go on to the next step."""
        self.last_step += 1
        self.update_lrs([self.get_lr(base, self.last_step) for base in self.base_lrs])

    def update_lrs(self, lrs: Sequence[float]) -> None:
        """Set the rates of the groups."""
        self._last_lr = []
        for k, (group, rate) in enumerate(zip(self.optimizer.param_groups, lrs, strict=False)):
            group["lr"] = rate
            self._last_lr.append(rate)
            if self.verbose:
                self.print_lr(k, rate)

    def print_lr(self, group: int, lr: float) -> None:
        """Print the rate of a group."""
        place = f"param_groups[{group}]"
        print(f"Last step {self.last_step} of {type(self)} adjusting learning rate of {place} to {lr:.5f}")

    # --- state ----------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """All of it but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key not in _HELD}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        self.__dict__.update({key: value for key, value in state_dict.items() if key not in _HELD})


class Several(LRScheduler):
    """Schedules that are saved one by one."""

    schedulers: list[Any]

    def state_dict(self) -> dict[str, Any]:
        return {**super().state_dict(), "schedulers": [one.state_dict() for one in self.schedulers]}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        super().load_state_dict(state_dict)
        for one, state in zip(self.schedulers, cast("Sequence[Any]", state_dict["schedulers"]), strict=True):
            one.load_state_dict(state)
