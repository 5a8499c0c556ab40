"""Compiled functions under rough use: deep recursion, interrupts, threads, forks, changed surroundings, wrong calls."""

# ruff: noqa: E731

from __future__ import annotations

import copy
import functools
import multiprocessing
import os
import pickle
import signal
import subprocess
import sys
import textwrap
import threading
import time
import types
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from uncompiled_programs import CASES as UNCOMPILED

from jitcore import Parameter, Tensor, context, jit, nn
from jitcore.runtime.dispatch import FallbackWarning
from jitcore.source import CompileError

# --- language that is not compiled --------------------------------------------------------------------


def outcome(function: Callable[..., Any], args: tuple[Any, ...]) -> tuple[Any, Any]:
    """What a call gives (a generator's items, an exception's text), and the arguments afterwards."""
    args = copy.deepcopy(args)
    try:
        result = function(*args)
        if isinstance(result, types.GeneratorType):
            result = list(result)
    except Exception as error:
        result = type(error), str(error)
    return result, args


@pytest.mark.parametrize(("function", "args", "lines"), UNCOMPILED, ids=[f.__name__ for f, _, _ in UNCOMPILED])
def test_uncompiled_language_is_run_by_the_interpreter_with_one_notice(
    function: Callable[..., Any], args: tuple[Any, ...], lines: frozenset[int]
) -> None:
    compiled = jit(function)
    with pytest.warns(FallbackWarning, match=function.__name__) as notices:
        assert outcome(compiled, args) == outcome(function, args)
    assert len(notices) == 1
    assert notices[0].filename == __file__
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert outcome(compiled, args) == outcome(function, args)


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("function", "args", "lines"), UNCOMPILED, ids=[f.__name__ for f, _, _ in UNCOMPILED])
def test_strict_refuses_it_with_all_places(
    function: Callable[..., Any], args: tuple[Any, ...], lines: frozenset[int]
) -> None:
    with pytest.raises(CompileError) as caught:
        jit(function)(*copy.deepcopy(args))
    outermost = [list(p.span.frames())[-1] for p in caught.value.problems]
    assert {p.line - function.__code__.co_firstlineno - 1 for p in outermost} == lines
    assert all(p.span.excerpt() and p.message for p in caught.value.problems)


@pytest.mark.usefixtures("strict")
def test_a_problem_in_a_function_called_says_who_calls_it() -> None:
    def inner(x: float) -> float:
        return eval("x")

    def outer(x: float) -> float:
        return inner(x) + 1

    with pytest.raises(CompileError, match=r"called from .*, in .*outer"):
        jit(outer)(1.0)


def test_a_default_that_is_changed_is_kept() -> None:
    def remember(n: int, seen: list[int] = []) -> list[int]:  # noqa: B006
        seen.append(n)
        return list(seen)

    def call(n: int) -> list[int]:
        return remember(n)

    compiled = jit(call)
    assert compiled(1) == [1]
    assert compiled(2) == [1, 2]
    assert call(3) == [1, 2, 3]


# --- recursion ----------------------------------------------------------------------------------------


def deep(n: int) -> int:
    return 0 if n == 0 else 1 + deep(n - 1)


def even(n: int) -> bool:
    return True if n == 0 else odd(n - 1)


def odd(n: int) -> bool:
    return False if n == 0 else even(n - 1)


def summed(x: np.ndarray, n: int) -> Any:
    return x.sum() if n == 0 else summed(x + 1.0, n - 1)


@pytest.mark.parametrize("function", [deep, even])
def test_recursion_ends_in_recursion_error(function: Callable[..., Any]) -> None:
    compiled = jit(function)
    assert compiled(500) == function(500)
    with pytest.raises(RecursionError, match="maximum recursion depth exceeded"):
        compiled(10**8)
    assert compiled(500) == function(500)


def test_recursion_with_arrays_ends_in_recursion_error() -> None:
    compiled = jit(summed)
    assert compiled(np.ones(3), 10) == 33.0
    with pytest.raises(RecursionError):
        compiled(np.ones(3), 10**8)
    assert compiled(np.ones(3), 10) == 33.0


def test_recursion_in_a_thread() -> None:
    compiled, found = jit(deep), list[Any]()

    def run() -> None:
        try:
            compiled(10**8)
        except RecursionError as error:
            found.append(error)

    thread = threading.Thread(target=run)
    thread.start()
    thread.join()
    assert len(found) == 1


