"""The text of Tensors without their elements, as Graphs show them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from jitcore.runtime import autograd
from jitcore.runtime.tensor import Tensor

_WIDTH: Final = 80
_INDENT: Final = len("tensor(")


def outline(size: Sequence[object], dtype: object, *, is_lazy: bool = False, requires_grad: bool = False) -> str:
    """The text of a Tensor of such extents and dtype; `is_lazy`: of one in a program.

    >>> outline((2, 3), "float32")
    "tensor(..., size=(2, 3), dtype='float32')"
    """
    suffixes = ["is_lazy='True'"] if is_lazy else []
    suffixes += [f"size=({', '.join(map(str, size))}{',' if len(size) == 1 else ''})", f"dtype={dtype!r}"]
    if requires_grad:
        suffixes.append("requires_grad=True")
    text = "tensor(..."
    length = len(text) + 2
    for suffix in suffixes:
        if length + len(suffix) + 2 > _WIDTH:
            text += f",\n{' ' * _INDENT}{suffix}"
            length = _INDENT + len(suffix)
        else:
            text += f", {suffix}"
            length += len(suffix) + 2
    return text + ")"


def outline_of(tensor: Tensor) -> str:
    """The text of a Tensor."""
    is_leaf = autograd.is_leaf(tensor) and autograd.needs_gradient(tensor)
    return outline(tuple(tensor.shape), tensor.dtype, requires_grad=is_leaf)
