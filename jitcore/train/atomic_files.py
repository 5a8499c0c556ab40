"""Files that are replaced as a whole or not at all, and of which nothing is left over where the process is killed
meanwhile."""

from __future__ import annotations

import contextlib
import os
import re
import secrets
from pathlib import Path

_SUFFIX = ".partial"
_MODE = 0o666
"""Less what the umask says."""


def write(target: Path, data: bytes) -> None:
    """Put bytes into a file, in the place of what was there, once they are on the disk. Raises OSError."""
    _remove_left_over(target)
    aside = target.with_name(f"{target.name}.{os.getpid()}.{secrets.token_hex(4)}{_SUFFIX}")
    try:
        if not _written_unnamed(target.parent, aside, data):
            with open(os.open(aside, os.O_WRONLY | os.O_CREAT | os.O_EXCL | _BINARY, _MODE), "wb") as file:
                _write_down(file.fileno(), data)
        aside.replace(target)
    finally:
        aside.unlink(missing_ok=True)
    _sync_folder(target.parent)


_BINARY = getattr(os, "O_BINARY", 0)
_UNNAMED: int | None = getattr(os, "O_TMPFILE", None)


def _write_down(handle: int, data: bytes) -> None:
    rest = memoryview(data)
    while rest:
        rest = rest[os.write(handle, rest) :]
    os.fsync(handle)


def _written_unnamed(folder: Path, name: Path, data: bytes) -> bool:
    """Write a file that has no name until it is whole; False where the system or the file system knows no such
    files."""
    if _UNNAMED is None:
        return False
    try:
        handle = os.open(folder, _UNNAMED | os.O_WRONLY, _MODE)
    except OSError:  # named ones can still be made, or say why not
        return False
    try:
        _write_down(handle, data)
        try:
            os.link(f"/proc/self/fd/{handle}", name, follow_symlinks=True)
        except OSError:  # there is no /proc
            return False
    finally:
        os.close(handle)
    return True


def _remove_left_over(target: Path) -> None:
    """Remove what processes that are gone have left half written."""
    named = re.compile(re.escape(target.name) + r"\.(\d+)(\.[0-9a-f]+)?" + re.escape(_SUFFIX))
    with contextlib.suppress(OSError):  # the folder may be missing: writing says so
        for found in list(target.parent.iterdir()):
            match = named.fullmatch(found.name)
            if match is not None and not _is_running(int(match[1])):
                found.unlink(missing_ok=True)


def _is_running(process: int) -> bool:
    if os.name != "posix":
        return True  # asking with signal 0 would end it
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    except (OSError, OverflowError):
        return True
    return True


def _sync_folder(folder: Path) -> None:
    if os.name != "posix":
        return
    handle = os.open(folder, os.O_RDONLY)
    try:
        with contextlib.suppress(OSError):  # some file systems cannot
            os.fsync(handle)
    finally:
        os.close(handle)
