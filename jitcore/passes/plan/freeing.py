"""What a round of a loop makes in boxes is free again at its end.

    while …:                      while …:
        body                  →       mark, lowest, last = round_mark(heap), …
                                      body
                                      carried = is_of_round(heap, mark, next)
                                      round_end(mark, lowest, last, carried)

The library is told what it does not see: words that may be boxes and are put into memory, and handlers, which are come
to from rounds that have no end (`backends.native.boxes.memory`).
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from jitcore.primitives.ops import boxes
from jitcore.program.nodes import (
    Block,
    Call,
    Function,
    If,
    Imm,
    Library,
    Operand,
    Parallel,
    Program,
    Reg,
    Scalar,
    StackPush,
    Statement,
    StoreElement,
    Try,
    While,
)
from jitcore.program.walk import statements
from jitcore.source import NOWHERE
from jitcore.types import i64


def free_rounds(program: Program) -> Program:
    """The program with the ends of rounds told to the library of boxes."""
    made = _making(program.functions)
    if not made or program.suspends:
        return program
    writer = _Freeing(made)
    functions = {name: replace(f, body=writer.block(f.body)) for name, f in program.functions.items()}
    return replace(program, functions=functions)


def _making(functions: Mapping[str, Function]) -> set[str] | None:
    """The functions of a program that make boxes; None if it has none at all."""
    every = {name: list(statements(f.body)) for name, f in functions.items()}
    if not any(isinstance(s, Library) for body in every.values() for s in body):
        return None
    found = {name for name, body in every.items() if any(map(_makes, body))}
    while True:
        more = {name for name, body in every.items() if any(isinstance(s, Call) and s.function in found for s in body)}
        if more <= found:
            return found
        found |= more


def _makes(statement: Statement) -> bool:
    return isinstance(statement, Library) and (
        statement.function in boxes.MAKING or statement.function in boxes.PURE - boxes.LOOKING
    )


class _Freeing:
    """The blocks of a program being written."""

    def __init__(self, making: set[str]) -> None:
        self.making = making

    def block(self, block: Block) -> Block:
        """A block with what is in it."""
        made: list[Statement] = []
        spans = list(block.spans) if block.spans else []
        kept = []
        for k, statement in enumerate(block.statements):
            written = self.statement(statement)
            made += written
            if spans:
                kept += [spans[k]] * len(written)
        return replace(block, statements=tuple(made), spans=tuple(kept))

    def statement(self, s: Statement) -> list[Statement]:
        match s:
            case If():
                return [replace(s, then=self.block(s.then), orelse=self.block(s.orelse))]
            case While():
                return self.loop(s)
            case Parallel():
                return [replace(s, body=self.block(s.body))]
            case Try():
                handlers = tuple(_begun(self.block(h), _library("keep_all")) for h in s.handlers)
                return [replace(s, body=self.block(s.body), handlers=handlers)]
            case StoreElement():
                return [*_kept(s.value), s]
            case StackPush():
                return [*(kept for value in s.values for kept in _kept(value)), s]
            case _:
                return [s]

    def loop(self, s: While) -> list[Statement]:
        test, body = self.block(s.test), self.block(s.body)
        heap = _library("heap_of")
        makes = [self.may_make(block) for block in (test, body)]
        if makes[0]:
            test = _round(test, heap.out, ())
        if makes[1]:
            body = _round(body, heap.out, _carried(body))
        loop = replace(s, test=test, body=body)
        return [heap, loop] if any(makes) else [loop]

    def may_make(self, block: Block) -> bool:
        return any(_makes(s) or (isinstance(s, Call) and s.function in self.making) for s in statements(block))


def _library(function: str, *args: Operand) -> Library:
    return Library(Reg(function, i64), function, args)


def _kept(value: Operand) -> list[Statement]:
    is_word = isinstance(value, Reg) and value.type is i64
    return [_library("keep_word", value)] if is_word else []


def _begun(block: Block, first: Statement) -> Block:
    spans = (NOWHERE, *block.spans) if block.spans else ()
    return replace(block, statements=(first, *block.statements), spans=spans)


def _carried(body: Block) -> tuple[Operand, ...]:
    """What a body leaves that may be a box."""
    numbers = {s.out for s in body.statements if isinstance(s, Scalar) and not s.op.startswith("select")}
    words = [r for r in body.results if isinstance(r, Reg) and r.type is i64 and r not in numbers]
    return tuple(dict.fromkeys(words))


def _round(block: Block, heap: Reg, words: tuple[Operand, ...]) -> Block:
    mark, lowest, last = (_library(name, heap) for name in ("round_mark", "round_lowest", "round_last"))
    ends: list[Statement] = []
    carried: Operand = Imm(0, i64)
    for word in words:
        found = _library("is_of_round", heap, mark.out, word)
        ends.append(found)
        if isinstance(carried, Reg):
            found = _library("either", carried, found.out)
            ends.append(found)
        carried = found.out
    ends.append(_library("round_end", mark.out, lowest.out, last.out, carried))
    spans = (*[NOWHERE] * 3, *block.spans, *[NOWHERE] * len(ends)) if block.spans else ()
    return replace(block, statements=(mark, lowest, last, *block.statements, *ends), spans=spans)
