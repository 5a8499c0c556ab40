"""Recurrent networks as operators, whose weights lie side by side in one Tensor."""

from __future__ import annotations

from typing import Any

from jitcore.ops import functional, random


def _positive(value: Any, name: str) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise TypeError(f"{name} of LSTM must be an int, not {type(value).__name__}")
    if value <= 0:
        raise ValueError(f"{name} of LSTM must be positive, but is {value}")
    return value


class LSTM:
    """An LSTM over sequences (time, batch, input), perhaps of several layers and in both directions.

    Called with x, the first states h and c (layers * directions, batch, hidden) and the weights: those of the inputs
    for all layers and directions, those of the states, then a bias for each (or two, which are added). Gives the
    outputs, the last h and c, and two Tensors that MindSpore's gradient would need.
    """

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int,
        has_bias: bool,
        bidirectional: bool,
        dropout: float,
        proj_size: int = 0,
    ) -> None:
        for what, given in (("has_bias", has_bias), ("bidirectional", bidirectional)):
            if not isinstance(given, bool):  # pyright: ignore[reportUnnecessaryIsInstance]
                raise TypeError(f"{what} of LSTM must be a bool, not {type(given).__name__}")
        if not isinstance(dropout, float):  # pyright: ignore[reportUnnecessaryIsInstance]
            raise TypeError(f"dropout of LSTM must be a float, not {type(dropout).__name__}")
        if not 0 <= dropout <= 1:
            raise ValueError(f"dropout of LSTM is a probability, not {dropout}")
        if proj_size:
            raise ValueError("an LSTM with proj_size is not supported")
        self.input_size = _positive(input_size, "input_size")
        self.hidden_size = _positive(hidden_size, "hidden_size")
        self.num_layers = _positive(num_layers, "num_layers")
        self.has_bias, self.bidirectional, self.dropout = has_bias, bidirectional, dropout
        self.directions = 2 if bidirectional else 1
        self.rows = tuple(
            (4 * hidden_size, input_size if layer == 0 else hidden_size * self.directions)
            for layer in range(num_layers)
            for _ in range(self.directions)
        )
        self.enters = sum(height * width for height, width in self.rows)

    def __call__(self, x: Any, h: Any, c: Any, w: Any) -> Any:
        flat = functional.reshape(w, (-1,))
        hs = []
        cs = []
        for layer in range(self.num_layers):
            parts = []
            for direction in range(self.directions):
                k = layer * self.directions + direction
                out, last_h, last_c = self._direction(x, h[k], c[k], flat, k, direction == 1)
                parts.append(out)
                hs.append(last_h)
                cs.append(last_c)
            x = functional.concat(parts, -1) if self.bidirectional else parts[0]
            if self.dropout > 0 and layer < self.num_layers - 1:
                x = random.dropout(x, self.dropout)
        reserve = functional.zeros((1,), x.dtype)
        return x, functional.stack(hs, 0), functional.stack(cs, 0), reserve, reserve

    def _weights(self, flat: Any, k: int) -> Any:
        """(those of the inputs, those of the states, the bias) of the k-th layer and direction."""
        size, count = 4 * self.hidden_size, self.num_layers * self.directions
        start = sum([height * width for height, width in self.rows[:k]])
        enter = functional.reshape(flat[start : start + size * self.rows[k][1]], self.rows[k])
        start = self.enters + k * size * self.hidden_size
        stay = functional.reshape(flat[start : start + size * self.hidden_size], (size, self.hidden_size))
        if not self.has_bias:
            return enter, stay, None
        start = self.enters + count * size * self.hidden_size
        biases = functional.reshape(flat[start:], (-1, count, size))
        return enter, stay, biases[:, k].sum(0)

    def _direction(self, x: Any, h: Any, c: Any, flat: Any, k: int, backwards: bool) -> Any:
        """(outputs, last h, last c)."""
        enter, stay, bias = self._weights(flat, k)
        n = self.hidden_size
        gates = functional.dense(x, enter, bias)
        steps = x.shape[0]
        out = functional.zeros((steps, x.shape[1], n), x.dtype)
        for step in range(steps):
            t = steps - 1 - step if backwards else step
            total = gates[t] + functional.dense(h, stay)
            keep = functional.sigmoid(total[:, n : 2 * n]) * c
            c = keep + functional.sigmoid(total[:, :n]) * functional.tanh(total[:, 2 * n : 3 * n])
            h = functional.sigmoid(total[:, 3 * n :]) * functional.tanh(c)
            out[t] = h
        return out, h, c
