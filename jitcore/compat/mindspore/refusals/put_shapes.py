"""What MindSpore's compiler says to values that do not fit the places of a Tensor they are written to, and what it
writes by masks.

x[0] = y            # For 'BroadcastTo', in order to broadcast, each dimension pair must be equal …
x[0] = [1, 2]       # operands could not be broadcast together with remapped shapes … as NumPy says it, where it knows
the value x[0, 0] = y         # Input array must have the same size across all dimensions.
x[x > 1] = y        # a value for each row: MindSpore chooses between two Tensors of x's shape
"""

# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.compat.mindspore.refusals import eager_items, put_values
from jitcore.compat.mindspore.refusals.masks import put_by_mask
from jitcore.compat.mindspore.refusals.naming import items_of, shape_text
from jitcore.compat.mindspore.refusals.shapes import Shape, known
from jitcore.compat.mindspore.refusals.tensor_indices import axes_of, has_no_step, unlike
from jitcore.passes.infer.engine.operands import Instead, Operand, Operation
from jitcore.structs import dataclass

_INDEX_KINDS: Final = ("int", "slice", "ellipsis", "none", "bool", "tensor", "list")
_NUMBERS: Final = ("bool", "int", "float")


def put(operation: Operation) -> BaseException | Instead | None:
    """The answer to `x[index] = value`, where x is a Tensor."""
    x, index, value = operation.operands
    shape = known(x)
    if operation.compiled and (unmade := put_values.unmade(value, x.dtype, _shape_of)) is not None:
        return unmade
    items = index.items if index.kind == "tuple" else (index,)
    if shape is None or not all(i.kind in _INDEX_KINDS for i in items):
        return None
    if index.kind == "list" and operation.compiled and index.items and all(i.kind == "bool" for i in index.items):
        return _by_mask(shape, (len(index.items),), operation)
    if any(i.kind == "list" and _bool_items(i) for i in items):
        return None
    if len(items) == 1 and _is_mask(items[0]):
        return _by_mask(shape, known(items[0]), operation) if index.kind == "tensor" and operation.compiled else None
    if any(map(_is_mask, items)) or any(i.kind == "bool" and i.value is not True for i in items):
        return None
    refused = _misplaced(shape, items, whole=index.kind != "tuple")
    return refused or _unfit(shape, items, operation)


def _bool_items(x: Operand) -> bool:
    return any(i.kind != "int" for i in x.items)


def _is_mask(x: Operand) -> bool:
    return x.kind == "tensor" and x.dtype is not None and x.dtype.kind == "b"


def _misplaced(shape: Shape, items: Sequence[Operand], *, whole: bool) -> BaseException | None:
    """The answer to indices that are too many or out of range."""
    placed = [i for i in items if i.kind not in ("bool", "none")]
    axes = axes_of(shape, placed)
    if axes is None:
        return None if whole else IndexError("Tuple index")
    arrays = [i for i in placed if i.kind in ("tensor", "list")]
    if len(arrays) > 1 and (refused := unlike(arrays)) is not None:
        return refused
    if any(map(has_no_step, placed)):
        return ValueError("For 'StridedSlice', 'strides' cannot contain 0")
    for item, axis in zip(placed, axes, strict=True):
        if axis is not None and type(item.value) is int and not -shape[axis] <= item.value < shape[axis]:
            return IndexError(f"Index {item.value} is out of bounds for dimension with size {shape[axis]}")
    return None


def _unfit(shape: Shape, items: Sequence[Operand], operation: Operation) -> BaseException | Instead | None:
    """The answer to a value whose shape does not broadcast to that of the places."""
    placed = [i for i in items if i.kind not in ("bool", "none")]
    value = operation.operands[2]
    given, target = _shape_of(value), _target(shape, placed)
    if given is None or target is None:
        return None
    if _is_empty(placed, target.places):
        return Instead(_unchanged)
    if not operation.compiled:
        unfit = _said_by_numpy(given, target.places) is not None
        return eager_items.unbroadcast(given, target.places, number=value.kind != "tensor") if unfit else None
    if all(i.kind == "ellipsis" for i in placed):
        return _over_all(given, shape, operation.name)
    if len(items) > 1 and len(given) > len(target.places) and not _copies(items):
        return ValueError("Input array must have the same size across all dimensions.")
    return _unbroadcast(given, target.updates, operation.name)


@dataclass(frozen=True, slots=True)
class _Target:
    """The shape of the places that are written to, and the one that a value is broadcast to."""

    places: Shape
    updates: Shape


