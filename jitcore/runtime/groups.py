"""The specialisations of a compiled function, by the classes of calls that they serve."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.runtime.arguments import Shapes
from jitcore.source import CompileError
from jitcore.structs import dataclass, field
from jitcore.types import Shape, fresh_symbol

if TYPE_CHECKING:
    from jitcore.runtime.specialisation import Specialisation


@dataclass(slots=True, eq=False)
class Group:
    """The specialisations of one class of calls."""

    first: Shapes
    varying: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    members: list[Specialisation] = field(default_factory=list["Specialisation"])
    fallback: CompileError | None = None
    driver: Callable[..., Any] | None = None
    """What the interpreter runs for a function that is compiled in part."""
    interpreted: int = 0
    """How many calls the interpreter has served."""
    served: int = 1
    """How many calls had been served when it was last asked whether the class is still of use: one that served one is
    not."""
    exact: bool = False
    """Whether every extent is compiled for: the program could not be without knowing them (`a, *b = x`)."""
    in_vain: bool = False
    """Whether a gradient was not to be had though all extents were known."""
    columns: bool = True
    """Whether long lists of numbers are passed as arrays, and not item by item."""

    @property
    def reasons(self) -> frozenset[str]:
        """Why its calls are not compiled; nothing if they are."""
        return frozenset() if self.fallback is None else frozenset(p.message for p in self.fallback.problems)

    def serving(
        self, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation, Any] | None:
        """The first specialisation that serves a call of the class, and its inputs; None if there is none."""
        for member in self.members:
            found = member.inputs(args, keywords) if member.fits(shapes) else None
            if found is not None:
                return member, found
        return None

    def exactly(
        self, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]
    ) -> tuple[Specialisation, Any] | None:
        """The specialisation for just these extents that serves a call, the first to be asked from now on, and its
        inputs; None if there is none."""
        for member in self.members:
            found = member.inputs(args, keywords) if member.pattern == shapes else None
            if found is not None:
                self.members.remove(member)
                self.members.insert(0, member)
                return member, found
        return None

    def pattern(self, shapes: Shapes) -> tuple[Shape, ...]:
        """The extents to compile for: symbolic where calls have differed, but 1 stays 1."""
        for k, (known, shape) in enumerate(zip(self.first, shapes, strict=True)):
            self.varying.update((k, axis) for axis, n in enumerate(shape) if known[axis] != n)
        return tuple(
            tuple(fresh_symbol("n") if (k, axis) in self.varying and n != 1 else n for axis, n in enumerate(shape))
            for k, shape in enumerate(shapes)
        )
