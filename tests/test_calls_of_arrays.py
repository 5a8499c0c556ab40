"""Host calls with arrays: what a function is given and what is taken of what it gives, by native code and through a callback."""

from __future__ import annotations

import ctypes
import gc
from collections.abc import Callable, Iterator, Sequence
from typing import Any

import numpy as np
import pytest
from program_builder import Writer, load, make, site

from jitcore import jit
from jitcore.backends.cpython import call_type
from jitcore.backends.cpython.array_calls import HostRecord
from jitcore.backends.native.host import runtime
from jitcore.backends.protocol import ProgramError
from jitcore.program import nodes as n
from jitcore.program.words import type_words
from jitcore.signature import struct_layout
from jitcore.source import InternalError
from jitcore.types import (
    BOOL,
    FLOAT,
    INT,
    NONE,
    ScalarType,
    TensorType,
    Type,
    bool_,
    c64,
    c128,
    dtype_of,
    f16,
    f32,
    f64,
    i8,
    i64,
    u64,
)
from tests.program_builder import to_words

COMPLEX = ScalarType(c128)


@pytest.fixture(params=["native", "callback"], autouse=True)
def way(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """How host calls are made. Programs keep no blocks but those they give."""
    jit(abs)  # the native type is made with the first compiled function
    if request.param == "callback":
        monkeypatch.setattr(call_type, "_array_calls", [])
    elif struct_layout.layout() is None:
        pytest.skip("this interpreter has no native calls")
    gc.collect()
    before = runtime.blocks_in_use()
    yield request.param
    gc.collect()
    assert runtime.blocks_in_use() == before


def words_of(value: Any) -> list[int]:
    """The words of a number, or of an array (which must be kept)."""
    if isinstance(value, np.ndarray):
        return to_words([value.ctypes.data, id(value) | 1, *value.shape, *value.strides]).tolist()
    return to_words([value]).tolist()


def type_of(value: Any) -> Type:
    if isinstance(value, np.ndarray):
        return TensorType(dtype_of(value.dtype), value.shape)
    return {bool: BOOL, int: INT, float: FLOAT, complex: COMPLEX}[type(value)]


def taken(type_: Type, words: list[int]) -> Any:
    """The value that is in words; the block of an array is given back."""
    if isinstance(type_, TensorType):
        data, owner, *layout = words
        shape, strides = layout[: type_.rank], layout[type_.rank :]
        size = int(np.prod(shape)) * type_.dtype.itemsize
        array = np.frombuffer(ctypes.string_at(data, size), type_.dtype.numpy).reshape(shape).copy()
        assert array.strides == tuple(strides) or not size
        runtime.release(owner)
        return array
    assert isinstance(type_, ScalarType)
    return np.array(words, np.uint64).view(type_.dtype.numpy if type_ is not BOOL else np.int64)[0].item()


def hosted(function: Callable[..., Any], args: Sequence[Any], results: Sequence[Type]) -> list[Any]:
    """Have a program call a function with values, and give what the program got."""
    w = Writer()
    types = [type_of(a) for a in args]
    given = [word for value in args for word in words_of(value)]
    registers = [w.read(at, kind) for at, kind in laid_out(types)]
    outs = [(at, w.reg(kind)) for at, kind in laid_out(results)]
    w.add(n.Host(0, tuple(registers), tuple(out for _, out in outs), 0))
    for at, out in outs:
        w.write(at, out)
    made = n.HostCall(function, tuple(types), tuple(results))
    program = load(make(w, len(given), sum(map(type_words, results)), sites=[site("Host")], host_calls=(made,)))
    found = program.run(np.array(given, np.uint64)).tolist()
    values: list[Any] = []
    for type_ in results:
        values.append(taken(type_, found[: type_words(type_)]))
        del found[: type_words(type_)]
    return values


def laid_out(types: Sequence[Type]) -> Iterator[tuple[int, Any]]:
    """The registers that values are in: their first words, and their types."""
    at = 0
    for type_ in types:
        if isinstance(type_, TensorType):
            yield from ((at + k, i64 if k > 1 else None) for k in range(type_words(type_)))
        else:
            assert isinstance(type_, ScalarType)
            yield at, type_.dtype
        at += type_words(type_)


base = np.arange(24.0).reshape(2, 3, 4)
ARRAYS = [
    np.arange(5.0),
    np.arange(6, dtype=np.int8).reshape(2, 3),
    base[:, ::2, ::-1],
    base.T,
    np.zeros((0, 3), np.float32),
    np.zeros((2, 0, 3), np.int64),
    np.array(2.5),
    np.array([True, False, True]),
    np.array([1 + 2j, 3 - 1j], np.complex64),
    np.array([2**64 - 1, 0], np.uint64),
    np.array([0.5, np.nan, np.inf], np.float16),
    np.arange(64.0).reshape(2, 2, 2, 2, 2, 2),
    np.broadcast_to(np.array(3.0), (4, 2)),
]


@pytest.mark.parametrize("array", ARRAYS, ids=lambda a: f"{a.dtype}{a.shape}")
def test_arrays_arrive_and_come_back(array: np.ndarray[Any, Any]) -> None:
    seen: list[Any] = []

    def function(x: Any, k: int) -> tuple[Any, Any]:
        seen.append((type(x), x.dtype, x.shape, x.copy()))
        return x, np.asarray(x * k)

    same, doubled = hosted(function, [array, 2], [type_of(array), type_of(np.asarray(array * 2))])
    cls, dtype, shape, values = seen[0]
    assert (cls, dtype, shape) == (np.ndarray, array.dtype, array.shape)
    np.testing.assert_array_equal(values, array)
    np.testing.assert_array_equal(same, array)
    np.testing.assert_array_equal(doubled, array * 2)


@pytest.mark.parametrize(
    ("made", "dtype"),
    [
        (np.asfortranarray(np.arange(6.0).reshape(2, 3)), f64),
        (np.arange(12.0).reshape(2, 6)[:, ::2], f64),
        (np.arange(6.0).reshape(3, 2).T, f64),
        ([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]], f64),
        (np.arange(6, dtype=">f8").reshape(2, 3).astype("f8").view(np.ndarray), f64),
        (np.ma.masked_array(np.arange(6.0).reshape(2, 3)), f64),
        (np.zeros((2, 3), c64.numpy), c64),
        (np.zeros((2, 0), i8.numpy), i8),
    ],
)
def test_results_of_any_layout_are_copied_in_order(made: Any, dtype: Any) -> None:
    (found,) = hosted(lambda: (made,), [], [TensorType(dtype, np.shape(made))])
    assert found.dtype == dtype.numpy
    np.testing.assert_array_equal(found, np.asarray(made))


