"""Sparse Tensors: every operation against the dense one, line by line and compiled, with gradients through the values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import COOTensor, CSRTensor, Tensor, grad, jit, nn, ops, set_context
from jitcore.common.sparse_tensor import RowTensorInner, to_csr

A = np.array([[0, 0, 0, -3.5], [-2.5, -1.5, -0.5, 0], [0, 0.5, 0, 1.5]], np.float32)
B = np.array([[0, 0, -2.5, -1.5], [2.5, 0, 0, 0], [0, 0.25, 0, 0]], np.float32)
D = np.arange(1, 13, dtype=np.float32).reshape(3, 4)


def csr(dense: Any) -> CSRTensor:
    rows, columns = np.nonzero(dense)
    starts = np.searchsorted(rows, np.arange(len(dense) + 1)).astype(np.int32)
    return CSRTensor(Tensor(starts), Tensor(columns.astype(np.int32)), Tensor(dense[rows, columns]), dense.shape)


def coo(dense: Any) -> COOTensor:
    places = np.stack(np.nonzero(dense), 1)[::-1].copy()  # in no order
    return COOTensor(Tensor(places), Tensor(dense[tuple(places.T)]), dense.shape)


def plain(value: Any) -> Any:
    """The dense array that a result stands for."""
    if isinstance(value, COOTensor | CSRTensor):
        assert value.ndim == 2
        return value.to_dense().asnumpy()
    return value.asnumpy() if isinstance(value, Tensor) else value


def softmax_of_nonzeros(a: Any) -> Any:
    e = np.where(a != 0, np.exp(a), 0)
    return e / e.sum(1, keepdims=True)


BOTH: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (lambda x, y, d: x, lambda a, b, d: a),
    (lambda x, y, d: -x, lambda a, b, d: -a),
    (lambda x, y, d: x + y, lambda a, b, d: a + b),
    (lambda x, y, d: x - y, lambda a, b, d: a - b),
    (lambda x, y, d: x - x, lambda a, b, d: a * 0),
    (lambda x, y, d: x + d, lambda a, b, d: a + d),
    (lambda x, y, d: d + x, lambda a, b, d: a + d),
    (lambda x, y, d: x - d, lambda a, b, d: a - d),
    (lambda x, y, d: d - x, lambda a, b, d: d - a),
    (lambda x, y, d: x * d, lambda a, b, d: a * d),
    (lambda x, y, d: d * x, lambda a, b, d: a * d),
    (lambda x, y, d: x * d[:, :1], lambda a, b, d: a * d[:, :1]),
    (lambda x, y, d: x / d, lambda a, b, d: a / d),
    (lambda x, y, d: x * 2.0, lambda a, b, d: a * 2),
    (lambda x, y, d: x.abs(), lambda a, b, d: abs(a)),
    (lambda x, y, d: x.astype(jitcore.float16), lambda a, b, d: a.astype(np.float16)),
    (lambda x, y, d: x.to_dense(), lambda a, b, d: a),
    (lambda x, y, d: ops.coo_square(x), lambda a, b, d: a * a),
    (lambda x, y, d: ops.csr_sin(x), lambda a, b, d: np.sin(a)),
    (
        lambda x, y, d: (x.dtype, x.size, x.itemsize, x.ndim, x.shape),
        lambda a, b, d: (jitcore.float32, 6, 4, 2, (3, 4)),
    ),
]
BY_ROWS: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (lambda x, y, d: x.to_coo().to_csr(), lambda a, b, d: a),
    (lambda x, y, d: x.mm(d.T), lambda a, b, d: a @ d.T),
    (lambda x, y, d: ops.csr_mm(x, d, False, True), lambda a, b, d: a @ d.T),
    (lambda x, y, d: x.mm((y * 1.0).to_dense().T.to_csr()), lambda a, b, d: a @ b.T),
    (lambda x, y, d: x.mv(d[:1].T), lambda a, b, d: a @ d[:1].T),
    (lambda x, y, d: ops.csr_mv(x, d[:1].T), lambda a, b, d: a @ d[:1].T),
    (lambda x, y, d: x.sum(1), lambda a, b, d: a.sum(1, keepdims=True)),
    (lambda x, y, d: ops.csr_reduce_sum(x, -1), lambda a, b, d: a.sum(1, keepdims=True)),
    (lambda x, y, d: x.softmax(), lambda a, b, d: softmax_of_nonzeros(a)),
    (lambda x, y, d: x.add(y, Tensor(2.0), Tensor(-1.0)), lambda a, b, d: 2 * a - b),
    (lambda x, y, d: ops.csr_gather(x.indptr, x.indices, d, x.shape), lambda a, b, d: d[a != 0]),
    (lambda x, y, d: d.to_csr(), lambda a, b, d: d),
    (lambda x, y, d: ops.dense_to_sparse_coo(d), lambda a, b, d: d),
]
BY_PLACES: list[tuple[Callable[..., Any], Callable[..., Any]]] = [
    (lambda x, y, d: x.to_csr(), lambda a, b, d: a),
    (lambda x, y, d: x.coalesce(), lambda a, b, d: a),
    (lambda x, y, d: x.add(y, Tensor(1.0)), lambda a, b, d: np.where(abs(a + b) >= 1, a + b, 0)),
    (lambda x, y, d: ops.sparse_concat((x, y)), lambda a, b, d: np.concatenate([a, b])),
    (lambda x, y, d: ops.sparse_concat([x, y, x], -1), lambda a, b, d: np.concatenate([a, b, a], 1)),
]
CASES = [
    *((make, *case) for make in (csr, coo) for case in BOTH),
    *((csr, *case) for case in BY_ROWS),
    *((coo, *case) for case in BY_PLACES),
]


@pytest.fixture(autouse=True)
def _strict() -> Any:
    set_context(jit_syntax_level=0)
    yield
    set_context(jit_syntax_level=2)


@pytest.mark.parametrize(
    ("make", "function", "wanted"), CASES, ids=[f"{c[0].__name__}{k}" for k, c in enumerate(CASES)]
)
def test_operations(make: Any, function: Any, wanted: Any) -> None:
    """Of sparse Tensors that are given or made of Tensors in compiled code."""
    x, y, d = make(A), make(B), Tensor(D)

    def remake(x_values: Any, y_values: Any, d: Any) -> Any:
        return function(x.with_values(x_values), y.with_values(y_values), d)

    compiled = jit(lambda a, b, c: function(a, b, c))(x, y, d) if make is csr else jit(remake)(x.values, y.values, d)
    ways = [function(x, y, d), compiled]
    for made in ways:
        assert type(made) is type(ways[0])
        if isinstance(made, tuple):
            assert made == wanted(A, B, D)
        else:
            np.testing.assert_allclose(plain(made), wanted(A, B, D), rtol=1e-5, atol=1e-6)
            assert made.dtype == ways[0].dtype


@pytest.mark.parametrize("make", [csr, coo])
def test_gradients(make: Any) -> None:
    """By the values, against differences of the dense sums."""
    x, y, d = make(A.astype(np.float64)), make(B.astype(np.float64)), Tensor(D.astype(np.float64))
    functions: list[Callable[..., Any]] = [
        lambda a: (a.to_dense() * d).sum(),
        lambda a: ((a + y).values ** 2).sum(),
        lambda a: ((a * d - y).to_dense() ** 2).sum(),
        lambda a: ((d - a / d) ** 2).sum(),
    ]
    if make is csr:
        functions += [
            lambda a: (a.mm(d.T) ** 2).sum(),
            lambda a: (a.softmax().values * d[:2, :3].reshape(-1)).sum(),
            lambda a: (a.sum(1) ** 3).sum(),
            lambda a: (a.to_coo().to_csr().mv(d[:1].T) ** 2).sum(),
        ]
    for f in functions:

        def loss(values: Any, f: Any = f) -> Any:
            return f(x.with_values(values))

        wanted = []
        for k in range(x.size):
            step = Tensor(np.where(np.arange(x.size) == k, 1e-6, 0))
            wanted.append((float(loss(x.values + step)) - float(loss(x.values - step))) / 2e-6)
        np.testing.assert_allclose(grad(loss)(x.values).asnumpy(), wanted, rtol=1e-5, atol=1e-5)
        np.testing.assert_allclose(jit(grad(loss))(x.values).asnumpy(), wanted, rtol=1e-5, atol=1e-5)


def test_control_flow() -> None:
    """They are carried by loops and joined after branches; results and arguments of Cells."""

    class Doubling(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.weight = jitcore.Parameter(Tensor([2.0]), name="weight")

        def construct(self, n: Any, x: Any) -> Any:
            while n > 0:
                x = CSRTensor(x.indptr, x.indices, x.values * self.weight, x.shape)
                n = n - 1
            if x.values.sum() > 0:
                return x.abs()
            return -x

    net = Doubling()
    for mode in (jitcore.PYNATIVE_MODE, jitcore.GRAPH_MODE):
        set_context(mode=mode)
        made = net(Tensor(3), csr(A))
        assert isinstance(made, CSRTensor)
        np.testing.assert_allclose(plain(made), A * -8)
    set_context(mode=jitcore.PYNATIVE_MODE)
    total = jit(lambda parts: parts[0] + parts[1])
    np.testing.assert_allclose(plain(total([coo(A), coo(B)])), A + B)


def test_batches() -> None:
    """Values with further axes."""
    values = np.array([[2, 1, 3], [2, 1, 3]], np.float32)
    indptr, indices = Tensor(np.array([0, 1, 1, 2, 2], np.int32)), Tensor(np.array([0, 1], np.int32))
    x = CSRTensor(indptr, indices, Tensor(values), (4, 2, 3))
    dense = np.zeros((4, 2, 3), np.float32)
    dense[0, 0], dense[2, 1] = values
    d = np.arange(24, dtype=np.float32).reshape(4, 2, 3)
    for f in (
        lambda a, b: (a.to_dense(), a.sum(1), (a * b).values),
        jit(lambda a, b: (a.to_dense(), a.sum(1), (a * b).values)),
    ):
        whole, sums, products = f(x, Tensor(d))
        np.testing.assert_array_equal(whole.asnumpy(), dense)
        np.testing.assert_array_equal(sums.asnumpy(), dense.sum(1, keepdims=True))
        np.testing.assert_array_equal(products.asnumpy(), values * d[[0, 2], [0, 1]])
    with pytest.raises(ValueError, match="2 axes"):
        x.to_coo()


def test_layers() -> None:
    places, values = Tensor(np.stack(np.nonzero(A), 1)), Tensor(A[np.nonzero(A)])
    whole = nn.SparseToDense()
    for f in (whole, jit(lambda x: whole(x))):
        np.testing.assert_array_equal(f(coo(A)).asnumpy(), A)
    for left, right in ((False, False), (True, False), (False, True), (True, True)):
        product = nn.SparseTensorDenseMatmul(left, right)
        dense = (D if right else D.T) if not left else (D.T if right else D)
        wanted = (A.T if left else A) @ (dense.T if right else dense)
        for f in (product, jit(lambda i, v, d, product=product: product(i, v, (3, 4), d))):
            args = (places, values, (3, 4), Tensor(dense)) if f is product else (places, values, Tensor(dense))
            np.testing.assert_allclose(f(*args).asnumpy(), wanted, rtol=1e-6)


def test_places_that_come_twice() -> None:
    x = COOTensor(Tensor([[1, 2], [0, 1], [1, 2]]), Tensor([4.0, 1.0, 5.0]), (3, 3))
    for f in (lambda a: a.coalesce(), jit(lambda a: a.coalesce())):
        made = f(x)
        assert made.indices.asnumpy().tolist() == [[0, 1], [1, 2]]
        assert made.values.asnumpy().tolist() == [1.0, 9.0]


def test_kinds() -> None:
    """What they are instances of, copies, tuples, rows, and nothing at all."""
    x = csr(A)

    def f(a: Any) -> Any:
        return (
            isinstance(a, Tensor),
            isinstance(a, CSRTensor),
            isinstance(a, Tensor | CSRTensor),
            isinstance(a.values, COOTensor),
        )

    assert f(x) == jit(f)(x) == (False, True, True, False)
    for make in (lambda a: CSRTensor(csr_tensor=a), jit(lambda a: CSRTensor(csr_tensor=a))):
        np.testing.assert_array_equal(plain(make(x)), A)
    assert [type(v) for v in jit(lambda a: a.to_tuple())(x)] == [Tensor, Tensor, Tensor, tuple]
    empty = COOTensor(Tensor([], jitcore.int32), Tensor([], jitcore.float32), (3, 4))
    assert not plain(empty).any()
    rows = RowTensorInner(Tensor([0, 1]), Tensor([[1.0, 2.0], [3.0, 4.0]]), (3, 2))
    assert RowTensorInner(row_tensor=rows).dense_shape == (3, 2)
    assert repr(rows).startswith("RowTensor(shape=[3, 2]")
    assert repr(x).startswith("CSRTensor(shape=[3, 4], dtype=Float32, indptr=Tensor(")
    np.testing.assert_array_equal(plain(to_csr(Tensor(A))), A)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: COOTensor([[0, 1]], Tensor([1.0]), (2, 2)), TypeError),
        (lambda: COOTensor(Tensor([[0.0, 1.0]]), Tensor([1.0]), (2, 2)), TypeError),
        (lambda: COOTensor(Tensor([[0, 1]]), [1.0], (2, 2)), TypeError),
        (lambda: COOTensor(Tensor([[0, 1]]), Tensor([1.0]), [2, 2]), TypeError),
        (lambda: COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, -2)), ValueError),
        (lambda: COOTensor(Tensor([[0, 1]]), Tensor([1.0, 2.0]), (2, 2)), ValueError),
        (lambda: COOTensor(Tensor([0, 1]), Tensor([1.0, 2.0]), (2, 2)), ValueError),
        (lambda: COOTensor(coo_tensor=Tensor([1.0])), TypeError),
        (lambda: CSRTensor(Tensor([0, 1]), Tensor([1]), Tensor([1.0]), (2, 2)), ValueError),
        (lambda: CSRTensor(Tensor([0, 1, 1]), Tensor([1]), Tensor([[1.0]]), (2, 2)), ValueError),
        (lambda: coo(A) + COOTensor(Tensor([[0, 1]]), Tensor([1.0]), (2, 2)), ValueError),
        (lambda: csr(A).sum(0), ValueError),
        (lambda: csr(A).mm(Tensor(D)), ValueError),
    ],
)  # fmt: skip
def test_what_is_refused(make: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()
    with pytest.raises(error):
        jit(lambda x: (make(), x))(Tensor([1.0]))


def test_objects_of_users_beside_tensors() -> None:
    """A captured object's operators are asked as Python asks them, also beside a Tensor; its changes are noticed."""

    class Scale:
        def __init__(self, k: float) -> None:
            self.k = k

        def __mul__(self, other: Any) -> Any:
            return other * self.k

        def __rmul__(self, other: Any) -> Any:
            return other * self.k + 1.0

        def __rsub__(self, other: Any) -> Any:
            return NotImplemented

    scale = Scale(3.0)

    def f(x: Any) -> Any:
        return scale * x, x * scale

    g = jit(f)
    for k in (3.0, 5.0):
        scale.k = k
        assert [float(v[0]) for v in g(Tensor([2.0]))] == [float(v[0]) for v in f(Tensor([2.0]))] == [2 * k, 2 * k + 1]
    set_context(jit_syntax_level=2)
    with pytest.warns(jitcore.runtime.dispatch.FallbackWarning), pytest.raises(TypeError, match="unsupported operand"):
        jit(lambda x: x - scale)(Tensor([1.0]))
