"""`outcomes` tells apart what differs."""

from __future__ import annotations

import numpy as np
import pytest
from outcomes import outcome

from jitcore import Tensor


def test_what_differs_is_told_apart(capfd: pytest.CaptureFixture[str]) -> None:
    values = [
        0.0,
        -0.0,
        0,
        False,
        None,
        (0,),
        [0],
        {0: 0},
        np.float64(0.0),
        np.zeros(1),
        np.zeros(1, np.float32),
        Tensor([0.0]),
    ]
    for k, a in enumerate(values):
        assert [outcome(lambda v: v, (a,), capfd) == outcome(lambda v: v, (b,), capfd) for b in values].index(True) == k
    assert outcome(print, (1,), capfd) != outcome(print, (2,), capfd)
    assert outcome(int, ("a",), capfd) == outcome(int, ("a",), capfd) != outcome(int, ("b",), capfd)
