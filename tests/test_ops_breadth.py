"""MindSpore's operators: values by NumPy, in both modes and with run-time shapes; gradients by finite differences."""

from __future__ import annotations

import numpy as np
import pytest
from grouped import grouped
from operator_rows import EXTENTS, Row, check_gradients, check_values

pytestmark = pytest.mark.usefixtures("strict")


X, Y, N = "F(n, 3)", "P(n, 3)", "I(n, 3)"


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


def _scattered(x, i, u, op):  # type: ignore[no-untyped-def]
    out = x.copy()
    op.at(out, tuple(np.moveaxis(i, -1, 0)), u)
    return out


def _put(x, i, u):  # type: ignore[no-untyped-def]
    out = x.copy()
    out[tuple(np.moveaxis(i, -1, 0))] = u
    return out


ARITHMETIC = [
    Row("ops.div(x, y)", lambda x, y: x / y, x=X, y=Y),
    no("ops.div(x, y, rounding_mode='floor')", lambda x, y: x // y, x=X, y=Y),
    no("ops.div(x, y, rounding_mode='trunc')", lambda x, y: np.trunc(x / y), x=X, y=Y),
    no("ops.TruncateDiv()(x, y)", lambda x, y: np.trunc(x / y).astype(int), x="I(n, 3) - 3", y="I(n, 3) % 3 - 4"),
    no("ops.TruncateMod()(x, y)", np.fmod, x="I(n, 3) - 3", y="I(n, 3) % 3 - 4"),
    no("ops.FloorMod()(x, y)", np.mod, x="I(n, 3) - 3", y="I(n, 3) % 3 - 4"),
    Row("ops.DivNoNan()(x, y)", lambda x, y: np.where(y == 0, 0, x / np.where(y == 0, 1, y)), x=X, y="P(n, 3)"),
    Row("ops.Xdivy()(x, y)", lambda x, y: x / y, x=X, y=Y),
    Row("ops.xlogy(x, y)", lambda x, y: x * np.log(y), x=X, y=Y),
    Row("ops.squared_difference(x, y)", lambda x, y: (x - y) ** 2, x=X, y="F(3)"),
    Row("ops.lerp(x, y, 0.3)", lambda x, y: x + 0.3 * (y - x), x=X, y=Y),
    Row("ops.addcmul(x, y, y, 0.5)", lambda x, y: x + 0.5 * y * y, x=X, y=Y),
    Row("ops.Addcdiv()(x, y, z, Tensor(0.5, ms.float64))", lambda x, y, z: x + 0.5 * y / z, x=X, y=Y, z="P(3)"),
    Row("ops.AddN()([x, y, x])", lambda x, y: 2 * x + y, x=X, y=Y),
    Row("ops.AccumulateNV2()((x, y))", lambda x, y: x + y, x=X, y=Y),
    no("ops.ApproximateEqual(0.5)(x, y)", lambda x, y: np.abs(x - y) < 0.5, x=X, y=Y),
    no("ops.isclose(x, y, 0.1, 0.2)", lambda x, y: np.isclose(x, y, 0.1, 0.2), x=X, y=Y),
    no("ops.Invert()(x)", np.invert, x=N),
    no("ops.BitwiseAnd()(x, y), ops.BitwiseOr()(x, y), ops.BitwiseXor()(x, y)", lambda x, y: (x & y, x | y, x ^ y), x=N, y="I(3)"),
    no("ops.LeftShift()(x, y), ops.RightShift()(x, y)", lambda x, y: (x << y, x >> y), x=N, y="I(3)"),
    no("ops.LogicalXor()(x, y)", np.logical_xor, x="B(n, 3)", y="B(3)"),
    Row("ops.erfc(x)", lambda x: np.vectorize(__import__("math").erfc)(x), x=X),
    Row("ops.erf(ops.erfinv(x))", lambda x: x, x="F(n, 3) * 0.7"),
    Row("ops.lgamma(x)", lambda x: np.vectorize(__import__("math").lgamma)(x), x=Y),
    Row("ops.digamma(x + 1) - ops.digamma(x)", lambda x: 1 / x, x=Y),
    Row("ops.exp2(x)", np.exp2, x=X),
    Row("ops.hypot(x, y)", np.hypot, x=X, y=Y),
    Row("ops.logaddexp(x, y), ops.logaddexp2(x, y)", lambda x, y: (np.logaddexp(x, y), np.logaddexp2(x, y)), x=X, y=Y),
    Row("ops.frac(x)", lambda x: x - np.trunc(x), x=X),
    Row("ops.sinc(x)", np.sinc, x=Y),
    Row("ops.logit(x)", lambda x: np.log(x / (1 - x)), x="P(n, 3) / 2"),
    Row("ops.copysign(x, y)", np.copysign, x=X, y=Y),
    no("ops.heaviside(x, y)", np.heaviside, x="np.rint(F(n, 3))", y="P(3)"),
    no("ops.Trunc()(x), ops.signbit(x)", lambda x: (np.trunc(x), np.signbit(x)), x=X),
    Row("ops.clip_by_value(x, -0.5, 0.5)", lambda x: np.clip(x, -0.5, 0.5), x=X),
    Row("ops.clamp(x, max=y)", np.minimum, x=X, y="P(3)"),
    Row("ops.clip_by_global_norm((x, y), 0.7)", lambda x, y: tuple(v * 0.7 / max(0.7, np.sqrt((x * x).sum() + (y * y).sum())) for v in (x, y)), x=X, y="F(2)"),
    Row("ops.clip_by_norm(x, 0.7)", lambda x: x * min(1, 0.7 / (np.linalg.norm(x) + 1e-6)), x=X),
    Row("ops.masked_fill(x, m, 2.5)", lambda x, m: np.where(m, 2.5, x), x=X, m="B(n, 3)"),
    Row("ops.Select()(m, x, y)", np.where, m="B(n, 3)", x=X, y=Y),
    Row("ops.nan_to_num(x)", np.nan_to_num, x=X),
    Row("ops.deg2rad(x), ops.rad2deg(x)", lambda x: (np.deg2rad(x), np.rad2deg(x)), x=X),
    Row("x.addcmul(y, y).div(y).xlogy(y)", lambda x, y: (x + y * y) / y * np.log(y), x=X, y=Y),
]  # fmt: skip


def _median(x):  # type: ignore[no-untyped-def]
    place = np.argsort(x, -1, kind="stable")[..., (x.shape[-1] - 1) // 2]
    return np.take_along_axis(x, place[..., None], -1)[..., 0], place


REDUCTIONS = [
    Row("ops.ReduceSum(True)(x, 0), ops.ReduceMean()(x, (0, 1)), ops.ReduceProd()(x)", lambda x: (x.sum(0, keepdims=True), x.mean(), x.prod()), x=X),
    Row("ops.ReduceMax(keep_dims=True)(x, -1), ops.ReduceMin()(x)", lambda x: (x.max(-1, keepdims=True), x.min()), x=X),
    no("ops.ReduceAny()(x, 1), ops.ReduceAll(True)(x)", lambda x: (x.any(1), x.all(keepdims=True)), x="B(n, 3)"),
    Row("x.mean(1, True), x.sum((0, 1)), x.prod(0, True)", lambda x: (x.mean(1, keepdims=True), x.sum(), x.prod(0, keepdims=True)), x=X),
    Row("ops.max(x, 1)", lambda x: (x.max(1), x.argmax(1)), x=X),
    Row("ops.min(x, 0, True)", lambda x: (x.min(0, keepdims=True), x.argmin(0, keepdims=True)), x=X),
    Row("ops.max(x)[0]", lambda x: x.max(), x=X),
    Row("ops.ArgMaxWithValue(1, True)(x)", lambda x: (x.argmax(1, keepdims=True), x.max(1, keepdims=True)), x=X),
    Row("ops.ArgMinWithValue()(x)", lambda x: (x.argmin(0), x.min(0)), x=X),
    no("ops.Argmax(0)(x), ops.Argmin(axis=1)(x), ops.argmax(x), ops.argmin(x, 0)", lambda x: (x.argmax(0), x.argmin(1), x.argmax(), x.argmin(0)), x=X),
    Row("ops.amax(x, 0), ops.amin(x, (0, 1), True)", lambda x: (x.max(0), x.min(keepdims=True)), x=X),
    Row("ops.aminmax(x, axis=0)", lambda x: (x.min(0), x.max(0)), x=X),
    no("ops.count_nonzero(x, 0)", lambda x: np.count_nonzero(x, 0), x=N),
    Row("ops.var(x, 0, 1), ops.std(x, axis=1, keepdims=True), ops.std_mean(x, 1)", lambda x: (x.var(0, ddof=1), x.std(1, keepdims=True), x.std(1), x.mean(1)), x=X),
    Row("ops.ReduceStd(axis=1)(x)", lambda x: (x.std(1, ddof=1), x.mean(1)), x=X),
    Row("ops.logsumexp(x, 1, True)", lambda x: np.log(np.exp(x).sum(1, keepdims=True)), x=X),
    Row("ops.norm(x), ops.norm(x, dim=1), ops.norm(x, 1, 0, True)", lambda x: (np.linalg.norm(x), np.linalg.norm(x, axis=1), np.abs(x).sum(0, keepdims=True)), x=X),
    Row("ops.LpNorm(1, 3)(x)", lambda x: (np.abs(x) ** 3).sum(1) ** (1 / 3), x=X),
    Row("ops.L2Loss()(x)", lambda x: (x * x).sum() / 2, x=X),
    Row("ops.median(x)", _median, x=X),
    Row("ops.CumSum(exclusive=True)(x, 0)", lambda x: np.cumsum(x, 0) - x, x=X),
    Row("ops.CumSum(reverse=True)(x, 1)", lambda x: np.cumsum(x[:, ::-1], 1)[:, ::-1], x=X),
    Row("ops.cumprod(x, 0), ops.CumProd()(x, 1)", lambda x: (np.cumprod(x, 0), np.cumprod(x, 1)), x=X),
    Row("ops.cumprod(x * m, 0)", lambda x, m: np.cumprod(x * m, 0), x=X, m="(I(n, 3) > 1).astype(float)"),
    Row("ops.CumProd(reverse=True)(x, 1)", lambda x: np.cumprod(x[:, ::-1], 1)[:, ::-1], x=X),
    Row("ops.CumProd(True)(x, 0)", lambda x: np.concatenate([np.ones((1, 3)), np.cumprod(x, 0)[:-1]]), x=X),
    Row("ops.CumProd(True, True)(x, 1)", lambda x: np.concatenate([np.cumprod(x[:, ::-1], 1)[:, -2::-1], np.ones((len(x), 1))], 1), x=X),
    Row("ops.cummax(x, 0)[0], ops.cummin(x, 1)[0]", lambda x: (np.maximum.accumulate(x, 0), np.minimum.accumulate(x, 1)), x=X),
    Row("ops.logcumsumexp(x, 1)", lambda x: np.log(np.cumsum(np.exp(x), 1)), x=X),
    no("ops.bincount(x, minlength=3)", lambda x: np.bincount(x, minlength=3), x="I(n)"),
    Row("ops.bincount(i, x)", lambda i, x: np.bincount(i, x), i="I(n)", x="F(n)"),
    Row("ops.cosine_similarity(x, y)", lambda x, y: (x * y).sum(1) / np.linalg.norm(x, axis=1) / np.linalg.norm(y, axis=1), x=X, y=Y),
    Row("ops.dist(x, y, 3)", lambda x, y: (np.abs(x - y) ** 3).sum() ** (1 / 3), x=X, y=Y),
    Row("ops.cdist(x, y)", lambda x, y: np.linalg.norm(x[:, None] - y[None], axis=-1), x=X, y="P(2, 3)"),
]  # fmt: skip

SHAPES = [
    Row("ops.flatten(x), x.flatten(), x.flatten('F')", lambda x: (x.reshape(len(x), -1), x.ravel(), x.ravel("F")), x="F(n, 3, 2)"),
    Row("ops.expand(x, -1, n, -1)", lambda x, n: np.broadcast_to(x, (len(x), n, 3)), x="F(n, 1, 3)", n="5"),
    Row("ops.BroadcastTo((-1, 3))(x)", lambda x: np.broadcast_to(x, (len(x), 3)), x="F(n, 1)"),
    Row("ops.diagonal(x, 1, 2, 0)", lambda x: np.diagonal(x, 1, 2, 0), x="F(n, 3, 2)"),
    Row("ops.diag(x), ops.DiagPart()(ops.Diag()(x))", lambda x: (np.diag(x), x), x="F(n)"),
    Row("ops.diag(x)", lambda x: np.diag(x.ravel()).reshape(*x.shape, *x.shape), x="F(n, 3)"),
    Row("ops.diag_embed(x), ops.diag_embed(x, 1)[0], ops.diag_embed(x, -2)[0]", lambda x: (np.stack([np.diag(r) for r in x]), np.diag(x[0], 1), np.diag(x[0], -2)), x=X),
    Row("ops.tril(x, -1), ops.triu(x, 1), ops.Tril(1)(x)", lambda x: (np.tril(x, -1), np.triu(x, 1), np.tril(x, 1)), x="F(n, n)"),
    Row("ops.slice(x, (1, 0), (2, -1)), ops.Slice()(x, [0, 1], [3, 2])", lambda x: (x[1:3], x[:3, 1:3]), x=X),
    Row("ops.strided_slice(x, (0, 2), (3, 0), (2, -1)), ops.StridedSlice(begin_mask=1, shrink_axis_mask=2)(x, (1, 1), (3, 2), (1, 1))", lambda x: (x[0:3:2, 2:0:-1], x[:3, 1]), x=X),
    Row("ops.narrow(x, 1, 1, 2)", lambda x: x[:, 1:3], x=X),
    Row("ops.Concat(1)((x, y)), ops.cat([x, x]), ops.Stack(-1)([x, y])", lambda x, y: (np.concatenate([x, y], 1), np.concatenate([x, x]), np.stack([x, y], -1)), x=X, y=Y),
    Row("ops.Unstack(1)(x)", lambda x: tuple(x.T), x=X),
    Row("ops.Split(1, 2)(x), ops.split(x, 2, 1), x.split([1, 3], 1), ops.chunk(x, 3, 1)", lambda x: (*np.split(x, 2, 1), *np.split(x, 2, 1), *np.split(x, [1], 1), x[:, :2], x[:, 2:]), x="F(n, 4)"),
    Row("ops.tensor_split(x, 2, 1), ops.hsplit(x, [1]), ops.vsplit(x, [2])", lambda x: (*np.array_split(x, 2, 1), *np.hsplit(x, [1]), *np.vsplit(x, [2])), x=X),
    Row("ops.hstack((x, y)), ops.vstack((x, y)), ops.dstack((x, y))", lambda x, y: (np.hstack((x, y)), np.vstack((x, y)), np.dstack((x, y))), x=X, y=Y),
    Row("ops.block_diag(x, y)", lambda x, y: np.block([[x, np.zeros((len(x), 2))], [np.zeros((1, 3)), y]]), x=X, y="F(1, 2)"),
    Row("ops.tile(x, (2, 1, 2)), x.tile((2, 2))", lambda x: (np.tile(x, (2, 1, 2)), np.tile(x, (2, 2))), x=X),
    Row("ops.repeat_elements(x, 2, 1), ops.repeat_interleave(x, 2), x.repeat(2, 0)", lambda x: (x.repeat(2, 1), x.repeat(2), x.repeat(2, 0)), x=X),
    Row("ops.repeat_interleave(x, [1, 0, 3], 1)", lambda x: x.repeat([1, 0, 3], 1), x=X),
    Row("ops.flip(x, (1,)), ops.ReverseV2([0])(x), ops.fliplr(x), ops.flipud(x)", lambda x: (x[:, ::-1], x[::-1], x[:, ::-1], x[::-1]), x=X),
    Row("ops.ReverseSequence(1)(x, i)", lambda x, i: np.stack([np.concatenate([r[:k][::-1], r[k:]]) for r, k in zip(x, i, strict=True)]), x=X, i="I(n) % 4"),
    Row("ops.roll(x, 1), ops.roll(x, (1, -1), (0, 1)), ops.Roll(2, 0)(x)", lambda x: (np.roll(x, 1), np.roll(x, (1, -1), (0, 1)), np.roll(x, 2, 0)), x=X),
    Row("ops.rot90(x, 1, (0, 1)), ops.rot90(x, 2, [1, 0])", lambda x: (np.rot90(x), np.rot90(x, 2)), x=X),
    Row("ops.DepthToSpace(2)(ops.SpaceToDepth(2)(x))", lambda x: x, x="F(n, 2, 4, 6)"),
    Row("ops.pixel_shuffle(x, 2), ops.pixel_unshuffle(ops.pixel_shuffle(x, 2), 2)", lambda x: (x.reshape(-1, 1, 2, 2, 2, 3).transpose(0, 1, 4, 2, 5, 3).reshape(-1, 1, 4, 6), x), x="F(n, 4, 2, 3)"),
    Row("ops.swapaxes(x, 0, 1), ops.movedim(x, 0, 1), ops.transpose(x, (1, 0)), x.permute(1, 0)", lambda x: (x.T,) * 4, x=X),
    Row("ops.squeeze(x, 1), ops.ExpandDims()(x, 0), x.unsqueeze(-1)", lambda x: (x[:, 0], x[None], x[..., None]), x="F(n, 1)"),
    no("ops.TensorShape()(x)", lambda x: np.array(x.shape), x=X),
    Row("ops.kron(x, y)", np.kron, x=X, y="F(2, 2)"),
    Row("ops.meshgrid(x, y), ops.meshgrid(x, y, indexing='ij')", lambda x, y: (*np.meshgrid(x, y), *np.meshgrid(x, y, indexing="ij")), x="F(n)", y="F(2)"),
]  # fmt: skip

INDEX = "np.stack([I(5, below=3), I(5, below=2) + 1], -1)"
INDEXING = [
    Row("ops.gather(x, i, 1), x.gather(i, 0), ops.Gather()(x, i, -1)", lambda x, i: (x[:, i], x[i], x[:, i]), x=X, i="I(2, 2, below=3)"),
    Row("ops.gather(x, i, 1, 1)", lambda x, i: np.stack([r[k] for r, k in zip(x, i, strict=True)]), x="F(n, 3, 2)", i="I(n, 4, below=3)"),
    Row("ops.gather(x, i, 2, 1)", lambda x, i: np.stack([r[:, k] for r, k in zip(x, i, strict=True)]), x="F(n, 2, 3)", i="I(n, 4, below=3)"),
    Row("ops.gather_nd(x, i), ops.GatherNd()(x, i)", lambda x, i: (x[i[:, 0], i[:, 1]],) * 2, x=X, i=INDEX),
    Row("ops.gather_elements(x, 1, i), ops.GatherD()(x, 1, i)", lambda x, i: (np.take_along_axis(x[:2], i, 1),) * 2, x=X, i="I(2, 4, below=3)"),
    Row("ops.index_select(x, 1, i), x.index_select(0, i)", lambda x, i: (x[:, i], x[i]), x=X, i="I(5, below=3)"),
    Row("ops.masked_select(x, m), x.masked_select(x > 0)", lambda x, m: (x[np.broadcast_to(m, x.shape)], x[x > 0]), x=X, m="B(3)"),
    no("ops.nonzero(x), ops.argwhere(x)", lambda x: (np.argwhere(x), np.argwhere(x)), x="B(n, 3)"),
    Row("ops.index_add(x, i, y, 1), ops.index_fill(x, 1, i, 2.0)", lambda x, i, y: (x + y @ np.eye(3)[i], np.where(np.isin(np.arange(3), i), 2.0, x)), x=X, i="np.array([0, 2])", y="F(n, 2)"),
    Row("ops.tensor_scatter_elements(x, i, y, 1)", lambda x, i, y: np.put_along_axis(z := x.copy(), i, y, 1) or z, x=X, i="np.tile([[2, 0]], (n, 1))", y="P(n, 2)"),
    Row("ops.tensor_scatter_elements(x, i, y, 0, 'add')", lambda x, i, y: x + np.concatenate([np.zeros((1, 3)), y.sum(0, keepdims=True), np.zeros((len(x) - 2, 3))]), x=X, i="np.ones((2, 3), int)", y="P(2, 3)"),
    Row("ops.scatter(x, 1, i, y), x.scatter(1, i, y)", lambda x, i, y: (np.put_along_axis(z := x.copy(), i, y, 1) or z,) * 2, x=X, i="np.tile([[1]], (n, 1))", y="P(n, 1)"),
    Row("ops.tensor_scatter_add(x, i, u), ops.TensorScatterSub()(x, i, u)", lambda x, i, u: (_scattered(x, i, u, np.add), _scattered(x, i, u, np.subtract)), x=X, i=INDEX, u="P(5)"),
    Row("ops.tensor_scatter_mul(x, i, u), ops.tensor_scatter_div(x, i, u)", lambda x, i, u: (_scattered(x, i, u, np.multiply), _scattered(x, i, u, np.divide)), x=X, i=INDEX, u="P(5)"),
    Row("ops.TensorScatterMax()(x, i, u), ops.tensor_scatter_min(x, i, u)", lambda x, i, u: (_scattered(x, i, u, np.maximum), _scattered(x, i, u, np.minimum)), x=X, i=INDEX, u="F(5) * 0.77"),
    Row("ops.TensorScatterUpdate()(x, i, u), ops.tensor_scatter_update(x, i[:, :1], w)", lambda x, i, u, w: (_put(x, i, u), _put(x, i[:, :1], w)), x=X, i=INDEX, u="P(5)", w="F(5, 3)"),
    Row("ops.scatter_nd(i, u, (3, 4)), ops.ScatterNd()(i, u, (3, 4))", lambda i, u: (_scattered(np.zeros((3, 4)), i, u, np.add),) * 2, i=INDEX, u="P(5)"),
    Row("ops.unsorted_segment_sum(x, i, 4)", lambda x, i: _scattered(np.zeros((4, 3)), i[:, None], x, np.add), x=X, i="I(n, below=3)"),
    Row("ops.unsorted_segment_max(x, i, 3)", lambda x, i: _scattered(np.full((3, 3), -np.inf), i[:, None], x, np.maximum), x=X, i="np.arange(n) % 3"),
    no("ops.unsorted_segment_min(x, i, 3), ops.unsorted_segment_prod(x, i, 3)", lambda x, i: (_scattered(np.full((3, 3), np.iinfo(int).max), i[:, None], x, np.minimum), _scattered(np.ones((3, 3), int), i[:, None], x, np.multiply)), x=N, i="np.arange(n) % 3"),
    Row("ops.EmbeddingLookup()(x, i, 1)", lambda x, i: np.where(((i >= 1) & (i < len(x) + 1))[..., None], x[np.clip(i - 1, 0, len(x) - 1)], 0), x=X, i="I(2, 3, below=9)"),
    Row("ops.InplaceAdd((0, 1))(x, y)", lambda x, y: x + np.pad(y, ((0, len(x) - 2), (0, 0))), x=X, y="P(2, 3)"),
]  # fmt: skip

SORTING = [
    Row("ops.sort(x)", lambda x: (np.sort(x), np.argsort(x, kind="stable")), x=X),
    Row("ops.Sort(0, True)(x)", lambda x: (-np.sort(-x, 0), np.argsort(-x, 0, kind="stable")), x=X),
    no("ops.argsort(x, 0), x.argsort(descending=True)", lambda x: (np.argsort(x, 0), np.argsort(-x)), x=X),
    Row("ops.topk(x, 2), ops.TopK()(x, 2)", lambda x: (-np.sort(-x)[:, :2], np.argsort(-x)[:, :2]) * 2, x=X),
    Row("ops.topk(x, 2, 0, False)", lambda x: (np.sort(x, 0)[:2], np.argsort(x, 0)[:2]), x=X),
    no("ops.searchsorted(x, y), ops.searchsorted(x, y, right=True)", lambda x, y: (np.searchsorted(x, y), np.searchsorted(x, y, "right")), x="np.arange(n) * 1.0", y="np.arange(6).reshape(2, 3) * 0.5"),
    no("ops.bucketize(y, (1.0, 2.0))", lambda y: np.searchsorted([1.0, 2.0], y), y="np.arange(6).reshape(2, 3) * 0.5"),
    no("ops.unique(x)", lambda x: (x[np.sort(np.unique(x, return_index=True)[1])], np.array([list(x[np.sort(np.unique(x, return_index=True)[1])]).index(v) for v in x])), x="I(n) * 3 % 4"),
    no("ops.unique_consecutive(x, True, True)", lambda x: tuple(map(np.array, ([1, 2, 1], [0, 0, 1, 1, 1, 2], [2, 3, 1]))), x="np.array([1, 1, 2, 2, 2, 1])"),
    no("ops.isin(x, y)", np.isin, x=N, y="I(4) + 2"),
]  # fmt: skip

LINEAR = [
    Row("ops.MatMul()(x, y), ops.MatMul(transpose_a=True)(x, x), ops.MatMul(False, True)(x, x)", lambda x, y: (x @ y, x.T @ x, x @ x.T), x=X, y="F(3, 2)"),
    Row("ops.BatchMatMul(transpose_b=True)(x, x), ops.bmm(x, y)", lambda x, y: (x @ x.swapaxes(1, 2), x @ y), x="F(2, n, 3)", y="F(2, 3, 2)"),
    Row("ops.mm(x, y), ops.mv(x, y[:, 0]), ops.dot(x, y), ops.matmul(x, y)", lambda x, y: (x @ y, x @ y[:, 0], x @ y, x @ y), x=X, y="F(3, 2)"),
    Row("ops.addmm(z, x, y, beta=0.5, alpha=2.0)", lambda x, y, z: 0.5 * z + 2 * x @ y, x=X, y="F(3, 2)", z="F(n, 2)"),
    Row("ops.addmv(z, x, y)", lambda x, y, z: z + x @ y, x=X, y="F(3)", z="F(n)"),
    Row("ops.baddbmm(z, x, y), ops.addbmm(z, x, y)", lambda x, y, z: (z + x @ y, z + (x @ y).sum(0)), x="F(2, n, 3)", y="F(2, 3, 2)", z="F(n, 2)"),
    Row("ops.addr(z, x, y), ops.ger(x, y), ops.outer(x, y)", lambda x, y, z: (z + np.outer(x, y), np.outer(x, y), np.outer(x, y)), x="F(n)", y="F(3)", z=X),
    Row("ops.tensor_dot(x, y, 1), ops.tensor_dot(x, y, ((1,), (0,)))", lambda x, y: (x @ y,) * 2, x=X, y="F(3, 2)"),
    Row("ops.batch_dot(x, y, (2, 1))", lambda x, y: x @ y, x="F(2, n, 3)", y="F(2, 3, 4)"),
    Row("ops.cross(x, y, -1), ops.inner(x, y)", lambda x, y: (np.cross(x, y), np.inner(x, y)), x="F(n, 3)", y="P(n, 3)"),
    Row("ops.einsum('ij,jk->ik', x, y), ops.einsum('ij->ji', x), ops.einsum('ij,ij->', x, x)", lambda x, y: (x @ y, x.T, (x * x).sum()), x=X, y="F(3, 2)"),
    Row("ops.einsum('bij,bjk->bik', x, y), ops.einsum('...ij,jk', x, y[0]), ops.Einsum('bij,bkj->bik')((x, x))", lambda x, y: (x @ y, x @ y[0], x @ x.swapaxes(1, 2)), x="F(2, n, 3)", y="F(2, 3, 2)"),
    Row("ops.einsum('ii->i', x), ops.einsum('ii', x), ops.einsum('i,j,ij->', x[0], x[1], x)", lambda x: (np.diag(x), np.trace(x), x[0] @ x @ x[1]), x="F(n, n)"),
    Row("ops.matrix_power(x, 3), ops.trace(x)", lambda x: (x @ x @ x, np.trace(x)), x="F(n, n)"),
    Row("ops.L2Normalize(1)(x), ops.normalize(x)", lambda x: (x / np.linalg.norm(x, axis=1, keepdims=True),) * 2, x=X),
]  # fmt: skip


def _softplus(x):  # type: ignore[no-untyped-def]
    return np.log1p(np.exp(x))


def _sigmoid(x):  # type: ignore[no-untyped-def]
    return 1 / (1 + np.exp(-x))


ACTIVATIONS = [
    Row("ops.ReLU()(x), ops.relu6(x * 5), ops.leaky_relu(x, 0.1), x.relu()", lambda x: (np.maximum(x, 0), np.clip(x * 5, 0, 6), np.where(x > 0, x, 0.1 * x), np.maximum(x, 0)), x=X),
    Row("ops.elu(x), ops.Elu(1.0)(x), ops.SeLU()(x), ops.celu(x, 2.0)", lambda x: (np.where(x > 0, x, np.expm1(x)), np.where(x > 0, x, np.expm1(x)), 1.0507009873554805 * np.where(x > 0, x, 1.6732632423543772 * np.expm1(x)), np.where(x > 0, x, 2 * np.expm1(x / 2))), x=X),
    Row("ops.gelu(x)", lambda x: x * (1 + np.vectorize(__import__("math").erf)(x / np.sqrt(2))) / 2, x=X),
    Row("ops.GeLU()(x)", lambda x: x * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))) / 2, x=X),
    Row("ops.mish(x), ops.Softplus()(x), ops.softplus(x, 2), ops.softsign(x), ops.silu(x)", lambda x: (x * np.tanh(_softplus(x)), _softplus(x), _softplus(2 * x) / 2, x / (1 + np.abs(x)), x * _sigmoid(x)), x=X),
    Row("ops.logsigmoid(x), ops.tanhshrink(x), ops.hardshrink(x), ops.softshrink(x, 0.3)", lambda x: (np.log(_sigmoid(x)), x - np.tanh(x), np.where(np.abs(x) <= 0.5, 0, x), np.where(np.abs(x) <= 0.3, 0, x - 0.3 * np.sign(x))), x=X),
    Row("ops.hardtanh(x), ops.threshold(x, 0.1, 2.0), ops.hardsigmoid(x * 4), ops.HSwish()(x)", lambda x: (np.clip(x, -1, 1), np.where(x > 0.1, x, 2.0), np.clip(x * 4 + 3, 0, 6) / 6, x * (x + 3) / 6), x=X),
    Row("ops.prelu(x, w), ops.glu(x, 0)", lambda x, w: (np.where(x > 0, x, w * x), x[: len(x) // 2] * _sigmoid(x[len(x) // 2 :])), x="F(2 * n, 3)", w="F(3)"),
    Row("ops.softmax(x), ops.Softmax(0)(x), ops.log_softmax(x, 1), ops.softmin(x)", lambda x: (np.exp(x) / np.exp(x).sum(-1, keepdims=True), np.exp(x) / np.exp(x).sum(0), x - np.log(np.exp(x).sum(1, keepdims=True)), np.exp(-x) / np.exp(-x).sum(-1, keepdims=True)), x=X),
]  # fmt: skip

ROWS = [*ARITHMETIC, *REDUCTIONS, *SHAPES, *INDEXING, *SORTING, *LINEAR, *ACTIVATIONS]


@grouped("row", ROWS, ids=str, size=6)
def test_values(row: Row) -> None:
    check_values(row)


@grouped(("k", "row"), [(k, row) for k, row in enumerate(ROWS) if row.gradient], size=6)
def test_gradients(k: int, row: Row) -> None:
    check_gradients(row, EXTENTS[: 1 if k % 4 else 2])  # run-time shapes for every fourth, to save time
