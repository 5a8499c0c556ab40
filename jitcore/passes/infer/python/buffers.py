"""Lists whose length is known only at run time: their items are the rows of columns (`primitives.ops.growing`).

A list has static structure until a loop or branch changes its length (`joiner.Joiner`); from there on it is a
`values.Buffer` in the heap. Its items share a form, whose every atom has a column.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING, Any

import numpy as np

from jitcore.ir.nodes import Atom, Literal, type_of
from jitcore.lookup import has_attribute
from jitcore.passes.infer.domain import abstract, array_operations, composition, forms, mixed, representations
from jitcore.passes.infer.domain.columns import EMPTY, extent_of, shape_of, zeros
from jitcore.passes.infer.domain.forms import SCALARS, Form, ListForm, NotOneFormError
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Buffer,
    Instance,
    Number,
    PooledItems,
    PythonError,
    Reference,
    Sequence,
    Slice,
    Static,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import indices, numbers, rows
from jitcore.passes.infer.engine.loops import Loop, run_loop
from jitcore.primitives.ops import conversions, copying, growing, python_ints, views
from jitcore.types import INT, ScalarType, TensorType, fresh_symbol

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

# --- forms ------------------------------------------------------------------------------------------


@representations.buffer_of.model
def of_form(infer: Infer, value: Value, element: Form | None) -> Buffer:
    """What a list (or what one holds) has as a buffer of items of a form, which they fit."""
    contents = _contents(infer, value)
    if isinstance(contents, PooledItems) and (element is None or contents.element == element):
        return contents
    if isinstance(contents, Buffer):
        if element is None:
            return Buffer(contents.length, None, contents.columns)
        if contents.element is not None:
            return mixed.converted(infer, contents, element)
        contents = ()
    if element is None:
        return EMPTY
    return _filled(infer, element, contents)


def _contents(infer: Infer, value: Value) -> Any:
    """A buffer, or the items of a list of static structure."""
    if isinstance(value, Reference):
        return infer.heap.contents(value.key)
    return value.items if isinstance(value, Tuple) else value


def _filled(infer: Infer, element: Form, items: tuple[Value, ...]) -> Buffer:
    """A buffer that holds just these items."""
    with infer.heap.giving():
        for member in items:
            _give_away(infer, member)
        rows = [forms.flatten(infer, element, item) for item in items]
    columns: list[Atom] = []
    for k, row in enumerate(forms.rows_of(element)):
        type_ = TensorType(row.dtype, (len(items), *row.shape))
        atoms = [parts[k] for parts in rows]
        if atoms and not row.rank and all(isinstance(a, Literal) for a in atoms):
            values = [a.value for a in atoms if isinstance(a, Literal)]
            columns.append(Literal(np.array(values, row.dtype.numpy), type_))
            continue
        column: Atom = zeros(infer, type_)
        for position, atom in enumerate(atoms):
            column = infer.emit(growing.put_row, column, Literal(position, INT), _row(infer, atom))
        columns.append(column)
    return Buffer(Static(len(items)), element, tuple(columns))


@representations.fits_list.model
def fits(infer: Infer, form: ListForm, value: Value) -> bool:
    """Whether a value is a list (or what one holds) whose items have the form's."""
    kinds = Reference if form.reference else (Buffer, Tuple)
    if not isinstance(value, kinds) or (isinstance(value, Reference) and value.kind is not list):
        return False
    contents = _contents(infer, value)
    if isinstance(contents, Buffer):
        return contents.element is None or (form.element is not None and mixed.admits(form.element, contents.element))
    return form.element is None or all(forms.fits(infer, form.element, item) for item in contents)


# --- rows -------------------------------------------------------------------------------------------


def _row(infer: Infer, atom: Atom) -> Atom:
    """A number as the row of a column; an array is one."""
    type_ = type_of(atom)
    return infer.emit(conversions.from_scalar, atom, dtype=type_.dtype) if isinstance(type_, ScalarType) else atom