def test_endless_recursion() -> None:
    def endless(n: int) -> int:
        return endless(n + 1) + 1

    with pytest.raises(RecursionError):
        jit(endless)(0)


# --- interrupts ---------------------------------------------------------------------------------------


def spin(n: int) -> float:
    x = 0.0
    for _ in range(n):
        x = x * 0.5 + 1.0
    return x


def churn(x: np.ndarray, n: int) -> np.ndarray:
    for _ in range(n):
        x = x * 0.5 + 1.0
    return x


@pytest.mark.parametrize(
    ("function", "first", "args"),
    [(spin, (3,), (10**14,)), (churn, (np.ones(100), 3), (np.ones(100), 10**12))],
    ids=["scalars", "arrays"],
)
def test_interrupt(function: Callable[..., Any], first: tuple[Any, ...], args: tuple[Any, ...]) -> None:
    compiled = jit(function)
    compiled(*first)
    timer = threading.Timer(0.2, lambda: os.kill(os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt) as caught:
        compiled(*args)
    frames = [entry.name for entry in caught.traceback]
    assert frames[-1] == function.__name__
    assert np.all(compiled(*first) == function(*first))


def test_a_signal_handler_runs_inside_a_loop() -> None:
    class Stopped(Exception):
        pass

    def handler(signum: int, frame: Any) -> None:
        raise Stopped

    before = signal.signal(signal.SIGALRM, handler)
    try:
        jit(spin)(3)
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with pytest.raises(Stopped):
            jit(spin)(10**14)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


# --- threads ------------------------------------------------------------------------------------------


@pytest.mark.parametrize("count", [2, 8])
def test_threads_compile_and_call(count: int) -> None:
    def scaled(k: int) -> Callable[..., Any]:
        return jit(lambda x, y: (x * k + y).sum())

    functions = [scaled(k) for k in range(3)]
    wrong: list[Any] = []
    started = threading.Barrier(count)

    def work(seed: int) -> None:
        random = np.random.default_rng(seed)
        started.wait()
        try:
            for _ in range(20):
                n, k = int(random.integers(1, 20)), int(random.integers(3))
                for x in (np.ones(n), np.ones(n, np.float32), Tensor(np.ones(n))):
                    found = float(functions[k](x, 1.0))
                    wrong.extend([(k, n, found)] if found != n * (k + 1) else [])
        except Exception as error:
            wrong.append(error)

    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(count)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not wrong
    for function in functions:  # each kind: the first extents, any extents, an extent of 1
        assert len(function.specialisations) <= 9


def test_one_compilation_serves_the_threads_that_wait_for_it() -> None:
    compiled = jit(lambda x: x * 2.0 + 1.0)
    started = threading.Barrier(8)
    found: list[float] = []

    def work() -> None:
        started.wait()
        found.append(compiled(3.0))

    threads = [threading.Thread(target=work) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [7.0] * 8
    assert len(compiled.specialisations) == 1


def test_other_threads_run_during_a_long_loop() -> None:
    compiled = jit(spin)
    compiled(3)
    ticks = 0
    done = threading.Event()

    def count() -> None:
        nonlocal ticks
        while not done.is_set():
            ticks += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    compiled(10**8)
    before = ticks
    done.set()
    thread.join()
    assert before > 5


# --- processes ----------------------------------------------------------------------------------------


@jit
def affine(x: Any) -> Any:
    return (x * 2.0 + 1.0).sum()


def test_fork() -> None:
    large = np.ones(2_000_000)
    assert affine(large) == 6_000_000.0  # on the thread pool
    child = os.fork()
    if child == 0:
        right = affine(large) == 6_000_000.0 and affine(np.ones(3, np.float32)) == 9.0 and jit(spin)(1) == 1.0
        os._exit(0 if right else 1)
    deadline = time.monotonic() + 600
    done, status = os.waitpid(child, os.WNOHANG)
    while not done and time.monotonic() < deadline:
        time.sleep(0.01)
        done, status = os.waitpid(child, os.WNOHANG)
    if not done:
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
    assert done, "the child hangs"
    assert status == 0
    assert affine(large) == 6_000_000.0


def test_processes() -> None:
    assert affine(np.ones(3)) == 9.0
    with multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(affine, [np.ones(n) for n in (1, 3, 300_000)]).get(600)
    assert found == [3.0, 9.0, 900_000.0]


def test_interpreter_ends_while_a_thread_computes(tmp_path: Path) -> None:
    program = """
        import threading
        import numpy as np
        from jitcore import jit
        @jit
        def spin(x, n):
            for _ in range(n):
                x = x * 0.5 + 1.0
            return x
        spin(np.ones(100_000), 3)
        threading.Thread(target=spin, args=(np.ones(100_000), 10**12), daemon=True).start()
    """
    script = tmp_path / "program.py"
    script.write_text(textwrap.dedent(program))
    command = [sys.executable, "-W", "error", str(script)]
    ended = subprocess.run(command, capture_output=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr.decode()


# --- what changes between calls -----------------------------------------------------------------------

factor = 2.0
flag = True
limits = [1.0, 2.0]


def operation(x: float) -> float:
    return x + 1.0


@jit
def uses_globals(x: float) -> float:
    y = operation(x) * factor
    return y + limits[0] if flag else y - limits[1]


def test_globals_that_change(monkeypatch: pytest.MonkeyPatch) -> None:
    plain = uses_globals.__wrapped__
    assert uses_globals(3.0) == plain(3.0) == 9.0
    count = len(uses_globals.specialisations)
    monkeypatch.setitem(globals(), "factor", 5.0)
    assert uses_globals(3.0) == plain(3.0) == 21.0
    monkeypatch.setitem(globals(), "limits", [7.0, 2.0])
    assert uses_globals(3.0) == plain(3.0) == 27.0
    limits[0] = 8.0
    assert uses_globals(3.0) == plain(3.0) == 28.0
    assert len(uses_globals.specialisations) == count, "a changed number recompiles"
    monkeypatch.setitem(globals(), "flag", False)
    assert uses_globals(3.0) == plain(3.0) == 18.0
    monkeypatch.setitem(globals(), "operation", lambda x: x * 10.0)
    assert uses_globals(3.0) == plain(3.0) == 148.0
    monkeypatch.setitem(globals(), "limits", [7.0, 2.0, 3.0])
    assert uses_globals(3.0) == plain(3.0)
    monkeypatch.setitem(globals(), "factor", 5)
    assert uses_globals(3.0) == plain(3.0)
    monkeypatch.delitem(globals(), "factor")
    with pytest.raises(NameError, match="factor"):
        uses_globals(3.0)


def test_closures_that_change() -> None:
    k, scale = 1, lambda x: x * 2

    @jit
    def f(x: float) -> float:
        return scale(x) + k

    assert f(1.0) == 3.0
    k = 10
    assert f(1.0) == 12.0
    assert len(f.specialisations) == 1
    scale = lambda x: x * 3
    assert f(1.0) == 13.0
    k = 0.5
    assert f(1.0) == 3.5


def test_a_function_redefined_from_the_same_name() -> None:
    namespace: dict[str, Any] = {"jit": jit}
    for value in (1, 2):
        source = f"def helper(x):\n    return x + {value}\n@jit\ndef f(x):\n    return helper(x) * 2\n"
        filename = f"<cell {value}>"
        import linecache

        linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
        exec(compile(source, filename, "exec"), namespace)
        assert namespace["f"](1) == (1 + value) * 2
    before = namespace["f"]
    exec(compile("def helper(x):\n    return x + 1\n", "<cell 1>", "exec"), namespace)
    assert before(1) == 4


def test_code_and_defaults_replaced() -> None:
    def inner(x: float, by: float = 1.0) -> float:
        return x + by

    def other(x: float, by: float = 1.0) -> float:
        return x * by

    @jit
    def f(x: float) -> float:
        return inner(x)

    assert f(3.0) == 4.0
    inner.__defaults__ = (5.0,)
    assert f(3.0) == 8.0
    inner.__code__ = other.__code__
    assert f(3.0) == 15.0


class Model:
    rate = 2.0

    def __init__(self) -> None:
        self.weight = 1.5
        self.wide = False
        self.parts = [1.0, 2.0]

    def step(self, x: float) -> float:
        return x * self.weight + self.rate

    @jit
    def run(self, x: float) -> float:
        y = self.step(x)
        if self.wide:
            y = y * 100
        for part in self.parts:
            y = y + part
        return y

    @staticmethod
    @jit
    def static(x: float) -> float:
        return x + 1

    @classmethod
    def made(cls, x: float) -> float:
        return cls.rate * x


def test_attributes_that_change() -> None:
    model = Model()
    plain = Model.run.__wrapped__
    assert model.run(2.0) == plain(model, 2.0) == 8.0
    count = len(Model.run.specialisations)
    model.weight = 2.5
    assert model.run(2.0) == plain(model, 2.0) == 10.0
    model.parts[1] = 12.0
    assert model.run(2.0) == plain(model, 2.0) == 20.0
    assert len(Model.run.specialisations) == count
    model.wide = True
    assert model.run(2.0) == plain(model, 2.0)
    model.parts.append(5.0)
    assert model.run(2.0) == plain(model, 2.0)
    model.rate = 7.0
    assert model.run(2.0) == plain(model, 2.0)
    other = Model()
    other.weight = -1.0
    assert other.run(2.0) == plain(other, 2.0)
    del model.rate
    assert model.run(2.0) == plain(model, 2.0)


def test_classes_that_change(monkeypatch: pytest.MonkeyPatch) -> None:
    model = Model()

    @jit
    def f(x: float) -> float:
        return model.step(x) + model.made(x)

    assert f(2.0) == 9.0
    monkeypatch.setattr(Model, "rate", 10.0)
    assert f(2.0) == 33.0
    monkeypatch.setattr(Model, "step", lambda self, x: x)
    assert f(2.0) == 22.0
    monkeypatch.setattr(Model, "made", classmethod(lambda cls, x: 0.0))
    assert f(2.0) == 2.0


def test_operators_of_objects_that_change() -> None:
    class Pair:
        def __init__(self, x: float) -> None:
            self.x = x

        def __add__(self, other: Any) -> float:
            return self.x + other.x

        def __bool__(self) -> bool:
            return self.x > 0

    a, b = Pair(1.0), Pair(2.0)

    @jit
    def f(k: float) -> Any:
        return (a + b) * k if a else -k

    assert f(2.0) == 6.0
    a.x = 5.0
    assert f(2.0) == 14.0
    a.x = -5.0
    assert f(2.0) == -2.0


def test_objects_made_inside_are_new_at_each_call() -> None:
    class Counter:
        def __init__(self) -> None:
            self.count = 0

    @jit
    def f(n: int) -> int:
        counter = Counter()
        counter.count += n
        return counter.count

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert [f(3), f(3), f(4)] == [3, 3, 4]


def test_attributes_are_as_python_leaves_them_after_an_exception() -> None:
    class Counter:
        def __init__(self) -> None:
            self.count = 0
            self.last = 0.0
            self.seen: Any = None

    def run(counter: Any, x: np.ndarray, n: int) -> float:
        for i in range(n):
            counter.count += 1
            counter.last = x[i] * 2.0
            counter.seen = i
            x[i] = -1.0
        counter.count = 100
        return counter.last

    for n in (2, 9):
        plain, compiled = Counter(), Counter()
        a, b = np.arange(4.0), np.arange(4.0)
        expected = outcome_of(run, plain, a, n)
        assert outcome_of(jit(run), compiled, b, n) == expected
        assert vars(compiled) == vars(plain)
        assert a.tolist() == b.tolist()


def test_attributes_written_before_a_certain_exception() -> None:
    class Box:
        value: Any = 0.0

    def run(box: Any, x: Any) -> None:
        box.value = x * 2
        raise ValueError("always")

    for x in (1.5, np.arange(3.0)):
        box = Box()
        with pytest.raises(ValueError, match="always"):
            jit(run)(box, x)
        assert np.all(box.value == x * 2)
        assert type(box.value) is type(x)


def outcome_of(function: Callable[..., Any], *args: Any) -> Any:
    try:
        return function(*args)
    except Exception as error:
        return type(error), str(error)


# --- kinds of callables -------------------------------------------------------------------------------


def test_methods_of_all_kinds() -> None:
    model = Model()
    assert Model.static(1.0) == model.static(1.0) == 2.0
    assert jit(model.step)(2.0) == model.step(2.0)
    assert jit(Model.made)(2.0) == Model.made(2.0)
    assert Model.run(model, 1.0) == model.run(1.0)
    bound = model.run
    assert bound(3.0) == Model.run.__wrapped__(model, 3.0)


def test_partial_and_callable_objects() -> None:
    class Scale:
        def __init__(self, by: float) -> None:
            self.by = by

        def __call__(self, x: float) -> float:
            return x * self.by

    scale = Scale(3.0)
    compiled = jit(scale)
    assert compiled(2.0) == 6.0
    scale.by = 4.0
    assert compiled(2.0) == 8.0
    part = functools.partial(lambda x, y, z=1.0: x - y + z, 10.0, z=5.0)
    assert jit(part)(3.0) == part(3.0) == 12.0
    assert jit(lambda x: functools.partial(scale)(x))(2.0) == 8.0


def test_decorated_functions() -> None:
    def twice(function: Callable[..., Any]) -> Callable[..., Any]:
        @functools.wraps(function)
        def call(*args: Any, **keywords: Any) -> Any:
            return function(*args, **keywords) * 2

        return call

    @jit
    @twice
    def f(x: float, y: float = 1.0) -> float:
        return x + y

    assert f(1.0) == 4.0
    assert f(1.0, y=2.0) == 6.0
    assert f.__name__ == "f"

    @twice
    @jit
    def g(x: float) -> float:
        return x + 1

    assert g(1.0) == 4.0
    assert jit(lambda x: g(x) + 1)(1.0) == 5.0


def test_lambdas_on_one_line() -> None:
    f, g = jit(lambda x: x + 1), jit(lambda x: x * 10)
    assert (f(2), g(2)) == (3, 20)
    table = {
        name: jit(h)
        for name, h in {"a": lambda x: x - 1, "b": lambda x: -x, "c": lambda x: (lambda y: y * x)(3)}.items()
    }
    assert [table[k](5) for k in "abc"] == [4, -5, 15]


def test_compiled_functions_call_each_other() -> None:
    @jit
    def inner(x: Any, k: int = 2) -> Any:
        return x * k

    @jit
    def outer(x: Any) -> Any:
        return inner(x) + inner(x, k=3)

    assert outer(2.0) == 10.0
    assert jit(outer) is outer
    assert jit(jit(inner))(1.0) == 2.0
    assert jit(lambda f, x: f(x))(inner, 4.0) == 8.0


def test_jit_of_what_is_not_a_function() -> None:
    with pytest.raises(TypeError, match="classes"):
        jit(Model)
    for wrong in (3, "text", None.__class__, [1]):
        with pytest.raises(TypeError):
            jit(wrong)
    assert jit(abs)(-3) == 3
    assert jit(len)([1, 2]) == 2
    assert jit(sum)((1, 2.5)) == 3.5
    assert jit(np.sum)(np.ones(3)) == 3.0
    assert jit(sorted)([3, 1, 2]) == [1, 2, 3]
    assert jit(hash)(2.5) == hash(2.5)


def test_source_that_cannot_be_had() -> None:
    namespace: dict[str, Any] = {}
    exec("def f(x):\n    return x + 1\n", namespace)
    compiled = jit(namespace["f"])
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert compiled(2) == 3


# --- size ---------------------------------------------------------------------------------------------


def defined(source: str, name: str) -> Callable[..., Any]:
    """A function defined by text."""
    import linecache

    filename = f"<{name} of the tests>"
    linecache.cache[filename] = (len(source), None, source.splitlines(True), filename)
    namespace: dict[str, Any] = {}
    exec(compile(source, filename, "exec"), namespace)
    return namespace[name]


def test_a_long_function() -> None:
    lines = ["def long(x):"]
    for k in range(2000):
        lines.append(f"    x = x * 0.5 + {k}.0" if k % 3 else f"    y{k % 7} = x - {k}.0")
    function = defined("\n".join([*lines, "    return x, y0, y3"]), "long")
    assert jit(function)(1.0) == function(1.0)


def test_nested_blocks() -> None:
    lines = ["def nested(x, n):", "    total = 0"]
    for k in range(98):  # CPython's parser itself takes 100 levels of indentation
        lines.append("    " * (k + 1) + f"if x > {k}:")
        lines.append("    " * (k + 2) + f"total += {k}")
    function = defined("\n".join([*lines, "    return total"]), "nested")
    for x in (0, 50, 1000):
        assert jit(function)(x, 1) == function(x, 1)


def test_a_deep_expression() -> None:
    function = defined("def deep(x):\n    return " + "(" * 80 + "x" + " + 1.0)" * 80 + "\n", "deep")
    assert jit(function)(1.0) == function(1.0)
    chain = defined("def chain(x):\n    return x" + " + 1.0" * 1500 + "\n", "chain")
    assert jit(chain)(1.0) == chain(1.0)


def test_many_arguments_and_results() -> None:
    names = [f"a{k}" for k in range(300)]
    function = defined(f"def many({', '.join(names)}):\n    return {', '.join(f'{n} + 1' for n in names)}\n", "many")
    args = [k * 0.5 if k % 2 else k for k in range(300)]
    assert jit(function)(*args) == function(*args)


# --- wrong calls --------------------------------------------------------------------------------------


@jit
def two(a: Any, b: Any, *, c: Any = 1) -> Any:
    return a + b * c


@pytest.mark.parametrize(
    ("args", "keywords"),
    [((), {}), ((1,), {}), ((1, 2, 3), {}), ((1, 2), {"d": 1}), ((1, 2), {"a": 1}), ((1,), {"c": 2})],
)
def test_wrong_arguments(args: tuple[Any, ...], keywords: dict[str, Any]) -> None:
    with pytest.raises(TypeError) as expected:
        two.__wrapped__(*args, **keywords)
    with pytest.raises(TypeError) as found:
        two(*args, **keywords)
    assert str(found.value) == str(expected.value)
    assert two(1, 2, c=3) == 7


@pytest.mark.parametrize(
    "args",
    [
        ("a", "b"), ("a", 1), (None, 1), (1, None), ([1], [2]), ((1,), (2,)), (b"a", b"b"), ({}, 1), (1, "b"),
        (object, 1), (1.0, [2]), (range(3), 1), ("a", 2.0),
    ],
)  # fmt: skip
def test_odd_types(args: tuple[Any, ...]) -> None:
    assert outcome_of(two, *args) == outcome_of(two.__wrapped__, *args)


def test_odd_arrays() -> None:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        for array in (
            np.array([1, "a", None], object), np.array(["a", "b"]), np.array(["2020-01-01"], "M8[D]"),
            np.zeros(2, [("x", float)]), np.arange(3, dtype=">i4"), np.ma.array([1, 2], mask=[0, 1]),
        ):  # fmt: skip
            expected = outcome_of(two.__wrapped__, array, array)
            found = outcome_of(two, array, array)
            assert type(found) is type(expected) or isinstance(found, tuple)
            if isinstance(expected, np.ndarray):
                assert isinstance(found, tuple) or (found.dtype == expected.dtype and np.all(found == expected))


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("value", [2**63, -(2**63) - 1, 10**30])
def test_ints_past_64_bits(value: int) -> None:
    with pytest.raises(OverflowError, match="argument b"):
        two(1, value)
    with pytest.raises(OverflowError, match="argument c"):
        two(1, 2, c=value)
    with pytest.raises(OverflowError, match="64 bits"):
        two([value], [1])
    assert two(1, 2**63 - 2) == 2**63 - 1


def test_subclasses_of_numbers() -> None:
    import enum

    class Colour(enum.IntEnum):
        RED = 3

    class Metres(float):
        def __add__(self, other: float) -> str:  # type: ignore[override]
            return "metres"

    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert two(Colour.RED, 2) == 5
        assert two(Metres(2.0), 1.0) == "metres"


# --- settings -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "values",
    [
        {"mode": 7}, {"mode": "graphic"}, {"mode": None}, {"nonsense": 1}, {"jit_syntax_level": "MILD"},
        {"save_graphs": "perhaps"}, {"save_graphs_path": 3}, {"device_target": "TPU"}, {"mode": True},
    ],
)  # fmt: skip
def test_bad_settings(values: dict[str, Any]) -> None:
    before = {name: context.get_context(name) for name in ("mode", "jit_syntax_level", "save_graphs")}
    with pytest.raises(ValueError, match=r".+") as caught:
        context.set_context(**values)
    assert next(iter(values)) in str(caught.value) or "device_target" in values or "save_graphs" in next(iter(values))
    with pytest.raises(ValueError, match=r".+"):
        context.set_context(
            jit_syntax_level="STRICT", **{k: v for k, v in values.items() if k != "jit_syntax_level"} or {"x": 1}
        )
    assert before == {name: context.get_context(name) for name in before}
    with pytest.raises(ValueError, match="nothing"):
        context.get_context("nothing")


def test_devices_that_are_not_there() -> None:
    for device in ("GPU", "Ascend"):
        with pytest.raises(RuntimeError, match="CPU"):
            context.set_context(device_target=device)
    context.set_context(device_target="CPU")


# --- copies -------------------------------------------------------------------------------------------


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 2)
        self.scale = 2.0
        self.extra = Parameter(Tensor(np.ones(2, np.float32)), name="extra")

    def construct(self, x: Tensor) -> Tensor:
        return self.dense(x) * self.scale + self.extra


def test_cells_whose_class_changes(monkeypatch: pytest.MonkeyPatch) -> None:
    class Inner(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x + 1.0

    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Inner()

        def construct(self, x: Any) -> Any:
            return self.inner(x) * 2.0

    outer, x = Outer(), Tensor(np.ones(2))
    assert outer(x).asnumpy().tolist() == [4.0, 4.0]
    monkeypatch.setattr(Inner, "construct", lambda self, x: x - 1.0)
    assert outer(x).asnumpy().tolist() == [0.0, 0.0]
    monkeypatch.setattr(Outer, "construct", lambda self, x: self.inner(x) + 5.0)
    assert outer(x).asnumpy().tolist() == [5.0, 5.0]


def test_cells_with_a_call_of_their_own() -> None:
    class Shifted(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 2.0

        def __call__(self, x: Any) -> Any:
            return super().__call__(x) + 1.0

    class Outer(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.inner = Shifted()

        def construct(self, x: Any) -> Any:
            return self.inner(x)

    x = Tensor(np.ones(2))
    assert Shifted()(x).asnumpy().tolist() == [3.0, 3.0]
    assert Outer()(x).asnumpy().tolist() == [3.0, 3.0]


def test_partial_with_an_array() -> None:
    weight = np.ones(3)

    def scaled(w: Any, x: Any) -> Any:
        return w * x

    part = functools.partial(scaled, weight)
    compiled = jit(lambda x: part(x))
    assert compiled(2.0).tolist() == [2.0, 2.0, 2.0]
    weight[1] = 5.0
    assert compiled(2.0).tolist() == [2.0, 10.0, 2.0]
    assert jit(part)(3.0).tolist() == [3.0, 15.0, 3.0]


@pytest.mark.parametrize("copied", [copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))], ids=["deepcopy", "pickle"])
def test_copies_of_cells(copied: Callable[[Any], Any]) -> None:
    net, x = Net(), Tensor(np.ones((2, 3), np.float32))
    first = net(x).asnumpy()
    other = copied(net)
    assert (other(x).asnumpy() == first).all()
    other.scale = 3.0
    other.extra.set_data(Tensor(np.zeros(2, np.float32)))
    assert (net(x).asnumpy() == first).all()
    assert np.allclose(other(x).asnumpy(), (first - 1) * 1.5, atol=1e-6)
    assert [p.name for p in other.trainable_params()] == [p.name for p in net.trainable_params()]


@pytest.mark.parametrize("copied", [copy.copy, copy.deepcopy, lambda v: pickle.loads(pickle.dumps(v))])
def test_copies_of_tensors(copied: Callable[[Any], Any]) -> None:
    for array in (np.arange(3.0), np.float32(2.5), np.arange(6).reshape(2, 3).T, np.zeros((0, 2))):
        tensor = Tensor(array)
        other = copied(tensor)
        assert other.dtype == tensor.dtype
        assert (other.asnumpy() == tensor.asnumpy()).all()
        assert jit(lambda x: x + 1)(other).asnumpy().tolist() == (tensor.asnumpy() + 1).tolist()


def test_copies_of_compiled_functions() -> None:
    assert pickle.loads(pickle.dumps(affine)) is affine
    assert copy.deepcopy(affine) is affine
    assert pickle.loads(pickle.dumps(jit(deep)))(3) == 3
    with pytest.raises((pickle.PicklingError, AttributeError)):
        pickle.dumps(jit(lambda x: x))
