"""Which operations MindSpore's compiler computes before the run so that only the value is left of them."""

from __future__ import annotations

from typing import Final

_ALWAYS: Final = frozenset((
    "abs", "broadcast_to", "cast", "concatenate", "copy", "extent", "from_scalar", "full", "iota", "neg", "reduce_max",
    "reduce_min", "reduce_prod", "reduce_sum", "reshape", "sqrt", "stop_gradient",
))  # fmt: skip
_OF_ONE_SHAPE: Final = frozenset((
    "add", "div", "equal", "greater", "greater_equal", "less", "less_equal", "mul", "not_equal", "sub",
))  # fmt: skip


def folded(op: str, *, alike: bool) -> str | None:
    """The operation if nothing but its value is left; `alike`: its operands are of one shape."""
    return op if op in _ALWAYS or (alike and op in _OF_ONE_SHAPE) else None
