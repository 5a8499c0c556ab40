"""Attention and Transformers (Vaswani et al. 2017), as Layers. Lengths come after the batch: (batch, length, width)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from copy import deepcopy
from typing import Any, ClassVar, NamedTuple, cast

from jitcore import ops
from jitcore.compat.paddle.declaring import network
from jitcore.compat.paddle.networks import activation as activations
from jitcore.compat.paddle.networks import normalisation
from jitcore.compat.paddle.nn.attributes import AttrLike, ParamAttr
from jitcore.compat.paddle.nn.containers import LayerList
from jitcore.compat.paddle.nn.dense import Linear
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.compat.paddle.nn.normalisation import Dropout, LayerNorm
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor

_HIDDEN = 1e9
"""What the scores of what a mask hides are lowered by."""


class Cache(NamedTuple):
    """The keys and values (batch, heads, length, width) of what was seen so far."""

    k: Any
    v: Any


class StaticCache(NamedTuple):
    """The keys and values of what does not change."""

    k: Any
    v: Any


@network
def divided(x: Tensor, heads: int) -> Any:
    """(Batch, length, width) as (batch, heads, length, width of a head)."""
    batch, length, width = (evaluator().number(n) for n in values.shape_of(x))
    return ops.swapaxes(ops.reshape(x, (batch, length, heads, width // heads)), 1, 2)


@network
def joined(x: Tensor) -> Any:
    """What `divided` divided."""
    batch, heads, length, width = (evaluator().number(n) for n in values.shape_of(x))
    return ops.reshape(ops.swapaxes(x, 1, 2), (batch, length, heads * width))


@network
def attention_weights(query: Tensor, key: Tensor, mask: Tensor | None = None) -> Any:
    """The share that each query has in each key; a mask is added to scores, or says what is seen."""
    width = evaluator().number(values.shape_of(query)[-1])
    scores = ops.matmul(ops.mul(query, width**-0.5), ops.swapaxes(key, -1, -2))
    if mask is not None:
        dtype = values.dtype_of_value(scores)
        given = elementwise.astype(mask, dtype)
        if not values.dtype_of_value(mask).is_float:
            given = ops.mul(ops.sub_ext(given, 1.0), _HIDDEN)
        scores = ops.add_ext(scores, given)
    return ops.softmax(scores, -1)


class MultiHeadAttention(Layer):
    """Attention in several heads."""

    Cache: ClassVar[Any] = Cache
    StaticCache: ClassVar[Any] = StaticCache

    def __init__(
        self,
        embed_dim: int,
        num_heads: int,
        dropout: float = 0.0,
        kdim: int | None = None,
        vdim: int | None = None,
        need_weights: bool = False,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
    ) -> None:
        super().__init__()
        if embed_dim <= 0 or num_heads <= 0 or embed_dim % num_heads:
            raise AssertionError(f"embed_dim must be divisible by num_heads, not {embed_dim} by {num_heads}")
        self.embed_dim = embed_dim
        self.kdim = embed_dim if kdim is None else kdim
        self.vdim = embed_dim if vdim is None else vdim
        self.num_heads = num_heads
        self.dropout = dropout
        self.need_weights = need_weights
        self.head_dim = embed_dim // num_heads
        self.q_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)
        self.k_proj = Linear(self.kdim, embed_dim, weight_attr, bias_attr)
        self.v_proj = Linear(self.vdim, embed_dim, weight_attr, bias_attr)
        self.out_proj = Linear(embed_dim, embed_dim, weight_attr, bias_attr)

    def compute_kv(self, key: Tensor, value: Tensor) -> tuple[Any, Any]:
        """The keys and values of the heads."""
        return divided(self.k_proj(key), self.num_heads), divided(self.v_proj(value), self.num_heads)

    def gen_cache(self, key: Tensor, value: Tensor | None = None, type: object = Cache) -> Any:
        """What is kept between calls: of what does not change, of nothing yet, or of keys and values that there
        are."""
        if type is StaticCache:
            return StaticCache(*self.compute_kv(key, key if value is None else value))
        if value is None:
            none = divided(self.k_proj(key), self.num_heads)[:, :, :0]
            return Cache(none, none)
        return Cache(key, value)

    def forward(
        self,
        query: Tensor,
        key: Tensor | None = None,
        value: Tensor | None = None,
        attn_mask: Tensor | None = None,
        cache: Cache | StaticCache | None = None,
    ) -> Any:
        key = query if key is None else key
        value = query if value is None else value
        q = divided(self.q_proj(query), self.num_heads)
        if isinstance(cache, StaticCache):
            k, v = cache.k, cache.v
        else:
            k, v = self.compute_kv(key, value)
        if isinstance(cache, Cache):
            k, v = ops.cat([cache.k, k], 2), ops.cat([cache.v, v], 2)
            cache = Cache(k, v)
        weights = attention_weights(q, k, attn_mask)
        if self.dropout:
            weights = normalisation.dropout(weights, self.dropout, None, self.training)
        out = self.out_proj(joined(weights.matmul(v)))
        if self.need_weights:
            return (out, weights) if cache is None else (out, weights, cache)
        return out if cache is None else (out, cache)


def _each(attr: AttrLike | Sequence[AttrLike], count: int) -> list[AttrLike]:
    """What each part is told of its Parameters, of what is said for all or one by one."""
    if isinstance(attr, list | tuple):
        if len(attr) != count:
            raise AssertionError(f"length of param_attr should be {count} when it is a list/tuple")
        return list(attr)
    made = [deepcopy(cast("AttrLike", attr)) for _ in range(count)]
    for k, own in enumerate(made):
        if isinstance(own, ParamAttr) and own.name:
            own.name = f"{own.name}_{k}"
    return made


class _Part(Layer):
    """What the layers of encoders and decoders have."""

    _config: dict[str, Any]
    """What it was made with, so that others can be made."""

    def _begin(
        self,
        d_model: int,
        dim_feedforward: int,
        dropouts: tuple[float, float],
        activation: str,
        attrs: tuple[AttrLike, AttrLike],
        norms: int,
        epsilon: float,
    ) -> None:
        dropout, inside = dropouts
        self.linear1 = Linear(d_model, dim_feedforward, *attrs)
        self.dropout = Dropout(inside)
        self.linear2 = Linear(dim_feedforward, d_model, *attrs)
        for k in range(1, norms + 1):
            setattr(self, f"norm{k}", LayerNorm(d_model, epsilon))
        for k in range(1, norms + 1):
            setattr(self, f"dropout{k}", Dropout(dropout))
        self.activation = getattr(activations, activation)

    norm1: Any
    norm2: Any
    norm3: Any
    dropout1: Any
    dropout2: Any
    dropout3: Any
    normalize_before: bool

    def _fed(self, x: Tensor) -> Any:
        return self.linear2(self.dropout(self.activation(self.linear1(x))))

    def another(self) -> Any:
        """A new one, made with the same."""
        return type(self)(**self._config)


class TransformerEncoderLayer(_Part):
    """Attention to itself, and a dense network."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: AttrLike | Sequence[AttrLike] = None,
        bias_attr: AttrLike | Sequence[AttrLike] = None,
        layer_norm_eps: float = 1e-5,
    ) -> None:
        config = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        super().__init__()
        self._config = config
        self.normalize_before = normalize_before
        weights, biases = _each(weight_attr, 2), _each(bias_attr, 2)
        seen = dropout if attn_dropout is None else attn_dropout
        self.self_attn = MultiHeadAttention(d_model, nhead, seen, weight_attr=weights[0], bias_attr=biases[0])
        inside = dropout if act_dropout is None else act_dropout
        attrs = weights[1], biases[1]
        self._begin(d_model, dim_feedforward, (dropout, inside), activation, attrs, 2, layer_norm_eps)

    def gen_cache(self, src: Tensor) -> Any:
        """What is kept between calls, of nothing yet."""
        return self.self_attn.gen_cache(src)

    def forward(self, src: Tensor, src_mask: Tensor | None = None, cache: Cache | None = None) -> Any:
        x = self.norm1(src) if self.normalize_before else src
        kept = None
        if cache is None:
            x = self.self_attn(x, x, x, src_mask)
        else:
            x, kept = self.self_attn(x, x, x, src_mask, cache)
        x = src + self.dropout1(x)
        x = x if self.normalize_before else self.norm1(x)
        fed = self._fed(self.norm2(x) if self.normalize_before else x)
        x = x + self.dropout2(fed)
        x = x if self.normalize_before else self.norm2(x)
        return x if cache is None else (x, kept)


