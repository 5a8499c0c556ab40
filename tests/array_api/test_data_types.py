"""Dtypes: promotion of arrays and of Python's numbers beside them, kinds, limits, conversions, what the namespace says."""

from __future__ import annotations

import operator
from typing import Any

import numpy as np
import pytest
from standard_signatures import COMPLEX, DTYPES, INTEGERS, REALS
from ways import both

import jitcore.numpy as xp
from jitcore import jit

_SIGNED, _UNSIGNED = INTEGERS[:4], INTEGERS[4:]
_FLOATS = (*REALS, *COMPLEX)


def _promoted() -> dict[tuple[str, str], str]:
    """The standard's promotion table: the dtype of two dtypes of one kind; ints of 64 bits with unsigned ones of as many
    are left out, as mixed kinds are."""
    table = {("bool", "bool"): "bool"}
    for a in range(4):
        for b in range(4):
            table[_SIGNED[a], _SIGNED[b]] = _SIGNED[max(a, b)]
            table[_UNSIGNED[a], _UNSIGNED[b]] = _UNSIGNED[max(a, b)]
            if b < 3:
                table[_SIGNED[a], _UNSIGNED[b]] = table[_UNSIGNED[b], _SIGNED[a]] = _SIGNED[max(a, b + 1)]
    for a in _FLOATS:
        for b in _FLOATS:
            wide = "64" if {a, b} <= {"float32", "complex64"} else "128"
            is_complex = a in COMPLEX or b in COMPLEX
            table[a, b] = f"complex{wide}" if is_complex else "float32" if wide == "64" else "float64"
    return table


TABLE = _promoted()
_PAIRS = list(TABLE)


def _named(name: str) -> Any:
    return xp.ones((2,), dtype=getattr(xp, name))


@pytest.mark.parametrize("first", DTYPES)
def test_promotion_of_arrays(first: str) -> None:
    seconds = [b for a, b in _PAIRS if a == first]

    def run(x: Any, *others: Any) -> Any:
        if x.dtype == xp.bool:
            return [(x | y, xp.logical_and(x, y), xp.concat([x, y]), xp.where(x, x, y)) for y in others]
        return [(x + y, y * x, xp.maximum(x.real, y.real) * 0 + x - y, xp.concat([x, y])) for y in others]

    for made in both(run, _named(first), *map(_named, seconds)):
        for second, results in zip(seconds, made, strict=True):
            assert {r.dtype.name for r in results} == {TABLE[first, second]}, (first, second)


def test_result_type_is_the_table() -> None:
    for (a, b), wanted in TABLE.items():
        assert xp.result_type(getattr(xp, a), getattr(xp, b)) == getattr(xp, wanted)
        assert xp.result_type(_named(a), getattr(xp, b)) == getattr(xp, wanted)
    assert xp.result_type(xp.int8, 3, xp.int16) == xp.int16
    assert xp.result_type(xp.float32, 1.0) == xp.float32
    assert xp.result_type(xp.float32, 1j) == xp.complex64
    with pytest.raises(ValueError, match="array or a dtype"):
        xp.result_type(1, 2.0)


_SCALARS: dict[str, tuple[bool | int | float | complex, ...]] = {
    "bool": (True,),
    **dict.fromkeys(INTEGERS, (1,)),
    **dict.fromkeys(REALS, (1, 1.0)),
    **dict.fromkeys(COMPLEX, (1, 1.0, 1j)),
}


@pytest.mark.parametrize("name", DTYPES)
def test_python_numbers_take_the_dtype_of_the_array(name: str) -> None:
    numbers = _SCALARS[name]
    operators = (operator.and_, operator.xor) if name == "bool" else (operator.add, operator.mul, operator.sub)

    def run(x: Any) -> Any:
        return [(f(x, n), f(n, x)) for f in operators for n in numbers]

    for made in both(run, _named(name)):
        assert {r.dtype.name for pair in made for r in pair} == {name}


@pytest.mark.parametrize("name", [*REALS])
def test_a_python_complex_makes_a_real_array_complex(name: str) -> None:
    wanted = "complex64" if name == "float32" else "complex128"
    for made in both(lambda x: (x + 1j, 2j * x), _named(name)):
        assert {r.dtype.name for r in made} == {wanted}


def test_operators_in_place_keep_dtype_and_memory() -> None:
    for name in (*INTEGERS, *_FLOATS):
        x = _named(name)
        y = x
        x += 1
        x *= _named(name)
        x -= 1
        assert x is y
        assert x.dtype == getattr(xp, name)
        assert x.tolist() == [1, 1]


def test_dtypes_of_sums() -> None:
    for name in (*INTEGERS, *_FLOATS):
        wanted = "uint64" if name in _UNSIGNED else "int64" if name in INTEGERS else name

        def run(x: Any) -> Any:
            return xp.sum(x), xp.prod(x), xp.cumulative_sum(x), xp.cumulative_prod(x), xp.sum(x, dtype=xp.float64)

        for *made, told in both(run, _named(name)) if name not in COMPLEX else []:
            assert {r.dtype.name for r in made} == {wanted}
            assert told.dtype == np.float64


