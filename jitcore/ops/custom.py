"""Operators whose gradient the user gives, and those that call the user's NumPy code."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.primitives.custom import CustomGradient
from jitcore.runtime import custom
from jitcore.runtime.tensor import Tensor


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


class PyFunc:
    """A function of ndarrays as an operator on Tensors, which gives a tuple of them.

    >>> import numpy as np
    >>> from jitcore import Tensor, float32
    >>> total = PyFunc(lambda a, b: a + b, (float32, float32), ((2,), (2,)), (float32,), ((2,),))
    >>> print(total(Tensor([1.0, 2.0]), Tensor([3.0, 4.0]))[0])
    [4. 6.]
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        in_types: Any,
        in_shapes: Any,
        out_types: Any,
        out_shapes: Any,
        stateful: bool = True,
    ) -> None:
        if len(in_types) != len(in_shapes) or len(out_types) != len(out_shapes):
            raise ValueError("PyFunc takes a type and a shape for each operand, and for each result.")
        self.fn, self.out_types, self.stateful = fn, tuple(out_types), stateful
        self.count = len(in_types)

    def __call__(self, *operands: Any) -> tuple[Tensor, ...]:
        if len(operands) != self.count:
            raise ValueError(f"PyFunc was made for {self.count} operands, not {len(operands)}.")
        made = self.fn(*[v.asnumpy() if isinstance(v, Tensor) else v for v in operands])
        listed = made if isinstance(made, tuple | list) else (made,)
        return tuple(Tensor(np.asarray(v), dtype) for v, dtype in zip(listed, self.out_types, strict=True))
