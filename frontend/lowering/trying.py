"""`try`: a body, handlers and `else`, after desugaring has taken `finally` apart."""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.lowering.function import UNDEFINED, Closed, FunctionBuilder, statement
from jitcore.frontend.lowering.names import assign_name
from jitcore.ir.nodes import Graph, Literal, Var
from jitcore.ir.python import PYTHON_OPS
from jitcore.source import Span


@statement(gast.Try)
def try_(b: FunctionBuilder, node: Any) -> None:
    """`try: … except E as e: …`: the variables that handlers see as the body left them are in cells, too."""
    assert b.liveness is not None
    span = b.span(node)
    names = b.liveness.joins(node)
    kept: dict[str, Var] = {}
    for name in b.liveness.kept(node):
        kept[name] = b.emit("py_cell", (), span, b.written(name))
        b.perform("py_cell_set", (kept[name], b.values.get(name, UNDEFINED)), span)
    b.kept.append(kept)
    opened = b.open("body", span)
    b.block(node.body)
    b.kept.pop()
    if node.orelse and b.is_reachable:
        b.perform("py_commit", (), span)
        b.block(node.orelse)
    arms = [b.close(opened)]
    tests: list[Graph] = []
    for handler in node.handlers:
        tests.append(_classes(b, handler))
        arms.append(_handler(b, handler, kept))
    results = [[arm.changes.get(name, b.values.get(name, UNDEFINED)) for name in names] for arm in arms]
    body, *handlers = (arm.finish(values) for arm, values in zip(arms, results, strict=True))
    graphs = (body, *(g for pair in zip(tests, handlers, strict=True) for g in pair))
    outs = b.emit_control(PYTHON_OPS["py_try"], (), graphs, span, names)
    for name, out, *values in zip(names, outs, *results, strict=True):
        if any(b.may_be_undefined(v) for v, arm in zip(values, arms, strict=True) if arm.is_reached):
            b.perhaps_undefined.add(out)
        b.set_value(name, out)
    b.is_reachable = b.is_reachable and any(arm.is_reached for arm in arms)


def _classes(b: FunctionBuilder, handler: Any) -> Graph:
    """What gives the classes that a handler catches."""
    opened = b.open("classes", b.span(handler))
    classes = Literal(BaseException, None) if handler.type is None else b.value(handler.type)
    return b.close(opened).finish([classes])


def _handler(b: FunctionBuilder, handler: Any, kept: dict[str, Var]) -> Closed:
    span: Span = b.span(handler)
    opened = b.open("handler", span)
    error = b.graph.param("error", None, span)
    for name, cell in kept.items():
        value = b.emit("py_cell_get", (cell,), span, b.written(name), name=b.written(name), raw=True)
        b.perhaps_undefined.add(value)
        b.set_value(name, value)
    if handler.name is not None:
        assign_name(b, handler.name.id, error, span)
    b.block(handler.body)
    if handler.name is not None and b.is_reachable:
        assign_name(b, handler.name.id, UNDEFINED, span)
    return b.close(opened)
