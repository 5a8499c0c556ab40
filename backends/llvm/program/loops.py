"""Which loops LLVM's vectoriser is asked to look at, and what they need from around them.

Each becomes a function of its own, in a module of its own, so that only these few instructions go through the long
pipeline that has the vectoriser in it.
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Final

from jitcore.program import nodes as n
from jitcore.program.walk import statements
from jitcore.types import i64

_FEWEST_ROUNDS: Final = 64
"""Shorter loops are over before vectors pay."""
_OPERATIONS: Final = frozenset(
    [
        "add",
        "sub",
        "mul",
        "div",
        "neg",
        "abs",
        "min",
        "max",
        "sqrt",
        "floor",
        "ceil",
        "trunc",
        "rint",
        "and",
        "or",
        "xor",
        "not",
        "shl",
        "shr",
        "eq",
        "ne",
        "lt",
        "le",
        "gt",
        "ge",
        "isnan",
        "isinf",
        "isfinite",
        "select",
        "cast",
    ]
)
"""Scalar operations that vectors have, too."""
_IN_ANY_ORDER: Final = frozenset(
    ["add", "sub", "mul", "and", "or", "xor", "min", "max", "select", "cast", "eq", "ne", "lt", "le", "gt", "ge"]
)
"""What may be done to a number that rounds pass on."""


def is_for_vectors(loop: n.While, fastmath: Collection[str] = ()) -> bool:
    """Whether a loop counts, can neither fail nor end early, and might do several rounds at once: it writes to memory,
    or passes on only what rounds may do in any order, which goes by the flags that floats are computed by. Whether it
    can is for LLVM to find."""
    kinds = "iubf" if {"reassoc", "fast"}.intersection(fastmath) else "iub"
    if not _counts(loop) or any(c.type is None or c.type.kind not in kinds for c in loop.carries):
        return False
    passed_on = set(loop.carries[1:])
    writes = False
    for s in statements(loop.body):
        if isinstance(s, n.Scalar):
            if not _has_vectors(s) or (s.op not in _IN_ANY_ORDER and not passed_on.isdisjoint(s.args)):
                return False
        elif not isinstance(s, n.Offset | n.LoadElement | n.StoreElement | n.If):
            return False
        writes = writes or isinstance(s, n.StoreElement)
    return writes or bool(passed_on)


def _counts(loop: n.While) -> bool:
    if not loop.carries or loop.carries[0].type is not i64 or len(loop.test.statements) != 1:
        return False
    (test,) = loop.test.statements
    if not isinstance(test, n.Scalar) or test.op != "lt" or test.args[0] is not loop.carries[0]:
        return False
    end = test.args[1]
    return not isinstance(end, n.Imm) or (isinstance(end.value, int) and end.value >= _FEWEST_ROUNDS)


def _has_vectors(s: n.Scalar) -> bool:
    types = [operand.type for operand in (*s.args, s.out)]
    if s.op not in _OPERATIONS or any(t is None or t.kind == "c" for t in types):
        return False
    return s.op != "div" or all(t is not None and t.is_float for t in types)
