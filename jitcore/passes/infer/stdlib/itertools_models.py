"""The functions of `itertools`."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.columns import EMPTY
from jitcore.passes.infer.domain.values import (
    Sequence,
    Static,
    Stream,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.models import register_models
from jitcore.passes.infer.python import (
    buffers,
    containers,
    iteration,
    iterators,
    list_methods,
    stream_iterators,
)
from jitcore.types import FLOAT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

ENDLESS = Static(2**62)
"""The length of what never ends."""


def count(infer: Infer, start: Value = Static(0), step: Value = Static(1)) -> Value:
    """`itertools.count`."""
    if FLOAT in (numbers.type_of_number(start), numbers.type_of_number(step)):
        raise infer.unsupported("itertools.count of floats", "start + step * i for the i of a range")
    source = Sequence(ENDLESS, lambda i: numbers.binary(infer, "+", start, numbers.binary(infer, "*", step, i)))
    return iteration.new(infer, source, _of("count"))


def repeat(infer: Infer, value: Value, times: Value | None = None) -> Value:
    """`itertools.repeat`."""
    if times is None:
        return iteration.new(infer, Sequence(ENDLESS, lambda i: value), _of("repeat"))
    number = abstract.index(infer, times)
    if isinstance(number, Static):
        return iteration.new(infer, Tuple((value,) * max(number.value, 0)), _of("repeat"))
    return iteration.new(infer, Sequence(_at_least_0(infer, number), lambda i: value), _of("repeat"))


def _at_least_0(infer: Infer, value: Value) -> Value:
    return numbers.choose(infer, numbers.compare(infer, "<", value, Static(0)), Static(0), value)


def cycle(infer: Infer, values: Value) -> Value:
    """`itertools.cycle`."""
    if isinstance(values, Stream):
        raise infer.unsupported("itertools.cycle of a generator", "a list of what it gives")
    part = iteration.part_of(infer, values)
    if part == ():
        return iteration.new(infer, Tuple(()), _of("cycle"))
    whole = Sequence(Static(len(part)), _getter(infer, part)) if isinstance(part, tuple) else part
    known = whole.length
    if not isinstance(known, Static):
        raise infer.unsupported("itertools.cycle of something whose length is known only at run time", "x[i % len(x)]")
    source = Sequence(ENDLESS, lambda i: whole.item(numbers.binary(infer, "%", i, known)))
    return iteration.new(infer, source, _of("cycle"))


def _getter(infer: Infer, part: tuple[Value, ...]) -> Callable[[Value], Value]:
    held = Tuple(part)
    return lambda index: abstract.item(infer, held, index)


def islice(infer: Infer, values: Value, *ends: Value) -> Value:
    """`itertools.islice`."""
    known = [None if isinstance(e, Static) and e.value is None else e for e in ends]
    start, stop, step = (None, known[0], None) if len(known) == 1 else (*known, None)[:3]
    first, by = start or Static(0), step or Static(1)
    if not isinstance(by, Static) or by.value < 1 or (isinstance(first, Static) and first.value < 0):
        raise infer.unsupported("itertools.islice with these ends", "a slice of a list")
    if isinstance(values, Stream):
        return stream_iterators.sliced(infer, values, first, stop, by)
    part = iteration.part_of(infer, values)
    if isinstance(part, tuple) and isinstance(first, Static) and (stop is None or isinstance(stop, Static)):
        end = stop.value if isinstance(stop, Static) else None
        return iteration.new(infer, Tuple(part[first.value : end : by.value]), _of("islice"))
    source = Sequence(Static(len(part)), _getter(infer, part)) if isinstance(part, tuple) else part
    end = source.length if stop is None else _smaller(infer, stop, source.length)
    span = numbers.binary(infer, "-", end, first)
    whole = numbers.binary(infer, "//", numbers.binary(infer, "+", span, Static(by.value - 1)), by)
    length = _at_least_0(infer, whole)

    def item(index: Value) -> Value:
        return source.item(numbers.binary(infer, "+", first, numbers.binary(infer, "*", by, index)))

    return iteration.new(infer, Sequence(length, item), _of("islice"))


def _smaller(infer: Infer, a: Value, b: Value) -> Value:
    return numbers.choose(infer, numbers.compare(infer, "<", a, b), a, b)


def chain(infer: Infer, *values: Value) -> Value:
    """`itertools.chain`."""
    if stream_iterators.has_stream(values):
        return stream_iterators.chained(infer, Tuple(values))
    parts = [iteration.part_of(infer, v) for v in values]
    found: list[Value] = []
    for part in parts:
        if isinstance(part, Sequence):
            break
        found += part
    else:
        return iteration.new(infer, Tuple(tuple(found)), _of("chain"))
    made = infer.heap.new(list, EMPTY)
    for part in parts:
        if isinstance(part, tuple):
            for member in part:
                list_methods.METHODS["append"](infer, made, buffers.at_run_time(infer, made), member)
        else:
            buffers.extend(infer, made, part)
    return iteration.new(infer, buffers.sequence(infer, made), _of("chain"))


def product(infer: Infer, *values: Value, repeat: Value = Static(1)) -> Value:
    """`itertools.product`."""
    parts = [iteration.part_of(infer, v) for v in values] * int(infer.need_static(repeat, "product's repeat"))
    if all(isinstance(p, tuple) for p in parts):
        rows = (Tuple(row) for row in itertools.product(*(p for p in parts if isinstance(p, tuple))))
        return iteration.new(infer, Tuple(tuple(rows)), _of("product"))
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

    return iteration.new(infer, Sequence(length, item), _of("product"))


def pairwise(infer: Infer, values: Value) -> Value:
    """`itertools.pairwise`."""
    part = iteration.part_of(infer, values)
    if isinstance(part, tuple):
        return iteration.new(infer, Tuple(tuple(map(Tuple, itertools.pairwise(part)))), _of("pairwise"))
    length = _at_least_0(infer, numbers.binary(infer, "-", part.length, Static(1)))

    def item(index: Value) -> Value:
        return Tuple((part.item(index), part.item(numbers.binary(infer, "+", index, Static(1)))))

    return iteration.new(infer, Sequence(length, item), _of("pairwise"))


def zip_longest(infer: Infer, *values: Value, fillvalue: Value = Static(None)) -> Value:
    """`itertools.zip_longest`, of what has a known length."""
    parts: list[Any] = []
    for part in (iteration.part_of(infer, v) for v in values):
        if isinstance(part, Sequence):
            if not isinstance(part.length, Static):
                raise infer.unsupported("itertools.zip_longest of something whose length is known only at run time")
            part = tuple(part.item(Static(k)) for k in range(part.length.value))
        parts.append(part)
    longest = max(map(len, parts), default=0)
    rows = [Tuple(tuple(p[k] if k < len(p) else fillvalue for p in parts)) for k in range(longest)]
    return iteration.new(infer, Tuple(tuple(rows)), _of("zip_longest"))


def tee(infer: Infer, values: Value, n: Value = Static(2)) -> Value:
    """`itertools.tee`: each gives the items anew, since what gives them is asked once."""
    count = infer.need_static(n, "the number of iterators")
    held = abstract.as_list(infer, values)
    return Tuple(tuple(iteration.iterator(infer, held) for _ in range(count)))


def accumulate(infer: Infer, values: Value, function: Value = Static(None), *, initial: Value = Static(None)) -> Value:
    """`itertools.accumulate`."""

    def combine(total: Value, member: Value) -> Value:
        if isinstance(function, Static) and function.value is None:
            return abstract.binary(infer, "+", total, member)
        return abstract.call(infer, function, [total, member], {})

    starts = not (isinstance(initial, Static) and initial.value is None)
    if isinstance(values, Stream) and not starts:
        return stream_iterators.accumulated(infer, combine, values)
    part = iteration.part_of(infer, values)
    if isinstance(part, tuple):
        made = [initial] if starts else []
        for member in part:
            made.append(combine(made[-1], member) if made else member)
        return iteration.new(infer, Tuple(tuple(made)), _of("accumulate"))
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
        branching.branch(infer, some, run, list)
    return iteration.new(infer, containers.as_sequence(infer, totals) or Tuple(()), _of("accumulate"))


def takewhile(infer: Infer, predicate: Value, values: Value) -> Value:
    """`itertools.takewhile`."""
    return stream_iterators.leading(infer, lambda item: abstract.call(infer, predicate, [item], {}), values)


def dropwhile(infer: Infer, predicate: Value, values: Value) -> Value:
    """`itertools.dropwhile`."""
    return stream_iterators.trailing(infer, lambda item: abstract.call(infer, predicate, [item], {}), values)


def _of(name: str) -> type:
    return getattr(itertools, name)


register_models(
    {
        itertools.count: count,
        itertools.repeat: repeat,
        itertools.cycle: cycle,
        itertools.islice: islice,
        itertools.chain: chain,
        itertools.product: product,
        itertools.zip_longest: zip_longest,
        itertools.tee: tee,
        itertools.pairwise: pairwise,
        itertools.accumulate: accumulate,
        itertools.takewhile: takewhile,
        itertools.dropwhile: dropwhile,
    }
)
