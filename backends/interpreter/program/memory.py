"""An address space that knows every block in it."""

from __future__ import annotations

import bisect
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from jitcore.program import nodes as ir
from jitcore.structs import dataclass
from jitcore.types import DType

Numbers: TypeAlias = NDArray[Any]

UNWRITTEN: Final = 0xA5
"""What the bytes of a new block are."""
_START: Final = 1 << 20
DEVICE_START: Final = 1 << 60
"""Where another memory than the host's begins: no address is one of both."""
_ALIGNMENT: Final = 64


class Fault(Exception):
    """A program did what no program may do: it is the compiler's mistake, not the user's."""


def require(condition: object, message: str) -> None:
    """Raise a Fault unless a condition holds."""
    if not condition:
        raise Fault(message)


@dataclass(slots=True, eq=False)
class Region:
    """Some memory: a block with a count, or an argument's or a constant's memory (`count` None). Of blocks, `written`
    says which bytes have been."""

    base: int
    bytes: NDArray[np.uint8]
    count: int | None
    written: NDArray[np.bool_] | None = None
    twin: tuple[int, int] | None = None
    """Of a block of another memory: address and owner of what it mirrors in the host's, or of its copy there."""


class Memory:
    """Regions by their addresses, which lie apart: what reaches past the end of one is in none."""

    def __init__(self, start: int = _START) -> None:
        self._regions: list[Region] = []
        self._bases: list[int] = []
        self._next = start

    @property
    def leaked(self) -> int:
        """How many blocks were never given back."""
        return sum(1 for region in self._regions if region.count)

    def add(self, raw: NDArray[np.uint8], count: int | None = None) -> Region:
        """Take bytes on: as a block, if there is a count."""
        region = Region(self._next, raw, count)
        if count is not None:
            region.written = np.zeros(len(raw), bool)
        self._regions.append(region)
        self._bases.append(self._next)
        self._next += (len(raw) // _ALIGNMENT + _ALIGNMENT) * _ALIGNMENT
        return region

    def allocate(self, size: int, zeroed: bool) -> int:
        """A new block of so many bytes behind its header: its owner."""
        require(size >= 0, "a block of negative size")
        raw = np.full(size + ir.BLOCK_HEADER_BYTES, 0 if zeroed else UNWRITTEN, np.uint8)
        region = self.add(raw, count=1)
        assert region.written is not None
        region.written[:] = zeroed
        return region.base

    def at(self, address: int) -> Region:
        """The region that an address is in, alive or not."""
        k = bisect.bisect_right(self._bases, address) - 1
        require(k >= 0, f"access to {address:#x}, which is no memory")
        return self._regions[k]

    def region(self, address: int, size: int = 1) -> Region:
        """The region that an access is to."""
        region = self.at(address)
        require(address + size <= region.base + len(region.bytes), f"access past the end of a region: {address:#x}")
        require(region.count != 0, "access to memory that was given back")
        return region

    def block(self, owner: int) -> Region:
        """The block that an owner stands for."""
        region = self.region(owner)
        require(region.base == owner, "an owner that is no block")
        return region

    def change(self, owner: int, by: int) -> None:
        """Count references to a block; borrowed memory and none have no count."""
        if owner == 0 or owner & 1:
            return
        region = self.block(owner)
        require(region.count is not None, "memory of the caller's is counted")
        assert region.count is not None
        region.count += by

    def load(self, addresses: Numbers, dtype: DType) -> Numbers:
        """The elements at addresses, which are in one region."""
        if not len(addresses):
            return np.zeros(0, dtype.numpy)
        region, places = self._places(addresses, dtype.itemsize)
        require(region.written is None or region.written[places].all(), "read of memory that was never written")
        return np.ascontiguousarray(region.bytes[places]).view(dtype.numpy).reshape(-1)

    def store(self, addresses: Numbers, values: Numbers, dtype: DType) -> None:
        """Write elements to addresses, which are in one region."""
        if not len(addresses):
            return
        region, places = self._places(addresses, dtype.itemsize)
        require(region.bytes.flags.writeable, "a write to read-only memory")
        raw = np.ascontiguousarray(values, dtype.numpy).view(np.uint8).reshape(len(addresses), dtype.itemsize)
        region.bytes[places] = raw
        if region.written is not None:
            region.written[places] = True

    def _places(self, addresses: Numbers, size: int) -> tuple[Region, Numbers]:
        low, high = int(addresses.min()), int(addresses.max())
        region = self.region(low)
        require(region is self.region(high, size), "one access to two regions")
        if region.count is not None:
            require(low >= region.base + ir.BLOCK_HEADER_BYTES, "access to a block's header")
        return region, (addresses - region.base)[:, None] + np.arange(size)
