"""What MindSpore says to what no Tensor or Parameter can be made of."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final

import numpy as np

from jitcore.common.parameter import Parameter, ParameterTuple

_DATA: Final = "['TensorPy', 'Tensor', 'ndarray', 'str_', 'list', 'tuple', 'float', 'int', 'bool', 'complex', 'bytes']"
_DTYPES: Final = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64", "bfloat16", "complex64",
    "complex128", "int4", "float8_e4m3fn", "float8_e5m2", "hifloat8", "bool", "string_",
)  # fmt: skip


def worded(cls: type, given: Mapping[str, Any], error: BaseException) -> BaseException:
    """MindSpore's exception for the arguments of a Tensor of which `error` was raised."""
    data, dtype = given["input_data"], given["dtype"]
    if data is None and given["shape"] is None and given["init"] is None:
        return untyped(type(data).__name__)
    if data is None and None in (given["shape"], given["init"], dtype):
        return ValueError("init, dtype and shape must have values at the same time.")
    if data is not None and given["shape"] is not None:
        return shaped_twice(given["shape"])
    if isinstance(data, np.ndarray) and data.dtype == object:
        first = type(next(iter(data.flat), None))
        return TypeError(
            f"initializing tensor by numpy array failed, because the element type '{first}' of array is not supported."
        )
    if data is not None and not isinstance(data, np.ndarray | list | tuple | int | float | complex | bytes):
        return untyped(type(data).__name__)
    if isinstance(dtype, str) or (dtype is not None and isinstance(dtype, int)):
        return without_dtype(repr(dtype))
    return unsupported(data) if isinstance(data, list | tuple) else error


def untyped(name: str) -> TypeError:
    """The answer to data of a class that no Tensor is made of."""
    return TypeError(f"For 'Tensor', the type of 'input_data' should be one of '{_DATA}', but got type '{name}'.")


def shaped_twice(shape: Any) -> ValueError:
    """The answer to data and a shape."""
    return ValueError(
        f"When initializing a tensor with 'input_data', 'shape' should be set to None.But got shape: {shape}."
    )


def without_dtype(shown: str) -> TypeError:
    """The answer to what is no dtype."""
    known = ", ".join(f"mindspore.{name}" for name in _DTYPES)
    return TypeError(f"For 'Tensor', the 'dtype' should be one of [{known}], but got '{shown}'.")


def unsupported(data: Any) -> TypeError:
    """The answer to sequences that are no array of numbers."""
    return TypeError(f"For Tensor, the input_data is {data} that contain unsupported element.")


def check(cls: type, args: Sequence[Any]) -> None:
    """Raise what MindSpore does for the arguments of a Parameter or ParameterTuple."""
    if issubclass(cls, ParameterTuple):
        (iterable,) = args
        if isinstance(iterable, list | tuple) and not all(isinstance(p, Parameter) for p in iterable):
            raise TypeError(
                "For ParameterTuple initialization, ParameterTuple input should be 'Parameter' collection, but got a "
                f"{type(iterable)}."
            )
        return
    _, name, requires_grad, layerwise = args
    if name is not None and not isinstance(name, str):
        raise ValueError(f"The type of the Parameter's name should be 'string' or 'None', but got {type(name)}.")
    if not isinstance(requires_grad, bool):
        raise TypeError("The argument `requires_grad` must be bool type")
    if not isinstance(layerwise, bool):
        raise TypeError("The argument `layerwise_parallel` must be bool type.")
