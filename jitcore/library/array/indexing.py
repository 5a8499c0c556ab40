"""Library functions that index: items and item assignment with NumPy's rules, gathering and scattering.

A key is split into its basic part (ints, slices, new axes: one view) and its advanced part (integer and bool arrays),
whose axes are brought together, merged into one, and gathered from by a linear index.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.library.array.shapes import broadcast_to, ravel, unstack
from jitcore.library.core.index_modes import checked, placed, require_elements_for, wide
from jitcore.library.core.marking import finish
from jitcore.library.core.values import (
    as_array,
    category,
    dtype_of_value,
    evaluator,
    is_array,
    normal_axis,
    numbered_text,
    product_of,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.math.elementwise import assign, elements_for, number, truth
from jitcore.lookup import has_attribute
from jitcore.primitives.core.python_numbers import INT_MAX, INT_MIN
from jitcore.primitives.ops import conversions, views
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.structs import dataclass, field
from jitcore.types import Dim, Shape, bool_, broadcast_shapes, dim_max, dim_min, i64, shape_text

SliceSpec = tuple[str, Dim, Dim, Dim]


# --- slices -----------------------------------------------------------------------------------------


def slice_spec(key: slice, extent: Dim) -> SliceSpec:
    """`('s', start, step, length)` of a slice of an axis, as `slice.indices` would have it."""
    if _is_of_run(key.step):
        return _spec_of_run(key, extent)
    step = 1 if key.step is None else static_int(key.step, "the step of a slice")
    if step == 0:
        raise ValueError("slice step cannot be zero")
    if step > 0:
        start = _bound(key.start, extent, 0, 0, extent)
        stop = _bound(key.stop, extent, extent, 0, extent)
        length = (stop + start * -1 + (step - 1)) // step
    else:
        start = _bound(key.start, extent, extent + -1, -1, extent + -1)
        stop = _bound(key.stop, extent, -1, -1, extent + -1)
        length = (start + stop * -1 + (-step - 1)) // -step
    whole = step == 1 and key.start is None and key.stop is None
    return ("s", start, step, extent if whole else _clamp(length))


def _is_of_run(step: Any) -> bool:
    """Whether a step is an int that only the run knows."""
    if category(step) == "int":
        return not has_attribute(step, "__index__") and not isinstance(step.dim, int)
    return is_array(step) and not rank_of(step) and dtype_of_value(step).kind in "iu" and _is_of_run(number(step))


def _spec_of_run(key: slice, extent: Dim) -> SliceSpec:
    """The same where the step, and so the direction, is known at run time only.

    A step as long as the axis takes one element, as longer ones do; its dimension is counted from minus that, so as not
    to be negative.
    """
    most = dim_max(extent, 1)
    n, bound, step = _rank0(extent), _rank0(most), _rank0_number(key.step)
    nonzero_step = conversions.to_scalar(e.not_equal(step, 0))
    conversions.check(nonzero_step, exception="ValueError", message="slice step cannot be zero")
    step = e.maximum(e.minimum(step, bound), e.neg(bound))
    up = e.greater(step, 0)
    low, high = e.select(up, e.mul(n, 0), e.sub(e.mul(n, 0), 1)), e.select(up, n, e.sub(n, 1))
    start = e.select(up, low, high) if key.start is None else _clamped(key.start, n, low, high)
    stop = e.select(up, high, low) if key.stop is None else _clamped(key.stop, n, low, high)
    distance, size = e.select(up, e.sub(stop, start), e.sub(start, stop)), e.abs(step)
    length = e.maximum(e.floordiv(e.sub(e.add(distance, size), 1), size), 0)
    first, shifted, count = (
        evaluator().dim(conversions.to_scalar(x)) for x in (e.add(start, 1), e.add(step, bound), length)
    )
    return ("s", first + -1, shifted + most * -1, count)


def _clamped(value: Any, n: Any, low: Any, high: Any) -> Any:
    """One end of a slice as a position between `low` and `high`, all of them arrays without axes."""
    position = _rank0_number(value)
    position = e.select(e.less(position, 0), e.add(position, n), position)
    return e.maximum(e.minimum(position, high), low)


def _rank0_number(value: Any) -> Any:
    """An end or the step of a slice as an array without axes."""
    if is_array(value):
        value = number(value)
    if has_attribute(value, "__index__"):
        value = min(max(value.__index__(), INT_MIN), INT_MAX)
    if category(value) not in ("int", "bool"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return conversions.from_scalar(value, dtype=i64)


def _clamp(length: Dim) -> Dim:
    return dim_max(length, 0)


def _bound(value: Any, extent: Dim, default: Dim, low: Dim, high: Dim) -> Dim:
    """One end of a slice as a position between `low` and `high`."""
    if value is None:
        return default
    kind = category(value)
    if kind == "npscalar" or (kind == "tensor" and rank_of(value) == 0):
        value = number(value)
    if type(value) in (int, bool) or has_attribute(value, "__index__"):
        position = int(value)
        return dim_min(position, high) if position >= 0 else dim_max(extent + position, low)
    if category(value) not in ("int", "bool"):
        raise TypeError("slice indices must be integers or None or have an __index__ method")
    return _runtime_bound(value, extent, low, high)


def _runtime_bound(value: Any, extent: Dim, low: Dim, high: Dim) -> Dim:
    """The same for a number known at run time only; counted from 0 even if `low` is -1."""
    n, lo, hi = (_rank0(d) for d in (extent, low, high))
    position = conversions.from_scalar(value, dtype=i64)
    position = e.select(e.less(position, 0), e.add(position, n), position)
    position = e.maximum(e.minimum(position, hi), lo)
    shifted = evaluator().dim(conversions.to_scalar(e.add(position, 1)))
    evaluator().note_source(shifted, value)
    return shifted + -1


def _rank0(dim: Dim) -> Any:
    if isinstance(dim, int):
        return conversions.from_scalar(dim, dtype=i64)
    return conversions.from_scalar(evaluator().number(dim), dtype=i64)


# --- keys -------------------------------------------------------------------------------------------


@dataclass(slots=True)
class Key:
    """A key taken apart: `spec` and `values` for `view_index`, the axes of that view to drop (ints known now), and the
    advanced indices by axis of the view that is left."""

    spec: list[Any] = field(default_factory=list[Any])
    values: list[Any] = field(default_factory=list[Any])
    dropped: list[int] = field(default_factory=list[int])
    advanced: list[tuple[int, Any]] = field(default_factory=list[tuple[int, Any]])
    separated: bool = False
    """Whether something stands between two advanced indices: their axes then come first in the result."""


def _items(key: Any) -> list[Any]:
    if isinstance(key, tuple):
        return list(cast("Sequence[Any]", key))
    return [key]


def _normal_item(item: Any) -> Any:
    """An int, slice, None, Ellipsis, run-time int, or an array of ints or bools."""
    if item is None or item is Ellipsis or isinstance(item, slice):
        return cast(Any, item)
    given = item
    if isinstance(item, list | tuple):
        item = evaluator().constant(item, None)
        if 0 in shape_of(item):
            return e.cast(item, dtype=i64)
    kind = category(item)
    if kind == "int" or isinstance(item, bool):
        return item
    if kind == "bool":
        return conversions.from_scalar(item, dtype=bool_)
    if kind is None and has_attribute(type(item), "__index__"):
        return item.__index__()
    if kind == "npscalar" and dtype_of_value(item).is_integer:
        return number(item)
    if kind == "ndarray" and item is given and not (dtype_of_value(item).is_integer or dtype_of_value(item) is bool_):
        raise IndexError("arrays used as indices must be of integer (or boolean) type")
    if kind in ("tensor", "ndarray", "npscalar") and (dtype_of_value(item).is_integer or dtype_of_value(item) is bool_):
        return item
    raise IndexError(
        "only integers, slices (`:`), ellipsis (`...`), numpy.newaxis (`None`) and integer "
        "or boolean arrays are valid indices"
    )


def _consumed(item: Any) -> int:
    """How many axes of the array an item of a key stands for."""
    if item is None:
        return 0
    if _is_mask(item):
        return rank_of(item)
    return 1


def _is_mask(item: Any) -> bool:
    if isinstance(item, bool):
        return True
    return is_array(item) and dtype_of_value(item) is bool_


def parse_key(x: Any, key: Any, written: bool = False) -> Key:
    """Take a key apart, of what is read or written. Raises IndexError as NumPy does."""
    shape = shape_of(x)
    items = [_normal_item(i) for i in _items(key)]
    if sum(i is Ellipsis for i in items) > 1:
        raise IndexError("an index can only have a single ellipsis ('...')")
    used = sum(_consumed(i) for i in items if i is not Ellipsis)
    if used > len(shape):
        raise IndexError(f"too many indices for array: array is {len(shape)}-dimensional, but {used} were indexed")
    if not any(i is Ellipsis for i in items):
        items.append(Ellipsis)
    place = next(k for k, i in enumerate(items) if i is Ellipsis)
    items[place : place + 1] = [slice(None)] * (len(shape) - used)
    return _assemble(items, shape, any(is_array(i) or isinstance(i, bool) for i in items), written)


def _assemble(items: list[Any], shape: Shape, has_arrays: bool, written: bool) -> Key:
    out = Key()
    axis = 0
    last_advanced: int | None = None
    for place, item in enumerate(items):
        if item is None:
            out.spec.append(("n",))
        elif isinstance(item, slice):
            out.spec.append(slice_spec(cast("slice[Any, Any, Any]", item), shape[axis]))
            axis += 1
        elif has_arrays:
            if last_advanced is not None and last_advanced != place - 1:
                out.separated = True
            last_advanced = place
            if _is_mask(item) and rank_of(item) == 0:  # chooses all or nothing of a new axis
                chosen = np.zeros(int(item), np.int64) if isinstance(item, bool) else None
                index = nonzero(s.reshape(item, shape=(1,)))[0] if chosen is None else evaluator().constant(chosen, i64)
                out.advanced.append((_result_axis(out), index))
                out.spec.append(("n",))
                continue
            for index in _index_arrays(item, shape, axis, written):
                out.advanced.append((_result_axis(out), index))
                out.spec.append(("s", 0, 1, shape[axis]))
                axis += 1
        else:
            _add_int(out, item, shape[axis], axis)
            axis += 1
    return out


def _result_axis(key: Key) -> int:
    return sum(part[0] != "i" for part in key.spec) - len(key.dropped)


def _add_int(key: Key, item: Any, extent: Dim, axis: int) -> None:
    if isinstance(item, int) and isinstance(extent, int):
        if not INT_MIN <= item <= INT_MAX:
            np.empty(1)[item]  # NumPy's own exception
        if not -extent <= item < extent:
            raise IndexError(f"index {item} is out of bounds for axis {axis} with size {extent}")
        key.dropped.append(sum(part[0] != "i" for part in key.spec))
        key.spec.append(("s", item % extent, 1, 1))
    else:
        key.spec.append(("i", len(key.values)))
        key.values.append(conversions.check_index(item, extent=extent, axis=axis))


def _index_arrays(item: Any, shape: Shape, axis: int, written: bool) -> list[Any]:
    """Normalised index arrays for the axes an advanced item stands for."""
    if not _is_mask(item):
        return [checked(as_array(item, None if is_array(item) else i64), shape[axis], axis, written)]
    mask = as_array(item)
    for k, (have, want) in enumerate(zip(shape_of(mask), shape[axis:], strict=False)):
        _require_mask(have, want, axis + k)
    return list(nonzero(mask))


def _require_mask(have: Dim, want: Dim, axis: int) -> None:
    """Raise IndexError unless a mask has the extent of the axis it is for."""
    message = (
        f"boolean index did not match indexed array along axis {axis}; size of axis is {{1}} but size of corresponding "
        "boolean axis is {0}"
    )
    require_equal(have, want, message, "IndexError")


def nonzero(x: Any) -> tuple[Any, ...]:
    """The indices of the true elements in row-major order: one int64 array for each axis."""
    mask = truth(x)
    shape = shape_of(mask)
    if not shape:
        raise ValueError("Calling nonzero on 0d arrays is not allowed. Use np.atleast_1d(scalar).nonzero() instead.")
    size = product_of(shape)
    flat = s.reshape(mask, shape=(size,)) if len(shape) > 1 else mask
    total = r.reduce_sum(e.cast(flat, dtype=i64), axis=(0,), keepdims=False)
    places = ix.true_places(flat, count=evaluator().dim(conversions.to_scalar(total)))
    found: list[Any] = []
    for extent in reversed(shape[1:]):
        found.insert(0, e.mod(places, _rank0(extent)))
        places = e.floordiv(places, _rank0(extent))
    return (places, *found)


# --- reading and writing ----------------------------------------------------------------------------


def basic_view(x: Any, key: Key) -> Any:
    """The view that the basic part of a key means."""
    whole = all(part[:3] == ("s", 0, 1) and part[3] is n for part, n in zip(key.spec, shape_of(x), strict=False))
    view = x
    if not whole or len(key.spec) != rank_of(x):
        view = views.view_index(x, *key.values, spec=tuple(key.spec))
    return s.squeeze(view, axis=tuple(key.dropped)) if key.dropped else view


@dataclass(frozen=True, slots=True)
class Merged:
    """A view with the axes of its advanced indices merged into axis `axis`, and the linear index into that axis.
    `permutation` and `shape` are how it was made."""

    value: Any
    index: Any
    axis: int
    permutation: tuple[int, ...]
    shape: Shape


def _merge(view: Any, key: Key) -> Merged:
    axes = [axis for axis, _ in key.advanced]
    rank = rank_of(view)
    rest = [k for k in range(rank) if k not in axes]
    at = 0 if key.separated else axes[0]
    permutation = tuple(rest[:at] + axes + rest[at:])
    turned = view if permutation == tuple(range(rank)) else s.transpose(view, permutation=permutation)
    shape = shape_of(turned)
    index = key.advanced[0][1]
    extent = shape[at]
    _require_broadcast([index for _, index in key.advanced])
    for offset, (_, more) in enumerate(key.advanced[1:], at + 1):
        index = e.add(e.mul(index, _rank0(shape[offset])), more)
        extent = extent * shape[offset]
    merged = (*shape[:at], extent, *shape[at + len(axes) :])
    value = s.reshape(turned, shape=merged) if len(axes) > 1 else turned
    return Merged(value, index, at, permutation, shape)


def _require_broadcast(indices: Sequence[Any]) -> None:
    """Raise IndexError unless index arrays broadcast."""
    shapes = [shape_of(index) for index in indices]
    text = " ".join(map(shape_text, shapes))
    message = f"shape mismatch: indexing arrays could not be broadcast together with shapes {text} "
    try:
        _, pairs = broadcast_shapes(*shapes)
    except ValueError:
        raise IndexError(message) from None
    for a, b in pairs:
        numbered = " ".join(numbered_text(shape, a, b) for shape in shapes)
        require_equal(a, b, message.replace(text, numbered), "IndexError")


def getitem(x: Any, key: Any) -> Any:
    """`x[key]`: a view if the key is basic, else a new array."""
    if category(x) == "npscalar" and not _indexes_scalars(key):
        raise IndexError("invalid index to scalar variable.")
    parsed = parse_key(x, key)
    view = basic_view(x, parsed)
    if not parsed.advanced:
        return view
    merged = _merge(evaluator().contents(view), parsed)
    return ix.gather(merged.value, merged.index, axis=merged.axis)


def _indexes_scalars(key: Any) -> bool:
    """Whether a key can index a NumPy scalar: one with new axes, ellipses and truth values only."""
    return all(i is None or i is Ellipsis or category(i) == "bool" or _is_mask(i) for i in _items(key))


def read(x: Any, key: Any) -> Any:
    """`x[key]` as the operator gives it: an element is a NumPy scalar, but an array of rank 0 if the key has an
    ellipsis."""
    whole = any(i is Ellipsis for i in _items(key))
    return finish(getitem(x, key), "tensor" if category(x) == "tensor" else "array" if whole else "scalar")


def setitem(x: Any, key: Any, value: Any) -> None:
    """`x[key] = value`, in place."""
    if _is_mask(key) and is_array(key) and rank_of(key) == rank_of(x) and not _has_extents(value):
        for k, (have, want) in enumerate(zip(shape_of(key), shape_of(x), strict=True)):
            _require_mask(have, want, k)
        evaluator().write(x, e.select(key, elements_for(value, x), x))
        return
    parsed = parse_key(x, key, True)
    view = basic_view(x, parsed)
    if not parsed.advanced:
        assign(view, value)
        return
    merged = _merge(evaluator().contents(view), parsed)
    updates = elements_for(value, x)
    shape = shape_of(merged.value)
    wanted = (*shape[: merged.axis], *shape_of(merged.index), *shape[merged.axis + 1 :])
    if shape_of(updates) != wanted:
        if _is_mask(key) and rank_of(key) == rank_of(x):
            _require_values(updates, wanted[0])
        updates = spread(updates, wanted)
    changed = ix.scatter_set(merged.value, merged.index, updates, axis=merged.axis)
    changed = s.reshape(changed, shape=merged.shape)
    if merged.permutation != tuple(range(len(merged.permutation))):
        back = tuple(int(k) for k in np.argsort(merged.permutation))
        changed = s.transpose(changed, permutation=back)
    evaluator().write(view, changed)


def _has_extents(value: Any) -> bool:
    return isinstance(value, list | tuple) or (is_array(value) and rank_of(value) > 0)


def spread(updates: Any, wanted: Shape) -> Any:
    """What is assigned to places of the shape `wanted`: broadcast to it. ValueError if it does not fit."""
    given = shape_of(updates)

    def message(a: Dim, b: Dim) -> str:
        shapes = [numbered_text(shape, a, b) for shape in (shape_of(updates), wanted)]
        return "shape mismatch: value array of shape {} could not be broadcast to indexing result of shape {}".format(
            *shapes
        )

    while len(given) > len(wanted) and given[0] == 1:
        updates = s.squeeze(updates, axis=(0,))
        given = given[1:]
    if len(given) > len(wanted):
        raise ValueError(message(0, 0))
    for have, want in zip(given, wanted[len(wanted) - len(given) :], strict=True):
        if have != 1:
            require_equal(have, want, message(have, want))
    return broadcast_to(updates, wanted)


def _require_values(updates: Any, count: Dim) -> None:
    """Raise what NumPy raises unless the values suit a mask of all of an array, which has `count` true elements."""
    rank = rank_of(updates)
    if rank > 1:
        raise TypeError(
            f"NumPy boolean array indexing assignment requires a 0 or 1-dimensional input, input has {rank} dimensions"
        )
    if rank == 1 and shape_of(updates)[0] != 1:
        message = (
            "NumPy boolean array indexing assignment cannot assign {0} input values to the {1} output values where the "
            "mask is true"
        )
        require_equal(shape_of(updates)[0], count, message)


# --- functions --------------------------------------------------------------------------------------


def take(x: Any, indices: Any, axis: Any = None, mode: Any = "raise") -> Any:
    """The elements (sub-arrays along `axis`) at the given indices; those outside are wrapped or clipped if `mode` says
    so."""
    a = as_array(x)
    if axis is None:
        a, axis = ravel(a), 0
    k = normal_axis(axis, rank_of(a))
    index = as_array(indices)
    _require_safe_indices(index)
    others = (*shape_of(a)[:k], *shape_of(a)[k + 1 :])
    require_elements_for((*others, *shape_of(index)), shape_of(a), _NOTHING_TO_TAKE)
    if 0 in others:  # nothing is read, and NumPy does not look at the indices
        return ix.gather(a, e.mul(wide(index), 0), axis=k)
    return ix.gather(a, placed(index, shape_of(a)[k], k, mode, _NOTHING_TO_TAKE), axis=k)


_NOTHING_TO_TAKE: Final = "cannot do a non-empty take from an empty axes."


def _require_safe_indices(index: Any) -> None:
    """Raise TypeError unless indices are ints, or none."""
    dtype = dtype_of_value(index)
    if not (dtype.is_integer or dtype is bool_) and 0 not in shape_of(index):
        raise TypeError(f"Cannot cast array data from {dtype.numpy!r} to dtype('int64') according to the rule 'safe'")


def take_along_axis(x: Any, indices: Any, axis: Any = -1) -> Any:
    """For each place in `indices` (of as many dimensions as x), the element of x along `axis` that it names."""
    a, index = as_array(x), as_array(indices)
    if axis is None:
        a, axis = ravel(a), 0
    k = normal_axis(axis, rank_of(a))
    if rank_of(a) != rank_of(index):
        raise ValueError("`indices` and `arr` must have the same number of dimensions")
    own, wanted = list(shape_of(a)), list(shape_of(index))
    named = [tuple(n if i == j else 1 for i in range(len(own))) if j != k else tuple(wanted) for j, n in enumerate(own)]
    text = " ".join(map(shape_text, named))
    for j, (m, n) in enumerate(zip(own, wanted, strict=True)):
        if j == k or m is n or 1 in (m, n):
            continue
        message = f"shape mismatch: indexing arrays could not be broadcast together with shapes {text} "
        require_equal(m, n, message, exception="IndexError")
    lead = [n if m == 1 else m for m, n in zip(own, wanted, strict=True)]
    a = s.broadcast_to(a, shape=tuple(own[j] if j == k else n for j, n in enumerate(lead)))
    index = s.broadcast_to(index, shape=tuple(wanted[j] if j == k else n for j, n in enumerate(lead)))
    return ix.gather_along(a, checked(index, shape_of(a)[k], k), axis=k)


def gather_nd(x: Any, indices: Any) -> Any:
    """The elements of x at the index vectors along the last axis of `indices`."""
    index = as_array(indices)
    return getitem(as_array(x), tuple(unstack(index, -1)))


def masked_fill(x: Any, mask: Any, value: Any) -> Any:
    """x with `value` where the mask is true."""
    a = as_array(x)
    return e.select(truth(mask), as_array(value, dtype_of_value(a)), a)


def item(x: Any, *index: Any) -> Any:
    """The only element (or the one at an index) as a Python number."""
    a = as_array(x)
    if index:
        key = index[0] if len(index) == 1 else index
        if len(index) == 1 and rank_of(a) != 1 and not isinstance(key, tuple):
            a = ravel(a)
        a = getitem(a, key)
    size = product_of(shape_of(a))
    require_equal(size, 1, "can only convert an array of size 1 to a Python scalar")
    return number(s.reshape(a, shape=()) if rank_of(a) else a)
