"""The cache of object code: what is not whole, not its own, or could have been written by others is never run."""

from __future__ import annotations

import errno
import os
import random
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from jitcore.backends.native.engine import engine
from jitcore.backends.native.link import object_cache, private_folder
from jitcore.config import settings

pytestmark = pytest.mark.skipif(os.name != "posix", reason="modes, links and FIFOs are POSIX's")


class Asked:
    """A part whose compilations are counted."""

    def __init__(self, text: str = "text", code: bytes = b"object code") -> None:
        self.code = code
        self.compiled = 0
        self.part = object_cache.Part(text, 1, engine.host(), self._compile)

    def _compile(self) -> bytes:
        self.compiled += 1
        return self.code

    def __call__(self) -> bytes:
        return object_cache.cached(self.part)

    def file(self, folder: Path) -> Path:
        return folder / f"{self.part.digest.hex()}.o"


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    weak = private_folder._weakness(tmp_path, os.stat(tmp_path))
    if weak is not None:
        pytest.skip(f"nothing is kept here: {weak}")
    made = tmp_path / "cache"
    monkeypatch.setattr(settings, "cache_dir", str(made))
    monkeypatch.setattr(private_folder, "_told", set())
    return made


def test_an_entry_under_the_name_of_another_is_compiled_anew(folder: Path) -> None:
    plus, times = Asked("add", b"code of +"), Asked("multiply", b"code of *")
    plus(), times()
    one, other = plus.file(folder), times.file(folder)
    a, b = one.read_bytes(), other.read_bytes()
    one.write_bytes(b)
    other.write_bytes(a)
    assert (plus(), times()) == (b"code of +", b"code of *")
    assert (plus.compiled, times.compiled) == (2, 2)
    assert (plus(), times()) == (b"code of +", b"code of *")
    assert (plus.compiled, times.compiled) == (2, 2)


def test_programs_whose_entries_are_exchanged(tmp_path: Path) -> None:
    """Two processes: the second finds the entries of the first under each other's names."""
    script = (
        "import sys\nfrom jitcore import jit\n"
        "def f(x, y):\n    return x OP y\n"
        "from jitcore.backends.llvm import loading\nloading._LONG = 0.0\n"
        "print(jit(f)(7, 3))\n"
    )

    def run(op: str, cache: Path) -> str:
        file = tmp_path / f"{'plus' if op == '+' else 'times'}.py"
        file.write_text(script.replace("OP", op))
        environment = {**os.environ, "JITCORE_CACHE_DIR": str(cache)}
        return subprocess.run(
            [sys.executable, file], env=environment, capture_output=True, text=True, check=True
        ).stdout

    caches = tmp_path / "a", tmp_path / "b"
    assert [run(op, cache) for op, cache in zip("+*", caches, strict=True)] == ["10\n", "21\n"]
    both = [{f.name: f.read_bytes() for f in cache.iterdir()} for cache in caches]
    own = [sorted(names.keys() - other.keys()) for names, other in (both, both[::-1])]
    assert len(own[0]) == len(own[1]) > 0
    for mine, others, cache, contents in ((own[0], own[1], caches[0], both[1]), (own[1], own[0], caches[1], both[0])):
        for name, other in zip(mine, others, strict=True):
            (cache / name).write_bytes(contents[other])
    assert [run(op, cache) for op, cache in zip("+*", caches, strict=True)] == ["10\n", "21\n"]


def _flip(data: bytes) -> bytes:
    place = random.Random(len(data)).randrange(len(data))
    return data[:place] + bytes([data[place] ^ 4]) + data[place + 1 :]


