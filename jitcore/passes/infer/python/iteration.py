"""Iterators: what they go through, and how far they are.

An iterator's position is in the heap, as it changes: a `for`, `next` or `list` that takes items moves it. Another
iterator that is made of it (`zip(it, …)`) takes it over; from then on it cannot be used by itself. What `map` or a
generator expression computes for items known now is `Deferred` until it is taken.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.domain import abstract, sequences
from jitcore.passes.infer.domain.forms import same_value
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    UNDEFINED,
    Array,
    Boxed,
    Char,
    Deferred,
    Function,
    Instance,
    Iterator,
    Keys,
    PythonError,
    Range,
    Reference,
    Sequence,
    Static,
    Stream,
    String,
    Tuple,
    Undefined,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.models import register_models
from jitcore.passes.infer.python import containers, objects, protocols
from jitcore.primitives.ops import conversions

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def new(infer: Infer, source: Value, cls: type) -> Iterator:
    """An iterator at the beginning of a Tuple or Sequence."""
    assert isinstance(source, Tuple | Sequence)
    return Iterator(infer.heap.new_cell(Static(0)).key, source, cls)


def iterator(infer: Infer, value: Value) -> Value:
    """`iter(value)`."""
    if isinstance(value, Iterator | Stream):
        return value
    if isinstance(value, Instance):
        return protocols.iterator(infer, value)
    name = type_name(value)
    part = sequence_or_items(infer, value)
    cls = _CLASSES.get(name, type(iter([])))
    if isinstance(part, tuple):
        return new(infer, Tuple(part, tuple, lists_among(infer, (value,))), cls)
    return new(infer, part, cls)


_CLASSES: dict[str, type] = {"tuple": type(iter(())), "range": type(iter(range(0))), "str": type(iter(""))}


def position(infer: Infer, value: Iterator) -> Value:
    """How many items were taken so far."""
    at = infer.heap.contents(value.key)
    if isinstance(at, Undefined):
        raise infer.unsupported(
            f"a use of this {value.cls.__name__} beside another iterator that is made of it", "one of the two alone"
        )
    return at


@abstract.items_left.model_of(Iterator)
def items_left(infer: Infer, value: Iterator) -> tuple[Value, ...] | None:
    """The items left, all taken now; None where they are known only at run time."""
    found = _rest(infer, value)
    return None if found is None else tuple(taken(infer, item) for item in found)


def _rest(infer: Infer, value: Iterator) -> tuple[Value, ...] | None:
    """The items left, as the source has them; the iterator is at its end then."""
    at = position(infer, value)
    if not isinstance(at, Static) or not isinstance(value.source, Tuple):
        return None
    items = value.source.items
    require_unchanged(infer, value.source.lists, at.value)
    infer.heap.store(value.key, Static(max(at.value, len(items))))
    return items[at.value :]


def taken(infer: Infer, item: Value) -> Value:
    """An item of an iterator's source as who takes it gets it."""
    if isinstance(item, Deferred):
        return abstract.call(infer, item.function, arguments(infer, item.function, item.arguments), {})
    if is_deferred(item):
        assert isinstance(item, Tuple)
        return Tuple(tuple(taken(infer, i) for i in item.items), item.cls, item.lists)
    return item


def arguments(infer: Infer, function: Value, given: tuple[Value, ...]) -> list[Value]:
    """What a function of items is called with: taken, if it is a generator expression's, by that."""
    if not (isinstance(function, Function) and function.source.name == "<genexpr>" and any(map(is_deferred, given))):
        return [taken(infer, a) for a in given]
    with infer.calling(infer.binding, infer.span):
        infer.at(function.source.span)
        return [taken(infer, a) for a in given]


def is_deferred(item: Value) -> bool:
    """Whether something is computed when an item of an iterator's source is taken."""
    return isinstance(item, Deferred) or (isinstance(item, Tuple) and any(map(is_deferred, item.items)))


