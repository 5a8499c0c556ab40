"""Sample arrays for declarations: fixed values without ties, the same on every machine."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from jitcore.primitives.core.registry import Sample
from jitcore.types import DType, f32, f64, i64

Array = npt.NDArray[Any]


def spread(shape: tuple[int, ...], low: float = -2.0, high: float = 2.0, dtype: DType = f64) -> Array:
    """Distinct numbers between `low` and `high`, evenly spaced, in a fixed irregular order."""
    size = int(np.prod(shape))
    order = np.random.default_rng(size + 1).permutation(size)
    values = low + (high - low) * (order + 0.5) / max(size, 1)
    return values.reshape(shape).astype(dtype.numpy)


def mixed(shape: tuple[int, ...], seed: int, dtype: DType = f64) -> Array:
    """Numbers of magnitude 0.2 to 2.2 and either sign (unsigned: small naturals; bool: both), different for each
    seed."""
    rng = np.random.default_rng(1000 + seed)
    values: Any
    if dtype.kind == "b":
        values = rng.integers(0, 2, shape)
    elif dtype.is_integer:
        values = rng.integers(0 if dtype.kind == "u" else -9, 10, shape)
    else:
        values = (0.2 + 2.0 * rng.random(shape)) * rng.choice([-1.0, 1.0], shape)
        if dtype.kind == "c":
            values = values + 1j * (rng.random(shape) - 0.5)
    return np.array(values).astype(dtype.numpy)


def integers(values: int | Sequence[Any], dtype: DType = i64) -> Array:
    """An array of integers as given."""
    return np.array(values, dtype=dtype.numpy)


def unary(
    low: float, high: float, specials: Sequence[float] = (), others: Sequence[DType] = ()
) -> Callable[[], Iterable[Sample]]:
    """Samples of an elementwise function of one float: its domain, values at the edges, and other dtypes."""

    def samples() -> Iterable[Sample]:
        yield Sample((spread((2, 3), low, high),))
        yield Sample((spread((), low, high),))
        yield Sample((spread((7,), low, high, f32),))
        yield Sample((spread((0, 2), low, high),))
        if specials:
            yield Sample((np.array(specials),), differentiable=False)
            with np.errstate(over="ignore"):
                narrow = np.array(specials).astype(np.float32)
            yield Sample((narrow,), differentiable=False)
        for k, dtype in enumerate(others):
            yield Sample((mixed((5,), k, dtype),))

    return samples


def binary(
    *dtypes: DType, low: float | None = None, high: float = 2.0, specials: Sequence[tuple[float, float]] = ()
) -> Callable[[], Iterable[Sample]]:
    """Samples of an elementwise function of two operands: broadcasting, and each of the dtypes."""

    def operand(shape: tuple[int, ...], seed: int, dtype: DType) -> Array:
        return mixed(shape, seed, dtype) if low is None else spread(shape, low, high + 0.01 * seed, dtype)

    def samples() -> Iterable[Sample]:
        for dtype in dtypes:
            yield Sample((operand((2, 3), 1, dtype), operand((2, 3), 2, dtype)))
        dtype = dtypes[0]
        for left, right in (((), ()), ((2, 1), (3,)), ((4, 1, 2), (3, 2)), ((0, 3), (1, 3)), ((3,), ())):
            yield Sample((operand(left, 3, dtype), operand(right, 4, dtype)))
        if specials:
            pairs = np.array(specials, dtype=dtype.numpy)
            yield Sample((pairs[:, 0].copy(), pairs[:, 1].copy()), differentiable=False)

    return samples
