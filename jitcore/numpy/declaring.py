"""How functions of one form are declared: by name and by what they say."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from jitcore.library.core.marking import library


def published(function: Callable[..., Any], name: str, doc: str, *, operands: bool = False) -> Callable[..., Any]:
    """A function of the namespace, under its name and with its text. `operands`: the Python numbers among its arguments
    are numbers to compute with."""
    function.__name__ = function.__qualname__ = name
    function.__doc__ = doc
    return library("tensor", operands=operands)(function)
