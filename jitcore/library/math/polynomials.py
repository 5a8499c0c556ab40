"""NumPy's functions of polynomials by their coefficients, the highest power's first."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    rank_of,
    shape_of,
    static_extent,
    static_int,
)
from jitcore.library.linalg import matrices, products
from jitcore.library.math import comparisons, elementwise
from jitcore.library.math.elementwise import add, multiply, subtract, true_divide
from jitcore.library.statistics import reductions, samples
from jitcore.types import DType, f64, i64


def _coefficients(p: Any) -> Any:
    return shapes.atleast_1d(as_array(p))


def _alike(a: Any, b: Any) -> tuple[Any, Any]:
    """Coefficients with zeros before the shorter ones."""
    x, y = _coefficients(a), _coefficients(b)
    more = static_extent(x, 0) - static_extent(y, 0)
    return shapes.pad(x, [(max(-more, 0), 0)]), shapes.pad(y, [(max(more, 0), 0)])


def polyadd(a1: Any, a2: Any) -> Any:
    """The coefficients of the sum of two polynomials, the highest first."""
    return add(*_alike(a1, a2))


def polysub(a1: Any, a2: Any) -> Any:
    """The coefficients of the difference of two polynomials."""
    return subtract(*_alike(a1, a2))


def polymul(a1: Any, a2: Any) -> Any:
    """The coefficients of the product of two polynomials."""
    if any(rank_of(as_array(p)) > 1 for p in (a1, a2)):
        raise ValueError("Polynomial must be 1d only.")
    whole = samples.convolve(a1, a2)
    zeros = add(_leading_zeros(a1), _leading_zeros(a2))
    places = creation.arange(evaluator().number(shape_of(whole)[0]))
    return indexing.getitem(whole, comparisons.greater_equal(places, zeros))


def _leading_zeros(p: Any) -> Any:
    """How many coefficients before the last one are zero, up to the first that is not."""
    a = shapes.atleast_1d(as_array(p))
    seen = reductions.cumsum(elementwise.astype(elementwise.truth(a), i64), 0)
    count = reductions.sum(comparisons.equal(seen, 0))
    return elementwise.minimum(count, evaluator().number(shape_of(a)[0] + -1))


def polyder(p: Any, m: Any = 1) -> Any:
    """The coefficients of the m-th derivative of a polynomial."""
    a = _coefficients(p)
    for _ in range(static_int(m, "the order of a derivative")):
        n = static_extent(a, 0)
        if n <= 1:
            return shapes.slice_axis(a, 0, 0, 0)
        powers = creation.arange(n - 1, 0, -1)
        a = multiply(shapes.slice_axis(a, 0, 0, n - 1), as_array(powers, dtype_of_value(a)))
    return a


def polyint(p: Any, m: Any = 1, k: Any = None) -> Any:
    """The coefficients of the m-th integral of a polynomial, with constants k."""
    a = reductions.as_float(as_array(p))
    a = shapes.atleast_1d(a)
    order = static_int(m, "the order of an integral")
    constants = [0.0] * order if k is None else list(k) if isinstance(k, tuple | list) else [k] * order
    for constant in constants:
        powers = creation.arange(static_extent(a, 0), 0, -1)
        end = shapes.reshape(as_array(constant, dtype_of_value(a)), 1)
        a = shapes.concatenate([true_divide(a, as_array(powers, dtype_of_value(a))), end], 0)
    return a


def vander(x: Any, N: Any = None, increasing: Any = False) -> Any:
    """The powers of each element, the highest first unless `increasing`."""
    a = as_array(x)
    if rank_of(a) != 1:
        raise ValueError("x must be a one-dimensional array or sequence.")
    count = static_extent(a, 0) if N is None else static_int(N, "the number of columns")
    powers = (
        creation.arange(count) if evaluator().static(increasing, "increasing") else creation.arange(count - 1, -1, -1)
    )
    return elementwise.power(shapes.expand_dims(a, 1), as_array(powers, _at_least_int(dtype_of_value(a))))


def _at_least_int(dtype: DType) -> DType:
    return dtype if dtype.is_integer or dtype.is_float else i64


def poly(seq_of_zeros: Any) -> Any:
    """The coefficients of the polynomial with these zeros."""
    zeros = shapes.atleast_1d(as_array(seq_of_zeros))
    if rank_of(zeros) != 1:
        raise TypeError("the characteristic polynomial of a matrix")
    if dtype_of_value(zeros).kind == "c":
        raise TypeError("the polynomial of complex zeros, which is real or not")
    zeros = zeros if dtype_of_value(zeros).is_float else as_array(zeros, f64)
    made = creation.ones(1, dtype_of_value(zeros))
    for zero in shapes.unstack(zeros):
        longer = shapes.pad(made, [(0, 1)])
        made = subtract(longer, shapes.pad(multiply(made, zero), [(1, 0)]))
    return made


def polyfit(x: Any, y: Any, deg: Any, rcond: Any = None, full: Any = False, w: Any = None, cov: Any = False) -> Any:
    """The coefficients of the polynomial of a degree that is nearest to points."""
    order = static_int(deg, "the degree") + 1
    if evaluator().static(full, "full") or evaluator().static(cov, "cov") is not False:
        raise TypeError("polyfit with more than coefficients")
    at, values = as_array(as_array(x), f64), as_array(as_array(y), f64)
    if order < 1:
        raise ValueError("expected deg >= 0")
    if rank_of(at) != 1:
        raise TypeError("expected 1D vector for x")
    rows = vander(at, order)
    if w is not None:
        weights = as_array(as_array(w), f64)
        rows = multiply(rows, shapes.expand_dims(weights, 1))
        values = multiply(values, shapes.expand_dims(weights, 1) if rank_of(values) == 2 else weights)
    scale = elementwise.sqrt(reductions.sum(multiply(rows, rows), 0))
    share = static_extent(at, 0) * float(np.finfo(np.float64).eps) if rcond is None else rcond
    made = products.matmul(matrices.pinv(true_divide(rows, scale), share), values)
    return true_divide(made, shapes.expand_dims(scale, 1) if rank_of(values) == 2 else scale)


TABLE: Final[dict[Any, Callable[..., Any]]] = {
    np.polyadd: polyadd, np.polysub: polysub, np.polymul: polymul, np.polyder: polyder, np.polyint: polyint,
    np.vander: vander, np.poly: poly, np.polyfit: polyfit,
}  # fmt: skip
"""By NumPy's function."""


# --- order of axes and elements -----------------------------------------------------------------------


def polyval(p: Any, x: Any) -> Any:
    """The value of a polynomial at x, the highest power's coefficient first."""
    coefficients = shapes.unstack(as_array(p))
    at = as_array(x)
    total: Any = creation.zeros_like(at)
    for coefficient in coefficients:
        total = elementwise.add(elementwise.multiply(total, at), coefficient)
    return total
