"""Which strings and numbers a function is compiled for, because it needs to know them, and which strings that objects
and containers hold have changed."""

from __future__ import annotations

from collections.abc import Container, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.runtime.notices import path_text
from jitcore.structs import dataclass, field

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.values import Path
    from jitcore.runtime.specialisation import Specialisation

_MOST_STRINGS = 8
"""That one function is compiled for, where it needs to know them: a call with another one runs in the interpreter."""
_MOST_NUMBERS = 32
"""The same for numbers, of which there are many where loops are unrolled and axes are given, and for lists of them."""
_ROOTS = ("arg", "global", "free")


def _is_variable(path: Any) -> bool:
    """Whether a global or a variable of an enclosing function is meant, not what it holds."""
    return path[0] in ("global", "free") and len(path) == 3


@dataclass(slots=True, eq=False)
class KnownValues:
    """The strings and numbers that one function knows."""

    strings: set[Any] = field(default_factory=set[Any])
    """By path, for each specialisation."""
    numbers: set[Any] = field(default_factory=set[Any])
    changing: set[Any] = field(default_factory=set[Any])
    """The paths of strings that objects and containers hold, and that have changed."""

    @property
    def may_know_strings(self) -> bool:
        """Whether it may be compiled for another string."""
        return len(self.strings) < _MOST_STRINGS

    @property
    def may_know_numbers(self) -> bool:
        """Whether it may be compiled for another number."""
        return len(self.numbers) < _MOST_NUMBERS

    def note(self, member: Specialisation, asked: Container[Path]) -> None:
        """Note what a specialisation is for, the strings of globals and closures included; not what it was `asked` to
        know."""
        held = [*member.statics, *((g.path, g.expected) for g in member.compilation.inferred.guards)]
        held = [(path, value) for path, value in held if path not in asked]
        strings = [(p, v) for p, v in held if type(v) in (str, bytes) and (p[0] in _ROOTS or p in self.changing)]
        numbers = [(p, v) for p, v in held if type(v) in (int, float, complex) and (p[0] == "arg" or _is_variable(p))]
        for known, values in ((strings, self.strings), (numbers, self.numbers)):
            if known:
                values.add(frozenset((path_text(p), repr(v)) for p, v in known))

    def look(self, members: Sequence[Specialisation], args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
        """Note the paths of strings that specialisations are for, and that are others now; not of arguments."""
        from jitcore.runtime.specialisation import Unresolved, resolve

        for guard in (g for m in members for g in m.compilation.inferred.guards if type(g.expected) in (str, bytes)):
            try:
                now = resolve(guard.path, args, keywords)
            except (Unresolved, KeyError):
                continue
            if type(now) is type(guard.expected) and now != guard.expected:
                self.changing.add(guard.path)
