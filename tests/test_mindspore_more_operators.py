"""MindSpore's rarer operators: bent windows, choices of boxes, rows of several lengths, backward operators, what users write."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from operator_rows import Row, check_gradients, check_values, require_close

import jitcore
from jitcore import Tensor, jit, ops
from jitcore.common.generator import Generator, default_generator, get_rng_state, set_rng_state
from jitcore.ops import cotangents
from jitcore.primitives.ops.detection import edit_distance

torch = pytest.importorskip("torch")
tf = torch.nn.functional


def no(*args: object, **operands: str) -> Row:
    """A row without gradients."""
    return Row(*args, gradient=False, **operands)  # type: ignore[arg-type]


# --- bent windows ---------------------------------------------------------------------------------------


def _read(image: Any, y: float, x: float) -> Any:
    """The channels of an image between its pixels, zeros outside."""
    total = np.zeros(image.shape[0])
    for i in (int(np.floor(y)), int(np.floor(y)) + 1):
        for j in (int(np.floor(x)), int(np.floor(x)) + 1):
            if 0 <= i < image.shape[1] and 0 <= j < image.shape[2]:
                total += image[:, i, j] * (1 - abs(y - i)) * (1 - abs(x - j))
    return total


def _bent(x: Any, offsets: Any, k: int, stride: int = 1, pad: int = 0, dilation: int = 1, groups: int = 1) -> Any:
    """What each window reads, side by side."""
    n, channels, _, _ = x.shape
    oh, ow = offsets.shape[2:]
    moves = offsets.reshape(n, 3, groups, k, k, oh, ow)
    out = np.zeros((n, channels, oh, k, ow, k))
    each = channels // groups
    for b, g, i, j, h, w in np.ndindex(n, groups, k, k, oh, ow):
        right, down, scale = moves[b, :, g, i, j, h, w]
        y, x_ = h * stride - pad + i * dilation + down, w * stride - pad + j * dilation + right
        own = slice(g * each, (g + 1) * each)
        out[b, own, h, i, w, j] = _read(x[b, own], y, x_) * scale
    return out.reshape(n, channels, oh * k, ow * k)


def _convolved(read: Any, weight: Any, groups: int = 1) -> Any:
    k = weight.shape[-1]
    made = tf.conv2d(torch.tensor(read), torch.tensor(weight), stride=k, groups=groups)
    return made.numpy()


def _dilated(x: Any, f: Any, stride: int, dilation: int) -> Any:
    kh, kw = f.shape[1:]
    h, w = ((n - dilation * (k - 1) - 1) // stride + 1 for n, k in zip(x.shape[2:], (kh, kw), strict=True))
    out = np.empty((*x.shape[:2], h, w))
    for i, j in np.ndindex(h, w):
        rows = slice(i * stride, i * stride + dilation * (kh - 1) + 1, dilation)
        columns = slice(j * stride, j * stride + dilation * (kw - 1) + 1, dilation)
        out[:, :, i, j] = (x[:, :, rows, columns] + f).max((2, 3))
    return out


BENT = [
    Row(
        "ops.deformable_conv2d(x, w, o, (2, 2), (1, 1, 1, 1), (0, 0, 0, 0))",
        lambda x, w, o: _convolved(_bent(x, o, 2), w), x="F(n, 2, 4, 5)", w="F(3, 2, 2, 2)", o="F(n, 12, 3, 4) + 0.013",
    ),
    Row(
        "ops.deformable_conv2d(x, w, o, (2, 2), (1, 1, 2, 2), (1, 1, 1, 1), b, (1, 1, 2, 2), 2, 2)",
        lambda x, w, o, b: _convolved(_bent(x, o, 2, 2, 1, 2, 2), w, 2) + b[:, None, None],
        x="F(n, 4, 5, 5)", w="F(4, 2, 2, 2)", o="F(n, 24, 3, 3) + 0.013", b="F(4)",
    ),
    Row(
        "ops.DeformableOffsets((1, 1, 1, 1), (0, 0, 0, 0), (2, 2))(x, o)", lambda x, o: _bent(x, o, 2),
        x="F(2, 2, n, 4)", o="F(2, 12, n - 1, 3) + 0.013",
    ),
    Row("ops.Dilation2D(1, 1, 'VALID')(x, f)", lambda x, f: _dilated(x, f, 1, 1), x="F(n, 2, 5, n)", f="F(2, 2, 3)"),
    Row("ops.Dilation2D(2, 2, 'VALID')(x, f)", lambda x, f: _dilated(x, f, 2, 2), x="F(n, 2, 5, 6)", f="F(2, 2, 2)"),
]  # fmt: skip


# --- rows of several lengths ------------------------------------------------------------------------------

RAGGED = [
    Row("ops.SparseSegmentSum()(x, i, s)", lambda x, i, s: np.stack([x[i[s == k]].sum(0) for k in range(s[-1] + 1)]), x="F(n + 2, 3)", i="I(4, below=n)", s="np.array([0, 0, 1, 3])"),
    Row("ops.SparseSegmentMeanWithNumSegments()(x, i, s, k)", lambda x, i, s, k: np.stack([x[i[s == j]].sum(0) / max(1, (s == j).sum()) for j in range(k[0])]), x="F(n + 2, 3)", i="I(4, below=n)", s="np.array([0, 0, 1, 3])", k="np.array([n + 2])"),
    Row("ops.SparseSegmentSqrtN()(x, i, s)", lambda x, i, s: np.stack([x[i[s == k]].sum(0) / max(1, (s == k).sum()) ** 0.5 for k in range(s[-1] + 1)]), x="F(n, 2)", i="I(3, below=n)", s="np.array([0, 2, 2])"),
    no("ops.RaggedRange(ms.int32)(a, b, c)", lambda a, b, c: (np.cumsum([0, *(len(np.arange(*t)) for t in zip(a, b, c, strict=True))], dtype=np.int32), np.concatenate([np.arange(*t) for t in zip(a, b, c, strict=True)])), a="I(n) + 1", b="I(n) * 2", c="I(n, below=3) + 1"),
    no("ops.Coalesce()(i, v, s)", lambda i, v, s: (np.array([[0, 1], [1, 2]]), np.array([v[0] + v[2], v[1] + v[3]]), s), i="np.array([[0, 1, 0, 1], [1, 2, 1, 2]])", v="F(4)", s="np.array([n, n])"),
]  # fmt: skip


# --- sparse arrays ----------------------------------------------------------------------------------------

PLACES = "np.array([[0, 3], [1, 1], [0, 1], [2, 0]])"
SHAPE = "np.array([n, 4])"


def _softmax_of_rows(i: Any, v: Any, s: Any) -> Any:
    powers = np.exp(v)
    return powers / np.array([powers[i[:, 0] == row].sum() for row in i[:, 0]])


def _joined(larger: Any, i: Any, v: Any, j: Any, w: Any, shape: Any) -> Any:
    a, b = np.zeros(shape), np.zeros(shape)
    a[tuple(i.T)], b[tuple(j.T)] = v, w
    places = np.unique(np.concatenate([i, j]), axis=0)
    return places, larger(a, b)[tuple(places.T)]


SPARSE = [
    no("ops.SparseReorder()(i, v, s)", lambda i, v, s: (i[[2, 0, 1, 3]], v[[2, 0, 1, 3]]), i=PLACES, v="F(4)", s=SHAPE),
    no("ops.SparseReshape()(i, s, t)", lambda i, s, t: (np.stack(np.unravel_index(i[:, 0] * 4 + i[:, 1], (2, 2 * s[0])), 1), np.array([2, 2 * s[0]])), i=PLACES, s=SHAPE, t="np.array([2, -1])"),
    no("ops.SparseSlice()(i, v, s, a, b)", lambda i, v, s, a, b: (np.array([[0, 2], [1, 0], [0, 0]]), v[:3], np.array([2, 3])), i=PLACES, v="F(4)", s=SHAPE, a="np.array([0, 1])", b="np.array([2, 5])"),
    Row("ops.SparseSoftmax()(i, v, s)", _softmax_of_rows, i=PLACES, v="F(4)", s=SHAPE),
    Row("ops.SparseDenseCwiseAdd()(i, v, s, d)", lambda i, v, s, d: v + d[i[:, 0], 0], i=PLACES, v="F(4)", s=SHAPE, d="F(n, 1)"),
    Row("ops.SparseDenseCwiseMul()(i, v, s, d)", lambda i, v, s, d: v * d[i[:, 1]], i=PLACES, v="F(4)", s=SHAPE, d="F(4)"),
    Row("ops.SparseDenseCwiseDiv()(i, v, s, d)", lambda i, v, s, d: v / d[tuple(i.T)], i=PLACES, v="F(4)", s=SHAPE, d="P(n, 4)"),
    Row("ops.SparseSparseMaximum()(i, v, s, j, w, s)", lambda i, v, s, j, w: _joined(np.maximum, i, v, j, w, s), i=PLACES, v="F(4)", s=SHAPE, j="np.array([[0, 0], [1, 1]])", w="F(2) * 0.9"),
    Row("ops.SparseSparseMinimum()(i, v, s, j, w, s)", lambda i, v, s, j, w: _joined(np.minimum, i, v, j, w, s), i=PLACES, v="F(4)", s=SHAPE, j="np.array([[0, 0], [1, 1]])", w="F(2) * 0.9"),
]  # fmt: skip


@pytest.mark.parametrize("row", [*BENT, *RAGGED, *SPARSE], ids=str)
def test_values(row: Row) -> None:
    check_values(row)


@pytest.mark.parametrize("row", [r for r in [*BENT, *RAGGED, *SPARSE] if r.gradient], ids=str)
def test_gradients(row: Row) -> None:
    check_gradients(row, extents=(3,))


# --- choices ------------------------------------------------------------------------------------------


def test_boxes_by_their_overlaps() -> None:
    overlaps = Tensor(
        np.array([[1.0, 0.7, 0.1, 0.0], [0.7, 1.0, 0.3, 0.0], [0.1, 0.3, 1.0, 0.6], [0.0, 0.0, 0.6, 1.0]])
    )
    scores = Tensor(np.array([0.5, 0.9, 0.8, 0.1]))
    choose = ops.NonMaxSuppressionWithOverlaps()
    for most, threshold, least, wanted in (
        (4, 0.5, 0.0, [1, 2]),
        (1, 0.5, 0.0, [1]),
        (4, 0.2, 0.0, [1, 3]),
        (4, 0.2, 0.3, [1]),
    ):
        for function in (choose, jit(lambda *v: choose(*v))):
            assert function(overlaps, scores, most, threshold, least).asnumpy().tolist() == wanted
    with pytest.raises(ValueError, match="overlaps"):
        choose(overlaps, scores[:3], 1, 0.5, 0.0)


def test_boxes_of_classes() -> None:
    boxes = Tensor(np.array([[[[0.0, 0, 0.5, 0.5]], [[0, 0, 0.5, 0.4]], [[0.5, 0.5, 1.5, 1]]]], np.float32))
    scores = Tensor(np.array([[[0.9, 0.1], [0.8, 0.7], [0.3, 0.6]]], np.float32))
    choose = ops.CombinedNonMaxSuppression()
    for function in (choose, jit(lambda *v: choose(*v))):
        found, marks, classes, count = function(boxes, scores, 2, 4, 0.5, 0.2)
        assert count.asnumpy().tolist() == [4]
        np.testing.assert_allclose(marks.asnumpy(), [[0.9, 0.7, 0.6, 0.3]])
        assert classes.asnumpy().tolist() == [[0, 1, 1, 0]]
        assert found.asnumpy().max() == 1  # clipped
    assert ops.CombinedNonMaxSuppression(True)(boxes, scores, 1, 9, 0.5, 0.2)[0].shape == (1, 2, 4)


def test_edit_distances() -> None:
    assert edit_distance(list("kitten"), list("sitting")) == 3
    assert edit_distance([], list("ab")) == 2
    operands = [
        np.array([[0, 0], [1, 0], [1, 1]]), np.array([1, 2, 3]), np.array([[0, 0], [0, 1], [1, 0]]), np.array([1, 5, 2]),
    ]  # fmt: skip
    a, b, c, d = map(Tensor, operands)
    shapes = [Tensor(np.array(v)) for v in ([2, 2], [3, 2])]
    for normalize, wanted in ((True, [0.5, 1, 0]), (False, [1, 1, 0])):
        measure = ops.EditDistance(normalize)
        for function in (measure, jit(lambda a, b, c, d, measure=measure: measure(a, b, shapes[0], c, d, shapes[1]))):
            made = function(a, b, shapes[0], c, d, shapes[1]) if function is measure else function(a, b, c, d)
            assert made.asnumpy().tolist() == wanted


# --- images -------------------------------------------------------------------------------------------

IMAGES = np.sin(np.arange(2 * 6 * 8 * 3.0)).reshape(2, 6, 8, 3).astype(np.float32)


def both(function: Callable[..., Any]) -> list[Callable[..., Any]]:
    """A function, and itself compiled."""
    return [function, jit(lambda *operands: function(*operands))]


def test_images_resized_by_areas() -> None:
    for size in ((3, 4), (2, 8), (5, 3), (12, 16)):
        wanted = IMAGES.astype(np.float64)
        for axis, count in enumerate(size, 1):
            fine = np.repeat(wanted, count, axis)  # every element is `count` parts, of which each result has `extent`
            wanted = fine.reshape(*fine.shape[:axis], count, -1, *fine.shape[axis + 1 :]).mean(axis + 1)
        resized = ops.ResizeArea()(Tensor(IMAGES), Tensor(np.array(size, np.int32)))
        np.testing.assert_allclose(resized.asnumpy(), wanted, atol=1e-5)
    corners = ops.ResizeArea(True)(Tensor(np.arange(1.0, 5).reshape(1, 2, 2, 1)), Tensor(np.array([3, 2])))
    assert corners.asnumpy().ravel().tolist() == [1, 2, 1, 2, 3, 4]


def test_glimpses() -> None:
    image = Tensor(np.arange(9.0).reshape(1, 3, 3, 1))
    cases: list[tuple[tuple[bool, bool], list[float], list[list[float]]]] = [
        ((False, False), [1, 1], [[0, 1], [3, 4]]), ((False, False), [3, 3], [[8, 0], [0, 0]]), ((False, True), [0.5, 1], [[2, 0], [5, 0]]),
        ((True, True), [0, 0], [[0, 1], [3, 4]]), ((True, False), [3, -1], [[6, 7], [0, 0]]),
    ]  # fmt: skip
    for (centered, normalized), place, wanted in cases:
        glimpse = ops.ExtractGlimpse(centered, normalized, noise="zero")
        for function in both(lambda x, at, glimpse=glimpse: glimpse(x, (2, 2), at)):
            assert function(image, Tensor(np.array([place]))).asnumpy()[0, :, :, 0].tolist() == wanted
    for noise in ("uniform", "gaussian"):
        made = ops.ExtractGlimpse(False, False, noise=noise)(image, (2, 2), Tensor(np.array([[3.0, 3.0]]))).asnumpy()
        assert made[0, 0, 0, 0] == 8
        assert len(set(made.ravel().tolist())) == 4
    with pytest.raises(ValueError, match="noise"):
        ops.ExtractGlimpse(noise="loud")(image, (2, 2), Tensor(np.array([[0.0, 0.0]])))


@pytest.mark.parametrize("regular", [False, True])
@pytest.mark.parametrize("overlapping", [False, True])
@pytest.mark.parametrize("name", ["FractionalMaxPool", "FractionalAvgPool"])
def test_windows_of_two_lengths(name: str, overlapping: bool, regular: bool) -> None:
    reduce = np.max if name == "FractionalMaxPool" else np.mean
    for ratio in (1.0, 1.3, 1.9, 2.7):
        pool = getattr(ops, name)((1.0, ratio, 1.4, 1.0), regular, overlapping)
        for function in both(pool):
            made, rows, columns = (v.asnumpy() for v in function(Tensor(IMAGES)))
            assert (rows[0], rows[-1], len(rows) - 1) == (0, 6, int(6 / ratio))
            assert (columns[0], columns[-1], len(columns) - 1) == (0, 8, 5)
            assert set(np.diff(columns)) <= {1, 2, 3}
            for i, j in np.ndindex(*made.shape[1:3]):
                part = IMAGES[:, rows[i] : rows[i + 1] + overlapping, columns[j] : columns[j + 1] + overlapping]
                np.testing.assert_allclose(made[:, i, j], reduce(part, axis=(1, 2)), atol=1e-5)
    fixed = getattr(ops, name)([1.0, 1.5, 1.5, 1.0], regular, overlapping, True, 5, 7)
    slope = jitcore.grad(lambda x: fixed(x)[0].sum())(Tensor(IMAGES))
    np.testing.assert_allclose(float(slope.sum()), np.prod(fixed(Tensor(IMAGES))[0].shape), rtol=1e-5)
    with pytest.raises(ValueError, match="pooling_ratio"):
        getattr(ops, name)((1.0, 0.5, 1.0, 1.0))(Tensor(IMAGES))


# --- random numbers ---------------------------------------------------------------------------------------


def test_generators() -> None:
    """A generator's numbers depend on its state alone, in both modes."""
    own, other = Generator().manual_seed(7), Generator().manual_seed(7)
    made = [f(own) for f in (draw, jit(lambda: draw(own)))[:1]]
    compiled = jit(lambda: draw(other))()
    require_close(compiled, made[0])
    state = own.get_state()
    first, _, second = ops.rand(3, generator=own), ops.rand(3), own.set_state(state)
    assert second is None
    require_close(ops.rand(3, generator=own), first)
    assert own.initial_seed() == 7
    assert own.seed() == own.initial_seed() != 7
    jitcore.set_seed(3)
    assert own.initial_seed() != 3
    for wrong in (np.zeros(16, np.uint8), Tensor(np.zeros(3, np.uint8))):
        with pytest.raises((TypeError, ValueError), match="state"):
            own.set_state(wrong)
    with pytest.raises(TypeError, match="int"):
        own.manual_seed(1.5)  # type: ignore[arg-type]


