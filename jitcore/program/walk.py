"""Walks over programs, however deeply nested."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import fields
from typing import cast

from jitcore.program.nodes import (
    Alloc,
    Block,
    Fetch,
    If,
    Mirror,
    Move,
    Parallel,
    Reg,
    Statement,
    Try,
    While,
)


def blocks_of(statement: Statement) -> tuple[Block, ...]:
    """The blocks nested in a statement, in the order they stand."""
    if isinstance(statement, If):
        return statement.then, statement.orelse
    if isinstance(statement, While):
        return statement.test, statement.body
    if isinstance(statement, Parallel):
        return (statement.body,)
    if isinstance(statement, Try):
        return statement.body, *statement.handlers
    return ()


def statements(block: Block) -> Iterator[Statement]:
    """All statements of a block and of the blocks nested in it, in the order they stand."""
    pending: list[Iterator[Statement]] = [iter(block.statements)]
    while pending:
        statement = next(pending[-1], None)
        if statement is None:
            pending.pop()
            continue
        yield statement
        pending.extend(iter(b.statements) for b in reversed(blocks_of(statement)))


def set_by(statement: Statement) -> tuple[Reg, ...]:
    """The registers that a statement sets, those of its own that its blocks see included."""
    match statement:
        case Alloc() | Move() | Mirror():
            return (statement.owner,)
        case Fetch():
            return (statement.found, statement.held)
        case While():
            return (*statement.carries, *statement.outs)
        case Parallel():
            return (statement.index,)
        case _:
            out = getattr(statement, "out", None)
            return (out,) if isinstance(out, Reg) else getattr(statement, "outs", ())


def outer_registers(given: Iterable[Statement]) -> tuple[Reg, ...]:
    """The registers set before some statements that these use, in the order of their first use."""
    found: dict[object, None] = {}
    inside: set[Reg] = set()
    for statement in statements(Block(tuple(given))):
        inside.update(set_by(statement))
        for field in fields(statement):
            value: object = getattr(statement, field.name)
            for part in cast("tuple[object, ...]", value) if isinstance(value, tuple) else (value,):
                found.update(dict.fromkeys(part.results if isinstance(part, Block) else (part,)))
    return tuple(register for register in found if isinstance(register, Reg) and register not in inside)
