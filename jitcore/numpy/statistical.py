"""The standard's reductions, running sums and differences.

Reductions are over axes: one, several, none (`()`), or all (None). Options that NumPy's functions have besides
(`where`, `initial`, of deviations `ddof`) are taken by keyword. Raises numpy.exceptions.AxisError (a ValueError and an
IndexError) for axes that are not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore.library.array import arrangement, creation, sequences, shapes
from jitcore.library.core.marking import library
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, normal_axes, normal_axis, rank_of, shape_of
from jitcore.library.math import elementwise
from jitcore.library.statistics import reductions, weighted
from jitcore.numpy.arguments import Array, Axes, DTypeLike, Operand
from jitcore.numpy.reducing import along, sum_dtype
from jitcore.primitives.ops import reductions as r
from jitcore.types import DType

_sum: Final = weighted.summation(reductions.sum, elementwise.add, 0)
_prod: Final = weighted.summation(reductions.prod, elementwise.multiply, 1)
_max: Final = weighted.bounded_reduction(reductions.max, r.reduce_max, elementwise.maximum)
_min: Final = weighted.bounded_reduction(reductions.min, r.reduce_min, elementwise.minimum)
_all: Final = weighted.truths(reductions.all, True)
_any: Final = weighted.truths(reductions.any, False)
_var: Final = weighted.spread(False)


def _with(function: Callable[..., Any], **options: object) -> Callable[[Any, Any, bool], Any]:
    def reduce(x: Array, axis: Axes, keepdims: bool) -> Any:
        return function(x, axis=axis, keepdims=keepdims, **options)

    return reduce


@library("tensor")
def sum(x: Array, /, axis: Axes = None, dtype: DTypeLike = None, *, keepdims: bool = False, **options: object) -> Any:
    """The sum, of ints as int64 or uint64, of floats in their dtype, unless another is given; 0 of no elements.

    >>> import jitcore.numpy as xp
    >>> print(xp.sum(xp.asarray([[1, 2], [3, 4]]), axis=0))
    [4 6]
    """
    return along(_with(_sum, dtype=sum_dtype(x, dtype), **options), x, axis, keepdims)


@library("tensor")
def prod(x: Array, /, axis: Axes = None, dtype: DTypeLike = None, *, keepdims: bool = False, **options: object) -> Any:
    """The product, in the dtype that `sum` adds in; 1 of no elements."""
    return along(_with(_prod, dtype=sum_dtype(x, dtype), **options), x, axis, keepdims)


@library("tensor")
def max(x: Array, /, axis: Axes = None, *, keepdims: bool = False, **options: object) -> Any:
    """The largest element; NaN if there is one. Raises ValueError of no elements."""
    return along(_with(_max, **options), x, axis, keepdims)


@library("tensor")
def min(x: Array, /, axis: Axes = None, *, keepdims: bool = False, **options: object) -> Any:
    """The smallest element; NaN if there is one. Raises ValueError of no elements."""
    return along(_with(_min, **options), x, axis, keepdims)


@library("tensor")
def all(x: Array, /, axis: Axes = None, *, keepdims: bool = False, **options: object) -> Any:
    """Whether all elements are true (not zero), as bool; of no elements, too."""
    return along(_with(_all, **options), x, axis, keepdims)


@library("tensor")
def any(x: Array, /, axis: Axes = None, *, keepdims: bool = False, **options: object) -> Any:
    """Whether an element is true (not zero), as bool."""
    return along(_with(_any, **options), x, axis, keepdims)


@library("tensor")
def mean(x: Array, /, axis: Axes = None, dtype: DTypeLike = None, *, keepdims: bool = False, **options: object) -> Any:
    """The mean, in the dtype of the elements unless another is given (of ints float32); NaN of no elements."""
    own = dtype_of_value(as_array(x))
    wanted = own if dtype is None and own.kind in "fc" else dtype
    return along(_with(weighted.mean, dtype=wanted, **options), x, axis, keepdims)


@library("tensor")
def var(
    x: Array, /, axis: Axes = None, *, correction: float | None = None, keepdims: bool = False, **options: object
) -> Any:
    """The mean square deviation from the mean, divided by the number of elements less `correction` (0, if it is not
    given).

    >>> import jitcore.numpy as xp
    >>> print(xp.var(xp.asarray([1.0, 3.0]), correction=1))
    2.0
    """
    return along(_variance(correction, options), x, axis, keepdims)


@library("tensor")
def std(
    x: Array, /, axis: Axes = None, *, correction: float | None = None, keepdims: bool = False, **options: object
) -> Any:
    """The square root of `var`."""
    return elementwise.sqrt(along(_variance(correction, options), x, axis, keepdims))


def _variance(correction: float | None, options: dict[str, object]) -> Callable[[Any, Any, bool], Any]:
    less = None if correction is None else evaluator().static(correction, "correction")
    if less is None or less == int(less):
        return _with(_var, correction=None if less is None else int(less), **options)

    def reduce(x: Array, axis: Axes, keepdims: bool) -> Any:
        found = _var(x, axis=axis, keepdims=keepdims, **options)
        number = as_array(evaluator().number(reductions.count(x, normal_axes(axis, rank_of(x)))), dtype_of_value(found))
        rest = elementwise.maximum(elementwise.subtract(number, less), 0)
        return elementwise.true_divide(elementwise.multiply(found, number), rest)

    return reduce


# --- along an axis ----------------------------------------------------------------------------------------


@library("tensor")
def cumulative_sum(
    x: Array, /, *, axis: int | None = None, dtype: DTypeLike = None, include_initial: bool = False
) -> Any:
    """The running sum along an axis, which may be left out if there is one only, in the dtype that `sum` adds in; with
    `include_initial` 0 comes first.

    >>> import jitcore.numpy as xp
    >>> print(xp.cumulative_sum(xp.asarray([1, 2, 3]), include_initial=True))
    [0 1 3 6]
    """
    return _cumulative(reductions.cumsum, 0, x, axis, sum_dtype(x, dtype), include_initial)


@library("tensor")
def cumulative_prod(
    x: Array, /, *, axis: int | None = None, dtype: DTypeLike = None, include_initial: bool = False
) -> Any:
    """The running product along an axis, which may be left out if there is one only, in the dtype that `sum` adds in;
    with `include_initial` 1 comes first."""
    return _cumulative(sequences.cumprod, 1, x, axis, sum_dtype(x, dtype), include_initial)


def _cumulative(
    scan: Callable[..., Any], first: int, x: Array, axis: int | None, dtype: DType, include_initial: bool
) -> Any:
    a = shapes.atleast_1d(x)
    if axis is None and rank_of(a) != 1:
        raise ValueError("of an array with more than one axis it must be said along which")
    k = normal_axis(0 if axis is None else axis, rank_of(a))
    made = scan(a, k, dtype)
    if not evaluator().static(include_initial, "include_initial"):
        return made
    begin = creation.full((*shape_of(made)[:k], 1, *shape_of(made)[k + 1 :]), first, dtype)
    return shapes.concatenate([begin, made], k)


@library("tensor")
def diff(
    x: Array,
    /,
    n: int = 1,
    axis: int = -1,
    prepend: Operand | None = None,
    append: Operand | None = None,
) -> Any:
    """The differences of neighbours along an axis, taken n times, of x with elements put before and behind it. Raises
    ValueError for an array without axes or a negative n.

    >>> import jitcore.numpy as xp
    >>> print(xp.diff(xp.asarray([1, 4, 9])))
    [3 5]
    """
    return arrangement.diff(x, n, axis, prepend, append)
