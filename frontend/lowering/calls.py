"""Calls."""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.lowering.expressions import items
from jitcore.frontend.lowering.function import FunctionBuilder, expression
from jitcore.frontend.lowering.names import read_name
from jitcore.frontend.scopes import Place, parameters_of
from jitcore.ir.nodes import Atom


@expression(gast.Call)
def call(b: FunctionBuilder, node: Any) -> Atom:
    """`f(a, *b, k=c, **d)`."""
    function = b.value(node.func)
    if _is_bare_super(b, node):
        owner, first = read_name(b, "__class__", b.span(node)), _first_parameter(b)
        arguments = (function, owner, read_name(b, first, b.span(node)))
        return b.emit("py_call", arguments, b.span(node), "super", keywords=(), stars=())
    values, stars = items(b, node.args)
    keywords = [b.value(keyword.value) for keyword in node.keywords]
    names = tuple(keyword.arg for keyword in node.keywords)
    hint = _name_of(node.func)
    return b.emit("py_call", (function, *values, *keywords), b.spans.call(node), hint, keywords=names, stars=stars)


def _name_of(function: Any) -> str:
    """A name for a call's result: that of what is called."""
    if type(function) is gast.Name:
        return function.id
    return function.attr if type(function) is gast.Attribute else "called"


def _is_bare_super(b: FunctionBuilder, node: Any) -> bool:
    """Whether this is `super()` in a method, which means the class it stands in and the method's first argument."""
    return (
        type(node.func) is gast.Name
        and node.func.id == "super"
        and not node.args
        and not node.keywords
        and b.scope.place("super") is Place.GLOBAL
        and b.scope.place("__class__") is Place.CLOSURE
        and not b.scope.is_generator
        and bool(parameters_of(b.scope.node.args))
    )


def _first_parameter(b: FunctionBuilder) -> str:
    return parameters_of(b.scope.node.args)[0].id
