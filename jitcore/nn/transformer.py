"""Attention and transformers (Vaswani et al. 2017)."""

from __future__ import annotations

import copy
import math
from typing import Any

from jitcore import ops
from jitcore.common.initializer import XavierUniform, initializer
from jitcore.common.parameter import Parameter
from jitcore.nn import arguments
from jitcore.nn.activation import get_activation
from jitcore.nn.cell import Cell
from jitcore.nn.container import CellList
from jitcore.nn.layers import Dense, Dropout
from jitcore.nn.normalization import LayerNorm
from jitcore.types import f32


class MultiheadAttention(Cell):
    """Attention of queries (L, N, E) to keys and values (S, N, E), by several heads; batches first with `batch_first`.

    Weights and biases are those of PyTorch's layer: `in_proj_weight` (3 E, E), or one each where `kdim` or `vdim`
    differ.
    """

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        has_bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.embed_dim = arguments.positive(embed_dim, "embed_dim", "MultiheadAttention")
        self.num_heads = arguments.positive(num_heads, "num_heads", "MultiheadAttention")
        if embed_dim % num_heads:
            raise ValueError(f"embed_dim={embed_dim} of MultiheadAttention cannot be split into {num_heads} heads")
        if add_bias_kv or add_zero_attn:
            raise ValueError("MultiheadAttention has neither add_bias_kv nor add_zero_attn")
        self.head_dim = embed_dim // num_heads
        self.dropout = arguments.probability(dropout, "dropout", "MultiheadAttention")
        self.drop = Dropout(p=self.dropout)
        self.batch_first = batch_first
        widths = (embed_dim, embed_dim if kdim is None else kdim, embed_dim if vdim is None else vdim)
        self.same_widths = widths == (embed_dim,) * 3
        xavier = XavierUniform()
        if self.same_widths:
            made = initializer(xavier, (3 * embed_dim, embed_dim), dtype)
            self.in_proj_weight = Parameter(made, name="in_proj_weight")
        else:
            self.q_proj_weight, self.k_proj_weight, self.v_proj_weight = (
                Parameter(initializer(xavier, (embed_dim, width), dtype), name=f"{which}_proj_weight")
                for which, width in zip("qkv", widths, strict=True)
            )
        zeros = initializer("zeros", (3 * embed_dim,), dtype)
        self.in_proj_bias = Parameter(zeros, name="in_proj_bias") if has_bias else None
        bias = "zeros" if has_bias else None
        self.out_proj = Dense(embed_dim, embed_dim, bias_init=bias, has_bias=has_bias, dtype=dtype)

    def _weights(self) -> tuple[Any, Any, Any]:
        if not self.same_widths:
            return self.q_proj_weight, self.k_proj_weight, self.v_proj_weight
        size = self.embed_dim
        return self.in_proj_weight[:size], self.in_proj_weight[size : 2 * size], self.in_proj_weight[2 * size :]

    def _heads(self, x: Any, weight: Any, part: int) -> Any:
        """x (length, batch, width) projected, as (batch, head, length, head_dim)."""
        size = self.embed_dim
        bias = None if self.in_proj_bias is None else self.in_proj_bias[part * size : (part + 1) * size]
        made = ops.dense(x, weight, bias)
        split = ops.reshape(made, (x.shape[0], x.shape[1], self.num_heads, self.head_dim))
        return ops.transpose(split, (1, 2, 0, 3))

    def construct(
        self,
        query: Any,
        key: Any,
        value: Any,
        key_padding_mask: Any = None,
        need_weights: bool = True,
        attn_mask: Any = None,
        average_attn_weights: bool = True,
    ) -> Any:
        """(output, the weights of attention averaged over heads, or None). Masks: True, or a number that is added."""
        if self.batch_first:
            query = ops.transpose(query, (1, 0, 2))
            key = ops.transpose(key, (1, 0, 2))
            value = ops.transpose(value, (1, 0, 2))
        for_query, for_key, for_value = self._weights()
        q = self._heads(query, for_query, 0) / math.sqrt(self.head_dim)
        k = self._heads(key, for_key, 1)
        v = self._heads(value, for_value, 2)
        scores = ops.matmul(q, ops.swapaxes(k, 2, 3))
        if attn_mask is not None:
            mask = attn_mask
            if mask.ndim == 3:
                mask = ops.reshape(mask, (-1, self.num_heads, mask.shape[1], mask.shape[2]))
            scores = _masked(scores, mask)
        if key_padding_mask is not None:
            scores = _masked(scores, ops.expand_dims(ops.expand_dims(key_padding_mask, 1), 1))
        weights = ops.softmax(scores, -1)
        if self.dropout > 0:
            weights = self.drop(weights)
        seen = ops.transpose(ops.matmul(weights, v), (2, 0, 1, 3))
        out = self.out_proj(ops.reshape(seen, (query.shape[0], query.shape[1], self.embed_dim)))
        if self.batch_first:
            out = ops.transpose(out, (1, 0, 2))
        if not need_weights:
            return out, None
        return out, weights.mean(1) if average_attn_weights else weights


def _masked(scores: Any, mask: Any) -> Any:
    if mask.dtype.is_float:
        return scores + mask
    return ops.where(ops.cast(mask, bool), -math.inf, scores)


