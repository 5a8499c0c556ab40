"""What a contraction is told at run time: the words of its description, of a job, and the scratch memory of a task.

A description says in numbers what the `Contraction` node says in names: extents, and for every quantity (the address
of a, of b, of c, each bound) its offset and its coefficients on the axes. It is an array of i64 words; places in it
are word numbers, so it has no pointers and may be a constant.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Final

from jitcore.backends.llvm.contraction.blocking import Blocking
from jitcore.structs import dataclass

MAX_BOUNDS: Final = 8
"""Of one operand: the scratch memory has tables for so many."""


class Description(IntEnum):
    """The head of a description; `*_AXES` are numbers of axes, the rest places unless said otherwise."""

    ACCUMULATE = 0
    """0 or 1."""
    BATCH_AXES = 1
    BATCH_EXTENTS = 2
    K_AXES = 3
    K_EXTENTS = 4
    C_OFFSET = 5
    """The offset itself."""
    C_BATCH = 6
    A = 7
    """The words of `Operand` for a, in place."""
    B = 17
    WORDS = 27


class Operand(IntEnum):
    """Where one operand's numbers are. A quantity is its address, then each bound."""

    P_AXES = 0
    """Number of axes of its own dimension: m of a, n of b."""
    P_EXTENTS = 1
    C_COEFFICIENTS = 2
    BOUNDS = 3
    """How many."""
    OFFSETS = 4
    """Of every quantity."""
    BOUND_EXTENTS = 5
    P_COEFFICIENTS = 6
    """Rows of P_AXES words, one a quantity."""
    K_COEFFICIENTS = 7
    BATCH_COEFFICIENTS = 8
    FREE_AXES = 9
    """How many of the outer axes of k move no bound."""


class Job(IntEnum):
    """What the tasks of a contraction share. The columns lie in vectors, the rows are broadcast."""

    DESCRIPTION = 0
    COLUMN_OPERAND = 1
    ROW_OPERAND = 2
    COLUMN_SOURCE = 3
    ROW_SOURCE = 4
    C = 5
    COLUMNS = 6
    ROWS = 7
    K = 8
    K_BLOCK = 9
    """Length of a block of k."""
    FIRST_BATCH = 10
    BATCHES = 11
    FIRST_BLOCK = 12
    BLOCKS = 13
    """The blocks of k that are summed."""
    BATCH_PARTS = 14
    ROW_PARTS = 15
    COLUMN_PARTS = 16
    BLOCK_PARTS = 17
    """How many tasks each dimension is divided among; their product is the number of tasks."""
    PARTIAL = 18
    """Null, or where the product of each block of k goes, dense, instead of to c."""
    WORDS = 19


class Side(IntEnum):
    """The words that describe one operand of the block at hand to the packing functions."""

    SOURCE = 0
    P_OFFSETS = 1
    P_RUNS = 2
    K_OFFSETS = 3
    K_RUNS = 4
    K_COUNT = 5
    WAY = 6
    BOUNDS = 7
    """How many; bound i holds where 0 <= p_bounds[i][p] + k_bounds[i][k] < extents[i]."""
    P_BOUNDS = 8
    P_BOUNDS_STEP = 9
    K_BOUNDS = 10
    K_BOUNDS_STEP = 11
    EXTENTS = 12
    PERIOD = 13
    """After so many k the bounds repeat: the axes outside of those they depend on go on."""
    MASKS = 14
    CLASSES = 15


@dataclass(frozen=True, slots=True)
class Scratch:
    """The byte offsets of a task's work memory, for one blocking."""

    shape: Blocking

    @property
    def _slack(self) -> int:
        """What a packed panel may spill, and a table be read past its end."""
        return self.shape.lanes * max(self.shape.widest, self.shape.rows) * 8

    @property
    def column_block(self) -> int:
        return 0

    @property
    def row_block(self) -> int:
        return self.shape.nc * self.shape.kc * self.shape.dtype.itemsize + self._slack

    @property
    def tile(self) -> int:
        rows = self.shape.mc + self.shape.rows
        return self.row_block + rows * self.shape.kc * self.shape.dtype.itemsize + self._slack

    @property
    def classes(self) -> int:
        tile = self.shape.rows * self.shape.widest * self.shape.dtype.itemsize
        return self.tile + (tile + 63) // 64 * 64

    @property
    def masks(self) -> int:
        return self.classes + (self.shape.kc + 127) // 64 * 64

    @property
    def tables(self) -> int:
        return self.masks + self.shape.kc * self.shape.lanes * self.shape.dtype.itemsize

    @property
    def p_step(self) -> int:
        """Bytes of one table over points of a row or column block."""
        return (max(self.shape.nc, self.shape.mc) + 2 * self.shape.lanes) * 8

    @property
    def k_step(self) -> int:
        """Bytes of one table over points of a block of k."""
        return (self.shape.kc + 2 * self.shape.lanes) * 8

    def p_table(self, side: int, index: int) -> int:
        """Table `index` of columns (side 0) or rows (side 1)."""
        return self.tables + (side * len(PTable) + index) * self.p_step + side * MAX_BOUNDS * self.p_step

    def k_table(self, side: int, index: int) -> int:
        first = self.p_table(1, len(PTable)) + MAX_BOUNDS * self.p_step
        return first + (side * (len(KTable) + MAX_BOUNDS) + index) * self.k_step

    @property
    def size(self) -> int:
        return self.k_table(1, len(KTable) + MAX_BOUNDS)


class PTable(IntEnum):
    """The tables over points of a row or column block; those of bounds follow."""

    OFFSETS = 0
    RUNS = 1
    C_OFFSETS = 2
    C_RUNS = 3


class KTable(IntEnum):
    """The tables over a block of k; those of bounds follow."""

    OFFSETS = 0
    RUNS = 1
    PACKED = 2
    """Where the rows of a packed column panel are."""