@pytest.mark.parametrize("made", [np.float64(1.5), np.array(1.5), 1.5])
def test_results_without_axes(made: Any) -> None:
    (found,) = hosted(lambda: (made,), [], [TensorType(f64, ())])
    assert found == 1.5


@pytest.mark.parametrize(
    ("made", "type_"),
    [
        (np.zeros(3, np.float32), TensorType(f64, (3,))),
        (np.zeros((3, 1)), TensorType(f64, (3,))),
        (np.zeros(2, np.int64), TensorType(u64, (2,))),
        (np.zeros(2, np.float16), TensorType(f32, (2,))),
        (1.5, TensorType(f16, ())),
        (np.array(["a"]), TensorType(f64, (1,))),
    ],
)
def test_what_is_no_such_array_is_found_out(made: Any, type_: Type) -> None:
    with pytest.raises(ProgramError) as caught:
        hosted(lambda: (made,), [], [type_])
    assert isinstance(caught.value.__cause__, InternalError)


def test_numbers_beside_arrays() -> None:
    def function(a: int, x: Any, b: float, c: bool, z: complex, y: Any) -> tuple[Any, ...]:
        assert [type(v) for v in (a, b, c, z)] == [int, float, bool, complex]
        return c, a * 2, x + y, b / 2, z * 1j, np.int64(a), np.float64(b), np.bool_(c)

    x, y = np.arange(3.0), np.ones(3)
    given = [-5, x, -0.5, True, 1 + 2j, y]
    types = [BOOL, INT, TensorType(f64, (3,)), FLOAT, COMPLEX, INT, FLOAT, BOOL]
    found = hosted(function, given, types)
    np.testing.assert_array_equal(found[2], x + y)
    assert [*found[:2], *found[3:]] == [True, -10, -0.25, (1 + 2j) * 1j, -5, -0.5, True]


def test_arguments_that_are_kept_stay_alive() -> None:
    kept: list[Any] = []
    given = np.arange(4.0)
    hosted(lambda x: kept.append(x[1:]) or (), [given], [])
    address = given.ctypes.data
    del given
    gc.collect()
    assert kept[0].ctypes.data == address + 8
    assert kept[0].tolist() == [1, 2, 3]


def test_an_argument_can_be_written_to_if_the_callers_array_can() -> None:
    given = np.zeros(3)
    hosted(lambda x: x.fill(2) or (), [given], [])
    assert given.tolist() == [2, 2, 2]


@pytest.mark.parametrize("error", [ValueError("no"), KeyboardInterrupt(), MemoryError("much")])
def test_exceptions_are_handed_on(error: BaseException) -> None:
    def function(x: Any) -> Any:
        raise error

    for _ in range(3):
        with pytest.raises(ProgramError) as caught:
            hosted(function, [np.arange(3.0)], [TensorType(f64, (3,)), INT])
        assert caught.value.__cause__ is error


def test_a_result_that_fails_after_another_leaves_nothing() -> None:
    def function() -> Any:
        return np.zeros(100), object()

    types = [TensorType(f64, (100,)), INT]
    with pytest.raises(ProgramError):
        hosted(function, [], types)


def test_what_has_other_values_goes_through_the_callback() -> None:
    call_ = n.HostCall(lambda: (None,), (), (NONE,))
    assert not HostRecord.serves(call_)
    assert HostRecord.serves(n.HostCall(lambda x: (x,), (TensorType(bool_, (2,)),), (INT,)))


def test_compiled_loops_that_call_numpy(way: str) -> None:
    @jit
    def f(a: Any, n: int) -> Any:
        total = 0.0
        for k in range(n):
            b = np.sort(a * (k + 1))[::-1]
            values, counts = np.unique(b, return_counts=True)
            total += b[0] + values[0] * counts[0] + np.linalg.det(np.outer(a, a) + np.eye(3) * k)
            a = a + b
        return total, a

    a = np.array([3.0, 1.0, 2.0])
    for k in (3, 4, 5):
        found, last = f(a, k)
        expected, other = f.__wrapped__(a, k)
        assert found == pytest.approx(expected, rel=1e-13)
        np.testing.assert_array_equal(last, other)
