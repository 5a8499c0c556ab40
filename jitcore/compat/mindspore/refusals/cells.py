"""MindSpore's words for calls of Cells with another number of arguments, and for what containers of Cells do not hold."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from jitcore.compat.mindspore import context
from jitcore.compat.mindspore.refusals import jitting
from jitcore.nn import Cell


def worded(cls: type, given: Mapping[str, Any], error: BaseException) -> BaseException:
    """MindSpore's exception for what a Cell or a container of Cells was given."""
    if "called" in given:
        return _called(given["called"], given["args"], error) if context.is_graph_mode() else error
    return TypeError(
        f"For '{cls.__name__}', each cell must be subclass of Cell, but got {type(given['cell']).__name__}."
    )


def _called(cell: Cell, args: tuple[Any, ...], error: BaseException) -> BaseException:
    """For the arguments of `construct`: the positional ones are counted."""
    if not isinstance(error, TypeError) or "construct()" not in str(error):
        return error
    told = jitting.miscounted(
        "For 'Cell', the function construct requires", inspect.signature(cell.construct), len(args)
    )
    if told is None:
        return error
    if "total" in str(told):
        return told
    return TypeError(
        f"{told} When using set_inputs, please make sure that all networks and loss functions are configured with set_inputs."
    )
