"""LLVM in several threads: what is compiled in parts is what is compiled whole, and errors come back."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, jit, ops
from jitcore.backends.cpu import CPUBackend
from jitcore.backends.llvm import loading
from jitcore.backends.llvm.program import lowering as program
from jitcore.backends.llvm.program.lowering import LoweredProgram, lower_program
from jitcore.backends.native.engine import concurrency, engine
from jitcore.backends.native.engine.concurrency import Begun, Works


def in_turn(works: Sequence[Callable[[], Any]]) -> list[Any]:
    made = Works[Any]()
    for work in works:
        made.add(work)
    return made.results()


TEXT = "define double @{0}(double %x) {{\n  %y = fadd double %x, {1}.0\n  ret double %y\n}}\n"


def test_works_give_their_results_in_order() -> None:
    assert in_turn([]) == []
    assert in_turn([lambda k=k: k * k for k in range(20)]) == [k * k for k in range(20)]


def test_the_first_error_in_order_is_raised(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "_cores", lambda: 2)
    both = threading.Barrier(2)

    def failing(k: int) -> None:
        both.wait()
        raise ValueError(k)

    with pytest.raises(ValueError, match="0"):
        in_turn([lambda: failing(0), lambda: failing(1)])


def test_nothing_is_begun_after_an_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "_cores", lambda: 1)
    done: list[int] = []
    with pytest.raises(ZeroDivisionError):
        in_turn([lambda: done.append(0), lambda: 1 // 0, lambda: done.append(2)])
    assert done == [0]


def test_the_longest_is_begun_first(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(concurrency, "_cores", lambda: 1)
    done: list[int] = []
    works = Works[None]()
    for k, length in enumerate([2, 5, 1, 5]):
        works.add(lambda k=k: done.append(k), length)
    works.results()
    assert done == [1, 3, 0, 2]


def test_begun_work_gives_its_result_or_error() -> None:
    assert Begun(lambda: 5).result() == 5
    with pytest.raises(ZeroDivisionError):
        Begun(lambda: 1 // 0).result()


@pytest.mark.parametrize("level", [engine.BRIEF, engine.NO_PASSES, engine.LOOPS, engine.EVERYTHING])
def test_modules_compiled_at_once_have_the_code_of_those_compiled_alone(level: int) -> None:
    texts = [TEXT.format(f"f{k}", k) for k in range(8)]
    alone = [engine.compile_object(text, level) for text in texts]
    assert in_turn([lambda text=text: engine.compile_object(text, level) for text in texts]) == alone


def test_text_that_is_not_valid_is_told_from_any_thread() -> None:
    from jitcore.source import InternalError

    with pytest.raises(InternalError, match="not valid"):
        in_turn([lambda: engine.compile_object("define nothing")] * 3)


def test_kernels_are_compiled_in_parts(monkeypatch: pytest.MonkeyPatch) -> None:
    """Parts are cut by the text alone; what they compute is what one module does."""
    made: list[LoweredProgram] = []

    def keeping(*args: Any) -> LoweredProgram:
        made.append(lower_program(*args))
        return made[-1]

    monkeypatch.setattr(loading, "lower_program", keeping)

    def f(x, y):
        z = ops.exp(x) * y
        r = []
        for k in range(4):
            z = ops.softmax(z, axis=-1) + ops.sin(y) * k
            r.append(z.sum(0))
        return z, r[0], r[1], r[2], r[3]

    rng = np.random.default_rng(0)
    x, y = (Tensor(rng.standard_normal((70, 50)).astype(np.float32)) for _ in range(2))
    whole = jit(f)(x, y)
    monkeypatch.setattr(program, "PART", 200)
    monkeypatch.setattr(program, "BRIEF_PART", 60)
    monkeypatch.setattr(concurrency, "_cores", lambda: 3)
    parts = jit(lambda x, y: f(x, y))(x, y)
    for one, other in zip(whole, parts, strict=True):
        assert one.asnumpy().tobytes() == other.asnumpy().tobytes()
    assert len(made[0].modules) < len(made[1].modules)
    assert [m.level for m in made[1].modules].count(engine.BRIEF) >= 2
    assert len(made[1].modules) >= 5


_PARTS = """
import hashlib
import numpy as np
from jitcore import Tensor, jit, ops
from jitcore.backends.llvm import loading
from jitcore.backends.llvm.program import lowering

lower = lowering.lower_program
lowering.PART, lowering.BRIEF_PART = 200, 1

def shown(*args):
    made = lower(*args)
    print([hashlib.sha256(m.text.encode()).hexdigest() for m in made.modules])
    return made

loading.lower_program = shown

@jit
def f(x, y, z):
    r = [ops.softmax(x[: 70 - k] + 1.0, axis=-1).sum(0) for k in range(5)]
    return r, [ops.sin(z) * k + ops.cos(z) for k in range(5)], x @ y

