"""Gradients asked for inside compiled code: `grad(f)(x)`, `GradOperation()(net, weights)(x)`.

The function is inferred as a graph of what it is differentiated by; the `grad` pass writes its forward and backward
graphs in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.grad import Reverse
from jitcore.passes.infer import forms
from jitcore.passes.infer.forms import Form, Joiner
from jitcore.passes.infer.tracing import SymbolicEvaluator
from jitcore.passes.infer.values import Array, Number, Path, PythonError, Static, Tuple, Value
from jitcore.primitives import broadcasting, state
from jitcore.primitives.evaluation import evaluating_by
from jitcore.primitives.library import Gradient
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.types import FLOAT, ScalarType, TensorType, Type

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer


def call(
    infer: Infer, request: Gradient, path: Path | None, args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call what `grad` and its kin make; `path` is where the program reached the request."""
    given = list(args)
    sens = given.pop() if request.sens else None
    positions = _positions(request, given)
    weights = [_weight(infer, w) for w in request.weights or ()]
    leaves = [leaf for k in positions for leaf in _leaves(infer, given[k])]
    inputs = [*leaves, *weights]
    run = _Differentiated(infer, request, path, given, keywords, positions, weights, inputs)
    value = run.value
    cotangents = _cotangents(infer, request, run, sens)
    sums = run.reverse.run_backward(run.residuals, cotangents)
    stream = iter([_gradient(infer, run, leaf, total) for leaf, total in zip(inputs, sums, strict=True)])
    by_position = [_like(infer, given[k], stream) for k in positions]
    by_weight = tuple(stream)
    gradients = _assemble(request, by_position, by_weight)
    if request.with_value:
        return Tuple((value, gradients))
    if request.has_aux:
        assert isinstance(value, Tuple)
        return Tuple((gradients, Tuple(value.items[1:])))
    return gradients


def _positions(request: Gradient, args: Sequence[Value]) -> list[int]:
    if request.positions is None:
        return [k for k, a in enumerate(args) if _is_leaf(a)]
    for k in request.positions:
        if not -len(args) <= k < len(args):
            raise PythonError(ValueError(f"there is no argument {k} to differentiate by: the call has {len(args)}"))
    return [k % len(args) for k in request.positions]


def _is_leaf(value: Value) -> bool:
    if isinstance(value, Array):
        return value.type.dtype.is_differentiable
    return (isinstance(value, Number) and value.type is FLOAT) or (
        isinstance(value, Static) and type(value.value) is float
    )


def _leaves(infer: Infer, value: Value) -> list[Value]:
    """The arrays and floats an argument is made of."""
    if _is_leaf(value):
        return [value]
    if isinstance(value, Tuple):
        return [leaf for item in value.items for leaf in _leaves(infer, item)]
    if isinstance(value, Array | Number | Static):
        from jitcore.passes.infer.containers import type_name

        raise PythonError(
            TypeError(f"only floats and arrays of floats can be differentiated by, not {type_name(value)}")
        )
    _, _, items = forms.decompose(infer, value)
    return [leaf for item in items for leaf in _leaves(infer, item)]


def _like(infer: Infer, value: Value, stream: Any) -> Value:
    """Gradients in the structure of an argument."""
    if _is_leaf(value):
        return next(stream)
    kind, extra, items = forms.decompose(infer, value)
    return forms.compose(infer, kind, extra, tuple(_like(infer, i, stream) for i in items))


def _weight(infer: Infer, weight: Any) -> Array:
    value = weight if isinstance(weight, Value) else infer.inputs.captured(weight, ("constant", id(weight)))
    if not isinstance(value, Array):
        raise PythonError(TypeError("the weights to differentiate by must be Parameters or Tensors"))
    return value


def _assemble(request: Gradient, by_position: list[Value], by_weight: tuple[Value, ...]) -> Value:
    first: Value = by_position[0] if request.single and by_position else Tuple(tuple(by_position))
    if request.weights is None:
        return first
    if request.positions == ():
        return Tuple(by_weight)
    return Tuple((first, Tuple(by_weight)))


