"""Copies of modules that calls are run with: one for all modules of the same parts, with the values of the one at hand.

    replicas = Replicas(torch)
    copy = replicas.of(module)  # `module` as it is now; the same object again for one that differs in values only

What is compiled for a module is compiled for that object, so that a new copy for each run is compiled for each run.
"""

from __future__ import annotations

import copy
from collections.abc import Iterable, Mapping
from typing import Any, Final, TypeAlias, cast

from jitcore.structs import dataclass

_STATE: Final = frozenset(["_parameters", "_buffers", "_modules"])
"""Dicts of a PyTorch module's that are looked at item by item."""
_MOST: Final = 64
"""Copies that are kept."""

Description: TypeAlias = tuple[object, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Identity:
    """An object that is the same as no other."""

    held: object

    def __eq__(self, other: object) -> bool:
        return isinstance(other, _Identity) and self.held is other.held

    def __hash__(self) -> int:
        return id(self.held)


class Replicas:
    """The copies of the modules of one package, `torch`. A module of other parts (another class, extent, mode or
    attribute) has another copy; a copy that has changed its own parts is made anew."""

    def __init__(self, torch: object) -> None:
        self._torch: Any = torch
        self._known: dict[tuple[int, Description], Any] = {}

    def of(self, module: object, place: int = 0) -> Any:
        """A copy of a module, with the values that its parameters and buffers have now. Modules at different places
        of a call have different copies."""
        description = described(module)
        known = self._known.pop((place, description), None)
        if known is None or described(known) != description:
            known = copy.deepcopy(module)
        else:
            self._give_values(module, known)
        self._known[place, description] = known
        if len(self._known) > _MOST:
            del self._known[next(iter(self._known))]
        return known

    def _give_values(self, module: object, known: object) -> None:
        with self._torch.no_grad():
            for theirs, own in zip(_tensors(module), _tensors(known), strict=True):
                own.copy_(theirs)


def _tensors(module: object) -> list[Any]:
    """The parameters and buffers of a module, each once."""
    owner = cast("Any", module)
    return [*owner.parameters(), *owner.buffers()]


def described(module: object) -> Description:
    """What a module is made of, but for the values of its parameters and buffers. Equal for a module and its copy if
    all of its attributes are Tensors and modules of its own, literals, functions, and containers of these."""
    owner = cast("Any", module)
    own = {id(part): k for k, part in enumerate([*_tensors(module), *owner.modules()])}

    def of(value: object) -> object:
        if id(value) in own:
            return ("part", own[id(value)])
        if value is None or isinstance(value, bool | int | float | str):
            return (type(value), value)
        if isinstance(value, Mapping):
            given = cast("Mapping[object, object]", value)
            return (type(given), *((of(key), of(item)) for key, item in given.items()))
        if isinstance(value, tuple | list | set):
            given = cast("Iterable[object]", value)
            return (type(given), *map(of, given))
        return _Identity(value)

    modules = [
        (name, type(part), *((key, of(value)) for key, value in vars(part).items() if key not in _STATE))
        for name, part in owner.named_modules(remove_duplicate=False)
    ]
    named = [*owner.named_parameters(remove_duplicate=False), *owner.named_buffers(remove_duplicate=False)]
    tensors = [(name, own[id(t)], type(t), str(t.dtype), tuple(t.shape), t.requires_grad) for name, t in named]
    return (*modules, *tensors)
