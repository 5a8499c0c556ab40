"""Elementwise and reduction groups: one kernel for a `fused` binding, or for an elementwise or reducing primitive
alone.

The group is evaluated symbolically from its outputs: the value of a variable at an index is an operation on the values
of its operands at indices derived from it. Inputs are loads through their layouts, so views of inputs cost nothing.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var
from jitcore.kernel.build import ArrayLayout, Index, IndexLike, KernelBuilder, as_index
from jitcore.kernel.build import Value as KernelValue
from jitcore.passes.plan.copies import broadcast_index
from jitcore.passes.plan.launches import launch
from jitcore.passes.plan.outputs import Target, choose_targets
from jitcore.passes.plan.values import ArrayValue
from jitcore.passes.plan.views import source_index
from jitcore.primitives.core.registry import Elementwise, KernelTemplate, Primitive, Reduce, View
from jitcore.program.nodes import Imm, Operand
from jitcore.source import InternalError
from jitcore.types import Shape, TensorType, Type, f16, f32

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner

KernelIndex = tuple[IndexLike, ...]


def is_groupable(op: object) -> bool:
    """Whether a primitive can be computed in a group."""
    if not isinstance(op, Primitive):
        return False
    return isinstance(op.lowering, Elementwise | Reduce) or generates(op)


def generates(op: Primitive) -> bool:
    """Whether a kernel computes it from the index alone."""
    return isinstance(op.lowering, KernelTemplate) and op.lowering.generates


def lower_group(p: Planner, graph: Graph, args: Mapping[Var, Atom], outs: tuple[Var, ...]) -> None:
    """Compute the results of a group as `outs`. `args` are what its parameters stand for."""
    group = Group(p, graph, args)
    targets = choose_targets(p, outs, group.inputs, group.direct_inputs())
    group.emit(targets)
    for out, target in zip(outs, targets, strict=True):
        target.finish(p, out)


def lower_alone(p: Planner, binding: Binding) -> None:
    """Compute one elementwise, reducing or generating primitive by a kernel."""
    graph = Graph(binding.op.name, (), (binding,), binding.outs, binding.span)
    lower_group(p, graph, {}, binding.outs)


class Group:
    """A group being turned into a kernel."""

    def __init__(self, p: Planner, graph: Graph, args: Mapping[Var, Atom]) -> None:
        self.p = p
        self.graph = graph
        self.definitions = {out: b for b in graph.body for out in b.outs}
        self.reduces = [b for b in graph.body if _reduce_of(b) is not None]
        self.inputs: dict[Atom, ArrayValue] = {}
        """What is read, by the variable or constant that stands for it in the group."""
        self.atoms: dict[Atom, Atom] = {}
        for binding in graph.body:
            for arg in binding.args:
                if arg in self.definitions or arg in self.inputs:
                    continue
                if isinstance(arg, Var) or (arg.type is not None and self.shape(arg)):
                    self.atoms[arg] = args.get(arg, arg) if isinstance(arg, Var) else arg
                    self.inputs[arg] = p.array(self.atoms[arg])
        self.space = self._iteration_space()
        self._buffers: dict[Atom, str] = {}
        self._scalars: dict[str, Operand] = {}
        self._indices: dict[Any, KernelIndex] = {}
        self._values: dict[tuple[Atom, int, bool], KernelValue] = {}
        self._reduced: dict[Var, KernelValue] = {}

    def _iteration_space(self) -> Shape:
        if self.reduces:
            return self.shape(self.reduces[0].args[0])
        return self.shape(self.graph.results[0])

    def shape(self, atom: Atom) -> Shape:
        """The internal shape of a variable of the group."""
        if atom in self.inputs:
            return self.inputs[atom].layout.shape
        return self.p.shape(atom.type)

    def direct_inputs(self) -> dict[Atom, Atom]:
        """The inputs that every point of an elementwise kernel reads exactly where it writes its outputs, with the
        atoms they are outside of the group."""
        if self.reduces or any(isinstance(_lowering(b), View) for b in self.graph.body):
            return {}
        return {v: self.atoms[v] for v, a in self.inputs.items() if a.layout.shape == self.space and a.element is None}

    # --- emission -----------------------------------------------------------------------------------

    def emit(self, targets: list[Target]) -> None:
        """Build the kernel that stores the results to `targets` and launch it."""
        layouts: dict[str, ArrayLayout] = {}
        buffers: dict[str, Operand] = {}
        seen: dict[tuple[Operand, ArrayLayout], str] = {}
        for var, value in self.inputs.items():
            if value.data is not None and value.element is None:
                key = (value.data, value.layout)
                if key not in seen:
                    seen[key] = f"a{len(seen)}"
                self._buffers[var] = seen[key]
                layouts[seen[key]], buffers[seen[key]] = value.layout, value.data
        aliases: dict[str, tuple[str, ...]] = {}
        for k, target in enumerate(targets):
            name = f"o{k}"
            layouts[name], buffers[name] = target.layout, target.data
            shared = tuple(dict.fromkeys(self._buffers[v] for v in target.shared))
            if shared:
                aliases[name] = shared
                for other in shared:
                    aliases[other] = (*aliases.get(other, ()), name)
        self.k = KernelBuilder(self._name(), layouts, aliases)
        self._store_all(len(targets))
        launch(self.p, self.k, buffers, self._scalars, tuple(b.span for b in self.graph.body))

    def _name(self) -> str:
        names = [b.op.name for b in self.graph.body]
        return "_".join(names if len(names) <= 4 else [*names[:2], f"{len(names) - 3}more", names[-1]])

    def _store_all(self, count: int) -> None:
        if not self.reduces:
            index = self._intern(self.k.axes(self.space))
            for n in range(count):
                self.k.store(f"o{n}", index, self.value(self.graph.results[n], index))
            return
        folded = reduce_axes(self.reduces[0])
        outer = {a: self.k.axis(d) for a, d in enumerate(self.space) if a not in folded}
        inner = {a: self.k.axis(self.space[a], reduce=True) for a in sorted(folded)}
        index = self._intern(tuple((outer | inner)[a] for a in range(len(self.space))))
        folds = [self._fold_input(b, index) for b in self.reduces]
        for binding, (value, op) in zip(self.reduces, folds, strict=True):
            self._reduced[binding.outs[0]] = self.k.reduce(op, value)
        for binding in self.reduces:
            self._finish_fold(binding)
        for n in range(count):
            result = self.graph.results[n]
            kept = len(self.shape(result)) == len(self.space)
            axes = range(len(self.space)) if kept else outer
            at = self._intern(tuple(outer.get(a, Index()) for a in axes))
            self.k.store(f"o{n}", at, self.value(result, at))

    def _fold_input(self, binding: Binding, index: KernelIndex) -> tuple[KernelValue, str]:
        reduce = _reduce_of(binding)
        assert reduce is not None
        value = self.value(binding.args[0], index)
        if value.dtype is f16 and reduce.op in ("sum", "prod"):
            value = self.k.cast(f32, value)
        return value, reduce.op

    def _finish_fold(self, binding: Binding) -> None:
        out = binding.outs[0]
        assert isinstance(out.type, TensorType)
        self._reduced[out] = self.k.cast(out.type.dtype, self._reduced[out])

    # --- evaluation ---------------------------------------------------------------------------------

    def _intern(self, index: KernelIndex) -> KernelIndex:
        key = tuple((i.offset, tuple(i.axes.items()), tuple(i.values.items())) for i in map(as_index, index))
        return self._indices.setdefault(key, index)

    def value(self, atom: Atom, index: KernelIndex) -> KernelValue:
        """The element of a variable at an (interned) index."""
        if isinstance(atom, Literal) and atom not in self.inputs:
            assert isinstance(atom.type, TensorType)
            dtype = atom.type.dtype
            return self.k.const(dtype, dtype.numpy.type(atom.value).item())
        if isinstance(atom, Var) and atom in self._reduced:
            return self._reduced[atom]
        key = (atom, id(index), bool(self._reduced))
        found = self._values.get(key)
        if found is None:
            found = self._load(atom, index) if atom in self.inputs else self._compute(atom, index)
            self._values[key] = found
        return found

    def _load(self, atom: Atom, index: KernelIndex) -> KernelValue:
        value = self.inputs[atom]
        buffer = self._buffers.get(atom)
        if buffer is not None:
            return self.k.load(buffer, index)
        element = value.element
        assert element is not None
        if isinstance(element, Imm):
            return self.k.const(value.dtype, element.value)
        names = [n for n, e in self._scalars.items() if e is element]
        name = names[0] if names else f"s{len(self._scalars)}"
        self._scalars[name] = element
        return self.k.scalar(name, value.dtype)

    def _compute(self, var: Atom, index: KernelIndex) -> KernelValue:
        assert isinstance(var, Var)
        binding = self.definitions[var]
        lowering = _lowering(binding)
        shape = self.shape(var)
        if isinstance(lowering, View):
            return self.value(binding.args[0], self._intern(source_index(self.p, binding, index)))
        if binding.op.name == "iota":
            return self.k.cast(_dtype(var.type), self.k.index_value(index[0]))
        args: list[KernelValue] = []
        for arg in binding.args:
            own = self.shape(arg)
            at = index if own == shape else self._intern(broadcast_index(index, own, shape))
            args.append(self.value(arg, at))
        if binding.op.name == "full" or isinstance(lowering, Reduce):  # a reduction of no axes gives what it takes
            return args[0]
        assert isinstance(lowering, Elementwise)
        if isinstance(lowering.emit, str):
            return self.k(lowering.emit, _dtype(var.type), *args)
        made: Any = lowering.emit(self.k, *args, **self.p.params(binding))
        return made[binding.outs.index(var)] if isinstance(made, tuple) else made


def reduce_axes(binding: Binding) -> frozenset[int]:
    """The axes that a reducing primitive folds."""
    axis: Any = binding.params["axis"]
    return frozenset(axis) if isinstance(axis, tuple) else frozenset((axis,))


def _lowering(binding: Binding) -> object:
    if not isinstance(binding.op, Primitive):
        raise InternalError(f"plan: {binding.op.name} in a fused graph")
    return binding.op.lowering


def _reduce_of(binding: Binding) -> Reduce | None:
    lowering = _lowering(binding)
    return lowering if isinstance(lowering, Reduce) and reduce_axes(binding) else None


def _dtype(type_: Type | None) -> Any:
    assert isinstance(type_, TensorType)
    return type_.dtype
