"""Functions that compare."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.compat.torch.arguments import Operand
from jitcore.compat.torch.declaring import alias, function, method
from jitcore.library.core import values
from jitcore.runtime.tensor import Tensor


@method
def eq(input: Operand, other: Operand) -> Any:
    return ops.eq(input, other)


@method
def ne(input: Operand, other: Operand) -> Any:
    return ops.ne(input, other)


@method
def lt(input: Operand, other: Operand) -> Any:
    return ops.lt(input, other)


@method
def le(input: Operand, other: Operand) -> Any:
    return ops.le(input, other)


@method
def gt(input: Operand, other: Operand) -> Any:
    return ops.gt(input, other)


@method
def ge(input: Operand, other: Operand) -> Any:
    return ops.ge(input, other)


@method
def equal(input: Tensor, other: Tensor) -> Any:
    if values.rank_of(input) != values.rank_of(other):
        return False
    return ops.equal_ext(input, other)


def _require_one_dtype(input: Tensor, other: Tensor) -> None:
    a, b = values.dtype_of_value(input), values.dtype_of_value(other)
    if a is not b:
        raise RuntimeError(f"{a.numpy.name.capitalize()} did not match {b.numpy.name.capitalize()}")


@method
def isclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    _require_one_dtype(input, other)
    return ops.isclose(input, other, rtol, atol, equal_nan)


@method
def allclose(input: Tensor, other: Tensor, rtol: float = 1e-05, atol: float = 1e-08, equal_nan: bool = False) -> Any:
    _require_one_dtype(input, other)
    return ops.allclose_ext(input, other, rtol, atol, equal_nan)


@function
def isin(elements: Operand, test_elements: Operand, *, assume_unique: bool = False, invert: bool = False) -> Any:
    del assume_unique
    found = ops.isin(elements, test_elements)
    return ops.logical_not(found) if invert else found


for _new, _old in {
    "not_equal": "ne", "less": "lt", "less_equal": "le", "greater": "gt", "greater_equal": "ge"
}.items():  # fmt: skip
    alias(_new, _old)
