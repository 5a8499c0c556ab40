"""One task of a contraction: a part of c (or of the sum over k), by blocks that fit the caches.

    for each batch entry, each block of columns, each block of k:
        for each block of rows:
            pack the rows
            for each panel of columns: (pack it,) for each panel of rows: a tile

The blocks of k are added to c in order, so that the sum of an element depends on the blocks' length alone.
"""

from __future__ import annotations

from dataclasses import dataclass

from jitcore.backends.llvm.contraction_blocking import Blocking
from jitcore.backends.llvm.contraction_code import Code, Value
from jitcore.backends.llvm.contraction_code import Operand as Number
from jitcore.backends.llvm.contraction_job import MAX_BOUNDS, Description, Job, KTable, Operand, PTable, Scratch
from jitcore.backends.llvm.contraction_pack import Side
from jitcore.backends.llvm.text import LLVMModule


def define_task(module: LLVMModule, shape: Blocking) -> None:
    """`jc_contraction_task_<dtype>(job, index)`."""
    name = f"jc_tile_rows_{shape.suffix}"
    steps = ", ".join(f"i64 {i * shape.columns}" for i in range(shape.rows))
    module.define(name, f"@{name} = internal constant [{shape.rows} x i64] [{steps}]\n")
    module.define(f"jc_contraction_task_{shape.suffix}", _Task(shape).text())


@dataclass(frozen=True, slots=True)
class _Range:
    start: Value
    stop: Value


