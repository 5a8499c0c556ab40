"""Groups of bindings that one kernel computes: what may be in one, merging, and the fused binding they become.

A *map* group computes values at every point of its space. A *fold* group folds values over axes of its space: what
feeds the reductions is in it too, and elementwise operations on what comes out.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from jitcore.ir.control import FUSED
from jitcore.ir.nodes import Atom, Binding, Graph, Var
from jitcore.ir.rewrite import with_args
from jitcore.kernel.build import Value
from jitcore.kernel.scalar import OPS
from jitcore.primitives.core.registry import Elementwise, KernelTemplate, Primitive, Reduce, View
from jitcore.source import Span
from jitcore.structs import dataclass, field, replace
from jitcore.types import DType, RefType, Shape, TensorType

_MOST_INLINED = 16


@dataclass(frozen=True, slots=True)
class Limits:
    """The most bindings and the most arrays read and written of one group."""

    bindings: int
    buffers: int


def kind_of(binding: Binding) -> str | None:
    """How a binding may take part in groups: "map", "fold", "view" (computed, if what it views is), or None."""
    op = binding.op
    if not isinstance(op, Primitive) or not op.effects.pure or len(binding.outs) != 1:
        return None
    out = binding.outs[0].type
    if not isinstance(out, TensorType):
        return None
    if isinstance(op.lowering, Reduce):
        return "fold" if shape_of(binding.args[0]) and reduced_axes(binding) else None
    if not out.rank:
        return None
    match op.lowering:
        case Elementwise() | KernelTemplate(generates=True):
            return "map"
        case View(computed=True):
            return "view"
        case _:
            return None


def reduced_axes(binding: Binding) -> tuple[int, ...]:
    """The axes a reduction folds."""
    axis: Any = binding.params["axis"]
    return tuple(sorted(axis)) if isinstance(axis, tuple) else (axis,)


def shape_of(atom: Atom) -> Shape:
    """The shape of an array atom; () for numbers."""
    type_ = atom.type.target if isinstance(atom.type, RefType) else atom.type
    return type_.shape if isinstance(type_, TensorType) else ()


class _Recorder:
    """Stands for a kernel builder, to see which operations an elementwise primitive is made of."""

    def __init__(self) -> None:
        self.ops: set[str] = set()

    def __call__(self, op: str, dtype: DType, *args: Value) -> Value:
        self.ops.add(op)
        return Value("", dtype)

    def const(self, dtype: DType, value: object) -> Value:
        return Value("", dtype)

    def cast(self, dtype: DType, value: Value) -> Value:
        return Value("", dtype)


def is_cheap(binding: Binding) -> bool:
    """Whether computing it again costs less than reading it from memory."""
    op = binding.op
    assert isinstance(op, Primitive)
    if not isinstance(op.lowering, Elementwise):
        return True
    emit = op.lowering.emit
    if isinstance(emit, str):
        return OPS[emit].is_cheap
    recorder = _Recorder()
    values: list[Value] = []
    for arg in binding.args:
        assert isinstance(arg.type, TensorType)
        values.append(Value("", arg.type.dtype))
    emit(recorder, *values, **binding.params)
    return all(OPS[name].is_cheap for name in recorder.ops)


@dataclass(slots=True, eq=False)
class Group:
    """Bindings by position; `inlined` are copies of bindings of other groups, by the position of the original.

    `result_shape` is the shape of all results: the space of a map, what a fold leaves of it.
    """

    kind: str
    space: tuple[object, ...]
    result_shape: Shape
    members: dict[int, Binding]
    last: int
    outs: dict[Var, int]
    """The members' outputs, and the positions of the members."""
    inputs: dict[Var, None] = field(default_factory=dict[Var, None])
    """The arrays that come from outside (numbers are not counted)."""
    reads: dict[Var, None] = field(default_factory=dict[Var, None])
    """Everything the bindings read that is not in the group."""
    inlined: list[tuple[int, Binding]] = field(default_factory=list[tuple[int, Binding]])
    is_open: bool = True
    parent: Group | None = None
    """The group it was merged into."""

    @staticmethod
    def start(position: int, binding: Binding, kind: str) -> Group:
        """A group of one binding."""
        result = shape_of(binding.outs[0])
        space: tuple[object, ...] = result
        if kind == "fold":
            space = (shape_of(binding.args[0]), reduced_axes(binding), bool(binding.params["keepdims"]))
        group = Group(
            "fold" if kind == "fold" else "map",
            space,
            result,
            {position: binding},
            position,
            {binding.outs[0]: position},
        )
        group._read(binding.args)
        return group

    def _read(self, args: tuple[Atom, ...]) -> None:
        for arg in args:
            if isinstance(arg, Var) and arg not in self.outs:
                self.reads[arg] = None
                if shape_of(arg):
                    self.inputs[arg] = None

    @property
    def size(self) -> int:
        return len(self.members) + len(self.inlined)

    def uses_left(self, left: Mapping[Var, int]) -> int:
        """How often its outputs are used outside of it."""
        return sum(left[out] for out in self.outs)

    # --- merging ------------------------------------------------------------------------------------

    def merged(self, other: Group, left: dict[Var, int], limits: Limits) -> Group | None:
        """The union of this group with one that may use its outputs and stands after it; None if they do not fit.

        It is one of the two, the larger, changed; the uses of one's outputs by the other are taken off `left`.
        """
        if self.kind == other.kind == "fold" and self.space != other.space:
            return None
        if self.kind != other.kind and self.result_shape != other.result_shape:
            return None
        if self.size + other.size > limits.bindings:
            return None
        inner = self._uses_of(other)
        inputs = [v for v in {**self.inputs, **other.inputs} if v not in self.outs and v not in other.outs]
        kept = sum(1 for g in (self, other) for out in g.outs if left[out] - inner.get(out, 0) > 0)
        if len(inputs) + kept > limits.buffers:
            return None
        for out, count in inner.items():
            left[out] -= count
        big, small = (self, other) if self.size >= other.size else (other, self)
        big._absorb(small)
        return big

    def _uses_of(self, other: Group) -> dict[Var, int]:
        """How often the bindings of another group use this one's outputs."""
        found: dict[Var, int] = {}
        if any(v in self.outs for v in other.reads):
            for binding in (*other.members.values(), *(b for _, b in other.inlined)):
                for arg in binding.args:
                    if isinstance(arg, Var) and arg in self.outs:
                        found[arg] = found.get(arg, 0) + 1
        return found

    def _absorb(self, small: Group) -> None:
        if small.kind == "fold":
            self.kind, self.space = small.kind, small.space
        self.members.update(small.members)
        self.outs.update(small.outs)
        self.inlined += small.inlined
        self.last = max(self.last, small.last)
        for var in small.reads:
            self.reads[var] = None
        for var in small.inputs:
            self.inputs[var] = None
        for var in [v for v in self.reads if v in self.outs]:
            del self.reads[var]
            self.inputs.pop(var, None)

    # --- inlining -----------------------------------------------------------------------------------

    def slice_of(self, var: Var) -> list[Binding] | None:
        """The bindings that compute one of its outputs, in order; None if there are too many, or reductions."""
        if self.kind != "map":
            return None
        by_out = {b.outs[0]: (k, b) for k, b in (*self.members.items(), *self.inlined)}
        needed: dict[Var, tuple[int, Binding]] = {}
        pending = [var]
        while pending:
            current = pending.pop()
            if current in by_out and current not in needed:
                needed[current] = by_out[current]
                pending += [a for a in by_out[current][1].args if isinstance(a, Var)]
                if len(needed) > _MOST_INLINED:
                    return None
        return [b for _, b in sorted(needed.values(), key=lambda item: item[0])]

    def inline(self, producer: Group, var: Var) -> int:
        """Compute a producer's output here again, instead of reading it. Gives how many uses of it that removed."""
        positions = {b.outs[0]: k for k, b in (*producer.members.items(), *producer.inlined)}
        renamed: dict[Var, Atom] = {}
        for binding in producer.slice_of(var) or ():
            out = binding.outs[0]
            fresh = Var(out.name, out.type, out.span)
            args = tuple(renamed.get(a, a) if isinstance(a, Var) else a for a in binding.args)
            self.inlined.append((positions[out], replace(binding, outs=(fresh,), args=args)))
            renamed[out] = fresh
            self._read(tuple(a for a in args if a not in renamed.values()))
        removed = 0
        for position, binding in self.members.items():
            removed += sum(1 for a in binding.args if a is var)
            args = tuple(renamed.get(a, a) if isinstance(a, Var) and a is var else a for a in binding.args)
            self.members[position] = with_args(binding, args)
        self.reads.pop(var, None)
        self.inputs.pop(var, None)
        return removed

    # --- the result ---------------------------------------------------------------------------------

    def finish(self, left: Mapping[Var, int]) -> list[Binding]:
        """The fused binding; the binding itself if there is only one, nothing if nobody uses a result."""
        results = [out for out in sorted(self.outs, key=self.outs.__getitem__) if left[out] > 0]
        if not results:
            return []
        ordered = [b for _, b in sorted((*self.inlined, *self.members.items()), key=lambda item: item[0])]
        needed = _reaching(ordered, results)
        if len(needed) == 1:
            return needed
        last = self.members[self.last]
        body = FusedBody(last.span)
        graph = body.graph(needed, results)
        return [Binding(tuple(results), FUSED, tuple(body.args), last.span, {}, (graph,))]


