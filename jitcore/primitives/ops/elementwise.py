"""Elementwise arithmetic, comparison and selection on arrays of one dtype, with NumPy's broadcasting.

Integers wrap. On bools sums and maxima are `or`, products and minima `and`, as in NumPy; differences and quotients are
not defined.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.primitives.core import batching, broadcasting
from jitcore.primitives.core.registry import (
    PRIMITIVES,
    Decomposition,
    Elementwise,
    Linear,
    Nondifferentiable,
    Partials,
    Primitive,
    Sample,
    Vjp,
    declare,
)
from jitcore.primitives.core.rules import array, elementwise_rule, select_rule, tensor_type
from jitcore.primitives.core.sampling import binary, integers, mixed, spread, unary
from jitcore.primitives.core.scalar_operations import IDENTITY, scalar_operation
from jitcore.types import DType, TensorType, Type, bool_, c64, c128, f16, f32, f64, has_derivatives, i8, i32, i64, u8

_INTEGER = Nondifferentiable("it is defined on integers")
_STEPS = Nondifferentiable("it is constant between its steps")
_COMPARISON = Nondifferentiable("a truth value has no derivative")


# --- arithmetic -------------------------------------------------------------------------------------


def _add_transpose(cotangents: Sequence[Any], x: Any, y: Any) -> Sequence[Any]:
    (ct,) = cotangents
    return broadcasting.sum_to_shape(ct, tensor_type(x).shape), broadcasting.sum_to_shape(ct, tensor_type(y).shape)


def _sub_transpose(cotangents: Sequence[Any], x: Any, y: Any) -> Sequence[Any]:
    (ct,) = cotangents
    return broadcasting.sum_to_shape(ct, tensor_type(x).shape), neg(broadcasting.sum_to_shape(ct, tensor_type(y).shape))


def _pow_partials(out: Any, x: Any, y: Any) -> Sequence[Callable[[], Any]]:
    # The exponent of the inner power is never -1 where y is 0, nor the logarithm's argument 0: what would be
    # 0 * inf there is 0, in higher derivatives too.
    def by_base() -> Any:
        return mul(y, pow(x, select(equal(y, 0), 1, sub(y, 1))))

    def by_exponent() -> Any:
        return mul(PRIMITIVES["log"](select(equal(x, 0), 1, x)), out)

    return by_base, by_exponent


_OR, _AND, _UNCHANGED = {"b": "or"}, {"b": "and"}, dict.fromkeys("biu", IDENTITY)
_NUMBERS = (f64, f32, f16, i64, i32, u8, c128)
_REALS = (f64, f32, i64, i8, u8)
_SIGNED_ZEROS = ((0.0, -0.0), (-0.0, 0.0), (1.0, 0.0), (np.inf, -np.inf), (np.nan, 1.0), (1.0, np.nan), (-1.0, np.inf))

add = scalar_operation(
    "add", "add", "biufc", Linear((0, 1), _add_transpose), binary(*_NUMBERS, bool_), "x + y", instead=_OR
)
sub = scalar_operation("sub", "sub", "iufc", Linear((0, 1), _sub_transpose), binary(*_NUMBERS), "x - y")
mul = scalar_operation(
    "mul",
    "mul",
    "biufc",
    Partials(lambda out, x, y: (lambda: y, lambda: x)),
    binary(*_NUMBERS, bool_),
    "x * y",
    instead=_AND,
)
div = scalar_operation(
    "div",
    "div",
    "fc",
    Partials(lambda out, x, y: (lambda: div(1, y), lambda: neg(div(out, y)))),
    binary(f64, f32, f16, c64, specials=_SIGNED_ZEROS),
    "x / y of floats and complex numbers",
)
floordiv = scalar_operation(
    "floordiv",
    "floordiv",
    "iuf",
    _STEPS,
    binary(*_REALS, specials=_SIGNED_ZEROS),
    "the largest whole number not above x / y; an integer divided by 0 gives 0",
)
mod = scalar_operation(
    "mod",
    "mod",
    "iuf",
    Partials(lambda out, x, y: (lambda: 1, lambda: neg(floordiv(x, y)))),
    binary(*_REALS, specials=_SIGNED_ZEROS),
    "x - floordiv(x, y) * y, of the divisor's sign; an integer modulo 0 gives 0",
)


def _pow_samples() -> Iterable[Sample]:
    yield Sample((spread((2, 3), 0.3, 3.0), spread((3,), -2.0, 3.0)))
    yield Sample((spread((4,), 0.3, 3.0, f32), spread((4,), -1.0, 1.5, f32)))
    yield Sample((np.array([0.0, 0.0, 2.0, -2.0, 0.0]), np.array([0.0, 1.0, 0.0, 3.0, 2.0])), differentiable=False)
    yield Sample((np.array([-1.5, np.inf, np.nan, -np.inf]), np.array([0.5, -1.0, 0.0, 3.0])), differentiable=False)
    yield Sample((integers([-3, 2, 0, 7]), integers([3, 10, 0, 30])))
    yield Sample((integers([3, 2, 0], u8), integers([3, 8, 0], u8)))


pow = scalar_operation(
    "pow",
    "pow",
    "iuf",
    Partials(_pow_partials),
    _pow_samples,
    "x to the power y. Integer exponents of integers must not be negative: who emits it has checked.",
)


def _identity_samples(*dtypes: DType) -> Callable[[], Iterable[Sample]]:
    def samples() -> Iterable[Sample]:
        for k, dtype in enumerate(dtypes):
            yield Sample((mixed((2, 3), k, dtype),))
        yield Sample((mixed((), 7, dtypes[0]),))
        yield Sample((mixed((0,), 7, dtypes[0]),))
        if dtypes[0].is_float:
            yield Sample((np.array([0.0, -0.0, np.inf, -np.inf, np.nan]),), differentiable=False)

    return samples


neg = scalar_operation(
    "neg", "neg", "iufc", Linear((0,), lambda cts, x: (neg(cts[0]),)), _identity_samples(*_NUMBERS), "-x"
)
abs = scalar_operation(
    "abs",
    "abs",
    "biuf",
    Partials(lambda out, x: (lambda: sign(x),)),
    _identity_samples(*_REALS, bool_),
    "|x|; the smallest integer stays itself",
    instead={"b": IDENTITY},
)
sign = scalar_operation("sign", "sign", "iuf", _STEPS, _identity_samples(*_REALS), "-1, 0 or 1; NaN for NaN")


# The gradient of an extreme goes to the operand that attains it, half to each of equal ones (as PyTorch's and JAX's);
# where either is NaN it goes to both, so that nothing is cut off.
def _extreme_share(ct: Any, mine: Any, other: Any, loses: Callable[[Any, Any], Any]) -> Any:
    halved = select(equal(mine, other), mul(ct, 0.5), ct)
    return broadcasting.sum_to_shape(select(loses(mine, other), 0, halved), tensor_type(mine).shape)


def _extreme(name: str, op: str, loses: Callable[[Any, Any], Any], instead: dict[str, str], doc: str) -> Primitive:
    def vjp(cotangents: Sequence[Any], outs: Sequence[Any], x: Any, y: Any) -> Sequence[Any]:
        (ct,) = cotangents
        return _extreme_share(ct, x, y, loses), _extreme_share(ct, y, x, loses)

    def jvp(tangents: Sequence[Any], outs: Sequence[Any], x: Any, y: Any) -> Sequence[Any]:
        total: Any = None
        for tangent, mine, other in ((tangents[0], x, y), (tangents[1], y, x)):
            if tangent is not None:
                halved = select(equal(mine, other), mul(tangent, 0.5), tangent)
                part = select(loses(mine, other), 0, halved)
                total = part if total is None else add(total, part)
        return (total,)

    specials = ((np.nan, 1.0), (1.0, np.nan), (2.0, 2.0), (np.inf, -np.inf))
    samples = binary(*_REALS, bool_, specials=specials)
    return scalar_operation(name, op, "biuf", Vjp(vjp, jvp), samples, doc, instead=instead)


maximum = _extreme(
    "maximum", "max", lambda mine, other: less(mine, other), _OR, "the larger of x and y; NaN if either is"
)
minimum = _extreme(
    "minimum", "min", lambda mine, other: greater(mine, other), _AND, "the smaller of x and y; NaN if either is"
)
copysign = scalar_operation(
    "copysign",
    "copysign",
    "f",
    Partials(lambda out, x, y: (lambda: mul(copysign(1, x), copysign(1, y)), None)),
    binary(f64, f32, specials=((0.0, -1.0), (-0.0, 1.0), (np.inf, -0.0))),
    "the magnitude of x with the sign of y",
)

_TIES = (0.5, 1.5, -0.5, 2.5, -2.5, 1e300, 0.49999999999999994, 0.0, -0.0, np.inf, -np.inf, np.nan)


def _rounding(name: str, kinds: str, doc: str) -> Primitive:
    samples = unary(-3, 3, _TIES, others=(i64, u8, bool_) if "i" in kinds else ())
    return scalar_operation(name, name, kinds, _STEPS, samples, doc, instead=_UNCHANGED)


floor = _rounding("floor", "biuf", "the largest whole number not above x")
ceil = _rounding("ceil", "biuf", "the smallest whole number not below x")
trunc = _rounding("trunc", "biuf", "x without its fraction")
rint = _rounding("rint", "f", "the nearest whole number, halves to even")

# --- bits -------------------------------------------------------------------------------------------

_BITS = (i64, u8, i32, bool_)
bitwise_and = scalar_operation("bitwise_and", "and", "biu", _INTEGER, binary(*_BITS), "x & y; of bools, both")
bitwise_or = scalar_operation("bitwise_or", "or", "biu", _INTEGER, binary(*_BITS), "x | y; of bools, either")
bitwise_xor = scalar_operation("bitwise_xor", "xor", "biu", _INTEGER, binary(*_BITS), "x ^ y; of bools, exactly one")
bitwise_not = scalar_operation(
    "bitwise_not", "not", "biu", _INTEGER, _identity_samples(*_BITS), "~x; of a bool, its opposite"
)


def _shift_samples() -> Iterable[Sample]:
    yield Sample((integers([1, -5, 7, 1]), integers([3, 2, 0, 62])))
    yield Sample((integers([1, 255, 7], u8), integers([3, 1, 7], u8)))
    yield Sample((integers([[1], [-9]], i32), integers([1, 2], i32)))


left_shift = scalar_operation("left_shift", "shl", "iu", _INTEGER, _shift_samples, "x << y; 0 past the width")
right_shift = scalar_operation("right_shift", "shr", "iu", _INTEGER, _shift_samples, "x >> y, of x's sign")

# --- comparison -------------------------------------------------------------------------------------

_NAN_PAIRS = ((np.nan, np.nan), (np.nan, 1.0), (0.0, -0.0), (np.inf, np.inf), (1.0, 2.0), (2.0, 1.0))


def _comparison(name: str, op: str, kinds: str, dtypes: tuple[DType, ...], doc: str) -> Primitive:
    return scalar_operation(name, op, kinds, _COMPARISON, binary(*dtypes, specials=_NAN_PAIRS), doc, result=bool_)


equal = _comparison("equal", "eq", "biufc", (f64, f32, i64, u8, bool_, c128), "x == y")
not_equal = _comparison("not_equal", "ne", "biufc", (f64, f32, i64, u8, bool_, c128), "x != y")
less = _comparison("less", "lt", "biuf", (f64, f32, i64, u8, bool_), "x < y")
less_equal = _comparison("less_equal", "le", "biuf", (f64, f32, i64, u8, bool_), "x <= y")
greater = _comparison("greater", "gt", "biuf", (f64, f32, i64, u8, bool_), "x > y")
greater_equal = _comparison("greater_equal", "ge", "biuf", (f64, f32, i64, u8, bool_), "x >= y")


def _float_test(name: str, doc: str) -> Primitive:
    return scalar_operation(name, name, "f", _COMPARISON, _identity_samples(f64, f32, f16), doc, result=bool_)


isnan = _float_test("isnan", "whether x is not a number")
isinf = _float_test("isinf", "whether x is infinite")
isfinite = _float_test("isfinite", "whether x is neither infinite nor NaN")

# --- selection and conversion -----------------------------------------------------------------------


def _select_transpose(cotangents: Sequence[Any], c: Any, x: Any, y: Any) -> Sequence[Any]:
    (ct,) = cotangents
    by_x = broadcasting.sum_to_shape(select(c, ct, 0), tensor_type(x).shape)
    return None, by_x, broadcasting.sum_to_shape(select(c, 0, ct), tensor_type(y).shape)


def _select_samples() -> Iterable[Sample]:
    c = np.array([True, False, True])
    for dtype in (f64, f32, i64, bool_, c128):
        yield Sample((c, mixed((2, 3), 1, dtype), mixed((3,), 2, dtype)))
    yield Sample((np.array(True), mixed((2,), 1), mixed((), 2)))
    yield Sample((np.array([[True], [False]]), mixed((), 1), mixed((3,), 2)))


select = declare(
    "select",
    "c x y",
    rule=select_rule,
    reference=lambda c, x, y: np.where(c, x, y),
    lowering=Elementwise("select", exact=True),
    derivative=Linear((1, 2), _select_transpose),
    samples=_select_samples,
    doc="x where c is true, else y; what is not taken does not matter, NaN or not, to the gradient either.",
)


def _cast_reference(x: Any, *, dtype: DType) -> Any:
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", np.exceptions.ComplexWarning)
        return np.asarray(x).astype(dtype.numpy)


def _cast_samples() -> Iterable[Sample]:
    for source, target in ((f64, f32), (f32, f64), (f64, i32), (i64, f32), (bool_, f64), (u8, i64), (f16, f32)):
        yield Sample((mixed((2, 3), 1, source),), {"dtype": target})
    yield Sample((integers([300, -1, 7]),), {"dtype": u8})
    yield Sample((np.array([0.0, -0.0, np.nan, 0.5]),), {"dtype": bool_})
    yield Sample((mixed((3,), 1, f64),), {"dtype": c128}, differentiable=False)
    yield Sample((mixed((3,), 1, c128),), {"dtype": f64}, differentiable=False)


def _cast_transpose(cotangents: Sequence[Any], x: Any, *, dtype: DType) -> Sequence[Any]:
    source = tensor_type(x).dtype
    return (cast(cotangents[0], dtype=source) if has_derivatives(source) else None,)


cast = declare(
    "cast",
    "x",
    rule=lambda x, *, dtype: TensorType(dtype, array(x).shape),
    reference=_cast_reference,
    lowering=Elementwise(lambda k, x, *, dtype: k("cast", dtype, x), exact=True),
    derivative=Linear((0,), _cast_transpose),
    samples=_cast_samples,
    doc="x converted to dtype as C does: integers wrap, floats lose their fraction, "
    "complex numbers their imaginary part.",
)

_PART = {c64: f32, c128: f64}
_WHOLE = {f32: c64, f64: c128}


def _part_rule(x: Type) -> Type:
    type_ = array(x)
    if type_.dtype not in _PART:
        raise TypeError(f"real and imag take complex arrays, not {type_.dtype}")
    return TensorType(_PART[type_.dtype], type_.shape)


def _complex_rule(re: Type, im: Type) -> Type:
    type_ = elementwise_rule("make_complex", 2, "f")(re, im)
    assert isinstance(type_, TensorType)
    if type_.dtype not in _WHOLE:
        raise TypeError(f"there is no complex dtype with parts of {type_.dtype}")
    return TensorType(_WHOLE[type_.dtype], type_.shape)


def _complex_reference(re: Any, im: Any) -> Any:
    out = np.empty(np.broadcast_shapes(np.shape(re), np.shape(im)), np.result_type(re, np.complex64))
    out.real = re
    out.imag = im
    return out


# Cotangents of complex numbers pair with tangents without conjugation, as in JAX: the transposes below are the plain
# ones.
real = declare(
    "real",
    "x",
    rule=_part_rule,
    reference=lambda x: np.real(x).copy(),
    lowering=Elementwise("real"),
    derivative=Linear((0,), lambda cts, x: (make_complex(cts[0], 0),)),
    samples=lambda: (Sample((mixed((2, 3), k, d),), differentiable=False) for k, d in enumerate((c128, c64))),
    doc="the real part",
)
imag = declare(
    "imag",
    "x",
    rule=_part_rule,
    reference=lambda x: np.imag(x).copy(),
    lowering=Elementwise("imag"),
    derivative=Linear((0,), lambda cts, x: (make_complex(0, neg(cts[0])),)),
    samples=lambda: (Sample((mixed((2, 3), k, d),), differentiable=False) for k, d in enumerate((c128, c64))),
    doc="the imaginary part",
)
make_complex = declare(
    "make_complex",
    "re im",
    rule=_complex_rule,
    reference=_complex_reference,
    lowering=Elementwise("complex"),
    derivative=Linear(
        (0, 1),
        lambda cts, re, im: (
            broadcasting.sum_to_shape(real(cts[0]), tensor_type(re).shape),
            broadcasting.sum_to_shape(neg(imag(cts[0])), tensor_type(im).shape),
        ),
    ),
    samples=lambda: (Sample((mixed((2, 3), 1, d), mixed((3,), 2, d)), differentiable=False) for d in (f64, f32)),
    doc="re + 1j * im",
)
stop_gradient = declare(
    "stop_gradient",
    "x",
    rule=lambda x: array(x),
    reference=lambda x: np.asarray(x),
    lowering=Decomposition(lambda x: x),
    derivative=Nondifferentiable("the program says so: stop_gradient"),
    batch=batching.same,
    samples=_identity_samples(f64, f32, i64),
    doc="x, taken for a constant by differentiation",
)
