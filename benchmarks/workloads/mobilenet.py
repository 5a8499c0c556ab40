"""A training step of MobileNetV2 (Sandler et al. 2018, table 2) on images of 32 x 32: PyTorch's program under PyTorch, under
jitcore's front for it line by line, and as one of OneFlow's Graphs."""

from __future__ import annotations

import importlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from workload import Run, Workload

Inputs = Mapping[str, np.ndarray]
STAGES = (
    (1, 16, 1, 1),
    (6, 24, 2, 2),
    (6, 32, 3, 2),
    (6, 64, 4, 2),
    (6, 96, 3, 1),
    (6, 160, 3, 2),
    (6, 320, 1, 1),
)
"""By how much blocks widen within, how wide they are, how many, and the stride of the first."""
BATCH = 16
WARM_UP = 12
"""Steps before the first that is measured, at the end of which a Graph runs its better code."""


def images() -> Inputs:
    random = np.random.default_rng(0)
    x = random.standard_normal((BATCH, 3, 32, 32)).astype(np.float32)
    return {"x": x, "y": np.arange(BATCH) % 10}


def network(torch: Any) -> Any:
    """MobileNetV2 for ten classes, with the same weights everywhere."""
    nn = torch.nn

    def layers(inputs: int, outputs: int, kernel: int, stride: int = 1, groups: int = 1) -> list[Any]:
        padding = (kernel - 1) // 2
        made = nn.Conv2d(inputs, outputs, kernel, stride, padding, groups=groups, bias=False)
        return [made, nn.BatchNorm2d(outputs), nn.ReLU6(inplace=True)]

    class Block(nn.Module):
        def __init__(self, inputs: int, outputs: int, stride: int, widening: int) -> None:
            super().__init__()
            wide = inputs * widening
            first = layers(inputs, wide, 1) if widening != 1 else []
            last = layers(wide, outputs, 1)[:2]
            self.is_added = stride == 1 and inputs == outputs
            self.conv = nn.Sequential(*first, *layers(wide, wide, 3, stride, wide), *last)

        def forward(self, x):
            return x + self.conv(x) if self.is_added else self.conv(x)

    class MobileNetV2(nn.Module):
        def __init__(self) -> None:
            super().__init__()
            parts, inputs = layers(3, 32, 3, 2), 32
            for widening, outputs, count, stride in STAGES:
                for k in range(count):
                    parts.append(Block(inputs, outputs, stride if k == 0 else 1, widening))
                    inputs = outputs
            self.features = nn.Sequential(*parts, *layers(inputs, 1280, 1))
            self.classifier = nn.Linear(1280, 10)

        def forward(self, x):
            return self.classifier(self.features(x).mean([2, 3]))

    net, random = MobileNetV2(), np.random.default_rng(1)
    with torch.no_grad():
        for parameter in net.parameters():
            shape = tuple(parameter.shape)
            if len(shape) > 1:
                scale = (2 / np.prod(shape[1:])) ** 0.5
                parameter.copy_(torch.from_numpy((random.standard_normal(shape) * scale).astype(np.float32)))
    net.classifier.bias.data.zero_()
    return net


def line_by_line(torch: Any, inputs: Inputs) -> Run:
    """The loss of a step; with the rate 0, so that each step computes the same."""
    net = network(torch)
    loss_fn = torch.nn.CrossEntropyLoss()
    optimizer = torch.optim.SGD(net.parameters(), lr=0.0, momentum=0.9)
    x, y = torch.from_numpy(inputs["x"]), torch.from_numpy(inputs["y"])

    def run() -> Any:
        loss = loss_fn(net(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return warmed(run)


def warmed(run: Run) -> Run:
    for _ in range(WARM_UP):
        run()
    return run


def with_torch(inputs: Inputs) -> Run:
    return line_by_line(importlib.import_module("torch"), inputs)


def with_jitcore(inputs: Inputs) -> Run:
    from jitcore.compat.torch import package

    return line_by_line(package(), inputs)


def with_a_graph(inputs: Inputs) -> Run:
    from jitcore.compat import oneflow

    oneflow.install()
    flow: Any = importlib.import_module("oneflow")

    class Training(flow.nn.Graph):
        def __init__(self) -> None:
            super().__init__()
            self.net = network(flow)
            self.loss_fn = flow.nn.CrossEntropyLoss()
            self.add_optimizer(flow.optim.SGD(self.net.parameters(), lr=0.0, momentum=0.9))

        def build(self, x, y):
            loss = self.loss_fn(self.net(x), y)
            loss.backward()
            return loss

    graph, x, y = Training(), flow.from_numpy(inputs["x"]), flow.from_numpy(inputs["y"])
    return warmed(lambda: graph(x, y))


WORKLOADS = [
    Workload(
        "mobilenet_graph_step",
        "a training step of MobileNetV2, batch 16: a Graph, and PyTorch line by line",
        {"jitcore": with_a_graph, "torch": with_torch},
        images,
        tolerance=1e-3,
    ),
    Workload(
        "mobilenet_eager_step",
        "the same, line by line in both",
        {"jitcore": with_jitcore, "torch": with_torch},
        images,
        tolerance=1e-3,
    ),
]
