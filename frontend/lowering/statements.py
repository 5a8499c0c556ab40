"""Statements without loops: assignment, `if`, `return`, `raise`, imports."""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.lowering.conditions import test
from jitcore.frontend.lowering.function import NONE, FunctionBuilder, statement
from jitcore.frontend.lowering.targets import assign, assign_expression, augment, delete
from jitcore.ir.nodes import Atom, Literal
from jitcore.source import Span


@statement(gast.Expr)
def expression_statement(b: FunctionBuilder, node: Any) -> None:
    """An expression for its effects; a constant (a docstring) has none."""
    if type(node.value) is not gast.Constant:
        b.value(node.value)


@statement(gast.Pass, gast.Global, gast.Nonlocal)
def nothing(b: FunctionBuilder, node: Any) -> None:
    """What does nothing when it runs."""


@statement(gast.Assign)
def assignment(b: FunctionBuilder, node: Any) -> None:
    """`a = b = value`."""
    assign_expression(b, node.targets, node.value)


@statement(gast.AnnAssign)
def annotated(b: FunctionBuilder, node: Any) -> None:
    """`x: T = value`; the annotation is not evaluated, but the parts of a target are."""
    if node.value is not None:
        assign_expression(b, [node.target], node.value)
    elif type(node.target) is gast.Attribute:
        b.value(node.target.value)
    elif type(node.target) is gast.Subscript:
        b.value(node.target.value)
        b.value(node.target.slice)


@statement(gast.AugAssign)
def augmented(b: FunctionBuilder, node: Any) -> None:
    """`x += value`."""
    augment(b, node)


@statement(gast.Delete)
def deletion(b: FunctionBuilder, node: Any) -> None:
    """`del x, y`."""
    for target in node.targets:
        delete(b, target)


@statement(gast.Return)
def return_(b: FunctionBuilder, node: Any) -> Atom:
    """`return value`, which desugaring has made the last thing its branch does."""
    return NONE if node.value is None else b.value(node.value)


@statement(gast.Raise)
def raise_(b: FunctionBuilder, node: Any) -> None:
    """`raise error from cause`; a bare `raise` raises what is being handled again."""
    span = b.span(node)
    if node.exc is None:
        b.perform("py_raise", (), span)
    else:
        given = [node.exc] if node.cause is None else [node.exc, node.cause]
        b.perform("py_raise", tuple(b.value(value) for value in given), span)
    b.is_reachable = False


@statement(gast.If)
def if_(b: FunctionBuilder, node: Any) -> Atom | None:
    """`if test: … else: …`: a `cond` whose results are the variables that either branch gives another value.

    Of an `if` with a constant test only the branch taken is built, as CPython does.
    """
    if type(node.test) is gast.Constant:
        return b.block(node.body if node.test.value else node.orelse)
    assert b.liveness is not None
    span = b.span(node)
    predicate = test(b, node.test, span)
    opened = b.open("then", span)
    then_returned = b.block(node.body)
    then = b.close(opened)
    opened = b.open("else", span)
    else_returned = b.block(node.orelse)
    orelse = b.close(opened)
    if not hasattr(node, "returns"):
        b.join(then, orelse, b.liveness.joins(node), span, predicate)
        return None
    values = (NONE if then_returned is None else then_returned, NONE if else_returned is None else else_returned)
    return b.join(then, orelse, (), span, predicate, returned=values)[0]


@statement(gast.Import)
def import_(b: FunctionBuilder, node: Any) -> None:
    """`import a.b` binds `a`; `import a.b as c` binds `a.b`."""
    span = b.span(node)
    for alias in node.names:
        module = _module(b, alias.name, ("__name__",) if alias.asname else (), 0, span)
        _bind(b, alias.asname or alias.name.partition(".")[0], module, node)


@statement(gast.ImportFrom)
def import_from(b: FunctionBuilder, node: Any) -> None:
    """`from a import b as c`."""
    span = b.span(node)
    module = _module(b, node.module or "", tuple(alias.name for alias in node.names), node.level, span)
    for alias in node.names:
        value = b.emit("py_getattr", (module,), span, alias.name, name=alias.name)
        _bind(b, alias.asname or alias.name, value, node)


def _module(b: FunctionBuilder, name: str, wanted: tuple[str, ...], level: int, span: Span) -> Atom:
    """`__import__`: with names wanted of it the module itself, else the package its dotted name begins with."""
    namespace: Atom = NONE
    if level:
        package = b.emit("py_global", (), span, "package", name="__package__")
        namespace = b.emit("py_dict", (Literal("__package__", None), package), span, "namespace")
    arguments = (Literal(__import__, None), Literal(name, None), namespace, NONE, Literal(wanted, None))
    return b.emit("py_call", (*arguments, Literal(level, None)), span, name, keywords=(), stars=())


def _bind(b: FunctionBuilder, name: str, value: Atom, node: Any) -> None:
    target = gast.Name(name, gast.Store(), None, None)
    target.lineno, target.col_offset = node.lineno, node.col_offset
    target.end_lineno, target.end_col_offset = node.end_lineno, node.end_col_offset
    assign(b, target, value)
