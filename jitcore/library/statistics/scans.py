"""Running sums, products and extremes."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.array import creation, indexing, sequences, shapes
from jitcore.library.core.declarations import in_constructor, operator
from jitcore.library.core.values import as_array, dtype_of_value, normal_axis, rank_of, shape_of
from jitcore.library.statistics import reductions
from jitcore.library.statistics.axis_reductions import widened
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import scans, transcendental
from jitcore.primitives.ops import shape as s


@operator("CumSum")
def cum_sum(input: Any, axis: Any, *, exclusive: Any = False, reverse: Any = False) -> Any:
    """The running sum; `exclusive` leaves the element itself out, `reverse` starts at the end."""
    a = as_array(input)
    k = normal_axis(axis, rank_of(a))
    summed = r.cumsum(a, axis=k, reverse=bool(reverse))
    return scans.shifted(summed, k, -1 if reverse else 1) if exclusive else summed


@operator("cumsum .cumsum")
def cumsum(x: Any, axis: Any = None, dtype: Any = None) -> Any:
    """The running sum along `axis`."""
    return reductions.cumsum(x, axis, dtype)


@operator("cumsum_ext")
def cumsum_ext(input: Any, dim: Any, dtype: Any = None) -> Any:
    """The sums of the elements up to each along an axis."""
    return reductions.cumsum(input, dim, widened(input, dtype))


@operator("CumProd")
def cum_prod(x: Any, axis: Any, *, exclusive: Any = False, reverse: Any = False) -> Any:
    """The running product; `exclusive` leaves the element itself out, `reverse` starts at the end."""
    a = as_array(x)
    k = normal_axis(axis, rank_of(a))
    if not exclusive:
        return sequences.running_product(a, k, bool(reverse))
    ones = creation.ones_like(shapes.slice_axis(a, k, 0, 1)) if shape_of(a)[k] != 0 else a
    rest = shapes.slice_axis(a, k, 1 if reverse else 0, shape_of(a)[k] + -1) if shape_of(a)[k] != 0 else a
    parts = [rest, ones] if reverse else [ones, rest]
    return sequences.running_product(shapes.concatenate(parts, k), k, bool(reverse))


@operator("cumprod .cumprod")
def cumprod(input: Any, dim: Any, dtype: Any = None) -> Any:
    """The running product along `dim`."""
    a = as_array(as_array(input), reductions.sum_dtype(as_array(input), dtype))
    return sequences.running_product(a, normal_axis(dim, rank_of(a)))


def _running(names: str, smallest: bool) -> None:
    def extreme(input: Any, axis: Any) -> Any:
        a = as_array(input)
        k = normal_axis(axis, rank_of(a))
        place = scans.running_extreme(a, axis=k, smallest=smallest)
        return indexing.take_along_axis(a, place, k), place

    extreme.__doc__ = f"(the {'smallest' if smallest else 'largest'} elements so far, their places)."
    operator(names)(extreme)
    in_constructor(names.split()[0].capitalize(), extreme, "axis")


_running("cummax .cummax", smallest=False)
_running("cummin .cummin", smallest=True)


@operator("logcumsumexp .logcumsumexp")
def logcumsumexp(input: Any, axis: Any) -> Any:
    """log of the running sum of exp(x); each line is scaled by its largest element."""
    a = as_float(input)
    k = normal_axis(axis, rank_of(a))
    top = e.stop_gradient(reductions.max(a, k, True))
    top = e.select(e.isfinite(top), top, 0)
    return e.add(transcendental.log(r.cumsum(transcendental.exp(e.sub(a, top)), axis=k)), top)


@operator("CumulativeLogsumexp")
def cumulative_logsumexp(x: Any, axis: Any, *, exclusive: Any = False, reverse: Any = False) -> Any:
    """log of the running sum of exp(x), from the end if `reverse`."""
    a = as_float(x)
    k = normal_axis(axis, rank_of(a))
    turned = shapes.flip(a, k) if reverse else a
    made = logcumsumexp(turned, k)
    if exclusive:  # of nothing, what MindSpore gives: the lowest number
        lowest = float(np.finfo(dtype_of_value(a).numpy.name).min)
        first = e.add(e.mul(shapes.slice_axis(turned, k, 0, 1), 0), lowest)
        made = shapes.concatenate((first, shapes.slice_axis(made, k, 0, shape_of(made)[k] + -1)), k)
    return shapes.flip(made, k) if reverse else made


@operator("cumulative_trapezoid")
def cumulative_trapezoid(y: Any, x: Any = None, dx: Any = 1.0, dim: Any = -1) -> Any:
    """The running integral along an axis by the trapezoidal rule."""
    a = as_float(y)
    k = normal_axis(dim, rank_of(a))
    rest = shape_of(a)[k] + -1
    pairs = e.add(shapes.slice_axis(a, k, 0, rest), shapes.slice_axis(a, k, 1, rest))
    if x is None:
        steps: Any = float(dx)
    else:
        b = as_array(as_float(x), dtype_of_value(a))
        axis = 0 if rank_of(b) == 1 else k
        steps = e.sub(shapes.slice_axis(b, axis, 1, rest), shapes.slice_axis(b, axis, 0, rest))
        if rank_of(b) == 1 and rank_of(a) > 1:
            steps = s.reshape(steps, shape=tuple(rest if j == k else 1 for j in range(rank_of(a))))
    return r.cumsum(e.mul(e.mul(pairs, steps), 0.5), axis=k)
