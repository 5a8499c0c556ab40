"""Operations on images (height, width, channels) as arrays: what `Dataset.map` is given."""

from __future__ import annotations

import enum
from collections.abc import Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from jitcore.dataset.transforms import TypeCast
from jitcore.runtime import random

Array = NDArray[Any]


class Inter(enum.IntEnum):
    """How elements between elements are found."""

    NEAREST = 0
    LINEAR = 1
    BILINEAR = 1


class Border(enum.StrEnum):
    """What stands around an image."""

    CONSTANT = "constant"
    EDGE = "edge"
    REFLECT = "reflect"
    SYMMETRIC = "symmetric"


def _image(value: Any, name: str, ranks: tuple[int, ...] = (2, 3)) -> Array:
    array = np.asarray(value)
    if array.ndim not in ranks:
        raise RuntimeError(f"{name}: an image has {' or '.join(map(str, ranks))} dimensions, not {array.ndim}")
    return array


def _size(size: Any, name: str) -> tuple[int, int]:
    given = (size, size) if isinstance(size, int) else tuple(cast("Sequence[int]", size))
    if len(given) != 2 or min(given) <= 0:
        raise ValueError(f"the size of {name} is a positive int or two: {size!r}")
    return given[0], given[1]


class Rescale:
    """x * rescale + shift, as float32."""

    def __init__(self, rescale: float, shift: float) -> None:
        self.rescale = float(rescale)
        self.shift = float(shift)

    def __call__(self, image: Any) -> Array:
        return (np.asarray(image).astype(np.float32) * np.float32(self.rescale) + np.float32(self.shift)).astype(
            np.float32
        )


class Normalize:
    """(x - mean) / std channel by channel, as float32; the channels are the last axis (`is_hwc`) or the first."""

    def __init__(self, mean: Sequence[float], std: Sequence[float], is_hwc: bool = True) -> None:
        if len(mean) != len(std):
            raise ValueError(f"Normalize: {len(mean)} means, but {len(std)} deviations")
        if min(std) <= 0:
            raise ValueError(f"Normalize: deviations are positive: {std}")
        self.mean = np.asarray(mean, np.float32)
        self.std = np.asarray(std, np.float32)
        self.is_hwc = is_hwc

    def __call__(self, image: Any) -> Array:
        array = _image(image, "Normalize").astype(np.float32)
        channels = 1 if array.ndim == 2 else array.shape[-1 if self.is_hwc else 0]
        if len(self.mean) not in (1, channels):
            raise RuntimeError(f"Normalize: {len(self.mean)} means for {channels} channels")
        shape = (-1,) if self.is_hwc or array.ndim == 2 else (-1, 1, 1)
        return ((array - self.mean.reshape(shape)) / self.std.reshape(shape)).astype(np.float32)


class HWC2CHW:
    """The channels first."""

    def __call__(self, image: Any) -> Array:
        array = _image(image, "HWC2CHW")
        return array[None] if array.ndim == 2 else np.ascontiguousarray(array.transpose(2, 0, 1))


class ToTensor:
    """The channels first, as floats, those of integers from 0 to 1."""

    def __init__(self, output_type: Any = np.float32) -> None:
        self.cast = TypeCast(output_type)

    def __call__(self, image: Any) -> Array:
        array = HWC2CHW()(image)
        return self.cast(array / np.float32(255) if array.dtype.kind in "iu" else array)


class ToType(TypeCast):
    """The elements as another type."""


