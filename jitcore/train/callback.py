"""Callbacks: what is called while a Model trains and evaluates."""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, Final

import numpy as np

from jitcore.runtime.tensor import Tensor
from jitcore.train.serialization import save_checkpoint


class Parameters(dict[str, Any]):
    """What callbacks are told, as attributes: epoch_num, batch_num, cur_epoch_num, cur_step_num, net_outputs,
    train_network, optimizer, loss_fn, train_dataset, metrics …"""

    def __getattr__(self, name: str) -> Any:
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"callbacks are not told {name!r}") from None

    def __setattr__(self, name: str, value: Any) -> None:
        self[name] = value


class RunContext:
    """What a callback gets: `original_args()`, and a way to stop."""

    def __init__(self, original_args: Any) -> None:
        self._original_args = original_args
        self._stop_requested = False

    def original_args(self) -> Any:
        """What is known of the run."""
        return self._original_args

    def request_stop(self) -> None:
        """Stop after this step."""
        self._stop_requested = True

    def get_stop_requested(self) -> bool:
        """Whether to stop."""
        return self._stop_requested


class Callback:
    """The base of callbacks: subclasses define some of these methods. A callback may be used in a `with` statement."""

    def __enter__(self) -> Callback:
        return self

    def __exit__(self, *error: object) -> None:
        pass

    def begin(self, run_context: RunContext) -> None:
        """Before everything."""

    def epoch_begin(self, run_context: RunContext) -> None:
        """Before an epoch."""

    def epoch_end(self, run_context: RunContext) -> None:
        """After an epoch."""

    def step_begin(self, run_context: RunContext) -> None:
        """Before a step."""

    def step_end(self, run_context: RunContext) -> None:
        """After a step."""

    def end(self, run_context: RunContext) -> None:
        """After everything."""

    def on_train_begin(self, run_context: RunContext) -> None:
        """Before training."""
        self.begin(run_context)

    def on_train_epoch_begin(self, run_context: RunContext) -> None:
        """Before an epoch of training."""
        self.epoch_begin(run_context)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """After an epoch of training."""
        self.epoch_end(run_context)

    def on_train_step_begin(self, run_context: RunContext) -> None:
        """Before a step of training."""
        self.step_begin(run_context)

    def on_train_step_end(self, run_context: RunContext) -> None:
        """After a step of training."""
        self.step_end(run_context)

    def on_train_end(self, run_context: RunContext) -> None:
        """After training."""
        self.end(run_context)

    def on_eval_begin(self, run_context: RunContext) -> None:
        """Before evaluating."""
        self.begin(run_context)

    def on_eval_epoch_begin(self, run_context: RunContext) -> None:
        """Before the epoch that is evaluated."""
        self.epoch_begin(run_context)

    def on_eval_epoch_end(self, run_context: RunContext) -> None:
        """After the epoch that is evaluated."""
        self.epoch_end(run_context)

    def on_eval_step_begin(self, run_context: RunContext) -> None:
        """Before a step of evaluating."""
        self.step_begin(run_context)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """After a step of evaluating."""
        self.step_end(run_context)

    def on_eval_end(self, run_context: RunContext) -> None:
        """After evaluating."""
        self.end(run_context)


class LambdaCallback(Callback):
    """Functions by the names of a callback's methods."""

    def __init__(self, **functions: Callable[[RunContext], Any]) -> None:
        for name, function in functions.items():
            if not hasattr(Callback, name):
                raise TypeError(f"a callback has no method {name!r}")
            setattr(self, name, function)


def loss_of(outputs: Any) -> float:
    """The loss among what a step gave: it, the first of several, or the mean of an array."""
    value = outputs[0] if isinstance(outputs, tuple | list) else outputs  # pyright: ignore[reportUnknownVariableType]
    return float(
        np.mean(value.asnumpy() if isinstance(value, Tensor) else value)  # pyright: ignore[reportUnknownArgumentType]
    )


def monitored(args: Any, name: str) -> float | None:
    """The value of that name among what evaluation and training gave; None if there is none yet."""
    metrics: dict[str, Any] = args.get("metrics") or {}
    short = name.removeprefix("eval_")
    value = None if name == "loss" else metrics.get(name, metrics.get(short))
    if value is None and short == "loss" and args.get("net_outputs") is not None:
        value = loss_of(args.net_outputs)
    return None if value is None else float(value)