class _Differentiated:
    """The forward pass of a differentiated call: its graph inferred, emitted, and its residuals."""

    def __init__(
        self,
        infer: Infer,
        request: Gradient,
        path: Path | None,
        args: list[Value],
        keywords: Mapping[str, Value],
        positions: list[int],
        weights: list[Array],
        inputs: list[Value],
    ) -> None:
        from jitcore.passes.infer import calls

        self.infer = infer
        params: list[Value] = []

        def make_params() -> None:
            for k, leaf in enumerate(inputs):
                params.append(_param(infer, leaf, k))

        def run() -> list[Value]:
            stream = iter(params)
            replaced = list(args)
            for k in positions:
                replaced[k] = _like(infer, args[k], stream)
            overridden = [(w, infer.inputs.override(w.source, p)) for w, p in zip(weights, stream, strict=True)]
            try:
                function = request.function
                below = infer.paths.get(id(function)) if path is None else (*path, ("attr", "function"))
                callee = function if isinstance(function, Value) else Static(function, below)
                return [calls.call(infer, callee, replaced, keywords)]
            finally:
                for weight, before in overridden:
                    infer.inputs.restore(weight.source, before)

        new_keys_from = infer.heap.next_key + 1
        before = infer.heap.snapshot()
        trial = infer.trial("differentiated", run, make_params)
        if trial.values is None:
            infer.builder.body.extend(trial.builder.body)
            from jitcore.passes.infer.values import Unreachable

            raise Unreachable
        changed = infer.changed_keys(before, (trial.heap,))
        infer.heap.state = trial.heap
        joiner = Joiner(infer, new_keys_from)
        written = [(leaf, p) for leaf, p in zip(inputs, params, strict=True) if isinstance(p, Array) and p.is_ref]
        values = trial.values + [infer.heap.state[k] for k in changed if isinstance(infer.heap.state[k], Value)]
        outer, infer.builder = infer.builder, trial.builder
        values += [Array(infer.read(place), place.category) for _, place in written]
        infer.builder = outer
        made: list[Form] = [joiner.form_of(v, runtime=False) for v in values]
        outer, infer.builder = infer.builder, trial.builder
        try:
            atoms = [a for f, v in zip(made, values, strict=True) for a in forms.flatten(infer, f, v)]
        finally:
            infer.builder = outer
        graph = trial.builder.finish(atoms)
        infer.differentiated.append(graph)
        self.form = made[0]
        self.reverse = Reverse(infer.builder, infer.modules)
        starts = [_atom(infer, leaf) for leaf in inputs]
        with evaluating_by(GraphEvaluator(infer.builder)):
            self.residuals = self.reverse.run_forward(graph, starts)
        stream = iter([self.residuals.value(k) for k in range(len(self.residuals.results))])
        self.value = forms.unflatten(infer, made[0], stream)  # type: ignore[arg-type]
        kept = [k for k in changed if isinstance(infer.heap.state[k], Value)]
        for key, form in zip(kept, made[1 : 1 + len(kept)], strict=True):
            infer.heap.store(key, forms.unflatten(infer, form, stream))  # type: ignore[arg-type]
        for leaf, _ in written:
            SymbolicEvaluator(infer).write(leaf, Array(next(stream), "ndarray"))


def _param(infer: Infer, leaf: Value, position: int) -> Value:
    """What stands for an argument's leaf in the differentiated graph: a parameter, or a place that begins with its value if
    the function writes to it. (What it writes goes to the argument afterwards.)"""
    if isinstance(leaf, Array):
        param = infer.builder.param("x", leaf.type)
        if leaf.atom in infer.layouts:
            infer.layouts[param] = infer.layouts[leaf.atom]
        origin = ("differentiated", *infer.place(), position)
        atom = infer.emit(state.ref_new, param) if origin in infer.marks.refs else param
        if atom is not param:
            infer.lies_in_order(atom)
        return Array(atom, leaf.category, frozenset([origin]), None, leaf.source)
    return Number(infer.builder.param("x", FLOAT), FLOAT)


def _atom(infer: Infer, leaf: Value) -> Atom:
    return infer.read(leaf) if isinstance(leaf, Array) else infer.number_atom(leaf, FLOAT)


def _cotangents(infer: Infer, request: Gradient, run: _Differentiated, sens: Value | None) -> list[Atom | None]:
    """One cotangent for each result of the differentiated graph."""
    results = run.residuals.results
    count = len(forms.atom_types(run.form))
    value = run.value
    if request.has_aux:
        if not isinstance(value, Tuple):
            raise PythonError(TypeError("with has_aux the function must return a tuple (value, aux…)"))
        differentiated = forms.decompose(infer, value)[2][0]
        count = len(forms.atom_types(Joiner(infer, 0).form_of(differentiated, runtime=False)))
    given = _flat_sens(infer, sens) if sens is not None else None
    out: list[Atom | None] = []
    for k, result in enumerate(results):
        if k >= count:
            out.append(None)
        elif given is not None:
            out.append(given[k])
        else:
            out.append(_ones(infer, result, run))
    return out


def _flat_sens(infer: Infer, sens: Value) -> list[Atom]:
    items = sens.items if isinstance(sens, Tuple) else (sens,)
    return [infer.read(i) if isinstance(i, Array) else infer.number_atom(i, FLOAT) for i in items]


def _ones(infer: Infer, result: Atom, run: _Differentiated) -> Atom | None:
    type_ = result.type
    with evaluating_by(GraphEvaluator(infer.builder)):
        if isinstance(type_, ScalarType):
            return Literal(1.0, FLOAT) if type_ is FLOAT else None
        if isinstance(type_, TensorType):
            if not type_.dtype.is_differentiable:
                return None
            return Literal(1.0, type_) if not type_.shape else broadcasting.filled(1, type_)
    raise infer.unsupported(
        "differentiating a function whose result may be of several types", "return one type on every path"
    )


def _gradient(infer: Infer, run: _Differentiated, leaf: Value, total: Atom | None) -> Value:
    """A gradient as a value of its input's kind; zero where the result does not depend on it."""
    type_: Type = leaf.type if isinstance(leaf, Array) else FLOAT
    if total is None:
        with evaluating_by(GraphEvaluator(infer.builder)):
            total = run.reverse.zero(type_)
    if isinstance(leaf, Array):
        category = leaf.category
        return infer.fresh_array(total, category)
    return Number(total, FLOAT)
