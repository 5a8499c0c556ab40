"""Checks that the text of a module, read back and printed again, is the same text."""

from __future__ import annotations

from itertools import zip_longest

from jitcore.ir.analysis import all_bindings
from jitcore.ir.nodes import Graph, Module
from jitcore.ir.parser import parse
from jitcore.ir.printer import to_text
from jitcore.source import InternalError


def check_round_trip(root: Module | Graph) -> None:
    """Raises InternalError, showing the first line that differs."""
    text = to_text(root)
    again = to_text(parse(text.text, {b.op.name: b.op for b in all_bindings(root)}, text.table))
    for ours, theirs in zip_longest(text.text.splitlines(), again.text.splitlines(), fillvalue="(nothing)"):
        if ours != theirs:
            raise InternalError(f"the text form does not read back:\n  printed    {ours}\n  then       {theirs}")
