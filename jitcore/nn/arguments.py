"""Checks of what layers are made with."""

from __future__ import annotations

from typing import Any, cast


def positive(value: Any, name: str, cell: str) -> int:
    """A positive int. Raises TypeError or ValueError naming the argument."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise TypeError(f"{name} of {cell} must be an int, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} of {cell} must be positive, but is {value}")
    return int(value)


def pair(value: Any, name: str, cell: str) -> tuple[int, int]:
    """Two positive ints, given as an int or two."""
    if isinstance(value, tuple | list):
        items = cast("list[Any]", value)
        if len(items) != 2:
            raise ValueError(f"{name} of {cell} must be an int or two, not {value!r}")
        return positive(items[0], name, cell), positive(items[1], name, cell)
    size = positive(value, name, cell)
    return size, size


def triple(value: Any, name: str, cell: str) -> tuple[int, int, int]:
    """Three positive ints, given as an int or three."""
    if isinstance(value, tuple | list):
        items = cast("list[Any]", value)
        if len(items) == 1:
            items = list(items) * 3
        if len(items) != 3:
            raise ValueError(f"{name} of {cell} must be an int or three, not {value!r}")
        return positive(items[0], name, cell), positive(items[1], name, cell), positive(items[2], name, cell)
    size = positive(value, name, cell)
    return size, size, size


def single(value: Any, name: str, cell: str) -> int:
    """A positive int, perhaps in a tuple."""
    if isinstance(value, tuple | list):
        items = cast("list[Any]", value)
        if len(items) != 1:
            raise ValueError(f"{name} of {cell} must be an int, not {value!r}")
        return positive(items[0], name, cell)
    return positive(value, name, cell)


def probability(value: Any, name: str, cell: str) -> float:
    """A number in [0, 1)."""
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} of {cell} must be a number, not {type(value).__name__}")
    if not 0 <= value < 1:
        raise ValueError(f"{name} of {cell} is a probability in [0, 1), not {value}")
    return float(value)


def pad_mode(mode: Any, padding: Any, cell: str) -> str:
    """'same', 'valid' or 'pad'. Raises ValueError for another mode, or padding given to a mode that has none."""
    if not isinstance(mode, str):
        raise TypeError(f"pad_mode of {cell} must be a string, not {type(mode).__name__}")
    found = mode.lower()
    if found not in ("same", "valid", "pad"):
        raise ValueError(f"pad_mode of {cell} is 'same', 'valid' or 'pad', not {mode!r}")
    given = cast("tuple[Any, ...]", padding) if isinstance(padding, tuple | list) else (padding,)
    if found != "pad" and any(given):
        raise ValueError(f"padding={padding!r} of {cell} needs pad_mode='pad', not {mode!r}")
    if any(isinstance(n, int) and n < 0 for n in given):
        raise ValueError(f"padding of {cell} must not be negative, but is {padding!r}")
    return found


def data_format(given: Any, cell: str, only: str = "NCHW") -> None:
    """Channels come first. Raises ValueError otherwise."""
    if given != only:
        raise ValueError(f"data_format of {cell} is {only!r}, not {given!r}")
