"""Objects that are items of lists of run-time length: their attributes are in the rows of the list's columns, and only
there.

An `Instance` whose contents in the heap are a `Row` reads and writes the list. So every name of such an object, however
it was got from the list, sees each change, and two of them are one where their positions are equal. Where positions
change (`pop`, `sort`, items replaced), or an object is known by another name from before it was an item of the list,
that cannot be told: inference starts anew without rows, and what is read of such lists are copies, not to be changed.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any, Final, NoReturn

from jitcore.passes.infer.domain import abstract, forms, representations
from jitcore.passes.infer.domain.forms import CompositeForm
from jitcore.passes.infer.domain.values import Buffer, Fields, Instance, Reference, Restart, Row, Value

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

WITHOUT: Final = "rows"
"""The mark of a program that is to do without."""


def begin_without(infer: Infer) -> NoReturn:
    """Start anew, without rows."""
    infer.assumptions.kept.add(WITHOUT)
    raise Restart


def of_item(infer: Infer, target: Reference, position: Value) -> Instance | None:
    """The item of a list at a position that there is, as an object that is in its row; None if it is no object."""
    heap, buffer = infer.heap, infer.heap.buffer(target)
    element = None if buffer is None else buffer.element
    if not isinstance(element, CompositeForm) or element.kind is not Instance or WITHOUT in infer.assumptions.kept:
        return None
    if heap.is_frozen(target):
        return None
    if target.key in heap.resized:
        begin_without(infer)
    heap.with_rows.add(target.key)
    return heap.new_row(Row(target.key, position, element.extra[0]))


def adopt(infer: Infer, target: Reference, position: Value, value: Instance) -> None:
    """An object became the item at the end of a list: from here on it is in its row."""
    if value.key < infer.moves_from or target.key in infer.heap.resized:
        begin_without(infer)
    infer.heap.with_rows.add(target.key)
    infer.heap.state[value.key] = Row(target.key, position, value.cls)


def can_adopt(infer: Infer, target: Reference, value: Value) -> bool:
    """Whether an object that is appended to a list can be in its row from then on."""
    if not isinstance(value, Instance) or WITHOUT in infer.assumptions.kept or infer.heap.is_frozen(target):
        return False
    return infer.heap.row(value) is None and not infer.heap.is_frozen(value)


def resizing(infer: Infer, target: Reference) -> None:
    """Positions in a list are about to change."""
    infer.heap.resized.add(target.key)
    if target.key in infer.heap.with_rows and WITHOUT not in infer.assumptions.kept:
        begin_without(infer)


def _buffer(infer: Infer, row: Row) -> Buffer:
    buffer = infer.heap.contents(row.list)
    assert isinstance(buffer, Buffer)
    return buffer


def read(infer: Infer, row: Row) -> Fields:
    """The attributes of an object in a row."""
    copied = representations.item_of_list(infer, _buffer(infer, row), row.position)
    assert isinstance(copied, Instance)
    return infer.heap.fields(copied)


def write(infer: Infer, row: Row, name: str, value: Value) -> None:
    """Give an object in a row another attribute."""
    heap, buffer = infer.heap, _buffer(infer, row)
    assert isinstance(buffer.element, CompositeForm)
    names: Sequence[str] = buffer.element.extra[1]
    if heap.given_was_read:
        begin_without(infer)
    heap.row_was_written = True
    which = names.index(name) if name in names else -1
    if which < 0 or not forms.fits(infer, buffer.element.items[which], value):
        raise infer.unsupported(
            f"giving the attribute '{name}' of an item of a list, whose length is known only at run time, another type",
            "values of one type in all items of the list",
        )
    first = sum(len(forms.atom_types(form)) for form in buffer.element.items[:which])
    made = representations.with_part_of_item(infer, buffer, row.position, buffer.element.items[which], first, value)
    heap.store(row.list, made)


def same(infer: Infer, x: Row, y: Row) -> Value | None:
    """Whether two objects in rows are one; None if they are in different lists."""
    return abstract.compare(infer, "==", x.position, y.position) if x.list == y.list else None


def require_alike(infer: Infer, keys: Sequence[Any], states: Sequence[dict[Any, Any]]) -> None:
    """Start anew without rows if an object is in a row on some paths only."""
    for key in keys:
        found = [state.get(key) for state in states]
        if any(isinstance(f, Row) for f in found) and any(f is not found[0] for f in found):
            begin_without(infer)
