"""Nested containers of arrays: what of an argument or result is an array, and the same structure of something else.

Containers that hold themselves have no such structure, and those that hold one another again and again too large a one:
a RecursionError or ValueError says so.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Iterator, Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.library.core.mutable import plain_class

_DEEPEST: Final = 500
_MOST: Final = 1 << 20
"""Containers, those that are held several times counted as often."""
_FEW: Final = 1 << 12
"""Containers that are looked at before they are counted."""
_DIMENSIONS: Final = 64
"""The most that an array may have."""
_MANY_ITEMS: Final = 1 << 24
"""Items that take NumPy about a second."""


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
                if containers == _FEW:
                    _require_few(tree)
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


def require_array_like(data: Any) -> None:
    """Raise what NumPy would find of nested sequences, at once, where they hold the same ones so often that it would
    look for ever."""
    shape: list[int] = []
    item = data
    while isinstance(item, list | tuple) and item:
        shape.append(len(cast("Sequence[Any]", item)))
        if len(shape) > _DIMENSIONS:
            raise _too_deep()
        item = cast("Sequence[Any]", item)[0]
    if math.prod(shape) > _MANY_ITEMS:
        np.empty((*shape, *getattr(item, "shape", ())))  # MemoryError where there is no room for it


def require_array_depth(data: Any) -> None:
    """Raise what NumPy would of nested sequences with arrays among them that are nested too deep for an array, or hold
    themselves."""
    depths: dict[int, int] = {}
    open_: list[tuple[Any, Iterator[Any]]] = [(data, iter(data))]
    depths[id(data)] = 1
    while open_:
        container, items = open_[-1]
        for item in items:
            if not isinstance(item, list | tuple):
                continue
            below = depths.get(id(item))
            if below is None:
                depths[id(item)] = 1
                open_.append((item, iter(cast("Sequence[Any]", item))))
                break
            if any(item is holder for holder, _ in open_):
                raise _too_deep()
            depths[id(container)] = max(depths[id(container)], below + 1)
        else:
            open_.pop()
            if depths[id(container)] > _DIMENSIONS:
                raise _too_deep()
            if open_:
                holder = id(open_[-1][0])
                depths[holder] = max(depths[holder], depths[id(container)] + 1)


def _too_deep() -> ValueError:
    return ValueError(
        "setting an array element with a sequence. The requested array would exceed the maximum number of dimension of "
        f"{_DIMENSIONS}."
    )


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


def _require_few(tree: Any) -> None:
    """Count containers, each looked at once, and raise where there are too many. Of those that hold themselves there is
    no count."""
    counts: dict[int, int] = {id(tree): 1}
    open_: list[tuple[Any, Iterator[Any]]] = [(tree, iter(_items(tree)))]
    while open_:
        container, items = open_[-1]
        for item in items:
            if not isinstance(item, tuple | list | dict):
                continue
            if id(item) not in counts:
                counts[id(item)] = 1
                open_.append((item, iter(_items(item))))
                break
            counts[id(container)] += counts[id(item)]
        else:
            open_.pop()
            _require_finite(0, counts[id(container)])
            if open_:
                counts[id(open_[-1][0])] += counts[id(container)]


def _require_finite(depth: int, containers: int) -> None:
    if depth > _DEEPEST:
        raise RecursionError(f"containers are nested more than {_DEEPEST} deep, or hold themselves")
    if containers > _MOST:
        raise ValueError(
            f"there are more than {_MOST} containers in a container, if those that are held "
            "several times are counted as often"
        )
