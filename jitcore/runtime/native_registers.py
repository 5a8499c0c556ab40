"""Steps of a native call's entry that look things up, and the registers that hold what they found."""

# pyright: reportPrivateUsage=false
# (the steps of paths are shared by this package)

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.passes.infer.domain.signature import ABSENT
from jitcore.passes.infer.domain.values import Path, structure
from jitcore.runtime.guards import cell_of
from jitcore.runtime.list_arguments import Rows, arrays_of, arrays_of_strings, rows_of
from jitcore.runtime.native_results import NoEntryError
from jitcore.runtime.specialisation import _ROOTS, Specialisation, _item, resolve
from jitcore.signature import records as r
from jitcore.signature.steps import Step

_MOST_COMPARED: Final = 12
"""Each of so many lists, dicts and objects is compared with every other at a call."""


class Registers:
    """The steps so far. Registers are known by the paths that lead to what they hold."""

    def __init__(self, member: Specialisation, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
        self.member = member
        self.args = args
        self.keywords = keywords
        self.steps: list[Step] = []
        self._registers: dict[Path, int] = {("arg", k): n for n, k in enumerate((*range(len(args)), *keywords))}
        self._next = len(self._registers)

    def register(self, path: Path) -> int:
        """The register that holds what is at a path."""
        known = self._registers.get(path)
        if known is None:
            held = self.member.guards.object_at(path)
            known = self._looked_up(path) if held is ABSENT else self.fetch(r.CONSTANT, object=held)
            self._registers[path] = known
        return known

    def _looked_up(self, path: Path) -> int:
        """A register for what a call finds at a path."""
        if path[0] == "arg" and len(path) == _ROOTS["arg"]:
            return self._registers[path]
        return self._root(path) if len(path) == _ROOTS[path[0]] else self._walk(path)

    def _root(self, path: Path) -> int:
        match path[0]:
            case "module":
                return self.fetch(r.GLOBAL, object=sys.modules, other=path[1])
            case "global":
                names = path[1].__globals__
                if type(names) is not dict:
                    raise NoEntryError
                return self.fetch(r.GLOBAL, object=names, other=path[2], cls=path[1].__builtins__)
            case "free":
                return self.fetch(r.CELL, object=cell_of(path))
            case _:
                raise NoEntryError

    def _walk(self, path: Path) -> int:
        source = self.register(path[:-1])
        kind, key = path[-1]
        if kind == "attr":
            return self.fetch(r.ATTRIBUTE, source, object=sys.intern(key))
        if kind == "structure":
            return self.fetch(r.APPLY, source, object=structure)
        if kind == "nested":
            return self.fetch(r.APPLY, source, object=lambda now: arrays_of(now, key) or ())
        if kind == "strings":
            return self.fetch(r.APPLY, source, object=lambda now: arrays_of_strings(now, key) or ())
        if kind == "rows":
            return self.fetch(r.APPLY, source, object=lambda now: rows_of(now, key))
        container = resolve(path[:-1], self.args, self.keywords)
        if hasattr(type(container), "__jitcore_items__"):
            return self.fetch(r.APPLY, source, object=lambda now: _item(now, key))
        return self.fetch(r.ITEM, source, object=key)

    def fetch(self, op: int, source: int = 0, *, object: Any, other: Any = None, cls: Any = None) -> int:
        self.steps.append(Step(op, source, self._next, object=object, other=other, cls=cls))
        self._next += 1
        return self._next - 1

    def add(
        self,
        op: int,
        source: int,
        *,
        target: int = -1,
        object: Any = None,
        other: Any = None,
        cls: Any = None,
        count: int = 0,
    ) -> None:
        self.steps.append(Step(op, source, target, object=object, other=other, cls=cls, count=count))

    def require_different_containers(self, containers: Sequence[Path]) -> None:
        """Steps that find these lists and dicts to be different ones."""
        rows = [path for path in containers if isinstance(resolve(path, self.args, self.keywords), Rows)]
        if len(rows) > 1:
            raise NoEntryError
        for path in rows:
            self.holds(self.register(path), lambda now: len(set(map(id, now))) == len(now))
            if any(path[: len(other)] != other for other in containers):  # a list is none of its own rows
                raise NoEntryError
        self.require_different([self.register(path) for path in containers if path not in rows])

    def require_different(self, registers: Sequence[int]) -> None:
        if len(registers) > _MOST_COMPARED:
            raise NoEntryError
        for k, one in enumerate(registers):
            for other in registers[:k]:
                self.add(r.DIFFERS, one, count=other)

    def holds(self, register: int, predicate: Callable[[Any], bool]) -> None:
        """A step that asks at every call: there is no object that need not be asked about."""
        self.add(r.HOLDS, register, object=predicate, other=predicate)
