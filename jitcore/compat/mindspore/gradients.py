"""MindSpore's functions about gradients that differ from jitcore's: `vjp`, and gradients that users give a function of theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from jitcore import ops, transforms
from jitcore.primitives.custom import CustomGradient
from jitcore.primitives.library import Gradient, category, library, with_known_numbers
from jitcore.runtime import custom
from jitcore.transforms import GradientFunction


@library("raw")
def _pullback(fn: Callable[..., Any], weights: Any, has_aux: bool) -> GradientFunction:
    by_weight = None if weights is None else tuple(weights) if isinstance(weights, tuple | list) else (weights,)
    request = Gradient(
        fn, None, False, by_weight, has_aux=with_known_numbers(has_aux, "has_aux"), sens=True, integers=True
    )
    single = weights is not None and not isinstance(weights, tuple | list)
    return GradientFunction(replace(request, single_weight=single))


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False) -> Any:
    """As `jitcore.vjp`, but the function for the way back gives a tuple of one for one input, too; with `weights`, a pair of that
    and the gradients by them."""
    result = fn(*inputs)

    def back(*v: Any) -> Any:
        found = _pullback(fn, weights, has_aux)(*inputs, v[0] if len(v) == 1 else v)
        return found[0] if has_aux else found

    if has_aux:
        value, *aux = result
        return value, back, aux[0] if len(aux) == 1 else tuple(aux)
    return result, back


vjp.__dict__["__jitcore_inlined__"] = True


@library("raw")
def _holds_arrays(value: Any) -> bool:
    if isinstance(value, tuple | list):
        return any(map(_holds_arrays, cast("list[Any]", value)))
    return category(value) in ("tensor", "ndarray", "npscalar")


def stop_gradient(value: Any) -> Any:
    """As `jitcore.ops.stop_gradient`; what holds no Tensors is given back as it is."""
    return ops.stop_gradient(value) if _holds_arrays(value) else value


def recompute(block: Callable[..., Any], *args: Any, **keywords: Any) -> Any:
    """Call a Cell or function as a part that gradients compute again; see `jitcore.recompute`."""
    return transforms.recompute(block)(*args, **keywords)


class CustomVjp:
    """A function whose gradient is what another one gives: `backward(*args, out, dout)`, a gradient for each argument."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function
        self._backward: Callable[..., Any] | None = None

    def defbwd(self, bwd: Callable[..., Any]) -> None:
        """Give the function for the way back."""
        self._backward = bwd

    @property
    def __jitcore_custom_gradient__(self) -> CustomGradient | None:
        return None if self._backward is None else CustomGradient(self._function, self._backward)

    def __call__(self, *args: Any) -> Any:
        if self._backward is None:
            return self._function(*args)
        return custom.call(self._function, self._backward, args, {})


def custom_vjp(fn: Callable[..., Any]) -> CustomVjp:
    """Decorate a function to which `defbwd` then gives the function of its gradient.

    >>> from jitcore import Tensor, grad
    >>> double = custom_vjp(lambda x: x * 2)
    >>> double.defbwd(lambda x, out, dout: (dout * 10,))
    >>> print(grad(double)(Tensor([1.0])))
    [10.]
    """
    return CustomVjp(fn)


class Morph:
    """A function as an operator; with `bprop_fn`, its gradient is what `bprop_fn(*args, out, dout)` gives. What the result's shape and dtype
    are is found out by inferring the function, whatever `infer_shape` and `infer_dtype` say.

    >>> from jitcore import Tensor
    >>> print(Morph(lambda x: x * 2, lambda shape: shape, lambda dtype: dtype)(Tensor([1.0])))
    [2.]
    """

    def __init__(
        self,
        fn: Callable[..., Any],
        infer_shape: Callable[..., Any],
        infer_dtype: Callable[..., Any],
        bprop_fn: Callable[..., Any] | None = None,
    ) -> None:
        if not callable(fn):
            raise TypeError(f"Morph takes a function, not {type(fn).__name__}")
        del infer_shape, infer_dtype
        self._function = fn
        self._backward = bprop_fn

    @property
    def __jitcore_custom_gradient__(self) -> CustomGradient | None:
        return None if self._backward is None else CustomGradient(self._function, self._backward)

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if self._backward is None:
            return self._function(*args, **keywords)
        return custom.call(self._function, self._backward, args, keywords)
