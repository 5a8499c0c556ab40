"""Trains an LSTM to tag items by a rule it is not told: whether the sum of the items since the last 0 is odd.

    python -m jitcore.compat.torch examples/torch_lstm.py [--steps 150] [--batch 32]

Steps are taken line by line and compiled by `torch.compile`: both times are printed, and by how much their
losses differ in float64. The script runs under PyTorch, too.
"""

from __future__ import annotations

import argparse
import copy
import statistics
import time

import torch
from torch import nn

KINDS, LENGTH = 4, 24


class Tagger(nn.Module):
    """Logits (batch, time, 2) of sequences (batch, time) of items."""

    def __init__(self, width: int = 32) -> None:
        super().__init__()
        self.embedding = nn.Embedding(KINDS, width)
        self.lstm = nn.LSTM(width, width, batch_first=True)
        self.head = nn.Linear(width, 2)

    def forward(self, items):
        states, _ = self.lstm(self.embedding(items))
        return self.head(states)


def batches(count: int, size: int):
    """Sequences and their tags."""
    torch.manual_seed(1)
    for _ in range(count):
        items = torch.randint(0, KINDS, (size, LENGTH))
        tags, state = [], torch.zeros(size, dtype=torch.int64)
        for t in range(LENGTH):
            state = torch.where(items[:, t] == 0, torch.zeros_like(state), (state + items[:, t]) % 2)
            tags.append(state)
        yield items, torch.stack(tags, 1)


def training(model, rate: float):
    """One step of training the model: the loss before it."""
    optimizer = torch.optim.Adam(model.parameters(), lr=rate)
    loss_fn = nn.CrossEntropyLoss()

    def step(x, y):
        optimizer.zero_grad()
        loss = loss_fn(model(x).reshape(-1, 2), y.reshape(-1))
        loss.backward()
        optimizer.step()
        return loss.detach()

    return step


def run(step, data):
    """The losses, and the seconds of each step."""
    losses, seconds = [], []
    for x, y in data:
        start = time.perf_counter()
        losses.append(step(x, y).item())
        seconds.append(time.perf_counter() - start)
    return losses, seconds


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--steps", type=int, default=150, help="of each training (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=32, help="sequences a step (default: %(default)s)")
    options = parser.parse_args()
    torch.manual_seed(0)
    first = Tagger()
    data = list(batches(options.steps, options.batch))

    exact = [copy.deepcopy(first).double() for _ in range(2)]
    a, _ = run(training(exact[0], 1e-2), data[:5])
    b, _ = run(torch.compile(training(exact[1], 1e-2)), data[:5])
    difference = max(abs(m - n) / abs(m) for m, n in zip(a, b, strict=True))
    print(f"largest relative difference of the losses in float64: {difference:.1e}")

    _, eager = run(training(copy.deepcopy(first), 1e-2), data[:20])
    losses, graph = run(torch.compile(training(first, 1e-2)), data)
    print(f"loss {losses[0]:.4f} at first, {losses[-1]:.4f} at last")
    a, b = (statistics.median(seconds[len(seconds) // 2 :]) * 1e3 for seconds in (eager, graph))
    print(f"eager {a:.1f} ms, graph {b:.1f} ms a step; first graph call {graph[0]:.1f} s")


if __name__ == "__main__":
    main()
