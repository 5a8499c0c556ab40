"""What is asked of graphs: the graphs nested in them, free variables, uses, definitions and effects.

Everything is computed when asked, in time linear in the size of the graph, and without recursion: bodies of
any length and graphs nested to any depth do.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from functools import reduce
from operator import or_
from typing import Final, cast

from jitcore.ir.control import CALL, WHILE
from jitcore.ir.nodes import PURE, Binding, Effects, Graph, Module, Var
from jitcore.types import Dim, DimExpr, RefType, TensorType, TupleType, Type, UnionType


def all_graphs(root: Graph | Module) -> Iterator[Graph]:
    """`root` (or all graphs of a module) and every graph nested in it, each before the ones nested in it and
    otherwise in the order of the text."""
    pending = [root] if isinstance(root, Graph) else list(root.graphs.values())[::-1]
    while pending:
        graph = pending.pop()
        yield graph
        pending += [g for binding in reversed(graph.body) if binding.graphs for g in reversed(binding.graphs)]


def all_bindings(root: Graph | Module) -> Iterator[Binding]:
    """Every binding of every graph of `all_graphs(root)`."""
    for graph in all_graphs(root):
        yield from graph.body


def free_variables(graph: Graph) -> tuple[Var, ...]:
    """The variables of surrounding graphs that `graph`, or a graph nested in it, uses; in order of first use."""
    bound: set[Var] = set()
    used: dict[Var, None] = {}
    for inner in all_graphs(graph):
        bound.update(inner.params)
        for binding in inner.body:
            bound.update(binding.outs)
            used.update((arg, None) for arg in binding.args if isinstance(arg, Var))
        used.update((result, None) for result in inner.results if isinstance(result, Var))
    return tuple(var for var in used if var not in bound)


def uses(root: Graph | Module) -> Counter[Var]:
    """How often each variable stands as an argument or a result, nested graphs included."""
    count: Counter[Var] = Counter()
    for graph in all_graphs(root):
        for binding in graph.body:
            for arg in binding.args:
                if isinstance(arg, Var):
                    count[arg] += 1
        for result in graph.results:
            if isinstance(result, Var):
                count[result] += 1
    return count


def definitions(root: Graph | Module) -> dict[Var, Binding]:
    """The binding that each variable is an output of (parameters have none)."""
    return {out: binding for binding in all_bindings(root) for out in binding.outs}


def symbols(root: Graph | Module) -> frozenset[str]:
    """The names of all symbolic dimensions in the types and static parameters of `root`."""
    found: set[str] = set()
    for graph in all_graphs(root):
        types = {param.type for param in graph.params}
        for binding in graph.body:
            types.update(out.type for out in binding.outs)
            types.update(arg.type for arg in binding.args if not isinstance(arg, Var))
            for key, value in binding.params.items():
                if not isinstance(value, str | int):  # as most are
                    found |= symbols_in(value)
                elif key == "symbol" and isinstance(value, str):
                    found.add(value)
        types.update(result.type for result in graph.results)
        for type_ in types:
            found |= symbols_in(type_)
    return frozenset(found)


_NO_SYMBOLS: Final = frozenset[str]()


_OF_EXTENTS: Final = (Type, DimExpr)


def symbols_in(value: object) -> frozenset[str]:
    """The symbols of a type or of a static parameter's value."""
    if isinstance(value, _OF_EXTENTS):
        return value.symbols
    if isinstance(value, tuple):
        return _NO_SYMBOLS.union(*map(symbols_in, cast("tuple[object, ...]", value)))
    return _NO_SYMBOLS


def extents_in(type_: Type) -> list[Dim]:
    """The extents in a type, in order."""
    match type_:
        case TensorType(_, shape):
            return list(shape)
        case RefType(target):
            return list(target.shape)
        case TupleType(items) | UnionType(items):
            return [dim for item in items for dim in extents_in(item)]
        case _:
            return []


def is_bare(dim: Dim) -> bool:
    """Whether an extent is a symbol, which a variable of a type with it introduces."""
    return isinstance(dim, DimExpr) and str(dim) in dim.symbols


_ANYTHING = Effects(reads=True, writes=True, io=True, raises=("Exception",))