def draw(generator: Generator) -> Any:
    chances = ops.rand(4, generator=generator)
    return (
        ops.randn(2, 3, generator=generator),
        ops.randint(0, 9, (5,), generator=generator),
        ops.randperm(6, generator=generator),
        ops.multinomial(chances, 2, generator=generator),
        ops.normal_ext(0.0, 2.0, (3,), generator=generator),
        ops.bernoulli_ext(chances, generator=generator),
    )


def test_the_default_generator() -> None:
    state = get_rng_state()
    assert state.shape == (16,)
    first = ops.rand(3), ops.randn(2)
    set_rng_state(state)
    require_close((ops.rand(3), jit(lambda: ops.randn(2))()), first)
    default_generator.manual_seed(11)
    first = ops.rand(2)
    jitcore.set_seed(11)
    require_close(ops.rand(2), first)


def test_other_distributions() -> None:
    ints = ops.NonDeterministicInts(jitcore.int32)((50,))
    assert ints.dtype == jitcore.int32
    assert len(set(ints.asnumpy().tolist())) > 45
    draws = ops.ParameterizedTruncatedNormal(1)(
        (2, 4000), *(Tensor(np.array(v)) for v in ([0.0, 5.0], [1.0, 2.0], [-1.0, 4.0], [2.0, 9.0]))
    )
    made = draws.asnumpy()
    for row, (m, s, low, high) in zip(made, ((0, 1, -1, 2), (5, 2, 4, 9)), strict=True):
        assert low <= row.min()
        assert row.max() <= high
        kept = np.random.default_rng(0).normal(m, s, 40000)
        kept = kept[(kept > low) & (kept < high)]
        assert abs(row.mean() - kept.mean()) < 0.1 * s
    logarithms = np.log(ops.LogNormalReverse(0.5, 2.0)(Tensor(np.zeros((90, 90)))).asnumpy())
    assert abs(logarithms.mean() - 0.5) < 0.1
    assert abs(logarithms.std() - 2) < 0.1


