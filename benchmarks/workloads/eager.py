"""Line by line: operators and networks where nothing is compiled by the user, beside PyTorch and NumPy."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import numpy as np
from workload import Call, Prepare, Run, Workload

Inputs = Mapping[str, np.ndarray]
WARM_UP = 100
"""Calls before the first that is measured: what is called often is compiled after a few."""


def vectors() -> Inputs:
    return {"x": np.array([1, 2, 3, 4], np.float32), "y": np.array([0.5, -1, 2, 0], np.float32)}


def squares(n: int) -> Callable[[], Inputs]:
    def made() -> Inputs:
        random = np.random.default_rng(0)
        return {name: random.standard_normal((n, n), np.float32) for name in "xy"}

    return made


def add(x, y):
    return x + y


def arithmetic(x, y):
    z = x * y + x
    z = z - y / 2
    return (z * z + 1) * (abs(x) > 0.5)


def product(x, y):
    return x @ y


def reduction(x, y):
    return x.mean(1) + y.max()


def with_jitcore(function: Callable[[Any, Any], Any]) -> Prepare:
    def prepare(inputs: Inputs) -> Run:
        import jitcore

        return warmed(Call(function, *(jitcore.Tensor(inputs[name]) for name in "xy")))

    return prepare


def with_torch(function: Callable[[Any, Any], Any]) -> Prepare:
    def prepare(inputs: Inputs) -> Run:
        import torch

        return warmed(Call(function, *(torch.from_numpy(inputs[name]) for name in "xy")))

    return prepare


def with_numpy(function: Callable[[Any, Any], Any]) -> Prepare:
    return lambda inputs: Call(function, inputs["x"], inputs["y"])


def warmed(run: Run) -> Run:
    for _ in range(WARM_UP):
        run()
    return run


# --- networks -------------------------------------------------------------------------------------------

LAYERS = ((64, 128), (128, 128), (128, 10))
KERNELS = {"conv1": (6, 1, 5, 5), "conv2": (16, 6, 5, 5), "fc1": (120, 400), "fc2": (84, 120), "fc3": (10, 84)}


def batch_for_layers() -> Inputs:
    random = np.random.default_rng(0)
    weights = {f"w{k}": (random.standard_normal((n, m)) * 0.1).astype(np.float32) for k, (m, n) in enumerate(LAYERS)}
    return weights | {"x": random.standard_normal((32, 64)).astype(np.float32)}


def images() -> Inputs:
    random = np.random.default_rng(0)
    weights = {name: (random.standard_normal(shape) * 0.1).astype(np.float32) for name, shape in KERNELS.items()}
    return weights | {"x": random.standard_normal((32, 1, 32, 32)).astype(np.float32)}


def jitcore_layers(inputs: Inputs) -> Run:
    import jitcore
    from jitcore import Tensor, nn

    jitcore.set_context(mode=jitcore.PYNATIVE_MODE)
    dense = [nn.Dense(m, n, has_bias=False) for m, n in LAYERS]
    for k, layer in enumerate(dense):
        layer.weight.set_data(Tensor(inputs[f"w{k}"]))
    net = nn.SequentialCell([dense[0], nn.ReLU(), dense[1], nn.ReLU(), dense[2]])
    x = Tensor(inputs["x"])
    return warmed(lambda: net(x))


def torch_layers(inputs: Inputs) -> Run:
    import torch
    from torch import nn

    dense = [nn.Linear(m, n, bias=False) for m, n in LAYERS]
    for k, layer in enumerate(dense):
        layer.weight = nn.Parameter(torch.from_numpy(inputs[f"w{k}"]), requires_grad=False)
    net = nn.Sequential(dense[0], nn.ReLU(), dense[1], nn.ReLU(), dense[2])
    x = torch.from_numpy(inputs["x"])
    return warmed(lambda: net(x))


def numpy_layers(inputs: Inputs) -> Run:
    x, *weights = (inputs[name] for name in ("x", "w0", "w1", "w2"))

    def run() -> Any:
        h = np.maximum(x @ weights[0].T, 0)
        return np.maximum(h @ weights[1].T, 0) @ weights[2].T

    return run


def jitcore_lenet(inputs: Inputs) -> Run:
    import jitcore
    from jitcore import Tensor, nn

    jitcore.set_context(mode=jitcore.PYNATIVE_MODE)

    class LeNet5(nn.Cell):
        def __init__(self):
            super().__init__()
            self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
            self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
            self.fc1, self.fc2, self.fc3 = (
                nn.Dense(m, n, has_bias=False) for m, n in ((400, 120), (120, 84), (84, 10))
            )
            self.relu, self.pool, self.flatten = nn.ReLU(), nn.MaxPool2d(kernel_size=2, stride=2), nn.Flatten()
            for name in KERNELS:
                getattr(self, name).weight.set_data(Tensor(inputs[name]))

        def construct(self, x):
            x = self.pool(self.relu(self.conv1(x)))
            x = self.flatten(self.pool(self.relu(self.conv2(x))))
            return self.fc3(self.relu(self.fc2(self.relu(self.fc1(x)))))

    net, x = LeNet5(), Tensor(inputs["x"])
    return warmed(lambda: net(x))


def torch_lenet(inputs: Inputs) -> Run:
    import torch
    from torch.nn import functional as f

    weights = {name: torch.from_numpy(inputs[name]) for name in KERNELS}
    images = torch.from_numpy(inputs["x"])

    def run() -> Any:
        x = f.max_pool2d(f.relu(f.conv2d(images, weights["conv1"])), 2)
        x = f.max_pool2d(f.relu(f.conv2d(x, weights["conv2"])), 2).flatten(1)
        x = f.relu(f.linear(f.relu(f.linear(x, weights["fc1"])), weights["fc2"]))
        return f.linear(x, weights["fc3"])

    return warmed(run)


def _operators(name: str, doc: str, function: Callable[[Any, Any], Any], inputs: Callable[[], Inputs]) -> Workload:
    peers = {"jitcore": with_jitcore(function), "numpy": with_numpy(function), "torch": with_torch(function)}
    return Workload(name, f"line by line: {doc}", peers, inputs)


WORKLOADS = [
    _operators("eager_add", "x + y on 4 float32", add, vectors),
    _operators("eager_chain", "nine operators on 32² float32", arithmetic, squares(32)),
    _operators("eager_matmul", "x @ y on 16² float32", product, squares(16)),
    _operators("eager_reduction", "x.mean(1) + y.max() on 32² float32", reduction, squares(32)),
    Workload(
        "eager_mlp",
        "line by line: three dense layers, batch 32",
        {"jitcore": jitcore_layers, "numpy": numpy_layers, "torch": torch_layers},
        batch_for_layers,
    ),
    Workload(
        "eager_lenet",
        "line by line: LeNet-5 forwards, batch 32",
        {"jitcore": jitcore_lenet, "torch": torch_lenet},
        images,
    ),
]
