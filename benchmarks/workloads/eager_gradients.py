"""Line by line with gradients: PyTorch's programs under PyTorch and under jitcore's front for them."""

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


def images() -> Inputs:
    random = np.random.default_rng(0)
    shapes = {
        "conv1": (6, 1, 5, 5),
        "conv2": (16, 6, 5, 5),
        "fc1": (120, 400),
        "fc2": (84, 120),
        "fc3": (10, 84),
    }
    made = {name: random.standard_normal(shape, np.float32) * 0.1 for name, shape in shapes.items()}
    return {**made, "x": random.standard_normal((32, 1, 32, 32), np.float32), "y": random.integers(0, 10, 32)}


def add(torch: Any, inputs: Inputs) -> Run:
    x, y = (torch.from_numpy(inputs[name]).requires_grad_() for name in "xy")
    return Call(lambda x, y: x + y, x, y)


def lenet_step(torch: Any, inputs: Inputs) -> Run:
    """The loss of a step, from weights that are put back before it."""
    nn, f = torch.nn, torch.nn.functional

    class LeNet(nn.Module):
        def __init__(self):
            super().__init__()
            self.conv1, self.conv2 = nn.Conv2d(1, 6, 5), nn.Conv2d(6, 16, 5)
            self.fc1, self.fc2, self.fc3 = nn.Linear(400, 120), nn.Linear(120, 84), nn.Linear(84, 10)

        def forward(self, x):
            x = f.max_pool2d(f.relu(self.conv1(x)), 2)
            x = f.max_pool2d(f.relu(self.conv2(x)), 2).flatten(1)
            return self.fc3(f.relu(self.fc2(f.relu(self.fc1(x)))))

    net = LeNet()
    with torch.no_grad():
        for name in ("conv1", "conv2", "fc1", "fc2", "fc3"):
            layer = getattr(net, name)
            layer.weight.copy_(torch.from_numpy(inputs[name]))
            layer.bias.zero_()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.0, momentum=0.9)  # so that each step computes the same
    x, y = torch.from_numpy(inputs["x"]), torch.from_numpy(inputs["y"])

    def run() -> Any:
        loss = f.cross_entropy(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return run


def under_jitcore(make: Callable[[Any, Inputs], Run]) -> Prepare:
    def prepare(inputs: Inputs) -> Run:
        from jitcore.compat.torch import package

        return warmed(make(package(), inputs))

    return prepare


def under_torch(make: Callable[[Any, Inputs], Run]) -> Prepare:
    def prepare(inputs: Inputs) -> Run:
        import torch

        return warmed(make(torch, inputs))

    return prepare


def warmed(run: Run) -> Run:
    for _ in range(WARM_UP):
        run()
    return run


def _both(name: str, doc: str, make: Callable[[Any, Inputs], Run], inputs: Callable[[], Inputs]) -> Workload:
    return Workload(name, f"line by line: {doc}", {"jitcore": under_jitcore(make), "torch": under_torch(make)}, inputs)


WORKLOADS = [
    _both("eager_add_gradient", "x + y on 4 float32 that need gradients", add, vectors),
    _both("eager_lenet_step", "a training step of LeNet-5, batch 32", lenet_step, images),
]
