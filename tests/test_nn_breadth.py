"""Layers, losses, optimizers and what can be added to Cells: both modes against PyTorch, where it is there, and each other."""

from __future__ import annotations

import copy
import pickle
from collections.abc import Callable, Iterator
from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Parameter, Tensor, context, grad, jit, nn, ops, value_and_grad
from jitcore.common import set_seed

RNG = np.random.default_rng(0)
MODES = (context.GRAPH_MODE, context.PYNATIVE_MODE)


@pytest.fixture(params=MODES, ids=["graph", "pynative"])
def mode(request: pytest.FixtureRequest) -> Iterator[int]:
    context.set_context(mode=request.param)
    yield request.param
    context.set_context(mode=context.GRAPH_MODE)


def draw(*shape: int) -> np.ndarray[Any, Any]:
    return RNG.normal(size=shape).astype(np.float32)


def both_modes(function: Callable[[], Any]) -> Any:
    """What a function gives in graph mode, which PyNative mode must give, too."""
    made = []
    for chosen in MODES:
        context.set_context(mode=chosen)
        made.append(function())
    context.set_context(mode=context.GRAPH_MODE)
    for a, b in zip(*made, strict=True):
        np.testing.assert_allclose(a, b, rtol=1e-4, atol=1e-5)
    return made[0]


def with_gradients(layer: Any, *inputs: np.ndarray[Any, Any]) -> list[Any]:
    """A layer's (first) output, and the gradients of the sum of its squares by inputs and Parameters."""
    weights = layer.trainable_params()

    def loss(*xs: Any) -> Any:
        out = layer(*xs)
        if isinstance(out, tuple):
            out = out[0]
        return (out * out).sum(), out

    def run() -> list[Any]:
        function = value_and_grad(loss, tuple(range(len(inputs))), weights or None, has_aux=True)
        (_, out), gradients = function(*map(Tensor, inputs))
        by_input, by_weight = gradients if weights else (gradients, ())
        return [out.asnumpy(), *(g.asnumpy() for g in by_input), *(g.asnumpy() for g in by_weight)]

    return both_modes(run)


def torch_gradients(function: Callable[..., Any], inputs: tuple[Any, ...], parameters: list[Parameter]) -> list[Any]:
    torch = pytest.importorskip("torch")
    xs = [torch.tensor(x, requires_grad=True) for x in inputs]
    ps = [torch.tensor(p.asnumpy(), requires_grad=True) for p in parameters]
    out = function(torch, torch.nn.functional, *xs, *ps)
    (out * out).sum().backward()
    return [out.detach().numpy(), *(x.grad.numpy() for x in (*xs, *ps))]


X = draw(2, 4, 7, 6)
ZEROS = [[0.0] * 4] * 2

