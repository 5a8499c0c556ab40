"""Trains flowvision's MobileNetV2 as OneFlow's documents do, line by line and as an nn.Graph.

    python -m jitcore.compat.oneflow examples/oneflow_mobilenet.py [--steps 16] [--batch 16]

The images are generated, and laid where CIFAR-10's published files would be: two batches of them, over which training
goes again and again. Both times are printed, and by how much the losses of a shorter MobileNetV2 differ in float64.
"""

from __future__ import annotations

import argparse
import pickle
import statistics
import tempfile
import time
from pathlib import Path

import flowvision
import flowvision.transforms as transforms
import numpy as np
import oneflow as flow
import oneflow.nn as nn

DEVICE = "cuda" if flow.cuda.is_available() else "cpu"
SHORTER = [[1, 16, 1, 1], [6, 24, 1, 2], [6, 32, 2, 2], [6, 64, 1, 2]]


def write_cifar10(root: Path, each: int) -> None:
    """Write files as CIFAR-10's are published for Python, of `each` images: noise about a colour of the class."""
    rng = np.random.default_rng(0)
    colours = rng.integers(60, 196, (10, 3, 1, 1))
    folder = root / "cifar-10-batches-py"
    folder.mkdir(parents=True)
    for name in (*(f"data_batch_{k}" for k in range(1, 6)), "test_batch"):
        labels = rng.integers(0, 10, each)
        pixels = np.clip(colours[labels] + rng.normal(0, 20, (each, 3, 32, 32)), 0, 255).astype(np.uint8)
        batch = {"labels": labels.tolist(), "data": pixels.reshape(each, -1)}
        (folder / name).write_bytes(pickle.dumps(batch, protocol=2))


def network(stages=None):
    """MobileNetV2 for ten classes, from the same weights each time; of the paper's stages, if no others are given."""
    flow.manual_seed(0)
    model = flowvision.models.mobilenet_v2(inverted_residual_setting=stages).to(DEVICE)
    model.classifier = nn.Sequential(nn.Dropout(0.0), nn.Linear(model.last_channel, 10))
    return model


class MobileNetGraph(flow.nn.Graph):
    """A step of training."""

    def __init__(self, model, loss_fn, optimizer) -> None:
        super().__init__()
        self.model = model
        self.loss_fn = loss_fn
        self.add_optimizer(optimizer)

    def build(self, x, y):
        y_pred = self.model(x)
        loss = self.loss_fn(y_pred, y)
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
    loss_fn = nn.CrossEntropyLoss().to(DEVICE)
    step = kind(model, loss_fn, flow.optim.Adam(model.parameters(), lr=1e-3))
    losses, seconds = [], []
    for x, y in data:
        start = time.perf_counter()
        losses.append(step(x, y).item())
        seconds.append(time.perf_counter() - start)
    return losses, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=16, help="of each training (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=16, help="images a step (default: %(default)s)")
    options = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        root = Path(folder) / "data"
        write_cifar10(root, -(-2 * options.batch // 5))
        training_data = flowvision.datasets.CIFAR10(
            root=root, train=True, transform=transforms.ToTensor(), download=True
        )
    loader = flow.utils.data.DataLoader(training_data, options.batch, shuffle=True)
    epoch = [(x.to(DEVICE), y.to(DEVICE)) for x, y in loader][:2]
    data = [epoch[k % 2] for k in range(options.steps)]

    exact = [(x[:4].double(), y[:4]) for x, y in data[:3]]
    a, _ = train(eager_step, network(SHORTER).double(), exact)
    b, _ = train(MobileNetGraph, network(SHORTER).double(), exact)
    difference = max(abs(m - n) / abs(m) for m, n in zip(a, b, strict=True))
    print(f"largest relative difference of the losses in float64: {difference:.1e}")

    _, eager = train(eager_step, network(), data[:6])
    losses, graph = train(MobileNetGraph, network(), data)
    print(f"loss {losses[0]:.4f} at first, {losses[-1]:.4f} at last")
    a, b = (statistics.median(seconds[len(seconds) // 2 :]) * 1e3 for seconds in (eager, graph))
    print(f"eager {a:.1f} ms, graph {b:.1f} ms a step; first graph call {graph[0]:.1f} s")


if __name__ == "__main__":
    main()
