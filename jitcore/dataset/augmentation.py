"""More operations on images (height, width, channels): colours, parts drawn at random, parts erased."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np

from jitcore.dataset.vision import Array, Border, CenterCrop, Crop, HorizontalFlip, Inter, Pad, Resize, VerticalFlip
from jitcore.runtime import random


def _image(value: Any, name: str, channels: int | None = None) -> Array:
    array = np.asarray(value)
    if array.ndim not in (2, 3) or (channels is not None and (array.ndim != 3 or array.shape[2] != channels)):
        wanted = "two or three dimensions" if channels is None else f"the shape (height, width, {channels})"
        raise RuntimeError(f"{name}: an image has {wanted}, not {array.shape}")
    return array


def _like(values: Array, image: Array) -> Array:
    """Computed values as elements of an image: rounded to its ints, within 0 and 255."""
    if image.dtype.kind in "iu":
        return np.clip(np.rint(values), 0, 255).astype(image.dtype)
    return values.astype(image.dtype)


def _gray(array: Array) -> Array:
    return array[..., :3].astype(np.float64) @ np.array([0.299, 0.587, 0.114])


def _factor(value: Any, name: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or value < 0:
        raise ValueError(f"the factor of {name} is a number that is not negative: {value!r}")
    return float(value)


def _span(value: Any, name: str) -> tuple[float, float]:
    """From where to where a factor is drawn: around 1, or as said."""
    if isinstance(value, tuple | list):
        low, high = cast("Sequence[float]", value)
        if not 0 <= low <= high:
            raise ValueError(f"{name} is two numbers in order, not negative: {value!r}")
        return float(low), float(high)
    return max(1 - _factor(value, name), 0.0), 1 + float(value)


# --- colours --------------------------------------------------------------------------------------------


class Grayscale:
    """The brightness of each pixel, in one channel or in three."""

    def __init__(self, num_output_channels: int = 1) -> None:
        if num_output_channels not in (1, 3):
            raise ValueError(f"num_output_channels of Grayscale is 1 or 3, not {num_output_channels}")
        self.channels = num_output_channels

    def __call__(self, image: Any) -> Array:
        array = _image(image, "Grayscale", 3)
        made = _like(_gray(array), array)
        return made if self.channels == 1 else np.repeat(made[..., None], 3, 2)


class RandomGrayscale:
    """The brightness of each pixel in all channels, with probability `prob`."""

    def __init__(self, prob: float = 0.1) -> None:
        self.prob = prob

    def __call__(self, image: Any) -> Array:
        array = _image(image, "RandomGrayscale", 3)
        return Grayscale(3)(array) if random.generator().random() < self.prob else array


class AdjustBrightness:
    """The image times a factor."""

    def __init__(self, brightness_factor: float) -> None:
        self.factor = _factor(brightness_factor, "AdjustBrightness")

    def __call__(self, image: Any) -> Array:
        array = _image(image, "AdjustBrightness")
        return _like(array.astype(np.float64) * self.factor, array)


class AdjustContrast:
    """How far pixels are from the mean brightness, times a factor."""

    def __init__(self, contrast_factor: float) -> None:
        self.factor = _factor(contrast_factor, "AdjustContrast")

    def __call__(self, image: Any) -> Array:
        array = _image(image, "AdjustContrast", 3)
        mean = float(np.floor(_gray(array).mean() + 0.5)) if array.dtype.kind in "iu" else float(_gray(array).mean())
        return _like(mean + (array.astype(np.float64) - mean) * self.factor, array)


class AdjustSaturation:
    """How far pixels are from gray, times a factor."""

    def __init__(self, saturation_factor: float) -> None:
        self.factor = _factor(saturation_factor, "AdjustSaturation")

    def __call__(self, image: Any) -> Array:
        array = _image(image, "AdjustSaturation", 3)
        gray = _gray(array)[..., None]
        return _like(gray + (array.astype(np.float64) - gray) * self.factor, array)


class AdjustGamma:
    """The image to the power `gamma`, times `gain`; ints stand for numbers from 0 to 1."""

    def __init__(self, gamma: float, gain: float = 1) -> None:
        self.gamma = _factor(gamma, "AdjustGamma")
        self.gain = gain

    def __call__(self, image: Any) -> Array:
        array = _image(image, "AdjustGamma")
        whole = 255.0 if array.dtype.kind in "iu" else 1.0
        return _like(whole * self.gain * (array.astype(np.float64) / whole) ** self.gamma, array)


class RandomColorAdjust:
    """Brightness, contrast and saturation times factors that are drawn, each around 1 or from where to where is
    said."""

    def __init__(
        self, brightness: Any = (1, 1), contrast: Any = (1, 1), saturation: Any = (1, 1), hue: Any = (0, 0)
    ) -> None:
        if hue not in (0, (0, 0), [0, 0]):
            raise NotImplementedError("RandomColorAdjust: the hue of images is not changed here")
        self.kinds: list[tuple[Callable[[float], Any], tuple[float, float]]] = [
            (AdjustBrightness, _span(brightness, "brightness")),
            (AdjustContrast, _span(contrast, "contrast")),
            (AdjustSaturation, _span(saturation, "saturation")),
        ]

    def __call__(self, image: Any) -> Array:
        array = _image(image, "RandomColorAdjust", 3)
        generator = random.generator()
        for k in generator.permutation(len(self.kinds)):
            make, (low, high) = self.kinds[int(k)]
            if (low, high) != (1.0, 1.0):
                array = make(float(generator.uniform(low, high)))(array)
        return array


class Solarize:
    """Pixels within a threshold (a number: from it on) inverted."""

    def __init__(self, threshold: Any) -> None:
        self.low, self.high = threshold if isinstance(threshold, tuple | list) else (threshold, 255)

    def __call__(self, image: Any) -> Array:
        array = _image(image, "Solarize")
        return np.where((array >= self.low) & (array <= self.high), 255 - array, array).astype(array.dtype)


class Posterize:
    """The upper `bits` of the pixels."""

    def __init__(self, bits: int) -> None:
        if not 0 <= bits <= 8:
            raise ValueError(f"bits of Posterize are from 0 to 8, not {bits}")
        self.mask = np.uint8(255 & ~((1 << (8 - bits)) - 1))

    def __call__(self, image: Any) -> Array:
        return _image(image, "Posterize") & self.mask


# --- parts ----------------------------------------------------------------------------------------------


class ResizedCrop:
    """A part of the image, in another size."""

    def __init__(
        self, top: int, left: int, height: int, width: int, size: Any, interpolation: Inter = Inter.BILINEAR
    ) -> None:
        self.crop = Crop((top, left), (height, width))
        self.resize = Resize((size, size) if isinstance(size, int) else size, interpolation)

    def __call__(self, image: Any) -> Array:
        return self.resize(self.crop(image))


class RandomResizedCrop:
    """A part of an area and a ratio that are drawn, in another size."""

    def __init__(
        self,
        size: Any,
        scale: tuple[float, float] = (0.08, 1.0),
        ratio: tuple[float, float] = (3 / 4, 4 / 3),
        interpolation: Inter = Inter.BILINEAR,
        max_attempts: int = 10,
    ) -> None:
        if not 0 <= scale[0] <= scale[1] or not 0 < ratio[0] <= ratio[1]:
            raise ValueError("scale and ratio of RandomResizedCrop are two numbers each, in order")
        self.resize = Resize((size, size) if isinstance(size, int) else size, interpolation)
        self.scale, self.ratio, self.attempts = scale, ratio, max_attempts

    def __call__(self, image: Any) -> Array:
        array = _image(image, "RandomResizedCrop")
        rows, columns = array.shape[:2]
        generator = random.generator()
        for _ in range(self.attempts):
            area = rows * columns * generator.uniform(*self.scale)
            ratio = math.exp(generator.uniform(math.log(self.ratio[0]), math.log(self.ratio[1])))
            width, height = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < width <= columns and 0 < height <= rows:
                top, left = int(generator.integers(rows - height + 1)), int(generator.integers(columns - width + 1))
                return self.resize(Crop((top, left), (height, width))(array))
        ratio = min(max(columns / rows, self.ratio[0]), self.ratio[1])
        height, width = min(rows, round(columns / ratio)), min(columns, round(rows * ratio))
        return self.resize(CenterCrop((height, width))(array))


class FiveCrop:
    """The four corners and the centre."""

    def __init__(self, size: Any) -> None:
        self.size = (size, size) if isinstance(size, int) else tuple(size)

    def __call__(self, image: Any) -> tuple[Array, ...]:
        array = _image(image, "FiveCrop")
        bottom, right = array.shape[0] - self.size[0], array.shape[1] - self.size[1]
        corners = [(0, 0), (0, right), (bottom, 0), (bottom, right)]
        return (*(Crop(place, self.size)(array) for place in corners), CenterCrop(self.size)(array))


class TenCrop:
    """The four corners and the centre, of the image and of the image flipped."""

    def __init__(self, size: Any, use_vertical_flip: bool = False) -> None:
        self.five = FiveCrop(size)
        self.flip = VerticalFlip() if use_vertical_flip else HorizontalFlip()

    def __call__(self, image: Any) -> tuple[Array, ...]:
        return (*self.five(image), *self.five(self.flip(image)))


class PadToSize:
    """The image in a frame of a size, at an offset or in the middle."""

    def __init__(
        self, size: Any, offset: Any = None, fill_value: Any = 0, padding_mode: Border = Border.CONSTANT
    ) -> None:
        self.size = (size, size) if isinstance(size, int) else tuple(size)
        self.offset = (offset, offset) if isinstance(offset, int) else offset or None
        self.fill, self.mode = fill_value, padding_mode

    def __call__(self, image: Any) -> Array:
        array = _image(image, "PadToSize")
        rest = [n - m for n, m in zip(self.size, array.shape, strict=False)]
        top, left = (rest[0] // 2, rest[1] // 2) if self.offset is None else self.offset
        if min(rest[0] - top, rest[1] - left) < 0:
            raise RuntimeError(f"PadToSize: an image of size {array.shape[:2]} is not in a frame of {self.size}")
        return Pad((left, top, rest[1] - left, rest[0] - top), self.fill, self.mode)(array)


class Erase:
    """A part filled with a value, or with one for each channel."""

    def __init__(self, top: int, left: int, height: int, width: int, value: Any = 0, inplace: bool = False) -> None:
        self.part = (slice(top, top + height), slice(left, left + width))
        self.value, self.inplace = value, inplace

    def __call__(self, image: Any) -> Array:
        array = image if self.inplace else np.array(_image(image, "Erase"))
        array[self.part] = self.value
        return array


class CutOut:
    """Squares at random places set to zero."""

    def __init__(self, length: int, num_patches: int = 1, is_hwc: bool = True) -> None:
        self.length, self.patches, self.is_hwc = length, num_patches, is_hwc

    def __call__(self, image: Any) -> Array:
        array = np.array(_image(image, "CutOut"))
        view = array if self.is_hwc or array.ndim == 2 else array.transpose(1, 2, 0)
        for _ in range(self.patches):
            top, left = (int(random.generator().integers(max(n - self.length, 0) + 1)) for n in view.shape[:2])
            view[top : top + self.length, left : left + self.length] = 0
        return array


class RandomErasing:
    """With probability `prob`, a part of an area and a ratio that are drawn filled with a value, or with noise
    ('random'); the channels are the first axis."""

    def __init__(
        self,
        prob: float = 0.5,
        scale: tuple[float, float] = (0.02, 0.33),
        ratio: tuple[float, float] = (0.3, 3.3),
        value: Any = 0,
        inplace: bool = False,
        max_attempts: int = 10,
    ) -> None:
        self.prob, self.scale, self.ratio = prob, scale, ratio
        self.value, self.inplace, self.attempts = value, inplace, max_attempts

    def __call__(self, image: Any) -> Array:
        array = _image(image, "RandomErasing")
        generator = random.generator()
        if generator.random() >= self.prob:
            return array
        made = array if self.inplace else np.array(array)
        rows, columns = made.shape[-2:]
        for _ in range(self.attempts):
            area, ratio = rows * columns * generator.uniform(*self.scale), generator.uniform(*self.ratio)
            height, width = round(math.sqrt(area * ratio)), round(math.sqrt(area / ratio))
            if 0 < height < rows and 0 < width < columns:
                top, left = int(generator.integers(rows - height + 1)), int(generator.integers(columns - width + 1))
                part = made[..., top : top + height, left : left + width]
                drawn = generator.normal(size=part.shape) if self.value == "random" else np.asarray(self.value)
                part[...] = drawn.reshape(-1, 1, 1) if drawn.ndim == 1 else drawn
                break
        return made


class ToNumpy:
    """The image as an array."""

    def __call__(self, image: Any) -> Array:
        return np.array(image)
