"""The `cse` pass: what was computed before, here or in a surrounding graph, is not computed again."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, ClassVar, Final, cast

from jitcore.ir.analysis import EffectAnalysis
from jitcore.ir.nodes import Binding, Graph, Module, Var
from jitcore.ir.rewrite import Rewriter
from jitcore.passes.registry import Pass
from jitcore.passes.sharing import exposed_arrays, is_view
from jitcore.structs import dataclass
from jitcore.types import STACK, RefType


@dataclass(frozen=True)
class Cse(Pass):
    """Merges equal bindings into the first.

    before    a: f32[n] = exp(x)
              b: f32[n] = exp(x)
              c: f32[n] = add(a, b)
    after     a: f32[n] = exp(x)
              c: f32[n] = add(a, a)

    A binding that may raise is merged too: had it raised, it would have done so the first time. Two arrays that the
    program shows as themselves stay two (see `passes.sharing`).
    """

    name: ClassVar[str] = "cse"
    cleans_up: ClassVar[tuple[int, ...]] = (60,)

    def run(self, module: Module) -> Module:
        """The module without repeated bindings."""
        return _Merger(EffectAnalysis(module), exposed_arrays(module)).module(module)


class _Merger(Rewriter):
    def __init__(self, effects: EffectAnalysis, exposed: set[Var]) -> None:
        super().__init__()
        self.effects = effects
        self.exposed = exposed
        self.known: dict[object, tuple[Var, ...]] = {}
        self.scopes: list[list[object]] = []

    def enter(self, graph: Graph) -> None:
        self.scopes.append([])

    def leave(self, graph: Graph) -> None:
        for key in self.scopes.pop():
            del self.known[key]

    def rewrite(self, binding: Binding) -> Iterable[Binding]:
        if not self.may_merge(binding):
            return (binding,)
        key = (
            binding.op,
            tuple([atom if isinstance(atom, Var) else (atom.type, _value_key(atom.value)) for atom in binding.args]),
            tuple([(name, _value_key(value)) for name, value in sorted(binding.params.items())]),
            tuple([out.type for out in binding.outs]),
        )
        first = self.known.get(key)
        if first is None:
            self.known[key] = binding.outs
            self.scopes[-1].append(key)
            return (binding,)
        if not is_view(binding.op):
            if any(a in self.exposed and b in self.exposed for a, b in zip(first, binding.outs, strict=True)):
                return (binding,)
            self.exposed.update(a for a, b in zip(first, binding.outs, strict=True) if b in self.exposed)
        self.replaced.update(zip(binding.outs, first, strict=True))
        return ()

    def may_merge(self, binding: Binding) -> bool:
        if binding.graphs:
            return False
        for out in binding.outs:
            if out.type is STACK or isinstance(out.type, RefType):
                return False  # two new places are not one
        for arg in binding.args:
            if arg.type is STACK:
                return False
        effects = self.effects.of_binding(binding)
        return not (effects.reads or effects.writes or effects.io)


_PLAIN: Final = (bool, int, str, bytes)


def _value_key(value: Any) -> object:
    """Equal for values that are the same bit for bit: 0.0 is not -0.0, nor 1 True."""
    if isinstance(value, float):
        return float, "nan" if math.isnan(value) else value, math.copysign(1.0, value)
    if isinstance(value, complex):
        return complex, _value_key(value.real), _value_key(value.imag)
    if isinstance(value, tuple):
        return tuple, tuple(map(_value_key, cast("tuple[Any, ...]", value)))
    if isinstance(value, _PLAIN):
        return type(value), value
    return id(value)  # dtypes, types and dimensions are interned; the graph keeps the others alive
