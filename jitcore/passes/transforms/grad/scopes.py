"""Where cotangents gather: one scope for every forward graph that is being run backwards.

A cotangent belongs to a *slot*: a variable, or one part of one member of a union. In the scope that binds the
variable it is summed as a value. Contributions made inside a nested graph leave it by the way that suits it:
a branch gives them as results, a loop sums scalars as carries, and what is added to an array in a loop is added
in place, into a ref that the array's own scope holds (so that the gradient of `for i: … x[i] …` is linear).
The cotangent of a ref is a shadow ref; that of a stack is a stack, pushed where the other is popped.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from jitcore.ir.builder import GraphBuilder
from jitcore.ir.nodes import Atom, Var
from jitcore.passes.transforms.grad.activity import differentiable
from jitcore.primitives.ops.unions import member_types
from jitcore.structs import dataclass, field
from jitcore.types import STACK, ScalarType, TensorType, Type, UnionType

Slot: TypeAlias = "tuple[Var, int, int]"
"""(variable, member, part of the member); (variable, 0, 0) where it is no union."""


def slots_of(var: Var) -> list[tuple[Slot, Type]]:
    """The slots of a variable that can have cotangents, and their types."""
    type_ = var.type
    if isinstance(type_, UnionType):
        return [
            ((var, m, k), part)
            for m, member in enumerate(type_.members)
            for k, part in enumerate(member_types(member))
            if _has_cotangent(part)
        ]
    return [((var, 0, 0), type_)] if type_ is not None and _has_cotangent(type_) else []


def _has_cotangent(type_: Type) -> bool:
    return type_ is STACK or (isinstance(type_, ScalarType | TensorType) and differentiable(type_))


def slot_type(slot: Slot) -> Type:
    """The type of a slot's cotangent."""
    var, member, part = slot
    if isinstance(var.type, UnionType):
        return member_types(var.type.members[member])[part]
    assert var.type is not None
    return var.type


@dataclass(slots=True, eq=False)
class Scope:
    """A forward graph being run backwards. `kind`: top, branch, loop or function; `builder` writes the backward
    graph."""

    kind: str
    builder: GraphBuilder
    parent: Scope | None
    defined: set[Var] = field(default_factory=set[Var])
    values: dict[Slot, Atom] = field(default_factory=dict[Slot, Atom])
    """Sums of cotangents, of the scope's own variables and, in branches and loops, of outer ones."""
    places: dict[Slot, Var] = field(default_factory=dict[Slot, Var])
    """Refs into which the cotangents of arrays are added."""
    shadows: dict[Var, Var] = field(default_factory=dict[Var, Var])
    """The shadows of refs bound here."""
    carried: dict[Slot, Var] = field(default_factory=dict[Slot, Var])
    """In a loop: the parameters that hold the sums of outer scalars so far."""
    stack: Any = None
    """The stack as it is at this point of the backward graph, if there is one."""

    def owner(self, var: Var) -> Scope:
        """The scope that binds a variable; the outermost one for those bound outside."""
        scope = self
        while var not in scope.defined and scope.parent is not None:
            scope = scope.parent
        return scope

    def crosses_loop(self, outer: Scope) -> bool:
        """Whether a loop (or function) lies between this scope and an outer one."""
        scope = self
        while scope is not outer:
            if scope.kind in ("loop", "function"):
                return True
            assert scope.parent is not None
            scope = scope.parent
        return False


def is_array(type_: Type) -> bool:
    """Whether a type is of arrays with more than one element, which are summed in place in loops."""
    return isinstance(type_, TensorType) and type_.rank > 0
