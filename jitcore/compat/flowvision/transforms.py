"""`flowvision.transforms`: images, arrays (height, width, channels) of bytes or what NumPy takes for them, to Tensors,
and Tensors (…, channels, height, width) to others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, TypeAlias

import numpy as np

from jitcore import ops
from jitcore.common.generator import default_generator
from jitcore.compat.oneflow.functions import from_numpy
from jitcore.compat.torch.networks import images
from jitcore.runtime.tensor import Tensor

__all__ = [
    "CenterCrop",
    "Compose",
    "Lambda",
    "Normalize",
    "RandomCrop",
    "RandomHorizontalFlip",
    "Resize",
    "ToTensor",
]

Image: TypeAlias = object
"""A Tensor, or an image that NumPy takes for an array."""
Pixels: TypeAlias = "Tensor | np.ndarray[Any, Any]"
Size: TypeAlias = int | Sequence[int]


class Compose:
    """Transforms, one after the other."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = list(transforms)

    def __call__(self, img: Image) -> Any:
        made: Any = img
        for transform in self.transforms:
            made = transform(made)
        return made

    def __repr__(self) -> str:
        return "Compose(\n    " + "\n    ".join(map(repr, self.transforms)) + "\n)"


class ToTensor:
    """An image as a Tensor (channels, height, width); bytes become float32 in [0, 1]."""

    def __call__(self, pic: Image) -> Any:
        array = np.asarray(pic)
        if array.ndim not in (2, 3):
            raise ValueError(f"ToTensor takes images of 2 or 3 axes, not {array.ndim}")
        first = array[None] if array.ndim == 2 else array.transpose(2, 0, 1)
        if array.dtype == np.uint8:
            return from_numpy(np.divide(first, 255, dtype=np.float32, order="C"))
        return from_numpy(np.ascontiguousarray(first))

    def __repr__(self) -> str:
        return "ToTensor()"


class Normalize:
    """Each channel less its mean, by its deviation."""

    def __init__(self, mean: Sequence[float], std: Sequence[float], inplace: bool = False) -> None:
        if not all(std):
            raise ValueError(f"std evaluated to zero, leading to division by zero: {std}")
        self.mean = mean
        self.std = std
        self.inplace = inplace

    def __call__(self, tensor: Tensor) -> Any:
        mean, std = (np.asarray(v, tensor.asnumpy().dtype).reshape(-1, 1, 1) for v in (self.mean, self.std))
        made = (tensor.asnumpy() - mean) / std
        if not self.inplace:
            return from_numpy(made)
        tensor.asnumpy()[...] = made
        return tensor

    def __repr__(self) -> str:
        return f"Normalize(mean={self.mean}, std={self.std})"


class Lambda:
    """What a function makes of images."""

    def __init__(self, lambd: Callable[[Any], Any]) -> None:
        if not callable(lambd):
            raise TypeError(f"Argument lambd should be callable, got {type(lambd).__name__!r}")
        self.lambd = lambd

    def __call__(self, img: Image) -> Any:
        return self.lambd(img)


# --- extents ------------------------------------------------------------------------------------------


def _pair(size: Size) -> tuple[int, int]:
    if isinstance(size, int):
        return size, size
    high, wide = size if len(size) == 2 else (size[0], size[0])
    return high, wide


def _axes(img: Pixels) -> tuple[int, int]:
    """The axes of height and width."""
    return (-2, -1) if isinstance(img, Tensor) or img.ndim == 2 else (0, 1)


def _part(img: Pixels, top: int, left: int, size: tuple[int, int]) -> Any:
    key: list[Any] = [slice(None)] * img.ndim
    for axis, begin, extent in zip(_axes(img), (top, left), size, strict=True):
        if begin < 0 or begin + extent > img.shape[axis]:
            raise ValueError(f"a part of {size} is larger than the image, {tuple(img.shape)}")
        key[axis] = slice(begin, begin + extent)
    return img[tuple(key)]


def _as_image(img: Image) -> Pixels:
    return img if isinstance(img, Tensor) else np.asarray(img)


class CenterCrop:
    """The middle of an image."""

    def __init__(self, size: Size) -> None:
        self.size = _pair(size)

    def __call__(self, img: Image) -> Any:
        image = _as_image(img)
        high, wide = (image.shape[axis] for axis in _axes(image))
        return _part(image, round((high - self.size[0]) / 2), round((wide - self.size[1]) / 2), self.size)


class RandomCrop:
    """A part of an image, of chance; the image is surrounded by `padding` zeros before."""

    def __init__(self, size: Size, padding: int | None = None) -> None:
        self.size = _pair(size)
        self.padding = padding

    def __call__(self, img: Image) -> Any:
        image = self._padded(_as_image(img))
        places = (image.shape[axis] - extent for axis, extent in zip(_axes(image), self.size, strict=True))
        top, left = (_chance(max(most, 0) + 1) for most in places)
        return _part(image, top, left, self.size)

    def _padded(self, image: Pixels) -> Pixels:
        if not self.padding:
            return image
        widths = [(0, 0)] * image.ndim
        for axis in _axes(image):
            widths[axis] = (self.padding, self.padding)
        if isinstance(image, Tensor):
            return from_numpy(np.pad(image.asnumpy(), widths))
        return np.pad(image, widths)


class RandomHorizontalFlip:
    """An image, or with a probability the image from right to left."""

    def __init__(self, p: float = 0.5) -> None:
        self.p = p

    def __call__(self, img: Image) -> Any:
        image = _as_image(img)
        if _chance(1 << 30) >= self.p * (1 << 30):
            return image
        if isinstance(image, Tensor):
            return from_numpy(np.flip(image.asnumpy(), -1).copy())
        return np.flip(image, _axes(image)[1])


def _chance(count: int) -> int:
    """One of the first `count` numbers, from the stream that `flow.manual_seed` begins."""
    return int(ops.randint(0, count, (1,), generator=default_generator).asnumpy()[0])


class Resize:
    """An image of other extents, bilinearly; one number is that of the shorter side."""

    def __init__(self, size: Size) -> None:
        self.size = size

    def __call__(self, img: Image) -> Any:
        image = _as_image(img)
        high, wide = (int(image.shape[axis]) for axis in _axes(image))
        size = self._extents(high, wide)
        if isinstance(image, Tensor):
            return _resized(image, size)
        array = image[..., None] if image.ndim == 2 else image
        floats = from_numpy(np.ascontiguousarray(array.transpose(2, 0, 1), np.float32))
        made = _resized(floats, size).numpy().transpose(1, 2, 0)
        made = np.rint(made).astype(image.dtype) if image.dtype.kind in "iu" else made.astype(image.dtype)
        return made[..., 0] if image.ndim == 2 else made

    def _extents(self, high: int, wide: int) -> tuple[int, int]:
        if not isinstance(self.size, int):
            return _pair(self.size)
        if high <= wide:
            return self.size, int(self.size * wide / high)
        return int(self.size * high / wide), self.size


def _resized(tensor: Tensor, size: tuple[int, int]) -> Any:
    whole: Any = tensor
    batch = whole.reshape(1, -1, *whole.shape[-2:])
    made = images.interpolate(batch, size, mode="bilinear", align_corners=False)
    return made.reshape(*whole.shape[:-2], *size)
