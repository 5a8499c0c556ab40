"""Programs that fork at awkward times, run by test_forks.py in processes of their own: `python forking_programs.py NAME…`."""

from __future__ import annotations

import gc
import linecache
import multiprocessing
import os
import signal
import sys
import threading
import time
from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore import Parameter, Tensor, grad, jit

PATIENCE = 600.0
"""Seconds after which a child is taken to hang."""


def slow_to_compile(seed: int) -> Callable[..., Any]:
    """A function that takes a while to compile."""
    lines = ["def made(x, n):"]
    for k in range(6):
        lines += [
            f"    x = np.sin(x) * 0.0{seed}{k} + x[::-1]",
            f"    if n > {k}:",
            "        x = x.reshape(2, -1).ravel()",
        ]
    text, filename = "\n".join([*lines, "    return x.sum()\n"]), f"<slow {seed}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["made"]


FUNCTIONS = [jit(slow_to_compile(k)) for k in range(400)]
LIMIT = sys.getrecursionlimit()


@jit
def affine(x: Any) -> Any:
    return (x * 2.0 + 1.0).sum()


def works(seed: int = 0) -> bool:
    """Whether this process compiles and runs: something new, what another thread may have been compiling, and the pool."""
    fresh = jit(slow_to_compile(1000 + seed))
    right = np.isclose(fresh(np.ones(4), 3), slow_to_compile(1000 + seed)(np.ones(4), 3))
    for function in FUNCTIONS[:4]:
        function(np.ones(8), 3)
    return bool(right and affine(np.ones(400_000)) == 1_200_000.0)


def restored() -> bool:
    return gc.isenabled() and sys.getrecursionlimit() == LIMIT and signal.getsignal(signal.SIGINT) is INTERRUPTS


INTERRUPTS = signal.getsignal(signal.SIGINT)


def child(run: Callable[[], bool]) -> bool:
    """Whether a forked child ends well."""
    pid = os.fork()
    if pid == 0:
        good = False
        try:
            good = run()
        finally:
            os._exit(0 if good else 1)
    return waited(pid)


