"""Batching rules: from operands some of which have rows along a first axis, to a result that has.

A primitive declares its rule, `batch(op, operands, params, n)` for n rows, which gives the batch of its result by the
current evaluator, or None where it does not apply: it is then computed for one row after the other. Elementwise
primitives need not declare `elementwise`.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeAlias

from jitcore.ir.nodes import Atom, Literal
from jitcore.primitives.core.registry import PRIMITIVES, Elementwise, Primitive
from jitcore.primitives.core.rules import tensor_type
from jitcore.structs import dataclass
from jitcore.types import Dim, DType, ScalarType, Shape, TensorType


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


Params: TypeAlias = "Mapping[str, Any]"
Batch: TypeAlias = "Callable[[Primitive, Sequence[Operand], Params, Dim], Any]"


def rule_of(op: Primitive) -> Batch | None:
    """A primitive's rule."""
    return elementwise if op.batch is None and isinstance(op.lowering, Elementwise) else op.batch


# --- operands -----------------------------------------------------------------------------------------


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
    return PRIMITIVES["expand_dims"](operand.atom, axis=tuple(range(1, 1 + missing)))


def tiled(operand: Operand, n: Dim) -> Atom:
    """An operand with an axis of rows, all the same if it had none."""
    if operand.batched:
        return operand.atom
    return PRIMITIVES["broadcast_to"](as_array(operand.atom), shape=(n, *operand.row))


def cast(x: object, dtype: DType) -> Any:
    """An array of a dtype."""
    return x if tensor_type(x).dtype is dtype else PRIMITIVES["cast"](x, dtype=dtype)


# --- rules of several families ------------------------------------------------------------------------


def elementwise(op: Primitive, operands: Sequence[Operand], params: Params, n: Dim) -> Any:
    """One element of each at a time, broadcast."""
    rank = max(o.rank for o in operands)
    return op(*(aligned(o, rank) for o in operands), **params)


def same(op: Primitive, operands: Sequence[Operand], params: Params, n: Dim) -> Any:
    """One operand, whose axes do not matter."""
    return op(operands[0].atom)


def axes(op: Primitive, operands: Sequence[Operand], params: Params, n: Dim) -> Any:
    """One operand, and an `axis` (or several) of it."""
    axis = params["axis"]
    moved = tuple(k + 1 for k in axis) if isinstance(axis, tuple) else axis + 1
    return op(operands[0].atom, **{**params, "axis": moved})


def images(op: Primitive, operands: Sequence[Operand], params: Params, n: Dim) -> Any:
    """A batch of images as the first operand: rows of such batches are one. The others are the same for all rows."""
    x, *others = operands
    if any(o.batched for o in others):
        return None
    whole = PRIMITIVES["reshape"](x.atom, shape=(n * x.row[0], *x.row[1:]))
    made = op(whole, *(o.atom for o in others), **params)
    return PRIMITIVES["reshape"](made, shape=(n, x.row[0], *tensor_type(made).shape[1:]))


def numbers(array: str) -> Batch:
    """An operation on Python numbers that is exact and cannot raise: arrays of them come out the same by that on
    arrays."""

    def rule(op: Primitive, operands: Sequence[Operand], params: Params, n: Dim) -> Any:
        return PRIMITIVES[array](*(as_array(o.atom) for o in operands))

    return rule


def converted(dtype: DType) -> Batch:
    """A conversion of Python numbers that is exact and cannot raise."""

    def rule(op: Primitive, operands: Sequence[Operand], params: Params, n: Dim) -> Any:
        return cast(as_array(operands[0].atom), dtype)

    return rule


def to_dtype(op: Primitive, operands: Sequence[Operand], params: Params, n: Dim) -> Any:
    """A Python number as an array of the parameter `dtype`."""
    return cast(operands[0].atom, params["dtype"])


def to_number(op: Primitive, operands: Sequence[Operand], params: Params, n: Dim) -> Any:
    """A rank-0 array as the Python number of its kind."""
    (wide,) = op.types([TensorType(tensor_type(operands[0].atom).dtype, ())], params)
    assert isinstance(wide, ScalarType)
    return cast(operands[0].atom, wide.dtype)
