"""Graphs of recursive functions closed: what they use from around them is handed on."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING

from jitcore.ir.analysis import all_bindings, all_graphs, free_variables
from jitcore.ir.control import CALL
from jitcore.ir.nodes import Binding, Graph, Var
from jitcore.ir.rewrite import Rewriter, clone, substitute
from jitcore.passes.infer.domain.extents import close_symbols
from jitcore.structs import replace

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def fresh_name(infer: Infer, name: str) -> str:
    name = name if name.isidentifier() else "lambda_"
    taken = {s.name for s in infer.recursions.made.values()} | {infer.entry_name, *infer.modules}
    made, k = name, 0
    while made in taken:
        k += 1
        made = f"{name}_{k}"
    return made


def close_graphs(entry: Graph, graphs: dict[str, Graph]) -> dict[str, Graph]:
    """Give the module's graphs what they use from the entry's inputs as further parameters, handed on through calls."""
    needs = _needs(graphs)
    if not any(needs.values()):
        return close_symbols({entry.name: entry, **graphs}, entry.name)

    out: dict[str, Graph] = {entry.name: _HandOn(needs).graph(entry)}
    for name, graph in graphs.items():
        extra = {v: Var(v.name, v.type, v.span) for v in needs[name]}
        body = _HandOn(needs).graph(graph).body
        lifted = Graph(name, (*graph.params, *extra.values()), body, graph.results, graph.span)
        out[name] = substitute(lifted, extra)
    return close_symbols(out, entry.name)


def close_calls(infer: Infer, graph: Graph) -> Graph:
    """A graph whose calls give the functions they reach what those use from around them as arguments: a transform of
    the graph must see all that goes into a call. The functions are copies, under names of their own."""
    reached: dict[str, Graph] = {}
    waiting = [n for n in sorted(callees_in(graph)) if n in infer.modules]
    while waiting:
        name = waiting.pop()
        if name not in reached:
            reached[name] = infer.modules[name]
            waiting += [n for n in sorted(callees_in(reached[name])) if n in infer.modules]
    needs = _needs(reached)
    names = {n: fresh_name(infer, n) for n in reached if needs[n]}
    if not names:
        return graph
    for name, copy in names.items():
        infer.modules[copy] = _lifted(reached[name], copy, needs, names)
    return _HandOn(needs, names).graph(graph)


def _needs(graphs: Mapping[str, Graph]) -> dict[str, dict[Var, None]]:
    """What each graph, and those it calls, use from around them."""
    needs: dict[str, dict[Var, None]] = {n: dict.fromkeys(free_variables(g)) for n, g in graphs.items()}
    callees = {n: callees_in(g) & set(graphs) for n, g in graphs.items()}
    own = {n: _bound_in(g) for n, g in graphs.items()}  # a function may use what belongs to the recursive one around it
    changed = True
    while changed:
        changed = False
        for name, called in callees.items():
            for var in (v for callee in called for v in needs[callee] if v not in needs[name] and v not in own[name]):
                needs[name] = {**needs[name], var: None}
                changed = True
    return needs


def _bound_in(graph: Graph) -> set[Var]:
    """The variables that a graph, or one nested in it, binds."""
    bound = {param for nested in all_graphs(graph) for param in nested.params}
    return bound | {out for binding in all_bindings(graph) for out in binding.outs}


def _lifted(graph: Graph, name: str, needs: Mapping[str, Mapping[Var, None]], names: Mapping[str, str]) -> Graph:
    """A graph with what it uses from around it as further parameters."""
    extra = {v: Var(v.name, v.type, v.span) for v in needs[graph.name]}
    body = _HandOn(needs, names).graph(graph).body
    lifted = Graph(name, (*graph.params, *extra.values()), body, graph.results, graph.span)
    return clone(substitute(lifted, extra))


class _HandOn(Rewriter):
    """Adds what callees need to the arguments of calls."""

    def __init__(self, needs: Mapping[str, Mapping[Var, None]], names: Mapping[str, str] | None = None) -> None:
        super().__init__()
        self.needs = needs
        self.names = names or {}

    def rewrite(self, binding: Binding) -> tuple[Binding, ...]:
        """A call with further arguments."""
        if binding.op is not CALL or not self.needs.get(binding.params["callee"]):
            return (binding,)
        callee = binding.params["callee"]
        params = {**binding.params, "callee": self.names.get(callee, callee)}
        return (replace(binding, args=(*binding.args, *self.needs[callee]), params=params),)


def callees_in(graph: Graph) -> set[str]:
    return {b.params["callee"] for b in all_bindings(graph) if b.op is CALL}
