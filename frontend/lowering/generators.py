"""Generator functions: the graph of one makes a generator, whose bodies are graphs inside it."""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.desugar.generating import Generator
from jitcore.frontend.desugar.resuming import Advance, Resumed
from jitcore.frontend.liveness import Liveness
from jitcore.frontend.lowering.function import NONE, UNDEFINED, FunctionBuilder, expression
from jitcore.ir.nodes import Atom, Graph
from jitcore.ir.python import PYTHON_OPS


def generator_object(b: FunctionBuilder, generator: Generator) -> Atom:
    """`py_generator`, once the parameters and cells of the function have been made."""
    graphs = [_pushing(b, "complete", generator.complete), _pushing(b, "stopping", generator.stopping)]
    first: list[Atom] = []
    if generator.resumed is not None:
        fields = _fields(b, generator.resumed)
        first = [b.values.get(name, UNDEFINED) for name in fields]
        graphs.append(_resumed(b, generator.resumed, fields))
    span = b.graph.graph_span
    op, hints = PYTHON_OPS["py_generator"], [b.graph.name]
    return b.emit_control(op, first, tuple(graphs), span, hints, guarded=generator.is_guarded)[0]


def _pushing(b: FunctionBuilder, name: str, body: list[Any]) -> Graph:
    """The graph that gives its items to a consumer."""
    liveness, b.liveness = b.liveness, Liveness(b.scope, b.unit.temporaries, body)
    opened = b.open(name, b.graph.graph_span)
    b.consumer = b.graph.param("consumer", None)
    b.block(body)
    graph = b.close(opened).finish([NONE])
    b.liveness, b.consumer = liveness, None
    return graph


def _fields(b: FunctionBuilder, generator: Resumed) -> list[str]:
    """The variables that are read after an item has been given."""
    kept = Liveness(b.scope, b.unit.temporaries, generator.body, (generator.state, generator.given)).read_first
    return [name for name in kept if name not in (generator.state, generator.given)]


def _resumed(b: FunctionBuilder, generator: Resumed, fields: list[str]) -> Graph:
    """The graph that goes on to the next item."""
    names = (generator.state, generator.given, *fields)
    liveness, b.liveness = b.liveness, Liveness(b.scope, b.unit.temporaries, generator.body, names)
    opened = b.open("resumed", b.graph.graph_span)
    for name in (generator.state, *fields):
        parameter = b.graph.param(b.written(name), None)
        if name != generator.state and b.may_be_undefined(b.values.get(name, UNDEFINED)):
            b.perhaps_undefined.add(parameter)
        b.set_value(name, parameter)
    b.set_value(generator.given, UNDEFINED)
    b.block(generator.body)
    closed = b.close(opened)
    graph = closed.finish([closed.changes[name] for name in names])
    b.liveness = liveness
    return graph


@expression(gast.Yield)
def yield_(b: FunctionBuilder, node: Any) -> Atom:
    """`yield value`: whether the consumer wants no more."""
    assert b.consumer is not None
    value = NONE if node.value is None else b.value(node.value)
    return b.emit("py_yield", (b.consumer, value), b.span(node), "enough")


@expression(Advance)
def advance(b: FunctionBuilder, node: Any) -> Atom:
    """Whether there is another item, and the item."""
    span = b.span(node)
    outs = b.emit_control(
        PYTHON_OPS["py_advance"], (b.value(node.source), b.value(node.at)), (), span, ["more", "item"]
    )
    return b.emit("py_tuple", outs, span, "pair", stars=())
