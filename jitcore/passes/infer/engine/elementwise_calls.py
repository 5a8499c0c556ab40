"""Calls of ufuncs that are made of Python functions: the function is inferred for NumPy scalars, and the graph that
makes is given the axes of the arguments, as under `vmap`. So it is fused and differentiated as NumPy's own are.

Functions of `math` are NumPy's of the same meaning there: NaN and infinity where they would raise.
"""

from __future__ import annotations

import contextlib
import math
from collections.abc import Generator, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Graph, type_of
from jitcore.ir.rewrite import inline
from jitcore.library.core.values import require_equal, shape_of
from jitcore.passes.infer.domain import abstract, forms
from jitcore.passes.infer.domain.elements import EXAMPLES
from jitcore.passes.infer.domain.forms import SCALARS
from jitcore.passes.infer.domain.type_names import type_name
from jitcore.passes.infer.domain.values import NO_ORIGINS, Array, Builtin, PythonError, Static, Tuple, Union, Value
from jitcore.passes.infer.engine import models, numbers
from jitcore.passes.infer.engine.subgraph import Subgraph
from jitcore.passes.infer.engine.tracing import call_library
from jitcore.passes.transforms.vmap import Vmap
from jitcore.primitives.core.dialects import first_of
from jitcore.primitives.core.loop_types import Given, input_types, signature_for
from jitcore.primitives.ops import conversions, copying, elementwise, shape
from jitcore.primitives.transforms import ELEMENTWISE, Elementwise
from jitcore.structs import replace
from jitcore.types import DType, Shape, TensorType, broadcast_shapes, dtype_of

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_INVERSES: Final = "cos cosh sin sinh tan tan2 tanh"
"""Of math's `acos` and its like, which are NumPy's `arccos` and its like."""
_NAMED_ALIKE: Final = (
    "cbrt copysign cos cosh degrees exp exp2 expm1 fabs fmod hypot isfinite isinf isnan log log10 log1p log2 radians "
    "sin sinh sqrt tan tanh"
)
ELEMENT_FUNCTIONS: Final[Mapping[object, np.ufunc]] = {
    math.pow: np.power,
    **{getattr(math, f"a{name}"): getattr(np, f"arc{name}") for name in _INVERSES.split()},
    **{getattr(math, name): getattr(np, name) for name in _NAMED_ALIKE.split()},
}
"""What functions of `math` are, of the elements that a ufunc's function gets."""


