"""What abstract containers, cells and attributes hold: the part of the abstract state that changes in place.

Contents are replaced, never mutated, so that a snapshot is a shallow copy.
"""

from __future__ import annotations

from collections.abc import Callable, Generator, Hashable
from contextlib import contextmanager
from typing import Any, TypeAlias

from jitcore.library.core.mutable import DynamicList, plain_class
from jitcore.passes.infer.domain.assumptions import Assumptions
from jitcore.passes.infer.domain.values import (
    Buffer,
    Cell,
    Fields,
    Instance,
    Maybe,
    Moved,
    Path,
    PooledItems,
    PoolRow,
    Reference,
    Restart,
    Row,
    SetItems,
    Value,
)
from jitcore.source import CompileError

HeapKey: TypeAlias = "int | tuple[str, int, str]"
"""A container's or cell's number, or ('attr', id of the object, name)."""


class Heap:
    """Contents by key: a tuple of values for lists and sets, a dict of values for dicts, `Fields` for objects, a value
    for cells and attributes."""

    def __init__(self, refuse: Callable[[str], CompileError], assumptions: Assumptions) -> None:
        self.assumptions = assumptions
        self.refuse = refuse
        """Makes the error for what the compiler does not do at the current place."""
        self.state: dict[HeapKey, Any] = {}
        self.next_key = 0
        self.outside: dict[int, Reference] = {}
        """The lists and dicts of the code outside."""
        self.changing: Callable[[int], None] = lambda key: None
        """Called before one of them gets other contents."""
        self._argument_classes: dict[int, type] = {}
        self.arguments: dict[int, Path] = {}
        """The objects of users' classes that are arguments, told by what they hold, and where they are."""
        self._logs: dict[int, Path] = {}
        """Those whose contents are what is added to them (see `engine.outside`)."""
        self._adding = False
        self._captured: dict[HeapKey, Any] = {}
        """What containers from outside hold: there on every path, though only one was seen to read it so far."""
        self._recorders: list[tuple[int, dict[HeapKey, Any]]] = []
        self._frozen: set[HeapKey] = set()
        self.marked: set[int] = set()
        """The lists and dicts marked as variable (`engine.marking`)."""
        self.dynamic: set[int] = set()
        """Of these, the lists whose length is variable, too."""
        self.with_rows: set[int] = set()
        """The lists with objects that are in their rows (`engine.rows`)."""
        self.resized: set[int] = set()
        """The lists of run-time length in which positions change."""
        self.row_was_written = self.given_was_read = False
        """Whether attributes of such objects are changed; whether one is read that became an item of such a list, by
        another name."""
        self._given: set[HeapKey] = set()
        self._giving = False
        self.read_row: Callable[[Row], Fields]
        """Reads the attributes of an object that is in a row."""
        self.view_pooled: Callable[[PoolRow], Buffer]
        """Gives what a list in a pool holds."""
        self.change_pooled: Callable[[PoolRow, Any], None]
        """Gives a list in a pool other contents."""
        self.made: Callable[[int], None] = lambda key: None
        """Called with the key of everything that is made."""
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
        if key in self._logs and not self._adding:
            self.assumptions.read.add(self._logs[key])
            raise Restart
        found = self.state.get(key)
        for last, read in self._recorders:
            if not isinstance(key, int) or key <= last:
                read.setdefault(key, found)
        return found

    @contextmanager
    def freezing(self) -> Generator[None]:
        """What is made meanwhile are copies of containers that something else may hold, too: they are read, never
        changed."""
        before, self._freezes = self._freezes, True
        try:
            yield
        finally:
            self._freezes = before

    def freeze(self, made: Value) -> Value:
        """Note that a container is such a copy; gives it."""
        if isinstance(made, Reference | Instance):
            self._frozen.add(made.key)
        return made

    def is_frozen(self, value: Value) -> bool:
        """Whether a container is a copy of one that something else may hold, too."""
        return isinstance(value, Reference | Instance) and value.key in self._frozen

    def new(self, kind: type, contents: Any, path: Path | None = None) -> Reference:
        """A new list, set or dict."""
        key = self._key(SetItems(contents) if kind is set else contents)
        return Reference(key, kind, path)

    def new_captured(self, kind: type, contents: Any, path: Path) -> Reference:
        """A list, set or dict of the code outside, of that class."""
        plain = plain_class(kind)
        made = self.new(plain, contents, path)
        if plain is not kind:
            self.marked.add(made.key)
            if issubclass(kind, DynamicList):
                self.dynamic.add(made.key)
        self._captured[made.key] = contents
        self.outside[made.key] = made
        return made

    def new_log(self, path: Path) -> Reference:
        """A list of the code outside that is only added to."""
        made = self.new_captured(list, (), path)
        self._logs[made.key] = path
        return made

    def is_log(self, key: int) -> bool:
        """Whether the contents of a list are what is added to it."""
        return key in self._logs

    @contextmanager
    def adding(self) -> Generator[None]:
        """Something is added to a list, meanwhile."""
        before, self._adding = self._adding, True
        try:
            yield
        finally:
            self._adding = before

    def captured_contents(self, key: int) -> Any:
        """What a list, set or dict of the code outside held at first."""
        return self._captured.get(key)

    def new_instance(self, cls: type, fields: Fields) -> Instance:
        """A new object of a user's class."""
        return Instance(self._key(fields), cls)

    def new_cell(self, value: Value) -> Cell:
        """A new cell holding `value`."""
        return Cell(self._key(value))

    def _key(self, contents: Any) -> int:
        self.next_key += 1
        self.state[self.next_key] = _whole(contents)
        self.made(self.next_key)
        if self._freezes:
            self._frozen.add(self.next_key)
        return self.next_key

    def contents(self, key: HeapKey) -> Any:
        """What the container, cell or attribute holds."""
        found = self._unmoved(self.get(key))
        if key not in self.state:
            raise self.refuse("a method of a list, dict or set that is another one on some paths only")
        return self.view_pooled(found) if isinstance(found, PoolRow) else found

    def _unmoved(self, found: Any) -> Any:
        if isinstance(found, Moved):  # it has another name, after all
            self.assumptions.kept.add(found.place)
            raise Restart
        return found

    def pooled(self, value: Value) -> PoolRow | None:
        """The place in a pool of a list that is in one; None for any other value."""
        contents = self._unmoved(self.get(value.key)) if isinstance(value, Reference) else None
        return contents if isinstance(contents, PoolRow) else None

    def new_pooled(self, row: PoolRow) -> Reference:
        """A list that is in a pool."""
        self.next_key += 1
        self.state[self.next_key] = row
        return Reference(self.next_key, list)

    def items(self, reference: Reference) -> tuple[Value, ...]:
        """The items of a list or set (of a dict: nothing; ask `entries`)."""
        contents = self.contents(reference.key)
        if isinstance(contents, Buffer):
            raise self.refuse("this use of a list whose length is known only at run time")
        self._require_there(contents)
        assert isinstance(contents, tuple)
        return contents

    def _require_there(self, contents: object) -> None:
        if isinstance(contents, Maybe):  # it was made in a loop, or a branch, and another thing holds it
            raise self.refuse("a list, dict, set or object that was made on some paths only, and is reached on others")

    def buffer(self, value: Value) -> Buffer | None:
        """What a list holds if its length is known only at run time; None for any other value."""
        contents = self._unmoved(self.get(value.key)) if isinstance(value, Reference) else None
        if isinstance(contents, PoolRow):
            return self.view_pooled(contents)
        return contents if isinstance(contents, Buffer) else None

    def entries(self, reference: Reference) -> dict[Hashable, Value]:
        """The entries of a dict; not to be changed in place."""
        contents = self.contents(reference.key)
        self._require_there(contents)
        assert isinstance(contents, dict)
        return contents

    def fields(self, instance: Instance) -> Fields:
        """The attributes of an object made here; not to be changed in place."""
        contents = self.contents(instance.key)
        if isinstance(contents, Row):
            return self.read_row(contents)
        if instance.key in self._given and not self._giving:
            self.given_was_read = True
            if self.row_was_written:
                self.assumptions.kept.add("rows")
                raise Restart
        self._require_there(contents)
        assert isinstance(contents, Fields)
        return contents

    def row(self, instance: Instance) -> Row | None:
        """The row that an object is in; None if it is in none."""
        contents = self.contents(instance.key)
        return contents if isinstance(contents, Row) else None

    def new_argument(self, cls: type, fields: Fields, path: Path) -> Instance:
        """An object of a user's class that is an argument."""
        made = self.new_instance(cls, fields)
        self._captured[made.key] = fields
        self.arguments[made.key] = path
        self._argument_classes[made.key] = cls
        return made

    def class_of_argument(self, key: int) -> type:
        """The class of an object that is an argument."""
        return self._argument_classes[key]

    def new_row(self, row: Row) -> Instance:
        """The object that is in a row."""
        self.next_key += 1
        self.state[self.next_key] = row
        return Instance(self.next_key, row.cls)

    @contextmanager
    def giving(self) -> Generator[None]:
        """What is read meanwhile becomes the item of a list."""
        before, self._giving = self._giving, True
        try:
            yield
        finally:
            self._giving = before

    def give(self, value: Value) -> None:
        """Note that a container or object has become the item of a list of run-time length: it is read there, and here,
        but changed no more."""
        self.freeze(value)
        if isinstance(value, Instance):
            self._given.add(value.key)

    def store(self, key: HeapKey, contents: Any) -> None:
        """Replace what is held."""
        if key in self.outside or key in self.arguments:
            self.changing(key)  # type: ignore[arg-type]
        if key in self._frozen:
            self._use_pools(self.state.get(key))
            raise self.refuse(
                "changing a list, dict, set or object that is another one, or has another name, on some paths only"
            )
        before = self.state.get(key)
        if isinstance(before, PoolRow) and not isinstance(contents, PoolRow):
            self.change_pooled(before, contents)
        else:
            self.state[key] = _whole(contents)

    def _use_pools(self, held: Any) -> None:
        """Start anew with lists that keep their identity as items of others (`python.pools`), if that has not been
        done."""
        if isinstance(held, tuple | Buffer) and not isinstance(held, SetItems):
            self.assumptions.begin_pools()

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


def _whole(contents: Any) -> Any:
    """What a list that is in no pool is to hold."""
    if isinstance(contents, PooledItems):
        return Buffer(contents.length, contents.element, contents.columns)
    return contents
