"""Conversions, and what is asked about dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from jitcore import ops
from jitcore.compat.paddle.arguments import DTypeLike
from jitcore.compat.paddle.declaring import FUNCTIONS, METHODS, method, only_method, operation
from jitcore.compat.paddle.places import Place, place_of
from jitcore.library import tables
from jitcore.library.array import indexing
from jitcore.library.core import marking, values
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor


@method
def cast_(x: Tensor, dtype: DTypeLike) -> Any:
    return elementwise.astype(x, as_dtype(dtype))


@only_method
def astype(x: Tensor, dtype: DTypeLike) -> Any:
    return elementwise.astype(x, as_dtype(dtype))


@only_method
def item(x: Tensor, *args: int) -> Any:
    if not args:
        return ops.item(x)
    return ops.item(indexing.getitem(ops.reshape(x, (-1,)) if len(args) == 1 else x, args))


@marking.library("raw")
def tolist(x: Tensor) -> Any:
    """Nested lists of Python's numbers."""
    return tables.ARRAY_METHODS["tolist"](x) if evaluation.is_tracing() else x.asnumpy().tolist()


FUNCTIONS["tolist"] = METHODS["tolist"] = tolist


_TO: Final = {
    "bool": "bool", "byte": "uint8", "char": "int8", "short": "int16", "int": "int32", "long": "int64",
    "half": "float16", "float": "float32", "double": "float64", "cfloat": "complex64", "cdouble": "complex128",
    **{name: name for name in ("int8", "int16", "int32", "int64", "uint8", "float16", "float32", "float64")},
    "complex64": "complex64", "complex128": "complex128",
}  # fmt: skip
"""The dtypes that methods convert to, by their names."""


def _conversion(dtype: str) -> Callable[..., Any]:
    def convert(x: Tensor) -> Any:
        return elementwise.astype(x, as_dtype(dtype))

    return convert


for _name, _dtype in _TO.items():
    METHODS[_name] = operation(_conversion(_dtype))


@only_method
def to(
    x: Tensor, *args: object, device: object = None, dtype: DTypeLike = None, blocking: bool | None = None, **_: object
) -> Any:
    del blocking
    wanted = dtype
    for given in args:
        if isinstance(given, bool) or given is None:
            continue
        if values.category(given) == "tensor":
            wanted = values.dtype_of_value(given)
        elif isinstance(given, Place) or (isinstance(given, str) and given.partition(":")[0] in _DEVICES):
            place_of(given)
        else:
            wanted = cast("DTypeLike", given)
    place_of(device)
    return x if wanted is None else elementwise.astype(x, as_dtype(wanted))


_DEVICES: Final = ("cpu", "gpu", "xpu", "cuda")


@only_method
def type_as(x: Tensor, other: Tensor) -> Any:
    return elementwise.astype(x, values.dtype_of_value(other))


@only_method
def apply(x: Tensor, func: Callable[[Any], Any]) -> Any:
    return func(x)


# --- questions -----------------------------------------------------------------------------------------


@method
def is_floating_point(x: Tensor) -> Any:
    return values.dtype_of_value(x).is_float


@method
def is_complex(x: Tensor) -> Any:
    return values.dtype_of_value(x).kind == "c"


@method
def is_integer(x: Tensor) -> Any:
    return values.dtype_of_value(x).is_integer


@marking.library("raw")
def is_tensor(x: object) -> Any:
    """Whether a value is a Tensor."""
    return values.category(x) == "tensor"


FUNCTIONS["is_tensor"] = METHODS["is_tensor"] = is_tensor


@only_method
def is_dense(x: Tensor) -> Any:
    del x
    return True


@only_method
def is_sparse(x: Tensor) -> Any:
    del x
    return False


METHODS.update(dict.fromkeys(("is_sparse_coo", "is_sparse_csr", "is_dist", "is_selected_rows"), is_sparse))


@only_method
def to_dense(x: Tensor) -> Any:
    return x


@only_method
def is_same_shape(x: Tensor, y: Tensor) -> Any:
    return values.static_extents(x) == values.static_extents(y)


def _is(answer: object) -> property:
    def of(x: Tensor) -> Any:
        del x
        return answer

    return property(of)


METHODS.update(device=_is("cpu"), layout=_is("NCHW"), is_cuda=_is(False))


@only_method
def get_device(x: Tensor) -> Any:
    del x
    return -1


# --- what a dtype holds ----------------------------------------------------------------------------------------


class finfo:
    """The limits of a dtype of floats.

    >>> finfo("float32").bits
    32
    """

    def __init__(self, dtype: DTypeLike) -> None:
        wanted = as_dtype(dtype)
        if wanted.kind not in "fc":
            raise ValueError(f"paddle.finfo() is for floats; use paddle.iinfo() for {wanted.numpy.name}")
        known = np.finfo(cast("Any", wanted.numpy))
        self.bits = int(known.bits)
        self.eps, self.max, self.min = float(known.eps), float(known.max), float(known.min)
        self.tiny = self.smallest_normal = float(known.tiny)
        self.resolution = float(str(known.resolution))
        self.dtype = wanted.numpy.name

    def __repr__(self) -> str:
        names = ("min", "max", "eps", "resolution", "smallest_normal", "tiny")
        parts = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"paddle.finfo({parts}, bits={self.bits}, dtype={self.dtype})"


class iinfo:
    """The limits of a dtype of ints.

    >>> iinfo("int8")
    paddle.iinfo(min=-128, max=127, bits=8, dtype=int8)
    """

    def __init__(self, dtype: DTypeLike) -> None:
        wanted = as_dtype(dtype)
        if wanted.kind not in "iu":
            raise ValueError(f"paddle.iinfo() is for ints; use paddle.finfo() for {wanted.numpy.name}")
        known = np.iinfo(cast("Any", wanted.numpy))
        self.bits, self.min, self.max = int(known.bits), int(known.min), int(known.max)
        self.dtype = wanted.numpy.name

    def __repr__(self) -> str:
        return f"paddle.iinfo(min={self.min}, max={self.max}, bits={self.bits}, dtype={self.dtype})"
