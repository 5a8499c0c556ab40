"""Pooling over one and two axes: the largest element or the mean of each window."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, rank_of, shape_of, static_int
from jitcore.library.nn import windows
from jitcore.library.nn.windows import Pair, known, padding_of, pair, plane_padding, require_nchw, require_windows
from jitcore.library.statistics import reductions
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import joining
from jitcore.primitives.ops import pooling as p
from jitcore.primitives.ops import shape as s
from jitcore.types import Dim


def max_pool2d(x: Any, kernel_size: Any = 1, stride: Any = 1, pad_mode: Any = "valid", padding: Any = 0) -> Any:
    """The largest element of each window of x (N, C, H, W)."""
    a, window, strides, pads = _windows(x, kernel_size, stride, pad_mode, padding)
    return p.max_pool2d(a, window=window, stride=strides, padding=pads)


def avg_pool2d(x: Any, kernel_size: Any = 1, stride: Any = 1, pad_mode: Any = "valid", padding: Any = 0) -> Any:
    """The mean of each window of x (N, C, H, W); padding counts as zeros with pad_mode 'pad', not at all with
    'same'."""
    a, window, strides, pads = _windows(x, kernel_size, stride, pad_mode, padding)
    out = p.avg_pool2d(a, window=window, stride=strides, padding=pads)
    if str(evaluator().static(pad_mode, "pad_mode")).lower() != "same":
        return out
    inside = joining.full(as_array(1, dtype_of_value(a)), shape=(1, 1, *shape_of(a)[2:]))
    return e.div(out, p.avg_pool2d(inside, window=window, stride=strides, padding=pads))


@operator("avg_pool2d_ext")
def avg_pool2d_ext(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
    divisor_override: Any = None,
) -> Any:
    """The means of windows over the last two axes."""
    window = windows.sizes(kernel_size, 2, "kernel_size")
    steps = window if stride is None else windows.sizes(stride, 2, "stride")
    around = tuple(n for n in windows.sizes(padding, 2, "padding") for _ in range(2))
    return _averages(input, 2, window, steps, around, ceil_mode, count_include_pad, divisor_override)


def _windows(x: Any, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any) -> tuple[Any, Pair, Pair, Any]:
    a = as_array(x)
    if rank_of(a) != 4:
        raise ValueError(f"2d pooling takes an array of 4 dimensions, not {rank_of(a)}")
    window, strides = pair(kernel_size, "kernel_size"), pair(stride, "stride")
    size = shape_of(a)[2:]
    pads = padding_of(pad_mode, padding, (size[0], size[1]), window, strides, (1, 1))
    require_windows(a, window, pads, (1, 1))
    return a, window, strides, pads


def _as_images(x: Any, rank: int) -> Any:
    """(N, C, L) as (N, C, 1, L) for `rank` 1; (C, H, W) as (1, C, H, W) for 2."""
    a = as_array(x)
    if rank_of(a) not in (rank + 1, rank + 2):
        raise ValueError(f"{rank}d pooling takes arrays of {rank + 1} or {rank + 2} dimensions, not {rank_of(a)}")
    if rank == 1:
        a = s.expand_dims(a, axis=(rank_of(a) - 1,))
    return s.expand_dims(a, axis=(0,)) if rank_of(a) == 3 else a


def _like_input(out: Any, x: Any, rank: int) -> Any:
    axes = ((0,) if rank_of(x) == rank + 1 else ()) + ((2,) if rank == 1 else ())
    return s.squeeze(out, axis=axes) if axes else out


def _pads(
    a: Any, mode: Any, padding: Any, window: Pair, stride: Pair, ceil: bool, dilation: Pair = (1, 1)
) -> tuple[tuple[Dim, Dim], tuple[Dim, Dim]]:
    size = shape_of(a)[2:]
    pads = windows.padding_of(mode, padding, (size[0], size[1]), window, stride, dilation)
    if not ceil:
        windows.require_windows(a, window, pads, dilation)
        return pads
    made: list[tuple[Dim, Dim]] = []
    for extent, (before, after), k, step in zip(size, pads, window, stride, strict=True):
        n = static_int(evaluator().number(extent), "the extent of an image pooled with ceil_mode")
        whole = n + static_int(before, "padding") + static_int(after, "padding")
        count = -((whole - k) // -step) + 1
        if (count - 1) * step >= n + static_int(before, "padding"):
            count -= 1  # no window begins in what was only added to round up
        made.append((before, after + max((count - 1) * step + k - whole, 0)))
    return made[0], made[1]


def _window(value: Any, rank: int, what: str) -> Pair:
    if rank == 2:
        return windows.pair(value, what)
    found = evaluator().static(value, what)
    items = cast("Sequence[Any]", found) if isinstance(found, list | tuple) else (found,)
    if len(items) != 1:
        raise ValueError(f"{what} is an int, not {found!r}")
    return 1, static_int(items[0], what)


def max_pool(x: Any, rank: int, kernel_size: Any, stride: Any, pad_mode: Any, padding: Any, ceil: bool) -> Any:
    """The largest element of each window of x, over its last `rank` axes."""
    rank, ceil = static_int(rank, "the rank"), bool(known(ceil, "ceil_mode"))
    a = _as_images(x, rank)
    window, steps = _window(kernel_size, rank, "kernel_size"), _window(stride, rank, "stride")
    pads = _pads(a, pad_mode, plane_padding(padding, rank), window, steps, ceil)
    return _like_input(p.max_pool2d(a, window=window, stride=steps, padding=pads), x, rank)


@operator("MaxPool")
def max_pool_set_up(
    x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid", data_format: Any = "NCHW"
) -> Any:
    """The largest element of each window of x (N, C, H, W)."""
    require_nchw(data_format, "MaxPool")
    return max_pool2d(x, kernel_size, strides, pad_mode)


def avg_pool(
    x: Any,
    rank: int,
    kernel_size: Any,
    stride: Any,
    pad_mode: Any,
    padding: Any,
    ceil: bool,
    include_pad: bool,
    divisor: int | None,
) -> Any:
    """The mean of each window of x, over its last `rank` axes; padding counts as zeros only with `include_pad`."""
    rank, ceil = static_int(rank, "the rank"), bool(known(ceil, "ceil_mode"))
    include_pad, divisor = bool(known(include_pad, "count_include_pad")), known(divisor, "divisor_override")
    a = _as_images(reductions.as_float(x), rank)
    window, steps = _window(kernel_size, rank, "kernel_size"), _window(stride, rank, "stride")
    given = windows.padding_of(
        pad_mode, plane_padding(padding, rank), (shape_of(a)[2], shape_of(a)[3]), window, steps, (1, 1)
    )
    pads = _pads(a, pad_mode, plane_padding(padding, rank), window, steps, ceil)
    out = p.avg_pool2d(a, window=window, stride=steps, padding=pads)
    if divisor is not None:
        return _like_input(e.mul(out, window[0] * window[1] / divisor), x, rank)
    same = str(evaluator().static(pad_mode, "pad_mode")).lower() == "same"
    if same or not include_pad or pads != given:
        out = e.div(out, _shares_counted(a, window, steps, pads, given if include_pad and not same else None))
    return _like_input(out, x, rank)


@operator("AvgPool")
def avg_pool_set_up(
    x: Any, *, kernel_size: Any = 1, strides: Any = 1, pad_mode: Any = "valid", data_format: Any = "NCHW"
) -> Any:
    """The mean of each window of x (N, C, H, W)."""
    require_nchw(data_format, "AvgPool")
    return avg_pool2d(x, kernel_size, strides, pad_mode)


def _shares_counted(a: Any, window: Pair, stride: Pair, pads: Any, counted: Any) -> Any:
    """The share of each window that counts: the image's own elements, and `counted` of the padding."""
    height, width = shape_of(a)[2:]
    rest = pads
    if counted is not None:
        (top, bottom), (left, right) = counted
        height, width = height + top + bottom, width + left + right
        rest = tuple((have[0] + -1 * own[0], have[1] + -1 * own[1]) for have, own in zip(pads, counted, strict=True))
    inside = joining.full(as_array(1, dtype_of_value(a)), shape=(1, 1, height, width))
    return p.avg_pool2d(inside, window=window, stride=stride, padding=rest)


