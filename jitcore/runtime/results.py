"""What a compiled call returns: Python values built from the words that a program leaves, as inference described
them."""

from __future__ import annotations

import struct
from collections.abc import Iterable, Mapping, Sequence
from itertools import repeat, starmap
from types import MemberDescriptorType
from typing import Any, NamedTuple, cast

import numpy as np
import numpy.typing as npt

from jitcore.backends import lookup
from jitcore.config import settings
from jitcore.lookup import attribute_of
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
    ResultPool,
    ResultPooled,
    ResultPools,
    ResultRows,
    ResultString,
    ResultText,
    ResultUnion,
)
from jitcore.primitives.core.code_points import text_of
from jitcore.primitives.ops.generators import object_at
from jitcore.program.boxes import owned_object
from jitcore.program.words import type_words
from jitcore.runtime.categories import as_category, maker_of
from jitcore.runtime.list_arguments import Rows
from jitcore.runtime.parts import attributes_of
from jitcore.runtime.tensor import Tensor
from jitcore.runtime.tensor_rows import TensorRows
from jitcore.source import InternalError
from jitcore.types import DType, RefType, ScalarType, StackType, TensorType, TupleType, Type, UnionType

_MASK = (1 << 64) - 1
_SHORT = 1 << 12
"""Columns of a pool up to this length become lists at once, also what is in none of the lists that a call returns."""


class Results:
    """The results of one call, by position, as values: numbers, ndarrays, and members of unions."""

    def __init__(self, types: Sequence[Type], words: Sequence[int], owners: Mapping[int, Any]) -> None:
        self._words = words
        self._owners = owners
        self._next = 0
        self.values = [self._read(t) for t in types]

    def _word(self) -> int:
        self._next += 1
        return self._words[self._next - 1]

    def _read(self, type_: Type) -> Any:
        match type_:
            case ScalarType(dtype):
                return self._scalar(dtype)
            case TensorType():
                return self._array(type_)
            case RefType(target):
                return self._array(target)
            case TupleType(items):
                return tuple(self._read(t) for t in items)
            case UnionType(members):
                return self._union(members)
            case StackType():
                return self._word()
            case _:
                if type_words(type_):
                    raise InternalError(f"a value of type {type_!r} cannot be returned")
                return None

    def _union(self, members: Sequence[Type]) -> Tagged:
        """The tag and the held member; the words of the others mean nothing."""
        tag = self._word()
        held: Any = None
        for k, member in enumerate(members):
            if k == tag:
                held = self._read(member)
            else:
                self._next += type_words(member)
        return Tagged(tag, held)

    def _scalar(self, dtype: DType) -> bool | int | float | complex:
        if dtype.kind == "b":
            return self._word() & 1 != 0
        if dtype.is_float:
            return _float(self._word())
        if dtype.kind == "c":
            return complex(_float(self._word()), _float(self._word()))
        return _signed(self._word())

    def _array(self, type_: TensorType) -> Any:
        data, owner = self._word() & _MASK, self._word() & _MASK
        shape = tuple(_signed(self._word()) for _ in range(type_.rank))
        strides = tuple(_signed(self._word()) for _ in range(type_.rank))
        dtype = type_.dtype.numpy
        belongs_to = self._owners.get(owner & ~1) if owner & 1 else None
        read_only = isinstance(belongs_to, np.ndarray) and not belongs_to.flags.writeable
        interface = {"data": (data, read_only), "shape": shape, "strides": strides, "typestr": dtype.str, "version": 3}
        if owner and not owner & 1:
            holder = lookup(settings.device_target).holder(owner, interface)
        else:
            holder = _Borrowed(belongs_to, interface)
        if 0 in shape:  # NumPy looks at the address even of no elements
            return np.empty(shape, dtype)
        array = np.asarray(holder)
        return array.copy() if owner == 0 else array


class Tagged(NamedTuple):
    """A union's value; `held` is a tuple where its member is one."""

    tag: int
    held: Any


class _Borrowed:
    """Memory of an argument, and the object it belongs to."""

    __slots__ = ("__array_interface__", "_object")

    def __init__(self, belongs_to: Any, interface: dict[str, Any]) -> None:
        self._object = belongs_to
        self.__array_interface__ = interface


def deliver(
    inferred: Inferred,
    values: Sequence[Any],
    inputs: Sequence[Any] | Mapping[int, Any],
    arrays: Mapping[int, Any] | None = None,
) -> Any:
    """What a call returns that left these values, when what it changes of the code outside has been changed. `arrays`:
    the objects that some of the values are already, by index, or those that are rows of them."""
    made: dict[Any, Any] = {(ResultArray, k): array for k, array in (arrays or {}).items()}
    value = build(inferred.result, values, inputs, made)
    for obj, name, result in inferred.attribute_writes:
        setattr(obj, name, build(result, values, inputs, made))
    writes = inferred.container_writes
    first = len(inferred.inputs) + len(inferred.returned)
    contents = [build(write.result, values, inputs, made) for write in writes]
    for k, (write, content) in enumerate(zip(writes, contents, strict=True), first):
        _give(inputs[k], content, write.adds)
    return value


