"""Python's operations on values in boxes: displays, items, iteration, truth, comparison, operators."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Final, TypeGuard

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.boxed import deques, dict_classes, dicts, lists, numpy_numbers, sets, strings
from jitcore.passes.infer.boxed.numpy_numbers import require_comparable, require_no_nan, sought
from jitcore.passes.infer.boxed.values import (
    distributed,
    flag,
    is_text,
    kinds_of,
    look,
    number,
    text,
    words,
)
from jitcore.passes.infer.domain import abstract, boxed, cells
from jitcore.passes.infer.domain.cells import BoxOf
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Boxed,
    Builtin,
    Char,
    Instance,
    Number,
    PythonError,
    Slice,
    Static,
    String,
    Text,
    Union,
    Value,
)
from jitcore.passes.infer.domain.values import (
    Sequence as SequenceValue,
)
from jitcore.passes.infer.engine import numbers
from jitcore.passes.infer.engine.refusal import refusal
from jitcore.primitives.ops import conversions
from jitcore.program.boxes import DICTS, Kind
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_LENGTHS: Final = {
    Kind.STR: "text_length", Kind.LIST: "list_length", Kind.DEQUE: "list_length",
    Kind.SET: "set_length", Kind.FROZENSET: "set_length", **dict.fromkeys(DICTS, "dict_length"),
}  # fmt: skip


@boxed.length.model
def length(infer: Infer, value: Boxed) -> Value:
    """`len(value)`."""
    return number(infer, look(infer, _LENGTHS[value.kind.kind], value.atom))


@abstract.truth.model_of(Boxed)
def truth(infer: Infer, value: Value) -> Value:
    """`bool(value)`."""
    assert isinstance(value, Boxed)
    return abstract.compare(infer, "!=", length(infer, value), Static(0))


# --- displays


@boxed.display.model
def display(infer: Infer, cls: type, items: Sequence[Value], stars: Sequence[int]) -> Value:
    """See `domain.boxed.display`."""
    if cls is dict:
        made = dicts.new(infer)
        for k in range(0, len(items), 2):
            if k in stars:
                dicts.update(infer, made, items[k + 1])
            else:
                dicts.put(infer, made, items[k], items[k + 1])
        return made
    if cls is list:
        made = lists.new(infer, capacity=len(items))
        for k, item in enumerate(items):
            if k in stars:
                lists.extend(infer, made, item)
            else:
                lists.append(infer, made, item)
        return made
    if len(items) > 2 and all(isinstance(item, Static) for item in items):  # CPython's constant, a frozenset
        return sets.copied(infer, sets.constant(infer, items), set)
    made = sets.new(infer, set)
    for k, item in enumerate(items):
        if k in stars:
            sets.update(infer, made, item)
        else:
            sets.put(infer, made, item)
    return made


@boxed.settled.model
def settled(infer: Infer, value: Value) -> Value:
    """See `domain.boxed.settled`."""
    return strings.settled(infer, value) if isinstance(value, Text) else value


# --- items


@abstract.item.model_of(Boxed)
def item(infer: Infer, container: Value, key: Value) -> Value:
    """`container[key]`."""
    if not isinstance(container, Boxed):
        known = constant(infer, container)
        return abstract.item.plain(infer, container, key) if known is None else item(infer, known, key)
    match container.kind.kind:
        case Kind.STR:
            return strings.item(infer, container, key)
        case Kind.LIST | Kind.DEQUE:
            return lists.item(infer, container, key)
        case kind if kind in DICTS:
            return dict_classes.item(infer, container, key)
        case _:
            raise PythonError(TypeError(f"'{type_name(container)}' object is not subscriptable"))


@abstract.set_item.model_of(Boxed)
def set_item(infer: Infer, container: Value, key: Value, value: Value) -> None:
    """`container[key] = value`."""
    if not isinstance(container, Boxed):
        abstract.set_item.plain(infer, container, key, value)
        return
    match container.kind.kind:
        case Kind.LIST | Kind.DEQUE:
            lists.set_item(infer, container, key, value)
        case kind if kind in DICTS:
            dicts.put(infer, container, key, value)
        case _:
            raise PythonError(TypeError(f"'{type_name(container)}' object does not support item assignment"))


@boxed.delete.model
def delete(infer: Infer, container: Boxed, key: Value) -> None:
    """`del container[key]`."""
    match container.kind.kind:
        case Kind.LIST | Kind.DEQUE:
            lists.delete(infer, container, key)
        case kind if kind in DICTS:
            dict_classes.delete(infer, container, key)
        case _:
            raise PythonError(TypeError(f"'{type_name(container)}' object doesn't support item deletion"))


def constant(infer: Infer, value: Value) -> Boxed | None:
    """A constant container of the code outside in a box, made where it is needed; None for other values."""
    if not isinstance(value, Static) or type(value.value) not in (dict, frozenset, str):
        return None
    if isinstance(value.value, str):
        return Boxed(text(infer, value), cells.STR)
    return None


# --- membership


@boxed.contains.model
def contains(infer: Infer, container: Boxed, item: Value) -> Value:
    """`item in container`."""
    return distributed(infer, item, lambda one: _contains(infer, container, one))


def _contains(infer: Infer, container: Boxed, item: Value) -> Value:
    match container.kind.kind:
        case Kind.STR:
            if not is_text(item):
                message = f"'in <string>' requires string as left operand, not {type_name(item)}"
                raise PythonError(TypeError(message))
            found = look(infer, "text_find", container.atom, text(infer, item), 0, strings.END)
            return abstract.compare(infer, ">=", number(infer, found), Static(0))
        case Kind.LIST | Kind.DEQUE:
            return abstract.compare(infer, ">=", number(infer, lists.find(infer, container, item)), Static(0))
        case kind if kind in DICTS:
            found = dicts.find(infer, container, item)
            return abstract.compare(infer, ">=", number(infer, found), Static(0))
        case _:
            sets.require_hashable(infer, item)
            return flag(infer, look(infer, "set_contains", container.atom, *sought(infer, item)))


# --- iteration


@abstract.iterable.model_of(Boxed)
def iterable(infer: Infer, value: Value) -> Value:
    """What a `for` goes over."""
    return value


@abstract.iterate_static.model_of(Boxed)
def iterate_static(infer: Infer, value: Value) -> tuple[Value, ...] | None:
    """The items, of which the number is never known before."""
    return None


@abstract.sequence.model_of(Boxed)
def sequence(infer: Infer, value: Value) -> SequenceValue:
    """Items by position."""
    assert isinstance(value, Boxed)
    match value.kind.kind:
        case Kind.STR:
            return SequenceValue(length(infer, value), lambda k: strings.character(infer, value, k))
        case Kind.LIST:
            return lists.sequence(infer, value)
        case Kind.DEQUE:
            return deques.sequence(infer, value)
        case kind if kind in DICTS:
            return dicts.sequence(infer, value, "keys")
        case _:
            return sets.sequence(infer, value)


@abstract.unpack.model_of(Boxed)
def unpack(infer: Infer, value: Value, before: int, star: bool, after: int) -> list[Value]:
    """`a, *b, c = value`."""
    assert isinstance(value, Boxed)
    if not star:
        return abstract.unpack.plain(infer, value, before, star, after)
    taken = lists.of_iterable(infer, value)
    count, wanted = length(infer, taken), before + after
    enough = infer.truth(abstract.compare(infer, ">=", count, Static(wanted)))
    message = f"not enough values to unpack (expected at least {wanted}, got {{0}})"
    assert not isinstance(enough, bool)
    assert isinstance(count, Number)
    infer.emit_all(conversions.check, enough, count.atom, exception="ValueError", message=message)
    end = numbers.binary(infer, "-", count, Static(after))
    rest = lists.item(infer, taken, Slice(Static(before), end, Static(None)))
    last = [lists.item(infer, taken, Static(k - after)) for k in range(after)]
    return [*(lists.item(infer, taken, Static(k)) for k in range(before)), rest, *last]


@abstract.as_list.model_of(Boxed)
def as_list(infer: Infer, values: Value) -> Value:
    """`list(values)`."""
    return lists.of_iterable(infer, values)


# --- operators

_ORDER: Final[dict[str, Callable[[Infer, Atom], Value]]] = {
    "<": lambda infer, found: abstract.compare(infer, "==", Number(found, INT), Static(-1)),
    ">": lambda infer, found: abstract.compare(infer, "==", Number(found, INT), Static(1)),
    "<=": lambda infer, found: abstract.compare(infer, "<=", Number(found, INT), Static(0)),
    ">=": lambda infer, found: numbers.both(
        infer,
        abstract.compare(infer, ">=", Number(found, INT), Static(0)),
        abstract.compare(infer, "<=", Number(found, INT), Static(1)),
    ),
}


@abstract.compare.model_of(Boxed)
def compare(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y`."""
    if isinstance(x, Union) or isinstance(y, Union):
        return abstract.compare.plain(infer, op, x, y)
    if op in ("in", "notin") and isinstance(x, Boxed) and is_text(x) and is_text(y):
        found = contains(infer, strings.of(text(infer, y)), x)
        return found if op == "in" else abstract.not_(infer, found)
    if op in ("is", "isnot", "in", "notin"):
        return abstract.compare.plain(infer, op, x, y)
    if is_text(x) or is_text(y):
        if isinstance(x, Array) or isinstance(y, Array):
            return abstract.compare.plain(infer, op, x, y)
    elif isinstance(x, Array) or isinstance(y, Array):
        raise infer.unsupported(f"'{op}' of an array and a list of the run", "np.array(…) of the list")
    if isinstance(x, SequenceValue) or isinstance(y, SequenceValue):
        raise infer.unsupported(f"'{op}' of what is gone through at run time, as a view of a dict", "a list of it")
    if isinstance(x, Instance) or isinstance(y, Instance):
        return abstract.compare.plain(infer, op, x, y)
    if op in ("==", "!="):
        same = _equal(infer, x, y)
        return same if op == "==" else abstract.not_(infer, same)
    if is_text(x) and is_text(y):
        return _ORDER[op](infer, look(infer, "order_of_texts", text(infer, x), text(infer, y)))
    if isinstance(x, Boxed) and isinstance(y, Boxed):
        kinds = (x.kind.kind, y.kind.kind)
        if kinds == (Kind.COUNTER, Kind.COUNTER):
            return dict_classes.compare(infer, op, x, y)
        if all(kind in (Kind.SET, Kind.FROZENSET) for kind in kinds):
            return sets.compare(infer, op, x, y)
        if kinds == (Kind.LIST, Kind.LIST):
            held_kinds = infer.assumptions.cells.join(lists.kinds(infer, x), lists.kinds(infer, y))
            if numpy_numbers.have_numbers(infer, held_kinds):  # what is the result of the items' comparison is no bool
                raise infer.unsupported(f"'{op}' of lists of the run that hold numbers of NumPy's", "a loop")
            if cells.has_order(held_kinds) or not held_kinds:
                return _ORDER[op](infer, look(infer, "order", int(Kind.LIST), x.atom, int(Kind.LIST), y.atom))
            raise infer.unsupported(
                "comparing lists of the run with items that may have no order", "a loop that compares what has an order"
            )
    raise refusal(infer, f"'{op}'", numbers.COMPARE[op], x, y)


