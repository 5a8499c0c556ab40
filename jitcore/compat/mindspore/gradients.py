"""MindSpore's functions about gradients that differ from jitcore's: `vjp`, and gradients that users give a function of
theirs."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, ClassVar, cast

from jitcore import ops, transforms
from jitcore.compat.mindspore.gradient_calls import MindSporeGradient, refused
from jitcore.compat.mindspore.refusals import transform_calls
from jitcore.compat.mindspore.refusals import transforms as refusals
from jitcore.compat.mindspore.tensor import MINDSPORE
from jitcore.library.core.marking import library
from jitcore.library.core.values import category, shape_of, with_known_numbers
from jitcore.nn import CellList
from jitcore.primitives.core import evaluation
from jitcore.primitives.core.dialects import Dialect
from jitcore.primitives.ops.custom import CustomGradient
from jitcore.primitives.transforms import AuxError, Gradient, Jvp, Vmap
from jitcore.runtime import custom
from jitcore.transforms import GradientFunction


class RowFunction(transforms.TransformFunction):
    """A function of rows, which refuses arguments in MindSpore's words."""

    _dialect: ClassVar[Dialect | None] = MINDSPORE

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        request = self.__jitcore_transform__
        if isinstance(request, Vmap):
            error = (
                None
                if refusals.in_graph()
                else transform_calls.rows(request.function, request.in_axes, request.out_axes, args)
            )
            error = error or refusals.vmap(request, [refusals.operand(a) for a in args])
            if error is not None:
                raise error
        try:
            return super().__call__(*args, **keywords)
        except ValueError as failed:
            told = failed if refusals.in_graph() else transform_calls.of_results(failed)
            if told is failed:
                raise
            raise told from None


@library("raw")
def vmap(fn: Any, in_axes: Any = 0, out_axes: Any = 0) -> Any:
    """As `jitcore.vmap`. Raises RuntimeError for axes that are none or that arguments do not have: line by line, when
    it is called."""
    in_axes, out_axes = with_known_numbers((in_axes, out_axes), "an axis of vmap")
    error = refusals.unmapped(fn, in_axes, out_axes)
    if error is None and isinstance(fn, CellList) and not refusals.in_graph():
        error = transform_calls.rows(fn, in_axes, out_axes, ())
    if error is not None:
        if refusals.in_graph():
            raise error
        return refused(error)
    made: Any = transforms.vmap(fn, in_axes, out_axes)
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
    if not isinstance(result, tuple) or len(cast("tuple[Any, ...]", result)) < 2:
        raise ValueError(transform_calls.SEVERAL if evaluation.is_tracing() else transform_calls.SEVERAL[1:-1])


@library("raw")
def _directed(fn: Any, inputs: Any, v: Any) -> Any:
    """The tangents of what `jvp` is taken of, broadcast to its shapes."""
    error = transform_calls.directions(fn, refusals.symbol(inputs), refusals.symbol(v))
    if error is not None:
        raise error
    if category(inputs) == "tensor":
        return _broadcast(v, inputs)
    return tuple(_broadcast(t, x) for t, x in zip(v, inputs, strict=True))


def _broadcast(tangent: Any, primal: Any) -> Any:
    """A tangent with the shape of what it belongs to; one that cannot have it is left to `jvp`."""
    have, want = shape_of(tangent), shape_of(primal)
    if any(n == 1 for n in have[: max(len(have) - len(want), 0)]):
        tangent = ops.reshape(tangent, have[len(have) - len(want) :])
        have = shape_of(tangent)
    aligned = zip(reversed(have), reversed(want), strict=False)
    if have == want or len(have) > len(want) or any(n not in (1, m) for n, m in aligned):
        return tangent
    return ops.broadcast_to(tangent, want)


class TransformFunction(transforms.TransformFunction):
    """A derivative, which refuses arguments in MindSpore's words."""

    _dialect: ClassVar[Dialect | None] = MINDSPORE

    def __init__(self, made: Any, name: str, positions: Any = None) -> None:
        super().__init__(made.__jitcore_transform__, name)
        self._kind = name
        self._positions = positions

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if self._positions is not None:
            error = transform_calls.jacobian(self._kind, self._positions, args)
            if error is not None:
                raise error
        try:
            return super().__call__(*args, **keywords)
        except AuxError as failed:
            raise transform_calls.of_aux(failed) from None


