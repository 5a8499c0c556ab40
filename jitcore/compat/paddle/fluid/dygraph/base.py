"""`fluid.dygraph`: dynamic mode."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any

from jitcore.compat.paddle import autograd, naming
from jitcore.compat.paddle.fluid.tensor import to_variable
from jitcore.compat.paddle.places import place_of
from jitcore.compat.paddle.static import modes
from jitcore.compat.paddle.tensor import Tensor
from jitcore.compat.torch.autograd import no_grad

__all__ = [
    "BackwardStrategy",
    "disable_dygraph",
    "enable_dygraph",
    "enabled",
    "grad",
    "guard",
    "in_dygraph_mode",
    "no_grad",
    "to_variable",
]


@contextmanager
def guard(place: object = None) -> Generator[None]:
    """Compute what is within, in place of recording it. Names are numbered anew.

    >>> import numpy as np
    >>> with guard():
    ...     print(to_variable(np.ones(2)).numpy())
    [1. 1.]
    """
    place_of(place)
    with modes.dynamic(), naming.guard():
        yield


def enabled() -> bool:
    """Whether dynamic mode is on."""
    return modes.is_chosen() and not modes.is_static()


in_dygraph_mode = enabled


def enable_dygraph(place: object = None) -> None:
    """Compute from now on."""
    place_of(place)
    modes.disable_static()


def disable_dygraph() -> None:
    """Record from now on."""
    modes.enable_static()


class BackwardStrategy:
    """How gradients are added up, which is in one order always."""

    def __init__(self) -> None:
        self.sort_sum_gradient = False


def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Sequence[Any] | None = None,
    backward_strategy: BackwardStrategy | None = None,
) -> list[Any]:
    """The gradients of outputs by inputs."""
    del backward_strategy
    return autograd.grad(
        outputs, inputs, grad_outputs, retain_graph, create_graph, only_inputs, allow_unused, no_grad_vars
    )