# --- backward operators -----------------------------------------------------------------------------------

X = np.sin(np.arange(48.0) * 1.7).reshape(2, 2, 3, 4) * 0.9
DY = np.cos(np.arange(48.0) * 2.3).reshape(X.shape)


def by_torch(function: Callable[..., Any], dy: Any, *operands: Any) -> list[Any]:
    leaves = [torch.tensor(v, requires_grad=True) for v in operands]
    return [g.numpy() for g in torch.autograd.grad(function(*leaves), leaves, torch.tensor(dy))]


def made_by(function: Callable[..., Any], *operands: Any) -> Any:
    return function(*map(torch.tensor, operands)).numpy()


OF_RESULT: dict[str, tuple[Callable[..., Any], Any, bool]] = {
    "TanhGrad": (torch.tanh, X, False), "SigmoidGrad": (torch.sigmoid, X, False), "SqrtGrad": (torch.sqrt, X**2 + 1, False),
    "RsqrtGrad": (torch.rsqrt, X**2 + 1, False), "ReciprocalGrad": (torch.reciprocal, X + 2, False), "AsinhGrad": (torch.asinh, X, False),
    "AcoshGrad": (torch.acosh, X + 3, False), "EluGrad": (tf.elu, X, True), "SeLUGrad": (tf.selu, X, True),
}  # fmt: skip
OF_OPERAND: dict[str, tuple[Callable[..., Any], bool]] = {
    "AbsGrad": (torch.abs, False), "ACosGrad": (torch.acos, False), "AsinGrad": (torch.asin, False), "AtanGrad": (torch.atan, False),
    "ReluGrad": (tf.relu, True), "ReLU6Grad": (tf.relu6, True), "HSwishGrad": (tf.hardswish, True), "SoftplusGrad": (tf.softplus, True),
    "HSigmoidGrad": (tf.hardsigmoid, True), "SiLUGrad": (tf.silu, True), "SoftShrinkGrad": (tf.softshrink, True),
    "HShrinkGrad": (tf.hardshrink, True),
}  # fmt: skip


