"""The forward pass: the differentiated graph, with what its loops, branches and recursive functions must keep.

A nested graph is left open: what it pushes onto the stack is known when its backward graph is (`backward.Reverse`).
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace
from typing import Any

from jitcore.ir.analysis import all_bindings
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.ir.rewrite import inline
from jitcore.passes.transforms.grad.activity import Activity, is_window
from jitcore.passes.transforms.grad.attempts import is_half_done, stepwise
from jitcore.passes.transforms.grad.chosen_places import with_values
from jitcore.passes.transforms.grad.parts import is_recomputed, written_places
from jitcore.passes.transforms.grad.records import Callee, Opened, Record, Residuals, refusal
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import conversions, python_ints, state
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.types import INT, STACK, DimExpr, RefType, TensorType, Type, UnionType, symbol


class Forward:
    """Emits graphs to be differentiated into the builder of a GraphEvaluator; `graphs` are the module's."""

    def __init__(self, builder: GraphBuilder, graphs: dict[str, Graph], through_numbers: bool = True) -> None:
        self.evaluator = GraphEvaluator(builder)
        self.graphs = graphs
        self.activity = Activity(graphs, through_numbers)
        self.callees: dict[Any, Callee] = {}
        self.windows: dict[Var, Binding] = {}
        """The bindings that make windows of refs, by their output."""
        self.choices: dict[Var, Binding] = {}
        """The branches that choose refs, or unions with refs, by their output."""
        self.members: dict[Var, Binding] = {}
        """What takes refs out of unions, by its output."""
        self.stack: Atom | None = None
        """The stack at the present point of the forward graph."""
        self.written: frozenset[Var] = frozenset()
        """The refs that the differentiated graphs write to."""
        self.around: tuple[GraphBuilder, ...] = ()
        """The forward graphs around the one being built."""

    @property
    def builder(self) -> GraphBuilder:
        return self.evaluator.builder

    def emit(self, primitive: Primitive, *args: Atom, **params: Any) -> Var:
        """Append a primitive with one result."""
        (out,) = self.builder.emit(primitive, args, params)
        return out

    def emit_none(self, primitive: Primitive, *args: Atom) -> None:
        """Append a primitive without results."""
        self.builder.emit(primitive, args, {})

    def run_forward(self, graph: Graph, args: Sequence[Atom]) -> Residuals:
        """Emit `graph(*args)`; derivatives are to be taken with respect to all args that can have one."""
        inputs = {Var(p.name, type_of(a), p.span): a for p, a in zip(graph.params, args, strict=True)}
        body, results = inline(graph, list(inputs))
        first = len(self.builder.body)
        self.activity.add(inputs)
        made = self._analysed(Graph(graph.name, tuple(inputs), body, results, graph.span))
        body, results = made.body, made.results
        self.written = written_places((*body, *(b for g in self.graphs.values() for b in g.body)))
        records = self._forward(body)
        defined = set(inputs) | {o for b in body for o in b.outs}
        return Residuals(records, inputs, results, first, self.stack, defined)

    def _analysed(self, graph: Graph) -> Graph:
        """A graph whose places are such that it can be run backwards, where that can be had, with what is active in it
        known."""
        self.activity.analyse(graph.body)
        made = with_values(graph, self.activity.is_active)
        if made is not graph:
            self.activity.analyse(made.body)
        return made

    def _forward(self, body: Sequence[Binding]) -> list[Record]:
        records: list[Record] = []
        for binding in body:
            self.builder.span = binding.span
            if binding.op is TRY and self._matters(binding) and is_half_done(binding, self.activity, self.graphs):
                steps = stepwise(binding, self.activity, self.graphs)
                self.activity.analyse(steps)
                records += self._forward(steps)
                continue
            if binding.graphs or binding.op is CALL:
                record = self._forward_control(binding)
            else:
                if is_window(binding.op):
                    self.windows[binding.outs[0]] = binding
                elif binding.op.name == "union_get":
                    self.members.update((o, binding) for o in binding.outs if isinstance(o.type, RefType))
                self.builder.append(binding)
                record = Record(binding, self.builder, len(self.builder.body) - 1)
            if record is not None:
                records.append(record)
        return records

    def _forward_control(self, b: Binding) -> Record | None:
        if b.op is COND or b.op is SWITCH:
            self.choices.update((o, b) for o in b.outs if has_place(o.type))
        if not self._matters(b):
            self.builder.append(b)
            return None
        if is_recomputed(b) and (record := self._forward_recomputed(b)) is not None:
            return record
        if self.stack is None:
            self.stack = self.emit(state.stack_new)
        if b.op is CALL:
            return self._forward_call(b)
        if b.op is COND or b.op is SWITCH:
            return self._forward_branches(b)
        if b.op is FOR or b.op is WHILE:
            return self._forward_loop(b)
        if b.op is TRY:
            return self._forward_try(b)
        raise refusal(b, f"the derivative of {b.op.name}")

    def _matters(self, b: Binding) -> bool:
        """Whether derivatives flow through a control-flow binding: by its outputs or by what it writes."""
        if any(map(self.activity.is_active, b.outs)):
            return True
        return any(self._writes_active(g) for g in b.graphs)

    def _writes_active(self, graph: Graph) -> bool:
        for b in graph.body:
            if isinstance(b.op, Primitive):
                if b.op.effects.writes and any(map(self.activity.is_active, b.args[:1])):
                    return True
            elif any(map(self._writes_active, b.graphs)):
                return True
        return False

    def _open(
        self, graph: Graph, params: tuple[Var, ...], stack: Var, renamed: Iterable[str] = (), nested: bool = True
    ) -> Opened:
        """Run a nested graph (or one of the module) forwards into a builder of its own, noting first what the `renamed`
        symbols stand for."""
        outer, outer_stack, around = self.builder, self.stack, self.around
        self.evaluator.builder, self.stack = GraphBuilder(graph.name, graph.span), stack
        self.around = (*around, outer) if nested else ()
        try:
            extents = {name: self.emit(conversions.extent, dim=symbol(name)) for name in renamed}
            records = self._forward(graph.body)
            assert isinstance(self.stack, Var)
            return Opened(graph, self.builder, graph.results, records, params, self.stack, self.around, extents)
        finally:
            self.evaluator.builder, self.stack = outer, outer_stack
            self.around = around

    def _append_open(self, b: Binding, opened: tuple[Opened, ...], **more: Any) -> Record:
        self.builder.append(b)
        return Record(b, self.builder, len(self.builder.body) - 1, opened, **more)

    def _forward_branches(self, b: Binding) -> Record:
        assert isinstance(self.stack, Var)
        opened = tuple(self._open(g, (), self.stack) for g in b.graphs)
        stack = Var("stack", STACK, b.span)
        made = replace(b, outs=(*b.outs, stack))
        record = self._append_open(made, opened)
        self.stack = stack
        return record

    def _forward_try(self, b: Binding) -> Record:
        """Which of the graphs came to its end is one more result. Those that never do are left alone."""
        assert isinstance(self.stack, Var)
        alive = [g for g in b.graphs if g.results or not b.outs]
        opened = tuple(self._open(g, (), self.stack) for g in alive)
        for k, graph in enumerate(opened):
            graph.results = (*graph.results, Literal(k, INT))
        path, stack = Var("path", INT, b.span), Var("stack", STACK, b.span)
        taken = Binding(b.outs, SWITCH, (path,), b.span, {}, tuple(alive))
        self.choices.update((o, taken) for o in b.outs if has_place(o.type))
        made = replace(b, outs=(*b.outs, path, stack))
        record = self._append_open(made, opened, path=path)
        self.stack = stack
        return record

    def _forward_loop(self, b: Binding) -> Record:
        assert self.stack is not None
        body = b.graphs[-1]
        inner = Var("stack", STACK, body.span)
        opened = self._open(body, (*body.params, inner), inner, _renamed(body))
        stack = Var("stack", STACK, b.span)
        if b.op is FOR:
            made = replace(b, args=(*b.args, self.stack), outs=(*b.outs, stack))
            count: Atom = b.args[0]
        else:
            counted = Var("n", INT, body.span)
            opened.params = (*body.params, counted, inner)
            with self._writing(opened.builder):
                more = self.emit(python_ints.int_add, counted, Literal(1, INT))
            opened.results = (*body.results, more)
            test = _with_params(b.graphs[0], (Var("n", INT, body.span), Var("stack", STACK, body.span)))
            count = Var("n", INT, b.span)
            args = (*b.args, Literal(0, INT), self.stack)
            made = replace(b, args=args, outs=(*b.outs, count, stack), graphs=(test, body))
        record = self._append_open(made, (opened,), count=count)
        self.stack = stack
        return record

    def _writing(self, builder: GraphBuilder) -> Any:
        return Writing(self, builder)

    def _forward_call(self, b: Binding) -> Record:
        assert self.stack is not None
        name = b.params["callee"]
        active = tuple(k for k, a in enumerate(b.args) if self.activity.is_active(a))
        callee = self.callees.get((name, active))
        if callee is None:
            callee = self._derive(name, active)
        stack = Var("stack", STACK, b.span)
        made = Binding((*b.outs, stack), CALL, (*b.args, self.stack), b.span, {"callee": callee.forward})
        self.builder.append(made)
        self.stack = stack
        return Record(b, self.builder, len(self.builder.body) - 1, callee=callee)

    def _forward_recomputed(self, b: Binding) -> Record | None:
        """Emit a part that is to be recomputed; None if it cannot be."""
        raise NotImplementedError

    def _derive(self, name: str, active: tuple[int, ...]) -> Callee:
        """The forward and backward graphs of a recursive function."""
        raise NotImplementedError


