"""What libraries for C do where programs call Python: functions of numbers, random numbers."""

from __future__ import annotations

import ctypes
import math
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, nn, ops
from jitcore.program import libraries as lib
from tests.built_libraries import drawn, library_of


def gammas(x):
    return math.gamma(x), math.lgamma(x), math.hypot(x, 3.0)


def test_gamma_and_hypot_are_the_c_library_s(tmp_path: Path) -> None:
    library = library_of(gammas, 2.5, tmp_path, "gammas", 3)
    for x in (0.3, 1.0, 5.0, 33.3, -0.7, -20.5, 1e-5, 150.0, math.inf, math.nan):
        np.testing.assert_allclose(library(x), gammas(x), rtol=1e-14)


RAISING: list[tuple[Any, tuple[Any, ...], tuple[Any, ...]]] = [
    (lambda x: math.gamma(x), (2.5,), (0.0, -0.0, -1.0, -170.0, -math.inf, 200.0, 1e-309, -1e-309)),
    (lambda x: math.lgamma(x), (2.5,), (0.0, -3.0, 1e308)),
    (lambda x, y: math.remainder(x, y), (2.5, 1.5), ((math.inf, 1.0), (1.0, 0.0))),
    (lambda x, n: math.ldexp(x, n), (2.5, 1), ((1.5, 2000), (1.0, 2**62))),
    (lambda n: math.factorial(n), (3,), (-1, 21, 1000)),
    (lambda n, k: math.comb(n, k), (5, 3), ((-1, 2), (1, -2), (67, 33), (2**62, 40))),
    (lambda n, k: math.perm(n, k), (5, 3), ((-1, 2), (1, -2), (21, 21), (2**62, 2))),
]


@pytest.mark.parametrize(("function", "inputs", "calls"), RAISING)
def test_what_functions_raise(function: Any, inputs: Any, calls: Any, tmp_path: Path) -> None:
    library, model = library_of(function, inputs, tmp_path, "f"), jitcore.load(tmp_path / "f")
    for args in calls:
        args = args if isinstance(args, tuple) else (args,)
        with pytest.raises((ValueError, OverflowError)) as raised:
            model(*args)
        with pytest.raises(RuntimeError) as told:
            library(*args)
        text = str(told.value)
        assert text.startswith(f"{type(raised.value).__name__}: ")
        assert text.endswith(")")
        assert "test_build_hosts.py, line " in text
    np.testing.assert_allclose(library(*inputs), [function(*inputs)], rtol=1e-14)


def test_integers_up_to_the_last(tmp_path: Path) -> None:
    library = library_of(lambda n, k: (math.comb(n, k), math.perm(n, k % 5)), (5, 3), tmp_path, "choose", 2)
    for n, k in ((66, 33), (2**31, 2), (2_000_000, 3), (62, 28), (7, 9), (0, 0), (5, 5), (2**62, 1)):
        if k < 5 or n <= 66:
            assert library(n, k) == [math.comb(n, k), math.perm(n, k % 5)]


class Dropping(nn.Cell):
    def __init__(self):
        super().__init__()
        self.dropout, self.dense = nn.Dropout(p=0.5), nn.Dense(16, 3)
        self.set_train(True)

    def construct(self, x):
        return self.dense(self.dropout(x)) + ops.standard_normal((3,))


def test_random_numbers_are_those_of_python(tmp_path: Path) -> None:
    net, x = Dropping(), Tensor(np.ones((4, 16), np.float32))
    library, model = library_of(net, x, tmp_path, "dropping"), jitcore.load(tmp_path / "dropping")
    for key in (3, 2**63 + 11):
        jitcore.set_seed(key % 2**32)
        want = [model(x).asnumpy() for _ in range(3)]
        library["seed"](library.handle, ctypes.c_uint64(key % 2**32))
        for wanted in want:
            np.testing.assert_array_equal(library(x)[0], wanted)


def test_each_handle_draws_for_itself(tmp_path: Path) -> None:
    x = Tensor(np.zeros(3, np.float32))
    library = library_of(drawn, x, tmp_path, "draw", 2)
    first, second = library.handle, ctypes.c_void_p(library["new"]())
    made: list[list[float]] = []
    for handle in (first, second, first):
        library.handle = handle
        made.append(np.concatenate(library(x)).tolist())
    assert len(set(map(tuple, made))) == 3  # keys of chance
    for handle in (first, second):
        library["seed"](handle, ctypes.c_uint64(9))
    made.clear()
    for handle in (first, first, second, second):
        library.handle = handle
        made.append(np.concatenate(library(x)).tolist())
    assert made[:2] == made[2:]
    assert made[0] != made[1]
    jitcore.set_seed(9)
    model = jitcore.load(tmp_path / "draw")
    assert made[0] == np.concatenate([t.asnumpy() for t in model(x)]).tolist()
    library["delete"](second)


def test_an_exception_that_none_catches_goes_on_outwards(tmp_path: Path) -> None:
    def outer(x, n):
        try:
            return math.gamma(x) + math.factorial(n)
        except (KeyError, ValueError):
            if n > 5:
                raise
            raise IndexError("n is small")  # noqa: B904

    library = library_of(outer, (2.5, 3), tmp_path, "outer")
    assert library(3.0, 3) == [8.0]
    with pytest.raises(RuntimeError, match=r"^OverflowError: "):
        library(3.0, 40)
    with pytest.raises(RuntimeError, match=r"^ValueError: math domain error"):
        library(-1.0, 7)
    with pytest.raises(RuntimeError, match=r"^IndexError: n is small"):
        library(-1.0, 3)
    status, _ = library.status((1.0, 2))
    assert status == lib.OK
