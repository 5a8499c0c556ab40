"""Streams: generators, and the iterators made of them. Their items come one after the other, with what is done in
between.

A stream that is gone through from its beginning *pushes*: its code is written down with the consumer's in place of each
`yield`. Where items are taken at several places (`next`, two generators in a `zip`), they are *pulled*: each time, the
generator's state machine runs on to its next item, its variables being in the heap between the runs. What a generator
is used for may show late: one whose items were pushed, and of which more is wanted, is marked, and inference restarts.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable
from types import GeneratorType
from typing import TYPE_CHECKING

from jitcore.passes.infer.domain import abstract, boxed
from jitcore.passes.infer.domain.values import (
    UNDEFINED,
    Boxed,
    Builtin,
    Iterator,
    Maybe,
    Reference,
    Sequence,
    Static,
    Stream,
    StreamSource,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.loops import Loop, run_loop
from jitcore.passes.infer.python import buffers, containers, iteration, methods
from jitcore.source import CompileError
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Consumer = Callable[[Value], "Value | None"]
"""What is done with an item; gives whether no more are wanted, where the stream was asked to stop then."""
FALSE, TRUE = Static(False), Static(True)


class Source(StreamSource):
    """Where a stream's items come from."""

    @abstractmethod
    def each(self, infer: Infer, consume: Consumer, *, stops: bool, raises: bool) -> None:
        """Give what is left to a consumer, in order. `stops`: only until it wants no more; `raises`: it may raise."""

    def close(self, infer: Infer) -> Value:
        """`generator.close()`."""
        raise infer.unsupported("closing this iterator")

    @abstractmethod
    def following(self, infer: Infer) -> tuple[Value, Value]:
        """Whether there is another item, which is taken, and the item."""


def source_of(stream: Stream) -> Source:
    assert isinstance(stream.source, Source)
    return stream.source


def new(infer: Infer, source: Source, cls: type) -> Stream:
    """A stream."""
    return Stream(infer.heap.new_cell(UNDEFINED).key, source, cls)


# --- going through ----------------------------------------------------------------------------------


def each(infer: Infer, values: Value, consume: Consumer, *, stops: bool = False, raises: bool = True) -> None:
    """Give every item of an iterable to a consumer, in order (`Source.each`)."""
    values = abstract.iterable(infer, values)
    if isinstance(values, Stream):
        source_of(values).each(infer, consume, stops=stops, raises=raises)
        return
    sequence = containers.as_sequence(infer, values)
    if sequence is None:
        _each_of(infer, abstract.iterate_static(infer, values) or (), consume, stops)
    elif stops or sequence.reaches is not None:
        _each_while(infer, sequence, consume, stops)
    else:

        def body(carried: list[Value]) -> list[Value]:
            consume(sequence.item(carried[0]))
            return []

        run_loop(infer, Loop("each", body, None, infer.number_atom(sequence.length, INT)), [])


def _each_while(infer: Infer, sequence: Sequence, consume: Consumer, stops: bool) -> None:
    """As long as there is another item, and more are wanted."""
    at = infer.heap.new_cell(Static(0))

    def body(carried: list[Value]) -> list[Value]:
        index = infer.heap.contents(at.key)

        def go() -> list[Value]:
            infer.heap.store(at.key, numbers.binary(infer, "+", index, Static(1)))
            stop = consume(sequence.item(index))
            return [stop if stops and stop is not None else FALSE]

        known = infer.truth(_reaches(infer, sequence, index))
        if isinstance(known, bool):
            return go() if known else [TRUE]
        return branching.branch(infer, known, go, lambda: [TRUE])

    run_loop(infer, Loop("each", body, lambda carried: abstract.not_(infer, carried[0])), [FALSE])


def _each_of(infer: Infer, found: tuple[Value, ...], consume: Consumer, stops: bool) -> None:
    for k, item in enumerate(found):
        stop = consume(item)
        if not stops or k + 1 == len(found):
            continue
        assert stop is not None
        known = infer.truth(stop)
        if known is True:
            return
        if known is not False:

            def go_on(rest: tuple[Value, ...] = found[k + 1 :]) -> list[Value]:
                _each_of(infer, rest, consume, stops)
                return []

            branching.branch(infer, known, list, go_on)
            return


def pulled(infer: Infer, take: Callable[[], tuple[Value, Value]], consume: Consumer, stops: bool) -> None:
    """Take items one by one, and give them to a consumer."""

    def body(carried: list[Value]) -> list[Value]:
        more, item = take()

        def go() -> list[Value]:
            stop = consume(item)
            return [stop if stops and stop is not None else FALSE]

        known = infer.truth(more)
        if isinstance(known, bool):
            return go() if known else [TRUE]
        return branching.branch(infer, known, go, lambda: [TRUE])

    run_loop(infer, Loop("pull", body, lambda carried: abstract.not_(infer, carried[0])), [FALSE])


def when(infer: Infer, known: Value, make: Callable[[], Value]) -> Value:
    """What is made if something holds; nothing to be looked at if not."""
    holds = infer.truth(known)
    if isinstance(holds, bool):
        return make() if holds else UNDEFINED
    return present(branching.branch(infer, holds, lambda: [make()], lambda: [UNDEFINED])[0])


def present(value: Value) -> Value:
    """A value that is known to be there."""
    return value.value if isinstance(value, Maybe) else value


def _reaches(infer: Infer, sequence: Sequence, index: Value) -> Value:
    if sequence.reaches is not None:
        return sequence.reaches(index)
    return numbers.compare(infer, "<", index, sequence.length)


