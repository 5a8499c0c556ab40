"""Walks over programs, however deeply nested."""

from __future__ import annotations

from collections.abc import Iterator

from jitcore.program.nodes import Block, If, Statement, Try, While


def blocks_of(statement: Statement) -> tuple[Block, ...]:
    """The blocks nested in a statement, in the order they stand."""
    if isinstance(statement, If):
        return statement.then, statement.orelse
    if isinstance(statement, While):
        return statement.test, statement.body
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
