"""The native call path: what it serves, what it leaves to Python, that results, errors and references are the same."""

from __future__ import annotations

import collections
import contextlib
import copy
import functools
import gc
import inspect
import itertools
import os
import pickle
import subprocess
import sys
import threading
import traceback
import weakref
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from jitcore import Parameter, Tensor, jit, nn, ops, value_and_grad
from jitcore.backends.cpython import call_modules
from jitcore.backends.native.engine import engine
from jitcore.backends.native.host import runtime
from jitcore.config import settings
from jitcore.runtime import dispatch, tape
from jitcore.signature import struct_layout

ROOT = Path(__file__).parent.parent

pytestmark = pytest.mark.skipif(struct_layout.layout() is None, reason="this interpreter has no native calls")


def natively(function: Any) -> int:
    """How many calls of a compiled function machine code has served."""
    return sum(member.native_calls for member in function.specialisations)


def check(function: Callable[..., Any], *args: Any, calls: int = 3) -> Any:
    """Call a function compiled, repeatedly: every result equals the plain function's, and all but the first call are served
    natively. Gives the last result."""
    compiled = jit(function)
    expected = function(*args)
    compiled(*args)
    before = natively(compiled)
    found: Any = None
    for _ in range(calls):
        found = compiled(*args)
        assert_same(found, expected)
    assert natively(compiled) == before + calls
    return found


def assert_same(found: Any, expected: Any) -> None:
    assert type(found) is type(expected)
    if isinstance(expected, tuple | list):
        assert len(found) == len(expected)
        for a, b in zip(found, expected, strict=True):
            assert_same(a, b)
    elif isinstance(expected, dict):
        assert list(found) == list(expected)
        for key, value in expected.items():
            assert_same(found[key], value)
    elif isinstance(expected, Tensor | np.ndarray | np.generic):
        a, b = np.asarray(found), np.asarray(expected)
        assert (a.dtype, a.shape) == (b.dtype, b.shape)
        np.testing.assert_array_equal(a, b)
    else:
        assert found == expected or found != found


X = np.arange(4, dtype=np.float32)


# --- arguments --------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "args",
    [
        (Tensor(X), Tensor(X + 1)),
        (X, X + 1),
        (Tensor(X), X),
        (2.5, 3),
        (True, 4),
        (1 << 30, -(1 << 31)),
        (0, -1),
        (-(1 << 63), 0),
        (1 + 2j, 2.0),
        (Tensor(X), 2.0),
        (X.reshape(2, 2)[:, ::-1], X.reshape(2, 2).T),
        (np.zeros((0, 3)), np.zeros((0, 3))),
        (np.array(1.5), np.array(2.5)),
        (Tensor(np.zeros((2, 0))), 3),
        (Tensor(1.5), Tensor(np.arange(3.0))),
    ],
    ids=str,
)
def test_arguments(args: tuple[Any, ...]) -> None:
    def f(x, y):
        return x * y + x

    check(f, *args)


def test_containers_of_arguments() -> None:
    Pair = collections.namedtuple("Pair", "first second")

    def f(pair, items, options, name):
        return pair.first + items[0] * options["k"] if name == "a" else pair.second

    check(f, Pair(X, 2), [X + 1, (3, 4)], {"k": 2.0, "unused": "s"}, "a")
    compiled = jit(f)
    compiled(Pair(X, 2), [X + 1], {"k": 2.0}, "a")
    assert compiled(Pair(X, 2), [X + 1], {"k": 2.0}, "b") == 2
    assert compiled(Pair(X, 7), [X + 1], {"k": 2.0}, "".join(["b"])) == 7
    with pytest.raises(KeyError):
        compiled(Pair(X, 2), [X + 1], {"j": 2.0}, "a")


def test_static_arguments_by_value_or_identity() -> None:
    def f(x, kind, where, chosen):
        return x[where] if kind is None and 1 in chosen else x

    compiled = jit(f)
    chosen = frozenset([1])
    for _ in range(2):
        assert_same(compiled(X, None, slice(1, 3), chosen), X[1:3])
    assert_same(compiled(X, None, slice(0, 2), chosen), X[0:2])
    assert_same(compiled(X, None, slice(1, 3), frozenset([2])), X)
    assert_same(compiled(X, None, slice(1, 3), frozenset([1])), X[1:3])
    assert_same(compiled(X, len, slice(1, 3), chosen), X)
    assert natively(compiled) >= 2


def test_arrays_that_were_unpickled() -> None:
    compiled = jit(lambda x: x + 1)
    compiled(X)
    before = natively(compiled)
    given = pickle.loads(pickle.dumps(X))
    assert given.dtype is not X.dtype
    assert_same(compiled(given), X + 1)
    assert natively(compiled) == before + 1


def test_misses_fall_to_the_slow_path_and_back() -> None:
    compiled = jit(lambda x, y: x * y + x)
    a, b = Tensor(X), Tensor(X + 1)
    compiled(a, b)
    assert_same(compiled(2, 3), 8)
    assert_same(compiled(2.0, 3), 8.0)
    assert_same(compiled(X.astype(np.float64), X), X.astype(np.float64) * X + X)
    assert_same(compiled(x=2, y=3), 8)
    assert_same(compiled(2, y=3), 8)
    with pytest.raises(TypeError):
        compiled(a)
    with pytest.raises(TypeError):
        compiled(a, b, a)
    with pytest.raises(TypeError):
        compiled(a, b, z=1)
    before = natively(compiled)
    assert_same(compiled(a, b), Tensor(X * (X + 1) + X))
    assert natively(compiled) == before + 1


