"""Packing: a panel of an operand, read through its offset tables and bounds, laid out as a tile wants it.

A panel is `lanes` consecutive points p of one matrix dimension by all points k of a block, stored as panel[k][stride].
It is packed a slot (one vector of lanes) at a time, in one of three ways:

- ALONG_P: p runs through consecutive memory, so a vector is read as it lies (in up to four pieces, masked and joined);
- ALONG_K: k does, so vectors are read along k and transposed in registers;
- BY_ELEMENT: neither.

Lanes past the panel's end hold anything: nothing reads what a tile computes from them. A store may spill past its
slot, into places that are written later, or into the buffer's slack.

Outside an operand's bounds it reads as 0. What is inside is found for a slot at a time: a mask for each k of a period,
or, along k, whether any lane is outside.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from enum import IntEnum
from typing import Final

from jitcore.backends.llvm.contraction.blocking import Blocking
from jitcore.backends.llvm.contraction.bounds import classify, lane_mask, make_masks
from jitcore.backends.llvm.contraction.code import Code, Local, Value
from jitcore.backends.llvm.contraction.job import Side
from jitcore.backends.native.ir.text import LLVMModule

_MOST_PIECES: Final = 4


class Way(IntEnum):
    """How an operand is packed."""

    ALONG_P = 0
    ALONG_K = 1
    BY_ELEMENT = 2


_SLOT: Final = (("ptr", "place"), ("ptr", "side"), ("i64", "first"), ("i64", "lanes"), ("i64", "stride"))


def define_packing(module: LLVMModule, shape: Blocking) -> None:
    """`jc_pack_<dtype>(panel, side, first, lanes, stride)` and `jc_choose_way_<dtype>(side, …)`.

    `jc_pack_bounded_<dtype>` must be the address of what `define_bounded_packing` defines, if operands have bounds.
    """
    module.define(f"jc_transpose_{shape.suffix}", _transpose(shape))
    name = f"jc_pack_bounded_{shape.suffix}"
    module.define(name, f"@{name} = global ptr null\n")
    _define_slots(module, shape, bounded=False)
    module.define(f"jc_pack_{shape.suffix}", _pack(shape))
    module.define(f"jc_choose_way_{shape.suffix}", _choose_way(shape))


def define_bounded_packing(module: LLVMModule, shape: Blocking) -> None:
    """`jc_pack_slot_bounded_<dtype>(place, side, first, lanes, stride)`, which needs `jc_pack_slot_<dtype>` and
    `jc_transpose_<dtype>` from outside: what only operands with bounds need, such as padded images."""
    module.define("jc_zero_element", "@jc_zero_element = internal constant i64 0\n")
    module.define("jc_classify", classify())
    module.define(f"jc_make_masks_{shape.suffix}", make_masks(shape))
    module.declare(f"declare void @jc_pack_slot_{shape.suffix}({', '.join(t for t, _ in _SLOT)})")
    module.declare(f"declare void @jc_transpose_{shape.suffix}(ptr, i64, ptr, ptr)")
    _define_slots(module, shape, bounded=True)


def _define_slots(module: LLVMModule, shape: Blocking, bounded: bool) -> None:
    steps = ", ".join(f"i64 {i * shape.lanes}" for i in range(shape.lanes))
    rows = f"jc_rows_{shape.suffix}"
    module.define(rows, f"@{rows} = internal constant [{shape.lanes} x i64] [{steps}]\n")
    for elements in (True, False):
        slot = _Slot(shape, bounded, elements)
        module.define(slot.name, slot.text())
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
    run = (k_count // k_runs).max(1)
    along_k = run.ceil_div(lanes) * (5 * 64) // run
    best = f.select(along_p <= along_k, Way.ALONG_P, Way.ALONG_K)
    cheap = along_p.min(along_k) < 96
    f.set_word(f.arg("side"), Side.WAY, f.select(cheap, best, Way.BY_ELEMENT))
    f.ret()
    return f.text()


def _transpose(shape: Blocking) -> str:
    """`jc_transpose(place, stride, source, offsets)`: a square of vectors, from those at the offsets to rows of the
    panel.

    A function, since LLVM takes long over its shuffles: it is called for the squares of both kinds, whether they have
    bounds or not.
    """
    params = (("ptr", "place"), ("i64", "stride"), ("ptr", "source"), ("ptr", "offsets"))
    f = Code(f"jc_transpose_{shape.suffix}", params, linkage="")
    element = f"i{shape.dtype.itemsize * 8}"
    vector = f"<{shape.lanes} x {element}>"
    places = (f.at(f.arg("source"), f.word(f.arg("offsets"), i), element) for i in range(shape.lanes))
    rows = [f.load(vector, place, shape.dtype.itemsize) for place in places]
    place = f.arg("place")
    for i, value in enumerate(transpose(f, rows, vector, shape.dtype.itemsize)):
        place = f.at(place, f.arg("stride"), element) if i else place
        f.store(value, place, align=shape.dtype.itemsize)
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

        def pack_slot(function: str | Value, args: Sequence[Value] = args) -> None:
            f.call("void", function, *args)

        def pack_bounded() -> None:
            pack_slot(f.word(f.value("ptr", f"@jc_pack_bounded_{shape.suffix}"), 0, "ptr"))

        f.if_else(bounded, pack_bounded, lambda: pack_slot(f"jc_pack_slot_{shape.suffix}"))
    f.ret()
    return f.text()


class _Slot:
    """Writes `jc_pack_slot[_bounded]_<dtype>(place, side, first, lanes, stride)`, or with `elements` the function that
    it calls for what is packed element by element, `jc_pack_elements[_bounded]_<dtype>`. Those for bounds leave slots
    within all bounds to the others."""

    def __init__(self, shape: Blocking, bounded: bool, elements: bool) -> None:
        self.shape, self.bounded, self.elements = shape, bounded, elements
        self.kind = f"{'bounded_' if bounded else ''}{shape.suffix}"
        self.name = f"jc_pack_{'elements' if elements else 'slot'}_{self.kind}"
        self.f = f = Code(self.name, _SLOT, linkage="internal" if elements else "")
        self.size, self.lanes = shape.dtype.itemsize, shape.lanes
        self.element = f"i{self.size * 8}"
        self.vector = f"<{self.lanes} x {self.element}>"
        self.flags = f"<{self.lanes} x i1>"
        self.side, self.first, self.present = f.arg("side"), f.arg("first"), f.arg("lanes")
        self.source = f.word(self.side, Side.SOURCE, "ptr")
        self.k_offsets = f.word(self.side, Side.K_OFFSETS, "ptr")
        self.k_count = f.word(self.side, Side.K_COUNT)
        self.p_offsets = f.at(f.word(self.side, Side.P_OFFSETS, "ptr"), self.first, "i64")

    def text(self) -> str:
        f = self.f
        if self.elements:
            offsets = self._lane_offsets()
            self._for_each_k(lambda k: self._gathered(offsets, k), self._checked(offsets))
        elif self.bounded:
            f.if_else(f.word(self.side, Side.WAY).equals(Way.ALONG_K), self._along_k, self._by_masks)
        else:
            f.switch(f.word(self.side, Side.WAY), [self._along_p, self._along_k, self._by_element])
        f.ret()
        return f.text()

    def _by_masks(self) -> None:
        """Make the masks of a slot, and pack it by them if they leave something out."""
        f, suffix = self.f, self.shape.suffix
        matters = f.call("i64", f"jc_make_masks_{suffix}", self.side, self.first, self.present)

        def edges() -> None:
            f.if_else(f.word(self.side, Side.WAY).equals(Way.ALONG_P), self._along_p, self._by_element)

        f.if_else(matters.equals(0), lambda: self._call(f"jc_pack_slot_{suffix}"), edges)

    def _call(self, function: str) -> None:
        """Another function that packs this slot."""
        self.f.call("void", function, *map(self.f.arg, ("place", "side", "first", "lanes", "stride")))

    # --- pieces shared by the ways ---

    def _masked_load(self, pointer: Value, mask: Value) -> Value:
        function = f"@llvm.masked.load.v{self.lanes}{self.element}.p0"
        arguments = f"ptr {pointer}, i32 {self.size}, {mask.type} {mask}, {self.vector} zeroinitializer"
        return self.f.op(self.vector, f"call {self.vector} {function}({arguments})")

    def _put(self, value: Value, k: Value) -> None:
        place = self.f.at(self.f.arg("place"), k * self.f.arg("stride"), self.element)
        self.f.store(value, place, align=self.size)

    def _column(self, k: Value) -> Value:
        return self.f.at(self.source, self.f.word(self.k_offsets, k), self.element)

    def _flags_of(self, mask: Value) -> Value:
        return self.f.op(self.flags, f"icmp slt {self.vector} {mask}, zeroinitializer")

    def _for_each_k(self, inside: Callable[[Value], Value], edge: Callable[[Value, Value], Value]) -> None:
        """Stores a vector for every k: that of `inside` where there are no bounds, else that of `edge`, which is given
        the mask too."""
        f = self.f
        if not self.bounded:
            with f.loop(self.k_count) as k:
                self._put(inside(k), k)
            return
        masks, period = f.word(self.side, Side.MASKS, "ptr"), f.word(self.side, Side.PERIOD)
        with f.loop(self.k_count, step=period) as start, f.loop((self.k_count - start).min(period)) as i:
            self._put(edge(start + i, f.load(self.vector, f.at(masks, i, self.vector))), start + i)

    # --- the ways ---

    def _along_p(self) -> None:
        f, lanes = self.f, self.present
        runs = f.at(f.word(self.side, Side.P_RUNS, "ptr"), self.first, "i64")
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
        if not self.shape.has_masked_loads:
            f.if_else(whole, lambda: self._whole(offsets), self._by_element)
            return
        several: list[Callable[[], None]] = [
            lambda: self._whole(offsets),
            *((lambda n=n: self._pieces(n, starts, offsets)) for n in range(1, _MOST_PIECES + 1)),
            self._by_element,
        ]
        too_many = lane.get() < lanes
        f.switch(f.select(too_many, _MOST_PIECES + 1, f.select(whole, 0, pieces.get())), several)

    def _whole(self, offsets: Value) -> None:
        f, offset = self.f, self.f.word(offsets, 0)

        def inside(k: Value) -> Value:
            return f.load(self.vector, f.at(self._column(k), offset, self.element), self.size)

        def edge(k: Value, mask: Value) -> Value:
            return self._masked_load(f.at(self._column(k), offset, self.element), self._flags_of(mask))

        self._for_each_k(inside, edge if self.shape.has_masked_loads else self._checked(self._lane_offsets()))

    def _pieces(self, count: int, starts: Value, offsets: Value) -> None:
        f = self.f
        cuts = [lane_mask(f, self.lanes, f.word(starts, i), f.word(starts, i + 1)) for i in range(count)]
        masks = [f.op(self.vector, f"sext {self.flags} {cut} to {self.vector}") for cut in cuts]
        shifts = [f.word(offsets, i) for i in range(count)]

        def joined(k: Value, within: Value | None) -> Value:
            column = self._column(k)
            total: Value | None = None
            for mask, shift in zip(masks, shifts, strict=True):
                part = self._flags_of(mask if within is None else mask & within)
                loaded = self._masked_load(f.at(column, shift, self.element), part)
                total = loaded if total is None else total | loaded
            assert total is not None
            return total

        self._for_each_k(lambda k: joined(k, None), joined)

    def _lane_offsets(self) -> list[Value]:
        """The offset of every lane; lanes past the panel repeat the last."""
        last = self.present - 1
        return [self.f.word(self.p_offsets, last.min(i)) for i in range(self.lanes)]

    def _gathered(self, offsets: Sequence[Value], k: Value, mask: Value | None = None) -> Value:
        """A vector put together from single elements."""
        f, column = self.f, self._column(k)
        value = f.value(self.vector, "zeroinitializer")
        for i, offset in enumerate(offsets):
            place = f.at(column, offset, self.element)
            if mask is not None:
                valid = f.op(self.element, f"extractelement {self.vector} {mask}, i64 {i}").differs(0)
                place = f.select_pointer(valid, place, f.value("ptr", "@jc_zero_element"))
            loaded = f.load(self.element, place)
            value = f.op(self.vector, f"insertelement {self.vector} {value}, {self.element} {loaded}, i64 {i}")
        return value

    def _checked(self, offsets: Sequence[Value]) -> Callable[[Value, Value], Value]:
        return lambda k, mask: self._gathered(offsets, k, mask)

    def _by_element(self) -> None:
        self._call(f"jc_pack_elements_{self.kind}")

    def _along_k(self) -> None:
        f = self.f
        runs, offsets = f.word(self.side, Side.K_RUNS, "ptr"), self._lane_offsets()
        rows, table = f.slot(self.vector, self.lanes, 64), f.slot("i64", self.lanes)
        for i, offset in enumerate(offsets):
            f.set_word(table, i, offset)
        if self.bounded:
            f.call("void", "jc_classify", self.side, self.first, self.present)
        cursor = f.var(0)
        with f.while_(lambda: cursor.get() < self.k_count):
            k = cursor.get()
            length = f.word(runs, k).min(self.k_count - k).min(self.lanes)
            # what is left of a run longer than a vector is read with what came before
            earlier = (k + length - self.lanes).max(0)
            whole = f.word(runs, earlier) >= self.lanes
            plain = whole & (k + length >= self.lanes)
            if self.bounded:
                classes = f.at(f.word(self.side, Side.CLASSES, "ptr"), earlier, "i8")
                plain = plain & f.load(f"i{8 * self.lanes}", classes, 1).equals(0)
            step = f.var(length)

            def block(k: Value = earlier) -> None:
                self._put_transposed(self._column(k), table, k)

            def cut_block(k: Value = k, length: Value = length, step: Local = step) -> None:
                step.set(self._cut_block(k, length, rows, offsets))

            f.if_else(plain, block, cut_block)
            cursor.set(k + step.get())

    def _put_transposed(self, source: Value, offsets: Value, k: Value) -> None:
        f, stride = self.f, self.f.arg("stride")
        place = f.at(f.arg("place"), k * stride, self.element)
        f.call("void", f"jc_transpose_{self.shape.suffix}", place, stride, source, offsets)

    def _cut_block(self, k: Value, length: Value, rows: Value, offsets: Sequence[Value]) -> Value | int:
        """A block cut short by the end of a run, or by a bound; its rows past `length` spill. How long it is."""
        f = self.f
        if not self.shape.has_masked_loads:
            mask = None
            if self.bounded:
                inside = self._bounds_at(self.first, k, 0) & lane_mask(f, self.lanes, 0, self.present)
                mask = f.op(self.vector, f"sext {self.flags} {inside} to {self.vector}")
            self._put(self._gathered(offsets, k, mask), k)
            return 1
        column, last = self._column(k), self.present - 1
        cut = f.op(self.vector, f"sext {self.flags} {lane_mask(f, self.lanes, 0, length)} to {self.vector}")
        with f.loop(self.lanes) as lane:
            p = lane.min(last)
            mask = self._flags_of(cut)
            if self.bounded:
                mask = mask & self._bounds_at(self.first + p, k, 1)
            row = self._masked_load(f.at(column, f.word(self.p_offsets, p), self.element), mask)
            f.store(row, f.at(rows, lane, self.vector))
        self._put_transposed(rows, f.value("ptr", f"@jc_rows_{self.shape.suffix}"), k)
        return length

    def _bounds_at(self, p: Value, k: Value, varies: int) -> Value:
        """Which lanes are inside all bounds, where p (varies = 0) or k (1) counts the lanes."""
        f, wide = self.f, f"<{self.lanes} x i64>"
        inside = f.var(f"<{', '.join(['i1 true'] * self.lanes)}>", self.flags)
        with f.loop(f.word(self.side, Side.BOUNDS)) as bound:
            places = [
                f.at(f.at(f.word(self.side, table, "ptr"), bound * f.word(self.side, step), "i64"), index, "i64")
                for table, step, index in (
                    (Side.P_BOUNDS, Side.P_BOUNDS_STEP, p),
                    (Side.K_BOUNDS, Side.K_BOUNDS_STEP, k),
                )
            ]
            fixed = f.splat(f.load("i64", places[1 - varies]), self.lanes, "i64")
            position = f.load(wide, places[varies], 8) + fixed
            extent = f.splat(f.word(f.word(self.side, Side.EXTENTS, "ptr"), bound), self.lanes, "i64")
            inside.set(inside.get() & f.op(self.flags, f"icmp ult {wide} {position}, {extent}"))
        return inside.get()


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
