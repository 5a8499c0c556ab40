"""How much work of inference is done again: counted, so that every program gets the same answer on every machine, and
limited.

The first run of a graph of the source in a layer is not counted, however long the program is and however many layers it
has: only what is run again is, in restarts, further specialisations of a function, rounds of a loop worked out one by
one, and rounds in which types are found. Past the limit the smallest part of the program in which most of it was done
is refused (`TooDearError`).
"""

from __future__ import annotations

from collections.abc import Generator, Iterable, Sequence
from contextlib import contextmanager
from types import CodeType
from typing import TYPE_CHECKING, Any, Final

from jitcore.ir.nodes import Graph
from jitcore.passes.infer.domain.forms import CompositeForm, Form, ListForm, MaybeForm, UnionForm
from jitcore.passes.infer.domain.values import Array, Reference, Static, Tuple, Value
from jitcore.source import NOWHERE, Problem, Span, TooDearError
from jitcore.structs import dataclass, field

if TYPE_CHECKING:
    from jitcore.passes.infer.domain.heap import Heap

LIMIT: Final = 80_000
"""The most units of work done again: bindings evaluated (12 to 15 µs each), and primitives emitted, which count three
times. So inference takes about 1.3 s at most before a program is refused, and a program of rounds below it 2.5 s in all
(measured, 2026)."""
_EMITTED: Final = 3
TIMES_OVER: Final = 40
"""A long program may do more again: its source, and each of its layers, this many times."""
KEPT: Final = 4_000
"""The most operations that may be left, when a program has been optimised, of one that was worked out again: LLVM takes
some 0.9 ms for each (measured, 2026)."""
TIMES_KEPT: Final = 8
"""A long program may leave more: so many for each binding of its source, in each of its layers."""
_MOST_GROWN: Final = 400
_MOST_LEAVES: Final = 64
"""Of a tuple that are looked at for layers."""


@dataclass(slots=True, eq=False)
class Part:
    """A call, loop or operation that is being worked out, and how much had been done again when that began."""

    kind: str
    span: Span
    place: Any
    graph: Graph | None = None
    name: str = ""
    code: CodeType | None = None
    started: int = 0


