"""How Paddle says where channels are, and how far a window reaches beyond an image."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias, cast

from jitcore import ops
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.runtime.tensor import Tensor

Extents: TypeAlias = int | Sequence[int]
Borders: TypeAlias = str | int | Sequence[int] | Sequence[Sequence[int]]

_FORMATS: Final = {1: ("NCL", "NLC"), 2: ("NCHW", "NHWC"), 3: ("NCDHW", "NDHWC")}


def is_channel_last(data_format: str, rank: int) -> bool:
    """Whether channels are the last axis. Raises ValueError for a format that there is not."""
    formats = _FORMATS[rank]
    if data_format not in formats:
        raise ValueError(
            f"Attr(data_format) should be {formats[0]!r} or {formats[1]!r}. Received Attr(data_format): {data_format}."
        )
    return data_format == formats[1]


def channels_first(x: Tensor, last: bool) -> Any:
    """An image with its channels before its extents."""
    return ops.moveaxis(x, -1, 1) if last else x


def channels_last(x: object, last: bool) -> Any:
    """What came of `channels_first`, as it was."""
    return ops.moveaxis(x, 1, -1) if last else x


def each(given: Extents, rank: int, what: str) -> tuple[int, ...]:
    """An int for each of the last axes."""
    known = tuple(values.static_ints(given, what))
    known = known * rank if len(known) == 1 else known
    if len(known) != rank:
        raise ValueError(f"The {what}'s type must be list or tuple of {rank} ints, or an int. Received: {given}")
    return known


def borders(padding: Borders, rank: int, last: bool, ceil: bool = False) -> tuple[str, tuple[int, ...]]:
    """(The library's mode, before and after each of the last axes) of Paddle's padding: SAME, VALID, an int, one or two
    for each axis, or a pair for every axis. Raises ValueError for others."""
    given: Any = evaluator().static(padding, "padding")
    none = (0,) * (2 * rank)
    if isinstance(given, str):
        kind = given.upper()
        if kind not in ("SAME", "VALID"):
            raise ValueError(f"Unknown padding: '{given}'. It can only be 'SAME' or 'VALID'.")
        if kind == "VALID" and ceil:
            raise ValueError('When Attr(padding) is "VALID", Attr(ceil_mode) must be False. Received ceil_mode: True.')
        return kind.lower(), none
    found = _listed(given, rank, last)
    if min(found) < 0:
        raise ValueError(f"Invalid padding, all value should be larger than or equal to 0, but received: {list(found)}")
    return "pad", found


def _listed(given: object, rank: int, last: bool) -> tuple[int, ...]:
    if not isinstance(given, list | tuple):
        return (values.static_int(given, "padding"),) * (2 * rank)
    items = cast("Sequence[Any]", given)
    if len(items) == rank + 2 and isinstance(items[0], list | tuple):
        pairs = [tuple(values.static_int(n, "padding") for n in pair) for pair in items]
        outer, inner = (pairs[0], pairs[-1]), pairs[1:-1]
        if not last:
            outer, inner = (pairs[0], pairs[1]), pairs[2:]
        if any(n for pair in outer for n in pair):
            raise ValueError(f"Non-zero padding({given}) in the batch or channel dimensions is not supported.")
        return tuple(n for pair in inner for n in pair)
    known = [values.static_int(n, "padding") for n in items]
    if len(known) == 2 * rank:
        return tuple(known)
    if len(known) not in (rank, 1):
        raise ValueError(f"Invalid padding: {given}")
    return tuple(n for n in (known * rank if len(known) == 1 else known) for _ in range(2))
