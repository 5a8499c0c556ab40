"""MindSpore's operators that count, rank and draw, in both modes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
from operator_rows import Row, check_gradients, check_values

import jitcore
from jitcore import Tensor, jit, ops


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


def _segments(x: Any, i: Any, how: Any) -> Any:
    return np.stack([how(x[i == k]) if (i == k).any() else np.full(x.shape[1:], how(np.ones((1, 1))) * 0) for k in range(i.max() + 1)])  # fmt: skip


def _integral(x: Any, t: Any) -> Any:
    return np.cumsum((x[:, 1:] + x[:, :-1]) * np.diff(t) / 2, 1)


def _holed(x: Any) -> Any:
    return np.where(x > 0.9, np.nan, x)


X, IDS = "F(n, 3)", "np.arange(n) // 2 * 2"
ROWS = [
    Row("ops.SegmentMax()(x, i), ops.SegmentMin()(x, i), ops.SegmentMean()(x, i)", lambda x, i: tuple(_segments(x, i, f) for f in (lambda v: v.max(0), lambda v: v.min(0), lambda v: v.mean(0))), x=X, i=IDS),
    Row("ops.SegmentProd()(x, i)", lambda x, i: np.stack([x[i == k].prod(0) for k in range(i.max() + 1)]), x=X, i=IDS),
    Row("ops.cumulative_trapezoid(x, y), ops.cumulative_trapezoid(x, dx=0.5, dim=0)", lambda x, y: (_integral(x, y), _integral(x.T, np.arange(len(x)) * 0.5).T), x=X, y="F(3)"),
    Row("ops.combinations(x, 2), ops.combinations(x, 2, True)", lambda x: tuple(np.array(list(f(x, 2))) for f in (itertools.combinations, itertools.combinations_with_replacement)), x="F(n)"),
    Row("ops.NthElement()(x, 1), ops.NthElement(reverse=True)(x, Tensor([0], ms.int32))", lambda x: (np.sort(x)[:, 1], x.max(1)), x=X),
    Row("ops.nanquantile(x, 0.3, 1), ops.Quantile(dim=0)(x, 0.25)", lambda x: (np.nanquantile(x, 0.3, 1), np.quantile(x, 0.25, 0)), x=X),
    no("ops.nanquantile(x, 0.4), ops.Quantile(dim=1, ignore_nan=True, keep_dims=True)(x, 0.5)", lambda x: (np.nanquantile(x, 0.4), np.nanquantile(x, 0.5, 1, keepdims=True)), x="np.where(F(n, 3) > 0.9, np.nan, F(n, 3))"),
    Row("ops.quantile(x, [0.1, 0.6], 0), ops.quantile(x, y, 1, True), ops.nanquantile(x, (0.3, 0.5))", lambda x, y: (np.quantile(x, [0.1, 0.6], 0), np.quantile(x, y, 1, keepdims=True), np.quantile(x, [0.3, 0.5])), x=X, y="(P(2) - 0.2) / 1.4"),
    Row("ops.unique_consecutive(x, True, True, 0)[0], ops.embedding(i, x, max_norm=0.5)", lambda x, i: (x, x[i] * np.minimum(1, 0.5 / (np.linalg.norm(x[i], axis=-1, keepdims=True) + 1e-7))), False, x="F(3, 2)", i="I(n, below=3)"),
    Row("ops.poisson_nll_loss(x, y, full=True, reduction='none')", lambda x, y: np.exp(x) - y * x + np.where(y > 1, y * np.log(np.where(y > 1, y, 1)) - y + np.log(2 * np.pi * np.where(y > 1, y, 1)) / 2, 0), False, x=X, y="P(n, 3) * 3"),
    Row("ops.CumulativeLogsumexp(exclusive=True)(x, Tensor(1))[:, 1:]", lambda x: np.log(np.cumsum(np.exp(x), 1))[:, :-1], x=X),
    no("ops.unique_consecutive(j, True, True, 1)", lambda j: (j[:, [0, 1, 3]], np.array([0, 1, 1, 2]), np.array([1, 2, 1])), j="np.array([[1, 2, 2, 2], [5, 6, 6, 7]])"),
    no("ops.histc(x.astype(ms.float32), 4, -1.0, 1.0), ops.RealDiv()(i, j), ops.Div()(i, 2.0)", lambda x, i, j: (np.histogram(x, 4, (-1, 1))[0].astype(float), np.trunc(i / j).astype(int), (i / 2).astype(np.float32)), x=X, i="I(n) - 4", j="I(n, below=2) + 1"),
    Row("ops.add_ext(x, x, alpha=2), ops.sub_ext(x, 1.0, alpha=0.5), ops.transpose_ext(x, 0, 1), ops.linear(x, x), ops.max_ext(x), ops.min_ext(x, 1)[0]", lambda x: (3 * x, x - 0.5, x.T, x @ x.T, x.max(), x.min(1)), x=X),
    Row("ops.std_ext(x), ops.var_ext(x, 1, correction=0, keepdim=True), ops.zeros_ext(2, 3, dtype=ms.float64) + ops.ones_ext((2, 1), dtype=ms.float64)", lambda x: (x.std(ddof=1), x.var(1, keepdims=True), np.ones((2, 3))), x=X),
    no("ops.unique_ext(i, return_inverse=True, return_counts=True), ops.gather_ext(j, 1, k)", lambda i, j, k: (*np.unique(i, return_inverse=True, return_counts=True), np.take_along_axis(j, k, 1)), i="I(n)", j="I(n, 4)", k="I(n, 2, below=4)"),
    Row("ops.Median(global_median=True)(x)[0], ops.Median(axis=1)(x)[0]", lambda x: (np.sort(x.ravel())[(x.size - 1) // 2], np.sort(x, 1)[:, 1]), x=X),
    no("ops.Histogram(4, -1.0, 1.0)(x), ops.Histogram(3)(x), ops.HistogramFixedWidth(4)(x, Tensor([-0.9, 0.9], ms.float64))", lambda x: tuple(h.astype(np.int32) for h in (np.histogram(x, 4, (-1, 1))[0], np.histogram(x, 3)[0], np.histogram(np.clip(x, -0.9, 0.9), 4, (-0.9, 0.9))[0])), x=X),
    no("ops.Bincount()(ops.cast(i, ms.int32), Tensor(5, ms.int32), x)", lambda i, x: np.bincount(i, x, 7)[:5], i="I(n)", x="F(n)"),
    no("ops.LowerBound()(y, x), ops.UpperBound()(y, x), ops.Bucketize([-0.5, 0.0, 0.5])(x)", lambda x, y: tuple(v.astype(np.int32) for v in (np.stack([np.searchsorted(*p) for p in zip(y, x, strict=True)]), np.stack([np.searchsorted(*p, "right") for p in zip(y, x, strict=True)]), np.digitize(x, [-0.5, 0.0, 0.5]))), x=X, y="np.sort(F(n, 4))"),
    no("ops.ListDiff()(i, j)", lambda i, j: (i[~np.isin(i, j)], np.nonzero(~np.isin(i, j))[0].astype(np.int32)), i="I(n)", j="I(2)"),
    no("ops.confusion_matrix(i, j, 4), ops.confusion_matrix(i, j, 4, x, ms.float64)", lambda i, j, x: (np.histogram2d(i, j, 4, ((0, 4),) * 2)[0].astype(np.int32), np.histogram2d(i, j, 4, ((0, 4),) * 2, weights=x)[0]), i="I(n, below=4)", j="I(n, below=3)", x="F(n)"),
    no("ops.EqualCount()(i, j)", lambda i, j: np.array([(i == j).sum()]), i="I(n, below=4)", j="I(n, below=3)"),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_values(row: Row) -> None:
    check_values(row)


@pytest.mark.parametrize("row", [r for r in ROWS if r.gradient], ids=str)
def test_gradients(row: Row) -> None:
    check_gradients(row)


SIZE = (4000,)
DRAWS: list[tuple[Any, tuple[int, ...], float, float]] = [
    (lambda a: ops.random_gamma(SIZE, a, 3), (4000, 2), 3.0, 3.0),
    (lambda a: ops.gamma(SIZE, a, Tensor(2.0), 3), (4000, 2), 1.5, 0.75),
    (lambda a: ops.Gamma(5)(Tensor([4000], jitcore.int32), a, Tensor([2.0, 2.0])), (4000, 2), 1.5, 0.75),
    (lambda a: ops.random_poisson(SIZE, a, 3), (4000, 2), 3.0, 3.0),
    (lambda a: ops.cast(ops.Poisson(3)(Tensor([4000], jitcore.int32), a), jitcore.float32), (4000, 2), 3.0, 3.0),
    (lambda a: ops.TruncatedNormal(3)(Tensor([4000], jitcore.int32)) + 0 * a[0], (4000,), 0.0, 0.774),
    (lambda a: ops.rrelu(a[:1] * 0 - ops.ones((4000,)), 0.2, 0.4), (4000,), -0.3, 0.01 / 3),
    (lambda a: ops.alpha_dropout(a[:1] * 0 + ops.ones((4000,)), 0.3, True), (4000,), 1.0, 1.0),
]  # fmt: skip


@pytest.mark.parametrize("case", DRAWS, ids=map(str, range(len(DRAWS))))
def test_draws_have_their_moments(case: Any) -> None:
    function, shape, mean, variance = case
    for f in (function, jit(function)):
        made = f(Tensor([3.0, 3.0])).asnumpy()
        assert made.shape == shape
        assert abs(made.mean() - mean) < 6 * np.sqrt(max(variance, 0.1) / made.size) + (0.7 if mean == 1.0 else 0)
        if mean != 1.0:
            assert abs(made.var() - variance) < 0.15 * variance + 0.01


def test_choices() -> None:
    mask = Tensor(np.array([[True, False, True], [False, True, True]]))
    for f in (lambda m: ops.choice_with_mask(m, 3), jit(lambda m: ops.RandomChoiceWithMask(6, 1)(m))):
        places, kept = f(mask)
        chosen = {tuple(p) for p, k in zip(places.asnumpy().tolist(), kept.asnumpy().tolist(), strict=True) if k}
        assert chosen <= {(0, 0), (0, 2), (1, 1), (1, 2)}
        assert len(chosen) == kept.asnumpy().sum() == min(4, len(places))
    classes = Tensor(np.array([[1, 3]]))
    for f in (lambda c: ops.UniformCandidateSampler(2, 4, True, 9)(c), jit(lambda c: ops.log_uniform_candidate_sampler(c, 2, 4, True, 9))):  # fmt: skip
        drawn, by_true, by_drawn = f(classes)
        assert len(set(drawn.asnumpy().tolist())) == 4
        assert by_true.shape == (1, 2)
        assert by_drawn.shape == (4,)


def test_dropout_by_mask() -> None:
    gen, do = ops.DropoutGenMask(1), ops.DropoutDoMask()
    x = Tensor(np.ones(1000, np.float32))
    for f in (lambda v: do(v, gen((1000,), 0.8), 0.8), jit(lambda v: do(v, gen((1000,), Tensor(0.8)), Tensor(0.8)))):
        made = f(x).asnumpy()
        assert set(np.round(np.unique(made), 4).tolist()) == {0.0, 1.25}
        assert 740 < (made > 0).sum() < 860


def test_keywords_by_their_other_names() -> None:
    x = Tensor(np.arange(6.0).reshape(2, 3))

    def f(v: object) -> object:
        return (
            ops.add(input=v, other=1.0), ops.sum(v, axis=1), ops.softmax(v, dim=-1), ops.mean(v, dim=1, keepdim=True),
            ops.max(v, dim=0)[0], ops.matmul(input=v, other=ops.t(v)), ops.stack(tensors=(v, v)), ops.std(v, unbiased=True),
        )  # fmt: skip

    wanted = (
        ops.add(x, 1.0), ops.sum(x, 1), ops.softmax(x, -1), ops.mean(x, 1, True),
        ops.max(x, 0)[0], ops.matmul(x, ops.t(x)), ops.stack((x, x)), ops.std(x, ddof=1),
    )  # fmt: skip
    for g in (f, jit(f)):
        for have, want in zip(g(x), wanted, strict=True):
            np.testing.assert_array_equal(have.asnumpy(), want.asnumpy())
        with pytest.raises((TypeError, RuntimeError), match="unexpected keyword argument 'z'"):
            jit(lambda v: ops.add(v, z=1))(x) if g is not f else ops.add(x, z=1)


def test_shapes_that_are_arguments() -> None:
    reshape = ops.Reshape()
    for f in (reshape, jit(lambda x, shape: reshape(x, shape)), jit(lambda x, shape: ops.reshape(x, shape))):
        for shape in ((-1, 2), (2, -1), (3, 4), (-1,), (2, 3, -1)):
            made = f(Tensor(np.arange(12.0)), shape)
            np.testing.assert_array_equal(made.asnumpy(), np.arange(12.0).reshape(shape))
