"""Dicts of the run."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Final

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.boxed import lists
from jitcore.passes.infer.boxed.lists import raise_if
from jitcore.passes.infer.boxed.numpy_numbers import sought
from jitcore.passes.infer.boxed.values import act, add, distributed, held, kinds_of, look, new_kind, number, words
from jitcore.passes.infer.domain import abstract, cells
from jitcore.passes.infer.domain.cells import KEYS, VALUES, Factory, Kinds
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Boxed,
    Number,
    PythonError,
    Reference,
    Static,
    Tuple,
    Value,
)
from jitcore.passes.infer.domain.values import (
    Sequence as SequenceValue,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.primitives.ops import python_ints
from jitcore.program.boxes import CONTAINERS, DICTS, FACTORIES, Kind

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_MISSING: Final = Static(object())


_CLASSES: Final = {kind: cls for cls, kind in CONTAINERS.items()}


def new(infer: Infer, kind: Kind = Kind.DICT, factory: Factory | None = None, label: str = "") -> Boxed:
    """An empty dict."""
    made = new_kind(infer, kind, _CLASSES[kind], label, factory)
    if kind is Kind.DICT:
        return Boxed(act(infer, "dict_new"), made)
    factory_number = FACTORIES.number(None if factory is None else factory.object)
    if factory_number is None:
        raise infer.unsupported(f"more than {FACTORIES.MOST} default factories", "fewer functions made for them")
    return Boxed(act(infer, "dict_new_as", int(kind), factory_number), made)


def length(infer: Infer, value: Boxed) -> Number:
    """`len(value)`."""
    return number(infer, look(infer, "dict_length", value.atom))


def key_kinds(infer: Infer, value: Boxed) -> Kinds:
    """What keys a dict may have."""
    return infer.assumptions.cells.kinds(value.kind.cell, KEYS)


def value_kinds(infer: Infer, value: Boxed) -> Kinds:
    """What values a dict may hold."""
    return infer.assumptions.cells.kinds(value.kind.cell, VALUES)


def _require_hashable(infer: Infer, key: Value) -> None:
    if isinstance(key, Boxed) and not cells.is_hashable((key.kind,)):
        raise PythonError(TypeError(f"unhashable type: '{type_name(key)}'"))
    for kind in kinds_of(infer, key):
        if not cells.is_hashable((kind,)):
            raise infer.unsupported(
                "a key of a dict of the run with something in it that has no hash", "numbers, strings, tuples"
            )


def key_words(infer: Infer, target: Boxed, key: Value) -> tuple[Atom, Atom]:
    """A key that a dict is to have, as words."""
    _require_hashable(infer, key)
    add(infer, target.kind.cell, kinds_of(infer, key), KEYS)
    return sought(infer, key)


def find(infer: Infer, container: Boxed, key: Value) -> Atom:
    """The number of a key's entry; -1 if there is none."""
    _require_hashable(infer, key)
    return look(infer, "dict_find", container.atom, *sought(infer, key))


def value_at(infer: Infer, container: Boxed, entry: Atom) -> Value:
    """The value of an entry."""
    return held(infer, value_kinds(infer, container), "dict_value", container.atom, entry)


def key_at(infer: Infer, container: Boxed, entry: Atom) -> Value:
    """The key of an entry."""
    return held(infer, key_kinds(infer, container), "dict_key", container.atom, entry)


def item(infer: Infer, container: Boxed, key: Value) -> Value:
    """`container[key]`."""

    def of_one(one: Value) -> Value:
        entry = find(infer, container, one)
        missing = numbers.compare(infer, "<", number(infer, entry), Static(0))
        raise_if(infer, missing, KeyError, one)
        return value_at(infer, container, entry)

    return distributed(infer, key, of_one)


def put(infer: Infer, target: Boxed, key: Value, value: Value) -> None:
    """`target[key] = value`."""
    given = key_words(infer, target, key)
    add(infer, target.kind.cell, kinds_of(infer, value), VALUES)
    act(infer, "dict_set", target.atom, *given, *words(infer, value))


def delete(infer: Infer, target: Boxed, key: Value) -> None:
    """`del target[key]`."""

    def of_one(one: Value) -> Value:
        entry = find(infer, target, one)
        raise_if(infer, numbers.compare(infer, "<", number(infer, entry), Static(0)), KeyError, one)
        act(infer, "dict_delete_entry", target.atom, entry)
        return Static(None)

    distributed(infer, key, of_one)


def update(infer: Infer, target: Boxed, other: Value = _MISSING, **keywords: Value) -> Value:
    """`target.update(other, **keywords)`."""
    if isinstance(other, Reference) and issubclass(other.kind, dict):
        raise infer.unsupported("this dict for one of the run")
    if isinstance(other, Boxed) and other.kind.kind in DICTS:
        for part in (KEYS, VALUES):
            add(infer, target.kind.cell, infer.assumptions.cells.kinds(other.kind.cell, part), part)
        act(infer, "dict_update", target.atom, other.atom)
    elif other is not _MISSING:

        def put_pair(pair: Value) -> None:
            key, value = abstract.unpack(infer, pair, 2, False, 0)
            put(infer, target, key, value)

        lists.for_each(infer, other, put_pair)
    for name, value in keywords.items():
        put(infer, target, Static(name), value)
    return Static(None)


def copied(infer: Infer, value: Boxed, like: Boxed | None = None) -> Boxed:
    """`value.copy()`; of the class of another dict, if that is given."""
    of = (value if like is None else like).kind
    if of.kind is not Kind.DICT:
        made = new(infer, of.kind, of.factory, "copy")
        update(infer, made, value)
        return made
    kind = new_kind(infer, Kind.DICT, dict, "copy")
    for part in (KEYS, VALUES):
        add(infer, kind.cell, infer.assumptions.cells.kinds(value.kind.cell, part), part)
    return Boxed(act(infer, "dict_copy", value.atom), kind)


