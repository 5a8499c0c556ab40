"""Libraries for C of machines other than this one: run by an emulator; and what links them."""

from __future__ import annotations

import copy
import importlib.util
import shutil
import struct
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore.backends.llvm.standalone import assembling
from jitcore.backends.native.engine import engine
from jitcore.backends.native.ir.target import Target
from jitcore.build import BuildError, build, linking
from jitcore.program import libraries as lib
from jitcore.structs import replace
from tests.built_libraries import ALL, DTYPES, Value, leaves, put, taken

CROSS = shutil.which("aarch64-linux-gnu-gcc")
EMULATOR = shutil.which("qemu-aarch64")
SYSTEM = Path("/usr/aarch64-linux-gnu")
emulated = pytest.mark.skipif(
    not (CROSS and EMULATOR and SYSTEM.exists()),
    reason="qemu-user, gcc-aarch64-linux-gnu and libc6-dev-arm64-cross (Debian's packages) are not here",
)
pytestmark = pytest.mark.skipif(not sys.platform.startswith("linux"), reason="libraries are for Linux")
DRIVER = Path(__file__).with_name("built_driver.c")


def driver(compiler: Sequence[str], header: Path, library: Path, to: Path) -> Path:
    """The program in C that calls a library with what it reads."""
    name, guard = header.stem, header.stem.upper()
    sizes = ",".join(str(dtype.itemsize) for dtype in lib.DTYPE_CODES)
    defines = {"NAME": name, "HEADER": f'"{header}"', "SIZES_OF_DTYPES": sizes, "KIND_ARRAY": f"{guard}_KIND_ARRAY"}
    defines |= {what: f"{guard}_{what}" for what in ("INPUTS", "OUTPUTS")}
    options = [f"-D{what}={value}" for what, value in defines.items()]
    checks = ["-Wall", "-Wextra", "-Werror", "-std=c99", "-O1"]
    command = [*compiler, *checks, *options, "-o", str(to), str(DRIVER), str(library), f"-Wl,-rpath,{library.parent}"]
    subprocess.run([*command, "-lm", "-lpthread"], check=True)
    return to


class _Stream:
    """Reads what a driver wrote."""

    def __init__(self, data: bytes) -> None:
        self.data, self.at = data, 0

    def take(self, size: int) -> bytes:
        self.at += size
        assert self.at <= len(self.data)
        return self.data[self.at - size : self.at]

    def value(self) -> Any:
        value = Value.from_buffer_copy(self.take(lib.VALUE_BYTES))
        if value.kind != lib.ARRAY:
            return taken(value)
        dtype, shape = DTYPES[value.dtype].numpy, tuple(value.shape[: value.rank])
        return np.frombuffer(self.take(dtype.itemsize * int(np.prod(shape))), dtype).reshape(shape)


def answers(command: Sequence[str | Path], calls: Sequence[tuple[Any, ...]], outputs: int) -> list[Any]:
    """What a driver gives for calls: for each the outputs, or the text of an error."""
    given = bytearray()
    for args in calls:
        for leaf in leaves(list(args)):
            value = Value()
            put(value, leaf)
            given += bytes(value) + (np.ascontiguousarray(leaf).tobytes() if isinstance(leaf, np.ndarray) else b"")
    ended = subprocess.run([*map(str, command)], input=bytes(given), capture_output=True, check=True)
    stream = _Stream(ended.stdout)
    made: list[Any] = []
    for _ in calls:
        (status,) = struct.unpack("<i", stream.take(4))
        if status == lib.OK:
            made.append([stream.value() for _ in range(outputs)])
        else:
            made.append(stream.take(*struct.unpack("<i", stream.take(4))).decode())
    assert stream.at == len(stream.data)
    return made


@pytest.fixture(scope="module")
def models(tmp_path_factory: pytest.TempPathFactory) -> Any:
    """What exports a program, once."""
    root = tmp_path_factory.mktemp("models")

    def of(name: str) -> Path:
        if not (root / name).exists():
            jitcore.export(*ALL[name][:2], root / name)
        return root / name

    return SimpleNamespace(of=of)


def on_arm(model: Path, out: Path, name: str) -> list[str | Path]:
    """The command that runs the driver of a model's library for aarch64."""
    built = build(model, out, target="aarch64", name=name)
    assert built.shared is not None
    assert built.shared.read_bytes()[18:20] == b"\xb7\x00"  # EM_AARCH64
    assert CROSS is not None
    assert EMULATOR is not None
    return [EMULATOR, "-L", SYSTEM, driver([CROSS], built.header, built.shared, out / "run")]


@emulated
@pytest.mark.parametrize(
    "name",
    [
        "lenet",
        "recurrent",
        "block",
        "normalised",
        "counter",
        "gradient",
        "fibonacci",
        "newton",
        "nested_numbers",
        "both",
        "called",
        "rescued",
    ],
)
def test_the_same_numbers_on_arm(name: str, models: Any, tmp_path: Path) -> None:
    command, model = on_arm(models.of(name), tmp_path, name), jitcore.load(models.of(name))
    _, _, calls = ALL[name]
    calls = [*calls, *calls]
    want = [leaves(model(*copy.deepcopy(args))) for args in calls]
    for have, wanted in zip(answers(command, calls, len(want[0])), want, strict=True):
        assert isinstance(have, list), have
        for a, b in zip(have, wanted, strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4 if isinstance(b, np.ndarray) else 1e-14, atol=1e-6)
            if isinstance(b, np.ndarray):
                assert (a.dtype, a.shape) == (b.dtype, b.shape)


