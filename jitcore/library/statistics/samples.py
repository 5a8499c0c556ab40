"""NumPy's functions of samples and signals: covariance, histograms, convolution, interpolation, differences,
windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.library.array import arrangement, creation, indexing, sequences, shapes
from jitcore.library.core.values import (
    as_array,
    category,
    dtype_of_value,
    evaluator,
    is_array,
    is_empty,
    normal_axis,
    rank_of,
    require_equal,
    shape_of,
    static_extent,
    static_int,
)
from jitcore.library.linalg import products
from jitcore.library.math import comparisons, elementwise
from jitcore.library.math.elementwise import add, multiply, subtract, true_divide
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import conversions
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import shape as s
from jitcore.types import bool_, dim_max, f64, i64


def _float(x: Any) -> Any:
    return reductions.as_float(as_array(x))


# --- windows ------------------------------------------------------------------------------------------


def window(make: Callable[[int], Any]) -> Callable[..., Any]:
    """NumPy's function of a length that gives a window."""

    def function(M: Any) -> Any:
        return evaluator().constant(make(static_int(M, "the length of a window")), f64)

    function.__doc__ = make.__doc__
    return function


# --- spread -------------------------------------------------------------------------------------------


def cov(
    m: Any, y: Any = None, rowvar: Any = True, bias: Any = False, ddof: Any = None,
    fweights: Any = None, aweights: Any = None
) -> Any:  # fmt: skip
    """The covariance matrix of variables, one a row (a column without `rowvar`)."""
    x = _wide(m)
    if rank_of(x) > 2:
        raise ValueError("m has more than 2 dimensions")
    x = _variables(x, rowvar)
    if y is not None:
        x = shapes.concatenate([x, _variables(_wide(y), rowvar)], 0)
    less = (0 if bias else 1) if ddof is None else static_int(ddof, "ddof")
    if fweights is not None and not dtype_of_value(as_array(fweights)).is_integer:
        raise TypeError("fweights that are no ints")  # which may be whole numbers
    weights: Any = None
    for given in (fweights, aweights):
        if given is not None:
            weights = given if weights is None else multiply(as_array(given), as_array(weights))
    if weights is None:
        mean = reductions.mean(x, 1, keepdims=True)
        norm: Any = evaluator().number(dim_max(shape_of(x)[1] + -less, 0))
        centred = subtract(x, mean)
        right = centred
    else:
        w = as_array(weights, dtype_of_value(x))
        total = reductions.sum(w)
        centred = subtract(x, shapes.expand_dims(true_divide(products.matmul(x, w), total), 1))
        right = multiply(centred, w)
        counted = multiply(w, as_array(aweights, dtype_of_value(x))) if aweights is not None else w
        norm = subtract(total, true_divide(multiply(less, reductions.sum(counted)), total))
    made = true_divide(products.matmul(centred, shapes.transpose(right)), norm)
    return shapes.squeeze(made)


def _wide(x: Any) -> Any:
    """x as floats; those of an ndarray as float64 at least."""
    a = _float(x)
    return as_array(a, f64) if category(a) != "tensor" and dtype_of_value(a).is_float else a


def _variables(x: Any, rowvar: Any) -> Any:
    if rank_of(x) < 2:
        return shapes.reshape(x, 1, -1)
    one_row = shape_of(x)[0] == 1
    return shapes.transpose(x) if not rowvar and not one_row else x


def corrcoef(x: Any, y: Any = None, rowvar: Any = True) -> Any:
    """The correlation coefficients of variables, one a row."""
    c = cov(x, y, rowvar)
    if not rank_of(c):
        return true_divide(c, c)
    spread = elementwise.sqrt(shapes.diagonal(c))
    made = true_divide(true_divide(c, shapes.expand_dims(spread, 1)), spread)
    return elementwise.clip(made, -1, 1)


# --- histograms ---------------------------------------------------------------------------------------


