"""`paddle.dataset.mnist`: handwritten digits, as (784 floats from -1 to 1, the digit).

It reads the files of the MNIST database (`train-images-idx3-ubyte.gz` and the like) where Paddle keeps them.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Final

import numpy as np

from jitcore.compat.paddle.dataset.files import found

_IMAGES: Final = 2051
_LABELS: Final = 2049
"""The numbers that files of images and of labels begin with (LeCun, Cortes, Burges: the MNIST database)."""
Reader = Callable[[], Iterator[tuple[np.ndarray[Any, Any], int]]]


def _content(file: Path, magic: int, axes: int) -> np.ndarray[Any, Any]:
    """The bytes of a file of the database, in their shape. Raises ValueError for another file."""
    data = gzip.decompress(file.read_bytes())
    head = np.frombuffer(data[: 4 * (axes + 1)], ">u4")
    if len(head) != axes + 1 or head[0] != magic:
        raise ValueError(f"{file} is no file of the MNIST database: it begins with {data[:4]!r}")
    shape = tuple(map(int, head[1:]))
    body = np.frombuffer(data, np.uint8, offset=4 * (axes + 1))
    if body.size != np.prod(shape):
        raise ValueError(f"{file} is damaged: it holds {body.size} bytes in place of {np.prod(shape)}")
    return body.reshape(shape)


def _reader(name: str) -> Reader:
    def read() -> Iterator[tuple[np.ndarray[Any, Any], int]]:
        images = _content(found("mnist", f"{name}-images-idx3-ubyte.gz"), _IMAGES, 3)
        labels = _content(found("mnist", f"{name}-labels-idx1-ubyte.gz"), _LABELS, 1)
        for image, label in zip(images, labels, strict=True):
            yield image.reshape(-1).astype(np.float32) / 255.0 * 2.0 - 1.0, int(label)

    return read


def train() -> Reader:
    """The reader of what is trained with. It raises FileNotFoundError, which says where to put the files, where they
    are not there."""
    return _reader("train")


def test() -> Reader:
    """The reader of what is tested with. It raises FileNotFoundError, which says where to put the files, where they are
    not there."""
    return _reader("t10k")
