"""`paddle.Model`."""

from __future__ import annotations

import importlib
import warnings
from collections.abc import Callable, Iterable, Iterator, Sequence, Sized
from pathlib import Path
from typing import Any, Final, TypeAlias, cast

import numpy as np

from jitcore.compat.paddle import saving
from jitcore.compat.paddle.hapi import callbacks as calls
from jitcore.compat.paddle.hapi.summaries import summary
from jitcore.compat.paddle.io import DataLoader, Dataset, DistributedBatchSampler
from jitcore.compat.paddle.metric import Metric
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.compat.paddle.optimizer.optimizer import Optimizer
from jitcore.compat.paddle.tensor import Tensor
from jitcore.compat.torch.data.collating import converted
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor as AnyTensor

Loss: TypeAlias = Callable[..., Any]
Loader: TypeAlias = Iterable[Any]
"""What gives batches."""
_SUFFIXES: Final = ("", ".pdparams", ".pdopt", ".pdmodel")


def _listed(value: object) -> list[Any]:
    if value is None:
        return []
    return list(value) if isinstance(value, list | tuple) else [value]


def _tensors(values: object) -> list[Any]:
    return [converted(np.asarray(v) if isinstance(v, int | float | list) else v, Tensor) for v in _listed(values)]


def _flat(data: object) -> list[Any]:
    """The Tensors of a batch, one after the other."""
    if isinstance(data, dict):
        return [leaf for key in sorted(data) for leaf in _flat(data[key])]
    return [leaf for item in data for leaf in _flat(item)] if isinstance(data, list | tuple) else [data]


def _read(value: object) -> Any:
    return value.asnumpy().copy() if isinstance(value, AnyTensor) else value


