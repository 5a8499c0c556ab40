"""numpy.pad: borders of constants, of the array's own elements (mirrored, repeated), of statistics of them, and
ramps; and MindSpore's padding of the last axis."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.library.array import borders, creation, indexing, sequences, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    category,
    dtype_of_value,
    evaluator,
    rank_of,
    shape_of,
    static_int,
    wrapped,
)
from jitcore.library.math import elementwise
from jitcore.library.math.elementwise import add, multiply, subtract
from jitcore.library.statistics import reductions
from jitcore.types import i64

_MIRRORS: Final = {"edge", "wrap", "reflect", "symmetric"}


def _pairs(given: Any, rank: int) -> list[tuple[Any, Any]]:
    """A value for both ends of every axis, given as one, as a pair for all axes, or as a pair each."""
    if not isinstance(given, list | tuple):
        return [(given, given)] * rank
    items = list(cast("Sequence[Any]", given))
    if items and not isinstance(items[0], list | tuple):
        if len(items) == 1:
            return [(items[0], items[0])] * rank
        if len(items) != 2:
            raise ValueError("a number, a pair, or a pair for each axis is needed")
        return [(items[0], items[1])] * rank
    pairs = [tuple(cast("Sequence[Any]", item)) for item in items]
    pairs = pairs * rank if len(pairs) == 1 else pairs
    if len(pairs) != rank:
        raise ValueError(f"{len(pairs)} pairs for an array of {rank} dimensions")
    return [(p[0], p[-1]) for p in pairs]


def pad(
    array: Any,
    pad_width: Any,
    mode: Any = "constant",
    stat_length: Any = None,
    constant_values: Any = 0,
    end_values: Any = 0,
    reflect_type: Any = "even",
    **kwargs: Any,
) -> Any:
    """An array with a border of `pad_width` elements: `mode` says what they are."""
    if mode == "constant" and not isinstance(constant_values, list | tuple):
        fill = constant_values if category(array) == "tensor" else _fill(constant_values, as_array(array))
        return shapes.pad(array, pad_width, fill)
    x = as_array(array)
    rank = rank_of(x)
    widths = _pairs(evaluator().static(pad_width, "the padding"), rank)
    if any(n < 0 for pair in widths for n in pair):
        raise ValueError("index can't contain negative values")
    if callable(mode):
        return _by_function(x, widths, mode, kwargs)
    if kwargs:
        raise ValueError(f"unsupported keyword arguments for mode '{mode}': {sorted(kwargs)}")
    values = _pairs(constant_values if mode == "constant" else end_values, rank)
    lengths = _pairs(stat_length, rank)
    for axis, (before, after) in enumerate(widths):
        if mode in _MIRRORS:
            x = _mirrored(x, axis, before, after, mode, reflect_type)
        elif mode == "constant":
            x = _joined(x, axis, (before, after), values[axis], _constant)
        elif mode == "linear_ramp":
            x = _ramps(x, axis, (before, after), values[axis])
        elif mode in _STATISTICS:
            x = _statistics(x, axis, (before, after), lengths[axis], mode)
        elif mode == "empty":
            x = _joined(x, axis, (before, after), (0, 0), _constant)
        else:
            raise ValueError(f"mode '{mode}' is not supported")
    return x


def _extent(x: Any, axis: int) -> int:
    return static_int(evaluator().number(shape_of(x)[axis]), "the extent of a padded axis")


def _border(x: Any, axis: int, width: int) -> tuple[Any, ...]:
    return (*shape_of(x)[:axis], width, *shape_of(x)[axis + 1 :])


def _fill(value: Any, x: Any) -> Any:
    """What a border holds: ints that an unsigned dtype does not hold wrap, for a signed one they raise
    OverflowError."""
    dtype = dtype_of_value(x)
    return wrapped(value, dtype) if dtype.kind == "u" else as_array(value, dtype)


def _constant(x: Any, axis: int, width: int, value: Any) -> Any:
    return creation.full(_border(x, axis, width), _fill(value, x))


def _joined(
    x: Any, axis: int, widths: tuple[int, int], values: tuple[Any, Any], make: Callable[[Any, int, int, Any], Any]
) -> Any:
    parts = [make(x, axis, n, v) for n, v in zip(widths, values, strict=True)]
    return shapes.concatenate([parts[0], x, parts[1]], axis)


def _mirrored(x: Any, axis: int, before: int, after: int, mode: str, reflect_type: Any) -> Any:
    if not before and not after:
        return x
    n = _extent(x, axis)
    if not n:
        raise ValueError(f"can't extend empty axis {axis} using modes other than 'constant' or 'empty'")
    places = np.arange(-before, n + after)
    if mode == "edge":
        return indexing.take(x, evaluator().constant(np.clip(places, 0, n - 1), i64), axis)
    if mode == "wrap":
        return indexing.take(x, evaluator().constant(places % n, i64), axis)
    if n == 1 and mode == "reflect":
        return indexing.take(x, evaluator().constant(np.zeros_like(places), i64), axis)
    gap = 1 if mode == "reflect" else 0  # the outermost element is not repeated
    period = n - gap
    rounds = places // period
    within = places % period
    forward = rounds % 2 == 0
    chosen = np.where(forward, within, n - 1 - within)
    made = indexing.take(x, evaluator().constant(chosen, i64), axis)
    if reflect_type != "odd":
        return made
    return _oddly(x, made, axis, rounds, forward)


def _oddly(x: Any, made: Any, axis: int, rounds: Any, forward: Any) -> Any:
    """Mirrored at the points (the ends) rather than at lines: each round goes on from where the last one ended."""
    n = _extent(x, axis)
    first, last = shapes.slice_axis(x, axis, 0, 1), shapes.slice_axis(x, axis, n - 1, 1)
    shape = tuple(-1 if k == axis else 1 for k in range(rank_of(x)))

    def line(values: Any) -> Any:
        return as_array(shapes.reshape(evaluator().constant(np.asarray(values), i64), *shape), dtype_of_value(x))

    # in round r the values are x + r (last - first), or first + last - x + r (last - first) where turned round
    climb = multiply(line(rounds), subtract(last, first))
    turned = add(subtract(add(first, last), made), climb)
    return elementwise.where(shapes.reshape(evaluator().constant(forward, None), *shape), add(made, climb), turned)


def _ramps(x: Any, axis: int, widths: tuple[int, int], ends: tuple[Any, Any]) -> Any:
    n = _extent(x, axis)
    edges = (shapes.slice_axis(x, axis, 0, 1), shapes.slice_axis(x, axis, n - 1, 1))
    shape = tuple(-1 if k == axis else 1 for k in range(rank_of(x)))
    parts: list[Any] = []
    for side, (width, end, edge) in enumerate(zip(widths, ends, edges, strict=True)):
        shares = np.arange(width) / max(width, 1)
        shares = shares if side == 0 else shares[::-1]
        share = as_array(shapes.reshape(evaluator().constant(shares, None), *shape), dtype_of_value(x))
        parts.append(add(multiply(share, subtract(edge, end)), as_array(end, dtype_of_value(x))))
    return shapes.concatenate([parts[0], x, parts[1]], axis)


def _median(x: Any, axis: int, keepdims: bool) -> Any:
    ordered = sequences.sort(x, axis)
    n = _extent(ordered, axis)
    middle = shapes.slice_axis(ordered, axis, (n - 1) // 2, 2 - n % 2)
    return reductions.mean(middle, axis, keepdims=keepdims)


_STATISTICS: Final[dict[Any, Callable[..., Any]]] = {
    "mean": lambda x, axis: reductions.mean(x, axis, keepdims=True),
    "maximum": lambda x, axis: reductions.max(x, axis, True),
    "minimum": lambda x, axis: reductions.min(x, axis, True),
    "median": lambda x, axis: _median(x, axis, True),
}


def _statistics(x: Any, axis: int, widths: tuple[int, int], lengths: tuple[Any, Any], mode: Any) -> Any:
    n = _extent(x, axis)
    parts: list[Any] = []
    for side, (width, length) in enumerate(zip(widths, lengths, strict=True)):
        count = n if length is None else min(int(length), n)
        part = shapes.slice_axis(x, axis, 0 if side == 0 else n - count, count)
        value = _STATISTICS[mode](part, axis)
        dtype = dtype_of_value(x)
        value = as_array(elementwise.rint(value) if not dtype.is_float else value, dtype)
        parts.append(shapes.broadcast_to(value, _border(x, axis, width)))
    return shapes.concatenate([parts[0], x, parts[1]], axis)


def _by_function(x: Any, widths: list[tuple[int, int]], function: Any, keywords: dict[str, Any]) -> Any:
    """Each vector along each axis as a function of (vector, widths, axis, keywords) makes it: in place, or by what it
    gives."""
    x = shapes.pad(x, widths, 0)
    for axis, pair in enumerate(widths):
        rest = shapes.moveaxis(x, axis, -1)
        shape = shape_of(rest)
        rows = shapes.unstack(shapes.reshape(rest, -1, shape[-1]), 0)
        made: list[Any] = []
        for row in rows:
            vector = elementwise.copy(row)
            given = function(vector, pair, axis, keywords)
            made.append(vector if given is None else given)
        x = shapes.moveaxis(shapes.reshape(shapes.stack(made, 0), *shape), -1, axis)
    return x


@operator("padding")
def padding(x: Any, pad_dim_size: Any = 8) -> Any:
    """The last axis, of one element, followed by zeros up to an extent."""
    a, extent = as_array(x), static_int(pad_dim_size, "pad_dim_size")
    if rank_of(a) < 2 or extent < 1:
        raise ValueError("For 'Padding', a Tensor of 2 dimensions and a positive pad_dim_size are needed.")
    return shapes.pad(a, [(0, 0)] * (rank_of(a) - 1) + [(0, extent - 1)])


@operator("Padding")
def padding_set_up(x: Any, *, pad_dim_size: Any = 8) -> Any:
    """As `padding`."""
    return padding(x, pad_dim_size)


@operator("mirror_pad")
def mirror_pad(input_x: Any, paddings: Any, mode: Any) -> Any:
    """x with a border that mirrors it."""
    return borders.mirror_pad(input_x, paddings, mode=mode)
