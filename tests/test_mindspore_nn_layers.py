"""MindSpore's layers and losses that came later: against PyTorch or NumPy, gradients too, in both modes."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from jitcore import Tensor, grad, nn, ops

torch = pytest.importorskip("torch")
F = torch.nn.functional
RNG = np.random.default_rng(7)


pytestmark = pytest.mark.usefixtures("mode")


def draw(*shape: int) -> Any:
    return RNG.normal(size=shape).astype(np.float32)


def arrays(value: Any) -> list[Any]:
    listed = value if isinstance(value, (tuple, list)) else [value]
    return [
        v.asnumpy() if isinstance(v, Tensor) else np.asarray(v.detach() if hasattr(v, "detach") else v) for v in listed
    ]


def agree(cell: Any, theirs: Callable[..., Any], *operands: Any, slopes: bool = True) -> None:
    """Values; and gradients of the sum by the first operand."""
    wanted = theirs(*[torch.tensor(x) for x in operands])
    for a, b in zip(arrays(cell(*map(Tensor, operands))), arrays(wanted), strict=True):
        assert a.shape == b.shape
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
    if slopes:
        first = torch.tensor(operands[0], requires_grad=True)
        theirs(first, *[torch.tensor(x) for x in operands[1:]]).sum().backward()
        total = _Sum(cell)
        np.testing.assert_allclose(
            grad(total)(*map(Tensor, operands)).asnumpy(), first.grad.numpy(), rtol=1e-3, atol=1e-5
        )


class _Sum(nn.Cell):
    def __init__(self, cell: Any) -> None:
        super().__init__()
        self.cell = cell

    def construct(self, *operands: Any) -> Any:
        return self.cell(*operands).sum()


SCORES, CLASSES = draw(4, 5), np.array([1, 0, 3, 4])
LABELS = np.array([[3, 0, -1, 1, 2], [1, -1, 0, 0, 0], [0, 1, 2, 3, 4], [-1, 0, 0, 0, 0]])
TARGETS = (draw(4, 5) > 0.2).astype(np.float32)
A, B, C = draw(4, 6), draw(4, 6), draw(4, 6)


@pytest.mark.parametrize("reduction", ["mean", "sum", "none"])
@pytest.mark.parametrize(
    ("cell", "theirs", "operands"),
    [
        (nn.MultiMarginLoss, F.multi_margin_loss, (SCORES, CLASSES)),
        (nn.MultilabelMarginLoss, F.multilabel_margin_loss, (SCORES, LABELS)),
        (nn.MultiLabelSoftMarginLoss, F.multilabel_soft_margin_loss, (SCORES, TARGETS)),
        (nn.TripletMarginLoss, F.triplet_margin_loss, (A, B, C)),
        (nn.GaussianNLLLoss, F.gaussian_nll_loss, (A, B, np.abs(C) + 0.1)),
        (nn.PoissonNLLLoss, F.poisson_nll_loss, (A, np.abs(B))),
    ],
)
def test_losses(cell: Any, theirs: Any, operands: Any, reduction: str) -> None:
    agree(cell(reduction=reduction), lambda *x: theirs(*x, reduction=reduction), *operands)


def test_options_of_losses() -> None:
    agree(nn.MultiMarginLoss(p=2, margin=0.5), lambda *x: F.multi_margin_loss(*x, p=2, margin=0.5), SCORES, CLASSES)
    agree(nn.MultilabelMarginLoss(), F.multilabel_margin_loss, SCORES[0], LABELS[0])
    agree(nn.TripletMarginLoss(p=1, swap=True), lambda *x: F.triplet_margin_loss(*x, p=1, swap=True), A, B, C)
    agree(nn.GaussianNLLLoss(full=True), lambda *x: F.gaussian_nll_loss(*x, full=True), A, B, np.abs(C[:, :1]) + 0.1)
    steps = np.log(RNG.dirichlet(np.ones(4), (9, 2))).astype(np.float32)
    lengths = np.array([9, 8]), np.array([3, 2])
    agree(
        nn.CTCLoss(reduction="none"),
        lambda *x: F.ctc_loss(*x, reduction="none"),
        *(steps, np.array([[1, 2, 3], [2, 2, 1]]), *lengths),
        slopes=False,
    )


def test_focal_and_dice() -> None:
    logits, wanted = np.array([[0.8, 1.4], [0.5, 0.9], [1.2, 0.9]], np.float32), np.array([[1], [1], [0]])
    p = torch.softmax(torch.tensor(logits), 1)[torch.arange(3), wanted[:, 0]]
    weights = torch.tensor([1.0, 2.0])[wanted[:, 0]]
    value = nn.FocalLoss(weight=Tensor([1.0, 2.0]))(Tensor(logits), Tensor(wanted))
    np.testing.assert_allclose(value.asnumpy(), (-weights * (1 - p) ** 2 * p.log()).mean(), rtol=1e-5)
    shares = np.eye(2, dtype=np.float32)[wanted[:, 0]]
    each = (
        -((1 - torch.softmax(torch.tensor(logits), 1)) ** 2)
        * torch.tensor(shares)
        * torch.log_softmax(torch.tensor(logits), 1)
    )
    np.testing.assert_allclose(nn.FocalLoss()(Tensor(logits), Tensor(shares)).asnumpy(), each.mean(), rtol=1e-5)
    soft = np.exp(logits) / np.exp(logits).sum(1, keepdims=True)
    dice = [
        1 - 2 * (soft[:, k] * shares[:, k]).sum() / ((soft[:, k] ** 2 + shares[:, k] ** 2).sum() + 1e-5) for k in (0, 1)
    ]
    loss = nn.MultiClassDiceLoss()(Tensor(logits), Tensor(shares))
    np.testing.assert_allclose(loss.asnumpy(), np.mean(dice), rtol=1e-5)
    loss = nn.MultiClassDiceLoss(ignore_indiex=0, weights=Tensor([5.0, 2.0]))(Tensor(logits), Tensor(shares))
    np.testing.assert_allclose(loss.asnumpy(), dice[1], rtol=1e-5)


def test_bad_losses() -> None:
    with pytest.raises(TypeError, match="gamma"):
        nn.FocalLoss(gamma="2")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="same shape"):
        nn.FocalLoss()(Tensor(SCORES), Tensor([[1]]))
    with pytest.raises(TypeError, match="weights"):
        nn.MultiClassDiceLoss(weights="1")
    with pytest.raises(TypeError, match="ignore_indiex"):
        nn.MultiClassDiceLoss(ignore_indiex="2")  # type: ignore[arg-type]
    with pytest.raises(ValueError, match="eps"):
        nn.GaussianNLLLoss(eps=-1.0)


IMAGE = RNG.random((2, 3, 12, 10)).astype(np.float32)
VOLUME = RNG.random((2, 3, 5, 6, 7)).astype(np.float32)


def test_images() -> None:
    other = RNG.random(IMAGE.shape).astype(np.float32)
    dy, dx = nn.ImageGradients()(Tensor(IMAGE))
    np.testing.assert_array_equal(dy.asnumpy()[:, :, :-1], np.diff(IMAGE, axis=2))
    np.testing.assert_array_equal(dx.asnumpy()[:, :, :, -1], 0)
    ratio = 10 * np.log10(1 / ((IMAGE - other) ** 2).mean((1, 2, 3)))
    np.testing.assert_allclose(nn.PSNR()(Tensor(IMAGE), Tensor(other)).asnumpy(), ratio, rtol=1e-5)
    alike = nn.SSIM(filter_size=5)(Tensor(IMAGE), Tensor(IMAGE))
    np.testing.assert_allclose(alike.asnumpy(), 1, rtol=1e-5)
    assert np.all(nn.SSIM(filter_size=5)(Tensor(IMAGE), Tensor(other)).asnumpy() < 0.9)
    scales = nn.MSSSIM(power_factors=(0.3, 0.7), filter_size=3)
    np.testing.assert_allclose(scales(Tensor(IMAGE), Tensor(IMAGE)).asnumpy(), 1, rtol=1e-5)
    np.testing.assert_array_equal(nn.CentralCrop(0.5)(Tensor(IMAGE)).asnumpy(), IMAGE[:, :, 3:9, 2:8])
    twice = nn.ResizeBilinear()(Tensor(IMAGE), size=(24, 20)).asnumpy()
    np.testing.assert_allclose(twice[:, :, ::2, ::2], IMAGE, rtol=1e-6)
    np.testing.assert_allclose(twice[:, :, 1, 0], (IMAGE[:, :, 0, 0] + IMAGE[:, :, 1, 0]) / 2, rtol=1e-5)
    with pytest.raises(TypeError):
        nn.PSNR("1")
    with pytest.raises(ValueError, match="one shape"):
        nn.SSIM()(Tensor(IMAGE), Tensor(IMAGE[:1]))


@pytest.mark.parametrize(
    ("cell", "theirs", "x"),
    [
        (nn.LPPool2d(2, 3, 2), lambda t: F.lp_pool2d(t, 2, 3, 2), IMAGE),
        (nn.LPPool1d(3, 3), lambda t: F.lp_pool1d(t, 3, 3), IMAGE[0]),
        (nn.PixelUnshuffle(2), lambda t: F.pixel_unshuffle(t, 2), IMAGE),
        (nn.ChannelShuffle(3), lambda t: F.channel_shuffle(t, 3), IMAGE),
        (nn.Roll([1, -2], [2, 3]), lambda t: torch.roll(t, (1, -2), (2, 3)), IMAGE),
        (nn.LGamma(), torch.lgamma, IMAGE + 0.5),
        (nn.MatrixDiag(), torch.diag_embed, IMAGE),
        (nn.MatrixDiagPart(), lambda t: torch.diagonal(t, 0, -2, -1), IMAGE),
        (nn.ReflectionPad3d((1, 2, 1, 0, 2, 1)), lambda t: F.pad(t, (1, 2, 1, 0, 2, 1), mode="reflect"), VOLUME),
        (nn.ReplicationPad3d(1), lambda t: F.pad(t, (1,) * 6, mode="replicate"), VOLUME),
        (nn.MaxPool3d(3, 2, pad_mode="pad", padding=1), lambda t: F.max_pool3d(t, 3, 2, 1), VOLUME),
        (nn.AvgPool3d(3, 2, pad_mode="pad", padding=(1, 1, 1)), lambda t: F.avg_pool3d(t, 3, 2, 1), VOLUME),
        (nn.AdaptiveAvgPool3d((2, None, 3)), lambda t: F.adaptive_avg_pool3d(t, (2, 6, 3)), VOLUME),
        (nn.AdaptiveMaxPool3d(2), lambda t: F.adaptive_max_pool3d(t, 2), VOLUME),
        (nn.MaxPool2d(2, 1, pad_mode="pad", padding=1, dilation=2), lambda t: F.max_pool2d(t, 2, 1, 1, 2), IMAGE),
    ],
)
def test_layers(cell: Any, theirs: Any, x: Any) -> None:
    agree(cell, theirs, x)


def test_convolutions_of_volumes() -> None:
    conv = nn.Conv3d(3, 4, 3, stride=2, pad_mode="pad", padding=1, has_bias=True)
    weight, bias = (torch.tensor(p.asnumpy()) for p in (conv.weight, conv.bias))
    agree(conv, lambda t: F.conv3d(t, weight, bias, stride=2, padding=1), VOLUME)
    back = nn.Conv3dTranspose(3, 2, 3, stride=2, pad_mode="pad", padding=1, output_padding=1)
    turned = torch.tensor(back.weight.asnumpy())
    agree(back, lambda t: F.conv_transpose3d(t, turned, None, 2, 1, 1), VOLUME)
    assert nn.Conv3d(3, 2, (4, 3, 3))(Tensor(VOLUME)).shape == (2, 2, 5, 6, 7)


def test_places_of_maxima() -> None:
    for cell, theirs, x in (
        (
            nn.MaxPool1d(2, 2, pad_mode="pad", return_indices=True),
            lambda t: F.max_pool1d(t, 2, 2, return_indices=True),
            IMAGE[0],
        ),
        (
            nn.MaxPool2d(3, 2, pad_mode="pad", return_indices=True),
            lambda t: F.max_pool2d(t, 3, 2, return_indices=True),
            IMAGE,
        ),
        (
            nn.MaxPool3d(2, 2, pad_mode="pad", return_indices=True),
            lambda t: F.max_pool3d(t, 2, 2, return_indices=True),
            VOLUME,
        ),
        (nn.AdaptiveMaxPool2d(3, True), lambda t: F.adaptive_max_pool2d(t, 3, return_indices=True), IMAGE),
    ):
        agree(cell, theirs, x, slopes=False)
    values, places = F.max_pool2d(torch.tensor(IMAGE), 2, 2, return_indices=True)
    back = nn.MaxUnpool2d(2)(Tensor(values.numpy()), Tensor(places.numpy()))
    np.testing.assert_array_equal(back.asnumpy(), F.max_unpool2d(values, places, 2).numpy())


def test_layers_of_layers() -> None:
    x = Tensor(draw(4, 5, 3))
    dense = nn.Dense(3, 6)
    want = dense(x).asnumpy()
    for cell in (nn.TimeDistributed(dense, 1), nn.TimeDistributed(dense, 1, 0), nn.TimeDistributed(dense, 0, 1)):
        np.testing.assert_allclose(cell(x).asnumpy(), want, rtol=1e-5, atol=1e-6)
    images = nn.TimeDistributed(nn.Conv2d(3, 2, 3), time_axis=0, reshape_with_axis=1)
    assert images(Tensor(draw(4, 2, 3, 6, 6))).shape == (4, 2, 2, 6, 6)
    assert nn.Conv2dBnAct(3, 4, 3, has_bn=True, activation="relu")(Tensor(IMAGE)).asnumpy().min() >= 0
    assert nn.DenseBnAct(3, 4, has_bn=True, activation="leakyrelu")(x[0]).shape == (5, 4)
    whole = nn.Transformer(8, 2, 1, 1, 16, dropout=0.0)
    assert whole(Tensor(draw(5, 2, 8)), Tensor(draw(4, 2, 8))).shape == (4, 2, 8)
    np.testing.assert_array_equal(nn.Range(1, 8, 2)().asnumpy(), [1, 3, 5, 7])
    set_diagonal = nn.MatrixSetDiag()(Tensor(IMAGE), Tensor(IMAGE[..., 0, :])).asnumpy()
    np.testing.assert_array_equal(np.diagonal(set_diagonal, 0, -2, -1), IMAGE[..., 0, :])
    assert nn.Unfold([1, 2, 2, 1], [1, 2, 2, 1], [1, 1, 1, 1], "same")(Tensor(IMAGE)).shape == (2, 12, 6, 5)


def test_products_with_jacobians() -> None:
    x, v = Tensor([[1.0, 2.0], [3.0, 4.0]]), Tensor(np.ones((2, 2), np.float32))

    class Two(nn.Cell):
        def construct(self, a: Any, b: Any) -> Any:
            return 2 * a, b**3

    cubes = np.array([[3.0, 12.0], [27.0, 48.0]])
    _, (by_a, by_b) = nn.Vjp(Two())(x, x, (v, v))
    np.testing.assert_allclose(by_a.asnumpy(), 2)
    np.testing.assert_allclose(by_b.asnumpy(), cubes)
    _, along = nn.Jvp(Two())(x, x, (v, v))
    np.testing.assert_allclose(along[1].asnumpy(), cubes)
    for cell in (nn.Jvp(Two()), nn.Vjp(Two())):
        with pytest.raises(TypeError):
            cell(x, x, v)


def test_methods_that_amend() -> None:
    x = Tensor([[1.0, 2.0, 3.0], [4.0, 5.0, 6.0]])

    def amended(x: Any) -> Any:
        y = x + 0
        y.clamp_(2.0, 5.0)
        y.index_put_((Tensor([0]), Tensor([0])), Tensor([9.0]))
        return y, x.resize(2, 2), x.fill_diagonal(7.0), x.scatter_add(Tensor([[0, 1]]), Tensor([5.0]))

    class Net(nn.Cell):
        def construct(self, x: Any) -> Any:
            return amended(x)

    y, small, diagonal, added = arrays(Net()(x))
    np.testing.assert_array_equal(y, [[9, 2, 3], [4, 5, 5]])
    np.testing.assert_array_equal(small, [[1, 2], [3, 4]])
    np.testing.assert_array_equal(diagonal, [[7, 2, 3], [4, 7, 6]])
    np.testing.assert_array_equal(added, [[1, 7, 3], [4, 5, 6]])
    np.testing.assert_array_equal(x.sum_to_size((1, 3)).asnumpy(), [[5, 7, 9]])
    value, place = x.argmax_with_value(1)
    assert (value.asnumpy().tolist(), place.asnumpy().tolist()) == ([3, 6], [2, 2])
    assert np.all((x + 0).uniform_(2.0, 3.0).asnumpy() >= 2)
    assert ops.index_put(x, (Tensor([0, 0]), Tensor([1, 1])), Tensor([7.0, 8.0]), True).asnumpy()[0, 1] == 17
