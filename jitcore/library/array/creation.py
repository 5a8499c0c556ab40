"""Library functions that make arrays: constants, ranges, identity matrices, one-hot vectors."""

from __future__ import annotations

import math
from typing import Any

from jitcore.library.array.shapes import broadcast_to
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    category,
    dims,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.primitives.ops import conversions, copying, joining, python_ints, python_scalars
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, DType, Shape, f32, f64, i64


def filled(shape: Shape, value: Any, dtype: DType) -> Any:
    """An array of one value repeated."""
    return joining.full(as_array(value, dtype), shape=shape)


def _dtype_or(dtype: Any, default: DType) -> DType:
    return default if dtype is None else as_dtype(dtype)


def zeros(shape: Any, dtype: Any = None) -> Any:
    """Zeros; of float64 unless said otherwise."""
    return filled(dims(shape), 0, _dtype_or(dtype, f64))


def ones(shape: Any, dtype: Any = None) -> Any:
    """Ones; of float64 unless said otherwise."""
    return filled(dims(shape), 1, _dtype_or(dtype, f64))


def full(shape: Any, fill_value: Any, dtype: Any = None) -> Any:
    """One value repeated; of the value's dtype unless said otherwise. A value that is an array is broadcast."""
    value = as_array(fill_value)
    wanted = _dtype_or(dtype, dtype_of_value(value))
    if rank_of(value) == 0:
        return filled(dims(shape), as_array(fill_value, wanted), wanted)
    return copying.copy(broadcast_to(as_array(value, wanted), shape))


def zeros_like(x: Any, dtype: Any = None) -> Any:
    """Zeros of the shape of x."""
    a = as_array(x)
    return filled(shape_of(a), 0, _dtype_or(dtype, dtype_of_value(a)))


def ones_like(x: Any, dtype: Any = None) -> Any:
    """Ones of the shape of x."""
    a = as_array(x)
    return filled(shape_of(a), 1, _dtype_or(dtype, dtype_of_value(a)))


def full_like(x: Any, fill_value: Any, dtype: Any = None) -> Any:
    """One value repeated in the shape of x."""
    a = as_array(x)
    return full(shape_of(a), fill_value, _dtype_or(dtype, dtype_of_value(a)))


def array(x: Any, dtype: Any = None, copy: Any = True) -> Any:
    """An array of numbers, (nested) sequences of them, or an array, which is copied unless `copy` is false."""
    wanted = None if dtype is None else as_dtype(dtype)
    if is_array(x):
        own = dtype_of_value(x)
        if wanted is not None and wanted is not own:
            return e.cast(x, dtype=wanted)
        return copying.copy(x) if evaluator().static(copy, "copy") else x
    if isinstance(x, list | tuple):
        return evaluator().constant(x, wanted)
    return as_array(x, wanted)


def asarray(x: Any, dtype: Any = None) -> Any:
    """As `array`, without a copy where the dtype fits."""
    return array(x, dtype, False)


def _number_kind(*values: Any) -> str:
    kinds = [category(v) for v in values]
    if "float" in kinds:
        return "float"
    if all(k in ("int", "bool") for k in kinds):
        return "int"
    raise TypeError("arange takes ints or floats")


def arange(start: Any, stop: Any = None, step: Any = 1, dtype: Any = None) -> Any:
    """start, start + step, … below stop; with one argument from 0. ints give int64, floats float64."""
    if stop is None:
        start, stop = 0, start
    kind = _number_kind(start, stop, step)
    wanted = _dtype_or(dtype, i64 if kind == "int" else f64)
    length = _range_length(start, stop, step, kind)
    if kind == "int":
        steps = joining.iota(length=length, dtype=i64)
        out = e.add(e.mul(steps, as_array(step, i64)), as_array(start, i64))
        return as_array(out, wanted)
    steps = e.cast(joining.iota(length=length, dtype=i64), dtype=f64)
    return as_array(e.add(e.mul(steps, as_array(_float(step), f64)), as_array(_float(start), f64)), wanted)


def _float(value: Any) -> Any:
    kind = category(value)
    if kind == "float":
        return value
    return python_scalars.int_to_float(python_scalars.bool_to_int(value) if kind == "bool" else value)


