"""Networks computed on parts of a batch, one after the other, whose results are added."""

from __future__ import annotations

from typing import Any

from jitcore.nn import arguments
from jitcore.nn.cell import Cell


class _Parts(Cell):
    """A network, and the number of parts that the inputs are split into along their first axis."""

    def __init__(self, network: Cell, parts: int, name: str) -> None:
        super().__init__(auto_prefix=False)
        self.network = network
        self.parts = arguments.positive(parts, name, type(self).__name__)

    def construct(self, *inputs: Any) -> Any:
        """The sum of what the network gives for each part."""
        total = self.network(*[self._part(x, 0) for x in inputs])
        for k in range(1, self.parts):
            total = total + self.network(*[self._part(x, k) for x in inputs])
        return total

    def _part(self, x: Any, k: int) -> Any:
        count = x.shape[0]
        return x[k * count // self.parts : (k + 1) * count // self.parts]


class MicroBatchInterleaved(_Parts):
    """The sum of what a network gives for parts of a batch.

    >>> from jitcore import Tensor, nn
    >>> print(MicroBatchInterleaved(nn.ReLU(), 2)(Tensor([[1.0], [2.0], [3.0], [-4.0]])))
    [[4.]
     [2.]]
    """

    def __init__(self, network: Cell, interleave_num: int = 2) -> None:
        super().__init__(network, interleave_num, "interleave_num")
        self.interleave_num = interleave_num


class PipelineCell(_Parts):
    """The sum of what a network gives for parts of a batch, which other devices would compute side by side."""

    def __init__(self, network: Cell, micro_size: int) -> None:
        super().__init__(network, micro_size, "micro_size")
        self.micro_size = micro_size


class GradAccumulationCell(PipelineCell):
    """As `PipelineCell`."""


class VirtualDatasetCellTriple(Cell):
    """A network of three inputs, which other devices would share."""

    def __init__(self, backbone: Cell) -> None:
        super().__init__(auto_prefix=False)
        self._backbone = backbone

    def construct(self, a: Any, b: Any, c: Any) -> Any:
        """What the network gives."""
        return self._backbone(a, b, c)