def agrees(operator: Any, operands: tuple[Any, ...], wanted: Any) -> None:
    given = [Tensor(v) if isinstance(v, np.ndarray) else v for v in operands]
    require_close(operator(*given), wanted, 1e-7)
    require_close(jit(lambda *v: operator(*v))(*given), wanted, 1e-7)


@pytest.mark.parametrize("name", OF_RESULT)
def test_gradients_of_results(name: str) -> None:
    function, x, first = OF_RESULT[name]
    y = made_by(function, x)
    agrees(getattr(cotangents, name)(), (DY, y) if first else (y, DY), by_torch(function, DY, x))


@pytest.mark.parametrize("name", OF_OPERAND)
def test_gradients_of_operands(name: str) -> None:
    function, first = OF_OPERAND[name]
    operator, wanted = getattr(cotangents, name)(), by_torch(function, DY, X)
    if name in ("SoftShrinkGrad", "HShrinkGrad"):  # of floats of 64 bits they are refused
        dy, x = DY.astype(np.float32), X.astype(np.float32)
        require_close(operator(Tensor(dy), Tensor(x)), wanted, 1e-6)
        return
    agrees(operator, (DY, X) if first else (X, DY), wanted)


def test_the_slope_of_relu6() -> None:
    ends = np.array([-1.0, 0.0, 3.0, 6.0, 7.0], np.float32)
    for function in (ops.relu6, jit(ops.relu6)):
        assert function(Tensor(ends)).asnumpy().tolist() == [0, 0, 3, 6, 6]
        assert jitcore.grad(function)(Tensor(ends)).asnumpy().tolist() == [0, 0, 1, 1, 0]
    assert cotangents.ReLU6Grad()(Tensor(np.ones(5, np.float32)), Tensor(ends)).asnumpy().tolist() == [0, 0, 1, 1, 0]


