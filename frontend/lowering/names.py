"""Reading and assigning to names."""

from __future__ import annotations

import builtins
from typing import Any

import gast

from jitcore.frontend.lowering.function import UNDEFINED, FunctionBuilder, expression
from jitcore.frontend.scopes import Place, Scope
from jitcore.ir.nodes import Atom, Literal, Var
from jitcore.source import Span


@expression(gast.Name)
def read(b: FunctionBuilder, node: Any) -> Atom:
    """The value of a name; UnboundLocalError or NameError if it may have none."""
    name = node.id
    if hasattr(node, "is_builtin"):
        return Literal(getattr(builtins, name), None)
    return read_name(b, name, b.span(node), is_unsure=hasattr(node, "is_unsure"))


def read_name(b: FunctionBuilder, name: str, span: Span, *, is_unsure: bool = False) -> Atom:
    """The value of a name read at a span. `is_unsure`: a local variable may have no value here."""
    scope = b.scope
    if name in b.values:
        return _defined(b, name, b.values[name], span, is_unsure)
    if name in b.cells:
        return b.emit("py_cell_get", (b.cells[name],), span, b.written(name), **_naming(b, name))
    place = scope.place(name)
    if place is Place.GLOBAL:
        return b.emit("py_global", (), span, name, name=name)
    if place is Place.CLOSURE:
        return b.emit("py_free", (), span, name, name=name)
    if place is Place.ENCLOSING or _is_split(b):
        return _enclosing(b, name, span)
    return b.emit("py_defined", (UNDEFINED,), span, b.written(name), **_naming(b, name))


def _naming(b: FunctionBuilder, name: str) -> dict[str, Any]:
    """What an error about a variable of the function without a value is to say."""
    return {"name": b.written(name), "free": True} if b.is_free(name) else {"name": b.written(name)}


def _is_split(b: FunctionBuilder) -> bool:
    """Whether the function is one of several that a generator expression is made of, and not the outermost."""
    return b.parent is not None and b.parent.scope is b.scope


def _defined(b: FunctionBuilder, name: str, value: Atom, span: Span, is_unsure: bool) -> Atom:
    if not b.may_be_undefined(value):
        return value
    params = _naming(b, name)
    if not is_unsure and value is not UNDEFINED:
        params["certain"] = True
    found = b.emit("py_defined", (value,), span, b.written(name), **params)
    b.set_value(name, found)
    return found


def _enclosing(b: FunctionBuilder, name: str, span: Span) -> Atom:
    """The value of a variable of a function around this one (or of another part of the same generator expression)."""
    home = b.scope.enclosing.get(name, b.scope)
    unsure = name in b.scope.unsure
    owner = b.parent
    while owner is not None and not (owner.scope is home and (name in owner.values or name in owner.cells)):
        unsure = unsure or name in owner.scope.unsure
        owner = owner.parent
    written = b.written(name)
    if owner is not None and name in owner.cells:
        return b.emit("py_cell_get", (owner.cells[name],), span, written, name=written, free=True)
    value = UNDEFINED if owner is None else owner.values[name]
    if owner is not None and not owner.may_be_undefined(value):
        return value
    params: dict[str, Any] = {"name": written, "free": True}
    if not unsure and value is not UNDEFINED:
        params["certain"] = True
    return b.emit("py_defined", (value,), span, written, **params)


def assign_name(b: FunctionBuilder, name: str, value: Atom, span: Span) -> None:
    """Give a variable a value."""
    cell = _cell_of(b, name)
    if cell is not None:
        b.perform("py_cell_set", (cell, value), span)
        return
    b.set_value(name, value)
    for kept in b.kept:
        if name in kept:
            b.perform("py_cell_set", (kept[name], value), span)


def delete_name(b: FunctionBuilder, node: Any) -> None:
    """`del name`."""
    span = b.span(node)
    read_name(b, node.id, span, is_unsure=hasattr(node, "is_unsure"))
    assign_name(b, node.id, UNDEFINED, span)


def _cell_of(b: FunctionBuilder, name: str) -> Var | None:
    """The cell that holds a variable, in this function or (declared nonlocal) in one around it."""
    if name in b.cells:
        return b.cells[name]
    owner: Scope | None = b.scope.enclosing.get(name)
    if owner is None:
        return None
    around = b.parent
    while around is not None:
        if name in around.cells and around.scope is owner:
            return around.cells[name]
        around = around.parent
    raise AssertionError(f"the variable {name!r} is assigned to in a function in its own, and is in no cell")


def make_cells(b: FunctionBuilder, names: list[str], span: Span) -> None:
    """Make new cells for variables."""
    for name in names:
        b.cells[name] = b.emit("py_cell", (), span, b.written(name))
