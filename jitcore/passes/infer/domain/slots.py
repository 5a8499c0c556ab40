"""Slots: places for a value of a form, written and read piece by piece.

A union's slot has a place for its tag and places for each of its members, of which the tag's are up to date.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import composition, forms
from jitcore.passes.infer.domain.columns import zero
from jitcore.passes.infer.domain.forms import (
    ArrayForm,
    BoxedForm,
    CompositeForm,
    Form,
    MaybeForm,
    NumberForm,
    Same,
    UnionForm,
)
from jitcore.passes.infer.domain.values import Array, Boxed, Maybe, Number, Undefined, Union, Value
from jitcore.primitives.ops import conversions, python_ints, state
from jitcore.types import BOOL, INT, ScalarType, TensorType, Type

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State

Places: TypeAlias = "tuple[Any, ...]"
"""A place (an atom), or more places, for each part of a form."""


def make(infer: State, form: Form, first: Value | None = None) -> Places:
    """New places for values of a form, one of which is at hand: its extents are known, if they are the form's."""
    match form:
        case Same():
            return ()
        case ArrayForm() if isinstance(first, Array) and first.atom.type is form.type and not first.is_ref:
            return (infer.emit(state.ref_new, first.atom),)
        case NumberForm() | ArrayForm():
            return (_place(infer, form.type),)
        case BoxedForm():
            return (_place(infer, INT),)
        case CompositeForm():
            return tuple(make(infer, item) for item in form.items)
        case MaybeForm():
            return _place(infer, BOOL), make(infer, form.form)
        case UnionForm():
            return _place(infer, INT), *(make(infer, member) for member in form.members)
        case _:
            raise _refusal(infer)


def _place(infer: State, type_: Type) -> Atom:
    if isinstance(type_, ScalarType):
        return infer.emit(state.ref_new, infer.emit(conversions.from_scalar, zero(type_), dtype=type_.dtype))
    if isinstance(type_, TensorType) and all(isinstance(d, int) for d in type_.shape):
        (zeros,) = forms.placeholders(infer, ArrayForm(type_, "ndarray", frozenset()))
        return infer.emit(state.ref_new, zeros)
    raise _refusal(infer)


def _refusal(infer: State) -> Exception:
    return infer.unsupported(
        "the body of this `try` gives a variable, container or attribute an array of another shape, a place or a list, "
        "and what it has where an exception is raised is used afterwards",
        "do that before the `try`, or in another variable",
    )


def write(infer: State, form: Form, places: Places, value: Value) -> None:
    """Put a value into places."""
    match form:
        case NumberForm() | ArrayForm() | BoxedForm():
            (atom,) = forms.flatten(infer, form, value)
            _put(infer, places[0], atom)
        case CompositeForm():
            _, _, items = composition.decompose(infer, value)
            for item, part, own in zip(form.items, items, places, strict=True):
                write(infer, item, own, part)
        case MaybeForm():
            if not isinstance(value, Undefined):
                write(infer, form.form, places[1], value.value if isinstance(value, Maybe) else value)
            defined = value.defined if isinstance(value, Maybe) else Literal(not isinstance(value, Undefined), BOOL)
            _put(infer, places[0], defined)
        case UnionForm() if isinstance(value, Union):

            def member(narrowed: Value) -> list[Atom]:
                write(infer, form, places, narrowed)
                return []

            infer.switch_union(value, member, ())
        case UnionForm():
            tag = next(k for k, m in enumerate(form.members) if forms.fits(infer, m, value))
            write(infer, form.members[tag], places[1 + tag], value)
            _put(infer, places[0], Literal(tag, INT))
        case _:
            pass


def _put(infer: State, place: Atom, atom: Atom) -> None:
    if isinstance(atom.type, ScalarType):
        atom = infer.emit(conversions.from_scalar, atom, dtype=atom.type.dtype)
    infer.emit_all(state.ref_write, place, atom)


def read(infer: State, form: Form, places: Places) -> Value:
    """The value in places."""
    match form:
        case Same():
            return form.value
        case NumberForm():
            return Number(_get(infer, places[0], form.type), form.type)
        case ArrayForm():
            return forms.unflatten(infer, form, iter([_get(infer, places[0], form.type)]))
        case BoxedForm():
            return Boxed(_get(infer, places[0], INT), form.kind)
        case CompositeForm():
            items = tuple(read(infer, item, own) for item, own in zip(form.items, places, strict=True))
            return composition.compose(infer, form.kind, form.extra, items)
        case MaybeForm():
            return Maybe(_get(infer, places[0], BOOL), read(infer, form.form, places[1]))
        case UnionForm():
            return Union(_read_union(infer, form, places), forms.union_type(form), form.members)
        case _:
            raise _refusal(infer)


def _get(infer: State, place: Atom, type_: Type) -> Any:
    atom = infer.emit(state.ref_read, place)
    return infer.emit(conversions.to_scalar, atom) if isinstance(type_, ScalarType) else atom


def _read_union(infer: State, form: UnionForm, places: Places) -> Atom:
    tag = _get(infer, places[0], INT)

    def is_member(k: int) -> Atom:
        return infer.emit(python_ints.int_eq, tag, Literal(k, INT))

    def atoms_of(k: int) -> list[Atom]:
        return forms.flatten(infer, form.members[k], read(infer, form.members[k], places[1 + k]))

    return forms.union_by(infer, form, is_member, atoms_of)
