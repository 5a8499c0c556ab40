"""What abstract values and the operations on them need of an attempt at inferring a program (`engine.core.Infer`)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, Protocol

if TYPE_CHECKING:
    from jitcore.ir.builder import GraphBuilder
    from jitcore.ir.nodes import Atom, Var
    from jitcore.passes.infer.domain.assumptions import Assumptions
    from jitcore.passes.infer.domain.forms import Form
    from jitcore.passes.infer.domain.heap import Heap
    from jitcore.passes.infer.domain.list_forms import Pooling
    from jitcore.passes.infer.domain.values import Number, Origin, Union, Value
    from jitcore.primitives.core.registry import Primitive
    from jitcore.source import CompileError
    from jitcore.types import Dim, ScalarType, Type


class Inputs(Protocol):
    """What the program is given from outside."""

    @property
    def strings(self) -> Mapping[Atom, str | bytes]:
        """What strings from outside are in the call that is compiled for."""
        ...


class Extents(Protocol):
    """The numbers that became extents."""

    def as_dim(self, value: Number) -> Dim:
        """A run-time int as an extent."""
        ...


class State(Protocol):
    """One attempt: the graph being built, the heap, and what is assumed."""

    assumptions: Assumptions
    builder: GraphBuilder
    heap: Heap
    is_stale: bool
    moves_from: int
    of_elements: int
    """How many calls deep it is in functions of elements, whose numbers are NumPy scalars where control flow joins."""
    parts_of_items: dict[Atom, tuple[Form, tuple[Atom, ...]]]
    pooling: Pooling

    @property
    def inputs(self) -> Inputs: ...

    @property
    def extents(self) -> Extents: ...

    @property
    def uses_boxes(self) -> bool:
        """Whether containers and strings that the program makes live in boxes."""
        ...

    def emit(self, primitive: Primitive, *args: Atom, **params: Any) -> Var:
        """Append a primitive with one result."""
        ...

    def emit_all(self, primitive: Primitive, *args: Atom, **params: Any) -> tuple[Var, ...]:
        """Append a primitive to the graph being built."""
        ...

    def extent(self, dim: Dim) -> Value:
        """A dimension as a Python int."""
        ...

    def number_atom(self, value: Value, type_: ScalarType) -> Atom:
        """The atom of a number value of exactly this type."""
        ...

    def switch_union(self, union: Union, member: Callable[[Value], list[Atom]], types: tuple[Type, ...]) -> list[Var]:
        """Atoms of the given types computed from whichever member a union holds."""
        ...

    def place(self) -> tuple[Any, ...]:
        """A key for the current binding that is the same in every restart."""
        ...

    def mark_refs(self, origins: frozenset[Origin]) -> None:
        """Make these arrays places that can be written, in the next attempt."""
        ...

    def join_origins(self, origins: frozenset[Origin]) -> None:
        """Note arrays that one variable may hold."""
        ...

    def unsupported(self, message: str, hint: str = "") -> CompileError:
        """The error for what the compiler does not do at the current place."""
        ...