@representations.item_of_list.model_of(Buffer)
def _item(infer: Infer, buffer: Buffer, index: Value) -> Value:
    """The item at a position that there is."""
    atom = infer.number_atom(index, INT)
    parts: list[Any] = []
    for column, type_ in zip(buffer.columns, forms.atom_types(buffer.element), strict=True):
        row = infer.emit(growing.pick_row, column, atom)
        parts.append(infer.emit(conversions.to_scalar, row) if isinstance(type_, ScalarType) else row)
    return forms.unflatten(infer, buffer.element, iter(parts))


def with_item(infer: Infer, buffer: Buffer, index: Value, value: Value) -> Buffer:
    """The buffer with another item at a position that there is."""
    with infer.heap.giving():
        buffer = _admitting(infer, buffer, value)
        parts = forms.flatten(infer, buffer.element, value)
    atom = infer.number_atom(index, INT)
    columns: list[Atom] = []
    for column, part in zip(buffer.columns, parts, strict=True):
        columns.append(infer.emit(growing.put_row, column, atom, _row(infer, part)))
    return Buffer(buffer.length, buffer.element, tuple(columns))


@representations.with_part_of_item.model
def with_part(infer: Infer, buffer: Buffer, index: Value, form: Form, first: int, value: Value) -> Buffer:
    """The buffer with another part, from its column `first` on, of the item at a position that there is."""
    with infer.heap.giving():
        _give_away(infer, value)
        parts = forms.flatten(infer, form, value)
    atom, columns = infer.number_atom(index, INT), list(buffer.columns)
    for k, part in enumerate(parts, first):
        columns[k] = infer.emit(growing.put_row, columns[k], atom, _row(infer, part))
    return Buffer(buffer.length, buffer.element, tuple(columns))


def _admitting(infer: Infer, buffer: Buffer, value: Value, *, stays: bool = False) -> Buffer:
    """The buffer as one that may hold a value besides what it holds. `stays`: it is an object that goes on in the
    list."""
    for given in composition.decompose(infer, value)[2] if stays else (value,):
        _give_away(infer, given)
    joiner = Joiner(infer, 0)
    try:
        element = joiner.join_items(buffer.element, joiner.form_of(value, runtime=True))
        rows = forms.rows_of(element)
    except NotOneFormError:
        raise infer.unsupported(
            "items of several types in a list whose length is known only at run time",
            "items of one type (1.0 instead of 1 among floats), arrays of one shape",
        ) from None
    if buffer.element is not None:
        return mixed.converted(infer, buffer, element)
    columns = tuple(zeros(infer, TensorType(row.dtype, (0, *row.shape))) for row in rows)
    return Buffer(buffer.length, element, columns)


def _give_away(infer: Infer, value: Value) -> None:
    """A list, dict or object becomes the item of a list: what is read of that is a copy, so it can be changed no
    more."""
    if infer.pooling.is_used:
        representations.adopt_all(infer, [value])
    if isinstance(value, Reference) and infer.heap.pooled(value) is not None:
        return
    if isinstance(value, Reference | Instance):
        from_before = (
            value.key in infer.heap.arguments or value.key < infer.moves_from
        )  # each round would hold it again
        if from_before or infer.heap.is_frozen(value):
            raise infer.unsupported(
                "a list, dict or object held several times by lists whose length is known only at run time"
            )
        infer.heap.give(value)
    if isinstance(value, Reference | Tuple | Instance) and infer.heap.buffer(value) is None:
        for member in composition.decompose(infer, value)[2]:
            _give_away(infer, member)


def append(infer: Infer, buffer: Buffer, value: Value, *, stays: bool = False) -> Buffer:
    """The buffer with an item more (see `_admitting`)."""
    with infer.heap.giving():
        buffer = _admitting(infer, buffer, value, stays=stays)
        parts = forms.flatten(infer, buffer.element, value)
    length = infer.number_atom(buffer.length, INT)
    columns: list[Atom] = []
    for column, part in zip(buffer.columns, parts, strict=True):
        roomy = infer.emit(growing.room, column, length, symbol=str(fresh_symbol()))
        columns.append(infer.emit(growing.put_row, roomy, length, _row(infer, part)))
    longer = numbers.binary(infer, "+", buffer.length, Static(1))
    return Buffer(longer, buffer.element, tuple(columns))


