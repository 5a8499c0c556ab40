"""Names that nothing in a file's text binds, and what in it may bind names of its module as it runs."""

from __future__ import annotations

import ast
import builtins
import importlib
import sys
from collections.abc import Sequence
from typing import Final

from jitcore.check.names import FUNCTION_NODES, UNKNOWN, File, Scope, object_of, qualified_name, resolve

_OF_MODULES: Final = frozenset(
    {"__annotations__", "__builtins__", "__cached__", "__class__", "__file__", "__path__", "__module__", "__qualname__"}
)
"""Names that every module, class or method has beside those of the builtins."""
_NAMESPACES: Final = (exec, globals, sys.modules)
"""What gives a file its own names to write to, wherever it is used."""


def is_unbound(name: str, scope: Scope) -> bool:
    """Whether nothing in the text binds a name that is read in a scope, nor do the builtins."""
    return name not in _OF_MODULES and not scope.lookup(name) and not hasattr(builtins, name)


def maker(names: File, lines: Sequence[str]) -> str | None:
    """What in a file may bind names of its module that its text does not tell: the first such statement; None if
    nothing."""
    for star in names.module.stars:
        if resolve(star) is UNKNOWN:
            return f"`from {star} import *`"
    places = [node.lineno for node, scope in (*names.uses, *names.reads) if _gives_names(node, scope)]
    return f"line {min(places)} (`{lines[min(places) - 1].strip()}`)" if places else None


def _gives_names(node: ast.expr, scope: Scope) -> bool:
    match node:
        case ast.Call(func=func, args=[]):
            inside = any(isinstance(s.node, FUNCTION_NODES) for s in scope.chain())
            return not inside and object_of(func, scope) in (vars, locals)
        case ast.Call(func=func, args=[first, *_]):
            found = object_of(func, scope)
            if found is setattr:
                return object_of(first, scope) is builtins
            return found in (importlib.import_module, __import__) and not isinstance(first, ast.Constant)
        case ast.Attribute(attr="__globals__" | "f_globals"):
            return True
        case ast.Attribute(value=owner, ctx=ast.Store()):
            return object_of(owner, scope) is builtins
        case _:
            found = object_of(node, scope)
            return any(found is given for given in _NAMESPACES) or qualified_name(node, scope) == "__main__"
