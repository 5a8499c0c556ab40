"""What MindSpore writes by a mask: it chooses between two Tensors."""

# pyright: reportUnknownParameterType=false, reportUnknownVariableType=false
# pyright: reportUnknownArgumentType=false, reportUnknownMemberType=false

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.compat.mindspore.tensor import Tensor
from jitcore.runtime.tensor import Tensor as AnyTensor


def put_by_mask(x: Any, mask: Any, value: Any) -> None:
    """`x[mask] = value`, where mask and value have axes of one put behind theirs, and are broadcast to x's shape."""
    given = value if isinstance(value, AnyTensor) else Tensor(value)
    chosen = mask if isinstance(mask, AnyTensor) else Tensor(mask)
    x[...] = ops.where(_behind(chosen, x.ndim), _behind(given, x.ndim).astype(x.dtype), x)


def _behind(a: Any, rank: int) -> Any:
    return a.reshape((*a.shape, *(1,) * (rank - a.ndim)))
