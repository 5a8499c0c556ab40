"""NumPy's numbers in dicts, sets, lists and tuples of the run: programs against Python."""

from __future__ import annotations

import warnings

import numpy as np
import pytest
from numpy_container_programs import PROGRAMS
from test_boxes import done

from jitcore import jit


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", PROGRAMS)
def test_compiled_as_plain(name: str) -> None:
    function, calls = PROGRAMS[name]
    compiled = jit(function)
    with warnings.catch_warnings(), np.errstate(all="ignore"):
        for args in (*calls, *calls):
            assert done(compiled, args) == done(function, args), args
