"""`paddle.fft`."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Final

from jitcore import ops
from jitcore.compat.paddle.arguments import Axes, DTypeLike
from jitcore.compat.paddle.declaring import made_of_nothing, operation
from jitcore.compat.torch import fft as torch
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.runtime.tensor import Tensor

_LAST: Final = (-2, -1)
_NORMS: Final = ("forward", "backward", "ortho")


def _known(norm: str) -> str:
    """How results are scaled. Raises ValueError for what is none of the ways."""
    if norm not in _NORMS:
        raise ValueError(f"Unexpected norm: {norm}. Norm should be forward, backward or ortho")
    return norm


def _along_one(transform: Callable[..., Any]) -> Callable[..., Any]:
    def one(x: Tensor, n: int | None = None, axis: int = -1, norm: str = "backward") -> Any:
        return transform(x, n, axis, _known(norm))

    return operation(one)


def _along_two(transform: Callable[..., Any]) -> Callable[..., Any]:
    def two(x: Tensor, s: Sequence[int] | None = None, axes: Sequence[int] = _LAST, norm: str = "backward") -> Any:
        return transform(x, None if s is None else tuple(s), tuple(axes), _known(norm))

    return operation(two)


def _along_several(transform: Callable[..., Any]) -> Callable[..., Any]:
    def several(x: Tensor, s: Sequence[int] | None = None, axes: Axes = None, norm: str = "backward") -> Any:
        where = tuple(axes) if isinstance(axes, list | tuple) else axes
        return transform(x, None if s is None else tuple(s), where, _known(norm))

    return operation(several)


fft, ifft = _along_one(ops.fft), _along_one(ops.ifft)
rfft, irfft = _along_one(ops.rfft), _along_one(ops.irfft)
hfft, ihfft = _along_one(ops.hfft), _along_one(ops.ihfft)
fft2, ifft2 = _along_two(ops.fft2), _along_two(ops.ifft2)
rfft2, irfft2 = _along_two(ops.rfft2), _along_two(ops.irfft2)
fftn, ifftn = _along_several(ops.fftn), _along_several(ops.ifftn)
hfft2, ihfft2 = _along_two(ops.hfft2), _along_two(ops.ihfft2)
hfftn, ihfftn = _along_several(ops.hfftn), _along_several(ops.ihfftn)
rfftn, irfftn = _along_several(ops.rfftn), _along_several(ops.irfftn)


@operation
def fftshift(x: Tensor, axes: Axes = None) -> Any:
    """The zero frequency in the middle."""
    return torch.fftshift(x, axes)


@operation
def ifftshift(x: Tensor, axes: Axes = None) -> Any:
    """The zero frequency first."""
    return torch.ifftshift(x, axes)


@made_of_nothing
def fftfreq(n: int, d: float = 1.0, dtype: DTypeLike = None) -> Any:
    """The frequencies of `fft`."""
    return ops.fftfreq(n, d, dtype=default_float() if dtype is None else as_dtype(dtype))


@made_of_nothing
def rfftfreq(n: int, d: float = 1.0, dtype: DTypeLike = None) -> Any:
    """The frequencies of `rfft`."""
    return ops.rfftfreq(n, d, dtype=default_float() if dtype is None else as_dtype(dtype))
