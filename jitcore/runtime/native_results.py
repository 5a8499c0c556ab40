"""Native calls: the build operations that make a specialisation's results (`signature.records`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from typing import Any, Final, TypeAlias

from jitcore.passes.infer.domain.signature import (
    Inferred,
    Result,
    ResultAfter,
    ResultAgain,
    ResultArray,
    ResultBoxed,
    ResultChar,
    ResultConstant,
    ResultContainer,
    ResultHandle,
    ResultInput,
    ResultItem,
    ResultList,
    ResultMixed,
    ResultNumber,
    ResultObject,
    ResultPart,
    ResultParts,
    ResultPooled,
    ResultPools,
    ResultRows,
    ResultString,
    ResultText,
    ResultUnion,
)
from jitcore.primitives.core import dialects
from jitcore.program.words import type_words
from jitcore.runtime.results import Tagged, blank, deliver, filled, list_of
from jitcore.signature import records as r
from jitcore.signature.steps import ArrayResult, Build
from jitcore.types import RefType, ScalarType, TensorType, TupleType, Type, UnionType

_Value: TypeAlias = "tuple[Type, int, int, int]"
"""A value that the program leaves: its type, its first word, and the word and value of the union's tag that says
whether it is there (-1: it is; _DEEP: more than one says so)."""

_DEEP: Final = -2

_PUSHES: Mapping[str, int] = {"b": r.PUSH_BOOL, "f": r.PUSH_FLOAT, "c": r.PUSH_COMPLEX}


class NoEntryError(Exception):
    """A specialisation cannot have a native entry."""


class _ByPythonError(Exception):
    """There are no build operations for a result: one call makes everything."""


class ResultPlan:
    """The array results and build operations of a specialisation; `places` are the registers of its inputs' objects.

    Raises NoEntryError if its results cannot be built natively.
    """

    def __init__(self, inferred: Inferred, places: Mapping[int, int]) -> None:
        self.arrays: list[ArrayResult] = []
        self.operations: list[Build] = []
        self._places = places
        self._numbers: dict[int, int] = {}
        """By first word, which of the array results it is."""
        if inferred.notes["attributes_noted"]:
            raise NoEntryError
        values = _laid_out(inferred.module.main.result_types, 0, -1, 0)
        try:
            self._build_natively(inferred, values)
        except _ByPythonError:
            self.arrays, self.operations, self._numbers = [], [], {}
            self._build_by_python(inferred, values)
        for value in values:
            self._declare(value)

    def _build_natively(self, inferred: Inferred, values: Sequence[_Value]) -> None:
        if inferred.container_writes:
            raise _ByPythonError
        self._build(inferred.result, values)
        for obj, name, result in inferred.attribute_writes:
            self._build(result, values)
            self.operations.append(Build(r.SET_ATTRIBUTE, object=obj, other=name))

    def _build_by_python(self, inferred: Inferred, values: Sequence[_Value]) -> None:
        """One call, of all values and then of the objects looked up before."""
        for value in values:
            self._push(value)
        given = [k for k in self._places if k >= len(inferred.inputs) or inferred.inputs[k].category != "list"]
        self.operations += [Build(r.PUSH_REGISTER, self._places[k]) for k in given]
        make = partial(_delivered, inferred, len(values), given)
        self.operations.append(Build(r.CALL, len(values) + len(given), make))

    def _push(self, value: _Value) -> None:
        """A value as `results.Results` has it."""
        type_, word, tag_word, tag = value
        match type_:
            case ScalarType():
                self._build(ResultNumber(0), [value])
            case TensorType() | RefType():
                self._build(ResultArray(0, "ndarray"), [value])
            case TupleType(items):
                for part in _laid_out(items, word, tag_word, tag):
                    self._push(part)
                self.operations.append(Build(r.MAKE_TUPLE, len(items)))
            case UnionType(members):
                self._either(value, [partial(self._push_member, member, k) for k, member in enumerate(members)])
            case _:
                self._build(ResultConstant(None), [])

    def _push_member(self, member: Type, tag: int, parts: Sequence[_Value]) -> None:
        self._build(ResultConstant(tag), [])
        for part in parts:
            self._push(part)
        if isinstance(member, TupleType):
            self.operations.append(Build(r.MAKE_TUPLE, len(parts)))
        self.operations.append(Build(r.CALL, 2, Tagged))

    def _build(self, result: Result, values: Sequence[_Value]) -> None:
        match result:
            case ResultNumber(index):
                type_, word, _, _ = values[index]
                if not isinstance(type_, ScalarType):
                    raise NoEntryError
                self.operations.append(Build(_PUSHES.get(type_.dtype.kind, r.PUSH_INT), word))
            case ResultArray(index, category):
                op = r.PUSH_TENSOR if dialects.is_tensor(category) else r.PUSH_ARRAY
                self.operations.append(Build(op, self._array(values[index], category == "npscalar")))
                if category in dialects.known:
                    self.operations.append(Build(r.SET_CLASS, object=dialects.known[category].cls))
            case ResultConstant():
                self.operations.append(Build(r.PUSH_CONSTANT, object=result.value))
            case ResultInput(index):
                self.operations.append(Build(r.PUSH_REGISTER, self._places[index]))
            case (
                ResultAgain() | ResultParts() | ResultPart() | ResultAfter() | ResultItem() | ResultMixed()
                | ResultPools() | ResultPooled() | ResultRows()
            ):  # fmt: skip
                raise _ByPythonError
            case ResultObject(cls, names, items):
                for item in items:
                    self._build(item, values)
                self.operations.append(Build(r.CALL, len(items), partial(_object, cls, names)))
            case ResultContainer(cls, items, keys):
                for item in items:
                    self._build(item, values)
                self._container(cls, len(items), keys)
            case ResultList(length, columns):
                for k in (length, *columns):
                    part = ResultNumber(k) if k == length else ResultArray(k, "ndarray")
                    self._build(part, values)
                self.operations.append(Build(r.CALL, 1 + len(columns), partial(list_of, result)))
            case ResultChar(index):
                self.operations.append(Build(r.PUSH_CHARACTER, values[index][1]))
            case ResultBoxed(index):
                self.operations.append(Build(r.PUSH_OWNED, values[index][1]))
            case ResultHandle(index):
                self.operations.append(Build(r.PUSH_OBJECT, values[index][1]))
            case ResultString(index, cls):
                self.operations.append(Build(r.PUSH_STRING if cls is str else r.PUSH_BYTES, values[index][1]))
            case ResultText(template, items):
                for item in items:
                    self._build(item, values)
                self.operations.append(Build(r.CALL, len(items), template.format))
            case ResultUnion(index, members):
                self._either(values[index], [partial(self._build, member) for member in members])

    def _container(self, cls: type, count: int, keys: Sequence[Any]) -> None:
        if cls is tuple:
            self.operations.append(Build(r.MAKE_TUPLE, count))
        elif cls is dict:
            names = tuple(keys)
            self.operations.append(Build(r.CALL, count, lambda *items: dict(zip(names, items, strict=True))))
        elif cls in (range, slice) or hasattr(cls, "_fields"):
            self.operations.append(Build(r.CALL, count, cls))
        else:
            self.operations += [Build(r.MAKE_TUPLE, count), Build(r.CALL, 1, cls)]

    def _either(self, value: _Value, builds: Sequence[Callable[[Sequence[_Value]], None]]) -> None:
        """One piece of code a member of a union, each skipped unless the tag is its own; the last needs no test."""
        word = value[1]
        before, pieces = self.operations, list[list[Build]]()
        for build, parts in zip(builds, _members(value), strict=True):
            self.operations = []
            build(parts)
            pieces.append(self.operations)
        self.operations = before
        left = sum(len(piece) + 2 for piece in pieces[:-1]) + len(pieces[-1])
        for tag, piece in enumerate(pieces[:-1]):
            left -= len(piece) + 2
            self.operations += [Build(r.SKIP_UNLESS, word, tag, len(piece) + 1), *piece, Build(r.SKIP, left)]
        self.operations += pieces[-1]

    def _array(self, value: _Value, scalar: bool) -> int:
        """The number of an array result."""
        type_, word, tag_word, tag = value
        if isinstance(type_, RefType):
            type_ = type_.target
        if not isinstance(type_, TensorType) or tag_word == _DEEP:
            raise NoEntryError
        if word not in self._numbers:
            self._numbers[word] = len(self.arrays)
            self.arrays.append(ArrayResult(word, type_.rank, type_.dtype.numpy, scalar, tag_word, tag))
        number = self._numbers[word]
        if self.arrays[number].scalar != scalar:
            raise _ByPythonError
        return number

    def _declare(self, value: _Value) -> None:
        """Have the arrays among the results that nothing is built of, so that their memory is given back."""
        type_, word, tag_word, tag = value
        match type_:
            case TensorType() | RefType():
                if word not in self._numbers:
                    self._array(value, False)
            case UnionType():
                for parts in _members(value):
                    for part in parts:
                        self._declare(part)
            case TupleType(items):
                for part in _laid_out(items, word, tag_word, tag):
                    self._declare(part)
            case _:
                pass


def _delivered(inferred: Inferred, count: int, given: Sequence[int], *objects: Any) -> Any:
    return deliver(inferred, objects[:count], dict(zip(given, objects[count:], strict=True)))


def _object(cls: Any, names: Sequence[str], *values: Any) -> Any:
    return filled(blank(cls), names, values)


def _laid_out(types: Sequence[Type], word: int, tag_word: int, tag: int) -> list[_Value]:
    """Values that lie one behind the other."""
    found: list[_Value] = []
    for type_ in types:
        found.append((type_, word, tag_word, tag))
        word += type_words(type_)
    return found


def _members(value: _Value) -> list[list[_Value]]:
    """The parts of each member of a union."""
    type_, word, tag_word, _ = value
    if not isinstance(type_, UnionType):
        raise NoEntryError
    at = word + 1
    found: list[list[_Value]] = []
    for tag, member in enumerate(type_.members):
        parts = member.items if isinstance(member, TupleType) else (member,)
        found.append(_laid_out(parts, at, word if tag_word == -1 else _DEEP, tag))
        at += type_words(member)
    return found
