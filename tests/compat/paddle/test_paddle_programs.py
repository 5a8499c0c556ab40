"""Programs as Paddle's users write them print what they print under Paddle 3.3.1 (recorded by
`recording_programs.py`)."""

from __future__ import annotations

import contextlib
import io
import re
import runpy
from pathlib import Path
from typing import Any

import pytest

SCRIPTS = sorted((Path(__file__).resolve().parent / "scripts").glob("*.py"))
_NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]?\d+)?")
_RELATIVE, _ABSOLUTE = 1e-5, 1e-6
"""What a number may differ by: scripts print eight digits, and compute in float64, for training amplifies rounding."""


@pytest.fixture
def paddle() -> Any:
    import paddle as ours

    yield ours
    ours.set_default_dtype("float32")


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_prints_what_it_prints_under_paddle(script: Path, paddle: Any) -> None:
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed), paddle.utils.unique_name.guard():
        runpy.run_path(str(script), run_name="__main__")
    have, want = printed.getvalue().splitlines(), script.with_suffix(".txt").read_text().splitlines()
    assert len(have) == len(want), printed.getvalue()
    for k, (a, b) in enumerate(zip(have, want, strict=True), 1):
        assert _NUMBER.sub("#", a) == _NUMBER.sub("#", b), f"line {k}"
        for x, y in zip(_NUMBER.findall(a), _NUMBER.findall(b), strict=True):
            assert float(x) == pytest.approx(float(y), rel=_RELATIVE, abs=_ABSOLUTE), f"line {k}: {a!r}, not {b!r}"
