"""Lists and deques of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Final

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.boxed.numpy_numbers import require_comparable, require_no_nan, sought
from jitcore.passes.infer.boxed.values import (
    act,
    add,
    distributed,
    held,
    index,
    kinds_of,
    look,
    new_kind,
    number,
    unify,
    words,
)
from jitcore.passes.infer.domain import abstract, cells
from jitcore.passes.infer.domain.cells import Kinds
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Boxed,
    Number,
    PythonError,
    Raised,
    Sequence,
    Slice,
    Static,
    Stream,
    Text,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, failures, numbers
from jitcore.passes.infer.engine.loops import Loop, run_loop
from jitcore.passes.infer.python import containers, streams
from jitcore.primitives.ops import conversions, python_ints
from jitcore.program.boxes import Kind
from jitcore.types import BOOL, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def new(infer: Infer, label: str = "", capacity: int = 0) -> Boxed:
    """An empty list."""
    return Boxed(act(infer, "list_new", int(Kind.LIST), capacity), new_kind(infer, Kind.LIST, list, label))


def kinds(infer: Infer, value: Boxed) -> Kinds:
    """What a list may hold."""
    return infer.assumptions.cells.kinds(value.kind.cell)


def put_kinds(infer: Infer, target: Boxed, value: Value) -> tuple[Atom, Atom]:
    """A value that a list is to hold, as words."""
    add(infer, target.kind.cell, kinds_of(infer, value))
    return words(infer, value)


def append(infer: Infer, target: Boxed, value: Value) -> Value:
    """`target.append(value)`."""
    act(infer, "list_append", target.atom, *put_kinds(infer, target, value))
    return Static(None)


def length(infer: Infer, value: Boxed) -> Number:
    """`len(value)`."""
    return number(infer, look(infer, "list_length", value.atom))


def at(infer: Infer, value: Boxed, position: Atom) -> Value:
    """The item at a position, which must be there."""
    return held(infer, kinds(infer, value), "list_item", value.atom, position)


def is_index(key: Value) -> bool:
    """Whether a value is an int, or what can be one."""
    return numbers.type_of_number(key) in (INT, BOOL) or (isinstance(key, Array) and numbers.has_index(key))


def _position(infer: Infer, value: Boxed, key: Value, message: str) -> Atom:
    """A position that is counted from 0, checked."""
    if not is_index(key):
        if value.kind.kind is Kind.LIST:
            raise PythonError(TypeError(f"list indices must be integers or slices, not {type_name(key)}"))
        raise PythonError(TypeError(f"sequence index must be integer, not '{type_name(key)}'"))
    size = look(infer, "list_length", value.atom)
    return infer.emit(conversions.check_position, index(infer, key), size, message=message)


def item(infer: Infer, value: Boxed, key: Value) -> Value:
    """`value[key]`."""
    if isinstance(key, Slice) and value.kind.kind is Kind.LIST:
        first, step, count = bounds(infer, key, length(infer, value))
        return Boxed(act(infer, "list_slice", value.atom, first, step, count), value.kind)
    what = "list index out of range" if value.kind.kind is Kind.LIST else "deque index out of range"
    return at(infer, value, _position(infer, value, key, what))


def beginning(infer: Infer, value: Boxed, count: Value) -> Boxed:
    """The first items of a list, none if `count` is negative."""
    size = length(infer, value)
    given = Number(index(infer, count), INT)
    taken = select(infer, numbers.compare(infer, "<", given, size), given, size)
    taken = select(infer, numbers.compare(infer, "<", taken, Static(0)), Static(0), taken)
    return Boxed(act(infer, "list_slice", value.atom, 0, 1, infer.number_atom(taken, INT)), value.kind)


def bounds(infer: Infer, key: Slice, size: Value) -> tuple[Atom, Atom, Atom]:
    """Where a slice begins, its step, and how many items it has."""
    step = key.step if not _is_none(key.step) else Static(1)
    if not isinstance(step, Static):
        return _bounds_of_run(infer, key, index(infer, step), infer.number_atom(size, INT))
    if step.value == 0:
        raise PythonError(ValueError("slice step cannot be zero"))
    up = step.value > 0
    low, high = (Static(0), size) if up else (Static(-1), numbers.binary(infer, "-", size, Static(1)))

    def end(given: Value, otherwise: Value) -> Value:
        if _is_none(given):
            return otherwise
        if isinstance(given, Static) and given.value == 0 and up:
            return given
        counted = Number(index(infer, given), INT) if not isinstance(given, Static) else Static(int(given.value))
        below = numbers.binary(infer, "+", counted, size)
        negative = numbers.compare(infer, "<", counted, Static(0))
        from_start = select(infer, negative, below, counted)
        from_start = select(infer, numbers.compare(infer, "<", from_start, low), low, from_start)
        return select(infer, numbers.compare(infer, ">", from_start, high), high, from_start)

    first, stop = end(key.start, low if up else high), end(key.stop, high if up else low)
    span = numbers.binary(infer, "-", stop, first) if up else numbers.binary(infer, "-", first, stop)
    count = span
    if abs(step.value) != 1:
        more = numbers.binary(infer, "+", span, Static(abs(step.value) - 1))
        count = numbers.binary(infer, "//", more, Static(abs(step.value)))
    count = select(infer, numbers.compare(infer, "<", count, Static(0)), Static(0), count)
    return infer.number_atom(first, INT), Literal(step.value, INT), infer.number_atom(count, INT)


def _bounds_of_run(infer: Infer, key: Slice, step: Atom, size: Atom) -> tuple[Atom, Atom, Atom]:
    zero = numbers.compare(infer, "==", number(infer, step), Static(0))
    raise_if(infer, zero, ValueError, Static("slice step cannot be zero"))
    (start, has_start), (stop, has_stop) = (
        (0, 0) if _is_none(end) else (index(infer, end), 1) for end in (key.start, key.stop)
    )
    first = look(infer, "slice_first", size, step, start, has_start)
    return first, step, look(infer, "slice_count", size, step, first, stop, has_stop)


def _is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.value is None


def select(infer: Infer, condition: Value, yes: Value, no: Value) -> Value:
    """One of two ints."""
    known = infer.truth(condition)
    if isinstance(known, bool):
        return yes if known else no
    made = infer.emit(python_ints.int_select, known, infer.number_atom(yes, INT), infer.number_atom(no, INT))
    return Number(made, INT)


def set_item(infer: Infer, target: Boxed, key: Value, value: Value) -> None:
    """`target[key] = value`."""
    if isinstance(key, Slice) and target.kind.kind is Kind.LIST:
        _set_slice(infer, target, key, value)
        return
    what = "list assignment index out of range" if target.kind.kind is Kind.LIST else "deque index out of range"
    position = _position(infer, target, key, what)
    act(infer, "list_put", target.atom, position, *put_kinds(infer, target, value))


def _set_slice(infer: Infer, target: Boxed, key: Slice, value: Value) -> None:
    other = of_iterable(infer, value, "slice")
    unify(infer, target.kind, other.kind)
    first, step, count = bounds(infer, key, length(infer, target))
    taken, wanted = length(infer, other), number(infer, count)
    is_extended = numbers.compare(infer, "!=", number(infer, step), Static(1))
    wrong = numbers.both(infer, is_extended, numbers.compare(infer, "!=", taken, wanted))
    message = Text("attempt to assign sequence of size {0} to extended slice of size {1}", (taken, wanted))
    raise_if(infer, wrong, ValueError, message)
    act(infer, "list_set_slice", target.atom, first, step, count, other.atom)


def replace_all(infer: Infer, target: Boxed, other: Boxed) -> None:
    """`target[:] = other`."""
    unify(infer, target.kind, other.kind)
    act(infer, "list_replace", target.atom, 0, look(infer, "list_length", target.atom), other.atom)


def delete(infer: Infer, target: Boxed, key: Value) -> None:
    """`del target[key]`."""
    if isinstance(key, Slice) and target.kind.kind is Kind.LIST:
        act(infer, "list_delete_slice", target.atom, *bounds(infer, key, length(infer, target)))
        return
    what = "list assignment index out of range" if target.kind.kind is Kind.LIST else "deque index out of range"
    function = "list_remove_at" if target.kind.kind is Kind.LIST else "deque_remove_at"
    act(infer, function, target.atom, _position(infer, target, key, what))


def sequence(infer: Infer, value: Boxed) -> Sequence:
    """The items by position, as many as there are when the loop gets there."""

    def reaches(position: Value) -> Value:
        return numbers.compare(infer, "<", position, length(infer, value))

    def item_at(position: Value) -> Value:
        return at(infer, value, infer.number_atom(position, INT))

    return Sequence(length(infer, value), item_at, reaches)


def reaches_backwards(infer: Infer, value: Boxed, last: Value) -> Callable[[Value], Value]:
    """Whether a list that is gone through backwards from an item on still has the one that comes next."""

    def reaches(position: Value) -> Value:
        left = numbers.binary(infer, "-", last, position)
        there = numbers.compare(infer, "<", left, length(infer, value))
        return numbers.both(infer, numbers.compare(infer, ">=", left, Static(0)), there)

    return reaches


def extend(infer: Infer, target: Boxed, other: Value) -> Value:
    """`target.extend(other)`."""
    if isinstance(other, Boxed) and other.kind != cells.STR and other.kind.kind in (Kind.LIST, Kind.DEQUE):
        add(infer, target.kind.cell, kinds(infer, other))
        act(infer, "list_extend_by", target.atom, other.atom)
        return Static(None)
    for_each(infer, other, lambda item_: append(infer, target, item_))
    return Static(None)


def for_each(infer: Infer, source: Value, do: Callable[[Value], object]) -> None:
    """Do something with each item of an iterable."""
    if isinstance(source, Stream):

        def consume(item_: Value) -> None:
            do(item_)

        streams.each(infer, source, consume)
        return
    found = abstract.iterate_static(infer, source)
    if found is not None:
        for item_ in found:
            do(item_)
        return
    sequence_ = containers.as_sequence(infer, source)
    if sequence_ is None:
        raise infer.unsupported(
            f"going through a {type_name(source)} to fill a container of the run", "a loop that puts each item there"
        )

    def round_(values: list[Value]) -> list[Value]:
        do(sequence_.item(values[0]))
        return [numbers.binary(infer, "+", values[0], Static(1))]

    def more(values: list[Value]) -> Value:
        if sequence_.reaches is not None:
            return sequence_.reaches(values[0])
        return numbers.compare(infer, "<", values[0], sequence_.length)

    run_loop(infer, Loop("for", round_, more), [Static(0)])


def of_iterable(infer: Infer, source: Value, label: str = "list") -> Boxed:
    """`list(source)`."""
    made = new(infer, label)
    extend(infer, made, source)
    return made


def concatenated(infer: Infer, x: Boxed, y: Boxed) -> Boxed:
    """`x + y`."""
    kind = new_kind(infer, Kind.LIST, list)
    for other in (x, y):
        add(infer, kind.cell, kinds(infer, other))
    return Boxed(act(infer, "list_concat", x.atom, y.atom), kind)


def repeated(infer: Infer, value: Boxed, times: Value) -> Boxed:
    """`value * times`."""
    kind = new_kind(infer, Kind.LIST, list)
    add(infer, kind.cell, kinds(infer, value))
    return Boxed(act(infer, "list_repeat", value.atom, index(infer, times)), kind)


# --- methods


def raise_if(infer: Infer, condition: Value, cls: type[BaseException], *args: Value) -> None:
    """Raise an exception if a condition holds."""
    known = infer.truth(condition)
    if known is False:
        return
    if known is True:
        failures.emit_raise(infer, Raised(cls, args))

    def raised() -> list[Value]:
        failures.emit_raise(infer, Raised(cls, args))

    branching.branch(infer, known, raised, list)


def _pop(infer: Infer, target: Boxed, position: Value = Static(-1)) -> Value:
    empty = numbers.compare(infer, "==", length(infer, target), Static(0))
    raise_if(infer, empty, IndexError, Static("pop from empty list"))
    at_ = _position(infer, target, position, "pop index out of range")
    found = at(infer, target, at_)
    act(infer, "list_remove_at", target.atom, at_)
    return found


def _insert(infer: Infer, target: Boxed, position: Value, value: Value) -> Value:
    act(infer, "list_insert", target.atom, index(infer, position), *put_kinds(infer, target, value))
    return Static(None)


def _clear(infer: Infer, target: Boxed) -> Value:
    act(infer, "list_clear", target.atom)
    return Static(None)


def _copy(infer: Infer, target: Boxed) -> Value:
    kind = new_kind(infer, Kind.LIST, list)
    add(infer, kind.cell, kinds(infer, target))
    return Boxed(act(infer, "list_copy", target.atom), kind)


def _reverse(infer: Infer, target: Boxed) -> Value:
    act(infer, "list_reverse", target.atom)
    return Static(None)


def _sought(infer: Infer, target: Boxed, value: Value) -> tuple[Atom, Atom]:
    require_comparable(infer, kinds(infer, target), kinds_of(infer, value))
    return sought(infer, value)


def find(infer: Infer, target: Boxed, value: Value) -> Atom:
    """Where a value is; -1 if it is not there."""
    size = look(infer, "list_length", target.atom)
    return look(infer, "list_find", target.atom, 0, size, *_sought(infer, target, value))


def _found(infer: Infer, target: Boxed, value: Value, start: Value, stop: Value | None) -> Atom:
    size = length(infer, target)
    first, _, count = bounds(infer, Slice(start, Static(None) if stop is None else stop, Static(None)), size)
    end = numbers.binary(infer, "+", Number(first, INT), Number(count, INT))
    return look(infer, "list_find", target.atom, first, infer.number_atom(end, INT), *_sought(infer, target, value))


def _index(infer: Infer, target: Boxed, value: Value, start: Value = Static(0), stop: Value | None = None) -> Value:
    def of_one(one: Value) -> Value:
        found = number(infer, _found(infer, target, one, start, stop))
        missing = numbers.compare(infer, "<", found, Static(0))
        message = abstract.format_value(infer, one, "r", "")
        tail = " is not in list" if target.kind.kind is Kind.LIST else " is not in deque"
        raise_if(infer, missing, ValueError, Text(message.template + tail, message.values))
        return found

    return distributed(infer, value, of_one)


def _remove(infer: Infer, target: Boxed, value: Value) -> Value:
    def of_one(one: Value) -> Value:
        found = number(infer, _found(infer, target, one, Static(0), None))
        message: Value = Static("list.remove(x): x not in list")
        if target.kind.kind is Kind.DEQUE:
            shown = abstract.format_value(infer, one, "r", "")
            message = Text(shown.template + " is not in deque", shown.values)
        raise_if(infer, numbers.compare(infer, "<", found, Static(0)), ValueError, message)
        function = "list_remove_at" if target.kind.kind is Kind.LIST else "deque_remove_at"
        act(infer, function, target.atom, found.atom)
        return Static(None)

    return distributed(infer, value, of_one)


def _count(infer: Infer, target: Boxed, value: Value) -> Value:
    return distributed(
        infer, value, lambda one: number(infer, look(infer, "list_count", target.atom, *_sought(infer, target, one)))
    )


def require_order(infer: Infer, target: Boxed) -> None:
    """Begin the call anew where it is not known how Python orders the items of a list: there is a NaN of NumPy's."""
    require_no_nan(infer, (target.kind,), *words(infer, target))


