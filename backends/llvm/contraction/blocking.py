"""The sizes a contraction is cut into: register tiles from the vector unit, blocks from the caches.

The scheme and the names are those of Goto and van de Geijn, "Anatomy of High-Performance Matrix Multiplication"
(ACM TOMS 34(3), 2008): a kc x nr panel of one operand stays in L1, an mc x kc block of the other in L2, a kc x nc
block of the first in L3. One side of a tile, `rows`, is broadcast element by element; the other lies in vectors.
"""

from __future__ import annotations

from jitcore.structs import dataclass
from jitcore.types import DType

_LARGEST_BLOCK = 2 << 20
"""Bytes of the L3 block: more brings under a percent, and it is scratch memory of every thread."""


@dataclass(frozen=True, slots=True)
class Blocking:
    """How contractions of one dtype are cut up for one CPU. `rows` x `lanes * vectors` is the register tile."""

    dtype: DType
    lanes: int
    vectors: int
    rows: int
    kc: int
    mc: int
    nc: int
    fma: bool

    @property
    def columns(self) -> int:
        """The columns of a register tile."""
        return self.lanes * self.vectors

    def panel_vectors(self, rows: int) -> int:
        """How many vectors a column panel has where tiles have `rows` rows: with few rows there must be more of them,
        or the latency of a multiply-add is waited for (4 cycles, 2 a cycle: 8 sums are needed)."""
        return next((v for v in (8, 4) if rows * v <= 8), self.vectors)

    @property
    def widest(self) -> int:
        """The columns of the widest panel."""
        return self.lanes * max(self.vectors, 8)

    @property
    def element(self) -> str:
        """The element's LLVM type."""
        return "float" if self.dtype.itemsize == 4 else "double"

    @property
    def vector(self) -> str:
        """The LLVM type of one vector."""
        return f"<{self.lanes} x {self.element}>"

    @property
    def has_masked_loads(self) -> bool:
        """Whether a vector can be read in part by one instruction (AVX and later; not SSE2 or NEON)."""
        return self.lanes * self.dtype.itemsize >= 32

    @property
    def suffix(self) -> str:
        """What distinguishes the functions for this dtype."""
        return self.dtype.name


def blocking(dtype: DType, vector_bytes: int, registers: int, fma: bool, caches: tuple[int, int, int]) -> Blocking:
    """The blocking for a vector unit with `registers` registers of `vector_bytes`, and data caches of these bytes.

    The tile fills the registers but for the vectors of one step and a broadcast: 14x2 of 32 (AVX-512), 6x2 of 16
    (AVX2, SSE2), 8x3 of 32 where vectors are short (NEON).
    """
    lanes = vector_bytes // dtype.itemsize
    rows, vectors = (6, 2) if registers < 32 else (14, 2) if vector_bytes >= 64 else (8, 3)
    columns = lanes * vectors
    l1, l2, l3 = caches
    kc = max(64, min(512, l1 // 2 // (columns * dtype.itemsize) // 32 * 32))
    mc = max(4 * rows, min(l2 // 2, 512 << 10) // (kc * dtype.itemsize) // rows * rows)
    nc = max(4 * columns, min(l3 // 4, _LARGEST_BLOCK) // (kc * dtype.itemsize) // columns * columns)
    return Blocking(dtype, lanes, vectors, rows, kc, mc, nc, fma)
