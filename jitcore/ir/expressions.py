"""Reads types, dimensions, static values and literals of the text form out of Python expression trees."""

from __future__ import annotations

import ast
import math
from collections.abc import Callable, Mapping
from typing import Any, Final

import numpy as np

from jitcore.ir.nodes import Literal
from jitcore.ir.printer import MARKERS
from jitcore.ir.python import Marker
from jitcore.types import (
    BOOL,
    COMPLEX,
    DTYPES,
    FLOAT,
    INT,
    NONE,
    STACK,
    UNDEFINED,
    DimExpr,
    DType,
    FunctionType,
    ObjectType,
    RefType,
    ScalarType,
    TensorType,
    TupleType,
    Type,
    UnionType,
    dim_max,
    dim_min,
    symbol,
)

_SIMPLE_TYPES: Final[Mapping[str, Type]] = {"bool": BOOL, "none": NONE, "undefined": UNDEFINED, "stack": STACK}
_SCALARS: Final[Mapping[type, ScalarType]] = {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}
_ARITHMETIC: Final[Mapping[type[ast.operator], Callable[[Any, Any], Any]]] = {
    ast.Add: lambda a, b: a + b,
    ast.Sub: lambda a, b: a - b,
    ast.Mult: lambda a, b: a * b,
    ast.FloorDiv: lambda a, b: a // b,
    ast.Mod: lambda a, b: a % b,
}


_MOST_BITS: Final = 14_000
"""Of an int: 4,300 digits, as many as Python writes, have a few more."""


class ExpressionError(ValueError):
    """An expression that the text form does not have."""


def read_type(node: ast.expr) -> Type:
    """The type an annotation names."""
    match node:
        case ast.Name(name) if name in _SIMPLE_TYPES:
            return _SIMPLE_TYPES[name]
        case ast.Name(name) if name in DTYPES:
            return ScalarType(DTYPES[name])
        case ast.Subscript(ast.Name(head), inner):
            items = inner.elts if isinstance(inner, ast.Tuple) else [inner]
            return _read_subscripted(head, items, node)
        case _:
            raise ExpressionError(f"{ast.unparse(node)} is not a type")


def _read_subscripted(head: str, items: list[ast.expr], node: ast.expr) -> Type:
    if head in DTYPES:
        return TensorType(DTYPES[head], tuple(_read_dim(item, {}) for item in items))
    if head == "scalar" and len(items) == 1:
        return read_type(items[0])
    if head == "object" and len(items) == 1 and isinstance(items[0], ast.Constant):
        return ObjectType(str(items[0].value))
    if head in ("ref", "union", "tuple", "function"):
        types = tuple(map(read_type, items))
        match head, types:
            case "ref", (TensorType() as target,):
                return RefType(target)
            case "union", _:
                return UnionType(types)
            case "tuple", _:
                return TupleType(types)
            case "function", (TupleType(params), TupleType(results)):
                return FunctionType(params, results)
            case _:
                pass
    raise ExpressionError(f"{ast.unparse(node)} is not a type")


def read_value(node: ast.expr, table: Mapping[str, Any]) -> Any:
    """The value of a static parameter, or of an untyped literal: a name is a dtype, a type, a constant of the table, or
    else a symbolic dimension."""
    match node:
        case ast.Constant(value):
            if isinstance(value, int) and value.bit_length() > _MOST_BITS:
                raise ExpressionError("an int has more digits than Python writes (sys.set_int_max_str_digits)")
            return value
        case ast.Name(name):
            return _read_name(name, table)
        case ast.Tuple(items):
            return tuple(read_value(item, table) for item in items)
        case ast.UnaryOp(ast.USub(), operand):
            value = read_value(operand, table)
            if not isinstance(value, DimExpr | int | float | complex):
                raise ExpressionError(f"-{ast.unparse(operand)} is not a number")
            return -value
        case ast.BinOp(left, op, right) if type(op) in _ARITHMETIC:
            return _read_arithmetic(op, read_value(left, table), read_value(right, table))
        case ast.Call(ast.Name("max" | "min" as head), [left, right], []):
            return (dim_max if head == "max" else dim_min)(_read_dim(left, table), _read_dim(right, table))
        case ast.Call(ast.Name("complex"), [real, imag], []):
            parts = read_value(real, table), read_value(imag, table)
            if not all(type(part) in (int, float) for part in parts):
                raise ExpressionError(f"{ast.unparse(node)} is not of two numbers")
            return complex(*parts)
        case ast.Subscript():
            return read_type(node)
        case _:
            raise ExpressionError(f"{ast.unparse(node)} is not a constant of the text form")


def read_dim(text: str) -> int | DimExpr:
    """The dimension that a text is. Raises ExpressionError."""
    if len(text) > _LONGEST_DIM:
        raise ExpressionError(f"{text[:60]} … is too long for a dimension")
    try:
        return _read_dim(ast.parse(text, mode="eval").body, {})
    except (SyntaxError, RecursionError, MemoryError, ValueError) as error:
        raise ExpressionError(f"{text!r} is no dimension") from error


_LONGEST_DIM: Final = 2_000


def _read_dim(node: ast.expr, table: Mapping[str, Any]) -> Any:
    value = read_value(node, table)
    if type(value) is not int and not isinstance(value, DimExpr):
        raise ExpressionError(f"{ast.unparse(node)} is not a dimension")
    return value


def _read_name(name: str, table: Mapping[str, Any]) -> Any:
    if name in table:
        return table[name]
    if name in ("inf", "nan"):
        return math.inf if name == "inf" else math.nan
    for words in (DTYPES, _SIMPLE_TYPES, MARKERS):
        if name in words:
            return words[name]
    return symbol(name)


def _read_arithmetic(op: ast.operator, left: Any, right: Any) -> Any:
    if isinstance(left, DimExpr | int) and isinstance(right, DimExpr | int):
        return _ARITHMETIC[type(op)](left, right)
    raise ExpressionError(f"arithmetic on {left!r} and {right!r}, which are not dimensions")


def read_literal(node: ast.expr, table: Mapping[str, Any], typed: bool) -> Literal:
    """A constant among a binding's arguments."""
    match node:
        case ast.Call(ast.Name(name), [inner], []) if name in DTYPES:
            return Literal(_rounded(read_value(inner, {}), DTYPES[name]), TensorType(DTYPES[name], ()))
        case ast.Subscript(ast.Name("scalar"), inner) if not typed and _is_number(value := read_value(inner, {})):
            return Literal(value, _SCALARS[type(value)])
        case _:
            value = read_value(node, table)
    if not typed and not isinstance(value, DimExpr):
        return Literal(value, None)
    if value is None:
        return Literal(None, NONE)
    if value is Marker.UNDEFINED_VALUE:
        return Literal(value, UNDEFINED)
    if not _is_number(value):
        raise ExpressionError(f"{ast.unparse(node)} is neither a variable in scope nor a constant")
    return Literal(value, _SCALARS[type(value)])


def _is_number(value: Any) -> bool:
    return type(value) in _SCALARS


def _rounded(value: Any, dtype: DType) -> Any:
    allowed = {"b": (bool,), "i": (int,), "u": (int,), "f": (int, float), "c": (int, float, complex)}[dtype.kind]
    if type(value) not in allowed:
        raise ExpressionError(f"{value!r} is not a {dtype.name}")
    try:
        with np.errstate(over="ignore"):
            return dtype.numpy.type(value).item()
    except OverflowError:
        raise ExpressionError(f"{value!r} is out of range for {dtype.name}") from None
