"""Pooling."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, cast

from jitcore import ops
from jitcore.compat.torch.arguments import Extents
from jitcore.compat.torch.declaring import network
from jitcore.compat.torch.networks.convolutions import each
from jitcore.library.core import values
from jitcore.library.nn import adaptive_pooling, max_pooling, pooling, pooling_3d
from jitcore.runtime.tensor import Tensor


def _require_rank(input: Tensor, rank: int, name: str) -> None:
    if values.rank_of(input) not in (rank + 1, rank + 2):
        raise RuntimeError(
            f"{name}: Expected {rank + 1}D or {rank + 2}D tensor, but got one of {values.rank_of(input)} dimensions"
        )


def _require_window(size: Sequence[int], steps: Sequence[int], pads: Sequence[int], spread: Sequence[int]) -> None:
    """Raise RuntimeError unless windows, strides and dilations are positive, and borders at most half of a window."""
    for name, given in (("kernel_size", size), ("stride", steps), ("dilation", spread)):
        if any(n < 1 for n in given):
            raise RuntimeError(f"{name} must be greater than zero, but got {', '.join(map(str, given))}")
    for pad, n, d in zip(pads, size, spread, strict=True):
        if 2 * pad > (n - 1) * d + 1:
            raise RuntimeError(
                "pad should be at most half of effective kernel size, but got "
                f"pad={pad}, kernel_size={n} and dilation={d}"
            )


def _steps(stride: Extents | None, window: Sequence[int]) -> Any:
    """The strides; those of the windows if none are given."""
    return window if stride is None or stride == () or stride == [] else each(stride, len(window))


def _pooled(
    input: Tensor,
    rank: int,
    kernel_size: Extents,
    stride: Extents | None,
    padding: Extents,
    dilation: Extents,
    ceil_mode: bool,
    return_indices: bool,
) -> Any:
    _require_rank(input, rank, f"max_pool{rank}d")
    window, spread, pads = each(kernel_size, rank), each(dilation, rank), each(padding, rank)
    steps = _steps(stride, window)
    _require_window(window, steps, pads, spread)
    if not return_indices and rank < 3 and all(d == 1 for d in spread):
        ends = tuple(n for n in pads for _ in range(2)) if rank == 2 else pads
        return pooling.max_pool(input, rank, window, steps, "pad", ends, ceil_mode)
    ends = tuple(n for n in pads for _ in range(2))
    found = max_pooling.max_pool_indexed(input, rank, window, steps, ends, spread, ceil_mode)
    return found if return_indices else found[0]


@network
def max_pool1d(
    input: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    dilation: Extents = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _pooled(input, 1, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@network
def max_pool2d(
    input: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    dilation: Extents = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _pooled(input, 2, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


@network
def max_pool3d(
    input: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    dilation: Extents = 1,
    ceil_mode: bool = False,
    return_indices: bool = False,
) -> Any:
    return _pooled(input, 3, kernel_size, stride, padding, dilation, ceil_mode, return_indices)


def _with_indices(pool: Callable[..., Any]) -> Callable[..., Any]:
    def max_pool_with_indices(
        input: Tensor,
        kernel_size: Extents,
        stride: Extents | None = None,
        padding: Extents = 0,
        dilation: Extents = 1,
        ceil_mode: bool = False,
        return_indices: bool = True,
    ) -> Any:
        del return_indices
        return pool(input, kernel_size, stride, padding, dilation, ceil_mode, True)

    max_pool_with_indices.__name__ = f"{pool.__name__}_with_indices"
    return network(max_pool_with_indices)


for _pool in (max_pool1d, max_pool2d, max_pool3d):
    _with_indices(_pool)


def _unpooled(
    input: Tensor,
    rank: int,
    indices: Tensor,
    kernel_size: Extents,
    stride: Extents | None,
    padding: Extents,
    output_size: Sequence[int] | None,
) -> Any:
    _require_rank(input, rank, f"max_unpool{rank}d")
    window, pads = each(kernel_size, rank), each(padding, rank)
    steps = _steps(stride, window)
    if output_size is None:
        known = values.static_extents(input)[-rank:]
        extents = [(n - 1) * s + w - 2 * p for n, s, w, p in zip(known, steps, window, pads, strict=True)]
    else:
        extents = values.static_ints(output_size, "output_size")[-rank:]
    single = values.rank_of(input) == rank + 1
    a, places = (ops.expand_dims(t, 0) if single else t for t in (input, indices))
    made = max_pooling.max_unpool(a, places, extents)
    return ops.squeeze(made, 0) if single else made


@network
def max_unpool1d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    output_size: Sequence[int] | None = None,
) -> Any:
    return _unpooled(input, 1, indices, kernel_size, stride, padding, output_size)


@network
def max_unpool2d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    output_size: Sequence[int] | None = None,
) -> Any:
    return _unpooled(input, 2, indices, kernel_size, stride, padding, output_size)


@network
def max_unpool3d(
    input: Tensor,
    indices: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    output_size: Sequence[int] | None = None,
) -> Any:
    return _unpooled(input, 3, indices, kernel_size, stride, padding, output_size)


# --- means ------------------------------------------------------------------------------------------


@network
def avg_pool1d(
    input: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
) -> Any:
    _require_rank(input, 1, "avg_pool1d")
    window, pads = each(kernel_size, 1), each(padding, 1)
    steps = _steps(stride, window)
    _require_window(window, steps, pads, (1,))
    return ops.avg_pool1d_ext(input, window, steps, pads, ceil_mode, count_include_pad)


@network
def avg_pool2d(
    input: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    _require_rank(input, 2, "avg_pool2d")
    window, pads = each(kernel_size, 2), each(padding, 2)
    steps = _steps(stride, window)
    _require_window(window, steps, pads, (1, 1))
    return ops.avg_pool2d_ext(input, window, steps, pads, ceil_mode, count_include_pad, divisor_override)


@network
def avg_pool3d(
    input: Tensor,
    kernel_size: Extents,
    stride: Extents | None = None,
    padding: Extents = 0,
    ceil_mode: bool = False,
    count_include_pad: bool = True,
    divisor_override: int | None = None,
) -> Any:
    _require_rank(input, 3, "avg_pool3d")
    window, pads = each(kernel_size, 3), each(padding, 3)
    steps = _steps(stride, window)
    _require_window(window, steps, pads, (1, 1, 1))
    return ops.avg_pool3d_ext(input, window, steps, pads, ceil_mode, count_include_pad, divisor_override)


@network
def lp_pool1d(
    input: Tensor, norm_type: float, kernel_size: Extents, stride: Extents | None = None, ceil_mode: bool = False
) -> Any:
    window = each(kernel_size, 1)
    return _normed(input, norm_type, window, _steps(stride, window), ceil_mode)


@network
def lp_pool2d(
    input: Tensor, norm_type: float, kernel_size: Extents, stride: Extents | None = None, ceil_mode: bool = False
) -> Any:
    window = each(kernel_size, 2)
    return _normed(input, norm_type, window, _steps(stride, window), ceil_mode)


def _normed(input: Tensor, order: float, window: Sequence[int], steps: Sequence[int], ceil: bool) -> Any:
    single = values.rank_of(input) == len(window) + 1
    batch = ops.expand_dims(input, 0) if single else input
    order = values.with_known_numbers(order, "norm_type")
    made = pooling_3d.power_pool(batch, order, tuple(window), tuple(steps), ceil)
    return ops.squeeze(made, 0) if single else made


# --- to an extent -----------------------------------------------------------------------------------


def _wanted(input: Tensor, output_size: int | Sequence[int | None], rank: int) -> tuple[int, ...]:
    """The extents that are asked for; None is that of the input."""
    known: object = values.with_known_numbers(output_size, "output_size")
    listed: tuple[int | None, ...] = (known,) * rank if isinstance(known, int) else tuple(cast("Any", known))
    if len(listed) == 1:
        listed = listed * rank
    found = zip(listed, range(values.rank_of(input) - rank, values.rank_of(input)), strict=True)
    return tuple(values.static_extent(input, axis) if n is None else n for n, axis in found)


@network
def adaptive_avg_pool1d(input: Tensor, output_size: int | Sequence[int | None]) -> Any:
    _require_rank(input, 1, "adaptive_avg_pool1d")
    return adaptive_pooling.adaptive_avg_pool(input, 1, _wanted(input, output_size, 1))


@network
def adaptive_avg_pool2d(input: Tensor, output_size: int | Sequence[int | None]) -> Any:
    _require_rank(input, 2, "adaptive_avg_pool2d")
    return adaptive_pooling.adaptive_avg_pool(input, 2, _wanted(input, output_size, 2))


@network
def adaptive_avg_pool3d(input: Tensor, output_size: int | Sequence[int | None]) -> Any:
    _require_rank(input, 3, "adaptive_avg_pool3d")
    return adaptive_pooling.adaptive_avg_pool(input, 3, _wanted(input, output_size, 3))


def _largest(input: Tensor, rank: int, output_size: int | Sequence[int | None], return_indices: bool) -> Any:
    _require_rank(input, rank, f"adaptive_max_pool{rank}d")
    wanted = _wanted(input, output_size, rank)
    if not return_indices:
        return adaptive_pooling.adaptive_max_pool(input, rank, wanted)
    single = values.rank_of(input) == rank + 1
    found = adaptive_pooling.adaptive_max_places(ops.expand_dims(input, 0) if single else input, wanted)
    return tuple(ops.squeeze(a, 0) for a in found) if single else found


@network
def adaptive_max_pool1d(input: Tensor, output_size: int | Sequence[int | None], return_indices: bool = False) -> Any:
    return _largest(input, 1, output_size, return_indices)


@network
def adaptive_max_pool2d(input: Tensor, output_size: int | Sequence[int | None], return_indices: bool = False) -> Any:
    return _largest(input, 2, output_size, return_indices)


@network
def adaptive_max_pool3d(input: Tensor, output_size: int | Sequence[int | None], return_indices: bool = False) -> Any:
    return _largest(input, 3, output_size, return_indices)
