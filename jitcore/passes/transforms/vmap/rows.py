"""One row after the other: a loop over the batch around the graph of a row, its results put side by side."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.ir.analysis import symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import FOR
from jitcore.ir.nodes import Atom, Graph, Literal, Var, type_of
from jitcore.ir.rewrite import inline
from jitcore.primitives.core import broadcasting
from jitcore.primitives.ops import conversions, state, views
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.source import CompileError, Problem
from jitcore.types import INT, Dim, RefType, ScalarType, TensorType, Type


def row_spec(shape: Sequence[Dim]) -> tuple[tuple[Any, ...], ...]:
    """The view of one row of a batch of arrays of a shape; see `primitives.ops.views`."""
    return (("i", 0), *(("s", 0, 1, extent) for extent in shape))


def batch_type(type_: Type, n: Dim) -> TensorType | None:
    """The type of n values of a type; None if they are no arrays and numbers."""
    if isinstance(type_, RefType):
        type_ = type_.target
    if isinstance(type_, TensorType):
        return TensorType(type_.dtype, (n, *type_.shape))
    return TensorType(type_.dtype, (n,)) if isinstance(type_, ScalarType) else None


def by_rows(evaluator: GraphEvaluator, graph: Graph, args: Sequence[Atom], n: Dim) -> list[Atom]:
    """Emit the loop: `args` are batches of n rows, one for each parameter; the results are batches."""
    types = [_result_type(graph, r, n) for r in graph.results]
    places = [state.ref_new(broadcasting.zeros(t)) for t in types]
    count: Atom = Literal(n, INT) if isinstance(n, int) else conversions.extent(dim=n)
    outer = evaluator.builder
    evaluator.builder = GraphBuilder("row", outer.span)
    try:
        index = evaluator.builder.param("i", INT)
        rows = [row(p, a, index) for p, a in zip(graph.params, args, strict=True)]
        body, results = inline(graph, rows)
        evaluator.builder.body.extend(body)
        for place, type_, result in zip(places, types, results, strict=True):
            window = state.ref_view(place, index, spec=row_spec(type_.shape[1:]))
            state.ref_write(window, as_array(result))
        made = evaluator.builder.finish(())
    finally:
        evaluator.builder = outer
    outer.emit(FOR, (count,), graphs=(made,))
    return [state.ref_read(p) for p in places]


def row(param: Var, batch: Atom, index: Atom) -> Atom:
    """One row of a batch, of a parameter's type."""
    type_ = type_of(batch)
    assert isinstance(type_, TensorType)
    made = views.view_index(batch, index, spec=row_spec(type_.shape[1:]))
    return conversions.to_scalar(made) if isinstance(param.type, ScalarType) else made


def as_array(value: Atom) -> Any:
    """A result of a row as an array."""
    type_ = type_of(value)
    if isinstance(type_, ScalarType):
        return conversions.from_scalar(value, dtype=type_.dtype)
    return state.ref_read(value) if isinstance(type_, RefType) else value


def _result_type(graph: Graph, result: Atom, n: Dim) -> TensorType:
    type_ = batch_type(type_of(result), n)
    if type_ is None:
        raise refusal(graph, result, "a batch of values that may be of several types")
    if not symbols_in(type_).isdisjoint(_introduced(graph)):
        raise refusal(graph, result, "a batch of arrays whose shape may differ from row to row")
    return type_


def refusal(graph: Graph, result: Atom, what: str) -> CompileError:
    span = result.span if isinstance(result, Var) else graph.span
    return CompileError([Problem(span, f"{what} is not supported")], "cannot be batched")


def _introduced(graph: Graph) -> set[str]:
    """The symbols of dimensions that the bindings of a graph give a meaning."""
    found: set[str] = set()
    for b in graph.body:
        known = {s for a in b.args for s in symbols_in(a.type)}.union(*map(symbols_in, b.params.values()))
        found |= {s for o in b.outs for s in symbols_in(o.type)} - known
        name = b.params.get("symbol")
        if isinstance(name, str):
            found.add(name)
        for nested in b.graphs:
            found |= _introduced(nested)
    return found - {s for p in graph.params for s in symbols_in(p.type)}
