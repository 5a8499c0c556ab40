"""Signals while jitcore works: what a handler raises ends the call, whatever its class, and nothing is run twice."""

from __future__ import annotations

import gc
import linecache
import operator
import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from alarms import alarm, compiling, finalises, standing

from jitcore import Tensor, context, grad, jit, nn, ops
from jitcore.runtime import native
from jitcore.runtime.interrupts import is_from_handler
from jitcore.source import CompileError

FOREVER = 10**14
"""Rounds that nobody waits for: a watchdog ends the tests if they are run."""


class StoppedError(Exception):
    pass


class AbruptError(BaseException):
    pass


CLASSES = [StoppedError, AbruptError, KeyboardInterrupt, ValueError, TypeError, RecursionError, StopIteration, KeyError]


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


def interrupted(call: Callable[[], Any], cls: type[BaseException] = StoppedError) -> BaseException:
    """What a handler raised that interrupts a call while its machine code runs: the call must end with that very object."""
    raised = cls("by the handler")
    with alarm(raised, standing()) as handler:
        with pytest.raises(cls) as caught:
            call()
        assert caught.value is raised
        assert signal.getsignal(signal.SIGALRM) is handler
    return raised


# --- containers that compiled code changes ------------------------------------------------------------

scores = {"a": 1}
numbers = [1, 2]
log: list[int] = []
holder = SimpleNamespace(items=[3, 4])


class Counter:
    def __init__(self) -> None:
        self.n = 0


def of_a_list(values: list[int], n: int) -> int:
    for i in range(n):
        values[0] = values[0] ^ i
    return values[0]


def of_a_dict(values: dict[str, int], n: int) -> None:
    for i in range(n):
        values["a"] = values["a"] ^ i


def of_a_global(values: Any, n: int) -> None:
    for i in range(n):
        numbers[1] ^= i


def of_a_global_dict(values: Any, n: int) -> None:
    for i in range(n):
        scores["a"] ^= i


def of_a_log(values: Any, n: int) -> None:
    log.append(1)
    total = 0
    for i in range(n):
        total ^= i
    log.append(total)


def of_an_attribute(values: Counter, n: int) -> None:
    for i in range(n):
        values.n ^= i


def of_nested_lists(values: list[list[int]], n: int) -> None:
    for i in range(n):
        values[1][0] ^= i


def with_a_handler(values: list[int], n: int) -> None:
    try:
        for i in range(n):
            values[0] ^= i
    except ZeroDivisionError:
        values[0] = -1


CONTAINERS: list[tuple[Callable[..., Any], Callable[[], Any]]] = [
    (of_a_list, lambda: [7, 8]),
    (of_a_dict, lambda: {"a": 3}),
    (of_a_global, lambda: None),
    (of_a_global_dict, lambda: None),
    (of_a_log, lambda: None),
    (of_an_attribute, Counter),
    (of_nested_lists, lambda: [[1], [2]]),
    (with_a_handler, lambda: [5]),
]


def shown(value: Any) -> str:
    return repr((getattr(value, "n", value), scores, numbers, log))


@pytest.mark.parametrize(("function", "make"), CONTAINERS, ids=[f.__name__ for f, _ in CONTAINERS])
def test_an_interrupted_call_writes_nothing_to_containers_and_is_not_run_again(
    function: Callable[..., Any], make: Callable[[], Any]
) -> None:
    compiled, values = jit(function), make()
    compiled(values, 3)
    before = shown(values)
    for cls in (StoppedError, KeyboardInterrupt, TypeError):
        error = interrupted(lambda: compiled(values, FOREVER), cls)
        assert error.__context__ is None
        assert shown(values) == before
    compiled(values, 3)  # it is as good as before
    assert compiled.interpreted == 0


@pytest.mark.parametrize("cls", CLASSES)
def test_an_exception_of_any_class_ends_a_call_that_changes_a_list(cls: type[BaseException]) -> None:
    compiled, values = jit(of_a_list), [0]
    compiled(values, 2)
    interrupted(lambda: compiled(values, FOREVER), cls)


def test_what_is_raised_while_an_interrupt_is_handled_is_not_run_again() -> None:
    def other(values: list[int], n: int) -> None:
        try:
            for i in range(n):
                values[0] ^= i
        except KeyboardInterrupt:
            raise ValueError("instead") from None

    compiled, values = jit(other), [0]
    compiled(values, 2)
    with alarm(KeyboardInterrupt(), standing()), pytest.raises(ValueError, match="instead"):
        compiled(values, FOREVER)


