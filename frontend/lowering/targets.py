"""What is assigned to, augmented and deleted: names, attributes, items, and sequences of them."""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.lowering.expressions import OPERATORS
from jitcore.frontend.lowering.function import FunctionBuilder
from jitcore.frontend.lowering.names import assign_name, delete_name, read_name
from jitcore.ir.nodes import Atom, Binding, Var
from jitcore.ir.python import PYTHON_OPS

_SEQUENCES = (gast.Tuple, gast.List)
_NOT_NEW = (gast.Name, gast.NamedExpr)  # their value may already be a variable's


def assign(b: FunctionBuilder, target: Any, value: Atom) -> None:
    """Assign a value to a target."""
    kind = type(target)
    if kind is gast.Name:
        assign_name(b, target.id, value, b.span(target))
    elif kind is gast.Attribute:
        b.perform("py_setattr", (b.value(target.value), value), b.spans.attribute(target), name=target.attr)
    elif kind is gast.Subscript:
        container = b.value(target.value)
        b.perform("py_setitem", (container, b.value(target.slice), value), b.span(target))
    else:
        _unpack(b, target, value)


def _unpack(b: FunctionBuilder, target: Any, value: Atom) -> None:
    parts = [part.value if type(part) is gast.Starred else part for part in target.elts]
    star = next((k for k, part in enumerate(target.elts) if type(part) is gast.Starred), None)
    before, after = (len(parts), 0) if star is None else (star, len(parts) - star - 1)
    span = b.span(target)
    outs = tuple(Var(b.written(part.id) if type(part) is gast.Name else "item", None, span) for part in parts)
    params = {"before": before, "star": star is not None, "after": after}
    b.graph.append(Binding(outs, PYTHON_OPS["py_unpack"], (value,), span, params))
    for part, out in zip(parts, outs, strict=True):
        assign(b, part, out)


def assign_expression(b: FunctionBuilder, targets: list[Any], node: Any) -> None:
    """`targets[0] = targets[1] = … = node`."""
    first = targets[0]
    if len(targets) == 1 and _matches(first, node):
        values = [b.value(item) for item in node.elts]
        for part, value in zip(first.elts, values, strict=True):
            assign(b, part, value)
        return
    value = b.value(node)
    if type(first) is gast.Name and type(node) not in _NOT_NEW:
        value = b.name_value(value, first.id)
    for target in targets:
        assign(b, target, value)


def _matches(target: Any, node: Any) -> bool:
    """Whether `a, b = x, y` can assign item by item, without making the tuple."""
    return (
        type(target) in _SEQUENCES
        and type(node) in _SEQUENCES
        and len(target.elts) == len(node.elts)
        and not any(type(part) is gast.Starred for part in (*target.elts, *node.elts))
    )


def augment(b: FunctionBuilder, node: Any) -> None:
    """`target += value`: what the target consists of is evaluated once."""
    target, span = node.target, b.span(node)
    op = OPERATORS[type(node.op)]
    kind = type(target)
    if kind is gast.Name:
        at = b.span(target)
        old = read_name(b, target.id, at, is_unsure=hasattr(target, "is_unsure"))
        new = b.emit("py_inplace", (old, b.value(node.value)), span, b.written(target.id), op=op)
        assign_name(b, target.id, new, span)
    elif kind is gast.Attribute:
        at = b.spans.attribute(target)
        owner = b.value(target.value)
        old = b.emit("py_getattr", (owner,), at, target.attr, name=target.attr)
        new = b.emit("py_inplace", (old, b.value(node.value)), span, target.attr, op=op)
        b.perform("py_setattr", (owner, new), at, name=target.attr)
    else:
        at = b.span(target)
        container = b.value(target.value)
        key = b.value(target.slice)
        old = b.emit("py_getitem", (container, key), at, "item")
        new = b.emit("py_inplace", (old, b.value(node.value)), span, "item", op=op)
        b.perform("py_setitem", (container, key, new), at)


def delete(b: FunctionBuilder, target: Any) -> None:
    """`del target`."""
    kind = type(target)
    if kind is gast.Name:
        delete_name(b, target)
    elif kind is gast.Attribute:
        b.perform("py_delattr", (b.value(target.value),), b.spans.attribute(target), name=target.attr)
    elif kind is gast.Subscript:
        container = b.value(target.value)
        b.perform("py_delitem", (container, b.value(target.slice)), b.span(target))
    else:
        for part in target.elts:
            delete(b, part)
