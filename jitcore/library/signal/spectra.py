"""Discrete Fourier transforms: what NumPy's and MindSpore's functions share, and NumPy's own."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, Final

import numpy as np

from jitcore.library.array import creation, shapes
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    normal_axis,
    product_of,
    rank_of,
    shape_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import conversions, joining, python_scalars
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops.fourier import fourier
from jitcore.types import Dim, DimExpr, dim_min, f16, f32, f64


def as_complex(x: Any) -> Any:
    """x as an array of complex numbers."""
    a = as_float(x)
    if dtype_of_value(a).kind == "c":
        return a
    if dtype_of_value(a).itemsize < 4:
        a = e.cast(a, dtype=f32)
    return e.make_complex(a, creation.zeros_like(a))


def conjugate(a: Any) -> Any:
    """The complex conjugates."""
    return e.make_complex(e.real(a), e.neg(e.imag(a)))


def _scaled(a: Any, factor: Any) -> Any:
    return a if isinstance(factor, float) and factor == 1.0 else elementwise.multiply(a, factor)


def resized(a: Any, axis: int, n: Any) -> Any:
    """The array with an axis cut off, or followed by zeros, at n elements."""
    if n is None:
        return a
    wanted, have = evaluator().dim(n), shape_of(a)[axis]
    if wanted is have or wanted == have:
        return a
    kept = dim_min(wanted, have)
    cut = shapes.slice_axis(a, axis, 0, kept)
    more: tuple[Dim, ...] = tuple(wanted - kept if k == axis else 0 for k in range(rank_of(a)))
    none = (0,) * rank_of(a)
    return joining.pad(cut, as_array(0, dtype_of_value(a)), low=none, high=more, interior=none)


def _factor(norm: Any, inverse: bool, extents: Sequence[Dim]) -> Any:
    """By what a transform is multiplied."""
    how = evaluator().static(norm, "norm") or "backward"
    if how not in ("backward", "ortho", "forward"):
        raise ValueError(f'Invalid norm value {how}; should be "backward", "ortho" or "forward".')
    if how == ("forward" if inverse else "backward"):
        return 1.0
    total = product_of(extents)
    count = evaluator().number(total)
    if isinstance(count, int):
        return 1.0 / (math.sqrt(count) if how == "ortho" else count)
    wide = as_array(count, f64)
    return elementwise.number(e.div(1.0, elementwise.sqrt(wide) if how == "ortho" else wide))


def _axes(a: Any, sizes: Any, dim: Any) -> tuple[tuple[int, ...], list[Any]]:
    """The axes of a transform and their sizes, None as they are."""
    listed = None if sizes is None else list(sizes) if isinstance(sizes, list | tuple) else [sizes]
    if dim is None:
        axes = tuple(range(rank_of(a)))[-len(listed) if listed else 0 :]
    else:
        given = dim if isinstance(dim, list | tuple) else (dim,)
        axes = tuple(normal_axis(k, rank_of(a)) for k in given)
    counts = [None] * len(axes) if listed is None else [None if n == -1 else n for n in listed]
    if len(counts) != len(axes):
        raise ValueError("Shape and axes have different lengths.")
    return axes, counts


def transform(x: Any, sizes: Any, dim: Any, norm: Any, inverse: bool) -> Any:
    """The (inverse) transform over axes, each cut or filled to its size."""
    a = as_complex(x)
    axes, counts = _axes(a, sizes, dim)
    for k, n in zip(axes, counts, strict=True):
        a = resized(a, k, n)
    factor = _factor(norm, inverse, [shape_of(a)[k] for k in axes])
    if dtype_of_value(as_array(x)) is f16 and len(axes) > 1 and not (isinstance(factor, float) and factor == 1.0):
        raise TypeError("a transform over axes of float16 numbers that is scaled: each axis in another dtype")
    if dtype_of_value(as_array(x)) is f16 and isinstance(factor, float):  # the dtype that NumPy has the factor in
        factor = float(np.float16(factor))
    return _scaled(fourier(a, axis=axes, inverse=inverse), factor)


def half(x: Any, sizes: Any, dim: Any, norm: Any) -> Any:
    """The first half of the transform of real numbers."""
    a = as_float(x)
    if dtype_of_value(a).kind == "c":
        raise TypeError("the input must be real")
    whole = transform(a, sizes, dim, norm, False)
    last = _axes(a, sizes, dim)[0][-1]
    return shapes.slice_axis(whole, last, 0, shape_of(whole)[last] // 2 + 1)


def _require_points(n: Any) -> None:
    """Raise ValueError for a transform of no points, now or in the program."""
    message = "Invalid number of FFT data points ({0}) specified."
    if isinstance(n, DimExpr):
        number = evaluator().number(n)
        conversions.check(python_scalars.int_ge(number, 1), number, exception="ValueError", message=message)
    elif n < 1:
        raise ValueError(message.format(n))


def from_half(x: Any, sizes: Any, dim: Any, norm: Any) -> Any:
    """The real numbers that a half of a transform is of."""
    a = as_complex(x)
    axes, counts = _axes(a, sizes, dim)
    for k, n in zip(axes[:-1], counts[:-1], strict=True):
        a = resized(a, k, n)
    last = axes[-1]
    n = evaluator().dim(counts[-1]) if counts[-1] is not None else (shape_of(a)[last] + -1) * 2
    _require_points(n)
    factor = _factor(norm, True, [*(shape_of(a)[k] for k in axes[:-1]), n])
    if len(axes) > 1:
        a = fourier(a, axis=axes[:-1], inverse=True)
    a = resized(a, last, evaluator().number(n // 2 + 1))
    rest = conjugate(shapes.flip(shapes.slice_axis(a, last, 1, n - n // 2 - 1), last))
    whole = shapes.concatenate((a, rest), last)
    return _scaled(e.real(fourier(whole, axis=(last,), inverse=True)), factor)


def _mirrored(norm: Any) -> Any:
    return {"backward": "forward", "forward": "backward"}.get(norm or "backward", norm)


def hermitian(x: Any, sizes: Any, dim: Any, norm: Any) -> Any:
    """A real transform of what is its own conjugate mirror image."""
    return from_half(conjugate(as_complex(x)), sizes, dim, _mirrored(norm))


def inverse_hermitian(x: Any, sizes: Any, dim: Any, norm: Any) -> Any:
    """The inverse of `hermitian`."""
    return conjugate(half(x, sizes, dim, _mirrored(norm)))


def shifted(x: Any, axes: Any, back: bool) -> Any:
    """The frequency 0 moved to the middle, or back."""
    a = as_array(x)
    given = tuple(range(rank_of(a))) if axes is None else axes if isinstance(axes, list | tuple) else (axes,)
    for axis in given:
        k = normal_axis(axis, rank_of(a))
        middle = shape_of(a)[k] - shape_of(a)[k] // 2 if back else shape_of(a)[k] // 2
        a = shapes.roll(a, evaluator().number(middle), k)
    return a


# --- NumPy's ------------------------------------------------------------------------------------------


Made = Callable[[Any, Any, Any, Any], Any]


def _along(make: Made) -> Callable[..., Any]:
    def function(a: Any, n: Any = None, axis: Any = -1, norm: Any = None) -> Any:
        if isinstance(n, int) and n < 1:
            raise ValueError(f"Invalid number of FFT data points ({n}) specified.")
        return make(a, None if n is None else (n,), (static_int(axis, "the axis"),), norm)

    return function


def _over(make: Made, default: Any) -> Callable[..., Any]:
    def function(a: Any, s: Any = None, axes: Any = default, norm: Any = None) -> Any:
        return make(a, s, axes, norm)

    return function


def _shift(back: bool) -> Callable[..., Any]:
    def function(x: Any, axes: Any = None) -> Any:
        return shifted(x, axes, back)

    return function


def _frequencies(make: Callable[..., Any]) -> Callable[..., Any]:
    def function(n: Any, d: Any = 1.0) -> Any:
        return elementwise.true_divide(evaluator().constant(make(static_int(n, "n")), f64), d)

    return function


_MAKERS: Final[dict[str, Made]] = {
    "fft": lambda x, n, dim, norm: transform(x, n, dim, norm, False),
    "ifft": lambda x, n, dim, norm: transform(x, n, dim, norm, True),
    "rfft": half,
    "irfft": from_half,
}
TABLE: Final[dict[Any, Callable[..., Any]]] = {
    **{getattr(np.fft, name): _along(make) for name, make in _MAKERS.items()},
    **{getattr(np.fft, f"{name}2"): _over(make, (-2, -1)) for name, make in _MAKERS.items()},
    **{getattr(np.fft, f"{name}n"): _over(make, None) for name, make in _MAKERS.items()},
    np.fft.hfft: _along(hermitian), np.fft.ihfft: _along(inverse_hermitian),
    np.fft.fftshift: _shift(False), np.fft.ifftshift: _shift(True),
    np.fft.fftfreq: _frequencies(np.fft.fftfreq), np.fft.rfftfreq: _frequencies(np.fft.rfftfreq),
}  # fmt: skip
"""By NumPy's function."""
