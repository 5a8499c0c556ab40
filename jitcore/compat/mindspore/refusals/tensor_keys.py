"""What MindSpore's compiler says to odd keys of Tensors, and what it takes them for.

x[[0, 1], [1, 0]]       x[[[0, 1], [1, 0]]] means the same
x[np.array([0])]        # Only support integers, slices(`:`), ellipsis(`...`), None, bool, …
x[::-1] = 1             # For 'TensorScatterUpdate', indices out of range for input_x. …
"""

# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Any, Final

import numpy as np

from jitcore import ops
from jitcore.compat.mindspore.refusals import eager_items
from jitcore.compat.mindspore.refusals.naming import dtype_name, items_of, shape_text, type_text
from jitcore.compat.mindspore.refusals.shapes import Shape, known
from jitcore.compat.mindspore.tensor import Tensor
from jitcore.passes.infer.engine.operands import UNKNOWN, Instead, Operand
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.types import f16, f32, f64, i32

_TYPES: Final = "'Slice', 'Ellipsis', 'None', 'Tensor', 'int', 'List', 'Tuple', 'bool'"
_PLAIN: Final = ("int", "bool", "npscalar", "object", "union", "instance")
"""Items of a list of indices; of others it is what a tuple is."""
_CUT: Final = ("int", "slice", "ellipsis", "none")


def refused(key: Operand, *, put: bool = False) -> BaseException | Instead | None:
    """The answer to a key that no Tensor has, whatever its shape."""
    if key.kind in ("dtype", "type"):
        return eager_items.unsupported(key.value)
    if key.kind == "ndarray":
        return Instead(_unkeyed)
    if key.kind == "npscalar":
        return _of_numpy(key, put=put)
    if key.kind == "slice":
        return _of_slice(key)
    if key.kind not in ("tuple", "list"):
        return None
    if key.kind == "list" and all(i.kind in _PLAIN for i in key.items):
        return None
    return next(filter(None, (_of_item(i, put=put) for i in key.items)), None)


def _of_numpy(key: Operand, *, put: bool) -> BaseException | Instead | None:
    """The answer to a scalar of NumPy's."""
    if key.dtype is f32 or key.dtype is f64 or key.dtype is f16:
        return None if put else Instead(_of_a_float)
    return Instead(_unsupported) if key.dtype is i32 else None


def untaken(value: Operand) -> BaseException | Instead | None:
    """The answer to a value that nothing is written of."""
    if value.kind == "ndarray":
        return Instead(_untaken)
    if value.kind == "npscalar":
        return Instead(_unsupported_value) if value.dtype is i32 else None
    if value.kind == "slice" and value.value is UNKNOWN:
        return eager_items.untaken(slice(*(i.value for i in value.items)))
    return eager_items.untaken(... if value.kind == "ellipsis" else value.value)


_SUPPORTED: Final = (
    "Unsupported Python object type received: <class 'numpy.int32'>. Supported types for tensor indexing are: list, "
    "int, float, tuple, slice, ellipsis, None, array, bool, or Tensor. Received value: "
)


def _unkeyed(x: Any, key: Any, value: Any = None) -> Any:
    raise IndexError(
        "Only support integers, slices(`:`), ellipsis(`...`), None, bool, tensor, int, list and tuple as index, but "
        f"got {key} with type <class 'numpy.ndarray'>"
    )


def _of_a_float(x: Any, key: Any) -> Any:
    raise IndexError(f"Number index of tensor must be int or bool, but got {key}.")


def _unsupported(x: Any, key: Any, value: Any = None) -> Any:
    raise IndexError(f"{_SUPPORTED}{key}")


def _unsupported_value(x: Any, key: Any, value: Any) -> Any:
    raise IndexError(f"{_SUPPORTED}{value}")


def _untaken(x: Any, key: Any, value: Any) -> Any:
    raise TypeError(
        f"only support numbers, Tensor, tuple, list as value, but got {value} with type <class 'numpy.ndarray'>"
    )


def _of_item(x: Operand, *, put: bool) -> BaseException | None:
    """The answer to one of several indices."""
    if x.kind == "slice":
        return _of_slice(x)
    if x.kind == "function":
        return RuntimeError("Not support the type: Function")
    if x.kind == "bool" and x.value is False and not put:
        return IndexError("Bool element of tuple index must be 'True', but got 'False'.")
    odd = _odd(x)
    if odd is None:
        return None
    return (
        IndexError("invalid index type")
        if put
        else TypeError(f"For 'tensor_setitem_by_tuple', the types only support {_TYPES}, but got {odd}")
    )


def _odd(x: Operand) -> str | None:
    """The type of one of several indices that is none."""
    if x.kind in ("float", "str", "dict", "dtype", "type"):
        return type_text(x)
    if x.kind == "ndarray" or (x.kind == "npscalar" and x.dtype is i32):
        return "External"
    return "Float32" if x.kind == "npscalar" and x.dtype is not None and x.dtype.kind == "f" else None


