"""What the tests of MindSpore's programs share."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

from jitcore.compat.mindspore.tensor import Tensor

BY_LINES = pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
"""A program of which a part runs in the interpreter."""


def floats(*values: Any) -> Tensor:
    """A Tensor of float32."""
    return Tensor(np.array(values, np.float32))


def close(found: Any, expected: Any) -> None:
    """The numbers of a Tensor are those expected, or all of them the one expected."""
    np.testing.assert_allclose(found.asnumpy(), np.broadcast_to(expected, found.shape), rtol=1e-5, atol=1e-6)
