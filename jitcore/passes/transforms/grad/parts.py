"""Which bindings are parts to be recomputed, and what places a graph writes to."""

from __future__ import annotations

from collections.abc import Iterable

from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import SWITCH
from jitcore.ir.nodes import Binding, Var
from jitcore.primitives.core.registry import Primitive
from jitcore.types import RefType


def is_recomputed(b: Binding) -> bool:
    """Whether a binding is a part to be recomputed."""
    return b.op is SWITCH and b.params.get("recompute") is True


def written_places(body: Iterable[Binding]) -> frozenset[Var]:
    """The refs that a body, or a graph nested in it, writes to."""
    probe = list(body)
    nested = [inner for b in probe for graph in b.graphs for inner in all_bindings(graph)]
    targets = [b.args[0] for b in (*probe, *nested) if isinstance(b.op, Primitive) and b.op.effects.writes and b.args]
    return frozenset(a for a in targets if isinstance(a, Var) and isinstance(a.type, RefType))
