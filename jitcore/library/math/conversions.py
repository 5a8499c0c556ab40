"""Conversions of dtypes."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, dtype_of_value, is_array
from jitcore.library.math import elementwise
from jitcore.types import DType, bool_, f16, f32, f64, i8, i16, i32, i64, u8


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


def _conversion(name: str, dtype: DType) -> None:
    def convert(x: Any) -> Any:
        return elementwise.astype(x, dtype, False)

    convert.__doc__ = f"The elements as {dtype!r}."
    operator(f".{name}", "same")(convert)


for _name, _dtype in {
    "float": f32, "double": f64, "half": f16, "int": i32, "long": i64, "short": i16,
    "char": i8, "byte": u8, "bool": bool_,
}.items():  # fmt: skip
    _conversion(_name, _dtype)


@operator(".to", "same")
def to(x: Any, *args: Any, **keywords: Any) -> Any:
    """The elements converted to a dtype, or to that of a Tensor, which may stand behind a device."""
    given = (*args, *(keywords[k] for k in ("dtype", "device", "other") if k in keywords))
    dtype = next((d for d in given if d is not None and not isinstance(d, bool) and not _is_device(d)), None)
    return x if dtype is None else astype(x, dtype_of_value(dtype) if is_array(dtype) else dtype)


def _is_device(x: Any) -> bool:
    return isinstance(x, str) and x.lower().partition(":")[0] in ("cpu", "gpu", "npu", "ascend")


@operator(".type", "same")
def type_(input: Any, dtype: Any = None) -> Any:
    """The name of the dtype, or the elements converted to another."""
    return str(dtype_of_value(input)).removesuffix("_").capitalize() if dtype is None else astype(input, dtype)


@operator(".astype", "same")
def astype(x: Any, dtype: Any, copy: Any = True) -> Any:
    """The elements converted to a dtype; names of dtypes may have capitals."""
    return elementwise.astype(x, dtype.lower() if isinstance(dtype, str) else dtype, copy)


@operator(".type_as", "same")
def type_as(x: Any, other: Any) -> Any:
    """The elements converted to the dtype of another Tensor."""
    return elementwise.astype(x, dtype_of_value(other), False)


@operator(".clone .contiguous")
def clone(x: Any) -> Any:
    """A copy."""
    return elementwise.copy(x)


@operator(".value", "same")
def value(x: Any) -> Any:
    """What a Parameter holds now."""
    return elementwise.copy(x)


@operator(".detach .stop_gradient")
def detach(x: Any) -> Any:
    """The Tensor as a constant for gradients."""
    return elementwise.stop_gradient(x)
