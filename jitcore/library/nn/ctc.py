"""Sequences of labels: connectionist temporal classification, what it decodes to, distances of edits, words that would
repeat."""

from __future__ import annotations

from typing import Any

import numpy as np

from jitcore.library.array import indexing, scatter, shapes
from jitcore.library.array.scatter import scattered_nd
from jitcore.library.core.declarations import operator
from jitcore.library.core.values import as_array, dtype_of_value, evaluator, is_array, rank_of, shape_of, static_int
from jitcore.library.math import elementwise
from jitcore.library.nn import activations
from jitcore.library.statistics import reductions
from jitcore.library.statistics.reductions import as_float
from jitcore.primitives.ops import detection, joining
from jitcore.primitives.ops import elementwise as e
from jitcore.primitives.ops import reductions as r
from jitcore.primitives.ops import shape as s
from jitcore.primitives.ops.alignment import ctc
from jitcore.types import f32, i64


def _ints(value: Any, name: str) -> Any:
    a = as_array(value)
    if not dtype_of_value(a).is_integer:
        shown = dtype_of_value(a).name if is_array(value) else "Float32"
        raise TypeError(f"For 'CTCLoss', the type of '{name}' must be Tensor[Int32, Int64], but got {shown}.")
    return as_array(a, i64)


@operator("ctc_loss")
def ctc_loss(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    blank: Any = 0,
    reduction: Any = "mean",
    zero_infinity: Any = False,
) -> Any:
    """(-log of the probabilities of the targets for sequences (T, N, C), the logarithms of the forward sums)."""
    scores = as_float(log_probs)
    single = rank_of(scores) == 2
    if single:
        scores = s.expand_dims(scores, axis=(1,))
    counts = _ints(target_lengths, "target_lengths")
    counts = counts if rank_of(counts) else s.expand_dims(counts, axis=(0,))
    lengths = _ints(input_lengths, "input_lengths")
    lengths = lengths if rank_of(lengths) else s.expand_dims(lengths, axis=(0,))
    loss, _, forward = ctc(scores, _ints(targets, "targets"), lengths, counts, blank=static_int(blank, "blank"))
    if evaluator().static(zero_infinity, "zero_infinity"):
        loss = e.select(e.isinf(loss), 0, loss)
    how = evaluator().static(reduction, "reduction")
    if how == "mean":
        return reductions.mean(e.div(loss, e.cast(e.maximum(counts, 1), dtype=dtype_of_value(loss)))), forward
    if how == "sum":
        return reductions.sum(loss), forward
    if how != "none":
        raise ValueError(f"For 'CTCLoss', the reduction is 'none', 'mean' or 'sum', not {how!r}.")
    return (s.squeeze(loss, axis=(0,)) if single else loss), forward


@operator("CTCLossV2")
def ctc_loss_v2(
    log_probs: Any,
    targets: Any,
    input_lengths: Any,
    target_lengths: Any,
    *,
    blank: Any = 0,
    reduction: Any = "none",
    zero_infinity: Any = False,
) -> Any:
    """As `ctc_loss`."""
    return ctc_loss(log_probs, targets, input_lengths, target_lengths, blank, reduction, zero_infinity)


@operator("CTCLoss")
def ctc_loss_of_logits(
    x: Any,
    labels_indices: Any,
    labels_values: Any,
    sequence_length: Any,
    *,
    preprocess_collapse_repeated: Any = False,
    ctc_merge_repeated: Any = True,
    ignore_longer_outputs_than_inputs: Any = False,
) -> Any:
    """(the losses of logits (T, N, C) whose last class is the blank, their gradients); the labels are given by their
    places."""
    if preprocess_collapse_repeated or not ctc_merge_repeated:
        raise ValueError("For 'CTCLoss', repeated labels are merged in the sequence, and not in the labels.")
    del ignore_longer_outputs_than_inputs  # their loss is infinite
    logits, places = as_float(x), as_array(as_array(labels_indices), i64)
    values = as_array(as_array(labels_values), i64)
    n, count = shape_of(logits)[1], shape_of(values)[0]
    labels = scattered_nd(joining.full(as_array(0, i64), shape=(n, count)), places, values, "update")
    rows = shapes.slice_axis(places, 1, 0, 1)
    counts = scattered_nd(joining.full(as_array(0, i64), shape=(n,)), rows, e.add(e.mul(values, 0), 1), "add")
    classes = static_int(evaluator().number(shape_of(logits)[2]), "the number of classes")
    lengths = as_array(as_array(sequence_length), i64)
    loss, gradient, _ = ctc(activations.log_softmax(logits), labels, lengths, counts, blank=classes - 1)
    return loss, e.stop_gradient(gradient)


