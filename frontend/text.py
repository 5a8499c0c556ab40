"""The desugared Python text of a function's tree."""

from __future__ import annotations

import ast
from collections.abc import Callable
from typing import Any

import gast

from jitcore.frontend.recursion import deeply


def render(node: Any) -> Callable[[], str]:
    """What writes the text of a desugared function, lambda or generator expression when it is asked for."""

    return lambda: deeply(lambda: ast.unparse(gast.gast_to_ast(node)))
