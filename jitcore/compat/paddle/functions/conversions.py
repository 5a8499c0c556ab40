"""Conversions, and what is asked about dtypes."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.compat.paddle.arguments import DTypeLike
from jitcore.compat.paddle.declaring import METHODS, method, only_method
from jitcore.library import tables
from jitcore.library.core import marking
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.math import elementwise
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor


@method
def cast_(x: Tensor, dtype: DTypeLike) -> Any:
    return elementwise.astype(x, as_dtype(dtype))


@only_method
def astype(x: Tensor, dtype: DTypeLike) -> Any:
    return elementwise.astype(x, as_dtype(dtype))


@only_method
def item(x: Tensor, *args: int) -> Any:
    if not args:
        return ops.item(x)
    return ops.item(ops.reshape(x, (-1,))[args[0]] if len(args) == 1 else x[args])


@marking.library("raw")
def tolist(x: Tensor) -> Any:
    """Nested lists of Python's numbers."""
    return tables.ARRAY_METHODS["tolist"](x) if evaluation.is_tracing() else x.asnumpy().tolist()


METHODS["tolist"] = tolist
