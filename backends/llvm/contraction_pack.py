"""Packing: a panel of an operand, read through its offset tables and bounds, laid out as a tile wants it.

A panel is `lanes` consecutive points p of one matrix dimension by all points k of a block, stored as panel[k][stride].
It is packed a slot (one vector of lanes) at a time, in one of three ways:

- ALONG_P: p runs through consecutive memory, so a vector is read as it lies (in up to four pieces, masked and joined);
- ALONG_K: k does, so vectors are read along k and transposed in registers;
- BY_ELEMENT: neither.

Lanes past the panel's end hold anything: nothing reads what a tile computes from them. A store may spill past its
slot, into places that are written later, or into the buffer's slack.

Outside an operand's bounds it reads as 0. For every slot and k a class says whether no lane, some or all are outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

from jitcore.backends.llvm.contraction_blocking import Blocking
from jitcore.backends.llvm.contraction_code import Code, Local, Value
from jitcore.backends.llvm.text import LLVMModule

_MOST_PIECES: Final = 4
_SOME_OUTSIDE: Final = 1
_ALL_OUTSIDE: Final = 3


class Way(IntEnum):
    """How an operand is packed."""

    ALONG_P = 0
    ALONG_K = 1
    BY_ELEMENT = 2


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
    CLASSES = 13


def define_packing(module: LLVMModule, shape: Blocking) -> None:
    """`jc_pack_<dtype>(panel, side, first, lanes, stride)` and `jc_choose_way_<dtype>(side, …)`."""
    module.define("jc_zero_element", "@jc_zero_element = internal constant i64 0\n")
    module.define("jc_classify", _classify())
    for bounded in (False, True):
        slot = _Slot(shape, bounded)
        module.define(slot.name, slot.text())
    module.define(f"jc_pack_{shape.suffix}", _pack(shape))
    module.define(f"jc_choose_way_{shape.suffix}", _choose_way(shape))
    if shape.has_masked_loads:
        bits, lanes = shape.dtype.itemsize * 8, shape.lanes
        vector = f"<{lanes} x i{bits}>"
        module.declare(
            f"declare {vector} @llvm.masked.load.v{lanes}i{bits}.p0(ptr, i32 immarg, <{lanes} x i1>, {vector})"
        )


def _choose_way(shape: Blocking) -> str:
    """`jc_choose_way(side, points, runs, k_runs)`: the way with the least work per element, by rough counts.

    Per element, in 64ths of an instruction: a piece of a vector costs two instructions and a store one; a transposed
    block of lanes² elements about 5·lanes; a single element one and a half.
    """
    f = Code(f"jc_choose_way_{shape.suffix}", [("ptr", "side"), ("i64", "points"), ("i64", "runs"), ("i64", "k_runs")])
    points, lanes, k_runs = f.arg("points").max(1), shape.lanes, f.arg("k_runs").max(1)
    k_count = f.word(f.arg("side"), Side.K_COUNT)
    pieces = ((f.arg("runs") - 1).max(0) * lanes).ceil_div(points) + 1
    along_p = f.select(pieces <= _MOST_PIECES, (pieces * 2 + 1) * (64 // lanes), 96)
    along_k = f.constant(5 * 64) // (k_count // k_runs).max(1).min(lanes)
    best = f.select(along_p <= along_k, Way.ALONG_P, Way.ALONG_K)
    cheap = along_p.min(along_k) < 96
    f.set_word(f.arg("side"), Side.WAY, f.select(cheap, best, Way.BY_ELEMENT))
    f.ret()
    return f.text()


def _pack(shape: Blocking) -> str:
    """Slots are packed from the last to the first: what one spills into the next row is written later."""
    params = (("ptr", "panel"), ("ptr", "side"), ("i64", "first"), ("i64", "lanes"), ("i64", "stride"))
    f = Code(f"jc_pack_{shape.suffix}", params)
    slots = f.arg("lanes").ceil_div(shape.lanes)
    bounded = f.word(f.arg("side"), Side.BOUNDS) > 0
    with f.loop(slots) as i:
        start = (slots - 1 - i) * shape.lanes
        place = f.at(f.arg("panel"), start, shape.element)
        lanes = (f.arg("lanes") - start).min(shape.lanes)
        args = (place, f.arg("side"), f.arg("first") + start, lanes, f.arg("stride"))

        def pack_slot(function: str, args: Sequence[Value] = args) -> None:
            f.call("void", function, *args)

        f.if_else(
            bounded,
            lambda: pack_slot(f"jc_pack_slot_bounded_{shape.suffix}"),
            lambda: pack_slot(f"jc_pack_slot_{shape.suffix}"),
        )
    f.ret()
    return f.text()


def _classify() -> str:
    """`jc_classify(side, first, lanes)`: classes[k] for the lanes of a slot, from the extremes of its bounds."""
    f = Code("jc_classify", (("ptr", "side"), ("i64", "first"), ("i64", "lanes")))
    side = f.arg("side")
    classes = f.word(side, Side.CLASSES, "ptr")
    with f.loop(f.word(side, Side.BOUNDS)) as bound:
        p_bounds = f.at(f.word(side, Side.P_BOUNDS, "ptr"), bound * f.word(side, Side.P_BOUNDS_STEP), "i64")
        k_bounds = f.at(f.word(side, Side.K_BOUNDS, "ptr"), bound * f.word(side, Side.K_BOUNDS_STEP), "i64")
        extent = f.word(f.word(side, Side.EXTENTS, "ptr"), bound)
        least, most = (f.var(f.word(p_bounds, f.arg("first"))) for _ in range(2))
        with f.loop(f.arg("lanes"), start=1) as lane:
            here = f.word(p_bounds, f.arg("first") + lane)
            least.set(least.get().min(here))
            most.set(most.get().max(here))
        low, high = least.get(), most.get()
        seen = f.select(bound.equals(0), 0, -1)
        mask = f.op("i8", f"trunc i64 {seen} to i8")
        with f.loop(f.word(side, Side.K_COUNT)) as k:
            at = f.word(k_bounds, k)
            some = (at + low < 0) | (at + high >= extent)
            everything = (at + high < 0) | (at + low >= extent)
            inner = f.select(some, _SOME_OUTSIDE, 0, "i8")
            found = f.select(everything, _ALL_OUTSIDE, inner, "i8")
            place = f.at(classes, k, "i8")
            f.store((f.load("i8", place) & mask) | found, place)
    f.ret()
    return f.text()


class _Slot:
    """Writes `jc_pack_slot[_bounded]_<dtype>(place, side, first, lanes, stride)`."""

    def __init__(self, shape: Blocking, bounded: bool) -> None:
        self.shape, self.bounded = shape, bounded
        self.name = f"jc_pack_slot_{'bounded_' if bounded else ''}{shape.suffix}"
        params = (("ptr", "place"), ("ptr", "side"), ("i64", "first"), ("i64", "lanes"), ("i64", "stride"))
        self.f = f = Code(self.name, params)
        self.lanes = shape.lanes
        self.element = f"i{shape.dtype.itemsize * 8}"
        self.vector = f"<{self.lanes} x {self.element}>"
        self.mask = f"<{self.lanes} x i1>"
        side = f.arg("side")
        self.first = f.arg("first")
        self.source = f.word(side, Side.SOURCE, "ptr")
        self.k_offsets = f.word(side, Side.K_OFFSETS, "ptr")
        self.k_count = f.word(side, Side.K_COUNT)
        self.p_offsets = f.at(f.word(side, Side.P_OFFSETS, "ptr"), self.first, "i64")
        if bounded:
            f.call("void", "jc_classify", side, self.first, f.arg("lanes"))
            self.classes = f.word(side, Side.CLASSES, "ptr")
            self.bounds = f.word(side, Side.BOUNDS)
            self.p_bounds, self.p_step = f.word(side, Side.P_BOUNDS, "ptr"), f.word(side, Side.P_BOUNDS_STEP)
            self.k_bounds, self.k_step = f.word(side, Side.K_BOUNDS, "ptr"), f.word(side, Side.K_BOUNDS_STEP)
            self.extents = f.word(side, Side.EXTENTS, "ptr")

    def text(self) -> str:
        f = self.f
        f.switch(f.word(f.arg("side"), Side.WAY), [self._along_p, self._along_k, self._by_element])
        f.ret()
        return f.text()

    # --- pieces shared by the ways ---

    def _vector_splat(self, scalar: Value) -> Value:
        return self.f.splat(scalar, self.lanes, "i64")

    def _lane_mask(self, start: Value | int, stop: Value) -> Value:
        """Lanes start … stop-1."""
        numbers = f"<{', '.join(f'i64 {i}' for i in range(self.lanes))}>"
        ids = self.f.value(f"<{self.lanes} x i64>", numbers)
        below = self.f.op(self.mask, f"icmp slt {ids.type} {ids}, {self._vector_splat(stop)}")
        if isinstance(start, int):
            return below
        return self.f.op(self.mask, f"icmp sge {ids.type} {ids}, {self._vector_splat(start)}") & below

    def _inside(self, lanes_vary: bool, p: Value, k: Value) -> Value:
        """Which of the lanes at p, p+1, … and k (or at p and k, k+1, …) are within all bounds."""
        f = self.f
        inside = f.var(f"<{', '.join(['i1 true'] * self.lanes)}>", self.mask)
        wide = f"<{self.lanes} x i64>"
        with f.loop(self.bounds) as bound:
            p_place = f.at(f.at(self.p_bounds, bound * self.p_step, "i64"), p, "i64")
            k_place = f.at(f.at(self.k_bounds, bound * self.k_step, "i64"), k, "i64")
            varying, fixed = (p_place, k_place) if lanes_vary else (k_place, p_place)
            position = f.load(wide, varying, 8) + self._vector_splat(f.load("i64", fixed))
            extent = self._vector_splat(f.word(self.extents, bound))
            # as unsigned numbers, negative positions are past any extent
            inside.set(inside.get() & f.op(self.mask, f"icmp ult {wide} {position}, {extent}"))
        return inside.get()

    def _masked_load(self, pointer: Value, mask: Value) -> Value:
        size, kind = self.shape.dtype.itemsize, self.vector
        function = f"@llvm.masked.load.v{self.lanes}{self.element}.p0"
        return self.f.op(
            kind, f"call {kind} {function}(ptr {pointer}, i32 {size}, {mask.type} {mask}, {kind} zeroinitializer)"
        )

    def _put(self, value: Value, k: Value) -> None:
        place = self.f.at(self.f.arg("place"), k * self.f.arg("stride"), self.element)
        self.f.store(value, place, align=self.shape.dtype.itemsize)

    def _column(self, k: Value) -> Value:
        return self.f.at(self.source, self.f.word(self.k_offsets, k), self.element)

    def _for_each_k(self, inside: Callable[[Value], Value], edge: Callable[[Value], Value]) -> None:
        """Stores a vector for every k: that of `inside` where no bound matters, of `edge` where one does."""
        with self.f.loop(self.k_count) as k:
            self._store_k(k, inside, edge)

    def _store_k(self, k: Value, inside: Callable[[Value], Value], edge: Callable[[Value], Value]) -> None:
        f = self.f
        if not self.bounded:
            self._put(inside(k), k)
            return
        found = f.load("i8", f.at(self.classes, k, "i8"))
        zero = f.value(self.vector, "zeroinitializer")
        f.if_else(
            found.equals(0),
            lambda: self._put(inside(k), k),
            lambda: f.if_else(found.equals(_ALL_OUTSIDE), lambda: self._put(zero, k), lambda: self._put(edge(k), k)),
        )

    # --- the ways ---

    def _along_p(self) -> None:
        f = self.f
        lanes, runs = f.arg("lanes"), f.at(f.word(f.arg("side"), Side.P_RUNS, "ptr"), self.first, "i64")
        starts, offsets = f.slot("i64", _MOST_PIECES + 1), f.slot("i64", _MOST_PIECES)
        pieces, lane = f.var(0), f.var(0)
        with f.while_(lambda: (lane.get() < lanes) & (pieces.get() < _MOST_PIECES)):
            at = lane.get()
            f.set_word(starts, pieces.get(), at)
            f.set_word(offsets, pieces.get(), f.word(self.p_offsets, at) - at)
            pieces.set(pieces.get() + 1)
            lane.set(at + f.word(runs, at).min(lanes - at))
            f.set_word(starts, pieces.get(), lane.get())
        whole = pieces.get().equals(1) & lanes.equals(self.lanes)
        too_many = lane.get() < lanes
        if not self.shape.has_masked_loads:
            f.if_else(whole, lambda: self._whole(offsets), self._by_element)
            return
        several: list[Callable[[], None]] = [
            lambda: self._whole(offsets),
            *((lambda n=n: self._pieces(n, starts, offsets)) for n in range(1, _MOST_PIECES + 1)),
            self._by_element,
        ]
        f.switch(f.select(too_many, _MOST_PIECES + 1, f.select(whole, 0, pieces.get())), several)

    def _whole(self, offsets: Value) -> None:
        offset = self.f.word(offsets, 0)

        def inside(k: Value) -> Value:
            return self.f.load(self.vector, self.f.at(self._column(k), offset, self.element), self.shape.dtype.itemsize)

        if self.shape.has_masked_loads:

            def edge(k: Value) -> Value:
                place = self.f.at(self._column(k), offset, self.element)
                return self._masked_load(place, self._inside(True, self.first, k))

            self._for_each_k(inside, edge)
        else:
            self._for_each_k(inside, self._elements(self._lane_offsets(), checked=True))

    def _pieces(self, count: int, starts: Value, offsets: Value) -> None:
        f = self.f
        masks = [self._lane_mask(f.word(starts, i), f.word(starts, i + 1)) for i in range(count)]
        shifts = [f.word(offsets, i) for i in range(count)]

        def joined(k: Value, within: Value | None) -> Value:
            column = self._column(k)
            total: Value | None = None
            for mask, shift in zip(masks, shifts, strict=True):
                part = self._masked_load(f.at(column, shift, self.element), mask if within is None else mask & within)
                total = part if total is None else total | part
            assert total is not None
            return total

        self._for_each_k(lambda k: joined(k, None), lambda k: joined(k, self._inside(True, self.first, k)))

    def _lane_offsets(self) -> list[Value]:
        """The offset of every lane; lanes past the panel repeat the last."""
        last = self.f.arg("lanes") - 1
        return [self.f.word(self.p_offsets, last.min(i)) for i in range(self.lanes)]

    def _elements(self, offsets: Sequence[Value], checked: bool) -> Callable[[Value], Value]:
        """A vector put together from single elements."""
        f = self.f
        present = self._lane_mask(0, f.arg("lanes"))

        def gather(k: Value) -> Value:
            column = self._column(k)
            within = self._inside(True, self.first, k) & present if checked and self.bounded else None
            value = f.value(self.vector, "zeroinitializer")
            for i, offset in enumerate(offsets):
                place = f.at(column, offset, self.element)
                if within is not None:
                    valid = f.op("i1", f"extractelement {within.type} {within}, i64 {i}")
                    place = f.op("ptr", f"select i1 {valid}, ptr {place}, ptr @jc_zero_element")
                loaded = f.load(self.element, place)
                value = f.op(self.vector, f"insertelement {self.vector} {value}, {self.element} {loaded}, i64 {i}")
            return value

        return gather

    def _by_element(self) -> None:
        offsets = self._lane_offsets()
        self._for_each_k(self._elements(offsets, checked=False), self._elements(offsets, checked=True))

    def _along_k(self) -> None:
        f = self.f
        runs = f.word(f.arg("side"), Side.K_RUNS, "ptr")
        offsets = self._lane_offsets()
        rows = f.slot(self.vector, self.lanes, 64)
        k = f.var(0)
        with f.while_(lambda: k.get() < self.k_count):
            here = k.get()
            length = f.word(runs, here).min(self.k_count - here).min(self.lanes)
            plain = length.equals(self.lanes)
            if self.bounded:
                classes = f.load(f"i{8 * self.lanes}", f.at(self.classes, here, "i8"), 1)
                plain = plain & classes.equals(0)
            f.if_else(
                plain,
                lambda here=here: self._transposed_block(here, offsets, k),
                lambda here=here, length=length: self._short_block(here, length, rows, offsets, k),
            )

    def _transposed_block(self, k: Value, offsets: Sequence[Value], cursor: Local) -> None:
        f, size = self.f, self.shape.dtype.itemsize
        column = self._column(k)
        rows = [f.load(self.vector, f.at(column, offset, self.element), size) for offset in offsets]
        for i, value in enumerate(transpose(f, rows, self.vector, size)):
            self._put(value, k + i)
        cursor.set(k + self.lanes)

    def _short_block(self, k: Value, length: Value, rows: Value, offsets: Sequence[Value], cursor: Local) -> None:
        """A block cut short by the end of a run, or with elements out of bounds. Its rows past `length` spill."""
        f, size = self.f, self.shape.dtype.itemsize
        if not self.shape.has_masked_loads:
            self._store_k(k, self._elements(offsets, checked=False), self._elements(offsets, checked=True))
            cursor.set(k + 1)
            return
        column, cut = self._column(k), self._lane_mask(0, length)
        last = f.arg("lanes") - 1
        with f.loop(self.lanes) as lane:
            p = lane.min(last)
            mask = cut & self._inside(False, self.first + p, k) if self.bounded else cut
            row = self._masked_load(f.at(column, f.word(self.p_offsets, p), self.element), mask)
            f.store(row, f.at(rows, lane, self.vector), align=self.lanes * size)
        loaded = [f.load(self.vector, f.at(rows, i, self.vector), self.lanes * size) for i in range(self.lanes)]
        for i, value in enumerate(transpose(f, loaded, self.vector, size)):
            self._put(value, k + i)
        cursor.set(k + length)


def transpose(f: Code, rows: Sequence[Value], vector: str, size: int) -> list[Value]:
    """The transposed square of vectors: first within groups of 16 bytes, then the groups, as x86 shuffles do it."""
    lanes, group = len(rows), 16 // size

    def shuffle(a: Value, b: Value, pick: Callable[[int], int]) -> Value:
        mask = ", ".join(f"i32 {pick(i)}" for i in range(lanes))
        return f.op(vector, f"shufflevector {vector} {a}, {vector} {b}, <{lanes} x i32> <{mask}>")

    def unpack(a: Value, b: Value, width: int, high: bool) -> Value:
        """Interleaves the low (high) halves of each group, in units of `width` lanes."""

        def pick(i: int) -> int:
            unit, within = i % group // width, i % width
            source = i - i % group + (group // 2 if high else 0) + unit // 2 * width + within
            return source + (lanes if unit % 2 else 0)

        return shuffle(a, b, pick)

    def unpack_pairs(values: list[Value], distance: int, width: int) -> list[Value]:
        out: list[Value] = list(values)
        for i in range(lanes):
            if i % (2 * distance) < distance:
                out[i] = unpack(values[i], values[i + distance], width, False)
                out[i + distance] = unpack(values[i], values[i + distance], width, True)
        return out

    if group == 2:
        current = unpack_pairs(list(rows), 1, 1)
    else:
        # [a0 b0 a1 b1] and [a2 b2 a3 b3] of neighbours, then pairs of those
        first = unpack_pairs(list(rows), 1, 1)
        second = unpack_pairs(first, 2, 2)
        current = [second[i - i % 4 + (0, 2, 1, 3)[i % 4]] for i in range(lanes)]
    distance = group
    while distance < lanes:
        out = list(current)
        for i in range(lanes):
            if i % (2 * distance) < distance:
                a, b, d = current[i], current[i + distance], distance
                out[i] = shuffle(a, b, lambda c, d=d: c if c % (2 * d) < d else lanes + c - d)
                out[i + distance] = shuffle(a, b, lambda c, d=d: c + d if c % (2 * d) < d else lanes + c)
        current = out
        distance *= 2
    return current
