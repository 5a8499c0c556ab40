"""The standard's extension for Fourier transforms.

Transforms of float32 and complex64 are computed in complex64, others in complex128. `n` and `s` say how many elements
of an axis are transformed: it is cut, or filled with zeros. `norm` says where the division by their number is: in the
inverse ('backward'), in the transform itself ('forward'), or by the square root in both ('ortho'). Raises ValueError
for another `norm`, and for no elements.

    >>> import jitcore.numpy as xp
    >>> print(xp.fft.fft(xp.asarray([1.0, 0.0, 0.0])))
    [1.+0.j 1.+0.j 1.+0.j]
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np

from jitcore.library.core.marking import library
from jitcore.library.core.values import evaluator, static_int
from jitcore.library.math import elementwise
from jitcore.library.signal import spectra
from jitcore.numpy.arguments import Array, Axes, Device, DTypeLike, optional_dtype, require_device
from jitcore.numpy.declaring import published
from jitcore.types import f64


def _along(name: str, transform: Callable[..., Any], doc: str) -> Callable[..., Any]:
    def call(x: Array, /, *, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
        if isinstance(n, int) and n < 1:
            raise ValueError(f"a transform is one of 1 element at least, not of {n}")
        return transform(x, None if n is None else (n,), (axis,), norm)

    return published(call, name, doc)


def _over(name: str, transform: Callable[..., Any], doc: str) -> Callable[..., Any]:
    def call(
        x: Array, /, *, s: Sequence[int] | None = None, axes: Sequence[int] | None = None, norm: str = "backward"
    ) -> Any:
        return transform(x, s, axes, norm)

    return published(call, name, doc)


def _forward(x: Array, sizes: Sequence[int] | None, axes: Sequence[int] | None, norm: str) -> Any:
    return spectra.transform(x, sizes, axes, norm, False)


def _inverse(x: Array, sizes: Sequence[int] | None, axes: Sequence[int] | None, norm: str) -> Any:
    return spectra.transform(x, sizes, axes, norm, True)


fft = _along("fft", _forward, "The transform along an axis.")
ifft = _along("ifft", _inverse, "The inverse transform along an axis.")
fftn = _over("fftn", _forward, "The transform over axes: all, or the last ones if sizes are given.")
ifftn = _over("ifftn", _inverse, "The inverse transform over axes: all, or the last ones if sizes are given.")
rfft = _along("rfft", spectra.half, "The first half (n // 2 + 1 elements) of the transform of real numbers.")
irfft = _along("irfft", spectra.from_half, "The real numbers, 2 (m - 1) unless n is given, whose `rfft` x is.")
rfftn = _over("rfftn", spectra.half, "The transform over axes of real numbers, of the last axis its first half.")
irfftn = _over("irfftn", spectra.from_half, "The real numbers whose `rfftn` x is.")
hfft = _along(
    "hfft", spectra.hermitian, "The transform, which is real, of what x is the first half of and is Hermitian."
)
ihfft = _along("ihfft", spectra.inverse_hermitian, "The inverse of `hfft`.")


@library("tensor")
def fftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike = None, device: Device = None) -> Any:
    """The frequencies of `fft` of n samples at distances d, in order: float64 unless a dtype is given.

    >>> import jitcore.numpy as xp
    >>> print(xp.fft.fftfreq(4))
    [ 0.    0.25 -0.5  -0.25]
    """
    return _frequencies(np.fft.fftfreq, n, d, dtype, device)


@library("tensor")
def rfftfreq(n: int, /, *, d: float = 1.0, dtype: DTypeLike = None, device: Device = None) -> Any:
    """The frequencies of `rfft` of n samples at distances d, in order: float64 unless a dtype is given."""
    return _frequencies(np.fft.rfftfreq, n, d, dtype, device)


def _frequencies(make: Callable[..., Any], n: int, d: float, dtype: DTypeLike, device: Device) -> Any:
    require_device(device)
    made = elementwise.true_divide(evaluator().constant(make(static_int(n, "n")), f64), d)
    wanted = optional_dtype(dtype)
    return made if wanted is None else elementwise.astype(made, wanted)


@library("tensor")
def fftshift(x: Array, /, *, axes: Axes = None) -> Any:
    """x with the frequency 0 moved to the middle of axes (None: all)."""
    return spectra.shifted(x, axes, False)


@library("tensor")
def ifftshift(x: Array, /, *, axes: Axes = None) -> Any:
    """The inverse of `fftshift`."""
    return spectra.shifted(x, axes, True)


__all__ = [
    "fft", "fftfreq", "fftn", "fftshift", "hfft", "ifft", "ifftn", "ifftshift", "ihfft", "irfft", "irfftn", "rfft",
    "rfftfreq", "rfftn",
]  # fmt: skip
