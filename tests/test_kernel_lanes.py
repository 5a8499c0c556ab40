"""Kernels whose innermost axis is short or strided: each element is right, and nothing else is touched."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from guarded_memory import Guarded, needs_guards
from kernel_runner import Compiled

from jitcore.backends.native.engine import engine
from jitcore.backends.native.ir.target import Target
from jitcore.kernel.build import ArrayLayout, KernelBuilder
from jitcore.kernel.nodes import Kernel
from jitcore.kernel.reference import evaluate
from jitcore.types import DType, bool_, c64, f16, f32, f64, i8, i64

RNG = np.random.default_rng(11)
EXTENTS = (1, 3, 8, 9, 13, 16, 17, 31, 40, 64, 77)


def _values(dtype: DType, size: int) -> np.ndarray:
    made = RNG.integers(0, 2 if dtype is bool_ else 100, size)
    return made.astype(dtype.numpy)


def _layout(dtype: DType, rows: int, extent: int, step: int) -> tuple[ArrayLayout, int]:
    """Rows one after the other, elements a step apart (from the end on, if it is negative); the elements of memory."""
    length = (extent - 1) * abs(step) + 1
    offset = length - 1 if step < 0 else 0
    return ArrayLayout(dtype, (rows, extent), (length, step), offset), rows * length


def _copied(dtype: DType, rows: int, extent: int, steps: tuple[int, int]) -> tuple[Kernel, tuple[int, int]]:
    """out = max(x, x), from one step to another."""
    (x, x_size), (out, out_size) = (_layout(dtype, rows, extent, step) for step in steps)
    k = KernelBuilder("copied", {"x": x, "out": out})
    point = k.axes((rows, extent))
    value = k.load("x", point)
    k.store("out", point, value if dtype.kind == "c" else k("max", dtype, value, value))
    return k.finish()[0], (x_size, out_size)


def _machines() -> list[Target]:
    host = engine.host()
    if not host.architecture.startswith("x86"):
        return [host]
    plain = engine.make_target(host.triple, "x86-64", {})
    return [plain, *(replace(host, vector_bytes=n) for n in (32, 64))]


@needs_guards
@pytest.mark.parametrize("step", [1, 2, 3, 4, 5, -1, -2])
@pytest.mark.parametrize("dtype", [f32, f64, f16, i8, i64, bool_, c64], ids=str)
def test_reads_and_writes_stay_within_their_elements(dtype: DType, step: int) -> None:
    guards = [Guarded(1 << 16) for _ in range(2)]
    for number, extent in enumerate(EXTENTS):
        target = _machines()[number % len(_machines())]
        for steps, at_end in (((step, 1), True), ((1, step), True), ((step, step), False)):
            kernel, sizes = _copied(dtype, 3, extent, steps)
            given = [_values(dtype, size) for size in sizes]
            x, out = (guard.array(v, at_end) for guard, v in zip(guards, given, strict=True))
            want = {"x": x.copy(), "out": out.copy()}
            evaluate(kernel, want)
            Compiled(kernel, target)({"x": x, "out": out})
            np.testing.assert_array_equal(out, want["out"])


def _summed(rows: int, extent: int, step: int, over: str) -> tuple[Kernel, int]:
    """The sums over the points of each row, or over the rows of each point."""
    layout, size = _layout(f32, rows, extent, step)
    kept = (rows,) if over == "points" else (extent,)
    k = KernelBuilder("summed", {"x": layout, "out": ArrayLayout.contiguous(f32, kept)})
    if over == "points":
        place, inner = k.axes((rows,)), k.axes((extent,), reduce=True)
        point = (*place, *inner)
    else:
        place, inner = k.axes((extent,)), k.axes((rows,), reduce=True)
        point = (*inner, *place)
    k.store("out", place, k.reduce("sum", k.load("x", point)))
    return k.finish()[0], size


@needs_guards
@pytest.mark.parametrize("over", ["points", "rows"])
@pytest.mark.parametrize("step", [1, 2, 3, 10])
def test_sums_of_short_axes(over: str, step: int) -> None:
    guard = Guarded(1 << 21)
    for extent in EXTENTS:
        for rows in (1, 4, 40, 130):
            kernel, size = _summed(rows, extent, step, over)
            x = guard.array(RNG.integers(-50, 50, size).astype("f4"), True)
            out = np.zeros(rows if over == "points" else extent, "f4")
            want = {"x": x.copy(), "out": out.copy()}
            evaluate(kernel, want)
            Compiled(kernel)({"x": x, "out": out})
            np.testing.assert_array_equal(out, want["out"])
