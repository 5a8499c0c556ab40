"""Tuples, lists, dicts, sets and iteration over them: static in structure, with run-time leaves."""

from __future__ import annotations

import operator
from collections.abc import Callable, Hashable, Iterable
from types import FunctionType
from typing import TYPE_CHECKING, Any

import numpy as np

from jitcore.ir.nodes import Atom, Literal
from jitcore.lookup import has_attribute
from jitcore.passes.infer import abstract, characters, numbers, objects, protocols
from jitcore.passes.infer.forms import SCALARS, fits_word
from jitcore.passes.infer.refusal import refusal
from jitcore.passes.infer.values import (
    DICT_VIEWS,
    ITERATORS,
    Array,
    Bound,
    Char,
    Function,
    Handle,
    Instance,
    Iterator,
    Keys,
    Number,
    PythonError,
    Range,
    Reference,
    Sequence,
    Slice,
    Static,
    Stream,
    String,
    Text,
    Tuple,
    Value,
)
from jitcore.primitives import python_ints
from jitcore.primitives.mutable import plain_class
from jitcore.types import BOOL, COMPLEX, FLOAT, INT

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer

_LONGEST_REPEATED = 256
"""A list of so many numbers made by `*` is one of run-time length: its items need not be told apart while compiling."""
MOST_UNROLLED = 10_000
"""Beyond this many items, what can only be done item by item while compiling is refused."""


def type_name(value: Value) -> str:
    """The name of a value's Python type, as CPython's messages have it."""
    match value:
        case Static():
            module = "numpy." if isinstance(value.value, np.generic | np.ndarray) else ""
            return module + type(value.value).__name__
        case Number():
            return next(t.__name__ for t, s in SCALARS.items() if s is value.type)
        case Array():
            names = {"tensor": "Tensor", "ndarray": "numpy.ndarray"}
            return names.get(value.category, f"numpy.{value.type.dtype.numpy.type.__name__}")
        case Tuple():
            return plain_class(value.cls).__name__
        case Reference():
            return value.kind.__name__
        case Text() | Char():
            return "str"
        case String():
            return value.cls.__name__
        case Iterator() | Stream():
            return value.cls.__name__
        case Function():
            return "function"
        case Bound():
            return "method"
        case Instance() | Handle():
            return value.cls.__name__
        case _:
            return type(value).__name__.lower()


def static_container(infer: Infer, value: Value, what: str) -> Static | None:
    """A container of constants as a Python object; None if the value is no container."""
    match value:
        case Tuple():
            made = [infer.need_static(v, what) for v in value.items]
            return Static(tuple(made) if value.cls is tuple else value.cls(*made))
        case Reference() if value.kind is list:
            return Static([infer.need_static(v, what) for v in infer.heap.items(value)])
        case Reference() if value.kind is dict:
            return Static({k: infer.need_static(v, what) for k, v in infer.heap.entries(value).items()})
        case Slice():
            return Static(slice(*(infer.need_static(v, what) for v in (value.start, value.stop, value.step))))
        case Range():
            return Static(range(*(infer.need_static(v, what) for v in (value.start, value.stop, value.step))))
        case _:
            return None


def is_mutable(*values: Value) -> bool:
    """Whether one of the objects is a list, dict or set that the program got as a constant: its structure is
    guarded."""
    return any(isinstance(v, Static) and type(v.value) in (list, dict, set) for v in values)


def is_view(value: Value) -> bool:
    """Whether a value is a dict's keys, values or items, or an iterator: to be gone through, and not a tuple."""
    return isinstance(value, Tuple) and (value.cls in DICT_VIEWS or value.cls in ITERATORS)


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
    return isinstance(key, Array) and key.category == "tensor"


def static_key(infer: Infer, key: Value) -> Hashable:
    """A dict's key or set's item."""
    if isinstance(key, Reference):
        raise PythonError(TypeError(f"unhashable type: '{type_name(key)}'"))
    if _has_tensor(key):  # which is told by its identity
        raise infer.unsupported("a Tensor as the key of a dict or item of a set", "a list of pairs")
    found = infer.need_static(key, "the key of a dict or item of a set")
    try:
        hash(found)
    except TypeError as error:
        raise PythonError(error) from None
    return found


