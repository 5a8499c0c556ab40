"""Recurrent networks: RNN, LSTM, GRU over sequences, and their cells for one step.

Gates are in the order that PyTorch and cuDNN have: input, forget, cell, output (LSTM); reset, update, new (GRU).
"""

from __future__ import annotations

import math
from typing import Any

from jitcore import ops
from jitcore.common.initializer import Uniform, initializer
from jitcore.common.parameter import Parameter
from jitcore.library.core.marking import made_by
from jitcore.nn import arguments
from jitcore.nn.cell import Cell
from jitcore.nn.layers import Dropout
from jitcore.runtime.tensor import Tensor
from jitcore.types import f32


def _rnn_step(gates: Any, h: Any, weight: Any, bias: Any, relu: bool) -> Any:
    total = gates + ops.dense(h, weight, bias)
    return ops.relu(total) if relu else ops.tanh(total)


def _lstm_step(gates: Any, h: Any, c: Any, weight: Any, bias: Any, size: int) -> Any:
    total = gates + ops.dense(h, weight, bias)
    enter = ops.sigmoid(total[:, :size])
    keep = ops.sigmoid(total[:, size : 2 * size])
    new = ops.tanh(total[:, 2 * size : 3 * size])
    show = ops.sigmoid(total[:, 3 * size :])
    c = keep * c + enter * new
    return show * ops.tanh(c), c


def _gru_step(gates: Any, h: Any, weight: Any, bias: Any, size: int) -> Any:
    inner = ops.dense(h, weight, bias)
    reset = ops.sigmoid(gates[:, :size] + inner[:, :size])
    update = ops.sigmoid(gates[:, size : 2 * size] + inner[:, size : 2 * size])
    new = ops.tanh(gates[:, 2 * size :] + reset * inner[:, 2 * size :])
    return new + update * (h - new)


# --- one step ---------------------------------------------------------------------------------------


class _StepCell(Cell):
    gates = 1

    def __init__(self, input_size: int, hidden_size: int, has_bias: bool = True, dtype: Any = f32) -> None:
        super().__init__()
        name = type(self).__name__
        self.input_size = arguments.positive(input_size, "input_size", name)
        self.hidden_size = arguments.positive(hidden_size, "hidden_size", name)
        self.has_bias = has_bias
        bound, rows = Uniform(1 / math.sqrt(hidden_size)), self.gates * hidden_size
        self.weight_ih = Parameter(initializer(bound, (rows, input_size), dtype), name="weight_ih")
        self.weight_hh = Parameter(initializer(bound, (rows, hidden_size), dtype), name="weight_hh")
        self.bias_ih = Parameter(initializer(bound, (rows,), dtype), name="bias_ih") if has_bias else None
        self.bias_hh = Parameter(initializer(bound, (rows,), dtype), name="bias_hh") if has_bias else None

    def extend_repr(self) -> str:
        return f"input_size={self.input_size}, hidden_size={self.hidden_size}, has_bias={self.has_bias}"


class RNNCell(_StepCell):
    """One step of a simple recurrent network: tanh (or relu) of x @ w_ih.T + b_ih + h @ w_hh.T + b_hh."""

    def __init__(
        self, input_size: int, hidden_size: int, has_bias: bool = True, nonlinearity: str = "tanh", dtype: Any = f32
    ) -> None:
        super().__init__(input_size, hidden_size, has_bias, dtype)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"nonlinearity of RNNCell is 'tanh' or 'relu', not {nonlinearity!r}")
        self.relu = nonlinearity == "relu"

    def construct(self, x: Any, hx: Any) -> Any:
        """The new state (batch, hidden) from x (batch, input) and the old one."""
        gates = ops.dense(x, self.weight_ih, self.bias_ih)
        return _rnn_step(gates, hx, self.weight_hh, self.bias_hh, self.relu)


class LSTMCell(_StepCell):
    """One step of an LSTM (Hochreiter and Schmidhuber 1997, with forget gates)."""

    gates = 4

    def construct(self, x: Any, hx: Any) -> Any:
        """The new (h, c) (batch, hidden) from x (batch, input) and the old ones."""
        h, c = hx
        gates = ops.dense(x, self.weight_ih, self.bias_ih)
        return _lstm_step(gates, h, c, self.weight_hh, self.bias_hh, self.hidden_size)


