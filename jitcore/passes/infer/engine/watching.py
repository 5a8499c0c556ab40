"""Looking on while programs are inferred: which Cells they call, what these are given, and what they give."""

from __future__ import annotations

import threading
import weakref
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Final, TypeAlias

from jitcore.passes.infer.domain import composition
from jitcore.passes.infer.domain.values import Array, Reference, Tuple, Value
from jitcore.structs import dataclass
from jitcore.types import TensorType

if TYPE_CHECKING:
    from jitcore.passes.infer.engine.core import Infer

Kind: TypeAlias = "tuple[str, TensorType]"
"""Of a Tensor: its category and type."""


@dataclass(frozen=True, slots=True, eq=False)
class Watcher:
    """Who looks on: `begins(cell, given)` and `ends(cell, given, gave)` are called, again where inference tries
    again."""

    begins: Callable[[Any, Sequence[Kind]], None]
    ends: Callable[[Any, Sequence[Kind], Sequence[Kind]], None]


class _Present(threading.local):
    watcher: Watcher | None = None


_present = _Present()


@contextmanager
def watching(
    begins: Callable[[Any, Sequence[Kind]], None], ends: Callable[[Any, Sequence[Kind], Sequence[Kind]], None]
) -> Generator[None]:
    """Be told of what is inferred in this thread."""
    before, _present.watcher = _present.watcher, Watcher(begins, ends)
    try:
        yield
    finally:
        _present.watcher = before


def watched(infer: Infer, cell: object, args: Sequence[Value], call: Callable[[], Value]) -> Value:
    """A call of a Cell, looked on if anybody does."""
    watcher = _present.watcher
    if watcher is None:
        made = call()
        _note(cell, made)
        return made
    given = [kind for arg in args for kind in _kinds(infer, arg)]
    watcher.begins(cell, given)
    made = call()
    watcher.ends(cell, given, list(_kinds(infer, made)))
    return made


# --- what Cells gave last ------------------------------------------------------------------------------

_latest: Final[dict[int, tuple[weakref.ref[Any], tuple[TensorType, ...]]]] = {}
"""By Cells' identities, as their classes may compare them in any way."""


def latest_of(cell: object) -> tuple[TensorType, ...]:
    """The types of the arrays that a Cell gave where another that calls it was compiled last; none if it never was."""
    return _latest[id(cell)][1] if id(cell) in _latest else ()


def _note(cell: object, made: Value) -> None:
    if not hasattr(type(cell), "__jitcore_call__"):
        return
    types = tuple(v.type for v in (made.items if isinstance(made, Tuple) else (made,)) if isinstance(v, Array))
    key = id(cell)
    _latest[key] = (weakref.ref(cell, lambda _: _latest.pop(key, None)), types)


def _kinds(infer: Infer, value: Value) -> Generator[Kind]:
    if isinstance(value, Array):
        if value.is_tensor:
            yield value.category, value.type
    elif isinstance(value, Tuple) or (isinstance(value, Reference) and value.kind in (list, dict)):
        for item in composition.decompose(infer, value)[2]:
            yield from _kinds(infer, item)
