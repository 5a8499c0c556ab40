"""What `x ** y` of numbers is in MindSpore, whose compiler has C's powers: those of ints are ints, and there is
infinity where Python raises."""

from __future__ import annotations

import math
from typing import Final

from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand

_WHOLE: Final = ("bool", "int")
_LARGEST: Final = 2**63 - 1


def answer(x: Operand, y: Operand) -> Instead | None:
    """The function to call where MindSpore's power is another than Python's."""
    if not {x.kind, y.kind} <= {"bool", "int", "float"} or y.value is UNKNOWN:
        return None
    if x.kind in _WHOLE and y.kind in _WHOLE:
        if y.value < 0:
            return Instead(_whole)
        return None if x.value is UNKNOWN or _fits(x.value, y.value) else Instead(_least)
    return None if x.value is UNKNOWN else _of_floats(float(x.value), float(y.value))


def _fits(x: int, y: int) -> bool:
    """Whether a power is an int of 64 bits."""
    return abs(x) < 2 or (y < 64 and -_LARGEST - 1 <= x**y <= _LARGEST)


def _of_floats(x: float, y: float) -> Instead | None:
    if not math.isfinite(x) or not math.isfinite(y):
        return None
    is_whole = y == math.floor(y)
    if x < 0 and not is_whole:
        return Instead(_no_number)
    try:
        math.pow(x, y)
    except (OverflowError, ValueError):
        is_negative = math.copysign(1, x) < 0 and is_whole and y % 2 == 1
        return Instead(_below if is_negative else _infinite)
    return None


def _whole(x: int, y: int) -> int:
    """An int to a negative power, without what is behind the point; that of 0 is what C makes of infinity."""
    if x == 0:
        return -(2**63)
    if x == 1 or x == -1:
        return x * 1 if y % 2 else 1
    return 0


def _least(x: int, y: int) -> int:
    """What C makes of a float that is no int of 64 bits."""
    return -(2**63)


def _infinite(x: float, y: float) -> float:
    return math.inf


def _below(x: float, y: float) -> float:
    return -math.inf


def _no_number(x: float, y: float) -> float:
    return math.nan