class TransformerDecoderLayer(_Part):
    """Attention to itself, to what was encoded, and a dense network."""

    def __init__(
        self,
        d_model: int,
        nhead: int,
        dim_feedforward: int,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: AttrLike | Sequence[AttrLike] = None,
        bias_attr: AttrLike | Sequence[AttrLike] = None,
        layer_norm_eps: float = 1e-5,
    ) -> None:
        config = {name: value for name, value in locals().items() if name not in ("self", "__class__")}
        super().__init__()
        self._config = config
        self.normalize_before = normalize_before
        weights, biases = _each(weight_attr, 3), _each(bias_attr, 3)
        seen = dropout if attn_dropout is None else attn_dropout
        self.self_attn = MultiHeadAttention(d_model, nhead, seen, weight_attr=weights[0], bias_attr=biases[0])
        self.cross_attn = MultiHeadAttention(d_model, nhead, seen, weight_attr=weights[1], bias_attr=biases[1])
        inside = dropout if act_dropout is None else act_dropout
        attrs = weights[2], biases[2]
        self._begin(d_model, dim_feedforward, (dropout, inside), activation, attrs, 3, layer_norm_eps)

    def gen_cache(self, memory: Tensor) -> Any:
        """What is kept between calls: of itself nothing yet, and of what was encoded."""
        return self.self_attn.gen_cache(memory), self.cross_attn.gen_cache(memory, memory, StaticCache)

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        cache: tuple[Cache, StaticCache] | None = None,
    ) -> Any:
        x = self.norm1(tgt) if self.normalize_before else tgt
        own = other = None
        if cache is None:
            x = self.self_attn(x, x, x, tgt_mask)
        else:
            x, own = self.self_attn(x, x, x, tgt_mask, cache[0])
        x = tgt + self.dropout1(x)
        x = x if self.normalize_before else self.norm1(x)
        seen = self.norm2(x) if self.normalize_before else x
        if cache is None:
            seen = self.cross_attn(seen, memory, memory, memory_mask)
        else:
            seen, other = self.cross_attn(seen, memory, memory, memory_mask, cache[1])
        x = x + self.dropout2(seen)
        x = x if self.normalize_before else self.norm2(x)
        fed = self._fed(self.norm3(x) if self.normalize_before else x)
        x = x + self.dropout3(fed)
        x = x if self.normalize_before else self.norm3(x)
        return x if cache is None else (x, (own, other))


