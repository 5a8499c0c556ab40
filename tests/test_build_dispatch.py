"""Libraries for several targets: the code of the best that the processor has runs, and does what that target's own
library does."""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore.backends.llvm.standalone import dispatch
from jitcore.backends.native.engine import engine
from jitcore.build import BuildError, build
from jitcore.cli import main
from jitcore.program import libraries as lib
from tests.built_libraries import ALL, Library, leaves
from tests.test_build_targets import answers, driver

COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
pytestmark = pytest.mark.skipif(
    COMPILER is None or not sys.platform.startswith("linux") or engine.is_foreign("x86_64-unknown-linux-gnu"),
    reason="nothing links a library for x86-64 here",
)
EMULATOR = shutil.which("qemu-x86_64")
LEVELS = list(dispatch.LEVELS)
FLAGS = {
    "x86-64-v2": "sse3|pni ssse3 cx16 sse4_1 sse4_2 popcnt lahf_lm",
    "x86-64-v3": "avx avx2 fma f16c movbe bmi1 bmi2 abm",
    "x86-64-v4": "avx512f avx512dq avx512cd avx512bw avx512vl",
}
"""What Linux calls what a level has beyond the one below."""


def here() -> list[str]:
    """The levels that this machine has, the lower first, as Linux tells."""
    flags = set(re.findall(r"\S+", re.findall(r"^flags\s*:(.*)$", Path("/proc/cpuinfo").read_text(), re.MULTILINE)[0]))
    found: list[str] = []
    for level, wanted in FLAGS.items():
        if not all(flags & set(names.split("|")) for names in wanted.split()):
            break
        found.append(level)
    return found


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """Folders: the models, libraries for all levels, and for each alone."""
    root = tmp_path_factory.mktemp("dispatch")
    for name in ("lenet", "newton", "block"):
        jitcore.export(*ALL[name][:2], root / name)
        build(root / name, root / "all", name=name, target=",".join(reversed(LEVELS)))
        for level in LEVELS:
            build(root / name, root / level, name=name, target=level)
    return root


def opened(root: Path, folder: str, name: str, copy: Path) -> Library:
    """A library, loaded anew."""
    outputs = len(leaves(jitcore.load(root / name)(*ALL[name][2][0])))
    return Library(shutil.copy(root / folder / f"lib{name}.so", copy), name, outputs)


@pytest.mark.parametrize("name", ["lenet", "newton", "block"])
def test_each_target_does_what_its_own_library_does(
    name: str, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    calls, made = ALL[name][2], {}
    for level in here():
        own = opened(models, level, name, tmp_path / f"own.{level}")
        monkeypatch.setenv(dispatch.VARIABLE, level)
        library = opened(models, "all", name, tmp_path / f"all.{level}")
        made[level] = [library(*args) for args in calls]
        for args, have in zip(calls, made[level], strict=True):
            for a, b in zip(have, own(*args), strict=True):
                np.testing.assert_array_equal(a, b)
    monkeypatch.delenv(dispatch.VARIABLE)
    best = opened(models, "all", name, tmp_path / "best")
    for args, have in zip(calls, made[here()[-1]], strict=True):
        for a, b in zip(have, best(*args), strict=True):
            np.testing.assert_array_equal(a, b)


def test_targets_compute_by_code_of_their_own(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    if "x86-64-v3" not in here():
        pytest.skip("this machine has no FMA")
    (args, *_) = ALL["lenet"][2]
    made: list[bytes] = []
    for level in LEVELS[:2]:
        monkeypatch.setenv(dispatch.VARIABLE, level)
        made.append(opened(models, "all", "lenet", tmp_path / level)(*args)[0].tobytes())
    assert made[0] != made[1]  # they round otherwise


def test_where_there_is_none_the_error_says_so(models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    absent = ["z80", "", *LEVELS[len(here()) :]]
    for k, name in enumerate(absent):
        monkeypatch.setenv(dispatch.VARIABLE, name)
        library = opened(models, "all", "newton", tmp_path / str(k))
        status, _ = library.status((2.0, 1.0))
        assert status == lib.MACHINE
        assert library["call_into"](library.handle, None, None) == lib.MACHINE
        text = library["error"](library.handle).decode()
        assert text.startswith(f"this processor has none of {', '.join(LEVELS)}, or not the one that JITCORE_TARGET")


def test_data_is_there_once_and_names_are_hidden(models: Path) -> None:
    alone = [(models / level / "liblenet.so").stat().st_size for level in LEVELS]
    weights = sum(p.asnumpy().nbytes for p in jitcore.load(models / "lenet").parameters.values())
    assert weights > 150_000
    assert (models / "all" / "liblenet.so").stat().st_size < weights + sum(size - weights for size in alone)
    names = subprocess.run(
        ["nm", "-D", "--defined-only", models / "all" / "liblenet.so"], capture_output=True, text=True, check=True
    ).stdout
    shown = {line.split()[-1] for line in names.splitlines()}
    assert shown == {f"lenet_{what}" for what in (*lib.OWN_FUNCTIONS, "call", "call_into")}


def test_constants_of_programs_are_there_once(models: Path) -> None:
    jitcore.export(*ALL["tabulated"][:2], models / "tabulated")
    built = build(models / "tabulated", models / "all", target=",".join(LEVELS))
    assert built.object.read_bytes().count(np.array([1.5, -2.0, 0.25, 3.0]).tobytes()) == 1


@pytest.mark.skipif(EMULATOR is None, reason="qemu-user (a package of Debian's) is not here")
@pytest.mark.parametrize(
    ("cpu", "level"),
    [("qemu64", None), ("Nehalem", "x86-64-v2"), ("Haswell", "x86-64-v3"), ("Haswell,xsave=off", "x86-64-v2")],
)
def test_other_processors(cpu: str, level: str | None, models: Path, tmp_path: Path) -> None:
    assert COMPILER is not None
    assert EMULATOR is not None
    made: dict[str, Any] = {}
    (args, *_) = ALL["lenet"][2]
    for folder in ("all", *([level] if level else [])):
        where = models / folder
        run = driver([COMPILER], where / "lenet.h", where / "liblenet.so", tmp_path / folder)
        (made[folder],) = answers([EMULATOR, "-cpu", cpu, run], [args], 1)
    if level is None:
        assert made["all"].startswith("this processor has none of")
    else:
        np.testing.assert_array_equal(made["all"][0], made[level][0])


@pytest.mark.parametrize("target", ["x86-64-v3,aarch64", "native,x86-64-v3", "x86-64-v2,", "x86-64-v2,x86-64-v2"])
def test_what_is_not_for_several_targets(target: str, models: Path, tmp_path: Path) -> None:
    with pytest.raises(BuildError, match="of several targets, each is one of x86-64-v2, x86-64-v3, x86-64-v4"):
        build(models / "newton", tmp_path, target=target)


def test_the_command(models: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    options = ["--target", "x86-64-v2,x86-64-v3", "--name", "root", "--wheel"]
    assert main(["build", str(models / "newton"), "-o", str(tmp_path), *options]) == 0
    assert re.search(r"root-0\.1\.0-py3-none-manylinux_2_\d+_x86_64\.whl", capsys.readouterr().out)
    assert "ROOT_MACHINE = 4" in (tmp_path / "root.h").read_text()