LAYERS: dict[str, tuple[Callable[[], Any], Callable[..., Any], tuple[Any, ...]]] = {
    "SeLU": (nn.SeLU, lambda t, f, x: f.selu(x), (X,)),
    "Mish": (nn.Mish, lambda t, f, x: f.mish(x), (X,)),
    "Softsign": (nn.Softsign, lambda t, f, x: f.softsign(x), (X,)),
    "Softplus": (nn.Softplus, lambda t, f, x: f.softplus(x), (X,)),
    "LogSigmoid": (nn.LogSigmoid, lambda t, f, x: f.logsigmoid(x), (X,)),
    "Tanhshrink": (nn.Tanhshrink, lambda t, f, x: f.tanhshrink(x), (X,)),
    "HSwish": (nn.HSwish, lambda t, f, x: f.hardswish(x), (X,)),
    "HSigmoid": (nn.HSigmoid, lambda t, f, x: f.hardsigmoid(x), (X,)),
    "CELU": (lambda: nn.CELU(0.7), lambda t, f, x: f.celu(x, 0.7), (X,)),
    "ELU": (nn.ELU, lambda t, f, x: f.elu(x), (X,)),
    "LeakyReLU": (nn.LeakyReLU, lambda t, f, x: f.leaky_relu(x, 0.2), (X,)),
    "HShrink": (nn.HShrink, lambda t, f, x: f.hardshrink(x), (X,)),
    "SoftShrink": (nn.SoftShrink, lambda t, f, x: f.softshrink(x), (X,)),
    "Hardtanh": (nn.Hardtanh, lambda t, f, x: f.hardtanh(x), (X,)),
    "GLU": (nn.GLU, lambda t, f, x: f.glu(x), (X,)),
    "GELU": (lambda: nn.GELU(False), lambda t, f, x: f.gelu(x), (X,)),
    "Threshold": (lambda: nn.Threshold(0.1, 3.0), lambda t, f, x: f.threshold(x, 0.1, 3.0), (X,)),
    "PReLU": (lambda: nn.PReLU(4), lambda t, f, x, w: f.prelu(x, w), (X,)),
    "Softmin": (nn.Softmin, lambda t, f, x: f.softmin(x, -1), (X,)),
    "Softmax2d": (nn.Softmax2d, lambda t, f, x: f.softmax(x, -3), (X,)),
    "AvgPool2d, other divisor": (
        lambda: nn.AvgPool2d(2, 2, divisor_override=3),
        lambda t, f, x: f.avg_pool2d(x, 2, 2, divisor_override=3),
        (X,),
    ),
    "MaxPool1d": (lambda: nn.MaxPool1d(3, 2), lambda t, f, x: f.max_pool1d(x, 3, 2), (draw(2, 3, 9),)),
    "AvgPool1d": (lambda: nn.AvgPool1d(3, 2), lambda t, f, x: f.avg_pool1d(x, 3, 2), (draw(2, 3, 9),)),
    "MaxPool2d without a batch": (lambda: nn.MaxPool2d(2, 2), lambda t, f, x: f.max_pool2d(x, 2, 2), (draw(3, 6, 6),)),
    "AdaptiveAvgPool2d": (
        lambda: nn.AdaptiveAvgPool2d((3, 4)),
        lambda t, f, x: f.adaptive_avg_pool2d(x, (3, 4)),
        (X,),
    ),
    "AdaptiveAvgPool2d, one axis": (
        lambda: nn.AdaptiveAvgPool2d((None, 1)),
        lambda t, f, x: f.adaptive_avg_pool2d(x, (None, 1)),
        (X,),
    ),
    "AdaptiveMaxPool2d": (lambda: nn.AdaptiveMaxPool2d(3), lambda t, f, x: f.adaptive_max_pool2d(x, 3), (X,)),
    "AdaptiveAvgPool1d": (
        lambda: nn.AdaptiveAvgPool1d(3),
        lambda t, f, x: f.adaptive_avg_pool1d(x, 3),
        (draw(2, 3, 8),),
    ),
    "Conv1d": (
        lambda: nn.Conv1d(4, 6, 3, 2, "pad", 1, 2, 2, True),
        lambda t, f, x, w, b: f.conv1d(x, w[:, :, 0], b, 2, 1, 2, 2),
        (draw(2, 4, 11),),
    ),
    "Conv2dTranspose": (
        lambda: nn.Conv2dTranspose(4, 6, 3, 2, "pad", 1, has_bias=True, group=2),
        lambda t, f, x, w, b: f.conv_transpose2d(x, w, b, 2, 1, 0, 2),
        (draw(2, 4, 5, 6),),
    ),
    "Conv2dTranspose, valid": (
        lambda: nn.Conv2dTranspose(4, 6, 3, 2, "valid"),
        lambda t, f, x, w: f.conv_transpose2d(x, w, None, 2, 0),
        (draw(2, 4, 5, 6),),
    ),
    "Conv1dTranspose": (
        lambda: nn.Conv1dTranspose(4, 6, 3, 2, "pad", 1),
        lambda t, f, x, w: f.conv_transpose1d(x, w[:, :, 0], None, 2, 1),
        (draw(2, 4, 5),),
    ),
    "GroupNorm": (lambda: nn.GroupNorm(2, 4), lambda t, f, x, g, b: f.group_norm(x, 2, g, b, 1e-5), (X,)),
    "InstanceNorm2d": (
        lambda: nn.InstanceNorm2d(4),
        lambda t, f, x, g, b: f.instance_norm(x, weight=g, bias=b),
        (X,),
    ),
    "LayerNorm": (
        lambda: nn.LayerNorm((7, 6), 2, 2, epsilon=1e-5),
        lambda t, f, x, g, b: f.layer_norm(x, (7, 6), g, b),
        (X,),
    ),
    **{
        f"{layer.__name__} of {rank}": (
            lambda layer=layer: layer(4).set_train(),
            lambda t, f, x, g, b: f.batch_norm(x, t.zeros(4), t.ones(4), g, b, True),
            (draw(*((5, 4, 3, 2, 2)[:rank])),),
        )
        for layer, rank in ((nn.BatchNorm1d, 2), (nn.BatchNorm1d, 3), (nn.BatchNorm2d, 4), (nn.BatchNorm3d, 5))
    },
    "BatchNorm2d, not training": (
        lambda: nn.BatchNorm2d(4),
        lambda t, f, x, g, b: f.batch_norm(x, t.zeros(4), t.ones(4), g, b),
        (X,),
    ),
    "BiDense": (lambda: nn.BiDense(3, 4, 5), lambda t, f, x, y, w, b: f.bilinear(x, y, w, b), (draw(2, 3), draw(2, 4))),
    "Pad": (lambda: nn.Pad(((0, 0), (0, 0), (1, 2), (2, 1))), lambda t, f, x: f.pad(x, (2, 1, 1, 2)), (X,)),
    "Pad, mirrored": (
        lambda: nn.Pad(((0, 0), (0, 0), (1, 2), (2, 1)), "REFLECT"),
        lambda t, f, x: f.pad(x, (2, 1, 1, 2), mode="reflect"),
        (X,),
    ),
    "Norm": (lambda: nn.Norm(1), lambda t, f, x: t.linalg.vector_norm(x, dim=1), (X,)),
    "Upsample": (lambda: nn.Upsample(scale_factor=2), lambda t, f, x: f.interpolate(x, scale_factor=2), (X,)),
    "ReduceLogSumExp": (lambda: nn.ReduceLogSumExp(1), lambda t, f, x: t.logsumexp(x, 1), (X,)),
    "RNN": (
        lambda: nn.RNN(3, 4, batch_first=True),
        lambda t, f, x, *w: t._VF.rnn_tanh(x, t.zeros(1, 2, 4), list(w), True, 1, 0.0, False, False, True)[0],
        (draw(2, 5, 3),),
    ),
    "LSTM": (
        lambda: nn.LSTM(3, 4, 2, bidirectional=True),
        lambda t, f, x, *w: t._VF.lstm(
            x, (t.zeros(4, 2, 4), t.zeros(4, 2, 4)), list(w), True, 2, 0.0, False, True, False
        )[0],
        (draw(5, 2, 3),),
    ),
    "LSTM without biases": (
        lambda: nn.LSTM(3, 4, has_bias=False),
        lambda t, f, x, *w: t._VF.lstm(
            x, (t.zeros(1, 2, 4), t.zeros(1, 2, 4)), list(w), False, 1, 0.0, False, False, False
        )[0],
        (draw(5, 2, 3),),
    ),
    "GRU": (
        lambda: nn.GRU(3, 4),
        lambda t, f, x, *w: t._VF.gru(x, t.zeros(1, 2, 4), list(w), True, 1, 0.0, False, False, False)[0],
        (draw(5, 2, 3),),
    ),
    "RNNCell": (lambda: nn.RNNCell(3, 4), lambda t, f, *a: t._VF.rnn_tanh_cell(*a), (draw(2, 3), draw(2, 4))),
    "GRUCell": (lambda: nn.GRUCell(3, 4), lambda t, f, *a: t._VF.gru_cell(*a), (draw(2, 3), draw(2, 4))),
}


@pytest.mark.parametrize("name", LAYERS)
def test_layers(name: str) -> None:
    make, function, inputs = LAYERS[name]
    layer = make()
    have = with_gradients(layer, *inputs)
    want = torch_gradients(function, inputs, layer.trainable_params())
    for h, w in zip(have, want, strict=True):
        np.testing.assert_allclose(h, w, rtol=2e-3, atol=2e-4)


@pytest.mark.parametrize("ceil", [False, True])
@pytest.mark.parametrize("padding", [0, 1])
def test_pooling(padding: int, ceil: bool) -> None:
    mode = "pad" if padding else "valid"
    have = with_gradients(nn.MaxPool2d(3, 2, mode, padding, ceil_mode=ceil), X)
    want = torch_gradients(lambda t, f, x: f.max_pool2d(x, 3, 2, padding, ceil_mode=ceil), (X,), [])
    for h, w in zip(have, want, strict=True):
        np.testing.assert_allclose(h, w, rtol=1e-5)
    for include in (True, False):
        layer = nn.AvgPool2d(3, 2, mode, padding, ceil_mode=ceil, count_include_pad=include)
        how = {"ceil_mode": ceil, "count_include_pad": include}
        want = torch_gradients(lambda t, f, x, how=how: f.avg_pool2d(x, 3, 2, padding, **how), (X,), [])
        for h, w in zip(with_gradients(layer, X), want, strict=True):
            np.testing.assert_allclose(h, w, rtol=1e-4, atol=1e-6)


