"""The `dce` pass: what has no effect and no use is dropped; outputs of branches and carries of loops too."""

from __future__ import annotations

from collections.abc import Iterable
from typing import ClassVar

from jitcore.ir.analysis import EffectAnalysis, all_graphs, symbols_in
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Module, Var
from jitcore.ir.rewrite import with_body, with_graphs
from jitcore.passes.registry import Pass
from jitcore.structs import dataclass, replace
from jitcore.types import STACK, Dim, DimExpr, RefType, TensorType, TupleType, Type, UnionType

_BRANCHES = (COND, SWITCH, TRY)


@dataclass(frozen=True)
class Dce(Pass):
    """Drops bindings, outputs of branches and carries of loops that nobody uses.

    before    i, a, b = while_(test, step, 0, x, y)        # where only a is used, and b only for itself
    after     i, a = while_(test, step, 0, x)

    Bindings with effects, or that may raise or never end, stay.
    """

    name: ClassVar[str] = "dce"
    cleans_up: ClassVar[tuple[int, ...]] = (70,)

    def run(self, module: Module) -> Module:
        """The module without dead code."""
        effects = EffectAnalysis(module)
        return with_graphs(
            module, {name: _sweep(graph, _mark(graph, effects)) for name, graph in module.graphs.items()}
        )


@dataclass(frozen=True, slots=True)
class _Live:
    variables: set[Var]
    bindings: set[Binding]


def _mark(root: Graph, effects: EffectAnalysis) -> _Live:
    """What is needed: from the results and the bindings with effects back to what these use."""
    marker = _Marker(root)
    marker.need_all(root.results)
    for graph in all_graphs(root):
        for binding in graph.body:
            if not effects.removable(binding) or _handles_stack(binding):
                marker.keep(binding)
    marker.finish()
    return _Live(marker.variables, marker.bindings)


class _Marker:
    def __init__(self, root: Graph) -> None:
        self.variables: set[Var] = set()
        self.bindings: set[Binding] = set()
        self.pending: list[Var] = []
        self.made_by: dict[Var, Binding] = {}
        self.place: dict[Var, tuple[Binding, Graph, int]] = {}
        self.around: dict[Graph, Binding] = {}
        self.inside: dict[Binding, Graph] = {}
        for graph in all_graphs(root):
            for binding in graph.body:
                self.inside[binding] = graph
                self.made_by.update((out, binding) for out in binding.outs)
                for inner in binding.graphs:
                    self.around[inner] = binding
                    self.place.update((p, (binding, inner, i)) for i, p in enumerate(inner.params))
        self.introducers = _introducers(root)

    def need_all(self, atoms: Iterable[Atom]) -> None:
        for atom in atoms:
            if isinstance(atom, Var) and atom not in self.variables:
                self.variables.add(atom)
                self.pending.append(atom)

    def keep(self, binding: Binding) -> None:
        """`binding` is evaluated: so are the graphs around it, and what it takes for that is needed."""
        current: Binding | None = binding
        while current is not None and current not in self.bindings:
            self.bindings.add(current)
            self.need_all(self.introducers.get(current, ()))
            self.need_all(_always_needed(current))
            if current.op is WHILE:
                self.need_all(current.graphs[0].results)
            current = self.around.get(self.inside[current])

    def finish(self) -> None:
        while self.pending:
            var = self.pending.pop()
            self.need_all(self.introducers.get(var, ()))
            if var in self.made_by:
                binding = self.made_by[var]
                self.keep(binding)
                self.need_output(binding, binding.outs.index(var))
            elif var in self.place:
                binding, _, index = self.place[var]
                self.keep(binding)
                self.need_parameter(binding, index)

    def need_output(self, binding: Binding, index: int) -> None:
        if binding.op in (FOR, WHILE):
            self.need_carry(binding, index)
        elif binding.graphs:
            self.need_all(graph.results[index] for graph in binding.graphs if graph.results)  # or it never ends

    def need_parameter(self, binding: Binding, index: int) -> None:
        if binding.op is WHILE:
            self.need_carry(binding, index)
        elif binding.op is FOR and index > 0:
            self.need_carry(binding, index - 1)

    def need_carry(self, loop: Binding, index: int) -> None:
        """A carry is needed: its first value, the body's next, and what the graphs call it."""
        self.need_all((loop.args[index + _before_carries(loop)], loop.graphs[-1].results[index], loop.outs[index]))
        for graph in loop.graphs:
            self.need_all((graph.params[index + (_before_carries(loop) if loop.op is FOR else 0)],))


