"""Builtins that make iterables, or containers of them: `range`, `zip`, `map`, `list`, `dict`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Boxed,
    Builtin,
    Deferred,
    Instance,
    Iterator,
    Number,
    ParallelRange,
    PythonError,
    Range,
    Reference,
    Sequence,
    Slice,
    Static,
    Stream,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.models import Model, register_models
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import (
    buffers,
    characters,
    containers,
    iteration,
    iterators,
    methods,
    objects,
    protocols,
    stream_iterators,
    streams,
)
from jitcore.passes.infer.python.streams import Source
from jitcore.primitives.ops import conversions
from jitcore.rounds import prange
from jitcore.types import BOOL

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

from jitcore.passes.infer.engine import branching
from jitcore.passes.infer.python import list_sorting, number_builtins

NONE = Static(None)


def _len(infer: Infer, value: Value) -> Value:
    if isinstance(value, Instance):
        made = objects.special(infer, value, "__len__")
        if made is not None:
            return _checked_length(infer, number_builtins.to_index(infer, made))
    if isinstance(value, Static):
        method = getattr(type(value.value), "__len__", None)
        if type(method).__name__ == "function":
            return _checked_length(
                infer, number_builtins.to_index(infer, abstract.call(infer, Static(method), [value], {}))
            )
    return containers.length(infer, value)


def _checked_length(infer: Infer, length: Value) -> Value:
    """What a `__len__` of the user's gave, which must not be negative."""
    message = "__len__() should return >= 0"
    is_length = infer.truth(numbers.compare(infer, ">=", length, Static(0)))
    if is_length is False:
        raise PythonError(ValueError(message))
    if not isinstance(is_length, bool):
        infer.emit_all(conversions.check, is_length, exception="ValueError", message=message)
    return length


def _range(infer: Infer, *ends: Value) -> Range:
    if not 1 <= len(ends) <= 3:
        raise PythonError(TypeError(f"range expected at least 1 argument, got {len(ends)}"))
    made = [number_builtins.to_index(infer, e) for e in ends]
    start, stop = (Static(0), made[0]) if len(made) == 1 else (made[0], made[1])
    step = made[2] if len(made) == 3 else Static(1)
    _require_step(infer, step)
    return Range(start, stop, step)


def _prange(infer: Infer, *ends: Value) -> Value:
    made = _range(infer, *ends)
    return ParallelRange(made.start, made.stop, made.step)


def _require_step(infer: Infer, step: Value) -> None:
    """A range's step is not zero."""
    message = "range() arg 3 must not be zero"
    if isinstance(step, Static):
        if step.value == 0:
            raise PythonError(ValueError(message))
        return
    is_step = infer.truth(numbers.compare(infer, "!=", step, Static(0)))
    assert not isinstance(is_step, bool)
    infer.emit_all(conversions.check, is_step, exception="ValueError", message=message)


def _zip(infer: Infer, *values: Value, strict: Value = Static(False)) -> Value | Source:
    if stream_iterators.has_stream(values):
        if infer.need_static(strict, "zip's strict"):
            raise infer.unsupported("zip(strict=True) of a generator", "zip")
        return stream_iterators.zipped(infer, values)
    parts = [iteration.sequence_or_items(infer, v, deferred=True) for v in values]
    if infer.need_static(strict, "zip's strict"):
        _require_equal_lengths(infer, parts)
    if any(isinstance(p, Sequence) for p in parts):
        texts = (characters.as_sequence(infer, v) for v in values)
        parts = [p if text is None else text for p, text in zip(parts, texts, strict=True)]
    if all(isinstance(p, tuple) for p in parts):
        _require_none_beyond_end(infer, parts)
        rows = tuple(Tuple(row) for row in zip(*parts, strict=False))  # type: ignore[arg-type]
        return Tuple(rows, zip, iteration.lists_among(infer, values))
    lengths = [Static(len(p)) if isinstance(p, tuple) else p.length for p in parts]
    if all(isinstance(n, Static) for n in lengths):
        shortest = min(n.value for n in lengths if isinstance(n, Static))
        rows = (Tuple(tuple(_part_item(p, k) for p in parts)) for k in range(shortest))
        if any(isinstance(p, tuple) for p in parts):
            return Tuple(tuple(rows), zip)
    if any(isinstance(p, tuple) for p in parts):
        raise infer.unsupported("zip() of a container with something whose length is known only at run time")
    sequences = [p for p in parts if isinstance(p, Sequence)]
    length = sequences[0].length
    for other in sequences[1:]:
        smaller = abstract.compare(infer, "<", other.length, length)
        length = numbers.choose(infer, abstract.truth(infer, smaller), other.length, length)
    return Sequence(length, lambda i: Tuple(tuple(s.item(i) for s in sequences)), _all_reach(infer, sequences))


