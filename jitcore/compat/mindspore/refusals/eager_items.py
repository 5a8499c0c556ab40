"""What MindSpore says, line by line, to items of Tensors: `index 5 is out of bounds for dimension with size 2`."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import Any, Final

import numpy as np

from jitcore.compat.mindspore.refusals import tensors
from jitcore.compat.mindspore.refusals.naming import dtype_name, native_class, shape_text
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

_KEYS: Final = (int, slice, type(None), type(...), Tensor, list, tuple)
_VALUES: Final = (int, float, Tensor, list, tuple)
_TYPE_IDS: Final = {"f16": 42, "f32": 43, "f64": 44}


def got(x: Tensor, key: Any) -> BaseException | None:
    """The answer to `x[key]`."""
    return _key(x, key, put=False)


def put(x: Tensor, key: Any, value: Any) -> BaseException | None:
    """The answer to `x[key] = value`."""
    return untaken(value) or _key(x, key, put=True) or _value(x, key, value)


def untaken(value: Any) -> BaseException | None:
    """The answer to a value that is neither a number nor made of numbers."""
    if value is None or isinstance(value, np.ndarray | slice | type(...)):
        return TypeError(f"only support numbers, Tensor, tuple, list as value, but got {value} with type {type(value)}")
    return None if isinstance(value, _VALUES) else unsupported(value)


def unusable(x: Tensor, key: Any, *, put: bool = False) -> BaseException | None:
    """The answer to a key that only NumPy's arrays take."""
    if key is False and not put:
        return IndexError("When tensor is indexed by a bool object, the value only support 'True'.")
    if isinstance(key, list) and not key and x.ndim:
        return IndexError("When tensor is indexed by list, the list can't be empty.")
    if isinstance(key, slice):
        return _slice(key) if x.ndim else None
    return _key(x, key, put=put) if isinstance(key, np.ndarray | np.generic) else None


def unsupported(value: Any) -> IndexError:
    """The answer to what is neither a key nor a value of Tensors."""
    shown = str(value) if isinstance(value, np.generic) else repr(value)
    shown = f"mindspore.{str(value).lower().rstrip('_')}" if isinstance(value, DType) else shown
    return IndexError(
        f"Unsupported Python object type received: {native_class(value)}. Supported types for tensor indexing are: "
        f"list, int, float, tuple, slice, ellipsis, None, array, bool, or Tensor. Received value: {shown}"
    )


def _key(x: Tensor, key: Any, *, put: bool) -> BaseException | None:
    if isinstance(key, float | np.ndarray):
        return unkeyed(key)
    if not isinstance(key, _KEYS):
        return unsupported(key)
    if isinstance(key, slice) and (odd := _slice(key)) is not None:
        return odd
    if not x.ndim and isinstance(key, int | slice | list | Tensor) and not isinstance(key, bool):
        if put or isinstance(key, int):
            return TypeError("Cannot iterate over a scalar tensor.")
        most = 7 if isinstance(key, Tensor) else 8
        return ValueError(f"The input data's dim must in the range of [1, {most}], but got '0'.")
    if isinstance(key, tuple):
        return _several(x, key, put=put)
    if isinstance(key, Tensor):
        return _by_tensor(x, key, put=put)
    if put and type(key) is int and not -len(x) <= key < len(x):
        return IndexError(f"Index {key} is out of bounds for axis 0 with size {len(x)}")
    return _along(x, 0, key)


def unkeyed(key: float | np.ndarray) -> IndexError:
    """The answer to a key that is a float or an array of NumPy's."""
    return IndexError(
        "Only support integers, slices(`:`), ellipsis(`...`), None, bool, tensor, int, list and tuple as index, but "
        f"got {key} with type {type(key)}"
    )


def _along(x: Tensor, axis: int, key: Any) -> BaseException | None:
    """The answer to an index along an axis."""
    size = x.shape[axis]
    if type(key) is int and not -size <= key < size:
        return IndexError(f"index {key} is out of bounds for dimension with size {size}")
    if isinstance(key, slice):
        return _slice(key)
    return _by_list(size, key) if isinstance(key, list) else None


