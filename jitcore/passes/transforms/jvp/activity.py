"""What has a tangent: activity as reverse mode has it, with refs that meet in joins, loops and calls told of each
other."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from jitcore.ir.control import CALL, COND, FOR, SWITCH, TRY, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Var
from jitcore.passes.transforms.grad.activity import Activity, differentiable
from jitcore.types import RefType


class ForwardActivity(Activity):
    """Places that one variable may stand for are active together: what is written through one is seen by the others."""

    def __init__(self, graphs: Mapping[str, Graph]) -> None:
        super().__init__(graphs)

    def _binding(self, b: Binding) -> bool:
        changed = self._attempt(b) if b.op is TRY else super()._binding(b)
        for group in _joined(b):
            changed |= self._link(group)
        if b.op is CALL and any(map(self.is_active, b.args)):
            refs = [a for a in b.args if isinstance(a, Var) and isinstance(a.type, RefType)]
            changed |= self.add(map(self.root, refs))
        return changed

    def _attempt(self, b: Binding) -> bool:
        changed = False
        for graph in b.graphs:
            changed |= self._pass(graph.body)
            if graph.results:  # a graph that only raises has none
                changed |= self.add(o for o, r in zip(b.outs, graph.results, strict=True) if self.is_active(r))
        return changed

    def _link(self, group: Iterable[Atom]) -> bool:
        refs = [a for a in group if isinstance(a, Var) and isinstance(a.type, RefType) and differentiable(a.type)]
        if not any(map(self.is_active, refs)):
            return False
        return self.add([*map(self.root, refs)])


def _joined(b: Binding) -> list[tuple[Atom, ...]]:
    """The atoms that each output of a control-flow binding may be."""
    if b.op in (COND, SWITCH, TRY):
        return list(zip(b.outs, *(g.results for g in b.graphs if g.results or not b.outs), strict=True))
    if b.op is WHILE:
        test, body = b.graphs
        return list(zip(b.outs, b.args, test.params, body.params, body.results, strict=True))
    if b.op is FOR:
        (body,) = b.graphs
        return list(zip(b.outs, b.args[1:], body.params[1:], body.results, strict=True))
    return []
