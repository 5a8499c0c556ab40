"""MindSpore programs with lists and dicts that belong to the caller, ParameterTuples, strings and the standard library."""
# pyright: basic, reportMissingImports=false, reportAttributeAccessIssue=false, reportIndexIssue=false, reportOptionalMemberAccess=false

from __future__ import annotations

import re

import mindspore as ms
import mindspore.nn as nn
import numpy as np
import pytest
from mindspore import Parameter, ParameterTuple, Tensor, jit, ops

pytestmark = pytest.mark.usefixtures("mode")

numbers = [1, 2, 3]
nested = [[1, 2], [3]]


def test_an_argument_returned_is_the_callers_object():
    @jit
    def f(xs, entries, x):
        return xs, entries, (xs, x + 1)

    xs, entries = [1, Tensor(2)], {"a": 1}
    for _ in range(3):
        a, b, (c, d) = f(xs, entries, Tensor(5))
        assert a is xs
        assert b is entries
        assert c is xs
        assert d == 6


def test_each_call_returns_its_own_arguments():
    @jit
    def f(pair):
        return pair[0]

    one, other = [1], [1]
    assert f((one, 2)) is one
    assert f((other, 2)) is other
    assert f((one, 2)) is one


def test_a_global_list_and_its_items_are_returned_themselves():
    @jit
    def f():
        return numbers, nested[0], len(nested)

    xs, inner, count = f()
    assert xs is numbers
    assert inner is nested[0]
    assert count == 2


def test_an_attribute_keeps_and_gives_back_the_list():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.kept = None
            self.config = {"n": 2}

        def construct(self, xs):
            self.kept = xs
            return self.config, self.kept

    net, xs = Net(), [5]
    config, kept = net(xs)
    assert config is net.config
    assert kept is xs
    assert net.kept is xs


def test_the_attribute_as_it_was_is_returned_though_it_is_replaced():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.kept = [1]

        def construct(self, x):
            before = self.kept
            self.kept = [x]
            return before

    net = Net()
    first = net.kept
    assert net(Tensor(2)) is first
    assert net.kept[0] == 2
    second = net.kept
    assert net(Tensor(3)) is second


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
def test_changes_of_an_argument_reach_the_caller():
    @jit
    def f(xs, entries):
        xs.append(1)
        xs[0] = 7
        entries["z"] = xs
        return xs, entries

    xs, entries = [0], {"y": 2}
    a, b = f(xs, entries)
    assert a is xs
    assert b is entries
    assert xs == [7, 1]
    assert b["z"] is xs


def test_one_list_in_several_places_stays_one():
    @jit
    def f(x):
        a = [x, 2]
        b = {"first": a, "second": a}
        b["first"].append(3)
        return b, a, [a]

    b, a, c = f(Tensor(1))
    assert b["first"] is a
    assert b["second"] is a
    assert c[0] is a
    assert a == [1, 2, 3]


def test_a_list_in_an_attribute_is_the_one_returned():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.kept = ()

        def construct(self, x):
            made = [x]
            self.kept = made
            return made

    net = Net()
    assert net(Tensor(1)) is net.kept


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
def test_a_list_that_holds_itself():
    @jit
    def f(x):
        xs = [x]
        xs.append(xs)
        return xs

    xs = f(Tensor(1))
    assert xs[1] is xs


def test_count_and_index_compare_tensors():
    @jit
    def f(x, y):
        return (1, x, y, (3, 4)).count(1), [x, y, 1].count(x), (x, 5, 6).index(5) if x is None else 1

    assert f(Tensor(1), Tensor(2)) == (2, 2, 1)
    with pytest.raises(ValueError, match="ambiguous"):
        f(Tensor([1, 2]), Tensor(2))


def test_assigning_to_an_extended_slice_wants_as_many_items():
    @jit
    def f():
        xs = [1, 2, 3, 4]
        xs[::2] = [1]
        return xs

    with pytest.raises(ValueError, match="attempt to assign sequence of size 1 to extended slice of size 2"):
        f()


def test_regular_expressions_on_constants():
    @jit
    def f(x):
        word = re.match(r"(\w+)", "hello world").group(1)
        return x + len(word), re.sub("l+", "L", word), re.split(",", "a,b")

    assert f(Tensor(1)) == (6, "heLo", ["a", "b"])


class Scaled(nn.Cell):
    def __init__(self):
        super().__init__()
        first = Parameter(Tensor([2.0], ms.float32), name="a")
        second = Parameter(Tensor([3.0], ms.float32), name="b", requires_grad=False)
        self.factors = ParameterTuple((first, second))

    def construct(self, x):
        for factor in self.factors:
            x = x * factor
        return x


def test_a_parameter_tuple_makes_its_parameters_parts_of_the_cell():
    net = Scaled()
    assert [p.name for p in net.get_parameters()] == ["a", "b"]
    assert [p.name for p in net.trainable_params()] == ["a"]
    assert [name for name, _ in net.parameters_and_names()] == ["a", "b"]
    assert net(Tensor([5.0], ms.float32)) == 30
    weights = ParameterTuple(net.trainable_params())
    assert ops.grad(net, None, weights)(Tensor([5.0], ms.float32))[0] == 15


def test_a_parameter_tuple_of_a_part_is_prefixed():
    net = nn.SequentialCell(Scaled(), nn.ReLU())
    assert [p.name for p in net.get_parameters()] == ["0.a", "0.b"]


def test_a_parameter_tuple_of_parts_already_there_registers_nothing():
    class Step(nn.Cell):
        def __init__(self, network):
            super().__init__(auto_prefix=False)
            self.network = network
            self.optimizer = nn.Momentum(network.trainable_params(), 0.1, 0.9)
            self.weights = ParameterTuple(network.trainable_params())

        def construct(self, x):
            return self.network(x)

    step = Step(nn.Dense(2, 1))
    assert [p.name for p in step.trainable_params()] == ["weight", "bias"]
    assert [name for name, p in step.parameters_and_names() if p.requires_grad] == ["network.weight", "network.bias"]


def test_two_parameters_of_one_name_are_refused():
    class Net(nn.Cell):
        def __init__(self):
            super().__init__()
            self.factors = ParameterTuple((Parameter(Tensor(1.0), name="a"), Parameter(Tensor(2.0), name="a")))

    with pytest.raises(ValueError, match="'a'"):
        Net()


def test_strings_with_values_of_the_run():
    @jit
    def f(x, n):
        return f"x is {x}, n is {n}", "n=" + str(n), "%d %s" % (3, "s")  # noqa: UP031

    assert f(Tensor(np.array([1, 2])), 3) == ("x is [1 2], n is 3", "n=3", "3 s")
