"""Kernels as LLVM: `lower_kernel` defines `void @name(ptr buffers…, params…)`.

A kernel is simplified (`kernels.prepare`) and scheduled (`kernels.schedule`). Where there is little work, the function
is its loops. Else it finds out how much there is and has `name.piece` run by the thread pool, for ranges of rows and
columns or chunks of a cut reduction. The text is good as it stands: no passes are needed. Threads change who computes
a piece, never what comes out.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from jitcore import stopping
from jitcore.backends.llvm.kernels.code import KernelCode, blocks
from jitcore.backends.llvm.kernels.columns import ColumnBlocks
from jitcore.backends.llvm.kernels.lanes import ALONE, Condition, Lanes, both, steps
from jitcore.backends.llvm.kernels.parts import (
    CHUNK,
    MAX_CHUNKS,
    MAX_CUT_RESULTS,
    Part,
    finish_point,
    folds_of,
    partial_layout,
    read_partial,
    unless_stopped,
)
from jitcore.backends.llvm.kernels.prepare import prepare
from jitcore.backends.llvm.kernels.rows import FoldRows
from jitcore.backends.llvm.kernels.schedule import FOLD, MAP, schedule
from jitcore.backends.native.ir.target import Target
from jitcore.backends.native.ir.text import LLVMModule, quoted
from jitcore.backends.native.ir.vectors import Index, Vec
from jitcore.kernel.nodes import Kernel, Load

TASK_COST: Final = 16384
"""Additions a task is to have at least: some microseconds."""
MAX_TASKS: Final = 64
LONG_TASK: Final = 1 << 26
"""Additions a task has at most, some ten milliseconds, where there are more tasks for it: signals are looked for
between tasks."""
SERIAL_BLOCK: Final = 1 << 20
"""Additions between looks for signals where one thread does all the work in order: some hundred microseconds."""
MAX_LONG_TASKS: Final = 1 << 18
COLUMN_QUANTUM: Final = 64
"""Columns are divided in multiples of it, so that no two tasks write to one cache line."""


def lower_kernel(kernel: Kernel, target: Target, module: LLVMModule) -> None:
    """Define `void @<kernel.name>(ptr buffers…, params…)`, in the order of `kernel.nodes.launch_signature`.

    The module needs `jc_parallel(task, data, n)` (`runtime.symbols()`) and the C library from outside.
    """
    stopping.check()
    _Lowering(kernel, target, module).run()


def kernel_form(kernel: Kernel, target: Target) -> tuple[int, bool | None]:
    """How many elements a vector of a kernel's code has (1: there are none), and whether threads share its work; None:
    that is for the extents of a call to say."""
    return _Lowering(kernel, target, LLVMModule()).form()


class _Lowering:
    def __init__(self, kernel: Kernel, target: Target, module: LLVMModule) -> None:
        self.prepared = prepare(kernel, target)
        self.name = kernel.name
        self.target = target
        self.module = module
        self.plan = schedule(self.prepared, target)
        self.columns_axis = None if self.plan.style == FOLD else self.plan.vector
        self.reduces = bool(self.prepared.kernel.reductions)
        self.folds = folds_of(self.prepared.kernel)

    def run(self) -> None:
        entry = self._function(None)
        rows, columns, points = self._extents(entry)
        results = entry.code.mul(rows, columns)
        cuts = self._cuts(results, points)
        if results == 0:
            pass
        elif cuts is False and not self._may_divide(rows, columns, points):
            self._announce(entry, results, points)
            if isinstance(results, int):
                self._write(entry, Part(0, rows, 0, columns, 0, points))
            else:  # a serial kernel of extents known at run time
                with entry.code.when(entry.code.test("sgt", results, 0)):
                    self._write(entry, Part(0, rows, 0, columns, 0, points))
        else:
            self._define_piece(cuts is not False)
            if isinstance(results, int):
                self._launch(entry, rows, columns, points, cuts)
            else:
                with entry.code.when(entry.code.test("sgt", results, 0)):
                    self._launch(entry, rows, columns, points, cuts)
        entry.define(quoted(self.name))

    def form(self) -> tuple[int, bool | None]:
        """See `kernel_form`."""
        entry = self._function(None)
        rows, columns, points = self._extents(entry)
        vector = self.plan.vector
        short = vector is None or (isinstance(vector.extent, int) and vector.extent < self.plan.lanes)
        lanes = 1 if short else self.plan.lanes
        cuts = self._cuts(entry.code.mul(rows, columns), points)
        if cuts is False and not self._may_divide(rows, columns, points):
            return lanes, False
        known = all(isinstance(n, int) for n in (rows, columns, points))
        return lanes, True if cuts or known else None

    def _announce(self, entry: KernelCode, results: Index, points: Index) -> None:
        """Say how much there is for this thread alone to do, if it may be much."""
        work = entry.code.mul(entry.code.mul(results, points), self.plan.point_cost)
        if not isinstance(work, int) or work >= 2 * TASK_COST:
            self.module.declare("declare void @jc_work(i64)")
            entry.code.line(f"call void @jc_work(i64 {work})")

    def _function(self, words: int | None) -> KernelCode:
        return KernelCode(self.plan, self.prepared.products, self.target, self.module, words)

    def _name(self, suffix: str) -> str:
        return quoted(f"{self.name}.{suffix}")

    @property
    def _quantum(self) -> int:
        """Columns that are not divided."""
        return max(COLUMN_QUANTUM, self.plan.width)

    def _extents(self, code: KernelCode) -> tuple[Index, Index, Index]:
        """Rows, columns, and reduce points."""
        columns = code.extent(self.columns_axis.extent) if self.columns_axis else 1
        reduced = [a for a in self.prepared.kernel.axes if a.reduce]
        return code.count(self.plan.rows), columns, code.count(reduced)

    def _cuts(self, results: Index, points: Index) -> bool | None:
        """Whether the reduction is cut into chunks; None: that is known at run time only."""
        if not self.reduces or self.plan.serial:
            return False
        if isinstance(results, int) and results > MAX_CUT_RESULTS:
            return False
        if isinstance(points, int):
            if points < 2 * CHUNK:
                return False
            return True if isinstance(results, int) else None
        return None

    def _may_divide(self, rows: Index, columns: Index, points: Index) -> bool:
        """Whether there may be work for several threads."""
        if self.plan.serial and self.columns_axis is None:
            return False
        if isinstance(rows, int) and isinstance(columns, int) and isinstance(points, int):
            return rows * columns > 1 and rows * columns * points * self.plan.point_cost >= 2 * TASK_COST
        return True

    def _write(self, kernel: KernelCode, part: Part) -> None:
        """The loops of a part; one thread runs a serial part in order, which signals' handlers may leave between blocks
        of rows."""
        if not self.plan.serial or self._is_brief(part):
            self._write_rows(kernel, part)
            return
        code = kernel.code
        columns = code.mul(code.sub(part.col_hi, part.col_lo), code.sub(part.r_hi, part.r_lo))
        each = code.max(code.mul(columns, self.plan.point_cost), 1)
        rows = code.max(code.div(SERIAL_BLOCK, each), 1)
        with code.loop(0, code.ceil_div(code.sub(part.row_hi, part.row_lo), rows), 1) as block:
            first = code.index(code.add(part.row_lo, code.mul(block.index, rows)))
            end = code.min(code.add(first, rows), part.row_hi)
            last = unless_stopped(code, block.index.ne(0), end, first)
            self._write_rows(kernel, replace(part, row_lo=first, row_hi=last))

    def _is_brief(self, part: Part) -> bool:
        bounds = (part.row_lo, part.row_hi, part.col_lo, part.col_hi, part.r_lo, part.r_hi)
        known = [b for b in bounds if isinstance(b, int)]
        if len(known) < len(bounds):
            return False
        rows, columns, points = (known[k + 1] - known[k] for k in (0, 2, 4))
        return rows * columns * points * self.plan.point_cost < SERIAL_BLOCK

    def _write_rows(self, kernel: KernelCode, part: Part) -> None:
        unit = self._unit_strides(kernel)
        if self.plan.style == MAP:
            _write_map(kernel, part, unit)
        elif self.plan.style == FOLD:
            FoldRows(kernel, part, unit).write()
        else:
            ColumnBlocks(kernel, part, unit).write()

    def _unit_strides(self, kernel: KernelCode) -> Condition:
        """Whether the strides along the vector axis that are known at run time only are 1."""
        if self.plan.lanes == 1:
            return True
        k = self.prepared.kernel
        strides = [kernel.step(i.address) for i in (*k.body, *k.epilogue) if isinstance(i, Load)]
        strides += [kernel.step(s.address) for s in k.stores]
        found: Condition = True
        for name in dict.fromkeys(s for s in strides if isinstance(s, str)):
            found = both(found, kernel.code.test("eq", kernel.extent(name), 1))
        return found

    # --- pieces

    def _define_piece(self, cut: bool) -> None:
        """`piece(data, i)`: a range of rows and columns or, with `cut`, a chunk of the reduce points. Its words: rows
        and columns a piece, pieces of the columns, pieces in all, points a chunk, and the address for partial results
        (0: none are kept)."""
        kernel = self._function(6 if cut else 3)
        code = kernel.code
        rows, columns, points = self._extents(kernel)
        number: Index = Vec(code, "%i", "i64")
        row_step, column_step, column_parts = kernel.words[:3]
        part = Part(0, rows, 0, columns, 0, points)
        if cut:
            pieces, chunk, partial = kernel.words[3:]
            r_lo = code.mul(code.div(number, pieces), chunk)
            base = code.mul(code.div(number, pieces), code.mul(rows, columns))
            address = code.convert("inttoptr", partial, "ptr")
            part = Part(0, rows, 0, columns, r_lo, code.min(code.add(r_lo, chunk), points), address, base)
            number = code.rem(number, pieces)
        row = code.mul(code.div(number, column_parts), row_step)
        part = replace(part, row_lo=row, row_hi=code.min(code.add(row, row_step), rows))
        if self.columns_axis is not None and not (isinstance(columns, int) and columns <= self._quantum):
            column = code.mul(code.rem(number, column_parts), column_step)
            part = replace(part, col_lo=column, col_hi=code.min(code.add(column, column_step), columns))
        self._write(kernel, part)
        kernel.define(self._name("piece"))

    def _run(self, entry: KernelCode, words: list[Vec | Index], count: Index) -> None:
        """Run pieces 0 … count-1."""
        code, data = entry.code, entry.pack(words)
        if count == 1:
            code.line(f"call void @{self._name('piece')}(ptr {data}, i64 0)")
            return
        self.module.declare("declare void @jc_parallel(ptr, ptr, i64)")
        code.line(f"call void @jc_parallel(ptr @{self._name('piece')}, ptr {data}, i64 {count})")

    # --- the entry

    def _launch(self, entry: KernelCode, rows: Index, columns: Index, points: Index, cuts: bool | None) -> None:
        code = entry.code
        if cuts is None:
            few = code.test("sle", code.mul(rows, columns), MAX_CUT_RESULTS)
            cut = few & code.test("sge", points, 2 * CHUNK)
            with code.when(cut):
                self._run_chunks(entry, rows, columns, points)
            with code.when(~cut):
                self._run_parts(entry, rows, columns, points, [1, points, 0])
        elif cuts:
            self._run_chunks(entry, rows, columns, points)
        else:
            self._run_parts(entry, rows, columns, points, [])

    def _run_parts(
        self, entry: KernelCode, rows: Index, columns: Index, points: Index, rest: list[Vec | Index]
    ) -> None:
        """All rows and columns, by one thread or many."""
        code = entry.code
        work = code.mul(code.mul(code.mul(rows, columns), points), self.plan.point_cost)
        if not isinstance(work, int):  # too little work for two tasks is one
            work = code.pick(code.test("slt", work, 2 * TASK_COST), 1, work)
        most = code.max(code.min(code.div(work, LONG_TASK), MAX_LONG_TASKS), MAX_TASKS)
        tasks = code.max(code.min(code.div(work, TASK_COST), most), 1)
        row_step, row_parts = rows, 1
        if not self.plan.serial:
            row_step = code.ceil_div(rows, code.min(rows, tasks))
            row_parts = code.ceil_div(rows, row_step)
        column_step, column_parts = columns, 1
        if self.columns_axis is not None:  # where there are few rows
            pieces = code.ceil_div(tasks, row_parts)
            column_step = code.mul(code.ceil_div(code.ceil_div(columns, pieces), self._quantum), self._quantum)
            column_parts = code.ceil_div(columns, column_step)
        count = code.mul(row_parts, column_parts)
        if rest:
            rest = [count, *rest[1:]]
        self._run(entry, [row_step, column_step, column_parts, *rest], count)

    def _run_chunks(self, entry: KernelCode, rows: Index, columns: Index, points: Index) -> None:
        """Fold chunks of the reduce points apart, then their results in order."""
        code = entry.code
        quantum = CHUNK // 16
        chunk = code.max(code.mul(code.ceil_div(code.ceil_div(points, MAX_CHUNKS), quantum), quantum), CHUNK)
        chunks = code.ceil_div(points, chunk)
        results = code.mul(rows, columns)
        most = results if isinstance(results, int) else MAX_CUT_RESULTS
        partial = code.slot("i8", MAX_CHUNKS * most * partial_layout(self.folds)[1])
        address = code.convert("ptrtoint", partial, "i64")
        self._run(entry, [rows, columns, 1, 1, chunk, address], chunks)
        self._combine(entry, rows, columns, partial, chunks)

    def _combine(self, kernel: KernelCode, rows: Index, columns: Index, partial: Vec, chunks: Index) -> None:
        """Fold the chunks' accumulators in order and finish every result."""
        code = kernel.code
        results = code.mul(rows, columns)
        axes = (*self.plan.rows, self.columns_axis) if self.columns_axis else self.plan.rows
        with kernel.points(0, results, axes) as result:
            first = [v for fields in read_partial(kernel, self.folds, partial, result.number) for v in fields]
            with code.loop(1, chunks, 1, first) as loop:
                number = code.add(code.mul(loop.index, results), result.number)
                made: list[Vec] = []
                parts = zip(self.folds, read_partial(kernel, self.folds, partial, number), strict=True)
                for (fold, fields), held in zip(parts, self._by_fold(loop.values), strict=True):
                    made += fold.combine(code, held, fields)
                loop.next(*made)
            finish_point(kernel, self.folds, self._by_fold(loop.values), result.places)
            result.finish()

    def _by_fold(self, values: Sequence[Vec]) -> list[tuple[Vec, ...]]:
        rest = iter(values)
        return [tuple(next(rest) for _ in fold.types()) for fold in self.folds]


def _write_map(kernel: KernelCode, part: Part, unit: Condition) -> None:
    """The loops of a MAP."""
    if not kernel.plan.block:
        _write_rows(kernel, part, unit)
        return
    with blocks(kernel.code, part.col_lo, part.col_hi, kernel.plan.block) as (start, end):
        _write_rows(kernel, replace(part, col_lo=start, col_hi=end), unit)


def _write_rows(kernel: KernelCode, part: Part, unit: Condition) -> None:
    code, plan = kernel.code, kernel.plan
    body, stores = plan.kernel.body, plan.kernel.stores
    with kernel.points(part.row_lo, part.row_hi, plan.rows) as row:
        scalars = kernel.add_scalars(body, {}, row.places)
        if plan.vector is None:
            lanes = Lanes(kernel, ALONE, scalars, row.places)
            lanes.run(body)
            lanes.store(stores)
        else:
            rest = not (isinstance(plan.vector.extent, int) and plan.vector.extent % plan.width == 0)
            shape = (plan.lanes, plan.unroll)
            with steps(code, part.col_lo, part.col_hi, shape, rest, unit) as step:
                lanes = Lanes(kernel, step, scalars, row.places)
                lanes.run(body)
                lanes.store(stores)
        row.finish()