def _equal(infer: Infer, x: Value, y: Value) -> Value:
    if is_text(x) and is_text(y):
        return flag(infer, look(infer, "equal_texts", text(infer, x), text(infer, y)))
    families = [_family(v) for v in (x, y)]
    if families[0] is not families[1] or families[0] is None:
        return Static(False)
    held = kinds_of(infer, x)
    require_comparable(infer, held, kinds_of(infer, y))
    given = words(infer, x)
    require_no_nan(infer, held, *given)
    return flag(infer, look(infer, "equal", *given, *words(infer, y)))


def _family(value: Value) -> object:
    """What a value can only be equal to."""
    if is_text(value):
        return str
    if isinstance(value, Boxed):
        kind = value.kind.kind
        return set if kind in (Kind.SET, Kind.FROZENSET) else dict if kind in DICTS else kind
    return None


@abstract.binary.model_of(Boxed)
def binary(infer: Infer, op: str, x: Value, y: Value) -> Value:
    """`x op y`."""
    if isinstance(x, Union) or isinstance(y, Union):
        return abstract.binary.plain(infer, op, x, y)
    if op == "+" and is_text(x) and is_text(y):
        return strings.concatenated(infer, x, y)
    if op == "+" and isinstance(x, Boxed) and isinstance(y, Boxed) and x.kind.kind is y.kind.kind is Kind.LIST:
        return lists.concatenated(infer, x, y)
    if op == "+" and is_box_of(x, Kind.DEQUE) and is_box_of(y, Kind.DEQUE):
        return deques.concatenated(infer, x, y)
    if op == "*":
        value, times = (x, y) if isinstance(x, Boxed) else (y, x)
        assert isinstance(value, Boxed)
        if value.kind.kind in (Kind.STR, Kind.LIST) and numbers.type_of_number(times) is not None:
            if value.kind.kind is Kind.STR:
                return strings.repeated(infer, value, times)
            return lists.repeated(infer, value, times)
    if op == "%" and is_text(x):
        return strings.percent(infer, x, y)
    if isinstance(x, Boxed) and isinstance(y, Boxed):
        both = (x.kind.kind, y.kind.kind)
        if all(kind in (Kind.SET, Kind.FROZENSET) for kind in both) and op in sets.OPERATORS:
            return sets.binary(infer, op, x, y)
        if DICTS.issuperset(both) and (made := dict_classes.binary(infer, op, x, y)) is not None:
            return made
    raise refusal(infer, f"'{op}'", numbers.BINARY[op], x, y)


