"""What MindSpore's operators over sequences do in compiled code, where they do something else line by line: functions
that are called instead."""

# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore.compat.mindspore.tensor import Tensor


def _require_rank_one(name: str, x: Any) -> None:
    if len(x.shape) > 1:
        shape = ", ".join([str(n) for n in x.shape])
        raise ValueError(
            "For Primitive["
            + name
            + "], the input must be a 1-D Tensor, but got Tensor with shape: [const vector]{"
            + shape
            + "}."
        )


def _tuple_of_tensor(x: Any) -> Any:
    _require_rank_one("TensorToTuple", x)
    if len(x.shape) == 0:
        return (x.item(),)
    return tuple([e.item() for e in x])


def _list_of_tensor(x: Any) -> Any:
    _require_rank_one("TensorToList", x)
    return [e.item() for e in x]


def _scalar_of_tensor(x: Any) -> Any:
    if len(x.shape) > 1 or (len(x.shape) == 1 and x.shape[0] != 1):
        shape = ", ".join([str(n) for n in x.shape])
        raise ValueError(
            "For Primitive[TensorToScalar], the input tensor's shape must be empty or {1}, but got [const vector]{"
            + shape
            + "}."
        )
    return x.item()


def index_of(sequence: Any, target: Any, start: Any = 0, end: Any = None) -> Any:
    """The first index of a value in a part of a sequence."""
    first = start + len(sequence) if start < 0 else start
    for k in range(first, len(sequence) if end is None else min(end, len(sequence))):
        if sequence[k] == target:
            return k
    raise ValueError(str(target) + " is not in \n" + str(sequence))


def index_of_the_run(sequence: Any, target: Any, start: Any = 0, end: Any = None) -> Any:
    """The first index of a value in a part of a sequence whose items are known only when the program runs."""
    first = start + len(sequence) if start < 0 else start
    for k in range(first, len(sequence) if end is None else min(end, len(sequence))):
        if sequence[k] == target:
            return k
    raise ValueError(str(target) + " is not in list")


def _sum(first: Any, second: Any) -> Any:
    if isinstance(first, list) is not isinstance(second, list):
        raise TypeError(
            "Can not concatenate list and tuple together. For sequence append operator, the first input is:"
        )
    return tuple(first + second)


def _slice(sequence: Any, start: Any, stop: Any, step: Any) -> Any:
    return tuple(sequence[start:stop:step])


def _range(*limits: Any) -> Any:
    return range(*limits)  # which is given back as the tuple of its numbers


def _product(shape: Any) -> Any:
    total = 1
    for n in shape:
        total *= n
    return total


def _equal(x: Any, y: Any) -> Any:
    return tuple(x) == tuple(y)


def _less(x: Any, y: Any) -> Any:
    return tuple(x) < tuple(y)


def _at_most(x: Any, y: Any) -> Any:
    return tuple(x) <= tuple(y)


def _greater(x: Any, y: Any) -> Any:
    return tuple(x) > tuple(y)


def _at_least(x: Any, y: Any) -> Any:
    return tuple(x) >= tuple(y)


def _tensor(sequence: Any, dtype: Any = None) -> Any:
    return Tensor(sequence, dtype)


PROGRAMS: Final[dict[str, Callable[..., Any]]] = {
    "TupleToTensor": _tensor, "ListToTensor": _tensor, "TensorToTuple": _tuple_of_tensor,
    "TensorToList": _list_of_tensor, "TensorToScalar": _scalar_of_tensor, "SequenceIndex": index_of,
    "SequenceAdd": _sum, "SequenceSlice": _slice, "make_range": _range, "shape_mul": _product, "tuple_equal": _equal,
    "list_equal": _equal, "tuple_lt": _less, "list_lt": _less, "tuple_le": _at_most, "list_le": _at_most,
    "tuple_greater_than": _greater, "list_greater_than": _greater, "tuple_greater_equal": _at_least,
    "list_greater_equal": _at_least,
}  # fmt: skip
"""By the operator's name."""
