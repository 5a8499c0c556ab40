"""`paddle.callbacks`: what is called as a `paddle.Model` is trained, evaluated and used."""

from __future__ import annotations

import os
import time
import warnings
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

import numpy as np

from jitcore.compat.paddle.hapi.progress import ProgressBar
from jitcore.compat.paddle.optimizer.optimizer import Optimizer
from jitcore.compat.paddle.optimizer.scheduling import LRScheduler as Schedule

__all__ = [
    "Callback",
    "EarlyStopping",
    "LRScheduler",
    "ModelCheckpoint",
    "ProgBarLogger",
    "ReduceLROnPlateau",
]

Logs: TypeAlias = "dict[str, Any] | None"


class Callback:
    """The base: subclasses define what they are told of."""

    model: Any = None
    params: dict[str, Any]

    def __init__(self) -> None:
        self.params = {}

    def set_params(self, params: dict[str, Any]) -> None:
        """Take note of `batch_size`, `epochs`, `steps`, `verbose` and `metrics`."""
        self.params = params

    def set_model(self, model: object) -> None:
        """Take note of the Model."""
        self.model = model

    def on_train_begin(self, logs: Logs = None) -> None:
        """Called before training."""

    def on_train_end(self, logs: Logs = None) -> None:
        """Called after training."""

    def on_eval_begin(self, logs: Logs = None) -> None:
        """Called before an evaluation."""

    def on_eval_end(self, logs: Logs = None) -> None:
        """Called after an evaluation."""

    def on_predict_begin(self, logs: Logs = None) -> None:
        """Called before a prediction."""

    def on_predict_end(self, logs: Logs = None) -> None:
        """Called after a prediction."""

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        """Called before an epoch."""

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        """Called after an epoch."""

    def on_train_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Called before a batch of training."""

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        """Called after a batch of training."""

    def on_eval_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Called before a batch of an evaluation."""

    def on_eval_batch_end(self, step: int, logs: Logs = None) -> None:
        """Called after a batch of an evaluation."""

    def on_predict_batch_begin(self, step: int, logs: Logs = None) -> None:
        """Called before a batch of a prediction."""

    def on_predict_batch_end(self, step: int, logs: Logs = None) -> None:
        """Called after a batch of a prediction."""


class Callbacks:
    """All callbacks of a run."""

    def __init__(self, callbacks: Sequence[Callback], model: object, params: dict[str, Any]) -> None:
        self._callbacks = list(callbacks)
        for callback in self._callbacks:
            callback.set_model(model)
            callback.set_params(params)

    def tell(self, event: str, *args: object) -> None:
        """Call a method of each."""
        for callback in self._callbacks:
            getattr(callback, event)(*args)


# --- what is printed ------------------------------------------------------------------------------------


class _Told:
    """How far a run of one kind is."""

    def __init__(self, steps: int | None, metrics: Sequence[str], verbose: int) -> None:
        self.steps = steps
        self.metrics = metrics
        self.step = 0
        self.samples = 0
        self._verbose = verbose
        self._bar = ProgressBar(steps, verbose=verbose)
        self._begun = self._last = time.time()
        self._reading = self._computing = 0.0
        self._told_step = self._told_samples = 0

    def begin_batch(self) -> None:
        """A batch has been read."""
        now = time.time()
        self._reading += now - self._last
        self._begun = now

    def end_batch(self, logs: dict[str, Any]) -> None:
        """A batch has been computed."""
        self.step += 1
        self.samples += logs.get("batch_size", 1)
        self._last = time.time()
        self._computing += self._last - self._begun

    def is_inside(self) -> bool:
        """Whether batches are to come."""
        return self.steps is None or self.step < self.steps

    def write(self, logs: dict[str, Any]) -> None:
        """Print how far it is, and how well it goes."""
        shown: list[tuple[str, Any]] = [(name, logs[name]) for name in self.metrics if name in logs]
        if self._verbose == 3:
            count = (self.step - self._told_step) or 1
            samples, spent = (self.samples - self._told_samples) or 1, self._reading + self._computing
            shown += [
                ("avg_reader_cost", f"{self._reading / count:.5f} sec"),
                ("avg_batch_cost", f"{self._computing / count:.5f} sec"),
                ("ips", f"{samples / spent if spent else 0.0:.5f} samples/sec"),
            ]
            self._told_step, self._told_samples = self.step, self.samples
            self._reading = self._computing = 0.0
        self._bar.update(self.step, shown)


