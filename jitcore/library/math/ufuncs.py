"""NumPy's elementwise functions that are made of others, ufuncs' methods, its questions about types and values, and its
products of stacks of vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from jitcore.library.array import creation, sequences, shapes
from jitcore.library.core.values import (
    NUMBERS,
    as_array,
    as_operand,
    category,
    dtype_of_value,
    evaluator,
    is_array,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import bessel, complex_functions, conversions, copying, python_complex
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.numpy_ufuncs import numpy_ufunc, resolved
from jitcore.types import DType, bool_, c128, f64, i8, i64


def _float_of(x: Any) -> Any:
    (a,) = promote("sqrt", x)
    return a


def fabs(x: Any) -> Any:
    """The magnitude of x, as a float."""
    return e.abs(_float_of(x))


def reciprocal(x: Any) -> Any:
    """1 / x in the dtype of x: of integers, whole."""
    a = as_array(x)
    if dtype_of_value(a).is_integer:
        return e.floordiv(1, a) if dtype_of_value(a).kind == "u" else _truncated_reciprocal(a)
    return e.cast(a, dtype=i8) if dtype_of_value(a) is bool_ else e.div(1, a)


def _truncated_reciprocal(a: Any) -> Any:
    """1 / a towards zero; what NumPy gives for 0 is the lowest integer."""
    lowest = int(np.iinfo(cast("Any", dtype_of_value(a).numpy)).min)
    small = e.select(e.bitwise_and(e.greater_equal(a, -1), e.less_equal(a, 1)), a, 0)
    return e.select(e.equal(a, 0), lowest if dtype_of_value(a).itemsize >= 4 else 0, small)


def degrees(x: Any) -> Any:
    """x radians in degrees."""
    return e.mul(_float_of(x), 180.0 / np.pi)


def radians(x: Any) -> Any:
    """x degrees in radians."""
    return e.mul(_float_of(x), np.pi / 180.0)


def signbit(x: Any) -> Any:
    """Whether x is negative, -0.0 too."""
    a = _float_of(x)
    return e.less(e.copysign(creation.ones_like(a), a), 0)


def exp2(x: Any) -> Any:
    """2 to the power of x."""
    a = _float_of(x)
    if dtype_of_value(a).kind == "c":
        return complex_functions.complex_function(a, name="exp2")
    return e.pow(creation.full_like(a, 2), a)


def fmod(x: Any, y: Any) -> Any:
    """The remainder with the sign of x."""
    a, b = promote("mod", x, y)
    if dtype_of_value(a).kind == "u":
        return e.mod(a, b)
    size = e.mod(e.abs(a), e.abs(b))
    signed = e.select(e.less(a, 0), e.neg(size), size)
    return e.copysign(size, a) if dtype_of_value(a).is_float else signed


def fmax(x: Any, y: Any) -> Any:
    """The larger of x and y; the other where one is NaN."""
    return _ignoring_nan(e.maximum, "maximum", x, y)


def fmin(x: Any, y: Any) -> Any:
    """The smaller of x and y; the other where one is NaN."""
    return _ignoring_nan(e.minimum, "minimum", x, y)


def _ignoring_nan(choose: Any, kind: str, x: Any, y: Any) -> Any:
    a, b = promote(kind, x, y)
    if not dtype_of_value(a).is_float:
        return choose(a, b)
    return e.select(e.isnan(a), b, e.select(e.isnan(b), a, choose(a, b)))


def logaddexp(x: Any, y: Any) -> Any:
    """log(exp(x) + exp(y)) without overflow."""
    a, b = promote("copysign", x, y)
    top, low = e.maximum(a, b), e.minimum(a, b)
    difference = e.select(e.equal(a, b), 0, e.sub(low, top))
    return e.add(top, elementwise.log1p(elementwise.exp(difference)))


def divmod_(x: Any, y: Any) -> tuple[Any, Any]:
    """`x // y` and `x % y`."""
    return elementwise.floor_divide(x, y), elementwise.remainder(x, y)


def heaviside(x: Any, y: Any) -> Any:
    """0 for negative x, 1 for positive, y for 0."""
    a, b = promote("copysign", x, y)
    step = e.select(e.less(a, 0), 0, e.select(e.equal(a, 0), b, 1))
    return e.select(e.isnan(a), a, step)


def nan_to_num(x: Any, copy: Any = True, nan: Any = 0.0, posinf: Any = None, neginf: Any = None) -> Any:
    """x with numbers in place of NaN and infinities (the largest of the dtype, if none are given)."""
    if not evaluator().static(copy, "copy"):
        if not is_array(x):
            raise TypeError("nan_to_num of a number without a copy")
        return elementwise.assign(x, nan_to_num(evaluator().contents(x), True, nan, posinf, neginf))
    a = as_array(x)
    if not dtype_of_value(a).is_float:
        return copying.copy(a)
    largest = float(np.finfo(cast("Any", dtype_of_value(a).numpy)).max)
    high, low = (
        as_array(sign * largest if given is None else given, dtype_of_value(a))
        for given, sign in ((posinf, 1.0), (neginf, -1.0))
    )
    infinite = e.select(e.isinf(a), e.select(e.less(a, 0), low, high), a)
    return e.select(e.isnan(a), nan, infinite)


def angle(x: Any) -> Any:
    """The angle of a complex number."""
    if dtype_of_value(as_array(x)) is bool_:
        x = e.cast(as_array(x), dtype=i64)
    return elementwise.arctan2(elementwise.imag(x), elementwise.real(x))


def conjugate(x: Any) -> Any:
    """The complex conjugate (a copy where x is real; int8 of truth values)."""
    a = as_array(x)
    if dtype_of_value(a).kind == "c":
        return elementwise.conjugate(a)
    return e.cast(a, dtype=i8) if dtype_of_value(a) is bool_ else copying.copy(a)


def part_of(part: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """`np.real` and `np.imag`: of a Python number a Python number, of a NumPy scalar a NumPy scalar."""

    def function(val: Any) -> Any:
        given = as_operand(val)
        kind = category(given)
        if kind == "complex":
            return (python_complex.complex_real if part is elementwise.real else python_complex.complex_imag)(given)
        if kind in ("int", "float"):
            return given if part is elementwise.real else 0 if kind == "int" else 0.0
        return part(as_array(given))

    return function


def scalar_type(dtype: DType) -> Callable[..., Any]:
    """What calling a NumPy scalar type (`np.float32(x)`) does."""

    def convert(x: Any = 0) -> Any:
        value = as_operand(x)
        if not is_array(value):
            value = elementwise.elements_for(value, creation.filled((), 0, dtype))
        return elementwise.astype(value, dtype)

    return convert


def reduction(function: Callable[..., Any]) -> Callable[..., Any]:
    """`ufunc.reduce`: along the first axis, if no other is named."""

    def reduce(array: Any, axis: Any = 0, *, keepdims: Any = False) -> Any:
        return function(array, axis=axis, keepdims=keepdims)

    return reduce


def outer(function: Callable[..., Any]) -> Callable[..., Any]:
    """`ufunc.outer`: of every element of the one with every element of the other."""

    def apply(a: Any, b: Any) -> Any:
        x, y = as_array(a), as_array(b)
        new = tuple(range(rank_of(x), rank_of(x) + rank_of(y)))
        return function(s.expand_dims(x, axis=new) if new else x, y)

    return apply


def accumulation(function: Callable[..., Any]) -> Callable[..., Any]:
    """`ufunc.accumulate`: along the first axis, if no other is named."""

    def accumulate(array: Any, axis: Any = 0) -> Any:
        return function(array, axis=axis)

    return accumulate


_CLASSES: Final[dict[Any, Any]] = dict(zip(NUMBERS, (bool, int, float, complex), strict=True))


def ufunc(name: str, outputs: int = 1) -> Callable[..., Any]:
    """NumPy's universal function of a name."""

    def function(*operands: Any) -> Any:
        given = [as_operand(o) for o in operands]
        dtypes = resolved(name, *(_CLASSES.get(category(v) or "") or dtype_of_value(v).numpy for v in given))
        arrays = [as_array(v, dtype) for v, dtype in zip(given, dtypes, strict=True)]
        made = tuple(numpy_ufunc(*arrays, name=name, **({"output": k} if k else {})) for k in range(outputs))
        return made[0] if outputs == 1 else made

    function.__name__ = name
    return function


