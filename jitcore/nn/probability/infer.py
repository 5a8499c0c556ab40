"""Variational inference: the bound that is raised, and training with it."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn.cell import Cell
from jitcore.nn.probability.distribution import Normal
from jitcore.nn.wrap import TrainOneStepCell


class ELBO(Cell):
    """How much of the data is not explained: the loss of what an autoencoder gives, and the divergence of its codes
    from a normal distribution."""

    def __init__(self, latent_prior: str = "Normal", output_prior: str = "Normal") -> None:
        super().__init__()
        if latent_prior != "Normal":
            raise ValueError(f"latent_prior of ELBO is 'Normal', not {latent_prior!r}.")
        if output_prior not in ("Normal", "Bernoulli"):
            raise ValueError(f"output_prior of ELBO is 'Normal' or 'Bernoulli', not {output_prior!r}.")
        self.latent_prior, self.output_prior = latent_prior, output_prior
        self.posterior = Normal()

    def construct(self, data: Any, label: Any) -> Any:
        """The bound for (x again, x, means, deviations)."""
        made, x, mean, std = data
        if self.output_prior == "Bernoulli":
            loss = ops.binary_cross_entropy(made, x, None, "sum")
        else:
            loss = ops.square(made - x).sum()
        zeros = ops.zeros_like(mean)
        return loss + self.posterior("kl_loss", "Normal", zeros, zeros + 1.0, mean, std).sum()


class SVI:
    """Training by stochastic variational inference."""

    def __init__(self, net_with_loss: Any, optimizer: Any) -> None:
        self.net_with_loss, self.optimizer = net_with_loss, optimizer
        self._loss = 0.0

    def run(self, train_dataset: Any, epochs: Any = 10) -> Any:
        """The trained network."""
        if isinstance(epochs, bool) or not isinstance(epochs, int) or epochs <= 0:
            raise ValueError(f"epochs of SVI.run must be a positive int, not {epochs!r}.")
        step = TrainOneStepCell(self.net_with_loss, self.optimizer)
        step.set_train()
        for _ in range(epochs):
            total, count = 0.0, 0
            for data in train_dataset.create_tuple_iterator():
                total, count = total + float(step(*data)), count + 1
            self._loss = total / max(count, 1)
        return step.network

    def get_train_loss(self) -> float:
        """The mean loss of the last epoch."""
        return self._loss
