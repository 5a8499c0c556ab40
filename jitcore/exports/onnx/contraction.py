"""Products of matrices, convolutions and pooling, as ONNX's."""

from __future__ import annotations

from typing import Final

from jitcore.exports.onnx.elementwise import computing_dtype
from jitcore.exports.onnx.protobuf import Attribute
from jitcore.exports.onnx.shapes import padded
from jitcore.exports.onnx.writing import Converters, RefusedError, Writer, operand
from jitcore.ir.nodes import Binding
from jitcore.primitives.ops.convolution import Padding
from jitcore.types import Dim, bool_, i8, i32, u8

CONVERTERS: Final = Converters()


@CONVERTERS.of("matmul")
def _matmul(w: Writer, b: Binding, x: str, y: str) -> str:
    have = operand(b).dtype
    wide = i32 if have is bool_ else computing_dtype(have)
    made = w.emit("MatMul", w.cast(x, have, wide), w.cast(y, have, wide))
    return w.cast(made, wide, have)


# --- convolution --------------------------------------------------------------------------------------


def _require_floats(b: Binding, what: str) -> None:
    if not operand(b).dtype.is_float:
        raise RefusedError(f"ONNX has no {what} of {operand(b).dtype.numpy.name}", "floats")


def _convolving(b: Binding) -> dict[str, Attribute]:
    return {"strides": list(b.params["stride"]), "dilations": list(b.params["dilation"]), "group": b.params["groups"]}


@CONVERTERS.of("conv2d")
def _conv2d(w: Writer, b: Binding, x: str, weight: str) -> str:
    _require_floats(b, "convolution")
    padding = b.params["padding"]
    pads = _pads(padding)
    if pads is None:  # negative, or known only when the model runs
        (top, bottom), (left, right) = padding
        x = padded(w, x, (0, 0, top, left), (0, 0, bottom, right), operand(b).shape)
        pads = [0, 0, 0, 0]
    return w.emit("Conv", x, weight, pads=pads, **_convolving(b))


def _pads(padding: Padding) -> list[int] | None:
    """The padding before all axes, and after, as ONNX has it, if it can."""
    (top, bottom), (left, right) = padding
    pads = [n for n in (top, left, bottom, right) if isinstance(n, int) and n >= 0]
    return pads if len(pads) == 4 else None


@CONVERTERS.of("conv2d_input_grad")
def _transposed_convolution(w: Writer, b: Binding, ct: str, weight: str) -> str:
    _require_floats(b, "convolution")
    padding, input_shape = b.params["padding"], b.params["input_shape"]
    pads = _pads(padding)
    more = [n for k in (0, 1) if isinstance(n := _beyond(b, k, input_shape[k + 2]), int)]
    if pads is None or len(more) < 2:
        raise RefusedError("a transposed convolution has padding that is known only when the model runs", "numbers")
    return w.emit("ConvTranspose", ct, weight, pads=pads, output_padding=more, **_convolving(b))


def _beyond(b: Binding, k: int, extent: Dim) -> Dim:
    """How many rows (or columns) the result has that no window ends at."""
    low, high = b.params["padding"][k]
    window = operand(b, 1).shape[k + 2]
    covered = (operand(b).shape[k + 2] - 1) * b.params["stride"][k] + (window - 1) * b.params["dilation"][k] + 1
    return extent + low + high - covered


# --- pooling ------------------------------------------------------------------------------------------


def _pooling(b: Binding) -> dict[str, Attribute]:
    pads = _pads(b.params["padding"])
    if pads is None:
        raise RefusedError("pooling has padding that is known only when the model runs", "numbers")
    return {"kernel_shape": list(b.params["window"]), "strides": list(b.params["stride"]), "pads": pads}


@CONVERTERS.of("max_pool2d")
def _max_pool2d(w: Writer, b: Binding, x: str) -> str:
    if operand(b).dtype not in (i8, u8):
        _require_floats(b, "maximum of windows")
    return w.emit("MaxPool", x, **_pooling(b))


@CONVERTERS.of("avg_pool2d")
def _avg_pool2d(w: Writer, b: Binding, x: str) -> str:
    counted = int(b.params.get("count_padding", True))
    return w.emit("AveragePool", x, count_include_pad=counted, **_pooling(b))
