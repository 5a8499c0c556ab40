"""The symbols that a module's graphs use and no parameter introduces: handed to them as the extents of further
parameters.

Such a parameter is an array of no elements' memory (a broadcast one), of which only the type counts: it has the symbol
bare, so that calls match it as any other, and inlining renames it.
"""

from __future__ import annotations

from collections.abc import Mapping

import numpy as np

from jitcore.ir.analysis import extents_in, is_bare, symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL
from jitcore.ir.nodes import Binding, Graph, Literal, Var, type_of
from jitcore.ir.rewrite import Rewriter
from jitcore.primitives.ops import shape
from jitcore.structs import replace
from jitcore.types import Dim, TensorType, bool_, substitute_dims, symbol


def close_symbols(graphs: dict[str, Graph], entry: str) -> dict[str, Graph]:
    """The graphs, each of which but the entry is given the symbols that it uses and doesn't introduce."""
    needs: dict[str, dict[str, None]] = {name: {} for name in graphs}
    changed = True
    while changed:
        changed = False
        for name, graph in graphs.items():
            found = _Needs(graphs, needs)
            found.graph(graph, frozenset())
            if name != entry and not found.names.keys() <= needs[name].keys():
                needs[name].update(found.names)
                changed = True
    if not any(needs.values()):
        return graphs
    out: dict[str, Graph] = {}
    for name, graph in graphs.items():
        extra = tuple(Var(f"of_{s}", TensorType(bool_, (symbol(s),)), graph.span) for s in needs[name])
        handed = _HandOn(graphs, needs).graph(graph)
        out[name] = replace(handed, params=(*extra, *graph.params))
    return out


class _Needs:
    """Finds the symbols a graph needs from outside, in the order of scopes."""

    def __init__(self, graphs: Mapping[str, Graph], needs: Mapping[str, dict[str, None]]) -> None:
        self.graphs = graphs
        self.needs = needs
        self.names: dict[str, None] = {}

    def graph(self, graph: Graph, known: frozenset[str]) -> None:
        for param in graph.params:
            known = self.bound(param, known)
        for binding in graph.body:
            known = self.binding(binding, known)

    def binding(self, binding: Binding, known: frozenset[str]) -> frozenset[str]:
        """What is known after a binding."""
        if binding.op.name == "widen":
            known |= {str(d) for d in binding.params["shape"] if is_bare(d)}
        for value in binding.params.values():
            if needed := symbols_in(value):
                self.need(needed, known)
        if binding.op is CALL:
            for dim in _handed(binding, self.graphs, self.needs):
                self.need(symbols_in(dim), known)
        for inner in binding.graphs:
            self.graph(inner, known)
        made = binding.params.get("symbol")
        if isinstance(made, str):
            known |= {made}
        for out in binding.outs:
            known = self.bound(out, known)
        return known

    def bound(self, var: Var, known: frozenset[str]) -> frozenset[str]:
        """What is known after a variable was bound."""
        type_ = type_of(var)
        if not type_.symbols:
            return known
        known |= {str(d) for d in extents_in(type_) if is_bare(d)}
        self.need(type_.symbols, known)
        return known

    def need(self, names: frozenset[str], known: frozenset[str]) -> None:
        self.names.update(dict.fromkeys(sorted(names - known)))


class _HandOn(Rewriter):
    """Adds what callees need to the arguments of calls."""

    def __init__(self, graphs: Mapping[str, Graph], needs: Mapping[str, dict[str, None]]) -> None:
        super().__init__()
        self.graphs = graphs
        self.needs = needs

    def rewrite(self, binding: Binding) -> tuple[Binding, ...]:
        """A call with further arguments."""
        if binding.op is not CALL or not self.needs[binding.params["callee"]]:
            return (binding,)
        builder = GraphBuilder("extents", binding.span)
        one = Literal(np.zeros(1, bool), TensorType(bool_, (1,)))
        extra: list[Var] = []
        for dim in _handed(binding, self.graphs, self.needs):
            extra += builder.emit(shape.broadcast_to, (one,), {"shape": (dim,)})
        return (*builder.body, replace(binding, args=(*extra, *binding.args)))


def _handed(call: Binding, graphs: Mapping[str, Graph], needs: Mapping[str, dict[str, None]]) -> list[Dim]:
    """What the symbols that a call's callee needs stand for in its caller."""
    name = call.params["callee"]
    values: dict[str, Dim] = {}
    for param, arg in zip(graphs[name].params, call.args, strict=True):
        for ours, theirs in zip(extents_in(type_of(param)), extents_in(type_of(arg)), strict=False):
            if is_bare(ours):
                values.setdefault(str(ours), theirs)
    return [substitute_dims(symbol(s), values) for s in needs[name]]
