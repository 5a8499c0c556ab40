"""Activations, linear layers, embeddings and losses with PyTorch's parameters."""

from __future__ import annotations

import math
from typing import Any

from jitcore import ops
from jitcore.common.initializer import HeUniform, Uniform, initializer
from jitcore.common.parameter import Parameter
from jitcore.nn import arguments, layers, loss
from jitcore.nn.cell import Cell
from jitcore.types import f32

# --- activation -----------------------------------------------------------------------------------------


class GELU(Cell):
    """x times the normal distribution function of x, or `approximate='tanh'`."""

    def __init__(self, approximate: str = "none") -> None:
        super().__init__()
        self.approximate = approximate

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.gelu(input, approximate=self.approximate)


class LeakyReLU(Cell):
    """The input, its negative elements times `negative_slope`."""

    def __init__(self, negative_slope: float = 0.01) -> None:
        super().__init__()
        self.negative_slope = negative_slope

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.leaky_relu(input, self.negative_slope)


class Softplus(Cell):
    """log(1 + exp(beta * x)) / beta; x itself where beta * x is above `threshold`."""

    def __init__(self, beta: float = 1, threshold: float = 20) -> None:
        super().__init__()
        self.beta = beta
        self.threshold = threshold

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.softplus(input, self.beta, self.threshold)


class Softmax(Cell):
    """exp(x) over its sum along an axis."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.softmax_ext(input, self.dim)


class LogSoftmax(Cell):
    """log(softmax(x)) along an axis."""

    def __init__(self, dim: int | None = None) -> None:
        super().__init__()
        self.dim = dim

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.log_softmax_ext(input, self.dim)


class PReLU(Cell):
    """The input, its negative elements times `weight`, one for all channels or one for each."""

    def __init__(self, num_parameters: int = 1, init: float = 0.25, dtype: Any = None) -> None:
        super().__init__()
        shape = (arguments.positive(num_parameters, "num_parameters", "PReLU"),)
        self.weight = Parameter(initializer(init, shape, f32 if dtype is None else dtype), name="weight")

    def construct(self, input: Any) -> Any:
        """The layer applied to the input."""
        return ops.prelu(input, self.weight)


class Dropout(layers.Dropout):
    """In training, elements set to zero with probability `p`, the others scaled up; else the input itself."""

    def __init__(self, p: float = 0.5) -> None:
        super().__init__(p=p)


# --- products -------------------------------------------------------------------------------------------


def bias_of(size: int, fan_in: int, dtype: Any, given: Any = None) -> Parameter:
    """A bias as PyTorch begins it, or as given."""
    bound = 1 / math.sqrt(fan_in) if fan_in else 0
    return Parameter(initializer(Uniform(bound) if given is None else given, (size,), dtype), name="bias")


class Linear(Cell):
    """input @ weight.T + bias; weight (out, in)."""

    def __init__(
        self,
        in_features: int,
        out_features: int,
        bias: bool = True,
        weight_init: Any = None,
        bias_init: Any = None,
        dtype: Any = None,
    ) -> None:
        super().__init__()
        self.in_features = arguments.positive(in_features, "in_features", "Linear")
        self.out_features = arguments.positive(out_features, "out_features", "Linear")
        kind = f32 if dtype is None else dtype
        given = HeUniform(math.sqrt(5)) if weight_init is None else weight_init
        self.weight = Parameter(initializer(given, (out_features, in_features), kind), name="weight")
        self.bias = bias_of(out_features, in_features, kind, bias_init) if bias else None

    def construct(self, input: Any) -> Any:
        """The layer applied to the input (…, in)."""
        return ops.dense(input, self.weight, self.bias)

    def extend_repr(self) -> str:
        return (
            f"input_features={self.in_features}, output_features={self.out_features}, has_bias={self.bias is not None}"
        )


class Embedding(Cell):
    """The rows of `weight` (num_embeddings, embedding_dim) at int indices; the row of `padding_idx` begins as zeros."""

    def __init__(
        self,
        num_embeddings: int,
        embedding_dim: int,
        padding_idx: int | None = None,
        max_norm: float | None = None,
        norm_type: float = 2.0,
        scale_grad_by_freq: bool = False,
        _weight: Any = None,
        _freeze: bool = False,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        if scale_grad_by_freq:
            raise NotImplementedError("scale_grad_by_freq of Embedding: gradients are not scaled by frequencies")
        shape = (
            arguments.positive(num_embeddings, "num_embeddings", "Embedding"),
            arguments.positive(embedding_dim, "embedding_dim", "Embedding"),
        )
        self.num_embeddings, self.embedding_dim = shape
        self.padding_idx = padding_idx
        self.max_norm, self.norm_type = max_norm, norm_type
        table = initializer("normal", shape, dtype) if _weight is None else _weight.copy()
        if padding_idx is not None:
            if not -num_embeddings <= padding_idx < num_embeddings:
                raise ValueError(f"padding_idx of Embedding is within {num_embeddings} rows, not {padding_idx}")
            table[padding_idx] = 0
        self.weight = Parameter(table, name="weight", requires_grad=not _freeze)

    def construct(self, input: Any) -> Any:
        """The rows at the indices."""
        return ops.embedding(input, self.weight, self.padding_idx, self.max_norm, self.norm_type)


# --- losses and distances -------------------------------------------------------------------------------


class CosineSimilarity(Cell):
    """The cosine of the angle between vectors along an axis."""

    def __init__(self, dim: int = 1, eps: float = 1e-8) -> None:
        super().__init__()
        self.dim = dim
        self.eps = eps

    def construct(self, x1: Any, x2: Any) -> Any:
        """The cosines."""
        return ops.cosine_similarity(x1, x2, self.dim, self.eps)


class SmoothL1Loss(loss.LossBase):
    """Squared differences below `beta`, absolute ones above."""

    def __init__(self, reduction: str = "mean", beta: float = 1.0) -> None:
        super().__init__(reduction)
        if beta < 0:
            raise ValueError(f"beta of SmoothL1Loss must not be negative, but is {beta}")
        self.beta = beta

    def construct(self, input: Any, target: Any) -> Any:
        """The loss."""
        return ops.smooth_l1_loss_ext(input, target, self.reduction, self.beta)


class KLDivLoss(loss.LossBase):
    """The Kullback-Leibler divergence of the target (or `log_target`: its logarithm) from exp(input)."""

    reductions = ("mean", "sum", "none", "batchmean")

    def __init__(self, reduction: str = "mean", log_target: bool = False) -> None:
        super().__init__(reduction)
        self.log_target = log_target

    def construct(self, input: Any, target: Any) -> Any:
        """The loss."""
        return ops.kl_div_ext(input, target, self.reduction, self.log_target)
