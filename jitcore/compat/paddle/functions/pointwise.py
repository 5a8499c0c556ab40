"""Functions of single elements."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore import ops
from jitcore.compat.paddle.arguments import Operand
from jitcore.compat.paddle.declaring import FUNCTIONS, METHODS, alias, function, method
from jitcore.compat.paddle.promotion import require_promotable
from jitcore.compat.torch import special
from jitcore.compat.torch.declaring import FUNCTIONS as TORCH
from jitcore.compat.torch.functions import pointwise as torch
from jitcore.compat.torch.functions import products
from jitcore.library.core import values
from jitcore.library.core.defaults import default_float
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor

_OF_ONE: Final = (
    "abs acos acosh asin asinh atan atanh cos cosh deg2rad digamma erf erfinv exp expm1 frac i0 isfinite isinf isnan "
    "isneginf isposinf isreal lgamma log log10 log1p log2 logical_not rad2deg reciprocal rsqrt sigmoid sign "
    "signbit sin sinc sinh sqrt square tan tanh angle conj ceil floor trunc bitwise_not real imag"
)
_OF_TWO: Final = (
    "atan2 copysign gcd heaviside hypot lcm logaddexp maximum minimum nextafter gammainc:igamma gammaincc:igammac"
)


def _called(call: Callable[..., Any], name: str) -> Callable[..., Any]:
    call.__name__ = call.__qualname__ = name
    return call


def _of_one(name: str, of: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Tensor) -> Any:
        return of(require_tensor(x, name, "x"))

    return _called(call, name)


def _of_two(name: str, of: Callable[..., Any]) -> Callable[..., Any]:
    def call(x: Tensor, y: Tensor) -> Any:
        return of(*tensors(x, y, name))

    return _called(call, name)


def require_tensor(value: object, function: str, name: str) -> Any:
    """A Tensor. Raises ValueError, as Paddle does, for anything else."""
    if values.category(value) is None or values.is_number(value):
        raise ValueError(f"(InvalidArgument) {function}(): argument '{name}' must be Tensor, but got {_kind(value)}")
    return value


def _kind(value: object) -> str:
    return str(values.category(value) or type(value).__name__)


def tensors(x: object, y: object, function: str) -> tuple[Any, Any]:
    """Two Tensors that Paddle computes with together. Raises ValueError for what is no Tensor, TypeError for dtypes
    that do not go together."""
    pair = require_tensor(x, function, "x"), require_tensor(y, function, "y")
    without_axes = 1 if function in _STRICT else 0
    require_promotable([(values.dtype_of_value(t), max(values.rank_of(t), without_axes)) for t in pair])
    return pair


_STRICT: Final = frozenset(["maximum", "minimum", "logical_and", "logical_or", "logical_xor"])
"""Functions that take Tensors without axes as they do others."""


def operands(x: object, y: object, function: str) -> tuple[Any, Any]:
    """A Tensor and a Tensor or number. Raises as `tensors` does."""
    if values.is_number(y):
        return require_tensor(x, function, "x"), y
    return tensors(x, y, function)


for _name in _OF_ONE.split():
    method(_of_one(_name, TORCH[_name]))
for _item in _OF_TWO.split():
    _name, _, _torch = _item.partition(":")
    method(_of_two(_name, TORCH[_torch or _name]))


# --- arithmetic -----------------------------------------------------------------------------------------


@method
def add(x: Tensor, y: Tensor, *, alpha: complex = 1) -> Any:
    return torch.add(*tensors(x, y, "add"), alpha=alpha)


@method
def subtract(x: Tensor, y: Tensor, *, alpha: complex = 1) -> Any:
    return torch.sub(*tensors(x, y, "subtract"), alpha=alpha)


@method
def multiply(x: Tensor, y: Operand) -> Any:
    return ops.mul(*operands(x, y, "multiply"))


@method
def divide(x: Tensor, y: Operand, *, rounding_mode: str | None = None) -> Any:
    return torch.div(*operands(x, y, "divide"), rounding_mode=rounding_mode)


@method
def floor_divide(x: Tensor, y: Operand) -> Any:
    return ops.floor_divide(*operands(x, y, "floor_divide"))


@method
def remainder(x: Tensor, y: Operand) -> Any:
    return ops.remainder(*operands(x, y, "remainder"))


@method
def pow(x: Tensor, y: Operand) -> Any:
    base, exponent = operands(x, y, "pow")
    if values.category(exponent) == "float" and values.dtype_of_value(base).is_integer:
        exponent = int(values.evaluator().static(exponent, "the exponent"))
    return ops.pow(base, exponent)


def _chosen(x: Tensor, y: Tensor, name: str, holds: Callable[..., Any]) -> Any:
    """The one of two elements that is no NaN, or for which a comparison holds; the first of equals has the gradient."""
    first, second = values.promote("add", *tensors(x, y, name))
    kept = holds(first, second)
    if values.dtype_of_value(first).is_float:
        kept = ops.logical_or(kept, ops.isnan(second))
    return ops.where(kept, first, second)


@method
def fmax(x: Tensor, y: Tensor) -> Any:
    return _chosen(x, y, "fmax", ops.ge)


@method
def fmin(x: Tensor, y: Tensor) -> Any:
    return _chosen(x, y, "fmin", ops.le)


@method
def ldexp(x: Tensor, y: Tensor) -> Any:
    return ops.ldexp(x, elementwise.astype(y, default_float()) if values.dtype_of_value(y).is_integer else y)


@method
def frexp(x: Tensor) -> Any:
    mantissa, exponent = TORCH["frexp"](x)
    return mantissa, elementwise.astype(exponent, values.dtype_of_value(x))


@method
def sgn(x: Tensor) -> Any:
    return TORCH["sgn" if values.dtype_of_value(x).kind == "c" else "sign"](x)


@method
def neg(x: Tensor) -> Any:
    return ops.neg(x) if values.dtype_of_value(x).kind != "b" else elementwise.copy(x)


@function
def positive(x: Tensor) -> Any:
    return x


@method
def scale(
    x: Tensor, scale: Operand = 1.0, bias: float = 0.0, bias_after_scale: bool = True, act: str | None = None
) -> Any:
    if values.dtype_of_value(x).is_integer and not values.is_array(scale):
        scale, bias = (int(values.evaluator().static(n, "a factor")) for n in (scale, bias))
    made = ops.add(ops.mul(x, scale), bias) if bias_after_scale else ops.mul(ops.add(x, bias), scale)
    made = elementwise.astype(made, values.dtype_of_value(x))
    if act is None:
        return made
    if act not in ("relu", "sigmoid", "tanh"):
        raise ValueError(f"scale: act is one of 'relu', 'sigmoid' and 'tanh', not {act!r}")
    return getattr(ops, act)(made)


@method
def add_n(inputs: Tensor | Sequence[Tensor]) -> Any:
    if values.is_array(inputs):
        return inputs
    made, *others = inputs
    for other in others:
        made = add(made, other)
    return made


@method
def lerp(x: Tensor, y: Tensor, weight: Operand) -> Any:
    first, second = tensors(x, y, "lerp")
    return ops.add(first, ops.mul(ops.sub(second, first), weight))


@method
def addmm(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0) -> Any:
    return products.addmm(input, x, y, beta=beta, alpha=alpha)


@method
def baddbmm(input: Tensor, x: Tensor, y: Tensor, beta: float = 1.0, alpha: float = 1.0) -> Any:
    return products.baddbmm(input, x, y, beta=beta, alpha=alpha)


@function
def stanh(x: Tensor, scale_a: float = 0.67, scale_b: float = 1.7159) -> Any:
    return ops.mul(ops.tanh(ops.mul(x, scale_a)), scale_b)


# --- rounding, and bounds ---------------------------------------------------------------------------------


@method
def round(x: Tensor, decimals: int = 0) -> Any:
    return torch.round(x, decimals=decimals)


@method
def clip(x: Tensor, min: Operand | None = None, max: Operand | None = None) -> Any:
    made = x
    for bound, holds in ((min, ops.ge), (max, ops.le)):
        if bound is not None:
            first, second = values.promote("add", made, bound)
            kept = holds(first, second)
            if values.dtype_of_value(first).is_float:
                kept = ops.logical_or(kept, ops.isnan(first))
            made = ops.where(kept, first, second)
    return made


@method
def nan_to_num(x: Tensor, nan: float = 0.0, posinf: float | None = None, neginf: float | None = None) -> Any:
    return torch.nan_to_num(x, nan, posinf, neginf)


@method
def logit(x: Tensor, eps: float | None = None) -> Any:
    return torch.logit(x, eps)


# --- comparisons ------------------------------------------------------------------------------------------


def _comparison(name: str) -> Callable[..., Any]:
    compare = getattr(ops, name)

    def call(x: Tensor, y: Operand) -> Any:
        return compare(*operands(x, y, name))

    return call


def _logical(name: str) -> Callable[..., Any]:
    combine = getattr(ops, name)

    def call(x: Tensor, y: Tensor) -> Any:
        return combine(*tensors(x, y, name))

    return call


for _name, _own in {
    "equal": "eq", "not_equal": "ne", "less_than": "lt", "less_equal": "le", "greater_than": "gt",
    "greater_equal": "ge",
}.items():  # fmt: skip
    method(_called(_comparison(_own), _name))
for _name in ("logical_and", "logical_or", "logical_xor"):
    method(_called(_logical(_name), _name))


def _bitwise(name: str) -> Callable[..., Any]:
    combine = getattr(ops, name)

    def call(x: Tensor, y: Tensor) -> Any:
        first, second = require_tensor(x, name, "x"), require_tensor(y, name, "y")
        if values.dtype_of_value(first) is not values.dtype_of_value(second):
            raise ValueError(
                f"(InvalidArgument) {name}(): the Tensors are of the dtypes {values.dtype_of_value(first).numpy.name} "
                f"and {values.dtype_of_value(second).numpy.name}, which should be one"
            )
        return combine(first, second)

    return call


for _name in ("bitwise_and", "bitwise_or", "bitwise_xor"):
    method(_called(_bitwise(_name), _name))


@method
def bitwise_left_shift(x: Tensor, y: Tensor, is_arithmetic: bool = True) -> Any:
    _require_arithmetic(is_arithmetic)
    return ops.bitwise_left_shift(*tensors(x, y, "bitwise_left_shift"))


@method
def bitwise_right_shift(x: Tensor, y: Tensor, is_arithmetic: bool = True) -> Any:
    _require_arithmetic(is_arithmetic)
    return ops.bitwise_right_shift(*tensors(x, y, "bitwise_right_shift"))


def _require_arithmetic(is_arithmetic: bool) -> None:
    if not is_arithmetic:
        raise NotImplementedError("is_arithmetic=False: shifts of ints keep their sign here")


@method
def isclose(x: Tensor, y: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    return ops.isclose(*tensors(x, y, "isclose"), rtol, atol, equal_nan)


@method
def allclose(x: Tensor, y: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    return ops.all(isclose(x, y, rtol, atol, equal_nan))


@method
def equal_all(x: Tensor, y: Tensor) -> Any:
    first, second = tensors(x, y, "equal_all")
    if values.static_extents(first) != values.static_extents(second):
        return ops.zeros((), dtype="bool")
    return ops.all(ops.eq(first, second))


@method
def isin(x: Tensor, test_x: Tensor, assume_unique: bool = False, invert: bool = False) -> Any:
    del assume_unique
    found = ops.isin(x, test_x)
    return ops.logical_not(found) if invert else found


# --- special functions, and complex numbers --------------------------------------------------------------------


@method
def polygamma(x: Tensor, n: int) -> Any:
    return ops.polygamma(n, x)


for _name in ("i0e", "i1", "i1e"):
    method(_called(_of_one(_name, getattr(special, _name)), _name))


@method
def multigammaln(x: Tensor, p: int) -> Any:
    return ops.mvlgamma(x, p)


@function
def complex_(real: Tensor, imag: Tensor) -> Any:
    return ops.complex(*tensors(real, imag, "complex"))


@function
def polar(abs: Tensor, angle: Tensor) -> Any:
    return ops.polar(abs, angle)


@method
def as_real(x: Tensor) -> Any:
    return ops.view_as_real(x)


@method
def as_complex(x: Tensor) -> Any:
    return TORCH["view_as_complex"](x)


METHODS["polar"] = FUNCTIONS["polar"]

for _new, _old in {
    "clamp": "clip", "mod": "remainder", "floor_mod": "remainder", "sub": "subtract", "mul": "multiply",
    "div": "divide", "true_divide": "divide", "negative": "neg", "eq": "equal", "ne": "not_equal", "lt": "less_than",
    "less": "less_than", "le": "less_equal", "gt": "greater_than", "greater": "greater_than", "ge": "greater_equal",
    "bitwise_invert": "bitwise_not", "gammaln": "lgamma", "view_as_real": "as_real", "view_as_complex": "as_complex",
}.items():  # fmt: skip
    alias(_new, _old)
