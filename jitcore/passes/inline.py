"""The `inline` pass: calls of graphs that are small, or called from one place only, become their bodies."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator
from typing import ClassVar

from jitcore.ir.analysis import all_bindings, recursive_graphs, symbols
from jitcore.ir.control import CALL
from jitcore.ir.nodes import Binding, Graph, Module, type_of
from jitcore.ir.printer import Namer
from jitcore.ir.rewrite import Rewriter, inline, with_graphs
from jitcore.ir.verify import match_symbols
from jitcore.passes.registry import Pass
from jitcore.source import NOWHERE, InternalError
from jitcore.structs import dataclass
from jitcore.types import Dim, symbol


@dataclass(frozen=True)
class Inline(Pass):
    """Puts the bodies of small graphs, and of those called once, where they are called; drops graphs nobody calls.

    before    y: f32[n] = call(x, callee='twice')
    after     y: f32[n] = mul(x, f32(2.0))

    Graphs that may come to call themselves stay.
    """

    name: ClassVar[str] = "inline"
    cleans_up: ClassVar[tuple[int, ...]] = (10,)
    max_bindings: int = 16

    def run(self, module: Module) -> Module:
        """The module with those calls inlined. Spans of inlined code have the call's as their caller."""
        if len(module.graphs) == 1:
            return module
        recursive = recursive_graphs(module)
        calls = Counter(b.params["callee"] for b in all_bindings(module) if b.op is CALL)
        graphs = dict(module.graphs)
        inliner = _Inliner(graphs, Namer(symbols(module)))
        for name in _callees_first(module):
            graphs[name] = inliner.graph(graphs[name])
            small = sum(1 for _ in all_bindings(graphs[name])) <= self.max_bindings
            if name not in recursive and name != module.entry and (small or calls[name] == 1):
                inliner.chosen.add(name)
        return with_graphs(module, {name: graphs[name] for name in _reachable(module.entry, graphs)})


class _Inliner(Rewriter):
    def __init__(self, graphs: dict[str, Graph], symbol_names: Namer) -> None:
        super().__init__()
        self.graphs = graphs
        self.chosen: set[str] = set()
        self.symbol_names = symbol_names

    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        if binding.op is not CALL or binding.params["callee"] not in self.chosen:
            return (binding,)
        callee = self.graphs[binding.params["callee"]]
        caller = None if binding.span == NOWHERE else binding.span
        bindings, results = inline(callee, binding.args, caller, self.dims(binding, callee))
        self.replaced.update(zip(binding.outs, results, strict=True))
        return bindings

    def dims(self, call: Binding, callee: Graph) -> dict[str, Dim]:
        """What the symbols of the callee stand for; those it introduces that no output shows get new names."""
        params = [type_of(p) for p in callee.params]
        dims = match_symbols(params, [type_of(a) for a in call.args])
        dims = match_symbols(callee.result_types, [type_of(out) for out in call.outs], dims)
        if dims is None:
            raise InternalError(f"a call of {callee.name} does not fit its types")
        for name in sorted(symbols(callee) - dims.keys()):
            dims[name] = symbol(self.symbol_names.fresh(name))
        return dims


def _callees(graph: Graph) -> Iterator[str]:
    for binding in all_bindings(graph):
        if binding.op is CALL:
            yield binding.params["callee"]


def _callees_first(module: Module) -> list[str]:
    """The graphs' names, each after those it calls (where no recursion forbids it)."""
    order: list[str] = []
    seen: set[str] = set()
    for root in module.graphs:
        pending: list[tuple[str, Iterator[str]]] = []
        if root not in seen:
            seen.add(root)
            pending.append((root, _callees(module.graphs[root])))
        while pending:
            name, rest = pending[-1]
            callee = next((c for c in rest if c not in seen), None)
            if callee is None:
                order.append(name)
                pending.pop()
            else:
                seen.add(callee)
                pending.append((callee, _callees(module.graphs[callee])))
    return order


def _reachable(entry: str, graphs: dict[str, Graph]) -> list[str]:
    """The graphs that `entry` comes to call, in the module's order."""
    seen = {entry}
    pending = [entry]
    while pending:
        for callee in _callees(graphs[pending.pop()]):
            if callee not in seen:
                seen.add(callee)
                pending.append(callee)
    return [name for name in graphs if name in seen]
