"""What `map`, `filter`, `zip`, `enumerate` and functions of `itertools` make of streams: streams, as lazy as they
are."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import UNDEFINED, Cell, Iterator, Maybe, Static, Stream, Tuple, Undefined, Value
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.loops import Loop, run_loop
from jitcore.passes.infer.python import streams
from jitcore.passes.infer.python.streams import FALSE, TRUE, Consumer, Source, source_of, when
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Function = Callable[[Value], Value]
_ONE = Static(1)


@dataclass(frozen=True, slots=True, eq=False)
class Mapped(Source):
    """What a function gives for each item."""

    function: Function
    inner: Stream

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """The function is called where an item comes."""
        streams.each(infer, self.inner, lambda item: consume(self.function(item)), stops=stops)

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """The function is called if there is an item."""
        more, item = source_of(self.inner).following(infer)
        return more, when(infer, more, lambda: self.function(item))


@dataclass(frozen=True, slots=True, eq=False)
class Filtered(Source):
    """The items that are wanted."""

    wanted: Function
    inner: Stream

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """The consumer's part is under a test."""

        def test(item: Value) -> Value:
            return choose(infer, self.wanted(item), lambda: consume(item) or FALSE, lambda: FALSE)

        streams.each(infer, self.inner, test, stops=stops)

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """A loop until there is one, or none are left."""

        def look(carried: list[Value]) -> list[Value]:
            more, item = source_of(self.inner).following(infer)
            found = choose(infer, more, lambda: self.wanted(item), lambda: FALSE)
            return [numbers.both(infer, more, abstract.not_(infer, found)), found, item]

        _, found, item = run_loop(infer, Loop("filter", look, lambda vs: vs[0]), [TRUE, FALSE, UNDEFINED])
        return found, streams.present(item)


@dataclass(frozen=True, slots=True, eq=False)
class Zipped(Source):
    """Rows of an item from each of several iterables, one of which at least is a stream."""

    parts: tuple[Value, ...]
    count: Cell
    """How many rows there were."""

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """The first stream pushes; of the others items are taken, in order: of those before it, one row ahead."""
        first = next(k for k, part in enumerate(self.parts) if isinstance(part, Stream))
        if len(self.parts) == 1:
            streams.each(infer, self.parts[0], lambda item: consume(Tuple((item,))), stops=stops)
            return
        ahead = infer.heap.new_cell(UNDEFINED)

        def look_ahead() -> Value:
            """Take the items that come before the stream's; whether there are none."""
            more, row = self._row(infer, self.parts[:first])
            infer.heap.store(ahead.key, row)
            return abstract.not_(infer, more)

        def complete(item: Value) -> Value:
            before = streams.present(infer.heap.contents(ahead.key))
            more, rest = self._row(infer, self.parts[first + 1 :])

            def give() -> Value:
                assert isinstance(before, Tuple)
                assert isinstance(rest, Tuple)
                stop = consume(Tuple((*before.items, item, *rest.items)))
                self._count(infer)
                return stop or FALSE

            stop = choose(infer, more, give, lambda: TRUE)
            return choose(infer, stop, lambda: TRUE, look_ahead)

        def start() -> Value:
            streams.each(infer, self.parts[first], complete, stops=True)
            return TRUE

        choose(infer, look_ahead(), lambda: TRUE, start)

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """One item of each, as long as there are some."""
        more, row = self._row(infer, self.parts)
        self._count(infer)
        return more, row

    def _count(self, infer: Infer) -> None:
        at = infer.heap.contents(self.count.key)
        infer.heap.store(self.count.key, numbers.binary(infer, "+", at, _ONE))

    def _row(self, infer: Infer, parts: tuple[Value, ...]) -> tuple[Value, Value]:
        """One item of each of some parts: none is taken after the first that has none."""
        if not parts:
            return TRUE, Tuple(())
        more, item = streams.advance(infer, parts[0], infer.heap.contents(self.count.key))
        if len(parts) == 1:
            return more, when(infer, more, lambda: Tuple((item,)))

        def rest() -> Value:
            found, others = self._row(infer, parts[1:])
            row = when(infer, found, lambda: Tuple((item, *_items(others))))
            return Tuple((found, row))

        made = when(infer, more, rest)
        if isinstance(made, Undefined):
            return FALSE, UNDEFINED
        found, row = _items(made)
        return numbers.both(infer, more, found), streams.present(row)


