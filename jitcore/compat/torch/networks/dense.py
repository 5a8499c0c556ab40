"""Dense layers, embeddings, and measures between vectors."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.compat.torch.declaring import network
from jitcore.compat.torch.functions import reductions
from jitcore.library.array import indexing
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor
from jitcore.types import i64


@network
def linear(input: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    if values.rank_of(weight) == 1:
        made = ops.matmul(input, weight)
        return made if bias is None else ops.add_ext(made, bias)
    taken, given = values.shape_of(weight)[1], values.shape_of(input)[-1] if values.rank_of(input) else 1
    if isinstance(taken, int) and isinstance(given, int) and taken != given:
        raise RuntimeError(
            f"mat1 and mat2 shapes cannot be multiplied: an input of shape {list(values.shape_of(input))} and a weight "
            f"of shape {list(values.shape_of(weight))}"
        )
    if values.dtype_of_value(input) is not values.dtype_of_value(weight):
        raise RuntimeError(
            f"mat1 and mat2 must have the same dtype, but got {values.dtype_of_value(input)} and "
            f"{values.dtype_of_value(weight)}"
        )
    return ops.dense(input, weight, bias)


@network
def bilinear(input1: Tensor, input2: Tensor, weight: Tensor, bias: Tensor | None = None) -> Any:
    return ops.bidense(input1, input2, weight, bias)


@network
def embedding(
    input: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    scale_grad_by_freq: bool = False,
    sparse: bool = False,
) -> Any:
    del scale_grad_by_freq, sparse
    if max_norm is not None:
        _limit_norms(weight, input, max_norm, norm_type)
    rows = weight
    if padding_idx is not None:
        rows = _without_gradient(weight, padding_idx)
    return indexing.take(rows, input, 0)


def _without_gradient(weight: Tensor, row: int) -> Any:
    """A table whose row has no gradient."""
    count = values.evaluator().number(values.shape_of(weight)[0])
    known = values.static_int(row, "padding_idx")
    places = ops.arange(count) if known >= 0 else ops.sub(ops.arange(count), count)
    here = ops.expand_dims(ops.eq(places, known), 1)
    return ops.where(here, ops.stop_gradient(weight), weight)


def _limit_norms(weight: Tensor, input: Tensor, most: float, order: float) -> None:
    """Scale the rows that are looked up down to a norm, in place."""
    table = ops.stop_gradient(weight)
    norms = ops.vector_norm(table, order, 1, True)
    scale = ops.where(ops.gt(norms, most), ops.div(most, ops.add_ext(norms, 1e-7)), ops.ones_like(norms))
    count = values.evaluator().number(values.shape_of(weight)[0])
    looked_up = ops.any(ops.eq(ops.expand_dims(ops.arange(count), 1), ops.reshape(input, (1, -1))), 1)
    evaluator().write(weight, ops.where(ops.expand_dims(looked_up, 1), ops.mul(table, scale), table))


@network
def embedding_bag(
    input: Tensor,
    weight: Tensor,
    offsets: Tensor | None = None,
    max_norm: float | None = None,
    norm_type: float = 2,
    scale_grad_by_freq: bool = False,
    mode: str = "mean",
    sparse: bool = False,
    per_sample_weights: Tensor | None = None,
    include_last_offset: bool = False,
    padding_idx: int | None = None,
) -> Any:
    del scale_grad_by_freq, sparse
    if mode not in ("sum", "mean", "max"):
        raise ValueError("mode has to be one of sum or mean or max")
    if max_norm is not None:
        _limit_norms(weight, input, max_norm, norm_type)
    belongs = _bags(input, offsets, include_last_offset)
    flat = ops.reshape(input, (-1,))
    if padding_idx is not None:
        belongs = ops.logical_and(belongs, ops.expand_dims(ops.ne(flat, padding_idx), 0))
    rows = indexing.take(weight, flat, 0)
    if per_sample_weights is not None:
        rows = ops.mul(rows, ops.reshape(per_sample_weights, (-1, 1)))
    return _combined(rows, belongs, mode)


def _bags(input: Tensor, offsets: Tensor | None, last_included: bool) -> Any:
    """Whether each index, of all one after the other, belongs to each bag: (bags, indices)."""
    e = values.evaluator()
    if values.rank_of(input) == 2:
        bags, each = (e.number(n) for n in values.shape_of(input))
        owner = ops.floor_divide(ops.arange(bags * each), each)
        return ops.eq(ops.expand_dims(ops.arange(bags), 1), ops.expand_dims(owner, 0))
    if offsets is None:
        raise ValueError("offsets has to be a 1D Tensor but got None")
    count = e.number(values.shape_of(input)[0])
    bags = e.number(values.shape_of(offsets)[0])
    starts = elementwise.astype(offsets, i64)
    owner = ops.sub_ext(ops.sum_ext(ops.le(ops.expand_dims(starts, 0), ops.expand_dims(ops.arange(count), 1)), 1), 1)
    kept = bags - 1 if last_included else bags
    return ops.eq(ops.expand_dims(ops.arange(kept), 1), ops.expand_dims(owner, 0))


def _combined(rows: object, belongs: object, mode: str) -> Any:
    """The rows of each bag together."""
    dtype = values.dtype_of_value(rows)
    if mode == "max":
        inside = ops.expand_dims(belongs, 2)
        best = ops.amax(ops.where(inside, ops.expand_dims(rows, 0), float("-inf")), 1)
        return ops.where(ops.expand_dims(ops.any(belongs, 1), 1), best, 0.0)
    share = elementwise.astype(belongs, dtype)
    total = ops.matmul(share, rows)
    if mode == "sum":
        return total
    return ops.div(total, ops.clamp(ops.sum_ext(share, 1, True), 1.0))


@network
def one_hot(tensor: Tensor, num_classes: int = -1) -> Any:
    return ops.one_hot_ext(tensor, num_classes)


@network
def cosine_similarity(x1: Tensor, x2: Tensor, dim: int = 1, eps: float = 1e-8) -> Any:
    floats = values.as_array(x1), values.as_array(x2)
    product = ops.sum_ext(ops.mul(*floats), dim)
    norms = [ops.clamp(reductions.root(ops.sum_ext(ops.mul(a, a), dim)), eps) for a in floats]
    return ops.div(product, ops.mul(norms[0], norms[1]))


@network
def pairwise_distance(x1: Tensor, x2: Tensor, p: float = 2.0, eps: float = 1e-6, keepdim: bool = False) -> Any:
    return reductions.norm_over(ops.add_ext(ops.sub_ext(x1, x2), eps), p, (-1,), keepdim)


@network
def pdist(input: Tensor, p: float = 2.0) -> Any:
    return ops.pdist(input, p)
