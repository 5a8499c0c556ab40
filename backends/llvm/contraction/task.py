"""One task of a contraction: a part of c (or of the sum over k), by blocks that fit the caches.

    for each batch entry, each block of columns, each block of k:
        for each block of rows:
            pack the rows
            for each panel of columns: (pack it,) for each panel of rows: a tile

The blocks of k are added to c in order, so that the sum of an element depends on the blocks' length alone.
"""

from __future__ import annotations

from jitcore.backends.llvm.contraction.blocking import Blocking
from jitcore.backends.llvm.contraction.code import Code, Value
from jitcore.backends.llvm.contraction.job import Description, Job, KTable, PTable, Scratch, Side
from jitcore.backends.llvm.contraction.operand import batch_offset_of_c, make_reader
from jitcore.backends.llvm.contraction.tables import fill_linear
from jitcore.backends.llvm.contraction.tile import tile_columns, tile_kernel
from jitcore.backends.native.ir.text import LLVMModule
from jitcore.structs import dataclass

_EXTENT_OF = {
    Job.BATCH_PARTS: Job.BATCHES,
    Job.ROW_PARTS: Job.ROWS,
    Job.COLUMN_PARTS: Job.COLUMNS,
    Job.BLOCK_PARTS: Job.BLOCKS,
}


def define_task(module: LLVMModule, shape: Blocking) -> None:
    """`jc_contraction_task_<dtype>(job, index)`."""
    module.declare("declare i1 @jc_stop()")
    name = f"jc_tile_rows_{shape.suffix}"
    steps = ", ".join(f"i64 {i * shape.widest}" for i in range(shape.rows))
    module.define(name, f"@{name} = internal constant [{shape.rows} x i64] [{steps}]\n")
    module.define(f"jc_contraction_task_{shape.suffix}", _Task(shape).text())


@dataclass(frozen=True, slots=True)
class _Range:
    start: Value
    stop: Value


@dataclass(frozen=True, slots=True)
class _Block:
    """A block of rows by a block of columns by a block of k."""

    c: Value
    accumulate: Value
    is_first: Value
    """Whether it is the first block of rows: the columns are packed with it."""
    is_only: Value
    height: Value
    width: Value
    length: Value


