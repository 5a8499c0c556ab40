"""More metrics: F-beta, Dice, confusion matrices, BLEU, similarities of rows, receiver operating characteristics."""

from __future__ import annotations

import math
import sys
from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, cast

import numpy as np
from numpy.typing import NDArray

from jitcore.nn.metrics import METRICS, Measure, Metric, as_ndarray, classes_of


def rearrange_inputs(func: Callable[..., Any]) -> Callable[..., Any]:
    """Have a metric's `update` get those inputs, in that order, that `set_indexes` named."""

    def update(self: Metric, *inputs: Any) -> Any:
        chosen = inputs if self.indexes is None else tuple(inputs[k] for k in self.indexes)
        return func(self, *chosen)

    return update


def _require_two(inputs: tuple[Any, ...], name: str) -> tuple[NDArray[Any], NDArray[Any]]:
    if len(inputs) != 2:
        raise ValueError(f"{name} takes predictions and labels, not {len(inputs)} values")
    return as_ndarray(inputs[0]), as_ndarray(inputs[1])


class Fbeta(Measure):
    """The weighed harmonic mean of precision and recall of each class: recall counts beta times as much."""

    def __init__(self, beta: float) -> None:
        if not beta > 0:
            raise ValueError(f"beta must be positive, but is {beta}")
        self.beta = beta
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self._right: NDArray[Any] | None = None

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take probabilities (N, C) and labels (N,) or (N, C)."""
        predicted, wanted = _require_two(inputs, "Fbeta")
        wanted = classes_of(wanted, predicted)
        classes = predicted.shape[1]
        if wanted.size and wanted.max() + 1 > classes:
            raise ValueError(f"there are {classes} classes, but a label is {wanted.max()}")
        if self._right is None:
            self._right, self._predicted, self._wanted = (np.zeros(classes) for _ in range(3))
        elif self._right.size != classes:
            raise ValueError(f"the number of classes changed from {self._right.size} to {classes}")
        chosen = predicted.argmax(1)
        self._right = self._right + np.bincount(chosen[chosen == wanted], minlength=classes)
        self._predicted += np.bincount(chosen, minlength=classes)
        self._wanted += np.bincount(wanted.astype(np.int64), minlength=classes)

    def eval(self, average: bool = False) -> Any:
        """A value for each class, or their mean."""
        if self._right is None:
            raise RuntimeError(f"{type(self).__name__} has seen nothing yet")
        square = self.beta**2
        each = (1 + square) * self._right / (square * self._wanted + self._predicted + sys.float_info.min)
        return each.mean() if average else each


class Dice(Measure):
    """The sum over batches of 2 |x y| / (x² + y²), with `smooth` added below, over the number of rows."""

    def __init__(self, smooth: float = 1e-5) -> None:
        if isinstance(smooth, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
            smooth, float | int
        ):
            raise TypeError(f"smooth of Dice is a number, not {type(smooth).__name__}")
        if smooth <= 0:
            raise ValueError(f"smooth of Dice must be positive, but is {smooth}")
        self.smooth = smooth
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self._sum = 0.0
        self._count = 0

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions and labels of one shape."""
        predicted, wanted = _require_two(inputs, "Dice")
        if predicted.shape != wanted.shape:
            raise ValueError(f"predictions and labels have the shapes {predicted.shape} and {wanted.shape}")
        both = float((predicted * wanted).sum())
        self._sum += 2 * both / (float((predicted**2).sum() + (wanted**2).sum()) + self.smooth)
        self._count += wanted.shape[0]

    def eval(self) -> float:
        """The value so far."""
        if not self._count:
            raise RuntimeError("Dice has seen nothing yet")
        return self._sum / self._count


