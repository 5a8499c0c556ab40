"""Methods and operators of lists whose length is known only at run time (`python.buffers`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final, NoReturn

from jitcore.ir.nodes import Literal
from jitcore.passes.infer.domain import abstract, forms, representations, templates
from jitcore.passes.infer.domain.columns import extent_of
from jitcore.passes.infer.domain.values import (
    Buffer,
    Instance,
    Number,
    PythonError,
    Raised,
    Reference,
    Sequence,
    Slice,
    Static,
    Text,
    Value,
)
from jitcore.passes.infer.engine import branching, dialect, failures, numbers, rows
from jitcore.passes.infer.engine.loops import Loop, run_loop
from jitcore.passes.infer.python import (
    buffers,
    containers,
    iterators,
    list_sorting,
    pools,
    sorting,
    strings,
)
from jitcore.primitives.ops import conversions, growing, joining, python_ints
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def _append(infer: Infer, target: Reference, buffer: Buffer, value: Value) -> Value:
    row = infer.heap.pooled(target)
    if row is not None:
        pools.append(infer, row, value)
        return Static(None)
    stays = rows.can_adopt(infer, target, value)
    infer.heap.store(target.key, buffers.append(infer, buffer, value, stays=stays))
    if stays and isinstance(value, Instance):
        rows.adopt(infer, target, buffer.length, value)
    return Static(None)


def _extend(infer: Infer, target: Reference, buffer: Buffer, other: Value) -> Value:
    given = containers.as_sequence(infer, other)
    if given is not None:
        buffers.extend(infer, target, Sequence(given.length, given.item))
        return Static(None)
    for member in abstract.iterate_static(infer, other) or ():
        buffer = buffers.append(infer, buffer, member)
    infer.heap.store(target.key, buffer)
    return Static(None)


def _pop(infer: Infer, target: Reference, buffer: Buffer, index: Value = Static(-1)) -> Value:
    some = infer.emit(python_ints.int_gt, infer.number_atom(buffer.length, INT), Literal(0, INT))
    infer.emit_all(conversions.check, some, exception="IndexError", message="pop from empty list")
    if buffer.element is None:
        raise PythonError(IndexError("pop from empty list"))
    is_last = isinstance(index, Static) and index.value == -1
    last = numbers.binary(infer, "-", buffer.length, Static(1))
    position = last if is_last else buffers.position_of(infer, buffer, index, "pop index out of range")
    popped = representations.item_of_list(infer, buffer, position)
    row = infer.heap.pooled(target) if is_last else None
    if row is not None:
        pools.drop_last(infer, row, last)
        return popped
    infer.heap.store(target.key, Buffer(last, buffer.element, buffer.columns))
    if not is_last:
        _shift(infer, target, buffer, position, last)
    return popped


def _shift(infer: Infer, target: Reference, full: Buffer, start: Value, last: Value) -> None:
    """Move every item after `start` one position to the front."""
    infer.heap.store(target.key, full)

    def body(values: list[Value]) -> list[Value]:
        held = infer.heap.buffer(target)
        assert held is not None
        to = numbers.binary(infer, "+", start, values[0])
        moved = representations.item_of_list(infer, held, numbers.binary(infer, "+", to, Static(1)))
        infer.heap.store(target.key, buffers.with_item(infer, held, to, moved))
        return []

    run_loop(infer, Loop("shift", body, None, infer.number_atom(numbers.binary(infer, "-", last, start), INT)), [])
    held = infer.heap.buffer(target)
    assert held is not None
    infer.heap.store(target.key, Buffer(last, held.element, held.columns))


def _insert(infer: Infer, target: Reference, buffer: Buffer, index: Value, value: Value) -> Value:
    before = buffer.length
    index = abstract.index(infer, index)
    atom, length = infer.number_atom(index, INT), infer.number_atom(before, INT)
    negative = infer.emit(python_ints.int_lt, atom, Literal(0, INT))
    atom = infer.emit(python_ints.int_select, negative, infer.emit(python_ints.int_add, atom, length), atom)
    below = infer.emit(python_ints.int_lt, atom, Literal(0, INT))
    atom = infer.emit(python_ints.int_select, below, Literal(0, INT), atom)
    above = infer.emit(python_ints.int_gt, atom, length)
    position = Number(infer.emit(python_ints.int_select, above, length, atom), INT)
    infer.heap.store(target.key, buffers.append(infer, buffer, value))

    def body(values: list[Value]) -> list[Value]:
        held = infer.heap.buffer(target)
        assert held is not None
        to = numbers.binary(infer, "-", before, values[0])
        moved = representations.item_of_list(infer, held, numbers.binary(infer, "-", to, Static(1)))
        infer.heap.store(target.key, buffers.with_item(infer, held, to, moved))
        return []

    rounds = infer.number_atom(numbers.binary(infer, "-", before, position), INT)
    run_loop(infer, Loop("shift", body, None, rounds), [])
    held = infer.heap.buffer(target)
    assert held is not None
    infer.heap.store(target.key, buffers.with_item(infer, held, position, value))
    return Static(None)


def _clear(infer: Infer, target: Reference, buffer: Buffer) -> Value:
    infer.heap.store(target.key, Buffer(Static(0), buffer.element, buffer.columns))
    return Static(None)


def _reverse(infer: Infer, target: Reference, buffer: Buffer) -> Value:
    if buffer.element is not None:
        infer.heap.store(target.key, buffers.sliced(infer, buffer, Slice(Static(None), Static(None), Static(-1))))
    return Static(None)


def _copy(infer: Infer, target: Reference, buffer: Buffer) -> Value:
    return infer.heap.new(list, buffer)


def find(infer: Infer, buffer: Buffer, wanted: Value) -> Value:
    """The position of the first item equal to `wanted`; the list's length if there is none."""
    if buffer.element is None:
        return Static(0)

    def test(values: list[Value]) -> Value:
        return numbers.both(infer, numbers.compare(infer, "<", values[0], buffer.length), values[1])

    def body(values: list[Value]) -> list[Value]:
        same = abstract.truth(
            infer, abstract.compare(infer, "==", representations.item_of_list(infer, buffer, values[0]), wanted)
        )
        following = numbers.binary(infer, "+", values[0], Static(1))
        goes_on = abstract.not_(infer, same)
        known = infer.truth(same)
        if isinstance(known, bool):
            return [values[0] if known else following, goes_on]
        kept = infer.emit(
            python_ints.int_select, known, infer.number_atom(values[0], INT), infer.number_atom(following, INT)
        )
        return [Number(kept, INT), goes_on]

    return run_loop(infer, Loop("find", body, test), [Static(0), Static(True)])[0]


