"""MindSpore's connectionist temporal classification, against PyTorch and plain Python, in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, grad, jit, ops

torch = pytest.importorskip("torch")

LOGITS = np.sin(np.arange(7 * 3 * 5)).reshape(7, 3, 5) * 2
LABELS = np.array([[1, 2, 2], [3, 1, 0], [4, 4, 4]])
LENGTHS, COUNTS = np.array([7, 5, 6]), np.array([3, 2, 3])


@pytest.mark.parametrize("reduction", ["none", "mean", "sum"])
@pytest.mark.parametrize("flat", [False, True])
def test_loss_and_gradient(reduction: str, flat: bool) -> None:
    labels = np.concatenate([row[:n] for row, n in zip(LABELS, COUNTS, strict=True)]) if flat else LABELS
    leaf = torch.tensor(LOGITS, requires_grad=True)
    wanted = torch.nn.functional.ctc_loss(
        leaf.log_softmax(-1), *map(torch.tensor, (labels, LENGTHS, COUNTS)), reduction=reduction
    )
    wanted.sum().backward()

    def loss(x: Any) -> Any:
        return ops.ctc_loss(
            ops.log_softmax(x, -1), Tensor(labels), Tensor(LENGTHS), Tensor(COUNTS), reduction=reduction
        )[0]

    derived = grad(lambda x: loss(x).sum())
    for forward, backward in ((loss, derived), (jit(loss), jit(lambda x: derived(x)))):
        np.testing.assert_allclose(forward(Tensor(LOGITS)).asnumpy(), wanted.detach().numpy())
        np.testing.assert_allclose(backward(Tensor(LOGITS)).asnumpy(), leaf.grad.numpy(), atol=1e-12)


def test_sparse_labels() -> None:
    """CTCLoss takes logits, labels by place, and has the blank last."""
    moved = np.concatenate([LOGITS[..., 1:], LOGITS[..., :1]], -1)
    places = np.array([(k, j) for k, n in enumerate(COUNTS) for j in range(n)])
    values = np.array([LABELS[k, j] - 1 for k, j in places], np.int32)
    leaf = torch.tensor(LOGITS, requires_grad=True)
    wanted = torch.nn.functional.ctc_loss(
        leaf.log_softmax(-1), *map(torch.tensor, (LABELS, LENGTHS, COUNTS)), reduction="none"
    )
    wanted.sum().backward()
    primitive = ops.CTCLoss()

    def both(x: Any) -> Any:
        return primitive(x, Tensor(places), Tensor(values), Tensor(LENGTHS.astype(np.int32)))

    derived = grad(lambda x: both(x)[0].sum())
    for forward, backward in ((both, derived), (jit(both), jit(lambda x: derived(x)))):
        loss, gradient = forward(Tensor(moved))
        np.testing.assert_allclose(loss.asnumpy(), wanted.detach().numpy())
        by_logits = np.concatenate([leaf.grad.numpy()[..., 1:], leaf.grad.numpy()[..., :1]], -1)
        np.testing.assert_allclose(gradient.asnumpy(), by_logits, atol=1e-12)
        np.testing.assert_allclose(backward(Tensor(moved)).asnumpy(), by_logits, atol=1e-12)


def test_impossible_labels() -> None:
    lengths = Tensor(np.array([2, 2, 2]))
    call = lambda zero: ops.ctc_loss(ops.log_softmax(Tensor(LOGITS), -1), Tensor(LABELS), lengths, Tensor(COUNTS), 0, "none", zero)[0]  # fmt: skip # noqa: E731
    assert np.isinf(call(False).asnumpy()).tolist() == [True, False, True]
    assert (call(True).asnumpy() == 0).tolist() == [True, False, True]
    with pytest.raises(TypeError, match="target_lengths"):
        ops.ctc_loss(Tensor(LOGITS), Tensor(LABELS), lengths, (0.5, 1.0, 1.0))


@pytest.mark.parametrize("merge", [False, True])
def test_greedy_decoding(merge: bool) -> None:
    x = np.round(LOGITS, 1)
    x[2, 0], x[3, 0] = x[1, 0], x[1, 0]
    rows = []
    for k, n in enumerate(LENGTHS):
        best = x[:n, k].argmax(-1).tolist()
        rows.append([b for j, b in enumerate(best) if b != 4 and not (merge and j and best[j - 1] == b)])
    decode = ops.CTCGreedyDecoder(merge)
    for f in (lambda v: decode(v, Tensor(LENGTHS.astype(np.int32))), jit(lambda v: decode(v, Tensor(LENGTHS, jitcore.int32)))):  # fmt: skip
        places, labels, shape, score = f(Tensor(x))
        assert places.asnumpy().tolist() == [[k, j] for k, row in enumerate(rows) for j in range(len(row))]
        assert labels.asnumpy().tolist() == [b for row in rows for b in row]
        assert shape.asnumpy().tolist() == [3, max(map(len, rows))]
        wanted = [-x[:n, k].max(-1).sum() for k, n in enumerate(LENGTHS)]
        np.testing.assert_allclose(score.asnumpy()[:, 0], wanted)