def test_a_handler_that_raises_nothing_changes_nothing() -> None:
    seen: list[int] = []
    values, expected, compiled = [0], [0], jit(of_a_list)
    compiled(values, 1000)
    of_a_list(expected, 1000)
    assert values == expected
    signal.signal(signal.SIGALRM, lambda number, _: seen.append(number))
    signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
    while len(seen) < 3:  # twice the same is nothing
        compiled(values, 20_000_000)
        compiled(values, 20_000_000)
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    assert values == expected


# --- recursion ----------------------------------------------------------------------------------------


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def fib_of_floats(x: float) -> float:
    return x if x < 2.0 else fib_of_floats(x - 1.0) + fib_of_floats(x - 2.0)


def moves(n: int, a: int, b: int, c: int) -> int:
    return 0 if n == 0 else moves(n - 1, a, c, b) + 1 + moves(n - 1, c, b, a)


def is_even(n: int) -> bool:
    return True if n <= 0 else is_odd(n - 1) or is_odd(n - 2)


def is_odd(n: int) -> bool:
    return False if n <= 0 else is_even(n - 1) and is_even(n - 2)


def summed(x: np.ndarray, n: int) -> Any:
    return x.sum() if n == 0 else summed(x + 1.0, n - 1) + summed(x - 1.0, n - 1)


def guarded(n: int) -> int:
    try:
        return n if n < 2 else guarded(n - 1) + guarded(n - 2)
    except ZeroDivisionError:
        return 0


RECURSIONS = [
    (fib, (5,), (90,)),
    (fib_of_floats, (5.0,), (90.0,)),
    (moves, (3, 1, 2, 3), (70, 1, 2, 3)),
    (is_even, (5,), (120,)),
    (summed, (np.ones(3), 3), (np.ones(3), 60)),
    (guarded, (5,), (90,)),
]


@pytest.mark.parametrize(("function", "first", "args"), RECURSIONS, ids=[f.__name__ for f, *_ in RECURSIONS])
def test_branching_recursion_is_interrupted(
    function: Callable[..., Any], first: tuple[Any, ...], args: tuple[Any, ...]
) -> None:
    compiled = jit(function)
    expected = function(*first)
    assert compiled(*first) == expected
    error = interrupted(lambda: compiled(*args))
    names = []
    entry = error.__traceback__
    while entry is not None:
        names.append(entry.tb_frame.f_code.co_name)
        entry = entry.tb_next
    assert names.count(function.__name__) > 2, "the frames of the recursion"
    assert compiled(*first) == expected


# --- compiling ----------------------------------------------------------------------------------------


def program(seed: int) -> Callable[..., Any]:
    """A function that takes a while to compile."""
    lines = ["def made(x, n):"]
    for k in range(40):
        lines += [
            f"    x = np.sin(x) * 0.0{seed}{k} + x[::-1] * 0.5",
            f"    if n > {k}:",
            "        x = x.reshape(2, -1).ravel()",
        ]
    text, filename = "\n".join([*lines, "    return x.sum()\n"]), f"<interrupted {seed}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["made"]


@pytest.mark.parametrize(("seed", "cls"), list(enumerate([*CLASSES, CompileError])))
def test_compiling_is_interrupted_by_an_exception_of_any_class(seed: int, cls: type[BaseException]) -> None:
    def make(*_: Any) -> BaseException:
        return CompileError([]) if cls is CompileError else cls("by the handler")

    function = program(seed)
    compiled, x = jit(function), np.ones(8)
    raised = make()
    with alarm(raised, compiling(seed), period=0.005) as handler:
        with pytest.raises(cls) as caught:
            compiled(x, 3)
        assert caught.value is raised
        assert signal.getsignal(signal.SIGALRM) is handler
    assert compiled.specialisations == []
    if seed % 4 == 0:
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(compiled(x, 3)))  # no lock is held
        thread.start()
        thread.join(600)
        assert found == [pytest.approx(function(x, 3))]


def test_a_handler_that_installs_another_while_compiling_has_its_way() -> None:
    def second(signum: int, frame: Any) -> None:
        raise StoppedError

    def first(signum: int, frame: Any) -> None:
        signal.signal(signal.SIGALRM, second)

    function = program(100)
    signal.signal(signal.SIGALRM, first)
    signal.setitimer(signal.ITIMER_REAL, 0.01)  # a small part of what compiling takes
    assert jit(function)(np.ones(8), 3) == pytest.approx(function(np.ones(8), 3))
    assert signal.getsignal(signal.SIGALRM) is second