DAMAGE: dict[str, Callable[[Path], Any]] = {
    "torn": lambda f: f.write_bytes(f.read_bytes()[:-1]),
    "longer": lambda f: f.write_bytes(f.read_bytes() + b"\0"),
    "a bit": lambda f: f.write_bytes(_flip(f.read_bytes())),
    "empty": lambda f: f.write_bytes(b""),
    "a digest alone": lambda f: f.write_bytes(f.read_bytes()[:32]),
    "half a digest": lambda f: f.write_bytes(f.read_bytes()[:16]),
    "of an earlier format": lambda f: f.write_bytes(object_cache._DIGEST(b"other").digest() + b"other"),
    "huge": lambda f: os.truncate(f, 1 << 40),
    "written by others": lambda f: f.chmod(0o666),
    "written by a group": lambda f: f.chmod(0o620),
    "a link": lambda f: (f.rename(f.with_suffix(".real")), f.symlink_to(f.with_suffix(".real"))),
    "a link to nothing": lambda f: (f.unlink(), f.symlink_to(f.with_suffix(".nothing"))),
    "a FIFO": lambda f: (f.unlink(), os.mkfifo(f)),
    "a device": lambda f: (f.unlink(), f.symlink_to("/dev/zero")),
}


@pytest.mark.parametrize("damage", DAMAGE.values(), ids=DAMAGE)
def test_what_is_not_a_whole_file_of_the_users_is_replaced(folder: Path, damage: Callable[[Path], Any]) -> None:
    ask = Asked()
    ask()
    file = ask.file(folder)
    damage(file)
    assert [ask(), ask()] == [b"object code"] * 2
    assert ask.compiled == 2
    assert file.is_file() and not file.is_symlink()  # noqa: PT018
    assert file.stat().st_mode & 0o777 == 0o600


def test_a_folder_in_the_place_of_a_file(folder: Path) -> None:
    ask = Asked()
    ask.file(folder).mkdir(parents=True)
    assert [ask(), ask()] == [b"object code"] * 2
    assert ask.compiled == 2
    assert [f.name for f in folder.iterdir()] == [ask.file(folder).name]


@pytest.mark.parametrize("mode", [0o777, 0o770, 0o722, 0o1777, 0o707])
def test_folders_that_others_can_write_to(folder: Path, mode: int) -> None:
    ask = Asked()
    ask()
    folder.chmod(mode)
    with pytest.warns(RuntimeWarning, match=rf"others can write to .*cache \(mode {mode:04o}\)"):
        assert ask() == b"object code"
    assert [ask(), ask.compiled] == [b"object code", 3]
    assert len(list(folder.iterdir())) == 1
    folder.chmod(0o700)
    assert [ask(), ask.compiled] == [b"object code", 3]


def test_folders_above_that_others_can_write_to(folder: Path) -> None:
    ask = Asked()
    ask()
    folder.parent.chmod(0o1777)  # as /tmp: nobody else can rename what is in it
    assert [ask(), ask.compiled] == [b"object code", 1]
    folder.parent.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="others can write to"):
        assert [ask(), ask.compiled] == [b"object code", 2]
    folder.parent.chmod(0o755)


@pytest.mark.parametrize("above", [False, True])
def test_folders_of_other_users(folder: Path, monkeypatch: pytest.MonkeyPatch, above: bool) -> None:
    ask = Asked()
    ask()
    if above:
        real, before = os.lstat, os.stat_result
        theirs = lambda path: before((*real(path)[:4], 12345, *real(path)[5:])) if path == folder.parent else real(path)  # noqa: E731
        monkeypatch.setattr(os, "lstat", theirs)
    else:
        monkeypatch.setattr(private_folder, "_owner_is_trusted", lambda status: False)
    with pytest.warns(RuntimeWarning, match="belongs to another user"):
        assert [ask(), ask.compiled] == [b"object code", 2]


def test_a_link_to_the_folder_is_followed_and_looked_at(folder: Path) -> None:
    real = folder.parent / "real"
    real.mkdir(mode=0o700)
    folder.symlink_to(real)
    ask = Asked()
    assert [ask(), ask(), ask.compiled] == [b"object code", b"object code", 1]
    real.chmod(0o777)
    with pytest.warns(RuntimeWarning, match="others can write to"):
        assert [ask(), ask.compiled] == [b"object code", 2]


