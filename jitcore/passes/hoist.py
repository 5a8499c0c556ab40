"""The `hoist` pass: checks of indices leave innermost loops.

Whether the checks of all rounds hold is asked before the loop, by the first and the last index; the loop is there twice,
without and with them. The second runs where one would fail, so that the exception comes in its round.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import ClassVar

from jitcore.ir.analysis import all_bindings, all_graphs, free_variables, symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var
from jitcore.ir.rewrite import Rewriter, clone
from jitcore.passes.registry import Pass
from jitcore.primitives.conversions import check_index, extent
from jitcore.primitives.python_ints import bool_and, int_add, int_eq, int_ge, int_lt, int_max, int_min, int_mul, int_sub
from jitcore.structs import dataclass
from jitcore.types import BOOL, INT, Dim

_MOST_BINDINGS = 60
"""Larger bodies are not doubled: beside them the checks cost little."""
_MOST_CHECKS = 6
_BOUND = 1 << 31
"""Trip counts and offsets are looked at if they are smaller, constants if they are smaller than its root: no index of
such parts is past 64 bits."""
_LOOPS = (FOR, WHILE, CALL, TRY, SWITCH)


@dataclass(frozen=True)
class Hoist(Pass):
    """Asks before innermost counted loops whether the checks of their indices hold.

    before    for_(body, n)                                 # body: k = check_index(i, extent=m)
    after     cond(for_(body without it, n), for_(body, n), n - 1 < m)
    """

    name: ClassVar[str] = "hoist"

    def run(self, module: Module) -> Module:
        """The module with doubled loops."""
        return _Hoister().module(module)


@dataclass(frozen=True, slots=True)
class _Index:
    """`factor * i + constant + offset`, i being the loop's index and the offset a variable from around the loop."""

    factor: int
    constant: int
    offset: Var | None


class _Hoister(Rewriter):
    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        """A loop whose checks can be asked before becomes a conditional of two."""
        checks = _checks(binding) if binding.op is FOR else {}
        if not checks:
            return (binding,)
        builder = GraphBuilder("hoist", binding.span)
        holds = _all_hold(builder, binding.args[0], checks)
        outs = binding.outs
        graphs = (_loop("then", binding, checks), _loop("orelse", binding, {}))
        made = Binding(outs, COND, (holds,), binding.span, {}, graphs)
        return (*builder.body, made)


def _loop(name: str, loop: Binding, checks: dict[Binding, tuple[_Index, Dim]]) -> Graph:
    """A graph of a copy of a loop without some of its checks."""
    builder = GraphBuilder(name, loop.span)
    (body,) = loop.graphs
    if checks:
        body = _Unchecked(checks).graph(body)
    types = [out.type for out in loop.outs]
    outs = builder.emit(FOR, loop.args, loop.params, (clone(body),), types=types, names=[out.name for out in loop.outs])
    return builder.finish(outs)


class _Unchecked(Rewriter):
    """Replaces what checks give by what they check."""

    def __init__(self, checks: dict[Binding, tuple[_Index, Dim]]) -> None:
        super().__init__()
        self.outs = {check.outs[0]: check.args[0] for check in checks}

    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        if binding.op is check_index and binding.outs[0] in self.outs:
            self.replaced[binding.outs[0]] = binding.args[0]
            return ()
        return (binding,)