def digitize(x: Any, bins: Any, right: Any = False) -> Any:
    """The number of the bin between edges that each element falls into."""
    edges = as_array(bins)
    if not static_extent(edges, 0):
        return creation.zeros_like(x, i64)
    falls = _rises(shapes.flip(edges, 0))
    steady = elementwise.logical_or(reductions.all(_rises(edges)), reductions.all(falls))
    _require(steady, "bins must be monotonically increasing or decreasing")
    side = "left" if evaluator().static(right, "right") else "right"
    ascending = sequences.searchsorted(edges, x, side=side)
    count = static_extent(edges, 0)
    descending = subtract(count, sequences.searchsorted(shapes.flip(edges, 0), x, side=side))
    first = indexing.take(edges, 0, 0)
    last = indexing.take(edges, count - 1, 0)
    return elementwise.where(comparisons.greater(first, last), descending, ascending)


def histogram_bin_edges(a: Any, bins: Any = 10, range: Any = None, weights: Any = None) -> Any:
    """The edges of bins of equal width, or those given."""
    del weights
    if is_array(bins) or isinstance(bins, tuple | list):
        edges = as_array(bins)
        if rank_of(edges) != 1:
            raise ValueError("`bins` must be 1d, when an array")
        _require(reductions.all(_rises(edges)), "`bins` must increase monotonically, when an array")
        return edges
    if isinstance(bins, str):
        raise TypeError("bins named by a rule")
    count = static_int(bins, "the number of bins")
    if count < 1:
        raise ValueError("`bins` must be positive, when an integer")
    x = shapes.ravel(_float(a))
    if range is None and shape_of(x)[0] == 0:
        low, high = as_array(0, dtype_of_value(x)), as_array(1, dtype_of_value(x))
    elif range is None:
        low, high = _ends(x)
        _require(
            elementwise.logical_and(comparisons.isfinite(low), comparisons.isfinite(high)),
            "autodetected range of [{0}, {1}] is not finite",
            *(conversions.to_scalar(as_array(v, f64)) for v in (low, high)),
        )
    else:
        low, high = (as_array(v, dtype_of_value(x)) for v in range)
    flat = comparisons.equal(low, high)
    low, high = elementwise.where(flat, subtract(low, 0.5), low), elementwise.where(flat, add(high, 0.5), high)
    return elementwise.astype(creation.linspace(low, high, count + 1), dtype_of_value(x))


def _ends(x: Any) -> tuple[Any, Any]:
    """The smallest and largest element of a flat array; 0 and 1 if there are none."""
    none = is_empty(x)
    if none is False:
        return reductions.min(x), reductions.max(x)
    dtype = dtype_of_value(x)
    low, high = (shapes.concatenate([x, creation.full((1,), v, dtype)], 0) for v in (np.inf, -np.inf))
    empty = as_array(none, bool_)
    return elementwise.where(empty, 0, reductions.min(low)), elementwise.where(empty, 1, reductions.max(high))


def _rises(edges: Any) -> Any:
    """Whether each edge is not below the one before."""
    between = dim_max(shape_of(edges)[0] + -1, 0)
    return comparisons.less_equal(shapes.slice_axis(edges, 0, 0, between), shapes.slice_axis(edges, 0, 1, between))


def _require(held: Any, message: str, *values: Any) -> None:
    """Raise ValueError unless something is true."""
    conversions.check(conversions.to_scalar(as_array(held)), *values, exception="ValueError", message=message)


def _counts(places: Any, inside: Any, weights: Any, length: int) -> Any:
    """How many times each place occurs, or the sum of the weights there."""
    chosen = elementwise.where(inside, places, length)
    counted = creation.ones_like(chosen, i64) if weights is None else as_array(weights, f64)
    zeros = creation.zeros(length + 1, dtype_of_value(counted))
    return shapes.slice_axis(ix.scatter_add(zeros, chosen, counted, axis=0), 0, 0, length)


