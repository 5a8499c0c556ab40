"""Folders that nobody but the user (and root) can write to, and files in them: of others, none is opened.

As with ssh's StrictModes, the folder and all those it lies in must belong to the user or root and not be writable by
others; those it lies in may be if they are sticky, as /tmp is, since then only owners rename and remove what is in
them. Files are opened without following links and without waiting, and must be regular ones.
"""

from __future__ import annotations

import contextlib
import os
import stat
import warnings
from collections.abc import Generator
from pathlib import Path
from typing import Final

from jitcore.codes import KEPT_NOWHERE
from jitcore.structs import dataclass

_POSIX: Final = os.name == "posix"
_OTHERS: Final = stat.S_IWGRP | stat.S_IWOTH
_SAFELY: Final = getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_CLOEXEC", 0) | getattr(os, "O_BINARY", 0)
_told: Final[set[str]] = set()


class UnsafeError(OSError):
    """A file or folder is not what was expected, or others could have written it."""


@dataclass(frozen=True, slots=True, eq=False)
class Folder:
    """A folder. `handle` is what it is open as, None where folders cannot be opened (Windows, where a user's own files
    are his alone)."""

    path: Path
    handle: int | None

    def _at(self, name: str) -> str:
        return name if self.handle is not None else str(self.path / name)

    def open_file(self, name: str, most: int) -> int:
        """Open a regular file of at most so many bytes, that nobody else can write to, for reading. Raises OSError."""
        flags = os.O_RDONLY | _SAFELY | getattr(os, "O_NONBLOCK", 0)
        handle = os.open(self._at(name), flags, dir_fd=self.handle)
        status = os.fstat(handle)
        if not stat.S_ISREG(status.st_mode) or status.st_size > most or (_POSIX and not _is_ours(status)):
            os.close(handle)
            raise UnsafeError(f"{name} is not a file of the user's")
        return handle

    def new_file(self, name: str) -> int:
        """Make a file that only the user may read or write, and open it for writing. Raises OSError if it is there."""
        return os.open(self._at(name), os.O_WRONLY | os.O_CREAT | os.O_EXCL | _SAFELY, 0o600, dir_fd=self.handle)

    def rename(self, name: str, new: str) -> None:
        """Give a file another name, in the place of what has that."""
        os.replace(self._at(name), self._at(new), src_dir_fd=self.handle, dst_dir_fd=self.handle)

    def remove(self, name: str) -> None:
        """Remove a file."""
        os.unlink(self._at(name), dir_fd=self.handle)

    def touch(self, name: str, handle: int) -> None:
        """Note that an open file was used, if that may be noted."""
        with contextlib.suppress(OSError):
            os.utime(handle if os.utime in os.supports_fd else self._at(name))


@contextlib.contextmanager
def opened(path: Path, *, make: bool = False) -> Generator[Folder | None]:
    """A folder (with `make`: made if it is not there); None if it cannot be had, or if others can write to it: a
    RuntimeWarning says so, once a process."""
    if make:
        with contextlib.suppress(OSError):
            path.mkdir(mode=0o700, parents=True, exist_ok=True)
    if not _POSIX:
        yield Folder(path, None) if path.is_dir() else None
        return
    try:
        real = Path(os.path.realpath(path))
        handle = os.open(real, os.O_RDONLY | os.O_DIRECTORY | _SAFELY)
    except OSError:
        yield None
        return
    try:
        weak = _weakness(real, os.fstat(handle))
        if weak is not None:
            _tell(path, weak)
        yield Folder(real, handle) if weak is None else None
    finally:
        os.close(handle)


def _weakness(path: Path, status: os.stat_result) -> str | None:
    """Why others could change what is in a folder; None if they could not."""
    if not _is_ours(status):
        return _described(path, status)
    for above in path.parents:
        try:
            status = os.lstat(above)
        except OSError as error:
            return f"{above} cannot be looked at ({error.strerror})"
        if not _is_ours(status) and not (status.st_mode & stat.S_ISVTX and _owner_is_trusted(status)):
            return _described(above, status)
    return None


def _is_ours(status: os.stat_result) -> bool:
    """Whether only the user and root can write to something. A group with the number of the user has no other members
    (user private groups)."""
    others = _OTHERS
    if stat.S_ISDIR(status.st_mode) and status.st_gid == status.st_uid and status.st_uid != 0:
        others = stat.S_IWOTH
    return _owner_is_trusted(status) and not status.st_mode & others


def _owner_is_trusted(status: os.stat_result) -> bool:
    return status.st_uid in (os.getuid(), 0)


def _described(path: Path, status: os.stat_result) -> str:
    if not _owner_is_trusted(status):
        return f"{path} belongs to another user"
    return f"others can write to {path} (mode {stat.S_IMODE(status.st_mode):04o})"


def _tell(path: Path, weak: str) -> None:
    if weak not in _told:
        _told.add(weak)
        hint = "make it yours alone (chmod go-w), or set JITCORE_CACHE_DIR to another folder or to off"
        message = f"compiled code is not kept in {path}: {weak}; {hint} [{KEPT_NOWHERE}]"
        warnings.warn(message, RuntimeWarning, stacklevel=2)
