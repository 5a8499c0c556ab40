"""Boxes in images: two corners (x1, y1, x2, y2) each, whose pixels count whole; boxes chosen by scores and overlaps."""

from __future__ import annotations

import math
from typing import Any

from jitcore.library.array import indexing, shapes
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import (
    as_array,
    dtype_of_value,
    evaluator,
    is_array,
    promote,
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
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops import transcendental as t
from jitcore.primitives.ops.drawing import keep_boxes
from jitcore.types import i32, i64


def _corners(boxes: Any) -> tuple[Any, Any, Any, Any]:
    x1, y1, x2, y2 = (shapes.take_index(boxes, rank_of(boxes) - 1, k) for k in range(4))
    return x1, y1, x2, y2


def _extents(boxes: Any) -> tuple[Any, Any]:
    x1, y1, x2, y2 = _corners(boxes)
    return e.add(e.sub(x2, x1), 1), e.add(e.sub(y2, y1), 1)


@operator("iou")
def iou(anchor_boxes: Any, gt_boxes: Any, mode: Any = "iou") -> Any:
    """The area that each true box (a row) shares with each anchor, over that of both ('iou') or of the true box
    ('iof')."""
    how = evaluator().static(mode, "mode")
    if how not in ("iou", "iof"):
        raise ValueError(f"For 'iou', the mode is 'iou' or 'iof', not {how!r}.")
    anchors, truths = promote("mul", as_float(anchor_boxes), as_float(gt_boxes))
    ours = [s.expand_dims(v, axis=(0,)) for v in (*_corners(anchors), *_extents(anchors))]
    theirs = [s.expand_dims(v, axis=(1,)) for v in (*_corners(truths), *_extents(truths))]
    width, height = (
        e.maximum(e.add(e.sub(e.minimum(ours[k + 2], theirs[k + 2]), e.maximum(ours[k], theirs[k])), 1), 0)
        for k in (0, 1)
    )
    shared = e.mul(width, height)
    whole = e.mul(theirs[4], theirs[5])
    if how == "iou":
        whole = e.sub(e.add(whole, e.mul(ours[4], ours[5])), shared)
    return e.div(shared, whole)


@operator("IOU")
def iou_set_up(anchor_boxes: Any, gt_boxes: Any, *, mode: Any = "iou") -> Any:
    """As `iou`."""
    return iou(anchor_boxes, gt_boxes, mode)


def _four(values: Any, what: str) -> list[float]:
    found = evaluator().static(values, what)
    listed = (
        [float(v) for v in found]  # pyright: ignore[reportUnknownVariableType, reportUnknownArgumentType]
        if isinstance(found, list | tuple)
        else [float(found)] * 4
    )
    if len(listed) != 4:
        raise ValueError(f"{what} is four numbers, not {found!r}")
    return listed


@operator("bounding_box_encode")
def bounding_box_encode(
    anchor_box: Any, groundtruth_box: Any, means: Any = (0.0, 0.0, 0.0, 0.0), stds: Any = (1.0, 1.0, 1.0, 1.0)
) -> Any:
    """The shifts and logarithms of factors that take anchors to true boxes, normalised."""
    a, b = promote("mul", as_float(anchor_box), as_float(groundtruth_box))
    made: list[Any] = []
    sizes: list[Any] = []
    for k in (0, 1):
        (mine, size), (other, wanted) = (
            (e.mul(e.add(_corners(v)[k], _corners(v)[k + 2]), 0.5), _extents(v)[k]) for v in (a, b)
        )
        made.append(e.div(e.sub(other, mine), size))
        sizes.append(t.log(e.div(wanted, size)))
    means, stds = _four(means, "means"), _four(stds, "stds")
    parts = [e.div(e.sub(v, m), d) for v, m, d in zip([*made, *sizes], means, stds, strict=True)]
    return shapes.stack(parts, rank_of(a) - 1)


@operator("BoundingBoxEncode")
def bounding_box_encode_set_up(
    anchor_box: Any, groundtruth_box: Any, *, means: Any = (0.0, 0.0, 0.0, 0.0), stds: Any = (1.0, 1.0, 1.0, 1.0)
) -> Any:
    """As `bounding_box_encode`."""
    return bounding_box_encode(anchor_box, groundtruth_box, means, stds)


@operator("bounding_box_decode")
def bounding_box_decode(
    anchor_box: Any,
    deltas: Any,
    max_shape: Any,
    means: Any = (0.0, 0.0, 0.0, 0.0),
    stds: Any = (1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip: Any = 0.016,
) -> Any:
    """The boxes that anchors are taken to by shifts and logarithms of factors, within images of a shape."""
    a, b = promote("mul", as_float(anchor_box), as_float(deltas))
    centre, spread = _four(means, "means"), _four(stds, "stds")
    moves = [e.add(e.mul(v, d), m) for v, m, d in zip(_corners(b), centre, spread, strict=True)]
    limit = abs(math.log(float(evaluator().static(wh_ratio_clip, "wh_ratio_clip"))))
    low: list[Any] = []
    high: list[Any] = []
    for k in (0, 1):
        size = _extents(a)[k]
        middle = e.mul(e.add(_corners(a)[k], _corners(a)[k + 2]), 0.5)
        wanted = e.mul(size, t.exp(e.maximum(e.minimum(moves[k + 2], limit), -limit)))
        place = e.add(middle, e.mul(size, moves[k]))
        last = float(evaluator().static(max_shape[1 - k], "max_shape")) - 1
        for ends, by in ((low, e.add(e.mul(wanted, -0.5), 0.5)), (high, e.sub(e.mul(wanted, 0.5), 0.5))):
            ends.append(e.maximum(e.minimum(e.add(place, by), last), 0))
    return shapes.stack([*low, *high], rank_of(a) - 1)


@operator("BoundingBoxDecode")
def bounding_box_decode_set_up(
    anchor_box: Any,
    deltas: Any,
    *,
    max_shape: Any,
    means: Any = (0.0, 0.0, 0.0, 0.0),
    stds: Any = (1.0, 1.0, 1.0, 1.0),
    wh_ratio_clip: Any = 0.016,
) -> Any:
    """As `bounding_box_decode`."""
    return bounding_box_decode(anchor_box, deltas, max_shape, means, stds, wh_ratio_clip)


@operator("check_valid CheckValid")
def check_valid(bboxes: Any, img_metas: Any) -> Any:
    """Which boxes are inside of an image, given as (height, width, ratio)."""
    a, meta = promote("mul", as_float(bboxes), as_float(img_metas))
    height, width, ratio = (shapes.take_index(meta, 0, k) for k in range(3))
    x1, y1, x2, y2 = _corners(a)
    inside = e.bitwise_and(e.greater_equal(x1, 0), e.greater_equal(y1, 0))
    for end, extent in ((x2, width), (y2, height)):
        inside = e.bitwise_and(inside, e.less_equal(end, e.sub(e.mul(extent, ratio), 1)))
    return inside


@operator("NMSWithMask")
def nms_with_mask(bboxes: Any, *, iou_threshold: Any = 0.5) -> Any:
    """(boxes with scores (x1, y1, x2, y2, score) by falling score, 0, 1, 2, …, which do not overlap with better
    ones)."""
    a = as_float(bboxes)
    order = ordering.argsort(shapes.take_index(a, 1, 4), axis=0, descending=True)
    ordered = ix.gather(a, order, axis=0)
    kept = keep_boxes(shapes.slice_axis(ordered, 1, 0, 4), threshold=float(iou_threshold))
    return ordered, joining.iota(length=shape_of(a)[0], dtype=i32), kept


def _static_number(value: Any, what: str) -> float:
    found = evaluator().static(value, what)
    return float(found.item() if hasattr(found, "item") else found)


@operator("NonMaxSuppressionV3")
def non_max_suppression(boxes: Any, scores: Any, max_output_size: Any, iou_threshold: Any, score_threshold: Any) -> Any:
    """The places of at most so many boxes, by falling score, that do not overlap with better ones."""
    a, marks = as_float(boxes), as_float(scores)
    order = ordering.argsort(marks, axis=0, descending=True)
    kept = keep_boxes(ix.gather(a, order, axis=0), threshold=_static_number(iou_threshold, "iou_threshold"))
    least = as_array(as_array(score_threshold), dtype_of_value(marks))
    kept = e.bitwise_and(kept, e.greater(ix.gather(marks, order, axis=0), least))
    numbers = r.cumsum(e.cast(kept, dtype=i64), axis=0)
    most = as_array(
        as_array(elementwise.number(max_output_size) if is_array(max_output_size) else max_output_size), i64
    )
    kept = e.bitwise_and(kept, e.less_equal(numbers, most))
    return e.cast(indexing.getitem(order, kept), dtype=i32)


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
