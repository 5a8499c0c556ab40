"""Parts of a graph whose residuals are computed again in the backward pass instead of kept.

Such a part is a `switch` of one graph with the parameter `recompute`. Its forward graph is itself, and keeps nothing
but what must not happen twice: the results of bindings with effects (a draw of random numbers). The backward graph
begins with a copy of the rest, which leaves the residuals as the forward graph of any other code does, and goes on with
the copy's backward graph.

    y = switch(f, 0, recompute=True)      # forward: y = f(x)
    ct_x = …                              # backward: x' = again(x); f(x') with residuals; its backward graph

`again` keeps later passes from taking the copy for what it is a copy of. A part whose effects depend differentiably on
what is differentiated, or that cannot be told from others' (it reads what the program writes to), is differentiated as
any other code.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from jitcore.ir.analysis import EffectAnalysis, all_bindings, free_variables
from jitcore.ir.control import CALL
from jitcore.ir.nodes import Atom, Binding, Graph, Module, Var
from jitcore.ir.rewrite import clone
from jitcore.passes.transforms.grad.places import Places
from jitcore.passes.transforms.grad.records import Again, Record
from jitcore.passes.transforms.grad.scopes import Scope, slots_of
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops.copying import again
from jitcore.types import RefType, TensorType


class Recomputing(Places):
    """Runs recomputed parts forwards and backwards."""

    def _forward_recomputed(self, b: Binding) -> Record | None:
        """Emit a part as it is; None if it cannot be computed again."""
        (graph,) = b.graphs
        once = self._computed_once(graph)
        if once is None:
            return None
        outs = [o for binding in once for o in binding.outs]
        kept: dict[Var, Atom] = {o: Var(o.name, o.type, o.span) for o in outs}
        made = replace(graph, results=(*graph.results, *outs))
        fresh = tuple(v for v in kept.values() if isinstance(v, Var))
        self.builder.append(replace(b, outs=(*b.outs, *fresh), graphs=(made,)))
        rest = replace(graph, body=tuple(binding for binding in graph.body if binding not in once))
        return Record(b, self.builder, len(self.builder.body) - 1, again=Again(rest, kept))

    def _computed_once(self, graph: Graph) -> list[Binding] | None:
        """The bindings of a part that are not repeated; None if there is one that must be and cannot."""
        repeated = _Repeatable(self.activity.root, graph, self.written, EffectAnalysis(Module("", self.graphs)))
        once: list[Binding] = []
        for b in graph.body:
            if repeated(b):
                continue
            if not isinstance(b.op, Primitive) or any(map(self.activity.is_active, (*b.outs, *b.args))):
                return None
            if any(isinstance(o.type, RefType) for o in b.outs):
                return None
            once.append(b)
        return once

    def _backward_recomputed(self, scope: Scope, record: Record, part: Again) -> None:
        b = record.binding
        given = [
            (k, slot, cotangent)
            for k, out in enumerate(b.outs)
            for slot, _ in slots_of(out)
            if (cotangent := self._take(scope, slot)) is not None
        ]
        if not given and not self._writes_active(part.graph):
            return
        outside = [v for v in free_variables(part.graph) if v not in part.kept]
        inputs = {v: self.emit(again, v) for v in outside if isinstance(v.type, TensorType)}
        graph = clone(part.graph, {**inputs, **part.kept})
        records = self._repeat(scope, graph, inputs)
        for k, (_, member, place), cotangent in given:
            result = graph.results[k]
            if isinstance(result, Var) and self.activity.is_active(result):
                self._contribute(scope, (result, member, place), cotangent)
        self._backward(scope, records)
        for source, copy in inputs.items():
            total = self._take(scope, (copy, 0, 0))
            if total is not None:
                self._contribute(scope, (source, 0, 0), total)

    def _repeat(self, scope: Scope, graph: Graph, inputs: dict[Var, Var]) -> list[Record]:
        """Run a copy of a part forwards, at the beginning of its backward graph."""
        span = self.builder.span
        self.activity.add(copy for source, copy in inputs.items() if self.activity.is_active(source))
        self.activity.analyse(graph.body)
        outer, self.stack = self.stack, scope.stack
        try:
            records = self._forward(graph.body)
            scope.stack = self.stack
        finally:
            self.stack = outer
        self.builder.span = span
        scope.defined |= {*inputs.values(), *(o for b in graph.body for o in b.outs)}
        return records

    def _backward(self, scope: Scope, records: Sequence[Record]) -> None:
        """Run bindings backwards."""
        raise NotImplementedError


class _Repeatable:
    """Whether a binding of a part may be evaluated a second time: it gives the same and does nothing else."""

    def __init__(
        self, root: Callable[[Var], Var], graph: Graph, written: frozenset[Var], effects: EffectAnalysis
    ) -> None:
        self.root = root
        self.effects = effects
        self.written = written
        self.own = {b.outs[0] for b in all_bindings(graph) if b.op.name == "ref_new"}
        """The places that are made in the part."""

    def __call__(self, b: Binding) -> bool:
        if b.op is CALL:
            found = self.effects.of_binding(b)
            return not found.io and not found.writes and not (found.reads and self.written)
        if not isinstance(b.op, Primitive):
            return all(self(inner) for graph in b.graphs for inner in graph.body)
        if b.op.effects.io or isinstance(b.params.get("symbol"), str):
            return False
        if b.op.name.startswith("stack_") or b.op.name == "ref_new":
            return True
        if not (b.op.effects.reads or b.op.effects.writes):
            return True
        if not b.args or not isinstance(b.args[0], Var) or not isinstance(b.args[0].type, RefType):
            return False
        place = self.root(b.args[0])
        return place in self.own or (not b.op.effects.writes and not self.written)
