"""MindSpore's operators on boxes, colours, blocks and rows, in both modes."""

from __future__ import annotations

import colorsys
from typing import Any

import numpy as np
import pytest
from operator_rows import Row, check_gradients, check_values

import jitcore
from jitcore import Tensor, jit, ops


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


def _iou(a: Any, b: Any, mode: str) -> Any:
    out = np.zeros((len(b), len(a)))
    for i, j in np.ndindex(*out.shape):
        sides = np.minimum(a[j, 2:], b[i, 2:]) - np.maximum(a[j, :2], b[i, :2]) + 1
        shared = np.prod(np.maximum(sides, 0))
        whole = np.prod(b[i, 2:] - b[i, :2] + 1)
        out[i, j] = shared / (whole if mode == "iof" else whole + np.prod(a[j, 2:] - a[j, :2] + 1) - shared)
    return out


def _encoded(a: Any, b: Any) -> Any:
    size, other = a[:, 2:] - a[:, :2] + 1, b[:, 2:] - b[:, :2] + 1
    moves = ((b[:, :2] + b[:, 2:]) - (a[:, :2] + a[:, 2:])) / 2 / size
    return np.concatenate([moves, np.log(other / size)], 1) / 0.5 - 0.2


def _colours(x: Any, function: Any) -> Any:
    return np.array([function(*row) for row in x.reshape(-1, 3)]).reshape(x.shape)


def _turned(x: Any) -> Any:
    def turn(red: float, green: float, blue: float) -> Any:
        hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
        return colorsys.hsv_to_rgb((hue + 0.3) % 1, saturation, value)

    return _colours(x, turn)


def _blocks(x: Any) -> Any:
    padded = np.pad(x, ((0, 0), (0, 0), (0, 1), (1, 0)))
    return np.concatenate([padded[:, :, i::2, j::1] for i in range(2) for j in range(1)])


def _margins(x: Any, labels: Any) -> Any:
    out = []
    for row, chosen in zip(x, labels, strict=True):
        mine = list(chosen[: list(chosen).index(-1)] if -1 in chosen else chosen)
        others = [k for k in range(len(row)) if k not in mine]
        out.append(sum(max(0, 1 - row[y] + row[k]) for y in mine for k in others) / len(row))
    return np.array(out)


def _rotary(x: Any, a: Any, b: Any) -> Any:
    return x * a + np.concatenate([-x[:, 2:], x[:, :2]], 1) * b


