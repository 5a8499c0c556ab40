"""Functions that are compiled in part do what they do in plain Python, and their loops are compiled."""

from __future__ import annotations

import ast
import copy
import dataclasses
import gc
import json
import random
import threading
import traceback
import warnings
from collections.abc import Callable, Generator, Sequence
from typing import Any

import language_programs
import numpy as np
import pytest
import region_handler_programs  # noqa: F401  adds to CASES
import region_programs as programs
from outcomes import frozen
from region_programs import CASES, LOG, Log

from jitcore import Parameter, Tensor, context, frontend, grad, jit, nn
from jitcore.frontend.fetch import fetch
from jitcore.runtime import compile as driver
from jitcore.runtime.dispatch import CompiledFunction, FallbackWarning
from jitcore.runtime.regions import Regions
from jitcore.source import CompileError, Problem, Span

IDS = [function.__name__ for function, _, _ in CASES]


@dataclasses.dataclass(frozen=True)
class Outcome:
    """What a call did: its result or exception with its frames, its output, what it told, and its arguments afterwards."""

    result: Any
    error: Any
    output: str
    told: Any
    arguments: Any


def outcome(function: Callable[..., Any], args: Sequence[Any], capfd: pytest.CaptureFixture[str]) -> Outcome:
    """Call a function on copies of arguments."""
    args = copy.deepcopy(args)
    LOG.clear()
    capfd.readouterr()
    result, error = None, None
    with np.errstate(all="ignore"), warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        try:
            result = function(*args)
        except Exception as raised:
            frames = [(f.filename, f.name, f.lineno) for f in traceback.extract_tb(raised.__traceback__)]
            error = type(raised), str(raised), [f for f in frames if f[0] != __file__]
    return Outcome(frozen(result), error, capfd.readouterr().out, copy.deepcopy(frozen(tuple(LOG))), frozen(args))


@pytest.mark.parametrize(("function", "calls", "segments"), CASES, ids=IDS)
def test_as_plain(
    function: Callable[..., Any], calls: Sequence[tuple[Any, ...]], segments: int, capfd: pytest.CaptureFixture[str]
) -> None:
    compiled = jit(function)
    for args in (*calls, *calls):
        want = outcome(function, args, capfd)
        assert outcome(compiled, args, capfd) == want, args
    made = [s for s in compiled.regions.segments() if s.compiled.specialisations]
    assert len(made) >= segments, compiled.explain()
    if segments:
        assert compiled.regions.all()
    assert all(s.runs for s in made)


# --- where they come up -------------------------------------------------------------------------------


class Net(nn.Cell):
    """A Cell with a place that is not compiled, before and after which there is work."""

    def __init__(self) -> None:
        super().__init__()
        self.weight = Parameter(Tensor(np.ones((3, 2), np.float32)), "weight")
        self.seen = 0
        self.log = Log()

    def construct(self, x: Any) -> Any:
        h = x @ self.weight
        self.log.append(str(h.shape))
        self.seen = self.seen + 1
        y = h * 2.0 + 1.0
        return y.sum() * self.seen


class Deeper(Net):
    """A Cell that calls its base's construct, and another Cell, around a place that is not compiled."""

    def __init__(self) -> None:
        super().__init__()
        self.inner = Net()

    def construct(self, x: Any) -> Any:
        a = super().construct(x)
        self.log.append(json.dumps(3))
        b = self.inner(x * 2.0)
        return a + b * 3.0


@pytest.fixture(autouse=True)
def _quietly() -> Generator[None]:
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        yield


@pytest.fixture
def in_graph_mode() -> Generator[None]:
    mode = context.get_context("mode")
    context.set_context(mode=context.GRAPH_MODE)
    yield
    context.set_context(mode=mode)


@pytest.mark.usefixtures("in_graph_mode")
@pytest.mark.parametrize("cls", [Net, Deeper])
def test_cells(cls: type[Net]) -> None:
    x = Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    plain, net = cls(), cls()
    for _ in range(3):
        want = plain.construct(x)
        got = net(x)
        assert type(got) is type(want)
        assert frozen(got) == frozen(want)
    assert (net.seen, net.log) == (plain.seen, plain.log)
    compiled: Any = getattr(net, "inner", net).__dict__["_compiled"]
    assert any(s.compiled.specialisations for s in compiled.regions.segments())


@pytest.mark.usefixtures("in_graph_mode")
def test_gradients_go_through_regions() -> None:
    def forward(x: Any) -> Any:
        y = (x * x).sum()
        programs.tell("between")
        z = x * 3.0
        return y + z.sum()

    x = Tensor(np.array([1.0, 2.0, 3.0], np.float32))
    LOG.clear()
    found = grad(jit(forward))(x)
    assert found.asnumpy().tolist() == [5.0, 7.0, 9.0]
    assert LOG == [("between",)]
    net = Net()
    by_weight = grad(net, None, net.trainable_params())(Tensor(np.ones((2, 3), np.float32)))
    assert by_weight[0].asnumpy().tolist() == [[4.0, 4.0]] * 3


