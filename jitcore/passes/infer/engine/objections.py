"""What Python says to a call of a builtin or a method with arguments that it does not take: asked of Python itself."""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterable
from typing import TYPE_CHECKING, Final

from jitcore.passes.infer.domain.values import PythonError, Value
from jitcore.passes.infer.engine.refusal import NO_SAMPLE, sample

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_OF_COUNT: Final = re.compile(r"\b(takes?|expected|requires?|must have|missing|unexpected|invalid)\b.*\barguments?\b")
"""Words about how many arguments there are, or what they are called: they have not been looked at then."""


def method_of(infer: Infer, receiver: Value | None, name: str) -> Callable[..., object] | None:
    """Python's own method of an object like a value; None if there is none to be had."""
    found = NO_SAMPLE if receiver is None else sample(infer, receiver)
    method = None if found is NO_SAMPLE else getattr(found, name, None)
    return method if callable(method) else None


def objection(function: Callable[..., object] | None, count: int, keywords: Iterable[str]) -> str | None:
    """What Python's function says to so many positional arguments and these keywords: None if it takes them, "" if it
    does not tell."""
    if function is None:
        return ""
    given = dict.fromkeys(keywords)
    try:
        inspect.signature(function).bind(*range(count), **given)
        return None
    except TypeError:
        otherwise = ""
    except ValueError:  # a function in C that does not say what its parameters are
        otherwise = None
    try:
        function(*range(count), **given)  # which fails before it does anything, if there are too few or too many
    except Exception as error:  # or it takes so many, and says something of the numbers given
        if isinstance(error, TypeError) and _OF_COUNT.search(str(error)):
            return str(error)
    return otherwise


def require_taken(
    program: Callable[..., object], function: Callable[..., object], count: int, keywords: Iterable[str]
) -> None:
    """Raise the TypeError that Python's function raises, where the program that stands for it does not take so many
    arguments and these keywords."""
    try:
        inspect.signature(program).bind(*range(count), **dict.fromkeys(keywords))
    except TypeError:
        told = objection(function, count, keywords)
        if told:
            raise PythonError(TypeError(told)) from None
