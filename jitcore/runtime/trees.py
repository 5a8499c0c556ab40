"""Nested containers of arrays: what of an argument or result is an array, and the same structure of something else."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, cast

from jitcore.primitives.mutable import plain_class


def leaves(tree: Any) -> list[Any]:
    """What is inside tuples, lists and dicts, in order; a leaf gives itself."""
    if isinstance(tree, tuple | list):
        return [leaf for item in cast("list[Any]", tree) for leaf in leaves(item)]
    if isinstance(tree, dict):
        return [leaf for item in cast("dict[Any, Any]", tree).values() for leaf in leaves(item)]
    return [tree]


def map_leaves(function: Callable[[Any], Any], tree: Any) -> Any:
    """The same structure with `function` of every leaf (what is marked as variable is not, then)."""
    if isinstance(tree, tuple):
        items = [map_leaves(function, item) for item in cast("tuple[Any, ...]", tree)]
        named = hasattr(tree, "_fields") and plain_class(type(tree)) is not tuple
        return type(tree)(*items) if named else tuple(items)  # type: ignore[call-arg]
    if isinstance(tree, list):
        return [map_leaves(function, item) for item in cast("list[Any]", tree)]
    if isinstance(tree, dict):
        return {key: map_leaves(function, item) for key, item in cast("dict[Any, Any]", tree).items()}
    return function(tree)
