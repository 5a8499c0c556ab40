"""`paddle.vision.datasets`: images, of files that are there already."""

from __future__ import annotations

import gzip
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, SupportsIndex

import numpy as np

from jitcore.compat.paddle.io.datasets import Dataset

__all__ = ["MNIST", "FashionMNIST"]

_MAGIC: Final = {2049: 1, 2051: 3}
"""The axes of what an idx file holds, by its first number."""


def idx_elements(file: Path) -> Any:
    """The bytes of an idx file, compressed or not, as an array. Raises ValueError for other files."""
    data = file.read_bytes()
    data = gzip.decompress(data) if data[:2] == b"\x1f\x8b" else data
    head = np.frombuffer(data[:4], ">u4")
    rank = _MAGIC.get(int(head[0])) if len(head) else None
    if rank is None:
        raise ValueError(f"{file} is no idx file of bytes")
    shape = np.frombuffer(data[4 : 4 + 4 * rank], ">u4").astype(int)
    elements = np.frombuffer(data, np.uint8, offset=4 + 4 * rank)
    if elements.size != int(np.prod(shape)):
        raise ValueError(f"{file} holds {elements.size} bytes, not {list(shape)} as it says")
    return elements.reshape(shape)


class MNIST(Dataset[Any]):
    """Handwritten digits: images (28, 28) of bytes, or of floats with `backend="cv2"`, and labels (1,) of int64.

    They are read from the files that are named, or from where Paddle keeps them, `~/.cache/paddle/dataset/mnist`.
    Nothing is downloaded: FileNotFoundError says which file there is not.
    """

    NAME = "mnist"

    def __init__(
        self,
        image_path: str | None = None,
        label_path: str | None = None,
        mode: str = "train",
        transform: Callable[[Any], Any] | None = None,
        download: bool = True,
        backend: str | None = None,
    ) -> None:
        del download
        if mode.lower() not in ("train", "test"):
            raise AssertionError(f"mode should be 'train' or 'test', but got {mode}")
        if backend not in (None, "pil", "cv2"):
            raise ValueError(f"Expected backend are one of ['pil', 'cv2'], but got {backend}")
        self.mode = mode.lower()
        self.transform = transform
        self.backend = backend or "pil"
        start = "train" if self.mode == "train" else "t10k"
        self.images = idx_elements(self._file(image_path, f"{start}-images-idx3-ubyte.gz"))
        self.labels = idx_elements(self._file(label_path, f"{start}-labels-idx1-ubyte.gz")).astype(np.int64)
        if len(self.images) != len(self.labels):
            raise ValueError(f"there are {len(self.images)} images, but {len(self.labels)} labels")

    def _file(self, path: str | None, name: str) -> Path:
        kept = Path("~/.cache/paddle/dataset").expanduser() / self.NAME / name
        file = kept if path is None else Path(path)
        if not file.exists():
            raise FileNotFoundError(f"there is no file {file.absolute()}: jitcore downloads nothing; put it there")
        return file

    def __getitem__(self, idx: SupportsIndex) -> tuple[Any, Any]:
        image: Any = self.images[idx.__index__()]
        image = image.astype(np.float32) if self.backend == "cv2" else image
        label = self.labels[idx.__index__()].reshape(1)
        return (image if self.transform is None else self.transform(image)), label

    def __len__(self) -> int:
        return len(self.labels)


class FashionMNIST(MNIST):
    """Pieces of clothing, as MNIST has digits."""

    NAME = "fashion-mnist"
