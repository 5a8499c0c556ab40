"""Recurrent networks, as Layers: cells for one step, and networks over sequences."""

# pyright: reportPrivateUsage=false
# (the steps of cells are shared with PyTorch's)

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, ClassVar

from jitcore import ops
from jitcore.compat.paddle import declaring
from jitcore.compat.paddle.declaring import network
from jitcore.compat.paddle.networks import normalisation
from jitcore.compat.paddle.nn.attributes import AttrLike
from jitcore.compat.paddle.nn.containers import LayerList
from jitcore.compat.paddle.nn.initializer import Uniform
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.compat.torch.networks.dense import linear
from jitcore.compat.torch.nn import recurrent as shaped
from jitcore.library.core import marking, values
from jitcore.library.core.values import evaluator
from jitcore.library.math import elementwise
from jitcore.primitives.core import evaluation
from jitcore.runtime.tensor import Tensor

States = Any
"""A Tensor, or for an LSTM a pair."""


@network
def nothing_of(x: Tensor, axis: int, before: tuple[int, ...], size: int) -> Any:
    """Zeros (…, batch, size) for an input whose batch is one of its axes."""
    batch = values.shape_of(x)[values.static_int(axis, "axis")]
    return ops.zeros((*before, evaluator().number(batch), size), values.dtype_of_value(x))


@marking.library("raw")
def is_recorded(*args: object) -> bool:
    """Whether calls with such arguments become part of a Program, and are not computed now."""
    recorder = declaring.recorder
    return recorder is not None and not evaluation.is_tracing() and recorder.wants(is_recorded, args, {})


def called(function: Callable[..., Any], *args: object) -> Any:
    """What a function gives, or what stands for it in a Program."""
    if is_recorded(*args):
        return recorded(function, args)
    return function(*args)


def recorded(function: Callable[..., Any], args: tuple[object, ...]) -> Any:
    """What stands in a Program for what a function gives."""
    assert declaring.recorder is not None
    return declaring.recorder.record(function, args, {})


@network
def joined(parts: Sequence[Tensor]) -> Any:
    """Results of both directions, side by side."""
    return ops.cat(list(parts), -1)


@network
def piled(parts: Sequence[Tensor]) -> Any:
    """Results one after the other, along a new first axis."""
    return ops.stack(list(parts), 0)


# --- one step -------------------------------------------------------------------------------------------


class RNNCellBase(Layer):
    """What cells have; those of users define `forward(inputs, states)`, which gives (outputs, states), and
    `state_shape`."""

    _gates: ClassVar[int] = 1
    input_size: int
    hidden_size: int
    weight_ih: Any
    weight_hh: Any
    bias_ih: Any
    bias_hh: Any

    def _begin(self, input_size: int, hidden_size: int, state: int, attrs: tuple[AttrLike, ...]) -> None:
        if hidden_size <= 0:
            raise ValueError(
                f"hidden_size of {type(self).__name__} must be greater than 0, but now equals to {hidden_size}"
            )
        bound = 1.0 / math.sqrt(hidden_size)
        rows, begin = self._gates * hidden_size, Uniform(-bound, bound)
        self.weight_ih = self.create_parameter([rows, input_size], attrs[0], default_initializer=begin)
        self.weight_hh = self.create_parameter([rows, state], attrs[1], default_initializer=begin)
        self.bias_ih = self.create_parameter([rows], attrs[2], is_bias=True, default_initializer=begin)
        self.bias_hh = self.create_parameter([rows], attrs[3], is_bias=True, default_initializer=begin)
        self.input_size = input_size
        self.hidden_size = hidden_size

    def gates(self, x: Tensor) -> Any:
        """What the input gives to each gate."""
        return called(linear, x, self.weight_ih, self.bias_ih)

    def step(self, gates: Tensor, states: States) -> Any:
        """(outputs, states) after a step."""
        raise NotImplementedError

    @property
    def state_shape(self) -> Any:
        """The shape of the states of one sample, or several such."""
        raise NotImplementedError("Please add implementation for `state_shape` in the used cell.")

    def get_initial_states(
        self,
        batch_ref: Tensor,
        shape: object = None,
        dtype: object = None,
        init_value: float = 0.0,
        batch_dim_idx: int = 0,
    ) -> Any:
        """The states that nothing has been seen in, for a batch as large as another's."""
        wanted: Any = self.state_shape if shape is None else shape
        several = isinstance(wanted[0], tuple | list)
        made = tuple(
            nothing_of(batch_ref, batch_dim_idx, (), [n for n in extents if n != -1][-1])
            for extents in (wanted if several else [wanted])
        )
        if init_value:
            made = tuple(state + init_value for state in made)
        if dtype is not None:
            made = tuple(state.astype(dtype) for state in made)
        return made if several else made[0]

    def extra_repr(self) -> str:
        return f"{self.input_size}, {self.hidden_size}"


