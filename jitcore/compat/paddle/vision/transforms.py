"""`paddle.vision.transforms`: images, arrays (height, width, channels), what NumPy takes for them, or Tensors
(channels, height, width), to others."""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence
from typing import Any, TypeAlias, cast

import numpy as np

from jitcore.compat.paddle.tensor import Tensor
from jitcore.compat.torch.networks import images
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.runtime.tensor import made_of

__all__ = [
    "BaseTransform",
    "CenterCrop",
    "Compose",
    "Grayscale",
    "Normalize",
    "Pad",
    "RandomCrop",
    "RandomHorizontalFlip",
    "RandomVerticalFlip",
    "Resize",
    "ToTensor",
    "Transpose",
    "center_crop",
    "crop",
    "hflip",
    "normalize",
    "pad",
    "resize",
    "to_grayscale",
    "to_tensor",
    "vflip",
]

Image: TypeAlias = Any
"""A Tensor, or an image that NumPy takes for an array."""
Size: TypeAlias = int | Sequence[int]


def _as_image(img: Image) -> Any:
    return img if isinstance(img, AnyTensor) else np.asarray(img)


def _axes(img: Image, data_format: str = "") -> tuple[int, int]:
    """The axes of height and width."""
    if data_format:
        return (-2, -1) if data_format.upper() == "CHW" else (-3, -2)
    return (-2, -1) if isinstance(img, AnyTensor) or img.ndim == 2 else (0, 1)


def _extents(img: Image) -> tuple[int, int]:
    high, wide = (int(img.shape[axis]) for axis in _axes(img))
    return high, wide


def _like(img: Image, made: Image) -> Any:
    """An array as what the image was."""
    return made_of(Tensor, np.ascontiguousarray(made)) if isinstance(img, AnyTensor) else made


def _array(img: Image) -> Any:
    return img.asnumpy() if isinstance(img, AnyTensor) else img


def _pair(size: Size) -> tuple[int, int]:
    if isinstance(size, int):
        return size, size
    return int(size[0]), int(size[-1])


# --- functions ------------------------------------------------------------------------------------------


def to_tensor(pic: Image, data_format: str = "CHW") -> Any:
    """An image as a Tensor; bytes become float32 in [0, 1]."""
    if isinstance(pic, AnyTensor):
        return pic
    array = np.asarray(pic)
    if array.ndim not in (2, 3):
        raise ValueError(f"pic should be 2/3 dimensional. Got {array.ndim} dimensions.")
    image = array[:, :, None] if array.ndim == 2 else array
    image = image.transpose(2, 0, 1) if data_format.upper() == "CHW" else image
    if array.dtype == np.uint8:
        image = np.divide(image, 255, dtype=np.float32)
    return made_of(Tensor, np.ascontiguousarray(image))


def normalize(
    img: Image,
    mean: float | Sequence[float],
    std: float | Sequence[float],
    data_format: str = "CHW",
    to_rgb: bool = False,
) -> Any:
    """Each channel less its mean, by its deviation."""
    image = _as_image(img)
    array = np.asarray(_array(image), np.float32)
    array = array[::-1] if to_rgb and data_format.upper() == "CHW" else array[..., ::-1] if to_rgb else array
    shape = (-1, 1, 1) if data_format.upper() == "CHW" else (1, 1, -1)
    taken = array.shape[0 if data_format.upper() == "CHW" else -1]
    centre, spread = (np.asarray(v, np.float32).reshape(-1) for v in (mean, std))
    centre, spread = (np.broadcast_to(v, (taken,)) if v.size == 1 else v[:taken] for v in (centre, spread))
    return _like(image, (array - centre.reshape(shape)) / spread.reshape(shape))


def resize(img: Image, size: Size, interpolation: str = "bilinear") -> Any:
    """An image of other extents; one number is that of the shorter side. Pillow's images resize themselves."""
    if not isinstance(img, AnyTensor | np.ndarray) and hasattr(img, "resize"):
        wide, high = img.size
        given = _wanted(size, high, wide)
        kinds = {"nearest": 0, "bilinear": 2, "bicubic": 3, "box": 4, "lanczos": 1, "hamming": 5}
        return img.resize(given[::-1], kinds[interpolation])
    image = _as_image(img)
    given = _wanted(size, *_extents(image))
    array = np.asarray(_array(image))
    planes = array if isinstance(image, AnyTensor) else np.moveaxis(np.atleast_3d(array), -1, 0)
    batch = AnyTensor(np.ascontiguousarray(planes.reshape(1, -1, *planes.shape[-2:]), np.float32))
    corners = None if interpolation == "nearest" else False
    made = images.interpolate(batch, given, mode=interpolation, align_corners=corners).asnumpy()
    made = made.reshape(*planes.shape[:-2], *given)
    made = np.clip(np.rint(made), 0, 255) if array.dtype == np.uint8 else made
    made = made.astype(array.dtype)
    if isinstance(image, AnyTensor):
        return _like(image, made)
    return made[0] if array.ndim == 2 else np.moveaxis(made, 0, -1)


