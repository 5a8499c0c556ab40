"""Trains a small convolutional network on real handwritten digits, compiled (GRAPH_MODE) and line by line (PYNATIVE_MODE).

    python examples/digits.py [--epochs 20] [--seed 0] [--dump FOLDER]

The data are the 1,797 digits of scikit-learn's `load_digits`, 8 × 8 pixels each. Both modes start from the same weights and see
the same batches; the script ends with exit code 1 if one of them stays below 97 % on the test images, or if their losses
differ over the first steps.
"""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits

from jitcore import Tensor, context, nn
from jitcore.common.initializer import Normal, set_seed

try:
    from tqdm import tqdm
except ImportError:  # a nicety: without it there is no bar
    tqdm = None

BATCH = 32
COMPARED_STEPS = 20


class Net(nn.Cell):
    """Two convolutions and two dense layers, after LeNet, for 8 × 8 images."""

    def __init__(self) -> None:
        super().__init__()
        self.conv1 = nn.Conv2d(1, 16, 3, pad_mode="same", weight_init=Normal(0.1))
        self.conv2 = nn.Conv2d(16, 32, 3, pad_mode="same", weight_init=Normal(0.1))
        self.fc1 = nn.Dense(32 * 2 * 2, 64, weight_init=Normal(0.1))
        self.fc2 = nn.Dense(64, 10, weight_init=Normal(0.1))
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.relu(self.fc1(self.flatten(x)))
        return self.fc2(x)


@dataclass
class Digits:
    """Images (count, 1, 8, 8) of float32 in [0, 1], labels of int32, split at random."""

    train_images: np.ndarray
    train_labels: np.ndarray
    test_images: np.ndarray
    test_labels: np.ndarray

    @classmethod
    def load(cls, seed: int) -> Digits:
        data = load_digits()
        order = np.random.default_rng(seed).permutation(len(data.target))
        images = (data.images[order, None] / 16).astype(np.float32)
        labels = data.target[order].astype(np.int32)
        split = len(labels) * 4 // 5
        return cls(images[:split], labels[:split], images[split:], labels[split:])

    def batches(self, epoch: int) -> Iterator[tuple[np.ndarray, np.ndarray]]:
        """The training images in batches of BATCH, in another order each epoch; the last few that fill none are left out."""
        order = np.random.default_rng(epoch).permutation(len(self.train_labels))
        for start in range(0, len(order) - BATCH + 1, BATCH):
            chosen = order[start : start + BATCH]
            yield self.train_images[chosen], self.train_labels[chosen]


@dataclass
class Outcome:
    """What one training gave."""

    losses: list[float]
    seconds: list[float]  # of each step
    accuracy: float


def train(name: str, digits: Digits, weights: dict[str, np.ndarray], epochs: int) -> Outcome:
    """Train a network from the given weights in the mode that is set."""
    net = Net()
    for key, parameter in net.parameters_and_names():
        parameter.set_data(Tensor(weights[key]))
    loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
    optimizer = nn.Momentum(net.trainable_params(), learning_rate=0.02, momentum=0.9)
    step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), optimizer)
    step.set_train()
    outcome = Outcome([], [], 0.0)
    for epoch in range(epochs):
        first = len(outcome.losses)
        for images, labels in progress(list(digits.batches(epoch)), f"{name} epoch {epoch + 1:2}/{epochs}"):
            start = time.perf_counter()
            value = step(Tensor(images), Tensor(labels))
            outcome.losses.append(float(value.asnumpy()))
            outcome.seconds.append(time.perf_counter() - start)
        outcome.accuracy = accuracy(net, digits)
        mean = sum(outcome.losses[first:]) / len(outcome.losses[first:])
        print(f"{name} epoch {epoch + 1:2}/{epochs}  loss {mean:.4f}  test accuracy {outcome.accuracy:.2%}", flush=True)
    return outcome


def progress(batches: list[tuple[np.ndarray, np.ndarray]], label: str) -> Iterable[tuple[np.ndarray, np.ndarray]]:
    """The batches, with a bar on the terminal while they are gone through."""
    return batches if tqdm is None else tqdm(batches, label, leave=False, disable=not sys.stderr.isatty())


def accuracy(net: nn.Cell, digits: Digits) -> float:
    """The share of test images whose digit the network finds."""
    guesses = net(Tensor(digits.test_images)).asnumpy().argmax(axis=1)
    return float((guesses == digits.test_labels).mean())


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--epochs", type=int, default=20, help="passes over the training images (default: %(default)s)")
    parser.add_argument("--seed", type=int, default=0, help="of the split and the first weights (default: %(default)s)")
    parser.add_argument("--dump", type=Path, default=Path("jitcore_dump"), metavar="FOLDER", help="where the compiler writes every stage (default: %(default)s)")  # fmt: skip
    options = parser.parse_args()
    set_seed(options.seed)
    digits = Digits.load(options.seed)
    weights = {name: parameter.asnumpy().copy() for name, parameter in Net().parameters_and_names()}

    # STRICT: what cannot be compiled is an error, not run line by line with a notice
    context.set_context(
        mode=context.GRAPH_MODE, jit_syntax_level="STRICT", save_graphs=True, save_graphs_path=str(options.dump)
    )
    compiled = train("GRAPH   ", digits, weights, options.epochs)
    context.set_context(mode=context.PYNATIVE_MODE, save_graphs=False)
    eager = train("PYNATIVE", digits, weights, options.epochs)
    return report(compiled, eager, options.dump)


def report(compiled: Outcome, eager: Outcome, dump: Path) -> int:
    """Print both outcomes side by side; the exit code."""
    a, b = np.array(compiled.losses[:COMPARED_STEPS]), np.array(eager.losses[:COMPARED_STEPS])
    difference = float(np.max(np.abs(a - b) / np.abs(b)))
    print()
    print(f"{'':28}{'GRAPH':>12}{'PYNATIVE':>12}")
    print(f"{'test accuracy':28}{compiled.accuracy:>12.2%}{eager.accuracy:>12.2%}")
    print(f"{'training':28}{sum(compiled.seconds):>10.2f} s{sum(eager.seconds):>10.2f} s")
    print(f"{'first step (compiles)':28}{compiled.seconds[0] * 1e3:>9.1f} ms{eager.seconds[0] * 1e3:>9.1f} ms")
    print(
        f"{'time per step (median)':28}{np.median(compiled.seconds) * 1e3:>9.3f} ms{np.median(eager.seconds) * 1e3:>9.3f} ms"
    )
    print(f"largest relative difference of the losses over the first {len(a)} steps: {difference:.1e}")
    print(f"every stage of the compilation is in {dump.resolve()}")
    return 0 if min(compiled.accuracy, eager.accuracy) >= 0.97 and difference <= 1e-4 else 1


if __name__ == "__main__":
    sys.exit(main())
