"""Loops whose gradient keeps the carries of few rounds only: loops in which segments of rounds are parts to be
recomputed.

Before:

    y = for_(body, n, x)

After, with segments of k rounds:

    def segment(s, x):
        start = s * k
        m = min(k, n - start)
        def part():
            def round(i, x):
                return body(start + i, x)
            return for_(round, m, x)
        return switch(part, 0, recompute=True)
    y = for_(segment, (n + k - 1) // k, x)

A gradient then keeps one set of carries a segment and, while it runs a segment backwards, the residuals of its rounds.
Without a given k, segments of a counted loop are as long as there are of them (√n); a `while_`, whose n nobody knows,
begins with short segments, each one round longer than the last, which comes to the same. (Griewank and Walther,
Evaluating Derivatives, 2008, chapter 12.) The rounds, and the evaluations of the test, are those of the loop, in their
order.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

from jitcore.ir.analysis import all_bindings, symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import FOR, SWITCH, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.ir.rewrite import inline, rename_dims
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.primitives.ops.widening import widen
from jitcore.types import BOOL, INT, Dim, RefType, TensorType, Type, fresh_symbol

_FIRST_SEGMENT = 16
"""Rounds of a `while_` in its first segment: a loop this short keeps all."""


def checkpointed(graph: Graph, every: int | None) -> Graph:
    """A graph with its loops, nested ones included, in segments of `every` rounds (None: as many as keep least)."""
    body: list[Binding] = []
    for b in graph.body:
        nested = tuple(checkpointed(g, every) for g in b.graphs)
        made = replace(b, graphs=nested) if b.graphs else b
        if b.op is FOR and not _is_short(b, every):
            body.extend(_counted(made, every))
        elif b.op is WHILE:
            body.extend(_tested(made, every))
        else:
            body.append(made)
    return replace(graph, body=tuple(body))


def _is_short(b: Binding, every: int | None) -> bool:
    count = b.args[0]
    return isinstance(count, Literal) and count.value <= (every if every is not None else _FIRST_SEGMENT)


def _int(builder: GraphBuilder, name: str, *args: Atom) -> Atom:
    (out,) = builder.emit(PRIMITIVES[name], args)
    return out


def _number(value: int) -> Literal:
    return Literal(value, INT)


def _carries(builder: GraphBuilder, b: Binding, head: int, dims: Mapping[str, Dim] = {}) -> list[Atom]:
    """Parameters for a loop's carries, with other names for extents."""
    return [builder.param(p.name, rename_dims(p.type, dims)) for p in b.graphs[-1].params[head:]]


def _own_names(b: Binding) -> dict[str, Dim]:
    """Fresh symbols for the extents that the rounds of a loop change: those of a loop of its rounds, inside one of
    segments that has the loop's own."""
    carried = {s for p in b.graphs[-1].params for s in symbols_in(p.type)}
    widened = {
        s for g in b.graphs for inner in all_bindings(g) if inner.op is widen for s in symbols_in(inner.params["shape"])
    }
    return {name: fresh_symbol() for name in sorted(carried & widened)}


def _named(builder: GraphBuilder, atoms: Sequence[Atom], wanted: Sequence[Type | None]) -> list[Atom]:
    """Atoms as ones of types that differ from theirs in the names of extents."""
    made: list[Atom] = []
    for atom, type_ in zip(atoms, wanted, strict=True):
        array = type_.target if isinstance(type_, RefType) else type_
        if type_of(atom) is type_ or not isinstance(array, TensorType):
            made.append(atom)
        else:
            made += builder.emit(widen, (atom,), {"shape": array.shape})
    return made


def _part(outer: GraphBuilder, loop: Binding) -> tuple[Var, ...]:
    """A part to be recomputed that consists of one loop; its results."""
    inner = tuple(Var(o.name, o.type, o.span) for o in loop.outs)
    part = Graph("part", (), (replace(loop, outs=inner),), inner, loop.span)
    return outer.emit(SWITCH, (_number(0),), {"recompute": True}, (part,), names=[o.name for o in inner])


