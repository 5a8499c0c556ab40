"""What abstract containers, cells and attributes hold: the part of the abstract state that changes in place.

Contents are replaced, never mutated, so that a snapshot is a shallow copy.
"""

from __future__ import annotations

from collections.abc import Hashable
from typing import Any, TypeAlias

from jitcore.passes.infer.values import Cell, Path, Reference, Value

HeapKey: TypeAlias = "int | tuple[str, int, str]"
"""A container's or cell's number, or ('attr', id of the object, name)."""


class Heap:
    """Contents by key: a tuple of values for lists and sets, a dict of values for dicts, a value for cells and attributes."""

    def __init__(self) -> None:
        self.state: dict[HeapKey, Any] = {}
        self.next_key = 0
        self._captured: dict[HeapKey, Any] = {}
        """What containers from outside hold: there on every path, though only one was seen to read it so far."""

    def new(self, kind: type, contents: Any, path: Path | None = None) -> Reference:
        """A new list, set or dict."""
        key = self._key(contents)
        return Reference(key, kind, path)

    def new_captured(self, kind: type, contents: Any, path: Path) -> Reference:
        """A list, set or dict of the code outside, which compiled code does not change."""
        made = self.new(kind, contents, path)
        self._captured[made.key] = contents
        return made

    def new_cell(self, value: Value) -> Cell:
        """A new cell holding `value`."""
        return Cell(self._key(value))

    def _key(self, contents: Any) -> int:
        self.next_key += 1
        self.state[self.next_key] = contents
        return self.next_key

    def contents(self, key: HeapKey) -> Any:
        """What the container, cell or attribute holds."""
        return self.state[key]

    def items(self, reference: Reference) -> tuple[Value, ...]:
        """The items of a list or set (of a dict: nothing; ask `entries`)."""
        contents = self.state[reference.key]
        assert isinstance(contents, tuple)
        return contents

    def entries(self, reference: Reference) -> dict[Hashable, Value]:
        """The entries of a dict; not to be changed in place."""
        contents = self.state[reference.key]
        assert isinstance(contents, dict)
        return contents

    def store(self, key: HeapKey, contents: Any) -> None:
        """Replace what is held."""
        self.state[key] = contents

    def snapshot(self) -> dict[HeapKey, Any]:
        """The present state, to be given to `restore`."""
        return dict(self.state)

    def restore(self, state: dict[HeapKey, Any]) -> None:
        """Return to a snapshot; keys are not given out twice."""
        self.state = {**self._captured, **state}

    def changed_since(self, state: dict[HeapKey, Any]) -> list[HeapKey]:
        """The keys of the snapshot whose contents are others now, and attributes first written since."""
        changed = [k for k, c in state.items() if self.state.get(k) is not c]
        return changed + [k for k in self.state if isinstance(k, tuple) and k not in state]
