"""Kernels made simpler before they are lowered: axes of extent 1 dropped, neighbouring axes joined, short reductions
written out. The meaning stays, bit for bit.

**The order of a sum.** Floating-point sums and products are folded in an order that depends on the number of points
reduced and the CPU's vectors alone, neither on strides nor on how axes are joined, so that the same numbers give the
same bits whatever their layout. With L lanes (a vector register of the accumulator's type), point r, counted row-major
over the reduce axes, belongs to lane r mod L of vector r div L. GROUP vectors in a row are added up in order, the
groups' sums are added up in order, then lane l and lane l + L/2 are added, and so on by halves. Points that do not
exist count as the operation's identity, which changes no number. See `kernels.parts` for how huge reductions are cut.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import prod
from typing import Final

from jitcore.backends.llvm.math.functions import FUNCTIONS
from jitcore.backends.native.ir.target import Target
from jitcore.kernel.nodes import (
    Address,
    Axis,
    Compute,
    Constant,
    Extent,
    Instruction,
    Kernel,
    Load,
    ReadAxis,
    Reduction,
)
from jitcore.structs import dataclass, replace
from jitcore.types import DType, bool_, f16, f32, i64

GROUP: Final = 4
_MAX_UNROLLED: Final = 64
"""Instructions a short reduction may become."""


_ONLY_AXIS: Final = "i"


@dataclass(frozen=True, slots=True)
class Product:
    """An extent known at run time only: the product of others."""

    name: str
    factors: tuple[Extent, Extent]


@dataclass(frozen=True, slots=True)
class Prepared:
    """A simplified kernel, and the extents it names that are no params of the kernel's."""

    kernel: Kernel
    products: tuple[Product, ...] = ()


def prepare(kernel: Kernel, target: Target) -> Prepared:
    """`kernel`, simplified."""
    kernel = _drop_unit_axes(kernel)
    kernel = _unroll(kernel, target)
    return _join_axes(kernel)


def accumulator(dtype: DType) -> DType:
    """The dtype a reduction that gives `dtype` is folded in."""
    return f32 if dtype is f16 else dtype