@dataclass(frozen=True, slots=True, eq=False)
class Chained(Source):
    """The items of the iterables that an iterable gives."""

    iterables: Value

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """One after the other."""
        stopped = infer.heap.new_cell(FALSE)

        def give(item: Value) -> Value | None:
            stop = consume(item)
            if stops and stop is not None:
                infer.heap.store(stopped.key, stop)
            return stop

        def go_through(part: Value) -> Value:
            streams.each(infer, part, give, stops=stops)
            return infer.heap.contents(stopped.key)

        streams.each(infer, self.iterables, go_through, stops=stops)

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """Refused: which one it has got to is not kept."""
        raise infer.unsupported("taking single items of chained generators", "a `for` over all of them")


@dataclass(frozen=True, slots=True, eq=False)
class Taken(Source):
    """The items that an iterator takes."""

    inner: Iterator

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """As of the iterator."""
        streams.each(infer, self.inner, consume, stops=stops)

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """The iterator moves."""
        return streams.advance(infer, self.inner, Static(0))


@dataclass(frozen=True, slots=True, eq=False)
class Part(Source):
    """`itertools.islice`: every `step`-th item from `start` to `stop` (None: to the end); `count` holds how many were
    taken."""

    inner: Value
    count: Cell
    start: Value
    stop: Value | None
    step: Value

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """No item is taken from the stop on."""

        def look(item: Value) -> Value:
            at = infer.heap.contents(self.count.key)
            infer.heap.store(self.count.key, numbers.binary(infer, "+", at, _ONE))
            enough = choose(infer, self._wants(infer, at), lambda: consume(item) or FALSE, lambda: FALSE)
            return numbers.either(infer, enough, self._is_over(infer))

        def start() -> Value:
            streams.each(infer, self.inner, look, stops=True)
            return TRUE

        choose(infer, self._is_over(infer), lambda: TRUE, start)

    def _wants(self, infer: Infer, at: Value) -> Value:
        offset = numbers.binary(infer, "-", at, self.start)
        on_step = numbers.compare(infer, "==", numbers.binary(infer, "%", offset, self.step), Static(0))
        return numbers.both(infer, numbers.compare(infer, ">=", at, self.start), on_step)

    def _is_over(self, infer: Infer) -> Value:
        if self.stop is None:
            return FALSE
        return numbers.compare(infer, ">=", infer.heap.contents(self.count.key), self.stop)

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """Items are taken until one is wanted."""

        def look(carried: list[Value]) -> list[Value]:
            at = infer.heap.contents(self.count.key)
            over = self._is_over(infer)
            taken = choose(infer, over, lambda: Tuple((FALSE, UNDEFINED)), lambda: Tuple(self._take(infer)))
            more, item = _items(taken)
            found = numbers.both(infer, more, self._wants(infer, at))
            return [numbers.both(infer, more, abstract.not_(infer, found)), found, item]

        _, found, item = run_loop(infer, Loop("islice", look, lambda vs: vs[0]), [TRUE, FALSE, UNDEFINED])
        return found, streams.present(item)

    def _take(self, infer: Infer) -> tuple[Value, Value]:
        at = infer.heap.contents(self.count.key)
        infer.heap.store(self.count.key, numbers.binary(infer, "+", at, _ONE))
        return streams.advance(infer, self.inner, at)


@dataclass(frozen=True, slots=True, eq=False)
class Leading(Source):
    """`itertools.takewhile`: the items before the first that is not wanted; `over` holds whether there was one."""

    wanted: Function
    inner: Value
    over: Cell

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """The first that is not wanted is taken, too."""

        def test(item: Value) -> Value:
            return choose(infer, self.wanted(item), lambda: consume(item) or FALSE, lambda: TRUE)

        streams.each(infer, self.inner, test, stops=True)

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """Refused where items are not taken from a stream."""
        if not isinstance(self.inner, Stream):
            raise infer.unsupported("next() of itertools.takewhile", "a `for` over it")
        inner = self.inner

        def take() -> Value:
            more, item = source_of(inner).following(infer)
            wanted = choose(infer, more, lambda: self.wanted(item), lambda: FALSE)
            infer.heap.store(self.over.key, abstract.not_(infer, wanted))
            return Tuple((wanted, item))

        over = infer.heap.contents(self.over.key)
        wanted, item = _items(choose(infer, over, lambda: Tuple((FALSE, UNDEFINED)), take))
        return wanted, streams.present(item)


