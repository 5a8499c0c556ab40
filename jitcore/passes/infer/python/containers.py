"""Tuples, lists, dicts, sets and iteration over them: static in structure, with run-time leaves."""

from __future__ import annotations

from collections.abc import Hashable
from types import FunctionType
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Literal
from jitcore.passes.infer.domain import abstract, boxed, sequences
from jitcore.passes.infer.domain.assumptions import Boxes, KeyOfRunError, NeedsStaticError
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    DICT_VIEWS,
    ITERATORS,
    Array,
    Bound,
    Boxed,
    Char,
    Function,
    Instance,
    Iterator,
    Keys,
    Number,
    PythonError,
    Range,
    Reference,
    Restart,
    Sequence,
    Slice,
    Static,
    Stream,
    String,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, classes, numbers
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.passes.infer.python import characters, objects, protocols
from jitcore.primitives.ops import conversions, python_ints
from jitcore.source import CompileError
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

MOST_UNROLLED = 10_000
"""Beyond this many items, what can only be done item by item while compiling is refused."""


def view(infer: Infer, target: Reference, cls: type) -> Tuple:
    """What `keys()`, `values()` or `items()` of a dict gives, as it is now."""
    entries = infer.heap.entries(target)
    keys = [Static(key) for key in entries]
    items = (keys, entries.values(), map(Tuple, zip(keys, entries.values(), strict=True)))[DICT_VIEWS.index(cls)]
    return Tuple(tuple(items), cls, ((target.key, keys_of(entries)),))


def of_view(infer: Infer, value: Tuple) -> Tuple:
    """The view of a dict as the dict is now."""
    for key, _ in value.lists:
        return view(infer, Reference(key, dict), value.cls)
    return value


def keys_of(contents: Any) -> Keys:
    """What is told apart in the contents of a dict or set."""
    return Keys(contents if isinstance(contents, dict) else (v.value if isinstance(v, Static) else v for v in contents))


def _has_tensor(key: Value) -> bool:
    if isinstance(key, Tuple):
        return any(map(_has_tensor, key.items))
    return isinstance(key, Array) and key.is_tensor


def _is_of_run(key: Value) -> bool:
    """Whether a key is neither known nor said by the rounds of short loops."""
    if isinstance(key, Number) and key.paths and all(path[0] == "loop" for path in key.paths):
        return False
    return not isinstance(key, Static | Array | Instance | Function | Bound)


def static_key(infer: Infer, key: Value) -> Hashable:
    """A dict's key or set's item."""
    if isinstance(key, Reference):
        raise PythonError(TypeError(f"unhashable type: '{type_name(key)}'"))
    if _has_tensor(key):  # which is told by its identity
        raise infer.unsupported("a Tensor as the key of a dict or item of a set", "a list of pairs")
    if infer.assumptions.boxes is Boxes.NONE and infer.may_have_boxes and _is_of_run(key):
        infer.assumptions.turn_to_boxes()
        raise Restart
    try:
        found = infer.need_static(key, "the key of a dict or item of a set")
    except NeedsStaticError:
        raise
    except CompileError as error:
        raise KeyOfRunError(error.problems, error.headline) from None
    try:
        hash(found)
    except TypeError as error:
        raise PythonError(error) from None
    return found


# --- iteration --------------------------------------------------------------------------------------


