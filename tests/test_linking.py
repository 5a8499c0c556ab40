"""Object code is linked wherever memory is free: the sections of one object may not come to lie further from each other than their code reaches."""

import os
import subprocess
import sys
from pathlib import Path

PROGRAM = """
import ctypes
import mmap

import numpy as np

from jitcore import Tensor, grad, jit

page = mmap.PAGESIZE
libc = ctypes.CDLL(None)
libc.mmap.restype = ctypes.c_void_p
libc.mmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t, ctypes.c_int, ctypes.c_int, ctypes.c_int, ctypes.c_long]
libc.munmap.argtypes = [ctypes.c_void_p, ctypes.c_size_t]
NORESERVE = 0x4000


def mapped(size, rights=0):
    return libc.mmap(None, size, rights, mmap.MAP_PRIVATE | mmap.MAP_ANONYMOUS | NORESERVE, -1, 0)


def program(x, w):
    y = np.tanh(x * 1.1) + np.exp(-x) * np.log(x * x + 1.0) + np.sin(x) * np.cos(x * 0.5)
    y = np.sort(y)[::-1] + np.cumsum(y) / (1 + np.abs(y)) + np.arctan(y)
    for i in range(7):
        y = y * 0.9 + np.sinh(x * 0.1) * i
    return ((y @ w) * (y @ w)).sum()


def begin(x):
    return np.sin(x) + 1.0


jit(begin)(np.ones(4))
x, w = Tensor(np.arange(8.0)), Tensor(np.ones((8, 3)))

# single free pages high up, then 5 GB that are taken, then free memory below: what does not fit in a page goes far away
singles = []
for k in range(3000):
    singles.append(mapped(page))
    mapped(page, mmap.PROT_READ if k % 2 else mmap.PROT_READ | mmap.PROT_WRITE)
block = mapped(5 << 30)
for size in (1 << 26, 1 << 20, 1 << 16, 1 << 13):
    while mapped(size) > block:
        pass
for address in singles:
    libc.munmap(address, page)

found = jit(grad(program))(x, w)
np.testing.assert_allclose(found.asnumpy(), grad(program)(x, w).asnumpy(), rtol=1e-9)
print("linked")
"""


def test_memory_that_is_free_in_single_pages_and_far_away(tmp_path: Path) -> None:
    script = tmp_path / "far.py"
    script.write_text(PROGRAM)
    done = subprocess.run(
        [sys.executable, script],
        capture_output=True,
        text=True,
        env={**os.environ, "JITCORE_CACHE_DIR": "off"},
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout == "linked\n"
