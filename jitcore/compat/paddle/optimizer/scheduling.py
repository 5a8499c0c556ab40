"""The base of Paddle's schedules: the rate at each epoch, which the optimizer that it is given to reads."""

from __future__ import annotations

import warnings
from collections.abc import Mapping
from typing import Any, ClassVar, cast


def require(condition: bool, words: str, kind: type[Exception] = ValueError) -> None:
    """Raise an exception for an argument that cannot be."""
    if not condition:
        raise kind(words)


def require_number(value: object, name: str) -> None:
    """Raise TypeError for what is no number, ValueError for a negative one."""
    if not isinstance(value, float | int):
        raise TypeError(f"{name!r} must be 'float' or 'int', but received {type(value)}")
    require(value >= 0, f"Invalid {name}: {value}; it must not be negative")


class LRScheduler:
    """The base of schedules, as Paddle documents it: subclasses define `get_lr`, which gives the rate at `last_epoch`.

    >>> class Halved(LRScheduler):
    ...     def get_lr(self):
    ...         return self.base_lr / 2**self.last_epoch
    >>> rate = Halved(0.8)
    >>> rate.step()
    >>> rate()
    0.4
    """

    base_lr: float
    last_lr: float
    last_epoch: int
    verbose: bool
    _kept: ClassVar[tuple[str, ...]] = ("last_epoch", "last_lr")
    """The names of what `state_dict` gives."""

    def __init__(self, learning_rate: float = 0.1, last_epoch: int = -1, verbose: bool = False) -> None:
        if not isinstance(learning_rate, float | int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"The type of learning rate must be float, but received {type(learning_rate)}")
        require(learning_rate >= 0, f"Invalid learning rate: {learning_rate}")
        self.base_lr = float(learning_rate)
        self.last_lr = float(learning_rate)
        self.last_epoch = last_epoch
        self.verbose = verbose
        self.step()

    def __call__(self) -> float:
        return self.last_lr

    def get_lr(self) -> float:
        """The rate at `last_epoch`."""
        raise NotImplementedError

    def closed_form(self) -> float:
        """The rate at `last_epoch`, whatever it was before."""
        return self.get_lr()

    def step(self, epoch: int | None = None) -> None:
        """Go on to the next epoch, or to one."""
        if epoch is None:
            self.last_epoch += 1
            self.last_lr = self.get_lr()
        else:
            self.last_epoch = epoch
            self.last_lr = self.closed_form()
        self.report()

    def report(self) -> None:
        """Print what the rate is now, if it is wanted."""
        if self.verbose:
            print(f"Epoch {self.last_epoch}: {type(self).__name__} set learning rate to {self.last_lr}.")

    # --- state ----------------------------------------------------------------------------------------

    keys: list[str]

    def state_keys(self) -> None:
        """Say, in `keys`, what `state_dict` gives; subclasses may."""
        self.keys = list(self._kept)

    def state_dict(self) -> dict[str, Any]:
        """What is needed to go on from here."""
        self.state_keys()
        held = {key: self.__dict__[key] for key in self.keys if key in self.__dict__}
        return {key: _number(value) for key, value in held.items()}

    def set_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Go on from what `state_dict` gave. Raises RuntimeError where something is not in it."""
        self.state_keys()
        for key in self.keys:
            if key not in state_dict:
                raise RuntimeError(
                    "Please check whether state_dict is correct for optimizer. Can't find "
                    f"[ {key} ] in state_dict, which has {list(state_dict)}"
                )
            setattr(self, key, state_dict[key])
        if len(state_dict) > len(self.keys):
            warnings.warn(
                "There are some unused values in state_dict. Maybe the optimizer have different 'LearningRateDecay' "
                "when invoking state_dict and set_dict",
                stacklevel=2,
            )

    set_dict = set_state_dict


def _number(value: object) -> Any:
    """A value, or the number in a Tensor or array of one element."""
    return float(cast("Any", value)) if hasattr(value, "shape") else value
