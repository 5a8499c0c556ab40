"""The windows of convolutions and pooling: extents, strides and padding as they are given."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, TypeAlias, cast

from jitcore.library.core.values import evaluator, shape_of, static_int
from jitcore.primitives.ops import conversions, python_ints
from jitcore.types import Dim, DimExpr, dim_max

Pair = tuple[int, int]


def pair(value: Any, what: str) -> Pair:
    """Two ints: of one int twice, of a pair, or the last two of MindSpore's four (N, C, H, W)."""
    found = evaluator().static(value, what)
    if isinstance(found, list | tuple):
        items = [static_int(v, what) for v in cast("Sequence[Any]", found)]
        if len(items) == 4:
            items = items[2:]
        if len(items) != 2:
            raise ValueError(f"{what} is an int or two ints, not {found!r}")
        return items[0], items[1]
    size = static_int(found, what)
    return size, size


def padding_of(
    mode: Any, padding: Any, size: tuple[Dim, Dim], window: Pair, stride: Pair, dilation: Pair
) -> tuple[tuple[Dim, Dim], tuple[Dim, Dim]]:
    """((top, bottom), (left, right)) for MindSpore's pad modes 'same', 'valid' and 'pad'."""
    kind = str(evaluator().static(mode, "pad_mode")).lower()
    given = evaluator().static(padding, "padding")
    if kind == "pad":
        items = list(cast("Sequence[int]", given)) if isinstance(given, list | tuple) else [given] * 4
        if len(items) == 2:
            items = [items[0], items[0], items[1], items[1]]
        if len(items) != 4:
            raise ValueError(f"padding is an int, two or four ints, not {given!r}")
        top, bottom, left, right = (static_int(v, "padding") for v in items)
        if min(top, bottom, left, right) < 0:
            raise ValueError(f"padding must not be negative, but is {given!r}")
        return (top, bottom), (left, right)
    if given not in (0, (0, 0), [0, 0], (0, 0, 0, 0), [0, 0, 0, 0]):
        raise ValueError(f"padding={given!r} needs pad_mode='pad', not {kind!r}")
    if kind == "valid":
        return (0, 0), (0, 0)
    if kind != "same":
        raise ValueError(f"pad_mode is 'same', 'valid' or 'pad', not {kind!r}")
    return tuple(  # type: ignore[return-value]
        same_padding(n, k, st, d) for n, k, st, d in zip(size, window, stride, dilation, strict=True)
    )


def require_windows(x: Any, window: Sequence[int], pads: Sequence[tuple[Dim, Dim]], dilation: Sequence[int]) -> None:
    """Raise ValueError if an array (N, C, …) is smaller, padded, than a window: now if its extents tell, else in the
    program."""
    for n, k, (low, high), spread in zip(shape_of(x)[2:], window, pads, dilation, strict=True):
        reach = (k - 1) * spread + 1
        room = n + low + high + -reach
        if isinstance(room, DimExpr):
            fits = python_ints.int_ge(evaluator().number(room), 0)
            message = f"a window of {reach} is larger than the padded extent"
            conversions.check(fits, exception="ValueError", message=message)
        elif room < 0:
            raise ValueError(f"a window of {reach} is larger than the padded extent {n + low + high}")


def same_padding(n: Dim, window: int, stride: int, dilation: int) -> tuple[Dim, Dim]:
    """The padding that gives ceil(n / stride) results, the odd one at the end."""
    reach = (window - 1) * dilation + 1
    total = dim_max(((n + (stride - 1)) // stride + -1) * stride + reach + n * -1, 0) if n != 0 else 0
    if isinstance(total, int) or stride == 1:
        before = total // 2
        return before, total + before * -1
    return total // 2, total + (total // 2) * -1


def known(value: Any, what: str) -> Any:
    """An option that the compiler must know."""
    return evaluator().static(value, what)


def plane_padding(value: Any, rank: int) -> Any:
    if rank == 2:
        return value
    found = evaluator().static(value, "padding")
    if isinstance(found, list | tuple):
        items = cast("Sequence[Any]", found)
        return (0, 0, items[0], items[-1])
    return (0, 0, found, found) if found else 0


Sizes: TypeAlias = "tuple[int, ...]"
Pads: TypeAlias = "tuple[tuple[Dim, Dim], ...]"


def sizes(value: Any, rank: int, what: str) -> Sizes:
    """An int for each of the last axes: of one for all, of one for each, or of MindSpore's for all axes (N, C, …)."""
    found = evaluator().static(value, what)
    if not isinstance(found, list | tuple):
        return (static_int(found, what),) * rank
    items = tuple(static_int(v, what) for v in cast("Sequence[Any]", found))
    if len(items) == rank + 2:
        items = items[2:]
    if len(items) == 1:
        items = items * rank
    if len(items) != rank:
        raise ValueError(f"{what} is an int or {rank} ints, not {found!r}")
    return items


def pads_of(mode: Any, padding: Any, extents: Sequence[Dim], window: Sizes, stride: Sizes, dilation: Sizes) -> Pads:
    """(before, after) for each axis, for MindSpore's pad modes 'same', 'valid' and 'pad'."""
    kind = str(evaluator().static(mode, "pad_mode")).lower()
    given, rank = evaluator().static(padding, "padding"), len(window)
    if kind == "same":
        return tuple(same_padding(n, k, st, d) for n, k, st, d in zip(extents, window, stride, dilation, strict=True))
    if kind not in ("valid", "pad"):
        raise ValueError(f"pad_mode is 'same', 'valid' or 'pad', not {kind!r}")
    items = [static_int(v, "padding") for v in cast("Sequence[Any]", given)] if isinstance(given, list | tuple) else []
    if not isinstance(given, list | tuple):
        items = [static_int(given, "padding")] * (2 * rank)
    if len(items) == 1:
        items = items * (2 * rank)
    if len(items) == rank:
        items = [n for n in items for _ in (0, 1)]
    if len(items) != 2 * rank:
        raise ValueError(f"padding is an int, {rank} or {2 * rank} ints, not {given!r}")
    if min(items) < 0:
        raise ValueError(f"padding must not be negative, but is {given!r}")
    if kind == "valid" and any(items):
        raise ValueError(f"padding={given!r} needs pad_mode='pad', not {kind!r}")
    return tuple((items[2 * k], items[2 * k + 1]) for k in range(rank))


def rounded_up(pads: Pads, extents: Sequence[Dim], window: Sizes, stride: Sizes, dilation: Sizes) -> Pads:
    """More padding at the ends, so that windows that are not whole count (but none that begins in what is added)."""
    made: list[tuple[Dim, Dim]] = []
    for extent, (before, after), k, step, spread in zip(extents, pads, window, stride, dilation, strict=True):
        n = static_int(evaluator().number(extent), "the extent of what is pooled with ceil_mode")
        low = static_int(before, "padding")
        whole, reach = n + low + static_int(after, "padding"), (k - 1) * spread + 1
        count = -((whole - reach) // -step) + 1
        if (count - 1) * step >= n + low:
            count -= 1
        made.append((before, after + max((count - 1) * step + reach - whole, 0)))
    return tuple(made)


def require_nchw(data_format: Any, name: str) -> None:
    if data_format != "NCHW":
        raise ValueError(f"For '{name}', the data_format is 'NCHW', not {data_format!r}.")


def require_ncdhw(data_format: Any, name: str) -> None:
    if data_format != "NCDHW":
        raise ValueError(f"For '{name}', the data_format is 'NCDHW', not {data_format!r}.")
