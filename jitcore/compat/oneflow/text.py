"""Tensors as OneFlow prints them: with their dtype, and without what made them."""

from __future__ import annotations

from jitcore.compat.torch.tensor import TensorBase
from jitcore.compat.torch.text import with_suffixes
from jitcore.runtime import autograd


def suffixes(tensor: TensorBase) -> list[str]:
    """What is said of a Tensor besides its elements."""
    is_leaf = autograd.is_leaf(tensor) and autograd.needs_gradient(tensor)
    return [f"dtype={tensor.dtype!r}", *(["requires_grad=True"] if is_leaf else [])]


def text_of(tensor: TensorBase) -> str:
    """`repr(tensor)`."""
    return with_suffixes(tensor, suffixes(tensor))
