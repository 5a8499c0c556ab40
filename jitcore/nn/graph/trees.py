"""What Graphs are given and give: tuples, lists and dicts of Tensors and anything else, in one another."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any, cast

from jitcore.runtime.tensor import Tensor


def tensors_in(value: object) -> Iterator[Tensor]:
    """The Tensors in a value, in order."""
    if isinstance(value, Tensor):
        yield value
    elif isinstance(value, tuple | list):
        for item in cast("list[object]", value):
            yield from tensors_in(item)
    elif isinstance(value, Mapping):
        for item in cast("Mapping[object, object]", value).values():
            yield from tensors_in(item)


def mapped(change: Callable[..., Any], *values: object) -> Any:
    """Values of the same structure, with their Tensors changed: one of `change(*tensors)` for those that stand in the
    same place. What else is in the first of them stays."""
    first: Any = values[0]
    if isinstance(first, Tensor):
        return change(*values)
    if isinstance(first, tuple) and hasattr(first, "_fields"):
        return type(first)(*(mapped(change, *items) for items in zip(*cast("Any", values), strict=True)))
    if type(first) in (tuple, list):
        return type(first)(mapped(change, *items) for items in zip(*cast("Any", values), strict=True))
    if isinstance(first, dict):
        made = type(first)()
        made.update((key, mapped(change, *(cast("Any", value)[key] for value in values))) for key in first)
        return made
    return first
