"""Tree nodes of the driver and its segments that stand nowhere in the user's source."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Any, Final

SEGMENT: Final = "_jc_segment_"
ENTER: Final = "_jc_enter"
LEAVE: Final = "_jc_leave"
COMPILED: Final = "_jc_compiled"
UNSET: Final = "_jc_unset"


def name(text: str, ctx: Any = None) -> ast.Name:
    """A variable, by default read."""
    return ast.Name(id=text, ctx=ctx if ctx is not None else ast.Load())


def constant(value: int) -> ast.Constant:
    """A number."""
    return ast.Constant(value=value, kind=None)


def call(callee: str, args: Sequence[ast.expr]) -> ast.Call:
    """A call of what a variable holds."""
    return ast.Call(func=name(callee), args=list(args), keywords=[])


def placed(node: Any, at: Any, args: Sequence[ast.expr] = ()) -> Any:
    """A new node, with what is in it, at the place of another; `args` are added to it as they are."""
    for inner in ast.walk(node):
        if not hasattr(inner, "lineno") and "lineno" in inner._attributes:
            ast.copy_location(inner, at)
    if args:
        node.args = [*node.args, *args]
    return node


def placed_at_segment(node: Any, at: ast.stmt) -> Any:
    """A new node at a place without width: no statement of the user's is there, which is how tracebacks know it."""
    place = {"lineno": at.lineno, "end_lineno": at.lineno, "col_offset": 0, "end_col_offset": 0}
    for inner in ast.walk(node):
        if not hasattr(inner, "lineno") and "lineno" in inner._attributes:
            vars(inner).update(place)
    return node
