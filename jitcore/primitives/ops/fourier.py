"""Discrete Fourier transforms, computed with NumPy on the host."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jitcore.primitives.core.registry import HostCode, Linear, Sample, declare
from jitcore.primitives.core.rules import array, check_axis, require_kind
from jitcore.primitives.core.sampling import mixed
from jitcore.types import TensorType, Type, c64, c128


def _rule(x: Type, *, axis: tuple[int, ...], inverse: bool = False) -> TensorType:
    type_ = array(x)
    require_kind(type_.dtype, "c", "fourier")
    for k in axis:
        check_axis(k, type_.rank, "fourier")
    return type_


def _reference(x: Any, *, axis: tuple[int, ...], inverse: bool = False) -> Any:
    for k in axis:
        if not x.shape[k]:
            raise ValueError(f"Invalid number of FFT data points ({x.shape[k]}) specified.")
    function = np.fft.ifftn if inverse else np.fft.fftn
    made = function(x, axes=axis, norm="forward" if inverse else "backward") if axis else x
    return np.asarray(made).astype(x.dtype, copy=False)


def _samples() -> Iterable[Sample]:
    for dtype in (c128, c64):
        yield Sample((mixed((3, 4), 1, dtype),), {"axis": (1,)}, differentiable=False)
        yield Sample((mixed((2, 3, 2), 2, dtype),), {"axis": (0, 2), "inverse": True}, differentiable=False)


fourier = declare(
    "fourier",
    "x",
    rule=_rule,
    reference=_reference,
    lowering=HostCode(),
    # the matrix of the transform is symmetric
    derivative=Linear((0,), lambda cts, x, **how: (fourier(cts[0], **how),)),
    samples=_samples,
    doc="The sums of x[n] exp(-2 pi i n k / N) over axes (`inverse`: of exp(2 pi i n k / N)), unscaled.",
)
