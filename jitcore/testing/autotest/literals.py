"""Values as Python text."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import cast

import numpy as np

from jitcore.testing.autotest.items import Array
from jitcore.testing.autotest.layouts import PLAIN, layout_of


def literal(value: object, text_of: Callable[[object], str]) -> str | None:
    """A value as text, its items as `text_of` writes them; None of what is no literal."""
    if type(value) in (tuple, list):
        items = [text_of(item) for item in cast("list[object]", value)]
        if type(value) is list:
            return f"[{', '.join(items)}]"
        return f"({', '.join(items)}{',' * (len(items) == 1)})"
    if type(value) is dict:
        pairs = (f"{key!r}: {text_of(item)}" for key, item in cast("dict[object, object]", value).items())
        return f"{{{', '.join(pairs)}}}"
    if isinstance(value, slice):
        return f"slice({', '.join(map(text_of, (value.start, value.stop, value.step)))})"
    if value is Ellipsis:
        return "..."
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{float(value)}")'
    if isinstance(value, np.generic):
        return repr(value.item())
    return repr(value) if isinstance(value, bool | int | float | complex | str | bytes | None) else None


def numbers(array: Array) -> str:
    """The elements of an array as nested lists, each in the fewest digits that tell it from the others of its dtype."""
    if array.ndim:
        return f"[{', '.join(map(numbers, array))}]"
    value = array.item()
    if not isinstance(value, float):
        return repr(value)
    return str(float(str(array[()]))) if math.isfinite(value) else f'float("{value}")'


def array_text(array: Array, root: str, requires_grad: bool = False) -> str:
    """The text that makes a Tensor of an array, or with the root `np.` the array; in memory as the array is."""
    if root == "np.":
        text = f"np.array({numbers(array)}, np.{array.dtype.name})"
        return text if array.size else f"np.zeros({array.shape}, np.{array.dtype.name})"
    layout = layout_of(array)
    plain = array if layout == PLAIN else array.T if layout == "transposed" else np.repeat(array, 2, axis=-1)
    text = f"{root}tensor({numbers(plain)}, dtype={root}{array.dtype.name})"
    text = text if array.size else f"{root}zeros({plain.shape}, dtype={root}{array.dtype.name})"
    if layout != PLAIN:
        dims = tuple(reversed(range(array.ndim)))
        text += f".permute({dims})" if layout == "transposed" else "[..., ::2]"
    return f"{text}.requires_grad_()" if requires_grad else text