@pytest.mark.usefixtures("strict")
def test_ints_past_64_bits() -> None:
    compiled = jit(lambda a, b: a + b)
    assert compiled(1, 2) == compiled(2, 1) == 3
    for huge in (1 << 63, -(1 << 63) - 1, 1 << 200):
        with pytest.raises(OverflowError):
            compiled(1, huge)
        with pytest.raises(OverflowError):
            jit(lambda a, unused: a)(1, huge)
    with pytest.raises(OverflowError):
        compiled((1 << 63) - 1, 1)
    assert compiled((1 << 63) - 2, 1) == (1 << 63) - 1


class Wide(Tensor):
    __slots__ = ()


def test_subclasses_are_not_taken_for_their_bases() -> None:
    class Int(int):
        pass

    compiled = jit(lambda x: x * 2)
    compiled(Tensor(X))
    assert_same(compiled(Wide(X)), Tensor(X * 2))
    assert compiled(3) == compiled(3) == 6
    assert compiled(True) == 2
    assert compiled(Int(4)) == 8


def test_symbolic_extents() -> None:
    compiled = jit(lambda x, y: x * y + x)
    for n in (4, 5, 6, 0, 7, 1, 1, 3, 100_000):
        x = np.arange(n, dtype=np.float32)
        assert_same(compiled(x, x), x * x + x)
        assert_same(compiled(Tensor(x), Tensor(x)), Tensor(x * x + x))
    assert len(compiled.specialisations) <= 8
    before = natively(compiled)
    for n in (11, 12, 13):
        compiled(np.ones(n, np.float32), np.ones(n, np.float32))
    assert natively(compiled) == before + 3
    with pytest.raises(ValueError, match="broadcast"):
        compiled(np.ones(3, np.float32), np.ones(5, np.float32))


def test_layouts() -> None:
    compiled = jit(lambda x: x + 1)
    whole = np.arange(48, dtype=np.int32).reshape(4, 12)
    for _ in range(3):
        for x in (whole, whole[:, ::2], whole[::-1], whole.T, whole[:, 3:7], np.asfortranarray(whole), whole[0]):
            assert_same(compiled(x), x + 1)
            assert_same(compiled(Tensor.from_numpy(x)), Tensor(x + 1))
    raw = np.zeros(33, np.uint8)
    unaligned = raw[1:].view(np.float64)
    assert not unaligned.flags.aligned
    for _ in range(2):
        assert_same(compiled(unaligned), unaligned + 1)


# --- what is read besides arguments -----------------------------------------------------------------------

SCALE: Any = 2.0
WEIGHT: Any = Tensor([1.0, 2.0, 3.0, 4.0])
FLAG: Any = True
NAMES: Any = (1, "two", 3.0)
OPTIONS: Any = {"k": 2.0}
MAX: Any = max


def reads(x):
    return x * SCALE + WEIGHT if FLAG else x


def test_globals_are_read_at_each_call() -> None:
    global SCALE, WEIGHT, FLAG
    x = Tensor(X)
    compiled = jit(reads)
    for _ in range(2):
        assert_same(compiled(x), reads(x))
    before = natively(compiled)
    SCALE = 3.0
    assert_same(compiled(x), reads(x))
    WEIGHT = Tensor([5.0, 6.0, 7.0, 8.0])
    assert_same(compiled(x), reads(x))
    assert natively(compiled) == before + 2
    for FLAG in (False, True):
        assert_same(compiled(x), reads(x))
    for SCALE in (2, Tensor(4.0), 2.0):
        assert_same(compiled(x), reads(x))
    for WEIGHT in (np.ones(4, np.float32), Tensor(np.ones((2, 4), np.float32)), Tensor([1.0, 2.0, 3.0, 4.0])):
        assert_same(compiled(x), reads(x))


def reads_containers(x):
    return MAX(x, 0) * OPTIONS["k"] + len(NAMES) + NAMES[0]


def test_containers_and_builtins_are_guarded() -> None:
    global NAMES, OPTIONS, MAX
    compiled = jit(reads_containers)
    for _ in range(2):
        assert compiled(3.0) == reads_containers(3.0)
    assert natively(compiled) >= 1
    for NAMES in ((1, "two"), (2, "two"), [5], (1, "two", 3.0)):
        assert compiled(3.0) == reads_containers(3.0)
    for OPTIONS in ({"k": 3.0}, {"k": 4, "j": 1}, {"k": 2.0}):
        assert compiled(3.0) == reads_containers(3.0)
    OPTIONS["k"] = 7.0
    assert compiled(3.0) == reads_containers(3.0)
    MAX = min
    assert compiled(3.0) == reads_containers(3.0)
    MAX = max
    assert compiled(3.0) == reads_containers(3.0)


def test_closures_are_read_at_each_call() -> None:
    factor = 2

    def inner(x):
        return x * factor

    compiled = jit(inner)
    assert compiled(3) == compiled(3) == 6
    factor = 5
    assert compiled(3) == 15
    assert natively(compiled) == 2
    factor = 1.5
    assert compiled(3) == 4.5


class Holder:
    def __init__(self) -> None:
        self.k = 2
        self.w = Tensor(X)

    @property
    def doubled(self):
        return self.k * 2


def test_attributes_of_arguments_and_properties() -> None:
    compiled = jit(lambda h, x: x * h.k + h.w)
    holder = Holder()
    for _ in range(2):
        assert_same(compiled(holder, Tensor(X)), Tensor(X * 2 + X))
    holder.k = 3
    assert_same(compiled(holder, Tensor(X)), Tensor(X * 3 + X))
    holder.w = Tensor(X + 1)
    assert_same(compiled(holder, Tensor(X)), Tensor(X * 3 + X + 1))
    del holder.k
    with pytest.raises(AttributeError):
        compiled(holder, Tensor(X))
    other = Holder()
    assert_same(compiled(other, Tensor(X)), Tensor(X * 2 + X))