def _all_reach(infer: Infer, sequences: list[Sequence]) -> Callable[[Value], Value] | None:
    """Whether each of several sequences, some of which may change, has an i-th item."""
    if all(s.reaches is None for s in sequences):
        return None

    def reaches(index: Value) -> Value:
        total: Value = Static(True)
        for s in sequences:
            one = s.reaches(index) if s.reaches is not None else numbers.compare(infer, "<", index, s.length)
            total = numbers.both(infer, total, one)
        return total

    return reaches


def _require_equal_lengths(infer: Infer, parts: list[Sequence | tuple[Value, ...]]) -> None:
    """Raise what `zip(strict=True)` does at its end; only lengths known now can be compared before."""
    lengths = [Static(len(p)) if isinstance(p, tuple) else p.length for p in parts]
    if not all(isinstance(n, Static) for n in lengths):
        raise infer.unsupported("zip(strict=True) of something whose length is known only at run time", "zip")
    known = [n.value for n in lengths if isinstance(n, Static)]
    if len(set(known)) > 1:
        raise infer.unsupported("zip(strict=True) of iterables of unlike lengths", "zip")


def _require_none_beyond_end(infer: Infer, parts: list[Sequence | tuple[Value, ...]]) -> None:
    """Refuse a zip() that finds its end after it has computed an item of what comes before the one that has ended."""
    items = [p for p in parts if isinstance(p, tuple)]
    end = min(map(len, items), default=0)
    for part in items:
        if len(part) == end:
            return
        if iteration.is_deferred(part[end]):
            raise infer.unsupported("zip() of an iterator that computes more items than there are of the others")


def _part_item(part: Sequence | tuple[Value, ...], k: int) -> Value:
    return part[k] if isinstance(part, tuple) else part.item(Static(k))


def _enumerate(infer: Infer, values: Value, start: Value = Static(0)) -> Value | Source:
    start = number_builtins.to_index(infer, start)
    if isinstance(values, Stream):
        return stream_iterators.enumerated(infer, values, start)
    part = iteration.sequence_or_items(infer, values, deferred=True)
    if isinstance(part, tuple):
        pairs = (Tuple((numbers.binary(infer, "+", start, Static(k)), v)) for k, v in enumerate(part))
        return Tuple(tuple(pairs), enumerate, iteration.lists_among(infer, (values,)))
    return Sequence(part.length, lambda i: Tuple((numbers.binary(infer, "+", start, i), part.item(i))), part.reaches)


def _reversed(infer: Infer, values: Value) -> Value:
    if protocols.has(values, "__reversed__") or (isinstance(values, Instance) and protocols.has(values, "__getitem__")):
        raise infer.unsupported(f"reversed() of a {type_name(values)}", "a list of its items, reversed")
    is_set = (values.kind if isinstance(values, Reference) else type(list_sorting.known(values))) in (set, frozenset)
    if isinstance(values, Stream | Instance | Number) or is_set:
        raise refusal(infer, "reversed()", reversed, values)
    part = iteration.sequence_or_items(infer, values)
    if isinstance(part, tuple):
        return Tuple(part[::-1], reversed)
    last = numbers.binary(infer, "-", part.length, Static(1))
    return Sequence(part.length, lambda i: part.item(numbers.binary(infer, "-", last, i)))