def sum_lanes(dtype: DType, target: Target) -> int:
    """The number of lanes in the order of a sum of `dtype`."""
    wide = accumulator(dtype)
    return target.lanes(wide.itemsize // (2 if wide.kind == "c" else 1))


def is_ordered(reduction: Reduction) -> bool:
    """Whether the order of folding shows in the result."""
    return reduction.op in ("sum", "prod") and reduction.dtype.kind in "fc"


def cost(instructions: tuple[Instruction, ...]) -> int:
    """Rough cost of a point, in additions."""
    total = 0
    for made in instructions:
        if isinstance(made, Compute):
            total += 10 if made.op in FUNCTIONS or made.op.startswith("libm.") else _COSTS.get(made.op, 1)
        elif isinstance(made, Load):
            total += 1
    return total


_COSTS: Final = {"div": 3, "sqrt": 4, "floordiv": 10, "mod": 10, "fmod": 10}


# --- axes of extent 1 -------------------------------------------------------------------------------


def _rewrite(
    kernel: Kernel,
    address: Callable[[Address], Address],
    read_axis: Callable[[ReadAxis], Instruction] = lambda made: made,
) -> Kernel:
    """`kernel` with other addresses."""

    def one(made: Instruction) -> Instruction:
        if isinstance(made, Load):
            return replace(made, address=address(made.address))
        return read_axis(made) if isinstance(made, ReadAxis) else made

    return replace(
        kernel,
        body=tuple(one(i) for i in kernel.body),
        epilogue=tuple(one(i) for i in kernel.epilogue),
        stores=tuple(replace(s, address=address(s.address)) for s in kernel.stores),
    )


def _drop_unit_axes(kernel: Kernel) -> Kernel:
    gone = {a.name for a in kernel.axes if a.extent == 1}
    if not gone:
        return kernel

    def address(a: Address) -> Address:
        return replace(a, axes=tuple((axis, c) for axis, c in a.axes if axis not in gone))

    def read_axis(made: ReadAxis) -> Instruction:
        return Constant(made.name, i64, 0) if made.axis in gone else made

    kernel = _rewrite(kernel, address, read_axis)
    return replace(
        kernel,
        axes=tuple(a for a in kernel.axes if a.name not in gone),
        serial=tuple(a for a in kernel.serial if a not in gone),
    )


# --- joining axes -----------------------------------------------------------------------------------


def with_joined_axes(kernel: Kernel) -> Kernel:
    """A kernel of known extents with as few axes as its addresses allow; the last keeps a name that is the same for
    all."""
    joined = _join_axes(_drop_unit_axes(kernel)).kernel
    if len(joined.axes) != 1 or any(isinstance(i, ReadAxis) for i in joined.body):
        return joined
    (axis,) = joined.axes
    renamed = _rewrite(joined, lambda a: replace(a, axes=tuple((_ONLY_AXIS, c) for _, c in a.axes)))
    return replace(renamed, axes=(replace(axis, name=_ONLY_AXIS),))


def _join_axes(kernel: Kernel) -> Prepared:
    """Axes next to each other become one where every address steps through both at an even pace."""
    products: list[Product] = []
    k = len(kernel.axes) - 1
    while k > 0:
        outer, inner = kernel.axes[k - 1], kernel.axes[k]
        if _can_join(kernel, outer, inner):
            extent = _product(outer.extent, inner.extent, products)
            kernel = _join(kernel, outer, inner, extent)
        k -= 1
    return Prepared(kernel, tuple(products))


def _product(a: Extent, b: Extent, products: list[Product]) -> Extent:
    if isinstance(a, int) and isinstance(b, int):
        return a * b
    made = Product(f"joined.{len(products)}", (a, b))
    products.append(made)
    return made.name


def _addresses(kernel: Kernel) -> list[Address]:
    loads = [i.address for i in (*kernel.body, *kernel.epilogue) if isinstance(i, Load)]
    return loads + [s.address for s in kernel.stores]


def _can_join(kernel: Kernel, outer: Axis, inner: Axis) -> bool:
    if outer.reduce != inner.reduce or (outer.name in kernel.serial) != (inner.name in kernel.serial):
        return False
    if any(isinstance(i, ReadAxis) and i.axis in (outer.name, inner.name) for i in (*kernel.body, *kernel.epilogue)):
        return False
    return all(_even(dict(a.axes), outer.name, inner) for a in _addresses(kernel))


def _even(coefficients: Mapping[str, Extent], outer: str, inner: Axis) -> bool:
    """Whether a step of `outer` goes as far as all of `inner`."""
    big, small = coefficients.get(outer, 0), coefficients.get(inner.name, 0)
    if isinstance(small, int) and isinstance(inner.extent, int):
        return big == small * inner.extent
    if small == 0:
        return big == 0
    return (small == 1 and big == inner.extent) or (inner.extent == 1 and big == small)


def _join(kernel: Kernel, outer: Axis, inner: Axis, extent: Extent) -> Kernel:
    def address(a: Address) -> Address:
        return replace(a, axes=tuple((axis, c) for axis, c in a.axes if axis != outer.name))

    axes = tuple(replace(a, extent=extent) if a is inner else a for a in kernel.axes if a is not outer)
    serial = tuple(a for a in kernel.serial if a != outer.name)
    return replace(_rewrite(kernel, address), axes=axes, serial=serial)


# --- short reductions -------------------------------------------------------------------------------


def _unroll(kernel: Kernel, target: Target) -> Kernel:
    """A reduction over few points as straight code: pooling windows, small vectors."""
    reduced = [a for a in kernel.axes if a.reduce]
    parallel = tuple(a for a in kernel.axes if not a.reduce)
    extents = [a.extent for a in reduced if isinstance(a.extent, int)]
    points = prod(extents)
    size = sum(isinstance(i, Load | Compute) for i in kernel.body) + len(kernel.reductions)
    if not reduced:
        return _without_loops(kernel, target) if kernel.reductions else kernel
    if len(extents) < len(reduced) or not parallel or points == 0 or points * size > _MAX_UNROLLED:
        return kernel
    if points > 1 and cost(kernel.body) >= 10:
        return kernel
    if points > 1 and any(r.is_search for r in kernel.reductions):
        return kernel
    if points > 1 and _lies_in_rows(kernel, target):
        return kernel
    return _without_loops(kernel, target)


def _lies_in_rows(kernel: Kernel, target: Target) -> bool:
    """Whether a load has the points that are reduced side by side, in whole vectors, and those of no parallel axis:
    written out, it would be done element by element, for each lane and point."""
    reduced = [a for a in kernel.axes if a.reduce]
    for made in kernel.body:
        if isinstance(made, Load):
            coefficients = dict(made.address.axes)
            length = 1
            for axis in reversed(reduced):
                if coefficients.get(axis.name, 0) == length and isinstance(axis.extent, int):
                    length *= axis.extent
            parallel = [c for name, c in coefficients.items() if c != 0 and name not in {a.name for a in reduced}]
            lanes = target.lanes(made.dtype.itemsize)
            if lanes > 1 and length >= lanes and length % lanes == 0 and parallel and 1 not in parallel:
                return True
    return False


def _without_loops(kernel: Kernel, target: Target) -> Kernel:
    """The kernel with every point of its reduce axes written out."""
    reduced = [a for a in kernel.axes if a.reduce]
    extents = [a.extent for a in reduced if isinstance(a.extent, int)]
    writer = _Unroller()
    values: dict[str, list[str]] = {r.name: [] for r in kernel.reductions}
    for point in range(prod(extents)):
        place: dict[str, int] = {}
        rest = point
        for axis, extent in reversed(list(zip(reduced, extents, strict=True))):
            place[axis.name] = rest % extent
            rest //= extent
        renamed = writer.copy(kernel.body, place, point)
        for r in kernel.reductions:
            values[r.name].append(renamed[r.value])
    dtypes = {i.name: i64 if isinstance(i, ReadAxis) else i.dtype for i in kernel.body}
    for r in kernel.reductions:
        writer.fold(r, values[r.name], dtypes[r.value], sum_lanes(r.dtype, target))
    used = _needed_by_stores(kernel)
    first = [i for i in kernel.body if i.name in used]  # what stores and the epilogue take from the body
    return replace(
        kernel,
        axes=tuple(a for a in kernel.axes if not a.reduce),
        body=(*writer.made, *first, *kernel.epilogue),
        reductions=(),
        epilogue=(),
    )


def _needed_by_stores(kernel: Kernel) -> set[str]:
    """The body's instructions that the epilogue and the stores read, directly or not."""
    names = {i.name for i in kernel.body}
    wanted: set[str] = set()
    for store in kernel.stores:
        wanted |= {store.value, *(v for v, _ in store.address.values)} | ({store.mask} if store.mask else set())
    for made in kernel.epilogue:
        wanted |= set(operands(made))
    for made in reversed(kernel.body):
        if made.name in wanted:
            wanted |= set(operands(made))
    return wanted & names


def operands(made: Instruction) -> tuple[str, ...]:
    """The names an instruction reads."""
    if isinstance(made, Compute):
        return made.args
    if isinstance(made, Load):
        values = tuple(v for v, _ in made.address.values)
        return (*values, made.mask) if made.mask else values
    return ()


class _Unroller:
    def __init__(self) -> None:
        self.made: list[Instruction] = []
        self._known: dict[Instruction, str] = {}

    def copy(self, body: tuple[Instruction, ...], place: Mapping[str, int], point: int) -> Mapping[str, str]:
        """The body at one point; what is the same at several points is kept once."""
        names: dict[str, str] = {}
        for made in body:
            names[made.name] = self._add(self._at(made, place, names), f"{made.name}.{point}")
        return names

    def _add(self, made: Instruction, name: str) -> str:
        key = replace(made, name="")
        if isinstance(made, Constant):
            key = replace(made, name=repr(made.value))
        if key not in self._known:
            self._known[key] = name
            self.made.append(replace(made, name=name))
        return self._known[key]

    def _at(self, made: Instruction, place: Mapping[str, int], names: Mapping[str, str]) -> Instruction:
        if isinstance(made, ReadAxis) and made.axis in place:
            return Constant(made.name, i64, place[made.axis])
        if isinstance(made, Compute):
            return replace(made, args=tuple(names[a] for a in made.args))
        if isinstance(made, Load):
            mask = names[made.mask] if made.mask else None
            return replace(made, address=self._address(made.address, place, names), mask=mask)
        return made

    def _address(self, address: Address, place: Mapping[str, int], names: Mapping[str, str]) -> Address:
        offset = address.offset
        axes: list[tuple[str, Extent]] = []
        values = [(names[v], c) for v, c in address.values]
        for axis, coefficient in address.axes:
            if axis not in place:
                axes.append((axis, coefficient))
            elif place[axis] == 0:
                continue
            elif isinstance(coefficient, int) and isinstance(offset, int):
                offset += coefficient * place[axis]
            else:  # a step known at run time only: as a value
                values.append((self._add(Constant("", i64, place[axis]), f"step.{place[axis]}"), coefficient))
        return Address(tuple(axes), offset, tuple(values))

    def fold(self, r: Reduction, values: list[str], source: DType, lanes: int) -> None:
        """The reduction of named values, in the order of a sum."""
        if r.is_search:  # of one point: see `_unroll`
            self.made.append(Constant(r.name, r.dtype, 0))
            return
        wide = bool_ if r.op in ("any", "all") else accumulator(r.dtype)
        if source is not wide:
            values = [self._add(Compute("", wide, "cast", (v,)), f"{v}.{r.name}") for v in values]
        if not values:
            raise ValueError(f"a reduction over no points cannot be written out: {r}")
        op = {"sum": "add", "prod": "mul", "any": "or", "all": "and"}.get(r.op, r.op)

        def combine(a: str, b: str) -> str:
            name = f"{r.name}.{len(self.made)}"
            self.made.append(Compute(name, wide, op, (a, b)))
            return name

        if is_ordered(r):
            total = _canonical(values, lanes, combine)
        else:
            total = values[0]
            for v in values[1:]:
                total = combine(total, v)
        if r.op == "sum" and wide.kind in "fc":  # a sum of zeros is +0, as NumPy's
            zero = self._add(Constant("", wide, 0.0), f"zero.{wide.name}")
            total = combine(total, zero)
        self.made.append(Compute(r.name, r.dtype, "cast", (total,)))


def _canonical(values: list[str], lanes: int, combine: Callable[[str, str], str]) -> str:
    """See the module's docstring."""
    slots: list[str | None] = [None] * lanes
    for start in range(0, len(values), lanes * GROUP):
        group: list[str | None] = [None] * lanes
        for k, value in enumerate(values[start : start + lanes * GROUP]):
            held = group[k % lanes]
            group[k % lanes] = value if held is None else combine(held, value)
        slots = [_both(a, b, combine) for a, b in zip(slots, group, strict=True)]
    while len(slots) > 1:
        half = len(slots) // 2
        slots = [_both(a, b, combine) for a, b in zip(slots[:half], slots[half:], strict=True)]
    total = slots[0]
    assert total is not None
    return total


def _both(a: str | None, b: str | None, combine: Callable[[str, str], str]) -> str | None:
    if a is None:
        return b
    return a if b is None else combine(a, b)
