"""PyTorch itself, where it is installed and another test has imported it, is put aside for these tests."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest


@pytest.fixture(scope="module", autouse=True)
def _without_pytorch() -> Iterator[None]:
    held = {name: module for name, module in sys.modules.items() if name.partition(".")[0] == "torch"}
    for name in held:
        del sys.modules[name]
    yield
    sys.modules.update(held)
