"""MindSpore beside jitcore's own and another framework in one process: whose rules hold is a matter of the Tensors, the Cell and
the decorator."""
# pyright: basic, reportMissingImports=false

from __future__ import annotations

import copy
import pickle
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore.compat import mindspore as compat
from jitcore.compat import torch as torch_compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import nn, ops  # noqa: E402


@pytest.fixture
def torch() -> Iterator[Any]:
    torch_compat.install()
    import torch

    yield torch
    torch_compat.uninstall()


_BEFORE_AND_AFTER = """
import jitcore
from jitcore import Tensor

@jitcore.jit
def augmented(x):
    y = x
    y += 1
    return y

def seen():
    x, ints, whole = Tensor([1.0, 2.0]), Tensor([1, 2], jitcore.int32), Tensor([3, 4])
    made = augmented(x)
    return x.asnumpy().tolist(), type(made), ints.sum().dtype, whole.mean().asnumpy().item(), ints.argmin().dtype

before = seen()
from jitcore.compat import mindspore
mindspore.install()
import mindspore as ms
assert seen() == before, (seen(), before)
x = ms.Tensor([1.0, 2.0])
y = augmented(x)
assert type(y) is ms.Tensor
assert x.asnumpy().tolist() == [1.0, 2.0]
assert y.asnumpy().tolist() == [2.0, 3.0]
assert ms.Tensor([1, 2], ms.int32).sum().dtype is ms.int64
assert ms.Tensor([3, 4]).mean() == 3
assert seen() == before
mindspore.uninstall()
assert seen() == before
"""


def test_importing_mindspore_changes_nothing_else(tmp_path: Path) -> None:
    script = tmp_path / "script.py"
    script.write_text(_BEFORE_AND_AFTER)
    done = subprocess.run([sys.executable, str(script)], capture_output=True, text=True)
    assert done.returncode == 0, done.stderr


def test_each_makes_its_own(mode: int) -> None:
    del mode
    assert type(ops.ones((2,), ms.float32)) is ms.Tensor
    assert type(jitcore.ops.ones((2,), jitcore.float32)) is jitcore.Tensor
    assert type(ops.Eye()(2, 2, ms.float32)) is ms.Tensor
    assert type(ms.numpy.arange(3)) is ms.Tensor
    assert type(ops.add(1, 2)) is ms.Tensor
    assert type(nn.Dense(2, 2).weight) is ms.Parameter
    assert type(jitcore.nn.Dense(2, 2).weight) is jitcore.Parameter
    assert isinstance(nn.Dense(2, 2), nn.Cell)
    assert not isinstance(jitcore.nn.Dense(2, 2), nn.Cell)
    assert isinstance(ms.Parameter(1.0), ms.Tensor)
    assert type(ms.Parameter(ms.Tensor([1.0])) * 2) is ms.Tensor
    assert type(nn.Dense(2, 2)(ms.Tensor(np.ones((1, 2), np.float32)))) is ms.Tensor
    assert type(nn.Momentum(nn.Dense(2, 2).trainable_params(), 0.1, 0.9).moments[0]) is ms.Parameter


def test_results_are_of_the_first_tensors_class(mode: int) -> None:
    del mode
    own, theirs = jitcore.Tensor([1.0]), ms.Tensor([2.0])

    @jitcore.jit
    def compiled(a: Any, b: Any) -> Any:
        return a + b, jitcore.ops.stack((a, b))

    for function in (compiled, compiled.__wrapped__):
        for a, b in ((own, theirs), (theirs, own)):
            assert [type(made) for made in function(a, b)] == [type(a)] * 2


class OfMindSpore(nn.Cell):
    """y += 1 of what it is given, and a Cell of another framework, perhaps."""

    def __init__(self, inner: Any = None) -> None:
        super().__init__()
        self.weight = ms.Parameter(ms.Tensor([10.0, 20.0]), name="weight")
        self.inner = inner

    def construct(self, x: Any) -> Any:
        y = x
        y += 1
        return (y if self.inner is None else self.inner(y)) * self.weight


