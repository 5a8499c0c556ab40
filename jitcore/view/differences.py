"""What each pass changed: the passes are run again, and the texts of the graph before and after are compared."""

from __future__ import annotations

import difflib
import re
from collections.abc import Iterable, Sequence
from typing import Final

from jitcore.headroom import room_to_recurse
from jitcore.ir.analysis import all_bindings
from jitcore.ir.nodes import Module
from jitcore.ir.printer import to_text
from jitcore.passes.count import Count
from jitcore.passes.fuse import Fuse
from jitcore.passes.hoist import Hoist
from jitcore.passes.pipeline import OPTIMISATIONS
from jitcore.passes.registry import Pass, run_passes
from jitcore.runtime.compile import Code, Compilation

_RECURSION_LIMIT: Final = 60_000
_AROUND: Final = 3
"""Lines shown around what changed."""
_NUMBER: Final = re.compile(r"(?<=[A-Za-z])_\d+\b")


def differences_of(made: object) -> list[dict[str, object]]:
    """For the page: each pass in its order, with the operations before and after, and what changed as a unified
    difference; a pass that changed nothing has none."""
    if isinstance(made, Compilation):
        return _run(made.inferred.module, OPTIMISATIONS) + _run(made.code.optimised, _TO_KERNELS)
    return _run(made.optimised, _TO_KERNELS) if isinstance(made, Code) else []


_TO_KERNELS: Final = (Count(), Hoist(), Fuse())


def _run(module: Module, passes: Iterable[Pass]) -> list[dict[str, object]]:
    rows: list[dict[str, object]] = []
    before, text = module, _lines(module)

    def observe(pass_: Pass, after: Module) -> None:
        nonlocal before, text
        row: dict[str, object] = {"name": pass_.name, "doc": pass_.doc, "before": _size(before), "after": _size(after)}
        if after is not before:
            changed = _lines(after)
            row["text"] = "\n".join(_changes(text, changed))
            before, text = after, changed
        rows.append(row)

    with room_to_recurse(_RECURSION_LIMIT):
        run_passes(module, passes, observe)
    return rows


def _lines(module: Module) -> list[str]:
    with room_to_recurse(_RECURSION_LIMIT):
        return to_text(module, spans=False).text.splitlines()


def _size(module: Module) -> int:
    return sum(1 for graph in module.graphs.values() for _ in all_bindings(graph))


def _changes(before: Sequence[str], after: Sequence[str]) -> Iterable[str]:
    """A unified difference without its header. Numbers at the ends of names make no difference: where one line goes,
    those of all that come after it are others."""
    compared = ([_NUMBER.sub("_", line) for line in lines] for lines in (before, after))
    matcher = difflib.SequenceMatcher(None, *compared, autojunk=False)
    for hunk in matcher.get_grouped_opcodes(_AROUND):
        (_, first, _, start, _), (*_, last, _, end) = hunk[0], hunk[-1]
        yield f"@@ -{first + 1},{last - first} +{start + 1},{end - start} @@"
        for tag, a, b, c, d in hunk:
            if tag == "equal":
                yield from (" " + line for line in after[c:d])
                continue
            yield from ("-" + line for line in before[a:b])
            yield from ("+" + line for line in after[c:d])