def _wanted(size: Size, high: int, wide: int) -> tuple[int, int]:
    if not isinstance(size, int):
        return _pair(size)
    return (size, int(size * wide / high)) if high <= wide else (int(size * high / wide), size)


def crop(img: Image, top: int, left: int, height: int, width: int) -> Any:
    """A part of an image."""
    image = _as_image(img)
    key: list[Any] = [slice(None)] * image.ndim
    for axis, begin, extent in zip(_axes(image), (top, left), (height, width), strict=True):
        key[axis] = slice(begin, begin + extent)
    return image[tuple(key)]


def center_crop(img: Image, output_size: Size) -> Any:
    """The middle of an image."""
    image = _as_image(img)
    (high, wide), (height, width) = _extents(image), _pair(output_size)
    return crop(image, round((high - height) / 2.0), round((wide - width) / 2.0), height, width)


def hflip(img: Image) -> Any:
    """An image from right to left."""
    image = _as_image(img)
    return _like(image, np.flip(_array(image), _axes(image)[1]))


def vflip(img: Image) -> Any:
    """An image upside down."""
    image = _as_image(img)
    return _like(image, np.flip(_array(image), _axes(image)[0]))


def pad(img: Image, padding: Size, fill: float = 0, padding_mode: str = "constant") -> Any:
    """An image with a border: of one width, of (left and right, top and bottom), or of (left, top, right, bottom)."""
    image = _as_image(img)
    given = [padding] * 4 if isinstance(padding, int) else list(padding) * (2 if len(padding) == 2 else 1)
    left, top, right, bottom = given
    widths = [(0, 0)] * image.ndim
    for axis, around in zip(_axes(image), ((top, bottom), (left, right)), strict=True):
        widths[axis] = around
    options: dict[str, Any] = {"constant_values": fill} if padding_mode == "constant" else {}
    return _like(image, cast("Any", np.pad)(_array(image), widths, mode=padding_mode, **options))


def to_grayscale(img: Image, num_output_channels: int = 1) -> Any:
    """How light an image of red, green and blue is, in one channel or in three."""
    image = _as_image(img)
    array = _array(image)
    last = array if not isinstance(image, AnyTensor) else np.moveaxis(array, -3, -1)
    light = last.astype(np.float32) @ np.asarray([0.299, 0.587, 0.114], np.float32)
    light = np.rint(light) if array.dtype == np.uint8 else light
    made = np.repeat(light.astype(array.dtype)[..., None], num_output_channels, -1)
    return _like(image, np.moveaxis(made, -1, -3) if isinstance(image, AnyTensor) else made)


# --- transforms -----------------------------------------------------------------------------------------


class Compose:
    """Transforms, one after the other."""

    def __init__(self, transforms: Sequence[Callable[[Any], Any]]) -> None:
        self.transforms = transforms

    def __call__(self, data: object) -> Any:
        for transform in self.transforms:
            data = transform(data)
        return data

    def __repr__(self) -> str:
        return f"{type(self).__name__}(" + "".join(f"\n    {t}" for t in self.transforms) + "\n)"


class BaseTransform:
    """The base: subclasses define `_apply_image`, and perhaps `_get_params` and `_apply_label` and the like, for inputs
    that `keys` name so."""

    def __init__(self, keys: Sequence[str] | None = None) -> None:
        self.keys: Sequence[str] = ("image",) if keys is None else keys
        self.params: Any = None

    def _get_params(self, inputs: tuple[Any, ...]) -> Any:
        """What is the same for all inputs."""
        return

    def _apply_image(self, image: Image) -> Any:
        raise NotImplementedError

    def __call__(self, inputs: object) -> Any:
        given = inputs if isinstance(inputs, tuple) else (inputs,)
        self.params = self._get_params(given)
        made: list[Any] = list(given)
        for k, key in enumerate(self.keys[: len(given)]):
            apply = getattr(self, f"_apply_{key}", None)
            made[k] = given[k] if apply is None else apply(given[k])
        return made[0] if len(made) == 1 else tuple(made)


