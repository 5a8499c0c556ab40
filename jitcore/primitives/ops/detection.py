"""What goes by one after the other, on the host: choices of boxes that do not overlap, and distances between
sequences."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

import numpy as np

from jitcore.primitives.core.registry import HostCode, Nondifferentiable, Sample, declare
from jitcore.primitives.core.rules import array, require_kind
from jitcore.types import TensorType, Type, bool_, f32, i32

_CHOICE = Nondifferentiable("a choice is locally constant")


# --- boxes whose overlaps are known ---------------------------------------------------------------------


def _apart_rule(clashes: Type) -> TensorType:
    type_ = array(clashes, "clashes")
    require_kind(type_.dtype, "b", "keep_apart")
    if type_.rank != 2:
        raise ValueError(f"keep_apart takes an array (N, N), not one of {type_.rank} dimensions")
    return TensorType(bool_, type_.shape[:1])


def _apart_reference(clashes: Any) -> Any:
    kept = np.ones(len(clashes), bool)
    for k in range(len(clashes)):
        if kept[k]:
            kept[k + 1 :] &= ~clashes[k, k + 1 :]
    return kept


keep_apart = declare(
    "keep_apart",
    "clashes",
    rule=_apart_rule,
    reference=_apart_reference,
    lowering=HostCode(),
    derivative=_CHOICE,
    samples=lambda: [
        Sample((np.array([[True, True, False], [True, True, True], [False, True, True]]),)),
        Sample((np.zeros((0, 0), bool),)),
    ],
    doc="Which of some things are left where, one after the other, each takes away "
    "those after it that it clashes with.",
)


# --- boxes of several classes ---------------------------------------------------------------------------


def _combined_rule(
    boxes: Type, scores: Type, *, each: int, total: int, overlap: float, least: float, clip: bool
) -> tuple[TensorType, ...]:
    del each, overlap, least, clip
    own, marks = array(boxes, "boxes"), array(scores, "scores")
    require_kind(own.dtype, "f", "combined_boxes")
    require_kind(marks.dtype, "f", "combined_boxes")
    if own.rank != 4 or marks.rank != 3:
        raise ValueError(
            f"boxes (B, N, Q, 4) and scores (B, N, C) are needed, not of {own.rank} and {marks.rank} dimensions"
        )
    batch = own.shape[0]
    return (
        TensorType(f32, (batch, total, 4)),
        TensorType(f32, (batch, total)),
        TensorType(f32, (batch, total)),
        TensorType(i32, (batch,)),
    )


def _shared(box: Any, others: Any) -> Any:
    """The area of both over that of either."""
    low, high = np.minimum(others[:, :2], others[:, 2:]), np.maximum(others[:, :2], others[:, 2:])
    first, last = np.minimum(box[:2], box[2:]), np.maximum(box[:2], box[2:])
    both = np.maximum(np.minimum(high, last) - np.maximum(low, first), 0).prod(-1)
    either = (high - low).prod(-1) + (last - first).prod() - both
    return np.where(either > 0, both / np.where(either > 0, either, 1), 0)


def _of_class(boxes: Any, scores: Any, most: int, overlap: float, least: float) -> list[int]:
    chosen: list[int] = []
    for k in np.argsort(-scores, kind="stable"):
        if len(chosen) >= most or not scores[k] > least:
            break
        if not chosen or not (_shared(boxes[k], boxes[chosen]) > overlap).any():
            chosen.append(int(k))
    return chosen


def _combined_reference(
    boxes: Any, scores: Any, *, each: int, total: int, overlap: float, least: float, clip: bool
) -> tuple[Any, ...]:
    batch, classes = len(boxes), scores.shape[2]
    places, marks, names = np.zeros((batch, total, 4)), np.zeros((batch, total)), np.zeros((batch, total))
    counts = np.zeros(batch, np.int32)
    for b in range(batch):
        found: list[tuple[float, int, Any]] = []
        for c in range(classes):
            own = boxes[b, :, min(c, boxes.shape[2] - 1)]
            for k in _of_class(own, scores[b, :, c], each, overlap, least):
                found.append((float(scores[b, k, c]), c, own[k]))
        found.sort(key=lambda item: -item[0])
        counts[b] = min(len(found), total)
        for k, (mark, c, box) in enumerate(found[:total]):
            places[b, k], marks[b, k], names[b, k] = np.clip(box, 0, 1) if clip else box, mark, c
    return *(v.astype(np.float32) for v in (places, marks, names)), counts


def _combined_samples() -> Iterable[Sample]:
    boxes = np.array([[[[0.0, 0, 0.5, 0.5]], [[0, 0, 0.5, 0.4]], [[0.5, 0.5, 1.5, 1]]]])
    scores = np.array([[[0.9, 0.1], [0.8, 0.7], [0.3, 0.6]]])
    yield Sample((boxes, scores), {"each": 2, "total": 3, "overlap": 0.5, "least": 0.2, "clip": True})
    yield Sample((np.repeat(boxes, 2, 2), scores), {"each": 1, "total": 4, "overlap": 0.9, "least": 0.0, "clip": False})


combined_boxes = declare(
    "combined_boxes",
    "boxes scores",
    rule=_combined_rule,
    reference=_combined_reference,
    lowering=HostCode(),
    derivative=_CHOICE,
    samples=_combined_samples,
    doc="The best boxes of all classes that do not overlap with better ones of their class: boxes, "
    "scores, classes, how many there are.",
)


# --- sequences ------------------------------------------------------------------------------------------


def _distance_rule(
    indices: Type, values: Type, other_indices: Type, other_values: Type, results: Type, *, normalize: bool
) -> TensorType:
    del normalize
    for operand in (indices, values, other_indices, other_values):
        array(operand)
    return TensorType(f32, array(results).shape)


def edit_distance(a: list[Any], b: list[Any]) -> int:
    """How many insertions, deletions and substitutions make one sequence the other (Levenshtein 1966)."""
    row = list(range(len(b) + 1))
    for i, x in enumerate(a, 1):
        before, row[0] = row[0], i
        for j, y in enumerate(b, 1):
            before, row[j] = row[j], min(row[j] + 1, row[j - 1] + 1, before + (x != y))
    return row[-1]


def _distance_reference(
    indices: Any, values: Any, other_indices: Any, other_values: Any, results: Any, *, normalize: bool
) -> Any:
    made = np.zeros(results.shape, np.float32)
    ours, theirs = _sequences(indices, values), _sequences(other_indices, other_values)
    for at in np.ndindex(made.shape):
        mine, truth = ours.get(at, []), theirs.get(at, [])
        distance = edit_distance(mine, truth)
        if normalize:
            made[at] = distance / len(truth) if truth else np.inf if mine else 0
        else:
            made[at] = distance
    return made


def _sequences(indices: Any, values: Any) -> dict[tuple[int, ...], list[Any]]:
    found: dict[tuple[int, ...], list[Any]] = {}
    for at, value in zip(indices.tolist(), values.tolist(), strict=True):
        found.setdefault(tuple(at[:-1]), []).append(value)
    return found


edit_distances = declare(
    "edit_distances",
    "indices values other_indices other_values results",
    rule=_distance_rule,
    reference=_distance_reference,
    lowering=HostCode(),
    derivative=_CHOICE,
    samples=lambda: [
        Sample(
            (
                np.array([[0, 0], [1, 0], [1, 1]]),
                np.array([1, 2, 3]),
                np.array([[0, 0], [0, 1], [1, 0]]),
                np.array([1, 5, 2]),
                np.zeros(2),
            ),
            {"normalize": True},
        )
    ],
    doc="The edit distances of the sequences along the last axis of two sparse arrays, in the shape of `results`; over "
    "the second's lengths with `normalize`.",
)