def contains(infer: Infer, buffer: Buffer, wanted: Value) -> Value:
    """`wanted in list`."""
    return numbers.compare(infer, "<", find(infer, buffer, wanted), buffer.length)


def _index(infer: Infer, target: Reference, buffer: Buffer, wanted: Value, *bounds: Value) -> Value:
    if bounds:
        raise infer.unsupported("index() between bounds in a list whose length is known only at run time")
    found = find(infer, buffer, wanted)
    inside = infer.truth(numbers.compare(infer, "<", found, buffer.length))
    message = "{0} is not in list"
    if inside is False:
        raise_missing(infer, wanted, message)
    if inside is not True:
        branching.branch(infer, inside, list, lambda: raise_missing(infer, wanted, message))
    return found


def _remove(infer: Infer, target: Reference, buffer: Buffer, wanted: Value) -> Value:
    found = find(infer, buffer, wanted)
    inside = infer.truth(numbers.compare(infer, "<", found, buffer.length))
    if inside is False or buffer.element is None:
        raise PythonError(ValueError("list.remove(x): x not in list"))
    if inside is not True:
        infer.emit_all(conversions.check, inside, exception="ValueError", message="list.remove(x): x not in list")
    _shift(infer, target, buffer, found, numbers.binary(infer, "-", buffer.length, Static(1)))
    return Static(None)


def _sort(
    infer: Infer, target: Reference, buffer: Buffer, *, key: Value = Static(None), reverse: Value = Static(False)
) -> Value:
    iterators.sort(infer, target, lambda v: list_sorting.keyed(infer, key, v), reverse)
    return Static(None)