def test_where_nothing_can_be_written(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    ask = Asked()

    class Full:
        def __init__(self, file: Any) -> None:
            self._file = file

        def __enter__(self) -> Any:
            return self

        def __exit__(self, *_: object) -> None:
            self._file.close()

        def write(self, data: bytes) -> int:
            self._file.write(data[:10])
            raise OSError(errno.ENOSPC, "No space left on device")

    real = os.fdopen
    monkeypatch.setattr(
        os, "fdopen", lambda handle, mode: Full(real(handle, mode)) if mode == "wb" else real(handle, mode)
    )
    assert [ask(), ask()] == [b"object code"] * 2
    assert list(folder.iterdir()) == []
    monkeypatch.undo()


@pytest.mark.parametrize("where", ["relative/~", "/dev/null/below", "/proc/self/nothing"])
def test_folders_that_cannot_be(monkeypatch: pytest.MonkeyPatch, where: str, tmp_path: Path) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(settings, "cache_dir", "")
    monkeypatch.setenv("XDG_CACHE_HOME", where)
    ask = Asked()
    assert [ask(), ask()] == [b"object code"] * 2
    assert ask.compiled == 2
    assert list(tmp_path.iterdir()) == []


def test_code_that_does_not_link_is_compiled_anew(folder: Path) -> None:
    text = "define i64 @f(i64 %x) {\n  %y = add i64 %x, 1\n  ret i64 %y\n}\n"
    other = "define i64 @g(i64 %x) {\n  ret i64 %x\n}\n"
    count: list[int] = []

    def compile_() -> bytes:
        count.append(1)
        return engine.compile_object(text, engine.BRIEF)

    part = object_cache.Part(text, engine.BRIEF, engine.host(), compile_)

    def load() -> engine.LoadedObject:
        return object_cache.linked([part], lambda codes: engine.load_object(codes, ["f"]))

    good = compile_()
    bad = (b"", b"no object", good[: len(good) // 2], engine.compile_object(other, engine.BRIEF))
    for n, code in enumerate(bad, 2):
        with private_folder.opened(folder, make=True) as held:
            assert held is not None
            assert object_cache._write(held, part.digest, code)
        assert load().addresses["f"]
        assert len(count) == n
        assert load().addresses["f"]
        assert len(count) == n
    wrong = object_cache.Part(other, engine.BRIEF, engine.host(), lambda: engine.compile_object(other, engine.BRIEF))
    for _ in range(2):
        with pytest.raises(RuntimeError, match="Symbols not found"):
            object_cache.linked([wrong], lambda codes: engine.load_object(codes, ["f"]))


def test_many_writers_of_one_object(folder: Path) -> None:
    asked = [Asked(code=b"x" * 100_000) for _ in range(8)]
    found: list[bytes] = []
    threads = [threading.Thread(target=lambda a=a: found.extend(a() for _ in range(5))) for a in asked]  # type: ignore[misc]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert found == [b"x" * 100_000] * 40
    assert [f.name for f in folder.iterdir()] == [asked[0].file(folder).name]


def test_what_killed_writers_leave_is_never_read_and_goes(folder: Path) -> None:
    script = (
        "import os, signal, sys\n"
        "from jitcore.backends.native.engine import engine; from jitcore.backends.native.link import object_cache; from jitcore.backends.native.link import private_folder\n"
        "private_folder.Folder.rename = lambda *_: os.kill(os.getpid(), signal.SIGKILL)\n"
        "object_cache.cached(object_cache.Part('text', 1, engine.host(), lambda: b'object code'))\n"
    )
    environment = {**os.environ, "JITCORE_CACHE_DIR": str(folder)}
    assert subprocess.run([sys.executable, "-c", script], env=environment, check=False).returncode == -signal.SIGKILL
    (left,) = folder.iterdir()
    ask = Asked()
    assert [ask(), ask(), ask.compiled] == [b"object code", b"object code", 1]
    object_cache.trim(folder, 1 << 30)
    assert left.exists()  # it may be being written
    os.utime(left, (time.time() - 7200,) * 2)
    object_cache.trim(folder, 1 << 30)
    assert [f.name for f in folder.iterdir()] == [ask.file(folder).name]
