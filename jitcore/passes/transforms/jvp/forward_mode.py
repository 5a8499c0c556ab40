"""Forward mode over graphs: control flow and calls (`structures` has refs, stacks and unions)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from jitcore.ir.analysis import free_variables
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Var, type_of
from jitcore.ir.rewrite import clone, inline, substitute
from jitcore.passes.transforms.grad.activity import differentiable
from jitcore.passes.transforms.grad.records import refusal
from jitcore.passes.transforms.jvp.structures import Structures
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import Primitive
from jitcore.source import CompileError, Problem
from jitcore.structs import dataclass
from jitcore.types import RefType


@dataclass(frozen=True, slots=True)
class Derived:
    """A recursive function with tangents: it takes those of the parameters `active`, and gives those of all results
    that can have one."""

    name: str
    active: tuple[int, ...]


class ForwardMode(Structures):
    """Differentiates graphs into the builder of a GraphEvaluator; `graphs` are the module's, and get new ones added."""

    def run(
        self, graph: Graph, args: Sequence[Atom], tangents: Sequence[Atom | None]
    ) -> tuple[tuple[Atom, ...], tuple[Atom | None, ...]]:
        """Emit `graph(*args)` with tangents (None: zero); its results and their tangents (None: zero)."""
        inputs = {Var(p.name, type_of(a), p.span): a for p, a in zip(graph.params, args, strict=True)}
        body, results = inline(graph, list(inputs))
        first = len(self.builder.body)
        given = {v: t for v, t in zip(inputs, tangents, strict=True) if t is not None and differentiable(v.type)}
        self.activity.add(given)
        self.tangents.update(given)
        self.activity.analyse(body)
        with evaluating_by(self.evaluator):
            self._shadow_outer(body, inputs)
            self._bindings(body)
            found = [self.tangent(r) for r in results]
        emitted = Graph("emitted", (), tuple(self.builder.body[first:]), (), self.builder.span)
        self.builder.body[first:] = substitute(emitted, inputs).body
        named = [inputs.get(a, a) if isinstance(a, Var) else a for a in (*results, *found)]
        return tuple(a for a in named[: len(results)] if a is not None), tuple(named[len(results) :])

    def _shadow_outer(self, body: Sequence[Binding], inputs: dict[Var, Atom]) -> None:
        """Places of the program around get tangents, zero at first, if they are written to with what has one."""
        free = free_variables(Graph("probe", tuple(inputs), tuple(body), (), self.builder.span))
        for var in (*inputs, *free):
            if isinstance(var.type, RefType) and self.activity.is_active(var) and var not in self.tangents:
                self.tangents[var] = self.zero(var)

    def _bindings(self, body: Sequence[Binding]) -> None:
        for binding in body:
            self.builder.span = binding.span
            if isinstance(binding.op, Primitive):
                self._primitive(binding, binding.op)
            elif not self._matters(binding):
                self.builder.append(binding)
            elif binding.op in (COND, SWITCH, TRY):
                self._branches(binding)
            elif binding.op in (FOR, WHILE):
                self._loop(binding)
            elif binding.op is CALL:
                self._call(binding)
            else:
                raise refusal(binding, f"the derivative of {binding.op.name}")

    def _matters(self, b: Binding) -> bool:
        """Whether a control-flow binding has to do with tangents: by its outputs, or by what is done in it."""
        if any(map(self.activity.is_active, (*b.outs, *b.args))):
            return True
        return any(
            any(map(self.activity.is_active, (*inner.outs, *inner.args))) or self._matters(inner)
            for graph in b.graphs
            for inner in graph.body
        )

    def _nested(self, graph: Graph, params: tuple[Var, ...], dual: Sequence[bool]) -> Graph:
        """A nested graph with tangents of those results that are to have one."""
        outer = self.builder
        self.evaluator.builder = GraphBuilder(graph.name, graph.span)
        try:
            self._bindings(graph.body)
            given = dual if graph.results else ()  # a graph of a `try_` that only raises has no results
            more = [self.tangent_or_zero(r) for r, wanted in zip(graph.results, given, strict=True) if wanted]
            body = tuple(self.builder.body)
        finally:
            self.evaluator.builder = outer
        return Graph(graph.name, params, body, (*graph.results, *more), graph.span)

    def _emit_with(self, b: Binding, made: Binding, dual: Sequence[bool]) -> None:
        """Append a binding that has tangents of the outputs `dual` behind its outputs."""
        chosen = [o for o, wanted in zip(b.outs, dual, strict=True) if wanted]
        more = tuple(Var(f"{o.name}_t", o.type, o.span) for o in chosen)
        self.tangents.update(zip(chosen, more, strict=True))
        self.builder.append(replace(made, outs=(*b.outs, *more)))

    def _branches(self, b: Binding) -> None:
        dual = [self.is_dual(o) for o in b.outs]
        graphs = tuple(self._nested(g, (), dual) for g in b.graphs)
        self._emit_with(b, replace(b, graphs=graphs), dual)

    def _loop(self, b: Binding) -> None:
        head = 1 if b.op is FOR else 0
        body = b.graphs[-1]
        carries = body.params[head:]
        dual = [self.is_dual(c) for c in carries]
        chosen = [c for c, wanted in zip(carries, dual, strict=True) if wanted]
        params = tuple(Var(f"{c.name}_t", c.type, c.span) for c in chosen)
        self.tangents.update(zip(chosen, params, strict=True))
        inits = [self.tangent_or_zero(a) for a, wanted in zip(b.args[head:], dual, strict=True) if wanted]
        graphs = (self._nested(body, (*body.params, *params), dual),)
        if b.op is not FOR:
            test = b.graphs[0]
            unused = tuple(Var(p.name, p.type, p.span) for p in params)
            graphs = (Graph(test.name, (*test.params, *unused), test.body, test.results, test.span), *graphs)
        self._emit_with(b, replace(b, args=(*b.args, *inits), graphs=graphs), dual)

    # --- recursive functions ------------------------------------------------------------------------

    def _call(self, b: Binding) -> None:
        name = b.params["callee"]
        active = tuple(k for k, a in enumerate(b.args) if self.is_dual(a))
        derived = self.derived.get((name, active)) or self._derive(name, active)
        args = (*b.args, *(self.tangent_or_zero(b.args[k]) for k in active))
        dual = [differentiable(o.type) for o in b.outs]
        self._emit_with(b, replace(b, args=args, params={**b.params, "callee": derived.name}), dual)

    def _derive(self, name: str, active: tuple[int, ...]) -> Derived:
        graph = clone(self.graphs[name])
        derived = Derived(self._fresh_name(f"{name}_jvp"), active)
        self.derived[(name, active)] = derived
        self.graphs[derived.name] = graph  # taken; replaced below
        self.activity.add(graph.params[k] for k in active)
        self.activity.analyse(graph.body)
        if any(map(self.is_dual, free_variables(graph))):
            what = f"{name} is recursive and takes a differentiated value from outside"
            raise CompileError([Problem(graph.span, what, "pass it as an argument")], "cannot be differentiated")
        params = tuple(Var(f"{graph.params[k].name}_t", graph.params[k].type, graph.span) for k in active)
        self.tangents.update(zip((graph.params[k] for k in active), params, strict=True))
        dual = [differentiable(type_of(r)) for r in graph.results]
        span = self.builder.span
        made = self._nested(graph, (*graph.params, *params), dual)
        self.builder.span = span
        self.graphs[derived.name] = replace(made, name=derived.name)
        return derived

    def _fresh_name(self, name: str) -> str:
        made, k = name, 0
        while made in self.graphs:
            k += 1
            made = f"{name}_{k}"
        return made
