"""What the inputs of a graph are called, for those who read it: by themselves, or by how the program reaches them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Var
from jitcore.passes.infer.domain.values import Path
from jitcore.source import Span
from jitcore.types import Type

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def param_for(
    infer: Infer, builder: GraphBuilder, source: object, otherwise: str, type_: Type, span: Span | None = None
) -> Var:
    """A parameter of a graph for something from outside. It keeps that one's own name, whatever the functions call it
    that it is handed to; else it has another, until one of the user's variables has the value."""
    own = own_name(source)
    var = builder.param(own or otherwise, type_, span)
    if own is not None:
        infer.keep_name(var)
    return var


def own_name(source: object) -> str | None:
    """The name that something from outside gives itself, as a Parameter does; that of its class says nothing."""
    name: object = getattr(source, "name", None)
    return name if isinstance(name, str) and name != type(source).__name__ else None


def name_of(path: Path) -> str:
    """A name for what the program reaches by a path: the last attribute or variable in it, and the items from there."""
    last = path[-1]
    if isinstance(last, tuple) and len(last) == 2:
        kind, key = last
        return str(key) if kind == "attr" else f"{name_of(path[:-1])}_{key}"
    root = path[1] if path[0] == "arg" else type(path[1].value).__name__ if path[0] == "object" else path[-1]
    name = str(root)
    return name if name.isidentifier() else f"x{name}"
