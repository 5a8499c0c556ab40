"""What MindSpore says to calls of methods of Tensors that it checks in Python."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals import operators
from jitcore.compat.mindspore.refusals.naming import word
from jitcore.compat.mindspore.refusals.shapes import known
from jitcore.passes.infer.dialect import Instead, Operand

Check = Callable[[Operand, Sequence[Operand]], "BaseException | None"]


def _transpose(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    rank = len(x.shape)
    if not args or args[0].kind == "none" or (len(args) == 2 and _are_ints(args) and rank > 2):
        return None  # two axes, as newer versions take
    if len(args) == 1 and args[0].kind in ("tuple", "list"):
        return operators.refused("Transpose", [x, args[0]], {})
    if not _are_ints(args):
        return _untaken(args)
    if len(args) != rank:
        return ValueError(f"'{uncounted_axes(len(args))}'")
    return operators.refused("Transpose", [x, Operand("tuple", items=tuple(args))], {})


def _are_ints(args: Sequence[Operand]) -> bool:
    return all(a.kind == "int" for a in args)


def _untaken(args: Sequence[Operand]) -> TypeError | None:
    """The answer to axes that are neither ints nor a sequence."""
    if any(a.kind in ("tensor", "object", "union", "dict") for a in args[1:]) or args[0].kind in ("object", "union"):
        return None
    if len(args) == 1:
        return TypeError(f"transpose(): argument 'axes' (position 1) must be tuple of int, not {word(args[0])}.")
    shown = ", ".join(map(word, args))
    return TypeError(
        f'Failed calling transpose with "transpose({shown})".\nThe valid calling should be:\n"Tensor.transpose(dim0=<int>, dim1=<int>)"\n'
        '"Tensor.transpose(axes=<tuple of int, list of int>)"'
    )


def uncounted_axes(count: int) -> str:
    """What is said of a number of axes that is not a Tensor's."""
    return f"For Tensor.transpose, the number of axes must be equal to the dimension of Tensor, but got {count} in the number of axes."


def _swapaxes(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    rank = len(x.shape)
    for axis in args[:2]:
        if isinstance(axis.value, int) and not -rank <= axis.value < rank:
            return ValueError(f"The 'axis' must be in the range of [-{rank}, {rank}), but got {axis.value}.")
    return None


def _item(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    shape = known(x)
    if args or shape is None or all(n == 1 for n in shape):
        return None
    return ValueError(f"The tensor should have only one element. But the shape of input tensor is {shape}.")


_NAMES: Final = [
    "bool_",
    "int8",
    "byte",
    "int16",
    "short",
    "int32",
    "intc",
    "int64",
    "long",
    "intp",
    "uint8",
    "ubyte",
    "uint16",
    "ushort",
    "uint32",
    "uintc",
    "uint64",
    "uintp",
    "float16",
    "half",
    "float32",
    "single",
    "float64",
    "double",
    "complex64",
    "cfloat",
    "complex128",
    "cdouble",
    "qint4x2",
    "bfloat16",
    "float8_e4m3fn",
    "float8_e5m2",
    "hifloat8",
    "int_",
    "uint",
    "float_",
    "list_",
    "tuple_",
    "string",
    "number",
    "tensor_type",
    "type_none",
    "_null",
    "TensorType",
    "Type",
    "Int",
    "int",
    "float",
    "bool",
]
"""Strings that `astype` knows as dtypes."""
_DTYPES: Final = [
    "int8",
    "int16",
    "int32",
    "int64",
    "uint8",
    "uint16",
    "uint32",
    "uint64",
    "float16",
    "float32",
    "float64",
    "bfloat16",
    "complex64",
    "complex128",
    "int4",
    "float8_e4m3fn",
    "float8_e5m2",
    "hifloat8",
    "bool",
]


def _astype(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    if len(args) != 1:
        return None
    (dtype,) = args
    if dtype.kind == "str" and isinstance(dtype.value, str) and dtype.value.lower() not in _NAMES:
        return TypeError(f"For Tensor.astype, the input type must be one of {_NAMES}, but got '{dtype.value}'.")
    if dtype.kind in ("int", "bool", "none"):
        listed = ", ".join(f"mindspore.{name}" for name in _DTYPES)
        return TypeError(f"For Tensor.astype, the input type must be one of ({listed}), but got '{dtype.value}'.")
    return None


def _type(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    return None if not args or args[0].kind == "none" else _astype(x, args)


_CHECKS: Final[dict[str, Check]] = {
    "astype": _astype,
    "type": _type,
    "transpose": _transpose,
    "swapaxes": _swapaxes,
    "swapdims": _swapaxes,
    "item": _item,
}


def refused(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """What MindSpore says to a call of a method, if it refuses it."""
    check = _CHECKS.get(name)
    return None if check is None or keywords else check(args[0], args[1:])


def line_by_line(name: str, args: Sequence[Operand]) -> Instead | None:
    """What a method does instead in a program that MindSpore runs line by line: two axes are exchanged there."""
    return Instead(_exchanged) if name == "transpose" and len(args) == 3 and _are_ints(args[1:]) else None


def _exchanged(x: Any, dim0: Any, dim1: Any) -> Any:
    return x.swapaxes(dim0, dim1)
