"""Batches of a graph's inputs to batches of its results: all rows together where they cannot tell, else one after the
other."""

from __future__ import annotations

from collections.abc import Sequence

from jitcore.ir.analysis import all_bindings
from jitcore.ir.builder import GraphBuilder
from jitcore.ir.control import FOR, WHILE
from jitcore.ir.nodes import Atom, Graph
from jitcore.ir.rewrite import clone
from jitcore.passes.transforms.vmap.dependence import Dependence
from jitcore.passes.transforms.vmap.rows import batch_type, by_rows, refusal
from jitcore.passes.transforms.vmap.vectorise import Vectoriser, can_be_vectorised
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.types import Dim


class Vmap:
    """Emits batched graphs into the builder of a GraphEvaluator; `graphs` are the module's. `loops_together`: whether
    rows may be computed together where there are loops, each round for all rows; rows of numbers are best not."""

    def __init__(self, builder: GraphBuilder, graphs: dict[str, Graph], *, loops_together: bool = True) -> None:
        self.evaluator = GraphEvaluator(builder)
        self.graphs = graphs
        self.loops_together = loops_together

    def run(self, graph: Graph, args: Sequence[Atom], n: Dim) -> tuple[list[Atom], list[bool]]:
        """Emit the graph for n rows: the batches of its results, and which of them can differ from row to row."""
        graph = clone(graph)
        differs = Dependence(graph, graph.params)
        for result in graph.results:
            if batch_type(result.type, n) is None:  # type: ignore[arg-type]
                raise refusal(graph, result, "a batch of values that may be of several types")
        differing = [differs(r) for r in graph.results]
        with evaluating_by(self.evaluator):
            together = self.loops_together or not any(b.op in (FOR, WHILE) for b in all_bindings(graph))
            if together and can_be_vectorised(graph, differs, self.graphs):
                made = self._together(graph, args, n, differs)
            else:
                made = by_rows(self.evaluator, graph, args, n)
        return made, differing

    def _together(self, graph: Graph, args: Sequence[Atom], n: Dim, differs: Dependence) -> list[Atom]:
        vectoriser = Vectoriser(self.evaluator, differs, n)
        vectoriser.batches.update(zip(graph.params, args, strict=True))
        vectoriser.bindings(graph.body)
        return [vectoriser.batch(r) for r in graph.results]
