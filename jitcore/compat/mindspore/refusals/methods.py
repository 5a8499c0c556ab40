"""What MindSpore says to calls of methods of Tensors that it checks in Python."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final

from jitcore.compat.mindspore.refusals import conversions, method_forms, operators
from jitcore.compat.mindspore.refusals.naming import word
from jitcore.compat.mindspore.refusals.shapes import known
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand

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
        f'Failed calling transpose with "transpose({shown})".\nThe valid calling should be:\n'
        '"Tensor.transpose(dim0=<int>, dim1=<int>)"\n'
        '"Tensor.transpose(axes=<tuple of int, list of int>)"'
    )


def uncounted_axes(count: int) -> str:
    """What is said of a number of axes that is not a Tensor's."""
    return (
        "For Tensor.transpose, the number of axes must be equal to the dimension of Tensor, "
        f"but got {count} in the number of axes."
    )


def _itemset(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    shape = known(x)
    return None if shape is None or len(args) != 1 else conversions.of_items(shape, 1)


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


def _astype(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    if len(args) != 1 or args[0].value is UNKNOWN:
        return None
    return conversions.of_dtype_in_graph(args[0].value) if args[0].kind in _NO_DTYPES else None


_NO_DTYPES: Final = ("str", "int", "bool", "float", "none", "list", "tuple")


def _type(x: Operand, args: Sequence[Operand]) -> BaseException | None:
    return None if not args or args[0].kind == "none" else _astype(x, args)


_CHECKS: Final[dict[str, Check]] = {
    "astype": _astype,
    "type": _type,
    "transpose": _transpose,
    "swapaxes": _swapaxes,
    "swapdims": _swapaxes,
    "item": _item,
    "itemset": _itemset,
}


_RUN_BY_PYTHON: Final = ("asnumpy", "numpy")
_OPERATORS: Final = {"dim": "Rank", "contiguous": "Contiguous"}
"""Methods that are an operator of one operand."""


def refused(name: str, args: Sequence[Operand], keywords: Mapping[str, Operand]) -> BaseException | None:
    """What MindSpore says to a call of a method, if it refuses it."""
    if name in _RUN_BY_PYTHON:
        return method_forms.miscounted(name, args, keywords)
    if name in _OPERATORS and len(args) > 1 and not keywords:
        return TypeError(f"For Operator[{_OPERATORS[name]}], the inputs number should be 1 but got {len(args)}.")
    check = _CHECKS.get(name)
    return None if check is None or keywords else check(args[0], args[1:])


def line_by_line(name: str, args: Sequence[Operand]) -> BaseException | Instead | None:
    """The answer to a method in a program that MindSpore runs line by line, where it is another one:
    `x.transpose(0, 1)` exchanges two axes there."""
    match name:
        case "transpose" if len(args) == 3 and _are_ints(args[1:]):
            return Instead(_exchanged)
        case "astype" if len(args) == 2 and args[1].kind in _NO_DTYPES and args[1].value is not UNKNOWN:
            return conversions.of_dtype(args[1].value)
        case "item" if len(args) == 1 and (shape := known(args[0])) is not None:
            return conversions.of_several(math.prod(shape))
        case _:
            return None


def _exchanged(x: Any, dim0: Any, dim1: Any) -> Any:
    return x.swapaxes(dim0, dim1)
