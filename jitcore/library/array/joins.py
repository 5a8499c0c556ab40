"""Tensors joined."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import arrangement, creation, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import dtype_of_value, shape_of
from jitcore.types import Dim

operator("hstack")(arrangement.hstack)
operator("vstack row_stack")(arrangement.vstack)
operator("dstack")(arrangement.dstack)
operator("column_stack")(arrangement.column_stack)


@operator("concat cat concatenate")
def concat(tensors: Any, axis: Any = 0) -> Any:
    """Tensors one after the other along an axis."""
    return shapes.concatenate(tensors, axis)


@operator("Concat")
def concat_set_up(xs: Any, *, axis: Any = 0) -> Any:
    """As `concat`."""
    return shapes.concatenate(xs, axis)


operator("stack")(shapes.stack)


@operator("Stack Pack")
def stack_set_up(xs: Any, *, axis: Any = 0) -> Any:
    """As `stack`."""
    return shapes.stack(xs, axis)


@operator("block_diag")
def block_diag(*inputs: Any) -> Any:
    """Matrices one after the other along a diagonal, zeros elsewhere."""
    blocks = [arrangement.atleast_2d(x) for x in inputs]
    columns: Dim = 0
    for block in blocks:
        columns = columns + shape_of(block)[1]
    rows: list[Any] = []
    before: Dim = 0
    for block in blocks:
        own = shape_of(block)[1]
        height = shape_of(block)[0]
        parts = [creation.filled((height, before), 0, dtype_of_value(block)), block]
        before = before + own
        parts.append(creation.filled((height, columns + before * -1), 0, dtype_of_value(block)))
        rows.append(shapes.concatenate(parts, 1))
    return shapes.concatenate(rows, 0)


@operator("ParallelConcat")
def parallel_concat(values: Any) -> Any:
    """Tensors one after the other along the first axis."""
    return shapes.concatenate(values, 0)
