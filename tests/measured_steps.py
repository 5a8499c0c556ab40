"""The programs of `benchmarks/`, for tests of what is measured."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest


def measured() -> Any:
    """The training steps whose first calls are measured."""
    with pytest.MonkeyPatch.context() as patch:
        patch.syspath_prepend(str(Path(__file__).parent.parent / "benchmarks"))
        from compile_programs import training
    return training
