"""What a backend is: it turns programs (or graphs) into something callable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol

from jitcore.program.nodes import ErrorSite, Program
from jitcore.source import Span
from jitcore.structs import dataclass
from jitcore.types import DType


@dataclass(frozen=True, slots=True)
class LoadedProgram:
    """A program made runnable.

    `run_address` is a C function `int32 run(ctx*, const word* in, word* out)`: 0, or 1 when it ended in an error
    described by the context (see `backends.native.host.runtime`). `texts` has the stages it went through
    (`llvm`, `asm`), as functions so that they cost nothing unless asked.
    """

    program: Program
    run_address: int
    texts: Mapping[str, Callable[[], str]]
    keep_alive: Any = None


@dataclass(frozen=True, slots=True)
class Passed:
    """A place on the way of an exception outwards: a call of a function of the program that it came out of, or a `raise` that
    raised it again."""

    span: Span
    raised_again: bool


class ProgramError(Exception):
    """A program ended at an error site; `values` go into its message. The runtime turns it into the user's exception.

    `handled` is what was being handled there, from the innermost `try` outwards; `way` are the places that it came to, the
    innermost first; `caught_at` is where the `try` stands that caught it, if one did."""

    def __init__(
        self,
        site: ErrorSite,
        values: tuple[int | float, ...],
        handled: tuple[ProgramError, ...] = (),
        way: Sequence[Passed] = (),
        caught_at: Span | None = None,
    ) -> None:
        super().__init__(site.message.format(*values))
        self.site = site
        self.values = values
        self.handled = handled
        self.way = tuple(way)
        self.caught_at = caught_at


class Backend(Protocol):
    """What each folder of this package exports as BACKEND."""

    name: str

    def load(self, program: Program, *, keep: bool = False) -> LoadedProgram:
        """Compile a program for this process; with `keep`, what is made is kept for later processes in any case."""
        ...

    def prepare(self, contracted: Iterable[DType]) -> None:
        """A program is coming that has sums of products of these dtypes (matrix products, convolutions): what it will need besides can
        be made meanwhile."""
        ...
