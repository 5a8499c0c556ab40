"""Calls with a gradient of their own: Cells that define `bprop`, and callables with `__jitcore_custom_gradient__`.

Where a gradient is being taken, the call's results go through `custom_vjp`, with the graph of the user's function for
the way back. The graph is closed: the variables that it uses from outside are arguments of `custom_vjp`, too.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, cast

from jitcore.ir.analysis import free_variables
from jitcore.ir.nodes import Atom, Graph, Literal, type_of
from jitcore.ir.rewrite import inline
from jitcore.passes.infer.domain import abstract, composition, forms
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.values import (
    Array,
    Number,
    Path,
    PythonError,
    Reference,
    Static,
    Tuple,
    Unreachable,
    Value,
)
from jitcore.passes.infer.engine import branching, dialect, gradient_rules
from jitcore.passes.infer.engine.subgraph import is_leaf, like
from jitcore.primitives.core import broadcasting, evaluation
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.ops import conversions, elementwise, joining
from jitcore.primitives.ops.custom import CustomGradient, custom_vjp
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.structs import dataclass
from jitcore.types import FLOAT, ScalarType, Shape, TensorType, Type

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


@contextmanager
def differentiating(infer: Infer) -> Generator[None]:
    """While what is inferred will be differentiated."""
    infer.differentiating += 1
    try:
        yield
    finally:
        infer.differentiating -= 1


def custom_gradient_of(obj: Any) -> CustomGradient | None:
    """The gradient of its own that calling an object has."""
    own = getattr(type(obj), "__jitcore_custom_gradient__", None) and obj.__jitcore_custom_gradient__
    if isinstance(own, CustomGradient):
        return own
    name = getattr(type(obj), "__jitcore_call__", None)
    if name is None or not hasattr(type(obj), "bprop"):
        return None
    return CustomGradient(getattr(type(obj), name), type(obj).bprop)


def call(
    infer: Infer,
    custom: CustomGradient,
    path: Path | None,
    receiver: Sequence[Value],
    args: Sequence[Value],
    keywords: Mapping[str, Value],
) -> Value:
    """Call what has a gradient of its own; `receiver` goes before the arguments of both functions."""

    def below(name: str) -> Path | None:
        return None if path is None or receiver else (*path, ("attr", name))

    function = custom.function if isinstance(custom.function, Value) else Static(custom.function, below("function"))
    new_from = infer.heap.next_key + 1
    value = abstract.call(infer, function, [*receiver, *args], keywords)
    if not infer.differentiating:
        return value
    if keywords:
        raise infer.unsupported(
            "the gradient of a call with keywords that has a bprop", "pass all arguments by position"
        )
    form = Joiner(infer, new_from).form_of(value, runtime=False)
    results = forms.flatten(infer, form, value)
    if not results:
        return value
    inputs = [leaf for a in args for leaf in _leaves(infer, a)]
    atoms = [infer.read(leaf) if isinstance(leaf, Array) else infer.number_atom(leaf, FLOAT) for leaf in inputs]
    backward = custom.backward if isinstance(custom.backward, Value) else Static(custom.backward, below("backward"))
    used = _used(infer, receiver)
    graph = _backward_graph(infer, backward, receiver, args, inputs, form, results, used)
    others = free_variables(graph)
    closed = Graph(graph.name, (*graph.params, *others), graph.body, graph.results, graph.span)
    params = {"inputs": len(atoms), "results": len(results), "backward": _Backward(closed)}
    made = infer.builder.emit(custom_vjp, (*atoms, *results, *others), params)
    return forms.unflatten(infer, form, iter(made))


def _used(infer: Infer, receiver: Sequence[Value]) -> Sequence[int] | None:
    """Which of the inputs and the result a Cell's `bprop` wants to see, if it says so."""
    if not receiver or not isinstance(receiver[0], Static) or not hasattr(receiver[0].value, "used_bprop_inputs"):
        return None
    return infer.need_static(abstract.attribute(infer, receiver[0], "used_bprop_inputs"), "used_bprop_inputs")


