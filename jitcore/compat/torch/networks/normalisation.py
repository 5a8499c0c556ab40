"""Normalisation and dropout."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from jitcore import ops
from jitcore.compat.torch.declaring import network
from jitcore.compat.torch.networks.activations import written
from jitcore.library.core import values
from jitcore.library.core.values import evaluator
from jitcore.library.nn import dropout as drops
from jitcore.library.nn import normalization
from jitcore.primitives.ops import conversions, python_ints
from jitcore.runtime.tensor import Tensor
from jitcore.types import Shape


def _per_channel(a: Tensor, rank: int) -> Any:
    return ops.reshape(a, (-1,) + (1,) * (rank - 2))


def _scaled(a: object, weight: Tensor | None, bias: Tensor | None) -> Any:
    rank = values.rank_of(a)
    if weight is not None:
        a = ops.mul(a, _per_channel(weight, rank))
    return a if bias is None else ops.add_ext(a, _per_channel(bias, rank))


def _moved(running: Tensor | None, now: object, momentum: float) -> None:
    """Move a running statistic towards what it is now."""
    if running is None:
        return
    old = ops.stop_gradient(running)
    evaluator().write(running, ops.add_ext(old, ops.mul(ops.sub_ext(ops.stop_gradient(now), old), momentum)))


@network
def batch_norm(
    input: Tensor,
    running_mean: Tensor | None,
    running_var: Tensor | None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    training: bool = False,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    rank = values.rank_of(input)
    if training:
        _require_several(input)
        mean, variance, correction = normalization.channel_statistics(input)
        _moved(running_mean, mean, momentum)
        _moved(running_var, ops.mul(variance, correction), momentum)
    elif running_mean is None or running_var is None:
        raise RuntimeError("Expected running_mean and running_var to be defined when training=False")
    else:
        mean, variance = running_mean, running_var
    spread = ops.sqrt(ops.add_ext(_per_channel(variance, rank), eps))
    return _scaled(ops.div(ops.sub_ext(input, _per_channel(mean, rank)), spread), weight, bias)


def _require_several(input: Tensor) -> None:
    shape = values.shape_of(input)
    count = values.product_of(n for k, n in enumerate(shape) if k != 1)
    if isinstance(count, int) and count == 1:
        raise ValueError(f"Expected more than 1 value per channel when training, got input size {list(shape)}")


@network
def instance_norm(
    input: Tensor,
    running_mean: Tensor | None = None,
    running_var: Tensor | None = None,
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    use_input_stats: bool = True,
    momentum: float = 0.1,
    eps: float = 1e-5,
) -> Any:
    if not use_input_stats:
        return batch_norm(input, running_mean, running_var, weight, bias, False, momentum, eps)
    axes = tuple(range(2, values.rank_of(input)))
    mean = ops.mean_ext(input, axes, True)
    off = ops.sub_ext(input, mean)
    variance = ops.mean_ext(ops.mul(off, off), axes, True)
    if running_mean is not None or running_var is not None:
        count = values.product_of(evaluator().number(n) for n in values.shape_of(input)[2:])
        _moved(running_mean, ops.mean_ext(ops.reshape(mean, _first_two(mean)), 0), momentum)
        unbiased = ops.mul(ops.reshape(variance, _first_two(variance)), count / (count - 1))
        _moved(running_var, ops.mean_ext(unbiased, 0), momentum)
    return _scaled(ops.div(off, ops.sqrt(ops.add_ext(variance, eps))), weight, bias)


def _first_two(a: object) -> Any:
    return tuple(evaluator().number(n) for n in values.shape_of(a)[:2])


def _require_normalised(input: Tensor, normalized_shape: Sequence[int]) -> tuple[int, ...]:
    """The axes that are normalised. Raises RuntimeError if their extents are not as said."""
    normalized_shape = values.static_ints(normalized_shape, "normalized_shape")
    rank, count = values.rank_of(input), len(normalized_shape)
    if rank < count or any(
        isinstance(a, int) and a != b
        for a, b in zip(values.shape_of(input)[rank - count :], normalized_shape, strict=True)
    ):
        raise RuntimeError(
            f"Given normalized_shape={list(normalized_shape)}, expected input with shape "
            f"[*, {', '.join(map(str, normalized_shape))}], but got input of size{list(values.shape_of(input))}"
        )
    return tuple(range(rank - count, rank))


@network
def layer_norm(
    input: Tensor,
    normalized_shape: Sequence[int],
    weight: Tensor | None = None,
    bias: Tensor | None = None,
    eps: float = 1e-5,
) -> Any:
    axes = _require_normalised(input, normalized_shape)
    off = ops.sub_ext(input, ops.mean_ext(input, axes, True))
    variance = ops.mean_ext(ops.mul(off, off), axes, True)
    made = ops.div(off, ops.sqrt(ops.add_ext(variance, eps)))
    if weight is not None:
        made = ops.mul(made, weight)
    return made if bias is None else ops.add_ext(made, bias)


@network
def rms_norm(
    input: Tensor, normalized_shape: Sequence[int], weight: Tensor | None = None, eps: float | None = None
) -> Any:
    axes = _require_normalised(input, normalized_shape)
    least = values.dtype_of_value(input).numpy
    small = float(_EPSILONS[least.itemsize]) if eps is None else eps
    square = ops.mean_ext(ops.mul(input, input), axes, True)
    made = ops.mul(input, ops.rsqrt(ops.add_ext(square, small)))
    return made if weight is None else ops.mul(made, weight)


_EPSILONS = {2: 2.0**-10, 4: 2.0**-23, 8: 2.0**-52}
"""The distance from 1 to the next float, by the bytes of one."""


def _require_groups(shape: Shape, num_groups: int) -> None:
    """Raise RuntimeError unless the channels can be put into so many groups: now, or where the program gets here."""
    message = "Expected number of channels in input to be divisible by num_groups, but got input of "
    channels = shape[1]
    if isinstance(channels, int):
        if channels % num_groups:
            raise RuntimeError(f"{message}shape {list(shape)} and num_groups={num_groups}")
        return
    rest = python_ints.int_mod(evaluator().number(channels), num_groups)
    message = f"{message}{{0}} channels and num_groups={num_groups}"
    held = python_ints.int_eq(rest, 0)
    conversions.check(held, evaluator().number(channels), exception="RuntimeError", message=message)


@network
def group_norm(
    input: Tensor, num_groups: int, weight: Tensor | None = None, bias: Tensor | None = None, eps: float = 1e-5
) -> Any:
    num_groups = values.static_int(num_groups, "num_groups")
    shape = tuple(evaluator().number(n) for n in values.shape_of(input))
    if len(shape) < 2:
        raise RuntimeError(f"Expected at least 2 dimensions for input tensor but received {len(shape)}")
    _require_groups(values.shape_of(input), num_groups)
    split = ops.reshape(input, (shape[0], num_groups, -1))
    off = ops.sub_ext(split, ops.mean_ext(split, 2, True))
    variance = ops.mean_ext(ops.mul(off, off), 2, True)
    made = ops.div(off, ops.sqrt(ops.add_ext(variance, eps)))
    return _scaled(ops.reshape(made, shape), weight, bias)


@network
def local_response_norm(input: Tensor, size: int, alpha: float = 1e-4, beta: float = 0.75, k: float = 1.0) -> Any:
    size = values.static_int(size, "size")
    if values.rank_of(input) < 3:
        raise ValueError(f"Expected 3D or higher dimensionality input (got {values.rank_of(input)} dimensions)")
    shape = tuple(evaluator().number(n) for n in values.shape_of(input))
    rows = ops.reshape(ops.mul(input, input), (shape[0], 1, shape[1], -1))
    padded = ops.pad(rows, (0, 0, size // 2, (size - 1) // 2))
    total = ops.avg_pool2d_ext(padded, (size, 1), (1, 1))
    divisor = ops.pow(ops.add_ext(ops.mul(ops.reshape(total, shape), alpha), k), beta)
    return ops.div(input, divisor)


# --- dropout ----------------------------------------------------------------------------------------


def _probability(p: float) -> float:
    known = values.with_known_numbers(p, "the probability of dropout")
    if known < 0.0 or known > 1.0:
        raise ValueError(f"dropout probability has to be between 0 and 1, but got {known}")
    return float(known)


@network
def dropout(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    p = _probability(p)
    return written(input, drops.dropout(input, p, training), inplace)


@network
def alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    p = _probability(p)
    return written(input, drops.alpha_dropout(input, p, training), inplace)


@network
def feature_alpha_dropout(input: Tensor, p: float = 0.5, training: bool = False, inplace: bool = False) -> Any:
    p = _probability(p)
    if not training:
        return input
    shape = tuple(evaluator().number(n) for n in values.shape_of(input))
    channels = ops.ones((*shape[:2], *(1 for _ in shape[2:])), values.dtype_of_value(input))
    low = -1.7580993408473766
    kept = drops.dropout(channels, p, True)
    scale = ((1 - p) * (1 + p * low * low)) ** -0.5 if p < 1 else 0.0
    made = ops.add_ext(ops.mul(ops.where(ops.ne(kept, 0), input, low), scale), -scale * p * low)
    return written(input, made, inplace)


def _channels(input: Tensor, rank: int, p: float, training: bool, inplace: bool) -> Any:
    p = _probability(p)
    single = values.rank_of(input) == rank + 1
    made = drops.dropout_channels(ops.expand_dims(input, 0) if single else input, p, training)
    return written(input, ops.squeeze(made, 0) if single else made, inplace)


@network
def dropout1d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    if values.rank_of(input) not in (2, 3):
        raise RuntimeError(f"dropout1d: Expected 2D or 3D input, but received a {values.rank_of(input)}D input.")
    return _channels(input, 1, p, training, inplace)


@network
def dropout2d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    p = _probability(p)
    return written(input, drops.dropout_channels(input, p, training), inplace)


@network
def dropout3d(input: Tensor, p: float = 0.5, training: bool = True, inplace: bool = False) -> Any:
    p = _probability(p)
    return written(input, drops.dropout_channels(input, p, training), inplace)
