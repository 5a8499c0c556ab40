"""`torch.autograd.gradcheck` and `gradgradcheck`: gradients compared with differences."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from jitcore.compat.torch import autograd as ways
from jitcore.runtime import autograd, nodes
from jitcore.runtime.tensor import Tensor, wrap_like

Function: TypeAlias = Callable[..., Any]
Inputs: TypeAlias = Tensor | Sequence[Any]
Matrix: TypeAlias = "np.ndarray[Any, Any]"


class GradcheckError(RuntimeError):
    """Gradients that differ from differences."""


def gradcheck(
    func: Function,
    inputs: Inputs,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """Whether the gradients of `func(*inputs)` by the inputs that need some are central differences with steps of
    `eps`, to `atol + rtol * |difference|` for each element. Inputs and results are real Tensors of any shape, float64
    for the default tolerances. Raises GradcheckError where they differ, unless `raise_exception` is False, and
    ValueError where no input needs a gradient.

    >>> from jitcore.compat.torch.functions.creation import tensor
    >>> from jitcore.compat.torch.dtypes import float64
    >>> gradcheck(lambda x: x * x, tensor([1.0, 2.0], dtype=float64, requires_grad=True))
    True
    """
    given: list[Any] = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    wanted = _differentiable(given)
    if not wanted:
        raise ValueError(
            "gradcheck expects at least one input tensor to require gradient, but none of the them have "
            "requires_grad=True."
        )
    found = _analytical(func, given, wanted)
    for k in wanted:
        measured = _numerical(func, given, k, eps)
        for place, (ours, theirs) in enumerate(zip(found[k], measured, strict=True)):
            if np.allclose(ours, theirs, rtol, atol):
                continue
            if not raise_exception:
                return False
            raise GradcheckError(
                f"Jacobian mismatch for output {place} with respect to input {k},\nnumerical:{theirs}\n"
                f"analytical:{ours}\n"
            )
    return True


def gradgradcheck(
    func: Function,
    inputs: Inputs,
    grad_outputs: Inputs | None = None,
    *,
    eps: float = 1e-6,
    atol: float = 1e-5,
    rtol: float = 1e-3,
    raise_exception: bool = True,
) -> bool:
    """As `gradcheck`, of the gradients themselves: of `func(*inputs)` by the inputs that need some, with `grad_outputs`
    (or numbers of its own) as those of the results."""
    given: list[Any] = [inputs] if isinstance(inputs, Tensor) else list(inputs)
    wanted = _differentiable(given)
    if grad_outputs is None:
        seeds = [_seed(out) for out in _results(func, given)]
    else:
        seeds = [grad_outputs] if isinstance(grad_outputs, Tensor) else list(grad_outputs)

    def gradients(*args: object) -> Any:
        inner: list[Any] = list(args[: len(given)])
        cotangents: list[Any] = list(args[len(given) :])
        chosen = [inner[k] for k in wanted]
        outs = _results(func, inner)
        return ways.grad(outs, chosen, cotangents, create_graph=True, allow_unused=True, materialize_grads=True)

    return gradcheck(gradients, [*given, *seeds], eps=eps, atol=atol, rtol=rtol, raise_exception=raise_exception)


def _differentiable(given: Sequence[object]) -> list[int]:
    """Which inputs need gradients."""
    return [k for k, x in enumerate(given) if isinstance(x, Tensor) and autograd.needs_gradient(x)]


def _results(func: Function, given: Sequence[object]) -> list[Any]:
    """The results that may have gradients."""
    made = func(*given)
    outs = list(made) if isinstance(made, tuple | list) else [made]
    return [out for out in outs if isinstance(out, Tensor) and out.detach().numpy().dtype.kind == "f"]


def _seed(out: Tensor) -> Any:
    """A cotangent of a result, none of whose elements is 0, that needs a gradient."""
    like = out.detach().numpy()
    made: Any = wrap_like(out, (np.cos(np.arange(like.size)) + 1.5).astype(like.dtype).reshape(like.shape))
    autograd.set_requires_grad(made, True)
    return made


def _analytical(func: Function, given: Sequence[Any], wanted: Sequence[int]) -> dict[int, list[Matrix]]:
    """By input, of each result: the derivatives, a row an element of the result."""
    outs = _results(func, given)
    rows: dict[int, list[Matrix]] = {k: [] for k in wanted}
    chosen = [given[k] for k in wanted]
    for out in outs:
        shape = out.detach().numpy().shape
        jacobians = [np.zeros((out.numel(), x.numel())) for x in chosen]
        for row in range(out.numel() if autograd.needs_gradient(out) else 0):
            unit = np.zeros(out.numel(), out.detach().numpy().dtype)
            unit[row] = 1
            seed = wrap_like(out, unit.reshape(shape))
            found = ways.grad(out, chosen, seed, retain_graph=True, allow_unused=True, materialize_grads=True)
            for jacobian, gradient in zip(jacobians, found, strict=True):
                jacobian[row] = gradient.detach().numpy().reshape(-1)
        for k, jacobian in zip(wanted, jacobians, strict=True):
            rows[k].append(jacobian)
    return rows


def _numerical(func: Function, given: Sequence[Any], place: int, eps: float) -> list[Matrix]:
    """Of each result: the differences by one input."""
    array = given[place].detach().numpy()
    columns = [[_moved(func, given, place, _step(array, k, sign * eps)) for sign in (1, -1)] for k in range(array.size)]
    return [
        np.stack([(up[n] - down[n]).reshape(-1) / (2 * eps) for up, down in columns], 1)
        for n in range(len(columns[0][0]))
    ]


def _step(array: Matrix, k: int, by: float) -> Matrix:
    moved = array.copy()
    moved.reshape(-1)[k] += by
    return moved


def _moved(func: Function, given: Sequence[Any], place: int, array: Matrix) -> list[Matrix]:
    """The results where one input has other elements."""
    moved = nodes.detached(wrap_like(given[place], array))
    autograd.set_requires_grad(moved, True)
    return [out.detach().numpy().copy() for out in _results(func, [*given[:place], moved, *given[place + 1 :]])]
