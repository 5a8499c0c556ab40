"""Nested containers of arrays: what of an argument or result is an array, and the same structure of something else.

Containers that hold themselves have no such structure, and those that hold one another again and again too large a one: a RecursionError or
ValueError says so.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final, cast

from jitcore.primitives.mutable import plain_class

_DEEPEST: Final = 500
_MOST: Final = 1 << 20
"""Containers, those that are held several times counted as often."""


def leaves(tree: Any) -> list[Any]:
    """What is inside tuples, lists and dicts, in order; a leaf gives itself."""
    if not isinstance(tree, tuple | list | dict):
        return [tree]
    found: list[Any] = []
    open_ = [iter(_items(tree))]
    containers = 1
    while open_:
        for item in open_[-1]:
            if isinstance(item, tuple | list | dict):
                containers += 1
                _require_finite(len(open_), containers)
                open_.append(iter(_items(item)))
                break
            found.append(item)
        else:
            open_.pop()
    return found


def distinct_leaves(tree: Any) -> Iterator[Any]:
    """What is inside tuples, lists and dicts, each container looked at once: whatever they hold, this ends."""
    seen: set[int] = set()
    waiting = [tree]
    while waiting:
        item = waiting.pop()
        if not isinstance(item, tuple | list | dict):
            yield item
        elif id(item) not in seen:
            seen.add(id(item))
            waiting += _items(item)


def map_leaves(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same structure with `function` of every leaf (what is marked as variable is not, then)."""
    if isinstance(tree, tuple | list | dict):
        leaves(tree)  # raises if it has no end
    return _mapped(function, tree)


def _mapped(function: Callable[[Any], Any], tree: Any) -> Any:
    if isinstance(tree, tuple):
        items = [_mapped(function, item) for item in cast("tuple[Any, ...]", tree)]
        named = hasattr(tree, "_fields") and plain_class(type(tree)) is not tuple
        return type(tree)(*items) if named else tuple(items)  # type: ignore[call-arg]
    if isinstance(tree, list):
        return [_mapped(function, item) for item in cast("list[Any]", tree)]
    if isinstance(tree, dict):
        return {key: _mapped(function, item) for key, item in cast("dict[Any, Any]", tree).items()}
    return function(tree)


def _items(tree: tuple[Any, ...] | list[Any] | dict[Any, Any]) -> Iterable[Any]:
    return tree.values() if isinstance(tree, dict) else tree


def _require_finite(depth: int, containers: int) -> None:
    if depth > _DEEPEST:
        raise RecursionError(f"containers are nested more than {_DEEPEST} deep, or hold themselves")
    if containers > _MOST:
        raise ValueError(
            f"there are more than {_MOST} containers in a container, if those that are held several times are counted as often"
        )
