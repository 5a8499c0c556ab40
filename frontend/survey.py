"""What a function's tree contains, by class of node: one walk, so that later steps run only where they are needed."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import gast

Survey: TypeAlias = "dict[type[Any], list[Any]]"

FUNCTION_NODES = (gast.FunctionDef, gast.AsyncFunctionDef, gast.Lambda)
_AST = gast.AST


def survey(tree: Any) -> Survey:
    """Every node of a tree by its class, in the order of the source text within a class."""
    found: Survey = {}
    stack = [tree]
    while stack:
        node = stack.pop()
        found.setdefault(type(node), []).append(node)
        for name in reversed(node._fields):
            value = getattr(node, name, None)
            if isinstance(value, _AST):
                stack.append(value)
            elif isinstance(value, list):
                stack.extend(item for item in reversed(value) if isinstance(item, _AST))
    return found


def nodes(found: Survey, *classes: type[Any]) -> Sequence[Any]:
    """All nodes of the given classes."""
    return [node for cls in classes for node in found.get(cls, ())]


def identifiers(found: Survey) -> set[str]:
    """Every name written in the tree, attributes aside."""
    names = {node.id for node in found.get(gast.Name, ())}
    names.update(node.name for node in nodes(found, gast.FunctionDef, gast.AsyncFunctionDef, gast.ClassDef))
    names.update((node.asname or node.name) for node in found.get(gast.alias, ()))
    for node in nodes(found, gast.Global, gast.Nonlocal):
        names.update(node.names)
    return names
