"""Connectionist temporal classification (Graves et al. 2006): the likelihood of labels over all their alignments with a
sequence, computed with NumPy on the host."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

import numpy as np

from jitcore.primitives.core.registry import HostCode, Sample, Vjp, declare
from jitcore.primitives.core.rules import array, differ, require_dtype, require_kind
from jitcore.primitives.core.sampling import mixed
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import shape as s
from jitcore.types import TensorType, Type, f32, i64


def _rule(scores: Type, labels: Type, lengths: Type, counts: Type, *, blank: int) -> Any:
    type_, wanted = array(scores, "sequence"), array(labels, "labels")
    require_kind(type_.dtype, "f", "ctc")
    for operand in (wanted, array(lengths), array(counts)):
        require_dtype(operand, i64, "labels and lengths")
    if type_.rank != 3 or wanted.rank not in (1, 2) or array(lengths).rank != 1 or array(counts).rank != 1:
        raise ValueError("ctc takes sequences (T, N, C), labels (N, S) or (S,), and the lengths (N,) of both")
    t, n, _ = type_.shape
    if any(differ(n, m) for m in (array(lengths).shape[0], array(counts).shape[0])):
        raise ValueError(f"ctc: there are {n} sequences, but other numbers of lengths")
    places = wanted.shape[-1] * 2 + 1
    return TensorType(type_.dtype, (n,)), type_, TensorType(type_.dtype, (n, t, places))


def _rows(labels: Any, counts: Any) -> Any:
    """Labels one after the other as rows."""
    if labels.ndim == 2:
        return labels
    rows = np.zeros((len(counts), labels.shape[0]), np.int64)
    ends = np.cumsum(counts)
    for k, (end, count) in enumerate(zip(ends, counts, strict=True)):
        rows[k, :count] = labels[end - count : end]
    return rows


def _passes(scores: Any, spelled: Any, skips: Any, lengths: Any, counts: Any) -> tuple[Any, Any]:
    """The logarithms of the forward and backward sums, by time, sequence and place."""
    steps, n, places = len(scores), len(lengths), spelled.shape[1]
    emitted = np.take_along_axis(scores, np.broadcast_to(spelled, (steps, n, places)), 2)
    forward = np.full((steps, n, places), -np.inf)
    backward = np.full((steps, n, places), -np.inf)
    number, last = np.arange(n), 2 * counts
    inside = np.arange(places) <= last[:, None]
    for t in range(steps):
        if t == 0:
            made = np.full((n, places), -np.inf)
            made[:, 0] = 0.0
            made[:, 1:2] = 0.0
        else:
            before = forward[t - 1]
            made = np.logaddexp(before, _moved(before, 1))
            made = np.logaddexp(made, np.where(skips, _moved(before, 2), -np.inf))
        forward[t] = np.where(inside & (t < lengths[:, None]), made + emitted[t], -np.inf)
    for t in reversed(range(steps)):
        if t + 1 < steps:
            after = backward[t + 1] + emitted[t + 1]
            made = np.logaddexp(after, _moved(after, -1))
            ahead = np.where(_moved(skips.astype(float), -2, 0.0) > 0, _moved(after, -2), -np.inf)
            made = np.logaddexp(made, ahead)
        else:
            made = np.full((n, places), -np.inf)
        ends = np.full((n, places), -np.inf)
        ends[number, last] = 0.0
        ends[number, np.maximum(last - 1, 0)] = 0.0
        made = np.where((t == lengths - 1)[:, None], ends, made)
        backward[t] = np.where(inside & (t < lengths[:, None]), made, -np.inf)
    return forward, backward


def _moved(rows: Any, by: int, fill: float = -np.inf) -> Any:
    out = np.full_like(rows, fill)
    if by > 0:
        out[:, by:] = rows[:, :-by]
    else:
        out[:, :by] = rows[:, -by:]
    return out


def _reference(scores: Any, labels: Any, lengths: Any, counts: Any, *, blank: int) -> Any:
    rows = _rows(labels, counts)
    wide = scores.astype(np.float64)
    steps, n, classes = scores.shape
    if n and (np.any(rows < 0) or np.any(rows >= classes) or np.any(counts > rows.shape[1]) or np.any(lengths > steps)):
        raise ValueError("ctc: a label is no class, or a length is larger than what there is")
    spelled = np.full((n, 2 * rows.shape[1] + 1), blank, np.int64)
    spelled[:, 1::2] = rows
    skips = np.zeros(spelled.shape, bool)
    skips[:, 3::2] = rows[:, 1:] != rows[:, :-1]
    with np.errstate(all="ignore"):
        forward, backward = _passes(wide, spelled, skips, lengths, counts)
        number, last = np.arange(n), 2 * counts
        final = forward[np.maximum(lengths - 1, 0), number]
        total = np.logaddexp(final[number, last], np.where(counts > 0, final[number, np.maximum(last - 1, 0)], -np.inf))
        share = np.exp(forward + backward - total[:, None])
        seen = np.zeros_like(wide)
        grid = np.ix_(np.arange(steps), number)
        for k in range(spelled.shape[1]):
            seen[(*grid, spelled[:, k][None])] += share[:, :, k]
        gradient = np.where(np.arange(steps)[:, None, None] < lengths[:, None], np.exp(wide) - seen, 0.0)
    cast = scores.dtype
    return (-total).astype(cast), gradient.astype(cast), np.swapaxes(forward, 0, 1).astype(cast)


def _vjp(cts: Sequence[Any], outs: Sequence[Any], scores: Any, *rest: Any, blank: int) -> Sequence[Any]:
    if cts[0] is None:
        return (None,) * 4
    return e.mul(outs[1], s.expand_dims(cts[0], axis=(0, 2))), None, None, None


def _samples() -> Iterable[Sample]:
    labels = np.array([[1, 2, 2], [3, 1, 0]])
    lengths, counts = np.array([6, 5]), np.array([3, 2])
    scores = mixed((6, 2, 4), 1)
    scores -= np.log(np.exp(scores).sum(-1, keepdims=True))
    yield Sample((scores, labels, lengths, counts), {"blank": 0}, differentiable=False)
    yield Sample((scores, np.array([1, 2, 2, 3, 1]), lengths, counts), {"blank": 0}, differentiable=False)
    yield Sample((scores.astype(f32.numpy), labels, lengths, np.array([0, 2])), {"blank": 3}, differentiable=False)


ctc = declare(
    "ctc",
    "scores labels lengths counts",
    rule=_rule,
    reference=_reference,
    lowering=HostCode(),
    # the other results count as constants. The derivative by scores before log_softmax (Graves et al. 2006, equation
    # 16), which log_softmax's own leaves as it is
    derivative=Vjp(_vjp, None),
    samples=_samples,
    doc="(-log of the probability of the labels, its derivative, the logarithms of the forward "
    "sums) for logarithms of probabilities.",
)
