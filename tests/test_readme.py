"""The README's example runs, and `jitcore dump` prints every stage of it."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from jitcore.cli import main
from jitcore.runtime.records import STAGES

ROOT = Path(__file__).parent.parent


@pytest.fixture
def example(tmp_path: Path) -> Path:
    (code,) = re.findall(r"```python\n(.*?)```", (ROOT / "README.md").read_text(), re.DOTALL)
    file = tmp_path / "example.py"
    file.write_text(code)
    return file


def test_the_example_prints_the_numbers_plain_python_gives(example: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["run", "--set", "jit_syntax_level=STRICT", str(example)]) == 0
    compiled = capfd.readouterr().out
    assert main(["run", "--set", "jit=0", str(example)]) == 0
    plain = capfd.readouterr().out
    assert compiled == plain
    assert compiled.splitlines()[0] == "1.414213562373095"


def test_every_stage_of_it_can_be_printed(example: Path, capfd: pytest.CaptureFixture[str]) -> None:
    assert main(["dump", "--stage", "all", str(example)]) == 0
    out = capfd.readouterr().out
    for stage in STAGES:
        assert re.search(rf"^# --- loss \(.*\): {stage} ---$", out, re.MULTILINE), stage


@pytest.mark.parametrize("name", ["README.md", "CONTRIBUTING.md", "docs/ROADMAP.md", "docs/INTERNALS.md"])
def test_files_that_the_documents_name_exist(name: str) -> None:
    text = (ROOT / name).read_text()
    linked = re.findall(r"\]\((?!http)([^)#]+)\)", text)
    named = re.findall(r"`((?:jitcore|frontend|backends|tests|docs|examples|benchmarks)/[\w./]*)`", text)
    assert [p for p in linked if not (ROOT / name).parent.joinpath(p).exists()] == []
    assert [p for p in named if not (ROOT / p).exists()] == []
