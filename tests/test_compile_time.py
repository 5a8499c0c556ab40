"""What keeps compilation short, without looking at a clock: how often things are done, and how much code there is."""

from __future__ import annotations

import ctypes
import gc
import os
import re
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from fuzz.comparison import define

from jitcore import Parameter, Tensor, jit, nn, ops
from jitcore.backends.llvm.program.lowering import LoweredProgram, lower_program
from jitcore.backends.native.engine import engine
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.backends.native.link import object_cache
from jitcore.config import settings
from jitcore.ir.nodes import Graph, Module
from jitcore.passes.infer.engine import entry, loops
from jitcore.passes.registry import Pass, run_passes
from jitcore.runtime import compile as driver
from jitcore.source import NOWHERE, CompileError


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Grows by one at each attempt at inferring a program."""
    made: list[int] = []
    attempt = entry._attempt

    def counted(*args: Any) -> Any:
        made.append(1)
        return attempt(*args)

    monkeypatch.setattr(entry, "_attempt", counted)
    return made


class Many(nn.Cell):
    """Writes to ten Parameters, a local array and its argument."""

    def __init__(self) -> None:
        super().__init__()
        self.weights = tuple(Parameter(Tensor(np.full(3, k, np.float32)), name=f"w{k}") for k in range(10))

    def construct(self, x):
        total = x * 0
        for weight in self.weights:
            ops.assign(weight, weight + x)
            total[0] = total[0] + weight[1]
        x[2] = 100.0
        return total


def test_all_writes_are_found_in_one_attempt(attempts: list[int]) -> None:
    cell = Many()
    x = Tensor(np.array([1, 2, 3], np.float32))
    total = cell(x)
    assert len(attempts) == 2
    assert total.asnumpy().tolist() == [sum(range(10)) + 10 * 2, 0, 0]
    assert x.asnumpy().tolist() == [1, 2, 100]
    assert [w.asnumpy().tolist() for w in cell.weights] == [[k + 1, k + 2, k + 3] for k in range(10)]


def test_errors_of_a_void_attempt_do_not_count(attempts: list[int]) -> None:
    """The first attempt goes on as if the array was not written to; only what the last one finds is the program's."""

    @jit
    def f(x, y):
        x[0] = 1.0
        z = x if y.sum() > 0 else y
        z[1] = 5.0
        return x, y

    x, y = np.zeros(3), np.ones(3)
    f(x, y)
    assert x.tolist() == [1, 5, 0]
    assert y.tolist() == [1, 1, 1]
    assert len(attempts) <= 3


def test_errors_are_reported_after_writes() -> None:
    @jit
    def f(x):
        x[0] = 1.0
        return x.undefined_attribute

    before = settings.jit_syntax_level
    settings.update(jit_syntax_level="STRICT")
    try:
        with pytest.raises((CompileError, AttributeError), match="undefined_attribute"):
            f(np.zeros(2))
    finally:
        settings.update(jit_syntax_level=before)


# --- passes -------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Counting(Pass):
    """Does nothing, or something, and says that it ran."""

    name: ClassVar[str] = "counting"
    label: str
    changes: bool
    ran: tuple[list[str], ...]

    def run(self, module: Module) -> Module:
        self.ran[0].append(self.label)
        return Module(module.entry, dict(module.graphs)) if self.changes else module

    def __hash__(self) -> int:
        return hash(self.label)


def test_passes_that_do_nothing_do_not_run_again() -> None:
    ran: list[str] = []
    idle, busy = Counting("idle", False, (ran,)), Counting("busy", True, (ran,))
    module = Module("f", {"f": Graph("f", (), (), (), NOWHERE)})
    seen: list[tuple[str, bool]] = []
    last = run_passes(
        module, (idle, idle, busy, idle, busy, idle, idle), lambda p, m: seen.append((p.label, m is module))
    )
    assert ran == ["idle", "busy", "idle", "busy", "idle"]
    assert [label for label, _ in seen] == ["idle", "idle", "busy", "idle", "busy", "idle", "idle"]
    assert last is not module


# --- LLVM modules ---------------------------------------------------------------------------------------


