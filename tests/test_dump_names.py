"""Dumps speak the user's language: the names of variables and Parameters, places within the function, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np

from jitcore import Parameter, Tensor, grad, jit, nn

ROOT = Path(__file__).parent.parent


def typed(function: Any, *args: Any) -> str:
    compiled = jit(function)
    compiled(*args)
    (made,) = compiled.specialisations
    return made.compilation.text("typed")


def names(text: str) -> set[str]:
    """The variables of a text, without the numbers that tell those of one name apart."""
    bound = re.findall(r"(\w+): (?:f|i|bool|union)", text)
    return {re.sub(r"_\d+$", "", name) for name in bound}


def test_variables_of_loops() -> None:
    def steps(x: Any, n: int) -> Any:
        s = 0.0
        for i in range(n):
            t = float(x[i]) * 2
            s = s + t
        while s > 10:
            half = s / 2
            s = half
        return s

    text = typed(steps, np.ones(3), 3)
    assert {"x", "n", "s", "i", "t", "half"} <= names(text)
    assert not re.search(r"\bx0\b|\bx1\b|\bc: ", text)


def test_variables_of_branches_and_assignments_again() -> None:
    def branches(a: float, b: float) -> float:
        low = a * b
        low = low + 1.0
        high = b
        if low > b:
            high = low * a
        return high

    text = typed(branches, 2.0, 3.0)
    assert {"a", "b", "low", "high"} <= names(text)
    assert re.search(r"\blow_1: f64 = float_add\(low, ", text)


def test_what_callers_call_it_wins() -> None:
    def inner(value: Any) -> Any:
        answer = value * 3.0
        return answer

    def outer(x: Any) -> Any:
        mine = inner(x)
        return mine + 1.0

    found = names(typed(outer, np.ones(2)))
    assert "mine" in found
    assert not {"value", "answer"} & found


def test_recursive_functions() -> None:
    def power(base: int, n: int) -> int:
        return 1 if n == 0 else base * power(base, n - 1)

    assert {"base", "n"} <= names(typed(power, 2, 5))


def test_parameters() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.layers = nn.SequentialCell(nn.Dense(3, 4), nn.ReLU())
            self.scale = Parameter(Tensor(np.ones(4, np.float32)), "scale")

        def construct(self, x: Any) -> Any:
            h = self.layers(x)
            return (h * self.scale).sum()

    net = Net()
    x = Tensor(np.ones((2, 3), np.float32))

    def loss(x: Any) -> Any:
        return net(x)

    text = typed(loss, x)
    head = text[text.index("def ") :].partition("\n")[0]
    for name in ("x", "layers_0_weight", "layers_0_bias", "scale"):
        assert f"{name}: f32" in head
    assert not re.search(r"x\d{6,}", text)
    assert typed(loss, x) == text
    assert "scale" in typed(grad(lambda w: (w * net.scale).sum()), Tensor(np.ones(4, np.float32)))


def test_places_are_short() -> None:
    def short(x: float) -> float:
        y = x + 1.0
        return y * 2.0

    text = typed(short, 1.0)
    line = short.__code__.co_firstlineno + 1
    assert f"#: {line}:12-19" in text


def test_the_scripts_output_is_apart(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(
        "from jitcore import jit\n@jit\ndef f(x):\n    print('within', x)\n    return x\nprint('said')\nf(1)\n"
    )
    made = subprocess.run(
        [sys.executable, "-m", "jitcore", "dump", str(script)], capture_output=True, text=True, cwd=ROOT, timeout=1200
    )
    assert made.stderr == "said\nwithin 1\n"
    assert made.stdout.startswith("# --- f (i64): opt ---\n")
    assert "said" not in made.stdout
