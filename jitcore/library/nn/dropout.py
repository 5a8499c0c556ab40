"""Dropout."""

from __future__ import annotations

import math
from typing import Any

from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, rank_of, shape_of
from jitcore.library.random import sampling
from jitcore.library.random.sampling import OWN, stream_of, uniform01
from jitcore.library.random.variates import extents_of
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops.random import Stream
from jitcore.types import Shape, f32, u8


def dropout_mask(shape: Shape, keep: float, stream: Stream = OWN) -> Any:
    """Whether each element is kept, with probability `keep`."""
    return e.less(uniform01(shape, f32, stream), keep)


def dropout(x: Any, p: Any = 0.5, training: Any = True, seed: Any = None) -> Any:
    """x with elements set to zero with probability `p` and the others scaled up to the same mean; x itself if not
    `training`."""
    drop = float(evaluator().static(p, "p"))
    if not 0 <= drop <= 1:
        raise ValueError(f"the probability of dropout is in [0, 1], not {drop}")
    a = reductions.as_float(x)
    if not evaluator().static(training, "training") or drop == 0:
        return a
    return _dropped(a, dropout_mask(shape_of(a), 1 - drop, stream_of(seed)), 1 - drop)


def _dropped(a: Any, mask: Any, keep: float) -> Any:
    return e.select(mask, e.mul(a, 1 / keep if keep else 0.0), 0)


def dropout_with_mask(x: Any, *, keep_prob: Any = 0.5, Seed0: Any = 0, Seed1: Any = 0) -> Any:
    """(x with elements kept with probability `keep_prob` and scaled up, the mask of those kept)."""
    keep = float(evaluator().static(keep_prob, "keep_prob"))
    if not 0 < keep <= 1:
        raise ValueError(f"keep_prob is in (0, 1], not {keep}")
    a = reductions.as_float(x)
    mask = dropout_mask(shape_of(a), keep, stream_of(Seed0, Seed1))
    return _dropped(a, mask, keep), e.cast(mask, dtype=dtype_of_value(a))


def dropout_channels(x: Any, p: Any, training: Any, seed: Any = None) -> Any:
    """As `dropout`, but whole channels (all axes after the first two) are dropped together."""
    drop = float(evaluator().static(p, "p"))
    if not 0 <= drop <= 1:
        raise ValueError(f"the probability of dropout is in [0, 1], not {drop}")
    a = reductions.as_float(x)
    if rank_of(a) < 2:
        raise ValueError(f"whole channels are dropped of arrays of at least 2 dimensions, not {rank_of(a)}")
    if not evaluator().static(training, "training") or drop == 0:
        return a
    channels = (*shape_of(a)[:2], *(1 for _ in shape_of(a)[2:]))
    return _dropped(a, dropout_mask(channels, 1 - drop, stream_of(seed)), 1 - drop)


@operator("rrelu")
def rrelu(input: Any, lower: Any = 1.0 / 8, upper: Any = 1.0 / 3) -> Any:
    """x, or where it is negative x times a random number between two bounds."""
    a = as_float(input)
    low, high = (float(evaluator().static(v, "a bound")) for v in (lower, upper))
    if low > high:
        raise ValueError(f"For 'rrelu', lower is {low}, but must not be larger than upper, {high}.")
    share = sampling.uniform01(shape_of(a), dtype_of_value(a))
    slope = e.add(e.mul(share, high - low), low)
    return e.select(e.less(a, 0), e.mul(a, slope), a)


@operator("alpha_dropout")
def alpha_dropout(input: Any, p: Any = 0.5, training: Any = False) -> Any:
    """Elements set to the lowest value of SELU with probability `p`; mean and variance are kept (Klambauer et al.
    2017)."""
    a = as_float(input)
    if not evaluator().static(training, "training"):
        return a
    drop = float(evaluator().static(p, "p"))
    low = -1.0507009873554804934193349852946 * 1.6732632423543772848170429916717
    if drop >= 1:
        return e.mul(a, 0)
    scale = 1 / math.sqrt((1 - drop) * (1 + drop * low * low))
    kept = dropout_mask(shape_of(a), 1 - drop)
    return e.add(e.mul(e.select(kept, a, low), scale), -scale * drop * low)


@operator("DropoutGenMask")
def dropout_gen_mask(shape: Any, keep_prob: Any, *, Seed0: Any = 0, Seed1: Any = 0) -> Any:
    """A mask for DropoutDoMask: 1 for each element that is kept."""
    share = as_array(as_array(keep_prob), f32)
    drawn = sampling.uniform01(extents_of(shape), f32, sampling.stream_of(Seed0, Seed1))
    return e.cast(e.less(drawn, share), dtype=u8)


@operator("DropoutDoMask")
def dropout_do_mask(input_x: Any, mask: Any, keep_prob: Any) -> Any:
    """The elements that a mask keeps, over the probability of that; zeros for others."""
    a = as_float(input_x)
    share = as_array(as_array(keep_prob), dtype_of_value(a))
    return e.select(e.not_equal(as_array(mask), 0), e.div(a, share), 0)
