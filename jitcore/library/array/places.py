"""NumPy's functions that make places of elements and use them: indices of triangles and grids, raveling, choosing,
applying along axes."""

from __future__ import annotations

import functools
import math
import operator
from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.library.array import arrangement, creation, indexing, sequences, shapes
from jitcore.library.core import index_modes
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    as_operand,
    category,
    dtype_of_value,
    evaluator,
    is_array,
    is_number,
    normal_axis,
    promote,
    promote_wrapped,
    rank_of,
    require_equal,
    shape_of,
    static_extents,
    static_int,
)
from jitcore.library.math import comparisons, elementwise
from jitcore.library.math.closeness import array_equiv
from jitcore.library.math.elementwise import add, multiply, subtract
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions, python_ints
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.types import Dim, bool_, f64, i64


def _constant(value: Any) -> Any:
    return evaluator().constant(np.asarray(value), None)


def indices_of_triangle(make: Callable[..., Any]) -> Callable[..., Any]:
    """`np.tril_indices` and `np.triu_indices`."""

    def function(n: Any, k: Any = 0, m: Any = None) -> tuple[Any, ...]:
        columns = None if m is None else static_int(m, "m")
        return tuple(map(_constant, make(static_int(n, "n"), static_int(k, "k"), columns)))

    return function


def indices_of_triangle_from(make: Callable[..., Any]) -> Callable[..., Any]:
    """`np.tril_indices_from` and `np.triu_indices_from`."""

    def function(arr: Any, k: Any = 0) -> tuple[Any, ...]:
        if rank_of(as_array(arr)) != 2:
            raise ValueError("input array must be 2-d")
        rows, columns = static_extents(arr)
        return tuple(map(_constant, make(rows, static_int(k, "k"), columns)))

    return function


def diag_indices(n: Any, ndim: Any = 2) -> tuple[Any, ...]:
    """The places on the diagonal of an array of `ndim` axes of extent n."""
    line = creation.arange(static_int(n, "n"))
    return (line,) * static_int(ndim, "ndim")


