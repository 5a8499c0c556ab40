"""Library functions about shapes: views, joining, splitting, repeating, padding."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.core.values import (
    NUMBERS,
    as_array,
    category,
    dims,
    dtype_of_value,
    evaluator,
    normal_axes,
    normal_axis,
    product_of,
    promote,
    rank_of,
    require_equal,
    shape_of,
    static_int,
    tensor_type,
)
from jitcore.primitives.ops import conversions, copying, joining, python_ints, views
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, DimExpr, Shape, dim_max, dim_min, dim_text, i64, is_natural, shape_text


def _new_shape(args: tuple[Any, ...]) -> tuple[Any, ...]:
    """`f(2, 3)` and `f((2, 3))` mean the same."""
    if len(args) == 1 and isinstance(args[0], list | tuple):
        return tuple(cast("Sequence[Any]", args[0]))
    return args


def _resolve(x: Any, new: tuple[Any, ...]) -> Shape:
    """The extents of a reshape: one that is negative stands for what is left."""
    size = tensor_type(x).size
    new = tuple(map(evaluator().extent_or_rest, new))
    wild = [k for k, n in enumerate(new) if isinstance(n, int) and n < 0]
    if len(wild) > 1:
        raise ValueError("can only specify one unknown dimension")
    shape = [1 if k in wild else evaluator().dim(n) for k, n in enumerate(new)]
    known = product_of(shape)
    if wild:
        message = f"cannot reshape array of size {dim_text(size)} into shape {_wanted_text(shape, wild)}"
        if isinstance(known, DimExpr):
            some = python_ints.int_ne(evaluator().number(known), 0)
            conversions.check(some, exception="ValueError", message=message)
        elif known == 0:
            raise ValueError(message)
        _require_size(size, known * (size // known), shape, wild)
        shape[wild[0]] = size // known
    else:
        _require_size(size, known, shape, wild)
    return tuple(shape)


def _require_size(size: Dim, wanted: Dim, shape: Sequence[Dim], wild: Sequence[int]) -> None:
    """Raise ValueError unless a reshape keeps the number of elements."""
    message = f"cannot reshape array of size {dim_text(size)} into shape {_wanted_text(shape, wild)}"
    require_equal(size, wanted, message)


def _wanted_text(shape: Sequence[Dim], wild: Sequence[int]) -> str:
    """A shape with a -1 in it as NumPy's messages have it."""
    named = ["newaxis" if k in wild else dim_text(n) for k, n in enumerate(shape)]
    while named and named[0] == "newaxis":
        named = named[1:]
    return f"({named[0]},)" if len(shape) == 1 and named else f"({','.join(named)})"


def reshape(x: Any, *shape: Any) -> Any:
    """x with another shape, its elements in the same (row-major) order; one extent may be -1."""
    a = as_array(x)
    return s.reshape(a, shape=_resolve(a, _new_shape(shape)))


def ravel(x: Any) -> Any:
    """x as one axis: a view where its memory allows."""
    return reshape(x, -1) if rank_of(as_array(x)) != 1 else as_array(x)


def flatten(x: Any) -> Any:
    """x as one axis, copied."""
    return copying.copy(as_array(ravel(x)))


def transpose(x: Any, *axes: Any) -> Any:
    """x with its axes permuted (none given: reversed)."""
    a = as_array(x)
    rank = rank_of(a)
    given = _new_shape(axes)
    if not given or given == (None,):
        permutation = tuple(reversed(range(rank)))
    else:
        if len(given) != rank:
            raise ValueError("axes don't match array")
        permutation = tuple(normal_axis(k, rank) for k in given)
        if sorted(permutation) != list(range(rank)):
            raise ValueError("repeated axis in transpose")
    return a if permutation == tuple(range(rank)) else s.transpose(a, permutation=permutation)


def swapaxes(x: Any, axis1: Any, axis2: Any) -> Any:
    """x with two axes exchanged."""
    a = as_array(x)
    order = list(range(rank_of(a)))
    i, j = normal_axis(axis1, len(order), "axis1"), normal_axis(axis2, len(order), "axis2")
    order[i], order[j] = order[j], order[i]
    return transpose(a, order)


