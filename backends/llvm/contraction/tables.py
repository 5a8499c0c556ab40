"""Offset tables: an affine index map over several axes, written out for a stretch of consecutive row-major points.

Packing and storing read the tables instead of dividing indices, so they don't care how many axes a matrix dimension
is made of. A run table says for each entry how many consecutive memory elements begin there.
"""

from __future__ import annotations

from typing import Final

from jitcore.backends.llvm.contraction.code import Code, Value
from jitcore.backends.native.ir.text import LLVMModule

MAX_AXES: Final = 64
"""Of one role; NumPy's limit on dimensions."""


def define_tables(module: LLVMModule) -> None:
    """`jc_offset_table`, `jc_run_table` and `jc_extent`."""
    module.define("jc_offset_table", _offset_table())
    module.define("jc_run_table", _run_table())
    module.define("jc_extent", _extent())


def _extent() -> str:
    """`jc_extent(extents, axes)`: the number of points."""
    f = Code("jc_extent", (("ptr", "extents"), ("i64", "axes")), "i64")
    total = f.var(1)
    with f.loop(f.arg("axes")) as i:
        total.set(total.get() * f.word(f.arg("extents"), i))
    f.ret(total.get())
    return f.text()


def _offset_table() -> str:
    """`jc_offset_table(extents, axes, coefficients, base, start, count, table)`.

    table[i] = base + sum(coefficient * index) at the point numbered start + i.
    """
    params = (("ptr", "extents"), ("i64", "axes"), ("ptr", "coefficients"), ("i64", "base"))
    f = Code("jc_offset_table", (*params, ("i64", "start"), ("i64", "count"), ("ptr", "table")))
    extents, coefficients, count, table = (f.arg(n) for n in ("extents", "coefficients", "count", "table"))
    index = f.slot("i64", MAX_AXES)
    outer = f.var(f.arg("axes") - 1)
    with f.if_((outer.get() < 0) & (count > 0)):  # no axes: a single point
        f.set_word(table, 0, f.arg("base"))
    with f.if_((outer.get() >= 0) & (count > 0)):
        value, rest = f.var(f.arg("base")), f.var(f.arg("start"))
        last = f.arg("axes") - 1
        with f.loop(f.arg("axes")) as i:
            axis = last - i
            extent = f.word(extents, axis)
            position = f.select(axis.equals(0), rest.get(), rest.get() % extent)
            rest.set(rest.get() // extent)
            f.set_word(index, axis, position)
            value.set(value.get() + position * f.word(coefficients, axis))
        inner, step = f.word(extents, last), f.word(coefficients, last)
        done = f.var(0)
        with f.while_(lambda: done.get() < count):
            position = f.word(index, last)
            run = (inner - position).min(count - done.get())
            first, here = value.get(), f.at(table, done.get(), "i64")
            fill_linear(f, here, run, first, step)
            done.set(done.get() + run)
            # carry into the axes outside
            value.set(first - position * step)
            f.set_word(index, last, 0)
            outer.set(last - 1)
            with f.while_(lambda: outer.get() >= 0):
                axis = outer.get()
                moved = f.word(index, axis) + 1
                wraps = moved.equals(f.word(extents, axis))
                stride = f.word(coefficients, axis)
                f.set_word(index, axis, f.select(wraps, 0, moved))
                back = f.select(wraps, stride * (moved - 1), 0)
                value.set(value.get() + f.select(wraps, 0, stride) - back)
                outer.set(f.select(wraps, axis - 1, -1))
    f.ret()
    return f.text()


def _run_table() -> str:
    """`jc_run_table(extents, axes, coefficients, start, offsets, count, runs)`: the lengths of the runs in the table
    that `jc_offset_table` made of the same arguments; returns how many runs there are.

    From the end on, by stretches along the innermost axis; a run may go on from one stretch to the next.
    """
    params = (("ptr", "extents"), ("i64", "axes"), ("ptr", "coefficients"), ("i64", "start"))
    f = Code("jc_run_table", (*params, ("ptr", "offsets"), ("i64", "count"), ("ptr", "runs")), "i64")
    offsets, count, runs = f.arg("offsets"), f.arg("count"), f.arg("runs")
    last = f.arg("axes") - 1
    scalar = last < 0
    inner = f.select(scalar, 1, f.word(f.select_pointer(scalar, offsets, f.at(f.arg("extents"), last, "i64")), 0))
    step = f.select(scalar, 1, f.word(f.select_pointer(scalar, offsets, f.at(f.arg("coefficients"), last, "i64")), 0))
    number, end = f.var(0), f.var(count)
    length = f.var((f.arg("start") + count - 1).max(0) % inner.max(1) + 1)
    with f.while_(lambda: end.get() > 0):
        stop = end.get()
        size = length.get().min(stop)
        begin = stop - size
        going_on = f.var(0)
        with f.if_(stop < count):
            joined = (f.word(offsets, stop - 1) + 1).equals(f.word(offsets, stop))
            going_on.set(f.select(joined, f.word(runs, stop), 0))
        further = going_on.get()
        here = f.at(runs, begin, "i64")
        consecutive = step.equals(1) | size.equals(1)
        first = f.select(consecutive, size + further, 1)
        fill_linear(f, here, size, first, f.select(consecutive, -1, 0))
        f.set_word(here, size - 1, further + 1)
        number.set(number.get() + f.select(consecutive, 1, size) - f.select(further > 0, 1, 0))
        end.set(begin)
        length.set(inner)
    f.ret(number.get())
    return f.text()


def fill_linear(f: Code, table: Value, count: Value, first: Value, step: Value) -> None:
    """table[i] = first + i * step."""
    lanes = 4
    vector = f"<{lanes} x i64>"
    whole = count // lanes * lanes
    numbers = f.value(vector, f"<{', '.join(f'i64 {i}' for i in range(lanes))}>")
    ramp = f.splat(first, lanes, "i64") + numbers * f.splat(step, lanes, "i64")
    value, advance = f.var(ramp, vector), f.splat(step * lanes, lanes, "i64")
    with f.loop(whole, step=lanes) as i:
        f.store(value.get(), f.at(table, i, "i64"), align=8)
        value.set(value.get() + advance)
    with f.loop(count, start=whole) as i:
        f.set_word(table, i, first + i * step)
