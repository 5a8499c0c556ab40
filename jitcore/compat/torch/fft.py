"""`torch.fft`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore import ops
from jitcore.compat.torch.arguments import Dims, DTypeLike
from jitcore.compat.torch.declaring import creating_function, declared
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.runtime.tensor import Tensor

_BOTH: Final = (-2, -1)


def _along_one(transform: Callable[..., Any]) -> Callable[..., Any]:
    def one(input: Tensor, n: int | None = None, dim: int = -1, norm: str | None = None) -> Any:
        return transform(input, n, dim, norm)

    return declared(one)


def _along_two(transform: Callable[..., Any]) -> Callable[..., Any]:
    def two(input: Tensor, s: Sequence[int] | None = None, dim: Sequence[int] = _BOTH, norm: str | None = None) -> Any:
        return transform(input, s, dim, norm)

    return declared(two)


def _along_several(transform: Callable[..., Any]) -> Callable[..., Any]:
    def several(input: Tensor, s: Sequence[int] | None = None, dim: Dims = None, norm: str | None = None) -> Any:
        return transform(input, s, dim, norm)

    return declared(several)


fft, ifft = _along_one(ops.fft), _along_one(ops.ifft)
rfft, irfft = _along_one(ops.rfft), _along_one(ops.irfft)
hfft, ihfft = _along_one(ops.hfft), _along_one(ops.ihfft)
fft2, ifft2 = _along_two(ops.fft2), _along_two(ops.ifft2)
rfft2, irfft2 = _along_two(ops.rfft2), _along_two(ops.irfft2)
fftn, ifftn = _along_several(ops.fftn), _along_several(ops.ifftn)
rfftn, irfftn = _along_several(ops.rfftn), _along_several(ops.irfftn)


@declared
def fftshift(input: Tensor, dim: Dims = None) -> Any:
    """The zero frequency in the middle."""
    return ops.fftshift(input, dim)


@declared
def ifftshift(input: Tensor, dim: Dims = None) -> Any:
    """The inverse of `fftshift`."""
    return ops.ifftshift(input, dim)


@creating_function
def fftfreq(n: int, d: float = 1.0, *, dtype: DTypeLike = None) -> Any:
    """The frequencies of `fft`."""
    return ops.fftfreq(n, d, dtype=default_float() if dtype is None else as_dtype(dtype))


@creating_function
def rfftfreq(n: int, d: float = 1.0, *, dtype: DTypeLike = None) -> Any:
    """The frequencies of `rfft`."""
    return ops.rfftfreq(n, d, dtype=default_float() if dtype is None else as_dtype(dtype))
