"""Arrays read at places between their elements: resizing along axes, sampling images and volumes at coordinates.

Resizing is separable: along each axis every result is a sum of a few elements ("taps") with weights. They are computed
when the program is compiled, from extents that are known then.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from jitcore.library.array import shapes
from jitcore.library.core.index_modes import require_elements_for
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, product_of, rank_of, shape_of
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, i64

Taps: TypeAlias = "list[tuple[Any, Any]]"
"""Places along an axis and their weights, an array of each for every tap."""

CUBIC = -0.75
"""The parameter of the cubic convolution kernel (Keys 1981 has -1/2; OpenCV and PyTorch this)."""


# --- along axes -----------------------------------------------------------------------------------------


def sources(extent: int, wanted: int, scale: float | None, corners: bool, centres: bool) -> Any:
    """Where in an axis each of `wanted` results lies. `scale`: elements for each result, unless as the extents say.

    `corners`: first and last elements are those of the results; `centres`: elements are squares, not points.
    """
    places = np.arange(wanted, dtype=np.float64)
    if corners:
        return places * ((extent - 1) / (wanted - 1) if wanted > 1 else 0.0)
    step = extent / wanted if scale is None else scale
    return (places + 0.5) * step - 0.5 if centres else places * step


def nearest_taps(extent: int, places: Any, rounding: str) -> Taps:
    """The elements at the floor of the places, or ('round') the nearest, halves up."""
    chosen = np.floor(places + 0.5) if rounding == "round" else np.floor(places)
    return [(np.clip(chosen, 0, extent - 1).astype(np.int64), None)]


def linear_taps(extent: int, places: Any) -> Taps:
    """The two elements around each place."""
    inside = np.clip(places, 0, None)
    low = np.minimum(np.floor(inside).astype(np.int64), extent - 1)
    share = np.where(low < extent - 1, inside - low, 0.0)
    return [(low, 1 - share), (np.minimum(low + 1, extent - 1), share)]


def cubic_weights(share: Any, one: Any, parameter: float = CUBIC) -> list[Any]:
    """The weights of the elements before, at, after, and two after a place a share of the way between two elements."""

    def near(d: Any) -> Any:
        return ((parameter + 2) * d - (parameter + 3)) * d * d + one

    def far(d: Any) -> Any:
        return ((parameter * d - 5 * parameter) * d + 8 * parameter) * d - 4 * parameter * one

    return [far(share + one), near(share), near(one - share), far(2 * one - share)]


def cubic_taps(extent: int, places: Any) -> Taps:
    """The four elements around each place; those past the ends are the last."""
    low = np.floor(places).astype(np.int64)
    weights = cubic_weights(places - low, 1.0)
    return [(np.clip(low + k - 1, 0, extent - 1), w) for k, w in enumerate(weights)]


def resample(a: Any, axis: int, taps: Taps) -> Any:
    """The array with an axis replaced by sums of taps."""
    total: Any = None
    wanted = tuple(len(taps[0][0]) if k == axis else n for k, n in enumerate(shape_of(a)))
    require_elements_for(wanted, shape_of(a), "cannot do a non-empty take from an empty axes.")
    for places, weights in taps:
        part = ix.gather(a, evaluator().constant(places, i64), axis=axis)
        if weights is not None:
            scale = evaluator().constant(weights, dtype_of_value(a))
            part = e.mul(part, s.reshape(scale, shape=(len(weights), *[1] * (rank_of(a) - axis - 1))))
        total = part if total is None else e.add(total, part)
    return total


# --- at coordinates -----------------------------------------------------------------------------------


def _number(extent: Dim, like: Any) -> Any:
    return as_array(evaluator().number(extent), dtype_of_value(like))


def _position(coordinate: Any, extent: Dim, corners: bool) -> Any:
    """A coordinate between -1 and 1 in elements."""
    size = _number(extent, coordinate)
    if corners:
        return e.mul(e.mul(e.add(coordinate, 1), 0.5), e.sub(size, 1))
    return e.mul(e.sub(e.mul(e.add(coordinate, 1), size), 1), 0.5)


def _kept(position: Any, extent: Dim, padding: str, corners: bool) -> Any:
    """A position brought into an axis as the padding says."""
    if padding == "zeros":
        return position
    size = _number(extent, position)
    last = e.sub(size, 1)
    if padding == "reflection":
        low = as_array(0.0 if corners else -0.5, dtype_of_value(position))
        span = last if corners else size
        span = e.maximum(span, 1e-30)  # of one element, all positions are its own
        away = e.abs(e.sub(position, low))
        turns = e.floor(e.div(away, span))
        rest = e.sub(away, e.mul(turns, span))
        odd = e.greater(e.sub(turns, e.mul(e.floor(e.mul(turns, 0.5)), 2)), 0.5)
        position = e.add(e.select(odd, e.sub(span, rest), rest), low)
    return e.maximum(e.minimum(position, last), 0)


def _axis_taps(position: Any, extent: Dim, mode: str, padding: str, corners: bool) -> list[tuple[Any, Any]]:
    """(place, weight) for each tap along one axis; places as floats."""
    if mode == "nearest":
        return [(e.rint(_kept(position, extent, padding, corners)), None)]
    if mode == "bicubic":
        low = e.floor(position)
        share = e.sub(position, low)
        one = as_array(1.0, dtype_of_value(position))
        weights = cubic_weights(_Arithmetic(share), _Arithmetic(one))
        places = [_kept(e.add(low, float(k - 1)), extent, padding, corners) for k in range(4)]
        return [(place, weight.value) for place, weight in zip(places, weights, strict=True)]
    inside = _kept(position, extent, padding, corners)
    low = e.floor(inside)
    share = e.sub(inside, low)
    return [(low, e.sub(1, share)), (e.add(low, 1), share)]


class _Arithmetic:
    """An array with operators, for formulas that NumPy's arrays go through as well."""

    def __init__(self, value: Any) -> None:
        self.value = value

    def _with(self, operation: Any, other: Any, swapped: bool = False) -> _Arithmetic:
        given = other.value if isinstance(other, _Arithmetic) else float(other)
        return _Arithmetic(operation(given, self.value) if swapped else operation(self.value, given))

    def __add__(self, other: Any) -> _Arithmetic:
        return self._with(e.add, other)

    def __sub__(self, other: Any) -> _Arithmetic:
        return self._with(e.sub, other)

    def __mul__(self, other: Any) -> _Arithmetic:
        return self._with(e.mul, other)

    def __rmul__(self, other: Any) -> _Arithmetic:
        return self._with(e.mul, other, swapped=True)


