"""`fluid.layers`: Tensors made of numbers, and others' elements in another order or shape."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore.compat.paddle.fluid.declaring import activated, functional, layer, of_one, paddle
from jitcore.compat.paddle.fluid.types import dtype_named
from jitcore.compat.paddle.static.recording import assign_to
from jitcore.compat.paddle.static.variables import Value, Variable

Extents = Sequence[Any] | Value


# --- shapes ---------------------------------------------------------------------------------------------


@layer
def reshape(
    x: Value,
    shape: Extents,
    actual_shape: Value | None = None,
    act: str | None = None,
    inplace: bool = False,
    name: str | None = None,
) -> Any:
    """The elements in another shape: -1 is what is left, 0 the extent as it was."""
    del name
    del inplace
    return activated(paddle.reshape(x, shape if actual_shape is None else actual_shape), act)


@layer
def transpose(x: Value, perm: Sequence[int], name: str | None = None) -> Any:
    """The axes in another order."""
    del name
    return paddle.transpose(x, perm)


@layer
def squeeze(input: Value, axes: Sequence[int], name: str | None = None) -> Any:
    """Without axes of extent 1: those named, or all."""
    del name
    return of_one(paddle.squeeze(input, axes or None))


@layer
def unsqueeze(input: Value, axes: int | Sequence[int], name: str | None = None) -> Any:
    """With axes of extent 1."""
    del name
    return paddle.unsqueeze(input, axes)


@layer
def flatten(x: Value, axis: int = 1, name: str | None = None) -> Any:
    """As a matrix: the axes before `axis` are its rows."""
    del name
    if axis == 0:
        return paddle.reshape(x, [1, -1])
    rows = paddle.flatten(x, 0, axis - 1)
    return paddle.flatten(rows, 1, -1) if rows.ndim > 1 else paddle.unsqueeze(rows, 1)


@layer
def concat(input: Sequence[Value], axis: int = 0, name: str | None = None) -> Any:
    """One behind another along an axis."""
    del name
    return paddle.concat(list(input), axis)


@layer
def split(input: Value, num_or_sections: int | Sequence[int], dim: int = -1, name: str | None = None) -> Any:
    """Parts along an axis."""
    del name
    return paddle.split(input, num_or_sections, dim)


@layer
def stack(x: Sequence[Value], axis: int = 0, name: str | None = None) -> Any:
    """One beside another along a new axis."""
    del name
    return paddle.stack(list(x), axis)


@layer
def unstack(x: Value, axis: int = 0, num: int | None = None, name: str | None = None) -> Any:
    """The parts along an axis, without it."""
    del name
    del num
    return paddle.unstack(x, axis)


@layer
def slice(
    input: Value, axes: Sequence[int], starts: Sequence[int], ends: Sequence[int], name: str | None = None
) -> Any:
    """From a start to before an end along axes."""
    del name
    return paddle.slice(input, axes, starts, ends)


@layer
def strided_slice(
    input: Value,
    axes: Sequence[int],
    starts: Sequence[int],
    ends: Sequence[int],
    strides: Sequence[int],
    name: str | None = None,
) -> Any:
    """From a start to before an end along axes, by strides."""
    del name
    return paddle.strided_slice(input, axes, starts, ends, strides)


@layer
def expand(x: Value, expand_times: Sequence[int], name: str | None = None) -> Any:
    """The whole several times along each axis."""
    del name
    return paddle.tile(x, expand_times)


@layer
def expand_as(x: Value, target_tensor: Value, name: str | None = None) -> Any:
    """The whole as often as fits into another's shape."""
    del name
    return paddle.expand_as(x, target_tensor)


@layer
def gather(input: Value, index: Value, overwrite: bool = True, name: str | None = None) -> Any:
    """The rows at positions."""
    del name
    del overwrite
    return paddle.gather(input, paddle.flatten(index))


@layer
def gather_nd(input: Value, index: Value, name: str | None = None) -> Any:
    """What is at positions of several axes."""
    del name
    return paddle.gather_nd(input, index)


@layer
def scatter(input: Value, index: Value, updates: Value, overwrite: bool = True, name: str | None = None) -> Any:
    """The rows, those at positions replaced."""
    del name
    return paddle.scatter(input, index, updates, overwrite)


@layer
def reverse(x: Value, axis: int | Sequence[int], name: str | None = None) -> Any:
    """From the end along axes."""
    del name
    return paddle.flip(x, axis)


@layer
def pad(x: Value, paddings: Sequence[int], pad_value: float = 0.0, name: str | None = None) -> Any:
    """With a border: how wide it is before and behind each axis."""
    del name
    return functional.pad(x, list(paddings), "constant", pad_value)


@layer
def where(condition: Value, name: str | None = None) -> Any:
    """Where a condition holds, row by row."""
    del name
    return paddle.nonzero(condition)


@layer
def shape(input: Value, name: str | None = None) -> Any:
    """The extents, as a Tensor of int32."""
    del name
    return paddle.cast(paddle.shape(input), "int32")


@layer
def rank(input: Value, name: str | None = None) -> Any:
    """The number of axes, of shape [1]."""
    del name
    return paddle.full([1], len(input.shape), "int32")


# --- dtypes ---------------------------------------------------------------------------------------------


@layer
def cast(x: Value, dtype: object, name: str | None = None) -> Any:
    """The elements in another dtype."""
    del name
    return paddle.cast(x, dtype_named(dtype))


