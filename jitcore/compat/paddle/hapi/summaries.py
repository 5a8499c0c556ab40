"""`paddle.summary`: the Layers of a network with their shapes and numbers of Parameters."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, NamedTuple, cast

import numpy as np

from jitcore.compat.paddle.nn.containers import LayerList, Sequential
from jitcore.compat.paddle.nn.layer import Layer
from jitcore.compat.paddle.tensor import Tensor
from jitcore.library.core.dtypes import as_dtype
from jitcore.runtime import nodes
from jitcore.runtime.tensor import Tensor as AnyTensor
from jitcore.runtime.tensor import made_of

_MEGABYTE = 1024**2


class _Row(NamedTuple):
    """What is told of a Layer."""

    layer: str
    taken: Any
    given: Any
    held: int
    trainable: int


def _shape(value: object) -> Any:
    if isinstance(value, list | tuple):
        return [_shape(item) for item in cast("Sequence[Any]", value)]
    return list(value.shape) if isinstance(value, AnyTensor) else []


def _elements(shape: object) -> int:
    """The number of elements of shapes."""
    items = cast("Sequence[Any]", shape)
    return math.prod(items) if all(isinstance(n, int) for n in items) else sum(map(_elements, items))


def summary(net: Layer, input_size: object = None, dtypes: object = None, input: object = None) -> dict[str, Any]:
    """Print the Layers of a network as it computes results of inputs, or of zeros of some shapes; the numbers of all
    Parameters and of those that need gradients."""
    if input_size is None and input is None:
        raise ValueError("input_size and input cannot be None at the same time")
    inputs = _zeros(input_size, dtypes) if input is None else _several(input)
    rows = _watched(net, inputs)
    total, trainable = sum(row.held for row in rows), sum(row.trainable for row in rows)
    sizes = sum(_elements(_shape(x)) for x in inputs), sum(_elements(row.given) for row in rows)
    print(_table(rows, total, trainable, sizes))
    return {"total_params": np.int64(total), "trainable_params": np.int64(trainable)}


def _several(given: object) -> list[Any]:
    return list(given) if isinstance(given, list | tuple) else [given]


def _zeros(input_size: object, dtypes: object) -> list[Any]:
    several = isinstance(input_size, list) and input_size and isinstance(input_size[0], tuple | list)
    shapes = cast("list[Sequence[Any]]", input_size if several else [input_size])
    kinds = list(dtypes) if isinstance(dtypes, list | tuple) else [dtypes or "float32"] * len(shapes)
    arrays = [
        np.zeros([1 if n in (None, -1) else n for n in shape], as_dtype(kind).numpy)
        for shape, kind in zip(shapes, kinds, strict=True)
    ]
    return [made_of(Tensor, array) for array in arrays]


def _watched(net: Layer, inputs: list[Any]) -> list[_Row]:
    """What is told of each Layer, in the order of their calls."""
    rows: list[_Row] = []

    def note(layer: Layer, taken: object, given: object) -> None:
        number = layer.full_name().rpartition("_")[2]
        name = f"{type(layer).__name__}-{int(number) + 1 if number.isdigit() else len(rows) + 1}"
        own = [p for _, p in layer.named_parameters(include_sublayers=False)]
        trainable = sum(int(np.prod(p.shape)) for p in own if not p.stop_gradient)
        row = _Row(name, _shape(taken), _shape(given), sum(int(np.prod(p.shape)) for p in own), trainable)
        known = next((k for k, other in enumerate(rows) if other.layer == name), None)
        if known is None:
            rows.append(row)
        else:
            rows[known] = row

    leaves = not list(net.sublayers())
    handles = [
        layer.register_forward_post_hook(note)
        for layer in net.sublayers(include_self=True)
        if (layer is not net or leaves) and not isinstance(layer, Sequential | LayerList)
    ]
    try:
        with nodes.recording(False):
            net(*inputs)
    finally:
        for handle in handles:
            handle.remove()
    return rows


def _table(rows: list[_Row], total: int, trainable: int, sizes: tuple[int, int]) -> str:
    cells = [(row.layer, str(row.taken), str(row.given), f"{row.held:,}") for row in rows]
    plain = [(row.layer, str(row.taken), str(row.given), str(row.held)) for row in rows]
    widths = [max([least, *(len(row[k]) for row in plain)]) for k, least in enumerate((15, 20, 20, 15))]
    width = max(75, sum(widths) + 5)
    lines = ["-" * width, _line(("Layer (type)", "Input Shape", "Output Shape", "Param #"), widths), "=" * width]
    lines += [_line(row, widths) for row in cells]
    taken, given, held = (abs(n * 4.0 / _MEGABYTE) for n in (sizes[0], 2 * sizes[1], total))
    return "\n".join(
        [
            *lines,
            "=" * width,
            f"Total params: {total:,}",
            f"Trainable params: {trainable:,}",
            f"Non-trainable params: {total - trainable:,}",
            "-" * width,
            f"Input size (MB): {taken:0.2f}",
            f"Forward/backward pass size (MB): {given:0.2f}",
            f"Params size (MB): {held:0.2f}",
            f"Estimated Total Size (MB): {taken + given + held:0.2f}",
            "-" * width,
            "",
        ]
    )


def _line(cells: Sequence[str], widths: Sequence[int]) -> str:
    return " ".join(f"{cell:^{width}}" for cell, width in zip(cells, widths, strict=True))
