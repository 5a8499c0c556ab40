"""Who is asked, line by line, about operators of Tensors beside what is neither a Tensor nor a Python number, about `~`
about `in`, formats and NumPy's functions: the framework whose Tensors they are."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.primitives.core.dialects import OperandRules, dialect_of

OWN: Final = object()
"""The answer that leaves an operator to jitcore."""


def operated(op: str, *operands: Any) -> Any:
    """The result of an operator by the rules; `OWN` where they leave it to jitcore, as they do with jitcore's own
    code."""
    rules = _rules_of(operands)
    return OWN if rules is None or _is_asked_by_library() else rules.operator(op, operands)


def called(function: Callable[..., Any], inputs: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """The result of a function of NumPy's that is called on Tensors by the rules, or `OWN`."""
    rules = _rules_of(inputs)
    return OWN if rules is None or _is_asked_by_library() else rules.ufunc(function, inputs, keywords)


def _rules_of(operands: Sequence[Any]) -> OperandRules | None:
    """The rules of the first operand that is a Tensor of a dialect."""
    dialect = next((found for o in operands if (found := dialect_of(o)) is not None), None)
    return None if dialect is None else dialect.operands


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
