"""What the soak does again and again: each scenario is a function of a seed, run in a process of its own, that raises on a fault.

python tests/soak/scenarios.py NAME SEED
"""

from __future__ import annotations

import gc
import itertools
import linecache
import os
import random
import resource
import subprocess
import sys
import tempfile
import threading
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

_HERE = Path(__file__).resolve().parent
sys.path[:0] = [str(_HERE.parent), str(_HERE.parent.parent)]


import numpy as np  # noqa: E402  the folders are on the path only now
from alarms import after, alarm  # noqa: E402

from jitcore import GRAPH_MODE, PYNATIVE_MODE, Parameter, Tensor, context, jit, nn  # noqa: E402
from jitcore.backends.native.host import runtime  # noqa: E402
from jitcore.train import load_checkpoint, save_checkpoint  # noqa: E402

TESTS = _HERE.parent
ITSELF = str(Path(__file__).resolve())


def program(rng: random.Random) -> Callable[..., Any]:
    """A random function of a vector and an int, new to the process."""
    steps = [
        "x = np.sin(x) * {k}",
        "x = x[::-1] + {k}",
        "x = np.maximum(x, {k}) - x",
        "x = x.reshape(2, -1).T.ravel() / 2.0",
    ]
    lines = ["def made(x, n):", "    t = 0.0"]
    for _ in range(rng.randint(2, 8)):
        lines.append("    " + rng.choice(steps).format(k=round(rng.uniform(-0.9, 0.9), 3)))
        if rng.random() < 0.5:
            lines += [
                f"    for i in range(n % {rng.randint(2, 9)}):",
                f"        t = t * 0.5 + x[i % 4] + {rng.randint(0, 9)}.0",
            ]
    text, filename = "\n".join([*lines, "    return t + x.sum()\n"]), f"<soak {rng.random()}>"
    linecache.cache[filename] = (len(text), None, text.splitlines(True), filename)
    namespace: dict[str, Any] = {"np": np}
    exec(compile(text, filename, "exec"), namespace)
    return namespace["made"]


def right(function: Callable[..., Any], compiled: Callable[..., Any], rng: random.Random) -> None:
    x, n = np.linspace(-1.0, 1.0, rng.choice([4, 8, 200, 40_000])), rng.randint(0, 50)
    np.testing.assert_allclose(compiled(x.copy(), n), function(x.copy(), n), rtol=1e-7, atol=1e-9)


def resident() -> float:
    """Megabytes of memory in use."""
    gc.collect()
    return _pages()[1] * resource.getpagesize() / 1e6


def address_space() -> int:
    """Bytes of addresses in use, which are more."""
    return _pages()[0] * resource.getpagesize()


def _pages() -> list[int]:
    with open("/proc/self/statm", encoding="ascii") as file:
        return [int(word) for word in file.read().split()]


def must_not_grow(sizes: list[float], most: float) -> None:
    """What leaks grows between any two measurements; allocators grow once."""
    grown = [b - a for a, b in itertools.pairwise(sizes)]
    assert min(grown) < most, f"{grown} MB more"


def other(name: str, *args: str, seconds: float = 900, **environment: str) -> subprocess.CompletedProcess[bytes]:
    """Run another Python program to its end; one that hangs is a fault."""
    env = {**os.environ, **environment}
    return subprocess.run([sys.executable, name, *args], capture_output=True, timeout=seconds, check=False, env=env)


def must_end_well(ended: subprocess.CompletedProcess[bytes]) -> None:
    assert ended.returncode == 0, (ended.args, ended.returncode, ended.stderr.decode()[-2000:])


# --- threads, forks, signals --------------------------------------------------------------------------


def threads_call_and_compile(rng: random.Random) -> None:
    functions = [program(rng) for _ in range(6)]
    compiled = [jit(f) for f in functions]
    faults: list[BaseException] = []

    def work(seed: int) -> None:
        own = random.Random(seed)
        try:
            for _ in range(30):
                k = own.randrange(len(functions))
                right(functions[k], compiled[k], own)
        except BaseException as error:
            faults.append(error)

    threads = [threading.Thread(target=work, args=(rng.random(),)) for _ in range(rng.randint(2, 8))]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not faults, faults


FORKS = (
    "while_threads_compile", "while_a_thread_computes", "in_a_thread_while_the_main_thread_compiles",
    "in_a_handler_while_compiling", "of_a_child", "while_a_gradient_is_taken", "by_a_pool", "by_a_fork_server",
)  # fmt: skip


