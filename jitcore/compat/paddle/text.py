"""Tensors as Paddle prints them: eight digits, padded behind, with their shape, dtype, place and `stop_gradient`."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, cast

import numpy as np

from jitcore.runtime.tensor import Tensor
from jitcore.structs import dataclass


@dataclass(slots=True)
class Options:
    """What `paddle.set_printoptions` sets."""

    precision: int = 8
    threshold: int = 1000
    edgeitems: int = 3
    linewidth: int = 80
    sci_mode: bool = False


options: Final = Options()


def set_printoptions(
    precision: int | None = None,
    threshold: int | None = None,
    edgeitems: int | None = None,
    sci_mode: bool | None = None,
    linewidth: int | None = None,
) -> None:
    """How Tensors are printed from now on; what is None stays as it was. Raises TypeError for values of other types."""
    given = {"precision": precision, "threshold": threshold, "edgeitems": edgeitems, "linewidth": linewidth}
    for name, value in {**given, "sci_mode": sci_mode}.items():
        wanted = bool if name == "sci_mode" else int
        if value is None:
            continue
        if not isinstance(cast("object", value), wanted):
            raise TypeError(f"The type of '{name}' in set_printoptions must be {wanted}, but received {type(value)}. ")
        setattr(options, name, value)


class _Format:
    """How the numbers of one Tensor are written: padded to the widest, with room for a sign if one has it."""

    def __init__(self, shown: np.ndarray[Any, Any]) -> None:
        flat = shown.reshape(-1)
        self._signed = any(map(_is_negative, flat))
        self.width = max((len(_written(item)) for item in flat), default=0)

    def __call__(self, item: np.number[Any]) -> str:
        text = _written(item)
        if self._signed and len(text) < self.width and not _is_negative(item):
            text = " " + text
        return text.ljust(self.width)


def _is_negative(item: np.number[Any]) -> bool:
    return item.dtype.kind in "ifc" and (complex(item).real, complex(item).imag) < (0, 0)


def _written(item: np.number[Any]) -> str:
    if item.dtype.kind == "f":
        return _real(float(item))
    if item.dtype.kind == "c":
        held = complex(item)
        real, imaginary = map(_digits, (held.real, held.imag))
        return f"({real}{'+' if held.imag >= 0 else ''}{imaginary}j)"
    return str(item)


def _digits(value: float) -> str:
    return f"{value:.{options.precision}{'e' if options.sci_mode else 'f'}}"


def _real(value: float) -> str:
    if options.sci_mode or not math.isfinite(value):
        return _digits(value) if options.sci_mode else f"{value:.0f}" + ("." if math.isinf(value) else "")
    return f"{value:.0f}." if value.is_integer() else _digits(value)


def _shown(array: np.ndarray[Any, Any]) -> np.ndarray[Any, Any]:
    """The elements that are shown of a large array."""
    for axis, n in enumerate(array.shape):
        if n > 2 * options.edgeitems:
            kept = [*range(options.edgeitems), *range(n - options.edgeitems, n)]
            array = np.take(array, kept, axis)
    return array


def _nested(array: np.ndarray[Any, Any], form: _Format, width: int, indent: int, summarised: bool) -> str:
    if array.ndim == 0:
        return form(array.reshape(1)[0])
    edge = options.edgeitems
    cut = summarised and array.shape[0] > 2 * edge
    rows: Sequence[Any] = [*array[:edge], None, *array[-edge:]] if cut else list(array)
    if array.ndim > 1:
        texts = ["..." if row is None else _nested(row, form, width, indent + 1, summarised) for row in rows]
        return "[" + ("," + "\n" * (array.ndim - 1) + " " * (indent + 1)).join(texts) + "]"
    texts = ["..." if item is None else form(item) for item in rows]
    a_line = max(1, (options.linewidth - indent) // (width + 2))
    lines = [", ".join(texts[k : k + a_line]) for k in range(0, len(texts), a_line)]
    return "[" + (",\n" + " " * (indent + 1)).join(lines) + "]"


def elements_of(array: np.ndarray[Any, Any], indent: int) -> str:
    """The text of an array's elements, where lines begin `indent` from the left."""
    form = _Format(_shown(array) if array.size else array)
    return _nested(array, form, form.width, indent, array.size > options.threshold)


def text_of(tensor: Tensor, stop_gradient: bool) -> str:
    """`repr(tensor)`."""
    start = "Tensor("
    said = f"shape={list(tensor._array.shape)}, dtype={tensor._dtype.numpy.name}, place=Place(cpu)"
    return f"{start}{said}, stop_gradient={stop_gradient},\n{' ' * len(start)}{elements_of(tensor._array, len(start))})"
