"""What a launch of a kernel costs: floating-point operations, and the bytes it reads and writes at least once.

An operation on floats counts as one, be it an addition or a `tanh`; of complex numbers as two, a product as six.
Bytes are those of the different elements that a launch touches, each once: what comes from memory where nothing is in a
cache.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import prod
from typing import TypeAlias

from jitcore.kernel.nodes import (
    Address,
    AnyKernel,
    Axis,
    Compute,
    Contraction,
    ContractionAxis,
    ContractionOperand,
    Extent,
    Instruction,
    Load,
)
from jitcore.kernel.scalar import OPS
from jitcore.structs import dataclass
from jitcore.types import DType

_COMPLEX_PRODUCT = 6
_Access: TypeAlias = "tuple[str, Address, Sequence[Axis | ContractionAxis]]"
"""A buffer, where it is read or written, and the loops around that."""


@dataclass(frozen=True, slots=True)
class Cost:
    """Floating-point operations, and bytes."""

    flops: int = 0
    read: int = 0
    written: int = 0

    def __add__(self, other: Cost) -> Cost:
        return Cost(self.flops + other.flops, self.read + other.read, self.written + other.written)

    def __mul__(self, times: int) -> Cost:
        return Cost(self.flops * times, self.read * times, self.written * times)


def flops_of(op: str, dtype: DType) -> int:
    """The floating-point operations of a scalar operation that gives a dtype."""
    if dtype.kind not in "fc" or OPS[op].kind != "arithmetic":
        return 0
    return 1 if dtype.kind == "f" else _COMPLEX_PRODUCT if op in ("mul", "div") else 2


def cost_of(kernel: AnyKernel, params: Mapping[str, int]) -> Cost:
    """The cost of a launch with these values of params. Raises KeyError where an extent is needed that is not among
    them."""
    if isinstance(kernel, Contraction):
        return _contraction_cost(kernel, params)
    outer = [a for a in kernel.axes if not a.reduce]
    results = prod(_number(a.extent, params) for a in outer)
    points = results * prod(_number(a.extent, params) for a in kernel.axes if a.reduce)
    flops = points * (_flops(kernel.body) + sum(1 for r in kernel.reductions if r.dtype.kind in "fc"))
    flops += results * _flops(kernel.epilogue)
    sizes = {b.name: b.dtype.itemsize for b in kernel.buffers}
    dtypes = {b.name: b.dtype for b in kernel.buffers}
    flops += results * sum(1 for s in kernel.stores if s.accumulate and dtypes[s.buffer].kind in "fc")
    reads: list[_Access] = [(i.buffer, i.address, kernel.axes) for i in kernel.body if isinstance(i, Load)]
    reads += [(i.buffer, i.address, outer) for i in kernel.epilogue if isinstance(i, Load)]
    reads += [(s.buffer, s.address, outer) for s in kernel.stores if s.accumulate]
    writes: list[_Access] = [(s.buffer, s.address, outer) for s in kernel.stores]
    return Cost(flops, _bytes(reads, sizes, params), _bytes(writes, sizes, params))


def _contraction_cost(c: Contraction, params: Mapping[str, int]) -> Cost:
    def accesses(operand: ContractionOperand, roles: tuple[str, ...]) -> _Access:
        return operand.buffer, operand.address, [a for a in c.axes if a.role in roles]

    flops = 2 * prod(_number(a.extent, params) for a in c.axes)
    sizes = dict.fromkeys((c.a.buffer, c.b.buffer, c.c.buffer), c.dtype.itemsize)
    product = accesses(c.c, ("batch", "m", "n"))
    reads = [accesses(c.a, ("batch", "m", "k")), accesses(c.b, ("batch", "n", "k"))]
    reads += [product] if c.accumulate else []
    return Cost(flops, _bytes(reads, sizes, params), _bytes([product], sizes, params))


def _flops(instructions: Iterable[Instruction]) -> int:
    return sum(flops_of(i.op, i.dtype) for i in instructions if isinstance(i, Compute))


def _number(extent: Extent, params: Mapping[str, int]) -> int:
    return extent if isinstance(extent, int) else params[extent]


def _bytes(accesses: Iterable[_Access], sizes: Mapping[str, int], params: Mapping[str, int]) -> int:
    """The bytes of the different elements that accesses touch. Those of one buffer that lie within each other's reach
    (a stencil's) are counted together."""
    by_buffer: dict[str, list[tuple[int, int, int]]] = {}
    for buffer, address, axes in dict.fromkeys((b, a, tuple(axes)) for b, a, axes in accesses):
        by_buffer.setdefault(buffer, []).append(_reach(address, axes, params))
    total = 0
    for buffer, reaches in by_buffer.items():
        count = sum(count for _, _, count in reaches)
        total += min(count, max(high for _, high, _ in reaches) - min(low for low, _, _ in reaches)) * sizes[buffer]
    return total


def _reach(address: Address, axes: Sequence[Axis | ContractionAxis], params: Mapping[str, int]) -> tuple[int, int, int]:
    """The first element of an access and the one after the last, if its points are all that it goes by, and how many it
    touches at most."""
    extents = {a.name: _number(a.extent, params) for a in axes}
    if not all(extents.values()):
        return 0, 0, 0
    steps = [(_number(c, params), extents[name]) for name, c in address.axes if name in extents]
    count = prod(extent for step, extent in steps if step)
    low = high = _number(address.offset, params)
    for step, extent in steps:
        low, high = low + min(0, step * (extent - 1)), high + max(0, step * (extent - 1))
    if address.values:  # elements that numbers in arrays choose: one a point, anywhere
        return 0, 1 << 62, prod(extents.values())
    return low, high + 1, count
