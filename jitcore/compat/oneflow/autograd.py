"""`oneflow.autograd`: gradients of what was computed line by line."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.compat.torch import autograd, custom
from jitcore.compat.torch.autograd import enable_grad, inference_mode, is_grad_enabled, no_grad, set_grad_enabled
from jitcore.library.core import marking
from jitcore.runtime.tensor import Tensor

__all__ = [
    "Function",
    "backward",
    "enable_grad",
    "grad",
    "inference_mode",
    "is_grad_enabled",
    "no_grad",
    "set_grad_enabled",
]


class Function(custom.Function):
    """A function with a way back of its own: subclasses define `forward` and `backward`. `apply`, or calling an object
    of the class, calls it."""

    def __init__(self) -> None:
        pass

    def __call__(self, *args: object) -> Any:
        return type(self).apply(*args)


@marking.between
def backward(
    outputs: Tensor | Sequence[Tensor],
    out_grads: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
) -> None:
    """Add the gradients of Tensors to the `grad` of what they came of."""
    autograd.backward(outputs, out_grads, retain_graph or create_graph, create_graph)


@marking.between
def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool = False,
    create_graph: bool = False,
    allow_unused: bool = False,
    is_grads_batched: bool = False,
) -> tuple[Any, ...]:
    """The gradients of outputs by inputs."""
    retained = retain_graph or create_graph
    return autograd.grad(
        outputs,
        inputs,
        grad_outputs,
        retained,
        create_graph,
        allow_unused=allow_unused,
        is_grads_batched=is_grads_batched,
    )
