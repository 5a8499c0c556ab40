"""Asks about calls of the user's line by line before they are computed, since jitcore takes some that MindSpore does
not."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType
from typing import Any, Final

from jitcore.compat.mindspore import adopting, context
from jitcore.compat.mindspore.refusals import eager, eager_methods, inputs, jitting, layer_dtypes, string_operators
from jitcore.nn import Cell
from jitcore.ops.primitives import Primitive
from jitcore.runtime.dispatch import CompiledFunction
from jitcore.runtime.tensor import Tensor


def vet(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
    """Raise what MindSpore does of a call of the user's that jitcore may take: what is known around calls."""
    if isinstance(function, CompiledFunction):
        jitting.require_variable((*args, *keywords.values()))
        return
    if isinstance(function, Cell) and function.get_inputs() and context.is_graph_mode() and not keywords:
        unlike = inputs.refused(function, args)
        if unlike is not None:
            raise unlike
    key = _key(function, args, keywords)
    if key is None or key in _taken:
        return
    if _is_users(function):
        refused = (
            string_operators.refused(function, args, keywords)
            or eager.around(function, args, keywords)
            or eager.by_rules(function, args, keywords)
        )
        if refused is not None:
            raise refused
    if len(_taken) >= _MOST_TAKEN:
        _taken.clear()
    _taken.add(key)


_MOST_TAKEN: Final = 4096
_taken: set[Any] = set()
"""Calls that were not refused, by the types and extents of their arguments."""


def _key(function: Callable[..., Any], args: Sequence[Any], keywords: Mapping[str, Any]) -> Any:
    """What a call is told from others by; None if it has arguments of other kinds than the table knows."""
    parts: list[Any] = [id(function) if isinstance(function, FunctionType) else type(function)]
    if isinstance(function, Primitive):
        parts.append(repr(function.params))
    if isinstance(function, Cell):
        parts.append(layer_dtypes.computed_in(function))
    for name, x in (*enumerate(args), *keywords.items()):
        if isinstance(x, Tensor):
            parts.append((name, x.dtype, x.shape))
        elif type(x) in _KEYS:
            parts.append((name, type(x), x))
        elif type(x) in (tuple, list) and all(type(i) in _KEYS for i in x):
            parts.append((name, type(x), tuple(x), *map(type, x)))
        elif type(x) in (tuple, list) and x and all(isinstance(i, Tensor) for i in x):
            parts.append((name, type(x), *((i.dtype, i.shape) for i in x)))
        else:
            return None
    return tuple(parts)


_KEYS: Final = (int, float, bool, str, type(None), type)


_BETWEEN: Final = (eager_methods.__name__, adopting.__name__)
"""Modules whose functions stand between users' calls and the library's functions."""


def _is_users(function: Callable[..., Any]) -> bool:
    """Whether a library function that is being called is called by code that is not jitcore's."""
    caller_of = Primitive if isinstance(function, Primitive) else Cell
    code = function.__code__ if isinstance(function, FunctionType) else caller_of.__call__.__code__
    frame = sys._getframe(1)  # pyright: ignore[reportPrivateUsage]
    while frame is not None and frame.f_code is not code and frame.f_globals.get("__name__") != adopting.__name__:
        frame = frame.f_back
    caller = None if frame is None else frame.f_back
    while caller is not None and caller.f_globals.get("__name__") in _BETWEEN:
        caller = caller.f_back
    return caller is not None and not str(caller.f_globals.get("__name__", "")).startswith("jitcore.")