def _count(infer: Infer, target: Reference, buffer: Buffer, wanted: Value) -> Value:
    if buffer.element is None:
        return Static(0)

    def body(values: list[Value]) -> list[Value]:
        same = abstract.truth(
            infer, abstract.compare(infer, "==", representations.item_of_list(infer, buffer, values[0]), wanted)
        )
        return [numbers.binary(infer, "+", values[1], same)]

    return run_loop(infer, Loop("count", body, None, infer.number_atom(buffer.length, INT)), [Static(0)])[0]


METHODS: dict[str, Any] = {
    "append": _append,
    "extend": _extend,
    "pop": _pop,
    "insert": _insert,
    "clear": _clear,
    "reverse": _reverse,
    "copy": _copy,
    "index": _index,
    "remove": _remove,
    "count": _count,
    "sort": _sort,
}

STORED: Final[dict[str, tuple[int, ...]]] = {"append": (0,), "insert": (1,)}
"""Which arguments become items."""

IN_PLACE: Final = frozenset(["append", "pop", "index", "count", "copy"])
"""The methods that lists in pools have as they are."""


def changed_apart(infer: Infer, target: Reference, change: Callable[[Reference, Buffer], Value]) -> Value:
    """Change a list; one in a pool as a copy of it, whose items it then gets."""
    buffer = infer.heap.buffer(target)
    assert buffer is not None
    if infer.heap.pooled(target) is None:
        return change(target, buffer)
    apart = infer.heap.new(list, buffer)
    made = change(apart, buffers.at_run_time(infer, apart))
    infer.heap.store(target.key, infer.heap.contents(apart.key))
    return made


def delete(infer: Infer, target: Reference, buffer: Buffer, key: Value) -> None:
    """`del list[key]`."""
    position = buffers.position_of(infer, buffer, key, "list assignment index out of range", "del")
    _shift(infer, target, buffer, position, numbers.binary(infer, "-", buffer.length, Static(1)))


# --- operators --------------------------------------------------------------------------------------


def concatenated(infer: Infer, x: Reference, y: Reference) -> Value:
    """`x + y` for lists one of which has a buffer."""
    made = infer.heap.new(list, infer.heap.contents(x.key))
    other = infer.heap.buffer(y)
    if other is not None:
        buffers.at_run_time(infer, made)
        buffers.extend(infer, made, buffers.sequence(infer, y))
        return made
    _extend(infer, made, buffers.at_run_time(infer, made), y)
    return made


def repeated(infer: Infer, source: Reference, times: Value) -> Value:
    """`list * times` where either is known only at run time."""
    times = abstract.index(infer, times)
    made = infer.heap.new(list, infer.heap.contents(source.key))
    held = buffers.at_run_time(infer, made)
    if held.element is None:
        return made
    if sorting.is_of_objects(held.element):
        raise infer.unsupported("a list that holds the same object several times")
    rows = forms.rows_of(held.element)
    zero = numbers.compare(infer, "<", times, Static(0))
    count = numbers.choose(infer, abstract.truth(infer, zero), Static(0), times)
    if isinstance(held.length, Static) and held.length.value == 1 and all(not r.rank for r in rows):
        extent = extent_of(infer, count)
        columns = tuple(
            infer.emit(joining.full, infer.emit(growing.pick_row, c, Literal(0, INT)), shape=(extent,))
            for c in held.columns
        )
        return infer.heap.new(list, Buffer(count, held.element, columns))
    total = numbers.binary(infer, "*", held.length, count)
    out = infer.heap.new(list, buffers.emptied(infer, held))
    buffers.extend(
        infer,
        out,
        Sequence(
            total, lambda i: representations.item_of_list(infer, held, numbers.binary(infer, "%", i, held.length))
        ),
    )
    return out


def raise_missing(infer: Infer, item: Value, message: str) -> NoReturn:
    """Emit the ValueError for what is not in a container; `{0}` in the message stands for it."""
    other = dialect.in_words(infer, message)
    if other != message:
        shown = strings.format_value(infer, item, "s", "")
        failures.emit_raise(infer, Raised(ValueError, (templates.joined([shown, Text(other.replace("{0}", ""), ())]),)))
    if "{0}" not in message:
        failures.emit_raise(infer, Raised(ValueError, (Static(message),)))
    shown = strings.format_value(infer, item, "r", "")
    failures.emit_raise(infer, Raised(ValueError, (templates.joined([shown, Text(message.replace("{0}", ""), ())]),)))
