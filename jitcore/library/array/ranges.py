"""Numbers in order: ranges, evenly spaced numbers, powers."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.array import creation
from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.math import elementwise
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import f32, i64


@operator("arange")
def arange(start: Any = 0, end: Any = None, step: Any = 1, *, dtype: Any = None) -> Any:
    """start, start + step, … below end: int64, or float32 if there are floats among them."""
    _require_step(step, "arange")
    made = creation.arange(*(_number(v) for v in (start, end, step)))
    if dtype is None:
        dtype = i64 if dtype_of_value(made) is i64 else f32
    return elementwise.astype(made, dtype, False)


def _require_step(step: Any, name: str) -> None:
    if isinstance(step, int | float) and step == 0:
        raise ValueError(f"For '{name}', the step must not be 0.")


def _number(value: Any) -> Any:
    return elementwise.number(s.reshape(value, shape=()) if rank_of(value) else value) if is_array(value) else value


@operator("range")
def range_(start: Any, end: Any = None, step: Any = 1, maxlen: Any = 1000000) -> Any:
    """start, start + step, … below end, in the dtype of `start`."""
    del maxlen
    _require_step(step, "range")
    made = creation.arange(*(_number(v) for v in (start, end, step)))
    if is_array(start):
        return elementwise.astype(made, dtype_of_value(start), False)
    return made if dtype_of_value(made) is i64 else elementwise.astype(made, f32)


@operator("Range")
def range_set_up(start: Any, limit: Any, delta: Any, *, maxlen: Any = 1000000) -> Any:
    """As `range`."""
    return range_(start, limit, delta, maxlen)


@operator("linspace LinSpace")
def linspace(start: Any, end: Any, steps: Any) -> Any:
    """`steps` numbers from start to end, evenly spaced, float32 unless a bound is a float64 Tensor."""
    dtype = dtype_of_value(start) if is_array(start) and dtype_of_value(start).is_float else f32
    count = static_ints(steps, "the number of steps")[0]
    if count < 1:
        raise ValueError(f"For 'linspace', steps must be positive, but is {count}.")
    return creation.linspace(start, end, count, True, dtype)


@operator("linspace_ext")
def linspace_ext(start: Any, end: Any, steps: Any, *, dtype: Any = None) -> Any:
    """Numbers from start to end, evenly spaced."""
    return creation.linspace(start, end, steps, dtype=f32 if dtype is None else as_dtype(dtype))


@operator("logspace")
def logspace(start: Any, end: Any, steps: Any, base: Any = 10, *, dtype: Any = None) -> Any:
    """base to the powers of evenly spaced numbers."""
    count = static_int(steps, "the number of steps")
    powers = creation.linspace(start, end, count)
    made = elementwise.power(as_array(base, dtype_of_value(powers)), powers)
    return elementwise.astype(made, f32 if dtype is None else dtype)


@operator("vander")
def vander(x: Any, N: Any = None) -> Any:
    """The powers of each element, the highest first."""
    a = as_array(x)
    count = static_int(evaluator().number(shape_of(a)[0]) if N is None else N, "the number of columns")
    powers = as_array(creation.arange(count - 1, -1, -1), dtype_of_value(a))
    return e.pow(s.expand_dims(a, axis=(1,)), powers)


@operator("LogSpace")
def log_space(start: Any, end: Any, *, steps: Any = 10, base: Any = 10, dtype: Any = f32) -> Any:
    """Powers of a base, with exponents at equal distances."""
    low, high = (as_array(as_array(v), f32) for v in (start, end))
    shares = evaluator().constant(np.linspace(0, 1, static_int(steps, "steps")), f32)
    exponents = e.add(low, e.mul(e.sub(high, low), shares))
    return elementwise.astype(e.pow(as_array(float(base), f32), exponents), dtype)
