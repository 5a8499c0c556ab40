"""What another framework's rules say where a gradient is taken: to the parameters of functions that users give for the
way back."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from jitcore.passes.infer.domain.values import PythonError, Static, Value
from jitcore.passes.infer.engine import dialect
from jitcore.passes.infer.engine.operands import Operation, describe

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def require_backward(infer: Infer, backward: Value, args: Sequence[Value], receiver: Sequence[Value]) -> None:
    """Refuse, if the rules do, the parameters of a Cell's `bprop`, of a call with these arguments."""
    if not infer.notes_paths or not isinstance(backward, Static) or not receiver:
        return
    operands = tuple(describe(infer, v) for v in args)
    answer = dialect.ask(infer, Operation("backward", backward.value, operands))
    if isinstance(answer, BaseException):
        raise PythonError(answer)