def _target(shape: Shape, items: Sequence[Operand]) -> _Target | None:
    """Where indices of ints, slices, Tensors and lists lead to; None where only the run knows, and where something else
    is said of them."""
    keys = [_key(i) for i in items]
    if any(key is None for key in keys):
        return None
    try:
        places = np.broadcast_to(np.int8(0), shape)[tuple(keys)].shape
    except IndexError:
        return None
    return _Target(places, _updates(items, places))


def _key(item: Operand) -> Any:
    """An index of the same shape, for NumPy; None where only the run knows it."""
    if item.kind == "slice":
        ends = [i.value for i in item.items]
        return slice(*ends) if all(e is None or type(e) is int for e in ends) else None
    if item.kind == "ellipsis":
        return ...
    if item.kind == "int":
        return 0
    indices = known(item) if item.kind == "tensor" else (len(item.items),)
    return None if indices is None else np.zeros(indices, int)


def _updates(items: Sequence[Operand], places: Shape) -> Shape:
    """The shape that a value is broadcast to: a single int, or several indices that are no slices, leave an axis of
    one."""
    if not items or any(i.kind in ("slice", "ellipsis") for i in items):
        return places
    several = items[0].kind == "list" or (items[0].kind == "tensor" and items[0].shape != ())
    return places if len(items) == 1 and several else (1, *places)


def _is_empty(items: Sequence[Operand], places: Shape) -> bool:
    """Whether there is a slice of nothing among indices."""
    return 0 in places and any(i.kind == "slice" for i in items)


def _copies(items: Sequence[Operand]) -> bool:
    """Whether it is `x[i, a:b]`, whose value is copied as it is."""
    if len(items) != 2 or items[0].kind != "int" or items[1].kind != "slice":
        return False
    return items[1].items[2].value in (None, 1)


def _shape_of(value: Operand) -> Shape | None:
    """The shape of a Tensor, number, or nested sequence of numbers and Tensors."""
    if value.kind == "tensor":
        return known(value)
    if value.kind in _NUMBERS:
        return ()
    if value.kind not in ("list", "tuple", "range"):
        return None
    if not value.items:
        return (0,)
    shapes = {_shape_of(i) for i in items_of(value)}
    inner = next(iter(shapes)) if len(shapes) == 1 else None
    return None if inner is None else (len(items_of(value)), *inner)


def _said_by_numpy(given: Shape, target: Shape) -> ValueError | None:
    try:
        np.broadcast_to(np.broadcast_to(0, given), target)
    except ValueError as error:
        return error
    return None


def _unbroadcast(given: Shape, target: Shape, is_constant: Callable[[], bool]) -> ValueError | None:
    """The answer to a shape that does not broadcast to another: NumPy's where the value is known."""
    said = _said_by_numpy(given, target)
    if said is None or is_constant():
        return said
    if len(given) > len(target):
        return ValueError(
            "For primitive [BroadcastTo]: input's rank should be less equal to the number of proposed_shape, but got "
            f"{len(given)} and {len(target)}"
        )
    return ValueError(
        "For 'BroadcastTo', in order to broadcast, each dimension pair must be equal or input dimension is 1 or target "
        f"dimension is -1. But got x_shape: {shape_text(given)}, target shape: {shape_text(target)}."
    )


def _over_all(given: Shape, shape: Shape, is_constant: Callable[[], bool]) -> ValueError | None:
    """The answer to what is written to all of a Tensor: of more axes, it is brought to the Tensor's shape."""
    if len(given) <= len(shape):
        return _unbroadcast(given, shape, is_constant)
    count, size = math.prod(given), math.prod(shape)
    if count == size:
        return None
    return ValueError(
        "For 'Reshape', the product of the 'input_x' shape should be equal to product of 'input_shape', but got "
        f"product of the shape of 'input_x': {count}, product of 'input_shape': {size}."
    )


def _by_mask(shape: Shape, of_mask: Shape | None, operation: Operation) -> BaseException | Instead | None:
    """The answer to `x[mask] = value`: mask and value have axes of one put behind theirs, and are broadcast to x's
    shape."""
    given = _shape_of(operation.operands[2])
    if of_mask is None or given is None:
        return None
    refused = _unbroadcast(_padded(of_mask, shape), shape, _never)
    refused = refused or _unbroadcast(_padded(given, shape), shape, operation.name)
    if refused is not None:
        return refused
    return Instead(put_by_mask) if given or of_mask != shape[: len(of_mask)] else None


def _never() -> bool:
    return False


def _padded(given: Shape, shape: Shape) -> Shape:
    return (*given, *(1,) * (len(shape) - len(given)))


# --- what is called instead -------------------------------------------------------------------------


def _unchanged(x: Any, index: Any, value: Any) -> None:
    pass
