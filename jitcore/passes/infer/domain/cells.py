"""What values in boxes may be: kinds, and cells that say what the boxes made at a place may hold.

The kinds of what a cell holds only become more, and cells that meet become one; when that happens in an attempt, it is
stale: what it read of the cell before may have been too little. So a program's cells are a fixpoint over its attempts.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.passes.infer.domain.values import Value
from jitcore.program import boxes
from jitcore.program.boxes import Kind
from jitcore.source import CompileError
from jitcore.structs import dataclass, field, replace
from jitcore.types import dtype_of


@dataclass(frozen=True, slots=True)
class Plain:
    """A number, None, or a str."""

    kind: Kind


@dataclass(frozen=True, slots=True)
class TupleOf:
    """A tuple of class `cls`, with the kinds that each item may be."""

    cls: type
    items: tuple[Kinds, ...]


@dataclass(frozen=True, slots=True, eq=False)
class Factory:
    """What a defaultdict makes values with: an object, by which it is told from others, and its abstract value."""

    object: object
    value: Value

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Factory) and other.object is self.object

    def __hash__(self) -> int:
        return id(self.object)


@dataclass(frozen=True, slots=True)
class BoxOf:
    """A list, dict, set, frozenset or deque of class `cls`: the cell of what it holds. `factory`: what a defaultdict
    makes values with."""

    kind: Kind
    cls: type
    cell: int
    factory: Factory | None = None

    @property
    def family(self) -> tuple[Kind, type, Factory | None]:
        """What two have in common whose cells can become one."""
        return self.kind, self.cls, self.factory


AnyKind: TypeAlias = "Plain | TupleOf | BoxOf"
Kinds: TypeAlias = "tuple[AnyKind, ...]"
"""The kinds that a value may be, each once, in a fixed order; none: nothing was put there so far."""

NONE: Final = Plain(Kind.NONE)
BOOL: Final = Plain(Kind.BOOL)
INT: Final = Plain(Kind.INT)
FLOAT: Final = Plain(Kind.FLOAT)
STR: Final = Plain(Kind.STR)
NUMPY: Final = {dtype_of(np.dtype(cls)): Plain(kind) for cls, kind in boxes.NUMPY.items()}
"""The kinds of NumPy's numbers by their dtypes."""

_MOST_KINDS: Final = 8
_DEEPEST: Final = 6

KEYS: Final = 0
"""The part of a cell that has the keys of dicts, or the items of others."""
VALUES: Final = 1
"""The part that has the values of dicts."""


class TooManyKindsError(CompileError):
    """What a container of the run holds is of too many types, or tuples in it are too deep. It stands nowhere."""

    def __init__(self, message: str) -> None:
        super().__init__([], message)
        self.message = message


class UnlikeFactoriesError(CompileError):
    """What a container of the run holds are defaultdicts that the run does not tell apart."""


