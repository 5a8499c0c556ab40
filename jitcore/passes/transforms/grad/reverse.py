"""Reverse mode: runs a graph forwards, leaving residuals, and then backwards, summing cotangents.

Straight-line code keeps residuals as variables. What is inside branches, loops and recursive functions pushes the
variables its backward graph uses onto one stack, which backward graphs pop: backwards is exactly the order of a stack,
so that nothing is unrolled and the size of the program does not depend on trip counts.

The forward graph of a nested graph can only be finished when its backward graph is known (only then is it known what
to push): `forward` leaves it open, and `backward` of its binding closes it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from jitcore.ir.analysis import free_variables, symbols, symbols_in
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.ir.rewrite import clone, substitute
from jitcore.passes.transforms.grad.activity import differentiable, is_window
from jitcore.passes.transforms.grad.forward import has_place
from jitcore.passes.transforms.grad.recompute import Recomputing
from jitcore.passes.transforms.grad.records import Callee, Opened, Record, Residuals, refusal, refusal_at
from jitcore.passes.transforms.grad.scopes import Scope, slot_type, slots_of
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import (
    PRIMITIVES,
    Linear,
    Multilinear,
    NoDerivativeError,
    Nondifferentiable,
    Partials,
    Primitive,
    Structural,
    View,
    Vjp,
)
from jitcore.primitives.ops import boxes, conversions, elementwise, growing, python_ints, state
from jitcore.primitives.ops.widening import widen
from jitcore.source import CompileError, Problem
from jitcore.types import (
    FLOAT,
    INT,
    STACK,
    Dim,
    DimExpr,
    RefType,
    ScalarType,
    StackType,
    TensorType,
    Type,
    UnionType,
    fresh_symbol,
    map_dims,
    substitute_dims,
    symbol,
)


class Reverse(Recomputing):
    """Differentiates graphs into the builder of a GraphEvaluator; `graphs` are the module's, and get new ones added."""

    def run_backward(
        self, residuals: Residuals, cotangents: Sequence[Atom | tuple[Atom, ...] | None]
    ) -> list[Atom | None]:
        """Emit the backward graph and give the cotangents of the args; None for those that have none. Only once. The
        cotangent of a union is one for each of its slots."""
        scope = Scope("top", self.builder, None, residuals.defined, stack=residuals.stack)
        with evaluating_by(self.evaluator):
            for result, cotangent in zip(residuals.results, cotangents, strict=True):
                if cotangent is None or not isinstance(result, Var) or not self.activity.is_active(result):
                    continue
                if isinstance(result.type, RefType) and not isinstance(cotangent, tuple):
                    self.emit_none(state.ref_add, self._shadow(scope, result), cotangent)
                elif isinstance(cotangent, tuple):
                    for (slot, _), part in zip(slots_of(result), cotangent, strict=True):
                        self._add(scope, slot, part)
                else:
                    self._add(scope, (result, 0, 0), cotangent)
            self._backward(scope, residuals.records)
            if scope.stack is not None:
                self.emit_none(state.stack_free, scope.stack)
            sums = [self._take(scope, (v, 0, 0)) for v in residuals.inputs]
        body = self.builder.body
        emitted = Graph("emitted", (), tuple(body[residuals.first :]), (), self.builder.span)
        body[residuals.first :] = substitute(emitted, residuals.inputs).body
        return [residuals.inputs.get(s, s) if isinstance(s, Var) else s for s in sums]

    def _backward(self, scope: Scope, records: Sequence[Record]) -> None:
        for record in reversed(records):
            self.builder.span = record.binding.span
            if record.callee is not None:
                self._backward_call(scope, record, record.callee)
            elif record.again is not None:
                self._backward_recomputed(scope, record, record.again)
            elif record.opened:
                if record.binding.op in (COND, SWITCH, TRY):
                    self._backward_branches(scope, record)
                else:
                    self._backward_loop(scope, record)
            else:
                self._backward_primitive(scope, record.binding)

    def _backward_primitive(self, scope: Scope, b: Binding) -> None:
        op = b.op
        assert isinstance(op, Primitive)
        of = op.derivative.of if isinstance(op.derivative, Structural) else None
        if op in boxes.OPS:  # with nothing that is differentiated, as activity has found
            return
        if of == "stack":
            self._backward_stack(scope, b)
            return
        if op.effects.writes or (of == "ref" and not is_window(op)):
            self._backward_ref(scope, b)
            return
        if of == "union":
            self._backward_union(scope, b)
            return
        if not any(map(self.activity.is_active, b.outs)):
            return
        if op is widen and isinstance(b.outs[0].type, RefType) and self._known_shadow(scope, b.outs[0]) is not None:
            raise refusal(b, "the derivative by an array that is written to and has other extents in each round")
        cotangents = [self._take(scope, (o, 0, 0)) if differentiable(o.type) else None for o in b.outs]
        if all(c is None for c in cotangents):
            return
        if op is growing.pick_row and self._add_to_row(scope, b, cotangents[0]):
            return
        if isinstance(op.lowering, View) and self._add_through_view(scope, b, cotangents[0]):
            return
        try:
            parts = self._parts(b, cotangents)
        except NoDerivativeError as error:
            raise refusal(b, f"the derivative of {op.name}: {error}") from None
        for arg, part in zip(b.args, parts, strict=True):
            if part is not None and isinstance(arg, Var) and self.activity.is_active(arg):
                self._contribute(scope, (arg, 0, 0), self._atom(part, type_of(arg)))

    def _parts(self, b: Binding, cotangents: Sequence[Any]) -> Sequence[Any]:
        """A cotangent, or None, for every argument of a binding, by the rule of its primitive."""
        assert isinstance(b.op, Primitive)
        op, rule = b.op, b.op.derivative
        match rule:
            case Partials():
                return self._partials(rule, b, cotangents[0])
            case Linear():
                return rule.transpose(cotangents, *b.args, **b.params)
            case Multilinear():
                return [
                    rule.transposes[k](cotangents[0], *b.args, **b.params)
                    if k in rule.transposes and self.activity.is_active(a)
                    else None
                    for k, a in enumerate(b.args)
                ]
            case Vjp():
                return rule.vjp(cotangents, b.outs, *b.args, **b.params)
            case Nondifferentiable() if rule.zero:
                return [None] * len(b.args)
            case _:
                reason = rule.reason if isinstance(rule, Nondifferentiable) else "it has no rule"
                raise refusal(b, f"the derivative of {op.name}: {reason}")

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

    # --- control flow -------------------------------------------------------------------------------

    def _backward_branches(self, scope: Scope, record: Record) -> None:
        b = record.binding
        outs = b.outs[: -1 if record.path is None else -2]
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
        forward = {o.graph: o.builder.finish((*o.results, o.stack)) for o in record.opened}
        self._replace(record, tuple(forward.get(g, g) for g in b.graphs))
        slots = list(dict.fromkeys(s for n in inner for s in n.values if s[0] not in n.defined))
        missing = (s for s in slots for nested in inner if s not in nested.values)
        if not all(isinstance(slot_type(s), ScalarType | TensorType | StackType) for s in missing):
            raise refusal(b, "the derivative by a place or a list that some paths of a branch do not have")
        graphs: list[Graph] = []
        for nested in inner:
            with self._writing(nested.builder):
                sums = [nested.values[s] if s in nested.values else self.zero(slot_type(s)) for s in slots]
            graphs.append(nested.builder.finish((*sums, nested.stack)))
        op, args = (b.op, b.args) if record.path is None else (SWITCH, (record.path,))
        made = self.builder.emit(op, args, graphs=tuple(graphs), names=["ct"] * len(slots))
        for slot, total in zip(slots, made[:-1], strict=True):
            self._contribute(scope, slot, total)
        scope.stack = made[-1]

    def _backward_loop(self, scope: Scope, record: Record) -> None:
        b, (opened,) = record.binding, record.opened
        count = record.count
        assert count is not None
        head = 1 if b.op is FOR else 0
        carries = opened.graph.params[head:]
        active: list[tuple[int, int, int]] = []
        for k, carry in enumerate(carries):
            if self.activity.is_active(carry):
                if not isinstance(carry.type, ScalarType | TensorType | StackType | UnionType):
                    raise refusal(b, "the derivative of a loop that carries an array written in place")
                active += [(k, member, part) for (_, member, part), _ in slots_of(carry)]
        builder = GraphBuilder(f"{opened.graph.name}_back", b.span)
        nested = Scope("loop", builder, scope, _defined(opened))
        reverse_index = builder.param("k", INT)
        fresh = {name: fresh_symbol() for name in opened.extents}
        types = [slot_type((carries[k], member, part)) for k, member, part in active]
        incoming = [builder.param("ct", _renamed(type_, fresh)) for type_ in types]
        stack_in = Var("stack", STACK, b.span)
        nested.stack = stack_in
        index = opened.params[0] if b.op is FOR else None
        with self._writing(builder):
            for name, extent in opened.extents.items():
                self.builder.emit(conversions.as_dim, (extent,), {"symbol": name})
            for (k, member, part), cotangent in zip(active, incoming, strict=True):
                result = opened.results[k]
                if isinstance(result, Var) and self.activity.is_active(result):
                    self._contribute(nested, (result, member, part), cotangent)
            self._close(nested, opened, index, lambda: self._index_of_round(count, reverse_index))
            outgoing = [
                self._of_type(self._taken_or_zero(nested, (carries[k], member, part)), ct.type)
                for (k, member, part), ct in zip(active, incoming, strict=True)
            ]
        results = (*opened.results, opened.stack)
        opened.builder.params[:] = opened.params
        forward = opened.builder.finish(results)
        self._replace(record, (*b.graphs[:-1], forward))
        carried = list(nested.carried)
        inits = [
            self._of_type(self._taken_or_zero(scope, (b.outs[k], member, part)), ct.type)
            for (k, member, part), ct in zip(active, incoming, strict=True)
        ]
        builder.params.append(stack_in)
        body = builder.finish((*outgoing, *(nested.values[s] for s in carried), nested.stack))
        args = (count, *inits, *(self.zero(slot_type(s)) for s in carried), scope.stack)
        made = self.builder.emit(FOR, args, graphs=(body,), names=["ct"] * (len(inits) + len(carried)))
        for (k, member, part), total in zip(active, made, strict=False):
            init = b.args[head + k]
            if isinstance(init, Var) and self.activity.is_active(init):
                slot = (init, member, part)
                self._contribute(scope, slot, self._of_type(total, slot_type(slot)))
        for slot, total in zip(carried, made[len(active) : -1], strict=True):
            self._contribute(scope, slot, total)
        scope.stack = made[-1]

    def _of_type(self, cotangent: Atom, type_: Type | None) -> Atom:
        """An array as one of another type, which names its extents otherwise."""
        if not isinstance(type_, TensorType) or type_of(cotangent) is type_:
            return cotangent
        return self.emit(widen, cotangent, shape=type_.shape)

    def _index_of_round(self, count: Atom, reverse_index: Var) -> Var:
        last = self.emit(python_ints.int_sub, count, Literal(1, INT))
        return self.emit(python_ints.int_sub, last, reverse_index)

    def _close(
        self, nested: Scope, opened: Opened, index: Var | None = None, compute_index: Callable[[], Var] | None = None
    ) -> None:
        """Run a nested graph backwards; then push what that uses at the end of the forward graph, and pop it at its
        beginning.

        The loop's `index` is computed, not kept.
        """
        builder = self.builder
        outer_stack = nested.stack
        popped = Var("stack", STACK, builder.span)
        nested.stack = popped
        self._backward(nested, opened.records)
        fresh: dict[Var, Atom] = {}
        pushed = self._used(nested)
        named = self._keep_extents(opened, pushed)
        head: list[Binding] = []
        if index is not None and index in pushed and compute_index is not None:
            pushed.remove(index)
            end = len(builder.body)
            fresh[index] = compute_index()
            head = builder.body[end:]
            del builder.body[end:]
        below = Var("stack", STACK, builder.span) if named and pushed else outer_stack
        if pushed:
            fresh.update(self._push_and_pop(opened, pushed, popped, below, head))
        if named:  # before what is popped of types that name them
            head[:0] = named
            extents = [v for b in named for v in b.args if isinstance(v, Var)]
            fresh.update(self._push_and_pop(opened, extents, below if pushed else popped, outer_stack, head))
        if not pushed and not named:
            fresh[popped] = outer_stack
        builder.body[:0] = head
        self._rename(nested, fresh)

    def _keep_extents(self, opened: Opened, pushed: Sequence[Var]) -> list[Binding]:
        """What gives the backward graph the extents it needs whose names the forward graph introduces, of variables of
        the forward graph."""
        probe = Graph("probe", (), tuple(self.builder.body), (), self.builder.span)
        used = symbols(probe).union(*(symbols_in(type_of(v)) for v in pushed))
        needed = sorted(used & _introduced(opened) - opened.extents.keys())
        outside = {name for builder in opened.outer for name in _introduced_by(builder.params, builder.body)}
        named: list[Binding] = []
        for name in needed:
            if name in outside:
                continue
            with self._writing(opened.builder):
                extent = self.emit(conversions.extent, dim=symbol(name))
            named.append(Binding((), conversions.as_dim, (extent,), self.builder.span, {"symbol": name}))
        return named

    def _push_and_pop(
        self, opened: Opened, pushed: list[Var], popped: Var, stack: Any, head: list[Binding]
    ) -> dict[Var, Atom]:
        """Push forward variables at the end of the forward graph; the pop goes to the head of the backward graph."""
        for var in pushed:
            if isinstance(var.type, RefType):
                raise refusal_at(var, "the derivative of code that makes arrays and writes to them in a loop or branch")
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
        graph = self._analysed(graph)
        inner = Var("stack", STACK, graph.span)
        opened = self._open(graph, (*graph.params, inner), inner, nested=False)
        builder = GraphBuilder(callee.backward, graph.span)
        nested = Scope("function", builder, None, _defined(opened))
        with self._writing(builder), evaluating_by(self.evaluator):
            for k in results:
                result = graph.results[k]
                if has_place(type_of(result)):
                    raise refusal_at(
                        graph.params[0], "the derivative of a recursive function that gives an array that is written to"
                    )
                for (_, *part), type_ in slots_of(Var("result", type_of(result), graph.span)):
                    cotangent = builder.param("ct", type_)
                    if isinstance(result, Var) and self.activity.is_active(result):
                        self._add(nested, (result, part[0], part[1]), cotangent)
            nested.stack = builder.param("stack", STACK)
            summed, places = _values_and_places(graph.params, active)
            for k in places:
                nested.shadows[graph.params[k]] = builder.param("shadow", type_of(graph.params[k]))
            self._close(nested, opened)
            sums = [self._taken_or_zero(nested, s) for k in summed for s, _ in slots_of(graph.params[k])]
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
        sums = [self._taken_or_zero(scope, s) for k in callee.active_results for s, _ in slots_of(b.outs[k])]
        summed, places = _values_and_places(b.args, callee.active_params)
        slots = [slot for k in summed if isinstance(arg := b.args[k], Var) for slot in slots_of(arg)]
        types = [*(type_ for _, type_ in slots), STACK]
        params = {"callee": callee.backward}
        shadows = [self._shadow(scope, ref) for k in places if isinstance(ref := b.args[k], Var)]
        args = (*sums, scope.stack, *shadows)
        made = self.builder.emit(CALL, args, params, types=types, names=["ct"] * (len(types) - 1))
        for (slot, _), total in zip(slots, made, strict=False):
            self._contribute(scope, slot, total)
        scope.stack = made[-1]


