"""What only these tests notice of faults in rules, kernels and passes, each a few lines."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import grad, jit, jvp
from jitcore.ir.analysis import all_bindings
from jitcore.ir.control import FOR
from jitcore.ir.nodes import Literal, Var
from jitcore.passes.infer.domain.forms import same_value
from jitcore.passes.infer.domain.values import Number
from jitcore.passes.plan.code import bare_symbol
from jitcore.primitives import PRIMITIVES
from jitcore.primitives.core.evaluation import evaluating_by
from jitcore.primitives.core.registry import Vjp
from jitcore.source import CompileError, Span
from jitcore.testing.numpy_evaluator import NumpyEvaluator
from jitcore.types import INT, Dim, symbol

N, M = symbol("n"), symbol("m")


@pytest.mark.parametrize("dim", [N + 1, N * 2, N * N, N + M, N * M, 3])
def test_only_symbols_by_themselves_are_bare(dim: Dim) -> None:
    assert bare_symbol(dim) is None
    assert bare_symbol(N) == "n"


def test_values_of_one_variable_or_of_equal_literals_are_the_same() -> None:
    n, m = (Number(Var(name, INT, Span("file.py", 1, 0, 1, 1, "f")), INT) for name in "nm")
    assert same_value(n, Number(n.atom, INT))
    assert same_value(Number(Literal(3, INT), INT), Number(Literal(3, INT), INT))
    assert not same_value(n, m)
    assert not same_value(Number(Literal(3, INT), INT), Number(Literal(4, INT), INT))


def test_wronskian_of_the_bessel_functions() -> None:
    """J1 Y0 - J0 Y1 = 2 / (pi x), on both sides of where other formulas begin (DLMF 10.5.2)."""
    x = np.array([0.5, 1.5, 3.9, 4.1, 12.0, 24.9, 25.1, 30.0, 400.0])
    j0, j1, y0, y1 = (PRIMITIVES[f"bessel_{name}"].reference(x) for name in ("j0", "j1", "y0", "y1"))
    np.testing.assert_allclose(j1 * y0 - j0 * y1, 2 / (math.pi * x), rtol=1e-12)


@pytest.mark.parametrize("op", ["max", "min"])
def test_all_that_attain_an_extreme_share_its_cotangent(op: str) -> None:
    sign = 1.0 if op == "max" else -1.0
    x, indices, updates = (
        sign * np.array([1.0, 2.0, 3.0]),
        np.array([0, 0, 1, 0]),
        sign * np.array([1.0, 0.5, 2.0, 1.0]),
    )
    primitive, ct = PRIMITIVES["scatter_combine"], np.array([3.0, 4.0, 5.0])
    assert isinstance(primitive.derivative, Vjp)
    with evaluating_by(NumpyEvaluator()):
        by_x, _, by_updates = primitive.derivative.vjp((ct,), (x,), x, indices, updates, op=op)
    np.testing.assert_array_equal(by_x, [1.0, 2.0, 5.0])
    np.testing.assert_array_equal(by_updates, [1.0, 0.0, 2.0, 1.0])


def test_boxes_that_others_cover_by_most_of_their_area_are_left_out() -> None:
    boxes = np.array([[0.0, 0.0, 1.0, 1.0], [0.0, 0.0, 1.0, 0.8], [0.5, 0.5, 1.0, 1.5]])[None, :, None]
    scores, how = np.array([0.9, 0.8, 0.7])[None, :, None], {"each": 3, "total": 3, "least": 0.1, "clip": False}
    for overlap, left in ((0.79, [0.9, 0.7, 0.0]), (0.81, [0.9, 0.8, 0.7]), (0.19, [0.9, 0.0, 0.0])):
        marks = PRIMITIVES["combined_boxes"].reference(boxes, scores, overlap=overlap, **how)[1]
        np.testing.assert_allclose(marks, [left], rtol=1e-6)


# --- programs that are compiled without a region, and give what Python gives ------------------------------


def _nested(n: int) -> Any:
    made: Any = ()
    k = 0
    while k < n:
        made = (made, k)
        k += 1
    return made


def grown_in_a_function(n: int) -> Any:
    return _nested(n), _nested(n + 1)


def shapes_of_constants(n: int) -> Any:
    return np.broadcast_shapes((2, 1, 3), (4, 1)), n


def items_left_out(n: int) -> Any:
    values = [n, n + 1, n + 2, n + 3]
    for i in range(n):
        values.append(i)
    del values[1]
    del values[-1]
    return values


def ranges_and_others(n: int) -> Any:
    numbers: Any = range(n)
    return numbers == range(3), numbers == 3, numbers == [1], numbers == (0, 1)


def signs_of_percent(n: int) -> Any:
    return "%d%% of %s" % (n, "all"), "100%% %s" % n  # noqa: UP031


def squeezed_to_a_scalar(n: int) -> Any:
    return (np.squeeze(np.arange(10)[:n].reshape(1, -1)) + 1).shape


class Point:
    def __init__(self, x: int) -> None:
        self.x = x


def changed_after_it_was_appended(n: int) -> Any:
    points: list[Point] = []
    for i in range(n):
        point = Point(i)
        points.append(point)
        point.x += 1
    return [point.x for point in points]


def another_iterator_each_round(n: int) -> Any:
    rounds, items = 0, iter(range(5))
    while n > 0:
        items = iter(range(n))
        next(items)
        rounds += 1
        n -= 1
    return rounds, next(items, 7)


def numbers_of_several_dtypes(n: int) -> Any:
    values: list[Any] = []
    for i in range(n):
        values.append(None if i % 3 == 2 else np.float32(i) if i % 3 else i)
    total = 0.0
    for value in values:
        if value is not None:
            total += float(value)
    return total, values[0] is None


PROGRAMS = [
    (grown_in_a_function, (2,)),
    (shapes_of_constants, (1,)),
    (items_left_out, (3,)),
    (ranges_and_others, (3,)),
    (signs_of_percent, (2,)),
    (squeezed_to_a_scalar, (1,)),
    (changed_after_it_was_appended, (3,)),
    (another_iterator_each_round, (3,)),
    (numbers_of_several_dtypes, (5,)),
]


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(("program", "args"), PROGRAMS, ids=lambda p: getattr(p, "__name__", ""))
def test_compiled_as_plain(program: Callable[..., Any], args: tuple[Any, ...]) -> None:
    assert jit(program)(*args) == program(*args)


# --- gradients, compared with central differences ---------------------------------------------------------


def broadcast_in_a_loop(x: Any, n: int) -> Any:
    total = 0.0
    for i in range(n):
        total = total + (np.broadcast_to(x, (2, 3)) * np.expand_dims(x, 0)).sum() * i
    return total


def extents_that_rounds_do_not_change(x: Any, n: int) -> Any:
    y = np.concatenate((x[:n], x[:1]))
    z = y * 1.0
    for _ in range(n):
        z = z * y
    return z.sum()


def chosen_and_written_in_a_try(x: Any, n: int) -> Any:
    a, b = np.zeros(3), np.ones(3)
    try:
        c = a if n > 1 else b
        c[0] = x[0] * x[1]
        k = 6 // (n - 2)
        c[1] = x[2] * k
    except ZeroDivisionError:
        a[2] = x[1]
    return (a * x).sum() + (b * b).sum()


def longer_each_round(x: Any, n: int) -> Any:
    y = x * x
    for _ in range(n):
        y = np.concatenate((y, y[:1] * x[1]))
    return (y * y).sum()


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize("n", [1, 2, 3])
@pytest.mark.parametrize(
    "program",
    [broadcast_in_a_loop, extents_that_rounds_do_not_change, chosen_and_written_in_a_try, longer_each_round],
)
def test_gradients_are_those_of_differences(program: Callable[..., Any], n: int) -> None:
    x = np.array([1.0, 2.0, 3.0])
    wanted = [(program(x + 1e-6 * e, n) - program(x - 1e-6 * e, n)) / 2e-6 for e in np.eye(3)]
    np.testing.assert_allclose(jit(grad(program))(x, n), wanted, rtol=1e-6, atol=1e-6)


def written_to_afterwards(x: Any) -> Any:
    along = x * 2
    _, tangent = jvp(lambda v: v + 1, x, along)
    along += 1
    return along, tangent


def written_to_before_and_afterwards(x: Any) -> Any:
    along = x * 2
    along -= 1
    _, tangent = jvp(lambda v: v + 1, x, along)
    along += 2
    return along, tangent + 1


def the_tangent_is_written_to(x: Any) -> Any:
    along = x * 2
    _, tangent = jvp(lambda v: v + 1, x, along)
    tangent += 1
    return tangent, along


@pytest.mark.usefixtures("strict")
@pytest.mark.parametrize(
    "program", [written_to_afterwards, written_to_before_and_afterwards, the_tangent_is_written_to]
)
def test_a_tangent_that_equals_the_one_given_has_memory_of_its_own(program: Callable[..., Any]) -> None:
    written, other = jit(program)(np.array([1.0, 2.0]))
    assert written.tolist() == [3.0, 5.0]
    assert other.tolist() == [2.0, 4.0]


def _ranks_and_items(x: Any) -> Any:
    total = 0.0
    for k in range(3):
        total = total + x.reshape((1,) * k + (4,)).ndim
    for k in range(8):
        total = total + x[k % 4]
    return total


def test_a_loop_that_is_unrolled_leaves_others_of_its_call_loops() -> None:
    """Only the first one's index decides about a shape."""

    @jit
    def f(x: Any) -> Any:
        return _ranks_and_items(x) * 2

    x = np.arange(4.0)
    assert f(x) == _ranks_and_items(x) * 2
    module = f.specialisations[0].compilation.inferred.module
    assert sum(b.op is FOR for b in all_bindings(module.graphs[module.entry])) == 1


def longer_and_written_to_each_round(x: Any, n: int) -> Any:
    y = x * 1.0
    for _ in range(n):
        y = np.concatenate((y, y[:1] * x[1]))
        y[0] = y[1] * x[0]
    return (y * y).sum()


@pytest.mark.usefixtures("strict")
def test_gradients_through_what_is_longer_and_written_to_each_round_are_refused() -> None:
    with pytest.raises(CompileError, match="has other extents in each round"):
        jit(grad(longer_and_written_to_each_round))(np.ones(3), 2)
