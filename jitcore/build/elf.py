"""What a shared library needs of the machine that loads it, as its ELF file says."""

from __future__ import annotations

import re
import struct
from collections.abc import Iterator
from typing import Final

from jitcore.structs import dataclass

_SECTION: Final = struct.Struct("<IIQQQQIIQQ")
_NEED: Final = struct.Struct("<HHIII")
_VERSION: Final = struct.Struct("<IHHII")
_DYNAMIC: Final = struct.Struct("<qQ")
_SECTIONS_AT: Final = 40
_SECTION_COUNT_AT: Final = 60
_SHT_DYNAMIC: Final = 6
_SHT_GNU_VERNEED: Final = 0x6FFFFFFE
_DT_NEEDED: Final = 1


@dataclass(frozen=True, slots=True)
class Needs:
    """The names of other libraries, and of the versions of their symbols."""

    libraries: frozenset[str]
    versions: frozenset[str]

    @property
    def glibc(self) -> tuple[int, int]:
        """The oldest glibc that has the symbols; (0, 0) where no version of one is named."""
        found = (re.match(r"GLIBC_(\d+)\.(\d+)", version) for version in self.versions)
        return max(((int(m[1]), int(m[2])) for m in found if m is not None), default=(0, 0))


def needs(code: bytes) -> Needs:
    """What a 64-bit little-endian library needs."""
    (at,), (count,) = struct.unpack_from("<Q", code, _SECTIONS_AT), struct.unpack_from("<H", code, _SECTION_COUNT_AT)
    sections = [_SECTION.unpack_from(code, at + k * _SECTION.size) for k in range(count)]
    libraries: set[str] = set()
    versions: set[str] = set()
    for _, kind, _, _, offset, size, link, entries, _, _ in sections:
        if kind == _SHT_DYNAMIC:
            tags = _DYNAMIC.iter_unpack(code[offset : offset + size])
            libraries |= {_string(code, sections[link][4] + name) for tag, name in tags if tag == _DT_NEEDED}
        elif kind == _SHT_GNU_VERNEED:
            versions |= {_string(code, sections[link][4] + name) for name in _versions(code, offset, entries)}
    return Needs(frozenset(libraries), frozenset(versions))


def _versions(code: bytes, at: int, entries: int) -> Iterator[int]:
    """Where the names of versions are in the strings."""
    for _ in range(entries):
        _, count, _, first, following = _NEED.unpack_from(code, at)
        version = at + first
        for _ in range(count):
            _, _, _, name, after = _VERSION.unpack_from(code, version)
            yield name
            version += after
        at += following


def _string(code: bytes, at: int) -> str:
    return code[at : code.index(b"\0", at)].decode()
