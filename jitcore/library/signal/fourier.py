"""Fourier and cosine transforms."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.array.borders import pad
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, normal_axis, rank_of, shape_of, static_int
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.signal import spectra
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import f32


def _one(name: str, made: Callable[[Any, Any, Any, Any], Any], doc: str) -> None:
    """The operators over one axis, two, and any number."""

    def along(input: Any, n: Any = None, dim: Any = -1, norm: Any = None) -> Any:
        return made(input, None if n is None else (n,), (static_int(dim, "dim"),), norm)

    def over_two(input: Any, s: Any = None, dim: Any = (-2, -1), norm: Any = None) -> Any:
        return made(input, s, dim, norm)

    def over_all(input: Any, s: Any = None, dim: Any = None, norm: Any = None) -> Any:
        return made(input, s, dim, norm)

    for suffix, function in (("", along), ("2", over_two), ("n", over_all)):
        function.__doc__ = doc
        operator(f"{name}{suffix}")(function)


_one("fft", lambda x, n, dim, norm: spectra.transform(x, n, dim, norm, False), "The discrete Fourier transform.")
_one("ifft", lambda x, n, dim, norm: spectra.transform(x, n, dim, norm, True), "The inverse Fourier transform.")
_one("rfft", spectra.half, "The first half of the Fourier transform of real numbers.")
_one("irfft", spectra.from_half, "The real inverse of the first half of a Fourier transform.")
_one("hfft", spectra.hermitian, "The real Fourier transform of the first half of a Hermitian signal.")
_one("ihfft", spectra.inverse_hermitian, "The inverse of hfft.")


@operator("FFTWithSize")
def fft_with_size(
    x: Any,
    *,
    signal_ndim: Any,
    inverse: Any,
    real: Any,
    norm: Any = "backward",
    onesided: Any = True,
    signal_sizes: Any = (),
) -> Any:
    """The (inverse) Fourier transform over the last axes, of real numbers with `real` (a half of it with
    `onesided`)."""
    axes = tuple(range(-signal_ndim, 0))
    if not real:
        return spectra.transform(x, None, axes, norm, bool(inverse))
    if not inverse:
        return spectra.half(x, None, axes, norm) if onesided else spectra.transform(x, None, axes, norm, False)
    if onesided:
        return spectra.from_half(x, signal_sizes or None, axes, norm)
    return e.real(spectra.transform(x, None, axes, norm, True))


@operator("fftshift")
def fftshift(input: Any, dim: Any = None) -> Any:
    """The frequency 0 moved to the middle."""
    return spectra.shifted(input, dim, False)


@operator("ifftshift")
def ifftshift(input: Any, dim: Any = None) -> Any:
    """The inverse of fftshift."""
    return spectra.shifted(input, dim, True)


@operator("fftfreq")
def fftfreq(n: Any, d: Any = 1.0, *, dtype: Any = None) -> Any:
    """The frequencies that a transform of n elements, `d` apart, is at."""
    return evaluator().constant(np.fft.fftfreq(static_int(n, "n"), float(evaluator().static(d, "d"))), dtype or f32)


@operator("rfftfreq")
def rfftfreq(n: Any, d: Any = 1.0, *, dtype: Any = None) -> Any:
    """The frequencies that the half of a transform is at."""
    return evaluator().constant(np.fft.rfftfreq(static_int(n, "n"), float(evaluator().static(d, "d"))), dtype or f32)


def _cosines(x: Any, n: Any, axis: Any, norm: Any, inverse: bool) -> Any:
    """The second cosine transform, or its inverse, as a matrix product."""
    a = as_float(x)
    k = normal_axis(axis, rank_of(a))
    a = spectra.resized(a, k, n)
    count = static_int(evaluator().number(shape_of(a)[k]), "the extent that is transformed")
    places = np.arange(count)
    matrix = 2 * np.cos(np.pi * (2 * places[:, None] + 1) * places / (2 * count))
    if evaluator().static(norm, "norm") == "ortho":
        matrix = matrix * np.where(places == 0, np.sqrt(1 / (4 * count)), np.sqrt(1 / (2 * count)))
    if inverse:
        matrix = np.linalg.inv(matrix)
    moved = shapes.moveaxis(a, k, -1)
    return shapes.moveaxis(products.matmul(moved, evaluator().constant(matrix, dtype_of_value(a))), -1, k)


@operator("dct")
def dct(input: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The cosine transform of type 2."""
    return _of_type_2(type, input, n, axis, norm, False)


@operator("idct")
def idct(input: Any, type: Any = 2, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
    """The inverse of `dct`."""
    return _of_type_2(type, input, n, axis, norm, True)


def _of_type_2(type_: Any, input: Any, n: Any, axis: Any, norm: Any, inverse: bool) -> Any:
    if type_ != 2:
        raise ValueError("only the cosine transform of type 2 is supported")
    return _cosines(input, n, axis, norm, inverse)


@operator("stft")
def stft(
    x: Any,
    n_fft: Any,
    hop_length: Any = None,
    win_length: Any = None,
    window: Any = None,
    center: Any = True,
    pad_mode: Any = "REFLECT",
    normalized: Any = False,
    onesided: Any = None,
    return_complex: Any = None,
) -> Any:
    """The Fourier transforms of overlapping windows of a signal: (…, frequencies, windows), complex or pairs of
    numbers."""
    a = as_float(x)
    size = static_int(n_fft, "n_fft")
    hop = size // 4 if hop_length is None else static_int(hop_length, "hop_length")
    width = size if win_length is None else static_int(win_length, "win_length")
    real = dtype_of_value(a).kind != "c"
    single = rank_of(a) == 1
    if single:
        a = s.expand_dims(a, axis=(0,))
    if center:
        a = pad(a, (size // 2, size // 2), {"reflect": "reflect"}.get(str(pad_mode).lower(), "constant"))
    scale = creation.ones((width,), dtype_of_value(a) if real else f32) if window is None else as_array(window)
    before = (size - width) // 2
    scale = shapes.pad(scale, [(before, size - width - before)])
    frames = (shape_of(a)[1] - size) // hop + 1
    starts = creation.arange(0, evaluator().number(frames * hop), hop)
    places = e.add(s.expand_dims(starts, axis=(1,)), s.expand_dims(creation.arange(0, size), axis=(0,)))
    pieces = elementwise.multiply(indexing.take(a, places, 1), scale)
    half = real if onesided is None else bool(onesided)
    norm = "ortho" if normalized else "backward"
    made = (spectra.half if half else lambda v, n, d, m: spectra.transform(v, n, d, m, False))(pieces, None, (2,), norm)
    made = s.transpose(made, permutation=(0, 2, 1))
    if single:
        made = s.squeeze(made, axis=(0,))
    if (return_complex is None and not real) or return_complex:
        return made
    return shapes.stack((e.real(made), e.imag(made)), -1)
