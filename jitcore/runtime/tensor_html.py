"""How notebooks show a Tensor: its class, shape and dtype, and its values in a table, of large ones the first and last
of each axis."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any, Final

import numpy as np

from jitcore.runtime.markup import block, bytes_text, note, table, text

if TYPE_CHECKING:
    from jitcore.runtime.tensor import Array, Tensor

_MOST: Final = 12
"""Rows or columns that are shown whole."""
_EDGE: Final = 5
"""Of more, this many of the first and of the last."""
_WHOLE: Final = 100
"""Values of an array of more than two axes that are shown whole."""
_LINE: Final = 200
"""Characters of one value, and of a line of text."""
_SKIPPED: Final = "…"


def shown(tensor: Tensor) -> str:
    """A Tensor as HTML: `Tensor (2, 3) Float32, 24 B`, and a table of a vector or matrix, or the text of more axes.

    What a table leaves out stands as an ellipsis.
    """
    array = tensor._array
    is_parameter = getattr(type(tensor), "__jitcore_keeps_memory__", False) is True
    called = f" {text(_cut(getattr(tensor, 'name', '')))}" if is_parameter else ""
    shape = ", ".join(map(str, array.shape)) + ("," if array.ndim == 1 else "")
    size = note(f"({shape}) {text(tensor.dtype)}, {bytes_text(array.nbytes)}")
    head = f"<div><b>{text(type(tensor).__name__)}</b>{called} {size}</div>"
    return f"<div>{head}{_values(array)}</div>"


def _values(array: Array) -> str:
    if not array.size:
        return block("[]") if array.ndim < 2 else ""
    if array.ndim > 2:
        limits: Any = {"threshold": _WHOLE, "edgeitems": 2, "max_line_width": _LINE, "precision": 4}
        return block(text(np.array2string(array, separator=", ", **limits)))
    rows = array.reshape((1, -1) if array.ndim < 2 else array.shape)
    shows = _formatter(rows)
    lines = [
        [_SKIPPED if k is None or i is None else shows(rows[i, k]) for k in _places(rows.shape[1])]
        for i in _places(rows.shape[0])
    ]
    return table(lines)


def _places(extent: int) -> list[int | None]:
    """The positions along an axis that are shown, None for those between."""
    if extent <= _MOST:
        return list(range(extent))
    return [*range(_EDGE), None, *range(extent - _EDGE, extent)]


def _formatter(array: Array) -> Callable[[Any], str]:
    if array.dtype.kind in "fc":
        return lambda value: f"{value:.5g}"
    return lambda value: text(_cut(value))


def _cut(value: object) -> str:
    shown = str(value)
    return shown if len(shown) <= _LINE else shown[: _LINE - 1] + _SKIPPED
