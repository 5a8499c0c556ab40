"""`paddle.autograd`, and what the module `paddle` has of it: gradients of what was computed line by line."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Generator, Sequence
from contextlib import contextmanager
from typing import Any, Final, cast

import numpy as np

from jitcore import ops
from jitcore.compat.torch.autograd import enable_grad, is_grad_enabled, no_grad, set_grad_enabled
from jitcore.library.core import marking
from jitcore.runtime import autograd, nodes
from jitcore.runtime import backward as way
from jitcore.runtime.tensor import Tensor, wrap_like

__all__ = [
    "Jacobian",
    "backward",
    "enable_grad",
    "grad",
    "hessian",
    "is_grad_enabled",
    "jacobian",
    "no_grad",
    "set_grad_enabled",
]

TWICE: Final = (
    "backward twice for the same subgraph without setting retain_graph=True. Please set retain_graph=True in the "
    "first backward/grad call."
)


def _several(given: object, what: str) -> list[Any]:
    """Tensors, one or several. Raises TypeError for anything else."""
    items = list(cast("Sequence[object]", given)) if isinstance(given, list | tuple) else [given]
    for item in items:
        if not isinstance(item, Tensor):
            raise TypeError(f"{what} must be a Tensor or a list of Tensors, not {type(item).__name__}")
    return items


def _seeds(outputs: Sequence[Any], given: object, what: str, create_graph: bool) -> list[tuple[Tensor, Tensor]]:
    """Outputs with their cotangents, which are 1 where none are given; outputs that need no gradient are left out."""
    seeds: list[Any] = [None] * len(outputs)
    if given is not None:
        seeds = list(cast("Sequence[object]", given)) if isinstance(given, list | tuple) else [given]
    if len(seeds) != len(outputs):
        raise ValueError(
            f"The length of {what} must be equal to that of the Tensors, {len(outputs)}, but received {len(seeds)}"
        )
    made: list[tuple[Tensor, Tensor]] = []
    for output, seed in zip(outputs, seeds, strict=True):
        if not autograd.needs_gradient(output):
            continue
        if seed is None:
            seed = wrap_like(output, np.ones_like(output._array))
        elif not isinstance(seed, Tensor):
            raise TypeError(f"{what} must be Tensors or None, not {type(seed).__name__}")
        elif seed._array.shape != output._array.shape:
            raise ValueError(
                f"{what} has the shape {list(seed._array.shape)}, but its Tensor {list(output._array.shape)}"
            )
        made.append((output, seed if create_graph else nodes.detached(seed)))
    return made


@contextmanager
def _once() -> Generator[None]:
    """SystemError, as Paddle has it, where a graph is gone."""
    try:
        yield
    except RuntimeError as error:
        if str(error) != nodes.FREED:
            raise
        raise SystemError(TWICE) from None


@contextmanager
def _ending_at(tensors: Sequence[Tensor]) -> Generator[None]:
    """Gradients that come to these Tensors are 0 from there on."""
    needed = [tensor for tensor in tensors if autograd.needs_gradient(tensor)]
    removals = [
        autograd.register_hook(tensor, lambda gradient: wrap_like(gradient, np.zeros_like(gradient._array)))
        for tensor in needed
    ]
    try:
        yield
    finally:
        for remove in removals:
            remove()


@marking.between
def backward(
    tensors: Tensor | Sequence[Tensor],
    grad_tensors: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool = False,
) -> None:
    """Add the gradients of Tensors to the `grad` of what they came of. Raises SystemError where the graph is gone,
    unless the last call was told to retain it."""
    seeds = _seeds(_several(tensors, "tensors"), grad_tensors, "grad_tensors", False)
    with _once():
        if seeds:
            way.backward(seeds, keep_graph=retain_graph)


@marking.between
def grad(
    outputs: Tensor | Sequence[Tensor],
    inputs: Tensor | Sequence[Tensor],
    grad_outputs: Tensor | Sequence[Tensor | None] | None = None,
    retain_graph: bool | None = None,
    create_graph: bool = False,
    only_inputs: bool = True,
    allow_unused: bool = False,
    no_grad_vars: Tensor | Sequence[Tensor] | None = None,
) -> list[Any]:
    """The gradients of outputs by inputs, where none goes through `no_grad_vars`. Raises ValueError for inputs that are
    not used unless `allow_unused`, which gives None for them."""
    if not only_inputs:
        raise NotImplementedError("paddle.grad: only_inputs=False is not supported yet")
    wanted = _several(inputs, "inputs")
    seeds = _seeds(_several(outputs, "outputs"), grad_outputs, "grad_outputs", create_graph)
    kept = create_graph if retain_graph is None else retain_graph
    stopped = [] if no_grad_vars is None else _several(no_grad_vars, "no_grad_vars")
    needed = [tensor for tensor in wanted if autograd.needs_gradient(tensor)]
    with _once(), _ending_at(stopped):
        known = iter(
            way.gradients(seeds, needed, keep_graph=kept, create_graph=create_graph) if seeds and needed else []
        )
    found: list[Any] = [next(known, None) if autograd.needs_gradient(tensor) else None for tensor in wanted]
    for k, gradient in enumerate(found):
        if gradient is None and not allow_unused:
            raise ValueError(
                f"(InvalidArgument) The {k}-th input does not appear in the backward graph. Please check the input "
                "tensor or set allow_unused=True to get None result."
            )
    return found


# --- all derivatives ----------------------------------------------------------------------------------


class Jacobian:
    """The derivatives of a row of numbers by another, as a matrix: `J[:]` is the Tensor."""

    def __init__(self, matrix: Tensor) -> None:
        self._matrix: Any = matrix

    @property
    def shape(self) -> Any:
        """The extents."""
        return self._matrix.shape

    def __getitem__(self, key: object) -> Any:
        return self._matrix[key]

    def __getattr__(self, name: str) -> Any:
        return getattr(self._matrix, name)


@marking.between
def jacobian(ys: Tensor | Sequence[Tensor], xs: Tensor | Sequence[Tensor], batch_axis: int | None = None) -> Any:
    """The derivatives of `ys` by `xs`, which have an axis or none: a Jacobian, or tuples of them where several Tensors
    are given. With `batch_axis=0` the first axes are of rows that do not depend on one another. Raises ValueError for
    other ranks."""
    if isinstance(ys, list | tuple):
        return tuple(jacobian(y, xs, batch_axis) for y in ys)
    if isinstance(xs, list | tuple):
        return tuple(jacobian(ys, x, batch_axis) for x in xs)
    if batch_axis not in (None, 0):
        raise ValueError(f"batch_axis should be None or 0, but got {batch_axis!r}")
    y, x = cast("Any", ys), cast("Any", xs)
    most = 1 if batch_axis is None else 2
    for tensor, name in ((y, "ys"), (x, "xs")):
        if tensor.ndim > most:
            raise ValueError(
                f"{name}.ndim should be at most {most} when batch_axis is {batch_axis}, but got {tensor.ndim}"
            )
    columns = [y] if y.ndim < most else [y[..., k] for k in range(y.shape[-1])]
    rows = [grad(column, x, create_graph=True, allow_unused=True)[0] for column in columns]
    filled: list[Any] = [x * 0 if row is None else row for row in rows]
    if y.ndim < most:
        return Jacobian(filled[0])
    return Jacobian(ops.stack(filled, 0 if batch_axis is None else 1))


@marking.between
def hessian(ys: Tensor, xs: Tensor | Sequence[Tensor], batch_axis: int | None = None) -> Any:
    """The second derivatives of a number by `xs`. Raises ValueError if `ys` is more than one number (of each row)."""
    y = cast("Any", ys)
    if y.size != (1 if batch_axis is None else y.shape[0]):
        raise ValueError(f"hessian: ys should be one number, but has the shape {list(y.shape)}")
    several = isinstance(xs, list | tuple)
    wanted = list(cast("Sequence[Any]", xs)) if several else [cast("Any", xs)]
    firsts = grad(y, wanted, create_graph=True)
    made = tuple(tuple(jacobian(first, x, batch_axis) for x in wanted) for first in firsts)
    return made if several else made[0][0]
