"""`flow.save` and `flow.load`."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import OrderedDict
from pathlib import Path
from typing import Any

import numpy as np
import oneflow as flow
import pytest


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    whole = {
        "tensors": [flow.ones(2, requires_grad=True), flow.tensor(3), flow.nn.Parameter(flow.zeros(2, 0))],
        "complex": flow.tensor([1 + 2j]),
        "flags": flow.tensor([True, False]),
        "ordered": OrderedDict(a=(1, 2.5, None, True), b=float("-inf")),
        3: np.arange(3),
        "": {"": flow.ones(1)},
    }
    flow.save(whole, tmp_path / "saved")
    found = flow.load(tmp_path / "saved")
    assert repr(found) == repr(whole)
    assert found["tensors"][0].requires_grad
    assert isinstance(found["tensors"][2], flow.nn.Parameter)
    assert isinstance(found["ordered"], OrderedDict)
    found["flags"][1] = True
    assert found["flags"].tolist() == [True, True]


def test_a_folder_is_written_again_and_nothing_that_is_code(tmp_path: Path) -> None:
    folder = tmp_path / "saved"
    flow.save(flow.ones(1), folder)
    flow.save(flow.zeros(1), folder)
    assert flow.load(folder).tolist() == [0.0]
    assert [file.suffix for file in folder.iterdir()] == [".safetensors"]
    with pytest.raises(TypeError, match=r"a function at a\.0 cannot be saved"):
        flow.save({"a": [lambda: 0]}, folder)
    assert flow.load(folder).tolist() == [0.0]
    with pytest.raises(FileNotFoundError):
        flow.load(tmp_path / "none")


def test_damage_is_found(tmp_path: Path) -> None:
    flow.save(flow.ones(100), tmp_path / "saved")
    (file,) = (tmp_path / "saved").iterdir()
    data = bytearray(file.read_bytes())
    data[-1] ^= 1
    file.write_bytes(data)
    with pytest.raises(ValueError, match="damaged"):
        flow.load(tmp_path / "saved")


def test_states_of_optimizers_are_saved(tmp_path: Path) -> None:
    def trained(state: object = None) -> tuple[Any, Any]:
        w = flow.nn.Parameter(flow.ones(2))
        optimizer = flow.optim.Adam([{"params": [w], "lr": 0.5}])
        if state is not None:
            optimizer.load_state_dict(state)
        (w * w).sum().backward()
        optimizer.step()
        return w, optimizer

    _, optimizer = trained()
    flow.save(optimizer.state_dict(), tmp_path / "optimizer")
    loaded = flow.load(tmp_path / "optimizer")
    assert repr(loaded) == repr(optimizer.state_dict())
    assert trained(loaded)[0].tolist() == trained(optimizer.state_dict())[0].tolist()


_RESUMED = """
import sys
import oneflow as flow
model = flow.nn.Linear(3, 2)
model.load_state_dict(flow.load(sys.argv[1]))
print(model(flow.ones(1, 3)).tolist())
"""


def test_another_process_goes_on(tmp_path: Path) -> None:
    model = flow.nn.Linear(3, 2)
    flow.save(model.state_dict(), tmp_path / "saved")
    command = [sys.executable, "-m", "jitcore.compat.oneflow", "-c", _RESUMED, str(tmp_path / "saved")]
    run = subprocess.run(command, capture_output=True, text=True, check=False, env={**os.environ})
    assert run.stdout == f"{model(flow.ones(1, 3)).tolist()}\n", run.stderr


# --- Graphs ---------------------------------------------------------------------------------------------

_GRAPH = """
import sys
import oneflow as flow

model = flow.load(sys.argv[1])
x = flow.arange(6, dtype=flow.float32).reshape(2, 3)
y = model(x)
assert type(y) is flow.Tensor
print(y.tolist())
"""


class Scaled(flow.nn.Graph):
    def __init__(self):
        super().__init__()
        flow.manual_seed(3)
        self.net = flow.nn.Sequential(flow.nn.Linear(3, 4), flow.nn.BatchNorm1d(4), flow.nn.ReLU()).eval()

    def build(self, x, scale=2.0):
        return self.net(x) * scale


def test_a_graph_is_loaded_without_its_source(tmp_path: Path) -> None:
    graph, x = Scaled(), flow.arange(6, dtype=flow.float32).reshape(2, 3)
    with pytest.raises(RuntimeError, match="compiled first"):
        flow.save(graph, tmp_path / "model")
    want = graph(x)
    with pytest.raises(FileNotFoundError, match=r"in which flow\.save is to write a Graph"):
        flow.save(graph, tmp_path / "1" / "model")
    flow.save(graph, tmp_path / "model")
    assert flow.load(tmp_path / "model")(x).tolist() == want.tolist()
    with pytest.raises(TypeError, match=r"exported for \(float32\[2, 3\]\)"):
        flow.load(tmp_path / "model")(x[:1])
    command = [sys.executable, "-m", "jitcore.compat.oneflow", "-c", _GRAPH, str(tmp_path / "model")]
    ended = subprocess.run(command, capture_output=True, text=True, check=True, cwd=tmp_path)
    assert ended.stdout.strip() == str(want.tolist())


def test_a_graph_that_trains_is_no_model(tmp_path: Path) -> None:
    class Training(Scaled):
        def __init__(self):
            super().__init__()
            self.add_optimizer(flow.optim.SGD(self.net.parameters(), lr=0.1))

        def build(self, x):
            loss = self.net(x).sum()
            loss.backward()
            return loss

    graph = Training()
    graph(flow.ones(2, 3))
    with pytest.raises(RuntimeError, match="trains"):
        flow.save(graph, tmp_path / "model")
    assert not (tmp_path / "model").exists()
