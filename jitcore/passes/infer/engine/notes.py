"""Notes of attribute writes: what objects are left with if the program raises after it wrote to them.

A program that ends gives its attributes' last values as results. One that raises gives none: so each write is noted
when it happens, by a call of Python. The notes that nothing can raise after are dropped, which are most of them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import EffectAnalysis, all_bindings
from jitcore.ir.control import FOR, WHILE
from jitcore.ir.nodes import Atom, Binding, Graph, Module
from jitcore.ir.rewrite import with_body
from jitcore.passes.infer.domain import representations
from jitcore.passes.infer.domain.signature import Result
from jitcore.passes.infer.domain.values import Value
from jitcore.primitives.ops.state import note_attribute
from jitcore.structs import dataclass

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@dataclass(frozen=True, slots=True, eq=False)
class Write:
    """A write of `obj.name`; equal for the same attribute. `result` makes its value of the noted ones."""

    obj: Any
    name: str
    result: Result

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Write) and other.obj is self.obj and other.name == self.name

    def __hash__(self) -> int:
        return hash((id(self.obj), self.name))


def note(infer: Infer, obj: Any, name: str, value: Value) -> None:
    """Emit the note of `obj.name = value`."""

    def emit(values: list[Value]) -> list[Value]:
        atoms: list[Atom] = []
        result = representations.described_result(infer, values[0], atoms)
        infer.emit_all(note_attribute, *atoms, write=Write(obj, name, result))
        return []

    infer.distribute([value], emit)


def without_needless_notes(module: Module) -> Module:
    """The module without the notes after which nothing raises."""
    if not has_notes(module):
        return module
    pruning = _Pruning(EffectAnalysis(module))
    return Module(module.entry, {n: pruning.graph(g, after=n != module.entry) for n, g in module.graphs.items()})


def without_notes(module: Module) -> Module:
    """The module without any: whoever calls it does without."""
    return Module(module.entry, {n: _bare(g) for n, g in module.graphs.items()})


def _bare(graph: Graph) -> Graph:
    kept = [b for b in graph.body if b.op is not note_attribute]
    kept = [replace(b, graphs=tuple(map(_bare, b.graphs))) if b.graphs else b for b in kept]
    return with_body(graph, kept, graph.results)


def has_notes(module: Module) -> bool:
    """Whether a module has notes: then a call collects them."""
    return any(binding.op is note_attribute for binding in all_bindings(module))


class _Pruning:
    def __init__(self, effects: EffectAnalysis) -> None:
        self.effects = effects

    def graph(self, graph: Graph, after: bool) -> Graph:
        """A graph with the notes it needs; `after`: something may raise when it has ended."""
        kept: list[Binding] = []
        for binding in reversed(graph.body):
            if binding.op is note_attribute:
                if after:
                    kept.append(binding)
                continue
            loops = binding.op is WHILE or binding.op is FOR
            raises = bool(self.effects.of_binding(binding).raises)
            kept.append(self._inside(binding, after or (loops and raises)))
            after = after or raises or loops  # a loop can be interrupted
        return with_body(graph, kept[::-1], graph.results)

    def _inside(self, binding: Binding, after: bool) -> Binding:
        graphs = tuple(self.graph(g, after) for g in binding.graphs)
        return replace(binding, graphs=graphs) if graphs else binding
