"""The operators that MindSpore gives no types of operands: how many they take, and what they say to what is no Tensor.

The table `operands.txt` holds the facts: an operator, the number of its operands with the exception for another one
(`#`: the number given), and below it operands with the exception for what is no Tensor (`@`: the type given).
"""

from __future__ import annotations

import builtins
import re
from collections.abc import Sequence
from functools import cache

from jitcore.compat.mindspore.refusals import tables
from jitcore.compat.mindspore.refusals.naming import type_text
from jitcore.passes.infer.engine.operands import Operand
from jitcore.structs import dataclass, field

_TYPED = ("tensor", "npscalar", "ndarray", "object", "union", "instance")


@dataclass(slots=True)
class _Facts:
    """How many operands an operator takes (-1: not known) with the exception for another number, and the exceptions for
    operands."""

    count: int
    miscounted: str
    types: dict[int, str] = field(default_factory=dict[int, str])


@cache
def _table() -> dict[str, _Facts]:
    table: dict[str, _Facts] = {}
    facts = _Facts(-1, "")
    for line in tables.lines("operands"):
        first, _, rest = line.strip().partition(" ")
        if line.startswith(" "):
            facts.types[int(first)] = rest
        else:
            count, _, text = rest.partition(" ")
            facts = table[first] = _Facts(int(count or -1), text)
    return table


def _made(text: str) -> BaseException:
    error, _, message = text.partition(": ")
    return getattr(builtins, error)(message)


def has(name: str) -> bool:
    """Whether the table has an operator."""
    return name in _table()


def miscounted(name: str, count: int) -> BaseException | None:
    """What MindSpore says to a number of operands that an operator does not take."""
    facts = _table()[name]
    if facts.count in (-1, count):
        return None
    return _made(facts.miscounted.replace("#", str(count)))


def refused(name: str, operands: Sequence[Operand]) -> BaseException | None:
    """What MindSpore says to operands that are no Tensors."""
    if name not in _table():
        return None
    for k, text in _table()[name].types.items():
        if k >= len(operands) or operands[k].kind in _TYPED:
            continue
        given, listed = type_text(operands[k]), re.search(r"\{(.*)\}", text)
        if listed is None or given.partition("[")[0] not in listed[1].split(", "):
            return _made(text.replace("@", given))
    return None
