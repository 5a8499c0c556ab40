"""An object as a part of a key, or as the root of a path."""

from __future__ import annotations

from typing import Any

from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class Identity:
    """An object as a key: the same object only. As the root of a path: ('object', Identity(obj)), then steps."""

    value: Any

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Identity) and other.value is self.value

    def __hash__(self) -> int:
        return id(self.value)