def moveaxis(x: Any, source: Any, destination: Any) -> Any:
    """x with some axes moved to other places, the others kept in order."""
    a = as_array(x)
    rank = rank_of(a)
    from_, to = normal_axes(source, rank, "source"), normal_axes(destination, rank, "destination")
    if len(from_) != len(to):
        raise ValueError("`source` and `destination` arguments must have the same number of elements")
    order = [k for k in range(rank) if k not in from_]
    for place, axis in sorted(zip(to, from_, strict=True)):
        order.insert(place, axis)
    return transpose(a, order)


def expand_dims(x: Any, axis: Any) -> Any:
    """x with a new axis of extent 1 at each place of `axis` (places in the result)."""
    a = as_array(x)
    count = len(cast("Sequence[Any]", axis)) if isinstance(axis, list | tuple) else 1
    return s.expand_dims(a, axis=tuple(sorted(normal_axes(axis, rank_of(a) + count)))) if count else a


def squeeze(x: Any, axis: Any = None) -> Any:
    """x without its axes of extent 1 (or those of `axis`, which must be)."""
    a = as_array(x)
    shape = shape_of(a)
    if axis is None:
        axes = tuple(k for k, n in enumerate(shape) if evaluator().is_one(n))
    else:
        axes = normal_axes(axis, len(shape)) if axis != () else ()
        for k in axes:
            require_equal(shape[k], 1, "cannot select an axis to squeeze out which has size not equal to one")
            if shape[k] != 1:  # only the run can tell
                a = slice_axis(a, k, 0, 1)
    return s.squeeze(a, axis=axes) if axes else a


def broadcast_to(x: Any, shape: Any) -> Any:
    """x repeated along new axes and axes of extent 1, without a copy."""
    a = as_array(x)
    wanted, own = dims(shape), shape_of(a)
    message = (
        f"operands could not be broadcast together with remapped shapes [original->remapped]: {shape_text(own)}  and "
        f"requested shape {shape_text(wanted)}"
    )
    if len(own) > len(wanted):
        raise ValueError("input operand has more dimensions than allowed by the axis remapping")
    for have, want in zip(own, wanted[len(wanted) - len(own) :], strict=True):
        if have != 1:
            require_equal(have, want, message)
    return s.broadcast_to(a, shape=wanted)


def atleast_1d(x: Any) -> Any:
    """x, or for a single number an array of one element."""
    a = as_array(x)
    return a if rank_of(a) else s.reshape(a, shape=(1,))


def _joined(arrays: Any, what: str = "concatenate") -> tuple[Any, ...]:
    items = tuple(cast("Sequence[Any]", arrays)) if isinstance(arrays, list | tuple) else unstack(arrays)
    if not items:
        raise ValueError(f"need at least one array to {what}")
    kinds = [category(item) for item in items]
    if "tensor" not in kinds:  # then numbers are arrays like any other
        items = tuple(as_array(v) if kind in NUMBERS else v for v, kind in zip(items, kinds, strict=True))
    return promote("concatenate", *items)


def _of_run_time_number(arrays: Any, what: str) -> Any:
    """An array whose rows are the arrays to be joined, if their number is known only at run time; else None."""
    if isinstance(arrays, list | tuple) or not rank_of(as_array(arrays)):
        return None
    whole = as_array(arrays)
    number = shape_of(whole)[0]
    if not isinstance(number, DimExpr):
        return None
    some = python_ints.int_ne(evaluator().number(number), 0)
    conversions.check(some, exception="ValueError", message=f"need at least one array to {what}")
    return whole


def _concatenated(whole: Any, axis: Any) -> Any:
    if axis is None:
        return ravel(whole)
    if rank_of(whole) < 2:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    k = normal_axis(axis, rank_of(whole) - 1)
    extents = shape_of(moveaxis(whole, 0, k))
    return s.reshape(moveaxis(whole, 0, k), shape=(*extents[:k], extents[k] * extents[k + 1], *extents[k + 2 :]))