def test_divided_modules_are_linked() -> None:
    module = LLVMModule()
    module.declare("declare double @sqrt(double)")
    module.define("table", "@table = internal constant [2 x double] [double 4.0, double 9.0]")
    module.define("count", "@count = internal global [1 x i64] zeroinitializer, align 8")
    module.define(
        "work",
        "define internal double @work(double %x) noinline {\n"
        "  %n = load i64, ptr @count\n  %m = add i64 %n, 1\n  store i64 %m, ptr @count\n"
        "  %y = call double @sqrt(double %x)\n  ret double %y\n}",
    )
    module.define(
        "run",
        "define double @run(i64 %i) {\n"
        "  %at = getelementptr double, ptr @table, i64 %i\n  %x = load double, ptr %at\n"
        "  %y = call double @work(double %x)\n  %n = load i64, ptr @count\n  %f = sitofp i64 %n to double\n"
        "  %z = fadd double %y, %f\n  ret double %z\n}",
    )
    module.define("again", "define double @again() {\n  %y = call double @run(i64 1)\n  ret double %y\n}")
    assert module.functions() == ("work", "run", "again")
    main, apart = module.divided({"run"})
    codes = [engine.compile_object(main), engine.compile_object(apart, engine.BRIEF)]
    loaded = engine.load_object(codes, ("run", "again"))
    run = ctypes.CFUNCTYPE(ctypes.c_double, ctypes.c_int64)(loaded.addresses["run"])
    again = ctypes.CFUNCTYPE(ctypes.c_double)(loaded.addresses["again"])
    assert [run(0), run(1), again()] == [3.0, 5.0, 6.0]


def test_variables_that_begin_with_numbers_are_one_in_divided_modules() -> None:
    module = LLVMModule()
    module.define("count", "@count = global i64 5")
    module.define("run", "define i64 @run() {\n  %n = load i64, ptr @count\n  ret i64 %n\n}")
    module.define("put", "define void @put(i64 %n) {\n  store i64 %n, ptr @count\n  ret void\n}")
    main, apart = module.divided({"run"})
    codes = [engine.compile_object(main), engine.compile_object(apart, engine.BRIEF)]
    loaded = engine.load_object(codes, ("run", "put"))
    run = ctypes.CFUNCTYPE(ctypes.c_int64)(loaded.addresses["run"])
    put = ctypes.CFUNCTYPE(None, ctypes.c_int64)(loaded.addresses["put"])
    assert run() == 5
    put(7)
    assert run() == 7


@pytest.fixture
def lowered(monkeypatch: pytest.MonkeyPatch) -> list[LoweredProgram]:
    """The programs that are lowered."""
    from jitcore.backends.llvm import loading

    made: list[LoweredProgram] = []

    def keeping(*args: Any) -> LoweredProgram:
        made.append(lower_program(*args))
        return made[-1]

    monkeypatch.setattr(loading, "lower_program", keeping)
    return made


def levels(program: LoweredProgram) -> list[tuple[int, set[str]]]:
    """The level of each module, and the functions it defines."""
    return [(m.level, set(re.findall(r"(?m)^define .*?@([\w.]+)\(", m.text))) for m in program.modules]


def test_only_work_is_compiled_with_care(lowered: list[LoweredProgram]) -> None:
    @jit
    def f(x, y):
        return ops.exp(x), y * 2.0

    x, y = Tensor(np.zeros((256, 256), np.float32)), Tensor(np.ones(4, np.float32))
    a, b = f(x, y)
    assert a.asnumpy().sum() == 256 * 256
    assert b.asnumpy().tolist() == [2, 2, 2, 2]
    (hot, work), (brief, rest) = levels(lowered[-1])
    assert (hot, brief) == (engine.NO_PASSES, engine.BRIEF)
    assert all("exp" in name and name.endswith(".piece") for name in work)
    assert "run" in rest
    assert any("mul" in name for name in rest)


@pytest.mark.parametrize("shape", [(500, 16), (500, 32), (30, 20, 4, 8), (300, 16, 2)])
def test_short_sums_of_whole_rows_are_not_written_out(lowered: list[LoweredProgram], shape: tuple[int, ...]) -> None:
    """They would be read element by element; nor do such sums change their bits, which depend on their lengths alone."""
    x = np.random.default_rng(0).standard_normal(shape).astype(np.float32)
    axes = tuple(range(2 if len(shape) == 4 else 1, len(shape)))

    def scaled(x):
        return x.sum(axes) * 3.0

    got = jit(scaled)(x)
    assert sum(m.text.count("\n") for m in lowered[-1].modules) < 300
    whole = jit(scaled)(np.asfortranarray(x))
    assert got.tobytes() == whole.tobytes()
    np.testing.assert_allclose(got, scaled(x), rtol=1e-5, atol=1e-5)


