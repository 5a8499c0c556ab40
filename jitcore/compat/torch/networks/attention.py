"""Attention."""

from __future__ import annotations

import math
from typing import Any

from jitcore import ops
from jitcore.compat.torch.declaring import network
from jitcore.library.core import marking, values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.values import evaluator
from jitcore.library.nn import dropout as drops
from jitcore.runtime.tensor import Tensor
from jitcore.types import bool_


@network
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    scale: float | None = None,
    enable_gqa: bool = False,
) -> Any:
    if is_causal and attn_mask is not None:
        raise RuntimeError("scaled_dot_product_attention: Explicit attn_mask should not be set when is_causal=True")
    if enable_gqa:
        key, value = (_repeated(a, query) for a in (key, value))
    dropout_p = float(values.with_known_numbers(dropout_p, "dropout_p"))
    width = evaluator().number(values.shape_of(query)[-1])
    share = 1 / math.sqrt(width) if scale is None else scale
    scores = ops.mul(ops.matmul(query, ops.swapaxes(key, -1, -2)), share)
    mask = _causal(scores) if is_causal else attn_mask
    return ops.matmul(drops.dropout(softmax_of(scores, mask), dropout_p, dropout_p > 0), value)


def _repeated(a: Tensor, query: Tensor) -> Any:
    """Heads repeated so that there are as many as the query has."""
    have, want = (values.static_extent(t, values.rank_of(t) - 3) for t in (a, query))
    return ops.repeat_interleave(a, want // have, values.rank_of(a) - 3)


def _causal(scores: object) -> Any:
    """Whether each row may look at each column: those up to it."""
    rows, columns = (evaluator().number(n) for n in values.shape_of(scores)[-2:])
    return ops.le(ops.expand_dims(ops.arange(columns), 0), ops.expand_dims(ops.arange(rows), 1))


def softmax_of(scores: object, mask: object) -> Any:
    """The softmax of scores over the last axis, where a mask of truth values says so, or with one of floats added.
    Rows of which nothing is seen are 0."""
    if mask is None:
        return ops.softmax(scores, -1)
    if values.dtype_of_value(mask) is not bool_:
        return ops.softmax(ops.add_ext(scores, mask), -1)
    seen = ops.any(mask, -1, True)
    weights = ops.softmax(ops.where(ops.logical_or(mask, ops.logical_not(seen)), scores, float("-inf")), -1)
    return ops.where(seen, weights, 0.0)


@marking.library()
def hidden_at(mask: Tensor, length: int) -> Any:
    """What is added to scores where a mask of truth values hides them; a mask of floats itself. Keys that there are
    besides, up to a length, are seen."""
    added = values.shape_of(mask)[-1]
    if isinstance(added, int) and added < values.static_int(length, "the number of keys"):
        mask = ops.pad(mask, (0, length - added)) if values.dtype_of_value(mask) is not bool_ else _padded(mask, length)
    if values.dtype_of_value(mask) is not bool_:
        return mask
    return ops.where(mask, float("-inf"), ops.zeros(_extents(mask), default_float()))


def _extents(a: object) -> Any:
    return tuple(evaluator().number(n) for n in values.shape_of(a))


def _padded(mask: Tensor, length: int) -> Any:
    *others, known = _extents(mask)
    return ops.cat((mask, ops.zeros((*others, length - known), bool_)), -1)
