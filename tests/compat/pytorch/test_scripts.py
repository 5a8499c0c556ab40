"""Programs as PyTorch's users write them print what they print under PyTorch (recorded by `recording_scripts.py`)."""

from __future__ import annotations

import contextlib
import io
import re
import runpy

import pytest
from cases import HERE

from jitcore.compat import torch as compat
from jitcore.compat.torch.text import set_printoptions

SCRIPTS = sorted((HERE / "scripts").glob("*.py"))
_NUMBER = re.compile(r"-?\d+\.\d*(?:e[+-]?\d+)?")
_NODE = re.compile(r"grad_fn=<\w+>")
"""PyTorch's name for the last of the operations that a function is made of there."""
_RELATIVE, _ABSOLUTE = 1e-5, 1e-6
"""What a number may differ by: scripts print eight digits, and compute in float64 where their networks amplify rounding."""


@pytest.mark.parametrize("script", SCRIPTS, ids=lambda script: script.stem)
def test_a_script_prints_what_it_prints_under_pytorch(script: object) -> None:
    compat.install()
    printed = io.StringIO()
    try:
        with contextlib.redirect_stdout(printed):
            runpy.run_path(str(script), run_name="__main__")
    finally:
        set_printoptions(profile="default")
        compat.uninstall()
    expected = (HERE / "scripts" / f"{getattr(script, 'stem')}.txt").read_text()  # noqa: B009
    for k, (have, want) in enumerate(zip(printed.getvalue().splitlines(), expected.splitlines(), strict=True), 1):
        assert _shape(have) == _shape(want), f"line {k}"
        for a, b in zip(_NUMBER.findall(have), _NUMBER.findall(want), strict=True):
            assert float(a) == pytest.approx(float(b), rel=_RELATIVE, abs=_ABSOLUTE), f"line {k}"


def _shape(line: str) -> str:
    """A line without its numbers."""
    return _NODE.sub("grad_fn=<>", _NUMBER.sub("#", line))
