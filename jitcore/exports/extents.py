"""What is known of extents at a place of a program, for `guarding`.

A symbol of a program's types may stand for one extent here and for another there (`widen` names those that control flow
carries anew). So every extent that is met gets a symbol of its own, which always means the same; an `Extents` knows
what the program's symbols mean at a place, which extents are equal there, and how the program can say an extent.

    x: f64[n]; check_extents(a=n, b=m)       n means d1, m means d2; d1 and d2 are equal from here on
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from jitcore.ir.analysis import is_bare
from jitcore.ir.rewrite import rename_dims
from jitcore.types import Dim, DimExpr, Type, fresh_symbol, map_dims, substitute_dims, symbol


class Extents:
    """What is known of extents at a place."""

    def __init__(self, meanings: Mapping[str, Dim], stand_ins: Mapping[str, Dim], equal: Iterable[frozenset[Dim]]):
        self._meanings = dict(meanings)
        self._stand_ins = dict(stand_ins)
        """By an extent's own symbol: an equal one, which is written in its place."""
        self._equal = set(equal)

    def copy(self) -> Extents:
        """The same, for a nested graph."""
        return Extents(self._meanings, self._stand_ins, self._equal)

    def __contains__(self, name: str) -> bool:
        return name in self._meanings

    def introduce(self, name: str) -> Dim:
        """A new extent, which a symbol of the program means from here on."""
        made = fresh_symbol("e")
        self._meanings[name] = made
        return made

    def name(self, name: str, meaning: Dim) -> None:
        """A symbol of the program means an extent from here on."""
        self._meanings[name] = meaning

    def meant(self, value: object, more: Mapping[str, Dim] | None = None) -> Any:
        """A type or parameter of the program with the extents that it means here, where symbols mean `more`. Raises
        KeyError for those that mean nothing."""
        return self.settled(rename_dims(value, _Known({**self._meanings, **(more or {})})))

    def settled(self, value: object) -> Any:
        """A type or parameter in which equal extents are written alike."""
        return rename_dims(value, self._stand_ins) if self._stand_ins else value

    def are_equal(self, a: Dim, b: Dim) -> bool:
        a, b = self.settled(a), self.settled(b)
        return a == b or frozenset((a, b)) in self._equal

    def note(self, a: Dim, b: Dim) -> None:
        """Two extents are equal from here on."""
        a, b = self.settled(a), self.settled(b)
        if a == b:
            return
        if not _is_free(a, b):
            a, b = b, a
        if not _is_free(a, b):
            self._equal.add(frozenset((a, b)))
            return
        name = str(a)
        self._stand_ins = {k: substitute_dims(d, {name: b}) for k, d in self._stand_ins.items()}
        self._stand_ins[name] = b
        self._equal = {frozenset(map(self.settled, pair)) for pair in self._equal}

    def said(self, dim: Dim) -> Dim | None:
        """An extent as the program says it here; None if it cannot."""
        dim = self.settled(dim)
        if not isinstance(dim, DimExpr):
            return dim
        names: dict[str, Dim] = {}
        for name, meaning in self._meanings.items():
            meaning = self.settled(meaning)
            if is_bare(meaning):
                names.setdefault(str(meaning), symbol(name))
        return substitute_dims(dim, names) if dim.symbols <= names.keys() else None


def with_meanings(type_: Type, dims: Iterable[Dim]) -> Type:
    """A type with other extents, in their order."""
    given = iter(dims)
    return map_dims(type_, lambda _: next(given))


def _is_free(a: Dim, b: Dim) -> bool:
    """Whether another extent can be written in the place of a symbol."""
    return is_bare(a) and not (isinstance(b, DimExpr) and str(a) in b.symbols)


class _Known(dict[str, Dim]):
    """Symbols that mean nothing are not left as they are."""

    def get(self, key: str, default: object = None) -> Any:
        return self[key]