def call(infer: Infer, request: Elementwise, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Call a ufunc of a Python function. Raises PythonError as NumPy does."""
    args, outs = _apart(infer, request, args, keywords)
    given = [given_as(infer, request, a) for a in args]
    try:
        types = input_types(request, given)
        signature = signature_for(request, given)
    except TypeError as error:
        raise PythonError(error) from None
    outputs = (None,) * request.nout if signature is None else signature.outputs
    arrays = [as_array_of(infer, a, t) for a, t in zip(args, types, strict=True)]
    category = first_of([a.category for a in arrays]) or "ndarray"
    whole = _broadcast(infer, arrays)
    atoms = _computed(infer, request, arrays, whole, outputs)
    if not whole and category == "ndarray":
        category = "npscalar"
    own = {infer.read(a) for a in arrays if a.type.rank}
    new = [infer.emit(copying.copy, atom) if atom in own else atom for atom in atoms]
    results = tuple(
        infer.fresh_array(atom, category) if out is None else _stored(infer, request, out, Array(atom, "ndarray"))
        for atom, out in zip(new, outs, strict=True)
    )
    return results[0] if request.nout == 1 else Tuple(results)


@models.models_family
def _model(obj: object) -> models.Model | None:
    request = ELEMENTWISE.get(obj) if isinstance(obj, np.ufunc) else None
    if request is None:
        return None
    return lambda infer, *args, **keywords: call(infer, request, args, keywords)


@contextlib.contextmanager
def of_elements(infer: Infer) -> Generator[None]:
    """While what is inferred is for the elements of arrays, one by one."""
    infer.of_elements += 1
    try:
        yield
    finally:
        infer.of_elements -= 1


def _apart(
    infer: Infer, request: Elementwise, args: Sequence[Value], keywords: Mapping[str, Value]
) -> tuple[Sequence[Value], Sequence[Array | None]]:
    """The inputs of a call, and the arrays that its results are written to (None: a new one)."""
    nin, nout = request.nin, request.nout
    if not nin <= len(args) <= nin + nout:
        takes = f"from {nin} to {nin + nout} positional arguments"
        raise PythonError(TypeError(f"{request.name}() takes {takes} but {len(args)} were given"))
    given = keywords.get("out", Tuple(tuple(args[nin:])))
    items = given.items if isinstance(given, Tuple) else (given,)
    outs = [None if isinstance(o, Static) and o.value is None else o for o in items]
    outs += [None] * (nout - len(outs))
    options = sorted(keywords.keys() - {"out"})
    if options or len(outs) != nout or not all(o is None or isinstance(o, Array) for o in outs):
        raise infer.unsupported(
            f"the ufunc {request.name!r} with {', '.join(options) or 'such outputs'}", "np.where(…)"
        )
    return args[:nin], [o for o in outs if o is None or isinstance(o, Array)]


def _stored(infer: Infer, request: Elementwise, out: Array, made: Array) -> Array:
    """Write a result to the array that was given for it."""
    own, wanted = made.type.dtype.numpy, out.type.dtype.numpy
    if not np.can_cast(own, wanted, "same_kind"):
        message = f"Cannot cast ufunc '{request.name}' output from {own!r} to {wanted!r} with casting rule 'same_kind'"
        raise PythonError(TypeError(message))
    abstract.set_item(infer, out, Static(Ellipsis), made)
    return out


# --- arguments ------------------------------------------------------------------------------------------


def given_as(infer: Infer, request: Elementwise, value: Value) -> Given:
    """What NumPy's promotion asks of an argument."""
    if isinstance(value, Array):
        return value.type.dtype.numpy
    if isinstance(value, Static) and isinstance(value.value, np.generic | np.ndarray):
        return value.value.dtype
    number = numbers.type_of_number(value)
    if number is None:
        raise infer.unsupported(f"a ufunc ({request.name!r}) of what is no array and no number", "np.asarray(…)")
    return next(cls for cls, type_ in SCALARS.items() if type_ is number)


def as_array_of(infer: Infer, value: Value, dtype: np.dtype[Any]) -> Array:
    """An argument as an array of a loop's dtype."""
    wanted = dtype_of(dtype)
    if isinstance(value, Static) and isinstance(value.value, np.generic | np.ndarray):
        value = infer.inputs.constant(value.value)
    if isinstance(value, Array):
        atom = infer.read(value)
        if value.type.dtype is not wanted:
            atom = infer.emit(elementwise.cast, atom, dtype=wanted)
        return Array(atom, value.category)
    number = numbers.type_of_number(value)
    assert number is not None
    return Array(infer.emit(conversions.from_scalar, infer.number_atom(value, number), dtype=wanted), "npscalar")


def _broadcast(infer: Infer, arrays: list[Array]) -> Shape:
    """The common shape; arrays with axes are replaced by ones that have all of them."""
    places = [k for k, a in enumerate(arrays) if a.type.rank]
    if not places:
        return ()
    whole = [arrays[k] for k in places]
    if any(a.type.shape != whole[0].type.shape for a in whole):
        made = call_library(infer, _together, [replace(a, category="ndarray") for a in whole], {})
        assert isinstance(made, Tuple)
        for k, item in zip(places, made.items, strict=True):
            assert isinstance(item, Array)
            arrays[k] = Array(infer.read(item), arrays[k].category)
    return arrays[places[0]].type.shape


def _together(*arrays: object) -> tuple[object, ...]:
    """Arrays broadcast against each other."""
    whole, pairs = broadcast_shapes(*map(shape_of, arrays))
    for a, b in pairs:
        require_equal(a, b, "operands could not be broadcast together: {0} and {1} elements are taken to be as many")
    return tuple(a if shape_of(a) == whole else shape.broadcast_to(a, shape=whole) for a in arrays)


# --- the graph of an element ----------------------------------------------------------------------------


def _computed(
    infer: Infer, request: Elementwise, arrays: Sequence[Array], whole: Shape, outputs: Sequence[np.dtype[Any] | None]
) -> list[Atom]:
    """The atoms of the results, each of the whole shape."""
    rows = [a for a in arrays if a.type.rank]

    def stand(infer: Infer, leaf: Value, position: int) -> Value:
        assert isinstance(leaf, Array)
        return Array(infer.builder.param("element", TensorType(leaf.type.dtype, ())), "npscalar", NO_ORIGINS)

    def run(stream: Iterator[Value]) -> list[Value]:
        return [next(stream) if a.type.rank else Array(a.atom, "npscalar", NO_ORIGINS) for a in arrays]

    def converted(infer: Infer, *given: Value) -> Value:
        value = abstract.call(infer, Static(request.function), given, {})
        return Tuple(tuple(Array(a, "npscalar") for a in _elements(infer, request, value, outputs)))

    with of_elements(infer):
        made = Subgraph(infer, Builtin(request.name, converted), None, run, {}, rows, (), stand)
    if made.keys:
        raise infer.unsupported(
            "a function of elements that changes an attribute, a container or a variable outside it", "return the value"
        )
    return _over_axes(infer, made.graph, [infer.read(r) for r in rows], whole)


def _elements(
    infer: Infer, request: Elementwise, value: Value, outputs: Sequence[np.dtype[Any] | None]
) -> Sequence[Atom]:
    """What a function of elements returns, as rank-0 arrays."""
    if isinstance(value, Union):
        found = [
            [_dtype(infer, request, v) for v in _values(infer, request, forms.narrow(infer, value, k))]
            for k in range(len(value.members))
        ]
        wanted = [o or np.result_type(*each) for o, *each in zip(outputs, *found, strict=True)]
        types = tuple(TensorType(dtype_of(d), ()) for d in wanted)
        return infer.switch_union(value, lambda v: list(_elements(infer, request, v, wanted)), types)
    made: list[Atom] = []
    for item, dtype in zip(_values(infer, request, value), outputs, strict=True):
        wanted = dtype_of(dtype or np.result_type(_dtype(infer, request, item)))
        made.append(_element(infer, item, wanted))
    return made


def _element(infer: Infer, value: Value, dtype: DType) -> Atom:
    if isinstance(value, Array):
        atom = infer.read(value)
        return atom if value.type.dtype is dtype else infer.emit(elementwise.cast, atom, dtype=dtype)
    number = numbers.type_of_number(value)
    assert number is not None
    atom = infer.emit(conversions.from_scalar, infer.number_atom(value, number), dtype=number.dtype)
    return atom if number.dtype is dtype else infer.emit(elementwise.cast, atom, dtype=dtype)


def _values(infer: Infer, request: Elementwise, value: Value) -> Sequence[Value]:
    """The results that a returned value stands for."""
    if request.nout == 1:
        return [value]
    if isinstance(value, Tuple) and len(value.items) == request.nout:
        return value.items
    has = f"{len(value.items)} results" if isinstance(value, Tuple) else type_name(value)
    raise infer.unsupported(f"{request.name!r} is to give {request.nout} results, and gives {has}", "return a tuple")


def _dtype(infer: Infer, request: Elementwise, value: Value) -> Any:
    """What NumPy's promotion asks of a result."""
    if isinstance(value, Array) and value.type.rank == 0:
        return value.type.dtype.numpy
    number = numbers.type_of_number(value)
    if number is None:
        what = "None" if isinstance(value, Static) and value.value is None else type_name(value)
        raise infer.unsupported(f"{request.name!r} gives {what} for an element", "return a number on every path")
    return EXAMPLES[number]


def _over_axes(infer: Infer, graph: Graph, atoms: Sequence[Atom], whole: Shape) -> list[Atom]:
    """Emit the graph for all elements of a shape: an axis after the other, from the last."""
    if not whole:
        body, results = inline(graph, ())
        infer.builder.body.extend(body)
        return list(results)
    for k in range(len(whole) - 1, 0, -1):
        builder = GraphBuilder("rows", infer.builder.span)
        params = [builder.param("row", TensorType(t.dtype, whole[k:])) for t in map(_typed, atoms)]
        results, _ = Vmap(builder, infer.modules, loops_together=False).run(graph, params, whole[k])
        graph = builder.finish(results)
    results, _ = Vmap(infer.builder, infer.modules, loops_together=False).run(graph, atoms, whole[0])
    return results


def _typed(atom: Atom) -> TensorType:
    type_ = type_of(atom)
    assert isinstance(type_, TensorType)
    return type_
