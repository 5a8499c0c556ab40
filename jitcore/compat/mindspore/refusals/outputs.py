"""What MindSpore says to programs that give back functions:
`Function in output is not supported. Please check your code. In file f.py:3, 4~14`."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from types import FunctionType
from typing import Any

from jitcore.compat.mindspore import composite
from jitcore.frontend.fetch import fetch
from jitcore.nn import Cell
from jitcore.ops.primitives import Primitive
from jitcore.passes.infer.engine.operands import Operand, Operation
from jitcore.source import CompileError


def refused(operation: Operation) -> BaseException | None:
    """The answer to what a function (or a Cell) gives back."""
    (result,) = operation.operands
    if not _is_function(result):
        return None
    function = (
        operation.name if isinstance(operation.name, FunctionType) else getattr(operation.name, "construct", None)
    )
    function = getattr(function, "__func__", function)
    returned = _last_return(function) if isinstance(function, FunctionType) else None
    if (
        not isinstance(function, FunctionType)
        or returned is None
        or (isinstance(result.value, Cell) and _is_self(returned.value))
    ):
        return None
    is_computed = result.kind == "tuple" or _is_computed(returned.value, function.__code__.co_varnames)
    place: Any = returned.value if is_computed else returned
    lines = str(place.lineno) if place.lineno == place.end_lineno else f"{place.lineno}~{place.end_lineno}"
    return RuntimeError(
        "Function in output is not supported. Please check your code. "
        f"In file {function.__code__.co_filename}:{lines}, {place.col_offset}~{place.end_col_offset}"
    )


def _is_function(x: Operand) -> bool:
    """Whether a value is a function, or a tuple with one."""
    if x.kind == "tuple":
        return any(map(_is_function, x.items))
    return x.kind == "function" or isinstance(x.value, Cell | Primitive | composite.HyperMap | composite.Map)


def _is_self(node: ast.expr | None) -> bool:
    return isinstance(node, ast.Name) and node.id == "self"


def _is_computed(node: ast.expr | None, variables: tuple[str, ...]) -> bool:
    """Whether an expression makes a function of values: a method of one, or a partial. Others are constants of the
    program."""
    if isinstance(node, ast.Attribute):
        root = node.value
        is_variable = isinstance(root, ast.Name) and root.id in variables and root.id != "self"
        return is_variable or isinstance(root, ast.Call | ast.Constant)
    if isinstance(node, ast.Call):
        name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
        return name == "partial"
    return isinstance(node, ast.IfExp)


def _last_return(function: FunctionType) -> ast.Return | None:
    try:
        node = fetch(function).node
    except CompileError:
        return None
    if isinstance(node, ast.Lambda):
        return None
    found = list(_returns(node.body))
    return found[-1] if found else None


def _returns(body: list[ast.stmt]) -> Iterator[ast.Return]:
    for statement in body:
        if isinstance(statement, ast.Return):
            yield statement
        elif not isinstance(statement, ast.FunctionDef):
            for name in ("body", "orelse"):
                yield from _returns(getattr(statement, name, []))
