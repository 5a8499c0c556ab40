"""Tensors changed in place."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.array import creation, diagonals, indexing, scatter, shapes
from jitcore.library.array.scatter import index_put
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, is_array, rank_of, shape_of, static_extent
from jitcore.library.math import elementwise


@operator("inplace_add_ext InplaceAddExt inplace_adds_ext InplaceAddsExt", "raw")
def add_scaled_in_place(input: Any, other: Any, alpha: Any = 1) -> Any:
    """The Tensor itself, with alpha times another added."""
    return elementwise.assign_add(input, elementwise.multiply(other, alpha))


@operator("inplace_sub_ext InplaceSubExt inplace_sub_scalar InplaceSubScalar", "raw")
def sub_scaled_in_place(input: Any, other: Any, alpha: Any = 1) -> Any:
    """The Tensor itself, with alpha times another subtracted."""
    return elementwise.assign_sub(input, elementwise.multiply(other, alpha))


@operator(".fill")
def fill(x: Any, value: Any) -> Any:
    """A new Tensor of the shape and dtype, filled with a value."""
    return creation.full_like(x, value)


@operator("inplace_fill_scalar InplaceFillScalar inplace_fill_tensor InplaceFillTensor", "raw")
@operator(".fill_", "raw")
def fill_in_place(x: Any, value: Any) -> Any:
    """The Tensor itself, filled with a value in place."""
    return elementwise.assign(x, value)


@operator("inplace_zero InplaceZero", "raw")
@operator(".zero_", "raw")
def zero_in_place(x: Any) -> Any:
    """The Tensor itself, set to zeros in place."""
    return elementwise.assign(x, 0)


@operator("inplace_copy InplaceCopy", "raw")
@operator(".copy_", "raw")
def copy_in_place(x: Any, src: Any) -> Any:
    """The Tensor itself, with the elements of another."""
    return elementwise.assign(x, src)


@operator(".add_", "raw")
def add_in_place(x: Any, other: Any) -> Any:
    """The Tensor itself, with another added."""
    return elementwise.assign_add(x, other)


@operator(".sub_", "raw")
def sub_in_place(x: Any, other: Any) -> Any:
    """The Tensor itself, with another subtracted."""
    return elementwise.assign_sub(x, other)


@operator("inplace_mul InplaceMul inplace_muls InplaceMuls", "raw")
@operator(".mul_", "raw")
def mul_in_place(x: Any, other: Any) -> Any:
    """The Tensor itself, multiplied by another."""
    return elementwise.assign(x, elementwise.multiply(x, other))


@operator("inplace_div InplaceDiv inplace_divs InplaceDivs", "raw")
@operator(".div_", "raw")
def div_in_place(x: Any, other: Any) -> Any:
    """The Tensor itself, divided by another."""
    return elementwise.assign(x, elementwise.true_divide(x, other))


@operator("assign Assign", "raw")
def assign(variable: Any, value: Any) -> Any:
    """Write `value` into the memory of a Parameter or Tensor, and give it."""
    return elementwise.assign(variable, value)


@operator("assign_add AssignAdd", "raw")
def assign_add(variable: Any, value: Any) -> Any:
    """`variable += value`, in place."""
    return elementwise.assign_add(variable, value)


@operator("assign_sub AssignSub", "raw")
def assign_sub(variable: Any, value: Any) -> Any:
    """`variable -= value`, in place."""
    return elementwise.assign_sub(variable, value)


def changing(name: str, function: Callable[..., Any]) -> None:
    """Declare the method that writes what a function makes of a Tensor into it, and gives it."""

    def change(x: Any, *args: Any, **keywords: Any) -> Any:
        return elementwise.assign(x, as_array(function(x, *args, **keywords), dtype_of_value(x)))

    change.__doc__ = f"The Tensor itself, changed in place: {function.__doc__}"
    operator(f".{name}", "raw")(change)


def _tril(x: Any, diagonal: Any = 0) -> Any:
    """The elements above a diagonal become zero."""
    return shapes.tril(x, diagonal)


def _clamp(x: Any, min: Any = None, max: Any = None) -> Any:
    """The elements are brought between bounds."""
    return elementwise.clip(x, min, max)


for _name, _function in {
    "clamp_": _clamp, "exp_": elementwise.exp, "log_": elementwise.log, "tril_": _tril, "sqrt_": elementwise.sqrt,
    "abs_": elementwise.absolute, "floor_": elementwise.floor, "ceil_": elementwise.ceil, "neg_": elementwise.negative,
    "masked_fill_": indexing.masked_fill, "index_add_": scatter.index_add_method,
    "scatter_": scatter.scatter, "scatter_add_": scatter.scatter_add_elements, "pow_": elementwise.power,
}.items():  # fmt: skip
    changing(_name, _function)


@operator(".fill_diagonal")
def fill_diagonal(x: Any, fill_value: Any, wrap: Any = False) -> Any:
    """The Tensor with a value on its diagonal; with `wrap`, on those of the squares a tall matrix is made of."""
    a = as_array(x)
    rank = rank_of(a)
    if rank < 2:
        raise ValueError("fill_diagonal takes a Tensor of at least 2 dimensions")
    if rank > 2 and len({static_extent(a, k) for k in range(rank)}) > 1:
        raise ValueError("all dimensions of a Tensor of more than 2 must be equal in fill_diagonal")
    return diagonals.fill_diagonal(a, as_array(fill_value, dtype_of_value(a)), wrap)


changing("fill_diagonal_", fill_diagonal)
changing("index_put_", index_put)


@operator(".put_", "raw")
def put_in_place(x: Any, index: Any, source: Any, accumulate: Any = False) -> Any:
    """The Tensor itself, with elements put in at places in row-major order."""
    flat = shapes.ravel(as_array(x))
    made = index_put(flat, (shapes.ravel(as_array(index)),), shapes.ravel(as_array(source)), accumulate)
    return elementwise.assign(x, shapes.reshape(made, *shape_of(x)))


@operator(".inplace_update")
def inplace_update(x: Any, v: Any, indices: Any) -> Any:
    """The Tensor with rows v at the indices."""
    rows = (indices,) if not is_array(indices) and not isinstance(indices, tuple | list) else indices
    return index_put(x, (as_array(rows),), v)
