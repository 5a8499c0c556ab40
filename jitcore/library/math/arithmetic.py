"""Elementwise operators: arithmetic, comparisons, bits, mathematical functions, clipping, selection."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore.library.array import arrangement, creation, indexing
from jitcore.library.array.shapes import ravel
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import (
    as_array,
    category,
    dtype_of_value,
    evaluator,
    have_one_shape,
    is_array,
    promote,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import closeness, comparisons, elementwise, ufuncs
from jitcore.library.math.elementwise import add, multiply, subtract, true_divide
from jitcore.library.statistics import reductions, samples
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import conversions, special, transcendental
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import bool_, f32, f64, u8

for _names, _function in {
    "add tensor_add Add TensorAdd": add,
    "sub subtract tensor_sub .subtract Sub": subtract,
    "mul multiply tensor_mul .mul .multiply Mul": multiply,
    ".true_divide": true_divide,
    "floor_div floor_divide tensor_floordiv .floor_divide .floordiv .floor_div FloorDiv": elementwise.floor_divide,
    "floor_mod floormod remainder tensor_mod .remainder .mod FloorMod Mod": elementwise.remainder,
    "pow tensor_pow .pow .power Pow": elementwise.power,
    "neg negative .neg .negative Neg": elementwise.negative,
    "abs absolute .abs .absolute Abs": elementwise.absolute,
    "sign .sign Sign": elementwise.sign,
    "square .square Square": elementwise.square,
    "sqrt .sqrt Sqrt": elementwise.sqrt,
    "rsqrt .rsqrt Rsqrt": elementwise.rsqrt,
    "reciprocal inv .reciprocal .inv Reciprocal Inv": elementwise.reciprocal,
    "exp tensor_exp .exp Exp": elementwise.exp,
    "expm1 tensor_expm1 .expm1 Expm1": elementwise.expm1,
    "log .log Log": elementwise.log,
    "log1p .log1p Log1p": elementwise.log1p,
    "log2 .log2": elementwise.log2,
    "log10 .log10": elementwise.log10,
    "sin .sin Sin": elementwise.sin,
    "cos .cos Cos": elementwise.cos,
    "tan .tan Tan": elementwise.tan,
    "asin arcsin .asin .arcsin Asin": elementwise.arcsin,
    "acos arccos .acos .arccos ACos": elementwise.arccos,
    "atan arctan .atan .arctan Atan": elementwise.arctan,
    "atan2 arctan2 .atan2 .arctan2 Atan2": elementwise.arctan2,
    "sinh .sinh Sinh": elementwise.sinh,
    "cosh .cosh Cosh": elementwise.cosh,
    "asinh arcsinh .asinh .arcsinh Asinh": elementwise.arcsinh,
    "acosh arccosh .acosh .arccosh Acosh": elementwise.arccosh,
    "atanh arctanh .atanh .arctanh Atanh": elementwise.arctanh,
    "erf .erf Erf": elementwise.erf,
    "floor .floor Floor": elementwise.floor,
    "ceil .ceil Ceil": elementwise.ceil,
    "trunc fix .trunc Trunc": elementwise.trunc,
    "rint Rint Round": elementwise.rint,
    "maximum .maximum Maximum": elementwise.maximum,
    "minimum .minimum Minimum": elementwise.minimum,
    "copysign .copysign Copysign": elementwise.copysign,
    "hypot .hypot Hypot": elementwise.hypot,
    "equal eq tensor_eq .equal .eq Equal": comparisons.equal,
    "not_equal ne tensor_ne .not_equal .ne NotEqual": comparisons.not_equal,
    "less lt tensor_lt .less .lt Less": comparisons.less,
    "less_equal le tensor_le .less_equal .le LessEqual": comparisons.less_equal,
    "greater gt tensor_gt .greater .gt Greater": comparisons.greater,
    "greater_equal ge tensor_ge .greater_equal .ge GreaterEqual": comparisons.greater_equal,
    "isnan .isnan IsNan": comparisons.isnan,
    "isinf .isinf IsInf": comparisons.isinf,
    "isfinite .isfinite IsFinite": comparisons.isfinite,
    "logical_and .logical_and LogicalAnd": elementwise.logical_and,
    "logical_or .logical_or LogicalOr": elementwise.logical_or,
    "logical_xor .logical_xor LogicalXor": elementwise.logical_xor,
    "logical_not .logical_not LogicalNot": elementwise.logical_not,
    "bitwise_and .bitwise_and BitwiseAnd": elementwise.bitwise_and,
    "bitwise_or .bitwise_or BitwiseOr": elementwise.bitwise_or,
    "bitwise_xor .bitwise_xor BitwiseXor": elementwise.bitwise_xor,
    "invert bitwise_not .invert .bitwise_not Invert": elementwise.invert,
    "bitwise_left_shift .bitwise_left_shift LeftShift": elementwise.left_shift,
    "bitwise_right_shift .bitwise_right_shift RightShift": elementwise.right_shift,
    "positive .positive": elementwise.positive,
    "conj .conj Conj": elementwise.conjugate,
    "real Real": elementwise.real,
    "imag Imag": elementwise.imag,
    "exp2 .exp2 Exp2": ufuncs.exp2,
    "deg2rad .deg2rad": ufuncs.radians,
    "rad2deg .rad2deg": ufuncs.degrees,
    "signbit .signbit": ufuncs.signbit,
    "fmod .fmod TruncateMod truncate_mod": ufuncs.fmod,
    "fmax .fmax": ufuncs.fmax,
    "fmin .fmin": ufuncs.fmin,
    "logaddexp .logaddexp": ufuncs.logaddexp,
    "heaviside .heaviside Heaviside": ufuncs.heaviside,
    "angle .angle Angle": ufuncs.angle,
    "isneginf": lambda x: comparisons.equal(x, float("-inf")),
    "isposinf": lambda x: comparisons.equal(x, float("inf")),
}.items():
    operator(_names)(_function)


@operator("TruncateDiv truncate_div")
def _truncated(x: Any, y: Any) -> Any:
    """The quotient rounded towards zero."""
    a, b = promote("floordiv", x, y)
    if not dtype_of_value(a).is_integer:
        return e.trunc(e.div(a, b))
    quotient = e.floordiv(a, b)
    if dtype_of_value(a).kind == "u":
        return quotient
    inexact = e.not_equal(e.mul(quotient, b), a)
    return e.select(e.bitwise_and(inexact, e.less(e.bitwise_xor(a, b), 0)), e.add(quotient, 1), quotient)


@operator("RealDiv")
def real_div(x: object, y: object) -> Any:
    """x / y; of ints, whole and rounded towards zero."""
    whole = all(dtype_of_value(v).is_integer for v in (x, y))
    return _truncated(x, y) if whole else true_divide(x, y)


@operator("div divide true_divide tensor_div .div .divide")
def div(input: Any, other: Any, *, rounding_mode: Any = None) -> Any:
    """`input / other`; with a `rounding_mode` 'floor' or 'trunc' rounded."""
    mode = evaluator().static(rounding_mode, "rounding_mode")
    if mode is None:
        return true_divide(input, other)
    if mode == "floor":
        return elementwise.floor_divide(input, other)
    if mode != "trunc":
        raise ValueError(f"For ops.div, rounding_mode value should be None, 'floor' or 'trunc', but got {mode}.")
    return _truncated(input, other)


@operator("Div")
def div_set_up(x: Any, y: Any) -> Any:
    """x / y; of ints as floats."""
    return true_divide(x, y)


@operator("DivNoNan div_no_nan .div_no_nan")
def div_no_nan(x1: Any, x2: Any) -> Any:
    """x1 / x2, but 0 where x2 is 0."""
    a, b = promote("div", x1, x2)
    zero = e.equal(b, 0)
    return e.select(zero, 0, e.div(a, e.select(zero, 1, b)))


@operator("Xdivy xdivy .xdivy")
def xdivy(x: Any, y: Any) -> Any:
    """x / y, but 0 where x is 0."""
    a, b = promote("div", x, y)
    zero = e.equal(a, 0)
    return e.select(zero, 0, e.div(a, e.select(zero, 1, b)))


@operator("Xlogy xlogy .xlogy")
def xlogy(input: Any, other: Any) -> Any:
    """input * log(other), but 0 where the input is 0 (NaN where `other` is)."""
    a, b = promote("div", input, other)
    zero = e.bitwise_and(e.equal(a, 0), e.bitwise_not(e.isnan(b)))
    return e.mul(a, transcendental.log(e.select(zero, 1, b)))


@operator("SquaredDifference squared_difference")
def squared_difference(x: Any, y: Any) -> Any:
    """(x - y) squared."""
    return elementwise.square(subtract(x, y))


@operator("Lerp lerp .lerp")
def lerp(input: Any, end: Any, weight: Any) -> Any:
    """input + weight * (end - input)."""
    a, b, w = promote("mul", input, end, weight)
    return e.add(a, e.mul(w, e.sub(b, a)))


@operator("Addcmul addcmul .addcmul")
def addcmul(input: Any, tensor1: Any, tensor2: Any, value: Any = 1) -> Any:
    """input + value * tensor1 * tensor2."""
    return add(input, multiply(multiply(tensor1, tensor2), value))


@operator("Addcdiv addcdiv .addcdiv")
def addcdiv(input: Any, tensor1: Any, tensor2: Any, value: Any = 1) -> Any:
    """input + value * tensor1 / tensor2."""
    return add(input, multiply(true_divide(tensor1, tensor2), value))


@operator("addn accumulate_n AddN AccumulateNV2")
def addn(x: Any) -> Any:
    """The sum of several Tensors."""
    if not isinstance(x, list | tuple):
        raise TypeError("For 'AddN', the input must be a list or tuple of Tensors.")
    items = cast("Sequence[Any]", x)
    if not items:
        raise ValueError("For 'AddN', the length of inputs must be at least 1, but got 0.")
    if any(category(item) != "tensor" for item in items):
        raise TypeError("For 'AddN', each of the inputs must be a Tensor.")
    total = as_array(items[0])
    for item in items[1:]:
        total = add(total, item)
    return total


@operator("ApproximateEqual approximate_equal")
def approximate_equal(x: Any, y: Any, *, tolerance: Any = 1e-05) -> Any:
    """Whether |x - y| is below the tolerance."""
    return comparisons.less(elementwise.absolute(subtract(x, y)), tolerance)


@operator("isclose .isclose")
def isclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether |input - other| <= atol + rtol * |other|."""
    return closeness.isclose(input, other, rtol, atol, equal_nan)


