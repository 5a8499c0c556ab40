"""Where things stand in the user's source: spans, excerpts with carets, and the errors that show them."""

from __future__ import annotations

import linecache
from collections.abc import Iterable, Iterator, Sequence
from types import CodeType

from jitcore.codes import INTERNAL, code_of
from jitcore.structs import dataclass, field


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a source file. Lines count from 1, columns from 0 (in characters), the end is exclusive.

    `caller` is the span of the call this code was inlined through, if it was; `function` the name of
    the function it stands in, as a traceback would show it. Where it is a call of a Cell from another, `cell` says
    which: its name in that, a colon, its class.
    """

    file: str
    line: int
    column: int
    end_line: int
    end_column: int
    function: str = "<module>"
    caller: Span | None = None
    cell: str = field(default="", compare=False)

    def __str__(self) -> str:
        return f"{self.file}:{self.line}:{self.column}-{self.end_line}:{self.end_column}"

    def called_from(self, caller: Span) -> Span:
        """This span as reached through a call at `caller` (which itself may have callers)."""
        if self.caller is not None:
            caller = self.caller.called_from(caller)
        return Span(self.file, self.line, self.column, self.end_line, self.end_column, self.function, caller, self.cell)

    def frames(self) -> Iterator[Span]:
        """This span and its callers, innermost first."""
        span: Span | None = self
        while span is not None:
            yield span
            span = span.caller

    def excerpt(self) -> str:
        """The source line with carets under the span, as a traceback shows it; empty if not to be found."""
        line = linecache.getline(self.file, self.line).rstrip("\n")
        if not line.strip():
            return ""
        stripped = line.lstrip()
        indent = len(line) - len(stripped)
        end = self.end_column if self.end_line == self.line else len(line)
        start = max(self.column - indent, 0)
        return f"    {stripped}\n    {' ' * start}{'^' * max(end - max(self.column, indent), 1)}"


NOWHERE = Span("<jitcore>", 0, 0, 0, 0, "<jitcore>")
"""The span of code that no user wrote (a test's graph, an operator compiled on its own)."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One thing wrong with a program: where, what and why, and what to write instead. Its text has the code of its kind
    (`jitcore.codes`)."""

    span: Span
    message: str
    hint: str = ""
    notes: Sequence[tuple[Span, str]] = field(default=())
    is_meant: bool = False
    """Whether it is what the interpreter does between compiled parts: nothing that the user is to be told of."""

    @property
    def code(self) -> str:
        """The code of its kind."""
        return code_of(self.message)

    def __str__(self) -> str:
        lines = [f'  File "{self.span.file}", line {self.span.line}, in {self.span.function}', self.span.excerpt()]
        lines.append(f"  {self.message} [{self.code}]")
        if self.hint:
            lines.append(f"  instead: {self.hint}")
        for caller in (s.caller for s in self.span.frames()):
            if caller is not None:
                lines.append(f'  called from "{caller.file}", line {caller.line}, in {caller.function}')
        for span, note in self.notes:
            lines.append(f"  {note} ({span.file}:{span.line}:{span.column})")
        return "\n".join(line for line in lines if line)


class CompileError(Exception):
    """The program cannot be compiled; `problems` says where and why, all of them at once."""

    def __init__(self, problems: Sequence[Problem], headline: str = "cannot be compiled") -> None:
        self.problems = tuple(problems)
        self.headline = headline
        count = len(self.problems)
        many = f" ({count} problems)" if count > 1 else ""
        super().__init__(f"{headline}{many}:\n" + "\n".join(map(str, self.problems)))

    @property
    def is_meant(self) -> bool:
        """Whether all that is wrong is what the interpreter does between compiled parts."""
        return bool(self.problems) and all(problem.is_meant for problem in self.problems)


class RaceError(Exception):
    """Rounds of a loop over `prange` depend on one another; `problems` says how, all of them at once. No CompileError:
    the interpreter is not to run the loop in its place."""

    def __init__(self, problems: Sequence[Problem]) -> None:
        self.problems = tuple(problems)
        super().__init__("the rounds of a loop over prange depend on one another:\n" + "\n".join(map(str, problems)))


class UnsupportedError(CompileError):
    """The program uses language that graph mode does not compile."""


class TooDearError(CompileError):
    """Compiling would take too long. `is_whole`: nothing smaller can be left to the interpreter than the whole
    function; `callees`: the code of the functions that are not to be compiled by themselves either."""

    def __init__(self, problem: Problem, *, is_whole: bool = False, callees: Iterable[CodeType] = ()) -> None:
        super().__init__([problem])
        self.is_whole = is_whole
        self.callees = frozenset(callees)


class InternalError(Exception):
    """jitcore broke one of its own rules: a bug in jitcore, not in the user's program."""

    def __str__(self) -> str:
        message, line_end, rest = super().__str__().partition("\n")
        return f"{message} [{INTERNAL}]{line_end}{rest}"
