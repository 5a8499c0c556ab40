"""Object code kept on disk between processes: one file an object, named by a digest of all that went into it.

A file holds a digest of its name's and its contents, so that a torn file, or one under another's name, is never run;
files are written aside and renamed. Where the folder cannot be read or written, code is compiled anew each time: the
cache changes how long something takes, never what it computes. What others could have written is not read
(`private_folder`): whoever can write here decides what runs. When the folder has grown too large, what was not used for
longest goes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import secrets
import sys
from collections.abc import Callable, Generator, Sequence
from functools import partial
from itertools import count
from pathlib import Path
from time import perf_counter, time
from typing import Final, TypeVar

import llvmlite
import llvmlite.binding as llvm

from jitcore.backends.native.engine.concurrency import Works
from jitcore.backends.native.engine.engine import effort
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.link import private_folder
from jitcore.config import settings
from jitcore.structs import dataclass

_T = TypeVar("_T")
_DIGEST = hashlib.sha256
_FORMAT: Final = "jitcore objects 2"
_LIMIT: Final = 256 << 20
"""Bytes in the folder, about; and in a file."""
_WRITES: Final = 256
"""Objects a process writes between two looks at how large the folder is; the first of a process looks, too."""
_DAY: Final = 86400
_HOUR: Final = 3600
_ASIDE: Final = ".part"
"""How the names of files end that are being written."""
_written = count()


@dataclass(frozen=True, slots=True, eq=False)
class Part:
    """LLVM text that is to be object code: at a level of effort, for a target. It is kept if compiling it took so many
    seconds; None: never, nor looked for."""

    text: str
    level: int
    target: Target
    compile: Callable[[], bytes]
    worth_keeping: float | None = 0.0

    @property
    def digest(self) -> bytes:
        """Of all that decides what it is compiled to."""
        versions = (llvmlite.__version__, ".".join(map(str, llvm.llvm_version_info)))
        target = self.target
        key = (_FORMAT, self.text, str(self.level), target.triple, target.cpu, target.features, *versions)
        return _DIGEST("\0".join(key).encode()).digest()


def folder() -> Path | None:
    """Where objects are kept, by the setting `cache_dir`; None if nowhere."""
    if settings.cache_dir == "off":
        return None
    if settings.cache_dir:
        return Path(settings.cache_dir)
    if sys.platform == "win32":
        base = os.environ.get("LOCALAPPDATA")
    elif sys.platform == "darwin":
        base = os.path.expanduser("~/Library/Caches")
    else:
        base = os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache")
    # without a home, `~` stays as it is: a relative path, which is nobody's cache
    return Path(base) / "jitcore" if base and os.path.isabs(base) else None


class Parts:
    """The parts of what is to be linked, which are looked for in the cache or compiled from when they are given."""

    def __init__(self) -> None:
        self._parts: list[Part] = []
        self._works = Works[tuple[bytes, bool]]()
        self.first: dict[int, Part] = {}
        """The parts of which there is a first edition for now, by their numbers, once they are linked."""
        self.codes: list[bytes] = []
        """The object code of all, once they are linked."""
        self.kept = (0, 0)
        """How many there are, and how many of them were in the cache, once they are linked."""

    def add(self, part: Part, first: Part | None = None, *, is_last: bool = False) -> None:
        """Begin with a part; unless it is in the cache, with a first edition, if there is to be one."""
        k = len(self._parts)
        self._parts.append(part)

        def work() -> tuple[bytes, bool]:
            if first is None:
                return _found_or_made(part)
            found = _kept(part)
            if found is not None:
                return found, True
            self.first[k] = part
            return _found_or_made(first)

        taken = part if first is None else first
        self._works.add(work, effort(taken.text, taken.level), is_last=is_last)

    def linked(self, link: Callable[[list[bytes]], _T]) -> _T:
        """What `link` makes of the object code of the parts. If it raises RuntimeError for what was in the cache, these
        are compiled anew."""
        found = self._works.results()
        self.codes = [code for code, _ in found]
        self.kept = len(found), sum(was_kept for _, was_kept in found)
        try:
            return link(self.codes)
        except RuntimeError:
            if not any(was_kept for _, was_kept in found):
                raise
        works = Works[bytes]()
        for part, (_, was_kept) in zip(self._parts, found, strict=True):
            if was_kept:
                works.add(partial(_made, part))
        anew = iter(works.results())
        self.kept = len(found), 0
        self.codes = [next(anew) if was_kept else code for code, was_kept in found]
        self.first = {k: part for k, part in self.first.items() if not found[k][1]}
        return link(self.codes)

    def stop(self) -> None:
        """Begin with no other part, and wait for those that were begun."""
        self._works.stop()


def linked(parts: Sequence[Part], link: Callable[[list[bytes]], _T]) -> _T:
    """What `link` makes of the object code of parts, as `Parts.linked`."""
    made = Parts()
    for part in parts:
        made.add(part, is_last=part is parts[-1])
    return made.linked(link)


def cached(part: Part) -> bytes:
    """The object code of a part, from the cache if it is there."""
    return _found_or_made(part)[0]


def is_kept(part: Part) -> bool:
    """Whether the object code of a part is in the cache."""
    return _kept(part) is not None


def _found_or_made(part: Part) -> tuple[bytes, bool]:
    """The object code of a part, and whether it was in the cache."""
    found = _kept(part)
    return (_made(part), False) if found is None else (found, True)


def _name(digest: bytes) -> str:
    return f"{digest.hex()}.o"


def _kept(part: Part) -> bytes | None:
    where = None if part.worth_keeping is None else folder()
    with private_folder.opened(where) if where is not None else _nothing() as held:
        return None if held is None else _read(held, part.digest)


@contextlib.contextmanager
def _nothing() -> Generator[None]:
    yield None


def _made(part: Part) -> bytes:
    """Compile a part, and keep what it is compiled to."""
    start = perf_counter()
    made = part.compile()
    where = folder()
    if where is None or part.worth_keeping is None or perf_counter() - start < part.worth_keeping:
        return made
    with private_folder.opened(where, make=True) as held:
        if held is not None and _write(held, part.digest, made) and next(_written) % _WRITES == 0:
            trim(held.path, _LIMIT)
    return made


def trim(where: Path, limit: int) -> None:
    """If the objects of a folder have more bytes than `limit`, remove those that were not used for longest, down to a
    half; and what processes that are gone have left half written."""
    found: list[tuple[float, int, str]] = []
    try:
        with os.scandir(where) as entries:
            for e in entries:
                status = e.stat(follow_symlinks=False)
                if e.name.endswith(".o"):
                    found.append((status.st_mtime, status.st_size, e.path))
                elif e.name.endswith(_ASIDE) and status.st_mtime < time() - _HOUR:
                    os.unlink(e.path)
    except OSError:  # another process may be doing the same
        return
    left = sum(size for _, size, _ in found)
    if left <= limit:
        return
    for _, size, path in sorted(found):
        if left <= limit // 2:
            break
        with contextlib.suppress(OSError):  # another process may have removed it
            os.unlink(path)
        left -= size


def _sealed(digest: bytes, code: bytes) -> bytes:
    return _DIGEST(digest + code).digest()


def _read(held: private_folder.Folder, digest: bytes) -> bytes | None:
    """The object of this digest; None unless it is whole, and nobody else could have written it."""
    try:
        handle = held.open_file(_name(digest), _LIMIT)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        try:
            stored = file.read()
            if os.fstat(handle).st_mtime < time() - _DAY:  # its time says when it was used
                held.touch(_name(digest), handle)
        except OSError:
            return None
    size = _DIGEST().digest_size
    return stored[size:] if _sealed(digest, stored[size:]) == stored[:size] else None


def _write(held: private_folder.Folder, digest: bytes, code: bytes) -> bool:
    """Keep an object; whether that was possible."""
    aside = f"{os.getpid()}-{secrets.token_hex(8)}{_ASIDE}"
    try:
        handle = held.new_file(aside)
    except OSError:
        return False
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_sealed(digest, code) + code)
        held.rename(aside, _name(digest))
    except OSError:
        with contextlib.suppress(OSError):
            held.remove(aside)
        return False
    return True
