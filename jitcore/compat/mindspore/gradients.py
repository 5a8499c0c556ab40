"""MindSpore's functions about gradients that differ from jitcore's: `vjp`, and gradients that users give a function of theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, cast

from jitcore import ops, transforms
from jitcore.compat.mindspore.refusals import transforms as refusals
from jitcore.primitives.custom import CustomGradient
from jitcore.primitives.library import Gradient, Vmap, category, library, with_known_numbers
from jitcore.runtime import custom
from jitcore.transforms import GradientFunction


class RowFunction(transforms.TransformFunction):
    """A function of rows, which refuses arguments in MindSpore's words."""

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        request = self.__jitcore_transform__
        refused = refusals.vmap(request, [refusals.operand(a) for a in args]) if isinstance(request, Vmap) else None
        if refused is not None:
            raise refused
        return super().__call__(*args, **keywords)


@library("raw")
def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> RowFunction:
    """As `jitcore.vmap`. Raises RuntimeError for axes that are none or that arguments do not have."""
    in_axes, out_axes = with_known_numbers((in_axes, out_axes), "an axis of vmap")
    refused = refusals.unmapped(fn, in_axes, out_axes)
    if refused is not None:
        raise refused
    made = transforms.vmap(fn, in_axes, out_axes)
    return RowFunction(made.__jitcore_transform__, "vmap")


@library("raw")
def _require_function(fn: Any, has_aux: Any, message: str) -> None:
    if refusals.is_no_function(fn):
        raise TypeError(message) if message.startswith("The fn") else ValueError(message)
    if not isinstance(with_known_numbers(has_aux, "has_aux"), bool):
        raise TypeError("The 'has_aux' must be bool type.")


@library("raw")
def _class_name(value: Any) -> str:
    return type(value).__name__


@library("raw")
def _require_several(result: Any) -> None:
    if not isinstance(result, tuple):
        raise ValueError("When 'has_aux' is True, origin 'fn' requires more than one outputs.")


@library("raw")
def _require_directions(inputs: Any, v: Any) -> None:
    if isinstance(inputs, tuple) and isinstance(v, tuple) and len(inputs) != len(v):
        raise ValueError(f"v has invalid length: should be {len(inputs)}, but got {len(v)}")
    if category(inputs) in ("bool", "int", "float"):
        raise TypeError("The inputs type must be a Tensor, tuple or list of Tensors.")


def jvp(fn: Any, inputs: Any, v: Any, has_aux: bool = False) -> Any:
    """As `jitcore.jvp`, which refuses in MindSpore's words."""
    _require_function(fn, has_aux, "The object is not callable. Please check code.")
    _require_directions(inputs, v)
    return transforms.jvp(fn, inputs, v, has_aux)


jvp.__dict__["__jitcore_inlined__"] = True


@library("raw")
def _require_position(grad_position: Any, has_aux: Any) -> None:
    position = with_known_numbers(grad_position, "grad_position")
    if not isinstance(position, int | tuple):
        raise TypeError("For 'F.grad', the 'grad_position' must be int or tuple.")
    if any(k < 0 for k in (position if isinstance(position, tuple) else (position,))):
        raise ValueError("grad_position must be >= 0.")
    if not isinstance(with_known_numbers(has_aux, "has_aux"), bool):
        raise TypeError("The 'has_aux' must be bool type.")


@library("raw")
def jacfwd(fn: Any, grad_position: Any = 0, has_aux: bool = False) -> Any:
    """As `jitcore.jacfwd`, which refuses in MindSpore's words."""
    _require_position(grad_position, has_aux)
    return transforms.jacfwd(fn, grad_position, has_aux)


@library("raw")
def jacrev(fn: Any, grad_position: Any = 0, has_aux: bool = False) -> Any:
    """As `jitcore.jacrev`, which refuses in MindSpore's words."""
    _require_position(grad_position, has_aux)
    return transforms.jacrev(fn, grad_position, has_aux)


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
    _require_function(fn, has_aux, "The fn should be callable, but got " + _class_name(fn))
    result = fn(*inputs)

    def back(*v: Any) -> Any:
        found = _pullback(fn, weights, has_aux)(*inputs, v[0] if len(v) == 1 else v)
        return found[0] if has_aux else found

    if has_aux:
        _require_several(result)
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