def waited(pid: int) -> bool:
    deadline = time.monotonic() + PATIENCE
    while time.monotonic() < deadline:
        done, status = os.waitpid(pid, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    os.waitpid(pid, 0)
    return False


class Busy:
    """Threads that do something over and over while a block runs."""

    def __init__(self, *work: Callable[[int], object]) -> None:
        self._over = False
        self._threads = [threading.Thread(target=self._repeat, args=(w,), daemon=True) for w in work]

    def _repeat(self, work: Callable[[int], object]) -> None:
        k = 0
        while not self._over:
            work(k)
            k += 1

    def __enter__(self) -> None:
        for thread in self._threads:
            thread.start()
        time.sleep(0.1)

    def __exit__(self, *_: object) -> None:
        self._over = True
        for thread in self._threads:
            thread.join(PATIENCE)


def compile_next(k: int) -> None:
    FUNCTIONS[k % len(FUNCTIONS)](np.ones(8), 3)


def while_threads_compile() -> bool:
    with Busy(compile_next, lambda k: compile_next(k + 200)):
        return all([child(lambda: restored() and works()) for _ in range(2)]) and works()


def while_a_thread_computes() -> bool:
    with Busy(lambda _: affine(np.ones(300_000)), compile_next):
        return all([child(works) for _ in range(2)]) and works()


def in_a_thread_while_the_main_thread_compiles() -> bool:
    found: list[bool] = []

    def fork() -> None:
        for _ in range(2):
            time.sleep(0.05)
            found.append(child(lambda: restored() and works()))

    thread = threading.Thread(target=fork)
    thread.start()
    k = 0
    while thread.is_alive():
        compile_next(k)
        k += 1
    return found == [True, True] and restored()


def in_a_handler_while_compiling() -> bool:
    found: list[bool] = []

    def handler(number: int, frame: Any) -> None:
        found.append(child(works))

    signal.signal(signal.SIGALRM, handler)
    signal.setitimer(signal.ITIMER_REAL, 0.02)
    k = 0
    while not found:
        compile_next(k)
        k += 1
    return found == [True] and works() and restored()


def in_a_handler_while_tasks_run() -> bool:
    """On several threads: the child gets an error in place of what it cannot compute, and goes on."""
    parent, children = os.getpid(), list[int]()
    forking = False
    long = np.broadcast_to(np.linspace(0.0, 1.0, 7000), (7000, 7000))
    kinds: list[tuple[Callable[..., Any], Any]] = [
        (lambda x: np.sin(x * x.T).sum(), long),
        (lambda x: np.tanh(x + 1.0).sum(1), long),
        (lambda x: np.tanh(x + 1.0).sum(0), long),
        (lambda x: np.tanh(x + 1.0).max(), long),
        (lambda x: x @ x, long[:1500, :1500]),
        (lambda x: np.sin(x) + np.cos(x), long),
    ]

    def handler(number: int, frame: Any) -> None:
        nonlocal forking
        if os.getpid() == parent and not forking:
            forking = True  # before the fork, in which the next signal may come
            pid = os.fork()
            if pid:
                children.append(pid)

    def goes_on(call: Callable[..., Any], x: Any, expected: Any) -> bool:
        try:
            found = call(x)
        except RuntimeError as error:
            if os.getpid() == parent or "forked" not in str(error):
                raise
            found = call(x)
        return bool(np.array_equal(found, expected))

    for function, x in kinds:
        compiled = jit(function)
        few = np.ascontiguousarray(x[:5, :5])
        expected, of_few = compiled(x), compiled(few)
        children.clear()
        forking = False
        before = signal.signal(signal.SIGALRM, handler)
        ended = False
        try:
            signal.setitimer(signal.ITIMER_REAL, 0.01, 0.01)
            while os.getpid() == parent and not children:
                ended = goes_on(compiled, x, expected)
            ended = ended and goes_on(compiled, few, of_few)
        finally:
            if os.getpid() != parent:
                os._exit(not ended)
            signal.setitimer(signal.ITIMER_REAL, 0.0)
            signal.signal(signal.SIGALRM, before)
        if not (ended and waited(children[0])):
            return False
    return True


def of_a_child() -> bool:
    with Busy(compile_next):
        return child(lambda: works(1) and child(lambda: works(2)) and works(3))


def while_a_gradient_is_taken() -> bool:
    weight = Parameter(Tensor([1.0, 2.0]), name="w")
    step = grad(lambda x: (x * weight).sum())

    def run_natively() -> bool:
        f = jit(lambda x: x + 1.0)
        f(1.0)
        before = f.specialisations[0].native_calls
        f(2.0)
        return f.specialisations[0].native_calls == before + 1

    from jitcore import PYNATIVE_MODE, context

    context.set_context(mode=PYNATIVE_MODE)
    with Busy(lambda _: step(Tensor([3.0, 4.0]))):
        return all([child(run_natively) for _ in range(2)])


def by_a_pool() -> bool:
    with Busy(compile_next), multiprocessing.get_context("fork").Pool(2) as pool:
        found = pool.map_async(affine, [np.ones(n) for n in (1, 3, 300_000)]).get(PATIENCE)
        return found == [3.0, 9.0, 900_000.0] and pool.map_async(works, [1]).get(PATIENCE) == [True]


def by_a_fork_server() -> bool:
    with Busy(compile_next), multiprocessing.get_context("forkserver").Pool(1) as pool:
        return pool.map_async(affine, [np.ones(3)]).get(PATIENCE) == [9.0]


if __name__ == "__main__":
    affine(np.ones(400_000))  # the thread pool has started
    failed = [name for name in sys.argv[1:] if not globals()[name]()]
    sys.exit(" ".join(failed) or 0)
