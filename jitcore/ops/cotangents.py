"""MindSpore's operators of backward passes (`_grad_ops`): what operators hand on of the gradient of their result.

Most are the derivative of the operator itself, taken where it is (`_pulled`); those that are given its result instead
of its operand are written out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore.ops import functional, primitives
from jitcore.transforms import vjp

__all__: list[str] = []


class Cotangent:
    """An operator of a backward pass, set up as the operator it belongs to."""

    @property
    def name(self) -> str:
        """The name of the class."""
        return type(self).__name__

    def add_prim_attr(self, name: str, value: Any) -> Cotangent:
        """The operator itself: MindSpore's attributes for its compiler mean nothing here."""
        del name, value
        return self


class _Written(Cotangent):
    """An operator of a backward pass by its formula."""

    forward: Callable[..., Any]

    def __call__(self, *operands: Any) -> Any:
        return self.forward(*operands)


class _Pulled(Cotangent):
    """The gradient by operands, given at some places, of one result whose gradient is given at another."""

    forward: Callable[..., Any]
    places: tuple[int, ...]
    given: int

    def __call__(self, *operands: Any) -> Any:
        inputs = tuple([operands[k] for k in self.places])
        pull = vjp(self.forward, *inputs)[1]
        return pull(operands[self.given])


def _publish(name: str, base: type[Cotangent], set_up: Callable[..., Any], **attributes: Any) -> None:
    def __init__(self: Any, *args: Any, **keywords: Any) -> None:
        self.forward = set_up(*args, **keywords)

    body = {"__init__": __init__, "__doc__": base.__doc__, "__module__": __name__, **attributes}
    globals()[name] = type(name, (base,), body)
    __all__.append(name)


def _pulled(name: str, operands: str, set_up: Callable[..., Any] | str) -> None:
    """Declare the class of the derivative of an operator: `operands` names what it is given in order, "dy" the
    gradient, "_" what is not needed."""
    given = operands.split()
    places = tuple(k for k, operand in enumerate(given) if operand not in ("dy", "_"))
    made = _class(set_up) if isinstance(set_up, str) else set_up
    _publish(name, _Pulled, made, places=places, given=given.index("dy"))


def _class(name: str) -> Callable[..., Any]:
    def set_up(*args: Any, **keywords: Any) -> Any:
        return getattr(primitives, name)(*args, **keywords)

    return set_up


def _written(name: str, function: Callable[..., Any]) -> None:
    """Declare a class without parameters by its formula."""
    _publish(name, _Written, lambda: function)


# --- of the result ------------------------------------------------------------------------------------

_SELU_SCALE: Final = 1.0507009873554804934193349852946
_SELU: Final = 1.7580993408473768599402175208123
"""The scale, and the scale times alpha, of SELU (Klambauer et al. 2017)."""

_written("TanhGrad", lambda y, dy: dy * (1 - y * y))
_written("SigmoidGrad", lambda y, dy: dy * y * (1 - y))
_written("SqrtGrad", lambda y, dy: dy / (y * 2))
_written("RsqrtGrad", lambda y, dy: dy * (y * y * y) * -0.5)
_written("ReciprocalGrad", lambda y, dy: -(dy * y * y))
_written("InvGrad", lambda y, dy: -(dy * y * y))
_written("AcoshGrad", lambda y, dy: dy / functional.sinh(y))
_written("AsinhGrad", lambda y, dy: dy / functional.cosh(y))
_written("EluGrad", lambda dy, y: functional.where(y > 0, dy, dy * (y + 1)))
_written("SeLUGrad", lambda dy, y: functional.where(y > 0, dy * _SELU_SCALE, dy * (y + _SELU)))
_written("ReLU6Grad", lambda dy, x: functional.where((x > 0) & (x <= 6), dy, functional.zeros_like(dy)))
_written("ReluGradV2", lambda dy, mask: functional.where(mask != 0, dy, functional.zeros_like(dy)))


def _log_softmax(axis: int = -1) -> Callable[..., Any]:
    return lambda y, dy: dy - functional.exp(y) * dy.sum(axis, keepdims=True)


def _softmax(axis: int = -1) -> Callable[..., Any]:
    return lambda y, dy: y * (dy - (dy * y).sum(axis, keepdims=True))


