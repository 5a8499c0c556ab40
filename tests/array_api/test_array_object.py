"""The array object: attributes, conversions to Python's numbers, indexing, operators, DLPack."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from ways import assert_same, both

import jitcore
import jitcore.numpy as xp
from jitcore import jit
from jitcore.runtime import autograd

_GIVEN = np.arange(24.0).reshape(2, 3, 4)


def test_attributes() -> None:
    x = xp.asarray(_GIVEN)
    assert (x.dtype, x.device, x.ndim, x.shape, x.size) == (xp.float64, "cpu", 3, (2, 3, 4), 24)
    np.testing.assert_array_equal(x.mT.asnumpy(), _GIVEN.swapaxes(-1, -2))
    np.testing.assert_array_equal(x[0].T.asnumpy(), _GIVEN[0].T)
    assert x.to_device("cpu") is x
    for wrong in (lambda: x.to_device("cuda"), lambda: x.to_device("cpu", stream=1)):
        with pytest.raises(ValueError, match="are on the device 'cpu'"):
            wrong()


def test_attributes_in_compiled_code() -> None:
    def run(x: Any) -> Any:
        space = x.__array_namespace__(api_version="2024.12")
        y = space.sum(x.mT, axis=0) if x.device == "cpu" else x
        return y.to_device(x.device) * x.ndim + x.size

    for made in both(run, xp.asarray(_GIVEN)):
        np.testing.assert_array_equal(made, _GIVEN.swapaxes(-1, -2).sum(0) * 3 + 24)


def test_the_namespace_of_an_array() -> None:
    x = jitcore.Tensor([1.0])
    assert x.__array_namespace__() is xp
    for version in ("2021.12", "2022.12", "2023.12", "2024.12"):
        assert x.__array_namespace__(api_version=version) is xp
    with pytest.raises(ValueError, match="versions of the standard"):
        x.__array_namespace__(api_version="2020.01")


def test_conversions_to_numbers() -> None:
    assert bool(xp.asarray(True)) is True
    assert (int(xp.asarray(-3)), float(xp.asarray(2.5)), complex(xp.asarray(1j))) == (-3, 2.5, 1j)
    assert float(xp.asarray(2, dtype=xp.int8)) == 2.0
    assert complex(xp.asarray(2.0)) == 2 + 0j
    assert [10, 20, 30][xp.asarray(2, dtype=xp.uint8)] == 30
    with pytest.raises(TypeError, match="integer tensors"):
        range(3)[xp.asarray(1.0)]  # pyright: ignore[reportArgumentType]
    with pytest.raises(ValueError, match="ambiguous"):
        bool(xp.asarray([True, False]))
    with pytest.raises(TypeError):
        int(xp.asarray(1j))


_KEYS: dict[str, Any] = {
    "an int": 1, "a negative int": -1, "ints": (1, -2, 3), "a slice": slice(1, None), "backwards": slice(None, None, -1),
    "past the end": slice(0, 10), "before the start": slice(-10, 1), "nothing": slice(0, 0), "an ellipsis": ...,
    "an ellipsis first": (..., -1), "an ellipsis last": (0, ...), "in the middle": (0, ..., 1), "a new axis": None,
    "a new axis inside": (0, None, slice(None, None, 2)), "steps": (slice(None), slice(2, 0, -1), slice(3, None, -2)),
    "no key": (),
}  # fmt: skip


def test_reading() -> None:
    keys = list(_KEYS.values())

    def run(x: Any) -> Any:
        return [x[key] for key in keys]

    for made in both(run, xp.asarray(_GIVEN)):
        assert_same(made, [np.asarray(_GIVEN[key]) for key in keys])


@pytest.mark.parametrize("name", _KEYS)
def test_writing(name: str) -> None:
    key = _KEYS[name]

    def run(x: Any) -> Any:
        y, z = xp.asarray(x, copy=True), xp.asarray(x, copy=True)
        y[key] = 5.0
        z[key] = x[key] * 2
        return y, z

    first, second = _GIVEN.copy(), _GIVEN.copy()
    first[key] = 5.0
    second[key] = _GIVEN[key] * 2
    for made in both(run, xp.asarray(_GIVEN)):
        assert_same(made, (first, second))


def test_masks() -> None:
    def run(x: Any) -> Any:
        y = xp.asarray(x, copy=True)
        y[y > 12] = 0.0
        return x[x > 20], x[x[:, 0, 0] > 3], y

    wanted = (_GIVEN[_GIVEN > 20], _GIVEN[_GIVEN[:, 0, 0] > 3], np.where(_GIVEN > 12, 0.0, _GIVEN))
    for made in both(run, xp.asarray(_GIVEN)):
        assert_same(made, wanted)
    scalar = xp.asarray(7)
    assert scalar[xp.asarray(True)].tolist() == [7]
    assert scalar[xp.asarray(False)].tolist() == []
    with pytest.raises(IndexError, match="boolean index"):
        xp.ones((2, 3))[xp.asarray([True, False, True])]


def test_arrays_of_places() -> None:
    """Ints and arrays of ints for all axes, which broadcast."""

    def run(x: Any, i: Any, j: Any) -> Any:
        return x[i, j, 1], x[0, j, i], x[i[:, None], j, i]

    i, j = np.array([1, 0]), np.array([2, -1])
    wanted = (_GIVEN[i, j, 1], _GIVEN[0, j, i], _GIVEN[i[:, None], j, i])
    for made in both(run, xp.asarray(_GIVEN), xp.asarray(i), xp.asarray(j)):
        assert_same(made, wanted)


def test_places_that_are_not_there() -> None:
    x = xp.ones((2, 3))
    for key in (2, (0, 3), (0, 0, 0), (..., ...)):
        with pytest.raises(IndexError):
            x[key]

    @jit
    def read(x: Any, i: int) -> Any:
        return x[i]

    assert read(x, 1).shape == (3,)
    with pytest.raises(IndexError):
        read(x, 2)


_OPERATORS: dict[str, tuple[Callable[[Any, Any], Any], tuple[str, ...]]] = {
    "arithmetic": (lambda x, y: (x + y, x - y, x * y, 2 - x, 3 * x, 1 + y), ("int32", "float32", "complex128")),
    "division": (lambda x, y: (x / y, 1 / y, x**2, 2**x), ("float32", "complex128")),
    "rounded": (lambda x, y: (x // y, x % y, 7 // y, 7 % y, abs(x), -x, +x), ("int16", "float64")),
    "bits": (lambda x, y: (x & y, x | y, x ^ y, ~x, x << y, x >> y, 3 & x, 1 << y), ("int8", "uint32")),
    "truth": (lambda x, y: (x & y, x | y, x ^ y, ~x, x == y, x != y), ("bool",)),
    "order": (lambda x, y: (x < y, x <= y, x > y, x >= y, x == 2, y != 2), ("int64", "float32")),
    "matrices": (lambda x, y: (x @ y.T, x[0] @ y[0]), ("int64", "float32", "complex64")),
}


@pytest.mark.parametrize("name", _OPERATORS)
def test_operators(name: str) -> None:
    function, dtypes = _OPERATORS[name]
    arrays = [np.array(v, dtype) for dtype in dtypes for v in ([[1, 2], [3, 2]], [[2, 2], [1, 3]])]

    def run(*given: Any) -> Any:
        return [function(x, y) for x, y in zip(given[::2], given[1::2], strict=True)]

    for made in both(run, *map(xp.asarray, arrays)):
        assert_same(made, run(*arrays), 1e-6)


def test_operators_refuse_what_the_standard_does() -> None:
    for wrong in (
        lambda: xp.ones(2) & xp.ones(2),
        lambda: ~xp.ones(2),
        lambda: xp.ones(2) << 1,
        lambda: xp.bitwise_xor(xp.ones(2), 1),
    ):
        with pytest.raises(TypeError):
            wrong()


# --- DLPack ---------------------------------------------------------------------------------------------------


class _Exporter:
    """An array of another library's, which is known by its protocol alone."""

    def __init__(self, array: np.ndarray[Any, Any]) -> None:
        self.array = array

    def __dlpack__(self, **options: Any) -> Any:
        return self.array.__dlpack__(**options)

    def __dlpack_device__(self) -> Any:
        return self.array.__dlpack_device__()


