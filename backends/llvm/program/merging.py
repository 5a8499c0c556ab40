"""Kernels' functions that differ in a few numbers alone: one does the work of them all.

Layers of equal structure have kernels that differ in their extents: in numbers of points, strides and offsets. Where
functions are the same but for some i64 numbers, one is written that is given these numbers, and they call it. What is
computed of an element does not change.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Final

from jitcore.backends.native.ir.text import LLVMModule
from jitcore.structs import dataclass

FEWEST_LINES: Final = 40
"""Shorter functions are not worth a call."""
MOST_NUMBERS: Final = 4
"""So many may always be given: they stay in registers."""
LINES_A_NUMBER: Final = 64
"""That a function has at least which is given more numbers."""

_OPERANDS: Final = re.compile(r"(?<=\bi64 )-?\d+\b")
_OF_PHI: Final = re.compile(r"(?<=\[ )-?\d+(?=, %)")
_OF_ARITHMETIC: Final = re.compile(r"(?<=\bi64 )-?\d+\b|(?<=, )-?\d+$")
"""Also the second operand, which is written without its type."""
_ARITHMETIC: Final = re.compile(r"= (?:add|sub|mul|udiv|urem|and|or|icmp \w+)(?: nsw)? i64 ")
_NONE: Final = re.compile(r"(?!)")
_HEAD: Final = re.compile(r'(?P<before>define [^@]*@)(?P<name>"[^"]*"|[-\w.$]+)(?P<after>\((?P<params>.*)\).*)')
_HOLE: Final = "\0"

_Places = Mapping[tuple[str, ...], Sequence[int]]
"""Numbers in which functions differ, one for each function, and where they stand."""


@dataclass(frozen=True, slots=True)
class _Function:
    """A function's text, with holes for its numbers."""

    name: str
    before: str
    """What is before its name, and …"""
    after: str
    params: str
    body: str
    numbers: tuple[str, ...]


def merge(module: LLVMModule, names: Iterable[str]) -> tuple[list[str], set[str]]:
    """Merge what can be of these functions of a module: those that work, and those that only call one of them."""
    works: list[str] = []
    callers: set[str] = set()
    for members in _alike(module, names):
        places = _differing(members)
        if not _are_worth_it(members, places):
            works += [m.name for m in members]
            continue
        general = f"{members[0].name}.of.any.numbers"
        module.define(general, _general_text(general, members[0], places))
        for k, member in enumerate(members):
            module.redefine(member.name, _call_text(member, general, [numbers[k] for numbers in places]))
        works.append(general)
        callers |= {m.name for m in members}
    return works, callers


def _alike(module: LLVMModule, names: Iterable[str]) -> Iterator[Sequence[_Function]]:
    """Functions that are the same but for numbers, together; those of a length that no other has are not read."""
    lengths: dict[int, list[str]] = {}
    for name in names:
        lengths.setdefault(module.definition(name).count("\n"), []).append(name)
    for length, same in lengths.items():
        groups: dict[object, list[_Function]] = {}
        for name in same:
            text = module.definition(name)
            function = _read(name, text if length >= FEWEST_LINES and len(same) > 1 else text.partition("\n")[0])
            key = (function.before, function.after, function.body or name)
            groups.setdefault(key, []).append(function)
        yield from groups.values()


def _read(name: str, text: str) -> _Function:
    first, _, body = text.partition("\n")
    head = _HEAD.fullmatch(first)
    assert head is not None, first
    numbers: list[str] = []

    def hole(match: re.Match[str]) -> str:
        numbers.append(match[0])
        return _HOLE

    lines = [_numbers_in(line).sub(hole, line) if "i64" in line else line for line in body.split("\n")]
    return _Function(name, head["before"], head["after"], head["params"], "\n".join(lines), tuple(numbers))


def _numbers_in(line: str) -> re.Pattern[str]:
    """Where a line has numbers that a function may be given."""
    if "<i64 " in line or "splat (" in line:  # vectors of constants
        return _NONE
    if "= phi i64 " in line:
        return _OF_PHI
    return _OF_ARITHMETIC if _ARITHMETIC.search(line) else _OPERANDS


def _differing(members: Sequence[_Function]) -> _Places:
    places: dict[tuple[str, ...], list[int]] = {}
    for place, numbers in enumerate(zip(*(m.numbers for m in members), strict=True)):
        if len(set(numbers)) > 1:
            places.setdefault(numbers, []).append(place)
    return places


def _are_worth_it(members: Sequence[_Function], places: _Places) -> bool:
    lines = members[0].body.count("\n")
    return len(members) > 1 and lines >= FEWEST_LINES and len(places) <= max(MOST_NUMBERS, lines // LINES_A_NUMBER)


def _general_text(name: str, model: _Function, places: _Places) -> str:
    """The function that is given the numbers: `%n0`, `%n1` …"""
    numbers = list(model.numbers)
    for k, held in enumerate(places.values()):
        for place in held:
            numbers[place] = f"%n{k}"
    pieces = model.body.split(_HOLE)
    body = "".join(piece + number for piece, number in zip(pieces, [*numbers, ""], strict=True))
    params = ", ".join([model.params, *(f"i64 %n{k}" for k in range(len(places)))])
    after = model.after.replace(f"({model.params})", f"({params})", 1)
    return f'{model.before}"{name}"{after}\n{body}'


def _call_text(member: _Function, general: str, numbers: Sequence[str]) -> str:
    """The function as a call of the general one."""
    given = [re.sub(r"^(\S+).* (%\S+)$", r"\1 \2", param) for param in member.params.split(", ")]
    arguments = ", ".join([*given, *(f"i64 {n}" for n in numbers)])
    call = f'  call void @"{general}"({arguments})\n  ret void\n}}'
    return f'{member.before}"{member.name}"{member.after}\n{call}'
