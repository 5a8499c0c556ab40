"""Reading one operand of a contraction: from its description to the tables of a block, and the packing of its
panels."""

from __future__ import annotations

from jitcore.backends.llvm.contraction.blocking import Blocking
from jitcore.backends.llvm.contraction.code import Code, Value
from jitcore.backends.llvm.contraction.code import Operand as Number
from jitcore.backends.llvm.contraction.job import MAX_BOUNDS, Description, Job, KTable, Operand, PTable, Scratch, Side
from jitcore.structs import dataclass, field


@dataclass(slots=True)
class OperandReader:
    """The tables of one operand, for the rows or the columns of a block. Tables that are still good are kept."""

    f: Code
    shape: Blocking
    scratch: Value
    number: int
    """0 for the columns, 1 for the rows."""
    description: Value
    operand: Value
    source: Value
    side: Value = field(init=False)
    _bases: Value = field(init=False)
    """Word q: the offset of quantity q at the current batch entry."""
    _p_filled: Value = field(init=False)
    """The start and count that the tables over p hold, and their number of runs."""
    _k_filled: Value = field(init=False)

    def __post_init__(self) -> None:
        f = self.f
        self.side, self._bases = f.slot("i64", len(Side)), f.slot("i64", 1 + MAX_BOUNDS)
        self._p_filled, self._k_filled = f.slot("i64", 3), f.slot("i64", 3)

    def _place(self, word: Operand) -> Value:
        return self.f.at(self.description, self.f.word(self.operand, word), "i64")

    def _table(self, byte: int) -> Value:
        return self.f.at(self.scratch, byte, "i8")

    def p_table(self, index: int) -> Value:
        """A table over points of its own dimension."""
        return self._table(Scratch(self.shape).p_table(self.number, index))

    def k_table(self, index: int) -> Value:
        """A table over points of k."""
        return self._table(Scratch(self.shape).k_table(self.number, index))

    @property
    def bounds(self) -> Value:
        """How many bounds it has."""
        return self.f.word(self.side, Side.BOUNDS)

    def begin(self) -> None:
        """What stays the same throughout a task."""
        f, side, layout = self.f, self.side, Scratch(self.shape)
        f.set_word(side, Side.P_OFFSETS, self.p_table(PTable.OFFSETS))
        f.set_word(side, Side.P_RUNS, self.p_table(PTable.RUNS))
        f.set_word(side, Side.K_OFFSETS, self.k_table(KTable.OFFSETS))
        f.set_word(side, Side.K_RUNS, self.k_table(KTable.RUNS))
        f.set_word(side, Side.BOUNDS, f.word(self.operand, Operand.BOUNDS))
        f.set_word(side, Side.P_BOUNDS, self.p_table(len(PTable)))
        f.set_word(side, Side.P_BOUNDS_STEP, layout.p_step // 8)
        f.set_word(side, Side.K_BOUNDS, self.k_table(len(KTable)))
        f.set_word(side, Side.K_BOUNDS_STEP, layout.k_step // 8)
        f.set_word(side, Side.EXTENTS, self._place(Operand.BOUND_EXTENTS))
        f.set_word(side, Side.CLASSES, self._table(layout.classes))
        f.set_word(side, Side.MASKS, self._table(layout.masks))
        extents, axes = self._k_axes()
        free = f.word(self.operand, Operand.FREE_AXES)
        period = f.call("i64", "jc_extent", f.at(extents, free, "i64"), axes - free)
        f.set_word(side, Side.PERIOD, period.max(1))
        f.set_word(self._p_filled, 0, -1)
        f.set_word(self._k_filled, 0, -1)

    def _k_axes(self) -> tuple[Value, Value]:
        f, head = self.f, self.description
        return f.at(head, f.word(head, Description.K_EXTENTS), "i64"), f.word(head, Description.K_AXES)

    def enter_batch(self, batch: Value) -> None:
        """Move to an entry of the batch."""
        f, head = self.f, self.description
        axes = f.word(head, Description.BATCH_AXES)
        extents = f.at(head, f.word(head, Description.BATCH_EXTENTS), "i64")
        with f.loop(self.bounds + 1) as q:
            offset = f.word(self._place(Operand.OFFSETS), q)
            row = f.at(self._place(Operand.BATCH_COEFFICIENTS), q * axes, "i64")
            base = f.at(self._bases, q, "i64")
            f.call("void", "jc_offset_table", extents, axes, row, offset, batch, f.constant(1), base)
        f.set_word(self.side, Side.SOURCE, f.at(self.source, f.word(self._bases, 0), self.shape.element))
        with f.if_(self.bounds > 0):  # they may have moved
            f.set_word(self._k_filled, 0, -1)

    def _if_stale(self, filled: Value, start: Value, count: Value) -> Value:
        f = self.f
        stale = f.word(filled, 0).differs(start) | f.word(filled, 1).differs(count)
        f.set_word(filled, 0, start)
        f.set_word(filled, 1, count)
        return stale

    def fill_p(self, start: Value, count: Value, dense_step: Value, dense: Value) -> None:
        """The tables over points start … of its own dimension, and where those lie in c: or, if `dense` holds, in a
        dense product that has `dense_step` elements a point."""
        f = self.f
        with f.if_(self._if_stale(self._p_filled, start, count)):
            axes, extents = f.word(self.operand, Operand.P_AXES), self._place(Operand.P_EXTENTS)
            coefficients, zero = self._place(Operand.P_COEFFICIENTS), f.constant(0)
            offsets, step = self.p_table(PTable.OFFSETS), Scratch(self.shape).p_step // 8
            f.call("void", "jc_offset_table", extents, axes, coefficients, zero, start, count, offsets)
            with f.loop(self.bounds) as bound:
                row = f.at(coefficients, (bound + 1) * axes, "i64")
                table = f.at(self.p_table(len(PTable)), bound * step, "i64")
                f.call("void", "jc_offset_table", extents, axes, row, zero, start, count, table)
            runs = self.p_table(PTable.RUNS)
            number = f.call("i64", "jc_run_table", extents, axes, coefficients, start, offsets, count, runs)
            f.set_word(self._p_filled, 2, number)
            self.fill_c(start, count, dense_step, dense)

    def fill_c(self, start: Value, count: Value, dense_step: Value, dense: Value) -> None:
        """The part of `fill_p` that is about c."""
        f = self.f
        step, extent = f.slot("i64"), f.slot("i64")
        f.store(dense_step, step)
        f.store(start + count, extent)
        axes = f.select(dense, 1, f.word(self.operand, Operand.P_AXES))
        extents = f.select_pointer(dense, extent, self._place(Operand.P_EXTENTS))
        coefficients = f.select_pointer(dense, step, self._place(Operand.C_COEFFICIENTS))
        offsets, runs = self.p_table(PTable.C_OFFSETS), self.p_table(PTable.C_RUNS)
        f.call("void", "jc_offset_table", extents, axes, coefficients, f.constant(0), start, count, offsets)
        f.call("i64", "jc_run_table", extents, axes, coefficients, start, offsets, count, runs)

    def fill_k(self, start: Value, count: Value) -> None:
        """The tables over points start … of k."""
        f = self.f
        with f.if_(self._if_stale(self._k_filled, start, count)):
            extents, axes = self._k_axes()
            coefficients, zero = self._place(Operand.K_COEFFICIENTS), f.constant(0)
            offsets, step = self.k_table(KTable.OFFSETS), Scratch(self.shape).k_step // 8
            f.set_word(self.side, Side.K_COUNT, count)
            f.call("void", "jc_offset_table", extents, axes, coefficients, zero, start, count, offsets)
            with f.loop(self.bounds) as bound:
                row = f.at(coefficients, (bound + 1) * axes, "i64")
                table, base = f.at(self.k_table(len(KTable)), bound * step, "i64"), f.word(self._bases, bound + 1)
                f.call("void", "jc_offset_table", extents, axes, row, base, start, count, table)
            runs = self.k_table(KTable.RUNS)
            number = f.call("i64", "jc_run_table", extents, axes, coefficients, start, offsets, count, runs)
            f.set_word(self._k_filled, 2, number)

    def choose_way(self) -> None:
        """How the panels of the tables' block are packed."""
        f = self.f
        points, runs, k_runs = f.word(self._p_filled, 1), f.word(self._p_filled, 2), f.word(self._k_filled, 2)
        f.call("void", f"jc_choose_way_{self.shape.suffix}", self.side, points, runs, k_runs)

    def pack(self, panel: Value, first: Value, lanes: Value, stride: Number) -> None:
        """Pack points first … of the block."""
        self.f.call("void", f"jc_pack_{self.shape.suffix}", panel, self.side, first, lanes, stride)


def make_reader(f: Code, shape: Blocking, scratch: Value, job: Value, number: int) -> OperandReader:
    """The reader of the job's columns (0) or rows (1)."""
    description = f.word(job, Job.DESCRIPTION, "ptr")
    operand = f.word(job, (Job.COLUMN_OPERAND, Job.ROW_OPERAND)[number], "ptr")
    source = f.word(job, (Job.COLUMN_SOURCE, Job.ROW_SOURCE)[number], "ptr")
    return OperandReader(f, shape, scratch, number, description, operand, source)


def batch_offset_of_c(f: Code, description: Value, batch: Value) -> Value:
    """The offset in c of a batch entry."""
    extents = f.at(description, f.word(description, Description.BATCH_EXTENTS), "i64")
    axes, base = f.word(description, Description.BATCH_AXES), f.word(description, Description.C_OFFSET)
    coefficients = f.at(description, f.word(description, Description.C_BATCH), "i64")
    out = f.slot("i64")
    f.call("void", "jc_offset_table", extents, axes, coefficients, base, batch, f.constant(1), out)
    return f.load("i64", out)