def advance(infer: Infer, values: Value, index: Value) -> tuple[Value, Value]:
    """Whether an iterable has an item at a position, and the item; of an iterator, the next one, which is taken."""
    if isinstance(values, Stream):
        return source_of(values).following(infer)
    if isinstance(values, Iterator):
        sequence, index = iteration.moving(infer, values), iteration.position(infer, values)
        more = _reaches(infer, sequence, index)
        return more, when(infer, more, lambda: sequence.item(index))
    sequence = containers.as_sequence(infer, values)
    if sequence is None:
        held = Tuple(abstract.iterate_static(infer, values) or ())
        sequence = Sequence(Static(len(held.items)), lambda i: abstract.item(infer, held, i))
    whole = sequence
    more = _reaches(infer, whole, index)
    return more, when(infer, more, lambda: whole.item(index))


@abstract.following.model_of(Stream)
def following(infer: Infer, stream: Stream, default: Value | None) -> Value:
    """`next(stream, default)`."""
    more, item = source_of(stream).following(infer)
    known = infer.truth(more)
    if known is True:
        return item
    if known is False:
        return iteration.at_end(infer, default)
    if default is None:
        iteration.require_more(infer, known)
        return item
    return branching.branch(infer, known, lambda: [item], lambda: [default])[0]


def method(infer: Infer, stream: Stream, name: str) -> Value | None:
    """A method of an iterator or generator."""
    if name == "__next__":
        return Builtin(name, lambda infer: following(infer, stream, None))
    if name == "__iter__":
        return Builtin(name, lambda infer: stream)
    if name in ("send", "throw") and stream.cls is GeneratorType:
        raise infer.unsupported(f"generator.{name}: compiled generators give values and get none", "an argument")
    if name == "close" and stream.cls is GeneratorType:
        return Builtin(name, source_of(stream).close)
    return None


# --- all at once ------------------------------------------------------------------------------------


def collected(infer: Infer, stream: Stream) -> Reference:
    """A list of all that is left."""
    made = infer.heap.new(list, ())
    append = methods.of_reference(infer, made, "append")
    assert isinstance(append, Builtin)

    def add(item: Value) -> None:
        append.call(infer, item)

    each(infer, stream, add, raises=False)
    return made


def _boxed_list(infer: Infer, stream: Stream) -> Value:
    """As `collected`, in a box."""
    made = boxed.display(infer, list, (), ())
    append = abstract.attribute(infer, made, "append")

    def add(item: Value) -> None:
        abstract.call(infer, append, [item], {})

    each(infer, stream, add, raises=False)
    return made


def _belongs_in_box(infer: Infer, stream: Stream) -> bool:
    """Whether a list of all that is left must be in a box: it is none of those that are made otherwise."""
    if not infer.uses_boxes:
        return False

    def collect() -> list[Value]:
        collected(infer, stream)
        return []

    try:
        branching.trial(infer, "collected", collect)
    except CompileError:
        return True
    return False


@abstract.items_left.model_of(Stream)
def items_of(infer: Infer, stream: Stream) -> tuple[Value, ...] | None:
    """All that is left, if it is known now how much that is; if not, it is kept for `sequence_of`."""
    if _belongs_in_box(infer, stream):
        infer.heap.store(stream.key, _boxed_list(infer, stream))
        return None
    made = collected(infer, stream)
    if infer.heap.buffer(made) is None:
        return infer.heap.items(made)
    infer.heap.store(stream.key, made)
    return None


@abstract.sequence.model_of(Stream)
def sequence_of(infer: Infer, stream: Stream) -> Sequence:
    """All that is left, as something whose length may be known only at run time."""
    kept = infer.heap.contents(stream.key)
    made: Value = kept
    if not isinstance(kept, Reference | Boxed):
        made = _boxed_list(infer, stream) if _belongs_in_box(infer, stream) else collected(infer, stream)
    infer.heap.store(stream.key, UNDEFINED)
    if isinstance(made, Boxed):
        return abstract.sequence(infer, made)
    assert isinstance(made, Reference)
    if infer.heap.buffer(made) is not None:
        return buffers.sequence(infer, made)
    held = Tuple(infer.heap.items(made))
    return Sequence(Static(len(held.items)), lambda i: abstract.item(infer, held, i))


def fold(infer: Infer, stream: Stream, start: Value, step: Callable[[Value, Value], Value]) -> Value:
    """`step(…step(start, item), item …)`."""
    total = infer.heap.new_cell(start)

    def add(item: Value) -> None:
        infer.heap.store(total.key, step(infer.heap.contents(total.key), item))

    each(infer, stream, add)
    return infer.heap.contents(total.key)


def decides(infer: Infer, stream: Stream, holds: Callable[[Value], Value], absorbing: bool) -> Value:
    """`any` (or `all`) of a stream: no item is taken after the one that decides."""
    found = infer.heap.new_cell(Static(not absorbing))

    def look(item: Value) -> Value:
        value = holds(item)
        infer.heap.store(found.key, value)
        return value if absorbing else abstract.not_(infer, value)

    each(infer, stream, look, stops=True)
    return infer.heap.contents(found.key)


def loop(
    infer: Infer, stream: Stream, run: Callable[[list[Value]], list[Value]], carries: list[Value], *, breaks: bool
) -> list[Value]:
    """A `for` over a stream: `run` is its body, on an item and what the loop carries."""
    cells = [infer.heap.new_cell(value) for value in carries]

    def consume(item: Value) -> Value | None:
        left = run([item, *(infer.heap.contents(cell.key) for cell in cells)])
        stop = abstract.truth(infer, left.pop(0)) if breaks else None
        for cell, value in zip(cells, left, strict=True):
            infer.heap.store(cell.key, value)
        return stop

    each(infer, stream, consume, stops=breaks)
    return [infer.heap.contents(cell.key) for cell in cells]