# --- iteration --------------------------------------------------------------------------------------


def static_sequence(value: Value) -> bool:
    """Whether a value is a tuple or list (which array operators take for an array)."""
    if isinstance(value, Static):
        return isinstance(value.value, tuple | list)
    return isinstance(value, Tuple) or (isinstance(value, Reference) and value.kind is list)


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
            if not is_mutable(value):
                objects.require_constant(infer, "iteration", value)
            return tuple(infer.inputs.captured_item(value, k, v) for k, v in enumerate(value.value))
        case Array():
            return _array_items(infer, value)
        case String() | Char():
            return _sequence_items(characters.sequence(infer, value))
        case Sequence():
            return _sequence_items(value)
        case Iterator():
            from jitcore.passes.infer import iteration

            return iteration.items_left(infer, value)
        case Stream():
            from jitcore.passes.infer import streams

            return streams.items_of(infer, value)
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


def spread(infer: Infer, values: list[Value], stars: tuple[int, ...]) -> tuple[Value, ...]:
    """Items of a display or call with `*x` items (at the positions `stars`) spread out."""
    out: list[Value] = []
    for k, value in enumerate(values):
        if k not in stars:
            out.append(value)
            continue
        spread_items = iterate_static(infer, value)
        if spread_items is None:
            raise infer.unsupported("*x of something whose length is known only at run time")
        out.extend(spread_items)
    return tuple(out)


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
        case Static():
            return numbers.fold(len, value.value) if is_mutable(value) else objects.fold(infer, "len()", len, value)
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
        return infer.branch(
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
        case Iterator():
            from jitcore.passes.infer import iteration

            return iteration.moving(infer, value)
        case Stream():
            from jitcore.passes.infer import streams

            return streams.sequence_of(infer, value)
        case Reference() if infer.heap.buffer(value) is not None:
            from jitcore.passes.infer import buffers

            return buffers.sequence(infer, value)
        case String() | Char():
            return characters.sequence(infer, value)
        case Range():
            return Sequence(range_length(infer, value), lambda i: range_item(infer, value, i))
        case Array() if value.type.shape:
            from jitcore.passes.infer import items

            return Sequence(length(infer, value), lambda i: items.get_in_range(infer, value, i))
        case _:
            return None


def range_item(infer: Infer, value: Range, index: Value) -> Value:
    """`range(…)[index]`, in range; it cannot overflow but is checked all the same."""
    scaled = index
    if not (isinstance(value.step, Static) and value.step.value == 1):
        scaled = numbers.binary(infer, "*", index, value.step)
    return scaled if _is_zero(value.start) else numbers.binary(infer, "+", value.start, scaled)


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
    from jitcore.passes.infer import buffers
    from jitcore.primitives import conversions

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
    buffer = infer.heap.buffer(value)
    assert buffer is not None
    end = numbers.binary(infer, "-", sequence.length, Static(after))
    rest = buffers.get(infer, buffer, Slice(Static(before), end, Static(None)))
    last = [abstract.item(infer, value, Static(k - after)) for k in range(after)]
    return [*(sequence.item(Static(k)) for k in range(before)), rest, *last]


# --- operators --------------------------------------------------------------------------------------


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
    from jitcore.passes.infer import string_comparison, strings

    if is_view(x) or is_view(y):
        return None
    if op == "+":
        return _concatenate(infer, x, y)
    if op == "*" and any(map(characters.class_of, (x, y))) and not (isinstance(x, Static) and isinstance(y, Static)):
        text, times = (y, x) if characters.class_of(x) is None else (x, y)
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
                from jitcore.passes.infer import list_methods

                return list_methods.repeated(infer, sequence, count)
            return infer.heap.new(
                list, infer.heap.items(sequence) * _times(infer, count, "how often a list is repeated")
            )
    if op == "|" and all(isinstance(v, Reference) and v.kind is dict for v in (x, y)):
        return infer.heap.new(dict, {**entries_of(infer, x), **entries_of(infer, y)})
    if op in ("|", "&", "-", "^"):
        mine, theirs = set_of(infer, x), set_of(infer, y)
        if mine is not None and theirs is not None:
            made = numbers.BINARY[op](mine, theirs)
            frozen = isinstance(x, Static) and isinstance(x.value, frozenset)  # the result is of the left one's class
            return Static(made) if frozen else new_set(infer, tuple(map(Static, made)))
    if op == "%" and isinstance(x, Static) and isinstance(x.value, str):
        return strings.percent(infer, x.value, y)
    return None


def _is_long_of_numbers(items: tuple[Value, ...], times: Value) -> bool:
    """Whether a repeated list is long, and better a list of run-time length: it holds numbers, or None."""
    if not isinstance(times, Static) or type(times.value) is not int or len(items) * times.value < _LONGEST_REPEATED:
        return False
    return all(isinstance(v, Number) or (isinstance(v, Static) and _is_number_or_none(v.value)) for v in items)


def _is_number_or_none(value: Any) -> bool:
    return value is None or (type(value) in SCALARS and fits_word(value))


def _concatenate(infer: Infer, x: Value, y: Value) -> Value | None:
    from jitcore.passes.infer import string_comparison, strings

    if characters.are_strings(x, y):
        return string_comparison.concatenated(infer, x, y)
    if isinstance(x, Tuple) and isinstance(y, Tuple):
        return Tuple(x.items + y.items)
    if isinstance(x, Reference) and isinstance(y, Reference) and x.kind is list and y.kind is list:
        if infer.heap.buffer(x) is not None or infer.heap.buffer(y) is not None:
            from jitcore.passes.infer import list_methods

            return list_methods.concatenated(infer, x, y)
        return infer.heap.new(list, infer.heap.items(x) + infer.heap.items(y))
    if strings.is_text(x) and strings.is_text(y) and not (isinstance(x, Static) and isinstance(y, Static)):
        return strings.join_texts([strings.as_text(x), strings.as_text(y)])
    return None


def both(infer: Infer, a: Value, b: Value) -> Value:
    """`a and b` for truth values, without a branch."""
    return _logical(infer, abstract.truth(infer, a), abstract.truth(infer, b), False, python_ints.bool_and)


def either(infer: Infer, a: Value, b: Value) -> Value:
    """`a or b` for truth values, without a branch."""
    return _logical(infer, abstract.truth(infer, a), abstract.truth(infer, b), True, python_ints.bool_or)


def _logical(infer: Infer, a: Value, b: Value, absorbing: bool, primitive: Any) -> Value:
    ta, tb = infer.truth(a), infer.truth(b)
    if isinstance(ta, bool):
        return Static(absorbing) if ta is absorbing else b
    if isinstance(tb, bool):
        return Static(absorbing) if tb is absorbing else a
    return infer.number(infer.emit(primitive, ta, tb), a, b)


def contains(infer: Infer, container: Value, item: Value) -> Value:
    """`item in container`."""
    from jitcore.passes.infer import string_comparison

    if isinstance(container, Tuple) and container.cls in DICT_VIEWS:
        container = of_view(infer, container)
    made = objects.special(infer, container, "__contains__", item)
    if made is None and isinstance(container, Instance):
        return protocols.contains(infer, container, item)
    if made is not None:
        return made
    if characters.class_of(container) is not None and not (isinstance(container, Static) and isinstance(item, Static)):
        return string_comparison.contains(infer, container, item)
    if isinstance(container, Static) and isinstance(item, Static) and not is_mutable(container):
        return objects.fold(infer, "'in'", lambda c, i: i in c, container, item)
    if isinstance(container, Range):
        return _in_range(infer, container, item)
    keys = string_comparison.keys_of(infer, container) if characters.of_run(item) else None
    if keys is not None:
        container = Tuple(tuple(map(Static, keys)))
    if isinstance(container, Reference) and container.kind is dict and isinstance(item, Static):
        return Static(item.value in infer.heap.entries(container))
    if isinstance(container, Array):
        from jitcore.passes.infer import arrays

        return arrays.contains(infer, container, item)
    buffer = infer.heap.buffer(container)
    if buffer is not None:
        from jitcore.passes.infer import list_methods

        return list_methods.contains(infer, buffer, item)
    if isinstance(container, Stream):
        from jitcore.passes.infer import streams
        from jitcore.passes.infer.comparisons import equal_items

        stream = container
        return streams.decides(
            infer, stream, lambda member: abstract.truth(infer, equal_items(infer, member, item)), True
        )
    if isinstance(container, Iterator):
        from jitcore.passes.infer import iteration

        container = iteration.take_over(infer, container)
    if isinstance(container, Number):
        raise refusal(infer, "'in'", lambda obj: None in obj, container)
    found = iterate_static(infer, container)
    if found is None:
        raise infer.unsupported("'in' of something whose length is known only at run time")
    from jitcore.passes.infer.comparisons import equal_items

    tests = [lambda member=member: equal_items(infer, member, item) for member in found]
    return in_turn(infer, tests, True, may_not_be_true_or_false(infer, (item, *found)))


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
        total = (either if decides else both)(infer, total, test())
    return total


def _unless_decided(infer: Infer, known: Atom, tests: list[Callable[[], Value]], decides: bool) -> Value:
    def decided() -> list[Value]:
        return [Static(decides)]

    def undecided() -> list[Value]:
        return [in_turn(infer, tests, decides, True)]

    return infer.branch(known, decided, undecided)[0] if decides else infer.branch(known, undecided, decided)[0]


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


def _in_range(infer: Infer, container: Range, item: Value) -> Value:
    """Whether one of a range's ints equals a value."""
    item = numbers.plain(item, "__eq__")
    type_ = numbers.type_of_number(item)
    if type_ in (INT, BOOL):
        return _int_in_range(infer, container, item)
    if type_ is FLOAT:
        whole = abstract.compare(infer, "==", numbers.binary(infer, "%", item, Static(1.0)), Static(0.0))
        return both(infer, whole, _int_in_range(infer, container, item))
    if type_ is COMPLEX:
        real, imag = _parts(infer, item)
        return both(infer, abstract.compare(infer, "==", imag, Static(0.0)), _in_range(infer, container, real))
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
    total = both(infer, low, high)
    if abs(container.step.value) != 1:
        offset = numbers.binary(infer, "-", item, container.start)
        rest = numbers.binary(infer, "%", offset, container.step)
        total = both(infer, total, abstract.compare(infer, "==", rest, Static(0)))
    return total


def _in_range_of_any_step(infer: Infer, container: Range, item: Value) -> Value:
    def along(sign: str) -> Value:
        going = abstract.compare(infer, sign, container.step, Static(0))
        begun = abstract.compare(infer, "<=" if sign == ">" else ">=", container.start, item)
        ended = abstract.compare(infer, sign, container.stop, item)
        return both(infer, going, both(infer, begun, ended))

    range_length(infer, container)  # which raises for a step of 0
    inside = either(infer, along(">"), along("<"))
    rest = numbers.binary(infer, "%", numbers.binary(infer, "-", item, container.start), container.step)
    return both(infer, inside, abstract.compare(infer, "==", rest, Static(0)))


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


def entries_of(infer: Infer, value: Value) -> dict[Any, Value]:
    """The entries of a mapping."""
    if isinstance(value, Reference) and value.kind is dict:
        return infer.heap.entries(value)
    if isinstance(value, Static) and isinstance(value.value, dict):
        return {k: Static(v) for k, v in value.value.items()}
    cls = value.cls if isinstance(value, Instance) else type(value.value) if isinstance(value, Static) else type(None)
    if hasattr(cls, "keys") and hasattr(cls, "__getitem__"):
        raise infer.unsupported(f"the entries of a {cls.__name__}", "a dict of them")
    raise PythonError(TypeError(f"'{type_name(value)}' object is not a mapping"))
