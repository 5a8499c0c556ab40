"""Bayesian layers and variational autoencoders: they learn, and their divergences are those of their distributions."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import jitcore
from jitcore import Tensor, jit, nn, ops, set_context
from jitcore.dataset import NumpySlicesDataset
from jitcore.nn.probability.bnn_layers import (
    ConvReparam,
    DenseLocalReparam,
    DenseReparam,
    NormalPosterior,
    NormalPrior,
    WithBNNLossCell,
)
from jitcore.nn.probability.dpn import VAE, ConditionalVAE
from jitcore.nn.probability.infer import ELBO, SVI


def floats(*shape: int) -> Tensor:
    return Tensor(np.random.default_rng(0).normal(size=shape), jitcore.float32)


@pytest.mark.parametrize("cls", [DenseReparam, DenseLocalReparam])
def test_dense_layers(cls: Any) -> None:
    """Outputs are normal, with the mean and deviation that the posteriors' say; the divergence is that of all weights."""
    layer = cls(3, 2, has_bias=True)
    x = floats(4, 3)
    sample = jit(lambda v: layer(v))
    drawn = np.stack([sample(x).asnumpy() for _ in range(600)])
    mean, std = layer.weight_posterior("mean").asnumpy(), layer.weight_posterior("sd").asnumpy()
    b_mean, b_std = layer.bias_posterior("mean").asnumpy(), layer.bias_posterior("sd").asnumpy()
    wanted = np.sqrt(x.asnumpy() ** 2 @ std.T**2 + b_std**2)
    np.testing.assert_allclose(drawn.mean(0), x.asnumpy() @ mean.T + b_mean, atol=6 * wanted.max() / np.sqrt(600))
    np.testing.assert_allclose(drawn.std(0), wanted, rtol=0.2)
    divergence = sum((np.log(0.1 / s) + (s**2 + m**2) / 0.02 - 0.5).sum() for m, s in ((mean, std), (b_mean, b_std)))
    np.testing.assert_allclose(float(layer.compute_kl_loss()), divergence, rtol=1e-4)


def test_a_bayesian_network_learns() -> None:
    class Net(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.conv = ConvReparam(1, 3, 3, has_bias=True)
            self.dense = DenseReparam(48, 2, activation="relu")
            self.last = DenseLocalReparam(2, 2)

        def construct(self, x: Any) -> Any:
            return self.last(self.dense(ops.reshape(self.conv(x), (-1, 48))))

    jitcore.set_seed(1)
    net = Net()
    assert len(net.trainable_params()) == 12
    loss = WithBNNLossCell(net, nn.SoftmaxCrossEntropyWithLogits(sparse=True, reduction="mean"), 1, 1e-4)
    assert loss.backbone_network is net
    x = floats(32, 1, 4, 4)
    labels = Tensor((x.asnumpy()[:, 0, 1, 1] > 0).astype(np.int32))
    for mode in (jitcore.PYNATIVE_MODE, jitcore.GRAPH_MODE):
        set_context(mode=mode)
        assert float(loss(x, labels)) > 0
    step = nn.TrainOneStepCell(loss, nn.Adam(net.trainable_params(), 0.02))
    losses = [float(step(x, labels)) for _ in range(60)]
    set_context(mode=jitcore.PYNATIVE_MODE)
    assert np.mean(losses[-5:]) < 0.6 * np.mean(losses[:5])


class Coder(nn.Cell):
    def __init__(self, inputs: int, outputs: int, activation: str) -> None:
        super().__init__()
        self.dense = nn.Dense(inputs, outputs, activation=activation)

    def construct(self, *inputs: Any) -> Any:
        return self.dense(inputs[0])


@pytest.mark.parametrize("classes", [0, 3])
def test_autoencoders_learn(classes: int) -> None:
    jitcore.set_seed(1)
    encoder, decoder = Coder(6, 5, "tanh"), Coder(5, 6, "sigmoid")
    net = ConditionalVAE(encoder, decoder, 5, 2, classes) if classes else VAE(encoder, decoder, 5, 2)
    rng = np.random.default_rng(0)
    x = np.repeat((rng.random((40, 1)) > 0.5).astype(np.float32) * 0.9 + 0.05, 6, 1)
    labels = rng.integers(0, 3, 40).astype(np.int32)
    given = (Tensor(x), Tensor(labels)) if classes else (Tensor(x),)
    made, again, mean, std = jit(lambda *args: net(*args))(*given)
    assert (made.shape, again.shape, mean.shape, std.shape) == ((40, 6), (40, 6), (40, 2), (40, 2))
    assert net.reconstruct_sample(*given).shape == (40, 6)
    drawn = net.generate_sample(Tensor(labels[:4]), 4, (4, 2, 3)) if classes else net.generate_sample(4, (4, 2, 3))
    assert drawn.shape == (4, 2, 3)

    class Bound(nn.Cell):
        def __init__(self) -> None:
            super().__init__()
            self.net, self.bound = net, ELBO(output_prior="Bernoulli")

        def construct(self, x: Any, label: Any) -> Any:
            return self.bound(self.net(x, label) if classes else self.net(x), x)

    bound = Bound()
    inference = SVI(bound, nn.Adam(net.trainable_params(), 0.05))
    data = NumpySlicesDataset((x, labels), ["x", "label"], shuffle=False).batch(20)
    losses = []
    for epochs in (1, 60):
        assert inference.run(data, epochs) is bound
        losses.append(inference.get_train_loss())
    assert losses[1] < 0.8 * losses[0]


def test_the_bound() -> None:
    """The losses of the sample, and the divergence from the standard normal distribution."""
    made, x, mean, std = (Tensor(np.full((2, 3), v), jitcore.float32) for v in (0.4, 0.7, 0.5, 2.0))
    divergence = 6 * (0.5 * (4 + 0.25 - 1) - np.log(2))
    for prior, loss in (("Normal", 6 * 0.09), ("Bernoulli", -6 * (0.7 * np.log(0.4) + 0.3 * np.log(0.6)))):
        bound = ELBO(output_prior=prior)
        np.testing.assert_allclose(float(bound((made, x, mean, std), x)), loss + divergence, rtol=1e-5)


def test_what_is_refused() -> None:
    for make, error in (
        (lambda: NormalPosterior(1, (2,)), TypeError),
        (lambda: NormalPosterior("w", "2"), TypeError),
        (lambda: DenseReparam(0, 2), ValueError),
        (lambda: DenseReparam(2, 2, has_bias=1), TypeError),
        (lambda: ConvReparam(3, 2, 3, group=2), ValueError),
        (lambda: WithBNNLossCell(nn.Dense(2, 2), nn.MSELoss(), -1), ValueError),
        (lambda: WithBNNLossCell(nn.Dense(2, 2), nn.MSELoss(), "1"), TypeError),
        (lambda: VAE(None, nn.Dense(2, 2), 2, 2), TypeError),
        (lambda: ELBO("Gamma"), ValueError),
        (lambda: SVI(None, None).run(None, 0), ValueError),
    ):
        with pytest.raises(error):
            make()
    assert NormalPrior()("get_dist_type") == "Normal"
