"""Attention and transformers (Vaswani et al. 2017), as Modules."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable
from typing import Any

from jitcore import ops
from jitcore.compat.torch.arguments import Device, DTypeLike
from jitcore.compat.torch.declaring import as_torch, require_device
from jitcore.compat.torch.functions.creation import full
from jitcore.compat.torch.networks import activations, normalisation
from jitcore.compat.torch.networks.attention import hidden_at, softmax_of
from jitcore.compat.torch.networks.dense import linear
from jitcore.compat.torch.nn import init
from jitcore.compat.torch.nn.containers import ModuleList
from jitcore.compat.torch.nn.linear import Linear, parameter
from jitcore.compat.torch.nn.module import Module
from jitcore.compat.torch.nn.normalisation import Dropout, LayerNorm
from jitcore.library.core import marking
from jitcore.runtime.tensor import Tensor

Activation = Callable[[Tensor], Any]


@marking.library("raw")
def _hiding_later(count: int, device: Device, dtype: DTypeLike) -> Any:
    require_device(device)
    return as_torch(ops.triu(full((count, count), float("-inf"), dtype=dtype), 1))


class NonDynamicallyQuantizableLinear(Linear):
    """What PyTorch calls the last layer of attention."""


class MultiheadAttention(Module):
    """Attention by several heads at once."""

    in_proj_weight: Any
    q_proj_weight: Any
    k_proj_weight: Any
    v_proj_weight: Any
    in_proj_bias: Any
    bias_k: Any
    bias_v: Any

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        bias: bool = True,
        add_bias_kv: bool = False,
        add_zero_attn: bool = False,
        kdim: int | None = None,
        vdim: int | None = None,
        batch_first: bool = False,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        if embed_dim <= 0 or num_heads <= 0:
            raise ValueError(
                f"embed_dim and num_heads must be greater than 0, got embed_dim={embed_dim} and "
                f"num_heads={num_heads} instead"
            )
        super().__init__()
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self._qkv_same_embed_dim = self.kdim == embed_dim and self.vdim == embed_dim
        self.num_heads = num_heads
        self.dropout = dropout
        self.batch_first = batch_first
        self.head_dim = embed_dim // num_heads
        if self.head_dim * num_heads != embed_dim:
            raise AssertionError("embed_dim must be divisible by num_heads")
        self.add_zero_attn = add_zero_attn
        self._add_projections(device, dtype)
        self.register_parameter("in_proj_bias", parameter(self, (3 * embed_dim,), device, dtype) if bias else None)
        self.out_proj = NonDynamicallyQuantizableLinear(embed_dim, embed_dim, bias, device, dtype)
        self.register_parameter("bias_k", parameter(self, (1, 1, embed_dim), device, dtype) if add_bias_kv else None)
        self.register_parameter("bias_v", parameter(self, (1, 1, embed_dim), device, dtype) if add_bias_kv else None)
        self._reset_parameters()

    def _add_projections(self, device: Device, dtype: DTypeLike) -> None:
        n, same = self.embed_dim, self._qkv_same_embed_dim
        if same:
            self.in_proj_weight = parameter(self, (3 * n, n), device, dtype)
        for name, width in (("q_proj_weight", n), ("k_proj_weight", self.kdim), ("v_proj_weight", self.vdim)):
            self.register_parameter(name, None if same else parameter(self, (n, width), device, dtype))
        if not same:
            self.register_parameter("in_proj_weight", None)

    def _reset_parameters(self) -> None:
        for weight in (self.in_proj_weight, self.q_proj_weight, self.k_proj_weight, self.v_proj_weight):
            if weight is not None:
                init.xavier_uniform_(weight)
        if self.in_proj_bias is not None:
            init.zeros_(self.in_proj_bias)
            init.zeros_(self.out_proj.bias)
        for bias in (self.bias_k, self.bias_v):
            if bias is not None:
                init.xavier_normal_(bias)

    def _projected(self, query: Tensor, key: Tensor, value: Tensor) -> Any:
        """The three of them, each by its part of the weights."""
        n, bias = self.embed_dim, self.in_proj_bias
        made = []
        for k, x in enumerate((query, key, value)):
            if self._qkv_same_embed_dim:
                weight = self.in_proj_weight[k * n : (k + 1) * n]
            else:
                weight = (self.q_proj_weight, self.k_proj_weight, self.v_proj_weight)[k]
            made.append(linear(x, weight, None if bias is None else bias[k * n : (k + 1) * n]))
        return made

    def _heads(self, x: Tensor) -> Any:
        """(length, batch, features) as (batch, heads, length, features of a head)."""
        split = x.reshape((x.shape[0], x.shape[1], self.num_heads, self.head_dim))
        return ops.transpose(split, (1, 2, 0, 3))

    def _longer(self, k: Tensor, v: Tensor) -> Any:
        """Keys and values with those that are learnt, and with zeros."""
        batch, n = k.shape[1], self.embed_dim
        if self.bias_k is not None:
            k = ops.cat((k, ops.broadcast_to(self.bias_k, (1, batch, n))), 0)
            v = ops.cat((v, ops.broadcast_to(self.bias_v, (1, batch, n))), 0)
        if self.add_zero_attn:
            nothing = ops.zeros_like(k[:1])
            k, v = ops.cat((k, nothing), 0), ops.cat((v, nothing), 0)
        return k, v

    def forward(
        self,
        query: Tensor,
        key: Tensor,
        value: Tensor,
        key_padding_mask: Tensor | None = None,
        need_weights: bool = True,
        attn_mask: Tensor | None = None,
        average_attn_weights: bool = True,
        is_causal: bool = False,
    ) -> Any:
        if is_causal and attn_mask is None:
            raise RuntimeError("Need attn_mask if specifying the is_causal hint.")
        single = query.ndim == 2
        if single:
            query, key, value = (ops.expand_dims(t, 1) for t in (query, key, value))
        elif self.batch_first:
            query, key, value = (ops.swapaxes(t, 0, 1) for t in (query, key, value))
        q, k, v = self._projected(query, key, value)
        k, v = self._longer(k, v)
        q, k, v = self._heads(q), self._heads(k), self._heads(v)
        scores = ops.matmul(q, ops.swapaxes(k, -1, -2)) * (1 / math.sqrt(self.head_dim))
        masks = self._masks(attn_mask, key_padding_mask, k.shape[2])
        weights = softmax_of(scores if masks is None else scores + masks, None)
        weights = normalisation.dropout(weights, self.dropout, self.training)
        mixed = ops.transpose(ops.matmul(weights, v), (2, 0, 1, 3))
        out = self.out_proj(mixed.reshape((mixed.shape[0], mixed.shape[1], self.embed_dim)))
        if single:
            out = ops.squeeze(out, 1)
        elif self.batch_first:
            out = ops.swapaxes(out, 0, 1)
        if not need_weights:
            return out, None
        if average_attn_weights:
            weights = ops.mean_ext(weights, 1)
        return out, ops.squeeze(weights, 0) if single else weights

    def _masks(self, attn_mask: Tensor | None, padding: Tensor | None, length: int) -> Any:
        """What is added to scores (batch, heads, length, keys); None if nothing is hidden."""
        total = None
        if attn_mask is not None:
            hidden = hidden_at(attn_mask, length)
            if hidden.ndim == 3:
                hidden = hidden.reshape((-1, self.num_heads, hidden.shape[1], hidden.shape[2]))
            total = hidden
        if padding is not None:
            hidden = hidden_at(padding, length)
            hidden = hidden.reshape((-1, 1, 1, hidden.shape[-1]))
            total = hidden if total is None else total + hidden
        return total


# --- layers -----------------------------------------------------------------------------------------


def _activation(given: str | Activation) -> Activation:
    if not isinstance(given, str):
        return given
    if given not in ("relu", "gelu"):
        raise RuntimeError(f"activation should be relu/gelu, not {given}")
    return activations.relu if given == "relu" else activations.gelu


class TransformerEncoderLayer(Module):
    """Attention of a sequence to itself, then two dense layers."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Activation = activations.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout, bias, batch_first=batch_first, device=device, dtype=dtype
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias, device, dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, device, dtype)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        src: Tensor,
        src_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool = False,
    ) -> Any:
        x = src
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), src_mask, src_key_padding_mask, is_causal)
            return x + self._ff_block(self.norm2(x))
        x = self.norm1(x + self._sa_block(x, src_mask, src_key_padding_mask, is_causal))
        return self.norm2(x + self._ff_block(x))

    def _sa_block(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Any:
        made = self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal
        )
        return self.dropout1(made[0])

    def _ff_block(self, x: Tensor) -> Any:
        return self.dropout2(self.linear2(self.dropout(self.activation(self.linear1(x)))))


