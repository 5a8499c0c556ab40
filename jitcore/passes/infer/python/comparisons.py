"""Comparison of containers: item by item, with run-time leaves."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from types import MethodType
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.domain import abstract, sequences
from jitcore.passes.infer.domain.forms import same_value
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import Array, Number, Range, Reference, Slice, Static, Text, Tuple, Value
from jitcore.passes.infer.engine import branching, numbers
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import containers, list_arrays

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_KNOWN: Final = (
    int, float, complex, str, bytes, tuple, list, dict, set, frozenset, range, slice, MethodType, np.dtype,
)  # fmt: skip
"""Classes whose objects equal nothing else but what is looked at here."""


def compare(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y` where a side is neither a number nor an array and not both are constants."""
    if isinstance(x, Text) or isinstance(y, Text):
        return _of_texts(infer, op, x, y)
    if sequences.is_view(x) or sequences.is_view(y):
        raise refusal(infer, f"'{op}' of a dict's keys, values or items", numbers.COMPARE[op], x, y)
    if op in ("==", "!="):
        same = _equal(infer, x, y)
        return same if op == "==" else abstract.not_(infer, same)
    mine, theirs = containers.set_of(infer, x), containers.set_of(infer, y)
    if mine is not None and theirs is not None:
        return numbers.fold(numbers.COMPARE[op], mine, theirs)
    if infer.heap.buffer(x) is not None or infer.heap.buffer(y) is not None:
        if not all(isinstance(v, Reference) and v.kind is list for v in (x, y)):
            raise refusal(infer, f"'{op}'", numbers.COMPARE[op], x, y)
        return list_arrays.ordered(infer, op, x, y)
    xs, ys = _items(infer, x), _items(infer, y)
    if xs is None or ys is None or _family(x) is not _family(y):
        raise refusal(infer, f"'{op}'", numbers.COMPARE[op], x, y)
    return _ordered(infer, op, xs, ys)


def _of_texts(infer: Infer, op: str, x: Value, y: Value) -> Value:
    if op in ("==", "!=") and type_name(x) != type_name(y):
        return Static(op == "!=")
    raise refusal(infer, f"'{op}' of strings", numbers.COMPARE[op], x, y)


def _family(value: Value) -> Any:
    """tuple for tuples and namedtuples, list for lists."""
    kind: type = (
        type(value.value) if isinstance(value, Static) else value.kind if isinstance(value, Reference) else tuple
    )
    return tuple if issubclass(kind, tuple) else kind


def _items(infer: Infer, value: Value) -> Sequence[Value] | None:
    """The items of a tuple or list."""
    match value:
        case Tuple():
            return value.items
        case Reference() if value.kind is list:
            return infer.heap.items(value)
        case Static() if isinstance(value.value, tuple | list):
            return [infer.inputs.constant(v) for v in value.value]
        case _:
            return None


def _entries(infer: Infer, value: Value) -> dict[Any, Value] | None:
    if isinstance(value, Reference) and value.kind is dict:
        return infer.heap.entries(value)
    if isinstance(value, Static) and isinstance(value.value, dict):
        return containers.entries_of(infer, value)
    return None


def _equal(infer: Infer, x: Value, y: Value) -> Value:
    if infer.heap.buffer(x) is not None or infer.heap.buffer(y) is not None:
        return list_arrays.equal(infer, x, y)
    xs, ys = _items(infer, x), _items(infer, y)
    if xs is not None and ys is not None and _family(x) is _family(y) and len(xs) == len(ys):
        return _all_equal(infer, xs, ys)
    first, second = _entries(infer, x), _entries(infer, y)
    if first is not None and second is not None and first.keys() == second.keys():
        return _all_equal(infer, list(first.values()), [second[k] for k in first])
    mine, theirs = containers.set_of(infer, x), containers.set_of(infer, y)
    if mine is not None and theirs is not None:
        return Static(mine == theirs)
    if isinstance(x, Slice) and isinstance(y, Slice):
        return _all_equal(infer, [x.start, x.stop, x.step], [y.start, y.stop, y.step])
    if isinstance(x, Range) and isinstance(y, Range):
        return _ranges_equal(infer, x, y)
    if any(isinstance(v, Static) and _decides(v.value) for v in (x, y)):
        raise refusal(infer, "'=='", numbers.COMPARE["=="], x, y)
    return Static(same_value(x, y))


def _decides(obj: Any) -> bool:
    """Whether it is for an object to say what it equals: it may equal a number or container."""
    return type(obj).__eq__ is not object.__eq__ and not isinstance(obj, _KNOWN)


