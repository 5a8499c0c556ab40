"""Dense layers."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, product_of, promote, rank_of, require_equal, shape_of
from jitcore.library.linalg import products
from jitcore.library.math import elementwise
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim, shape_text


@operator("dense")
def dense(x: Any, weight: Any, bias: Any = None) -> Any:
    """x @ weight.T + bias, over the last axis of x."""
    w = as_array(weight)
    a = as_array(x)
    if rank_of(a) == 0:
        raise ValueError("dense takes an input of at least 1 dimension, not a scalar")
    if rank_of(w) == 2:
        width, taken = shape_of(a)[-1], shape_of(w)[1]
        shapes = f"the input has shape {shape_text(shape_of(a))}, the weight {shape_text(shape_of(w))}"
        require_equal(width, taken, f"dense: the last axis of the input has extent {{0}}, not {{1}}: {shapes}")
    out = products.matmul(a, s.transpose(w, permutation=(1, 0)))
    if bias is None:
        return out
    product, added = promote("add", out, bias)
    return e.add(product, added)


@operator("Dense")
def dense_set_up(x: Any, w: Any, b: Any = None) -> Any:
    """x @ w.T + b."""
    return dense(x, w, b)


@operator("Flatten flatten_batch")
def flatten_batch(x: Any) -> Any:
    """x with every axis but the first made one."""
    a = as_array(x)
    if rank_of(a) == 0:
        raise ValueError("Flatten takes an array of at least 1 dimension")
    return s.reshape(a, shape=(shape_of(a)[0], product_of(shape_of(a)[1:])))


@operator("bidense")
def bidense(input1: Any, input2: Any, weight: Any, bias: Any = None) -> Any:
    """input1 @ W @ input2.T for each matrix of the weight (O, I1, I2), plus a bias (O,)."""
    a, b, w = promote("matmul", as_float(input1), as_float(input2), as_float(weight))
    left, right = (s.reshape(v, shape=(_rows(v), shape_of(v)[-1])) for v in (a, b))
    part = products.matmul(s.expand_dims(left, axis=(0,)), w)  # (O, N, I2)
    made = shapes.transpose(r.reduce_sum(e.mul(part, s.expand_dims(right, axis=(0,))), axis=(2,), keepdims=False))
    made = made if bias is None else elementwise.add(made, bias)
    return s.reshape(made, shape=(*shape_of(a)[:-1], shape_of(w)[0]))


def _rows(v: Any) -> Dim:
    return product_of(shape_of(v)[:-1])