class _Layer(Cell):
    """What encoder and decoder layers share: attention to oneself, and a network for each position."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        self.linear1 = Dense(d_model, dim_feedforward, dtype=dtype)
        self.dropout = Dropout(p=dropout)
        self.linear2 = Dense(dim_feedforward, d_model, dtype=dtype)
        self.norm1 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.norm2 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout1 = Dropout(p=dropout)
        self.dropout2 = Dropout(p=dropout)
        if not isinstance(activation, str) and not callable(activation):
            raise ValueError(f"the activation is a name or callable, not {activation!r}")
        self.activation = get_activation(activation)
        self.norm_first = norm_first

    def _attend(self, x: Any, mask: Any, padding: Any) -> Any:
        return self.dropout1(self.self_attn(x, x, x, padding, False, mask)[0])

    def _feed(self, x: Any) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))


class TransformerEncoderLayer(_Layer):
    """Attention to oneself, then a network for each position, each added to what it is given and normalised."""

    def construct(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None) -> Any:
        """The layer applied to src (L, N, E)."""
        x = src
        if self.norm_first:
            x = x + self._attend(self.norm1(x), src_mask, src_key_padding_mask)
            return x + self.dropout2(self._feed(self.norm2(x)))
        x = self.norm1(x + self._attend(x, src_mask, src_key_padding_mask))
        return self.norm2(x + self.dropout2(self._feed(x)))


class TransformerDecoderLayer(_Layer):
    """As an encoder's layer, with attention to an encoder's output between the two."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = f32,
    ) -> None:
        super().__init__(
            d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype
        )
        self.multihead_attn = MultiheadAttention(d_model, nhead, dropout, batch_first=batch_first, dtype=dtype)
        self.norm3 = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
        self.dropout3 = Dropout(p=dropout)

    def _look(self, x: Any, memory: Any, mask: Any, padding: Any) -> Any:
        return self.dropout2(self.multihead_attn(x, memory, memory, padding, False, mask)[0])

    def construct(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Any:
        """The layer applied to tgt (L, N, E) and memory (S, N, E)."""
        x = tgt
        if self.norm_first:
            x = x + self._attend(self.norm1(x), tgt_mask, tgt_key_padding_mask)
            x = x + self._look(self.norm2(x), memory, memory_mask, memory_key_padding_mask)
            return x + self.dropout3(self._feed(self.norm3(x)))
        x = self.norm1(x + self._attend(x, tgt_mask, tgt_key_padding_mask))
        x = self.norm2(x + self._look(x, memory, memory_mask, memory_key_padding_mask))
        return self.norm3(x + self.dropout3(self._feed(x)))


def _clones(layer: Cell, count: int) -> CellList:
    """Layers like a given one, with Parameters of their own that begin the same."""

    made: list[Cell] = []
    for _ in range(count):
        clone = copy.deepcopy(layer)
        for name, parameter in clone.parameters_and_names():
            parameter.name = name
        made.append(clone)
    return CellList(made)


class TransformerEncoder(Cell):
    """Several encoder layers, one after the other, then perhaps a normalisation."""

    def __init__(self, encoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__()
        self.layers = _clones(encoder_layer, arguments.positive(num_layers, "num_layers", "TransformerEncoder"))
        self.num_layers = num_layers
        self.norm = norm

    def construct(self, src: Any, src_mask: Any = None, src_key_padding_mask: Any = None) -> Any:
        """The layers applied to src."""
        x = src
        for layer in self.layers:
            x = layer(x, src_mask, src_key_padding_mask)
        return x if self.norm is None else self.norm(x)


class TransformerDecoder(Cell):
    """Several decoder layers, one after the other, then perhaps a normalisation."""

    def __init__(self, decoder_layer: Cell, num_layers: int, norm: Cell | None = None) -> None:
        super().__init__()
        self.layers = _clones(decoder_layer, arguments.positive(num_layers, "num_layers", "TransformerDecoder"))
        self.num_layers = num_layers
        self.norm = norm

    def construct(
        self,
        tgt: Any,
        memory: Any,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Any:
        """The layers applied to tgt and memory."""
        x = tgt
        for layer in self.layers:
            x = layer(x, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
        return x if self.norm is None else self.norm(x)


class Transformer(Cell):
    """An encoder and a decoder of attention layers (Vaswani et al. 2017)."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: Any = "relu",
        custom_encoder: Cell | None = None,
        custom_decoder: Cell | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, dtype)
        self.encoder: Any = custom_encoder
        if custom_encoder is None:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            self.encoder = TransformerEncoder(TransformerEncoderLayer(*options), num_encoder_layers, norm)
        self.decoder: Any = custom_decoder
        if custom_decoder is None:
            norm = LayerNorm((d_model,), epsilon=layer_norm_eps, dtype=dtype)
            self.decoder = TransformerDecoder(TransformerDecoderLayer(*options), num_decoder_layers, norm)
        for _, parameter in self.parameters_and_names():
            if parameter.ndim > 1:
                parameter.set_data(initializer("xavier_uniform", parameter.shape, parameter.dtype))
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def construct(
        self,
        src: Any,
        tgt: Any,
        src_mask: Any = None,
        tgt_mask: Any = None,
        memory_mask: Any = None,
        src_key_padding_mask: Any = None,
        tgt_key_padding_mask: Any = None,
        memory_key_padding_mask: Any = None,
    ) -> Any:
        """The decoder's output for tgt (T, N, E), given src (S, N, E)."""
        batch_axis = 0 if self.batch_first else 1
        if src.ndim == 3 and src.shape[batch_axis] != tgt.shape[batch_axis]:
            raise ValueError("src and tgt of a Transformer are of one batch")
        if src.shape[-1] != self.d_model or tgt.shape[-1] != self.d_model:
            raise ValueError(f"src and tgt of a Transformer have {self.d_model} features")
        memory = self.encoder(src, src_mask, src_key_padding_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask, tgt_key_padding_mask, memory_key_padding_mask)
