"""Calls of Python's functions and classes that give boxes, or are given some."""

from __future__ import annotations

import bisect
import collections
import heapq
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, MethodDescriptorType, MethodType
from typing import TYPE_CHECKING, Any, Final

from jitcore.library.core.marking import is_library
from jitcore.passes.infer.boxed import deques, dict_classes, dicts, lists, sets, strings
from jitcore.passes.infer.boxed.lists import raise_if
from jitcore.passes.infer.boxed.numpy_numbers import sorted_in, sought
from jitcore.passes.infer.boxed.values import act, is_text, look, number, text, words
from jitcore.passes.infer.domain import abstract, boxed, cells
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Bound,
    Boxed,
    Char,
    Function,
    PythonError,
    Static,
    String,
    Text,
    Tuple,
    Union,
    Value,
)
from jitcore.passes.infer.domain.values import (
    Sequence as Sequence_,
)
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.calls import call_plain
from jitcore.passes.infer.engine.models import model_of
from jitcore.passes.infer.python import iteration
from jitcore.program.boxes import Kind
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_NOTHING: Final = Static(())
_ORDERED: Final = "items of one type, tuples whose items are numbers and strings among them"


@boxed.called.model
def called(infer: Infer, callee: object, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value | None:
    """See `domain.boxed.called`."""
    try:
        model = _MODELS.get(callee)
    except TypeError:  # it has no hash
        return None
    if model is None:
        return _of_text(infer, callee, args, keywords)
    if all(isinstance(a, Static) for a in args) and callee in _OF_VALUES:
        return None
    is_of_view = callee is reversed and any(isinstance(a, Sequence_) for a in args)
    if callee in _OF_BOXES and not is_of_view and not any(_is_boxed(a) for a in args):
        return None
    otherwise = model_of(callee) if callee in _OF_BOXES else None

    def compute(*a: Value, **k: Value) -> Value:
        """By the usual model for those members of unions that are in no box."""
        chosen = model if otherwise is None or is_of_view or any(map(_is_boxed, a)) else otherwise
        return chosen(infer, *a, **k)

    return call_plain(infer, compute, getattr(callee, "__name__", ""), args, keywords, lambda: callee)


def _is_boxed(value: Value) -> bool:
    if isinstance(value, Union):
        return any(isinstance(getattr(m, "kind", None), cells.BoxOf | cells.Plain) for m in value.members)
    return isinstance(value, Boxed | Char) or (isinstance(value, String) and value.cls is str)


def _class_of(value: Value) -> type | None:
    if isinstance(value, Boxed):
        return boxed.class_of(value)
    return str if is_text(value) and not isinstance(value, Static) else None


def _of_text(infer: Infer, callee: object, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value | None:
    """A method of a constant string (`", ".join`), called with values of the run, or one of a class (`str.isdigit`)."""
    if isinstance(callee, MethodDescriptorType) and args and _class_of(args[0]) is callee.__objclass__:
        return abstract.call(infer, abstract.attribute(infer, args[0], callee.__name__), args[1:], keywords)
    of = getattr(callee, "__self__", None)
    name = getattr(callee, "__name__", "")
    if type(of) is not str or name not in strings.METHODS or all(isinstance(a, Static) for a in args):
        return None
    method = strings.METHODS[name]
    return call_plain(infer, lambda *a, **k: method(infer, Static(of), *a, **k), name, args, keywords, lambda: callee)


@boxed.require_raised.model
def require_raised(infer: Infer, callee: Value, args: Sequence[Value], keywords: Mapping[str, Value]) -> None:
    """See `domain.boxed.require_raised`."""
    if not _is_of_program(callee) and any(map(_holds_box, (*args, *keywords.values()))):
        raise infer.unsupported(
            "such a call with a list, dict, set or string of the run", "numbers or arrays, np.array(…) of the list"
        ) from None


def _is_of_program(callee: Value) -> bool:
    if isinstance(callee, Bound):
        return _is_of_program(callee.function)
    if not isinstance(callee, Static):
        return isinstance(callee, Function)
    return isinstance(callee.value, FunctionType | MethodType) and not is_library(callee.value)


def _holds_box(value: Value) -> bool:
    return isinstance(value, Boxed) or (isinstance(value, Tuple) and any(map(_holds_box, value.items)))


# --- classes


def _list(infer: Infer, source: Value = _NOTHING) -> Value:
    return lists.of_iterable(infer, source)


def _tuple(infer: Infer, source: Value = _NOTHING) -> Value:
    return lists.tuple_of(infer, source)


def _set(infer: Infer, source: Value = _NOTHING) -> Value:
    return sets.of_iterable(infer, source, set)


def _frozenset(infer: Infer, source: Value = _NOTHING) -> Value:
    return sets.of_iterable(infer, source, frozenset)


def _dict(infer: Infer, *args: Value, **keywords: Value) -> Value:
    return dicts.of_entries(infer, args, keywords)


def _int(infer: Infer, value: Value, base: Value = Static(10)) -> Value:
    return strings.to_int(infer, value, base)


def _float(infer: Infer, value: Value) -> Value:
    return strings.to_float(infer, value)


# --- functions


def _in_box(infer: Infer, value: Value) -> Boxed | None:
    """A value that is in a box, or a string that is put into one."""
    if isinstance(value, Boxed):
        return value
    return Boxed(text(infer, value), cells.STR) if is_text(value) else None


def _len(infer: Infer, value: Value) -> Value:
    found = _in_box(infer, value)
    assert found is not None
    return boxed.length(infer, found)


def _sorted(infer: Infer, source: Value, *, key: Value = Static(None), reverse: Value = Static(False)) -> Value:
    made = lists.of_iterable(infer, source, "sorted")
    lists.sort(infer, made, key=key, reverse=reverse)
    return made


def _ord(infer: Infer, value: Value) -> Value:
    if isinstance(value, Char):
        return number(infer, value.atom)
    found = _in_box(infer, value)
    if found is None or found.kind != cells.STR:
        raise PythonError(TypeError(f"ord() expected string of length 1, but {type_name(value)} found"))
    size = number(infer, look(infer, "text_length", found.atom))
    message = Text("ord() expected a character, but string of length {0} found", (size,))
    raise_if(infer, numbers.compare(infer, "!=", size, Static(1)), TypeError, message)
    return number(infer, look(infer, "text_code", found.atom, 0))


def _hash(infer: Infer, value: Value) -> Value:
    sets.require_hashable(infer, value)
    return number(infer, look(infer, "hash_of", *sought(infer, value)))


def _type(infer: Infer, value: Value) -> Value:
    found = _in_box(infer, value)
    assert found is not None
    return Static(boxed.class_of(found))


def _isinstance(infer: Infer, value: Value, classes: Value) -> Value:
    found = _in_box(infer, value)
    assert found is not None
    wanted = infer.need_static(classes, "the class that isinstance asks for")
    return Static(issubclass(boxed.class_of(found), wanted))


def _reversed(infer: Infer, source: Value) -> Value:
    if isinstance(source, Boxed) and source.kind.kind in (Kind.SET, Kind.FROZENSET):
        raise PythonError(TypeError(f"'{type_name(source)}' object is not reversible"))
    if not isinstance(source, Boxed | Sequence_):
        usual = model_of(reversed)
        assert usual is not None
        return usual(infer, source)
    found = source if isinstance(source, Sequence_) else abstract.sequence(infer, source)
    last = numbers.binary(infer, "-", found.length, Static(1))
    reaches = found.reaches
    if isinstance(source, Boxed) and source.kind.kind is Kind.LIST:
        reaches = lists.reaches_backwards(infer, source, last)
    elif isinstance(source, Boxed) and source.kind.kind is Kind.DEQUE:
        reaches = deques.reaches_backwards(infer, source)
    backwards = Sequence_(
        found.length, lambda position: found.item(numbers.binary(infer, "-", last, position)), reaches
    )
    return iteration.new(infer, backwards, reversed)


# --- heapq and bisect


def _heap(infer: Infer, target: Value) -> Boxed:
    if not isinstance(target, Boxed) or target.kind == cells.STR or target.kind.kind is not Kind.LIST:
        raise PythonError(TypeError("heap argument must be a list"))
    kinds = lists.kinds(infer, target)
    if kinds and not cells.has_order(kinds):
        raise infer.unsupported("a heap with items that may have no order", _ORDERED)
    return target


def _heap_push(infer: Infer, heap: Value, item: Value) -> Value:
    target = _heap(infer, heap)
    act(infer, "heap_push", target.atom, *sorted_in(infer, item, lists.put_kinds(infer, target, item)))
    return Static(None)


def _heap_pop(infer: Infer, heap: Value) -> Value:
    target = _heap(infer, heap)
    size = lists.length(infer, target)
    raise_if(infer, numbers.compare(infer, "==", size, Static(0)), IndexError, Static("index out of range"))
    act(infer, "heap_pop", target.atom)
    return lists.at(infer, target, look(infer, "list_length", target.atom))


def _heap_replace(infer: Infer, heap: Value, item: Value) -> Value:
    target = _heap(infer, heap)
    size = lists.length(infer, target)
    raise_if(infer, numbers.compare(infer, "==", size, Static(0)), IndexError, Static("index out of range"))
    found = lists.at(infer, target, infer.number_atom(Static(0), INT))
    act(infer, "list_put", target.atom, 0, *sorted_in(infer, item, lists.put_kinds(infer, target, item)))
    act(infer, "heap_fix_root", target.atom)
    return found


def _heap_push_pop(infer: Infer, heap: Value, item: Value) -> Value:
    target = _heap(infer, heap)
    act(infer, "heap_push", target.atom, *sorted_in(infer, item, lists.put_kinds(infer, target, item)))
    act(infer, "heap_pop", target.atom)
    return lists.at(infer, target, look(infer, "list_length", target.atom))


def _heapify(infer: Infer, heap: Value) -> Value:
    target = _heap(infer, heap)
    lists.require_order(infer, target)
    act(infer, "heap_make", target.atom)
    return Static(None)


def _bisector(*, right: bool) -> Callable[..., Value]:
    def bisected(infer: Infer, a: Value, x: Value, lo: Value = Static(0), hi: Value = Static(None)) -> Value:
        target = _heap(infer, a)
        if not (isinstance(lo, Static) and lo.value == 0 and isinstance(hi, Static) and hi.value is None):
            raise infer.unsupported("bisect of a part of a list of the run", "a slice of it")
        return number(infer, look(infer, "list_bisect", target.atom, *sorted_in(infer, x, words(infer, x)), int(right)))

    return bisected


def _inserter(*, right: bool) -> Callable[..., Value]:
    bisected = _bisector(right=right)

    def inserted(infer: Infer, a: Value, x: Value, lo: Value = Static(0), hi: Value = Static(None)) -> Value:
        target = _heap(infer, a)
        position = infer.number_atom(bisected(infer, target, x, lo, hi), INT)
        act(infer, "list_insert", target.atom, position, *lists.put_kinds(infer, target, x))
        return Static(None)

    return inserted


_MODELS: Final[Mapping[Any, Callable[..., Value]]] = {
    list: _list, tuple: _tuple, set: _set, frozenset: _frozenset, dict: _dict, collections.deque: deques.new,
    dict.fromkeys: dicts.from_keys, collections.Counter: dict_classes.counter,
    collections.defaultdict: dict_classes.default_dict, collections.OrderedDict: dict_classes.ordered,
    collections.OrderedDict.fromkeys: dict_classes.ordered_from_keys,
    int: _int, float: _float, str: strings.to_text, len: _len, sorted: _sorted,
    ord: _ord, hash: _hash, type: _type, isinstance: _isinstance, reversed: _reversed, heapq.heappush: _heap_push,
    heapq.heappop: _heap_pop, heapq.heapreplace: _heap_replace, heapq.heappushpop: _heap_push_pop,
    heapq.heapify: _heapify, bisect.bisect_left: _bisector(right=False), bisect.bisect_right: _bisector(right=True),
    bisect.insort_right: _inserter(right=True), bisect.insort_left: _inserter(right=False),
}  # fmt: skip
_OF_VALUES: Final[frozenset[Any]] = frozenset([hash, str, int, float, len, ord, type, isinstance])
"""Those that are computed when compiling where all arguments are known."""
_OF_BOXES: Final[frozenset[Any]] = frozenset([tuple, int, float, len, ord, type, isinstance, reversed])
"""Those that are as they are otherwise where no argument is in a box."""
