"""Checks that the text of a module, read back and printed again, is the same text."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from itertools import zip_longest
from typing import Any

from jitcore.ir.analysis import all_bindings
from jitcore.ir.nodes import Graph, Module, Op
from jitcore.ir.parser import parse
from jitcore.ir.printer import to_text
from jitcore.source import InternalError


def check_round_trip(root: Module | Graph) -> None:
    """Raises InternalError, showing the first line that differs."""
    text = to_text(root)
    ops = frozenset(b.op for b in all_bindings(root))
    if text.table:
        _check(text.text, ops, text.table)
    else:
        _check_once(text.text, ops)


def _check(text: str, ops: frozenset[Op], table: Mapping[str, Any]) -> None:
    again = to_text(parse(text, {op.name: op for op in ops}, table))
    for ours, theirs in zip_longest(text.splitlines(), again.text.splitlines(), fillvalue="(nothing)"):
        if ours != theirs:
            raise InternalError(f"the text form does not read back:\n  printed    {ours}\n  then       {theirs}")


@lru_cache(maxsize=256)
def _check_once(text: str, ops: frozenset[Op]) -> None:
    """Of a text without constants, which always reads the same: many passes give what another has given before."""
    _check(text, ops, {})
