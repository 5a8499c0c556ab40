"""Rows of a Tensor with a history, as the Tensors in a list that a compiled call makes."""

# pyright: reportPrivateUsage=false
# (the slots of Tensor are shared by this package)

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from jitcore.primitives.ops import joining, shape
from jitcore.runtime.nodes import History, Node
from jitcore.runtime.tensor import Tensor, wrap, wrap_like


class TensorRows(Node):
    """The rows of a Tensor with a history, one output each."""

    __slots__ = ("_whole",)

    def __init__(self, whole: Tensor) -> None:
        assert whole._history is not None
        super().__init__([whole._history.edge], len(whole._array))
        self._whole = whole

    def rows(self, start: int, length: int) -> list[Tensor]:
        """Some of the rows, each in memory of its own: each can be written to without the others."""
        return [self._row(k) for k in range(start, start + length)]

    def _row(self, k: int) -> Tensor:
        made = wrap_like(self._whole, self._whole._array[k, ...].copy())
        made._history = History((self, k))
        return made

    def backward(self, cotangents: list[Any]) -> Sequence[Any]:
        """See `Node`."""
        array = self._whole._array
        nothing = wrap(np.zeros((1, *array.shape[1:]), array.dtype))
        rows = [nothing if ct is None else shape.expand_dims(ct, axis=(0,)) for ct in cotangents]
        return [joining.concatenate(*rows, axis=0)]

    @property
    def name(self) -> str:
        """What was computed."""
        return "Unbind"
