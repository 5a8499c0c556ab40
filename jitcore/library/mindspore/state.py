"""Operators on state and on Python's values: assignment, order, casts, questions about Tensors."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import indexing
from jitcore.library.array.shapes import expand_dims
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, category, dtype_of_value, is_array
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions
from jitcore.types import bool_, i64

# --- state ------------------------------------------------------------------------------------------


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


@operator("UpdateState Load load", "raw")
def load(value: Any, expr: Any = None) -> Any:
    """`value`, as it is when this is reached."""
    del expr
    return value


@operator("depend Depend", "raw")
def depend(value: Any, expr: Any) -> Any:
    """`value`. Everything written before is done before, without this too: programs run in order."""
    del expr
    return value


@operator("Identity identity deepcopy")
def identity(input_x: Any) -> Any:
    """A copy of an array or number; anything else as it is."""
    return input_x if category(input_x) is None else elementwise.copy(input_x)


@operator("StopGradient stop_gradient")
def stop_gradient(value: Any) -> Any:
    """The value, but as a constant for gradients."""
    if isinstance(value, list | tuple):
        return type(value)([stop_gradient(item) for item in value])  # pyright: ignore[reportUnknownVariableType]
    return elementwise.stop_gradient(value) if category(value) is not None else value


@operator("stop_gradient_", "raw")
def stop_gradient_(input: Any) -> Any:
    """Have what a Tensor holds now be a constant for gradients, in place; gives the Tensor."""
    return elementwise.assign(input, elementwise.stop_gradient(input))


# --- dtypes -----------------------------------------------------------------------------------------


@operator("cast Cast")
def cast(input: Any, dtype: Any) -> Any:
    """The input with its elements converted to a dtype."""
    return elementwise.astype(input, dtype)


@operator("mixed_precision_cast", "raw")
def mixed_precision_cast(dst_type: Any, input: Any) -> Any:
    """The arrays of floats in a value, converted to a dtype."""
    if isinstance(input, list | tuple):
        return type(input)(
            [mixed_precision_cast(dst_type, item) for item in input]  # pyright: ignore[reportUnknownVariableType]
        )
    if isinstance(input, dict):
        return {name: mixed_precision_cast(dst_type, item) for name, item in input.items()}
    return elementwise.astype(input, dst_type) if is_array(input) and dtype_of_value(input).is_float else input


@operator("scalar_cast ScalarCast", "raw")
def scalar_cast(input_x: Any, input_y: Any) -> Any:
    """A number as a Python number of the kind of a dtype."""
    wanted = as_dtype(input_y)
    made = elementwise.number(as_array(as_array(input_x), wanted))
    return made


# --- questions --------------------------------------------------------------------------------------


@operator("is_nonzero")
def is_nonzero(input: Any) -> Any:
    """Whether the only element is not 0."""

    return as_array(indexing.item(elementwise.truth(input)), bool_)


@operator("intopk")
def in_top_k(x1: Any, x2: Any, k: Any) -> Any:
    """Whether fewer than k elements of each row of x1 are above the one that x2 names."""

    picked = indexing.take_along_axis(x1, expand_dims(x2, -1), -1)
    above = reductions.sum(comparisons.greater(x1, picked), -1, i64)
    return comparisons.less(above, k)


in_constructor("InTopK", in_top_k, "k")


@operator("CheckNumerics")
def check_numerics(x: Any) -> Any:
    """x. Raises RuntimeError where an element is not finite."""

    good = conversions.to_scalar(reductions.all(comparisons.isfinite(x)))
    conversions.check(
        good, exception="RuntimeError", message="For 'CheckNumerics', the input has NaN or infinite elements."
    )
    return as_array(x)
