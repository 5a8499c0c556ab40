"""The command `jitcore check`: its options, what it prints, and its exit code."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from typing import Final

FORMATS: Final = ("text", "json", "sarif", "github")
EPILOG: Final = (
    "Checked are functions under @jit or @ms_function, construct of Cells, functions given to jit, grad and the like,\n"
    "and what those call in the same file. Calls of functions whose arguments the text tells are inferred as "
    "a run would;\n"
    "which functions have none is said. Nothing is run or imported of the files.\n\n"
    "formats: text for people; json has each file's diagnostics as language servers send them to editors; sarif is\n"
    "for code scanning; github marks the lines of a pull request. A pre-commit hook is in .pre-commit-hooks.yaml.\n\n"
    "exit codes: 0 nothing is refused, 1 something is (warnings aside), 2 a file cannot be read, or the\n"
    "command line is wrong"
)


class CheckError(Exception):
    """A mistake on the command line, or a file that cannot be read."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """The command's options."""
    parser.add_argument("paths", nargs="+", type=Path, metavar="PATH", help="Python files, or folders of them")
    parser.add_argument("--format", choices=FORMATS, default="text", help="how to report (default: %(default)s)")
    parser.add_argument("--function", metavar="NAME", help="only the function of this name, and what it calls")
    parser.add_argument("--all", action="store_true", help="every function, whether or not it is said to be compiled")
    parser.add_argument("-o", "--output", metavar="FILE", type=Path, help="write the report into this file")


def run(options: argparse.Namespace) -> int:
    """Check and report; the exit code. Raises CheckError."""
    from jitcore.check import reports
    from jitcore.check.paths import Checked, UnreadableError, check_file, files_of

    checked: list[Checked] = []
    unreadable: list[str] = []
    try:
        files = list(files_of(options.paths))
    except UnreadableError as error:
        raise CheckError(str(error)) from None
    for file in files:
        try:
            checked.append(check_file(file, options.all, options.function))
        except UnreadableError as error:
            unreadable.append(str(error))
    if options.function is not None and not unreadable and not any(c.compiled or c.findings for c in checked):
        raise CheckError(f"there is no compiled function {options.function!r} (--all checks the others, too)")
    _write(reports.FORMATS[options.format](checked), options.output)
    if unreadable:
        raise CheckError("; ".join(unreadable))
    return 1 if any(c.errors for c in checked) else 0


def _write(report: str, output: Path | None) -> None:
    if output is None:
        sys.stdout.write(report)
        return
    try:
        output.write_text(report, encoding="utf-8")
    except OSError as error:
        raise CheckError(f"cannot write {str(output)!r}: {error.strerror}") from None
