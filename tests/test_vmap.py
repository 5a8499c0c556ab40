"""vmap: against the function called for one row after the other; composed with itself and with both modes of derivatives."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Parameter, Tensor, grad, hessian, jacfwd, jacrev, jit, jvp, nn, ops, vmap
from jitcore.config import PYNATIVE_MODE, settings
from jitcore.runtime.records import keep_records

RNG = np.random.default_rng(3)


def tensor(*shape: int) -> Tensor:
    return Tensor(RNG.normal(size=shape))


def elementwise(x: Tensor, y: Tensor) -> Tensor:
    return ops.tanh(x) * y + 2.0 * x / (1.0 + y * y)


def broadcasting(x: Tensor, y: Tensor) -> Tensor:
    return x[:, None] * y[None, :] + x.sum()


def reductions(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor, Tensor]:
    return x.sum(), (x * y).max(axis=0), ops.softmax(x)


def products(x: Tensor, y: Tensor) -> Tensor:
    return ops.matmul(x.reshape(2, 2), y.reshape(2, 2).T) + ops.matmul(x, y)


def shapes(x: Tensor, y: Tensor) -> Tensor:
    return ops.concat((x[::-1], y[1:3], x.reshape(2, 2).T.reshape(-1)), 0)


def both_branches(x: Tensor, y: Tensor) -> Tensor:
    if x.sum() > 0.0:
        return x * y
    return ops.sin(x) - y


def until_small(x: Tensor, y: Tensor) -> tuple[Tensor, int]:
    steps = 0
    while ops.abs(x).max() > 0.25:
        x = x * 0.5 + 0.01 * y / (1.0 + steps)
        steps += 1
    return x, steps


def counted(x: Tensor, y: Tensor) -> Tensor:
    total = ops.zeros_like(x)
    for k in range(3):
        total = total * y + x[k]
    return total


def writes_inside(x: Tensor, y: Tensor) -> Tensor:
    out = ops.zeros_like(x)
    for k in range(x.shape[0]):
        out[k] = x[k] * y[-1 - k]
    out[1:] += out[:-1]
    return out


def python_floats(x: Tensor, y: Tensor) -> float:
    a = float(x[0])
    while a * a < 5.0:
        a = abs(a) * 1.5 + math.sin(float(y[1])) ** 2
    return a


def recursive(x: Tensor, n: int) -> Tensor:
    if n == 0 or x.sum() > 4.0:
        return x
    return recursive(x * x + 0.5, n - 1) * 0.5


def recursion(x: Tensor, y: Tensor) -> Tensor:
    return recursive(x, 3) + y


def gathers(x: Tensor, y: Tensor) -> Tensor:
    order = ops.argmax(x, 0)
    return y[order] * x


PROGRAMS = [
    elementwise,
    broadcasting,
    reductions,
    products,
    shapes,
    both_branches,
    until_small,
    counted,
    writes_inside,
    python_floats,
    recursion,
    gathers,
]


def by_rows(function: Callable[..., Any], *args: Any) -> Any:
    rows = [function(*row) for row in zip(*args, strict=True)]
    return tuple(map(np.stack, zip(*map(arrays, rows), strict=True)))


def arrays(value: Any) -> tuple[np.ndarray, ...]:
    items = value if isinstance(value, tuple) else (value,)
    return tuple(np.asarray(v.asnumpy() if isinstance(v, Tensor) else v) for v in items)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_programs(program: Callable[..., Any]) -> None:
    x, y = tensor(5, 4), tensor(5, 4)
    want = by_rows(program, x, y)
    for found in (vmap(program)(x, y), jit(lambda x, y: vmap(program)(x, y))(x, y)):
        for a, b in zip(arrays(found), want, strict=True):
            assert a.dtype == b.dtype
            np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_line_by_line(program: Callable[..., Any], monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "jit", False)
    x, y = tensor(3, 4), tensor(3, 4)
    for a, b in zip(arrays(vmap(program)(x, y)), by_rows(program, x, y), strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


@pytest.mark.parametrize("program", PROGRAMS, ids=lambda p: p.__name__)
def test_one_argument_for_all_rows(program: Callable[..., Any]) -> None:
    x, y = tensor(4, 5), tensor(4)
    want = by_rows(lambda row: program(row, y), Tensor(x.asnumpy().T))
    for a, b in zip(arrays(vmap(program, in_axes=(1, None))(x, y)), want, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-12, atol=1e-12)


def test_nested() -> None:
    x, y = tensor(3, 4), tensor(2, 4)
    table = vmap(vmap(lambda a, b: (a * b).sum(), (None, 0)), (0, None))(x, y)
    np.testing.assert_allclose(table.asnumpy(), x.asnumpy() @ y.asnumpy().T, rtol=1e-12)
    cube = tensor(2, 3, 4)
    np.testing.assert_allclose(vmap(vmap(vmap(lambda a: a * a + 1.0)))(cube).asnumpy(), cube.asnumpy() ** 2 + 1.0)


def test_axes_of_arguments_and_results() -> None:
    x = tensor(2, 3, 4)
    for axis in (0, 1, 2, -1):
        found = vmap(lambda r: r * 2.0, axis, axis)(x)
        np.testing.assert_array_equal(found.asnumpy(), 2.0 * x.asnumpy())
    pair, single = vmap(lambda p: ((p["a"] + p["b"], 1.0), p["b"]), ({"a": 0, "b": None},), ((1, 0), None))(
        {"a": tensor(3, 2), "b": Tensor([1.0, 2.0])}
    )
    assert pair[0].shape == (2, 3)
    assert pair[1].asnumpy().tolist() == [1.0, 1.0, 1.0]
    assert single.asnumpy().tolist() == [1.0, 2.0]


def test_keywords_have_rows_along_their_first_axis() -> None:
    x, y = tensor(3, 2), tensor(3, 2)
    found = jit(lambda x, y: vmap(lambda a, *, b: a - b)(x, b=y))(x, y)
    np.testing.assert_array_equal(found.asnumpy(), x.asnumpy() - y.asnumpy())


def test_ndarrays() -> None:
    x = RNG.normal(size=(3, 2))
    found = jit(lambda x: vmap(lambda row: row[0] * row[1])(x))(x)
    assert type(found) is np.ndarray
    np.testing.assert_allclose(found, x[:, 0] * x[:, 1])


def square_sum(x: Tensor) -> Tensor:
    return (x * x * x).sum()


def test_gradients_of_rows_and_rows_of_gradients() -> None:
    x = tensor(3, 4)
    want = 3.0 * x.asnumpy() ** 2
    np.testing.assert_allclose(vmap(grad(square_sum))(x).asnumpy(), want)
    np.testing.assert_allclose(grad(lambda x: vmap(square_sum)(x).sum())(x).asnumpy(), want)
    np.testing.assert_allclose(
        jit(lambda x: vmap(lambda r: jvp(square_sum, r, r)[1])(x))(x).asnumpy(), (want * x.asnumpy()).sum(1)
    )
    np.testing.assert_allclose(jit(lambda x: jvp(vmap(square_sum), x, x)[1])(x).asnumpy(), (want * x.asnumpy()).sum(1))


@pytest.mark.parametrize(
    "program",
    [elementwise, reductions, products, both_branches, counted, writes_inside, recursion],
    ids=lambda p: p.__name__,
)
def test_gradients_of_programs(program: Callable[..., Any]) -> None:
    x, y = tensor(3, 4), tensor(3, 4)

    def total(x: Tensor, y: Tensor) -> Tensor:
        found = program(x, y)
        return found[-1].sum() if isinstance(found, tuple) else found.sum()

    of_rows = grad(lambda x, y: vmap(total)(x, y).sum(), (0, 1))(x, y)
    rows_of = vmap(grad(total, (0, 1)))(x, y)
    for k in range(3):
        want = grad(total, (0, 1))(x[k], y[k])
        for a, b, c in zip(of_rows, rows_of, want, strict=True):
            np.testing.assert_allclose(a.asnumpy()[k], c.asnumpy(), rtol=1e-10, atol=1e-12)
            np.testing.assert_allclose(b.asnumpy()[k], c.asnumpy(), rtol=1e-10, atol=1e-12)


def test_a_numpy_scalar_may_hold_what_a_changed_array_held() -> None:
    def program(x: Any, xs: Any, n: int) -> Any:
        item = x
        for k in range(n):
            item = xs[k % 3] * x
            other = xs[k % 2] if item > x else x
            xs[0] = item * 0.5
            x = other
        return item + x

    starts, rows = np.array([0.5, 1.5]), np.array([[1.0, 2.0, 3.0], [2.0, 3.0, 4.0]])
    slope = grad(program)
    each = [slope(start, row.copy(), 4) for start, row in zip(starts, rows, strict=True)]
    assert each == [3.0, 0.0]
    np.testing.assert_array_equal(vmap(slope, in_axes=(0, 0, None))(starts, rows.copy(), 4), each)


def test_effects_happen_row_by_row(capsys: pytest.CaptureFixture[str]) -> None:
    def program(x: Tensor) -> Tensor:
        print("first", float(x))
        y = x * 2.0
        print("second", float(y))
        return y

    vmap(program)(Tensor(np.array([1.0, 2.0])))
    assert capsys.readouterr().out == "first 1.0\nsecond 2.0\nfirst 2.0\nsecond 4.0\n"


def test_writes_to_rows_and_to_what_is_outside() -> None:
    def program(x: np.ndarray, total: np.ndarray) -> None:
        x[0] = total[0]
        total[0] += x[1]

    x, total = np.arange(6.0).reshape(3, 2), np.zeros(1)
    jit(lambda x, t: vmap(program, (0, None))(x, t))(x, total)
    assert x.tolist() == [[0.0, 1.0], [1.0, 3.0], [4.0, 5.0]]
    assert total.tolist() == [9.0]


def test_exceptions_of_the_first_row_that_raises() -> None:
    def program(x: np.ndarray) -> float:
        if x[0] > 1.0:
            raise ValueError(f"too large: {float(x[0])}")
        return 1.0 / float(x[1])

    run = jit(lambda x: vmap(program)(x))
    np.testing.assert_array_equal(run(np.array([[0.0, 2.0], [1.0, 4.0]])), [0.5, 0.25])
    with pytest.raises(ValueError, match=r"too large: 3\.0"):
        run(np.array([[0.0, 2.0], [3.0, 1.0], [0.0, 0.0]]))
    with pytest.raises(ZeroDivisionError):
        run(np.array([[0.0, 0.0], [3.0, 1.0]]))


def test_no_rows() -> None:
    assert vmap(lambda x: x * 2.0)(tensor(0, 3)).shape == (0, 3)


def test_what_does_not_fit_is_refused() -> None:
    x, y = tensor(3, 2), tensor(4, 2)
    with pytest.raises(ValueError, match="as many rows: 3 is not 4"):
        vmap(elementwise)(x, y)
    with pytest.raises(ValueError, match="in_axes has 1 items for 2 arguments"):
        vmap(elementwise, (0,))(x, y)
    with pytest.raises(ValueError, match="needs an argument with rows"):
        vmap(elementwise, (None, None))(x, y)
    with pytest.raises(ValueError, match="no axis 2"):
        vmap(lambda x: x, 2)(x)
    with pytest.raises(ValueError, match="has no rows"):
        vmap(lambda x, k: x * k)(x, 2.0)
    with pytest.raises(ValueError, match="differs from row to row"):
        vmap(lambda x: x, out_axes=None)(x)
    with pytest.raises(TypeError, match="axes of vmap"):
        vmap(lambda x: x, in_axes="rows")


def test_sizes_that_vary_are_checked() -> None:
    run = jit(lambda x, y: vmap(elementwise)(x, y))
    for n in (2, 3, 4):
        x, y = tensor(n, 2), tensor(n, 2)
        np.testing.assert_allclose(run(x, y).asnumpy(), elementwise(x, y).asnumpy(), rtol=1e-12)
    with pytest.raises(ValueError, match="as many rows"):
        run(tensor(5, 2), tensor(6, 2))


def mixed(x: Tensor) -> Tensor:
    return ops.sin(x) * x.sum() + x[0] * x[1]


@pytest.mark.parametrize("mode", ["compiled", "line by line"])
def test_jacobians(mode: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if mode != "compiled":
        monkeypatch.setattr(settings, "jit", False)
    x = Tensor(np.array([0.3, -1.2, 0.7]))
    step = 1e-6
    want = np.stack(
        [(mixed(x + h).asnumpy() - mixed(x - h).asnumpy()) / (2 * step) for h in map(Tensor, step * np.eye(3))], 1
    )
    np.testing.assert_allclose(jacfwd(mixed)(x).asnumpy(), want, rtol=1e-7, atol=1e-8)
    np.testing.assert_allclose(jacrev(mixed)(x).asnumpy(), want, rtol=1e-7, atol=1e-8)
    second = hessian(square_sum)(x).asnumpy()
    np.testing.assert_allclose(second, np.diag(6.0 * x.asnumpy()), rtol=1e-10, atol=1e-12)
    np.testing.assert_allclose(jacrev(jacrev(square_sum))(x).asnumpy(), second, rtol=1e-10, atol=1e-12)


def test_jacobians_of_several_arguments_and_results() -> None:
    x, y = tensor(2), tensor(3)

    def program(x: Tensor, y: Tensor) -> tuple[Tensor, Tensor]:
        return x[:, None] * y, y.sum()

    for transform in (jacfwd, jacrev):
        found = transform(program, (0, 1))(x, y)
        shapes = [[part.shape for part in parts] for parts in found]
        want = [[(2, 3, 2), (2,)], [(2, 3, 3), (3,)]]
        assert shapes == (want if transform is jacfwd else [[want[0][0], want[1][0]], [want[0][1], want[1][1]]])
    assert jacfwd(lambda a, b: a * b * b, (0, 1))(2.0, 3.0) == (9.0, 12.0)
    jacobian, aux = jacrev(lambda x: (x * x, x + 1.0), has_aux=True)(x)
    np.testing.assert_allclose(jacobian.asnumpy(), np.diag(2.0 * x.asnumpy()))
    np.testing.assert_allclose(aux.asnumpy(), x.asnumpy() + 1.0)


def test_pynative_mode(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(settings, "mode", PYNATIVE_MODE)
    x = tensor(3, 4)
    np.testing.assert_allclose(grad(lambda x: vmap(square_sum)(x).sum())(x).asnumpy(), 3.0 * x.asnumpy() ** 2)


class Layer(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.w = Parameter(Tensor(RNG.normal(size=(4, 3))), name="w")

    def construct(self, x: Tensor) -> Tensor:
        return ops.tanh(ops.matmul(x, self.w))


def test_cells_and_their_parameters() -> None:
    net, x = Layer(), tensor(5, 4)
    np.testing.assert_allclose(vmap(net)(x).asnumpy(), net(x).asnumpy(), rtol=1e-12)
    weights = net.trainable_params()
    (together,) = grad(lambda x: vmap(net)(x).sum(), None, weights)(x)
    (plain,) = grad(lambda x: net(x).sum(), None, weights)(x)
    np.testing.assert_allclose(together.asnumpy(), plain.asnumpy(), rtol=1e-10)
    value, tangent = jvp(net, x, x)
    np.testing.assert_allclose(value.asnumpy(), net(x).asnumpy(), rtol=1e-12)
    want = (1.0 - value.asnumpy() ** 2) * (x.asnumpy() @ net.w.asnumpy())
    np.testing.assert_allclose(tangent.asnumpy(), want, rtol=1e-10)


def test_values_of_the_function_around() -> None:
    x, y = tensor(3), tensor(4)
    table = jit(lambda x, y: vmap(lambda a: vmap(lambda b: a * b + x.sum())(y))(x))(x, y)
    np.testing.assert_allclose(table.asnumpy(), np.outer(x.asnumpy(), y.asnumpy()) + x.asnumpy().sum(), rtol=1e-12)
    by_y = grad(lambda y: vmap(lambda a: (a * y * y).sum())(x).sum())(y)
    np.testing.assert_allclose(by_y.asnumpy(), 2.0 * x.asnumpy().sum() * y.asnumpy(), rtol=1e-10)
    assert jit(lambda x: jvp(lambda a: a * jvp(lambda b: a * b * b, 3.0, 1.0)[1], x, 1.0))(2.0) == (24.0, 24.0)


def is_loop_free(function: Callable[..., Any], *args: Any) -> bool:
    with keep_records() as records:
        function(*args)
    return not any(word in record.texts["opt"]() for record in records for word in ("for_(", "while_("))


def test_rows_are_computed_together_where_they_cannot_tell() -> None:
    x, y = tensor(3, 4), tensor(3, 4)
    for program in (elementwise, broadcasting, reductions, products, shapes, both_branches):
        assert is_loop_free(vmap(program), x, y)
    for program in (writes_inside, python_floats):
        assert not is_loop_free(vmap(program), x, y)
    assert is_loop_free(vmap(grad(square_sum)), x)
    assert is_loop_free(jacfwd(mixed), tensor(3))
    assert is_loop_free(hessian(square_sum), tensor(3))


def halvings(x: Tensor, y: Tensor) -> Tensor:
    while ops.abs(x).max() > 0.25:
        x = x * 0.5 + 0.01 * y
    return x


def test_loops_that_end_at_different_rounds() -> None:
    x, y = Tensor(np.diag([0.1, 1.0, 10.0, 1000.0])), tensor(4, 4)
    (want,) = by_rows(halvings, x, y)
    np.testing.assert_allclose(vmap(halvings)(x, y).asnumpy(), want, rtol=1e-12)
    with keep_records() as records:
        vmap(halvings)(x, y)
        jit(lambda x, y: vmap(halvings)(x, y))(x, y)
    assert "for_(" not in records[-1].texts["opt"]()


def test_a_branch_not_taken_need_not_end() -> None:
    def program(x: Tensor) -> Tensor:
        if x.sum() > 0.0:
            while x.sum() > 0.0:
                x = x - 1.0
        else:
            while x.sum() < 0.0:
                x = x + 1.0
        return x

    found = vmap(program)(Tensor(np.array([[2.5], [-2.5], [0.0]])))
    np.testing.assert_allclose(found.asnumpy(), [[-0.5], [0.5], [0.0]])


def test_jacobians_are_of_floats() -> None:
    for transform in (jacfwd, jacrev):
        with pytest.raises(TypeError, match="float"):
            transform(lambda x: x * x)(Tensor([1, 2]))
        with pytest.raises(TypeError, match="float"):
            jit(lambda k, transform=transform: transform(lambda x: x * x)(k))(3)
