"""The `fuse` pass: elementwise operations, and reductions with what feeds them and follows them, become one kernel
each."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import ClassVar

from jitcore.ir.analysis import EffectAnalysis
from jitcore.ir.control import FUSED
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Module, Var
from jitcore.passes.fusion_groups import Group, Limits, is_cheap, kind_of, shape_of
from jitcore.passes.plan.liveness import Liveness
from jitcore.passes.registry import Pass
from jitcore.primitives.core.registry import Primitive, View
from jitcore.structs import dataclass, replace


@dataclass(frozen=True)
class Fuse(Pass):
    """Groups elementwise operations and reductions, each group to be computed by one kernel.

    before    t: f32[n] = mul(x, y)
              u: f32[n] = add(t, x)
              s: f32[()] = reduce_sum(u, axis=(0,), keepdims=False)
    after     s: f32[()] = fused(body, x, y)

    Greedy, in the order of the program: a binding joins the groups of its operands as long as nothing outside of them
    has used their results. A group stands where its last binding stood. `bindings` and `buffers` bound a group.
    """

    name: ClassVar[str] = "fuse"
    bindings: int = 64
    buffers: int = 16

    def run(self, module: Module) -> Module:
        """The module with fused bindings in all its graphs."""
        effects = EffectAnalysis(module)
        liveness = Liveness()
        limits = Limits(self.bindings, self.buffers)
        return Module(
            module.entry,
            {name: _fuse_graph(graph, effects, liveness, limits) for name, graph in module.graphs.items()},
        )


def _fuse_graph(graph: Graph, effects: EffectAnalysis, liveness: Liveness, limits: Limits) -> Graph:
    fuser = _Fuser(graph, effects, liveness, limits)
    body = fuser.run()
    nested: list[Binding] = []
    for binding in body:
        if binding.graphs and binding.op is not FUSED:
            graphs = tuple(_fuse_graph(g, effects, liveness, limits) for g in binding.graphs)
            binding = replace(binding, graphs=graphs)
        nested.append(binding)
    return replace(graph, body=tuple(nested))


class _Fuser:
    """Fuses the bindings of one graph."""

    def __init__(self, graph: Graph, effects: EffectAnalysis, liveness: Liveness, limits: Limits) -> None:
        self.graph = graph
        self.effects = effects
        self.limits = limits
        self.captured = liveness.of(graph).captured
        self.left = _count_uses(graph, self.captured)
        """For every variable, its uses that are not inside of its own group."""
        self.group_of: dict[Var, Group] = {}
        self.readers: dict[tuple[Var, object], Group] = {}
        """The group that last read an input in an iteration space."""
        self.snapshots: set[Var] = set()
        self.snapshot_readers: list[Group] = []
        self.groups: dict[int, Group] = {}

    def run(self) -> list[Binding]:
        """The body with groups as fused bindings."""
        for position, binding in enumerate(self.graph.body):
            self._visit(position, binding)
        for group in {id(g): g for g in self.group_of.values()}.values():
            self.groups[group.last] = group
        body: list[Binding] = []
        for position, binding in enumerate(self.graph.body):
            group = self.groups.get(position)
            if group is not None:
                body += group.finish(self.left)
            elif not any(out in self.group_of for out in binding.outs):
                body.append(binding)
        return body

    # --- one binding --------------------------------------------------------------------------------

    def _visit(self, position: int, binding: Binding) -> None:
        group = self._group_for(position, binding)
        if group is None:
            self._close(self._vars(binding.args))
            self._close(self.captured[position])
            self._note_effects(binding)
            return
        for out in binding.outs:
            self.group_of[out] = group
        for var in group.inputs:
            self.readers[var, group.space] = group
        if not self.snapshots.isdisjoint(group.inputs):
            self.snapshot_readers.append(group)

    def _note_effects(self, binding: Binding) -> None:
        op = binding.op
        is_view = isinstance(op, Primitive) and isinstance(op.lowering, View)
        if op.name == "ref_read" or (is_view and not self.snapshots.isdisjoint(self._vars(binding.args))):
            self.snapshots.update(binding.outs)
        effects = self.effects.of_binding(binding)
        if effects.writes or effects.io:
            for group in self.snapshot_readers:
                self._root(group).is_open = False
            self.snapshot_readers.clear()

    def _group_for(self, position: int, binding: Binding) -> Group | None:
        """The group that a binding begins or joins; None if it stands alone."""
        kind = kind_of(binding)
        if kind is None:
            return None
        group = Group.start(position, binding, kind)
        if kind == "map":
            return self._join_operands(binding, group)
        if kind == "fold":
            return self._fold(binding, group)
        return self._view(binding, group)

    def _join_operands(self, binding: Binding, group: Group) -> Group:
        space = group.space
        for arg in dict.fromkeys(self._vars(binding.args)):
            producer = self._open_group(arg)
            if producer is None or producer is group:
                continue
            if shape_of(arg) == space and producer.result_shape == space:
                group = self._merge(producer, group)
            elif producer.kind == "map" and self._may_inline(producer, arg, binding, expands=True):
                self._inline(producer, arg, group)
            else:
                producer.is_open = False
        return self._join_siblings(group)

    def _join_siblings(self, group: Group) -> Group:
        """Merge with a group of the same iteration space that reads the same arrays."""
        for var in list(group.inputs):
            other = self.readers.get((var, group.space))
            if other is not None:
                other = self._root(other)
                if other.is_open and other is not group and other.kind == group.kind:
                    group = self._merge(other, group)
        return group

    def _fold(self, binding: Binding, group: Group) -> Group:
        (arg,) = binding.args
        producer = self._open_group(arg) if isinstance(arg, Var) else None
        if producer is not None and isinstance(arg, Var):
            if producer.kind == "map" and self._may_inline(producer, arg, binding, expands=False):
                self._inline(producer, arg, group)
            else:
                producer.is_open = False
        return self._join_siblings(group)

    def _view(self, binding: Binding, group: Group) -> Group | None:
        """A view of a value that exists only to be seen so is computed at once; of a number, it is a map."""
        arg = binding.args[0]
        if not shape_of(arg):
            self._close(self._vars([arg]))
            return group
        producer = self._open_group(arg) if isinstance(arg, Var) else None
        if producer is None or producer.kind != "map" or not isinstance(arg, Var):
            return None
        alone = producer.uses_left(self.left) == 1 and producer.slice_of(arg) is not None
        expands = binding.op.name == "broadcast_to"
        if not alone or not self._may_inline(producer, arg, binding, expands=expands):
            return None
        self._inline(producer, arg, group)
        return group

    # --- merging ------------------------------------------------------------------------------------

    def _merge(self, producer: Group, group: Group) -> Group:
        """Merge two groups if the result is within bounds; else the producer is closed."""
        merged = producer.merged(group, self.left, self.limits)
        if merged is None:
            if any(arg in producer.outs for arg in group.reads):
                producer.is_open = False
            return group
        absorbed = group if merged is producer else producer
        absorbed.parent = merged
        for out in absorbed.outs:
            self.group_of[out] = merged
        return merged

    def _may_inline(self, producer: Group, arg: Var, binding: Binding, *, expands: bool) -> bool:
        """Whether what computes `arg` may be computed again where `binding` reads it: it is cheap, or nothing else will
        need it (and it is not computed more often)."""
        needed = producer.slice_of(arg)
        if needed is None:
            return False
        by_binding = sum(1 for a in binding.args if a is arg)
        dies = producer.uses_left(self.left) == by_binding
        return (dies and not expands) or all(map(is_cheap, needed))

    def _inline(self, producer: Group, arg: Var, group: Group) -> None:
        """Copy what computes `arg` into a group; the originals vanish with their last use."""
        self.left[arg] -= group.inline(producer, arg)

    def _open_group(self, var: Var) -> Group | None:
        group = self.group_of.get(var)
        return group if group is not None and group.is_open else None

    @staticmethod
    def _root(group: Group) -> Group:
        while group.parent is not None:
            group = group.parent
        return group

    def _close(self, variables: Iterable[Var]) -> None:
        for var in variables:
            group = self.group_of.get(var)
            if group is not None:
                group.is_open = False

    @staticmethod
    def _vars(atoms: Iterable[Atom]) -> list[Var]:
        return [a for a in atoms if not isinstance(a, Literal)]


def _count_uses(graph: Graph, captured: Iterable[Iterable[Var]]) -> Counter[Var]:
    count: Counter[Var] = Counter()
    for binding, inner in zip(graph.body, captured, strict=True):
        count.update(a for a in binding.args if isinstance(a, Var))
        count.update(inner)
    count.update(r for r in graph.results if isinstance(r, Var))
    return count