def _leaves(infer: Infer, value: Value) -> Iterator[Value]:
    if is_leaf(value):
        yield value
    elif not isinstance(value, Array | Number | Static):
        for item in composition.decompose(infer, value)[2]:
            yield from _leaves(infer, item)


def _backward_graph(
    infer: Infer,
    backward: Value,
    receiver: Sequence[Value],
    args: Sequence[Value],
    inputs: Sequence[Value],
    form: Any,
    results: Sequence[Atom],
    used: Sequence[int] | None,
) -> Graph:
    """The graph (inputs, results, cotangents of the results) -> cotangents of the inputs. With `used`, the user's
    function is given None for all inputs but these, and for the result unless its number, that after the last input's,
    is among them."""
    stands: list[Value] = []
    outs: list[Atom] = []
    cotangents: list[Atom] = []

    def make_params() -> None:
        for leaf in inputs:
            if isinstance(leaf, Array):
                stands.append(Array(infer.builder.param("x", leaf.type), leaf.category))
            else:
                stands.append(Number(infer.builder.param("x", FLOAT), FLOAT))
        outs.extend(infer.builder.param("out", type_of(r)) for r in results)
        cotangents.extend(infer.builder.param("ct", type_of(r)) for r in results)

    def run() -> list[Value]:
        stream: Any = iter(stands)
        given = [like(infer, a, is_leaf, stream) for a in args]
        out: Any = forms.unflatten(infer, form, iter(outs))  # type: ignore[arg-type]
        ct: Any = forms.unflatten(infer, form, iter(cotangents))  # type: ignore[arg-type]
        gradient_rules.require_backward(infer, backward, args, receiver)
        shown = [v if used is None or k in used else Static(None) for k, v in enumerate([*given, out])]
        found = abstract.call(infer, backward, [*receiver, *shown, ct], {})
        if receiver:  # a Cell, not an operator with a function for its gradient
            dialect.require_gradients(infer, found, args, receiver)
        return list(_gradients(infer, found, args))

    before = infer.heap.snapshot()
    trial = branching.trial(infer, "bprop", run, make_params)
    if branching.changed_keys(before, (trial.heap,)):
        raise infer.unsupported(
            "a gradient of the user's own that changes what is around it in compiled code",
            "PYNATIVE_MODE for the gradient",
        )
    if trial.values is None:  # it raises, whatever it is given
        with evaluating_by(GraphEvaluator(infer.builder)):
            zeros = [_zero_like(r) for r in results]
        given = [
            *(infer.read(v) if isinstance(v, Array) else infer.number_atom(v, FLOAT) for v in inputs),
            *results,
            *zeros,
        ]
        infer.builder.body.extend(inline(trial.builder.finish(()), given)[0])
        raise Unreachable
    outer, infer.builder = infer.builder, trial.builder
    try:
        with evaluating_by(GraphEvaluator(infer.builder)):
            atoms = [_fitted(infer, v, leaf) for v, leaf in zip(trial.values, inputs, strict=True)]
    finally:
        infer.builder = outer
    return trial.builder.finish(atoms)


def _gradients(infer: Infer, found: Value, args: Sequence[Value]) -> Iterator[Value]:
    """What the user's function gave for each leaf of the arguments."""
    items: Sequence[Value] = (found,)
    if isinstance(found, Tuple) and not (len(args) == 1 and not is_leaf(args[0]) and len(found.items) != 1):
        items = found.items
    if len(items) < len(args):
        raise PythonError(ValueError(f"bprop gave {len(items)} gradients for {len(args)} arguments"))
    for item, arg in zip(items, args, strict=False):  # MindSpore takes no notice of more
        yield from _matching(infer, item, arg)


def _matching(infer: Infer, found: Value, arg: Value) -> Iterator[Value]:
    if is_leaf(arg):
        yield found
    elif not isinstance(arg, Array | Number | Static):
        given = _items(infer, found)
        for key, part in _items(infer, arg).items():
            nothing = isinstance(found, Static) and found.value is None
            if not nothing and key not in given:
                raise PythonError(TypeError("bprop must give a gradient in the structure of each argument"))
            yield from _matching(infer, found if nothing else given[key], part)


