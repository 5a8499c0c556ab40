"""Trains a Transformer to predict the next character of the standard library's docstrings.

    python -m jitcore.compat.torch examples/torch_transformer.py [--steps 120] [--batch 16]

Steps are taken line by line and compiled by `torch.compile`: both times are printed, and by how much their
losses differ in float64. The script runs under PyTorch, too.
"""

from __future__ import annotations

import argparse
import copy
import inspect
import json
import statistics
import string
import textwrap
import time

import torch
from torch import nn

LENGTH = 32
TEXT = "\n".join(inspect.getdoc(module) or "" for module in (argparse, copy, inspect, json, string, textwrap))
CHARACTERS = sorted(set(TEXT))


class Writer(nn.Module):
    """Logits (batch, time, characters) of the character that follows each of those (batch, time) given."""

    def __init__(self, width: int = 64, heads: int = 4, layers: int = 2) -> None:
        super().__init__()
        self.embedding = nn.Embedding(len(CHARACTERS), width)
        self.position = nn.Parameter(0.02 * torch.randn(LENGTH, width))
        layer = nn.TransformerEncoderLayer(
            width, heads, 4 * width, dropout=0.0, activation="gelu", batch_first=True, norm_first=True
        )
        self.encoder = nn.TransformerEncoder(layer, layers, nn.LayerNorm(width), enable_nested_tensor=False)
        self.head = nn.Linear(width, len(CHARACTERS))
        self.register_buffer("later", torch.ones(LENGTH, LENGTH, dtype=torch.bool).triu(1))

    def forward(self, text):
        return self.head(self.encoder(self.embedding(text) + self.position, mask=self.later))


def batches(count: int, size: int):
    """Pieces of the text, and the same ones a character later."""
    numbers = torch.tensor([CHARACTERS.index(c) for c in TEXT])
    torch.manual_seed(1)
    for _ in range(count):
        at = torch.randint(0, len(numbers) - LENGTH, (size, 1)) + torch.arange(LENGTH)
        yield numbers[at], numbers[at + 1]


def training(model, rate: float):
    """One step of training the model: the loss before it."""
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate)
    loss_fn = nn.CrossEntropyLoss()

    def step(x, y):
        optimizer.zero_grad()
        loss = loss_fn(model(x).reshape(-1, len(CHARACTERS)), y.reshape(-1))
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
    parser.add_argument("--steps", type=int, default=120, help="of each training (default: %(default)s)")
    parser.add_argument("--batch", type=int, default=16, help="pieces of text a step (default: %(default)s)")
    options = parser.parse_args()
    torch.manual_seed(0)
    first = Writer()
    data = list(batches(options.steps, options.batch))

    exact = [copy.deepcopy(first).double() for _ in range(2)]
    a, _ = run(training(exact[0], 3e-3), data[:5])
    b, _ = run(torch.compile(training(exact[1], 3e-3)), data[:5])
    difference = max(abs(m - n) / abs(m) for m, n in zip(a, b, strict=True))
    print(f"largest relative difference of the losses in float64: {difference:.1e}")

    _, eager = run(training(copy.deepcopy(first), 3e-3), data[:20])
    losses, graph = run(torch.compile(training(first, 3e-3)), data)
    print(f"loss {losses[0]:.4f} at first, {losses[-1]:.4f} at last")
    a, b = (statistics.median(seconds[len(seconds) // 2 :]) * 1e3 for seconds in (eager, graph))
    print(f"eager {a:.1f} ms, graph {b:.1f} ms a step; first graph call {graph[0]:.1f} s")


if __name__ == "__main__":
    main()
