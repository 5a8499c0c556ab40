"""Operators, functions and methods of Tensors called often line by line: machine code serves them, and nothing else changes."""

from __future__ import annotations

import gc
import operator
import sys
import threading
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitcore as ms
from jitcore import Parameter, Tensor, context, jit, nn, ops
from jitcore.config import settings
from jitcore.runtime import autograd, frequent
from jitcore.runtime import compile as driver
from jitcore.runtime.frequent import FrequentCalls

OFTEN = 4
pytestmark = pytest.mark.usefixtures("nothing_is_served")


@pytest.fixture(autouse=True)
def few_calls(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(frequent, "FEW_CALLS", 2)
    context.set_context(mode=context.PYNATIVE_MODE)
    yield
    context.set_context(mode=context.GRAPH_MODE)


def python_calls(function: Callable[[], Any]) -> int:
    """How many Python functions a call runs, itself left out."""
    count = 0
    gc.disable()  # it would call what waits for objects to die

    def note(_: Any, event: str, __: Any) -> None:
        nonlocal count
        count += event == "call"

    sys.setprofile(note)
    try:
        function()
    finally:
        sys.setprofile(None)
        gc.enable()
    return count - 1


def bits(value: Any) -> Any:
    if isinstance(value, tuple | list):
        return [bits(v) for v in value]
    if isinstance(value, Tensor):
        return ("Tensor", bits(value.asnumpy()))
    if isinstance(value, np.ndarray | np.generic):
        return (type(value), value.dtype, value.shape, value.tobytes())
    return (type(value), repr(value))


FLOATS = Tensor(np.array([[1.5, -0.0, np.inf], [np.nan, -2.25, 1e-40]], np.float32))
MORE = Tensor(np.array([[2.0, 0.0, -np.inf], [3.0, 0.5, -7.0]], np.float32))
INTS = Tensor(np.array([[7, -7, 100], [-128, 127, 3]], np.int8))
DIVISORS = Tensor(np.array([[2, -3, 7], [-1, 100, 5]], np.int8))
TRUTHS = Tensor(np.array([True, False, True]))

EXPRESSIONS: dict[str, Callable[[], Any]] = {
    "x + y": lambda: FLOATS + MORE,
    "x - number": lambda: FLOATS - 2,
    "number - x": lambda: 0.1 - FLOATS,
    "number / x": lambda: 1 / FLOATS,
    "x // y": lambda: FLOATS // MORE,
    "x % y": lambda: FLOATS % MORE,
    "x ** 2": lambda: FLOATS**2,
    "x ** y": lambda: FLOATS**MORE,
    "x < y": lambda: FLOATS < MORE,
    "x == y": lambda: FLOATS == MORE,
    "-x": lambda: -FLOATS,
    "abs(x)": lambda: abs(FLOATS),
    "ints wrap": lambda: INTS + DIVISORS,
    "ints // ints": lambda: INTS // DIVISORS,
    "ints % ints": lambda: INTS % DIVISORS,
    "ints / ints": lambda: INTS / DIVISORS,
    "ints & ints": lambda: INTS & DIVISORS,
    "ints ^ number": lambda: INTS ^ 5,
    "ints << number": lambda: INTS << 2,
    "~bools": lambda: ~TRUTHS,
    "int Tensor and float": lambda: INTS * 0.5,
    "float Tensor and int Tensor": lambda: FLOATS * INTS,
    "broadcasting": lambda: FLOATS * TRUTHS,
    "rank 0": lambda: FLOATS + Tensor(np.float32(2.5)),
    "an ndarray": lambda: FLOATS + MORE.asnumpy(),
    "a NumPy scalar": lambda: FLOATS + np.float64(0.1),
    "a list": lambda: FLOATS + [1.0, 2.0, 3.0],  # noqa: RUF005
    "another layout": lambda: FLOATS.T + MORE.T,
    "every second": lambda: FLOATS[:, ::2] - MORE[:, ::-2],
    "x @ y": lambda: FLOATS @ MORE.T,
    "exp": lambda: ops.exp(MORE),
    "relu": lambda: ops.relu(FLOATS),
    "softmax": lambda: ops.softmax(MORE * 0 + 1),
    "sum": lambda: FLOATS.sum(),
    "sum by axis": lambda: FLOATS.sum(axis=1),
    "mean kept": lambda: ops.mean(MORE, 0, True),
    "max and where": lambda: ops.max(MORE, axis=0),
    "several results": lambda: ops.topk(Tensor([3.0, 1.0, 2.0]), 2),
    "cast": lambda: INTS.astype(ms.float16),
    "where": lambda: ops.where(FLOATS > MORE, FLOATS, 0),
    "concat": lambda: ops.concat((FLOATS, MORE), 1),
    "stack of a list": lambda: ops.stack([FLOATS, MORE]),
    "a primitive class": lambda: ops.Mul()(FLOATS, MORE),
    "jitcore.numpy": lambda: ms.numpy.add(FLOATS, MORE),
    "float of float": lambda: ops.full((2,), 1.5),
    "float of int": lambda: ops.full((2,), 3),
}


@pytest.mark.parametrize("name", EXPRESSIONS)
def test_calls_served_by_machine_code_give_the_same_bits(name: str) -> None:
    run = EXPRESSIONS[name]
    frequent_calls = [bits(run()) for _ in range(OFTEN)]
    settings.jit = False
    try:
        plain = bits(run())
    finally:
        settings.jit = True
    first, *rest = frequent_calls
    assert all(made == first for made in rest)
    if name not in (
        "exp",
        "softmax",
        "x ** 2",
        "x ** y",
    ):  # the references are NumPy's there, within the operators' bounds
        assert repr(first) == repr(plain)


@pytest.mark.parametrize(
    "name",
    [
        "x + y",
        "x - number",
        "number - x",
        "x < y",
        "-x",
        "ints // ints",
        "~bools",
        "broadcasting",
        "sum by axis",
        "exp",
    ],
)
def test_an_operator_runs_few_python_functions(name: str) -> None:
    run = EXPRESSIONS[name]
    for _ in range(OFTEN):
        run()
    assert python_calls(run) <= 3


def test_a_call_that_gradients_go_back_through_runs_few_python_functions() -> None:
    w, x = Tensor(np.ones((2, 3))), Tensor(np.ones((2, 3)))
    autograd.set_requires_grad(w, True)
    for _ in range(OFTEN):
        assert autograd.needs_gradient(w + x)
        assert not autograd.needs_gradient(x + x)
    assert python_calls(lambda: w + x) - python_calls(lambda: x + x) <= 3


def test_calls_with_parameters_and_views_that_gradients_know_of_are_served() -> None:
    w, x = Parameter(Tensor(np.ones((2, 3)))), Tensor(np.ones((2, 3)))
    autograd.set_requires_grad(w, True)
    rows = x + w
    for _ in range(OFTEN):
        _ = w * x, ops.matmul(x, w.T), rows[0] * x
    for call in (lambda: w * x, lambda: rows[0] * x):
        assert autograd.needs_gradient(call())
        assert python_calls(call) - python_calls(lambda: x * x) <= 20


VIEWS: dict[str, Callable[[Tensor], Tensor]] = {
    "an item": lambda x: x[1],
    "an element": lambda x: x[1, 2],
    "a slice": lambda x: x[:, 1:],
    "backwards": lambda x: x[::-1],
    "a new axis": lambda x: x[None],
    "an ellipsis": lambda x: x[..., 0],
    "reshape": lambda x: x.reshape(3, 2),
    "T": lambda x: x.T,
    "transpose": lambda x: ops.transpose(x, (1, 0)),
    "expand_dims": lambda x: ops.expand_dims(x, 0),
    "flatten": lambda x: x.view(-1),
}


@pytest.mark.parametrize("name", VIEWS)
def test_views_stay_views(name: str) -> None:
    view = VIEWS[name]
    for _ in range(OFTEN):
        x = Tensor(np.arange(6.0, dtype=np.float32).reshape(2, 3))
        part = view(x)
        expected = view(Tensor(x)).asnumpy()
        assert np.array_equal(part.asnumpy(), expected)
        assert part.storage is x.storage
        part += 10
        assert np.array_equal(np.sort(x.asnumpy().ravel())[-part.size :], np.sort((expected + 10).ravel()))


@pytest.mark.parametrize("name", VIEWS)
def test_gradients_go_through_views_made_before(name: str) -> None:
    view = VIEWS[name]
    for _ in range(OFTEN):
        x = Parameter(Tensor(np.arange(6.0, dtype=np.float32).reshape(2, 3)), name="x")
        part = view(x)
        (gradient,) = by_weight(lambda part=part: (part * part).sum(), x)
        marks = np.zeros((2, 3), np.float32)
        view(Tensor.from_numpy(marks)).asnumpy()[...] = 1
        assert np.array_equal(gradient.asnumpy(), 2 * x.asnumpy() * marks)


def by_weight(function: Callable[[], Any], weight: Parameter) -> Any:
    return ops.GradOperation(get_by_list=True)(lambda _: function(), ms.ParameterTuple((weight,)))(Tensor(0.0))


def test_what_was_a_view_is_none_once_its_base_holds_another_array() -> None:
    x = Tensor([1.0, 2.0, 3.0, 4.0])
    for _ in range(OFTEN):
        part = x.reshape(2, 2)
    x.data = Tensor([5.0, 6.0, 7.0])
    weight = Parameter(Tensor(2.0), name="w")
    (gradient,) = by_weight(lambda: (part * weight).sum(), weight)
    assert gradient.asnumpy() == 10.0
    part += 1
    assert part.asnumpy().tolist() == [[2.0, 3.0], [4.0, 5.0]]
    assert x.asnumpy().tolist() == [5.0, 6.0, 7.0]


def test_reshaping_what_is_not_in_order_copies() -> None:
    x = Tensor(np.arange(6.0).reshape(2, 3))
    for _ in range(OFTEN):
        part = x.T.reshape(6)
        part += 1
        assert x.asnumpy().tolist() == [[0.0, 1.0, 2.0], [3.0, 4.0, 5.0]]


FAILING: dict[str, Callable[[], Any]] = {
    "shapes": lambda: FLOATS + Tensor(np.ones(2, np.float32)),
    "a number too large": lambda: INTS + 300,
    "a negative power": lambda: INTS ** Tensor(np.array(-1, np.int8)),
    "matmul": lambda: FLOATS @ MORE,
    "bools minus bools": lambda: TRUTHS - TRUTHS,
    "an index": lambda: FLOATS[2],
    "an axis": lambda: FLOATS.sum(axis=3),
    "a share": lambda: ops.quantile(MORE, 1.5),
    "a string": lambda: FLOATS + "text",  # type: ignore[operator]
}


@pytest.mark.parametrize("name", FAILING)
def test_errors_are_those_of_the_first_call(name: str) -> None:
    def said() -> tuple[type, str]:
        with pytest.raises(Exception) as caught:  # noqa: PT011  # which one is what is compared
            FAILING[name]()
        assert caught.value.__context__ is None
        return type(caught.value), str(caught.value)

    first = said()
    for _ in range(OFTEN):
        _ = (
            FLOATS + MORE,
            INTS + 30,
            INTS ** Tensor(np.array(1, np.int8)),
            FLOATS @ MORE.T,
            FLOATS[1],
            FLOATS.sum(axis=1),
        )
        _ = ops.quantile(MORE, 0.5), TRUTHS & TRUTHS
    assert said() == first


def test_new_kinds_take_the_places_of_the_oldest(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frequent, "_MOST_ENTRIES", 3)
    monkeypatch.setattr(frequent, "_MANY_CALLS", 6)
    monkeypatch.setattr(frequent, "_MOST_KINDS", 5)
    compiled = counted(monkeypatch)
    dtypes = [np.int8, np.int16, np.int32, np.int64, np.float16, np.float32, np.float64]
    for served in (False, True):  # at last all have been compiled and forgotten
        for dtype in dtypes:
            x = Tensor(np.arange(1, 4).astype(dtype))
            for k in range(8):
                assert np.array_equal(ops.floor_divide(x, x).asnumpy(), np.ones(3, dtype)), (served, dtype, k)
            assert python_calls(lambda x=x: ops.floor_divide(x, x)) <= 3
    assert len(compiled) == 14


def of_this_test(kind_of: Callable[..., Any]) -> Callable[..., Any]:
    """Kinds that no call before has counted for."""

    def kind(calls: FrequentCalls, *call: Any) -> Any:
        found = kind_of(calls, *call)
        return None if found is None else (("of this test", found[0]), found[1])

    return kind


def test_what_is_called_a_few_times_is_not_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(frequent, "FEW_CALLS", 12)
    monkeypatch.setattr(FrequentCalls, "_kind_of", of_this_test(FrequentCalls._kind_of))  # pyright: ignore[reportPrivateUsage]
    compiled = counted(monkeypatch)
    x = Tensor(np.ones((3, 5), np.float64))
    for k in range(1, 9):
        _ = ops.erfc(x), ops.tanh(Tensor(np.ones((k, k + 1)))), x.sum(axis=k % 2)
    assert compiled == []


def test_numbers_and_extents_that_differ_share_a_program(monkeypatch: pytest.MonkeyPatch) -> None:
    compiled = counted(monkeypatch)
    for n in range(2, 22):
        x = np.arange(float(n))
        assert np.array_equal((Tensor(x) * (n / 2) + n).asnumpy(), x * (n / 2) + n)
    assert len(compiled) <= 8


def test_numbers_that_say_what_to_do_are_told_apart() -> None:
    x = np.arange(24.0).reshape(2, 3, 4)
    t = Tensor(x)
    for axis in [0, 0, 0, 0, 1, 2, -1, 1, 1, 1, 0]:
        assert np.array_equal(t.sum(axis=axis).asnumpy(), x.sum(axis=axis))
    for skip in [True, True, True, False, False, False, True]:
        made = ops.ReduceSum(keep_dims=True, skip_mode=skip)(t, ())
        assert made.shape == ((2, 3, 4) if skip else (1, 1, 1))
    for size in [2, 2, 2, 2, -1, -1, -1, -1, 2]:
        assert ops.slice(Tensor(x[0]), (1, 1), (2, size)).shape == ((2, 2) if size == 2 else (2, 3))
    for zero in [0.0, 0.0, 0.0, -0.0, -0.0, -0.0]:
        assert np.signbit(ops.full((1,), zero).asnumpy())[0] == np.signbit(zero)


def test_results_are_memory_of_their_own() -> None:
    x = Tensor([1.0, 2.0])
    for _ in range(OFTEN):
        for same in (ops.abs(x), x + 0, x * 1, +x, ops.stop_gradient(x), ops.concat((x,)), x.astype(ms.float32).copy()):
            same += 1
        assert x.asnumpy().tolist() == [1.0, 2.0]


UPDATES: dict[str, Callable[[Any, Any], Any]] = {
    "+=": lambda x, y: operator.iadd(x, y),
    "-=": lambda x, y: operator.isub(x, y),
    "*=": lambda x, y: operator.imul(x, y),
    "//=": lambda x, y: operator.ifloordiv(x, y),
    "%=": lambda x, y: operator.imod(x, y),
    "/=": lambda x, y: operator.itruediv(x, y),
    "**=": lambda x, y: operator.ipow(x, y),
    "@=": lambda x, y: operator.imatmul(x, y),
}


@pytest.mark.parametrize("op", UPDATES)
@pytest.mark.parametrize("dtype", [np.float32, np.int16])
def test_updates_write_to_the_memory_there_is_or_say_why_not(op: str, dtype: Any) -> None:
    def said(x: Any, y: Any) -> Any:
        try:
            made = UPDATES[op](x, y)
        except (TypeError, ValueError) as error:
            return type(error)
        return made is x

    square = np.arange(1, 10).reshape(3, 3).astype(dtype)
    operands: list[Any] = [square + 1, 3, 0.5, square[0], square[None], square.astype(np.float64), np.ones(2, dtype)]
    for operand in operands:
        if op == "@=" and (np.ndim(operand) != 2 or operand.dtype != dtype):
            continue
        for _ in range(OFTEN):
            expected, x = square.copy(), Tensor(square)
            part, version = x[1], x.storage.version
            written = said(expected, operand)
            if written is not True:
                assert said(x, Tensor(operand) if isinstance(operand, np.ndarray) else operand) is not True
                assert x.asnumpy().tolist() == square.tolist()
                continue
            assert said(x, Tensor(operand) if isinstance(operand, np.ndarray) else operand) is True
            assert np.allclose(x.asnumpy(), expected)
            assert x.asnumpy().dtype == dtype
            assert part.asnumpy().tolist() == x.asnumpy()[1].tolist()
            assert x.storage.version > version


def test_draws_and_states_go_on() -> None:
    ms.set_seed(3)
    draws = [ops.standard_normal((3,)).asnumpy().tolist() for _ in range(OFTEN + 2)]
    assert len({tuple(d) for d in draws}) == len(draws)
    dropped = [float(ops.dropout(Tensor(np.ones(64, np.float32)), 0.5).sum()) for _ in range(OFTEN + 2)]
    assert len(set(dropped)) > 1
    norm = nn.BatchNorm1d(2)
    norm.set_train()
    x = Tensor(np.array([[1.0, 2.0], [3.0, 6.0]], np.float32))
    means = []
    for _ in range(OFTEN + 2):
        norm(x)
        means.append(norm.moving_mean.asnumpy().tolist())
    assert len({tuple(m) for m in means}) == len(means)


def test_parameters_are_operands_and_keep_their_memory() -> None:
    p = Parameter(Tensor([1.0, 2.0]), name="p")
    for k in range(OFTEN):
        made = p * 2 + p
        assert type(made) is Tensor
        assert made.asnumpy().tolist() == [3.0 * (k + 1), 3.0 * (k + 2)]
        p += 1


def test_gradients_record_what_machine_code_served_before() -> None:
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    for _ in range(OFTEN):
        _ = (x * y).sum()
        assert ms.grad(lambda x: (x * y * x).sum())(x).asnumpy().tolist() == [6.0, 16.0]


def test_a_gradient_in_another_thread_is_no_matter() -> None:
    x, y = Tensor([1.0, 2.0]), Tensor([3.0, 4.0])
    found: list[Any] = []

    def differentiate() -> None:
        found.extend(ms.grad(lambda x: (x * y * x).sum())(x).asnumpy().tolist() for _ in range(30))

    def compute() -> None:
        found.extend((x * y + x).asnumpy().tolist() for _ in range(300))

    threads = [threading.Thread(target=f) for f in (differentiate, compute, differentiate, compute)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [v for v in found if v not in ([6.0, 16.0], [4.0, 10.0])] == []
    assert len(found) == 660


@pytest.mark.parametrize("equation", ["ij,ij->", "ij,ij->i", "ij,kj->ik", "i,i->", "bij,bjk->bik"])
def test_sums_of_products_are_the_same_for_known_and_unknown_extents(equation: str) -> None:
    compiled = jit(lambda x, y: ops.einsum(equation, x, y))
    rng = np.random.default_rng(1)
    for extents in ((5, 3, 2, 2), (4, 4, 3, 2), (7, 5, 3, 2), (33, 17, 5, 2), (3, 300, 2, 2), (1, 4, 1, 2)):
        sizes = dict(zip("ijkb", extents, strict=True))
        x, y = (Tensor(rng.standard_normal([sizes[c] for c in term])) for term in equation.split("->")[0].split(","))
        assert bits(compiled(x, y)) == bits(ops.einsum(equation, x, y))


def test_truth_of_a_number_of_the_run_decides_in_library_functions() -> None:
    @jit
    def total(x: Any, skip: Any) -> Any:
        return ops.ReduceSum._function(x, (), keep_dims=False, skip_mode=skip)

    x = Tensor(np.ones((3, 2)))
    assert [total(x, skip).shape for skip in (True, False, True, False)] == [(3, 2), (), (3, 2), ()]


def counted(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The functions that are compiled from now on."""
    made: list[str] = []
    compile_call = driver.compile_call

    def note(function: Any, *args: Any, **keywords: Any) -> Any:
        made.append(function.__name__)
        return compile_call(function, *args, **keywords)

    monkeypatch.setattr(driver, "compile_call", note)
    return made


def test_shapes_are_compared_though_their_extents_vary_from_call_to_call() -> None:
    compiled = jit(ops.equal_ext)
    for n in (3, 4, 5, 2, 7, 1, 4):
        for _ in range(20):
            x = Tensor(np.arange(n, dtype=np.float32))
            same, longer = Tensor(x.asnumpy().copy()), Tensor(np.zeros(n + 2, np.float32))
            for function in (ops.equal_ext, compiled):
                assert function(x, same) is True
                assert function(x, longer) is False
                assert function(longer, x) is False
