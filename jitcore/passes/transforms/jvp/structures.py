"""Tangents of single bindings: by the primitives' rules, and of refs, stacks and unions."""

from __future__ import annotations

from typing import Any

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.passes.transforms.grad.activity import differentiable, is_window
from jitcore.passes.transforms.grad.records import refusal
from jitcore.passes.transforms.grad.reverse import Reverse
from jitcore.passes.transforms.jvp.activity import ForwardActivity
from jitcore.passes.transforms.jvp.zeros import zero_like
from jitcore.primitives import differentiation
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import Primitive, Structural, Vjp
from jitcore.primitives.ops import state, unions
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.types import ScalarType, StackType, TensorType, Type


class Structures:
    """Emits bindings and their tangents."""

    def __init__(self, builder: GraphBuilder, graphs: dict[str, Graph]) -> None:
        self.evaluator = GraphEvaluator(builder)
        self.graphs = graphs
        self.activity = ForwardActivity(graphs)
        self.tangents: dict[Var, Atom] = {}
        """The tangents of variables; zero of those that are not here."""
        self.derived: dict[Any, Any] = {}

    @property
    def builder(self) -> GraphBuilder:
        return self.evaluator.builder

    def is_dual(self, atom: Atom) -> bool:
        """Whether a value has a tangent beside it. (A stack has its tangents in it.)"""
        return isinstance(atom, Var) and not isinstance(atom.type, StackType) and self.activity.is_active(atom)

    def tangent(self, atom: Atom) -> Atom | None:
        """The tangent of a value; None for zero."""
        return self.tangents.get(atom) if isinstance(atom, Var) else None

    def zero(self, atom: Atom) -> Atom:
        """The zero tangent of a value."""
        return zero_like(self.evaluator, atom)

    def tangent_or_zero(self, atom: Atom) -> Atom:
        """The tangent of a value."""
        found = self.tangent(atom)
        return found if found is not None else self.zero(atom)

    def _primitive(self, b: Binding, op: Primitive) -> None:
        of = op.derivative.of if isinstance(op.derivative, Structural) else None
        if of == "stack":
            self._stack(b, op)
            return
        self.builder.append(b)
        if of == "ref":
            self._ref(b, op)
        elif of == "union":
            self._union(b, op)
        elif any(map(self.activity.is_active, b.outs)):
            self._by_rule(b, op)

    def _by_rule(self, b: Binding, op: Primitive) -> None:
        tangents = [self.tangent(a) for a in b.args]
        if all(t is None for t in tangents):
            return
        if isinstance(op.derivative, Vjp) and op.derivative.jvp is None:
            self._by_transposition(b, op.derivative, tangents)
            return
        try:
            found = differentiation.jvp(op, tangents, b.outs, b.args, b.params)
        except differentiation.NoDerivativeError as error:
            raise refusal(b, f"the derivative of {op.name}: {error}") from None
        for out, tangent in zip(b.outs, found, strict=True):
            if tangent is not None and differentiable(out.type):
                self.tangents[out] = _fitted(tangent, type_of(out))

    def _by_transposition(self, b: Binding, rule: Vjp, tangents: list[Atom | None]) -> None:
        """A rule for reverse mode is linear in the cotangents: its transpose is the one for forward mode."""
        outs = [o for o in b.outs if differentiable(o.type)]
        outer = self.builder
        self.evaluator.builder = builder = GraphBuilder(b.op.name, b.span)
        try:
            params = {o: builder.param("u", type_of(o)) for o in outs}
            found = rule.vjp([params.get(o) for o in b.outs], b.outs, *b.args, **b.params)
            pairs = [
                (_fitted(f, type_of(a)), t)
                for f, a, t in zip(found, b.args, tangents, strict=True)
                if f is not None and t is not None
            ]
            graph = builder.finish([f for f, _ in pairs])
        finally:
            self.evaluator.builder = outer
        reverse = Reverse(outer, self.graphs)
        residuals = reverse.run_forward(graph, [self.zero(o) for o in outs])
        made = reverse.run_backward(residuals, [t for _, t in pairs])
        self.tangents.update((o, t) for o, t in zip(outs, made, strict=True) if t is not None)

    def _ref(self, b: Binding, op: Primitive) -> None:
        if op is state.ref_new:
            if self.activity.is_active(b.outs[0]):
                self.tangents[b.outs[0]] = state.ref_new(self.tangent_or_zero(b.args[0]))
            return
        ref = b.args[0]
        if not self.activity.is_active(ref):
            return
        shadow = self.tangent_or_zero(ref)
        if is_window(op):
            self.tangents[b.outs[0]] = op(shadow, *b.args[1:], **b.params)
        elif op is state.ref_read:
            self.tangents[b.outs[0]] = state.ref_read(shadow)
        elif op is state.ref_write or op is state.ref_add:
            value = self.tangent(b.args[1])
            if value is not None:
                op(shadow, value)
            elif op is state.ref_write:
                type_ = type_of(b.args[1])
                assert isinstance(type_, TensorType)
                zero = Literal(type_.dtype.numpy.type(0).item(), TensorType(type_.dtype, ()))
                state.ref_write(shadow, zero)
        else:
            raise refusal(b, f"the derivative of {op.name}")

    def _stack(self, b: Binding, op: Primitive) -> None:
        """An entry has the tangents of its floats behind its values."""
        if op is state.stack_push:
            more = [self.tangent_or_zero(v) for v in b.args[1:] if _has_tangent(type_of(v))]
            self.builder.append(Binding(b.outs, op, (*b.args, *more), b.span, b.params))
        elif op is state.stack_pop:
            dual = [o for o in b.outs[1:] if _has_tangent(type_of(o))]
            more = [Var(f"{o.name}_t", o.type, o.span) for o in dual]
            types = (*b.params["types"], *(type_of(o) for o in dual))
            self.builder.append(Binding((*b.outs, *more), op, b.args, b.span, {**b.params, "types": types}))
            self.tangents.update(zip(dual, more, strict=True))
        else:
            self.builder.append(b)

    def _union(self, b: Binding, op: Primitive) -> None:
        if op is unions.union_make:
            if self.is_dual(b.outs[0]):
                (made,) = self.builder.emit(op, [self.tangent_or_zero(a) for a in b.args], b.params)
                self.tangents[b.outs[0]] = made
            return
        union = self.tangent(b.args[0])
        if union is not None:
            parts = self.builder.emit(op, (union,), b.params)
            self.tangents.update((o, p) for o, p in zip(b.outs, parts, strict=True) if differentiable(o.type))


def _has_tangent(type_: Type) -> bool:
    return isinstance(type_, ScalarType | TensorType) and type_.dtype.is_differentiable


def _fitted(tangent: Any, type_: Type) -> Atom:
    """A tangent as an atom of exactly the type of its primal."""
    if isinstance(type_, ScalarType):
        return tangent if isinstance(tangent, Var | Literal) else Literal(type_.dtype.numpy.type(tangent).item(), type_)
    assert isinstance(type_, TensorType)
    if not isinstance(tangent, Var | Literal):
        return broadcasting.filled(tangent, type_)
    return differentiation.to_shape(tangent, type_.shape)
