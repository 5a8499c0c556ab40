"""Arrays next to memory that may not be touched."""

from __future__ import annotations

import ctypes
import mmap
import sys
from typing import Any

import numpy as np
import pytest

needs_guards = pytest.mark.skipif(sys.platform != "linux", reason="protects pages by mprotect")


class Guarded:
    """Memory between two pages that may not be touched; arrays end right before the second or begin after the first."""

    def __init__(self, bytes_: int) -> None:
        page = mmap.PAGESIZE
        self.size = (bytes_ + page - 1) // page * page
        self.memory = mmap.mmap(-1, self.size + 2 * page)
        self.start = ctypes.addressof(ctypes.c_char.from_buffer(self.memory)) + page
        protect = ctypes.CDLL(None).mprotect
        for address in (self.start - page, self.start + self.size):
            assert protect(ctypes.c_void_p(address), ctypes.c_size_t(page), 0) == 0

    def array(self, values: np.ndarray[Any, Any], at_end: bool) -> np.ndarray[Any, Any]:
        offset = self.size - values.nbytes if at_end else 0
        made = np.ctypeslib.as_array((ctypes.c_char * values.nbytes).from_address(self.start + offset))
        array = made.view(values.dtype)
        array[:] = values
        return array