# --- positions --------------------------------------------------------------------------------------


def position_of(infer: Infer, buffer: Buffer, index: Value, message: str, what: str = "") -> Value:
    """The position a Python index means. Raises IndexError in the program if there is none. `what` is done by a
    subscript there: "get", "put" or "del"."""
    if not _may_be_index(index):
        kind = type_name(index)
        of_subscript = f"list indices must be integers or slices, not {kind}"
        raise PythonError(TypeError(of_subscript if what else f"'{kind}' object cannot be interpreted as an integer"))
    index = abstract.index(infer, index)
    if what in ("get", "put"):
        indices.require_inside(infer, what, "list", buffer.length, index)
    length = infer.number_atom(buffer.length, INT)
    if isinstance(index, Static) and (index.value >= 0 or isinstance(buffer.length, Static)):  # it stays known
        position = index if index.value >= 0 else numbers.binary(infer, "+", buffer.length, index)
        atom = infer.number_atom(position, INT)
        low = infer.emit(python_ints.int_ge, atom, Literal(0, INT))
        inside = infer.emit(python_ints.bool_and, low, infer.emit(python_ints.int_lt, atom, length))
        infer.emit_all(conversions.check, inside, exception="IndexError", message=message)
        return position
    return Number(infer.emit(conversions.check_position, infer.number_atom(index, INT), length, message=message), INT)


def _may_be_index(index: Value) -> bool:
    if numbers.type_of_number(index) is not None:
        return _is_integer(index)
    return isinstance(index, Array) or (isinstance(index, Static) and has_attribute(type(index.value), "__index__"))


def _is_integer(index: Value) -> bool:
    type_ = numbers.type_of_number(index)
    return type_ is not None and type_.dtype.kind in "bi"


def get(infer: Infer, buffer: Buffer, key: Value, target: Value | None = None) -> Value:
    """`list[key]`; `target` is the list, if it is one that the program has."""
    if isinstance(key, Slice):
        return infer.heap.new(list, sliced(infer, buffer, key))
    position = position_of(infer, buffer, key, "list index out of range", "get")
    if buffer.element is None:
        return _never(infer)
    return _item_of(infer, target, buffer, position)


def _item_of(infer: Infer, target: Value | None, buffer: Buffer, position: Value) -> Value:
    made = rows.of_item(infer, target, position) if isinstance(target, Reference) else None
    return representations.item_of_list(infer, buffer, position) if made is None else made


def _never(infer: Infer) -> Value:
    """The item of a list that never has any: the check before has failed."""
    raise PythonError(IndexError("list index out of range"))


@representations.items_of_list.model_of(Buffer)
def _trimmed(infer: Infer, buffer: Buffer) -> tuple[Array, ...]:
    """The columns without the rows that hold no items, as arrays."""
    extent = extent_of(infer, buffer.length)
    made: list[Array] = []
    for column in buffer.columns:
        rest = (("s", 0, 1, d) for d in shape_of(column)[1:])
        atom = infer.emit(views.view_index, column, spec=(("s", 0, 1, extent), *rest))
        made.append(Array(atom, "ndarray"))
    return tuple(made)


def sliced(infer: Infer, buffer: Buffer, key: Slice) -> Buffer:
    if buffer.element is None or not buffer.columns:
        raise infer.unsupported("a slice of this list, whose length is known only at run time")
    parts = [array_operations.getitem(infer, column, key) for column in representations.items_of_list(infer, buffer)]
    atoms = [infer.emit(copying.copy, infer.read(p)) for p in parts if isinstance(p, Array)]
    return Buffer(infer.extent(shape_of(atoms[0])[0]), buffer.element, tuple(atoms))


def set_(infer: Infer, target: Reference, buffer: Buffer, key: Value, value: Value) -> None:
    """`list[key] = value`."""
    row = infer.heap.pooled(target)
    if row is not None:
        representations.set_pooled_item(infer, row, key, value)
        return
    position = position_of(infer, buffer, key, "list assignment index out of range", "put")
    infer.heap.store(target.key, with_item(infer, buffer, position, value))


# --- going through it -------------------------------------------------------------------------------


