"""Whether a program that comes from a file fits what its manifest says: code is compiled from the program's types, and
calls are let in by the manifest's, so that either alone decides nothing.

Raises ValueError for what does not fit.
"""

from __future__ import annotations

import itertools
import re
import string
from collections.abc import Iterable, Sequence
from types import UnionType as UnionOf
from typing import Any, Final, cast

import numpy as np

from jitcore.exports.arguments import PLAIN, Kind, array_of
from jitcore.exports.descriptions import read
from jitcore.ir.analysis import is_bare
from jitcore.passes.infer.domain import signature
from jitcore.passes.infer.domain.signature import Input
from jitcore.primitives.core import dialects
from jitcore.primitives.ops.unions import member_types
from jitcore.runtime.arguments import Call
from jitcore.runtime.list_arguments import column_dtype
from jitcore.runtime.packing import Unresolved
from jitcore.runtime.specialisation import resolve
from jitcore.runtime.tensor import Tensor, category_of, made_of, wrap
from jitcore.structs import dataclass
from jitcore.types import DTYPES, INT, Dim, RefType, ScalarType, Shape, TensorType, Type, UnionType, dtype_of

_FIRST_EXTENT: Final = 1 << 20
"""The first extents of examples: each is another one, by which an array's place among the shapes of a call is found."""
_FIRST_LENGTH: Final = 1000
_OF_LISTS: Final = {str(dtype): dtype for dtype in DTYPES.values()}
_WIDE: Final = re.compile(r"[{}]|\d{4}")
"""Formats within formats, and those that make more text than anybody writes."""


class Examples:
    """Arguments of the kinds that a manifest says, of which only the types and the extents' places are looked at."""

    def __init__(self, kinds: Sequence[Kind]) -> None:
        self._extents, self._lengths = itertools.count(_FIRST_EXTENT), itertools.count(_FIRST_LENGTH)
        self.values = tuple(map(self._value, kinds))
        self._shapes = tuple(Call.of(self.values, {}).shapes)

    def _value(self, kind: Kind) -> object:
        match kind["is"]:
            case "array":
                return self._array(kind)
            case "numbers":
                return [_OF_LISTS[kind["type"]].numpy.type(0).item()] * next(self._lengths)
            case "tuple":
                return tuple(map(self._value, kind["items"]))
            case "list":
                return list(map(self._value, kind["items"]))
            case "dict":
                return {read(key): self._value(inner) for key, inner in kind["entries"]}
            case "constant":
                return read(kind["value"])
            case name:
                return PLAIN[name]()

    def _array(self, kind: Kind) -> object:
        rank, category = len(kind["shape"]), kind["kind"]
        dtype = np.dtype(kind["dtype"])
        if category == "npscalar":
            return dtype.type()
        shape = (next(self._extents), *(0,) * rank)[:rank]
        array = np.lib.stride_tricks.as_strided(np.zeros((), dtype), shape, (0,) * rank)
        if category == "ndarray":
            return array
        return wrap(array) if category == dialects.OWN else made_of(dialects.known[category].cls, array)

    def require_pattern(self, pattern: Sequence[Shape]) -> None:
        """The shapes that a program is for are those of arguments, and nothing says that two extents are equal."""
        if list(map(len, pattern)) != list(map(len, self._shapes)):
            raise ValueError("a program is for other arrays than the model's arguments have")
        _require_distinct(dim for shape in pattern for dim in shape)

    def require_input(self, spec: Input, pattern: Sequence[Shape]) -> None:
        """An input of a program is one of the arguments, as the manifest says that it is."""
        try:
            value = resolve(spec.path, self.values, {})
            counted = [
                resolve(spec.path[:n], self.values, {}) for n in range(2, len(spec.path)) if _is_negative(spec, n)
            ]
        except Unresolved:
            raise ValueError(f"{spec.path!r} leads to no argument") from None
        if _is_negative(spec, 1) or any(isinstance(held, tuple | list) for held in counted):
            raise ValueError(f"{spec.path!r} counts from the end, which no path does")
        type_ = spec.type.target if isinstance(spec.type, RefType) else spec.type
        if spec.category in ("str", "bytes"):
            fits = type(value).__name__ == spec.category and _is_column(type_)
        elif spec.category == "list":
            fits = type(value) is list and isinstance(type_, TensorType) and type_.rank == 1
            fits = fits and column_dtype(cast("list[Any]", value)) is cast("TensorType", type_).dtype
            fits = fits and self._is_of_shape(
                (len(cast("list[Any]", value)),), cast("TensorType", type_).shape, pattern
            )
        elif isinstance(type_, TensorType):
            fits = _is_array(value, type_, spec.category) and self._is_of_shape(
                array_of(value).shape, type_.shape, pattern
            )
        else:
            fits = isinstance(type_, ScalarType) and type(value) is _class_of(type_)
        if not fits or (isinstance(spec.type, RefType) and not spec.written):
            raise ValueError(f"a program takes {spec.type!r} for an argument that is something else")

    def _is_of_shape(self, extents: tuple[int, ...], shape: Shape, pattern: Sequence[Shape]) -> bool:
        """An array's extents are those that its place among the shapes of a call has."""
        if self._shapes.count(extents) == 1:
            return shape == pattern[self._shapes.index(extents)]
        return all(map(is_bare, shape))


