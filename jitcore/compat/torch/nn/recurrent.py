"""Recurrent networks, as Modules: RNN, LSTM and GRU over sequences, and their cells for one step."""

from __future__ import annotations

import math
import warnings
from typing import Any, ClassVar

from jitcore import ops
from jitcore.compat.torch.arguments import Device, DTypeLike
from jitcore.compat.torch.declaring import made_like
from jitcore.compat.torch.functions.creation import zeros
from jitcore.compat.torch.networks import normalisation
from jitcore.compat.torch.networks.dense import linear
from jitcore.compat.torch.nn import init
from jitcore.compat.torch.nn.linear import parameter
from jitcore.compat.torch.nn.module import Module
from jitcore.runtime.tensor import Tensor


def _rnn_step(gates: Tensor, h: Tensor, weight: Tensor, bias: Tensor | None, nonlinearity: str) -> Any:
    total = gates + linear(h, weight, bias)
    return ops.relu(total) if nonlinearity == "relu" else ops.tanh(total)


def _lstm_step(gates: Tensor, h: Tensor, c: Tensor, weight: Tensor, bias: Tensor | None, size: int) -> Any:
    total = gates + linear(h, weight, bias)
    enter = ops.sigmoid(total[:, :size])
    keep = ops.sigmoid(total[:, size : 2 * size])
    new = ops.tanh(total[:, 2 * size : 3 * size])
    show = ops.sigmoid(total[:, 3 * size :])
    c = keep * c + enter * new
    return show * ops.tanh(c), c


def _gru_step(gates: Tensor, h: Tensor, weight: Tensor, bias: Tensor | None, size: int) -> Any:
    inner = linear(h, weight, bias)
    reset = ops.sigmoid(gates[:, :size] + inner[:, :size])
    update = ops.sigmoid(gates[:, size : 2 * size] + inner[:, size : 2 * size])
    new = ops.tanh(gates[:, 2 * size :] + reset * inner[:, 2 * size :])
    return new + update * (h - new)


class _Bounded(Module):
    """A Module whose parameters are uniform within 1 / sqrt(hidden_size)."""

    hidden_size: int

    def reset_parameters(self) -> None:
        """Begin anew."""
        bound = 1.0 / math.sqrt(self.hidden_size) if self.hidden_size > 0 else 0
        for held in self.parameters():
            init.uniform_(held, -bound, bound)


# --- one step ---------------------------------------------------------------------------------------


class RNNCellBase(_Bounded):
    """What the cells have."""

    _gates: ClassVar[int] = 1
    bias_ih: Any
    bias_hh: Any

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool, device: Device = None, dtype: DTypeLike = None
    ) -> None:
        super().__init__()
        rows = self._gates * hidden_size
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.bias = bias
        self.weight_ih = parameter(self, (rows, input_size), device, dtype)
        self.weight_hh = parameter(self, (rows, hidden_size), device, dtype)
        self.register_parameter("bias_ih", parameter(self, (rows,), device, dtype) if bias else None)
        self.register_parameter("bias_hh", parameter(self, (rows,), device, dtype) if bias else None)
        self.reset_parameters()

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}" + ("" if self.bias else f", bias={self.bias}")

    def _nothing(self, x: Tensor) -> Any:
        """The state that nothing has been seen in."""
        return made_like(x, zeros(x.shape[0], self.hidden_size, dtype=x.dtype))

    def _require(self, input: Tensor) -> None:
        if input.ndim not in (1, 2):
            raise ValueError(f"{type(self).__name__}: Expected input to be 1D or 2D, got {input.ndim}D instead")


