"""What characters are (`characters`), by their code points."""

from __future__ import annotations

from typing import Final

from jitcore.backends.native.boxes.outside import character_block
from jitcore.backends.native.boxes.words import load32

CHARACTER_BYTES: Final[int] = 80
"""Of what is known of a character (`characters`)."""
DECIMAL: Final[int] = 4
UPPER_CASE: Final[int] = 8
LOWER_CASE: Final[int] = 24
TITLE_CASE: Final[int] = 40
FOLDED: Final[int] = 56
IS_LOWER: Final[int] = 32
IS_UPPER: Final[int] = 64
IS_SPACE: Final[int] = 128
IS_TITLE: Final[int] = 256
IS_PRINTABLE: Final[int] = 512
IS_CASED: Final[int] = 4096
IS_BREAK: Final[int] = 8192
IS_IGNORABLE: Final[int] = 16384


def character(code: int) -> int:
    """Where it says what a character is."""
    return character_block(code & -256) + CHARACTER_BYTES * (code & 255)


def is_space(code: int) -> int:
    """Whether a character is white space."""
    if code < 133:
        return code <= 32 and (code == 32 or (code >= 9 and code <= 13) or code >= 28)
    return load32(character(code)) & IS_SPACE
