"""MindSpore's operators over sequences and numbers: `ops.operations._sequence_ops`, `F.switch`, `F.scalar_add` … as
the Python they mean."""

from __future__ import annotations

import math
from typing import Any

from jitcore import ops
from jitcore.compat.mindspore.tensor import Tensor
from jitcore.runtime.tensor import Tensor as AnyTensor


class Constructible(type):
    """The class of classes whose objects compiled code can make (but whose objects are not library functions
    themselves)."""

    __jitcore_library__ = True


class TupleToTensor(metaclass=Constructible):
    """A Tensor of a tuple's numbers, of a dtype."""

    def __call__(self, input_tuple: Any, dtype: Any = None) -> Any:
        return Tensor(input_tuple, dtype) if isinstance(input_tuple, tuple | range) else None


class ListToTensor(metaclass=Constructible):
    """A Tensor of a list's numbers, of a dtype."""

    def __call__(self, input_list: Any, dtype: Any = None) -> Any:
        if not isinstance(input_list, list) or None in input_list:
            raise RuntimeError(f"input must be list, but got {input_list}")
        return Tensor(input_list, dtype)


class TensorToTuple(metaclass=Constructible):
    """The elements of a Tensor of one axis as a tuple of numbers."""

    def __call__(self, input_tensor: Any) -> Any:
        return tuple(input_tensor.asnumpy().tolist()) if _has_axes(input_tensor, 1) else None


class TensorToList(metaclass=Constructible):
    """The elements of a Tensor of one axis as a list of numbers."""

    def __call__(self, input_tensor: Any) -> Any:
        return input_tensor.asnumpy().tolist() if _has_axes(input_tensor, 1) else None


class TensorToScalar(metaclass=Constructible):
    """The only element of a Tensor as a number."""

    def __call__(self, input_tensor: Any) -> Any:
        return input_tensor.item() if _has_axes(input_tensor, 1) and input_tensor.shape in ((), (1,)) else None


def _has_axes(x: Any, most: int) -> bool:
    """Whether a value is a Tensor of no more axes."""
    return isinstance(x, AnyTensor) and len(x.shape) <= most


class sequence_len(metaclass=Constructible):
    """The length of a sequence."""

    def __call__(self, sequence: Any) -> Any:
        return len(sequence)


class ListAppend(metaclass=Constructible):
    """A list with an item more."""

    def __call__(self, input_list: Any, item: Any) -> Any:
        return [*input_list, item]


class ListInsert(metaclass=Constructible):
    """A list with an item more, at an index."""

    def __call__(self, input_list: Any, index: int, item: Any) -> Any:
        return [*input_list[:index], item, *input_list[index:]]


class SequenceCount(metaclass=Constructible):
    """How often a value is in a sequence."""

    def __call__(self, sequence: Any, target: Any) -> Any:
        return sequence.count(target)


class SequenceIndex(metaclass=Constructible):
    """The first index of a value in a part of a sequence. Raises ValueError if it is not there."""

    def __call__(self, sequence: Any, target: Any, start: Any = None, end: Any = None) -> Any:
        return sequence.index(target, start, end)


class SequenceMax(metaclass=Constructible):
    """The greatest item of a sequence."""

    def __call__(self, sequence: Any) -> Any:
        return max(sequence)


class SequenceMin(metaclass=Constructible):
    """The least item of a sequence."""

    def __call__(self, sequence: Any) -> Any:
        return min(sequence)


class SequenceMul(metaclass=Constructible):
    """A sequence several times over."""

    def __call__(self, sequence: Any, times: Any) -> Any:
        return sequence * times


class SequenceAdd(metaclass=Constructible):
    """Two tuples or two lists as one."""

    def __call__(self, first: Any, second: Any) -> Any:
        return first + second


class SequenceAddN(metaclass=Constructible):
    """The sum of a sequence's Tensors."""

    def __call__(self, sequence: Any) -> Any:
        total = sequence[0]
        for item in sequence[1:]:
            total = total + item
        return total


class SequenceAddOffset(metaclass=Constructible):
    """Where the items of two sequences begin in their sum."""

    def __call__(self, first: Any, second: Any) -> Any:
        return (0, len(first))


class SequenceSlice(metaclass=Constructible):
    """A part of a sequence."""

    def __call__(self, sequence: Any, start: Any, stop: Any, step: Any) -> Any:
        return sequence[start:stop:step]


class SequenceSliceSetItem(metaclass=Constructible):
    """A sequence with another part."""

    def __call__(self, sequence: Any, target: Any, start: Any, stop: Any, step: Any) -> Any:
        items = list(sequence)
        items[start:stop:step] = target
        return tuple(items) if isinstance(sequence, tuple) else items


