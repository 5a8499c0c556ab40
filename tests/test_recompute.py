"""Recomputed residuals: the same gradients from less memory, and nothing happens twice."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from test_control_flow_gradients import CASES, IDS

from jitcore import Parameter, Tensor, checkpoint, grad, jit, jvp, nn, ops, recompute, set_seed, value_and_grad
from jitcore.config import settings

TRANSFORMS = [recompute, checkpoint, lambda f: checkpoint(f, every=3), lambda f: recompute(checkpoint(f))]


@pytest.mark.parametrize("transform", TRANSFORMS, ids=["recompute", "checkpoint", "every", "both"])
@pytest.mark.parametrize(("function", "rest", "x"), CASES, ids=IDS)
def test_control_flow(
    function: Callable[..., float], rest: tuple[int, ...], x: float, transform: Callable[..., Any]
) -> None:
    assert jit(transform(function))(x, *rest) == function(x, *rest)
    found = jit(grad(transform(function)))(x, *rest)
    assert found == pytest.approx(jit(grad(function))(x, *rest), rel=1e-13)


@pytest.mark.parametrize("n", [0, 1, 2, 15, 16, 17, 18, 33, 100])
def test_every_number_of_rounds(n: int) -> None:
    def counted(x: float, n: int) -> float:
        for k in range(n):
            x = x * 0.9 + 0.01 * k * x * x
        return x

    def tested(x: float, n: int) -> float:
        k = 0
        while k < n:
            x = x * 0.9 + 0.01 * k * x * x
            k += 1
        return x

    want = jit(grad(counted))(0.5, n)
    for function in (counted, tested):
        for transform in TRANSFORMS[1:]:
            assert jit(grad(transform(function)))(0.5, n) == pytest.approx(want, rel=1e-13)


def layers(x: Tensor, w: Tensor) -> Tensor:
    for k in (1.0, 2.0, 3.0):
        x = ops.tanh(ops.matmul(x, w)) * k
    return x


def network(block: Callable[..., Tensor]) -> Callable[[Tensor, Tensor], Tensor]:
    def net(x: Tensor, w: Tensor) -> Tensor:
        for _ in range(4):
            x = block(x, w) + x
        return ops.exp(-block(x, w)).sum()

    return net


def test_arrays() -> None:
    rng = np.random.default_rng(5)
    x, w = Tensor(rng.normal(size=(3, 4))), Tensor(rng.normal(size=(4, 4)) * 0.3)
    want = grad(network(layers), (0, 1))(x, w)
    for transform in TRANSFORMS:
        for a, b in zip(grad(network(transform(layers)), (0, 1))(x, w), want, strict=True):
            np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-10, atol=1e-12)


def test_second_derivatives_and_forward_mode() -> None:
    def cube(x: float) -> float:
        y = 1.0
        for _ in range(3):
            y = y * x
        return y

    for transform in TRANSFORMS:
        again = transform(cube)
        assert jit(grad(grad(again)))(2.0) == pytest.approx(12.0)
        assert jit(lambda x, f=again: jvp(f, x, 1.0))(2.0) == (8.0, 12.0)


def test_random_draws_are_those_of_the_forward_pass() -> None:
    def drop(x: Tensor) -> Tensor:
        return x * x * ops.dropout(ops.ones_like(x), 0.5, True)

    x = Tensor(np.linspace(1.0, 2.0, 64, dtype=np.float32))
    set_seed(7)
    value, gradient = value_and_grad(lambda x: recompute(drop)(x).sum())(x)
    set_seed(7)
    plain_value, plain = value_and_grad(lambda x: drop(x).sum())(x)
    assert float(value) == float(plain_value)
    np.testing.assert_array_equal(gradient.asnumpy(), plain.asnumpy())
    assert 0 < np.count_nonzero(gradient.asnumpy()) < 64


def test_printing_happens_once(capsys: pytest.CaptureFixture[str]) -> None:
    def program(x: float) -> float:
        print("here")
        y = x
        for _ in range(20):
            y = y * 1.5
        return y * x

    want = jit(grad(program))(3.0)
    capsys.readouterr()
    for transform in TRANSFORMS:
        assert jit(grad(transform(program)))(3.0) == pytest.approx(want)
        assert capsys.readouterr().out == "here\n"


def test_writes_happen_once() -> None:
    def program(x: np.ndarray, seen: np.ndarray) -> float:
        seen[0] += 1.0
        y = x * seen[0]
        seen[0] += 1.0
        return (y * y).sum()

    x = np.array([1.0, 2.0])
    for transform in TRANSFORMS:
        seen = np.ones(1)
        found = jit(grad(transform(program)))(x, seen)
        np.testing.assert_allclose(np.asarray(found), 8.0 * x)
        assert seen[0] == 3.0


def test_local_arrays_are_written_again() -> None:
    def program(x: np.ndarray) -> float:
        y = np.zeros(4)
        for k in range(4):
            y[k] = x[k] * x[-1 - k]
        y[1:] += y[:-1]
        return (y * y).sum()

    x = np.array([1.0, -2.0, 3.0, 0.5])
    want = np.asarray(jit(grad(program))(x))
    for transform in TRANSFORMS:
        np.testing.assert_allclose(np.asarray(jit(grad(transform(program)))(x)), want, rtol=1e-13)


def test_exceptions_are_those_of_the_function() -> None:
    def program(x: float) -> float:
        y = 4.0
        for k in range(30):
            y = y / (x - k)
        return y

    for transform in TRANSFORMS:
        with pytest.raises(ZeroDivisionError):
            jit(grad(transform(program)))(20.0)


class Block(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(np.full((3, 3), 0.25)), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanh(ops.matmul(x, self.w))


class Net(nn.Cell):
    def __init__(self, *, again: bool) -> None:
        super().__init__()
        self.one, self.two = Block(), Block()
        if again:
            self.one.recompute()
            self.two.recompute()

    def construct(self, x: Tensor) -> Tensor:
        return self.two(self.one(x)).sum()


def test_cells() -> None:
    x = Tensor(np.array([[1.0, 2.0, -1.0]]))
    found, want = (grad(net, 0, net.trainable_params())(x) for net in (Net(again=True), Net(again=False)))
    np.testing.assert_allclose(found[0].asnumpy(), want[0].asnumpy(), rtol=1e-12)
    for a, b in zip(found[1], want[1], strict=True):
        np.testing.assert_allclose(a.asnumpy(), b.asnumpy(), rtol=1e-12)


def test_line_by_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "jit", False)
    assert grad(recompute(lambda x: (x * x).sum()))(Tensor([3.0])).asnumpy().tolist() == [6.0]


def test_what_does_not_fit_is_refused() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        checkpoint(layers, every=0)
    with pytest.raises(TypeError, match="not of int"):
        recompute(3)  # type: ignore[arg-type]


PEAK = """
import re
from pathlib import Path
from jitcore.backends.native.host import runtime

