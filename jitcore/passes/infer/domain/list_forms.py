"""What forms tell of lists, and the pools that lists may be in."""

from __future__ import annotations

from typing import Any

from jitcore.ir.nodes import Atom, type_of
from jitcore.passes.infer.domain.forms import CompositeForm, Form, ListForm, PooledForm, Same
from jitcore.passes.infer.domain.given_lists import Given
from jitcore.passes.infer.domain.values import Buffer, ListItems, Reference
from jitcore.structs import dataclass, field
from jitcore.types import TensorType


def items_of(form: Form) -> tuple[Form, ...]:
    return form.items if isinstance(form, CompositeForm) else ()


def lengths_differ(a: Form, b: Form) -> bool:
    """Whether two lists can only be joined as one of run-time length."""
    return len(items_of(a)) != len(items_of(b)) or isinstance(a, ListForm) or isinstance(b, ListForm)


def is_list(form: Form) -> bool:
    if isinstance(form, CompositeForm):
        return form.extra is ListItems or form.extra == (list,)
    return isinstance(form, ListForm)


def list_form(buffer: Buffer, *, reference: bool, shared: bool = False) -> ListForm:
    return ListForm(buffer.element, tuple(_column_type(c) for c in buffer.columns), reference, shared)


def _column_type(column: Atom) -> TensorType:
    type_ = type_of(column)
    assert isinstance(type_, TensorType)
    return type_


def has_lists(form: Form) -> bool:
    if isinstance(form, CompositeForm):
        return form.extra == (list,) or any(map(has_lists, form.items))
    if isinstance(form, Same):
        return isinstance(form.value, Reference) and form.value.kind is list
    return isinstance(form, ListForm | PooledForm)


@dataclass(frozen=True, slots=True, eq=False)
class Pool:
    """The lists (in the heap) that a pool is made of."""

    element: Form
    starts: Reference
    lengths: Reference
    rooms: Reference
    items: Reference

    @property
    def parts(self) -> tuple[Reference, ...]:
        return self.starts, self.lengths, self.rooms, self.items


@dataclass(slots=True)
class Pooling:
    """The pools of a program; without any where it does not need them (`is_used`)."""

    is_used: bool
    pools: list[Pool] = field(default_factory=list[Pool])
    births: dict[int, Any] = field(default_factory=dict[int, Any])
    """Where lists were made, by their keys."""
    changed: set[int] = field(default_factory=set[int])
    """The pools of which lists were changed, by their numbers."""
    given: list[Given] = field(default_factory=list[Given])
    """The lists of the call's that are in pools."""
