"""The `decompose` pass: primitives defined by other primitives become those."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, ClassVar

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Binding, Literal, Module, Var
from jitcore.ir.rewrite import Rewriter
from jitcore.passes.registry import Pass
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import Decomposition, Primitive
from jitcore.primitives.tracing import GraphEvaluator, scalar_literal
from jitcore.structs import dataclass, replace


@dataclass(frozen=True)
class Decompose(Pass):
    """Writes out the primitives that are defined by others.

    before    y: f32[n] = square(x)
    after     y: f32[n] = mul(x, x)
    """

    name: ClassVar[str] = "decompose"

    def run(self, module: Module) -> Module:
        """The module without primitives whose lowering is a Decomposition."""
        return _Expander().module(module)


class _Expander(Rewriter):
    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        if isinstance(binding.op, Primitive) and isinstance(binding.op.lowering, Decomposition):
            yield from self._expand(binding, binding.op, binding.op.lowering)
        else:
            yield binding

    def _expand(self, binding: Binding, op: Primitive, lowering: Decomposition) -> Iterable[Binding]:
        """The bindings of the definition, themselves expanded; what they give replaces the outputs."""
        builder = GraphBuilder(op.name, binding.span)
        with evaluating_by(GraphEvaluator(builder)):
            made: Any = lowering.expand(*binding.args, **binding.params)
        for inner in builder.body:
            yield from self.rewrite(self._up_to_date(inner))
        results = made if isinstance(made, tuple) else () if made is None else (made,)
        for out, result in zip(binding.outs, results, strict=True):
            self.replaced[out] = self.atom(_atom(result, out))

    def _up_to_date(self, binding: Binding) -> Binding:
        args = tuple(map(self.atom, binding.args))
        return binding if args == binding.args else replace(binding, args=args)


def _atom(value: Any, out: Var) -> Atom:
    if isinstance(value, Var | Literal):
        return value
    literal = scalar_literal(value)
    return Literal(literal.value, out.type)