def modf(x: Any) -> tuple[Any, Any]:
    """(the fractions, the whole parts), both of x's sign."""
    (a,) = promote("sqrt", x)
    whole = e.trunc(a)
    rest = e.select(e.isinf(a), 0, e.sub(a, whole))
    return e.copysign(rest, a), whole


def logaddexp2(x: Any, y: Any) -> Any:
    """log2(2**x + 2**y) without overflow."""
    a, b = promote("copysign", x, y)
    top, low = e.maximum(a, b), e.minimum(a, b)
    difference = e.select(e.equal(a, b), 0, e.sub(low, top))
    share = elementwise.exp(e.mul(difference, math.log(2)))
    return e.add(top, e.mul(elementwise.log1p(share), 1 / math.log(2)))


def sinc(x: Any) -> Any:
    """sin(pi x) / (pi x), 1 at 0."""
    a = as_array(x)
    if dtype_of_value(a).kind == "c":
        raise TypeError("sinc of complex numbers")
    (a,) = promote("sqrt", a)
    angle = e.mul(e.select(e.equal(a, 0), 1, a), math.pi)
    return e.select(e.equal(a, 0), 1, e.div(elementwise.sin(angle), angle))


def i0(x: Any) -> Any:
    """The modified Bessel function of the first kind, order 0."""
    a = as_array(x)
    if dtype_of_value(a).kind == "c":
        raise TypeError("i0 not supported for complex values")
    wide = a if dtype_of_value(a).is_float else e.cast(a, dtype=f64)
    return e.select(e.isinf(wide), math.nan, bessel.i0(wide))  # as the series that NumPy sums has it


