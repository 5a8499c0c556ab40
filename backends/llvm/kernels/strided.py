"""Elements at a constant distance in memory, as a vector: by vectors of what lies there, and shuffles.

Nothing is read before the first of the elements or past the last.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.ir.vectors import Code, Vec

_FARTHEST: Final = 4
"""At larger distances most of what vectors hold is something else: elements are read one by one."""


def load_strided(code: Code, first: Vec, step: int, type_: str, count: int, lanes: int) -> Vec | None:
    """`count` elements, in the first lanes of a vector; the others hold any of them. None if that is not worth it."""
    span = (count - 1) * step + 1
    if not 2 <= step <= _FARTHEST or span < lanes or lanes < 4:
        return None
    starts = [*range(0, span - lanes, lanes), span - lanes]
    places = [min(k, count - 1) * step for k in range(lanes)]
    homes = [next(n for n, start in enumerate(starts) if at < start + lanes) for at in places]
    parts = [code.load(code.offset(first, start, type_), type_, lanes) for start in starts]
    total, held = parts[0], [at if home == 0 else 0 for at, home in zip(places, homes, strict=True)]
    if len(parts) == 1:
        return code.shuffle(total, total, held)
    for number, (start, part) in enumerate(zip(starts[1:], parts[1:], strict=True), 1):
        new = [lanes + at - start for at in places]
        order = [n if home == number else h for n, h, home in zip(new, held, homes, strict=True)]
        total, held = code.shuffle(total, part, order), list(range(lanes))
    return total