def _slice(key: slice) -> BaseException | None:
    if any(not isinstance(n, int | Tensor | None) for n in (key.start, key.stop)):
        return RuntimeError("Slice index type must be int, tensor or none.")
    if any(isinstance(n, Tensor) and n.size != 1 for n in (key.start, key.stop)):
        return TypeError("Only integer scalar tensors can be converted to a scalar index")
    if isinstance(key.step, float | str) or (isinstance(key.step, int) and key.step == 0):
        return ValueError("For 'StridedSlice', 'strides' cannot contain 0")
    return None


def _by_list(size: int, key: Sequence[Any]) -> BaseException | None:
    for item in key:
        if (odd := _odd(item)) is not None:
            return odd
    if key and all(isinstance(i, bool) for i in key):
        if len(key) != size:
            return IndexError(f"dimension is {size} but corresponding boolean dimension is {len(key)}")
        return None
    far = next((i for i in key if type(i) is int and not -size <= i < size), None)
    return None if far is None else IndexError(f"index {far} out of bounds for dimension with size {size}")


def _odd(item: Any) -> BaseException | None:
    """The answer to an item of a tuple or list of indices that is none."""
    if isinstance(item, float):
        return TypeError(
            "For tuple index, the types only support 'Slice', 'Ellipsis', 'None', 'Tensor', 'int', 'List', 'Tuple', "
            f"'bool', but got type 'Float', value: {item}"
        )
    return None if isinstance(item, _KEYS) else unsupported(item)


def _several(x: Tensor, key: tuple[Any, ...], *, put: bool) -> BaseException | None:
    """The answer to a tuple of indices, each along an axis."""
    given = [k for k in key if k is not None and k is not ... and not isinstance(k, bool)]
    taken = sum(k.ndim if isinstance(k, Tensor) and k.dtype.kind == "b" else 1 for k in given)
    if taken > x.ndim:
        return _too_many(x, given, taken, put=put)
    if sum(k is ... for k in key) > 1:
        return IndexError("An index can only have a single ellipsis('...')")
    axis, tensors_before = 0, False
    for item in key:
        if item is ...:
            axis += x.ndim - taken
        elif item is not None and not isinstance(item, bool):
            odd = _odd(item) or _inexact(item, put=put) or _along(x, axis, item)
            if odd is not None:
                return _behind_a_tensor(odd, item, x.shape[axis]) if tensors_before else odd
            tensors_before = tensors_before or isinstance(item, Tensor)
            axis += item.ndim if isinstance(item, Tensor) and item.dtype.kind == "b" else 1
    odd = _unlike([np.shape(k) for k in given if isinstance(k, Tensor | list)], put=put)
    return odd or (None if put else _ungathered(x, key))


def _too_many(x: Tensor, given: Sequence[Any], taken: int, *, put: bool) -> BaseException:
    """The answer to more indices than a Tensor has axes; masks are told apart."""
    if not any(isinstance(k, Tensor) and k.dtype.kind == "b" for k in given):
        return IndexError(f"too many indices for tensor of dimension{x.ndim}")
    if put:
        return RuntimeError(f"Failure info [Index{x.ndim}out of data dims{x.ndim}].")
    return IndexError(
        f"The dim of index cannot be greater than indexed data, but got dim of index:{taken}, dim of data:{x.ndim}"
    )


def _behind_a_tensor(odd: BaseException, item: Any, size: int) -> BaseException:
    return IndexError(f"Index {item} is out of bounds for dimension with size {size}") if type(item) is int else odd