in_constructor("IsClose", isclose, "rtol", "atol", "equal_nan")


@operator("allclose .allclose")
def allclose(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all elements are close."""
    return reductions.all(closeness.isclose(input, other, rtol, atol, equal_nan))


@operator("allclose_ext")
def allclose_ext(input: Any, other: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all elements are close: a bool."""
    return _truth(reductions.all(closeness.isclose(input, other, rtol, atol, equal_nan)))


@operator("float_power .float_power")
def float_power(input: Any, exponent: Any) -> Any:
    """The power in double precision."""
    return elementwise.power(as_array(as_array(input), f64), as_array(as_array(exponent), f64))


@operator("logaddexp2 .logaddexp2")
def logaddexp2(input: Any, other: Any) -> Any:
    """log2(2**input + 2**other), without overflow."""
    a, b = promote("div", input, other)
    scaled = ufuncs.logaddexp(e.mul(a, 0.6931471805599453), e.mul(b, 0.6931471805599453))
    return e.mul(scaled, 1.4426950408889634)


@operator("ldexp .ldexp")
def ldexp(x: Any, other: Any) -> Any:
    """x * 2**other."""
    given = (
        as_float(other)
        if is_array(other)
        else as_array(other, dtype if (dtype := dtype_of_value(x)).kind == "f" else f32)
    )
    return multiply(x, ufuncs.exp2(given))


@operator("polar Polar")
def polar(abs: Any, angle: Any) -> Any:
    """The complex numbers of given magnitudes and angles."""
    a, b = promote("mul", abs, angle)
    return e.make_complex(e.mul(a, transcendental.cos(b)), e.mul(a, transcendental.sin(b)))


@operator("Complex complex")
def complex_(real: Any, imag: Any) -> Any:
    """The complex numbers of given parts."""
    return e.make_complex(*promote("mul", real, imag))


@operator("erfc Erfc .erfc")
def erfc(x: Any) -> Any:
    """1 - erf(x)."""
    return special.erfc(as_float(x))


@operator("erfinv Erfinv .erfinv")
def erfinv(input: Any) -> Any:
    """The inverse of erf."""
    return special.erfinv(as_float(input))


@operator("lgamma Lgamma .lgamma")
def lgamma(input: Any) -> Any:
    """The logarithm of |gamma(x)|."""
    return special.lgamma(as_float(input))


@operator("digamma Digamma .digamma")
def digamma(input: Any) -> Any:
    """The derivative of lgamma."""
    return special.polygamma(as_float(input), order=0)


@operator("polygamma Polygamma")
def polygamma(n: Any, input: Any) -> Any:
    """The derivative of order n of digamma."""
    return special.polygamma(as_float(input), order=static_int(n, "the order"))


@operator("frac .frac")
def frac(x: Any) -> Any:
    """x less its whole part."""
    a = as_float(x)
    return e.sub(a, e.trunc(a))


@operator("sgn .sgn")
def sgn(input: Any) -> Any:
    """The sign; of complex numbers, the number over its magnitude."""
    a = as_array(input)
    if dtype_of_value(a).kind != "c":
        return elementwise.sign(a)
    size = elementwise.absolute(a)
    whole = e.make_complex(e.select(e.equal(size, 0), 1, size), e.mul(size, 0))
    return e.div(a, whole)


@operator("sinc .sinc Sinc")
def sinc(input: Any) -> Any:
    """sin(pi x) / (pi x), 1 at 0."""
    a = e.mul(as_float(input), 3.141592653589793)
    zero = e.equal(a, 0)
    return e.select(zero, 1, e.div(transcendental.sin(a), e.select(zero, 1, a)))


@operator("cbrt")
def cbrt(x: Any) -> Any:
    """The cube root."""
    return elementwise.rounded_once(_cube_root, as_float(x))


def _cube_root(a: object) -> Any:
    """A power, and a step of Newton's method: an error of the exponent 1/3 is multiplied by the logarithm of a."""
    size = e.abs(a)
    root = e.pow(size, 1 / 3)
    usual = e.bitwise_and(e.greater(root, 0), e.isfinite(root))
    divisor = e.select(usual, root, 1)
    step = e.div(e.sub(e.div(size, e.mul(divisor, divisor)), root), 3)
    return e.copysign(e.add(root, e.stop_gradient(e.select(usual, step, 0))), a)


@operator("logit .logit")
def logit(input: Any, eps: Any = None) -> Any:
    """log(x / (1 - x)), with x brought into [eps, 1 - eps] if an `eps` is given."""
    a = as_float(input)
    if eps is not None and (bound := float(evaluator().static(eps, "eps"))) >= 0:
        a = elementwise.clip(a, bound, 1 - bound)
    return e.sub(transcendental.log(a), transcendental.log1p(e.neg(a)))


in_constructor("Logit", logit, "eps")


@operator("nan_to_num .nan_to_num")
def nan_to_num(input: Any, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """NaN and infinities replaced; infinities by the largest numbers unless given."""
    return ufuncs.nan_to_num(input, True, 0.0 if nan is None else nan, posinf, neginf)


in_constructor("NanToNum", nan_to_num, "nan", "posinf", "neginf")


@operator("isreal .isreal")
def isreal(input: Any) -> Any:
    """Whether the imaginary part is 0."""
    return comparisons.equal(elementwise.imag(input), 0)


@operator("round .round")
def round_(input: Any, decimals: Any = 0) -> Any:
    """Rounded to a number of decimals, ties to even."""
    return elementwise.round_(input, decimals)


def _each(x: Any, function: Any) -> Any:
    """The function of an array, or of every array in a tuple or list."""
    if isinstance(x, list | tuple):
        made = [function(item) for item in cast("Sequence[Any]", x)]
        return made if isinstance(x, list) else tuple(made)
    return function(x)


@operator("clip_by_value")
def clip_by_value(x: Any, clip_value_min: Any = None, clip_value_max: Any = None) -> Any:
    """x, or each in a list, not below one bound and not above the other."""
    if clip_value_min is None and clip_value_max is None:
        raise ValueError("For 'clip_by_value', at least one of 'clip_value_min' or 'clip_value_max' must not be None.")
    return _each(x, lambda item: elementwise.clip(item, clip_value_min, clip_value_max))


@operator("clamp clip .clamp .clip")
def clamp(input: Any, min: Any = None, max: Any = None) -> Any:
    """The input, or each in a list, not below `min` and not above `max`."""
    if min is None and max is None:
        raise ValueError("For 'clamp', at least one of 'min' or 'max' must not be None.")
    return _each(input, lambda item: elementwise.clip(item, min, max))


@operator("clip_by_norm")
def clip_by_norm(x: Any, max_norm: Any, norm_type: Any = 2.0, error_if_nonfinite: Any = False) -> Any:
    """x, or the Tensors of a list, scaled down so that their norm together is at most `max_norm`."""
    del error_if_nonfinite  # what is not finite stays so, visibly
    items = list(cast("Sequence[Any]", x)) if isinstance(x, list | tuple) else [x]
    each = creation.array([reductions.norm_of_order(elementwise_flat(item), norm_type) for item in items])
    total = reductions.norm_of_order(each, norm_type)
    factor = elementwise.minimum(true_divide(max_norm, add(total, 1e-6)), 1.0)
    made = tuple(as_array(multiply(item, factor), dtype_of_value(item)) for item in items)
    return list(made) if isinstance(x, list) else made if isinstance(x, tuple) else made[0]


def elementwise_flat(x: Any) -> Any:
    """x as one axis."""
    return ravel(as_float(x))


@operator("clip_by_global_norm")
def clip_by_global_norm(x: Any, clip_norm: Any = 1.0, use_norm: Any = None) -> Any:
    """The Tensors of a tuple scaled by clip_norm over the norm of all together, where that is larger."""
    del use_norm  # MindSpore leaves it for later
    if not isinstance(x, list | tuple):
        raise TypeError("For 'clip_by_global_norm', 'x' must be a tuple or list of Tensors.")
    items = cast("Sequence[Any]", x)
    total: Any = 0.0
    for item in items:
        total = add(total, reductions.sum(elementwise.square(as_float(item))))
    norm = elementwise.sqrt(total)
    larger = elementwise.maximum(norm, clip_norm)
    return tuple(true_divide(multiply(item, clip_norm), larger) for item in items)


@operator("masked_fill MaskedFill")
def masked_fill(input_x: Any, mask: Any, value: Any) -> Any:
    """The input with `value` where the mask is true."""
    if dtype_of_value(mask) is not bool_:
        raise TypeError(f"For 'MaskedFill', the type of 'mask' must be Tensor[Bool], but got {dtype_of_value(mask)!r}.")
    a = as_array(input_x)
    return e.select(mask, as_array(as_array(value), dtype_of_value(a)), a)


@operator(".masked_fill")
def masked_fill_method(x: Any, mask: Any, value: Any) -> Any:
    """The elements with `value` where the mask is true."""
    return masked_fill(x, mask, value)


@operator("select Select")
def select(condition: Any, input: Any, other: Any) -> Any:
    """The input where the condition holds, else the other; of Python numbers one of which is a float, float32."""
    made = elementwise.where(condition, input, other)
    is_float = not is_array(input) and not is_array(other) and dtype_of_value(made) is f64
    return elementwise.astype(made, f32) if is_float else made


@operator("where")
def where(condition: Any, input: Any = None, other: Any = None) -> Any:
    """The input where the condition holds, else the other; without them the places where it holds."""
    if input is None and other is None:
        return indexing.nonzero(condition)
    return select(condition, input, other)


operator("diff .diff")(arrangement.diff)
operator("trapz")(samples.trapezoid)


@operator("add_ext .add")
def add_ext(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input + alpha * other."""
    return add(input, _scaled(input, other, alpha))


def _scaled(input: Any, other: Any, alpha: Any) -> Any:
    """alpha * other, in the dtype of input + other where other is a number."""
    if type(alpha) is int and alpha == 1:
        return other
    return multiply(other if is_array(other) else promote("add", input, other)[1], alpha)


@operator("sub_ext .sub")
def sub_ext(input: Any, other: Any, *, alpha: Any = 1) -> Any:
    """input - alpha * other."""
    return subtract(input, _scaled(input, other, alpha))


def _truth(value: Any) -> Any:
    """A bool of an array of one."""
    return conversions.to_scalar(as_array(value))


@operator("equal_ext")
def equal_ext(input: Any, other: Any) -> Any:
    """Whether shapes and all elements are the same: a bool."""
    a, b = as_array(input), as_array(other)
    return have_one_shape(a, b) and _truth(reductions.all(comparisons.equal(a, b)))


@operator("CompareAndBitpack")
def compare_and_bitpack(x: Any, threshold: Any) -> Any:
    """Whether elements are above a threshold, 8 in a byte, the first the highest bit."""
    a, limit = promote("sub", x, threshold)
    bits = e.cast(e.greater(a, limit), dtype=u8)
    split = s.reshape(bits, shape=(*shape_of(bits)[:-1], shape_of(bits)[-1] // 8, 8))
    weights = evaluator().constant(2 ** np.arange(7, -1, -1), u8)
    return e.cast(r.reduce_sum(e.mul(split, weights), axis=(rank_of(split) - 1,), keepdims=False), dtype=u8)


@operator("MulNoNan")
def mul_no_nan(x: Any, y: Any) -> Any:
    """x * y, but 0 where y is 0."""
    a, b = promote("mul", x, y)
    return e.select(e.equal(b, 0), 0, e.mul(a, b))


@operator("eps Eps")
def eps(x: Any) -> Any:
    """The distance of 1 to the next number of the dtype, in the shape of x."""
    dtype = dtype_of_value(x)
    return creation.full_like(x, float(np.finfo(dtype.numpy.name).eps))