def _dropout(keep_prob: float = 0.5) -> Callable[..., Any]:
    return lambda dy, mask: dy * mask / keep_prob


def _bias_add(data_format: str = "NCHW") -> Callable[..., Any]:
    if data_format == "NHWC":
        return lambda dy: dy.sum(tuple(range(dy.ndim - 1)))
    return lambda dy: dy.sum((0, *range(2, dy.ndim)))


_publish("LogSoftmaxGrad", _Written, _log_softmax)
_publish("SoftmaxGrad", _Written, _softmax)
_publish("DropoutGrad", _Written, _dropout)
_publish("BiasAddGrad", _Written, _bias_add)

# --- of the operands ----------------------------------------------------------------------------------

for _name, _function in {
    "AbsGrad": "abs", "ACosGrad": "acos", "AsinGrad": "asin", "AtanGrad": "atan",
}.items():  # fmt: skip
    _pulled(_name, "x dy", lambda function=_function: getattr(functional, function))

for _name, _function in {
    "ReluGrad": "relu", "HSwishGrad": "hardswish", "HSigmoidGrad": "hardsigmoid",
    "FastGeLUGrad": "fast_gelu", "SiLUGrad": "silu",
}.items():  # fmt: skip
    _pulled(_name, "dy x", lambda function=_function: getattr(functional, function))

for _name, _operands, _forward in (
    ("GeLUGrad", "dy x _", "GeLU"),
    ("SoftplusGrad", "dy x", "Softplus"),
    ("SoftShrinkGrad", "dy x", "SoftShrink"),
    ("HShrinkGrad", "dy x", "HShrink"),
    ("PReLUGrad", "dy x weight", "PReLU"),
    ("LogitGrad", "dy x", "Logit"),
    ("MaxPoolGrad", "x _ dy", "MaxPool"),
    ("MaxPool3DGrad", "x _ dy", "MaxPool3D"),
    ("AvgPoolGrad", "x _ dy", "AvgPool"),
    ("L2NormalizeGrad", "x _ dy", "L2Normalize"),
    ("LRNGrad", "dy x _", "LRN"),
    ("GridSampler2DGrad", "dy x grid", "GridSampler2D"),
    ("GridSampler3DGrad", "dy x grid", "GridSampler3D"),
):
    _pulled(_name, _operands, _forward)


def _chosen(name: str, forward: str) -> None:
    """The gradients of the larger or smaller of two: by the first, the second, or both."""

    def set_up(grad_x: bool = True, grad_y: bool = True) -> Callable[..., Any]:
        operator = getattr(functional, forward)

        def pull(x: Any, y: Any, dy: Any) -> Any:
            dx, dz = vjp(operator, x, y)[1](dy)
            return (dx, dz) if grad_x and grad_y else dx if grad_x else dz

        return pull

    _publish(name, _Written, set_up)


_chosen("MaximumGrad", "maximum")
_chosen("MinimumGrad", "minimum")


def _first_of(forward: str, name: str, order: tuple[int, int, int]) -> None:
    """The gradient by the first operand of a loss of two; `order` says where loss's operands and the gradient are
    given."""

    def set_up(*args: Any, **keywords: Any) -> Callable[..., Any]:
        loss = getattr(primitives, forward)(*args, **keywords)
        first, second, gradient = order

        def pull(*operands: Any) -> Any:
            rest = operands[3:]
            return vjp(lambda x: loss(x, operands[second], *rest), operands[first])[1](operands[gradient])

        return pull

    _publish(name, _Written, set_up)


_first_of("SmoothL1Loss", "SmoothL1LossGrad", (0, 1, 2))
_first_of("SoftMarginLoss", "SoftMarginLossGrad", (0, 1, 2))
_first_of("SigmoidCrossEntropyWithLogits", "SigmoidCrossEntropyWithLogitsGrad", (0, 1, 2))
_first_of("BinaryCrossEntropy", "BinaryCrossEntropyGrad", (0, 1, 2))
_first_of("KLDivLoss", "KLDivLossGrad", (1, 2, 0))


