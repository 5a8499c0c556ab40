"""Rounds of a `Parallel` that need more of their call than memory: these run in order."""

from __future__ import annotations

from typing import Final

from jitcore.program import nodes as n
from jitcore.program.walk import set_by, statements

_ALONE: Final = (
    *(n.Scalar, n.Offset, n.LoadElement, n.StoreElement, n.Alloc, n.Constant, n.Launch, n.Copy, n.Check),
    *(n.If, n.While, n.Poll),
)
"""What rounds may do at the same time."""
_COUNTED: Final = (n.Retain, n.Release, n.IsUnique)
"""What they may do to blocks of their own."""


def are_apart(program: n.Program, body: n.Block) -> bool:
    """Whether rounds need nothing of the call but memory, and Python functions of numbers."""
    inside = {r for s in statements(body) for r in set_by(s)}

    def is_apart(s: n.Statement) -> bool:
        if isinstance(s, n.Host):
            return program.host_calls[s.index].bare
        return isinstance(s, _ALONE) or (isinstance(s, _COUNTED) and s.owner in inside)

    return all(map(is_apart, statements(body)))