def forks(rng: random.Random) -> None:
    must_end_well(other(str(TESTS / "forking_programs.py"), *rng.sample(FORKS, 2)))


class StoppedError(Exception):
    pass


class AbruptError(BaseException):
    pass


def fib(n: int) -> int:
    return n if n < 2 else fib(n - 1) + fib(n - 2)


def change(values: list[int], n: int) -> None:
    for i in range(n):
        values[0] ^= i


def signals_at_random_times(rng: random.Random) -> None:
    values = [0]
    work: list[Callable[[], Any]] = [
        lambda: jit(fib)(80),
        lambda: jit(change)(values, 10**13),
        lambda: jit(lambda x: np.sin(x).sum())(np.broadcast_to(1.5, 30_000_000_000)),
        lambda: [right(f, jit(f), rng) for f in iter(lambda: program(rng), None)],
        lambda: [nn.Dense(3, 4)(Tensor(np.ones((2, 3), np.float32))) for _ in iter(int, 1)],
    ]
    # imports are over: Python drops what is raised while it folds constants, some modules (numpy.random) more
    np.random.default_rng(0)
    function = program(rng)
    right(function, jit(function), rng)
    for _ in range(10):
        raised = rng.choice([StoppedError, AbruptError, KeyboardInterrupt, TypeError, KeyError, RecursionError])("soak")
        try:
            with alarm(raised, after(rng.uniform(0.001, 0.5)), period=0.002):
                rng.choice(work)()
        except BaseException as error:
            if error is not raised:
                raise
        assert values == [0]
        function = program(rng)
        right(function, jit(function), rng)


def endless_kernels(rng: random.Random) -> None:
    must_end_well(other(str(TESTS / "interrupted_kernels.py")))


# --- memory -------------------------------------------------------------------------------------------


def calls_without_growth(rng: random.Random) -> None:
    function, array = jit(lambda x, y: x * y + 1.0), np.ones(rng.choice([1, 5, 3000]))
    compiled, sizes = jit(program(rng)), list[float]()
    for k in range(300_000):
        function(array, 2.0)
        if k % 100 == 0:
            compiled(array[:4] if len(array) > 3 else np.ones(4), 3)
        if k % 100_000 == 0:
            sizes.append(resident())
    must_not_grow([*sizes[1:], resident()], 4)


def closures_in_loops(rng: random.Random) -> None:
    compiled = jit(lambda g, x: g(x) + 1.0)
    sizes = list[float]()
    for k in range(600):
        held = np.full(10_000, float(k))
        assert compiled(lambda x, held=held: x + held[0], 1.0) == k + 2.0
        assert jit(lambda x, held=held: x + held[0])(1.0) == k + 1.0
        if k >= 300 and k % 100 == 0:
            sizes.append(resident())
    must_not_grow([*sizes, resident()], 8)


def little_memory(rng: random.Random) -> None:
    must_end_well(other(ITSELF, "_in_little_memory", str(rng.random())))


