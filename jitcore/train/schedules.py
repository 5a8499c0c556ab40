"""Callbacks that set the learning rate while training, and that save it all, to go on where a run was interrupted."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from jitcore.common.parameter import Parameter
from jitcore.runtime.tensor import Tensor
from jitcore.train.callback import Callback, Monitored, RunContext, monitored
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


class ReduceLROnPlateau(Monitored):
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
        if not 0 < factor < 1:
            raise ValueError(f"factor of ReduceLROnPlateau is between 0 and 1, not {factor}")
        if cooldown < 0:
            raise ValueError(f"cooldown of ReduceLROnPlateau must not be negative, but is {cooldown}")
        self.factor, self.cooldown, self.min_lr = factor, cooldown, min_lr
        super().__init__(monitor, mode, min_delta, patience, verbose)

    def _begin(self) -> None:
        super()._begin()
        self.cooldown_counter = 0

    def on_train_epoch_end(self, run_context: RunContext) -> None:
        """See whether it improved."""
        rate = _rate_of(_optimizer_of(run_context))
        value = monitored(run_context.original_args(), self.monitor)
        if value is None:
            return
        if self.cooldown_counter:
            self.cooldown_counter -= 1
            self.wait = 0
        if self.is_improvement(value, self.best):
            self.best, self.wait = value, 0
            return
        if self.cooldown_counter:
            return
        self.wait += 1
        if self.wait < self.patience:
            return
        present = float(rate.asnumpy())
        if present > self.min_lr:
            lower = max(present * self.factor, self.min_lr)
            rate.set_data(Tensor(np.float32(lower)))
            if self.verbose:
                number = run_context.original_args().cur_epoch_num
                print(f"Epoch {number:05d}: ReduceLROnPlateau reducing learning rate to {lower}.", flush=True)
        self.wait, self.cooldown_counter = 0, self.cooldown


class BackupAndRestore(Callback):
    """Saves the network being trained after every epoch (or `save_freq` steps) in a folder, and begins with what is
    there."""

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
