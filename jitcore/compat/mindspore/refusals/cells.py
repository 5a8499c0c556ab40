"""MindSpore's words for calls of Cells with another number of arguments, for attributes of Cells, and for what containers of Cells do not hold."""

from __future__ import annotations

import inspect
from collections.abc import Mapping
from typing import Any

from jitcore.common.parameter import Parameter
from jitcore.compat.mindspore import context
from jitcore.compat.mindspore.refusals import jitting
from jitcore.nn import Cell
from jitcore.runtime.tensor import Tensor


def worded(cls: type, given: Mapping[str, Any], error: BaseException) -> BaseException:
    """MindSpore's exception for what a Cell or a container of Cells was given."""
    if "called" in given:
        return _called(given["called"], given["args"], error) if context.is_graph_mode() else error
    if "part" in given:
        return _uninitialised(cls, given["part"])
    if "attribute" in given:
        return _of_another_kind(**given)
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


def _uninitialised(cls: type, part: Any) -> AttributeError:
    """For a Cell whose `__init__` has not run, by what becomes a part of it (None: it is called)."""
    if isinstance(part, Parameter):
        return AttributeError("For 'insert_param_to_cell', please call Cell.__init__() firstly.")
    if part is None and context.is_graph_mode():
        return AttributeError(
            f"The '{cls.__name__}' object does not inherit attribute from 'cell'. Please use 'super().__init__()'."
        )
    return _missing(cls, "_init_flag" if part is None else "_auto_prefix")


def _missing(cls: type, name: str) -> AttributeError:
    return AttributeError(f"The '{cls.__name__}' object has no attribute '{name}'.", name=name)


def _of_another_kind(attribute: str, kind: type, value: Any) -> BaseException:
    """For an attribute that holds a Parameter or a Cell, and is given what is none."""
    if isinstance(value, Parameter):
        return _taken("insert_param_to_cell", attribute, "parameter")
    if isinstance(value, Cell):
        return _taken("insert_child_to_cell", attribute, "child cell")
    held, word = ("Parameter", "parameter") if kind is Parameter else ("Sub cell", "cell")
    shown = "<class 'mindspore.common.tensor.Tensor'>" if isinstance(value, Tensor) else str(type(value))
    return TypeError(
        f"{held} '{attribute}' already exists in network, can not assign this type: '{shown}' as a {word}."
    )


def _taken(function: str, name: str, kind: str) -> KeyError:
    return KeyError(
        f"For '{function}', the {name} {kind} already exists in the network."
        f"Cannot insert another {kind} with the same name."
    )


def _attribute(self: Cell, name: str) -> Any:
    """What a Cell says of an attribute that it does not have, a subclass's `__getattr__` too. Raises AttributeError."""
    raise _missing(type(self), name)


def follow(followed: bool) -> None:
    """Have Cells say so in MindSpore's words, or in Python's."""
    if followed:
        Cell.__getattr__ = _attribute  # type: ignore[attr-defined]
    elif "__getattr__" in vars(Cell):
        del Cell.__getattr__  # type: ignore[attr-defined]
