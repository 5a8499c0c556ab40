"""Operators that choose boxes by scores and overlaps, and that compare sequences."""

from __future__ import annotations

from typing import Any

from jitcore.library.array import indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    rank_of,
    require_equal,
    shape_of,
    static_int,
)
from jitcore.library.math import elementwise
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import detection, joining, ordering
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import indexing as ix
from jitcore.primitives.ops import reductions as r
from jitcore.types import f32, i32, i64


def _number(value: Any, what: str) -> Any:
    """A number that must be known when the program is compiled."""
    found = evaluator().static(value, what)
    return found.item() if hasattr(found, "item") else found


def _first(kept: Any, most: Any) -> Any:
    """Those of the first `most` that are kept."""
    numbers = r.cumsum(e.cast(kept, dtype=i64), axis=0)
    limit = as_array(as_array(elementwise.number(most) if is_array(most) else most), i64)
    return e.bitwise_and(kept, e.less_equal(numbers, limit))


@operator("NonMaxSuppressionWithOverlaps")
def non_max_suppression_with_overlaps(
    overlaps: Any, scores: Any, max_output_size: Any, overlap_threshold: Any, score_threshold: Any
) -> Any:
    """The places of at most so many boxes, by falling score, that do not overlap with better ones, given by how much
    each two do."""
    shared, marks = as_float(overlaps), as_float(scores)
    if rank_of(shared) != 2 or rank_of(marks) != 1:
        raise ValueError("For 'NonMaxSuppressionWithOverlaps', overlaps (N, N) and scores (N,) are needed.")
    for extent in shape_of(shared):
        require_equal(extent, shape_of(marks)[0], "For 'NonMaxSuppressionWithOverlaps', {0} overlaps for {1} scores.")
    order = ordering.argsort(marks, axis=0, descending=True)
    sorted_ = ix.gather(ix.gather(shared, order, axis=0), order, axis=1)
    ranked = ix.gather(marks, order, axis=0)
    enough = e.greater(ranked, as_array(as_array(score_threshold), dtype_of_value(marks)))
    clashes = e.greater(sorted_, as_array(as_array(overlap_threshold), dtype_of_value(shared)))
    kept = e.bitwise_and(detection.keep_apart(clashes), enough)
    return e.cast(indexing.getitem(order, _first(kept, max_output_size)), dtype=i32)


@operator("CombinedNonMaxSuppression")
def combined_non_max_suppression(
    boxes: Any,
    scores: Any,
    max_output_size_per_class: Any,
    max_total_size: Any,
    iou_threshold: Any,
    score_threshold: Any,
    *,
    pad_per_class: Any = False,
    clip_boxes: Any = True,
) -> Any:
    """(the best boxes of all classes that do not overlap with better ones of their class, their scores, their classes,
    how many)."""
    a, marks = as_float(boxes), as_float(scores)
    if rank_of(a) != 4 or rank_of(marks) != 3:
        raise ValueError("For 'CombinedNonMaxSuppression', boxes (B, N, Q, 4) and scores (B, N, C) are needed.")
    for k in (0, 1):
        require_equal(shape_of(a)[k], shape_of(marks)[k], "For 'CombinedNonMaxSuppression', {0} boxes for {1} scores.")
    each = int(_number(max_output_size_per_class, "max_output_size_per_class"))
    total = int(_number(max_total_size, "max_total_size"))
    if each <= 0 or total <= 0:
        raise ValueError("For 'CombinedNonMaxSuppression', the sizes must be positive.")
    if pad_per_class:
        total = min(total, each * static_int(evaluator().number(shape_of(marks)[2]), "the number of classes"))
    overlap, least = (
        float(_number(v, w)) for v, w in ((iou_threshold, "iou_threshold"), (score_threshold, "score_threshold"))
    )
    return detection.combined_boxes(
        a, marks, each=each, total=total, overlap=overlap, least=least, clip=bool(clip_boxes)
    )


@operator("EditDistance")
def edit_distance_set_up(
    hypothesis_indices: Any,
    hypothesis_values: Any,
    hypothesis_shape: Any,
    truth_indices: Any,
    truth_values: Any,
    truth_shape: Any,
    *,
    normalize: Any = True,
) -> Any:
    """How many changes make each sequence of one sparse array that of another, over the length of the latter with
    `normalize`."""
    ours, theirs = (as_array(as_array(v), i64) for v in (hypothesis_shape, truth_shape))
    ranks = [static_int(evaluator().number(shape_of(v)[0]), "the number of dimensions") for v in (ours, theirs)]
    if ranks[0] != ranks[1] or ranks[0] < 2:
        raise ValueError(f"For 'EditDistance', the shapes must have the same length, at least 2, not {ranks}.")
    larger = e.maximum(ours, theirs)
    operands = [as_array(v) for v in (hypothesis_indices, hypothesis_values, truth_indices, truth_values)]
    numbers = [elementwise.number(shapes.take_index(larger, 0, k)) for k in range(ranks[0] - 1)]
    results = joining.full(as_array(0, f32), shape=tuple(evaluator().dim(n) for n in numbers))
    return detection.edit_distances(*operands, results, normalize=bool(normalize))