# --- results ----------------------------------------------------------------------------------------------

Point = collections.namedtuple("Point", "x y")


@pytest.mark.parametrize(
    "function",
    [
        lambda x: x + 1,
        lambda x: x.sum(),
        lambda x: None,
        lambda x: (x + 1, x.shape, 2.5, True, None, "text", ...),
        lambda x: [x * 2, [x]],
        lambda x: {"a": x + 1, "b": {"c": x.ndim}},
        lambda x: Point(x + 1, 2),
        lambda x: (),
        lambda x: [],
        lambda x: x,
        lambda x: (x, x),
        lambda x: x.ndim > 1,
        lambda x: float(x.ndim),
        lambda x: complex(x.ndim, 2.0),
        lambda x: slice(x.ndim, 3),
        lambda x: {x.ndim, 7},
        lambda x: x[1:],
        lambda x: x.T,
        lambda x: x.reshape(-1),
        lambda x: (x + 1)[1:],
        lambda x: (x + 1).T,
        lambda x: x[:0],
        lambda x: x + x[:1],
        lambda x: f"rank {x.ndim}",
    ],
)
@pytest.mark.parametrize(
    "x", [np.arange(6.0).reshape(2, 3), Tensor(np.arange(6, dtype=np.int32).reshape(3, 2))], ids=type
)
def test_results(function: Callable[..., Any], x: Any) -> None:
    check(function, x)


def test_results_of_branches() -> None:
    def f(x, k):
        if k > 2:
            return x + k
        if k > 1:
            return None
        if k > 0:
            return k, x[1:]
        return k

    compiled = jit(f)
    for _ in range(3):
        for k in (3, 2, 1, 0):
            assert_same(compiled(Tensor(X), k), f(Tensor(X), k))
    assert natively(compiled) >= 11


def test_result_constants_are_the_objects_themselves() -> None:
    marker = object()
    compiled = jit(lambda x: (x, marker))
    for _ in range(3):
        x = Tensor(X)
        found = compiled(x)
        assert found[0] is x
        assert found[1] is marker


def test_results_own_their_memory() -> None:
    compiled = jit(lambda x: x + 1)
    compiled(X)
    made = compiled(X)
    assert made.flags.owndata
    assert made.flags.writeable
    assert made.base is None
    kept = [compiled(X + k) for k in range(100)]
    for k, array in enumerate(kept):
        np.testing.assert_array_equal(array, X + k + 1)
    made.resize(8, refcheck=False)
    np.testing.assert_array_equal(made, [1, 2, 3, 4, 0, 0, 0, 0])
    made.resize(2, refcheck=False)
    np.testing.assert_array_equal(made, [1, 2])


def test_results_that_share_memory() -> None:
    compiled = jit(lambda x: x[1:])
    compiled(X)
    x = X.copy()
    view = compiled(x)
    view[0] = 9
    assert x[1] == 9
    assert view.base is x
    x.flags.writeable = False
    locked = compiled(x)
    assert not locked.flags.writeable

    def parts(x):
        y = x + 1
        return y, y[1:], y.T

    two = jit(parts)
    two(X)
    whole, part, turned = two(X)
    whole[1] = 7
    assert part[0] == turned[1] == 7
    del whole
    gc.collect()
    np.testing.assert_array_equal(part, [7, 3, 4])


def test_large_results_come_from_the_pool() -> None:
    x = np.ones(1 << 18, np.float32)
    compiled = jit(lambda x: x * 2)
    compiled(x)
    made = compiled(x)
    address = made.ctypes.data
    del made
    assert compiled(x).ctypes.data == address


def test_tensors_are_used_again_only_when_nobody_knows_them() -> None:
    compiled = jit(lambda x: x + 1)
    made = [compiled(Tensor(X)) for _ in range(3)]
    array, watched = made[0].asnumpy(), weakref.ref(made[1].asnumpy())
    with memoryview(made[2].asnumpy()) as exported:
        inner = [array, exported]
        made.clear()
        assert watched() is None
        others = [compiled(Tensor(X + k)) for k in range(5)]
        for kept in inner:
            np.testing.assert_array_equal(np.asarray(kept), X + 1)
    for k, other in enumerate(others):
        np.testing.assert_array_equal(other.asnumpy(), X + k + 1)


def test_tensors_used_again_are_as_new() -> None:
    compiled = jit(lambda x: x * 2)
    turned = jit(lambda x: (x * 2).T)
    for _ in range(3):
        for dtype in (np.float32, np.int64, np.complex128):
            for shape in ((), (1,), (4,), (0,), (2, 3), (1, 3), (3, 1), (2, 0), (2, 1, 3), (1, 1), (2,) * 9):
                x = np.ones(shape, dtype)
                for function, expected in ((compiled, x * 2), (turned, (x * 2).T)):
                    if x.ndim == 9:
                        continue
                    found = function(Tensor(x))
                    array = found.asnumpy()
                    assert_same(found, Tensor(expected))
                    assert array.flags.c_contiguous == array.copy("K").flags.c_contiguous
                    assert array.flags.f_contiguous == array.copy("K").flags.f_contiguous
                    assert array.flags.aligned
                    assert array.flags.writeable
                    assert array.__array_interface__["strides"] in (None, array.strides)
                    assert found.storage.version == 0
                    assert weakref.ref(found)() is found
                    array.flags.writeable = False
                    found.storage.version = 7
                    del found, array


