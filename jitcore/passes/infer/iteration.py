"""Iterators: what they go through, and how far they are.

An iterator's position is in the heap, as it changes: a `for`, `next` or `list` that takes items moves it. Another
iterator that is made of it (`zip(it, …)`) takes it over; from then on it cannot be used by itself. What `map` or a
generator expression computes for items known now is `Deferred` until it is taken.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer import abstract, buffers, containers, iterators, list_methods, numbers, protocols
from jitcore.passes.infer.columns import EMPTY
from jitcore.passes.infer.values import (
    UNDEFINED,
    Deferred,
    Function,
    Instance,
    Iterator,
    PythonError,
    Sequence,
    Static,
    Stream,
    Tuple,
    Undefined,
    Value,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

ENDLESS = Static(2**62)
"""The length of what never ends."""


def new(infer: Infer, source: Value, cls: type) -> Iterator:
    """An iterator at the beginning of a Tuple or Sequence."""
    assert isinstance(source, Tuple | Sequence)
    return Iterator(infer.heap.new_cell(Static(0)).key, source, cls)


def iterator(infer: Infer, value: Value) -> Value:
    """`iter(value)`."""
    from jitcore.passes.infer import builtins_

    if isinstance(value, Iterator | Stream):
        return value
    if isinstance(value, Instance):
        return protocols.iterator(infer, value)
    name = containers.type_name(value)
    part = builtins_.sequence_or_items(infer, value)
    cls = _CLASSES.get(name, type(iter([])))
    if isinstance(part, tuple):
        return new(infer, Tuple(part, tuple, builtins_.lists_among(infer, (value,))), cls)
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
    _require_unchanged(infer, value.source, at.value)
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


def _require_unchanged(infer: Infer, source: Tuple, at: int) -> None:
    from jitcore.passes.infer import control

    control.require_unchanged(infer, source.lists, at)


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
    return infer.branch(here, lambda: [taken(infer, items[first])], lambda: [_pick(infer, items, index, first + 1)])[0]


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


def following(infer: Infer, value: Value, default: Value | None = None) -> Value:
    """`next(value, default)`."""
    from jitcore.passes.infer import streams

    if isinstance(value, Stream):
        return streams.following(infer, value, default)
    if isinstance(value, Instance):
        return protocols.following(infer, value, default)
    if isinstance(value, Static) and hasattr(type(value.value), "__next__"):
        raise infer.unsupported(f"next() of a {containers.type_name(value)} that belongs to the code outside")
    if not isinstance(value, Iterator):
        raise PythonError(TypeError(f"'{containers.type_name(value)}' object is not an iterator"))
    at = position(infer, value)
    if isinstance(value.source, Tuple) and isinstance(at, Static):
        if at.value < len(value.source.items):
            _require_unchanged(infer, value.source, at.value)
            infer.heap.store(value.key, Static(at.value + 1))
            return taken(infer, value.source.items[at.value])
        return streams.at_end(infer, default)
    source = _as_sequence(infer, value)
    more = infer.truth(_reaches(infer, source, at))

    def take() -> list[Value]:
        infer.heap.store(value.key, numbers.binary(infer, "+", at, Static(1)))
        return [source.item(at)]

    if more is True:
        return take()[0]
    if more is False:
        return streams.at_end(infer, default)
    if default is None:
        streams.require_more(infer, more)
        return take()[0]
    return infer.branch(more, take, lambda: [default])[0]


# --- itertools --------------------------------------------------------------------------------------


def part_of(infer: Infer, value: Value) -> Sequence | tuple[Value, ...]:
    """What an iterable gives, from here on."""
    from jitcore.passes.infer import builtins_

    return builtins_.sequence_or_items(infer, abstract.iterable(infer, value))


def count(infer: Infer, start: Value = Static(0), step: Value = Static(1)) -> Value:
    """`itertools.count`."""
    from jitcore.types import FLOAT

    if FLOAT in (numbers.type_of_number(start), numbers.type_of_number(step)):
        raise infer.unsupported("itertools.count of floats", "start + step * i for the i of a range")
    source = Sequence(ENDLESS, lambda i: numbers.binary(infer, "+", start, numbers.binary(infer, "*", step, i)))
    return new(infer, source, _of("count"))


def repeat(infer: Infer, value: Value, times: Value | None = None) -> Value:
    """`itertools.repeat`."""
    if times is None:
        return new(infer, Sequence(ENDLESS, lambda i: value), _of("repeat"))
    number = abstract.index(infer, times)
    if isinstance(number, Static):
        return new(infer, Tuple((value,) * max(number.value, 0)), _of("repeat"))
    return new(infer, Sequence(_at_least_0(infer, number), lambda i: value), _of("repeat"))


def _at_least_0(infer: Infer, value: Value) -> Value:
    return abstract.choose(infer, numbers.compare(infer, "<", value, Static(0)), Static(0), value)


def cycle(infer: Infer, values: Value) -> Value:
    """`itertools.cycle`."""
    if isinstance(values, Stream):
        raise infer.unsupported("itertools.cycle of a generator", "a list of what it gives")
    part = part_of(infer, values)
    if part == ():
        return new(infer, Tuple(()), _of("cycle"))
    whole = Sequence(Static(len(part)), _getter(infer, part)) if isinstance(part, tuple) else part
    known = whole.length
    if not isinstance(known, Static):
        raise infer.unsupported("itertools.cycle of something whose length is known only at run time", "x[i % len(x)]")
    source = Sequence(ENDLESS, lambda i: whole.item(numbers.binary(infer, "%", i, known)))
    return new(infer, source, _of("cycle"))


def _getter(infer: Infer, part: tuple[Value, ...]) -> Callable[[Value], Value]:
    held = Tuple(part)
    return lambda index: abstract.item(infer, held, index)


def islice(infer: Infer, values: Value, *ends: Value) -> Value:
    """`itertools.islice`."""
    from jitcore.passes.infer import stream_iterators

    known = [None if isinstance(e, Static) and e.value is None else e for e in ends]
    start, stop, step = (None, known[0], None) if len(known) == 1 else (*known, None)[:3]
    first, by = start or Static(0), step or Static(1)
    if not isinstance(by, Static) or by.value < 1 or (isinstance(first, Static) and first.value < 0):
        raise infer.unsupported("itertools.islice with these ends", "a slice of a list")
    if isinstance(values, Stream):
        return stream_iterators.sliced(infer, values, first, stop, by)
    part = part_of(infer, values)
    if isinstance(part, tuple) and isinstance(first, Static) and (stop is None or isinstance(stop, Static)):
        end = stop.value if isinstance(stop, Static) else None
        return new(infer, Tuple(part[first.value : end : by.value]), _of("islice"))
    source = Sequence(Static(len(part)), _getter(infer, part)) if isinstance(part, tuple) else part
    end = source.length if stop is None else _smaller(infer, stop, source.length)
    span = numbers.binary(infer, "-", end, first)
    whole = numbers.binary(infer, "//", numbers.binary(infer, "+", span, Static(by.value - 1)), by)
    length = _at_least_0(infer, whole)

    def item(index: Value) -> Value:
        return source.item(numbers.binary(infer, "+", first, numbers.binary(infer, "*", by, index)))

    return new(infer, Sequence(length, item), _of("islice"))


def _smaller(infer: Infer, a: Value, b: Value) -> Value:
    return abstract.choose(infer, numbers.compare(infer, "<", a, b), a, b)


def chain(infer: Infer, *values: Value) -> Value:
    """`itertools.chain`."""
    from jitcore.passes.infer import stream_iterators

    if stream_iterators.has_stream(values):
        return stream_iterators.chained(infer, Tuple(values))
    parts = [part_of(infer, v) for v in values]
    found: list[Value] = []
    for part in parts:
        if isinstance(part, Sequence):
            break
        found += part
    else:
        return new(infer, Tuple(tuple(found)), _of("chain"))
    made = infer.heap.new(list, EMPTY)
    for part in parts:
        if isinstance(part, tuple):
            for member in part:
                list_methods.METHODS["append"](infer, made, buffers.at_run_time(infer, made), member)
        else:
            buffers.extend(infer, made, part)
    return new(infer, buffers.sequence(infer, made), _of("chain"))


def product(infer: Infer, *values: Value, repeat: Value = Static(1)) -> Value:
    """`itertools.product`."""
    import itertools

    parts = [part_of(infer, v) for v in values] * int(infer.need_static(repeat, "product's repeat"))
    if all(isinstance(p, tuple) for p in parts):
        rows = (Tuple(row) for row in itertools.product(*(p for p in parts if isinstance(p, tuple))))
        return new(infer, Tuple(tuple(rows)), _of("product"))
    pools = [Sequence(Static(len(p)), _getter(infer, p)) if isinstance(p, tuple) else p for p in parts]
    length: Value = Static(1)
    for pool in pools:
        length = numbers.binary(infer, "*", length, pool.length)

    def item(index: Value) -> Value:
        row: list[Value] = []
        for pool in reversed(pools):
            row.append(pool.item(numbers.binary(infer, "%", index, pool.length)))
            index = numbers.binary(infer, "//", index, pool.length)
        return Tuple(tuple(reversed(row)))

    return new(infer, Sequence(length, item), _of("product"))


def pairwise(infer: Infer, values: Value) -> Value:
    """`itertools.pairwise`."""
    import itertools

    part = part_of(infer, values)
    if isinstance(part, tuple):
        return new(infer, Tuple(tuple(map(Tuple, itertools.pairwise(part)))), _of("pairwise"))
    length = _at_least_0(infer, numbers.binary(infer, "-", part.length, Static(1)))

    def item(index: Value) -> Value:
        return Tuple((part.item(index), part.item(numbers.binary(infer, "+", index, Static(1)))))

    return new(infer, Sequence(length, item), _of("pairwise"))


def zip_longest(infer: Infer, *values: Value, fillvalue: Value = Static(None)) -> Value:
    """`itertools.zip_longest`, of what has a known length."""
    parts: list[Any] = []
    for part in (part_of(infer, v) for v in values):
        if isinstance(part, Sequence):
            if not isinstance(part.length, Static):
                raise infer.unsupported("itertools.zip_longest of something whose length is known only at run time")
            part = tuple(part.item(Static(k)) for k in range(part.length.value))
        parts.append(part)
    longest = max(map(len, parts), default=0)
    rows = [Tuple(tuple(p[k] if k < len(p) else fillvalue for p in parts)) for k in range(longest)]
    return new(infer, Tuple(tuple(rows)), _of("zip_longest"))


def tee(infer: Infer, values: Value, n: Value = Static(2)) -> Value:
    """`itertools.tee`: each gives the items anew, since what gives them is asked once."""
    count = infer.need_static(n, "the number of iterators")
    held = abstract.as_list(infer, values)
    return Tuple(tuple(iterator(infer, held) for _ in range(count)))


def accumulate(infer: Infer, values: Value, function: Value = Static(None), *, initial: Value = Static(None)) -> Value:
    """`itertools.accumulate`."""
    from jitcore.passes.infer import stream_iterators

    def combine(total: Value, member: Value) -> Value:
        if isinstance(function, Static) and function.value is None:
            return abstract.binary(infer, "+", total, member)
        return abstract.call(infer, function, [total, member], {})

    starts = not (isinstance(initial, Static) and initial.value is None)
    if isinstance(values, Stream) and not starts:
        return stream_iterators.accumulated(infer, combine, values)
    part = part_of(infer, values)
    if isinstance(part, tuple):
        made = [initial] if starts else []
        for member in part:
            made.append(combine(made[-1], member) if made else member)
        return new(infer, Tuple(tuple(made)), _of("accumulate"))
    totals = infer.heap.new(list, EMPTY)
    source = part

    def add(value: Value) -> None:
        infer.heap.store(totals.key, buffers.append(infer, buffers.at_run_time(infer, totals), value))

    def step(total: Value, member: Value) -> Value:
        total = combine(total, member)
        add(total)
        return total

    def run() -> list[Value]:
        first = initial if starts else source.item(Static(0))
        add(first)
        iterators.fold(infer, "accumulate", source, first, step, 0 if starts else 1)
        return []

    some = True if starts else infer.truth(numbers.compare(infer, ">", source.length, Static(0)))
    if some is True:
        run()
    elif some is not False:
        infer.branch(some, run, list)
    return new(infer, containers.as_sequence(infer, totals) or Tuple(()), _of("accumulate"))


def takewhile(infer: Infer, predicate: Value, values: Value) -> Value:
    """`itertools.takewhile`."""
    from jitcore.passes.infer import stream_iterators

    return stream_iterators.leading(infer, lambda item: abstract.call(infer, predicate, [item], {}), values)


def dropwhile(infer: Infer, predicate: Value, values: Value) -> Value:
    """`itertools.dropwhile`."""
    from jitcore.passes.infer import stream_iterators

    return stream_iterators.trailing(infer, lambda item: abstract.call(infer, predicate, [item], {}), values)


def _of(name: str) -> type:
    import itertools

    return getattr(itertools, name)


def handlers() -> dict[Any, Callable[..., Value]]:
    """What calling iter, next and the functions of itertools does."""
    import itertools

    return {
        iter: iterator, next: following, itertools.count: count, itertools.repeat: repeat, itertools.cycle: cycle,
        itertools.islice: islice, itertools.chain: chain, itertools.product: product,
        itertools.zip_longest: zip_longest, itertools.tee: tee, itertools.pairwise: pairwise, itertools.accumulate: accumulate,
        itertools.takewhile: takewhile, itertools.dropwhile: dropwhile,
    }  # fmt: skip
