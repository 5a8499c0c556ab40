"""How good predictions are, as part of a Program."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.compat.paddle.declaring import operation
from jitcore.compat.paddle.static.variables import Value
from jitcore.library.core import values
from jitcore.library.math import elementwise
from jitcore.types import f32


@operation
def accuracy(input: Value, label: Value, k: int = 1) -> Any:
    """How many of the rows of `input` have their label (N, 1) among their k largest: float32."""
    _, index = ops.topk(input, k)
    wanted = label if values.rank_of(label) == 2 else ops.expand_dims(label, -1)
    found = ops.reduce_any(ops.equal(index, elementwise.astype(wanted, values.dtype_of_value(index))), 1)
    return ops.mean_ext(elementwise.astype(found, f32))
