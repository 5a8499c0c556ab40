"""What differs from row to row: values that depend on the rows, by data or by the branches and loops they come from."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Var
from jitcore.passes.transforms.grad.activity import is_window
from jitcore.primitives.core.registry import Primitive
from jitcore.types import RefType, StackType


class Dependence:
    """The variables of a body, and of graphs nested in it, that differ from row to row."""

    def __init__(self, graph: Graph, batched: Iterable[Var]) -> None:
        self.batched = set(batched)
        self._roots: dict[Var, Var] = {}
        size = -1
        while size != len(self.batched):
            size = len(self.batched)
            self._body(graph.body, False)

    def __call__(self, atom: Atom) -> bool:
        """Whether a value differs from row to row."""
        return isinstance(atom, Var) and (atom in self.batched or self._root(atom) in self.batched)

    def _root(self, var: Var) -> Var:
        while var in self._roots:
            var = self._roots[var]
        return var

    def _add(self, atoms: Iterable[Atom]) -> None:
        for atom in atoms:
            if isinstance(atom, Var):
                self.batched.add(self._root(atom) if isinstance(atom.type, RefType) else atom)

    def _body(self, body: Sequence[Binding], controlled: bool) -> None:
        """`controlled`: whether rows differ in getting here, or in how often."""
        for b in body:
            self._binding(b, controlled)

    def _binding(self, b: Binding, controlled: bool) -> None:
        if b.op in (COND, SWITCH, TRY):
            self._branches(b, controlled)
        elif b.op in (WHILE, FOR):
            self._loop(b, controlled)
        elif isinstance(b.op, Primitive):
            self._primitive(b, b.op, controlled)
        else:
            for graph in b.graphs:
                self._body(graph.body, controlled)
            if any(map(self, b.args)) or b.op is not CALL:
                self._add(b.outs)
                self._add(a for a in b.args if isinstance(a.type, RefType))

    def _primitive(self, b: Binding, op: Primitive, controlled: bool) -> None:
        if is_window(op):
            source = b.args[0]
            assert isinstance(source, Var)
            self._roots[b.outs[0]] = source
            if any(map(self, b.args[1:])):
                self._add(b.outs)
            return
        differs = any(map(self, b.args))
        if op.effects.writes and b.args and (differs or controlled):
            self._add(b.args[:1])
        if differs or (controlled and isinstance(b.args[0].type if b.args else None, StackType)):
            self._add(b.outs)

    def _branches(self, b: Binding, controlled: bool) -> None:
        differs = any(map(self, b.args))
        for graph in b.graphs:
            self._body(graph.body, controlled or differs)
        ending = [g.results for g in b.graphs if g.results or not b.outs]  # one that only raises has no results
        for out, *results in zip(b.outs, *ending, strict=True):
            if differs or any(map(self, (out, *results))):
                self._add([out, *(r for r in results if isinstance(r.type, RefType))])

    def _loop(self, b: Binding, controlled: bool) -> None:
        head = 1 if b.op is FOR else 0
        body = b.graphs[-1]
        differs = any(map(self, b.args[:head])) or (b.op is WHILE and self(b.graphs[0].results[0]))
        for graph in b.graphs:
            self._body(graph.body, controlled or differs)
        tests = b.graphs[0].params if b.op is WHILE else body.params[head:]
        groups = zip(b.outs, b.args[head:], body.params[head:], tests, body.results, strict=True)
        for out, init, carry, test, result in groups:
            if differs or any(map(self, (out, init, carry, test, result))):
                self._add([out, carry, test])
                self._add(a for a in (init, result) if isinstance(a.type, RefType))
