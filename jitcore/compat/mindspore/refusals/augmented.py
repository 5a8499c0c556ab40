"""What MindSpore makes of `x += y` and its like in compiled code, where `x` is a Tensor: it is written to, whoever else
holds it, and keeps its shape and dtype; a part of another Tensor is a copy. Line by line `x` is another Tensor
afterwards."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import cache
from typing import Any, Final

import numpy as np

from jitcore.compat.mindspore.refusals.naming import shape_text
from jitcore.passes.infer.engine.operands import Instead, Operand
from jitcore.runtime.tensor import Tensor


def answer(op: str, x: Operand, y: Operand) -> BaseException | Instead | None:
    """The answer to `x op= y` that `x op y` is no mistake of."""
    if x.kind != "tensor" or op not in _OPERATORS or y.kind not in ("tensor", "int", "float", "bool"):
        return None
    if (odd := _misshapen(x, y)) is not None:
        return odd
    whole = y.kind == "float" and x.dtype is not None and x.dtype.is_integer
    return Instead(_computed(op, whole=whole, written=not x.is_part))


def _misshapen(x: Operand, y: Operand) -> BaseException | None:
    """The answer to a result of another shape."""
    known = [tuple(n for n in shape if n is not None) for shape in (x.shape, y.shape)]
    if known != [x.shape, y.shape]:
        return None
    try:
        made = np.broadcast_shapes(*known)
    except ValueError as error:
        return error
    if len(made) != len(x.shape):
        return RuntimeError(
            "For 'Assign', the 'x' and 'y' must have the same dimension, but got the dimension of 'x': "
            f"{len(x.shape)} and the dimension of 'y': {len(made)}"
        )
    if made == x.shape:
        return None
    return RuntimeError(
        "For 'Assign', the 'x' and 'y' must have the same shape, but got the shape of 'x': "
        f"{shape_text(x.shape)} and the shape of 'y': {shape_text(made)}"
    )


@cache
def _computed(op: str, *, whole: bool, written: bool) -> Callable[[Tensor, Any], Tensor]:
    """What computes `x op= y`. `whole`: y is a float beside ints, and counts as an int; `written`: x is written to."""
    compute = _OPERATORS[op]

    def augmented(x: Tensor, y: Any) -> Tensor:
        made = compute(x, int(y) if whole else y).astype(x.dtype)
        if written:
            x[...] = made
            return x
        return made

    return augmented


_OPERATORS: Final = {
    "+": operator.add, "-": operator.sub, "*": operator.mul, "/": operator.truediv, "//": operator.floordiv,
    "%": operator.mod,
}  # fmt: skip
