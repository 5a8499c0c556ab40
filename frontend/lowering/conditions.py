"""Conditions: `and`, `or`, `not`, `a if c else b`, and truth as `if` and `while` test it.

Truth is tested once where CPython does, and at the place its traceback shows: that of the statement, or of the last
comparison tested before (compiler_jump_if in Python/compile.c).
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from jitcore.frontend.lowering.function import FunctionBuilder, expression
from jitcore.ir.nodes import Atom, Literal
from jitcore.source import Span

_FALSE, _TRUE = Literal(False, None), Literal(True, None)
_GIVE_BOOL = (gast.Is, gast.IsNot, gast.In, gast.NotIn)


def test(b: FunctionBuilder, node: Any, span: Span) -> Atom:
    """Whether an expression is true, as a bool, tested by a statement or expression at `span`."""
    before, b.test_span = b.test_span, span
    result = _jump(b, node)
    b.test_span = before
    return result


def _jump(b: FunctionBuilder, node: Any) -> Atom:
    kind = type(node)
    if kind is gast.Constant:
        return Literal(bool(node.value), None)
    if kind is gast.UnaryOp and type(node.op) is gast.Not:
        operand = _jump(b, node.operand)
        return _negated(b, operand, b.span(node))
    if kind is gast.BoolOp:
        return _jump_all(b, node.values, type(node.op) is gast.And)
    if kind is gast.IfExp:
        predicate = _jump(b, node.test)
        return b.choose(predicate, b.span(node), lambda: _jump(b, node.body), lambda: _jump(b, node.orelse), "chosen")
    if kind is gast.Compare:
        b.test_span = b.span(node)
        value = b.value(node)
        return value if type(node.ops[0]) in _GIVE_BOOL else truth(b, value, b.test_span)
    return truth(b, b.value(node), b.test_span)


def _negated(b: FunctionBuilder, value: Atom, span: Span) -> Atom:
    if isinstance(value, Literal):
        return Literal(not value.value, None)
    return b.emit("py_not", (value,), span, "not")


def _jump_all(b: FunctionBuilder, nodes: Sequence[Any], is_and: bool) -> Atom:
    """The truth of `nodes[0] and nodes[1] …` or `or`."""
    first = _jump(b, nodes[0])
    if len(nodes) == 1:
        return first

    def rest() -> Atom:
        return _jump_all(b, nodes[1:], is_and)

    span = b.span(nodes[0])
    if is_and:
        return b.choose(first, span, rest, lambda: _FALSE, "both")
    return b.choose(first, span, lambda: _TRUE, rest, "either")


def truth(b: FunctionBuilder, value: Atom, span: Span) -> Atom:
    """`bool(value)`, as a test does it."""
    if isinstance(value, Literal):
        return Literal(bool(value.value), None)
    return b.emit("py_truth", (value,), span, "test")


@expression(gast.BoolOp)
def boolean(b: FunctionBuilder, node: Any) -> Atom:
    """`a and b`, `a or b`: the operand that decides."""
    return _operands(b, node.values, type(node.op) is gast.And, b.span(node))


def _operands(b: FunctionBuilder, nodes: Sequence[Any], is_and: bool, span: Span) -> Atom:
    first = b.value(nodes[0])
    if len(nodes) == 1:
        return first

    def rest() -> Atom:
        return _operands(b, nodes[1:], is_and, span)

    predicate = truth(b, first, span)
    if is_and:
        return b.choose(predicate, span, rest, lambda: first, "both")
    return b.choose(predicate, span, lambda: first, rest, "either")


@expression(gast.IfExp)
def conditional(b: FunctionBuilder, node: Any) -> Atom:
    """`body if test else orelse`."""
    span = b.span(node)
    predicate = test(b, node.test, span)
    return b.choose(predicate, span, lambda: b.value(node.body), lambda: b.value(node.orelse), "chosen")
