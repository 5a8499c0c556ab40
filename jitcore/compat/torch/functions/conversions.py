"""Conversions, and what is asked about dtypes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore import ops
from jitcore.compat.torch import dtypes
from jitcore.compat.torch.arguments import Data, Device, DTypeLike, Extents, Operand
from jitcore.compat.torch.declaring import METHODS, declared, function, made_like, method, only_method, require_device
from jitcore.compat.torch.functions.axes import extents
from jitcore.compat.torch.functions.creation import of_data
from jitcore.compat.torch.promotion import common_dtype, widest
from jitcore.config import settings
from jitcore.library import tables
from jitcore.library.array import creation
from jitcore.library.core import marking, values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.primitives.core import evaluation
from jitcore.runtime import autograd
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

_TO: Final = {
    "float": dtypes.float32, "double": dtypes.float64, "half": dtypes.float16, "int": dtypes.int32,
    "long": dtypes.int64, "short": dtypes.int16, "char": dtypes.int8, "byte": dtypes.uint8, "bool": dtypes.bool_,
    "cfloat": dtypes.complex64, "cdouble": dtypes.complex128,
}  # fmt: skip
"""The dtypes that methods convert to, by their names."""


def _converted(input: Tensor, dtype: DTypeLike, copy: bool = False) -> Any:
    """A Tensor in a dtype: itself if it is of it."""
    wanted = values.dtype_of_value(input) if dtype is None else as_dtype(dtype)
    if values.dtype_of_value(input) is wanted:
        return creation.array(input) if copy else input
    return elementwise.astype(input, wanted)


def _conversion(dtype: dtypes.dtype) -> Callable[..., Any]:
    def convert(input: Tensor, memory_format: object = None) -> Any:
        del memory_format
        return _converted(input, dtype)

    return convert


for _name, _dtype in _TO.items():
    METHODS[_name] = declared(_conversion(_dtype))


@declared
def to(input: Tensor, dtype: DTypeLike, copy: bool) -> Any:
    return _converted(input, dtype, copy)


@marking.library("raw")
def _to(
    input: Tensor,
    *args: Data,
    dtype: DTypeLike = None,
    device: Device = None,
    other: Tensor | None = None,
    non_blocking: bool = False,
    copy: bool = False,
    memory_format: object = None,
) -> Any:
    """The elements in a dtype, which may be given by another Tensor; no gradient goes to that."""
    del non_blocking, memory_format
    flags: list[bool] = []
    for given in args:
        if values.category(given) == "tensor":
            dtype = values.dtype_of_value(given)
        elif isinstance(given, dtypes.dtype | DType):
            dtype = given
        elif isinstance(given, bool):
            flags.append(given)
        else:
            require_device(given)
    require_device(device)
    if other is not None:
        dtype = values.dtype_of_value(other)
    return to(input, dtype, copy or flags[1:2] == [True])


METHODS["to"] = _to


@only_method
def type_(input: Tensor, dtype: DTypeLike | str = None, non_blocking: bool = False) -> Any:
    del non_blocking
    if dtype is None:
        own = values.dtype_of_value(input).numpy.name
        return f"torch.{dtypes.SCALAR_NAMES.get(own, own)}Tensor"
    if isinstance(dtype, str):
        word = dtype.removeprefix("torch.").removesuffix("Tensor")
        found = [name for name, known in dtypes.SCALAR_NAMES.items() if known == word]
        return _converted(input, as_dtype(found[0]))
    return _converted(input, dtype)


@marking.library("raw")
def type_as(input: Tensor, other: Tensor) -> Any:
    """The elements in the dtype of another Tensor, which no gradient goes to."""
    return to(input, values.dtype_of_value(other), False)


METHODS["type_as"] = type_as


@only_method
def cpu(input: Tensor, memory_format: object = None) -> Any:
    del memory_format
    return input


@only_method
def item(input: Tensor) -> Any:
    return ops.item(input)


@marking.library("raw")
def tolist(input: Tensor) -> Any:
    """Nested lists of Python's numbers."""
    return tables.ARRAY_METHODS["tolist"](input) if evaluation.is_tracing() else input.asnumpy().tolist()


METHODS["tolist"] = tolist


@only_method
def is_contiguous(input: Tensor, memory_format: object = None) -> Any:
    del memory_format
    return True if evaluation.is_tracing() else Tensor.is_contiguous(input)


# --- of the kind of a Tensor -----------------------------------------------------------------------------------


def _new(input: Tensor, made: object, requires_grad: bool, device: Device) -> Any:
    require_device(device)
    new = made_like(input, marking.finish(made, "tensor"))
    if requires_grad:
        autograd.set_requires_grad(new, True)
    return new


def _own_or(dtype: DTypeLike, input: Tensor) -> DType:
    return values.dtype_of_value(input) if dtype is None else as_dtype(dtype)


@only_method
def new_tensor(
    input: Tensor, data: Data, *, dtype: DTypeLike = None, device: Device = None, requires_grad: bool = False
) -> Any:
    return _new(input, of_data(data, _own_or(dtype, input)), requires_grad, device)