def _ungathered(x: Tensor, key: tuple[Any, ...]) -> RuntimeError | None:
    """The answer to Tensors among indices that are out of range: the first place that is none, and which it is."""
    arrays = [k for k in key if isinstance(k, Tensor)]
    plain = all(
        isinstance(k, int | slice | type(...)) and not isinstance(k, bool) for k in key if not isinstance(k, Tensor)
    )
    if not arrays or not plain or any(a.dtype.kind not in "iu" or (a.size and a.min() < 0) for a in arrays):
        return None
    most = max(int(a.max()) for a in arrays if a.size) if any(a.size for a in arrays) else 0
    place = next((k for k, item in enumerate(key) if item is ...), len(key))
    filled = [*key[:place], *[slice(None)] * (x.ndim - len(key) + (place < len(key))), *key[place + 1 :]]
    cut = [slice(*k.indices(n)) if isinstance(k, slice) else k for k, n in zip(filled, x.shape, strict=False)]
    resolved = tuple(k.asnumpy() if isinstance(k, Tensor) else k for k in cut)
    wide = tuple(max(n, most + 1) for n in x.shape)
    told = wide[: len(filled) if place < len(key) else len(key)]
    rows = [
        np.broadcast_to(np.arange(n).reshape(-1, *(1,) * (x.ndim - 1 - d)), wide)[resolved].ravel()
        for d, n in enumerate(told)
    ]
    outside = np.flatnonzero(np.any([r >= n for r, n in zip(rows, x.shape, strict=False)], axis=0))
    if not len(outside):
        return None
    coordinates = shape_text(tuple(int(r[outside[0]]) for r in rows))
    return RuntimeError(
        f"For 'GatherNd', the indices[{outside[0]}]: {coordinates}, "
        f"does not index into input_shape: {shape_text(x.shape)}."
    )


def _inexact(item: Any, *, put: bool) -> IndexError | None:
    """The answer to a Tensor of floats among indices."""
    if not isinstance(item, Tensor) or item.dtype.kind in "biu":
        return None
    name = dtype_name(item.dtype)
    if put:
        return IndexError(f"For 'tensor setitem', the index tensor data type '{name}' is not supported.")
    return IndexError(f"The tensor element in tuple index must be int or bool type, but got {name}")


def _unlike(found: Sequence[tuple[int, ...]], *, put: bool) -> ValueError | None:
    """The answer to arrays of indices that do not go together."""
    for first, second in pairwise(found):
        if len(first) == len(second) == 1 and first != second and 1 not in (*first, *second):
            return ValueError(
                f"For 'tensor {'set' if put else 'get'}item', x.shape and y.shape need to broadcast. The value of "
                "x.shape[0] or y.shape[0] must be 1 or -1 when they are not the same, but got x.shape = "
                f"{shape_text(first)} and y.shape = {shape_text(second)}"
            )
    return None


def _by_tensor(x: Tensor, key: Tensor, *, put: bool) -> BaseException | None:
    kind = key.dtype.kind
    if kind == "b":
        return _by_mask(x, key, put=put)
    if kind not in "iu":
        if put:
            return IndexError(
                f"For tensor set item, the index tensor data type{_TYPE_IDS.get(repr(key.dtype), '')} is not supported."
            )
        return IndexError(f"The tensor index must be int or bool type, but got {key}")
    size = len(x)
    far = next((int(i) for i in key.asnumpy().flat if not -size <= i < size), None)
    if far is None:
        return None
    if put:
        return _unscattered(far, size)
    return RuntimeError(
        f"For 'Gather', the 'input_indices' should be in the range [0, {size}), but got "
        f"{far if far > 0 else far + size}, error_code[58]"
    )


def _unscattered(far: int, size: int) -> BaseException:
    """The answer to an index in a Tensor at which something is written."""
    if far < 0:
        return RuntimeError(f"The int value({far + size}) is less than 0.")
    return ValueError(
        "For 'TensorScatterUpdate', indices out of range for input_x. "
        f"Please check the indices which is {shape_text((far,))}"
    )