def _give(target: Any, made: Any, adds: bool) -> None:
    """Change a list, a dict, or an object's attributes."""
    if isinstance(target, dict):
        target.clear()
        target.update(made)
    elif adds:
        target.extend(made)
    elif isinstance(target, Rows):
        for row, items in zip(target, made, strict=True):
            row[:] = items
    elif isinstance(target, list):
        target[:] = made
    else:
        for name in attributes_of(target).keys() - made.keys():
            object.__delattr__(target, name)
        filled(target, tuple(made), tuple(made.values()))


def build(
    result: Result,
    values: Sequence[Any],
    inputs: Sequence[Any] | Mapping[int, Any],
    made: dict[Any, Any] | None = None,
) -> Any:
    """The Python object that a description makes of values and the inputs of the call; `made` are the lists, dicts and
    sets made so far, by key."""
    made = made if made is not None else {}
    match result:
        case ResultAgain(key):
            return made[key]
        case ResultNumber(index):
            return values[index]
        case ResultArray(index, category):
            known = made.get((ResultArray, index))
            return as_category(category, values[index]) if known is None else known
        case ResultConstant():
            return result.value
        case ResultInput(index):
            return inputs[index]
        case ResultContainer(cls, items, keys):
            container = _container(cls, [build(i, values, inputs, made) for i in items], keys)
            if result.key >= 0:
                made[result.key] = container
            return container
        case ResultObject(cls, names, items, key):
            if key in made:
                return made[key]
            instance = blank(cls)
            if key >= 0:
                made[key] = instance
            return filled(instance, names, [build(i, values, inputs, made) for i in items])
        case ResultItem(described, index):
            return build(described, values, inputs, made)[values[index]]
        case ResultAfter(first, last):
            for one in first:
                build(one, values, inputs, made)
            return build(last, values, inputs, made)
        case ResultList(length, columns):
            parts = [made.get((ResultArray, k), values[k]) for k in columns]
            made[result.key] = _items(result.element, result.numbers, 0, values[length], parts, made)
            return made[result.key]
        case ResultPools(pools, last):
            for pool in pools:
                made.setdefault((ResultPool, pool.pool), _PooledLists(pool, values, inputs, made))
            return build(last, values, inputs, made)
        case ResultPooled(pool, index):
            return made[ResultPool, pool].list(values[index])
        case ResultRows(pool, (given, first)):
            start = values[first]
            return [made[ResultPool, pool].items(k) for k in range(start, start + len(inputs[given]))]
        case ResultChar(index):
            return chr(values[index])
        case ResultHandle(index):
            return object_at(values[index])
        case ResultBoxed(index):
            return owned_object(int(values[index]))
        case ResultString(index, cls):
            return text_of(values[index], cls)
        case ResultParts(wholes, last):
            made.update(((ResultPart, k), text_of(values[index], cls)) for k, (cls, index) in enumerate(wholes))
            return build(last, values, inputs, made)
        case ResultPart(whole, start, length):
            first = build(start, values, inputs, made)
            return made[ResultPart, whole][first : first + build(length, values, inputs, made)]
        case ResultText(template, items):
            return template.format(*(build(i, values, inputs, made) for i in items))
        case ResultMixed(first, kinds):
            part, dtype, category = kinds[values[first]]
            if not part:
                return None
            value = values[first + part]
            return value if dtype is None else maker_of(category)(np.array(value, dtype.numpy))
        case ResultUnion(index, members):
            tag, held = values[index]
            parts = cast("tuple[Any, ...]", held) if type(held) is tuple else (held,)
            one = build(members[tag], cast("Sequence[Any]", parts), inputs, made)
            if result.key >= 0:
                made[result.key] = one
            return one


def blank(cls: Any) -> Any:
    """An object of a user's class without attributes."""
    return cls.__new__(cls)


def filled(instance: Any, names: Sequence[str], values: Sequence[Any]) -> Any:
    """An object of a user's class with attributes, as those that its methods have assigned."""
    own = attribute_of(instance, "__dict__", None)
    for name, value in zip(names, values, strict=True):
        if own is None or isinstance(getattr(type(instance), name, None), MemberDescriptorType):
            object.__setattr__(instance, name, value)
        else:
            own[name] = value
    return instance


def list_of(result: ResultList, length: int, *columns: Any) -> list[Any]:
    """The list whose items have their parts in the rows of arrays."""
    return _items(result.element, result.numbers, 0, length, columns, {})


def _items(
    element: Result, numbers: Sequence[bool], start: int, length: int, columns: Sequence[Any], made: dict[Any, Any]
) -> list[Any]:
    """Items that have their parts in the rows of arrays, from one on."""
    parts = [
        _numbers_of(column, start, length) if is_number else _rows_of(column, start, length)
        for column, is_number in zip(columns, numbers, strict=True)
    ]
    return list(_objects(element, length, parts, made))


def _rows_of(column: npt.NDArray[Any] | TensorRows, start: int, length: int) -> list[Any]:
    """Some of the rows of an array; of what has a history, Tensors that have it, too."""
    if isinstance(column, TensorRows):
        return column.rows(start, length)
    return [column[start + k, ...] for k in range(length)]


