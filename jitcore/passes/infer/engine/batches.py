"""`vmap` asked for inside compiled code: a function called for every row of its arguments."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.ir.nodes import Atom, type_of
from jitcore.library.core.values import require_equal
from jitcore.passes.infer.domain import composition
from jitcore.passes.infer.domain.forms import SCALARS, ArrayForm, CompositeForm, Form, NumberForm, Same
from jitcore.passes.infer.domain.values import NO_ORIGINS, Array, Instance, Number, Path, PythonError, Static, Value
from jitcore.passes.infer.engine.subgraph import Subgraph
from jitcore.passes.infer.engine.tracing import SymbolicEvaluator, call_library
from jitcore.passes.transforms.vmap import Vmap as Batching
from jitcore.primitives.core import broadcasting
from jitcore.primitives.core.dialects import first_of, is_tensor
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.ops import conversions, python_ints, shape, state, views
from jitcore.primitives.tracing import GraphEvaluator
from jitcore.primitives.transforms import Vmap
from jitcore.structs import dataclass
from jitcore.types import INT, Dim, TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

_SIZES = "the arguments of a function under vmap must have as many rows: {0} is not {1}"


@dataclass(frozen=True, slots=True)
class _Result:
    """One result of the batched graph: the rows, and whether they can differ."""

    rows: Atom
    differs: bool


def call(infer: Infer, request: Vmap, path: Path | None, args: Sequence[Value], keywords: Mapping[str, Value]) -> Value:
    """Call what `vmap` makes."""
    axes = request.in_axes
    if isinstance(axes, tuple | list):
        if len(axes) != len(args):
            raise PythonError(ValueError(f"in_axes has {len(axes)} items for {len(args)} arguments"))
    else:
        axes = [axes] * len(args)
    given = [*zip(args, axes, strict=True), *((v, 0) for v in keywords.values())]
    batched: list[tuple[Array, int]] = []
    for value, axis in given:
        _with_rows(infer, value, axis, lambda leaf, axis: batched.append((leaf, axis)) or leaf)
    if not batched:
        raise PythonError(ValueError("vmap needs an argument with rows: an axis in in_axes that is not None"))
    inputs = [leaf for leaf, _ in batched]
    batches = [_axis_first(infer, leaf, axis) for leaf, axis in batched]
    n = _rows(infer, batches)

    def replaced(stream: Any) -> list[Value]:
        return [_with_rows(infer, v, axis, lambda *_: next(stream)) for v, axis in given]

    made = _subgraph(infer, request, path, replaced, keywords, inputs, batches, len(args))
    if made.keys:
        raise infer.unsupported(
            "a function under vmap that changes an attribute, a container or a variable outside it", "return the value"
        )
    rows, differs = Batching(infer.builder, infer.modules).run(made.graph, [infer.read(b) for b in batches], n)
    stream = map(_Result, rows, differs)
    category = first_of([leaf.category for leaf in inputs]) or "ndarray"
    value = _value(infer, made.form, request.out_axes, stream, _Batch(n, category))
    if made.written and len(set(inputs)) < len(inputs):
        raise infer.unsupported("a function under vmap that writes to an array it is given twice", "give it a copy")
    axis_of = dict(batched)
    for leaf, _ in made.written:
        assert isinstance(leaf, Array)
        axis = axis_of[leaf]
        SymbolicEvaluator(infer).write(leaf, Array(_axis_to(infer, next(stream).rows, axis), "ndarray"))
    return value


def _subgraph(
    infer: Infer,
    request: Vmap,
    path: Path | None,
    replaced: Any,
    keywords: Mapping[str, Value],
    inputs: Sequence[Value],
    batches: Sequence[Array],
    count: int,
) -> Subgraph:
    """The graph of one row."""
    function = request.function

    def stand(infer: Infer, leaf: Value, position: int) -> Value:
        assert isinstance(leaf, Array)
        whole = batches[position].type
        param = infer.builder.param("row", TensorType(whole.dtype, whole.shape[1:]))
        origin = ("row", *infer.place(), position)
        category = "npscalar" if whole.rank == 1 and not leaf.is_tensor else leaf.category
        atom = infer.emit(state.ref_new, param) if origin in infer.assumptions.refs else param
        return Array(atom, category, NO_ORIGINS if category == "npscalar" else frozenset([origin]))

    names = list(keywords)

    def run(stream: Any) -> list[Value]:
        values = replaced(stream)
        named.update(zip(names, values[count:], strict=True))
        return values[:count]

    named: dict[str, Value] = {}
    return Subgraph(infer, function, path, run, named, inputs, (), stand)


def _with_rows(infer: Infer, value: Value, axis: Any, of: Callable[[Array, int], Value]) -> Value:
    """A value with `of` of each array that is a batch (and of the axis of its rows) in its place."""
    if axis is None:
        return value
    if isinstance(value, Array) and isinstance(axis, int):
        rank = value.type.rank
        if not -rank <= axis < rank:
            raise PythonError(ValueError(f"there is no axis {axis} of rows in an array with {rank} dimensions"))
        return of(value, axis % rank)
    if isinstance(axis, tuple | list | dict):
        items = _items(infer, value, len(axis))
        keyed: Any = axis.values() if isinstance(axis, dict) else axis
        made = [_with_rows(infer, item, inner, of) for item, inner in zip(items, keyed, strict=True)]
    elif isinstance(value, Number | Static | Instance):
        if isinstance(value, Static) and value.value is None:
            return value
        raise PythonError(ValueError("a value that is no array has no rows: its place in in_axes must be None"))
    else:
        made = [_with_rows(infer, item, axis, of) for item in composition.decompose(infer, value)[2]]
    kind, extra, _ = composition.decompose(infer, value)
    return composition.compose(infer, kind, extra, tuple(made))


def _items(infer: Infer, value: Value, count: int) -> Sequence[Value]:
    items = () if isinstance(value, Array | Number | Static | Instance) else composition.decompose(infer, value)[2]
    if len(items) != count:
        raise PythonError(ValueError(f"axes for {count} items, but there are {len(items)}"))
    return items


def _axis_first(infer: Infer, leaf: Value, axis: int) -> Array:
    assert isinstance(leaf, Array)
    if axis == 0:
        return leaf
    order = (axis, *(k for k in range(leaf.type.rank) if k != axis))
    return Array(infer.emit(shape.transpose, infer.read(leaf), permutation=order), leaf.category)


def _axis_to(infer: Infer, rows: Atom, axis: int) -> Atom:
    """Rows numbered by axis 0, numbered by another."""
    type_ = type_of(rows)
    assert isinstance(type_, TensorType)
    if not -type_.rank <= axis < type_.rank:
        raise PythonError(
            ValueError(f"there is no axis {axis} for the rows of results with {type_.rank - 1} dimensions")
        )
    axis %= type_.rank
    if axis == 0:
        return rows
    order = (*range(1, axis + 1), 0, *range(axis + 1, type_.rank))
    return infer.emit(shape.transpose, rows, permutation=order)


def _rows(infer: Infer, batches: Sequence[Array]) -> Dim:
    n = batches[0].type.shape[0]
    others = [b.type.shape[0] for b in batches[1:]]

    def compare() -> None:
        for other in others:
            require_equal(n, other, _SIZES)

    call_library(infer, compare, [], {})
    return n


# --- results ----------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Batch:
    n: Dim
    category: str
    """What numbers become arrays of."""


def _value(infer: Infer, form: Form, axes: Any, stream: Iterator[_Result], batch: _Batch) -> Value:
    """The batched result in the structure of a row's."""
    match form:
        case ArrayForm():
            return _array(infer, next(stream), axes, form.category, batch, number=None)
        case NumberForm():
            return _array(infer, next(stream), axes, batch.category, batch, number=form)
        case Same():
            return _constant(infer, form.value, axes, batch)
        case CompositeForm():
            if isinstance(axes, tuple | list | dict):
                if len(axes) != len(form.items):
                    raise PythonError(ValueError(f"out_axes has {len(axes)} items for {len(form.items)} results"))
                each: Any = list(axes.values()) if isinstance(axes, dict) else axes
            else:
                each = [axes] * len(form.items)
            items = tuple(_value(infer, f, a, stream, batch) for f, a in zip(form.items, each, strict=True))
            return composition.compose(infer, form.kind, form.extra, items)
        case _:
            raise infer.unsupported(
                "a function under vmap whose result may be of several types", "return one type on every path"
            )


