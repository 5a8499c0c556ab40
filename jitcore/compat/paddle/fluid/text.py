"""Variables as fluid prints them."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from typing import Final

import numpy as np

from jitcore.compat.paddle.fluid.types import OF
from jitcore.compat.paddle.static import variables
from jitcore.runtime.tensor import Tensor

_C_NAMES: Final = {
    "float32": "float", "float64": "double", "int64": "int64_t", "int32": "int", "int16": "int16_t", "int8": "int8_t",
    "uint8": "uint8_t", "bool": "bool", "float16": "::paddle::platform::float16",
}  # fmt: skip
"""What the dtypes are called in C++."""


def dynamic_text(tensor: Tensor, name: str) -> str:
    """A Variable with elements."""
    array = tensor._array
    dims = ", ".join(map(str, array.shape))
    elements = " ".join(_number(item) for item in array.reshape(-1))
    return (
        f"name {name}, dtype: {OF[tensor._dtype]} shape: {list(array.shape)} \tlod: {{}}\n\tdim: {dims}\n"
        f"\tlayout: NCHW\n\tdtype: {_C_NAMES.get(array.dtype.name, array.dtype.name)}\n\tdata: [{elements}]\n"
    )


def _number(item: np.generic) -> str:
    """An element as C++ streams write it: six digits."""
    return f"{item:g}" if isinstance(item, np.floating) else str(int(item))


def static_text(variable: variables.Variable) -> str:
    """A Variable without elements, as protocol buffers are written."""
    dims = "".join(f"      dims: {n}\n" for n in variable.shape)
    flags = "need_check_feed: true\n" if variable.need_check_feed else ""
    return (
        f'name: "{variable.name}"\ntype {{\n  type: LOD_TENSOR\n  lod_tensor {{\n    tensor {{\n'
        f"      data_type: {OF[variable.kind].name}\n{dims}    }}\n    lod_level: {variable.lod_level}\n  }}\n}}\n"
        f"persistable: {str(variable.persistable).lower()}\n{flags}"
    )