def require_unchanged(infer: Infer, lists: tuple[tuple[int, Any], ...], position: int) -> None:
    """Refuse a change of what is still to come from a list that an iterator goes through; RuntimeError for a dict or
    set that has another length than it had."""
    for key, before in lists:
        now = infer.heap.contents(key)
        if isinstance(before, Keys):
            keys = containers.keys_of(now)
            if len(keys) != len(before):
                kind = "dictionary" if isinstance(now, dict) else "Set"
                raise PythonError(RuntimeError(f"{kind} changed size during iteration"))
            same = keys == before
        else:
            same = now is before or (
                isinstance(now, tuple)
                and len(now) == len(before)
                and all(map(same_value, now[position:], before[position:]))
            )
        if not same:
            raise infer.unsupported("a change of what this loop goes through by zip, enumerate or the like")


def take_over(infer: Infer, value: Iterator) -> Value:
    """What is left of an iterator, which becomes part of another one: its items may be deferred."""
    at = position(infer, value)
    found = _rest(infer, value)
    infer.heap.store(value.key, UNDEFINED)
    if found is not None:
        assert isinstance(value.source, Tuple)
        return Tuple(found)
    return _from(infer, _as_sequence(infer, value), at)


def _from(infer: Infer, source: Sequence, at: Value) -> Sequence:
    if isinstance(at, Static) and at.value == 0:
        return source

    def place(index: Value) -> Value:
        return numbers.binary(infer, "+", at, index)

    reaches = source.reaches
    later = (lambda i: reaches(place(i))) if reaches is not None else None
    left = numbers.binary(infer, "-", source.length, at)
    return Sequence(left, lambda i: source.item(place(i)), later)


def _as_sequence(infer: Infer, value: Iterator) -> Sequence:
    source = value.source
    if isinstance(source, Sequence):
        return source
    assert isinstance(source, Tuple)
    held = Tuple(source.items)

    def item(index: Value) -> Value:
        if is_deferred(held):
            return _pick(infer, source.items, index)
        return abstract.item(infer, held, index)

    return Sequence(Static(len(source.items)), item)


def _pick(infer: Infer, items: tuple[Value, ...], index: Value, first: int = 0) -> Value:
    """One of several items; the others are not computed."""
    here = infer.truth(numbers.compare(infer, "==", index, Static(first)))
    if here is True or first + 1 == len(items):
        return taken(infer, items[first])
    if here is False:
        return _pick(infer, items, index, first + 1)
    return branching.branch(
        infer, here, lambda: [taken(infer, items[first])], lambda: [_pick(infer, items, index, first + 1)]
    )[0]


@abstract.sequence.model_of(Iterator)
def moving(infer: Infer, value: Iterator) -> Sequence:
    """An iterator to be gone through: taking an item moves it."""
    source = _as_sequence(infer, value)

    def reaches(index: Value) -> Value:
        return _reaches(infer, source, position(infer, value))

    def item(index: Value) -> Value:
        at = position(infer, value)
        infer.heap.store(value.key, numbers.binary(infer, "+", at, Static(1)))
        return source.item(at)

    left = numbers.binary(infer, "-", source.length, position(infer, value))
    return Sequence(left, item, reaches)


def _reaches(infer: Infer, source: Sequence, at: Value) -> Value:
    if source.reaches is not None:
        return source.reaches(at)
    return numbers.compare(infer, "<", at, source.length)


_STOPPED = "generator raised StopIteration"


def _leaves_generator(infer: Infer) -> bool:
    """Whether a StopIteration raised here leaves a generator, which makes a RuntimeError of it."""
    return bool(infer.inlining.in_generator) and not infer.attempts


def at_end(infer: Infer, default: Value | None) -> Value:
    """What `next` gives, or raises, where there is no item."""
    if default is None:
        raise PythonError(RuntimeError(_STOPPED) if _leaves_generator(infer) else StopIteration())
    return default


def require_more(infer: Infer, more: Atom) -> None:
    """Raise what `next` raises if there is no item."""
    cls, message = ("RuntimeError", _STOPPED) if _leaves_generator(infer) else ("StopIteration", "")
    infer.emit_all(conversions.check, more, exception=cls, message=message)


