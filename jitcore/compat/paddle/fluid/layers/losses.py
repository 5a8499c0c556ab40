"""`fluid.layers`: losses, and how good predictions are."""

from __future__ import annotations

from typing import Any

from jitcore.compat.paddle.fluid.declaring import functional, layer, of_one, paddle
from jitcore.compat.paddle.static import measures
from jitcore.compat.paddle.static.variables import Value


def _labels(input: Value, label: Value) -> Any:
    """Labels without their last axis, of extent 1."""
    return paddle.squeeze(label, -1) if len(label.shape) == len(input.shape) else label


def _chosen(logs: Value, label: Value, ignore_index: int) -> Any:
    """Minus what labels choose along the last axis, 0 for those ignored; of the shape (…, 1)."""
    index = paddle.unsqueeze(paddle.cast(_labels(logs, label), "int64"), -1)
    counts = index != ignore_index
    safe = paddle.where(counts, index, paddle.zeros_like(index))
    taken = -paddle.take_along_axis(logs, safe, -1)
    return paddle.where(counts, taken, paddle.zeros_like(taken))


@layer
def cross_entropy(
    input: Value, label: Value, soft_label: bool = False, ignore_index: int = -100, name: str | None = None
) -> Any:
    """Minus the logarithm of the probability that the label has in each row of `input`, which are probabilities: of
    the shape (N, 1). With `soft_label` labels are probabilities, too."""
    del name
    logs = paddle.log(paddle.clip(input, 1e-20, 1e20))
    if soft_label:
        return -paddle.sum(label * logs, -1, keepdim=True)
    return _chosen(logs, label, ignore_index)


@layer
def softmax_with_cross_entropy(
    logits: Value,
    label: Value,
    soft_label: bool = False,
    ignore_index: int = -100,
    numeric_stable_mode: bool = True,
    return_softmax: bool = False,
    axis: int = -1,
    name: str | None = None,
) -> Any:
    """The cross entropy of what softmax makes of logits along an axis: of the logits' shape with the extent 1 there."""
    del name
    del numeric_stable_mode
    last = axis in (-1, len(logits.shape) - 1)
    moved = logits if last else paddle.moveaxis(logits, axis, -1)
    logs = functional.log_softmax(moved, -1)
    given = label if last or len(label.shape) != len(logits.shape) else paddle.moveaxis(label, axis, -1)
    made = -paddle.sum(given * logs, -1, keepdim=True) if soft_label else _chosen(logs, given, ignore_index)
    made = made if last else paddle.moveaxis(made, -1, axis)
    return (made, functional.softmax(logits, axis)) if return_softmax else made


@layer
def square_error_cost(input: Value, label: Value, name: str | None = None) -> Any:
    """The square of the difference."""
    del name
    return paddle.square(input - label)


@layer
def mse_loss(input: Value, label: Value, name: str | None = None) -> Any:
    """The mean of the square of the difference, of shape [1]."""
    del name
    return of_one(paddle.mean(paddle.square(input - label)))


@layer
def sigmoid_cross_entropy_with_logits(
    x: Value, label: Value, ignore_index: int = -100, normalize: bool = False, name: str | None = None
) -> Any:
    """The cross entropy of sigmoids and labels, each for itself."""
    del name
    made = paddle.maximum(x, paddle.zeros_like(x)) - x * label + paddle.log1p(paddle.exp(-paddle.abs(x)))
    counts = label != float(ignore_index)
    made = paddle.where(counts, made, paddle.zeros_like(made))
    if not normalize:
        return made
    count = paddle.sum(paddle.cast(counts, x.dtype))
    return made / paddle.maximum(count, paddle.ones_like(count))


@layer
def log_loss(input: Value, label: Value, epsilon: float = 1e-4, name: str | None = None) -> Any:
    """The cross entropy of probabilities of yes and labels."""
    del name
    return -label * paddle.log(input + epsilon) - (1.0 - label) * paddle.log(1.0 - input + epsilon)


@layer
def huber_loss(input: Value, label: Value, delta: float, name: str | None = None) -> Any:
    """Half the square of differences up to delta, beyond it a line."""
    del name
    error = paddle.abs(label - input)
    return paddle.where(error <= delta, 0.5 * error * error, delta * (error - 0.5 * delta))


@layer
def smooth_l1(
    x: Value,
    y: Value,
    inside_weight: Value | None = None,
    outside_weight: Value | None = None,
    sigma: float | None = None,
    name: str | None = None,
) -> Any:
    """For each row the sum of half the squares of small differences, and lines beyond: of the shape (N, 1)."""
    del name
    square = 1.0 if sigma is None else sigma * sigma
    error = x - y if inside_weight is None else (x - y) * inside_weight
    size = paddle.abs(error)
    made = paddle.where(size < 1.0 / square, 0.5 * square * error * error, size - 0.5 / square)
    made = made if outside_weight is None else made * outside_weight
    return paddle.sum(paddle.flatten(made, 1, -1), 1, keepdim=True)


@layer
def kldiv_loss(x: Value, target: Value, reduction: str = "mean", name: str | None = None) -> Any:
    """The Kullback-Leibler divergence of logarithms of probabilities and probabilities."""
    del name
    made = functional.kl_div(x, target, reduction)
    return made if reduction == "none" else of_one(made)


@layer
def label_smooth(
    label: Value,
    prior_dist: Value | None = None,
    epsilon: float = 0.1,
    dtype: object = "float32",
    name: str | None = None,
) -> Any:
    """Rows of labels, of which a part is spread over all, or as a distribution says."""
    del name
    del dtype
    spread = 1.0 / label.shape[-1] if prior_dist is None else prior_dist
    return label * (1.0 - epsilon) + spread * epsilon


@layer
def accuracy(
    input: Value, label: Value, k: int = 1, correct: object = None, total: object = None, name: str | None = None
) -> Any:
    """How many of the rows have their label among their k largest, of shape [1]."""
    del name
    del correct, total
    return of_one(measures.accuracy(input, label, k))