def _in_little_memory(rng: random.Random) -> None:
    function = jit(lambda n: np.ones(n) * 2.0)
    assert function(10**6).sum() == 2e6  # the pool's threads have their stacks
    more = rng.randrange(10**8, 8 * 10**8)
    limit = address_space() + more
    resource.setrlimit(resource.RLIMIT_AS, (limit, limit))
    for k in range(20):
        size = rng.randrange(1, more // 32) if k % 2 else rng.randrange(more, 10**12)
        try:
            assert function(size).sum() == 2.0 * size
        except MemoryError:
            assert size >= more
        else:
            assert size < more
        assert function(5).tolist() == [2.0] * 5


# --- files --------------------------------------------------------------------------------------------


def killed(name: str, rng: random.Random, *args: str, **environment: str) -> None:
    """Run one of the programs below and kill it at some moment."""
    command = [sys.executable, ITSELF, name, str(rng.random()), *args]
    with subprocess.Popen(command, env={**os.environ, **environment}, stderr=subprocess.DEVNULL) as running:
        time.sleep(rng.uniform(0.5, 5.0))
        running.kill()


def killed_while_code_is_cached(rng: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        for _ in range(2):
            killed("_compile_much", rng, JITCORE_CACHE_DIR=folder)
        must_end_well(other(ITSELF, "_compile_some", "1", JITCORE_CACHE_DIR=folder))


def damaged_code_in_the_cache(rng: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        must_end_well(other(ITSELF, "_compile_some", "1", JITCORE_CACHE_DIR=folder))
        for file in (f for f in Path(folder).rglob("*") if f.is_file()):
            data = bytearray(file.read_bytes())
            if data and rng.random() < 0.7:
                for _ in range(rng.randint(1, 20)):
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
                file.write_bytes(data[: rng.randint(0, len(data))] if rng.random() < 0.3 else data)
        must_end_well(other(ITSELF, "_compile_some", "1", JITCORE_CACHE_DIR=folder))


def _compile_much(rng: random.Random) -> None:
    while True:
        function = program(rng)
        right(function, jit(function), rng)


def _compile_some(rng: random.Random) -> None:
    for _ in range(4):
        function = program(rng)
        right(function, jit(function), rng)


def content(k: int) -> dict[str, Parameter]:
    return {n: Parameter(Tensor(np.full(2000, k + j, np.float32)), name=n) for j, n in enumerate(("a.weight", "b"))}


def killed_while_saving(rng: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.ckpt"
        save_checkpoint(content(0), path)
        for _ in range(2):
            killed("_save_again_and_again", rng, str(path))
            found = load_checkpoint(path)
            first = float(np.asarray(found["a.weight"])[0])
            for name, wanted in content(int(first)).items():
                assert np.array_equal(np.asarray(found[name]), np.asarray(wanted)), name
        save_checkpoint(content(1), path)
        assert os.listdir(folder) == ["x.ckpt"], os.listdir(folder)


def _save_again_and_again(rng: random.Random, path: str) -> None:
    while True:
        save_checkpoint(content(rng.randrange(100)), path)


def damaged_checkpoints(rng: random.Random) -> None:
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "x.ckpt"
        save_checkpoint(content(7), path)
        whole = path.read_bytes()
        for _ in range(150):
            data = bytearray(whole)
            if rng.random() < 0.3:
                data = data[: rng.randrange(len(data))]
            for _ in range(rng.randint(0, 4)):
                if data:
                    data[rng.randrange(len(data))] ^= 1 << rng.randrange(8)
            path.write_bytes(data)
            try:
                found = load_checkpoint(path)
            except ValueError:
                continue
            for name, wanted in content(7).items():
                assert np.array_equal(np.asarray(found[name]), np.asarray(wanted)), name


# --- recursion, containers, threads' number -----------------------------------------------------------


def deep(n: int) -> int:
    return 0 if n == 0 else 1 + deep(n - 1)


def deep_recursion(rng: random.Random) -> None:
    compiled = jit(deep)
    for _ in range(5):
        try:
            compiled(10**8 + rng.randrange(10**6))
        except RecursionError:
            pass
        else:
            raise AssertionError("no RecursionError")
        assert compiled(100) == 100


def odd_containers(rng: random.Random) -> None:
    made: list[Any] = [[1.0], {"a": 1.0}, (1.0,), [2.0, 3.0]]
    for _ in range(rng.randint(5, 60)):
        made.append(
            rng.choice([lambda a, b: [a, b], lambda a, b: (a, b), lambda a, b: {"x": a, "y": b}])(
                *rng.choices(made[-3:], k=2)
            )
        )
        target = rng.choice(made)
        if isinstance(target, list) and rng.random() < 0.4:
            target.append(rng.choice(made))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for value in rng.sample(made, 5):
            assert jit(lambda v: len(v))(value) == len(value)
            assert jit(lambda value=value: len(value))() == len(value)
            assert jit(lambda: len(value))() == len(value)  # noqa: B023


def the_same_bits(rng: random.Random) -> None:
    net = nn.SequentialCell(nn.Dense(30, 40), nn.Tanh(), nn.Dense(40, 5))
    x = Tensor(
        np.random.default_rng(rng.randrange(10**9)).standard_normal((rng.randint(1, 400), 30)).astype(np.float32)
    )
    found: set[bytes] = set()
    for mode in (GRAPH_MODE, PYNATIVE_MODE):
        context.set_context(mode=mode)
        for count in (1, 2, 3, 7):
            runtime.set_thread_count(count)
            found.add(net(x).asnumpy().tobytes())
    assert len(found) == 1


SCENARIOS: tuple[Callable[[random.Random], None], ...] = (
    threads_call_and_compile, signals_at_random_times, odd_containers, damaged_checkpoints, the_same_bits, deep_recursion,
    forks, closures_in_loops, little_memory, killed_while_code_is_cached, damaged_code_in_the_cache, killed_while_saving,
    calls_without_growth, endless_kernels,
)  # fmt: skip

if __name__ == "__main__":
    globals()[sys.argv[1]](random.Random(sys.argv[2]), *sys.argv[3:])
