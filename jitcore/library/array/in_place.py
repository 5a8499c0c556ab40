"""NumPy's functions that change arrays in place."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, Final, cast

import numpy as np

from jitcore.library.array import creation, indexing, insertions, shapes
from jitcore.library.core.index_modes import placed, require_elements_for
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    is_empty,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.scattering import scatter_combine
from jitcore.types import bool_, i64, u64


def _cycled(values: Any, count: Any, dtype: Any) -> Any:
    """Values, again and again until there are `count`."""
    return insertions.resize(as_array(as_array(values), dtype), (count,))


def put(a: Any, ind: Any, v: Any, mode: Any = "raise") -> None:
    """Write values to places of the flattened array."""
    target = evaluator().contents(a)
    flat = shapes.ravel(as_array(target))
    index = shapes.ravel(as_array(ind))
    if dtype_of_value(index) is u64:
        raise TypeError("Cannot cast array data from dtype('uint64') to dtype('int64') according to the rule 'safe'")
    empty = "cannot replace elements of an empty array"
    require_elements_for(shape_of(index), shape_of(flat), empty)
    if 0 in shape_of(as_array(v)):
        return
    index = placed(index, shape_of(flat)[0], 0, mode, empty)
    values = elementwise.elements_for(v, target)
    made = ix.scatter_set(
        flat, index, _cycled(values, evaluator().number(shape_of(index)[0]), dtype_of_value(flat)), axis=0
    )
    elementwise.assign(a, s.reshape(made, shape=shape_of(a)))


def _require_cast(given: Any, data: Any, how: Any) -> None:
    """Raise TypeError unless the elements of an array may be written to another's."""
    if is_array(given) and not np.can_cast(dtype_of_value(given).numpy, dtype_of_value(data).numpy, how):
        have, want = dtype_of_value(given).numpy, dtype_of_value(data).numpy
        raise TypeError(f"Cannot cast array data from {have!r} to {want!r} according to the rule '{how}'")


def _require_size(mask: Any, data: Any, what: str) -> None:
    """Raise ValueError unless a mask has as many elements as an array."""
    given, own = (math.prod(shape_of(x), start=cast("Any", 1)) for x in (as_array(mask), data))
    require_equal(given, own, f"{what}: mask and data must be the same size")


def putmask(a: Any, mask: Any, values: Any) -> None:
    """Write values where a mask holds: those at the same places, again and again."""
    _require_size(mask, a, "putmask")
    _require_cast(values, a, "safe")
    held = elementwise.truth(mask)
    if 0 in shape_of(as_array(values)):
        return
    own = as_array(evaluator().contents(a))
    count = evaluator().number(insertions.size_of(own))
    given = elementwise.elements_for(values, own)
    chosen = s.reshape(_cycled(shapes.ravel(given), count, dtype_of_value(own)), shape=shape_of(own))
    elementwise.assign(a, e.select(held, chosen, own))


def place(arr: Any, mask: Any, vals: Any) -> None:
    """Write values where a mask holds: one after the other, again and again."""
    own = as_array(evaluator().contents(arr))
    _require_size(mask, own, "place")
    held = shapes.ravel(elementwise.truth(mask))
    _require_cast(vals, own, "safe")
    values = shapes.ravel(elementwise.elements_for(vals, own))
    chosen = reductions.any(held)
    none = is_empty(values)
    if none is not False:
        fine = (
            elementwise.logical_not(chosen)
            if none is True
            else elementwise.logical_not(elementwise.logical_and(chosen, as_array(none, bool_)))
        )
        message = "Cannot insert from an empty array!"
        conversions.check(conversions.to_scalar(fine), exception="ValueError", message=message)
    if none is True:
        return
    number = e.sub(reductions.cumsum(e.cast(held, dtype=i64), 0), 1)
    values = values if none is False else shapes.concatenate([values, creation.zeros(1, dtype_of_value(own))], 0)
    count = as_array(evaluator().number(shape_of(values)[0]), i64)
    index = e.mod(e.maximum(number, 0), count if none is False else e.maximum(e.sub(count, 1), 1))
    chosen = s.reshape(e.select(held, ix.gather(values, index, axis=0), shapes.ravel(own)), shape=shape_of(own))
    elementwise.assign(arr, chosen)


