"""What a specialisation assumes of the objects around it, sorted by how it is checked: it holds for a call while
nothing of that has changed.

Most guards are about places that are known objects' own: an entry of a dict (a global, a builtin, what a module
defines), a field of an object (a function's code, a variable of a closure, an object's class), or what a class defines.
Machine code checks those in a few instructions each (`runtime.native`). The rest are looked up along their paths.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from types import CellType, FunctionType, ModuleType
from typing import Any, Final

from jitcore.config import settings
from jitcore.passes.infer.domain.signature import ABSENT, Guard
from jitcore.passes.infer.domain.values import Path
from jitcore.primitives.core.definitions import Definition, forget_classes
from jitcore.signature.struct_layout import TYPE_VERSION, layout, slot_offset
from jitcore.structs import dataclass, field

_BY_VALUE: Final = (int, str, bytes, slice, range, complex, float, tuple, set, frozenset)
"""Types whose objects may be taken for each other when they are equal (`forms.equal_statics`)."""
_FUNCTION_FIELDS: Final = ("__code__", "__defaults__", "__kwdefaults__")
CONTENTS: Final = "cell_contents"


@dataclass(slots=True, eq=False)
class ClassState:
    """A class that is to be defined as it was. `version` is the number that the interpreter gave that definition, 0 if
    it has none."""

    cls: type
    definition: Definition
    version: int = 0

    def holds(self) -> bool:
        """Whether the class is as it was."""
        version = _version_of(self.cls)
        if version and version == self.version:
            return True
        if not self.definition.describes(self.cls):
            forget_classes()
            return False
        self.version = version
        return True


def _version_of(cls: type) -> int:
    """The number of a class's definition: another one after every change of the class or its bases. 0 if it has
    none."""
    if layout() is None:
        return 0
    number = ctypes.c_uint32.from_address(id(cls) + TYPE_VERSION)
    if not number.value:
        type.__getattribute__(cls, "__init__")  # looking something up numbers it
    return number.value


@dataclass(slots=True, eq=False)
class Guards:
    """Guards, sorted."""

    entries: list[tuple[dict[str, Any], str, Any]] = field(default_factory=list[tuple[dict[str, Any], str, Any]])
    """A dict, a key, and the very value; `ABSENT` if there is to be none."""
    fields: list[tuple[Any, str, Any]] = field(default_factory=list[tuple[Any, str, Any]])
    """An object, one of `_FUNCTION_FIELDS`, `CONTENTS`, `__class__` or a slot, and the very value."""
    classes: list[ClassState] = field(default_factory=list[ClassState])
    rest: list[Guard] = field(default_factory=list[Guard])
    known: dict[Path, Any] = field(default_factory=dict[Path, Any])
    """The objects that are at paths while the guards hold."""

    @staticmethod
    def of(guards: Sequence[Guard]) -> Guards:
        """Those of a program."""
        made = Guards()
        for guard in guards:
            if not isinstance(guard.expected, _BY_VALUE) or isinstance(guard.expected, bool):
                made.known[guard.path] = guard.expected
        for guard in guards:
            made._add(guard)
        return made

    def hold(self) -> bool:
        """Whether they do, but for the `rest`."""
        return (
            all(names.get(name, ABSENT) is expected for names, name, expected in self.entries)
            and all(_field(holder, name) is expected for holder, name, expected in self.fields)
            and all(state.holds() for state in self.classes)
        )

    def object_at(self, path: Path) -> Any:
        """The object at a path; `ABSENT` if a call may find another one there."""
        return path[1].value if path[0] == "object" and len(path) == 2 else self.known.get(path, ABSENT)

    def _add(self, guard: Guard) -> None:
        path, expected = guard.path, guard.expected
        if isinstance(expected, Definition):
            self.classes.append(ClassState(path[1].value, expected))
        elif path[0] == "global" and len(path) == 3 and path in self.known:
            self._add_global(path[1], path[2], expected)
        elif path[0] == "free" and len(path) == 3 and path in self.known:
            self.fields.append((cell_of(path), CONTENTS, expected))
        elif not self._is_of_known(path, expected):
            self.rest.append(guard)

    def _add_global(self, function: FunctionType, name: str, expected: Any) -> None:
        names: dict[str, Any] = function.__globals__
        if name in names:
            self.entries.append((names, name, expected))
        else:
            self.entries += ((names, name, ABSENT), (function.__builtins__, name, expected))

    def _is_of_known(self, path: Path, expected: Any) -> bool:
        """Add a guard about the last step from an object that is known, if it is such."""
        if not isinstance(path[-1], tuple) or (holder := self.object_at(path[:-1])) is ABSENT:
            return False
        kind, key = path[-1]
        if kind == "entry":
            self.entries.append((holder, key, expected))
        elif kind == "type":
            self.fields.append((holder, "__class__", expected))
        elif (kind == "attr" and isinstance(holder, FunctionType) and key in _FUNCTION_FIELDS) or (
            holder is settings and kind == "attr" and slot_offset(type(holder), key) is not None
        ):
            self.fields.append((holder, key, expected))
        elif type(holder) is ModuleType and kind == "attr" and path in self.known and vars(holder).get(key) is expected:
            self.entries.append((vars(holder), key, expected))
        elif type(holder) is ModuleType and kind == "has" and not expected and "__getattr__" not in vars(holder):
            self.entries += ((vars(holder), key, ABSENT), (vars(holder), "__getattr__", ABSENT))
        else:
            return False
        return True


def cell_of(path: Path) -> CellType:
    """The cell of a closure that a path begins with."""
    function: FunctionType = path[1]
    return (function.__closure__ or ())[function.__code__.co_freevars.index(path[2])]


def _field(holder: Any, name: str) -> Any:
    if name == "__class__":
        return type(holder)
    if name == CONTENTS:
        try:
            return holder.cell_contents
        except ValueError:  # it is empty
            return ABSENT
    return getattr(holder, name)
