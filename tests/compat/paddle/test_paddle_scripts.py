"""Scripts that import paddle run unchanged, as `python -m jitcore.compat.paddle` runs them."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

_REGRESSION = """
import numpy as np
import paddle

paddle.seed(7)
rng = np.random.default_rng(0)
x = paddle.to_tensor(rng.normal(size=(64, 3)).astype("float32"))
target = paddle.matmul(x, paddle.to_tensor([[1.0], [-2.0], [0.5]])) + 0.25

weight = paddle.zeros([3, 1])
weight.stop_gradient = False
bias = paddle.zeros([1])
bias.stop_gradient = False


@paddle.jit.to_static
def loss_of(x, target):
    return paddle.mean((paddle.matmul(x, weight) + bias - target) ** 2)


for step in range(200):
    loss = loss_of(x, target)
    loss.backward()
    with paddle.no_grad():
        for parameter in (weight, bias):
            parameter.set_value(parameter - 0.1 * parameter.grad)
            parameter.clear_grad()
print(f"loss: {loss.item():.6f}")
print(paddle.round(paddle.concat([weight.flatten(), bias]), 3))
"""


def test_a_line_is_fitted(tmp_path: Path) -> None:
    script = tmp_path / "regression.py"
    script.write_text(_REGRESSION)
    done = subprocess.run(
        [sys.executable, "-m", "jitcore.compat.paddle", str(script)], capture_output=True, text=True, check=True
    )
    assert done.stdout == (
        "loss: 0.000000\n"
        "Tensor(shape=[4], dtype=float32, place=Place(cpu), stop_gradient=False,\n"
        "       [ 1.       , -2.       , 0.50000000, 0.25000000])\n"
    )
    assert "Warning" not in done.stderr


def test_what_is_wrong_with_the_call_is_said() -> None:
    done = subprocess.run([sys.executable, "-m", "jitcore.compat.paddle"], capture_output=True, text=True, check=False)
    assert done.returncode == 2
    assert "python -m jitcore.compat.paddle (script.py | -m module | -c text)" in done.stderr
