"""Checkpoints of before: NumPy's `.npz`, an array for each Parameter by its name."""

from __future__ import annotations

import io
import struct
import zipfile
from typing import Any, Final

import numpy as np

MAGIC: Final = b"PK"
_END: Final = struct.Struct("<4s4H2LH")
"""How a zip archive ends (APPNOTE 4.3.16): a mark, disks, how many members there are, the size and place of their list,
a comment."""
_END_MARK: Final = b"PK\x05\x06"
_HEAD: Final = struct.Struct("<4s5H3L2H")
"""How a member begins (4.3.7): at last, the lengths of its name and of what stands between that and its data."""
_MANY: Final = 0xFFFF
"""Stands for a count that is in a longer record (of ZIP64)."""
_SUFFIX: Final = ".npy"


def decode(data: bytes) -> dict[str, Any]:
    """The arrays, by name. Raises ValueError if anything is damaged."""
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as archive:
            members = archive.infolist()
            _require_all(data, archive)
            found = {m.filename.removesuffix(_SUFFIX): _array(archive.read(m)) for m in members}
        if len(found) != len(members):
            raise ValueError("two arrays have one name")
    except Exception as error:  # whatever the readers of three formats within each other come upon
        raise ValueError(f"it is damaged: {type(error).__name__}: {error}") from error
    return found


def _array(data: bytes) -> Any:
    file = io.BytesIO(data)
    made = np.load(file, allow_pickle=False)
    if file.read(1):
        raise ValueError("an array has more bytes than its shape")
    return made


def _require_all(data: bytes, archive: zipfile.ZipFile) -> None:
    """Raise ValueError unless the archive has as many members as it says, one right behind the other, and nothing
    besides."""
    members = archive.infolist()
    mark, _, _, count, total, *_, comment = _END.unpack_from(data, len(data) - _END.size)
    if mark != _END_MARK or comment or not (count == total and total in (len(members), _MANY)):
        raise ValueError("its list of members is not whole")
    expected = 0
    for member in sorted(members, key=lambda m: m.header_offset):
        *_, name, extra = _HEAD.unpack_from(data, member.header_offset)
        if member.header_offset != expected or not member.filename.endswith(_SUFFIX):
            raise ValueError(f"{member.filename} is not where it should be")
        expected += _HEAD.size + name + extra + member.compress_size
    if archive.start_dir != expected:
        raise ValueError("its parts are not where they should be")
