"""Guards as steps of native calls: tables that machine code compares with what is in memory."""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from typing import Any, Final

from jitcore.passes.infer.domain.signature import ABSENT
from jitcore.runtime.guards import CONTENTS, ClassState, Guards
from jitcore.signature import records as r
from jitcore.signature.steps import Step
from jitcore.signature.struct_layout import (
    CELL_CONTENTS,
    FUNCTION_FIELDS,
    OB_TYPE,
    TYPE_VERSION,
    keys_are_numbered,
    learn_keys,
    slot_offset,
)

_OFFSETS: Final = {**FUNCTION_FIELDS, CONTENTS: CELL_CONTENTS, "__class__": OB_TYPE}
_UNKNOWN: Final = -1
"""A number that nothing has."""


def guard_steps(guards: Guards) -> Iterator[Step]:
    """The steps that check what is assumed of known objects. None of them runs code of the user's."""
    if guards.fields:
        words = [w for holder, name, value in guards.fields for w in (_field_of(holder, name), _address(value))]
        yield Step(r.FIELDS, table=_table(words), count=len(guards.fields), kept=guards.fields)
    if guards.classes:
        table = _table([w for state in guards.classes for w in (id(state.cls) + TYPE_VERSION, _UNKNOWN)])
        check = _class_check(guards.classes, table)
        check(check)
        yield Step(r.CLASSES, object=check, table=table, count=len(guards.classes))
    by_dict: dict[int, dict[str, tuple[dict[str, Any], Any]]] = {}
    for names, name, expected in guards.entries:
        by_dict.setdefault(id(names), {})[name] = (names, expected)
    for entries in by_dict.values():
        names = next(iter(entries.values()))[0]
        yield _entries_step(names, {name: expected for name, (_, expected) in entries.items()})


def _field_of(holder: object, name: str) -> int:
    """The address of the word that holds an object's field."""
    offset = _OFFSETS.get(name)
    offset = slot_offset(type(holder), name) if offset is None else offset
    assert offset is not None
    return id(holder) + offset


def _table(words: list[int]) -> ctypes.Array[ctypes.c_int64]:
    return (ctypes.c_int64 * len(words))(*words)


def _address(value: Any) -> int:
    return 0 if value is None or value is ABSENT else id(value)


def _class_check(states: list[ClassState], table: ctypes.Array[ctypes.c_int64]) -> Callable[[Any], bool]:
    def check(_: Any) -> bool:
        """Whether classes are as they were though their numbers are not, which are those that count from here on."""
        if not all(state.holds() for state in states):
            return False
        table[1::2] = [state.version or _UNKNOWN for state in states]
        return True

    return check


def _entries_step(names: dict[str, Any], entries: dict[str, Any]) -> Step:
    held = {name: name for name in names if name in entries}
    keys = [held.get(name, name) for name in entries]
    words = [_UNKNOWN]
    for key, expected in zip(keys, entries.values(), strict=True):
        words += (id(key), 0 if expected is ABSENT else id(expected), 0)
    table = _table(words)

    def learn(_: Any) -> None:
        """Go by the keys that the dict has now."""
        found = learn_keys(names) if keys_are_numbered() else None
        table[r.ENTRIES_VERSION] = _UNKNOWN
        if found is not None and all(
            (name in found.offsets) is (value is not ABSENT) for name, value in entries.items()
        ):
            for k, name in enumerate(entries):
                table[r.ENTRIES_FIRST + k * r.NAME_WORDS + r.ENTRY_OFFSET] = found.offsets.get(name, 0)
            table[r.ENTRIES_VERSION] = found.version

    learn(None)
    kept = (names, keys, list(entries.values()), learn)
    return Step(r.ENTRIES, object=names, table=table, count=len(entries), cls=learn, kept=kept)
