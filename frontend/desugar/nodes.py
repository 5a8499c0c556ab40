"""Makes tree nodes that stand where another node stands."""

from __future__ import annotations

from typing import Any

import gast


def located(node: Any, place: Any) -> Any:
    """`node`, given the place of another."""
    node.lineno, node.col_offset = place.lineno, place.col_offset
    node.end_lineno, node.end_col_offset = place.end_lineno, place.end_col_offset
    return node


def load(name: str, place: Any) -> Any:
    """`name`, read."""
    return located(gast.Name(name, gast.Load(), None, None), place)


def store(name: str, place: Any) -> Any:
    """`name`, as a target."""
    return located(gast.Name(name, gast.Store(), None, None), place)


def builtin(name: str, place: Any) -> Any:
    """A builtin, whatever the program has bound its name to."""
    node = load(name, place)
    node.is_builtin = True
    return node


def constant(value: object, place: Any) -> Any:
    """A constant."""
    return located(gast.Constant(value, None), place)


def negated(operand: Any, place: Any) -> Any:
    """`not operand`."""
    return located(gast.UnaryOp(gast.Not(), operand), place)


def assign(name: str, value: Any, place: Any) -> Any:
    """`name = value`."""
    return located(gast.Assign([store(name, place)], value, None), place)


def if_(test: Any, body: list[Any], orelse: list[Any], place: Any) -> Any:
    """`if test: body else: orelse`."""
    return located(gast.If(test, body or [located(gast.Pass(), place)], orelse), place)


def is_true(node: Any) -> bool:
    """Whether a test always holds: `while True`, `while 1`."""
    return type(node) is gast.Constant and bool(node.value)