def test_tensors_are_freed_whatever_they_are_of() -> None:
    class Sub(Tensor):
        def __init__(self, *args: Any) -> None:
            super().__init__(*args)
            self.extra = [self]

    tensors: list[Any] = [Tensor(X), Parameter(X, name="p"), Sub(X), Tensor(X)[1:], Tensor.from_numpy(X)]
    watched = [weakref.ref(t) for t in tensors]
    called: list[Any] = []
    callbacks = [weakref.ref(t, called.append) for t in tensors]
    tensors.clear()
    gc.collect()
    assert all(w() is None for w in watched)
    assert len(called) == len(callbacks)
    view = Tensor(X)
    for _ in range(100_000):
        view = view[:]
    del view
    half_made = Tensor.__new__(Tensor)
    del half_made
    cycle = Tensor(X)
    ends = weakref.ref(cycle)
    cycle._view = (cycle,)  # type: ignore[assignment]
    del cycle
    gc.collect()
    assert ends() is None


# --- writes -----------------------------------------------------------------------------------------------


def test_writes_reach_the_caller_and_count_as_versions() -> None:
    def f(x, k):
        x[0] = k
        return x

    compiled = jit(f)
    for x in (Tensor(X), X.copy()):
        for k in (3.0, 4.0, 5.0):
            assert compiled(x, k) is x
            assert x[0] == k
    assert natively(compiled) >= 4
    tensor = Tensor(X)
    versions = [tensor.storage.version]
    for k in (1.0, 2.0, 3.0):
        compiled(tensor, k)
        versions.append(tensor.storage.version)
    assert versions == [0, 1, 2, 3]
    view = tensor[1:3]
    compiled(view, 7.0)
    compiled(view, 8.0)
    assert tensor[1] == 8
    assert tensor.storage.version == 5


def test_read_only_and_overlapping_arguments() -> None:
    def f(x, y):
        x[0] = 7.0
        return x + y

    compiled = jit(f)
    for _ in range(2):
        base = np.arange(6.0)
        assert_same(compiled(base[:3], base[3:]), f(*np.arange(6.0).reshape(2, 3)))
    for _ in range(2):
        base, other = np.arange(6.0), np.arange(6.0)
        assert_same(compiled(base[:4], base[:4]), f(other[:4], other[:4]))
        base, other = np.arange(6.0), np.arange(6.0)
        assert_same(compiled(base[1:5], base[:4]), f(other[1:5], other[:4]))
        base, other = np.arange(6.0), np.arange(6.0)
        assert_same(compiled(base[3::-1], base[:4]), f(other[3::-1], other[:4]))
    locked = np.arange(3.0)
    locked.flags.writeable = False
    for _ in range(2):
        with pytest.raises(ValueError, match="read-only"):
            compiled(locked, np.ones(3))
        assert_same(compiled(np.arange(3.0), locked), f(np.arange(3.0), locked))


def test_attributes_are_written() -> None:
    class Counter(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.count = 0

        def construct(self, x):
            self.count = self.count + 1
            return x * self.count

    cell = Counter()
    for k in range(1, 5):
        assert_same(cell(Tensor(X)), Tensor(X * k))
        assert cell.count == k


def test_a_training_step_is_native() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.fc = nn.Dense(3, 2)

        def construct(self, x):
            return ops.tanh(self.fc(x))

    net = Net()
    step = nn.TrainOneStepCell(
        nn.WithLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True)),
        nn.Momentum(net.trainable_params(), 0.1, 0.9),
    )
    step.set_train()
    x, labels = Tensor(np.ones((4, 3), np.float32)), Tensor(np.zeros(4, np.int32))
    losses = [float(np.mean(step(x, labels).asnumpy())) for _ in range(6)]
    assert losses == sorted(losses, reverse=True)
    assert losses[0] > losses[-1]
    compiled = step.__dict__["_compiled"]
    assert natively(compiled) >= 4
    before = net.fc.weight.storage.version
    step(x, labels)
    assert net.fc.weight.storage.version == before + 1
    for parameter in net.trainable_params():
        parameter.set_data(Tensor(np.zeros(parameter.shape, np.float32)))
    assert float(np.mean(step(x, labels).asnumpy())) == pytest.approx(np.log(2))


# --- errors -----------------------------------------------------------------------------------------------


def divide(a, b):
    quotient = a // b
    return quotient


def outer(a, b):
    return divide(a, b) + 1


def test_errors_have_the_users_frames_alone() -> None:
    compiled = jit(outer)
    assert compiled(7, 2) == 4
    before = natively(compiled)
    raised: list[Any] = []
    for _ in range(2):
        with pytest.raises(ZeroDivisionError) as caught:
            compiled(1, 0)
        raised.append(caught.value)
    assert natively(compiled) == before + 2
    expected = pytest.raises(ZeroDivisionError, outer, 1, 0).value
    for error in raised:
        assert str(error) == str(expected)
        frames = traceback.extract_tb(error.__traceback__)[1:]
        plain = traceback.extract_tb(expected.__traceback__)[-2:]
        assert [(f.filename, f.lineno, f.colno, f.name) for f in frames] == [
            (f.filename, f.lineno, f.colno, f.name) for f in plain
        ]
        assert error.__cause__ is None
        assert error.__context__ is None
    assert raised[0] is not raised[1]
    assert compiled(7, 2) == 4


def test_errors_keep_the_exception_being_handled() -> None:
    compiled = jit(divide)
    compiled(1, 1)
    try:
        raise KeyError("first")
    except KeyError as first:
        with pytest.raises(ZeroDivisionError) as caught:
            compiled(1, 0)
        assert caught.value.__context__ is first


