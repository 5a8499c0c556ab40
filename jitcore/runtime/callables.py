"""What is behind a callable: the Python function that is compiled, and what its user calls it."""

from __future__ import annotations

import weakref
from collections.abc import Callable, Mapping, Sequence
from functools import partial
from types import FunctionType, MethodType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from jitcore.runtime.dispatch import CompiledFunction

from jitcore.lookup import attribute_of


def plain_function(function: Any) -> FunctionType | None:
    """The Python function behind a callable, whose source is compiled; None if there is none."""
    for _ in range(16):
        if isinstance(function, FunctionType):
            return function
        inner = attribute_of(function, "__jitcore_function__", None) or attribute_of(function, "__func__", None)
        if inner is None:
            request = attribute_of(function, "__jitcore_gradient__", None) or attribute_of(
                function, "__jitcore_transform__", None
            )
            inner = getattr(request, "function", None)
        if inner is None:
            method = getattr(type(function), "__jitcore_call__", None)
            inner = getattr(type(function), method, None) if isinstance(method, str) else None
        if inner is None:
            return None
        function = inner
    return None


def known_to_users(function: object) -> object:
    """What a user knows of a callable: the function that it calls in the end, be it wrapped, partial or an object's;
    the callable itself if that is not one of Python's."""
    for _ in range(16):
        plain = plain_function(function)
        if plain is not None:
            inner: object = getattr(plain, "__wrapped__", None)
        else:
            inner = function.func if isinstance(function, partial) else type(function).__call__
        if not isinstance(inner, FunctionType | partial):
            return function if plain is None else plain
        function = inner
    return function


def parts_of(function: object) -> tuple[Any, Any, Any]:
    """What can be assigned to of a function that changes what it does."""
    plain = function.__func__ if isinstance(function, MethodType) else function
    if not isinstance(plain, FunctionType):
        return None, None, None
    return plain.__code__, plain.__defaults__, plain.__kwdefaults__


def weakly(called: CompiledFunction) -> Callable[..., BaseException]:
    """Its method that says what calls raise, which does not keep it alive: entries are its own."""
    found = weakref.ref(called)

    def reworded(error: BaseException, args: Sequence[Any], keywords: Mapping[str, Any]) -> BaseException:
        compiled = found()
        return error if compiled is None else compiled.reworded(error, args, keywords)

    return reworded