def concatenate(arrays: Any, axis: Any = 0) -> Any:
    """Arrays one after the other along an axis (None: each flattened first)."""
    whole = _of_run_time_number(arrays, "concatenate")
    if whole is not None:
        return _concatenated(whole, axis)
    parts = _joined(arrays)
    if axis is None:
        parts, axis = tuple(ravel(p) for p in parts), 0
    rank = rank_of(parts[0])
    if rank == 0:
        raise ValueError("zero-dimensional arrays cannot be concatenated")
    k = normal_axis(axis, rank)
    for n, part in enumerate(parts):
        if rank_of(part) != rank:
            raise ValueError(
                f"all the input arrays must have same number of dimensions, but the array at index 0 has {rank} "
                f"dimension(s) and the array at index {n} has {rank_of(part)} dimension(s)"
            )
        for d, (a, b) in enumerate(zip(shape_of(parts[0]), shape_of(part), strict=True)):
            if d != k:
                require_equal(
                    a,
                    b,
                    "all the input array dimensions except for the concatenation axis must match exactly, but along "
                    f"dimension {d}, the array at index 0 has size {{0}} and the array at index {n} has size {{1}}",
                )
    return joining.concatenate(*parts, axis=k)


def stack(arrays: Any, axis: Any = 0) -> Any:
    """Arrays of one shape side by side along a new axis."""
    whole = _of_run_time_number(arrays, "stack")
    if whole is not None:
        return moveaxis(whole, 0, axis)
    parts = _joined(arrays, "stack")
    rank = rank_of(parts[0])
    for part in parts:
        if rank_of(part) != rank:
            raise ValueError("all input arrays must have the same shape")
        for a, b in zip(shape_of(parts[0]), shape_of(part), strict=True):
            require_equal(a, b, "all input arrays must have the same shape")
    k = normal_axis(axis, rank + 1)
    return joining.concatenate(*(s.expand_dims(p, axis=(k,)) for p in parts), axis=k)


def slice_axis(x: Any, axis: int, start: Dim, length: Dim, step: int = 1) -> Any:
    """The view of `length` elements from `start` along one axis. Raises IndexError if the axis does not have them
    all."""
    extent = shape_of(x)[axis]
    if length != 0:
        message = (
            f"elements from {dim_text(start)} on, {dim_text(length)} of them, of an axis with extent {dim_text(extent)}"
        )
        ends = (start, extent + -1 * (start + (length + -1) * step) + -1)
        if not isinstance(length, int):  # of no elements it does not matter where they begin
            ends = tuple(n if is_natural(n) else dim_max(n, -1 * length) for n in ends)
        _require_natural(ends, message, "IndexError")
    return _view(x, axis, start, length, step)


def slice_within(x: Any, axis: int, start: Dim, length: Dim, message: str) -> Any:
    """As `slice_axis`, of places that a caller gave: raises ValueError with the message if there are none such, or the
    length is negative."""
    _require_natural((start, length, shape_of(x)[axis] + -1 * start + -1 * length), message, "ValueError")
    return _view(x, axis, start, length, 1)


def _view(x: Any, axis: int, start: Dim, length: Dim, step: int) -> Any:
    spec = tuple(("s", start, step, length) if k == axis else ("s", 0, 1, n) for k, n in enumerate(shape_of(x)))
    return views.view_index(x, spec=spec)


def _require_natural(dims: Sequence[Dim], message: str, exception: str) -> None:
    """Raise an exception if a number is negative: now if it is known, else in the program, if its form does not
    tell."""
    for n in dims:
        if isinstance(n, int):
            if n < 0:
                raise conversions.exception_of(exception, message, ())
        elif not is_natural(n):
            conversions.check(python_ints.int_ge(evaluator().number(n), 0), exception=exception, message=message)


def take_index(x: Any, axis: int, index: int) -> Any:
    """The view at one index of an axis, which is dropped."""
    return s.squeeze(slice_axis(x, axis, index, 1), axis=(axis,))


