"""The blocks of Paddle's guide to its two modes (`scripts/guide_*.txt`) run as they are printed, and so do their mistakes."""

from __future__ import annotations

import os
import re
import runpy
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from digits_files import write_digits

from jitcore.compat.paddle import naming
from jitcore.compat.paddle.dataset import files
from jitcore.compat.paddle.static import modes

SCRIPTS = Path(__file__).parent / "scripts"
REPOSITORY = Path(__file__).parents[3]

Blocks = Callable[..., Path]


def text_of(*blocks: str) -> str:
    return "\n".join((SCRIPTS / f"guide_{block}.txt").read_text() for block in blocks)


@pytest.fixture(scope="session")
def digits(tmp_path_factory: pytest.TempPathFactory) -> Path:
    home = tmp_path_factory.mktemp("datasets")
    write_digits(home)
    return home


@pytest.fixture
def run(tmp_path: Path, digits: Path, monkeypatch: pytest.MonkeyPatch) -> Callable[[str], dict[str, Any]]:
    """Runs a script here, in a folder of its own."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv(files.VARIABLE, str(digits))
    monkeypatch.setattr(modes._mode, "chosen", None)

    def run(text: str) -> dict[str, Any]:
        script = tmp_path / "script.py"
        script.write_text(text)
        with naming.guard():
            return runpy.run_path(str(script))

    return run


def elsewhere(text: str, folder: Path, digits: Path) -> subprocess.CompletedProcess[str]:
    """Runs a script in a process of its own."""
    (folder / "script.py").write_text(text)
    environment = {**os.environ, "PYTHONPATH": str(REPOSITORY), files.VARIABLE: str(digits)}
    command = [sys.executable, "-m", "jitcore.compat.paddle", "script.py"]
    return subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder, env=environment)


BEGINNING = text_of("conv_pool", "mnist") + "\n" + "\n".join(text_of("optimizer").splitlines()[:3]) + "\n"


def test_both_modes_print_what_the_guide_prints(tmp_path: Path, digits: Path) -> None:
    made = elsewhere(text_of("modes"), tmp_path, digits)
    assert made.stdout == (SCRIPTS / "guide_modes_output.txt").read_text(), made.stderr
    assert "UserWarning: There are no operators in the program to be executed." in made.stderr


@pytest.mark.filterwarnings("ignore:Plan failed")
def test_a_network_is_trained_and_evaluated_in_another_process(
    run: Callable[[str], dict[str, Any]], tmp_path: Path, digits: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    run(text_of("readers", "conv_pool", "mnist", "train"))
    lines = capsys.readouterr().out.splitlines()
    found = [re.fullmatch(r"Loss at epoch (\d) step (\d+): \[([\d.e-]+)\]", line) for line in lines]
    assert [(m[1], m[2]) for m in found if m] == [(str(epoch), "0") for epoch in range(5)]
    losses = [float(m[3]) for m in found if m]
    assert losses[-1] < losses[0] / 4

    made = elsewhere(text_of("readers", "conv_pool", "mnist", "optimizer", "evaluate"), tmp_path, digits)
    first, last = made.stdout.splitlines()
    assert first == "checkpoint loaded", made.stderr
    told = re.fullmatch(r"Eval avg_loss is: ([\d.]+), acc is: ([\d.]+)", last)
    assert told
    assert float(told[2]) > 0.95


def test_a_traced_layer_gives_what_the_layer_gives_here_and_elsewhere(
    run: Callable[[str], dict[str, Any]], tmp_path: Path, digits: Path
) -> None:
    made = run(BEGINNING + text_of("traced"))
    wanted = made["out_dygraph"].numpy()
    np.testing.assert_allclose(made["fetch"], wanted, rtol=0, atol=1e-6)
    np.testing.assert_allclose(made["static_layer"]([made["input_var"]])[0], wanted, rtol=0, atol=1e-6)
    np.savez(tmp_path / "arrays.npz", given=made["in_np"], wanted=wanted)
    again = elsewhere(_RELOADED, tmp_path, digits)
    assert again.returncode == 0, again.stderr
    assert float(again.stdout) <= 1e-6


_RELOADED = """
import numpy as np
import paddle.fluid as fluid
exe = fluid.Executor(fluid.CPUPlace())
program, feeds, fetches = fluid.io.load_inference_model("./saved_infer_model", exe)
arrays = np.load("arrays.npz")
found, = exe.run(program, feed={feeds[0]: arrays["given"]}, fetch_list=fetches)
one, = exe.run(program, feed={feeds[0]: arrays["given"][:3]}, fetch_list=fetches)  # of another number of rows
assert np.abs(one - arrays["wanted"][:3]).max() < 1e-6
print(np.abs(found - arrays["wanted"]).max())
"""


def test_a_branch_by_a_shape(run: Callable[[str], dict[str, Any]], capsys: pytest.CaptureFixture[str]) -> None:
    run(BEGINNING + text_of("shape_if"))
    assert capsys.readouterr().out == "input_var's shape[1] < 1\n"


def test_a_declarative_method_is_what_it_is_without(run: Callable[[str], dict[str, Any]]) -> None:
    with pytest.raises(TabError):
        run(BEGINNING + text_of("declarative"))
    classes = text_of("declarative").replace("\t@declarative", "    @declarative")
    made = run(
        BEGINNING.replace("class MNIST", "class Plain").replace("super(MNIST", "super(Plain") + classes + _COMPARED
    )
    assert made["_"] is None


_COMPARED = """
with fluid.dygraph.guard():
    plain, compiled = Plain(), MNIST()
    compiled.set_dict(plain.state_dict())
    image = np.random.RandomState(0).random_sample([10, 1, 28, 28]).astype("float32")
    label = to_variable(np.arange(10).reshape(10, 1))
    losses = []
    for net in (plain, compiled):
        out, acc = net(to_variable(image), label)
        loss = fluid.layers.mean(fluid.layers.cross_entropy(out, label))
        loss.backward()
        losses.append((out.numpy(), acc.numpy(), loss.numpy()))
    for one, other in zip(*losses):
        np.testing.assert_allclose(one, other, rtol=0, atol=1e-6)
    for one, other in zip(plain.parameters(), compiled.parameters()):
        assert np.abs(one.gradient()).max() > 0
        np.testing.assert_allclose(one.gradient(), other.gradient(), rtol=0, atol=1e-5)
    fluid.dygraph.ProgramTranslator().enable(False)
    np.testing.assert_allclose(compiled(to_variable(image))[0].numpy(), losses[0][0][0], rtol=0, atol=1e-6)
    fluid.dygraph.ProgramTranslator().enable(True)
