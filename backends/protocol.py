"""What a backend is: it turns programs (or graphs) into something callable."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Protocol, TypeAlias

import numpy as np
import numpy.typing as npt

from jitcore.program.libraries import Library
from jitcore.program.nodes import ErrorSite, Program, While
from jitcore.signature.steps import EntryPlan
from jitcore.source import Span
from jitcore.structs import dataclass
from jitcore.types import DType

Words = npt.NDArray[np.uint64]
"""Of 8 bytes: a number, or a part of an array's description."""


MarkedLine: TypeAlias = "tuple[str, frozenset[int]]"
"""A line of a stage's text, and the marks of what it was written for."""


@dataclass(frozen=True, slots=True)
class Passed:
    """A place on the way of an exception outwards: a call of a function of the program that it came out of, or a
    `raise` that raised it again."""

    span: Span
    raised_again: bool


class ProgramError(Exception):
    """A program ended at an error site; `values` go into its message. The runtime turns it into the user's exception.

    `handled` is what was being handled there, from the innermost `try` outwards; `way` are the places that it came to,
    the innermost first; `caught_at` is where the `try` stands that caught it, if one did."""

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


class Suspended(Protocol):
    """What a program has on a stack, for another one to go on with. It is freed with this, if none has."""

    @property
    def is_used(self) -> bool:
        """Whether a program has gone on with it."""
        ...


class LoadedProgram(Protocol):
    """A program made runnable: its code is there as long as this is held."""

    @property
    def program(self) -> Program:
        """What it is made of."""
        ...

    @property
    def texts(self) -> Mapping[str, Callable[[], str]]:
        """The stages it went through (`llvm`, `asm`), as functions so that they cost nothing unless asked."""
        ...

    @property
    def kept(self) -> tuple[int, int]:
        """How many parts its code has, and how many of them came from the cache."""
        ...

    @property
    def is_settled(self) -> bool:
        """Whether its code stays what it is; until then it is to be run by `run` and `start` alone."""
        ...

    def run(self, in_words: Words, after: Suspended | None = None) -> Words:
        """Run it, without the GIL, on words laid out as `program.nodes` says; `after`: on what another one left on a
        stack, which can be done once.

        Raises ProgramError where it ended at an error site; its `__cause__` is the exception that a host call or a
        signal's handler raised, if it was that."""
        ...

    def start(self, in_words: Words) -> tuple[Words, Suspended]:
        """Run one that leaves a stack (`Program.suspends`): its results, and what it leaves."""
        ...

    def failed(self, context: int) -> ProgramError:
        """Why a native call failed, by the address of its context."""
        ...


@dataclass(frozen=True, slots=True)
class KernelForm:
    """How a kernel runs: on vectors of so many elements, `lanes` (1: none), and whether `threads` share its work, which
    for None the extents of a call decide."""

    lanes: int
    threads: bool | None


class Entry(Protocol):
    """What serves the calls of one specialisation."""

    @property
    def calls(self) -> int:
        """How many calls it has served."""
        ...


@dataclass(frozen=True, slots=True)
class Surroundings:
    """What native calls need to know of the layer above.

    `is_from_handler` says whether a signal's handler raised an exception. `tensor` has the slots `_array`, `_storage`,
    `_view` (None, or a tuple whose first item is the Tensor that this one is a view of) and `_history`, `storage` the
    slot `version`. Calls with a Tensor whose history, or that of what it is a view of, is not None are not made
    natively. `slow_path` is the name of the method that is a call in Python. Native calls are made only while each of
    `switches`, a slot of an object, is True.
    """

    tensor: type
    storage: type
    slow_path: str
    is_from_handler: Callable[[BaseException], bool]
    switches: tuple[tuple[Any, str], ...]


class NativeCalls(Protocol):
    """A type of callables whose calls native code serves: it derives from a class without slots of its own, whose
    methods it has."""

    @property
    def type(self) -> type[Any]:
        """The type."""
        ...

    def over(self, base: type[Any]) -> NativeCalls:
        """The same over another class."""
        ...

    def publish(self, function: Any, entries: Sequence[Entry]) -> None:
        """Have the calls of an instance served by entries, in the order they are tried. Calls under way end as they
        began."""
        ...


class Backend(Protocol):
    """What each folder of this package exports as BACKEND."""

    name: str
    memory: str
    """Where its kernels work: `program.nodes.HOST`, or a memory of its own."""

    def begin(self, program: Program) -> Callable[[], LoadedProgram]:
        """Begin to make a program runnable, as far as other threads do it; the result is called once, and waits for the
        rest."""
        ...

    def load(self, program: Program, *, keep: bool = False) -> LoadedProgram:
        """Compile a program for this process; with `keep`, what is made is kept for later processes in any case."""
        ...

    def form(self, program: Program, kernel: str) -> KernelForm:
        """How a kernel of a program runs, by its name."""
        ...

    def may_vectorise(self, loop: While) -> bool:
        """Whether a loop over numbers is of the kind that may do several rounds at once, on vectors; whether it does is
        for the compiler of machine code to find."""
        ...

    def prepare(self, contracted: Iterable[DType]) -> None:
        """A program is coming that has sums of products of these dtypes (matrix products, convolutions): what it will
        need besides can be made meanwhile."""
        ...

    def library(self, wanted: Library, target: str) -> bytes:
        """The object code of a library that needs nothing but the C library, for a machine: `native`, or the name of a
        kind. Raises ValueError for what it cannot be made of, and for kinds that it does not know."""
        ...

    def marked(
        self, program: Program, statements: Mapping[int, int], kernels: Mapping[str, frozenset[int]]
    ) -> Mapping[str, Sequence[MarkedLine]]:
        """The stages it goes through, made anew, of which each line says what it was written for: the marks of
        statements, by their ids, and of kernels, by their names."""
        ...

    def entry(self, loaded: LoadedProgram, plan: EntryPlan) -> Entry | None:
        """What serves calls by a program of this backend; None if their frame would be too large."""
        ...

    def native_calls(self, base: type[Any], surroundings: Surroundings) -> NativeCalls | None:
        """The type of native calls over a class, made anew; None where the interpreter or NumPy is not as it must be
        for that."""
        ...

    def prepare_native_calls(self, surroundings: Surroundings) -> None:
        """Native calls will be asked for soon."""
        ...

    def holder(self, owner: int, interface: dict[str, Any]) -> Any:
        """What has NumPy make an array (`asarray`) over a block that a program left, of which it holds the caller's
        reference."""
        ...
