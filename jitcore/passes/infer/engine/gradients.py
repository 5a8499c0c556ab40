"""Gradients asked for inside compiled code: `grad(f)(x)`, `GradOperation()(net, weights)(x)`.

The function is inferred as a graph of what it is differentiated by; the `grad` pass writes its forward and backward
graphs in its place.
"""

from __future__ import annotations

import functools
from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.identity import Identity
from jitcore.ir.nodes import Atom, Literal, Var
from jitcore.library.core.cotangents import as_cotangent
from jitcore.library.core.mutable import plain_class
from jitcore.passes.infer.domain import abstract, composition, forms
from jitcore.passes.infer.domain.forms import SCALARS, CompositeForm, Form
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Instance,
    Number,
    Path,
    PythonError,
    Reference,
    Slice,
    Static,
    Tuple,
    Value,
)
from jitcore.passes.infer.engine import constants, custom, dialect, marking
from jitcore.passes.infer.engine.subgraph import Subgraph, is_leaf, like, number_type
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.passes.transforms.grad import Reverse
from jitcore.passes.transforms.grad.scopes import slots_of
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.primitives.transforms import AuxError, Gradient
from jitcore.types import (
    FLOAT,
    INT,
    RefType,
    ScalarType,
    TensorType,
    Type,
    UnionType,
    has_derivatives,
    integers_differentiated,
)

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def call(
    infer: Infer, request: Gradient, path: Path | None, args: Sequence[Value], keywords: Mapping[str, Value]
) -> Value:
    """Call what `grad` and its kin make; `path` is where the program reached the request."""
    args, keywords, named = request.without_keywords(args, keywords)
    with integers_differentiated(request.integers and _has_integers(infer, request, args)):
        return _call(infer, request, path, args, keywords, named)


def _has_integers(infer: Infer, request: Gradient, args: Sequence[Value]) -> bool:
    """Whether Tensors of integers are among what is differentiated by."""
    given = args[: len(args) - request.sens]
    chosen = (
        given if request.positions is None else [given[k] for k in request.positions if -len(given) <= k < len(given)]
    )
    tensors = [a for value in chosen for a in _arrays(infer, value) if a.is_tensor]
    by_value = any(a.type.dtype.is_integer for a in tensors)
    return by_value or any((w.type if isinstance(w, Array) else w).dtype.is_integer for w in request.weights or ())


def _call(
    infer: Infer,
    request: Gradient,
    path: Path | None,
    args: Sequence[Value],
    keywords: Mapping[str, Value],
    named: Sequence[str],
) -> Value:
    given = list(args)
    sens = given.pop() if request.sens else None
    positions = _positions(infer, request, given)
    if request.numbers:
        for k in positions:
            given[k] = _with_floats(infer, given[k])
    asked = [_weight(infer, w) for w in request.weights or ()]
    weights = [*{_identity(w): w for w in asked}.values()]
    _require_derivatives(infer, request, [given[k] for k in positions])
    leaves = [leaf for k in positions for leaf in _leaves(infer, request, given[k])]
    inputs = [*leaves, *weights]
    with custom.differentiating(infer):
        run = _Differentiated(infer, request, path, given, keywords, named, positions, weights, inputs)
    value = run.value
    try:
        cotangents = _cotangents(infer, request, run, sens)
    except PythonError:  # raised by the program after the forward pass, which stays
        run.reverse.run_backward(run.residuals, [None] * len(run.residuals.results))
        raise
    sums = [*run.reverse.run_backward(run.residuals, cotangents)]
    run.finish()
    for k, weight in enumerate(weights, len(leaves)):
        if request.integers and _is_frozen(infer, weight):  # as MindSpore has it
            sums[k] = None
    stream = iter([_gradient(infer, run, leaf, total) for leaf, total in zip(inputs, sums, strict=True)])
    by_position = [_gradients_like(infer, request, given[k], stream) for k in positions]
    of_weights = dict(zip(map(_identity, weights), stream, strict=True))
    by_weight = tuple(of_weights[_identity(w)] for w in asked)
    gradients = _assemble(request, by_position, by_weight, _is_single(request, positions))
    if request.with_value:
        return Tuple((value, gradients))
    if request.has_aux:
        assert isinstance(value, Tuple)
        return Tuple((gradients, Tuple(value.items[1:])))
    return gradients


