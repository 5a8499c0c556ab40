"""MindSpore's checks of metrics, of Models and of what scales the loss."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from jitcore.compat.mindspore.checking import Rel, Validator
from jitcore.nn import Cell
from jitcore.nn.metrics import (
    F1,
    MAE,
    METRICS,
    MSE,
    Accuracy,
    Loss,
    Metric,
    Perplexity,
    Precision,
    Recall,
    TopKCategoricalAccuracy,
    as_ndarray,
)
from jitcore.train.callback import EarlyStopping, ModelCheckpoint
from jitcore.train.loss_scale import DynamicLossScaleManager, FixedLossScaleManager
from jitcore.train.model import Model

Check = Callable[..., None]

# --- metrics ----------------------------------------------------------------------------------------

_NAMES: Final[dict[type, str]] = {
    Accuracy: "Accuracy", MAE: "MAE", MSE: "MSE", Perplexity: "Perplexity", Precision: "Precision", Recall: "Recall",
    F1: "Fbeta", TopKCategoricalAccuracy: "TopKCategoricalAccuracy", Loss: "Loss",
}  # fmt: skip
_INPUTS: Final = (
    "please check whether your inputs(predicted value, true value) are empty, "
    "or has called update method before calling eval method."
)
_SPACED: Final = _INPUTS.replace("inputs(", "inputs (")
_EMPTY: Final[dict[str, str]] = {
    "Accuracy": _INPUTS, "MAE": _INPUTS, "MSE": _INPUTS, "Precision": _SPACED, "Recall": _SPACED, "Fbeta": _SPACED,
    "TopKCategoricalAccuracy": _SPACED,
    "Loss": "please check whether has called update method before calling eval method.",
    "Perplexity": "please check whether the update method has been called before calling eval method.",
}  # fmt: skip


def _name(metric: Metric) -> str | None:
    return next((name for cls, name in _NAMES.items() if isinstance(metric, cls)), None)


def _pair(metric: Metric, inputs: tuple[Any, ...]) -> None:
    """How many values a metric of predictions and labels is given, and whether their shapes are those of classes."""
    name = _name(metric)
    count = len(metric.indexes or inputs)
    if name is None or len(inputs) < count:
        return
    if count != 2:
        second, end = ("label" if name == "Perplexity" else "true value"), "" if name == "Accuracy" else "."
        raise ValueError(f"For '{name}.update', it needs 2 inputs (predicted value, {second}), but got {count}{end}")
    if isinstance(metric, Accuracy | Precision | Recall):
        chosen = inputs if metric.indexes is None else [inputs[k] for k in metric.indexes]
        _require_classes(metric, as_ndarray(chosen[0]), as_ndarray(chosen[1]))


def _require_classes(metric: Any, predicted: Any, wanted: Any) -> None:
    if metric.eval_type != "classification":
        return
    if predicted.ndim == wanted.ndim and metric._check_onehot_data(wanted):
        return
    if predicted.ndim != wanted.ndim + 1:
        raise ValueError(
            "In classification case, the dimension of y_pred (predicted value) should equal to the dimension of y "
            f"(true value) add 1, but got y_pred dimension: {predicted.ndim} and y dimension: {wanted.ndim}."
        )
    if wanted.shape != (predicted.shape[0], *predicted.shape[2:]):
        raise ValueError(
            "In classification case, y_pred (predicted value) shape and y (true value) shape can not match, y shape "
            "should be equal to y_pred shape that the value at index 1 is deleted. Such as y_pred shape (1, 2, 3), "
            f"then y shape should be (1, 3). But got y_pred shape {predicted.shape} and y shape {wanted.shape}"
        )


def _loss(metric: Loss, *inputs: Any) -> None:
    if len(inputs) != 1:
        raise ValueError(f"For 'Loss.update', it needs 1 input (loss), but got {len(inputs)}")
    rank = as_ndarray(inputs[0]).ndim
    if rank > 1:
        raise ValueError(f"For 'Loss.update', the dimension of your input (loss) must be 1, but got {rank}.")


def _require_some(metric: Any, is_empty: bool) -> None:
    name = _name(metric)
    if is_empty and name is not None:
        raise RuntimeError(f"The '{name}' can not be calculated, because the number of samples is 0, {_EMPTY[name]}")


def _mean(metric: Any) -> None:
    _require_some(metric, not metric._count)


def _share(metric: Any, average: Any = False) -> None:
    _require_some(metric, not metric._both.size)
    Validator.check_value_type("average", average, [bool], "F1" if isinstance(metric, F1) else None)


def _top_k(metric: Any, k: Any) -> None:
    where = "For 'TopKCategoricalAccuracy', the"
    if not isinstance(k, int):
        raise TypeError(f"{where} type of the argument 'k' should be int, but got 'k' type: {type(k)}.")
    if k < 1:
        raise ValueError(f"{where} argument 'k' must be at least 1, but got 'k' value: {k}.")


def _indexes(metric: Metric, indexes: Any) -> None:
    if not isinstance(indexes, list) or not all(
        isinstance(i, int)
        for i in indexes  # pyright: ignore[reportUnknownVariableType]
    ):
        raise ValueError(
            "For 'set_indexes', the argument 'indexes' must be a list and all its elements must be int, "
            "please check whether it is correct."
        )


def _ignored(metric: Perplexity, ignore_label: Any = None) -> None:
    if ignore_label is not None:
        Validator.check_value_type("ignore_label", ignore_label, [int])


# --- Models -----------------------------------------------------------------------------------------

_OPTIONS: Final = ("loss_scale_manager", "keep_batchnorm_fp32", "boost_config_dict", "acc_level")


def _model(
    model: Model,
    network: Any,
    loss_fn: Any = None,
    optimizer: Any = None,
    metrics: Any = None,
    eval_network: Any = None,
    eval_indexes: Any = None,
    amp_level: Any = "O0",
    boost_level: Any = "O0",
    **options: Any,
) -> None:
    Validator.check_value_type("network", network, [Cell])
    if optimizer is None and amp_level != "O0":
        raise ValueError(
            "Auto mixed precision will not work because 'optimizer' is None.Please set amp_level='O0' to disable auto "
            "mixed precision or set 'optimizer' not be None to use auto mixed precision."
        )
    for name in options:
        if name not in _OPTIONS:
            shown = " or ".join(repr(n) for n in _OPTIONS)
            raise ValueError(f"The argument in 'kwargs' should be {shown}, but got '{name}'.")
    _metrics(metrics)
    if eval_network is not None:
        three = isinstance(eval_indexes, list) and len(eval_indexes) == 3  # pyright: ignore[reportUnknownArgumentType]
        if eval_indexes is not None and not three:
            raise ValueError(
                "The argument 'eval_indexes' must be a list or None. If 'eval_indexes' is a list, length of it must be "
                f"three. But got 'eval_indexes' {eval_indexes}"
            )
    elif metrics and loss_fn is None:
        raise ValueError(
            "If `metrics` is set, `eval_network` must not be None. "
            "Do not set `metrics` if you don't want an evaluation."
        )


def _metrics(metrics: Any) -> None:
    if metrics is None:
        return
    where = "For 'get_metrics',"
    if isinstance(metrics, dict):
        for name, metric in metrics.items():  # pyright: ignore[reportUnknownVariableType]
            if not isinstance(name, str) or not isinstance(metric, Metric):
                raise TypeError(
                    f"{where} if 'metrics' is dict, the key in 'metrics' must be string and value in 'metrics' must be "
                    f"Metric, but got key:{type(name)}, value:{type(metric)}."
                )
    elif isinstance(metrics, set):
        for name in metrics:  # pyright: ignore[reportUnknownVariableType]
            if name not in METRICS:
                raise KeyError(
                    f"For 'get_metric_fn', unsupported metric {name}, please refer to official website for more "
                    "details about supported metrics."
                )
    else:
        raise TypeError(f"{where} the argument 'metrics' must be None, dict or set, but got {metrics}")


def _eval(model: Any, *args: Any, **keywords: Any) -> None:
    if not model._metrics:
        raise ValueError(
            "For Model.eval, the model argument 'metrics' can not be None or empty, "
            "you should set the argument 'metrics' for model."
        )


def _epochs(model: Any, epoch: Any, *args: Any, **keywords: Any) -> None:
    Validator.check_positive_int(epoch)


# --- callbacks --------------------------------------------------------------------------------------


def _prefix(callback: Any, prefix: Any = "CKP", *args: Any, **keywords: Any) -> None:
    if not callable(prefix) and (not isinstance(prefix, str) or "/" in prefix):
        raise ValueError(
            "For 'ModelCheckpoint', the argument 'prefix' for checkpoint file name is invalid, it must be callable or "
            f"string that does not contain '/', but got {prefix}."
        )


def _stopping(
    callback: Any, monitor: Any = "eval_loss", min_delta: Any = 0, patience: Any = 0, verbose: Any = False,
    mode: Any = "auto", *args: Any, **keywords: Any,
) -> None:  # fmt: skip
    if mode not in ("auto", "min", "max"):
        raise ValueError(f"mode should be 'auto', 'min' or 'max', but got {mode}.")


# --- scaling the loss -------------------------------------------------------------------------------


def _fixed(manager: Any, loss_scale: Any = 128.0, drop_overflow_update: Any = True) -> None:
    if isinstance(loss_scale, int | float) and loss_scale < 1:
        raise ValueError(f"The argument 'loss_scale' must be >= 1, but got {loss_scale}")


def _dynamic(manager: Any, init_loss_scale: Any = 2**24, scale_factor: Any = 2, scale_window: Any = 2000) -> None:
    if isinstance(init_loss_scale, int | float) and init_loss_scale < 1:
        raise ValueError(f"The argument 'init_loss_scale' must be > 1, but got {init_loss_scale}")
    if isinstance(scale_factor, int) and scale_factor <= 0:
        raise ValueError(f"The argument 'scale_factor' must be > 0, but got {scale_factor}")
    Validator.check_int(scale_window, 0, Rel.GT, "scale_window", "DynamicLossScaleManager")


CHECKS: Final[dict[tuple[type, str], Check]] = {
    (Metric, "_two"): _pair,
    (Metric, "set_indexes"): _indexes,
    (Loss, "update"): _loss,
    **{(cls, "eval"): _mean for cls in (Accuracy, MAE, MSE, Loss, Perplexity, TopKCategoricalAccuracy)},
    **{(cls, "eval"): _share for cls in (Precision, Recall, F1)},
    (TopKCategoricalAccuracy, "__init__"): _top_k,
    (Perplexity, "__init__"): _ignored,
    (Model, "__init__"): _model,
    (Model, "eval"): _eval,
    (Model, "train"): _epochs,
    (Model, "fit"): _epochs,
    (ModelCheckpoint, "__init__"): _prefix,
    (EarlyStopping, "__init__"): _stopping,
    (FixedLossScaleManager, "__init__"): _fixed,
    (DynamicLossScaleManager, "__init__"): _dynamic,
}
"""What is checked before a method."""
