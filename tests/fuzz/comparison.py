"""Compares a compiled call with the plain one: values bit for bit, Python types, exceptions with message and line."""

from __future__ import annotations

import ast
import copy
import linecache
from collections.abc import Callable, Sequence
from itertools import count
from typing import Any

import numpy as np
from outcomes import frozen

_numbers = count()
_LEAST, _MOST = -(1 << 63), (1 << 63) - 1


def define(text: str, name: str, namespace: dict[str, Any]) -> Callable[..., Any]:
    """The function `name` of a program, whose source `inspect` and the compiler can find."""
    file = f"<program {next(_numbers)}>"
    linecache.cache[file] = (len(text), None, text.splitlines(keepends=True), file)
    exec(compile(text, file, "exec"), namespace)
    return namespace[name]


def forget(function: Callable[..., Any]) -> None:
    """Let go of a program's source."""
    linecache.cache.pop(function.__code__.co_filename, None)


def outcome(function: Callable[..., Any], args: Sequence[Any], file: str) -> tuple[Any, Any, Any]:
    """The result of a call, its exception (type, message, line of the program), and the arguments as it left them."""
    args = copy.deepcopy(args)
    try:
        with np.errstate(all="ignore"):
            return frozen(function(*args)), None, frozen(args)
    except RecursionError:
        return None, (RecursionError,), None
    except Exception as error:
        line, trace = None, error.__traceback__
        while trace is not None:
            if trace.tb_frame.f_code.co_filename == file:
                line = trace.tb_lineno
            trace = trace.tb_next
        return None, (type(error), str(error), line, _chain(error.__context__), _chain(error.__cause__)), frozen(args)


def _chain(error: BaseException | None) -> Any:
    """What an exception was raised from, or while it was handled."""
    if error is None:
        return None
    return type(error), str(error), _chain(error.__context__), _chain(error.__cause__)


class _Watch(ast.NodeTransformer):
    """Has every value that an expression computes looked at."""

    def visit(self, node: ast.AST) -> Any:
        if isinstance(node, ast.pattern | ast.FormattedValue):
            return node
        if isinstance(node, ast.AugAssign):
            return self._augmented(node)
        node = self.generic_visit(node)
        if not isinstance(node, ast.expr) or isinstance(node, ast.Starred | ast.Slice):
            return node
        if isinstance(getattr(node, "ctx", None), ast.Store | ast.Del):
            return node
        seen = ast.Call(ast.Name("_seen", ast.Load()), [node], [])
        return ast.copy_location(seen, node)

    def _augmented(self, node: ast.AugAssign) -> list[ast.stmt]:
        node.value = self.visit(node.value)
        if isinstance(node.target, ast.Subscript):
            node.target.slice = self.visit(node.target.slice)
        looked_at = ast.parse(ast.unparse(node.target), mode="eval").body
        after = ast.Expr(ast.Call(ast.Name("_seen", ast.Load()), [looked_at], []))
        return [node, ast.copy_location(ast.fix_missing_locations(ast.copy_location(after, node)), node)]


def passes_word(text: str, name: str, namespace: dict[str, Any], args: Sequence[Any]) -> bool:
    """Whether an int of more than 64 bits comes up in a plain call: compiled code may then raise OverflowError."""
    found = False

    def seen(value: Any) -> Any:
        nonlocal found
        found = found or _is_past(value)
        return value

    tree = ast.parse(text)
    _Watch().visit(tree)
    ast.fix_missing_locations(tree)
    watched = {**namespace, "_seen": seen}
    exec(compile(tree, "<watched>", "exec"), watched)
    try:
        with np.errstate(all="ignore"):
            watched[name](*copy.deepcopy(args))
    except (Exception, RecursionError):
        pass  # what it raises has been compared already
    return found


def _is_past(value: Any) -> bool:
    """Whether a value is an int of more than 64 bits, or a tuple that holds one (as `divmod` gives)."""
    if isinstance(value, tuple):
        return any(map(_is_past, value))
    return type(value) is int and not _LEAST <= value <= _MOST


def _short(found: tuple[Any, Any, Any]) -> str:
    result, error, _ = found
    return f"raises {error}" if error is not None else f"gives {result}"


def difference(
    text: str, name: str, plain: Callable[..., Any], compiled: Callable[..., Any], args: Sequence[Any]
) -> str | None:
    """What a compiled call does otherwise than the plain one; None if nothing."""
    file = plain.__code__.co_filename
    want, got = outcome(plain, args, file), outcome(compiled, args, file)
    if want == got:
        return None
    if got[1] is not None and got[1][0] is OverflowError and passes_word(text, name, plain.__globals__, args):
        return None
    return f"{name}{args!r}\n  plain    {_short(want)}\n  compiled {_short(got)}\n{text}"