class Counter:
    """A class with a compiled method."""

    step = 2.0

    def __init__(self) -> None:
        self.total = 0.0
        self.__hidden = 3.0

    @jit
    def run(self, x: Any) -> float:
        for i in range(len(x)):
            self.total += x[i] * self.step * self.__hidden
        programs.tell(self.total)
        s = 0.0
        for i in range(len(x)):
            s += x[i] * self.total + self.__hidden
        return s


def test_methods_and_private_names() -> None:
    a, b = Counter(), Counter()
    x = np.arange(4.0)
    assert Counter.run.__wrapped__(a, x) == b.run(x)
    assert a.total == b.total
    assert len(Counter.run.regions.segments()) == 2


def test_a_bound_method() -> None:
    account = programs.Wallet(2.0)
    compiled = jit(account.worth)
    assert compiled(programs.A) == account.worth(programs.A)
    assert len(compiled.regions.segments()) == 2


def test_nothing_is_kept_of_functions_that_are_gone() -> None:
    from jitcore.frontend import fetch as registry

    def make() -> Any:
        def f(x: Any) -> Any:
            s = 0.0
            for i in range(len(x)):
                s += x[i]
            return json.loads(json.dumps(float(s)))

        return jit(f)

    make()(programs.A)
    frontend._known.clear()  # pyright: ignore[reportPrivateUsage]
    gc.collect()
    before = len(registry._registered)  # pyright: ignore[reportPrivateUsage]
    for _ in range(3):
        make()(programs.A)
    frontend._known.clear()  # pyright: ignore[reportPrivateUsage]
    gc.collect()
    assert len(registry._registered) <= before + 3  # pyright: ignore[reportPrivateUsage]