class RNNCell(RNNCellBase):
    """One step of a simple recurrent network."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        bias: bool = True,
        nonlinearity: str = "tanh",
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__(input_size, hidden_size, bias, device, dtype)
        self.nonlinearity = nonlinearity

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Any:
        self._require(input)
        x = input if input.ndim == 2 else ops.expand_dims(input, 0)
        h = self._nothing(x) if hx is None else hx if hx.ndim == 2 else ops.expand_dims(hx, 0)
        gates = linear(x, self.weight_ih, self.bias_ih)
        made = _rnn_step(gates, h, self.weight_hh, self.bias_hh, self.nonlinearity)
        return made if input.ndim == 2 else ops.squeeze(made, 0)

    def extra_repr(self) -> str:
        text = super().extra_repr()
        return text if self.nonlinearity == "tanh" else f"{text}, nonlinearity={self.nonlinearity}"


class LSTMCell(RNNCellBase):
    """One step of an LSTM (Hochreiter and Schmidhuber 1997, with forget gates)."""

    _gates: ClassVar[int] = 4

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Device = None, dtype: DTypeLike = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, device, dtype)

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> Any:
        self._require(input)
        x = input if input.ndim == 2 else ops.expand_dims(input, 0)
        if hx is None:
            h = c = self._nothing(x)
        else:
            h, c = (s if s.ndim == 2 else ops.expand_dims(s, 0) for s in hx)
        gates = linear(x, self.weight_ih, self.bias_ih)
        h, c = _lstm_step(gates, h, c, self.weight_hh, self.bias_hh, self.hidden_size)
        return (h, c) if input.ndim == 2 else (ops.squeeze(h, 0), ops.squeeze(c, 0))


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit (Cho et al. 2014)."""

    _gates: ClassVar[int] = 3

    def __init__(
        self, input_size: int, hidden_size: int, bias: bool = True, device: Device = None, dtype: DTypeLike = None
    ) -> None:
        super().__init__(input_size, hidden_size, bias, device, dtype)

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Any:
        self._require(input)
        x = input if input.ndim == 2 else ops.expand_dims(input, 0)
        h = self._nothing(x) if hx is None else hx if hx.ndim == 2 else ops.expand_dims(hx, 0)
        gates = linear(x, self.weight_ih, self.bias_ih)
        made = _gru_step(gates, h, self.weight_hh, self.bias_hh, self.hidden_size)
        return made if input.ndim == 2 else ops.squeeze(made, 0)


# --- sequences --------------------------------------------------------------------------------------