class SimpleRNNCell(RNNCellBase):
    """One step of a simple recurrent network."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        activation: str = "tanh",
        weight_ih_attr: AttrLike = None,
        weight_hh_attr: AttrLike = None,
        bias_ih_attr: AttrLike = None,
        bias_hh_attr: AttrLike = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        del name
        if activation not in ("tanh", "relu"):
            raise ValueError(f"activation for SimpleRNNCell should be tanh or relu, but get {activation}")
        self._begin(input_size, hidden_size, hidden_size, (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr))
        self.activation = activation

    @property
    def state_shape(self) -> tuple[int, ...]:
        return (self.hidden_size,)

    def step(self, gates: Tensor, states: States) -> Any:
        h = called(shaped._rnn_step, gates, states, self.weight_hh, self.bias_hh, self.activation)
        return h, h

    def forward(self, inputs: Tensor, states: States | None = None) -> Any:
        states = self.get_initial_states(inputs) if states is None else states
        return self.step(self.gates(inputs), states)

    def extra_repr(self) -> str:
        text = super().extra_repr()
        return text if self.activation == "tanh" else f"{text}, activation={self.activation}"


class LSTMCell(RNNCellBase):
    """One step of an LSTM (Hochreiter and Schmidhuber 1997, with forget gates)."""

    _gates: ClassVar[int] = 4
    weight_ho: Any

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: AttrLike = None,
        weight_hh_attr: AttrLike = None,
        bias_ih_attr: AttrLike = None,
        bias_hh_attr: AttrLike = None,
        proj_size: int = 0,
        name: str | None = None,
    ) -> None:
        super().__init__()
        del name
        if proj_size < 0 or (proj_size and proj_size >= hidden_size):
            raise ValueError(f"proj_size of LSTMCell must be smaller than hidden_size, not {proj_size}")
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self._begin(input_size, hidden_size, proj_size or hidden_size, attrs)
        self.proj_size = proj_size
        if proj_size:
            self.weight_ho = self.create_parameter([hidden_size, proj_size], weight_hh_attr)

    @property
    def state_shape(self) -> Any:
        return ((self.proj_size or self.hidden_size,), (self.hidden_size,))

    def step(self, gates: Tensor, states: States) -> Any:
        h, c = called(shaped._lstm_step, gates, states[0], states[1], self.weight_hh, self.bias_hh, self.hidden_size)
        if self.proj_size:
            h = h.matmul(self.weight_ho)
        return h, (h, c)

    def forward(self, inputs: Tensor, states: States | None = None) -> Any:
        states = self.get_initial_states(inputs) if states is None else states
        return self.step(self.gates(inputs), states)


class GRUCell(RNNCellBase):
    """One step of a gated recurrent unit (Cho et al. 2014)."""

    _gates: ClassVar[int] = 3

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        weight_ih_attr: AttrLike = None,
        weight_hh_attr: AttrLike = None,
        bias_ih_attr: AttrLike = None,
        bias_hh_attr: AttrLike = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        del name
        attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self._begin(input_size, hidden_size, hidden_size, attrs)

    @property
    def state_shape(self) -> tuple[int, ...]:
        return (self.hidden_size,)

    def step(self, gates: Tensor, states: States) -> Any:
        h = called(shaped._gru_step, gates, states, self.weight_hh, self.bias_hh, self.hidden_size)
        return h, h

    def forward(self, inputs: Tensor, states: States | None = None) -> Any:
        states = self.get_initial_states(inputs) if states is None else states
        return self.step(self.gates(inputs), states)


# --- sequences ------------------------------------------------------------------------------------------


@network
def seen_of(lengths: Tensor, x: Tensor) -> Any:
    """(time, batch, 1): 1 where a sequence of x (time, batch, …) has not ended, else 0."""
    places = ops.expand_dims(ops.arange(evaluator().number(values.shape_of(x)[0])), 1)
    return elementwise.astype(ops.expand_dims(ops.lt(places, ops.expand_dims(lengths, 0)), 2), values.dtype_of_value(x))


def _kept(mask: Tensor, new: States, old: States) -> Any:
    """New states where a sequence has not ended."""
    if isinstance(new, tuple | list):
        return tuple(mask * a + (1 - mask) * b for a, b in zip(new, old))  # noqa: B905  compiled
    return mask * new + (1 - mask) * old


@network
def time_first(x: Tensor) -> Any:
    """(batch, time, …) as (time, batch, …), and back."""
    return ops.swapaxes(x, 0, 1)


class RNN(Layer):
    """A cell over sequences (batch, time, features), perhaps from their ends."""

    def __init__(self, cell: RNNCellBase, is_reverse: bool = False, time_major: bool = False) -> None:
        super().__init__()
        self.cell = cell
        self.is_reverse = is_reverse
        self.time_major = time_major

    def forward(
        self,
        inputs: Tensor,
        initial_states: States | None = None,
        sequence_length: Tensor | None = None,
        **kwargs: object,
    ) -> Any:
        x = inputs if self.time_major else time_first(inputs)
        states = self.cell.get_initial_states(x, batch_dim_idx=1) if initial_states is None else initial_states
        made, states = over_time(self.cell, x, states, sequence_length, self.is_reverse, kwargs)
        return (made if self.time_major else time_first(made)), states


def over_time(
    cell: RNNCellBase, x: Tensor, states: States, lengths: Tensor | None, backwards: bool, options: dict[str, Any]
) -> Any:
    """(outputs, states) of a cell over x (time, batch, …)."""
    mask = None if lengths is None else seen_of(lengths, x)
    found = []
    steps = x.shape[0]
    for n in range(steps):
        t = steps - 1 - n if backwards else n
        out, new = cell(x[t], states, **options)
        if mask is not None:
            new = _kept(mask[t], new, states)
        states = new
        found.append(out)
    if backwards:
        found.reverse()
    return piled(found), states


class BiRNN(Layer):
    """Two cells over sequences, one from their begin and one from their ends."""

    def __init__(self, cell_fw: RNNCellBase, cell_bw: RNNCellBase, time_major: bool = False) -> None:
        super().__init__()
        self.cell_fw = cell_fw
        self.cell_bw = cell_bw
        if cell_fw.input_size != cell_bw.input_size:
            raise ValueError(
                f"input size of forward cell({cell_fw.input_size}) does not equals that of backward "
                f"cell({cell_bw.input_size})"
            )
        self.time_major = time_major

    def forward(
        self,
        inputs: Tensor,
        initial_states: States | None = None,
        sequence_length: Tensor | None = None,
        **kwargs: object,
    ) -> Any:
        x = inputs if self.time_major else time_first(inputs)
        if initial_states is None:
            first = self.cell_fw.get_initial_states(x, batch_dim_idx=1)
            second = self.cell_bw.get_initial_states(x, batch_dim_idx=1)
        else:
            first, second = initial_states
        ahead, first = over_time(self.cell_fw, x, first, sequence_length, False, kwargs)
        back, second = over_time(self.cell_bw, x, second, sequence_length, True, kwargs)
        made = joined([ahead, back])
        return (made if self.time_major else time_first(made)), (first, second)


class _Recurrent(LayerList):
    """What SimpleRNN, LSTM and GRU have: layers of a kind of cell, perhaps in both directions. Their Parameters are
    also attributes of it, as `weight_ih_l0` or `bias_hh_l1_reverse`."""

    def _build(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int,
        direction: str,
        time_major: bool,
        dropout: float,
        output_size: int,
    ) -> None:
        if direction not in ("forward", "bidirectional", "bidirect"):
            raise ValueError(
                "direction should be forward or bidirect (or bidirectional), received direction = " + direction
            )
        self.input_size = input_size
        self.hidden_size = hidden_size
        self.num_layers = num_layers
        self.num_directions = 1 if direction == "forward" else 2
        self.time_major = time_major
        self.dropout = dropout
        for layer in range(num_layers):
            width = input_size if layer == 0 else output_size * self.num_directions
            cells = [self._cell(width) for _ in range(self.num_directions)]
            self.append(RNN(cells[0], False, time_major) if len(cells) == 1 else BiRNN(cells[0], cells[1], time_major))
            for cell, suffix in zip(cells, ("", "_reverse"), strict=False):
                for name, parameter in cell.named_parameters():
                    setattr(self, f"{name}_l{layer}{suffix}", parameter)

    def _cell(self, width: int) -> Any:
        """A new cell for inputs of a width."""
        raise NotImplementedError

    def _cells_of(self, layer: int) -> list[Any]:
        held = self[layer]
        return [held.cell] if self.num_directions == 1 else [held.cell_fw, held.cell_bw]

    def _direction(self, cell: RNNCellBase, x: Tensor, states: States, mask: Tensor | None, backwards: bool) -> Any:
        """(results (time, batch, width), last states) of a layer in one direction; 0 after a sequence's end."""
        gates = cell.gates(x)
        if is_recorded(x):
            return self._recorded_direction(cell, gates, states, mask, backwards)
        steps = x.shape[0]
        made = nothing_of(x, 1, (steps,), self._width)
        for n in range(steps):
            t = steps - 1 - n if backwards else n
            out, new = cell.step(gates[t], states)
            if mask is not None:
                out, new = out * mask[t], _kept(mask[t], new, states)
            made[t] = out
            states = new
        return made, states

    def _recorded_direction(
        self, cell: RNNCellBase, gates: Tensor, states: States, mask: Tensor | None, backwards: bool
    ) -> Any:
        """The same in a Program, step by step. Raises NotImplementedError where their number is not known."""
        steps = gates.shape[0]
        if steps < 0:
            raise NotImplementedError(
                "recurrent Layers in a Program take as many steps as `static.data` says: give it their number"
            )
        found: list[Any] = [None] * steps
        for t in reversed(range(steps)) if backwards else range(steps):
            found[t], new = cell.step(gates[t], states)
            if mask is not None:
                found[t], new = found[t] * mask[t], _kept(mask[t], new, states)
            states = new
        return piled(found), states

    @property
    def _width(self) -> int:
        """The width of results in one direction."""
        return self.hidden_size

    def _between(self, x: Tensor, layer: int) -> Any:
        """What a layer gets of the results before."""
        if layer > 0 and self.dropout > 0:
            return normalisation.dropout(x, self.dropout, None, self.training)
        return x

    def extra_repr(self) -> str:
        text = f"{self.input_size}, {self.hidden_size}"
        for name, value, default in (
            ("num_layers", self.num_layers, 1),
            ("time_major", self.time_major, False),
            ("dropout", self.dropout, 0),
        ):
            text += "" if value == default else f", {name}={value}"
        return text


