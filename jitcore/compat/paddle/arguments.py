"""The types of arguments in the signatures of Paddle's functions."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias

import numpy as np

from jitcore.compat.paddle.dtypes import dtype
from jitcore.runtime.tensor import Tensor
from jitcore.types import DType

Operand: TypeAlias = Tensor | complex
"""A Tensor or a number."""
Data: TypeAlias = object
"""What a Tensor is made of."""
Axes: TypeAlias = int | Sequence[int] | None
"""Axes: one, several, or all."""
DTypeLike: TypeAlias = dtype | DType | str | type | np.dtype[Any] | None
Extents: TypeAlias = int | Tensor | Sequence[int | Tensor]
"""Extents: ints, Tensors of one, or one Tensor of all."""
