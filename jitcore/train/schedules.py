"""Callbacks that set the learning rate while training, and that save it all, to go on where a run was interrupted."""

from __future__ import annotations

import math
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jitcore.common.parameter import Parameter
from jitcore.runtime.tensor import Tensor
from jitcore.train.callback import Callback, RunContext, monitored
from jitcore.train.serialization import load_checkpoint, load_param_into_net, save_checkpoint


def _rate_of(optimizer: Any) -> Parameter:
    """The Parameter that an optimizer's learning rate is. Raises ValueError if it changes by itself."""
    rate = optimizer.learning_rate
    if not isinstance(rate, Parameter) or rate.ndim:
        raise ValueError("the learning rate of this optimizer changes by itself, so no callback can set it")
    return rate


def _optimizer_of(run_context: RunContext) -> Any:
    args = run_context.original_args()
    optimizer = args.get("optimizer")
    if optimizer is None:
        optimizer = getattr(args.train_network, "optimizer", None)
    if optimizer is None:
        raise ValueError("there is no optimizer whose learning rate could be set")
    return optimizer


class LearningRateScheduler(Callback):
    """Sets the learning rate after each step to what a function of the rate and the step's number gives."""

    def __init__(self, learning_rate_function: Callable[[float, int], float]) -> None:
        if not callable(learning_rate_function):
            raise TypeError(f"learning_rate_function is a function, not a {type(learning_rate_function).__name__}")
        self.learning_rate_function = learning_rate_function

    def step_end(self, run_context: RunContext) -> None:
        """Set the learning rate."""
        rate = _rate_of(_optimizer_of(run_context))
        given = self.learning_rate_function(float(rate.asnumpy()), run_context.original_args().cur_step_num)
        rate.set_data(Tensor(np.float32(given)))

    def on_eval_step_end(self, run_context: RunContext) -> None:
        """Nothing changes while evaluating."""


class ReduceLROnPlateau(Callback):
    """Multiplies the learning rate by `factor` when what is monitored has not improved for `patience` epochs."""

    def __init__(
        self,
        monitor: str = "eval_loss",
        factor: float = 0.1,
        patience: int = 10,
        verbose: bool = False,
        mode: str = "auto",
        min_delta: float = 1e-4,
        cooldown: int = 0,
        min_lr: float = 0.0,
    ) -> None:
        if mode not in ("auto", "min", "max"):
            raise ValueError(f"mode of ReduceLROnPlateau is 'auto', 'min' or 'max', not {mode!r}")
        if not 0 < factor < 1:
            raise ValueError(f"factor of ReduceLROnPlateau is between 0 and 1, not {factor}")
        self.monitor = monitor
        self.factor = factor
        self.patience = patience
        self.verbose = verbose
        self.min_delta = abs(min_delta)
        self.cooldown = cooldown
        self.min_lr = min_lr
        rising = mode == "max" or (mode == "auto" and "acc" in monitor.lower())
        self.sign = -1.0 if rising else 1.0
        self.best = math.inf
        self.waited = self.resting = 0

    def epoch_end(self, run_context: RunContext) -> None:
        """See whether it improved."""
        args = run_context.original_args()
        value = monitored(args, self.monitor)
        if value is None:
            return
        if self.resting:
            self.resting -= 1
            self.waited = 0
        if self.sign * value < self.best - self.min_delta:
            self.best, self.waited = self.sign * value, 0
            return
        if self.resting:
            return
        self.waited += 1
        if self.waited < self.patience:
            return
        rate = _rate_of(_optimizer_of(run_context))
        lower = max(float(rate.asnumpy()) * self.factor, self.min_lr)
        rate.set_data(Tensor(np.float32(lower)))
        self.waited, self.resting = 0, self.cooldown
        if self.verbose:
            print(f"Epoch {args.cur_epoch_num}: reducing learning rate to {lower}")

    def on_eval_epoch_end(self, run_context: RunContext) -> None:
        """Nothing changes while evaluating."""


class BackupAndRestore(Callback):
    """Saves the network being trained after every epoch (or `save_freq` steps) in a folder, and begins with what is there."""

    def __init__(self, backup_dir: str, save_freq: str | int = "epoch", delete_checkpoint: bool = True) -> None:
        if not isinstance(backup_dir, str):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"backup_dir is a str, not {type(backup_dir).__name__}")
        if save_freq != "epoch" and (isinstance(save_freq, bool) or not isinstance(save_freq, int)):
            raise ValueError(f"save_freq is 'epoch' or a number of steps, not {save_freq!r}")
        self.path = Path(backup_dir) / "backup.ckpt"
        self.save_freq = save_freq
        self.delete_checkpoint = delete_checkpoint

    def on_train_begin(self, run_context: RunContext) -> None:
        """Load what was saved."""
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if self.path.exists():
            load_param_into_net(run_context.original_args().train_network, load_checkpoint(self.path))

    def on_train_step_end(self, run_context: RunContext) -> None:
        """Save if it is time."""
        args = run_context.original_args()
        if self.save_freq != "epoch" and args.cur_step_num % int(self.save_freq) == 0:
            save_checkpoint(args.train_network, self.path)

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """Save after an epoch."""
        if self.save_freq == "epoch":
            save_checkpoint(run_context.original_args().train_network, self.path)

    def on_train_end(self, run_context: RunContext) -> None:
        """Take away what was saved: it is no longer needed."""
        del run_context
        if self.delete_checkpoint:
            self.path.unlink(missing_ok=True)
