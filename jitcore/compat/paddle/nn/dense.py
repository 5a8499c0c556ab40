"""Dense layers, embeddings, measures between vectors, and changes of shape, as Layers."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore.compat.paddle.networks import dense as functional
from jitcore.compat.paddle.nn.attributes import AttrLike
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.library.core.defaults import default_float
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor


def named(text: str, name: str | None) -> str:
    """The text of a Layer, with its name if it has one."""
    return f"{text}, name={name}" if name else text


class Identity(Layer):
    """Its input."""

    def __init__(self, *args: object, **kwargs: object) -> None:
        super().__init__()
        del args, kwargs

    def forward(self, input: Tensor) -> Any:
        return input


class Linear(Layer):
    """x times a weight (inputs, outputs), and a bias."""

    bias: Any

    def __init__(
        self,
        in_features: int,
        out_features: int,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._dtype = default_float().numpy.name
        self.weight = self.create_parameter([in_features, out_features], weight_attr)
        self.bias = self.create_parameter([out_features], bias_attr, is_bias=True)
        self.name = name

    def forward(self, input: Tensor) -> Any:
        return functional.linear(input, self.weight, self.bias)

    def extra_repr(self) -> str:
        taken, given = self.weight.shape
        return named(f"in_features={taken}, out_features={given}, dtype={self._dtype}", self.name)


class Bilinear(Layer):
    """Two inputs times a weight of three axes, and a bias."""

    bias: Any

    def __init__(
        self,
        in1_features: int,
        in2_features: int,
        out_features: int,
        weight_attr: AttrLike = None,
        bias_attr: AttrLike = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        self._in1_features = in1_features
        self._in2_features = in2_features
        self._out_features = out_features
        self._name = name
        self._dtype = default_float().numpy.name
        self.weight = self.create_parameter([out_features, in1_features, in2_features], weight_attr)
        self.bias = self.create_parameter([1, out_features], bias_attr, is_bias=True)

    def forward(self, x1: Tensor, x2: Tensor) -> Any:
        return functional.bilinear(x1, x2, self.weight, self.bias)

    def extra_repr(self) -> str:
        text = f"in1_features={self._in1_features}, in2_features={self._in2_features}, "
        return named(f"{text}out_features={self._out_features}, dtype={self._dtype}", self._name)


class Embedding(Layer):
    """Rows of a table that is learnt."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        *,
        scale_grad_by_freq: bool = False,
        sparse: bool = False,
        weight_attr: AttrLike = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        if num_embeddings <= 0 or embedding_dim <= 0:
            raise ValueError("num_embeddings and embedding_dim must be greater than 0")
        if padding_idx is not None and not -num_embeddings <= padding_idx < num_embeddings:
            raise ValueError(f"padding_idx must be within [-{num_embeddings}, {num_embeddings})")
        self._num_embeddings = num_embeddings
        self._embedding_dim = embedding_dim
        self._padding_idx = None if padding_idx is None else padding_idx % num_embeddings
        self._max_norm = max_norm
        self._norm_type = norm_type
        self._scale_grad_by_freq = scale_grad_by_freq
        self._sparse = sparse
        self._name = name
        self._dtype = default_float().numpy.name
        self.weight = self.create_parameter([num_embeddings, embedding_dim], weight_attr)
        if self._padding_idx is not None:
            nodes.detached(self.weight).asnumpy()[self._padding_idx] = 0.0

    def forward(self, x: Tensor) -> Any:
        return functional.embedding(
            x,
            self.weight,
            self._padding_idx,
            self._max_norm,
            self._norm_type,
            self._sparse,
            self._scale_grad_by_freq,
        )

    def extra_repr(self) -> str:
        text = f"{self._num_embeddings}, {self._embedding_dim}"
        text += "" if self._padding_idx is None else f", padding_idx={self._padding_idx}"
        return named(f"{text}, sparse={self._sparse}, scale_grad_by_freq={self._scale_grad_by_freq}", self._name)


class CosineSimilarity(Layer):
    """The cosine of the angle between vectors."""

    def __init__(self, axis: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self._axis = axis
        self._eps = eps

    def forward(self, x1: Tensor, x2: Tensor) -> Any:
        return functional.cosine_similarity(x1, x2, self._axis, self._eps)

    def extra_repr(self) -> str:
        return f"axis={self._axis}, eps={self._eps}"


class PairwiseDistance(Layer):
    """The norm of differences."""

    def __init__(self, p: float = 2.0, epsilon: float = 1e-6, keepdim: bool = False, name: str | None = None) -> None:
        super().__init__()
        self.p = p
        self.epsilon = epsilon
        self.keepdim = keepdim
        self.name = name

    def forward(self, x: Tensor, y: Tensor) -> Any:
        return functional.pairwise_distance(x, y, self.p, self.epsilon, self.keepdim)

    def extra_repr(self) -> str:
        text = f"p={self.p}"
        text += "" if self.epsilon == 1e-6 else f", epsilon={self.epsilon}"
        return named(f"{text}, keepdim={self.keepdim}" if self.keepdim else text, self.name)


class Flatten(Layer):
    """Several axes as one."""

    def __init__(self, start_axis: int = 1, stop_axis: int = -1) -> None:
        super().__init__()
        self.start_axis = start_axis
        self.stop_axis = stop_axis

    def forward(self, input: Tensor) -> Any:
        return input.flatten(self.start_axis, self.stop_axis)


class Unflatten(Layer):
    """One axis as several."""

    def __init__(self, axis: int, shape: Sequence[int], name: str | None = None) -> None:
        super().__init__()
        self.axis = axis
        self.shape = shape
        self.name = name

    def forward(self, input: Tensor) -> Any:
        axis = self.axis % input.ndim
        return input.reshape([*input.shape[:axis], *self.shape, *input.shape[axis + 1 :]])

    def extra_repr(self) -> str:
        return named(f"axis={self.axis}, shape={self.shape}", self.name)
