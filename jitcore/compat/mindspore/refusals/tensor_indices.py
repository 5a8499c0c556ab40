"""What MindSpore's compiler says to indices of Tensors that are of the right types, but out of range or of shapes that
do not fit.

x[0, 5]         # For 'StridedSlice', the 'strides[1]' cannot be negative number and 'begin[1]' must be in [-3, 3) …
x[y > 1]        # 'The shape of index (3) does not match the shape of the indexed data (2, 3)'
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from jitcore.compat.mindspore.refusals.naming import shape_text
from jitcore.compat.mindspore.refusals.shapes import Shape, known
from jitcore.passes.infer.engine.operands import Operand

MOST_AXES: Final = 8
OUTSIDE: Final = (
    "For 'StridedSlice', the 'strides[{0}]' cannot be negative number and 'begin[{0}]' must be in [-{1}, {1}) when "
    "'shrink_axis_mask' is greater than 0, but got 'strides[{0}]': 1, 'begin[{0}]': {2}."
)
"""Of an axis, its extent and the index."""
UNGATHERED: Final = "For 'Gather', the 'input_indices' should be in the range [0, {1}), but got {0}, error_code[58]"
"""Of an index in a Tensor, and the extent."""
UNSCATTERED: Final = (
    "For 'TensorScatterUpdate', indices out of range for input_x. "
    "Please check the indices which is [const vector]{{{0}}}"
)
"""Of an index in a Tensor at which something is written."""
_SIMPLE: Final = ("int", "slice", "ellipsis", "none")


def of_several(x: Operand, items: Sequence[Operand]) -> BaseException | None:
    """The answer to `x[i, j]`."""
    shape = known(x)
    if shape is None:
        return None
    if all(i.kind in _SIMPLE for i in items):
        return _simple(shape, items)
    arrays = [i for i in items if i.kind in ("tensor", "list", "tuple")]
    if len(arrays) > 1 and (refused := unlike(arrays)) is not None:
        return refused
    taken = sum(_taken(i) for i in items)
    if taken > len(shape):
        return _too_many(taken, len(shape))
    axes = axes_of(shape, items)
    for k, item in enumerate(items):
        axis = axes[k] if axes is not None else None
        for index in item.items if item.kind in ("list", "tuple") else (item,):
            if axis is not None and type(index.value) is int and not -shape[axis] <= index.value < shape[axis]:
                return IndexError(f"Index {index.value} is out of bounds for dimension with size {shape[axis]}")
    return None


def _taken(x: Operand) -> int:
    """How many axes one of several indices is of."""
    if x.kind in ("ellipsis", "none", "bool"):
        return 0
    return len(x.shape) if x.kind == "tensor" and x.dtype is not None and x.dtype.kind == "b" else 1


def axes_of(shape: Shape, items: Sequence[Operand]) -> list[int | None] | None:
    """The axis that each index is of, None for a new one and for those that an ellipsis stands for; None if there are
    masks or too many."""
    if any(i.kind == "bool" or (i.kind == "tensor" and (i.dtype is None or i.dtype.kind == "b")) for i in items):
        return None
    if any(k.kind == "bool" for i in items if i.kind in ("list", "tuple") for k in i.items):
        return None
    taken = sum(i.kind not in ("ellipsis", "none") for i in items)
    if taken > len(shape):
        return None
    axes: list[int | None] = []
    axis = 0
    for item in items:
        axes.append(None if item.kind in ("ellipsis", "none") else axis)
        axis += len(shape) - taken if item.kind == "ellipsis" else item.kind != "none"
    return axes


def _simple(shape: Shape, items: Sequence[Operand]) -> BaseException | None:
    """The answer where all are ints, slices, `...` and None."""
    taken = sum(i.kind not in ("ellipsis", "none") for i in items)
    if taken > len(shape):
        return _too_many(taken, len(shape))
    axes = axes_of(shape, items) or []
    place = 0
    for item, axis in zip(items, axes, strict=True):
        if has_no_step(item):
            return ValueError("For 'StridedSlice', input 'strides' can not contain 0.")
        if axis is not None and type(item.value) is int and not -shape[axis] <= item.value < shape[axis]:
            return IndexError(OUTSIDE.format(place, shape[axis], item.value))
        place += len(shape) - taken if item.kind == "ellipsis" else 1
    return None


def has_no_step(index: Operand) -> bool:
    """Whether an index is a slice that never moves on."""
    return index.kind == "slice" and len(index.items) == 3 and index.items[2].value == 0


def unlike(arrays: Sequence[Operand]) -> ValueError | None:
    """The answer to Tensors, lists and tuples among the indices that do not broadcast."""
    shapes = [known(a) if a.kind == "tensor" else (len(a.items),) for a in arrays]
    for first, second in itertools.pairwise(shapes):
        if first is None or second is None or len(first) != 1 or len(second) != 1:
            return None
        if first != second and 1 not in (*first, *second):
            return ValueError(
                "For tensor getitem or setitem, x.shape and y.shape need to broadcast. The value of x.shape[0] or "
                f"y.shape[0] must be 1 or -1 when they are not the same but got x.shape ={shape_text(first)}and "
                f"y.shape = {shape_text(second)}"
            )
    return None


def _too_many(taken: int, rank: int) -> IndexError:
    return IndexError(
        f"'The dim of index cannot be greater than indexed data, but got dim of index:{taken}, dim of data:{rank}'"
    )


def of_scalar(index: Operand) -> BaseException | None:
    """The answer to an index of a Tensor without axes."""
    if index.kind in ("int", "npscalar") or (index.kind == "slice" and not isinstance(index.value, str)):
        return TypeError("For 'StridedSlice', input can not be a scalar.")
    if index.kind == "list":
        return ValueError("'The input data's dim must in the range of [1, 8], but got '0'.'")
    if index.kind == "tensor" and index.dtype is not None and index.shape:
        if index.dtype.kind == "b":
            return _too_many(len(index.shape), 0)
        if index.dtype.kind in "iu":
            return ValueError("For primitive:'TupleGetItem', cannot get item by index from an empty sequence.")
    return None


def of_mask(x: Operand, mask: Operand) -> IndexError | None:
    """The answer to a Tensor of bools that is no mask of the first axes."""
    shape, of = known(mask), known(x)
    if shape is not None and of is not None and len(shape) > len(of):
        return _too_many(len(shape), len(of))
    if shape is None or of is None or not shape or of[: len(shape)] == shape:
        return None
    return IndexError(
        f"'The shape of index {_listed(shape)} does not match the shape of the indexed data {_listed(of)}'"
    )


def _listed(shape: Shape) -> str:
    return f"({', '.join(map(str, shape))})"


def of_flags(x: Operand, flags: Sequence[Operand]) -> IndexError | None:
    """The answer to a list of bools that is no mask of the first axis."""
    shape = known(x)
    if not shape or len(flags) == shape[0] or any(i.kind != "bool" for i in flags):
        return None
    return IndexError(f"'dimension is {shape[0]} but corresponding boolean dimension is {len(flags)}'")
