"""The columns of lists of run-time length: an array whose rows are the items' (`primitives.ops.growing`)."""

from __future__ import annotations

from typing import TYPE_CHECKING

from jitcore.ir.nodes import Atom, Literal, type_of
from jitcore.passes.infer.domain.values import Buffer, Number, Static, Value
from jitcore.primitives.ops import joining
from jitcore.types import Dim, ScalarType, TensorType, Type

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State

EMPTY = Buffer(Static(0), None, ())
"""What a list holds that never had an item."""


def zero(type_: Type) -> Literal:
    """The zero of a number's type, or of a rank-0 array's."""
    assert isinstance(type_, ScalarType | TensorType)
    return Literal(type_.dtype.numpy.type(0).item(), type_)


def shape_of(column: Atom) -> tuple[Dim, ...]:
    """The shape of a column: its rows, then the axes of an item."""
    type_ = type_of(column)
    assert isinstance(type_, TensorType)
    return type_.shape


def zeros(infer: State, type_: TensorType) -> Atom:
    """A column of zeros."""
    return infer.emit(joining.full, zero(TensorType(type_.dtype, ())), shape=type_.shape)


def extent_of(infer: State, length: Value) -> Dim:
    """A length as the extent of an axis."""
    if isinstance(length, Static):
        return length.value
    assert isinstance(length, Number)
    return length.dim if length.dim is not None else infer.extents.as_dim(length)
