"""Which strings a function is compiled for, because it needs to know them, and which of those that objects and containers hold have changed."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import TYPE_CHECKING, Any

from jitcore.runtime.notices import path_text
from jitcore.structs import dataclass, field

if TYPE_CHECKING:
    from jitcore.runtime.specialisation import Specialisation

_MOST_STRINGS = 8
"""That one function is compiled for, where it needs to know them: a call with another one runs in the interpreter."""


@dataclass(slots=True, eq=False)
class KnownStrings:
    """The strings that one function knows."""

    known: set[Any] = field(default_factory=set[Any])
    """By path, for each specialisation."""
    changing: set[Any] = field(default_factory=set[Any])
    """The paths of strings that objects and containers hold, and that have changed."""

    @property
    def may_know(self) -> bool:
        """Whether it may be compiled for another string."""
        return len(self.known) < _MOST_STRINGS

    def note(self, member: Specialisation) -> None:
        """Note the strings that a specialisation is for, those of globals and closures included."""
        held = [*member.statics, *((g.path, g.expected) for g in member.compilation.inferred.guards)]
        roots = ("arg", "global", "free")
        known = [(p, v) for p, v in held if type(v) in (str, bytes) and (p[0] in roots or p in self.changing)]
        if known:
            self.known.add(frozenset((path_text(p), v) for p, v in known))

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
