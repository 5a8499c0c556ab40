"""Operators of signals: Fourier and cosine transforms, windows."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore.library.array import creation, indexing, shapes
from jitcore.library.array.borders import pad
from jitcore.library.core.declarations import operator
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axis,
    rank_of,
    shape_of,
    static_int,
    static_ints,
)
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.signal import spectra
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import f32

# --- the operators ------------------------------------------------------------------------------------


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


# --- windows ----------------------------------------------------------------------------------------


def _window(length: Any, periodic: Any, dtype: Any, shape: Callable[[Any], Any]) -> Any:
    """The values of a function of n / (length - 1) from 0 to 1."""
    n = static_ints(length, "the length of the window")[0]
    if n < 0:
        raise ValueError(f"the length of the window is {n}, but must not be negative")
    last = n if evaluator().static(periodic, "periodic") else n - 1
    values = np.ones(n) if n < 2 else shape(np.arange(n) / last)
    return evaluator().constant(values, as_dtype(dtype) if dtype is not None else f32)


def _bartlett(u: Any) -> Any:
    return 1 - np.abs(2 * u - 1)


def _blackman(u: Any) -> Any:
    return 0.42 - 0.5 * np.cos(2 * np.pi * u) + 0.08 * np.cos(4 * np.pi * u)


def _hamming(u: Any, alpha: float = 0.54, beta: float = 0.46) -> Any:
    return alpha - beta * np.cos(2 * np.pi * u)


def _named(name: str, cls: str | None, shape: Callable[[Any], Any]) -> None:
    def window(window_length: Any, periodic: Any = True, *, dtype: Any = None) -> Any:
        return _window(window_length, periodic, dtype, shape)

    def set_up(window_length: Any, *, periodic: Any = True, dtype: Any = f32) -> Any:
        return _window(window_length, periodic, dtype, shape)

    window.__doc__ = set_up.__doc__ = f"The {name.partition('_')[0].title()} window."
    operator(name)(window)
    if cls:
        operator(cls)(set_up)


_named("bartlett_window", "BartlettWindow", _bartlett)
_named("blackman_window", "BlackmanWindow", _blackman)
_named("hann_window", None, lambda u: _hamming(u, 0.5, 0.5))


@operator("hamming_window")
def hamming_window(
    window_length: Any, periodic: Any = True, alpha: Any = 0.54, beta: Any = 0.46, *, dtype: Any = None
) -> Any:
    """The Hamming window: alpha - beta * cos(2 pi n / N)."""
    return _window(window_length, periodic, dtype, lambda u: _hamming(u, alpha, beta))


@operator("HammingWindow")
def hamming_window_set_up(
    length: Any, *, periodic: Any = True, alpha: Any = 0.54, beta: Any = 0.46, dtype: Any = f32
) -> Any:
    """As `hamming_window`."""
    return _window(length, periodic, dtype, lambda u: _hamming(u, alpha, beta))


@operator("kaiser_window")
def kaiser_window(window_length: Any, periodic: Any = True, beta: Any = 12.0, *, dtype: Any = None) -> Any:
    """The Kaiser window."""
    steep = float(evaluator().static(beta, "beta"))
    return _window(
        window_length, periodic, dtype, lambda u: np.i0(steep * np.sqrt(1 - (2 * u - 1) ** 2)) / np.i0(steep)
    )
