"""What abstract containers, cells and attributes hold: the part of the abstract state that changes in place.

Contents are replaced, never mutated, so that a snapshot is a shallow copy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Any, TypeAlias

from jitcore.passes.infer.values import Buffer, Cell, Path, Reference, SetItems, Value
from jitcore.source import CompileError

HeapKey: TypeAlias = "int | tuple[str, int, str]"
"""A container's or cell's number, or ('attr', id of the object, name)."""


class Heap:
    """Contents by key: a tuple of values for lists and sets, a dict of values for dicts, a value for cells and attributes."""

    def __init__(self, refuse: Callable[[str], CompileError]) -> None:
        self.refuse = refuse
        """Makes the error for what the compiler does not do at the current place."""
        self.state: dict[HeapKey, Any] = {}
        self.next_key = 0
        self._captured: dict[HeapKey, Any] = {}
        """What containers from outside hold: there on every path, though only one was seen to read it so far."""
        self._recorders: list[tuple[int, dict[HeapKey, Any]]] = []
        self._frozen: set[HeapKey] = set()
        self._freezes = False

    @contextmanager
    def recording(self) -> Generator[dict[HeapKey, Any]]:
        """Note what is read meanwhile of what is there already, with what it holds."""
        read: dict[HeapKey, Any] = {}
        self._recorders.append((self.next_key, read))
        try:
            yield read
        finally:
            self._recorders.pop()

    def get(self, key: HeapKey) -> Any:
        """What the container, cell or attribute holds; None if nothing was stored."""
        found = self.state.get(key)
        for last, read in self._recorders:
            if not isinstance(key, int) or key <= last:
                read.setdefault(key, found)
        return found

    @contextmanager
    def freezing(self) -> Generator[None]:
        """What is made meanwhile are copies of containers that something else may hold, too: they are read, never changed."""
        before, self._freezes = self._freezes, True
        try:
            yield
        finally:
            self._freezes = before

    def freeze(self, made: Value) -> Value:
        """Note that a container is such a copy; gives it."""
        if isinstance(made, Reference):
            self._frozen.add(made.key)
        return made

    def is_frozen(self, value: Value) -> bool:
        """Whether a container is a copy of one that something else may hold, too."""
        return isinstance(value, Reference) and value.key in self._frozen

    def new(self, kind: type, contents: Any, path: Path | None = None) -> Reference:
        """A new list, set or dict."""
        key = self._key(SetItems(contents) if kind is set else contents)
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
        if self._freezes:
            self._frozen.add(self.next_key)
        return self.next_key

    def contents(self, key: HeapKey) -> Any:
        """What the container, cell or attribute holds."""
        found = self.get(key)
        if key not in self.state:
            raise self.refuse("a method of a list, dict or set that is another one on some paths only")
        return found

    def items(self, reference: Reference) -> tuple[Value, ...]:
        """The items of a list or set (of a dict: nothing; ask `entries`)."""
        contents = self.contents(reference.key)
        if isinstance(contents, Buffer):
            raise self.refuse("this use of a list whose length is known only at run time")
        assert isinstance(contents, tuple)
        return contents

    def buffer(self, value: Value) -> Buffer | None:
        """What a list holds if its length is known only at run time; None for any other value."""
        contents = self.get(value.key) if isinstance(value, Reference) else None
        return contents if isinstance(contents, Buffer) else None

    def entries(self, reference: Reference) -> dict[Hashable, Value]:
        """The entries of a dict; not to be changed in place."""
        contents = self.contents(reference.key)
        assert isinstance(contents, dict)
        return contents

    def store(self, key: HeapKey, contents: Any) -> None:
        """Replace what is held."""
        if key in self._frozen:
            raise self.refuse(
                "changing a list, dict or set that is another one, or has another name, on some paths only"
            )
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