class FusedBody:
    """Makes the graph of a fused binding: variables from outside become its parameters."""

    def __init__(self, span: Span) -> None:
        self.span = span
        self.args: list[Atom] = []
        self._params: list[Var] = []
        self._inside: dict[Atom, Var] = {}

    def graph(self, bindings: list[Binding], results: list[Var]) -> Graph:
        """The graph that computes `results`."""
        body: list[Binding] = []
        for binding in bindings:
            args = tuple(self._atom(a) for a in binding.args)
            outs = tuple(Var(o.name, o.type, o.span) for o in binding.outs)
            self._inside.update(zip(binding.outs, outs, strict=True))
            body.append(Binding(outs, binding.op, args, binding.span, binding.params, binding.graphs))
        return Graph("body", tuple(self._params), tuple(body), tuple(self._inside[r] for r in results), self.span)

    def _atom(self, atom: Atom) -> Atom:
        if not isinstance(atom, Var) and not shape_of(atom):
            return atom  # a number: part of the kernel
        if atom not in self._inside:
            param = (
                Var(atom.name, atom.type, atom.span) if isinstance(atom, Var) else Var("constant", atom.type, self.span)
            )
            self._inside[atom] = param
            self.args.append(atom)
            self._params.append(param)
        return self._inside[atom]


def _reaching(bindings: list[Binding], results: list[Var]) -> list[Binding]:
    """The bindings that results depend on."""
    wanted = set(results)
    kept: list[Binding] = []
    for binding in reversed(bindings):
        if not wanted.isdisjoint(binding.outs):
            kept.append(binding)
            wanted.update(a for a in binding.args if isinstance(a, Var))
    return kept[::-1]
