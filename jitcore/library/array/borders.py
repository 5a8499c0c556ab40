"""Borders around Tensors, with MindSpore's parameters: of zeros, of mirrored or repeated elements."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, cast

import numpy as np

from jitcore.library.array import indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, evaluator, rank_of, shape_of, static_int, static_ints
from jitcore.types import i64


def _pairs(paddings: Any, rank: int) -> list[tuple[int, int]]:
    found = evaluator().static(paddings, "the paddings")
    if hasattr(found, "tolist"):
        found = found.tolist()
    pairs = [(int(before), int(after)) for before, after in cast("Sequence[Sequence[int]]", found)]
    if len(pairs) != rank:
        raise ValueError(f"For 'Pad', there are {len(pairs)} pairs for a Tensor of {rank} dimensions.")
    return pairs


@operator("pad")
def pad(input_x: Any, padding: Any, mode: Any = "constant", value: Any = None) -> Any:
    """x with a border: ((before, after), …) by axis, or before and after of the last axis, of the one before it, ….

    Modes: constant, reflect, replicate, circular. A negative border cuts off.
    """
    a = as_array(input_x)
    if isinstance(padding, list | tuple) and padding and isinstance(padding[0], list | tuple):
        return _padded(a, _pairs(padding, rank_of(a)), mode, value)
    flat = static_ints(padding, "the padding") if not (isinstance(padding, list | tuple) and not padding) else []
    if len(flat) % 2 or len(flat) > 2 * rank_of(a):
        raise ValueError(f"For 'pad', a padding of {len(flat)} numbers does not fit {rank_of(a)} dimensions.")
    pairs = [(flat[k], flat[k + 1]) for k in range(0, len(flat), 2)]
    return _padded(a, [(0, 0)] * (rank_of(a) - len(pairs)) + pairs[::-1], mode, value)


@operator("Pad")
def pad_set_up(input_x: Any, *, paddings: Any) -> Any:
    """x with a border of zeros: ((before, after), …) by axis."""
    pairs = _pairs(paddings, rank_of(as_array(input_x)))
    return _padded(input_x, pairs, "constant", 0)


@operator("MirrorPad")
def mirror_pad(input_x: Any, paddings: Any, *, mode: Any = "REFLECT") -> Any:
    """x with a border that mirrors it, the edge itself once ('REFLECT') or twice ('SYMMETRIC')."""
    kind = {"REFLECT": "reflect", "SYMMETRIC": "symmetric"}.get(mode)
    if kind is None:
        raise ValueError(f"For 'MirrorPad', the mode is 'REFLECT' or 'SYMMETRIC', not {mode!r}.")
    return _padded(input_x, _pairs(paddings, rank_of(as_array(input_x))), kind, None)


def _padded(x: Any, pairs: list[tuple[int, int]], mode: Any, value: Any) -> Any:
    a = as_array(x)
    if mode == "constant":
        for k, (before, after) in enumerate(pairs):
            if before < 0 or after < 0:
                cut = (max(-before, 0), max(-after, 0))
                rest = shape_of(a)[k] + -(cut[0] + cut[1])
                a = shapes.slice_within(
                    a, k, cut[0], rest, f"For 'pad', {(before, after)} cuts off more than there is."
                )
        return shapes.pad(a, [(max(b, 0), max(n, 0)) for b, n in pairs], 0 if value is None else value)
    for k, (before, after) in enumerate(pairs):
        if before or after:
            a = indexing.take(a, _border_places(shape_of(a)[k], before, after, mode), k)
    return a


def _border_places(extent: Any, before: int, after: int, mode: str) -> Any:
    """The place of each element of a padded axis in the axis."""
    n = static_int(evaluator().number(extent), "the extent of an axis that is padded")
    widest = {"reflect": n - 1, "symmetric": n, "circular": n, "replicate": max(before, after)}.get(mode)
    if widest is None:
        raise ValueError(f"For 'pad', the mode is 'constant', 'reflect', 'replicate' or 'circular', not {mode!r}.")
    if max(before, after) > widest or n == 0:
        raise ValueError(
            f"For 'pad', a border of {max(before, after)} is too wide for an axis of {n} in mode {mode!r}."
        )
    modes: dict[str, Any] = {"reflect": "reflect", "symmetric": "symmetric", "circular": "wrap", "replicate": "edge"}
    return evaluator().constant(np.pad(np.arange(n), (before, after), modes[mode]), i64)


@operator("PadV3")
def pad_v3(
    x: Any, paddings: Any, constant_value: Any = 0, *, mode: Any = "constant", paddings_contiguous: Any = True
) -> Any:
    """As `pad`, the paddings from the last axis on."""
    flat = static_ints(paddings, "the paddings")
    if not paddings_contiguous:  # all befores, then all afters
        half = len(flat) // 2
        flat = [v for pair in zip(flat[:half], flat[half:], strict=True) for v in pair]
    return pad(x, flat, {"edge": "replicate"}.get(mode, mode), constant_value if mode == "constant" else None)
