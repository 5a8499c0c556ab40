"""Counters, defaultdicts and OrderedDicts of the run: what they do that dicts do not."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from types import CodeType, FunctionType
from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.nodes import Atom
from jitcore.ir.python import FunctionSource
from jitcore.passes.infer.boxed import counter_programs, dicts, lists
from jitcore.passes.infer.boxed.lists import raise_if
from jitcore.passes.infer.boxed.values import act, add, distributed, kinds_of, look, number, words
from jitcore.passes.infer.domain import abstract
from jitcore.passes.infer.domain.cells import VALUES, BoxOf, Factory
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    FUNCTION_KEY,
    Boxed,
    Function,
    PythonError,
    Reference,
    Static,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import branching, numbers
from jitcore.program.boxes import DICTS, Kind
from jitcore.types import INT

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_NONE: Final = Static(None)


def is_dict(value: Value, kind: Kind | None = None) -> bool:
    """Whether a value is a dict in a box, of one kind or any."""
    return (
        isinstance(value, Boxed)
        and isinstance(value.kind, BoxOf)
        and value.kind.kind in (DICTS if kind is None else (kind,))
    )


def _run(infer: Infer, program: Callable[..., Any], *values: Value) -> Value:
    return abstract.call(infer, Static(program), values, {})


# --- items


def item(infer: Infer, container: Boxed, key: Value) -> Value:
    """`container[key]`."""
    kind = container.kind
    assert isinstance(kind, BoxOf)
    if kind.kind is Kind.COUNTER:
        return _count_of(infer, container, key)
    if kind.kind is not Kind.DEFAULTDICT or kind.factory is None:
        return dicts.item(infer, container, key)
    factory = kind.factory.value

    def of_one(one: Value) -> Value:
        entry = dicts.find(infer, container, one)

        def made() -> list[Value]:
            value = abstract.call(infer, factory, [], {})
            add(infer, kind.cell, kinds_of(infer, value), VALUES)
            given = dicts.key_words(infer, container, one)
            return [number(infer, act(infer, "dict_set", container.atom, *given, *words(infer, value)))]

        found = branching.branch(infer, _is_there(infer, entry), lambda: [number(infer, entry)], made)[0]
        return dicts.value_at(infer, container, infer.number_atom(found, INT))

    return distributed(infer, key, of_one)


def _is_there(infer: Infer, entry: Atom) -> Atom:
    there = infer.truth(numbers.compare(infer, ">=", number(infer, entry), Static(0)))
    assert not isinstance(there, bool)
    return there


def _count_of(infer: Infer, container: Boxed, key: Value) -> Value:
    def of_one(one: Value) -> Value:
        entry = dicts.find(infer, container, one)
        if not dicts.value_kinds(infer, container):
            return Static(0)
        value = lambda: [dicts.value_at(infer, container, entry)]  # noqa: E731
        return branching.branch(infer, _is_there(infer, entry), value, lambda: [Static(0)])[0]

    return distributed(infer, key, of_one)


def delete(infer: Infer, target: Boxed, key: Value) -> None:
    """`del target[key]`."""
    if target.kind.kind is not Kind.COUNTER:
        dicts.delete(infer, target, key)
        return

    def of_one(one: Value) -> Value:
        entry = dicts.find(infer, target, one)

        def deleted() -> list[Value]:
            act(infer, "dict_delete_entry", target.atom, entry)
            return []

        branching.branch(infer, _is_there(infer, entry), deleted, list)
        return _NONE

    distributed(infer, key, of_one)


# --- making them


def counter(infer: Infer, *args: Value, **keywords: Value) -> Value:
    """`Counter(*args, **keywords)`."""
    made = dicts.new(infer, Kind.COUNTER)
    _update(infer, made, *args, **keywords)
    return made


def ordered(infer: Infer, *args: Value, **keywords: Value) -> Value:
    """`OrderedDict(*args, **keywords)`."""
    made = dicts.new(infer, Kind.ORDERED)
    dicts.update(infer, made, *args, **keywords)
    return made


def default_dict(infer: Infer, default: Value = _NONE, *args: Value, **keywords: Value) -> Value:
    """`defaultdict(default, *args, **keywords)`."""
    made = dicts.new(infer, Kind.DEFAULTDICT, _factory(infer, default))
    dicts.update(infer, made, *args, **keywords)
    return made


def ordered_from_keys(infer: Infer, keys: Value, value: Value = _NONE) -> Value:
    """`OrderedDict.fromkeys(keys, value)`."""
    made = dicts.new(infer, Kind.ORDERED)
    lists.for_each(infer, keys, lambda key: dicts.put(infer, made, key, value))
    return made


def _factory(infer: Infer, default: Value) -> Factory | None:
    if isinstance(default, Static) and default.value is None:
        return None
    found: Factory | None = None
    if isinstance(default, Static) and isinstance(default.value, type | FunctionType):
        found = Factory(default.value, default)
    elif isinstance(default, Function):
        found = _made_factory(infer, default)
    elif isinstance(default, Static) and not callable(default.value):
        raise PythonError(TypeError("first argument must be callable or None"))
    if found is None:
        raise infer.unsupported(
            "a defaultdict with such a default factory", "a class, or a function that uses no variables around it"
        )
    return found


_made_functions: Final[dict[tuple[CodeType, int], FunctionType]] = {}


def _made_factory(infer: Infer, made: Function) -> Factory | None:
    """A function that is defined in compiled code and uses no variables around it, as an object."""
    if made.defaults or made.keyword_defaults or made.owner is not None:
        return None
    function: Any = made.source.function  # of a method: the function of it
    around_it: dict[str, Any] = function.__globals__
    codes = [code for code in _codes_in(function.__code__) if _is_of(code, made.source)]
    if len({code.replace(co_linetable=b"", co_qualname="") for code in codes}) != 1 or codes[0].co_freevars:
        return None
    key = codes[0], id(around_it)
    known = _made_functions.get(key)
    if known is None:
        known = _made_functions.setdefault(key, FunctionType(codes[0], around_it))
    infer.heap.next_key += 1
    around = {FUNCTION_KEY: made.environment[FUNCTION_KEY]}
    return Factory(known, Function(made.source, around, (), {}, key=infer.heap.next_key))


def _codes_in(code: CodeType) -> list[CodeType]:
    inner = [const for const in code.co_consts if isinstance(const, CodeType)]
    return [found for one in inner for found in (one, *_codes_in(one))]


def _is_of(code: CodeType, source: FunctionSource) -> bool:
    name = source.qualname.rpartition(".")[2]  # what is before may lack a comprehension that it is in
    return (code.co_name, code.co_firstlineno) == (name, source.span.line)


# --- Counters


def _is_mapping(infer: Infer, value: Value) -> bool:
    if isinstance(value, Reference) and issubclass(value.kind, dict):
        raise infer.unsupported("this dict for a Counter of the run")
    if isinstance(value, Static) and isinstance(value.value, Mapping):
        raise infer.unsupported("a constant mapping for a Counter of the run")
    return is_dict(value)


def _update(infer: Infer, target: Boxed, source: Value = _NONE, **keywords: Value) -> Value:
    def update(source: Value) -> None:
        if not _is_mapping(infer, source):
            _run(infer, counter_programs.count, target, source)
            return
        assert isinstance(source, Boxed)
        empty = infer.truth(numbers.compare(infer, "==", dicts.length(infer, target), Static(0)))
        assert not isinstance(empty, bool)

        def taken() -> list[Value]:
            dicts.update(infer, target, source)
            return []

        def added() -> list[Value]:
            _run(infer, counter_programs.add_counts, target, source)
            return []

        branching.branch(infer, empty, taken, added)

    if not _is_none(source):
        update(source)
    if keywords:
        update(_of_keywords(infer, keywords))
    return _NONE


def _subtract(infer: Infer, target: Boxed, source: Value = _NONE, **keywords: Value) -> Value:
    if not _is_none(source):
        is_mapping = _is_mapping(infer, source)
        program = counter_programs.subtract_counts if is_mapping else counter_programs.uncount
        _run(infer, program, target, source)
    if keywords:
        _run(infer, counter_programs.subtract_counts, target, _of_keywords(infer, keywords))
    return _NONE


def _of_keywords(infer: Infer, keywords: Mapping[str, Value]) -> Boxed:
    made = dicts.new(infer, label="keywords")
    for name, value in keywords.items():
        dicts.put(infer, made, Static(name), value)
    return made


def _is_none(value: Value) -> bool:
    return isinstance(value, Static) and value.value is None


def _most_common(infer: Infer, target: Boxed, n: Value = _NONE) -> Value:
    found = _run(infer, counter_programs.most_common, target)
    if _is_none(n):
        return found
    if not lists.is_index(n):
        raise infer.unsupported("most_common() of what may be no int", "an int")
    assert isinstance(found, Boxed)
    return lists.beginning(infer, found, n)


def _elements(infer: Infer, target: Boxed) -> Value:
    return _run(infer, counter_programs.elements, target)


def _total(infer: Infer, target: Boxed) -> Value:
    return abstract.call(infer, Static(sum), [dicts.sequence(infer, target, "values")], {})


_BINARY: Final = {
    "+": counter_programs.sum_of, "-": counter_programs.difference, "|": counter_programs.union,
    "&": counter_programs.intersection,
}  # fmt: skip
_INPLACE: Final = {
    "+": counter_programs.add_in_place, "-": counter_programs.subtract_in_place, "|": counter_programs.unite_in_place,
    "&": counter_programs.intersect_in_place,
}  # fmt: skip


def compare(infer: Infer, op: str, x: Boxed, y: Boxed) -> Value:
    """`x op y` of two Counters, by what is counted in them."""
    if op in (">", ">="):
        x, y, op = y, x, "<" if op == ">" else "<="
    inside = _run(infer, counter_programs.is_included, x, y)
    return inside if op == "<=" else numbers.both(infer, inside, abstract.compare(infer, "!=", x, y))


def unary(infer: Infer, op: str, value: Boxed) -> Value | None:
    """`op value` of a Counter."""
    programs = {"+": counter_programs.positive, "-": counter_programs.negative}
    return _run(infer, programs[op], value) if is_dict(value, Kind.COUNTER) and op in programs else None


# --- operators


def binary(infer: Infer, op: str, x: Boxed, y: Boxed) -> Value | None:
    """`x op y` of two dicts; None: they have no such operator."""
    kinds = x.kind.kind, y.kind.kind
    if Kind.COUNTER in kinds:
        if kinds[0] is kinds[1]:
            return _run(infer, _BINARY[op], x, y) if op in _BINARY else None
        if op == "|":
            raise infer.unsupported("'|' of a Counter and another dict", "update()")
        return None
    if op != "|":
        return None
    made = dicts.copied(infer, x, y if kinds[0] is Kind.DICT else x)
    dicts.update(infer, made, y)
    return made


def inplace(infer: Infer, op: str, target: Boxed, operand: Value) -> Value | None:
    """`target op= operand` of a dict; None: there is no such operator."""
    if target.kind.kind is Kind.COUNTER and op in _INPLACE:
        if not is_dict(operand):
            raise infer.unsupported(f"'{op}=' of a Counter and a {type_name(operand)}", "a Counter")
        _run(infer, _INPLACE[op], target, operand)
        return target
    if op != "|":
        return None
    dicts.update(infer, target, operand)
    return target


# --- OrderedDicts


def _clear(infer: Infer, target: Boxed) -> Value:
    act(infer, "ordered_clear", target.atom)
    return _NONE


def _move_to_end(infer: Infer, target: Boxed, key: Value, last: Value = Static(True)) -> Value:
    to_end = infer.truth(abstract.truth(infer, last))

    def of_one(one: Value) -> Value:
        entry = dicts.find(infer, target, one)
        raise_if(infer, numbers.compare(infer, "<", number(infer, entry), Static(0)), KeyError, one)

        def moved(function: str) -> list[Value]:
            act(infer, function, target.atom, entry)
            return []

        if isinstance(to_end, bool):
            moved("ordered_move_to_end" if to_end else "ordered_move_to_front")
        else:
            ways = ("ordered_move_to_end", "ordered_move_to_front")
            branching.branch(infer, to_end, lambda: moved(ways[0]), lambda: moved(ways[1]))
        return _NONE

    return distributed(infer, key, of_one)


def _pop_item(infer: Infer, target: Boxed, last: Value = Static(True)) -> Value:
    empty = numbers.compare(infer, "==", dicts.length(infer, target), Static(0))
    raise_if(infer, empty, KeyError, Static("dictionary is empty"))
    at_end = infer.truth(abstract.truth(infer, last))
    if isinstance(at_end, bool):
        entry = _entry_at_end(infer, target, at_end=at_end)
    else:

        def entry_at(at_end: bool) -> list[Value]:
            return [number(infer, _entry_at_end(infer, target, at_end=at_end))]

        found = branching.branch(infer, at_end, lambda: entry_at(True), lambda: entry_at(False))
        entry = infer.number_atom(found[0], INT)
    taken = Tuple((dicts.key_at(infer, target, entry), dicts.value_at(infer, target, entry)))
    act(infer, "dict_delete_entry", target.atom, entry)
    return taken


def _entry_at_end(infer: Infer, target: Boxed, *, at_end: bool) -> Atom:
    return look(infer, "dict_last", target.atom) if at_end else act(infer, "ordered_first", target.atom)


METHODS: Final[Mapping[Kind, Mapping[str, Callable[..., Value]]]] = {
    Kind.DICT: dicts.METHODS,
    Kind.COUNTER: {
        **dicts.METHODS, "update": _update, "subtract": _subtract, "most_common": _most_common,
        "elements": _elements, "total": _total,
    },
    Kind.DEFAULTDICT: dicts.METHODS,
    Kind.ORDERED: {**dicts.METHODS, "clear": _clear, "popitem": _pop_item, "move_to_end": _move_to_end},
}  # fmt: skip