def kaiser(M: Any, beta: Any) -> Any:
    """The Kaiser window of M points."""
    count = static_int(M, "the length of a window")
    if count == 1:
        return creation.ones(1)
    half = (count - 1) / 2.0
    root = evaluator().constant(np.sqrt(1 - ((np.arange(count) - half) / half) ** 2.0), f64)
    shape = as_array(as_array(beta), f64)
    return e.div(bessel.i0(e.mul(shape, root)), bessel.i0(shape))


def fix(x: Any) -> Any:
    """Rounded towards zero."""
    return elementwise.trunc(x)


def float_power(x1: Any, x2: Any) -> Any:
    """x1 to the power of x2, computed in float64 at least."""
    a, b = as_array(x1), as_array(x2)
    wide = c128 if "c" in (dtype_of_value(a).kind, dtype_of_value(b).kind) else f64
    return elementwise.power(as_array(a, wide), as_array(b, wide))


def infinite(sign: float) -> Callable[[Any], Any]:
    """`np.isposinf` and `np.isneginf`."""

    def function(x: Any) -> Any:
        if dtype_of_value(as_array(x)).kind == "c":
            raise TypeError("signs of infinite complex numbers")
        return comparisons.equal(as_array(x), sign)

    return function


def iscomplexobj(x: Any) -> bool:
    """Whether the dtype is complex."""
    return dtype_of_value(as_operand(x)).kind == "c"


def isrealobj(x: Any) -> bool:
    """Whether the dtype is not complex."""
    return not iscomplexobj(x)


def iscomplex(x: Any) -> Any:
    """Whether each element has an imaginary part."""
    a = as_array(x)
    if dtype_of_value(a).kind != "c":
        return creation.zeros_like(a, dtype=bool_)
    return e.not_equal(e.imag(a), 0)