@dataclass(slots=True)
class Cells:
    """The cells of a program: numbers by place, the cell that each has become one with, and what they hold."""

    numbers: dict[Any, int] = field(default_factory=dict[Any, int])
    joined: list[int] = field(default_factory=list[int])
    held: list[list[Kinds]] = field(default_factory=list[list[Kinds]])
    growth: int = 0
    """How often a cell was found to hold more, or to be one with another."""

    def at(self, place: object) -> int:
        """The cell of what is made at a place."""
        number = self.numbers.get(place)
        if number is None:
            number = self.numbers[place] = len(self.joined)
            self.joined.append(number)
            self.held.append([(), ()])
        return self.root(number)

    def root(self, cell: int) -> int:
        """The cell that a cell has become."""
        while self.joined[cell] != cell:
            cell = self.joined[cell]
        return cell

    def kinds(self, cell: int, part: int = KEYS) -> Kinds:
        """What a cell holds."""
        return self.resolved(self.held[self.root(cell)][part])

    def add(self, cell: int, kinds: Kinds, part: int = KEYS) -> None:
        """A cell holds this, too."""
        root = self.root(cell)
        before = self.resolved(self.held[root][part])
        after = self.join(before, kinds)
        root = self.root(root)
        if after != self.resolved(self.held[root][part]):
            self.growth += 1
            self.held[root][part] = after

    def unify(self, a: int, b: int) -> int:
        """Two cells become one."""
        one, other = sorted((self.root(a), self.root(b)))
        if one == other:
            return one
        self.growth += 1
        self.joined[other] = one
        for part in (KEYS, VALUES):
            self.add(one, self.held[other][part], part)
        return self.root(one)

    def resolved(self, kinds: Kinds) -> Kinds:
        """Kinds with cells as what they have become; what has become one kind is there once."""
        return self.join((), kinds)

    def join(self, a: Kinds, b: Kinds) -> Kinds:
        """What may be of either kinds."""
        made: list[AnyKind] = list(a)
        for kind in b:
            self._put(made, self._resolved(kind))
        if len(made) > _MOST_KINDS:
            raise TooManyKindsError(f"a container of the run with items of more than {_MOST_KINDS} types")
        return tuple(sorted(made, key=_order))

    def _resolved(self, kind: AnyKind) -> AnyKind:
        match kind:
            case BoxOf():
                return replace(kind, cell=self.root(kind.cell))
            case TupleOf():
                return TupleOf(kind.cls, tuple(map(self.resolved, kind.items)))
            case _:
                return kind

    def _put(self, made: list[AnyKind], kind: AnyKind) -> None:
        for k, other in enumerate(made):
            if other == kind:
                return
            if isinstance(kind, BoxOf) and isinstance(other, BoxOf) and kind.kind is other.kind:
                if kind.family != other.family:
                    raise UnlikeFactoriesError([], "defaultdicts with unlike default factories in one place")
                made[k] = replace(kind, cell=self.unify(kind.cell, other.cell))
                return
            if isinstance(kind, TupleOf) and isinstance(other, TupleOf) and _are_alike(kind, other):
                items = zip(other.items, kind.items, strict=True)
                made[k] = TupleOf(kind.cls, tuple(self.join(x, y) for x, y in items))
                return
        if depth_of((kind,)) > _DEEPEST:
            raise TooManyKindsError(f"a container of the run with tuples in tuples, more than {_DEEPEST} deep")
        made.append(kind)


def _are_alike(a: TupleOf, b: TupleOf) -> bool:
    return a.cls is b.cls and len(a.items) == len(b.items)


def depth_of(kinds: Kinds) -> int:
    """How deep tuples are in tuples."""
    return max((1 + max(map(depth_of, k.items), default=0) if isinstance(k, TupleOf) else 0 for k in kinds), default=0)


def _order(kind: AnyKind) -> tuple[Any, ...]:
    match kind:
        case Plain():
            return (int(kind.kind),)
        case TupleOf():
            return (
                int(Kind.TUPLE),
                len(kind.items),
                kind.cls.__qualname__,
                *(tuple(map(_order, i)) for i in kind.items),
            )
        case BoxOf():
            return (int(kind.kind), kind.cls.__qualname__, kind.cell)


def is_hashable(kinds: Iterable[AnyKind]) -> bool:
    """Whether all values of kinds have a hash."""
    for kind in kinds:
        if isinstance(kind, BoxOf) and kind.kind is not Kind.FROZENSET:
            return False
        if isinstance(kind, TupleOf) and not all(map(is_hashable, kind.items)):
            return False
    return True


_NUMBERS: Final = frozenset([Kind.BOOL, Kind.INT, Kind.FLOAT, *boxes.NUMPY.values()])


def has_order(kinds: Kinds) -> bool:
    """Whether values of kinds can be told apart by `<`, whichever of them they are. Two Python numbers may both be equal
    to an f32, and not to each other: they have no order with it."""
    if all(isinstance(k, Plain) and k.kind in _NUMBERS for k in kinds):
        return Plain(Kind.NP_FLOAT32) not in kinds or (INT not in kinds and FLOAT not in kinds)
    if len(kinds) != 1:
        return all(isinstance(k, TupleOf) for k in kinds) and _tuples_have_order(kinds)
    (kind,) = kinds
    match kind:
        case Plain():
            return kind.kind is Kind.STR
        case TupleOf():
            return all(map(has_order, kind.items))
        case BoxOf():
            return False


def _tuples_have_order(kinds: Kinds) -> bool:
    columns = max(len(k.items) for k in kinds if isinstance(k, TupleOf))
    for place in range(columns):
        held = {k for t in kinds if isinstance(t, TupleOf) and place < len(t.items) for k in t.items[place]}
        if not has_order(tuple(sorted(held, key=_order))):
            return False
    return True
