"""What a call of a small program does, in a form that can be compared: for programs with lists and iterators."""

from __future__ import annotations

import copy
import traceback
from collections.abc import Callable, Sequence
from typing import Any

from outcomes import frozen


def outcome(function: Callable[..., Any], code: Any, args: Sequence[Any]) -> Any:
    """What a call did: its result, or its exception and the line of the program that raised it; its arguments afterwards."""
    args = copy.deepcopy(args)
    try:
        return "result", frozen(function(*args)), frozen(args)
    except Exception as error:
        lines = [f.lineno for f in traceback.extract_tb(error.__traceback__) if f.filename == code.co_filename]
        return type(error), str(error), lines[-1] if lines else None, frozen(args)