def test_handlers_see_themselves_installed_after_compiling() -> None:
    def handler(signum: int, frame: Any) -> None:
        raise StoppedError

    signal.signal(signal.SIGUSR1, handler)
    try:
        assert jit(lambda x: x + 1.0)(Tensor([1.0]))[0] == 2.0
        assert signal.getsignal(signal.SIGUSR1) is handler
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGUSR1, signal.SIG_DFL)


# --- where an exception is from -----------------------------------------------------------------------


class Callable_:
    def __call__(self, *given: Any) -> None:
        raise ValueError

    def method(self, signum: int, frame: Any) -> None:
        raise ValueError


def leaving(signum: int, frame: Any) -> None:
    signal.signal(signal.SIGALRM, signal.SIG_DFL)
    raise ValueError


def rebinding(signum: int, frame: Any) -> None:
    del frame
    raise ValueError


@pytest.mark.parametrize(
    "handler",
    [leaving, rebinding, Callable_(), Callable_().method, lambda *_: int("x"), lambda _, frame: [][signum_of(frame)]],
)
def test_an_exception_of_a_handler_is_known(handler: Any) -> None:
    signal.signal(signal.SIGALRM, handler)
    with pytest.raises((ValueError, IndexError)) as caught:
        signal.raise_signal(signal.SIGALRM)
    assert is_from_handler(caught.value)


def signum_of(frame: Any) -> int:
    return int(signal.SIGALRM)


@pytest.mark.parametrize("raises", [lambda: int("x"), lambda: [][1], lambda: Callable_()(), lambda: {}["a"]])
def test_an_exception_of_the_program_is_not_taken_for_a_handlers(raises: Callable[[], Any]) -> None:
    with pytest.raises((ValueError, IndexError, KeyError)) as caught:
        raises()
    assert not is_from_handler(caught.value)


# --- kernels ------------------------------------------------------------------------------------------


def test_an_interrupt_of_a_short_kernel_is_not_lost() -> None:
    """Kernels of any size look for signals, each 10 ms after the last look: whichever sees one, its exception comes out, and later calls are
    right."""
    network = nn.SequentialCell([nn.Dense(20, 20) for _ in range(200)])
    x = Tensor(np.ones((4, 20), np.float32))
    right = network(x).asnumpy()

    def handler(*_: Any) -> None:
        raise StoppedError

    def call(microseconds: int) -> None:
        signal.setitimer(signal.ITIMER_REAL, microseconds / 1e6)
        network(x)
        time.sleep(10.0)

    before = signal.signal(signal.SIGALRM, handler)
    try:
        for microseconds in range(40, 140, 2):
            time.sleep(0.012)
            with pytest.raises(StoppedError):
                call(microseconds)
            assert np.array_equal(network(x).asnumpy(), right)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0.0)
        signal.signal(signal.SIGALRM, before)


def test_kernels_that_would_take_hours_are_interrupted() -> None:
    command = [sys.executable, str(Path(__file__).with_name("interrupted_kernels.py"))]
    ended = subprocess.run(command, capture_output=True, timeout=1200, check=False)
    assert ended.returncode == 0, ended.stderr.decode()


def changed(x: np.ndarray) -> np.ndarray:
    y = x.copy()
    y[0] = 5.0
    return y


def filled(n: int) -> np.ndarray:
    x = np.zeros(n)
    x[0] = 1.0
    return x


def overwritten(x: np.ndarray, y: np.ndarray) -> None:
    y[:] = x


LETTING_GO: list[tuple[Callable[..., Any], tuple[Any, ...], tuple[Any, ...]]] = [
    (lambda n: np.sin(np.arange(n)).sum(), (3,), (30_000_000,)),
    (lambda n: np.sqrt(np.ones((n, n))).max(), (3,), (8000,)),
    (lambda x: np.sin(x[:, None] * x[None, :]).sum(), (np.ones(3),), (np.ones(5000),)),
    (lambda x, n: (x[:n] @ x[:n].T).sum(), (np.ones((800, 800)), 3), (np.ones((800, 800)), 800)),
    (fib, (5,), (33,)),
    (lambda x: x.copy(), (np.ones(3),), (np.ones(10_000_000),)),
    (lambda x: np.array(x[5:]), (np.ones(30),), (np.ones(10_000_000),)),
    (lambda x, y: np.concatenate((x, y)), (np.ones(3), np.ones(2)), (np.ones(5_000_000), np.ones(5_000_000))),
    (changed, (np.ones(3),), (np.ones(10_000_000),)),
    (filled, (3,), (10_000_000,)),
    (overwritten, (np.ones(3), np.zeros(3)), (np.ones(10_000_000), np.zeros(10_000_000))),
]


