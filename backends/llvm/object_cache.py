"""Object code kept on disk between processes: one file an object, named by a digest of all that went into it.

A file holds a digest of its own contents, so that a torn or foreign file is never run; files are written aside and
renamed. Where the folder cannot be read or written, code is compiled anew each time: the cache changes how long
something takes, never what it computes. When the folder has grown too large, what was not used for longest goes.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import sys
import tempfile
from collections.abc import Callable
from itertools import count
from pathlib import Path
from time import perf_counter, time
from typing import Final

import llvmlite
import llvmlite.binding as llvm

from jitcore.backends.llvm.engine import Target
from jitcore.config import settings

_DIGEST = hashlib.sha256
_LIMIT: Final = 256 << 20
"""Bytes in the folder, about."""
_WRITES: Final = 256
"""Objects a process writes between two looks at how large the folder is; the first of a process looks, too."""
_DAY: Final = 86400
_written = count()


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


def cached(text: str, level: int, target: Target, compile_: Callable[[], bytes], worth_keeping: float = 0.0) -> bytes:
    """What `compile_` makes of LLVM `text` for `target`, from the cache if it is there. It is kept there if making it
    took `worth_keeping` seconds."""
    where = folder()
    if where is None:
        return compile_()
    versions = (llvmlite.__version__, ".".join(map(str, llvm.llvm_version_info)))
    key = "\0".join((text, str(level), target.triple, target.cpu, target.features, *versions))
    path = where / f"{_DIGEST(key.encode()).hexdigest()}.o"
    found = _read(path)
    if found is None:
        start = perf_counter()
        found = compile_()
        if perf_counter() - start >= worth_keeping:
            _write(path, found)
            if next(_written) % _WRITES == 0:
                trim(where, _LIMIT)
    return found


def trim(where: Path, limit: int) -> None:
    """If the objects of a folder have more bytes than `limit`, remove those that were not used for longest, down to a half."""
    try:
        with os.scandir(where) as entries:
            found = [(e.stat().st_mtime, e.stat().st_size, e.path) for e in entries if e.name.endswith(".o")]
    except OSError:
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


def _read(path: Path) -> bytes | None:
    """The object in a file; None unless it is whole, and ours or root's."""
    try:
        with path.open("rb") as file:
            status = os.fstat(file.fileno())
            if hasattr(os, "getuid") and status.st_uid not in (os.getuid(), 0):
                return None
            stored = file.read()
    except OSError:
        return None
    if status.st_mtime < time() - _DAY:  # its time says when it was used
        with contextlib.suppress(OSError):
            os.utime(path)
    size = _DIGEST().digest_size
    return stored[size:] if _DIGEST(stored[size:]).digest() == stored[:size] else None


def _write(path: Path, code: bytes) -> None:
    try:
        path.parent.mkdir(mode=0o700, parents=True, exist_ok=True)
        handle, aside = tempfile.mkstemp(dir=path.parent)
    except OSError:
        return
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(_DIGEST(code).digest() + code)
        os.replace(aside, path)
    except OSError:
        with contextlib.suppress(OSError):
            os.unlink(aside)