@abstract.iterate_static.model
def iterate_static(infer: Infer, value: Value) -> tuple[Value, ...] | None:
    """The items of an iterable whose length is known now; None where it is not. Raises TypeError as Python does."""
    match value:
        case Tuple() if value.cls in DICT_VIEWS:
            return of_view(infer, value).items
        case Tuple():
            return value.items
        case Reference() if value.kind is dict:
            return tuple(Static(k) for k in infer.heap.entries(value))
        case Reference() if infer.heap.buffer(value) is not None:
            return None
        case Reference():
            return infer.heap.items(value)
        case Range():
            return _range_items(value)
        case Instance():
            return iterate_static(infer, protocols.iterated(infer, value))
        case Static():
            made = objects.special(infer, value, "__iter__")
            if isinstance(made, Static) and isinstance(getattr(type(made.value), "__next__", None), FunctionType):
                raise infer.unsupported(f"iteration by the __next__ of a {type_name(made)}", "a loop over its items")
            if made is not None:
                return iterate_static(infer, made)
            if not hasattr(type(value.value), "__iter__"):
                raise PythonError(TypeError(f"'{type_name(value)}' object is not iterable"))
            if not sequences.is_mutable(value):
                classes.require_constant(infer, "iteration", value)
            return tuple(infer.inputs.captured_item(value, k, v) for k, v in enumerate(value.value))
        case Array():
            return _array_items(infer, value)
        case String() | Char():
            return _sequence_items(characters.sequence(infer, value))
        case Sequence():
            return _sequence_items(value)
        case Iterator() | Stream():
            return abstract.items_left(infer, value)
        case _:
            raise refusal(infer, "iteration", iter, value)


def _range_items(value: Range) -> tuple[Value, ...] | None:
    ends = (value.start, value.stop, value.step)
    if all(isinstance(v, Static) for v in ends):
        made = range(*(v.value for v in ends if isinstance(v, Static)))
        return tuple(map(Static, made)) if len(made) <= MOST_UNROLLED else None
    return None


def _array_items(infer: Infer, value: Array) -> tuple[Value, ...] | None:
    if not value.type.shape:
        scalar = f"'{type_name(value)}' object is not iterable"
        raise PythonError(TypeError(scalar if value.category == "npscalar" else "iteration over a 0-d array"))
    extent = value.type.shape[0]
    if not isinstance(extent, int):
        return None
    return tuple(abstract.item(infer, value, Static(k)) for k in range(extent))


def _sequence_items(value: Sequence) -> tuple[Value, ...] | None:
    if isinstance(value.length, Static):
        return tuple(value.item(Static(k)) for k in range(value.length.value))
    return None


@abstract.spread.model
def spread(
    infer: Infer, values: list[Value], stars: tuple[int, ...], subject: str = "Value after *"
) -> tuple[Value, ...]:
    """Items of a display or call with `*x` items (at the positions `stars`) spread out. A message says of the `subject`
    that it is no iterable; "": Python's otherwise."""
    out: list[Value] = []
    for k, value in enumerate(values):
        if k not in stars:
            out.append(value)
            continue
        spread_items = _items_of_star(infer, value, subject)
        if spread_items is None:
            raise infer.unsupported("*x of something whose length is known only at run time")
        out.extend(spread_items)
    return tuple(out)


def _items_of_star(infer: Infer, value: Value, subject: str) -> tuple[Value, ...] | None:
    try:
        return iterate_static(infer, value)
    except PythonError as error:
        if not subject or str(error.error) != f"'{type_name(value)}' object is not iterable":
            raise
        raise PythonError(TypeError(f"{subject} must be an iterable, not {type_name(value)}")) from None


def length(infer: Infer, value: Value) -> Value:
    """`len(value)`."""
    match value:
        case Tuple() if value.cls in ITERATORS:
            raise refusal(infer, "len()", len, value)
        case Tuple():
            return Static(len(iterate_static(infer, value) or ()))
        case Reference():
            buffer = infer.heap.buffer(value)
            return Static(len(infer.heap.contents(value.key))) if buffer is None else buffer.length
        case Range():
            return range_length(infer, value)
        case Boxed():
            return boxed.length(infer, value)
        case Sequence():
            return value.length
        case String() | Char():
            return characters.length(infer, value)
        case Array() if not value.type.shape:
            if value.category == "npscalar":
                raise PythonError(TypeError(f"object of type 'numpy.{value.type.dtype.numpy.name}' has no len()"))
            raise PythonError(TypeError("len() of unsized object"))
        case Array():
            return infer.extent(value.type.shape[0])
        case Static() if sequences.is_mutable(value):
            return numbers.fold(len, value.value)
        case Static():
            return objects.fold(infer, "len()", len, value)
        case _:
            raise refusal(infer, "len()", len, value)


