"""Trains a variational autoencoder (Kingma and Welling 2014) on scikit-learn's handwritten digits.

    python -m jitcore.compat.oneflow examples/oneflow_vae.py [--steps 300] [--batch 64]

Steps are taken line by line and as an nn.Graph: both times are printed, and by how much their losses differ in float64.
"""

from __future__ import annotations

import argparse
import statistics
import time

import numpy as np
import oneflow as flow
import oneflow.nn as nn
from sklearn.datasets import load_digits

CODE = 8


class VAE(nn.Module):
    """Images (batch, 64) in [0, 1] as logits of what they are made of, and the code's mean and log variance."""

    def __init__(self, hidden: int = 128, code: int = CODE) -> None:
        super().__init__()
        self.encoder = nn.Sequential(nn.Linear(64, hidden), nn.ReLU())
        self.mean = nn.Linear(hidden, code)
        self.log_variance = nn.Linear(hidden, code)
        self.decoder = nn.Sequential(nn.Linear(code, hidden), nn.ReLU(), nn.Linear(hidden, 64))

    def forward(self, x, noise):
        hidden = self.encoder(x)
        mean, log_variance = self.mean(hidden), self.log_variance(hidden)
        return self.decoder(mean + noise * flow.exp(0.5 * log_variance)), mean, log_variance


class NegativeBound(nn.Module):
    """What the evidence lower bound lacks, a mean over images."""

    def __init__(self) -> None:
        super().__init__()
        self.reconstruction = nn.BCEWithLogitsLoss(reduction="sum")

    def forward(self, logits, x, mean, log_variance):
        divergence = -0.5 * flow.sum(1 + log_variance - mean**2 - log_variance.exp())
        return (self.reconstruction(logits, x) + divergence) / x.shape[0]


class Training(nn.Graph):
    """A step of training."""

    def __init__(self, model, loss_fn, optimizer) -> None:
        super().__init__()
        self.model = model
        self.loss_fn = loss_fn
        self.add_optimizer(optimizer)

    def build(self, x, noise):
        logits, mean, log_variance = self.model(x, noise)
        loss = self.loss_fn(logits, x, mean, log_variance)
        loss.backward()
        return loss


def eager_step(model, loss_fn, optimizer):
    """The same step, line by line."""

    def step(x, noise):
        logits, mean, log_variance = model(x, noise)
        loss = loss_fn(logits, x, mean, log_variance)
        optimizer.zero_grad()
        loss.backward()
        optimizer.step()
        return loss

    return step


def train(kind, data, dtype):
    """The losses, and the seconds of each step, of a kind of step; from the same weights each time."""
    flow.manual_seed(0)
    model = VAE().to(dtype)
    step = kind(model, NegativeBound(), flow.optim.Adam(model.parameters(), lr=2e-3))
    losses, seconds = [], []
    for x, noise in data:
        start = time.perf_counter()
        losses.append(step(x.to(dtype), noise.to(dtype)).item())
        seconds.append(time.perf_counter() - start)
    return losses, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=300, help="of each training (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=64, help="images a step (default: %(default)s)")
    options = parser.parse_args()
    images, rng = load_digits().data / 16, np.random.default_rng(0)
    chosen = [rng.choice(len(images), options.batch) for _ in range(options.steps)]
    data = [(flow.tensor(images[c]), flow.tensor(rng.normal(size=(options.batch, CODE)))) for c in chosen]

    a, _ = train(eager_step, data[:5], flow.float64)
    b, _ = train(Training, data[:5], flow.float64)
    difference = max(abs(m - n) / abs(m) for m, n in zip(a, b, strict=True))
    print(f"largest relative difference of the losses in float64: {difference:.1e}")

    _, eager = train(eager_step, data[:100], flow.float32)
    losses, graph = train(Training, data, flow.float32)
    print(f"loss {losses[0]:.4f} at first, {losses[-1]:.4f} at last")
    a, b = (statistics.median(seconds[len(seconds) // 2 :]) * 1e3 for seconds in (eager, graph))
    print(f"eager {a:.1f} ms, graph {b:.1f} ms a step; first graph call {graph[0]:.1f} s")


if __name__ == "__main__":
    main()