def test_gradients_of_networks() -> None:
    half = DY[:, :, :1, :2]

    def pooled(v: Any) -> Any:
        return tf.max_pool2d(v, 2, 2)

    agrees(cotangents.MaxPoolGrad(2, 2, "VALID"), (X, made_by(pooled, X), half), by_torch(pooled, half, X))
    weight, dy = np.cos(np.arange(54.0)).reshape(3, 2, 3, 3), np.sin(np.arange(72.0)).reshape(2, 3, 3, 4)
    size = weight.shape
    filter_ = ops.Conv2DBackpropFilter(3, 3, "pad", 1)
    agrees(
        lambda a, b: filter_(a, b, size),
        (dy, X),
        by_torch(lambda w: tf.conv2d(torch.tensor(X), w, padding=1), dy, weight),
    )
    gamma = np.arange(1.0, 5)
    mean, variance = X.mean(-1, keepdims=True), X.var(-1, keepdims=True)
    wanted = by_torch(lambda x, g, b: tf.layer_norm(x, (4,), g, b), DY, X, gamma, gamma)
    agrees(cotangents.LayerNormGrad(3, 3), (X, DY, variance, mean, gamma), wanted)
    agrees(cotangents.BiasAddGrad(), (DY,), DY.sum((0, 2, 3)))
    agrees(
        cotangents.LogSoftmaxGrad(1),
        (made_by(lambda x: tf.log_softmax(x, 1), X), DY),
        by_torch(lambda x: tf.log_softmax(x, 1), DY, X),
    )
    agrees(cotangents.MaximumGrad(), (X, DY, X * 2), by_torch(torch.maximum, X * 2, X, DY))
    agrees(cotangents.MinimumGrad(True, False), (X, DY, X), by_torch(torch.minimum, X, X, DY)[:1])
    agrees(
        cotangents.SmoothL1LossGrad(1.0, "none"),
        (X, DY, DY),
        by_torch(lambda x: tf.smooth_l1_loss(x, torch.tensor(DY), reduction="none"), DY, X),
    )
    ones = np.ones((2, 2, 2, 2))
    sliced = np.zeros_like(X)
    sliced[:, :, 1:, 1:3] = ones
    slice_, strided = cotangents.SliceGrad(), cotangents.StridedSliceGrad()
    agrees(lambda dy, x: slice_(dy, x, (0, 0, 1, 1), (2, 2, 2, 2)), (ones, X), sliced)
    agrees(lambda dy: strided(dy, (2, 2, 3, 4), (0, 0, 1, 1), (2, 2, 3, 3), (1, 1, 1, 1)), (ones,), sliced)