def _layer_norm(begin_norm_axis: int = 1, begin_params_axis: int = 1) -> Callable[..., Any]:
    def pull(x: Any, dy: Any, variance: Any, mean: Any, gamma: Any) -> Any:
        del variance, mean  # those of x
        norm = primitives.LayerNorm(begin_norm_axis, begin_params_axis, 1e-5)
        return vjp(lambda a, g, b: norm(a, g, b)[0], x, gamma, functional.zeros_like(gamma))[1](dy)

    return pull


_publish("LayerNormGrad", _Written, _layer_norm)

# --- of operands that are known by their shapes ---------------------------------------------------------


class _Linear(Cotangent):
    """The gradient of a linear operator by an operand whose shape is given."""

    forward: Callable[..., Any]
    gradient: int
    shape: int
    places: tuple[int, ...]

    def __call__(self, *operands: Any) -> Any:
        dy = operands[self.gradient]
        rest = tuple([operands[k] for k in self.places])
        zeros = functional.zeros(tuple(operands[self.shape]), dy.dtype)
        return vjp(lambda x: self.forward(x, *rest), zeros)[1](dy)


def _linear(forward: str, operands: str) -> None:
    """Declare the class of the derivative of a linear operator: `operands` names what it is given in order, "dy" the
    gradient, "shape" the shape of the operator's first operand; the others are its further ones."""
    given = operands.split()
    gradient, shape = given.index("dy"), given.index("shape")
    places = tuple(k for k in range(len(given)) if k not in (gradient, shape))
    _publish(f"{forward}Grad", _Linear, _class(forward), gradient=gradient, shape=shape, places=places)


_linear("StridedSlice", "dy shape begin end strides")
_linear("AvgPool3D", "shape dy")
_linear("ROIAlign", "dy rois shape")


class SliceGrad(Cotangent):
    """The gradient by what was sliced."""

    def __call__(self, dy: Any, x: Any, begin: Any, size: Any) -> Any:
        return vjp(lambda a: functional.slice(a, begin, size), x)[1](dy)


class MirrorPadGrad(Cotangent):
    """The gradient by what was padded."""

    def __init__(self, mode: str = "REFLECT") -> None:
        self.mode = mode

    def __call__(self, dy: Any, paddings: Any) -> Any:
        pads = paddings.asnumpy().tolist()
        shape = tuple([n - low - high for n, (low, high) in zip(dy.shape, pads)])  # noqa: B905
        pad = primitives.MirrorPad(self.mode)
        return vjp(lambda a: pad(a, paddings), functional.zeros(shape, dy.dtype))[1](dy)


class ResizeBilinearGrad(Cotangent):
    """The gradient by images that were resized."""

    def __init__(self, align_corners: bool = False, half_pixel_centers: bool = False) -> None:
        self.options = (align_corners, half_pixel_centers)

    def __call__(self, dy: Any, images: Any) -> Any:
        resize = primitives.ResizeBilinearV2(*self.options)
        size = dy.shape[2:]
        return vjp(lambda a: resize(a, size), images)[1](dy)


class ResizeNearestNeighborGrad(Cotangent):
    """The gradient by images of a size that were resized."""

    def __init__(self, align_corners: bool = False) -> None:
        self.align_corners = align_corners

    def __call__(self, dy: Any, size: Any) -> Any:
        resize = primitives.ResizeNearestNeighbor(dy.shape[2:], self.align_corners)
        return vjp(resize, functional.zeros((*dy.shape[:2], *tuple(size)), dy.dtype))[1](dy)


class BatchNormGrad(Cotangent):
    """The gradients by the operand, its scale and its bias."""

    def __init__(self, is_training: bool = False, epsilon: float = 1e-5, data_format: str = "NCHW") -> None:
        self.is_training, self.epsilon, self.data_format = is_training, epsilon, data_format

    def __call__(self, dy: Any, x: Any, scale: Any, mean: Any, variance: Any, reserve: Any = None) -> Any:
        del reserve
        norm = primitives.BatchNorm(self.is_training, self.epsilon, 0.1, self.data_format)
        made = vjp(lambda a, g, b: norm(a, g, b, mean, variance)[0], x, scale, functional.zeros_like(scale))[1](dy)
        return (*made, mean, variance)


__all__ += ["BatchNormGrad", "MirrorPadGrad", "ResizeBilinearGrad", "ResizeNearestNeighborGrad", "SliceGrad"]
