"""What a backend is: it turns programs (or graphs) into something callable."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from jitcore.program.nodes import ErrorSite, Program
from jitcore.structs import dataclass


@dataclass(frozen=True, slots=True)
class LoadedProgram:
    """A program made runnable.

    `run_address` is a C function `int32 run(ctx*, const word* in, word* out)`: 0, or 1 when it ended in an error
    described by the context (see `backends.llvm.runtime`). `texts` has the stages it went through
    (`llvm`, `asm`), as functions so that they cost nothing unless asked.
    """

    program: Program
    run_address: int
    texts: Mapping[str, Callable[[], str]]
    keep_alive: Any = None


class ProgramError(Exception):
    """A program ended at an error site; `values` go into its message. The runtime turns it into the user's exception.

    `handled` is what was being handled there, from the innermost `try` outwards."""

    def __init__(
        self, site: ErrorSite, values: tuple[int | float, ...], handled: tuple[ProgramError, ...] = ()
    ) -> None:
        super().__init__(site.message.format(*values))
        self.site = site
        self.values = values
        self.handled = handled


class Backend(Protocol):
    """What each folder of this package exports as BACKEND."""

    name: str

    def load(self, program: Program) -> LoadedProgram:
        """Compile a program for this process."""
        ...