class _OneState(_Recurrent):
    """What SimpleRNN and GRU have: one state."""

    def forward(
        self, inputs: Tensor, initial_states: States | None = None, sequence_length: Tensor | None = None
    ) -> Any:
        x = inputs if self.time_major else time_first(inputs)
        mask = None if sequence_length is None else seen_of(sequence_length, x)
        count = self.num_layers * self.num_directions
        states = nothing_of(x, 1, (count,), self.hidden_size) if initial_states is None else initial_states
        last = []
        for layer in range(self.num_layers):
            x = self._between(x, layer)
            parts = []
            for direction in range(self.num_directions):
                cell = self._cells_of(layer)[direction]
                k = layer * self.num_directions + direction
                out, h = self._direction(cell, x, states[k], mask, direction == 1)
                parts.append(out)
                last.append(h)
            x = parts[0] if self.num_directions == 1 else joined(parts)
        return (x if self.time_major else time_first(x)), piled(last)


class SimpleRNN(_OneState):
    """A simple recurrent network over sequences."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        activation: str = "tanh",
        weight_ih_attr: AttrLike = None,
        weight_hh_attr: AttrLike = None,
        bias_ih_attr: AttrLike = None,
        bias_hh_attr: AttrLike = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        del name
        if activation not in ("tanh", "relu"):
            raise ValueError(f"Unknown activation '{activation}'")
        self.activation = activation
        self._attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self._build(input_size, hidden_size, num_layers, direction, time_major, dropout, hidden_size)

    def _cell(self, width: int) -> Any:
        return SimpleRNNCell(width, self.hidden_size, self.activation, *self._attrs)


class GRU(_OneState):
    """A gated recurrent network over sequences."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        weight_ih_attr: AttrLike = None,
        weight_hh_attr: AttrLike = None,
        bias_ih_attr: AttrLike = None,
        bias_hh_attr: AttrLike = None,
        name: str | None = None,
    ) -> None:
        super().__init__()
        del name
        self._attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self._build(input_size, hidden_size, num_layers, direction, time_major, dropout, hidden_size)

    def _cell(self, width: int) -> Any:
        return GRUCell(width, self.hidden_size, *self._attrs)


