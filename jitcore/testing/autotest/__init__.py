"""AutoTest: a test written once, run with random values by a reference and by jitcore, line by line and compiled.

    from jitcore.testing.autotest import autotest, random, random_tensor, torch

    @autotest(n=20)
    def test_matmul():
        k = random(1, 6)
        return torch.matmul(random_tensor(2, dim1=k), random_tensor(2, dim0=k))

`compare` does so with functions of yours, for which no PyTorch is needed. See docs/AUTOTEST.md.
"""

from __future__ import annotations

from jitcore.testing.autotest.checks import Options
from jitcore.testing.autotest.duals import Dual
from jitcore.testing.autotest.generators import (
    Generator,
    constant,
    nothing,
    oneof,
    random,
    random_bool,
    random_device,
    random_or_nothing,
)
from jitcore.testing.autotest.requiring import derivatives, require_same
from jitcore.testing.autotest.running import AutotestFailure, Count, autotest, compare, torch
from jitcore.testing.autotest.sides import weighted_sum
from jitcore.testing.autotest.tensors import random_tensor

random_pytorch_tensor = random_tensor

__all__ = [
    "AutotestFailure",
    "Count",
    "Dual",
    "Generator",
    "Options",
    "autotest",
    "compare",
    "constant",
    "derivatives",
    "nothing",
    "oneof",
    "random",
    "random_bool",
    "random_device",
    "random_or_nothing",
    "random_pytorch_tensor",
    "random_tensor",
    "require_same",
    "torch",
    "weighted_sum",
]
