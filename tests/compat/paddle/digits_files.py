"""Scikit-learn's digits as files of the MNIST database: what scripts read in the place of a download."""

from __future__ import annotations

import gzip
from pathlib import Path

import numpy as np
from sklearn.datasets import load_digits


def write_digits(home: Path, tested: int = 297) -> None:
    """Write the digits, 8x8 made 28x28, where `paddle.dataset.mnist` looks: the last `tested` to be tested with."""
    digits = load_digits()
    images = np.kron(digits.images / 16.0 * 255.0, np.ones((1, 3, 3))).round().astype(np.uint8)
    order = np.random.RandomState(0).permutation(len(images))
    images, labels = np.pad(images, ((0, 0), (2, 2), (2, 2)))[order], digits.target[order]
    parts = {"train": slice(None, -tested), "t10k": slice(-tested, None)}
    folder = home / "mnist"
    folder.mkdir(parents=True)
    for name, part in parts.items():
        _write(folder / f"{name}-images-idx3-ubyte.gz", 2051, images[part])
        _write(folder / f"{name}-labels-idx1-ubyte.gz", 2049, labels[part].astype(np.uint8))


def _write(file: Path, magic: int, array: np.ndarray) -> None:
    head = np.array([magic, *array.shape], ">u4").tobytes()
    file.write_bytes(gzip.compress(head + array.tobytes(), mtime=0))
