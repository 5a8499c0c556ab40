"""Which calls are being inlined where inference is."""

from __future__ import annotations

from typing import Any

from jitcore.ir.nodes import Graph
from jitcore.structs import dataclass, field


@dataclass(slots=True)
class Inlining:
    """The functions whose graphs are being run."""

    active: list[Graph] = field(default_factory=list[Graph])
    """The untyped graphs being inlined, outermost first."""
    running: list[tuple[Any, ...]] = field(default_factory=list[tuple[Any, ...]])
    """Of each of those, the graph, and the Cells it was called with."""
    layers_made: dict[Any, int] = field(default_factory=dict[Any, int])
    """How many layers were made at a place (`Assumptions.layers`): more than one where a loop is unrolled."""
    in_generator: bool = False
    """Whether what is being inferred is part of a generator's body, or called by it."""
    resumed_from: int = 0
    """The last key of the heap before the present run of a generator's state machine."""