@library("raw")
def _forward(fn: Any, has_aux: Any) -> TransformFunction:
    return TransformFunction(
        transforms.TransformFunction(Jvp(fn, with_known_numbers(has_aux, "has_aux")), "jvp"), "jvp"
    )


def jvp(fn: Any, inputs: Any, v: Any, has_aux: bool = False) -> Any:
    """As `jitcore.jvp`, which refuses in MindSpore's words."""
    _require_function(fn, has_aux, "The object is not callable. Please check code.")
    return _forward(fn, has_aux)(inputs, _directed(fn, inputs, v))


jvp.__dict__["__jitcore_inlined__"] = True


def _require_position(position: Any, has_aux: Any) -> None:
    if not isinstance(position, int | tuple):
        raise TypeError("For 'F.grad', the 'grad_position' must be int or tuple.")
    if any(k < 0 for k in (position if isinstance(position, tuple) else (position,))):
        raise ValueError("grad_position must be >= 0.")
    if not isinstance(with_known_numbers(has_aux, "has_aux"), bool):
        raise TypeError("The 'has_aux' must be bool type.")


def _jacobian(name: str, fn: Any, grad_position: Any, has_aux: Any) -> Any:
    position = with_known_numbers(grad_position, "grad_position")
    if name == "jacrev" and not refusals.in_graph() and not isinstance(position, int | tuple):
        return refused(TypeError("For 'F.grad', the 'grad_position' must be int or tuple."))
    _require_position(position, has_aux)
    if refusals.is_no_function(fn) and not refusals.in_graph():
        return refused(ValueError("The object is not callable. Please check code."))
    single = position[0] if isinstance(position, tuple) and len(position) == 1 else position
    make = transforms.jacfwd if name == "jacfwd" else transforms.jacrev
    return TransformFunction(make(fn, single, has_aux), name, position)


@library("raw")
def jacfwd(fn: Any, grad_position: Any = 0, has_aux: bool = False) -> Any:
    """As `jitcore.jacfwd`, which refuses in MindSpore's words; by a tuple of one position it is no tuple."""
    return _jacobian("jacfwd", fn, grad_position, has_aux)


@library("raw")
def jacrev(fn: Any, grad_position: Any = 0, has_aux: bool = False) -> Any:
    """As `jitcore.jacrev`, which refuses in MindSpore's words; by a tuple of one position it is no tuple."""
    return _jacobian("jacrev", fn, grad_position, has_aux)


@library("raw")
def _pullback(fn: Callable[..., Any], weights: Any, has_aux: bool) -> GradientFunction:
    error = refusals.unlisted(weights) or (None if weights is None else refusals.unweighted(weights))
    if error is not None:
        raise error
    by_weight = None if weights is None else tuple(weights) if isinstance(weights, tuple | list) else (weights,)
    request = Gradient(
        fn, None, False, by_weight, has_aux=with_known_numbers(has_aux, "has_aux"), sens=True, integers=True
    )
    single = weights is not None and not isinstance(weights, tuple | list)
    return MindSporeGradient(replace(request, single_weight=single))


@library("raw")
def _require_tensors(values: Any) -> None:
    error = transform_calls.cotangents(values)
    if error is not None:
        raise error


def vjp(fn: Callable[..., Any], *inputs: Any, weights: Any = None, has_aux: bool = False) -> Any:
    """As `jitcore.vjp`, but the function for the way back gives a tuple of one for one input, too; with `weights`, a
    pair of that and the gradients by them."""
    _require_function(fn, has_aux, "The fn should be callable, but got " + _class_name(fn))
    _require_tensors(inputs)
    result = fn(*inputs)

    def back(*v: Any) -> Any:
        _require_tensors(v)
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
    """A function whose gradient is what another one gives: `backward(*args, out, dout)`, a gradient for each
    argument."""

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
    """A function as an operator; with `bprop_fn`, its gradient is what `bprop_fn(*args, out, dout)` gives. What the
    result's shape and dtype are is found out by inferring the function, whatever `infer_shape` and `infer_dtype` say.

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