def _values_and_places(args: Sequence[Atom], active: tuple[int, ...]) -> tuple[list[int], list[int]]:
    """The numbers of the active arguments of a function that have cotangents, and of the refs, which have shadows."""
    places = [k for k in active if isinstance(args[k].type, RefType)]
    return [k for k in active if k not in places], places


def _renamed(type_: Type | None, names: Mapping[str, Dim]) -> Type:
    """A type with other names for extents."""
    assert type_ is not None
    return map_dims(type_, lambda dim: substitute_dims(dim, names))


def _introduced(opened: Opened) -> set[str]:
    """The symbols that the variables of a forward graph (not those of graphs nested in it) may introduce."""
    params = () if opened.outer else opened.params
    return _introduced_by(params, opened.builder.body)


def _introduced_by(params: Sequence[Var], body: Sequence[Binding]) -> set[str]:
    variables = [*params, *(o for b in body for o in b.outs)]
    found = {b.params["symbol"] for b in body if isinstance(b.params.get("symbol"), str)}
    types = [v.type.target if isinstance(v.type, RefType) else v.type for v in variables]
    return found | {str(d) for t in types if isinstance(t, TensorType) for d in t.shape if isinstance(d, DimExpr)}


def _defined(opened: Opened) -> set[Var]:
    """The variables that a forward graph binds (not those of graphs nested in it)."""
    return set(opened.params) | {o for b in opened.builder.body for o in b.outs}