def _positions(infer: Infer, request: Gradient, args: Sequence[Value]) -> list[int]:
    if request.positions is None:
        return [k for k, a in enumerate(args) if _is_differentiated(infer, request, a)]
    if request.by_first_if_any and not (args and _is_differentiated(infer, request, args[0])):
        return []
    for k in request.positions:
        if not -len(args) <= k < len(args):
            raise PythonError(IndexError(f"there is no argument {k} to differentiate by: the call has {len(args)}"))
    chosen = [k % len(args) for k in request.positions]
    return [k for k in chosen if not _is_passed_over(infer, args[k])] if _passes_over(infer, request) else chosen


def _passes_over(infer: Infer, request: Gradient) -> bool:
    """Whether there are no gradients by constants, as MindSpore's compiler has it."""
    return infer.notes_paths and request.integers and not request.numbers


def _is_passed_over(infer: Infer, value: Value) -> bool:
    """Whether a value is a constant, as an unmarked container that is given to the program is."""
    if marking.is_container(value) and not marking.is_marked(infer, value) and marking.is_given(infer, value):
        return True
    return constants.is_folded(infer, value, dialect.folds(infer))


def _is_single(request: Gradient, positions: Sequence[int]) -> bool:
    """Whether the gradient by position is in no tuple: the one that is asked for, or the one that is left of
    several."""
    return request.single or (request.positions is not None and len(positions) == 1 < len(request.positions))


def _require_derivatives(infer: Infer, request: Gradient, chosen: Sequence[Value]) -> None:
    """Refuse arguments by position that are no arrays and have no derivatives."""
    if request.positions is None or _passes_over(infer, request):
        return
    for value in chosen:
        if isinstance(value, Number | Static | Instance) and not is_leaf(value):
            raise _refusal(value)


def _is_differentiated(infer: Infer, request: Gradient, value: Value) -> bool:
    """Whether an argument has derivatives; as MindSpore has it, so do Tensors of bools, which are all zero, but not
    numbers, and containers that are given to the program only if they are marked as variable."""
    if request.numbers and (_is_number(value) or marking.is_marked(infer, value)):
        return True
    if _passes_over(infer, request):
        if _is_passed_over(infer, value):
            return False
        if isinstance(value, Number) or marking.is_marked(infer, value):
            return True
    if request.integers and marking.is_container(value) and not marking.is_marked(infer, value):
        given = marking.is_given(infer, value)
    else:
        given = request.integers and request.positions is None and isinstance(value, Number | Static)
    if given:
        return False
    arrays = _arrays(infer, value)
    return is_leaf(value) or any(map(is_leaf, arrays)) or (request.integers and any(map(_is_bools, arrays)))


def _is_number(value: Value) -> bool:
    return isinstance(value, Number | Static) and number_type(value) in (INT, FLOAT)


def _with_floats(infer: Infer, value: Value) -> Value:
    """A value with the ints in it as floats."""
    if isinstance(value, Number | Static):
        return abstract.float_(infer, value) if number_type(value) is INT else value
    if not marking.is_container(value):
        return value
    kind, extra, items = composition.decompose(infer, value)
    return composition.compose(infer, kind, extra, tuple(_with_floats(infer, item) for item in items))


def _is_bools(value: Value) -> bool:
    return isinstance(value, Array) and value.is_tensor and value.type.dtype.kind == "b"


def _arrays(infer: Infer, value: Value) -> list[Array]:
    """An argument that is an array, or the arrays in one that is a tuple, list or dict."""
    if isinstance(value, Array):
        return [value]
    if isinstance(value, Tuple) or (isinstance(value, Reference) and value.kind in (list, dict)):
        return [array for item in composition.decompose(infer, value)[2] for array in _arrays(infer, item)]
    return []


def _is_leaf(request: Gradient, value: Value) -> bool:
    """Whether there is a derivative by a value: MindSpore's gradients by Python's floats are 0."""
    return is_leaf(value) and (isinstance(value, Array) or request.numbers or not request.integers)


def _leaves(infer: Infer, request: Gradient, value: Value) -> list[Value]:
    """The arrays and floats an argument is made of. One that was asked for must be made of nothing else, but for
    MindSpore's."""
    if _is_leaf(request, value):
        return [value]
    if isinstance(value, Tuple):
        return [leaf for item in value.items for leaf in _leaves(infer, request, item)]
    if isinstance(value, Array | Number | Static | Instance):
        if request.positions is None or request.integers:
            return []
        raise _refusal(value)
    _, _, items = composition.decompose(infer, value)
    return [leaf for item in items for leaf in _leaves(infer, request, item)]


