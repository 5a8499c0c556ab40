"""`paddle.nn.functional`: dense layers, embeddings, measures between vectors, attention."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.compat.paddle.declaring import network
from jitcore.compat.torch.networks import attention
from jitcore.compat.torch.networks import dense as shaped
from jitcore.library.core import values
from jitcore.library.core.defaults import default_float
from jitcore.library.core.dtypes import as_dtype
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.primitives.ops import conversions
from jitcore.runtime.tensor import Tensor


@network
def linear(x: Tensor, weight: Tensor, bias: Tensor | None = None, name: str | None = None) -> Any:
    """x times a weight (inputs, outputs), and a bias."""
    taken, given = values.shape_of(weight)[0], values.shape_of(x)[-1] if values.rank_of(x) else 1
    if isinstance(taken, int) and isinstance(given, int) and taken != given:
        raise ValueError(
            "(InvalidArgument) Input(Y) has error dim. Y'dims[0] must be equal to "
            f"{given} But received Y'dims[0] is {taken}: an input of shape {list(values.shape_of(x))} and a weight of "
            f"shape {list(values.shape_of(weight))}"
        )
    made = ops.matmul(x, weight)
    return made if bias is None else ops.add_ext(made, bias)


@network
def bilinear(x1: Tensor, x2: Tensor, weight: Tensor, bias: Tensor | None = None, name: str | None = None) -> Any:
    return ops.bidense(x1, x2, weight, None if bias is None else ops.reshape(bias, (-1,)))


@network
def embedding(
    x: Tensor,
    weight: Tensor,
    padding_idx: int | None = None,
    max_norm: float | None = None,
    norm_type: float = 2.0,
    sparse: bool = False,
    scale_grad_by_freq: bool = False,
    name: str | None = None,
) -> Any:
    if scale_grad_by_freq:
        raise NotImplementedError("embedding: scale_grad_by_freq=True")
    rows = values.shape_of(weight)[0]
    if padding_idx is not None and isinstance(rows, int) and not -rows <= padding_idx < rows:
        raise ValueError(f"padding_idx must be within [-{rows}, {rows})")
    count = evaluator().number(rows)
    inside = ops.all(ops.logical_and(ops.ge(x, 0), ops.lt(x, count)))
    message = "(InvalidArgument) Variable value (input) of OP(embedding) expected >= 0 and < {0}"
    conversions.check(ops.item(inside), count, exception="ValueError", message=message)
    made = shaped.embedding(x, weight, padding_idx, max_norm, norm_type, False, sparse)
    if padding_idx is None:
        return made
    number = padding_idx if padding_idx >= 0 else ops.add_ext(padding_idx, evaluator().number(rows))
    return ops.where(ops.expand_dims(ops.eq(x, number), -1), ops.zeros_like(made), made)


@network
def one_hot(x: Tensor, num_classes: int = -1, name: str | None = None) -> Any:
    if values.static_int(num_classes, "num_classes") > 0:
        inside = ops.all(ops.logical_and(ops.ge(x, 0), ops.lt(x, num_classes)))
        message = f"(InvalidArgument) Illegal index value, Input(input) value should be in [0, {num_classes})"
        conversions.check(ops.item(inside), exception="ValueError", message=message)
    return elementwise.astype(ops.one_hot_ext(x, num_classes), default_float())


@network
def label_smooth(label: Tensor, prior_dist: Tensor | None = None, epsilon: float = 0.1, name: str | None = None) -> Any:
    epsilon = float(values.with_known_numbers(epsilon, "epsilon"))
    if not 0 <= epsilon <= 1:
        raise ValueError("The value of epsilon must be between 0 and 1.")
    classes = evaluator().number(values.shape_of(label)[-1])
    share = epsilon / classes if prior_dist is None else ops.mul(ops.stop_gradient(prior_dist), epsilon)
    return ops.add_ext(ops.mul(label, 1 - epsilon), share)


@network
def cosine_similarity(x1: Tensor, x2: Tensor, axis: int = 1, eps: float = 1e-8, name: str | None = None) -> Any:
    return shaped.cosine_similarity(x1, x2, axis, eps)


@network
def pairwise_distance(
    x: Tensor, y: Tensor, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False, name: str | None = None
) -> Any:
    return shaped.pairwise_distance(x, y, p, epsilon, keepdim)


@network
def pdist(x: Tensor, p: float = 2.0, name: str | None = None) -> Any:
    return shaped.pdist(x, p)


@network
def scaled_dot_product_attention(
    query: Tensor,
    key: Tensor,
    value: Tensor,
    attn_mask: Tensor | None = None,
    dropout_p: float = 0.0,
    is_causal: bool = False,
    training: bool = True,
    name: str | None = None,
) -> Any:
    """Attention of (batch, length, heads, width)."""
    heads = [ops.swapaxes(a, 1, 2) for a in (query, key, value)]
    share = dropout_p if training else 0.0
    made = attention.scaled_dot_product_attention(heads[0], heads[1], heads[2], attn_mask, share, is_causal)
    return ops.swapaxes(made, 1, 2)


@network
def sequence_mask(x: Tensor, maxlen: int | None = None, dtype: object = "int64", name: str | None = None) -> Any:
    """Whether each place is before an end, along a new last axis."""
    most = int(ops.stop_gradient(ops.amax(x)).asnumpy()) if maxlen is None else maxlen
    found = ops.lt(ops.arange(most), ops.expand_dims(x, -1))
    return elementwise.astype(found, as_dtype(dtype))