def peak():
    return int(re.search(r"VmHWM:\\s+(\\d+) kB", Path("/proc/self/status").read_text())[1])

def start():
    runtime.trim()
    Path("/proc/self/clear_refs").write_text("5")  # the peak is what is used now
    return peak()
"""

LOOPS = """
from jitcore import checkpoint, grad, jit

def counted(x, n):
    y = x
    for _ in range(n):
        y = y + 1e-6 * (x - y * y * y)
    return y

def tested(x, n):
    y, k = x, 0
    while k < n:
        y = y + 1e-6 * (x - y * y * y)
        k += 1
    return y

for function in (checkpoint(counted), checkpoint(tested), checkpoint(counted, every=1000), counted):
    gradient = jit(grad(function))
    gradient(0.5, 100)
    before = start()
    found = gradient(0.5, 1_000_000)
    print(peak() - before, found)
"""

ARRAYS = """
import sys
import numpy as np
from jitcore import Tensor, grad, jit, ops, recompute

def block(x):
    for k in (1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0):
        x = ops.sin(ops.cumsum(x, 0)) * k
    return x

part = recompute(block) if sys.argv[1] == "again" else block

def net(x):
    for _ in range(8):
        x = part(x)
    return x.sum()

gradient = jit(grad(net))
for n in (3, 4):
    gradient(Tensor(np.ones(n)))