def _bin_of(x: Any, edges: Any) -> tuple[Any, Any]:
    """(the bin of each element, whether it is in one). The last edge belongs to the last bin."""
    count = static_extent(edges, 0)
    place = subtract(sequences.searchsorted(edges, x, side="right"), 1)
    last = indexing.take(edges, count - 1, 0)
    place = elementwise.where(comparisons.equal(x, last), count - 2, place)
    inside = elementwise.logical_and(comparisons.greater_equal(place, 0), comparisons.less_equal(x, last))
    return elementwise.clip(place, 0, count - 2), inside


def histogram(a: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None) -> tuple[Any, Any]:
    """(how many elements fall into each bin, the edges of the bins)."""
    edges = histogram_bin_edges(a, bins, range)
    x = shapes.ravel(as_array(a))
    place, inside = _bin_of(x, edges)
    held = None
    if weights is not None:
        for m, n in zip(shape_of(as_array(a)), shape_of(as_array(weights)), strict=True):
            require_equal(m, n, "weights should have the same shape as a.")
        held = shapes.ravel(as_array(weights))
    counts = _counts(place, inside, held, static_extent(edges, 0) - 1)
    if density:
        share = true_divide(counts, reductions.sum(counts))
        return true_divide(share, arrangement.diff(edges)), edges
    return counts, edges


def histogramdd(
    sample: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Any, list[Any]]:
    """(how many points (N, D) fall into each bin of D dimensions, the edges of the bins of each)."""
    columns = list(sample) if isinstance(sample, tuple | list) else shapes.unstack(arrangement.atleast_2d(sample), 1)
    rows = (
        bins
        if isinstance(bins, tuple | list)
        else shapes.unstack(bins)
        if is_array(bins) and rank_of(bins) > 1
        else None
    )
    given = [bins] * len(columns) if rows is None else list(rows)
    if len(given) != len(columns):
        raise ValueError("The dimension of bins must be equal to the dimension of the sample x.")
    spans = [None] * len(columns) if range is None else range
    edges = [histogram_bin_edges(c, b, r) for c, b, r in zip(columns, given, spans, strict=True)]
    total: Any = None
    within: Any = None
    extents = [static_extent(edge, 0) - 1 for edge in edges]
    for column, edge, extent in zip(columns, edges, extents, strict=True):
        place, inside = _bin_of(shapes.ravel(as_array(column)), edge)
        total = place if total is None else add(multiply(total, extent), place)
        within = inside if within is None else elementwise.logical_and(within, inside)
    held = None
    if weights is not None:
        held = as_array(weights)
        if rank_of(held) != 1:
            raise ValueError("object too deep for desired array")
        require_equal(shape_of(total)[0], shape_of(held)[0], "The weights and list don't have the same length.")
    counts = _counts(total, within, held, int(np.prod(extents)))
    made = shapes.reshape(elementwise.astype(counts, f64), *extents)
    if density:
        made = true_divide(made, reductions.sum(made))
        for k, edge in enumerate(edges):
            shape = [1] * len(edges)
            shape[k] = extents[k]
            made = true_divide(made, shapes.reshape(arrangement.diff(edge), *shape))
    return made, edges


def histogram2d(
    x: Any, y: Any, bins: Any = 10, range: Any = None, density: Any = None, weights: Any = None
) -> tuple[Any, Any, Any]:
    """(how many points fall into each bin, the edges along x, the edges along y)."""
    sizes = [as_array(v) for v in (x, y)]
    if all(rank_of(v) for v in sizes):
        require_equal(shape_of(sizes[0])[0], shape_of(sizes[1])[0], "x and y must have the same length.")
    counts, (along_x, along_y) = histogramdd([x, y], bins, range, density, weights)
    return counts, along_x, along_y


# --- signals ------------------------------------------------------------------------------------------


