"""Reverse mode: runs a graph forwards, leaving residuals, and then backwards, summing cotangents.

Straight-line code keeps residuals as variables. What is inside branches, loops and recursive functions pushes the variables
its backward graph uses onto one stack, which backward graphs pop: backwards is exactly the order of a stack, so
that nothing is unrolled and the size of the program does not depend on trip counts.

The forward graph of a nested graph can only be finished when its backward graph is known (only then is it known what
to push): `forward` leaves it open, and `backward` of its binding closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from jitcore.ir.analysis import free_variables
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, SWITCH, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.ir.rewrite import clone, inline, substitute
from jitcore.passes.grad.activity import WINDOWS, Activity, differentiable
from jitcore.passes.grad.scopes import Scope, Slot, is_array, slot_type, slots_of
from jitcore.primitives import broadcasting, elementwise, python_ints, state
from jitcore.primitives.evaluation import evaluating_by
from jitcore.primitives.registry import (
    PRIMITIVES,
    Linear,
    Multilinear,
    Nondifferentiable,
    Partials,
    Primitive,
    View,
    Vjp,
)
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.source import CompileError, Problem
from jitcore.types import FLOAT, INT, STACK, RefType, ScalarType, StackType, TensorType, Type


@dataclass(slots=True, eq=False)
class Opened:
    """A nested forward graph before it is known what it pushes."""

    graph: Graph
    builder: GraphBuilder
    results: tuple[Atom, ...]
    records: list[Record]
    params: tuple[Var, ...]
    stack: Var


@dataclass(slots=True, eq=False)
class Record:
    """One binding of a forward graph; for control flow, where it stands in its builder, to be replaced when closed."""

    binding: Binding
    builder: GraphBuilder
    position: int
    opened: tuple[Opened, ...] = ()
    count: Atom | None = None
    """The trip count of a loop."""
    callee: Callee | None = None


@dataclass(slots=True, eq=False)
class Callee:
    """A recursive function's forward and backward graphs."""

    forward: str
    backward: str
    active_params: tuple[int, ...]
    active_results: tuple[int, ...]


@dataclass(slots=True)
class Residuals:
    """What `Reverse.run_forward` leaves for `run_backward`."""

    records: list[Record]
    inputs: dict[Var, Atom]
    """The variables that stand for the args (each its own, even where two args are one atom), until `finish`."""
    results: tuple[Atom, ...]
    first: int
    """Where the forward graph begins in the builder."""
    stack: Atom | None = None
    defined: set[Var] = field(default_factory=set[Var])

    def value(self, k: int) -> Atom:
        """A result, for use after the backward graph was emitted."""
        result = self.results[k]
        return self.inputs.get(result, result) if isinstance(result, Var) else result