def diag_indices_from(arr: Any) -> tuple[Any, ...]:
    """The places on the diagonal of an array of equal extents."""
    extents = static_extents(arr)
    if len(extents) < 2:
        raise ValueError("input array must be at least 2-d")
    if len(set(extents)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    return diag_indices(extents[0], len(extents))


def indices(dimensions: Any, dtype: Any = None, sparse: Any = False) -> Any:
    """The place of every element of an array along each axis."""
    extents = tuple(static_int(d, "an extent") for d in dimensions)
    wanted = i64 if dtype is None else dtype
    if evaluator().static(sparse, "sparse"):
        return tuple(as_array(_constant(part), None) for part in np.indices(extents, sparse=True))
    return elementwise.astype(_constant(np.indices(extents)), wanted)


def ix_(*args: Any) -> tuple[Any, ...]:
    """Vectors as the axes of an open grid."""
    made: list[Any] = []
    for k, sequence in enumerate(args):
        a = as_array(sequence)
        if rank_of(a) != 1:
            raise ValueError("Cross index must be 1 dimensional")
        if dtype_of_value(a) is bool_:
            (a,) = indexing.nonzero(a)
        made.append(shapes.reshape(a, *(-1 if j == k else 1 for j in range(len(args)))))
    return tuple(made)


def unravel_index(indices: Any, shape: Any, order: Any = "C") -> tuple[Any, ...]:
    """The places along each axis of places in a flattened array."""
    extents = (shape,) if isinstance(shape, int) else tuple(static_int(d, "an extent") for d in shape)
    rest = index_modes.wide(as_array(indices))
    if not extents and rank_of(rest):
        raise ValueError("multiple indices are not supported for 0d arrays")
    size = math.prod(extents)
    _require_in(rest, size)
    made: list[Any] = []
    for extent in reversed(extents) if order == "C" else extents:
        made.append(elementwise.remainder(rest, extent))
        rest = elementwise.floor_divide(rest, extent)
    return tuple(reversed(made)) if order == "C" else tuple(made)


def _require_in(places: Any, size: int) -> None:
    """Raise ValueError unless all places are among `size` elements."""
    if 0 in shape_of(places):
        return
    flat = shapes.ravel(places)
    place, value = ix.first_bad_index(elementwise.where(comparisons.less(flat, 0), size, flat), extent=size)
    del value
    count = evaluator().number(shape_of(flat)[0])
    last = elementwise.minimum(place, subtract(count, 1))
    conversions.check(
        python_ints.int_eq(conversions.to_scalar(place), count),
        conversions.to_scalar(as_array(indexing.take(flat, last))),
        exception="ValueError",
        message=f"index {{0}} is out of bounds for array with size {size}",
    )


def ravel_multi_index(multi_index: Any, dims: Any, mode: Any = "raise", order: Any = "C") -> Any:
    """The places in a flattened array of places along each axis, which are wrapped or clipped if `mode` says so."""
    extents = tuple(static_int(d, "an extent") for d in dims)
    parts = [
        as_array(p) for p in (multi_index if isinstance(multi_index, tuple | list) else shapes.unstack(multi_index))
    ]
    modes = tuple(mode) if isinstance(mode, tuple | list) else (mode,) * len(extents)
    if 0 in extents:
        raise ValueError("cannot unravel if shape has zero entries (is empty).")
    total: Any = 0
    pairs = list(zip(parts, extents, modes, strict=True))
    for place, extent, how in pairs if order == "C" else reversed(pairs):
        if how == "wrap":
            place = elementwise.remainder(place, extent)
        elif how == "clip":
            place = elementwise.clip(place, 0, extent - 1)
        else:
            _require(
                comparisons.less(elementwise.where(comparisons.less(place, 0), extent, place), extent),
                "invalid entry in coordinates array",
            )
        total = add(multiply(total, extent), place)
    return total


def _require(held: Any, message: str) -> None:
    """Raise ValueError unless all are true."""
    conversions.check(conversions.to_scalar(reductions.all(held)), exception="ValueError", message=message)


def lexsort(keys: Any, axis: Any = -1) -> Any:
    """The order by the last key, then by the one before, …"""
    rows = [as_array(k) for k in (keys if isinstance(keys, tuple | list) else shapes.unstack(keys))]
    if not rows:
        raise TypeError("need sequence of keys with len > 0 in lexsort")
    k = normal_axis(axis, rank_of(rows[0]))
    for row in rows[1:]:
        for m, n in zip(shape_of(rows[0]), shape_of(row), strict=True):
            require_equal(m, n, "all keys need to be the same shape")
    order = sequences.argsort(rows[0], k, stable=True)
    for row in rows[1:]:
        ordered = indexing.take_along_axis(row, order, k)
        order = indexing.take_along_axis(order, sequences.argsort(ordered, k, stable=True), k)
    return order


def in1d(ar1: Any, ar2: Any, assume_unique: Any = False, invert: Any = False) -> Any:
    """Whether each element of the flattened array is among others."""
    del assume_unique
    found = sequences.isin(shapes.ravel(as_array(ar1)), as_array(ar2))
    return elementwise.logical_not(found) if evaluator().static(invert, "invert") else found


def choose(a: Any, choices: Any, out: Any = None, mode: Any = "raise") -> Any:
    """For each place, the element of the choice with that number."""
    if out is not None:
        raise TypeError("choose with out")
    rows = [as_array(c) for c in (choices if isinstance(choices, tuple | list) else shapes.unstack(choices))]
    place = as_array(a)
    if not np.can_cast(dtype_of_value(place).numpy, np.int64):
        dtype = dtype_of_value(place).numpy
        raise TypeError(f"Cannot cast array data from {dtype!r} to dtype('int64') according to the rule 'safe'")
    place = index_modes.wide(place)
    if mode == "wrap":
        place = elementwise.remainder(place, len(rows))
    elif mode == "clip":
        place = elementwise.clip(place, 0, len(rows) - 1)
    else:
        inside = elementwise.logical_and(comparisons.greater_equal(place, 0), comparisons.less(place, len(rows)))
        _require(inside, "invalid entry in choice array")
    place, *rows = arrangement.broadcast_arrays(place, *rows)
    stacked = shapes.stack(rows, 0)
    return shapes.squeeze(indexing.take_along_axis(stacked, shapes.expand_dims(place, 0), 0), 0)


def piecewise(x: Any, condlist: Any, funclist: Any, *args: Any, **kw: Any) -> Any:
    """Functions or values, each where its condition holds; the last of those that hold counts."""
    a = as_array(x)
    conditions = (
        list(condlist)
        if isinstance(condlist, tuple | list)
        else shapes.unstack(condlist)
        if rank_of(as_array(condlist)) > rank_of(a)
        else [condlist]
    )
    if (
        isinstance(condlist, tuple | list)
        and condlist
        and not isinstance(condlist[0], tuple | list)
        and not rank_of(as_array(condlist[0]))
        and rank_of(a)
    ):
        conditions = [condlist]
    chosen = list(funclist)
    made = creation.zeros_like(a)
    if len(chosen) == len(conditions) + 1:
        made = _piece(chosen.pop(), a, args, kw)
    if len(chosen) != len(conditions):
        raise ValueError(
            f"with {len(conditions)} condition(s), either {len(conditions)} or "
            f"{len(conditions) + 1} functions are expected"
        )
    for condition, function in zip(conditions, chosen, strict=True):
        made = elementwise.where(as_array(condition, bool_), _piece(function, a, args, kw), made)
    return made


def _piece(function: Any, a: Any, args: tuple[Any, ...], kw: dict[str, Any]) -> Any:
    if not is_array(function) and not is_number(function):
        function = evaluator().call(function, (a, *args), kw)
    return as_array(function, dtype_of_value(a))


def apply_along_axis(func1d: Any, axis: Any, arr: Any, *args: Any, **kwargs: Any) -> Any:
    """A function of vectors applied to each vector along an axis; what it gives takes the place of that axis."""
    a = as_array(arr)
    k = normal_axis(axis, rank_of(a))
    rest = shapes.moveaxis(a, k, -1)
    *front, extent = static_extents(rest)
    rows = shapes.unstack(shapes.reshape(rest, functools.reduce(operator.mul, front, 1), extent), 0)
    if not rows:
        raise ValueError("Cannot apply_along_axis when any iteration dimensions are 0")
    made = shapes.stack([as_array(evaluator().call(func1d, (row, *args), kwargs)) for row in rows], 0)
    inner = rank_of(made) - 1
    made = shapes.reshape(made, *front, *static_extents(made)[1:])
    for j in range(inner):
        made = shapes.moveaxis(made, len(front) + j, k + j)
    return made


def apply_over_axes(func: Any, a: Any, axes: Any) -> Any:
    """A function of an array and an axis applied over axes, one after the other."""
    made = as_array(a)
    rank = rank_of(made)
    for axis in axes if isinstance(axes, tuple | list) else (axes,):
        k = normal_axis(axis, rank)
        result = as_array(evaluator().call(func, (made, k), {}))
        made = result if rank_of(result) == rank else shapes.expand_dims(result, k)
        if rank_of(made) != rank:
            raise ValueError("function is not returning an array of the correct shape")
    return made


def geomspace(start: Any, stop: Any, num: Any = 50, endpoint: Any = True, dtype: Any = None, axis: Any = 0) -> Any:
    """`num` numbers from start to stop, each the same multiple of the one before."""
    low, high = promote("div", start, stop)
    zero = elementwise.logical_or(reductions.any(comparisons.equal(low, 0)), reductions.any(comparisons.equal(high, 0)))
    _require(elementwise.logical_not(zero), "Geometric sequence cannot include zero")
    sign = elementwise.sign(low)
    first, last = elementwise.true_divide(low, sign), elementwise.true_divide(high, sign)
    exponents = spaced(elementwise.log10(first), elementwise.log10(last), num, endpoint)
    made = elementwise.power(as_array(10.0, dtype_of_value(exponents)), exponents)
    count = evaluator().number(shape_of(made)[0])
    place = shapes.reshape(creation.arange(count), -1, *(1,) * (rank_of(made) - 1))
    if evaluator().static(endpoint, "endpoint"):
        made = elementwise.where(comparisons.equal(place, subtract(count, 1)), last, made)
    made = multiply(elementwise.where(comparisons.equal(place, 0), first, made), sign)
    made = shapes.moveaxis(made, 0, axis)
    return made if dtype is None else elementwise.astype(made, dtype)


def logspace(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, base: Any = 10.0, dtype: Any = None, axis: Any = 0
) -> Any:
    """`base` to the powers of evenly spaced numbers."""
    made = elementwise.power(as_array(base), spaced(start, stop, num, endpoint, axis=axis))
    return made if dtype is None else elementwise.astype(made, dtype)


def spaced(
    start: Any, stop: Any, num: Any = 50, endpoint: Any = True, retstep: Any = False, dtype: Any = None, axis: Any = 0
) -> Any:
    """`num` numbers from start to stop, evenly spaced along a new axis; with `retstep`, (they, their distance)."""
    lows, highs = as_array(start), as_array(stop)
    last = bool(evaluator().static(endpoint, "endpoint"))
    count = creation.samples_number(num)
    if rank_of(lows) or rank_of(highs) or "c" in (dtype_of_value(lows).kind, dtype_of_value(highs).kind):
        made = shapes.moveaxis(_between(lows, highs, count, last), 0, axis)
    else:
        made = creation.linspace(start, stop, evaluator().number(count), last)
    if dtype is not None:
        wanted = as_dtype(dtype)
        made = as_array(
            elementwise.floor(made) if wanted.is_integer and dtype_of_value(made).is_float else made, wanted
        )
    if not evaluator().static(retstep, "retstep"):
        return made
    if count == (1 if last else 0):
        return made, float("nan")
    parts = creation.distances(count, last, f64)
    return made, elementwise.true_divide(elementwise.subtract(highs, lows), parts)


def _between(lows: Any, highs: Any, count: Dim, last: bool) -> Any:
    """`count` arrays from `lows` to `highs`, stacked."""
    low, high = promote("div", lows, highs)
    low, high = arrangement.broadcast_arrays(low, high)
    steps = elementwise.true_divide(
        elementwise.subtract(high, low), creation.distances(count, last, dtype_of_value(low))
    )
    places = shapes.reshape(creation.arange(evaluator().number(count)), -1, *(1,) * rank_of(low))
    made = add(multiply(as_array(places, dtype_of_value(low)), steps), low)
    if not last or (isinstance(count, int) and count < 2):
        return made
    if not isinstance(count, int):
        raise TypeError("linspace of arrays, as many as are known at run time only")
    return shapes.concatenate([shapes.slice_axis(made, 0, 0, count - 1), shapes.expand_dims(high, 0)], 0)


TABLE: Final[dict[Any, Callable[..., Any]]] = {
    np.tril_indices: indices_of_triangle(np.tril_indices), np.triu_indices: indices_of_triangle(np.triu_indices),
    np.tril_indices_from: indices_of_triangle_from(np.tril_indices),
    np.triu_indices_from: indices_of_triangle_from(np.triu_indices), np.diag_indices: diag_indices,
    np.diag_indices_from: diag_indices_from, np.indices: indices, np.ix_: ix_, np.lexsort: lexsort,
    np.piecewise: piecewise, np.apply_along_axis: apply_along_axis,
    np.apply_over_axes: apply_over_axes, np.geomspace: geomspace, np.logspace: logspace,
}  # fmt: skip
"""By NumPy's function."""

SCALARS: Final[dict[Any, Callable[..., Any]]] = {
    np.unravel_index: unravel_index, np.ravel_multi_index: ravel_multi_index, np.choose: choose,
    np.array_equiv: array_equiv, np.linspace: spaced,
}  # fmt: skip
"""Those whose results of no dimensions are NumPy scalars."""


# --- elementwise --------------------------------------------------------------------------------------


def select(condlist: Any, choicelist: Any, default: Any = 0) -> Any:
    """For each place the choice of the first condition that holds there, else the default."""
    if len(condlist) != len(choicelist):
        raise ValueError("list of cases must be same length as list of conditions")
    if not condlist:
        raise ValueError("select with an empty condition list is not possible")
    if any(dtype_of_value(as_operand(c)) is not bool_ for c in condlist):
        raise TypeError("select takes conditions of bools")
    tensors = any(category(v) == "tensor" for v in (*choicelist, default))
    *choices, made = (promote if tensors else promote_wrapped)("select", *choicelist, default)
    dtype = next(dtype_of_value(v) for v in (*choices, made) if is_array(v))
    made, choices = as_array(made, dtype), [as_array(c, dtype) for c in choices]
    for condition, choice in zip(reversed(condlist), reversed(choices), strict=True):
        made = e.select(as_array(condition), choice, made)
    return made
