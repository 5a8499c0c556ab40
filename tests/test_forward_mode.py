"""Forward mode: against reverse mode, finite differences, and itself composed with itself and with gradients."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from test_control_flow_gradients import CASES, IDS, expected, scaled_items, tensor_rnn, with_arguments

import jitcore
from jitcore import Tensor, grad, jit, jvp, nn, ops, vjp, vmap
from jitcore.config import PYNATIVE_MODE, settings


def along(function: Callable[..., Any], *rest: Any) -> Callable[..., Any]:
    return lambda x, t: jvp(lambda y: function(y, *rest), x, t)


@pytest.mark.parametrize(("function", "rest", "x"), CASES, ids=IDS)
def test_control_flow(function: Callable[..., float], rest: tuple[int, ...], x: float) -> None:
    value, tangent = jit(along(function, *rest))(x, 2.0)
    assert value == function(x, *rest)
    assert tangent == pytest.approx(2.0 * expected(with_arguments(function, *rest), x), rel=1e-6, abs=1e-6)
    assert tangent == pytest.approx(2.0 * jit(grad(function))(x, *rest), rel=1e-12, abs=1e-12)


@pytest.mark.parametrize("name", ["newton", "nested_break", "factorial_like", "fibonacci_like", "rnn", "while_else"])
def test_second_derivatives_agree(name: str) -> None:
    """Forward over reverse, reverse over forward, forward over forward and reverse over reverse."""
    function, rest, x = next(case for case in CASES if case[0].__name__ == name)
    twice = jit(grad(grad(function)))(x, *rest)

    def forward_over_reverse(y: float) -> float:
        return jvp(lambda z: grad(function)(z, *rest), y, 1.0)[1]

    def tangent(y: float) -> float:
        return jvp(lambda z: function(z, *rest), y, 1.0)[1]

    def forward_over_forward(y: float) -> float:
        return jvp(tangent, y, 1.0)[1]

    assert jit(forward_over_reverse)(x) == pytest.approx(twice, rel=1e-10)
    assert jit(grad(tangent))(x) == pytest.approx(twice, rel=1e-10)
    assert jit(forward_over_forward)(x) == pytest.approx(twice, rel=1e-10)


def test_a_list_that_grows_in_a_loop_and_is_changed_in_another() -> None:
    """Only the tangents of its items are used: their extents stay known."""

    def f(x: float, xs: np.ndarray, n: int) -> float:
        items: list[float] = []
        rounds, v = 0, x
        while rounds < n:
            rounds += 1
            if rounds > 1:
                v = np.sum(xs)
                if x > 0.7:
                    break
            items += [v]
        for _ in range(n):
            if items:
                items[0] = x
        return x

    compiled = jit(lambda x, xs, n, t, ts: jvp(f, (x, xs, n), (t, ts, None)))
    for x, n in [(0.5, 4), (0.5, 0), (0.9, 3)]:
        assert compiled(x, np.ones(3), n, 2.0, np.ones(3)) == (x, 2.0)


def elementwise(x: Tensor, y: Tensor) -> Tensor:
    return ops.tanh(x) * y + ops.exp(x - y) / (1.0 + x * x)


def reductions(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
    return (x * y).sum(axis=0), ops.matmul(x, y.T).max()


def shapes(x: Tensor, y: Tensor) -> Tensor:
    joined = ops.concat((x, y), 1)
    return joined.reshape(-1)[::2] * 3.0 + joined.T.reshape(-1)[1::2]


def branches(x: Tensor, y: Tensor) -> Tensor:
    if x.sum() > 0.0:
        return x * y
    return ops.sin(x)


def rows(x: Tensor, y: Tensor) -> Tensor:
    total = ops.zeros_like(x[0])
    for k in range(x.shape[0]):
        total = total * y[k] + ops.cos(x[k])
    return total


def writes(x: Tensor, y: Tensor) -> Tensor:
    out = ops.zeros_like(x)
    for k in range(x.shape[0]):
        out[k] = x[k] * y[-1 - k]
        out[k, 0] += out[0, 1] * 2.0
    return out


PROGRAMS = [elementwise, reductions, shapes, branches, rows, writes]


def dot(a: Any, b: Any) -> float:
    pairs = zip(a, b, strict=True) if isinstance(a, tuple) else ((a, b),)
    return sum(float((p.asnumpy() * q.asnumpy()).sum()) for p, q in pairs)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_the_two_modes_are_transposes(program: Callable[..., Any]) -> None:
    """⟨u, J t⟩ = ⟨Jᵀ u, t⟩, and J t is the derivative along t."""
    rng = np.random.default_rng(1)
    x, y, s, t = (Tensor(rng.normal(size=(3, 4))) for _ in range(4))
    value, tangent = jit(lambda x, y, s, t: jvp(program, (x, y), (s, t)))(x, y, s, t)
    outs, plain = (v if isinstance(v, tuple) else (v,) for v in (value, program(x, y)))
    for out, want in zip(outs, plain, strict=True):
        np.testing.assert_allclose(out.asnumpy(), want.asnumpy(), rtol=1e-12)
    cotangent = tuple(Tensor(rng.normal(size=v.shape)) for v in outs)
    sens = cotangent if isinstance(value, tuple) else cotangent[0]

    def back(x: Tensor, y: Tensor, u: Any) -> Any:
        return vjp(program, x, y)[1](u)

    by_x, by_y = jit(back)(x, y, sens)
    assert dot(tangent, sens) == pytest.approx(dot((by_x, by_y), (s, t)), rel=1e-10)
    step = 1e-6
    ahead, behind = (program(x + h * s, y + h * t) for h in (step, -step))
    for tangents, a, b in zip(*(v if isinstance(v, tuple) else (v,) for v in (tangent, ahead, behind)), strict=True):
        np.testing.assert_allclose(tangents.asnumpy(), ((a - b) / (2 * step)).asnumpy(), rtol=1e-6, atol=1e-6)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_line_by_line(program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    rng = np.random.default_rng(2)
    x, y, s, t = (Tensor(rng.normal(size=(3, 4))) for _ in range(4))
    compiled = jvp(program, (x, y), (s, t))
    monkeypatch.setattr(settings, "jit", False)
    for a, b in zip(jvp(program, (x, y), (s, t)), compiled, strict=True):
        for p, q in zip(a if isinstance(a, tuple) else (a,), b if isinstance(b, tuple) else (b,), strict=True):
            np.testing.assert_allclose(p.asnumpy(), q.asnumpy(), rtol=1e-10, atol=1e-12)


def test_gradient_line_by_line_of_a_directional_derivative(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "mode", PYNATIVE_MODE)
    x = Tensor([0.5, -1.5])

    def slope(x: Tensor) -> Tensor:
        return jvp(lambda y: y * y * y, (x,), (Tensor([1.0, 2.0]),))[1].sum()

    np.testing.assert_allclose(grad(slope)(x).asnumpy(), [3.0, -18.0], rtol=1e-6)


def test_structures_ints_and_aux() -> None:
    def program(pair: tuple[Tensor, float], n: int, flag: bool) -> tuple[dict[str, Any], Any]:
        x, a = pair
        return {"y": x * a, "n": n, "a": a * a, "b": flag}, (x, n)

    x, t = Tensor([1.0, 2.0]), Tensor([1.0, 0.0])
    value, tangent, aux = jit(lambda x, t: jvp(program, ((x, 3.0), 4, True), ((t, 0.5), None, None), has_aux=True))(
        x, t
    )
    assert (value["n"], value["a"], value["b"]) == (4, 9.0, True)
    assert (tangent["n"], tangent["a"], tangent["b"]) == (0, 3.0, False)
    np.testing.assert_allclose(tangent["y"].asnumpy(), [3.5, 1.0])
    assert aux[1] == 4
    np.testing.assert_array_equal(aux[0].asnumpy(), [1.0, 2.0])


def test_ndarrays_stay_ndarrays() -> None:
    x = np.linspace(-1.0, 2.0, 7)
    value, tangent = jit(lambda x, t: jvp(lambda y: scaled_items(y, 0.5), x, t))(x, np.ones(7))
    assert float(value) == pytest.approx(float(scaled_items(x, 0.5)))
    assert float(tangent) == pytest.approx(float((2 * math.sin(0.5) * x).sum()))


def test_hessian_vector_product_of_an_rnn() -> None:
    rng = np.random.default_rng(0)
    w, x, t = (Tensor(rng.normal(size=s) * 0.5) for s in ((4, 4), (6, 4), (4, 4)))

    def product(w: Tensor, t: Tensor) -> Tensor:
        return jvp(lambda v: grad(tensor_rnn)(v, x), w, t)[1]

    step = 1e-5
    found = jit(product)(w, t).asnumpy()
    ahead, behind = (grad(tensor_rnn)(w + h * t, x).asnumpy() for h in (step, -step))
    np.testing.assert_allclose(found, (ahead - behind) / (2 * step), rtol=1e-5, atol=1e-7)


def may_be_none(x: float) -> float | None:
    result = None
    for k in range(5):
        if k * x > 2.0:
            result = x * k
    return result


def test_values_of_several_types() -> None:
    program = jit(lambda x: jvp(may_be_none, x, 1.0))
    assert program(0.1) == (None, None)
    assert program(0.6) == (may_be_none(0.6), 4.0)


def buffer_recursion(buffer: np.ndarray, x: float, n: int) -> float:
    """Writes to an array it is handed, recursively."""
    if n == 0:
        return x
    buffer[n] = x * n
    return buffer_recursion(buffer, math.sin(x), n - 1) + buffer[n] * x


def with_buffer(x: float) -> float:
    buffer = np.zeros(6)
    found = buffer_recursion(buffer, x, 5)
    return found + float(buffer.sum())


def test_places_written_to_by_recursion() -> None:
    value, tangent = jit(along(with_buffer))(0.7, 1.0)
    assert value == pytest.approx(with_buffer(0.7), rel=1e-14)
    assert tangent == pytest.approx(expected(with_buffer, 0.7), rel=1e-6)


def swapped(x: float) -> float:
    """Two arrays that take turns at being written to."""
    one, two = np.zeros(3), np.zeros(3)
    one[0] = x
    for k in range(4):
        two[1] = one[0] * (k + 1.0)
        two[0] = one[1] + x
        one, two = two, one
    return float((one * two).sum())


def test_places_that_change_their_names() -> None:
    value, tangent = jit(along(swapped))(0.7, 1.0)
    assert value == pytest.approx(swapped(0.7), rel=1e-14)
    assert tangent == pytest.approx(expected(swapped, 0.7), rel=1e-6)


def test_printing_happens_once(capsys: pytest.CaptureFixture[str]) -> None:
    def program(x: float) -> float:
        print("here", x)
        return x * x

    assert jit(along(program))(3.0, 1.0) == (9.0, 6.0)
    assert capsys.readouterr().out == "here 3.0\n"


def test_exceptions_are_those_of_the_function() -> None:
    def program(x: float) -> float:
        return 1.0 / x

    with pytest.raises(ZeroDivisionError, match="float division by zero"):
        jit(along(program))(0.0, 1.0)


def test_what_does_not_fit_is_refused() -> None:
    x = Tensor([1.0, 2.0])
    with pytest.raises(TypeError, match="1 primals and 2 tangents"):
        jit(lambda x: jvp(lambda y: y, (x,), (x, x)))(x)
    with pytest.raises(ValueError, match="its shape"):
        jit(lambda x: jvp(lambda y: y, (x,), (Tensor([1.0, 2.0, 3.0]),)))(x)
    with pytest.raises(TypeError, match="not of int"):
        jvp(3, (x,), (x,))  # type: ignore[arg-type]


def test_stop_gradient_and_no_dependence() -> None:
    value, tangent = jit(lambda x, t: jvp(lambda y: (ops.stop_gradient(y) * y, Tensor([2.0])), x, t))(
        Tensor([3.0]), Tensor([1.0])
    )
    assert [v.asnumpy().tolist() for v in (*value, *tangent)] == [[9.0], [2.0], [3.0], [0.0]]


def test_vjp_with_aux() -> None:
    value, back, aux = vjp(lambda x: (x * x, x + 1.0), Tensor([3.0]), has_aux=True)
    assert value.asnumpy().tolist() == [9.0]
    assert aux.asnumpy().tolist() == [4.0]
    assert back(Tensor([2.0])).asnumpy().tolist() == [12.0]


def test_directional_derivatives_are_compiled_once() -> None:
    def square(x: Tensor) -> Tensor:
        return x * x

    for k in range(3):
        x = jitcore.Tensor([1.0 + k])
        assert jvp(square, x, x)[1].asnumpy().tolist() == [2.0 * (1 + k) ** 2]


class Hundredfold(nn.Cell):
    """x³, whose gradient is said to be 100 x."""

    def construct(self, x: Tensor) -> Tensor:
        return x * x * x

    def bprop(self, x: Tensor, out: Tensor, dout: Tensor) -> tuple[Tensor]:
        return (dout * 100.0 * x,)


def test_gradients_of_its_own() -> None:
    """A function that says what its gradient is has the directional derivative that goes with it."""
    net, x, t = Hundredfold(), Tensor([2.0, 3.0]), Tensor([1.0, 0.5])
    value, tangent = jvp(lambda x: net(x) * x, x, t)
    np.testing.assert_allclose(value.asnumpy(), [16.0, 81.0])
    np.testing.assert_allclose(tangent.asnumpy(), [408.0, 463.5])
    np.testing.assert_allclose(vmap(grad(net))(x).asnumpy(), [200.0, 300.0])


def test_complex_numbers() -> None:
    assert jit(lambda z: jvp(lambda y: y * y * y, z, 1j))(1 + 2j) == ((1 + 2j) ** 3, 3 * (1 + 2j) ** 2 * 1j)
    assert jit(lambda z: jvp(lambda y: y * 2.0, z, 3))(1 + 2j) == (2 + 4j, 6 + 0j)


def attempts(x: float) -> float:
    try:
        y = 1.0 / (x - 1.0)
        if y > 3.0:
            raise ValueError("too large")
    except ZeroDivisionError:
        y = x * 7.0
    except ValueError:
        return x * x
    return y * x


def test_exceptions_that_are_caught() -> None:
    run = jit(along(attempts))
    assert run(0.5, 1.0) == (attempts(0.5), pytest.approx(-4.0))
    assert run(1.0, 1.0) == (7.0, 14.0)
    assert run(1.1, 1.0) == (attempts(1.1), pytest.approx(2.2))


def growing(x: float, n: int) -> float:
    items = []
    for k in range(n):
        items.append(x * k)
        x = x * 1.5
    total = 0.0
    for item in items:
        total = total + item * item
    return total


def test_lists_that_grow() -> None:
    value, tangent = jit(along(growing, 4))(2.0, 1.0)
    assert value == growing(2.0, 4)
    assert tangent == pytest.approx(expected(with_arguments(growing, 4), 2.0), rel=1e-6)
