"""How a contraction is run: which operand lies in vectors, how k is cut, and how the work is divided among threads.

None of these choices changes a result, except for the length of a block of k, which depends on the extent of k and
the CPU alone.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.llvm.contraction.blocking import Blocking
from jitcore.backends.llvm.contraction.code import RARE, Code, Value
from jitcore.backends.llvm.contraction.job import Description, Job, Operand, PTable
from jitcore.backends.llvm.contraction.operand import batch_offset_of_c, make_reader
from jitcore.backends.native.ir.text import LLVMModule

SERIAL_WORK: Final = 200_000
"""Multiply-adds that stay on the caller: some 5 µs, against 1.5 µs and more to wake the pool."""
_PARTS_PER_THREAD: Final = 4
"""At most: more than one, so that a thread that is held up does not hold up the rest."""
_LARGE_WORK: Final = 8_000_000
"""Multiply-adds of a part so large that to cut it in two costs nothing much."""


UNIT: Final = 19
"""2 to this power: the multiply-adds that count as a call of a first edition (some 20 µs)."""


def define_driver(module: LLVMModule, shape: Blocking, first: bool = False) -> None:
    """`jc_contract_<dtype>(description, a, b, c)`. If this is the `first` edition (`backends.native.link.editions`) it
    counts its work, and calls come by `jc_contract_through_<dtype>`, which calls what `jc_contracting_<dtype>` says."""
    module.declare("declare void @jc_parallel(ptr, ptr, i64)")
    module.declare("declare i64 @jc_thread_count()")
    module.define("jc_inner_step", _inner_step())
    module.define(f"jc_contraction_cost_{shape.suffix}", _cost(shape))
    module.define("jc_contraction_grid", _grid())
    module.define(f"jc_contract_in_order_{shape.suffix}", _split_sum(shape))
    module.define(f"jc_contract_{shape.suffix}", _Driver(shape, first).text())
    if first:
        module.declare("@jc_first_left = external global i64")
        serving, name = f"jc_contracting_{shape.suffix}", f"jc_contract_through_{shape.suffix}"
        module.define(serving, f"@{serving} = global ptr @jc_contract_{shape.suffix}\n")
        module.define(name, _through(name, serving))


def _through(name: str, serving: str) -> str:
    names = ("description", "a", "b", "c")
    f = Code(name, tuple(("ptr", n) for n in names), linkage="")
    function = f.op("ptr", f"load ptr, ptr @{serving}")
    f.do(f"call void {function}({', '.join(f'ptr {f.arg(n)}' for n in names)})")
    f.ret()
    return f.text()


def _inner_step() -> str:
    """`jc_inner_step(extents, axes, coefficients)`: the step of the innermost axis that has more than one point."""
    f = Code("jc_inner_step", (("ptr", "extents"), ("i64", "axes"), ("ptr", "coefficients")), "i64")
    step = f.var(1)
    with f.loop(f.arg("axes")) as i:
        several = f.word(f.arg("extents"), i) > 1
        step.set(f.select(several, f.word(f.arg("coefficients"), i), step.get()))
    f.ret(step.get())
    return f.text()


def _cost(shape: Blocking) -> str:
    """`jc_contraction_cost(columns, rows, k, step)`: rough cycles with these columns in vectors.

    A tile takes a cycle or more a row and k, but four (the latency of a multiply-add) at least; where the columns
    aren't consecutive in c, two an element to store it.
    """
    f = Code(
        f"jc_contraction_cost_{shape.suffix}",
        (("i64", "columns"), ("i64", "rows"), ("i64", "k"), ("i64", "step")),
        "i64",
    )
    columns, rows = f.arg("columns"), f.arg("rows")
    tiles = columns.ceil_div(shape.columns) * rows.max(4) * f.arg("k")
    f.ret(tiles + f.select(f.arg("step").equals(1), 0, columns * rows * 2))
    return f.text()


def _grid() -> str:
    """`jc_contraction_grid(want, rows, columns, row_units, column_units) -> parts of rows`.

    Divides rows x columns among `want` tasks so that each packs as little as can be; the parts of columns are
    ceil(want / result), or as many as there are units.
    """
    names = ("want", "rows", "columns", "row_units", "column_units")
    f = Code("jc_contraction_grid", tuple(("i64", n) for n in names), "i64", attributes=RARE)
    want, rows, columns, row_units, column_units = (f.arg(n) for n in names)
    best, least = f.var(1), f.var((1 << 63) - 1)
    with f.loop(want.min(row_units) + 1, start=1) as parts:
        across = want.ceil_div(parts).min(column_units)
        missing = (want - parts * across).max(0)
        cost = rows.ceil_div(parts) + columns.ceil_div(across) + missing * (rows + columns)
        with f.if_(cost < least.get()):
            least.set(cost)
            best.set(parts)
    f.ret(best.get())
    return f.text()


def _split_sum(shape: Blocking) -> str:
    """`jc_contract_in_order(job, partial, tasks)`: blocks of k in parallel, each to a product of its own; these are
    added to c in order, so the sum is the one that a single task makes."""
    params = (("ptr", "job"), ("ptr", "partial"), ("i64", "tasks"))
    f = Code(f"jc_contract_in_order_{shape.suffix}", params, attributes=RARE)
    job, partial = f.arg("job"), f.arg("partial")
    rows, columns, blocks = f.word(job, Job.ROWS), f.word(job, Job.COLUMNS), f.word(job, Job.BLOCKS)
    size = rows * columns
    group = (f.constant(shape.nc * shape.kc) // size).min(blocks)
    f.set_word(job, Job.PARTIAL, partial)
    f.set_word(job, Job.BATCHES, 1)
    readers = [make_reader(f, shape, partial, job, number) for number in (0, 1)]
    zero, never = f.constant(0), f.value("i1", "false")
    for reader, count in zip(readers, (columns, rows), strict=True):
        reader.fill_c(zero, count, zero, never)
    batches, first = f.word(job, Job.BATCH_PARTS), f.word(job, Job.FIRST_BATCH)
    f.set_word(job, Job.BATCH_PARTS, 1)
    task = f.value("ptr", f"@jc_contraction_task_{shape.suffix}")
    with f.loop(batches) as i:
        f.set_word(job, Job.FIRST_BATCH, first + i)
        offset = batch_offset_of_c(f, readers[0].description, first + i)
        c = f.at(f.word(job, Job.C, "ptr"), offset, shape.element)
        with f.loop(blocks, step=group) as start:
            count = (blocks - start).min(group)
            f.set_word(job, Job.FIRST_BLOCK, start)
            f.set_word(job, Job.BLOCKS, count)
            f.set_word(job, Job.BLOCK_PARTS, count.min(f.arg("tasks")))
            f.call("void", "jc_parallel", task, job, count.min(f.arg("tasks")))
            with f.loop(count) as block:
                product = f.at(partial, block * size, shape.element)
                adds = f.select(start + block > 0, 1, f.word(readers[0].description, Description.ACCUMULATE))
                tables = [r.p_table(t) for r, t in ((readers[1], PTable.C_OFFSETS), (readers[0], PTable.C_OFFSETS))]
                runs = readers[0].p_table(PTable.C_RUNS)
                f.call("void", f"jc_write_{shape.suffix}", product, columns, rows, columns, c, *tables, runs, adds)
    f.ret()
    return f.text()


class _Driver:
    def __init__(self, shape: Blocking, first: bool) -> None:
        self.shape = shape
        self.first = first
        names = ("description", "a", "b", "c")
        self.f = Code(f"jc_contract_{shape.suffix}", tuple(("ptr", n) for n in names), linkage="")
        self.description = self.f.arg("description")

    def _axes(self, place: int, number: int) -> tuple[Value, Value]:
        """Extents and number of the axes whose words are at these places of the description."""
        f, d = self.f, self.description
        return f.at(d, f.word(d, place), "i64"), f.word(d, number)

    def text(self) -> str:
        f, d = self.f, self.description
        extents: list[Value] = []
        for start in (Description.A, Description.B):
            places = self._axes(start + Operand.P_EXTENTS, start + Operand.P_AXES)
            extents.append(f.call("i64", "jc_extent", *places))
        rows, columns = extents
        k = f.call("i64", "jc_extent", *self._axes(Description.K_EXTENTS, Description.K_AXES))
        batches = f.call("i64", "jc_extent", *self._axes(Description.BATCH_EXTENTS, Description.BATCH_AXES))
        work = batches * rows * columns
        with f.if_(work > 0):
            job = f.slot("i64", Job.WORDS)
            f.set_word(job, Job.DESCRIPTION, d)
            f.set_word(job, Job.C, f.arg("c"))
            self._assign_sides(job, rows, columns, k)
            self._cut_k(job, k)
            f.set_word(job, Job.FIRST_BATCH, 0)
            f.set_word(job, Job.BATCHES, batches)
            f.set_word(job, Job.FIRST_BLOCK, 0)
            f.set_word(job, Job.PARTIAL, f.value("ptr", "null"))
            for word in (Job.BATCH_PARTS, Job.ROW_PARTS, Job.COLUMN_PARTS, Job.BLOCK_PARTS):
                f.set_word(job, word, 1)
            self._run(job, batches, work * k)
        f.ret()
        return f.text()

    def _assign_sides(self, job: Value, rows: Value, columns: Value, k: Value) -> None:
        """Puts n into vectors, or m where that is cheaper."""
        f = self.f
        costs: list[Value] = []
        for start, own, other in ((Description.B, columns, rows), (Description.A, rows, columns)):
            extents, axes = self._axes(start + Operand.P_EXTENTS, start + Operand.P_AXES)
            coefficients = f.at(self.description, f.word(self.description, start + Operand.C_COEFFICIENTS), "i64")
            step = f.call("i64", "jc_inner_step", extents, axes, coefficients)
            costs.append(f.call("i64", f"jc_contraction_cost_{self.shape.suffix}", own, other, k, step))
        swapped = costs[1] < costs[0]
        a, b = (f.at(self.description, start, "i64") for start in (Description.A, Description.B))
        pairs = (
            (Job.COLUMN_OPERAND, a, b),
            (Job.ROW_OPERAND, b, a),
            (Job.COLUMN_SOURCE, f.arg("a"), f.arg("b")),
            (Job.ROW_SOURCE, f.arg("b"), f.arg("a")),
        )
        for word, when_swapped, usual in pairs:
            f.set_word(job, word, f.op("ptr", f"select i1 {swapped}, ptr {when_swapped}, ptr {usual}"))
        f.set_word(job, Job.COLUMNS, f.select(swapped, rows, columns))
        f.set_word(job, Job.ROWS, f.select(swapped, columns, rows))

    def _cut_k(self, job: Value, k: Value) -> None:
        """Near-equal blocks, in whole vectors."""
        f, shape = self.f, self.shape
        lanes = max(shape.lanes, 4)
        blocks = k.ceil_div(shape.kc).max(1)
        length = (k.ceil_div(blocks).ceil_div(lanes) * lanes).max(1)
        f.set_word(job, Job.K, k)
        f.set_word(job, Job.K_BLOCK, length)
        f.set_word(job, Job.BLOCKS, k.ceil_div(length).max(1))

    def _run(self, job: Value, batches: Value, work: Value) -> None:
        f, shape = self.f, self.shape
        if self.first:
            units = f.op("i64", f"lshr i64 {work}, {UNIT}")
            f.do(f"atomicrmw sub ptr @jc_first_left, i64 {units} monotonic")
        task = f.value("ptr", f"@jc_contraction_task_{shape.suffix}")

        def parallel() -> None:
            self._divide(job, batches, work, f.call("i64", "jc_thread_count"))

        def serial() -> None:
            f.call("void", task, job, f.constant(0))

        f.if_else(work < SERIAL_WORK, serial, parallel)

    def _divide(self, job: Value, batches: Value, work: Value, threads: Value) -> None:
        f, shape = self.f, self.shape
        rows, columns = f.word(job, Job.ROWS), f.word(job, Job.COLUMNS)
        row_units, column_units = rows.ceil_div(shape.rows), columns.ceil_div(shape.columns)
        task = f.value("ptr", f"@jc_contraction_task_{shape.suffix}")
        enough = threads * _PARTS_PER_THREAD

        def over_output() -> None:
            halved = (work >= threads * _LARGE_WORK) & (threads > 1)
            want = f.select(halved, threads * 2, threads).ceil_div(batches)
            row_parts = f.call("i64", "jc_contraction_grid", want, rows, columns, row_units, column_units)
            column_parts = want.ceil_div(row_parts).min(column_units)
            batch_parts = f.select(batches >= threads, batches.min(enough), batches)
            f.set_word(job, Job.ROW_PARTS, row_parts)
            f.set_word(job, Job.COLUMN_PARTS, column_parts)
            f.set_word(job, Job.BATCH_PARTS, batch_parts)
            f.call("void", "jc_parallel", task, job, row_parts * column_parts * batch_parts)

        def over_k() -> None:
            partial = f.call("ptr", "jc_try_scratch")

            def split() -> None:
                f.set_word(job, Job.BATCH_PARTS, batches)
                f.call("void", f"jc_contract_in_order_{shape.suffix}", job, partial, enough)
                f.call("void", "jc_give_scratch", partial)

            f.if_else(partial.equals("null"), over_output, split)

        few = (batches * row_units * column_units < enough) & (threads > 1)
        fits = (rows <= shape.mc) & (columns <= shape.nc) & (rows * columns * 4 <= shape.nc * shape.kc)
        f.if_else(few & fits & (f.word(job, Job.BLOCKS) >= threads * 2), over_k, over_output)