@layer
def one_hot(input: Value, depth: int, allow_out_of_range: bool = False, name: str | None = None) -> Any:
    """For each number (on a last axis of extent 1) a row with a 1 at its position."""
    del name
    del allow_out_of_range
    last = len(input.shape) and input.shape[-1] == 1
    return functional.one_hot(paddle.squeeze(input, -1) if last else input, depth)


# --- of numbers -----------------------------------------------------------------------------------------


@layer
def _filled(shape: Extents, dtype: object, value: float | Value) -> Any:
    return paddle.full(shape, value, dtype_named(dtype))


def fill_constant(
    shape: Extents,
    dtype: object,
    value: float | Value,
    force_cpu: bool = False,
    out: Value | None = None,
    name: str | None = None,
) -> Any:
    """A Tensor of one number."""
    del force_cpu, name
    made = _filled(shape, dtype_named(dtype), float(value) if isinstance(value, str) else value)
    return made if out is None else assign(made, out)


def zeros(shape: Extents, dtype: object, force_cpu: bool = False) -> Any:
    """A Tensor of zeros."""
    return fill_constant(shape, dtype, 0.0, force_cpu)


def ones(shape: Extents, dtype: object, force_cpu: bool = False) -> Any:
    """A Tensor of ones."""
    return fill_constant(shape, dtype, 1.0, force_cpu)


@layer
def fill_constant_batch_size_like(
    input: Value,
    shape: Sequence[int],
    dtype: object,
    value: float,
    input_dim_idx: int = 0,
    output_dim_idx: int = 0,
    name: str | None = None,
) -> Any:
    """A Tensor of one number, an extent of which is that of another."""
    del name
    extents: list[Any] = list(shape)
    extents[output_dim_idx] = paddle.shape(input)[input_dim_idx]
    return paddle.full(extents, value, dtype_named(dtype))


@layer
def zeros_like(x: Value, name: str | None = None) -> Any:
    """Zeros of another's shape and dtype."""
    del name
    return paddle.zeros_like(x)


@layer
def ones_like(x: Value, name: str | None = None) -> Any:
    """Ones of another's shape and dtype."""
    del name
    return paddle.ones_like(x)


@layer
def range(start: float, end: float, step: float, dtype: object, name: str | None = None) -> Any:
    """Numbers from a start to before an end."""
    del name
    return paddle.arange(start, end, step, dtype_named(dtype))


@layer
def linspace(start: float, stop: float, num: int, dtype: object = "float32", name: str | None = None) -> Any:
    """Numbers at even distances."""
    del name
    return paddle.linspace(start, stop, num, dtype_named(dtype))


@layer
def eye(
    num_rows: int,
    num_columns: int | None = None,
    batch_shape: Sequence[int] | None = None,
    dtype: object = "float32",
    name: str | None = None,
) -> Any:
    """Ones on the diagonal."""
    del name
    made = paddle.eye(num_rows, num_columns, dtype_named(dtype))
    return paddle.expand(made, [*batch_shape, *made.shape]) if batch_shape else made


@layer
def diag(diagonal: Value, name: str | None = None) -> Any:
    """A matrix with a diagonal."""
    del name
    return paddle.diag(diagonal)


@layer
def uniform_random(
    shape: Extents,
    dtype: object = "float32",
    min: float = -1.0,
    max: float = 1.0,
    seed: int = 0,
    name: str | None = None,
) -> Any:
    """Random numbers from [min, max)."""
    del name
    del seed
    return paddle.uniform(shape, dtype_named(dtype), min, max)


@layer
def gaussian_random(
    shape: Extents,
    mean: float = 0.0,
    std: float = 1.0,
    seed: int = 0,
    dtype: object = "float32",
    name: str | None = None,
) -> Any:
    """Random numbers of a normal distribution."""
    del name
    del seed
    return paddle.cast(paddle.normal(mean, std, shape), dtype_named(dtype))


@layer
def _copied(input: Value) -> Any:
    return paddle.assign(input)


def assign(input: Value, output: Value | None = None) -> Any:
    """A copy of a Tensor or ndarray, in another Tensor if one is given."""
    given: Any = np.asarray(input) if isinstance(input, list | tuple) else input
    if isinstance(output, Variable):
        return assign_to(output, paddle.assign, given)
    made = _copied(given)
    if output is None:
        return made
    output.set_value(made.numpy())
    return output


def increment(x: Value, value: float = 1.0, in_place: bool = True) -> Any:
    """The number in a Tensor of one, increased; in the Tensor itself unless not `in_place`."""
    more: Any = x + value
    made = cast(more, x.dtype)
    return assign(made, x) if in_place else made


def _compared(name: str) -> Any:
    function = getattr(paddle, name)

    def declaration(x: Value, y: Value) -> Any:
        return function(x, y)

    declaration.__name__ = name
    made = layer(declaration)

    def call(
        x: Value,
        y: Value,
        force_cpu: object = None,
        cond: Value | None = None,
        out: Value | None = None,
        name: str | None = None,
    ) -> Any:
        del force_cpu, name
        result = made(x, y)
        target = cond if cond is not None else out
        return result if target is None else assign(result, target)

    call.__name__ = name
    call.__doc__ = f"See `paddle.{name}`; the result is in `cond` or `out`, if one is given."
    return call


less_than = _compared("less_than")
less_equal = _compared("less_equal")
greater_than = _compared("greater_than")
greater_equal = _compared("greater_equal")
equal = _compared("equal")
not_equal = _compared("not_equal")
logical_and = _compared("logical_and")
logical_or = _compared("logical_or")
logical_xor = _compared("logical_xor")
