"""How a kernel is to run: which axis lies in vectors, how wide, how often unrolled, and in which style.

- MAP: no reductions. Rows (all parallel axes but the vector axis, as one loop), and in each a loop over vectors.
- FOLD: the vector axis is the innermost reduce axis. A row is a point of the parallel axes; its accumulators are
  vectors.
- COLUMNS: the vector axis is a parallel one (or there is none). A row is a point of the other parallel axes; blocks of
  columns are folded into accumulators in memory, each reduce point touching all columns of the block.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from jitcore.backends.llvm.kernels.prepare import GROUP, Prepared, cost, is_ordered, operands, sum_lanes
from jitcore.backends.native.ir.target import Target
from jitcore.kernel.nodes import Address, Axis, Compute, Instruction, Kernel, Load, ReadAxis
from jitcore.structs import dataclass
from jitcore.types import DType, f16

MAP: Final = "map"
FOLD: Final = "fold"
COLUMNS: Final = "columns"

COLUMN_BYTES: Final = 4096
"""Of accumulators of one kind in a block of columns: a few such arrays stay in the first-level cache."""
_FAR: Final = 16
"""Elements: further than a cache line, or nearly."""
_BLOCK: Final = 8
"""Cache lines that one set of a first-level cache holds: rows of a power of two of bytes all begin in one set. Measured
on Zen 3, transposing 1024 * 1024 f32: 0.5 ms in blocks of 8, 1.0 of 16, 2.4 of 32, 3.6 of 64."""


@dataclass(frozen=True, slots=True)
class Schedule:
    """See the module's docstring."""

    kernel: Kernel
    style: str
    vector: Axis | None
    rows: tuple[Axis, ...]
    """Parallel axes but the vector one, outermost first."""
    reduced: tuple[Axis, ...]
    """Reduce axes, in a FOLD without the vector one."""
    lanes: int
    unroll: int
    depends: Mapping[str, frozenset[str]]
    """The axes every instruction depends on."""
    volatile: frozenset[str]
    """Instructions that read what the kernel writes: they stay where they are."""
    point_cost: int
    serial: bool
    block: int
    """Columns a MAP takes at a time, all rows for each: where loads step far along the vector axis but little from row
    to row, a block's cache lines are used by the rows that follow. 0: all columns."""

    @property
    def width(self) -> int:
        """Points of the vector axis a step takes."""
        return self.lanes * self.unroll


def schedule(prepared: Prepared, target: Target) -> Schedule:
    """The way to run a prepared kernel."""
    kernel = prepared.kernel
    depends = dependencies(kernel)
    parallel = [a for a in kernel.axes if not a.reduce]
    reduced = tuple(a for a in kernel.axes if a.reduce)
    candidates = [a for a in parallel if a.name not in kernel.serial]
    vector = max(enumerate(candidates), key=lambda c: (_score(kernel, c[1], depends), c[0]), default=(0, None))[1]
    style = MAP
    if kernel.reductions:
        style = COLUMNS
        lanes = {sum_lanes(r.dtype, target) for r in kernel.reductions if is_ordered(r)}
        inner = reduced[-1]
        better = vector is None or _score(kernel, inner, depends) >= _score(kernel, vector, depends)
        if len(lanes) <= 1 and better and not any(_is_complex_product(r.op, r.dtype) for r in kernel.reductions):
            style, vector, reduced = FOLD, inner, reduced[:-1]
    volatile = _volatile(kernel)
    rows = tuple(a for a in parallel if a is not vector)
    near = _transposing_row(kernel, vector, rows) if style == MAP else None
    if near:
        rows = (*(a for a in rows if a is not near), near)
    width = _lanes(kernel, target, depends, vector) if vector else 1
    if style == FOLD and vector:
        ordered = {sum_lanes(r.dtype, target) for r in kernel.reductions if is_ordered(r)}
        width = ordered.pop() if ordered else width
    unroll = _unroll(kernel, vector, width, style, depends)
    return Schedule(
        kernel, style, vector, rows, reduced, width, unroll, depends, volatile,
        max(cost(kernel.body), 1), bool(kernel.serial),
        max(_BLOCK, width) if near else 0,
    )  # fmt: skip


def _transposing_row(kernel: Kernel, vector: Axis | None, rows: tuple[Axis, ...]) -> Axis | None:
    """A row axis along which a load that steps far along the vector axis has neighbouring elements."""
    if vector is None or kernel.serial or kernel.reductions:
        return None
    for made in kernel.body:
        if isinstance(made, Load):
            coefficients = dict(made.address.axes)
            step = coefficients.get(vector.name, 0)
            if isinstance(step, str) or abs(step) >= _FAR:
                near = [a for a in rows if coefficients.get(a.name) == 1 and a.extent != 1]
                if near:
                    return near[-1]
    return None


def _is_complex_product(op: str, dtype: DType) -> bool:
    """1 + 0j times infinity is not infinity: identities must not be multiplied in."""
    return op == "prod" and dtype.kind == "c"