def _items(infer: Infer, value: Value) -> Mapping[Any, Value]:
    """What a value is made of, by the keys of a dict or by number; nothing if it is a leaf."""
    if isinstance(value, Reference) and value.kind is dict:
        return cast("Mapping[Any, Value]", infer.heap.entries(value))
    if is_leaf(value) or isinstance(value, Array | Number | Static):
        return {}
    return dict(enumerate(composition.decompose(infer, value)[2]))


def _fitted(infer: Infer, gradient: Value, leaf: Value) -> Atom:
    """A gradient as an atom of its input's type; None is zero."""
    type_: Type = leaf.type if isinstance(leaf, Array) else FLOAT
    if isinstance(gradient, Static) and gradient.value is None:
        return _zero(type_)
    if isinstance(type_, ScalarType):
        return infer.number_atom(gradient, FLOAT)
    assert isinstance(type_, TensorType)
    if isinstance(gradient, Array):
        atom = infer.read(gradient)
    elif isinstance(gradient, Number):
        atom = _as_array(gradient.atom, type_)
    else:
        known = infer.need_static(gradient, "a gradient")
        if not isinstance(known, int | float):
            raise PythonError(
                TypeError(f"the gradient of an array is an array or a number, not {type(known).__name__}")
            )
        atom = _as_array(Literal(float(known), FLOAT), type_)
    have = type_of(atom)
    assert isinstance(have, TensorType)
    if have.dtype is not type_.dtype:
        atom = elementwise.cast(atom, dtype=type_.dtype)
    if have.shape == type_.shape:
        return atom
    if have.shape:
        return _summed(infer, atom, have.shape, type_.shape)
    return joining.full(atom, shape=type_.shape)


def _summed(infer: Infer, atom: Any, have: Shape, want: Shape) -> Atom:
    """A gradient summed over what its input is broadcast along; extents that are not known yet are checked in the
    run."""
    last = have[len(have) - len(want) :]
    message = (
        f"bprop gave a gradient of shape {have} for an input of shape {want}: "
        "the shape of a grad tensor should be broadcast to that of the input"
    )
    if len(have) < len(want):
        raise PythonError(ValueError(message))
    for a, b in zip(last, want, strict=True):
        if a == b or b == 1:
            continue
        if isinstance(a, int) and isinstance(b, int):
            raise PythonError(ValueError(message))
        infer.emit_all(conversions.check_extents, a=a, b=b, message=message)
    return broadcasting.sum_to_shape(atom, want)


def _as_array(number: Atom, like_: TensorType) -> Any:
    """A Python number of the program as a rank-0 array."""
    return conversions.from_scalar(number, dtype=like_.dtype if like_.dtype.kind in "fc" else FLOAT.dtype)


def _zero(type_: Type) -> Any:
    if isinstance(type_, ScalarType):
        return Literal(0.0, FLOAT)
    assert isinstance(type_, TensorType)
    return broadcasting.filled(0, type_) if type_.shape else Literal(0.0, type_)


@dataclass(frozen=True, slots=True, eq=False)
class _Backward:
    """`primitives.ops.custom.Backward` by a closed graph (inputs, results, cotangents, others)."""

    graph: Graph

    def __call__(
        self, cotangents: Sequence[Any], results: Sequence[Any], inputs: Sequence[Any], others: Sequence[Any]
    ) -> Sequence[Any]:
        current = evaluation.current()
        assert isinstance(current, GraphEvaluator)
        given = [_zero_like(r) if c is None else c for c, r in zip(cotangents, results, strict=True)]
        body, made = inline(self.graph, [*inputs, *results, *given, *others])
        for binding in body:
            current.builder.append(binding)
        return made


def _zero_like(result: Any) -> Any:
    type_ = type_of(result)
    return Literal(0, type_) if isinstance(type_, ScalarType) and type_ is not FLOAT else _zero(type_)