def test_numbers_are_one_brief_module(lowered: list[LoweredProgram]) -> None:
    @jit
    def f(a, b):
        return a * b + a

    assert f(2.0, 3.0) == 8.0
    assert levels(lowered[-1]) == [(engine.BRIEF, {"run"})]


def test_loops_and_recursion_are_not_brief(lowered: list[LoweredProgram]) -> None:
    @jit
    def loop(n):
        total = 0
        for k in range(n):
            total = total + k * k
        return total

    @jit
    def fib(n):
        return n if n < 2 else fib(n - 1) + fib(n - 2)

    assert loop(10) == 285
    assert fib(10) == 55
    for program in lowered[-2:]:
        assert all(level != engine.BRIEF for level, _ in levels(program))


def test_loops_around_work_are_brief(lowered: list[LoweredProgram]) -> None:
    """What a round takes besides a kernel with some work adds little; where the kernel is short, or what is computed
    of numbers is a loop of its own, it adds much."""

    @jit
    def steps(x, n):
        for k in range(n):
            x = ops.sin(x) * k
        return x

    @jit
    def counted(x, n):
        total = 0
        for k in range(n):
            for j in range(k):
                total = total + j * k
            x = ops.sin(x) + total
        return x

    def level_of_entry() -> int:
        return next(level for level, names in levels(lowered[-1]) if "run" in names)

    for function, size, want in ((steps, 40, engine.BRIEF), (steps, 3, engine.LOOPS), (counted, 40, engine.LOOPS)):
        x = np.linspace(0.0, 1.0, size * size).reshape((size, size))
        line_by_line = function.__wrapped__(Tensor(x), 5).asnumpy()
        np.testing.assert_allclose(jit(function.__wrapped__)(Tensor(x), 5).asnumpy(), line_by_line)
        assert level_of_entry() == want


def test_failures_of_one_kind_end_in_one_block(lowered: list[LoweredProgram]) -> None:
    """LLVM compares the blocks at the ends of a function with each other."""
    sums = "\n".join(f"        total = total * {k + 2} + {k}" for k in range(12))
    plain = define(f"def f(n):\n    total = n\n    for k in range(n):\n{sums}\n    return total\n", "f", {})
    compiled = jit(plain)
    assert compiled(1) == plain(1)
    text = lowered[-1].text
    assert text.count("label %fail") > 12
    assert text.count("@jc_fail(") <= 3


def test_scales_of_one_make_no_code(lowered: list[LoweredProgram]) -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(Tensor(np.array([1.0, 2.0], np.float32)), name="w")

        def construct(self, x):
            return (self.w * x).sum()

    net = Net()
    step = nn.TrainOneStepCell(net, nn.Momentum(net.trainable_params(), learning_rate=0.5, momentum=0.0))
    x = Tensor(np.array([1.0, 1.0], np.float32))
    step(x)
    assert "_div" not in lowered[-1].text
    assert net.w.asnumpy().tolist() == [0.5, 1.5]
    step.sens = 2.0
    step.optimizer.loss_scale = 4.0
    step(x)
    assert net.w.asnumpy().tolist() == [0.25, 1.25]


# --- around compilation -----------------------------------------------------------------------------------


