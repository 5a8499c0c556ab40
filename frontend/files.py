"""Source files as the frontend needs them: their text as `linecache` has it, their tree, and columns in characters."""

from __future__ import annotations

import ast
import linecache
from collections.abc import Mapping
from typing import Any

from jitcore.structs import dataclass

_CACHED_FILES = 64
_files: dict[str, SourceFile] = {}


@dataclass(frozen=True, slots=True, eq=False)
class SourceFile:
    """One version of a file's text.

    `loaded` is the list `linecache` held: it makes a new one when the file changes. `imported` are the names that
    import statements of the module bind, those in functions and classes left out.
    """

    name: str
    loaded: list[str]
    lines: list[str]
    tree: ast.Module
    imported: frozenset[str]
    is_ascii: bool

    def column(self, line: int, offset: int) -> int:
        """The column in characters of a byte offset into a line, which is how the parser counts."""
        if self.is_ascii or line > len(self.lines):
            return offset
        return len(self.lines[line - 1].encode()[:offset].decode(errors="replace"))


def source_file(name: str, module: Mapping[str, Any]) -> SourceFile | None:
    """The file of that name as it is now, or None if there is no such source.

    `module` is the namespace of the module compiled from it, whose loader may know the text (a zip file's).
    Raises SyntaxError if it does not parse.
    """
    linecache.checkcache(name)
    loaded = linecache.getlines(name, dict(module) if name not in linecache.cache else None)
    if not loaded:
        _files.pop(name, None)
        return None
    known = _files.get(name)
    if known is not None and known.loaded is loaded:
        return known
    file = parsed(name, "".join(loaded), loaded)
    _files.pop(name, None)
    while len(_files) >= _CACHED_FILES:
        del _files[next(iter(_files))]
    _files[name] = file
    return file


def parsed(name: str, text: str, loaded: list[str]) -> SourceFile:
    """A text under a file's name. Raises SyntaxError if it does not parse."""
    # split as the parser does: it knows no line ends but these
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    tree = ast.parse(text, name)
    return SourceFile(name, loaded, lines, tree, _imported_names(tree), text.isascii())


def _imported_names(tree: ast.Module) -> frozenset[str]:
    names: set[str] = set()
    pending: list[ast.AST] = [tree]
    while pending:
        node = pending.pop()
        if isinstance(node, ast.Import | ast.ImportFrom):
            names.update((alias.asname or alias.name).partition(".")[0] for alias in node.names)
        elif not isinstance(node, (ast.FunctionDef, ast.AsyncFunctionDef, ast.ClassDef, ast.expr)):
            pending += ast.iter_child_nodes(node)
    return frozenset(names)