def test_running_statistics(mode: int) -> None:
    layer = nn.BatchNorm2d(4, momentum=0.8).set_train()
    mean, variance = np.zeros(4), np.ones(4)
    for _ in range(3):
        x = draw(3, 4, 2, 5)
        layer(Tensor(x))
        mean = 0.8 * mean + 0.2 * x.mean((0, 2, 3))
        variance = 0.8 * variance + 0.2 * x.var((0, 2, 3), ddof=1)
    np.testing.assert_allclose(layer.moving_mean.asnumpy(), mean, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(layer.moving_variance.asnumpy(), variance, rtol=1e-4)
    x = draw(2, 4, 3, 3)
    want = (x - mean.reshape(4, 1, 1)) / np.sqrt(variance.reshape(4, 1, 1) + 1e-5)
    np.testing.assert_allclose(layer.set_train(False)(Tensor(x)).asnumpy(), want, rtol=1e-3, atol=1e-4)


def test_sequences_that_end_early(mode: int) -> None:
    x, lengths = draw(5, 3, 2), Tensor([5, 2, 3])
    for layer in (nn.LSTM(2, 4), nn.GRU(2, 4), nn.RNN(2, 4)):
        whole, _ = layer(Tensor(x))
        out, last = layer(Tensor(x), None, lengths)
        h = last[0] if isinstance(last, tuple) else last
        for row, length in enumerate((5, 2, 3)):
            np.testing.assert_allclose(out.asnumpy()[:length, row], whole.asnumpy()[:length, row], rtol=1e-5)
            assert not out.asnumpy()[length:, row].any()
            np.testing.assert_allclose(h.asnumpy()[0, row], whole.asnumpy()[length - 1, row], rtol=1e-5)


def test_embeddings(mode: int) -> None:
    layer = nn.Embedding(5, 3, padding_idx=2)
    table = layer.embedding_table.asnumpy()
    assert not table[2].any()
    ids = np.array([[0, 2], [4, 4]])
    np.testing.assert_array_equal(layer(Tensor(ids)).asnumpy(), table[ids])
    gradient = grad(lambda i: layer(i).sum(), None, layer.embedding_table)(Tensor(ids))
    np.testing.assert_array_equal(
        gradient.asnumpy() if not isinstance(gradient, tuple) else gradient[0].asnumpy(),
        np.bincount(ids.ravel(), minlength=5)[:, None] * np.ones((5, 3)),
    )
    np.testing.assert_allclose(nn.EmbeddingLookup(5, 3, max_norm=0.5)(Tensor(ids)).asnumpy().shape, (2, 2, 3))


def test_one_hot_and_clip(mode: int) -> None:
    hot = nn.OneHot(depth=3, on_value=2.0, off_value=-1.0)(Tensor([0, 2])).asnumpy()
    np.testing.assert_array_equal(hot, [[2, -1, -1], [-1, -1, 2]])
    x = draw(3, 4)
    clipped = nn.ClipByNorm()(Tensor(x), Tensor(0.5)).asnumpy()
    np.testing.assert_allclose(np.linalg.norm(clipped), 0.5, rtol=1e-5)
    np.testing.assert_allclose(nn.ClipByNorm()(Tensor(x), Tensor(50.0)).asnumpy(), x, rtol=1e-5)


# --- losses ---------------------------------------------------------------------------------------------

A, B, P = draw(4, 3), draw(4, 3), (RNG.random((4, 3)) * 0.8 + 0.1).astype(np.float32)
Q = (P / P.sum(1, keepdims=True)).astype(np.float32)
SIGNS = np.array([1, -1, 1, -1], np.float32)
CLASSES = np.array([0, 2, 1, 2])

LOSSES: dict[str, tuple[Callable[[str], Any], Callable[..., Any], tuple[Any, ...]]] = {
    "L1Loss": (nn.L1Loss, lambda f, r, *a: f.l1_loss(*a, reduction=r), (A, B)),
    "MAELoss": (nn.MAELoss, lambda f, r, *a: f.l1_loss(*a, reduction=r), (A, B)),
    "MSELoss": (nn.MSELoss, lambda f, r, *a: f.mse_loss(*a, reduction=r), (A, B)),
    "SmoothL1Loss": (
        lambda r: nn.SmoothL1Loss(0.5, r),
        lambda f, r, *a: f.smooth_l1_loss(*a, reduction=r, beta=0.5),
        (A, B),
    ),
    "HuberLoss": (lambda r: nn.HuberLoss(r, 0.7), lambda f, r, *a: f.huber_loss(*a, reduction=r, delta=0.7), (A, B)),
    "BCELoss": (lambda r: nn.BCELoss(None, r), lambda f, r, *a: f.binary_cross_entropy(*a, reduction=r), (P, Q)),
    "BCEWithLogitsLoss": (
        lambda r: nn.BCEWithLogitsLoss(r, Tensor(P), Tensor([2.0, 3.0, 1.0])),
        lambda f, r, *a: f.binary_cross_entropy_with_logits(
            *a, weight=a[0].new_tensor(P), reduction=r, pos_weight=a[0].new_tensor([2.0, 3.0, 1.0])
        ),
        (A, P),
    ),
    "KLDivLoss": (nn.KLDivLoss, lambda f, r, *a: f.kl_div(*a, reduction=r), (np.log(P), Q)),
    "SoftMarginLoss": (
        nn.SoftMarginLoss,
        lambda f, r, *a: f.soft_margin_loss(*a, reduction=r),
        (A[:, 0].copy(), SIGNS),
    ),
    "HingeEmbeddingLoss": (
        lambda r: nn.HingeEmbeddingLoss(0.5, r),
        lambda f, r, *a: f.hinge_embedding_loss(*a, margin=0.5, reduction=r),
        (A[:, 0].copy(), SIGNS),
    ),
    "CosineEmbeddingLoss": (
        lambda r: nn.CosineEmbeddingLoss(0.1, r),
        lambda f, r, *a: f.cosine_embedding_loss(*a, margin=0.1, reduction=r),
        (A, B, SIGNS),
    ),
    "MarginRankingLoss": (
        lambda r: nn.MarginRankingLoss(0.1, r),
        lambda f, r, *a: f.margin_ranking_loss(*a, margin=0.1, reduction=r),
        (A[:, 0].copy(), B[:, 0].copy(), SIGNS),
    ),
    "CrossEntropyLoss": (
        lambda r: nn.CrossEntropyLoss(Tensor([1.0, 2.0, 3.0]), 1, r, 0.1),
        lambda f, r, *a: f.cross_entropy(
            *a, weight=a[0].new_tensor([1.0, 2.0, 3.0]), ignore_index=1, reduction=r, label_smoothing=0.1
        ),
        (A, CLASSES),
    ),
    "CrossEntropyLoss of probabilities": (
        lambda r: nn.CrossEntropyLoss(reduction=r),
        lambda f, r, *a: f.cross_entropy(*a, reduction=r),
        (A, Q),
    ),
    "NLLLoss": (lambda r: nn.NLLLoss(reduction=r), lambda f, r, *a: f.nll_loss(*a, reduction=r), (A, CLASSES)),
    "SoftmaxCrossEntropyWithLogits": (
        lambda r: nn.SoftmaxCrossEntropyWithLogits(True, r),
        lambda f, r, *a: f.cross_entropy(*a, reduction=r),
        (A, CLASSES),
    ),
}


@pytest.mark.filterwarnings("ignore:reduction. 'mean' divides:UserWarning")
@pytest.mark.parametrize("name", LOSSES)
def test_losses(name: str) -> None:
    torch = pytest.importorskip("torch")
    make, function, inputs = LOSSES[name]
    arguments = tuple(map(Tensor, inputs))
    for reduction in ("mean", "sum", "none"):
        if name == "CrossEntropyLoss of probabilities" and reduction == "mean":
            continue  # a mean over all elements, as MindSpore has it
        layer = make(reduction)

        def run(layer: Any = layer) -> list[Any]:
            value, gradient = value_and_grad(lambda *args: layer(*args).sum())(*arguments)
            return [layer(*arguments).asnumpy(), value.asnumpy(), gradient.asnumpy()]

        have = both_modes(run)
        xs = [torch.tensor(x, requires_grad=k == 0) for k, x in enumerate(inputs)]
        want = function(torch.nn.functional, reduction, *xs)
        want.sum().backward()
        np.testing.assert_allclose(have[0], want.detach().numpy(), rtol=1e-4, atol=1e-6)
        np.testing.assert_allclose(have[2], xs[0].grad.numpy(), rtol=1e-3, atol=1e-5)


def test_other_losses(mode: int) -> None:
    a, b = Tensor(A), Tensor(B)
    np.testing.assert_allclose(float(nn.RMSELoss()(a, b)), np.sqrt(((A - B) ** 2).mean()), rtol=1e-5)
    dice = 1 - 2 * (P * Q).sum() / ((P**2).sum() + (Q**2).sum() + 1e-5)
    np.testing.assert_allclose(float(nn.DiceLoss()(Tensor(P), Tensor(Q))), dice, rtol=1e-4)
    with pytest.raises(ValueError, match="reduction"):
        nn.HuberLoss("most")


# --- optimizers -----------------------------------------------------------------------------------------

W = [draw(4, 3), draw(3)]
GRADIENTS = [(draw(4, 3), draw(3)) for _ in range(5)]

OPTIMIZERS: dict[str, tuple[Callable[[Any], Any], Callable[[Any, Any], Any] | None]] = {
    "SGD": (
        lambda p: nn.SGD(p, 0.1, 0.9, weight_decay=0.01, nesterov=True),
        lambda t, p: t.SGD(p, 0.1, 0.9, weight_decay=0.01, nesterov=True),
    ),
    "SGD, dampened": (lambda p: nn.SGD(p, 0.1, 0.9, 0.3), lambda t, p: t.SGD(p, 0.1, 0.9, 0.3)),
    "Momentum": (lambda p: nn.Momentum(p, 0.1, 0.9), lambda t, p: t.SGD(p, 0.1, 0.9)),
    "Adam": (lambda p: nn.Adam(p, 0.01, eps=1e-12), lambda t, p: t.Adam(p, 0.01, eps=1e-12)),
    "AdamW": (lambda p: nn.AdamW(p, 0.01), lambda t, p: t.AdamW(p, 0.01)),
    "AdaMax": (lambda p: nn.AdaMax(p, 0.01), lambda t, p: t.Adamax(p, 0.01)),
    "Adagrad": (
        lambda p: nn.Adagrad(p, 0.1, 0.01),
        lambda t, p: t.Adagrad(p, 0.01, initial_accumulator_value=0.1, eps=0),
    ),
    "Adadelta": (lambda p: nn.Adadelta(p, 1.0, 0.9, 1e-6), lambda t, p: t.Adadelta(p, 1.0, 0.9, 1e-6)),
    "RMSProp": (
        lambda p: nn.RMSProp(p, 0.01, 0.9, 0.5, 1e-12),
        lambda t, p: t.RMSprop(p, 0.01, 0.9, 1e-12, momentum=0.5),
    ),
    "RMSProp, centred": (
        lambda p: nn.RMSProp(p, 0.01, 0.9, 0.0, 1e-12, centered=True),
        lambda t, p: t.RMSprop(p, 0.01, 0.9, 1e-12, centered=True),
    ),
    "ASGD": (
        lambda p: nn.ASGD(p, 0.1, t0=2.0, weight_decay=0.01),
        lambda t, p: t.ASGD(p, 0.1, t0=2.0, weight_decay=0.01),
    ),
    "Rprop": (lambda p: nn.Rprop(p, 0.1), lambda t, p: t.Rprop(p, 0.1)),
    "loss scale": (lambda p: nn.SGD(p, 0.2, loss_scale=2.0), lambda t, p: t.SGD(p, 0.1)),
    "FTRL": (lambda p: nn.FTRL(p, l1=0.1, l2=0.2), None),
    "a rate each step": (lambda p: nn.SGD(p, [0.1, 0.2, 0.3]), None),
    "a schedule": (lambda p: nn.SGD(p, nn.CosineDecayLR(0.01, 0.1, 4), weight_decay=nn.WarmUpLR(0.1, 3)), None),
}


def trained(make: Callable[[Any], Any]) -> list[Any]:
    parameters = [Parameter(Tensor(w), name=n) for w, n in zip(W, "wb", strict=True)]
    optimizer = make(parameters)
    for gradients in GRADIENTS:
        optimizer(tuple(map(Tensor, gradients)))
    return [p.asnumpy() for p in parameters]


@pytest.mark.parametrize("name", OPTIMIZERS)
def test_optimizers(name: str) -> None:
    make, peer = OPTIMIZERS[name]
    have = both_modes(lambda: trained(make))
    if peer is None:
        return
    torch = pytest.importorskip("torch")
    parameters = [torch.tensor(w.copy(), requires_grad=True) for w in W]
    optimizer = peer(torch.optim, parameters)
    for gradients in GRADIENTS:
        for p, g in zip(parameters, gradients, strict=True):
            p.grad = torch.tensor(g)
        optimizer.step()
    for h, p in zip(have, parameters, strict=True):
        np.testing.assert_allclose(h, p.detach().numpy(), rtol=1e-4, atol=1e-6)


def adam_moments(w: Any, step: Callable[[int, Any, Any, Any], Any]) -> Any:
    """Five steps with the running means that Adam and its kin have."""
    m, v = np.zeros_like(w), np.zeros_like(w)
    for k, (g, _) in enumerate(GRADIENTS, 1):
        m, v = 0.9 * m + 0.1 * g, 0.999 * v + 0.001 * g * g
        w = step(k, w, m, v)
    return w


def test_optimizers_that_pytorch_has_not() -> None:
    def weight_decay(k: int, w: Any, m: Any, v: Any) -> Any:
        return w - 0.01 * (m / (np.sqrt(v) + 1e-6) + 0.1 * w)

    def lamb(k: int, w: Any, m: Any, v: Any) -> Any:
        update = m / (1 - 0.9**k) / (np.sqrt(v / (1 - 0.999**k)) + 1e-6) + 0.1 * w
        return w - 0.01 * np.linalg.norm(w) / np.linalg.norm(update) * update

    for make, step in (
        (lambda p: nn.AdamWeightDecay(p, 0.01, weight_decay=0.1), weight_decay),
        (lambda p: nn.Lamb(p, 0.01, weight_decay=0.1), lamb),
    ):
        np.testing.assert_allclose(both_modes(lambda make=make: trained(make))[0], adam_moments(W[0], step), rtol=1e-3)


def test_lars() -> None:
    w = W[0]
    for g, _ in GRADIENTS:
        length, slope = np.linalg.norm(w), np.linalg.norm(g)
        w = w - 0.1 * 0.01 * length / (slope + 0.1 * length + 1e-5) * (g + 0.1 * w)
    have = both_modes(lambda: trained(lambda p: nn.LARS(nn.SGD(p, 0.1, weight_decay=0.1), coefficient=0.01)))
    np.testing.assert_allclose(have[0], w, rtol=1e-4)


def test_groups_of_parameters() -> None:
    def make(p: Any) -> Any:
        first = {"params": [p[0]], "lr": 0.3, "weight_decay": 0.1, "grad_centralization": True}
        return nn.SGD([{"params": [p[1]]}, first, {"order_params": p}], 0.1)

    w, b = W
    for g, h in GRADIENTS:
        w = w - 0.3 * (g - g.mean(1, keepdims=True) + 0.1 * w)
        b = b - 0.1 * h
    have = both_modes(lambda: trained(make))
    np.testing.assert_allclose(have[0], w, rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(have[1], b, rtol=1e-4, atol=1e-6)
    p = [Parameter(Tensor(x), name=n) for x, n in zip(W, "wb", strict=True)]
    wrong: list[tuple[type[Exception], Callable[[], Any]]] = [
        (TypeError, lambda: nn.SGD([1], 0.1)),
        (TypeError, lambda: nn.SGD(p, "fast")),
        (TypeError, lambda: nn.SGD(p, 0.1, weight_decay="some")),
        (TypeError, lambda: nn.Adam(p, beta1=1)),
        (ValueError, lambda: nn.SGD([], 0.1)),
        (ValueError, lambda: nn.SGD([p[0], p[0]], 0.1)),
        (ValueError, lambda: nn.SGD([{"params": p, "speed": 1}], 0.1)),
        (ValueError, lambda: nn.SGD([{"params": []}], 0.1)),
        (ValueError, lambda: nn.SGD([{"params": [p[0]]}, {"order_params": p}], 0.1)),
        (ValueError, lambda: nn.SGD(p, -0.1)),
        (ValueError, lambda: nn.Adam(p, beta2=1.5)),
        (ValueError, lambda: nn.RMSProp(p, epsilon=0.0)),
    ]
    for error, function in wrong:
        with pytest.raises(error):
            function()


def test_schedules(mode: int) -> None:
    pairs = [
        (nn.ExponentialDecayLR(0.1, 0.9, 4), nn.exponential_decay_lr(0.1, 0.9, 12, 1, 4)),
        (nn.ExponentialDecayLR(0.1, 0.9, 4, True), nn.exponential_decay_lr(0.1, 0.9, 12, 1, 4, True)),
        (nn.InverseDecayLR(0.1, 0.9, 4), nn.inverse_decay_lr(0.1, 0.9, 12, 1, 4)),
        (nn.CosineDecayLR(0.01, 0.1, 10), nn.cosine_decay_lr(0.01, 0.1, 12, 1, 10)),
        (nn.PolynomialDecayLR(0.1, 0.01, 5, 0.5), nn.polynomial_decay_lr(0.1, 0.01, 12, 1, 5, 0.5)),
        (nn.PolynomialDecayLR(0.1, 0.01, 5, 2.0, True), nn.polynomial_decay_lr(0.1, 0.01, 12, 1, 5, 2.0, True)),
        (nn.WarmUpLR(0.1, 5), nn.warmup_lr(0.1, 12, 1, 5)),
    ]
    for cell, rates in pairs:
        have = [float(cell(Tensor(k, "int32"))) for k in range(12)]
        np.testing.assert_allclose(have, rates, rtol=1e-5, atol=1e-8)
    natural = nn.NaturalExpDecayLR(0.1, 0.9, 4, True)
    np.testing.assert_allclose(float(natural(Tensor(6, "int32"))), 0.1 * np.exp(-0.9 * 4), rtol=1e-5)
    assert nn.piecewise_constant_lr([2, 3], [0.1, 0.01]) == [0.1, 0.1, 0.01]


# --- what can be added to Cells ---------------------------------------------------------------------------


class Net(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.dense = nn.Dense(3, 2, weight_init="ones", bias_init="zeros")
        self.relu = nn.ReLU()

    def construct(self, x: Any) -> Any:
        return self.relu(self.dense(x)).sum()


ONES = Tensor(np.array([[1.0, 2.0, 3.0]], np.float32))


def test_forward_hooks(mode: int) -> None:
    net = Net()
    assert float(net(ONES)) == 12
    twice = net.dense.register_forward_pre_hook(lambda cell, inputs: (inputs[0] * 2,))
    assert float(net(ONES)) == 24
    more = net.dense.register_forward_hook(lambda cell, inputs, output: output + cell.out_channels)
    assert float(net(ONES)) == 28
    assert isinstance(net.dense, nn.Dense)
    assert repr(net.dense).startswith("Dense<input_channels=3")
    other = copy.deepcopy(net)
    twice.remove()
    twice.remove()
    assert float(net(ONES)) == 16
    more.remove()
    assert (float(net(ONES)), float(other(ONES))) == (12, 28)
    np.testing.assert_array_equal(grad(other)(ONES).asnumpy(), [[4, 4, 4]])
    with pytest.raises(TypeError):
        net.register_forward_hook(3)  # type: ignore[arg-type]


def test_hooked_cells_are_pickled() -> None:
    layer = nn.Dense(3, 2)
    layer.to_float(jitcore.float16)
    made = pickle.loads(pickle.dumps(layer))
    np.testing.assert_array_equal(made(ONES).asnumpy(), layer(ONES).asnumpy())


@pytest.mark.filterwarnings("ignore::jitcore.runtime.dispatch.FallbackWarning")
def test_backward_hooks(mode: int) -> None:
    net = Net()
    seen: list[Any] = []

    def hook(cell: Any, inputs: Any, outputs: Any) -> Any:
        seen.append((inputs[0].asnumpy(), outputs[0].asnumpy()))
        return (inputs[0] * 10,)

    handle = net.dense.register_backward_hook(hook)
    np.testing.assert_array_equal(grad(net)(ONES).asnumpy(), [[20, 20, 20]])
    np.testing.assert_array_equal(seen[0][0], [[2, 2, 2]])
    np.testing.assert_array_equal(seen[0][1], [[1, 1]])
    handle.remove()
    before = net.dense.register_backward_pre_hook(lambda cell, outputs: (outputs[0] * 3,))
    np.testing.assert_array_equal(grad(net)(ONES).asnumpy(), [[6, 6, 6]])
    before.remove()
    np.testing.assert_array_equal(grad(net)(ONES).asnumpy(), [[2, 2, 2]])


def test_to_float(mode: int) -> None:
    net = Net().to_float(jitcore.float16)
    assert net(ONES).dtype is jitcore.float16
    assert net.dense(ONES).dtype is jitcore.float16
    with pytest.raises(ValueError, match="to_float"):
        net.to_float(jitcore.int32)


class OwnGradient(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.shift = Parameter(Tensor([5.0]), name="shift")
        self.factor = 3.0

    def construct(self, x: Any, y: Any) -> Any:
        return ops.sin(x) * y

    def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
        if self.factor > 2:
            return dout * x * self.factor + self.shift, out * 2
        return dout, dout


class Pair(nn.Cell):
    def construct(self, x: Any, n: Any) -> Any:
        return x * 2, x + n

    def bprop(self, x: Any, n: Any, out: Any, dout: Any) -> Any:
        return dout[0] * 10 + dout[1] * 100, None


class Uses(nn.Cell):
    def __init__(self) -> None:
        super().__init__()
        self.own = OwnGradient()
        self.pair = Pair()

    def construct(self, x: Any, y: Any, rounds: Any) -> Any:
        k = 0
        while k < rounds:
            x = self.own(x, y)
            k = k + 1
        a, b = self.pair(x, 3)
        return (a * b).sum()


def test_gradients_of_cells_with_bprop(mode: int) -> None:
    x, y = np.array([1.0, 2.0], np.float32), np.array([0.5, 0.6], np.float32)
    own = OwnGradient()
    by_x, by_y = grad(own, (0, 1))(Tensor(x), Tensor(y))
    np.testing.assert_allclose(by_x.asnumpy(), 3 * x + 5)
    np.testing.assert_allclose(by_y.asnumpy(), 2 * np.sin(x) * y, rtol=1e-6)
    have = grad(Uses(), (0, 1))(Tensor(x), Tensor(y), 2)
    first = np.sin(x) * y
    second = np.sin(first) * y
    ct = (second + 3) * 10 + 2 * second * 100
    middle = ct * first * 3 + 5
    np.testing.assert_allclose(have[0].asnumpy(), middle * x * 3 + 5, rtol=1e-4)
    np.testing.assert_allclose(have[1].asnumpy(), 2 * second + 2 * first, rtol=1e-4)
    own.factor = 1.0
    np.testing.assert_array_equal(grad(own)(Tensor(x), Tensor(y)).asnumpy(), [1, 1])


def test_gradients_of_the_users_own(mode: int) -> None:
    clip = ops.InsertGradientOf(lambda g: ops.clip_by_value(g, -1.0, 1.0))
    hook = ops.HookBackward(lambda g: (g[0] * 2, g[1] * 5))

    def f(x: Any, y: Any) -> Any:
        a, b = hook(x, y)
        return clip(x) * 3 + a * b

    x, y = grad(f, (0, 1))(Tensor([2.0]), Tensor([4.0]))
    np.testing.assert_array_equal(x.asnumpy(), [1 + 8])
    np.testing.assert_array_equal(y.asnumpy(), [10])


def test_a_bprop_of_the_wrong_kind(mode: int) -> None:
    class Few(nn.Cell):
        def construct(self, x: Any, y: Any) -> Any:
            return x * y

        def bprop(self, x: Any, y: Any, out: Any, dout: Any) -> Any:
            return (dout,)

    with pytest.raises(ValueError, match="1 gradients for 2 arguments"):
        grad(Few())(Tensor([1.0]), Tensor([2.0]))


def test_second_gradients_go_through_bprop(mode: int) -> None:
    class Cube(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * x * x

        def bprop(self, x: Any, out: Any, dout: Any) -> Any:
            return dout * x * x * 4

    cube = Cube()
    np.testing.assert_allclose(grad(lambda x: grad(lambda y: cube(y).sum())(x).sum())(Tensor([3.0])).asnumpy(), [24.0])


def test_containers_by_name(mode: int) -> None:
    class Chosen(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.parts = nn.CellDict({"relu": nn.ReLU(), "dense": nn.Dense(3, 2, "ones", "zeros")})

        def construct(self, x: Any) -> Any:
            return self.parts["dense"](self.parts["relu"](x))

    net = Chosen()
    np.testing.assert_array_equal(net(ONES).asnumpy(), [[6, 6]])
    assert [p.name for p in net.get_parameters()] == ["parts.dense.weight", "parts.dense.bias"]
    assert list(net.parts.keys()) == ["relu", "dense"]
    assert "relu" in net.parts
    net.parts.pop("relu")
    assert len(net.parts) == 1


def test_loss_scaling(mode: int) -> None:
    set_seed(0)
    net = nn.Dense(3, 1, "ones", "zeros")
    scale = nn.DynamicLossScaleUpdateCell(2.0**10, 2, 3)
    step = nn.TrainOneStepWithLossScaleCell(
        nn.WithLossCell(net, nn.MSELoss()), nn.SGD(net.trainable_params(), 0.01), scale
    )
    x, y = Tensor(draw(4, 3)), Tensor(draw(4, 1))
    scales = []
    for _ in range(5):
        _, overflow, used = step(x, y)
        assert not bool(overflow)
        scales.append(float(used))
    assert scales == [1024, 1024, 1024, 2048, 2048]
    before = net.weight.asnumpy().copy()
    _, overflow, _ = step(Tensor(np.full((4, 3), np.inf, np.float32)), y)
    assert bool(overflow)
    np.testing.assert_array_equal(net.weight.asnumpy(), before)
    assert float(step.scale_sense) == 1024


def test_reprs_and_flags() -> None:
    assert repr(nn.Dropout(p=0.25)) == "Dropout<p=0.25>"
    assert repr(nn.LeakyReLU()) == "LeakyReLU<alpha=0.2>"
    net = Net().add_flags(fast=True)
    assert net.get_flags() == {"fast": True}
    assert net.get_sub_cell("dense") is net.dense
    with pytest.raises(NotImplementedError):
        nn.LearningRateSchedule()(1)
    assert jit(lambda x: nn.get_activation("relu")(x)) is not None


# --- attention ------------------------------------------------------------------------------------------


def attention(t: Any, f: Any, q: Any, k: Any, v: Any, w: Any, b: Any, ow: Any, ob: Any, **masks: Any) -> Any:
    return f.multi_head_attention_forward(q, k, v, 8, 2, w, b, None, None, False, 0.0, ow, ob, **masks)[0]


def test_attention() -> None:
    inputs = (draw(5, 3, 8), draw(4, 3, 8), draw(4, 3, 8))
    layer = nn.MultiheadAttention(8, 2)
    have = with_gradients(layer, *inputs)
    want = torch_gradients(attention, inputs, layer.trainable_params())
    for h, w in zip(have, want, strict=True):
        np.testing.assert_allclose(h, w, rtol=2e-3, atol=2e-4)
    other = nn.MultiheadAttention(8, 2, kdim=3, vdim=5, batch_first=True)
    out, weights = other(Tensor(draw(2, 5, 8)), Tensor(draw(2, 4, 3)), Tensor(draw(2, 4, 5)))
    assert (out.shape, weights.shape) == ((2, 5, 8), (2, 5, 4))
    np.testing.assert_allclose(weights.asnumpy().sum(-1), 1, rtol=1e-5)
    with pytest.raises(ValueError, match="heads"):
        nn.MultiheadAttention(8, 3)


class Masked(nn.Cell):
    later = np.triu(np.ones((5, 5), bool), 1)
    padding = np.array([[False] * 5, [False] * 3 + [True] * 2])

    def __init__(self) -> None:
        super().__init__()
        self.attention = nn.MultiheadAttention(8, 2)
        self.mask = Tensor(self.later)
        self.key_mask = Tensor(self.padding)

    def construct(self, x: Any) -> Any:
        return self.attention(x, x, x, self.key_mask, False, self.mask)[0]


def test_masked_attention() -> None:
    x = draw(5, 2, 8)
    layer = Masked()

    def masked(t: Any, f: Any, x: Any, *weights: Any) -> Any:
        masks = {"attn_mask": t.tensor(Masked.later), "key_padding_mask": t.tensor(Masked.padding)}
        return attention(t, f, x, x, x, *weights, **masks)

    want = torch_gradients(masked, (x,), layer.trainable_params())
    for h, w in zip(with_gradients(layer, x), want, strict=True):
        np.testing.assert_allclose(h, w, rtol=2e-3, atol=2e-4)


@pytest.mark.parametrize("first", [False, True])
def test_transformer_layers(first: bool) -> None:
    torch = pytest.importorskip("torch")
    source, target = draw(5, 2, 8), draw(4, 2, 8)
    encoder = nn.TransformerEncoderLayer(8, 2, 16, 0.0, norm_first=first)
    decoder = nn.TransformerDecoderLayer(8, 2, 16, 0.0, norm_first=first)
    peers = (
        torch.nn.TransformerEncoderLayer(8, 2, 16, 0.0, norm_first=first),
        torch.nn.TransformerDecoderLayer(8, 2, 16, 0.0, norm_first=first),
    )
    for layer, peer in zip((encoder, decoder), peers, strict=True):
        own = layer.parameters_dict()
        for name, value in peer.state_dict().items():
            renamed = name.replace("weight", "gamma").replace("bias", "beta") if ".norm" in f".{name}" else name
            own.pop(renamed).set_data(Tensor(value.numpy()))
        assert not own
    memory = peers[0](torch.tensor(source))
    want = peers[1](torch.tensor(target), memory).detach().numpy()
    have = both_modes(lambda: [decoder(Tensor(target), encoder(Tensor(source))).asnumpy()])[0]
    np.testing.assert_allclose(have, want, rtol=1e-3, atol=1e-4)
    stacked = nn.TransformerEncoder(encoder, 2, nn.LayerNorm((8,)))
    names = [p.name for p in stacked.get_parameters()]
    assert names[0] == "layers.0.self_attn.in_proj_weight"
    assert len(set(names)) == len(names) == 2 * 12 + 2
    with_gradients(nn.TransformerDecoder(decoder, 2), target, source)


# --- small Cells, steps of training that users write ---------------------------------------------------------


def test_borders(mode: int) -> None:
    functional = pytest.importorskip("torch").nn.functional
    torch = pytest.importorskip("torch")
    x = draw(2, 3, 5, 4)
    for layer, padding, how in (
        (nn.ConstantPad2d((1, 2, 0, 3), 7.0), (1, 2, 0, 3), {"value": 7.0}),
        (nn.ConstantPad1d(2, -1.0), (2, 2), {"value": -1.0}),
        (nn.ZeroPad2d(1), (1, 1, 1, 1), {}),
        (nn.ReflectionPad2d((1, 2, 3, 0)), (1, 2, 3, 0), {"mode": "reflect"}),
        (nn.ReplicationPad2d((1, 2, 3, 0)), (1, 2, 3, 0), {"mode": "replicate"}),
    ):
        want = functional.pad(torch.tensor(x), padding, **how)
        np.testing.assert_array_equal(layer(Tensor(x)).asnumpy(), want.numpy())
    y = draw(2, 18, 3, 2)
    want = functional.pixel_shuffle(torch.tensor(y), 3)
    np.testing.assert_array_equal(nn.PixelShuffle(3)(Tensor(y)).asnumpy(), want.numpy())


def test_operators_as_cells(mode: int) -> None:
    x = draw(3, 4)
    np.testing.assert_allclose(nn.MatMul(True)(Tensor(x), Tensor(x)).asnumpy(), x.T @ x, rtol=1e-4)
    np.testing.assert_array_equal(nn.Tril()(Tensor(x), 1).asnumpy(), np.tril(x, 1))
    mean, variance = nn.Moments(1)(Tensor(x))
    np.testing.assert_allclose(mean.asnumpy(), x.mean(1), rtol=1e-4, atol=1e-6)
    np.testing.assert_allclose(variance.asnumpy(), x.var(1), rtol=1e-4)
    same = nn.Identity(3, fast=True)(Tensor(x))
    np.testing.assert_array_equal(same.asnumpy(), x)


class OwnStep(nn.TrainOneStepCell):
    """As MindSpore's users write it: the loss, then the gradients for a cotangent, then the optimizer."""

    def construct(self, *inputs: Any) -> Any:
        loss = self.network(*inputs)
        sens = ops.ones_like(loss) * self.sens
        grads = self.grad(self.network, self.weights)(*inputs, sens)
        grads = self.grad_reducer(grads)
        return ops.depend(loss, self.optimizer(grads))


def test_steps_of_training_that_users_write(mode: int) -> None:
    x, y = Tensor(draw(4, 3)), Tensor(draw(4, 1))

    def weights(step_class: Any, **how: Any) -> Any:
        net = nn.Dense(3, 1, "ones", "zeros")
        with_loss = nn.WithLossCell(net, nn.MSELoss())
        step = step_class(with_loss, nn.Adam(net.trainable_params(), 0.1), **how)
        made = [step(x, y) for _ in range(3)]
        return net.weight.asnumpy(), made[-1]

    want, loss = weights(nn.TrainOneStepCell, sens=2.0)
    have, own = weights(OwnStep, sens=2.0)
    np.testing.assert_allclose(have, want, rtol=1e-5)
    np.testing.assert_allclose(own.asnumpy(), loss.asnumpy(), rtol=1e-5)
    _, (loss, gradients) = weights(nn.TrainOneStepCell, return_grad=True)
    assert sorted(gradients) == ["bias", "weight"]


def test_gradient_cells(mode: int) -> None:
    net = nn.Dense(2, 1, "ones", "zeros")
    x, y = Tensor(draw(3, 2)), Tensor(draw(3, 1))
    by_weight = nn.WithGradCell(net, nn.MSELoss())(x, y)
    scaled = nn.WithGradCell(net, nn.MSELoss(), sens=Tensor(2.0))(x, y)
    np.testing.assert_allclose(scaled[0].asnumpy(), 2 * by_weight[0].asnumpy(), rtol=1e-5)
    value, gradients = nn.ForwardValueAndGrad(net, net.trainable_params(), get_by_list=True, sens_param=True)(
        x, ops.ones_like(y) * 3.0
    )
    np.testing.assert_allclose(gradients[0].asnumpy(), 3 * x.asnumpy().sum(0, keepdims=True), rtol=1e-4)
    loss, output, label = nn.WithEvalCell(net, nn.MSELoss(), True)(x, y)
    np.testing.assert_allclose(float(loss), ((output.asnumpy() - label.asnumpy()) ** 2).mean(), rtol=1e-4)
    np.testing.assert_allclose(value.asnumpy(), output.asnumpy())


def test_initializers() -> None:
    set_seed(3)
    from jitcore.common import get_seed
    from jitcore.common import initializer as init

    assert get_seed() == 3
    q = init.initializer(init.Orthogonal(2.0), (3, 5)).asnumpy()
    np.testing.assert_allclose(q @ q.T, 4 * np.eye(3), atol=1e-5)
    dirac = Tensor(init.initializer("dirac", (3, 3, 3, 3)))
    x = draw(1, 3, 5, 5)
    np.testing.assert_allclose(ops.conv2d(Tensor(x), dirac, pad_mode="same").asnumpy(), x, rtol=1e-5)
    sparse = init.initializer(init.Sparse(0.5), (10, 4)).asnumpy()
    assert ((sparse == 0).sum(0) == 5).all()
    for how in ("truncated_normal", "untruncated_normal", "uniform"):
        made = init.initializer(init.VarianceScaling(2.0, "fan_out", how), (200, 50)).asnumpy()
        np.testing.assert_allclose(made.var(), 2 / 200, rtol=0.1)


def test_hooks_and_bprop_beside_other_things(mode: int) -> None:
    class Scale(nn.Cell):
        @jit
        def construct(self, x: Any, k: Any = 2) -> Any:
            return x * k

    scale = Scale()
    scale.register_forward_hook(lambda cell, inputs, output: output + 1)
    np.testing.assert_array_equal(scale(ONES, 3).asnumpy(), [[4, 7, 10]])
    np.testing.assert_array_equal(scale(ONES).asnumpy(), [[3, 5, 7]])

    class Fives(nn.Cell):
        def construct(self, x: Any) -> Any:
            return x * 2

        def bprop(self, x: Any, out: Any, dout: Any) -> Any:
            return (dout * 5,)

    net = nn.SequentialCell(nn.Dense(3, 3, "ones", "zeros"), Fives(), nn.ReLU())
    np.testing.assert_array_equal(grad(net)(ONES).asnumpy(), [[15, 15, 15]])
    by_weight = grad(net, None, net.trainable_params())(ONES)
    np.testing.assert_array_equal(by_weight[0].asnumpy(), 5 * np.tile([[1, 2, 3]], (3, 1)))
    either = nn.CellList([nn.ReLU(), Fives()])

    @jit
    def chosen(x: Any, k: Any) -> Any:
        return grad(lambda y: either[k](y).sum())(x)

    np.testing.assert_array_equal(chosen(ONES, 1).asnumpy(), [[5, 5, 5]])
    np.testing.assert_array_equal(chosen(ONES, 0).asnumpy(), [[1, 1, 1]])


def test_training_and_use_in_turn(mode: int) -> None:
    set_seed(0)
    net = nn.SequentialCell(nn.Dropout(p=0.5), nn.BatchNorm1d(3))
    x = Tensor(draw(50, 3))
    for _ in range(2):
        net.set_train()
        made = net(x).asnumpy()
        np.testing.assert_allclose(made.mean(0), 0, atol=1e-4)
        net.set_train(False)
        mean, variance = net[1].moving_mean.asnumpy(), net[1].moving_variance.asnumpy()
        np.testing.assert_allclose(
            net(x).asnumpy(), (x.asnumpy() - mean) / np.sqrt(variance + 1e-5), rtol=1e-4, atol=1e-5
        )