# --- what users write -------------------------------------------------------------------------------------


@ops.kernel
def added(a, b):  # type: ignore[no-untyped-def]
    out = output_tensor(a.shape, a.dtype)  # noqa: F821  # type: ignore[name-defined]
    for i in range(a.shape[0]):
        out[i] = a[i] + sqrt(b[i])  # noqa: F821  # type: ignore[name-defined]
    return out


def test_custom_operators() -> None:
    def backward(x: Any, y: Any, out: Any, gradient: Any) -> Any:
        return gradient * y * 3, gradient * x

    x, y = Tensor(np.array([1.0, 2.0, 3.0])), Tensor(np.array([4.0, 9.0, 16.0]))
    sums = ops.Custom(added)
    pair = ops.Custom(lambda a, b: (a + b, a - b), ([3], [3]), (jitcore.float32, jitcore.float64), "pyfunc")
    product = ops.Custom(lambda a, b: a * b, lambda a, b: a, lambda a, b: a, func_type="pyfunc", bprop=backward)

    def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
        return jit(lambda *operands: function(*operands))

    for call in (lambda f: f, compiled):
        assert call(sums)(x, y).asnumpy().tolist() == [3, 5, 7]
        first, second = call(pair)(x, y)
        assert (first.dtype, second.dtype) == (jitcore.float32, jitcore.float64)
        assert second.asnumpy().tolist() == [-3, -7, -13]
        slopes = call(jitcore.grad(lambda a, b: product(a, b) * 2, (0, 1)))(x, y)
        assert [v.asnumpy().tolist() for v in slopes] == [[24, 54, 96], [2, 4, 6]]
    with pytest.raises(ValueError, match="func_type"):
        ops.Custom(added, func_type="other")
    with pytest.raises(NotImplementedError, match="aot"):
        ops.Custom("file.so:f", func_type="aot")