def test_writes_before_an_error_are_seen_and_counted() -> None:
    def f(x, k):
        x[0] = 5.0
        return 1 // k

    compiled = jit(f)
    x = Tensor(X)
    compiled(x, 1)
    version = x.storage.version
    compiled(x, 1)
    x[0] = 0.0
    with pytest.raises(ZeroDivisionError):
        compiled(x, 0)
    assert x[0] == 5
    assert x.storage.version == version + 3


def test_failing_calls_keep_no_memory() -> None:
    def f(x, k):
        y = x + 1
        return y[0] * (1 // k)

    compiled = jit(f)
    compiled(X, 1)
    gc.collect()
    before = runtime.blocks_in_use()
    for _ in range(100):
        with pytest.raises(ZeroDivisionError):
            compiled(X, 0)
    gc.collect()
    assert runtime.blocks_in_use() <= before


# --- references -------------------------------------------------------------------------------------------


def resident() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


@pytest.mark.skipif(not Path("/proc/self/statm").exists(), reason="needs /proc")
@pytest.mark.parametrize(
    ("function", "args"),
    [
        (lambda x, y: x * y + x, (Tensor(X), Tensor(X))),
        (lambda x, y: (x.sum(), x[1:], [y, None], {"k": y + 1}), (X.copy(), X.copy())),
        (lambda x, y: (x * WEIGHT, SCALE, len(NAMES)), (Tensor(X), 1.0)),
        (lambda x, y: (x, y + (1 << 40)), (1.5, 1 << 41)),
        (lambda x, y: (x * y, y, np.asarray(y).reshape(1)), (np.float32(1.5), np.float64(2.5))),
    ],
)
def test_calls_leak_nothing(function: Callable[..., Any], args: tuple[Any, ...]) -> None:
    compiled = jit(function)
    watched = [
        *args,
        *(a._array for a in args if isinstance(a, Tensor)),
        None,
        np.dtype(np.float32),
        WEIGHT,
        np.ndarray,
    ]
    for _ in range(20_000):
        compiled(*args)
    gc.collect()
    blocks, references, size = runtime.blocks_in_use(), [sys.getrefcount(w) for w in watched], resident()
    grown = 1 << 20
    for _ in range(5):  # a leak shows every time; what the system does with pages does not
        if grown >= 1 << 20:
            for _ in range(60_000):
                compiled(*args)
            size, grown = resident(), resident() - size
    assert runtime.blocks_in_use() == blocks
    assert grown < 1 << 20
    for before, after in zip(references, [sys.getrefcount(w) for w in watched], strict=True):
        assert abs(after - before) < 1000


def test_calls_by_name_leak_nothing() -> None:
    compiled = jit(lambda x, y, k: x * y + k)
    args, named = (X.copy(),), {"y": X.copy(), "k": np.float32(2)}
    watched = [*args, *named, *named.values()]
    for _ in range(10):
        compiled(*args, **named)
        compiled(*args, **dict(reversed(named.items())))
    gc.collect()
    blocks, before = runtime.blocks_in_use(), [sys.getrefcount(w) for w in watched]
    for _ in range(1000):
        compiled(*args, **named)
        compiled(*args, **dict(reversed(named.items())))
    assert runtime.blocks_in_use() == blocks
    assert [sys.getrefcount(w) for w in watched] == before
    assert natively(compiled) == 2018


def test_misses_leak_nothing() -> None:
    compiled = jit(lambda pair, x: pair[0] * SCALE + x)
    other = (Tensor(X), 1)
    compiled(other, Tensor(X))
    compiled(other, 2.0)
    watched = [other, other[0], other[0]._array]
    before = [sys.getrefcount(w) for w in watched]
    for _ in range(200):
        compiled(other, 2.0)
    gc.collect()
    assert [sys.getrefcount(w) for w in watched] == before


def test_functions_are_collected() -> None:
    def make() -> Any:
        @jit
        def f(x):
            return x + 1

        f(X)
        f(X)
        f.itself = f
        return weakref.ref(f)

    found = make()
    gc.collect()
    assert found() is None


def test_results_live_after_the_function() -> None:
    compiled = jit(lambda x: x + 1)
    compiled(X)
    made = compiled(X)
    del compiled
    gc.collect()
    np.testing.assert_array_equal(made, X + 1)


# --- the object -------------------------------------------------------------------------------------------


@jit
def module_function(x, k=2, *, name="n"):
    """Scales."""
    return x * k


def test_it_looks_like_the_function() -> None:
    f = module_function
    assert isinstance(f, dispatch.CompiledFunction)
    assert (f.__name__, f.__doc__, f.__module__) == ("module_function", "Scales.", __name__)
    assert str(inspect.signature(f)) == "(x, k=2, *, name='n')"
    assert callable(f)
    assert f.__call__(3) == f(3) == f(3, 2) == f(3, k=2) == f(x=3) == f(3, name="m") == 6
    assert "compiled module_function" in repr(f)
    assert f.__wrapped__(3) == 6
    assert weakref.ref(f)() is f
    assert {f: 1}[f] == 1
    f.note = 5
    assert f.note == f.__dict__["note"] == 5
    assert functools.partial(f, k=3)(2) == 6
    assert list(map(f, [1, 2])) == [2, 4]
    assert pickle.loads(pickle.dumps(f)) is f
    assert copy.deepcopy(f) is f
    with pytest.raises((pickle.PicklingError, AttributeError), match="lambda"):
        pickle.dumps(jit(lambda x: x))
    with pytest.raises(AttributeError):
        f.missing  # noqa: B018


def test_methods() -> None:
    class Model:
        scale = 3

        @jit
        def times(self, x):
            return x * self.scale

        @staticmethod
        @jit
        def fixed(x):
            return x + 1

        @classmethod
        @jit
        def of_class(cls, x):
            return x + cls.scale

    model = Model()
    for k in range(3):
        assert model.times(k) == Model.times(model, k) == k * 3
        assert model.fixed(k) == k + 1
        assert Model.of_class(k) == model.of_class(k) == k + 3
    bound = model.times
    assert bound.__self__ is model
    assert bound.__func__ is Model.__dict__["times"]
    model.scale = 4
    assert bound(2) == 8
    assert natively(Model.__dict__["times"]) >= 1


def test_objects_that_were_never_initialised() -> None:
    empty = type(module_function).__new__(type(module_function))
    with pytest.raises(AttributeError):
        empty(1)
    del empty
    with pytest.raises(TypeError):
        type("Sub", (type(module_function),), {})


# --- the switches -----------------------------------------------------------------------------------------


def test_nothing_is_native_while_compiling_is_off() -> None:
    compiled = jit(lambda x: x + 1)
    compiled(1)
    compiled(1)
    before = natively(compiled)
    settings.jit = False
    assert compiled(1) == 2
    settings.jit = True
    assert natively(compiled) == before
    assert compiled(1) == 2
    assert natively(compiled) == before + 1


def test_nothing_is_native_while_a_gradient_is_recorded() -> None:
    square = jit(lambda x: x * x)
    square(Tensor(3.0))
    before = natively(square)
    record = tape.Tape()
    with tape.active(record):
        square(Tensor(3.0))
        with tape.active(tape.Tape()):
            square(Tensor(3.0))
        square(Tensor(3.0))
    assert natively(square) == before
    square(Tensor(3.0))
    assert natively(square) == before + 1


def test_gradients_are_native() -> None:
    gradient = value_and_grad(lambda x: (x * x).sum())
    for _ in range(3):
        value, slope = gradient(Tensor(X))
        assert value == (X * X).sum()
        assert_same(slope, Tensor(2 * X))


# --- threads, re-entrancy, processes ----------------------------------------------------------------------


def test_threads_call_while_another_respecialises() -> None:
    compiled = jit(lambda x, y: x * y + x)
    compiled(1, 2)
    failures: list[Any] = []
    done = threading.Event()

    def call() -> None:
        a, b = Tensor(X), Tensor(X + 1)
        expected = X * (X + 1) + X
        large = np.ones(1 << 16)
        while not done.is_set():
            if not np.array_equal(compiled(a, b).asnumpy(), expected) or compiled(3, 4) != 15:
                failures.append("small")
            if compiled(large, large)[-1] != 2:
                failures.append("large")

    threads = [threading.Thread(target=call) for _ in range(3)]
    for thread in threads:
        thread.start()
    try:
        for dtype in (np.int8, np.int16, np.int32, np.int64, np.float64):
            for rank in range(1, 4):
                x = np.ones((2,) * rank, dtype)
                assert compiled(x, x).sum() == 2 * x.size
    finally:
        done.set()
        for thread in threads:
            thread.join()
    assert not failures


def test_the_gil_is_released_while_a_long_program_runs() -> None:
    def spin(n):
        total = 0
        for k in range(n):
            total = total + k % 7
        return total

    compiled = jit(spin)
    assert compiled(10) == compiled(10) == spin(10)
    ended = threading.Event()

    def run() -> None:
        compiled(1 << 27)
        ended.set()

    thread = threading.Thread(target=run)
    thread.start()
    steps = 0
    while not ended.is_set():
        steps += 1
        ended.wait(0.001)
    thread.join()
    assert steps > 2


def test_reentrant_calls() -> None:
    calls: list[int] = []

    class Nested:
        def __getattr__(self, name: str) -> Any:
            calls.append(1)
            if name != "k":
                raise AttributeError(name)
            if len(calls) % 3 == 0:
                compiled(plain, 2)
            return 5

    class Plain:
        k = 5

    compiled = jit(lambda h, x: h.k * x)
    plain = Plain()
    compiled(plain, 2)
    nested = Nested()
    for _ in range(10):
        assert compiled(nested, 3) == 15
        assert compiled(plain, 3) == 15


@pytest.mark.skipif(not hasattr(os, "fork"), reason="needs fork")
def test_calls_work_after_a_fork() -> None:
    program = """
import os, numpy as np
from jitcore import Tensor, jit
f = jit(lambda x: x + 1)
g = Tensor(np.arange(4.0))
f(g); f(g)
child = os.fork()
assert f(g).asnumpy().tolist() == [1, 2, 3, 4]
assert f(np.ones(3)).tolist() == [2, 2, 2]
if child == 0:
    os._exit(0)
assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
"""
    run_program(program)


def run_program(program: str, **environment: str) -> str:
    """Run a program in a process of its own; what it printed."""
    command = [sys.executable, "-c", PRELUDE.format(program=program)]
    ended = subprocess.run(
        command, cwd=ROOT, env={**os.environ, **environment}, capture_output=True, text=True, check=False, timeout=1200
    )
    assert ended.returncode == 0, ended.stderr
    return ended.stdout


PRELUDE = """
import linecache
text = '''{program}'''
linecache.cache["program.py"] = (len(text), None, text.splitlines(True), "program.py")
exec(compile(text, "program.py", "exec"), {{"__name__": "__main__"}})
"""


# --- where there are no native calls ----------------------------------------------------------------------


def test_without_native_calls_everything_is_the_same() -> None:
    program = """
import numpy as np
from jitcore.signature import struct_layout
struct_layout.layout = lambda: None
import jitcore.backends.cpython.call_type as call_type
from jitcore import Tensor, jit
from jitcore.runtime import dispatch, native

@jit
def f(x, k=2):
    return x * k

class C:
    m = f

for _ in range(3):
    assert f(Tensor([1.0, 2.0])).asnumpy().tolist() == [2.0, 4.0]
    assert f(3, 4) == f(3, k=4) == 12
assert type(f).__mro__[1] is dispatch.CompiledFunction
assert not f.specialisations[0].entries
assert C().m.__self__.__class__ is C
f.note = 1
print("same")
"""
    assert run_program(program).strip() == "same"


@pytest.mark.parametrize("counting", ["plain", "saturating", "called"])
def test_the_code_for_other_interpreters_compiles(counting: Any) -> None:
    slots = {"TENSOR_ARRAY": 24, "TENSOR_HISTORY": 32, "TENSOR_STORAGE": 40, "TENSOR_VIEW": 48, "TENSOR_WEAK": 16}
    offsets = {**slots, "STORAGE_VERSION": 24}
    first = call_modules.support_text(counting, offsets)
    for text in (first, call_modules.better_text(first), call_modules.text_of_array_calls(counting, offsets)):
        assert engine.compile_object(text, engine.NO_PASSES)


def test_the_self_test_notices_other_layouts(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in (
        "ARRAY_DATA",
        "ARRAY_RANK",
        "ARRAY_EXTENTS",
        "ARRAY_STRIDES",
        "ARRAY_BASE",
        "ARRAY_DESCR",
        "ARRAY_FLAGS",
    ):
        with monkeypatch.context() as patched:
            patched.setattr(struct_layout, name, getattr(struct_layout, name) + 4)
            assert not all(map(struct_layout._array_is_laid_out, struct_layout._samples()))
    with monkeypatch.context() as patched:
        patched.setattr(struct_layout, "OB_TYPE", 0)
        assert not struct_layout._objects_are_laid_out()
    with monkeypatch.context() as patched:
        patched.setattr(struct_layout, "_NDARRAY_INDEX", 3)
        assert struct_layout._numpy_table() is None
    assert struct_layout.slot_offset(Tensor, "shape") is None
    assert struct_layout.slot_offset(Tensor, "nothing") is None


def test_specialisations_without_an_entry_are_served_in_python() -> None:
    def f(x):
        y = np.asarray(x)
        y[()] = 7
        return y, x

    compiled = jit(f)
    for _ in range(3):
        assert_same(compiled(np.float64(2)), (np.array(7.0), np.float64(2)))
    member = compiled.specialisations[0]
    assert member.entries == {(): None}
    assert member.calls == 3
    assert natively(compiled) == 0


SCALAR_TYPES = (
    np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64,
    np.float32, np.float64, np.complex64, np.complex128,
)  # fmt: skip


@pytest.mark.parametrize("cls", SCALAR_TYPES)
def test_numpy_scalars(cls: Any) -> None:
    for value in (cls(0), cls(1)):
        assert struct_layout.scalar_offset(value) == 16
    check(lambda x: x, cls(1))
    check(lambda x, y: (x + y, x == y), cls(1), cls(1))
    check(lambda x, y: x * y, cls(1), np.arange(4).astype(cls))


def test_numpy_scalars_by_value_class_and_place() -> None:
    f = jit(lambda x, y: x * y + x)
    values = [np.float64(1.5), np.float32(2.5), np.int64(3), np.float64(-2.0), 1.5, 2, np.float32(0.5)]
    for _ in range(3):
        for a in values:
            for b in values:
                assert_same(f(a, b), a * b + a)
    assert natively(f) == 3 * len(values) ** 2 - 5**2
    check(lambda xs: xs[0] + xs[1]["a"], (np.float32(1), {"a": np.float64(2)}))
    x = np.arange(5, dtype=np.float32)
    total = jit(lambda t, a: t + a * a)
    sum_ = np.float32(0)
    for a in x:
        sum_ = total(sum_, a)
    assert_same(sum_, np.float32(30))
    assert natively(total) == 4


CAPTURED = np.float64(2.0)


def test_numpy_scalars_that_are_captured() -> None:
    global CAPTURED
    CAPTURED = np.float64(2.0)
    compiled = jit(lambda x: x * CAPTURED)
    for value in (2.0, 2.0, 3.0, 4.0):
        CAPTURED = np.float64(value)
        assert_same(compiled(np.float64(5)), np.float64(5 * value))
    CAPTURED = np.float32(2.0)
    assert_same(compiled(np.float32(5)), np.float32(10))


def test_results_never_share_memory_with_a_numpy_scalar() -> None:
    compiled = jit(lambda x: (np.asarray(x), np.asarray(x).reshape(1), x))
    given = np.float64(3.0)
    for _ in range(4):
        a, b, c = compiled(given)
        assert a.flags.writeable
        assert b.flags.writeable
        a[()] = 5.0
        b[0] = 6.0
        assert c is given
        assert given == 3.0
    assert natively(compiled) == 3


def test_scalars_that_are_no_numbers_are_static() -> None:
    chosen = jit(lambda x, k: x + 1 if k == "a" else x)
    assert [chosen(1.0, np.str_(k)) for k in "abaab"] == [2.0, 1.0, 2.0, 2.0, 1.0]
    first, second = np.datetime64("2020-01-01"), np.datetime64("2021-01-01")
    dated = jit(lambda x, k: x + 1 if k is first else x)
    assert [dated(1.0, k) for k in (first, second, first, second)] == [2.0, 1.0, 2.0, 1.0]


def test_a_scalar_class_not_of_numpy_has_no_offset() -> None:
    class Own(np.float64):
        pass

    assert struct_layout.scalar_offset(Own(1.0)) is None


@pytest.mark.parametrize(
    ("function", "added"),
    [
        (lambda x, y: np.diff(x) + y, -1),
        (lambda x, y: np.concatenate((x, np.ones(2)))[1:] * y, 1),
        (lambda x, y: x[::2] + y, None),
        (lambda x, y: x[2:-1] - y, -3),
    ],
)
def test_computed_extents_that_may_be_one(function: Callable[..., Any], added: int | None) -> None:
    compiled = jit(function)

    def call(n: int, m: int | None = None) -> None:
        long = (n + 1) // 2 if added is None else n + added
        args = (np.arange(float(n)), np.arange(float(long if m is None else m)))
        assert_same(compiled(*args), function(*args))

    for n in (7, 8, 9, 10, 11):
        call(n)
    member = compiled.specialisations[0]
    assert member.equal_extents
    before = natively(compiled)
    for n in (9, 12, 20):
        call(n)
    assert natively(compiled) == before + 3
    one = next(n for n in range(6) if (n + 1) // 2 == 1) if added is None else 1 - added
    if one >= 2:
        for m in (4, 1, 5, 6):  # one extent is 1 and broadcasts
            call(one, m)
        call(one + 7)


def test_remainders_and_quotients_of_extents() -> None:
    def f(x, y):
        n = x.shape[0]
        return np.zeros(n % 3 + n // 4 * 2 + max(n - 5, 0)) + y

    compiled = jit(f)
    for n in (8, 10, 13, 8, 10, 13, 6, 5, 4, 3, 7):
        long = f(np.ones(n), 0.0).size
        for m in (long, 1):
            args = np.ones(n), np.arange(float(m))
            assert_same(compiled(*args), f(*args))
    assert natively(compiled) > 8


# --- arguments by name ------------------------------------------------------------------------------


def test_arguments_by_name() -> None:
    compiled = jit(lambda x, y, k=2.0: x - y * k)
    x, y = np.arange(4.0), np.ones(4)
    calls: list[tuple[tuple[Any, ...], dict[str, Any]]] = [
        ((x,), {"y": y}),
        ((x, y), {"k": 3.0}),
        ((x, y), {}),
        ((x,), {"k": 4.0, "y": y}),
        ((x,), {"y": y, "k": 4.0}),
        ((), {"y": y, "x": x}),
        ((), {"x": x, "y": y}),
        ((x, y, 5.0), {}),
    ]
    for args, keywords in calls:
        compiled(*args, **keywords)
    before = natively(compiled)
    for _ in range(2):
        for args, keywords in calls:
            assert_same(compiled(*args, **keywords), compiled.__wrapped__(*args, **keywords))
    assert natively(compiled) == before + 2 * len(calls)
    same = {"".join(("", "y")): y, "".join(("k", "")): 2.5}
    assert_same(compiled(x, **same), x - y * 2.5)
    with pytest.raises(TypeError):
        compiled(x, z=y)
    with pytest.raises(TypeError):
        compiled(x, y, y=y)


def test_arguments_by_name_of_methods_and_keyword_only_ones() -> None:
    class Scaled:
        factor = 3.0

        @jit
        def times(self, x, *, by, plus=1.0):
            return x * by * self.factor + plus

    scaled = Scaled()
    for k in range(5):
        assert scaled.times(2.0, by=float(k)) == 6.0 * k + 1.0
        assert scaled.times(2.0, plus=2.0, by=float(k)) == 6.0 * k + 2.0
    assert natively(Scaled.times) == 8


def test_many_orders_of_names() -> None:
    compiled = jit(lambda **given: given["a"] + 2 * given["b"] + 3 * given["c"] + 4 * given["d"])
    numbers = {"a": 1.0, "b": 2.0, "c": 3.0, "d": 4.0}
    for names in itertools.permutations(numbers):
        assert compiled(**{name: numbers[name] for name in names}) == 30.0
    assert len(compiled.specialisations) == 1
    assert compiled.specialisations[0].calls == 24


def test_symbolic_extents_of_arguments_by_name() -> None:
    compiled = jit(lambda a, b, c: (a.sum() + b.sum() * 2, c))
    for n in (3, 4, 5, 6, 7):
        for m in (2, 3, 4):
            z, y = np.ones(n), np.ones(m)
            assert_same(compiled(c=1.0, b=z, a=y), (np.float64(m + 2.0 * n), 1.0))
    assert natively(compiled) >= 10


def test_parameters_are_read_and_written_by_functions() -> None:
    weight = Parameter(Tensor(X), name="w")

    def f(x):
        ops.assign_add(weight, x)
        return weight.sum()

    compiled = jit(f)
    for k in range(1, 5):
        assert compiled(Tensor(np.ones(4, np.float32))) == X.sum() + 4 * k
    assert weight.storage.version == 4
    assert natively(compiled) == 3


def test_exceptions_are_no_garbage() -> None:
    @jit
    def inner(table: Any, k: int) -> Any:
        if k > 3:
            raise KeyError(k)
        return table[k]

    def one(*args: Any) -> None:
        with contextlib.suppress(KeyError, IndexError):
            inner(*args)

    for args in ((X, 4), (X[:2], 3), (X, 9)):
        one(*args)
        gc.collect()
        gc.disable()
        try:
            for _ in range(200):
                one(*args)
            assert gc.collect() < 200
        finally:
            gc.enable()


def test_tracebacks_do_not_hold_what_called_before() -> None:
    class Held:
        pass

    @jit
    def fail(k: int) -> int:
        return 10 // k

    def first() -> Any:
        held = Held()
        with pytest.raises(ZeroDivisionError):
            fail(0)
        return weakref.ref(held)

    fail(1)
    gone = first()
    gc.collect()
    assert gone() is None