def isreal(x: Any) -> Any:
    """Whether each element has no imaginary part: of a Python number a bool."""
    if category(x) in NUMBERS:
        return category(x) != "complex" or elementwise.number(e.equal(e.imag(as_array(x)), 0))
    return elementwise.logical_not(iscomplex(x))


def real_if_close(a: Any, tol: Any = 100) -> Any:
    """Arrays that are not complex, as they are."""
    del tol
    x = as_array(a)
    if dtype_of_value(x).kind == "c":
        raise TypeError("real_if_close of complex numbers, whose result is real or not")
    return x


def isscalar(element: Any) -> bool:
    """Whether it is a number (or a string) and no array."""
    kind = category(element)
    return np.isscalar(element) if kind is None else kind in NUMBERS or kind == "npscalar"


def iterable(y: Any) -> bool:
    """Whether it has items."""
    return bool(rank_of(y)) if is_array(y) else category(y) is None and np.iterable(y)


def _type_sample(value: Any) -> Any:
    """What stands for a value where NumPy asks for its type."""
    kind = category(value)
    if kind in NUMBERS:
        return _CLASSES[kind](1)
    return dtype_of_value(value).numpy if kind is not None else _plain_dtype(value)


def _plain_dtype(value: Any) -> Any:
    if isinstance(value, DType):
        return value.numpy
    if isinstance(value, list | tuple):
        return dtype_of_value(as_operand(value)).numpy
    return value


def result_type(*arrays_and_dtypes: Any) -> Any:
    """The dtype that NumPy computes in for these operands."""
    return np.result_type(*map(_type_sample, arrays_and_dtypes))


def can_cast(from_: Any, to: Any, casting: Any = "safe") -> bool:
    """Whether a dtype can be cast to another."""
    if category(from_) in NUMBERS:
        return np.can_cast(from_, to, casting)
    return bool(np.can_cast(_type_sample(from_), _plain_dtype(to), casting))


def common_type(*arrays: Any) -> Any:
    """The class of floats that holds all of the arrays' numbers."""
    return np.common_type(*(np.empty(0, dtype_of_value(as_operand(a)).numpy) for a in arrays))


def asarray_chkfinite(a: Any, dtype: Any = None, order: Any = None) -> Any:
    """The array, if it has neither infinities nor NaN. ValueError if it has."""
    del order
    made = creation.asarray(a, dtype)
    if dtype_of_value(made).kind in "fc":
        held = reductions.all(comparisons.isfinite(made))
        message = "array must not contain infs or NaNs"
        conversions.check(conversions.to_scalar(held), exception="ValueError", message=message)
    return made


def asfortranarray(a: Any, dtype: Any = None) -> Any:
    """The array in columns."""
    made = creation.asarray(a, dtype)
    if rank_of(made) < 2:
        return made
    return shapes.transpose(copying.copy(shapes.transpose(made)))


def astype(x: Any, dtype: Any, /, *, copy: Any = True, device: Any = None) -> Any:
    """The array in another dtype."""
    if device not in (None, "cpu"):
        raise ValueError(f'Device not understood. Only "cpu" is allowed, but received: {device}')
    return elementwise.astype(x, dtype, copy)


def matrix_transpose(x: Any) -> Any:
    """The transposes of a stack of matrices."""
    a = as_array(x)
    if rank_of(a) < 2:
        raise ValueError(f"Input array must be at least 2-dimensional, but it is {rank_of(a)}")
    return shapes.swapaxes(a, -1, -2)


def _conjugate(a: Any) -> Any:
    return elementwise.conjugate(a) if dtype_of_value(a).kind == "c" else a