class ProgBarLogger(Callback):
    """Prints how far a run is, and how well it goes, every `log_freq` batches."""

    def __init__(self, log_freq: int = 1, verbose: int = 2) -> None:
        super().__init__()
        self.log_freq = log_freq
        self.verbose = verbose
        self._train = self._eval = self._predict = _Told(None, (), verbose)

    def _end_batch(self, told: _Told, logs: Logs) -> None:
        told.end_batch(logs or {})
        if self.verbose and told.step % self.log_freq == 0 and told.is_inside():
            told.write(logs or {})

    def on_train_begin(self, logs: Logs = None) -> None:
        if self.verbose:
            print(
                "The loss value printed in the log is the current step, and the metric is the average value of "
                "previous steps."
            )

    def on_epoch_begin(self, epoch: int, logs: Logs = None) -> None:
        epochs = self.params["epochs"]
        if epochs and self.verbose:
            print(f"Epoch {epoch + 1}/{epochs}")
        self._train = _Told(self.params["steps"], self.params["metrics"], self.verbose)

    def on_train_batch_begin(self, step: int, logs: Logs = None) -> None:
        self._train.begin_batch()

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        self._end_batch(self._train, logs)

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        if self.verbose and self._train.steps is not None:
            self._train.write(logs or {})

    def on_eval_begin(self, logs: Logs = None) -> None:
        known = logs or {}
        self._eval = _Told(known.get("steps"), known.get("metrics", []), self.verbose)
        if self.verbose:
            print("Eval begin...")

    def on_eval_batch_begin(self, step: int, logs: Logs = None) -> None:
        self._eval.begin_batch()

    def on_eval_batch_end(self, step: int, logs: Logs = None) -> None:
        self._end_batch(self._eval, logs)

    def on_eval_end(self, logs: Logs = None) -> None:
        if self.verbose and self._eval.steps is not None:
            self._eval.write(logs or {})
            print(f"Eval samples: {self._eval.samples}")

    def on_predict_begin(self, logs: Logs = None) -> None:
        known = logs or {}
        self._predict = _Told(known.get("steps"), known.get("metrics", []), self.verbose)
        if self.verbose:
            print("Predict begin...")

    def on_predict_batch_begin(self, step: int, logs: Logs = None) -> None:
        self._predict.begin_batch()

    def on_predict_batch_end(self, step: int, logs: Logs = None) -> None:
        self._end_batch(self._predict, logs)

    def on_predict_end(self, logs: Logs = None) -> None:
        if self.verbose:
            if self._predict.step % self.log_freq != 0 or self.verbose == 1:
                self._predict.write(logs or {})
            print(f"Predict samples: {self._predict.samples}")


# --- what is saved --------------------------------------------------------------------------------------


class ModelCheckpoint(Callback):
    """Saves the Model every `save_freq` epochs, and at the end."""

    def __init__(self, save_freq: int = 1, save_dir: str | None = None) -> None:
        super().__init__()
        self.save_freq = save_freq
        self.save_dir = save_dir

    def _save(self, name: object) -> None:
        path = f"{self.save_dir}/{name}"
        print(f"save checkpoint at {os.path.abspath(path)}")
        self.model.save(path)

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        if self.save_dir and epoch % self.save_freq == 0:
            self._save(epoch)

    def on_train_end(self, logs: Logs = None) -> None:
        if self.save_dir:
            self._save("final")


# --- what changes training ------------------------------------------------------------------------------


class LRScheduler(Callback):
    """Has the schedule of the optimizer go on, at each batch or each epoch."""

    def __init__(self, by_step: bool = True, by_epoch: bool = False) -> None:
        super().__init__()
        if by_step and by_epoch:
            raise ValueError("by_step option is mutually exclusive with by_epoch")
        self.by_step = by_step
        self.by_epoch = by_epoch

    def _go_on(self) -> None:
        schedule = getattr(self.model.optimizer, "_learning_rate", None)
        if isinstance(schedule, Schedule):
            schedule.step()

    def on_epoch_end(self, epoch: int, logs: Logs = None) -> None:
        if self.by_epoch:
            self._go_on()

    def on_train_batch_end(self, step: int, logs: Logs = None) -> None:
        if self.by_step:
            self._go_on()


_MODES: Final = ("auto", "min", "max")


def _is_rising(mode: str, monitor: str, name: str) -> bool:
    """Whether larger is better."""
    if mode not in _MODES:
        warnings.warn(f"{name} mode {mode} is unknown, fallback to auto mode.", stacklevel=3)
        mode = "auto"
    return mode == "max" or (mode == "auto" and "acc" in monitor)


class _Watching(Callback):
    """What callbacks have that watch a number of evaluations."""

    monitor: str

    def _watched(self, logs: Logs) -> float | None:
        """The number; None where there is none."""
        if logs is None or self.monitor not in logs:
            words = f"Monitor of {type(self).__name__} should be loss or metric name."
            warnings.warn(words, stacklevel=3)
            return None
        value = logs[self.monitor]
        value = value[0] if isinstance(value, list | tuple) else value
        return float(value) if isinstance(value, int | float | np.number) else None