def sort(infer: Infer, target: Boxed, *, key: Value = Static(None), reverse: Value = Static(False)) -> Value:
    """`target.sort(key=key, reverse=reverse)`."""
    keys = target
    if not _is_none(key):
        keys = new(infer, "keys")
        for_each(infer, target, lambda item_: append(infer, keys, abstract.call(infer, key, [item_], {})))
    held_kinds = kinds(infer, keys)
    if not cells.has_order(held_kinds) and held_kinds:
        raise infer.unsupported(
            "sorting a list of the run with items that may have no order",
            "a key that gives numbers, strings, or tuples of them",
        )
    require_order(infer, keys)
    down = infer.truth(abstract.truth(infer, reverse))
    flag_: Atom = Literal(int(down), INT) if isinstance(down, bool) else look(infer, "same", down)
    act(infer, "list_sort", target.atom, keys.atom, flag_)
    return Static(None)


METHODS: Final[Mapping[str, Callable[..., Value]]] = {
    "append": append, "extend": extend, "pop": _pop, "insert": _insert, "clear": _clear, "copy": _copy,
    "reverse": _reverse, "index": _index, "remove": _remove, "count": _count, "sort": sort,
}  # fmt: skip


def tuple_of(infer: Infer, value: Value) -> Tuple:
    """A tuple's items where they are known."""
    found = abstract.iterate_static(infer, value)
    if found is None:
        raise infer.unsupported("a tuple of an iterable of the run, with as many items as the run says", "a list")
    return Tuple(found)
