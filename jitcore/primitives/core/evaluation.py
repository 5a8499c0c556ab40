"""Who evaluates a primitive when it is called: the current evaluator of this thread.

`passes` push an evaluator that writes bindings into a graph (`ir.builder`); `runtime` sets the one below
all others, which computes at once.
"""

from __future__ import annotations

import threading
from collections.abc import Generator, Mapping
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol

from jitcore.source import InternalError
from jitcore.types import Type

if TYPE_CHECKING:
    from jitcore.primitives.core.registry import Primitive


class Evaluator(Protocol):
    """Computes or records primitives on values of its own kind."""

    def bind(self, primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]) -> Any:
        """Evaluate: the result, a tuple of results, or None if there are none. Python numbers among the arguments of
        array primitives take the dtype the primitive's other arguments have."""
        ...

    def type_of(self, value: Any) -> Type:
        """The type of one of its values (or of a Python number)."""
        ...


class _Stack(threading.local):
    def __init__(self) -> None:
        self.evaluators: list[Evaluator] = []


_stack = _Stack()
_eager: list[Evaluator] = []


def set_eager(evaluator: Evaluator) -> None:
    """Make `evaluator` the one used where none is pushed."""
    _eager[:] = [evaluator]


def eager() -> Evaluator:
    """The evaluator used where none is pushed."""
    if not _eager:
        raise InternalError("no evaluator: jitcore.runtime has not been imported")
    return _eager[0]


def current() -> Evaluator:
    """The evaluator in force in this thread."""
    return _stack.evaluators[-1] if _stack.evaluators else eager()


def is_tracing() -> bool:
    """Whether calls are being recorded rather than computed."""
    return bool(_stack.evaluators)


@contextmanager
def evaluating_by(evaluator: Evaluator) -> Generator[None]:
    """Evaluate the primitives called inside by `evaluator`."""
    _stack.evaluators.append(evaluator)
    try:
        yield
    finally:
        _stack.evaluators.pop()


def bind(primitive: Primitive, args: tuple[Any, ...], params: Mapping[str, Any]) -> Any:
    """Evaluate a primitive by the current evaluator."""
    return current().bind(primitive, args, params)


def typeof(value: Any) -> Type:
    """The type of a value of the current evaluator."""
    return current().type_of(value)