@pytest.mark.parametrize("enabled", [True, False])
def test_the_collector_is_as_it_was(enabled: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    during: list[bool] = []
    infer = driver.infer

    def watched(*args: Any) -> Any:
        during.append(gc.isenabled())
        return infer(*args)

    monkeypatch.setattr(driver, "infer", watched)
    (gc.enable if enabled else gc.disable)()
    try:
        assert jit(lambda x: x + 1)(2) == 3
        assert gc.isenabled() is enabled
    finally:
        gc.enable()
    assert during == [False]


def test_quick_code_is_not_kept(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "cache_dir", str(tmp_path / "cache"))
    object_cache.cached(object_cache.Part("text", 0, engine.host(), lambda: b"code", worth_keeping=3600.0))
    assert not (tmp_path / "cache").exists()
    object_cache.cached(object_cache.Part("text", 0, engine.host(), lambda: b"code"))
    assert len(list((tmp_path / "cache").iterdir())) == 1


def test_the_cache_is_trimmed(tmp_path: Path) -> None:
    for k in range(10):
        file = tmp_path / f"{k}.o"
        file.write_bytes(b"x" * 100)
        os.utime(file, (1000 + k, 1000 + k))
    (tmp_path / "other").write_bytes(b"x" * 1000)
    object_cache.trim(tmp_path, 1000)
    assert len(list(tmp_path.iterdir())) == 11
    object_cache.trim(tmp_path, 900)
    assert sorted(f.name for f in tmp_path.iterdir()) == ["6.o", "7.o", "8.o", "9.o", "other"]
    object_cache.trim(tmp_path / "missing", 0)


def test_what_is_used_is_trimmed_last(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "cache_dir", str(tmp_path))
    for text in ("one", "two", "three"):
        object_cache.cached(object_cache.Part(text, 0, engine.host(), lambda: b"code"))
    for file in tmp_path.iterdir():
        os.utime(file, (1000, 1000))

    def never() -> bytes:
        raise AssertionError("it is in the cache")

    assert object_cache.cached(object_cache.Part("one", 0, engine.host(), never)) == b"code"
    object_cache.trim(tmp_path, 100)
    assert len(list(tmp_path.iterdir())) == 1
    assert object_cache.cached(object_cache.Part("one", 0, engine.host(), never)) == b"code"


@pytest.mark.parametrize("header", ["for k{0} in range(n):", "while n > k{0}:"])
def test_nested_loops_are_inferred_in_proportion(monkeypatch: pytest.MonkeyPatch, header: str) -> None:
    """Not twice as often for every loop around."""
    bodies: list[int] = []
    run_body = loops._run_body

    def counted(*args: Any) -> Any:
        bodies.append(1)
        return run_body(*args)

    monkeypatch.setattr(loops, "_run_body", counted)

    def count(depth: int) -> int:
        parameters = "n, " + ", ".join(f"k{i}" for i in range(depth))
        lines = [f"def f({parameters}):", "    s = 0"]
        lines += ["    " * (i + 1) + header.format(i) for i in range(depth)]
        lines += ["    " * (depth + 1) + "s = s + 1", "    " * (depth + 1) + "n = n - 1", "    return s", ""]
        plain = define("\n".join(lines), "f", {})
        bodies.clear()
        assert jit(plain)(1, *[0] * depth) == plain(1, *[0] * depth)
        return len(bodies)

    assert count(12) <= 4 * count(4)


def test_kernels_of_other_extents_are_one(lowered: list[LoweredProgram]) -> None:
    """What goes through arrays in order, whatever their shapes; not where a zero has another sign, or an axis is stretched."""
    shapes = [(1025,), (40, 70), (20, 30, 5, 4), (6000,), (64, 64), (3, 500), (1,)]
    arrays = [np.random.default_rng(k).standard_normal(s).astype(np.float32) for k, s in enumerate(shapes)]

    def stepped(*given):
        return tuple([np.exp(a) * 0.5 - a for a in given])

    def signed(*given):
        return tuple([np.copysign(a, 0.0 if k % 2 else -0.0) for k, a in enumerate(given)])

    for function in (stepped, signed):
        compiled = jit(function)(*arrays)
        kernels = [n for _, names in levels(lowered[-1]) for n in names if n.startswith("kernel.") and "piece" not in n]
        general = [name for name in kernels if name.endswith(".of.any.extent")]
        assert len(general) == {stepped: 1, signed: 2}[function]
        for got, want, array in zip(compiled, function(*arrays), arrays, strict=True):
            alone = jit(function)(array)[0]
            assert function is signed or got.tobytes() == alone.tobytes()
            np.testing.assert_allclose(got, want, rtol=1e-6)
            assert np.signbit(got).tolist() == np.signbit(want).tolist()


_YOUNG = """
import gc
from jitcore.headroom import without_collector

def made():
    gc.collect()
    with without_collector():
        kept = [[] for _ in range(10_000)]
    assert gc.isenabled()
    return kept, sum(any(one is kept[0] for one in gc.get_objects(generation)) for generation in (0, 1))

kept, young = made()
assert not young and not gc.get_freeze_count()
others, young = made()
assert young
gc.freeze()
frozen = gc.get_freeze_count()
made()
assert gc.get_freeze_count() >= frozen > 20_000
"""


def test_what_was_compiled_is_not_looked_through_for_garbage_every_time() -> None:
    done = subprocess.run([sys.executable, "-c", _YOUNG], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
