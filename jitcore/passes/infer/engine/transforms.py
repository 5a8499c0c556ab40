"""Transforms other than gradients asked for inside compiled code: `jvp(f, primals, tangents)`; see `batches` for
`vmap`."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.control import SWITCH
from jitcore.ir.nodes import Atom, Literal, type_of
from jitcore.ir.rewrite import inline
from jitcore.library.core.mutable import plain_class
from jitcore.library.core.values import as_array, require_equal, shape_of
from jitcore.passes.infer.domain import abstract, composition, forms
from jitcore.passes.infer.domain.forms import (
    SCALARS,
    ArrayForm,
    CompositeForm,
    Form,
    MaybeForm,
    NumberForm,
    Same,
    UnionForm,
)
from jitcore.passes.infer.domain.joiner import Joiner
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import (
    Array,
    Instance,
    Maybe,
    Number,
    Path,
    PythonError,
    Reference,
    Static,
    Tuple,
    Union,
    Unreachable,
    Value,
)
from jitcore.passes.infer.engine import batches, branching, elementwise_calls, lifting
from jitcore.passes.infer.engine.argument_binding import Keywords
from jitcore.passes.infer.engine.branching import held
from jitcore.passes.infer.engine.custom import differentiating
from jitcore.passes.infer.engine.subgraph import Subgraph, is_leaf, like, number_type
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.passes.transforms.grad.checkpoints import checkpointed
from jitcore.passes.transforms.grad.sums import zero_of
from jitcore.passes.transforms.jvp import ForwardMode
from jitcore.passes.transforms.jvp.zeros import zero_like
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import PRIMITIVES
from jitcore.primitives.ops import conversions, elementwise, shape, state
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.primitives.transforms import AuxError, Composed, Elementwise, Jvp, Recompute, Transform, Vmap
from jitcore.types import COMPLEX, FLOAT, INT, RefType, ScalarType, TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer


def call(infer: Infer, request: Transform, path: Path | None, args: Sequence[Value], keywords: Keywords) -> Value:
    """Call what a transform makes; `path` is where the program reached the request."""
    match request:
        case Jvp():
            return _jvp(infer, request, path, args, keywords)
        case Vmap():
            return batches.call(infer, request, path, args, keywords)
        case Elementwise():
            return elementwise_calls.call(infer, request, args, keywords)
        case Recompute():
            return recomputed(infer, request, callee(infer, request.function, path), args, keywords)
        case Composed():
            function = callee(infer, request.function, path)
            return abstract.call(
                infer, Static(request.implementation), [function, Static(request.options), *args], keywords
            )
        case _:
            raise infer.unsupported(f"the transform {type(request).__name__}")


def callee(infer: Infer, function: Any, path: Path | None) -> Value:
    """The function of a request as a value."""
    if isinstance(function, Value):
        return function
    return Static(function, infer.paths.get(id(function)) if path is None else (*path, ("attr", "function")))


def arguments_of(infer: Infer, given: Value) -> list[Value]:
    """The arguments that a tuple (or list) stands for; anything else is the only one."""
    if isinstance(given, Tuple) and plain_class(given.cls) is tuple:
        return list(given.items)
    if isinstance(given, Reference) and given.kind is list:
        return list(infer.heap.items(given))
    return [given]


# --- forward mode -----------------------------------------------------------------------------------


def _jvp(infer: Infer, request: Jvp, path: Path | None, args: Sequence[Value], keywords: Keywords) -> Value:
    if len(args) != 2 or keywords:
        raise PythonError(TypeError("a directional derivative is called with (primals, tangents)"))
    primals, tangents = (arguments_of(infer, a) for a in args)
    if len(primals) != len(tangents):
        raise PythonError(TypeError(f"there are {len(primals)} primals and {len(tangents)} tangents"))
    pairs = [pair for p, t in zip(primals, tangents, strict=True) for pair in _pairs(infer, p, t)]
    inputs = [leaf for leaf, _ in pairs]

    def arguments(stream: Any) -> list[Value]:
        return [like(infer, p, has_tangent, stream) for p in primals]

    with differentiating(infer):
        made = Subgraph(infer, request.function, path, arguments, {}, inputs)
    mode = ForwardMode(infer.builder, infer.modules)
    results, found = mode.run(made.graph, made.starts(), [t for _, t in pairs])
    value = made.adopt(results)
    stream = iter(zip(results, found, strict=True))
    tangent = _tangent(infer, made.form, stream)
    if not request.has_aux:
        return Tuple((value, tangent))
    if not isinstance(value, Tuple) or len(value.items) < 2 or not isinstance(tangent, Tuple):
        raise PythonError(AuxError(AuxError.DIRECTED))
    aux = value.items[1] if len(value.items) == 2 else Tuple(value.items[1:])
    return Tuple((value.items[0], tangent.items[0], aux))


def has_tangent(value: Value) -> bool:
    """Whether a value is one that has a tangent: an array or number, of floats or complex numbers."""
    return is_leaf(value) or (isinstance(value, Number | Static) and number_type(value) is COMPLEX)


def _pairs(infer: Infer, primal: Value, tangent: Value) -> list[tuple[Value, Atom | None]]:
    """The leaves of an argument, and the atoms of their tangents (None: zero)."""
    if has_tangent(primal):
        if isinstance(tangent, Static) and tangent.value is None:
            return [(primal, None)]
        return [(primal, _tangent_atom(infer, primal, tangent))]
    if isinstance(primal, Array | Number | Static | Instance):
        return []
    kind, extra, items = composition.decompose(infer, primal)
    if isinstance(tangent, Array | Number | Static | Instance):
        raise PythonError(TypeError(f"the tangent of a {type_name(primal)} is one too, not {type_name(tangent)}"))
    other_kind, other_extra, others = composition.decompose(infer, tangent)
    if kind is not other_kind or extra != other_extra or len(items) != len(others):
        raise PythonError(TypeError("primals and tangents must have the same structure"))
    return [pair for p, t in zip(items, others, strict=True) for pair in _pairs(infer, p, t)]


def _tangent_atom(infer: Infer, primal: Value, tangent: Value) -> Atom:
    if isinstance(primal, Array):
        return _array_tangent(infer, primal, tangent)
    type_ = number_type(primal) or FLOAT
    if isinstance(tangent, Static) and type(tangent.value) in (
        int,
        bool,
        float,
        *([complex] if type_ is COMPLEX else []),
    ):
        known: Any = tangent.value
        return infer.number_atom(Static(complex(known) if type_ is COMPLEX else float(known)), type_)
    if isinstance(tangent, Array) and tangent.type.rank == 0 and tangent.type.dtype.kind in "biuf":
        wide = infer.emit(elementwise.cast, infer.read(tangent), dtype=FLOAT.dtype)
        tangent = Number(infer.emit(conversions.to_scalar, wide), FLOAT)
    if isinstance(tangent, Number) and tangent.type is INT:
        tangent = Number(infer.emit(PRIMITIVES["int_to_float"], tangent.atom), FLOAT)
    if isinstance(tangent, Number) and tangent.type is type_:
        return tangent.atom
    if isinstance(tangent, Number) and tangent.type is FLOAT:
        return infer.emit(PRIMITIVES["float_to_complex"], tangent.atom)
    raise PythonError(TypeError(f"the tangent of a {type_name(primal)} is one too, not {type_name(tangent)}"))


def _array_tangent(infer: Infer, primal: Array, tangent: Value) -> Atom:
    want = primal.type

    def as_tangent(given: Any) -> Any:
        made = as_array(given, None)
        shape = shape_of(made)
        message = f"the tangent of an array of shape {want.shape} has {len(shape)} dimensions"
        if len(shape) != want.rank:
            raise ValueError(message)
        for a, b in zip(shape, want.shape, strict=True):
            require_equal(a, b, "the tangent of an array has its shape: {0} is not {1}")
        return made

    made = call_library(infer, as_tangent, [tangent], {})
    if not isinstance(made, Array):
        raise PythonError(TypeError(f"the tangent of an array is an array, not {type_name(tangent)}"))
    atom = infer.read(made)
    if made.type.dtype is not want.dtype:
        if made.type.dtype.kind == "c" and want.dtype.kind != "c":
            raise PythonError(TypeError(f"the tangent of an array of {want.dtype!r} is {made.type.dtype!r}"))
        atom = infer.emit(elementwise.cast, atom, dtype=want.dtype)
    if type_of(atom) is not want:
        atom = infer.emit(shape.reshape, atom, shape=want.shape)
    return atom


def _tangent(infer: Infer, form: Form, stream: Iterator[tuple[Atom, Atom | None]]) -> Value:
    """The tangent of a value of this form, in its structure: zeros of what has no tangent."""
    match form:
        case Same():
            return _zero_static(form.value)
        case NumberForm():
            return _number_tangent(infer, form.type, *next(stream))
        case ArrayForm():
            return _array_result(infer, form, *next(stream))
        case CompositeForm():
            items = tuple(_tangent(infer, f, stream) for f in form.items)
            return composition.compose(infer, form.kind, form.extra, items)
        case UnionForm():
            value, tangent = next(stream)
            atom = tangent if tangent is not None else _zero(infer, value)
            return Union(atom, forms.union_type(form), form.members)
        case MaybeForm():
            defined, _ = next(stream)
            return Maybe(defined, _tangent(infer, form.form, stream))
        case _:
            raise infer.unsupported("a directional derivative of a growable list", "an array of its final size")


def _zero_static(value: Value) -> Value:
    if isinstance(value, Static) and type(value.value) in SCALARS:
        return Static(type(value.value)(0))
    return value


def _number_tangent(infer: Infer, type_: ScalarType, value: Atom, tangent: Atom | None) -> Value:
    del value
    if tangent is not None:
        return Number(tangent, type_)
    return Static(type_.dtype.numpy.type(0).item())


def _array_result(infer: Infer, form: ArrayForm, value: Atom, tangent: Atom | None) -> Value:
    type_ = forms.target(form.type)
    if tangent is not None and isinstance(tangent.type, RefType):
        tangent = infer.emit(state.ref_read, tangent)
    if tangent is None:
        tangent = _zeros(infer, type_)
    return infer.fresh_array(tangent, form.category)


def _zeros(infer: Infer, type_: TensorType) -> Atom:
    with evaluating_by(GraphEvaluator(infer.builder)):
        return zero_of(type_)


def _zero(infer: Infer, atom: Atom) -> Atom:
    evaluator = GraphEvaluator(infer.builder)
    with evaluating_by(evaluator):
        return zero_like(evaluator, atom)


# --- recomputation ----------------------------------------------------------------------------------


def recomputed(infer: Infer, request: Recompute, function: Value, args: Sequence[Value], keywords: Keywords) -> Value:
    """Call a function as a part of the program that gradients compute again (`passes.transforms.grad.recompute`)."""
    new_keys_from = infer.heap.next_key + 1
    before = infer.heap.snapshot()
    trial = branching.trial(infer, "part", lambda: [abstract.call(infer, function, args, keywords)])
    if trial.values is None:
        infer.builder.body.extend(trial.builder.body)
        raise Unreachable
    keys = branching.changed_keys(before, (trial.heap,))
    values = trial.values + held(trial.heap, keys)
    joiner = Joiner(infer, new_keys_from)
    outer, infer.builder, infer.heap.state = infer.builder, trial.builder, trial.heap
    try:
        made = [joiner.form_of(v, runtime=False) for v in values]
        atoms = [a for f, v in zip(made, values, strict=True) for a in forms.flatten(infer, f, v)]
        graph = lifting.close_calls(infer, trial.builder.finish(atoms))
    finally:
        infer.builder = outer
    if request.loops:
        graph = checkpointed(graph, request.every)
        bindings, results = inline(graph, [])
        infer.builder.body.extend(bindings)
        outs: Sequence[Atom] = results
    else:
        outs = infer.builder.emit(SWITCH, (Literal(0, INT),), {"recompute": True}, (graph,))
    stream: Any = iter(outs)
    found = [forms.unflatten(infer, f, stream) for f in made]
    branching.restore_held(infer, keys, found[1:])
    return found[0]
