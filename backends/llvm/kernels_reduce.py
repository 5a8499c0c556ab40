"""The loops of reductions: FOLD and COLUMNS of `kernels_schedule`, folding in the order `kernels_prepare` defines.

**Huge reductions to few results** are cut into chunks of CHUNK points or more, at most MAX_CHUNKS of them: each is
folded on its own, by any thread, and the chunks' results are folded in order. Whether and where a reduction is cut
depends on its extents alone.

Reduce points are numbered row-major; a part is given the numbers from `r_lo` to `r_hi`.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Final

from jitcore.backends.llvm.kernels_code import KernelCode, Places, Scalars
from jitcore.backends.llvm.kernels_fold import Fields, Fold, select_fields
from jitcore.backends.llvm.kernels_lanes import Lanes, Step
from jitcore.backends.llvm.kernels_prepare import GROUP, operands, sum_lanes
from jitcore.backends.llvm.kernels_schedule import COLUMN_BYTES
from jitcore.backends.llvm.kernels_values import element_type
from jitcore.backends.llvm.vectors import Index, Vec
from jitcore.kernel.nodes import Instruction, ReadAxis
from jitcore.source import InternalError
from jitcore.types import i64

CHUNK: Final = 16384
MAX_CHUNKS: Final = 64
MAX_CUT_RESULTS: Final = 64
"""A reduction to more results than this has work for every thread without being cut."""

RowStrides = Callable[[str], Vec | None]


@dataclass(frozen=True, slots=True)
class Part:
    """What a part function is to compute: rows, columns and reduce points from … to. With `partial`, accumulators
    go there, and nothing is stored."""

    row_lo: Index
    row_hi: Index
    col_lo: Index
    col_hi: Index
    r_lo: Index
    r_hi: Index
    partial: Vec | None
    partial_base: Index
    """The number of the part's first result among all partial ones."""


def folds_of(kernel: KernelCode) -> list[Fold]:
    """The kernel's reductions."""
    k = kernel.plan.kernel
    dtypes = {i.name: i64 if isinstance(i, ReadAxis) else i.dtype for i in k.body}
    return [Fold(r, dtypes[r.value]) for r in k.reductions]


def partial_layout(folds: Sequence[Fold]) -> tuple[list[tuple[int, int]], int]:
    """Where a partial result's fields lie: (fold, offset) in order, and the bytes of all."""
    offsets: list[tuple[int, int]] = []
    total = 0
    for number, fold in enumerate(folds):
        for _ in fold.types():
            offsets.append((number, total))
            total += 8
    return offsets, total


def _partial_addresses(kernel: KernelCode, folds: Sequence[Fold], partial: Vec, number: Index) -> list[list[Vec]]:
    code = kernel.code
    offsets, size = partial_layout(folds)
    base = code.offset(partial, code.mul(number, size), "i8")
    found: list[list[Vec]] = [[] for _ in folds]
    for fold, offset in offsets:
        found[fold].append(code.offset(base, offset, "i8"))
    return found


def write_partial(kernel: KernelCode, folds: Sequence[Fold], partial: Vec, number: Index, all_: Sequence[Fields]) -> None:
    """Keep the accumulators of one result of a chunk."""
    for places, fields in zip(_partial_addresses(kernel, folds, partial, number), all_, strict=True):
        for place, field in zip(places, fields, strict=True):
            kernel.code.store(field, place)


def read_partial(kernel: KernelCode, folds: Sequence[Fold], partial: Vec, number: Index) -> list[Fields]:
    """The accumulators of one result of a chunk."""
    addresses = _partial_addresses(kernel, folds, partial, number)
    return [
        tuple(kernel.code.load(a, t) for a, t in zip(places, fold.types(), strict=True))
        for places, fold in zip(addresses, folds, strict=True)
    ]


def tail_instructions(kernel: KernelCode) -> list[Instruction]:
    """What runs after the folding: the epilogue, and the part of the body that it or the stores read."""
    k = kernel.plan.kernel
    wanted = {r for s in k.stores for r in (s.value, s.mask or "", *(v for v, _ in s.address.values))}
    for made in reversed(k.epilogue):
        wanted |= set(operands(made))
    for made in reversed(k.body):
        if made.name in wanted:
            wanted |= set(operands(made))
    reduced = {a.name for a in k.axes if a.reduce}
    first = [i for i in k.body if i.name in wanted]
    for made in first:
        if kernel.plan.depends[made.name] & reduced:
            raise InternalError(f"{k.name}: {made.name} has no value after the reduction")
    return [*first, *k.epilogue]