class TransformerEncoder(Layer):
    """Several layers of an encoder."""

    def __init__(self, encoder_layer: TransformerEncoderLayer, num_layers: int, norm: Layer | None = None) -> None:
        super().__init__()
        self.layers = LayerList([encoder_layer, *(encoder_layer.another() for _ in range(num_layers - 1))])
        self.num_layers = num_layers
        self.norm = norm

    def gen_cache(self, src: Tensor) -> list[Any]:
        """What each layer keeps between calls."""
        return [layer.gen_cache(src) for layer in self.layers]

    def forward(self, src: Tensor, src_mask: Tensor | None = None, cache: Sequence[Any] | None = None) -> Any:
        x: Any = src
        kept: list[Any] = []
        for k, layer in enumerate(self.layers):
            if cache is None:
                x = layer(x, src_mask)
            else:
                x, own = layer(x, src_mask, cache[k])
                kept.append(own)
        if self.norm is not None:
            x = self.norm(x)
        return x if cache is None else (x, kept)


class TransformerDecoder(Layer):
    """Several layers of a decoder."""

    def __init__(self, decoder_layer: TransformerDecoderLayer, num_layers: int, norm: Layer | None = None) -> None:
        super().__init__()
        self.layers = LayerList([decoder_layer, *(decoder_layer.another() for _ in range(num_layers - 1))])
        self.num_layers = num_layers
        self.norm = norm

    def gen_cache(self, memory: Tensor, do_zip: bool = False) -> list[Any]:
        """What each layer keeps between calls; `do_zip`: that of itself and that of what was encoded apart."""
        found = [layer.gen_cache(memory) for layer in self.layers]
        return list(zip(*found, strict=True)) if do_zip else found

    def forward(
        self,
        tgt: Tensor,
        memory: Tensor,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
        cache: Sequence[Any] | None = None,
    ) -> Any:
        x: Any = tgt
        kept: list[Any] = []
        for k, layer in enumerate(self.layers):
            if cache is None:
                x = layer(x, memory, tgt_mask, memory_mask)
            else:
                x, own = layer(x, memory, tgt_mask, memory_mask, cache[k])
                kept.append(own)
        if self.norm is not None:
            x = self.norm(x)
        return x if cache is None else (x, kept)


