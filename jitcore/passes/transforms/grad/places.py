"""The derivatives of what has identity: refs have shadows, stacks mirrors; unions are decomposed."""

from __future__ import annotations

from typing import Any

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.passes.transforms.grad.activity import differentiable, is_window
from jitcore.passes.transforms.grad.records import refusal
from jitcore.passes.transforms.grad.scopes import Scope
from jitcore.passes.transforms.grad.sums import Sums
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import Primitive
from jitcore.primitives.ops import state, unions
from jitcore.types import RefType, ScalarType, TensorType, Type


class Places(Sums):
    """Runs bindings on refs, stacks and unions backwards."""

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
        member = self.members.get(ref)
        chosen = ref if member is None else member.args[0]
        if isinstance(chosen, Var) and chosen in self.choices:
            scope.shadows[ref] = self._chosen_shadow(scope, chosen, self.choices[chosen], member, ref)
            return scope.shadows[ref]
        if member is not None:
            raise refusal(member, "the derivative by an array that is written to, or something of another type")
        owner = scope.owner(ref)
        assert isinstance(ref.type, RefType)
        with self._writing(owner.builder):
            shadow = self.emit(state.ref_new, self.zero(ref.type.target))
        owner.shadows[ref] = shadow
        return shadow

    def _chosen_shadow(self, scope: Scope, out: Var, choice: Binding, member: Binding | None, ref: Var) -> Var:
        """The shadow of the ref that branches chose: the same choice of shadows. Where they chose a union with the ref,
        `member` takes it out of that; on the paths where the union is something else, there is nothing to be added to
        its shadow."""
        position = choice.outs.index(out)
        graphs: list[Graph] = []
        for graph in choice.graphs:
            makers = {o: b for b in graph.body for o in b.outs}
            chosen: Atom = graph.results[position] if graph.results else ref
            made = makers.get(chosen) if isinstance(chosen, Var) else None
            if member is not None and made is not None and made.op is unions.union_make:
                if made.params["tag"] != member.params["index"]:
                    builder = GraphBuilder(f"{graph.name}_shadow", graph.span)
                    assert isinstance(ref.type, RefType)
                    with self._writing(builder):
                        graphs.append(builder.finish((self.emit(state.ref_new, self.zero(ref.type.target)),)))
                    continue
                chosen = made.args[member.outs.index(ref)]
            windows: list[Binding] = []
            while isinstance(chosen, Var) and chosen in makers and is_window(makers[chosen].op):
                windows.append(makers[chosen])
                chosen = makers[chosen].args[0]
            used = {a for b in windows for a in b.args[1:]}
            if not isinstance(chosen, Var) or chosen is ref or chosen in makers or not used.isdisjoint(makers):
                raise refusal(choice, "the derivative of branches that make arrays which are written to, or never end")
            shadow: Any = self._shadow(scope, chosen)
            builder = GraphBuilder(f"{graph.name}_shadow", graph.span)
            with self._writing(builder):
                for b in reversed(windows):
                    shadow = self.emit(_primitive(b), shadow, *b.args[1:], **b.params)
            graphs.append(builder.finish((shadow,)))
        (shadow,) = self.builder.emit(
            choice.op, choice.args, dict(choice.params), graphs=tuple(graphs), names=["shadow"]
        )
        return shadow

    def _known_shadow(self, scope: Scope, ref: Var) -> Var | None:
        current: Scope | None = scope
        while current is not None:
            if ref in current.shadows:
                return current.shadows[ref]
            current = current.parent
        return None

    def _backward_ref(self, scope: Scope, b: Binding) -> None:
        if b.op is state.ref_new:
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
        if b.op is state.ref_read:
            cotangent = self._take(scope, (b.outs[0], 0, 0))
            if cotangent is not None:
                self.emit_none(state.ref_add, self._shadow(scope, ref), cotangent)
            return
        if b.op is not state.ref_write and b.op is not state.ref_add:
            raise refusal(b, f"the derivative of {b.op.name}")
        shadow, value = self._shadow(scope, ref), b.args[1]
        type_ = type_of(value)
        assert isinstance(type_, TensorType)
        if isinstance(value, Var) and self.activity.is_active(value):
            cotangent = broadcasting.sum_to_shape(self.emit(state.ref_read, shadow), type_.shape)
            self._contribute(scope, (value, 0, 0), cotangent)
        if b.op is state.ref_write:
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
        if b.op is unions.union_make:
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


def _has_sum(type_: Type) -> bool:
    """Whether values of a type have cotangents that are pushed when they are popped."""
    return isinstance(type_, ScalarType | TensorType) and differentiable(type_)


def _primitive(b: Binding) -> Primitive:
    assert isinstance(b.op, Primitive)
    return b.op