before = start()
gradient(Tensor(np.linspace(0.0, 1.0, 200_000)))
print(peak() - before)
"""


def run(folder: Path, text: str, *arguments: str) -> list[str]:
    script = folder / "program.py"
    script.write_text(PEAK + text, encoding="utf-8")
    path = {"PYTHONPATH": str(Path(__file__).parents[1])}
    made = subprocess.run(
        [sys.executable, script, *arguments], capture_output=True, text=True, check=True, env={**os.environ, **path}
    )
    return made.stdout.splitlines()


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks are read from /proc")
def test_memory_of_loops(tmp_path: Path) -> None:
    """A million rounds within a megabyte, where all residuals are eight times that at least."""
    *few, everything = [line.split() for line in run(tmp_path, LOOPS)]
    for kilobytes, found in few:
        assert int(kilobytes) < 1024
        assert float(found) == pytest.approx(float(everything[1]), rel=1e-10)
    assert int(everything[0]) > 4096


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="peaks are read from /proc")
def test_memory_of_arrays(tmp_path: Path) -> None:
    """Sixty-four steps of 1.6 MB: one block's residuals at a time, not all of them."""
    (again,), (kept,) = (run(tmp_path, ARRAYS, how) for how in ("again", "kept"))
    assert int(again) < 0.6 * int(kept)


def test_loops_with_effects_are_kept(capsys: pytest.CaptureFixture[str]) -> None:
    def program(x: float) -> float:
        y = x
        for k in range(20):
            if k == 10:
                print("half way")
            y = y * 1.5
        return y * x

    want = jit(grad(program))(3.0)
    capsys.readouterr()
    for transform in TRANSFORMS:
        assert jit(grad(transform(program)))(3.0) == pytest.approx(want)
        assert capsys.readouterr().out == "half way\n"


def test_random_draws_in_loops() -> None:
    def walk(x: Tensor) -> Tensor:
        for _ in range(20):
            x = x * (0.5 + ops.dropout(ops.ones_like(x), 0.5, True))
        return x

    x = Tensor(np.linspace(1.0, 2.0, 8, dtype=np.float32))
    found: list[np.ndarray] = []
    for function in (walk, *(t(walk) for t in TRANSFORMS)):
        set_seed(3)
        found.append(grad(function)(x).asnumpy())
    for other in found[1:]:
        np.testing.assert_allclose(other, found[0], rtol=1e-5)


@pytest.mark.parametrize("every", [None, 3])
def test_segments_of_loops_that_make_lists_of_arrays(every: int | None) -> None:
    def tested(xs: Any, n: int) -> Any:
        rows, k = [], 0
        while k < n:
            k += 1
            rows.append(xs * k)
        return sum([row[1] for row in rows])

    def counted(xs: Any, n: int) -> Any:
        rows, others = [], []
        for k in range(n):
            rows.append(xs * (k + 1.0))
            if k % 2:
                others.append(rows[k - 1] * xs)
        return sum([row[1] for row in rows]) + sum([row[0] for row in others])

    xs = np.array([0.115, -0.474, 0.12])
    for program in (tested, counted):
        for n in (1, 2, 4, 7, 16, 17, 18, 40):
            want = grad(program)(xs, n)
            np.testing.assert_allclose(grad(checkpoint(program, every=every))(xs, n), want, err_msg=f"{program} {n}")
