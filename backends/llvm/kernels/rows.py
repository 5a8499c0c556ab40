"""The loops of a FOLD: the vector axis is the innermost reduce axis, accumulators are vectors in registers.

The order of folding is that of `kernels.prepare`: a row of reduce points that does not begin at lane 0 is entered with
its first lanes left out, and a group of vectors that a row leaves unfinished is carried on into the next.
"""

from __future__ import annotations

from collections.abc import Sequence

from jitcore.backends.llvm.kernels.code import KernelCode, Places, Scalars
from jitcore.backends.llvm.kernels.fold import Fields, select_fields
from jitcore.backends.llvm.kernels.lanes import Condition, Lanes, Step, both
from jitcore.backends.llvm.kernels.parts import (
    Part,
    finish_or_keep,
    finish_point,
    folds_of,
    unless_stopped,
    write_partial,
)
from jitcore.backends.llvm.kernels.prepare import GROUP
from jitcore.backends.native.ir.vectors import Index, Vec
from jitcore.source import InternalError

_BLOCK = 1 << 18
"""Points that are folded in a moment: signals are looked for after so many."""


class FoldRows:
    """The vector axis is the innermost reduce axis; accumulators are vectors."""

    def __init__(self, kernel: KernelCode, part: Part, unit: Condition) -> None:
        self.kernel = kernel
        self.code = kernel.code
        self.plan = kernel.plan
        self.part = part
        self.unit = unit
        self.folds = folds_of(kernel.plan.kernel)
        vector = self.plan.vector
        if vector is None:
            raise InternalError("a FOLD without a vector axis")
        self.vector = vector
        self.extent = kernel.extent(vector.extent)
        lanes = self.plan.lanes
        self.group = lanes * GROUP
        self.whole_rows = isinstance(self.extent, int) and self.extent % self.plan.width == 0
        """Rows of the reduce space begin and end with whole steps."""
        points = kernel.count([*self.plan.reduced, vector])
        self.is_brief = isinstance(points, int) and points <= _BLOCK
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
            length = code.max(self.extent, 1)
            first, last = code.div(part.r_lo, length), code.ceil_div(part.r_hi, length)
            with self.kernel.points(first, last, self.plan.reduced, state) as outer:
                here = {**places, **outer.places}
                inner = self.kernel.add_scalars(self.plan.kernel.body, scalars, here, guard)
                start = code.mul(outer.number, self.extent)
                outer.finish(*self._steps(inner, here, start, outer.values))
            state = self.kernel.last_values
        else:
            state = self._steps(scalars, places, 0, state)
        self._finish(number, places, self._totals(state))

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

        def take(number: Index, state: Sequence[Vec]) -> tuple[Vec, ...]:
            step = self._step(number, row, first, last, open_left)
            lanes = Lanes(self.kernel, step, scalars, places)
            lanes.run(self.plan.kernel.body)
            return tuple(self._take(lanes, number, last, state))

        def fold(begin: Index, end: Index, state: Sequence[Vec]) -> tuple[Vec, ...]:
            if isinstance(begin, int) and isinstance(end, int) and begin < end <= begin + width:
                return take(begin, state)
            with code.loop(begin, end, width, tuple(state)) as loop:
                loop.next(*take(loop.index, loop.values))
            return loop.values

        if self.is_brief:
            return fold(begin, last, state)
        with code.loop(begin, last, _BLOCK, tuple(state)) as block:
            end = code.min(code.add(block.index, _BLOCK), last)
            crosses = code.test("ne", code.div(block.index, _BLOCK), code.div(end, _BLOCK))
            block.next(*fold(block.index, unless_stopped(code, crosses, end, block.index), block.values))
        return block.values

    def _step(self, number: Index, row: Index, first: Index, last: Index, open_left: bool) -> Step:
        code, width = self.code, self.plan.width
        fits: Condition = not (isinstance(self.extent, int) and self.extent < width)
        spans = isinstance(last, int) and isinstance(first, int) and (last - first) % width == 0
        if fits and not (spans or self.whole_rows):  # chunks begin and end with whole steps if rows do
            fits = code.test("sle", code.add(number, width), last)
            if open_left:
                fits = fits & code.test("sge", number, first)
        bounds = (code.sub(first, row), code.sub(last, row))
        return Step(code.sub(number, row), *bounds, self.plan.unroll, both(self.unit, fits), open_left)

    def _take(self, lanes: Lanes, number: Index, last: Index, state: Sequence[Vec]) -> list[Vec]:
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

    def _group_ends(self, number: Index, last: Index) -> Vec:
        """Whether a group of vectors is complete after the step that begins with point `number`."""
        code, width = self.code, self.plan.width
        end = code.add(number, width)
        complete = code.test("sle", end, last)
        if self.plan.unroll == GROUP:
            return complete
        place = code.emit("i64", 1, f"and i64 {end}, {self.group - 1}")
        return complete & place.eq(0)

    def _lifted(self, lanes: Lanes, number: Index) -> list[list[Fields]]:
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
        if isinstance(whole, bool):
            return found if whole else self._mended(lanes, found)
        return self._existing(lanes, whole, found)

    def _mended(self, lanes: Lanes, found: list[list[Fields]]) -> list[list[Fields]]:
        """Those of the points that exist, and identities."""
        code = self.code
        masks = [lanes.existing(u) for u in range(self.plan.unroll)]
        return [
            [
                select_fields(code, mask, v, fold.identity(code, self.plan.lanes))
                for mask, v in zip(masks, vectors, strict=True)
            ]
            for fold, vectors in zip(self.folds, found, strict=True)
        ]

    def _existing(self, lanes: Lanes, whole: Vec, found: list[list[Fields]]) -> list[list[Fields]]:
        code = self.code
        before, mend, after = code.label, code.new_label("mend"), code.new_label("folded")
        code.branch(whole, after, mend)
        code.block(mend)
        mended = self._mended(lanes, found)
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
        place = self.code.add(self.part.partial_base, number)
        finish_or_keep(
            self.kernel,
            self.part,
            lambda: finish_point(self.kernel, self.folds, totals, places),
            lambda partial: write_partial(self.kernel, self.folds, partial, place, totals),
        )