def finish_point(kernel: KernelCode, folds: Sequence[Fold], all_: Sequence[Fields], places: Places) -> None:
    """The epilogue and the stores of one result."""
    code = kernel.code
    scalars: Scalars = {
        f.reduction.name: f.result(code, fields) for f, fields in zip(folds, all_, strict=True)
    }
    scalars = kernel.add_scalars(tail_instructions(kernel), scalars, places, volatile=True)
    point = Lanes(kernel, Step(0, 0, 1, None), scalars, places, 1)
    point.lanes = 1
    point.store(kernel.plan.kernel.stores)


# --- FOLD -------------------------------------------------------------------------------------------


class FoldRows:
    """The vector axis is the innermost reduce axis; accumulators are vectors."""

    def __init__(self, kernel: KernelCode, part: Part, unit: Vec | None) -> None:
        self.kernel = kernel
        self.code = kernel.code
        self.plan = kernel.plan
        self.part = part
        self.unit = unit
        self.folds = folds_of(kernel)
        vector = self.plan.vector
        if vector is None:
            raise InternalError("a FOLD without a vector axis")
        self.vector = vector
        self.extent = kernel.extent(vector.extent)
        lanes = self.plan.lanes
        self.group = lanes * GROUP
        self.whole_rows = isinstance(self.extent, int) and self.extent % self.plan.width == 0
        """Rows of the reduce space begin and end with whole steps."""
        # whether groups reach over steps
        self.carries = any(f.ordered for f in self.folds) and (
            self.plan.unroll < GROUP or (bool(self.plan.reduced) and not self.whole_rows)
        )

    def write(self) -> None:
        """All rows."""
        part = self.part
        with self.kernel.points(part.row_lo, part.row_hi, self.plan.rows) as row:
            self._row(row.number, row.places)
            row.finish()

    def _row(self, number: Index, places: Places) -> None:
        code, part = self.code, self.part
        guard = None
        if not (isinstance(part.r_lo, int) and isinstance(part.r_hi, int) and part.r_lo < part.r_hi):
            guard = code.test("slt", part.r_lo, part.r_hi)
        scalars = self.kernel.add_scalars(self.plan.kernel.body, {}, places, guard)
        state = self._start()
        if self.plan.reduced:
            first = code.div(part.r_lo, self.extent) if self.extent != 0 else 0
            last = self._rows_end()
            with self.kernel.points(first, last, self.plan.reduced, state) as outer:
                here = {**places, **outer.places}
                inner = self.kernel.add_scalars(self.plan.kernel.body, scalars, here, guard)
                start = code.mul(outer.number, self.extent)
                outer.finish(*self._steps(inner, here, start, outer.values))
            state = self.kernel.last_values
        else:
            state = self._steps(scalars, places, 0, state)
        self._finish(number, places, self._totals(state))

    def _rows_end(self) -> Index:
        """One past the last row of reduce points; 0 where there are none."""
        code, part = self.code, self.part
        if isinstance(self.extent, int):
            return code.ceil_div(part.r_hi, self.extent) if self.extent else 0
        return code.ceil_div(part.r_hi, code.max(self.extent, 1))

    def _start(self) -> list[Vec]:
        state: list[Vec] = []
        for fold in self.folds:
            state += fold.identity(self.code, self.plan.lanes)
            if self.carries and fold.ordered:
                state += fold.identity(self.code, self.plan.lanes)
        return state

    def _steps(self, scalars: Scalars, places: Places, row: Index, state: Sequence[Vec]) -> tuple[Vec, ...]:
        """Fold the steps of one row of reduce points, which begins at number `row`."""
        code, part, width = self.code, self.part, self.plan.width
        if self.plan.reduced:
            first, last = code.max(row, part.r_lo), code.min(code.add(row, self.extent), part.r_hi)
        else:
            first, last = part.r_lo, part.r_hi
        open_left = bool(self.plan.reduced) and not self.whole_rows
        begin = code.mul(code.div(first, width), width) if open_left else first
        with code.loop(begin, last, width, tuple(state)) as loop:
            at = code.sub(loop.index, row)
            lanes = Lanes(self.kernel, self._step(loop.index, at, row, first, last, open_left), scalars, places, self.plan.unroll)
            lanes.run(self._vector_body(scalars))
            loop.next(*self._take(lanes, loop.index, last, loop.values))
        return loop.values

    def _step(self, number: Vec, at: Index, row: Index, first: Index, last: Index, open_left: bool) -> Step:
        code, width = self.code, self.plan.width
        whole = self.unit
        spans = isinstance(last, int) and isinstance(first, int) and (last - first) % width == 0
        if not (spans or (self.whole_rows and self._chunks_whole())):
            fits = code.test("sle", code.add(number, width), last)
            if open_left:
                fits = fits & code.test("sge", number, first)
            whole = fits if whole is None else whole & fits
        return Step(at, code.sub(first, row), code.sub(last, row), whole, open_left)

    def _chunks_whole(self) -> bool:
        """Chunks begin with whole steps; they end so where rows do."""
        return True

    def _vector_body(self, scalars: Scalars) -> list[Instruction]:
        return [i for i in self.plan.kernel.body if i.name not in scalars]

    def _take(self, lanes: Lanes, number: Vec, last: Index, state: Sequence[Vec]) -> list[Vec]:
        """The state after a step."""
        code = self.code
        points = self._lifted(lanes, number)
        done: Vec | None = None
        if self.carries:
            done = self._group_ends(number, last)
        made: list[Vec] = []
        rest = list(state)
        for fold, vectors in zip(self.folds, points, strict=True):
            size = len(fold.types())
            total, rest = tuple(rest[:size]), rest[size:]
            if not (self.carries and fold.ordered):
                group = vectors[0]
                for v in vectors[1:]:
                    group = fold.combine(code, group, v)
                made += fold.combine(code, total, group)
                continue
            group, rest = tuple(rest[:size]), rest[size:]
            for v in vectors:
                group = fold.combine(code, group, v)
            if done is None:
                raise InternalError("groups end nowhere")
            made += select_fields(code, done, fold.combine(code, total, group), total)
            made += select_fields(code, done, fold.identity(code, self.plan.lanes), group)
        return made

    def _group_ends(self, number: Vec, last: Index) -> Vec:
        """Whether a group of vectors is complete after the step that begins with point `number`."""
        code, width = self.code, self.plan.width
        end = code.add(number, width)
        complete = code.test("sle", end, last)
        if self.plan.unroll == GROUP:
            return complete
        place = code.emit("i64", 1, f"and i64 {end}, {self.group - 1}")
        return complete & place.eq(0)

    def _lifted(self, lanes: Lanes, number: Vec) -> list[list[Fields]]:
        """Every fold's accumulators of the step's points, those that do not exist as the identity."""
        code, width = self.code, self.plan.lanes
        found: list[list[Fields]] = []
        for fold in self.folds:
            vectors: list[Fields] = []
            for u in range(self.plan.unroll):
                index = None
                if fold.is_search:
                    index = code.splat(code.index(code.add(number, u * width)), width)
                    index = index if width == 1 else index + code.iota("i64", width)
                vectors.append(fold.lift(code, lanes.get(fold.reduction.value, u), index))
            found.append(vectors)
        whole = lanes.step.whole
        return found if whole is None else self._existing(lanes, whole, found)

    def _existing(self, lanes: Lanes, whole: Vec, found: list[list[Fields]]) -> list[list[Fields]]:
        code = self.code
        before, mend, after = code.label, code.new_label("mend"), code.new_label("folded")
        code.branch(whole, after, mend)
        code.block(mend)
        masks = [lanes.existing(u) for u in range(self.plan.unroll)]
        mended = [
            [
                select_fields(code, mask, v, fold.identity(code, self.plan.lanes))
                for mask, v in zip(masks, vectors, strict=True)
            ]
            for fold, vectors in zip(self.folds, found, strict=True)
        ]
        last = code.label
        code.jump(after)
        code.block(after)
        return [
            [
                tuple(code.phi((x, before), (y, last)) for x, y in zip(a, b, strict=True))
                for a, b in zip(usual, other, strict=True)
            ]
            for usual, other in zip(found, mended, strict=True)
        ]

    def _totals(self, state: Sequence[Vec]) -> list[Fields]:
        """The folds' accumulators, of one lane."""
        code, rest = self.code, list(state)
        made: list[Fields] = []
        for fold in self.folds:
            size = len(fold.types())
            total, rest = tuple(rest[:size]), rest[size:]
            if self.carries and fold.ordered:
                total = fold.combine(code, total, tuple(rest[:size]))
                rest = rest[size:]
            made.append(fold.across(code, total))
        return made

    def _finish(self, number: Index, places: Places, totals: list[Fields]) -> None:
        if self.part.partial is not None:
            place = self.code.add(self.part.partial_base, number)
            write_partial(self.kernel, self.folds, self.part.partial, place, totals)
        else:
            finish_point(self.kernel, self.folds, totals, places)


