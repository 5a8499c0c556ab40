"""Bayesian layers: weights are random numbers, whose distributions are learned (Blundell et al. 2015)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np

from jitcore import ops
from jitcore.common.parameter import Parameter
from jitcore.nn import arguments
from jitcore.nn.activation import get_activation
from jitcore.nn.cell import Cell
from jitcore.nn.probability.distribution import Normal
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32


class NormalPrior(Cell):
    """What is believed of weights before: called with the name of a method, and its arguments, of a normal
    distribution."""

    def __init__(self, dtype: Any = f32, mean: Any = 0, std: Any = 0.1) -> None:
        super().__init__()
        self.normal = Normal(mean, std, dtype=dtype)

    def construct(self, *inputs: Any) -> Any:
        return self.normal(*inputs)


class NormalPosterior(Cell):
    """What is believed of weights after: normal distributions whose means and deviations, softplus of a weight, are
    learned."""

    def __init__(
        self,
        name: Any,
        shape: Any,
        dtype: Any = f32,
        loc_mean: Any = 0,
        loc_std: Any = 0.1,
        untransformed_scale_mean: Any = -5,
        untransformed_scale_std: Any = 0.1,
    ) -> None:
        super().__init__()
        if not isinstance(name, str):
            raise TypeError(f"For 'NormalPosterior', the name must be a string, not {type(name).__name__}.")
        if not isinstance(shape, tuple | list | int) or isinstance(shape, bool):
            raise TypeError(f"For 'NormalPosterior', the shape must be a tuple of ints, not {type(shape).__name__}.")

        def drawn(mean: float, std: float) -> Tensor:
            return Tensor(np.random.normal(mean, std, shape), dtype)

        self.mean = Parameter(drawn(loc_mean, loc_std), name=f"{name}_mean")
        self.untransformed_std = Parameter(
            drawn(untransformed_scale_mean, untransformed_scale_std), name=f"{name}_untransformed_std"
        )
        self.normal = Normal(dtype=dtype)

    def construct(self, *inputs: Any) -> Any:
        if inputs[0] == "get_dist_type":
            return self.normal.get_dist_type()
        return self.normal(*inputs, mean=self.mean, sd=-ops.logsigmoid(-self.untransformed_std))


def _posterior(name: str, shape: Any) -> NormalPosterior:
    return NormalPosterior(name=name, shape=shape)


def _made(prior: Any) -> Any:
    return prior if isinstance(prior, Cell) else prior()


class Variational(Cell):
    """A layer with random weights: the posteriors it draws them from, and the divergence of those from the priors."""

    def __init__(
        self,
        shape: tuple[int, ...],
        outputs: int,
        has_bias: Any,
        weight_prior_fn: Any,
        weight_posterior_fn: Callable[..., Any],
        bias_prior_fn: Any,
        bias_posterior_fn: Callable[..., Any],
    ) -> None:
        super().__init__()
        if not isinstance(has_bias, bool):
            raise TypeError(f"has_bias of {type(self).__name__} must be a bool, not {type(has_bias).__name__}.")
        self.has_bias = has_bias
        self.weight_prior = _made(weight_prior_fn)
        self.weight_posterior = weight_posterior_fn(shape=list(shape), name="bnn_weight")
        if has_bias:
            self.bias_prior = _made(bias_prior_fn)
            self.bias_posterior = bias_posterior_fn(shape=[outputs], name="bnn_bias")

    def compute_kl_loss(self) -> Any:
        """The divergence of what is believed of the weights after from what was before."""
        kind = self.weight_posterior("get_dist_type")
        total = self.weight_posterior("kl_loss", kind, *self.weight_prior("get_dist_args")).sum()
        if self.has_bias:
            kind = self.bias_posterior("get_dist_type")
            total = total + self.bias_posterior("kl_loss", kind, *self.bias_prior("get_dist_args")).sum()
        return total


class _Dense(Variational):
    def __init__(
        self,
        in_channels: Any,
        out_channels: Any,
        activation: Any = None,
        has_bias: Any = True,
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Any = _posterior,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Any = _posterior,
    ) -> None:
        name = type(self).__name__
        self_in = arguments.positive(in_channels, "in_channels", name)
        self_out = arguments.positive(out_channels, "out_channels", name)
        fns = (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        super().__init__((self_out, self_in), self_out, has_bias, *fns)
        self.in_channels, self.out_channels = self_in, self_out
        self.activation = get_activation(activation) if isinstance(activation, str) else activation

    def _linear(self, x: Any) -> Any:
        raise NotImplementedError

    def construct(self, x: Any) -> Any:
        """What the layer makes of x (N, in_channels), with weights drawn anew."""
        made = self._linear(x)
        if self.has_bias:
            made = made + self.bias_posterior("sample")
        return made if self.activation is None else self.activation(made)


class DenseReparam(_Dense):
    """A dense layer whose weights are drawn for each batch (Kingma and Welling 2013)."""

    def _linear(self, x: Any) -> Any:
        return ops.matmul(x, self.weight_posterior("sample").T)


class DenseLocalReparam(_Dense):
    """A dense layer whose outputs are drawn, from the distributions that those of the weights give them (Kingma et al.
    2015)."""

    def _linear(self, x: Any) -> Any:
        mean = ops.matmul(x, self.weight_posterior("mean").T)
        variance = ops.matmul(ops.square(x), ops.square(self.weight_posterior("sd")).T)
        deviation = ops.sqrt(variance + 1e-12)  # which has a derivative where all of x is 0, too
        return mean + deviation * ops.standard_normal(mean.shape)


class ConvReparam(Variational):
    """A convolution whose weights are drawn for each batch."""

    def __init__(
        self,
        in_channels: Any,
        out_channels: Any,
        kernel_size: Any,
        stride: Any = 1,
        pad_mode: Any = "same",
        padding: Any = 0,
        dilation: Any = 1,
        group: Any = 1,
        has_bias: Any = False,
        weight_prior_fn: Any = NormalPrior,
        weight_posterior_fn: Any = _posterior,
        bias_prior_fn: Any = NormalPrior,
        bias_posterior_fn: Any = _posterior,
    ) -> None:
        inputs = arguments.positive(in_channels, "in_channels", "ConvReparam")
        outputs = arguments.positive(out_channels, "out_channels", "ConvReparam")
        groups = arguments.positive(group, "group", "ConvReparam")
        if inputs % groups or outputs % groups:
            raise ValueError(f"group of ConvReparam, {groups}, must divide {inputs} and {outputs} channels.")
        size = arguments.pair(kernel_size, "kernel_size", "ConvReparam")
        fns = (weight_prior_fn, weight_posterior_fn, bias_prior_fn, bias_posterior_fn)
        super().__init__((outputs, inputs // groups, *size), outputs, has_bias, *fns)
        self.in_channels, self.out_channels, self.kernel_size, self.group = inputs, outputs, size, groups
        self.pad_mode = arguments.pad_mode(pad_mode, padding, "ConvReparam")
        self.stride, self.padding, self.dilation = stride, padding, dilation

    def construct(self, x: Any) -> Any:
        """What the layer makes of x (N, C, H, W), with weights drawn anew."""
        weight = self.weight_posterior("sample")
        made = ops.conv2d(x, weight, None, self.stride, self.pad_mode, self.padding, self.dilation, self.group)
        return ops.bias_add(made, self.bias_posterior("sample")) if self.has_bias else made


class WithBNNLossCell(Cell):
    """A network with a loss, and the divergences of all its Bayesian layers."""

    def __init__(self, backbone: Any, loss_fn: Any, dnn_factor: Any = 1, bnn_factor: Any = 1) -> None:
        super().__init__()
        for name, factor in (("dnn_factor", dnn_factor), ("bnn_factor", bnn_factor)):
            if isinstance(factor, bool) or not isinstance(factor, int | float):
                raise TypeError(f"{name} of WithBNNLossCell must be a number, not {type(factor).__name__}.")
            if factor < 0:
                raise ValueError(f"{name} of WithBNNLossCell must not be negative, but is {factor}.")
        self._backbone, self._loss_fn = backbone, loss_fn
        self.dnn_factor, self.bnn_factor = float(dnn_factor), float(bnn_factor)
        self._layers = [cell for _, cell in backbone.cells_and_names() if isinstance(cell, Variational)]

    @property
    def backbone_network(self) -> Any:
        """The network."""
        return self._backbone

    def construct(self, x: Any, label: Any) -> Any:
        """The loss of the network's output, and the divergences, weighted."""
        loss = self._loss_fn(self._backbone(x), label) * self.dnn_factor
        for layer in self._layers:
            loss = loss + layer.compute_kl_loss() * self.bnn_factor
        return loss