def following(infer: Infer, value: Value, default: Value | None = None) -> Value:
    """`next(value, default)`."""
    if isinstance(value, Stream):
        return abstract.following(infer, value, default)
    if isinstance(value, Instance):
        return protocols.following(infer, value, default)
    if isinstance(value, Static) and hasattr(type(value.value), "__next__"):
        raise infer.unsupported(f"next() of a {type_name(value)} that belongs to the code outside")
    if not isinstance(value, Iterator):
        raise PythonError(TypeError(f"'{type_name(value)}' object is not an iterator"))
    at = position(infer, value)
    if isinstance(value.source, Tuple) and isinstance(at, Static):
        if at.value < len(value.source.items):
            require_unchanged(infer, value.source.lists, at.value)
            infer.heap.store(value.key, Static(at.value + 1))
            return taken(infer, value.source.items[at.value])
        return at_end(infer, default)
    source = _as_sequence(infer, value)
    more = infer.truth(_reaches(infer, source, at))

    def take() -> list[Value]:
        infer.heap.store(value.key, numbers.binary(infer, "+", at, Static(1)))
        return [source.item(at)]

    if more is True:
        return take()[0]
    if more is False:
        return at_end(infer, default)
    if default is None:
        require_more(infer, more)
        return take()[0]
    return branching.branch(infer, more, take, lambda: [default])[0]


def sequence_or_items(infer: Infer, value: Value, *, deferred: bool = False) -> Sequence | tuple[Value, ...]:
    """An iterable as items known now or, failing that, as a run-time sequence. Items that are computed when they are
    taken are taken now, unless `deferred` lets them be."""
    if isinstance(value, Iterator):
        value = take_over(infer, value)
        if not deferred and isinstance(value, Tuple):
            return tuple(taken(infer, item) for item in value.items)
    if isinstance(value, Range | Array | Sequence | Reference | String | Char | Boxed):
        sequence = containers.as_sequence(infer, value)
        if sequence is not None:
            return sequence
    value = iterable(infer, value)
    found = abstract.iterate_static(infer, value)
    if found is None and isinstance(value, Stream):
        return abstract.sequence(infer, value)
    assert found is not None
    return found


@abstract.iterable.model
def iterable(infer: Infer, value: Value) -> Value:
    """What a `for` goes over: for objects of user classes, what their `__iter__` gives."""
    if isinstance(value, Instance):
        return protocols.iterated(infer, value)
    if isinstance(value, Static) and not isinstance(value.value, type):
        method = getattr(type(value.value), "__iter__", None)
        if type(method).__name__ == "function":
            own = getattr(type(value.value), "__jitcore_items__", None)
            if own is not None and value.path is not None:
                return Tuple(tuple(infer.inputs.captured_item(value, k, v) for k, v in enumerate(own(value.value))))
            if hasattr(type(value.value), "__jitcore_call__"):  # a Cell: one that the program made is in the heap
                return iterable(infer, abstract.call(infer, Static(method), [value], {}))
            made = objects.special(infer, value, "__iter__")
            if isinstance(made, Stream):
                return made
    return value


def lists_among(infer: Infer, values: tuple[Value, ...]) -> tuple[tuple[int, Any], ...]:
    """The lists, dicts and sets among values, as `Tuple.lists` has them."""
    found: list[tuple[int, Any]] = []
    for value in values:
        if isinstance(value, Reference):
            contents = infer.heap.contents(value.key)
            found.append((value.key, contents if value.kind is list else containers.keys_of(contents)))
        elif isinstance(value, Tuple) and sequences.is_view(value):
            found += value.lists
    return tuple(found)


def part_of(infer: Infer, value: Value) -> Sequence | tuple[Value, ...]:
    """What an iterable gives, from here on."""
    return sequence_or_items(infer, abstract.iterable(infer, value))


register_models({iter: iterator, next: following})
