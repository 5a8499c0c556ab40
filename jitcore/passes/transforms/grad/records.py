"""What the forward pass of reverse mode leaves for the backward pass."""

from __future__ import annotations

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Binding, Graph, Var
from jitcore.source import CompileError, Problem
from jitcore.structs import dataclass, field


@dataclass(slots=True, eq=False)
class Opened:
    """A nested forward graph before it is known what it pushes."""

    graph: Graph
    builder: GraphBuilder
    results: tuple[Atom, ...]
    records: list[Record]
    params: tuple[Var, ...]
    stack: Var
    outer: tuple[GraphBuilder, ...] = ()
    """The forward graphs around it, being built."""
    extents: dict[str, Var] = field(default_factory=dict[str, Var])
    """Of a loop's body: what the symbols stood for at its beginning that the body gives other extents."""


@dataclass(slots=True, eq=False)
class Record:
    """One binding of a forward graph; for control flow, where it stands in its builder, to be replaced when closed."""

    binding: Binding
    builder: GraphBuilder
    position: int
    opened: tuple[Opened, ...] = ()
    count: Atom | None = None
    """The trip count of a loop."""
    path: Atom | None = None
    """The graph of a `try_` that came to its end, among those that may."""
    callee: Callee | None = None
    again: Again | None = None


@dataclass(slots=True, eq=False)
class Again:
    """A part that is computed again: what is repeated of it, and what the results of the rest are kept as."""

    graph: Graph
    kept: dict[Var, Atom]


@dataclass(slots=True, eq=False)
class Callee:
    """A recursive function's forward and backward graphs."""

    forward: str
    backward: str
    active_params: tuple[int, ...]
    active_results: tuple[int, ...]


@dataclass(slots=True)
class Residuals:
    """What `Reverse.run_forward` leaves for `run_backward`."""

    records: list[Record]
    inputs: dict[Var, Atom]
    """The variables that stand for the args (each its own, even where two args are one atom), until `finish`."""
    results: tuple[Atom, ...]
    first: int
    """Where the forward graph begins in the builder."""
    stack: Atom | None = None
    defined: set[Var] = field(default_factory=set[Var])

    def value(self, k: int) -> Atom:
        """A result, for use after the backward graph was emitted."""
        result = self.results[k]
        return self.inputs.get(result, result) if isinstance(result, Var) else result


def refusal(b: Binding, what: str) -> CompileError:
    return CompileError([Problem(b.span, f"{what} is not supported")], "cannot be differentiated")


def refusal_at(var: Var, what: str) -> CompileError:
    return CompileError([Problem(var.span, f"{what} is not supported")], "cannot be differentiated")