def unstack(x: Any, axis: Any = 0) -> tuple[Any, ...]:
    """The sub-arrays along an axis, whose extent must be known."""
    a = as_array(x)
    if not rank_of(a):
        raise TypeError("iteration over a 0-d array")
    k = normal_axis(axis, rank_of(a))
    extent = shape_of(a)[k]
    if isinstance(extent, DimExpr):
        extent = static_int(evaluator().number(extent), "the extent of an axis that is taken apart")
    return tuple(take_index(a, k, i) for i in range(extent))


def split(x: Any, indices_or_sections: Any, axis: Any = 0) -> tuple[Any, ...]:
    """x cut along an axis into equal parts (an int), or at positions (a sequence)."""
    a = as_array(x)
    k = normal_axis(axis, rank_of(a))
    extent = shape_of(a)[k]
    if isinstance(indices_or_sections, list | tuple):
        cuts: list[Dim] = [evaluator().dim(c) for c in cast("Sequence[Any]", indices_or_sections)]
        starts: list[Dim] = [0, *(dim_min(c, extent) for c in cuts)]
        ends: list[Dim] = [*(dim_min(c, extent) for c in cuts), extent]
        return tuple(slice_axis(a, k, lo, dim_max(hi + lo * -1, 0)) for lo, hi in zip(starts, ends, strict=True))
    parts = static_int(indices_or_sections, "the number of parts")
    if parts <= 0:
        raise ValueError("number sections must be larger than 0.")
    length = extent // parts
    require_equal(extent, length * parts, "array split does not result in an equal division")
    return tuple(slice_axis(a, k, length * i, length) for i in range(parts))


def flip(x: Any, axis: Any = None) -> Any:
    """x with the order along `axis` (None: every axis) reversed: a view."""
    a = as_array(x)
    axes = normal_axes(axis, rank_of(a))
    spec = tuple(("s", dim_max(n + -1, 0), -1, n) if k in axes else ("s", 0, 1, n) for k, n in enumerate(shape_of(a)))
    return views.view_index(a, spec=spec)


