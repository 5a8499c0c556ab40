"""NumPy's functions and methods that take an `order`, a shape or a layout of memory beside an array, and flat
iterators."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.array import arrangement, creation, in_place, insertions, places, shapes
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import as_array, category, dtype_of_value, evaluator, rank_of, shape_of
from jitcore.library.math import elementwise
from jitcore.library.statistics import quantiles, reductions
from jitcore.primitives.ops import copying
from jitcore.primitives.ops import elementwise as e

Function = Callable[..., Any]


def in_columns(order: Any, *arrays: Any) -> bool:
    """Whether an order is that of columns. 'A' and 'K' are that of rows for arrays that lie so; TypeError if that is
    not sure."""
    how = evaluator().static(order, "the order")
    if how in (None, "C", "c"):
        return False
    if how in ("F", "f"):
        return True
    if how not in ("A", "a", "K", "k"):
        raise ValueError(f"order must be one of 'C', 'F', 'A', or 'K' (got '{how}')")
    if any(rank_of(a) > 1 for a in arrays):
        raise TypeError("the order of an array's memory")
    return False


def _turned(x: Any) -> Any:
    return shapes.transpose(as_array(x))


def reshape(a: Any, /, shape: Any = None, order: Any = "C", *, copy: Any = None) -> Any:
    """`np.reshape`."""
    made = method_reshape(a, shape, order=order)
    return copying.copy(made) if evaluator().static(copy, "copy") is True else made


def method_reshape(x: Any, *shape: Any, order: Any = "C", copy: Any = None, **named: Any) -> Any:
    """`ndarray.reshape`."""
    if named:
        return shapes.reshape(x, *shape, **named)
    if evaluator().static(copy, "copy") is True:
        x = copying.copy(as_array(x))
    if not in_columns(order, as_array(x)):
        return shapes.reshape(x, *shape)
    wanted = shape[0] if len(shape) == 1 and isinstance(shape[0], tuple | list) else shape
    return _turned(shapes.reshape(_turned(x), *reversed(wanted)))


def ravel(a: Any, order: Any = "C") -> Any:
    """The elements as one axis: a view where the memory allows."""
    return shapes.ravel(_turned(a) if in_columns(order, as_array(a)) else a)


def flatten(x: Any, order: Any = "C") -> Any:
    """`ndarray.flatten`: a copy."""
    return shapes.flatten(_turned(x) if in_columns(order, as_array(x)) else x)


def copy(a: Any, order: Any = "K", subok: Any = False) -> Any:
    """A copy, in columns if the order says so."""
    del subok
    return _turned(copying.copy(_turned(a))) if str(order) in "Ff" else elementwise.copy(a)


def array(
    x: Any, dtype: Any = None, *, copy: Any = True, order: Any = "K",
    subok: Any = False, ndmin: Any = 0, like: Any = None
) -> Any:  # fmt: skip
    """`np.array`."""
    del subok
    if like is not None:
        raise TypeError("np.array like another")
    how = evaluator().static(copy, "copy")
    made = creation.array(x, dtype, bool(how))
    if str(order) in "Ff":
        made = _turned(copying.copy(_turned(made)))
    more = int(evaluator().static(ndmin, "ndmin")) - rank_of(made)
    return shapes.expand_dims(made, tuple(range(more))) if more > 0 else made


def filled(function: Function) -> Function:
    """`np.zeros` and `np.ones` with an order."""

    def make(shape: Any, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Any:
        del device
        if not _is_turned(shape, order):
            return function(shape, dtype)
        return _turned(function(tuple(reversed(shape)), dtype))

    return make


def full(shape: Any, fill_value: Any, dtype: Any = None, order: Any = "C", *, device: Any = None) -> Any:
    """`np.full`."""
    del device
    if not _is_turned(shape, order):
        return creation.full(shape, fill_value, dtype)
    return _turned(copying.copy(_turned(creation.full(shape, fill_value, dtype))))


def _is_turned(shape: Any, order: Any) -> bool:
    return str(order) in "Ff" and isinstance(shape, tuple | list) and len(shape) > 1


def alike(function: Function, make: Function) -> Function:
    """`np.zeros_like` and such with another shape."""

    def call(
        a: Any, *value: Any, dtype: Any = None, order: Any = "K", subok: Any = True,
        shape: Any = None, device: Any = None
    ) -> Any:  # fmt: skip
        del order, subok, device
        if shape is None:
            return function(a, *value, **({} if dtype is None else {"dtype": dtype}))
        rest = value if make is creation.full else ()
        wanted = dtype if dtype is not None else value[0] if value and not rest else dtype_of_value(as_array(a))
        return make(shape, *rest, dtype=wanted)

    return call


def joining(function: Function, has_axis: bool = True) -> Function:
    """`np.concatenate` and such with a dtype."""

    def call(arrays: Any, axis: Any = 0, *, dtype: Any = None, casting: Any = "same_kind") -> Any:
        own = (axis,) if has_axis else ()
        if dtype is None:
            return function(arrays, *own)
        how, wanted = evaluator().static(casting, "casting"), as_dtype(dtype)
        made = function(arrays, *own)
        if not np.can_cast(dtype_of_value(made).numpy, wanted.numpy, how):
            have, want = dtype_of_value(made).numpy, wanted.numpy
            raise TypeError(f"Cannot cast array data from {have!r} to {want!r} according to the rule '{how}'")
        return elementwise.astype(made, wanted)

    return call


# --- methods ------------------------------------------------------------------------------------------------


def astype(x: Any, dtype: Any, order: Any = "K", casting: Any = "unsafe", subok: Any = True, copy: Any = True) -> Any:
    """`ndarray.astype`."""
    del subok
    if isinstance(order, bool):  # of a Tensor: MindSpore's second parameter is whether to copy
        return elementwise.astype(x, dtype, order)
    how, wanted = evaluator().static(casting, "casting"), as_dtype(dtype)
    have = dtype_of_value(as_array(x))
    if not np.can_cast(have.numpy, wanted.numpy, how):
        want = wanted.numpy
        raise TypeError(f"Cannot cast array data from {have.numpy!r} to {want!r} according to the rule '{how}'")
    made = elementwise.astype(x, wanted, copy)
    return _turned(copying.copy(_turned(made))) if str(order) in "Ff" else made


def view(x: Any, *shape: Any) -> Any:
    """A Tensor's `view` is a reshape; an ndarray's is the array again, if no dtype says how to read its memory."""
    if category(x) == "tensor":
        return shapes.reshape(x, *shape)
    if shape and not (isinstance(shape[0], type) and issubclass(shape[0], np.ndarray)):
        wanted = as_dtype(shape[0])
        if wanted is not dtype_of_value(as_array(x)):
            raise TypeError("ndarray.view of another dtype; reshape changes the shape, astype the dtype")
    return as_array(x)


def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """`ndarray.repeat`."""
    return (shapes.repeat if category(x) == "tensor" else insertions.repeat)(x, repeats, axis)


def diagonal(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1) -> Any:
    """`ndarray.diagonal`."""
    return arrangement.diagonal(x, offset, axis1, axis2)


def trace(x: Any, offset: Any = 0, axis1: Any = 0, axis2: Any = 1, dtype: Any = None) -> Any:
    """`ndarray.trace`."""
    return arrangement.trace(x, offset, axis1, axis2, dtype)


def choose(x: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    """`ndarray.choose`."""
    return places.choose(x, choices, out, mode)


def matrix_transpose(x: Any) -> Any:
    """`ndarray.mT`."""
    if rank_of(x) < 2:
        raise ValueError("matrix transpose with ndim < 2 is undefined")
    return shapes.swapaxes(x, -1, -2)


def set_flags(x: Any, write: Any = None, align: Any = None, uic: Any = None) -> None:
    """`ndarray.setflags`, where it changes nothing."""
    del x
    if not all(evaluator().static(v, "a flag") in (None, True) for v in (write, align)) or uic is not None:
        raise TypeError("ndarray.setflags")


def length(x: Any) -> Any:
    """`len(x)`."""
    if not rank_of(x):
        raise TypeError("len() of unsized object")
    return evaluator().number(shape_of(x)[0])


def set_flat(x: Any, value: Any) -> None:
    """`x.flat = value`: its elements in order, again and again."""
    own = as_array(evaluator().contents(x))
    count = evaluator().number(reductions.count(own, tuple(range(rank_of(own)))))
    more = insertions.resize(as_array(as_array(value), dtype_of_value(own)), (count,))
    elementwise.assign(x, shapes.reshape(more, *map(evaluator().number, shape_of(own))))


def set_part(place: int) -> Function:
    """`x.real = value` or `x.imag = value`."""

    def write(x: Any, value: Any) -> None:
        own = as_array(evaluator().contents(x))
        if dtype_of_value(own).kind != "c":
            if place:
                raise TypeError("cannot set imaginary part of an array that is not complex")
            elementwise.assign(x, value)
            return
        parts = [e.real(own), e.imag(own)]
        given = as_array(as_array(value), dtype_of_value(parts[place]))
        parts[place] = shapes.broadcast_to(given, tuple(map(evaluator().number, shape_of(own))))
        elementwise.assign(x, e.make_complex(*parts))

    return write


def is_integer(x: Any) -> Any:
    """Whether a NumPy scalar is a whole number: a bool."""
    if not dtype_of_value(x).is_float:
        return True
    return elementwise.number(e.equal(e.mod(as_array(x), 1), 0))


WRITTEN_PROPERTIES: dict[str, Function] = {"flat": set_flat, "real": set_part(0), "imag": set_part(1)}
SCALAR_METHODS: dict[str, Function] = {"choose": choose, "trace": trace}
ARRAY_METHODS: dict[str, Function] = {
    "reshape": method_reshape, "ravel": ravel, "flatten": flatten, "copy": copy, "view": view, "repeat": repeat,
    "diagonal": diagonal, "argpartition": quantiles.argpartition, "compress": insertions.compress_method,
}  # fmt: skip
RAW_METHODS: dict[str, Function] = {
    "put": in_place.put, "partition": quantiles.partition_in_place, "setflags": set_flags,
    "__len__": length, "is_integer": is_integer,
}  # fmt: skip
"""By the policy of their results."""
