"""The entry of a program: from words to the parameters of the main graph, and from its results to words."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import partial
from itertools import starmap
from typing import TYPE_CHECKING

from jitcore.ir.nodes import type_of
from jitcore.kernel.build import ArrayLayout
from jitcore.passes.plan.forms import Give, member_types
from jitcore.passes.plan.transfers import Mirrors, fetched
from jitcore.passes.plan.values import NO_ROOTS, ArrayValue, Holding, Roots, TupleValue, UnionValue, Value
from jitcore.passes.plan.words import Word, from_words, to_words, word_types
from jitcore.program.nodes import HOST, Block, Operand, ReadWord, WriteWord
from jitcore.source import CompileError, Problem
from jitcore.structs import dataclass
from jitcore.types import DType, RefType, TensorType, TupleType, Type, UnionType

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


@dataclass(frozen=True, slots=True)
class ArgLayout:
    """What is known of an entry parameter that is an array: whether its elements lie in order (row-major, without
    gaps), which other parameters, by position, it may share memory with, and whether the caller has given it up, so
    that results may be where it is."""

    contiguous: bool = True
    overlaps: frozenset[int] = frozenset()
    donated: bool = False


def lower_entry(p: Planner, layouts: Sequence[ArgLayout]) -> tuple[Block, int, int]:
    """The body of the entry function, and the lengths of its word arrays."""
    count = 0
    mirrors = Mirrors(p)
    if p.memory != HOST:
        _require_apart(p, layouts)
    words: list[list[DType | None]] = []
    for param in p.graph.params:
        words.append(list(word_types(type_of(param))))
    for k, (param, layout) in enumerate(zip(p.graph.params, layouts, strict=True)):
        type_ = type_of(param)
        roots: Roots = frozenset((param,)) if isinstance(type_, RefType) else NO_ROOTS
        own = partial(_donated, p) if layout.donated else partial(_borrowed, roots)
        receive = own if p.memory == HOST else partial(mirrors.receive, roots)
        value = from_words(p, type_, _reads(p, words[k], count), receive, layout.contiguous)
        count += len(words[k])
        if isinstance(type_, TensorType):
            value = _as_value(p, value, layout)
        p.define(param, value)
    results: list[Operand] = []

    def body() -> None:
        p.lower_body()
        mirrors.write_back()
        for atom in p.graph.results:
            type_ = type_of(atom)
            show = partial(_given, p.giving(atom)) if p.memory == HOST else partial(fetched, p)
            results.extend(to_words(p, type_, _presentable(p, type_, p.value(atom)), show))
        for k, operand in enumerate(results):
            p.code.emit(WriteWord(k, operand))
        p.release_dead(len(p.graph.body))

    mirrors.around(body)
    return p.code.finish(p.code.scope), count, len(results)


def _borrowed(roots: Roots, layout: ArrayLayout, data: Operand, owner: Operand) -> ArrayValue:
    return ArrayValue(layout, data, Holding(owner, None), roots)


def _donated(p: Planner, layout: ArrayLayout, data: Operand, owner: Operand) -> ArrayValue:
    """An argument that dies with its last use, as an array of the program's own; releasing it does nothing."""
    return ArrayValue(layout, data, Holding(owner, p.frame.home, unique=True), NO_ROOTS)


def _given(give: Give, value: ArrayValue) -> ArrayValue:
    give(value.holding)
    return value


def _require_apart(p: Planner, layouts: Sequence[ArgLayout]) -> None:
    """Refuse arguments that share memory, where one is written to: their mirrors would not."""
    for k, layout in enumerate(layouts):
        if isinstance(p.graph.params[k].type, RefType) and any(
            isinstance(p.graph.params[other].type, RefType) for other in layout.overlaps
        ):
            what = f"arrays that share memory, and are written to, with kernels in the memory {p.memory}"
            raise CompileError([Problem(p.graph.span, what, "copies of them")])


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