BOXES = "np.concatenate([P(n, 2) * 5, P(n, 2) * 9 + 8], 1)"
ROWS = [
    Row("ops.iou(x, y), ops.IOU('iof')(x, y)", lambda x, y: (_iou(x, y, "iou"), _iou(x, y, "iof")), x=BOXES, y=BOXES + "[:2] + 1"),
    Row("ops.bounding_box_encode(x, y, (0.1, 0.1, 0.1, 0.1), (0.5, 0.5, 0.5, 0.5))", _encoded, x=BOXES, y=BOXES + " * 1.1"),
    Row("ops.bounding_box_decode(x, ops.BoundingBoxEncode()(x, y), (60, 60))", lambda x, y: y, x=BOXES, y=BOXES + " * 1.1"),
    no("ops.CheckValid()(x, Tensor([14.0, 20.0, 1.0], ms.float64))", lambda x: (x[:, 2] <= 19) & (x[:, 3] <= 13), x=BOXES),
    Row("ops.RGBToHSV()(x), ops.HSVToRGB()(x), ops.AdjustHue()(x, Tensor(np.float64(0.3)))", lambda x: (_colours(x, colorsys.rgb_to_hsv), _colours(x, colorsys.hsv_to_rgb), _turned(x)), x="(P(n, 2, 3) - 0.2) / 1.4"),
    Row("ops.space_to_batch_nd(x, [2, 1], [[0, 1], [1, 0]])", _blocks, x="F(n, 2, 3, 2)"),
    Row("ops.BatchToSpaceND([2, 3], [[0, 1], [1, 0]])(ops.SpaceToBatchND([2, 3], [[0, 1], [1, 0]])(x))", lambda x: x, x="F(n, 2, 3, 2)"),
    Row("ops.ExtractVolumePatches((1, 2, 1), (1, 1, 1), 'VALID')(x)", lambda x: np.concatenate([x[:, :, :, :-1], x[:, :, :, 1:]], 1), x="F(n, 1, 2, 3, 2)"),
    Row("ops.Dense()(x, y, z), ops.bidense(x, x, w, z)", lambda x, y, z, w: (x @ y.T + z, np.einsum("ni,oij,nj->no", x, w, x) + z), x="F(n, 3)", y="F(2, 3)", z="F(2)", w="F(2, 3, 3)"),
    Row("ops.multilabel_margin_loss(x, i, 'none'), ops.MultilabelMarginLoss()(x, i)[0]", lambda x, i: (_margins(x, i), _margins(x, i).mean()), x="F(n, 4)", i="np.array([[1, 3, -1, 0], [2, 2, 0, 1], [-1, 0, 1, 2], [3, 2, 1, 0], [0, -1, -1, -1]])[:n]"),
    Row("ops.FillDiagonal(2.0)(x), ops.fill_diagonal(x, 2.0, True)", lambda x: (np.where(np.arange(len(x))[:, None] == np.arange(3), 2.0, x), np.where(np.arange(len(x))[:, None] % 4 == np.arange(3), 2.0, x)), x="F(n + 1, 3)"),
    Row("ops.Padding(3)(x), ops.mirror_pad(x, Tensor([[1, 1], [0, 0]]), 'SYMMETRIC')", lambda x: (np.pad(x, ((0, 0), (0, 2))), np.pad(x, ((1, 1), (0, 0)), "symmetric")), x="F(n, 1)"),
    Row("ops.IndexPut()(x, y, (i, j)), ops.IndexPut(1)(x, y, (i,)), ops.InplaceUpdateV2()(x, (1, 0), z)", lambda x, y, z, i, j: (_put(x, y, i, j), _added(x, y, i), np.concatenate([z[1:], z[:1], x[2:]])), x="F(n, 2)", y="F(2)", z="F(2, 2)", i="np.array([0, 2])", j="np.array([1, 0])"),
    Row("ops.SparseToDense()(i, x, (4, 5)), ops.SparseTensorDenseMatmul()(i, x, (4, 5), y)", lambda x, y, i: (_dense(i, x), _dense(i, x) @ y), x="F(2)", y="F(5, n)", i="np.array([[0, 4], [3, 1]])"),
    Row("ops.RotaryMul()(x, a, b)", _rotary, x="F(n, 4)", a="F(4)", b="P(4)"),
    Row("ops.Renorm(2, 0, 0.5)(x)", lambda x: x * np.minimum(1, 0.5 / (np.linalg.norm(x, axis=1, keepdims=True) + 1e-7)), x="P(n, 3) + 0.3"),
    no("ops.SubAndFilter()(i, 3, 1)", lambda i: (i[(i >= 1) & (i < 4)] - 1, np.nonzero((i >= 1) & (i < 4))[0]), i="I(n)"),
    no("ops.ReLUV2()(x), ops.IdentityN()((x, x)), ops.CompareAndBitpack()(ops.concat((x, x[:, :2]), 1), Tensor(0.1))", lambda x: (np.maximum(x, 0), (x > 0).astype(np.uint8), x, x, np.packbits(np.concatenate([x, x[:, :2]], 1) > 0.1, axis=1)), x="F(n, 6)"),
    no("ops.DataFormatDimMap()(i), ops.DataFormatVecPermute('NHWC', 'NCHW')(i)", lambda i: (np.array([0, 2, 3, 1])[i % 4], i[[0, 3, 1, 2]]), i="I(4, below=4)"),
    no("ops.NoRepeatNGram(2)(i, x)", lambda i, x: np.where(np.arange(4) == 1, np.float32(np.finfo(np.float32).min), x), i="np.array([[[2, 1, 3, 2]]])", x="F(1, 1, 4).astype(np.float32)"),
    no("ops.LogSpace(3, 2)(Tensor(0.0), Tensor(2.0))", lambda x: np.array([1, 2, 4], np.float32), x="F(n)"),
    no("ops.embedding_lookup(x, i, 1)", lambda x, i: np.where(((i >= 1) & (i < 4))[:, None], x[np.clip(i - 1, 0, 2)], 0), x="F(3, 2)", i="I(n)"),
]  # fmt: skip


def _put(x: Any, y: Any, i: Any, j: Any) -> Any:
    out = x.copy()
    out[i, j] = y
    return out


def _added(x: Any, y: Any, i: Any) -> Any:
    out = x.copy()
    out[i] += y
    return out


def _dense(i: Any, x: Any) -> Any:
    out = np.zeros((4, 5))
    out[tuple(i.T)] = x
    return out


@pytest.mark.parametrize("row", ROWS, ids=str)
def test_values(row: Row) -> None:
    check_values(row)


@pytest.mark.parametrize("row", [r for r in ROWS if r.gradient], ids=str)
def test_gradients(row: Row) -> None:
    check_gradients(row)