def sequence(infer: Infer, value: Boxed, what: str) -> SequenceValue:
    """Keys, values or items by position. The dict must not change its size meanwhile."""
    first = act(infer, "dict_make_dense", value.atom)
    size = number(infer, look(infer, "dict_length", value.atom))
    changes = number(infer, look(infer, "dict_changes", value.atom))

    def goes_on(position: Value) -> Value:
        """Whether an OrderedDict has another item: it does not look for changes after the last."""
        more = numbers.compare(infer, "<", position, size)
        for function, known, what in (("dict_changes", changes, "mutated"), ("dict_length", size, "changed size")):
            differs = numbers.compare(infer, "!=", number(infer, look(infer, function, value.atom)), known)
            message = Static(f"OrderedDict {what} during iteration")
            raise_if(infer, numbers.both(infer, more, differs), RuntimeError, message)
        return more

    def reaches(position: Value) -> Value:
        now = number(infer, look(infer, "dict_length", value.atom))
        message = Static("dictionary changed size during iteration")
        raise_if(infer, numbers.compare(infer, "!=", now, size), RuntimeError, message)
        known = number(infer, look(infer, "dict_changes", value.atom))
        message = Static("dictionary keys changed during iteration")
        raise_if(infer, numbers.compare(infer, "!=", known, changes), RuntimeError, message)
        return numbers.compare(infer, "<", position, size)

    def item_at(position: Value) -> Value:
        entry = infer.emit(python_ints.int_add_modular, first, infer.number_atom(position, lists.INT))
        if what == "keys":
            return key_at(infer, value, entry)
        if what == "values":
            return value_at(infer, value, entry)
        return Tuple((key_at(infer, value, entry), value_at(infer, value, entry)))

    return SequenceValue(size, item_at, goes_on if value.kind.kind is Kind.ORDERED else reaches)


# --- methods


def _view(what: str) -> Callable[..., Value]:
    def view(infer: Infer, target: Boxed) -> Value:
        return sequence(infer, target, what)

    return view


def _get(infer: Infer, target: Boxed, key: Value, default: Value = Static(None)) -> Value:
    def of_one(one: Value) -> Value:
        entry = find(infer, target, one)
        if not value_kinds(infer, target):
            return default
        there = infer.truth(numbers.compare(infer, ">=", number(infer, entry), Static(0)))
        assert not isinstance(there, bool)
        return branching.branch(infer, there, lambda: [value_at(infer, target, entry)], lambda: [default])[0]

    return distributed(infer, key, of_one)


def _set_default(infer: Infer, target: Boxed, key: Value, default: Value = Static(None)) -> Value:
    def of_one(one: Value) -> Value:
        add(infer, target.kind.cell, kinds_of(infer, default), VALUES)
        given = key_words(infer, target, one)
        entry = look(infer, "dict_find", target.atom, *given)
        there = infer.truth(numbers.compare(infer, ">=", number(infer, entry), Static(0)))
        assert not isinstance(there, bool)

        def put_default() -> list[Value]:
            act(infer, "dict_set", target.atom, *given, *words(infer, default))
            return []

        branching.branch(infer, there, list, put_default)
        return value_at(infer, target, look(infer, "dict_find", target.atom, *given))

    return distributed(infer, key, of_one)


def _pop(infer: Infer, target: Boxed, key: Value, default: Value = _MISSING) -> Value:
    def of_one(one: Value) -> Value:
        entry = find(infer, target, one)
        there = infer.truth(numbers.compare(infer, ">=", number(infer, entry), Static(0)))
        assert not isinstance(there, bool)

        def taken() -> list[Value]:
            value = value_at(infer, target, entry)
            act(infer, "dict_delete_entry", target.atom, entry)
            return [value]

        if default is _MISSING:
            raise_if(infer, numbers.compare(infer, "<", number(infer, entry), Static(0)), KeyError, one)
            return taken()[0]
        if not value_kinds(infer, target):
            return default
        return branching.branch(infer, there, taken, lambda: [default])[0]

    return distributed(infer, key, of_one)


def _pop_item(infer: Infer, target: Boxed) -> Value:
    size = number(infer, look(infer, "dict_length", target.atom))
    empty = numbers.compare(infer, "==", size, Static(0))
    raise_if(infer, empty, KeyError, Static("popitem(): dictionary is empty"))
    entry = look(infer, "dict_last", target.atom)
    found = Tuple((key_at(infer, target, entry), value_at(infer, target, entry)))
    act(infer, "dict_delete_entry", target.atom, entry)
    return found


def _clear(infer: Infer, target: Boxed) -> Value:
    act(infer, "dict_clear", target.atom)
    return Static(None)


METHODS: Final[Mapping[str, Callable[..., Value]]] = {
    "keys": _view("keys"), "values": _view("values"), "items": _view("items"), "get": _get,
    "setdefault": _set_default, "pop": _pop, "popitem": _pop_item, "clear": _clear, "copy": copied, "update": update,
}  # fmt: skip


def from_keys(infer: Infer, keys: Value, value: Value) -> Boxed:
    """`dict.fromkeys(keys, value)`."""
    made = new(infer)
    lists.for_each(infer, keys, lambda key: put(infer, made, key, value))
    return made


def of_entries(infer: Infer, args: Sequence[Value], keywords: Mapping[str, Value]) -> Boxed:
    """`dict(*args, **keywords)`."""
    made = new(infer)
    update(infer, made, *args, **keywords)
    return made