def sample(rows: Any, extents: Sequence[Dim], first: Any, taps: Sequence[Sequence[tuple[Any, Any]]]) -> Any:
    """Sums of rows of (elements, channels) at the products of taps along axes, zeros outside.

    `first` is where the image or volume that a point is in begins; the taps' places have the shape of the points.
    """
    total: Any = None
    for chosen in itertools.product(*taps):
        place, inside, weight = first, None, None
        offset: Any = None
        for (position, share), extent in zip(chosen, extents, strict=True):
            size = _number(extent, position)
            within = e.bitwise_and(e.greater_equal(position, 0), e.less(position, size))
            inside = within if inside is None else e.bitwise_and(inside, within)
            number = e.cast(e.maximum(e.minimum(position, e.sub(size, 1)), 0), dtype=i64)
            scale = as_array(evaluator().number(extent), i64)
            offset = number if offset is None else e.add(e.mul(offset, scale), number)
            if share is not None:
                weight = share if weight is None else e.mul(weight, share)
        picked = ix.gather(rows, e.add(place, offset), axis=0)
        shares = e.cast(inside, dtype=dtype_of_value(rows)) if weight is None else e.select(inside, weight, 0)
        part = e.mul(picked, s.expand_dims(shares, axis=(rank_of(shares),)))
        total = part if total is None else e.add(total, part)
    return total


def channels_last(a: Any) -> tuple[Any, Any]:
    """Images or volumes (N, C, …) as rows of channels, and how many rows each has."""
    rank = rank_of(a)
    moved = s.transpose(a, permutation=(0, *range(2, rank), 1))
    count = product_of(shape_of(a)[2:])
    return s.reshape(moved, shape=(shape_of(a)[0] * count, shape_of(a)[1])), count


def sample_grid(x: Any, grid: Any, mode: str, padding: str, corners: bool) -> Any:
    """x (N, C, …) at the points of a grid (N, …, axes), whose coordinates, between -1 and 1, begin with the last
    axis."""
    a, points = as_array(x), as_array(grid)
    extents = shape_of(a)[2:]
    rows, count = channels_last(a)
    rank = len(extents)
    taps: list[Any] = []
    for k, extent in enumerate(extents):
        coordinate = _component(points, rank - 1 - k)
        taps.append(_axis_taps(_position(coordinate, extent, corners), extent, mode, padding, corners))
    numbers = joining.iota(length=shape_of(points)[0], dtype=i64)
    begins = e.mul(numbers, as_array(evaluator().number(count), i64))
    first = s.expand_dims(begins, axis=tuple(range(1, rank + 1)))
    made = sample(rows, extents, first, taps)
    return s.transpose(made, permutation=(0, rank_of(made) - 1, *range(1, rank_of(made) - 1)))


def _component(points: Any, k: int) -> Any:
    return shapes.take_index(points, rank_of(points) - 1, k)
