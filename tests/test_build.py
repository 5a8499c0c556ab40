"""Libraries for C: what they compute, what they refuse, what they are linked to."""

from __future__ import annotations

import copy
import ctypes
import shutil
import subprocess
import sys
import threading
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore.build import BuildError, build
from jitcore.cli import main
from jitcore.program import libraries as lib
from tests.built_libraries import ALL, Library, leaves
from tests.export_programs import ndarrays

COMPILER = next(filter(None, map(shutil.which, ("cc", "gcc", "clang"))), None)
pytestmark = pytest.mark.skipif(
    COMPILER is None or not sys.platform.startswith("linux"), reason="nothing links a library here"
)


BUILT = (
    "lenet", "recurrent", "block", "normalised", "tied", "counter", "gradient", "compiled", "fibonacci", "newton",
    "nested_numbers", "tabulated", "called", "rescued", "item", "both", "in_place",
)  # fmt: skip


@pytest.fixture(scope="module")
def libraries(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What makes a library of a program, once."""
    root = tmp_path_factory.mktemp("libraries")
    made: dict[str, Library] = {}

    def of(name: str) -> Library:
        if name not in made:
            function, inputs, calls = ALL[name]
            jitcore.export(function, inputs, root / name)
            built = build(root / name, root / "out", name=name)
            assert built.shared is not None
            outputs = len(leaves(jitcore.load(root / name)(*copy.deepcopy(calls[0]))))
            made[name] = Library(built.shared, name, outputs)
        return made[name]

    return SimpleNamespace(of=of, root=root)


@pytest.mark.parametrize("name", BUILT)
def test_the_same_bits_as_in_python(name: str, libraries: Any) -> None:
    library, model = libraries.of(name), jitcore.load(libraries.root / name)
    _, _, calls = ALL[name]
    for args in (*calls, *calls):
        want = leaves(model(*copy.deepcopy(args)))
        have = library(*copy.deepcopy(args))
        assert len(have) == len(want)
        for a, b in zip(have, want, strict=True):
            assert type(a) is type(b) or isinstance(b, np.generic)
            np.testing.assert_array_equal(a, b)
            if isinstance(b, np.ndarray):
                assert (a.dtype, a.shape) == (b.dtype, b.shape)


def test_arguments_are_written_to(libraries: Any) -> None:
    library = libraries.of("in_place")
    x = np.arange(3.0)
    (made,) = library(x)
    assert x.tolist() == made.tolist() == [1.0, 2.0, 3.0]


def test_a_handle_has_parameters_of_its_own(libraries: Any) -> None:
    library, x = libraries.of("counter"), np.ones(2, np.float32)
    start = float(jitcore.load(libraries.root / "counter").parameters["count"].asnumpy())  # other tests call it, too
    first, second = (ctypes.c_void_p(library["new"]()) for _ in range(2))
    before = library.handle
    try:
        for handle, want in ((first, 1.0), (first, 2.0), (second, 1.0), (first, 3.0), (second, 2.0)):
            library.handle = handle
            assert library(x)[0].tolist() == [start + want] * 2
    finally:
        library.handle = before
        for handle in (first, second):
            library["delete"](handle)


@pytest.mark.parametrize(
    ("name", "args"),
    [
        ("newton", (2.0, 1)),
        ("newton", (np.ones(2), 1.0)),
        ("lenet", (np.ones((2, 1, 28, 27), np.float32),)),
        ("lenet", (np.ones((2, 1, 28, 28)),)),
        ("lenet", (np.ones((2, 28, 28), np.float32),)),
        ("lenet", (np.ones((2, 1, 28, 56), np.float32)[..., ::2],)),
    ],
)
def test_other_arguments_are_unfit(name: str, args: tuple[Any, ...], libraries: Any) -> None:
    status, _ = libraries.of(name).status(args)
    assert status == lib.UNFIT


def test_what_a_program_raises_is_told(libraries: Any) -> None:
    library = libraries.of("item")
    for _ in range(2):
        with pytest.raises(
            RuntimeError, match=r"^IndexError: index 9 is out of bounds for axis 0 with size 4 \(export_"
        ):
            library(np.arange(4.0), 9)
        with pytest.raises(RuntimeError, match=r"^ValueError: i is -1 \(export_programs\.py, line \d+\)$"):
            library(np.arange(4.0), -1)
        assert library(np.arange(4.0), 2) == [2.0]
    with pytest.raises(RuntimeError, match="size 3 is different from 2"):
        libraries.of("both")(np.ones((3, 2)), np.ones((3, 2)))


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


def test_recursion_that_is_too_deep_is_an_error(tmp_path: Path) -> None:
    jitcore.export(deep, 3, tmp_path / "deep")
    built = build(tmp_path / "deep", tmp_path)
    assert built.shared is not None
    library = Library(built.shared, "deep", 1)
    assert library(100) == [100]
    with pytest.raises(RuntimeError, match="RecursionError"):
        library(10**9)
    assert library(100) == [100]


def test_threads_have_handles_of_their_own(libraries: Any) -> None:
    library, model = libraries.of("lenet"), jitcore.load(libraries.root / "lenet")
    _, _, calls = ALL["lenet"]
    want = [leaves(model(*args))[0].tolist() for args in calls]
    found: list[bool] = []

    def work() -> None:
        own = Library(Path(library.code._name), "lenet", 1)
        for _ in range(10):
            for args, value in zip(calls, want, strict=True):
                found.append(own(*args)[0].tolist() == value)
        own["delete"](own.handle)

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [True] * 80
    library["set_threads"](1)
    assert library(*calls[0])[0].tolist() == want[0]


def test_a_program_in_c(libraries: Any, tmp_path: Path) -> None:
    jitcore.export(*ALL["newton"][:2], tmp_path / "newton")
    built = build(tmp_path / "newton", tmp_path)
    assert built.shared is not None
    assert COMPILER is not None
    command = [COMPILER, "-Wall", "-Wextra", "-Werror", "-std=c99", "-o", str(tmp_path / "run"), str(built.example)]
    subprocess.run([*command, str(built.shared), f"-Wl,-rpath,{tmp_path}"], check=True)
    ended = subprocess.run([tmp_path / "run"], capture_output=True, text=True, check=True)
    assert ended.stdout == "output 0: 1\noutput 1: 0\n"
    needed = subprocess.run(["ldd", built.shared], capture_output=True, text=True, check=True).stdout
    for line in needed.splitlines():
        assert any(name in line for name in ("linux-vdso", "libc.so", "libpthread", "ld-linux", "libm.so")), line
    assert built.shared.stat().st_size < 50_000


@pytest.mark.parametrize(
    ("function", "inputs", "text"),
    [
        (lambda x: np.linalg.inv(x), ndarrays(3, 3), "inv"),
        (lambda x: f"{x}", 3, "result is a text"),
        (lambda s: s, "text", "C is given arrays"),
        (lambda xs: sum(xs), [1.0] * 40, "C is given arrays"),
        (lambda n: [k * k for k in range(n)], 3, "result is a list"),
    ],
)
def test_what_c_has_not_is_refused(function: Any, inputs: Any, text: str, tmp_path: Path) -> None:
    jitcore.export(function, inputs, tmp_path / "model")
    with pytest.raises(BuildError, match=text):
        build(tmp_path / "model", tmp_path / "out")
    assert not (tmp_path / "out").exists()


@pytest.mark.parametrize("target", ["x86-64-v2", "x86-64-v3"])
def test_other_targets(target: str, libraries: Any, tmp_path: Path) -> None:
    library = libraries.of("lenet")
    built = build(libraries.root / "lenet", tmp_path, target=target, name="lenet")
    assert built.shared is not None
    other = Library(built.shared, "lenet", 1)
    (args, *_) = ALL["lenet"][2]
    np.testing.assert_allclose(other(*args)[0], library(*args)[0], rtol=1e-4, atol=1e-6)
    with pytest.raises(BuildError, match="there is no target 'z80'"):
        build(libraries.root / "lenet", tmp_path, target="z80")


def test_without_a_linker_the_object_is_written(
    libraries: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    libraries.of("newton")
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "ziglang", None)
    built = build(libraries.root / "newton", tmp_path)
    assert built.shared is None
    assert "pip install 'jitcore[build]'" in built.why
    assert sorted(p.name for p in tmp_path.iterdir()) == ["newton.h", "newton.o", "newton_example.c"]


def test_the_command(libraries: Any, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    libraries.of("newton")
    assert main(["build", str(libraries.root / "newton"), "-o", str(tmp_path / "out"), "--name", "root"]) == 0
    assert "libroot.so" in capsys.readouterr().out
    assert main(["build", str(tmp_path / "none"), "-o", str(tmp_path / "out")]) == 2
    assert "holds no exported model" in capsys.readouterr().err


def test_the_header_says_what_goes_in_and_comes_out(libraries: Any) -> None:
    libraries.of("lenet")
    text = (libraries.root / "out" / "lenet.h").read_text()
    assert "inputs[0]: float32[n, 1, 28, 28]" in text
    assert "outputs[0]: float32 of 2 axes" in text
    assert "#define LENET_INPUTS 1" in text


def test_nothing_is_leaked(libraries: Any) -> None:
    library = libraries.of("lenet")
    (args, *_) = ALL["lenet"][2]

    def resident() -> int:
        return int(Path("/proc/self/statm").read_text().split()[1])

    for _ in range(20):
        library(*args)
    before = resident()
    for _ in range(300):
        library(*args)
    assert resident() - before < 500  # pages
