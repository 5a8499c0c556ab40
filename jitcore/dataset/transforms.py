"""Operations on the arrays of a row that are of no kind of data in particular: what `Dataset.map` is given."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jitcore.runtime import random
from jitcore.runtime.tensor import as_numpy_dtype

Array = NDArray[Any]


def in_order(transforms: Sequence[Callable[..., Any]], values: tuple[Any, ...]) -> Any:
    """Operations applied one after the other; each gets what the one before gives (a tuple: as several arguments)."""
    for transform in transforms:
        made = transform(*values)
        values = made if isinstance(made, tuple) else (made,)
    return values[0] if len(values) == 1 else values


def _callables(transforms: Any, name: str) -> list[Callable[..., Any]]:
    given = list(transforms)
    for transform in given:
        if not callable(transform):
            raise TypeError(f"transforms of {name} are functions, not {type(transform).__name__}")
    return given


class Compose:
    """Operations, one after the other."""

    def __init__(self, transforms: Any) -> None:
        self.transforms = _callables(transforms, "Compose")

    def __call__(self, *values: Any) -> Any:
        return in_order(self.transforms, values)


class RandomApply:
    """All the operations with probability `prob`, else none."""

    def __init__(self, transforms: Any, prob: float = 0.5) -> None:
        self.transforms = _callables(transforms, "RandomApply")
        self.prob = prob

    def __call__(self, *values: Any) -> Any:
        return in_order(self.transforms if random.generator().random() < self.prob else [], values)


class RandomChoice:
    """One of the operations."""

    def __init__(self, transforms: Any) -> None:
        self.transforms = _callables(transforms, "RandomChoice")

    def __call__(self, *values: Any) -> Any:
        return in_order([self.transforms[int(random.generator().integers(len(self.transforms)))]], values)


class RandomOrder:
    """All the operations, in an order drawn anew each time."""

    def __init__(self, transforms: Any) -> None:
        self.transforms = _callables(transforms, "RandomOrder")

    def __call__(self, *values: Any) -> Any:
        order = random.generator().permutation(len(self.transforms))
        return in_order([self.transforms[k] for k in order], values)


class TypeCast:
    """The elements as another type."""

    def __init__(self, output_type: Any = None, data_type: Any = None) -> None:
        wanted = output_type if data_type is None else data_type  # its name before MindSpore 2.0
        self.dtype = np.dtype(as_numpy_dtype(wanted))

    def __call__(self, value: Any) -> Array:
        return np.asarray(value).astype(self.dtype)


class OneHot:
    """Class numbers as rows of 0 with 1 at their place; `smoothing_rate` of the 1 is spread over all classes."""

    def __init__(self, num_classes: int, smoothing_rate: float = 0.0) -> None:
        self.num_classes = num_classes
        self.smoothing_rate = smoothing_rate

    def __call__(self, label: Any) -> Array:
        numbers = np.asarray(label)
        if numbers.size and not 0 <= numbers.min() <= numbers.max() < self.num_classes:
            raise RuntimeError(f"OneHot: a class is not below {self.num_classes}: {numbers}")
        hot = np.eye(self.num_classes, dtype=np.float32 if self.smoothing_rate else np.int32)[numbers.reshape(-1)]
        if self.smoothing_rate:
            hot = (1 - self.smoothing_rate) * hot + np.float32(self.smoothing_rate / self.num_classes)
        shape = () if numbers.size == 1 and numbers.ndim <= 1 else numbers.shape
        return hot.reshape((*shape, self.num_classes))


class Fill:
    """All elements one value."""

    def __init__(self, fill_value: Any) -> None:
        self.fill_value = fill_value

    def __call__(self, value: Any) -> Array:
        return np.full_like(np.asarray(value), self.fill_value)


class Duplicate:
    """The array twice."""

    def __call__(self, value: Any) -> tuple[Array, Array]:
        return np.asarray(value), np.asarray(value).copy()


class Concatenate:
    """The arrays joined along an axis, with others before and behind them."""

    def __init__(self, axis: int = 0, prepend: Any = None, append: Any = None) -> None:
        self.axis = axis
        self.around = (prepend, append)

    def __call__(self, *values: Any) -> Array:
        before, behind = self.around
        parts = [v for v in (before, *values, behind) if v is not None]
        return np.concatenate([np.asarray(p) for p in parts], axis=self.axis)


class PadEnd:
    """The array made larger (or cut) behind, to a shape in which None leaves an extent as it is."""

    def __init__(self, pad_shape: Sequence[int | None], pad_value: Any = 0) -> None:
        self.pad_shape = tuple(pad_shape)
        self.pad_value = pad_value

    def __call__(self, value: Any) -> Array:
        array = np.asarray(value)
        if len(self.pad_shape) != array.ndim:
            raise RuntimeError(f"PadEnd: an array of {array.ndim} dimensions has no shape {self.pad_shape}")
        wanted = tuple(n if m is None else m for n, m in zip(array.shape, self.pad_shape, strict=True))
        made = np.full(wanted, 0 if self.pad_value is None else self.pad_value, array.dtype)
        common = tuple(slice(min(n, m)) for n, m in zip(array.shape, wanted, strict=True))
        made[common] = array[common]
        return made


class Slice:
    """A part of the array, by an index, slice, Ellipsis, None (all) or list of them for each axis."""

    def __init__(self, *slices: Any) -> None:
        self.key = tuple(slice(None) if s is None else s for s in slices)

    def __call__(self, value: Any) -> Array:
        return np.asarray(value)[self.key]


class Unique:
    """(the different elements in order, the place of each element among them, how often each occurs)."""

    def __call__(self, value: Any) -> tuple[Array, Array, Array]:
        found, places, counts = np.unique(np.asarray(value), return_inverse=True, return_counts=True)
        return found, places.reshape(-1).astype(np.int32), counts.astype(np.int32)


__all__ = [
    "Compose",
    "Concatenate",
    "Duplicate",
    "Fill",
    "OneHot",
    "PadEnd",
    "RandomApply",
    "RandomChoice",
    "RandomOrder",
    "Slice",
    "TypeCast",
    "Unique",
]
