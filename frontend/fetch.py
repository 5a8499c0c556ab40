"""Finds the source of a Python function: its node in the tree of its file, at its own lines and columns.

Works for functions, methods, nested functions, lambdas (several on a line too) and for code made by `exec` or typed at
a prompt, where `linecache` has its text or `unfiled` finds it. What is found is what the function's own code was
compiled from: a decorator's wrapper gives the wrapper, not what it wraps.
"""

from __future__ import annotations

import ast
import linecache
import weakref
from collections.abc import Iterable, Iterator
from types import CodeType, FunctionType
from typing import Final, TypeAlias

from jitcore.frontend import unfiled
from jitcore.frontend.agreement import agrees
from jitcore.frontend.files import SourceFile, parsed, source_file
from jitcore.source import CompileError, Problem, Span
from jitcore.structs import dataclass

FunctionNode: TypeAlias = "ast.FunctionDef | ast.AsyncFunctionDef | ast.Lambda"


@dataclass(frozen=True, slots=True, eq=False)
class Fetched:
    """A function's node, its file, and the class whose private names (`__x`) it sees."""

    node: FunctionNode
    file: SourceFile
    class_name: str | None


_registered: Final[dict[int, tuple[weakref.ref[CodeType], Fetched]]] = {}
"""By the id of code, for as long as there is that code."""


def register(function: FunctionType, fetched: Fetched) -> None:
    """Tell the source of a function that was made of a tree, and stands in no file as it is."""
    key = id(function.__code__)
    _registered[key] = (weakref.ref(function.__code__, lambda _: _registered.pop(key, None)), fetched)


def fetch(function: FunctionType) -> Fetched:
    """The source of a function.

    Raises CompileError if there is none, or if the file was changed since the function was made from it.
    """
    code = function.__code__
    registered = _registered.get(id(code))
    if registered is not None and registered[0]() is code:
        return registered[1]
    try:
        file = source_file(code.co_filename, function.__globals__)
    except SyntaxError as error:
        message = f"the source file can no longer be parsed ({error.msg}, line {error.lineno})"
        raise _failure(code, message, "mend the file and import it again") from None
    if file is None:
        found = _unfiled(function)
        if found is not None:
            return found
        raise _failure(
            code,
            f"there is no source for {code.co_qualname}: no file {code.co_filename!r} can be read",
            "define the function in a file (for code made by exec, put its text into linecache.cache)",
        )
    chosen = _chosen(file, function, function.__globals__.get("__loader__"))
    if chosen is None:
        raise _failure(
            code,
            f"the source of {code.co_qualname} is not what it was when the function was made: the file has changed",
            "import the module again, or run the program anew",
        )
    return Fetched(chosen[0], file, chosen[1])


def remember(function: FunctionType) -> None:
    """Find the source of a function that stands in no file while its text is at hand: it may be gone at its first
    call."""
    name = function.__code__.co_filename
    if name.startswith("<") and name not in linecache.cache and id(function.__code__) not in _registered:
        _unfiled(function)


def _unfiled(function: FunctionType) -> Fetched | None:
    """The source of a function that stands in no file, if a text is found that its very code is compiled from."""
    code = function.__code__
    if not code.co_filename.startswith("<"):
        return None
    for text in unfiled.texts(code):
        try:
            file = parsed(code.co_filename, text, [])
        except (SyntaxError, ValueError, RecursionError, MemoryError):  # it is no program
            continue
        chosen = _chosen(file, function, None)
        if chosen is not None:
            unfiled.keep(code.co_filename, text)
            found = Fetched(chosen[0], file, chosen[1])
            register(function, found)
            return found
    return None


def _chosen(file: SourceFile, function: FunctionType, loader: object) -> tuple[FunctionNode, str | None] | None:
    """The node in a file that a function was compiled from, and the class it stands in."""
    code = function.__code__
    candidates = [(node, owner) for node, owner in _functions_at(file.tree, code.co_firstlineno) if _named(node, code)]
    agreeing = [pair for pair in candidates if agrees(pair[0], code, loader, pair[1], file.imported)]
    return _at_positions(agreeing, code)


def _failure(code: CodeType, message: str, hint: str) -> CompileError:
    span = Span(code.co_filename, code.co_firstlineno, 0, code.co_firstlineno, 0, code.co_name)
    return CompileError([Problem(span, message, hint)])


def _named(node: FunctionNode, code: CodeType) -> bool:
    return code.co_name == ("<lambda>" if isinstance(node, ast.Lambda) else node.name)


def _first_line(node: ast.AST) -> int | None:
    """The line a node starts on, decorators included, or None if it has no place of its own."""
    decorators: list[ast.expr] = getattr(node, "decorator_list", [])
    if decorators:
        return decorators[0].lineno
    return getattr(node, "lineno", None)


def _functions_at(tree: ast.Module, line: int) -> Iterator[tuple[FunctionNode, str | None]]:
    """The functions that start on a line, each with the name of the innermost class around it.

    Only what spans the line is looked into, so that a function is found without visiting the whole file.
    """
    stack: list[tuple[ast.AST, str | None]] = [(tree, None)]
    while stack:
        node, owner = stack.pop()
        if isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.Lambda)) and _first_line(node) == line:
            yield node, owner
        inner = node.name if isinstance(node, ast.ClassDef) else owner
        stack.extend((child, inner) for child in _spanning(ast.iter_child_nodes(node), line))


def _spanning(nodes: Iterable[ast.AST], line: int) -> Iterator[ast.AST]:
    for node in nodes:
        end = getattr(node, "end_lineno", None)
        if end is None:  # `arguments`, `comprehension` …: no place of its own
            yield node
        elif end >= line:
            first = _first_line(node)
            if first is not None and first <= line:
                yield node


def _at_positions(
    candidates: list[tuple[FunctionNode, str | None]], code: CodeType
) -> tuple[FunctionNode, str | None] | None:
    """The candidate that the code's own positions lie in: what tells apart lambdas on one line."""
    if len(candidates) < 2:
        return candidates[0] if candidates else None
    places = [place for place in code.co_positions() if None not in place]
    starts = [(line, column) for line, _, column, _ in places if line and column]
    ends = [(line, column) for _, line, _, column in places if line and column]
    if not starts:
        return None if len({ast.dump(node) for node, _ in candidates}) > 1 else candidates[0]
    first, last = min(starts), max(ends)
    around = [pair for pair in candidates if _body_place(pair[0])[0] <= first and last <= _body_place(pair[0])[1]]
    return max(around, key=lambda pair: _body_place(pair[0])[0], default=None)


def _body_place(node: FunctionNode) -> tuple[tuple[int, int], tuple[int, int]]:
    first, last = (node.body, node.body) if isinstance(node, ast.Lambda) else (node.body[0], node.body[-1])
    return (first.lineno, first.col_offset), (last.end_lineno or 0, last.end_col_offset or 0)
