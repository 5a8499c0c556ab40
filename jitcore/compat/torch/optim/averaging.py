"""`torch.optim.swa_utils`: averages of the weights of a Module over its training."""

from __future__ import annotations

import copy
import math
from collections.abc import Callable, Iterable, Sequence
from typing import Any, TypeAlias

from jitcore.compat.torch.functions.creation import tensor
from jitcore.compat.torch.nn.module import Module
from jitcore.compat.torch.nn.normalisation import BatchNorm1d, BatchNorm2d, BatchNorm3d
from jitcore.compat.torch.optim.optimizer import Optimizer
from jitcore.compat.torch.optim.rates import LRScheduler, each, require_optimizer
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor

Average: TypeAlias = Callable[[Any, Any, Any], Any]
"""The new average of the old one, the weight, and the number averaged so far."""
Averages: TypeAlias = Callable[[Sequence[Any], Sequence[Any], Any], None]
"""Writes the new averages into the old ones."""


def get_swa_avg_fn() -> Average:
    """The function that gives the mean of all weights so far."""
    return lambda averaged, weight, count: averaged + (weight - averaged) / (count + 1)


def get_ema_avg_fn(decay: float = 0.999) -> Average:
    """The function that gives `decay` parts of the average and the rest of the weight. Raises ValueError for a decay
    that is not between 0 and 1."""
    if not 0.0 <= decay <= 1.0:
        raise ValueError(f"Invalid decay value {decay} provided. Please provide a value in [0,1] range.")
    return lambda averaged, weight, count: decay * averaged + (1 - decay) * weight


def get_swa_multi_avg_fn() -> Averages:
    """As `get_swa_avg_fn`, writing the averages of several weights in their places."""
    return _in_place(get_swa_avg_fn())


def get_ema_multi_avg_fn(decay: float = 0.999) -> Averages:
    """As `get_ema_avg_fn`, writing the averages of several weights in their places."""
    return _in_place(get_ema_avg_fn(decay))


def _in_place(average: Average) -> Averages:
    def write(averaged: Sequence[Any], weights: Sequence[Any], count: object) -> None:
        for old, weight in zip(averaged, weights, strict=True):
            old[...] = average(old, weight, count) if old.is_floating_point() else weight

    return write


class AveragedModel(Module):
    """A copy of a Module, `module`, whose Parameters are averages of those that `update_parameters` is given, and with
    `use_buffers` its buffers too.

    >>> from jitcore.compat.torch.nn import Linear
    >>> model = Linear(2, 1)
    >>> averaged = AveragedModel(model)
    >>> averaged.update_parameters(model)
    >>> averaged.n_averaged
    tensor(1)
    """

    def __init__(
        self,
        model: Module,
        device: object = None,
        avg_fn: Average | None = None,
        multi_avg_fn: Averages | None = None,
        use_buffers: bool = False,
    ) -> None:
        super().__init__()
        if avg_fn is not None and multi_avg_fn is not None:
            raise AssertionError("Only one of avg_fn and multi_avg_fn should be provided")
        self.module = copy.deepcopy(model) if device is None else copy.deepcopy(model).to(device)
        self.register_buffer("n_averaged", tensor(0))
        self.avg_fn = avg_fn
        self.multi_avg_fn = multi_avg_fn
        self.use_buffers = use_buffers

    def forward(self, *args: object, **kwargs: object) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
        """What the Module of averages gives."""
        return self.module(*args, **kwargs)

    def update_parameters(self, model: Module) -> None:
        """Take the weights of a Module of the same kind into the averages; the first are taken as they are."""
        with nodes.recording(False):
            ours, theirs = self._averaged(self.module), self._averaged(model)
            if int(self.n_averaged):
                self._average(ours, theirs)
            else:
                for old, weight in zip(ours, theirs, strict=True):
                    old[...] = weight
            if not self.use_buffers:
                for old, given in zip(self.module.buffers(), model.buffers(), strict=True):
                    nodes.detached(old)[...] = nodes.detached(given)
            self.n_averaged += 1

    def _averaged(self, model: Module) -> list[Any]:
        """What is averaged of a Module."""
        return [nodes.detached(p) for p in (*model.parameters(), *(model.buffers() if self.use_buffers else ()))]

    def _average(self, ours: Sequence[Any], theirs: Sequence[Any]) -> None:
        together = self.multi_avg_fn
        if together is None:
            together = get_swa_multi_avg_fn() if self.avg_fn is None else _in_place(self.avg_fn)
        together(ours, theirs, self.n_averaged)


def update_bn(loader: Iterable[Any], model: Module, device: object = None) -> None:
    """Compute the running statistics of a Module's batch normalisations anew, as means over the batches of `loader`:
    Tensors, or sequences that begin with the inputs."""
    layers = [m for m in model.modules() if isinstance(m, BatchNorm1d | BatchNorm2d | BatchNorm3d)]
    if not layers:
        return
    momenta = [layer.momentum for layer in layers]
    training = model.training
    for layer in layers:
        layer.reset_running_stats()
        layer.momentum = None
    model.train()
    with nodes.recording(False):
        for batch in loader:
            given = batch if isinstance(batch, Tensor) else batch[0]
            model(given if device is None else given.to(device))
    for layer, momentum in zip(layers, momenta, strict=True):
        layer.momentum = momentum
    model.train(training)


class SWALR(LRScheduler):
    """From the rates that there are to `swa_lr`, in `anneal_epochs` epochs, along a cosine or a line. Raises ValueError
    for another strategy and for negative epochs."""

    def __init__(
        self,
        optimizer: Optimizer,
        swa_lr: float | Sequence[float],
        anneal_epochs: int = 10,
        anneal_strategy: str = "cos",
        last_epoch: int = -1,
    ) -> None:
        require_optimizer(optimizer)
        words = "swa_lr must have the same length as optimizer.param_groups. swa_lr has {have} values, "
        rates = each(optimizer, swa_lr, words + "param_groups has {want}.")
        if anneal_strategy not in ("cos", "linear"):
            raise ValueError(f"anneal_strategy must be one of 'cos' or 'linear', instead got {anneal_strategy}")
        if anneal_epochs < 0:
            raise ValueError(f"anneal_epochs must be equal or greater than 0, got {anneal_epochs}")
        for group, rate in zip(optimizer.param_groups, rates, strict=True):
            group["swa_lr"] = rate
        self._anneal_strategy = anneal_strategy
        self.anneal_epochs = anneal_epochs
        super().__init__(optimizer, last_epoch)

    def _part(self, epoch: int) -> float:
        """How much of the way is gone at an epoch."""
        t = max(0.0, min(1.0, epoch / max(1, self.anneal_epochs)))
        return (1 - math.cos(math.pi * t)) / 2 if self._anneal_strategy == "cos" else t

    def get_lr(self) -> list[Any]:
        """The rates at `last_epoch`."""
        self._require_step()
        epoch = self._step_count - 1 if self.anneal_epochs else max(1, self._step_count - 1)
        before, now = self._part(epoch - 1), self._part(epoch)
        rates: list[Any] = []
        for group in self.optimizer.param_groups:
            last = group["swa_lr"]
            first = last if before == 1 else (group["lr"] - last * before) / (1 - before)
            rates.append(last * now + first * (1 - now))
        return rates
