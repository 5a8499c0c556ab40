"""Free variables, uses and effects of graphs; substituting, cloning and inlining them."""

from __future__ import annotations

import dataclasses

from ir_ops import OPS

from jitcore.ir.analysis import (
    EffectAnalysis,
    all_bindings,
    all_graphs,
    definitions,
    effects_of,
    free_variables,
    recursive_graphs,
    symbols,
    uses,
)
from jitcore.ir.control import COND
from jitcore.ir.nodes import PURE, Binding, Graph, Literal, Module, Var
from jitcore.ir.parser import parse
from jitcore.ir.printer import to_text
from jitcore.ir.rewrite import Rewriter, clone, inline, substitute
from jitcore.ir.verify import verify
from jitcore.source import NOWHERE, Span
from jitcore.types import BOOL, INT, symbol

NESTED = """\
def f(x: i64, p: bool, r: ref[f32[n]]) -> i64:
    y: i64 = double(x)
    def then() -> i64:
        def inner() -> i64:
            a: i64 = plus(x, y)
            return a
        def other() -> i64:
            put(r, f32(1.0))
            return y
        b: i64 = cond(inner, other, p)
        return b
    def otherwise() -> i64:
        c: i64 = checked(y)
        return c
    out: i64 = cond(then, otherwise, p)
    return out
"""


def nested() -> Module:
    return parse(NESTED, OPS)


def names(variables: object) -> list[str]:
    return [var.name for var in variables]  # type: ignore[attr-defined]


def test_graphs_come_in_the_order_of_the_text() -> None:
    assert [graph.name for graph in all_graphs(nested())] == ["f", "then", "inner", "other", "otherwise"]


def test_free_variables() -> None:
    main = nested().main
    then, otherwise = main.body[1].graphs
    assert names(free_variables(main)) == []
    assert names(free_variables(then)) == ["p", "x", "y", "r"]
    assert names(free_variables(otherwise)) == ["y"]


def test_uses_and_definitions() -> None:
    main = nested().main
    count = uses(main)
    y = main.body[0].outs[0]
    assert {var.name: number for var, number in count.items()} == {
        "x": 2, "p": 2, "y": 3, "r": 1, "a": 1, "b": 1, "c": 1, "out": 1,
    }  # fmt: skip
    assert definitions(main)[y] is main.body[0]
    assert main.params[0] not in definitions(main)
    assert symbols(main) == {"n"}


def test_effects_of_control_flow_are_those_of_its_graphs() -> None:
    main = nested().main
    assert effects_of(main.body[0]) == PURE
    effects = effects_of(main.body[1])
    assert (effects.reads, effects.writes, effects.io, effects.raises) == (False, True, False, ("ValueError",))
    assert effects_of(main.body[1].graphs[0].body[0]).raises == ()


def test_effects_of_calls_reach_through_recursion() -> None:
    module = parse(
        """
def f(x: i64) -> i64:
    a: i64 = call(x, callee='even')
    b: i64 = call(x, callee='leaf')
    d: i64 = call(x, callee='looping')
    return a
def even(x: i64) -> i64:
    a: i64 = call(x, callee='odd')
    return a
def odd(x: i64) -> i64:
    a: i64 = call(x, callee='even')
    show(x)
    return a
def leaf(x: i64) -> i64:
    a: i64 = double(x)
    return a
def looping(x: i64) -> i64:
    def test(a: i64) -> bool:
        b: bool = less_than(a, x)
        return b
    def body(a: i64) -> i64:
        return a
    a: i64 = while_(test, body, x)
    return a
""",
        OPS,
    )
    even, leaf, looping = module.main.body
    effects = EffectAnalysis(module)
    assert effects.of_binding(even).io
    assert effects.of_binding(leaf) == PURE
    assert effects.removable(leaf)
    assert effects.of_binding(looping) == PURE
    assert not effects.removable(looping)
    assert not effects.ends(even)
    assert effects_of(leaf).io, "without the module, a call may do anything"
    assert recursive_graphs(module) == {"f", "even", "odd"}


def deep(depth: int) -> Graph:
    x, p = Var("x", INT, NOWHERE), Var("p", BOOL, NOWHERE)
    graph = Graph("g", (), (), (x,), NOWHERE)
    for _ in range(depth):
        out = Var("y", INT, NOWHERE)
        other = Graph("g", (), (), (x,), NOWHERE)
        graph = Graph("g", (), (Binding((out,), COND, (p,), NOWHERE, {}, (graph, other)),), (out,), NOWHERE)
    return dataclasses.replace(graph, params=(x, p))


def test_deep_and_long_graphs() -> None:
    graph = deep(200)
    x = graph.params[0]
    assert uses(graph)[x] == 201
    assert effects_of(graph.body[0]) == PURE
    verify(graph)
    verify(clone(graph))
    verify(Graph("f", graph.params, *inline(graph, graph.params), NOWHERE))
    assert substitute(graph, {}) is graph
    assert uses(substitute(graph, {x: Literal(1, INT)}))[x] == 0
    assert free_variables(deep(5_000)) == ()
    body = [Binding((Var("x", INT, NOWHERE),), OPS["double"], (x,), NOWHERE) for _ in range(10_000)]
    long = Graph("f", (x,), tuple(body), (x,), NOWHERE)
    assert uses(long)[x] == 10_001
    verify(clone(long))


def test_substituting_keeps_what_does_not_change() -> None:
    main = nested().main
    y = main.body[0].outs[0]
    changed = substitute(main, {y: Literal(7, INT)})
    assert changed.body[0] is main.body[0]
    assert "plus(x, 7)" in to_text(changed).text
    then = main.body[1].graphs[0]
    assert substitute(main, {Var("z", INT, NOWHERE): y}) is main
    assert substitute(then, {y: y}) is not None


def test_a_rewriter_replaces_outputs_for_all_that_follows() -> None:
    class DropDouble(Rewriter):
        def rewrite(self, binding: Binding) -> tuple[Binding, ...]:
            if binding.op.name != "double":
                return (binding,)
            self.replaced[binding.outs[0]] = binding.args[0]
            return ()

    module = DropDouble().module(nested())
    verify(module)
    assert "plus(x, x)" in to_text(module).text
    assert Rewriter().module(module) is module


def test_inlining_gives_fresh_variables_spans_with_callers_and_other_dimensions() -> None:
    module = parse(
        """
def f(x: f32[n]) -> f32[n]:  #: lib.py:1:0-3:0 in f
    y: f32[n] = double(x, shape=(n, 2*n), dtype=f32)  #: lib.py:2:4-2:9
    def body(i: i64, c: f32[n]) -> f32[n]:  #: lib.py:3:4-3:9
        return c
    z: f32[n] = for_(body, 3, y)  #: lib.py:3:4-3:9
    return z
""",
        OPS,
    )
    main = module.main
    call = Span("user.py", 9, 0, 9, 4, "g")
    arg = Var("a", main.params[0].type, NOWHERE)
    bindings, results = inline(main, [arg], call, {"n": symbol("m") * 2})
    assert results == bindings[1].outs
    assert bindings[0].args == (arg,)
    assert repr(bindings[0].outs[0].type) == "f32[2*m]"
    assert repr(bindings[0].params["shape"]) == "(2*m, 4*m)"
    assert repr(bindings[1].graphs[0].params[1].type) == "f32[2*m]"
    assert bindings[1].graphs[0].span.caller == call
    assert bindings[0].outs[0].span == main.body[0].span.called_from(call)
    ours = {out for b in all_bindings(main) for out in b.outs}
    assert not ours & {out for b in bindings for out in b.outs}