def roll(x: Any, shift: Any, axis: Any = None) -> Any:
    """x moved along an axis by `shift` places, what leaves at one end coming back at the other."""
    a = as_array(x)
    if axis is None:
        total = sum(
            static_int(by, "the shift")
            for by in (  # pyright: ignore[reportUnknownVariableType]
                shift if isinstance(shift, tuple | list) else [shift]
            )
        )
        return s.reshape(roll(ravel(a), total, 0), shape=shape_of(a))
    if isinstance(shift, tuple | list) or isinstance(axis, tuple | list):
        shifts = cast("Sequence[Any]", shift) if isinstance(shift, tuple | list) else [shift]
        axes = cast("Sequence[Any]", axis) if isinstance(axis, tuple | list) else [axis]
        if len(shifts) != len(axes) and 1 not in (len(shifts), len(axes)):
            raise ValueError("'shift' and 'axis' should be scalars or 1D sequences")
        count = max(len(shifts), len(axes))
        for by, along in zip(list(shifts) * (count // len(shifts)), list(axes) * (count // len(axes)), strict=True):
            a = roll(a, by, along)
        return a
    k = normal_axis(axis, rank_of(a))
    extent = shape_of(a)[k]
    if extent == 0:
        return a
    by = static_int(shift, "the shift") % extent
    return joining.concatenate(slice_axis(a, k, extent + by * -1, by), slice_axis(a, k, 0, extent + by * -1), axis=k)


def tile(x: Any, reps: Any) -> Any:
    """x repeated `reps` times along each axis."""
    a = as_array(x)
    counts = dims(reps)
    rank = max(rank_of(a), len(counts))
    counts = (1,) * (rank - len(counts)) + counts
    own = (1,) * (rank - rank_of(a)) + shape_of(a)
    spread = tuple(n for pair in zip([1] * rank, own, strict=True) for n in pair)
    repeated = tuple(n for pair in zip(counts, own, strict=True) for n in pair)
    wide = s.broadcast_to(s.reshape(a, shape=spread), shape=repeated)
    return s.reshape(wide, shape=tuple(c * n for c, n in zip(counts, own, strict=True)))


def repeat(x: Any, repeats: Any, axis: Any = None) -> Any:
    """Each element (sub-array along `axis`) `repeats` times in a row, or as often as the item of `repeats` for it
    says."""
    a = as_array(x)
    if axis is None:
        a, axis = ravel(a), 0
    k = normal_axis(axis, rank_of(a))
    if isinstance(repeats, list | tuple) and len(cast("Sequence[Any]", repeats)) != 1:
        times_each = [static_int(n, "a number of repeats") for n in cast("Sequence[Any]", repeats)]
        require_equal(
            shape_of(a)[k], len(times_each), "operands could not be broadcast together with shape ({0},) ({1},)"
        )
        places = [place for place, count in enumerate(times_each) for _ in range(count)]
        return ix.gather(a, evaluator().constant(places, i64), axis=k)
    repeats = cast("Sequence[Any]", repeats)[0] if isinstance(repeats, list | tuple) else repeats
    times = evaluator().dim(repeats)
    own = shape_of(a)
    wide = s.broadcast_to(s.expand_dims(a, axis=(k + 1,)), shape=(*own[: k + 1], times, *own[k + 1 :]))
    return s.reshape(wide, shape=(*own[:k], own[k] * times, *own[k + 1 :]))


def pad(x: Any, pad_width: Any, constant_values: Any = 0) -> Any:
    """x with a border: `pad_width` is ((before, after), …) an axis, or one pair or number for all."""
    a = as_array(x)
    rank = rank_of(a)
    pairs = _pad_pairs(evaluator().static(pad_width, "the padding"), rank)
    if any(n < 0 for pair in pairs for n in pair):
        raise ValueError("index can't contain negative values")
    fill = as_array(constant_values, dtype_of_value(a))
    low, high = tuple(p[0] for p in pairs), tuple(p[1] for p in pairs)
    return joining.pad(a, fill, low=low, high=high, interior=(0,) * rank)


def _pad_pairs(width: Any, rank: int) -> list[tuple[int, int]]:
    if not isinstance(width, list | tuple):
        return [(int(width), int(width))] * rank
    items = list(cast("Sequence[Any]", width))
    if items and not isinstance(items[0], list | tuple):
        if len(items) == 1:
            items = items * 2
        if len(items) != 2:
            raise ValueError("the padding is a number, a pair, or a pair for each axis")
        return [(int(items[0]), int(items[1]))] * rank
    if len(items) == 1:
        items = items * rank
    if len(items) != rank or any(len(p) != 2 for p in items):
        raise ValueError(f"the padding has {len(items)} pairs for an array of {rank} dimensions")
    return [(int(p[0]), int(p[1])) for p in items]


def diagonal(x: Any) -> Any:
    """The elements with equal indices along the first two axes, as the last axis: a view."""
    a = as_array(x)
    if rank_of(a) < 2:
        raise ValueError("diag requires an array of at least two dimensions")
    return views.diagonal(a)


def triangle(x: Any, k: Any, *, lower: bool) -> Any:
    """x with zeros above (below) its k-th diagonal."""
    a = as_array(x)
    if rank_of(a) < 2:
        raise ValueError("tril and triu need an array of at least two dimensions")
    offset = conversions.from_scalar(k, dtype=i64)
    rows, columns = shape_of(a)[-2:]
    i = s.expand_dims(joining.iota(length=rows, dtype=i64), axis=(1,))
    j = joining.iota(length=columns, dtype=i64)
    limit = e.add(i, offset)
    kept = e.less_equal(j, limit) if lower else e.greater_equal(j, limit)
    return e.select(kept, a, 0)


def tril(x: Any, k: Any = 0) -> Any:
    """x with zeros above its k-th diagonal."""
    return triangle(x, k, lower=True)


def triu(x: Any, k: Any = 0) -> Any:
    """x with zeros below its k-th diagonal."""
    return triangle(x, k, lower=False)
