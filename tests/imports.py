"""The modules of jitcore, and what each of them imports."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent


def sources() -> Iterator[tuple[str, Path]]:
    """Every module of the package with its file."""
    for folder, package in [("jitcore", "jitcore"), ("frontend", "jitcore.frontend"), ("backends", "jitcore.backends")]:
        for file in sorted((ROOT / folder).rglob("*.py")):
            parts = file.relative_to(ROOT / folder).with_suffix("").parts
            if folder != "jitcore" or parts[0] not in ("frontend", "backends"):
                yield ".".join([package, *(p for p in parts if p != "__init__")]), file


MODULES = dict(sources())


def imported(module: str, file: Path, *, typing: bool = True) -> Iterator[tuple[int, str]]:
    """The modules a file imports anywhere in it, with their lines; with or without those that are for a type checker only."""
    for node in statements(ast.parse(file.read_text()), typing=typing):
        if isinstance(node, ast.Import):
            yield from ((node.lineno, alias.name) for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = node.module or ""
            if node.level:
                package = module.split(".")[: -node.level + (file.name == "__init__.py")]
                base = ".".join([*package, *filter(None, [base])])
            yield from ((node.lineno, found) for found in _members(base, node))


_BLOCKS = ("body", "orelse", "finalbody", "handlers", "cases")
"""The fields of a node that hold statements, and what holds such."""


def statements(tree: ast.AST, *, typing: bool = True) -> Iterator[ast.AST]:
    """The statements below a tree's root, with or without those that are for a type checker only."""
    waiting = [tree]
    while waiting:
        node = waiting.pop()
        for child in (c for block in _BLOCKS for c in _listed(getattr(node, block, None))):
            if typing or not (isinstance(child, ast.If) and ast.unparse(child.test).endswith("TYPE_CHECKING")):
                yield child
                waiting.append(child)


def _listed(held: object) -> list[ast.AST]:
    return held if isinstance(held, list) else []  # a lambda's body, and that of `x if y else z`, is an expression


def _members(base: str, node: ast.ImportFrom) -> Iterator[str]:
    """`from a import b` imports a.b if that is a module, else a."""
    for alias in node.names:
        full = f"{base}.{alias.name}"
        yield full if full in MODULES else base