@boxed.unary.model
def unary(infer: Infer, op: str, value: Boxed) -> Value:
    """`op value`."""
    made = dict_classes.unary(infer, op, value)
    if made is None:
        raise refusal(infer, f"unary '{op}'", numbers.UNARY[op], value)
    return made


@boxed.inplace.model
def inplace(infer: Infer, op: str, target: Boxed, operand: Value) -> Value:
    """`target op= operand`."""
    kind = target.kind.kind
    if kind in (Kind.LIST, Kind.DEQUE) and op == "+":
        extend = lists.extend if kind is Kind.LIST else deques.extend
        extend(infer, target, operand)
        return target
    if kind is Kind.STR and op == "+" and is_text(operand):
        return strings.appended(infer, target, operand)
    if kind in DICTS and (made := dict_classes.inplace(infer, op, target, operand)) is not None:
        return made
    if kind is Kind.SET and op in sets.OPERATORS and isinstance(operand, Boxed):
        sets.inplace(infer, op, target, operand)
        return target
    if kind is Kind.LIST and op == "*":
        other = lists.repeated(infer, target, operand)
        lists.replace_all(infer, target, other)
        return target
    return abstract.binary(infer, op, target, operand)


# --- attributes


@abstract.attribute.model_of(Boxed, String, Char)
def attribute(infer: Infer, value: Value, name: str) -> Value:
    """`value.name`."""
    if not isinstance(value, Boxed):
        if not infer.uses_boxes or not is_text(value):
            return abstract.attribute.plain(infer, value, name)
        value = Boxed(text(infer, value), cells.STR)
    methods = {
        Kind.STR: strings.METHODS, Kind.LIST: lists.METHODS, Kind.DEQUE: deques.METHODS,
        Kind.SET: sets.METHODS, Kind.FROZENSET: sets.METHODS, **dict_classes.METHODS,
    }[value.kind.kind]  # fmt: skip
    cls = boxed.class_of(value)
    method = methods.get(name)
    if name == "maxlen" and value.kind.kind is Kind.DEQUE:
        return deques.maxlen(infer, value)
    if method is None:
        if hasattr(cls, name):
            what = "method" if callable(getattr(cls, name)) else "attribute"
            raise infer.unsupported(f"the {what} '{name}' of a {cls.__name__} of the run", "a loop, or another method")
        raise PythonError(AttributeError(f"'{cls.__name__}' object has no attribute '{name}'"))
    return Builtin(name, lambda infer, *args, **keywords: method(infer, value, *args, **keywords), value)


def is_box_of(value: Value, *kinds: Kind) -> TypeGuard[Boxed]:
    """Whether a value is a box of one of some kinds."""
    return isinstance(value, Boxed) and isinstance(value.kind, BoxOf) and value.kind.kind in kinds
