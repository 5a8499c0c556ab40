"""Sets and frozensets of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

import numpy as np

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.infer.boxed import lists
from jitcore.passes.infer.boxed.lists import raise_if
from jitcore.passes.infer.boxed.numpy_numbers import sought
from jitcore.passes.infer.boxed.values import (
    act,
    add,
    distributed,
    flag,
    held,
    kinds_of,
    look,
    new_kind,
    number,
)
from jitcore.passes.infer.domain import abstract, cells
from jitcore.passes.infer.domain.cells import KEYS, BoxOf, Kinds
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Boxed,
    PythonError,
    Static,
    Value,
)
from jitcore.passes.infer.domain.values import (
    Sequence as SequenceValue,
)
from jitcore.passes.infer.engine import numbers
from jitcore.primitives.ops import boxes
from jitcore.program.boxes import DICTS, Kind
from jitcore.types import INT, TensorType, i64

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_KINDS: Final = {set: Kind.SET, frozenset: Kind.FROZENSET}
OPERATORS: Final = {
    "|": "set_union", "&": "set_intersection", "-": "set_difference", "^": "set_symmetric_difference",
}  # fmt: skip
_UPDATES: Final = {"|": "set_update", "-": "set_difference_update", "^": "set_symmetric_update"}


def new(infer: Infer, cls: type = set, label: str = "") -> Boxed:
    """`set()` or `frozenset()`."""
    return Boxed(act(infer, "set_new", int(_KINDS[cls])), new_kind(infer, _KINDS[cls], cls, label))


def _kinds(infer: Infer, value: Boxed) -> Kinds:
    return infer.assumptions.cells.kinds(value.kind.cell)


def require_hashable(infer: Infer, item: Value) -> None:
    """Raise the TypeError for what has no hash."""
    if isinstance(item, Boxed) and not cells.is_hashable((item.kind,)):
        raise PythonError(TypeError(f"unhashable type: '{type_name(item)}'"))
    for kind in kinds_of(infer, item):
        if not cells.is_hashable((kind,)):
            raise infer.unsupported(
                "an item of a set of the run with something in it that has no hash", "numbers, strings, tuples"
            )


def put(infer: Infer, target: Boxed, item: Value) -> Value:
    """`target.add(item)`."""
    require_hashable(infer, item)
    add(infer, target.kind.cell, kinds_of(infer, item))
    act(infer, "set_add", target.atom, *sought(infer, item))
    return Static(None)


def update(infer: Infer, target: Boxed, *others: Value) -> Value:
    """`target.update(*others)`."""
    for other in others:
        if _is_set(other) or (isinstance(other, Boxed) and other.kind.kind in DICTS):
            assert isinstance(other, Boxed)
            add(infer, target.kind.cell, infer.assumptions.cells.kinds(other.kind.cell, KEYS))
            function = "set_update" if _is_set(other) else "set_update_by_keys"
            act(infer, function, target.atom, other.atom)
        else:
            lists.for_each(infer, other, lambda item: put(infer, target, item))
    return Static(None)


def _is_set(value: Value) -> bool:
    return isinstance(value, Boxed) and value.kind.kind in (Kind.SET, Kind.FROZENSET)


def constant(infer: Infer, items: Sequence[Value]) -> Boxed:
    """A frozenset of constants: one that is made once in a call, where they are numbers, strings and None."""
    described = [_described(item) for item in items]
    if any(one is None for one in described):
        made = new(infer, frozenset)
        for item in items:
            put(infer, made, item)
        return made
    kind = new_kind(infer, Kind.FROZENSET, frozenset)
    for item in items:
        add(infer, kind.cell, kinds_of(infer, item))
    image = boxes.constant_set([one for one in described if one is not None])
    address = infer.emit(boxes.box_constant, Literal(image, TensorType(i64, image.shape)))
    return Boxed(act(infer, "set_constant", address), kind)


def _described(value: Value) -> tuple[int, int | str] | None:
    """A constant's kind and payload as `boxes.constant_set` takes them."""
    match value:
        case Static(None):
            return Kind.NONE, 0
        case Static(bool() as held):
            return Kind.BOOL, int(held)
        case Static(int() as held) if type(held) is int and -(2**63) <= held < 2**63:
            return Kind.INT, held
        case Static(float() as held) if type(held) is float and held == held:
            return Kind.FLOAT, np.float64(held).view(np.int64).item()
        case Static(str() as held) if type(held) is str:
            return Kind.STR, held
        case _:
            return None


def copied(infer: Infer, value: Boxed, cls: type, label: str = "copy") -> Boxed:
    """A set of the same items."""
    kind = new_kind(infer, _KINDS[cls], cls, label)
    add(infer, kind.cell, _kinds(infer, value))
    return Boxed(act(infer, "set_copy", value.atom, int(_KINDS[cls])), kind)


def of_iterable(infer: Infer, source: Value, cls: type, label: str = "") -> Boxed:
    """`set(source)` or `frozenset(source)`."""
    made = new(infer, cls, label)
    update(infer, made, source)
    return made


def _as_set(infer: Infer, value: Value, label: str) -> Boxed:
    if _is_set(value):
        assert isinstance(value, Boxed)
        return value
    return of_iterable(infer, value, set, label)


