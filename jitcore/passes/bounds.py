"""Bounds of ints that only running tells: terms over what a program has, as floats, and intervals between two of them.

A term is a Python float where it is known, so that conditions on known numbers are decided at once. Floats do not
overflow, and are exact up to 2**53: who relies on a bound also asks that it is not larger than it may be.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Iterable
from functools import partial
from typing import Any, Literal, TypeAlias

from jitcore.ir import nodes
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Op, Var
from jitcore.primitives.ops.conversions import extent
from jitcore.primitives.ops.python_floats import (
    float_add,
    float_le,
    float_lt,
    float_mul,
    float_select,
    float_sub,
    int_to_float,
)
from jitcore.primitives.ops.python_ints import bool_and
from jitcore.structs import dataclass
from jitcore.types import BOOL, FLOAT, Dim

Operation: TypeAlias = "Op | Literal['int', 'extent', 'smaller', 'larger']"


@dataclass(frozen=True, slots=True, eq=False)
class Term:
    """An operation on bounds; a leaf is an int variable or a dimension."""

    op: Operation
    args: tuple[Any, ...]
    ints: frozenset[Var]
    """The variables it is made of."""


Bound: TypeAlias = "float | Term"
Condition: TypeAlias = "bool | Term"


@dataclass(frozen=True, slots=True)
class Interval:
    """All ints from `low` to `high`."""

    low: Bound
    high: Bound

    @property
    def is_known_positive(self) -> bool:
        """Whether no number of it is negative, as is known already."""
        return isinstance(self.low, float) and self.low >= 0.0


class Terms:
    """Makes terms, each once, and writes them into a graph."""

    def __init__(self) -> None:
        self._made: dict[tuple[Any, ...], Term] = {}
        self._written: dict[Term, Atom] = {}

    def _term(self, op: Operation, *args: Any) -> Term:
        key = (op, *args)
        if key not in self._made:
            ints = [a.ints if isinstance(a, Term) else (a,) for a in args if isinstance(a, Term | Var)]
            self._made[key] = Term(op, args, frozenset[Var]().union(*ints))
        return self._made[key]

    # --- bounds

    def of_int(self, atom: Atom) -> Bound:
        """An int from before the loop."""
        return float(atom.value) if isinstance(atom, nodes.Literal) else self._term("int", atom)

    def of_dim(self, dim: Dim) -> Bound:
        """A dimension."""
        return float(dim) if isinstance(dim, int) else self._term("extent", dim)

    def _arithmetic(self, op: Op, known: Callable[[float, float], float], a: Bound, b: Bound) -> Bound:
        return known(a, b) if isinstance(a, float) and isinstance(b, float) else self._term(op, a, b)

    def add(self, a: Bound, b: Bound) -> Bound:
        """a + b"""
        if a == 0.0:
            return b
        return a if b == 0.0 else self._arithmetic(float_add, operator.add, a, b)

    def sub(self, a: Bound, b: Bound) -> Bound:
        """a - b"""
        return a if b == 0.0 else self._arithmetic(float_sub, operator.sub, a, b)

    def mul(self, a: Bound, b: Bound) -> Bound:
        """a * b"""
        if a == 0.0 or b == 0.0:
            return 0.0
        if a == 1.0:
            return b
        return a if b == 1.0 else self._arithmetic(float_mul, operator.mul, a, b)

    def smallest(self, *bounds: Bound) -> Bound:
        """The least of some bounds."""
        return self._extreme("smaller", min, bounds)

    def largest(self, *bounds: Bound) -> Bound:
        """The greatest of some bounds."""
        return self._extreme("larger", max, bounds)

    def _extreme(
        self, op: Literal["smaller", "larger"], choose: Callable[[Iterable[float]], float], bounds: Iterable[Bound]
    ) -> Bound:
        known = [b for b in bounds if not isinstance(b, Term)]
        others = dict.fromkeys(b for b in bounds if isinstance(b, Term))
        left: list[Bound] = [*others, *([choose(known)] if known else [])]
        made = left[0]
        for bound in left[1:]:
            made = self._term(op, made, bound)
        return made

    # --- intervals

    def point(self, bound: Bound) -> Interval:
        """One number."""
        return Interval(bound, bound)

    def sum(self, x: Interval, y: Interval) -> Interval:
        """All x + y."""
        return Interval(self.add(x.low, y.low), self.add(x.high, y.high))

    def difference(self, x: Interval, y: Interval) -> Interval:
        """All x - y."""
        return Interval(self.sub(x.low, y.high), self.sub(x.high, y.low))

    def product(self, x: Interval, y: Interval) -> Interval:
        """All x * y."""
        if x.is_known_positive and y.is_known_positive:
            return Interval(self.mul(x.low, y.low), self.mul(x.high, y.high))
        corners = [self.mul(a, b) for a in dict.fromkeys((x.low, x.high)) for b in dict.fromkeys((y.low, y.high))]
        return Interval(self.smallest(*corners), self.largest(*corners))

    def join(self, x: Interval, y: Interval) -> Interval:
        """All numbers of both."""
        return Interval(self.smallest(x.low, y.low), self.largest(x.high, y.high))

    # --- conditions

    def at_most(self, a: Bound, b: Bound) -> Condition:
        """Whether a <= b."""
        if isinstance(a, float) and isinstance(b, float):
            return a <= b
        return True if a is b else self._term(float_le, a, b)

    def within(self, x: Interval, limit: float) -> list[Condition]:
        """Whether all of an interval is at most `limit` in magnitude."""
        return [self.at_most(-limit, x.low), self.at_most(x.high, limit)]

    # --- writing

    def all_hold(self, builder: GraphBuilder, conditions: Iterable[Condition]) -> Atom:
        """Write whether all conditions hold: those that are made of the same variables together."""
        groups: dict[frozenset[Var], Atom] = {}
        for condition in dict.fromkeys(conditions):
            if condition is False:
                return nodes.Literal(False, BOOL)
            if condition is not True:
                written = self._atom(builder, condition)
                before = groups.get(condition.ints)
                groups[condition.ints] = written if before is None else builder.emit(bool_and, (before, written))[0]
        made, *others = groups.values() or (nodes.Literal(True, BOOL),)
        for other in others:
            made = builder.emit(bool_and, (made, other))[0]
        return made

    def _atom(self, builder: GraphBuilder, bound: Bound) -> Atom:
        if not isinstance(bound, Term):
            return nodes.Literal(bound, FLOAT)
        if bound not in self._written:
            self._written[bound] = self._write(builder, bound)
        return self._written[bound]

    def _write(self, builder: GraphBuilder, term: Term) -> Atom:
        def emit(op: Op, *args: Atom, **params: Any) -> Var:
            return builder.emit(op, args, params)[0]

        if term.op == "int":
            return emit(int_to_float, term.args[0])
        if term.op == "extent":
            return emit(int_to_float, emit(extent, dim=term.args[0]))
        a, b = map(partial(self._atom, builder), term.args)
        if isinstance(term.op, Op):
            return emit(term.op, a, b)
        first = emit(float_lt, a, b)
        return emit(float_select, first, a, b) if term.op == "smaller" else emit(float_select, first, b, a)