def range_length(infer: Infer, value: Range) -> Value:
    """`len(range(…))`, with run-time bounds too: max(0, ceil((stop - start) / step))."""
    start, stop, step = value.start, value.stop, value.step
    if isinstance(start, Static) and isinstance(stop, Static) and isinstance(step, Static):
        return Static(len(range(start.value, stop.value, step.value)))
    zero = Static(0)
    if not isinstance(step, Static):
        positive = infer.truth(numbers.compare(infer, ">", step, zero))
        assert not isinstance(positive, bool)
        return branching.branch(
            infer,
            positive,
            lambda: [_count(infer, start, stop, step, up=True)],
            lambda: [_count(infer, start, stop, step, up=False)],
        )[0]
    return _count(infer, start, stop, step, up=step.value > 0)


def _count(infer: Infer, start: Value, stop: Value, step: Value, up: bool) -> Value:
    low, high, by = (start, stop, step) if up else (stop, start, numbers.unary(infer, "-", step))
    span = numbers.binary(infer, "-", high, low) if not _is_zero(low) else high
    if not (isinstance(by, Static) and by.value == 1):
        span = numbers.binary(infer, "+", span, numbers.binary(infer, "-", by, Static(1)))
        span = numbers.binary(infer, "//", span, by)
    if isinstance(span, Static):
        return Static(max(span.value, 0))
    dim = numbers.dim_of(span)
    if dim is not None and dim is numbers.dim_of(high):
        return span  # an extent is never negative
    atom = infer.number_atom(span, INT)
    negative = infer.emit(python_ints.int_lt, atom, Literal(0, INT))
    return infer.number(infer.emit(python_ints.int_select, negative, Literal(0, INT), atom), span)


def _is_zero(value: Value) -> bool:
    return isinstance(value, Static) and value.value == 0


def as_sequence(infer: Infer, value: Value) -> Sequence | None:
    """A run-time iterable as (length, item by position); None if its items must be taken one by one now."""
    match value:
        case Sequence():
            return value
        case Iterator() | Stream() | Boxed():
            return abstract.sequence(infer, value)
        case Reference() if infer.heap.buffer(value) is not None:
            return abstract.sequence(infer, value)
        case String() | Char():
            return characters.sequence(infer, value)
        case Range():
            return Sequence(range_length(infer, value), lambda i: range_item(infer, value, i))
        case Array() if value.type.shape:
            return Sequence(length(infer, value), lambda i: abstract.item(infer, value, i))
        case _:
            return None


def range_item(infer: Infer, value: Range, index: Value) -> Value:
    """`range(…)[index]`, in range; it cannot overflow but is checked all the same."""
    scaled = index
    if not (isinstance(value.step, Static) and value.step.value == 1):
        scaled = numbers.binary(infer, "*", index, value.step)
    return scaled if _is_zero(value.start) else numbers.binary(infer, "+", value.start, scaled)


@abstract.unpack.model
def unpack(infer: Infer, value: Value, before: int, star: bool, after: int) -> list[Value]:
    """`a, *b, c = value`."""
    value = _iterated(infer, value)
    if isinstance(value, Number) or (isinstance(value, Static) and not hasattr(type(value.value), "__iter__")):
        raise PythonError(TypeError(f"cannot unpack non-iterable {type_name(value)} object"))
    found = iterate_static(infer, value)
    if found is None:
        return _unpack_at_run_time(infer, value, before, star, after)
    wanted = before + after
    if len(found) < wanted:
        least = "at least " if star else ""
        raise PythonError(ValueError(f"not enough values to unpack (expected {least}{wanted}, got {len(found)})"))
    if not star:
        if len(found) > wanted:
            raise PythonError(ValueError(f"too many values to unpack (expected {wanted})"))
        return list(found)
    rest = infer.heap.new(list, found[before : len(found) - after])
    return [*found[:before], rest, *found[len(found) - after :]]


def _iterated(infer: Infer, value: Value) -> Value:
    """What an object made in compiled code is gone through by; other values as they are."""
    return protocols.iterated(infer, value) if isinstance(value, Instance) else value


