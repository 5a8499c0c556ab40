"""A metric of how often each of two answers is right: rates by the names that confusion matrices have in several
fields."""

from __future__ import annotations

from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from jitcore.nn.measures import rearrange_inputs
from jitcore.nn.metrics import METRICS, Measure

_ALIASES: Final = {
    alias: name
    for name, aliases in {
        "tpr": "sensitivity recall hit_rate true_positive_rate",
        "tnr": "specificity selectivity true_negative_rate",
        "ppv": "precision positive_predictive_value",
        "npv": "negative_predictive_value",
        "fnr": "miss_rate false_negative_rate",
        "fpr": "fall_out false_positive_rate",
        "fdr": "false_discovery_rate",
        "for": "false_omission_rate",
        "pt": "prevalence_threshold",
        "ts": "threat_score critical_success_index csi",
        "acc": "accuracy",
        "ba": "balanced_accuracy",
        "f1": "f1_score",
        "mcc": "matthews_correlation_coefficient",
        "fm": "fowlkes_mallows_index",
        "bm": "informedness bookmaker_informedness",
        "mk": "markedness deltap",
    }.items()
    for alias in (name, *aliases.split())
}
_REDUCTIONS: Final = ("none", "mean", "sum", "mean_batch", "sum_batch", "mean_channel", "sum_channel")


def _rate(name: str, counts: NDArray[Any]) -> NDArray[Any]:
    """A rate of true and false positives, true and false negatives (the last axis); NaN where it is of nothing."""
    tp, fp, tn, fn = (counts[..., k] for k in range(4))
    p, n = tp + fn, fp + tn

    def share(part: Any, whole: Any) -> Any:
        return np.where(whole != 0, part / np.where(whole != 0, whole, 1), np.nan)

    tpr, tnr, ppv, npv = share(tp, p), share(tn, n), share(tp, tp + fp), share(tn, tn + fn)
    found: dict[str, Any] = {
        "tpr": tpr,
        "tnr": tnr,
        "ppv": ppv,
        "npv": npv,
        "fnr": share(fn, p),
        "fpr": share(fp, n),
        "fdr": share(fp, fp + tp),
        "for": share(fn, fn + tn),
        "pt": share(np.sqrt(tpr * (1 - tnr)) + tnr - 1, tpr + tnr - 1),
        "ts": share(tp, tp + fn + fp),
        "acc": share(tp + tn, p + n),
        "ba": (tpr + tnr) / 2,
        "f1": share(2 * tp, 2 * tp + fn + fp),
        "mcc": share(tp * tn - fp * fn, np.sqrt((tp + fp) * p * n * (tn + fn))),
        "fm": np.sqrt(ppv * tpr),
        "bm": tpr + tnr - 1,
        "mk": ppv + npv - 1,
    }
    return found[name]


def _mean(values: NDArray[Any], known: NDArray[Any], axis: int) -> tuple[NDArray[Any], NDArray[Any]]:
    """(the means of what is known, 0 where nothing is; of how many)."""
    count = known.sum(axis)
    return np.where(count > 0, np.where(known, values, 0).sum(axis) / np.maximum(count, 1), 0.0), count


def _reduced(values: NDArray[Any], how: str) -> tuple[NDArray[Any], NDArray[Any]]:
    """(values (batch, classes) over classes and samples, of how many that are numbers)."""
    known = ~np.isnan(values)
    if how == "mean":
        of_samples, count = _mean(values, known, 1)
        return _mean(of_samples, count > 0, 0)
    clean = np.where(known, values, 0.0)
    kind, _, along = how.partition("_")
    if kind == "mean":
        return _mean(clean, known, 0 if along == "batch" else 1)
    if kind == "sum":
        axes = {"": (0, 1), "batch": (0,), "channel": (1,)}[along]
        return clean.sum(axes), known.sum(axes)
    return clean, known


class ConfusionMatrixMetric(Measure):
    """A rate of right and wrong answers, one-hot (N, C, …): of all samples together, or the mean of the samples' with
    `calculation_method`.

    >>> metric = ConfusionMatrixMetric(metric_name="tpr")
    >>> metric.update([[[0], [1]], [[1], [0]]], [[[0], [1]], [[0], [1]]])
    >>> print(metric.eval())
    [0.5]
    """

    def __init__(
        self,
        skip_channel: bool = True,
        metric_name: str = "sensitivity",
        calculation_method: bool = False,
        decrease: str = "mean",
    ) -> None:
        kinds: tuple[tuple[str, Any, type], ...] = (
            ("skip_channel", skip_channel, bool),
            ("calculation_method", calculation_method, bool),
            ("metric_name", metric_name, str),
            ("decrease", decrease, str),
        )
        for what, given, kind in kinds:
            if not isinstance(given, kind):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{what} of ConfusionMatrixMetric is a {kind.__name__}, not {type(given).__name__}")
        if decrease not in _REDUCTIONS:
            raise ValueError(f"decrease is one of {', '.join(_REDUCTIONS)}, not {decrease!r}")
        self.skip_channel, self.metric_name = skip_channel, metric_name
        self.calculation_method, self.decrease = calculation_method, decrease
        super().__init__()

    def clear(self) -> None:
        """Begin anew."""
        self._counts = np.zeros(4)
        self._sum = 0.0
        self._number = 0

    def _name(self) -> str:
        name = self.metric_name.replace(" ", "_").lower()
        if name not in _ALIASES:
            raise NotImplementedError(f"there is no rate {self.metric_name!r}")
        return _ALIASES[name]

    @rearrange_inputs
    def update(self, *inputs: Any) -> None:
        """Take predictions and labels."""
        if len(inputs) != 2:
            raise ValueError(f"ConfusionMatrixMetric takes predictions and labels, not {len(inputs)} values")
        predicted, wanted = (self._convert_data(v) for v in inputs)
        if not np.all(wanted.astype(np.uint8) == wanted):
            raise ValueError("ConfusionMatrixMetric takes labels of 0 and 1")
        if predicted.ndim < 2 or predicted.shape != wanted.shape:
            raise ValueError(f"predictions of shape {predicted.shape} do not fit labels of {wanted.shape}")
        if not self.skip_channel and predicted.shape[1] > 1:
            predicted, wanted = predicted[:, 1:], wanted[:, 1:]
        a, b = (v.astype(float).reshape(*v.shape[:2], -1) for v in (predicted, wanted))
        tp, tn = ((a + b == k).sum(-1).astype(float) for k in (2, 0))
        positive = b.sum(-1)
        counts = np.stack([tp, b.shape[-1] - positive - tn, tn, positive - tp], -1)
        if not self.calculation_method:
            self._counts += counts.sum((0, 1))
            return
        if predicted.ndim == 2 or (predicted.ndim == 3 and predicted.shape[-1] == 1):
            raise ValueError("ConfusionMatrixMetric rates samples one by one only if they have several elements")
        value, number = _reduced(_rate(self._name(), counts), self.decrease)
        self._sum += value.item() * int(number.item())
        self._number += int(number.item())

    def eval(self) -> Any:
        """The rate so far."""
        if not self.calculation_method:
            return _rate(self._name(), self._counts[None])
        if not self._number:
            raise RuntimeError("ConfusionMatrixMetric has seen nothing yet")
        return self._sum / self._number


METRICS["confusion_matrix_metric"] = ConfusionMatrixMetric
