"""What MindSpore says to what no Tensor or Parameter can be made of."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import numpy as np

from jitcore.common.parameter import Parameter, ParameterTuple
from jitcore.compat.mindspore.refusals.naming import native_class
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

_DATA: Final = "['TensorPy', 'Tensor', 'ndarray', 'str_', 'list', 'tuple', 'float', 'int', 'bool', 'complex', 'bytes']"
_DTYPES: Final = (
    "int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64", "float16", "float32", "float64",
    "bfloat16", "complex64", "complex128", "int4", "float8_e4m3fn", "float8_e5m2", "hifloat8", "bool", "string_",
)  # fmt: skip


def unhashable(value: object) -> TypeError | None:
    """Python's words for what no set can hold; None for what one can."""
    try:
        hash(value)
    except TypeError as error:
        return error
    return None


def worded(cls: type, given: Mapping[str, Any], error: BaseException) -> BaseException:
    """MindSpore's exception for the arguments of a Tensor of which `error` was raised."""
    if "array" in given:
        return _unshared(given["array"])
    data, dtype, shape, init = given["input_data"], given["dtype"], given["shape"], given["init"]
    if dtype is not None and not isinstance(dtype, DType):
        return without_dtype(dtype.__name__ if isinstance(dtype, type) else repr(dtype))
    if data is None and init is None and (shape is None or dtype is None):
        return untyped(type(data).__name__)
    if data is None and init is None and (refused := _impossible(shape)) is not None:
        return refused
    if data is None and None in (shape, init, dtype):
        return ValueError("init, dtype and shape must have values at the same time.")
    if data is None:
        return _uninitialised(shape, init) or error
    if shape is not None:
        return shaped_twice(shape)
    if init is not None:
        return ValueError("init, dtype and shape must have values at the same time.")
    if isinstance(data, int):
        return RuntimeError("Unsupported tensor type!")
    if isinstance(data, Tensor):
        return TypeError("Select CPU operator[Cast] fail! Unsupported data type!")
    if isinstance(data, np.ndarray) and not isinstance(data, np.ma.MaskedArray):
        return _of_array(data)
    if data is not None and not isinstance(data, np.ndarray | list | tuple | int | float | complex | bytes):
        return untyped(type(data).__name__)
    return unsupported(data) if isinstance(data, list | tuple) else error


_ELEMENTS: Final[tuple[Any, ...]] = (
    int, float, bool, complex, list, tuple, np.ndarray, Tensor, np.bool_, np.int8, np.int16, np.int32, np.int64,
    np.uint8, np.uint16, np.uint32, np.uint64, np.float16, np.float32, np.float64, np.complex64, np.complex128,
)  # fmt: skip
"""Classes of what an array may hold; it is refused for its dtype then, if it is."""


def _of_array(data: np.ndarray[Any, Any]) -> TypeError:
    """For an array of a dtype that no Tensor has: it is the first odd element's class that is named."""
    odd = [x for x in data.flat if not isinstance(x, _ELEMENTS)][:1]
    if odd:
        why = f"because the element type '{native_class(odd[0])}' of array is not supported."
    else:
        why = f"numpy array: {data}, data type: {data.dtype}."
    return TypeError(f"initializing tensor by numpy array failed, {why}")


def _unshared(array: np.ndarray[Any, Any]) -> BaseException:
    """For an array whose memory no Tensor shares."""
    if array.dtype.kind in "Mm":
        return ValueError(f"cannot include dtype '{array.dtype.kind}' in a buffer")
    return RuntimeError("Unsupported data type!")


def _impossible(shape: Any) -> ValueError | None:
    """For extents that no array has."""
    for n in shape if isinstance(shape, tuple | list) else (shape,):
        if isinstance(n, str):
            return ValueError(f"invalid literal for int() with base 10: {n!r}")
        if isinstance(n, int) and n < 0:
            return ValueError("negative dimensions are not allowed")
    return None


def _uninitialised(shape: Any, init: Any) -> BaseException | None:
    """For a shape that no initializer fills, or what is no initializer."""
    if isinstance(shape, str):
        return TypeError("'<' not supported between instances of 'str' and 'int'")
    extents = shape if isinstance(shape, tuple | list) else (shape,)
    if any(n is None or (isinstance(n, int) and n < 0) for n in extents):
        return ValueError("If setting dynamic shape, dtype must not be None, init must be None")
    return None if callable(init) else TypeError(f"'{type(init).__name__}' object is not callable")


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


_MADE_OF: Final = "['Tensor', 'int', 'float', 'numpy.ndarray', 'list']"


def check(cls: type, args: Sequence[Any]) -> None:
    """Raise what MindSpore does for the arguments of a Parameter or ParameterTuple."""
    if issubclass(cls, ParameterTuple):
        _check_tuple(*args)
        return
    data, name, requires_grad, layerwise, optimizer = args
    if isinstance(data, tuple | complex):
        raise TypeError(
            f"The type of the argument 'default_input' must be in {_MADE_OF}. But got type {native_class(data)}."
        )
    if isinstance(data, bool):
        raise ValueError("Parameter data can not be `bool`")
    if name is not None:
        require_name(name)
    if not isinstance(requires_grad, bool):
        raise TypeError("The argument `requires_grad` must be bool type")
    for what, flag in (("layerwise_parallel", layerwise), ("parallel_optimizer", optimizer)):
        if not isinstance(flag, bool):
            raise TypeError(f"The argument `{what}` must be bool type.")


def require_name(name: Any) -> None:
    """Raise ValueError for what is no name of a Parameter."""
    if not isinstance(name, str):
        raise ValueError(f"The type of the Parameter's name should be 'string' or 'None', but got {type(name)}.")
    if len(name) > 1024:
        raise ValueError(f"The length of the '{name}' name should be less than 1024.")


def _check_tuple(iterable: Any) -> None:
    if not isinstance(iterable, list | tuple | Tensor):
        return
    for p in iterable:
        if not isinstance(p, Parameter):
            raise TypeError(
                "For ParameterTuple initialization, ParameterTuple input should be 'Parameter' collection, but got a "
                f"{native_class(iterable)}."
            )
    require_names(iterable)


def require_names(parameters: Iterable[Any]) -> None:
    """Raise ValueError if two Parameters have one name."""
    names: dict[str, Any] = {}
    for p in parameters:
        if p.name != "Parameter" and names.setdefault(p.name, p) is not p:
            raise ValueError(
                f"The value {p!r} , its name '{p.name}' already exists. Please set a unique name for the parameter."
            )
