"""Trains ResNet-18 (He et al. 2015) on scikit-learn's handwritten digits, as images of 3 x 32 x 32, as an nn.Graph too.

    python -m jitcore.compat.oneflow examples/oneflow_resnet.py [--steps 12] [--batch 16]

Steps are taken line by line and as an nn.Graph: both times are printed, and by how much their losses differ in float64.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
import oneflow as flow
import oneflow.nn as nn
from sklearn.datasets import load_digits


class Block(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, inputs: int, outputs: int, stride: int) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(inputs, outputs, 3, stride=stride, padding=1, bias=False)
        self.bn1 = nn.BatchNorm2d(outputs)
        self.conv2 = nn.Conv2d(outputs, outputs, 3, padding=1, bias=False)
        self.bn2 = nn.BatchNorm2d(outputs)
        self.relu = nn.ReLU()
        self.shortcut = nn.Identity()
        if stride != 1 or inputs != outputs:
            projection = nn.Conv2d(inputs, outputs, 1, stride=stride, bias=False)
            self.shortcut = nn.Sequential(projection, nn.BatchNorm2d(outputs))

    def forward(self, x):
        y = self.relu(self.bn1(self.conv1(x)))
        return self.relu(self.bn2(self.conv2(y)) + self.shortcut(x))


def resnet18():
    """ResNet-18 for ten classes, from the same weights each time."""
    flow.manual_seed(0)
    blocks = []
    for inputs, outputs, stride in ((64, 64, 1), (64, 128, 2), (128, 256, 2), (256, 512, 2)):
        blocks += [Block(inputs, outputs, stride), Block(outputs, outputs, 1)]
    return nn.Sequential(
        nn.Conv2d(3, 64, 7, stride=2, padding=3, bias=False),
        nn.BatchNorm2d(64),
        nn.ReLU(),
        nn.MaxPool2d(3, stride=2, padding=1),
        *blocks,
        *(nn.AdaptiveAvgPool2d(1), nn.Flatten(), nn.Linear(512, 10)),
    )


class Training(nn.Graph):
    """A step of training."""

    def __init__(self, model, loss_fn, optimizer) -> None:
        super().__init__()
        self.model = model
        self.loss_fn = loss_fn
        self.add_optimizer(optimizer)

    def build(self, x, y):
        loss = self.loss_fn(self.model(x), y)
        loss.backward()
        return loss


def eager_step(model, loss_fn, optimizer):
    """The same step, line by line."""

    def step(x, y):
        loss = loss_fn(model(x), y)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def train(kind, model, data):
    """The losses, and the seconds of each step, of a kind of step."""
    step = kind(model, nn.CrossEntropyLoss(), flow.optim.SGD(model.parameters(), lr=3e-3, momentum=0.9))
    losses, seconds = [], []
    for x, y in data:
        start = time.perf_counter()
        losses.append(step(x, y).item())
        seconds.append(time.perf_counter() - start)
    return losses, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=12, help="of each training (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=16, help="images a step (default: %(default)s)")
    options = parser.parse_args()
    digits, rng = load_digits(), np.random.default_rng(0)
    images = np.kron(digits.images[:, None] / 16, np.ones((1, 3, 4, 4))).astype(np.float32)
    chosen = [rng.choice(len(images), options.batch, replace=False) for _ in range(options.steps)]
    data = [(flow.tensor(images[c]), flow.tensor(digits.target[c])) for c in chosen]

    exact = [(x[:4].double(), y[:4]) for x, y in data[:3]]
    a, _ = train(eager_step, resnet18().double(), exact)
    b, _ = train(Training, resnet18().double(), exact)
    difference = max(abs(m - n) / abs(m) for m, n in zip(a, b, strict=True))
    print(f"largest relative difference of the losses in float64: {difference:.1e}")

    _, eager = train(eager_step, resnet18(), data[:4])
    losses, graph = train(Training, resnet18(), data)
    print(f"loss {losses[0]:.4f} at first, {losses[-1]:.4f} at last")
    a, b = (statistics.median(seconds[len(seconds) // 2 :]) * 1e3 for seconds in (eager, graph))
    print(f"eager {a:.1f} ms, graph {b:.1f} ms a step; first graph call {graph[0]:.1f} s")


if __name__ == "__main__":
    main()
