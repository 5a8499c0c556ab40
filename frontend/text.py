"""The desugared Python text of a function's tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import gast


def render(node: Any) -> Callable[[], str]:
    """What writes the text of a desugared function, lambda or generator expression when it is asked for."""

    def text() -> str:
        tree: ast.AST = gast.gast_to_ast(node)
        return ast.unparse(ast.fix_missing_locations(tree))

    return text
