"""Sorting of objects, a few of which are in a list of static structure: each is compared with each, and stays the
object it is."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Final

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.forms import CompositeForm, Form
from jitcore.passes.infer.domain.values import Instance, Number, Static, Tuple, Value
from jitcore.passes.infer.engine import numbers
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

MOST: Final = 16
"""The number of comparisons, and of choices, grows with the square of the number of items."""


def holds_objects(value: Value) -> bool:
    """Whether a value is an object made in compiled code, or a tuple with one in it."""
    return isinstance(value, Instance) or (isinstance(value, Tuple) and any(map(holds_objects, value.items)))


def is_of_objects(form: Form | None) -> bool:
    """Whether values of a form are such objects, or have some in them."""
    return isinstance(form, CompositeForm) and (form.kind is Instance or any(map(is_of_objects, form.items)))


def by_keys(infer: Infer, found: Sequence[Value], keys: Sequence[Value], *, descending: bool) -> tuple[Value, ...]:
    """Items in the order of their keys; those of equal keys in the order they have."""
    ranks: list[Value] = [Static(0)] * len(found)
    for later in range(len(found)):
        for earlier in range(later):
            before = _goes_before(infer, keys[later], keys[earlier], descending)
            ranks[earlier] = numbers.binary(infer, "+", ranks[earlier], before)
            ranks[later] = numbers.binary(infer, "+", ranks[later], numbers.binary(infer, "-", Static(1), before))
    places = [infer.number_atom(rank, INT) for rank in ranks]
    return tuple(numbers.choose_at(infer, found, places, position) for position in range(len(found)))


def _goes_before(infer: Infer, later: Value, earlier: Value, descending: bool) -> Value:
    """1 if an item goes before one that stands before it, else 0."""
    low, high = (earlier, later) if descending else (later, earlier)
    before = abstract.truth(infer, abstract.compare(infer, "<", low, high))
    if isinstance(before, Number):
        return infer.number(numbers.convert(infer, before, INT), before)
    assert isinstance(before, Static)
    return Static(int(before.value))
