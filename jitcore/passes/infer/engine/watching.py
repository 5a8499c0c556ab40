"""Looking on while programs are inferred: which Cells they call, what these are given, and what they give."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, TypeAlias

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
        return call()
    given = [kind for arg in args for kind in _kinds(infer, arg)]
    watcher.begins(cell, given)
    made = call()
    watcher.ends(cell, given, list(_kinds(infer, made)))
    return made


def _kinds(infer: Infer, value: Value) -> Generator[Kind]:
    if isinstance(value, Array):
        if value.is_tensor:
            yield value.category, value.type
    elif isinstance(value, Tuple) or (isinstance(value, Reference) and value.kind in (list, dict)):
        for item in composition.decompose(infer, value)[2]:
            yield from _kinds(infer, item)