class Model:
    """A network with what it is trained with.

    >>> from jitcore.compat.paddle.nn import Linear
    >>> Model(Linear(2, 1)).mode
    'train'
    """

    def __init__(self, network: Layer, inputs: object = None, labels: object = None) -> None:
        self.network = network
        self.mode = "train"
        self.stop_training = False
        self.optimizer: Any = None
        self._loss: Loss | None = None
        self._metrics: list[Any] = []
        self._inputs = _listed(inputs)
        self._labels = _listed(labels)
        self._left: int | None = None

    @property
    def _optimizer(self) -> Any:
        return self.optimizer

    def prepare(
        self,
        optimizer: Optimizer | None = None,
        loss: Loss | None = None,
        metrics: Metric | Sequence[Metric] | None = None,
        amp_configs: object = None,
    ) -> None:
        """Say what it is trained and measured with."""
        if loss is not None and not callable(loss):
            raise TypeError("'loss' must be sub classes of `paddle.nn.Layer` or any callable function.")
        if amp_configs not in (None, "O0"):
            raise NotImplementedError("paddle.Model.prepare: amp_configs; computing in float16 is not there")
        for metric in _listed(metrics):
            if not isinstance(metric, Metric):
                raise AssertionError(f"{type(metric).__name__} is not sub class of Metric")
        self.optimizer, self._loss, self._metrics = optimizer, loss, _listed(metrics)

    def parameters(self, include_sublayers: bool = True) -> list[Any]:
        """The network's Parameters."""
        return self.network.parameters(include_sublayers)

    def summary(self, input_size: object = None, dtype: object = None) -> dict[str, Any]:
        """Print the Layers with their shapes and numbers of Parameters."""
        size = input_size or [tuple(spec.shape) for spec in self._inputs]
        if not size:
            raise AssertionError("'input_size' or 'self._input' must be set")
        return summary(self.network, size, dtype)

    # --- batches --------------------------------------------------------------------------------------

    def train_batch(self, inputs: object, labels: object = None, update: bool = True) -> Any:
        """(losses, what the metrics say) of one batch, by whose gradients the Parameters are updated."""
        if self.optimizer is None or self._loss is None:
            raise AssertionError("model not ready, please call `model.prepare()` first")
        self.network.train()
        self.mode = "train"
        wanted = _tensors(labels)
        outputs = _listed(self.network(*_tensors(inputs)))
        losses = _listed(self._loss(*outputs, *wanted))
        total = losses[0]
        for loss in losses[1:]:
            total = total + loss
        total.backward()
        if update:
            self.optimizer.step()
            self.network.clear_gradients()
        return self._measured(losses, outputs, wanted)

    def eval_batch(self, inputs: object, labels: object = None) -> Any:
        """(losses, what the metrics say) of one batch."""
        self.network.eval()
        self.mode = "eval"
        wanted = _tensors(labels)
        with nodes.recording(False):
            outputs = _listed(self.network(*_tensors(inputs)))
            losses = [] if self._loss is None else _listed(self._loss(*outputs, *wanted))
            return self._measured(losses, outputs, wanted)

    def predict_batch(self, inputs: object) -> list[Any]:
        """What the network gives for one batch, as arrays."""
        self.network.eval()
        self.mode = "test"
        with nodes.recording(False):
            return [_read(output) for output in _listed(self.network(*_tensors(inputs)))]

    def _measured(self, losses: list[Any], outputs: list[Any], labels: list[Any]) -> Any:
        metrics = [metric.update(*map(_read, _listed(metric.compute(*outputs, *labels)))) for metric in self._metrics]
        found = [_read(loss) for loss in losses]
        if self._loss is None:
            return metrics
        return (found, metrics) if metrics else found

    # --- runs -----------------------------------------------------------------------------------------

    def fit(
        self,
        train_data: object = None,
        eval_data: object = None,
        batch_size: int | list[int] = 1,
        epochs: int = 1,
        eval_freq: int = 1,
        log_freq: int = 10,
        save_dir: str | None = None,
        save_freq: int = 1,
        verbose: int = 2,
        drop_last: bool = False,
        shuffle: bool = True,
        num_workers: int = 0,
        callbacks: calls.Given = None,
        accumulate_grad_batches: int = 1,
        num_iters: int | None = None,
    ) -> None:
        """Train the network for some epochs, and evaluate it between them."""
        if train_data is None:
            raise AssertionError("train_data must be given!")
        first, second = batch_size if isinstance(batch_size, list | tuple) else (batch_size, batch_size)
        train_loader = _loader(train_data, first, shuffle, drop_last, num_workers)
        eval_loader = None if eval_data is None else _loader(eval_data, second, False, False, num_workers)
        steps = _length(train_loader)
        self._left = num_iters
        if num_iters is not None and steps is not None:
            epochs, steps = num_iters // steps + 1, min(num_iters, steps)
        self.stop_training = False
        params = {"batch_size": None, "epochs": epochs, "steps": steps, "verbose": verbose}
        told = calls.configured(
            callbacks, self, {**params, "metrics": self._names()}, (log_freq, verbose), (save_freq, save_dir)
        )
        if eval_loader is None and any(isinstance(c, calls.EarlyStopping) for c in _listed(callbacks)):
            warnings.warn("EarlyStopping needs validation data.", stacklevel=2)
        told.tell("on_train_begin", None)
        logs: dict[str, Any] = {}
        for epoch in range(epochs):
            told.tell("on_epoch_begin", epoch, None)
            self._train(train_loader, told, logs, accumulate_grad_batches)
            told.tell("on_epoch_end", epoch, logs)
            if eval_loader is not None and epoch % eval_freq == 0:
                self._evaluate(eval_loader, told, _length(eval_loader))
            if self.stop_training:
                break
        told.tell("on_train_end", logs)

    def evaluate(
        self,
        eval_data: object,
        batch_size: int = 1,
        log_freq: int = 10,
        verbose: int = 2,
        num_workers: int = 0,
        callbacks: calls.Given = None,
        num_iters: int | None = None,
    ) -> dict[str, Any]:
        """The loss of the last batch, and what the metrics say of all."""
        loader = _loader(eval_data, batch_size, False, False, num_workers)
        steps = _length(loader)
        if num_iters is not None and steps is not None:
            num_iters = steps = min(num_iters, steps)
        self._left = num_iters
        params = {"batch_size": None, "epochs": None, "steps": None, "verbose": verbose, "metrics": self._names()}
        told = calls.configured(callbacks, self, params, (log_freq, verbose), (1, None))
        logs = self._evaluate(loader, told, steps)
        return {name: logs[name] for name in self._names()}

    def predict(
        self,
        test_data: object,
        batch_size: int = 1,
        num_workers: int = 0,
        stack_outputs: bool = False,
        verbose: int = 1,
        callbacks: calls.Given = None,
    ) -> list[Any]:
        """For each of the network's results, what it is for each batch, or of all one after the other."""
        loader = _loader(test_data, batch_size, False, False, num_workers)
        params = {"batch_size": None, "epochs": None, "steps": None, "verbose": verbose, "metrics": []}
        told = calls.configured(callbacks, self, params, (2, verbose), (1, None))
        told.tell("on_predict_begin", {"steps": _length(loader)})
        self._left = None
        found: list[list[Any]] = []
        logs: dict[str, Any] = {}
        for data, step in self._batches(loader, told, "predict", logs):
            count = len(self._inputs) or self._taken()
            found.append(self.predict_batch(data[:count] if count else data))
            self._ended(told, "predict", step, logs)
        outputs: list[Any] = [tuple(of_one) for of_one in zip(*found, strict=True)]
        if stack_outputs:
            outputs = [np.vstack(of_one) for of_one in outputs]
        told.tell("on_predict_end", logs)
        return outputs

    def _taken(self) -> int:
        """How many inputs the network's `forward` has."""
        code = getattr(self.network.forward, "__code__", None)
        known = getattr(self.network.forward, "__func__", None)
        code = known.__code__ if code is None and known is not None else code
        return 0 if code is None else code.co_argcount - 1

    def _names(self) -> list[str]:
        names = [] if self._loss is None else ["loss"]
        return names + [name for metric in self._metrics for name in _listed(metric.name())]

    def _train(self, loader: Loader, told: calls.Callbacks, logs: dict[str, Any], every: int) -> None:
        steps = _length(loader)
        for data, step in self._batches(loader, told, "train", logs):
            inputs, labels = self._split(data)
            made = self.train_batch(inputs, labels, (step + 1) % every == 0 or step + 1 == steps)
            self._note(made, logs)
            self._ended(told, "train", step, logs)
        self._reset()

    def _evaluate(self, loader: Loader, told: calls.Callbacks, steps: int | None) -> dict[str, Any]:
        told.tell("on_eval_begin", {"steps": steps, "metrics": self._names()})
        logs: dict[str, Any] = {}
        for data, step in self._batches(loader, told, "eval", logs):
            self._note(self.eval_batch(*self._split(data)), logs)
            self._ended(told, "eval", step, logs)
        self._reset()
        told.tell("on_eval_end", logs)
        return logs

    def _batches(
        self, loader: Loader, told: calls.Callbacks, mode: str, logs: dict[str, Any]
    ) -> Iterator[tuple[list[Any], int]]:
        """Batches with their numbers, until there have been as many as wanted."""
        for step, batch in enumerate(loader):
            data = _flat(batch)
            told.tell(f"on_{mode}_batch_begin", step, logs)
            logs["step"] = step
            logs["batch_size"] = data[0].shape[0]
            yield data, step
            if self._left is not None:
                self._left -= 1
                if self._left <= 0:
                    self.stop_training, self._left = True, None
                    return

    def _ended(self, told: calls.Callbacks, mode: str, step: int, logs: dict[str, Any]) -> None:
        told.tell(f"on_{mode}_batch_end", step, logs)

    def _split(self, data: list[Any]) -> tuple[list[Any], list[Any]]:
        """The inputs of a batch, and its labels."""
        count = len(self._inputs) or self._taken() or len(data) - 1
        return data[:count], data[count:]

    def _note(self, made: object, logs: dict[str, Any]) -> None:
        """Put losses and what the metrics say where callbacks see them."""
        values: list[Any] = []
        if self._loss is not None:
            losses = cast("Sequence[Any]", made)[0] if self._metrics else cast("Sequence[Any]", made)
            values.append([float(loss) for loss in losses])
        for metric in self._metrics:
            values.extend(_listed(metric.accumulate()))
        logs.update(zip(self._names(), values, strict=True))

    def _reset(self) -> None:
        for metric in self._metrics:
            metric.reset()

    # --- files ----------------------------------------------------------------------------------------

    def save(self, path: str, training: bool = True) -> None:
        """Write the Parameters to `path`.pdparams, what the optimizer keeps to `path`.pdopt; not for training, the
        network to a file that is loaded without its source."""
        if not training:
            saved: Any = importlib.import_module("jitcore.compat.paddle.jit")
            saved.save(self.network, path, input_spec=self._inputs or None)
            return
        saving.save(self.network.state_dict(), f"{path}.pdparams")
        if self.optimizer is not None:
            kept = self.optimizer.state_dict()
            if kept:
                saving.save(kept, f"{path}.pdopt")

    def load(self, path: str, skip_mismatch: bool = False, reset_optimizer: bool = False) -> None:
        """Read what `save` wrote. Raises ValueError for Parameters that are not in the file, or of other shapes."""
        file = Path(path)
        if file.suffix in _SUFFIXES:
            path = str(file.with_suffix("")) if file.suffix else path
        if not Path(f"{path}.pdparams").exists():
            raise AssertionError(f"Failed to load parameters, please check path: there is no {path}.pdparams")
        state = cast("dict[str, Any]", saving.load(f"{path}.pdparams"))
        pairs: list[tuple[Any, Any]] = []
        for key, held in self.network.state_dict().items():
            fault = _fault(key, held, state.get(key))
            if fault and not skip_mismatch:
                raise ValueError(fault)
            if fault:
                warnings.warn(f"Skip loading for {key}. {fault}", stacklevel=2)
                reset_optimizer = True
            else:
                pairs.append((held, state[key]))
        for held, value in pairs:
            held.set_value(value)
        if self.optimizer is not None and not reset_optimizer and Path(f"{path}.pdopt").exists():
            self.optimizer.set_state_dict(saving.load(f"{path}.pdopt"))


def _fault(key: str, held: Tensor, given: Tensor | None) -> str:
    """What keeps a value from being loaded."""
    if given is None:
        return f"{key} is not found in the providing file."
    if list(given.shape) != list(held.shape):
        return f"{key} receives a shape {list(given.shape)}, but the expected shape is {list(held.shape)}."
    return ""


def _loader(data: object, batch_size: int, shuffle: bool, drop_last: bool, workers: int) -> Any:
    """A loader of a dataset's batches; what is no dataset gives batches itself."""
    if not isinstance(data, Dataset):
        return data
    sampler = DistributedBatchSampler(data, batch_size, shuffle=shuffle, drop_last=drop_last)
    return DataLoader(data, batch_sampler=sampler, num_workers=workers)


def _length(loader: Loader) -> int | None:
    """How many batches there are, where that is known."""
    try:
        return len(cast("Sized", loader))
    except (TypeError, ValueError):
        return None