def _average(rank: int) -> None:
    def pool(
        input_x: Any,
        kernel_size: Any = 1,
        stride: Any = 1,
        padding: Any = 0,
        ceil_mode: Any = False,
        count_include_pad: Any = True,
        divisor_override: Any = None,
    ) -> Any:
        return avg_pool(
            input_x, rank, kernel_size, stride, "pad", padding, ceil_mode, count_include_pad, divisor_override
        )

    pool.__doc__ = f"The mean of each window over the last {rank} axes."
    operator(f"avg_pool{rank}d")(pool)


_average(1)
_average(2)


@operator("avg_pool1d_ext")
def avg_pool1d_ext(
    input: Any,
    kernel_size: Any,
    stride: Any = None,
    padding: Any = 0,
    ceil_mode: Any = False,
    count_include_pad: Any = True,
) -> Any:
    """The means of windows over the last axis."""
    window = windows.sizes(kernel_size, 1, "kernel_size")[0]
    steps = window if stride is None else windows.sizes(stride, 1, "stride")[0]
    around = windows.sizes(padding, 1, "padding")[0]
    return _averages(input, 1, window, steps, around, ceil_mode, count_include_pad, None)


def _averages(x: Any, rank: int, window: Any, steps: Any, around: Any, ceil: Any, include: Any, divisor: Any) -> Any:
    return avg_pool(x, rank, window, steps, "pad", around, ceil, include, divisor)
