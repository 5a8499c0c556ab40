"""NumPy's functions of samples, signals, polynomials, places and borders; and mindspore.numpy, whose defaults have 32 bits."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from array_comparison import program

from jitcore import Tensor, jit
from jitcore.compat import mindspore as compat

compat.install()

import mindspore.numpy as mnp  # noqa: E402

X, M, R = np.sin(np.arange(1.0, 9.0)), np.cos(np.arange(12.0)).reshape(3, 4), np.sin(np.arange(105.0)).reshape(5, 3, 7)


@pytest.mark.parametrize(
    "text",
    [
        "np.cov(m)", "np.cov(x)", "np.cov(m, fweights=[0, 1, 2, 3], aweights=[4, 5, 6, 7], ddof=3)",
        "np.cov(m, rowvar=False, bias=True, fweights=[0, 1, 2])", "np.cov(x, x ** 2)", "np.corrcoef(m)",
        "np.quantile(m, 0.3)", "np.quantile(m, [0.1, 0.9], axis=1)", "np.percentile(r, [10, 50], axis=1)",
        "np.quantile(m, 0.5, keepdims=True)", "np.digitize(x, [-0.5, 0.1, 0.9])", "np.digitize(x, [0.9, 0.5, 0.1], right=True)",
        "np.digitize(np.floor(x * 3), [2, 0, -2], right=True)", "np.digitize(np.floor(x * 3), [2, 0, -2])",
        "np.linalg.norm(m, 1)", "np.linalg.norm(r, -np.inf, (2, 0))", "np.linalg.norm(r, np.inf, (0, 1), True)",
        "np.histogram_bin_edges(x, 4, range=(2, 20))", "np.histogram(x)", "np.histogram(x, 5, range=(0.2, 0.8))",
        "np.histogram(x, [-1, 0, 0.5, 1], density=True)", "np.histogram(x, 3, weights=x ** 2)", "np.histogram2d(x, x ** 2, 3)",
        "np.histogramdd((x, x + 1), [2, 4], density=True)", "np.convolve(x, x[:3], 'same')", "np.convolve(x[:2], x, 'valid')",
        "np.correlate(x, x[:3], 'full')", "np.correlate(x[:3], x[:4], 'same')", "np.interp(x, [-0.5, 0, 0.5], [3, 5, 4])",
        "np.interp(x, [-0.5, 0, 0.5], [3, 5, 4], left=-1, right=9)", "np.gradient(m)", "np.gradient(m, 2.0, axis=1)",
        "np.gradient(x, edge_order=2)", "np.unwrap(x * 10)", "np.unwrap(m * 10, axis=0)", "np.polyadd(x, x[:3])",
        "np.polysub(x[:2], x)", "np.polymul(x, x[:3])", "np.polyder(x, 2)", "np.polyint(x, 2, [3.0, 4.0])", "np.vander(x, 3)",
        "np.vander(x, increasing=True)", "np.bartlett(5) + 0 * x[:5]", "np.hanning(1)", "np.hamming(-3)",
        "np.tril_indices(3)", "np.triu_indices(3, 1, 4)", "np.tril_indices_from(m, 1)", "np.diag_indices(5, 3)",
        "np.indices((2, 3))", "np.indices((2, 3), sparse=True)", "np.ix_([1, 2], [3, 4, 5])",
        "np.unravel_index([5, 11], (3, 4))", "np.unravel_index([5, 11], (3, 4), order='F')",
        "np.ravel_multi_index(([0, 7], [2, 9]), (4, 5), mode='wrap')", "np.ravel_multi_index(([0, 3], [2, 4]), (4, 5), order='F')",
        "np.ravel_multi_index(([0, 4], [2, 4]), (4, 5))", "np.lexsort(([1, 2, 1, 3], [2, 1, 2, 1]))",
        "np.setdiff1d([1, 2, 3, 2, 4], [2, 3])", "np.choose([0, 1, 2, 1], [x[:4], x[4:], x[2:6]])",
        "np.choose([0, 4, -1, 1], [x[:4], x[4:], x[2:6]], mode='wrap')", "np.choose([0, 4], [x[:2], x[4:6]])",
        "np.array_equiv(x, x[None])", "np.array_equiv(x, x[:2])", "np.geomspace(1, 256, num=9)",
        "np.geomspace([1, 2, 3], [1000, 2000, 3000], num=4, axis=-1)", "np.logspace(2.0, [3, 4, 5], num=5, base=2, endpoint=False)",
        "np.fix(m * 4)", "np.float_power([1, 2], 3)", "np.isposinf(np.array([1.0, np.inf, -np.inf, np.nan]))", "np.isneginf(np.array([np.inf, -np.inf]))",
        "np.linalg.multi_dot([m, m.T, m])", "np.linalg.multi_dot([x[:3], m, x[:4]])", "np.diff(m, 2, append=3.0)",
        "np.diff(m, prepend=m, axis=0)", "np.ediff1d(x, to_end=[1.0, 2.0], to_begin=0.5)", "np.trapezoid(m, [1, 2, 4], axis=0)",
        "np.rot90(r, 1, (2, 0))", "np.diagonal(r, 1, 2, 0)", "np.trace(r, 1, 1, 2)", "np.cross(m[:, :3], m[:, 1:])",  "np.cross(m[:, :3].T, m[:, 1:], axisa=0, axisc=0)", "np.roll(m, (1, -2), (0, 1))",
        "np.take(x, [9, -3, 0], mode='wrap')", "np.take(m, [9, -3, 0], 1, mode='clip')", "np.repeat(m, (2, 0, 1), 0)",
        "np.meshgrid(x, x[:2], sparse=True)", "np.max(m, initial=0.2, where=m > 0)", "np.atleast_2d(x, m)",
        "np.pad(m, ((1, 2), (3, 0)), constant_values=((3, 4), (5, 6)))", "np.pad(m, 2, mode='edge')", "np.pad(m, 6, mode='wrap')",
        "np.pad(m, 7, mode='reflect')", "np.pad(m, 5, mode='symmetric', reflect_type='odd')",
        "np.pad(m, 5, mode='reflect', reflect_type='odd')", "np.pad(m, 2, mode='mean', stat_length=((1, 2), (2, 10)))",
        "np.pad(m, 1, mode='median')", "np.pad(m, ((1, 3), (3, 0)), mode='linear_ramp', end_values=((0, 10), (-10, 99)))",
    ],
)  # fmt: skip
def test_functions(text: str) -> None:
    """Compiled on ndarrays as plain; of Tensors, too."""
    f = program(text, "x, m, r")
    try:
        want, raised = f(X, M, R), None
    except Exception as error:
        want, raised = None, type(error)
    for call in (lambda: jit(f)(X, M, R), lambda: jit(f)(Tensor(X), Tensor(M), Tensor(R))):
        if raised is not None:
            with pytest.raises(raised):
                call()
        else:
            same(call(), want)


def flat(value: Any) -> list[Any]:
    if isinstance(value, (tuple, list)):
        return [part for v in value for part in flat(v)]
    return [value.asnumpy() if isinstance(value, Tensor) else np.asarray(value)]


def same(got: Any, want: Any) -> None:
    for a, b in zip(flat(got), flat(want), strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-9, atol=1e-9)


# --- mindspore.numpy ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("mnp.ones(3)", "float32"), ("mnp.arange(10)", "int32"), ("mnp.arange(3.0)", "float32"), ("mnp.array([1, 2])", "int32"),
        ("mnp.asarray([1.0, 2])", "float32"), ("mnp.full((2, 2), 1.5)", "float32"), ("mnp.linspace(0, 1, 3)", "float32"),
        ("mnp.eye(2, dtype=int)", "int32"), ("mnp.add(1, 2.5)", "float32"), ("mnp.add(x, x, dtype=mnp.float16)", "float16"),
        ("mnp.add(x, x, mnp.float16)", "float16"), ("mnp.sqrt(x)", "float32"), ("mnp.sum(mnp.array([1, 2]))", "int32"),
        ("mnp.zeros_like([[1, 2]])", "int32"), ("mnp.ones_like(x, shape=(2, 3))", "float32"), ("mnp.full_like([1, 2], 3.7)", "int32"),
        ("mnp.where(x > 0, 1, 2.5)", "float32"), ("mnp.cumsum(x > 0)", "int32"), ("mnp.asfarray([1, 2])", "float32"),
        ("mnp.exp(mnp.array([1, 2]))", "float32"), ("mnp.zeros(2, 'float64')", "float64"), ("mnp.gcd(x, x)", "float32"),
        ("mnp.select([x > 0, x < 1], [x, -x])", "float32"), ("mnp.clip(x, 0, 1, mnp.float16)", "float16"),
        ("mnp.array(x, ndmin=3)", "float32"), ("mnp.diagflat(x)", "float32"), ("mnp.in1d(x, [1.0])", "bool"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("mode")
def test_dtypes(text: str, dtype: str) -> None:
    f = program(text, "x", mnp=mnp)
    x = Tensor(np.array([1.0, 4.0], np.float32))
    for made in (f(x), jit(f)(x)):
        assert str(made.dtype).lower() == dtype
        same(made, f(x))


def test_what_is_given_as_it_is() -> None:
    x = mnp.ones(3)
    assert mnp.asarray(x) is x
    assert mnp.array(x, copy=False) is x
    assert mnp.array(x) is not x
    assert mnp.array(np.ones(2)).dtype == mnp.float64
    assert mnp.promote_types("float32", mnp.int64) == mnp.float32
    assert mnp.result_type([1, 2], x, True) == mnp.float32
    same(mnp.mgrid[0:2, 0:3], np.mgrid[0:2, 0:3])
    assert [part.shape for part in mnp.ogrid[0:2, 0:3]] == [(2, 1), (1, 3)]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("mnp.asarray({1, 2})", TypeError), ("mnp.rand(dtype='int32')", ValueError), ("mnp.randn(1, 1.2)", TypeError),
        ("mnp.randint(1.2)", TypeError), ("mnp.randint(2, 1)", ValueError), ("mnp.randint(1, dtype='float')", ValueError),
        ("mnp.linspace(0, 1, num=2.5)", TypeError), ("mnp.empty_like([[1, 2, 3], [4, 5]])", ValueError),
        ("mnp.expand_dims(mnp.ones((3, 3)), 1.2)", TypeError), ("mnp.swapaxes(mnp.ones((3, 3)), 1, 10)", ValueError),
    ],
)  # fmt: skip
def test_errors(text: str, error: type[Exception]) -> None:
    with pytest.raises(error):
        program(text, "", mnp=mnp)()


def test_functions_of_functions() -> None:
    same(mnp.apply_along_axis(mnp.diag, 1, Tensor(R)), np.apply_along_axis(np.diag, 1, R))
    same(mnp.apply_over_axes(mnp.sum, Tensor(R), (0, 2)), np.apply_over_axes(np.sum, R, (0, 2)))
    pieces = [lambda v, by=1: v - by, lambda v, by=1: v * by]
    same(
        mnp.piecewise(Tensor(M), [Tensor(M < 0), Tensor(M > 0.5)], pieces, by=3),
        np.piecewise(M, [M < 0, M > 0.5], pieces, by=3),
    )
