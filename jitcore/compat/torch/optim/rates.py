"""The base of schedules of rates: `step` writes to each group the rate that `get_lr` says."""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final, TypeAlias, TypeVar, cast

from jitcore.compat.torch.optim.optimizer import Group, Number, Optimizer, number
from jitcore.library.core import marking
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor, wrap_like

Rate: TypeAlias = Callable[[int], float]
T = TypeVar("T")

_ORDER: Final = (
    "Detected call of `lr_scheduler.step()` before `optimizer.step()`. In PyTorch 1.1.0 and later, you should call "
    "them in the opposite order: `optimizer.step()` before `lr_scheduler.step()`.  Failure to do this will result in "
    "PyTorch skipping the first value of the learning rate schedule. See more details at "
    "https://pytorch.org/docs/stable/optim.html#how-to-adjust-learning-rate"
)
_EPOCH: Final = (
    "The epoch parameter in `scheduler.step()` was not necessary and is being deprecated where possible. Please use "
    "`scheduler.step()` to step the scheduler."
)


def read(group: Group, key: str) -> Any:
    """A rate of a group, of which a Tensor is copied."""
    value = group[key]
    return wrap_like(value, value.numpy().copy()) if isinstance(value, Tensor) else value


def write(group: Group, key: str, value: Number) -> None:
    """Set a rate of a group; into the Tensor, where it is one."""
    held = group[key]
    if isinstance(held, Tensor):
        nodes.detached(held).numpy()[...] = number(value)
    else:
        group[key] = value


def each(optimizer: Optimizer, value: T | Sequence[T], words: str) -> list[T]:
    """An option for each group: given for each, or one for all."""
    count = len(optimizer.param_groups)
    if not isinstance(value, list | tuple):
        return [cast("T", value)] * count
    if len(cast("list[T]", value)) != count:
        raise ValueError(words.format(have=len(cast("list[T]", value)), want=count))
    return list(cast("list[T]", value))


def require_optimizer(optimizer: object) -> None:
    """Raise TypeError for what is none."""
    if not isinstance(optimizer, Optimizer):
        raise TypeError(f"{type(optimizer).__name__} is not an Optimizer")


class LRScheduler:
    """The base of schedules, as PyTorch documents it: subclasses define `get_lr`, which gives the groups' rates at
    `last_epoch`."""

    optimizer: Any
    base_lrs: list[Any]
    last_epoch: int
    _last_lr: list[Any]
    _get_lr_called_within_step: bool = False
    _is_initial: bool = False
    _step_count: int

    def __init__(self, optimizer: Optimizer, last_epoch: int = -1) -> None:
        require_optimizer(optimizer)
        self.optimizer = optimizer
        for k, group in enumerate(optimizer.param_groups):
            if last_epoch == -1:
                group.setdefault("initial_lr", read(group, "lr"))
            elif "initial_lr" not in group:
                raise KeyError(f"param 'initial_lr' is not specified in param_groups[{k}] when resuming an optimizer")
        self.base_lrs = [read(group, "initial_lr") for group in optimizer.param_groups]
        self.last_epoch = last_epoch
        self._initial_step()

    def _initial_step(self) -> None:
        self._step_count = 0
        self._is_initial = True
        try:
            self.step()
        finally:
            self._is_initial = False

    def _rates(self, key: str = "lr") -> list[Any]:
        return [read(group, key) for group in self.optimizer.param_groups]

    def get_last_lr(self) -> list[Any]:
        """The rates that were set last."""
        return self._last_lr

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`."""
        raise NotImplementedError

    def closed_form(self) -> list[Any]:
        """The rates at `last_epoch`, whatever they were before."""
        return self.get_lr()

    def _require_step(self) -> None:
        if not self._get_lr_called_within_step:
            words = "To get the last learning rate computed by the scheduler, please use `get_last_lr()`."
            warnings.warn(words, UserWarning, stacklevel=3)

    @marking.between
    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch, or to one."""
        if self._step_count == 1 and not self.optimizer.__dict__.get("_opt_called", False):
            warnings.warn(_ORDER, UserWarning, stacklevel=2)
        self._step_count += 1
        if epoch is not None:
            warnings.warn(_EPOCH, UserWarning, stacklevel=2)
        self._update_lr(epoch)

    def _update_lr(self, epoch: int | None = None) -> None:
        self.last_epoch = self.last_epoch + 1 if epoch is None else epoch
        self._get_lr_called_within_step = True
        try:
            self._set_rates(self.get_lr() if epoch is None else self.closed_form())
        finally:
            self._get_lr_called_within_step = False

    def _set_rates(self, rates: Iterable[Number]) -> None:
        for group, rate in zip(self.optimizer.param_groups, rates, strict=True):
            write(group, "lr", rate)
        self._last_lr = self._rates()

    # --- state ----------------------------------------------------------------------------------------

    def state_dict(self) -> dict[str, Any]:
        """All of it but the optimizer."""
        return {key: value for key, value in self.__dict__.items() if key != "optimizer"}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        self.__dict__.update(state_dict)


class WithFunctions(LRScheduler):
    """A schedule by functions of the epoch, one for each group; what they are is not saved, unless they are
    objects."""

    lr_lambdas: list[Rate]

    def __init__(self, optimizer: Optimizer, lr_lambda: Rate | Sequence[Rate], last_epoch: int = -1) -> None:
        self.lr_lambdas = each(optimizer, lr_lambda, "Expected {want} lr_lambdas, but got {have}")
        super().__init__(optimizer, last_epoch)

    def state_dict(self) -> dict[str, Any]:
        return {**super().state_dict(), "lr_lambdas": [_saved(function) for function in self.lr_lambdas]}

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        saved = dict(state_dict)
        for function, state in zip(self.lr_lambdas, saved.pop("lr_lambdas"), strict=True):
            if state is not None:
                function.__dict__.update(state)
        super().load_state_dict(saved)


def _saved(function: Rate) -> dict[str, Any] | None:
    return None if isinstance(function, FunctionType) else dict(function.__dict__)


class ByFactor(LRScheduler):
    """A schedule that multiplies the rates, whatever they are, by a factor at each epoch."""

    def by(self) -> float:
        """What the rates are multiplied by at `last_epoch`."""
        raise NotImplementedError

    def in_all(self) -> float:
        """What the first rates have been multiplied by at `last_epoch`."""
        raise NotImplementedError

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`."""
        self._require_step()
        by = self.by()
        return self._rates() if by == 1.0 else [group["lr"] * by for group in self.optimizer.param_groups]

    def closed_form(self) -> list[Any]:
        """The rates at `last_epoch`, of the first ones."""
        return [base * self.in_all() for base in self.base_lrs]