_ = None
"""


def test_what_was_declared_is_saved(run: Callable[[str], dict[str, Any]]) -> None:
    classes = text_of("declarative").replace("\t@declarative", "    @declarative")
    block = text_of("translated")
    with pytest.raises(NameError, match="flui"):
        run(BEGINNING + classes + block)
    made = run(BEGINNING + classes + block.replace("flui.dyraph", "fluid.dygraph") + _LOADED)
    out, acc = made["out"]
    np.testing.assert_allclose(made["found"][0], out.numpy(), rtol=0, atol=1e-6)
    assert made["found"][1] == acc.numpy()
    assert "def forward(self, inputs, label=None):" in made["prog_trans"].get_code(made["MNIST"].forward)


_LOADED = """
    exe = fluid.Executor()
    program, feeds, fetches = fluid.io.load_inference_model("./mnist_dy2stat", exe)
    found = exe.run(program, feed=dict(zip(feeds, [in_np, label_np])), fetch_list=fetches)
"""


def test_gradients_end_at_what_is_detached(run: Callable[[str], dict[str, Any]]) -> None:
    made = run(text_of("detached"))
    assert made["fc"].weight.gradient() is None
    np.testing.assert_array_equal(made["fc2"].weight.gradient(), np.repeat(made["value1"].sum(0)[:, None], 3, 1))


def test_gradients_go_on_as_zeros_where_they_are_stopped(run: Callable[[str], dict[str, Any]]) -> None:
    made = run(text_of("stopped"))
    assert made["fc"].weight.gradient().shape == (13, 3 + 2)
    assert (made["fc"].bias.gradient() == 0).all()
    assert (made["fc2"].bias.gradient() == 2).all()


@pytest.mark.filterwarnings("ignore:there is no GPU here", "ignore:.is not. with a literal:SyntaxWarning")
def test_one_process_trains_as_several_would(
    run: Callable[[str], dict[str, Any]], capsys: pytest.CaptureFixture[str]
) -> None:
    made = run(text_of("readers", "conv_pool", "mnist", "parallel").replace("epoch_num = 5", "epoch_num = 1"))
    assert made["batch_id"] == 22
    assert made["avg_loss"].shape == [1]
    assert made["avg_loss"].numpy() < 2.0
    assert capsys.readouterr().out == ""


@pytest.mark.filterwarnings(
    "ignore:There are no operators in the program", "ignore:.is not. with a literal:SyntaxWarning"
)
def test_the_same_network_is_trained_as_a_program(run: Callable[[str], dict[str, Any]]) -> None:
    recorded = text_of("static").replace("1e-3", "0.05")
    noted = recorded.replace("static_out = out[0]", "static_out = out[0]; losses.append(float(static_out[0]))")
    made = run(
        BEGINNING + "import paddle\nlosses = []\nfluid.default_main_program()\n" + _SEEDED + noted + _LINE_BY_LINE
    )
    assert len(made["losses"]) == 23
    assert np.mean(made["losses"][-5:]) < np.mean(made["losses"][:5]) / 1.5
    np.testing.assert_allclose(made["losses"], made["others"], rtol=0, atol=1e-5)
    for kept, other in zip(made["kept"], made["net"].parameters(), strict=True):
        np.testing.assert_allclose(kept, other.numpy(), rtol=0, atol=1e-5)


_SEEDED = "paddle.seed(3)\n"
_LINE_BY_LINE = """
    kept = [np.array(fluid.global_scope().find_var(p.name).get_tensor()) for p in mnist_static.parameters()]
others = []
with fluid.dygraph.guard():
    paddle.seed(3)
    net = MNIST()
    sgd = fluid.optimizer.SGDOptimizer(learning_rate=0.05, parameter_list=net.parameters())
    for data in train_reader():
        image = np.array([x[0].reshape(1, 28, 28) for x in data]).astype("float32")
        label = np.array([x[1] for x in data]).astype("int64").reshape([BATCH_SIZE, 1])
        loss = fluid.layers.mean(fluid.layers.cross_entropy(net(to_variable(image)), to_variable(label)))
        loss.backward()
        sgd.minimize(loss)
        net.clear_gradients()
        others.append(float(loss.numpy()[0]))
"""


def test_data_that_is_not_there_is_said_where_to_put(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    import paddle

    monkeypatch.setenv(files.VARIABLE, str(tmp_path))
    with pytest.raises(FileNotFoundError, match=r"train-images-idx3-ubyte\.gz there"):
        next(iter(paddle.dataset.mnist.train()()))
    (tmp_path / "mnist").mkdir()
    (tmp_path / "mnist" / "train-images-idx3-ubyte.gz").write_bytes(b"no gzip")
    with pytest.raises(OSError, match="gzip"):
        next(iter(paddle.dataset.mnist.train()()))
