"""Which of Python is compiled, and how: `python -m tests.language_table` compiles a snippet for each construct, and writes
`docs/language.md`.

A snippet is the body of a function; the names in it that are in `GIVEN` are its parameters. What it gives is compared with what
plain Python gives, twice, with other values. If they differ nothing is written, and the process ends with status 1.
"""

from __future__ import annotations

import ast
import contextlib
import copy
import linecache
import re
import sys
import types
import warnings
from collections.abc import Callable, Iterable, Iterator
from contextlib import redirect_stdout
from dataclasses import dataclass
from io import StringIO
from pathlib import Path
from typing import Any

import numpy as np

from jitcore import FallbackWarning, jit
from jitcore.config import LAX, STRICT, settings
from jitcore.runtime.records import keep_records
from jitcore.source import CompileError

DOCUMENT = Path(__file__).parent.parent / "docs" / "language.md"
SNIPPETS = Path(__file__).parent / "language_snippets.txt"
NATIVE, STATIC, REGION = "native", "static", "region"

INTRODUCTION = f"""# The language

Made by `python -m tests.language_table`, which compiles a snippet for each row and compares what it gives with plain Python.

- **{NATIVE}**: compiled, for all values of these types. Where compiled code calls Python all the same (to sort, to draw random numbers, to print), it is one
  call of a C function; a `PerformanceWarning` tells you of such calls in loops.
- **{STATIC}**: compiled for the values at hand. They are part of the program: constants, or an argument, for each value of which it is
  compiled again.
- **{REGION}**: the interpreter runs these lines, and what surrounds them is compiled. The result is the same; a `FallbackWarning` says which lines,
  and the [code](messages.md) why.

Where only the run says the keys of a dict or set, the types of a list's items or how long a string is, all lists, dicts, sets, deques and strings of the function are *containers of the run*. They hold numbers (NumPy's among them),
strings, None, and tuples and containers of those; what they refuse is [J0311](messages.md#J0311), [J0312](messages.md#J0312) and [J0313](messages.md#J0313), and what they cost is in [Performance](performance.md#containers-of-the-run).

What is not in the list is most likely as its neighbour. `jitcore check script.py` says it of a file, `f.explain()` of a function that has run.
"""


@dataclass(frozen=True)
class Snippet:
    """A row of the table: a construct, and a body that uses it."""

    section: str
    construct: str
    body: str


class Differs(Exception):
    """Compiled, a snippet gives something else than in plain Python."""


def snippets() -> list[Snippet]:
    """All of them, in the order of the file."""
    found: list[Snippet] = []
    for section in re.split(r"^# ", SNIPPETS.read_text(encoding="utf-8"), flags=re.MULTILINE)[1:]:
        name, *rows = re.split(r"^## ", section, flags=re.MULTILINE)
        for row in rows:
            construct, _, body = row.partition("\n")
            found.append(Snippet(name.strip(), construct, body.rstrip() + "\n"))
    return found


def prelude() -> str:
    """What stands before the snippets: classes and functions that they use."""
    return SNIPPETS.read_text(encoding="utf-8").partition("\n# ")[0] + "\n"


# --- running a snippet ------------------------------------------------------------------------------------


def given(module: types.ModuleType) -> list[dict[str, Any]]:
    """Arguments by their names, of the same types and shapes each time."""
    point: Any = module.__dict__["Point"]
    return [
        {
            "a": 7, "b": 3, "u": 2.5, "v": 0.5, "xs": [3, 1, 2], "word": "one", "point": point(1, 2),
            "x": np.array([0.5, 2.0, 1.5]), "m": np.array([[2.0, 1.0], [1.0, 3.0]]),
        },
        {
            "a": 6, "b": 4, "u": 1.5, "v": 0.25, "xs": [1, 4, 2], "word": "two", "point": point(3, 4),
            "x": np.array([3.0, 0.25, 1.25]), "m": np.array([[1.0, 1.0], [2.0, 5.0]]),
        },
        {
            "a": 9, "b": 2, "u": 3.25, "v": 1.5, "xs": [2, 2, 5], "word": "owl", "point": point(5, 6),
            "x": np.array([1.0, 1.75, 0.0]), "m": np.array([[3.0, 2.0], [0.5, 4.0]]),
        },
    ]  # fmt: skip


