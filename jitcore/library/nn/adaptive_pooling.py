"""Pooling to a given size."""

from __future__ import annotations

import itertools
import math
from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore.library.array import indexing
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.linalg import products
from jitcore.library.nn.max_pooling import flat_place
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, i32, i64


def _bins(extent: Dim, count: int) -> list[tuple[int, int]]:
    """Where the windows of an adaptive pooling begin and end."""
    n = static_int(evaluator().number(extent), "the extent of an image pooled to a given size")
    return [(k * n // count, -((k + 1) * n // -count)) for k in range(count)]


def _wanted(size: Any, extents: Sequence[Dim]) -> list[int]:
    found = evaluator().static(size, "output_size")
    items = list(cast("Sequence[Any]", found)) if isinstance(found, list | tuple) else [found] * len(extents)
    if len(items) != len(extents):
        raise ValueError(f"output_size is an int or {len(extents)} ints, not {found!r}")
    sizes = [
        static_int(evaluator().number(n) if k is None else k, "output_size")
        for k, n in zip(items, extents, strict=True)
    ]
    if min(sizes) < 1:
        raise ValueError(f"output_size must be positive, but is {found!r}")
    return sizes


def _first_pooled(a: object, rank: int) -> int:
    """The first of the last `rank` axes."""
    if rank_of(a) < rank:
        raise ValueError(f"adaptive pooling over {rank} axes takes an array of at least {rank}, not {rank_of(a)}")
    return rank_of(a) - rank


def adaptive_avg_pool(x: Any, rank: int, size: Any) -> Any:
    """The means of windows of x over its last `rank` axes, as many as `size` says."""
    a, rank = reductions.as_float(x), static_int(rank, "the rank")
    first = _first_pooled(a, rank)
    for k, count in enumerate(_wanted(size, shape_of(a)[first:])):
        bins = _bins(shape_of(a)[first + k], count)
        share = np.zeros((bins[-1][1], count))
        for column, (start, stop) in enumerate(bins):
            share[start:stop, column] = 1 / (stop - start)
        matrix = evaluator().constant(share, dtype_of_value(a))
        order = [*(d for d in range(rank_of(a)) if d != first + k), first + k]
        moved = products.matmul(s.transpose(a, permutation=tuple(order)), matrix)
        a = s.transpose(moved, permutation=tuple(int(i) for i in np.argsort(order)))
    return a


def adaptive_max_pool(x: Any, rank: int, size: Any) -> Any:
    """The largest elements of windows of x over its last `rank` axes, as many as `size` says."""
    a, rank = as_array(x), static_int(rank, "the rank")
    first = _first_pooled(a, rank)
    for k, count in enumerate(_wanted(size, shape_of(a)[first:])):
        axis = first + k
        parts = [
            r.reduce_max(indexing.getitem(a, (*(slice(None),) * axis, slice(start, stop))), axis=(axis,), keepdims=True)
            for start, stop in _bins(shape_of(a)[axis], count)
        ]
        a = joining.concatenate(*parts, axis=axis)
    return a


def adaptive_max_places(x: Any, wanted: Sequence[int]) -> tuple[Any, Any]:
    """(the largest element of each of as many windows as wanted, its place among the elements of its channel)."""
    a, rank = as_array(x), len(wanted)
    extents = shape_of(a)[-rank:]
    bounds = [
        _whole_bins(static_int(evaluator().number(n), "the extent of what is pooled to a given size"), k)
        for n, k in zip(extents, wanted, strict=True)
    ]
    values: list[Any] = []
    places: list[Any] = []
    lead = shape_of(a)[:-rank]
    for cell in itertools.product(*bounds):
        part = indexing.getitem(a, (..., *(slice(start, stop) for start, stop in cell)))
        inner = [stop - start for start, stop in cell]
        flat = s.reshape(part, shape=(*lead, math.prod(inner)))
        best = as_array(reductions.argmax(flat, -1), i64)
        axis = rank_of(flat) - 1
        values.append(ix.gather_along(flat, s.expand_dims(best, axis=(axis,)), axis=axis))
        coordinates: list[Any] = []
        for (start, _), n in zip(reversed(cell), reversed(inner), strict=True):
            coordinates.insert(0, e.add(e.mod(best, n), start))
            best = e.floordiv(best, n)
        places.append(s.expand_dims(flat_place(coordinates, extents), axis=(axis,)))
    shape = (*lead, *wanted)
    axis = len(lead)
    return tuple(  # type: ignore[return-value]
        s.reshape(joining.concatenate(*parts, axis=axis), shape=shape) for parts in (values, places)
    )


def _whole_bins(extent: int, count: int) -> list[tuple[int, int]]:
    return [(k * extent // count, -((k + 1) * extent // -count)) for k in range(count)]


@operator("adaptive_avg_pool1d AdaptiveAvgPool1D")
def adaptive_avg_pool1d(input: Any, output_size: Any) -> Any:
    """The means of windows over the last axis, as many as said."""
    return adaptive_avg_pool(input, 1, output_size)


@operator("adaptive_avg_pool2d")
def adaptive_avg_pool2d(input: Any, output_size: Any) -> Any:
    """The means of windows over the last two axes, as many as said."""
    return adaptive_avg_pool(input, 2, output_size)


@operator("AdaptiveAvgPool2D")
def adaptive_avg_pool2d_set_up(input: Any, *, output_size: Any) -> Any:
    """As `adaptive_avg_pool2d`."""
    return adaptive_avg_pool(input, 2, output_size)


@operator("adaptive_max_pool1d")
def adaptive_max_pool1d(input: Any, output_size: Any) -> Any:
    """The largest elements of windows over the last axis, as many as said."""
    return adaptive_max_pool(input, 1, output_size)


def _wanted_sizes(a: Any, size: Any, rank: int) -> list[int]:
    found = evaluator().static(size, "output_size")
    items = static_ints(size, "output_size") if is_array(size) else found
    listed = list(items) if isinstance(items, list | tuple) else [items] * rank
    extents = shape_of(a)[-rank:]
    return [
        static_int(evaluator().number(n) if k in (None, -1) else k, "output_size")
        for k, n in zip(listed, extents, strict=True)
    ]


def _adaptive_max(x: Any, rank: int, size: Any) -> tuple[Any, Any]:
    a = as_array(x)
    return adaptive_max_places(a, _wanted_sizes(a, size, rank))


@operator("adaptive_avg_pool3d")
def adaptive_avg_pool3d(input: Any, output_size: Any) -> Any:
    """The means of windows over the last 3 axes, as many as said."""
    return adaptive_avg_pool(input, 3, output_size)


@operator("AdaptiveAvgPool3D")
def adaptive_avg_pool3d_set_up(input: Any, *, output_size: Any) -> Any:
    """As `adaptive_avg_pool3d`."""
    return adaptive_avg_pool(input, 3, output_size)


@operator("adaptive_max_pool2d")
def adaptive_max_pool2d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest elements of windows over the last 2 axes, as many as said, and their places if asked for."""
    if evaluator().static(return_indices, "return_indices"):
        return _adaptive_max(input, 2, output_size)
    return adaptive_max_pool(input, 2, output_size)


@operator("AdaptiveMaxPool2D")
def adaptive_max_pool2d_set_up(input: Any, *, output_size: Any) -> Any:
    """(the largest elements of windows over the last 2 axes, their places)."""
    return _adaptive_max(input, 2, output_size)


@operator("adaptive_max_pool3d")
def adaptive_max_pool3d(input: Any, output_size: Any, return_indices: Any = False) -> Any:
    """The largest elements of windows over the last 3 axes, as many as said, and their places if asked for."""
    if evaluator().static(return_indices, "return_indices"):
        values, places = _adaptive_max(input, 3, output_size)
        return values, e.cast(places, dtype=i32)
    return adaptive_max_pool(input, 3, output_size)


@operator("AdaptiveMaxPool3D")
def adaptive_max_pool3d_set_up(x: Any, output_size: Any) -> Any:
    """(the largest elements of windows over the last 3 axes, their places)."""
    values, places = _adaptive_max(x, 3, output_size)
    return values, e.cast(places, dtype=i32)