def _array(
    infer: Infer, result: _Result, axis: Any, category: str, batch: _Batch, *, number: NumberForm | None
) -> Value:
    if axis is None:
        if result.differs:
            raise PythonError(ValueError("out_axes is None for a result that differs from row to row"))
        first = _first_row(infer, result.rows, batch.n)
        if number is not None:
            return Number(infer.emit(conversions.to_scalar, first), number.type)
        return infer.fresh_array(first, category)
    if not isinstance(axis, int):
        raise PythonError(ValueError("out_axes has the structure of a container where the result is an array"))
    if not is_tensor(category):
        category = batch.category if number is not None else "ndarray"
    return infer.fresh_array(_axis_to(infer, result.rows, axis), category)


def _first_row(infer: Infer, rows: Atom, n: Dim) -> Atom:
    type_ = type_of(rows)
    assert isinstance(type_, TensorType)
    if not isinstance(n, int) or n == 0:
        some = infer.emit(
            python_ints.int_gt, infer.number_atom(infer.extent(n), INT), infer.number_atom(Static(0), INT)
        )
        infer.emit_all(
            conversions.check, some, exception="ValueError", message="vmap over no rows has no result for out_axes=None"
        )
    spec = (("s", 0, 1, 1), *(("s", 0, 1, d) for d in type_.shape[1:]))
    one = infer.emit(views.view_index, rows, spec=spec)
    return infer.emit(shape.reshape, one, shape=type_.shape[1:])


def _constant(infer: Infer, value: Value, axes: Any, batch: _Batch) -> Value:
    if not isinstance(value, Static) or type(value.value) not in SCALARS or axes is None:
        return value
    type_ = SCALARS[type(value.value)]
    with evaluating_by(GraphEvaluator(infer.builder)):
        made = broadcasting.filled(value.value, TensorType(type_.dtype, (batch.n,)))
    return infer.fresh_array(_axis_to(infer, made, axes), batch.category)
