"""`oneflow.Size` and `oneflow.device`."""

from __future__ import annotations

from typing import ClassVar

from jitcore.compat.torch import sizes


class Size(sizes.Size):
    """The extents of a Tensor."""

    __slots__ = ()

    _framework: ClassVar[str] = "oneflow"


class device(sizes.device):
    """Where memory is: the CPU, which is `cpu:0`. A number is that of a GPU."""

    def __init__(self, type: str | sizes.device | int = "cpu", index: int | None = None) -> None:
        if isinstance(type, int):
            type, index = "cuda", type
        super().__init__(type, index)
        self.index = self.index or 0
