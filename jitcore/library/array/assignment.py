"""Tensors changed in place."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import creation
from jitcore.library.core.declarations import operator
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
