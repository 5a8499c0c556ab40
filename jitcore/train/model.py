"""Model: a network with a loss, an optimizer and metrics, trained and evaluated on datasets."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sized
from contextlib import ExitStack
from typing import Any, cast

from jitcore import nn
from jitcore.bars import bar
from jitcore.nn.metrics import Loss, Metric, get_metric_fn
from jitcore.train import amp
from jitcore.train.callback import Callback, Callbacks, Parameters, RunContext

Chosen = Callback | list[Callback] | tuple[Callback, ...] | None


class Model:
    """A network that is trained and evaluated batch by batch.

    `loss_fn(output, label)` is left out if the network gives the loss itself, `optimizer` if it is a step of training
    itself. `metrics` are metrics by name, a set of names, or a dict of names and metrics. Every step is one compiled
    function.
    """

    def __init__(
        self,
        network: nn.Cell,
        loss_fn: Any = None,
        optimizer: Any = None,
        metrics: Any = None,
        eval_network: nn.Cell | None = None,
        eval_indexes: list[int] | None = None,
        amp_level: str = "O0",
        boost_level: str = "O0",
        loss_scale_manager: Any = None,
        **_: Any,
    ) -> None:
        del boost_level
        if amp_level not in ("O0", "O1", "O2", "O3", "auto"):
            raise ValueError(f"amp_level is 'O0', 'O1', 'O2', 'O3' or 'auto', not {amp_level!r}")
        if eval_network is not None and loss_fn is None and eval_indexes is not None and len(eval_indexes) != 3:
            raise ValueError(f"eval_indexes are the places of loss, predictions and labels, not {eval_indexes!r}")
        if eval_network is not None and not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
            eval_indexes, list | None
        ):
            raise ValueError(f"eval_indexes is a list, not {type(eval_indexes).__name__}")
        self._network = network
        self._loss_fn = loss_fn
        self._optimizer = optimizer
        self._metrics = _metrics_of(metrics)
        if metrics and eval_network is None and loss_fn is None:
            raise ValueError("metrics need a loss_fn or an eval_network")
        self._eval_indexes = eval_indexes
        network = amp.auto_mixed_precision(network, amp_level)
        with_loss = network if loss_fn is None else nn.WithLossCell(network, loss_fn)
        self._train_network: nn.Cell = with_loss
        if optimizer is not None:
            self._train_network = amp.training_step(with_loss, optimizer, loss_scale_manager)
        self._eval_network = eval_network
        if eval_network is None and loss_fn is not None:
            self._eval_network = nn.WithEvalCell(network, loss_fn)
            self._eval_indexes = [0, 1, 2]

    @property
    def train_network(self) -> nn.Cell:
        """What a step of training is."""
        return self._train_network

    @property
    def eval_network(self) -> nn.Cell | None:
        """What a step of evaluating is."""
        return self._eval_network

    @property
    def predict_network(self) -> nn.Cell:
        """The network."""
        return self._network

    def _told(self, mode: str, dataset: Any, epochs: int) -> Parameters:
        return Parameters(
            mode=mode,
            network=self._network,
            train_network=self._train_network,
            eval_network=self._eval_network,
            loss_fn=self._loss_fn,
            optimizer=self._optimizer,
            epoch_num=epochs,
            batch_num=length(dataset),
            cur_epoch_num=0,
            cur_step_num=0,
            net_outputs=None,
            metrics={},
        )

    def train(
        self,
        epoch: int,
        train_dataset: Any,
        callbacks: Chosen = None,
        dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train for epochs `initial_epoch` + 1 to `epoch` over a dataset (or an iterable of tuples of inputs)."""
        _require_sink_mode(dataset_sink_mode)
        self._train(epoch, train_dataset, callbacks, initial_epoch)

    def fit(
        self,
        epoch: int,
        train_dataset: Any,
        valid_dataset: Any = None,
        valid_frequency: int = 1,
        callbacks: Chosen = None,
        dataset_sink_mode: bool = False,
        valid_dataset_sink_mode: bool = False,
        sink_size: int = -1,
        initial_epoch: int = 0,
    ) -> None:
        """Train, evaluating on another dataset every `valid_frequency` epochs."""
        _require_sink_mode(dataset_sink_mode)
        _require_sink_mode(valid_dataset_sink_mode)
        self._train(epoch, train_dataset, callbacks, initial_epoch, valid_dataset, valid_frequency)

    def _train(
        self,
        epochs: int,
        dataset: Any,
        callbacks: Chosen,
        initial: int,
        valid: Any = None,
        frequency: int = 1,
    ) -> None:
        if (
            isinstance(epochs, bool)
            or not isinstance(epochs, int)  # pyright: ignore[reportUnnecessaryIsInstance]
            or epochs <= 0
        ):
            raise ValueError(f"the number of epochs is a positive int, not {epochs!r}")
        if isinstance(initial, bool) or not isinstance(initial, int):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"initial_epoch is an int, not {type(initial).__name__}")
        if not 0 <= initial < epochs:
            raise ValueError(f"initial_epoch must be below {epochs} and not negative, but is {initial}")
        told = self._told("train", dataset, epochs)
        told.train_dataset = dataset
        told.cur_step_num = initial * told.batch_num
        context, all_of = RunContext(told), Callbacks(callbacks)
        with ExitStack() as stack:
            for callback in all_of.callbacks:
                stack.enter_context(callback)
            all_of.tell("on_train_begin", context)
            for number in range(initial + 1, epochs + 1):
                told.cur_epoch_num = number
                self._epoch(dataset, all_of, context)
                if valid is not None and number % frequency == 0:
                    told.metrics = self.eval(valid)
                all_of.tell("on_train_epoch_end", context)
                if context.get_stop_requested():
                    break
            all_of.tell("on_train_end", context)

    def _epoch(self, dataset: Any, callbacks: Callbacks, context: RunContext) -> None:
        told = context.original_args()
        self._train_network.set_train()
        callbacks.tell("on_train_epoch_begin", context)
        label = f"epoch {told.cur_epoch_num} of {told.epoch_num}"
        with bar(label, known_length(dataset)) as shown:
            for inputs in batches(dataset):
                told.cur_step_num += 1
                told.train_dataset_element = inputs
                callbacks.tell("on_train_step_begin", context)
                told.net_outputs = self._train_network(*inputs)
                if callbacks.callbacks:  # which print
                    shown.hide()
                callbacks.tell("on_train_step_end", context)
                shown.advance()
                if context.get_stop_requested():
                    break

    def eval(self, valid_dataset: Any, callbacks: Chosen = None, dataset_sink_mode: bool = False) -> dict[str, Any]:
        """The metrics of the network on a dataset, by name. Raises ValueError if there are none."""
        if not self._metrics:
            raise ValueError("metrics of the Model are needed to evaluate it")
        network = self._eval_network if self._eval_network is not None else self._network
        told = self._told("eval", valid_dataset, 1)
        context, all_of = RunContext(told), Callbacks(callbacks)
        for metric in self._metrics.values():
            metric.clear()
        network.set_train(False)
        told.cur_epoch_num = 1
        all_of.tell("on_eval_begin", context)
        all_of.tell("on_eval_epoch_begin", context)
        with bar("evaluating", known_length(valid_dataset)) as shown:
            for inputs in batches(valid_dataset):
                told.cur_step_num += 1
                all_of.tell("on_eval_step_begin", context)
                told.net_outputs = network(*inputs)
                self._update(told.net_outputs)
                if all_of.callbacks:  # which print
                    shown.hide()
                all_of.tell("on_eval_step_end", context)
                shown.advance()
                if context.get_stop_requested():
                    break
        found = {name: metric.eval() for name, metric in self._metrics.items()}
        told.metrics = found
        all_of.tell("on_eval_epoch_end", context)
        all_of.tell("on_eval_end", context)
        return found

    def _update(self, outputs: Any) -> None:
        given: tuple[Any, ...] = outputs if isinstance(outputs, tuple) else (outputs,)
        for metric in self._metrics.values():
            if self._eval_indexes is None or metric.indexes is not None:
                metric.update(*given)
                continue
            loss, *rest = (given[k] for k in self._eval_indexes)
            if isinstance(metric, Loss):
                metric.update(loss)
            else:
                metric.update(*rest)

    def predict(self, *predict_data: Any, backend: Any = None) -> Any:
        """The network's output for inputs."""
        del backend
        self._network.set_train(False)
        return self._network(*predict_data)