def test_defaults() -> None:
    info = xp.__array_namespace_info__()
    defaults = info.default_dtypes()
    assert defaults == {
        "real floating": xp.float64,
        "complex floating": xp.complex128,
        "integral": xp.int64,
        "indexing": xp.int64,
    }
    for made in (xp.zeros(2), xp.ones(2), xp.empty(2), xp.eye(2), xp.asarray(1.0), xp.asarray([1.0]), xp.full(2, 1.0)):
        assert made.dtype == defaults["real floating"]
    assert xp.linspace(0, 1, 3).dtype == xp.arange(0.0, 1.0).dtype == xp.fft.fftfreq(3).dtype == xp.float64
    assert xp.asarray(1j).dtype == xp.full(2, 1j).dtype == xp.complex128
    assert xp.asarray([1, 2]).dtype == xp.arange(3).dtype == xp.full(2, 1).dtype == xp.int64
    assert xp.asarray([True]).dtype == xp.full(2, False).dtype == xp.bool
    assert xp.argmax(xp.ones(3)).dtype == xp.nonzero(xp.ones(3))[0].dtype == defaults["indexing"]


def test_what_the_namespace_says_of_itself() -> None:
    info = xp.__array_namespace_info__()
    assert xp.__array_api_version__ == "2024.12"
    assert info.capabilities() == {"boolean indexing": True, "data-dependent shapes": True, "max dimensions": 64}
    assert info.devices() == [info.default_device()] == [xp.ones(1).device]
    assert set(info.dtypes()) == set(DTYPES)
    assert set(info.dtypes(kind="integral")) == set(INTEGERS)
    assert set(info.dtypes(kind=("bool", "complex floating"), device="cpu")) == {"bool", *COMPLEX}
    assert all(dtype == getattr(xp, name) for name, dtype in info.dtypes().items())
    with pytest.raises(ValueError, match="kind of dtypes"):
        info.dtypes(kind="float")
    with pytest.raises(ValueError, match="none called 'cuda'"):
        info.dtypes(device="cuda")


_KINDS = {
    "bool": ("bool",),
    "signed integer": _SIGNED,
    "unsigned integer": _UNSIGNED,
    "integral": INTEGERS,
    "real floating": REALS,
    "complex floating": COMPLEX,
    "numeric": (*INTEGERS, *_FLOATS),
}


def test_isdtype() -> None:
    for name in DTYPES:
        dtype = getattr(xp, name)
        for kind, members in _KINDS.items():
            assert xp.isdtype(dtype, kind) is (name in members)
            assert xp.isdtype(dtype, (kind, xp.bool)) is (name in members or name == "bool")
        assert xp.isdtype(dtype, dtype)
    with pytest.raises(ValueError, match="kind of dtypes"):
        xp.isdtype(xp.int8, ("integral", "float"))

    @jit
    def halved(x: Any) -> Any:
        return x / 2 if xp.isdtype(x.dtype, "real floating") else x // 2

    assert halved(xp.asarray([3])).tolist() == [1]
    assert halved(xp.asarray([3.0])).tolist() == [1.5]


def test_can_cast() -> None:
    for (a, b), wanted in TABLE.items():
        if wanted == b:
            assert xp.can_cast(getattr(xp, a), getattr(xp, b))
            assert xp.can_cast(_named(a), getattr(xp, b))
    assert xp.can_cast(xp.int16, xp.int8) is False
    assert xp.can_cast(xp.complex64, xp.float64) is False


@pytest.mark.parametrize(("name", "bits", "digits", "exponent"), [("float32", 32, 23, 127), ("float64", 64, 52, 1023)])
def test_finfo(name: str, bits: int, digits: int, exponent: int) -> None:
    for dtype in (name, f"complex{2 * bits}"):
        for of in (getattr(xp, dtype), _named(dtype)):
            found = xp.finfo(of)
            largest = (2.0 - 2.0**-digits) * 2.0**exponent
            assert (found.bits, found.eps, found.max, found.min) == (bits, 2.0**-digits, largest, -largest)
            assert (found.smallest_normal, found.dtype) == (2.0 ** (1 - exponent), getattr(xp, name))
    with pytest.raises(ValueError, match="floating dtype"):
        xp.finfo(xp.int8)


@pytest.mark.parametrize("name", INTEGERS)
def test_iinfo(name: str) -> None:
    bits = int(name.lstrip("uint"))
    low, high = (0, 2**bits - 1) if name in _UNSIGNED else (-(2 ** (bits - 1)), 2 ** (bits - 1) - 1)
    for of in (getattr(xp, name), _named(name)):
        found = xp.iinfo(of)
        assert (found.bits, found.min, found.max, found.dtype) == (bits, low, high, getattr(xp, name))
    with pytest.raises(ValueError, match="integer dtype"):
        xp.iinfo(xp.float32)


def test_astype() -> None:
    x = xp.asarray([0.0, 1.5, -2.5])
    assert xp.astype(x, xp.float64, copy=False) is x
    assert not np.shares_memory(xp.astype(x, xp.float64).asnumpy(), x.asnumpy())
    for made in both(lambda x: [xp.astype(x, t) for t in (xp.int32, xp.bool, xp.complex64, xp.float32)], x):
        assert [m.dtype.name for m in made] == ["int32", "bool", "complex64", "float32"]
        assert made[0].tolist() == [0, 1, -2]
        assert made[1].tolist() == [False, True, True]
    with pytest.raises(ValueError, match="none called 'gpu'"):
        xp.astype(x, xp.int32, device="gpu")
