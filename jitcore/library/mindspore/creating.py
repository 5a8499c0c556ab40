"""Operators that make Tensors."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, is_array, rank_of, shape_of, static_int
from jitcore.library.math import elementwise
from jitcore.library.mindspore.shaping import static_ints
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import f32, i64


def _shape(size: Any) -> Any:
    return tuple(static_ints(size, "the shape")) if is_array(size) else size


def _fill(shape: Any, value: Any, dtype: Any) -> Any:
    """One value repeated; floats are float32 unless said otherwise."""
    if dtype is None and not is_array(value) and isinstance(value, float):
        dtype = f32
    return creation.full(_shape(shape), value, dtype)


@operator("zeros Zeros")
def zeros(size: Any, dtype: Any = None) -> Any:
    """Zeros; of float32 unless said otherwise."""
    return creation.zeros(_shape(size), f32 if dtype is None else dtype)


@operator("ones Ones")
def ones(shape: Any, dtype: Any = None) -> Any:
    """Ones; of float32 unless said otherwise."""
    return creation.ones(_shape(shape), f32 if dtype is None else dtype)


@operator("empty")
def empty(*size: Any, dtype: Any = None) -> Any:
    """Zeros: nothing is left undefined."""
    return zeros(size[0] if len(size) == 1 else size, dtype)


@operator("full")
def full(size: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """One value repeated."""
    return _fill(size, fill_value, dtype)


@operator("fill Fill")
def fill(type: Any, shape: Any, value: Any) -> Any:
    """One value repeated, of a dtype."""
    return _fill(shape, value, type)


@operator("FillV2")
def fill_v2(shape: Any, value: Any) -> Any:
    """One value repeated."""
    return _fill(shape, value, None)


@operator("fills Fills")
def fills(x: Any, value: Any) -> Any:
    """One value in the shape and dtype of x."""
    return creation.full_like(x, value)


@operator("zeros_like")
def zeros_like(input: Any, *, dtype: Any = None) -> Any:
    """Zeros of the shape of the input."""
    return creation.zeros_like(input, dtype)


@operator("ones_like")
def ones_like(input: Any, *, dtype: Any = None) -> Any:
    """Ones of the shape of the input."""
    return creation.ones_like(input, dtype)


@operator("ZerosLike")
def zeros_like_set_up(x: Any) -> Any:
    """Zeros of the shape of x."""
    return creation.zeros_like(x)


@operator("OnesLike")
def ones_like_set_up(x: Any) -> Any:
    """Ones of the shape of x."""
    return creation.ones_like(x)


@operator("full_like")
def full_like(input: Any, fill_value: Any, *, dtype: Any = None) -> Any:
    """One value in the shape of the input."""
    return creation.full_like(input, fill_value, dtype)


@operator("eye Eye")
def eye(n: Any, m: Any = None, dtype: Any = None) -> Any:
    """Zeros with ones on the diagonal; of float32 unless said otherwise."""
    return creation.eye(n, m, 0, f32 if dtype is None else dtype)


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


@operator("logspace")
def logspace(start: Any, end: Any, steps: Any, base: Any = 10, *, dtype: Any = None) -> Any:
    """base to the powers of evenly spaced numbers."""
    count = static_int(steps, "the number of steps")
    powers = creation.linspace(start, end, count)
    made = elementwise.power(as_array(base, dtype_of_value(powers)), powers)
    return elementwise.astype(made, f32 if dtype is None else dtype)


def _triangle(row: Any, col: Any, offset: Any, dtype: Any, lower: bool) -> Any:
    square = creation.ones((row, col), f32)
    kept = shapes.triangle(square, offset, lower=lower)
    return elementwise.astype(shapes.stack(indexing.nonzero(kept), 0), i64 if dtype is None else dtype)


@operator("tril_indices")
def tril_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None) -> Any:
    """The places on and below a diagonal: two rows."""
    return _triangle(row, col, offset, dtype, True)


@operator("triu_indices")
def triu_indices(row: Any, col: Any, offset: Any = 0, *, dtype: Any = None) -> Any:
    """The places on and above a diagonal: two rows."""
    return _triangle(row, col, offset, dtype, False)


@operator("meshgrid")
def meshgrid(*inputs: Any, indexing: Any = "xy") -> Any:
    """Coordinate matrices of coordinate vectors."""
    vectors = inputs[0] if len(inputs) == 1 and isinstance(inputs[0], list | tuple) else inputs
    return tuple(creation.meshgrid(*vectors, indexing=indexing))


@operator("Meshgrid")
def meshgrid_set_up(inputs: Any, *, indexing: Any = "xy") -> Any:
    """As `meshgrid`."""
    return meshgrid(*inputs, indexing=indexing)


@operator("vander")
def vander(x: Any, N: Any = None) -> Any:
    """The powers of each element, the highest first."""
    a = as_array(x)
    count = static_int(evaluator().number(shape_of(a)[0]) if N is None else N, "the number of columns")
    powers = as_array(creation.arange(count - 1, -1, -1), dtype_of_value(a))
    return e.pow(s.expand_dims(a, axis=(1,)), powers)


@operator("ScalarToTensor scalar_to_tensor")
def scalar_to_tensor(input_x: Any, dtype: Any = f32) -> Any:
    """A number as a Tensor."""
    return creation.array(input_x, dtype)


@operator("ScalarToArray scalar_to_array TupleToArray tuple_to_array")
def to_array(input_x: Any) -> Any:
    """A number, or numbers of one kind in a tuple or range, as a Tensor: ints int64, floats float32."""
    made = creation.array(tuple(input_x) if isinstance(input_x, range) else input_x)
    return elementwise.astype(made, f32) if not is_array(input_x) and dtype_of_value(made).is_float else made
