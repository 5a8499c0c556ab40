"""Lists and dicts of the code outside that compiled code changes. The programs are in `programs/outside_containers.py`."""

# pyright: basic

from __future__ import annotations

import warnings

import numpy as np
import pytest

from jitcore import Tensor, context, jit, nn
from jitcore.runtime.dispatch import FallbackWarning

HISTORY: list = []


@pytest.fixture(autouse=True)
def _strict() -> None:
    context.set_context(jit_syntax_level="STRICT")
    HISTORY.clear()


class Net(nn.Cell):
    def __init__(self):
        super().__init__()
        self.history = []
        self.table = {}
        self.count = 0

    def construct(self, x, n):
        self.count += 1
        self.table["last"] = n
        self.history.append(n)
        self.history.append(x.sum())
        return x * self.count


def test_a_cell_keeps_a_history():
    net = Net()
    x = Tensor(np.ones(3, np.float32))
    for k in range(4):
        assert net(x, k).asnumpy().tolist() == [k + 1.0] * 3
    assert net.history[::2] == [0, 1, 2, 3]
    assert all(type(v) is Tensor for v in net.history[1::2])
    assert net.table == {"last": 3}
    assert net.count == 4


def test_one_program_serves_a_list_however_long():
    @jit
    def f(v):
        HISTORY.append(v * 2)
        return v

    for k in range(50):
        f(k)
    assert list(HISTORY) == [2 * k for k in range(50)]
    assert len(f.specialisations) == 1
    assert "interpreter" not in f.explain()


def test_another_list_under_the_name():
    @jit
    def f(v):
        HISTORY.append(v)

    global HISTORY
    before = HISTORY
    f(1)
    HISTORY = []
    f(2)
    assert (before, HISTORY) == ([1], [2])
    HISTORY = before


def test_a_list_that_is_read_too():
    @jit
    def f(v):
        HISTORY.append(v)
        return len(HISTORY)

    assert [f(v) for v in range(3)] == [1, 2, 3]
    assert HISTORY == [0, 1, 2]


def test_one_list_by_two_ways():
    def f(xs, ys):
        xs.append(len(ys))
        return len(ys)

    compiled = jit(f)
    assert compiled([1], [2, 3]) == 2
    xs = [1]
    context.set_context(jit_syntax_level="LAX")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        assert compiled(xs, xs) == 2
    assert xs == [1, 1]
    ys = []
    assert compiled(ys, [1]) == 1
    assert ys == [1]


def test_items_keep_their_identity():
    @jit
    def f(xs, v):
        xs.append(v)
        xs[0] = xs[1]
        return xs

    a, b, c = np.zeros(2), np.ones(3), object()
    xs = [a, b, c]
    assert f(xs, a) is xs
    assert [x is y for x, y in zip(xs, [b, b, c, a], strict=True)] == [True] * 4


def test_a_change_and_an_exception_happen_once():
    @jit
    def f(xs, v):
        xs.append(v)
        HISTORY.append(v)
        return 10 // v

    xs = []
    assert f(xs, 5) == 2
    with pytest.raises(ZeroDivisionError):
        f(xs, 0)
    assert xs == [5, 0] == HISTORY


def test_what_cannot_be_done_twice_is_left_to_the_interpreter(capfd):
    @jit
    def f(xs, v):
        xs.append(v)
        print("once", v)
        return 10 // v

    context.set_context(jit_syntax_level="LAX")
    xs = []
    with warnings.catch_warnings():
        warnings.simplefilter("ignore", FallbackWarning)
        f(xs, 5)
        with pytest.raises(ZeroDivisionError):
            f(xs, 0)
    assert xs == [5, 0]
    assert capfd.readouterr().out == "once 5\nonce 0\n"
