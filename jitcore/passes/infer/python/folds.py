"""Builtins that fold what they go through: `sum`, `max`, `all`, `functools.reduce`."""

from __future__ import annotations

import builtins
import functools
from collections.abc import Callable
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer.domain import abstract, array_operations, templates, texts
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    UNDEFINED,
    Array,
    Iterator,
    PythonError,
    Range,
    Sequence,
    Static,
    Stream,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.loops import Loop, run_loop
from jitcore.passes.infer.engine.models import Model, register_models
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import containers, iteration, iterators, streams
from jitcore.primitives.ops import conversions
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

from jitcore.passes.infer.python import list_sorting

NONE = Static(None)


def _extreme(op: str) -> Model:
    builtin: Any = builtins.min if op == "<" else builtins.max

    def call(infer: Infer, *args: Value, key: Value = NONE, default: Value | None = None) -> Value:
        members = args
        if len(args) == 1:
            found = abstract.iterate_static(infer, args[0])
            if found is None:
                return _extreme_at_run_time(infer, op, builtin, args[0], key, default)
            members = found
        if not args:
            raise PythonError(TypeError(f"{builtin.__name__} expected at least 1 argument, got 0"))
        if not members:
            if default is not None:
                return default
            return numbers.fold(builtin, ())
        best, most = members[0], list_sorting.keyed(infer, key, members[0])
        for member in members[1:]:
            mine = list_sorting.keyed(infer, key, member)
            better = abstract.truth(infer, abstract.compare(infer, op, mine, most))
            if list_sorting.is_none(key):
                best = most = numbers.choose(infer, better, member, best)
                continue
            known = infer.truth(better)
            ways: tuple[list[Value], list[Value]] = [member, mine], [best, most]
            if isinstance(known, bool):
                best, most = ways[0] if known else ways[1]
            else:
                best, most = branching.branch(infer, known, lambda w=ways: w[0], lambda w=ways: w[1])
        return best

    return call


def _extreme_at_run_time(infer: Infer, op: str, builtin: Any, value: Value, key: Value, default: Value | None) -> Value:
    if isinstance(value, Array) and value.type.rank == 1 and key is NONE:
        return array_operations.call_method(infer, builtin.__name__, value)
    sequence = containers.as_sequence(infer, value)
    if sequence is None:
        raise infer.unsupported(f"{builtin.__name__}() of something whose length is known only at run time")
    of = None if list_sorting.is_none(key) else lambda v: list_sorting.keyed(infer, key, v)
    return iterators.extreme(infer, op, builtin, sequence, of, default)


def _sum(infer: Infer, values: Value, /, start: Value = Static(0)) -> Value:
    if templates.is_text(start):
        raise PythonError(TypeError("sum() can't sum strings [use ''.join(seq) instead]"))
    if texts.class_of(start) is bytes:
        raise PythonError(TypeError("sum() can't sum bytes [use b''.join(seq) instead]"))
    return accumulate(infer, "+", values, start)


def accumulate(infer: Infer, op: str, values: Value, start: Value) -> Value:
    """`start op value op value …` over an iterable."""
    values = iteration.iterable(infer, values)
    if isinstance(values, Stream):
        return streams.fold(infer, values, start, lambda total, item: abstract.binary(infer, op, total, item))
    found = abstract.iterate_static(infer, values) if not isinstance(values, Sequence | Range | Array) else None
    if found is not None:
        total = start
        for member in found:
            total = abstract.binary(infer, op, total, member)
        return total
    sequence = containers.as_sequence(infer, values)
    if sequence is None and isinstance(values, Array):
        raise refusal(infer, "the items", iter, values)
    if sequence is None:
        raise PythonError(TypeError(f"'{type_name(values)}' object is not iterable"))
    return _fold_sequence(infer, "sum", sequence, start, lambda t, v: abstract.binary(infer, op, t, v))


def _fold_sequence(
    infer: Infer, name: str, sequence: Sequence, start: Value, step: Callable[[Value, Value], Value]
) -> Value:
    def body(values: list[Value]) -> list[Value]:
        return [step(values[1], sequence.item(values[0]))]

    length = infer.number_atom(sequence.length, INT)
    return run_loop(infer, Loop(name, body, None, length), [start])[0]


