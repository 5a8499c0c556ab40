"""Operators whose gradient the user gives."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.primitives.custom import CustomGradient
from jitcore.runtime import custom


def _same(*args: Any) -> Any:
    return args[0] if len(args) == 1 else args


class InsertGradientOf:
    """x itself; on the way back its gradient is `f(gradient)`.

    >>> from jitcore import Tensor, grad
    >>> clip = InsertGradientOf(lambda gradient: gradient * 0.5)
    >>> print(grad(lambda x: clip(x) * 4)(Tensor([1.0])))
    [2.]
    """

    def __init__(self, f: Callable[..., Any]) -> None:
        if not callable(f):
            raise TypeError(f"InsertGradientOf takes a function, not {type(f).__name__}")
        self.f = f

    @property
    def __jitcore_custom_gradient__(self) -> CustomGradient:
        return CustomGradient(_same, self._backward)

    def _backward(self, x: Any, out: Any, gradient: Any) -> Any:
        return self.f(gradient)

    def __call__(self, x: Any) -> Any:
        return custom.call(_same, self._backward, (x,), {})


class HookBackward:
    """The inputs themselves; on the way back `hook_fn(gradient)` (of several inputs: a tuple) is called, and what it returns,
    unless None, is the gradient."""

    def __init__(self, hook_fn: Callable[..., Any], cell_id: str = "") -> None:
        if not callable(hook_fn):
            raise TypeError(f"HookBackward takes a function, not {type(hook_fn).__name__}")
        self.hook_fn = hook_fn
        self.cell_id = cell_id

    @property
    def __jitcore_custom_gradient__(self) -> CustomGradient:
        return CustomGradient(_same, self._backward)

    def _backward(self, *values: Any) -> Any:
        gradient = values[-1]
        found = self.hook_fn(gradient)
        return gradient if found is None else found

    def __call__(self, *inputs: Any) -> Any:
        return custom.call(_same, self._backward, inputs, {})
