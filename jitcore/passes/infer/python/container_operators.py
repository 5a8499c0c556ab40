"""Operators of containers: `+`, `*`, `|`, `%` and `in`."""

from __future__ import annotations

import operator
from typing import TYPE_CHECKING, Any

from jitcore.lookup import has_attribute
from jitcore.passes.infer.domain import abstract, array_operations, boxed, sequences, templates, texts
from jitcore.passes.infer.domain.forms import SCALARS, fits_word
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    DICT_VIEWS,
    Array,
    Bound,
    Boxed,
    Function,
    Instance,
    Iterator,
    Number,
    PythonError,
    Range,
    Reference,
    Slice,
    Static,
    Stream,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.models import models
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import (
    comparisons,
    containers,
    iteration,
    list_methods,
    objects,
    protocols,
    streams,
    string_comparison,
    strings,
)
from jitcore.types import BOOL, COMPLEX, FLOAT, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_LONGEST_REPEATED = 256
"""A list of so many numbers made by `*` is one of run-time length: its items need not be told apart while compiling."""


def _times(infer: Infer, count: Value, what: str) -> int:
    """How often a sequence is repeated. Raises what Python does for what is no int."""
    if numbers.type_of_number(count) in (INT, BOOL) or (
        isinstance(count, Static) and has_attribute(type(count.value), "__index__")
    ):
        return operator.index(infer.need_static(count, what))
    if isinstance(count, Array):
        raise infer.unsupported("repeating a sequence as often as an array says", "int(n)")
    raise PythonError(TypeError(f"can't multiply sequence by non-int of type '{type_name(count)}'"))


def binary(infer: Infer, op: str, x: Value, y: Value) -> Value | None:
    """`x op y` where one is a container or string; None if it is none of their operations."""
    if sequences.is_view(x) or sequences.is_view(y):
        return None
    if op == "+":
        return _concatenate(infer, x, y)
    if op == "*" and any(map(texts.class_of, (x, y))) and not (isinstance(x, Static) and isinstance(y, Static)):
        text, times = (y, x) if texts.class_of(x) is None else (x, y)
        is_count = numbers.type_of_number(times) in (INT, BOOL)
        return string_comparison.repeated(infer, text, times) if is_count else None
    if op == "*":
        sequence, count = (x, y) if isinstance(x, Tuple | Reference) else (y, x)
        if isinstance(sequence, Tuple):
            return Tuple(sequence.items * _times(infer, count, "how often a tuple is repeated"))
        if isinstance(sequence, Reference) and sequence.kind is list:
            known = isinstance(count, Static) and infer.heap.buffer(sequence) is None
            if known and _is_long_of_numbers(infer.heap.items(sequence), count):
                known = False
            if not known and numbers.type_of_number(count) in (INT, BOOL):
                return list_methods.repeated(infer, sequence, count)
            return infer.heap.new(
                list, infer.heap.items(sequence) * _times(infer, count, "how often a list is repeated")
            )
    if op == "|" and all(isinstance(v, Reference) and v.kind is dict for v in (x, y)):
        return infer.heap.new(dict, {**containers.entries_of(infer, x), **containers.entries_of(infer, y)})
    if op in ("|", "&", "-", "^"):
        mine, theirs = containers.set_of(infer, x), containers.set_of(infer, y)
        if mine is not None and theirs is not None:
            made = numbers.BINARY[op](mine, theirs)
            frozen = isinstance(x, Static) and isinstance(x.value, frozenset)  # the result is of the left one's class
            return Static(made) if frozen else containers.new_set(infer, tuple(map(Static, made)))
    if op == "%" and isinstance(x, Static) and isinstance(x.value, str):
        return strings.percent(infer, x.value, y)
    if op == "%" and not isinstance(x, Static) and (templates.is_text(x) or texts.class_of(x) is not None):
        raise infer.unsupported("'%' of a string that is only known when the program runs", "an f-string")
    return None


def _is_long_of_numbers(items: tuple[Value, ...], times: Value) -> bool:
    """Whether a repeated list is long, and better a list of run-time length: it holds numbers, or None."""
    if not isinstance(times, Static) or type(times.value) is not int or len(items) * times.value < _LONGEST_REPEATED:
        return False
    return all(isinstance(v, Number) or (isinstance(v, Static) and _is_number_or_none(v.value)) for v in items)


def _is_number_or_none(value: Any) -> bool:
    return value is None or (type(value) in SCALARS and fits_word(value))


def _concatenate(infer: Infer, x: Value, y: Value) -> Value | None:
    if texts.are_strings(x, y):
        return string_comparison.concatenated(infer, x, y)
    if isinstance(x, Tuple) and isinstance(y, Tuple):
        return Tuple(x.items + y.items)
    if isinstance(x, Reference) and isinstance(y, Reference) and x.kind is list and y.kind is list:
        if infer.heap.buffer(x) is not None or infer.heap.buffer(y) is not None:
            return list_methods.concatenated(infer, x, y)
        return infer.heap.new(list, infer.heap.items(x) + infer.heap.items(y))
    if templates.is_text(x) and templates.is_text(y) and not (isinstance(x, Static) and isinstance(y, Static)):
        return templates.join_texts([templates.as_text(x), templates.as_text(y)])
    return None


