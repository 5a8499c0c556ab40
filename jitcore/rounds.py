"""Loops whose rounds may run at the same time: `prange`, and functions in which it means that."""

from __future__ import annotations

from collections.abc import Callable
from types import FunctionType, MethodType
from typing import Final, SupportsIndex, cast

from jitcore.lookup import attribute_of

_MARK: Final = "__jitcore_parallel__"


def prange(*ends: SupportsIndex) -> range:
    """`range`, for a `for` whose rounds do not depend on one another.

    In a function compiled with `jit(parallel=True)` the rounds run on all cores, in any order. Elsewhere, and line by
    line, it is `range`. See `jit` for what such a loop may do.

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


def in_parallel(function: Callable[..., object]) -> FunctionType | MethodType:
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
