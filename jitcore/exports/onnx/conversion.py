"""From a typed graph to an ONNX graph: operations by the families' tables, what is written in place as values, and
what has no counterpart as a list of problems.

Memory that a program makes and writes to (`ref_new`) becomes a value that each write replaces by another: control flow
carries those that its graphs write to.

What operations check of extents and indices is left out: ONNX checks extents as it computes, and indices not at all.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from typing import Final, TypeAlias

from jitcore.exports.onnx import contraction, elementwise, indexing, numbers, reductions, shapes
from jitcore.exports.onnx.refusals import check_is_left_out, why_not
from jitcore.exports.onnx.writing import Converters, RefusedError, Writer, tensor, tensor_of
from jitcore.ir.nodes import Atom, Binding, Graph, Literal, Var, type_of
from jitcore.source import Problem
from jitcore.structs import dataclass
from jitcore.types import RefType, ScalarType, StackType, TensorType, UnionType

_CONVERTERS: Final = Converters(
    {
        **elementwise.CONVERTERS,
        **numbers.CONVERTERS,
        **reductions.CONVERTERS,
        **shapes.CONVERTERS,
        **contraction.CONVERTERS,
        **indexing.CONVERTERS,
    }
)
CONVERTED: Final = frozenset(_CONVERTERS)
"""The operations that are one value computed of others."""
_VIEWS: Final = frozenset(["ref_view", "ref_transpose", "ref_reshape", "widen"])
_INSTEAD_OF_WRITES: Final = "a copy of it, that is written to"


@dataclass(frozen=True, slots=True, eq=False)
class _Step:
    """A view of a place: the binding that made it, and the names of its indices."""

    binding: Binding
    values: tuple[str, ...]


@dataclass(frozen=True, slots=True, eq=False)
class _Place:
    """What a ref refers to: memory, and how it is seen."""

    root: Var
    steps: tuple[_Step, ...] = ()


class Conversion:
    """The conversion of a program: what its variables are in ONNX, and what is wrong with it."""

    def __init__(self, control: Mapping[str, Special]) -> None:
        self._special = {**control, **_SPECIAL}
        self.problems: dict[tuple[object, str], Problem] = {}
        self.states: dict[Var, str] = {}
        self._values: dict[Var, str] = {}
        self._places: dict[Var, _Place] = {}
        self._given: dict[Var, str] = {}
        self._of_extents: set[Var] = set()

    # --- variables ----------------------------------------------------------------------------------------

    def give(self, param: Var, name: str, said: str) -> None:
        """Bind a parameter of the program; `said` is what its user calls it."""
        if isinstance(param.type, RefType):
            self._places[param] = _Place(param)
            self.states[param] = name
            self._given[param] = said
        else:
            self._values[param] = name

    def bind(self, w: Writer, out: Var, name: str, *, renewed: bool = False) -> None:
        """Bind a variable to a value; `renewed`: extents of its type are what this value has."""
        if isinstance(out.type, RefType):
            raise RefusedError("an array that is written to has several names here", _INSTEAD_OF_WRITES)
        tensor_of(out.type)
        self._values[out] = name
        w.note_extents(name, out.type, renewed=renewed)

    def atom(self, w: Writer, a: Atom) -> str:
        """The value of an atom; of a ref, what it holds now."""
        if isinstance(a, Literal):
            return w.constant(a.value, tensor(a).dtype)
        if a in self._places:
            place = self._places[a]
            return self._seen(w, place.steps, self.states[place.root])
        return self._values[a]

    def atoms(self, w: Writer, given: Sequence[Atom]) -> list[str]:
        """The values of atoms."""
        return [self.atom(w, a) for a in given]

    # --- bindings -----------------------------------------------------------------------------------------

    def body(self, w: Writer, graph: Graph) -> None:
        """Convert a graph's bindings; what is wrong with them is noted, and the rest is converted all the same."""
        for binding in graph.body:
            span = binding.span
            w.place = f"{os.path.basename(span.file)}:{span.line}"
            try:
                self._binding(w, binding)
            except RefusedError as error:
                self.refuse(Problem(span, error.message, error.hint))
                self._bind_nothing(w, binding.outs)

    def refuse(self, problem: Problem) -> None:
        """Note what is wrong."""
        self.problems.setdefault((problem.span.file, f"{problem.span.line} {problem.message}"), problem)

    def _bind_nothing(self, w: Writer, outs: Sequence[Var]) -> None:
        """Bind what has no value, in a model that is not written."""
        for out in outs:
            name = self._values[out] = w.names.fresh("none")
            if isinstance(out.type, RefType):
                self._places[out] = _Place(out)
                self.states[out] = name
            w.note_extents(name, out.type)

    def _binding(self, w: Writer, b: Binding) -> None:
        special = self._special.get(b.op.name)
        if special is not None:
            special(self, w, b)
            return
        convert = _CONVERTERS.get(b.op.name)
        if convert is None:
            for graph in b.graphs:
                self.nested(Writer(w), graph)
            raise why_not(b)
        for atom in (*b.args, *b.outs):
            if (isinstance(atom, Var) and isinstance(atom.type, StackType | UnionType)) or _is_complex(atom):
                raise why_not(b)
        (out,) = b.outs
        self.bind(w, out, convert(w, b, *self.atoms(w, b.args)))
        if isinstance(out.type, ScalarType) and all(map(self.is_of_extents, b.args)):
            self._of_extents.add(out)

    def is_of_extents(self, a: Atom) -> bool:
        """Whether a number depends on extents alone."""
        return isinstance(a, Literal) or a in self._of_extents

    # --- checks -------------------------------------------------------------------------------------------

    def check(self, w: Writer, b: Binding) -> None:
        """A check that an operation makes of extents or indices is left out; what a program raises is refused."""
        if not check_is_left_out(b, self.is_of_extents(b.args[0])):
            raise why_not(b)

    def check_extents(self, w: Writer, b: Binding) -> None:
        """That extents are equal is for ONNX to find."""

    def as_dim(self, w: Writer, b: Binding) -> None:
        """A symbol that is a number from here on."""
        w.bind_symbol(b.params["symbol"], self.atom(w, b.args[0]))

    def custom_vjp(self, w: Writer, b: Binding) -> None:
        """Results that are what they are computed to be, whatever their gradient is."""
        for out, a in zip(b.outs, b.args[b.params["inputs"] :], strict=False):
            self.bind(w, out, self.atom(w, a))

    # --- memory -------------------------------------------------------------------------------------------

    def ref_new(self, w: Writer, b: Binding) -> None:
        """New memory: the value that it holds."""
        (out,) = b.outs
        self._places[out] = _Place(out)
        self.states[out] = self.atom(w, b.args[0])
        w.note_extents(self.states[out], out.type)

    def ref_read(self, w: Writer, b: Binding) -> None:
        """What memory holds now."""
        self.bind(w, b.outs[0], self.atom(w, b.args[0]))

    def view(self, w: Writer, b: Binding) -> None:
        """A view of memory: nothing is computed until it is read, or written to."""
        source, *values = b.args
        place = self._place(source)
        self._places[b.outs[0]] = _Place(place.root, (*place.steps, _Step(b, tuple(self.atoms(w, values)))))

    def write(self, w: Writer, b: Binding) -> None:
        """Memory that holds something else."""
        place, target, value = self._place(b.args[0]), tensor(b.args[0]), tensor(b.args[1])
        if place.root in self._given:
            raise RefusedError(f"it writes to {self._given[place.root]}", _INSTEAD_OF_WRITES)
        new, before = self.atom(w, b.args[1]), self.states[place.root]
        if b.op.name == "ref_add":
            old = self._seen(w, place.steps, before)
            new = elementwise.added(w, target.dtype, old, new)
        if b.op.name == "ref_add" or value.shape != target.shape:
            new = shapes.expanded(w, new, target.dtype, target.shape)
        self.states[place.root] = self._with(w, place, before, new) if place.steps else new

    def _with(self, w: Writer, place: _Place, before: str, new: str) -> str:
        """What memory held before, with something new in a part."""
        root = tensor(place.root)
        row = _row(place.steps, root)
        if row is not None:
            return shapes.with_row(w, before, root.dtype, row, new)
        where = self._seen(w, place.steps, shapes.places(w, root.shape))
        return shapes.written(w, before, root.dtype, where, new, root.shape)

    def _place(self, a: Atom) -> _Place:
        if not isinstance(a, Var) or a not in self._places:
            raise RefusedError("an array that is written to has several names here", _INSTEAD_OF_WRITES)
        return self._places[a]

    def _seen(self, w: Writer, steps: Sequence[_Step], value: str) -> str:
        """A value of memory, as a view sees it."""
        for step in steps:
            b = step.binding
            match b.op.name:
                case "ref_view":
                    value = shapes.viewed(w, value, tensor(b.args[0]).shape, step.values, b.params["spec"])
                case "ref_transpose":
                    value = shapes.transposed(w, value, b.params["permutation"])
                case "ref_reshape":
                    value = shapes.reshaped(w, value, b.params["shape"])
                case _:
                    assert b.op.name == "widen", b.op.name
        return value

    def widen(self, w: Writer, b: Binding) -> None:
        """The same, of a type that says less."""
        if isinstance(type_of(b.args[0]), RefType):
            self.view(w, b)
        else:
            self.bind(w, b.outs[0], self.atom(w, b.args[0]), renewed=True)

    def written_in(self, graphs: Sequence[Graph]) -> list[Var]:
        """The memory outside that graphs write to."""
        bases: dict[Var, Atom] = {}
        own: set[Var] = set()
        found: dict[Var, None] = {}

        def look(graph: Graph) -> None:
            for b in graph.body:
                if b.outs and isinstance(b.outs[0].type, RefType):
                    if b.args:
                        bases[b.outs[0]] = b.args[0]
                    if b.op.name not in _VIEWS:
                        own.update(b.outs)
                if b.op.effects.writes and b.args:
                    root = b.args[0]
                    while isinstance(root, Var) and root in bases and root not in own:
                        root = bases[root]
                    if isinstance(root, Var) and root not in own and root in self._places:
                        found[self._places[root].root] = None
                for inner in b.graphs:
                    look(inner)

        for graph in graphs:
            look(graph)
        return list(found)

    # --- control flow -------------------------------------------------------------------------------------

    @contextmanager
    def scope(self, states: Mapping[Var, str] | None = None) -> Generator[None]:
        """Within it, what is written is written in a nested graph; `states` are what that graph begins with."""
        before = dict(self.states)
        self.states.update(states or {})
        try:
            yield
        finally:
            self.states = before

    def nested(self, w: Writer, graph: Graph) -> list[str]:
        """Convert a nested graph for what is wrong with it; its results."""
        with self.scope():
            self._bind_nothing(w, graph.params)
            self.body(w, graph)
            return self.atoms(w, graph.results)

    def note_of_extents(self, outs: Sequence[Var], atoms: Sequence[Sequence[Atom]]) -> None:
        """Note which results of branches depend on extents alone, as what decides does."""
        self._of_extents.update(
            out for k, out in enumerate(outs) if all(self.is_of_extents(branch[k]) for branch in atoms)
        )


def _row(steps: Sequence[_Step], root: TensorType) -> str | None:
    """The index of the row that a view is, if it is one."""
    first, *more = steps
    if more or first.binding.op.name != "ref_view":
        return None
    spec = first.binding.params["spec"]
    whole = tuple(("s", 0, 1, extent) for extent in root.shape[1:])
    return first.values[0] if spec == (("i", 0), *whole) else None


def _is_complex(a: Atom) -> bool:
    type_ = type_of(a)
    return isinstance(type_, TensorType | ScalarType) and type_.dtype.kind == "c"


Special: TypeAlias = "Callable[[Conversion, Writer, Binding], None]"
"""The conversion of an operation that is more than a node for each."""
_SPECIAL: Final[Mapping[str, Special]] = {
    "check": Conversion.check,
    "check_extents": Conversion.check_extents,
    "as_dim": Conversion.as_dim,
    "custom_vjp": Conversion.custom_vjp,
    "ref_new": Conversion.ref_new,
    "ref_read": Conversion.ref_read,
    "ref_view": Conversion.view,
    "ref_transpose": Conversion.view,
    "ref_reshape": Conversion.view,
    "ref_write": Conversion.write,
    "ref_add": Conversion.write,
    "widen": Conversion.widen,
}