class Transformer(Layer):
    """An encoder and a decoder."""

    def __init__(
        self,
        d_model: int = 512,
        nhead: int = 8,
        num_encoder_layers: int = 6,
        num_decoder_layers: int = 6,
        dim_feedforward: int = 2048,
        dropout: float = 0.1,
        activation: str = "relu",
        attn_dropout: float | None = None,
        act_dropout: float | None = None,
        normalize_before: bool = False,
        weight_attr: AttrLike | Sequence[AttrLike] = None,
        bias_attr: AttrLike | Sequence[AttrLike] = None,
        custom_encoder: Layer | None = None,
        custom_decoder: Layer | None = None,
    ) -> None:
        super().__init__()
        options = (
            d_model, nhead, dim_feedforward, dropout, activation, attn_dropout, act_dropout, normalize_before,
        )  # fmt: skip
        encoding, decoding = (
            [_shared(attr, kind) for attr in (weight_attr, bias_attr)] for kind in ("encoder", "decoder")
        )
        self.encoder = custom_encoder
        if custom_encoder is None:
            made = TransformerEncoderLayer(*options, *encoding)
            self.encoder = TransformerEncoder(made, num_encoder_layers, LayerNorm(d_model))
        self.decoder = custom_decoder
        if custom_decoder is None:
            made = TransformerDecoderLayer(*options, *decoding)
            self.decoder = TransformerDecoder(made, num_decoder_layers, LayerNorm(d_model))
        self.d_model = d_model
        self.nhead = nhead

    encoder: Any
    decoder: Any

    def forward(
        self,
        src: Tensor,
        tgt: Tensor,
        src_mask: Tensor | None = None,
        tgt_mask: Tensor | None = None,
        memory_mask: Tensor | None = None,
    ) -> Any:
        memory = self.encoder(src, src_mask)
        return self.decoder(tgt, memory, tgt_mask, memory_mask)

    def generate_square_subsequent_mask(self, length: int) -> Any:
        """What hides, when it is added to scores, all that comes later."""
        return subsequent_mask(length)


def _shared(attr: AttrLike | Sequence[AttrLike], kind: str) -> Any:
    """What encoder and decoder are told, of one, two or three for both: of two, the second is the dense networks'."""
    if not isinstance(attr, list | tuple):
        return attr
    given = list(attr)
    if len(given) == 1:
        return given * (2 if kind == "encoder" else 3)
    if len(given) == 2:
        return given if kind == "encoder" else [given[0], *given]
    if len(given) == 3:
        return [given[0], given[2]] if kind == "encoder" else given
    raise AssertionError("length of weight_attr and bias_attr should be 1 or 2 or 3 when it is a list/tuple")


@network
def subsequent_mask(length: int) -> Any:
    """0 where a place comes no later than a row, else minus infinity."""
    places = ops.arange(length)
    later = ops.gt(ops.expand_dims(places, 0), ops.expand_dims(places, 1))
    return ops.where(later, ops.full((length, length), -math.inf), ops.zeros((length, length)))
