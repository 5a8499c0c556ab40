"""What decides the paths of a program, for the rules of a dialect that tells elements of arrays from other numbers:
branches that those decide must leave values of one type, and whatever is wrong on such a path is wrong with the
program."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING

from jitcore.ir.nodes import Atom, Var
from jitcore.passes.infer.domain.values import Number, Value
from jitcore.passes.infer.engine import dialect, operands
from jitcore.structs import dataclass, field
from jitcore.types import BOOL, RefType, ScalarType, TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@dataclass(slots=True)
class Paths:
    """How many of the branches and loops around what is being inferred are decided by elements of arrays, and how many
    by other numbers of the run; and which numbers are computed from such elements (noted while there are rules to be
    asked)."""

    by_arrays: int = 0
    by_numbers: int = 0
    from_arrays: set[Atom] = field(default_factory=set[Atom])
    tests_loop: bool = False
    """Whether the condition of a `while` is being inferred."""

    def note(self, args: Sequence[Atom], outs: Sequence[Var]) -> None:
        """Note what a primitive computes."""
        if any(isinstance(a.type, TensorType | RefType) or a in self.from_arrays for a in args):
            self.from_arrays.update(v for v in outs if isinstance(v.type, ScalarType))

    def is_decided_by_arrays(self, condition: Value) -> bool:
        """Whether a truth value is computed from elements of arrays."""
        return isinstance(condition, Number) and condition.atom in self.from_arrays


@contextmanager
def decided(infer: Infer, *, by_arrays: bool) -> Generator[None]:
    """What is inferred meanwhile is on a path that elements of arrays decide, or other numbers of the run."""
    paths = infer.paths_taken
    before = paths.by_arrays, paths.by_numbers
    if by_arrays:
        paths.by_arrays += 1
    else:
        paths.by_numbers += 1
    try:
        yield
    finally:
        paths.by_arrays, paths.by_numbers = before


@contextmanager
def in_call(infer: Infer) -> Generator[None]:
    """A call of a function: what ends on one of its paths says nothing of what comes after it."""
    paths = infer.paths_taken
    before = paths.by_arrays, paths.by_numbers, paths.tests_loop
    paths.tests_loop = False
    try:
        yield
    finally:
        paths.by_arrays, paths.by_numbers, paths.tests_loop = before


@contextmanager
def in_test(infer: Infer) -> Generator[None]:
    """The condition of a `while`."""
    before, infer.paths_taken.tests_loop = infer.paths_taken.tests_loop, True
    try:
        yield
    finally:
        infer.paths_taken.tests_loop = before


class Ways:
    """What the two paths of a branch that elements of arrays decide leave, or the rounds of a loop."""

    def __init__(self, infer: Infer) -> None:
        self.infer = infer
        self.left: list[tuple[operands.Operand, ...]] = []

    def keep(self, values: list[Value]) -> list[Value]:
        """Keep what one path leaves, and hand it on."""
        self.left.append(tuple(map(self._described, values)))
        return values

    def _described(self, value: Value) -> operands.Operand:
        """A value; a truth value of an array may stand for an array of one."""
        if isinstance(value, Number) and value.type is BOOL and value.atom in self.infer.paths_taken.from_arrays:
            return operands.Operand("object")
        return operands.describe(self.infer, value)

    def require_alike(self) -> None:
        """Refuse, if the rules do, values of a variable that do not go together. What comes after is inferred as part
        of both paths."""
        self.infer.paths_taken.by_arrays += 1
        if len(self.left) != 2:  # a path ends before
            return
        for pair in zip(*self.left, strict=True):
            dialect.require_joined(self.infer, pair)
