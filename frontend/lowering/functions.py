"""Functions: the outermost one, nested definitions, lambdas, and generator expressions."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import Any

import gast

from jitcore.frontend.desugar.comprehension import target_names
from jitcore.frontend.lowering.conditions import test
from jitcore.frontend.lowering.function import (
    NONE,
    UNREACHED_RESULT,
    FunctionBuilder,
    Unit,
    expression,
    statement,
)
from jitcore.frontend.lowering.generators import generator_object
from jitcore.frontend.lowering.names import assign_name, make_cells
from jitcore.frontend.lowering.targets import assign
from jitcore.frontend.scopes import Scope, parameters_of
from jitcore.frontend.spans import Spans
from jitcore.frontend.text import render
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Graph, Literal
from jitcore.ir.python import PYTHON_OPS, FunctionSource, Parameter


def outermost(unit: Unit, scope: Scope, parameters: Sequence[Parameter]) -> FunctionSource:
    """The source of the function compiled."""
    function = unit.function
    spans = Spans(unit.file, function.__code__.co_name)
    builder = FunctionBuilder(unit, scope, function.__qualname__, spans, _graph(spans, scope.node, function.__name__))
    return FunctionSource(
        function.__name__,
        function.__qualname__,
        parameters,
        _whole(builder),
        function,
        builder.graph.graph_span,
        render(scope.node),
    )


def _graph(spans: Spans, node: Any, name: str) -> GraphBuilder:
    return GraphBuilder(name, spans.of(node))


def _whole(b: FunctionBuilder) -> Graph:
    """The graph of a function: its parameters, and all it does."""
    node = b.scope.node
    for parameter in parameters_of(node.args):
        b.set_value(parameter.id, b.graph.param(b.written(parameter.id), None, b.span(parameter)))
    make_cells(b, _cells_at_entry(b), b.graph.graph_span)
    for name in b.cells:
        if name in b.values:
            b.perform("py_cell_set", (b.cells[name], b.values.pop(name)), b.graph.graph_span)
    if hasattr(node, "generator"):
        return b.graph.finish([generator_object(b, node.generator)])
    result = b.value(node.body) if type(node) is gast.Lambda else b.block(node.body)
    if not b.is_reachable:
        return b.graph.finish([UNREACHED_RESULT])
    return b.graph.finish([NONE if result is None else result])


def _cells_at_entry(b: FunctionBuilder) -> list[str]:
    """The variables in cells, but for those of comprehensions, which have new cells each time."""
    return sorted(name for name in b.scope.cells if name not in b.unit.temporaries)


def _inner(b: FunctionBuilder, node: Any, name: str) -> FunctionBuilder:
    spans = Spans(b.unit.file, name)
    return FunctionBuilder(b.unit, node.scope, f"{b.qualname}.<locals>.{name}", spans, _graph(spans, node, name), b)


def _make(
    b: FunctionBuilder,
    inner: FunctionBuilder,
    graph: Graph,
    parameters: Sequence[Parameter],
    defaults: Sequence[Atom] = (),
    keyword_defaults: tuple[str, ...] = (),
) -> Atom:
    """`py_function`: a function made where `b` stands, from the graph that `inner` built."""
    name, span = graph.name, b.span(inner.scope.node)
    text = render(inner.scope.node)
    source = FunctionSource(name, inner.qualname, parameters, graph, b.unit.function, graph.span, text)
    params = {"source": source, "defaults": len(defaults) - len(keyword_defaults), "keyword_defaults": keyword_defaults}
    outs = b.emit_control(PYTHON_OPS["py_function"], defaults, (graph,), span, [name], **params)
    return outs[0]


def _from_definition(b: FunctionBuilder, node: Any, name: str) -> Atom:
    """A function from a `def` or lambda: its defaults are evaluated here."""
    args = node.args
    defaults = [b.value(default) for default in args.defaults]
    pairs = [(p, d) for p, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d is not None]
    defaults += [b.value(default) for _, default in pairs]
    inner = _inner(b, node, name)
    names = tuple(parameter.id for parameter, _ in pairs)
    return _make(b, inner, _whole(inner), _parameters(args), defaults, names)


def _parameters(args: Any) -> list[Parameter]:
    """The parameters of a nested function, in the order of its graph's."""
    first_default = len(args.posonlyargs) + len(args.args) - len(args.defaults)
    found: list[Parameter] = []
    for k, node in enumerate((*args.posonlyargs, *args.args)):
        kind = "POSITIONAL_ONLY" if k < len(args.posonlyargs) else "POSITIONAL_OR_KEYWORD"
        found.append(Parameter(node.id, kind, k >= first_default))
    if args.vararg is not None:
        found.append(Parameter(args.vararg.id, "VAR_POSITIONAL", False))
    for node, default in zip(args.kwonlyargs, args.kw_defaults, strict=True):
        found.append(Parameter(node.id, "KEYWORD_ONLY", default is not None))
    if args.kwarg is not None:
        found.append(Parameter(args.kwarg.id, "VAR_KEYWORD", False))
    return found