def _unpack_at_run_time(infer: Infer, value: Value, before: int, star: bool, after: int) -> list[Value]:
    if star and isinstance(value, String):
        value = abstract.as_list(infer, value)
    sequence = as_sequence(infer, value)
    if sequence is None or isinstance(value, Iterator) or (star and infer.heap.buffer(value) is None):
        raise infer.unsupported("unpacking something whose length is known only at run time")
    wanted, count = before + after, infer.number_atom(sequence.length, INT)
    enough = infer.emit(python_ints.int_ge, count, Literal(wanted, INT))
    least = "at least " if star else ""
    message = f"not enough values to unpack (expected {least}{wanted}, got {{0}})"
    infer.emit_all(conversions.check, enough, count, exception="ValueError", message=message)
    if not star:
        few = infer.emit(python_ints.int_le, count, Literal(wanted, INT))
        message = f"too many values to unpack (expected {wanted})"
        infer.emit_all(conversions.check, few, exception="ValueError", message=message)
        return [sequence.item(Static(k)) for k in range(wanted)]
    end = numbers.binary(infer, "-", sequence.length, Static(after))
    rest = abstract.item(infer, value, Slice(Static(before), end, Static(None)))
    last = [abstract.item(infer, value, Static(k - after)) for k in range(after)]
    return [*(sequence.item(Static(k)) for k in range(before)), rest, *last]


# --- operators --------------------------------------------------------------------------------------


def new_set(infer: Infer, members: tuple[Value, ...]) -> Value:
    """A set; its items must be constants."""
    keys = [static_key(infer, m) for m in members]
    made = numbers.fold(set, keys)
    return infer.heap.new(set, tuple(map(Static, made.value)))


def set_of(infer: Infer, value: Value) -> frozenset[Any] | None:
    """A set, whose items are constants, as a Python object; None for anything else."""
    if isinstance(value, Reference) and value.kind is set:
        return frozenset(static_key(infer, m) for m in infer.heap.items(value))
    return frozenset(value.value) if isinstance(value, Static) and isinstance(value.value, set | frozenset) else None


def entries_given(infer: Infer, value: Value) -> dict[Any, Value]:
    """The entries that `dict(value)` has: those of a mapping, or pairs."""
    if _has_keys(value):
        return entries_of(infer, value)
    pairs = iterate_static(infer, value)
    if pairs is None:
        raise infer.unsupported("a dict of something whose length is known only at run time")
    entries: dict[Any, Value] = {}
    for k, pair in enumerate(pairs):
        key, item = _pair(infer, pair, k)
        entries[static_key(infer, key)] = item
    return entries


def _has_keys(value: Value) -> bool:
    return hasattr(value.kind if isinstance(value, Reference) else classes.class_of(value), "keys")


def _pair(infer: Infer, value: Value, number: int) -> tuple[Value, ...]:
    """The key and the item that an element of a dict's source is."""
    what = f"dictionary update sequence element #{number}"
    try:
        found = iterate_static(infer, value)
    except PythonError as error:
        if not isinstance(error.error, TypeError):
            raise
        raise PythonError(TypeError(f"cannot convert {what} to a sequence")) from None
    if found is None:
        raise infer.unsupported("a dict of something whose length is known only at run time")
    if len(found) != 2:
        raise PythonError(ValueError(f"{what} has length {len(found)}; 2 is required"))
    return found


@abstract.entries_of.model
def entries_of(infer: Infer, value: Value) -> dict[Any, Value]:
    """The entries of a mapping."""
    if isinstance(value, Reference) and value.kind is dict:
        return infer.heap.entries(value)
    if isinstance(value, Static) and isinstance(value.value, dict):
        return {k: Static(v) for k, v in value.value.items()}
    cls = classes.class_of(value)
    if cls is not None and hasattr(cls, "keys") and hasattr(cls, "__getitem__"):
        raise infer.unsupported(f"the entries of a {cls.__name__}", "a dict of them")
    raise PythonError(TypeError(f"'{type_name(value)}' object is not a mapping"))
