"""Sorting lists by keys: `sorted`, `list.sort`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.values import (
    Reference,
    Static,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.python import iterators, sorting

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.value is None


def keyed(infer: Infer, key: Value, member: Value) -> Value:
    """The sort key of an item: what `key`, unless it is None, makes of it."""
    return member if is_none(key) else abstract.call(infer, key, [member], {})


def sort(infer: Infer, target: Reference, key: Value, reverse: Value) -> None:
    """`list.sort`."""
    if infer.heap.buffer(target) is None:
        found = infer.heap.items(target)
        if len(found) <= sorting.MOST and any(map(sorting.holds_objects, found)):
            descending = infer.need_static(reverse, "sort's reverse")
            keys = [keyed(infer, key, v) for v in found]
            infer.heap.store(target.key, sorting.by_keys(infer, found, keys, descending=bool(descending)))
            return
        tried = (
            found
            if is_none(key)
            else branching.trial(infer, "keys", lambda: [keyed(infer, key, v) for v in found]).values
        )
        if tried is not None and all(isinstance(k, Static) for k in tried):
            infer.heap.store(target.key, ordered(infer, found, key, reverse))
            return
    iterators.sort(infer, target, lambda v: keyed(infer, key, v), reverse)


def ordered(infer: Infer, found: tuple[Value, ...], key: Value, reverse: Value) -> tuple[Value, ...]:
    """Items sorted by keys that are constants."""
    ranks = [infer.need_static(keyed(infer, key, v), "a sort key") for v in found]
    order = numbers.fold(lambda r: sorted(range(len(r)), key=r.__getitem__, reverse=bool(known(reverse))), ranks)
    return tuple(found[k] for k in order.value)


def known(value: Value) -> Any:
    return value.value if isinstance(value, Static) else None
