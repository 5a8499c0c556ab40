"""Long calls of NumPy's functions, and long kernels of one thread: a signal's handler cuts them short, and nothing else shows of that."""

# pyright: reportPrivateUsage=false

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from types import FrameType
from typing import Any

import numpy as np
import pytest
from alarms import alarm, standing

from jitcore import Tensor, jit, ops
from jitcore.primitives.core import long_calls
from jitcore.primitives.core.long_calls import LONG, interruptible

VALUES = np.random.default_rng(5).random(1_000_000)
MATRIX = np.random.default_rng(6).random((320, 320))
SYMMETRIC = MATRIX @ MATRIX.T + np.eye(320)


class StoppedError(Exception):
    pass


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = signal.getsignal(signal.SIGALRM)
    yield
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    signal.signal(signal.SIGALRM, before)


def waits(frame: FrameType | None) -> bool:
    """Whether the main thread waits for a call on another one."""
    return frame is not None and frame.f_code is long_calls._Call.wait.__code__


def interrupted(call: Callable[[], Any], is_due: Callable[[FrameType], bool] = waits, period: float = 0.001) -> None:
    raised = StoppedError()
    for _ in range(20):  # a fast machine may have ended the call before the signal came
        found: BaseException | None = None
        try:
            with alarm(raised, is_due, period):
                call()
        except StoppedError as error:
            found = error
        if found is not None:
            assert found is raised
            return
    raise AssertionError("it was never cut short")


HOST: dict[str, tuple[Callable[..., Any], Any]] = {
    "sort": (lambda x: np.sort(x), VALUES),
    "argsort": (lambda x: np.argsort(x, kind="stable"), VALUES),
    "sort of rows": (lambda x: np.sort(x, axis=0), VALUES.reshape(1000, 1000)),
    "median": (lambda x: np.median(x), VALUES),
    "percentile": (lambda x: np.percentile(x, 30.0), VALUES),
    "partition": (lambda x: np.partition(x, 7), VALUES),
    "searchsorted": (lambda x: np.searchsorted(x[:3], x), VALUES),
    "fft": (lambda x: np.fft.fft(x), VALUES),
    "rfft2": (lambda x: np.fft.rfft2(x), VALUES.reshape(1000, 1000)),
    "svd": (lambda x: np.linalg.svd(x), MATRIX),
    "eigh": (lambda x: np.linalg.eigh(x), SYMMETRIC),
    "qr": (lambda x: np.linalg.qr(x), MATRIX),
    "method": (lambda x: x.argsort(), VALUES),
}


@pytest.mark.parametrize("name", HOST)
def test_a_long_host_call_is_cut_short(name: str) -> None:
    function, x = HOST[name]
    compiled = jit(function)
    few = x[:9] if x.ndim == 1 else x[:9, :9]
    assert repr(compiled(few)) == repr(function(few))
    compiled(x)
    interrupted(lambda: compiled(x))
    assert repr(compiled(few)) == repr(function(few))
    assert compiled.interpreted == 0


@pytest.mark.parametrize("name", ["sort", "svd", "argsort"])
def test_line_by_line_they_are_cut_short_too(name: str) -> None:
    calls: dict[str, Callable[[], Any]] = {
        "sort": lambda: ops.sort(Tensor(VALUES)),
        "svd": lambda: np.linalg.svd(Tensor(MATRIX)),
        "argsort": lambda: Tensor(VALUES).argsort(),
    }
    interrupted(calls[name])


def test_nothing_is_written_when_a_call_is_cut_short() -> None:
    def changing(values: list[float], x: np.ndarray) -> None:
        values[0] = 7.0
        values[1] = float(np.sort(x)[0])

    compiled, values = jit(changing), [1.0, 2.0]
    compiled(values, VALUES)
    values[:] = [1.0, 2.0]
    interrupted(lambda: compiled(values, VALUES))
    assert values == [1.0, 2.0]


def test_handlers_that_raise_nothing_change_nothing() -> None:
    came, entered = list[Any](), list[int]()
    compiled, expected = jit(lambda x: np.sort(x)), np.sort(VALUES)

    def handler(number: int, frame: Any) -> None:
        if len(entered) < 3:
            entered.append(number)
            came.append(compiled(VALUES[: 2 * LONG]).sum())  # calls within calls

    for size in (3, 2 * LONG, len(VALUES)):
        compiled(VALUES[:size])
    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    while len(came) < 3:
        assert np.array_equal(compiled(VALUES), expected)
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    assert came == [came[0]] * len(came)  # a handler may come while another one asks how many there were


def test_what_a_call_left_alone_reads_is_its_own() -> None:
    """Its inputs may be changed or freed before it ends."""
    began, go_on, seen = threading.Event(), threading.Event(), list[Any]()

    def reading(x: Any) -> None:
        began.set()
        go_on.wait(60)
        seen.append(x.sum())

    x = np.ones(LONG)
    interrupted(lambda: interruptible(reading, (x,), {}), lambda frame: began.is_set() and waits(frame))
    x[:] = 5.0
    go_on.set()
    deadline = time.monotonic() + 60
    while not seen and time.monotonic() < deadline:
        time.sleep(0.001)
    assert seen[0] == LONG


class UnprintableError(ValueError):
    pass


