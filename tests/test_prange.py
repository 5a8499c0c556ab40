"""Loops over `prange`: they give what Python gives, on any number of threads, or are refused."""

from __future__ import annotations

import copy
import math
import os
import signal
import threading
from collections.abc import Callable, Generator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import jit, prange
from jitcore.backends.native.host import runtime
from jitcore.source import RaceError
from tests.built_libraries import library_of
from tests.prange_programs import DEPENDENT, INDEPENDENT


@pytest.fixture(autouse=True)
def strict() -> Generator[None]:
    before = jitcore.get_context("jit_syntax_level"), runtime.thread_count()
    jitcore.set_context(jit_syntax_level="STRICT")
    runtime.set_thread_count(3)
    yield
    jitcore.set_context(jit_syntax_level=before[0])
    runtime.set_thread_count(before[1])


@pytest.mark.parametrize("name", INDEPENDENT)
def test_independent_rounds(name: str) -> None:
    function, arguments = INDEPENDENT[name]
    given = arguments()
    wanted_given, compiled_given = copy.deepcopy(given), copy.deepcopy(given)
    compiled = jit(parallel=True)(function)
    with np.errstate(all="ignore"):
        wanted = function(*wanted_given)
    got = compiled(*compiled_given)
    for a, b in zip(wanted_given, compiled_given, strict=True):
        np.testing.assert_allclose(b, a, rtol=1e-12)
    if wanted is None:
        assert got is None
    else:
        several = wanted if isinstance(wanted, tuple) else (wanted,)
        for a, b in zip(several, got if isinstance(got, tuple) else (got,), strict=True):
            assert type(a) is type(b)
            np.testing.assert_allclose(b, a, rtol=1e-12)
    again = copy.deepcopy(given)
    runtime.set_thread_count(1)
    one = compiled(*again)
    np.testing.assert_equal(one, got)
    for a, b in zip(again, compiled_given, strict=True):
        np.testing.assert_array_equal(a, b)


@pytest.mark.parametrize("name", DEPENDENT)
@pytest.mark.parametrize("level", ["STRICT", "LAX"])
def test_rounds_that_depend_on_one_another(name: str, level: str) -> None:
    jitcore.set_context(jit_syntax_level=level)
    function, arguments, place, said = DEPENDENT[name]
    with pytest.raises(RaceError) as refused:
        jit(parallel=True)(function)(*arguments())
    text = str(refused.value)
    assert place in text
    assert said in text
    assert "instead: " in text


@pytest.mark.parametrize("name", DEPENDENT)
def test_without_parallel_rounds_are_in_order(name: str) -> None:
    function, arguments, _, _ = DEPENDENT[name]
    given = arguments()
    wanted_given, compiled_given = copy.deepcopy(given), copy.deepcopy(given)
    wanted = function(*wanted_given)
    np.testing.assert_equal(jit(function)(*compiled_given), wanted)
    for a, b in zip(wanted_given, compiled_given, strict=True):
        np.testing.assert_equal(b, a)


def test_rounds_run_on_several_threads() -> None:
    function, arguments = INDEPENDENT["flat"]
    compiled = jit(parallel=True)(function)
    compiled(*arguments())
    assert "runs rounds on all cores: line" in compiled.explain()
    assert runtime.worker_count() == 2


def test_line_by_line_it_is_range() -> None:
    assert prange(2, 9, 3) == range(2, 9, 3)


def raising(first: int, second: int, n: int) -> int:
    s = 0
    for i in prange(n):
        if i == first:
            raise ValueError("the first")
        if i == second:
            raise KeyError(i)
        s += i
    return s


@pytest.mark.parametrize(("first", "second"), [(5000, 300), (300, 5000), (9999, 9998), (0, 1), (9999, -1), (-1, -1)])
def test_the_exception_of_the_lowest_round(first: int, second: int) -> None:
    compiled = jit(parallel=True)(raising)

    def outcome(function: Callable[..., int]) -> tuple[Any, ...]:
        try:
            return (function(first, second, 10000),)
        except (ValueError, KeyError) as error:
            trace = error.__traceback__
            while trace is not None and trace.tb_next is not None:
                trace = trace.tb_next
            assert trace is not None
            return type(error), error.args, trace.tb_lineno

    assert outcome(compiled) == outcome(raising)


def test_indices_and_ints_are_checked() -> None:
    @jit(parallel=True)
    def fill(out: Any, n: int) -> None:
        for i in prange(n):
            out[i] = i

    @jit(parallel=True)
    def total(n: int, by: int) -> int:
        s = 0
        for i in prange(n):
            s += i * by
        return s

    @jit(parallel=True)
    def caught(out: Any, n: int) -> int:
        try:
            for i in prange(n):
                out[i] = i
        except IndexError:
            return -1
        return 1

    out = np.zeros(50)
    with pytest.raises(IndexError, match="index 50 is out of bounds for axis 0 with size 50"):
        fill(out, 1000)
    with pytest.raises(OverflowError):
        total(1000, 1 << 60)
    assert (caught(out, 50), caught(out, 51), caught(out, 50)) == (1, -1, 1)