def _is_negative(spec: Input, n: int) -> bool:
    """Whether a step of a path is a number below 0, as keys of dicts may be."""
    key = spec.path[1] if n == 1 else spec.path[n][1]
    return type(key) is int and key < 0


def require_inputs(inputs: Sequence[Input], examples: Examples, pattern: Sequence[Shape]) -> None:
    """The inputs of a program are arguments as the manifest says, or values that the model holds."""
    for spec in inputs:
        if spec.path[0] == "arg":
            examples.require_input(spec, pattern)
        else:
            _require_held(spec)
    types = (spec.type.target if isinstance(spec.type, RefType) else spec.type for spec in inputs)
    _require_distinct(dim for type_ in types if isinstance(type_, TensorType) for dim in type_.shape)


def _require_held(spec: Input) -> None:
    """An input is of the type of the value that the model holds."""
    type_ = spec.type.target if isinstance(spec.type, RefType) else spec.type
    value = spec.source
    if isinstance(type_, TensorType):
        fits = _is_array(value, type_, spec.category) and array_of(value).shape == type_.shape
    else:
        fits = isinstance(type_, ScalarType) and type(value) is _class_of(type_)
    if not fits or (isinstance(spec.type, RefType) and not spec.written):
        raise ValueError(f"a value of another type stands for {spec.type!r}")


def _require_distinct(dims: Iterable[Dim]) -> None:
    """Extents are ints from 0 on, or symbols of which each is there once: a call is not asked whether two are equal."""
    symbols: list[Dim] = []
    for dim in dims:
        if isinstance(dim, int) and dim >= 0:
            continue
        if not is_bare(dim) or dim in symbols:
            raise ValueError(f"an argument's extent is {dim}")
        symbols.append(dim)


def _is_column(type_: Type) -> bool:
    return isinstance(type_, TensorType) and type_.rank == 1 and is_bare(type_.shape[0])


def _is_array(value: object, type_: TensorType, category: str) -> bool:
    if not isinstance(value, Tensor | np.ndarray | np.generic) or category_of(value) != category:
        return False
    array = array_of(value)
    return dtype_of(array.dtype) is type_.dtype and array.ndim == type_.rank


def _class_of(type_: ScalarType) -> type:
    return type(type_.dtype.numpy.type(0).item())


# --- results -----------------------------------------------------------------------------------------


def require_result(result: object, types: Sequence[Type], inputs: int) -> Sequence[Count]:
    """A result is described by what the program gives. The lists in it."""
    counts: list[Count] = []
    _require(result, types, inputs, _Lists(counts, None, 0))
    return counts


@dataclass(frozen=True, slots=True)
class Count:
    """A list of run-time length among what a program gives, or among the parts of the member `tag` of a `union`: the
    part that is its length, and one that is a column and must have so many rows."""

    union: UnionType | None
    tag: int
    length: int
    column: int


@dataclass(frozen=True, slots=True)
class _Lists:
    """Where lists are noted."""

    found: list[Count]
    union: UnionType | None
    tag: int


