"""Variational autoencoders (Kingma and Welling 2013)."""

from __future__ import annotations

from typing import Any

from jitcore import ops
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.nn.layers import Dense


class _Autoencoder(Cell):
    """(x again, x, means, deviations): a code is drawn with the means and deviations that the encoder gives, and
    decoded."""

    def __init__(self, encoder: Any, decoder: Any, hidden_size: Any, latent_size: Any, _classes: int = 0) -> None:
        super().__init__()
        name = type(self).__name__
        for part, cell in (("encoder", encoder), ("decoder", decoder)):
            if not isinstance(cell, Cell):
                raise TypeError(f"The {part} of {name} must be a Cell, not {type(cell).__name__}.")
        self.encoder, self.decoder = encoder, decoder
        self.hidden_size = arguments.positive(hidden_size, "hidden_size", name)
        self.latent_size = arguments.positive(latent_size, "latent_size", name)
        self.dense1 = Dense(self.hidden_size, self.latent_size)
        self.dense2 = Dense(self.hidden_size, self.latent_size)
        self.dense3 = Dense(self.latent_size + _classes, self.hidden_size)

    def _encode(self, *inputs: Any) -> Any:
        hidden = self.encoder(*inputs)
        return self.dense1(hidden), ops.exp(self.dense2(hidden) * 0.5)

    def _code(self, z: Any, inputs: Any) -> Any:
        return z

    def _decode(self, z: Any, *inputs: Any) -> Any:
        return self.decoder(self.dense3(self._code(z, inputs)))

    def construct(self, x: Any, *labels: Any) -> Any:
        mean, std = self._encode(x, *labels)
        z = mean + std * ops.standard_normal(mean.shape)
        return self._decode(z, *labels), x, mean, std

    def reconstruct_sample(self, x: Any, *labels: Any) -> Any:
        """x encoded, drawn and decoded."""
        return self.construct(x, *labels)[0]


class VAE(_Autoencoder):
    """A variational autoencoder of Cells."""

    def __init__(self, encoder: Any, decoder: Any, hidden_size: Any, latent_size: Any) -> None:
        super().__init__(encoder, decoder, hidden_size, latent_size)

    def generate_sample(self, generate_nums: Any, shape: Any) -> Any:
        """Numbers decoded of random codes."""
        return ops.reshape(self._decode(ops.standard_normal((generate_nums, self.latent_size))), shape)


class ConditionalVAE(_Autoencoder):
    """A variational autoencoder whose encoder and decoder know the class (Sohn et al. 2015)."""

    def __init__(self, encoder: Any, decoder: Any, hidden_size: Any, latent_size: Any, num_classes: Any) -> None:
        classes = arguments.positive(num_classes, "num_classes", "ConditionalVAE")
        super().__init__(encoder, decoder, hidden_size, latent_size, classes)
        self.num_classes = classes

    def _code(self, z: Any, inputs: Any) -> Any:
        return ops.concat((z, ops.cast(ops.one_hot(inputs[0], self.num_classes), z.dtype)), 1)

    def generate_sample(self, sample_y: Any, generate_nums: Any, shape: Any) -> Any:
        """Numbers of classes, decoded of random codes."""
        if not isinstance(generate_nums, int):
            raise TypeError(f"generate_nums of ConditionalVAE must be an int, not {type(generate_nums).__name__}.")
        return ops.reshape(self._decode(ops.standard_normal((generate_nums, self.latent_size)), sample_y), shape)