def vecdot(x1: Any, x2: Any, /, *, axis: Any = -1) -> Any:
    """The scalar products of stacks of vectors (of the conjugates of the first)."""
    a, b = promote("matmul", x1, x2)
    if not rank_of(a) or not rank_of(b):
        raise ValueError("vecdot: Input operand does not have enough dimensions")
    a, b = shapes.moveaxis(a, axis, -1), shapes.moveaxis(b, axis, -1)
    require_equal(
        shape_of(a)[-1],
        shape_of(b)[-1],
        "vecdot: Input operand 1 has a mismatch in its core dimension 0, with gufunc signature (n),(n)->() "
        "(size {1} is different from {0})",
    )
    row, column = shapes.expand_dims(_conjugate(a), -2), shapes.expand_dims(b, -1)
    return shapes.squeeze(products.matmul(row, column), (-2, -1))


def matvec(x1: Any, x2: Any, /) -> Any:
    """The products of stacks of matrices and vectors."""
    return shapes.squeeze(products.matmul(as_array(x1), shapes.expand_dims(as_array(x2), -1)), -1)


def vecmat(x1: Any, x2: Any, /) -> Any:
    """The products of stacks of (the conjugates of) vectors and matrices."""
    return shapes.squeeze(products.matmul(shapes.expand_dims(_conjugate(as_array(x1)), -2), as_array(x2)), -2)


def cumulative(function: Callable[..., Any], first: int) -> Callable[..., Any]:
    """`np.cumulative_sum` and `np.cumulative_prod`."""

    def call(x: Any, /, *, axis: Any = None, dtype: Any = None, include_initial: Any = False) -> Any:
        a = shapes.atleast_1d(as_array(x))
        if axis is None and rank_of(a) != 1:
            raise ValueError("For arrays which have more than one dimension ``axis`` argument is required.")
        k = 0 if axis is None else static_int(axis, "the axis") % rank_of(a)
        made = function(a, k, dtype)
        if not evaluator().static(include_initial, "include_initial"):
            return made
        begin = shapes.slice_axis(made, k, 0, 1)
        return shapes.concatenate([creation.full_like(begin, first), made], k)

    return call


def published(**functions: Callable[..., Any]) -> dict[Any, Callable[..., Any]]:
    """Entries for functions that NumPy has since some release."""
    return {getattr(np, name): function for name, function in functions.items() if hasattr(np, name)}


SCALARS: Final[dict[Any, Callable[..., Any]]] = {
    **{
        getattr(np, name): ufunc(name)
        for name in ("bitwise_count", "cbrt", "gcd", "lcm", "ldexp", "nextafter", "spacing")
    },
    np.frexp: ufunc("frexp", 2), np.modf: modf, np.logaddexp2: logaddexp2, np.sinc: sinc, np.fix: fix,
    np.float_power: float_power, np.isposinf: infinite(math.inf), np.isneginf: infinite(-math.inf),
    np.iscomplex: iscomplex, np.isreal: isreal, np.iscomplexobj: iscomplexobj, np.isrealobj: isrealobj,
    np.isscalar: isscalar, np.iterable: iterable, np.result_type: result_type, np.can_cast: can_cast,
    np.common_type: common_type, np.vecdot: vecdot, np.linalg.vecdot: vecdot,
    **published(matvec=matvec, vecmat=vecmat),
}  # fmt: skip
"""By NumPy's function; their results of no dimensions are NumPy scalars."""
TABLE: Final[dict[Any, Callable[..., Any]]] = {
    **published(
        astype=astype, cumulative_sum=cumulative(reductions.cumsum, 0), cumulative_prod=cumulative(sequences.cumprod, 1)
    ),
    np.i0: i0, np.kaiser: kaiser, np.matrix_transpose: matrix_transpose, np.linalg.matrix_transpose: matrix_transpose,
}  # fmt: skip
SAME: Final[dict[Any, Callable[..., Any]]] = {
    np.asanyarray: creation.asarray, np.asarray_chkfinite: asarray_chkfinite, np.asfortranarray: asfortranarray,
    np.real_if_close: real_if_close,
}  # fmt: skip
"""Those that may give their argument itself."""
