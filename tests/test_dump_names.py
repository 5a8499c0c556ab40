"""Dumps speak the user's language: the names of variables and Parameters, places within the function, and nothing else."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jitcore import Parameter, Tensor, grad, jit, nn, ops

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


def floats(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32))


def lin(x: Any, weight: Any) -> Any:
    return x @ weight


def inputs(text: str) -> list[str]:
    """Those of the program, the arrays alone, the first one first."""
    head = text[text.rindex("\ndef ") :].split(") -> ")[0]
    first, *others = re.findall(r"(\w+): (?:f32|ref\[f32)", head)
    return [first, *sorted(others)]


def test_training_steps_name_what_they_train() -> None:
    """An optimizer has one variable for all Parameters in turn."""
    net = nn.SequentialCell(nn.Dense(3, 2), nn.Dense(2, 1, has_bias=False))
    net.update_parameters_name("net.")
    optimizer = nn.Momentum(net.trainable_params(), 0.1, 0.9)
    gradient = ops.value_and_grad(lambda x: net(x).sum(), None, net.trainable_params())

    def step(x: Any) -> Any:
        loss, gradients = gradient(x)
        optimizer(gradients)
        return loss

    compiled = jit(step)
    compiled(floats(4, 3))
    (made,) = compiled.specialisations
    trained = ["net_0_bias", "net_0_weight", "net_1_weight"]
    found = inputs(made.compilation.text("grad"))
    assert found == ["x", "learning_rate", *(f"moments_{n}" for n in trained), *trained]
    head = made.compilation.text("typed").partition("def differentiated(")[2].partition(")")[0]
    assert set(trained) == set(re.findall(r"(\w+): f32", head))


def test_what_has_no_name_of_its_own_has_the_users() -> None:
    nameless, plain = Parameter(floats(3, 3)), floats(3, 3)
    assert inputs(typed(lambda x: lin(x, nameless), floats(2, 3))) == ["x", "weight"]
    assert inputs(typed(lambda x: lin(x, plain), floats(2, 3))) == ["x", "weight"]
    named = Parameter(floats(3, 3), name="named")
    assert inputs(typed(lambda x, mine: lin(x, mine), floats(2, 3), named)) == ["x", "mine"]  # it serves any


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


SAYING = {
    "sys.stdout.write": "import sys\nsys.stdout.write('said\\n')\n",
    "print to a file": "import sys\nprint('said', file=sys.stdout, flush=True)\n",
    "pprint": "import pprint\npprint.pprint(['said'])\n",
    "a thread": "import threading\nt = threading.Thread(target=print, args=('said',))\nt.start()\nt.join()\n",
    "logging": "import logging, sys\nlogging.basicConfig(stream=sys.stdout)\nlogging.warning('said')\n",
    "while it is imported": "from beside import word\n",
    "what it calls": "g = jit(lambda x: print('said', x))\ng(2)\n",
    "before an exception": "print('said')\nraise SystemExit(0)\n",
}


@pytest.mark.parametrize("name", SAYING)
def test_whatever_the_script_says_is_apart(name: str, tmp_path: Path) -> None:
    (tmp_path / "beside.py").write_text("word = 3\nprint('said')\n")
    script = tmp_path / "script.py"
    script.write_text(f"from jitcore import jit\n@jit\ndef f(x):\n    return x + 1\nf(1)\n{SAYING[name]}")
    made = subprocess.run(
        [sys.executable, "-m", "jitcore", "dump", "--function", "f", str(script)],
        capture_output=True, text=True, cwd=ROOT, timeout=1200,
    )  # fmt: skip
    assert made.returncode == 0
    assert "said" in made.stderr
    assert "said" not in made.stdout
    assert made.stdout.startswith("# --- f (i64): opt ---\n")


HELD = {
    "a list": ("nn.CellList([nn.Dense(3, 3), nn.Dense(3, 3)])", "m[1](m[0](x))", "0_weight 0_bias 1_weight 1_bias"),
    "a sequence": ("nn.SequentialCell(nn.Dense(3, 2), nn.Dense(2, 1))", "m(x)", "0_weight 1_bias"),
    "one in another": ("nn.SequentialCell(nn.SequentialCell(nn.Dense(3, 2)))", "m(x)", "0_0_weight 0_0_bias"),
    "normalisation": ("nn.BatchNorm1d(3)", "m(x)", "gamma beta moving_mean moving_variance"),
    "an embedding": ("nn.Embedding(7, 3)", "m(k)", "embedding_table"),
    "convolution": ("nn.Conv1d(1, 2, 2, has_bias=True)", "m(x.reshape(2, 1, 3))", "weight bias"),
    "a Parameter": ("Parameter(Tensor(np.ones(3, np.float32)), name='scale')", "x * m", "scale"),
}


@pytest.fixture(scope="module")
def dumped(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """The functions that use what is held, `f0`, `f1` and so on, dumped by two runs of one script."""
    script = tmp_path_factory.mktemp("held") / "script.py"
    functions = [
        f"m{k} = {made}\n@jit\ndef f{k}(x, k):\n    return ({re.sub(r'(?<![.a-z])m(?![a-z])', f'm{k}', call)}).sum()\n"
        f"f{k}(Tensor(np.ones((2, 3), np.float32)), Tensor(np.array([1, 2])))\n"
        for k, (made, call, _) in enumerate(HELD.values())
    ]
    script.write_text("import numpy as np\nfrom jitcore import Parameter, Tensor, jit, nn\n" + "".join(functions))
    command = [sys.executable, "-m", "jitcore", "dump", "--stage", "typed", str(script)]
    runs = [subprocess.run(command, capture_output=True, text=True, cwd=ROOT, timeout=1200) for _ in range(2)]
    assert runs[0].returncode == 0, runs[0].stderr
    return [run.stdout for run in runs]


def test_every_run_dumps_the_same(dumped: list[str]) -> None:
    assert dumped[0] == dumped[1]


@pytest.mark.parametrize("name", HELD)
def test_parameters_have_their_names(name: str, dumped: list[str]) -> None:
    head = re.search(rf"^def f{[*HELD].index(name)}\(.*", dumped[0], re.MULTILINE)
    assert head, dumped[0]
    for parameter in HELD[name][2].split():
        assert re.search(rf"\b\w*{parameter}: f32", head[0]), (parameter, head[0])
    assert not re.search(r"\d{6,}", head[0])


# --- Parameters that are handed on ------------------------------------------------------------------------


def _product(x: Any, weight: Any) -> Any:
    return ops.matmul(x, weight)


def _twice(x: Any, w: Any) -> Any:
    return _product(x, w) + _product(x, weight=w)


def _first(pair: Any) -> Any:
    one, _ = pair
    return one


HANDED_ON: dict[str, Any] = {
    "to a function": lambda self, x: _product(x, self.w),
    "by name": lambda self, x: _product(x, weight=self.w),
    "through functions": lambda self, x: _twice(x, self.w),
    "in a tuple": lambda self, x: x * _first((self.w, self.v)),
    "in a list": lambda self, x: [x @ each for each in [self.w, self.v]],
    "in a dict": lambda self, x: x @ {"key": self.w}["key"],
    "to a lambda": lambda self, x: (lambda inner: x @ inner)(self.w),
    "twice": lambda self, x: (lambda a, b: x @ a @ b)(self.w, self.w),
    "in a loop": lambda self, x: max(float((x @ w).sum()) for w in (self.w, self.v)),
}


@pytest.mark.parametrize("name", HANDED_ON)
def test_parameters_keep_their_names_when_they_are_handed_on(name: str) -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(Tensor(np.ones((3, 3), np.float32)), name="weight_of_net")
            self.v = Parameter(Tensor(np.ones((3, 3), np.float32)), name="other_of_net")

    Net.construct = HANDED_ON[name]  # type: ignore[method-assign]
    net = Net()
    text = typed(lambda x: net.construct(x), Tensor(np.ones((3, 3), np.float32)))
    assert "weight_of_net" in names(text.partition(" -> ")[0] + ": f")


def test_parameters_under_other_names_in_the_function() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.w = Parameter(Tensor(np.ones(3, np.float32)), name="w")

        def construct(self, x: Any) -> Any:
            mine = self.w
            scaled = x * mine
            return scaled + mine

    net = Net()
    text = typed(lambda x: net(x), Tensor(np.ones(3, np.float32)))
    assert "w: f32[3]" in text
    assert "mine" not in names(text)
    assert "scaled" in names(text)


@pytest.mark.parametrize("layer", [nn.RNN, nn.LSTM, nn.GRU])
def test_parameters_of_recurrent_layers(layer: Any) -> None:
    made = layer(3, 4)
    text = typed(lambda x: made(x), Tensor(np.ones((2, 5, 3), np.float32)))
    head = text.partition(" -> ")[0]
    for parameter in made.get_parameters():
        assert parameter.name.replace(".", "_") in head