def dependencies(kernel: Kernel) -> Mapping[str, frozenset[str]]:
    """The axes every instruction depends on; results of reductions count as depending on no reduce axis."""
    parallel = frozenset(a.name for a in kernel.axes if not a.reduce)
    found: dict[str, frozenset[str]] = {}
    for made in kernel.body:
        found[made.name] = _depends(made, found)
    for r in kernel.reductions:
        found[r.name] = parallel
    for made in kernel.epilogue:
        found[made.name] = _depends(made, found)
    return found


def _depends(made: Instruction, known: Mapping[str, frozenset[str]]) -> frozenset[str]:
    axes = {made.axis} if isinstance(made, ReadAxis) else set[str]()
    if isinstance(made, Load):
        axes |= {axis for axis, c in made.address.axes if c != 0}
    return frozenset(axes).union(*(known[name] for name in operands(made)))


def _volatile(kernel: Kernel) -> frozenset[str]:
    written = {s.buffer for s in kernel.stores}
    aliased = {b.name for b in kernel.buffers if written & {b.name, *b.aliases}}
    aliased |= {other for b in kernel.buffers if b.name in written for other in b.aliases}
    found: set[str] = set()
    for made in (*kernel.body, *kernel.epilogue):
        reads = isinstance(made, Load) and made.buffer in aliased
        if reads or any(name in found for name in operands(made)):
            found.add(made.name)
    return frozenset(found)


def _score(kernel: Kernel, axis: Axis, depends: Mapping[str, frozenset[str]]) -> int:
    """How well the accesses lie for vectors along an axis."""
    total = 0
    for made in (*kernel.body, *kernel.epilogue):
        if isinstance(made, Load):
            total += _access_score(made.address, axis, depends, step=2, jump=-2)
    for store in kernel.stores:
        weights = (0, -1) if kernel.reductions else (3, -4)
        total += 0 if axis.reduce else _access_score(store.address, axis, depends, *weights)
    if isinstance(axis.extent, int) and axis.extent < 4:
        total -= 3
    return total


def _access_score(address: Address, axis: Axis, depends: Mapping[str, frozenset[str]], step: int, jump: int) -> int:
    if any(axis.name in depends[v] for v, _ in address.values):
        return jump
    coefficient = dict(address.axes).get(axis.name, 0)
    if coefficient == 1:
        return step
    if coefficient == 0:
        return 1 if jump > -4 else jump
    return 0 if isinstance(coefficient, str) else jump


def _lanes(kernel: Kernel, target: Target, depends: Mapping[str, frozenset[str]], vector: Axis) -> int:
    """As many as fill a register with the widest elements computed with; indices do not count."""
    floats: list[int] = []
    others: list[int] = []
    addressing = _addressing(kernel)
    for made in (*kernel.body, *kernel.epilogue):
        if isinstance(made, Load | Compute) and made.name not in addressing and vector.name in depends[made.name]:
            size = 4 if made.dtype is f16 else made.dtype.itemsize // (2 if made.dtype.kind == "c" else 1)
            (floats if made.dtype.kind in "fc" else others).append(size)
    for store in kernel.stores:
        for b in kernel.buffers:
            if b.name == store.buffer and b.dtype.kind not in "fc":
                others.append(b.dtype.itemsize)
    return target.lanes(max(floats or others, default=4))


def _addressing(kernel: Kernel) -> set[str]:
    """Instructions that only find addresses."""
    data = {s.value for s in kernel.stores} | {r.value for r in kernel.reductions}
    wanted = {v for s in kernel.stores for v, _ in s.address.values}
    for made in (*reversed(kernel.epilogue), *reversed(kernel.body)):
        if isinstance(made, Load) or (made.name in wanted and made.name not in data):
            wanted |= set(operands(made))
        elif made.name in data:
            data |= set(operands(made))
    return wanted - data


def _unroll(kernel: Kernel, vector: Axis | None, lanes: int, style: str, depends: Mapping[str, frozenset[str]]) -> int:
    """More vectors a step hide latency where little is computed; where much is, code would only grow."""
    if vector is None or lanes == 1:
        return 1
    inner = tuple(i for i in kernel.body if vector.name in depends[i.name])
    weight = cost(inner)
    most = 4 if weight <= 6 else 2 if weight <= 16 else 1
    if style == COLUMNS:
        most = min(most, 2)
    if any(isinstance(i, Load) and _is_gather(i, vector, depends) for i in inner):
        most = 1
    extent = vector.extent
    if isinstance(extent, int):
        while most > 1 and extent <= lanes * most // 2:
            most //= 2
        # where fewer vectors a step leave no tail, there is less code
        most = next((u for u in (most, most // 2, 1) if u and extent % (lanes * u) == 0), most)
    elif style != FOLD:
        most = min(most, 2)
    return min(most, GROUP)


def _is_gather(made: Load, vector: Axis, depends: Mapping[str, frozenset[str]]) -> bool:
    coefficient = dict(made.address.axes).get(vector.name, 0)
    return coefficient not in (0, 1) or any(vector.name in depends[v] for v, _ in made.address.values)
