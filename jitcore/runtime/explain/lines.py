"""How each line of the source runs: natively, on vectors, on threads, in Python; and what it costs.

    for info in lines(specialisation):                    # of `CompiledFunction.specialisations`
        print(info.line, info.vectorised, info.called_out, info.flops)

A line is that of the user's file in which an operation stands, be it in a function that was inlined: what jitcore's own
code does for it counts for it. The cost of a kernel that computes several operations is shared out evenly among them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import TYPE_CHECKING, TypeAlias

from jitcore.backends import lookup
from jitcore.backends.protocol import KernelForm
from jitcore.config import settings
from jitcore.kernel.cost import Cost
from jitcore.primitives.ops.conversions import Raising
from jitcore.program.cost import Count, count
from jitcore.program.nodes import Alloc, Block, Check, ErrorSite, Host, Launch, Move, Poll, Program, While
from jitcore.program.walk import blocks_of
from jitcore.runtime.errors import is_ours
from jitcore.source import NOWHERE, Span
from jitcore.structs import dataclass, field

if TYPE_CHECKING:
    from jitcore.runtime.regions import Region
    from jitcore.runtime.specialisation import Specialisation

Place: TypeAlias = "tuple[str, int]"
"""A file and a line."""


@dataclass(slots=True, eq=False)
class LineInfo:
    """How a line runs. What several specialisations, or passes (a gradient's way back), do for it is together."""

    file: str
    line: int
    native: bool = False
    """Whether something of it runs in machine code."""
    interpreted: str = ""
    """Why something of it runs in the interpreter; empty if nothing does."""
    kernels: list[str] = field(default_factory=list[str])
    """The kernels that compute something of it: loops over arrays."""
    vectorised: bool | None = False
    """Whether a kernel of it works on vectors; None: a loop over numbers is one that LLVM may put on vectors."""
    threaded: bool | None = False
    """Whether threads share a kernel's work; None: where extents are large enough."""
    called_out: list[str] = field(default_factory=list[str])
    """What is called in Python for it, by the names that users know."""
    checks: list[str] = field(default_factory=list[str])
    """The exceptions that checks in the code can raise there."""
    allocations: int = 0
    """Places in the code that allocate memory for it."""
    flops: int = 0
    """Floating-point operations in a call, as far as they are known (`program.cost`)."""
    read: int = 0
    """Bytes read from arrays in a call."""
    written: int = 0
    """Bytes written to arrays in a call."""
    is_exact: bool = True
    """Whether `flops` and bytes are all; else they are a lower bound, since an extent or a branch is not known."""

    @property
    def bytes(self) -> int:
        """Read and written."""
        return self.read + self.written


def place_of(span: Span) -> Place | None:
    """The line of the user's that an operation belongs to: the innermost one in a file that is not jitcore's."""
    found = next((s for s in span.frames() if s is not NOWHERE and not is_ours(s.file)), None)
    return None if found is None else (found.file, found.line)


def raised_by(site: ErrorSite) -> str:
    """What a failed check raises, as text."""
    parts: tuple[object, ...] = (site.exception, site.message)
    for made in parts:
        if isinstance(made, Raising):
            return str(getattr(made.kind, "__name__", type(made.kind).__name__))
        if isinstance(made, type):
            return made.__name__
    return f"{site.exception}: {site.message}" if site.message else site.exception


def lines(member: Specialisation, words: Sequence[int] | None = None) -> list[LineInfo]:
    """How the lines run that a specialisation is made of, in their order. `words`: the arguments of the call whose cost
    is meant, as programs take them (`packing`); without them, costs that depend on a call's numbers are not known."""
    found = _Lines()
    for name, code in member.codes:
        found.add(code.program, words if name == "call" else None)
    return found.sorted()


def lines_of(members: Iterable[Specialisation], regions: Iterable[Region] = ()) -> list[LineInfo]:
    """The same of several specialisations, with what the interpreter runs between them."""
    found = _Lines()
    for member in members:
        for _, code in member.codes:
            found.add(code.program, None)
    for region in regions:
        found.interpreted(region)
    return found.sorted()


def lines_of_program(program: Program) -> list[LineInfo]:
    """The same of one program."""
    found = _Lines()
    found.add(program, None)
    return found.sorted()


class _Lines:
    def __init__(self) -> None:
        self._known: dict[Place, LineInfo] = {}

    def sorted(self) -> list[LineInfo]:
        """All lines."""
        return [self._known[place] for place in sorted(self._known)]

    def at(self, span: Span) -> LineInfo | None:
        """The line of an operation."""
        place = place_of(span)
        return None if place is None else self._known.setdefault(place, LineInfo(*place))

    def interpreted(self, region: Region) -> None:
        """Add lines that the interpreter runs."""
        spans = [list(p.span.frames())[-1] for p in region.problems]  # in the function, whatever that called
        why = "; ".join(dict.fromkeys(p.message for p in region.problems))
        for line in range(region.first, region.last + 1):
            for file in dict.fromkeys(s.file for s in spans):
                self._known.setdefault((file, line), LineInfo(file, line)).interpreted = why

    def add(self, program: Program, words: Sequence[int] | None) -> None:
        """Add what a program does."""
        form, may_vectorise = _forms(program), lookup(settings.device_target).may_vectorise
        for function in program.functions.values():
            for statement, span in placed(function.body):
                info = self.at(span)
                if info is None or isinstance(statement, Poll):
                    continue
                info.native = info.native or not isinstance(statement, Host)
                match statement:
                    case Check():
                        _note(info.checks, raised_by(program.sites[statement.site]))
                    case Alloc() | Move():
                        info.allocations += 1
                    case Host():
                        described = program.host_calls[statement.index].described
                        _note(info.called_out, described or program.host_calls[statement.index].operation)
                    case While() if may_vectorise(statement):
                        for _, inside in placed(statement.body, span):
                            self._perhaps_vectorised(inside)
                    case Launch():
                        for place in statement.spans:
                            self._launched(place, statement.kernel, form(statement.kernel))
                    case _:
                        pass
        self._cost(count(program, words))

    def _launched(self, span: Span, kernel: str, form: KernelForm) -> None:
        info = self.at(span)
        if info is not None:
            info.native = True
            _note(info.kernels, kernel)
            info.vectorised = info.vectorised or form.lanes > 1
            info.threaded = info.threaded or (None if info.threaded is None and not form.threads else form.threads)

    def _perhaps_vectorised(self, span: Span) -> None:
        info = self.at(span)
        if info is not None and info.vectorised is False:
            info.vectorised = None

    def _cost(self, counted: Count) -> None:
        for (_, spans), entry in counted.kernels.items():
            self._shared(spans, entry.cost)
        for span, entry in counted.numbers.items():
            self._shared((span,), entry.cost)
        for span in counted.unknown:
            if (info := self.at(span)) is not None:
                info.is_exact = False

    def _shared(self, spans: Sequence[Span], cost: Cost | None) -> None:
        """Share a cost out among places, to the last operation."""
        shares = len(spans)
        for k, span in enumerate(spans):
            info = self.at(span)
            if info is None:
                continue
            if cost is None:
                info.is_exact = False
                continue
            flops, read, written = (
                n * (k + 1) // shares - n * k // shares for n in (cost.flops, cost.read, cost.written)
            )
            info.flops, info.read, info.written = info.flops + flops, info.read + read, info.written + written


def _forms(program: Program) -> Callable[[str], KernelForm]:
    return partial(lookup(settings.device_target).form, program)


def placed(block: Block, around: Span = NOWHERE) -> Iterator[tuple[object, Span]]:
    """The statements of a block and of the blocks nested in it, with where they stand."""
    for statement, span in zip(block.statements, block.spans or (around,) * len(block.statements), strict=True):
        yield statement, span
        for nested in blocks_of(statement):
            yield from placed(nested, span)


def _note(known: list[str], name: str) -> None:
    if name not in known:
        known.append(name)
