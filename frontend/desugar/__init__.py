"""Rewrites Python into simpler Python with the same meaning, tree to tree, one construct a file.

`rename` settles whose names are whose, before scopes are analysed; `restructure` removes constructs, afterwards. Both
change the tree they are given; new nodes stand where what they come from stands.
"""

from __future__ import annotations

from typing import Any

import gast

from jitcore.frontend.desugar import assertion, comparison, comprehension, exits, private, while_test
from jitcore.frontend.desugar.temporaries import Temporaries
from jitcore.frontend.survey import Survey


def rename(found: Survey, class_name: str | None, temporaries: Temporaries) -> None:
    """Write out private names, and give comprehensions' variables names of their own."""
    if class_name is not None:
        private.desugar(found, class_name)
    comprehension.desugar(found, temporaries)


def restructure(tree: Any, found: Survey, temporaries: Temporaries) -> Any:
    """The tree without assertions, chained comparisons, tests of `while` that assign, and early exits.

    `found` surveys the tree as it is given.
    """
    if gast.Assert in found:
        tree = assertion.desugar(tree)
    moved = while_test.is_needed(found)
    if moved:
        tree = while_test.desugar(tree, temporaries)
    if comparison.is_needed(found):
        tree = comparison.desugar(tree, temporaries)
    if moved or exits.is_needed(found):
        tree = exits.desugar(tree, temporaries)
    return tree
