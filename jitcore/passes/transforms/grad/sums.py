"""Sums of cotangents: where they are kept, and how contributions reach them (see `scopes`)."""

from __future__ import annotations

from typing import Any

from jitcore.ir.nodes import Atom, Binding, Literal, Var, type_of
from jitcore.passes.transforms.grad.forward import Forward
from jitcore.passes.transforms.grad.records import refusal_at
from jitcore.passes.transforms.grad.scopes import Scope, Slot, is_array, slot_type
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.primitives.ops import elementwise, growing, state
from jitcore.types import FLOAT, ScalarType, TensorType, Type, UnionType


def zero_of(type_: Type) -> Atom:
    """The zero of a type, by the current evaluator."""
    if isinstance(type_, ScalarType):
        return Literal(type_.dtype.numpy.type(0).item(), type_)
    assert isinstance(type_, TensorType)
    if not type_.shape:
        return Literal(type_.dtype.numpy.type(0).item(), type_)
    return broadcasting.zeros(type_)


class Sums(Forward):
    """Adds cotangents up."""

    def _atom(self, value: Any, type_: Type) -> Atom:
        """What a rule gives, as an atom of the argument's type."""
        if isinstance(value, Var | Literal):
            return value
        if isinstance(type_, ScalarType):
            return Literal(type_.dtype.numpy.type(value).item(), type_)
        assert isinstance(type_, TensorType)
        return broadcasting.filled(value, type_)

    def zero(self, type_: Type) -> Atom:
        """The zero of a type."""
        return zero_of(type_)

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
        if isinstance(type_of(cotangent), UnionType):
            raise refusal_at(slot[0], "the derivative by a value of one type on some paths and of another on others")
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

    def _taken_or_zero(self, scope: Scope, slot: Slot) -> Atom:
        found = self._take(scope, slot)
        return found if found is not None else self.zero(slot_type(slot))

    def _add_to_row(self, scope: Scope, b: Binding, cotangent: Atom | None) -> bool:
        """Add the cotangent of a row to the column's without making a column of zeros; whether that is the way here."""
        source, number = b.args
        if not isinstance(source, Var) or cotangent is None:
            return False
        slot = (source, 0, 0)
        owner = scope.owner(source)
        if slot in owner.places or (owner is not scope and scope.crosses_loop(owner)):
            place = self._place(owner, slot)
            assert isinstance(source.type, TensorType)
            window = self.emit(state.ref_view, place, number, spec=growing.row_spec(source.type.shape))
            self.emit_none(state.ref_add, window, cotangent)
            return True
        if slot not in scope.values:
            return False
        scope.values[slot] = self.emit(growing.add_row, scope.values[slot], number, cotangent)
        return True

    def _add_through_view(self, scope: Scope, b: Binding, cotangent: Atom | None) -> bool:
        """Add a view's cotangent in place, into the window of the viewed array's; whether that is the way here."""
        source = b.args[0]
        if not isinstance(source, Var) or cotangent is None or b.op not in state.WINDOWS:
            return False
        slot = (source, 0, 0)
        owner = scope.owner(source)
        if slot not in owner.places and not (owner is not scope and scope.crosses_loop(owner)):
            return False
        window = self.emit(state.WINDOWS[b.op], self._place(owner, slot), *b.args[1:], **b.params)
        self.emit_none(state.ref_add, window, cotangent)
        return True
