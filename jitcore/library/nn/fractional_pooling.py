"""Fractional pooling: windows at random distances, so that any number of them fits (Graham 2015)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, rank_of, shape_of, static_int
from jitcore.library.images.resizing import image_extent, require_images
from jitcore.library.random import sampling
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.random import Stream
from jitcore.types import f32, f64, i32, i64


def _known(value: Any, rank: int, name: str) -> list[Any]:
    """The numbers for each axis, which must be known when compiling."""
    given = list(value) if isinstance(value, tuple | list) else [value] * rank
    if len(given) != rank:
        raise ValueError(f"For fractional max pooling, {name} has {rank} numbers, not {len(given)}.")
    return [evaluator().static(v, name) for v in given]


def _extents(value: Any, rank: int, name: str) -> tuple[int, ...]:
    given = _known(value, rank, name)
    if any(isinstance(v, bool) or v != int(v) for v in given):
        raise TypeError(f"For fractional max pooling, {name} must be of ints, not {given}.")
    if min(given) <= 0:
        raise ValueError(f"For fractional max pooling, {name} must be positive, but is {given}.")
    return tuple(map(int, given))


def _sizes(size: Any, ratio: Any, extents: Sequence[int], rank: int) -> tuple[int, ...]:
    """How many windows there are along each axis."""
    if (size is None) == (ratio is None):
        raise ValueError("For fractional max pooling, either output_size or output_ratio must be given.")
    if size is not None:
        return _extents(size, rank, "output_size")
    shares = _known(ratio, rank, "output_ratio")
    for share in shares:
        if not isinstance(share, float):
            raise TypeError(f"For fractional max pooling, output_ratio must be of floats, not {share!r}.")
        if not 0 < share < 1:
            raise ValueError(f"For fractional max pooling, output_ratio must be between 0 and 1, but is {share}.")
    return tuple(int(extent * share) for extent, share in zip(extents, shares, strict=True))


def _starts(sample: Any, extent: int, window: int, count: int) -> Any:
    """Where the windows of each channel (N, C) begin: (N, C, count); the last one ends with the axis."""
    last = extent - window
    if count > extent or window + count - 1 > extent:
        raise ValueError(f"For fractional max pooling, {count} windows of {window} do not fit in an axis of {extent}.")
    ends = joining.full(as_array(last, i64), shape=(*shape_of(sample), 1))
    if count == 1:
        return ends
    step = last / (count - 1)
    number = e.cast(joining.iota(length=count - 1, dtype=i64), dtype=dtype_of_value(sample))
    share = s.expand_dims(sample, axis=(2,))
    whole = [e.cast(e.mul(v, step), dtype=i64) for v in (e.add(number, share), share)]
    return shapes.concatenate((e.sub(whole[0], whole[1]), ends), 2)


def _pooled(x: Any, window: tuple[int, ...], count: tuple[int, ...], samples: Any, last_first: bool) -> Any:
    """(the maxima of windows of x (N, C, …), their places among the elements of a channel); `samples` (N, C, axes)
    says where the windows are, the last axis first for images."""
    a = as_float(x)
    rank = len(window)
    n, channels = shape_of(a)[:2]
    extents = [static_int(evaluator().number(k), "an extent") for k in shape_of(a)[2:]]
    if samples is None:
        drawn = sampling.uniform01((n, channels, rank), f64 if dtype_of_value(a) is f64 else f32)
    else:
        drawn = as_float(samples)
        if rank_of(drawn) != 3:
            raise ValueError(f"For fractional max pooling, the random samples have 3 axes, not {rank_of(drawn)}.")
    places: Any = as_array(0, i64)
    for k in range(rank):
        own = ix.gather(drawn, as_array(rank - 1 - k if last_first else k, i64), axis=2)
        starts = _starts(own, extents[k], window[k], count[k])
        inner = e.add(
            s.expand_dims(starts, axis=(3,)), joining.iota(length=window[k], dtype=i64)
        )  # (N, C, count, window)
        shape: list[Any] = [n, channels, *[1] * (2 * rank)]
        shape[2 + k], shape[2 + rank + k] = count[k], window[k]
        places = e.add(e.mul(places, extents[k]), s.reshape(inner, shape=tuple(shape)))
    size, total = math.prod(window), math.prod(count)
    flat = s.reshape(a, shape=(n, channels, math.prod(extents)))
    listed = s.reshape(places, shape=(n, channels, total * size))
    values = s.reshape(ix.gather_along(flat, listed, axis=2), shape=(n, channels, total, size))
    best = s.expand_dims(reductions.argmax(values, 3), axis=(3,))
    made = s.squeeze(ix.gather_along(values, best, axis=3), axis=(3,))
    where = s.squeeze(ix.gather_along(s.reshape(listed, shape=(n, channels, total, size)), best, axis=3), axis=(3,))
    whole = (n, channels, *count)
    return s.reshape(made, shape=whole), s.reshape(where, shape=whole)


def _pool(
    x: Any, kernel_size: Any, output_size: Any, output_ratio: Any, return_indices: Any, samples: Any, rank: int
) -> Any:
    a = as_array(x)
    if rank_of(a) not in (rank + 1, rank + 2):
        raise ValueError(f"Fractional max pooling takes an array of {rank + 1} or {rank + 2} axes, not {rank_of(a)}.")
    single = rank_of(a) == rank + 1
    a = s.expand_dims(a, axis=(0,)) if single else a
    extents = [static_int(evaluator().number(k), "an extent") for k in shape_of(a)[2:]]
    window, count = _extents(kernel_size, rank, "kernel_size"), _sizes(output_size, output_ratio, extents, rank)
    made = _pooled(a, window, count, samples, rank == 2)
    made = tuple(s.squeeze(v, axis=(0,)) for v in made) if single else made
    return made if evaluator().static(return_indices, "return_indices") else made[0]


@operator("fractional_max_pool2d")
def fractional_max_pool2d(
    input: Any,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: Any = False,
    _random_samples: Any = None,
) -> Any:
    """The maxima of windows of images (N, C, H, W) at random distances; with `return_indices` their places, too."""
    return _pool(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 2)


@operator("fractional_max_pool3d")
def fractional_max_pool3d(
    input: Any,
    kernel_size: Any,
    output_size: Any = None,
    output_ratio: Any = None,
    return_indices: Any = False,
    _random_samples: Any = None,
) -> Any:
    """The maxima of windows of volumes (N, C, D, H, W) at random distances; with `return_indices` their places, too."""
    return _pool(input, kernel_size, output_size, output_ratio, return_indices, _random_samples, 3)


@operator("FractionalMaxPoolWithFixedKsize")
def fractional_max_pool_fixed(
    input_x: Any, random_samples: Any, *, ksize: Any, output_shape: Any, data_format: Any = "NCHW"
) -> Any:
    """(the maxima of windows of images, their places)."""
    if data_format != "NCHW":
        raise ValueError(f"For 'FractionalMaxPoolWithFixedKsize', the data_format is 'NCHW', not {data_format!r}.")
    return _pool(input_x, ksize, output_shape, None, True, random_samples, 2)


@operator("FractionalMaxPool3DWithFixedKsize")
def fractional_max_pool3d_fixed(
    x: Any, random_samples: Any, *, ksize: Any, output_shape: Any, data_format: Any = "NCDHW"
) -> Any:
    """(the maxima of windows of volumes, their places in int32)."""
    if data_format != "NCDHW":
        raise ValueError(f"For 'FractionalMaxPool3DWithFixedKsize', the data_format is 'NCDHW', not {data_format!r}.")
    made, places = _pool(x, ksize, output_shape, None, True, random_samples, 3)
    return made, e.cast(places, dtype=i32)


def _bounds(extent: int, wanted: int, regular: bool, stream: Stream) -> Any:
    """Where each of so many windows begins, and the last one ends: their lengths differ by at most 1."""
    if regular:  # at equal distances from a random start, rounded up
        share = extent / wanted
        shift = sampling.uniform01((), f32, stream)
        number = e.cast(joining.iota(length=wanted + 1, dtype=i64), dtype=f32)
        places = e.cast(e.sub(e.ceil(e.mul(e.add(number, shift), share)), e.ceil(e.mul(shift, share))), dtype=i64)
        last = e.equal(joining.iota(length=wanted + 1, dtype=i64), wanted)
        return e.select(last, extent, e.minimum(places, extent - 1))
    short = extent // wanted
    order = sampling.permutation(wanted, i64, stream)
    lengths = e.add(e.cast(e.less(order, extent - short * wanted), dtype=i64), short)
    return shapes.concatenate((joining.full(as_array(0, i64), shape=(1,)), r.cumsum(lengths, axis=0)), 0)


def _pooled_along(a: Any, axis: int, bounds: Any, overlapping: bool, largest: bool) -> Any:
    """The largest elements or the sums of windows along one axis, and how many elements each has."""
    extent = image_extent(a, axis)
    count = static_int(evaluator().number(shape_of(bounds)[0]), "the number of windows") - 1
    longest = min(extent, extent // count + 2 + overlapping)
    first, end = (shapes.slice_axis(bounds, 0, k, count) for k in (0, 1))
    end = e.minimum(e.add(end, int(overlapping)), extent)
    places = e.add(s.expand_dims(first, axis=(1,)), joining.iota(length=longest, dtype=i64))
    inside = e.less(places, s.expand_dims(end, axis=(1,)))
    moved = shapes.moveaxis(a, axis, 0)
    rest = (1,) * (rank_of(a) - 1)
    read = ix.gather(moved, e.minimum(places, extent - 1), axis=0)
    mask = s.reshape(inside, shape=(count, longest, *rest))
    dtype = dtype_of_value(a)
    if largest:
        made = r.reduce_max(e.select(mask, read, as_array(-math.inf, dtype)), axis=(1,), keepdims=False)
    else:
        made = r.reduce_sum(e.select(mask, read, 0), axis=(1,), keepdims=False)
        made = e.div(made, s.reshape(e.cast(e.sub(end, first), dtype=dtype), shape=(count, *rest)))
    return shapes.moveaxis(made, 0, axis)


def _fractional(name: str, largest: bool) -> None:
    def pool(
        x: Any,
        *,
        pooling_ratio: Any,
        pseudo_random: Any = False,
        overlapping: Any = False,
        deterministic: Any = False,
        seed: Any = 0,
        seed2: Any = 0,
    ) -> Any:
        a = as_float(x)
        require_images(a, name)
        ratios = [float(v) for v in pooling_ratio]
        if len(ratios) != 4 or ratios[0] != 1 or ratios[3] != 1 or min(ratios) < 1:
            raise ValueError(
                f"For '{name}', the pooling_ratio must be (1.0, at least 1, at least 1, 1.0), not {ratios}."
            )
        if not deterministic and (seed or seed2):
            raise ValueError(f"For '{name}', seeds must be 0 unless deterministic.")
        stream = sampling.stream_of(seed, seed2)
        listed: list[Any] = []
        for axis in (1, 2):
            extent = image_extent(a, axis)
            bounds = _bounds(extent, max(1, int(extent / ratios[axis])), bool(pseudo_random), stream)
            listed.append(bounds)
            a = _pooled_along(a, axis, bounds, bool(overlapping), largest)
        return (a, *listed)

    how = "largest elements" if largest else "means"
    pool.__doc__ = f"(the {how} of windows whose lengths differ by at most 1, where they begin along H, and along W)."
    operator(name)(pool)


_fractional("FractionalMaxPool", True)
_fractional("FractionalAvgPool", False)
