"""The entry of a program: from words to the parameters of the main graph, and from its results to words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING

from jitcore.ir.nodes import type_of
from jitcore.passes.plan.forms import member_types
from jitcore.passes.plan.values import NO_ROOTS, ArrayValue, Holding, Roots, TupleValue, UnionValue, Value
from jitcore.passes.plan.words import Word, from_words, to_words, word_types
from jitcore.program.nodes import Block, Operand, ReadWord, WriteWord
from jitcore.structs import dataclass
from jitcore.types import DType, RefType, TensorType, TupleType, Type, UnionType

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


@dataclass(frozen=True, slots=True)
class ArgLayout:
    """What is known of an entry parameter that is an array: whether its elements lie in order (row-major, without
    gaps), and which other parameters, by position, it may share memory with."""

    contiguous: bool = True
    overlaps: frozenset[int] = frozenset()


def lower_entry(p: Planner, layouts: Sequence[ArgLayout]) -> tuple[Block, int, int]:
    """The body of the entry function, and the lengths of its word arrays."""
    count = 0
    words: list[list[DType | None]] = []
    for param in p.graph.params:
        words.append(list(word_types(type_of(param))))
    for k, (param, layout) in enumerate(zip(p.graph.params, layouts, strict=True)):
        type_ = type_of(param)
        roots: Roots = frozenset((param,)) if isinstance(type_, RefType) else NO_ROOTS
        value = from_words(p, type_, _reads(p, words[k], count), _borrowed, roots, layout.contiguous)
        count += len(words[k])
        if isinstance(type_, TensorType):
            value = _as_value(p, value, layout)
        p.define(param, value)
    p.lower_body()
    results: list[Operand] = []
    for atom in p.graph.results:
        type_ = type_of(atom)
        results += to_words(p, type_, _presentable(p, type_, p.value(atom)), p.giving(atom))
    for k, operand in enumerate(results):
        p.code.emit(WriteWord(k, operand))
    p.bury(len(p.graph.body))
    return p.code.finish(p.code.scope), count, len(results)


def _borrowed(owner: Operand) -> Holding:
    return Holding(owner, None)


def _reads(p: Planner, types: Sequence[DType | None], start: int) -> Iterator[Word]:
    for k, type_ in enumerate(types):

        def read(index: int = start + k, type_: DType | None = type_) -> Operand:
            out = p.code.register("word", type_)
            p.code.emit(ReadWord(out, index))
            return out

        yield read


def _as_value(p: Planner, value: Value, layout: ArgLayout) -> ArrayValue:
    """An argument that is a value: copied if the program writes to another argument that it may overlap."""
    assert isinstance(value, ArrayValue)
    if not value.layout.shape:
        return p.element_value(value.dtype, p.element(value))
    if any(isinstance(p.graph.params[k].type, RefType) for k in layout.overlaps):
        return p.copied(value)
    return value


def _presentable(p: Planner, type_: Type, value: Value) -> Value:
    """A result as the caller may have it: no snapshot of a place that will go on changing, no element standing for
    many."""
    match value:
        case ArrayValue() if not isinstance(type_, RefType):
            layout = value.layout
            repeats = any(s == 0 and d != 1 for s, d in zip(layout.strides, layout.shape, strict=True))
            return p.copied(value) if value.roots != NO_ROOTS or repeats else value
        case TupleValue(items):
            assert isinstance(type_, TupleType)
            return TupleValue(_all_presentable(p, type_.items, items))
        case UnionValue(tag, members):
            assert isinstance(type_, UnionType)
            types = map(member_types, type_.members)
            return UnionValue(tag, tuple(starmap(partial(_all_presentable, p), zip(types, members, strict=True))))
        case _:
            return value


def _all_presentable(p: Planner, types: Sequence[Type], values: Sequence[Value]) -> tuple[Value, ...]:
    """The parts of a result; none where they are known to be absent."""
    return tuple(_presentable(p, t, v) for t, v in zip(types, values, strict=True)) if values else ()
