"""Layers that compute in another dtype than float32, of which the table of calls tells.

nn.Dense(4, 3).to_float(mindspore.float16)(x)   # takes floats of any dtype
nn.Dense(4, 3, dtype=mindspore.float16)(x)      # takes what a layer of float32 does with the two dtypes exchanged
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from typing import Final

from jitcore.common.parameter import Parameter
from jitcore.compat.mindspore.refusals.naming import dtype_name
from jitcore.nn import Cell
from jitcore.nn.extension import Extended
from jitcore.passes.infer.engine.operands import Operand
from jitcore.structs import replace
from jitcore.types import DType, f16, f32, f64

Rules = Callable[[Sequence[Operand], Mapping[str, Operand]], BaseException | None]
"""What is said to the arguments of a layer whose weights are float32."""

_FLOATS: Final = (f16, f32, f64)


def as_of_float32(
    layer: Cell, args: Sequence[Operand], keywords: Mapping[str, Operand], rules: Rules
) -> BaseException | None:
    """What rules for float32 say to a layer's arguments, by the dtype that the layer computes in. Nothing of what hooks
    may change."""
    if isinstance(layer, Extended) and layer.forward_pre_hooks:
        return None
    dtype, cast = computed_in(layer)
    if dtype == f32 and not cast:
        return rules(args, keywords)
    refused = rules(
        [_as_float32(x, dtype, cast=cast) for x in args],
        {n: _as_float32(x, dtype, cast=False) for n, x in keywords.items()},
    )
    return None if refused is None else _renamed(refused, dtype)


def computed_in(layer: Cell) -> tuple[DType, bool]:
    """The dtype that a layer computes in, and whether it converts floats to that."""
    if isinstance(layer, Extended) and layer.computed_in is not None:
        return layer.computed_in, True
    weights: Mapping[str, Parameter | None] = layer.__dict__.get("_params", {})
    return next((p.dtype for p in weights.values() if p is not None and p.dtype in _FLOATS), f32), False


def _as_float32(x: Operand, dtype: DType, *, cast: bool) -> Operand:
    """An operand as it would be given if the layer computed in float32: floats are of that where they are converted,
    else the two dtypes change places."""
    if x.kind in ("tuple", "list"):
        return replace(x, items=tuple(_as_float32(i, dtype, cast=cast) for i in x.items))
    if x.kind != "tensor" or x.dtype not in _FLOATS:
        return x
    if cast or x.dtype == dtype:
        return replace(x, dtype=f32)
    return replace(x, dtype=dtype) if x.dtype == f32 else x


def _renamed(error: BaseException, dtype: DType) -> BaseException:
    """An exception with the two dtypes back in their places; lists of what an operator takes, in braces, stay."""
    own = dtype_name(dtype)
    names = {own: "Float32", "Float32": own}
    pieces = re.split(r"(\{[^}]*\})", str(error))
    pieces[::2] = [re.sub(rf"\b({own}|Float32)\b", lambda m: names[m[1]], p) for p in pieces[::2]]
    return type(error)("".join(pieces))