@pytest.mark.parametrize(("function", "first", "args"), LETTING_GO)
def test_other_threads_run_during_long_work_of_small_arguments(
    function: Callable[..., Any], first: tuple[Any, ...], args: tuple[Any, ...]
) -> None:
    compiled = jit(function)
    compiled(*first)
    compiled(*args)  # compiled for any extents
    ran, over = threading.Event(), threading.Event()

    def run() -> None:
        started.wait()
        ran.set()
        over.wait()

    started = threading.Event()
    thread = threading.Thread(target=run)
    thread.start()
    before = sys.getswitchinterval()
    sys.setswitchinterval(1000.0)  # no thread is asked for the GIL: it is let go or it is not
    try:
        started.set()
        deadline = time.monotonic() + 120
        while not ran.is_set() and time.monotonic() < deadline:  # the thread may need several calls to wake up
            compiled(*args)
        assert ran.is_set()
    finally:
        sys.setswitchinterval(before)
        over.set()
        thread.join()


spread = range(3)


def test_what_a_handler_raises_while_guards_are_checked_is_not_swallowed(monkeypatch: pytest.MonkeyPatch) -> None:
    def interrupt(*_: Any) -> bool:
        raise AbruptError

    compiled = jit(lambda x: x + len(spread))
    assert compiled(1.0) == compiled(1.0) == 4.0
    monkeypatch.setitem(globals(), "spread", range(3))  # another object, which has to be compared
    monkeypatch.setattr(native, "equal_statics", interrupt)
    with pytest.raises(AbruptError):
        compiled(1.0)
    monkeypatch.undo()
    assert compiled(1.0) == 4.0


class Asked:
    """What compiled code guards by running Python code of the user's: `ask` is called each time."""

    ask: Any = None

    @property
    def number(self) -> int:
        if Asked.ask is not None:
            Asked.ask()
        return 3


class AskedForMissing(Asked):
    def __getattr__(self, name: str) -> Any:
        if Asked.ask is not None:
            Asked.ask()
        raise AttributeError(name)


asked, asked_for_missing = Asked(), AskedForMissing()
GUARDED: list[Callable[[float], Any]] = [
    lambda x: x + asked.number,
    lambda x: x + 3 if not hasattr(asked_for_missing, "missing") else x,
    lambda x: x + len(spread),
]


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
@pytest.mark.parametrize("cls", [StoppedError, AbruptError, AttributeError, KeyError, TypeError, RecursionError])
@pytest.mark.parametrize("function", GUARDED, ids=["property", "hasattr", "comparison"])
def test_a_handlers_exception_of_any_class_ends_a_call_whose_guards_run_python(
    monkeypatch: pytest.MonkeyPatch, function: Callable[[float], Any], cls: type[BaseException]
) -> None:
    def interrupt(*_: Any) -> Any:
        runs.append(1)
        signal.raise_signal(signal.SIGALRM)
        return True

    def handler(signum: int, frame: Any) -> None:
        raise raised

    raised, runs = cls("by the handler"), list[int]()
    compiled = jit(function)
    expected = function(1.0)
    assert compiled(1.0) == compiled(1.0) == expected
    monkeypatch.setitem(globals(), "spread", range(3))  # another object, which has to be compared
    monkeypatch.setattr(native, "equal_statics", interrupt)
    monkeypatch.setattr(Asked, "ask", interrupt)
    signal.signal(signal.SIGALRM, handler)
    with pytest.raises(cls) as caught:
        compiled(1.0)
    assert caught.value is raised
    assert len(runs) == 1, "nothing is run twice"
    monkeypatch.undo()
    assert compiled(1.0) == expected


