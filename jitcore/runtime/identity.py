"""An object as a part of a key."""

from __future__ import annotations

from typing import Any

from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class Identity:
    """An object as a key: the same object only."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)
