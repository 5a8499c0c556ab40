"""From paths to findings: which files are meant, how they are read, and everything wrong with one."""

from __future__ import annotations

import ast
import io
import tokenize
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Final

from jitcore.check.compiled import EVERYTHING, Compiled, compiled_functions
from jitcore.check.names import names_of
from jitcore.check.refusals import ERROR, Finding, findings_of, inferred_of
from jitcore.check.seen_calls import Unseen
from jitcore.frontend.files import SourceFile
from jitcore.frontend.recursion import deeply
from jitcore.source import Problem, Span
from jitcore.structs import dataclass

_NOT_PROGRAMS: Final = frozenset({"__pycache__", "node_modules", "site-packages"})


class UnreadableError(Exception):
    """A path that cannot be read, with the reason."""


@dataclass(frozen=True, slots=True, eq=False)
class Checked:
    """A file that was checked: the functions of it that are compiled, its lines, and everything wrong with it."""

    path: Path
    compiled: list[Compiled]
    findings: list[Finding]
    lines: list[str]
    unseen: Sequence[Unseen] = ()
    """The functions that were checked by their text alone."""

    @property
    def errors(self) -> int:
        return sum(f.level == ERROR for f in self.findings)


def files_of(paths: Iterable[Path]) -> Iterator[Path]:
    """The files meant by paths, each once: of a folder, all Python files below it but those of installed packages.

    Raises UnreadableError for a path that is not there.
    """
    seen: set[Path] = set()
    for path in paths:
        if not path.exists():
            raise UnreadableError(f"cannot read {str(path)!r}: No such file or directory")
        for file in _below(path) if path.is_dir() else [path]:
            if file.resolve() not in seen:
                seen.add(file.resolve())
                yield file


def _below(folder: Path) -> Iterator[Path]:
    for path in sorted(folder.iterdir()):
        if path.is_dir():
            skipped = path.name.startswith(".") or path.name in _NOT_PROGRAMS or (path / "pyvenv.cfg").exists()
            if not skipped and not path.is_symlink():
                yield from _below(path)
        elif path.suffix == ".py":
            yield path


def check_file(path: Path, everything: bool = False, function: str | None = None) -> Checked:
    """Everything that would be refused of a file's compiled functions: of those of a name, of every function.

    Raises UnreadableError if the file cannot be read.
    """
    try:
        content = path.read_bytes()
    except OSError as error:
        raise UnreadableError(f"cannot read {str(path)!r}: {error.strerror}") from None
    try:
        text = _decoded(content)
        tree = deeply(lambda: ast.parse(text, str(path)))
    except SyntaxError as error:
        return _unparsed(path, error.msg, error.lineno or 1, error.offset or 1, error.end_lineno, error.end_offset)
    except ValueError as error:  # a null byte, for Python 3.11
        return _unparsed(path, str(error), 1, 1)
    except (RecursionError, MemoryError):
        return _unparsed(path, "it nests too deeply to be parsed", 1, 1)
    lines = text.replace("\r\n", "\n").replace("\r", "\n").split("\n")
    source = SourceFile(str(path), lines, lines, tree, frozenset(), text.isascii())
    return deeply(lambda: _checked(path, source, everything, function))


def _decoded(content: bytes) -> str:
    """A file's text, decoded as the parser does. Raises SyntaxError."""
    encoding, _ = tokenize.detect_encoding(io.BytesIO(content).readline)
    try:
        return content.decode(encoding)
    except UnicodeDecodeError as error:
        line = content.count(b"\n", 0, error.start) + 1
        message = f"(unicode error) {encoding!r} codec can't decode byte 0x{content[error.start]:02x}: {error.reason}"
        raise SyntaxError(message, (None, line, 1, None)) from None


def _checked(path: Path, source: SourceFile, everything: bool, function: str | None) -> Checked:
    names = names_of(source.tree)
    compiled = compiled_functions(names, everything)
    if function is not None:
        compiled = [c for c in compiled if any(function in (d.definition.name, d.name) for d in _callers(c))]
    findings = [finding for c in compiled for finding in findings_of(source, names, c)]
    unseen: list[Unseen] = []
    for c in compiled:
        if c.caller is None and c.reason != EVERYTHING:
            findings += inferred_of(source, names, c, findings, unseen)
    findings.sort(key=lambda f: (f.problem.span.line, f.problem.span.column))
    return Checked(path, compiled, findings, source.lines, unseen)


def _callers(compiled: Compiled) -> Iterator[Compiled]:
    """A function, and those it is compiled for the sake of."""
    made: Compiled | None = compiled
    while made is not None:
        yield made
        made = made.caller


def _unparsed(
    path: Path, message: str, line: int, column: int, end_line: int | None = None, end_column: int | None = None
) -> Checked:
    """A file with a syntax error (columns from 1, as SyntaxError has them)."""
    last = end_line if end_line else line
    end = end_column - 1 if end_column and last == line else column
    span = Span(str(path), line, max(column - 1, 0), last, max(end, column), "<module>")
    problem = Problem(span, f"syntax error: {message}", "mend the syntax: nothing else of the file was checked")
    try:
        lines = path.read_text(encoding="utf-8", errors="replace").split("\n")
    except OSError:
        lines = []
    return Checked(path, [], [Finding("syntax-error", ERROR, problem)], lines)