class LossMonitor(Callback):
    """Prints the loss every few steps. Raises ValueError when it is no longer a finite number."""

    def __init__(self, per_print_times: int = 1) -> None:
        if (
            isinstance(per_print_times, bool)
            or not isinstance(per_print_times, int)  # pyright: ignore[reportUnnecessaryIsInstance]
            or per_print_times < 0
        ):
            raise ValueError(f"per_print_times is an int that is not negative, not {per_print_times!r}")
        self._per_print_times = per_print_times

    def step_end(self, run_context: RunContext) -> None:
        """Print the loss."""
        args = run_context.original_args()
        loss = loss_of(args.net_outputs)
        step = (args.cur_step_num - 1) % args.batch_num + 1
        if not math.isfinite(loss):
            raise ValueError(f"epoch: {args.cur_epoch_num} step: {step}. Invalid loss, terminating training.")
        if self._per_print_times and args.cur_step_num % self._per_print_times == 0:
            print(f"epoch: {args.cur_epoch_num} step: {step}, loss is {loss}", flush=True)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Nothing is printed while evaluating."""

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """What the last evaluation found is printed, too."""
        metrics = run_context.original_args().get("metrics")
        if metrics:
            print(f"Eval result: epoch {run_context.original_args().cur_epoch_num}, metrics: {metrics}", flush=True)


class TimeMonitor(Callback):
    """Prints how long epochs, and the steps in them, took."""

    def __init__(self, data_size: int | None = None, data_time: bool = False) -> None:
        del data_time
        self.data_size = data_size
        self.epoch_time = time.perf_counter()

    def epoch_begin(self, run_context: RunContext) -> None:
        """Start the clock."""
        self.epoch_time = time.perf_counter()

    def epoch_end(self, run_context: RunContext) -> None:
        """Print the time."""
        taken = (time.perf_counter() - self.epoch_time) * 1000
        steps = self.data_size or run_context.original_args().get("batch_num") or 1
        kind = str(run_context.original_args().get("mode", "train")).capitalize()
        print(f"{kind} epoch time: {taken:5.3f} ms, per step time: {taken / steps:5.3f} ms", flush=True)


class History(Callback):
    """Keeps the loss of every epoch, and what evaluations found, by epoch: `epoch`, `history`."""

    def __init__(self) -> None:
        self.history: dict[str, list[Any]] = {}
        self.epoch: dict[str, list[int]] = {}

    def begin(self, run_context: RunContext) -> None:
        """Begin anew."""
        self.epoch = {"epoch": []}

    def epoch_end(self, run_context: RunContext) -> None:
        """Keep an epoch's."""
        args = run_context.original_args()
        self.epoch.setdefault("epoch", []).append(args.get("cur_epoch_num", 1))
        found: dict[str, Any] = dict(args.get("metrics") or {})
        if args.get("net_outputs") is not None:
            found["net_output"] = loss_of(args.net_outputs)
        for name, value in found.items():
            self.history.setdefault(name, []).append(value)


_FALLING: Final = frozenset(
    (
        "eval_loss",
        "hausdorff_distance",
        "loss",
        "mae",
        "mean_surface_distance",
        "mse",
        "perplexity",
        "root_mean_square_distance",
    )
)
"""What is better the smaller it is."""


class Monitored(Callback):
    """The base of callbacks that watch a number ('loss' of training, or what evaluations found) for getting better."""

    def __init__(self, monitor: str, mode: str, min_delta: float, patience: int, verbose: bool) -> None:
        name = type(self).__name__
        for what, given, kinds in (
            ("monitor", monitor, (str,)),
            ("mode", mode, (str,)),
            ("min_delta", min_delta, (int, float)),
            ("patience", patience, (int,)),
            ("verbose", verbose, (bool,)),
        ):
            if (
                not isinstance(given, kinds)  # pyright: ignore[reportUnnecessaryIsInstance]
                or (isinstance(given, bool) and bool not in kinds)
            ):
                raise TypeError(f"{what} of {name} must not be a {type(given).__name__}")
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"mode of {name} is 'auto', 'min' or 'max', not {mode!r}")
        if patience < 0:
            raise ValueError(f"patience of {name} must not be negative, but is {patience}")
        self.monitor, self.mode, self.min_delta = monitor, mode, abs(min_delta)
        self.patience, self.verbose = patience, verbose
        self.falling = mode == "min" or (mode == "auto" and monitor in _FALLING)
        self._begin()

    def _begin(self) -> None:
        """Begin anew."""
        self.best = math.inf if self.falling else -math.inf
        self.wait = 0

    def is_improvement(self, value: float, best: float) -> bool:
        """Whether a number is better than another by more than `min_delta`."""
        return value < best - self.min_delta if self.falling else value > best + self.min_delta

    def on_train_begin(self, run_context: RunContext) -> None:
        """Begin anew."""
        self._begin()