@statement(gast.FunctionDef)
def definition(b: FunctionBuilder, node: Any) -> None:
    """`def f(…): …`, decorated or not."""
    decorators = [(b.value(decorator), b.span(decorator)) for decorator in node.decorator_list]
    made = _from_definition(b, node, node.name)
    for decorator, span in reversed(decorators):
        made = b.emit("py_call", (decorator, made), span, node.name, keywords=(), stars=())
    assign_name(b, node.name, made, b.span(node))


@expression(gast.Lambda)
def lambda_(b: FunctionBuilder, node: Any) -> Atom:
    """`lambda …: …`."""
    return _from_definition(b, node, "<lambda>")


@expression(gast.GeneratorExp)
def generator(b: FunctionBuilder, node: Any) -> Atom:
    """`(f(x) for x in xs if g(x))`: `map(λ x: f(x), filter(λ x: g(x), xs))`, which is as lazy as it is.

    With a further `for` inside, what the outer one maps to are such iterators, chained.
    """
    return _generate(b, node, 0, b.value(node.generators[0].iter))


def _generate(b: FunctionBuilder, node: Any, depth: int, iterable: Atom) -> Atom:
    part = node.generators[depth]
    if part.ifs:
        joined = part.ifs[0] if len(part.ifs) == 1 else _all_of(part.ifs)
        keep = _item_function(b, node, part.target, lambda inner: test(inner, joined, inner.span(node)))
        iterable = _call(b, filter, keep, iterable, node)
    if depth + 1 == len(node.generators):
        return _call(b, map, _item_function(b, node, part.target, lambda inner: inner.value(node.elt)), iterable, node)

    def further(inner: FunctionBuilder) -> Atom:
        return _generate(inner, node, depth + 1, inner.value(node.generators[depth + 1].iter))

    iterators = _call(b, map, _item_function(b, node, part.target, further), iterable, node)
    return _call(b, itertools.chain.from_iterable, iterators, None, node)


def _all_of(tests: Sequence[Any]) -> Any:
    joined = gast.BoolOp(gast.And(), list(tests))
    joined.lineno, joined.col_offset = tests[0].lineno, tests[0].col_offset
    joined.end_lineno, joined.end_col_offset = tests[-1].end_lineno, tests[-1].end_col_offset
    return joined


def _call(b: FunctionBuilder, function: Callable[..., Any], first: Atom, second: Atom | None, node: Any) -> Atom:
    arguments = (Literal(function, None), first) if second is None else (Literal(function, None), first, second)
    return b.emit("py_call", arguments, b.span(node), "generator", keywords=(), stars=())


def _item_function(b: FunctionBuilder, node: Any, target: Any, compute: Callable[[FunctionBuilder], Atom]) -> Atom:
    """A function of one item of a generator expression."""
    inner = _inner(b, node, "<genexpr>")
    item = inner.graph.param(
        inner.written(target.id) if type(target) is gast.Name else "item", None, inner.span(target)
    )
    make_cells(inner, [name for name in target_names(node) if name in inner.scope.cells], inner.graph.graph_span)
    assign(inner, target, item)
    graph = inner.graph.finish([compute(inner)])
    return _make(b, inner, graph, [Parameter("item", "POSITIONAL_ONLY", False)])