def _range_length(start: Any, stop: Any, step: Any, kind: str) -> Dim:
    """max(0, ceil((stop - start) / step)) as an extent."""
    p = python_scalars
    if all(type(v) in (int, float, bool) for v in (start, stop, step)):
        if step == 0:
            raise ZeroDivisionError("division by zero")
        span = stop - start
        return max(0, -(-span // step) if kind == "int" else math.ceil(span / step))
    if kind == "int":
        count = p.int_neg(p.int_floordiv(p.int_sub(stop, start), p.int_neg(step)))
    else:
        count = p.float_ceil(p.float_truediv(p.float_sub(_float(stop), _float(start)), _float(step)))
    return evaluator().dim(conversions.to_scalar(e.maximum(conversions.from_scalar(count, dtype=i64), 0)))


def samples_number(num: Any) -> Dim:
    """The number of samples asked for, known or not."""
    if is_array(num) and dtype_of_value(num).is_integer:
        num = conversions.to_scalar(as_array(num, i64))
    if category(num) != "int" or isinstance(num, int):
        count = static_int(num, "num")
        if count < 0:
            raise ValueError(f"Number of samples, {count}, must be non-negative.")
        return count
    held = python_ints.int_ge(num, 0)
    conversions.check(held, num, exception="ValueError", message="Number of samples, {0}, must be non-negative.")
    return evaluator().dim(num)


def distances(count: Dim, last: bool, dtype: DType) -> Any:
    """How many distances lie between samples; 1 for a single one."""
    if isinstance(count, int):
        return max(count - 1 if last else count, 1)
    number = as_array(evaluator().number(count), dtype)
    return e.maximum(e.sub(number, 1) if last else number, 1)


def linspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None) -> Any:
    """`num` numbers from start to stop, evenly spaced; without `endpoint` stop is left out."""
    count = samples_number(num)
    wanted = _dtype_or(dtype, f64)
    lo, hi = as_array(start, f64), as_array(stop, f64)
    last = bool(evaluator().static(endpoint, "endpoint"))
    parts = distances(count, last, f64)
    steps = e.cast(joining.iota(length=count, dtype=i64), dtype=f64)
    width = e.sub(hi, lo)
    out = e.add(e.mul(steps, e.div(width, parts)), lo)
    if last and not (isinstance(count, int) and count < 2):
        out = e.select(e.equal(steps, parts), hi, out)
    return as_array(out, wanted)


def eye(n: Any, m: Any = None, k: Any = 0, dtype: Any = None) -> Any:
    """Zeros with ones on the k-th diagonal."""
    wanted = _dtype_or(dtype, f64)
    rows = evaluator().dim(n)
    columns = rows if m is None else evaluator().dim(m)
    i = s.expand_dims(joining.iota(length=rows, dtype=i64), axis=(1,))
    j = joining.iota(length=columns, dtype=i64)
    return e.cast(e.equal(j, e.add(i, as_array(k, i64))), dtype=wanted)


def one_hot(indices: Any, depth: Any, on_value: Any = 1.0, off_value: Any = 0.0, axis: Any = -1) -> Any:
    """For each index, `depth` values along a new axis: `on_value` at the index, `off_value` elsewhere."""
    index = as_array(indices)
    if not dtype_of_value(index).is_integer:
        raise TypeError(f"one_hot takes ints, not {dtype_of_value(index)!r}")
    extent = evaluator().dim(depth)
    k = normal_axis(axis, rank_of(index) + 1)
    dtype = dtype_of_value(on_value) if is_array(on_value) else f32
    places = joining.iota(length=extent, dtype=i64)  # a narrower dtype would not hold all of them
    others = tuple(n for n in range(rank_of(index) + 1) if n != k)
    places = s.expand_dims(places, axis=others) if others else places
    hit = e.equal(s.expand_dims(as_array(index, i64), axis=(k,)), places)
    return e.select(hit, as_array(on_value, dtype), as_array(off_value, dtype))


def meshgrid(*arrays: Any, indexing: str = "xy") -> list[Any]:
    """Coordinate matrices of coordinate vectors."""
    vectors = [as_array(x) for x in arrays]
    order = list(range(len(vectors)))
    if indexing == "xy" and len(vectors) >= 2:
        order[0], order[1] = 1, 0
    elif indexing not in ("xy", "ij"):
        raise ValueError("Valid values for `indexing` are 'xy' and 'ij'.")
    extents: list[Dim] = [1] * len(vectors)
    for place, vector in zip(order, vectors, strict=True):
        extents[place] = shape_of(vector)[0]
    out: list[Any] = []
    for place, vector in zip(order, vectors, strict=True):
        others = tuple(n for n in range(len(vectors)) if n != place)
        wide = s.expand_dims(vector, axis=others) if others else vector
        out.append(copying.copy(s.broadcast_to(wide, shape=tuple(extents))))
    return out
