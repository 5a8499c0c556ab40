"""Metrics: what an evaluation says about a network, gathered batch by batch."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import NDArray

from jitcore.primitives.core import constructing
from jitcore.runtime.tensor import Tensor


def as_ndarray(value: Any) -> NDArray[Any]:
    """A Tensor or what else a metric is given as an ndarray."""
    return np.asarray(value.asnumpy() if isinstance(value, Tensor) else value)


def classes_of(wanted: NDArray[Any], predicted: NDArray[Any]) -> NDArray[Any]:
    """Labels as class indices, given as such or one-hot. Raises ValueError for what is neither."""
    if wanted.ndim + 1 == predicted.ndim:
        return wanted
    hot = wanted.shape == predicted.shape and np.all((wanted == 0) | (wanted == 1)) and np.all(wanted.sum(1) == 1)
    if not hot:
        raise ValueError(
            f"labels of shape {wanted.shape} are no classes, nor one-hot, for predictions of {predicted.shape}"
        )
    return wanted.argmax(1)


class Metric:
    """The base of metrics: `clear()` begins anew, `update(…)` takes a batch, `eval()` gives the value so far."""

    _indexes: list[int] | None = None

    def clear(self) -> None:
        """Begin anew."""
        raise NotImplementedError

    def update(self, *inputs: Any) -> None:
        """Take a batch."""
        raise NotImplementedError

    def eval(self) -> Any:
        """The value so far."""
        raise NotImplementedError

    def __call__(self, *inputs: Any) -> Any:
        """The value of a batch alone: what came before is forgotten."""
        self.clear()
        self.update(*inputs)
        return self.eval()

    @property
    def indexes(self) -> list[int] | None:
        """Which outputs of the network `update` gets; None: those it is written for."""
        return self._indexes

    def set_indexes(self, indexes: list[int]) -> Metric:
        """Say which outputs of the network `update` gets."""
        self._indexes = list(indexes)
        return self

    def _convert_data(self, data: Any) -> NDArray[Any]:
        """What metrics that users derive make of the outputs that they are given."""
        if not isinstance(data, Tensor | list | np.ndarray):
            raise TypeError(f"{type(self).__name__} takes a Tensor, a list or an ndarray, not {type(data).__name__}")
        return as_ndarray(data)

    def _check_onehot_data(self, data: NDArray[Any]) -> bool:
        """Whether every row along axis 1 has one 1 and otherwise zeros."""
        return data.ndim > 1 and bool(np.isin(data, (0, 1)).all()) and bool((data.sum(axis=1) == 1).all())

    def _two(self, inputs: tuple[Any, ...]) -> tuple[NDArray[Any], NDArray[Any]]:
        chosen = inputs if self._indexes is None else tuple(inputs[k] for k in self._indexes)
        if len(chosen) != 2:
            raise ValueError(f"{type(self).__name__} takes predictions and labels, not {len(chosen)} values")
        return as_ndarray(chosen[0]), as_ndarray(chosen[1])


class Measure(Metric):
    """The base of the metrics here, which have begun when they are made."""

    def __init__(self) -> None:
        self.clear()


class _Mean(Measure):
    """A sum over the number of what was summed."""

    def clear(self) -> None:
        """Begin anew."""
        self._sum = 0.0
        self._count = 0

    def eval(self) -> Any:
        """The mean so far. Raises RuntimeError if there is nothing yet."""
        if not self._count:
            raise RuntimeError(f"{type(self).__name__} has seen nothing yet")
        return self._sum / self._count


class Loss(_Mean):
    """The mean of the losses."""

    def update(self, *inputs: Any) -> None:
        """Take the loss of a batch."""
        loss = as_ndarray(inputs[0])
        if loss.size != 1:
            raise ValueError(f"a loss is one number, not an array of shape {loss.shape}")
        self._sum += float(loss.reshape(()))
        self._count += 1


class MAE(_Mean):
    """The mean absolute difference."""

    def update(self, *inputs: Any) -> None:
        """Take predictions and labels."""
        predicted, wanted = self._two(inputs)
        self._sum += float(np.abs(predicted.reshape(wanted.shape) - wanted).sum())
        self._count += wanted.shape[0] if wanted.ndim else 1


class MSE(_Mean):
    """The mean squared difference."""

    def update(self, *inputs: Any) -> None:
        """Take predictions and labels."""
        predicted, wanted = self._two(inputs)
        self._sum += float(((predicted.reshape(wanted.shape) - wanted) ** 2).sum())
        self._count += wanted.shape[0] if wanted.ndim else 1


class TopKCategoricalAccuracy(_Mean):
    """The share of labels among the k most likely classes."""

    def __init__(self, k: int) -> None:
        if k < 1:
            raise ValueError(f"k must be positive, but is {k}")
        self.k = k
        super().__init__()

    def update(self, *inputs: Any) -> None:
        """Take probabilities (N, C) and labels (N,) or (N, C)."""
        predicted, wanted = self._two(inputs)
        if wanted.ndim == predicted.ndim:
            wanted = wanted.argmax(-1)
        best = np.argsort(-predicted, axis=-1, kind="stable")[..., : self.k]
        self._sum += float((best == wanted[..., None]).any(-1).sum())
        self._count += wanted.size


class Top1CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of labels that are the most likely class."""

    def __init__(self) -> None:
        super().__init__(1)


class Top5CategoricalAccuracy(TopKCategoricalAccuracy):
    """The share of labels among the five most likely classes."""

    def __init__(self) -> None:
        super().__init__(5)


