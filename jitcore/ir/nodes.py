"""The nodes of the functional IR (ANF): variables, literals, bindings, graphs, modules and operators.

A graph is an ordered list of bindings. Every argument of a binding is an atom: a variable (a graph's
parameter or an earlier binding's output, of this graph or of one it is nested in) or a literal.
Nodes are immutable and compare by identity; who uses what is computed when asked (`ir.analysis`).

The order of a body is the order of effects: passes keep bindings with effects in place (`ir.analysis`
says which may move). An untyped graph, as the frontend builds it, has None for its variables' types.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

from jitcore.source import Span
from jitcore.structs import dataclass, field
from jitcore.types import Type


@dataclass(frozen=True, slots=True)
class Effects:
    """What evaluating an operator does besides giving its results.

    `reads`/`writes`: memory behind its ref arguments. `io`: print, random state, Python calls: keeps its
    place among all effects. `raises`: the names of the exceptions it may raise.
    """

    reads: bool = False
    writes: bool = False
    io: bool = False
    raises: tuple[str, ...] = ()

    @property
    def removable(self) -> bool:
        """Whether a binding with no used output may be dropped."""
        return not (self.writes or self.io or self.raises)

    @property
    def pure(self) -> bool:
        return self.removable and not self.reads

    def __or__(self, other: Effects) -> Effects:
        if self is PURE or self is other:  # most operators share a few
            return other
        if other is PURE:
            return self
        raises = self.raises + tuple(r for r in other.raises if r not in self.raises)
        return Effects(self.reads or other.reads, self.writes or other.writes, self.io or other.io, raises)


PURE = Effects()


class Op:
    """An operator of the IR. Subclasses: control flow (`ir.control`), primitives (`primitives.core.registry`).

    `name` is how it is written in the text form; `effects` may depend on nothing but the operator
    (a control-flow binding's effects are those of its graphs: ask `ir.analysis.effects_of`).
    """

    __slots__ = ("effects", "name")
    name: str
    effects: Effects

    def result_types(self, binding: Binding) -> tuple[Type, ...]:
        """The types of the outputs, from those of the arguments. Raises TypeError if they do not fit."""
        raise NotImplementedError

    def __repr__(self) -> str:
        return self.name


@dataclass(frozen=True, slots=True, eq=False)
class Var:
    """A variable: bound once, as a graph's parameter or a binding's output."""

    name: str
    type: Type | None
    span: Span

    def __repr__(self) -> str:
        return self.name

    def rename(self, name: str) -> None:
        """Give it another name: a hint for readers, which is all of a node that may be known later than the node."""
        object.__setattr__(self, "name", name)


@dataclass(frozen=True, slots=True, eq=False)
class Literal:
    """A constant. `type` is None in untyped graphs, where `value` may be any Python object."""

    value: Any
    type: Type | None

    def __repr__(self) -> str:
        return repr(self.value)


Atom: TypeAlias = "Var | Literal"
Params: TypeAlias = "Mapping[str, Any]"


@dataclass(frozen=True, slots=True, eq=False)
class Binding:
    """`outs = op(*graphs, *args, **params)`. `params` are static: numbers, strings, dtypes, dims, tuples of them."""

    outs: tuple[Var, ...]
    op: Op
    args: tuple[Atom, ...]
    span: Span
    params: Params = field(default_factory=dict[str, Any])
    graphs: tuple[Graph, ...] = ()


@dataclass(frozen=True, slots=True, eq=False)
class Graph:
    """A function body. A nested graph may use variables of the graphs around it; a module's may not."""

    name: str
    params: tuple[Var, ...]
    body: tuple[Binding, ...]
    results: tuple[Atom, ...]
    span: Span

    @property
    def result_types(self) -> tuple[Type, ...]:
        return tuple(type_of(r) for r in self.results)


@dataclass(frozen=True, slots=True, eq=False)
class Module:
    """Closed graphs that may call each other by name (`ir.control.CALL`); `entry` is where it starts."""

    entry: str
    graphs: Mapping[str, Graph]

    @property
    def main(self) -> Graph:
        return self.graphs[self.entry]


def type_of(atom: Atom) -> Type:
    """The type of an atom of a typed graph."""
    if atom.type is None:
        raise TypeError(f"{atom!r} has no type: the graph has not been inferred")
    return atom.type
