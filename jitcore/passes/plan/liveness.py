"""Where the variables of a graph are used for the last time, nested graphs counted with the binding they belong to."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Final

from jitcore.ir.nodes import Binding, Graph, Var
from jitcore.structs import dataclass

_NOTHING: Final = frozenset[Var]()


@dataclass(frozen=True, slots=True)
class Uses:
    """The uses of the variables of one graph (those it binds, and those of graphs around it).

    Positions count the bindings of the body; len(body) stands for the results.
    """

    graph: Graph
    positions: Mapping[Var, Sequence[int]]
    captured: Sequence[frozenset[Var]]
    """For every binding, the variables its nested graphs use."""
    dying: Sequence[Sequence[Var]]
    """For every position, the graph's own variables that are not used after it."""
    bound: frozenset[Var]
    """The variables the graph itself binds."""

    def last(self, var: Var) -> int:
        """The position of the last use; -1 if there is none."""
        positions = self.positions.get(var)
        return positions[-1] if positions else -1


class Liveness:
    """Computes and remembers the uses of graphs."""

    def __init__(self) -> None:
        self._uses: dict[Graph, Uses] = {}
        self._free: dict[Graph, frozenset[Var]] = {}

    def of(self, graph: Graph, adopted: Collection[Var] = ()) -> Uses:
        """The uses in a graph; `adopted` variables of graphs around it count as its own."""
        found = self._uses.get(graph)
        if found is None:
            found = self._uses[graph] = self._compute(graph)
        if not adopted:
            return found
        dying = [list(variables) for variables in found.dying]
        for var in adopted:
            dying[max(found.last(var), 0)].append(var)
        return Uses(graph, found.positions, found.captured, dying, found.bound.union(adopted))

    def free(self, graph: Graph) -> frozenset[Var]:
        """The variables of surrounding graphs that a graph uses."""
        found = self._free.get(graph)
        if found is None:
            uses = self.of(graph)
            found = self._free[graph] = frozenset(uses.positions.keys() - uses.bound)
        return found

    def used_by(self, binding: Binding) -> frozenset[Var]:
        """All variables a binding uses, in nested graphs too."""
        used = {a for a in binding.args if isinstance(a, Var)}
        for nested in binding.graphs:
            used |= self.free(nested)
        return frozenset(used)

    def _compute(self, graph: Graph) -> Uses:
        positions: dict[Var, list[int]] = {}
        captured: list[frozenset[Var]] = []
        own: list[tuple[Var, int]] = [(p, 0) for p in graph.params]
        for k, binding in enumerate(graph.body):
            inside = frozenset[Var]().union(*map(self.free, binding.graphs)) if binding.graphs else _NOTHING
            captured.append(inside)
            for atoms in (binding.args, inside):
                for atom in atoms:
                    if isinstance(atom, Var):
                        found = positions.setdefault(atom, [])
                        if not found or found[-1] != k:
                            found.append(k)
            for out in binding.outs:
                own.append((out, k))
        for var in {r for r in graph.results if isinstance(r, Var)}:
            positions.setdefault(var, []).append(len(graph.body))
        dying: list[list[Var]] = [[] for _ in range(len(graph.body) + 1)]
        for var, made_at in own:
            dying[positions[var][-1] if var in positions else made_at].append(var)
        return Uses(graph, positions, captured, dying, frozenset(var for var, _ in own))
