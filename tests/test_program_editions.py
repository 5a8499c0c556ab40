"""Large programs in two editions: one that is compiled soon, and a better one that takes its place when they are called
again. Both compute the same, bit for bit."""

from __future__ import annotations

import gc
import os
import threading
import weakref
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, jit, ops
from jitcore.backends.llvm import loading
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host.loaded import NativeProgram
from jitcore.backends.native.link import editions, object_cache
from jitcore.config import settings
from jitcore.runtime.autograd import grad_of, set_requires_grad
from jitcore.runtime.backward import backward

X = np.random.default_rng(3).normal(size=(70, 90)).astype(np.float32)


@pytest.fixture(autouse=True)
def few_kernels(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[list[int]]:
    """All programs are large; what is compiled is noted, by its level."""
    monkeypatch.setattr(loading, "_MANY", 1)
    monkeypatch.setattr(settings, "cache_dir", str(tmp_path / "cache"))
    levels: list[int] = []
    compile_object = engine.compile_object

    def noted(text: str, level: int = engine.NO_PASSES, *rest: Any, **named: Any) -> bytes:
        if "kernel." in text:
            levels.append(level)
        return compile_object(text, level, *rest, **named)

    monkeypatch.setattr(engine, "compile_object", noted)
    yield levels
    wait()


def wait() -> None:
    for thread in threading.enumerate():
        if thread.name == "jitcore.llvm":
            thread.join()


def made() -> Any:
    @jit
    def f(x: Any, n: int) -> Any:
        y = ops.exp(x) / (1 + x * x)
        z = y @ y.T - y.sum(axis=1, keepdims=True)
        return ops.softmax(z * n, -1), ops.tanh(y).mean(axis=0)

    return f


def program_of(function: Any) -> NativeProgram:
    return function.specialisations[0].compilation.loaded


def bits(values: Any) -> list[bytes]:
    return [value.asnumpy().tobytes() for value in values]


def test_what_is_called_again_gets_better_code(few_kernels: list[int]) -> None:
    f, x = made(), Tensor(X)
    first = f(x, 2)
    known = bits(first)
    assert not program_of(f).is_settled
    assert engine.NO_PASSES not in few_kernels
    second = f(x, 2)
    wait()
    assert program_of(f).is_settled
    assert engine.NO_PASSES in few_kernels
    compiled = len(few_kernels)
    for _ in range(5):
        assert bits(f(x, 2)) == known
    assert bits(first) == bits(second) == known
    assert len(few_kernels) == compiled
    assert f.specialisations[0].native_calls >= 4


def test_what_is_called_once_has_a_first_edition_alone(few_kernels: list[int]) -> None:
    f = made()
    f(Tensor(X), 2)
    wait()
    assert not program_of(f).is_settled
    assert set(few_kernels) == {engine.BRIEF}


def test_the_better_edition_is_taken_from_the_cache(few_kernels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(loading, "_LONG", 0.0)
    f, x = made(), Tensor(X)
    known = bits(f(x, 2))
    f(x, 2)
    wait()
    before = len(few_kernels)
    again = made()
    assert bits(again(x, 2)) == known
    assert program_of(again).is_settled
    assert len(few_kernels) == before


def test_the_way_back_has_editions_too() -> None:
    @jit
    def f(x: Any) -> Any:
        return (ops.sigmoid(x) * x).sum()

    found = []
    for _ in range(4):
        x = Tensor(X)
        set_requires_grad(x, True)
        out = f(x)
        backward([(out, Tensor(np.ones((), np.float32)))])
        found.append((out.asnumpy().tobytes(), bits([grad_of(x)])))
        wait()
    assert all(each == found[0] for each in found)


def test_gradients_and_errors_are_the_same_in_both() -> None:
    @jit
    def f(x: Any, k: int) -> Any:
        return (x[k] * ops.log(x * x + 1)).sum()

    by_x = jit(grad(f))
    known = by_x(Tensor(X), 3).asnumpy().tobytes()
    for _ in range(3):
        assert by_x(Tensor(X), 3).asnumpy().tobytes() == known
        with pytest.raises(IndexError, match="out of bounds"):
            f(Tensor(X), 1000)
        wait()


def test_threads_that_call_while_code_is_exchanged() -> None:
    f, x = made(), Tensor(X)
    known = bits(f(x, 2))
    wrong: list[Any] = []

    def call() -> None:
        for _ in range(50):
            if bits(f(x, 2)) != known:
                wrong.append(None)

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    wait()
    assert not wrong
    assert program_of(f).is_settled


def test_a_program_that_is_gone_is_made_no_better(few_kernels: list[int], monkeypatch: pytest.MonkeyPatch) -> None:
    begun, go_on = threading.Event(), threading.Event()
    improve = loading._improve  # pyright: ignore[reportPrivateUsage]

    def slowly(*args: Any) -> None:
        begun.set()
        go_on.wait()
        improve(*args)

    monkeypatch.setattr(loading, "_improve", slowly)
    f = made()
    for _ in range(2):
        f(Tensor(X), 2)
    begun.wait()
    gone = weakref.ref(program_of(f))
    del f
    gc.collect()
    assert gone() is None
    go_on.set()
    wait()
    assert engine.NO_PASSES not in few_kernels


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork")
def test_a_forked_child_makes_its_own(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(editions.Later, "use", lambda self: None)
    f, x = made(), Tensor(X)
    known = bits(f(x, 2))
    monkeypatch.undo()
    monkeypatch.setattr(loading, "_MANY", 1)
    f(x, 2)
    later = program_of(f).better
    assert later is not None
    later._begun_in = os.getpid()  # pyright: ignore[reportPrivateUsage] # as if a thread were at it
    child = os.fork()
    if child == 0:
        try:
            f(x, 2)
            f(x, 2)
            wait()
            os._exit(0 if program_of(f).is_settled and bits(f(x, 2)) == known else 1)
        except BaseException:
            os._exit(2)
    assert os.waitpid(child, 0)[1] == 0


def test_code_that_does_not_link_is_compiled_anew(monkeypatch: pytest.MonkeyPatch) -> None:
    links = 0

    def link(codes: list[bytes]) -> Callable[[], None]:
        nonlocal links
        links += 1
        if b"torn" in codes:
            raise RuntimeError
        return lambda: None

    parts = object_cache.Parts()
    target = engine.host()
    first = object_cache.Part("brief", engine.BRIEF, target, lambda: b"brief")
    monkeypatch.setattr(object_cache, "_kept", lambda part: b"torn" if part.text == "whole" else None)
    parts.add(object_cache.Part("whole", 0, target, lambda: b"whole"), first, is_last=True)
    parts.linked(link)
    assert (links, parts.codes, parts.first) == (2, [b"whole"], {})