class GRUCell(_StepCell):
    """One step of a gated recurrent unit (Cho et al. 2014)."""

    gates = 3

    def construct(self, x: Any, hx: Any) -> Any:
        """The new state (batch, hidden) from x (batch, input) and the old one."""
        gates = ops.dense(x, self.weight_ih, self.bias_ih)
        return _gru_step(gates, hx, self.weight_hh, self.bias_hh, self.hidden_size)


# --- sequences --------------------------------------------------------------------------------------


class _Recurrent(Cell):
    """Layers of a recurrent network over sequences (time, batch, features), perhaps in both directions."""

    gates = 1

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Any = f32,
    ) -> None:
        super().__init__()
        name = type(self).__name__
        self.input_size = arguments.positive(input_size, "input_size", name)
        self.hidden_size = arguments.positive(hidden_size, "hidden_size", name)
        self.num_layers = arguments.positive(num_layers, "num_layers", name)
        self.has_bias = has_bias
        self.batch_first = batch_first
        self.dropout = arguments.probability(dropout, "dropout", name)
        self.dropout_op = Dropout(p=self.dropout)
        self.bidirectional = bidirectional
        self.num_directions = 2 if bidirectional else 1
        weights: list[tuple[Any, ...]] = []
        for layer in range(num_layers):
            width = input_size if layer == 0 else hidden_size * self.num_directions
            for direction in range(self.num_directions):
                suffix = f"_l{layer}" + ("_reverse" if direction else "")
                weights.append(self._layer(width, suffix, dtype))
        self.weights: tuple[Any, ...] = tuple(weights)

    def _layer(self, width: int, suffix: str, dtype: Any) -> tuple[Any, ...]:
        """The Parameters of one layer in one direction."""
        bound, rows = Uniform(1 / math.sqrt(self.hidden_size)), self.gates * self.hidden_size
        shapes: dict[str, tuple[int, ...]] = {"weight_ih": (rows, width), "weight_hh": (rows, self.hidden_size)}
        if self.has_bias:
            shapes |= {"bias_ih": (rows,), "bias_hh": (rows,)}
        made: list[Any] = []
        for name, shape in shapes.items():
            parameter = Parameter(initializer(bound, shape, dtype), name=name + suffix)
            setattr(self, name + suffix, parameter)
            made.append(parameter)
        return (*made, None, None)[:4]

    def _require_sequence(self, x: Tensor) -> None:
        if x.ndim != 3:
            raise ValueError(f"{type(self).__name__} takes x of 3 dimensions, not {x.ndim}")

    def _zeros(self, x: Any) -> Any:
        """The state that nothing has been seen in."""
        made = ops.zeros((self.num_layers * self.num_directions, x.shape[1], self.hidden_size), x.dtype)
        return made_by(self, made)

    def extend_repr(self) -> str:
        return (
            f"input_size={self.input_size}, hidden_size={self.hidden_size}, num_layers={self.num_layers}, "
            f"has_bias={self.has_bias}, batch_first={self.batch_first}, dropout={self.dropout}, "
            f"bidirectional={self.bidirectional}"
        )


class _OneState(_Recurrent):
    """What RNN and GRU share: one state."""

    def _step(self, gates: Any, h: Any, weight: Any, bias: Any) -> Any:
        raise NotImplementedError

    def _direction(self, x: Any, h: Any, weights: Any, backwards: bool, seq_length: Any) -> Any:
        """(outputs (time, batch, hidden), last state) of a layer in one direction."""
        gates = ops.dense(x, weights[0], weights[2])
        steps = x.shape[0]
        out = made_by(self, ops.zeros((steps, x.shape[1], self.hidden_size), x.dtype))
        for k in range(steps):
            t = steps - 1 - k if backwards else k
            new = self._step(gates[t], h, weights[1], weights[3])
            if seq_length is None:
                h = new
                out[t] = h
            else:
                inside = ops.expand_dims(seq_length > t, 1)
                h = ops.where(inside, new, h)
                out[t] = ops.where(inside, new, 0.0)
        return out, h

    def construct(self, x: Any, hx: Any = None, seq_length: Any = None) -> Any:
        """(outputs, last states (layers * directions, batch, hidden)); rows of `seq_length` end earlier."""
        self._require_sequence(x)
        if self.batch_first:
            x = ops.transpose(x, (1, 0, 2))
        if hx is None:
            hx = self._zeros(x)
        last = []
        for layer in range(self.num_layers):
            parts = []
            for direction in range(self.num_directions):
                k = layer * self.num_directions + direction
                out, h = self._direction(x, hx[k], self.weights[k], direction == 1, seq_length)
                parts.append(out)
                last.append(h)
            x = ops.concat(parts, -1) if self.bidirectional else parts[0]
            if self.dropout > 0 and layer < self.num_layers - 1:
                x = self.dropout_op(x)
        if self.batch_first:
            x = ops.transpose(x, (1, 0, 2))
        return x, ops.stack(last, 0)