class ConfusionMatrix(Measure):
    """How often each class (a row) was predicted as which (a column), perhaps over the sum of the row ('target'), of
    the column ('prediction'), or of all ('all')."""

    def __init__(self, num_classes: int, normalize: str = "no_norm", threshold: float = 0.5) -> None:
        if isinstance(num_classes, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
            num_classes, int
        ):
            raise TypeError(f"num_classes is an int, not {type(num_classes).__name__}")
        if normalize not in ("no_norm", "target", "prediction", "all"):
            raise ValueError(f"normalize is 'no_norm', 'target', 'prediction' or 'all', not {normalize!r}")
        if not isinstance(threshold, float):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"threshold is a float, not {type(threshold).__name__}")
        self.num_classes = num_classes
        self.normalize = normalize
        self.threshold = threshold
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self.confusion_matrix = np.zeros((self.num_classes, self.num_classes))
        self._updated = False

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions, classes or (N, C) probabilities, and labels."""
        predicted, wanted = _require_two(inputs, "ConfusionMatrix")
        if predicted.ndim not in (wanted.ndim, wanted.ndim + 1):
            raise ValueError(f"predictions of {predicted.ndim} dimensions do not fit labels of {wanted.ndim}")
        if predicted.ndim == wanted.ndim + 1:
            predicted = predicted.argmax(1)
        elif predicted.dtype.kind == "f":
            predicted = predicted >= self.threshold
        places = wanted.astype(np.int64).ravel() * self.num_classes + predicted.astype(np.int64).ravel()
        counts = np.bincount(places, minlength=self.num_classes**2)
        self.confusion_matrix += counts.reshape(self.num_classes, self.num_classes)
        self._updated = True

    def eval(self) -> NDArray[Any]:
        """The matrix so far."""
        if not self._updated:
            raise RuntimeError("ConfusionMatrix has seen nothing yet")
        m = self.confusion_matrix
        if self.normalize == "no_norm":
            return m
        total = {"target": m.sum(1, keepdims=True), "prediction": m.sum(0, keepdims=True), "all": m.sum()}
        return np.nan_to_num(m / total[self.normalize])


class BleuScore(Measure):
    """How much of candidates' n-grams, n to `n_gram`, occurs in references (Papineni et al. 2002)."""

    def __init__(self, n_gram: int = 4, smooth: bool = False) -> None:
        if isinstance(n_gram, bool) or not isinstance(n_gram, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"n_gram is an int, not {type(n_gram).__name__}")
        if not 1 <= n_gram <= 4:
            raise ValueError(f"n_gram is from 1 to 4, not {n_gram}")
        self.n_gram = n_gram
        self.smooth = smooth
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self._found = np.zeros(self.n_gram)
        self._all = np.zeros(self.n_gram)
        self._candidates = 0
        self._references = 0.0
        self._updated = False

    def _grams(self, words: Sequence[str]) -> Counter[tuple[str, ...]]:
        return Counter(tuple(words[k : k + n]) for n in range(1, self.n_gram + 1) for k in range(len(words) - n + 1))

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take candidates (lists of words), and of each its references."""
        if len(inputs) != 2:
            raise ValueError(f"BleuScore takes candidates and references, not {len(inputs)} values")
        candidates, references = (cast("list[Any]", given) for given in inputs)
        if len(candidates) != len(references):
            raise ValueError(f"there are {len(candidates)} candidates and references of {len(references)}")
        for candidate, alternatives in zip(candidates, references, strict=True):
            self._candidates += len(candidate)
            lengths = [len(reference) for reference in alternatives]
            self._references += min(lengths, key=lambda n: abs(len(candidate) - n))
            allowed: Counter[tuple[str, ...]] = Counter()
            for reference in alternatives:
                allowed |= self._grams(reference)
            own = self._grams(candidate)
            for gram, count in (own & allowed).items():
                self._found[len(gram) - 1] += count
            for gram, count in own.items():
                self._all[len(gram) - 1] += count
        self._updated = True

    def eval(self) -> Any:
        """The score so far."""
        if not self._updated:
            raise RuntimeError("BleuScore has seen nothing yet")
        if self._found.min() == 0:
            return np.array(0.0)
        found, total = (self._found + 1, self._all + 1) if self.smooth else (self._found, self._all)
        mean = np.exp(np.log(found / total).sum() / self.n_gram)
        short = self._candidates <= self._references
        return np.array(mean * (math.exp(1 - self._references / self._candidates) if short else 1.0))


class CosineSimilarity(Measure):
    """The cosines of the angles between rows ('cosine'), or their products ('dot'); of a row with itself 0 with
    `zero_diagonal`."""

    def __init__(self, similarity: str = "cosine", reduction: str = "none", zero_diagonal: bool = True) -> None:
        if similarity not in ("cosine", "dot"):
            raise ValueError(f"similarity is 'cosine' or 'dot', not {similarity!r}")
        if reduction not in ("none", "sum", "mean"):
            raise ValueError(f"reduction is 'none', 'sum' or 'mean', not {reduction!r}")
        self.similarity = similarity
        self.reduction = reduction
        self.zero_diagonal = zero_diagonal
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self.sqr_mtx_res: NDArray[Any] | None = None

    @rearrange_inputs
    def update(self, inputs: Any) -> None:
        """Take rows."""
        rows = as_ndarray(inputs)
        if self.similarity == "cosine":
            rows = rows / np.linalg.norm(rows, axis=1, keepdims=True)
        made = rows @ rows.T
        if self.zero_diagonal:
            np.fill_diagonal(made, 0)
        self.sqr_mtx_res = {"none": lambda: made, "sum": lambda: made.sum(-1), "mean": lambda: made.mean(-1)}[
            self.reduction
        ]()

    def eval(self) -> Any:
        """The similarities of the last rows."""
        if self.sqr_mtx_res is None:
            raise RuntimeError("CosineSimilarity has seen nothing yet")
        return self.sqr_mtx_res


class ROC(Measure):
    """The receiver operating characteristic: (shares of false positives, shares of true positives, thresholds), of each
    of several classes in lists."""

    def __init__(self, class_num: int | None = None, pos_label: int | None = None) -> None:
        for what, value in (("class_num", class_num), ("pos_label", pos_label)):
            if isinstance(value, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
                value, int | None
            ):
                raise TypeError(f"{what} of ROC is an int, not {type(value).__name__}")
        self.class_num = 1 if class_num is None else class_num
        self.pos_label = pos_label
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self._seen: list[tuple[NDArray[Any], NDArray[Any]]] = []

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take scores and labels."""
        predicted, wanted = _require_two(inputs, "ROC")
        if predicted.ndim == wanted.ndim + 1:
            if predicted.shape[1] != self.class_num:
                raise ValueError(f"ROC is of {self.class_num} classes, but there are scores of {predicted.shape[1]}")
        elif predicted.ndim != wanted.ndim:
            raise ValueError(f"scores of {predicted.ndim} dimensions do not fit labels of {wanted.ndim}")
        self._seen.append((predicted, wanted))

    def eval(self) -> Any:
        """The characteristic so far."""
        if not self._seen:
            raise RuntimeError("ROC has seen nothing yet")
        predicted = np.concatenate([p for p, _ in self._seen])
        wanted = np.concatenate([w for _, w in self._seen])
        if predicted.ndim == wanted.ndim:
            positive = 1 if self.pos_label is None else self.pos_label
            return _characteristic(predicted.ravel(), wanted.ravel() == positive)
        of_classes = [_characteristic(predicted[:, k], wanted == k) for k in range(self.class_num)]
        return tuple(list(part) for part in zip(*of_classes, strict=True))


