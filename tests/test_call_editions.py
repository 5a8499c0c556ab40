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
from jitcore.backends.cpython.call_code import MANY_CALLS, OBJECT_VECTORCALL

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
call(MANY_CALLS)
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


def test_what_a_handler_raises_while_better_code_is_begun_ends_the_call(tmp_path: Path) -> None:
    program = """
def interrupted(*args):
    raise KeyboardInterrupt

threading.Thread.start = interrupted
raised = 0
for k in range(MANY_CALLS + 10):
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
call(MANY_CALLS)
assert code_of(f) == first
print("same")
"""
    assert run(tmp_path, program) == "same"


@pytest.mark.skipif(not hasattr(os, "fork"), reason="no forks here")
def test_a_forked_child_makes_better_code_itself(tmp_path: Path) -> None:
    program = """
threading.Thread.start, start = lambda thread: None, threading.Thread.start  # what a fork leaves of a thread
call(MANY_CALLS)
threading.Thread.start = start
child = os.fork()
if not child:
    call(MANY_CALLS)
    wait()
    call(2)
    os._exit(code_of(f) == first)
assert os.waitpid(child, 0)[1] == 0
print("better")
"""
    assert run(tmp_path, program) == "better"


def test_better_code_that_was_kept_serves_all_calls(tmp_path: Path) -> None:
    program = """
call(MANY_CALLS)
wait()
call(1)
print(code_of(f) != first, code_of(f) == code_of(jit(lambda x: x)))
"""
    runs = [run(tmp_path, program, cache=str(tmp_path)) for _ in range(2)]
    assert runs == ["True True", "False True"]