class RNN(_OneState):
    """A simple recurrent network over sequences (time, batch, input), or (batch, time, input) with `batch_first`."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        nonlinearity: str = "tanh",
        has_bias: bool = True,
        batch_first: bool = False,
        dropout: float = 0.0,
        bidirectional: bool = False,
        dtype: Any = f32,
    ) -> None:
        super().__init__(input_size, hidden_size, num_layers, has_bias, batch_first, dropout, bidirectional, dtype)
        if nonlinearity not in ("tanh", "relu"):
            raise ValueError(f"nonlinearity of RNN is 'tanh' or 'relu', not {nonlinearity!r}")
        self.relu = nonlinearity == "relu"

    def _step(self, gates: Any, h: Any, weight: Any, bias: Any) -> Any:
        return _rnn_step(gates, h, weight, bias, self.relu)


class GRU(_OneState):
    """A gated recurrent network over sequences (time, batch, input), or (batch, time, input) with `batch_first`."""

    gates = 3

    def _step(self, gates: Any, h: Any, weight: Any, bias: Any) -> Any:
        return _gru_step(gates, h, weight, bias, self.hidden_size)


class LSTM(_Recurrent):
    """An LSTM over sequences (time, batch, input), or (batch, time, input) with `batch_first`.

    >>> import numpy as np
    >>> from jitcore import Tensor
    >>> out, (h, c) = LSTM(3, 4, num_layers=2)(Tensor(np.ones((5, 2, 3), np.float32)))
    >>> out.shape, h.shape
    ((5, 2, 4), (2, 2, 4))
    """

    gates = 4

    def _direction(self, x: Any, h: Any, c: Any, weights: Any, backwards: bool, seq_length: Any) -> Any:
        """(outputs (time, batch, hidden), last h, last c) of a layer in one direction."""
        gates = ops.dense(x, weights[0], weights[2])
        steps = x.shape[0]
        out = made_by(self, ops.zeros((steps, x.shape[1], self.hidden_size), x.dtype))
        for k in range(steps):
            t = steps - 1 - k if backwards else k
            new_h, new_c = _lstm_step(gates[t], h, c, weights[1], weights[3], self.hidden_size)
            if seq_length is None:
                h = new_h
                c = new_c
                out[t] = h
            else:
                inside = ops.expand_dims(seq_length > t, 1)
                h = ops.where(inside, new_h, h)
                c = ops.where(inside, new_c, c)
                out[t] = ops.where(inside, new_h, 0.0)
        return out, h, c

    def construct(self, x: Any, hx: Any = None, seq_length: Any = None) -> Any:
        """(outputs, (last h, last c)), states (layers * directions, batch, hidden); rows of `seq_length` end
        earlier."""
        self._require_sequence(x)
        if self.batch_first:
            x = ops.transpose(x, (1, 0, 2))
        if hx is None:
            hx = (self._zeros(x), self._zeros(x))
        hs = []
        cs = []
        for layer in range(self.num_layers):
            parts = []
            for direction in range(self.num_directions):
                k = layer * self.num_directions + direction
                out, h, c = self._direction(x, hx[0][k], hx[1][k], self.weights[k], direction == 1, seq_length)
                parts.append(out)
                hs.append(h)
                cs.append(c)
            x = ops.concat(parts, -1) if self.bidirectional else parts[0]
            if self.dropout > 0 and layer < self.num_layers - 1:
                x = self.dropout_op(x)
        if self.batch_first:
            x = ops.transpose(x, (1, 0, 2))
        return x, (ops.stack(hs, 0), ops.stack(cs, 0))
