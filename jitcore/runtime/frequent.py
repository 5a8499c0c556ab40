"""Library functions that are called often line by line: calls of one kind are compiled, and from then on served by
machine code.

    serve = FrequentCalls(calls)
    x = serve(a, b)

Kinds of calls are those of `arguments.Call`. One is compiled when it has come a number of times, for the extents that
all those calls had in common. What it computes is the same, bit for bit; what a compiled call could do differently is
left to `plain`: failing (its error says where the user's line is), giving an array in the memory of an argument (the
Tensor knows what it is a view of), writing, drawing random numbers.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Mapping, Sequence
from typing import TYPE_CHECKING, Any, Final, cast

from jitcore.config import settings
from jitcore.library.core import marking
from jitcore.primitives.core import constructing, dialects
from jitcore.runtime import tape
from jitcore.runtime.arguments import Call, PastWordError, Shapes, is_by_identity
from jitcore.runtime.interrupts import carried, is_from_handler
from jitcore.runtime.list_arguments import NUMBERS
from jitcore.structs import dataclass, field
from jitcore.types import DType, Shape, fresh_symbol

if TYPE_CHECKING:
    from jitcore.backends.protocol import Entry
    from jitcore.passes.infer.domain.values import Path
    from jitcore.runtime.frequent_entries import Served
    from jitcore.runtime.specialisation import Specialisation

FEW_CALLS: Final = 12
"""Calls of a kind that are computed by eager operators between one compilation and the next. A call takes some 40
microseconds, compiling some 10 milliseconds."""
_MOST_KINDS: Final = 256
"""Of one function."""
_MOST_COMPILED: Final = 8
"""Of one kind: programs for other extents of 1, or other values that must be known when compiling."""
_MOST_ENTRIES: Final = 64
"""Programs of one function. The oldest makes room for a new one, but only for a kind that has come more often."""
_MANY_CALLS: Final = 256
"""Calls of a kind until it takes another's room: by then they have taken the time that compiling takes, so that
programs that take turns cost no more than twice what no programs do."""
_MOST_PARTS: Final = 64
"""Of a call's key; with more, taking the call apart costs more than is gained."""


@dataclass(slots=True, eq=False)
class _Kind:
    """Calls that differ in nothing but extents."""

    first: Shapes
    varying: set[tuple[int, int]] = field(default_factory=set[tuple[int, int]])
    waiting: int = 0
    """How many calls were not served since the last compilation."""
    members: list[Specialisation] = field(default_factory=list["Specialisation"])
    refused: bool = False
    """Whether it cannot be compiled."""

    @property
    def closed(self) -> bool:
        """Whether nothing more is compiled."""
        return self.refused or len(self.members) >= _MOST_COMPILED

    def note(self, shapes: Shapes) -> None:
        """Count a call that was not served."""
        self.waiting += 1
        for k, (known, shape) in enumerate(zip(self.first, shapes, strict=True)):
            if known != shape:
                self.varying.update((k, axis) for axis, n in enumerate(shape) if known[axis] != n)

    def pattern(self, shapes: Shapes) -> tuple[Shape, ...]:
        """The extents to compile for: symbolic where calls have differed, but 1 stays 1."""
        return tuple(
            tuple(fresh_symbol("n") if (k, axis) in self.varying and n != 1 else n for axis, n in enumerate(shape))
            for k, shape in enumerate(shapes)
        )


class FrequentCalls:
    """The calls of one library function, while none of their kind is compiled."""

    def __init__(self, calls: marking.Calls) -> None:
        self._calls = calls
        self._kinds: dict[Any, _Kind] = {}
        self._served: Served | None = None
        self._recorders: dict[int, Callable[..., Any]] = {}
        self._entries: list[tuple[Entry, _Kind, Specialisation]] = []
        self._lock = threading.Lock()

    def __call__(self, *args: Any, **keywords: Any) -> Any:
        if dialects.known:
            constructing.vet(self._calls.function, args, keywords)
        made = self._calls.plain(*args, **keywords)
        if settings.jit and not tape.recording():
            self._note(args, keywords)
        return made

    def _note(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
        """Count a call, and compile its kind if that has come often."""
        found = self._kind_of(args, keywords)
        if found is None or not self._lock.acquire(blocking=False):
            return
        try:
            key, shapes = found
            kind = self._kinds.get(key)
            if kind is None:
                if len(self._kinds) >= _MOST_KINDS:
                    del self._kinds[next(iter(self._kinds))]
                kind = self._kinds[key] = _Kind(shapes)
            if kind.closed:
                return
            kind.note(shapes)
            if kind.waiting >= (FEW_CALLS if len(self._entries) < _MOST_ENTRIES else _MANY_CALLS):
                kind.waiting = 0
                carried(lambda: self._compile(kind, shapes, args, keywords))
        finally:
            self._lock.release()

    def _kind_of(self, args: Sequence[Any], keywords: Mapping[str, Any]) -> tuple[Any, Shapes] | None:
        """The kind of a call, if it can be told by types and values, and its extents."""
        try:
            call = Call.of(args, keywords)
        except PastWordError:
            return None
        except RecursionError as error:
            if is_from_handler(error):
                raise
            return None
        if call.has_objects or len(call.key) > _MOST_PARTS or any(is_by_identity(k, DType | type) for k in call.key):
            return None
        numbers = () if self._calls.operands else tuple(repr(value) for _, value in numbers_in(args, keywords))
        return (tuple(keywords), numbers, *call.key), tuple(call.shapes)

    def _compile(self, kind: _Kind, shapes: Shapes, args: Sequence[Any], keywords: Mapping[str, Any]) -> None:
        from jitcore.runtime import frequent_entries

        if any(m.fits(shapes) and m.inputs(args, keywords) is not None for m in kind.members):
            # it was not served for a reason of the moment: a gradient in another thread, a result that is a view
            return
        self._served = self._served or frequent_entries.served(self)
        if self._served is None:
            kind.refused = True
            return
        numbers = None if self._calls.operands else numbers_in(args, keywords)
        pattern = kind.pattern(shapes)
        made = frequent_entries.entry(self._calls, pattern, shapes, args, keywords, numbers, self._recorders)
        if made is None:
            kind.refused = True
            return
        member, entry = made
        kind.members.append(member)
        self._entries.insert(0, (entry, kind, member))
        for _, old, program in self._entries[_MOST_ENTRIES:]:
            old.members.remove(program)
        del self._entries[_MOST_ENTRIES:]
        frequent_entries.publish(self._served, [entry for entry, _, _ in self._entries])
        self._calls.serve = self._served


_KNOWN: Final = frozenset([*NUMBERS, str, bytes])


def numbers_in(args: Sequence[Any], keywords: Mapping[str, Any]) -> list[tuple[Path, Any]]:
    """The Python numbers (and strings) among the arguments, those in containers too, and where they are."""
    found: list[tuple[Path, Any]] = []

    def look(path: Path, value: Any) -> None:
        if type(value) in _KNOWN:
            found.append((path, value))
        elif isinstance(value, tuple | list):
            for k, item in enumerate(cast("Sequence[Any]", value)):
                look((*path, ("item", k)), item)
        elif isinstance(value, dict):
            for key, item in cast("dict[Any, Any]", value).items():
                look((*path, ("item", key)), item)

    for k, value in (*enumerate(args), *keywords.items()):
        look(("arg", k), value)
    return found
