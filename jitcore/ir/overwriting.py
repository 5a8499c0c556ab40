"""Arrays that a graph being built makes and overwrites: which value each use of theirs stands for.

While a graph is being built, `overwrite(x, v)` says that an array that it made as `x` holds `v` from there on. What has
such an array still knows it as `x`. In the finished graph there are no such bindings: uses of `x` after one are of `v`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Final

from jitcore.ir.nodes import PURE, Atom, Binding, Graph, Op
from jitcore.types import Type


class _Overwrite(Op):
    __slots__ = ()

    def __init__(self) -> None:
        self.name = "overwrite"
        self.effects = PURE

    def result_types(self, binding: Binding) -> tuple[Type, ...]:
        """None: it has no output."""
        del binding
        return ()


OVERWRITE: Final = _Overwrite()
"""`overwrite(x, v)`."""


def settled(body: Sequence[Binding], results: Sequence[Atom]) -> tuple[tuple[Binding, ...], tuple[Atom, ...]]:
    """The bindings and results of a graph without `overwrite`."""
    held: dict[Atom, Atom] = {}
    made: list[Binding] = []
    for binding in body:
        if binding.op is OVERWRITE:
            target, value = binding.args
            held[target] = held.get(value, value)
        else:
            made.append(_with(binding, held) if held else binding)
    return tuple(made), tuple(held.get(r, r) for r in results)


def _with(binding: Binding, held: Mapping[Atom, Atom]) -> Binding:
    args = tuple([held.get(a, a) for a in binding.args])
    graphs = tuple([_graph_with(g, held) for g in binding.graphs])
    same = all(a is b for a, b in zip((*args, *graphs), (*binding.args, *binding.graphs), strict=True))
    return binding if same else replace(binding, args=args, graphs=graphs)


def _graph_with(graph: Graph, held: Mapping[Atom, Atom]) -> Graph:
    body = tuple([_with(b, held) for b in graph.body])
    results = tuple([held.get(r, r) for r in graph.results])
    same = all(a is b for a, b in zip((*body, *results), (*graph.body, *graph.results), strict=True))
    return graph if same else replace(graph, body=body, results=results)