def test_an_exception_of_the_users_own_in_a_guard_is_not_taken_for_a_handlers(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise AttributeError("the property's own")

    compiled = jit(GUARDED[0])
    assert compiled(1.0) == compiled(1.0) == 4.0
    monkeypatch.setattr(Asked, "ask", fail)
    with pytest.raises(AttributeError):
        compiled(1.0)
    monkeypatch.undo()
    assert compiled(1.0) == 4.0


def compile_for_ever(seed: int) -> None:
    while True:
        jit(program(seed))(np.ones(8), 3)


def test_no_lock_is_held_after_compiling_was_interrupted() -> None:
    """Of ours or LLVM's, wherever it was interrupted: another thread compiles next."""
    for ticks in range(0, 40, 2):
        with pytest.raises(StoppedError), alarm(StoppedError(), compiling(ticks), period=0.002):
            compile_for_ever(1000 + ticks)
        found: list[Any] = []
        thread = threading.Thread(target=lambda: found.append(jit(lambda x: x * 2.0 + 1.0)(np.ones(3))[0]), daemon=True)  # noqa: B023
        thread.start()
        thread.join(600)
        assert found == [3.0]


# --- Python code of the library ------------------------------------------------------------------------


def traced(work: Callable[[], Any], place: int) -> int:
    """Run something and have a signal come at one of the lines of Python that it runs, outside of what calls objects that die; gives how many
    lines it runs. In a generator: where a trace function raises, CPython may keep what an `except` handled, which goes with the generator."""
    return next(_traced(work, place))


def _is_ours(frame: Any) -> bool:
    """Whether a line is the library's: NumPy takes a TypeError of a method for its own."""
    return str(frame.f_globals.get("__name__")).partition(".")[0] in ("jitcore", __name__.partition(".")[0])


def _traced(work: Callable[[], Any], place: int) -> Iterator[int]:
    lines = 0

    def trace(frame: Any, event: str, argument: Any) -> Any:
        nonlocal lines
        lines += event == "line"
        if event == "line" and lines == place and not finalises(frame) and _is_ours(frame):
            signal.raise_signal(signal.SIGALRM)
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        work()
    finally:
        sys.settrace(before)
    yield lines


def dense() -> Any:
    return nn.Dense(3, 4, activation="relu")(Tensor(np.ones((2, 3), np.float32)))


IN_PYTHON: dict[str, Callable[[], Any]] = {
    "operators": lambda: (Tensor([1.0, 2.0, 3.0]) + 2.0 * Tensor([4.0, 5.0, 6.0])).sum(),
    "in place": lambda: operator.iadd(Tensor([1.0, 2.0]), 3.0),
    "a NumPy function": lambda: np.sum(Tensor([1.0, 2.0])),
    "a Tensor of data": lambda: Tensor([[1.0, 2.0], [3.0, 4.0]], dtype=None),
    "an operator's class": lambda: ops.Add()(Tensor([1.0]), Tensor([2.0])),
    "a Cell": dense,
    "a gradient": lambda: grad(lambda x: (x * x).sum())(Tensor([1.0, 2.0])),
}


_APART = "JITCORE_TEST_LINES"


def test_handlers_at_every_line_in_a_process_of_its_own() -> None:
    """Which lines run depends on what ran before."""
    command = [
        sys.executable,
        "-m",
        "pytest",
        "-q",
        "-p",
        "no:cacheprovider",
        "-p",
        "no:xdist",
        __file__,
        "-k",
        "test_no_line_of_the_library",
    ]
    ended = subprocess.run(command, capture_output=True, text=True, env={**os.environ, _APART: "1"}, check=False)
    assert ended.returncode == 0, ended.stdout[-3000:]


@pytest.mark.skipif(_APART not in os.environ, reason="the test above runs it")
@pytest.mark.parametrize("cls", [StoppedError, TypeError, ValueError])
@pytest.mark.parametrize("work", IN_PYTHON.values(), ids=IN_PYTHON)
def test_no_line_of_the_library_swallows_what_a_handler_raises(
    work: Callable[[], Any], cls: type[BaseException]
) -> None:
    def handler(signum: int, frame: Any) -> None:
        came.append(1)
        raise raised

    context.set_context(mode=context.PYNATIVE_MODE)
    gc.disable()  # what is raised where a collection runs is lost, in Python, too
    try:
        for _ in range(3):
            work()
        lines = traced(work, 0)
        places = range(1, lines + 1, max(lines // 150, 1))
        signal.signal(signal.SIGALRM, handler)
        for place in places:
            raised, came = cls("by the handler"), list[int]()
            found: BaseException | None = None
            try:
                traced(work, place)
            except cls as error:
                found = error
            assert found is (raised if came else None), place
    finally:
        gc.enable()
        context.set_context(mode=context.GRAPH_MODE)