class Program:
    """A snippet as a function of a module of its own, in a file that is there for the compiler."""

    def __init__(self, snippet: Snippet, number: int) -> None:
        self.name = f"<language {number}>"
        self.module = types.ModuleType(f"language_{number}")
        sys.modules[self.module.__name__] = self.module
        self._run(prelude(), f"{self.name} prelude")
        self.arguments = given(self.module)
        read = {n.id for n in ast.walk(ast.parse(f"def f():\n{_indented(snippet.body)}")) if isinstance(n, ast.Name)}
        self.parameters = [name for name in self.arguments[0] if name in read]
        self._run(f"def f({', '.join(self.parameters)}):\n{_indented(snippet.body)}", self.name)
        self.function: Callable[..., Any] = self.module.__dict__["f"]

    def _run(self, text: str, name: str) -> None:
        linecache.cache[name] = (len(text), None, text.splitlines(True), name)
        exec(compile(text, name, "exec"), self.module.__dict__)

    def values(self, k: int) -> list[Any]:
        """Fresh arguments."""
        return [copy.deepcopy(self.arguments[k][name]) for name in self.parameters]

    def with_constants(self, k: int) -> Callable[[], Any] | None:
        """A function that calls this one with constants; None if the arguments are none that can be written down."""
        values = self.values(k)
        if not values or not all(isinstance(v, int | float | str | list) for v in values):
            return None
        self._run(f"def g():\n    return f({', '.join(map(repr, values))})\n", f"{self.name} constants {k}")
        return self.module.__dict__["g"]


def _indented(body: str) -> str:
    return "".join(f"    {line}" for line in body.splitlines(True))


def outcome(function: Callable[..., Any], arguments: Iterable[Any]) -> str:
    """What a call gives, prints, leaves in its arguments, or raises. Raises CompileError."""
    held, out = list(arguments), StringIO()
    with redirect_stdout(out):
        try:
            result = function(*held)
        except CompileError:
            raise
        except Exception as error:
            return f"raises {type(error).__name__}: {error}"
    return f"{shown(result)} {[shown(value) for value in held]} {out.getvalue()}"


def shown(value: Any) -> str:
    """A value as text, with its type, and without its address."""
    if isinstance(value, np.ndarray):
        return f"{value.dtype}{value.tolist()!r}"
    if isinstance(value, tuple | list):
        return f"{type(value).__name__}[{', '.join(map(shown, value))}]"
    if hasattr(value, "__dict__") and not isinstance(value, type) and "Point" in type(value).__name__:
        return f"{type(value).__name__}{ ({k: shown(v) for k, v in vars(value).items()}) }"
    return f"{type(value).__name__} {re.sub(r' at 0x[0-9a-f]+', '', repr(value))}"


def kind(snippet: Snippet, number: int) -> tuple[str, str]:
    """How a snippet is compiled, and the code of the message if it is not. Raises Differs."""
    program = Program(snippet, number)
    calls = range(len(program.arguments))
    want = [outcome(program.function, program.values(k)) for k in calls]
    try:
        compiled = jit(program.function)
        for k in calls:
            with keep_records() as records:
                _require_equal(snippet, outcome(compiled, program.values(k)), want[k])
        return (STATIC if records else NATIVE), ""  # of the last call; the second may be the first for any object
    except CompileError as error:
        code = re.findall(r"\[(J\d{4})\]$", str(error), re.MULTILINE)[0]
    with contextlib.suppress(CompileError):
        constant = [program.with_constants(k) for k in calls]
        found = [outcome(jit(g), ()) for g in constant if g is not None]
        if found:
            for k in calls:
                _require_equal(snippet, found[k].partition(" [")[0], want[k].partition(" [")[0])
            return STATIC, ""
    settings.jit_syntax_level = LAX
    lax = jit(Program(snippet, number).function)
    for k in calls:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", FallbackWarning)
            _require_equal(snippet, outcome(lax, program.values(k)), want[k])
    return REGION, code


def _require_equal(snippet: Snippet, found: str, want: str) -> None:
    if found != want:
        raise Differs(f"{snippet.construct}: {found}, not {want}")


# --- the table --------------------------------------------------------------------------------------------


def row(snippet: Snippet, number: int) -> str:
    """The line of the table that a snippet gives. Raises Differs."""
    before = settings.jit_syntax_level
    settings.jit_syntax_level = STRICT
    try:
        how, code = kind(snippet, number)
    finally:
        settings.jit_syntax_level = before
    why = f"[{code}](messages.md#{code})" if code else ""
    return f"| {snippet.construct.replace('|', chr(92) + '|')} | {how} | {why} |"


def document() -> Iterator[str]:
    """The lines of the page."""
    yield INTRODUCTION
    section = ""
    for number, snippet in enumerate(snippets()):
        if snippet.section != section:
            section = snippet.section
            yield f"{'' if number == 0 else chr(10)}## {section}\n\n| construct | | why |\n|---|---|---|"
        yield row(snippet, number)


def main() -> int:
    try:
        text = "\n".join(document())
    except Differs as error:
        print(error, file=sys.stderr)
        return 1
    DOCUMENT.write_text(text + "\n", encoding="utf-8")
    return 0


if __name__ == "__main__":
    sys.exit(main())
