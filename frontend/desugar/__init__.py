"""Rewrites Python into simpler Python with the same meaning, tree to tree, one construct a file.

`expand` and `rename` settle whose names are whose, before scopes are analysed; `restructure` removes constructs,
afterwards. All change the tree they are given; new nodes stand where what they come from stands.
"""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.desugar import (
    assertion,
    comparison,
    comprehension,
    exits,
    generating,
    managing,
    matching,
    private,
    trying,
    while_test,
)
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import Survey


def expand(tree: Any, found: Survey, temporaries: Temporaries) -> bool:
    """Replace the constructs that bind names in ways of their own; gives whether there were any."""
    if gast.With in found:
        managing.desugar(tree, temporaries)
    if gast.Match in found:
        matching.desugar(tree, temporaries)
    return gast.Match in found or gast.With in found


def rename(found: Survey, class_name: str | None, temporaries: Temporaries) -> None:
    """Write out private names, and give comprehensions' variables names of their own."""
    if class_name is not None:
        private.desugar(found, class_name)
    comprehension.desugar(found, temporaries)


def restructure(tree: Any, found: Survey, temporaries: Temporaries) -> Any:
    """The tree without assertions, chained comparisons, tests of `while` that assign, `else` and `finally` of
    `try`, `yield`, and early exits.

    `found` surveys the tree as it is given.
    """
    if gast.Assert in found:
        tree = assertion.desugar(tree)
    moved = while_test.is_needed(found)
    if moved:
        tree = while_test.desugar(tree, temporaries)
    if comparison.is_needed(found):
        tree = comparison.desugar(tree, temporaries)
    if gast.Try in found:
        tree = trying.desugar(tree, temporaries)
    if generating.is_needed(found):
        generating.desugar(tree, temporaries)
    if moved or exits.is_needed(found):
        tree = exits.desugar(tree, temporaries)
    return tree
