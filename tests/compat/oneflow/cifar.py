"""Files as CIFAR-10's are published for Python, of generated images."""

from __future__ import annotations

import pickle
from pathlib import Path

import numpy as np

NAMES = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]


def write_cifar10(root: Path, each: int, seed: int = 0) -> None:
    """Write `root`/cifar-10-batches-py: five files to train with and one to test with, of `each` images a file. The
    images of a class are alike: noise about a colour."""
    rng = np.random.default_rng(seed)
    colours = rng.integers(60, 196, (10, 3, 1, 1))
    folder = root / "cifar-10-batches-py"
    folder.mkdir(parents=True)
    for name in (*(f"data_batch_{k}" for k in range(1, 6)), "test_batch"):
        labels = rng.integers(0, 10, each)
        pixels = np.clip(colours[labels] + rng.normal(0, 40, (each, 3, 32, 32)), 0, 255).astype(np.uint8)
        batch = {"batch_label": name, "labels": labels.tolist(), "data": pixels.reshape(each, -1)}
        (folder / name).write_bytes(pickle.dumps(batch, protocol=2))
    (folder / "batches.meta").write_bytes(pickle.dumps({"label_names": NAMES}, protocol=2))