class ToTensor(BaseTransform):
    """An image as a Tensor; bytes become float32 in [0, 1]."""

    def __init__(self, data_format: str = "CHW", keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.data_format = data_format

    def _apply_image(self, image: Image) -> Any:
        return to_tensor(image, self.data_format)


class Normalize(BaseTransform):
    """Each channel less its mean, by its deviation."""

    def __init__(
        self,
        mean: float | Sequence[float] = 0.0,
        std: float | Sequence[float] = 1.0,
        data_format: str = "CHW",
        to_rgb: bool = False,
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.mean = [mean] * 3 if isinstance(mean, int | float) else mean
        self.std = [std] * 3 if isinstance(std, int | float) else std
        self.data_format = data_format
        self.to_rgb = to_rgb

    def _apply_image(self, image: Image) -> Any:
        return normalize(image, self.mean, self.std, self.data_format, self.to_rgb)


class Transpose(BaseTransform):
    """The axes in another order: channels first, unless told."""

    def __init__(self, order: Sequence[int] = (2, 0, 1), keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.order = order

    def _apply_image(self, image: Image) -> Any:
        array = _array(_as_image(image))
        array = array[..., None] if array.ndim == 2 else array
        return _like(image, array.transpose(tuple(self.order)))


class Resize(BaseTransform):
    """An image of other extents; one number is that of the shorter side."""

    def __init__(self, size: Size, interpolation: str = "bilinear", keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.size = size
        self.interpolation = interpolation

    def _apply_image(self, image: Image) -> Any:
        return resize(image, self.size, self.interpolation)


class CenterCrop(BaseTransform):
    """The middle of an image."""

    def __init__(self, size: Size, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.size = _pair(size)

    def _apply_image(self, image: Image) -> Any:
        return center_crop(image, self.size)


class Pad(BaseTransform):
    """An image with a border."""

    def __init__(
        self,
        padding: Size,
        fill: float = 0,
        padding_mode: str = "constant",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.padding = padding
        self.fill = fill
        self.padding_mode = padding_mode

    def _apply_image(self, image: Image) -> Any:
        return pad(image, self.padding, self.fill, self.padding_mode)


class RandomCrop(BaseTransform):
    """A part of an image, of chance (Python's `random`)."""

    def __init__(
        self,
        size: Size,
        padding: Size | None = None,
        pad_if_needed: bool = False,
        fill: float = 0,
        padding_mode: str = "constant",
        keys: Sequence[str] | None = None,
    ) -> None:
        super().__init__(keys)
        self.size = _pair(size)
        self.padding = padding
        self.pad_if_needed = pad_if_needed
        self.fill = fill
        self.padding_mode = padding_mode

    def _apply_image(self, image: Image) -> Any:
        made = _as_image(image)
        if self.padding is not None:
            made = pad(made, self.padding, self.fill, self.padding_mode)
        height, width = self.size
        high, wide = _extents(made)
        if self.pad_if_needed and wide < width:
            made = pad(made, (width - wide, 0), self.fill, self.padding_mode)
        if self.pad_if_needed and high < height:
            made = pad(made, (0, height - high), self.fill, self.padding_mode)
        high, wide = _extents(made)
        if (high, wide) == (height, width):
            return made
        top = random.randint(0, high - height)
        return crop(made, top, random.randint(0, wide - width), height, width)


class RandomHorizontalFlip(BaseTransform):
    """An image, or with a probability the image from right to left."""

    def __init__(self, prob: float = 0.5, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.prob = prob

    def _apply_image(self, image: Image) -> Any:
        return hflip(image) if random.random() < self.prob else image


class RandomVerticalFlip(BaseTransform):
    """An image, or with a probability the image upside down."""

    def __init__(self, prob: float = 0.5, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.prob = prob

    def _apply_image(self, image: Image) -> Any:
        return vflip(image) if random.random() < self.prob else image


class Grayscale(BaseTransform):
    """How light an image is."""

    def __init__(self, num_output_channels: int = 1, keys: Sequence[str] | None = None) -> None:
        super().__init__(keys)
        self.num_output_channels = num_output_channels

    def _apply_image(self, image: Image) -> Any:
        return to_grayscale(image, self.num_output_channels)