def test_memory_is_shared_both_ways() -> None:
    for dtype in xp.__array_namespace_info__().dtypes().values():
        x = xp.ones((2, 3), dtype=dtype)
        assert np.shares_memory(np.from_dlpack(x.mT), x.asnumpy())
        theirs = np.ones((2, 3), dtype.numpy)
        ours = xp.from_dlpack(_Exporter(theirs))
        assert ours.dtype == dtype
        assert np.shares_memory(ours.asnumpy(), theirs)
        assert xp.all(xp.from_dlpack(x, device="cpu") == x)
    assert not np.shares_memory(xp.from_dlpack(_Exporter(theirs), copy=True).asnumpy(), theirs)


def test_memory_that_must_not_be_written_to_stays_so() -> None:
    theirs = np.ones(3)
    theirs.flags.writeable = False
    ours = xp.from_dlpack(theirs)
    with pytest.raises(ValueError, match="read-only"):
        ours[0] = 2.0
    assert not np.from_dlpack(ours).flags.writeable
    with pytest.raises(BufferError):
        ours.__dlpack__()  # a consumer that does not know of such memory
    assert "versioned" in repr(ours.__dlpack__(max_version=(1, 0)))


def test_what_cannot_be_exported() -> None:
    x = xp.ones(2)
    assert x.__dlpack_device__() == (1, 0)
    for options in ({"dl_device": (2, 0)}, {"stream": 1}):
        with pytest.raises(BufferError, match="to the CPU"):
            x.__dlpack__(**options)
    autograd.set_requires_grad(x, True)
    with pytest.raises(BufferError, match="gradient"):
        np.from_dlpack(x)
    with pytest.raises(AttributeError):
        xp.from_dlpack(3)
    with pytest.raises(ValueError, match="none called 'gpu'"):
        xp.from_dlpack(np.ones(2), device="gpu")