def test_exceptions_come_out_of_the_wait_as_they_are() -> None:
    raised = UnprintableError("by the function")

    def failing(x: Any) -> None:
        raise raised

    with pytest.raises(UnprintableError) as caught:
        interruptible(failing, (VALUES,), {})
    assert caught.value is raised
    assert raised.__context__ is None
    singular = jit(lambda x: np.linalg.inv(x))
    singular(MATRIX)
    with pytest.raises(np.linalg.LinAlgError, match="Singular matrix"):
        singular(np.zeros((320, 320)))


def test_error_states_and_warnings_are_those_of_the_caller() -> None:
    def dividing(x: Any) -> Any:
        return x / 0.0

    with np.errstate(divide="raise"), pytest.raises(FloatingPointError):
        interruptible(dividing, (VALUES + 1.0,), {})
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        with np.errstate(divide="ignore"):
            assert np.isinf(interruptible(dividing, (VALUES + 1.0,), {})).all()
        with np.errstate(divide="warn"), pytest.raises(RuntimeWarning):
            interruptible(dividing, (VALUES + 1.0,), {})


def test_short_calls_and_those_of_other_threads_stay_where_they_are(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> None:
        raise AssertionError("a thread of its own")

    compiled = jit(lambda x: np.sort(x))
    compiled(VALUES[:3])
    compiled(VALUES[:4])
    monkeypatch.setattr(long_calls, "_Call", fail)
    assert np.array_equal(compiled(VALUES[: LONG // 2]), np.sort(VALUES[: LONG // 2]))
    found: list[Any] = []
    thread = threading.Thread(target=lambda: found.append(compiled(VALUES)))
    thread.start()
    thread.join()
    assert np.array_equal(found[0], np.sort(VALUES))


def test_where_there_are_no_threads_the_call_is_made_by_the_caller(monkeypatch: pytest.MonkeyPatch) -> None:
    def none_left(*_: Any) -> None:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(long_calls._thread, "start_new_thread", none_left)
    assert np.array_equal(jit(lambda x: np.sort(x))(VALUES), np.sort(VALUES))


@pytest.mark.skipif(not hasattr(os, "fork"), reason="this system has no fork")
def test_a_child_that_a_handler_forks_makes_the_call_itself() -> None:
    children: list[int] = []
    forking = False
    began = threading.Event()
    here = os.getpid()

    def slow(x: Any) -> Any:
        began.set()
        while os.getpid() == here and not children:
            time.sleep(0.001)
        return x.sum()

    def handler(number: int, frame: Any) -> None:
        nonlocal forking
        if began.is_set() and not forking and os.getpid() == here:
            forking = True  # before the fork, in which the next signal may come
            child = os.fork()
            if child:
                children.append(child)

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.005, 0.005)
    made = None
    try:
        made = interruptible(slow, (np.ones(100),), {})
    finally:
        if os.getpid() != here:
            os._exit(int(made != 100.0))
    signal.setitimer(signal.ITIMER_REAL, 0.0)
    assert made == 100.0
    assert os.waitstatus_to_exitcode(os.waitpid(children[0], 0)[1]) == 0


def test_the_interpreter_ends_while_a_call_goes_on() -> None:
    program = """
import signal, sys
import numpy as np
from jitcore import jit

def handler(number, frame):
    sys.exit(7)

sort = jit(lambda x: np.argsort(x, kind="stable"))
x = np.random.default_rng(0).random(3_000_000)
sort(x[:3]), sort(x[:5])
signal.signal(signal.SIGALRM, handler)
signal.setitimer(signal.ITIMER_REAL, 0.02)
while True:
    sort(x)
"""
    ended = subprocess.run([sys.executable, "-c", program], capture_output=True, timeout=300, check=False)
    assert (ended.returncode, ended.stderr) == (7, b"")


# --- kernels of one thread ------------------------------------------------------------------------------

ONES = np.ones(20_000_000, np.int8)
SERIAL: dict[str, tuple[Callable[..., Any], Any]] = {
    "cumsum": (lambda x: np.cumsum(x)[-1], ONES),
    "cumprod": (lambda x: np.cumprod(x)[-1], ONES),
    "along columns": (lambda x: np.cumsum(x, axis=0)[-1, 0], ONES.reshape(-1, 4)),
    "along rows": (lambda x: np.cumsum(x, axis=1)[-1, 0], ONES.reshape(4, -1)),
    "accumulate": (lambda x: np.add.accumulate(x)[-1], ONES),
    "running maximum": (lambda x: np.maximum.accumulate(x)[-1], ONES),
    "bincount": (lambda x: np.bincount(x)[1], ONES),
}


@pytest.mark.parametrize("name", SERIAL)
def test_a_kernel_of_one_thread_is_cut_short(name: str) -> None:
    function, x = SERIAL[name]
    compiled = jit(function)
    few = x[:5] if x.ndim == 1 else x[:5, :5]
    assert compiled(few) == function(few)
    result = compiled(x)
    interrupted(lambda: compiled(x), standing(1), 0.004)
    assert compiled(x) == result == function(x)
    assert compiled.interpreted == 0


def test_a_kernel_of_one_thread_that_would_take_hours_is_cut_short() -> None:
    command = [sys.executable, str(Path(__file__).with_name("interrupted_kernels.py")), "a count"]
    ended = subprocess.run(command, capture_output=True, timeout=600, check=False)
    assert ended.returncode == 0, ended.stderr.decode()
