"""Fractional max pooling as layers."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn.cell import Cell


class _FractionalMaxPool(Cell):
    def __init__(
        self,
        kernel_size: Any,
        output_size: Any = None,
        output_ratio: Any = None,
        return_indices: bool = False,
        _random_samples: Any = None,
    ) -> None:
        super().__init__()
        self.kernel_size, self.output_size, self.output_ratio = kernel_size, output_size, output_ratio
        self.return_indices = return_indices
        self._random_samples = _random_samples


class FractionalMaxPool2d(_FractionalMaxPool):
    """The maxima of windows of images at random distances, so that any number of them fits."""

    def construct(self, input: Any) -> Any:
        """The maxima for images (N, C, H, W), and their places if they were asked for."""
        return ops.fractional_max_pool2d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )


class FractionalMaxPool3d(_FractionalMaxPool):
    """The maxima of windows of volumes at random distances, so that any number of them fits."""

    def construct(self, input: Any) -> Any:
        """The maxima for volumes (N, C, D, H, W), and their places if they were asked for."""
        return ops.fractional_max_pool3d(
            input, self.kernel_size, self.output_size, self.output_ratio, self.return_indices, self._random_samples
        )
