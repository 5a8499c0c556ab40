"""`no_grad`: a part of a program that gradients do not see."""

from __future__ import annotations

import functools
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import Any

from jitcore.runtime import tape


class _Differentiated:
    """Whether a gradient is being taken. Compiled code may only ask where none is: it goes back line by line else."""

    __jitcore_line_by_line__ = "the gradient of what has a part under no_grad"

    def __call__(self) -> bool:
        return tape.recording()


_differentiated = _Differentiated()


class _Constructible(type):
    """The class of classes whose objects compiled code can make."""

    __jitcore_library__ = True


class no_grad(metaclass=_Constructible):
    """Under `with no_grad():`, and in functions decorated with `@no_grad()`, what is computed is a constant to
    gradients.

    >>> from jitcore import Tensor, grad
    >>> def f(x):
    ...     with no_grad():
    ...         y = x * x
    ...     return x * y
    >>> print(grad(f)(Tensor([3.0])))
    [9.]
    """

    def __init__(self) -> None:
        self._paused: list[AbstractContextManager[None]] = []

    def __enter__(self) -> None:
        if _differentiated():
            paused = tape.paused()
            paused.__enter__()
            self._paused.append(paused)

    def __exit__(self, cls: Any, error: Any, traceback: Any) -> None:
        if len(self._paused) > 0:
            self._paused.pop().__exit__(cls, error, traceback)

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def without(*args: Any, **keywords: Any) -> Any:
            with no_grad():
                return function(*args, **keywords)

        return without
