"""Calls of library functions: with symbolic values, once for each member of a union."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jitcore.passes.infer.arrays import numpy_calls
from jitcore.passes.infer.domain import array_operations
from jitcore.passes.infer.domain.values import Reference, Tuple, Union, Value
from jitcore.passes.infer.engine.argument_binding import Keywords

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@array_operations.call_library.model
def call_library(infer: Infer, obj: Any, replaced: Any, args: Sequence[Value], keywords: Keywords) -> Value:
    """Call a library function, or the one that `obj`, a function of NumPy, is `replaced` by."""

    everything = [*args, *keywords.values()]
    inside = [u for value in everything for u in _unions_inside(infer, value)]

    def compute(values: list[Value]) -> list[Value]:
        members = iter(values[len(everything) :])
        values = [_with_members(infer, v, members) for v in values[: len(everything)]]
        given = dict(zip(keywords, values[len(args) :], strict=True))
        if replaced is None:
            return [numpy_calls.call_method(infer, obj, values[: len(args)], given)]
        return [numpy_calls.call(infer, obj, replaced, values[: len(args)], given)]

    return infer.distribute([*everything, *inside], compute)[0]


def _unions_inside(infer: Infer, value: Value) -> list[Union]:
    """The items of a tuple or list that are of several types: `stack((x, y))` is computed once for each."""
    return [item for item in _items_of(infer, value) if isinstance(item, Union)]


def _with_members(infer: Infer, value: Value, members: Iterator[Value]) -> Value:
    """A tuple or list with the next of `members` in the places of its unions."""
    if not _unions_inside(infer, value):
        return value
    items = tuple(next(members) if isinstance(item, Union) else item for item in _items_of(infer, value))
    return replace(value, items=items) if isinstance(value, Tuple) else infer.heap.new(list, items)


def _items_of(infer: Infer, value: Value) -> tuple[Value, ...]:
    if isinstance(value, Tuple):
        return value.items
    if isinstance(value, Reference) and value.kind is list and infer.heap.buffer(value) is None:
        return infer.heap.items(value)
    return ()
