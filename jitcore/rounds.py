"""Loops whose rounds may run at the same time: `prange`, and functions in which it means that."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Any, Final, SupportsIndex, cast

from jitcore.lookup import attribute_of

_MARK: Final = "__jitcore_parallel__"


def prange(*ends: SupportsIndex) -> range:
    """`range`, for a `for` whose rounds do not depend on one another.

    In a function compiled with `jit(parallel=True)` the rounds run on all cores (JITCORE_THREADS says on how many), in
    any order, if they are found not to depend on one another. Elsewhere, and line by line, it is `range`. Rounds may

    - write to elements, rows, columns and slices of arrays of which each round has its own: `out[i]`, `out[i, j]`,
      `out[:, i]`, `out[2 * i + 1]`, `out[i * w : (i + 1) * w]`; where only the values of the run tell (a negative
      `w`, a range that begins below 0), that is asked before the loop, which runs in order if need be;
    - use variables and arrays of their own, call functions, raise: the exception is that of the first round, in the
      order of `range`, that raises; later rounds may have run by then;
    - add to, subtract from, multiply, divide, or take the smallest or largest of variables, arrays and elements of
      arrays that they use for nothing else (`s += x[i]`, `best = max(best, x[i])`, `hist[k] += 1`), and mark
      something (`found = True`). Parts of the rounds have variables and copies of their own (64 at most, 16 of
      arrays), whose number depends on that of the rounds alone. So results are the same on any number of threads;
      sums and products of floats may differ in their last digits from those of `range`, or be past the range of
      floats (of ints: an OverflowError) where only a part is.

    What depends on the order of the rounds is a RaceError at its line: `out[0] = i`, `out[i] = out[i - 1]`, a variable
    that is used after the loop, a list that rounds append to, `break`. Loops that call Python (`print`, NumPy's random
    numbers, sorting) or recursive functions run in order, and a PerformanceWarning says so. Loops of gradients run in
    order too, and those over `prange` inside another one. Operations on whole arrays run on all cores in any case.

    >>> from jitcore import jit
    >>> @jit(parallel=True)
    ... def total(n):
    ...     s = 0
    ...     for i in prange(n):
    ...         s += i * i
    ...     return s
    >>> total(1000)
    332833500
    """
    return range(*ends)


def in_parallel(function: Callable[..., object]) -> Callable[..., Any]:
    """A function like this one in which the rounds of a `prange` may run at the same time. Raises TypeError unless it
    is a function of Python's, or a method."""
    if isinstance(function, MethodType):
        return MethodType(in_parallel(cast("Callable[..., object]", function.__func__)), function.__self__)
    if not isinstance(function, FunctionType):
        raise TypeError(f"jit(parallel=True) compiles functions, not {type(function).__name__}")
    made = FunctionType(
        function.__code__, function.__globals__, function.__name__, function.__defaults__, function.__closure__
    )
    made.__kwdefaults__ = function.__kwdefaults__
    made.__qualname__, made.__module__, made.__doc__ = function.__qualname__, function.__module__, function.__doc__
    made.__annotations__ = function.__annotations__
    made.__dict__.update(function.__dict__)
    made.__dict__[_MARK] = True
    return made


def is_parallel(function: object) -> bool:
    """Whether `in_parallel` made a function."""
    return attribute_of(function, _MARK, False) is True