class TransformerDecoderLayer(Module):
    """Attention of a sequence to itself and to another one, then two dense layers."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Activation = activations.relu,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        self.self_attn = MultiheadAttention(
            d_model, nhead, dropout, bias, batch_first=batch_first, device=device, dtype=dtype
        )
        self.multihead_attn = MultiheadAttention(
            d_model, nhead, dropout, bias, batch_first=batch_first, device=device, dtype=dtype
        )
        self.linear1 = Linear(d_model, dim_feedforward, bias, device, dtype)
        self.dropout = Dropout(dropout)
        self.linear2 = Linear(dim_feedforward, d_model, bias, device, dtype)
        self.norm_first = norm_first
        self.norm1 = LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)
        self.norm2 = LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)
        self.norm3 = LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)
        self.dropout1 = Dropout(dropout)
        self.dropout2 = Dropout(dropout)
        self.dropout3 = Dropout(dropout)
        self.activation = _activation(activation)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool = False,
        memory_is_causal: bool = False,
    ) -> Any:
        x = tgt
        if self.norm_first:
            x = x + self._sa_block(self.norm1(x), tgt_mask, tgt_key_padding_mask, tgt_is_causal)
            seen = self._mha_block(self.norm2(x), memory, memory_mask, memory_key_padding_mask, memory_is_causal)
            x = x + seen
            return x + self._ff_block(self.norm3(x))
        x = self.norm1(x + self._sa_block(x, tgt_mask, tgt_key_padding_mask, tgt_is_causal))
        x = self.norm2(x + self._mha_block(x, memory, memory_mask, memory_key_padding_mask, memory_is_causal))
        return self.norm3(x + self._ff_block(x))

    def _sa_block(self, x: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool) -> Any:
        made = self.self_attn(
            x, x, x, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal
        )
        return self.dropout1(made[0])

    def _mha_block(
        self, x: Tensor, memory: Tensor, mask: Tensor | None, padding: Tensor | None, is_causal: bool
    ) -> Any:
        made = self.multihead_attn(
            x, memory, memory, attn_mask=mask, key_padding_mask=padding, need_weights=False, is_causal=is_causal
        )
        return self.dropout2(made[0])

    def _ff_block(self, x: Tensor) -> Any:
        return self.dropout3(self.linear2(self.dropout(self.activation(self.linear1(x)))))


# --- stacks -----------------------------------------------------------------------------------------


def _copies(layer: Module, count: int) -> ModuleList:
    return ModuleList([copy.deepcopy(layer) for _ in range(count)])


class TransformerEncoder(Module):
    """Encoder layers, one after the other."""

    def __init__(
        self,
        encoder_layer: Module,
        num_layers: int,
        norm: Module | None = None,
        enable_nested_tensor: bool = True,
        mask_check: bool = True,
    ) -> None:
        super().__init__()
        del enable_nested_tensor, mask_check
        self.layers = _copies(encoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        src: Tensor,
        mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        is_causal: bool | None = None,
    ) -> Any:
        output = src
        for layer in self.layers:
            output = layer(output, src_mask=mask, src_key_padding_mask=src_key_padding_mask)
        return output if self.norm is None else self.norm(output)


class TransformerDecoder(Module):
    """Decoder layers, one after the other."""

    def __init__(self, decoder_layer: Module, num_layers: int, norm: Module | None = None) -> None:
        super().__init__()
        self.layers = _copies(decoder_layer, num_layers)
        self.num_layers = num_layers
        self.norm = norm

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Any:
        output = tgt
        for layer in self.layers:
            output = layer(
                output,
                memory,
                tgt_mask=tgt_mask,
                memory_mask=memory_mask,
                tgt_key_padding_mask=tgt_key_padding_mask,
                memory_key_padding_mask=memory_key_padding_mask,
            )
        return output if self.norm is None else self.norm(output)


class Transformer(Module):
    """An encoder and a decoder."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str | Activation = activations.relu,
        custom_encoder: Module | None = None,
        custom_decoder: Module | None = None,
        layer_norm_eps: float = 1e-5,
        batch_first: bool = False,
        norm_first: bool = False,
        bias: bool = True,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        options = (d_model, nhead, dim_feedforward, dropout, activation, layer_norm_eps, batch_first, norm_first, bias)

        def norm() -> LayerNorm:
            return LayerNorm(d_model, layer_norm_eps, bias=bias, device=device, dtype=dtype)

        if custom_encoder is None:
            layer = TransformerEncoderLayer(*options, device, dtype)
            custom_encoder = TransformerEncoder(layer, num_encoder_layers, norm())
        self.encoder = custom_encoder
        if custom_decoder is None:
            other = TransformerDecoderLayer(*options, device, dtype)
            custom_decoder = TransformerDecoder(other, num_decoder_layers, norm())
        self.decoder = custom_decoder
        for held in self.parameters():
            if held.ndim > 1:
                init.xavier_uniform_(held)
        self.d_model = d_model
        self.nhead = nhead
        self.batch_first = batch_first

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        src_key_padding_mask: Tensor | None = None,
        tgt_key_padding_mask: Tensor | None = None,
        memory_key_padding_mask: Tensor | None = None,
        src_is_causal: bool | None = None,
        tgt_is_causal: bool | None = None,
        memory_is_causal: bool = False,
    ) -> Any:
        memory = self.encoder(src, mask=src_mask, src_key_padding_mask=src_key_padding_mask)
        return self.decoder(
            tgt,
            memory,
            tgt_mask=tgt_mask,
            memory_mask=memory_mask,
            tgt_key_padding_mask=tgt_key_padding_mask,
            memory_key_padding_mask=memory_key_padding_mask,
        )

    @staticmethod
    def generate_square_subsequent_mask(sz: int, device: Device = None, dtype: DTypeLike = None) -> Any:
        """A mask that hides what comes later."""
        return _hiding_later(sz, device, dtype)