@dataclass(frozen=True, slots=True)
class _RowPanels:
    """Near-equal panels of a block of rows."""

    count: Value
    size: Value
    larger: Value
    """So many panels have one row more than `size`."""

    def bounds(self, f: Code, index: Value) -> tuple[Value, Value]:
        """The first row and the number of rows of a panel."""
        extra = f.select(index < self.larger, 1, 0)
        return index * self.size + index.min(self.larger), self.size + extra


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
        layout = Scratch(shape)
        self.tile_scratch = f.at(self.scratch, layout.tile, "i8")
        self.row_block = f.at(self.scratch, layout.row_block, "i8")
        self.column_block = f.at(self.scratch, layout.column_block, "i8")
        self.packed_offsets = self.columns.k_table(KTable.PACKED)
        self.packed_for = f.slot("i64", 2)
        """The stride and the length that `packed_offsets` holds."""

    def text(self) -> str:
        f, job = self.f, self.job
        self.columns.begin()
        self.rows.begin()
        f.set_word(self.packed_for, 0, -1)
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
            offset = batch_offset_of_c(f, self.columns.description, batch)
            c = f.at(f.word(job, Job.C, "ptr"), offset, self.shape.element)
            self._entry(c, parts[Job.ROW_PARTS], parts[Job.COLUMN_PARTS], parts[Job.BLOCK_PARTS])
        f.call("void", "jc_give_scratch", self.scratch)
        f.ret()
        return f.text()

    def _part(self, index: Value, count: Value, parts: Job, unit: int) -> _Range:
        """The index-th of `count` near-equal parts of a dimension, cut between units."""
        extent = self.f.word(self.job, _EXTENT_OF[parts])
        units = extent.ceil_div(unit)
        cut = [(units * i // count * unit).min(extent) for i in (index, index + 1)]
        return _Range(cut[0], cut[1])

    def _entry(self, c: Value, rows: _Range, columns: _Range, blocks: _Range) -> None:
        """One entry of the batch."""
        f, shape, job = self.f, self.shape, self.job
        is_only = (rows.stop - rows.start) <= shape.mc

        # packed rows stay good for the next columns where there is one block of them
        def goes_on() -> Value:
            return f.call("i1", "jc_stop").equals(0)

        repack = is_only.equals(0) | (blocks.stop - blocks.start).differs(1)
        with f.loop(columns.stop, start=columns.start, step=shape.nc) as j:
            width = (columns.stop - j).min(shape.nc)
            self.columns.fill_p(j, width, f.constant(1), self.is_partial)
            with f.loop(blocks.stop, start=blocks.start) as i:
                block = f.word(job, Job.FIRST_BLOCK) + i
                start = block * f.word(job, Job.K_BLOCK)
                length = (f.word(job, Job.K) - start).min(f.word(job, Job.K_BLOCK)).max(0)
                self.columns.fill_k(start, length)
                self.columns.choose_way()
                self.rows.fill_k(start, length)
                target, accumulate = self._target(c, i, block)
                with f.loop(rows.stop, start=rows.start, step=shape.mc) as row, f.if_(goes_on()):
                    height = (rows.stop - row).min(shape.mc)
                    with f.if_(repack | j.equals(columns.start)):
                        self._pack_rows(row, height, length)
                    is_first = row.equals(rows.start)
                    self._block(_Block(target, accumulate, is_first, is_only, height, width, length))

    def _target(self, c: Value, index: Value, block: Value) -> tuple[Value, Value]:
        """Where the product of a block of k goes, and whether it is added to what is there."""
        f, job = self.f, self.job
        size = f.word(job, Job.ROWS) * f.word(job, Job.COLUMNS)
        product = f.at(self.partial, index * size, self.shape.element)
        added = f.select(block > 0, 1, f.word(self.columns.description, Description.ACCUMULATE))
        return f.select_pointer(self.is_partial, product, c), f.select(self.is_partial, 0, added)

    def _row_panels(self, height: Value) -> _RowPanels:
        count = height.ceil_div(self.shape.rows)
        return _RowPanels(count, height // count, height % count)

    def _pack_rows(self, first: Value, height: Value, length: Value) -> None:
        f = self.f
        self.rows.fill_p(first, height, f.word(self.job, Job.COLUMNS), self.is_partial)
        self.rows.choose_way()
        panels = self._row_panels(height)
        with f.loop(panels.count) as panel:
            start, size = panels.bounds(f, panel)
            self.rows.pack(f.at(self.row_block, start * length, self.shape.element), start, size, size)

    def _block(self, block: _Block) -> None:
        """All tiles of a block."""
        f, shape = self.f, self.shape
        panels = self._row_panels(block.height)
        most = panels.size + f.select(panels.larger > 0, 1, 0)
        vectors = f.var(shape.vectors)
        for rows in range(1, shape.rows):
            if shape.panel_vectors(rows) != shape.vectors:
                with f.if_(block.is_only & most.equals(rows)):
                    vectors.set(shape.panel_vectors(rows))
        stride = vectors.get() * shape.lanes
        self._fill_packed_offsets(stride, block.length)
        # where each column is used by one panel of rows only, it is read where it lies if it can be
        may_read_directly = block.is_only & panels.count.equals(1) & self.columns.bounds.equals(0)
        column = f.var(0)
        with f.while_(lambda: column.get() < block.width):
            j = column.get()
            room = f.word(self.columns.p_table(PTable.RUNS), j).min(block.width - j)
            narrow = f.select(room >= stride, stride, shape.columns)
            direct = may_read_directly & (room >= shape.columns)
            size = f.select(direct, narrow, stride.min(block.width - j))
            place, offsets = self._column_panel(block, direct, j, size, stride)
            with f.loop(panels.count) as i:
                start, rows = panels.bounds(f, i)
                row_panel = f.at(self.row_block, start * block.length, shape.element)
                self._tile(block, row_panel, place, offsets, _Range(start, rows), _Range(j, size))
            column.set(j + size)

    def _fill_packed_offsets(self, stride: Value, length: Value) -> None:
        f = self.f
        with f.if_(f.word(self.packed_for, 0).differs(stride) | (f.word(self.packed_for, 1) < length)):
            fill_linear(f, self.packed_offsets, length, f.constant(0), stride)
            f.set_word(self.packed_for, 0, stride)
            f.set_word(self.packed_for, 1, length)

    def _column_panel(self, block: _Block, direct: Value, j: Value, size: Value, stride: Value) -> tuple[Value, Value]:
        """Where a tile reads its columns: the address and the table of offsets of k."""
        f, shape = self.f, self.shape
        # a panel used by one block of rows is packed where the last one was: it stays in the cache
        packed = f.at(self.column_block, f.select(block.is_only, 0, j * block.length), shape.element)
        with f.if_(block.is_first & direct.equals(0)):
            self.columns.pack(packed, j, size, stride)
        source = f.word(self.columns.side, Side.SOURCE, "ptr")
        raw = f.at(source, f.word(self.columns.p_table(PTable.OFFSETS), j), shape.element)
        offsets = self.columns.k_table(KTable.OFFSETS)
        return f.select_pointer(direct, raw, packed), f.select_pointer(direct, offsets, self.packed_offsets)

    def _tile(
        self, block: _Block, row_panel: Value, column_panel: Value, offsets: Value, rows: _Range, columns: _Range
    ) -> None:
        """A tile; `rows` and `columns` are the first one and the number of them."""
        f, shape = self.f, self.shape
        vectors = columns.stop.ceil_div(shape.lanes)
        runs = f.at(self.columns.p_table(PTable.C_RUNS), columns.start, "i64")
        column_offsets = f.at(self.columns.p_table(PTable.C_OFFSETS), columns.start, "i64")
        row_offsets = f.at(self.rows.p_table(PTable.C_OFFSETS), rows.start, "i64")
        kernel = tile_kernel(f, shape, rows.stop, vectors)
        whole = (f.load("i64", runs) >= columns.stop) & columns.stop.equals(tile_columns(f, shape, vectors))
        steps = f.value("ptr", f"@jc_tile_rows_{shape.suffix}")

        def run(c: Value, c_offsets: Value, accumulate: Value) -> None:
            f.call("void", kernel, block.length, row_panel, column_panel, offsets, c, c_offsets, accumulate)

        def straight() -> None:
            run(f.at(block.c, f.load("i64", column_offsets), shape.element), row_offsets, block.accumulate)

        def aside() -> None:
            run(self.tile_scratch, steps, f.constant(0))
            size = (f.constant(shape.widest), rows.stop, columns.stop)
            tables = (row_offsets, column_offsets, runs, block.accumulate)
            f.call("void", f"jc_write_{shape.suffix}", self.tile_scratch, *size, block.c, *tables)

        f.if_else(whole, straight, aside)