class RNNBase(_Bounded):
    """Layers of a recurrent network over sequences (time, batch, features), perhaps in both directions."""

    _gates_of: ClassVar[dict[str, int]] = {"RNN_TANH": 1, "RNN_RELU": 1, "LSTM": 4, "GRU": 3}

    def __init__(
        self,
        mode: str,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__()
        self._require_sizes(hidden_size, num_layers, dropout, proj_size, mode)
        self.mode = mode
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.bias = bias
        self.batch_first = batch_first
        self.dropout = float(dropout)
        self.bidirectional = bidirectional
        self.proj_size = proj_size
        self._directions = 2 if bidirectional else 1
        self._names: tuple[tuple[str, ...], ...] = tuple(
            self._add_layer(layer, direction, device, dtype)
            for layer in range(num_layers)
            for direction in range(self._directions)
        )
        self.reset_parameters()

    def _require_sizes(self, hidden: int, layers: int, dropout: float, projected: int, mode: str) -> None:
        if isinstance(dropout, bool) or not 0 <= dropout <= 1:
            raise ValueError(
                "dropout should be a number in range [0, 1] representing the probability of an element being zeroed"
            )
        if dropout > 0 and layers == 1:
            warnings.warn(
                "dropout option adds dropout after all but last recurrent layer, so non-zero dropout expects "
                f"num_layers greater than 1, but got dropout={dropout} and num_layers={layers}",
                stacklevel=4,
            )
        if hidden <= 0:
            raise ValueError("hidden_size must be greater than zero")
        if layers <= 0:
            raise ValueError("num_layers must be greater than zero")
        if projected and (mode != "LSTM" or projected >= hidden):
            raise ValueError("proj_size has to be smaller than hidden_size")

    def _add_layer(self, layer: int, direction: int, device: Device, dtype: DTypeLike) -> tuple[str, ...]:
        """Give one layer in one direction its Parameters; their names."""
        rows, state = self._gates_of[self.mode] * self.hidden_size, self.proj_size or self.hidden_size
        width = self.input_size if layer == 0 else state * self._directions
        shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, width), "weight_hh": (rows, state)}
        if self.bias:
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
        if self.proj_size:
            shapes["weight_hr"] = (self.proj_size, self.hidden_size)
        suffix = f"_l{layer}" + ("_reverse" if direction else "")
        for name, shape in shapes.items():
            setattr(self, name + suffix, parameter(self, shape, device, dtype))
        return tuple(name + suffix for name in shapes)

    @property
    def all_weights(self) -> list[list[Any]]:
        """The Parameters of each layer and direction."""
        return [[getattr(self, name) for name in names] for names in self._names]

    def flatten_parameters(self) -> None:
        """Nothing: each Parameter's memory is contiguous."""

    def _weights(self, k: int) -> tuple[Any, Any, Any, Any, Any]:
        """(input's weight, state's weight, their biases, the projection's weight) of a layer in a direction."""
        suffix = f"_l{k // self._directions}" + ("_reverse" if k % self._directions else "")
        bias = getattr(self, "bias_ih" + suffix) if self.bias else None
        own_bias = getattr(self, "bias_hh" + suffix) if self.bias else None
        projection = getattr(self, "weight_hr" + suffix) if self.proj_size else None
        return getattr(self, "weight_ih" + suffix), getattr(self, "weight_hh" + suffix), bias, own_bias, projection

    def _nothing(self, x: Tensor, size: int) -> Any:
        """The states that nothing has been seen in, of x (time, batch, features)."""
        return made_like(x, zeros(self.num_layers * self._directions, x.shape[1], size, dtype=x.dtype))

    def _first(self, input: Tensor) -> Any:
        """The input with time first, and a batch."""
        if input.ndim not in (2, 3):
            raise ValueError(f"{type(self).__name__}: Expected input to be 2D or 3D, got {input.ndim}D instead")
        if input.shape[-1] != self.input_size:
            raise RuntimeError(
                f"input.size(-1) must be equal to input_size. Expected {self.input_size}, got {input.shape[-1]}"
            )
        if input.ndim == 2:
            return ops.expand_dims(input, 1)
        return ops.swapaxes(input, 0, 1) if self.batch_first else input

    def _last(self, output: Tensor, input: Tensor) -> Any:
        """What came of it, in the order of the input's axes."""
        if input.ndim == 2:
            return ops.squeeze(output, 1)
        return ops.swapaxes(output, 0, 1) if self.batch_first else output

    def _between(self, x: Tensor, layer: int) -> Any:
        """What the next layer gets of a layer's results."""
        if self.dropout > 0 and layer < self.num_layers - 1:
            return normalisation.dropout(x, self.dropout, self.training)
        return x

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        for name, value, default in (
            ("proj_size", self.proj_size, 0),
            ("num_layers", self.num_layers, 1),
            ("bias", self.bias, True),
            ("batch_first", self.batch_first, False),
            ("dropout", self.dropout, 0),
            ("bidirectional", self.bidirectional, False),
        ):
            if value != default:
                text += f", {name}={value}"
        return text


