"""Strings that are parts of inputs of the program: which input, where in it, and how long."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeGuard

from jitcore.ir.nodes import Atom
from jitcore.passes.infer.domain.columns import extent_of
from jitcore.passes.infer.domain.values import NO_PATHS, Char, Number, Part, Path, Static, String, Text, Value
from jitcore.primitives.ops import views
from jitcore.types import INT, TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.state import State


def part(infer: State, cls: type, roots: frozenset[Path], span: tuple[Atom, Value, Value]) -> Part:
    """A part of an input (see `Part`)."""
    whole, start, count = span

    def array() -> Atom:
        spec = (("s", ("v", 0), 1, extent_of(infer, count)),)
        return infer.emit(views.view_index, whole, infer.number_atom(start, INT), spec=spec)

    return Part(cls, roots, span, array)


def is_input(value: Value, infer: State) -> TypeGuard[String]:
    """Whether a string is the whole of one that the program was given."""
    return isinstance(value, String) and not isinstance(value, Part) and value.atom in infer.inputs.strings


def span_of(infer: State, value: Value) -> tuple[Atom, Value, Value] | None:
    """The input of which a string is a part, or the whole, where it begins in that, and how long it is; None if it is
    none of an input's."""
    if isinstance(value, Part):
        return value.span
    if not is_input(value, infer):
        return None
    type_ = value.atom.type
    assert isinstance(type_, TensorType)
    return value.atom, Static(0), infer.extent(type_.shape[0])


def roots_of(*values: Value) -> frozenset[Path]:
    """The inputs, and loops, that strings and what picks parts of them are made of."""
    found = NO_PATHS
    for value in values:
        if isinstance(value, String | Char):
            found |= value.roots
        elif isinstance(value, Number) and value.paths:
            found |= frozenset(path for path in value.paths if path[0] == "loop")
        elif isinstance(value, Text):
            found |= roots_of(*value.values)
    return found