@models(operator.contains)
def contains(infer: Infer, container: Value, item: Value) -> Value:
    """`item in container`."""
    if isinstance(container, Boxed):
        return boxed.contains(infer, container, item)
    if isinstance(container, Tuple) and container.cls in DICT_VIEWS:
        container = containers.of_view(infer, container)
    made = objects.special(infer, container, "__contains__", item)
    if made is None and isinstance(container, Instance):
        return protocols.contains(infer, container, item)
    if made is not None:
        return made
    _require_hashable(infer, container, item)
    if texts.class_of(container) is not None and not (isinstance(container, Static) and isinstance(item, Static)):
        return string_comparison.contains(infer, container, item)
    if isinstance(container, Static) and isinstance(item, Static) and not sequences.is_mutable(container):
        return objects.fold(infer, "'in'", lambda c, i: i in c, container, item)
    if isinstance(container, Range):
        return _in_range(infer, container, item)
    keys = string_comparison.keys_of(infer, container) if texts.of_run(item) else None
    if keys is not None:
        container = Tuple(tuple(map(Static, keys)))
    if isinstance(container, Reference) and container.kind is dict and isinstance(item, Static):
        return Static(containers.static_key(infer, item) in infer.heap.entries(container))
    if isinstance(container, Array):
        return array_operations.contains(infer, container, item)
    buffer = infer.heap.buffer(container)
    if buffer is not None:
        return list_methods.contains(infer, buffer, item)
    if isinstance(container, Stream):
        stream = container
        return streams.decides(
            infer, stream, lambda member: abstract.truth(infer, comparisons.equal_items(infer, member, item)), True
        )
    if isinstance(container, Iterator):
        container = iteration.take_over(infer, container)
    if isinstance(container, Number | Slice | Function | Bound) or (
        isinstance(container, Static) and not _is_gone_through(type(container.value))
    ):
        raise refusal(infer, "'in'", lambda obj: None in obj, container)
    found = abstract.iterate_static(infer, container)
    if found is None:
        raise infer.unsupported("'in' of something whose length is known only at run time")
    tests = [lambda member=member: comparisons.equal_items(infer, member, item) for member in found]
    return comparisons.in_turn(infer, tests, True, comparisons.may_not_be_true_or_false(infer, (item, *found)))


def _is_gone_through(cls: type) -> bool:
    return any(hasattr(cls, name) for name in ("__contains__", "__iter__", "__getitem__"))


def _require_hashable(infer: Infer, container: Value, item: Value) -> None:
    """Raise the TypeError for what is looked up in a dict or set and has no hash. (Sets are, as frozensets.)"""
    kind = container.kind if isinstance(container, Reference) else None
    if isinstance(container, Static):
        kind = type(container.value)
    if kind not in (dict, set, frozenset):
        return
    if isinstance(item, Array) and item.is_tensor:
        raise infer.unsupported("a Tensor looked up in a dict or set", "a list of Tensors")
    is_unhashable = isinstance(item, Slice) or (isinstance(item, Array) and item.category == "ndarray")
    if isinstance(item, Reference):
        is_unhashable = item.kind is not set or kind is dict
    if is_unhashable:
        raise refusal(infer, "'in'", hash, item)


def _in_range(infer: Infer, container: Range, item: Value) -> Value:
    """Whether one of a range's ints equals a value."""
    item = numbers.plain(item, "__eq__")
    type_ = numbers.type_of_number(item)
    if type_ in (INT, BOOL):
        return _int_in_range(infer, container, item)
    if type_ is FLOAT:
        whole = abstract.compare(infer, "==", numbers.binary(infer, "%", item, Static(1.0)), Static(0.0))
        return numbers.both(infer, whole, _int_in_range(infer, container, item))
    if type_ is COMPLEX:
        real, imag = _parts(infer, item)
        return numbers.both(infer, abstract.compare(infer, "==", imag, Static(0.0)), _in_range(infer, container, real))
    if isinstance(item, Array):
        if item.type.shape or item.type.dtype.kind not in "biuf":
            raise infer.unsupported("'in' a range of an array that is no single number", "float(x)")
        return _in_range(infer, container, _number_of(infer, item))
    return abstract.compare(infer, "==", item, container.start)


def _parts(infer: Infer, value: Value) -> tuple[Value, Value]:
    """The real and the imaginary part of a complex number."""
    if isinstance(value, Static):
        return Static(value.value.real), Static(value.value.imag)
    return abstract.attribute(infer, value, "real"), abstract.attribute(infer, value, "imag")


def _number_of(infer: Infer, value: Array) -> Value:
    """The Python number that an array without axes is equal to."""
    return abstract.int_(infer, value) if value.type.dtype.kind in "biu" else abstract.float_(infer, value)


def _int_in_range(infer: Infer, container: Range, item: Value) -> Value:
    if not isinstance(container.step, Static):
        return _in_range_of_any_step(infer, container, item)
    up = container.step.value > 0
    low = abstract.compare(infer, "<=" if up else ">=", container.start, item)
    high = abstract.compare(infer, "<" if up else ">", item, container.stop)
    total = numbers.both(infer, low, high)
    if abs(container.step.value) != 1:
        offset = numbers.binary(infer, "-", item, container.start)
        rest = numbers.binary(infer, "%", offset, container.step)
        total = numbers.both(infer, total, abstract.compare(infer, "==", rest, Static(0)))
    return total


def _in_range_of_any_step(infer: Infer, container: Range, item: Value) -> Value:
    def along(sign: str) -> Value:
        going = abstract.compare(infer, sign, container.step, Static(0))
        begun = abstract.compare(infer, "<=" if sign == ">" else ">=", container.start, item)
        ended = abstract.compare(infer, sign, container.stop, item)
        return numbers.both(infer, going, numbers.both(infer, begun, ended))

    containers.range_length(infer, container)  # which raises for a step of 0
    inside = numbers.either(infer, along(">"), along("<"))
    rest = numbers.binary(infer, "%", numbers.binary(infer, "-", item, container.start), container.step)
    return numbers.both(infer, inside, abstract.compare(infer, "==", rest, Static(0)))
