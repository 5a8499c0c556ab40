"""Attributes that known modules and classes do not have, in the words of the exception that reading them raises."""

from __future__ import annotations

import ast
import builtins
import warnings
from collections.abc import Iterator
from types import ModuleType
from typing import Final

import numpy as np

from jitcore.check.names import UNKNOWN, File, FunctionNode, Imported, Scope, object_of, qualified_name, resolve
from jitcore.compat.mindspore import older_numpy
from jitcore.compat.mindspore.modules import MINDSPORE
from jitcore.structs import dataclass

_BRANCHES: Final = (ast.If, ast.IfExp, ast.While, ast.BoolOp)


@dataclass(frozen=True, slots=True, eq=False)
class Absent:
    """What is not there: its full dotted name, and what raises of which class says so."""

    name: str
    error: type[Exception]
    words: str


def absent(qualified: str, names: File) -> Absent | None:
    """The part of a full dotted name that a known module or class does not have; None where all is there or unknown."""
    if MINDSPORE.is_module(qualified) or resolve(qualified) is not UNKNOWN:
        return None
    parts = qualified.split(".")
    for k in range(len(parts) - 1, 0, -1):
        owner, name = ".".join(parts[:k]), ".".join(parts[: k + 1])
        if MINDSPORE.is_module(owner):
            return _of_mindspore(owner, parts[k])
        known = resolve(owner)
        if known is not UNKNOWN:
            return None if _is_added(known, parts[k], name, names) else _asked(known, parts[k], name)
    return None


def _of_mindspore(module: str, attribute: str) -> Absent | None:
    name = f"{module}.{attribute}"
    if MINDSPORE.is_provided(module, attribute):
        return None
    if MINDSPORE.is_named(module, attribute):
        return Absent(name, NotImplementedError, f"{name} of MindSpore is not in jitcore")
    return Absent(name, AttributeError, f"module {module!r} has no attribute {attribute!r}")


def _asked(owner: object, attribute: str, name: str) -> Absent | None:
    if owner is builtins or not isinstance(owner, ModuleType | type):
        return None
    try:
        with warnings.catch_warnings(action="ignore"):  # of names that are there for a while yet
            getattr(owner, attribute)
    except AttributeError as error:
        words = str(error).strip().partition("\n")[0].rstrip(".")  # NumPy writes more of what it had once
        return Absent(name, AttributeError, words)
    return None


def _is_added(owner: object, attribute: str, name: str, names: File) -> bool:
    """Whether a file may give a module or class the attribute, or imports a framework that does."""
    if owner is np and attribute in older_numpy.NAMES and any(map(MINDSPORE.is_module, _packages(names))):
        return True
    for node, scope in names.uses:
        if isinstance(node, ast.Attribute):
            if isinstance(node.ctx, ast.Store) and node.attr == attribute and qualified_name(node, scope) == name:
                return True
        elif node.args and object_of(node.func, scope) is setattr and object_of(node.args[0], scope) is owner:
            return True
    return False


def _packages(names: File) -> Iterator[str]:
    """The packages that a file's module imports from."""
    imported = (b.qualified for found in names.module.bindings.values() for b in found if isinstance(b, Imported))
    return (name.partition(".")[0] for name in (*imported, *names.module.stars))


def tried(function: FunctionNode, scope: Scope, error: type[Exception]) -> set[ast.AST]:
    """What of a function stands where an exception of a class is caught, or behind a question with `hasattr`."""
    found: set[ast.AST] = set()
    for node in ast.walk(function):
        if isinstance(node, ast.Try | ast.TryStar) and any(_catches(h.type, scope, error) for h in node.handlers):
            found.update(inner for statement in node.body for inner in ast.walk(statement))
        elif isinstance(node, _BRANCHES) and _asks(
            node.values[0] if isinstance(node, ast.BoolOp) else node.test, scope
        ):
            found.update(ast.walk(node))
    return found


def _catches(caught: ast.expr | None, scope: Scope, error: type[Exception]) -> bool:
    if caught is None:
        return True
    classes = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    objects = [object_of(c, scope) for c in classes]
    return any(isinstance(o, type) and issubclass(error, o) for o in objects)


def _asks(test: ast.expr, scope: Scope) -> bool:
    return any(isinstance(n, ast.Call) and object_of(n.func, scope) is hasattr for n in ast.walk(test))
