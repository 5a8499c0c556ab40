"""The 8-byte words in which arguments and results are passed: by the entry, and by calls back into Python."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import TYPE_CHECKING, TypeAlias

from jitcore.kernel.build import ArrayLayout
from jitcore.kernel.scalar import PARTS
from jitcore.passes.plan.code import NULL, bare_symbol
from jitcore.passes.plan.forms import member_types
from jitcore.passes.plan.values import (
    NOTHING,
    ArrayValue,
    Nothing,
    ScalarValue,
    StackValue,
    TupleValue,
    UnionValue,
    Value,
)
from jitcore.program.nodes import Block, If, Imm, Operand, StoreElement
from jitcore.source import InternalError
from jitcore.types import (
    Dim,
    DType,
    NoneType,
    RefType,
    ScalarType,
    StackType,
    TensorType,
    TupleType,
    Type,
    UndefinedType,
    UnionType,
    bool_,
    c128,
    f64,
    i64,
)

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner

Word: TypeAlias = "Callable[[], Operand]"
"""A word that has not been read yet."""
Receive: TypeAlias = "Callable[[ArrayLayout, Operand, Operand], ArrayValue]"
"""Gives the array that words describe, by its layout, data and owner."""
Show: TypeAlias = "Callable[[ArrayValue], ArrayValue]"
"""Gives an array, which is in memory, as who gets its words may have it."""


def word_types(type_: Type) -> Iterator[DType | None]:
    """The types of the words of a value."""
    match type_:
        case ScalarType(dtype):
            yield from (f64, f64) if dtype is c128 else (dtype,)
        case TensorType() | RefType():
            target = type_.target if isinstance(type_, RefType) else type_
            yield None
            yield None
            yield from (i64,) * (2 * target.rank)
        case UnionType(members):
            yield i64
            for member in members:
                yield from word_types(member)
        case TupleType(items):
            for item in items:
                yield from word_types(item)
        case StackType():
            yield None
        case NoneType() | UndefinedType():
            return
        case _:
            raise InternalError(f"values of type {type_!r} have no words")


def from_words(p: Planner, type_: Type, words: Iterator[Word], receive: Receive, contiguous: bool) -> Value:
    """The value whose words these are, reading those it needs. Its bare symbols are introduced.

    `contiguous`: the array is known to be."""
    match type_:
        case ScalarType(dtype) if dtype is c128:
            real, imaginary = next(words)(), next(words)()
            return ScalarValue(p.code.compute("complex", c128, real, imaginary))
        case ScalarType():
            return ScalarValue(next(words)())
        case TensorType() | RefType():
            return _array_from_words(p, type_, words, receive, contiguous)
        case UnionType(members):
            tag = next(words)()
            parts: list[tuple[Value, ...]] = []
            for member in members:
                values = (from_words(p, t, words, receive, contiguous) for t in member_types(member))
                parts.append(
                    tuple(
                        _loaded_if(p, tag, len(parts), t, v) for t, v in zip(member_types(member), values, strict=True)
                    )
                )
            return UnionValue(tag, tuple(parts))
        case StackType():
            return StackValue(next(words)())
        case TupleType(items):
            return TupleValue(tuple(from_words(p, t, words, receive, contiguous) for t in items))
        case _:
            return NOTHING


def _array_from_words(
    p: Planner,
    type_: TensorType | RefType,
    words: Iterator[Word],
    receive: Receive,
    contiguous: bool,
) -> ArrayValue:
    target = type_.target if isinstance(type_, RefType) else type_
    data, owner = next(words)(), next(words)
    shape: list[Dim] = []
    for dim in target.shape:
        extent = next(words)
        name = bare_symbol(dim)
        if name is not None and p.introduces(name):
            p.code.bind(name, p.code.dimension(extent()))
        shape.append(p.code.resolve(dim) if p.code.is_resolvable(dim) else p.code.dimension(extent()))
    layout = ArrayLayout.contiguous(target.dtype, tuple(shape))
    strides = [next(words) for _ in shape]
    if not contiguous:
        layout = ArrayLayout(target.dtype, tuple(shape), tuple(_elements(p, s(), target.dtype) for s in strides))
    return receive(layout, data, owner())


def _elements(p: Planner, stride: Operand, dtype: DType) -> Dim:
    """A stride in bytes (a multiple of the item size) as elements."""
    if dtype.itemsize == 1:
        return p.code.dimension(stride)
    shift = Imm(dtype.itemsize.bit_length() - 1, i64)
    return p.code.dimension(p.code.compute("shr", i64, stride, shift))


def to_words(p: Planner, type_: Type, value: Value, show: Show) -> list[Operand]:
    """The words of a value."""
    match type_, value:
        case ScalarType(dtype), ScalarValue() if dtype is c128:
            return [p.code.compute(part, f64, value.operand) for part in PARTS]
        case ScalarType(), ScalarValue():
            return [value.operand]
        case TensorType() | RefType(), ArrayValue():
            return _array_to_words(p, value, show)
        case UnionType(members), UnionValue():
            words: list[Operand] = [value.tag]
            for k, (member, parts) in enumerate(zip(members, value.members, strict=True)):
                types = member_types(member)
                if parts or not types:
                    stored = (_stored_if(p, value.tag, k, part) for part in parts)
                    words += [w for t, v in zip(types, stored, strict=True) for w in to_words(p, t, v, show)]
                else:
                    words += [_zero(t) for t in word_types(member)]
            return words
        case TupleType(items), TupleValue():
            return [w for t, v in zip(items, value.items, strict=True) for w in to_words(p, t, v, show)]
        case StackType(), StackValue():
            return [value.operand]
        case _, Nothing():
            return []
        case _:
            raise InternalError(f"plan: {value!r} is no {type_!r}")


def _loaded_if(p: Planner, tag: Operand, member: int, type_: Type, value: Value) -> Value:
    """A part of a union's member: the element of a rank-0 array is read, if the union holds that member."""
    if not isinstance(value, ArrayValue) or isinstance(type_, RefType) or value.layout.shape:
        return value
    with p.code.block() as scope:
        element = p.element(value)
        then = p.code.finish(scope, element)
    loaded = p.code.register("element", value.dtype)
    absent = Block((), (Imm(value.dtype.numpy.type(0).item(), value.dtype),))
    p.code.emit(If(_holds(p, tag, member), then, absent, (loaded,)))
    return p.element_value(value.dtype, loaded)