class Reverse:
    """Differentiates graphs into the builder of a GraphEvaluator; `graphs` are the module's, and get new ones added."""

    def __init__(self, builder: GraphBuilder, graphs: dict[str, Graph]) -> None:
        self.evaluator = GraphEvaluator(builder)
        self.graphs = graphs
        self.activity = Activity(graphs)
        self.callees: dict[Any, Callee] = {}
        self.windows: dict[Var, Binding] = {}
        """The bindings that make windows of refs, by their output."""
        self.stack: Atom | None = None
        """The stack at the present point of the forward graph."""

    @property
    def builder(self) -> GraphBuilder:
        return self.evaluator.builder

    def emit(self, primitive: Primitive, *args: Atom, **params: Any) -> Var:
        """Append a primitive with one result."""
        (out,) = self.builder.emit(primitive, args, params)
        return out

    # --- forward ------------------------------------------------------------------------------------

    def run_forward(self, graph: Graph, args: Sequence[Atom]) -> Residuals:
        """Emit `graph(*args)`; derivatives are to be taken with respect to all args that can have one."""
        inputs = {Var(p.name, type_of(a), p.span): a for p, a in zip(graph.params, args, strict=True)}
        body, results = inline(graph, list(inputs))
        first = len(self.builder.body)
        self.activity.add(inputs)
        self.activity.analyse(body)
        records = self._forward(body)
        defined = set(inputs) | {o for b in body for o in b.outs}
        return Residuals(records, inputs, results, first, self.stack, defined)

    def _forward(self, body: Sequence[Binding]) -> list[Record]:
        records: list[Record] = []
        for binding in body:
            self.builder.span = binding.span
            if binding.graphs or binding.op is CALL:
                record = self._forward_control(binding)
            else:
                if binding.op.name in WINDOWS:
                    self.windows[binding.outs[0]] = binding
                self.builder.append(binding)
                record = Record(binding, self.builder, len(self.builder.body) - 1)
            if record is not None:
                records.append(record)
        return records

    def _forward_control(self, b: Binding) -> Record | None:
        if not self._matters(b):
            self.builder.append(b)
            return None
        if self.stack is None:
            self.stack = self.emit(state.stack_new)
        if b.op is CALL:
            return self._forward_call(b)
        if b.op is COND or b.op is SWITCH:
            return self._forward_branches(b)
        if b.op is FOR or b.op is WHILE:
            return self._forward_loop(b)
        raise _refusal(b, f"the derivative of {b.op.name}")

    def _matters(self, b: Binding) -> bool:
        """Whether derivatives flow through a control-flow binding: by its outputs or by what it writes."""
        if any(map(self.activity.is_active, b.outs)):
            return True
        return any(self._writes_active(g) for g in b.graphs)

    def _writes_active(self, graph: Graph) -> bool:
        for b in graph.body:
            if isinstance(b.op, Primitive):
                if b.op.effects.writes and self.activity.is_active(b.args[0]):
                    return True
            elif any(map(self._writes_active, b.graphs)):
                return True
        return False

    def _open(self, graph: Graph, params: tuple[Var, ...], stack: Var) -> Opened:
        """Run a nested graph forwards into a builder of its own."""
        outer, outer_stack = self.builder, self.stack
        self.evaluator.builder, self.stack = GraphBuilder(graph.name, graph.span), stack
        try:
            records = self._forward(graph.body)
            assert isinstance(self.stack, Var)
            return Opened(graph, self.builder, graph.results, records, params, self.stack)
        finally:
            self.evaluator.builder, self.stack = outer, outer_stack

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

    def _forward_loop(self, b: Binding) -> Record:
        assert self.stack is not None
        body = b.graphs[-1]
        inner = Var("stack", STACK, body.span)
        opened = self._open(body, (*body.params, inner), inner)
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
        return _Writing(self, builder)

    # --- backward -----------------------------------------------------------------------------------

    def run_backward(self, residuals: Residuals, cotangents: Sequence[Atom | None]) -> list[Atom | None]:
        """Emit the backward graph and give the cotangents of the args; None for those that have none. Only once."""
        scope = Scope("top", self.builder, None, residuals.defined, stack=residuals.stack)
        with evaluating_by(self.evaluator):
            for result, cotangent in zip(residuals.results, cotangents, strict=True):
                if cotangent is not None and isinstance(result, Var) and self.activity.is_active(result):
                    self._add(scope, (result, 0, 0), cotangent)
            self._backward(scope, residuals.records)
            if scope.stack is not None:
                self.emit_none(state.stack_free, scope.stack)
            sums = [self._take(scope, (v, 0, 0)) for v in residuals.inputs]
        body = self.builder.body
        emitted = Graph("emitted", (), tuple(body[residuals.first :]), (), self.builder.span)
        body[residuals.first :] = substitute(emitted, residuals.inputs).body
        return [residuals.inputs.get(s, s) if isinstance(s, Var) else s for s in sums]

    def emit_none(self, primitive: Primitive, *args: Atom) -> None:
        """Append a primitive without results."""
        self.builder.emit(primitive, args, {})

    def _backward(self, scope: Scope, records: Sequence[Record]) -> None:
        for record in reversed(records):
            self.builder.span = record.binding.span
            if record.callee is not None:
                self._backward_call(scope, record, record.callee)
            elif record.opened:
                if record.binding.op in (COND, SWITCH):
                    self._backward_branches(scope, record)
                else:
                    self._backward_loop(scope, record)
            else:
                self._backward_primitive(scope, record.binding)

    def _backward_primitive(self, scope: Scope, b: Binding) -> None:
        op = b.op
        assert isinstance(op, Primitive)
        if op.name.startswith("stack_"):
            self._backward_stack(scope, b)
            return
        if op.effects.writes or op.name in ("ref_read", "ref_new"):
            self._backward_ref(scope, b)
            return
        if op.name in ("union_make", "union_get"):
            self._backward_union(scope, b)
            return
        if not any(map(self.activity.is_active, b.outs)):
            return
        cotangents = [self._take(scope, (o, 0, 0)) if differentiable(o.type) else None for o in b.outs]
        if all(c is None for c in cotangents):
            return
        rule = op.derivative
        if isinstance(op.lowering, View) and self._add_through_view(scope, b, cotangents[0]):
            return
        match rule:
            case Partials():
                parts = self._partials(rule, b, cotangents[0])
            case Linear():
                parts = rule.transpose(cotangents, *b.args, **b.params)
            case Multilinear():
                parts = [
                    rule.transposes[k](cotangents[0], *b.args, **b.params)
                    if k in rule.transposes and self.activity.is_active(a)
                    else None
                    for k, a in enumerate(b.args)
                ]
            case Vjp():
                parts = rule.vjp(cotangents, b.outs, *b.args, **b.params)
            case Nondifferentiable() if rule.zero:
                return
            case _:
                reason = rule.reason if isinstance(rule, Nondifferentiable) else "it has no rule"
                raise _refusal(b, f"the derivative of {op.name}: {reason}")
        for arg, part in zip(b.args, parts, strict=True):
            if part is not None and isinstance(arg, Var) and self.activity.is_active(arg):
                self._contribute(scope, (arg, 0, 0), self._atom(part, type_of(arg)))

    def _partials(self, rule: Partials, b: Binding, cotangent: Atom | None) -> list[Atom | None]:
        assert cotangent is not None
        partials = rule.rule(b.outs[0], *b.args, **b.params)
        out: list[Atom | None] = []
        for arg, partial in zip(b.args, partials, strict=True):
            if partial is None or not self.activity.is_active(arg):
                out.append(None)
                continue
            type_ = type_of(arg)
            factor = partial()
            if isinstance(type_, ScalarType):
                out.append(PRIMITIVES["float_mul" if type_ is FLOAT else "complex_mul"](cotangent, factor))
            else:
                assert isinstance(type_, TensorType)
                out.append(broadcasting.sum_to_shape(elementwise.mul(cotangent, factor), type_.shape))
        return out

    def _atom(self, value: Any, type_: Type) -> Atom:
        """What a rule gives, as an atom of the argument's type."""
        if isinstance(value, Var | Literal):
            return value
        if isinstance(type_, ScalarType):
            return Literal(type_.dtype.numpy.type(value).item(), type_)
        assert isinstance(type_, TensorType)
        return broadcasting.filled(value, type_)

    # --- sums of cotangents -------------------------------------------------------------------------

    def zero(self, type_: Type) -> Atom:
        """The zero of a type."""
        if isinstance(type_, ScalarType):
            return Literal(type_.dtype.numpy.type(0).item(), type_)
        assert isinstance(type_, TensorType)
        if not type_.shape:
            return Literal(type_.dtype.numpy.type(0).item(), type_)
        return broadcasting.zeros(type_)

    def _sum(self, a: Atom, b: Atom) -> Atom:
        type_ = type_of(a)
        if isinstance(type_, ScalarType):
            return PRIMITIVES["float_add" if type_ is FLOAT else "complex_add"](a, b)
        return elementwise.add(a, b)

    def _add(self, scope: Scope, slot: Slot, cotangent: Atom) -> None:
        """Add to a sum kept in this scope."""
        place = scope.places.get(slot)
        if place is not None:
            self.emit_none(state.ref_add, place, cotangent)
            return
        before = scope.values.get(slot)
        scope.values[slot] = cotangent if before is None else self._sum(before, cotangent)

    def _contribute(self, scope: Scope, slot: Slot, cotangent: Atom) -> None:
        """Add to the cotangent of a variable of this scope or an outer one."""
        owner = scope.owner(slot[0])
        if owner is scope:
            self._add(scope, slot, cotangent)
        elif (slot in owner.places) or (is_array(slot_type(slot)) and scope.crosses_loop(owner)):
            self.emit_none(state.ref_add, self._place(owner, slot), cotangent)
        else:
            if scope.kind in ("loop", "function") and slot not in scope.carried:
                param = scope.builder.param("ct", slot_type(slot))
                scope.carried[slot] = param
                scope.values[slot] = param
            self._add(scope, slot, cotangent)

    def _place(self, owner: Scope, slot: Slot) -> Var:
        """The ref in the owner's scope into which an array's cotangent is added from inside loops."""
        place = owner.places.get(slot)
        if place is None:
            type_ = slot_type(slot)
            with self._writing(owner.builder):
                start = owner.values.pop(slot, None)
                place = self.emit(state.ref_new, start if start is not None else self.zero(type_))
            owner.places[slot] = place
        return place

    def _take(self, scope: Scope, slot: Slot) -> Atom | None:
        """The whole cotangent of a variable of this scope."""
        place = scope.places.pop(slot, None)
        if place is not None:
            return self.emit(state.ref_read, place)
        return scope.values.pop(slot, None)

    def _add_through_view(self, scope: Scope, b: Binding, cotangent: Atom | None) -> bool:
        """Add a view's cotangent in place, into the window of the viewed array's; whether that is the way here."""
        source = b.args[0]
        if (
            not isinstance(source, Var)
            or cotangent is None
            or f"ref_{_VIEW_NAMES.get(b.op.name, '')}" not in PRIMITIVES
        ):
            return False
        slot = (source, 0, 0)
        owner = scope.owner(source)
        if slot not in owner.places and not (owner is not scope and scope.crosses_loop(owner)):
            return False
        window_of = PRIMITIVES[f"ref_{_VIEW_NAMES[b.op.name]}"]
        window = self.emit(window_of, self._place(owner, slot), *b.args[1:], **b.params)
        self.emit_none(state.ref_add, window, cotangent)
        return True

    # --- refs and unions ----------------------------------------------------------------------------

    def _shadow(self, scope: Scope, ref: Var) -> Var:
        """The ref that holds the cotangent of what a ref refers to."""
        known = self._known_shadow(scope, ref)
        if known is not None:
            return known
        maker = self.windows.get(ref)
        if maker is not None:
            base = maker.args[0]
            assert isinstance(base, Var)
            window = self.emit(_primitive(maker), self._shadow(scope, base), *maker.args[1:], **maker.params)
            scope.shadows[ref] = window
            return window
        owner = scope.owner(ref)
        assert isinstance(ref.type, RefType)
        with self._writing(owner.builder):
            shadow = self.emit(state.ref_new, self.zero(ref.type.target))
        owner.shadows[ref] = shadow
        return shadow

    def _known_shadow(self, scope: Scope, ref: Var) -> Var | None:
        current: Scope | None = scope
        while current is not None:
            if ref in current.shadows:
                return current.shadows[ref]
            current = current.parent
        return None

    def _backward_ref(self, scope: Scope, b: Binding) -> None:
        name = b.op.name
        if name == "ref_new":
            (out,) = b.outs
            if self.activity.is_active(out) and isinstance(b.args[0], Var) and self.activity.is_active(b.args[0]):
                shadow = self._known_shadow(scope, out)
                if shadow is not None:
                    self._contribute(scope, (b.args[0], 0, 0), self.emit(state.ref_read, shadow))
            return
        ref = b.args[0]
        assert isinstance(ref, Var)
        if not self.activity.is_active(ref):
            return
        if name == "ref_read":
            cotangent = self._take(scope, (b.outs[0], 0, 0))
            if cotangent is not None:
                self.emit_none(state.ref_add, self._shadow(scope, ref), cotangent)
            return
        if name not in ("ref_write", "ref_add"):
            raise _refusal(b, f"the derivative of {name}")
        shadow, value = self._shadow(scope, ref), b.args[1]
        type_ = type_of(value)
        assert isinstance(type_, TensorType)
        if isinstance(value, Var) and self.activity.is_active(value):
            cotangent = broadcasting.sum_to_shape(self.emit(state.ref_read, shadow), type_.shape)
            self._contribute(scope, (value, 0, 0), cotangent)
        if name == "ref_write":
            dtype = type_.dtype
            self.emit_none(state.ref_write, shadow, Literal(dtype.numpy.type(0).item(), TensorType(dtype, ())))

    def _backward_stack(self, scope: Scope, b: Binding) -> None:
        """What the program does to a stack, its cotangent does the other way round."""
        if b.op is state.stack_free:
            (stack,) = b.args
            assert isinstance(stack, Var)
            self._contribute(scope, (stack, 0, 0), self.emit(state.stack_new))
            return
        mirrored = self._take(scope, (b.outs[0], 0, 0))
        assert mirrored is not None
        if b.op is state.stack_new:
            self.emit_none(state.stack_free, mirrored)
            return
        source = b.args[0]
        assert isinstance(source, Var)
        if b.op is state.stack_push:
            values = [v for v in b.args[1:] if _has_sum(type_of(v))]
            popped = [mirrored]
            if values:
                popped = self.builder.emit(state.stack_pop, [mirrored], {"types": tuple(map(type_of, values))})
            for value, cotangent in zip(values, popped[1:], strict=True):
                if self.activity.is_active(value) and isinstance(value, Var):
                    self._contribute(scope, (value, 0, 0), cotangent)
            self._contribute(scope, (source, 0, 0), popped[0])
            return
        sums = [self._taken_or_zero(scope, (o, 0, 0)) for o in b.outs[1:] if _has_sum(type_of(o))]
        pushed = self.emit(state.stack_push, mirrored, *sums) if sums else mirrored
        self._contribute(scope, (source, 0, 0), pushed)

    def _backward_union(self, scope: Scope, b: Binding) -> None:
        if b.op.name == "union_make":
            tag = b.params["tag"]
            for k, arg in enumerate(b.args):
                cotangent = self._take(scope, (b.outs[0], tag, k))
                if cotangent is not None and isinstance(arg, Var) and self.activity.is_active(arg):
                    self._contribute(scope, (arg, 0, 0), cotangent)
            return
        union, index = b.args[0], b.params["index"]
        for k, out in enumerate(b.outs):
            cotangent = self._take(scope, (out, 0, 0)) if differentiable(out.type) else None
            if cotangent is not None and isinstance(union, Var) and self.activity.is_active(union):
                self._contribute(scope, (union, index, k), cotangent)

    # --- control flow, backwards --------------------------------------------------------------------

    def _backward_branches(self, scope: Scope, record: Record) -> None:
        b = record.binding
        outs = b.outs[:-1]
        given = [
            (k, s, self._take(scope, s))
            for k, o in enumerate(outs)
            if self.activity.is_active(o)
            for s, _ in slots_of(o)
        ]
        inner: list[Scope] = []
        for opened in record.opened:
            builder = GraphBuilder(f"{opened.graph.name}_back", b.span)
            nested = Scope("branch", builder, scope, _defined(opened), stack=scope.stack)
            with self._writing(builder):
                for k, (_, member, part), cotangent in given:
                    result = opened.results[k]
                    if cotangent is not None and isinstance(result, Var) and self.activity.is_active(result):
                        self._contribute(nested, (result, member, part), cotangent)
                self._close(nested, opened)
            inner.append(nested)
        self._replace(record, tuple(o.builder.finish((*o.results, o.stack)) for o in record.opened))
        slots = list(dict.fromkeys(s for n in inner for s in n.values if s[0] not in n.defined))
        graphs: list[Graph] = []
        for nested in inner:
            with self._writing(nested.builder):
                sums = [nested.values[s] if s in nested.values else self.zero(slot_type(s)) for s in slots]
            graphs.append(nested.builder.finish((*sums, nested.stack)))
        made = self.builder.emit(b.op, b.args, graphs=tuple(graphs), names=["ct"] * len(slots))
        for slot, total in zip(slots, made[:-1], strict=True):
            self._contribute(scope, slot, total)
        scope.stack = made[-1]

    def _backward_loop(self, scope: Scope, record: Record) -> None:
        b, (opened,) = record.binding, record.opened
        count = record.count
        assert count is not None
        head = 1 if b.op is FOR else 0
        carries = opened.graph.params[head:]
        active = [k for k, c in enumerate(carries) if self.activity.is_active(c)]
        for k in active:
            if not isinstance(carries[k].type, ScalarType | TensorType | StackType):
                raise _refusal(
                    b, "the derivative of a loop that carries an array written in place, or values of several types"
                )
        builder = GraphBuilder(f"{opened.graph.name}_back", b.span)
        nested = Scope("loop", builder, scope, _defined(opened))
        reverse_index = builder.param("k", INT)
        incoming = [builder.param("ct", carries[k].type) for k in active]
        stack_in = Var("stack", STACK, b.span)
        nested.stack = stack_in
        index = opened.params[0] if b.op is FOR else None
        with self._writing(builder):
            for k, cotangent in zip(active, incoming, strict=True):
                result = opened.results[k]
                if isinstance(result, Var) and self.activity.is_active(result):
                    self._contribute(nested, (result, 0, 0), cotangent)
            self._close(nested, opened, index, lambda: self._index_of_round(count, reverse_index))
            outgoing = [self._taken_or_zero(nested, (carries[k], 0, 0)) for k in active]
        results = (*opened.results, opened.stack)
        opened.builder.params[:] = opened.params
        forward = opened.builder.finish(results)
        self._replace(record, (*b.graphs[:-1], forward))
        carried = list(nested.carried)
        inits = [self._taken_or_zero(scope, (o, 0, 0)) for o in (b.outs[k] for k in active)]
        builder.params.append(stack_in)
        body = builder.finish((*outgoing, *(nested.values[s] for s in carried), nested.stack))
        args = (count, *inits, *(self.zero(slot_type(s)) for s in carried), scope.stack)
        made = self.builder.emit(FOR, args, graphs=(body,), names=["ct"] * (len(inits) + len(carried)))
        for k, total in zip(active, made, strict=False):
            init = b.args[head + k]
            if isinstance(init, Var) and self.activity.is_active(init):
                self._contribute(scope, (init, 0, 0), total)
        for slot, total in zip(carried, made[len(active) : -1], strict=True):
            self._contribute(scope, slot, total)
        scope.stack = made[-1]

    def _index_of_round(self, count: Atom, reverse_index: Var) -> Var:
        last = self.emit(python_ints.int_sub, count, Literal(1, INT))
        return self.emit(python_ints.int_sub, last, reverse_index)

    def _taken_or_zero(self, scope: Scope, slot: Slot) -> Atom:
        found = self._take(scope, slot)
        return found if found is not None else self.zero(slot_type(slot))

    def _close(
        self, nested: Scope, opened: Opened, index: Var | None = None, compute_index: Callable[[], Var] | None = None
    ) -> None:
        """Run a nested graph backwards; then push what that uses at the end of the forward graph, and pop it at its beginning.

        The loop's `index` is computed, not kept.
        """
        builder = self.builder
        outer_stack = nested.stack
        popped = Var("stack", STACK, builder.span)
        nested.stack = popped
        self._backward(nested, opened.records)
        fresh: dict[Var, Atom] = {}
        pushed = self._used(nested)
        head: list[Binding] = []
        if index is not None and index in pushed and compute_index is not None:
            pushed.remove(index)
            end = len(builder.body)
            fresh[index] = compute_index()
            head = builder.body[end:]
            del builder.body[end:]
        if pushed:
            fresh.update(self._push_and_pop(opened, pushed, popped, outer_stack, head))
        else:
            fresh[popped] = outer_stack
        builder.body[:0] = head
        self._rename(nested, fresh)

    def _push_and_pop(
        self, opened: Opened, pushed: list[Var], popped: Var, stack: Any, head: list[Binding]
    ) -> dict[Var, Atom]:
        """Push forward variables at the end of the forward graph; the pop goes to the head of the backward graph."""
        for var in pushed:
            if isinstance(var.type, RefType):
                raise _refusal_at(var, "the derivative of code that makes arrays and writes to them in a loop or branch")
        fresh: dict[Var, Atom] = {v: Var(v.name, v.type, v.span) for v in pushed}
        outs = (popped, *(v for v in fresh.values() if isinstance(v, Var)))
        types = {"types": tuple(type_of(v) for v in pushed)}
        head.insert(0, Binding(outs, state.stack_pop, (stack,), self.builder.span, types))
        with self._writing(opened.builder):
            opened.stack = self.emit(state.stack_push, opened.stack, *pushed)
        return fresh

    def _used(self, nested: Scope) -> list[Var]:
        """The forward variables that the backward graph uses."""
        ends = [a for a in nested.values.values() if isinstance(a, Var)]
        probe = Graph("probe", (), tuple(self.builder.body), tuple(ends), self.builder.span)
        return [v for v in free_variables(probe) if v in nested.defined]

    def _rename(self, nested: Scope, fresh: Mapping[Var, Atom]) -> None:
        """Replace variables in the whole of a backward graph under construction."""
        builder = self.builder
        probe = substitute(Graph("probe", (), tuple(builder.body), (), builder.span), fresh)
        builder.body[:] = probe.body
        nested.values = {s: fresh.get(a, a) if isinstance(a, Var) else a for s, a in nested.values.items()}
        if isinstance(nested.stack, Var):
            nested.stack = fresh.get(nested.stack, nested.stack)

    def _replace(self, record: Record, graphs: tuple[Graph, ...]) -> None:
        record.builder.body[record.position] = replace(record.binding, graphs=graphs)

    # --- recursive functions ------------------------------------------------------------------------

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

    def _derive(self, name: str, active: tuple[int, ...]) -> Callee:
        """The forward and backward graphs of a recursive function, derived once for each set of active parameters."""
        graph = clone(self.graphs[name])
        if any(map(self.activity.is_active, free_variables(graph))):
            raise CompileError(
                [
                    Problem(
                        graph.span,
                        f"{name} is recursive and takes a differentiated value from outside",
                        "pass it as an argument",
                    )
                ],
                "cannot be differentiated",
            )
        results = tuple(k for k, t in enumerate(graph.result_types) if t is STACK or differentiable(t))
        callee = Callee(self._fresh_name(f"{name}_forward"), self._fresh_name(f"{name}_backward"), active, results)
        self.graphs[callee.forward] = self.graphs[callee.backward] = graph  # taken; replaced below
        self.callees[(name, active)] = callee
        self.activity.add(graph.params[k] for k in active)
        self.activity.analyse(graph.body)
        inner = Var("stack", STACK, graph.span)
        opened = self._open(graph, (*graph.params, inner), inner)
        builder = GraphBuilder(callee.backward, graph.span)
        nested = Scope("function", builder, None, _defined(opened))
        with self._writing(builder), evaluating_by(self.evaluator):
            for k in results:
                cotangent = builder.param("ct", graph.result_types[k])
                result = graph.results[k]
                if isinstance(result, Var) and self.activity.is_active(result):
                    self._add(nested, (result, 0, 0), cotangent)
            nested.stack = builder.param("stack", STACK)
            self._close(nested, opened)
            sums = [self._taken_or_zero(nested, (graph.params[k], 0, 0)) for k in active]
        self.graphs[callee.backward] = builder.finish((*sums, nested.stack))
        forward = opened.builder.finish((*opened.results, opened.stack))
        self.graphs[callee.forward] = Graph(callee.forward, opened.params, forward.body, forward.results, graph.span)
        return callee

    def _fresh_name(self, name: str) -> str:
        made, k = name, 0
        while made in self.graphs:
            k += 1
            made = f"{name}_{k}"
        return made

    def _backward_call(self, scope: Scope, record: Record, callee: Callee) -> None:
        b = record.binding
        sums = [self._taken_or_zero(scope, (b.outs[k], 0, 0)) for k in callee.active_results]
        types = [*(type_of(b.args[k]) for k in callee.active_params), STACK]
        params = {"callee": callee.backward}
        made = self.builder.emit(CALL, (*sums, scope.stack), params, types=types, names=["ct"] * (len(types) - 1))
        for k, total in zip(callee.active_params, made, strict=False):
            arg = b.args[k]
            assert isinstance(arg, Var)
            self._contribute(scope, (arg, 0, 0), total)
        scope.stack = made[-1]