def _require(result: object, types: Sequence[Type], inputs: int, lists: _Lists | None) -> None:
    if type(getattr(result, "key", -1)) is not int:
        raise ValueError("what is made once, and given again, has a number")
    match result:
        case signature.ResultNumber(index):
            _require_type(types, index, ScalarType)
        case signature.ResultArray(index, category):
            if category not in ("ndarray", "npscalar", dialects.OWN) and category not in dialects.known:
                raise ValueError(f"there are no arrays of {category!r}")
            _require_type(types, index, TensorType | RefType)
        case signature.ResultInput(index):
            if type(index) is not int or not 0 <= index < inputs:
                raise ValueError(f"a result is the input {index}, which there is not")
        case signature.ResultContainer(cls, items, keys):
            if cls not in (tuple, list, dict, set, frozenset, slice, range):
                raise ValueError(f"a result is made by {cls!r}")
            if cls is dict and len(keys) != len(items):
                raise ValueError("a dict has as many keys as values")
            _require_all(items, types, inputs, lists)
        case signature.ResultItem(list=made, index=index):
            _require(made, types, inputs, lists)
            _require_type(types, index, ScalarType)
        case signature.ResultAfter(first, last):
            _require_all((*first, last), types, inputs, lists)
        case signature.ResultList(length, columns, numbers, element):
            if lists is None or len(columns) != len(numbers):
                raise ValueError("a list of lists is described as no list is")
            _require_type(types, length, ScalarType)
            rows = [
                _row_type(_require_type(types, column, TensorType), n)
                for column, n in zip(columns, numbers, strict=True)
            ]
            lists.found.extend(Count(lists.union, lists.tag, length, column) for column in columns)
            if types[length] is not INT:
                raise ValueError("the length of a list is an int")
            _require(element, rows, inputs, None)
        case signature.ResultMixed(first, kinds):
            for position, _, _ in kinds.values():
                _require_type(types, first + position, ScalarType | TensorType)
        case signature.ResultText(template, items):
            require_template(template, len(items))
            _require_all(items, types, inputs, lists)
        case signature.ResultString(index, cls):
            if cls not in (str, bytes):
                raise ValueError(f"a string is no {cls!r}")
            _require_type(types, index, TensorType)
        case signature.ResultChar(index):
            _require_type(types, index, ScalarType | TensorType)
        case signature.ResultParts(wholes, made):
            for _, index in wholes:
                _require_type(types, index, TensorType)
            _require(made, types, inputs, lists)
        case signature.ResultPart(_, start, length):
            _require_all((start, length), types, inputs, lists)
        case signature.ResultUnion(index, members):
            union = cast("UnionType", _require_type(types, index, UnionType))
            for tag, (member, held) in enumerate(zip(members, union.members, strict=True)):
                own = None if lists is None else _Lists(lists.found, union, tag)
                _require(member, member_types(held), inputs, own)
        case signature.ResultConstant() | signature.ResultAgain():
            pass
        case _:
            raise ValueError(f"{type(result).__name__} is no result")


def _require_all(results: Sequence[object], types: Sequence[Type], inputs: int, lists: _Lists | None) -> None:
    for result in results:
        _require(result, types, inputs, lists)


def _require_type(types: Sequence[Type], index: object, wanted: type | UnionOf) -> Type:
    if type(index) is not int or not 0 <= index < len(types) or not isinstance(types[index], wanted):
        raise ValueError(f"the program's result {index!r} is not what is described")
    return types[index]


def _row_type(column: Type, is_number: object) -> Type:
    """The type of an item's part."""
    shape = cast("TensorType", column).shape
    if not shape:
        raise ValueError("a column has rows")
    dtype = cast("TensorType", column).dtype
    return next(t for t in _SCALARS if dtype.kind in t[0])[1] if is_number else TensorType(dtype, shape[1:])


_SCALARS: Final[Sequence[tuple[str, Type]]] = (
    ("b", ScalarType(DTYPES["bool_"])), ("iu", INT), ("f", ScalarType(DTYPES["f64"])), ("c", ScalarType(DTYPES["c128"]))
)  # fmt: skip


def require_template(template: object, values: int) -> None:
    """A text in which `{0}`, `{1:.2f}`, … stand for values, of which there are so many."""
    if not isinstance(template, str):
        raise ValueError(f"{template!r:.80} is no text")
    for _, name, form, _ in string.Formatter().parse(template):
        if name is None:
            continue
        if not (name.isascii() and name.isdigit() and int(name[:9]) < values) or _WIDE.search(form or ""):
            raise ValueError(f"{template!r:.80} has something else in it than {values} values")
