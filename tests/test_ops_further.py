"""MindSpore's rarer operators, and its functions of Python's values, in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operator_rows import EXTENTS, Row, check_gradients, check_values, require_close

from jitcore import Parameter, Tensor, jit, ops

pytestmark = pytest.mark.usefixtures("strict")


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


def _diagonal(x: Any, y: Any, k: int) -> Any:
    out = x.copy()
    for j in range(min(x.shape[0] - max(-k, 0), x.shape[1] - max(k, 0))):
        out[j + max(-k, 0), j + max(k, 0)] = y[j]
    return out


def _sliced(x: Any, y: Any) -> Any:
    out = x.copy()
    out[:, 0:3:2] = y
    return out


def _masked(x: Any, m: Any, y: Any) -> Any:
    out = x.copy()
    out[m] = y.ravel()[: m.sum()]
    return out


X, Y = "F(n, 3)", "P(n, 3)"
ROWS = [
    Row("ops.t(x), ops.matrix_transpose(x), ops.adjoint(x)", lambda x: (x.T, x.T, x.T), x=X),
    Row("ops.broadcast_tensors(x, y), ops.expand_as(y, x)", lambda x, y: (x, np.broadcast_to(y, x.shape), np.broadcast_to(y, x.shape)), x=X, y="F(3)"),
    Row("ops.diff(x), ops.trapz(x)", lambda x: (np.diff(x), np.trapezoid(x)), x=X),
    Row("ops.channel_shuffle(x, 2)", lambda x: x.reshape(len(x), 2, 2, 3).swapaxes(1, 2).reshape(x.shape), x="F(n, 4, 3)"),
    Row("ops.diagflat(x), ops.diagflat(x, -1)", lambda x: (np.diagflat(x), np.diagflat(x, -1)), x="F(n)"),
    Row("ops.matrix_band_part(x, 1, 0), ops.MatrixBandPart()(x, -1, 1)", lambda x: (np.triu(np.tril(x), -1), np.tril(x, 1)), x="F(n, n)"),
    Row("ops.diagonal_scatter(x, y), ops.diagonal_scatter(x, y[:2], 1), ops.diagonal_scatter(x, y[:2], -1)", lambda x, y: (_diagonal(x, y, 0), _diagonal(x, y, 1), _diagonal(x, y, -1)), x="F(3, 3)", y="P(3)"),
    Row("ops.select_scatter(x, y, 1, 2), ops.select_scatter(x, z, 0, -1)", lambda x, y, z: (np.concatenate([x[:, :2], y[:, None]], 1), np.concatenate([x[:-1], z[None]])), x=X, y="P(n)", z="P(3)"),
    Row("ops.slice_scatter(x, y, 1, 0, 3, 2)", _sliced, x=X, y="P(n, 2)"),
    Row("ops.masked_scatter(x, m, y)", _masked, x=X, m="B(n, 3)", y="P(n, 3)"),
    Row("ops.BatchToSpace(2, ((0, 1), (1, 0)))(ops.SpaceToBatch(2, ((0, 0), (0, 2)))(x))", lambda x: np.pad(x, ((0, 0), (0, 0), (0, 0), (0, 2)))[:, :, :-1, 1:], x="F(n, 1, 4, 2)"),
    Row("ops.PadV3()(x, (1, 2), 0.5), ops.SplitV((1, -1), 1)(x), ops.ParallelConcat()((x, x))", lambda x: (np.pad(x, ((0, 0), (1, 2)), constant_values=0.5), x[:, :1], x[:, 1:], np.concatenate([x, x])), x=X),
    Row("ops.SegmentSum()(x, i)", lambda x, i: np.stack([x[i == k].sum(0) for k in range(i.max() + 1)]), x=X, i="np.arange(n) // 2"),
    no("ops.sequence_mask(i, 7), ops.sequence_mask(i)", lambda i: (np.arange(7) < i[:, None], np.arange(i.max()) < i[:, None]), i="I(n)"),
    no("ops.UniqueWithPad()(i, 9)[0]", lambda i: np.array(list(dict.fromkeys(i)) + [9] * (len(i) - len(set(i)))), i="I(n, below=3)"),
    no("ops.unravel_index(i, (2, 4)), ops.cartesian_prod(i, i)", lambda i: (np.array(np.unravel_index(i, (2, 4))), np.stack([v.ravel() for v in np.meshgrid(i, i, indexing="ij")], 1)), i="I(n)"),
    no("ops.ConfusionMatrix(3)(i, i)", lambda i: np.diag(np.bincount(i, minlength=3)), i="I(n, below=3)"),
    Row("ops.cov(x), ops.corrcoef(x)", lambda x: (np.cov(x), np.corrcoef(x)), x=X),
    Row("ops.kthvalue(x, 2), ops.msort(x), ops.quantile(x, 0.3, 1), ops.quantile(x, 0.5)", lambda x: (np.sort(x)[:, 1], np.argsort(x)[:, 1], np.sort(x, 0), np.quantile(x, 0.3, 1), np.quantile(x, 0.5)), x=X),
    Row("ops.EuclideanNorm()(x, 1), ops.SquareSumAll()(x, x), ops.MulNoNan()(x, x)", lambda x: (np.linalg.norm(x, axis=1), (x * x).sum(), (x * x).sum(), x * x), x=X),
    Row("ops.CumulativeLogsumexp(reverse=True)(x, 1)", lambda x: np.log(np.cumsum(np.exp(x)[:, ::-1], 1))[:, ::-1], x=X),
    Row("ops.rms_norm(x, y)[0], ops.vecdot(x, x), ops.pdist(x)", lambda x, y: (x / np.sqrt((x * x).mean(1, keepdims=True) + 1e-6) * y, (x * x).sum(1), np.array([np.linalg.norm(x[a] - x[b]) for a in range(len(x)) for b in range(a + 1, len(x))])), x=X, y="P(3)"),
    Row("ops.renorm(x, 2, 0, 0.5)", lambda x: x * np.minimum(1, 0.5 / (np.linalg.norm(x, axis=1, keepdims=True) + 1e-7)), x="P(n, 3) + 0.3"),
    Row("ops.poisson_nll_loss(x, y), ops.multilabel_soft_margin_loss(x, y)", lambda x, y: ((np.exp(x) - y * x).mean(), (np.log1p(np.exp(x)) - y * x).mean()), x=X, y="P(n, 3) / 2"),
    Row("ops.swiglu(x), ops.embedding(i, y)", lambda x, y, i: (x[:, :1] / (1 + np.exp(-x[:, :1])) * x[:, 1:], y[i]), x="F(n, 2)", y=Y, i="I(2, 2, below=3)"),
    Row("ops.inplace_update(x, y, (0, 1)), ops.inplace_add(x, y, (1, 1)), ops.inplace_sub(x, y[:1], 2)", lambda x, y: (np.concatenate([y, x[2:]]), np.concatenate([x[:1], x[1:2] + y.sum(0), x[2:]]), np.concatenate([x[:2], x[2:3] - y[:1], x[3:]])), x=X, y="P(2, 3)"),
]  # fmt: skip


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_values(row: Row) -> None:
    check_values(row)


@pytest.mark.parametrize(("k", "row"), [(k, row) for k, row in enumerate(ROWS) if row.gradient], ids=str)
def test_gradients(k: int, row: Row) -> None:
    check_gradients(row, EXTENTS[: 1 if k % 4 else 2])  # run-time shapes for every fourth, to save time


@pytest.mark.parametrize("compiled", [False, True])
def test_steps_of_optimisers(compiled: bool) -> None:
    start, grad = np.arange(3.0) + 1, np.array([0.5, -1.0, 2.0])

    def momentum(w: Any, m: Any, g: Any) -> Any:
        ops.ApplyMomentum()(w, m, 0.1, g, 0.9)
        return w

    w, m = Parameter(Tensor(start)), Parameter(Tensor(np.ones(3)))
    require_close((jit(momentum) if compiled else momentum)(w, m, Tensor(grad)), start - 0.1 * (0.9 + grad))
    require_close(m, 0.9 + grad)

    def adam(w: Any, m: Any, v: Any, g: Any) -> Any:
        ops.Adam()(w, m, v, 0.9, 0.999, 0.1, 0.9, 0.999, 1e-8, g)
        return w

    w, m, v = (Parameter(Tensor(a)) for a in (start, np.zeros(3), np.zeros(3)))
    require_close((jit(adam) if compiled else adam)(w, m, v, Tensor(grad)), start - 0.1 * np.sign(grad), 1e-6)
    require_close(v, 0.001 * grad**2)


@pytest.mark.parametrize("compiled", [False, True])
def test_functions_of_pythons_values(compiled: bool) -> None:
    def use(x: Any, a: Any, b: Any) -> Any:
        F = ops.functional if False else ops
        total = F.scalar_add(a, F.scalar_mul(b, 2)) - F.scalar_floordiv(b, 2)
        items = F.make_tuple(a, b, x)
        listed = F.list_append(F.make_list(1, 2), 3)
        made = F.make_dict(("p", "q"), (x, x * 2))
        flags = (
            F.bool_and(F.scalar_gt(b, a), F.bool_not(F.in_list(5, listed))),
            F.is_(None, None),
            F.isinstance_(a, int),
        )
        return (
            total,
            F.tuple_getitem(items, 2),
            F.tuple_len(items),
            listed,
            F.dict_values(made),
            flags,
            F.tuple_reversed((1, 2)),
        )

    x = Tensor(np.arange(3.0))
    total, item, length, listed, values, flags, back = (jit(use) if compiled else use)(x, 3, 5)
    assert (total, length, list(listed), flags, back) == (11, 3, [1, 2, 3], (True, True, True), (2, 1))
    require_close((item, values), (np.arange(3.0), (np.arange(3.0), np.arange(3.0) * 2)))


def test_attributes_of_primitives() -> None:
    add = ops.Add().add_prim_attr("primitive_target", "CPU").set_device("CPU").shard(((1,), (1,)))
    require_close(add(Tensor(np.ones(2)), 1.0), np.full(2, 2.0))