class EarlyStopping(Monitored):
    """Stops training when what is monitored ('loss', or a metric of the evaluation) has not improved for `patience`
    epochs.

    To count as better it must be better than `baseline`, too. `restore_best_weights`: the network then has the
    Parameters it was best with.
    """

    def __init__(
        self,
        monitor: str = "eval_loss",
        min_delta: float = 0,
        patience: int = 0,
        verbose: bool = False,
        mode: str = "auto",
        baseline: float | None = None,
        restore_best_weights: bool = False,
    ) -> None:
        if not isinstance(baseline, int | float | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"baseline of EarlyStopping is a number, not {type(baseline).__name__}")
        if not isinstance(restore_best_weights, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"restore_best_weights is a bool, not {type(restore_best_weights).__name__}")
        self.baseline, self.restore_best_weights = baseline, restore_best_weights
        super().__init__(monitor, mode, min_delta, patience, verbose)

    def _begin(self) -> None:
        super()._begin()
        self.stopped_epoch = 0
        self._kept: dict[str, Tensor] | None = None

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """See whether it improved."""
        args = run_context.original_args()
        value = monitored(args, self.monitor)
        if value is None:
            return
        better = self.is_improvement(value, self.best)
        if self.restore_best_weights and (better or self._kept is None):
            self._kept = {name: Tensor(p.asnumpy().copy()) for name, p in args.train_network.parameters_dict().items()}
        self.wait += 1
        if better:
            self.best = value
            if self.baseline is None or self.is_improvement(value, self.baseline):
                self.wait = 0
        if self.wait >= self.patience:
            self.stopped_epoch = args.cur_epoch_num
            run_context.request_stop()
            if self._kept is not None:
                if self.verbose:
                    print("Restoring model weights from the end of the best epoch.", flush=True)
                for name, parameter in args.train_network.parameters_dict().items():
                    parameter.set_data(self._kept[name])

    def on_train_end(self, run_context: RunContext) -> None:
        """Say where it stopped."""
        if self.stopped_epoch and self.verbose:
            print(f"Epoch {self.stopped_epoch:05d}: early stopping", flush=True)


class CheckpointConfig:
    """When checkpoints are written, and how many of them are kept."""

    def __init__(
        self,
        save_checkpoint_steps: int | None = 1,
        save_checkpoint_seconds: int | None = 0,
        keep_checkpoint_max: int = 5,
        keep_checkpoint_per_n_minutes: int = 0,
        integrated_save: bool = True,
        async_save: bool = False,
        saved_network: Any = None,
        append_info: Any = None,
        **_: Any,
    ) -> None:
        for what, given in (
            ("save_checkpoint_steps", save_checkpoint_steps),
            ("save_checkpoint_seconds", save_checkpoint_seconds),
            ("keep_checkpoint_max", keep_checkpoint_max),
            ("keep_checkpoint_per_n_minutes", keep_checkpoint_per_n_minutes),
        ):
            if isinstance(given, bool) or not isinstance(  # pyright: ignore[reportUnnecessaryIsInstance]
                given, int | None
            ):
                raise TypeError(f"{what} of CheckpointConfig is an int, not {type(given).__name__}")
            if given is not None and given < 0:
                raise ValueError(f"{what} of CheckpointConfig must not be negative, but is {given}")
        if not (
            save_checkpoint_steps or save_checkpoint_seconds or keep_checkpoint_max or keep_checkpoint_per_n_minutes
        ):
            raise ValueError("a CheckpointConfig says when checkpoints are written, or how many of them are kept")
        del save_checkpoint_seconds, keep_checkpoint_per_n_minutes, integrated_save, async_save, append_info
        self.save_checkpoint_steps = save_checkpoint_steps or 1
        self.keep_checkpoint_max = keep_checkpoint_max
        self.saved_network = saved_network


class ModelCheckpoint(Callback):
    """Writes checkpoints `prefix-epoch_step.ckpt` while training, the oldest of which are deleted."""

    def __init__(self, prefix: str = "CKP", directory: Any = None, config: CheckpointConfig | None = None) -> None:
        if not isinstance(prefix, str) or not prefix or "/" in prefix:  # pyright: ignore[reportUnnecessaryIsInstance]
            raise ValueError(f"the prefix of checkpoints is a part of a file's name, not {prefix!r}")
        if not isinstance(config, CheckpointConfig | None):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"the config of a ModelCheckpoint is a CheckpointConfig, not {type(config).__name__}")
        self.prefix = prefix
        self.directory = Path("." if directory is None else directory)
        self.config = config or CheckpointConfig()
        self.written: list[Path] = []

    def _save(self, args: Any) -> None:
        self.directory.mkdir(parents=True, exist_ok=True)
        step = (args.cur_step_num - 1) % args.batch_num + 1
        path = self.directory / f"{self.prefix}-{args.cur_epoch_num}_{step}.ckpt"
        network = self.config.saved_network if self.config.saved_network is not None else args.train_network
        save_checkpoint(network, path)
        if path in self.written:
            self.written.remove(path)
        self.written.append(path)
        while len(self.written) > self.config.keep_checkpoint_max > 0:
            self.written.pop(0).unlink(missing_ok=True)

    def step_end(self, run_context: RunContext) -> None:
        """Write one if it is time."""
        args = run_context.original_args()
        if args.cur_step_num % self.config.save_checkpoint_steps == 0:
            self._save(args)

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Nothing changes while evaluating."""

    @property
    def latest_ckpt_file_name(self) -> str:
        """The last one written, '' if there is none."""
        return str(self.written[-1]) if self.written else ""


class Callbacks(Callback):
    """Several callbacks as one; `tell` calls a method of each."""

    def __init__(self, callbacks: Callback | Sequence[Callback] | None) -> None:
        found = [] if callbacks is None else [callbacks] if isinstance(callbacks, Callback) else list(callbacks)
        for callback in found:
            if not isinstance(callback, Callback):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"callbacks are Callbacks, not {type(callback).__name__}")
        self.callbacks = found

    def tell(self, event: str, run_context: RunContext) -> None:
        """Call the method `event` of each."""
        for callback in self.callbacks:
            getattr(callback, event)(run_context)
