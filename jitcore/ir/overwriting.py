"""Arrays that a graph being built makes and overwrites: which value each use of theirs stands for.

While a graph is being built, `overwrite(v, target=x)` says that an array that it made as `x` holds `v` from there on.
What has such an array still knows it as `x`. In the finished graph there are no such bindings: uses of `x` after one
are of `v`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from jitcore.ir.nodes import PURE, Binding, Graph, Op
from jitcore.ir.rewrite import Rewriter
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
"""`overwrite(v, target=x)`: x is a param, since it stands for the array, whatever that holds."""


class _Settling(Rewriter):
    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        """See `Rewriter`."""
        if binding.op is not OVERWRITE:
            return (binding,)
        (self.replaced[binding.params["target"]],) = binding.args
        return ()


def settled(graph: Graph) -> Graph:
    """The graph without `overwrite`."""
    return _Settling().graph(graph) if any(binding.op is OVERWRITE for binding in graph.body) else graph