def _map(infer: Infer, function: Value, *values: Value) -> Value | Source:
    if not values:
        raise PythonError(TypeError("map() must have at least two arguments."))
    if stream_iterators.has_stream(values):
        return stream_iterators.mapped(infer, lambda row: abstract.call(infer, function, row, {}), values)
    rows = _zip(infer, *values)
    if isinstance(rows, Tuple):
        return Tuple(tuple(Deferred(function, _row(r)) for r in rows.items), map, rows.lists)
    assert isinstance(rows, Sequence)
    return Sequence(rows.length, lambda i: abstract.call(infer, function, list(_row(rows.item(i))), {}), rows.reaches)


def _row(value: Value) -> tuple[Value, ...]:
    assert isinstance(value, Tuple)
    return value.items


def _filter(infer: Infer, function: Value, values: Value) -> Value | Source:
    def wanted(member: Value) -> Value:
        is_none = isinstance(function, Static) and function.value is None
        return abstract.truth(infer, member if is_none else abstract.call(infer, function, [member], {}))

    if isinstance(values, Stream):
        return stream_iterators.Filtered(wanted, values)
    if isinstance(values, Boxed):  # which may change before the next item is looked at
        taken = iteration.iterator(infer, values)
        assert isinstance(taken, Iterator)
        return stream_iterators.Filtered(wanted, streams.new(infer, stream_iterators.Taken(taken), filter))
    found = None if isinstance(values, Array) else abstract.iterate_static(infer, values)
    if found is None:
        sequence = containers.as_sequence(infer, values)
        if sequence is None:
            raise refusal(infer, "filter()", iter, values)
        return iterators.filtered(infer, sequence, wanted)
    return _kept_of(infer, found, wanted)


def _kept_of(infer: Infer, found: tuple[Value, ...], wanted: Callable[[Value], Value]) -> Value:
    """Those of known items that are wanted: of values of the run that arguments alone do not determine, a list made at
    run time."""
    kept = infer.heap.new(list, ())
    append = methods.of_reference(infer, kept, "append")
    assert isinstance(append, Builtin)
    for member in found:
        test = wanted(member)
        if isinstance(test, Static) or (isinstance(test, Number) and test.paths):
            if infer.need_static(test, "which items filter() keeps"):
                append.call(infer, member)
            continue

        def keep(member: Value = member) -> list[Value]:
            append.call(infer, member)
            return []

        branching.branch(infer, infer.number_atom(test, BOOL), keep, list)
    if infer.heap.buffer(kept) is None:
        return Tuple(infer.heap.items(kept), filter)
    sequence = containers.as_sequence(infer, kept)
    assert sequence is not None
    return sequence


def _filterfalse(infer: Infer, function: Value, values: Value) -> Value | Source:
    """`itertools.filterfalse`: the items that `filter` leaves out."""

    def left_out(infer: Infer, member: Value) -> Value:
        is_none = isinstance(function, Static) and function.value is None
        kept = member if is_none else abstract.call(infer, function, [member], {})
        return abstract.not_(infer, abstract.truth(infer, kept))

    return _filter(infer, Builtin("filterfalse", left_out), values)


def _make(kind: type) -> Model:
    def call(infer: Infer, values: Value = Tuple(()), **more: Value) -> Value:
        if kind is dict:
            return _make_dict(infer, values, more)
        source = iteration.iterable(infer, values)
        found = abstract.iterate_static(infer, source)
        if found is None and kind is list:
            return _list_at_run_time(infer, source)
        if found is None:
            raise infer.unsupported(f"{kind.__name__}() of something whose length is known only at run time")
        if kind is tuple:
            return Tuple(found)
        return containers.new_set(infer, found) if kind is set else infer.heap.new(list, found)

    return call


@abstract.as_list.model
def as_list(infer: Infer, values: Value) -> Value:
    """`list(values)`."""
    return _make(list)(infer, values)


