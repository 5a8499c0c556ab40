"""Fourier transforms: NumPy's values in the precision of the input, line by line and compiled."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from ways import assert_same, both

import jitcore.numpy as xp

_RNG = np.random.default_rng(2)
_X = _RNG.standard_normal((3, 4))
_Z = _X + 1j * _RNG.standard_normal((3, 4))
_NORMS: Any = ("backward", "ortho", "forward")


def _compare(name: str, options: list[dict[str, Any]], x: np.ndarray[Any, Any]) -> None:
    def run(*given: Any) -> Any:
        return [getattr(xp.fft, name)(v, **keywords) for v in given for keywords in options]

    narrow = x.astype(np.complex64 if x.dtype.kind == "c" else np.float32)
    wanted = [getattr(np.fft, name)(v, **keywords) for v in (x, narrow) for keywords in options]
    for made in both(run, xp.asarray(x), xp.asarray(narrow)):
        half = len(options)
        assert_same(made[:half], wanted[:half], 1e-10)
        assert_same(made[half:], wanted[half:], 1e-4)
        assert {m.dtype.itemsize for m in made[half:]} <= {4, 8}


@pytest.mark.parametrize("name", ["fft", "ifft", "rfft", "irfft", "hfft", "ihfft"])
def test_along_an_axis(name: str) -> None:
    options = [{"norm": norm} for norm in _NORMS] + [{"n": 3}, {"n": 6}, {"axis": 0, "n": 5}]
    _compare(name, options, _X if name in ("rfft", "ihfft") else _Z)


@pytest.mark.parametrize("name", ["fftn", "ifftn", "rfftn", "irfftn"])
def test_over_axes(name: str) -> None:
    options = [{"norm": norm} for norm in _NORMS] + [{"axes": (1,)}, {"s": (2, 6), "axes": (0, 1)}]
    _compare(name, options, _X if name == "rfftn" else _Z)


def test_a_transform_and_its_inverse() -> None:
    def run(x: Any, z: Any) -> Any:
        return xp.fft.ifft(xp.fft.fft(z)), xp.fft.irfft(xp.fft.rfft(x), n=4), xp.fft.ifftn(xp.fft.fftn(z))

    for made in both(run, xp.asarray(_X), xp.asarray(_Z)):
        assert_same(made, (_Z, _X, _Z), 1e-12)


def test_shifts() -> None:
    def run(x: Any) -> Any:
        return xp.fft.fftshift(x), xp.fft.ifftshift(x), xp.fft.fftshift(x, axes=0), xp.fft.ifftshift(x, axes=(1,))

    wanted = np.fft.fftshift(_X), np.fft.ifftshift(_X), np.fft.fftshift(_X, 0), np.fft.ifftshift(_X, (1,))
    for made in both(run, xp.asarray(_X)):
        assert_same(made, wanted)


def test_frequencies() -> None:
    def run() -> Any:
        wide = [make(n, d=0.5) for make in (xp.fft.fftfreq, xp.fft.rfftfreq) for n in (1, 4, 5)]
        return wide, xp.fft.fftfreq(4, dtype=xp.float32, device="cpu")

    wanted = [make(n, 0.5) for make in (np.fft.fftfreq, np.fft.rfftfreq) for n in (1, 4, 5)]
    for made in both(run):
        assert_same(made, (wanted, np.fft.fftfreq(4).astype(np.float32)))


def test_what_is_wrong_is_said() -> None:
    x = xp.ones(4)
    with pytest.raises(ValueError, match="norm"):
        xp.fft.fft(x, norm="none")
    with pytest.raises(ValueError, match="1 element at least"):
        xp.fft.fft(x, n=0)
    with pytest.raises(ValueError, match="different lengths"):
        xp.fft.fftn(xp.ones((2, 2)), s=(2, 2), axes=(0,))
    with pytest.raises(TypeError, match="real"):
        xp.fft.rfft(xp.asarray([1j]))
    with pytest.raises(ValueError, match="none called 'gpu'"):
        xp.fft.fftfreq(4, device="gpu")
