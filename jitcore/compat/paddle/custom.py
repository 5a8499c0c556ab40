"""`paddle.autograd.PyLayer`: functions with a way back of their own."""

from __future__ import annotations

from typing import Any

from jitcore.compat.torch import custom
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor


class PyLayerContext(custom.FunctionCtx):
    """What `forward` leaves for `backward`: Tensors by `save_for_backward`, anything else as attributes."""

    def saved_tensor(self) -> tuple[Any, ...]:
        """The Tensors that were kept."""
        return self.saved_tensors

    def mark_not_inplace(self, *args: Tensor) -> None:
        """Say which arguments that are results were not written to."""
        del args

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros (or None) for results that nothing came of."""
        super().set_materialize_grads(value)


class PyLayer:
    """A function with a way back of its own: subclasses define the static methods `forward(ctx, …)` and
    `backward(ctx, *gradients)`, and are called by `apply`. `backward` gives one gradient, or None, for each Tensor
    among the arguments.

    >>> from jitcore.compat.paddle.functions.creation import to_tensor
    >>> class Double(PyLayer):
    ...     @staticmethod
    ...     def forward(ctx, x):
    ...         return x * 2
    ...     @staticmethod
    ...     def backward(ctx, dy):
    ...         return dy * 2
    >>> x = to_tensor([1.0], stop_gradient=False)
    >>> Double.apply(x).backward()
    >>> x.grad.item()
    2.0
    """

    @staticmethod
    def forward(ctx: PyLayerContext, *args: object, **kwargs: object) -> Any:
        """What it computes."""
        raise NotImplementedError("You must implement the forward function for PyLayer.")

    @staticmethod
    def backward(ctx: PyLayerContext, *args: Tensor) -> Any:
        """The gradients of its arguments by those of its results."""
        raise NotImplementedError("You must implement the backward function for PyLayer.")

    @classmethod
    def apply(cls, *args: object, **kwargs: object) -> Any:
        """Call it."""
        ctx = PyLayerContext()
        given = [value for value in (*args, *kwargs.values()) if isinstance(value, Tensor)]
        ctx.needs_input_grad = tuple(map(autograd.needs_gradient, given))
        with nodes.recording(False):
            result = cls.forward(ctx, *args, **kwargs)
        if not nodes.enabled() or not any(ctx.needs_input_grad):
            return result
        several = isinstance(result, list)
        made = custom.recorded(cls.__name__, ctx, given, tuple(result) if several else result, cls.backward)
        return list(made) if several else made
