"""`fluid.layers`: learning rates that change as training goes on."""

from __future__ import annotations

from jitcore.compat.paddle.fluid.dygraph.rates import (
    CosineDecay,
    Decay,
    ExponentialDecay,
    InverseTimeDecay,
    LinearLrWarmup,
    NaturalExpDecay,
    NoamDecay,
    PiecewiseDecay,
    PolynomialDecay,
)


def exponential_decay(learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False) -> Decay:
    """learning_rate * decay_rate ** (step / decay_steps)."""
    return ExponentialDecay(learning_rate, decay_steps, decay_rate, staircase)


def natural_exp_decay(learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False) -> Decay:
    """learning_rate * exp(-decay_rate * step / decay_steps)."""
    return NaturalExpDecay(learning_rate, decay_steps, decay_rate, staircase)


def inverse_time_decay(learning_rate: float, decay_steps: int, decay_rate: float, staircase: bool = False) -> Decay:
    """learning_rate / (1 + decay_rate * step / decay_steps)."""
    return InverseTimeDecay(learning_rate, decay_steps, decay_rate, staircase)


def polynomial_decay(
    learning_rate: float,
    decay_steps: int,
    end_learning_rate: float = 0.0001,
    power: float = 1.0,
    cycle: bool = False,
) -> Decay:
    """From learning_rate to end_learning_rate by a power of the part of the steps that is left."""
    return PolynomialDecay(learning_rate, decay_steps, end_learning_rate, power, cycle)


def piecewise_decay(boundaries: list[int], values: list[float]) -> Decay:
    """values[k] up to step boundaries[k]."""
    return PiecewiseDecay(boundaries, values)


def noam_decay(d_model: float, warmup_steps: int, learning_rate: float = 1.0) -> Decay:
    """A rate that grows for a while and falls with the root of the step (Vaswani et al. 2017)."""
    return NoamDecay(d_model, warmup_steps, learning_rate=learning_rate)


def cosine_decay(learning_rate: float, step_each_epoch: int, epochs: int) -> Decay:
    """Half a cosine over the epochs."""
    return CosineDecay(learning_rate, step_each_epoch, epochs)


def linear_lr_warmup(learning_rate: float | Decay, warmup_steps: int, start_lr: float, end_lr: float) -> Decay:
    """A line from start_lr to end_lr, then learning_rate."""
    return LinearLrWarmup(learning_rate, warmup_steps, start_lr, end_lr, 1)