class EarlyStopping(_Watching):
    """Ends training when a number of evaluations has not got better for a while."""

    def __init__(
        self,
        monitor: str = "loss",
        mode: str = "auto",
        patience: int = 0,
        verbose: int = 1,
        min_delta: float = 0,
        baseline: float | None = None,
        save_best_model: bool = True,
    ) -> None:
        super().__init__()
        self.monitor = monitor
        self.patience = patience
        self.verbose = verbose
        self.baseline = baseline
        self.save_best_model = save_best_model
        self.save_dir: str | None = None
        self.wait_epoch = 0
        self.stopped_epoch = 0
        self._rising = _is_rising(mode, monitor, "EarlyStopping")
        self.min_delta = abs(min_delta) if self._rising else -abs(min_delta)
        self.best_value = 0.0

    def on_train_begin(self, logs: Logs = None) -> None:
        self.wait_epoch = 0
        worst = -np.inf if self._rising else np.inf
        self.best_value = worst if self.baseline is None else self.baseline

    def on_eval_end(self, logs: Logs = None) -> None:
        current = self._watched(logs)
        if current is None:
            return
        moved = current - self.min_delta
        best = None if self.save_dir is None else os.path.join(self.save_dir, "best_model")
        best = best if self.save_best_model else None
        if moved > self.best_value if self._rising else moved < self.best_value:
            self.best_value = current
            self.wait_epoch = 0
            if best is not None:
                self.model.save(best)
        else:
            self.wait_epoch += 1
        if self.wait_epoch >= self.patience:
            self.model.stop_training = True
            if self.verbose > 0:
                print(f"Epoch {self.stopped_epoch + 1}: Early stopping.")
                if best is not None:
                    print(f"Best checkpoint has been saved at {os.path.abspath(best)}")
        self.stopped_epoch += 1


class ReduceLROnPlateau(_Watching):
    """Lowers the rate when a number of evaluations has not got better for a while."""

    def __init__(
        self,
        monitor: str = "loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: int = 1,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0,
    ) -> None:
        super().__init__()
        if factor >= 1.0:
            raise ValueError("ReduceLROnPlateau does not support a factor >= 1.0.")
        self.monitor = monitor
        self.factor = factor
        self.patience = patience
        self.verbose = verbose
        self.min_delta = min_delta
        self.cooldown = cooldown
        self.min_lr = min_lr
        self.epoch = 0
        self._rising = _is_rising(mode, monitor, "Learning rate reduction")
        self._reset()

    def _reset(self) -> None:
        self.best = -np.inf if self._rising else np.inf
        self.cooldown_counter = 0
        self.wait = 0

    def on_train_begin(self, logs: Logs = None) -> None:
        self._reset()

    def in_cooldown(self) -> bool:
        """Whether the rate was lowered a short while ago."""
        return self.cooldown_counter > 0

    def on_eval_end(self, logs: Logs = None) -> None:
        current = self._watched(logs)
        if current is None:
            return
        optimizer = self.model.optimizer
        if isinstance(optimizer._learning_rate, Schedule):
            words = f"Expected learning_rate be float, bug got {type(optimizer._learning_rate)}."
            warnings.warn(words, stacklevel=2)
            return
        if self.in_cooldown():
            self.cooldown_counter -= 1
            self.wait = 0
        if current > self.best + self.min_delta if self._rising else current < self.best - self.min_delta:
            self.best = current
            self.wait = 0
        elif not self.in_cooldown():
            self.wait += 1
            if self.wait >= self.patience:
                self._lower(optimizer)
        self.epoch += 1

    def _lower(self, optimizer: Optimizer) -> None:
        old = optimizer.get_lr()
        if old <= np.float32(self.min_lr):
            return
        new = max(old * self.factor, self.min_lr)
        optimizer.set_lr(new)
        if self.verbose > 0:
            print(f"\nEpoch {self.epoch + 1}: ReduceLROnPlateau reducing learning rate to {new}.")
        self.cooldown_counter = self.cooldown
        self.wait = 0


Given: TypeAlias = "Sequence[Callback] | Callback | None"


def configured(
    given: Given, model: object, params: dict[str, Any], printing: tuple[int, int], saving: tuple[int, str | None]
) -> Callbacks:
    """The callbacks of a run, with those that each has unless others of their kind are given: what is printed (every so
    many batches, how), saved (every so many epochs, where), and the schedule."""
    found: list[Callback] = []
    if given is not None:
        found = [given] if isinstance(given, Callback) else list(given)
    kinds: Callable[[type[Callback]], bool] = lambda kind: any(isinstance(c, kind) for c in found)  # noqa: E731
    if not kinds(ProgBarLogger) and printing[1]:
        found = [ProgBarLogger(printing[0], printing[1]), *found]
    if not kinds(ModelCheckpoint):
        found.append(ModelCheckpoint(*saving))
    for callback in found:
        if isinstance(callback, EarlyStopping):
            callback.save_dir = saving[1]
    if not kinds(LRScheduler):
        found.append(LRScheduler())
    return Callbacks(found, model, params)