def test_a_signature_that_compiles_wholly() -> None:
    @jit
    def f(x: Any, v: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        size = len(v) if isinstance(v, str) else float(json.dumps(v))
        for i in range(len(x)):
            s += x[i] * size
        return s

    x = np.arange(3.0)
    assert f(x, "ab") == 9.0
    assert len(f.specialisations) == 1
    assert not f.regions.all()
    assert f(x, 2.0) == 9.0
    assert len(f.regions.all()) == 1
    assert len(f.regions.segments()) == 2
    assert f(x, "ab") == 9.0
    assert f.specialisations[0].calls == 2


def test_one_notice_names_the_lines_and_explain_tells_all() -> None:
    function = programs.several_regions
    first = function.__code__.co_firstlineno
    compiled = jit(function)
    with warnings.catch_warnings(record=True) as said:
        warnings.simplefilter("always")
        compiled(programs.A, 4)
        compiled(programs.A, 4)
    assert [w.category for w in said] == [FallbackWarning]
    notice = str(said[0].message)
    lines = [first + 5, first + 8, first + 11]
    assert all(f"line {line}" in notice for line in lines)
    assert "several_regions" in notice
    text = compiled.explain()
    for line in lines:
        assert f"in the interpreter: line {line}: calling" in text
    assert text.count("ran 2 times, ") == 3
    assert text.count("1 specialisations, ran 2 times") == 4
    for region in compiled.regions.all():
        assert region.runs == 2
        assert region.seconds > 0


def test_strict_refuses_as_ever() -> None:
    level = context.get_context("jit_syntax_level")
    context.set_context(jit_syntax_level="STRICT")
    try:
        with pytest.raises(CompileError, match="pickle"):
            jit(programs.a_call_between_loops)(programs.A, 3)
    finally:
        context.set_context(jit_syntax_level=level)


def test_callers_stay_compiled_around_a_callee() -> None:
    compiled = jit(programs.calls_a_function_with_regions)
    compiled(programs.A, 6)
    assert [r.first for r in compiled.regions.all()] == [
        programs.calls_a_function_with_regions.__code__.co_firstlineno + 3
    ]


def test_generators_are_run_whole() -> None:
    @jit
    def squares(n: int) -> Any:
        for i in range(n):
            yield i * i

    assert list(squares(4)) == [0, 1, 4, 9]
    assert not squares.regions.segments()


def test_what_sees_all_variables_is_run_whole() -> None:
    @jit
    def f(x: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        return sorted(locals()), s

    assert f(np.arange(3.0)) == (["i", "s", "x"], 3.0)


def test_recursion_through_a_region() -> None:
    assert Recursive.walk(6) == Recursive.plain(6)


class Recursive:
    """Two functions that do the same."""

    @staticmethod
    @jit
    def walk(n: int) -> Any:
        s = 0
        for i in range(n):
            s += i * i
        text = json.dumps(s)
        return [text] if n == 0 else [text, *Recursive.walk(n - 1)]

    @staticmethod
    def plain(n: int) -> Any:
        text = json.dumps(sum(i * i for i in range(n)))
        return [text] if n == 0 else [text, *Recursive.plain(n - 1)]


def test_threads() -> None:
    compiled = jit(programs.several_regions)
    want = programs.several_regions(programs.A, 4)
    got: list[Any] = []
    threads = [threading.Thread(target=lambda: got.extend(compiled(programs.A, 4) for _ in range(5))) for _ in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert got == [want] * 30
    assert len(compiled.regions.segments()) == 4


def test_interrupts_leave_through_the_driver() -> None:
    def interrupt(_: Any) -> None:
        raise KeyboardInterrupt

    @jit
    def f(x: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            s += x[i]
        json.dumps(s, default=interrupt)
        json.dumps(object(), default=interrupt)
        return s

    with pytest.raises(KeyboardInterrupt):
        f(np.arange(3.0))


def test_closures_of_the_function_itself() -> None:
    k = 2.0

    def f(x: Any) -> Any:
        s = 0.0
        for i in range(len(x)):
            s += x[i] * k
        programs.tell(s)
        for i in range(len(x)):
            s += x[i] * k * 2.0
        return s

    compiled = jit(f)
    for value in (2.0, 5.0):
        k = value
        assert compiled(programs.A) == f(programs.A)
    assert all(len(s.compiled.specialisations) == 1 for s in compiled.regions.segments())


def test_many_kinds_of_values_are_interpreted_at_last() -> None:
    @jit
    def f(x: Any, words: Any) -> Any:
        s = 0.0
        for w in words:
            w = tuple(json.loads(json.dumps(w)))
            for i in range(len(x)):
                s += x[i] * len(w)
        return s

    words = [[0] * n for n in range(40)]
    assert f(np.arange(3.0), words) == sum(3.0 * len(w) for w in words)
    assert sum(len(s.compiled.specialisations) for s in f.regions.segments()) <= 16
    assert "kinds of values already" in f.explain()


def test_a_segment_refused_for_the_same_reason_again_and_again_is_not_tried_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = 0
    compile_call = driver.compile_call

    def counted(*args: Any, **keywords: Any) -> Any:
        nonlocal tried
        tried += 1
        return compile_call(*args, **keywords)

    def f(a: Any, n: Any, m: Any, d: Any) -> Any:
        i, j = a, 0
        p = [a, n, 3]
        r = [[a], [n, 3], []]
        r.append(p)
        for _ in range(n):
            for _, h in enumerate(r):
                if sum(map(len, r)) > 400:
                    break
                h.append(m)
                j %= p[0]  # a list with two names, one of which is changed
        if m < 1e3 and j <= 0:
            return {"i": i, "u": [m, j]}
        return d, i

    monkeypatch.setattr(driver, "compile_call", counted)
    compiled = jit(f)
    assert compiled(-4, 4, 1, {"n": 4}) == f(-4, 4, 1, {"n": 4})
    assert tried < 32  # each list's length makes a class of calls: there are over 40


def test_native_frames_are_the_users() -> None:
    compiled = jit(programs.deep_error)
    with pytest.raises(IndexError) as caught:
        compiled(programs.A)
    frames = [f.name for f in traceback.extract_tb(caught.value.__traceback__)]
    assert frames[1:] == ["deep_error"]


# --- any statement ------------------------------------------------------------------------------------


def forced(function: Any, statements: Sequence[ast.stmt]) -> Any:
    """What runs a function if these statements of it cannot be compiled; None if nothing would be compiled."""
    name, file = function.__name__, fetch(function).file
    spans = [
        Span(file.name, s.lineno, file.column(s.lineno, s.col_offset), s.end_lineno or 0, s.end_col_offset or 0, name)
        for s in statements
    ]
    regions = Regions(function, lambda made, share: CompiledFunction(made, segment=True, share=share), False)
    return regions.driver(CompileError([Problem(span, "forced") for span in spans]))


@pytest.mark.parametrize("seed", range(2))
def test_wherever_a_function_is_split_it_does_the_same(seed: int, capfd: pytest.CaptureFixture[str]) -> None:
    chosen = random.Random(seed)
    split = 0
    for function, calls in chosen.sample([*language_programs.CASES, *((f, c) for f, c, _ in CASES)], 70):
        node = fetch(function).node
        if not isinstance(node, ast.FunctionDef):
            continue
        statements = [n for s in node.body for n in ast.walk(s) if isinstance(n, ast.stmt)]
        picked = chosen.sample(statements, min(len(statements), chosen.choice([1, 1, 2])))
        driver = forced(function, picked)
        if driver is None:
            continue
        split += 1
        for args in calls:
            want, got = outcome(function, args, capfd), outcome(driver, args, capfd)
            errors = [o.error and o.error[:2] for o in (want, got)]
            assert errors[0] == errors[1], (function, [s.lineno for s in picked], args)
            assert dataclasses.replace(want, error=None) == dataclasses.replace(got, error=None), (function, args)
    assert split > 15


def test_what_the_caller_handles_is_raised_again() -> None:
    @jit
    def again(n):
        total = 0
        for k in range(n):
            total += k
        raise

    def handled(n):
        try:
            return 1 // 0
        except ZeroDivisionError:
            again(n)

    with pytest.warns(FallbackWarning, match="outside of the handler"), pytest.raises(ZeroDivisionError):
        handled(3)
    with pytest.raises(RuntimeError, match="No active exception to reraise"):
        again(3)