def _numbers_of(column: Any, start: int, length: int) -> list[Any]:
    """Some of the numbers of an array, or of the list of what is in it."""
    part = column[start : start + length]
    return part if type(part) is list else part.tolist()


def _objects(result: Result, length: int, parts: Sequence[list[Any]], made: dict[Any, Any]) -> Iterable[Any]:
    """What a description makes of each row of some columns. Most kinds are made by iterators of Python's, since there
    may be many rows."""
    match result:
        case ResultNumber(index):
            return parts[index]
        case ResultConstant():
            return repeat(result.value, length)
        case ResultArray(index, category):
            part = parts[index]
            return part if part and isinstance(part[0], Tensor) else map(maker_of(category), part)
        case ResultChar(index):
            return map(chr, parts[index])
        case ResultHandle(index):
            return map(object_at, parts[index])
        case ResultPooled(pool, index):
            return map(made[ResultPool, pool].list, parts[index])
        case ResultContainer(cls, items, keys, key) if key < 0:
            return _containers(cls, keys, length, [_objects(item, length, parts, made) for item in items])
        case ResultMixed(first, kinds) if not any(dtype for _, dtype, _ in kinds.values()):
            values = {tag: parts[first + part] if part else [None] * length for tag, (part, _, _) in kinds.items()}
            return [values[tag][k] for k, tag in enumerate(parts[first])]
        case _:
            rows = zip(*parts, strict=True) if parts else repeat((), length)
            return [build(result, row, (), made) for row in rows]


def _containers(cls: type, keys: Sequence[Any], length: int, columns: Sequence[Iterable[Any]]) -> Iterable[Any]:
    rows = zip(*columns, strict=True) if columns else repeat((), length)
    if cls is tuple:
        return rows
    if cls is dict:
        return map(dict, map(zip, repeat(keys), rows))
    return starmap(cls, rows) if _takes_items(cls) else map(cls, rows)


class _PooledLists:
    """The lists of a pool, each made once."""

    def __init__(
        self,
        described: ResultPool,
        values: Sequence[Any],
        inputs: Sequence[Any] | Mapping[int, Any],
        made: dict[Any, Any],
    ) -> None:
        self._described = described
        self._starts = values[described.starts].tolist()
        self._lengths = values[described.lengths].tolist()
        self._columns = [
            values[k].tolist() if is_number and len(values[k]) <= _SHORT else values[k]
            for k, is_number in zip(described.columns, described.numbers, strict=True)
        ]
        self._made = made
        self._lists: dict[int, list[Any]] = {
            values[first] + k: row for given, first in described.given for k, row in enumerate(inputs[given])
        }

    def list(self, number: int) -> list[Any]:
        """The list with a number."""
        known = self._lists.get(number)
        if known is None:
            known = self._lists[number] = self.items(number)
        return known

    def items(self, number: int) -> list[Any]:
        """A new list of what the list with a number holds."""
        start, length, element = self._starts[number], self._lengths[number], self._described.element
        if isinstance(element, ResultNumber):
            return _numbers_of(self._columns[element.index], start, length)
        return _items(element, self._described.numbers, start, length, self._columns, self._made)


def _container(cls: type, items: list[Any], keys: Sequence[Any]) -> Any:
    if cls is dict:
        return dict(zip(keys, items, strict=True))
    return cls(*items) if _takes_items(cls) else cls(items)


def _takes_items(cls: type) -> bool:
    """Whether a class is called with items, and not with a list of them."""
    return cls in (range, slice) or hasattr(cls, "_fields")


def arrays_in(inferred: Inferred) -> tuple[dict[int, str], dict[int, str]]:
    """The results that are arrays of their own in what a call returns or assigns, by index, and their categories; and
    those whose rows are arrays in lists."""
    found: dict[int, str] = {}
    by_rows: dict[int, str] = {}
    waiting = [inferred.result, *(write[2] for write in inferred.attribute_writes)]
    waiting += [write.result for write in inferred.container_writes]
    while waiting:
        match waiting.pop():
            case ResultArray(index, category):
                found[index] = category
            case ResultContainer(_, items) | ResultObject(_, _, items):
                waiting += items
            case ResultList(_, columns, _, element):
                by_rows.update((columns[k], category) for k, category in _arrays_within(element))
            case ResultAfter(first, last):
                waiting += (*first, last)
            case _:
                pass
    return found, by_rows


def _arrays_within(element: Result) -> Iterable[tuple[int, str]]:
    """The parts of an item that are arrays of their own, and their categories."""
    match element:
        case ResultArray(index, category):
            yield index, category
        case ResultContainer(_, items, _, key) if key < 0:
            for item in items:
                yield from _arrays_within(item)
        case _:
            pass


def _signed(word: int) -> int:
    word &= _MASK
    return word - (1 << 64) if word >> 63 else word


def _float(word: int) -> float:
    return struct.unpack("<d", struct.pack("<Q", word & _MASK))[0]