class Writing:
    """Emit into another builder for a while."""

    def __init__(self, reverse: Forward, builder: GraphBuilder) -> None:
        self.reverse = reverse
        self.builder = builder

    def __enter__(self) -> None:
        self.outer = self.reverse.builder
        self.builder.span = self.outer.span
        self.reverse.evaluator.builder = self.builder

    def __exit__(self, *error: object) -> None:
        self.reverse.evaluator.builder = self.outer


def has_place(type_: Type | None) -> bool:
    """Whether something is a ref, or a union that may be one."""
    members = type_.members if isinstance(type_, UnionType) else (type_,)
    return any(isinstance(m, RefType) for m in members)


def _renamed(body: Graph) -> list[str]:
    """The symbols of a loop's carries that stand for other extents at the end of a round."""
    made: set[str] = set()
    for binding in all_bindings(body):
        if binding.op.name == "widen":
            made |= {str(dim) for dim in binding.params["shape"] if isinstance(dim, DimExpr)}
    extents = [dim for p in body.params if isinstance(p.type, TensorType) for dim in p.type.shape]
    return list(dict.fromkeys(str(dim) for dim in extents if isinstance(dim, DimExpr) and str(dim) in made))


def _with_params(graph: Graph, more: tuple[Var, ...]) -> Graph:
    return Graph(graph.name, (*graph.params, *more), graph.body, graph.results, graph.span)
