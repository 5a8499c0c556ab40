"""`flowvision.datasets`: CIFAR-10, of files that are there already."""

from __future__ import annotations

import pickle
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, SupportsIndex, TypeAlias, cast

import numpy as np

from jitcore.compat.oneflow.data import Dataset

__all__ = ["CIFAR10", "VisionDataset"]

Change: TypeAlias = Callable[[Any], Any]

_FOLDER: Final = "cifar-10-batches-py"
_TRAIN: Final = tuple(f"data_batch_{k}" for k in range(1, 6))
_TEST: Final = ("test_batch",)
_META: Final = "batches.meta"
_ALLOWED: Final[dict[tuple[str, str], Any]] = {
    ("numpy", "ndarray"): np.ndarray,
    ("numpy", "dtype"): np.dtype,
    **{(f"numpy.{core}.multiarray", "_reconstruct"): np.empty(0).__reduce__()[0] for core in ("core", "_core")},
    ("_codecs", "encode"): lambda text, encoding: text.encode(encoding),
}
"""What the files may name: what arrays are made of."""


class _Arrays(pickle.Unpickler):
    """Reads pickles of dicts, lists, numbers, strings and arrays, and nothing else."""

    def find_class(self, module: str, name: str) -> Any:
        if (module, name) not in _ALLOWED:
            raise pickle.UnpicklingError(f"a file of CIFAR-10 names {module}.{name}, which is not read")
        return _ALLOWED[module, name]


def _read(file: Path) -> dict[str, Any]:
    with file.open("rb") as opened:
        return cast("dict[str, Any]", _Arrays(opened, encoding="latin1").load())


class VisionDataset(Dataset[Any]):
    """The base of datasets of images: a folder, and what is done to images and targets."""

    def __init__(
        self, root: str | Path, transform: Change | None = None, target_transform: Change | None = None
    ) -> None:
        self.root = Path(root).expanduser()
        self.transform = transform
        self.target_transform = target_transform

    def __repr__(self) -> str:
        return (
            f"Dataset {type(self).__name__}\n    Number of datapoints: {len(cast('Any', self))}\n    Root: {self.root}"
        )


class CIFAR10(VisionDataset):
    """Images of ten classes: arrays (32, 32, 3) of bytes, and the numbers of their classes.

    They are read from `root`/cifar-10-batches-py, the published files for Python. Nothing is downloaded, `download` or
    not: FileNotFoundError says which file there is not. UnpicklingError for files that hold other things than arrays.
    """

    def __init__(
        self,
        root: str | Path,
        train: bool = True,
        transform: Change | None = None,
        target_transform: Change | None = None,
        download: bool = False,
        source_url: str | None = None,
    ) -> None:
        super().__init__(root, transform, target_transform)
        del download, source_url
        self.train = train
        folder = self.root / _FOLDER
        batches = [_read(_present(folder / name)) for name in (_TRAIN if train else _TEST)]
        pixels = np.concatenate([np.asarray(batch["data"], np.uint8) for batch in batches])
        self.data = np.ascontiguousarray(pixels.reshape(-1, 3, 32, 32).transpose(0, 2, 3, 1))
        self.targets: list[int] = [int(n) for batch in batches for n in batch["labels"]]
        meta = folder / _META
        self.classes: list[str] = list(_read(meta)["label_names"]) if meta.exists() else []
        self.class_to_idx = {name: k for k, name in enumerate(self.classes)}

    def __len__(self) -> int:
        return len(self.data)

    def __getitem__(self, index: SupportsIndex) -> tuple[Any, Any]:
        image, target = self.data[index.__index__()], self.targets[index.__index__()]
        return (
            image if self.transform is None else self.transform(image),
            target if self.target_transform is None else self.target_transform(target),
        )


def _present(file: Path) -> Path:
    if not file.exists():
        raise FileNotFoundError(
            f"there is no file {file.absolute()}: jitcore downloads nothing; unpack cifar-10-python.tar.gz in "
            f"{file.absolute().parent.parent}"
        )
    return file