def _before_carries(loop: Binding) -> int:
    return 1 if loop.op is FOR else 0


def _always_needed(binding: Binding) -> tuple[Atom, ...]:
    """The arguments that evaluating `binding` takes, whichever of its outputs are used."""
    if binding.op is FOR:
        return binding.args[:1]
    if binding.op is WHILE:
        return ()
    return binding.args


def _handles_stack(binding: Binding) -> bool:
    for atoms in (binding.args, binding.outs):
        for atom in atoms:
            if atom.type is STACK:
                return True
    return False


# --- symbolic dimensions: a variable is also used by what mentions a dimension that it introduces ---------


def _introducers(root: Graph) -> dict[Binding | Var, list[Var]]:
    """The variables whose types introduce the symbols that a binding mentions in its types and static parameters, or a
    graph's parameter in its type."""
    found: dict[Binding | Var, list[Var]] = {}
    _collect_introducers(root, {}, _widened(root), found)
    return found


def _widened(root: Graph) -> frozenset[str]:
    """The symbols that stand for other extents where a `widen`, or what carries its result, introduces them again."""
    names = frozenset[str]()
    for graph in all_graphs(root):
        for binding in graph.body:
            if binding.op.name == "widen":
                names |= symbols_in(binding.params["shape"])
    return names


def _collect_introducers(
    graph: Graph, around: dict[str, Var], widened: frozenset[str], found: dict[Binding | Var, list[Var]]
) -> None:
    known = dict(around)

    def introduce(var: Var, again: frozenset[str]) -> None:
        if not symbols_in(var.type):
            return
        for dim in _dims(var.type):
            if isinstance(dim, DimExpr) and (name := str(dim)) in dim.symbols and (name in again or name not in known):
                known[name] = var

    for param in graph.params:
        introduce(param, widened)
    for param in graph.params:
        if mentioned := symbols_in(param.type):
            found[param] = [known[name] for name in mentioned if name in known]
    for binding in graph.body:
        for inner in binding.graphs:
            _collect_introducers(inner, known, widened, found)
        mentioned = frozenset[str]()
        for value in binding.params.values():
            mentioned |= symbols_in(value)
        for out in binding.outs:
            mentioned |= symbols_in(out.type)
        if mentioned:
            found[binding] = [known[name] for name in mentioned if name in known]
        for out in binding.outs:
            introduce(out, widened if binding.graphs or binding.op.name == "widen" else frozenset())


def _dims(type_: Type | None) -> Iterable[Dim]:
    match type_:
        case TensorType(_, shape) | RefType(TensorType(_, shape)):
            return shape
        case TupleType(items) | UnionType(items):
            return [dim for item in items for dim in _dims(item)]
        case _:
            return ()


# --- sweeping -----------------------------------------------------------------------------------------


def _sweep(graph: Graph, live: _Live) -> Graph:
    """`graph` without what is not live. One Python frame a level of nesting."""
    body: list[Binding] = []
    for binding in graph.body:
        if binding not in live.bindings:
            continue
        if binding.graphs:
            nested: list[Graph] = []
            for inner in binding.graphs:
                nested.append(_sweep(inner, live))
            binding = _without_dead_outputs(binding, nested, live)
        body.append(binding)
    return with_body(graph, body, graph.results)


def _without_dead_outputs(binding: Binding, graphs: list[Graph], live: _Live) -> Binding:
    """`binding` around its swept graphs, with only the outputs (and carries, and results of graphs) that are live."""
    kept = [i for i, out in enumerate(binding.outs) if out in live.variables or binding.op is CALL]
    if len(kept) == len(binding.outs):
        same = all(new is old for new, old in zip(graphs, binding.graphs, strict=True))
        return binding if same else replace(binding, graphs=tuple(graphs))
    outs = tuple(binding.outs[i] for i in kept)
    args = binding.args
    if binding.op in (FOR, WHILE):
        before = _before_carries(binding)
        args = (*args[:before], *(args[before + i] for i in kept))
        graphs = [_keep_carries(g, kept, before) for g in graphs]
        body = graphs[-1]
        graphs[-1] = replace(body, results=tuple(body.results[i] for i in kept))
    else:
        graphs = [replace(g, results=tuple(g.results[i] for i in kept)) if g.results else g for g in graphs]
    return replace(binding, outs=outs, args=args, graphs=tuple(graphs))


def _keep_carries(graph: Graph, kept: list[int], before: int) -> Graph:
    return replace(graph, params=(*graph.params[:before], *(graph.params[before + i] for i in kept)))