_VIEW_NAMES = {"view_index": "view", "transpose": "transpose", "reshape": "reshape"}


class _Writing:
    """Emit into another builder for a while."""

    def __init__(self, reverse: Reverse, builder: GraphBuilder) -> None:
        self.reverse = reverse
        self.builder = builder

    def __enter__(self) -> None:
        self.outer = self.reverse.builder
        self.builder.span = self.outer.span
        self.reverse.evaluator.builder = self.builder

    def __exit__(self, *error: object) -> None:
        self.reverse.evaluator.builder = self.outer


def _defined(opened: Opened) -> set[Var]:
    """The variables that a forward graph binds (not those of graphs nested in it)."""
    return set(opened.params) | {o for b in opened.builder.body for o in b.outs}


def _has_sum(type_: Type) -> bool:
    """Whether values of a type have cotangents that are pushed when they are popped."""
    return isinstance(type_, ScalarType | TensorType) and type_.dtype.is_differentiable


def _with_params(graph: Graph, more: tuple[Var, ...]) -> Graph:
    return Graph(graph.name, (*graph.params, *more), graph.body, graph.results, graph.span)


def _primitive(b: Binding) -> Primitive:
    assert isinstance(b.op, Primitive)
    return b.op


def _refusal(b: Binding, what: str) -> CompileError:
    return CompileError([Problem(b.span, f"{what} is not supported")], "cannot be differentiated")


def _refusal_at(var: Var, what: str) -> CompileError:
    return CompileError([Problem(var.span, f"{what} is not supported")], "cannot be differentiated")
