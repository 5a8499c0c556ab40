"""Batching rules of primitives: from operands some of which have rows along a first axis, to a result that has.

A rule gives None where it does not apply; the primitive is then computed for one row after the other.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, Final, TypeAlias

from jitcore.ir.nodes import Atom, Literal, type_of
from jitcore.primitives import shape
from jitcore.primitives.differentiation import to_shape
from jitcore.primitives.registry import PRIMITIVES, Elementwise, Primitive
from jitcore.structs import dataclass
from jitcore.types import Dim, DType, ScalarType, Shape, TensorType, bool_, f64, i64


@dataclass(frozen=True, slots=True)
class Operand:
    """An argument: with a first axis of rows if `batched`. A batched Python number is an array of rank 1."""

    atom: Atom
    batched: bool
    row: Shape
    """The shape of a row."""

    @property
    def rank(self) -> int:
        return len(self.row)


Rule: TypeAlias = "Callable[[Primitive, Sequence[Operand], Mapping[str, Any], Dim], Any]"


def apply(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    """The batch of results of a primitive with one result, by the current evaluator; None if there is no rule."""
    if op.name in _RULES:
        return _RULES[op.name](op, operands, params, n)
    if isinstance(op.lowering, Elementwise):
        return _elementwise(op, operands, params, n)
    if op.name in _NUMBERS:
        return _NUMBERS[op.name](*(as_array(o.atom) for o in operands))
    return None


def has_rule(op: Primitive) -> bool:
    """Whether there is a rule, for some operands at least."""
    return op.name in _RULES or op.name in _NUMBERS or isinstance(op.lowering, Elementwise)


def as_array(atom: Atom) -> Atom:
    """A number as what stands beside batches: literals as rank-0 arrays; a batch, and a run-time number, as they
    are."""
    if isinstance(atom, Literal) and isinstance(atom.type, ScalarType):
        return Literal(atom.value, TensorType(atom.type.dtype, ()))
    if isinstance(atom.type, ScalarType):
        return PRIMITIVES["from_scalar"](atom, dtype=atom.type.dtype)
    return atom


def aligned(operand: Operand, rank: int) -> Atom:
    """A batched operand with its rows' axes moved to the end of `rank`, as broadcasting has them."""
    missing = rank - operand.rank
    if not operand.batched or missing <= 0:
        return operand.atom
    return shape.expand_dims(operand.atom, axis=tuple(range(1, 1 + missing)))


def tiled(operand: Operand, n: Dim) -> Atom:
    """An operand with an axis of rows, all the same if it had none."""
    if operand.batched:
        return operand.atom
    return shape.broadcast_to(as_array(operand.atom), shape=(n, *operand.row))