def _refusal(value: Value) -> PythonError:
    kind = type_name(value)
    if isinstance(value, Array):
        kind = f"a {kind} of {value.type.dtype.numpy}: convert it to a float dtype first"
    return PythonError(TypeError(f"only floats and arrays of floats can be differentiated by, not {kind}"))


def _like(infer: Infer, request: Gradient, value: Value, stream: Any) -> Value:
    """An argument with the next values of a stream for what it is differentiated by."""
    return like(infer, value, functools.partial(_is_leaf, request), stream)


def _gradients_like(infer: Infer, request: Gradient, value: Value, stream: Any) -> Value:
    """Gradients in the structure of an argument; None for what it is not differentiated by (MindSpore's: 0, if it is a
    number)."""
    if _is_leaf(request, value):
        return next(stream)
    if isinstance(value, Array) and _is_bools(value):
        with evaluating_by(GraphEvaluator(infer.builder)):
            return infer.fresh_array(broadcasting.filled(0, value.type), value.category)
    if isinstance(value, Static | Number | Array | Instance):
        is_number = isinstance(value, Number) or (isinstance(value, Static) and type(value.value) in SCALARS)
        zero = 0.0 if number_type(value) is FLOAT else 0
        return Static(zero if is_number and request.integers else None)
    kind, extra, items = composition.decompose(infer, value)
    if kind is Tuple:
        extra = plain_class(extra)
    return composition.compose(
        infer, kind, extra, tuple(_gradients_like(infer, request, item, stream) for item in items)
    )


def _identity(weight: Array) -> int:
    """What tells a weight from others: one may be asked for several times."""
    return id(weight if weight.source is None else weight.source)


def _weight(infer: Infer, weight: Any) -> Array:
    value = weight if isinstance(weight, Value) else infer.inputs.captured(weight, ("constant", id(weight)))
    if not isinstance(value, Array):
        raise PythonError(TypeError("the weights to differentiate by must be Parameters or Tensors"))
    hooked = getattr(value.source, "has_hooks", None)
    if hooked is not None:
        infer.guards["object", Identity(value.source), ("attr", "has_hooks")] = hooked
    if hooked:
        raise infer.unsupported(
            "the gradient by a Parameter with hooks in compiled code", "PYNATIVE_MODE for the gradient"
        )
    return value


def _is_frozen(infer: Infer, weight: Array) -> bool:
    """Whether a weight is a Parameter that needs no gradient, for which the program is then made."""
    needed = getattr(weight.source, "requires_grad", None)
    if needed is None:
        return False
    infer.guards["object", Identity(weight.source), ("attr", "requires_grad")] = needed
    return not needed


def _assemble(request: Gradient, by_position: list[Value], by_weight: tuple[Value, ...], single: bool) -> Value:
    first: Value = by_position[0] if single and by_position else Tuple(tuple(by_position))
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
        named: Sequence[str],
        positions: list[int],
        weights: list[Array],
        inputs: list[Value],
    ) -> None:
        keywords = dict(keywords)

        def arguments(stream: Any) -> list[Value]:
            replaced = list(args)
            for k in positions:
                replaced[k] = _like(infer, request, args[k], stream)
            by_place = len(args) - len(named)
            keywords.update(zip(named, replaced[by_place:], strict=True))
            return replaced[:by_place]

        made = Subgraph(infer, request.function, path, arguments, keywords, inputs, weights, reversed_=True)
        self.form = made.form
        self.reverse = Reverse(infer.builder, infer.modules)
        starts = made.starts()
        with evaluating_by(GraphEvaluator(infer.builder)):
            self.residuals = self.reverse.run_forward(made.graph, starts)
        self.made = made
        self.value = made.adopt([self.residuals.value(k) for k in range(self.count)])

    @property
    def count(self) -> int:
        """The number of the graph's results, without the places that the backward graph writes to."""
        return len(self.residuals.results) - len(self.made.late)

    def finish(self) -> None:
        """Adopt what the backward graph wrote, once it is emitted."""
        self.made.adopt_late([self.residuals.value(k) for k in range(self.count, len(self.residuals.results))])