@dataclass(slots=True, eq=False)
class Budget:
    """The work of one compilation, over all the attempts at inferring it."""

    limit: int = LIMIT
    first: int = 0
    """Work done for the first time."""
    again: int = 0
    attempts: int = 0
    span: Span = NOWHERE
    is_renewed: bool = False
    is_again: bool = False
    """Whether what is being run was run before."""
    seen: set[tuple[Graph, Any]] = field(default_factory=set[tuple[Graph, Any]])
    parts: list[Part] = field(default_factory=list[Part])
    """What is being worked out, outermost first."""
    spent: dict[Any, tuple[Part, int]] = field(default_factory=dict[Any, "tuple[Part, int]"])
    """By the kind and place of a part, itself and what was done again in it earlier."""
    specialised: dict[Graph, int] = field(default_factory=dict[Graph, int])
    rounds: dict[Any, int] = field(default_factory=dict[Any, int])
    """By the place of a loop, how many rounds of it were worked out."""

    @property
    def total(self) -> int:
        """All of the work."""
        return self.first + self.again

    def begin(self, span: Span) -> None:
        """An attempt at a function begins, which stands at `span`."""
        self.span = span
        self.attempts += 1
        self.parts.clear()
        self.is_again = False

    def renew(self) -> bool:
        """Begin to count anew, with half as much, as may be done once; whether it has been done."""
        if self.is_renewed:
            return False
        self.is_renewed = True
        self.limit //= 2
        self.first = self.again = 0
        for held in (self.seen, self.spent, self.specialised, self.rounds):
            held.clear()
        return True

    def run(self, graph: Graph, layer: Any) -> None:
        """A graph of the source is run, in a layer."""
        key = (graph, layer)
        self.is_again = key in self.seen
        self.seen.add(key)
        self._count(1 + len(graph.body))

    def round(self) -> None:
        """A round of the innermost loop that is unrolled begins."""
        place = next(p.place for p in reversed(self.parts) if p.kind == ROUNDS)
        self.rounds[place] = self.rounds.get(place, 0) + 1

    def emitted(self) -> None:
        """A primitive was appended to a graph."""
        self._count(_EMITTED)

    def passed(self, *found: Form | None) -> bool:
        """Values of these forms are passed to a round of what is run until its types settle. Whether they may: types
        that hold themselves grow in each round, many times over if they do so several times."""
        size = _size(found, _MOST_GROWN)
        is_again, self.is_again = self.is_again, True
        self._count(size)
        self.is_again = is_again
        return size <= _MOST_GROWN

    def compared(self, form: Form) -> None:
        """An item of a list is compared with the others: one that is deep in containers as often as it has parts."""
        self._count(_size((form,), _MOST_GROWN))

    def kept(self, count: int) -> None:
        """So many operations are left of the program. Raises TooDearError where they are too many for LLVM because much
        was done again: at the smallest part in which most of that was."""
        if count <= KEPT or count <= TIMES_KEPT * self.first:
            return
        parts = [(done, part) for part, done in self.spent.values() if done > self.again // 2]
        if not parts:
            return
        part = min(parts, key=lambda found: found[0])[1]
        message, hint = self._told(part)
        raise TooDearError(Problem(part.span, f"too dear to compile: {message}, {count:,} operations in all", hint))

    def _count(self, work: int) -> None:
        if not self.is_again:
            self.first += work
            return
        self.again += work
        if self.again > self.limit and self.again > TIMES_OVER * self.first * self.limit // LIMIT:
            raise self._exceeded()

    @contextmanager
    def part(
        self,
        kind: str,
        span: Span,
        place: Any,
        graph: Graph | None = None,
        name: str = "",
        code: CodeType | None = None,
    ) -> Generator[Part]:
        """Note what is being worked out meanwhile."""
        made = Part(kind, span, place, graph, name, code, self.again)
        self.parts.append(made)
        if kind == SPECIALISED and graph is not None:
            self.specialised[graph] = self.specialised.get(graph, 0) + 1
        try:
            yield made
        finally:
            self.parts.pop()
            done = self.again - made.started
            if done > self.limit >> 6:
                self.spent[kind, place] = made, self._spent(made) + done

    def _exceeded(self) -> TooDearError:
        """The error, at the smallest part in which most was done again."""
        whole = Part(CALL, self.span, ())
        parts = self.parts if self.parts and self.parts[0].kind == SPECIALISED else self.parts[1:]
        part = [whole, *(p for p in parts if self._done_in(p) > self.limit // 2)][-1]
        part = self._outermost(part)
        message, hint = self._told(part)
        inside = self.parts[self.parts.index(part) :] if part in self.parts else ()
        callees = [p.code for p in inside if p.code is not None]
        is_whole = part is self.parts[0]
        return TooDearError(
            Problem(part.span, f"too dear to compile: {message}", hint), is_whole=is_whole, callees=callees
        )

    def _outermost(self, part: Part) -> Part:
        """Of the calls of functions by themselves, or by each other, the first."""
        if part.graph is None:
            return part
        calls = [p for p in self.parts if p.graph is not None]
        first = next(k for k, p in enumerate(calls) if p.graph is part.graph)
        while (before := next((k for k in range(first) if _recurs(calls[k], calls[first:])), None)) is not None:
            first = before
        return calls[first]

    def _done_in(self, part: Part) -> int:
        return self._spent(part) + self.again - part.started

    def _spent(self, part: Part) -> int:
        return self.spent.get((part.kind, part.place), (part, 0))[1]

    def _told(self, part: Part) -> tuple[str, str]:
        """What to say of a part, and what to write instead."""
        count = 0 if part.graph is None else self.specialised[part.graph]
        if count > _FEW:
            return (
                f"{part.name} was specialised {count:,} times, for ever other forms of its arguments",
                "arguments whose types, lengths and nesting stay the same, arrays, or a loop",
            )
        if part.kind == ROUNDS:
            return (
                f"this loop was worked out round by round: {self.rounds[part.place]:,} rounds",
                "a loop over a range or an array",
            )
        if part.kind == KINDS:
            return (
                "this was worked out for each of the kinds that its operands may be of",
                "values of one type on all paths",
            )
        times = max(2, self.again // max(self.first, 1))
        what = _WHAT[part.kind] if part in self.parts else "function does"
        return (
            f"what this {what} was worked out {times:,} times over, in {self.attempts} attempts",
            "less in one function: fewer nested loops, branches and calls",
        )


CALL: Final = "call"
SPECIALISED: Final = "specialised"
ROUNDS: Final = "rounds"
LOOP: Final = "loop"
TRY: Final = "try"
KINDS: Final = "kinds"
_WHAT: Final = {CALL: "call leads to", SPECIALISED: "call leads to", LOOP: "loop does", TRY: "`try` does"}
_FEW: Final = 8


def _size(found: Iterable[Form | None], most: int) -> int:
    """How many forms there are in forms, counted up to a number."""
    count, waiting = 0, [form for form in found if form is not None]
    while waiting and count <= most:
        form = waiting.pop()
        count += 1
        match form:
            case CompositeForm():
                waiting.extend(form.items)
            case UnionForm():
                waiting.extend(form.members)
            case MaybeForm():
                waiting.append(form.form)
            case ListForm() if form.element is not None:
                waiting.append(form.element)
            case _:
                pass
    return count


def _recurs(part: Part, inside: Sequence[Part]) -> bool:
    return any(p.graph is part.graph for p in inside)


def layer_of(heap: Heap, values: Sequence[Value]) -> Any:
    """What makes a call one of a layer: the Cells, and the arrays of the code outside, among its arguments; None if
    there are none."""
    found = tuple(_layers(heap, values, [_MOST_LEAVES]))
    return found or None


def _layers(heap: Heap, values: Iterable[Value], left: list[int]) -> Generator[Any]:
    for value in values:
        left[0] -= 1
        if left[0] < 0:
            return
        match value:
            case Static() if hasattr(type(value.value), "__jitcore_call__"):
                yield id(value.value)
            case Array() if value.path is not None:
                yield value.path
            case Tuple():
                yield from _layers(heap, value.items, left)
            case Reference() if value.path is not None and isinstance(held := heap.state.get(value.key), tuple):
                yield from _layers(heap, held, left)
            case _:
                pass
