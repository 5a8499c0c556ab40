"""Layers about images: how alike two are, their gradients, parts of them, other sizes."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jitcore import ops
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.runtime.tensor import Tensor


def _require_images(x: Any, cell: str) -> None:
    if x.ndim != 4:
        raise ValueError(f"{cell} takes images (N, C, H, W), not a Tensor of {x.ndim} axes")


def _require_alike(a: Any, b: Any, cell: str) -> None:
    _require_images(a, cell)
    if a.dtype != b.dtype:
        raise TypeError(f"{cell} takes two Tensors of one dtype, not of {a.dtype} and {b.dtype}")
    if a.shape != b.shape:
        raise ValueError(f"{cell} takes two Tensors of one shape, not of {a.shape} and {b.shape}")


def _positive_number(value: Any, name: str, cell: str) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise TypeError(f"{name} of {cell} is a number, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} of {cell} must be positive, but is {value}")
    return float(value)


class ImageGradients(Cell):
    """(dy, dx): each pixel's difference to the one below, and to the one right of it; zero in the last row and
    column."""

    def construct(self, images: Any) -> Any:
        """The gradients of images (N, C, H, W)."""
        _require_images(images, "ImageGradients")
        dy = images[:, :, 1:, :] - images[:, :, :-1, :]
        dx = images[:, :, :, 1:] - images[:, :, :, :-1]
        last_row = ops.zeros_like(images[:, :, :1, :])
        last_column = ops.zeros_like(images[:, :, :, :1])
        return ops.concat((dy, last_row), 2), ops.concat((dx, last_column), 3)


class PSNR(Cell):
    """The peak signal-to-noise ratio of each image, in decibels: 10 log10(max_val² / mean squared difference)."""

    def __init__(self, max_val: Any = 1.0) -> None:
        super().__init__()
        self.max_val = _positive_number(max_val, "max_val", "PSNR")

    def construct(self, img1: Any, img2: Any) -> Any:
        """The ratios (N,) of images (N, C, H, W)."""
        _require_alike(img1, img2, "PSNR")
        a, b = ops.cast(img1, "float32"), ops.cast(img2, "float32")
        mse = ((a - b) * (a - b)).mean((1, 2, 3))
        return ops.log(self.max_val * self.max_val / mse) * (10.0 / math.log(10.0))


def _gaussian(size: int, sigma: float) -> NDArray[Any]:
    """A window of a normal density, of sum 1."""
    places = np.arange(size, dtype=np.float64) - (size - 1) / 2
    line = np.exp(-(places**2) / (2 * sigma**2))
    window = np.outer(line, line)
    return window / window.sum()


class _Similarity(Cell):
    def __init__(self, max_val: Any, filter_size: int, filter_sigma: float, k1: float, k2: float) -> None:
        super().__init__()
        name = type(self).__name__
        self.max_val = _positive_number(max_val, "max_val", name)
        self.filter_size = arguments.positive(filter_size, "filter_size", name)
        self.filter_sigma = _positive_number(filter_sigma, "filter_sigma", name)
        for what, value in (("k1", k1), ("k2", k2)):
            if isinstance(value, bool) or not isinstance(value, float):
                raise TypeError(f"{what} of {name} is a float, not {type(value).__name__}")
            if not 0 < value < 1:
                raise ValueError(f"{what} of {name} is between 0 and 1, not {value}")
        self.k1 = k1
        self.k2 = k2
        self.window = Tensor(_gaussian(filter_size, filter_sigma)[None, None].astype(np.float32))

    def _means(self, x: Any) -> Any:
        """The means of windows of each channel, weighed by a normal density."""
        n, c, h, w = x.shape
        made = ops.conv2d(x.reshape(n * c, 1, h, w), self.window)
        return made.reshape(n, c, made.shape[2], made.shape[3])

    def _similarities(self, a: Any, b: Any) -> Any:
        """(structural similarity, its part of contrast and structure) of each channel: (N, C), (N, C)."""
        c1, c2 = (self.k1 * self.max_val) ** 2, (self.k2 * self.max_val) ** 2
        ma, mb = self._means(a), self._means(b)
        squares = self._means(a * a) + self._means(b * b)
        crossed = self._means(a * b)
        contrast = (2 * (crossed - ma * mb) + c2) / (squares - ma * ma - mb * mb + c2)
        luminance = (2 * ma * mb + c1) / (ma * ma + mb * mb + c1)
        return (luminance * contrast).mean((2, 3)), contrast.mean((2, 3))


class SSIM(_Similarity):
    """The structural similarity of each image (Wang et al. 2004)."""

    def __init__(
        self, max_val: Any = 1.0, filter_size: int = 11, filter_sigma: float = 1.5, k1: float = 0.01, k2: float = 0.03
    ) -> None:
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)

    def construct(self, img1: Any, img2: Any) -> Any:
        """The similarities (N,) of images (N, C, H, W)."""
        _require_alike(img1, img2, "SSIM")
        return self._similarities(ops.cast(img1, "float32"), ops.cast(img2, "float32"))[0].mean(-1)


class MSSSIM(_Similarity):
    """The structural similarity over several scales, each half as fine as the one before (Wang et al. 2003)."""

    def __init__(
        self,
        max_val: Any = 1.0,
        power_factors: Any = (0.0448, 0.2856, 0.3001, 0.2363, 0.1333),
        filter_size: int = 11,
        filter_sigma: float = 1.5,
        k1: float = 0.01,
        k2: float = 0.03,
    ) -> None:
        super().__init__(max_val, filter_size, filter_sigma, k1, k2)
        if not isinstance(power_factors, tuple | list):
            raise TypeError(f"power_factors of MSSSIM is a tuple, not {type(power_factors).__name__}")
        self.power_factors: tuple[float, ...] = tuple(power_factors)  # pyright: ignore[reportUnknownArgumentType]

    def construct(self, img1: Any, img2: Any) -> Any:
        """The similarities (N,) of images (N, C, H, W)."""
        _require_alike(img1, img2, "MSSSIM")
        a, b = ops.cast(img1, "float32"), ops.cast(img2, "float32")
        product: Any = 1.0
        for k, power in enumerate(self.power_factors):
            if k:
                a, b = ops.avg_pool2d(a, 2, 2), ops.avg_pool2d(b, 2, 2)
            whole, contrast = self._similarities(a, b)
            part = whole if k == len(self.power_factors) - 1 else contrast
            product = product * ops.relu(part) ** power
        return product.mean(-1)


class CentralCrop(Cell):
    """The middle of images (C, H, W) or (N, C, H, W): `central_fraction` of the height and of the width."""

    def __init__(self, central_fraction: float) -> None:
        super().__init__()
        if isinstance(central_fraction, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
            central_fraction, float
        ):
            raise TypeError(f"central_fraction of CentralCrop is a float, not {type(central_fraction).__name__}")
        if not 0 < central_fraction <= 1:
            raise ValueError(f"central_fraction of CentralCrop is in (0, 1], not {central_fraction}")
        self.central_fraction = central_fraction

    def construct(self, image: Any) -> Any:
        """The middle of the images."""
        if image.ndim not in (3, 4):
            raise ValueError(f"CentralCrop takes images of 3 or 4 axes, not {image.ndim}")
        height, width = image.shape[-2], image.shape[-1]
        top = int((height - height * self.central_fraction) / 2)
        left = int((width - width * self.central_fraction) / 2)
        return image[..., top : height - top, left : width - left]


class ResizeBilinear(Cell):
    """Images (N, C, H, W) of another size, interpolated between the four nearest pixels."""

    def __init__(self, half_pixel_centers: bool = False) -> None:
        super().__init__()
        self.half_pixel_centers = half_pixel_centers

    def construct(self, x: Any, size: Any = None, scale_factor: Any = None, align_corners: bool = False) -> Any:
        """The images resized to `size`, or by `scale_factor`."""
        if (size is None) == (scale_factor is None):
            raise ValueError("ResizeBilinear takes either size or scale_factor")
        shape = size if scale_factor is None else (x.shape[2] * scale_factor, x.shape[3] * scale_factor)
        if self.half_pixel_centers or align_corners:
            return ops.interpolate(x, shape, mode="bilinear", align_corners=align_corners)
        rows = _between(x.shape[2], shape[0])
        columns = _between(x.shape[3], shape[1])
        upper, lower = ops.gather(x, rows[0], 2), ops.gather(x, rows[1], 2)
        mixed = upper + (lower - upper) * rows[2].reshape(-1, 1)
        left, right = ops.gather(mixed, columns[0], 3), ops.gather(mixed, columns[1], 3)
        return left + (right - left) * columns[2]


def _between(extent: int, wanted: int) -> Any:
    """(the place before, the place after, how far between them) of each of `wanted` places, equal ones from the first
    on."""
    places = ops.arange(wanted) * (extent / wanted)
    before = ops.cast(ops.floor(places), "int64")
    return before, ops.minimum(before + 1, extent - 1), ops.cast(places, "float32") - before
