"""How often programs are inferred: as often for many Parameters, attributes and lists as for few."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from measured_steps import measured

from jitcore import Parameter, ParameterTuple, Tensor, grad, jit, nn, ops
from jitcore.nn import grouped
from jitcore.passes.infer.engine import entry


class _InferredError(Exception):
    """Ends a compilation whose inference has been seen."""


@pytest.fixture
def attempts(monkeypatch: pytest.MonkeyPatch) -> Callable[[Callable[[], Any]], int]:
    """Counts the attempts at inferring the program that a call compiles."""
    attempt = entry._attempt
    made: list[int] = []

    def counted(*args: Any) -> Any:
        made.append(1)
        return attempt(*args)

    def count(call: Callable[[], Any]) -> int:
        made.clear()
        call()
        return len(made)

    monkeypatch.setattr(entry, "_attempt", counted)
    return count


@pytest.fixture
def inferred_only(monkeypatch: pytest.MonkeyPatch, attempts: Any) -> Callable[[Callable[[], Any]], int]:
    """The same, without the rest of the compilation."""
    from jitcore.runtime import compile as driver

    infer = driver.infer

    def stopping(*args: Any) -> Any:
        infer(*args)
        raise _InferredError

    def count(call: Callable[[], Any]) -> int:
        def caught() -> None:
            with pytest.raises(BaseException, match="_InferredError"):
                call()

        return attempts(caught)

    monkeypatch.setattr(driver, "infer", stopping)
    return count


def optimizers() -> dict[str, Callable[[Any], Any]]:
    """Those that first calls are measured with, some with more options."""
    return {
        **measured().OPTIMIZERS,
        "SGD": lambda p: nn.SGD(p, 0.01, momentum=0.9, weight_decay=0.1),
        "RMSProp": lambda p: nn.RMSProp(p, 0.01, momentum=0.9, centered=True),
        "grouped.SGD": lambda p: grouped.SGD(p, 0.01, momentum=0.9, weight_decay=0.1, nesterov=True),
        "grouped.Adam": lambda p: grouped.Adam(p, 0.01, amsgrad=True),
        "grouped.AdamW": lambda p: grouped.AdamW([{"params": p[:1], "lr": 0.1}, {"params": p[1:]}], 0.01),
    }


OPTIMIZERS = optimizers()
NETWORKS: dict[str, Callable[[], Any]] = measured().NETWORKS


def parameters(count: int, name: str = "w") -> list[Parameter]:
    return [Parameter(Tensor(np.full(3, k, np.float32)), name=f"{name}{k}") for k in range(count)]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers_are_inferred_once_for_any_number_of_parameters(name: str, inferred_only: Any) -> None:
    def step(count: int) -> Callable[[], Any]:
        optimizer = OPTIMIZERS[name](parameters(count))
        gradients = tuple(Tensor(np.ones(3, np.float32)) for _ in range(count))
        return lambda: optimizer(gradients)

    assert [inferred_only(step(count)) for count in (2, 5)] == [1, 1]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("name", NETWORKS)
def test_reference_networks_are_inferred_whole_and_for_any_optimizer_as_often(name: str, inferred_only: Any) -> None:
    step, network = measured().step, NETWORKS[name]
    tried = [inferred_only(step(network, OPTIMIZERS[optimizer]).call) for optimizer in ("SGD", "grouped.SGD")]
    assert tried[0] == tried[1] <= 2  # an array that is filled by index shows itself in the first attempt


class Weights(nn.Cell):
    """The style that optimizers are written in: moments beside weights."""

    def __init__(self, count: int) -> None:
        super().__init__()
        self.weights = ParameterTuple(parameters(count))
        self.moments = ParameterTuple(parameters(count, "m"))


class ChosenMoment(Weights):
    def construct(self, x, k):
        for w, m in zip(self.weights, self.moments, strict=True):
            g = x * 2
            if k > 0:
                g = m
            ops.assign(w, w - g)
            ops.assign(m, g + 1)
        return x


class WrittenLater(Weights):
    def construct(self, x, k):
        for w, m in zip(self.weights, self.moments, strict=True):
            g = x * 2 if k > 0 else w
            h = m if k > 1 else g
            m += 1
            ops.assign(w, w - h)
        return x


class MadeOrKept(Weights):
    def construct(self, x, k):
        for w, m in zip(self.weights, self.moments, strict=True):
            made = w * 0
            made[0] = 1.0
            either = made if k > 0 else m
            either += 1
        return x


class InALoop(Weights):
    def construct(self, x, k):
        for w, m in zip(self.weights, self.moments, strict=True):
            g = x
            for i in range(k):
                g = g * 2 if x[i] > 1 else m
            ops.assign(w, w - g)
            m *= 0.5
        return x


class InTuples(Weights):
    def construct(self, x, k):
        for w, m in zip(self.weights, self.moments, strict=True):
            pair = (x, w) if k > 0 else (m, x + 1)
            ops.assign(w, pair[0] - pair[1])
            ops.assign(m, w * 2)
        return x


class ByAFunction(Weights):
    def direction(self, g, m, k):
        if k > 0:
            ops.assign(m, m * 0.5 + g)
            return m
        return g

    def construct(self, x, k):
        for w, m in zip(self.weights, self.moments, strict=True):
            ops.assign(w, w - self.direction(x, m, k))
        return x


@pytest.mark.parametrize("cell", [ChosenMoment, WrittenLater, MadeOrKept, InALoop, InTuples, ByAFunction])
def test_places_that_meet_others_are_found_at_once(cell: type[Weights], attempts: Any) -> None:
    found: list[int] = []
    for count in (2, 6):
        made, plain = cell(count), cell(count)
        for k in (2, 0):
            x = Tensor(np.array([1, 2, 3], np.float32))
            tried = attempts(lambda made=made, x=x, k=k: made(x, k))
            found += [tried] if tried else []
            type(plain).construct(plain, x, k)
        for got, want in zip(made.get_parameters(), plain.get_parameters(), strict=True):
            assert got.asnumpy().tolist() == want.asnumpy().tolist()
    assert len(set(found)) == 1
    assert found[0] <= 3


class Counted(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.calls = 0
        self.last = Tensor(np.zeros(3, np.float32))

    def construct(self, x):
        self.calls = self.calls + 1
        self.last = x * 2
        return x + 1


class Chain(nn.Cell):
    def __init__(self, count: int) -> None:
        super().__init__()
        self.cells = nn.CellList([Counted() for _ in range(count)])

    def construct(self, x, k):
        for cell in self.cells:
            if k > 0:
                x = cell(x)
        return cell(x)


def test_attributes_that_are_written_are_found_at_once(attempts: Any) -> None:
    found: list[int] = []
    for count in (2, 7):
        chain = Chain(count)
        x = Tensor(np.ones(3, np.float32))
        found.append(attempts(lambda chain=chain, x=x: chain(x, 1)))
        chain(x, 0)
        assert [cell.calls for cell in chain.cells] == [1] * (count - 1) + [3]
        assert chain.cells[count - 2].last.asnumpy().tolist() == [2.0 * (count - 1)] * 3
        assert chain.cells[count - 1].last.asnumpy().tolist() == [2.0] * 3
    assert len(set(found)) == 1
    assert found[0] <= 3


def test_dicts_outside_that_are_written_are_found_at_once(attempts: Any) -> None:
    a, b, c, d, e = ({"sum": 0, "last": 0} for _ in range(5))

    def two(x):
        for held in (a, b):
            held["sum"] = held["sum"] + x
            held["last"] = x
        return x

    def five(x):
        for held in (a, b, c, d, e):
            held["sum"] = held["sum"] + x
            held["last"] = x
        return x

    tried = [attempts(lambda f=f: jit(f)(3)) for f in (two, five)]
    assert [held["sum"] for held in (a, b, c, d, e)] == [6, 6, 3, 3, 3]
    assert len(set(tried)) == 1


def appends(x):
    out = []
    for k in range(3):
        out.append(x * k)
    return out


def appends_in_two_loops(x):
    out = []
    for j in range(3):
        parts = []
        for k in range(2):
            parts.append(x + j * k)
        out.append(parts)
    return out


def appends_until(x):
    out = []
    for k in range(9):
        if k == 4:
            break
        out.append(x + k)
    else:
        out.append(x)
    return out


def appends_until_the_run_says(x):
    out = []
    for k in range(4):
        out.append(x * k)
        if x.sum() > 100:
            return out[0]
    return out[-1]


def appends_from_an_iterator(x):
    numbers = iter(range(7))
    first = next(numbers)
    out = [x * first]
    for k in numbers:
        out.append(x + k)
    return out, list(numbers)


def appends_rows(x):
    out = []
    for i, row in enumerate(x.reshape(3, 1)):
        out.append(row * i)
    return out


def removes(x):
    left = [x, x + 1, x + 2, x + 3]
    for _ in range(2):
        left.pop()
    return left


def adds_keys(x):
    found = {}
    for k in range(3):
        found[k] = x * k
    return found


def adds_to_what_is_outside_of_a_branch(x):
    out = [x]
    for k in range(3):
        if k % 2 == 0:
            out.append(x - k)
    total = x
    for one in out:
        total = total + one
    return total


def grows_a_tuple(x):
    made = ()
    for k in range(3):
        made = (*made, x * k)
    return made


def carries_what_differs(x):
    last = None
    out = []
    for k in range(3):
        out.append((last, k))
        last = x * k
    return out[2][0], len(out)


def fills_arrays_in_two_loops(x):
    out = []
    for k in range(2):
        made = np.zeros(3)
        for i in range(3):
            made[i] = x[i] * k
        out.append(made)
    return out


GROWING = [
    appends, appends_in_two_loops, appends_until, appends_until_the_run_says, appends_from_an_iterator, appends_rows,
    removes,
    adds_to_what_is_outside_of_a_branch, grows_a_tuple, carries_what_differs,
]  # fmt: skip


def plain(value: Any) -> Any:
    if isinstance(value, list | tuple):
        return type(value)(map(plain, value))
    if isinstance(value, dict):
        return {k: plain(v) for k, v in value.items()}
    return value.tolist() if isinstance(value, np.ndarray) else value


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("function", GROWING)
def test_loops_that_change_a_structure_are_unrolled_where_they_are_met(function: Any, attempts: Any) -> None:
    got: list[Any] = []
    x = np.array([1.0, 2.0, 3.0])
    assert attempts(lambda: got.append(jit(function)(x))) == 1
    assert plain(got[0]) == plain(function(x))


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("function", [fills_arrays_in_two_loops, adds_keys])
def test_places_and_numbers_that_must_be_known_take_one_more(function: Any, attempts: Any) -> None:
    got: list[Any] = []
    x = np.array([1.0, 2.0, 3.0])
    assert attempts(lambda: got.append(jit(function)(x))) == 2
    assert plain(got[0]) == plain(function(x))


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("layers", [1, 3])
@pytest.mark.parametrize("layer", [nn.RNN, nn.LSTM, nn.GRU])
def test_recurrent_layers_of_any_depth_and_in_both_directions(layer: Any, layers: int, inferred_only: Any) -> None:
    net = layer(3, 4, num_layers=layers, bidirectional=True)
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    gradient = ops.value_and_grad(lambda x: net(x)[0].sum(), None, net.trainable_params())

    @jit
    def step(x):
        loss, gradients = gradient(x)
        optimizer(gradients)
        return loss

    x = Tensor(np.ones((5, 2, 3), np.float32))
    assert inferred_only(lambda: net(x)) <= 2
    assert inferred_only(lambda: step(x)) <= 2


class _Averages(nn.Cell):
    """Its normalisation writes to the moving statistics as long as it trains."""

    def __init__(self) -> None:
        super().__init__()
        self.norm = nn.BatchNorm1d(3)

    def construct(self, x):
        return self.norm(x).sum()


def test_what_cells_say_they_write_to_takes_no_attempt_of_its_own(attempts: Any) -> None:
    """In functions, too, that reach them by their closure and by what gradients are taken of."""
    net, x = _Averages(), Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    net.set_train()
    optimizer = nn.Adam(net.trainable_params(), 0.1)
    step = ops.value_and_grad(net, None, net.trainable_params())

    @jit
    def train(x):
        loss, gradients = step(x)
        optimizer(gradients)
        return loss

    assert attempts(lambda: train(x)) == 1
    assert net.norm.moving_mean.asnumpy().tolist() != [0, 0, 0]
    net.set_train(False)
    assert attempts(lambda: net(x)) == 1


def test_what_is_not_written_to_after_all_is_no_place() -> None:
    net, x = _Averages(), Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    net.set_train()
    optimizer = nn.SGD(net.trainable_params(), 0.1)
    weight = Parameter(Tensor(np.ones(3, np.float32)), name="weight")

    @jit
    def looked_at(x, trains):
        if trains:
            optimizer((x, x))
        ops.assign(weight, weight + x[0])
        return net.norm.moving_mean + x[0], optimizer.parameters[0] * 2

    mean, scale = looked_at(x, False)
    assert mean.asnumpy().tolist() == [0, 1, 2]
    assert scale.asnumpy().tolist() == [2, 2, 2]
    assert weight.asnumpy().tolist() == [1, 2, 3]
    assert net.norm.moving_mean.asnumpy().tolist() == [0, 0, 0]


class _Scaled(nn.Cell):
    def __init__(self, axis: int, epsilon: float) -> None:
        super().__init__()
        self.axis = axis
        self.norm = nn.LayerNorm((3,), epsilon=epsilon)

    def construct(self, x):
        return self.norm(x).sum(self.axis) * self.norm.epsilon


def test_numbers_that_must_be_known_take_no_attempt_of_their_own(attempts: Any) -> None:
    cell, x = _Scaled(0, 0.5), Tensor(np.arange(6, dtype=np.float32).reshape(2, 3))
    assert attempts(lambda: cell(x)) == 1
    first = cell(x).asnumpy()
    cell.norm.epsilon = 2.0
    np.testing.assert_allclose(cell(x).asnumpy(), _Scaled(0, 2.0)(x).asnumpy())
    cell.norm.epsilon = 0.5
    assert attempts(lambda: cell(x)) == 0
    assert cell(x).asnumpy().tolist() == first.tolist()


def _augmented(compute: Callable[[Any, Any], Any], written: bool) -> Callable[[Any, Any], Any]:
    def augmented(x: Any, y: Any) -> Any:
        made = compute(x, y).astype(x.dtype)
        if written:
            x[...] = made
            return x
        return made

    return augmented


_ADDED, _MULTIPLIED = _augmented(operator.add, True), _augmented(operator.mul, True)


def test_functions_of_one_code_have_the_same_places_in_every_attempt() -> None:
    """They are inferred by turns: what was learned of places in the one must hold for it in the next attempt."""

    @jit
    def f(x: Any) -> Any:
        y = _ADDED(x * x, x)
        y = _MULTIPLIED(y, 2.0)
        return _ADDED(y, x).sum()

    x = np.array([1.0, 2.0])
    assert f(x) == ((x * x + x) * 2 + x).sum()
    assert grad(f)(Tensor(x)).asnumpy().tolist() == (4 * x + 3).tolist()
