"""Rewrites Python into simpler Python with the same meaning, tree to tree, one construct a file.

`expand` and `rename` settle whose names are whose, before scopes are analysed; `restructure` removes constructs,
afterwards. All change the tree they are given; new nodes stand where what they come from stands.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, Protocol

import gast

from jitcore.discovery import modules_in
from jitcore.frontend.desugar import comprehension, managing, matching, private
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


class Step(Protocol):
    """A construct that `restructure` removes: a file of this folder with an `ORDER`."""

    ORDER: int
    """Steps are taken in this order."""

    def is_needed(self, found: Survey) -> bool:
        """Whether the construct is in a tree, or will be when the steps before have been taken."""
        ...

    def desugar(self, tree: gast.AST, temporaries: Temporaries) -> Any:
        """The tree without it."""
        ...


def _steps() -> Sequence[Step]:
    steps: Any = [module for module in modules_in(__name__, __path__) if hasattr(module, "ORDER")]
    return sorted(steps, key=lambda step: step.ORDER)


STEPS: Final = _steps()


def restructure(tree: Any, found: Survey, temporaries: Temporaries) -> Any:
    """The tree without what the steps remove: assertions, tests of `while` that assign, chained comparisons, `else` and
    `finally` of `try`, `yield`, and early exits.

    `found` surveys the tree as it is given.
    """
    for step in [step for step in STEPS if step.is_needed(found)]:
        tree = step.desugar(tree, temporaries)
    return tree