class EffectAnalysis:
    """The effects of graphs and bindings, control flow included: a binding's are its operator's and those of its
    graphs; a call's are those of the graph it calls, recursion included.

    Answers are remembered by graph. Without a `module`, a call may do anything.
    """

    def __init__(self, module: Module | None = None) -> None:
        self._effects: dict[Graph, Effects] = {}
        self._ends: dict[Graph, bool] = {}
        callees = {} if module is None else {name: _callees(graph) for name, graph in module.graphs.items()}
        graphs = {} if module is None else module.graphs
        self._callee_effects = _close_effects(graphs, callees)
        self._ending_callees = _surely_ending(graphs, callees)

    def of_binding(self, binding: Binding) -> Effects:
        """What evaluating `binding` may do."""
        effects = binding.op.effects
        if binding.op is CALL:
            effects |= self._callee_effects.get(binding.params["callee"], _ANYTHING)
        for graph in binding.graphs:
            effects |= self.of_graph(graph)
        return effects

    def of_graph(self, graph: Graph) -> Effects:
        """What evaluating the body of `graph` may do."""
        if graph not in self._effects:
            for inner in reversed(list(all_graphs(graph))):  # nested graphs first: what is asked below is known
                if inner not in self._effects:
                    self._effects[inner] = reduce(or_, map(self.of_binding, inner.body), PURE)
        return self._effects[graph]

    def ends(self, binding: Binding) -> bool:
        """Whether `binding` surely ends: nothing in it is a `while_` or a recursion."""
        if binding.op is WHILE:
            return False
        if binding.op is CALL:
            return binding.params["callee"] in self._ending_callees
        for graph in binding.graphs:
            if graph not in self._ends:
                for inner in reversed(list(all_graphs(graph))):
                    if inner not in self._ends:
                        self._ends[inner] = all(map(self.ends, inner.body))
            if not self._ends[graph]:
                return False
        return True

    def removable(self, binding: Binding) -> bool:
        """Whether `binding` may be dropped if none of its outputs is used."""
        return self.of_binding(binding).removable and self.ends(binding)


def effects_of(binding: Binding, module: Module | None = None) -> Effects:
    """The effects of one binding; asking about many, keep an `EffectAnalysis`."""
    return EffectAnalysis(module).of_binding(binding)


def recursive_graphs(module: Module) -> frozenset[str]:
    """The names of the graphs that may come to call themselves, directly or through others, or call one that does."""
    callees = {name: _callees(graph) for name, graph in module.graphs.items()}
    return frozenset(callees) - _peel(callees, set(callees))


def _callees(graph: Graph) -> frozenset[str]:
    return frozenset(binding.params["callee"] for binding in all_bindings(graph) if binding.op is CALL)


def _callers(callees: Mapping[str, frozenset[str]]) -> dict[str, list[str]]:
    callers: dict[str, list[str]] = {name: [] for name in callees}
    for name, called in callees.items():
        for callee in called & callees.keys():
            callers[callee].append(name)
    return callers


def _close_effects(graphs: Mapping[str, Graph], callees: Mapping[str, frozenset[str]]) -> dict[str, Effects]:
    """The effects of every module graph: the least fixed point over the calls between them."""
    callers = _callers(callees)
    closed: dict[str, Effects] = {}
    for name, graph in graphs.items():
        effects = PURE if callees[name] <= graphs.keys() else _ANYTHING
        for op in dict.fromkeys(binding.op for binding in all_bindings(graph)):
            effects |= op.effects
        closed[name] = effects
    pending = list(closed)
    while pending:
        name = pending.pop()
        for caller in callers[name]:
            grown = closed[caller] | closed[name]
            if _extent(grown) != _extent(closed[caller]):
                closed[caller] = grown
                pending.append(caller)
    return closed


def _extent(effects: Effects) -> tuple[bool, bool, bool, int]:
    return effects.reads, effects.writes, effects.io, len(effects.raises)


def _surely_ending(graphs: Mapping[str, Graph], callees: Mapping[str, frozenset[str]]) -> frozenset[str]:
    loop_free = {name for name, g in graphs.items() if not any(b.op is WHILE for b in all_bindings(g))}
    return _peel(callees, loop_free)


def _peel(callees: Mapping[str, frozenset[str]], allowed: set[str]) -> frozenset[str]:
    """The graphs of `allowed` that call only graphs of the answer: leaves first, so none on a cycle."""
    callers = _callers(callees)
    waiting = {name: len(called) for name, called in callees.items()}  # a callee outside the module is never done
    ready = [name for name in callees if not waiting[name] and name in allowed]
    done: set[str] = set()
    while ready:
        name = ready.pop()
        done.add(name)
        for caller in callers[name]:
            waiting[caller] -= 1
            if not waiting[caller] and caller in allowed:
                ready.append(caller)
    return frozenset(done)
