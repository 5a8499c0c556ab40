"""Arrays on their way between the host's memory and that of the program, where these are two: arguments are mirrored,
results fetched, what host calls get is copied out and back.

    def f(x: ref[f32[4]]):          x' = mirror(x); transfer(x -> x')
        x[...] = x + 1      →       launch(add, x')
        return x                    transfer(x' -> x); fetch(x') is x
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from jitcore.kernel.build import ArrayLayout
from jitcore.passes.plan.trying import match
from jitcore.passes.plan.values import BORROWED_FOR_GOOD, NO_ROOTS, ArrayValue, Holding, Roots
from jitcore.program.nodes import (
    BLOCK_HEADER_BYTES,
    HOST,
    Alloc,
    BlockData,
    Fetch,
    Imm,
    Mirror,
    Offset,
    Operand,
    Release,
    Rethrow,
    Transfer,
    Try,
)
from jitcore.types import Dim, i64

if TYPE_CHECKING:
    from jitcore.passes.plan.planner import Planner


def transfer(p: Planner, target: ArrayValue, source: ArrayValue, *, inwards: bool) -> None:
    """Copy the elements of an array to one of the same extents in the other memory."""
    assert target.data is not None
    assert source.data is not None
    size = source.dtype.itemsize
    strides = [tuple(p.code.number(s * size) for s in v.layout.strides) for v in (target, source)]
    shape = tuple(map(p.code.number, source.layout.shape))
    p.code.emit(Transfer(target.data, strides[0], source.data, strides[1], shape, size, inwards))


class Mirrors:
    """The arrays that a program was given, and their mirrors, which live until it ends."""

    def __init__(self, p: Planner) -> None:
        self.p = p
        self._owners: list[Operand] = []
        self._places: list[tuple[ArrayValue, ArrayValue]] = []

    def receive(self, roots: Roots, layout: ArrayLayout, data: Operand, held: Operand) -> ArrayValue:
        """The mirror of an argument: its strides are the argument's, so that what is at one distance from the
        beginning in the one is in the other."""
        p = self.p
        first, size = _span(p, layout)
        owner, base = p.code.register("owner", None), p.code.register("data", None)
        p.code.emit(Mirror(owner, p.code.offset(data, first, 1), held, size))
        p.code.emit(BlockData(base, owner))
        self._owners.append(owner)
        mirror = ArrayValue(layout, p.code.offset(base, -first, 1), Holding(owner, None), roots)
        given = ArrayValue(layout, data, BORROWED_FOR_GOOD)
        transfer(p, mirror, given, inwards=True)
        if roots != NO_ROOTS:
            self._places.append((given, mirror))
        return mirror

    def write_back(self) -> None:
        """Give the arguments that are places what their mirrors hold."""
        for given, mirror in self._places:
            transfer(self.p, given, mirror, inwards=False)

    def around(self, body: Callable[[], None]) -> None:
        """Write what `body` writes, which begins to use the mirrors; what it did to places is seen outside even if it
        ends in an exception."""
        p = self.p
        if not self._places:
            body()
        else:
            with p.code.block() as scope:
                body()
                tried = p.code.finish(scope)
            with p.code.block() as scope:
                self.write_back()
                p.code.emit(Rethrow())
                handler = p.code.finish(scope)
            names = (("BaseException",),)
            matchers = tuple(match(p, n) for n in names)
            p.code.emit(Try(tried, (handler,), names, matchers, p.site("Exception")))
        for owner in self._owners:
            p.code.emit(Release(owner))


def _span(p: Planner, layout: ArrayLayout) -> tuple[Dim, Operand]:
    """The bytes from the lowest element to the end of the highest: where they begin, from the first element, and how
    many they are."""
    size = layout.dtype.itemsize
    if layout.is_contiguous:
        total: Dim = size
        for extent in layout.shape:
            total = total * extent
        return 0, p.code.number(total)
    zero = Imm(0, i64)
    low: Operand = zero
    high: Operand = zero
    for extent, stride in zip(layout.shape, layout.strides, strict=True):
        last = p.code.compute("max", i64, p.code.compute("sub", i64, p.code.number(extent), Imm(1, i64)), zero)
        reach = p.code.compute("mul", i64, last, p.code.number(stride * size))
        low = p.code.compute("add", i64, low, p.code.compute("min", i64, reach, zero))
        high = p.code.compute("add", i64, high, p.code.compute("max", i64, reach, zero))
    bytes_ = p.code.compute("add", i64, p.code.compute("sub", i64, high, low), Imm(size, i64))
    return p.code.dimension(low), bytes_


def received(p: Planner, layout: ArrayLayout, data: Operand, owner: Operand) -> ArrayValue:
    """What a host call gave, a block of the host's, in the program's memory."""
    made = p.allocate(layout.dtype, layout.shape)
    transfer(p, made, ArrayValue(layout, data, BORROWED_FOR_GOOD), inwards=True)
    p.code.emit(Release(owner))
    return made


def fetched(p: Planner, value: ArrayValue) -> ArrayValue:
    """A result as the host has it."""
    assert value.data is not None
    found, held = p.code.register("found", None), p.code.register("held", None)
    p.code.emit(Fetch(found, held, value.data))
    return ArrayValue(value.layout, found, Holding(held, None))


class Lent:
    """Copies of arrays, in the host's memory, for a host call."""

    def __init__(self, p: Planner) -> None:
        self.p = p
        self._copies: list[tuple[ArrayValue, ArrayValue]] = []

    def lend(self, value: ArrayValue) -> ArrayValue:
        """The copy of an array."""
        p = self.p
        layout = ArrayLayout.contiguous(value.dtype, value.layout.shape)
        owner, data = p.code.register("owner", None), p.code.register("data", None)
        p.code.emit(Alloc(owner, p.bytes_of(value.dtype, layout.shape), memory=HOST))
        p.code.emit(Offset(data, owner, Imm(BLOCK_HEADER_BYTES, i64)))
        copy = ArrayValue(layout, data, Holding(owner, None))
        transfer(p, copy, value, inwards=False)
        self._copies.append((copy, value))
        return copy

    def give_back(self) -> None:
        """After the call: what it wrote to places is theirs."""
        for copy, value in self._copies:
            if value.roots != NO_ROOTS:
                transfer(self.p, value, copy, inwards=True)
            self.p.code.emit(Release(copy.holding.owner))
