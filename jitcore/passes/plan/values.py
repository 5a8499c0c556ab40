"""What variables are while a program is planned: operands, and for arrays also where their elements lie and who holds
their memory."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TypeAlias

from jitcore.ir.nodes import Var
from jitcore.kernel.build import ArrayLayout
from jitcore.passes.plan.code import NULL, Scope
from jitcore.program.nodes import Operand
from jitcore.structs import dataclass
from jitcore.types import DType

Roots: TypeAlias = "frozenset[Var] | None"
"""The memory a value may lie in, named by the variables that introduced it; None: any memory that can be written to.
Memory that nobody can write to (no place was ever made of it) has no roots."""

NO_ROOTS: frozenset[Var] = frozenset()

Owned: TypeAlias = "frozenset[int]"
"""Which of several values, by position, are arrays whose memory nothing else refers to."""


@dataclass(slots=True, eq=False)
class Holding:
    """A count of a memory block that a block of the program owns.

    `home` is the scope that must give it up: when the last of its `users` (variables of that scope) dies it is
    released, unless it was handed on (`done`). With no home it is borrowed, from a caller or for good.
    `unique`: no other count of the block exists.
    """

    owner: Operand
    home: Scope | None
    unique: bool = False
    users: int = 0
    done: bool = False


BORROWED_FOR_GOOD = Holding(NULL, None)
"""The holding of memory that never dies."""


@dataclass(slots=True, eq=False)
class ScalarValue:
    """A Python number."""

    operand: Operand


@dataclass(slots=True, eq=False)
class ArrayValue:
    """An array, or a place: the address of its first element and how the others follow (the layout's offset is 0).

    A rank-0 array may be just its `element`, in a register; then there is no `data` until memory is needed.
    """

    layout: ArrayLayout
    data: Operand | None
    holding: Holding
    roots: Roots = NO_ROOTS
    element: Operand | None = None

    @property
    def dtype(self) -> DType:
        return self.layout.dtype


@dataclass(slots=True, eq=False)
class UnionValue:
    """A tag and the parts of every member (those of absent members are zeros)."""

    tag: Operand
    members: tuple[tuple[Value, ...], ...]


@dataclass(slots=True, eq=False)
class TupleValue:
    items: tuple[Value, ...]


@dataclass(slots=True, eq=False)
class StackValue:
    operand: Operand


@dataclass(slots=True, eq=False)
class Nothing:
    """A value without information: None, undefined."""


NOTHING = Nothing()

Value: TypeAlias = "ScalarValue | ArrayValue | UnionValue | TupleValue | StackValue | Nothing"


def holdings(value: Value) -> Iterator[Holding]:
    """The holdings that keep a value's memory alive."""
    match value:
        case ArrayValue():
            yield value.holding
        case UnionValue():
            for member in value.members:
                for part in member:
                    yield from holdings(part)
        case TupleValue():
            for item in value.items:
                yield from holdings(item)
        case _:
            pass