def _checks(loop: Binding) -> dict[Binding, tuple[_Index, Dim]]:
    """The checks of an innermost loop's body whose first and last index can be told before, and their extents."""
    (body,) = loop.graphs
    for count, binding in enumerate(all_bindings(body)):
        if binding.op in _LOOPS or count >= _MOST_BINDINGS:
            return {}
    bound = {var for graph in all_graphs(body) for var in _bound(graph)}
    known: dict[Var, _Index] = {body.params[0]: _Index(1, 0, None)}
    found: dict[Binding, tuple[_Index, Dim]] = {}
    for binding in all_bindings(body):
        if binding.op is check_index:
            index = _index(binding.args[0], known, bound)
            if index is not None and len(found) < _MOST_CHECKS:
                found[binding] = index, binding.params["extent"]
                known[binding.outs[0]] = index  # where it holds for every round, it counts from the start
        elif binding.op in (int_add, int_sub, int_mul):
            made = _computed(binding, known, bound)
            if made is not None:
                known[binding.outs[0]] = made
    if not found:
        return {}
    free = free_variables(body)
    around = symbols_in(tuple(var.type for var in free))
    return {
        b: (i, e) for b, (i, e) in found.items()
        if (i.offset is None or i.offset in free) and (isinstance(e, int) or e.symbols <= around)
    }  # fmt: skip


def _bound(graph: Graph) -> Iterator[Var]:
    yield from graph.params
    for binding in graph.body:
        yield from binding.outs


def _index(atom: Atom, known: dict[Var, _Index], bound: set[Var]) -> _Index | None:
    if isinstance(atom, Literal):
        return _Index(0, atom.value, None) if _is_small(atom.value) else None
    if atom in known:
        return known[atom]
    return _Index(0, 0, atom) if atom not in bound and atom.type is INT else None


def _computed(binding: Binding, known: dict[Var, _Index], bound: set[Var]) -> _Index | None:
    a, b = (_index(arg, known, bound) for arg in binding.args)
    if a is None or b is None:
        return None
    if binding.op is int_mul:
        a, b = (a, b) if b.factor == 0 and b.offset is None else (b, a)
        if b.factor or b.offset is not None or a.offset is not None:
            return None
        made = _Index(a.factor * b.constant, a.constant * b.constant, None)
    elif binding.op is int_sub:
        if b.offset is not None:
            return None
        made = _Index(a.factor - b.factor, a.constant - b.constant, a.offset)
    else:
        if a.offset is not None and b.offset is not None:
            return None
        made = _Index(a.factor + b.factor, a.constant + b.constant, a.offset if b.offset is None else b.offset)
    return made if _is_small(made.factor) and _is_small(made.constant) else None


def _is_small(value: int) -> bool:
    return value * value < _BOUND


def _all_hold(builder: GraphBuilder, rounds: Atom, checks: dict[Binding, tuple[_Index, Dim]]) -> Atom:
    """Whether all indices of all rounds lie within their extents, counted from the start."""

    def emit(op: object, *args: Atom) -> Var:
        (out,) = builder.emit(op, args)  # type: ignore[arg-type]
        return out

    def number(value: int) -> Literal:
        return Literal(value, INT)

    def bounded(atom: Atom, low: int) -> Atom:
        """An int of at most 32 bits: where it was larger, nothing holds."""
        small = emit(int_max, emit(int_min, atom, number(_BOUND)), number(low))
        conditions.append(emit(int_eq, small, atom))
        return small

    conditions: list[Atom] = []
    last_round = emit(int_sub, bounded(rounds, 0), number(1))
    offsets: dict[Var, Atom] = {}
    asked: set[tuple[_Index, Dim]] = set()
    for index, dim in checks.values():
        if (index, dim) in asked:
            continue
        asked.add((index, dim))
        first: Atom = number(index.constant)
        if index.offset is not None:
            if index.offset not in offsets:
                offsets[index.offset] = bounded(index.offset, -_BOUND)
            first = emit(int_add, offsets[index.offset], first)
        last = emit(int_add, first, emit(int_mul, last_round, number(index.factor))) if index.factor else first
        low, high = (first, last) if index.factor >= 0 else (last, first)
        size: Atom = number(dim) if isinstance(dim, int) else builder.emit(extent, (), {"dim": dim})[0]
        conditions += [emit(int_ge, low, number(0)), emit(int_lt, high, size)]
    holds: Atom = Literal(True, BOOL)
    for condition in conditions:
        holds = condition if isinstance(holds, Literal) else emit(bool_and, holds, condition)
    return holds
