"""`paddle.metric`: how well networks do."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore import ops
from jitcore.compat.paddle.declaring import operation
from jitcore.compat.paddle.tensor import Tensor
from jitcore.library.core import values
from jitcore.library.math import elementwise
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.types import f32, i64

__all__ = ["Accuracy", "Auc", "Metric", "Precision", "Recall", "accuracy"]


def _array(value: object, name: str) -> Any:
    """A Tensor's or an array's elements."""
    if isinstance(value, AnyTensor):
        return value.asnumpy()
    if not isinstance(value, np.ndarray | np.generic):
        raise ValueError(f"The '{name}' must be a numpy ndarray or Tensor.")
    return np.asarray(value)


class Metric:
    """The base: subclasses define `reset`, `update`, `accumulate` and `name`, and perhaps `compute`, what `update` is
    given of a network's results and labels."""

    def __init__(self) -> None:
        pass

    def reset(self) -> None:
        """Begin anew."""
        raise NotImplementedError(f"function 'reset' not implemented in {type(self).__name__}.")

    def update(self, *args: object) -> Any:
        """Take a batch in."""
        raise NotImplementedError(f"function 'update' not implemented in {type(self).__name__}.")

    def accumulate(self) -> Any:
        """What comes of all batches so far."""
        raise NotImplementedError(f"function 'accumulate' not implemented in {type(self).__name__}.")

    def name(self) -> Any:
        """What it is called, or what its numbers are."""
        raise NotImplementedError(f"function 'name' not implemented in {type(self).__name__}.")

    def compute(self, *args: object) -> Any:
        """What `update` is given: results and labels, unless it is something else."""
        return args


@operation
def hits(pred: Tensor, label: Tensor, most: int) -> Any:
    """Whether each of the `most` likeliest classes is the right one, as float32 (…, most)."""
    order = elementwise.astype(ops.argsort_ext(pred, -1, True), i64)[..., :most]
    if values.rank_of(label) == 1 or (values.rank_of(label) == 2 and values.shape_of(label)[-1] == 1):
        right = ops.reshape(label, (-1, 1))
    elif values.shape_of(label)[-1] != 1:
        right = ops.expand_dims(ops.argmax(label, -1), -1)
    else:
        right = label
    return elementwise.astype(ops.eq(order, elementwise.astype(right, i64)), f32)


class Accuracy(Metric):
    """How many of the likeliest classes, or of the `topk` likeliest, are right.

    >>> found = Accuracy()
    >>> float(found.update(np.array([[1.0], [0.0]])))
    0.5
    """

    def __init__(self, topk: Sequence[int] = (1,), name: str | None = None) -> None:
        self.topk = topk
        self.maxk = max(topk)
        base = name or "acc"
        self._name = [base] if self.maxk == 1 else [f"{base}_top{k}" for k in topk]
        self.reset()

    def compute(  # pyright: ignore[reportIncompatibleMethodOverride]
        self, pred: Tensor, label: Tensor, *args: object
    ) -> Any:
        return hits(pred, label, self.maxk)

    def update(self, correct: object, *args: object) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        found = _array(correct, "correct")
        count: Any = np.prod(found.shape[:-1])
        shares: list[Any] = []
        for k, most in enumerate(self.topk):
            right = float(found[..., :most].sum())
            shares.append(right / count)
            self.total[k] += right
            self.count[k] += count
        return shares[0] if len(shares) == 1 else shares

    def reset(self) -> None:
        self.total = [0.0] * len(self.topk)
        self.count: list[Any] = [0] * len(self.topk)

    def accumulate(self) -> Any:
        shares = [total / count if count else 0.0 for total, count in zip(self.total, self.count, strict=True)]
        return shares[0] if len(shares) == 1 else shares

    def name(self) -> list[str]:
        return self._name


class _OfTwo(Metric):
    """What metrics of two classes have: how often 1 was rightly said, and how often wrongly said or not."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.reset()

    def name(self) -> str:
        return self._name

    def reset(self) -> None:
        self.tp = 0
        self._others = 0

    def accumulate(self) -> float:
        whole = self.tp + self._others
        return self.tp / whole if whole else 0.0


class Precision(_OfTwo):
    """How many of those that were said to be 1 are."""

    def __init__(self, name: str = "precision") -> None:
        super().__init__(name)

    @property
    def fp(self) -> int:
        """How many were wrongly said to be 1."""
        return self._others

    def update(self, preds: object, labels: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        said = np.floor(_array(preds, "preds") + 0.5).astype(np.int32).reshape(-1) == 1
        right = _array(labels, "labels").reshape(-1) == 1
        self.tp += int((said & right).sum())
        self._others += int((said & ~right).sum())


class Recall(_OfTwo):
    """How many of those that are 1 were said to be."""

    def __init__(self, name: str = "recall") -> None:
        super().__init__(name)

    @property
    def fn(self) -> int:
        """How many that are 1 were not said to be."""
        return self._others

    def update(self, preds: object, labels: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        said = np.rint(_array(preds, "preds")).astype(np.int32).reshape(-1) == 1
        right = _array(labels, "labels").reshape(-1) == 1
        self.tp += int((said & right).sum())
        self._others += int((~said & right).sum())


class Auc(Metric):
    """The area under the curve of right over wrong 1s, by probabilities (n, 2) put into bins."""

    def __init__(self, curve: str = "ROC", num_thresholds: int = 4095, name: str = "auc") -> None:
        self._curve = curve
        self._num_thresholds = num_thresholds
        self._name = name
        self.reset()

    def reset(self) -> None:
        self._right = np.zeros(self._num_thresholds + 1)
        self._wrong = np.zeros(self._num_thresholds + 1)

    def update(self, preds: object, labels: object) -> None:  # pyright: ignore[reportIncompatibleMethodOverride]
        bins = (_array(preds, "preds")[:, 1] * self._num_thresholds).astype(np.int64)
        ones = _array(labels, "labels").reshape(-1).astype(bool)
        np.add.at(self._right, bins[ones], 1.0)
        np.add.at(self._wrong, bins[~ones], 1.0)

    def accumulate(self) -> float:
        right, wrong = (np.concatenate([[0.0], np.cumsum(held[::-1])]) for held in (self._right, self._wrong))
        if right[-1] == 0 or wrong[-1] == 0:
            return 0.0
        area = (np.diff(wrong) * (right[1:] + right[:-1]) / 2.0).sum()
        return float(area / right[-1] / wrong[-1])

    def name(self) -> str:
        return self._name


@operation
def accuracy(
    input: Tensor,
    label: Tensor,
    k: int = 1,
    correct: Tensor | None = None,
    total: Tensor | None = None,
    name: str | None = None,
) -> Any:
    """The share of samples whose right class is among the k likeliest."""
    found = ops.amax(hits(input, label, k), -1)
    return ops.mean_ext(found)
