"""Whether arrays are equal, or nearly."""

from __future__ import annotations

from typing import Any

from jitcore.library.core.values import as_array, evaluator, promote, rank_of, shape_of
from jitcore.library.math import comparisons, elementwise
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.types import broadcast_shapes


def array_equiv(a1: Any, a2: Any) -> Any:
    """Whether two arrays are equal once broadcast."""
    x, y = as_array(a1), as_array(a2)
    try:
        broadcast_shapes(shape_of(x), shape_of(y))
    except ValueError:
        return False
    return elementwise.number(reductions.all(comparisons.equal(x, y)))


def isclose(x: Any, y: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether |x - y| <= atol + rtol * |y|, infinities being close to themselves."""
    a, b = promote("div", x, y)
    near = e.less_equal(e.abs(e.sub(a, b)), e.add(e.mul(e.abs(b), rtol), atol))
    near = e.bitwise_or(e.bitwise_and(near, e.isfinite(b)), e.equal(a, b))
    if evaluator().static(equal_nan, "equal_nan"):
        near = e.bitwise_or(near, e.bitwise_and(e.isnan(a), e.isnan(b)))
    return near


def allclose(x: Any, y: Any, rtol: Any = 1e-05, atol: Any = 1e-08, equal_nan: Any = False) -> Any:
    """Whether all elements are close: a bool."""
    return elementwise.number(reductions.all(isclose(x, y, rtol, atol, equal_nan)))


def array_equal(x: Any, y: Any, equal_nan: Any = False) -> Any:
    """Whether two arrays have one shape and equal elements: a bool."""
    a, b = as_array(x), as_array(y)
    if rank_of(a) != rank_of(b):
        return False
    if any(isinstance(m, int) and isinstance(n, int) and m != n for m, n in zip(shape_of(a), shape_of(b), strict=True)):
        return False
    if any(m is not n and m != n for m, n in zip(shape_of(a), shape_of(b), strict=True)):
        raise TypeError("array_equal of arrays whose extents are known at run time only")
    same = comparisons.equal(a, b)
    if evaluator().static(equal_nan, "equal_nan"):
        same = e.bitwise_or(same, e.bitwise_and(comparisons.isnan(a), comparisons.isnan(b)))
    return elementwise.number(reductions.all(same))
