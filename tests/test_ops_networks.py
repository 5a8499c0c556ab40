"""MindSpore's operators of networks, losses, new Tensors and state, and the methods of Tensors, in both modes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from operator_rows import EXTENTS, Row, check_gradients, check_values, require_close

import jitcore
from jitcore import Parameter, Tensor, jit, ops

pytestmark = pytest.mark.usefixtures("strict")


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


def sigmoid(x: Any) -> Any:
    return 1 / (1 + np.exp(-x))


def log_softmax(x: Any) -> Any:
    return x - np.log(np.exp(x).sum(-1, keepdims=True))


def bce(x: Any, t: Any) -> Any:
    return -(t * np.log(x) + (1 - t) * np.log(1 - x))


X, Y = "F(n, 3)", "P(n, 3)"

LOSSES = [
    Row("ops.SoftmaxCrossEntropyWithLogits()(x, y)[0]", lambda x, y: -(log_softmax(x) * y).sum(-1), x=X, y="P(n, 3) / 2"),
    no("ops.SoftmaxCrossEntropyWithLogits()(x, y)[1]", lambda x, y: np.exp(log_softmax(x)) - y, x=X, y="P(n, 3) / 2"),
    Row("ops.SparseSoftmaxCrossEntropyWithLogits()(x, i)", lambda x, i: -np.take_along_axis(log_softmax(x), i[:, None], 1).mean(), x=X, i="I(n, below=3)"),
    Row("ops.SigmoidCrossEntropyWithLogits()(x, y)", lambda x, y: bce(sigmoid(x), y), x=X, y="P(n, 3) / 2"),
    Row("ops.binary_cross_entropy_with_logits(x, y, w, p)", lambda x, y, w, p: (w * -(p * y * np.log(sigmoid(x)) + (1 - y) * np.log(1 - sigmoid(x)))).mean(), x=X, y="P(n, 3) / 2", w="P(3)", p="P(3)"),
    Row("ops.BCEWithLogitsLoss('sum')(x, y, w, w)", lambda x, y, w: (w * -(w * y * np.log(sigmoid(x)) + (1 - y) * np.log(1 - sigmoid(x)))).sum(), x=X, y="P(n, 3) / 2", w="P(3)"),
    Row("ops.BinaryCrossEntropy('none')(x, y)", bce, x="P(n, 3) / 2", y="P(n, 3) / 3"),
    Row("ops.KLDivLoss('sum')(x, y), ops.kl_div(x, y, 'batchmean')", lambda x, y: ((y * (np.log(y) - x)).sum(), (y * (np.log(y) - x)).sum() / len(x)), x=X, y=Y),
    Row("ops.NLLLoss()(x, i, w)", lambda x, i, w: (-(x[np.arange(len(i)), i] * w[i]).sum() / w[i].sum(), w[i].sum()), x=X, i="I(n, below=3)", w="P(3)"),
    Row("ops.SmoothL1Loss(0.5)(x, y), ops.huber_loss(x, y, 'none', 0.5)", lambda x, y: (np.where(np.abs(x - y) < 0.5, (x - y) ** 2, np.abs(x - y) - 0.25), 0.5 * np.where(np.abs(x - y) < 0.5, (x - y) ** 2, np.abs(x - y) - 0.25)), x=X, y=Y),
    Row("ops.soft_margin_loss(x, y), ops.margin_ranking_loss(x, y, y, 0.1, 'sum')", lambda x, y: (np.log1p(np.exp(-x * y)).mean(), np.maximum(0, -y * (x - y) + 0.1).sum()), x=X, y=Y),
    Row("ops.hinge_embedding_loss(x, t), ops.cosine_embedding_loss(x, x * x, t[:, 0])", lambda x, t: (np.where(t > 0, x, np.maximum(0, 1 - x)).mean(), np.where(t[:, 0] > 0, 1 - _cosine(x), np.maximum(0, _cosine(x))).mean()), x=Y, t="np.sign(F(n, 3))"),
    Row("ops.triplet_margin_loss(x, y, x * 2, 1.5)", lambda x, y: np.maximum(0, np.linalg.norm(x - y + 1e-6, axis=-1) - np.linalg.norm(x - 2 * x + 1e-6, axis=-1) + 1.5).mean(), x=X, y=Y),
    Row("ops.gaussian_nll_loss(x, y, y), ops.mse_loss(x, y), ops.l1_loss(x, y)", lambda x, y: (0.5 * (np.log(y) + (x - y) ** 2 / y).mean(), ((x - y) ** 2).mean(), np.abs(x - y).mean()), x=X, y=Y),
    Row("ops.multi_margin_loss(x, i)", lambda x, i: (np.maximum(0, 1 - x[np.arange(len(i)), i][:, None] + x) * (np.arange(3) != i[:, None])).mean(), x=X, i="I(n, below=3)"),
    Row("ops.cross_entropy(x, i), ops.nll_loss(x, i)", lambda x, i: (-np.take_along_axis(log_softmax(x), i[:, None], 1).mean(), -np.take_along_axis(x, i[:, None], 1).mean()), x=X, i="I(n, below=3)"),
]  # fmt: skip


def _cosine(x: Any) -> Any:
    return (x * x * x).sum(-1) / np.linalg.norm(x, axis=-1) / np.linalg.norm(x * x, axis=-1)


def _conv(x: Any, w: Any) -> Any:
    windows = np.lib.stride_tricks.sliding_window_view(x, w.shape[2:], (2, 3))
    return np.einsum("nchwij,ocij->nohw", windows, w)


def _windows(x: Any, size: int) -> Any:
    return np.lib.stride_tricks.sliding_window_view(x, (size, size), (2, 3))[:, :, ::size, ::size]


IMAGE = "F(n, 2, 6, 4)"
NETWORKS = [
    Row("ops.Conv2D(3, 2)(x, w), ops.conv2d(x, w, b)", lambda x, w, b: (_conv(x, w), _conv(x, w) + b[:, None, None]), x="F(n, 2, 4, 4)", w="F(3, 2, 2, 2)", b="F(3)"),
    Row("ops.Conv2D(3, 2, pad_mode='pad', pad=1)(x, w)", lambda x, w: _conv(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), w), x="F(n, 2, 4, 4)", w="F(3, 2, 2, 2)"),
    Row("ops.Conv2DBackpropInput(2, 2)(x, w, (n, 2, 4, 4))", lambda x, w, n: _conv(np.pad(x, ((0, 0), (0, 0), (1, 1), (1, 1))), w[:, :, ::-1, ::-1].swapaxes(0, 1)), x="F(n, 3, 3, 3)", w="F(3, 2, 2, 2)", n="n"),
    Row("ops.conv1d(x, w)", lambda x, w: _conv(x[:, :, None], w[:, :, None])[:, :, 0], x="F(n, 2, 5)", w="F(3, 2, 2)"),
    Row("ops.MaxPool(2, 2)(x), ops.max_pool2d(x, 2), ops.AvgPool(2, 2)(x), ops.avg_pool2d(x, 2, 2)", lambda x: (*[_windows(x, 2).max((-1, -2))] * 2, *[_windows(x, 2).mean((-1, -2))] * 2), x=IMAGE),
    Row("ops.avg_pool1d(x, 2, 2), ops.adaptive_avg_pool1d(x, 2)", lambda x: (x.reshape(-1, 2, 2, 2).mean(-1),) * 2, x="F(n, 2, 4)"),
    Row("ops.adaptive_avg_pool2d(x, (3, 2)), ops.AdaptiveAvgPool2D(1)(x), ops.adaptive_max_pool2d(x, 1)", lambda x: (_windows(x, 2).mean((-1, -2)), x.mean((2, 3), keepdims=True), x.max((2, 3), keepdims=True)), x=IMAGE),
    Row("ops.batch_norm(x, m, v, g, b)", lambda x, m, v, g, b: (x - m) / np.sqrt(v + 1e-5) * g + b, x=X, m="F(3)", v="P(3)", g="P(3)", b="F(3)"),
    Row("ops.BatchNorm()(x, g, b, m, v)[0]", lambda x, m, v, g, b: (x - m) / np.sqrt(v + 1e-5) * g + b, x=X, m="F(3)", v="P(3)", g="P(3)", b="F(3)"),
    Row("ops.layer_norm(x, (3,), g, b), ops.LayerNorm()(x, g, b)[0]", lambda x, g, b: tuple((x - x.mean(1, keepdims=True)) / np.sqrt(x.var(1, keepdims=True) + eps) * g + b for eps in (1e-5, 1e-7)), x=X, g="P(3)", b="F(3)"),
    Row("ops.group_norm(x, 2)", lambda x: ((y := x.reshape(len(x), 2, -1)) - y.mean(2, keepdims=True)).__truediv__(np.sqrt(y.var(2, keepdims=True) + 1e-5)).reshape(x.shape), x="F(n, 4, 3)"),
    Row("ops.lrn(x, 1, 1.0, 0.5, 0.5)", lambda x: x / np.sqrt(1 + 0.5 * sum(np.pad(x * x, ((0, 0), (1, 1), (0, 0), (0, 0)))[:, k : k + 2] for k in range(3))), x=IMAGE),
    Row("ops.Pad(((1, 0), (0, 2)))(x), ops.pad(x, (1, 2)), ops.pad(x, (0, 1, 2, 0), value=1.5)", lambda x: (np.pad(x, ((1, 0), (0, 2))), np.pad(x, ((0, 0), (1, 2))), np.pad(x, ((2, 0), (0, 1)), constant_values=1.5)), x=X),
    Row("ops.pad(x, (1, 2), 'reflect'), ops.pad(x, (1, 2), mode='replicate'), ops.pad(x, (1, 2), 'circular'), ops.pad(x, (-1, 0))", lambda x: (np.pad(x, ((0, 0), (1, 2)), "reflect"), np.pad(x, ((0, 0), (1, 2)), "edge"), np.pad(x, ((0, 0), (1, 2)), "wrap"), x[:, 1:]), x=X),
    Row("ops.MirrorPad('SYMMETRIC')(x, ((0, 0), (1, 2)))", lambda x: np.pad(x, ((0, 0), (1, 2)), "symmetric"), x=X),
    Row("ops.unfold(x, 2, stride=2)", lambda x: _windows(x, 2).transpose(0, 1, 4, 5, 2, 3).reshape(len(x), 8, -1), x=IMAGE),
    Row("ops.interpolate(x, (3, 8)), ops.ResizeNearestNeighbor((3, 8))(x)", lambda x: (x[:, :, ::2].repeat(2, 3),) * 2, x=IMAGE),
    Row("ops.BiasAdd()(x, b), ops.Flatten()(x), ops.dense(x, w, b[:2])", lambda x, b, w: (x + b, x, x @ w.T + b[:2]), x=X, b="F(3)", w="F(2, 3)"),
    no("ops.intopk(x, i, 2)", lambda x, i: (x > np.take_along_axis(x, i[:, None], 1)).sum(1) < 2, x=X, i="I(n, below=3)"),
]  # fmt: skip

METHODS = [
    Row("x.max(1), x.min(0, True), x.max(), x.sum(1, keepdims=True), x.sum(0, initial=1.0)", lambda x: (x.max(1), x.min(0, keepdims=True), x.max(), x.sum(1, keepdims=True), x.sum(0) + 1), x=X),
    Row("x.max(0, return_indices=True)", lambda x: (x.max(0), x.argmax(0)), x=X),
    no("x.argmax(1), x.argmin(), x.any(1), x.all()", lambda x: (x.argmax(1), x.argmin(), x.any(1), x.all()), x=X),
    Row("x.std(0), x.var(1, 1, True), x.cumsum(0), x.cumprod(1), x.norm(), x.ptp(0)", lambda x: (x.std(0), x.var(1, ddof=1, keepdims=True), np.cumsum(x, 0), np.cumprod(x, 1), np.linalg.norm(x), np.ptp(x, 0)), x=X),
    no("x.int(), x.long(), x.bool(), x.half(), x.to(ms.float32), x.astype(ms.int8), x.type_as(i)", lambda x, i: (x.astype(np.int32), x.astype(np.int64), x.astype(bool), x.astype(np.float16), x.astype(np.float32), x.astype(np.int8), x.astype(np.int64)), x=X, i="I(2)"),
    Row("x.view(-1), x.view(3, -1), x.permute(1, 0), x.transpose(), x.T, x.unsqueeze(0), x.expand_as(y), x.view_as(x)", lambda x, y: (x.ravel(), x.reshape(3, -1), x.T, x.T, x.T, x[None], np.broadcast_to(x, y.shape), x), x=X, y="P(2, n, 3)"),
    no("x.new_zeros((2, 3)), x.new_ones(2), x.new_full((2,), 3), x.fill(2)", lambda x: (np.zeros((2, 3)), np.ones(2), np.full(2, 3.0), np.full(x.shape, 2.0)), x=X),
    Row("x.itemset((0, 1), 5.0), x.itemset(2, 7.0)", lambda x: (_with(x, (0, 1), 5.0), _with(x, (0, 2), 7.0)), x=X),
    Row("x.clip(-0.5, 0.5), x.masked_fill(x > 0, 1.0), x.select(x > 0, y), x.where(x > 0, y), x.clone(), x.detach() * 0.0", lambda x, y: (np.clip(x, -0.5, 0.5), np.where(x > 0, 1.0, x), np.where(x > 0, x, y), np.where(x > 0, x, y), x, x * 0), x=X, y=Y),
    Row("x.add(y), x.sub(y), x.mul(y), x.div(y), x.pow(2), x.matmul(y.T), x.abs(), x.exp(), x.log1p(), x.mT", lambda x, y: (x + y, x - y, x * y, x / y, x**2, x @ y.T, np.abs(x), np.exp(x), np.log1p(x), x.T), x="P(n, 3)", y=Y),
    no("i.choose([i, i + 10, i * 2])", lambda i: np.choose(i, [i, i + 10, i * 2]), i="I(n, below=3)"),
    no("ops.zeros((2, 3)), ops.ones(2, ms.int32), ops.full((2,), 1.5), ops.fill(ms.float64, (2, 2), 3), ops.eye(2, 3), ops.Eye()(2, 2, ms.int32)", lambda i: (np.zeros((2, 3)), np.ones(2, int), np.full(2, 1.5), np.full((2, 2), 3.0), np.eye(2, 3), np.eye(2, dtype=int)), i="I(n)"),
    no("ops.arange(1, 7, 2), ops.Range()(Tensor(0, ms.int32), Tensor(5, ms.int32), Tensor(2, ms.int32)), ops.linspace(0.0, 1.0, 5), ops.LinSpace()(Tensor(0.0), Tensor(1.0), 3), ops.logspace(0, 2, 3)", lambda i: (np.arange(1, 7, 2), np.arange(0, 5, 2), np.linspace(0, 1, 5), np.linspace(0, 1, 3), np.logspace(0, 2, 3)), i="I(n)"),
    no("ops.zeros_like(x), ops.OnesLike()(x), ops.full_like(x, 2), ops.tril_indices(3, 3), ops.triu_indices(2, 3, 1), ops.vander(x[0], 3)", lambda x: (np.zeros_like(x), np.ones_like(x), np.full_like(x, 2), np.array(np.tril_indices(3)), np.array(np.triu_indices(2, 1, 3)), np.vander(x[0], 3)), x=X),
    no("ops.ScalarToTensor()(2, ms.float64), ops.TupleToArray()((1, 2, 3)), ops.OneHot()(i, 4, Tensor(1.0), Tensor(0.0)), ops.one_hot(i, 4)", lambda i: (np.array(2.0), np.array([1, 2, 3]), np.eye(4)[i], np.eye(4, dtype=int)[i]), i="I(n, below=4)"),
    Row("ops.Identity()(x), ops.Depend()(x, y), ops.Cast()(x, ms.float64), ops.stop_gradient(y)", lambda x, y: (x, x, x, y), x=X, y="I(n, 3)"),
]  # fmt: skip


def _with(x: Any, key: Any, value: float) -> Any:
    out = x.copy()
    out[key] = value
    return out


ROWS = [*LOSSES, *NETWORKS, *METHODS]


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_values(row: Row) -> None:
    check_values(row)


@pytest.mark.parametrize(("k", "row"), [(k, row) for k, row in enumerate(ROWS) if row.gradient], ids=str)
def test_gradients(k: int, row: Row) -> None:
    check_gradients(row, EXTENTS[: 1 if k % 4 else 2])  # run-time shapes for every fourth, to save time


# --- in place ---------------------------------------------------------------------------------------


IN_PLACE = [
    ("ops.scatter_update(p, i, u)", "update"),
    ("ops.ScatterAdd()(p, i, u)", "add"),
    ("ops.scatter_sub(p, i, u)", "sub"),
    ("ops.ScatterMul()(p, i, u)", "mul"),
    ("ops.scatter_div(p, i, u)", "div"),
    ("ops.scatter_max(p, i, u)", "max"),
    ("ops.ScatterMin()(p, i, u)", "min"),
    ("ops.scatter_nd_update(p, ops.expand_dims(i, 1), u)", "update"),
    ("ops.ScatterNdAdd()(p, ops.expand_dims(i, 1), u)", "add"),
    ("ops.scatter_nd_max(p, ops.expand_dims(i, 1), u)", "max"),
]


@pytest.mark.parametrize("compiled", [False, True])
@pytest.mark.parametrize(("text", "op"), IN_PLACE)
def test_scatter_changes_the_parameter(text: str, op: str, compiled: bool) -> None:
    start = np.arange(12.0).reshape(4, 3) + 1
    indices, updates = np.array([2, 0, 2]), np.arange(9.0).reshape(3, 3) + 0.5
    wanted = start.copy()
    if op == "update":
        wanted[indices] = updates
    else:
        ufunc = {
            "add": np.add,
            "sub": np.subtract,
            "mul": np.multiply,
            "div": np.divide,
            "max": np.maximum,
            "min": np.minimum,
        }[op]
        ufunc.at(wanted, indices, updates)
    row = Row(text, lambda *_: None, p="", i="", u="")
    function = row.function()
    parameter = Parameter(Tensor(start))
    made = (jit(function) if compiled else function)(parameter, Tensor(indices), Tensor(updates))
    require_close(parameter, wanted)
    require_close(made, wanted)


@pytest.mark.parametrize("compiled", [False, True])
def test_assignments_and_methods_in_place(compiled: bool) -> None:
    def change(p: Any, x: Any) -> Any:
        ops.Assign()(p, x)
        ops.assign_add(p, x)
        ops.AssignSub()(p, x * 0.5)
        p.mul_(2.0)
        return p.sum()

    def clear(x: Any) -> Any:
        x.zero_()
        return x.add_(1.0)

    parameter, x = Parameter(Tensor(np.zeros(3))), Tensor(np.arange(3.0))
    assert float((jit(change) if compiled else change)(parameter, x).asnumpy()) == 9.0
    require_close(parameter, np.arange(3.0) * 3)
    require_close((jit(clear) if compiled else clear)(x), np.ones(3))
    require_close(x, np.ones(3))


@pytest.mark.parametrize("compiled", [False, True])
def test_training_batch_norm_moves_the_statistics(compiled: bool) -> None:
    x = np.random.default_rng(0).normal(size=(6, 3))

    def norm(x: Any, mean: Any, var: Any, one: Any, zero: Any) -> Any:
        return ops.batch_norm(x, mean, var, one, zero, True)

    mean, var = Parameter(Tensor(np.zeros(3))), Parameter(Tensor(np.ones(3)))
    made = (jit(norm) if compiled else norm)(Tensor(x), mean, var, Tensor(np.ones(3)), Tensor(np.zeros(3)))
    require_close(made, (x - x.mean(0)) / np.sqrt(x.var(0) + 1e-5))
    require_close(mean, 0.1 * x.mean(0), 1e-6)
    require_close(var, 0.9 + 0.1 * x.var(0, ddof=1), 1e-6)


# --- errors and sets-up -------------------------------------------------------------------------------


ERRORS = [
    ("ops.AddN()([])", ValueError), ("ops.div(x, x, rounding_mode='up')", ValueError), ("ops.clip_by_value(x)", ValueError),
    ("ops.masked_fill(x, x, 1.0)", TypeError), ("ops.masked_select(x, x)", TypeError), ("ops.MatMul()(x[0], x)", ValueError),
    ("ops.mm(x, x[0])", ValueError), ("ops.topk(x, 7)", ValueError), ("ops.split(x, 0)", ValueError),
    ("ops.tensor_scatter_elements(x, x, x, 0, 'no')", ValueError), ("ops.pad(x, (1, 2, 3))", ValueError),
    ("ops.pad(x, (9, 9), 'reflect')", ValueError), ("ops.einsum('ij,jk', x)", ValueError), ("ops.diagonal(x, 0, 1, 1)", ValueError),
    ("ops.reduce_sum(x, 5)", ValueError), ("ops.gather(x, Tensor([9]), 0)", IndexError), ("ops.Shape()(3)", TypeError),
    ("ops.slice(x, (0, 0), (9, 9))", ValueError), ("ops.batch_dot(x[0], x)", ValueError), ("ops.cross(x[:, :2], x[:, :2])", ValueError),
]  # fmt: skip


@pytest.mark.parametrize(("text", "error"), ERRORS)
def test_errors(text: str, error: type[Exception]) -> None:
    function = Row(text, lambda *_: None, x="").function()
    for call in (function, jit(function)):
        with pytest.raises(error):
            call(Tensor(np.ones((2, 4))))


def test_primitives_know_their_parameters() -> None:
    matmul = ops.MatMul(transpose_b=True)
    assert matmul.name == "MatMul"
    assert matmul.transpose_b is True
    assert matmul.transpose_a is False
    with pytest.raises(TypeError):
        ops.MatMul(turned=True)
    assert ops.ReduceSum(keep_dims=True).keep_dims is True
    assert ops.functional.addcmul is ops.addcmul
    assert ops.primitives.Addcmul is ops.Addcmul


def test_dtypes_of_results() -> None:
    x = Tensor(np.ones((2, 3), np.float32))
    assert ops.Argmax()(x).dtype is jitcore.int32
    assert ops.ArgMaxWithValue()(x)[0].dtype is jitcore.int32
    assert ops.sort(x)[1].dtype is jitcore.int32
    assert ops.topk(x, 1)[1].dtype is jitcore.int32
    assert ops.count_nonzero(x).dtype is jitcore.int32
    assert ops.erfinv(x * 0.5).dtype is jitcore.float32
    assert ops.nonzero(x).dtype is jitcore.int64
    assert x.float().dtype is jitcore.float32
    assert x.half().dtype is jitcore.float16
    assert ops.arange(3).dtype is jitcore.int64
    assert ops.linspace(0, 1, 3).dtype is jitcore.float32
