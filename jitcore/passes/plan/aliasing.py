"""Which places may share memory, and which bindings may write to which: what the elision of copies rests on."""

from __future__ import annotations

from collections.abc import Collection, Iterable

from jitcore.ir.analysis import EffectAnalysis, all_graphs
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Var
from jitcore.passes.plan.values import NO_ROOTS, Roots
from jitcore.types import RefType, TupleType, Type, UnionType

_WRITES = frozenset({"ref_write", "ref_add", "ref_setitem"})
"""Primitives that write to their first argument and to nothing else."""
_FRESH = frozenset({"ref_new"})


class Aliasing:
    """Answers about one module graph.

    A place's *roots* are the variables that introduced its memory: parameters and `ref_new`s. Two places may overlap
    if they have a root in common, or parameters among their roots that may overlap.
    """

    def __init__(self, graph: Graph, effects: EffectAnalysis, overlapping: Collection[tuple[Var, Var]] | None) -> None:
        """`overlapping`: the pairs of parameters that may share memory; None if any two may."""
        self._effects = effects
        self._sources: dict[Var, tuple[Atom, ...] | None] = {}
        """What a variable's memory may come from; None: from anywhere. Roots are not listed."""
        self._params = frozenset(graph.params)
        self._overlapping = None if overlapping is None else {frozenset(pair) for pair in overlapping}
        self._roots: dict[Var, Roots] = {}
        self._written: dict[Binding, Roots] = {}
        for inner in all_graphs(graph):
            for binding in inner.body:
                self._note(binding)

    def _note(self, binding: Binding) -> None:
        if not any(has_place(out.type) for out in binding.outs):
            return
        graphs = binding.graphs
        if binding.op in (COND, SWITCH, TRY):
            for k, out in enumerate(binding.outs):
                self._sources[out] = tuple(g.results[k] for g in graphs if g.results)
        elif binding.op in (WHILE, FOR):
            head = 1 if binding.op is FOR else 0
            for k, out in enumerate(binding.outs):
                flows = (binding.args[head + k], graphs[-1].results[k])
                self._sources[out] = flows
                for g in graphs:
                    self._sources[g.params[k + (head if g is graphs[-1] else 0)]] = flows
        elif binding.op is CALL:
            for out in binding.outs:
                self._sources[out] = (*binding.args, out)
        elif binding.op.name == "stack_pop":
            for out in binding.outs:
                self._sources[out] = None
        elif binding.op.name not in _FRESH:
            for out in binding.outs:
                self._sources[out] = binding.args

    def roots(self, atom: Atom) -> Roots:
        """Where the memory of a place (or of a union of places) may lie."""
        if not isinstance(atom, Var):
            return NO_ROOTS
        found = self._roots.get(atom, NO_ROOTS)
        if atom not in self._roots:
            found = self._roots[atom] = self._find_roots(atom)
        return found

    def _find_roots(self, var: Var) -> Roots:
        roots: set[Var] = set()
        seen = {var}
        pending = [var]
        while pending:
            current = pending.pop()
            sources = self._sources.get(current, ())
            if sources is None:
                return None
            if (current not in self._sources or current in sources) and has_place(current.type):
                roots.add(current)
            for source in sources:
                if isinstance(source, Var) and source not in seen:
                    seen.add(source)
                    pending.append(source)
        return frozenset(roots)

    def may_overlap(self, a: Roots, b: Roots) -> bool:
        """Whether memory with these roots may be the same."""
        if NO_ROOTS in (a, b):
            return False
        if a is None or b is None or a & b:
            return True
        return any(self._params_overlap(x, y) for x in a & self._params for y in b & self._params)

    def _params_overlap(self, x: Var, y: Var) -> bool:
        return self._overlapping is None or frozenset((x, y)) in self._overlapping

    def written(self, binding: Binding) -> Roots:
        """The memory that evaluating a binding may write to."""
        found = self._written.get(binding, NO_ROOTS)
        if binding not in self._written:
            found = self._written[binding] = self._find_written(binding)
        return found

    def _find_written(self, binding: Binding) -> Roots:
        if binding.op.name in _WRITES:
            return self.roots(binding.args[0])
        effects = self._effects.of_binding(binding)
        if not (effects.writes or effects.io):
            return NO_ROOTS
        if binding.op is CALL:
            return None if effects.io else self._union(self.roots(a) for a in binding.args if has_place(a.type))
        if binding.graphs:
            return self._union(self.written(inner) for graph in binding.graphs for inner in graph.body)
        return None

    @staticmethod
    def _union(parts: Iterable[Roots]) -> Roots:
        total: set[Var] = set()
        for part in parts:
            if part is None:
                return None
            total |= part
        return frozenset(total)


def has_place(type_: Type | None) -> bool:
    """Whether values of a type are places or hold some."""
    match type_:
        case RefType():
            return True
        case TupleType(items) | UnionType(items):
            return any(map(has_place, items))
        case _:
            return False
