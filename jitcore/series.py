"""Derivatives along paths: `linearize`, and Taylor series of functions (`jet`, `derivative`)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore import ops
from jitcore.library.array import creation
from jitcore.library.core.marking import library
from jitcore.library.core.values import dtype_of_value
from jitcore.transforms import jvp


def _listed(given: Any) -> tuple[Any, ...]:
    return tuple(given) if isinstance(given, (tuple, list)) else (given,)


@library("raw")
def _number(like: Any, value: float) -> Any:
    """A Tensor of one number, of another Tensor's dtype."""
    return creation.full((), value, dtype=dtype_of_value(like))


def linearize(fn: Callable[..., Any], inputs: Any) -> Any:
    """The value of `fn(*inputs)`, and the function that gives its directional derivatives there: of vectors like the
    inputs.

    >>> from jitcore import Tensor
    >>> value, along = linearize(lambda x: x * x, Tensor([3.0]))
    >>> print(value, along(Tensor([1.0])), along(Tensor([2.0])))
    [9.] [6.] [12.]
    """

    def along(v: Any) -> Any:
        return jvp(fn, inputs, v)[1]

    return fn(*_listed(inputs)), along


def _nth(function: Any, order: int) -> Any:
    """The derivative of an order of a function of one number."""
    if order == 0:
        return function
    below = _nth(function, order - 1)
    return lambda t: jvp(below, (t,), (_number(t, 1.0),))[1]


def _derivatives(function: Any, t: Any, count: int) -> tuple[Any, ...]:
    """The first derivatives of a function of one number at t: as recursion, since compiled code must know each
    order."""
    if count == 0:
        return ()
    return (*_derivatives(function, t, count - 1), _nth(function, count)(t))


def _way(rows: Any, k: int, t: Any) -> Any:
    """How far the path whose derivatives at 0 are `rows` comes by t; from the k-th row on, by Horner's scheme."""
    row = rows[k] if k + 1 == rows.shape[0] else rows[k] + _way(rows, k + 1, t)
    return row * (t / (k + 1))


def jet(fn: Callable[..., Any], primals: Any, series: Any) -> Any:
    """The value of `fn` at the start of a path, and its derivatives along it: an array of as many as `series` has rows.

    The path starts at `primals` (a Tensor, or a tuple of one for each argument); the rows of `series` (likewise) are
    its own derivatives there: the first, the second and so on.

    >>> from jitcore import Tensor
    >>> value, derivatives = jet(lambda x: x * x * x, Tensor([2.0]), Tensor([[1.0], [0.0]]))
    >>> print(value, derivatives[0], derivatives[1])
    [8.] [12.] [12.]
    """
    starts, rows = _listed(primals), _listed(series)
    if len(starts) != len(rows):
        raise ValueError(f"there are {len(starts)} primals and {len(rows)} series")

    def path(t: Any) -> Any:
        return fn(*[start + _way(row, 0, t) for start, row in zip(starts, rows)])  # noqa: B905

    zero = _number(starts[0], 0.0)
    found = _derivatives(path, zero, rows[0].shape[0])
    value = fn(*starts)
    if isinstance(value, tuple):
        return value, tuple([ops.stack([f[k] for f in found]) for k in range(len(value))])
    return value, ops.stack(found)


def derivative(fn: Callable[..., Any], primals: Any, order: int) -> Any:
    """The value of `fn` at `primals` (a Tensor, or a tuple of one for each argument), and its derivative of an order
    there, by one number that is added to all arguments.

    >>> from jitcore import Tensor
    >>> value, second = derivative(lambda x: x * x * x, Tensor([2.0]), 2)
    >>> print(value, second)
    [8.] [12.]
    """
    if not isinstance(order, int) or order < 1:  # pyright: ignore[reportUnnecessaryIsInstance]
        raise ValueError(f"a derivative is of an order of at least 1, not {order!r}")
    starts = _listed(primals)

    def path(t: Any) -> Any:
        return fn(*[start + t for start in starts])

    return fn(*starts), _nth(path, order)(_number(starts[0], 0.0))


for _function in (
    _listed,
    linearize,
    _nth,
    _derivatives,
    _way,
    jet,
    derivative,
):  # they call what they are given, which may be they again
    _function.__dict__["__jitcore_inlined__"] = True
