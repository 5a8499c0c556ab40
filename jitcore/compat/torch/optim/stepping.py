"""Steps of optimizers, compiled: by one call, Parameters and what is kept beside them become what a rule says."""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import jitcore
from jitcore.library.core import marking
from jitcore.library.math import elementwise
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, wrap_like

Rule: TypeAlias = Callable[..., tuple[Any, ...]]
"""`rule(p, g, kept, numbers, *flags)`: the Parameter and what is kept, after the step."""


@functools.cache
def compiled(rule: Rule, flags: tuple[bool, ...], uphill: bool) -> Callable[..., None]:
    """The step of a rule, for many Parameters at once."""

    @marking.library("tensor")
    def changed(p: Tensor, g: Tensor, kept: Sequence[Tensor], numbers: Sequence[float]) -> Any:
        return rule(p, elementwise.negative(g) if uphill else g, kept, numbers, *flags)

    @jitcore.jit
    def step(params: list[Tensor], grads: list[Tensor], states: list[list[Tensor]], numbers: tuple[float, ...]) -> None:
        for p, g, kept in zip(params, grads, states):  # noqa: B905  compiled
            made = changed(p, g, kept, numbers)
            p[...] = made[0]
            for old, new in zip(kept, made[1:]):  # noqa: B905  compiled
                old[...] = new

    return step


def update(
    rule: Rule,
    flags: tuple[bool, ...],
    params: Sequence[Tensor],
    kept: Sequence[Sequence[Tensor]],
    numbers: tuple[float, ...],
    uphill: bool,
) -> None:
    """Change Parameters that have gradients, and what is kept of each, in their memory."""
    grads = [_reals(cast("Tensor", autograd.grad_of(p))) for p in params]
    states = [[_reals(t) for t in of_one] for of_one in kept]
    compiled(rule, flags, uphill)([_reals(p) for p in params], grads, states, numbers)


def _reals(tensor: Tensor) -> Tensor:
    """A Tensor of the same memory; of a complex one's parts, which are updated as numbers of their own."""
    plain = nodes.detached(tensor)
    array: Any = plain.asnumpy()
    if array.dtype.kind != "c":
        return plain
    return wrap_like(tensor, array.reshape(-1).view(array.real.dtype) if array.flags.c_contiguous else array)