def _all_any(absorbing: bool) -> Model:
    def call(infer: Infer, values: Value) -> Value:
        combine = numbers.either if absorbing else numbers.both
        values = iteration.iterable(infer, values)
        if isinstance(values, Stream):
            return streams.decides(infer, values, lambda item: abstract.truth(infer, item), absorbing)
        if isinstance(values, Iterator):
            return _first_taken_that_decides(infer, values, absorbing)
        if isinstance(values, Array) and values.type.rank != 1:  # of rows, whose truth may be ambiguous
            if not values.type.rank:
                raise refusal(infer, "the items", iter, values)
            values = containers.as_sequence(infer, values) or values
        found = None if isinstance(values, Array | Sequence | Range) else abstract.iterate_static(infer, values)
        if found is not None:
            total: Value = Static(not absorbing)
            for member in found:
                total = combine(infer, total, member)
            return total
        if isinstance(values, Array):
            return abstract.truth(infer, array_operations.call_method(infer, "any" if absorbing else "all", values))
        sequence = containers.as_sequence(infer, values)
        if sequence is None:
            raise PythonError(TypeError(f"'{type_name(values)}' object is not iterable"))
        return _first_that_decides(infer, sequence, absorbing)

    return call


def _first_taken_that_decides(infer: Infer, source: Iterator, absorbing: bool) -> Value:
    """`any` (or `all`) of what an iterator gives; those after the first that decides are not taken."""
    while isinstance(source.source, Tuple) and isinstance(iteration.position(infer, source), Static):
        item = iteration.following(infer, source, UNDEFINED)
        if item is UNDEFINED:
            return Static(not absorbing)
        holds = infer.truth(abstract.truth(infer, item))
        if isinstance(holds, bool):
            if holds is absorbing:
                return Static(absorbing)
            continue
        paths: list[Callable[[], list[Value]]] = [
            lambda: [Static(absorbing)],
            lambda: [_first_taken_that_decides(infer, source, absorbing)],
        ]
        return branching.branch(infer, holds, *(paths if absorbing else reversed(paths)))[0]
    return _first_that_decides(infer, iteration.moving(infer, source), absorbing)


def _first_that_decides(infer: Infer, sequence: Sequence, absorbing: bool) -> Value:
    """`any` (or `all`) of items that are computed one by one: those after the first that decides are not."""

    def test(values: list[Value]) -> Value:
        undecided = abstract.not_(infer, values[1]) if absorbing else values[1]
        return numbers.both(infer, undecided, numbers.compare(infer, "<", values[0], sequence.length))

    def body(values: list[Value]) -> list[Value]:
        holds = abstract.truth(infer, sequence.item(values[0]))
        return [numbers.binary(infer, "+", values[0], Static(1)), holds]

    return run_loop(infer, Loop("fold", body, test), [Static(0), Static(not absorbing)])[1]


def _reduce(infer: Infer, function: Value, values: Value, *initial: Value) -> Value:
    found = abstract.iterate_static(infer, values)
    if found is None:
        return _reduce_at_run_time(infer, function, values, initial)
    rest = list(initial) + list(found)
    if not rest:
        raise PythonError(TypeError("reduce() of empty iterable with no initial value"))
    total = rest[0]
    for member in rest[1:]:
        total = abstract.call(infer, function, [total, member], {})
    return total


def _reduce_at_run_time(infer: Infer, function: Value, values: Value, initial: tuple[Value, ...]) -> Value:
    sequence = containers.as_sequence(infer, values)
    assert sequence is not None
    first = 0 if initial else 1
    if not initial:
        some = infer.truth(numbers.compare(infer, ">", sequence.length, Static(0)))
        message = "reduce() of empty iterable with no initial value"
        if some is False:
            raise PythonError(TypeError(message))
        if some is not True:
            infer.emit_all(conversions.check, some, exception="TypeError", message=message)
    start = initial[0] if initial else sequence.item(Static(0))
    return iterators.fold(
        infer, "reduce", sequence, start, lambda t, v: abstract.call(infer, function, [t, v], {}), first
    )


register_models({all: _all_any(False), any: _all_any(True), sum: _sum}, iterables=slice(1))
register_models({functools.reduce: _reduce}, iterables=slice(1, 2))
register_models({max: _extreme(">"), min: _extreme("<")})
