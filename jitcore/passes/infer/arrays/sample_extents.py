"""Numbers in place of extents that are not known, or are large, for the samples that NumPy is asked with
(`arrays.agreement`).

What NumPy does with all of them, it does whatever the extents are: 0, 1 and small numbers are among them, all extents
equal and all different, and the numbers that the call itself has.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Final

from jitcore.structs import dataclass
from jitcore.types import Dim, DimExpr, evaluate_dim

LARGEST_KEPT: Final = 8
"""Of the extents of arrays of too many elements: those above have other numbers in their place."""
_EQUAL: Final = (4, 0, 1, 2, 3, 5, 6, 8)
_DIFFERENT: Final = (5, 7, 3, 9, 2, 11)
_MOST_KNOWN: Final = 16


@dataclass(frozen=True, slots=True)
class Extents:
    """Numbers for symbols and for large extents."""

    symbols: Mapping[str, int]
    large: Mapping[int, int]

    def shape(self, shape: Sequence[Dim]) -> tuple[int, ...]:
        """The extents of a sample. Negative ones (`n - 1` of none) are 0."""
        return tuple(max(0, self._extent(n)) for n in shape)

    def _extent(self, n: Dim) -> int:
        return evaluate_dim(n, self.symbols) if isinstance(n, DimExpr) else self.large.get(n, n)

    @property
    def are_known(self) -> bool:
        """Whether nothing has another number in its place."""
        return not self.symbols and not self.large


def choices(shapes: Sequence[Sequence[Dim]], most: int) -> Iterator[Extents]:
    """What the extents of arrays of `shapes` may be: those they have, if all are known and they have no more than
    `most` elements."""
    extents = list(itertools.chain.from_iterable(shapes))
    symbols = sorted(set[str]().union(*(n.symbols for n in extents if isinstance(n, DimExpr))))
    known = sorted({n for n in extents if isinstance(n, int)})
    elements = sum(math.prod(n for n in shape if isinstance(n, int)) for shape in shapes)
    large = [n for n in known if n > LARGEST_KEPT] if elements > most else []
    count = len(symbols) + len(large)

    def made(numbers: Iterable[int]) -> Extents:
        given = list(itertools.islice(numbers, count))
        return Extents(dict(zip(symbols, given, strict=False)), dict(zip(large, given[len(symbols) :], strict=True)))

    if not count:
        yield made(())
        return
    equal: Callable[[int], Extents] = lambda n: made(itertools.repeat(n))  # noqa: E731  short for what follows
    yield equal(_EQUAL[0])
    yield made(itertools.cycle(_DIFFERENT))
    yield made(itertools.cycle(reversed(_DIFFERENT)))
    yield from map(equal, dict.fromkeys((*_EQUAL[1:], *(n for n in known if n <= _MOST_KNOWN and n not in large))))
