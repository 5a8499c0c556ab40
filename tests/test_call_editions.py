"""Native calls' code in two editions: the first one serves some calls, the better one all after them."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from jitcore.signature import struct_layout

pytestmark = pytest.mark.skipif(struct_layout.layout() is None, reason="this interpreter has no native calls")

PRELUDE = """
import ctypes, os, threading
from jitcore import Tensor, jit
from jitcore.backends.cpython.call_code import OBJECT_VECTORCALL
from jitcore.backends.native.link.editions import ENOUGH

@jit
def f(x, k=2):
    return x * k

@jit
def seldom(x):
    return x + 1

def code_of(function):
    return ctypes.c_void_p.from_address(id(function) + OBJECT_VECTORCALL).value

def call(times):
    for k in range(times):
        assert f(k) == 2 * k
        assert f(Tensor([1.0, 2.0]), k=3).asnumpy().tolist() == [3.0, 6.0]

def wait():
    for thread in threading.enumerate():
        if thread.name == "jitcore.llvm":
            thread.join()

kept = f(Tensor([1.0, 2.0]))
call(3)
assert seldom(1) == 2
first = code_of(f)
"""


def run(folder: Path, program: str, cache: str = "off") -> str:
    """What a program prints in a process of its own."""
    file = folder / "program.py"
    file.write_text(PRELUDE + program)
    environment = {**os.environ, "JITCORE_CACHE_DIR": cache, "PYTHONPATH": str(Path(__file__).parent.parent)}
    ended = subprocess.run([sys.executable, file], env=environment, capture_output=True, text=True, check=False)
    assert ended.returncode == 0, ended.stderr
    return ended.stdout.strip()


def test_many_calls_get_better_code(tmp_path: Path) -> None:
    program = """
call(100)
assert code_of(f) == first
call(ENOUGH)
wait()
call(2)
assert code_of(f) != first == code_of(seldom)
assert seldom(1) == 2
assert code_of(seldom) == code_of(f) == code_of(jit(lambda x: x))
assert kept.asnumpy().tolist() == [2.0, 4.0]
del kept
call(100)
print("better")
"""
    assert run(tmp_path, program) == "better"


def test_calls_of_functions_of_arrays_get_better_code(tmp_path: Path) -> None:
    program = """
import gc
import numpy as np
from jitcore.backends.cpython import array_calls

@jit
def inverse(x):
    return np.linalg.inv(x)

def codes():
    return {r._words[array_calls.r.HOST_FUNCTION] for r in gc.get_objects() if isinstance(r, array_calls.HostRecord)}

x = np.array([[2.0, 1.0], [1.0, 3.0]])
before = inverse(x)
(brief,) = codes()
assert code_of(f) == first  # it has not had the better edition made
call(ENOUGH)
wait()
(better,) = codes()
assert brief != better
assert (inverse(x) == before).all() and (before == np.linalg.inv(x)).all()

@jit
def determinant(x):
    return np.linalg.det(x)

assert determinant(x) == np.linalg.det(x)
assert codes() == {better}
print("better")
"""
    assert run(tmp_path, program) == "better"


def test_what_a_handler_raises_while_better_code_is_begun_ends_the_call(tmp_path: Path) -> None:
    program = """
def interrupted(*args):
    raise KeyboardInterrupt

threading.Thread.start = interrupted
raised = 0
for k in range(ENOUGH + 10):
    try:
        assert f(k) == 2 * k
    except KeyboardInterrupt:
        raised += 1
assert raised == 1
assert code_of(f) == first
print("once")
"""
    assert run(tmp_path, program) == "once"


def test_without_a_thread_calls_stay_as_they_are(tmp_path: Path) -> None:
    program = """
def full(*args):
    raise RuntimeError("can't start new thread")

threading.Thread.start = full
call(ENOUGH)
assert code_of(f) == first
print("same")
"""
    assert run(tmp_path, program) == "same"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_forked_child_makes_better_code_itself(tmp_path: Path) -> None:
    program = """
threading.Thread.start, start = lambda thread: None, threading.Thread.start  # what a fork leaves of a thread
call(ENOUGH)
threading.Thread.start = start
child = os.fork()
if not child:
    call(ENOUGH)
    wait()
    call(2)
    os._exit(code_of(f) == first)
assert os.waitpid(child, 0)[1] == 0
print("better")
"""
    assert run(tmp_path, program) == "better"


def test_better_code_that_was_kept_serves_all_calls(tmp_path: Path) -> None:
    program = """
call(ENOUGH)
wait()
call(1)
print(code_of(f) != first, code_of(f) == code_of(jit(lambda x: x)))
"""
    runs = [run(tmp_path, program, cache=str(tmp_path)) for _ in range(2)]
    assert runs == ["True True", "False True"]


def test_contractions_give_the_same_bits_in_both_editions(tmp_path: Path) -> None:
    program = """
import numpy as np
from jitcore import nn, ops
from jitcore.backends.llvm import linking
from jitcore.backends.native.link import editions

draw = np.random.default_rng(0)
image = Tensor(draw.standard_normal((2, 3, 17, 19)).astype(np.float32))
a, b = (Tensor(draw.standard_normal((70, 70)).astype(np.float32)) for _ in range(2))
narrow = nn.Conv2d(3, 5, 3, pad_mode="valid")
padded = nn.Conv2d(3, 5, 3, pad_mode="pad", padding=1)
product = jit(lambda x, y: ops.matmul(x, y))
made = linking._SUPPORT["f32"]._made

def results():
    return [narrow(image).asnumpy(), padded(image).asnumpy(), product(a, b).asnumpy()]

def alike(left, right):
    return all(x.tobytes() == y.tobytes() for x, y in zip(left, right))

before = results()
assert len(made) == 1
left = editions._left.value
product(Tensor(np.ones((1024, 1024), np.float32)), Tensor(np.ones((1024, 1024), np.float32)))
assert editions._left.value < left - 1000
editions._left.value = min(editions._left.value, 0)
call(1)
wait()
assert len(made) == 2 and len(linking._SUPPORT["f32"]._bounds) == 2
assert alike(before, results())
print("same")
"""
    assert run(tmp_path, program) == "same"


def test_bounds_may_come_after_the_better_edition(tmp_path: Path) -> None:
    program = """
import numpy as np
from jitcore import nn, ops
from jitcore.backends.llvm import linking

image = Tensor(np.random.default_rng(0).standard_normal((2, 3, 17, 19)).astype(np.float32))
narrow = nn.Conv2d(3, 5, 3, pad_mode="valid")
padded = nn.Conv2d(3, 5, 3, pad_mode="pad", padding=1)
padded.weight.set_data(narrow.weight)
inner = narrow(image).asnumpy()
call(ENOUGH)
wait()
support = linking._SUPPORT["f32"]
assert len(support._made) == 2 and not support._bounds
assert np.array_equal(padded(image).asnumpy()[..., 1:-1, 1:-1], inner)
assert len(support._bounds) == 1
print("same")
"""
    assert run(tmp_path, program) == "same"


def test_a_long_call_has_better_code_made_while_it_runs(tmp_path: Path) -> None:
    program = """
import numpy as np
from jitcore import ops
from jitcore.backends.llvm import linking

@jit
def powers(x, n):
    for _ in range(n):
        x = ops.matmul(x, x) * 0.001
    return x

x = Tensor(np.ones((600, 600), np.float32))
powers(x, 2)
made = linking._SUPPORT["f32"]._made
assert len(made) == 1
powers(x, 200)
wait()
assert len(made) == 2
print("better")
"""
    assert run(tmp_path, program) == "better"