def test_suppression() -> None:
    boxes = np.array([[0.0, 0, 10, 10, 0.3], [1, 1, 11, 11, 0.9], [20, 20, 30, 30, 0.5], [0, 0, 9, 10, 0.8]])
    mask = ops.NMSWithMask(0.5)
    pick = ops.NonMaxSuppressionV3()
    for f in (lambda b: mask(b), jit(lambda b: mask(b))):
        ordered, places, kept = f(Tensor(boxes))
        assert places.asnumpy().tolist() == [0, 1, 2, 3]
        assert kept.asnumpy().tolist() == [True, False, True, False]
        np.testing.assert_array_equal(ordered.asnumpy(), boxes[[1, 3, 2, 0]])
    for f in (lambda b, m: pick(b[:, :4], b[:, 4], m, 0.5, 0.4), jit(lambda b, m: pick(b[:, :4], b[:, 4], m, 0.5, 0.4))):  # fmt: skip
        assert f(Tensor(boxes), Tensor(5, jitcore.int32)).asnumpy().tolist() == [1, 2]
        assert f(Tensor(boxes), Tensor(1, jitcore.int32)).asnumpy().tolist() == [1]


def test_assertions() -> None:
    check = ops.Assert()

    def f(x: Any) -> Any:
        check(x.sum() > 0, [x])
        return x * 2

    for g in (f, jit(f)):
        assert g(Tensor([1.0, 2.0])).asnumpy().tolist() == [2.0, 4.0]
        with pytest.raises(RuntimeError, match="assert failed"):
            g(Tensor([-1.0, 0.5]))


def _tensor(*shape: int) -> Tensor:
    return Tensor(np.ones(shape, np.float32))


REFUSED: list[tuple[object, tuple[object, ...], type[Exception], str]] = [
    (ops.ReLU(), (5.0,), TypeError, "ReLU"),
    (ops.Reshape(), (5.0, (1, 2)), TypeError, "Reshape"),
    (ops.MatMul(), (_tensor(1, 5), _tensor(5, 5, 4)), ValueError, "MatMul"),
    (ops.AddN(), ((np.ones(3), np.ones(3)),), TypeError, "AddN"),
    (ops.Gather(), (_tensor(3), _tensor(1), 0), TypeError, None),
    (ops.OneHot(), (_tensor(3), 3, Tensor(1.0), Tensor(0.0)), TypeError, "indices|OneHot|^$"),
    (ops.GatherNd(), (_tensor(3, 4), Tensor([[0, 0, 0]])), ValueError, "GatherNd"),
    (ops.BatchNorm(True), (_tensor(5, 3), _tensor(3), _tensor(7), _tensor(3), _tensor(3)), ValueError, "bias"),
    (ops.BatchNorm(), (_tensor(5, 3), _tensor(3), _tensor(3), None, None), TypeError, "mean"),
    (ops.MaxPoolWithArgmax(), (_tensor(1, 1, 32),), ValueError, "MaxPoolWithArgmax"),
]


@pytest.mark.parametrize("case", REFUSED, ids=lambda c: type(c[0]).__name__)
def test_refused_operands(case: Any) -> None:
    primitive, operands, error, text = case
    for f in (primitive, jit(lambda *values: primitive(*values))):
        with pytest.raises(error, match=text):
            f(*operands)


@pytest.mark.parametrize(
    ("make", "error"),
    [
        (lambda: ops.Conv2D(1, 6, pad_mode="same", pad=7), ValueError),
        (lambda: ops.Conv2D(2, 0), ValueError),
        (lambda: ops.MaxPool(pad_mode="full", kernel_size=0), ValueError),
        (lambda: ops.Concat("a")((Tensor([1]), Tensor([2]))), TypeError),
        (lambda: ops.Softmax(axis=()), ValueError),
        (lambda: ops.ReduceSum(1)(Tensor([1.0])), TypeError),
        (lambda: ops.Dropout(2.0), ValueError),
        (lambda: ops.NLLLoss("most"), ValueError),
    ],
)
def test_refused_set_up(make: Any, error: type[Exception]) -> None:
    with pytest.raises(error):
        make()


def test_depthwise_convolution() -> None:
    x = np.arange(32, dtype=np.float32).reshape(1, 2, 4, 4)
    w = np.arange(16, dtype=np.float32).reshape(2, 2, 2, 2)
    depthwise, plain = ops.DepthwiseConv2dNative(2, 2), ops.Conv2D(1, 2)
    for f in (depthwise, jit(lambda a, b: depthwise(a, b))):
        made = f(Tensor(x), Tensor(w)).asnumpy()
        for m in range(2):
            for c in range(2):
                want = plain(Tensor(x[:, c : c + 1]), Tensor(w[m : m + 1, c : c + 1])).asnumpy()
                np.testing.assert_allclose(made[:, 2 * m + c], want[:, 0])
