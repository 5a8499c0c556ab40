"""The state of a Graph's optimizers and schedules, as entries of its `state_dict`.

What an optimizer keeps beside a Parameter stands under the Parameter's name and its own: `linear.weight-momentum`.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any, Final, Protocol, cast

from jitcore.runtime.tensor import Tensor

_SHORT: Final = {"momentum_buf": "momentum", "exp_avg": "m", "exp_avg_sq": "v"}
"""OneFlow's names for what is kept."""
_LONG: Final = {short: long for long, short in _SHORT.items()}
OPTIMIZER: Final = "System-Train-Optimizer_"
SCHEDULE: Final = "System-Train-LearningRateScheduler_"


class Optimizer(Protocol):
    """What a Graph needs of an optimizer."""

    param_groups: list[Any]

    def step(self) -> Any:
        """Update the Parameters."""
        ...

    def zero_grad(self, set_to_none: bool) -> None:
        """Forget the gradients."""
        ...

    def clip_grad(self) -> Any:
        """Scale the gradients of groups that have a greatest norm."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """What it keeps, by the numbers of the Parameters, and the options of its groups."""
        ...

    def load_state_dict(self, state_dict: Mapping[str, Any]) -> None:
        """Take over what `state_dict` gave."""
        ...


class Schedule(Protocol):
    """What a Graph needs of a schedule."""

    optimizer: Any

    def step(self) -> Any:
        """Go on."""
        ...

    def state_dict(self) -> dict[str, Any]:
        """Where it is."""
        ...

    def load_state_dict(self, state_dict: dict[str, Any]) -> Any:
        """Go there."""
        ...


class Scaler(Protocol):
    """What a Graph needs of a GradScaler."""

    def get_scale(self) -> float:
        """The factor."""
        ...

    def unscale_(self, optimizer: Any) -> Any:
        """Divide the gradients by it."""
        ...

    def step(self, optimizer: Any) -> Any:
        """Update the Parameters, if their gradients are finite."""
        ...

    def update(self) -> Any:
        """Change the factor."""
        ...


def parameters_of(optimizer: Optimizer) -> Iterator[Tensor]:
    """Its Parameters, as they are numbered."""
    return (p for group in optimizer.param_groups for p in group["params"])


def entries(number: int, optimizer: Optimizer, names: Mapping[int, str]) -> dict[str, Any]:
    """The state of an optimizer; `names` are those of Parameters in the Graph, by their ids."""
    made: dict[str, Any] = {}
    whole = optimizer.state_dict()
    known = dict(enumerate(_named(number, optimizer, names)))
    others: dict[Any, Any] = {}
    for key, kept in whole["state"].items():
        if not isinstance(kept, Mapping):
            others[key] = kept
            continue
        for name, value in cast("Mapping[str, Any]", kept).items():
            made[f"{known[key]}-{_SHORT.get(name, name)}"] = value.clone() if isinstance(value, Tensor) else value
    made[f"{OPTIMIZER}{number}"] = {"state": others, "param_groups": whole["param_groups"]}
    return made


def load(number: int, optimizer: Optimizer, names: Mapping[int, str], given: Mapping[str, Any]) -> None:
    """Give an optimizer the state that is among entries, if it is."""
    own = given.get(f"{OPTIMIZER}{number}")
    if own is None:
        return
    state: dict[Any, Any] = dict(own["state"])
    for k, known in enumerate(_named(number, optimizer, names)):
        for entry, value in given.items():
            parameter, _, short = entry.rpartition("-")
            if parameter == known:
                state.setdefault(k, {})[_LONG.get(short, short)] = value
    optimizer.load_state_dict({"state": state, "param_groups": own["param_groups"]})


def _named(number: int, optimizer: Optimizer, names: Mapping[int, str]) -> Iterator[str]:
    """The names of its Parameters; one that is in no module of the Graph is told by its number."""
    for k, parameter in enumerate(parameters_of(optimizer)):
        yield names.get(id(parameter), f"optimizer_{number}.{k}")