def copyto(dst: Any, src: Any, casting: Any = "same_kind", where: Any = True) -> None:
    """Write an array into another, where a mask holds."""
    how = evaluator().static(casting, "casting")
    _require_cast(src, dst, how)
    if where is True:
        elementwise.assign(dst, src)
        return
    own = as_array(evaluator().contents(dst))
    elementwise.assign(dst, e.select(elementwise.truth(where), elementwise.elements_for(src, own), own))


def fill_diagonal(a: Any, val: Any, wrap: Any = False) -> None:
    """Write to the diagonal of an array."""
    own = as_array(evaluator().contents(a))
    extents = [static_int(evaluator().number(shape_of(own)[k]), "an extent") for k in range(rank_of(own))]
    if len(extents) < 2:
        raise ValueError("array must be at least 2-d")
    if len(extents) > 2 and len(set(extents)) > 1:
        raise ValueError("All dimensions of input must be of equal length")
    numbers = np.arange(int(np.prod(extents))).reshape(extents)
    marks = np.zeros(extents, bool)
    np.fill_diagonal(marks, True, wrap=bool(evaluator().static(wrap, "wrap")))
    put(a, evaluator().constant(numbers[marks], i64), val)


def put_along_axis(arr: Any, indices: Any, values: Any, axis: Any) -> None:
    """Write values to the places along an axis that `indices` names."""
    own = as_array(evaluator().contents(arr))
    numbers = shapes.reshape(
        creation.arange(evaluator().number(insertions.size_of(own))), *map(evaluator().number, shape_of(own))
    )
    wanted = indexing.take_along_axis(numbers, indices, axis)
    put(arr, wanted, indexing.spread(elementwise.elements_for(values, own), shape_of(wanted)))


def at(combine: Callable[[Any, Any, Any], Any]) -> Callable[..., Any]:
    """`ufunc.at`: `a[indices] op= values`, once for each time a place is named."""

    def call(a: Any, indices: Any, b: Any, /) -> None:
        own = as_array(evaluator().contents(a))
        numbers = shapes.reshape(
            creation.arange(evaluator().number(insertions.size_of(own))), *map(evaluator().number, shape_of(own))
        )
        wanted = as_array(indexing.getitem(evaluator().finish(numbers, "array"), indices))
        values = shapes.broadcast_to(
            as_array(as_array(b), dtype_of_value(own)), tuple(map(evaluator().number, shape_of(wanted)))
        )
        made = combine(shapes.ravel(own), shapes.ravel(wanted), shapes.ravel(values))
        elementwise.assign(a, s.reshape(made, shape=shape_of(own)))

    return call


def _scatter(op: str) -> Callable[[Any, Any, Any], Any]:
    return lambda x, index, values: scatter_combine(x, index, values, op=op)


AT: Final[dict[Any, Callable[..., Any]]] = {
    np.add: at(lambda x, index, values: ix.scatter_add(x, index, values, axis=0)),
    np.subtract: at(lambda x, index, values: ix.scatter_add(x, index, e.neg(values), axis=0)),
    np.multiply: at(_scatter("mul")),
    np.maximum: at(_scatter("max")),
    np.minimum: at(_scatter("min")),
}
"""By ufunc."""

TABLE: Final[dict[Any, Callable[..., Any]]] = {
    np.put: put, np.putmask: putmask, np.place: place, np.copyto: copyto, np.fill_diagonal: fill_diagonal,
    np.put_along_axis: put_along_axis,
}  # fmt: skip
"""By NumPy's function."""