def _require_sink_mode(mode: Any) -> None:
    if not isinstance(mode, bool):
        raise TypeError(f"dataset_sink_mode is a bool, not {type(mode).__name__}")


def _metrics_of(metrics: Any) -> dict[str, Metric]:
    if metrics is None:
        return {}
    if isinstance(metrics, Mapping):
        found = dict(cast("Mapping[str, Metric]", metrics))
        for name, metric in found.items():
            if not isinstance(metric, Metric):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"the metric {name!r} is no Metric, but a {type(metric).__name__}")
        return found
    if not isinstance(metrics, set):
        raise TypeError(f"metrics are a dict, or a set of names, not {type(metrics).__name__}")
    return {name: get_metric_fn(name) for name in cast("Iterable[str]", metrics)}


def length(dataset: Any) -> int:
    """How many steps a dataset is."""
    return max(known_length(dataset) or 1, 1)


def known_length(dataset: object) -> int | None:
    """How many steps a dataset is, if it says so."""
    size: Callable[[], int] | None = getattr(dataset, "get_dataset_size", None)
    if size is not None:
        return int(size())
    return len(cast("Sized", dataset)) if hasattr(dataset, "__len__") else None


def batches(dataset: Any) -> Iterable[tuple[Any, ...]]:
    """The inputs of each step."""
    create = getattr(dataset, "create_tuple_iterator", None)
    for row in create(num_epochs=1) if create is not None else dataset:
        yield tuple(row) if isinstance(row, tuple | list) else (row,)  # pyright: ignore[reportUnknownArgumentType]
