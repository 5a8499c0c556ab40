"""Expressions: operators, comparisons, displays, attributes, subscripts, f-strings."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import gast

from jitcore.frontend.lowering.function import NONE, FunctionBuilder, expression
from jitcore.frontend.lowering.names import assign_name
from jitcore.frontend.survey import survey
from jitcore.ir.nodes import Atom, Literal
from jitcore.ir.python import ELLIPSIS_KEY

OPERATORS: dict[type[Any], str] = {
    gast.Add: "+", gast.Sub: "-", gast.Mult: "*", gast.Div: "/", gast.FloorDiv: "//", gast.Mod: "%", gast.Pow: "**",
    gast.MatMult: "@", gast.LShift: "<<", gast.RShift: ">>", gast.BitAnd: "&", gast.BitOr: "|", gast.BitXor: "^",
}  # fmt: skip
_HINTS = {
    "+": "sum", "-": "difference", "*": "product", "/": "quotient", "//": "quotient", "%": "remainder", "**": "power",
    "@": "product", "<<": "shifted", ">>": "shifted", "&": "bits", "|": "bits", "^": "bits",
}  # fmt: skip
_COMPARISONS: dict[type[Any], str] = {
    gast.Lt: "<", gast.LtE: "<=", gast.Gt: ">", gast.GtE: ">=", gast.Eq: "==", gast.NotEq: "!=",
    gast.Is: "is", gast.IsNot: "isnot", gast.In: "in", gast.NotIn: "notin",
}  # fmt: skip
_DISPLAYS: dict[type[Any], str] = {gast.Tuple: "tuple", gast.List: "list", gast.Set: "set"}


@expression(gast.Constant)
def constant(b: FunctionBuilder, node: Any) -> Atom:
    """A constant."""
    return Literal(node.value, None)


@expression(gast.BinOp)
def binary(b: FunctionBuilder, node: Any) -> Atom:
    """`x + y` and the like."""
    left = b.value(node.left)
    right = b.value(node.right)
    op = OPERATORS[type(node.op)]
    return b.emit("py_binary", (left, right), b.span(node), _HINTS[op], op=op)


@expression(gast.UnaryOp)
def unary(b: FunctionBuilder, node: Any) -> Atom:
    """`-x`, `+x`, `~x`, `not x`; a negative number is one constant."""
    kind = type(node.op)
    operand = b.value(node.operand)
    if kind is gast.Not:
        return b.emit("py_not", (operand,), b.span(node), "not")
    if kind is gast.USub and isinstance(operand, Literal) and type(operand.value) in (int, float, complex):
        return Literal(-operand.value, None)
    op = {gast.USub: "-", gast.UAdd: "+", gast.Invert: "~"}[kind]
    return b.emit("py_unary", (operand,), b.span(node), "negated", op=op)


@expression(gast.Compare)
def compare(b: FunctionBuilder, node: Any) -> Atom:
    """One comparison: chains have been desugared."""
    left = b.value(node.left)
    right = b.value(node.comparators[0])
    return b.emit("py_compare", (left, right), b.span(node), "compared", op=_COMPARISONS[type(node.ops[0])])


@expression(gast.NamedExpr)
def named(b: FunctionBuilder, node: Any) -> Atom:
    """`name := value`."""
    value = b.value(node.value)
    assign_name(b, node.target.id, value, b.span(node.target))
    return value


@expression(gast.Attribute)
def attribute(b: FunctionBuilder, node: Any) -> Atom:
    """`x.name`, read."""
    return b.emit("py_getattr", (b.value(node.value),), b.spans.attribute(node), node.attr, name=node.attr)


@expression(gast.Subscript)
def subscript(b: FunctionBuilder, node: Any) -> Atom:
    """`x[k]`, read."""
    value = b.value(node.value)
    return b.emit("py_getitem", (value, b.value(node.slice)), b.span(node), "item")


@expression(gast.Slice)
def slice_(b: FunctionBuilder, node: Any) -> Atom:
    """`a:b:c` in a subscript."""
    parts = [NONE if part is None else b.value(part) for part in (node.lower, node.upper, node.step)]
    return b.emit("py_slice", parts, b.span(node), "slice")


def items(b: FunctionBuilder, nodes: Sequence[Any]) -> tuple[list[Atom], tuple[int, ...]]:
    """The values of a display's items or a call's arguments, and the positions of starred ones."""
    stars = tuple(k for k, node in enumerate(nodes) if type(node) is gast.Starred)
    return [b.value(node.value if type(node) is gast.Starred else node) for node in nodes], stars


@expression(gast.Tuple, gast.List, gast.Set)
def display(b: FunctionBuilder, node: Any) -> Atom:
    """`(a, *b)`, `[a, *b]`, `{a, *b}`."""
    values, stars = items(b, node.elts)
    kind = _DISPLAYS[type(node)]
    return b.emit(f"py_{kind}", values, b.span(node), kind, stars=stars)


@expression(gast.Dict)
def dict_(b: FunctionBuilder, node: Any) -> Atom:
    """`{k: v, **d}`."""
    pairs: list[Atom] = []
    for key, value in zip(node.keys, node.values, strict=True):
        pairs.append(Literal(ELLIPSIS_KEY, None) if key is None else b.value(key))
        pairs.append(b.value(value))
    return b.emit("py_dict", pairs, b.span(node), "dict")


@expression(gast.JoinedStr)
def joined(b: FunctionBuilder, node: Any) -> Atom:
    """An f-string. Where evaluating a later part might change an earlier value, each is formatted at once."""
    span = b.span(node)
    fields = [part for part in node.values if type(part) is gast.FormattedValue]
    at_once = any({gast.Call, gast.NamedExpr} & survey(field).keys() for field in fields[1:])
    values: list[Atom] = []
    template: list[Any] = []
    for part in node.values:
        if type(part) is gast.Constant:
            template.append(part.value)
            continue
        value, conversion, spec = _field(b, part)
        if at_once:
            value = b.emit("py_format", (value,), span, "text", template=((conversion, spec),))
            conversion, spec = "", ""
        values.append(value)
        template.append((conversion, spec))
    return b.emit("py_format", values, span, "text", template=tuple(template))


def _field(b: FunctionBuilder, node: Any) -> tuple[Atom, str, str]:
    """A field of an f-string: its value, conversion and format. A format with fields in it is applied by a call."""
    value = b.value(node.value)
    conversion = chr(node.conversion) if node.conversion > 0 else ""
    spec = node.format_spec
    if spec is None:
        return value, conversion, ""
    if all(type(part) is gast.Constant for part in spec.values):
        return value, conversion, "".join(part.value for part in spec.values)
    span = b.span(node)
    if conversion:
        convert = {"r": repr, "s": str, "a": ascii}[conversion]
        value = b.emit("py_call", (Literal(convert, None), value), span, "text", keywords=(), stars=())
    arguments = (Literal(format, None), value, b.value(spec))
    return b.emit("py_call", arguments, span, "text", keywords=(), stars=()), "", ""
