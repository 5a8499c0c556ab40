"""Layers that add elements at the ends of axes."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore import ops
from jitcore.library.array import shapes
from jitcore.library.core.marking import library
from jitcore.nn.cell import Cell

_pad = library("tensor")(shapes.pad)


class Pad(Cell):
    """x with elements added at both ends of each axis: zeros ('CONSTANT'), or its own mirrored ('REFLECT',
    'SYMMETRIC')."""

    def __init__(self, paddings: tuple[tuple[int, int], ...], mode: str = "CONSTANT") -> None:
        super().__init__()
        if mode not in ("CONSTANT", "REFLECT", "SYMMETRIC"):
            raise ValueError(f"mode of Pad is 'CONSTANT', 'REFLECT' or 'SYMMETRIC', not {mode!r}")
        if len(paddings) > 4 or any(len(p) != 2 for p in paddings):
            raise ValueError(f"paddings of Pad are up to four pairs of ints, not {paddings!r}")
        self.paddings = paddings
        self.mode = mode

    def construct(self, x: Any) -> Any:
        """The layer applied to x."""
        if self.mode == "CONSTANT":
            return _pad(x, self.paddings)
        for axis, (before, after) in enumerate(self.paddings):
            if before or after:
                x = ops.gather(x, self._mirrored(x.shape[axis], before, after), axis)
        return x

    def _mirrored(self, extent: int, before: int, after: int) -> Any:
        """The positions that a mirrored axis is made of."""
        places = ops.arange(-before, extent + after)
        if self.mode == "REFLECT":
            period = 2 * (extent - 1)
            places = ops.abs(places) % period
            return ops.where(places >= extent, period - places, places)
        period = 2 * extent
        places = places % period
        return ops.where(places >= extent, period - 1 - places, places)


class _Border(Cell):
    """x with elements added at the ends of its last axes: (left, right), then (top,
    bottom) …, the last axis first."""

    axes = 1
    mode = "CONSTANT"

    def __init__(self, padding: Any, value: Any = 0) -> None:
        super().__init__()
        name = type(self).__name__
        if not isinstance(padding, int | tuple | list) or isinstance(padding, bool):
            raise TypeError(f"padding of {name} is an int or a tuple, not {type(padding).__name__}")
        given = (padding,) * (2 * self.axes) if isinstance(padding, int) else tuple(cast("Sequence[int]", padding))
        for item in given:
            if isinstance(item, bool) or not isinstance(item, int):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"padding of {name} holds ints, not {type(item).__name__}")
        if len(given) % 2 or len(given) > 2 * self.axes:
            raise ValueError(f"padding of {name} is an int or {2 * self.axes} ints, not {padding!r}")
        if self.mode != "CONSTANT" and min(given) < 0:
            raise ValueError(f"padding of {name} must not be negative, but is {padding!r}")
        self.padding: tuple[int, ...] = given
        self.pairs = tuple((given[k], given[k + 1]) for k in range(len(given) - 2, -1, -2))
        self.value = value

    def construct(self, x: Any) -> Any:
        """The layer applied to x. A negative number of elements is taken away."""
        if x.ndim < len(self.pairs):
            raise ValueError(f"a Tensor of {x.ndim} axes has no {len(self.pairs)} to pad")
        ends = [(0, 0)] * (x.ndim - len(self.pairs)) + list(self.pairs)
        if self.mode == "CONSTANT":
            for axis, (before, after) in enumerate(ends):
                if before < 0 or after < 0:
                    first = max(-before, 0)
                    x = ops.narrow(x, axis, first, x.shape[axis] - first - max(-after, 0))
            return _pad(x, [(max(before, 0), max(after, 0)) for before, after in ends], self.value)
        for axis, (before, after) in enumerate(ends):
            if before or after:
                x = ops.gather(x, self._places(x.shape[axis], before, after), axis)
        return x

    def _places(self, extent: int, before: int, after: int) -> Any:
        places = ops.arange(-before, extent + after)
        if self.mode == "EDGE":
            return ops.clip_by_value(places, 0, extent - 1)
        period = 2 * (extent - 1)
        places = ops.abs(places) % period
        return ops.where(places >= extent, period - places, places)

    def extend_repr(self) -> str:
        return f"padding={self.padding}"


class ConstantPad1d(_Border):
    """x with a value at both ends of its last axis."""

    def __init__(self, padding: Any, value: Any) -> None:
        super().__init__(padding, value)


class ConstantPad2d(_Border):
    """x with a value at both ends of its last 2 axes."""

    axes = 2

    def __init__(self, padding: Any, value: Any) -> None:
        super().__init__(padding, value)


class ConstantPad3d(_Border):
    """x with a value at both ends of its last 3 axes."""

    axes = 3

    def __init__(self, padding: Any, value: Any) -> None:
        super().__init__(padding, value)


class ZeroPad2d(_Border):
    """x with zeros at both ends of its last 2 axes."""

    axes = 2

    def __init__(self, padding: Any) -> None:
        super().__init__(padding)


class ReflectionPad1d(_Border):
    """x with x mirrored at both ends of its last axis."""

    mode = "REFLECT"

    def __init__(self, padding: Any) -> None:
        super().__init__(padding)


class ReflectionPad2d(_Border):
    """x with x mirrored at both ends of its last 2 axes."""

    axes = 2
    mode = "REFLECT"

    def __init__(self, padding: Any) -> None:
        super().__init__(padding)


class ReplicationPad1d(_Border):
    """x with its outermost elements at both ends of its last axis."""

    mode = "EDGE"

    def __init__(self, padding: Any) -> None:
        super().__init__(padding)


class ReplicationPad2d(_Border):
    """x with its outermost elements at both ends of its last 2 axes."""

    axes = 2
    mode = "EDGE"

    def __init__(self, padding: Any) -> None:
        super().__init__(padding)


class ReflectionPad3d(_Border):
    """x with x mirrored at both ends of its last 3 axes."""

    axes = 3
    mode = "REFLECT"

    def __init__(self, padding: Any) -> None:
        super().__init__(padding)


class ReplicationPad3d(_Border):
    """x with its outermost elements at both ends of its last 3 axes."""

    axes = 3
    mode = "EDGE"

    def __init__(self, padding: Any) -> None:
        super().__init__(padding)
