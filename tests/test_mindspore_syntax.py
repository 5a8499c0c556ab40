"""What MindSpore's programs do with Python's syntax and builtins: strings of Tensors, Tensors as indices and among other items."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore.compat import mindspore as compat

compat.install()

import mindspore as ms  # noqa: E402
from mindspore import Parameter, Tensor, jit, mutable, nn, ops  # noqa: E402
from mindspore.common.initializer import Normal, One, initializer  # noqa: E402
from mindspore.ops import HyperMap, Primitive, operations  # noqa: E402

import jitcore  # noqa: E402
from tests.outcomes import outcome  # noqa: E402

in_regions = pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")


# --- the same plain and compiled: values, types, what is printed, exceptions -----------------------------


def prints_containers(x):
    print((x, 1), [x], {"x": x}, x)
    print("sum", [x + 1], sep=":")


def raises_with_tensors_in_text(x):
    raise ValueError(f"{[x]}, not {x}")


def raises_with_tensors(x):
    raise ValueError("no", x, (x, 1))


def asserts_with_tensors(x):
    if not x.sum() > 100:
        raise AssertionError(x, f"{(x,)}")


def makes_texts(x):
    return f"{[x]}", f"{x!r}", "{}".format({"a": x}), "%s" % [x], str((x, x + 1)), repr(x)


def indexes_tuples(x):
    return (1, 2, 3)[x], [x, x + 1][x], "abc"[x]


def assigns_items(x):
    items = [1, 2, 3]
    items[x] = 5
    del items[x]
    items.insert(x, 7)
    return items, items.pop(x), range(x)


def slices_by_tensors(x):
    items = [1, 2, 3, 4]
    items[jitcore.Tensor([1]) : jitcore.Tensor(3)] = [x]
    return items[jitcore.Tensor([0]) : jitcore.Tensor([2])], items


def slices_by_floats(x):
    return [x, 1][1.5:]  # noqa: RUF016


def assigns_slices_by_strings(x):
    items = [x, 1]
    items[0:"a"] = [2]
    return items


def assigns_by_strings(x):
    items = [x, 1]
    items["a"] = 2
    return items


def slices_ranges_by_floats(x):
    return x, range(5)[1.5:]


def looks_for_items(x):
    return x in (1, jitcore.Tensor([1, 2, 3]), "m")


def looks_for_absent_items(x):
    return x not in [x, jitcore.Tensor([1, 2])], x in (3, x, jitcore.Tensor([1, 2]))


def compares_tuples(x):
    return (1, jitcore.Tensor([1, 2])) == (x, jitcore.Tensor([1, 2])), [2, jitcore.Tensor([1, 2])] != [
        x,
        jitcore.Tensor([1, 2]),
    ]


def orders_tuples(x):
    return (x, jitcore.Tensor([1, 2])) < (2, jitcore.Tensor([1, 2])), [x, jitcore.Tensor([1, 2])] >= [
        2,
        jitcore.Tensor([1, 2]),
    ]


def rounds(x):
    return round(x), round(x, 1)


def asks_for_no_class(x):
    return isinstance(x, [list, tuple])


def asks_for_an_objects_class(x):
    return isinstance(x, jitcore.Tensor([1]))


FUNCTIONS: list[Callable[..., Any]] = [
    prints_containers,
    raises_with_tensors_in_text,
    raises_with_tensors,
    asserts_with_tensors,
    makes_texts,
    indexes_tuples,
    assigns_items,
    slices_by_tensors,
    slices_by_floats,
    assigns_slices_by_strings,
    assigns_by_strings,
    slices_ranges_by_floats,
    looks_for_items,
    looks_for_absent_items,
    compares_tuples,
    orders_tuples,
    rounds,
    asks_for_no_class,
    asks_for_an_objects_class,
]
TENSORS = [
    jitcore.Tensor([1]),
    jitcore.Tensor(1),
    jitcore.Tensor([[0]]),
    jitcore.Tensor([1.25]),
    jitcore.Tensor([1, 2]),
    jitcore.Tensor([True]),
]


@in_regions
@pytest.mark.parametrize("function", FUNCTIONS, ids=lambda f: f.__name__)
def test_compiled_as_plain(function, capfd):
    for x in TENSORS:
        assert outcome(jitcore.jit(function), (x,), capfd) == outcome(function, (x,), capfd), x


@in_regions
@pytest.mark.parametrize(
    "function", [indexes_tuples, assigns_items, prints_containers, makes_texts, raises_with_tensors, looks_for_items]
)
def test_compiled_as_plain_with_arrays_and_numbers(function, capfd):
    for x in (np.array(1), np.array([1]), np.int64(1), np.float32(1.5), 1, 2, True):
        assert outcome(jitcore.jit(function), (x,), capfd) == outcome(function, (x,), capfd), x


# --- iterators, initializers, gradients ------------------------------------------------------------------


class Count:
    def __init__(self, start, end):
        self.current, self.end = start, end

    def __iter__(self):
        return self

    def __next__(self):
        if self.current >= self.end:
            raise StopIteration
        self.current += 1
        return self.current - 1


@in_regions
def test_iterators_of_the_users_own_are_not_asked_for_iterators_for_ever(mode):
    @jit
    def f(counts):
        total = 0
        for i in counts:
            total += i
        return total, list(counts)

    began = time.process_time()
    assert f(Count(1, 5)) == (10, [])
    assert time.process_time() - began < 60  # it took minutes to run into the limit of recursion


def test_what_is_computed_by_ndarrays_is_no_part_of_gradients_of_integers(mode):
    class Net(nn.Cell):
        def construct(self, a, b):
            return Tensor(np.square(a.asnumpy()) + b.asnumpy())

    a, b = Tensor(np.array(4, np.int32)), Tensor(np.array(5, np.int32))
    assert ops.grad(Net())(a, b) == 0
    assert ops.grad(Net())(a.astype(ms.float32), b.astype(ms.float32)) == 0


@in_regions
def test_initializers_fill_tensors_and_draw_anew_in_each_call(mode):
    @jit
    def f():
        ones = Tensor(shape=(1, 3), dtype=ms.float32, init=One())
        return ones, Tensor(shape=(2,), dtype=ms.float32, init=Normal()), initializer("normal", [2], ms.float32)

    (ones, a, b), (_, c, d) = f(), f()
    np.testing.assert_array_equal(ones.asnumpy(), np.ones((1, 3), np.float32))
    assert len({*map(float, a), *map(float, b), *map(float, c), *map(float, d)}) == 8


@in_regions
def test_parameters_are_made_in_construct(mode):
    class Net(nn.Cell):
        def construct(self, x):
            return Parameter(Tensor([2.0]), name="made") * x

    if mode == ms.PYNATIVE_MODE:
        assert Net()(Tensor([3.0])) == 6
        return
    with pytest.raises(ValueError, match="creating class 'mindspore"):
        Net()(Tensor([3.0]))


# --- MindSpore's own ------------------------------------------------------------------------------------


def test_mutable_takes_tensors_and_numbers():
    assert mutable((1, [2.5, {"a": Tensor(1)}])) == (1, [2.5, {"a": Tensor(1)}])
    for given in ("a", (1, None), [print]):
        with pytest.raises(TypeError, match="mutable"):
            mutable(given)
    with pytest.raises(TypeError, match="list or tuple"):
        mutable(1, True)


def test_hypermap_takes_structures_of_a_kind(mode):
    add = HyperMap()

    @jit
    def f(xs, ys):
        return add(operations.Add(), xs, ys)

    x = Tensor([1.0])
    assert f((x, (x, 1)), (x, (x, 2))) == (2, (2, 3))
    for given in ([x, x], (x, x, x)):
        with pytest.raises(RuntimeError):
            f((x, x), given)


def test_a_primitive_by_its_name():
    made = Primitive("Fancy")
    assert isinstance(made, Primitive)
    assert made.name == "Fancy"
    with pytest.raises(NotImplementedError, match="Fancy"):
        made(Tensor(1))
