"""Random functions full of control flow: their graphs and their desugared texts do what they do."""

from __future__ import annotations

import linecache
import traceback
from collections.abc import Callable
from types import FunctionType
from typing import Any

import pytest
from program_generator import ProgramGenerator
from untyped_interpreter import places_of, run

from jitcore.frontend import source_of

ARGUMENTS = [(0, 0), (1, 3), (7, 2), (3, 5)]


def defined(text: str, name: str) -> FunctionType:
    """The function a text defines, with its source to be found."""
    file = f"<{name}>"
    linecache.cache[file] = (len(text), None, text.splitlines(True), file)
    namespace: dict[str, Any] = {}
    exec(compile(text, file, "exec"), namespace)
    return namespace[name]


def outcome(call: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Exception | None]:
    notes: list[Any] = []

    def note(value: Any) -> Any:
        if len(notes) > 2000:
            raise MemoryError("the program does not end")
        notes.append(value)
        return value

    try:
        result = call(*args, note)
    except Exception as error:
        return (notes, type(error), str(error)), error
    return (notes, result), None


def lines_of(error: Exception, file: str) -> list[tuple[str, int]]:
    frames = traceback.extract_tb(error.__traceback__)
    return [(frame.name, frame.lineno or 0) for frame in frames if frame.filename == file][::-1]


def is_python(text: str) -> bool:
    """Whether a text compiles: a program may declare a name nonlocal that no function around assigns to."""
    try:
        compile(text, "<program>", "exec")
    except SyntaxError:
        return False
    return True


SEEDS = [seed for seed in range(160) if is_python(ProgramGenerator(seed).function("program"))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_program(seed: int) -> None:
    name = f"program_{seed}"
    text = ProgramGenerator(seed).function(name)
    function = defined(text, name)
    source = source_of(function)
    namespace: dict[str, Any] = {}
    exec(source.text, namespace)
    for args in ARGUMENTS:
        expected, error = outcome(function, args)
        found, raised = outcome(lambda *given: run(source, *given), args)
        assert found == expected, text
        rewritten, _ = outcome(namespace[name], args)
        if not isinstance(error, NameError):
            assert rewritten == expected, source.text
        # CPython 3.11 gives an unassigned variable the line of the instruction it runs in one go with the read
        if error is not None and not isinstance(error, UnboundLocalError):
            assert raised is not None
            places = [(span.function, span.line) for span in places_of(raised)]
            assert places == lines_of(error, f"<{name}>"), text