def _elementwise(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    rank = max(o.rank for o in operands)
    return op(*(aligned(o, rank) for o in operands), **params)


def _axes(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    """One operand, and an `axis` (or several) of it."""
    axis = params["axis"]
    moved = tuple(k + 1 for k in axis) if isinstance(axis, tuple) else axis + 1
    return op(operands[0].atom, **{**params, "axis": moved})


def _transpose(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    return op(operands[0].atom, permutation=(0, *(k + 1 for k in params["permutation"])))


def _reshape(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    return op(operands[0].atom, shape=(n, *params["shape"]))


def _broadcast(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    target = params["shape"]
    return shape.broadcast_to(aligned(operands[0], len(target)), shape=(n, *target))


def _view(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    if any(o.batched for o in operands[1:]):
        return None
    spec = (("s", 0, 1, n), *params["spec"])
    return op(operands[0].atom, *(o.atom for o in operands[1:]), **{**params, "spec": spec})


def _embed(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    return _view(op, operands, {**params, "shape": (n, *params["shape"])}, n)


def _concatenate(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    return op(*(tiled(o, n) for o in operands), axis=params["axis"] + 1)


def _pad(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    x, filling = operands
    if filling.batched:
        return None
    widths = {name: (0, *params[name]) for name in ("low", "high", "interior")}
    return op(x.atom, filling.atom, **widths)


def _matmul(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    x, y = operands
    if x.batched and not y.batched and x.rank == 1 and y.rank <= 2:
        return op(x.atom, y.atom)
    left = _with_axis(x, 0) if x.rank == 1 else x
    right = _with_axis(y, 1) if y.rank == 1 else y
    rank = max(left.rank, right.rank)
    made = op(aligned(left, rank), aligned(right, rank))
    dropped = tuple(axis for axis, vector in ((rank - 1, x.rank == 1), (rank, y.rank == 1)) if vector)
    return shape.squeeze(made, axis=dropped) if dropped else made


def _with_axis(operand: Operand, axis: int) -> Operand:
    """A vector as a matrix of one row or column."""
    row = (1, *operand.row) if axis == 0 else (*operand.row, 1)
    place = axis + 1 if operand.batched else axis
    return Operand(shape.expand_dims(operand.atom, axis=(place,)), operand.batched, row)


def _conv(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    """Rows of batches of images are images."""
    x, w = operands
    if w.batched:
        return None
    whole = shape.reshape(x.atom, shape=(n * x.row[0], *x.row[1:]))
    made = op(whole, w.atom, **params)
    type_ = type_of(made)
    assert isinstance(type_, TensorType)
    return shape.reshape(made, shape=(n, x.row[0], *type_.shape[1:]))


def _pool(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    (x,) = operands
    made = op(shape.reshape(x.atom, shape=(n * x.row[0], *x.row[1:])), **params)
    type_ = type_of(made)
    assert isinstance(type_, TensorType)
    return shape.reshape(made, shape=(n, x.row[0], *type_.shape[1:]))


def _gather(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    x, indices = operands
    return None if indices.batched else op(x.atom, indices.atom, axis=params["axis"] + 1)


def _from_scalar(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    return _cast(operands[0].atom, params["dtype"])


def _to_scalar(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    type_ = type_of(operands[0].atom)
    assert isinstance(type_, TensorType)
    (wide,) = op.types([TensorType(type_.dtype, ())], params)
    assert isinstance(wide, ScalarType)
    return _cast(operands[0].atom, wide.dtype)


def _cast(x: Any, dtype: DType) -> Any:
    type_ = type_of(x)
    assert isinstance(type_, TensorType)
    return x if type_.dtype is dtype else PRIMITIVES["cast"](x, dtype=dtype)


def _filled(op: Primitive, operands: Sequence[Operand], params: Mapping[str, Any], n: Dim) -> Any:
    return shape.broadcast_to(aligned(operands[0], len(params["shape"])), shape=(n, *params["shape"]))


_REDUCTIONS = ("sum", "prod", "max", "min", "any", "all")
_RULES: Final[dict[str, Rule]] = {
    **{f"reduce_{name}": _axes for name in _REDUCTIONS},
    **dict.fromkeys(("argmax", "argmin", "cumsum", "expand_dims", "squeeze"), _axes),
    "transpose": _transpose,
    "reshape": _reshape,
    "broadcast_to": _broadcast,
    "again": lambda op, operands, params, n: op(operands[0].atom),
    "view_index": _view,
    "embed": _embed,
    "concatenate": _concatenate,
    "pad": _pad,
    "matmul": _matmul,
    "conv2d": _conv,
    "max_pool2d": _pool,
    "avg_pool2d": _pool,
    "gather": _gather,
    "from_scalar": _from_scalar,
    "to_scalar": _to_scalar,
    "full": _filled,
    "stop_gradient": lambda op, operands, params, n: op(operands[0].atom),
}


def _named(name: str) -> Callable[..., Any]:
    return lambda *arrays: PRIMITIVES[name](*arrays)


_COMPARISONS = {
    "eq": "equal",
    "ne": "not_equal",
    "lt": "less",
    "le": "less_equal",
    "gt": "greater",
    "ge": "greater_equal",
}
_NUMBERS: Final[dict[str, Callable[..., Any]]] = {
    **{f"float_{name}": _named(name) for name in ("add", "sub", "mul", "neg", "abs")},
    **{f"float_is_{name}": _named(f"is{name}") for name in ("nan", "inf", "finite")},
    **{f"{kind}_{name}": _named(full) for kind in ("float", "int") for name, full in _COMPARISONS.items()},
    "float_select": _named("select"),
    "int_select": _named("select"),
    "int_max": _named("maximum"),
    "int_min": _named("minimum"),
    "int_and": _named("bitwise_and"),
    "int_or": _named("bitwise_or"),
    "int_xor": _named("bitwise_xor"),
    "bool_and": _named("bitwise_and"),
    "bool_or": _named("bitwise_or"),
    "bool_xor": _named("bitwise_xor"),
    "bool_eq": _named("equal"),
    "bool_ne": _named("not_equal"),
    "bool_not": _named("bitwise_not"),
    "bool_to_int": lambda x: _cast(x, i64),
    "bool_to_float": lambda x: _cast(x, f64),
    "int_to_float": lambda x: _cast(x, f64),
    "int_to_bool": lambda x: _cast(x, bool_),
    "float_to_bool": lambda x: _cast(x, bool_),
}
"""Operations on Python numbers that are exact, so that arrays of them come out the same, and cannot raise."""


def of_type(x: Atom, wanted: TensorType) -> Atom:
    """A batch as one of exactly this type."""
    return x if type_of(x) is wanted else to_shape(x, wanted.shape)