@abstract.sequence.model_of(Reference)
def sequence(infer: Infer, target: Reference) -> Sequence:
    """A list to be gone through: it may change on the way, as in Python."""
    buffer = infer.heap.buffer(target)
    assert buffer is not None

    def now() -> Buffer:
        return of_form(infer, target, _element(infer, target))

    def reaches(index: Value) -> Value:
        return numbers.compare(infer, "<", index, now().length)

    def at(index: Value) -> Value:
        held = now()
        if held.element is None:
            raise PythonError(IndexError("list index out of range"))
        if held.length is not buffer.length:
            return get(infer, held, index, target)
        return _item_of(infer, target, held, index)

    return Sequence(buffer.length, at, reaches)


def _element(infer: Infer, target: Reference) -> Form | None:
    contents = infer.heap.contents(target.key)
    if isinstance(contents, Buffer):
        return contents.element
    return join_all(infer, contents)


def join_all(infer: Infer, items: tuple[Value, ...]) -> Form | None:
    """The form that items have in common; None if there are none. Raises CompileError if they have not one."""
    element = common_form(infer, items)
    if element is None and items:
        raise infer.unsupported("items of several types in a list whose length is known only at run time")
    return element


def common_form(infer: Infer, items: Iterable[Value]) -> Form | None:
    """The form that items have in common; None if they have not one, or there are none."""
    joiner = Joiner(infer, 0)
    element: Form | None = None
    try:
        for member in items:
            form = joiner.form_of(member, runtime=True)
            infer.budget.compared(form)
            element = joiner.join_items(element, form)
            forms.rows_of(element)
    except NotOneFormError:
        return None
    return element


def collect(infer: Infer, given: Sequence) -> Reference:
    """The list of all that a sequence gives."""
    made = infer.heap.new(list, EMPTY)
    extend(infer, made, given)
    return made


def extend(infer: Infer, target: Reference, given: Sequence) -> None:
    """Append all that a sequence gives; the list has a buffer."""

    def body(values: list[Value]) -> list[Value]:
        held = infer.heap.buffer(target)
        assert held is not None
        infer.heap.store(target.key, append(infer, held, given.item(values[0])))
        return []

    length = infer.number_atom(given.length, INT)
    run_loop(infer, Loop("extend", body, None, length), [])


def at_run_time(infer: Infer, target: Reference) -> Buffer:
    """What a list holds as a buffer, which it is from here on."""
    buffer = infer.heap.buffer(target)
    if buffer is None:
        buffer = of_form(infer, target, join_all(infer, infer.heap.items(target)))
        infer.heap.store(target.key, buffer)
    return buffer


def of_long(infer: Infer, container: Value, found: tuple[Value, ...], new: Value | None = None) -> Buffer | None:
    """What a long list or tuple holds as a buffer, where the run says which item is meant (and what `new` replaces it);
    a list is one from here on. None if it is not long, or its items are not numbers, or None, or tuples of those."""
    if len(found) < growing.LONG or not all(map(_is_plain, found)):
        return None
    element = common_form(infer, found if new is None else (*found, new))
    if element is None:
        return None
    if not isinstance(container, Reference) or infer.heap.is_frozen(container):
        return _filled(infer, element, found)
    path = container.path
    if path is not None and not infer.inputs.is_argument(container.key) and isinstance(element, forms.NumberForm):
        infer.assumptions.columns.add(path)
        infer.is_stale = True
    made = of_form(infer, container, element)
    if path is None or new is not None:
        infer.heap.store(container.key, made)
    return made


def _is_plain(value: Value) -> bool:
    if isinstance(value, Tuple):
        return all(map(_is_plain, value.items))
    return isinstance(value, Number) or (
        isinstance(value, Static) and (value.value is None or type(value.value) in SCALARS)
    )


def emptied(infer: Infer, buffer: Buffer) -> Buffer:
    """A buffer for the same items, without any."""
    if buffer.element is None:
        return buffer
    rows = forms.rows_of(buffer.element)
    columns = (zeros(infer, TensorType(row.dtype, (0, *row.shape))) for row in rows)
    return Buffer(Static(0), buffer.element, tuple(columns))
