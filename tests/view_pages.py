"""What tests of pages have in common: the data of one, read back, and a browser, where there is one."""

from __future__ import annotations

import base64
import gzip
import json
import re
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

BROWSER = shutil.which("chromium")

LENET = '''"""A training step of LeNet-5."""
import numpy as np

from jitcore import Tensor, nn


class LeNet5(nn.Cell):
    def __init__(self):
        super().__init__()
        self.conv1 = nn.Conv2d(1, 6, 5, pad_mode="valid")
        self.conv2 = nn.Conv2d(6, 16, 5, pad_mode="valid")
        self.fc1 = nn.Dense(400, 120)
        self.fc2 = nn.Dense(120, 84)
        self.fc3 = nn.Dense(84, 10)
        self.relu = nn.ReLU()
        self.pool = nn.MaxPool2d(kernel_size=2, stride=2)
        self.flatten = nn.Flatten()

    def construct(self, x):
        x = self.pool(self.relu(self.conv1(x)))
        x = self.pool(self.relu(self.conv2(x)))
        x = self.flatten(x)
        x = self.relu(self.fc1(x))
        x = self.relu(self.fc2(x))
        return self.fc3(x)


net = LeNet5()
loss = nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean")
step = nn.TrainOneStepCell(nn.WithLossCell(net, loss), nn.Momentum(net.trainable_params(), 0.01, 0.9))
step.set_train()
images = Tensor(np.ones((32, 1, 32, 32), np.float32))
step(images, Tensor(np.zeros(32, np.int32)))
'''


def chunk(page: str, name: str) -> Any:
    """A part of a page's data."""
    found = re.search(f'id="{name}">([^<]*)</script>', page)
    assert found is not None, name
    return json.loads(gzip.decompress(base64.b64decode(found[1])))


def stage(record: Any, name: str) -> tuple[list[str], list[set[int]]]:
    """The lines of a stage, and the places of each."""
    (found,) = (s for s in record["stages"] if s["id"] == name)
    lines = found["text"].split("\n")
    assert len(lines) == len(found["marks"])
    return lines, [set(record["sets"][mark]) for mark in found["marks"]]


def lines_of_places(record: Any, places: set[int], file: int = 0) -> set[int]:
    """The lines of a file that places stand in."""
    return {
        record["places"][place][k + 1]
        for place in places
        for k in range(1, len(record["places"][place]), 3)
        if record["places"][place][k] == file
    }


FLAGS = (
    "no-sandbox disable-gpu disable-quic no-first-run disable-background-networking disable-component-update "
    "disable-sync disable-dev-shm-usage"
)


@contextmanager
def browser() -> Iterator[Any]:
    """A browser without a window."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        arguments = [f"--{flag}" for flag in FLAGS.split()]
        made = playwright.chromium.launch(executable_path=BROWSER, args=arguments)
        try:
            yield made
        finally:
            made.close()
