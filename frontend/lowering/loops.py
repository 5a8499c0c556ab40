"""Loops, and comprehensions, which are loops inside an expression."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from typing import Any

import gast

from jitcore.frontend.desugar.comprehension import target_names
from jitcore.frontend.desugar.nodes import is_true
from jitcore.frontend.lowering.conditions import test
from jitcore.frontend.lowering.function import UNDEFINED, FunctionBuilder, expression, statement
from jitcore.frontend.lowering.names import make_cells
from jitcore.frontend.lowering.targets import assign
from jitcore.frontend.spans import Spans
from jitcore.frontend.survey import survey
from jitcore.ir.nodes import Atom, Var
from jitcore.ir.python import PYTHON_OPS

_COMPREHENSIONS = {
    gast.ListComp: ("py_list", "append", "<listcomp>"),
    gast.SetComp: ("py_set", "add", "<setcomp>"),
    gast.DictComp: ("py_dict", "", "<dictcomp>"),
}
_COMPREHENSIONS_ARE_FRAMES = sys.version_info < (3, 12)  # PEP 709 made them part of the function


def _carry(b: FunctionBuilder, names: Sequence[str]) -> list[Var]:
    """In a graph just opened: parameters for the variables carried, which have their values."""
    carried: list[Var] = []
    for name in names:
        before = b.values.get(name, UNDEFINED)
        parameter = b.graph.param(b.written(name), None)
        if b.may_be_undefined(before) or name in b.scope.deleted:
            b.perhaps_undefined.add(parameter)
        carried.append(parameter)
        b.set_value(name, parameter)
    return carried


def _carried(b: FunctionBuilder, names: Sequence[str], outs: Sequence[Var]) -> None:
    """After a loop: the variables carried have their last values."""
    for name, out in zip(names, outs, strict=True):
        if b.may_be_undefined(b.values.get(name, UNDEFINED)) or name in b.scope.deleted:
            b.perhaps_undefined.add(out)
        b.set_value(name, out)


@statement(gast.While)
def while_(b: FunctionBuilder, node: Any) -> None:
    """`while test: …`; desugaring has made `break` part of the test."""
    assert b.liveness is not None
    span = b.span(node)
    names = b.liveness.joins(node)
    before = [b.values.get(name, UNDEFINED) for name in names]
    opened = b.open("test", span)
    _carry(b, names)
    result = test(b, node.test, span)
    test_graph = b.close(opened).finish([result])
    opened = b.open("body", span)
    _carry(b, names)
    b.block(node.body)
    closed = b.close(opened)
    body = closed.finish([closed.changes[name] for name in names])
    outs = b.emit_control(PYTHON_OPS["py_while"], before, (test_graph, body), span, names)
    _carried(b, names, outs)
    if is_true(node.test):
        b.is_reachable = False


@statement(gast.For)
def for_(b: FunctionBuilder, node: Any) -> None:
    """`for target in iter: …`; desugaring has made the only `break` the body's end."""
    assert b.liveness is not None
    span = b.span(node)
    flag: str | None = getattr(node, "break_flag", None)
    iterable = b.value(node.iter)
    names = b.liveness.joins(node)
    before = [b.values.get(name, UNDEFINED) for name in names]
    opened = b.open("body", span)
    item = b.graph.param(_item_name(b, node.target), None, b.span(node.target))
    _carry(b, names)
    assign(b, node.target, item)
    b.block(node.body if flag is None else node.body[:-1])
    closed = b.close(opened)
    results = [closed.changes[name] for name in names]
    if flag is not None:
        results.insert(0, closed.changes[flag])
    body = closed.finish(results)
    arguments = (iterable, *before)
    outs = b.emit_control(PYTHON_OPS["py_for"], arguments, (body,), span, names, breaks=flag is not None)
    _carried(b, names, outs)


def _item_name(b: FunctionBuilder, target: Any) -> str:
    return b.written(target.id) if type(target) is gast.Name else "item"


@expression(gast.ListComp, gast.SetComp, gast.DictComp)
def comprehension(b: FunctionBuilder, node: Any) -> Atom:
    """`[f(x) for x in xs if g(x)]`: a container, and a loop that adds to it."""
    op, method, frame = _COMPREHENSIONS[type(node)]
    span = b.span(node)
    iterable = b.value(node.generators[0].iter)
    outer_spans, outer_variables = b.spans, b.frame_variables
    own = target_names(node)
    if _COMPREHENSIONS_ARE_FRAMES:
        b.spans, b.frame_variables = Spans(outer_spans.file, frame, span), own
    make_cells(b, [name for name in own if name in b.scope.cells], span)
    made = b.emit(op, (), span, op.removeprefix("py_"), **({} if op == "py_dict" else {"stars": ()}))
    named = {part.target.id for part in survey(node).get(gast.NamedExpr, ())}
    names = sorted(name for name in named if name in b.scope.local and name not in b.scope.cells)

    def add() -> None:
        at = b.span(node)
        if type(node) is gast.DictComp:
            key = b.value(node.key)
            b.perform("py_setitem", (made, key, b.value(node.value)), at)
            return
        item = b.value(node.elt)
        call = b.emit("py_getattr", (made,), at, method, name=method)
        b.emit("py_call", (call, item), at, "none", keywords=(), stars=())

    def rounds(depth: int, over: Atom, outside: FunctionBuilder) -> None:
        """The loop of a `for` of the comprehension, with what is inside it."""
        generator = node.generators[depth]
        before = [outside.values.get(name, UNDEFINED) for name in names]
        opened = b.open("body", span)
        item = b.graph.param(_item_name(b, generator.target), None, b.span(generator.target))
        _carry(b, names)
        assign(b, generator.target, item)
        within(depth, 0)
        closed = b.close(opened)
        body = closed.finish([closed.changes[name] for name in names])
        at = span if depth == 0 else b.span(node)
        outs = b.emit_control(PYTHON_OPS["py_for"], (over, *before), (body,), at, names, breaks=False)
        _carried(b, names, outs)

    def within(depth: int, number: int) -> None:
        """What a round does, from the given `if` of its `for` on."""
        tests = node.generators[depth].ifs
        if number < len(tests):
            predicate = test(b, tests[number], b.span(node))
            opened = b.open("then", span)
            within(depth, number + 1)
            then = b.close(opened)
            orelse = b.close(b.open("else", span))
            b.join(then, orelse, names, span, predicate)
        elif depth + 1 < len(node.generators):
            rounds(depth + 1, b.value(node.generators[depth + 1].iter), b)
        else:
            add()

    rounds(0, iterable, b)
    b.spans, b.frame_variables = outer_spans, outer_variables
    return made