@dataclass(slots=True)
class OperandReader:
    """The tables of one operand: filled from its description, for the rows or the columns of a block."""

    f: Code
    shape: Blocking
    scratch: Value
    number: int
    """0 for the columns, 1 for the rows."""
    description: Value
    operand: Value
    side: Value
    bases: Value
    """Word q: the offset of quantity q at the current batch entry."""

    def _place(self, word: Operand) -> Value:
        return self.f.at(self.description, self.f.word(self.operand, word), "i64")

    def _table(self, byte: int) -> Value:
        return self.f.at(self.scratch, byte, "i8")

    def p_table(self, index: int) -> Value:
        return self._table(Scratch(self.shape).p_table(self.number, index))

    def _k_table(self, index: int) -> Value:
        return self._table(Scratch(self.shape).k_table(self.number, index))

    @property
    def bounds(self) -> Value:
        return self.f.word(self.operand, Operand.BOUNDS)

    def begin(self, source: Value) -> None:
        """What stays the same throughout a task."""
        f, side, layout = self.f, self.side, Scratch(self.shape)
        f.set_word(side, Side.SOURCE, source)
        f.set_word(side, Side.P_OFFSETS, self.p_table(PTable.OFFSETS))
        f.set_word(side, Side.P_RUNS, self.p_table(PTable.RUNS))
        f.set_word(side, Side.K_OFFSETS, self._k_table(KTable.OFFSETS))
        f.set_word(side, Side.K_RUNS, self._k_table(KTable.RUNS))
        f.set_word(side, Side.BOUNDS, self.bounds)
        f.set_word(side, Side.P_BOUNDS, self.p_table(len(PTable)))
        f.set_word(side, Side.P_BOUNDS_STEP, layout.p_step // 8)
        f.set_word(side, Side.K_BOUNDS, self._k_table(len(KTable)))
        f.set_word(side, Side.K_BOUNDS_STEP, layout.k_step // 8)
        f.set_word(side, Side.EXTENTS, self._place(Operand.BOUND_EXTENTS))
        f.set_word(side, Side.CLASSES, self._table(layout.classes))

    def enter_batch(self, batch: Value) -> None:
        f, head = self.f, self.description
        axes = f.word(head, Description.BATCH_AXES)
        extents = f.at(head, f.word(head, Description.BATCH_EXTENTS), "i64")
        with f.loop(self.bounds + 1) as q:
            offset = f.word(self._place(Operand.OFFSETS), q)
            row = f.at(self._place(Operand.BATCH_COEFFICIENTS), q * axes, "i64")
            f.call(
                "void", "jc_offset_table", extents, axes, row, offset, batch, f.constant(1), f.at(self.bases, q, "i64")
            )

    def fill_p(self, start: Value, count: Value) -> Value:
        """The tables over points start … of its own dimension; the number of runs."""
        f = self.f
        axes, extents = f.word(self.operand, Operand.P_AXES), self._place(Operand.P_EXTENTS)
        coefficients = self._place(Operand.P_COEFFICIENTS)
        offsets = self.p_table(PTable.OFFSETS)
        zero = f.constant(0)
        f.call("void", "jc_offset_table", extents, axes, coefficients, zero, start, count, offsets)
        with f.loop(self.bounds) as bound:
            row = f.at(coefficients, (bound + 1) * axes, "i64")
            table = f.at(self.p_table(len(PTable)), bound * (Scratch(self.shape).p_step // 8), "i64")
            f.call("void", "jc_offset_table", extents, axes, row, zero, start, count, table)
        return f.call("i64", "jc_run_table", offsets, count, self.p_table(PTable.RUNS))

    def fill_k(self, start: Value, count: Value) -> Value:
        """The tables over points start … of k; the number of runs."""
        f, head = self.f, self.description
        axes = f.word(head, Description.K_AXES)
        extents = f.at(head, f.word(head, Description.K_EXTENTS), "i64")
        coefficients = self._place(Operand.K_COEFFICIENTS)
        offsets = self._k_table(KTable.OFFSETS)
        f.set_word(self.side, Side.K_COUNT, count)
        f.call("void", "jc_offset_table", extents, axes, coefficients, f.word(self.bases, 0), start, count, offsets)
        with f.loop(self.bounds) as bound:
            row = f.at(coefficients, (bound + 1) * axes, "i64")
            table = f.at(self._k_table(len(KTable)), bound * (Scratch(self.shape).k_step // 8), "i64")
            base = f.word(self.bases, bound + 1)
            f.call("void", "jc_offset_table", extents, axes, row, base, start, count, table)
        return f.call("i64", "jc_run_table", offsets, count, self._k_table(KTable.RUNS))

    def fill_c(self, start: Value, count: Value, dense_step: Value, dense: Value) -> None:
        """Where its points lie in c; in a dense product of `dense_step` elements a point if `dense` holds."""
        f = self.f
        offsets, one = self.p_table(PTable.C_OFFSETS), f.constant(1)
        axes, zero = f.word(self.operand, Operand.P_AXES), f.constant(0)
        extents, coefficients = self._place(Operand.P_EXTENTS), self._place(Operand.C_COEFFICIENTS)

        def in_c() -> None:
            f.call("void", "jc_offset_table", extents, axes, coefficients, zero, start, count, offsets)

        def in_product() -> None:
            step, extent = f.slot("i64"), f.slot("i64")
            f.store(dense_step, step)
            f.store(start + count, extent)
            f.call("void", "jc_offset_table", extent, one, step, zero, start, count, offsets)

        f.if_else(dense, in_product, in_c)
        f.call("i64", "jc_run_table", offsets, count, self.p_table(PTable.C_RUNS))

    def choose_way(self, points: Value, runs: Value, k_runs: Value) -> None:
        self.f.call("void", f"jc_choose_way_{self.shape.suffix}", self.side, points, runs, k_runs)

    def pack(self, panel: Value, first: Value, lanes: Value, stride: Number) -> None:
        self.f.call("void", f"jc_pack_{self.shape.suffix}", panel, self.side, first, lanes, stride)


def make_reader(f: Code, shape: Blocking, scratch: Value, job: Value, number: int) -> OperandReader:
    """The reader of the job's columns (0) or rows (1)."""
    description = f.word(job, Job.DESCRIPTION, "ptr")
    operand = f.word(job, (Job.COLUMN_OPERAND, Job.ROW_OPERAND)[number], "ptr")
    side, bases = f.slot("i64", len(Side)), f.slot("i64", 1 + MAX_BOUNDS)
    return OperandReader(f, shape, scratch, number, description, operand, side, bases)


def batch_offset_of_c(f: Code, description: Value, batch: Value) -> Value:
    """The offset in c of a batch entry."""
    extents = f.at(description, f.word(description, Description.BATCH_EXTENTS), "i64")
    axes, base = f.word(description, Description.BATCH_AXES), f.word(description, Description.C_OFFSET)
    coefficients = f.at(description, f.word(description, Description.C_BATCH), "i64")
    out = f.slot("i64")
    f.call("void", "jc_offset_table", extents, axes, coefficients, base, batch, f.constant(1), out)
    return f.load("i64", out)


class _Task:
    def __init__(self, shape: Blocking) -> None:
        self.shape = shape
        self.f = f = Code(f"jc_contraction_task_{shape.suffix}", (("ptr", "job"), ("i64", "index")))
        self.job = f.arg("job")
        self.scratch = f.call("ptr", "jc_take_scratch")
        self.columns = make_reader(f, shape, self.scratch, self.job, 0)
        self.rows = make_reader(f, shape, self.scratch, self.job, 1)
        self.partial = f.word(self.job, Job.PARTIAL, "ptr")
        self.is_partial = self.partial.differs("null")
        self.tile_scratch = f.at(self.scratch, Scratch(shape).tile, "i8")
        self.row_block = f.at(self.scratch, Scratch(shape).row_block, "i8")
        self.column_block = f.at(self.scratch, Scratch(shape).column_block, "i8")

    def text(self) -> str:
        f, job = self.f, self.job
        self.columns.begin(f.word(job, Job.COLUMN_SOURCE, "ptr"))
        self.rows.begin(f.word(job, Job.ROW_SOURCE, "ptr"))
        rest = f.arg("index")
        parts: dict[Job, _Range] = {}
        for word, unit in (
            (Job.BLOCK_PARTS, 1),
            (Job.COLUMN_PARTS, self.shape.columns),
            (Job.ROW_PARTS, self.shape.rows),
            (Job.BATCH_PARTS, 1),
        ):
            count = f.word(job, word)
            parts[word] = self._part(rest % count, count, word, unit)
            rest = rest // count
        batches = parts[Job.BATCH_PARTS]
        with f.loop(batches.stop, start=batches.start) as i:
            batch = f.word(job, Job.FIRST_BATCH) + i
            self.columns.enter_batch(batch)
            self.rows.enter_batch(batch)
            c = f.at(
                f.word(job, Job.C, "ptr"), batch_offset_of_c(f, self.columns.description, batch), self.shape.element
            )
            self._entry(c, parts[Job.ROW_PARTS], parts[Job.COLUMN_PARTS], parts[Job.BLOCK_PARTS])
        f.call("void", "jc_give_scratch", self.scratch)
        f.ret()
        return f.text()

    def _part(self, index: Value, count: Value, parts: Job, unit: int) -> _Range:
        """The index-th of `count` near-equal parts of a dimension, cut between units."""
        f = self.f
        extent = f.word(
            self.job,
            {
                Job.BATCH_PARTS: Job.BATCHES,
                Job.ROW_PARTS: Job.ROWS,
                Job.COLUMN_PARTS: Job.COLUMNS,
                Job.BLOCK_PARTS: Job.BLOCKS,
            }[parts],
        )
        units = extent.ceil_div(unit)
        cut = [(units * i // count * unit).min(extent) for i in (index, index + 1)]
        return _Range(cut[0], cut[1])

    def _entry(self, c: Value, rows: _Range, columns: _Range, blocks: _Range) -> None:
        """One entry of the batch."""
        f, shape, job = self.f, self.shape, self.job
        one_row_block = (rows.stop - rows.start) <= shape.mc
        first_column = f.var(-1)
        with f.loop(columns.stop, start=columns.start, step=shape.nc) as j:
            count = (columns.stop - j).min(shape.nc)
            runs = self.columns.fill_p(j, count)
            self.columns.fill_c(j, count, f.constant(1), self.is_partial)
            with f.loop(blocks.stop, start=blocks.start) as i:
                block = f.word(job, Job.FIRST_BLOCK) + i
                start = block * f.word(job, Job.K_BLOCK)
                length = (f.word(job, Job.K) - start).min(f.word(job, Job.K_BLOCK)).max(0)
                self.columns.choose_way(count, runs, self.columns.fill_k(start, length))
                # packed rows stay good for the next columns where there is one block of them
                stale = (first_column.get() < 0) | one_row_block.equals(0) | (blocks.stop - blocks.start).differs(1)
                with f.if_(stale):
                    row_k_runs = self.rows.fill_k(start, length)
                    f.store(row_k_runs, self._row_k_runs())
                first_column.set(j)
                target, accumulate = self._target(c, i, block)
                with f.loop(rows.stop, start=rows.start, step=shape.mc) as row:
                    height = (rows.stop - row).min(shape.mc)
                    with f.if_(stale):
                        self._pack_rows(row, height, length)
                    self._block(target, accumulate, row.equals(rows.start), one_row_block, height, count, length)

    def _row_k_runs(self) -> Value:
        if not hasattr(self, "_row_k_runs_slot"):
            self._row_k_runs_slot = self.f.slot("i64")
        return self._row_k_runs_slot

    def _target(self, c: Value, index: Value, block: Value) -> tuple[Value, Value]:
        """Where the product of a block of k goes, and whether it is added to what is there."""
        f, job = self.f, self.job
        size = f.word(job, Job.ROWS) * f.word(job, Job.COLUMNS)
        product = f.at(self.partial, index * size, self.shape.element)
        target = f.op("ptr", f"select i1 {self.is_partial}, ptr {product}, ptr {c}")
        added = f.select(block > 0, 1, f.word(self.columns.description, Description.ACCUMULATE))
        return target, f.select(self.is_partial, 0, added)

    def _pack_rows(self, first: Value, height: Value, length: Value) -> None:
        f, shape = self.f, self.shape
        runs = self.rows.fill_p(first, height)
        self.rows.fill_c(first, height, f.word(self.job, Job.COLUMNS), self.is_partial)
        self.rows.choose_way(height, runs, f.load("i64", self._row_k_runs()))
        panels = height.ceil_div(shape.rows)
        with f.loop(panels) as panel:
            start, stop = height * panel // panels, height * (panel + 1) // panels
            place = f.at(self.row_block, start * length, shape.element)
            self.rows.pack(place, start, stop - start, stop - start)

    def _block(
        self, c: Value, accumulate: Value, first: Value, only: Value, height: Value, width: Value, length: Value
    ) -> None:
        """All tiles of a block of rows and a block of columns; the columns are packed with the first rows."""
        f, shape = self.f, self.shape
        panels = height.ceil_div(shape.rows)
        with f.loop(width, step=shape.columns) as j:
            # a panel used once is packed where the last one was: it stays in the cache
            panel = f.at(self.column_block, f.select(only, 0, j * length), shape.element)
            columns = (width - j).min(shape.columns)
            with f.if_(first):
                self.columns.pack(panel, j, columns, f.constant(shape.columns))
            with f.loop(panels) as i:
                start, stop = height * i // panels, height * (i + 1) // panels
                row_panel = f.at(self.row_block, start * length, shape.element)
                self._tile(c, accumulate, row_panel, panel, start, stop - start, j, columns, length)

    def _tile(
        self,
        c: Value,
        accumulate: Value,
        row_panel: Value,
        column_panel: Value,
        row: Value,
        rows: Value,
        column: Value,
        columns: Value,
        length: Value,
    ) -> None:
        f, shape = self.f, self.shape
        vectors = columns.ceil_div(shape.lanes)
        runs = f.at(self.columns.p_table(PTable.C_RUNS), column, "i64")
        column_offsets = f.at(self.columns.p_table(PTable.C_OFFSETS), column, "i64")
        row_offsets = f.at(self.rows.p_table(PTable.C_OFFSETS), row, "i64")
        whole = (f.load("i64", runs) >= columns) & columns.equals(vectors * shape.lanes)
        tile, steps = f"jc_tile_{shape.suffix}", f.value("ptr", f"@jc_tile_rows_{shape.suffix}")

        def straight() -> None:
            place = f.at(c, f.load("i64", column_offsets), shape.element)
            f.call("void", tile, rows, vectors, length, row_panel, column_panel, place, row_offsets, accumulate)

        def aside() -> None:
            zero = f.constant(0)
            f.call("void", tile, rows, vectors, length, row_panel, column_panel, self.tile_scratch, steps, zero)
            tables = (row_offsets, column_offsets, runs, accumulate)
            stride = f.constant(shape.columns)
            f.call("void", f"jc_write_{shape.suffix}", self.tile_scratch, stride, rows, columns, c, *tables)

        f.if_else(whole, straight, aside)