def _make_frozenset(infer: Infer, values: Value = Tuple(())) -> Value:
    made = _make(set)(infer, values)
    return numbers.fold(frozenset, containers.set_of(infer, made))


def _fromkeys(infer: Infer, keys: Value, value: Value = NONE) -> Value:
    """`dict.fromkeys`."""
    found = abstract.iterate_static(infer, keys)
    if found is None:
        raise infer.unsupported("dict.fromkeys() of something whose length is known only at run time")
    return infer.heap.new(dict, {containers.static_key(infer, key): value for key in found})


def _list_at_run_time(infer: Infer, source: Value) -> Value:
    buffer = infer.heap.buffer(source)
    if buffer is not None:
        return infer.heap.new(list, buffer)
    sequence = containers.as_sequence(infer, source)
    if sequence is None:
        raise infer.unsupported("list() of something whose length is known only at run time")
    return buffers.collect(infer, sequence)


def _make_dict(infer: Infer, values: Value, more: dict[str, Value]) -> Value:
    return infer.heap.new(dict, {**containers.entries_given(infer, values), **more})


def _sorted(infer: Infer, values: Value, /, *, key: Value = NONE, reverse: Value = Static(False)) -> Value:
    source = iteration.iterable(infer, values)
    found = abstract.iterate_static(infer, source)
    if found is None:
        made = _list_at_run_time(infer, source)
        assert isinstance(made, Reference)
    else:
        made = infer.heap.new(list, found)
    list_sorting.sort(infer, made, key, reverse)
    return made


def _slice(infer: Infer, *ends: Value, **keywords: Value) -> Value:
    if keywords:
        raise PythonError(TypeError("slice() takes no keyword arguments"))
    if not 1 <= len(ends) <= 3:
        limit = "at least 1 argument" if not ends else "at most 3 arguments"
        raise PythonError(TypeError(f"slice expected {limit}, got {len(ends)}"))
    if len(ends) == 1:
        return Slice(NONE, ends[0], NONE)
    return Slice(ends[0], ends[1], ends[2] if len(ends) > 2 else NONE)


def _chain(infer: Infer, iterables: Value) -> Value | Source:
    iterables = iteration.iterable(infer, iterables)
    found = None if isinstance(iterables, Stream) else abstract.iterate_static(infer, iterables)
    if found is None:
        return stream_iterators.Chained(iterables)
    values = tuple(iteration.iterable(infer, value) for value in found)
    if any(isinstance(v, Stream) or containers.as_sequence(infer, v) is not None for v in values):
        return stream_iterators.Chained(Tuple(values))
    parts = [abstract.iterate_static(infer, value) for value in values]
    return Tuple(tuple(v for p in parts for v in p or ()))


def _iterator(cls: type, make: Callable[..., Value | Source]) -> Model:
    def call(infer: Infer, *args: Value, **keywords: Value) -> Value:
        made = make(infer, *args, **keywords)
        return streams.new(infer, made, cls) if isinstance(made, Source) else iteration.new(infer, made, cls)

    return call


register_models(
    {
        dict: _make(dict), enumerate: _iterator(enumerate, _enumerate), frozenset: _make_frozenset, list: _make(list),
        set: _make(set), sorted: _sorted, tuple: _make(tuple),
        itertools.chain.from_iterable: _iterator(itertools.chain, _chain),
    },
    iterables=slice(1),
)  # fmt: skip
register_models({filter: _iterator(filter, _filter)}, iterables=slice(1, 2))
register_models({map: _iterator(map, _map)}, iterables=slice(1, None))
register_models({zip: _iterator(zip, _zip)}, iterables=slice(None))
register_models(
    {
        len: _len, prange: _prange, range: _range,
        reversed: _iterator(reversed, _reversed), slice: _slice, dict.fromkeys: _fromkeys,
        itertools.filterfalse: _iterator(itertools.filterfalse, _filterfalse),
    }
)  # fmt: skip
