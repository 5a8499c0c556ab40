"""Functions of single elements."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore import ops
from jitcore.compat.torch.arguments import DTypeLike, Operand
from jitcore.compat.torch.declaring import alias, function, method
from jitcore.compat.torch.functions.axes import axis_in
from jitcore.compat.torch.functions.creation import of_fill
from jitcore.compat.torch.functions.results import TYPES
from jitcore.library.core import values
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor

_OF_ONE: Final = (
    "abs acos acosh angle asin asinh atan atanh bitwise_not cos cosh deg2rad digamma erf erfc erfinv exp exp2 expm1 "
    "i0 isneginf isposinf isreal lgamma log log10 log1p log2 logical_not rad2deg "
    "reciprocal relu rsqrt sgn sigmoid signbit sin sinc sinh sqrt square tan tanh"
)
_OF_TWO: Final = (
    "atan2 bitwise_and bitwise_or bitwise_xor fmax fmin fmod gcd heaviside hypot igamma igammac lcm ldexp "
    "logaddexp logaddexp2 logical_and logical_or logical_xor maximum minimum mul nextafter remainder"
)


def _of_one(name: str) -> Callable[..., Any]:
    def call(input: Tensor) -> Any:
        return getattr(ops, name)(input)

    return _called(call, name)


def _of_two(name: str) -> Callable[..., Any]:
    def call(input: Operand, other: Operand) -> Any:
        return getattr(ops, name)(input, other)

    return _called(call, name)


def _called(function: Callable[..., Any], name: str) -> Callable[..., Any]:
    function.__name__ = function.__qualname__ = name
    return function


for _name in _OF_ONE.split():
    method(_called(_of_one(_name), _name))
for _name in _OF_TWO.split():
    method(_called(_of_two(_name), _name))


def _flat(made: object, input: Operand) -> Any:
    """What is constant between its jumps, with a gradient of zero."""
    return ops.where(False, input, made) if values.dtype_of_value(input).is_float else made


def require_number_kinds(*operands: Operand, what: str) -> None:
    """Raise RuntimeError where all operands are truth values, which PyTorch does not subtract."""
    if any(values.dtype_of_value(o).kind == "b" for o in operands if values.is_array(o)):
        raise RuntimeError(f"{what} of bool Tensors is not supported: use `^` or `logical_xor()`, or `~` for `1 - x`.")


# --- arithmetic -----------------------------------------------------------------------------------------


@method
def add(input: Operand, other: Operand, *, alpha: complex = 1) -> Any:
    return ops.add(input, other) if alpha == 1 else ops.add_ext(input, other, alpha=alpha)


@method
def sub(input: Operand, other: Operand, *, alpha: complex = 1) -> Any:
    require_number_kinds(input, other, what="Subtraction")
    return ops.sub(input, other) if alpha == 1 else ops.sub_ext(input, other, alpha=alpha)


@function
def rsub(input: Operand, other: Operand, *, alpha: complex = 1) -> Any:
    return ops.sub(other, input) if alpha == 1 else ops.sub_ext(other, input, alpha=alpha)


@method
def div(input: Operand, other: Operand, *, rounding_mode: str | None = None) -> Any:
    if rounding_mode not in (None, "floor", "trunc"):
        raise RuntimeError(
            f"div expected rounding_mode to be one of None, 'trunc', or 'floor' but found '{rounding_mode}'"
        )
    made = ops.div(input, other, rounding_mode=rounding_mode)
    return made if rounding_mode is None else _flat(made, input)


@method
def floor_divide(input: Operand, other: Operand) -> Any:
    return ops.floor_divide(input, other)


@method
def pow(input: Operand, exponent: Operand) -> Any:
    return ops.pow(input, exponent)


@method
def float_power(input: Operand, exponent: Operand) -> Any:
    return ops.pow(_doubled(input), _doubled(exponent))


def _doubled(operand: Operand) -> Any:
    if not values.is_array(operand):
        return operand
    return elementwise.astype(operand, "complex128" if values.dtype_of_value(operand).kind == "c" else "float64")


@method
def neg(input: Tensor) -> Any:
    require_number_kinds(input, what="Negation")
    return ops.neg(input)


@method
def positive(input: Tensor) -> Any:
    if values.dtype_of_value(input).kind == "b":
        raise RuntimeError("The `+` operator, on a bool tensor is not supported.")
    return input


@method
def copysign(input: Operand, other: Operand) -> Any:
    made = ops.copysign(input, other)
    return ops.where(False, other, made) if values.is_array(other) else made  # a gradient of zero


@method
def xlogy(input: Operand, other: Operand) -> Any:
    return ops.xlogy(*values.promote("log", input, other))


@method
def lerp(input: Tensor, end: Tensor, weight: Operand) -> Any:
    return ops.lerp(input, end, weight)


@method
def addcmul(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: complex = 1) -> Any:
    return ops.add(input, ops.mul(ops.mul(tensor1, tensor2), value))


@method
def addcdiv(input: Tensor, tensor1: Tensor, tensor2: Tensor, *, value: complex = 1) -> Any:
    return ops.add(input, ops.mul(ops.div(tensor1, tensor2), value))


@method
def bitwise_left_shift(input: Operand, other: Operand) -> Any:
    return ops.bitwise_left_shift(input, other)


@method
def bitwise_right_shift(input: Operand, other: Operand) -> Any:
    return ops.bitwise_right_shift(input, other)


# --- rounding ------------------------------------------------------------------------------------------


def _rounded(name: str) -> Callable[..., Any]:
    """A function that leaves ints as they are."""

    def call(input: Tensor) -> Any:
        if values.dtype_of_value(input).kind in "iu" and name != "sign":
            return elementwise.copy(input)
        return _flat(getattr(ops, name)(input), input)

    return _called(call, name)


for _name in ("floor", "ceil", "trunc", "sign"):
    method(_rounded(_name))


def _asked(name: str) -> Callable[..., Any]:
    """A question about floats; ints are finite numbers."""

    def call(input: Tensor) -> Any:
        if values.dtype_of_value(input).kind in "biu":
            return ops.full_like(input, name == "isfinite", dtype="bool")
        return getattr(ops, name)(input)

    return _called(call, name)


for _name in ("isfinite", "isinf", "isnan"):
    method(_asked(_name))


@method
def round(input: Tensor, *, decimals: int = 0) -> Any:
    return _flat(ops.round(input, decimals), input) if decimals else _rounded("round")(input)


@method
def frac(input: Tensor) -> Any:
    return ops.sub(input, ops.trunc(input))


# --- bounds --------------------------------------------------------------------------------------------


@method
def clamp(input: Tensor, min: Operand | None = None, max: Operand | None = None) -> Any:
    if min is None and max is None:
        raise ValueError("torch.clamp: At least one of 'min' or 'max' must not be None")
    made = input if min is None else _limited(input, min, ops.ge, ops.maximum)
    return made if max is None else _limited(made, max, ops.le, ops.minimum)


def _limited(input: Tensor, bound: Operand, holds: Callable[..., Any], chosen: Callable[..., Any]) -> Any:
    """A Tensor where its elements keep to a bound, the bound elsewhere: elements at it have the whole gradient."""
    if values.dtype_of_value(input).kind != "f":
        return chosen(input, bound)
    return ops.where(ops.logical_or(holds(input, bound), ops.isnan(input)), input, bound)


@method
def clamp_min(input: Tensor, min: Operand) -> Any:
    return _limited(input, min, ops.ge, ops.maximum)


@method
def clamp_max(input: Tensor, max: Operand) -> Any:
    return _limited(input, max, ops.le, ops.minimum)


@method
def nan_to_num(
    input: Tensor, nan: float | None = None, posinf: float | None = None, neginf: float | None = None
) -> Any:
    return ops.nan_to_num(input, 0.0 if nan is None else nan, posinf, neginf)


@method
def logit(input: Tensor, eps: float | None = None) -> Any:
    eps = values.with_known_numbers(eps, "eps")
    bounded = input if eps is None else clamp(input, eps, 1 - eps)
    return ops.log(ops.div(bounded, ops.sub(1, bounded)))


@function
def where(condition: Tensor, input: Operand | None = None, other: Operand | None = None) -> Any:
    if input is None or other is None:
        return ops.nonzero(condition, as_tuple=True)
    return ops.where(condition, *_of_one_dtype(input, other))


def _of_one_dtype(a: Operand, b: Operand) -> tuple[Any, Any]:
    """Operands, of which numbers are arrays of the common dtype."""
    if not values.is_array(a) and not values.is_array(b):
        return tuple(values.as_array(v, of_fill(v)) for v in (a, b))  # pyright: ignore[reportReturnType]
    first, second = values.promote("add", a, b)
    return first, second


# --- exponentials along an axis -----------------------------------------------------------------------------


@method
def softmax(input: Tensor, dim: int, dtype: DTypeLike = None) -> Any:
    return _along(ops.softmax, input, dim, dtype)


@method
def log_softmax(input: Tensor, dim: int, dtype: DTypeLike = None) -> Any:
    return _along(ops.log_softmax, input, dim, dtype)


def _along(function: Callable[..., Any], input: Tensor, dim: int, dtype: DTypeLike) -> Any:
    axis = axis_in(input, dim)
    given = input if dtype is None else elementwise.astype(input, as_dtype(dtype))
    if values.dtype_of_value(given).kind in "biu":
        raise NotImplementedError(
            f"\"softmax_lastdim_kernel_impl\" not implemented for '{values.dtype_of_value(given)}'"
        )
    if not values.rank_of(given):
        return ops.reshape(function(ops.reshape(given, (1,)), 0), ())
    return function(given, axis)


# --- special functions ---------------------------------------------------------------------------------------


@method
def polygamma(n: int, input: Tensor) -> Any:
    return ops.polygamma(n, input)


@method
def mvlgamma(input: Tensor, p: int) -> Any:
    return ops.mvlgamma(input, p)


@function
def threshold(input: Tensor, threshold: float, value: float) -> Any:
    return ops.threshold(input, threshold, value)


@method
def frexp(input: Tensor) -> Any:
    size = ops.abs(input)
    guess = ops.add(ops.floor(ops.log2(ops.where(ops.eq(size, 0), 0.5, size))), 1)
    exponent = ops.where(ops.eq(size, 0), 0.0, guess)
    return TYPES["frexp"](ops.div(input, ops.exp2(exponent)), elementwise.astype(exponent, "int32"))


# --- complex numbers -----------------------------------------------------------------------------------------


@method
def conj(input: Tensor) -> Any:
    return ops.conj(input) if values.dtype_of_value(input).kind == "c" else input


@function
def real(input: Tensor) -> Any:
    return ops.real(input) if values.dtype_of_value(input).kind == "c" else input


@function
def imag(input: Tensor) -> Any:
    if values.dtype_of_value(input).kind != "c":
        raise RuntimeError("imag is not implemented for tensors with non-complex dtypes.")
    return ops.imag(input)


@function
def complex_(real: Tensor, imag: Tensor) -> Any:
    return ops.complex(real, imag)


@function
def polar(abs: Tensor, angle: Tensor) -> Any:
    return ops.polar(abs, angle)


@function
def view_as_real(input: Tensor) -> Any:
    return ops.view_as_real(input)


@function
def view_as_complex(input: Tensor) -> Any:
    return ops.complex(ops.select_ext(input, -1, 0), ops.select_ext(input, -1, 1))


for _new, _old in {
    "absolute": "abs", "arccos": "acos", "arccosh": "acosh", "arcsin": "asin", "arcsinh": "asinh", "arctan": "atan",
    "arctanh": "atanh", "arctan2": "atan2", "clip": "clamp", "divide": "div", "fix": "trunc", "multiply": "mul",
    "negative": "neg", "subtract": "sub", "true_divide": "div",
}.items():  # fmt: skip
    alias(_new, _old)