# --- COLUMNS ----------------------------------------------------------------------------------------


class ColumnBlocks:
    """The vector axis is a parallel one, or there is none; accumulators of a block of columns lie in memory.

    A fold whose order shows has a slot for each lane of that order, and a second array of slots for the sums of groups.
    """

    def __init__(self, kernel: KernelCode, part: Part, unit: Vec | None) -> None:
        self.kernel = kernel
        self.code = kernel.code
        self.plan = kernel.plan
        self.part = part
        self.unit = unit
        self.folds = folds_of(kernel)
        target = kernel.code.target
        self.slots = [sum_lanes(f.reduction.dtype, target) if f.ordered else 1 for f in self.folds]
        self.columns = self._block_columns()
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
                with code.loop(part.col_lo, part.col_hi, self.columns) as block:
                    end = code.min(code.add(block.index, self.columns), part.col_hi)
                    self._block(row.number, row.places, block.index, end)
            row.finish()

    def _block(self, row: Index, places: Places, start: Index, end: Index) -> None:
        code, part, kernel = self.code, self.part, self.kernel
        self._fill()
        count = code.sub(part.r_hi, part.r_lo)
        guard = None if isinstance(count, int) and count > 0 else code.test("sgt", count, 0)
        scalars = kernel.add_scalars(self.plan.kernel.body, {}, places, guard)
        with kernel.points(part.r_lo, part.r_hi, self.plan.reduced) as point:
            here = {**places, **point.places}
            inner = kernel.add_scalars(self.plan.kernel.body, scalars, here, guard)
            number = code.index(point.number)
            slots = [self._slot(slots, number) for slots in self.slots]
            self._over(start, end, lambda at, step: self._take(at, step, inner, here, slots, number, start))
            self._flush_at_group_end(number)
            point.finish()
        self._flush_rest(count)
        self._halve(count)
        if part.partial is not None:
            self._write_partials(row, start, end)
        else:
            self._finish(places, start, end)

    def _over(self, start: Index, end: Index, body: Callable[[Index, Step], None]) -> None:
        """A loop over the steps of a block."""
        code, width = self.code, self.plan.width
        if self.plan.vector is None:
            body(0, Step(0, 0, 1, None))
            return
        extent = self.plan.vector.extent
        with code.loop(start, end, width) as loop:
            whole = self.unit
            if not (isinstance(extent, int) and extent % width == 0):
                fits = code.test("sle", code.add(loop.index, width), end)
                whole = fits if whole is None else whole & fits
            body(loop.index, Step(loop.index, start, end, whole))
            loop.next()

    # --- slots

    def _slot(self, slots: int, number: Vec) -> Index:
        """Where the columns of a point's slot begin."""
        if slots == 1:
            return 0
        lane = self.code.emit("i64", 1, f"and i64 {number}, {slots - 1}")
        return self.code.mul(lane, self.columns)

    def _fill(self) -> None:
        """Begin with identities."""
        code, lanes = self.code, self.plan.lanes
        for arrays, fold, slots, ordered in self._all_arrays():
            with code.loop(0, slots * self.columns, lanes) as loop:
                for field, identity in zip(arrays, fold.identity(code, lanes), strict=True):
                    code.store(identity, code.offset(field, loop.index, identity.type))
                loop.next()
            del ordered

    def _all_arrays(self) -> list[tuple[list[Vec], Fold, int, bool]]:
        found: list[tuple[list[Vec], Fold, int, bool]] = []
        for near, far, fold, slots in zip(self.near, self.far, self.folds, self.slots, strict=True):
            found.append((near, fold, slots, False))
            if fold.ordered:
                found.append((far, fold, slots, True))
        return found

    def _load(self, arrays: Sequence[Vec], fold: Fold, place: Index) -> Fields:
        code = self.code
        return tuple(
            code.load(code.offset(a, place, t), t, self.plan.lanes) for a, t in zip(arrays, fold.types(), strict=True)
        )

    def _store(self, arrays: Sequence[Vec], fields: Fields, place: Index) -> None:
        for array, field in zip(arrays, fields, strict=True):
            self.code.store(field, self.code.offset(array, place, field.type))

    def _take(
        self, at: Index, step: Step, scalars: Scalars, places: Places, slots: list[Index], number: Vec, start: Index
    ) -> None:
        code, lanes = self.code, self.plan.lanes
        vectors = Lanes(self.kernel, step, scalars, places, self.plan.unroll)
        vectors.run([i for i in self.plan.kernel.body if i.name not in scalars])
        for fold, arrays, slot in zip(self.folds, self.near, slots, strict=True):
            for u in range(self.plan.unroll):
                index = code.splat(number, lanes) if fold.is_search else None
                value = fold.lift(code, vectors.get(fold.reduction.value, u), index)
                place = code.add(slot, code.add(code.sub(at, start), u * lanes))
                self._store(arrays, fold.combine(code, self._load(arrays, fold, place), value), place)

    def _flush_at_group_end(self, number: Vec) -> None:
        code = self.code
        for k, (fold, slots) in enumerate(zip(self.folds, self.slots, strict=True)):
            if fold.ordered:
                group = slots * GROUP
                place = code.emit("i64", 1, f"and i64 {number}, {group - 1}")
                with code.when(place.eq(group - 1)):
                    self._flush(k)

    def _flush_rest(self, count: Index) -> None:
        for k, fold in enumerate(self.folds):
            if fold.ordered:
                self._flush(k)

    def _flush(self, k: int) -> None:
        """Add the group's sums to the totals and begin another group."""
        code, lanes, fold = self.code, self.plan.lanes, self.folds[k]
        with code.loop(0, self.slots[k] * self.columns, lanes) as loop:
            total = fold.combine(
                code, self._load(self.far[k], fold, loop.index), self._load(self.near[k], fold, loop.index)
            )
            self._store(self.far[k], total, loop.index)
            self._store(self.near[k], fold.identity(code, lanes), loop.index)
            loop.next()

    def _totals(self, k: int) -> list[Vec]:
        return self.far[k] if self.folds[k].ordered else self.near[k]

    def _halve(self, count: Index) -> None:
        """Fold the slots by halves into the first."""
        code, lanes = self.code, self.plan.lanes
        for k, (fold, slots) in enumerate(zip(self.folds, self.slots, strict=True)):
            half = slots
            while half > 1:
                half //= 2
                size = half * self.columns
                with code.loop(0, size, lanes) as loop:
                    low = self._load(self.far[k], fold, loop.index)
                    high = self._load(self.far[k], fold, code.add(loop.index, size))
                    self._store(self.far[k], fold.combine(code, low, high), loop.index)
                    loop.next()

    # --- results

    def _finish(self, places: Places, start: Index, end: Index) -> None:
        """The epilogue and the stores of a block."""
        code, kernel = self.code, self.kernel
        tail = tail_instructions(kernel)
        scalars = kernel.add_scalars(tail, {}, places)
        names = {f.reduction.name for f in self.folds}

        def body(at: Index, step: Step) -> None:
            vectors = Lanes(kernel, step, scalars, places, 1)
            for k, fold in enumerate(self.folds):
                fields = self._load(self._totals(k), fold, code.sub(at, start))
                vectors.values[0][fold.reduction.name] = fold.result(code, fields)
            vectors.run([i for i in tail if i.name not in names])
            vectors.store(self.plan.kernel.stores)

        self._over_vectors(start, end, body)

    def _over_vectors(self, start: Index, end: Index, body: Callable[[Index, Step], None]) -> None:
        """A loop over the vectors of a block, one a step."""
        code, width = self.code, self.plan.lanes
        if self.plan.vector is None:
            body(0, Step(0, 0, 1, None))
            return
        extent = self.plan.vector.extent
        with code.loop(start, end, width) as loop:
            whole = self.unit
            if not (isinstance(extent, int) and extent % width == 0):
                fits = code.test("sle", code.add(loop.index, width), end)
                whole = fits if whole is None else whole & fits
            body(loop.index, Step(loop.index, start, end, whole))
            loop.next()

    def _write_partials(self, row: Index, start: Index, end: Index) -> None:
        """Keep the accumulators of a block, column by column."""
        code, part = self.code, self.part
        if part.partial is None:
            raise InternalError("no place for partial results")
        columns = self.kernel.extent(self.plan.vector.extent) if self.plan.vector else 1
        with code.loop(start, end) as loop:
            all_: list[Fields] = []
            for k, fold in enumerate(self.folds):
                place = code.sub(loop.index, start)
                fields = zip(self._totals(k), fold.types(), strict=True)
                all_.append(tuple(code.load(code.offset(a, place, t), t) for a, t in fields))
            number = code.add(part.partial_base, code.add(code.mul(row, columns), loop.index))
            write_partial(self.kernel, self.folds, part.partial, number, all_)
            loop.next()


_ = element_type
