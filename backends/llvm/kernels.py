"""Kernels as LLVM: `lower_kernel` defines `void @name(ptr buffers…, params…)`.

A kernel is simplified (`kernels_prepare`), scheduled (`kernels_schedule`) and becomes these functions: `name.part`
computes a range of rows and columns (or a chunk of a cut reduction); `name`, the entry, finds out how much work there
is and runs the part whole, or in pieces through `name.task` on the thread pool. The text is good as it stands: no
passes are needed. Threads change who computes a piece, never what comes out.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.llvm.engine import Target
from jitcore.backends.llvm.kernels_code import KernelCode
from jitcore.backends.llvm.kernels_columns import ColumnBlocks
from jitcore.backends.llvm.kernels_lanes import Lanes, Step
from jitcore.backends.llvm.kernels_parts import (
    CHUNK,
    MAX_CHUNKS,
    MAX_CUT_RESULTS,
    Part,
    finish_point,
    folds_of,
    partial_layout,
    read_partial,
)
from jitcore.backends.llvm.kernels_prepare import Prepared, prepare
from jitcore.backends.llvm.kernels_rows import FoldRows
from jitcore.backends.llvm.kernels_schedule import FOLD, MAP, schedule
from jitcore.backends.llvm.text import LLVMModule, quoted, register_type
from jitcore.backends.llvm.vectors import Code, Index, Vec
from jitcore.kernel.nodes import Kernel, Load

TASK_COST: Final = 16384
"""Additions a task is to have at least: some microseconds."""
MAX_TASKS: Final = 64
COLUMN_QUANTUM: Final = 64
"""Columns are divided in multiples of it, so that no two tasks write to one cache line."""
_ARGUMENT_BYTES: Final = 16


def lower_kernel(kernel: Kernel, target: Target, module: LLVMModule) -> None:
    """Define `void @<kernel.name>(ptr buffers…, params…)`, in the order of `kernel.nodes.launch_signature`.

    The module needs `jc_parallel(task, data, n)` (`threads.symbols()`) and the C library from outside.
    """
    _Lowering(kernel, target, module).run()


class _Lowering:
    def __init__(self, kernel: Kernel, target: Target, module: LLVMModule) -> None:
        self.prepared: Prepared = prepare(kernel, target)
        self.kernel = kernel
        self.target = target
        self.module = module
        self.plan = schedule(self.prepared, target)
        self.columns_axis = None if self.plan.style == FOLD else self.plan.vector
        self.reduces = bool(self.prepared.kernel.reductions)

    def run(self) -> None:
        entry = self._function()
        rows, columns, points = self._extents(entry)
        results = entry.code.mul(rows, columns)
        if results == 0:
            entry.define(quoted(self.kernel.name), linkage="")
            return
        cuts = self._cuts(results, points)
        self._define_part(cuts is not False)
        if isinstance(results, int):
            self._launch(entry, rows, columns, points, cuts)
        else:
            with entry.code.when(entry.code.test("sgt", results, 0)):
                self._launch(entry, rows, columns, points, cuts)
        entry.define(quoted(self.kernel.name), linkage="")

    def _function(self) -> KernelCode:
        return KernelCode(self.plan, self.prepared.products, self.target, self.module)

    def _name(self, suffix: str) -> str:
        return quoted(f"{self.kernel.name}.{suffix}")

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

    # --- the part function

    _RANGE: Final = (("i64", "row.lo"), ("i64", "row.hi"), ("i64", "col.lo"), ("i64", "col.hi"))
    _REDUCED: Final = (("i64", "r.lo"), ("i64", "r.hi"), ("ptr", "partial"), ("i64", "base"))

    def _define_part(self, cut: bool) -> None:
        kernel = self._function()
        rows, columns, points = self._extents(kernel)
        bounds: list[Index] = [kernel.argument(n) for _, n in self._RANGE]
        if not self._is_divided(rows, columns, points):
            bounds = [0, rows, 0, columns]
        extra = self._RANGE
        if cut:
            low, high, base = (kernel.argument(n) for n in ("r.lo", "r.hi", "base"))
            part = Part(bounds[0], bounds[1], bounds[2], bounds[3], low, high, kernel.argument("partial", "ptr"), base)
            extra = (*self._RANGE, *self._REDUCED)
        else:
            part = Part(bounds[0], bounds[1], bounds[2], bounds[3], 0, points)
        unit = self._unit_strides(kernel)
        if self.plan.style == MAP:
            _write_map(kernel, part, unit)
        elif self.plan.style == FOLD:
            FoldRows(kernel, part, unit).write()
        else:
            ColumnBlocks(kernel, part, unit).write()
        kernel.define(self._name("part"), extra)

    def _unit_strides(self, kernel: KernelCode) -> Vec | None:
        """Whether the strides along the vector axis that are known at run time only are 1; None: there are none."""
        if self.plan.lanes == 1:
            return None
        k = self.prepared.kernel
        steps = [kernel.step(i.address) for i in (*k.body, *k.epilogue) if isinstance(i, Load)]
        steps += [kernel.step(s.address) for s in k.stores]
        found: Vec | None = None
        for name in dict.fromkeys(s for s in steps if isinstance(s, str)):
            one = kernel.code.test("eq", kernel.extent(name), 1)
            found = one if found is None else found & one
        return found

    # --- the entry

    def _launch(self, entry: KernelCode, rows: Index, columns: Index, points: Index, cuts: bool | None) -> None:
        code = entry.code
        if cuts is False:
            self._run_parts(entry, rows, columns, points, cut=False)
        elif cuts:
            self._run_chunks(entry, rows, columns, points)
        else:
            few = code.test("sle", code.mul(rows, columns), MAX_CUT_RESULTS)
            cut = few & code.test("sge", points, 2 * CHUNK)
            with code.when(cut):
                self._run_chunks(entry, rows, columns, points)
            with code.when(~cut):
                self._run_parts(entry, rows, columns, points, cut=True)

    def _work(self, code: Code, rows: Index, columns: Index, points: Index) -> Index:
        return code.mul(code.mul(code.mul(rows, columns), points), self.plan.point_cost)

    def _is_divided(self, rows: Index, columns: Index, points: Index) -> bool:
        """Whether the part may be run in pieces."""
        if self.plan.serial and self.columns_axis is None:
            return False
        if isinstance(rows, int) and isinstance(columns, int) and isinstance(points, int):
            return rows * columns > 1 and rows * columns * points * self.plan.point_cost >= 2 * TASK_COST
        return True

    def _run_parts(self, entry: KernelCode, rows: Index, columns: Index, points: Index, cut: bool) -> None:
        """All rows and columns, by one thread or many."""
        code = entry.code
        work = self._work(code, rows, columns, points)
        rest: list[Index | str] = [0, points, "null", 0] if cut else []
        if not self._is_divided(rows, columns, points):
            self._call_part(entry, [0, rows, 0, columns, *rest])
            return
        if isinstance(work, int):
            self._divide(entry, rows, columns, points, work, rest)
            return
        small = code.test("slt", work, 2 * TASK_COST)
        with code.when(small):
            self._call_part(entry, [0, rows, 0, columns, *rest])
        with code.when(~small):
            self._divide(entry, rows, columns, points, work, rest)

    def _call_part(self, kernel: KernelCode, arguments: list[Index | str]) -> None:
        kinds = [t for t, _ in (*self._RANGE, *self._REDUCED)]
        extra = [f"{kind} {value}" for kind, value in zip(kinds, arguments, strict=False)]
        passed = ", ".join(filter(None, (kernel.pass_on(), *extra)))
        kernel.code.line(f"call void @{self._name('part')}({passed})")

    def _divide(
        self, entry: KernelCode, rows: Index, columns: Index, points: Index, work: Index, rest: list[Index | str]
    ) -> None:
        """Rows first; where there are few, columns too."""
        code = entry.code
        tasks = code.max(code.min(code.div(work, TASK_COST), MAX_TASKS), 1)
        row_step: Index = rows
        row_parts: Index = 1
        if not self.plan.serial:
            row_step = code.ceil_div(rows, code.min(rows, tasks))
            row_parts = code.ceil_div(rows, row_step)
        column_step, column_parts = columns, 1
        if self.columns_axis is not None:
            quantum = max(COLUMN_QUANTUM, self.plan.width)
            pieces = code.ceil_div(tasks, row_parts)
            column_step = code.mul(code.ceil_div(code.ceil_div(columns, pieces), quantum), quantum)
            column_parts = code.ceil_div(columns, column_step)
        words: list[Index] = [rows, columns, row_step, column_step, column_parts, points]
        data = self._pack(entry, words, None)
        self._define_task(bool(rest))
        self._parallel(entry, "task", data, code.mul(row_parts, column_parts))

    def _pack(self, entry: KernelCode, words: list[Index], partial: Vec | None) -> Vec:
        """The arguments of a task: buffers, params, then numbers, 16 bytes each."""
        code, k = entry.code, self.prepared.kernel
        values = [p.typed for p in entry.pointers.values()]
        values += [f"{register_type(p.dtype)} %p{i}" for i, p in enumerate(k.params)]
        values += [f"i64 {w}" for w in words]
        if partial is not None:
            values.append(partial.typed)
        data = code.slot("i8", _ARGUMENT_BYTES * len(values), 16)
        for number, value in enumerate(values):
            address = code.offset(data, number * _ARGUMENT_BYTES, "i8")
            code.line(f"store {value}, ptr {address}, align 16")
        return data

    def _parallel(self, entry: KernelCode, task: str, data: Vec, count: Index) -> None:
        self.module.declare("declare void @jc_parallel(ptr, ptr, i64)")
        entry.code.line(f"call void @jc_parallel(ptr @{self._name(task)}, ptr {data}, i64 {count})")

    # --- tasks

    def _unpack(self, code: Code, count: int, partial: bool) -> tuple[str, list[Vec], Vec | None]:
        """Buffers and params as arguments, the numbers, and where partial results go."""
        k = self.prepared.kernel
        types = ["ptr"] * len(k.buffers) + [register_type(p.dtype) for p in k.params] + ["i64"] * count
        types += ["ptr"] * partial
        data = Vec(code, "%data", "ptr")
        values: list[Vec] = []
        for number, type_ in enumerate(types):
            address = code.offset(data, number * _ARGUMENT_BYTES, "i8")
            values.append(code.emit(type_, 1, f"load {type_}, ptr {address}, align 16"))
        split = len(k.buffers) + len(k.params)
        passed = ", ".join(f"{t} {v}" for t, v in zip(types[:split], values, strict=False))
        return passed, values[split : split + count], values[-1] if partial else None

    def _define_task(self, cut: bool) -> None:
        """`task(data, i)`: a piece of the rows and columns."""
        code = Code(self.module, self.target)
        passed, words, _ = self._unpack(code, 6, partial=False)
        rows, columns, row_step, column_step, column_parts, points = words
        index = Vec(code, "%i", "i64")
        row = code.mul(code.div(index, column_parts), row_step)
        column = code.mul(code.rem(index, column_parts), column_step)
        bounds = [
            row,
            code.min(code.add(row, row_step), rows),
            column,
            code.min(code.add(column, column_step), columns),
        ]
        extra = [f"i64 {b}" for b in bounds]
        if cut:
            extra += ["i64 0", f"i64 {points}", "ptr null", "i64 0"]
        self._define(code, "task", f"call void @{self._name('part')}({', '.join(filter(None, (passed, *extra)))})")

    def _define(self, code: Code, suffix: str, call: str) -> None:
        code.line(call)
        code.line("ret void")
        name = self._name(suffix)
        text = f"define internal void @{name}(ptr %data, i64 %i) nounwind {{\n{code.body()}\n}}"
        self.module.define(name.strip('"'), text)

    # --- cut reductions

    def _run_chunks(self, entry: KernelCode, rows: Index, columns: Index, points: Index) -> None:
        """Fold chunks of the reduce points apart, then their results in order."""
        code = entry.code
        per_chunk = code.ceil_div(code.ceil_div(points, MAX_CHUNKS), CHUNK // 16)
        chunk = code.max(code.mul(per_chunk, CHUNK // 16), CHUNK)
        chunks = code.ceil_div(points, chunk)
        results = code.mul(rows, columns)
        size = partial_layout(folds_of(entry))[1]
        partial = code.slot("i8", MAX_CHUNKS * MAX_CUT_RESULTS * size if not isinstance(results, int)
                            else MAX_CHUNKS * results * size)  # fmt: skip
        data = self._pack(entry, [rows, columns, points, chunk], partial)
        self._define_chunk()
        self._parallel(entry, "chunk", data, chunks)
        self._define_combine()
        passed = filter(None, (entry.pass_on(), f"ptr {partial}", f"i64 {chunks}"))
        code.line(f"call void @{self._name('combine')}({', '.join(passed)})")

    def _define_chunk(self) -> None:
        """`chunk(data, i)`: the accumulators of all results over a chunk of the points."""
        code = Code(self.module, self.target)
        passed, (rows, columns, points, chunk), partial = self._unpack(code, 4, partial=True)
        index = Vec(code, "%i", "i64")
        low = code.mul(index, chunk)
        high = code.min(code.add(low, chunk), points)
        base = code.mul(index, code.mul(rows, columns))
        extra = ["i64 0", f"i64 {rows}", "i64 0", f"i64 {columns}", f"i64 {low}", f"i64 {high}", f"ptr {partial}"]
        call = ", ".join(filter(None, (passed, *extra, f"i64 {base}")))
        self._define(code, "chunk", f"call void @{self._name('part')}({call})")

    def _define_combine(self) -> None:
        """`combine(…, partial, chunks)`: fold the chunks' accumulators in order and finish every result."""
        kernel = self._function()
        code = kernel.code
        rows, columns, _ = self._extents(kernel)
        partial, chunks = kernel.argument("partial", "ptr"), kernel.argument("chunks")
        folds = folds_of(kernel)
        results = code.mul(rows, columns)
        axes = (*self.plan.rows, self.columns_axis) if self.columns_axis else self.plan.rows
        with kernel.points(0, results, axes) as result:
            first = [v for fields in read_partial(kernel, folds, partial, result.number) for v in fields]
            with code.loop(1, chunks, 1, first) as loop:
                number = code.add(code.mul(loop.index, results), result.number)
                made: list[Vec] = []
                rest = list(loop.values)
                for fold, fields in zip(folds, read_partial(kernel, folds, partial, number), strict=True):
                    held, rest = tuple(rest[: len(fields)]), rest[len(fields) :]
                    made += fold.combine(code, held, fields)
                loop.next(*made)
            totals: list[tuple[Vec, ...]] = []
            rest = list(loop.values)
            for fold in folds:
                totals.append(tuple(rest[: len(fold.types())]))
                rest = rest[len(fold.types()) :]
            finish_point(kernel, folds, totals, result.places)
            result.finish()
        kernel.define(self._name("combine"), (("ptr", "partial"), ("i64", "chunks")))


def _write_map(kernel: KernelCode, part: Part, unit: Vec | None) -> None:
    """The loops of a MAP."""
    code, plan = kernel.code, kernel.plan
    body, stores = plan.kernel.body, plan.kernel.stores
    with kernel.points(part.row_lo, part.row_hi, plan.rows) as row:
        scalars = kernel.add_scalars(body, {}, row.places)
        if plan.vector is None:
            lanes = Lanes(kernel, Step(0, 0, 1, None), scalars, row.places, 1)
            lanes.run(body)
            lanes.store(stores)
        else:
            extent, width = plan.vector.extent, plan.width
            with code.loop(part.col_lo, part.col_hi, width) as loop:
                whole = unit
                if not (isinstance(extent, int) and extent % width == 0):
                    fits = code.test("sle", code.add(loop.index, width), part.col_hi)
                    whole = fits if whole is None else whole & fits
                step = Step(loop.index, part.col_lo, part.col_hi, whole)
                lanes = Lanes(kernel, step, scalars, row.places, plan.unroll)
                lanes.run(body)
                lanes.store(stores)
        row.finish()
