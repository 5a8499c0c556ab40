"""`paddle.Size`: the extents of a Tensor, a list."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, SupportsIndex, cast


class Size(list[int]):
    """The extents of a Tensor.

    >>> Size([2, 3])[:1] + [4]
    paddle.Size([2, 4])
    """

    def numel(self) -> int:
        """Their product."""
        return math.prod(self)

    def __repr__(self) -> str:
        return f"paddle.Size({super().__repr__()})"

    __str__ = __repr__

    def __eq__(self, other: object) -> bool:
        return list(self) == (list(cast("tuple[int, ...]", other)) if isinstance(other, tuple) else other)

    __hash__ = None  # pyright: ignore[reportAssignmentType]

    def __getitem__(self, key: SupportsIndex | slice) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        found: Any = super().__getitem__(key)
        return Size(found) if isinstance(key, slice) else found

    def __add__(self, other: Iterable[Any]) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        return Size([*self, *other])

    def __radd__(self, other: Iterable[Any]) -> Any:
        return Size([*other, *self])