def test_floats_do_not_depend_on_threads() -> None:
    @jit(parallel=True)
    def series(n: int) -> float:
        s = 0.0
        for i in prange(n):
            s += 1.0 / (i + 1)
        return s

    found: set[float] = set()
    for count in (1, 2, 3, 8):
        runtime.set_thread_count(count)
        found.add(series(12345))
    assert len(found) == 1
    np.testing.assert_allclose(found.pop(), series.__wrapped__(12345), rtol=1e-13)


@jit(parallel=True)
def work(n: int, m: int) -> float:
    s = 0.0
    for i in prange(n):
        t = 0.0
        for j in range(m):
            t += 1.0 / (j + i + 1)
        s += t
    return s


def test_an_interrupt_ends_it() -> None:
    work(10, 10)
    timer = threading.Timer(0.2, os.kill, (os.getpid(), signal.SIGINT))
    timer.start()
    with pytest.raises(KeyboardInterrupt):
        work(1 << 20, 1 << 20)
    timer.join()
    assert work(10, 10) == work(10, 10)


def test_several_threads_of_python_and_a_forked_child() -> None:
    wanted = work(500, 500)
    found: list[float] = []
    threads = [threading.Thread(target=lambda: found.append(work(500, 500))) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [wanted] * 4
    child = os.fork()
    if child == 0:
        os._exit(0 if work(500, 500) == wanted else 1)
    assert os.waitpid(child, 0)[1] == 0


def test_rounds_have_arrays_and_kernels_of_their_own() -> None:
    @jit(parallel=True)
    def products(a: Any, b: Any, out: Any) -> None:
        for i in prange(a.shape[0]):
            t = a[i] @ b
            u = np.zeros(t.shape[0])
            for j in range(t.shape[0]):
                u[j] = t[j, 0] + i
            u = u * 2.0
            out[i] = u.sum() + t.sum()

    rng = np.random.default_rng(0)
    a, b = rng.standard_normal((20, 30, 40)), rng.standard_normal((40, 30))
    wanted, got = np.zeros(20), np.zeros(20)
    products.__wrapped__(a, b, wanted)
    products(a, b, got)
    np.testing.assert_allclose(got, wanted)
    before = runtime.blocks_in_use()
    for _ in range(3):
        products(a, b, got)
        with pytest.raises(IndexError):
            products(a, b, got[:5])
    assert runtime.blocks_in_use() == before


def test_gradients_and_vmap() -> None:
    @jit(parallel=True)
    def energy(x: Any) -> Any:
        s = 0.0
        for i in prange(x.shape[0]):
            s += x[i] ** 3
        return s

    x = jitcore.Tensor(np.arange(6.0))
    np.testing.assert_allclose(jitcore.grad(energy)(x).asnumpy(), 3 * np.arange(6.0) ** 2)
    rows = np.arange(12.0).reshape(3, 4)
    np.testing.assert_allclose(jitcore.vmap(energy)(jitcore.Tensor(rows)).asnumpy(), (rows**3).sum(1))


def test_what_calls_python_runs_in_order(capsys: pytest.CaptureFixture[str]) -> None:
    @jit(parallel=True)
    def told(n: int) -> int:
        s = 0
        for i in prange(n):
            print(i)
            s += i
        return s

    with pytest.warns(jitcore.PerformanceWarning, match="runs rounds of prange in order") as warned:
        assert told(5) == 10
    assert "for i in prange(n):" in str(warned[0].message)
    assert "runs rounds in order: line" in told.explain()
    assert capsys.readouterr().out == "0\n1\n2\n3\n4\n"


def test_jit_again_in_parallel_and_what_cannot_be() -> None:
    function, arguments = INDEPENDENT["conditional"]
    plain = jit(function)
    parallel = jit(plain, parallel=True)
    assert parallel is not plain
    assert parallel(*arguments()) == plain(*arguments())
    with pytest.raises(TypeError, match="parallel=True"):
        jit(print, parallel=True)


def test_functions_of_numbers_are_called_by_rounds() -> None:
    @jit(parallel=True)
    def quotients(out: Any, by: int, n: int) -> None:
        for i in prange(n):
            out[i] = (i + (1 << 60)) / (by + i)

    wanted, got = np.zeros(500), np.zeros(500)
    quotients.__wrapped__(wanted, 3, 500)
    quotients(got, 3, 500)
    np.testing.assert_array_equal(got, wanted)
    with pytest.raises(ZeroDivisionError):
        quotients(got, -250, 500)

    @jit(parallel=True)
    def factorials(out: Any, n: int) -> None:
        for i in prange(n):
            out[i] = float(math.factorial(i % 15)) + math.comb(i, 2)

    wanted, got = np.zeros(60), np.zeros(60)
    factorials.__wrapped__(wanted, 60)
    factorials(got, 60)
    np.testing.assert_array_equal(got, wanted)


def test_parts_between_what_is_interpreted() -> None:
    jitcore.set_context(jit_syntax_level="LAX")

    @jit(parallel=True)
    def mixed(x: Any, kept: list[Any]) -> Any:
        kept.append(os.getpid())
        s = 0.0
        for i in prange(x.shape[0]):
            s += x[i]
        return s

    @jit(parallel=True)
    def wrong(x: Any, kept: list[Any]) -> Any:
        kept.append(os.getpid())
        for i in prange(x.shape[0]):
            x[0] = i
        return x

    kept: list[Any] = []
    with pytest.warns(jitcore.FallbackWarning):
        assert mixed(np.arange(2000.0), kept) == 1999000.0
    assert kept == [os.getpid()]
    assert any(member.compilation.rounds for s in mixed.regions.segments() for member in s.compiled.specialisations)
    with pytest.warns(jitcore.FallbackWarning), pytest.raises(RaceError, match="the same place of x"):
        wrong(np.arange(2000.0), kept)


def test_methods_and_attributes() -> None:
    class Grid:
        def __init__(self, n: int) -> None:
            self.now = np.arange(float(n)) ** 2
            self.then = np.zeros(n)
            self.total = 0.0

        @jit(parallel=True)
        def step(self) -> float:
            for i in prange(1, self.now.shape[0] - 1):
                self.then[i] = 0.5 * (self.now[i - 1] + self.now[i + 1])
            for i in prange(self.now.shape[0]):
                self.total += self.then[i]
            return self.total

    made, plain = Grid(100), Grid(100)
    for _ in range(3):
        np.testing.assert_allclose(made.step(), Grid.step.__wrapped__(plain))
    np.testing.assert_allclose(made.then, plain.then)


def sums(x: Any, by: float) -> Any:
    out = np.zeros(x.shape[0])
    total = 0.0
    for i in prange(x.shape[0]):
        t = 0.0
        for j in range(50):
            t += 10.0 / (float(x[i]) + by + j)
        out[i] = t
        total += t
    return out, total


def test_loaded_models_and_libraries(tmp_path: Path) -> None:
    x = np.arange(300.0)
    parallel = jit(parallel=True)(sums)
    jitcore.export(parallel, (x, 2.5), tmp_path / "model")
    loaded = jitcore.load(tmp_path / "model")
    wanted = parallel(x, 2.5)
    for got in (loaded(x, 2.5), sums(x, 2.5)):
        np.testing.assert_allclose(got[0], wanted[0])
        np.testing.assert_allclose(got[1], wanted[1])
    assert "runs rounds on all cores" in parallel.explain()
    made = library_of(parallel, (x, 2.5), tmp_path, "sums", 2)
    out, total = made(x, 2.5)
    np.testing.assert_array_equal(out, wanted[0])
    assert total == wanted[1]
    with pytest.raises(RuntimeError, match="ZeroDivisionError"):
        made(x, -120.0)
    np.testing.assert_array_equal(made(x, 2.5)[0], wanted[0])


def test_extents_that_differ_from_call_to_call() -> None:
    names = ("histogram", "columns", "columns_made_anew", "rows", "windows", "statistics", "largest_by_remainder")
    compiled = {name: jit(parallel=True)(INDEPENDENT[name][0]) for name in names}
    rng = np.random.default_rng(1)
    for n in (40, 50, 2, 1, 0, 300):
        x = rng.standard_normal((n, 3 + n % 7))
        cases: dict[str, tuple[Any, ...]] = {
            "histogram": (np.arange(n) * 7 % (n + 5), np.zeros(n + 5, np.int64)),
            "columns": (x,),
            "columns_made_anew": (x,),
            "rows": (np.zeros_like(x), x),
            "windows": (np.zeros(n * 4), np.arange(float(n)), 4),
            "statistics": (rng.standard_normal(n + 1),),
            "largest_by_remainder": (rng.standard_normal(n),),
        }
        for name, given in cases.items():
            function = INDEPENDENT[name][0]
            wanted_given, compiled_given = copy.deepcopy(given), copy.deepcopy(given)
            wanted, got = function(*wanted_given), compiled[name](*compiled_given)
            if wanted is not None:
                np.testing.assert_allclose(np.asarray(got[0]), np.asarray(wanted[0]), rtol=1e-9, atol=1e-12)
            for a, b in zip(wanted_given, compiled_given, strict=True):
                np.testing.assert_allclose(b, a, rtol=1e-12)
    assert all(len(made.specialisations) <= 4 for made in compiled.values())
