"""What takes long to compile is shown on a terminal, and nowhere else."""

from __future__ import annotations

import contextlib
import functools
import io
import re
import threading
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, nn, vmap
from jitcore.backends.cpu import CPUBackend
from jitcore.backends.protocol import LoadedProgram
from jitcore.config import settings
from jitcore.runtime import compile as driver
from jitcore.runtime import progress
from jitcore.source import CompileError


class Terminal(io.StringIO):
    """Has `lines` set when something was written to it."""

    def __init__(self) -> None:
        super().__init__()
        self.written = threading.Event()

    def isatty(self) -> bool:
        return True

    def write(self, text: str) -> int:
        self.written.set()
        return super().write(text)


@pytest.fixture
def slow(monkeypatch: pytest.MonkeyPatch) -> Terminal:
    """A terminal, and compilations that wait in their last stage until it was written to."""
    terminal = Terminal()
    load = CPUBackend.load

    def slowly(*args: Any, **keywords: Any) -> LoadedProgram:
        assert terminal.written.wait(600) or not terminal.isatty()
        return load(*args, **keywords)

    monkeypatch.setattr(progress, "AFTER", 0.01)
    monkeypatch.setenv("COLUMNS", "400")
    monkeypatch.setattr(CPUBackend, "load", slowly)
    return terminal


def on(terminal: Terminal, function: Any) -> Any:
    """The first call of a function, with 1, where this is the terminal."""
    with contextlib.redirect_stderr(terminal):
        return jit(function)(1)


def test_a_terminal_shows_the_function_and_its_stage(slow: Terminal) -> None:
    def demo(x):
        return x + 1

    assert on(slow, demo) == 2
    text = slow.getvalue()
    assert f"jitcore: compiling demo ({__file__}:{demo.__code__.co_firstlineno}): " in text
    assert text.endswith("\r\x1b[K")
    assert not [t for t in threading.enumerate() if t.name == "jitcore-progress"]


class Scale:
    def __call__(self, x: Any) -> Any:
        return x * 4

    def by_method(self, x: Any) -> Any:
        return x * 3


class Net(nn.Cell):
    class Part(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 5

    def construct(self, x: Any) -> Any:
        return x + 1


def _by_a_call(x: Any) -> Any:
    return x * 2


SHOWN: dict[str, tuple[Any, str]] = {
    "by_method": (lambda: jit(Scale().by_method)(1), r"Scale\.by_method"),
    "a lambda": (lambda: jit(lambda x: x - 1)(1), "<lambda>"),
    "a Cell": (lambda: Net()(Tensor([1.0])), r"Net\.construct"),
    "a gradient": (lambda: jit(grad(_by_a_call))(1.0), "_by_a_call"),
    "a gradient, called": (lambda: grad(_by_a_call)(1.0), "_by_a_call"),
    "a lambda's gradient, called": (lambda: grad(lambda x: x * x * x)(1.0), "<lambda>"),
    "a Cell's gradient, called": (lambda: grad(Net())(Tensor([1.0])), r"Net\.construct"),
    "rows, called": (lambda: vmap(_by_a_call)(np.ones(3)), "_by_a_call"),
    "a partial function": (lambda: jit(functools.partial(_of_two, 1))(2.0), "_of_two"),
    "an object": (lambda: jit(Scale())(2.0), r"Scale\.__call__"),
    "a decorated function": (lambda: jit(_decorated)(2.0), "_decorated"),
    "an inner class": (lambda: Net.Part()(Tensor([1.0])), r"Net\.Part\.construct"),
    "a recursion": (lambda: jit(_falling)(1), "_falling"),
    "a function of arrays": (lambda: jit(_of_arrays)(np.ones(3)), "_of_arrays"),
}


def _of_two(x: Any, y: Any) -> Any:
    return x - y


def _twice(function: Any) -> Any:
    @functools.wraps(function)
    def wrapper(x: Any) -> Any:
        return function(function(x))

    return wrapper


@_twice
def _decorated(x: Any) -> Any:
    return x - 7


def _falling(n: int) -> int:
    return 0 if n == 0 else _falling(n - 1) + 1


def _of_arrays(x: Any) -> Any:
    return np.sin(x).sum()


@pytest.mark.parametrize("name", SHOWN)
def test_a_terminal_shows_whatever_is_compiled(name: str, slow: Terminal) -> None:
    call, shown = SHOWN[name]
    with contextlib.redirect_stderr(slow):
        call()
    text = slow.getvalue()
    assert re.search(rf"jitcore: compiling {shown} \({re.escape(__file__)}:\d+\): ", text), text
    assert text.endswith("\r\x1b[K")


def test_what_has_no_place_is_shown_without_one(slow: Terminal) -> None:
    with contextlib.redirect_stderr(slow):
        jit(np.sum)(np.ones(3))
    assert "jitcore: compiling sum: " in slow.getvalue()


def test_the_line_goes_where_compiling_fails(slow: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    def refused(*args: Any) -> Any:
        slow.written.wait(600)
        raise CompileError([])

    monkeypatch.setattr(driver, "plan", refused)
    before = settings.jit_syntax_level
    settings.update(jit_syntax_level="STRICT")
    try:
        with pytest.raises(CompileError):
            on(slow, lambda x: x + 1)
    finally:
        settings.update(jit_syntax_level=before)
    assert slow.getvalue().endswith("\r\x1b[K")
    assert not [t for t in threading.enumerate() if t.name == "jitcore-progress"]


def test_nothing_is_shown_where_it_is_turned_off(slow: Terminal) -> None:
    slow.written.set()
    settings.update(progress=False)
    try:
        assert on(slow, lambda x: x + 1) == 2
    finally:
        settings.update(progress=True)
    assert slow.getvalue() == ""


def test_nothing_is_shown_without_a_terminal(slow: Terminal, monkeypatch: pytest.MonkeyPatch) -> None:
    slow.written.set()
    monkeypatch.setattr(Terminal, "isatty", lambda self: False)
    assert on(slow, lambda x: x + 1) == 2
    assert slow.getvalue() == ""


def test_short_compilations_are_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    terminal = Terminal()
    monkeypatch.setattr(progress, "AFTER", 600.0)
    assert on(terminal, lambda x: x + 1) == 2
    assert terminal.getvalue() == ""
