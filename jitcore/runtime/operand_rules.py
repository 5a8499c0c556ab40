"""Who is asked, line by line, about operators of Tensors beside what is neither a Tensor nor a Python number, about `~`
about `in`, formats and NumPy's functions: the rules of another framework."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.config import settings
from jitcore.primitives.core.dialects import dialect_of
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class OperandRules:
    """`operator(op, operands)` gives the result of an operator, or `OWN` for jitcore's own, or raises;
    `ufunc(function, inputs, keywords)` the same for a function of NumPy's."""

    operator: Callable[[str, Sequence[Any]], Any]
    ufunc: Callable[[Callable[..., Any], Sequence[Any], Mapping[str, Any]], Any]


OWN: Final = object()
"""The answer that leaves an operator to jitcore."""
_rules: list[OperandRules] = []


def follow(rules: OperandRules | None) -> None:
    """Ask these from now on; None: nobody."""
    _rules[:] = [] if rules is None else [rules]


def operated(op: str, *operands: Any) -> Any:
    """The result of an operator by the rules; `OWN` where they leave it to jitcore, as they do with jitcore's own
    code."""
    if not _holds(operands) or _is_asked_by_library():
        return OWN
    return _rules[0].operator(op, operands)


def called(function: Callable[..., Any], inputs: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The result of a function of NumPy's that is called on Tensors by the rules, or `OWN`."""
    if not _holds(inputs) or _is_asked_by_library():
        return OWN
    return _rules[0].ufunc(function, inputs, keywords)


def _holds(operands: Sequence[Any]) -> bool:
    """Whether there are rules, and no operand is of a class of Tensors that has its own."""
    return bool(_rules) and settings.mindspore_rules and all(dialect_of(o) is None for o in operands)


_BETWEEN: Final = frozenset(
    [
        __name__,
        "jitcore.modelled",
        "jitcore.runtime.methods",
        "jitcore.runtime.numpy_protocol",
        "jitcore.runtime.tensor",
    ]
)


def _is_asked_by_library() -> bool:
    """Whether the operator stands in a module of jitcore's."""
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame.f_back is not None and frame.f_globals.get("__name__") in _BETWEEN:
        frame = frame.f_back
    return str(frame.f_globals.get("__name__")).partition(".")[0] == "jitcore"