f(*(Tensor(np.ones(s, np.float32)) for s in ((70, 50), (50, 60), (5,))))
"""


def test_parts_are_the_same_in_every_process() -> None:
    """Their texts name them in the cache: nothing may go by the order of a set."""
    texts = {
        subprocess.run(
            [sys.executable, "-c", _PARTS], env={**os.environ, "PYTHONHASHSEED": seed}, capture_output=True, text=True, check=True
        ).stdout
        for seed in ("1", "2", "3")
    }  # fmt: skip
    (text,) = texts
    assert text.count("'") > 8


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_a_child_that_was_forked_while_threads_compile_compiles_too() -> None:
    text = "\n".join(TEXT.format(f"f{k}", k) for k in range(300))
    stop = threading.Event()

    def compile_on() -> None:
        while not stop.is_set():
            engine.compile_object(text, engine.NO_PASSES)

    threads = [threading.Thread(target=compile_on) for _ in range(2)]
    for thread in threads:
        thread.start()
    try:
        for _ in range(3):
            child = os.fork()
            if not child:
                os._exit(0 if concurrency.unlocked("LLVMPY_TargetMachineEmitToMemory") else 1)
            _, status = os.waitpid(child, 0)
            assert status == 0
            with concurrency._gate:  # it is open again
                pass
    finally:
        stop.set()
        for thread in threads:
            thread.join()


def test_the_support_of_products_is_compiled_once_and_begun_early(monkeypatch: pytest.MonkeyPatch) -> None:
    """Programs with matrix products begin it as soon as they are inferred; any number of them compile it once."""
    from jitcore.backends.llvm import linking
    from jitcore.types import f32, i64

    made: list[str] = []
    done = threading.Event()

    def slow() -> Any:
        made.append("f32")
        done.wait(600)
        return made

    once = engine.once(slow)
    monkeypatch.setattr(linking, "_begun", set())
    monkeypatch.setattr(linking, "_CONTRACTIONS", {"f32": once})
    linking.begin([f32, i64])
    linking.begin([f32])
    done.set()
    assert once() is made
    assert made == ["f32"]


@pytest.mark.parametrize(
    ("function", "dtypes"),
    [
        (lambda x: x @ x, ["f32"]),
        (lambda x: x @ x + (x.astype(np.float64) @ x.astype(np.float64)).astype(np.float32), ["f32", "f64"]),
        (lambda x: x * x, []),
        (lambda x: (x @ x).sum() if x.sum() > 0 else x.sum(), ["f32"]),
    ],
)
def test_what_a_program_multiplies_is_told(
    monkeypatch: pytest.MonkeyPatch, function: Callable[[Any], Any], dtypes: list[str]
) -> None:
    told: list[str] = []
    prepare = CPUBackend.prepare

    def telling(self: Any, contracted: Any) -> None:
        contracted = list(contracted)
        told.extend(sorted(d.name for d in contracted))
        prepare(self, contracted)

    monkeypatch.setattr(CPUBackend, "prepare", telling)
    x = np.arange(4, dtype=np.float32).reshape(2, 2)
    np.testing.assert_allclose(jit(function)(x), function(x))
    assert told == dtypes


def test_networks_begin_the_native_type_when_they_are_made() -> None:
    code = (
        "from jitcore import nn\n"
        "from jitcore.backends.cpython import call_type\n"
        "nn.Dense(2, 2)\n"
        "assert len(call_type._begun) == 1\n"
        "from jitcore import jit\n"
        "assert jit(lambda x: x + 1)(2) == 3\n"
        "assert not call_type._begun\n"
    )
    subprocess.run([sys.executable, "-c", code], check=True, env={**os.environ, "JITCORE_CACHE_DIR": "off"})


def test_short_functions_and_those_called_once_are_inlined() -> None:
    from jitcore.backends.native.ir.text import with_inlining

    lines = "".join(f"  %v{k} = add i64 %x, {k}\n" for k in range(30))
    text = (
        "define internal i64 @short(i64 %x) nounwind {\n  ret i64 %x\n}\n"
        f"define internal {{ i64, i64 }} @long(i64 %x) {{\n{lines}  ret {{ i64, i64 }} zeroinitializer\n}}\n"
        f"define internal i64 @once(i64 %x) {{\n{lines}  ret i64 %v29\n}}\n"
        "define internal i64 @apart(i64 %x) noinline {\n  ret i64 %x\n}\n"
        "define i64 @run(i64 %x) {\n  %a = call i64 @short(i64 %x)\n  %b = call i64 @once(i64 %a)\n  %c = call i64 @apart(i64 %b)\n"
        "  %d = call { i64, i64 } @long(i64 %c)\n  %e = call { i64, i64 } @long(i64 %c)\n  ret i64 %c\n}\n"
    )
    marked = [line for line in with_inlining(text).splitlines() if "alwaysinline" in line]
    assert [line.partition("@")[2].partition("(")[0] for line in marked] == ["short", "once"]
    code = engine.compile_object(text, engine.EVERYTHING)
    run = engine.load_object(code, ("run",)).addresses["run"]
    assert run
