"""`raise` statements."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Binding, Var
from jitcore.passes.infer.domain.values import PythonError, Raised, Static, Unreachable, Value
from jitcore.passes.infer.engine import dialect, failures, trying
from jitcore.passes.infer.engine.exception_calls import exception_arguments
from jitcore.passes.infer.engine.handlers import handles, is_in_library
from jitcore.primitives.ops.conversions import Handled

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@handles("py_raise")
def _py_raise(infer: Infer, b: Binding, values: list[Value], env: dict[Var, Value]) -> list[Value]:
    if len(values) < 2:
        trying.raise_again(infer, values[0] if values else None)
    raised = _exception(infer, values[0], "exceptions must derive from BaseException")
    if len(values) > 1:
        cause = trying.cause_of(infer, values[0], values[1])
        if not isinstance(raised, Raised):
            raise infer.unsupported("a cause given to an exception object made before the call", "a new exception")
        if not (isinstance(cause, Static) and (cause.value is None or cause.value is Handled)):
            cause = _exception(infer, cause, "exception causes must derive from BaseException")
        raised = Raised(raised.cls, raised.args, cause)
    if isinstance(raised, Static):
        raise PythonError(raised.value)
    if infer.notes_paths and not is_in_library(env):
        raised = dialect.worded(infer, raised)
    failures.emit_raise(infer, raised)
    raise Unreachable


def _exception(infer: Infer, value: Value, otherwise: str) -> Raised | Static:
    """An exception, or its class, as the exception object raised."""
    if isinstance(value, Static) and isinstance(value.value, type) and issubclass(value.value, BaseException):
        return Raised(value.value, tuple(exception_arguments(infer, value.value, (), {})))
    if isinstance(value, Raised) or (isinstance(value, Static) and isinstance(value.value, BaseException)):
        return value
    raise PythonError(TypeError(otherwise))
