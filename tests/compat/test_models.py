"""MindSpore's `export`, `load` and `nn.GraphCell`."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import mindspore as ms
import numpy as np
import pytest
from mindspore import Tensor, nn

_ELSEWHERE = """
import sys
import mindspore as ms
import numpy as np
from mindspore import Tensor, nn

net = nn.GraphCell(ms.load(sys.argv[1]))
print(net(Tensor(np.ones((2, 3), np.float32))).asnumpy().tolist())
"""


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dense = nn.Dense(3, 4)
        self.relu = nn.ReLU()

    def construct(self, x):
        return self.relu(self.dense(x))


@pytest.mark.parametrize("mode", [ms.GRAPH_MODE, ms.PYNATIVE_MODE])
def test_a_cell_is_loaded_without_its_source(mode: int, tmp_path: Path) -> None:
    ms.set_context(mode=mode)
    net, x = Net(), Tensor(np.ones((2, 3), np.float32))
    ms.export(net, x, file_name=str(tmp_path / "net"), file_format="MINDIR")
    want = net(x).asnumpy().tolist()
    loaded = nn.GraphCell(ms.load(str(tmp_path / "net.mindir")))
    assert loaded(x).asnumpy().tolist() == want
    command = [sys.executable, "-m", "jitcore.compat.mindspore", "-c", _ELSEWHERE, str(tmp_path / "net.mindir")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert ended.stdout.strip() == str(want)


def test_parameters_are_set(tmp_path: Path) -> None:
    net, x = Net(), Tensor(np.ones((1, 3), np.float32))
    name = str(tmp_path / "net.mindir")
    ms.export(net, x, file_name=name, file_format="MINDIR")
    ones = {"dense.weight": Tensor(np.ones((4, 3), np.float32)), "dense.bias": Tensor(np.full(4, 2, np.float32))}
    assert nn.GraphCell(ms.load(name), ones)(x).asnumpy().tolist() == [[5.0] * 4]
    with pytest.raises(ValueError, match=r"no parameter 'other'; it has dense\.weight, dense\.bias"):
        nn.GraphCell(ms.load(name), {"other": x})
    with pytest.raises(ValueError, match="'dense.bias' is Float32 of"):
        nn.GraphCell(ms.load(name), {"dense.bias": x})
    with pytest.raises(TypeError, match="must be a Tensor or Parameter"):
        nn.GraphCell(ms.load(name), {"dense.bias": 1.0})


def test_wrong_calls(tmp_path: Path) -> None:
    net, x = Net(), Tensor(np.ones((1, 3), np.float32))
    with pytest.raises(ValueError, match="'file_format' must be one of"):
        ms.export(net, x, file_name=str(tmp_path / "net"), file_format="TEXT")
    with pytest.raises(NotImplementedError, match="not AIR"):
        ms.export(net, x, file_name=str(tmp_path / "net"), file_format="AIR")
    with pytest.raises(TypeError, match="'file_name' must be string"):
        ms.export(net, x, file_name=3, file_format="MINDIR")
    with pytest.raises(TypeError, match="must be a Cell or a function"):
        ms.export(3, x, file_name=str(tmp_path / "net"), file_format="MINDIR")
    with pytest.raises(ValueError, match="does not exist"):
        ms.load(str(tmp_path / "none.mindir"))
    with pytest.raises(TypeError, match="must be a FuncGraph"):
        nn.GraphCell(net)
    assert not list(tmp_path.iterdir())


def test_onnx(tmp_path: Path) -> None:
    runtime = pytest.importorskip("onnxruntime")
    net, x = Net(), Tensor(np.ones((2, 3), np.float32))
    ms.export(net, x, file_name=str(tmp_path / "net"), file_format="ONNX")
    session = runtime.InferenceSession(str(tmp_path / "net.onnx"), providers=["CPUExecutionProvider"])
    (have,) = session.run(None, {session.get_inputs()[0].name: x.asnumpy()})
    np.testing.assert_allclose(have, net(x).asnumpy(), rtol=1e-5)
