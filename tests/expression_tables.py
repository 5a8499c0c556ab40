"""Tables of expressions: lines of several, parted by bars."""

from __future__ import annotations


def expressions(table: str) -> list[str]:
    """The expressions of a table."""
    return [e.strip() for line in table.strip().splitlines() for e in line.split(" | ")]


def groups(*tables: str, count: int = 8) -> list[tuple[str, ...]]:
    """The expressions of tables, some at a time."""
    return [tuple(found[k : k + count]) for found in map(expressions, tables) for k in range(0, len(found), count)]