def convolve(a: Any, v: Any, mode: Any = "full") -> Any:
    """The discrete convolution of two vectors."""
    x, w = shapes.atleast_1d(as_array(a)), shapes.atleast_1d(as_array(v))
    if rank_of(x) != 1 or rank_of(w) != 1:
        raise ValueError("object too deep for desired array")
    n, m = static_extent(x, 0), static_extent(w, 0)
    if not n or not m:
        raise ValueError("a cannot be empty" if not n else "v cannot be empty")
    if mode not in ("full", "same", "valid"):
        raise ValueError(f"mode must be one of 'valid', 'same', or 'full' (got {mode!r})")
    if m > n:
        x, w, n, m = w, x, m, n
    padded = shapes.pad(x, [(m - 1, m - 1)])
    places = evaluator().constant(np.arange(n + m - 1)[:, None] + np.arange(m), i64)
    made = products.matmul(indexing.take(padded, places, 0), shapes.flip(w, 0))
    if mode == "full":
        return made
    start, length = ((m - 1) // 2, n) if mode == "same" else (m - 1, n - m + 1)
    return shapes.slice_axis(made, 0, start, length)


def correlate(a: Any, v: Any, mode: Any = "valid") -> Any:
    """The cross-correlation of two vectors."""
    x, w = shapes.atleast_1d(as_array(a)), elementwise.conjugate(shapes.atleast_1d(as_array(v)))
    n, m = static_extent(x, 0), static_extent(w, 0)
    if mode == "same" and m > n:  # NumPy counts from the other end then
        whole = convolve(x, shapes.flip(w, 0), "full")
        return shapes.slice_axis(whole, 0, n // 2, m)
    return convolve(x, shapes.flip(w, 0), mode)


def interp(x: Any, xp: Any, fp: Any, left: Any = None, right: Any = None) -> Any:
    """Values at x of the straight lines through the points (xp, fp), xp rising."""
    at, places, values = _float(x), _float(xp), _float(fp)
    require_equal(shape_of(places)[0], shape_of(values)[0], "fp and xp are not of the same length.")
    count = static_extent(places, 0)
    above = elementwise.clip(sequences.searchsorted(places, at, side="right"), 1, max(count - 1, 1))
    below = subtract(above, 1)
    above = elementwise.minimum(above, count - 1)
    x0, x1 = indexing.take(places, below, 0), indexing.take(places, above, 0)
    y0, y1 = indexing.take(values, below, 0), indexing.take(values, above, 0)
    width = subtract(x1, x0)
    steady = comparisons.equal(width, 0)
    slope = true_divide(subtract(y1, y0), elementwise.where(steady, 1.0, width))
    made = add(y0, multiply(slope, subtract(at, x0)))
    first, last = indexing.take(places, 0, 0), indexing.take(places, count - 1, 0)
    low = indexing.take(values, 0, 0) if left is None else left
    high = indexing.take(values, count - 1, 0) if right is None else right
    made = elementwise.where(comparisons.less(at, first), low, made)
    exact = elementwise.where(comparisons.equal(at, last), indexing.take(values, count - 1, 0), made)
    return elementwise.where(comparisons.greater(at, last), high, exact)


def gradient(f: Any, *varargs: Any, axis: Any = None, edge_order: Any = 1) -> Any:
    """The differences of neighbours over their distance, central ones inside: one array for each axis."""
    x = _float(f)
    rank = rank_of(x)
    axes = (
        range(rank)
        if axis is None
        else [normal_axis(k, rank) for k in (axis if isinstance(axis, tuple | list) else (axis,))]
    )
    axes = list(axes)
    if static_int(edge_order, "edge_order") not in (1, 2):
        raise ValueError("'edge_order' greater than 2 not supported")
    steps = list(varargs) if len(varargs) > 1 else [varargs[0] if varargs else 1.0] * len(axes)
    if len(steps) != len(axes):
        raise TypeError("invalid number of arguments")
    made = [as_array(_slopes(x, k, step, edge_order), dtype_of_value(x)) for k, step in zip(axes, steps, strict=True)]
    return made[0] if len(made) == 1 else tuple(made)


def _slopes(x: Any, axis: int, step: Any, edge_order: int) -> Any:
    n = static_extent(x, axis)
    if n < edge_order + 1:
        raise ValueError(
            "Shape of array too small to calculate a numerical gradient, at least "
            "(edge_order + 1) elements are required."
        )
    if (is_array(step) and rank_of(step)) or isinstance(step, tuple | list):
        raise TypeError("np.gradient with places of the elements")

    def part(start: int, length: int = 1) -> Any:
        return shapes.slice_axis(x, axis, start, length)

    inner = true_divide(subtract(part(2, n - 2), part(0, n - 2)), multiply(2.0, step))
    if edge_order == 1:
        first, last = subtract(part(1), part(0)), subtract(part(n - 1), part(n - 2))
    else:
        first = subtract(subtract(multiply(2.0, part(1)), multiply(1.5, part(0))), multiply(0.5, part(2)))
        last = add(subtract(multiply(1.5, part(n - 1)), multiply(2.0, part(n - 2))), multiply(0.5, part(n - 3)))
    return shapes.concatenate([true_divide(first, step), inner, true_divide(last, step)], axis)


def unwrap(p: Any, discont: Any = None, axis: Any = -1, *, period: Any = 2 * np.pi) -> Any:
    """Angles with multiples of the period added, so that neighbours are no more than half of it apart."""
    x = _float(p)
    k = normal_axis(axis, rank_of(x))
    steps = _float(arrangement.diff(as_array(p), axis=k))  # of ints in their own dtype
    half = true_divide(period, 2)
    folded = subtract(elementwise.remainder(add(steps, half), period), half)
    up = elementwise.logical_and(comparisons.equal(folded, elementwise.negative(half)), comparisons.greater(steps, 0))
    folded = elementwise.where(up, half, folded)
    change = subtract(folded, steps)
    bound = half if discont is None else elementwise.maximum(half, discont)
    change = elementwise.where(comparisons.less(elementwise.absolute(steps), bound), 0.0, change)
    n = static_extent(x, k)
    later = add(shapes.slice_axis(x, k, 1, n - 1), reductions.cumsum(change, k))
    return shapes.concatenate([shapes.slice_axis(x, k, 0, 1), later], k)


TABLE: Final[dict[Any, Callable[..., Any]]] = {
    **{make: window(make) for make in (np.bartlett, np.blackman, np.hamming, np.hanning)},
    np.cov: cov, np.corrcoef: corrcoef,
    np.histogram_bin_edges: histogram_bin_edges, np.histogram: histogram, np.histogramdd: histogramdd,
    np.histogram2d: histogram2d, np.convolve: convolve, np.correlate: correlate, np.gradient: gradient,
    np.unwrap: unwrap,
}  # fmt: skip
"""By NumPy's function."""

SCALARS: Final[dict[Any, Callable[..., Any]]] = {
    np.digitize: digitize, np.interp: interp,
}  # fmt: skip
"""Those whose results of no dimensions are NumPy scalars."""


# --- reductions ---------------------------------------------------------------------------------------


def trapezoid(y: Any, x: Any = None, dx: Any = 1.0, axis: Any = -1) -> Any:
    """The integral by trapezoids."""
    a = as_array(y)
    k = normal_axis(axis, rank_of(a))
    if x is not None:
        points = as_array(x)
        along = 0 if rank_of(points) == 1 else normal_axis(axis, rank_of(points))
        dx = arrangement.diff(points, axis=along)
        if rank_of(points) == 1:
            dx = s.expand_dims(dx, axis=tuple(range(1, rank_of(a) - k))) if k < rank_of(a) - 1 else dx
    between = dim_max(shape_of(a)[k] + -1, 0)
    sums = elementwise.add(shapes.slice_axis(a, k, 1, between), shapes.slice_axis(a, k, 0, between))
    return reductions.sum(elementwise.true_divide(elementwise.multiply(sums, dx), 2.0), k)
