"""The loops of COLUMNS: the vector axis is a parallel one, or there is none; accumulators of a block of columns lie in
memory, small enough for the first-level cache.

A fold whose order shows has a slot for each lane of that order (`kernels.prepare`), and a second array of slots for the
sums of groups: every column is folded as a FOLD would fold it.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

from jitcore.backends.llvm.kernels.code import KernelCode, Places, Scalars, blocks
from jitcore.backends.llvm.kernels.fold import Fields, Fold
from jitcore.backends.llvm.kernels.lanes import ALONE, Condition, Lanes, Step, steps
from jitcore.backends.llvm.kernels.parts import Part, finish_or_keep, folds_of, tail_instructions, write_partial
from jitcore.backends.llvm.kernels.prepare import GROUP, operands, sum_lanes
from jitcore.backends.llvm.kernels.schedule import COLUMN_BYTES
from jitcore.backends.native.ir.vectors import Index, Vec
from jitcore.kernel.nodes import Instruction


def _without(instructions: Sequence[Instruction], names: set[str]) -> list[Instruction]:
    """Those that are not computed from the named ones, nor from what is."""
    found: list[Instruction] = []
    after = set(names)
    for made in instructions:
        if after.isdisjoint(operands(made)):
            found.append(made)
        else:
            after.add(made.name)
    return found


class ColumnBlocks:
    """The vector axis is a parallel one, or there is none; accumulators of a block of columns lie in memory.

    A fold whose order shows has a slot for each lane of that order, and a second array of slots for the sums of groups.
    """

    def __init__(self, kernel: KernelCode, part: Part, unit: Condition) -> None:
        self.kernel = kernel
        self.code = kernel.code
        self.plan = kernel.plan
        self.part = part
        self.unit = unit
        self.folds = folds_of(kernel.plan.kernel)
        target = kernel.code.target
        self.slots = [sum_lanes(f.reduction.dtype, target) if f.ordered else 1 for f in self.folds]
        self.columns = self._block_columns()
        extent = self.plan.reduced[0].extent if len(self.plan.reduced) == 1 else 0
        long = not isinstance(extent, int) or extent >= self.slots[0] * GROUP
        # little computing may be written GROUP times; folds must agree about who belongs to a group
        self.takes_groups = (
            long
            and self.plan.point_cost <= 6
            and len({(f.ordered, n) for f, n in zip(self.folds, self.slots, strict=True)}) == 1
            and len(self.plan.reduced) == 1
        )
        self.near = self._arrays()
        self.far = self._arrays()

    def _block_columns(self) -> int:
        if self.plan.vector is None:
            return 1
        widest = max(slots * size for f, slots in zip(self.folds, self.slots, strict=True) for size in f.sizes())
        wanted = max(COLUMN_BYTES // max(widest, 32), 1)
        extent = self.plan.vector.extent
        if isinstance(extent, int):
            wanted = min(wanted, extent)
        return -(-wanted // self.plan.width) * self.plan.width

    def _arrays(self) -> list[list[Vec]]:
        return [
            [self.code.slot(t, slots * self.columns) for t in fold.types()]
            for fold, slots in zip(self.folds, self.slots, strict=True)
        ]

    def write(self) -> None:
        """All rows and columns."""
        code, part = self.code, self.part
        with self.kernel.points(part.row_lo, part.row_hi, self.plan.rows) as row:
            if self.plan.vector is None:
                self._block(row.number, row.places, 0, 1)
            else:
                with blocks(code, part.col_lo, part.col_hi, self.columns) as (start, end):
                    self._block(row.number, row.places, start, end)
            row.finish()

    def _block(self, row: Index, places: Places, start: Index, end: Index) -> None:
        code, part, kernel = self.code, self.part, self.kernel
        count = code.sub(part.r_hi, part.r_lo)
        self._fill(count)
        guard = None if isinstance(count, int) and count > 0 else code.test("sgt", count, 0)
        scalars = kernel.add_scalars(self.plan.kernel.body, {}, places, guard)
        r_lo = self._whole_groups(places, scalars, start, end) if self.takes_groups else part.r_lo
        if not isinstance(r_lo, int) or r_lo != part.r_hi:  # groups may leave nothing, as extents say
            self._points(r_lo, count, places, scalars, guard, (start, end))
        self._halve(count)
        finish_or_keep(
            kernel,
            part,
            lambda: self._finish(places, start, end),
            lambda partial: self._keep(partial, row, start, end),
        )

    def _points(
        self,
        r_lo: Index,
        count: Index,
        places: Places,
        scalars: Scalars,
        guard: Vec | None,
        columns: tuple[Index, Index],
    ) -> None:
        """Fold the points from `r_lo` on one by one."""
        code, kernel = self.code, self.kernel
        start, end = columns
        with kernel.points(r_lo, self.part.r_hi, self.plan.reduced) as point:
            here = {**places, **point.places}
            inner = kernel.add_scalars(self.plan.kernel.body, scalars, here, guard)
            number = code.index(point.number)
            slots = [self._slot(slots, number) for slots in self.slots]
            self._over(start, end, self.plan.unroll, lambda step: self._take(step, inner, here, slots, number, start))
            self._flush_at_group_end(number, count)
            point.finish()

    def _over(self, start: Index, end: Index, unroll: int, body: Callable[[Step], None]) -> None:
        """A loop over the steps of a block."""
        if self.plan.vector is None:
            body(ALONE)
            return
        extent, lanes = self.plan.vector.extent, self.plan.lanes
        rest = not (isinstance(extent, int) and extent % (lanes * unroll) == 0)
        with steps(self.code, start, end, (lanes, unroll), rest, self.unit) as step:
            body(step)

    # --- slots

    def _slot(self, slots: int, number: Vec) -> Index:
        """Where the columns of a point's slot begin."""
        if slots == 1:
            return 0
        lane = self.code.emit("i64", 1, f"and i64 {number}, {slots - 1}")
        return self.code.mul(lane, self.columns)

    def _used(self, k: int, count: Index) -> Index:
        """How many slots `count` points reach."""
        return self.code.min(count, self.slots[k])

    def _fill(self, count: Index) -> None:
        """Begin with identities."""
        code, lanes = self.code, self.plan.lanes
        for k, fold in enumerate(self.folds):
            arrays = (self.near[k], self.far[k]) if fold.ordered else (self.near[k],)
            # one slot at least: a reduction of no points ends there
            used = code.max(self._used(k, count), 1)
            with code.loop(0, code.mul(used, self.columns), lanes) as loop:
                for array in arrays:
                    self._store(array, fold.identity(code, lanes), loop.index)

    def _load(self, arrays: Sequence[Vec], fold: Fold, place: Index) -> Fields:
        code = self.code
        return tuple(
            code.load(code.offset(a, place, t), t, self.plan.lanes) for a, t in zip(arrays, fold.types(), strict=True)
        )

    def _store(self, arrays: Sequence[Vec], fields: Fields, place: Index) -> None:
        for array, field in zip(arrays, fields, strict=True):
            self.code.store(field, self.code.offset(array, place, field.type))

    def _whole_groups(self, places: Places, scalars: Scalars, start: Index, end: Index) -> Index:
        """Fold groups of points at once, each slot's GROUP points in registers; returns where the rest begins."""
        code, part, slots = self.code, self.part, self.slots[0]
        size = slots * GROUP
        (axis,) = self.plan.reduced
        count = code.sub(part.r_hi, part.r_lo)
        rest = code.add(part.r_lo, code.mul(code.div(code.max(count, 0), size), size))
        with code.loop(part.r_lo, rest, size) as group, code.loop(0, slots) as slot:
            first = code.index(code.add(group.index, slot.index))
            numbers = [code.index(code.add(first, k * slots)) for k in range(GROUP)]
            rows = [{**places, axis.name: n} for n in numbers]
            inner = [self.kernel.add_scalars(self.plan.kernel.body, scalars, here) for here in rows]
            place = code.mul(slot.index, self.columns)

            def body(step: Step) -> None:
                points: list[list[list[Fields]]] = []
                for here, known, number in zip(rows, inner, numbers, strict=True):
                    vectors = Lanes(self.kernel, step, known, here)
                    vectors.run(self.plan.kernel.body)
                    points.append(self._lifted(vectors, number))
                for u in range(step.unroll):
                    where = code.add(place, code.add(code.sub(step.start, start), u * self.plan.lanes))
                    self._add_group(where, [[p[k][u] for p in points] for k in range(len(self.folds))])

            self._over(start, end, self.plan.unroll, body)
        return rest

    def _add_group(self, place: Index, groups: Sequence[Sequence[Fields]]) -> None:
        """Fold what GROUP points gave each fold, and add it to the totals."""
        code = self.code
        for k, (fold, points) in enumerate(zip(self.folds, groups, strict=True)):
            total = points[0]
            for fields in points[1:]:
                total = fold.combine(code, total, fields)
            arrays = self._totals(k)
            self._store(arrays, fold.combine(code, self._load(arrays, fold, place), total), place)

    def _lifted(self, vectors: Lanes, number: Vec) -> list[list[Fields]]:
        """Every fold's accumulators of one point, for each vector."""
        code, lanes = self.code, self.plan.lanes
        return [
            [
                fold.lift(
                    code, vectors.get(fold.reduction.value, u), code.splat(number, lanes) if fold.is_search else None
                )
                for u in range(vectors.unroll)
            ]
            for fold in self.folds
        ]

    def _take(
        self, step: Step, scalars: Scalars, places: Places, slots: list[Index], number: Vec, start: Index
    ) -> None:
        code, lanes = self.code, self.plan.lanes
        vectors = Lanes(self.kernel, step, scalars, places)
        vectors.run(self.plan.kernel.body)
        lifted = self._lifted(vectors, number)
        for fold, arrays, slot, values in zip(self.folds, self.near, slots, lifted, strict=True):
            for u in range(step.unroll):
                place = code.add(slot, code.add(code.sub(step.start, start), u * lanes))
                self._store(arrays, fold.combine(code, self._load(arrays, fold, place), values[u]), place)

    def _flush_at_group_end(self, number: Vec, count: Index) -> None:
        code = self.code
        for k, (fold, slots) in enumerate(zip(self.folds, self.slots, strict=True)):
            group = slots * GROUP
            if fold.ordered and not (isinstance(count, int) and count <= group):
                place = code.emit("i64", 1, f"and i64 {number}, {group - 1}")
                with code.when(place.eq(group - 1)):
                    self._flush(k, slots)

    def _flush(self, k: int, used: Index) -> None:
        """Add the group's sums to the totals and begin another group."""
        code, lanes, fold = self.code, self.plan.lanes, self.folds[k]
        with code.loop(0, code.mul(used, self.columns), lanes) as loop:
            near, far = self._load(self.near[k], fold, loop.index), self._load(self.far[k], fold, loop.index)
            self._store(self.far[k], fold.combine(code, far, near), loop.index)
            self._store(self.near[k], fold.identity(code, lanes), loop.index)

    def _totals(self, k: int) -> list[Vec]:
        return self.far[k] if self.folds[k].ordered else self.near[k]

    def _halve(self, count: Index) -> None:
        """Fold the slots by halves into the first."""
        code, lanes = self.code, self.plan.lanes
        for k, (fold, slots) in enumerate(zip(self.folds, self.slots, strict=True)):
            if not fold.ordered:
                continue
            used = self._used(k, count)
            self._flush(k, used)
            half = slots
            while half > 1:
                half //= 2
                pairs = code.max(code.min(code.sub(used, half), half), 0)
                with code.loop(0, code.mul(pairs, self.columns), lanes) as loop:
                    low = self._load(self.far[k], fold, loop.index)
                    high = self._load(self.far[k], fold, code.add(loop.index, half * self.columns))
                    self._store(self.far[k], fold.combine(code, low, high), loop.index)

    # --- results

    def _finish(self, places: Places, start: Index, end: Index) -> None:
        """The epilogue and the stores of a block."""
        code, kernel = self.code, self.kernel
        tail = tail_instructions(kernel)
        names = {f.reduction.name for f in self.folds}
        scalars = kernel.add_scalars(_without(tail, names), {}, places)

        def body(step: Step) -> None:
            vectors = Lanes(kernel, step, scalars, places)
            for k, fold in enumerate(self.folds):
                fields = self._load(self._totals(k), fold, code.sub(step.start, start))
                vectors.values[0][fold.reduction.name] = fold.result(code, fields)
            vectors.run([i for i in tail if i.name not in names])
            vectors.store(self.plan.kernel.stores)

        self._over(start, end, 1, body)

    def _keep(self, partial: Vec, row: Index, start: Index, end: Index) -> None:
        """Keep the accumulators of a block, column by column."""
        code = self.code
        columns = self.kernel.extent(self.plan.vector.extent) if self.plan.vector else 1
        with code.loop(start, end) as loop:
            all_: list[Fields] = []
            for k, fold in enumerate(self.folds):
                place = code.sub(loop.index, start)
                fields = zip(self._totals(k), fold.types(), strict=True)
                all_.append(tuple(code.load(code.offset(a, place, t), t) for a, t in fields))
            number = code.add(self.part.partial_base, code.add(code.mul(row, columns), loop.index))
            write_partial(self.kernel, self.folds, partial, number, all_)