class SequenceStack(metaclass=Constructible):
    """The Tensors of a sequence as one, on a new axis."""

    def __init__(self, axis: int = 0) -> None:
        if isinstance(axis, str):
            raise TypeError("For 'SequenceStack', the type of 'axis' should be 'int', but got type 'str'.")
        self.axis = axis

    def __call__(self, sequence: Any) -> Any:
        if not sequence:
            raise ValueError(
                "For primitive[SequenceStack], the stack element num must be greater than or equal to 1, but got 0."
            )
        rank = len(sequence[0].shape) + 1
        if not -rank <= self.axis < rank:
            raise ValueError(
                f"For primitive[SequenceStack], the Stack axis must be in [{-rank},{rank - 1}], but got {self.axis}."
            )
        for x in sequence[1:]:
            _require_alike(x.shape, sequence[0].shape)
        return ops.stack(sequence, self.axis)


def _require_alike(shape: Any, first: Any) -> None:
    """Raise what MindSpore does for a shape unlike the first one."""
    if len(shape) != len(first):
        raise ValueError("All input shape size must be the same!")
    if shape != first:
        shown = [", ".join([str(n) for n in s]) for s in (shape, first)]
        raise ValueError(
            "All input shape must be the same! [const vector]{" + shown[0] + "} And [const vector]{" + shown[1] + "}"
        )


class SequenceUnstack(metaclass=Constructible):
    """The parts of a Tensor along an axis."""

    def __init__(self, axis: int = 0, num: int | None = None) -> None:
        self.axis = axis
        self.num = num

    def __call__(self, x: Any) -> Any:
        rank = len(x.shape)
        if not -rank <= self.axis < rank:
            raise ValueError(
                f"For primitive[SequenceUnstack], the axis value must be in [{-rank},{rank}), but got {self.axis}."
            )
        return ops.unbind(x, self.axis)


class SequenceZerosLike(metaclass=Constructible):
    """A sequence of zeros like the items of another."""

    def __call__(self, sequence: Any) -> Any:
        zeros = [_zero_like(x) for x in sequence]
        return tuple(zeros) if isinstance(sequence, tuple) else zeros


def _zero_like(x: Any) -> Any:
    if isinstance(x, tuple):
        return tuple([_zero_like(item) for item in x])
    return False if isinstance(x, bool) else x * 0


class InSequence(metaclass=Constructible):
    """Whether a value is in a sequence."""

    def __call__(self, target: Any, sequence: Any) -> Any:
        return target in sequence


class make_range(metaclass=Constructible):
    """The numbers of a range."""

    def __call__(self, start: Any, limit: Any, delta: Any) -> Any:
        return range(start, limit, delta)


class shape_mul(metaclass=Constructible):
    """The product of a shape."""

    def __call__(self, shape: Any) -> Any:
        if not isinstance(shape, tuple):
            raise ValueError("For primitive [shape_mul], input must be tuple")
        return math.prod(shape)


class bit_and(metaclass=Constructible):
    """The bits that two ints have in common, as an int."""

    def __call__(self, x: Any, y: Any) -> Any:
        return int(x & y)


class bit_or(metaclass=Constructible):
    """The bits that either of two ints has, as an int."""

    def __call__(self, x: Any, y: Any) -> Any:
        return int(x | y)


class bool_not(metaclass=Constructible):
    """Whether a bool is false."""

    def __call__(self, x: Any) -> Any:
        return not x


def _comparison(name: str, call: Any) -> Any:
    return Constructible(
        name, (), {"__call__": call, "__doc__": "Whether two sequences compare so.", "__module__": __name__}
    )


def _equal(self: Any, x: Any, y: Any) -> Any:
    return x == y


def _less(self: Any, x: Any, y: Any) -> Any:
    return x < y


def _at_most(self: Any, x: Any, y: Any) -> Any:
    return x <= y


def _greater(self: Any, x: Any, y: Any) -> Any:
    return x > y


def _at_least(self: Any, x: Any, y: Any) -> Any:
    return x >= y


tuple_equal, list_equal = _comparison("tuple_equal", _equal), _comparison("list_equal", _equal)
tuple_lt, list_lt = _comparison("tuple_lt", _less), _comparison("list_lt", _less)
tuple_le, list_le = _comparison("tuple_le", _at_most), _comparison("list_le", _at_most)
tuple_greater_than, list_greater_than = (
    _comparison("tuple_greater_than", _greater),
    _comparison("list_greater_than", _greater),
)
tuple_greater_equal = _comparison("tuple_greater_equal", _at_least)
list_greater_equal = _comparison("list_greater_equal", _at_least)


# --- functions of `ops.functional` --------------------------------------------------------------------


def switch(condition: Any, first: Any, second: Any) -> Any:
    """The second argument if the first is true, else the third."""
    if isinstance(condition, str):
        raise RuntimeError("Not support this condition value: " + condition)
    return first if condition else second


def switch_layer(index: Any, layers: tuple[Any, ...]) -> Any:
    """The layer that a Tensor says, of a tuple of them."""
    return layers[index]


def isconstant(value: Any) -> bool:
    """Whether a value is no Tensor; in compiled code, whether it is known while compiling (`refusals.functional`)."""
    return not isinstance(value, AnyTensor)


def range_of(*limits: Any) -> Any:
    """`F.make_range`: the tuple of a range's numbers."""
    return tuple(range(*limits))
