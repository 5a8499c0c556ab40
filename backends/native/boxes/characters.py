"""What Python says of characters, a block of 256 at a time, in the words of `texts`."""

from __future__ import annotations

import unicodedata
from typing import Final

import numpy as np

_FIELDS: Final = 20
_FLAGS: Final = (
    str.isalpha, str.isdigit, str.isdecimal, str.isnumeric, str.isalnum, str.islower, str.isupper, str.isspace,
    str.istitle, str.isprintable, str.isidentifier,
)  # fmt: skip
CONTINUES_IDENTIFIER: Final = 2048
_CASED: Final = 4096
_BREAK: Final = 8192
_IGNORABLE: Final = 16384
_NO_DIGIT: Final = 255
FLAG_OF: Final = {function.__name__: 1 << k for k, function in enumerate(_FLAGS)}
"""The flag of each question about characters, by the name of Python's method."""


def block(index: int) -> np.ndarray[tuple[int, int], np.dtype[np.uint32]]:
    """What is known of the characters from 256 * index on: one row of words for each."""
    made = np.zeros((256, _FIELDS), np.uint32)
    for row, code in zip(made, range(256 * index, 256 * index + 256), strict=True):
        _describe(row, chr(code))
    return made


def _describe(row: np.ndarray[tuple[int], np.dtype[np.uint32]], c: str) -> None:
    flags = sum(1 << k for k, function in enumerate(_FLAGS) if function(c))
    is_cased = c.islower() or c.isupper() or c.istitle()
    flags |= CONTINUES_IDENTIFIER * ("a" + c).isidentifier() | _CASED * is_cased
    flags |= _BREAK * (len(("a" + c + "b").splitlines()) == 2)
    after_cased = ("A" + c + "\u03a3").lower()[-1] == "\u03c2"  # a capital sigma that ends a word
    after_other = (" " + c + "\u03a3").lower()[-1] == "\u03c2"
    flags |= _IGNORABLE * (after_cased and not after_other)
    row[0] = flags
    row[1] = unicodedata.decimal(c, _NO_DIGIT)
    for place, changed in ((2, c.upper()), (6, c.lower()), (10, c.title()), (14, c.casefold())):
        row[place] = len(changed)
        row[place + 1 : place + 1 + len(changed)] = list(map(ord, changed))