class _OneState(RNNBase):
    """What RNN and GRU share: one state."""

    def _step(self, gates: Tensor, h: Tensor, weight: Tensor, bias: Tensor | None) -> Any:
        raise NotImplementedError

    def _direction(self, x: Tensor, h: Tensor, k: int) -> Any:
        """(results (time, batch, hidden), last state) of a layer in one direction."""
        weight, own, bias, own_bias, _ = self._weights(k)
        gates = linear(x, weight, bias)
        steps = x.shape[0]
        made = made_like(x, zeros(steps, x.shape[1], self.hidden_size, dtype=x.dtype))
        for n in range(steps):
            t = steps - 1 - n if k % self._directions else n
            h = self._step(gates[t], h, own, own_bias)
            made[t] = h
        return made, h

    def forward(self, input: Tensor, hx: Tensor | None = None) -> Any:
        x = self._first(input)
        states = self._nothing(x, self.hidden_size) if hx is None else hx
        if hx is not None and input.ndim == 2:
            states = ops.expand_dims(hx, 1)
        last = []
        for layer in range(self.num_layers):
            parts = []
            for direction in range(self._directions):
                k = layer * self._directions + direction
                out, h = self._direction(x, states[k], k)
                parts.append(out)
                last.append(h)
            x = self._between(ops.cat(parts, -1) if self.bidirectional else parts[0], layer)
        end = ops.stack(last, 0)
        return self._last(x, input), ops.squeeze(end, 1) if input.ndim == 2 else end


class RNN(_OneState):
    """A simple recurrent network over sequences."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"Unknown nonlinearity '{nonlinearity}'. Select from 'tanh' or 'relu'.")
        super().__init__(
            f"RNN_{nonlinearity.upper()}", input_size, hidden_size, num_layers, bias, batch_first, dropout,
            bidirectional, 0, device, dtype,
        )  # fmt: skip
        self.nonlinearity = nonlinearity

    def _step(self, gates: Tensor, h: Tensor, weight: Tensor, bias: Tensor | None) -> Any:
        return _rnn_step(gates, h, weight, bias, self.nonlinearity)


class GRU(_OneState):
    """A gated recurrent network over sequences."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__(
            "GRU", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, 0, device, dtype
        )

    def _step(self, gates: Tensor, h: Tensor, weight: Tensor, bias: Tensor | None) -> Any:
        return _gru_step(gates, h, weight, bias, self.hidden_size)


class LSTM(RNNBase):
    """An LSTM over sequences."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        proj_size: int = 0,
        device: Device = None,
        dtype: DTypeLike = None,
    ) -> None:
        super().__init__(
            "LSTM", input_size, hidden_size, num_layers, bias, batch_first, dropout, bidirectional, proj_size, device,
            dtype,
        )  # fmt: skip

    def _direction(self, x: Tensor, h: Tensor, c: Tensor, k: int) -> Any:
        """(results (time, batch, hidden), last states) of a layer in one direction."""
        weight, own, bias, own_bias, projection = self._weights(k)
        gates = linear(x, weight, bias)
        steps = x.shape[0]
        made = made_like(x, zeros(steps, x.shape[1], self.proj_size or self.hidden_size, dtype=x.dtype))
        for n in range(steps):
            t = steps - 1 - n if k % self._directions else n
            h, c = _lstm_step(gates[t], h, c, own, own_bias, self.hidden_size)
            if projection is not None:
                h = linear(h, projection)
            made[t] = h
        return made, h, c

    def forward(self, input: Tensor, hx: tuple[Tensor, Tensor] | None = None) -> Any:
        x = self._first(input)
        if hx is None:
            h0, c0 = self._nothing(x, self.proj_size or self.hidden_size), self._nothing(x, self.hidden_size)
        else:
            h0, c0 = (ops.expand_dims(s, 1) if input.ndim == 2 else s for s in hx)
        hidden, cells = [], []
        for layer in range(self.num_layers):
            parts = []
            for direction in range(self._directions):
                k = layer * self._directions + direction
                out, h, c = self._direction(x, h0[k], c0[k], k)
                parts.append(out)
                hidden.append(h)
                cells.append(c)
            x = self._between(ops.cat(parts, -1) if self.bidirectional else parts[0], layer)
        h, c = ops.stack(hidden, 0), ops.stack(cells, 0)
        if input.ndim == 2:
            h, c = ops.squeeze(h, 1), ops.squeeze(c, 1)
        return self._last(x, input), (h, c)
