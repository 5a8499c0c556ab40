"""Library functions that reduce axes: sums, extrema, means, norms, positions of extrema."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    category,
    dtype_of_value,
    evaluator,
    meanings,
    normal_axes,
    normal_axis,
    rank_of,
    shape_of,
    static_flag,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import truth
from jitcore.primitives.ops import conversions, python_scalars
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.primitives.ops.deviations import squared_deviations
from jitcore.types import Dim, DimExpr, DType, bool_, dim_max, f32, f64, i64, u64


def sum_dtype(x: Any, dtype: Any) -> DType:
    """The dtype sums and products accumulate in: small ints widen as NumPy has it; a Tensor's keep theirs but for
    bool (by MindSpore's rules ints are added as int64)."""
    if dtype is not None:
        return as_dtype(dtype)
    own = dtype_of_value(x)
    if own is bool_:
        return i64
    if category(x) == "tensor" or not own.is_integer:
        return (meanings(x).sum_of_ints if own.is_integer else None) or own
    return u64 if own.kind == "u" else i64


def sum(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """The sum over `axis` (None: all)."""
    a = as_array(x)
    a = as_array(a, sum_dtype(a, dtype))
    return r.reduce_sum(a, axis=normal_axes(axis, rank_of(a)), keepdims=static_flag(keepdims, "keepdims"))


def prod(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """The product over `axis` (None: all)."""
    a = as_array(x)
    a = as_array(a, sum_dtype(a, dtype))
    return r.reduce_prod(a, axis=normal_axes(axis, rank_of(a)), keepdims=static_flag(keepdims, "keepdims"))


def require_elements(x: Any, axes: tuple[int, ...], message: str) -> None:
    """Raise ValueError(message) if one of the axes is empty, now or where the program gets here."""
    for axis in axes:
        extent = shape_of(x)[axis]
        if isinstance(extent, DimExpr):
            nonempty = python_scalars.int_ne(evaluator().number(extent), 0)
            conversions.check(nonempty, exception="ValueError", message=message)
        elif extent == 0:
            raise ValueError(message)


def max(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The largest element over `axis` (None: all); NaN if there is one. ValueError if there are no elements."""
    a = as_array(x)
    axes = normal_axes(axis, rank_of(a))
    require_elements(a, axes, "zero-size array to reduction operation maximum which has no identity")
    return r.reduce_max(a, axis=axes, keepdims=static_flag(keepdims, "keepdims"))


def min(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The smallest element over `axis` (None: all); NaN if there is one. ValueError if there are no elements."""
    a = as_array(x)
    axes = normal_axes(axis, rank_of(a))
    require_elements(a, axes, "zero-size array to reduction operation minimum which has no identity")
    return r.reduce_min(a, axis=axes, keepdims=static_flag(keepdims, "keepdims"))


def ptp(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The largest element minus the smallest."""
    return e.sub(max(x, axis, keepdims), min(x, axis, keepdims))


def any(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Whether any element is true, over `axis` (None: all)."""
    a = truth(x)
    return r.reduce_any(a, axis=normal_axes(axis, rank_of(a)), keepdims=static_flag(keepdims, "keepdims"))


def all(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """Whether all elements are true, over `axis` (None: all)."""
    a = truth(x)
    return r.reduce_all(a, axis=normal_axes(axis, rank_of(a)), keepdims=static_flag(keepdims, "keepdims"))


def count(x: Any, axes: tuple[int, ...]) -> Dim:
    """The number of elements that a reduction over `axes` takes together."""
    total: Dim = 1
    for axis in axes:
        total = total * shape_of(x)[axis]
    return total


def as_float(x: Any) -> Any:
    """x as an array of floats (complex kept): ints become float32 in a Tensor, float64 elsewhere."""
    a = as_array(x)
    if dtype_of_value(a).kind in "fc":
        return a
    return e.cast(a, dtype=f32 if category(a) == "tensor" else f64)


def divide_by_count(total: Any, number: Dim) -> Any:
    """An array divided by an extent."""
    return e.div(total, conversions.from_scalar(evaluator().number(number), dtype=dtype_of_value(total)))


def mean(x: Any, axis: Any = None, dtype: Any = None, keepdims: Any = False) -> Any:
    """The mean over `axis` (None: all), of ints as floats; by MindSpore's rules a Tensor's mean of ints is an int,
    rounded towards zero."""
    given = as_array(x)
    ruled = dtype is None and meanings(given).means_of_ints_are_ints
    whole = dtype_of_value(given) if ruled else None
    if whole is not None and whole.is_integer:
        return e.cast(mean(e.cast(given, dtype=f64), axis, keepdims=keepdims), dtype=whole)
    a = as_float(x) if dtype is None else as_array(given, as_dtype(dtype))
    axes = normal_axes(axis, rank_of(a))
    own = dtype_of_value(a)
    wide = e.cast(a, dtype=f32) if own.name == "f16" else a
    total = r.reduce_sum(wide, axis=axes, keepdims=static_flag(keepdims, "keepdims"))
    return as_array(divide_by_count(total, count(a, axes)), own)


def var(x: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The mean square deviation from the mean; the divisor is the count less `ddof`."""
    a = as_float(x)
    axes, kept = normal_axes(axis, rank_of(a)), static_flag(keepdims, "keepdims")
    if axes and dtype_of_value(a) in (f32, f64):
        total = squared_deviations(a, axis=axes, keepdims=kept)
    else:
        centred = e.sub(a, mean(a, axes, keepdims=True) if axes else a)
        total = r.reduce_sum(squares(centred), axis=axes, keepdims=kept)
    divisor = count(a, axes) + -static_int(ddof, "ddof")
    return divide_by_count(total, dim_max(divisor, 0))


def squares(a: Any) -> Any:
    """The squares of magnitudes."""
    if dtype_of_value(a).kind != "c":
        return e.mul(a, a)
    return e.add(e.mul(e.real(a), e.real(a)), e.mul(e.imag(a), e.imag(a)))


def std(x: Any, axis: Any = None, ddof: Any = 0, keepdims: Any = False) -> Any:
    """The square root of the variance."""
    return t.sqrt(var(x, axis, ddof, keepdims))


def extreme_size(sizes: Any, ord: Any, axis: Any, keepdims: Any = False) -> Any:
    """The largest of numbers that are not negative, 0 of none, or the smallest for a negative order."""
    if ord < 0:
        return min(sizes, axis, keepdims)
    axes = normal_axes(axis, rank_of(sizes))
    if 0 in [shape_of(sizes)[k] for k in axes]:
        return sum(sizes, axes, None, keepdims)
    return e.maximum(r.reduce_max(sizes, axis=axes, keepdims=static_flag(keepdims, "keepdims")), 0)


def norm_of_order(x: Any, ord: Any = None, axis: Any = None, keepdims: Any = False) -> Any:
    """The norm of NumPy: of vectors of any order; of matrices Frobenius', and those of sums of rows or columns."""
    ord = evaluator().static(ord, "the order of a norm")
    if ord is None or (ord == "fro" and (axis is not None or rank_of(as_array(x)) == 2)):
        return norm(x, axis, keepdims)
    a = as_float(x)
    axes = normal_axes(axis, rank_of(a))
    size = elementwise.absolute(a)
    if len(axes) == 2 and ord in (1, -1, float("inf"), float("-inf")):
        first, second = axes if axis is None else tuple(normal_axes((k,), rank_of(a))[0] for k in axis)
        added, chosen = (first, second) if abs(ord) == 1 else (second, first)
        made = extreme_size(sum(size, added, None, True), ord, chosen, True)
        return made if keepdims else s.squeeze(made, axis=axes)
    if len(axes) != 1 or isinstance(ord, str):
        raise TypeError("the norm of matrices by another order than Frobenius', 1, -1, inf or -inf")
    if ord in (float("inf"), float("-inf")):
        return extreme_size(size, ord, axes, keepdims)
    if ord == 2:
        return norm(x, axes, keepdims)
    if ord == 0:
        return e.cast(sum(e.not_equal(a, 0), axes, None, keepdims), dtype=dtype_of_value(size))
    if ord == 1:
        return sum(size, axes, None, keepdims)
    return elementwise.power(sum(elementwise.power(size, ord), axes, None, keepdims), 1.0 / ord)


def norm(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The square root of the sum of squares over `axis` (None: all)."""
    a = as_float(x)
    axes = normal_axes(axis, rank_of(a))
    return t.sqrt(r.reduce_sum(squares(a), axis=axes, keepdims=static_flag(keepdims, "keepdims")))


def logsumexp(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """log(sum(exp(x))) without overflow."""
    a = as_float(x)
    axes = normal_axes(axis, rank_of(a))
    top = e.stop_gradient(max(a, axes, True))
    top = e.select(e.isfinite(top), top, 0)
    total = e.add(t.log(r.reduce_sum(t.exp(e.sub(a, top)), axis=axes, keepdims=True)), top)
    return total if static_flag(keepdims, "keepdims") else s.squeeze(total, axis=axes)


def _flat_or_axis(x: Any, axis: Any) -> tuple[Any, int]:
    a = as_array(x)
    if axis is None or is_axis_of_number(a, axis):
        return s.reshape(a, shape=(count(a, tuple(range(rank_of(a)))),)), 0
    return a, normal_axis(axis, rank_of(a))


def is_axis_of_number(a: Any, axis: Any) -> bool:
    """Whether `axis` is 0 or -1, which NumPy takes for an array without axes, too."""
    return type(axis) is int and axis in (0, -1) and category(a) in ("ndarray", "npscalar") and not rank_of(a)


def argmax(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The position of the first largest element along `axis` (None: in the flattened array), int64."""
    return _position(r.argmax, "argmax", x, axis, keepdims)


def argmin(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The position of the first smallest element along `axis` (None: in the flattened array), int64."""
    return _position(r.argmin, "argmin", x, axis, keepdims)


def _position(primitive: Any, name: str, x: Any, axis: Any, keepdims: Any) -> Any:
    keep = static_flag(keepdims, "keepdims")
    a, k = _flat_or_axis(x, axis)
    require_elements(a, (k,), f"attempt to get {name} of an empty sequence")
    out = primitive(a, axis=k, keepdims=keep)
    if keep and axis is None:
        return s.reshape(out, shape=(1,) * rank_of(as_array(x)))
    return out


def cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """The running sum along `axis` (None: of the flattened array)."""
    a, k = _flat_or_axis(x, axis)
    return r.cumsum(as_array(a, _running_dtype(a, dtype)), axis=k)


def _running_dtype(x: object, dtype: object) -> DType:
    """As `sum_dtype`; by MindSpore's rules a Tensor's small ints are added up as int32, others keep their dtype."""
    own = dtype_of_value(x)
    least = meanings(x).least_running_sum
    if dtype is not None or least is None or not own.is_integer:
        return sum_dtype(x, dtype)
    return least if own.itemsize < least.itemsize else own


def count_nonzero(x: Any, axis: Any = None, keepdims: Any = False) -> Any:
    """The number of true elements over `axis` (None: all)."""
    return sum(truth(x), axis, i64, keepdims)
