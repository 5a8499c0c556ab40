"""The thread pool: every task once, nesting, several callers, forks, the interpreter's end."""

from __future__ import annotations

import ctypes
import os
import subprocess
import sys
import threading
from collections.abc import Iterator

import pytest

from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime, threads

_TEXT = """
declare void @jc_parallel(ptr, ptr, i64)
; mark task i as done once more, at data[i]
define void @mark(ptr %data, i64 %i) {
  %place = getelementptr i64, ptr %data, i64 %i
  %old = atomicrmw add ptr %place, i64 1 monotonic
  ret void
}
; data[0] points to the marks, data[1] is their number: a region in a region
define void @nest(ptr %data, i64 %i) {
  %marks = load ptr, ptr %data
  %at = getelementptr i64, ptr %data, i64 1
  %n = load i64, ptr %at
  call void @jc_parallel(ptr @mark, ptr %marks, i64 %n)
  ret void
}
define void @run_marks(ptr %data, i64 %n) {
  call void @jc_parallel(ptr @mark, ptr %data, i64 %n)
  ret void
}
define void @run_nested(ptr %data, i64 %n) {
  call void @jc_parallel(ptr @nest, ptr %data, i64 %n)
  ret void
}
"""

needs_pool = pytest.mark.skipif(not threads.has_pool(), reason="regions run on the caller here")


class _Code:
    def __init__(self) -> None:
        names = ["run_marks", "run_nested"]
        self.loaded = engine.load_object(engine.compile_object(_TEXT), names, runtime.symbols())
        kind = ctypes.CFUNCTYPE(None, ctypes.c_void_p, ctypes.c_int64)
        self.marks, self.nested = (kind(self.loaded.addresses[n]) for n in names)

    def check(self, count: int) -> None:
        """Run a region and see that every task ran once."""
        marks = (ctypes.c_int64 * count)()
        self.marks(ctypes.addressof(marks), count)
        assert list(marks) == [1] * count


@pytest.fixture(scope="module")
def code() -> _Code:
    return _Code()


@pytest.fixture(autouse=True)
def _restored() -> Iterator[None]:
    before = runtime.thread_count()
    yield
    runtime.set_thread_count(before)


@pytest.mark.parametrize("count", [1, 2, 3, 8])
@pytest.mark.parametrize("tasks", [0, 1, 2, 7, 1000])
def test_every_task_runs_once(code: _Code, count: int, tasks: int) -> None:
    runtime.set_thread_count(count)
    for _ in range(20):
        code.check(tasks)


@needs_pool
def test_workers_start_with_the_first_region(code: _Code) -> None:
    runtime.set_thread_count(3)
    assert runtime.worker_count() == 0
    code.check(1)
    assert runtime.worker_count() == 0
    code.check(2)
    assert runtime.worker_count() == 2
    runtime.set_thread_count(1)
    assert runtime.worker_count() == 0


def test_a_number_of_threads_is_positive() -> None:
    with pytest.raises(ValueError, match="1 or more"):
        runtime.set_thread_count(0)


def test_nested_regions_run_in_order(code: _Code) -> None:
    runtime.set_thread_count(3)
    marks = (ctypes.c_int64 * 50)()
    data = (ctypes.c_int64 * 2)(ctypes.addressof(marks), 50)
    code.nested(ctypes.addressof(data), 9)
    assert list(marks) == [9] * 50


def test_many_callers_at_once(code: _Code) -> None:
    runtime.set_thread_count(3)
    failures: list[BaseException] = []

    def work() -> None:
        try:
            for _ in range(300):
                code.check(20)
        except BaseException as error:
            failures.append(error)

    callers = [threading.Thread(target=work) for _ in range(4)]
    for caller in callers:
        caller.start()
    for caller in callers:
        caller.join()
    assert not failures


def test_the_number_may_change_while_others_compute(code: _Code) -> None:
    stop = threading.Event()
    failures: list[BaseException] = []

    def work() -> None:
        try:
            while not stop.is_set():
                code.check(50)
        except BaseException as error:
            failures.append(error)

    caller = threading.Thread(target=work)
    caller.start()
    for count in (1, 2, 4, 1, 3, 2) * 5:
        runtime.set_thread_count(count)
    stop.set()
    caller.join()
    assert not failures


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no fork here")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_forked_child_starts_its_own_workers(code: _Code) -> None:
    runtime.set_thread_count(2)
    code.check(10)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            for _ in range(50):
                code.check(100)
            status = 0 if runtime.worker_count() == (1 if threads.has_pool() else 0) else 2
        finally:
            os._exit(status)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    code.check(10)


_PROGRAM = """
import ctypes, sys, threading
sys.path[:0] = {path!r}
from test_threads import _Code
from jitcore.backends.native.host import runtime
runtime.set_thread_count(3)
code = _Code()
code.check(100)
def forever():
    while True:
        code.check(10)
if {background}:
    threading.Thread(target=forever, daemon=True).start()
print("done")
"""


@pytest.mark.parametrize("background", [False, True])
def test_the_interpreter_ends(background: bool) -> None:
    """With workers spinning or asleep, and with a daemon thread still computing."""
    text = _PROGRAM.format(path=sys.path, background=background)
    ended = subprocess.run([sys.executable, "-c", text], capture_output=True, timeout=600, check=False)
    assert ended.stdout == b"done\n", ended.stderr
    assert ended.returncode == 0


def test_the_setting_says_how_many() -> None:
    text = "from jitcore.backends.native.host import runtime; print(runtime.thread_count())"
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    ended = subprocess.run(
        [sys.executable, "-c", text],
        capture_output=True,
        env={**os.environ, "JITCORE_THREADS": "5", "PYTHONPATH": root},
        timeout=600,
        check=True,
    )
    assert ended.stdout.strip() == (b"5" if threads.has_pool() else b"1")


_SMALL: dict[str, str] = {
    "a sum": "x + y",
    "a function of each element": "ops.exp(x)",
    "a comparison": "x > y",
    "a reduction": "x.sum()",
    "a matrix product": "ops.matmul(m, m)",
    "in place": "ops.assign(p, y)",
    "of float64": "d * d",
    "of ints": "k // 3",
    "a softmax": "ops.softmax(m)",
    "a transposed copy": "m.T + m",
}


@needs_pool
def test_small_kernels_stay_on_the_caller_s_thread() -> None:
    """Each line by line and compiled; large ones start the pool."""
    program = f"""
import numpy as np
from jitcore import Parameter, Tensor, jit, ops
from jitcore.backends.native.host import runtime

def made(n):
    return dict(
        x=Tensor(np.arange(n, dtype=np.float32)), y=Tensor(np.ones(n, np.float32)), d=Tensor(np.ones(n)), k=Tensor(np.arange(n)),
        m=Tensor(np.ones((4, 4), np.float32)), p=Parameter(Tensor(np.zeros(n, np.float32))), ops=ops,
    )

small, large = made(4), made(1 << 22)
for name, text in {_SMALL!r}.items():
    function = eval(f"lambda x, y, d, k, m, p, ops: {{text}}")
    for call in (function, jit(function)):
        for _ in range(50):
            call(**small)
    assert runtime.worker_count() == 0, name
large["x"] + large["y"]
assert runtime.worker_count() == 2
"""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    ended = subprocess.run(
        [sys.executable, "-c", program],
        capture_output=True,
        text=True,
        env={**os.environ, "JITCORE_THREADS": "3", "PYTHONPATH": root},
        timeout=600,
        check=False,
    )
    assert ended.returncode == 0, ended.stderr