@emulated
def test_threads_on_arm_change_no_bit(models: Any, tmp_path: Path) -> None:
    command = on_arm(models.of("lenet"), tmp_path, "lenet")
    images = np.random.default_rng(1).standard_normal((64, 1, 28, 28)).astype(np.float32)
    ((want,), (one,)) = (answers([*command, n], [(images,)], 1)[0] for n in ("4", "1"))
    np.testing.assert_array_equal(one, want)
    model = jitcore.load(models.of("lenet"))
    np.testing.assert_allclose(want, model(jitcore.Tensor(images)).asnumpy(), rtol=1e-4, atol=1e-5)


@emulated
def test_random_numbers_on_arm(models: Any, tmp_path: Path) -> None:
    command = on_arm(models.of("drawn"), tmp_path, "drawn")
    _, _, (call,) = ALL["drawn"]
    model = jitcore.load(models.of("drawn"))
    jitcore.set_seed(9)
    for have in answers([*command, "1", "9"], [call, call], 2):
        for a, b in zip(have, leaves(model(*call)), strict=True):
            np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-6)


def deep(n):
    return 0 if n == 0 else 1 + deep(n - 1)


@emulated
def test_errors_on_arm(models: Any, tmp_path: Path) -> None:
    command = on_arm(models.of("item"), tmp_path, "item")
    args = [(np.arange(4.0), 9), (np.arange(4.0), -1), (np.arange(4.0), 2)]
    past, negative, fine = answers(command, args, 1)
    assert past.startswith("IndexError: index 9 is out of bounds for axis 0 with size 4 (export_programs.py, line")
    assert negative.startswith("ValueError: i is -1")
    assert fine == [2.0]
    jitcore.export(deep, 3, tmp_path / "deep")
    command = on_arm(tmp_path / "deep", tmp_path, "deep")
    fine, past, again = answers(command, [(100,), (10**9,), (100,)], 1)
    assert fine == again == [100]
    assert past.startswith("RecursionError")


@pytest.mark.parametrize("target", ["aarch64", "x86-64-v2", "x86-64-v3", "x86-64-v4"])
def test_this_machine_has_no_say_in_code_for_another(target: str, models: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[bytes] = []
    link = assembling.object_of

    def kept(library: lib.Library, to: Target) -> bytes:
        made.append(link(library, to))
        return made[-1]

    monkeypatch.setattr(assembling, "object_of", kept)
    # what this machine may be told to be, so that its programs can be planned all the same
    other = replace(engine.host(), vector_bytes=16, caches=(16 << 10, 96 << 10, 1 << 20), has_fma=False)
    for host in (engine.host(), other):
        monkeypatch.setattr(engine, "host", lambda host=host: host)
        monkeypatch.setattr(engine, "cache_sizes", lambda host=host: host.caches)
        with pytest.MonkeyPatch.context() as patched:
            patched.setattr(linking, "linker", lambda machine: None)
            build(models.of("lenet"), Path(models.of("lenet")).parent / "out", target=target)
    assert made[0] == made[1]


@pytest.mark.parametrize(("target", "machine"), [("aarch64", "aarch64"), ("x86-64-v3", "x86_64")])
def test_where_nothing_links_the_message_says_so(
    target: str, machine: str, models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setitem(sys.modules, "ziglang", None)
    built = build(models.of("newton"), tmp_path, target=target)
    assert built.shared is None
    assert f"nothing here links for {machine}" in built.why
    assert f"{machine}-linux-gnu-gcc" in built.why
    assert sorted(p.name for p in tmp_path.iterdir()) == ["newton.h", "newton.o", "newton_example.c"]


def test_a_linker_that_fails_is_told(models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    fake = tmp_path / "bin" / "cc"
    fake.parent.mkdir()
    fake.write_text("#!/bin/sh\necho no such machine >&2\nexit 1\n")
    fake.chmod(0o755)
    monkeypatch.setenv("PATH", f"{fake.parent}:/usr/bin:/bin")
    with pytest.raises(BuildError, match=r"cc could not link libnewton\.so: no such machine"):
        build(models.of("newton"), tmp_path / "out")
    assert not [p.name for p in (tmp_path / "out").iterdir() if ".so" in p.name]


@pytest.mark.skipif(importlib.util.find_spec("ziglang") is None, reason="the package ziglang is not installed")
@pytest.mark.parametrize("target", ["native", "aarch64"])
def test_ziglang_links(target: str, models: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    compiler = shutil.which("cc") if target == "native" else CROSS
    monkeypatch.setattr(linking, "_compilers", lambda machine: ())
    built = build(models.of("lenet"), tmp_path, target=target, name="lenet")
    assert built.shared is not None
    if compiler is None or (target == "aarch64" and EMULATOR is None):
        pytest.skip("what it linked cannot be run here")
    run = driver([compiler], built.header, built.shared, tmp_path / "run")
    command = [run] if target == "native" else [str(EMULATOR), "-L", SYSTEM, run]
    (args, *_) = ALL["lenet"][2]
    ((have,),) = answers(command, [args], 1)
    np.testing.assert_allclose(have, jitcore.load(models.of("lenet"))(*args).asnumpy(), rtol=1e-4, atol=1e-6)