def _stored_if(p: Planner, tag: Operand, member: int, value: Value) -> Value:
    """A part of a union's member with its elements in memory, if the union holds that member."""
    if not isinstance(value, ArrayValue) or value.data is not None or isinstance(tag, Imm):
        return value
    assert value.element is not None
    with p.code.block() as scope:
        owner = p.block("owner", Imm(value.dtype.itemsize, i64))
        p.code.emit(StoreElement(p.data_of(owner), value.element))
        then = p.code.finish(scope, p.data_of(owner), owner)
    data, holder = p.code.register("data", None), p.code.register("owner", None)
    p.code.emit(If(_holds(p, tag, member), then, Block((), (NULL, NULL)), (data, holder)))
    return ArrayValue(value.layout, data, p.hold(holder, unique=True))


def _holds(p: Planner, tag: Operand, member: int) -> Operand:
    return p.code.compute("eq", bool_, tag, Imm(member, i64))


def _array_to_words(p: Planner, value: ArrayValue, show: Show) -> list[Operand]:
    value = show(p.in_memory(value))
    assert value.data is not None
    size = value.dtype.itemsize
    return [
        value.data,
        value.holding.owner,
        *(p.code.number(d) for d in value.layout.shape),
        *(p.code.number(s * size) for s in value.layout.strides),
    ]


def _zero(type_: DType | None) -> Operand:
    return NULL if type_ is None else Imm(type_.numpy.type(0).item(), type_)
