"""Whether statements do enough to be compiled on their own: entering compiled code costs about as much as a few
operations."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any, Final

from jitcore.frontend.outlining.uses import COMPREHENSIONS, FUNCTIONS, LOOPS, own_nodes

ENOUGH: Final = 4
_MUCH: Final = 100

_OPERATIONS: Final = (ast.BinOp, ast.UnaryOp, ast.Compare, ast.BoolOp, ast.AugAssign, ast.Subscript)

_METHODS_OF_CONTAINERS: Final = frozenset(
    name for cls in (list, dict, set, str, bytes) for name in dir(cls) if not name.startswith("_")
) - {"copy", "index", "count"}


_BUILTINS: Final = tuple(vars(builtins).values())


def is_worthwhile(statements: Iterable[ast.stmt], resolve: Callable[[str], Any]) -> bool:
    """Whether statements hold a loop, a call that may take long, or several operations.

    `resolve` gives what a global or free name stands for, None for other names.
    """
    weight = 0
    for node in own_nodes(statements):
        if isinstance(node, (*LOOPS, *COMPREHENSIONS)) or (
            isinstance(node, ast.BinOp) and isinstance(node.op, ast.MatMult)
        ):
            weight += _MUCH
        elif isinstance(node, ast.Call):
            weight += 1 if _is_cheap(node, resolve) else _MUCH
        elif isinstance(node, _OPERATIONS):
            weight += 1
        if weight >= ENOUGH:
            return True
    return False


def _is_cheap(call: ast.Call, resolve: Callable[[str], Any]) -> bool:
    """Whether a call is of a builtin function, a class, or a method that strings and containers have."""
    callee = call.func
    known = resolved(callee, resolve)
    if known is not None:
        return isinstance(known, type) or any(known is one for one in _BUILTINS)
    if isinstance(callee, ast.Attribute):
        return callee.attr in _METHODS_OF_CONTAINERS
    return isinstance(callee, FUNCTIONS)


def resolved(expression: ast.expr, resolve: Callable[[str], Any]) -> Any:
    """What a name, or an attribute of a module, stands for; None if that is not known."""
    if isinstance(expression, ast.Name):
        return resolve(expression.id)
    if isinstance(expression, ast.Attribute):
        module = resolved(expression.value, resolve)
        return getattr(module, expression.attr, None) if isinstance(module, ModuleType) else None
    return None
