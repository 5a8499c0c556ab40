"""What is installed: real files for the two linked packages, and nothing global with their names."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tarfile
import zipfile
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
PARTS = ["jitcore", "frontend", "backends", "pyproject.toml", "setup.py", "README.md", "LICENSE"]


def build(kind: str, source: Path, target: Path) -> Path:
    """The distribution that pip would build from `source`."""
    code = f"import setuptools.build_meta as b; print(b.build_{kind}({str(target)!r}))"
    run = subprocess.run([sys.executable, "-c", code], cwd=source, capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    return target / run.stdout.splitlines()[-1]


@pytest.fixture(scope="module")
def checkout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    copy = tmp_path_factory.mktemp("checkout")
    for name in PARTS:
        if (ROOT / name).is_dir():
            shutil.copytree(ROOT / name, copy / name, symlinks=True, ignore=shutil.ignore_patterns("__pycache__"))
        else:
            shutil.copy(ROOT / name, copy / name)
    return copy


def installed(wheel: Path) -> set[str]:
    return {name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(".py")}


def test_a_wheel_has_the_files_that_the_links_lead_to(checkout: Path, tmp_path: Path) -> None:
    wheel = build("wheel", checkout, tmp_path)
    names = installed(wheel)
    wanted = {f"jitcore/{f.relative_to(ROOT / 'jitcore')}" for f in (ROOT / "jitcore").rglob("*.py") if f.is_file()}
    for linked in ("frontend", "backends"):
        wanted |= {f"jitcore/{f.relative_to(ROOT)}" for f in (ROOT / linked).rglob("*.py")}
    assert names == wanted
    page = {f"jitcore/view/page/{f.name}" for f in (ROOT / "jitcore" / "view" / "page").iterdir()}
    assert page <= set(zipfile.ZipFile(wheel).namelist())
    with zipfile.ZipFile(wheel) as archive:
        assert "jitcore/py.typed" in archive.namelist()  # without it, type checkers know nothing of what is installed
        archive.extractall(tmp_path / "site")
    code = "import jitcore.frontend, jitcore.backends.protocol, jitcore.cli; print(jitcore.frontend.__file__)"
    run = subprocess.run(
        [sys.executable, "-c", code], cwd=tmp_path, env={"PYTHONPATH": str(tmp_path / "site")}, capture_output=True, text=True, check=False
    )  # fmt: skip
    assert run.stdout.strip() == str(tmp_path / "site" / "jitcore" / "frontend" / "__init__.py"), run.stderr


def test_a_source_archive_builds_the_same_wheel(checkout: Path, tmp_path: Path) -> None:
    archive = build("sdist", checkout, tmp_path)
    with tarfile.open(archive) as tar:
        tar.extractall(tmp_path / "unpacked", filter="data")
    (unpacked,) = (tmp_path / "unpacked").iterdir()
    direct, from_archive = tmp_path / "direct", tmp_path / "from_archive"
    direct.mkdir()
    from_archive.mkdir()
    assert installed(build("wheel", unpacked, from_archive)) == installed(build("wheel", checkout, direct))


def test_what_compiles_is_not_imported_before_it_is_needed() -> None:
    code = "import sys; from jitcore import jit; print(*(n for n in sys.modules if n.startswith('jitcore.passes')))"
    run = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert run.stdout.split() == []
