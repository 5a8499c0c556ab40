"""The forms of strings of the run where control flow joins: a constant becomes such a string where it meets one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.domain import representations, texts
from jitcore.passes.infer.domain.forms import ArrayForm, CompositeForm, Form, NumberForm, Same, UnionForm
from jitcore.passes.infer.domain.parts import span_of
from jitcore.passes.infer.domain.values import NO_ORIGINS, Array, Char, Number, PartOf, Static, String, Union, Value
from jitcore.primitives.core.code_points import column_type
from jitcore.types import INT, fresh_symbol

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.joiner import Joiner
    from jitcore.passes.infer.domain.state import State

CHARACTER: Final = CompositeForm(Char, None, (NumberForm(INT),))
"""The form of a str of one character."""


def of_parts(cls: type, whole: Atom) -> CompositeForm:
    """The form of strings that are parts of one array."""
    return CompositeForm(PartOf, (cls, whole), (NumberForm(INT), NumberForm(INT)))


def has_parts(form: Form | None) -> bool:
    """Whether values of a form are parts of strings, or have some in them."""
    return isinstance(form, CompositeForm) and (form.kind is PartOf or any(map(has_parts, form.items)))


def joined(joiner: Joiner, a: Form, b: Form) -> Form | None:
    """What two strings, or two bytes, of which one is of the run are where they meet; None for other forms."""
    parts = [*_members(a), *_members(b)]
    if not any(_is_of_run(part) for part in parts):
        return None
    classes = {class_of(part) for part in parts}
    if len(classes) > 1 or None in classes:
        return None
    total: Form | None = None
    for part in parts:
        form = _of_run(part)
        total = form if total is None else _widened(joiner, total, form)
    return total


def _members(form: Form) -> tuple[Form, ...]:
    return form.members if isinstance(form, UnionForm) else (form,)


def _is_of_run(form: Form) -> bool:
    return isinstance(form, CompositeForm) and form.kind in (String, Char, PartOf)


def class_of(form: Form) -> type | None:
    """str or bytes, for the form of such; None for others."""
    if isinstance(form, Same):
        return texts.class_of(form.value)
    if not isinstance(form, CompositeForm) or form.kind not in (String, Char, PartOf):
        return None
    return str if form.kind is Char else form.extra[0] if form.kind is PartOf else form.extra


def _of_run(form: Form) -> CompositeForm:
    """The form of a constant as a string of the run."""
    if isinstance(form, CompositeForm):
        return form if form.kind is not PartOf else _of_column(form.extra[0], fresh_symbol())
    assert isinstance(form, Same)
    assert isinstance(form.value, Static)
    return of_constant(form.value.value)


def of_constant(value: str | bytes) -> CompositeForm:
    """The form of a constant as a string of the run."""
    if isinstance(value, str) and len(value) == 1:
        return CHARACTER
    return _of_column(type(value), len(value))


def _of_column(cls: type, extent: Any) -> CompositeForm:
    return CompositeForm(String, cls, (ArrayForm(column_type(cls, extent), "ndarray", NO_ORIGINS),))


def _widened(joiner: Joiner, a: Form, b: Form) -> Form:
    if a == b == CHARACTER:
        return a
    a, b = (_of_column(str, 1) if form == CHARACTER else form for form in (a, b))
    return joiner.join(a, b)


@representations.fits_string.model
def fits(infer: State, form: CompositeForm, value: Value) -> bool:
    """Whether a value can be a string of the form."""
    if form.kind is PartOf:
        span = span_of(infer, value)
        return span is not None and form.extra == (texts.class_of(value), span[0])
    cls = str if form.kind is Char else form.extra
    if isinstance(value, Union):
        return all(class_of(member) is cls for member in value.members) and form.kind is String
    if texts.class_of(value) is not cls:
        return False
    if form.kind is Char:
        return isinstance(value, Char) or (isinstance(value, Static) and len(value.value) == 1)
    return True


@representations.parts_of_string.model
def items(infer: State, form: CompositeForm, value: Value) -> tuple[Value, ...]:
    """What a string is made of as one of the form."""
    if form.kind is PartOf:
        span = span_of(infer, value)
        assert span is not None
        return span[1:]
    if form.kind is Char:
        return (Number(texts.point(infer, value), INT),)
    return (Array(texts.column(infer, value), "ndarray"),)