@dataclass(frozen=True, slots=True, eq=False)
class Trailing(Source):
    """`itertools.dropwhile`: the items from the first on that is not dropped; `began` holds whether there was one."""

    dropped: Function
    inner: Value
    began: Cell

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """The test is made as long as items are dropped."""

        def test(item: Value) -> Value:
            began = infer.heap.contents(self.began.key)
            begins = choose(infer, began, lambda: TRUE, lambda: abstract.not_(infer, self.dropped(item)))
            infer.heap.store(self.began.key, begins)
            return choose(infer, begins, lambda: consume(item) or FALSE, lambda: FALSE)

        streams.each(infer, self.inner, test, stops=stops)

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """Refused: this would be a loop with a test in it."""
        raise infer.unsupported("next() of itertools.dropwhile", "a `for` over it")


@dataclass(frozen=True, slots=True, eq=False)
class Accumulated(Source):
    """`itertools.accumulate`: totals; `total` holds the last one (nothing before the first)."""

    combine: Callable[[Value, Value], Value]
    inner: Stream
    total: Cell

    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """The first item is a total."""
        streams.each(infer, self.inner, lambda item: consume(self._add(infer, item)), stops=stops)

    def _add(self, infer: Infer, item: Value) -> Value:
        before = infer.heap.contents(self.total.key)
        total = item
        if isinstance(before, Maybe):
            known = before.value
            total = branching.branch(infer, before.defined, lambda: [self.combine(known, item)], lambda: [item])[0]
        elif not isinstance(before, Undefined):
            total = self.combine(before, item)
        infer.heap.store(self.total.key, total)
        return total

    def following(self, infer: Infer) -> tuple[Value, Value]:
        """A total, if there is an item."""
        more, item = source_of(self.inner).following(infer)
        return more, when(infer, more, lambda: self._add(infer, item))


def choose(infer: Infer, test: Value, then: Callable[[], Value], orelse: Callable[[], Value]) -> Value:
    """What one of two paths gives."""
    known = infer.truth(abstract.truth(infer, test))
    if isinstance(known, bool):
        return then() if known else orelse()
    return branching.branch(infer, known, lambda: [then()], lambda: [orelse()])[0]


def _items(value: Value) -> tuple[Value, ...]:
    assert isinstance(value, Tuple)
    return value.items


# --- making them ------------------------------------------------------------------------------------


def has_stream(values: Sequence[Value]) -> bool:
    """Whether one of some iterables is a stream."""
    return any(isinstance(value, Stream) for value in values)


def zipped(infer: Infer, values: Sequence[Value]) -> Zipped:
    """`zip(…)`."""
    return Zipped(tuple(abstract.iterable(infer, v) for v in values), infer.heap.new_cell(Static(0)))


def mapped(infer: Infer, function: Callable[[tuple[Value, ...]], Value], values: Sequence[Value]) -> Mapped:
    """`map(function, …)`."""
    if len(values) == 1 and isinstance(values[0], Stream):
        return Mapped(lambda item: function((item,)), values[0])
    return Mapped(lambda row: function(_items(row)), streams.new(infer, zipped(infer, values), zip))


def enumerated(infer: Infer, stream: Stream, start: Value) -> Mapped:
    """`enumerate(stream, start)`."""
    at = infer.heap.new_cell(start)

    def number(item: Value) -> Value:
        index = infer.heap.contents(at.key)
        infer.heap.store(at.key, numbers.binary(infer, "+", index, _ONE))
        return Tuple((index, item))

    return Mapped(number, stream)


def sliced(infer: Infer, stream: Stream, start: Value, stop: Value | None, step: Value) -> Stream:
    """`itertools.islice(stream, start, stop, step)`."""
    source = Part(stream, infer.heap.new_cell(Static(0)), start, stop, step)
    return streams.new(infer, source, itertools.islice)


def chained(infer: Infer, iterables: Value) -> Stream:
    """`itertools.chain(*iterables)`."""
    return streams.new(infer, Chained(iterables), itertools.chain)


def accumulated(infer: Infer, combine: Callable[[Value, Value], Value], stream: Stream) -> Stream:
    """`itertools.accumulate(stream, combine)`."""
    return streams.new(infer, Accumulated(combine, stream, infer.heap.new_cell(UNDEFINED)), itertools.accumulate)


def leading(infer: Infer, wanted: Function, values: Value) -> Stream:
    """`itertools.takewhile(wanted, values)`."""
    return streams.new(infer, Leading(wanted, values, infer.heap.new_cell(FALSE)), itertools.takewhile)


def trailing(infer: Infer, dropped: Function, values: Value) -> Stream:
    """`itertools.dropwhile(dropped, values)`."""
    return streams.new(infer, Trailing(dropped, values, infer.heap.new_cell(FALSE)), itertools.dropwhile)