@only_method
def new_zeros(
    input: Tensor,
    *size: Extents,
    dtype: DTypeLike = None,
    device: Device = None,
    requires_grad: bool = False,
    layout: object = None,
    pin_memory: bool = False,
) -> Any:
    del layout, pin_memory
    return _new(input, creation.zeros(extents(size), _own_or(dtype, input)), requires_grad, device)


@only_method
def new_ones(
    input: Tensor,
    *size: Extents,
    dtype: DTypeLike = None,
    device: Device = None,
    requires_grad: bool = False,
    layout: object = None,
    pin_memory: bool = False,
) -> Any:
    del layout, pin_memory
    return _new(input, creation.ones(extents(size), _own_or(dtype, input)), requires_grad, device)


METHODS["new_empty"] = METHODS["new_zeros"]


@only_method
def new_full(
    input: Tensor,
    size: Extents,
    fill_value: Operand,
    *,
    dtype: DTypeLike = None,
    device: Device = None,
    requires_grad: bool = False,
    layout: object = None,
    pin_memory: bool = False,
) -> Any:
    del layout, pin_memory
    return _new(input, creation.full(extents((size,)), fill_value, _own_or(dtype, input)), requires_grad, device)


# --- questions -----------------------------------------------------------------------------------------


@method
def is_floating_point(input: Tensor) -> Any:
    return values.dtype_of_value(input).is_float


@method
def is_complex(input: Tensor) -> Any:
    return values.dtype_of_value(input).kind == "c"


@method
def is_signed(input: Tensor) -> Any:
    return values.dtype_of_value(input).kind in "ifc"


@function
def is_tensor(obj: Data) -> Any:
    return values.category(obj) == "tensor"


@method
def is_nonzero(input: Tensor) -> Any:
    if values.product_of(values.static_extents(input)) != 1:
        raise RuntimeError("Boolean value of Tensor with more than one value is ambiguous")
    return ops.item(ops.ne(input, 0))


@function
def numel(input: Tensor) -> Any:
    return values.evaluator().number(values.product_of(values.shape_of(input)))


@method
def is_same_size(input: Tensor, other: Tensor) -> Any:
    return values.have_one_shape(input, other)


@function
def result_type(tensor1: Operand, tensor2: Operand) -> Any:
    ranked = [(values.dtype_of_value(v), str(values.category(v)), values.rank_of(v)) for v in (tensor1, tensor2)]
    return dtypes.OF[common_dtype(ranked, default_float())]


@function
def promote_types(type1: dtypes.dtype, type2: dtypes.dtype) -> Any:
    return dtypes.OF[widest(type1.own, type2.own)]


@function
def can_cast(from_: dtypes.dtype, to: dtypes.dtype) -> Any:
    kinds = "buifc"
    a, b = kinds.index(from_.own.kind), kinds.index(to.own.kind)
    return a <= b or {from_.own.kind, to.own.kind} == {"u", "i"}


# --- the default dtype -----------------------------------------------------------------------------------------


@marking.library("raw")
def get_default_dtype() -> Any:
    """The dtype of Python's floats."""
    return dtypes.OF[default_float()]


def set_default_dtype(d: dtypes.dtype) -> None:
    """Have Python's floats be of a dtype from now on. Raises TypeError for dtypes of no floats."""
    if not d.is_floating_point:
        raise TypeError("only floating-point types are supported as the default type")
    settings.default_float = d.own.numpy.name


# --- what a dtype holds ----------------------------------------------------------------------------------------


class finfo:
    """The limits of a dtype of floats.

    >>> finfo(dtypes.float32).bits
    32
    """

    def __init__(self, type: dtypes.dtype | None = None) -> None:
        kind = get_default_dtype() if type is None else type
        if not kind.is_floating_point and not kind.is_complex:
            raise TypeError(f"torch.finfo() requires a floating point input type. Use torch.iinfo to handle '{kind!r}'")
        known = np.finfo(kind.own.numpy.name)
        self.bits = int(known.bits)
        self.eps, self.max, self.min = float(known.eps), float(known.max), float(known.min)
        self.tiny = self.smallest_normal = float(known.tiny)
        self.resolution = float(known.resolution)
        self.dtype = known.dtype.name

    def __repr__(self) -> str:
        names = ("resolution", "min", "max", "eps", "smallest_normal", "tiny")
        parts = ", ".join(f"{name}={getattr(self, name):g}" for name in names)
        return f"finfo({parts}, dtype={self.dtype})"


class iinfo:
    """The limits of a dtype of ints.

    >>> iinfo(dtypes.int8).max
    127
    """

    def __init__(self, type: dtypes.dtype) -> None:
        if type.own.kind not in "iu":
            raise TypeError(f"torch.iinfo() requires an integer input type. Use torch.finfo to handle '{type!r}'")
        known = np.iinfo(type.own.numpy.name)
        self.bits, self.min, self.max = int(known.bits), int(known.min), int(known.max)
        self.dtype = known.dtype.name

    def __repr__(self) -> str:
        return f"iinfo(min={self.min}, max={self.max}, dtype={self.dtype})"
