"""Which elements of a panel are within an operand's bounds: masks of lanes, and classes of points."""

from __future__ import annotations

from jitcore.backends.llvm.contraction.blocking import Blocking
from jitcore.backends.llvm.contraction.code import Code, Value
from jitcore.backends.llvm.contraction.job import Side


def classify() -> str:
    """`jc_classify(side, first, lanes)`: classes[k] = 1 if some lane of a slot may be outside, by its extremes."""
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
            outside = (at + low < 0) | (at + high >= extent)
            place = f.at(classes, k, "i8")
            f.store((f.load("i8", place) & mask) | f.op("i8", f"zext i1 {outside} to i8"), place)
    f.ret()
    return f.text()


def make_masks(shape: Blocking) -> str:
    """`jc_make_masks(side, first, lanes) -> i64`: masks[i] for each k of a period, all ones in the lanes inside.

    Returns 0 if no lane of the slot is ever outside.
    """
    f = Code(f"jc_make_masks_{shape.suffix}", (("ptr", "side"), ("i64", "first"), ("i64", "lanes")), "i64")
    side, lanes = f.arg("side"), shape.lanes
    element = f"i{shape.dtype.itemsize * 8}"
    vector, wide, flags = f"<{lanes} x {element}>", f"<{lanes} x i64>", f"<{lanes} x i1>"
    masks = f.word(side, Side.MASKS, "ptr")
    count = f.word(side, Side.PERIOD).min(f.word(side, Side.K_COUNT))
    present = f.op(vector, f"sext {flags} {lane_mask(f, lanes, 0, f.arg('lanes'))} to {vector}")
    kept = f.var(present, vector)
    with f.loop(f.word(side, Side.BOUNDS)) as bound:
        p_bounds = f.at(f.word(side, Side.P_BOUNDS, "ptr"), bound * f.word(side, Side.P_BOUNDS_STEP), "i64")
        k_bounds = f.at(f.word(side, Side.K_BOUNDS, "ptr"), bound * f.word(side, Side.K_BOUNDS_STEP), "i64")
        extent = f.splat(f.word(f.word(side, Side.EXTENTS, "ptr"), bound), lanes, "i64")
        positions = f.load(wide, f.at(p_bounds, f.arg("first"), "i64"), 8)
        is_first = bound.equals(0)
        with f.loop(count) as k:
            position = positions + f.splat(f.word(k_bounds, k), lanes, "i64")
            # as unsigned numbers, negative positions are past any extent
            inside = f.op(flags, f"icmp ult {wide} {position}, {extent}")
            place = f.at(masks, k, vector)
            before = f.op(vector, f"select i1 {is_first}, {vector} {present}, {vector} {f.load(vector, place)}")
            mask = f.op(vector, f"sext {flags} {inside} to {vector}") & before
            f.store(mask, place)
            kept.set(kept.get() & mask)
    lost = f.op(flags, f"icmp ne {vector} {kept.get()}, {present}")
    f.ret(f.op("i64", f"zext i{lanes} {f.op(f'i{lanes}', f'bitcast {flags} {lost} to i{lanes}')} to i64"))
    return f.text()


def lane_mask(f: Code, lanes: int, start: Value | int, stop: Value) -> Value:
    """Lanes start … stop-1."""
    flags, wide = f"<{lanes} x i1>", f"<{lanes} x i64>"
    numbers = f.value(wide, f"<{', '.join(f'i64 {i}' for i in range(lanes))}>")
    below = f.op(flags, f"icmp slt {wide} {numbers}, {f.splat(stop, lanes, 'i64')}")
    if isinstance(start, int):
        return below
    return f.op(flags, f"icmp sge {wide} {numbers}, {f.splat(start, lanes, 'i64')}") & below