def _of_slice(x: Operand) -> BaseException | None:
    """The answer to bounds of a slice that are no ints."""
    if isinstance(x.value, slice):
        return None
    for bound in x.items:
        if bound.kind in ("str", "float", "tuple", "list", "dict"):
            return TypeError(f"Slice indices must be integers or bool. But got a {type_text(bound)} number.")
        shape = known(bound) if bound.kind == "tensor" else ()
        if shape not in ((), (1,), None):
            return ValueError(
                "For Primitive[TensorToScalar], the input tensor's shape must be empty or {1}, "
                f"but got {shape_text(shape)}."
            )
    return None


# --- what stands for another key ---------------------------------------------------------------------


def meant(key: Operand) -> Operand:
    """The tuple that a list of other things than ints and bools, or a range, is as a key; the key itself if it is none
    of these."""
    if key.kind == "range" and items_of(key):
        return Operand("tuple", items=items_of(key))
    if key.kind == "list" and key.items and any(i.kind not in _PLAIN for i in key.items):
        return Operand("tuple", items=key.items)
    return key


def got(x: Any, key: Any) -> Any:
    """`x[key]`, where the key is a list or range that means a tuple."""
    return x[tuple(key)]


def put(x: Any, key: Any, value: Any) -> None:
    """`x[key] = value`, where the key is a list or range that means a tuple."""
    x[tuple(key)] = value


# --- what is written -------------------------------------------------------------------------------


def written(x: Operand, key: Operand) -> BaseException | Instead | None:
    """The answer to a number as a key, which counts as an int, to Tensors of floats, and to slices that go
    backwards."""
    shape = known(x)
    if key.kind == "float" and key.value is not UNKNOWN and shape:
        return _row(key.value, shape[0])
    if key.kind == "tensor" and key.dtype is not None and key.dtype.kind not in "biu":
        name = dtype_name(key.dtype)
        return IndexError(f"For 'tensor setitem', the index tensor data type '{name}' is not supported.")
    items = key.items if key.kind == "tuple" else (key,)
    if shape is None or not all(i.kind in _CUT for i in items) or not any(map(_goes_back, items)):
        return None
    return backwards(shape, items, 0 if key.kind == "tuple" else 1)


def _row(index: float, count: int) -> BaseException | Instead:
    if not -count <= index < count:
        return IndexError(f"'index {index} is out of bounds for axis 0 with size {count}'")
    return Instead(_put_at(int(index if index >= 0 else index + count)))


@cache
def _put_at(row: int) -> Callable[..., Any]:
    def put_row(x: Any, key: Any, value: Any) -> None:
        x[row] = value

    return put_row


def _goes_back(x: Operand) -> bool:
    return x.kind == "slice" and type(x.items[2].value) is int and x.items[2].value < 0


def backwards(shape: Shape, items: Sequence[Operand], shown: int) -> BaseException | Instead | None:
    """The answer to slices that go backwards: MindSpore begins behind the last element, and ends before the first.
    `shown`: how many coordinates of a place outside are told; 0: as many as there are indices."""
    items = [i for i in items if i.kind != "none"]
    if any(i.kind == "ellipsis" for i in items) or len(items) > len(shape):
        return None
    places = [_places(i, n) for i, n in zip(items, shape, strict=False)]
    if any(p is None for p in places):
        return None
    grid = np.meshgrid(*(p for p in places if p is not None), indexing="ij")
    rows = np.stack([g.ravel() for g in grid], axis=1) if grid else np.zeros((0, 0), int)
    flat = rows @ np.cumprod([1, *reversed(shape[1 : len(items)])])[::-1] if len(rows) else np.zeros(0, int)
    outside = np.flatnonzero(flat >= int(np.prod(shape[: len(items)])))
    if len(outside):
        row = [*rows[outside[0]].tolist(), *[0] * len(shape)]
        return _outside(row[: shown or len(items)])
    kept = tuple(len(p) for p, i in zip(places, items, strict=True) if p is not None and i.kind == "slice")
    found = np.unravel_index(flat, shape[: len(items)])
    return Instead(_put_in(tuple(tuple(f.tolist()) for f in found), kept))


def _outside(row: Sequence[int]) -> ValueError:
    return ValueError(
        "For 'TensorScatterUpdate', indices out of range for input_x. "
        f"Please check the indices which is {shape_text(tuple(row))}"
    )


def _places(x: Operand, size: int) -> list[int] | None:
    """The places along an axis that an index means; None if they are not known."""
    if x.kind == "int":
        return [x.value % size] if type(x.value) is int and -size <= x.value < size else None
    ends = [i.value for i in x.items]
    if not all(e is None or type(e) is int for e in ends):
        return None
    start, stop, step = ends
    if step is None or step > 0:
        return list(range(*slice(start, stop, step).indices(size)))
    start = size if start is None else min(start + size if start < 0 else start, size)
    stop = 0 if stop is None else max(stop + size if stop < 0 else stop, 0)
    return list(range(start, stop, step))


@cache
def _put_in(places: tuple[tuple[int, ...], ...], kept: tuple[int, ...]) -> Callable[..., Any]:
    """What writes at places, in the shape of the slices that lead there."""
    arrays = [list(p) for p in places]

    def put_there(x: Any, key: Any, value: Any) -> None:
        rest = x.shape[len(arrays) :]
        made = value.astype(x.dtype) if isinstance(value, AnyTensor) else Tensor(value, x.dtype)
        x[tuple(arrays)] = ops.broadcast_to(made, (*kept, *rest)).reshape((-1, *rest))

    return put_there
