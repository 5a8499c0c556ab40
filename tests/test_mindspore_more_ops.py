"""MindSpore's operators, further ones: fractional pooling, norms of matrices, methods in place, and what primitive classes refuse."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operator_rows import Row, check_gradients, check_values

import jitcore
from jitcore import Tensor, jit, nn, ops


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


def _windows(sample: Any, extent: int, window: int, count: int) -> list[int]:
    """Where windows begin (Graham 2015, as PyTorch has it)."""
    if count == 1:
        return [extent - window]
    step = (extent - window) / (count - 1)
    return [int((i + sample) * step) - int(sample * step) for i in range(count - 1)] + [extent - window]


def _fractional(x: Any, samples: Any, window: tuple[int, ...], count: tuple[int, ...]) -> Any:
    rank = len(window)
    out = np.empty((*x.shape[:2], *count))
    places = np.empty(out.shape, np.int64)
    flat = np.arange(np.prod(x.shape[2:])).reshape(x.shape[2:])
    for n, c in np.ndindex(*x.shape[:2]):
        order = samples[n, c][::-1] if rank == 2 else samples[n, c]
        starts = [_windows(order[k], x.shape[2 + k], window[k], count[k]) for k in range(rank)]
        for at in np.ndindex(*count):
            part = tuple(slice(starts[k][at[k]], starts[k][at[k]] + window[k]) for k in range(rank))
            out[(n, c, *at)] = x[n, c][part].max()
            places[(n, c, *at)] = flat[part].ravel()[x[n, c][part].argmax()]
    return out, places


UNIT = "(P(n, 2, {}) % 1.0)"
ROWS = [
    Row("ops.fractional_max_pool2d(x, 2, (3, 4), return_indices=True, _random_samples=y)", lambda x, y: _fractional(x, y, (2, 2), (3, 4)), x="F(n, 2, 6, 7)", y=UNIT.format(2)),
    Row("ops.FractionalMaxPoolWithFixedKsize((2, 3), (1, 3))(x, y)", lambda x, y: _fractional(x, y, (2, 3), (1, 3)), x="F(n, 2, 6, 7)", y=UNIT.format(2)),
    Row("ops.fractional_max_pool3d(x, (1.0, 2.0, 2.0), None, (0.5, 0.5, 0.6), True, y)", lambda x, y: _fractional(x, y, (1, 2, 2), (2, 2, 3)), x="F(n, 2, 4, 5, 6)", y=UNIT.format(3)),
    no("ops.FractionalMaxPool3DWithFixedKsize(2, (2, 2, 3))(x, y)", lambda x, y: _fractional(x, y, (2, 2, 2), (2, 2, 3)), x="F(n, 2, 4, 5, 6)", y=UNIT.format(3)),
    Row("ops.norm(x, 'nuc'), ops.norm(x, 2), ops.norm(x, -1), ops.norm(x, 'fro')", lambda x: tuple(np.linalg.norm(x, k) for k in ("nuc", 2, -1, "fro")), x="F(n + 1, 3) + np.eye(n + 1, 3)"),
    Row("ops.norm(x, 2, (0, 2)), ops.norm(x, float('inf'), (2, 1), True)", lambda x: (np.linalg.norm(x, 2, (0, 2)), np.linalg.norm(x, np.inf, (2, 1), True)), x="F(3, n, 4)"),
    Row("x.unflatten(1, (2, -1)), ops.unflatten(x, -1, (-1, 3, 2)), x.unflatten(0, (-1, 1))", lambda x: (x.reshape(-1, 2, 3), x.reshape(-1, 1, 3, 2), x.reshape(-1, 1, 6)), x="F(n, 6)"),
    Row("x.take_along_dim(i, 1), ops.take_along_dim(x, i)", lambda x, i: (np.take_along_axis(x, i, 1), x.ravel()[i.ravel()]), x="F(n, 3)", i="I(n, 2, below=3)"),
    Row("x.kron(y), x.gelu(), x.logsigmoid()", lambda x, y: (np.kron(x, y), ops.gelu(Tensor(x)).asnumpy(), -np.log1p(np.exp(-x))), x="F(n, 2)", y="F(2, 3)"),
    no("ops.SameTypeShape()(x, x * 2)", lambda x: x, x="F(n, 2)"),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_values(row: Row) -> None:
    check_values(row)


@pytest.mark.parametrize(
    "row", [r for r in ROWS if r.gradient and "_random" not in r.text and "Fraction" not in r.text], ids=str
)
def test_gradients(row: Row) -> None:
    check_gradients(row)


def test_fractional_pooling() -> None:
    """Gradients go to the maxima; without samples the windows are random, and all of them are in the image."""
    x, samples = Tensor(np.arange(48.0).reshape(1, 1, 6, 8)), Tensor(np.full((1, 1, 2), 0.3))
    for layer in (
        nn.FractionalMaxPool2d(2, output_size=(3, 4), _random_samples=samples),
        nn.FractionalMaxPool2d(2, output_ratio=0.5, return_indices=True, _random_samples=samples),
    ):
        made = jit(lambda a, layer=layer: layer(a))(x)
        made = made[0] if layer.return_indices else made
        slope = jitcore.grad(lambda a, layer=layer: (layer(a)[0] if layer.return_indices else layer(a)).sum())(x)
        assert made.shape == (1, 1, 3, 4)
        assert float(slope.sum()) == 12
        assert set(x.asnumpy()[slope.asnumpy() > 0]) == set(made.asnumpy().ravel())
    for _ in range(5):
        drawn = nn.FractionalMaxPool3d(2, output_size=(1, 2, 3))(Tensor(np.arange(60.0).reshape(1, 1, 3, 4, 5)))
        assert drawn.shape == (1, 1, 1, 2, 3)
        assert float(drawn[0, 0, 0, 1, 2]) == 59
    for keywords in ({}, {"output_size": (9, 9)}, {"output_ratio": (1.5, 0.5)}):
        with pytest.raises(ValueError, match="fractional max pooling"):
            ops.fractional_max_pool2d(x, 2, **keywords)


IN_PLACE = {
    "sigmoid_": ((), lambda x: 1 / (1 + np.exp(-x))),
    "relu_": ((), lambda x: np.maximum(x, 0)),
    "tanh_": ((), np.tanh),
    "floor_divide_": ((0.3,), lambda x: np.floor_divide(x, 0.3)),
    "remainder_": ((0.3,), lambda x: np.remainder(x, 0.3)),
    "nan_to_num_": ((), lambda x: x),
    "subtract_": ((2.0,), lambda x: x - 2),
}


@pytest.mark.parametrize("name", IN_PLACE)
def test_methods_in_place(name: str) -> None:
    """The Tensor itself is changed, and given back; in compiled code, too."""
    args, wanted = IN_PLACE[name]
    values = np.linspace(-1.3, 2.1, 7)

    def change(x: Any) -> Any:
        made = getattr(x, name)(*args)
        return made * 2

    for f in (change, jit(change)):
        x = Tensor(values.copy())
        np.testing.assert_allclose(f(x).asnumpy(), wanted(values) * 2)
        np.testing.assert_allclose(x.asnumpy(), wanted(values))
    assert (Tensor(values).exponential_(2.0).asnumpy() > 0).all()


def ones(*shape: int, dtype: Any = np.float32) -> Tensor:
    return Tensor(np.ones(shape, dtype))


REFUSED: list[tuple[Any, tuple[Any, ...], type[Exception]]] = [
    (ops.Add(), (ones(3, 5), ones(3, 4)), ValueError),
    (ops.Softmax(axis=2), (ones(3, 4),), ValueError),
    (ops.ReduceSum(True), (ones(2, 3), 5), ValueError),
    (ops.ReduceSum(True), (ones(2, 3), 5.0), TypeError),
    (ops.MatMul(), (ones(2, 3), ones(2, 3)), ValueError),
    (ops.MatMul(), (ones(2, 3), ones(3, 2, dtype=np.int32)), TypeError),
    (ops.Conv2D(2, 5), (ones(1, 1, 9, 9), ones(2, 1, 5, 5, dtype=np.float16)), TypeError),
    (ops.AddN(), ((ones(2, 3), ones(3, 2)),), ValueError),
    (ops.Square(), (ones(2, dtype=np.bool_),), TypeError),
    (ops.ReLU6(), (ones(2, dtype=np.int32),), TypeError),
    (ops.Select(), (ones(2), ones(2), ones(2)), TypeError),
    (ops.EqualCount(), (ones(2), ones(2, dtype=np.int32)), TypeError),
    (ops.Exp(), (5.0,), TypeError),
    (ops.Concat(5), ((ones(2), ones(2)),), ValueError),
    (ops.Transpose(), (ones(2, 3), (0, 0)), ValueError),
    (ops.DepthwiseConv2dNative(2, 5), (ones(5), ones(5)), ValueError),
    (ops.SameTypeShape(), (ones(2), ones(2, dtype=np.int32)), TypeError),
    (ops.SameTypeShape(), (ones(2), ones(3)), ValueError),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda c: type(c[0]).__name__)
def test_refused_operands_name_the_class(case: Any) -> None:
    primitive, operands, error = case
    for f in (primitive, jit(lambda *values: primitive(*values))):
        with pytest.raises(error, match=type(primitive).__name__) as caught:
            f(*operands)
        assert type(caught.value) is error


def test_refused_extents_of_a_view() -> None:
    for f in (ops.Reshape(), jit(lambda *values: ops.Reshape()(*values))):
        with pytest.raises(ValueError, match=r"5, ?5"):
            f(ones(3, 4), (5, 5))


def test_functions_of_arrays() -> None:
    """Functions of ndarrays on Tensors, compiled too."""
    seen: list[Any] = []

    def swapped(a: Any, b: Any) -> Any:
        seen.append(type(a))
        return b * 2, a

    operator = ops.PyFunc(
        swapped, (jitcore.float32, jitcore.int32), ((2,), (2,)), (jitcore.float64, jitcore.float32), ((2,), (2,))
    )
    x, y = Tensor([1.0, 2.0]), Tensor(np.array([3, 4], np.int32))

    def f(a: Any, b: Any) -> Any:
        first, second = operator(a + 1.0, b)
        return first + 1.0, second

    compiled = jit(f)(x, y)
    for made in (f(x, y), compiled):
        assert [v.asnumpy().tolist() for v in made] == [[7.0, 9.0], [2.0, 3.0]]
        assert [v.dtype for v in made] == [jitcore.float64, jitcore.float32]
    assert seen == [np.ndarray] * 2
    with pytest.raises(ValueError, match="2 operands"):
        operator(x)
    assert ops.scalar_log(1.0) == jit(lambda v: ops.scalar_log(v))(1.0) == 0.0
