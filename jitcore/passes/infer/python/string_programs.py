"""What strings and bytes of the run are asked, as programs that are inferred where they are called."""

# pyright: basic
# (these are compiled for the types of what they are called with)

from __future__ import annotations

from typing import Any


def equal(x: Any, y: Any) -> bool:
    """`x == y`."""
    length = len(x)
    if length != len(y):
        return False
    k = 0
    while k < length and x[k] == y[k]:
        k += 1
    return k == length


def less(x: Any, y: Any) -> bool:
    """`x < y`."""
    shorter = min(len(x), len(y))
    k = 0
    while k < shorter and x[k] == y[k]:
        k += 1
    if k < shorter:
        return x[k] < y[k]
    return len(x) < len(y)


def has_item(text: Any, item: Any) -> bool:
    """`item in text` for one character, or one byte."""
    k, length = 0, len(text)
    while k < length and text[k] != item:
        k += 1
    return k < length


def find(text: Any, part: Any, start: Any, stop: Any) -> int:
    """Where `part` begins first in `text[start:stop]`, which is within it; -1 if nowhere."""
    length = len(part)
    last = stop - length
    at = start
    while at <= last:
        k = 0
        while k < length and text[at + k] == part[k]:
            k += 1
        if k == length:
            return at
        at += 1
    return -1
