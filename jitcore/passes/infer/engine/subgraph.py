"""A call inferred as a graph of its own, of some of the values it depends on: what transforms of functions work on.

The graph's parameters stand for `inputs` (leaves of the arguments, and captured Parameters); it uses everything else
where it is. Its results are the atoms of the call's result, of what the call left in containers, cells and attributes,
and of the inputs it wrote to. `adopt` takes the atoms that a transform emitted for them, and lets the program go on
from there.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from jitcore.ir.analysis import all_bindings
from jitcore.ir.nodes import Atom, Graph
from jitcore.ir.rewrite import inline
from jitcore.passes.infer.domain import abstract, composition, forms
from jitcore.passes.infer.domain.forms import Form
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.values import NO_ORIGINS, Array, Instance, Number, Path, Static, Unreachable, Value
from jitcore.passes.infer.engine import branching, lifting
from jitcore.passes.infer.engine.branching import held
from jitcore.passes.infer.engine.names import param_for
from jitcore.passes.infer.engine.tracing import SymbolicEvaluator
from jitcore.primitives.ops import state
from jitcore.primitives.ops.custom import custom_vjp
from jitcore.types import FLOAT, ScalarType, has_derivatives

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Stand = Callable[["Infer", Value, int], Value]
"""What stands for an input in the graph: `stand(infer, input, position)` adds a parameter to the graph being built."""


class Subgraph:
    """`function(*args, **keywords)` as a graph of `inputs`. `arguments(stream)` gives the args with what stands for the
    inputs in their places (`weights`, the last of them, are captured, and overridden while the graph is inferred).
    Raises Unreachable if the call never returns."""

    def __init__(
        self,
        infer: Infer,
        function: Any,
        path: Path | None,
        arguments: Callable[[Any], list[Value]],
        keywords: Mapping[str, Value],
        inputs: Sequence[Value],
        weights: Sequence[Array] = (),
        stand: Stand | None = None,
        reversed_: bool = False,
    ) -> None:
        self.infer = infer
        self.inputs = inputs
        params: list[Value] = []

        def make_params() -> None:
            params.extend((stand or parameter)(infer, leaf, k) for k, leaf in enumerate(inputs))

        def run() -> list[Value]:
            stream = iter(params)
            replaced = arguments(stream)
            overridden = [(w, infer.inputs.override(w.source, p)) for w, p in zip(weights, stream, strict=True)]
            try:
                below = infer.paths.get(id(function)) if path is None else (*path, ("attr", "function"))
                callee = function if isinstance(function, Value) else Static(function, below)
                return [abstract.call(infer, callee, replaced, keywords)]
            finally:
                for weight, before in overridden:
                    infer.inputs.restore(weight.source, before)

        new_keys_from = infer.heap.next_key + 1
        before = infer.heap.snapshot()
        trial = branching.trial(infer, "differentiated", run, make_params)
        if trial.values is None:
            infer.builder.body.extend(inline(trial.builder.finish(()), self.starts())[0])
            raise Unreachable
        changed = branching.changed_keys(before, (trial.heap,))
        infer.heap.state = trial.heap
        self.keys = changed
        """What the call changes in the heap."""
        self.written = [(leaf, p) for leaf, p in zip(inputs, params, strict=True) if isinstance(p, Array) and p.is_ref]
        values = trial.values + held(trial.heap, changed)
        outer, infer.builder = infer.builder, trial.builder
        try:
            values += [Array(infer.read(place), place.category) for _, place in self.written]
            joiner = Joiner(infer, new_keys_from)
            self.made: list[Form] = [joiner.form_of(v, runtime=False) for v in values]
            atoms = [a for f, v in zip(self.made, values, strict=True) for a in forms.flatten(infer, f, v)]
        finally:
            infer.builder = outer
        self.form = self.made[0]
        """The form of the call's result, whose atoms come first."""
        self.value = trial.values[0]
        graph = trial.builder.finish(atoms)
        self.late = self._written_backwards(graph) if reversed_ else []
        """What the backward graph writes to, of `written`: their places are the graph's last results."""
        places = [place.atom for _, place in self.late]
        self.graph = lifting.close_calls(infer, replace(graph, results=(*graph.results, *places)))
        infer.differentiated.append(self.graph)

    def _written_backwards(self, graph: Graph) -> list[tuple[Value, Array]]:
        """The inputs that gradients which users give may write to."""
        used = {a for b in all_bindings(graph) if b.op is custom_vjp for a in b.args}
        return [(leaf, place) for leaf, place in self.written if place.atom in used]

    def starts(self) -> list[Atom]:
        """The atoms of the inputs."""
        return [
            self.infer.read(leaf)
            if isinstance(leaf, Array)
            else self.infer.number_atom(leaf, number_type(leaf) or FLOAT)
            for leaf in self.inputs
        ]

    def adopt(self, atoms: Sequence[Atom]) -> Value:
        """The call's result, from the atoms of the graph's results; what it changed is changed."""
        infer = self.infer
        stream: Any = iter(atoms)
        value = forms.unflatten(infer, self.form, stream)
        count = len(self.keys)
        branching.restore_held(infer, self.keys, [forms.unflatten(infer, f, stream) for f in self.made[1 : 1 + count]])
        for leaf, _ in self.written:
            SymbolicEvaluator(infer).write(leaf, Array(next(stream), "ndarray"))
        return value

    def adopt_late(self, places: Sequence[Atom]) -> None:
        """Write what the backward graph wrote to the places that stand for inputs to the inputs themselves."""
        for (leaf, _), place in zip(self.late, places, strict=True):
            evaluator = SymbolicEvaluator(self.infer)
            evaluator.write(leaf, Array(self.infer.emit(state.ref_read, place), "ndarray"))


def parameter(infer: Infer, leaf: Value, position: int) -> Value:
    """What stands for a leaf in the graph: a parameter, or a place that begins with its value if the function writes to
    it. (What it writes goes to the argument afterwards.)"""
    if isinstance(leaf, Array):
        param = param_for(infer, infer.builder, leaf.source, "x", leaf.type)
        if leaf.atom in infer.layouts:
            infer.layouts[param] = infer.layouts[leaf.atom]
        origin = ("differentiated", *infer.place(), position)
        atom = infer.emit(state.ref_new, param) if origin in infer.assumptions.refs else param
        if atom is not param:
            infer.lies_in_order(atom)
        origins = NO_ORIGINS if leaf.category == "npscalar" else frozenset([origin])
        return Array(atom, leaf.category, origins, None, leaf.source)
    type_ = number_type(leaf) or FLOAT
    return Number(infer.builder.param("x", type_), type_)


def number_type(value: Value) -> ScalarType | None:
    """The type of a number value."""
    if isinstance(value, Number):
        return value.type
    return forms.SCALARS.get(type(value.value)) if isinstance(value, Static) else None


def is_leaf(value: Value) -> bool:
    """Whether derivatives can be taken by a value: an array of floats or a float."""
    if isinstance(value, Array):
        return has_derivatives(value.type.dtype)
    return (isinstance(value, Number) and value.type is FLOAT) or (
        isinstance(value, Static) and type(value.value) is float
    )


def like(infer: Infer, value: Value, is_input: Callable[[Value], bool], stream: Any) -> Value:
    """The next values of a stream in the places of a value's leaves that are inputs."""
    if is_input(value):
        return next(stream)
    if isinstance(value, Static | Number | Array | Instance):
        return value
    kind, extra, items = composition.decompose(infer, value)
    return composition.compose(infer, kind, extra, tuple(like(infer, i, is_input, stream) for i in items))