class LSTM(_Recurrent):
    """An LSTM over sequences."""

    def __init__(
        self,
        input_size: int,
        hidden_size: int,
        num_layers: int = 1,
        direction: str = "forward",
        time_major: bool = False,
        dropout: float = 0.0,
        weight_ih_attr: AttrLike = None,
        weight_hh_attr: AttrLike = None,
        bias_ih_attr: AttrLike = None,
        bias_hh_attr: AttrLike = None,
        proj_size: int = 0,
        name: str | None = None,
    ) -> None:
        super().__init__()
        del name
        self.proj_size = proj_size
        self._attrs = (weight_ih_attr, weight_hh_attr, bias_ih_attr, bias_hh_attr)
        self._build(input_size, hidden_size, num_layers, direction, time_major, dropout, proj_size or hidden_size)

    def _cell(self, width: int) -> Any:
        return LSTMCell(width, self.hidden_size, *self._attrs, proj_size=self.proj_size)

    @property
    def _width(self) -> int:
        return self.proj_size or self.hidden_size

    def forward(
        self, inputs: Tensor, initial_states: States | None = None, sequence_length: Tensor | None = None
    ) -> Any:
        x = inputs if self.time_major else time_first(inputs)
        mask = None if sequence_length is None else seen_of(sequence_length, x)
        count = self.num_layers * self.num_directions
        if initial_states is None:
            h0 = nothing_of(x, 1, (count,), self._width)
            c0 = nothing_of(x, 1, (count,), self.hidden_size)
        else:
            h0, c0 = initial_states
        hidden, cells = [], []
        for layer in range(self.num_layers):
            x = self._between(x, layer)
            parts = []
            for direction in range(self.num_directions):
                cell = self._cells_of(layer)[direction]
                k = layer * self.num_directions + direction
                out, (h, c) = self._direction(cell, x, (h0[k], c0[k]), mask, direction == 1)
                parts.append(out)
                hidden.append(h)
                cells.append(c)
            x = parts[0] if self.num_directions == 1 else joined(parts)
        return (x if self.time_major else time_first(x)), (piled(hidden), piled(cells))
