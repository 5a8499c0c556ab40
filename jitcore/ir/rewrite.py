"""Making new graphs from old ones: rebuilding binding by binding, substituting, cloning, inlining.

What nothing changed in keeps its identity, so that `new is old` says that a rewrite did nothing.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, cast

from jitcore import stopping
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var
from jitcore.source import Span
from jitcore.types import Dim, DimExpr, Type, map_dims, substitute_dims


class Rewriter:
    """Rebuilds graphs in the order of evaluation, replacing variables as it goes.

    Subclasses override `rewrite`. To replace an output for all that follows, they enter it in `replaced`
    (with an atom that is itself up to date) and leave out the binding.
    """

    def __init__(self) -> None:
        self.replaced: dict[Var, Atom] = {}

    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        """What stands in the place of `binding`, whose arguments and nested graphs are rewritten already."""
        return (binding,)

    def enter(self, graph: Graph) -> None:
        """Called before the bindings of `graph` (the old one) are rewritten."""

    def leave(self, graph: Graph) -> None:
        """Called after the bindings of `graph` (the old one) were rewritten."""

    def atom(self, atom: Atom) -> Atom:
        """What stands in the place of an atom."""
        return self.replaced.get(atom, atom) if isinstance(atom, Var) else atom

    def graph(self, graph: Graph) -> Graph:
        """Rebuild a graph; the same graph if nothing changed."""
        self.enter(graph)
        body: list[Binding] = []
        for old in graph.body:
            args = self._atoms(old.args)
            binding = old if args is old.args else with_args(old, args)
            if binding.graphs:
                nested: list[Graph] = []
                for inner in binding.graphs:  # one Python frame a level of nesting
                    nested.append(self.graph(inner))
                binding = _with_graphs(binding, tuple(nested))
            body.extend(self.rewrite(binding))
        self.leave(graph)
        return with_body(graph, body, self._atoms(graph.results))

    def module(self, module: Module) -> Module:
        """Rebuild every graph of a module; the same module if nothing changed."""
        return with_graphs(module, {name: self.graph(graph) for name, graph in module.graphs.items()})

    def _atoms(self, atoms: tuple[Atom, ...]) -> tuple[Atom, ...]:
        for atom in atoms:
            if atom in self.replaced:
                return tuple(map(self.atom, atoms))
        return atoms


def with_args(binding: Binding, args: tuple[Atom, ...]) -> Binding:
    """`binding` with other arguments."""
    return Binding(binding.outs, binding.op, args, binding.span, binding.params, binding.graphs)


def with_body(graph: Graph, body: Sequence[Binding], results: tuple[Atom, ...]) -> Graph:
    """`graph` with another body and other results; `graph` itself if they are the ones it has."""
    if results == graph.results and len(body) == len(graph.body) and all(map(_is, body, graph.body)):
        return graph
    return replace(graph, body=tuple(body), results=results)


def with_graphs(module: Module, graphs: Mapping[str, Graph]) -> Module:
    """`module` with other graphs; `module` itself if they are the ones it has."""
    if graphs.keys() == module.graphs.keys() and all(graphs[name] is graph for name, graph in module.graphs.items()):
        return module
    return Module(module.entry, dict(graphs))


def substitute(graph: Graph, atoms: Mapping[Var, Atom]) -> Graph:
    """`graph` with variables replaced, in nested graphs too."""
    rewriter = Rewriter()
    rewriter.replaced.update(atoms)
    return rewriter.graph(graph)


def clone(
    graph: Graph,
    atoms: Mapping[Var, Atom] | None = None,
    caller: Span | None = None,
    dims: Mapping[str, Dim] | None = None,
) -> Graph:
    """A copy of `graph` with fresh variables for all that it and its nested graphs bind.

    Its free variables are replaced by `atoms` where listed, the symbols of its dimensions by `dims`; its spans are
    `called_from(caller)` if one is given.
    """
    return _Cloner(dict(atoms or {}), caller, dims or {}).graph(graph)


def inline(
    graph: Graph, args: Sequence[Atom], caller: Span | None = None, dims: Mapping[str, Dim] | None = None
) -> tuple[tuple[Binding, ...], tuple[Atom, ...]]:
    """The bindings that compute `graph(*args)`, with fresh variables, and the atoms of its results.

    `caller` is the span of the call, which becomes the caller of every span; None for a graph that stands there.
    `dims` replaces the symbols of its dimensions.
    """
    cloner = _Cloner(dict(zip(graph.params, args, strict=True)), caller, dims or {})
    return cloner.body(graph)


class _Cloner:
    """Copies graphs; `atoms` grows by what they bind."""

    def __init__(self, atoms: dict[Var, Atom], caller: Span | None, dims: Mapping[str, Dim]) -> None:
        self.atoms = atoms
        self.caller = caller
        self.dims = dims
        self.spans: dict[int, Span] = {}  # by id: the spans live as long as the graph being copied

    def graph(self, graph: Graph) -> Graph:
        params: list[Var] = [self.bind(param) for param in graph.params]
        body: list[Binding] = []
        for binding in graph.body:
            nested: list[Graph] = []
            for inner in binding.graphs:  # one Python frame a level of nesting
                nested.append(self.graph(inner))
            body.append(self.binding(binding, tuple(nested)))
        results = tuple(map(self.atom, graph.results))
        return Graph(graph.name, tuple(params), tuple(body), results, self.span(graph.span))

    def body(self, graph: Graph) -> tuple[tuple[Binding, ...], tuple[Atom, ...]]:
        """Copies of the bindings and results of a graph whose parameters `atoms` replaces."""
        body = [self.binding(b, tuple(self.graph(inner) for inner in b.graphs)) for b in graph.body]
        return tuple(body), tuple(map(self.atom, graph.results))

    def binding(self, binding: Binding, graphs: tuple[Graph, ...]) -> Binding:
        stopping.check()
        args = tuple(map(self.atom, binding.args))
        outs = tuple(map(self.bind, binding.outs))
        params = binding.params
        if self.dims and params:
            params = {key: rename_dims(value, self.dims) for key, value in params.items()}
            if isinstance(name := params.get("symbol"), str):
                params["symbol"] = str(self.dims.get(name, name))
        return Binding(outs, binding.op, args, self.span(binding.span), params, graphs)

    def bind(self, var: Var) -> Var:
        type_ = var.type
        if self.dims and type_ is not None:
            type_ = map_dims(type_, lambda dim: substitute_dims(dim, self.dims))
        fresh = Var(var.name, type_, self.span(var.span))
        self.atoms[var] = fresh
        return fresh

    def atom(self, atom: Atom) -> Atom:
        if isinstance(atom, Var):
            return self.atoms.get(atom, atom)
        if self.dims and atom.type is not None:
            type_ = map_dims(atom.type, lambda dim: substitute_dims(dim, self.dims))
            return atom if type_ is atom.type else Literal(atom.value, type_)
        return atom

    def span(self, span: Span) -> Span:
        if self.caller is None:
            return span
        found = self.spans.get(id(span))
        if found is None:
            found = self.spans[id(span)] = span.called_from(self.caller)
        return found


def rename_dims(value: Any, dims: Mapping[str, Dim]) -> Any:
    """A static parameter with the symbols of its dimensions and types replaced."""
    if isinstance(value, DimExpr):
        return substitute_dims(value, dims)
    if isinstance(value, Type):
        return map_dims(value, lambda dim: substitute_dims(dim, dims))
    if type(value) is tuple:
        return tuple(rename_dims(item, dims) for item in cast("tuple[Any, ...]", value))
    return value


def _with_graphs(binding: Binding, graphs: tuple[Graph, ...]) -> Binding:
    return binding if all(map(_is, graphs, binding.graphs)) else replace(binding, graphs=graphs)


def _is(a: object, b: object) -> bool:
    return a is b