def _by_mask(x: Tensor, key: Tensor, *, put: bool) -> BaseException | None:
    if put:
        padded = (*key.shape, *(1,) * (x.ndim - key.ndim))
        if key.ndim > x.ndim or key.shape == x.shape[: key.ndim]:
            return None
        one, other = (f"({','.join(map(str, s))}{',' * (len(s) == 1)})" for s in (padded, x.shape))
        return ValueError(
            f"operands could not be broadcast together with remapped shapes [original->remapped]: {one}  "
            f"and requested shape {other}"
        )
    if key.ndim > x.ndim:
        return IndexError(
            "The dim of index cannot be greater than indexed data, "
            f"but got dim of index:{key.ndim}, dim of data:{x.ndim}"
        )
    differing = [k for k, (n, m) in enumerate(zip(key.shape, x.shape, strict=False)) if n != m]
    if not differing:
        return None
    return ValueError(
        f"The shape of index {shape_text(key.shape)}does not match the shape "
        f"of the indexed data {shape_text(x.shape)} at dim index{differing[0]}"
    )


def _value(x: Tensor, key: Any, value: Any) -> BaseException | None:
    """The answer to a value whose shape is not that of what it is written to."""
    target = _target(x, key)
    if isinstance(value, list | tuple):
        if target == () and isinstance(key, tuple):
            return ValueError("Input array must have the same size across all dimensions.")
        if (odd := unfit(value)) is not None:
            return odd
    return unbroadcast(np.shape(value), target, number=not isinstance(value, Tensor))


def unbroadcast(shape: tuple[int, ...], target: tuple[int, ...], *, number: bool) -> ValueError:
    """The answer to a value, a Tensor or made of numbers, that does not broadcast to the shape of what it is written
    to."""
    if len(shape) > len(target):
        if not target and not number:
            return ValueError(
                "For SetItem, the shape of right value must be () or (1, ) when shape of left value is 0, but got"
                f"{shape_text(shape)}"
            )
        return ValueError(
            "For primitive [BroadcastTo]: input's rank should be less equal to the number of proposed_shape, but got "
            f"{len(shape)} and {len(target)}"
        )
    one, other = (f"({', '.join(map(str, s))})" for s in (shape, target))
    return ValueError(
        "For 'BroadcastTo', in order to broadcast, each dimension pair must be equal or input dimension is 1 or target "
        f"dimension is -1. But got x_shape: {one}, target shape: {other}."
    )


def unfit(value: Sequence[Any]) -> BaseException | None:
    """The answer to a sequence of which no Tensor is made."""
    first = value[0] if value else 0
    if first is None or isinstance(first, dict):
        return RuntimeError("Cannot construct Tensor because of unsupported data type: 0.")
    if value and all(isinstance(v, str) for v in value):
        return tensors.unsupported(tuple(value))
    odd = next((v for v in value if v is None or isinstance(v, str | dict)), 0)
    if odd is None or isinstance(odd, str | dict):
        return TypeError(f"Input data must be `int`, `float`, `bool`, `list` or `tuple`, but got {odd}")
    shapes = [_shape(v) for v in value]
    unlike = next((s for s in shapes if s != shapes[0]), None)
    if unlike is None:
        return None
    if len(unlike) != len(shapes[0]):
        return ValueError("All input shape size must be the same!")
    return ValueError(f"All input shape must be the same! {shape_text(unlike)} And {shape_text(shapes[0])}")


def _shape(value: Any) -> tuple[int, ...]:
    if isinstance(value, list | tuple):
        return (len(value), *(_shape(value[0]) if value else ()))
    return tuple(np.shape(value))


def _target(x: Tensor, key: Any) -> tuple[int, ...]:
    """The shape that a value is broadcast to: new axes do not count, and Tensors and lists without slices leave one of
    one."""
    keys = [k for k in (key if isinstance(key, tuple) else (key,)) if k is not None and k is not True]
    target = np.shape(x.asnumpy()[tuple(k.asnumpy() if isinstance(k, Tensor) else k for k in keys)])
    alone = len(keys) == 1 and not (isinstance(keys[0], Tensor) and keys[0].ndim == 0)
    picked = any(isinstance(k, Tensor | list) for k in keys) and not any(isinstance(k, slice | type(...)) for k in keys)
    return (1, *target) if picked and not alone else target
