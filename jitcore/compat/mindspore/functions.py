"""MindSpore's `_Function`: what users compute forwards and backwards themselves, with a context between the two."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.library.array import creation
from jitcore.library.math import elementwise
from jitcore.runtime import custom, tape
from jitcore.runtime.tensor import Tensor


class FunctionContext:
    """What `forward` leaves for `backward`, besides attributes that it sets."""

    def __init__(self, args: Sequence[Any]) -> None:
        self.needs_input_grad = tuple(isinstance(a, Tensor) for a in args)
        self.saved_tensors: tuple[Any, ...] = ()
        self.materialize_grads = True
        self._dirty: tuple[Any, ...] = ()
        self._constant: tuple[Any, ...] = ()

    def save_for_backward(self, *tensors: Any) -> None:
        """Keep Tensors as `saved_tensors`."""
        self.saved_tensors = tensors

    def mark_dirty(self, *tensors: Any) -> None:
        """Say which inputs were written to: they must be among the results."""
        if not all(isinstance(t, Tensor) for t in tensors):
            raise RuntimeError("each element of dirty_tensors should be a tensor")
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Any) -> None:
        """Say which results are constants to gradients."""
        if not all(isinstance(t, Tensor) for t in tensors):
            raise RuntimeError("each element of non_differentiable should be a tensor")
        self._constant = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether the gradient of a result that nothing came of is zeros (else None)."""
        self.materialize_grads = bool(value)

    def seen(self, given: Sequence[Any], result: Any) -> tuple[list[bool], list[tuple[int, int]]]:
        """Whether each item of what `forward` returned has a gradient, and which arguments that were written to which
        items are. Raises RuntimeError if one of these is no item."""
        items: Sequence[Any] = result if isinstance(result, tuple) else (result,)
        written = [
            (k, n) for k, a in enumerate(given) for n, item in enumerate(items) if item is a and self._is_dirty(a)
        ]
        if not all(any(item is d for item in items) for d in self._dirty):
            raise RuntimeError("The dirty tensors must all be outputs of the forward function.")
        return [not any(item is c for c in self._constant) for item in items], written

    def _is_dirty(self, value: Any) -> bool:
        return any(value is d for d in self._dirty)


class Function:
    """A function with a gradient of its own: subclasses define `forward(ctx, *args)` and `backward(ctx, *gradients)`,
    which gives a gradient (or None) for each argument. It runs line by line.

    >>> from jitcore import PYNATIVE_MODE, GRAPH_MODE, Tensor, grad, set_context
    >>> set_context(mode=PYNATIVE_MODE)
    >>> class Cube(Function):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         ctx.save_for_backward(x)
    ...         return x * x * x
    ...     @staticmethod
    ...     def backward(ctx, gradient):
    ...         (x,) = ctx.saved_tensors
    ...         return gradient * 30 * x * x
    >>> print(grad(Cube.apply)(Tensor([2.0])))
    [120.]
    >>> set_context(mode=GRAPH_MODE)
    """

    @staticmethod
    def forward(ctx: Any, *args: Any, **keywords: Any) -> Any:
        """Compute the result."""
        raise NotImplementedError("a _Function defines forward")

    @staticmethod
    def backward(ctx: Any, *gradients: Any) -> Any:
        """The gradients of the arguments, given those of the results."""
        raise NotImplementedError("a _Function defines backward")

    @classmethod
    def apply(cls, *args: Any, **keywords: Any) -> Any:
        """Call it."""
        ctx = FunctionContext(args)
        recording = tape.recording()
        counted: list[bool] = []
        written: list[tuple[int, int]] = []

        def function(*given: Any) -> Any:
            if recording:  # what it writes to is written to arguments below, where gradients see it
                given = tuple(g.copy() if isinstance(g, Tensor) else g for g in given)
            result = cls.forward(ctx, *given, **keywords)
            found = ctx.seen(given, result)
            counted.extend(found[0])
            written.extend(found[1])
            return result

        def absent(result: Any) -> Any:
            return creation.zeros_like(result) if ctx.materialize_grads else None

        def backward(*values: Any) -> Any:
            *_, result, gradient = values
            given: Sequence[Any] = gradient if isinstance(result, tuple) else (gradient,)
            results: Sequence[Any] = result if isinstance(result, tuple) else (result,)
            if not any(counted):
                return tuple(None for _ in args)
            known = [g if counts else absent(r) for g, r, counts in zip(given, results, counted, strict=True)]
            found = cls.backward(ctx, *known)
            return _checked(found if isinstance(found, tuple) else (found,), args)

        result = custom.call(function, backward, args, {}, absent=absent)
        if not (recording and written):
            return result
        items = list(result) if isinstance(result, tuple) else [result]
        for k, n in written:
            items[n] = elementwise.assign(args[k], items[n])
        return tuple(items) if isinstance(result, tuple) else items[0]


def _checked(found: tuple[Any, ...], args: Sequence[Any]) -> tuple[Any, ...]:
    """What `backward` gave, if it fits the arguments."""
    if len(found) != len(args):
        raise RuntimeError(
            f"Function backward return a wrong number of gradients: {len(found)} for {len(args)} arguments"
        )
    for gradient, arg in zip(found, args, strict=True):
        if gradient is None:
            continue
        if not isinstance(arg, Tensor):
            raise RuntimeError("Input is not tensor, but gradient is not none")
        if not isinstance(gradient, Tensor):
            raise RuntimeError(f"Gradient should be none or tensor, not {type(gradient).__name__}")
        if gradient.shape and not custom.is_broadcast(arg.shape, gradient.shape):
            raise RuntimeError(
                f"For custom function, grad tensor should be broadcast to the input: {gradient.shape} to {arg.shape}"
            )
    return found
