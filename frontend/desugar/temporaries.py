"""Names for the variables that desugaring adds: they begin as no name in the function does."""

from __future__ import annotations

from collections.abc import Iterable


class Temporaries:
    """Gives unused names, and tells them from the user's."""

    __slots__ = ("_counts", "_hints", "prefix")

    def __init__(self, taken: Iterable[str]) -> None:
        names = list(taken)
        self.prefix = "_jc_"
        number = 1
        while any(name.startswith(self.prefix) for name in names):
            number += 1
            self.prefix = f"_jc{number}_"
        self._counts: dict[str, int] = {}
        self._hints: dict[str, str] = {}

    def fresh(self, hint: str) -> str:
        """A name not given before."""
        count = self._counts[hint] = self._counts.get(hint, 0) + 1
        name = f"{self.prefix}{hint}" if count == 1 else f"{self.prefix}{hint}_{count}"
        if name in self._hints:  # `fresh('x_2')` after a second `fresh('x')`
            return self.fresh(hint)
        self._hints[name] = hint
        return name

    def __contains__(self, name: str) -> bool:
        return name in self._hints

    def written(self, name: str) -> str:
        """The name as the user wrote it, where a temporary stands for one; else what the temporary is for."""
        return self._hints.get(name, name)