def _counted(b: Binding, every: int | None) -> list[Binding]:
    builder = GraphBuilder("segments", b.span)
    count = b.args[0]
    if every is None:
        root = _int(builder, "math_isqrt", _int(builder, "int_max", count, _number(0)))
        length = _int(builder, "int_add", root, _number(1))
    else:
        length = _number(every)
    whole = _int(builder, "int_add", count, _int(builder, "int_sub", length, _number(1)))
    segments = _int(builder, "int_floordiv", whole, length)
    segment = GraphBuilder("segment", b.span)
    number = segment.param("s", INT)
    carries = _carries(segment, b, 1)
    start = _int(segment, "int_mul", number, length)
    rounds = _int(segment, "int_min", length, _int(segment, "int_sub", count, start))
    turn = GraphBuilder("round", b.span)
    index = turn.param("i", INT)
    dims = _own_names(b)
    inner = _carries(turn, b, 1, dims)
    body, results = inline(b.graphs[0], [_int(turn, "int_add", start, index), *inner], dims=dims)
    turn.body.extend(body)
    begun = _named(segment, carries, [type_of(v) for v in inner])
    outs = _outs(b.outs, dims)
    loop = replace(b, outs=outs, args=(rounds, *begun), graphs=(turn.finish(results),))
    made = _named(segment, _part(segment, loop), [type_of(v) for v in carries])
    builder.append(replace(b, args=(segments, *b.args[1:]), graphs=(segment.finish(made),)))
    return builder.body


def _tested(b: Binding, every: int | None) -> list[Binding]:
    test, body = b.graphs
    builder = GraphBuilder("segments", b.span)
    bindings, (enters,) = inline(test, b.args)
    builder.body.extend(bindings)
    segment = GraphBuilder("segment", b.span)
    segment.param("go", BOOL)
    length = segment.param("length", INT)
    carries = _carries(segment, b, 0)
    turn = GraphBuilder("round", b.span)
    done = turn.param("i", INT)
    turn.param("go", BOOL)
    dims = _own_names(b)
    inner = _carries(turn, b, 0, dims)
    bindings, results = inline(body, inner, dims=dims)
    turn.body.extend(bindings)
    bindings, (goes,) = inline(test, results, dims=dims)
    turn.body.extend(bindings)
    more = _int(turn, "int_add", done, _number(1))
    again = GraphBuilder("more", b.span)
    counted, going = again.param("i", INT), again.param("go", BOOL)
    _carries(again, b, 0, dims)
    within = _int(again, "int_lt", counted, length)
    both = _int(again, "bool_and", going, within)
    begun = _named(segment, carries, [type_of(v) for v in inner])
    start = (_number(0), Literal(True, BOOL), *begun)
    outs = (Var("i", INT, b.span), Var("go", BOOL, b.span), *_outs(b.outs, dims))
    graphs = (again.finish((both,)), turn.finish((more, goes, *results)))
    _, go, *left = _part(segment, Binding(outs, WHILE, start, b.span, b.params, graphs))
    longer = length if every is not None else _int(segment, "int_add", length, _number(1))
    step = segment.finish((go, longer, *_named(segment, left, [type_of(v) for v in carries])))
    going_on = GraphBuilder("going", b.span)
    goes_on = going_on.param("go", BOOL)
    going_on.param("length", INT)
    _carries(going_on, b, 0)
    first = _number(every if every is not None else _FIRST_SEGMENT)
    more_outs = (Var("go", BOOL, b.span), Var("length", INT, b.span), *b.outs)
    args = (enters, first, *b.args)
    builder.append(Binding(more_outs, WHILE, args, b.span, b.params, (going_on.finish((goes_on,)), step)))
    return builder.body


def _outs(outs: Sequence[Var], dims: Mapping[str, Dim]) -> tuple[Var, ...]:
    """Variables for the results of a loop whose extents have other names."""
    return tuple(Var(o.name, rename_dims(o.type, dims), o.span) for o in outs)
