"""Code from the command line, standard input, a prompt or `exec` is compiled where its text is still at hand."""

from __future__ import annotations

import contextlib
import os
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jitcore import FallbackWarning, jit

ROOT = Path(__file__).parent.parent

PROGRAM = """\
from jitcore import jit, context
context.set_context(jit_syntax_level="STRICT")
@jit
def total(n):
    s = 0
    for i in range(n):
        s += i
    return s

print(total(10))
twice = jit(lambda x: x * 2)
print(twice(21))
"""


def run(*args: str, **options: Any) -> str:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    made = subprocess.run(
        [sys.executable, *args], capture_output=True, text=True, env=environment, timeout=1200, **options
    )
    assert not made.returncode, made.stderr
    return made.stdout


@pytest.mark.parametrize("arguments", [("-c", PROGRAM), (f"-c{PROGRAM}",), ("-Bc", PROGRAM, "more", "arguments")])
def test_the_command_line(arguments: tuple[str, ...]) -> None:
    assert run(*arguments) == "45\n42\n"


@pytest.mark.parametrize("arguments", [("-",), ()])
def test_a_file_as_standard_input(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    file = tmp_path / "program"
    file.write_text(PROGRAM)
    with file.open() as opened:
        assert run(*arguments, stdin=opened) == "45\n42\n"


def test_a_pipe_is_told_of() -> None:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    program = PROGRAM.replace("STRICT", "LAX")
    made = subprocess.run(
        [sys.executable, "-"], input=program, capture_output=True, text=True, env=environment, timeout=1200
    )
    assert made.stdout == "45\n42\n"
    assert "there is no source for total" in made.stderr


def test_a_prompt(tmp_path: Path) -> None:
    pytest.importorskip("readline")
    pty = pytest.importorskip("pty")
    leader, follower = pty.openpty()
    environment = {
        **os.environ,
        "PYTHONPATH": str(ROOT),
        "HOME": str(tmp_path),
        "TERM": "dumb",
        "PYTHON_BASIC_REPL": "1",
        "PYTHONSTARTUP": "",
        "JITCORE_PROGRESS": "0",  # it would be among what is shown
    }
    made = subprocess.Popen([sys.executable, "-q"], stdin=follower, stdout=follower, stderr=follower, env=environment)
    os.close(follower)
    os.write(leader, f"{PROGRAM}exit()\n".encode())
    shown = b""
    with contextlib.suppress(OSError):  # how Linux says that the other side is closed
        while more := os.read(leader, 4096):
            shown += more
    os.close(leader)
    assert not made.wait(timeout=1200)
    assert "Error" not in shown.decode()
    assert [line for line in shown.decode().split() if line.isdigit()][-2:] == ["45", "42"]


# --- exec -------------------------------------------------------------------------------------------

TEXT = "def twice(x):\n    return [v * 2 for v in range(x)]\n"
METHODS = "class Scale:\n    def __init__(self, by):\n        self.by = by\n    def of(self, x):\n        return x * self.by\n"


def compiles(function: Callable[..., Any], *args: Any) -> Any:
    compiled = jit(function)
    result = compiled(*args)
    assert compiled.specialisations, compiled.explain()
    assert not compiled.interpreted
    return result


def test_text_in_a_global() -> None:
    space: dict[str, Any] = {}
    exec(TEXT, space)
    assert compiles(space["twice"], 3) == [0, 2, 4]


def test_text_in_a_variable_of_a_caller() -> None:
    text, space = "def half(x):\n    return x / 2\n", dict[str, Any]()
    exec(text, space)

    def inner() -> Any:
        return compiles(space["half"], 3)

    assert inner() == 1.5


def test_text_that_is_written_in_the_call() -> None:
    space: dict[str, Any] = {}
    exec(textwrap.dedent("""
        def third(x):
            return x / 3
    """), space)  # fmt: skip
    assert compiles(space["third"], 6) == 2.0


def test_an_expression() -> None:
    assert compiles(eval("lambda x, y: x * y + 1"), 2, 3) == 7


def test_functions_of_one_name_and_place_are_told_apart() -> None:
    texts = [f"def same(x):\n    return x + {k}\n" for k in range(5)]
    made = []
    for text in texts:
        space: dict[str, Any] = {}
        exec(text, space)
        made.append(space["same"])
    assert [compiles(function, 10) for function in reversed(made)] == [14, 13, 12, 11, 10]


def test_what_calls_others_of_the_same_text() -> None:
    space: dict[str, Any] = {}
    text = "def one(x):\n    return x + 1\n\ndef two(x):\n    return one(one(x))\n"
    exec(text, space)
    assert compiles(space["two"], 5) == 7


def test_methods() -> None:
    space: dict[str, Any] = {}
    exec(METHODS, space)
    scale = space["Scale"](3)
    assert compiles(scale.of, 5) == 15


def test_the_decorator_within_the_text() -> None:
    space: dict[str, Any] = {}
    exec("from jitcore import jit\n@jit\ndef square(x):\n    return x * x\n", space)
    assert space["square"](7) == 49
    assert space["square"].specialisations


def _gone() -> Any:
    space: dict[str, Any] = {}
    exec("".join(["def lost(x):\n", "    return x + ", "1\n"]), space)
    return space["lost"]


def test_text_that_is_gone() -> None:
    lost = jit(_gone())
    with pytest.warns(FallbackWarning, match="there is no source for lost: no file '<string>' can be read"):
        assert lost(1) == 2


def test_other_text_is_not_taken() -> None:
    decoy = "def lost(x):\n    return x + 2\n"
    lost = jit(_gone())
    with pytest.warns(FallbackWarning):
        assert lost(1) == 2, decoy
