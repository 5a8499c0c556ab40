"""Optimizers whose groups of Parameters, options and all, can be read and changed between steps, and schedules that
change their rates: `mindspore.experimental.optim` and `mindspore.mint.optim`."""

from jitcore.nn.grouped.optimizers import SGD, Adam, AdamW, Optimizer

__all__ = ["SGD", "Adam", "AdamW", "Optimizer"]