def _eval_type(cls: type[Measure], eval_type: str) -> str:
    if eval_type not in ("classification", "multilabel"):
        unknown = TypeError(f"eval_type is 'classification' or 'multilabel', not {eval_type!r}")
        raise constructing.worded(cls, unknown, eval_type=eval_type)
    return eval_type


class Accuracy(_Mean):
    """The share of right predictions: of classes ('classification'), or of all labels of a row ('multilabel')."""

    def __init__(self, eval_type: str = "classification") -> None:
        self.eval_type = _eval_type(type(self), eval_type)
        super().__init__()

    def update(self, *inputs: Any) -> None:
        """Take predictions (N, C) and labels (N,) or (N, C)."""
        predicted, wanted = self._two(inputs)
        if self.eval_type == "multilabel":
            right = (np.round(predicted) == wanted).reshape(wanted.shape[0], -1).all(-1)
        else:
            right = predicted.argmax(1) == classes_of(wanted, predicted)
        self._sum += float(right.sum())
        self._count += right.size


class _Counts(Measure):
    """How many of each class ('multilabel': of each row) were predicted, wanted, and both."""

    def __init__(self, eval_type: str = "classification") -> None:
        self.eval_type = _eval_type(type(self), eval_type)
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self._both: NDArray[Any] = np.zeros(0)
        self._predicted: NDArray[Any] = np.zeros(0)
        self._wanted: NDArray[Any] = np.zeros(0)

    def update(self, *inputs: Any) -> None:
        """Take predictions (N, C) and labels (N,) or (N, C)."""
        predicted, wanted = self._two(inputs)
        if self.eval_type == "multilabel":
            self._update_rows(predicted, wanted)
            return
        classes = predicted.shape[1]
        wanted = classes_of(wanted, predicted)
        chosen = predicted.argmax(1)
        if not self._both.size:
            self._both, self._predicted, self._wanted = (np.zeros(classes) for _ in range(3))
        self._both += np.bincount(chosen[chosen == wanted], minlength=classes)
        self._predicted += np.bincount(chosen, minlength=classes)
        self._wanted += np.bincount(wanted, minlength=classes)

    def _update_rows(self, predicted: NDArray[Any], wanted: NDArray[Any]) -> None:
        if predicted.shape != wanted.shape:
            raise ValueError(f"predictions and labels have the shapes {predicted.shape} and {wanted.shape}")
        columns = tuple(range(1, predicted.ndim))
        self._both = np.append(self._both, (predicted * wanted).sum(columns))
        self._predicted = np.append(self._predicted, predicted.sum(columns))
        self._wanted = np.append(self._wanted, wanted.sum(columns))

    def _share(self, of: NDArray[Any], average: bool) -> Any:
        if not self._both.size:
            raise RuntimeError(f"{type(self).__name__} has seen nothing yet")
        shares = np.divide(self._both, of, out=np.zeros_like(self._both), where=of > 0)
        return float(shares.mean()) if average else shares


class Precision(_Counts):
    """Of what was predicted for each class, the share that is right."""

    def eval(self, average: bool = False) -> Any:
        """A share for each class, or their mean."""
        return self._share(self._predicted, average)


class Recall(_Counts):
    """Of what is of each class, the share that was predicted."""

    def eval(self, average: bool = False) -> Any:
        """A share for each class, or their mean."""
        return self._share(self._wanted, average)


class F1(_Counts):
    """The harmonic mean of precision and recall of each class."""

    def __init__(self) -> None:
        super().__init__()

    def eval(self, average: bool = False) -> Any:
        """A value for each class, or their mean."""
        return self._share((self._predicted + self._wanted) / 2, average)


class Perplexity(_Mean):
    """exp of the mean cross entropy of probabilities (N, C) against labels (N,), some of them ignored."""

    def __init__(self, ignore_label: int | None = None) -> None:
        self.ignore_label = ignore_label
        super().__init__()

    def update(self, *inputs: Any) -> None:
        """Take probabilities and labels."""
        predicted, wanted = self._two(inputs)
        labels = wanted.reshape(-1).astype(np.int64)
        rows = predicted.reshape(labels.size, -1)
        counted = np.ones(labels.size, bool) if self.ignore_label is None else labels != self.ignore_label
        chosen = rows[np.arange(labels.size), np.where(counted, labels, 0)]
        self._sum -= float(np.log(np.maximum(1e-10, chosen))[counted].sum())
        self._count += int(counted.sum())

    def eval(self) -> Any:
        """The perplexity so far."""
        return math.exp(super().eval())


METRICS: dict[str, type[Metric]] = {
    "accuracy": Accuracy,
    "acc": Accuracy,
    "precision": Precision,
    "recall": Recall,
    "F1": F1,
    "top_1_accuracy": Top1CategoricalAccuracy,
    "top_5_accuracy": Top5CategoricalAccuracy,
    "mae": MAE,
    "mse": MSE,
    "loss": Loss,
    "perplexity": Perplexity,
}
"""Metrics by the names they have as strings."""


def names() -> list[str]:
    """The names of all metrics."""
    return list(METRICS)


def get_metric_fn(name: str, *args: Any, **keywords: Any) -> Metric:
    """A new metric by name. Raises KeyError if there is none of that name."""
    if name not in METRICS:
        raise KeyError(f"there is no metric {name!r}; there are {', '.join(METRICS)}")
    return METRICS[name](*args, **keywords)