def test_a_cell_of_one_called_from_the_other(torch: Any, mode: int) -> None:
    del mode

    class OfTorch(torch.nn.Module):
        def __init__(self, inner: Any = None) -> None:
            super().__init__()
            self.weight = torch.nn.Parameter(torch.tensor([100.0, 200.0]))
            self.inner = inner

        def forward(self, x: Any) -> Any:
            y = x
            y += 1
            return (y if self.inner is None else self.inner(y)) * self.weight

    for net in (OfMindSpore(OfTorch()), OfTorch(OfMindSpore())):
        for x, keeps in ((ms.Tensor([1.0, 2.0]), True), (torch.tensor([1.0, 2.0]), False)):
            compiled = jitcore.jit(lambda x, net=net: net(x))
            for call in (net, compiled):
                given = type(x)(x.asnumpy()) if keeps else x.clone()
                with torch.no_grad():
                    made = call(given)
                assert type(made) is type(x)
                assert [float(v) for v in made] == [3000.0, 16000.0]
                # whose rules `+=` goes by is the Tensor's affair, whoever's Cell it stands in
                assert [float(v) for v in given] == ([1.0, 2.0] if keeps else [3.0, 4.0])


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
def test_refusals_are_of_mindspores_programs_alone(mode: int) -> None:
    """What a program refuses goes by its decorator or Cell; the same function is another program for each."""
    del mode

    def with_none(x: Any) -> Any:
        return x + None

    x, own = ms.Tensor([1.0]), jitcore.Tensor([1.0])
    with pytest.raises(TypeError, match="Failed calling add with"):
        ms.jit(with_none)(x)
    with pytest.raises(TypeError, match="Failed calling add with"):
        ms.jit(with_none)(own)
    with pytest.raises(TypeError, match="unsupported operand"):
        jitcore.jit(with_none)(own)
    with pytest.raises(TypeError, match="Failed calling add with"):
        ms.jit(with_none)(x)


def test_cells_are_refused_by_their_class() -> None:
    def construct(self: Any, x: Any) -> Any:
        while x < 3:
            x = x + 1
        else:
            x = x + 10
        return x

    theirs = type("Theirs", (nn.Cell,), {"construct": construct})()
    own = type("Own", (jitcore.nn.Cell,), {"construct": construct})()
    ms.context.set_context(mode=ms.GRAPH_MODE)
    with pytest.raises(RuntimeError, match=r"while\.\.\.else"):
        theirs(ms.Tensor(1))
    assert own(jitcore.Tensor(1)) == 13
    assert own(ms.Tensor(1)) == 13


@pytest.mark.parametrize("again", [copy.copy, copy.deepcopy, lambda x: pickle.loads(pickle.dumps(x))])
def test_copies_are_mindspores(again: Any) -> None:
    assert type(again(ms.Tensor([1.0]))) is ms.Tensor
    made = again(ms.Parameter(ms.Tensor([1.0]), name="w"))
    assert type(made) is ms.Parameter
    assert made.name == "w"
    layer = again(nn.Dense(2, 3))
    assert type(layer) is nn.Dense
    assert type(layer.weight) is ms.Parameter


def test_what_is_made_of_no_tensors_is_mindspores(mode: int, tmp_path: Path) -> None:
    del mode
    x = ms.Tensor(np.ones((2, 5, 3), np.float32))
    output, (h, c) = nn.LSTM(3, 4)(x)
    assert {type(v) for v in (output, h, c)} == {ms.Tensor}
    assert type(nn.probability.distribution.Normal(0.0, 1.0).sample((2,))) is ms.Tensor
    rows = ms.dataset.NumpySlicesDataset(np.ones((4, 2), np.float32), ["x"], shuffle=False).batch(2).take(1)
    assert [type(row["x"]) for row in rows.create_dict_iterator()] == [ms.Tensor]
    own = jitcore.dataset.NumpySlicesDataset(np.ones((4, 2), np.float32), ["x"], shuffle=False).batch(2)
    assert type(next(own.create_tuple_iterator())[0]) is jitcore.Tensor
    path = str(tmp_path / "net.ckpt")
    ms.save_checkpoint(nn.Dense(2, 2), path)
    assert {type(p) for p in ms.load_checkpoint(path).values()} == {ms.Parameter}
    encoder = nn.TransformerEncoderLayer(4, 2)
    assert {type(p) for p in encoder.get_parameters()} == {ms.Parameter}
    assert all(isinstance(cell, nn.Cell) for _, cell in encoder.cells_and_names())


def test_gradients_are_of_the_class_of_what_they_are_by(mode: int) -> None:
    del mode
    for cls, grad in ((ms.Tensor, ms.grad), (jitcore.Tensor, jitcore.grad), (ms.Tensor, jitcore.grad)):
        assert type(grad(lambda x: (x * x).sum())(cls([1.0, 2.0]))) is cls
        assert type(grad(lambda x: x.sum() * 0 + 1.0)(cls([1.0, 2.0]))) is cls


def test_models_are_loaded_with_their_class(tmp_path: Path) -> None:
    net = OfMindSpore()
    jitcore.export(net, ms.Tensor([1.0, 2.0]), tmp_path / "model")
    made = jitcore.load(tmp_path / "model")(ms.Tensor([1.0, 2.0]))
    assert type(made) is ms.Tensor
    assert made.asnumpy().tolist() == [20.0, 60.0]
