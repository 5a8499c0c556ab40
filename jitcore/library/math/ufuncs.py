"""NumPy's less common elementwise functions, its questions about types and values, and its products of stacks of
vectors."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final

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
from jitcore.primitives.ops import bessel, conversions, copying
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops.numpy_ufuncs import numpy_ufunc, resolved
from jitcore.types import DType, bool_, c128, f64

# --- computed by NumPy --------------------------------------------------------------------------------


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


# --- composed ------------------------------------------------------------------------------------------


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


# --- questions -----------------------------------------------------------------------------------------


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


# --- products of stacks ----------------------------------------------------------------------------------


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
