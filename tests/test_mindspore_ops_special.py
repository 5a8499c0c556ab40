"""MindSpore's special functions, Fourier transforms and windows, by rows, in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operator_rows import Row, check_gradients, check_values

scipy = pytest.importorskip("scipy.special")


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


def _parts(x: Any) -> Any:
    return x.real.copy(), x.imag.copy()


def _stft(x: Any) -> Any:
    padded = np.pad(x, 2, mode="reflect")
    window = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(4) / 4)
    return np.stack([np.fft.rfft(padded[k : k + 4] * window) for k in range(0, len(padded) - 3, 2)], 1)


X, Y = "F(n, 3) * 3", "P(n, 3) * 3"
ROWS = [
    Row("ops.bessel_j0(x), ops.BesselJ1()(x)", lambda x: (scipy.j0(x), scipy.j1(x)), x=X),
    Row("ops.bessel_i0(x), ops.bessel_i1(x), ops.bessel_i0e(x), ops.BesselI1e()(x), x.i0()", lambda x: (scipy.i0(x), scipy.i1(x), scipy.i0e(x), scipy.i1e(x), scipy.i0(x)), x=X),
    Row("ops.bessel_y0(x), ops.bessel_y1(x)", lambda x: (scipy.y0(x), scipy.y1(x)), x=Y),
    Row("ops.bessel_k0(x), ops.bessel_k1(x), ops.bessel_k0e(x), ops.BesselK1e()(x)", lambda x: (scipy.k0(x), scipy.k1(x), scipy.k0e(x), scipy.k1e(x)), x=Y),
    Row("ops.igamma(x, y), ops.Igammac()(x, y)", lambda x, y: (scipy.gammainc(x, y), scipy.gammaincc(x, y)), x=Y, y="P(3) * 4"),
    Row("ops.Betainc()(y, z, x)", lambda x, y, z: scipy.betainc(y, z, x), x="P(n, 3) / 2", y="P(n, 3) * 3", z="P(3) * 2"),
    Row("ops.zeta(x, y), ops.Zeta()(x, x + 1.0)", lambda x, y: (scipy.zeta(x, y), scipy.zeta(x, x + 1.0)), x="P(n, 3) + 1.1", y="P(3)"),
    Row("ops.mvlgamma(x, 3), ops.polygamma(1, x)", lambda x: (scipy.multigammaln(x[0, 0], 3) + sum(scipy.gammaln(x - k / 2) - scipy.gammaln(x[0, 0] - k / 2) for k in range(3)), scipy.polygamma(1, x)), x="P(n, 3) + 1.1"),
    no("ops.gcd(i, j), ops.Lcm()(i, j), ops.population_count(i)", lambda i, j: (np.gcd(i, j), np.lcm(i, j), np.bitwise_count(i)), i="I(n, 4)", j="I(4, below=5)"),
    Row("ops.nextafter(x, 0.5)", lambda x: np.nextafter(x, 0.5), x=X),
    Row("(lambda z: (ops.real(z), ops.imag(z), ops.abs(z)))(ops.fft(x, 4))", lambda x: (*_parts(np.fft.fft(x, 4)), np.abs(np.fft.fft(x, 4))), x=X),
    Row("(lambda z: (ops.real(z), ops.imag(z)))(ops.ifft2(ops.complex(x, y), norm='ortho'))", lambda x, y: _parts(np.fft.ifft2(x + 1j * y, norm="ortho")), x=X, y=Y),
    Row("(lambda z: (ops.real(z), ops.imag(z)))(ops.rfftn(x)), ops.irfft(ops.complex(x, y)), ops.irfft2(ops.complex(x, y), (3, 5))", lambda x, y: (*_parts(np.fft.rfftn(x)), np.fft.irfft(x + 1j * y), np.fft.irfft2(x + 1j * y, (3, 5))), x=X, y=Y),
    no("ops.rfft(x, dim=0, norm='forward'), ops.hfft(x), ops.ihfft(x, 4), ops.fftshift(x), ops.ifftshift(x, 0), ops.fftfreq(5, 0.5, dtype=ms.float64)", lambda x: (np.fft.rfft(x, axis=0, norm="forward"), np.fft.hfft(x), np.fft.ihfft(x, 4), np.fft.fftshift(x), np.fft.ifftshift(x, 0), np.fft.fftfreq(5, 0.5)), x=X),
    no("ops.FFTWithSize(signal_ndim=1, inverse=False, real=True)(x), ops.FFTWithSize(1, True, True, signal_sizes=(4,))(ops.rfft(x, 4))", lambda x: (np.fft.rfft(x), np.fft.irfft(np.fft.rfft(x, 4), 4)), x=X),
    Row("ops.idct(ops.dct(x), norm=None), ops.dct(x, norm='ortho') ** 2", lambda x: (x, (x @ _cosines(3)) ** 2), x=X),
    Row("ops.stft(x, 4, 2, window=ops.hann_window(4, dtype=ms.float64))", lambda x: np.stack(_parts(_stft(x)), -1), x="F(n + 3)"),
    no("ops.bartlett_window(n, False), ops.blackman_window(5, False), ops.hamming_window(5), ops.hann_window(1), ops.kaiser_window(5, False, 3.0)", lambda x, n: tuple(w.astype(np.float32) for w in (np.bartlett(n), np.blackman(5), np.hamming(6)[:5], np.ones(1), np.kaiser(5, 3.0))), x=X, n="n"),
]  # fmt: skip


def _cosines(n: int) -> Any:
    k = np.arange(n)
    scale = np.where(k == 0, np.sqrt(1 / n), np.sqrt(2 / n))
    return np.cos(np.pi * (2 * k[:, None] + 1) * k / (2 * n)) * scale


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_values(row: Row) -> None:
    check_values(row)


@pytest.mark.parametrize("row", [r for r in ROWS if r.gradient], ids=str)
def test_gradients(row: Row) -> None:
    check_gradients(row)
