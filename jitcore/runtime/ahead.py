"""Compiling ahead of calls: examples of the arguments that signatures describe."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import combinations
from typing import TYPE_CHECKING, Any, Final, TypeAlias, cast

import numpy as np

from jitcore.runtime.arguments import Call
from jitcore.runtime.categories import as_category

if TYPE_CHECKING:
    from jitcore.runtime.dispatch import CompiledFunction

Arguments: TypeAlias = "tuple[tuple[Any, ...], dict[str, Any]]"
"""Those by position, and by name."""

_NUMBERS: Final[Mapping[object, object]] = {bool: True, int: 2, float: 0.5, complex: 0.5j, str: "", bytes: b""}
_EXTENTS: Final = (2, 64)
"""What extents that may be anything are from in each of two examples: by where they differ they are told."""
_MOST_EXTENTS: Final = 4
"""That may be anything: code is for one choice of those that are 1, since 1 broadcasts."""


def compile_ahead(function: CompiledFunction, signatures: object) -> None:
    """Compile a function for signatures. Raises TypeError for what is none, and CompileError as calls do."""
    several = cast("list[object]", signatures) if isinstance(signatures, list) else [signatures]
    for signature in several:
        one = _Example(_EXTENTS[0])
        first = one.of(signature)
        if len(one.extents) > _MOST_EXTENTS:
            raise ValueError(
                f"a signature has at most {_MOST_EXTENTS} different extents that may be anything, not "
                f"{len(one.extents)}: give those that are equal one name"
            )
        shapes = tuple(Call.of(*first).shapes)
        for count in range(len(one.extents) + 1):
            for ones in combinations(one.extents, count):
                function.compile_for(shapes, *_Example(_EXTENTS[1], frozenset(ones)).of(signature))


class _Example:
    """An example of a signature's arguments, where extents that may be anything are numbers from `start` on, or 1 if
    they are among `ones`. `extents` has them by name, or by number where they have none."""

    def __init__(self, start: int, ones: frozenset[str | int] = frozenset()) -> None:
        self.extents: dict[str | int, int] = {}
        self._start = start
        self._ones = ones

    def of(self, signature: object) -> Arguments:
        """The arguments by position and by name."""
        if isinstance(signature, Mapping):
            return (), {str(k): self._value(v) for k, v in cast("Mapping[object, object]", signature).items()}
        items = cast("tuple[object, ...]", signature) if isinstance(signature, tuple) else (signature,)
        return tuple(map(self._value, items)), {}

    def _value(self, given: object) -> Any:
        if isinstance(given, type):
            if given not in _NUMBERS:
                raise TypeError(f"a signature has int, float, bool, complex, str or bytes, not {given.__name__}")
            return _NUMBERS[given]
        described: Callable[[], tuple[Any, Any, str]] | None = getattr(given, "__jitcore_spec__", None)
        if described is not None:
            shape, dtype, category = described()
            array = np.empty([self._extent(n) for n in shape], dtype)
            return array if category == "ndarray" else as_category(category, array)
        if type(given) in (tuple, list):
            items = [self._value(item) for item in cast("list[object]", given)]
            return tuple(items) if type(given) is tuple else items
        if type(given) is dict:
            return {k: self._value(v) for k, v in cast("dict[object, object]", given).items()}
        if isinstance(given, str) and "(" in given:
            raise TypeError(
                f"a signature has examples of arguments, types of numbers and InputSpecs, not {given!r}: "
                "[(InputSpec((None,), 'float64'), int)], say"
            )
        return given

    def _extent(self, extent: int | str | None) -> int:
        """An extent; those of one name are equal."""
        if isinstance(extent, int):
            return extent
        key = len(self.extents) if extent is None else extent
        return self.extents.setdefault(key, 1 if key in self._ones else self._start + len(self.extents))
