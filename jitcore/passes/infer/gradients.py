"""Gradients asked for inside compiled code: `grad(f)(x)`, `GradOperation()(net, weights)(x)`.

The function is inferred as a graph of what it is differentiated by; the `grad` pass writes its forward and backward
graphs in its place.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, Literal
from jitcore.passes.grad import Reverse
from jitcore.passes.infer import custom, forms
from jitcore.passes.infer.forms import Joiner
from jitcore.passes.infer.subgraph import Subgraph, is_leaf, like
from jitcore.passes.infer.values import Array, Number, Path, PythonError, Reference, Static, Tuple, Value
from jitcore.primitives import broadcasting
from jitcore.primitives.evaluation import evaluating_by
from jitcore.primitives.library import Gradient
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.types import (
    FLOAT,
    RefType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    has_derivatives,
    integers_differentiated,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.core import Infer


def call(
    infer: Infer, request: Gradient, path: Path | None, args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call what `grad` and its kin make; `path` is where the program reached the request."""
    with integers_differentiated(request.integers and _has_integers(infer, request, args)):
        return _call(infer, request, path, args, keywords)


def _has_integers(infer: Infer, request: Gradient, args: Sequence[Value]) -> bool:
    """Whether Tensors of integers are among what is differentiated by."""
    given = args[: len(args) - request.sens]
    chosen = (
        given if request.positions is None else [given[k] for k in request.positions if -len(given) <= k < len(given)]
    )
    tensors = [a for value in chosen for a in _arrays(infer, value) if a.category == "tensor"]
    by_value = any(a.type.dtype.is_integer for a in tensors)
    return by_value or any((w.type if isinstance(w, Array) else w).dtype.is_integer for w in request.weights or ())


def _call(
    infer: Infer, request: Gradient, path: Path | None, args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    given = list(args)
    sens = given.pop() if request.sens else None
    positions = _positions(infer, request, given)
    weights = [_weight(infer, w) for w in request.weights or ()]
    explicit = request.positions is not None
    leaves = [leaf for k in positions for leaf in _leaves(infer, given[k], explicit)]
    inputs = [*leaves, *weights]
    with custom.differentiating(infer):
        run = _Differentiated(infer, request, path, given, keywords, positions, weights, inputs)
    value = run.value
    cotangents = _cotangents(infer, request, run, sens)
    sums = run.reverse.run_backward(run.residuals, cotangents)
    stream = iter([_gradient(infer, run, leaf, total) for leaf, total in zip(inputs, sums, strict=True)])
    by_position = [_gradients_like(infer, given[k], stream) for k in positions]
    by_weight = tuple(stream)
    gradients = _assemble(request, by_position, by_weight)
    if request.with_value:
        return Tuple((value, gradients))
    if request.has_aux:
        assert isinstance(value, Tuple)
        return Tuple((gradients, Tuple(value.items[1:])))
    return gradients


def _positions(infer: Infer, request: Gradient, args: Sequence[Value]) -> list[int]:
    if request.positions is None:
        return [k for k, a in enumerate(args) if is_leaf(a) or any(map(is_leaf, _arrays(infer, a)))]
    for k in request.positions:
        if not -len(args) <= k < len(args):
            raise PythonError(IndexError(f"there is no argument {k} to differentiate by: the call has {len(args)}"))
    return [k % len(args) for k in request.positions]


def _arrays(infer: Infer, value: Value) -> list[Array]:
    """An argument that is an array, or the arrays in one that is a tuple, list or dict."""
    if isinstance(value, Array):
        return [value]
    if isinstance(value, Tuple) or (isinstance(value, Reference) and value.kind in (list, dict)):
        return [array for item in forms.decompose(infer, value)[2] for array in _arrays(infer, item)]
    return []


def _leaves(infer: Infer, value: Value, explicit: bool) -> list[Value]:
    """The arrays and floats an argument is made of; `explicit`: it was asked for, and must be made of nothing else."""
    if is_leaf(value):
        return [value]
    if isinstance(value, Tuple):
        return [leaf for item in value.items for leaf in _leaves(infer, item, explicit)]
    if isinstance(value, Array | Number | Static):
        if not explicit:
            return []
        from jitcore.passes.infer.containers import type_name

        raise PythonError(
            TypeError(f"only floats and arrays of floats can be differentiated by, not {type_name(value)}")
        )
    _, _, items = forms.decompose(infer, value)
    return [leaf for item in items for leaf in _leaves(infer, item, explicit)]


def _like(infer: Infer, value: Value, stream: Any) -> Value:
    """An argument with the next values of a stream for what it is differentiated by."""
    return like(infer, value, is_leaf, stream)


def _gradients_like(infer: Infer, value: Value, stream: Any) -> Value:
    """Gradients in the structure of an argument; None for what it is not differentiated by."""
    if is_leaf(value):
        return next(stream)
    if isinstance(value, Static | Number | Array):
        return Static(None)
    kind, extra, items = forms.decompose(infer, value)
    return forms.compose(infer, kind, extra, tuple(_gradients_like(infer, item, stream) for item in items))


def _weight(infer: Infer, weight: Any) -> Array:
    value = weight if isinstance(weight, Value) else infer.inputs.captured(weight, ("constant", id(weight)))
    if not isinstance(value, Array):
        raise PythonError(TypeError("the weights to differentiate by must be Parameters or Tensors"))
    return value


def _assemble(request: Gradient, by_position: list[Value], by_weight: tuple[Value, ...]) -> Value:
    first: Value = by_position[0] if request.single and by_position else Tuple(tuple(by_position))
    if request.weights is None:
        return first
    weights = by_weight[0] if request.single_weight else Tuple(by_weight)
    return weights if request.positions == () else Tuple((first, weights))


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
        def arguments(stream: Any) -> list[Value]:
            replaced = list(args)
            for k in positions:
                replaced[k] = _like(infer, args[k], stream)
            return replaced

        made = Subgraph(infer, request.function, path, arguments, keywords, inputs, weights)
        self.form = made.form
        self.reverse = Reverse(infer.builder, infer.modules)
        starts = made.starts()
        with evaluating_by(GraphEvaluator(infer.builder)):
            self.residuals = self.reverse.run_forward(made.graph, starts)
        self.value = made.adopt([self.residuals.value(k) for k in range(len(self.residuals.results))])


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
    type_ = result.type.target if isinstance(result.type, RefType) else result.type
    with evaluating_by(GraphEvaluator(infer.builder)):
        if isinstance(type_, ScalarType):
            return Literal(1.0, FLOAT) if type_ is FLOAT else None
        if isinstance(type_, TensorType):
            if not has_derivatives(type_.dtype):
                return None
            return (
                Literal(type_.dtype.numpy.type(1).item(), type_) if not type_.shape else broadcasting.filled(1, type_)
            )
        if isinstance(type_, UnionType) and all(isinstance(m, ScalarType) for m in type_.members):
            return Literal(1.0, FLOAT) if FLOAT in type_.members else None  # an int has no derivative
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