def _cotangents(
    infer: Infer, request: Gradient, run: _Differentiated, sens: Value | None
) -> list[Atom | tuple[Atom, ...] | None]:
    """One cotangent for each result of the differentiated graph."""
    results = run.residuals.results
    count = len(forms.atom_types(run.form))
    value = run.value
    if request.has_aux:
        if not isinstance(value, Tuple):
            raise PythonError(AuxError())
        differentiated = composition.decompose(infer, value)[2][0]
        count = len(forms.atom_types(Joiner(infer, 0).form_of(differentiated, runtime=False)))
        value = differentiated
    if sens is not None and request.integers:
        sens = _in_dialect(infer, run, sens, value)
    given = _sens_of(infer, sens, count) if sens is not None else None
    unseen = _ends_of_slices(run.form)
    out: list[Atom | tuple[Atom, ...] | None] = []
    for k, result in enumerate(results):
        if k >= count:
            out.append(None)
        elif given is not None:
            out.append(_cotangent(infer, given[k], result))
        else:
            out.append(_ones(infer, result) if k not in unseen else None)
    return out


def _ends_of_slices(form: Form) -> set[int]:
    """The positions of the atoms of a result that are in slices, by which nothing is differentiated."""
    if not isinstance(form, CompositeForm):
        return set()
    found: set[int] = set()
    at = 0
    for item in form.items:
        count = len(forms.atom_types(item))
        found |= set(range(at, at + count)) if form.kind is Slice else {at + k for k in _ends_of_slices(item)}
        at += count
    return found


def _in_dialect(infer: Infer, run: _Differentiated, sens: Value, results: Value) -> Value:
    """The cotangents that the program gives, as another framework's rules take them."""
    if isinstance(sens, Tuple) and isinstance(results, Tuple):
        sens = Tuple(sens.items[: len(results.items)])  # MindSpore takes no notice of more
    made = {out: b for b in run.made.graph.body for out in b.outs} if isinstance(results, Array) else {}
    only = run.made.graph.results[0] if run.made.graph.results else None
    instead = dialect.cotangents(infer, sens, results, made.get(only) if isinstance(only, Var) else None)
    return sens if instead is None else call_library(infer, instead, [sens, results], {})


def _sens_of(infer: Infer, sens: Value, count: int) -> list[Value]:
    """The cotangents that the program gives, in containers like those of the results: one for each result."""
    items = _flat(infer, sens) if count else []
    if len(items) != count:
        raise PythonError(ValueError(f"sens has {len(items)} values for {count} results"))
    return items


def _flat(infer: Infer, value: Value) -> list[Value]:
    if isinstance(value, Array | Number | Static | Instance):
        return [value]
    return [leaf for item in composition.decompose(infer, value)[2] for leaf in _flat(infer, item)]


def _cotangent(infer: Infer, given: Value, result: Atom) -> Atom:
    """What the program gives as the cotangent of a result, made one."""
    type_ = result.type.target if isinstance(result.type, RefType) else result.type
    if isinstance(type_, TensorType):
        given = call_library(infer, as_cotangent, [given, Static(type_.dtype), Static(type_.shape)], {})
    return infer.read(given) if isinstance(given, Array) else infer.number_atom(given, FLOAT)


def _ones(infer: Infer, result: Atom) -> Atom | tuple[Atom, ...] | None:
    """The cotangents of a result of which derivatives are taken; those of a union's slots."""
    type_ = result.type.target if isinstance(result.type, RefType) else result.type
    with evaluating_by(GraphEvaluator(infer.builder)):
        if isinstance(type_, UnionType):
            if not all(isinstance(m, ScalarType | TensorType) for m in type_.members):
                raise infer.unsupported(
                    "differentiating a function whose result is an array that is written to on some path, or none of "
                    "numbers, and something of another type on others",
                    "return a number, or a new array, on every path",
                )
            parts = (_one(part) for _, part in slots_of(result)) if isinstance(result, Var) else ()
            return tuple(part for part in parts if part is not None)
        return _one(type_) if isinstance(type_, ScalarType | TensorType) else None


def _one(type_: Type) -> Atom | None:
    if isinstance(type_, ScalarType):
        return Literal(1.0, FLOAT) if type_ is FLOAT else None
    assert isinstance(type_, TensorType)
    if not has_derivatives(type_.dtype):
        return None
    return broadcasting.filled(1, type_) if type_.shape else Literal(type_.dtype.numpy.type(1).item(), type_)


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