def _ranges_equal(infer: Infer, x: Range, y: Range) -> Value:
    """Whether ranges have the same items: as many, the same first one if there is one, and step if there are two."""
    length = containers.range_length(infer, x)
    as_long = abstract.compare(infer, "==", length, containers.range_length(infer, y))
    same_step = abstract.compare(infer, "==", x.step, y.step)
    same_step = numbers.either(infer, abstract.compare(infer, "==", length, Static(1)), same_step)
    alike = numbers.both(infer, abstract.compare(infer, "==", x.start, y.start), same_step)
    alike = numbers.either(infer, abstract.compare(infer, "==", length, Static(0)), alike)
    return numbers.both(infer, as_long, alike)


def _all_equal(infer: Infer, xs: Sequence[Value], ys: Sequence[Value]) -> Value:
    tests = [lambda x=x, y=y: equal_items(infer, x, y) for x, y in zip(xs, ys, strict=True)]
    return in_turn(infer, tests, False, may_not_be_true_or_false(infer, (*xs, *ys)))


def equal_items(infer: Infer, x: Value, y: Value) -> Value:
    """`x == y` as containers compare their items: what is one object is equal to itself, though it be NaN."""
    return Static(True) if _is_one_object(x, y) else abstract.compare(infer, "==", x, y)


def _is_one_object(x: Value, y: Value) -> bool:
    """Whether two items are known to be the same object."""
    if isinstance(x, Static) and isinstance(y, Static):
        return x.value is y.value
    if isinstance(x, Tuple) or (isinstance(x, Number) and isinstance(x.atom, Literal)):
        return x is y
    return same_value(x, y)


def _ordered(infer: Infer, op: str, xs: Sequence[Value], ys: Sequence[Value]) -> Value:
    """The first items that differ decide; failing those the lengths."""
    total: Value = numbers.fold(numbers.COMPARE[op], len(xs), len(ys))
    strict = op[0]
    if may_not_be_true_or_false(infer, (*xs, *ys)):
        return _ordered_in_turn(infer, strict, list(zip(xs, ys, strict=False)), total)
    for x, y in reversed(list(zip(xs, ys, strict=False))):
        if _is_one_object(x, y):
            continue
        before = abstract.compare(infer, strict, x, y)
        total = numbers.either(infer, before, numbers.both(infer, abstract.compare(infer, "==", x, y), total))
    return total


def _ordered_in_turn(infer: Infer, op: str, pairs: Sequence[tuple[Value, Value]], otherwise: Value) -> Value:
    """As `_ordered`, each pair looked at only where those before it are equal."""
    if not pairs:
        return otherwise
    (x, y), *rest = pairs
    same = infer.truth(abstract.truth(infer, equal_items(infer, x, y)))
    if isinstance(same, bool):
        return _ordered_in_turn(infer, op, rest, otherwise) if same else abstract.compare(infer, op, x, y)
    return branching.branch(
        infer,
        same,
        lambda: [_ordered_in_turn(infer, op, rest, otherwise)],
        lambda: [abstract.compare(infer, op, x, y)],
    )[0]


def in_turn(infer: Infer, tests: list[Callable[[], Value]], decides: bool, in_branches: bool) -> Value:
    """Truth values of which the first that is `decides` decides: `decides` then, else its opposite. Those after it are
    not computed where that may raise (`in_branches`)."""
    total: Value = Static(not decides)
    for k, test in enumerate(tests):
        known = infer.truth(total)
        if known is decides:
            return total
        if in_branches and not isinstance(known, bool):
            return _unless_decided(infer, known, tests[k:], decides)
        total = (numbers.either if decides else numbers.both)(infer, total, test())
    return total


def _unless_decided(infer: Infer, known: Atom, tests: list[Callable[[], Value]], decides: bool) -> Value:
    def decided() -> list[Value]:
        return [Static(decides)]

    def undecided() -> list[Value]:
        return [in_turn(infer, tests, decides, True)]

    return (
        branching.branch(infer, known, decided, undecided)[0]
        if decides
        else branching.branch(infer, known, undecided, decided)[0]
    )


def may_not_be_true_or_false(infer: Infer, values: Iterable[Value]) -> bool:
    """Whether there is an array among values, and what they hold, whose comparison may not give one truth value."""
    pending, seen = list(values), set[Any]()
    while pending:
        value = pending.pop()
        if isinstance(value, Array) and value.type.size != 1:
            return True
        known = value.key if isinstance(value, Reference) else id(value)
        if known in seen:
            continue
        seen.add(known)
        if isinstance(value, Tuple):
            pending += value.items
        elif isinstance(value, Reference) and value.kind is list and infer.heap.buffer(value) is None:
            pending += infer.heap.items(value)
    return False