def _characteristic(scores: NDArray[Any], positive: NDArray[Any]) -> tuple[NDArray[Any], NDArray[Any], NDArray[Any]]:
    order = np.argsort(-scores, kind="stable")
    scores, positive = scores[order], positive[order]
    last = np.r_[np.nonzero(np.diff(scores))[0], scores.size - 1]
    hits = np.cumsum(positive)[last].astype(np.float64)
    misses = 1 + last - hits
    hits, misses = np.r_[0, hits], np.r_[0, misses]
    thresholds = np.r_[scores[0] + 1, scores[last]]
    if hits[-1] <= 0 or misses[-1] <= 0:
        raise ValueError("ROC needs positive and negative labels")
    return misses / misses[-1], hits / hits[-1], thresholds


def auc(x: Any, y: Any, reorder: bool = False) -> float:
    """The area under a curve through points, by trapezoids; x rises or falls, or is put in order with `reorder`."""
    xs, ys = as_ndarray(x), as_ndarray(y)
    if xs.ndim != 1 or ys.ndim != 1:
        raise ValueError("auc takes points of a curve: two vectors")
    if reorder:
        order = np.lexsort((ys, xs))
        xs, ys = xs[order], ys[order]
    steps = np.diff(xs)
    if np.any(steps < 0) and np.any(steps > 0):
        raise ValueError("x neither rises nor falls: reorder it")
    return float(np.trapezoid(ys, xs)) * (-1.0 if np.any(steps < 0) else 1.0)


METRICS.update(
    dice=Dice, roc_curve=ROC, confusion_matrix=ConfusionMatrix, bleu_score=BleuScore, cosine_similarity=CosineSimilarity
)
