"""The types of arguments in the signatures of PyTorch's functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from jitcore.compat.torch.dtypes import dtype
from jitcore.compat.torch.sizes import device
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

Operand: TypeAlias = Tensor | complex
"""A Tensor or a number."""
Data: TypeAlias = object
"""What a Tensor is made of."""
Dims: TypeAlias = int | Sequence[int] | None
"""Axes: one, several, or all."""
DTypeLike: TypeAlias = dtype | DType | None
Device: TypeAlias = device | str | int | None
Extents: TypeAlias = int | Sequence[int]
"""Extents, one by one or together."""
