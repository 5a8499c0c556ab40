"""Function transforms: `grad` and `value_and_grad`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from jitcore.primitives import evaluation
from jitcore.primitives.library import Gradient, library
from jitcore.runtime import dispatch, errors


class GradientFunction:
    """A function that gives the gradients of another; `__jitcore_gradient__` says which (`primitives.library.Gradient`)."""

    __jitcore_epoch__ = True
    """It never changes: see `runtime.epoch`."""

    def __init__(self, request: Gradient) -> None:
        if not callable(request.function) and not evaluation.is_tracing():
            raise TypeError(f"the gradient is of a function or Cell, not of {type(request.function).__name__}")
        self.__jitcore_gradient__ = request
        self.__name__ = f"grad({getattr(request.function, '__name__', type(request.function).__name__)})"

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        try:
            return dispatch.call_gradient(self, args, keywords)
        except BaseException as error:
            errors.strip(error)
            raise

    def __repr__(self) -> str:
        return f"<{self.__name__}>"


def _positions(grad_position: Any) -> tuple[tuple[int, ...], bool]:
    if grad_position is None:
        return (), False
    if isinstance(grad_position, int) and not isinstance(grad_position, bool):
        return (grad_position,), True
    if isinstance(grad_position, tuple | list) and all(isinstance(k, int) for k in grad_position):
        return tuple(grad_position), False
    raise TypeError(f"grad_position is an int, a tuple of ints or None, not {grad_position!r}")


def _weights(weights: Any) -> tuple[Any, ...] | None:
    from jitcore.common.parameter import Parameter

    if weights is None:
        return None
    return (weights,) if isinstance(weights, Parameter) else tuple(weights)


def _gradient(fn: Any, grad_position: Any, weights: Any, with_value: bool, has_aux: bool) -> GradientFunction:
    positions, single = _positions(grad_position)
    by_weight = _weights(weights)
    if not positions and by_weight is None:
        raise ValueError("grad_position and weights are both None: there is nothing to differentiate by")
    return GradientFunction(Gradient(fn, positions, single, by_weight, with_value, has_aux))


@library("raw")
def grad(
    fn: Callable[..., Any],
    grad_position: int | Sequence[int] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
) -> GradientFunction:
    """The gradient function of `fn`: by the arguments at `grad_position` (a tuple for several), by `weights`, or both (a pair).

    With `has_aux`, `fn` gives a tuple whose first item is differentiated, and the call gives (gradients, the other items).

    >>> from jitcore import Tensor
    >>> print(grad(lambda x, y: x * y)(Tensor([2.0]), Tensor([5.0])))
    [5.]
    """
    return _gradient(fn, grad_position, weights, False, has_aux)


@library("raw")
def value_and_grad(
    fn: Callable[..., Any],
    grad_position: int | Sequence[int] | None = 0,
    weights: Any = None,
    has_aux: bool = False,
) -> GradientFunction:
    """As `grad`, giving (the value of `fn`, the gradients).

    >>> from jitcore import Tensor
    >>> value, gradient = value_and_grad(lambda x: (x * x).sum())(Tensor([3.0]))
    >>> print(value, gradient)
    9.0 [6.]
    """
    return _gradient(fn, grad_position, weights, True, has_aux)
