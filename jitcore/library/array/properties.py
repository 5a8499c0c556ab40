"""What Tensors are: dtype, shape, transposes as attributes."""

from __future__ import annotations

import importlib
from types import ModuleType
from typing import Any, Final

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core.declarations import operator, prop
from jitcore.library.core.values import (
    as_array,
    category,
    dtype_of_value,
    evaluator,
    have_one_shape,
    is_array,
    rank_of,
    shape_of,
)
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.types import DType, bool_, i64


@operator("DynamicShape TensorShape dyn_shape")
def dynamic_shape(x: Any) -> Any:
    """The extents, as a Tensor of int64."""
    return creation.array([evaluator().number(n) for n in shape_of(x)] or evaluator().constant([], i64), i64)


@operator(".dim .ndimension", "raw")
def dim(x: Any) -> int:
    """The number of dimensions."""
    return rank_of(x)


CPU: Final = "cpu"
"""The device of every Tensor."""
_API_VERSIONS: Final = ("2021.12", "2022.12", "2023.12", "2024.12")


@prop("device")
def device(x: object) -> str:
    """The device that the elements are on."""
    del x
    return CPU


@operator(".to_device", "raw")
def to_device(x: object, device: str, /, *, stream: object = None) -> Any:
    """The Tensor on a device: itself. Raises ValueError for another than 'cpu', and for a stream."""
    if device != CPU or stream is not None:
        raise ValueError(f"Tensors are on the device {CPU!r}, which has no streams: not on {device!r}")
    return x


@operator(".__array_namespace__", "raw")
def array_namespace(x: object, /, *, api_version: str | None = None) -> ModuleType:
    """The module that has the functions of the array API standard. Raises ValueError for a version it does not
    follow."""
    del x
    if api_version not in (None, *_API_VERSIONS):
        raise ValueError(f"versions of the standard are {', '.join(_API_VERSIONS)}, not {api_version!r}")
    return importlib.import_module("jitcore.numpy")  # it is above, and loaded only where it is asked for


@operator(".element_size", "raw")
def element_size(x: Any) -> int:
    """The bytes of one element."""
    return dtype_of_value(x).itemsize


@operator(".is_signed", "raw")
def is_signed(x: Any) -> bool:
    """Whether the elements can be negative."""
    return dtype_of_value(x).kind in "ifc"


@prop("mT")
def matrix_transposed(x: Any) -> Any:
    """The last two axes exchanged."""
    return shapes.swapaxes(x, -2, -1)


@prop("H")
def adjoint(x: Any) -> Any:
    """The conjugate of the matrix with its axes exchanged."""
    return elementwise.conjugate(shapes.transpose(x))


@prop("mH")
def matrix_adjoint(x: Any) -> Any:
    """The conjugate with the last two axes exchanged."""
    return elementwise.conjugate(shapes.swapaxes(x, -2, -1))


@prop("has_init")
def has_init(x: Any) -> bool:
    """Whether the Tensor is still to be initialised: no Tensor is."""
    del x
    return False


@operator(".data_sync", "raw")
def data_sync(x: Any, need_wait: Any = True) -> None:
    """Nothing: the data of Tensors is never elsewhere."""
    del x, need_wait


@operator(".is_persistent", "raw")
def is_persistent(x: Any) -> bool:
    """Whether the Tensor's memory stays: it does."""
    del x
    return True


@operator(".offload .flush_from_cache", "raw")
def offload(x: Any) -> None:
    """Nothing: the data of Tensors is where programs run."""
    del x


@operator("is_sequence_value_unknown", "raw")
def is_sequence_value_unknown(sequence: Any) -> bool:
    """Whether the items are not known: they are, where the program runs."""
    del sequence
    return False


@operator("is_sequence_shape_unknown", "raw")
def is_sequence_shape_unknown(sequence: Any) -> bool:
    """Whether the number of items is not known: it is, where the program runs."""
    del sequence
    return False


@operator("dtype DType", "raw")
def dtype(input_x: Any) -> DType:
    """The element type."""
    if not is_array(input_x):
        raise TypeError("For primitive[DType], the input argument[input_x] must be a Tensor.")
    return dtype_of_value(input_x)


@operator("SameTypeShape same_type_shape")
def same_type_shape(x: Any, y: Any) -> Any:
    """x itself, which must have the dtype and shape of y."""
    a, b = as_array(x), as_array(y)
    if dtype_of_value(a) is not dtype_of_value(b):
        raise TypeError(f"For 'SameTypeShape', the dtypes {dtype_of_value(a)!r} and {dtype_of_value(b)!r} differ.")
    if not have_one_shape(a, b):
        raise ValueError(f"For 'SameTypeShape', the shapes {shape_of(a)} and {shape_of(b)} differ.")
    return a


@operator("shape Shape", "raw")
def shape(input_x: Any) -> Any:
    """The extents, as a tuple of ints."""
    if not is_array(input_x):
        raise TypeError("For primitive[Shape], the input argument[input_x] must be a Tensor.")
    return tuple(evaluator().number(n) for n in shape_of(input_x))


@operator("rank Rank", "raw")
def rank(input_x: Any) -> int:
    """The number of dimensions."""
    if not is_array(input_x):
        raise TypeError("For primitive[Rank], the input argument[input_x] must be a Tensor.")
    return rank_of(input_x)


@operator("size Size numel .numel .nelement", "raw")
def size(input_x: Any) -> Any:
    """The number of elements."""
    if not is_array(input_x):
        raise TypeError("For primitive[Size], the input argument[input_x] must be a Tensor.")
    return evaluator().number(reductions.count(input_x, tuple(range(rank_of(input_x)))))


@operator("is_tensor", "raw")
def is_tensor(obj: Any) -> bool:
    """Whether something is a Tensor."""
    return category(obj) == "tensor"


@operator("is_floating_point .is_floating_point", "raw")
def is_floating_point(input: Any) -> bool:
    """Whether the elements are floats."""
    return dtype_of_value(input).is_float


@operator("is_complex .is_complex", "raw")
def is_complex(input: Any) -> bool:
    """Whether the elements are complex numbers."""
    return dtype_of_value(input).kind == "c"


@operator("is_nonzero")
def is_nonzero(input: Any) -> Any:
    """Whether the only element is not 0."""

    return as_array(indexing.item(elementwise.truth(input)), bool_)
