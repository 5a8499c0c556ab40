"""`torch.autograd.Function`: functions with a way back of their own."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, NoReturn, cast

import numpy as np

from jitcore.primitives.core.broadcasting import sum_to_shape
from jitcore.primitives.ops import elementwise
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, wrap_like
from jitcore.types import has_derivatives


class FunctionCtx:
    """What `forward` leaves for `backward`."""

    needs_input_grad: tuple[bool, ...] = ()

    def __init__(self) -> None:
        self._saved: list[_Kept] = []
        self._dirty: tuple[Tensor, ...] = ()
        self._without: tuple[Tensor, ...] = ()
        self._materialize = True
        self._freed = False

    def save_for_backward(self, *tensors: Tensor | None) -> None:
        """Keep Tensors; `saved_tensors` gives them."""
        self._saved = [_Kept(t) for t in tensors]

    @property
    def saved_tensors(self) -> tuple[Any, ...]:
        """What was kept. Raises RuntimeError if it was written to since, or has been freed."""
        if self._freed:
            raise RuntimeError(nodes.FREED)
        return tuple(kept.get() for kept in self._saved)

    def mark_dirty(self, *tensors: Tensor) -> None:
        """Say which arguments were written to."""
        self._dirty = tensors

    def mark_non_differentiable(self, *tensors: Tensor) -> None:
        """Say which results have no gradient."""
        self._without = tensors

    def set_materialize_grads(self, value: bool) -> None:
        """Whether `backward` gets zeros (or None) for results that nothing came of."""
        self._materialize = value


class _Kept:
    """A Tensor that was saved; of a result not the Tensor itself, which keeps what made it."""

    def __init__(self, tensor: Tensor | None) -> None:
        self.tensor = tensor
        self.version = 0 if tensor is None else tensor.storage.version
        self.edge: tuple[nodes.Node, int] | None = None

    def let_go(self, edge: tuple[nodes.Node, int]) -> None:
        assert self.tensor is not None
        self.tensor = nodes.detached(self.tensor)
        self.edge = edge

    def get(self) -> Tensor | None:
        tensor = self.tensor
        if tensor is None:
            return None
        if tensor.storage.version != self.version:
            raise RuntimeError(
                "one of the variables needed for gradient computation has been modified by an inplace operation: "
                f"[{tensor._dtype} {list(tensor._array.shape)}] is at version {tensor.storage.version}; expected "
                f"version {self.version} instead."
            )
        if self.edge is None:
            return tensor
        made = nodes.detached(tensor)
        made._history = nodes.History(self.edge)
        return made


def _without_forward(*args: object, **kwargs: object) -> NoReturn:
    raise NotImplementedError("You must implement the forward function for custom autograd.Function.")


def _without_backward(*args: object) -> NoReturn:
    raise NotImplementedError(
        "You must implement either the backward or vjp method for your custom autograd.Function to use it with "
        "backward mode AD."
    )


class Function:
    """A function with a way back of its own: subclasses define `forward` and `backward`, and are called by `apply`."""

    def __init__(self) -> None:
        raise RuntimeError(
            f"{type(self)} should not be instantiated. Methods on autograd functions are all static, so you should "
            "invoke them on the class itself. Instantiating an autograd function will raise an error in a future "
            "version of PyTorch."
        )

    forward: Callable[..., Any] = staticmethod(_without_forward)
    """What it computes."""

    @staticmethod
    def setup_context(ctx: FunctionCtx, inputs: tuple[Any, ...], output: object) -> None:
        """What it keeps, where `forward` has no context."""
        raise NotImplementedError("setup_context is not implemented.")

    backward: Callable[..., Any] = staticmethod(_without_backward)
    """The gradients of its arguments by those of its results."""
    vjp = backward

    @classmethod
    def apply(cls, *args: object) -> Any:
        """Call it."""
        ctx = FunctionCtx()
        ctx.needs_input_grad = tuple(isinstance(a, Tensor) and autograd.needs_gradient(a) for a in args)
        with nodes.recording(False):
            if cls.setup_context is not Function.setup_context:
                result = cls.forward(*args)
                cls.setup_context(ctx, args, result)
            else:
                result = cls.forward(ctx, *args)
        if not nodes.enabled() or not any(ctx.needs_input_grad):
            return result
        backward = cls.vjp if cls.vjp is not Function.vjp else cls.backward
        return recorded(cls.__name__, ctx, args, result, backward)


def recorded(name: str, ctx: FunctionCtx, args: Sequence[Any], result: object, backward: Callable[..., Any]) -> Any:
    """The results of a call, with the node that made them, whose way back `backward(ctx, *gradients)` is."""
    several = isinstance(result, tuple)
    outs = list(cast("tuple[Any, ...]", result)) if several else [result]
    for k, out in enumerate(outs):
        if isinstance(out, Tensor) and any(out is a for a in args) and all(out is not d for d in ctx._dirty):
            outs[k] = nodes.detached(out)
    way = functools.partial(_way_back, name, backward, ctx, args, [_like(out) for out in outs])
    edges = [autograd.edge_of(a) if isinstance(a, Tensor) else None for a in args]
    node = nodes.Custom(name, edges, len(outs), way)
    for k, out in enumerate(outs):
        if not isinstance(out, Tensor):
            continue
        for kept in ctx._saved:
            if kept.tensor is out:
                kept.let_go((node, k))
        if has_derivatives(out._dtype) and all(out is not w for w in ctx._without):
            out._history = nodes.History((node, k))
    return tuple(outs) if several else outs[0]


def _like(out: object) -> Callable[[], Tensor] | None:
    """What makes the zeros that stand for no gradient of a result."""
    if not isinstance(out, Tensor):
        return None
    like, shape, dtype = nodes.detached(out), out._array.shape, out._array.dtype
    return lambda: wrap_like(like, np.zeros(shape, dtype))


def _way_back(
    name: str,
    backward: Callable[..., Any],
    ctx: FunctionCtx,
    args: Sequence[Any],
    zeros: Sequence[Callable[[], Tensor] | None],
    cotangents: Sequence[Any],
) -> list[Any]:
    """The gradients of the arguments by those of the results."""
    given = [
        z() if ct is None and z is not None and ctx._materialize else ct
        for ct, z in zip(cotangents, zeros, strict=True)
    ]
    found = backward(ctx, *given)
    made = list(cast("tuple[Any, ...]", found)) if isinstance(found, tuple) else [found]
    if len(made) > len(args) and all(g is None for g in made[len(args) :]):
        del made[len(args) :]
    if len(made) != len(args):
        raise RuntimeError(
            f"function {name}Backward returned an incorrect number of gradients (expected {len(args)}, got {len(made)})"
        )
    return [_fitted(name, k, g, a) for k, (g, a) in enumerate(zip(made, args, strict=True))]


def _fitted(name: str, k: int, gradient: Tensor | None, arg: object) -> Any:
    """A gradient in the shape and dtype of its argument."""
    if gradient is None or not isinstance(arg, Tensor):
        return None
    shape, dtype = arg._array.shape, arg._dtype
    if gradient._array.shape != shape:
        try:
            np.broadcast_to(np.empty(shape, np.bool_), gradient._array.shape)
        except ValueError:
            raise RuntimeError(
                f"Function {name}Backward returned an invalid gradient at index {k} - got "
                f"{list(gradient._array.shape)} but expected shape compatible with {list(shape)}"
            ) from None
        made = sum_to_shape(gradient, shape)
    else:
        made = gradient
    return made if made._dtype is dtype else elementwise.cast(made, dtype=dtype)


def once_differentiable(function: Callable[..., Any]) -> Callable[..., Any]:
    """A `backward` of which no gradients are taken."""

    @functools.wraps(function)
    def call(ctx: FunctionCtx, *gradients: object) -> Any:
        with nodes.recording(False):
            return function(ctx, *gradients)

    return call