def binary(infer: Infer, op: str, x: Boxed, y: Boxed) -> Boxed:
    """`x op y` of two sets."""
    assert isinstance(x.kind, BoxOf)
    kind = new_kind(infer, x.kind.kind, x.kind.cls, op)
    add(infer, kind.cell, _kinds(infer, x))
    if op in "|^":
        add(infer, kind.cell, _kinds(infer, y))
    elif op == "&":
        add(infer, kind.cell, _kinds(infer, y))  # the items are those of the one or the other
    return Boxed(act(infer, OPERATORS[op], x.atom, y.atom), kind)


def inplace(infer: Infer, op: str, target: Boxed, other: Boxed) -> None:
    """`target op= other` of two sets."""
    if not _is_set(other):
        raise PythonError(
            TypeError(f"unsupported operand type(s) for {op}=: '{type_name(target)}' and '{type_name(other)}'")
        )
    add(infer, target.kind.cell, _kinds(infer, other))
    if op == "&":
        act(infer, "set_take", target.atom, act(infer, "set_intersection", target.atom, other.atom))
    else:
        act(infer, _UPDATES[op], target.atom, other.atom)


def compare(infer: Infer, op: str, x: Boxed, y: Boxed) -> Value:
    """`x op y`: whether one is a part of the other."""
    if op in (">", ">="):
        x, y, op = y, x, "<" if op == ">" else "<="
    inside = flag(infer, look(infer, "is_subset", x.atom, y.atom))
    if op == "<=":
        return inside
    sizes = (number(infer, look(infer, "set_length", v.atom)) for v in (x, y))
    return numbers.both(infer, inside, numbers.compare(infer, "<", *sizes))


def sequence(infer: Infer, value: Boxed) -> SequenceValue:
    """The items in the order of the table. The set must not change its size meanwhile."""
    size = number(infer, look(infer, "set_length", value.atom))
    slots = act(infer, "set_slots", value.atom)
    kinds = _kinds(infer, value)

    def reaches(position: Value) -> Value:
        now = number(infer, look(infer, "set_length", value.atom))
        message = Static("Set changed size during iteration")
        raise_if(infer, numbers.compare(infer, "!=", now, size), RuntimeError, message)
        return numbers.compare(infer, "<", position, size)

    def item_at(position: Value) -> Value:
        return held(infer, kinds, "list_item", slots, infer.number_atom(position, INT))

    return SequenceValue(size, item_at, reaches)


# --- methods


def _removed(infer: Infer, target: Boxed, item: Value) -> Atom:
    require_hashable(infer, item)
    return act(infer, "set_discard", target.atom, *sought(infer, item))


def _discard(infer: Infer, target: Boxed, item: Value) -> Value:
    _removed(infer, target, item)
    return Static(None)


def _remove(infer: Infer, target: Boxed, item: Value) -> Value:
    def of_one(one: Value) -> Value:
        there = flag(infer, _removed(infer, target, one))
        raise_if(infer, abstract.not_(infer, there), KeyError, one)
        return Static(None)

    return distributed(infer, item, of_one)


def _pop(infer: Infer, target: Boxed) -> Value:
    size = number(infer, look(infer, "set_length", target.atom))
    raise_if(infer, numbers.compare(infer, "==", size, Static(0)), KeyError, Static("pop from an empty set"))
    slot = look(infer, "set_popped", target.atom)
    found = held(infer, _kinds(infer, target), "set_item", target.atom, slot)
    act(infer, "set_remove_at", target.atom, slot)
    return found


def _clear(infer: Infer, target: Boxed) -> Value:
    act(infer, "set_clear", target.atom)
    return Static(None)


def _combined(op: str) -> Callable[..., Value]:
    def combined(infer: Infer, target: Boxed, *others: Value) -> Value:
        made = copied(infer, target, target.kind.cls) if not others or op == "|" else target
        for k, other in enumerate(others):
            if op == "|":
                update(infer, made, other)
            else:
                made = binary(infer, op, made, _as_set(infer, other, f"{op}{k}"))
        return made

    return combined


def _updated(op: str) -> Callable[..., Value]:
    def updated(infer: Infer, target: Boxed, *others: Value) -> Value:
        for k, other in enumerate(others):
            inplace(infer, op, target, _as_set(infer, other, f"{op}{k}"))
        return Static(None)

    return updated


def _symmetric_difference(infer: Infer, target: Boxed, other: Value) -> Value:
    return _combined("^")(infer, target, other)


def _symmetric_difference_update(infer: Infer, target: Boxed, other: Value) -> Value:
    return _updated("^")(infer, target, other)


def _is_part(op: str) -> Callable[..., Value]:
    def is_part(infer: Infer, target: Boxed, other: Value) -> Value:
        return compare(infer, op, target, _as_set(infer, other, op))

    return is_part


def _is_disjoint(infer: Infer, target: Boxed, other: Value) -> Value:
    return flag(infer, look(infer, "set_is_disjoint", target.atom, _as_set(infer, other, "other").atom))


def _copy(infer: Infer, target: Boxed) -> Value:
    return copied(infer, target, target.kind.cls)


METHODS: Final[Mapping[str, Callable[..., Value]]] = {
    "add": put, "update": update, "discard": _discard, "remove": _remove, "pop": _pop, "clear": _clear, "copy": _copy,
    "union": _combined("|"), "intersection": _combined("&"), "difference": _combined("-"),
    "symmetric_difference": _symmetric_difference, "intersection_update": _updated("&"),
    "difference_update": _updated("-"), "symmetric_difference_update": _symmetric_difference_update,
    "issubset": _is_part("<="),
    "issuperset": _is_part(">="), "isdisjoint": _is_disjoint,
}  # fmt: skip