class Resize:
    """The image in another size: an int is the length of the shorter side, the other one keeps the ratio."""

    def __init__(self, size: Any, interpolation: Inter = Inter.LINEAR) -> None:
        self.size = size if isinstance(size, int) else _size(size, "Resize")
        self.interpolation = interpolation

    def __call__(self, image: Any) -> Array:
        array = _image(image, "Resize")
        height, width = array.shape[:2]
        if isinstance(self.size, int):
            shorter = min(height, width)
            wanted = (height * self.size // shorter, width * self.size // shorter)
        else:
            wanted = self.size
        if self.interpolation == Inter.NEAREST:
            rows, columns = (np.arange(m) * n // m for n, m in zip((height, width), wanted, strict=True))
            return array[rows][:, columns]
        made = _between(_between(array.astype(np.float32), 0, wanted[0]), 1, wanted[1])
        if array.dtype.kind in "iu":
            limits = np.iinfo(array.dtype)
            made = np.clip(np.rint(made), limits.min, limits.max)
        return made.astype(array.dtype)


def _between(array: Array, axis: int, count: int) -> Array:
    """An axis with another number of elements, linear between those there are (their middles as in OpenCV)."""
    n = array.shape[axis]
    places = np.clip((np.arange(count, dtype=np.float64) + 0.5) * n / count - 0.5, 0, n - 1)
    low = np.floor(places).astype(np.int64)
    share = (places - low).astype(np.float32).reshape([-1 if k == axis else 1 for k in range(array.ndim)])
    high = np.minimum(low + 1, n - 1)
    return array.take(low, axis) * (1 - share) + array.take(high, axis) * share


class Crop:
    """The part of a size from (row, column) on."""

    def __init__(self, coordinates: Sequence[int], size: Any) -> None:
        self.coordinates = tuple(coordinates)
        self.size = _size(size, "Crop")

    def __call__(self, image: Any) -> Array:
        return _cropped(_image(image, "Crop"), self.coordinates[0], self.coordinates[1], self.size)


def _cropped(array: Array, row: int, column: int, size: tuple[int, int]) -> Array:
    if row + size[0] > array.shape[0] or column + size[1] > array.shape[1]:
        raise RuntimeError(f"a part of size {size} is not in an image of size {array.shape[:2]}")
    return array[row : row + size[0], column : column + size[1]]


class CenterCrop:
    """The part of a size in the middle; 0 around an image that is smaller."""

    def __init__(self, size: Any) -> None:
        self.size = _size(size, "CenterCrop")

    def __call__(self, image: Any) -> Array:
        array = _image(image, "CenterCrop")
        missing = [max(m - n, 0) for n, m in zip(array.shape, self.size, strict=False)]
        array = np.pad(array, [(k // 2, k - k // 2) for k in missing] + [(0, 0)] * (array.ndim - 2))
        row, column = ((n - m) // 2 for n, m in zip(array.shape, self.size, strict=False))
        return _cropped(array, row, column, self.size)


class Pad:
    """The image with rows and columns around it: as many everywhere, (left and top, right and bottom), or (left, top,
    right, bottom)."""

    def __init__(self, padding: Any, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT) -> None:
        given = (padding,) * 4 if isinstance(padding, int) else tuple(cast("Sequence[int]", padding))
        if len(given) not in (2, 4) or min(given) < 0:
            raise ValueError(f"padding is an int, or two or four: {padding!r}")
        self.padding = given * 2 if len(given) == 2 else given
        self.fill_value = fill_value
        self.mode = Border(padding_mode).value

    def __call__(self, image: Any) -> Array:
        array = _image(image, "Pad")
        left, top, right, bottom = self.padding
        widths = [(top, bottom), (left, right)] + [(0, 0)] * (array.ndim - 2)
        if self.mode != "constant":
            return np.pad(array, widths, mode=cast("Any", self.mode))
        made = np.empty([n + a + b for n, (a, b) in zip(array.shape, widths, strict=True)], array.dtype)
        made[...] = self.fill_value
        made[top : top + array.shape[0], left : left + array.shape[1]] = array
        return made


class RandomCrop:
    """A part of a size from a place that is drawn, of the padded image."""

    def __init__(
        self,
        size: Any,
        padding: Any = None,
        pad_if_needed: bool = False,
        fill_value: Any = 0,
        padding_mode: Border = Border.CONSTANT,
    ) -> None:
        self.size = _size(size, "RandomCrop")
        self.pad = None if padding is None else Pad(padding, fill_value, padding_mode)
        self.pad_if_needed = pad_if_needed

    def __call__(self, image: Any) -> Array:
        array = _image(image, "RandomCrop")
        if self.pad is not None:
            array = self.pad(array)
        if self.pad_if_needed:
            rows, columns = (max(m - n, 0) for n, m in zip(array.shape, self.size, strict=False))
            array = Pad((columns, rows, columns, rows))(array) if rows or columns else array
        room = [n - m for n, m in zip(array.shape, self.size, strict=False)]
        if min(room) < 0:
            raise RuntimeError(f"RandomCrop: a part of size {self.size} is not in an image of size {array.shape[:2]}")
        row, column = (int(random.generator().integers(n + 1)) for n in room)
        return _cropped(array, row, column, self.size)


class HorizontalFlip:
    """Left and right exchanged."""

    def __call__(self, image: Any) -> Array:
        return np.ascontiguousarray(_image(image, "HorizontalFlip")[:, ::-1])


class VerticalFlip:
    """Top and bottom exchanged."""

    def __call__(self, image: Any) -> Array:
        return np.ascontiguousarray(_image(image, "VerticalFlip")[::-1])


class _RandomFlip:
    flip: type[HorizontalFlip] | type[VerticalFlip]

    def __init__(self, prob: float = 0.5) -> None:
        if not 0 <= prob <= 1:
            raise ValueError(f"a probability is in [0, 1], not {prob}")
        self.prob = prob

    def __call__(self, image: Any) -> Any:
        return self.flip()(image) if random.generator().random() < self.prob else image


class RandomHorizontalFlip(_RandomFlip):
    """Left and right exchanged with probability `prob`."""

    flip = HorizontalFlip


class RandomVerticalFlip(_RandomFlip):
    """Top and bottom exchanged with probability `prob`."""

    flip = VerticalFlip


class Invert:
    """255 less each element."""

    def __call__(self, image: Any) -> Array:
        array = _image(image, "Invert")
        return (255 - array).astype(array.dtype)


__all__ = [
    "Border",
    "CenterCrop",
    "Crop",
    "HWC2CHW",
    "HorizontalFlip",
    "Inter",
    "Invert",
    "Normalize",
    "Pad",
    "RandomCrop",
    "RandomHorizontalFlip",
    "RandomVerticalFlip",
    "Rescale",
    "Resize",
    "ToTensor",
    "ToType",
    "VerticalFlip",
]
