"""Writes graphs: bindings are appended to the graph being built, with the span in force."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import repeat
from typing import Any

from jitcore import stopping
from jitcore.ir.nodes import Atom, Binding, Graph, Op, Var
from jitcore.ir.overwriting import settled
from jitcore.source import NOWHERE, Span
from jitcore.types import Dim, Type


class GraphBuilder:
    """Builds one graph.

    `span` is given to every binding emitted; set it as the program moves on. Variable names are hints:
    the printer makes them unique.
    """

    def __init__(self, name: str, span: Span = NOWHERE) -> None:
        self.name = name
        self.span = span
        self.graph_span = span
        self.params: list[Var] = []
        self.body: list[Binding] = []
        self.equal: set[tuple[Dim, Dim]] = set()
        """Extents that are checked to be equal."""

    def param(self, name: str, type_: Type | None, span: Span | None = None) -> Var:
        """A new parameter of the graph."""
        var = Var(name, type_, span or self.span)
        self.params.append(var)
        return var

    def emit(
        self,
        op: Op,
        args: Sequence[Atom],
        params: Mapping[str, Any] | None = None,
        graphs: tuple[Graph, ...] = (),
        *,
        types: Sequence[Type | None] | None = None,
        names: Sequence[str] = (),
    ) -> tuple[Var, ...]:
        """Append a binding and give its outputs. Their types come from the operator's rule unless given as `types`."""
        stopping.check()
        span, args, params = self.span, tuple(args), params or {}
        if types is None:
            types = op.result_types(Binding((), op, args, span, params, graphs))
        hints = (*names, *(op.name for _ in range(len(types) - len(names)))) if names else repeat(op.name)
        outs = tuple([Var(hint, type_, span) for hint, type_ in zip(hints, types, strict=False)])
        self.body.append(Binding(outs, op, args, span, params, graphs))
        return outs

    def append(self, binding: Binding) -> tuple[Var, ...]:
        """Append a binding made elsewhere."""
        self.body.append(binding)
        return binding.outs

    def finish(self, results: Sequence[Atom]) -> Graph:
        """The finished graph."""
        return settled(Graph(self.name, tuple(self.params), tuple(self.body), tuple(results), self.graph_span))