@operator("ctc_greedy_decoder")
def ctc_greedy_decoder(inputs: Any, sequence_length: Any, merge_repeated: Any = True) -> Any:
    """(places (sequence, number), labels, shape, minus the sums of the largest scores) of the best alignment for (T, N,
    C)."""
    a = as_array(inputs)
    t, n, classes = shape_of(a)
    blank = as_array(evaluator().number(classes + -1), i64)
    best = s.transpose(as_array(reductions.argmax(a, -1), i64), permutation=(1, 0))
    lengths = s.expand_dims(as_array(as_array(sequence_length), i64), axis=(1,))
    inside = e.less(s.expand_dims(joining.iota(length=t, dtype=i64), axis=(0,)), lengths)
    kept = e.bitwise_and(inside, e.not_equal(best, blank))
    if evaluator().static(merge_repeated, "merge_repeated"):
        rest = shapes.slice_axis(best, 1, 0, t + -1)
        before = shapes.concatenate((joining.full(as_array(-1, i64), shape=(n, 1)), rest), 1)
        kept = e.bitwise_and(kept, e.not_equal(best, before))
    numbers = e.sub(r.cumsum(e.cast(kept, dtype=i64), axis=1), 1)
    rows = indexing.nonzero(kept)[0]
    labels, order = indexing.getitem(best, kept), indexing.getitem(numbers, kept)
    longest = e.add(r.reduce_max(numbers, axis=(0, 1), keepdims=False), 1)
    shape = shapes.stack((as_array(evaluator().number(n), i64), longest), 0)
    largest = s.transpose(r.reduce_max(a, axis=(2,), keepdims=False), permutation=(1, 0))
    total = r.reduce_sum(e.select(inside, largest, 0), axis=(1,), keepdims=True)
    return shapes.stack((rows, order), 1), labels, shape, e.neg(total)


@operator("CTCGreedyDecoder")
def ctc_greedy_decoder_set_up(inputs: Any, sequence_length: Any, *, merge_repeated: Any = True) -> Any:
    """As `ctc_greedy_decoder`."""
    return ctc_greedy_decoder(inputs, sequence_length, merge_repeated)


@operator("NoRepeatNGram")
def no_repeat_ngram(state_seq: Any, log_probs: Any, *, ngram_size: Any = 1) -> Any:
    """The scores of beams, the lowest number for every word that would make the end of a sequence come a second
    time."""
    words, scores = as_array(as_array(state_seq), i64), as_array(log_probs)
    size = static_int(ngram_size, "ngram_size")
    length = shape_of(words)[-1]
    count = length + -(size - 1)
    end = shapes.slice_axis(words, 2, length - (size - 1), size - 1)
    same = e.equal(e.mul(shapes.slice_axis(words, 2, size - 1, count), 0), 0)
    for k in range(size - 1):
        wanted = shapes.slice_axis(end, 2, k, 1)
        same = e.bitwise_and(same, e.equal(shapes.slice_axis(words, 2, k, count), wanted))
    following = shapes.slice_axis(words, 2, size - 1, count)
    found = scatter.scatter_add_elements(
        joining.full(as_array(0, i64), shape=shape_of(scores)), 2, following, e.cast(same, dtype=i64)
    )
    return e.select(e.greater(found, 0), float(np.finfo(np.float32).min), scores)


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
